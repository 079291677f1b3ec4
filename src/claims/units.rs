//! Units of printed numbers: which there are, and what range their values have.

/// Units that ledgers of the own format may name. Units of measurement stand for values of problems.
const KNOWN: &[&str] = &[
    "percent", "points", "count", "ratio", "fraction", "p", "rho", "tau", "r", "kappa", "z", "t", "df", "rank",
    "tokens", "tokens_k", "tokens_M", "seconds", "attempts", "chars", "lines", "bytes", "value", "holds", "GB",
    "orders",
];

/// True for a unit that the own format knows. A unit of measurement is written after `value:` (`value:km`).
pub(super) fn is_known(unit: &str) -> bool {
    KNOWN.contains(&unit) || unit.strip_prefix("value:").is_some_and(|rest| !rest.is_empty())
}

/// Values that a unit allows at all, where it has bounds. In the own format `percent` is a share, and
/// differences are `points`; other catalogues write relative changes in percent too.
pub(super) fn bounds(unit: &str, shares: bool) -> Option<(f64, f64)> {
    match unit {
        "percent" if shares => Some((0.0, 100.0)),
        "p" | "P" | "fraction" | "probability" | "AUC" => Some((0.0, 1.0)),
        "rho" | "tau" | "r" | "kappa" => Some((-1.0, 1.0)),
        "count" | "rank" | "tokens" | "tokens_k" | "tokens_M" | "chars" | "lines" | "bytes" => {
            Some((0.0, f64::INFINITY))
        }
        _ => None,
    }
}

/// True when the unit counts whole things.
pub(super) fn is_whole(unit: &str) -> bool {
    matches!(unit, "count" | "rank" | "chars" | "lines" | "bytes")
}
