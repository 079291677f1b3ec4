//! The text layer of a PDF. The library that reads it may panic on damaged files; that is a finding here
//! and nothing more.

mod layout;

use std::panic::{AssertUnwindSafe, catch_unwind};

use layout::Layout;
use pdf_extract::{Document, output_doc};

/// The text of a PDF, page after page, with tables of aligned cells as such.
///
/// # Errors
/// When it is no PDF, is damaged or encrypted, or holds no text (a scan).
pub(super) fn text(bytes: &[u8]) -> Result<String, String> {
    if !bytes.starts_with(b"%PDF") {
        return Err("the file does not begin as a PDF does".to_owned());
    }
    let read = catch_unwind(AssertUnwindSafe(|| read(bytes)));
    match read {
        Ok(Ok(text)) if text.trim().is_empty() => Err("the PDF has no text layer (a scan?)".to_owned()),
        Ok(Ok(text)) => Ok(text),
        Ok(Err(error)) => Err(format!("the PDF cannot be read: {error}")),
        Err(_) => Err("the PDF cannot be read: its reader gave up on it".to_owned()),
    }
}

fn read(bytes: &[u8]) -> Result<String, String> {
    let mut document = Document::load_mem(bytes).map_err(|error| error.to_string())?;
    if document.is_encrypted() {
        document.decrypt("").map_err(|error| error.to_string())?;
    }
    let mut layout = Layout::default();
    output_doc(&document, &mut layout).map_err(|error| error.to_string())?;
    Ok(layout.into_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_pdf_is_refused_without_a_panic() {
        assert!(text(b"hello").is_err());
        assert!(
            text(b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 9 0 R >>\nendobj\ntrailer << /Root 1 0 R >>").is_err()
        );
    }
}
