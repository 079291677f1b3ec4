//! The deposit: written whole, the same everywhere, verified from itself, hostile ones refused.

mod compressors;
mod deposit;
mod flips;
mod foreign;
mod hostile;
mod inputs;
mod kill;
mod large;
mod repositories;
mod round_trip;
mod same_bytes;
mod tampered;
mod zipper;

use std::path::{Path, PathBuf};

use repro::bundle::{Archived, BuildOptions, BundleContents, Written, build, write};
use repro::metadata::Step;
use repro::study::{Author, Identity};
use repro::tree::Tree;
use repro::world::memory::Memory;
use repro::world::{Silent, Source};

/// An identity that is complete.
pub(crate) fn identity() -> Identity {
    Identity {
        id: "sky-bench".into(),
        title: "Sky Bench: an \"archive\" of <runs> & more".into(),
        version: "1.10".into(),
        date: "2026-11-30".into(),
        description: "Problems, reference solvers and outputs of models, with everything needed to check them: \
                      programs, answers and the numbers that were printed."
            .into(),
        licence: "CC-BY-4.0".into(),
        authors: vec![
            Author {
                family: "Curie".into(),
                given: Some("Maria".into()),
                orcid: Some("0000-0002-1825-0097".into()),
                affiliation: Some("Université: Paris".into()),
            },
            Author { family: "Benchmark Group".into(), given: None, orcid: None, affiliation: None },
        ],
        doi: None,
        url: Some("https://example.org/sky".into()),
        site: None,
        publisher: Some("Sky Archive".into()),
        keywords: vec!["benchmark".into(), "yes".into(), "atmospheric science".into()],
        citation: Some("Curie, M. (2026). Sky Bench.".into()),
        demonstration: None,
        adapter: repro::study::Adapter::default(),
    }
}

/// A study with names of every kind.
pub(crate) fn study() -> Memory {
    let run = "{\"id\": \"p1\", \"passed\": true, \"response\": \"def solve(): return {}\"}\n".repeat(400);
    Memory::default()
        .with("study.toml", *b"[study]\nid = \"sky-bench\"\n")
        .with("problems/core.json", *b"[{\"id\": \"p1\", \"answer\": 1.5}]\n")
        .with("results/core_code/alpha.run1.json", run.clone().into_bytes())
        .with("results/core_code/Alpha.run1.json", run.into_bytes())
        .with("100%.json", *b"{}")
        .with("notes/caf\u{e9} \u{4e2d}.txt", *b"text")
        .with("notes/new\nline, \"quoted\".txt", *b"text\r\nwith CRLF\r\n")
        .with("aux.json", *b"[]")
        .with("empty.txt", *b"")
        .with(&format!("deep/{}/end.json", ["level-of-folders"; 14].join("/")), *b"{}")
        .with("noise.bin", noise(5000))
}

/// Bytes that do not compress.
pub(crate) fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let step = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..bytes).map(step).collect()
}

pub(crate) fn contents(study: &dyn Source) -> BundleContents {
    let mut results = Tree::default();
    results.add("findings.json", *b"[]\n").unwrap();
    results.add("claims.json", *b"{\"claims\": []}\n").unwrap();
    let table = *b"model,setting,passed,rate,note\nalpha,reasoning,3,0.75,\"a, b\"\nbeta,non-reasoning,,0.5,\n";
    results.add("statistics/main.csv", table).unwrap();
    let mut site = Tree::default();
    site.add("index.html", *b"<!DOCTYPE html><title>Sky Bench</title><p>Page").unwrap();
    let mut schemas = Tree::default();
    schemas.add("findings.schema.json", *b"{\"type\": \"array\"}\n").unwrap();
    BundleContents {
        archive: Archived::Files(study.entries().unwrap()),
        scanned: None,
        results,
        site,
        schemas,
        steps: vec![Step {
            id: "verify".into(),
            title: "Execute every program again and grade every answer again".into(),
            reads: vec!["archive/".into()],
            makes: vec!["results/findings.json".into(), "results/claims.json".into()],
            failure: None,
        }],
        environment: serde_json::json!({"engine": "embedded", "hash-seed": 0}),
        tool_version: "0.1.0".into(),
        lock: include_str!("../../../Cargo.lock").into(),
    }
}

/// Writes the sample bundle into `folder`.
pub(crate) fn sample(folder: &Path) -> (PathBuf, Written) {
    let study = study();
    let plan = build(&identity(), contents(&study), &BuildOptions::default()).unwrap();
    let target = folder.join(format!("{}.zip", plan.name()));
    let written = write(&plan, &study, &target, &Silent).unwrap();
    (target, written)
}
