//! What a CSV file holds, read from all of its rows: types, ranges, missing values, the key.

use std::collections::BTreeSet;

use super::csv::read_csv;
use crate::digest::Digest;

/// Type of a column, the narrowest that all values have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// Decimal integers.
    Integer,
    /// Decimal numbers.
    Number,
    /// `true` and `false`.
    Boolean,
    /// Anything.
    Text,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name in the header.
    pub name: String,
    /// Type.
    pub kind: ColumnType,
    /// True when every row has a value.
    pub required: bool,
    /// Smallest and largest value of a numeric column, as written.
    pub range: Option<(String, String)>,
}

/// A CSV file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFact {
    /// Path below `data/`.
    pub path: String,
    /// Size.
    pub bytes: u64,
    /// Digest.
    pub digest: Digest,
    /// Number of rows below the header.
    pub rows: u64,
    /// Columns.
    pub columns: Vec<Column>,
    /// How many first columns together name a row; 0 when none do.
    pub key: usize,
}

impl TableFact {
    /// Reads a CSV file; `None` when it is no table (not UTF-8, no header, rows of unequal length, two
    /// columns of one name).
    pub fn read(path: &str, content: &[u8]) -> Option<Self> {
        let rows = read_csv(std::str::from_utf8(content).ok()?).ok()?;
        let (header, rows) = rows.split_first()?;
        let distinct: BTreeSet<&String> = header.iter().collect();
        if distinct.len() != header.len() || rows.iter().any(|row| row.len() != header.len()) {
            return None;
        }
        let columns = header.iter().enumerate().map(|(index, name)| column(name, rows, index)).collect::<Vec<_>>();
        let complete = columns.iter().take_while(|column| column.required).count();
        let key = (1..=complete).find(|&width| is_key(rows, width)).unwrap_or(0);
        Some(Self {
            path: path.to_owned(),
            bytes: content.len() as u64,
            digest: Digest::of(content),
            rows: rows.len() as u64,
            columns,
            key,
        })
    }

    /// Name for catalogues: the path without folder `results/` and extension, safe.
    pub fn name(&self) -> String {
        let short = self.path.strip_prefix("results/").unwrap_or(&self.path);
        let short = short.rsplit_once('.').map_or(short, |(stem, _)| stem);
        crate::slug::file_name(&short.to_ascii_lowercase().replace('/', "."))
    }
}

fn is_key(rows: &[Vec<String>], width: usize) -> bool {
    let mut seen = BTreeSet::new();
    rows.iter().all(|row| seen.insert(&row[..width]))
}

fn column(name: &str, rows: &[Vec<String>], index: usize) -> Column {
    let values = || rows.iter().map(|row| row[index].as_str());
    let present = || values().filter(|value| !value.is_empty());
    let kind = if present().next().is_none() {
        ColumnType::Text
    } else if present().all(is_integer) {
        ColumnType::Integer
    } else if present().all(is_number) {
        ColumnType::Number
    } else if present().all(|value| matches!(value, "true" | "false")) {
        ColumnType::Boolean
    } else {
        ColumnType::Text
    };
    let range = matches!(kind, ColumnType::Integer | ColumnType::Number).then(|| {
        let by = |a: &&str, b: &&str| number(a).total_cmp(&number(b));
        let pick = |value: Option<&str>| value.unwrap_or_default().to_owned();
        (pick(present().min_by(by)), pick(present().max_by(by)))
    });
    Column { name: name.to_owned(), kind, required: !rows.is_empty() && values().all(|v| !v.is_empty()), range }
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

/// An optional minus and digits without leading zeros: `007` is a name.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.len() <= 15 && digits.bytes().all(|b| b.is_ascii_digit());
    plain && (digits == "0" || !digits.starts_with('0'))
}

fn is_number(text: &str) -> bool {
    let shaped = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E'));
    let digits = text.trim_start_matches('-');
    let named = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.") && !digits.starts_with("0e");
    shaped && !named && text.parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_come_from_all_rows() {
        let mut text = "id,n,x,flag,name,code,empty\n".to_owned();
        for row in 0..30_000 {
            text.push_str(&format!("r{row},{},0.5,true,1,007,\n", row - 5));
        }
        text.push_str("last,,1e-05,false,x,8,\n");
        let table = TableFact::read("results/a/b.csv", text.as_bytes()).unwrap();
        let kinds: Vec<_> = table.columns.iter().map(|column| column.kind).collect();
        use ColumnType::{Boolean, Integer, Number, Text};
        assert_eq!(kinds, [Text, Integer, Number, Boolean, Text, Text, Text]);
        assert_eq!(table.columns[1].range, Some(("-5".into(), "29994".into())));
        assert_eq!(table.columns[2].range, Some(("1e-05".into(), "0.5".into())));
        assert!(table.columns[0].required && !table.columns[1].required);
        assert_eq!((table.key, table.rows, table.name().as_str()), (1, 30_001, "a.b"));
    }

    #[test]
    fn what_is_no_table_is_none() {
        for text in ["", "a,a\n1,2\n", "a,b\n1\n", "a\n\"x\n"] {
            assert!(TableFact::read("x.csv", text.as_bytes()).is_none(), "{text:?}");
        }
        assert!(TableFact::read("x.csv", b"\xff\n").is_none());
        assert_eq!(TableFact::read("x.csv", b"a,b\n").unwrap().columns[0].kind, ColumnType::Text);
    }
}
