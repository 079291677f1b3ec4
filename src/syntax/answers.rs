//! How a program holds its answers: written down, computed from constants, or computed.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::statement_visitor::{self, StatementVisitor};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprContext, ModModule, Stmt, StmtFunctionDef};
use serde::Serialize;

use super::shape::number;

/// How one answer is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Held {
    /// The number itself is written in the program.
    Literal,
    /// Computed, but from constants only: no input can move it.
    Constant,
    /// Depends on something that is not a constant.
    Computed,
}

/// An entry of a returned dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Its key, when it is a literal; else empty.
    pub key: String,
    /// How its value is held.
    pub held: Held,
}

/// Entries of all dictionaries that `solve` itself returns, as far as they are displays in the text.
pub(super) fn answers(module: &ModModule, solve: &StmtFunctionDef) -> Vec<Answer> {
    let mut bindings = Bindings::default();
    bindings.visit_body(&module.body);
    bindings.visit_body(&solve.body);
    let mut names = Names { bindings: &mut bindings };
    solve.body.iter().for_each(|statement| names.visit_stmt(statement));
    for parameter in solve.parameters.iter_non_variadic_params() {
        bindings.opaque(parameter.parameter.name.as_str());
    }
    let mut returns = Returns::default();
    returns.visit_body(&solve.body);
    let mut found = Vec::new();
    for expression in returns.0 {
        let Expr::Dict(dict) = bindings.resolve(expression) else { continue };
        for item in &dict.items {
            let key = item.key.as_ref().map(literal_key).unwrap_or_default();
            let value = value_of(bindings.resolve(&item.value));
            found.push(Answer { key, held: bindings.held(value, 0) });
        }
    }
    found
}

fn literal_key(key: &Expr) -> String {
    match key {
        Expr::StringLiteral(text) => text.value.to_str().to_owned(),
        other => number(other).map(|(value, _)| value.to_string()).unwrap_or_default(),
    }
}

/// Member `value` of an entry, or the entry itself.
fn value_of(entry: &Expr) -> &Expr {
    let Expr::Dict(dict) = entry else { return entry };
    let is_value = |key: &Expr| matches!(key, Expr::StringLiteral(text) if text.value.to_str() == "value");
    dict.items.iter().find(|item| item.key.as_ref().is_some_and(is_value)).map_or(entry, |item| &item.value)
}

/// What each name is assigned; `None` for a name that is bound in any other way than by one
/// plain assignment.
#[derive(Debug, Default)]
struct Bindings<'a> {
    assigned: BTreeMap<&'a str, Option<&'a Expr>>,
    // How each name is held, once known: names that share names would otherwise be followed again
    // and again.
    known: RefCell<BTreeMap<&'a str, Held>>,
}

/// Functions that give the same constant for the same constants.
const PURE: [&str; 10] = ["round", "float", "int", "abs", "min", "max", "sum", "pow", "str", "math"];
/// Names followed this deep; deeper ones count as computed.
const DEEPEST: usize = 20;

impl<'a> Bindings<'a> {
    fn opaque(&mut self, name: &'a str) {
        self.assigned.insert(name, None);
    }

    fn bind(&mut self, target: &'a Expr, value: &'a Expr) {
        match target {
            Expr::Name(name) => {
                let slot = self.assigned.entry(name.id.as_str());
                slot.and_modify(|bound| *bound = None).or_insert(Some(value));
            }
            other => self.opaque_all(other),
        }
    }

    fn opaque_all(&mut self, target: &'a Expr) {
        match target {
            Expr::Name(name) => self.opaque(name.id.as_str()),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|part| self.opaque_all(part)),
            Expr::List(list) => list.elts.iter().for_each(|part| self.opaque_all(part)),
            Expr::Starred(starred) => self.opaque_all(&starred.value),
            Expr::Subscript(subscript) => self.opaque_all(&subscript.value),
            Expr::Attribute(attribute) => self.opaque_all(&attribute.value),
            _ => {}
        }
    }

    /// Follows names that are assigned once.
    fn resolve(&self, mut expression: &'a Expr) -> &'a Expr {
        for _ in 0..DEEPEST {
            let Expr::Name(name) = expression else { break };
            let Some(Some(bound)) = self.assigned.get(name.id.as_str()) else { break };
            expression = bound;
        }
        expression
    }

    fn held_by_name(&self, name: &'a str, bound: &'a Expr, depth: usize) -> Held {
        if let Some(known) = self.known.borrow().get(name) {
            return *known;
        }
        let held = if depth < DEEPEST { self.held(bound, depth + 1) } else { Held::Computed };
        self.known.borrow_mut().insert(name, held);
        held
    }

    fn held(&self, expression: &'a Expr, depth: usize) -> Held {
        let resolved = self.resolve(expression);
        if number(resolved).is_some() {
            return Held::Literal;
        }
        if let Expr::Call(call) = resolved
            && let Expr::Name(function) = &*call.func
            && matches!(function.id.as_str(), "float" | "int" | "round")
            && call.arguments.args.first().is_some_and(|argument| self.held(argument, depth + 1) == Held::Literal)
        {
            return Held::Literal;
        }
        let mut loads = Loads::default();
        loads.visit_expr(resolved);
        let constant = |name: &&'a str| match self.assigned.get(name) {
            Some(Some(bound)) => self.held_by_name(name, bound, depth) != Held::Computed,
            Some(None) => false,
            None => PURE.contains(name),
        };
        if loads.0.iter().all(constant) && !loads.0.is_empty() || loads.0.is_empty() && is_arithmetic(resolved) {
            Held::Constant
        } else {
            Held::Computed
        }
    }
}

fn is_arithmetic(expression: &Expr) -> bool {
    match expression {
        Expr::BinOp(operation) => is_arithmetic(&operation.left) && is_arithmetic(&operation.right),
        Expr::UnaryOp(operation) => is_arithmetic(&operation.operand),
        other => number(other).is_some(),
    }
}

impl<'a> StatementVisitor<'a> for Bindings<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Assign(assignment) => {
                assignment.targets.iter().for_each(|target| self.bind(target, &assignment.value));
            }
            Stmt::AnnAssign(assignment) => match &assignment.value {
                Some(value) => self.bind(&assignment.target, value),
                None => self.opaque_all(&assignment.target),
            },
            Stmt::AugAssign(assignment) => self.opaque_all(&assignment.target),
            Stmt::For(loop_) => self.opaque_all(&loop_.target),
            Stmt::FunctionDef(function) => return self.opaque(function.name.as_str()),
            Stmt::ClassDef(class) => return self.opaque(class.name.as_str()),
            _ => {}
        }
        statement_visitor::walk_stmt(self, statement);
    }
}

/// Marks what expressions bind: comprehension variables and `:=`.
struct Names<'b, 'a> {
    bindings: &'b mut Bindings<'a>,
}

impl<'a> Visitor<'a> for Names<'_, 'a> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Named(named) => self.bindings.opaque_all(&named.target),
            Expr::ListComp(list) => list.generators.iter().for_each(|part| self.bindings.opaque_all(&part.target)),
            Expr::Generator(list) => list.generators.iter().for_each(|part| self.bindings.opaque_all(&part.target)),
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }
}

#[derive(Debug, Default)]
struct Loads<'a>(BTreeSet<&'a str>);

impl<'a> Visitor<'a> for Loads<'a> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression
            && matches!(name.ctx, ExprContext::Load)
        {
            self.0.insert(name.id.as_str());
        }
        visitor::walk_expr(self, expression);
    }
}

/// Returned expressions of a function, not of functions inside it.
#[derive(Debug, Default)]
struct Returns<'a>(Vec<&'a Expr>);

impl<'a> StatementVisitor<'a> for Returns<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Return(returned) => self.0.extend(returned.value.as_deref()),
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            other => statement_visitor::walk_stmt(self, other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shape::shape;
    use super::*;

    fn held(body: &str) -> Vec<Held> {
        let source = format!("import math\nG = 9.81\ndef solve(x=2.0):\n{body}");
        shape(&source).unwrap().answers.into_iter().map(|answer| answer.held).collect()
    }

    #[test]
    fn an_answer_that_is_written_down_is_found() {
        assert_eq!(
            held("    return {'1': {'value': -19.75, 'unit': 'K'}, '2': {'value': x * 2}}\n"),
            [Held::Literal, Held::Computed]
        );
        assert_eq!(held("    answer = 19.75\n    return {'1': {'value': answer}}\n"), [Held::Literal]);
        assert_eq!(held("    r = {'1': round(19.754, 2)}\n    return r\n"), [Held::Literal]);
    }

    #[test]
    fn an_answer_that_no_input_can_move_is_found() {
        assert_eq!(held("    return {'1': G * 2}\n"), [Held::Constant]);
        assert_eq!(held("    a = math.sqrt(2)\n    b = a + G\n    return {'1': round(b, 1)}\n"), [Held::Constant]);
        assert_eq!(held("    return {'1': 2 * 3.5}\n"), [Held::Constant]);
    }

    #[test]
    fn an_answer_that_anything_else_moves_is_computed() {
        assert_eq!(
            held("    a = 1.0\n    for i in range(3):\n        a = a * x\n    return {'1': a}\n"),
            [Held::Computed]
        );
        assert_eq!(held("    a = 1.0\n    a += x\n    return {'1': a}\n"), [Held::Computed]);
        assert_eq!(held("    x = x + 1\n    return {'1': x}\n"), [Held::Computed]);
        assert_eq!(held("    def inner():\n        return {'9': 1.0}\n    return inner()\n"), []);
        assert_eq!(held("    return {'1': sum(k for k in [x])}\n"), [Held::Computed]);
    }
}
