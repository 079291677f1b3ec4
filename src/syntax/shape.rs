//! The facts of one program.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprContext, ModModule, Number, Stmt, StmtFunctionDef, UnaryOp};
use ruff_text_size::{Ranged, TextRange};

use super::answers::{Answer, answers};
use super::literals::{Literal, literals};

/// Why a text is not a program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct Fault {
    /// Line from 1.
    pub line: usize,
    /// What the parser says.
    pub what: String,
}

/// The default of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Default {
    /// A number, with its sign; `integer` when it is written without point and exponent.
    Number {
        /// The value.
        value: f64,
        /// True for an integer literal.
        integer: bool,
    },
    /// `True`, `False`, `None` or a text.
    OtherLiteral,
    /// Anything that is computed.
    Computed,
    /// No default: `solve()` cannot be called without arguments.
    Absent,
}

/// A parameter of `solve`.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Name.
    pub name: String,
    /// Default value.
    pub default: Default,
    /// False when the body never reads it.
    pub read: bool,
    /// False for a positional-only parameter, which cannot be passed by name.
    pub by_name: bool,
}

/// What one program says about itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Parameters of `solve` in order; `None` without a top-level `def solve`.
    pub parameters: Option<Vec<Parameter>>,
    /// Numeric literals outside the signature of `solve`, in the order of the text.
    pub literals: Vec<Literal>,
    /// Top-level names of the imported modules, sorted.
    pub imports: Vec<String>,
    /// Entries of the dictionaries that `solve` returns, as far as they are written in the program.
    pub answers: Vec<Answer>,
}

/// Longest source that is read. What models write has a few kilobytes.
const LONGEST: usize = 64 << 10;
/// Stack for reading: parser, visitors and the tree itself go as deep as the text does, and
/// a text of the longest length can be one level per byte (`----1`). Only what is used is committed.
const STACK: usize = 512 << 20;

/// Reads the facts off `source`. Safe for any text: it runs on a stack that no source can exhaust.
pub fn shape(source: &str) -> Result<Shape, Fault> {
    with_module(source, |module, _| {
        let solve = find_solve(module);
        let signature = solve.map(|solve| solve.parameters.range());
        Shape {
            parameters: solve.map(parameters),
            literals: literals(source, module, signature),
            imports: imports(module),
            answers: solve.map(|solve| answers(module, solve)).unwrap_or_default(),
        }
    })
}

/// Parses `source` and reads its tree, on a stack that no source can exhaust.
pub(super) fn with_module<T>(source: &str, read: impl FnOnce(&ModModule, &Lines) -> T) -> Result<T, Fault> {
    if source.len() > LONGEST {
        return Err(Fault { line: 1, what: format!("the text is longer than {LONGEST} bytes") });
    }
    let parse = || {
        let lines = Lines::of(source);
        let parsed = ruff_python_parser::parse_module(source).map_err(|error| Fault {
            line: lines.at(error.location.start().to_usize()),
            what: error.error.to_string(),
        })?;
        Ok(read(parsed.syntax(), &lines))
    };
    // A stack of its own and not a thread of its own: an archive has tens of thousands of short texts, and on a busy machine
    // each thread would wait to be scheduled.
    let read = std::panic::AssertUnwindSafe(|| stacker::grow(STACK, parse));
    std::panic::catch_unwind(read)
        .unwrap_or_else(|_| Err(Fault { line: 1, what: "the parser gave up, or had no memory".to_owned() }))
}

/// Where lines begin.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn of(source: &str) -> Self {
        Self(memchr::memchr_iter(b'\n', source.as_bytes()).collect())
    }

    /// Line of a byte offset, from 1.
    pub(super) fn at(&self, offset: usize) -> usize {
        self.0.partition_point(|&end| end < offset) + 1
    }
}

/// The last top-level `def solve`, which is the one that is called.
fn find_solve(module: &ModModule) -> Option<&StmtFunctionDef> {
    module.body.iter().rev().find_map(|statement| match statement {
        Stmt::FunctionDef(function) if function.name.as_str() == "solve" => Some(function),
        _ => None,
    })
}

fn parameters(solve: &StmtFunctionDef) -> Vec<Parameter> {
    let mut reads = Reads::default();
    solve.body.iter().for_each(|statement| reads.visit_stmt(statement));
    let signature = &solve.parameters;
    let positional = signature.posonlyargs.len();
    let all = signature.posonlyargs.iter().chain(&signature.args).chain(&signature.kwonlyargs);
    all.enumerate()
        .map(|(index, parameter)| {
            let name = parameter.parameter.name.to_string();
            let read = reads.names.contains(name.as_str()) || reads.everything;
            let default = parameter.default.as_deref().map_or(Default::Absent, default);
            Parameter { name, default, read, by_name: index >= positional }
        })
        .collect()
}

fn default(expression: &Expr) -> Default {
    match expression {
        Expr::BooleanLiteral(_) | Expr::NoneLiteral(_) | Expr::StringLiteral(_) => Default::OtherLiteral,
        _ => match number(expression) {
            Some((value, integer)) => Default::Number { value, integer },
            None => Default::Computed,
        },
    }
}

/// Value of a numeric literal with any number of signs, and whether it is an integer.
pub(super) fn number(expression: &Expr) -> Option<(f64, bool)> {
    match expression {
        Expr::NumberLiteral(literal) => match &literal.value {
            Number::Int(integer) => Some((integer.to_string().parse().unwrap_or(f64::INFINITY), true)),
            Number::Float(value) => Some((*value, false)),
            Number::Complex { .. } => None,
        },
        Expr::UnaryOp(unary) => {
            let (value, integer) = number(&unary.operand)?;
            match unary.op {
                UnaryOp::USub => Some((-value, integer)),
                UnaryOp::UAdd => Some((value, integer)),
                UnaryOp::Invert | UnaryOp::Not => None,
            }
        }
        _ => None,
    }
}

/// Names that are read; `locals()` and the like read everything.
#[derive(Debug, Default)]
struct Reads<'a> {
    names: BTreeSet<&'a str>,
    everything: bool,
}

impl<'a> Visitor<'a> for Reads<'a> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression
            && matches!(name.ctx, ExprContext::Load)
        {
            let name = name.id.as_str();
            self.everything |= matches!(name, "locals" | "vars" | "eval" | "exec");
            self.names.insert(name);
        }
        visitor::walk_expr(self, expression);
    }

    fn visit_stmt(&mut self, statement: &'a Stmt) {
        // `x += 1` reads x although its target is a store.
        if let Stmt::AugAssign(assignment) = statement
            && let Expr::Name(name) = &*assignment.target
        {
            self.names.insert(name.id.as_str());
        }
        visitor::walk_stmt(self, statement);
    }
}

fn imports(module: &ModModule) -> Vec<String> {
    let mut found = Imports::default();
    module.body.iter().for_each(|statement| found.visit_stmt(statement));
    found.0.into_iter().collect()
}

#[derive(Debug, Default)]
struct Imports(BTreeSet<String>);

impl Imports {
    fn add(&mut self, path: &str) {
        self.0.insert(path.split('.').next().unwrap_or(path).to_owned());
    }
}

impl<'a> Visitor<'a> for Imports {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Import(import) => import.names.iter().for_each(|alias| self.add(alias.name.as_str())),
            Stmt::ImportFrom(import) => {
                if let Some(name) = &import.module {
                    self.add(name.as_str());
                }
            }
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }
}

/// True when `range` lies within `outer`.
pub(super) fn within(range: TextRange, outer: TextRange) -> bool {
    outer.start() <= range.start() && range.end() <= outer.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_read_with_its_defaults() {
        let source = "import os.path\ndef solve(a=-2, /, b=1.5e3, *, c='x', d=1+1, e: int = 7, f=None):\n    from math import pi\n    e += b\n    return {'1': e * a}\n";
        let shape = shape(source).unwrap();
        let parameters = shape.parameters.unwrap();
        let told: Vec<_> = parameters.iter().map(|p| (p.name.as_str(), p.default.clone(), p.read, p.by_name)).collect();
        let number = |value, integer| Default::Number { value, integer };
        assert_eq!(
            told,
            [
                ("a", number(-2.0, true), true, false),
                ("b", number(1500.0, false), true, true),
                ("c", Default::OtherLiteral, false, true),
                ("d", Default::Computed, false, true),
                ("e", number(7.0, true), true, true),
                ("f", Default::OtherLiteral, false, true),
            ]
        );
        assert_eq!(shape.imports, ["math", "os"]);
    }

    #[test]
    fn what_is_no_program_is_a_fault_with_a_line() {
        assert_eq!(shape("x = 1\ndef solve(:\n").unwrap_err().line, 2);
        assert_eq!(shape("x = 1\n").unwrap().parameters, None);
    }

    #[test]
    fn deep_texts_neither_crash_nor_hang() {
        let deep = 30_000;
        for text in [
            format!("x = {}1{}", "(".repeat(deep), ")".repeat(deep)),
            format!("x = {}1", "-".repeat(deep)),
            format!("x = {}1", "1 + ".repeat(deep / 2)),
            format!("x = {}1", "not ".repeat(deep / 4)),
            format!("x = a{}", ".b".repeat(deep)),
            format!("x = {}1", "lambda: ".repeat(deep / 8)),
        ] {
            let _ = shape(&text);
        }
        assert!(shape(&"#".repeat(LONGEST + 1)).is_err());
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,80}") {
            let _ = shape(&text);
        }
    }
}
