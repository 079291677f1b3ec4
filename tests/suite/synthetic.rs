//! A small complete archive in the upstream layout, written by the generator beside the repository, read
//! and recomputed once for all tests that look at it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use repro::json::Value;
use repro::packs::{compute_all, recognise};
use repro::statistics::readings::{Counting, measure};
use repro::statistics::{Evidence, Facts, Output};
use repro::table::Table;
use repro::verify::Ladder;
use repro::world::Silent;
use repro::world::disk::Folder;
use repro::{archive, corpus};

use crate::opened::Opened;
use crate::shared::{parse, shared};

/// The synthetic archive with its statistics.
pub(crate) struct Synthetic {
    pub(crate) root: PathBuf,
    pub(crate) facts: Facts,
    pub(crate) tables: Vec<Table>,
}

/// The synthetic archive. Tests that ask for it are ignored without `has_shared` and `has_python3`.
pub(crate) fn synthetic() -> &'static Synthetic {
    static SYNTHETIC: OnceLock<Synthetic> = OnceLock::new();
    SYNTHETIC.get_or_init(|| open(&write()))
}

/// Writes the archive below the build folder, where it stays until a clean build.
fn write() -> PathBuf {
    let (tool, benchmark) = (shared("tools/synth_archive.py"), shared("atmoscoder/benchmark"));
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("synthetic-small-7");
    if root.join("synth_manifest.json").exists() {
        return root;
    }
    let _ = std::fs::remove_dir_all(&root);
    let mut command = Command::new("python3");
    command.arg(tool).arg("--benchmark").arg(benchmark).arg("--out").arg(&root);
    let done = command.args(["--seed", "7", "--scale", "small"]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    root
}

fn open(root: &Path) -> Synthetic {
    let source = Folder::new(root).unwrap();
    let study = recognise(&source).unwrap().study;
    let (corpus, _) = corpus::read(&source, &study);
    let (archive, readings, _) = archive::read(&source, &study, &Silent, &|run, record, texts| {
        measure(&study, run, record, texts, Counting { tokens: true })
    })
    .unwrap();
    let opened = Opened { study, corpus, archive, ledger: Ladder::default(), published: BTreeMap::new() };
    let Output { facts, tables, .. } = compute_all(&Evidence { readings: &readings, ..opened.evidence() });
    Synthetic { root: root.to_owned(), facts: Facts::new(facts), tables }
}

impl Synthetic {
    /// A JSON file of the archive as a tree, past every reader of this tool but the JSON one.
    pub(crate) fn json(&self, path: &str) -> Option<Value> {
        Some(parse(&std::fs::read_to_string(self.root.join(path)).ok()?))
    }

    /// Records of a run file by id.
    pub(crate) fn run(&self, path: &str) -> Option<BTreeMap<String, Value>> {
        let file = self.json(&format!("experiments/{path}.json"))?;
        let records = file.get("results")?.as_list()?.iter();
        Some(records.map(|record| (text(record, "id"), record.clone())).collect())
    }

    /// Value of a fact; `None` when it is undefined.
    pub(crate) fn value(&self, statistic: &str, measure: &str, keys: &[(&str, &str)]) -> Option<f64> {
        let fact = self.facts.get(statistic, measure, keys);
        fact.unwrap_or_else(|| panic!("no fact {statistic}.{measure} {keys:?}")).estimate.point()
    }
}

/// A text member; empty when there is none.
pub(crate) fn text(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_text).unwrap_or_default().to_owned()
}
