//! Writing a part.

use super::MAGIC;
use super::header::PartHeader;
use crate::digest::Hasher;
use crate::engine::cache::{Recorder, record::encode};

/// The bytes of a part: its header, and for each engine of the header what it was asked.
pub fn write_part(header: &PartHeader, engines: &[&Recorder]) -> Vec<u8> {
    let text = serde_json::to_vec(header).unwrap_or_default();
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&text);
    for engine in engines {
        let records: Vec<Vec<u8>> =
            engine.outcomes().iter().filter_map(|(key, outcome)| encode(key, outcome)).collect();
        bytes.extend_from_slice(&(records.len() as u32).to_le_bytes());
        records.iter().for_each(|record| bytes.extend_from_slice(record));
    }
    let mut hasher = Hasher::default();
    hasher.update(&bytes);
    bytes.extend_from_slice(hasher.finish().as_bytes());
    bytes
}
