//! The Landlock layer.

use std::path::PathBuf;

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

fn enforce(readable: &[PathBuf]) -> Result<bool, RulesetError> {
    let newest = ABI::V6;
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(newest))?
        .handle_access(AccessNet::from_all(newest))?
        .scope(Scope::from_all(newest))?
        .create()?
        .add_rules(path_beneath_rules(readable, AccessFs::from_read(newest)))?
        .restrict_self()?;
    Ok(status.ruleset != RulesetStatus::NotEnforced)
}
