//! SciCode-Verified: how the claims of its catalogue rest on numbers.

use super::Pack;

/// The pack.
pub(super) const PACK: Pack = Pack {
    id: "scicode-verified",
    profile: None,
    statistics: &[],
    bindings: &[("scicode-verified", include_str!("bindings.toml"))],
    words: &[],
    pages: &[],
    check: |_| Vec::new(),
};
