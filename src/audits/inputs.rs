//! Inputs of stored programs that move nothing.

use super::{About, Audit, Looked, Raised, Subject};
use crate::verify::faithfulness::Movement;

const ABOUT: About = About {
    id: "inputs",
    title: "Inputs that move nothing",
    question: "Does every input of a stored program matter to its answer?",
    method: "Each numeric input of a stored program is raised and lowered by 5 %, one at a time, and the program is \
             executed again. An input is raised here when no answer moves at either point although other inputs of \
             the same program do move one. It may be a distractor that was meant; it may be a quantity that the \
             program forgets.",
    items: "inputs of stored programs",
    nothing: "no stored program was executed with changed inputs",
    code: "input-inert",
};

pub(super) struct Inputs;

impl Audit for Inputs {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn look(&self, subject: &Subject<'_>) -> Looked {
        let mut looked = Looked::default();
        for row in &subject.ladder.audits {
            let audit = &row.audit;
            let count = |movement| audit.with_movement(movement).count();
            looked.checked += count(Movement::Moves) + count(Movement::Ignored) + count(Movement::Fragile);
            let ignored: Vec<&str> = audit.with_movement(Movement::Ignored).map(|input| input.name.as_str()).collect();
            let set = subject.corpus.set(row.set.as_str());
            // A program that computes nothing has a finding of its own.
            if let (Some(set), Some(true), false) = (set, row.computes, ignored.is_empty()) {
                let what = if row.shortcut { "the shortcut program" } else { "the program" };
                let verb = if ignored.len() == 1 { "moves" } else { "move" };
                let says = format!("{} of {what} {verb} no answer", ignored.join(", "));
                looked.raised.push(Raised::problem(set, &audit.id, says));
            }
        }
        looked.by_origin(subject)
    }
}
