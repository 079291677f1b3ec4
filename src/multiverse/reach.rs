//! Which choices reach a conclusion, and how it fares under their combinations.

use std::collections::BTreeMap;

use super::choice::{Choice, Setting};
use super::space::{Combination, Space, made};
use super::survival::{BySetting, Counted};
use crate::digest::Digest;

/// One judged combination of one conclusion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Seen {
    pub(super) holds: Option<bool>,
    pub(super) support: Digest,
}

impl Seen {
    /// Nothing to see.
    pub(super) fn nothing() -> Self {
        Self { holds: None, support: Digest::of(b"") }
    }
}

/// What was found for every combination.
pub(super) type Found<'a> = BTreeMap<&'a [u8], Seen>;

/// Which settings reach something.
///
/// A setting reaches a conclusion when, alone or together with one other choice, it changes a value that the
/// conclusion rests on. One that does not is no test of it: its combinations would only repeat others and are not
/// counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reach {
    /// By axis, whether what the study did (always) and each setting counts.
    pub(super) kept: Vec<Vec<bool>>,
    /// Choices none of whose settings reaches it.
    not_reached: Vec<Choice>,
    /// Settings under which it is not asked.
    cannot_be_asked: Vec<String>,
}

impl Reach {
    /// Looks at combinations of at most two settings. `about` are settings that leave out what it is about.
    pub(super) fn of(
        space: &Space,
        pairs: &[Combination],
        found: &Found<'_>,
        about: &dyn Fn(&Setting) -> bool,
    ) -> Self {
        let mut reach = Self { kept: Vec::new(), not_reached: Vec::new(), cannot_be_asked: Vec::new() };
        for (axis, own) in space.axes.iter().enumerate() {
            let mut kept = vec![true];
            let mut touched = false;
            for (number, setting) in own.settings.iter().enumerate() {
                let with: Vec<(Seen, Seen)> = pairs
                    .iter()
                    .filter(|combination| usize::from(combination[axis]) == number + 1)
                    .map(|combination| {
                        let mut without = combination.clone();
                        without[axis] = 0;
                        (found[&combination[..]], found[&without[..]])
                    })
                    .collect();
                let reached = with.iter().any(|(with, without)| with.support != without.support);
                // What can never be computed under it, and can without it, is about what the setting takes away.
                let lost = with.iter().all(|(with, _)| with.holds.is_none())
                    && with.iter().any(|(_, without)| without.holds.is_some());
                let unasked = reached && (about(setting) || lost);
                if unasked {
                    reach.cannot_be_asked.push(setting.id());
                }
                touched |= reached;
                kept.push(reached && !unasked);
            }
            if !touched {
                reach.not_reached.push(own.choice);
            }
            reach.kept.push(kept);
        }
        reach
    }

    /// The combinations that count: all of the settings that reach it, when they are not more than `most`; else
    /// those of at most two. Says whether they are all.
    pub(super) fn combinations(&self, space: &Space, pairs: &[Combination], most: usize) -> (Vec<Combination>, bool) {
        if let Some(all) = space.product(&self.kept, most) {
            return (all, true);
        }
        let counts = |own: &&Combination| own.iter().zip(&self.kept).all(|(at, kept)| kept[usize::from(*at)]);
        (pairs.iter().filter(counts).cloned().collect(), false)
    }

    /// Counts over the combinations that count; the first of them is what the study did.
    pub(super) fn count(self, space: &Space, all: &[Combination], found: &Found<'_>) -> Counted {
        let holds = |combination: &[u8]| found[combination].holds;
        let number = |wanted: Option<bool>| all.iter().filter(|own| holds(own) == wanted).count();
        let as_done = all.first().and_then(|first| holds(first));
        let turned = |own: &[u8]| as_done.is_some() && holds(own).is_some_and(|now| Some(now) != as_done);
        let mut counted = Counted {
            of: all.len(),
            holds: number(Some(true)),
            fails: number(Some(false)),
            open: number(None),
            not_reached: self.not_reached,
            cannot_be_asked: self.cannot_be_asked,
            ..Counted::default()
        };
        for (axis, own) in space.axes.iter().enumerate() {
            for (number, setting) in own.settings.iter().enumerate().filter(|(at, _)| self.kept[axis][at + 1]) {
                let with = || all.iter().filter(|own| usize::from(own[axis]) == number + 1);
                let holds = with().filter(|own| holds(own) == Some(true)).count();
                counted.by_setting.push(BySetting { setting: setting.id(), holds, of: with().count() });
            }
        }
        let ids = |own: &Combination| space.settings(own).map(Setting::id).collect::<Vec<String>>();
        counted.alone = all.iter().filter(|own| made(own) == 1 && turned(own)).flat_map(ids).collect();
        for pair in all.iter().filter(|own| made(own) == 2 && turned(own)).map(ids) {
            if let Ok(pair) = <[String; 2]>::try_from(pair)
                && pair.iter().all(|setting| !counted.alone.contains(setting))
            {
                counted.together.push(pair);
            }
        }
        counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Reduce;

    fn seen(holds: Option<bool>, support: u8) -> Seen {
        Seen { holds, support: Digest::of(&[support]) }
    }

    /// Runs: any, all; run 1 left out; the strict lens.
    fn space() -> Space {
        Space::new([
            Setting::StrictLens,
            Setting::WithoutRun(1),
            Setting::Combined(Reduce::Any),
            Setting::Combined(Reduce::All),
        ])
    }

    fn counted(space: &Space, judge: impl Fn(&[u8]) -> Seen) -> Counted {
        let pairs = space.up_to_two();
        let full: Vec<Vec<bool>> = space.axes.iter().map(|axis| vec![true; axis.settings.len() + 1]).collect();
        let all = space.product(&full, 1000).unwrap();
        let found: Found<'_> = all.iter().map(|own| (&own[..], judge(own))).collect();
        let reach = Reach::of(space, &pairs, &found, &|_| false);
        let (combinations, complete) = reach.combinations(space, &pairs, 1000);
        assert!(complete);
        reach.count(space, &combinations, &found)
    }

    #[test]
    fn what_moves_nothing_is_not_counted_and_what_breaks_is_named() {
        // The lens moves nothing. `all` breaks it alone; `any` breaks it only without run 1.
        let counted = counted(&space(), |c| match (c[1], c[2]) {
            (_, 2) => seen(Some(false), 10 + c[1]),
            (1, 1) => seen(Some(false), 3),
            (without, any) => seen(Some(true), without + 2 * any),
        });
        assert_eq!((counted.of, counted.holds, counted.fails, counted.open), (6, 3, 3, 0));
        assert_eq!(counted.not_reached, [Choice::Lens]);
        assert_eq!(counted.alone, ["runs=all"]);
        assert_eq!(counted.together, [["run=without-1".to_owned(), "runs=any".to_owned()]]);
        let run = counted.by_setting.iter().find(|by| by.setting == "run=without-1").unwrap();
        assert_eq!((run.holds, run.of), (1, 3));
    }

    #[test]
    fn a_choice_that_reaches_only_together_with_another_is_counted() {
        // The lens matters only where any run solves.
        let counted = counted(&space(), |c| seen(Some(true), c[1] + 2 * c[2] + if c[2] == 1 { 100 * c[0] } else { 0 }));
        assert_eq!((counted.of, counted.holds), (12, 12));
        assert!(counted.not_reached.is_empty());
    }

    #[test]
    fn three_choices_that_act_only_together_are_seen_where_all_are_computed() {
        let space = Space::new([Setting::StrictLens, Setting::WithoutRun(1), Setting::WithoutFlagged]);
        let judge = |c: &[u8]| if made(c) == 3 { seen(Some(false), 9) } else { seen(Some(true), 0) };
        let every = space.every(8).unwrap();
        let found: Found<'_> = every.iter().map(|own| (&own[..], judge(own))).collect();
        let reach = Reach::of(&space, &every, &found, &|_| false);
        let (combinations, complete) = reach.combinations(&space, &every, 8);
        let counted = reach.count(&space, &combinations, &found);
        assert!(complete && counted.not_reached.is_empty());
        assert_eq!((counted.of, counted.holds, counted.fails), (8, 7, 1));
    }

    #[test]
    fn what_a_setting_takes_away_is_not_asked_without_it() {
        let space = Space::new([Setting::WithoutRun(1), Setting::WithoutFlagged]);
        // Without run 1 nothing can be computed.
        let counted = counted(&space, |c| if c[1] == 1 { seen(None, 9) } else { seen(Some(true), c[0]) });
        assert_eq!((counted.of, counted.holds), (2, 2));
        assert_eq!(counted.cannot_be_asked, ["run=without-1"]);
        assert!(counted.not_reached.is_empty());
    }

    #[test]
    fn what_does_not_hold_can_be_mended() {
        let counted = counted(&Space::new([Setting::ErrorsFail]), |c| seen(Some(c[0] == 1), c[0]));
        assert_eq!((counted.holds, counted.fails), (1, 1));
        assert_eq!(counted.alone, ["errors=failures"]);
    }
}
