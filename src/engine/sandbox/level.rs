//! Layers of isolation and the levels a user can accept by name.

use std::fmt;

use serde::Serialize;

/// One independent layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// A process and a process group of its own for each program, killed as a whole, dying with its
    /// parent.
    Process,
    /// A cleared environment: fixed hash seed, UTC, C.UTF-8, and nothing else.
    Environment,
    /// An empty working directory and no inherited descriptors.
    Descriptors,
    /// Limits on processor time, address space, processes, file size, descriptors and core files.
    Limits,
    /// Landlock: no file but the interpreter's own library, read only; no network, no signals out.
    Files,
    /// Seccomp: an allow-list of system calls; no network, no process creation, no signals.
    Syscalls,
    /// An interpreter that has no files, processes, sockets or threads in the first place.
    NoHost,
}

impl Layer {
    /// All layers, outermost first.
    pub const ALL: [Self; 7] =
        [Self::Process, Self::Environment, Self::Descriptors, Self::Limits, Self::Files, Self::Syscalls, Self::NoHost];

    /// Stable kebab-case name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Environment => "environment",
            Self::Descriptors => "descriptors",
            Self::Limits => "limits",
            Self::Files => "files",
            Self::Syscalls => "syscalls",
            Self::NoHost => "no-host",
        }
    }

    /// What the layer does, in one clause for people.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Process => "a process and process group of its own, killed as a whole",
            Self::Environment => "cleared environment, fixed hash seed, UTC, C.UTF-8",
            Self::Descriptors => "empty working directory, no inherited descriptors",
            Self::Limits => "limits on processor time, memory, processes, files and descriptors",
            Self::Files => "Landlock: no file but the interpreter's library, read only",
            Self::Syscalls => "seccomp: no network, no process creation, no signals",
            Self::NoHost => "an interpreter without files, processes, sockets and threads",
        }
    }

    /// The layer of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.name() == name)
    }
}

/// A set of layers in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Layers(Vec<Layer>);

impl Layers {
    /// These layers, sorted, without repetition.
    pub fn new(layers: impl IntoIterator<Item = Layer>) -> Self {
        let mut layers: Vec<Layer> = layers.into_iter().collect();
        layers.sort_unstable();
        layers.dedup();
        Self(layers)
    }

    /// Reads names separated by commas; unknown names are ignored.
    pub(in crate::engine) fn from_names(names: &str) -> Self {
        Self::new(names.split(',').filter_map(Layer::parse))
    }

    /// Names separated by commas.
    pub fn names(&self) -> String {
        self.0.iter().map(|layer| layer.name()).collect::<Vec<_>>().join(",")
    }

    /// True when `layer` is in force.
    pub fn has(&self, layer: Layer) -> bool {
        self.0.contains(&layer)
    }

    /// The layers in order.
    pub fn iter(&self) -> impl Iterator<Item = Layer> + '_ {
        self.0.iter().copied()
    }

    /// The level these layers amount to.
    pub fn level(&self) -> SandboxLevel {
        match (self.has(Layer::Syscalls), self.has(Layer::Files)) {
            (true, true) => SandboxLevel::Full,
            (true, false) => SandboxLevel::NoLandlock,
            (false, true) => SandboxLevel::NoSeccomp,
            (false, false) => SandboxLevel::LimitsOnly,
        }
    }
}

/// How much isolation is in force, or is accepted. Weaker levels must be accepted by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxLevel {
    /// Resource limits and process separation only: programs can read files and open connections.
    LimitsOnly,
    /// Without the system call filter: programs can start processes.
    NoSeccomp,
    /// Without Landlock: the interpreter can read files of the user.
    NoLandlock,
    /// Every layer.
    Full,
}

impl SandboxLevel {
    /// All levels, weakest first.
    pub const ALL: [Self; 4] = [Self::LimitsOnly, Self::NoSeccomp, Self::NoLandlock, Self::Full];

    /// Stable kebab-case name, as `--sandbox` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::LimitsOnly => "limits-only",
            Self::NoSeccomp => "no-seccomp",
            Self::NoLandlock => "no-landlock",
            Self::Full => "full",
        }
    }

    /// The level of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Layers that `full` has and this level lacks, for messages.
    pub fn missing(self) -> &'static str {
        match self {
            Self::LimitsOnly => "Landlock and the system call filter are missing",
            Self::NoSeccomp => "the system call filter is missing",
            Self::NoLandlock => "Landlock is missing",
            Self::Full => "nothing is missing",
        }
    }
}

impl fmt::Display for SandboxLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_levels_follow_from_layers() {
        for layer in Layer::ALL {
            assert_eq!(Layer::parse(layer.name()), Some(layer));
        }
        for level in SandboxLevel::ALL {
            assert_eq!(SandboxLevel::parse(level.name()), Some(level));
        }
        let layers = Layers::from_names("syscalls,files,process,unheard-of");
        assert_eq!((layers.level(), layers.names().as_str()), (SandboxLevel::Full, "process,files,syscalls"));
        assert!(SandboxLevel::Full > SandboxLevel::NoLandlock);
    }
}
