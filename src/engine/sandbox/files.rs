//! The Landlock layer.

use std::fs;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope, path_beneath_rules,
};

/// Denies this process and all its children every file, every port and every signal to the outside,
/// except reading (and mapping) below `readable`. True when the kernel enforces it.
///
/// The newest rules the kernel knows are used: ports need Linux 6.7 and signal scoping 6.12; both
/// are walls behind the system call filter and may be absent. File rules may not.
pub(in crate::engine) fn restrict(readable: &[PathBuf]) -> bool {
    enforce(readable).unwrap_or(false)
}

/// Folders of packages that somebody installed beside the standard library.
const INSTALLED: [&str; 2] = ["site-packages", "dist-packages"];

/// Folders that may be listed, and what may be read: a folder of the library is opened child by child, so
/// that packages installed below it are not part of an environment that is recorded as without them.
fn allowed(readable: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut listed, mut read) = (Vec::new(), Vec::new());
    for path in readable {
        match fs::read_dir(path) {
            Ok(children) => {
                listed.push(path.clone());
                let installed = |child: &Path| INSTALLED.iter().any(|name| child.ends_with(name));
                read.extend(children.flatten().map(|child| child.path()).filter(|child| !installed(child)));
            }
            Err(_) => read.push(path.clone()),
        }
    }
    (listed, read)
}

fn enforce(readable: &[PathBuf]) -> Result<bool, RulesetError> {
    let newest = ABI::V6;
    let (listed, read) = allowed(readable);
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(newest))?
        .handle_access(AccessNet::from_all(newest))?
        .scope(Scope::from_all(newest))?
        .create()?
        .add_rules(path_beneath_rules(&listed, AccessFs::ReadDir))?
        .add_rules(path_beneath_rules(&read, AccessFs::from_read(newest)))?
        .restrict_self()?;
    Ok(status.ruleset != RulesetStatus::NotEnforced)
}
