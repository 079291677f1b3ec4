//! Free labels: what a study says about its sets, configurations and experiments beyond their names.
//!
//! The core asks for four by name, and none of them has a fixed vocabulary: `kind` of a set, `setting` of a
//! configuration, `protocol` and `condition` of an experiment. Every other label is data.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};

use super::{Configuration, Experiment, ProblemSet};

/// Labels: a name and a text each.
pub type Labels = BTreeMap<String, String>;

/// One label.
pub fn label(name: &str, text: &str) -> Labels {
    [(name.to_owned(), text.to_owned())].into()
}

pub(super) fn or_kind<'de, D: Deserializer<'de>>(reader: D) -> Result<Labels, D::Error> {
    reader.deserialize_any(OrText("kind"))
}

pub(super) fn or_setting<'de, D: Deserializer<'de>>(reader: D) -> Result<Labels, D::Error> {
    reader.deserialize_any(OrText("setting"))
}

pub(super) fn or_protocol<'de, D: Deserializer<'de>>(reader: D) -> Result<Labels, D::Error> {
    reader.deserialize_any(OrText("protocol"))
}

/// Labels as a table, or the text of the one label that has a short form.
struct OrText(&'static str);

impl<'de> Visitor<'de> for OrText {
    type Value = Labels;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a text, or a table of labels such as {{ {} = \"...\" }}", self.0)
    }

    fn visit_str<E>(self, text: &str) -> Result<Labels, E> {
        Ok(label(self.0, text))
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Labels, M::Error> {
        Labels::deserialize(MapAccessDeserializer::new(map))
    }
}

fn text<'l>(labels: &'l Labels, name: &str) -> Option<&'l str> {
    labels.get(name).map(String::as_str)
}

/// What a set is made of, by its labels; empty where the study does not say.
pub fn kind(labels: &Labels) -> &str {
    text(labels, "kind").unwrap_or_default()
}

/// True for a set that is derived from no other: its kind is `problems`, or not stated.
pub fn is_original(labels: &Labels) -> bool {
    matches!(kind(labels), "" | "problems")
}

/// The family of variants that a set is: its label of that name, or the word before `-variants` of its kind.
pub fn family(labels: &Labels) -> Option<&str> {
    text(labels, "family").or_else(|| kind(labels).strip_suffix("-variants"))
}

impl ProblemSet {
    /// What it is made of; empty where the study does not say.
    pub fn kind(&self) -> &str {
        kind(&self.labels)
    }
}

impl Configuration {
    /// What tells it from its twins; empty where the study does not say.
    pub fn setting(&self) -> &str {
        text(&self.labels, "setting").unwrap_or_default()
    }
}

impl Experiment {
    /// How was asked; empty where the study does not say.
    pub fn protocol(&self) -> &str {
        text(&self.labels, "protocol").unwrap_or_default()
    }

    /// Labels that tell it from other experiments of its set: its own and its condition.
    pub fn distinguishing(&self) -> impl Iterator<Item = (&str, &str)> {
        let own = self.labels.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        own.chain(self.condition.as_deref().map(|condition| ("condition", condition)))
    }

    /// What a model gave in it, which decides what can be executed and graded again.
    pub fn given(&self) -> Given {
        match self.protocol() {
            "direct" => Given::Prose,
            "option" => Given::Option,
            _ => Given::Program,
        }
    }
}

/// What a model gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// A program, which can be run.
    Program,
    /// Prose with marked numbers, which can be read.
    Prose,
    /// The choice of an option.
    Option,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_form_is_a_label_and_a_table_holds_any() {
        let experiment = |text: &str| {
            let text = format!("id = 'e'\nset = 's'\nruns = 1\n{text}");
            toml::from_str::<Experiment>(&text)
        };
        let short = experiment("protocol = 'direct'\ncondition = 'few-shot'").unwrap();
        let long = experiment("labels = { protocol = 'direct' }\ncondition = 'few-shot'").unwrap();
        assert_eq!(short, long);
        assert_eq!((short.given(), short.protocol()), (Given::Prose, "direct"));
        assert_eq!(short.distinguishing().collect::<Vec<_>>(), [("protocol", "direct"), ("condition", "few-shot")]);
        assert_eq!(experiment("labels = { language = 'de' }").unwrap().given(), Given::Program);
        assert!(experiment("protocol = 7").unwrap_err().to_string().contains("a table of labels"));
    }
}
