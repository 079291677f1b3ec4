//! `repro serve --watch`: builds the pages of a study again when one of its files changes, and lets open pages know.
//!
//! Pages are written to a folder that ends with the server, so nothing published changes while an author tries
//! something. The script that reloads a page is put into the answer and never into a file.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::cli::args::{self, OutArgs, PublishArgs, RenderArgs, StudyArgs, TalkArgs, TranscriptChoice};
use crate::cli::exit::Exit;
use crate::cli::output::Output;
use crate::cli::{inputs, site};
use crate::engine::{interrupted, watch_interrupts};
use crate::world::system::modified;

/// Time between two looks at the files.
const LOOK: Duration = Duration::from_millis(400);

/// Below this path lie the script and its answers.
pub(super) const BELOW: &str = "__repro/";

/// What open pages ask for.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// How often the pages were built.
    turn: AtomicU64,
    /// Why the last build failed.
    fault: Mutex<Option<String>>,
}

impl Turns {
    /// A script of the preview, by its name below [`BELOW`].
    pub(super) fn script(&self, name: &str) -> Option<String> {
        match name {
            "watch.js" => Some(include_str!("watch.js").to_owned()),
            "turn.js" => {
                let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let detail = serde_json::json!({"turn": self.turn.load(Ordering::Relaxed), "fault": fault});
                Some(format!("dispatchEvent(new CustomEvent(\"repro-turn\", {{detail: {detail}}}));\n"))
            }
            _ => None,
        }
    }

    /// A page with the script in it, and the leave to run it.
    pub(super) fn with_script(&self, html: &[u8], base: &str) -> Vec<u8> {
        let text = String::from_utf8_lossy(html);
        let turn = self.turn.load(Ordering::Relaxed);
        let script = format!("<script src=\"{base}{BELOW}watch.js\" data-turn=\"{turn}\"></script>");
        let (head, body) = text.split_once("<body").unwrap_or((&text, ""));
        let head = if head.contains("script-src") {
            head.to_owned()
        } else {
            head.replacen("default-src 'none'", "default-src 'none'; script-src 'self'", 1)
        };
        let page = if body.is_empty() { head } else { format!("{head}<body{body}") };
        match page.rfind("</body>") {
            Some(end) => format!("{}{script}\n{}", &page[..end], &page[end..]).into_bytes(),
            None => format!("{page}\n{script}\n").into_bytes(),
        }
    }
}

/// The study that is watched, and where its pages go.
pub(super) struct Watched {
    arguments: args::Site,
    folder: tempfile::TempDir,
    seen: Vec<Seen>,
    /// What open pages ask for.
    pub(super) turns: Arc<Turns>,
}

/// A file as it was: path, bytes, time of its last change.
type Seen = (PathBuf, u64, (i64, i64));

impl Watched {
    /// Builds the pages for the first time.
    pub(super) fn start(arguments: &args::Serve, study: Option<&Path>) -> Result<Self, Exit> {
        let folder = tempfile::Builder::new().prefix("repro-preview-").tempdir().map_err(|error| {
            crate::cli::cannot_write(&std::env::temp_dir(), &error);
            Exit::CannotWrite
        })?;
        let study = StudyArgs {
            study: study.map(Path::to_owned),
            claims: arguments.claims.clone(),
            allow_missing: true,
            keep_going: true,
            offline_strict: false,
            include: Vec::new(),
        };
        let publish = PublishArgs {
            study,
            engine: arguments.engine.clone(),
            out: OutArgs { out: folder.path().to_owned(), replace: true },
            render: RenderArgs { transcripts: TranscriptChoice::All, tokens: false, previous: None },
        };
        let talk = TalkArgs { jobs: arguments.talk.jobs, json: false, quiet: true };
        let mut watched = Self {
            arguments: args::Site { publish, talk },
            folder,
            seen: Vec::new(),
            turns: Arc::new(Turns::default()),
        };
        watched.seen = watched.files();
        match watched.build() {
            Ok(()) => Ok(watched),
            Err(exit) => Err(exit),
        }
    }

    /// The folder to show.
    pub(super) fn pages(&self) -> PathBuf {
        self.folder.path().join("site")
    }

    /// Looks at the files until the process is interrupted, and builds when something has changed and stands
    /// still.
    pub(super) fn run(mut self, output: Output) -> Exit {
        loop {
            std::thread::sleep(LOOK);
            if interrupted() {
                return Exit::Interrupted;
            }
            let now = self.files();
            if now == self.seen {
                continue;
            }
            // An editor writes in steps: what changes is built when it has stopped changing.
            std::thread::sleep(LOOK / 2);
            if self.files() != now {
                continue;
            }
            let changed = changed(&self.seen, &now);
            self.seen = now;
            output.line(&format!("changed: {changed}"));
            match self.build() {
                Err(Exit::Interrupted) => return Exit::Interrupted,
                Err(_) => output.line("not built; the pages are those of before"),
                Ok(()) => output.line("built"),
            }
        }
    }

    fn build(&self) -> Result<(), Exit> {
        crate::cli::forget_complaints();
        let built = site::run(&self.arguments);
        // A build gives interrupts their usual effect back; here they end the server in order.
        watch_interrupts();
        let mut fault = self.turns.fault.lock().unwrap_or_else(PoisonError::into_inner);
        *fault = built.is_err().then(crate::cli::complaints_as_text);
        if built.is_ok() {
            self.turns.turn.fetch_add(1, Ordering::Relaxed);
        }
        built.map(drop)
    }

    /// Every file of the study and every ledger beside it.
    fn files(&self) -> Vec<Seen> {
        let study = &self.arguments.publish.study;
        let opened = inputs::open(study).ok();
        let below = opened.iter().flat_map(|opened| {
            let entries = opened.source.entries().unwrap_or_default();
            let path = |path: String| if opened.path.is_dir() { opened.path.join(path) } else { opened.path.clone() };
            entries.into_iter().map(move |entry| path(entry.path)).collect::<Vec<_>>()
        });
        let seen = |path: PathBuf| {
            let found = std::fs::metadata(&path).ok()?;
            Some((path, found.len(), modified(&found)))
        };
        below.chain(study.claims.iter().cloned()).filter_map(seen).collect()
    }
}

/// The first file that differs, and how many more do.
fn changed(before: &[Seen], after: &[Seen]) -> String {
    let mut differing: Vec<&Path> =
        after.iter().filter(|one| !before.contains(one)).map(|one| one.0.as_path()).collect();
    let gone = before.iter().filter(|one| after.iter().all(|other| other.0 != one.0));
    differing.extend(gone.map(|one| one.0.as_path()));
    let first = differing.first().map(|path| path.display().to_string()).unwrap_or_default();
    if differing.len() > 1 { format!("{first} and {} more", differing.len() - 1) } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_gets_the_script_and_the_leave_to_run_it() {
        let turns = Turns::default();
        turns.turn.store(3, Ordering::Relaxed);
        let page = b"<meta content=\"default-src 'none'; img-src data:\"></head>\n<body class=x>\n<p>a</p>\n</body>\n</html>\n";
        let text = String::from_utf8(turns.with_script(page, "/at/")).unwrap();
        assert!(text.contains("default-src 'none'; script-src 'self'; img-src data:"), "{text}");
        let script = "<script src=\"/at/__repro/watch.js\" data-turn=\"3\"></script>\n</body>";
        assert!(text.contains(script) && text.contains("<body class=x>"), "{text}");
        let own = b"<meta content=\"default-src 'none'; script-src 'self'\"><body></body>";
        assert_eq!(String::from_utf8(turns.with_script(own, "/")).unwrap().matches("script-src").count(), 1);
        assert!(turns.script("turn.js").unwrap().contains("\"turn\":3"));
        assert!(turns.script("other.js").is_none());
    }
}
