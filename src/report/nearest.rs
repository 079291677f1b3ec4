//! The name that was probably meant.

/// The candidate nearest to a name that is not among them, when it is near enough to be a slip of the
/// fingers: at most a third of its characters (two of five), and at least one, inserted, deleted, replaced or swapped with
/// their neighbour (Damerau 1964), with case ignored. The first of equally near ones in the order of the
/// candidates.
///
/// ```
/// use repro::report::nearest;
/// assert_eq!(nearest("alfa", ["alpha", "beta"]), Some("alpha"));
/// assert_eq!(nearest("gamma-7", ["alpha", "beta"]), None);
/// ```
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let wanted = name.to_lowercase();
    let length = wanted.chars().count();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = strsim::damerau_levenshtein(&wanted, &candidate.to_lowercase());
        let most = ((length.max(candidate.chars().count()) + 1) / 3).max(1);
        if distance <= most && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// `; did you mean X?` for a name with a near candidate, else nothing.
pub fn did_you_mean<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> String {
    nearest(name, candidates).map_or_else(String::new, |near| format!("; did you mean {near}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_seen_and_other_words_are_not() {
        let known = ["constructed-a", "constructed-b", "tier-gap", "license"];
        assert_eq!(nearest("constructd-a", known), Some("constructed-a"));
        assert_eq!(nearest("Constructed-B", known), Some("constructed-b"));
        assert_eq!(nearest("tier-gpa", known), Some("tier-gap"));
        assert_eq!(nearest("licence", known), Some("license"));
        assert_eq!(nearest("x", ["y", "long"]), Some("y"));
        assert_eq!(nearest("zzz", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(did_you_mean("tier-gab", known), "; did you mean tier-gap?");
        assert_eq!(did_you_mean("zzz", known), "");
    }
}
