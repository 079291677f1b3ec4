//! The version before: named with `--previous`, or the newest older one in the folder of the site.

use std::path::Path;

use super::args::{OutArgs, PublishArgs, StudyArgs, TalkArgs};
use super::chain::{self, Chain};
use super::exit::Exit;
use super::front;
use crate::bundle::BundleSource;
use crate::diff::{Snapshot, SnapshotError};
use crate::pipeline::{Earlier, snapshot, version_name};
use crate::site::Version;
use crate::statistics::readings::Counting;
use crate::world::Source;
use crate::world::disk::read_file;

/// Where a rendered version keeps what later ones are compared with.
const PUBLISHED: &str = "data/snapshot.json";

/// Where a bundle keeps the same.
const DEPOSITED: &str = "results/snapshot.json";

/// Finds the version before.
pub(super) fn find(chain: &Chain, arguments: &PublishArgs, talk: &TalkArgs) -> Result<Earlier, Exit> {
    let Some(path) = &arguments.render.previous else { return Ok(beside(chain, &arguments.study, &arguments.out)) };
    let found = match published(path) {
        Some(found) => found.map_err(|error| unusable(path, &error))?,
        None => {
            // A study, or a bundle of an earlier tool: what it is compared by has to be computed.
            let study = StudyArgs { study: Some(path.clone()), ..arguments.study.clone() };
            let counting = Counting { tokens: arguments.render.tokens };
            snapshot(&chain::run(&study, Some(&arguments.engine), counting, talk)?.evaluated)
        }
    };
    let own = &chain.evaluated.given.study.study.id;
    if found.named.study != *own {
        super::complain(
            &format!("{} is a version of {:?}, not of {own:?}", path.display(), found.named.study),
            "name an earlier version of the same study with --previous",
        );
        return Err(Exit::Usage);
    }
    Ok(Earlier::Version(Box::new(found)))
}

/// The snapshot that a rendered version or a bundle carries; `None` for anything else.
fn published(path: &Path) -> Option<Result<Snapshot, SnapshotError>> {
    let bytes = if path.is_file() {
        BundleSource::open_payload(path).ok()?.read(DEPOSITED).ok()?
    } else {
        read_file(&path.join(PUBLISHED)).ok()?
    };
    Some(Snapshot::parse(&bytes))
}

fn unusable(path: &Path, error: &SnapshotError) -> Exit {
    super::complain(
        &format!("{} holds no version to compare with: {error}", path.display()),
        "name a study, a bundle or the folder of a rendered version with --previous",
    );
    Exit::Unreadable
}

/// The newest version that was published into the same folder and is older than this one.
fn beside(chain: &Chain, study: &StudyArgs, out: &OutArgs) -> Earlier {
    if study.offline_strict {
        return Earlier::None("Nothing outside the study was read, so no other version was compared.".to_owned());
    }
    let given = &chain.evaluated.given;
    let own = (given.study.study.date.clone(), version_name(&given.study));
    let folder = front::folder(chain, out);
    let older = |version: &Version| front::order((&version.date, &version.id), (&own.0, &own.1)).is_lt();
    let listed = front::listed(&folder);
    let Some(before) = listed.iter().rfind(|version| older(version)) else {
        return Earlier::None(
            "No earlier version of this study was given or stands beside this one, so there is nothing to compare it with."
                .to_owned(),
        );
    };
    // The list is a file that anybody may have edited: only a plain name of a folder is followed.
    let found =
        if crate::slug::file_name(&before.id) == before.id { published(&folder.join(&before.id)) } else { None };
    match found {
        Some(Ok(snapshot)) => Earlier::Version(Box::new(snapshot)),
        Some(Err(error)) => Earlier::None(format!(
            "Version {} stands beside this one, but cannot be compared with it: {error}.",
            before.id
        )),
        None => Earlier::None(format!(
            "Version {} is listed beside this one, but its folder has no {PUBLISHED} to compare with.",
            before.id
        )),
    }
}
