//! Options for the analyses of packs: `[[analysis]] pack = "..."` with whatever the pack understands.

use serde::de::Deserializer;
use serde::{Deserialize, Serialize};

use super::{Strata, Study};
use std::collections::BTreeMap;

/// Options of one pack; without a name they are for every pack that asks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Analysis {
    /// The pack they are for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pack: Option<String>,
    /// The options.
    #[serde(flatten)]
    pub options: toml::Table,
}

/// `[analysis]`, or any number of `[[analysis]]`.
pub(super) fn one_or_many<'de, D: Deserializer<'de>>(reader: D) -> Result<Vec<Analysis>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Form {
        Many(Vec<Analysis>),
        One(Analysis),
    }
    Ok(match Form::deserialize(reader)? {
        Form::Many(many) => many,
        Form::One(one) => vec![one],
    })
}

impl Study {
    /// What is assumed where nothing is said; and the order of categories and difficulties, which stood in `[analysis]`
    /// before there were `[[strata]]`.
    pub(super) fn settle(&mut self) {
        // A configuration that says nothing of a group is one of its own.
        for configuration in self.configurations.iter_mut().filter(|configuration| configuration.backbone.is_empty()) {
            configuration.backbone.clone_from(&configuration.name);
        }
        for analysis in self.analysis.iter_mut().filter(|analysis| analysis.pack.is_none()) {
            let text = |value: &toml::Value, member: &str| Some(value.get(member)?.as_str()?.to_owned());
            if let Some(toml::Value::Array(listed)) = analysis.options.remove("categories") {
                let order = listed.iter().filter_map(|value| text(value, "id")).collect();
                let names =
                    listed.iter().filter_map(|value| Some((text(value, "id")?, text(value, "short")?))).collect();
                self.strata.push(Strata { by: "category".to_owned(), order, names });
            }
            if let Some(toml::Value::Array(listed)) = analysis.options.remove("difficulties") {
                let order = listed.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect();
                self.strata.push(Strata { by: "difficulty".to_owned(), order, names: BTreeMap::new() });
            }
        }
        self.analysis.retain(|analysis| analysis.pack.is_some() || !analysis.options.is_empty());
    }

    /// Options for a pack, later ones over earlier ones.
    pub fn options(&self, pack: &str) -> toml::Table {
        let meant = |analysis: &&Analysis| analysis.pack.as_deref().is_none_or(|named| named == pack);
        self.analysis.iter().filter(meant).flat_map(|analysis| analysis.options.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_reads_its_own_options_and_those_of_nobody() {
        #[derive(Deserialize)]
        struct Root {
            #[serde(deserialize_with = "one_or_many")]
            analysis: Vec<Analysis>,
        }
        let read = |text: &str| toml::from_str::<Root>(text).unwrap().analysis;
        let study = |analysis| Study { analysis, ..crate::study::blank() };
        let many = study(read(
            "[[analysis]]\nseed = 1\n[[analysis]]\npack = 'a'\nseed = 2\n[[analysis]]\npack = 'b'\nx = 3\n",
        ));
        assert_eq!(many.options("a"), toml::toml! { seed = 2 });
        assert_eq!(
            many.options("b"),
            toml::toml! { seed = 1
            x = 3 }
        );
        assert_eq!(study(read("[analysis]\nseed = 7\n")).options("a"), toml::toml! { seed = 7 });
    }
}
