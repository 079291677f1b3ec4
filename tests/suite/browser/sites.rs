//! Rendered sites on the disk, and the tool's own server in front of them.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use repro::id::{ProblemId, SetId};
use repro::site::Options;
use repro::tree::Tree;
use repro::verify::{Difference, SolverVerdict};
use repro::world::disk::{Folder, write_tree};
use repro::world::memory::Memory;

use crate::site::Loaded;
use crate::site::{hostile, odd};

/// A rendered version in a folder.
pub(crate) struct Site {
    folder: PathBuf,
}

/// The example study, compared with a copy of it that was edited.
pub(crate) fn example() -> &'static Site {
    static SITE: OnceLock<Site> = OnceLock::new();
    SITE.get_or_init(|| {
        let source = Folder::new(&Path::new(env!("CARGO_MANIFEST_DIR")).join("results/weather-demo")).unwrap();
        let mut earlier = Loaded::read(&source);
        let record = &mut earlier.archive.runs[0].records[0];
        record.passed = record.passed.map(|passed| !passed);
        earlier.corpus.sets[0].problems[1].statement.push_str(" (as it was)");
        let mut loaded = Loaded::read(&source);
        let executed: Vec<SolverVerdict> =
            loaded.corpus.sets.iter().flat_map(|set| set.problems.iter().map(|p| solver(&set.id, &p.id))).collect();
        loaded.ledger.solvers = executed;
        Site::write("example", &loaded.render_against(&earlier).tree)
    })
}

/// A made-up verdict with as much to say as one can have.
fn solver(set: &SetId, id: &ProblemId) -> SolverVerdict {
    SolverVerdict {
        set: set.clone(),
        id: id.clone(),
        shortcut: false,
        agrees: id.as_str().len().is_multiple_of(2),
        engine: "embedded".to_owned(),
        status: "ok".to_owned(),
        difference: Difference::Relative(1.0 / 3.0),
        as_printed: true,
        by_position: 2,
        by_unit: 1,
        accepted: None,
        message: Some("made up for this test, with a_name_that_cannot_be_broken_anywhere_at_all(x)".to_owned()),
    }
}

/// The study in which every name and text is an attack.
pub(crate) fn attack() -> &'static Site {
    static SITE: OnceLock<Site> = OnceLock::new();
    SITE.get_or_init(|| Site::write("attack", &Loaded::read(&hostile::study()).render(Options::default()).tree))
}

/// A study with three hundred claims of one source; the last forty differ.
pub(crate) fn many_claims() -> &'static Site {
    static SITE: OnceLock<Site> = OnceLock::new();
    SITE.get_or_init(|| {
        let claim = |number: usize| {
            serde_json::json!({
                "id": format!("c-{number:03}"), "area": "totals", "statement": "The number of problems.",
                "source": "paper.md", "value": if number < 260 { "1" } else { "2" }, "unit": "count",
                "from": "corpus-count.n{set=core}"
            })
        };
        let claims: Vec<_> = (0..300).map(claim).collect();
        let ledger = serde_json::json!({"format": "repro-claims/1", "claim": claims}).to_string().into_bytes();
        let study = odd::study(&[("only", "only-file")], "x");
        let loaded = Loaded::read_with(&study, &[("many.json", ledger)]);
        Site::write("many-claims", &loaded.render(Options::default()).tree)
    })
}

impl Site {
    /// Two folders deep, so that a link to the root of the host leaves the site.
    fn write(name: &str, tree: &Tree) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser").join(name).join("user/repo");
        write_tree(&folder, tree, &Memory::default()).unwrap();
        Self { folder }
    }

    /// Address of a page on the disk.
    pub(crate) fn on_disk(&self, page: &str) -> String {
        format!("file://{}/{page}", self.folder.display())
    }

    /// Every page, in order.
    pub(crate) fn pages(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![self.folder.clone()];
        while let Some(here) = open.pop() {
            for child in std::fs::read_dir(&here).unwrap() {
                let path = child.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|extension| extension == "html") {
                    found.push(path.strip_prefix(&self.folder).unwrap().to_string_lossy().into_owned());
                }
            }
        }
        found.sort();
        found
    }

    /// Every page that stands alone, and the first of each kind of which there are many.
    pub(crate) fn kinds(&self) -> Vec<String> {
        let mut seen = std::collections::BTreeSet::new();
        let kind = |page: &str| match page.strip_suffix("/index.html") {
            Some(_) => page.to_owned(),
            None => page.split('/').next().unwrap_or_default().to_owned(),
        };
        self.pages().into_iter().filter(|page| seen.insert(kind(page))).collect()
    }

    /// Serves it below `/user/repo/`.
    pub(crate) fn serve(&self) -> Served {
        let above = self.folder.ancestors().nth(2).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_repro"));
        command.arg("serve").arg(above).args(["--port", "0"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let root = line.split_whitespace().next().unwrap_or_else(|| panic!("no address")).to_owned();
        Served { child, root: format!("{root}user/repo/") }
    }
}

/// A running server.
pub(crate) struct Served {
    child: Child,
    root: String,
}

impl Served {
    /// Address of a page.
    pub(crate) fn at(&self, page: &str) -> String {
        format!("{}{page}", self.root)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
