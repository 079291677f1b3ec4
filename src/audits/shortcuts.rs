//! Accepted answers that the shortcut stored with a problem satisfies.

use std::collections::BTreeSet;

use super::{About, Audit, Looked, Raised, Subject};
use crate::corpus::Problem;
use crate::grade::{self, Accepted};

const ABOUT: About = About {
    id: "shortcuts",
    title: "Shortcuts that pass",
    question: "Does a problem accept the wrong way that it was made to catch?",
    method: "The values stored with a shortcut, and what its program returns when it is executed, are graded by the \
             study's own rule against the answers that the problem accepts. A shortcut that passes can never be \
             observed: whoever takes it is counted as right.",
    items: "problems with a stored shortcut",
    nothing: "no problem has a shortcut stored with it",
    code: "shortcut-passes",
};

pub(super) struct Shortcuts;

impl Audit for Shortcuts {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn look(&self, subject: &Subject<'_>) -> Looked {
        let executed: BTreeSet<(&str, &str)> = subject
            .ladder
            .solvers
            .iter()
            .filter(|solver| solver.shortcut && solver.accepted == Some(true))
            .map(|solver| (solver.set.as_str(), solver.id.as_str()))
            .collect();
        let mut looked = Looked::default();
        for set in &subject.corpus.sets {
            for problem in set.problems.iter().filter(|problem| problem.shortcut.is_some()) {
                looked.checked += 1;
                let id = problem.id.as_str();
                let stored = passes(problem, subject.study.grading.tolerance);
                let how = match (executed.contains(&(set.id.as_str(), id)), stored) {
                    (true, _) => "executed again, the shortcut passes",
                    (false, true) => "the stored values of the shortcut pass",
                    (false, false) => continue,
                };
                let says = format!("{how} the problem that it belongs to, so taking it cannot be seen");
                looked.raised.push(Raised::problem(set, id, says));
            }
        }
        looked
    }
}

/// True when the stored values, in the units of the answers, are all accepted.
fn passes(problem: &Problem, tolerance: f64) -> bool {
    let Some(shortcut) = &problem.shortcut else { return false };
    let subs = problem.subs();
    let accepted = |sub: &str| {
        let stored = shortcut.values.iter().find(|(key, _)| &**key == sub);
        let Some((_, value)) = stored.filter(|(_, value)| value.is_finite()) else { return false };
        let answers = || problem.answers.iter().filter(|answer| &*answer.sub == sub);
        let Some(unit) = answers().next().map(|answer| &*answer.unit) else { return false };
        let all = answers().map(|answer| Accepted { value: &answer.value, unit: &answer.unit });
        matches!(grade::decide(all, *value, unit, tolerance), Ok(Some(_)))
    };
    !subs.is_empty() && subs.into_iter().all(accepted)
}
