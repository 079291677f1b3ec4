//! One configuration before another, or at a place of its own.

use super::line::{Piece, find};
use super::select::{concepts, select};
use super::{Clause, Plain};

/// Verbs between two configurations: `true` where the first is ahead.
const PAIRWISE: &[(&str, bool)] = &[
    ("leads", true),
    ("outperforms", true),
    ("outperformed", true),
    ("beats", true),
    ("surpasses", true),
    ("is ahead of", true),
    ("is better than", true),
    ("does better than", true),
    ("is stronger than", true),
    ("is more accurate than", true),
    ("scores higher than", true),
    ("ranks above", true),
    ("performs better than", true),
    ("is superior to", true),
    ("edges out", true),
    ("exceeds", true),
    ("is above", true),
    ("trails", false),
    ("is behind", false),
    ("falls behind", false),
    ("lags behind", false),
    ("is worse than", false),
    ("does worse than", false),
    ("is weaker than", false),
    ("is less accurate than", false),
    ("scores lower than", false),
    ("ranks below", false),
    ("performs worse than", false),
    ("is inferior to", false),
];

/// A place in an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// From the top, 1 for the first.
    Top(u8),
    /// The last.
    Last,
}

/// What is said of one configuration alone.
const PLACES: &[(&str, Place)] = &[
    ("ranks first", Place::Top(1)),
    ("comes first", Place::Top(1)),
    ("is first", Place::Top(1)),
    ("is best", Place::Top(1)),
    ("is the best", Place::Top(1)),
    ("is strongest", Place::Top(1)),
    ("is the strongest", Place::Top(1)),
    ("is most accurate", Place::Top(1)),
    ("is the most accurate", Place::Top(1)),
    ("leads the leaderboard", Place::Top(1)),
    ("leads the field", Place::Top(1)),
    ("tops the leaderboard", Place::Top(1)),
    ("has the highest", Place::Top(1)),
    ("reaches the highest", Place::Top(1)),
    ("ranks second", Place::Top(2)),
    ("comes second", Place::Top(2)),
    ("is second", Place::Top(2)),
    ("ranks third", Place::Top(3)),
    ("comes third", Place::Top(3)),
    ("ranks fourth", Place::Top(4)),
    ("ranks fifth", Place::Top(5)),
    ("ranks sixth", Place::Top(6)),
    ("ranks seventh", Place::Top(7)),
    ("ranks eighth", Place::Top(8)),
    ("ranks ninth", Place::Top(9)),
    ("ranks tenth", Place::Top(10)),
    ("achieves the highest", Place::Top(1)),
    ("attains the highest", Place::Top(1)),
    ("obtains the highest", Place::Top(1)),
    ("performs best", Place::Top(1)),
    ("takes first place", Place::Top(1)),
    ("performs worst", Place::Last),
    ("achieves the lowest", Place::Last),
    ("reaches the lowest", Place::Last),
    ("ranks last", Place::Last),
    ("comes last", Place::Last),
    ("is last", Place::Last),
    ("is weakest", Place::Last),
    ("is the weakest", Place::Last),
    ("is worst", Place::Last),
    ("is the worst", Place::Last),
    ("has the lowest", Place::Last),
];

/// The same said the other way round: `the strongest configuration is A`.
const TURNED: &[(&str, Place)] = &[
    ("the best configuration is", Place::Top(1)),
    ("the best model is", Place::Top(1)),
    ("the best system is", Place::Top(1)),
    ("the top model is", Place::Top(1)),
    ("the leading model is", Place::Top(1)),
    ("the strongest configuration is", Place::Top(1)),
    ("the strongest model is", Place::Top(1)),
    ("the most accurate configuration is", Place::Top(1)),
    ("the most accurate model is", Place::Top(1)),
    ("the weakest configuration is", Place::Last),
    ("the weakest model is", Place::Last),
    ("the worst configuration is", Place::Last),
    ("the worst model is", Place::Last),
    ("the worst system is", Place::Last),
];

/// Reads a clause as an order.
pub(super) fn read(clause: &Clause<'_>) -> Option<Plain> {
    let models: Vec<(usize, &str)> =
        clause.row.iter().enumerate().filter_map(|(at, piece)| Some((at, piece.model.as_deref()?))).collect();
    match models.as_slice() {
        [(first, a), (second, b)] if a != b => {
            let (at, length, ahead) = find(&clause.row[*first + 1..*second], PAIRWISE)?;
            let verb = first + 1 + at..first + 1 + at + length;
            clause.is_understood(&[(verb.start, verb.end)]).then_some(())?;
            let (larger, smaller) = if ahead { (*a, *b) } else { (*b, *a) };
            let wanted = concepts(clause, &[(verb.start, verb.end)], Some(super::DEFAULT));
            let all = select(clause.chooser, &clause.scene, &wanted, &[("model", "*")], &["model"]);
            let pair = |own: &super::select::Selected| {
                format!("{} > {}", own.with(&[("model", larger)]), own.with(&[("model", smaller)]))
            };
            Some(Plain::of("order", &all, pair, clause.text(verb.start, verb.end)))
        }
        [(at, model)] => placed(clause, *at, model),
        _ => None,
    }
}

fn placed(clause: &Clause<'_>, model_at: usize, model: &str) -> Option<Plain> {
    let behind = &clause.row[model_at + 1..];
    let told = find(behind, PLACES).map(|(at, length, place)| (model_at + 1 + at, length, place));
    let turned = || find(&clause.row[..model_at], TURNED).filter(|(at, length, _)| at + length == model_at);
    let (at, length, place) = told.or_else(turned)?;
    clause.is_understood(&[(at, at + length)]).then_some(())?;
    // `is best of three runs`, `is the best on six problems`: a number restricts what is ordered.
    let counts = |piece: &Piece| piece.number.is_some();
    if clause.row.iter().any(counts) {
        return None;
    }
    let wanted = concepts(clause, &[(at, at + length)], Some(super::DEFAULT));
    let all = select(clause.chooser, &clause.scene, &wanted, &[("model", "*")], &["model"]);
    let text = |own: &super::select::Selected| match place {
        Place::Top(place) => format!("rank({}, model=\"{model}\") = {place}", own.text()),
        Place::Last => format!("count({} < {}) = 0", own.text(), own.with(&[("model", model)])),
    };
    Some(Plain::of("order", &all, text, clause.text(at, at + length)))
}
