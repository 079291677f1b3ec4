//! Opening an engine on a system whose processes cannot fork: there is none. Everything that needs no execution works.

use super::contract::{Engine, EngineError};
use super::options::{EngineChoice, EngineOptions};

/// Refuses: nothing here would keep a program apart from the user's files.
pub fn open(_choice: &EngineChoice, _options: &EngineOptions) -> Result<Box<dyn Engine>, EngineError> {
    Err(EngineError::NoIsolation)
}
