//! Progress on the terminal: a bar with rate and estimate on a terminal, plain lines otherwise.

use std::io::IsTerminal;
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::world::{Progress, Silent};

/// Chooses how to show progress. Only the command line knows about terminals.
pub(super) fn choose(quiet: bool) -> Box<dyn Progress> {
    if quiet {
        Box::new(Silent)
    } else if std::io::stderr().is_terminal() {
        Box::new(Bar::default())
    } else {
        Box::new(Lines::default())
    }
}

#[derive(Default)]
struct Bar(Mutex<Option<ProgressBar>>);

impl Bar {
    fn with(&self, act: impl FnOnce(&mut Option<ProgressBar>)) {
        if let Ok(mut bar) = self.0.lock() {
            act(&mut bar);
        }
    }
}

impl Progress for Bar {
    fn begin(&self, stage: &str, total: u64) {
        self.with(|slot| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(10));
            let style =
                ProgressStyle::with_template("{msg:22} {bar:24} {human_pos}/{human_len} {per_sec:>10} {eta:>4}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_message(stage.to_owned());
            *slot = Some(bar);
        });
    }

    fn advance(&self, units: u64) {
        self.with(|slot| {
            if let Some(bar) = slot {
                bar.inc(units);
            }
        });
    }

    fn finish(&self) {
        self.with(|slot| {
            if let Some(bar) = slot.take() {
                bar.finish_and_clear();
            }
        });
    }
}

/// One line when a stage begins; logs stay readable.
#[derive(Default)]
struct Lines(Mutex<String>);

impl Progress for Lines {
    #[allow(clippy::print_stderr, reason = "progress is for people and goes to stderr")]
    fn begin(&self, stage: &str, total: u64) {
        if let Ok(mut last) = self.0.lock() {
            if *last != stage {
                eprintln!("{stage}: {total}");
            }
            stage.clone_into(&mut last);
        }
    }

    fn advance(&self, _: u64) {}

    fn finish(&self) {}
}
