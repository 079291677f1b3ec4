//! Which records there are, and how each goes.

use std::collections::BTreeMap;

use super::content::Content;
use super::items::Item;
use super::plays::{PLAYERS, Play, Player, Slot, named};
use super::record::Draft;
use super::study::DemoError;

/// One experiment.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) id: &'static str,
    pub(super) set: &'static str,
    pub(super) direct: bool,
    pub(super) runs: u32,
}

/// Experiments whose records are run files. The arm that picks options is written apart.
pub(super) const PLANS: [Plan; 6] = [
    Plan { id: "core_code", set: "core", direct: false, runs: 3 },
    Plan { id: "core_direct", set: "core", direct: true, runs: 3 },
    Plan { id: "variants_numeric_code", set: "numeric", direct: false, runs: 3 },
    Plan { id: "variants_paraphrase_code", set: "paraphrase", direct: false, runs: 3 },
    Plan { id: "trap", set: "traps", direct: false, runs: 3 },
    Plan { id: "mcq_code", set: "mcq", direct: false, runs: 1 },
];

/// One run with its records in the order of the set.
pub(super) struct Run<'s> {
    pub(super) plan: &'static Plan,
    pub(super) player: &'static Player,
    pub(super) number: u32,
    pub(super) drafts: Vec<Draft<'s>>,
}

type Scenes = BTreeMap<(String, String, u32, String), Play>;

/// Writes every record of every run.
pub(super) fn runs<'s>(content: &Content, items: &'s [Item]) -> Result<Vec<Run<'s>>, DemoError> {
    let mut scenes = scenes(content)?;
    let mut runs = Vec::new();
    for plan in &PLANS {
        for player in &PLAYERS {
            for number in 1..=plan.runs {
                let drafts = items.iter().filter(|item| item.set == plan.set).map(|item| {
                    let slot = Slot { experiment: plan.id, player, run: number, item };
                    let place = (plan.id.to_owned(), player.key.to_owned(), number, item.id.clone());
                    let play = scenes.remove(&place).unwrap_or_else(|| slot.play(plan.direct));
                    Draft::new(slot, play, plan.direct)
                });
                runs.push(Run { plan, player, number, drafts: drafts.collect() });
            }
        }
    }
    match scenes.keys().next() {
        None => Ok(runs),
        Some(place) => Err(DemoError::Content(format!("the scene {place:?} has no place"))),
    }
}

fn scenes(content: &Content) -> Result<Scenes, DemoError> {
    let mut scenes = Scenes::new();
    for scene in &content.scenes {
        let play =
            named(&scene.play).ok_or_else(|| DemoError::Content(format!("no play is called {:?}", scene.play)))?;
        let place = (scene.experiment.clone(), scene.configuration.clone(), scene.run, scene.id.clone());
        if scenes.insert(place, play).is_some() {
            return Err(DemoError::Content(format!("two scenes for {}", scene.id)));
        }
    }
    Ok(scenes)
}
