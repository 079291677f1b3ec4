//! Calculation and rejection at known mechanical limits: how the claims of its catalogue rest on numbers.

use super::Pack;

/// The pack.
pub(super) const PACK: Pack = Pack {
    id: "mechanical-limits",
    profile: None,
    statistics: &[],
    bindings: &[("mechanical-limits", include_str!("bindings.toml"))],
    words: &[],
    pages: &[],
    check: |_| Vec::new(),
};
