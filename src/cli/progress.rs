//! Progress on the terminal: one line of at most 80 columns on a terminal, plain lines otherwise. Amounts
//! have three significant digits and a unit.

use std::fmt;
use std::io::IsTerminal;
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::world::{Progress, Silent, Unit};

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

/// Columns of the name of a stage.
const NAME: usize = 27;

#[derive(Default)]
struct Bar(Mutex<Option<ProgressBar>>);

impl Bar {
    fn with(&self, act: impl FnOnce(&mut Option<ProgressBar>)) {
        if let Ok(mut bar) = self.0.lock() {
            act(&mut bar);
        }
    }
}

/// 27 columns of name, 12 of bar, at most 17, 12 and 6 of numbers, and the blanks between: 78.
const TEMPLATE: &str = "{msg:27} {bar:12} {amount:>17} {rate:>12} {eta:>6}";

impl Progress for Bar {
    fn begin_in(&self, unit: Unit, stage: &str, total: u64) {
        self.with(|slot| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(10));
            let style = ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar());
            let amount = move |state: &ProgressState, out: &mut dyn fmt::Write| {
                let _ = out.write_str(&of(state.pos() as f64, state.len().unwrap_or(total) as f64, unit));
            };
            let rate = move |state: &ProgressState, out: &mut dyn fmt::Write| {
                let _ = write!(out, "{}/s", measured(state.per_sec(), unit));
            };
            bar.set_style(style.with_key("amount", amount).with_key("rate", rate));
            bar.set_message(stage.chars().take(NAME).collect::<String>());
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
    fn begin_in(&self, unit: Unit, stage: &str, total: u64) {
        if let Ok(mut last) = self.0.lock() {
            if *last != stage {
                eprintln!("{stage}: {}", measured(total as f64, unit));
            }
            stage.clone_into(&mut last);
        }
    }

    fn advance(&self, _: u64) {}

    fn finish(&self) {}
}

/// `12.3 of 456 MB`: both in the unit of the whole.
fn of(done: f64, total: f64, unit: Unit) -> String {
    let (scale, name) = scaled(total, unit);
    let digits = |value: f64| three(value / scale);
    match name {
        "" => format!("{} of {}", digits(done), digits(total)),
        name => format!("{} of {} {name}", digits(done), digits(total)),
    }
}

/// An amount with three significant digits and its unit.
fn measured(value: f64, unit: Unit) -> String {
    let (scale, name) = scaled(value, unit);
    let digits = three(value / scale);
    match name {
        "" => digits,
        name => format!("{digits} {name}"),
    }
}

fn scaled(value: f64, unit: Unit) -> (f64, &'static str) {
    const BYTES: [(f64, &str); 5] = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")];
    match unit {
        // Rounded to three digits, 999.5 kB are 1 MB.
        Unit::Bytes => BYTES.into_iter().find(|(scale, _)| value >= scale * 0.9995).unwrap_or((1.0, "B")),
        Unit::Files => (1.0, if value == 1.0 { "file" } else { "files" }),
        Unit::Items => (1.0, ""),
    }
}

/// Three significant digits, never fewer than a whole number has.
fn three(value: f64) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    let decimals = match value.abs() {
        v if v >= 99.95 || v.fract() == 0.0 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    let text = format!("{value:.decimals$}");
    match text.split_once('.') {
        Some(_) => text,
        None => crate::number::grouped(text.parse().unwrap_or(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_three_digits_and_a_unit() {
        for (value, unit, text) in [
            (30_175_622.033, Unit::Bytes, "30.2 MB"),
            (999_600.0, Unit::Bytes, "1.00 MB"),
            (999.0, Unit::Bytes, "999 B"),
            (1_234.0, Unit::Bytes, "1.23 kB"),
            (5.56e9, Unit::Bytes, "5.56 GB"),
            (0.0, Unit::Bytes, "0 B"),
            (2769.0, Unit::Items, "2,769"),
            (96.4321, Unit::Items, "96.4"),
            (0.5, Unit::Items, "0.50"),
            (1.0, Unit::Files, "1 file"),
            (12.0, Unit::Files, "12 files"),
            (f64::NAN, Unit::Items, "-"),
        ] {
            assert_eq!(measured(value, unit), text);
        }
        assert_eq!(of(12_345_678.0, 456_000_000.0, Unit::Bytes), "12.3 of 456 MB");
        assert_eq!(of(3.0, 2769.0, Unit::Items), "3 of 2,769");
    }

    #[test]
    fn the_line_fits_eighty_columns_with_the_longest_numbers() {
        let numbers = [of(999.4e9, 999.4e9, Unit::Bytes), format!("{}/s", measured(999.4e6, Unit::Bytes))];
        assert!(numbers[0].len() <= 17 && numbers[1].len() <= 12, "{numbers:?}");
        assert!(of(208_000.0, 237_460.0, Unit::Items).len() <= 18);
        const { assert!(NAME + 12 + 18 + 12 + 6 + 4 <= 80) };
    }
}
