//! What is read, repaired and refused.

use super::super::value::Value;
use super::*;
use proptest::prelude::*;

fn read(text: &str) -> Result<Value> {
    let mut reader = Reader::new(text.as_bytes());
    let value = reader.value()?;
    reader.end()?;
    Ok(value)
}

#[test]
fn python_only_tokens_are_numbers() {
    let value = read(r#"{"a": NaN, "b": -Infinity, "c": Infinity, "d": 1e400}"#).unwrap();
    assert!(value.get("a").unwrap().as_f64().unwrap().is_nan());
    assert_eq!(value.get("b").unwrap().as_f64(), Some(f64::NEG_INFINITY));
    assert_eq!(value.get("d").unwrap().as_number().unwrap().literal(), "1e400");
}

#[test]
fn order_of_members_is_the_order_of_the_file() {
    let value = read(r#"{"tau":1,"alpha":2,"10":3}"#).unwrap();
    let keys: Vec<_> = value.as_object().unwrap().iter().map(|(k, _)| k).collect();
    assert_eq!(keys, ["tau", "alpha", "10"]);
}

#[test]
fn damaged_characters_are_replaced_and_reported() {
    let mut reader = Reader::new(b"[\"\\ud800x\", \"a\xff\", \"b\x01\", \"\\ud83d\\ude00\"]");
    let value = reader.value().unwrap();
    assert_eq!(value.as_list().unwrap()[0].as_text(), Some("\u{fffd}x"));
    assert_eq!(value.as_list().unwrap()[3].as_text(), Some("😀"));
    let whats: Vec<_> = reader.take_repairs().into_iter().map(|r| r.what).collect();
    assert_eq!(whats, ["a lone surrogate", "bytes that are not UTF-8", "a raw control character"]);
}

#[test]
fn a_text_that_is_passed_over_is_told_like_one_that_is_read() {
    let texts: [&[u8]; 8] = [
        br#""a\u0041\ud800 \q""#,
        b"\"a\\n\x01\xff\\ud83d\"",
        br#""a\\\"\n\ud83d\ude00b" "#,
        br#""  \n""#,
        br#""\n x""#,
        br#""""#,
        br#""x\u12""#,
        b"\"x",
    ];
    for text in texts {
        let (mut read, mut passed) = (Reader::new(text), Reader::new(text));
        let told = read.text().map(|text| !text.trim().is_empty());
        assert_eq!(passed.pass_text(), told, "{text:?}");
        assert_eq!(passed.take_repairs(), read.take_repairs(), "{text:?}");
        assert_eq!(passed.position(), read.position(), "{text:?}");
    }
}

#[test]
fn nesting_of_any_depth_neither_crashes_nor_hides_what_follows() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let value = read(&format!("[{deep}, 7]")).unwrap();
    assert_eq!(value.as_list().unwrap()[1].as_f64(), Some(7.0));
}

#[test]
fn faults_name_their_byte() {
    for (text, byte) in [("{\"a\":", 5), ("[1,]", 3), ("[1 2]", 3), ("\"abc", 0), ("[1]x", 3), ("{,}", 1), ("-", 1)] {
        assert_eq!(read(text).unwrap_err().byte, byte, "{text}");
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Reader::new(&bytes).value();
        let _ = Reader::new(&bytes).skip();
    }

    #[test]
    fn strict_json_reads_as_serde_json_does(text in r#"[\[\]{}:,"a-c0-9.e\- \\]{0,40}"#) {
        let strict: std::result::Result<serde_json::Value, _> = serde_json::from_str(&text);
        if let Ok(strict) = strict {
            let ours = read(&text).unwrap();
            prop_assert!(Reader::new(text.as_bytes()).skip().is_ok());
            if !format!("{strict}").contains('.') && !format!("{strict}").contains('e') {
                prop_assert_eq!(ours.to_strict(), strict);
            }
        } else {
            // Strict readers also refuse numbers out of range, which we keep.
            prop_assert!(read(&text).is_err() || text.contains('e'), "accepted {}", text);
        }
    }
}
