//! How many of its rewordings of a problem are solved: all, some, none.

use super::states::State;
use crate::packs::atmoscoder::family::Family;
use crate::statistics::tally::Tally;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// See [`ABOUT`].
pub(crate) struct ParaphraseSpectrum;

static ABOUT: About = About {
    id: "paraphrase-spectrum",
    also: &[],
    title: "Spectrum of solved rewordings",
    unit: "percent",
    meaning: "Whether rewording changes outcomes one way or the other: parents with all rewordings solved, with \
              none, and with a mixed outcome. A mixed outcome can also come from chance between runs, so it is \
              compared with the share of originals that flip between runs.",
    formula: "s = majority-solved rewordings of a parent with k rewordings. all5 = 100 × #(s = k) / n, none5 = 100 × \
              #(s = 0) / n, mixed = 100 × #(0 < s < k) / n; ratio = mixed / run-flip, where run-flip = percent of \
              the originals solved in some but not in all runs.",
    source: "Rule paraphrase-spectrum of the study.",
    edge_cases: "Needs runs of the rewordings; undefined otherwise, and for configurations that do not pass the \
                 completeness gate. The ratio is undefined when no original flips.",
    example: "436 parents: 409 with all five, 6 with none, 21 mixed (4.8 %); 21 originals flip between runs (4.8 %): \
              ratio 1.00.",
    keys: &[
        KeyDoc { key: "family", meaning: "`paraphrase`" },
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "solved", meaning: "s, for the spectrum" },
    ],
    measures: &[
        ("all5", "percent of parents with all rewordings solved"),
        ("none5", "percent with none solved"),
        ("mixed", "percent with some but not all solved"),
        ("ratio", "mixed over run-flip"),
        ("spectrum", "parents with exactly s rewordings solved"),
    ],
};

impl Statistic for ParaphraseSpectrum {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        const MEASURES: [&str; 4] = ["all5", "none5", "mixed", "ratio"];
        let mut out = Output::default();
        let family = Family::Paraphrase;
        if evidence.family_set(family).is_none() {
            return out;
        }
        let layout = evidence.layout(family);
        for configuration in evidence.leaderboard() {
            let keys = [("family", family.as_str()), ("model", configuration.key.as_str())];
            let sides = layout.as_ref().map_err(Clone::clone).and_then(|layout| {
                let sides = layout.sides(configuration.key.as_str())?;
                Ok((layout.states(sides), run_flip(sides.core, layout)))
            });
            let (states, flips) = match sides {
                Ok(sides) => sides,
                Err(reason) => {
                    for measure in MEASURES {
                        out.fact(ABOUT.id, measure, &keys, Estimate::undefined(reason.clone()), Basis::Records);
                    }
                    continue;
                }
            };
            spectrum(&mut out, &states, flips, keys);
        }
        out
    }
}

fn spectrum(out: &mut Output, states: &[State], flips: usize, keys: [(&str, &str); 2]) {
    let n = states.len();
    let count = |test: fn(usize, usize) -> bool| {
        states.iter().filter(|s| s.solved.is_some_and(|(solved, all)| test(solved, all))).count()
    };
    let mixed = count(|solved, all| 0 < solved && solved < all);
    let ratio = match flips {
        0 => Estimate::undefined("no original flips between runs"),
        flips => Estimate::value(mixed as f64 / flips as f64),
    };
    out.on(ABOUT.id, Basis::Records, &keys)
        .put("all5", Estimate::percent(count(|solved, all| solved == all), n))
        .put("none5", Estimate::percent(count(|solved, _| solved == 0), n))
        .put("mixed", Estimate::percent(mixed, n))
        .put("ratio", ratio);
    let most = states.iter().filter_map(|s| Some(s.solved?.1)).max().unwrap_or(0);
    for solved in 0..=most {
        let parents = states.iter().filter(|s| s.solved.is_some_and(|(k, _)| k == solved)).count();
        let solved = solved.to_string();
        let keys = [keys[0], keys[1], ("solved", solved.as_str())];
        out.fact(ABOUT.id, "spectrum", &keys, Estimate::count(parents), Basis::Records);
    }
}

/// Originals solved in some but not all runs, over the parents of the family.
fn run_flip(core: &Tally<'_>, layout: &super::layout::Layout<'_>) -> usize {
    let flips = |at: usize| (1..core.runs.len()).contains(&core.passes(at));
    layout.parents.iter().filter(|parent| flips(parent.core)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem, variant};

    #[test]
    fn all_none_mixed_and_the_ratio_to_chance() {
        let parents = ["p", "q", "r", "s"];
        let words = parents.iter().flat_map(|p| (1..=2).map(move |n| variant(&format!("{p}{n}"), p, n))).collect();
        let mut study = Fixture::new(&[("a", "A", false)])
            .set("core", "problems", None, parents.map(|id| problem(id, "c", "low", 1)).into())
            .set("words", "paraphrase-variants", Some("core"), words)
            .experiment("core_code", "core", "code", 3)
            .experiment("words_code", "words", "code", 3);
        for (run, core, words) in [(1, "PPFF", "PPPFFFPP"), (2, "PPFP", "PPPFFFFP"), (3, "PPFF", "FPPFFFPF")] {
            study = study.run("core_code", "a", run, core).run("words_code", "a", run, words);
        }
        let facts = Facts::new(study.compute(&ParaphraseSpectrum).facts);
        let value = |measure: &str, more: &[(&str, &str)]| {
            let keys: Vec<_> =
                [("family", "paraphrase"), ("model", "a")].into_iter().chain(more.iter().copied()).collect();
            facts.get("paraphrase-spectrum", measure, &keys).unwrap().estimate.clone()
        };
        assert_eq!(value("all5", &[]), Estimate::percent(2, 4));
        assert_eq!(value("none5", &[]), Estimate::percent(1, 4));
        assert_eq!(value("mixed", &[]), Estimate::percent(1, 4));
        // One original (s) flips.
        assert_eq!(value("ratio", &[]).point(), Some(1.0));
        assert_eq!(value("spectrum", &[("solved", "2")]), Estimate::count(2));
    }
}
