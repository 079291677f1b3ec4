//! What labels, strata and comparisons must satisfy.

use std::collections::{BTreeMap, BTreeSet};

use super::{Arm, Comparison, Objection, Study};

/// Names that facts use for other things than labels of experiments.
const RESERVED: [&str; 10] =
    ["set", "model", "run", "problem", "category", "difficulty", "family", "comparison", "condition", "measure"];

/// Objections to them.
pub(super) fn check(study: &Study) -> Vec<Objection> {
    let mut list = Vec::new();
    told_apart(study, &mut list);
    mains(study, &mut list);
    comparisons(study, &mut list);
    choices(study, &mut list);
    list
}

fn objection(key: impl Into<String>, message: impl Into<String>, remedy: &str) -> Objection {
    Objection { key: key.into(), line: None, message: message.into(), remedy: remedy.to_owned() }
}

/// Facts are known by the set and the labels of their experiment: two experiments that share both would give two
/// values under one name, and a claim would fit whichever comes first.
fn told_apart(study: &Study, list: &mut Vec<Objection>) {
    let mut seen: BTreeMap<Vec<(&str, &str)>, &str> = BTreeMap::new();
    for (at, experiment) in study.experiments.iter().enumerate() {
        for name in experiment.labels.keys().filter(|name| RESERVED.contains(&name.as_str())) {
            let message = format!("a label cannot be called {name:?}: facts use that name for something else");
            list.push(objection(format!("experiment[{at}].labels.{name}"), message, "Give it another name."));
        }
        let mut keys = vec![("set", experiment.set.as_str())];
        keys.extend(experiment.distinguishing());
        if let Some(first) = seen.insert(keys, experiment.id.as_str()) {
            list.push(objection(
                format!("experiment[{at}]"),
                format!(
                    "{} and {first} ask the same set in the same way, so their numbers would have one name",
                    experiment.id
                ),
                "Tell them apart by a label, or by `condition`.",
            ));
        }
    }
}

fn mains(study: &Study, list: &mut Vec<Objection>) {
    let mains = study.experiments.iter().enumerate().filter(|(_, experiment)| experiment.main);
    for (at, _) in mains.skip(1) {
        let message = "is a second main experiment";
        list.push(objection(format!("experiment[{at}].main"), message, "The leaderboard shows one."));
    }
}

fn choices(study: &Study, list: &mut Vec<Objection>) {
    let choices = &study.choices;
    let sound = |tolerance: &f64| (0.0..=1.0).contains(tolerance) && *tolerance > 0.0;
    if !choices.tolerances.iter().all(sound) {
        list.push(objection(
            "choices.tolerances",
            "holds a number that is no relative tolerance",
            "Use fractions up to 1.",
        ));
    }
    if !choices.tolerance_factors.iter().all(|factor| factor.is_finite() && *factor > 0.0) {
        list.push(objection("choices.tolerance-factors", "holds a number that is no factor", "Use numbers above 0."));
    }
    if choices.most == 0 {
        list.push(objection("choices.most", "is 0", "Name how many combinations may be computed."));
    }
    for set in choices.flagged_problems.keys().filter(|set| study.set(set).is_none()) {
        let message = format!("no set is called {set}");
        list.push(objection("choices.flagged-problems", message, "Declare it, or correct the id."));
    }
    for name in choices.reasons.keys().filter(|name| !super::choices::NAMES.contains(&name.as_str())) {
        let message = format!("no choice is called {name}");
        let remedy = format!("Choices: {}.", super::choices::NAMES.join(", "));
        list.push(objection("choices.reasons", message, &remedy));
    }
}

fn comparisons(study: &Study, list: &mut Vec<Objection>) {
    let mut seen = BTreeSet::new();
    for (at, comparison) in study.comparisons.iter().enumerate() {
        let Comparison { id, before, after, .. } = comparison;
        let key = format!("comparison[{at}]");
        if id.is_empty() || !seen.insert(id) {
            let message = if id.is_empty() { "is empty".to_owned() } else { format!("{id:?} is declared twice") };
            list.push(objection(format!("{key}.id"), message, "Give each comparison a name of its own."));
        }
        for (side, arm) in [("before", before), ("after", after)] {
            arms(study, &format!("{key}.{side}"), arm, list);
        }
        if before == after {
            list.push(objection(&key, "compares an arm with itself", "Change one of the arms."));
        }
        if before.configuration.is_some() != after.configuration.is_some() {
            let message = "names a configuration in one arm only";
            list.push(objection(&key, message, "Name one in both, or in none."));
        }
    }
}

fn arms(study: &Study, key: &str, arm: &Arm, list: &mut Vec<Objection>) {
    if study.experiment(arm.experiment.as_str()).is_none() {
        let message = format!("no experiment is called {}", arm.experiment);
        list.push(objection(format!("{key}.experiment"), message, "Declare it, or correct the id."));
    }
    if let Some(name) = arm.configuration.as_ref().filter(|key| study.configuration(key.as_str()).is_none()) {
        let message = format!("no configuration is called {name}");
        list.push(objection(format!("{key}.configuration"), message, "Declare it, or correct the key."));
    }
    let known = |judge: &String| study.judges.iter().any(|declared| declared.id == *judge);
    if let Some(judge) = arm.judge.as_ref().filter(|judge| !study.judges.is_empty() && !known(judge)) {
        list.push(objection(
            format!("{key}.judge"),
            format!("no judge is called {judge}"),
            "Declare it, or correct the id.",
        ));
    }
}

#[cfg(test)]
mod tests {
    use crate::study::manifest;

    const LEAST: &str = "[study]\nid = 'a'\ntitle = 'A'\nversion = '1'\ndate = '2026'\ndescription = 'x'\n\
                         licence = 'MIT'\nauthors = [{ family = 'B' }]\n[grading]\ntolerance = 0.05\n\
                         [[set]]\nid = 's'\ntitle = 'S'\nkind = 'problems'\npath = 's.json'\n\
                         [[experiment]]\nid = 'e'\nfolder = 'e'\nset = 's'\nprotocol = 'code'\nruns = 1\n";

    fn objections(more: &str) -> Vec<String> {
        let read = manifest::parse(&format!("{LEAST}{more}"));
        read.err().unwrap_or_default().into_iter().map(|o| o.to_string()).collect()
    }

    #[test]
    fn two_experiments_must_be_told_apart() {
        let second = "[[experiment]]\nid = 'f'\nfolder = 'f'\nset = 's'\nruns = 1\n";
        let found = objections(&format!("{second}protocol = 'code'\n"));
        assert!(found.len() == 1 && found[0].contains("line 22") && found[0].contains("f and e ask"), "{found:?}");
        for own in ["protocol = 'direct'\n", "protocol = 'code'\ncondition = 'short'\n", "labels = { prompt = 'x' }\n"]
        {
            assert!(objections(&format!("{second}{own}")).is_empty(), "{own}");
        }
        assert!(objections(&format!("{second}labels = {{ model = 'x' }}\n"))[0].contains("cannot be called"));
    }

    #[test]
    fn choices_name_what_is_declared() {
        assert!(
            objections("[choices]\ntolerances = [0.1]\nreasons = { runs = 'few' }\nflagged-problems = { s = ['x'] }\n")
                .is_empty()
        );
        for (wrong, said) in [
            ("tolerances = [0.0]", "no relative tolerance"),
            ("tolerance-factors = [-1.0]", "no factor"),
            ("most = 0", "is 0"),
            ("flagged-problems = { t = ['x'] }", "no set is called t"),
            ("reasons = { lenses = 'x' }", "no choice is called lenses"),
        ] {
            let found = objections(&format!("[choices]\n{wrong}\n"));
            assert!(found.len() == 1 && found[0].contains(said), "{found:?}");
        }
    }

    #[test]
    fn arms_name_what_is_declared() {
        let comparison = |arms: &str| objections(&format!("[[comparison]]\nid = 'c'\ntitle = 'C'\n{arms}"));
        let found = comparison("before = { experiment = 'e' }\nafter = { experiment = 'x' }\n");
        assert!(found.len() == 1 && found[0].contains("no experiment is called x"), "{found:?}");
        assert!(comparison("before = { experiment = 'e' }\nafter = { experiment = 'e' }\n")[0].contains("with itself"));
        assert!(
            comparison("before = { experiment = 'e', run = 1 }\nafter = { experiment = 'e', run = 2 }\n").is_empty()
        );
    }
}
