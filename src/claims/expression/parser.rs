//! From text to tree. Errors name the column.

use super::functions::FUNCTIONS;
use super::tree::{Expression, Node, Operator, Pattern, Selection, Step, Table};

/// Nesting beyond this is refused, so that no ledger can exhaust the stack.
const DEPTH: usize = 40;
/// Longer texts are refused.
const LENGTH: usize = 4000;

/// A mistake in an expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {what}")]
pub struct ParseError {
    /// Character in the text, from 1.
    pub column: usize,
    /// What was found or is missing.
    pub what: String,
}

type Result<T> = std::result::Result<T, ParseError>;

/// Reads an expression.
///
/// ```
/// use repro::claims::expression::parse;
/// assert!(parse("max(accuracy-mean-sd.mean{model=*, set=core}) - 1").is_ok());
/// assert_eq!(parse("1 +").unwrap_err().column, 4);
/// ```
pub fn parse(text: &str) -> Result<Expression> {
    let mut parser = Parser { text: text.chars().collect(), at: 0, depth: 0 };
    if parser.text.len() > LENGTH {
        return parser.fail(format!("the expression is longer than {LENGTH} characters"));
    }
    let node = parser.conjunction()?;
    parser.blanks();
    match parser.peek() {
        None => Ok(Expression { text: text.to_owned(), node }),
        Some(c) => parser.fail(format!("unexpected `{c}`")),
    }
}

struct Parser {
    text: Vec<char>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn fail<T>(&self, what: impl Into<String>) -> Result<T> {
        Err(ParseError { column: self.at + 1, what: what.into() })
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Takes `symbol` after blanks, if it is next.
    fn take(&mut self, symbol: &str) -> bool {
        self.blanks();
        let fits = symbol.chars().enumerate().all(|(i, c)| self.text.get(self.at + i) == Some(&c));
        if fits {
            self.at += symbol.chars().count();
        }
        fits
    }

    fn expect(&mut self, symbol: &str) -> Result<()> {
        if self.take(symbol) {
            return Ok(());
        }
        match self.peek() {
            Some(c) => self.fail(format!("expected `{symbol}`, found `{c}`")),
            None => self.fail(format!("expected `{symbol}`, but the expression ends")),
        }
    }

    fn conjunction(&mut self) -> Result<Node> {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.fail("nested too deeply");
        }
        let mut node = self.comparison()?;
        while self.word_ahead("and") {
            self.at += 3;
            node = binary(Operator::And, node, self.comparison()?);
        }
        self.depth -= 1;
        Ok(node)
    }

    fn word_ahead(&mut self, word: &str) -> bool {
        self.blanks();
        let end = self.at + word.len();
        self.text.get(self.at..end).is_some_and(|ahead| ahead.iter().collect::<String>() == word)
            && !self.text.get(end).is_some_and(|c| c.is_alphanumeric())
    }

    fn comparison(&mut self) -> Result<Node> {
        let mut left = self.sum()?;
        let mut whole: Option<Node> = None;
        while let Some(operator) = self.comparator() {
            let right = self.sum()?;
            let link = binary(operator, left, right.clone());
            whole = Some(match whole {
                Some(before) => binary(Operator::And, before, link),
                None => link,
            });
            left = right;
        }
        Ok(whole.unwrap_or(left))
    }

    fn comparator(&mut self) -> Option<Operator> {
        let table = [
            ("<=", Operator::AtMost),
            (">=", Operator::AtLeast),
            ("!=", Operator::Unequal),
            ("<", Operator::Less),
            (">", Operator::Greater),
            ("=", Operator::Equal),
        ];
        table.into_iter().find(|(symbol, _)| self.take(symbol)).map(|(_, operator)| operator)
    }

    fn sum(&mut self) -> Result<Node> {
        let mut node = self.product()?;
        loop {
            if self.take("+") {
                node = binary(Operator::Add, node, self.product()?);
            } else if self.take("-") {
                node = binary(Operator::Subtract, node, self.product()?);
            } else {
                return Ok(node);
            }
        }
    }

    fn product(&mut self) -> Result<Node> {
        let mut node = self.signed()?;
        loop {
            if self.take("*") {
                node = binary(Operator::Multiply, node, self.signed()?);
            } else if self.take("/") {
                node = binary(Operator::Divide, node, self.signed()?);
            } else {
                return Ok(node);
            }
        }
    }

    fn signed(&mut self) -> Result<Node> {
        if self.take("-") { Ok(Node::Negate(Box::new(self.atom()?))) } else { self.atom() }
    }

    fn atom(&mut self) -> Result<Node> {
        self.blanks();
        match self.peek() {
            None => self.fail("a value is missing"),
            Some('(') => {
                self.at += 1;
                let node = self.conjunction()?;
                self.expect(")")?;
                Ok(node)
            }
            Some('[') => {
                self.at += 1;
                Ok(Node::List(self.until("]")?))
            }
            Some('"') => Ok(Node::Word(self.quoted()?)),
            Some(c) if c.is_ascii_digit() => self.number(),
            Some(c) if c.is_alphabetic() => self.named(),
            Some(c) => self.fail(format!("unexpected `{c}`")),
        }
    }

    /// Values separated by commas up to `close`.
    fn until(&mut self, close: &str) -> Result<Vec<Node>> {
        let mut nodes = Vec::new();
        if self.take(close) {
            return Ok(nodes);
        }
        loop {
            nodes.push(self.conjunction()?);
            if !self.take(",") {
                break;
            }
        }
        self.expect(close)?;
        Ok(nodes)
    }

    fn quoted(&mut self) -> Result<String> {
        let start = self.at + 1;
        let length = self.text[start..].iter().position(|&c| c == '"');
        let Some(length) = length else {
            return self.fail("the quotation never ends");
        };
        self.at = start + length + 1;
        Ok(self.text[start..start + length].iter().collect())
    }

    fn number(&mut self) -> Result<Node> {
        let start = self.at;
        while let Some(c) = self.peek() {
            let sign = matches!(c, '-' | '+') && matches!(self.text[self.at - 1], 'e' | 'E') && self.at > start;
            if c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E') || sign {
                self.at += 1;
            } else {
                break;
            }
        }
        let text: String = self.text[start..self.at].iter().collect();
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Node::Number(value)),
            _ => {
                self.at = start;
                self.fail(format!("`{text}` is no number"))
            }
        }
    }

    /// Letters, digits and what joins them: hyphens, underscores, points, colons, percent signs.
    fn path(&mut self) -> String {
        let start = self.at;
        while let Some(c) = self.peek() {
            let joins =
                matches!(c, '-' | '.' | ':' | '+') && self.text.get(self.at + 1).is_some_and(|n| n.is_alphanumeric());
            if c.is_alphanumeric() || matches!(c, '_' | '%') || joins {
                self.at += 1;
            } else {
                break;
            }
        }
        self.text[start..self.at].iter().collect()
    }

    fn named(&mut self) -> Result<Node> {
        let start = self.at;
        let path = self.path();
        if let Some(id) = path.strip_prefix("claim:") {
            let index = if self.take("[") { self.index()? } else { 0 };
            return Ok(Node::Claim(id.to_owned(), index));
        }
        if path == "input" || path.starts_with("input.") {
            return self.input(&path);
        }
        if self.peek() == Some('(') {
            if !FUNCTIONS.contains(&path.as_str()) {
                self.at = start;
                return self.fail(format!("unknown function `{path}`"));
            }
            self.at += 1;
            return Ok(Node::Call(path, self.until(")")?));
        }
        self.selection(&path)
    }

    fn index(&mut self) -> Result<usize> {
        let Node::Number(number) = self.number()? else { return self.fail("expected a position") };
        self.expect("]")?;
        Ok(number as usize)
    }

    fn input(&mut self, path: &str) -> Result<Node> {
        let mut steps: Vec<Step> = path.split('.').skip(1).map(|member| Step::Member(member.to_owned())).collect();
        loop {
            if self.peek() == Some('[') {
                self.at += 1;
                steps.push(Step::Item(self.index()?));
            } else if self.peek() == Some('.') {
                self.at += 1;
                let member = if self.peek() == Some('"') { self.quoted()? } else { self.path() };
                steps.push(Step::Member(member));
            } else {
                return Ok(Node::Input(steps));
            }
        }
    }

    fn selection(&mut self, path: &str) -> Result<Node> {
        let (published, rest) = match path.strip_prefix("published:") {
            Some(rest) => (true, rest.to_owned()),
            None => (false, path.to_owned()),
        };
        let (id, measure) = if self.peek() == Some('.') {
            self.at += 1;
            if self.peek() != Some('"') {
                return self.fail("expected a measure after the point");
            }
            (rest, self.quoted()?)
        } else {
            match rest.rsplit_once('.') {
                Some((id, measure)) => (id.to_owned(), measure.to_owned()),
                None if published => return self.fail("expected a column after the table"),
                None => return Ok(Node::Word(rest)),
            }
        };
        let keys = if self.peek() == Some('{') { self.keys()? } else { Vec::new() };
        let table = if published { Table::Published(id) } else { Table::Statistic(id) };
        Ok(Node::Select(Selection { table, measure, keys }))
    }

    fn keys(&mut self) -> Result<Vec<(String, Pattern)>> {
        let mut keys: Vec<(String, Pattern)> = Vec::new();
        self.expect("{")?;
        if self.take("}") {
            return Ok(keys);
        }
        loop {
            self.blanks();
            let key = if self.peek() == Some('"') { self.quoted()? } else { self.path() };
            if key.is_empty() {
                return self.fail("expected a key");
            }
            if keys.iter().any(|(known, _)| *known == key) {
                return self.fail(format!("key `{key}` twice"));
            }
            self.expect("=")?;
            keys.push((key, self.pattern()?));
            if !self.take(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(keys)
    }

    fn pattern(&mut self) -> Result<Pattern> {
        if self.take("*") {
            return Ok(Pattern::Any);
        }
        let not = self.take("!");
        let mut words = vec![self.key_word()?];
        while self.take("|") {
            words.push(self.key_word()?);
        }
        Ok(if not { Pattern::NoneOf(words) } else { Pattern::OneOf(words) })
    }

    fn key_word(&mut self) -> Result<String> {
        self.blanks();
        if self.peek() == Some('"') {
            return self.quoted();
        }
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '%' | '+' | '@' | '$')) {
            self.at += 1;
        }
        if self.at == start {
            return self.fail("expected the value of a key");
        }
        Ok(self.text[start..self.at].iter().collect())
    }
}

fn binary(operator: Operator, left: Node, right: Node) -> Node {
    Node::Binary(operator, Box::new(left), Box::new(right))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn node(text: &str) -> Node {
        parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).node
    }

    #[test]
    fn a_selection_has_table_measure_and_patterns() {
        let Node::Select(selection) = node("accuracy-mean-sd.mean{model=*, set=core, family=a|b, run=!1}") else {
            panic!("no selection")
        };
        assert_eq!(selection.table, Table::Statistic("accuracy-mean-sd".into()));
        assert_eq!(selection.measure, "mean");
        assert_eq!(selection.to_string(), "accuracy-mean-sd.mean{model=*, set=core, family=a|b, run=!1}");
        let published = node("published:F17_solve_matrix.\"gpt-5.5 (reasoning)\"{id=\"a b\"}");
        assert_eq!(published, node("published:F17_solve_matrix.\"gpt-5.5 (reasoning)\"{ id = \"a b\" }"));
    }

    #[test]
    fn hyphens_join_names_and_blanks_make_them_minus() {
        assert_eq!(
            node("wilson-low(1, 2)"),
            Node::Call("wilson-low".into(), vec![Node::Number(1.0), Node::Number(2.0)])
        );
        assert!(matches!(node("a.b - c.d"), Node::Binary(Operator::Subtract, ..)));
        assert!(matches!(node("-1.5e-3"), Node::Negate(_)));
    }

    #[test]
    fn comparisons_chain_and_inputs_have_paths() {
        assert!(matches!(node("0.7 <= input.a[0] / input.\"Opus 5\"[1] < 0.85"), Node::Binary(Operator::And, ..)));
        assert!(matches!(node("input.x = 1 and input.y = 2"), Node::Binary(Operator::And, ..)));
        assert_eq!(node("claim:core.a-direct.model-a.run1[2]"), Node::Claim("core.a-direct.model-a.run1".into(), 2));
    }

    #[test]
    fn mistakes_name_their_column() {
        for (text, column) in [
            ("", 1),
            ("1 +", 4),
            ("nope(1)", 1),
            ("max(1", 6),
            ("a.b{model}", 10),
            ("a.b{model=x, model=y}", 19),
            ("1 2", 3),
            ("\"abc", 1),
            ("a.b{=x}", 5),
            ("1e", 1),
        ] {
            assert_eq!(parse(text).unwrap_err().column, column, "{text}");
        }
        assert!(parse(&"(".repeat(100)).unwrap_err().what.contains("deeply"));
        assert!(parse(&"1+".repeat(5000)).is_err());
    }

    proptest! {
        #[test]
        fn any_text_parses_or_is_refused(text in "[a-z(){}\\[\\]<>=!*/+\\-.,:|\"0-9 ]{0,40}") {
            let _ = parse(&text);
        }

        #[test]
        fn any_characters_are_survived(text in "\\PC{0,40}") {
            let _ = parse(&text);
        }
    }
}
