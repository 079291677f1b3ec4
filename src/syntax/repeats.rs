//! Programs that nothing but their text decides: executing them a second time can show nothing new.
//!
//! The rule is an allow-list. A program repeats itself when it imports only modules that compute, reads no name
//! through which a clock, chance, hashes, addresses, files or the interpreter's inside could come in, builds no
//! set whose order could be seen, and never writes a function or an object as text (which would show an address).
//! What the rule does not understand is executed twice, so a wrong "no" costs time and a wrong "yes" is what the
//! rule must not give.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    Alias, CmpOp, Comprehension, Expr, ExprContext, InterpolatedStringElement, ModModule, Operator, Stmt,
};

use super::shape::with_module;

/// Modules that compute and nothing else.
const COMPUTE: [&str; 19] = [
    "__future__",
    "bisect",
    "cmath",
    "collections",
    "copy",
    "dataclasses",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "heapq",
    "itertools",
    "json",
    "math",
    "numbers",
    "operator",
    "re",
    "string",
    "typing",
];

/// Names through which something else than the text could decide.
const REACH: [&str; 26] = [
    "__builtins__",
    "__import__",
    "breakpoint",
    "compile",
    "delattr",
    "dir",
    "eval",
    "exec",
    "exit",
    "frozenset",
    "getattr",
    "globals",
    "hash",
    "help",
    "id",
    "input",
    "license",
    "locals",
    "memoryview",
    "object",
    "open",
    "quit",
    "set",
    "setattr",
    "super",
    "vars",
];

/// Modules that the modules above hold under their own names, and members that read a clock or chance.
const INSIDE: [&str; 22] = [
    "builtins",
    "codecs",
    "environ",
    "gc",
    "getrandbits",
    "inspect",
    "io",
    "keyword",
    "now",
    "os",
    "path",
    "pickle",
    "random",
    "samples",
    "sys",
    "thread",
    "threading",
    "time",
    "today",
    "types",
    "warnings",
    "weakref",
];

/// Names that make text of a value.
const WRITERS: [&str; 4] = ["str", "repr", "format", "ascii"];

/// Functions that use up what they are given.
const CONSUMERS: [&str; 9] = ["sum", "max", "min", "any", "all", "list", "tuple", "sorted", "dict"];

/// Names of lazy objects, whose text is an address.
const LAZY: [&str; 6] = ["map", "filter", "zip", "iter", "reversed", "enumerate"];

/// True when two executions of `source` cannot differ, whatever the hash seed, the folder and the clock.
pub fn repeats(source: &str) -> bool {
    with_module(source, |module, _| {
        let mut reader = Reader::of(module);
        module.body.iter().for_each(|statement| reader.visit_stmt(statement));
        reader.repeats()
    })
    .unwrap_or(false)
}

#[derive(Default)]
struct Reader<'a> {
    /// Something that could decide otherwise was seen.
    reaches: bool,
    /// Functions and classes that the program defines.
    defined: BTreeSet<&'a str>,
    /// A function, class or lazy object is used as a value.
    as_value: bool,
    /// A value is written as text.
    writes: bool,
}

impl<'a> Reader<'a> {
    fn of(module: &'a ModModule) -> Self {
        let mut names = Definitions::default();
        module.body.iter().for_each(|statement| names.visit_stmt(statement));
        // An object of a class has an address for a text, unless nothing is written at all.
        Self { defined: names.found, as_value: names.classes, ..Self::default() }
    }

    const fn repeats(&self) -> bool {
        !(self.reaches || self.as_value && self.writes)
    }

    fn import(&mut self, name: &str) {
        self.reaches |= !COMPUTE.contains(&name);
    }

    fn member(&mut self, name: &str) {
        self.reaches |= name.starts_with('_') || INSIDE.contains(&name);
        self.writes |= name == "format";
    }

    /// An expression that is used up where it stands: what is lazy there is no value of its own.
    fn consumed(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Generator(generator) => {
                self.visit_expr(&generator.elt);
                generator.generators.iter().for_each(|part| self.visit_comprehension(part));
            }
            Expr::Call(call)
                if call.arguments.keywords.is_empty()
                    && matches!(&*call.func, Expr::Name(name) if LAZY.contains(&name.id.as_str())) =>
            {
                call.arguments.args.iter().for_each(|argument| self.consumed(argument));
            }
            other => self.visit_expr(other),
        }
    }

    fn imported(&mut self, alias: &Alias) {
        self.member(alias.name.as_str());
    }
}

impl<'a> Visitor<'a> for Reader<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Import(import) => import.names.iter().for_each(|alias| self.import(alias.name.as_str())),
            Stmt::ImportFrom(import) => {
                match (&import.module, import.level) {
                    (Some(module), 0) => self.import(module.as_str()),
                    _ => self.reaches = true,
                }
                import.names.iter().for_each(|alias| self.imported(alias));
            }
            Stmt::FunctionDef(function) => self.reaches |= function.is_async,
            Stmt::For(over) => {
                self.reaches |= over.is_async;
                self.visit_expr(&over.target);
                self.consumed(&over.iter);
                over.body.iter().chain(&over.orelse).for_each(|statement| self.visit_stmt(statement));
                return;
            }
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_comprehension(&mut self, part: &'a Comprehension) {
        self.consumed(&part.iter);
        self.visit_expr(&part.target);
        part.ifs.iter().for_each(|condition| self.visit_expr(condition));
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) => {
                let text = name.id.as_str();
                self.reaches |= REACH.contains(&text) || text.starts_with("__") && text != "__name__";
                self.writes |= WRITERS.contains(&text);
                let value = self.defined.contains(text) || LAZY.contains(&text) || WRITERS.contains(&text);
                self.as_value |= value && matches!(name.ctx, ExprContext::Load);
            }
            Expr::Attribute(attribute) => self.member(attribute.attr.as_str()),
            Expr::FString(text) => {
                self.writes |= text.value.elements().any(InterpolatedStringElement::is_interpolation);
            }
            Expr::TString(_) | Expr::Await(_) => self.reaches = true,
            Expr::BinOp(operation) => {
                let text = matches!(&*operation.left, Expr::StringLiteral(_) | Expr::FString(_) | Expr::Name(_));
                self.writes |= operation.op == Operator::Mod && text && !is_number(&operation.right);
            }
            Expr::Lambda(_) | Expr::Generator(_) | Expr::Yield(_) | Expr::YieldFrom(_) => self.as_value = true,
            Expr::Set(_) | Expr::SetComp(_) => self.reaches = true,
            // Whether something is in a set does not depend on its order.
            Expr::Compare(compare) => {
                self.visit_expr(&compare.left);
                for (operator, right) in compare.ops.iter().zip(&compare.comparators) {
                    match right {
                        Expr::Set(set) if matches!(operator, CmpOp::In | CmpOp::NotIn) => {
                            set.elts.iter().for_each(|item| self.visit_expr(item));
                        }
                        other => self.visit_expr(other),
                    }
                }
                return;
            }
            // What is called is no value of its own, and a generator that is the only argument is used up.
            Expr::Call(call) => {
                match &*call.func {
                    Expr::Name(name) => {
                        let text = name.id.as_str();
                        self.reaches |= REACH.contains(&text) || text.starts_with("__");
                        self.writes |= WRITERS.contains(&text);
                        self.as_value |= LAZY.contains(&text);
                    }
                    other => self.visit_expr(other),
                }
                let consumer = matches!(&*call.func, Expr::Name(name) if CONSUMERS.contains(&name.id.as_str()));
                for argument in &call.arguments.args {
                    if consumer { self.consumed(argument) } else { self.visit_expr(argument) }
                }
                call.arguments.keywords.iter().for_each(|keyword| self.visit_keyword(keyword));
                return;
            }
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }
}

fn is_number(expression: &Expr) -> bool {
    matches!(expression, Expr::NumberLiteral(_))
}

/// Functions and classes that a program defines, at any depth.
#[derive(Default)]
struct Definitions<'a> {
    found: BTreeSet<&'a str>,
    classes: bool,
}

impl<'a> Visitor<'a> for Definitions<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => {
                self.found.insert(function.name.as_str());
            }
            Stmt::ClassDef(class) => {
                self.found.insert(class.name.as_str());
                self.classes = true;
            }
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_only_computes_repeats_itself() {
        for source in [
            "import math\ndef solve(t=300.0):\n    e = 6.11 * math.exp(t / 10)\n    return {'1': {'value': round(e, 2), 'unit': 'K'}}\n",
            "def helper(x):\n    return x ** 2\ndef solve(n=10):\n    return {'1': sum(helper(k) for k in range(n) if k in {1, 2})}\n",
            "def solve(x=1.0):\n    if x < 0:\n        raise ValueError(f'bad {x}')\n    print('x')\n    return {'1': x % 2}\n",
            "from collections import OrderedDict\nimport json\ndef solve():\n    return OrderedDict([('1', json.loads('[1]')[0])])\n",
            "def solve():\n    return {'1': sorted([3, 1], key=lambda x: -x)[0]}\n",
            "while True:\n    pass\n",
            "def solve(a=[1, 2]):\n    s = 0\n    for i, (x, y) in enumerate(zip(a, a)):\n        s += i * x * y\n    if s < 0:\n        raise ValueError(f'{s:.2f}')\n    return {'1': s}\n",
        ] {
            assert!(repeats(source), "{source}");
        }
    }

    #[test]
    fn whatever_else_could_decide_is_seen() {
        for source in [
            "import time\ndef solve():\n    return {'1': time.time()}\n",
            "import random\nrandom.seed(1)\n",
            "from datetime import datetime\n",
            "import os\n",
            "import numpy as np\n",
            "from . import math\n",
            "import math.os\n",
            "from json import codecs\n",
            "import collections\nx = collections._sys.flags\n",
            "import statistics\nx = statistics.NormalDist().samples(3)\n",
            "x = hash('a')\n",
            "h = hash\n",
            "x = id([])\n",
            "x = ''.join({'a', 'b'})\n",
            "x = list(set('ab'))\n",
            "x = [k for k in {n for n in 'ab'}]\n",
            "x = __import__('time').time()\n",
            "x = getattr(1, 'real')\n",
            "x = ().__class__.__base__.__subclasses__()\n",
            "x = open('f')\n",
            "def f():\n    pass\nx = str(f)\n",
            "def f():\n    pass\nx = f'{f}'\n",
            "def f():\n    pass\nx = '%s' % f\n",
            "x = '{}'.format(lambda: 1)\n",
            "x = repr(map(abs, []))\n",
            "x = str(k for k in [])\n",
            "for k in map(str, [map(abs, [])]):\n    x = k\n",
            "class A:\n    pass\nx = str(A())\n",
            "write = str\nx = write(print)\n",
            "async def solve():\n    return {}\n",
            "def solve(:\n",
        ] {
            assert!(!repeats(source), "{source}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,80}") {
            let _ = repeats(&text);
        }
    }
}
