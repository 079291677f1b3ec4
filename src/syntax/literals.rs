//! Numeric literals of a program.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ModModule, Number};
use ruff_text_size::{Ranged, TextRange};

use super::shape::{Lines, within};

/// One numeric literal, without its sign (a sign is an operator in Python).
#[derive(Debug, Clone, PartialEq)]
pub struct Literal {
    /// Value; infinite for an integer beyond doubles.
    pub value: f64,
    /// True when it is written as an integer.
    pub integer: bool,
    /// As written.
    pub text: String,
    /// Line from 1.
    pub line: usize,
}

/// All numeric literals outside `signature`, in the order of the text. The imaginary part counts as
/// a literal of its size.
pub(super) fn literals(source: &str, module: &ModModule, signature: Option<TextRange>) -> Vec<Literal> {
    let mut collector = Collector { source, lines: Lines::of(source), signature, found: Vec::new() };
    module.body.iter().for_each(|statement| collector.visit_stmt(statement));
    collector.found.sort_by_key(|(start, _)| *start);
    collector.found.into_iter().map(|(_, literal)| literal).collect()
}

struct Collector<'s> {
    source: &'s str,
    lines: Lines,
    signature: Option<TextRange>,
    found: Vec<(usize, Literal)>,
}

impl<'a> Visitor<'a> for Collector<'_> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::NumberLiteral(literal) = expression {
            let range = literal.range();
            if !self.signature.is_some_and(|signature| within(range, signature)) {
                let (value, integer) = match &literal.value {
                    Number::Int(integer) => (integer.to_string().parse().unwrap_or(f64::INFINITY), true),
                    Number::Float(value) => (*value, false),
                    Number::Complex { imag, .. } => (*imag, false),
                };
                let start = range.start().to_usize();
                let text = self.source.get(start..range.end().to_usize()).unwrap_or_default().to_owned();
                self.found.push((start, Literal { value, integer, text, line: self.lines.at(start) }));
            }
        }
        visitor::walk_expr(self, expression);
    }
}

#[cfg(test)]
mod tests {
    use super::super::shape::shape;

    #[test]
    fn literals_of_the_signature_do_not_count() {
        let source = "k = 1_000\ndef solve(x=2.5):\n    return {'1': {'value': -x * 3e-2 + 0x10 + 2j}}\n";
        let found = shape(source).unwrap().literals;
        let told: Vec<_> = found.iter().map(|l| (l.text.as_str(), l.value, l.integer, l.line)).collect();
        assert_eq!(
            told,
            [("1_000", 1000.0, true, 1), ("3e-2", 0.03, false, 3), ("0x10", 16.0, true, 3), ("2j", 2.0, false, 3)]
        );
    }
}
