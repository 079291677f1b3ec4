//! The written part: problems, traps, choices and scenes as they stand in `content/`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::study::DemoError;

/// Values of parameters, as text that goes into statements and programs alike.
pub(super) type Parameters = BTreeMap<String, String>;

const SUBFIELDS: [&str; 4] = [
    include_str!("content/moist_air.toml"),
    include_str!("content/radiation.toml"),
    include_str!("content/ocean.toml"),
    include_str!("content/sky.toml"),
];

/// Problems of one subfield.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Subfield {
    pub(super) category: String,
    pub(super) problem: Vec<ProblemText>,
}

/// A problem with the programs that answer it well and badly.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProblemText {
    pub(super) id: String,
    pub(super) topic: String,
    pub(super) difficulty: String,
    pub(super) statement: String,
    pub(super) defaults: Parameters,
    /// Parameters of the numeric variants.
    #[serde(default)]
    pub(super) variants: Vec<Parameters>,
    #[serde(default)]
    pub(super) paraphrases: Vec<String>,
    pub(super) solver: String,
    /// Programs with a plain mistake.
    pub(super) mistakes: Vec<String>,
    /// A program that misses narrowly.
    pub(super) near: Option<String>,
    /// The right value in a unit of another scale.
    pub(super) rescaled: Option<String>,
    /// A wrong temperature that passes because it is compared as kelvin.
    pub(super) kelvin: Option<String>,
    /// A small remainder where zero is expected.
    pub(super) residue: Option<String>,
    /// Other keys, so that only the position tells what is meant.
    #[serde(default)]
    pub(super) renamed: BTreeMap<String, String>,
    /// Further accepted answers.
    #[serde(default)]
    pub(super) also: Vec<Also>,
    /// One sentence of reasoning.
    pub(super) prose: String,
}

/// A further accepted answer: the value times a factor, in another unit.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Also {
    pub(super) sub: String,
    pub(super) factor: f64,
    pub(super) unit: String,
}

/// A trap with the program that takes its shortcut.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TrapText {
    pub(super) id: String,
    pub(super) parent: String,
    pub(super) family: String,
    pub(super) topic: String,
    pub(super) difficulty: String,
    pub(super) statement: String,
    pub(super) shortcut: String,
    pub(super) solver: String,
    pub(super) shortcut_solver: String,
    pub(super) mistake: String,
}

/// A multiple-choice template.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChoiceText {
    pub(super) id: String,
    pub(super) category: String,
    pub(super) statement: String,
    pub(super) instances: Vec<Parameters>,
    /// True when the key is wrong on purpose.
    #[serde(default)]
    pub(super) flawed: bool,
    pub(super) solver: String,
    pub(super) distractors: Vec<String>,
}

/// A record whose course is laid down.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SceneText {
    pub(super) experiment: String,
    pub(super) configuration: String,
    pub(super) run: u32,
    pub(super) id: String,
    pub(super) play: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Traps {
    trap: Vec<TrapText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Choices {
    template: Vec<ChoiceText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenes {
    scene: Vec<SceneText>,
}

/// Everything that was written.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) subfields: Vec<Subfield>,
    pub(super) traps: Vec<TrapText>,
    pub(super) choices: Vec<ChoiceText>,
    pub(super) scenes: Vec<SceneText>,
}

/// Reads the written part.
pub(super) fn load() -> Result<Content, DemoError> {
    let subfields: Result<Vec<Subfield>, DemoError> = SUBFIELDS.iter().map(|text| read(text)).collect();
    Ok(Content {
        subfields: subfields?,
        traps: read::<Traps>(include_str!("content/traps.toml"))?.trap,
        choices: read::<Choices>(include_str!("content/choices.toml"))?.template,
        scenes: read::<Scenes>(include_str!("content/scenes.toml"))?.scene,
    })
}

fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, DemoError> {
    toml::from_str(text).map_err(|error| DemoError::Content(error.to_string()))
}

/// Puts parameters into a text: `<<name>>` becomes the value. Leading and trailing white space goes.
pub(super) fn fill(text: &str, parameters: &Parameters) -> String {
    let mut filled = text.trim().to_owned();
    for (name, value) in parameters {
        filled = filled.replace(&format!("<<{name}>>"), value);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_names_every_parameter_and_leaves_none() {
        for problem in load().unwrap().subfields.iter().flat_map(|subfield| &subfield.problem) {
            let texts = [&problem.statement, &problem.solver].into_iter().chain(&problem.paraphrases);
            for text in texts.chain(&problem.mistakes) {
                assert!(!fill(text, &problem.defaults).contains("<<"), "{}", problem.id);
            }
            for text in [&problem.statement, &problem.solver].into_iter().chain(&problem.paraphrases) {
                for name in problem.defaults.keys() {
                    assert!(text.contains(&format!("<<{name}>>")), "{} in {}: {text}", name, problem.id);
                }
            }
            for variant in &problem.variants {
                assert!(variant.keys().eq(problem.defaults.keys()), "{}", problem.id);
            }
        }
    }

    #[test]
    fn the_study_is_as_large_as_it_says() {
        let content = load().unwrap();
        let problems: Vec<_> = content.subfields.iter().flat_map(|subfield| &subfield.problem).collect();
        assert_eq!((content.subfields.len(), problems.len()), (4, 24));
        assert_eq!(problems.iter().map(|problem| problem.variants.len()).sum::<usize>(), 60);
        assert_eq!(problems.iter().map(|problem| problem.paraphrases.len()).sum::<usize>(), 40);
        assert_eq!((content.traps.len(), content.choices.len()), (8, 5));
    }
}
