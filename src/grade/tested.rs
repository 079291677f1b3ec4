//! Test code as the check of a problem, under two lenses.
//!
//! *Reference*: what the benchmark's own harness does. Program and test code run as one text in one process, and
//! the program is right when that text ends without an exception. *Strict*: assertions on calls with literal
//! arguments are taken apart ([`crate::syntax`]); the calls run in the program's process, which never sees what is
//! expected, and the comparison happens here on plain data. An object that claims to equal everything, a helper
//! that was replaced, an early exit, cannot pass it. What cannot be taken apart stays undecided under the strict
//! lens and is judged by the reference lens.
//!
//! Nothing here runs a program: what ran is handed in.

use std::sync::Arc;

use super::reasons::Reason;
use super::strict::Judgement;
use crate::corpus::{Assembly, Tests};
use crate::json::Value;
use crate::syntax::{self, Assertion, Assertions, Check, Comparison, Plain, Term};

/// What has to run for an answer to be judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Reference lens: program, test code and the call that runs it, as one text.
    pub script: String,
    /// Strict lens: the program alone, without any test.
    pub program: String,
    /// Function whose calls are made; empty where there is none to make.
    pub function: Arc<str>,
    /// What the test code asks.
    pub assertions: Assertions,
    /// True where the test code cannot be parsed as Python: it is of another language, or broken, and running it would fail
    /// every answer.
    pub foreign: bool,
}

/// How the run of a text ended, as far as grading needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// To its end, without an exception.
    Whole,
    /// By an exception, a limit, or its own exit: not right.
    Broken,
    /// In a way that says nothing about the answer (a module that is not there).
    Unknown,
}

/// The calls of the strict lens, as they ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Calls<'a> {
    /// All were made: what each returned, in the form of [`Plain::returned`], or `["!", exception, text]`.
    Made(&'a [(String, Value)]),
    /// The program ended before it returned from all of them.
    Broken,
    /// Nobody knows.
    Unknown,
}

/// What both lenses say of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Tested {
    /// Reference lens; `None` where nothing is known.
    pub reference: Option<bool>,
    /// Strict lens.
    pub strict: Judgement,
    /// Why the two differ, when they do.
    pub difference: Option<Reason>,
    /// Line of the first assertion that does not hold, what it asked for and what came.
    pub failed: Option<Failed>,
}

/// An assertion that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// Line of the test code, from 1.
    pub line: usize,
    /// What the comparison asked for, as Python writes it; empty where it is no comparison.
    pub expected: String,
    /// What was there.
    pub actual: String,
    /// Why it counts as failed.
    pub reason: Reason,
}

/// Longest text kept of a value.
const SHOWN: usize = 200;

impl Plan {
    /// What an answer to a problem with these tests comes to.
    pub fn new(tests: &Tests, answer: &str, assembly: Option<Assembly>) -> Self {
        let script = tests.program(answer, assembly);
        if assembly.unwrap_or(tests.assembly) == Assembly::Assertion {
            let split = syntax::assertion(&tests.code, answer, &tests.entry_point);
            let whole = || (Assertions { whole: vec![1], ..Assertions::default() }, None);
            let (assertions, called) = split.unwrap_or_else(whole);
            let function = called.map_or_else(|| tests.entry_point.clone(), Arc::from);
            return Self { script, program: tests.prompt.to_string(), function, assertions, foreign: false };
        }
        let bare = Tests { code: "".into(), entry_point: "".into(), ..tests.clone() };
        let assertions = syntax::assertions(&tests.code, &tests.entry_point);
        let foreign = assertions.is_err();
        let assertions =
            assertions.unwrap_or_else(|fault| Assertions { whole: vec![fault.line], ..Assertions::default() });
        let program = bare.program(answer, assembly);
        Self { script, program, function: tests.entry_point.clone(), assertions, foreign }
    }

    /// True when calls have to be made for the strict lens.
    pub fn has_calls(&self) -> bool {
        !self.assertions.calls.is_empty()
    }

    /// Judges what ran.
    pub fn judge(&self, script: End, calls: Calls<'_>) -> Tested {
        let reference = match script {
            End::Whole => Some(true),
            End::Broken => Some(false),
            End::Unknown => None,
        };
        let (strict, failed) = self.strict(reference, calls);
        let difference = match (reference, strict) {
            (Some(true), Judgement::Fail(reason)) => Some(reason),
            (Some(false), Judgement::Pass) => Some(Reason::TestsEndOtherwise),
            _ => None,
        };
        Tested { reference, strict, difference, failed }
    }

    fn strict(&self, reference: Option<bool>, calls: Calls<'_>) -> (Judgement, Option<Failed>) {
        let results = match calls {
            _ if !self.has_calls() => Vec::new(),
            Calls::Unknown => return (Judgement::Undecided(Reason::NotExecuted), None),
            Calls::Broken => return (Judgement::Fail(Reason::CallEnds), None),
            Calls::Made(entries) => {
                let results: Option<Vec<Returned>> = entries.iter().map(|(_, value)| returned(value)).collect();
                match results.filter(|results| results.len() == self.assertions.calls.len()) {
                    Some(results) => results,
                    // Not what the engine writes, so the program wrote it.
                    None => return (Judgement::Fail(Reason::CallEnds), None),
                }
            }
        };
        for assertion in &self.assertions.split {
            if let Some(failed) = check(assertion, &results) {
                return (Judgement::Fail(failed.reason), Some(failed));
            }
        }
        match (self.assertions.whole.is_empty(), reference) {
            (true, _) if self.assertions.split.is_empty() => (Judgement::Undecided(Reason::TestsNotSplit), None),
            (true, _) => (Judgement::Pass, None),
            // The part that only running can judge failed there, and nothing outside contradicts it.
            (false, Some(false)) => (Judgement::Fail(Reason::AssertionFails), None),
            (false, _) => (Judgement::Undecided(Reason::TestsNotSplit), None),
        }
    }
}

/// What a call came to.
enum Returned {
    Value(Plain),
    Raised(String),
}

fn returned(value: &Value) -> Option<Returned> {
    if let Some([Value::Text(mark), Value::Text(kind), Value::Text(message)]) = value.as_list()
        && mark == "!"
    {
        return Some(Returned::Raised(format!("{kind}: {message}")));
    }
    Plain::returned(value).map(Returned::Value)
}

fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

/// The failure of an assertion; `None` when it holds.
fn check(assertion: &Assertion, results: &[Returned]) -> Option<Failed> {
    let failed = |reason, expected: String, actual: String| {
        Some(Failed { line: assertion.line, expected: shown(&expected), actual: shown(&actual), reason })
    };
    match holds(&assertion.check, results) {
        Ok(true) => None,
        Ok(false) => {
            let (expected, actual, reason) = sides(&assertion.check, results);
            failed(reason, expected, actual)
        }
        Err(Trouble::Raised(what)) => failed(Reason::CallRaises, String::new(), what),
        Err(Trouble::Foreign(kind)) => failed(Reason::NotPlainData, String::new(), format!("<{kind}>")),
        Err(Trouble::Type) => {
            failed(Reason::AssertionFails, String::new(), "values that cannot be compared".to_owned())
        }
    }
}

/// Both sides of a comparison that does not hold, for people, and what to call it.
fn sides(check: &Check, results: &[Returned]) -> (String, String, Reason) {
    let mut reason = Reason::AssertionFails;
    let (expected, actual) = match check {
        Check::Compared(left, _, right) => {
            // The side without a call is what is asked for.
            let (asked, came) = if is_fixed(left) { (left, right) } else { (right, left) };
            let came = compute(came, results).ok();
            if came.as_ref().and_then(Plain::foreign).is_some() {
                reason = Reason::NotPlainData;
            }
            let text = |value: Option<Plain>| value.map_or_else(String::new, |value| value.text());
            (text(compute(asked, results).ok()), text(came))
        }
        _ => (String::new(), String::new()),
    };
    (expected, actual, reason)
}

fn is_fixed(term: &Term) -> bool {
    match term {
        Term::Value(_) => true,
        Term::Call(_) => false,
        Term::Absolute(inner)
        | Term::Length(inner)
        | Term::List(inner)
        | Term::Tuple(inner)
        | Term::Set(inner)
        | Term::Sorted(inner) => is_fixed(inner),
        Term::Arithmetic(left, _, right) => is_fixed(left) && is_fixed(right),
    }
}

/// Why a condition has no truth.
enum Trouble {
    Raised(String),
    Foreign(String),
    /// Python would raise a TypeError, or asks what is not decided here.
    Type,
}

fn holds(check: &Check, results: &[Returned]) -> Result<bool, Trouble> {
    match check {
        Check::True(term) => {
            let value = compute(term, results)?;
            value.truth().ok_or_else(|| Trouble::Foreign(value.foreign().unwrap_or_default().to_owned()))
        }
        Check::Not(inner) => holds(inner, results).map(|held| !held),
        Check::All(parts) => {
            for part in parts {
                if !holds(part, results)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Check::Any(parts) => {
            for part in parts {
                if holds(part, results)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Check::Compared(left, comparison, right) => {
            compare(&compute(left, results)?, *comparison, &compute(right, results)?)
        }
    }
}

fn compare(left: &Plain, comparison: Comparison, right: &Plain) -> Result<bool, Trouble> {
    let order = || left.order(right).ok_or(Trouble::Type);
    let nan = || [left, right].iter().any(|side| side.as_f64().is_some_and(f64::is_nan));
    Ok(match comparison {
        Comparison::Equal => left.equals(right),
        // An object that is no plain value may differ from everything just as it may equal everything.
        Comparison::Different => {
            if let Some(kind) = left.foreign().or_else(|| right.foreign()) {
                return Err(Trouble::Foreign(kind.to_owned()));
            }
            !left.equals(right)
        }
        Comparison::Less | Comparison::AtMost | Comparison::Greater | Comparison::AtLeast if nan() => false,
        Comparison::Less => order()?.is_lt(),
        Comparison::AtMost => order()?.is_le(),
        Comparison::Greater => order()?.is_gt(),
        Comparison::AtLeast => order()?.is_ge(),
        Comparison::Same => left == right,
        Comparison::NotSame => left != right,
        Comparison::In => contains(right, left)?,
        Comparison::NotIn => !contains(right, left)?,
    })
}

fn contains(container: &Plain, item: &Plain) -> Result<bool, Trouble> {
    match (container, item) {
        (Plain::Text(text), Plain::Text(part)) => Ok(text.contains(part.as_str())),
        (Plain::Dict(pairs), item) => Ok(pairs.iter().any(|(key, _)| key.equals(item))),
        (container, item) => {
            let items = container.items().ok_or(Trouble::Type)?;
            Ok(items.iter().any(|member| member.equals(item)))
        }
    }
}

fn compute(term: &Term, results: &[Returned]) -> Result<Plain, Trouble> {
    Ok(match term {
        Term::Value(value) => value.clone(),
        Term::Call(number) => match results.get(*number) {
            Some(Returned::Value(value)) => value.clone(),
            Some(Returned::Raised(what)) => return Err(Trouble::Raised(what.clone())),
            None => return Err(Trouble::Type),
        },
        Term::Absolute(inner) => match real(compute(inner, results)?)? {
            Plain::Int(digits) => Plain::Int(digits.trim_start_matches('-').to_owned()),
            other => Plain::Float(other.as_f64().ok_or(Trouble::Type)?.abs()),
        },
        Term::Length(inner) => Plain::Int(length(&compute(inner, results)?)?.to_string()),
        Term::List(inner) => Plain::List(iterated(compute(inner, results)?)?),
        Term::Tuple(inner) => Plain::Tuple(iterated(compute(inner, results)?)?),
        Term::Set(inner) => match compute(inner, results)? {
            Plain::Set(items) => Plain::Set(items),
            other => Plain::Set(iterated(other)?),
        },
        Term::Sorted(inner) => Plain::List(sorted(match compute(inner, results)? {
            Plain::Set(items) => items,
            other => iterated(other)?,
        })?),
        Term::Arithmetic(left, sign, right) => {
            arithmetic(&real(compute(left, results)?)?, *sign, &real(compute(right, results)?)?)?
        }
    })
}

/// A real number, with truth values as integers.
fn real(value: Plain) -> Result<Plain, Trouble> {
    match value {
        Plain::Bool(flag) => Ok(Plain::Int(u8::from(flag).to_string())),
        Plain::Int(_) | Plain::Float(_) => Ok(value),
        Plain::Other(kind) => Err(Trouble::Foreign(kind)),
        _ => Err(Trouble::Type),
    }
}

fn length(value: &Plain) -> Result<usize, Trouble> {
    match value {
        Plain::Text(text) => Ok(text.chars().count()),
        Plain::Bytes(digits) => Ok(digits.len() / 2),
        Plain::Set(items) => Ok(Plain::distinct(items)),
        Plain::Dict(pairs) => {
            let keys: Vec<Plain> = pairs.iter().map(|(key, _)| key.clone()).collect();
            Ok(Plain::distinct(&keys))
        }
        other => other.items().map(<[Plain]>::len).ok_or(Trouble::Type),
    }
}

/// Items in their order; a set has none.
fn iterated(value: Plain) -> Result<Vec<Plain>, Trouble> {
    match value {
        Plain::List(items) | Plain::Tuple(items) => Ok(items),
        Plain::Text(text) => Ok(text.chars().map(|c| Plain::Text(c.to_string())).collect()),
        Plain::Dict(pairs) => Ok(pairs.into_iter().map(|(key, _)| key).collect()),
        Plain::Other(kind) => Err(Trouble::Foreign(kind)),
        _ => Err(Trouble::Type),
    }
}

fn sorted(mut items: Vec<Plain>) -> Result<Vec<Plain>, Trouble> {
    let ordered = items.windows(2).all(|pair| pair[0].order(&pair[1]).is_some());
    let one_kind = items.iter().all(|item| matches!(item, Plain::Text(_)))
        || items.iter().all(|item| item.as_f64().is_some_and(|value| !value.is_nan()));
    if !(ordered && one_kind) && items.len() > 1 {
        return Err(Trouble::Type);
    }
    items.sort_by(|a, b| a.order(b).unwrap_or(std::cmp::Ordering::Equal));
    Ok(items)
}

fn arithmetic(left: &Plain, sign: char, right: &Plain) -> Result<Plain, Trouble> {
    if let (Some(left), Some(right)) = (left.as_i128(), right.as_i128())
        && sign != '/'
    {
        let result = match sign {
            '+' => left.checked_add(right),
            '-' => left.checked_sub(right),
            _ => left.checked_mul(right),
        };
        return result.map(|result| Plain::Int(result.to_string())).ok_or(Trouble::Type);
    }
    let (Some(left), Some(right)) = (left.as_f64(), right.as_f64()) else { return Err(Trouble::Type) };
    Ok(Plain::Float(match sign {
        '+' => left + right,
        '-' => left - right,
        '*' => left * right,
        _ if right == 0.0 => return Err(Trouble::Type),
        _ => left / right,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    fn tests(code: &str) -> Tests {
        Tests {
            prompt: "".into(),
            entry_point: "f".into(),
            code: code.into(),
            assembly: Assembly::WholeFile,
            reference: None,
        }
    }

    fn entries(results: &[&str]) -> Vec<(String, Value)> {
        let read = |text: &&str| (String::new(), Reader::new(text.as_bytes()).value().unwrap());
        results.iter().map(read).collect()
    }

    fn judged(code: &str, results: &[&str]) -> Tested {
        let plan = Plan::new(&tests(code), "def f(x): ...", None);
        plan.judge(End::Whole, Calls::Made(&entries(results)))
    }

    #[test]
    fn every_form_of_assertion_is_judged_as_python_would() {
        let passes = [
            ("assert f(1) == 3", "3.0"),
            ("assert f(1) == [1, (2,)]", r#"["l",1,["t",2]]"#),
            ("assert f(1) != 3", "4"),
            ("assert f(1)", "1"),
            ("assert not f(1)", "0"),
            ("assert f(1) is True", "true"),
            ("assert f(1) is not None", "0"),
            ("assert f(1) in (3, 4)", "4"),
            ("assert 'b' in f(1)", r#""abc""#),
            ("assert abs(f(1) - 0.33) < 1e-6", "0.3300001"),
            ("assert tuple(f(1)) == (1, 2)", r#"["l",1,2]"#),
            ("assert set(f(1)) == {1, 2}", r#"["l",2,1,2]"#),
            ("assert sorted(f(1)) == [1, 2]", r#"["s",2,1]"#),
            ("assert len(f(1)) == 2", r#"["s",2,1]"#),
            ("assert 0 <= f(1) <= 1", "0.5"),
            ("assert f(1) == 1 or f(1) == 2", "2"),
        ];
        for (code, result) in passes {
            let times = code.matches("f(1)").count();
            let tested = judged(code, &vec![result; times]);
            assert_eq!((tested.strict, tested.difference), (Judgement::Pass, None), "{code} {result}");
        }
        let fails = [
            ("assert f(1) == (1, 2)", r#"["l",1,2]"#, Reason::AssertionFails),
            ("assert f(1) == 3", r#"["o","Equal"]"#, Reason::NotPlainData),
            ("assert f(1) != 3", r#"["o","Equal"]"#, Reason::NotPlainData),
            ("assert f(1)", r#"["o","True"]"#, Reason::NotPlainData),
            ("assert f(1) in [1, 2]", r#"["o","Equal"]"#, Reason::NotPlainData),
            ("assert abs(f(1) - 2) < 1", r#"["o","Near"]"#, Reason::NotPlainData),
            ("assert f(1) is True", "1", Reason::AssertionFails),
            ("assert f(1) == 3", r#"["!","SystemExit","0"]"#, Reason::CallRaises),
            ("assert f(1) < 3", "NaN", Reason::AssertionFails),
            ("assert f(1) < 3", r#""a""#, Reason::AssertionFails),
        ];
        for (code, result, reason) in fails {
            let tested = judged(code, &[result]);
            assert_eq!((tested.strict, tested.difference), (Judgement::Fail(reason), Some(reason)), "{code} {result}");
        }
    }

    #[test]
    fn what_only_running_can_judge_is_left_to_the_reference_lens() {
        let code = "assert f(1) == 3\nfor x in range(3):\n    assert f(x) == x\n";
        let plan = Plan::new(&tests(code), "", None);
        let made = entries(&["3"]);
        let judge = |end| plan.judge(end, Calls::Made(&made)).strict;
        assert_eq!(judge(End::Whole), Judgement::Undecided(Reason::TestsNotSplit));
        assert_eq!(judge(End::Broken), Judgement::Fail(Reason::AssertionFails));
        // What can be judged outside decides on its own.
        assert_eq!(judged(code, &["4"]).strict, Judgement::Fail(Reason::AssertionFails));
        let nothing = Plan::new(&tests("exec('1')"), "", None).judge(End::Whole, Calls::Unknown);
        assert_eq!(nothing.strict, Judgement::Undecided(Reason::TestsNotSplit));
    }

    #[test]
    fn an_early_end_passes_under_no_lens_and_a_missing_module_under_neither_fails() {
        let plan = Plan::new(&tests("assert f(1) == 3"), "", None);
        let early = plan.judge(End::Broken, Calls::Broken);
        assert_eq!((early.reference, early.strict), (Some(false), Judgement::Fail(Reason::CallEnds)));
        let forged = plan.judge(End::Whole, Calls::Made(&[]));
        assert_eq!(forged.difference, Some(Reason::CallEnds));
        let missing = plan.judge(End::Unknown, Calls::Unknown);
        assert_eq!((missing.reference, missing.strict), (None, Judgement::Undecided(Reason::NotExecuted)));
        let other = plan.judge(End::Broken, Calls::Made(&entries(&["3"])));
        assert_eq!((other.strict, other.difference), (Judgement::Pass, Some(Reason::TestsEndOtherwise)));
    }

    #[test]
    fn a_literal_answer_needs_no_execution_and_a_call_is_made() {
        let assertion = |code: &str| Tests { assembly: Assembly::Assertion, entry_point: "".into(), ..tests(code) };
        let literal = Plan::new(&assertion("[1, 2]"), " [1, 2.0]", None);
        assert!(!literal.has_calls());
        assert_eq!(literal.judge(End::Whole, Calls::Unknown).strict, Judgement::Pass);
        let wrong = Plan::new(&assertion("[1, 2]"), "(1, 2)", None).judge(End::Broken, Calls::Unknown);
        assert_eq!(wrong.failed.unwrap().actual, "(1, 2)");
        let call = Plan::new(&assertion("'ab'"), "g('a')", None);
        assert_eq!((&*call.function, call.assertions.calls.len()), ("g", 1));
        let lying = Plan::new(&assertion("3"), "type('E', (), {'__eq__': lambda s, o: True})()", None);
        assert_eq!(lying.judge(End::Whole, Calls::Unknown).strict, Judgement::Undecided(Reason::TestsNotSplit));
    }
}
