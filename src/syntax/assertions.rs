//! Test code taken apart: assertions on what a function returns, and what only running can judge.
//!
//! `assert candidate(1, 2) == 3` says three things: what is called, with what, and what must hold of the value.
//! Where arguments are literals and operators the call can be made in one process and the comparison in another,
//! so that nothing the program did to its own process takes part in it. A statement that cannot be read this way
//! is named with its line.

use std::sync::Arc;

use ruff_python_ast::{Arguments, BoolOp, CmpOp, Expr, ModModule, Operator, Stmt, StmtFunctionDef, UnaryOp};
use ruff_text_size::Ranged;

use super::closed::{is_closed, value};
use super::plain::Plain;
use super::shape::{Fault, Lines, with_module};

/// What test code asks of a function.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Assertions {
    /// Text of the arguments of each call, in the order of the text.
    pub calls: Vec<Arc<str>>,
    /// Assertions on what these calls return.
    pub split: Vec<Assertion>,
    /// Lines of statements that only running can judge.
    pub whole: Vec<usize>,
}

/// One assertion.
#[derive(Debug, Clone, PartialEq)]
pub struct Assertion {
    /// Line from 1.
    pub line: usize,
    /// What must hold.
    pub check: Check,
}

/// A condition on values.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// Two values compared.
    Compared(Term, Comparison, Term),
    /// A value that counts as true.
    True(Term),
    /// The opposite.
    Not(Box<Check>),
    /// All of them, in order.
    All(Vec<Check>),
    /// Any of them, in order.
    Any(Vec<Check>),
}

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    Different,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `is`, with None, True or False.
    Same,
    /// `is not`, with None, True or False.
    NotSame,
    /// `in`
    In,
    /// `not in`
    NotIn,
}

/// A value, or how it is made of what calls return.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// A literal.
    Value(Plain),
    /// What the call of this number returned.
    Call(usize),
    /// `abs(...)`, `math.fabs(...)`
    Absolute(Box<Term>),
    /// `len(...)`
    Length(Box<Term>),
    /// `list(...)`
    List(Box<Term>),
    /// `tuple(...)`
    Tuple(Box<Term>),
    /// `set(...)`
    Set(Box<Term>),
    /// `sorted(...)`
    Sorted(Box<Term>),
    /// Sum, difference, product or quotient of numbers: the sign says which.
    Arithmetic(Box<Term>, char, Box<Term>),
}

/// Takes test code apart. `function` is what is called; test code that defines `check(candidate)` calls it by the
/// name of that parameter too.
pub fn assertions(code: &str, function: &str) -> Result<Assertions, Fault> {
    with_module(code, |module, lines| {
        let mut reader = Reader { code, names: vec![function.to_owned()], lines, found: Assertions::default() };
        reader.module(module);
        reader.found
    })
}

/// Takes `assert expected == answer` apart, where both are expressions; `None` when either is none, or is made of
/// other things than literals, operators and calls of `function` (with an empty name: of any one function).
pub fn assertion(expected: &str, answer: &str, function: &str) -> Option<(Assertions, Option<String>)> {
    let (expected, answer) = (expected.trim(), answer.trim());
    // Each must be one expression alone: an answer that closes a bracket or adds a statement is none.
    let alone = |text: &str| {
        with_module(text, |module, _| matches!(module.body.as_slice(), [Stmt::Expr(_)])).is_ok_and(|alone| alone)
    };
    if !alone(expected) || !alone(answer) {
        return None;
    }
    with_module(answer, |module, lines| {
        let [Stmt::Expr(statement)] = module.body.as_slice() else { return None };
        let called = called_name(&statement.value).filter(|_| function.is_empty());
        let name = called.clone().unwrap_or_else(|| function.to_owned());
        let mut reader = Reader { code: answer, names: vec![name], lines, found: Assertions::default() };
        let right = reader.term(&statement.value)?;
        let left = literal(expected)?;
        let check = Check::Compared(Term::Value(left), Comparison::Equal, right);
        reader.found.split.push(Assertion { line: 1, check });
        Some((reader.found, called))
    })
    .ok()
    .flatten()
}

/// The value of a text that is a literal, operators between literals included.
pub fn literal(text: &str) -> Option<Plain> {
    with_module(text.trim(), |module, _| match module.body.as_slice() {
        [Stmt::Expr(statement)] => value(&statement.value),
        _ => None,
    })
    .ok()
    .flatten()
}

fn called_name(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Call(call) => match &*call.func {
            Expr::Name(name) => Some(name.id.to_string()),
            _ => None,
        },
        _ => None,
    }
}

struct Reader<'s> {
    code: &'s str,
    /// Names by which the function is called.
    names: Vec<String>,
    lines: &'s Lines,
    found: Assertions,
}

impl Reader<'_> {
    fn module(&mut self, module: &ModModule) {
        for statement in &module.body {
            match statement {
                Stmt::FunctionDef(function) if function.name.as_str() == "check" => self.check(function),
                // What else is defined is of use to statements that only running can judge.
                Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
                // The call that runs the tests.
                Stmt::Expr(call) if called_name(&call.value).as_deref() == Some("check") => {}
                other => self.statement(other),
            }
        }
    }

    fn check(&mut self, function: &StmtFunctionDef) {
        let parameter = function.parameters.iter_non_variadic_params().next();
        let name = parameter.map(|parameter| parameter.parameter.name.to_string());
        let outside = self.names.len();
        self.names.extend(name);
        for statement in &function.body {
            self.statement(statement);
        }
        self.names.truncate(outside);
    }

    fn statement(&mut self, statement: &Stmt) {
        let line = self.lines.at(statement.range().start().to_usize());
        let read = match statement {
            Stmt::Assert(assert) => {
                let before = self.found.calls.len();
                match self.condition(&assert.test) {
                    Some(check) => {
                        self.found.split.push(Assertion { line, check });
                        true
                    }
                    None => {
                        self.found.calls.truncate(before);
                        false
                    }
                }
            }
            Stmt::Pass(_) | Stmt::Import(_) | Stmt::ImportFrom(_) => true,
            Stmt::Expr(alone) => matches!(&*alone.value, Expr::Name(_)) || is_closed(&alone.value),
            // A name that is bound matters only to statements that only running can judge, unless it is the
            // function's own.
            Stmt::Assign(assignment) => {
                let other = |target: &Expr| matches!(target, Expr::Name(name) if !self.names.iter().any(|own| own == name.id.as_str()));
                assignment.targets.iter().all(other) && is_closed(&assignment.value)
            }
            _ => false,
        };
        if !read {
            self.found.whole.push(line);
        }
    }

    fn condition(&mut self, expression: &Expr) -> Option<Check> {
        match expression {
            Expr::Compare(compare) => {
                let mut left = self.term(&compare.left)?;
                let mut checks = Vec::new();
                for (operator, right) in compare.ops.iter().zip(&compare.comparators) {
                    let comparison = comparison(*operator, right)?;
                    let term = self.term(right)?;
                    checks.push(Check::Compared(left, comparison, term.clone()));
                    left = term;
                }
                Some(if checks.len() == 1 { checks.remove(0) } else { Check::All(checks) })
            }
            Expr::UnaryOp(unary) if unary.op == UnaryOp::Not => {
                Some(Check::Not(Box::new(self.condition(&unary.operand)?)))
            }
            Expr::BoolOp(operation) => {
                let parts: Option<Vec<Check>> = operation.values.iter().map(|part| self.condition(part)).collect();
                Some(match operation.op {
                    BoolOp::And => Check::All(parts?),
                    BoolOp::Or => Check::Any(parts?),
                })
            }
            Expr::Call(call) => {
                self.close(&call.func, &call.arguments).or_else(|| Some(Check::True(self.term(expression)?)))
            }
            other => Some(Check::True(self.term(other)?)),
        }
    }

    /// `math.isclose(a, b, rel_tol=..., abs_tol=...)` as the inequality it stands for.
    fn close(&mut self, function: &Expr, arguments: &Arguments) -> Option<Check> {
        if !is_of_math(function, "isclose") {
            return None;
        }
        let [left, right] = &*arguments.args else { return None };
        let (mut relative, mut absolute) = (1e-9, 0.0);
        for keyword in &arguments.keywords {
            match keyword.arg.as_ref()?.as_str() {
                "rel_tol" => relative = value(&keyword.value)?.as_f64()?,
                "abs_tol" => absolute = value(&keyword.value)?.as_f64()?,
                _ => return None,
            }
        }
        let (left, right) = (Box::new(self.term(left)?), Box::new(self.term(right)?));
        let number = |number: f64| Box::new(Term::Value(Plain::Float(number)));
        let distance = || Term::Absolute(Box::new(Term::Arithmetic(left.clone(), '-', right.clone())));
        let of = |side: &Term| {
            let size = Box::new(Term::Absolute(Box::new(side.clone())));
            Check::Compared(distance(), Comparison::AtMost, Term::Arithmetic(number(relative), '*', size))
        };
        let floor = Check::Compared(distance(), Comparison::AtMost, Term::Value(Plain::Float(absolute)));
        Some(Check::Any(vec![of(&left), of(&right), floor]))
    }

    fn term(&mut self, expression: &Expr) -> Option<Term> {
        if let Some(value) = value(expression) {
            return Some(Term::Value(value));
        }
        match expression {
            Expr::Call(call) => self.called(&call.func, &call.arguments),
            Expr::BinOp(operation) => {
                let sign = match operation.op {
                    Operator::Add => '+',
                    Operator::Sub => '-',
                    Operator::Mult => '*',
                    Operator::Div => '/',
                    _ => return None,
                };
                let left = Box::new(self.term(&operation.left)?);
                Some(Term::Arithmetic(left, sign, Box::new(self.term(&operation.right)?)))
            }
            _ => None,
        }
    }

    fn called(&mut self, function: &Expr, arguments: &Arguments) -> Option<Term> {
        if let Expr::Name(name) = function
            && self.names.iter().any(|own| own == name.id.as_str())
        {
            let closed = arguments.args.iter().all(is_closed)
                && arguments.keywords.iter().all(|keyword| keyword.arg.is_some() && is_closed(&keyword.value));
            if !closed {
                return None;
            }
            let range = arguments.range();
            let inside = self.code.get(range.start().to_usize() + 1..range.end().to_usize() - 1)?;
            self.found.calls.push(inside.into());
            return Some(Term::Call(self.found.calls.len() - 1));
        }
        let [argument] = &*arguments.args else { return None };
        if !arguments.keywords.is_empty() {
            return None;
        }
        let wrap: fn(Box<Term>) -> Term = match function {
            Expr::Name(name) => match name.id.as_str() {
                "abs" => Term::Absolute,
                "len" => Term::Length,
                "list" => Term::List,
                "tuple" => Term::Tuple,
                "set" => Term::Set,
                "sorted" => Term::Sorted,
                _ => return None,
            },
            other if is_of_math(other, "fabs") => Term::Absolute,
            _ => return None,
        };
        Some(wrap(Box::new(self.term(argument)?)))
    }
}

fn is_of_math(function: &Expr, member: &str) -> bool {
    let Expr::Attribute(attribute) = function else { return false };
    attribute.attr.as_str() == member && matches!(&*attribute.value, Expr::Name(name) if name.id.as_str() == "math")
}

fn comparison(operator: CmpOp, right: &Expr) -> Option<Comparison> {
    let single = || matches!(right, Expr::NoneLiteral(_) | Expr::BooleanLiteral(_));
    Some(match operator {
        CmpOp::Eq => Comparison::Equal,
        CmpOp::NotEq => Comparison::Different,
        CmpOp::Lt => Comparison::Less,
        CmpOp::LtE => Comparison::AtMost,
        CmpOp::Gt => Comparison::Greater,
        CmpOp::GtE => Comparison::AtLeast,
        CmpOp::Is if single() => Comparison::Same,
        CmpOp::IsNot if single() => Comparison::NotSame,
        CmpOp::In => Comparison::In,
        CmpOp::NotIn => Comparison::NotIn,
        CmpOp::Is | CmpOp::IsNot => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "\
import math
METADATA = {'author': 'x'}
def check(candidate):
    'doc'
    assert candidate([1, 2], k=-1) == (3, 'a'), 'message'
    assert abs(candidate(1.33) - 0.33) < 1e-6
    assert not candidate('x')
    assert tuple(candidate([1])) == tuple(solution([1]))
    assert candidate(2) is None
    assert math.isclose(candidate(2), 0.5, rel_tol=0.01)
    assert True
    print
    for x in range(3):
        assert candidate(x) == x
    assert candidate(open('x')) == 1
    assert other(1) == 1
check(solution)
";

    #[test]
    fn calls_and_comparisons_are_told_apart_and_the_rest_is_named() {
        let found = assertions(CODE, "solution").unwrap();
        let calls: Vec<&str> = found.calls.iter().map(|call| &**call).collect();
        assert_eq!(calls, ["[1, 2], k=-1", "1.33", "'x'", "[1]", "[1]", "2", "2"]);
        assert_eq!(found.split.iter().map(|split| split.line).collect::<Vec<_>>(), [5, 6, 7, 8, 9, 10, 11]);
        assert_eq!(found.whole, [13, 15, 16]);
        let expected = Plain::Tuple(vec![Plain::Int("3".into()), Plain::Text("a".into())]);
        assert_eq!(found.split[0].check, Check::Compared(Term::Call(0), Comparison::Equal, Term::Value(expected)));
    }

    #[test]
    fn assertions_without_a_check_are_read_as_they_stand() {
        let found = assertions("assert f(1) == 2\nassert 0 < f(2) < 9\n", "f").unwrap();
        assert_eq!((found.calls.len(), found.split.len(), found.whole.len()), (2, 2, 0));
        assert!(matches!(&found.split[1].check, Check::All(parts) if parts.len() == 2));
        // A function that is replaced is not the one under test.
        assert_eq!(assertions("f = 1\nassert f(1) == 2\n", "f").unwrap().whole, [1]);
    }

    #[test]
    fn an_answer_must_be_one_expression() {
        let split = |answer: &str| assertion("[1, 2]", answer, "");
        assert!(split("[1, 2.0]").is_some_and(|(found, called)| found.calls.is_empty() && called.is_none()));
        let (found, called) = split("f('a', 3)").unwrap();
        assert_eq!((&*found.calls[0], called.as_deref()), ("'a', 3", Some("f")));
        for bad in ["", "1; import os", "1\nassert True", "x", "1) or (2", "f(g(1))", "f(x)", "# 1"] {
            assert!(split(bad).is_none(), "{bad:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,60}") {
            let _ = assertions(&text, "f");
            let _ = assertion("1", &text, "");
        }
    }
}
