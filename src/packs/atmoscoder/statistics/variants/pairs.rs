//! Discordant pairs of one family: how many parents were lost and gained.

use super::layout::FAMILIES;
use crate::packs::atmoscoder::family::Family;
use crate::statistics::pairing::Counts;
use crate::statistics::{Basis, Evidence};
use crate::study::Configuration;
use crate::table::read_csv;

/// Counts of one family by configuration of the leaderboard, in declared order.
#[derive(Debug, Clone)]
pub(crate) struct FamilyPairs<'a> {
    /// The family.
    pub(crate) family: Family,
    /// Where the counts come from.
    pub(crate) basis: Basis,
    /// Counts, or why there are none.
    pub(crate) rows: Vec<(&'a Configuration, Result<Counts, String>)>,
}

impl<'a> FamilyPairs<'a> {
    /// Configurations with counts.
    pub(crate) fn known(&self) -> impl Iterator<Item = (&'a Configuration, Counts)> {
        self.rows.iter().filter_map(|(c, pairs)| Some((*c, *pairs.as_ref().ok()?)))
    }

    /// Keys of every fact of this family.
    pub(crate) fn keys<'k>(&self, c: &'k Configuration) -> [(&'k str, &'k str); 2] {
        [("family", self.family.as_str()), ("model", c.key.as_str())]
    }
}

impl<'a> Evidence<'a> {
    /// Counts of both families; a family that the study does not have is left out.
    pub(crate) fn pairs(&self) -> Vec<FamilyPairs<'a>> {
        FAMILIES.into_iter().filter_map(|family| self.pairs_of(family)).collect()
    }

    fn pairs_of(&self, family: Family) -> Option<FamilyPairs<'a>> {
        self.family_set(family)?;
        let missing = match self.states(family) {
            Ok(states) => {
                let count =
                    |states: &Vec<super::states::State>| states.iter().map(|s| (s.core, s.held)).collect::<Counts>();
                let row = |(c, states): &(&'a Configuration, Result<Vec<_>, String>)| {
                    let some =
                        |states: &Vec<_>| if states.is_empty() { Err("no parents".into()) } else { Ok(count(states)) };
                    (*c, states.as_ref().map_err(Clone::clone).and_then(some))
                };
                let rows = states.rows.iter().map(row).collect();
                return Some(FamilyPairs { family, basis: states.basis, rows });
            }
            Err(missing) => missing,
        };
        let printed = |c: &Configuration| match self.published.get("F6_2_forest") {
            Some(text) => from_printed(text, c, family).map_err(|fault| format!("{missing}, and F6_2_forest: {fault}")),
            None => Err(missing.clone()),
        };
        let rows: Vec<_> = self.leaderboard().map(|c| (c, printed(c))).collect();
        let basis = if rows.iter().any(|(_, pairs)| pairs.is_ok()) { Basis::Published } else { Basis::Records };
        Some(FamilyPairs { family, basis, rows })
    }

    /// Originals solved of all originals, from records, where the counts of a family come from the published
    /// table and its number of parents is that of all originals: then every original is a parent.
    pub(crate) fn whole_core(&self, pairs: &FamilyPairs<'_>, c: &Configuration) -> Option<(usize, usize)> {
        if pairs.basis != Basis::Published {
            return None;
        }
        let parents = pairs.known().next()?.1.pairs();
        let (_, core) = self.family_experiments(pairs.family)?;
        let board = self.board(core);
        let tally = board.tallies.iter().find(|tally| tally.key == c.key.as_str())?;
        if board.problems.len() != parents || tally.flawless().is_err() {
            return None;
        }
        Some(((0..parents).filter(|&at| tally.solves(at)).count(), parents))
    }
}

/// Counts behind a row of the published table of tests: the difference gives `b - c`, the width of the
/// interval `b + c`, and the printed P must be the one that these counts have.
fn from_printed(text: &str, c: &Configuration, family: Family) -> Result<Counts, String> {
    let (header, rows) = read_csv(text).map_err(|fault| fault.to_string())?;
    let column = |name: &str| header.iter().position(|column| column == name).ok_or(format!("no column {name}"));
    let (model, of) = (column("model")?, column("family")?);
    let row = rows.iter().find(|row| row[model] == c.name && row[of] == family.as_str()).ok_or("no row")?;
    let number = |name: &str| -> Result<f64, String> {
        let cell = &row[column(name)?];
        cell.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| format!("{name} is {cell:?}"))
    };
    let (n, core, p) = (number("n_parents")?, number("core_pct")?, number("mcnemar_p")?);
    if n < 1.0 || n.fract() != 0.0 {
        return Err(format!("n_parents is {n}"));
    }
    let difference = (number("delta_pt")? * n / 100.0).round();
    let se = (number("ci_hi_pt")? - number("ci_lo_pt")?) / (2.0 * 100.0 * 1.96);
    let sum = se * se * n * n + difference * difference / n;
    // Of the whole numbers with the parity of b - c the nearest one.
    let sum = 2.0 * ((sum - difference.abs()) / 2.0).round().max(0.0) + difference.abs();
    let (lost, gained) = (f64::midpoint(sum, difference), f64::midpoint(sum, -difference));
    let core = (core * n / 100.0).round();
    if lost > core || gained > n - core {
        return Err(format!("{lost} lost and {gained} gained do not fit {core} solved of {n}"));
    }
    let pairs = Counts {
        both: (core - lost) as usize,
        lost: lost as usize,
        gained: gained as usize,
        neither: (n - core - gained) as usize,
    };
    let own = pairs.p().to_f64();
    if (own - p).abs() > 1e-12 {
        return Err(format!("{lost} lost and {gained} gained have p = {own}, printed is {p}"));
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::variants::states::tests::small;
    use crate::statistics::fixture::Fixture;

    const HEADER: &str = "model,family,n_parents,core_pct,variant_pct,delta_pt,ci_lo_pt,ci_hi_pt,mcnemar_p,p_holm\n";

    #[test]
    fn counts_from_states() {
        let study = small();
        let pairs = study.evidence().pairs();
        assert_eq!(pairs.len(), 1);
        let counts: Vec<_> = pairs[0].known().map(|(_, pairs)| pairs).collect();
        assert_eq!(counts[0], Counts { both: 0, lost: 1, gained: 1, neither: 0 });
        assert_eq!(counts[1], Counts { both: 2, lost: 0, gained: 0, neither: 0 });
        assert_eq!((counts[0].loss(), counts[0].p().to_f64(), counts[1].wald().high), (0.0, 1.0, 0.0));
    }

    #[test]
    fn printed_rows_give_back_their_counts() {
        let mut study = Fixture::new(&[("a", "A", false), ("b", "B", false), ("c", "C", false)]).set(
            "words",
            "paraphrase-variants",
            Some("core"),
            Vec::new(),
        );
        // A real row (9 lost, 1 gained), one with a P of other counts, and no row for the third.
        let rows = "Model a,paraphrase,436,98.6,96.8,1.83,0.29,3.38,0.03857421875,0.5786\n\
                    Model b,paraphrase,436,98.6,96.8,1.83,0.29,3.38,0.021484375,0.3\n";
        study.published.insert("F6_2_forest".into(), format!("{HEADER}{rows}"));
        let pairs = &study.evidence().pairs()[0];
        assert_eq!(pairs.basis, Basis::Published);
        let found = pairs.rows[0].1.clone().unwrap();
        assert_eq!(found, Counts { both: 420, lost: 10, gained: 2, neither: 4 });
        let fault = pairs.rows[1].1.clone().unwrap_err();
        assert!(fault.ends_with("10 lost and 2 gained have p = 0.03857421875, printed is 0.021484375"), "{fault}");
        assert!(pairs.rows[2].1.clone().unwrap_err().ends_with("no row"));
    }
}
