//! Printed numbers of a passage: value, decimals as printed, unit, how they belong together, and which of
//! them are no claims, with the rule that decided.

mod relate;
mod rules;
mod scan;
mod spelled;

use super::model::Passage;

/// A printed number.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// Where it begins in the passage.
    pub start: usize,
    /// Where it ends there, its unit not included.
    pub end: usize,
    /// Where its unit ends.
    pub after: usize,
    /// Byte in the file.
    pub place: usize,
    /// As printed, without its unit (`1,308`, `+0.80`, `three`).
    pub text: String,
    /// Its value, before a factor of its unit.
    pub value: f64,
    /// Decimals as printed.
    pub decimals: i32,
    /// Its unit.
    pub unit: Unit,
    /// Words in front of it that say how it is meant.
    pub bound: Bound,
    /// How it belongs to its neighbours.
    pub role: Role,
    /// Why it is no claim.
    pub rule: Option<Rule>,
}

/// What follows a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// Nothing that changes it.
    None,
    /// `%`, percent.
    Percent,
    /// Percentage points.
    Points,
    /// `×`, fold, times.
    Times,
    /// `k`
    Thousand,
    /// `M`, million
    Million,
    /// A unit of measurement.
    Measure,
}

/// How a number is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// As it stands.
    Exact,
    /// `≥`, at least.
    AtLeast,
    /// `≤`, at most, up to.
    AtMost,
    /// `>`, more than, over.
    MoreThan,
    /// `<`, fewer than, under.
    LessThan,
    /// `≈`, about.
    About,
}

/// How a number belongs to its neighbours, which are given by their position in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It stands alone.
    Value,
    /// Behind `±`, of this one.
    Spread(usize),
    /// Lower end of a range or interval, with its upper end.
    Low(usize),
    /// Upper end, with its lower one.
    High(usize),
    /// `k` of `k of n`, with its `n`.
    Count(usize),
    /// `n` of `k of n`, with its `k`.
    OutOf(usize),
    /// Behind `p =` or `p <`.
    Probability,
    /// Behind `n =`.
    Size,
}

/// Why a number is no claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Number of a section, figure, table, equation or step.
    Reference,
    /// A year or a date.
    Date,
    /// A citation in brackets.
    Citation,
    /// A version.
    Version,
    /// Part of a name or an id.
    Name,
    /// Inside code or an address.
    Code,
    /// First, second; the number of an item.
    Ordinal,
    /// A quantity with a unit of measurement.
    Measurement,
    /// Part of a formula.
    Formula,
}

impl Rule {
    /// The words for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Reference => "number of a section, figure or table",
            Self::Date => "year or date",
            Self::Citation => "citation",
            Self::Version => "version",
            Self::Name => "part of a name or id",
            Self::Code => "code or address",
            Self::Ordinal => "ordinal or number of an item",
            Self::Measurement => "quantity with a unit of measurement",
            Self::Formula => "part of a formula",
        }
    }
}

/// All numbers of a passage in order.
pub fn numbers(passage: &Passage) -> Vec<Number> {
    let mut found = scan::scan(&passage.text);
    spelled::add(&passage.text, &mut found);
    for number in &mut found {
        number.place = passage.place(number.start);
        if passage.is_code(number.start) {
            number.rule.get_or_insert(Rule::Code);
        }
    }
    relate::relate(&passage.text, &mut found);
    rules::apply(&passage.text, &mut found);
    found
}

impl Number {
    /// The number with the factor of its unit (`0.35 M` is 350,000).
    pub fn scaled(&self) -> f64 {
        self.value
            * match self.unit {
                Unit::Thousand => 1e3,
                Unit::Million => 1e6,
                _ => 1.0,
            }
    }

    /// True when it is printed as a share of one is: without a unit, two decimals or more, and at most one.
    pub fn is_fraction(&self) -> bool {
        self.unit == Unit::None && self.decimals >= 2 && (0.0..=1.0).contains(&self.value)
    }

    /// True when it is printed as a whole number.
    pub fn is_whole(&self) -> bool {
        self.decimals <= 0 && self.value.fract() == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Number> {
        numbers(&Passage::of(text, 0))
    }

    fn claims(text: &str) -> Vec<String> {
        of(text).into_iter().filter(|n| n.rule.is_none()).map(|n| n.text).collect()
    }

    #[test]
    fn numbers_are_read_as_printed() {
        let all = of("1,308 items, \u{2212}1.5% and +0.80 pt, 2.03× of .09, 4.9e-07, 0.35 M");
        let read: Vec<(&str, f64, i32, Unit)> =
            all.iter().map(|n| (n.text.as_str(), n.value, n.decimals, n.unit)).collect();
        assert_eq!(
            read,
            [
                ("1,308", 1308.0, 0, Unit::None),
                ("\u{2212}1.5", -1.5, 1, Unit::Percent),
                ("+0.80", 0.8, 2, Unit::Points),
                ("2.03", 2.03, 2, Unit::Times),
                (".09", 0.09, 2, Unit::None),
                ("4.9e-07", 4.9e-7, 8, Unit::None),
                ("0.35", 0.35, 2, Unit::Million),
            ]
        );
    }

    #[test]
    fn what_belongs_together_is_seen() {
        let roles = |text: &str| of(text).into_iter().map(|n| n.role).collect::<Vec<_>>();
        assert_eq!(roles("97.6 ± 0.1"), [Role::Value, Role::Spread(0)]);
        assert_eq!(roles("97.6±0.1"), [Role::Value, Role::Spread(0)]);
        assert_eq!(roles("68.0 – 100.0"), [Role::Low(1), Role::High(0)]);
        assert_eq!(roles("gap of 20–39 points"), [Role::Low(1), Role::High(0)]);
        assert_eq!(roles("[−0.3, 1.2]"), [Role::Low(1), Role::High(0)]);
        assert_eq!(roles("6/11 and 9 of the 13"), [Role::Count(1), Role::OutOf(0), Role::Count(3), Role::OutOf(2)]);
        assert_eq!(roles("three of nine runs"), [Role::Count(1), Role::OutOf(0)]);
        assert_eq!(roles("p < 0.001, n = 46"), [Role::Probability, Role::Size]);
        let unit: Vec<Unit> = of("20–39 points").iter().map(|n| n.unit).collect();
        assert_eq!(unit, [Unit::Points, Unit::Points], "the unit of a range is the unit of both ends");
    }

    #[test]
    fn words_in_front_say_how_a_number_is_meant() {
        let bounds = |text: &str| of(text).into_iter().map(|n| n.bound).collect::<Vec<_>>();
        assert_eq!(
            bounds("at least 3, ≤ 10, more than 5, fewer than half, about 1.5, up to 14.3"),
            [Bound::AtLeast, Bound::AtMost, Bound::MoreThan, Bound::LessThan, Bound::About, Bound::AtMost]
        );
    }

    #[test]
    fn what_is_no_claim_is_left_out_with_its_rule() {
        let rule = |text: &str| of(text)[0].rule;
        for (text, wanted) in [
            ("see Table 3", Rule::Reference),
            ("Tables 1–2", Rule::Reference),
            ("in § 4", Rule::Reference),
            ("in 2024", Rule::Date),
            ("on 2026-08-01", Rule::Date),
            ("as shown [12]", Rule::Citation),
            ("as shown [12, 14–16]", Rule::Citation),
            ("Python 3.11.2", Rule::Version),
            ("version 3.2", Rule::Version),
            ("the 5th run", Rule::Ordinal),
            ("24 hours", Rule::Measurement),
            ("60.0 cm", Rule::Measurement),
            ("arXiv:2401.09646", Rule::Code),
        ] {
            assert_eq!(rule(text), Some(wanted), "{text}");
        }
        assert!(claims("gpt-5.5, GPT4, Model-3.5-397B, K2.6, air_139, o200k_base").is_empty());
        assert_eq!(claims("34% of 436 problems (Fig. 2)"), ["34", "436"]);
        assert!(of("2^10 = x").iter().any(|n| n.rule == Some(Rule::Formula)));
    }

    #[test]
    fn hostile_text_is_text() {
        for text in ["", "%%%", "1..2...3", "9".repeat(400).as_str(), "±±1±", "one of of 3 of", "\u{0}1\u{301}"] {
            for number in of(text) {
                assert!(number.value.is_finite() && text.get(number.start..number.end).is_some(), "{text}");
            }
        }
    }
}
