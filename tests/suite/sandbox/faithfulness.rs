//! The faithfulness audit of the real core problems, against an independent audit written in Python
//! (its `ast` module, its own interpreter) over the same rule.

use repro::engine::Limits;
use repro::json::Value;
use repro::verify::faithfulness::{Audit, Invariant, Movement, Subject, audit};
use repro::world::Silent;

use super::embedded;
use crate::shared::{parse, shared};

fn subjects() -> Vec<Subject> {
    let text = std::fs::read_to_string(shared("atmoscoder/benchmark/core.json")).unwrap();
    let records = parse(&text);
    let subject = |record: &Value| {
        let text = |name| record.get(name).and_then(Value::as_text).unwrap_or_default();
        let points = record.get("knowledge_points").and_then(Value::as_list).unwrap_or_default();
        let points: Vec<&str> = points.iter().filter_map(Value::as_text).collect();
        let about = format!("{} {}", text("problem"), points.join(" "));
        Subject { id: text("id").to_owned(), source: text("code").into(), about }
    };
    records.as_list().unwrap().iter().map(subject).collect()
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn core_solvers_are_flagged_exactly_where_an_independent_audit_flags_them() {
    let subjects = subjects();
    let audits = audit(&*embedded(2), &subjects, &Limits::default(), &Silent).unwrap();
    assert!(audits.iter().all(|audit| audit.status.is_ok() && audit.fault.is_none()));
    let literals: usize = audits.iter().map(|audit| audit.unexplained.len()).sum();
    let problems = |flag: &dyn Fn(&Audit) -> bool| audits.iter().filter(|audit| flag(audit)).count();
    assert_eq!((literals, problems(&|audit| !audit.unexplained.is_empty())), (316, 101));
    let moved = |movement| audits.iter().map(|audit| audit.with_movement(movement).count()).sum::<usize>();
    let perturbed = moved(Movement::Moves) + moved(Movement::Ignored) + moved(Movement::Fragile);
    assert_eq!((perturbed, moved(Movement::Ignored), moved(Movement::Fragile)), (1793, 87, 9));
    assert_eq!(problems(&|audit| audit.with_movement(Movement::Ignored).next().is_some()), 62);
    let violated: Vec<&str> = audits
        .iter()
        .filter(|audit| matches!(audit.invariant, Invariant::Violated { .. }))
        .map(|audit| audit.id.as_str())
        .collect();
    assert_eq!(violated, ["air_104", "air_132", "air_137", "ry_7.2", "jacobson_2.19", "jacobson_2.16"]);
    assert_eq!(problems(&|audit| audit.invariant == Invariant::Holds), 6);
    // An input that the text never reads cannot move anything.
    for parameter in audits.iter().flat_map(|audit| &audit.parameters).filter(|parameter| parameter.unread) {
        assert_ne!(parameter.movement, Movement::Moves, "{}", parameter.name);
    }
    assert_eq!(problems(&Audit::is_hard_coded), 0, "no reference solver is hard-coded");
}

#[test]
fn a_hard_coded_answer_is_found() {
    let source =
        "def solve(t=300.0, p=1000.0):\n    # derived by hand\n    return {'1': {'value': 19.75, 'unit': 'K'}}\n";
    let subject = Subject { id: "x".to_owned(), source: source.into(), about: String::new() };
    let audits = audit(&*embedded(1), &[subject], &Limits::default(), &Silent).unwrap();
    assert!(audits[0].is_hard_coded() && audits[0].is_flagged());
    assert_eq!(audits[0].with_movement(Movement::Ignored).count(), 2);
}
