//! Telling UTF-8 from the encodings that cannot be read as it.

use super::Fault;

/// A fault when the beginning of a file shows UTF-16 or UTF-32 (a byte-order mark, or a zero byte among
/// the first few). Other encodings are noticed where their first foreign byte stands.
pub fn foreign_encoding(start: &[u8]) -> Option<Fault> {
    let what = match start {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => "UTF-32 text",
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "UTF-16 text",
        _ => "a zero byte, as in UTF-16 text",
    };
    let byte = if what.starts_with("UTF") { 0 } else { start.iter().take(4).position(|byte| *byte == 0)? };
    Some(Fault { byte, what: what.into(), end: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_is_told_with_and_without_its_mark() {
        let seen = |bytes: &[u8]| foreign_encoding(bytes).map(|fault| fault.byte);
        assert_eq!(seen(b"\xff\xfe{\0"), Some(0));
        assert_eq!(seen(b"{\0\"\0"), Some(1));
        assert_eq!(seen(b"\0{\0\""), Some(0));
        assert_eq!(seen(b"\xef\xbb\xbf{}"), None);
        assert_eq!(seen(b"{"), None);
    }
}
