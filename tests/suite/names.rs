//! Names that pages, bindings and profiles ask for, against what statistics and declarations define.
//!
//! A page looks a fact up by id and measure; a name that nobody defines would be a dash for ever. The names
//! are read from the sources, so one that no example study reaches is checked too.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// Defined statistics: id with its measures, and every other slug that leads to one.
struct Defined {
    measures: BTreeMap<&'static str, BTreeSet<&'static str>>,
    slugs: BTreeSet<&'static str>,
}

fn defined() -> Defined {
    let mut defined = Defined { measures: BTreeMap::new(), slugs: BTreeSet::new() };
    for statistic in repro::packs::statistics() {
        let about = statistic.about();
        let measures: BTreeSet<&str> = about.measures.iter().map(|(measure, _)| *measure).collect();
        defined.measures.insert(about.id, measures);
        defined.slugs.insert(about.id);
        defined.slugs.extend(about.also);
    }
    defined
}

/// All files below a folder with an ending.
fn files(folder: &Path, ending: &str, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files(&entry, ending, into);
        } else if entry.extension().is_some_and(|found| found == ending) {
            into.push(entry);
        }
    }
}

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Sources of pages, without their tests.
fn pages() -> Vec<(PathBuf, String)> {
    let mut paths = Vec::new();
    for folder in ["src/site", "src/figures", "src/packs"] {
        files(&root(folder), "rs", &mut paths);
    }
    let of_page = |path: &PathBuf| {
        let path = path.to_string_lossy();
        !path.contains("/statistics/") && !path.ends_with("tests.rs")
    };
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
        (path, code)
    };
    paths.into_iter().filter(of_page).map(read).collect()
}

#[test]
fn every_statistic_and_measure_that_a_page_asks_for_exists() {
    let defined = defined();
    let lookup = Regex::new(
        r#"\b(point|cell|interval|fact|get|exact|select|[a-z]+_cell|to_fact)\(\s*(?:[a-z]+,\s*)?"([a-z0-9-]+)",\s*(?:"([a-z0-9-]+)")?"#,
    )
    .unwrap();
    let constant = Regex::new(r#"const STATISTIC: &str = ("[a-z0-9-]+");"#).unwrap();
    let listed =
        Regex::new(r"(?:of_statistics\(\s*\w+,\s*|tables_of\(\s*|STATISTICS: &\[&str\] =\s*)&\[([^\]]*)\]").unwrap();
    let quoted = Regex::new(r#""([^"]+)""#).unwrap();
    let (mut dead, mut seen) = (Vec::new(), 0);
    for (path, code) in pages() {
        // A page about one statistic names it once.
        let code = match constant.captures(&code) {
            Some(named) => code.replace("STATISTIC,", &format!("{},", &named[1])),
            None => code,
        };
        for found in lookup.captures_iter(&code) {
            // A file's own function of that name asks for something else.
            let name = &found[1];
            if [format!("let {name} = |"), format!("fn {name}(")].iter().any(|own| code.contains(own.as_str())) {
                continue;
            }
            seen += 1;
            let (id, measure) = (found.get(2).unwrap().as_str(), found.get(3).map(|measure| measure.as_str()));
            match defined.measures.get(id) {
                None => dead.push(format!("{}: no statistic {id}", path.display())),
                Some(known) if measure.is_some_and(|measure| !known.contains(measure)) => {
                    dead.push(format!("{}: {id} has no measure {measure:?}", path.display()));
                }
                Some(_) => {}
            }
        }
        for list in listed.captures_iter(&code) {
            for id in quoted.captures_iter(list.get(1).unwrap().as_str()) {
                seen += 1;
                let id = id.get(1).unwrap().as_str();
                if !defined.slugs.contains(id) {
                    dead.push(format!("{}: no statistic answers to {id}", path.display()));
                }
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
    assert!(seen > 60, "{seen} names were found: the patterns miss how pages ask");
}

#[test]
fn every_fact_that_the_words_of_documents_lead_to_exists() {
    let defined = defined();
    let fact = Regex::new(r#"of = "([a-z0-9-]+)\.([a-z0-9-]+)""#).unwrap();
    let mut files_of_words = Vec::new();
    files(&root("src/claims/words"), "toml", &mut files_of_words);
    files(&root("src/packs"), "toml", &mut files_of_words);
    let (mut dead, mut seen) = (Vec::new(), 0);
    for path in files_of_words.into_iter().filter(|path| path.to_string_lossy().contains("words")) {
        let text = fs::read_to_string(&path).unwrap();
        for found in fact.captures_iter(&text) {
            seen += 1;
            if !defined.measures.get(&found[1]).is_some_and(|known| known.contains(&found[2])) {
                dead.push(format!("{}: no fact {}.{}", path.display(), &found[1], &found[2]));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
    assert!(seen > 60, "{seen} facts were found: the pattern misses how words lead to them");
}

#[test]
fn every_statistic_measure_and_experiment_that_a_binding_names_exists() {
    let defined = defined();
    let fact = Regex::new(r"(?:^|[^:\w.-])([a-z][a-z0-9-]*)\.([a-z][a-z0-9-]*)\{").unwrap();
    let needed = Regex::new(r"(?m)^experiments = \[([^\]]*)\]").unwrap();
    let quoted = Regex::new(r#""([^"]+)""#).unwrap();
    let experiment = Regex::new(r#"(?m)^\[\[experiment\]\]\s+id = "([^"]+)""#).unwrap();
    let (mut dead, mut seen) = (Vec::new(), 0);
    for pack in fs::read_dir(root("src/packs")).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        let mut bindings = Vec::new();
        files(&pack, "toml", &mut bindings);
        let profile = fs::read_to_string(pack.join("profile.toml")).unwrap_or_default();
        let experiments: BTreeSet<&str> =
            experiment.captures_iter(&profile).map(|found| found.get(1).unwrap().as_str()).collect();
        for path in bindings.into_iter().filter(|path| path.to_string_lossy().contains("bindings")) {
            let text = fs::read_to_string(&path).unwrap();
            for found in fact.captures_iter(&text) {
                seen += 1;
                let (id, measure) = (found.get(1).unwrap().as_str(), found.get(2).unwrap().as_str());
                if !defined.measures.get(id).is_some_and(|known| known.contains(measure)) {
                    dead.push(format!("{}: no fact {id}.{measure}", path.display()));
                }
            }
            for list in needed.captures_iter(&text) {
                for id in quoted.captures_iter(list.get(1).unwrap().as_str()) {
                    let id = id.get(1).unwrap().as_str();
                    if !experiments.contains(id) {
                        dead.push(format!("{}: no experiment {id}", path.display()));
                    }
                }
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
    assert!(seen > 300, "{seen} facts were found: the pattern misses how bindings ask");
}
