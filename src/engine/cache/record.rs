//! One record: digest, outcome, checksum.
//!
//! ```text
//! length u32 | key 32 | payload (length bytes) | checksum 8 (of key and payload)
//! payload: five fields, each length u32 and bytes: status (JSON), returned (JSON in Python's
//!          dialect), stdout, stderr, message; then the totals of stdout and stderr, u64 each; then a
//!          byte 1 where the clock decided, and nothing where it did not
//! ```

use crate::digest::Digest;
use crate::engine::outcome::{Captured, Outcome, Status};
use crate::engine::program::{write_text, write_value};
use crate::json::{Reader, Value};

pub(in crate::engine) const HEAD: usize = 4 + 32;
pub(in crate::engine) const CHECKSUM: usize = 8;

/// Largest payload believed; a longer one is a torn length.
pub(in crate::engine) const LARGEST: u32 = 64 << 20;

pub(super) fn checksum(key: &Digest, payload: &[u8]) -> [u8; CHECKSUM] {
    let digest = Digest::of_parts([key.as_bytes().as_slice(), payload]);
    let mut short = [0; CHECKSUM];
    short.copy_from_slice(&digest.as_bytes()[..CHECKSUM]);
    short
}

/// The bytes of a whole record; `None` for an outcome too large to be worth keeping.
pub(in crate::engine) fn encode(key: &Digest, outcome: &Outcome) -> Option<Vec<u8>> {
    let mut returned = String::from("[");
    for (index, (name, value)) in outcome.returned.iter().enumerate() {
        returned.push_str(if index == 0 { "[" } else { ",[" });
        write_text(name, &mut returned);
        returned.push(',');
        write_value(value, &mut returned);
        returned.push(']');
    }
    returned.push(']');
    let status = serde_json::to_vec(&outcome.status).ok()?;
    let mut payload = Vec::new();
    let fields: [&[u8]; 5] =
        [&status, returned.as_bytes(), &outcome.stdout.bytes, &outcome.stderr.bytes, outcome.message.as_bytes()];
    for field in fields {
        payload.extend_from_slice(&u32::try_from(field.len()).ok()?.to_le_bytes());
        payload.extend_from_slice(field);
    }
    payload.extend_from_slice(&outcome.stdout.total.to_le_bytes());
    payload.extend_from_slice(&outcome.stderr.total.to_le_bytes());
    payload.extend(outcome.by_clock.then_some(1));
    let length = u32::try_from(payload.len()).ok().filter(|&length| length <= LARGEST)?;
    let mut out = Vec::with_capacity(HEAD + payload.len() + CHECKSUM);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(&payload);
    out.extend_from_slice(&checksum(key, &payload));
    Some(out)
}

/// Reads payload and checksum of the record of `key`.
pub(in crate::engine) fn decode(key: &Digest, body: &[u8]) -> Option<Outcome> {
    let (payload, check) = body.split_at_checked(body.len().checked_sub(CHECKSUM)?)?;
    if check != checksum(key, payload) {
        return None;
    }
    let mut rest = payload;
    let mut field = || {
        let (length, tail) = rest.split_at_checked(4)?;
        let length = u32::from_le_bytes(length.try_into().ok()?) as usize;
        let (field, tail) = tail.split_at_checked(length)?;
        rest = tail;
        Some(field)
    };
    let (status, returned, stdout, stderr, message) = (field()?, field()?, field()?, field()?, field()?);
    let (first, rest) = rest.split_at_checked(8)?;
    let (second, clock) = rest.split_at_checked(8)?;
    let by_clock = match clock {
        [] => false,
        [1] => true,
        _ => return None,
    };
    Some(Outcome {
        status: serde_json::from_slice::<Status>(status).ok()?,
        returned: entries(returned)?,
        stdout: Captured { bytes: stdout.to_vec(), total: u64::from_le_bytes(first.try_into().ok()?) },
        stderr: Captured { bytes: stderr.to_vec(), total: u64::from_le_bytes(second.try_into().ok()?) },
        message: String::from_utf8(message.to_vec()).ok()?,
        by_clock,
    })
}

fn entries(json: &[u8]) -> Option<Vec<(String, Value)>> {
    let Value::List(pairs) = Reader::new(json).value().ok()? else { return None };
    let pair = |pair| {
        let Value::List(pair) = pair else { return None };
        let [Value::Text(key), value] = <[Value; 2]>::try_from(pair).ok()? else { return None };
        Some((key, value))
    };
    pairs.into_iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fake::answers;
    use crate::engine::outcome::Limit;

    #[test]
    fn every_kind_of_outcome_survives_and_every_damage_is_noticed() {
        let key = Digest::of(b"key");
        let mut odd = answers(&[("1", "NaN", "\"\n"), ("2", "1e400", ""), ("3", "-0.0", "")]);
        odd.stdout = Captured { bytes: vec![0xff, 0], total: 1 << 40 };
        let killed = Outcome::of(Status::Killed { limit: Limit::Memory });
        let missing = Outcome::of(Status::MissingModule { name: "scipy".into() });
        let late = Outcome { by_clock: true, ..Outcome::of(Status::Timeout) };
        for outcome in [odd, killed, missing, Outcome::of(Status::Forged), late] {
            let bytes = encode(&key, &outcome).unwrap();
            // Compared as text, because a NaN does not equal itself.
            let back = decode(&key, &bytes[HEAD..]).unwrap();
            assert_eq!(format!("{back:?}"), format!("{outcome:?}"));
            assert_eq!(decode(&Digest::of(b"other"), &bytes[HEAD..]), None);
            for at in HEAD..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1;
                assert_eq!(decode(&key, &damaged[HEAD..]), None);
            }
        }
    }
}
