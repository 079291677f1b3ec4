//! Sentences over a study of three configurations, true ones and false ones.

use crate::claims::words::statements;
use crate::claims::{Sources, Verdict, judge, read};
use crate::documents;
use crate::statistics::fixture::{Fixture, problem};
use crate::statistics::{Evidence, Facts, compute_all};

/// A 75, B 50, C 25 percent with programs; in prose A 25, B 50, C 25.
fn study() -> Fixture {
    let levels = ["low", "low", "high", "high"];
    let problems = (0..4).map(|at| problem(&format!("p{at}"), "c", levels[at], 1)).collect();
    let mut study = Fixture::new(&[("alpha", "Alpha", false), ("beta", "Beta", false), ("gamma", "Gamma", false)])
        .set("core", "problems", None, problems)
        .experiment("core_code", "core", "code", 1)
        .experiment("core_direct", "core", "direct", 1);
    for (model, code, prose) in [("alpha", "PPPF", "PFFF"), ("beta", "PPFF", "PPFF"), ("gamma", "PFFF", "FFFP")] {
        study = study.run("core_code", model, 1, code).run("core_direct", model, 1, prose);
    }
    study
}

/// What becomes of a text: each statement with its readings and, when it is plain, whether it holds.
fn told(text: &str) -> Vec<(Vec<String>, Option<bool>)> {
    let study = study();
    let evidence: Evidence<'_> = study.evidence();
    let facts = Facts::new(compute_all(&evidence, crate::statistics::ALL).facts);
    let sources =
        Sources::new(&study.study, &facts, &[], &study.published).with_archived(&study.corpus, &study.archive);
    let (document, _) = documents::read("paper.md", text.as_bytes(), &|_| None);
    let stated = statements(&[document.unwrap()], &sources).unwrap();
    let ledger = crate::claims::words::with_statements(&[], &stated, None).unwrap();
    let (ledger, findings) = read("paper.claims.toml", ledger.as_bytes());
    assert!(findings.is_empty() && ledger.broken.is_empty(), "{findings:?} {:?}", ledger.broken);
    let judged = judge(&[ledger], &sources);
    let verdict = |sentence: &str| {
        let claim = judged.claims.iter().find(|claim| claim.statement == sentence).unwrap();
        match claim.verdict {
            Verdict::Reproduced => Some(true),
            Verdict::Differs => Some(false),
            _ => None,
        }
    };
    stated.iter().map(|one| (one.readings.clone(), verdict(&one.sentence))).collect()
}

/// The verdict of a text with one plain statement.
fn holds(text: &str) -> Option<bool> {
    let all = told(text);
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    assert_eq!(all[0].0.len(), 1, "{text}: {all:?}");
    all[0].1
}

#[test]
fn orders_are_read_and_judged_by_the_facts() {
    for (text, wanted) in [
        ("Model alpha leads Model beta.", true),
        ("Model beta outperforms Model alpha.", false),
        ("Model gamma trails Model beta.", true),
        ("Model alpha is worse than Model gamma.", false),
        ("Model alpha ranks first.", true),
        ("Model beta is the best.", false),
        ("The weakest configuration is Model gamma.", true),
        ("Model beta comes last.", false),
        ("Model beta ranks second.", true),
        ("Model beta ranks second with a mean over all runs.", true),
        ("Model alpha outperforms Model gamma (75.0% against 25.0%).", true),
        ("Model alpha achieves the highest accuracy.", true),
        ("Model gamma performs better than Model beta.", false),
    ] {
        assert_eq!(holds(text), Some(wanted), "{text}");
    }
    let all = told("Model alpha leads Model beta.");
    let wanted = "accuracy-mean-sd.mean{model=\"alpha\", protocol=\"code\", set=\"core\"} > \
                  accuracy-mean-sd.mean{model=\"beta\", protocol=\"code\", set=\"core\"}";
    assert_eq!(all[0].0, [wanted]);
}

#[test]
fn counts_are_read_and_judged_by_the_facts() {
    for (text, wanted) in [
        ("No model exceeds 90 %.", true),
        ("No configuration reaches 75 %.", false),
        ("Every configuration is above 20 %.", true),
        ("All three configurations score at least 50 %.", false),
        ("All but one configuration reach at least 50 %.", true),
        ("All but two configurations reach at least 50 %.", false),
        ("Two of three configurations reach at least 50 %.", true),
        ("Two of four configurations reach at least 50 %.", false),
        ("Fewer than half of the models exceed 60 %.", true),
        ("Most configurations exceed 60 %.", false),
        ("Only one configuration exceeds 60 %.", true),
        ("All three do better on problems of low difficulty than on those of high difficulty.", true),
        ("No configuration does better on problems of low difficulty than on those of high difficulty.", false),
    ] {
        assert_eq!(holds(text), Some(wanted), "{text}");
    }
}

#[test]
fn what_is_not_plain_is_not_judged() {
    // Words that may change what is said, hedges, restrictions, questions of taste.
    for text in [
        "Model alpha does not lead Model beta.",
        "Model alpha may outperform Model beta.",
        "Model alpha outperforms Model beta on snow.",
        "Model alpha outperforms Model beta (on snow).",
        "Whether Model alpha leads Model beta is unclear.",
        "No model was shown the answer.",
        "No configuration exceeds the limit.",
        "Model alpha is the best of three friends.",
        "Every configuration is run three times.",
        "Model alpha and Model beta differ.",
    ] {
        assert!(told(text).is_empty(), "{text}: {:?}", told(text));
    }
    // For all configurations, or on average?
    let all = told("Accuracy is higher on problems of low difficulty than on those of high difficulty.");
    assert_eq!((all.len(), all[0].0.len(), all[0].1), (1, 2, None), "{all:?}");
}

#[test]
fn a_false_statement_is_read_like_a_true_one() {
    // The outcome takes no part: turned round, the same facts are asked.
    let sorted = |text: &str| {
        let mut words: Vec<String> = told(text)[0].0[0].split(" > ").map(str::to_owned).collect();
        words.sort();
        words
    };
    assert_eq!(sorted("Model alpha leads Model beta."), sorted("Model beta leads Model alpha."));
}

#[test]
fn the_protocol_that_a_sentence_names_is_asked() {
    let all = told("## With the direct protocol\n\nUnder the direct protocol Model beta leads Model alpha.");
    assert!(all.len() == 1 && all[0].0[0].contains("protocol=\"direct\"") && all[0].1 == Some(true), "{all:?}");
}
