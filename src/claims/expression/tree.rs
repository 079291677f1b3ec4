//! What an expression says, as a tree.

use std::fmt;

/// A parsed expression with the text it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// As written.
    pub text: String,
    /// What it means.
    pub node: Node,
}

/// A node of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// A number.
    Number(f64),
    /// A word, for `argmax`, `rank` and claims whose printed value is a word.
    Word(String),
    /// A printed count of the claim.
    Input(Vec<Step>),
    /// A printed number of another claim of the ledger, from 0.
    Claim(String, usize),
    /// Facts, or cells of a published table.
    Select(Selection),
    /// `-a`
    Negate(Box<Node>),
    /// `a op b`
    Binary(Operator, Box<Node>, Box<Node>),
    /// `name(...)`
    Call(String, Vec<Node>),
    /// `[a, b]`
    List(Vec<Node>),
}

/// A step into the inputs of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Member of an object.
    Member(String),
    /// Item of a list, from 0.
    Item(usize),
}

/// An operator between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the symbols say what they are")]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Unequal,
    And,
}

/// Facts or cells that fit a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// Where to look.
    pub table: Table,
    /// Measure of the statistic, or column of the table.
    pub measure: String,
    /// Patterns by key, in the order written.
    pub keys: Vec<(String, Pattern)>,
}

/// Where a selection looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Table {
    /// A statistic by id.
    Statistic(String),
    /// A published CSV by its file name without extension.
    Published(String),
}

/// What a key may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// Anything; the key runs.
    Any,
    /// One of these; the key runs when there are several or a group (`@reasoning`).
    OneOf(Vec<String>),
    /// None of these; the key runs.
    NoneOf(Vec<String>),
}

impl Pattern {
    /// True when a selection may hold several values of the key.
    pub fn runs(&self) -> bool {
        match self {
            Self::Any | Self::NoneOf(_) => true,
            Self::OneOf(words) => words.len() != 1 || words[0].starts_with('@'),
        }
    }
}

impl Node {
    /// All selections in the tree.
    pub fn selections(&self) -> Vec<&Selection> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    /// Whether it refers to a printed count of its own claim.
    pub fn asks_inputs(&self) -> bool {
        match self {
            Self::Input(_) => true,
            Self::Negate(inner) => inner.asks_inputs(),
            Self::Binary(_, left, right) => left.asks_inputs() || right.asks_inputs(),
            Self::Call(_, nodes) | Self::List(nodes) => nodes.iter().any(Self::asks_inputs),
            Self::Number(_) | Self::Word(_) | Self::Claim(..) | Self::Select(_) => false,
        }
    }

    fn collect<'a>(&'a self, found: &mut Vec<&'a Selection>) {
        match self {
            Self::Select(selection) => found.push(selection),
            Self::Negate(inner) => inner.collect(found),
            Self::Binary(_, left, right) => {
                left.collect(found);
                right.collect(found);
            }
            Self::Call(_, nodes) | Self::List(nodes) => nodes.iter().for_each(|node| node.collect(found)),
            Self::Number(_) | Self::Word(_) | Self::Input(_) | Self::Claim(..) => {}
        }
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.table {
            Table::Statistic(id) => write!(f, "{id}.{}", self.measure)?,
            Table::Published(id) => write!(f, "published:{id}.{}", self.measure)?,
        }
        if self.keys.is_empty() {
            return Ok(());
        }
        let keys: Vec<String> = self.keys.iter().map(|(key, pattern)| format!("{key}={pattern}")).collect();
        write!(f, "{{{}}}", keys.join(", "))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::OneOf(words) => f.write_str(&words.join("|")),
            Self::NoneOf(words) => write!(f, "!{}", words.join("|")),
        }
    }
}
