//! Results of promptfoo: tests asked of columns, each a prompt at a provider.
//!
//! See `docs/formats/promptfoo.md`.

mod assertions;
mod read;

use std::collections::BTreeSet;

use self::read::columns;
use super::declared::{configuration, experiment, set};
use super::{About, Declared, Fit, Format, Guess, Listing, Part, Request, Sink, arms, identity, study};
use crate::study::{Estimator, EstimatorKind, FilePart, Judge, label};

/// The format.
pub(super) struct Promptfoo;

const ID: &str = "promptfoo";

/// Name of the one judge.
const JUDGE: &str = "assertions";

static ABOUT: About = About {
    title: "promptfoo results",
    reads: "Result files with tests, columns (a prompt at a provider), answers, assertions and counts.",
    cannot_check: "Assertions by a model or by code are not derived again; those over texts (equals, contains, regex, \
                   starts-with and their kind) are, where their value is stored as it was used.",
};

impl Format for Promptfoo {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess> {
        let fits = |path: &&str| {
            let members = listing.members(path);
            let has = |name: &str| members.iter().any(|member| member == name);
            // Large results hide what stands behind them; their own beginning tells as well.
            let head = listing.head(path);
            let text = String::from_utf8_lossy(&head);
            has("results")
                && ((has("config") && has("evalId"))
                    || text.contains("\"promptIdx\"")
                    || text.contains("\"gradingResult\""))
        };
        let paths: Vec<&str> = listing.ending(&[".json"]).filter(fits).collect();
        let parts: Vec<Part> =
            paths.iter().map(|path| Part { path: (*path).to_owned(), role: "results", arm: None }).collect();
        let reason = format!("{} files have results with grading, and the configuration of an evaluation", parts.len());
        (!parts.is_empty()).then_some(Guess { format: ID, fit: Fit::Certain, reason, parts })
    }

    fn declare(&self, listing: &Listing<'_>, guess: &Guess) -> Declared {
        let paths: Vec<&str> = guess.parts.iter().map(|part| part.path.as_str()).collect();
        let names = arms(&paths);
        let mut declared = study(identity("promptfoo-results", "promptfoo results", "Tests of prompts and providers."));
        let mut keys = BTreeSet::new();
        for (path, name) in paths.iter().zip(&names) {
            let id = if paths.len() == 1 { "tests" } else { name };
            let known = columns(listing.source(), path);
            declared.sets.push(set(id, id, "", ID));
            let mut own = experiment(id, id, ID);
            own.labels = label("protocol", "direct");
            own.condition = (paths.len() > 1).then(|| id.to_owned());
            own.runs = known.repeats;
            own.files = vec![FilePart { path: (*path).to_owned(), configuration: None, run: None, role: None }];
            for key in known.names.values() {
                own.configurations.push(key.as_str().into());
                if keys.insert(key.clone()) {
                    declared.configurations.push(configuration(key));
                }
            }
            declared.experiments.push(own);
        }
        declared.judges = vec![Judge {
            id: JUDGE.to_owned(),
            title: "Assertions".to_owned(),
            headline: true,
            rule: Some("A test passes when its assertions do.".to_owned()),
        }];
        declared.estimators =
            vec![Estimator { id: "passed".to_owned(), kind: EstimatorKind::Mean, k: None, headline: true }];
        let assumed = vec!["a test that is asked again of the same column is its next sample".to_owned()];
        Declared { study: declared, assumed }
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        for experiment in &request.experiments {
            for part in &experiment.files {
                read::read(request, experiment, &part.path, sink);
            }
        }
    }
}
