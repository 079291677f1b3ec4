//! How a record goes: laid down for some, drawn for all others.

use super::chance::{draw, pick};
use super::items::Item;

/// The course of one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Play {
    /// A right answer.
    Right,
    /// A right answer in a unit of another scale.
    Rescaled,
    /// A right answer under keys of its own.
    Renamed,
    /// A right answer without units.
    Bare,
    /// A right answer after a first program that does not run.
    Retry,
    /// A right answer given as a literal.
    Literal,
    /// A right answer, with the claim to have run the program.
    Claim,
    /// The same claim in an attempt that does not run; the next attempt is right.
    ClaimThenRight,
    /// A remark on what the program returns, which it does.
    Remark,
    /// A draft and a final program; the draft comes first.
    Draft,
    /// Two answers in the wrong order, put right later.
    Swapped,
    /// A plain mistake.
    Mistake,
    /// Narrowly missed.
    Near,
    /// Wrong by some degrees, right as kelvin.
    Kelvin,
    /// A small remainder where zero is expected.
    Residue,
    /// Words instead of a number.
    Words,
    /// Not a number.
    NotANumber,
    /// Nothing returned.
    Empty,
    /// The original's answer.
    Echo,
    /// The shortcut's answer.
    Shortcut,
    /// No program in any attempt; no box, in prose.
    Silent,
    /// More boxes than asked for, in prose.
    MoreBoxes,
    /// No answer: the connection failed.
    Failure,
    /// The same, counted as a failed answer.
    FailureCounted,
}

/// Names in `scenes.toml`.
const NAMES: &[(&str, Play)] = &[
    ("right", Play::Right),
    ("rescaled", Play::Rescaled),
    ("renamed", Play::Renamed),
    ("bare", Play::Bare),
    ("retry", Play::Retry),
    ("literal", Play::Literal),
    ("claim", Play::Claim),
    ("claim-then-right", Play::ClaimThenRight),
    ("remark", Play::Remark),
    ("draft", Play::Draft),
    ("swapped", Play::Swapped),
    ("mistake", Play::Mistake),
    ("near", Play::Near),
    ("kelvin", Play::Kelvin),
    ("residue", Play::Residue),
    ("words", Play::Words),
    ("not-a-number", Play::NotANumber),
    ("empty", Play::Empty),
    ("echo", Play::Echo),
    ("shortcut", Play::Shortcut),
    ("silent", Play::Silent),
    ("more-boxes", Play::MoreBoxes),
    ("failure", Play::Failure),
    ("failure-counted", Play::FailureCounted),
];

/// A play by its name.
pub(super) fn named(name: &str) -> Option<Play> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, play)| *play)
}

/// An imaginary configuration.
#[derive(Debug)]
pub(super) struct Player {
    pub(super) key: &'static str,
    pub(super) name: &'static str,
    pub(super) backbone: &'static str,
    pub(super) reasoning: bool,
    /// Chance of a right answer to low, medium and high difficulty.
    skill: [f64; 3],
    /// Chance of seeing through a trap.
    wary: f64,
    /// Tokens charged for each token of the stored trace, times ten.
    pub(super) charged: u64,
}

/// The four of them. Twins share what they find hard, so that reasoning can lift them.
pub(super) const PLAYERS: [Player; 4] = [
    Player {
        key: "constructed-a-reasoning",
        name: "Constructed A (reasoning)",
        backbone: "Constructed A",
        reasoning: true,
        skill: [0.99, 0.95, 0.80],
        wary: 0.80,
        charged: 21,
    },
    Player {
        key: "constructed-a",
        name: "Constructed A",
        backbone: "Constructed A",
        reasoning: false,
        skill: [0.97, 0.84, 0.55],
        wary: 0.55,
        charged: 10,
    },
    Player {
        key: "constructed-b-reasoning",
        name: "Constructed B (reasoning)",
        backbone: "Constructed B",
        reasoning: true,
        skill: [0.94, 0.82, 0.60],
        wary: 0.55,
        charged: 10,
    },
    Player {
        key: "constructed-b",
        name: "Constructed B",
        backbone: "Constructed B",
        reasoning: false,
        skill: [0.86, 0.62, 0.30],
        wary: 0.25,
        charged: 10,
    },
];

/// Where a record stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot<'s> {
    pub(super) experiment: &'s str,
    pub(super) player: &'s Player,
    pub(super) run: u32,
    pub(super) item: &'s Item,
}

impl Slot<'_> {
    fn draw(&self, what: &str) -> f64 {
        draw(&[what, self.experiment, self.player.key, &self.run.to_string(), &self.item.id])
    }

    /// Draws one of several things, the same for a record every time.
    pub(super) fn pick<'a, T>(&self, things: &'a [T], what: &str) -> &'a T {
        pick(things, &[what, self.experiment, self.player.key, &self.run.to_string(), &self.item.id])
    }

    /// Whether this record is answered right: what a backbone finds hard is the same in every run and
    /// experiment, what it stumbles over is not.
    fn is_right(&self, direct: bool) -> bool {
        let item = self.item;
        let level = ["low", "medium", "high"].iter().position(|level| *level == item.difficulty).unwrap_or(1);
        let chance = if item.set == "traps" { self.player.wary } else { self.player.skill[level] };
        let chance = if direct { chance * 0.93 } else { chance };
        // What was derived from a problem is about as hard as the problem, but not exactly.
        let own = draw(&["hard", self.player.backbone, &item.id]);
        let inherited = item.parent.as_deref().map_or(own, |parent| draw(&["hard", self.player.backbone, parent]));
        let hard = match item.set {
            "numeric" => 0.45 * inherited + 0.55 * own + 0.10,
            "paraphrase" => 0.60 * inherited + 0.40 * own + 0.06,
            "mcq" => 0.40 * inherited + 0.60 * own,
            _ => own,
        };
        let steady = hard < chance;
        if self.draw("stumble") < 0.05 { !steady } else { steady }
    }

    /// The course of a record that nobody laid down.
    pub(super) fn play(&self, direct: bool) -> Play {
        let programs = &self.item.programs;
        let luck = self.draw("how");
        if self.is_right(direct) {
            return match luck {
                _ if luck < 0.07 && programs.rescaled.is_some() => Play::Rescaled,
                _ if direct => Play::Right,
                _ if luck < 0.11 && !self.item.renamed.is_empty() => Play::Renamed,
                _ if luck < 0.14 => Play::Bare,
                _ if luck < 0.20 => Play::Retry,
                _ => Play::Right,
            };
        }
        if programs.shortcut.is_some() && luck < 0.70 {
            return Play::Shortcut;
        }
        match luck {
            _ if luck < 0.30 && programs.near.is_some() => Play::Near,
            _ if direct => Play::Mistake,
            _ if luck < 0.38 && programs.echo.is_some() => Play::Echo,
            _ if luck > 0.98 => Play::Empty,
            _ if luck > 0.95 => Play::Words,
            _ if luck > 0.92 => Play::NotANumber,
            _ => Play::Mistake,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = NAMES.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(named("residue"), Some(Play::Residue));
        assert_eq!(named("other"), None);
    }
}
