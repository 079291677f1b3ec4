//! The schemas of every_eval_ever (0.3.0): one aggregate document for each configuration and experiment, and a line for
//! each record.

use serde_json::{Value, json};

use crate::archive::{Archive, Denominator, Record, RunKey, State};
use crate::corpus::Corpus;
use crate::digest::Digest;
use crate::estimate::{Arm, Which};
use crate::study::{EstimatorKind, Experiment, Study};

/// Version of the schemas that is written.
const VERSION: &str = "0.3.0";

/// What no archive says about its own export.
#[derive(Debug, Clone, Copy)]
pub struct Header<'h> {
    /// Seconds since 1970, as text: when the export was made.
    pub retrieved: &'h str,
    /// Name and version of this tool.
    pub tool: &'h str,
}

/// Identifier of an arm: benchmark, model and the time of the export.
fn identifier(experiment: &Experiment, configuration: &str, header: Header<'_>) -> String {
    format!("{}/{configuration}/{}", experiment.id, header.retrieved)
}

/// Where the documents of an arm stand: `data/<benchmark>/<developer>/<model>/<uuid>`, without an ending. The identifier is
/// made of the archive's words alone, so that two exports of one archive are found in one place.
pub fn location(study: &Study, experiment: &Experiment, configuration: &str) -> String {
    let digest = Digest::of_parts(
        [study.study.id.as_str(), "\0", experiment.id.as_str(), "\0", configuration].map(str::as_bytes),
    );
    let hex = digest.to_string();
    let name = crate::slug::file_name;
    let (developer, model) = configuration.split_once('/').unwrap_or(("unknown", configuration));
    format!(
        "data/{}/{}/{}/{}-{}-4{}-8{}-{}",
        name(experiment.id.as_str()),
        name(developer),
        name(model),
        &hex[..8],
        &hex[8..12],
        &hex[12..15],
        &hex[15..18],
        &hex[18..30]
    )
}

/// The aggregate document of an arm, with the digest and number of the lines that belong to it; `None` where no declared
/// estimator has a value.
pub fn aggregate(
    study: &Study,
    archive: &Archive,
    experiment: &Experiment,
    configuration: &str,
    header: Header<'_>,
    lines: (&str, &str, usize),
) -> Option<Value> {
    let judges: Vec<Option<&str>> = match study.judges.len() {
        0 | 1 => vec![None],
        _ => study.judges.iter().map(|judge| Some(judge.id.as_str())).collect(),
    };
    let mut results = Vec::new();
    for judge in judges {
        let which = Which { experiment: experiment.id.as_str(), configuration, run: None, judge, keep: &|_| true };
        let arm = Arm::of(archive, which);
        for estimator in &study.estimators {
            let Ok(number) = arm.number(estimator.kind, estimator.k, Denominator::Graded, None) else { continue };
            // Rates are fractions there.
            let (score, most) = match estimator.kind {
                EstimatorKind::Count => (number.value, arm.problems() as f64),
                EstimatorKind::Score => (number.value, 1.0),
                _ => (number.value / 100.0, 1.0),
            };
            let name = judge.map_or_else(|| estimator.id.clone(), |judge| format!("{} ({judge})", estimator.id));
            results.push(json!({
                "evaluation_name": format!("{} {name}", experiment.id),
                "source_data": {"dataset_name": experiment.set, "source_type": "other"},
                "metric_config": {
                    "evaluation_description": estimator.kind.as_str(),
                    "lower_is_better": false,
                    "score_type": "continuous",
                    "min_score": 0.0,
                    "max_score": most,
                },
                "score_details": {"score": score, "details": {"problems": arm.problems().to_string()}},
            }));
        }
    }
    if results.is_empty() {
        return None;
    }
    let (path, text, rows) = lines;
    let organisation = study.study.authors.first().map_or("unknown", |author| author.family.as_str());
    let mut document = json!({
        "schema_version": VERSION,
        "evaluation_id": identifier(experiment, configuration, header),
        "retrieved_timestamp": header.retrieved,
        "source_metadata": {
            "source_name": study.study.title,
            "source_type": "evaluation_run",
            "source_organization_name": organisation,
            "evaluator_relationship": "other",
            "additional_details": {"exported_with": header.tool},
        },
        "model_info": {
            "name": configuration,
            "id": configuration,
            // The schema asks for both, and no archive of verdicts says either.
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "eval_library": {"name": experiment.format.as_deref().unwrap_or("unknown"), "version": "unknown"},
        "evaluation_results": results,
    });
    if let (Some(object), true) = (document.as_object_mut(), rows > 0) {
        let detailed = json!({
            "format": "jsonl",
            "file_path": path,
            "hash_algorithm": "sha256",
            "checksum": Digest::of(text.as_bytes()).to_string(),
            "total_rows": rows,
        });
        object.insert("detailed_evaluation_results".to_owned(), detailed);
    }
    Some(document)
}

/// A line for each judged record of an arm, and how many records had no verdict: that schema knows only right and wrong.
/// `response` gives the stored answer of a record.
pub fn instances(
    corpus: &Corpus,
    archive: &Archive,
    experiment: &Experiment,
    configuration: &str,
    header: Header<'_>,
    response: &dyn Fn(&RunKey, &Record) -> String,
) -> (String, usize, usize) {
    let mut text = String::new();
    let (mut written, mut left) = (0, 0);
    let set = corpus.set(experiment.set.as_str());
    for run in archive.runs_of(experiment.id.as_str(), configuration) {
        for record in &run.records {
            let right = match record.state() {
                State::Pass => true,
                State::Fail => false,
                State::Excluded => {
                    left += 1;
                    continue;
                }
            };
            let problem = set.and_then(|set| set.get(record.id.as_str()));
            let statement = problem.map_or("", |problem| problem.statement.as_str());
            let reference = problem.and_then(|problem| problem.tests.as_ref()?.reference.as_deref());
            let reference: Vec<&str> = reference.into_iter().collect();
            let answer = response(&run.key, record);
            let hashed = format!("{statement}{}", reference.concat());
            let line = json!({
                "schema_version": format!("instance_level_eval_{VERSION}"),
                "evaluation_id": identifier(experiment, configuration, header),
                "model_id": configuration,
                "evaluation_name": experiment.id,
                "sample_id": record.id,
                "sample_hash": Digest::of(hashed.as_bytes()).to_string(),
                "interaction_type": "single_turn",
                "input": {"raw": statement, "reference": reference},
                "output": {"raw": [answer]},
                "messages": null,
                "answer_attribution": [{
                    "turn_idx": 0,
                    "source": "output.raw",
                    "extracted_value": answer,
                    "extraction_method": "custom",
                    "is_terminal": true,
                }],
                "evaluation": {
                    "score": record.score.unwrap_or(f64::from(u8::from(right))),
                    "is_correct": right,
                },
                "error": record.error.as_deref(),
                "metadata": {"sample": record.sample.to_string(), "run": run.key.run.to_string()},
            });
            text.push_str(&line.to_string());
            text.push('\n');
            written += 1;
        }
    }
    (text, written, left)
}
