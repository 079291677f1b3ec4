//! The layering and the walls between libraries, read from the source files themselves.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Modules by layer, as in ARCHITECTURE.md. A module may use modules of its own layer only where the
/// second table says so, and any module of a layer above it.
const LAYERS: &[&[&str]] = &[
    &["digest", "id", "json", "markup", "number", "report", "slug", "tree", "world"],
    &["study", "corpus", "archive", "change_ledger", "table"],
    &["estimate", "formats", "grade", "engine", "syntax"],
    &["verify"],
    &["export", "statistics", "metadata", "documents"],
    &["claims"],
    &["audits", "multiverse"],
    &["issues"],
    &["figures", "diff", "review", "site"],
    &["bundle", "demo", "packs"],
    &["pipeline"],
    &["cli"],
];

/// Uses inside one layer that are part of the design.
const NEIGHBOURS: &[(&str, &[&str])] = &[
    ("json", &["number"]),
    ("report", &["json", "world"]),
    ("slug", &["digest"]),
    ("world", &["digest", "json", "tree"]),
    ("corpus", &["study"]),
    ("archive", &["study", "corpus"]),
    ("site", &["figures", "diff", "review"]),
    ("grade", &["syntax"]),
    ("engine", &["syntax"]),
];

/// A library and the only places that may name it.
const WALLS: &[(&str, &[&str])] = &[
    ("polars", &["table/"]),
    ("plotters", &["figures/canvas.rs"]),
    ("tera", &["site/templates.rs"]),
    ("zip", &["bundle/"]),
    ("rustpython_vm", &["engine/"]),
    ("rustpython_stdlib", &["engine/"]),
    ("rustpython_pylib", &["engine/"]),
    ("ruff_python_parser", &["syntax/"]),
    ("ruff_python_ast", &["syntax/"]),
    ("html5gum", &["documents/"]),
    ("pdf_extract", &["documents/pdf/"]),
    ("toml_edit", &["claims/"]),
    ("landlock", &["engine/"]),
    ("seccompiler", &["engine/"]),
    ("indicatif", &["cli/"]),
    ("clap", &["cli/"]),
    ("http", &["cli/serve/"]),
    ("httparse", &["cli/serve/"]),
    ("tokio", &["cli/serve/"]),
    ("spdx", &["study/licence.rs"]),
    ("strsim", &["report/nearest.rs"]),
    ("caseless", &["bundle/container/names.rs", "formats/inspect/rules.rs"]),
    ("miette", &["cli/"]),
];

/// No file is longer than this; a longer one has more than one subject.
const LONGEST: usize = 700;

fn sources() -> Vec<(String, String)> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &["rs"])
}

/// Every file below a folder with one of these extensions: path from there, and text.
fn files(root: &Path, extensions: &[&str]) -> Vec<(String, String)> {
    fn walk(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
        let mut children: Vec<_> = fs::read_dir(folder).unwrap().map(|child| child.unwrap().path()).collect();
        children.sort();
        for child in children {
            let extension = child.extension().and_then(|extension| extension.to_str()).map(str::to_owned);
            if child.is_dir() {
                walk(&child, extensions, found);
            } else if extension.is_some_and(|extension| extensions.contains(&extension.as_str())) {
                found.push(child);
            }
        }
    }
    let mut found = Vec::new();
    walk(root, extensions, &mut found);
    let relative = |path: &PathBuf| path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
    found.iter().map(|path| (relative(path), fs::read_to_string(path).unwrap())).collect()
}

fn module_of(path: &str) -> &str {
    path.split(['/', '.']).next().unwrap_or(path)
}

fn layers() -> BTreeMap<&'static str, usize> {
    LAYERS.iter().enumerate().flat_map(|(layer, modules)| modules.iter().map(move |&module| (module, layer))).collect()
}

/// Code without comments, strings of other modules' names in prose do not count.
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
}

/// Names after `crate::`, also inside one-line and multi-line braces of a `use crate::{...}`.
fn used_modules(text: &str) -> Vec<String> {
    let code: String = code_lines(text).collect::<Vec<_>>().join("\n");
    let mut found = Vec::new();
    for (position, _) in code.match_indices("crate::") {
        let after = &code[position + "crate::".len()..];
        let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        if let Some(group) = after.strip_prefix('{') {
            let group = group.split(';').next().unwrap_or("");
            let mut depth = 0;
            for part in group.split_inclusive(['{', '}', ',']) {
                if depth == 0 {
                    found.push(name(part.trim_start()));
                }
                depth += i32::from(part.ends_with('{')) - i32::from(part.ends_with('}'));
            }
        } else {
            found.push(name(after));
        }
    }
    found.retain(|module| !module.is_empty());
    found
}

#[test]
fn every_module_has_a_layer_and_uses_only_those_above() {
    let layers = layers();
    let mut faults = Vec::new();
    for (path, text) in sources() {
        let module = module_of(&path);
        if matches!(module, "lib" | "main") {
            continue;
        }
        let Some(&layer) = layers.get(module) else {
            faults.push(format!("{path}: module {module} has no layer"));
            continue;
        };
        for used in used_modules(&text) {
            let neighbours = NEIGHBOURS.iter().find(|(name, _)| *name == module).map_or(&[][..], |(_, list)| list);
            let allowed = match layers.get(used.as_str()) {
                None => true,
                Some(_) if used == module => true,
                Some(&other) => other < layer || (other == layer && neighbours.contains(&used.as_str())),
            };
            if !allowed {
                faults.push(format!("{path} uses crate::{used}"));
            }
        }
    }
    assert!(faults.is_empty(), "layering broken:\n{}", faults.join("\n"));
}

/// Only what puts the chain together may name packs; everything else takes what they register as values.
const ASSEMBLY: [&str; 4] = ["packs", "pipeline", "cli", "lib"];

#[test]
fn the_core_imports_no_pack() {
    let core = |path: &str| !ASSEMBLY.contains(&module_of(path));
    let named = |text: &str| used_modules(text).iter().any(|module| module == "packs") || text.contains("packs/");
    let faults: Vec<String> =
        sources().into_iter().filter(|(path, text)| core(path) && named(text)).map(|(path, _)| path).collect();
    assert!(faults.is_empty(), "the core names packs: {faults:?}");
}

/// Words of single studies, which the core does not know: as parts of words, and as words of their own.
const STUDY_PARTS: [&str; 8] = ["atmoscoder", "paraphrase", "mcq", "scaffold", "scicode", "kelvin_", "qwen", "gpt55"];
const STUDY_WORDS: [&str; 2] = ["trap", "traps"];

#[test]
fn the_core_holds_no_word_of_a_study() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    for (path, text) in files(&root, &["rs", "toml"]) {
        if path.starts_with("packs/") || path.starts_with("demo/") {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let line = line.to_lowercase();
            let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let found = STUDY_PARTS.iter().find(|part| line.contains(**part));
            let found = found.or_else(|| words.clone().find_map(|word| STUDY_WORDS.iter().find(|own| **own == word)));
            faults.extend(found.map(|word| format!("{path}:{}: {word}", number + 1)));
        }
    }
    assert!(faults.is_empty(), "words of single studies in the core:\n{}", faults.join("\n"));
}

/// Tables of the core are named by what they hold; numbers of figures are those of one paper.
#[test]
fn tables_of_the_core_have_no_number_of_a_figure() {
    let mut faults = Vec::new();
    for (path, text) in sources() {
        if path.starts_with("packs/") || path.starts_with("demo/") {
            continue;
        }
        for after in code_lines(&text).flat_map(|line| line.split("Table::new(\"").skip(1).collect::<Vec<_>>()) {
            let id = after.split('"').next().unwrap_or_default();
            let first = id.split('_').next().unwrap_or_default();
            let numbered = first.starts_with(['F', 'T', 'S']) && first.len() > 1;
            faults.extend(numbered.then(|| format!("{path}: {id}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn each_library_stays_behind_its_wall() {
    let mut faults = Vec::new();
    for (path, text) in sources() {
        for (library, places) in WALLS {
            let named = code_lines(&text).any(|line| {
                [format!("use {library}::"), format!(" {library}::"), format!("({library}::"), format!("<{library}::")]
                    .iter()
                    .any(|use_| line.contains(use_.as_str()))
            });
            if named && !places.iter().any(|place| path.starts_with(place)) {
                faults.push(format!("{path} names {library}"));
            }
        }
        let starts = code_lines(&text).any(|line| line.contains("process::Command"));
        if starts && !path.starts_with("engine/") {
            faults.push(format!("{path} starts a process"));
        }
    }
    assert!(faults.is_empty(), "walls broken:\n{}", faults.join("\n"));
}

#[test]
fn unsafe_code_lives_in_one_file_of_the_engine() {
    let allowing: Vec<String> = sources()
        .into_iter()
        .filter(|(_, text)| code_lines(text).any(|line| line.contains("unsafe {") || line.contains("unsafe fn")))
        .map(|(path, _)| path)
        .collect();
    assert!(allowing.len() <= 1, "unsafe in {allowing:?}");
    assert!(allowing.iter().all(|path| path.starts_with("engine/")), "unsafe in {allowing:?}");
}

#[test]
fn files_have_one_subject_and_say_which() {
    let mut faults = Vec::new();
    for (path, text) in sources() {
        if text.lines().count() > LONGEST {
            faults.push(format!("{path} has {} lines", text.lines().count()));
        }
        if !text.starts_with("//!") {
            faults.push(format!("{path} does not begin with what it is"));
        }
        let name = path.rsplit('/').next().unwrap_or(&path);
        if ["utils.rs", "helpers.rs", "common.rs", "core.rs", "imp.rs", "manager.rs"].contains(&name) {
            faults.push(format!("{path} has a name that says nothing"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_reader_of_uses_sees_every_form() {
    let text = "use crate::a::B;\nuse crate::{b, c::{D, E}, f};\n// crate::comment\nlet x = crate::g::h();";
    assert_eq!(used_modules(text), ["a", "b", "c", "f", "g"]);
}

#[test]
fn what_only_one_kernel_has_is_asked_of_that_kernel_only() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let of_target = |target: &str| {
        let table = manifest["target"].get(target).and_then(|target| target.get("dependencies"));
        table.and_then(toml::Value::as_table).unwrap_or_else(|| panic!("no dependencies of {target}"))
    };
    let linux = of_target("cfg(target_os = \"linux\")");
    let everywhere = manifest["dependencies"].as_table().unwrap();
    for (name, files) in [("landlock", "engine/sandbox/files.rs"), ("seccompiler", "engine/sandbox/syscalls.rs")] {
        assert!(linux.contains_key(name) && !everywhere.contains_key(name), "{name} is asked of every system");
        for (path, text) in sources() {
            let named = code_lines(&text).any(|line| line.contains(&format!("{name}::")));
            assert!(!named || path == files, "{path} uses {name}, which only {files} may");
        }
    }
    assert!(of_target("cfg(unix)").contains_key("nix") && !everywhere.contains_key("nix"));
}
