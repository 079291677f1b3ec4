//! Arguments of work that is shared by several machines.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::TalkArgs;

/// One of several equal shares, as `K/N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) struct Piece {
    /// Its number, from 1.
    pub(in crate::cli) number: usize,
    /// How many there are.
    pub(in crate::cli) of: usize,
}

/// Most shares of one work.
const MOST: usize = 100_000;

impl FromStr for Piece {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=MOST).contains(&of) && (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err(format!("a share is K/N with 1 <= K <= N <= {MOST}, such as 2/16")),
        }
    }
}

/// `repro merge`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  repro merge parts/*.part\n  repro merge parts/*.part --study archive/ --json > result.json"
)]
pub(in crate::cli) struct Merge {
    /// Parts that `repro verify --shard` wrote, in any order; one that is given twice changes nothing
    #[arg(value_name = "PART", required = true)]
    pub(in crate::cli) parts: Vec<PathBuf>,
    /// Folder of the study, or a bundle; default: where the first part says that it was
    #[arg(long, value_name = "STUDY")]
    pub(in crate::cli) study: Option<PathBuf>,
    /// Claims ledger to use beside those the study holds
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) claims: Vec<PathBuf>,
    /// Accept that missing evidence leaves things unchecked (no exit code 4)
    #[arg(long)]
    pub(in crate::cli) allow_missing: bool,
    #[command(flatten)]
    pub(in crate::cli) talk: TalkArgs,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_has_a_number_that_is_one_of_them() {
        assert_eq!("3/16".parse(), Ok(Piece { number: 3, of: 16 }));
        for wrong in ["", "3", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b", "1/100001"] {
            assert!(wrong.parse::<Piece>().is_err(), "{wrong}");
        }
    }
}
