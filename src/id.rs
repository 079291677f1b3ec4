//! Identifiers as types: a problem is not a configuration, and neither is a bare string.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        ///
        /// Cheap to clone. Any text is allowed: ids come from archives and are data, never paths.
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The id as it stands in the archive.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(id: &str) -> Self {
                Self(id.into())
            }
        }

        impl From<String> for $name {
            fn from(id: String) -> Self {
                Self(id.into())
            }
        }

        impl From<Arc<str>> for $name {
            fn from(id: Arc<str>) -> Self {
                Self(id)
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(Self::from)
            }
        }
    };
}

identifier! {
    /// Id of a problem, unique within its set.
    ProblemId
}
identifier! {
    /// Id of a problem set (`core`, `numeric`, ...).
    SetId
}
identifier! {
    /// Id of an experiment: one set under one protocol (`core_code`).
    ExperimentId
}
identifier! {
    /// Key of a configuration: a model with its setting (`model-a-reasoning`).
    ConfigKey
}
