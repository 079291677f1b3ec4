//! Interrupts on a system without the signals of Unix: they end the process, and nothing is being executed then.

/// Nothing to watch.
pub fn watch_interrupts() {}

/// Nothing to forget.
pub fn forget_interrupts() {}

/// Never seen: an interrupt has ended the process.
pub fn interrupted() -> bool {
    false
}
