//! What every statistic keeps, the core's and the packs' own, tested over the whole registry: new ones get
//! these tests for nothing.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::corpus::{Choice, Problem, Shortcut};
use crate::json::Value;
use crate::statistics::fixture::{Fixture, problem, variant};
use crate::statistics::{Estimate, Fact, Output, Statistic, find};

#[test]
fn ids_and_other_slugs_are_unique_and_kebab_case() {
    let mut seen = BTreeSet::new();
    for about in super::statistics().iter().map(|statistic| statistic.about()) {
        for slug in [about.id].iter().chain(about.also) {
            assert!(seen.insert(*slug), "{slug} stands for two statistics");
            assert!(slug.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'), "{slug}");
        }
    }
}

#[test]
fn every_format_and_grader_has_a_name_of_its_own_and_is_found_by_it() {
    let names = |ids: Vec<&'static str>| {
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(unique.len(), ids.len(), "{ids:?}");
        assert!(ids.iter().all(|id| id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')));
    };
    names(super::formats().ids());
    names(super::graders().0.iter().map(|grader| grader.id()).collect());
    for format in super::formats().0 {
        let about = format.about();
        assert!(super::formats().find(format.id()).is_some());
        assert!(![about.title, about.reads, about.cannot_check].contains(&""), "{}", format.id());
    }
    for grader in super::graders().0 {
        let lenses = grader.lenses();
        assert!(super::graders().find(grader.id()).is_some());
        assert!([lenses.reference, lenses.strict].iter().all(|text| text.ends_with('.')), "{}", grader.id());
    }
}

#[test]
fn every_definition_is_complete() {
    for about in super::statistics().iter().map(|statistic| statistic.about()) {
        let texts = [
            ("title", about.title),
            ("unit", about.unit),
            ("meaning", about.meaning),
            ("formula", about.formula),
            ("source", about.source),
            ("edge_cases", about.edge_cases),
            ("example", about.example),
        ];
        for (name, text) in texts {
            assert!(!text.trim().is_empty(), "{}: {name} is empty", about.id);
            assert!(!text.contains("  "), "{}: {name} holds a run of blanks", about.id);
        }
        assert!(!about.measures.is_empty(), "{} has no measures", about.id);
        let texts = about.measures.iter().copied().chain(about.keys.iter().map(|key| (key.key, key.meaning)));
        for (name, meaning) in texts {
            assert!(!name.is_empty() && !meaning.is_empty(), "{}: {name:?} is not explained", about.id);
        }
    }
}

#[test]
fn every_place_is_a_measure_that_exists() {
    let mut places = 0;
    for statistic in super::statistics() {
        let about = statistic.about();
        for place in statistic.orders() {
            places += 1;
            assert!(about.measures.iter().any(|(measure, _)| measure == place), "{} has no {place}", about.id);
        }
    }
    assert!(places > 3, "{places} places are declared");
}

#[test]
fn every_word_stands_for_a_measure_that_exists() {
    let known: Vec<_> = super::statistics().iter().map(|statistic| statistic.about()).collect();
    let objections = crate::claims::words::check_words(&super::words(), &known);
    assert!(objections.is_empty(), "{objections:#?}");
}

/// A study in which every kind of set and outcome occurs; `letters` are used up one by one.
fn study(letters: &[char]) -> Fixture {
    let levels = ["low", "medium", "high"];
    let core = |i: usize| problem(&format!("p{i}"), ["x", "y"][i % 2], levels[i % 3], 1 + i % 3);
    let numeric = (0..6).map(|i| variant(&format!("v{i}"), &format!("p{}", i / 2), 1 + i % 2));
    let paraphrase = (0..6).map(|i| variant(&format!("w{i}"), &format!("p{}", i / 2), 1 + i % 2));
    let trap = |i: usize| {
        let mut trap = variant(&format!("trap_{i}"), &format!("p{i}"), 1);
        trap.shortcut = Some(Shortcut {
            family: ["sign", "regime"][i % 2].into(),
            words: "forgets a factor".into(),
            program: None,
            values: vec![("1".into(), 2.0)],
            separation: Some(1.0),
        });
        trap
    };
    let instance = |i: usize| {
        let text = |text: &str| Value::Text(text.to_owned());
        let audit = [("flag", ["both", "one"][i % 2]), ("k2_solve", ["REVIEW", "PASS_K2"][i % 2])];
        let audit = audit.into_iter().map(|(name, word)| (name.to_owned(), text(word))).collect();
        let extra = [("audit".to_owned(), Value::Object(audit))].into_iter().collect();
        let choice = Choice { template: format!("t{}", i / 2).into(), options: Vec::new(), key: None };
        Problem {
            choice: Some(choice),
            extra: Value::Object(extra),
            ..problem(&format!("m{i}"), "z", "low", 1 + i % 2)
        }
    };
    let mut study = Fixture::new(&[("a", "A", false), ("a-r", "A", true), ("b", "B", false), ("-off", "C", false)])
        .set("core", "problems", None, (0..8).map(core).collect())
        .set("numeric", "numeric-variants", Some("core"), numeric.collect())
        .set("paraphrase", "paraphrase-variants", Some("core"), paraphrase.collect())
        .set("traps", "traps", Some("core"), (0..3).map(trap).collect())
        .set("soil", "other-domain", None, (0..3).map(|i| problem(&format!("s{i}"), "z", "low", 1)).collect())
        .set("mcq", "multiple-choice", None, (0..4).map(instance).collect())
        .experiment("core_code", "core", "code", 3)
        .experiment("core_direct", "core", "direct", 3)
        .experiment("numeric_code", "numeric", "code", 3)
        .experiment("paraphrase_code", "paraphrase", "code", 3)
        .experiment("trap", "traps", "code", 3)
        .experiment("soil_code", "soil", "code", 1)
        .experiment("mcq_code", "mcq", "code", 1)
        .experiment("mcq_option", "mcq", "option", 1);
    study.order("difficulty", &levels);
    let plan = [
        ("core_code", 8, 3),
        ("core_direct", 8, 3),
        ("numeric_code", 6, 3),
        ("paraphrase_code", 6, 3),
        ("trap", 3, 3),
        ("soil_code", 3, 1),
        ("mcq_code", 4, 1),
        ("mcq_option", 4, 1),
    ];
    let mut letters = letters.iter().copied().cycle();
    for (experiment, problems, runs) in plan {
        for key in ["a", "a-r", "b", "off"] {
            for number in 1..=runs {
                let outcome: String = letters.by_ref().take(problems).collect();
                // One word stands for a run that was never archived.
                if !outcome.starts_with("--") {
                    study = study.run(experiment, key, number, &outcome);
                }
            }
        }
    }
    study
}

fn facts_are_documented(output: &Output, statistic: &dyn Statistic) {
    let about = statistic.about();
    for fact in &output.facts {
        assert_eq!(fact.statistic, about.id);
        assert!(about.measures.iter().any(|(name, _)| *name == fact.measure), "{}: measure {}", about.id, fact.measure);
        for key in fact.keys.keys() {
            assert!(about.keys.iter().any(|doc| doc.key == key), "{}: key {key}", about.id);
        }
        if let Estimate::Value { value, count, interval } = &fact.estimate {
            assert!(value.is_finite(), "{fact:?}");
            assert!(count.is_none_or(|(k, n)| k <= n), "{fact:?}");
            assert!(interval.is_none_or(|around| around.low <= around.high), "{fact:?}");
        }
    }
    let mut seen = BTreeSet::new();
    for Fact { measure, keys, basis, .. } in &output.facts {
        assert!(seen.insert((measure, keys, basis)), "{}: two facts {measure} {keys:?}", about.id);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn facts_are_documented_finite_and_unique(letters in prop::collection::vec(prop::sample::select(vec!['P', 'P', 'P', 'F', 'U', 'E', '-']), 1..200)) {
        let study = study(&letters);
        for statistic in super::statistics() {
            facts_are_documented(&study.compute(statistic), statistic);
        }
    }

    #[test]
    fn the_number_of_threads_does_not_matter(letters in prop::collection::vec(prop::sample::select(vec!['P', 'P', 'F', 'U']), 1..50)) {
        let study = study(&letters);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| super::compute_all(&study.evidence()))
        };
        let (one, four) = (with(1), with(4));
        prop_assert_eq!(one.facts, four.facts);
        prop_assert_eq!(one.tables, four.tables);
    }
}

#[test]
fn without_runs_there_are_reasons_zeros_and_what_the_benchmark_files_say() {
    let (all_pass, all_fail) = (study(&['P']), study(&['F']));
    let mut none = study(&['P']);
    none.archive.runs.clear();
    for statistic in super::statistics() {
        let output = none.compute(statistic);
        facts_are_documented(&output, statistic);
        let others = [&all_pass, &all_fail].map(|study| study.compute(statistic).facts);
        for fact in &output.facts {
            // A value without any run is nothing, or no record has a say in it.
            let independent = || others.iter().all(|facts| facts.contains(fact));
            match &fact.estimate {
                Estimate::Undefined(reason) => assert!(!reason.is_empty(), "{fact:?}"),
                Estimate::Value { value, .. } => assert!(*value == 0.0 || independent(), "{fact:?}"),
            }
        }
    }
}

#[test]
fn nothing_at_all_gives_no_value_and_no_panic() {
    let study = Fixture::new(&[]);
    for statistic in super::statistics() {
        let output = study.compute(statistic);
        facts_are_documented(&output, statistic);
        let values = output.facts.iter().filter(|fact| fact.estimate.point().is_some_and(|value| value != 0.0));
        assert_eq!(values.count(), 0, "{}", statistic.about().id);
    }
}

#[test]
fn a_study_may_list_what_it_wants() {
    let mut study = study(&['P', 'F']);
    study.study.statistics = vec!["nestedness".into()];
    let output = super::compute_all(&study.evidence());
    assert!(!output.facts.is_empty() && output.facts.iter().all(|fact| fact.statistic == "nestedness"));
    assert_eq!(find(&super::statistics(), "run-flip").map(|statistic| statistic.about().id), Some("pass-at-k"));
    assert!(find(&super::statistics(), "no-such-thing").is_none());
}

#[test]
fn ids_of_packs_and_addresses_of_pages_are_unique() {
    let mut seen = BTreeSet::new();
    for pack in super::ALL {
        assert!(seen.insert(pack.id), "{} stands for two packs", pack.id);
        assert!(pack.id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", pack.id);
    }
    let mut seen = BTreeSet::new();
    for page in super::registry().pages.iter().filter(|page| page.entry().is_some()) {
        assert!(seen.insert(page.section()), "two pages at {}", page.section());
    }
}

#[test]
fn every_profile_is_a_sound_declaration() {
    use crate::world::memory::Memory;
    for (name, text) in super::profiles() {
        let study = crate::study::load(name, text).unwrap();
        let asked = !study.sets.is_empty() && !study.experiments.is_empty();
        assert!(asked || !study.files.is_empty(), "{name}");
        // Written out as a `study.toml`, it is the same declaration.
        let written = Memory::default().with(crate::study::MANIFEST, crate::study::init(&study));
        assert_eq!(super::recognise(&written).unwrap().study, study, "{name}");
    }
}

#[test]
fn every_binding_reads_and_every_expression_parses() {
    let bindings = super::bindings();
    let dialects: BTreeSet<&str> = bindings.iter().map(|(dialect, _)| *dialect).collect();
    for dialect in dialects {
        let objections = crate::claims::check_bindings(dialect, &bindings);
        assert!(objections.is_empty(), "{}", objections.join("\n"));
    }
}

#[test]
fn templates_of_pages_escape_what_is_not_markup() {
    for page in &super::registry().pages {
        let (name, text) = page.template();
        assert_eq!(crate::site::templates::raw_fields(text), Vec::<&str>::new(), "{name}");
    }
}
