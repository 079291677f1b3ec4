//! Whether conclusions survive, checked by a slow second way: for every combination of choices the records
//! themselves are changed, everything is computed from them, and every claim is judged.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use repro::archive::{Archive, Record, Run, State};
use repro::claims::{self, Sources};
use repro::corpus::{Corpus, Set};
use repro::grade::{self, Judgement, strict};
use repro::multiverse::{Setting, Survival};
use repro::packs;
use repro::pipeline::{Evaluated, Outside, evaluate, read, survival};
use repro::statistics::readings::Counting;
use repro::statistics::{Evidence, Fact, Facts};
use repro::study::{LeftOut, Reduce, Study, Unit};
use repro::verify::not_regradable;
use repro::world::Silent;
use repro::world::disk::Folder;

/// The example study with choices of which every kind occurs.
fn example() -> Evaluated {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/weather-demo");
    let source = Folder::new(&folder).unwrap();
    let outside = Outside { named: Vec::new(), beside: &|_| None, memory: None };
    let mut given = read(&source, Counting::default(), &outside, &Silent).unwrap();
    let choices = &mut given.study.choices;
    choices.tolerances = vec![0.1];
    choices.runs = vec![Reduce::Majority, Reduce::Mean, Reduce::Any];
    choices.leave_out = vec![LeftOut::Runs, LeftOut::Configurations];
    let flagged = given.corpus.sets[0].problems[0].id.to_string();
    choices.flagged_problems = [("core".to_owned(), vec![flagged])].into();
    evaluate(&source, given, &[], &Silent).unwrap()
}

/// A study as other choices make it.
struct Changed {
    study: Study,
    corpus: Corpus,
    archive: Archive,
}

impl Changed {
    fn new(evaluated: &Evaluated, settings: &[&Setting]) -> Self {
        let given = &evaluated.given;
        let mut changed =
            Self { study: given.study.clone(), corpus: given.corpus.clone(), archive: given.archive.clone() };
        let strict = settings.contains(&&Setting::StrictLens);
        let tolerance = settings.iter().find_map(|setting| match setting {
            Setting::Tolerance(tolerance) => Some(*tolerance),
            _ => None,
        });
        if strict || tolerance.is_some() {
            changed.grade(strict, tolerance);
        }
        settings.iter().for_each(|setting| changed.choose(setting));
        changed
    }

    fn records(&mut self) -> impl Iterator<Item = &mut Record> {
        self.archive.runs.iter_mut().flat_map(|run| &mut run.records)
    }

    fn grade(&mut self, is_strict: bool, tolerance: Option<f64>) {
        for run in &mut self.archive.runs {
            let own = tolerance.or(run.declared.tolerance).unwrap_or(self.study.grading.tolerance);
            for record in run.records.iter_mut().filter(|record| not_regradable(record).is_none()) {
                let details = record.details.clone().unwrap();
                let reference = grade::regrade(&details, &record.regraded, own).passed;
                let passed = match strict::regrade(&details, &record.regraded, own).judgement {
                    Judgement::Pass if is_strict => true,
                    Judgement::Fail(_) if is_strict => false,
                    _ => reference,
                };
                record.passed = Some(passed);
            }
        }
    }

    fn choose(&mut self, setting: &Setting) {
        match setting {
            Setting::StrictLens | Setting::Tolerance(_) => {}
            Setting::ErrorsFail => {
                for record in self.records().filter(|record| record.state() == State::Excluded) {
                    (record.error, record.passed) = (None, Some(false));
                }
            }
            Setting::ErrorsOut => {
                let counted = |record: &&mut Record| record.error_as_fail && record.state() == State::Fail;
                for record in self.records().filter(counted) {
                    record.error_as_fail = false;
                    record.error = Some("left out".into());
                }
            }
            Setting::WithoutFlagged => self.without_flagged(),
            Setting::WithoutConfiguration(key) => {
                self.study.configurations.retain(|own| own.key != *key);
                self.archive.runs.retain(|run| run.key.configuration != *key);
            }
            Setting::WithoutRun(number) => self.without_run(*number),
            Setting::Combined(Reduce::Mean) => {
                self.study.comparisons.iter_mut().for_each(|own| own.reduce = Reduce::Mean);
            }
            Setting::Combined(rule) => self.combine(*rule),
            Setting::Records => self.study.comparisons.iter_mut().for_each(|own| own.unit = Unit::Records),
        }
    }

    fn without_flagged(&mut self) {
        let flagged = self.study.choices.flagged_problems["core"].clone();
        for set in &mut self.corpus.sets {
            let is_core = set.id.as_str() == "core";
            let derived = set.parents.as_ref().is_some_and(|parents| parents.as_str() == "core");
            let kept = set.problems.iter().filter(|problem| {
                let own = is_core && flagged.iter().any(|id| *id == *problem.id.as_str());
                let parent = problem.parent.as_ref().filter(|_| derived);
                !own && parent.is_none_or(|parent| flagged.iter().all(|id| *id != *parent.as_str()))
            });
            let problems: Vec<_> = kept.cloned().collect();
            let (labels, parents) = (set.labels.clone(), set.parents.clone());
            *set = Set::new(set.id.clone(), labels, set.title.clone(), set.path.clone(), set.digest, parents, problems);
        }
        let corpus = &self.corpus;
        for run in &mut self.archive.runs {
            let experiment = self.study.experiment(run.key.experiment.as_str()).unwrap();
            let set = corpus.set(experiment.set.as_str()).unwrap();
            run.records.retain(|record| set.get(record.id.as_str()).is_some());
        }
    }

    /// The runs after it move up, as if they had been the only ones.
    fn without_run(&mut self, number: u32) {
        for experiment in self.study.experiments.iter_mut().filter(|own| own.runs > 1 && own.runs >= number) {
            experiment.runs -= 1;
            self.archive.runs.retain(|run| run.key.experiment != experiment.id || run.key.run != number);
            let later = |run: &&mut Run| run.key.experiment == experiment.id && run.key.run > number;
            self.archive.runs.iter_mut().filter(later).for_each(|run| run.key.run -= 1);
        }
        self.archive.runs.sort_by(|a, b| a.key.cmp(&b.key));
    }

    fn combine(&mut self, rule: Reduce) {
        let mut runs: Vec<Run> = Vec::new();
        for experiment in &mut self.study.experiments {
            let keys: BTreeSet<_> = self.archive.runs.iter().map(|run| run.key.configuration.clone()).collect();
            let expected = experiment.runs as usize;
            experiment.runs = 1;
            for key in keys {
                let own: Vec<&Run> = self.archive.runs_of(experiment.id.as_str(), key.as_str()).collect();
                let Some(first) = own.first() else { continue };
                let mut one = Run::clone(first);
                for record in &mut one.records {
                    let states: Vec<State> =
                        own.iter().map(|run| run.get(record.id.as_str()).unwrap().state()).collect();
                    let passes = states.iter().filter(|state| **state == State::Pass).count();
                    let graded = states.iter().filter(|state| **state != State::Excluded).count();
                    let passed = match rule {
                        Reduce::Majority => 2 * passes > expected,
                        Reduce::Any => passes > 0,
                        _ => passes == graded,
                    };
                    record.passed = Some(passed && graded > 0);
                    if graded > 0 {
                        (record.error, record.error_as_fail) = (None, false);
                    } else {
                        (record.error, record.error_as_fail) = (Some("none graded".into()), false);
                    }
                }
                runs.push(one);
            }
        }
        runs.iter_mut().for_each(|run| run.key.run = 1);
        runs.sort_by(|a, b| a.key.cmp(&b.key));
        self.archive.runs = runs;
    }

    /// Facts computed from the changed records; of statistics that do not follow outcomes, those of the study.
    fn facts(&self, evaluated: &Evaluated) -> Facts {
        let evidence = Evidence {
            study: &self.study,
            corpus: &self.corpus,
            archive: &self.archive,
            readings: &[],
            ledger: &evaluated.ledger,
            published: &evaluated.given.published,
            boards: None,
        };
        let named = |id: &str| {
            let mut claims = evaluated.judgements.claims.iter();
            claims.any(|claim| claim.expressions.iter().any(|text| text.contains(&format!("{id}."))))
        };
        // Only what the conclusions name; the others would take their time for nothing.
        let asked = ["accuracy-mean-sd", "difficulty-accuracy", "holm"];
        assert!(asked.iter().all(|id| named(id)));
        let following = packs::statistics().into_iter().filter(|own| asked.contains(&own.about().id));
        let following = following.inspect(|statistic| assert!(statistic.follows_outcomes()));
        let (mut ids, mut facts): (BTreeSet<&str>, Vec<Fact>) = (BTreeSet::new(), Vec::new());
        for statistic in following {
            ids.insert(statistic.about().id);
            facts.extend(statistic.compute(&evidence).facts);
        }
        facts.extend(evaluated.computed.facts.iter().filter(|fact| !ids.contains(fact.statistic)).cloned());
        Facts::new(facts)
    }
}

/// Whether each conclusion holds, in the order of the survival, and the means of the main experiment.
fn slowly(
    evaluated: &Evaluated,
    survival: &Survival,
    settings: &[&Setting],
) -> (Vec<Option<bool>>, Vec<(String, i64)>) {
    let changed = Changed::new(evaluated, settings);
    let facts = changed.facts(evaluated);
    let registry = packs::statistics();
    let sources = Sources::new(&changed.study, &facts, &[], &evaluated.given.published)
        .with_registered(&registry, packs::bindings())
        .with_archived(&changed.corpus, &changed.archive);
    let judged = claims::judge(&evaluated.claimed, &sources);
    let holds = |id: &str| {
        let verdict = judged.get(id).unwrap().verdict;
        (verdict.agrees() || verdict.contradicts()).then(|| verdict.agrees())
    };
    let held = survival.conclusions.iter().map(|own| holds(&own.claim)).collect();
    let mean = |key: &str| {
        let keys = [("set", "core"), ("protocol", "code"), ("model", key)];
        let value = facts.get("accuracy-mean-sd", "mean", &keys)?.estimate.point()?;
        Some((key.to_owned(), (value * 1e9).round() as i64))
    };
    let means = changed.study.configurations.iter().filter_map(|own| mean(own.key.as_str())).collect();
    (held, means)
}

#[test]
fn every_combination_says_what_changed_records_say() {
    let evaluated = example();
    let survival = survival(&evaluated);
    let kinds: Vec<&str> = survival.choices.iter().map(|made| made.choice.id()).collect();
    assert_eq!(kinds, ["lens", "tolerance", "errors", "flagged", "configuration", "run", "runs", "unit"]);
    let claims: Vec<&str> = survival.conclusions.iter().map(|own| own.claim.as_str()).collect();
    assert_eq!(claims, ["best", "difficulty", "none-significant", "paraphrases"]);
    let slow: Vec<_> = survival
        .all
        .iter()
        .map(|own| slowly(&evaluated, &survival, &survival.space.settings(own).collect::<Vec<_>>()))
        .collect();
    let mut compared = 0;
    for (at, conclusion) in survival.conclusions.iter().enumerate() {
        assert!(conclusion.counted.complete && conclusion.as_done, "{}", conclusion.claim);
        for own in &conclusion.specifications {
            let named: Vec<String> = survival.space.settings(&survival.all[own.combination]).map(Setting::id).collect();
            assert_eq!(own.holds, slow[own.combination].0[at], "{} under {named:?}", conclusion.claim);
            compared += 1;
        }
        let counted = &conclusion.counted;
        let sums = |wanted| conclusion.specifications.iter().filter(|own| own.holds == wanted).count();
        assert_eq!((counted.holds, counted.fails, counted.open), (sums(Some(true)), sums(Some(false)), sums(None)));
        // A single choice that is said not to reach it leaves it as it is.
        for (number, combination) in survival.all.iter().enumerate() {
            let settings: Vec<String> = survival.space.settings(combination).map(Setting::id).collect();
            let [setting] = settings.as_slice() else { continue };
            let reached = counted.by_setting.iter().any(|own| own.setting == *setting);
            if !reached && !counted.cannot_be_asked.contains(setting) {
                assert_eq!(slow[number].0[at], Some(true), "{} under {setting}", conclusion.claim);
            }
            let breaks = counted.alone.contains(setting);
            assert!(!breaks || slow[number].0[at] == Some(false), "{} under {setting}", conclusion.claim);
        }
    }
    assert!(compared > 300, "{compared} combinations were compared");
    // Conclusions that fall somewhere and one that never does: a test that could not fail would show neither.
    assert!(survival.conclusions.iter().filter(|own| own.counted.fails > 0).count() >= 2);
    ranks(&survival, &slow.into_iter().map(|(_, means)| means).collect::<Vec<_>>());
}

/// What statistics see of a study and its records.
fn evidence<'a>(evaluated: &'a Evaluated, study: &'a Study, corpus: &'a Corpus, archive: &'a Archive) -> Evidence<'a> {
    let published = &evaluated.given.published;
    Evidence { study, corpus, archive, readings: &[], ledger: &evaluated.ledger, published, boards: None }
}

/// Gives a fact about one run the number that its run has in the study: the changed records count anew without the
/// run that is left out.
fn renumber(study: &Study, settings: &[&Setting], fact: &mut Fact) {
    let removed = settings.iter().find_map(|setting| match setting {
        Setting::WithoutRun(number) => Some(*number),
        _ => None,
    });
    let (Some(removed), Some(run)) = (removed, fact.keys.get("run").and_then(|run| run.parse::<u32>().ok())) else {
        return;
    };
    let named = |key: &str, own: &str| fact.keys.get(key).is_none_or(|value| value == own);
    let lost = study.experiments.iter().any(|own| {
        own.runs > 1 && own.runs >= removed && named("set", own.set.as_str()) && named("protocol", own.protocol())
    });
    if lost && run >= removed {
        fact.keys.insert("run".to_owned(), (run + 1).to_string());
    }
}

/// The second way for every statistic that follows outcomes: the whole statistic computed from the changed records,
/// against what it says in the world of the same choices.
#[test]
fn every_statistic_that_follows_outcomes_says_what_changed_records_say() {
    let evaluated = example();
    let survival = survival(&evaluated);
    let given = &evaluated.given;
    let registry = packs::statistics();
    let following: Vec<_> = registry.iter().copied().filter(|own| own.follows_outcomes()).collect();
    assert!(following.len() > 30, "{} statistics follow outcomes", following.len());
    let told = |facts: Vec<Fact>| -> BTreeMap<String, String> {
        let point = |fact: &Fact| fact.estimate.point().map_or_else(|| "undefined".to_owned(), |v| format!("{v:.9}"));
        facts.iter().map(|fact| (format!("{} {} {:?}", fact.statistic, fact.measure, fact.keys), point(fact))).collect()
    };
    let mut differ: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut moved: BTreeSet<&str> = BTreeSet::new();
    let mut compared = 0;
    let own = evidence(&evaluated, &given.study, &given.corpus, &given.archive);
    let as_done: BTreeMap<&str, BTreeMap<String, String>> =
        following.iter().map(|statistic| (statistic.about().id, told(statistic.compute(&own).facts))).collect();
    // Every choice alone, and some of two.
    let chosen = survival
        .all
        .iter()
        .enumerate()
        .filter(|(at, own)| own.iter().filter(|at| **at > 0).count() < 2 || at % 29 == 0);
    for (_, combination) in chosen {
        let settings: Vec<&Setting> = survival.space.settings(combination).collect();
        let changed = Changed::new(&evaluated, &settings);
        let slow = evidence(&evaluated, &changed.study, &changed.corpus, &changed.archive);
        let mut fast: BTreeMap<&str, Vec<Fact>> = BTreeMap::new();
        for fact in repro::multiverse::facts_under(&own, &registry, &settings) {
            fast.entry(fact.statistic).or_default().push(fact);
        }
        for statistic in &following {
            let id = statistic.about().id;
            let mut slow = statistic.compute(&slow).facts;
            slow.iter_mut().for_each(|fact| renumber(&given.study, &settings, fact));
            let slow = told(slow);
            let fast = told(fast.remove(id).unwrap_or_default());
            compared += slow.len();
            if slow != as_done[id] {
                moved.insert(id);
            }
            let names: Vec<String> = settings.iter().map(|setting| setting.id()).collect();
            let keys: BTreeSet<&String> = slow.keys().chain(fast.keys()).collect();
            for key in keys.into_iter().filter(|key| slow.get(*key) != fast.get(*key)).take(2) {
                let note = format!("{names:?} {key}: slowly {:?}, in the world {:?}", slow.get(key), fast.get(key));
                differ.entry(id).or_default().push(note);
            }
        }
    }
    for (id, notes) in &mut differ {
        notes.truncate(6);
        eprintln!("{id}: {notes:#?}");
    }
    assert!(differ.is_empty(), "{:?}", differ.keys().collect::<Vec<_>>());
    assert!(compared > 10_000 && moved.len() > 10, "{compared} values, {} statistics moved", moved.len());
}

/// Ranks counted again from the means of the changed records.
fn ranks(survival: &Survival, means: &[Vec<(String, i64)>]) {
    let ranked = survival.ranked.as_ref().unwrap();
    let counts = |own: &&usize| {
        let mut settings = survival.space.settings(&survival.all[**own]);
        settings.all(|setting| ranked.by_setting.iter().any(|by| by.setting == setting.id()))
    };
    let numbers: Vec<usize> = (0..survival.all.len()).collect();
    let counted: Vec<usize> = numbers.iter().filter(counts).copied().collect();
    assert_eq!(counted.len(), ranked.of);
    assert!(ranked.of > 20 && survival.ranks.len() == 4);
    let rank = |at: usize, key: &str| {
        let own = means[at].iter().find(|(name, _)| name == key).unwrap().1;
        1 + means[at].iter().filter(|(_, mean)| *mean > own).count()
    };
    for (place, told) in survival.ranks.iter().enumerate() {
        let key = told.configuration.as_str();
        let all: Vec<usize> = counted.iter().map(|&at| rank(at, key)).collect();
        assert_eq!(told.rank, rank(0, key));
        assert_eq!((told.best, told.worst), (*all.iter().min().unwrap(), *all.iter().max().unwrap()), "{key}");
        assert_eq!(told.kept, all.iter().filter(|own| **own == told.rank).count(), "{key}");
        let next = survival.ranks.get(place + 1).map(|next| next.configuration.as_str());
        let ahead = next.map(|next| counted.iter().filter(|&&at| rank(at, key) < rank(at, next)).count());
        assert_eq!(told.leads, ahead, "{key}");
    }
}

#[test]
fn neither_threads_nor_order_change_what_survives() {
    let evaluated = example();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| survival(&evaluated).to_json().to_string())
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn a_study_that_declares_no_choice_has_nothing_to_ask_again() {
    let mut evaluated = example();
    let choices = &mut evaluated.given.study.choices;
    (choices.lens, choices.errors, choices.flagged, choices.unit) = (false, false, false, false);
    choices.tolerances = vec![evaluated.given.study.grading.tolerance];
    choices.runs.clear();
    choices.leave_out.clear();
    let survival = survival(&evaluated);
    assert!(survival.choices.is_empty() && survival.combinations == 1);
    assert!(survival.conclusions.iter().all(|own| own.counted.of == 1 && own.sentence.starts_with("No choice")));
}
