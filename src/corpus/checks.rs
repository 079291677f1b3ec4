//! Test code as the check of a problem, and how an answer becomes a program that it can judge.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Tests that decide whether a program is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tests {
    /// What stood before the answer: imports, signature, docstring, helpers.
    pub prompt: Arc<str>,
    /// Function that is called; empty where the test code names it itself.
    pub entry_point: Arc<str>,
    /// Test code. For [`Assembly::Assertion`] the literal that the answer must equal.
    pub code: Arc<str>,
    /// How an answer becomes a program, where its record says nothing else.
    pub assembly: Assembly,
    /// A right answer in the same form as a model's; put together with the tests it must pass (L1).
    pub reference: Option<Arc<str>>,
}

/// How an answer becomes a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assembly {
    /// The answer is the whole program.
    WholeFile,
    /// The answer defines the function; what stands in front of the function in the prompt (imports, helpers) is
    /// still needed, so the prompt goes before it. This is also what human-eval does with every completion.
    Function,
    /// The answer is the indented body that continues the prompt.
    Body,
    /// The answer is an expression; the program is the prompt and `assert <code> == <answer>`.
    Assertion,
}

impl Tests {
    /// The program to run for an answer: the answer put together with the prompt, then the test code, then the call
    /// of `check` where an entry point is named and the test code defines it.
    pub fn program(&self, answer: &str, assembly: Option<Assembly>) -> String {
        let body = match assembly.unwrap_or(self.assembly) {
            Assembly::WholeFile => answer.to_owned(),
            Assembly::Function | Assembly::Body => format!("{}{answer}", self.prompt),
            Assembly::Assertion => return format!("{}\nassert {} == {answer}\n", self.prompt, self.code),
        };
        let call = match &*self.entry_point {
            entry if !entry.is_empty() && self.code.contains("def check(") => format!("check({entry})\n"),
            _ => String::new(),
        };
        format!("{body}\n{}\n{call}", self.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(assembly: Assembly) -> Tests {
        Tests {
            prompt: "def f(x):\n".into(),
            entry_point: "f".into(),
            code: "def check(c):\n    assert c(1) == 2\n".into(),
            assembly,
            reference: None,
        }
    }

    #[test]
    fn a_body_continues_the_prompt_and_a_whole_file_does_not_need_it() {
        let body = tests(Assembly::Body).program("    return x + 1\n", None);
        assert_eq!(body, "def f(x):\n    return x + 1\n\ndef check(c):\n    assert c(1) == 2\n\ncheck(f)\n");
        let whole = tests(Assembly::Body).program("f = lambda x: 2", Some(Assembly::WholeFile));
        assert!(whole.starts_with("f = lambda x: 2\ndef check(c):"));
    }

    #[test]
    fn an_assertion_compares_the_answer_with_the_stored_literal() {
        let tests = Tests { code: "[1]".into(), ..tests(Assembly::Assertion) };
        assert_eq!(tests.program("f(0)", None), "def f(x):\n\nassert [1] == f(0)\n");
    }
}
