//! The real binary over a small study: exit codes, damage, forms of output, equal bytes, versions.

#![allow(clippy::disallowed_methods, reason = "tests write fixtures and read what was written")]

mod bad_input;
mod deposits;
mod exit_codes;
mod first_contact;
mod folders;
mod forms;
mod hostile_names;
mod kinds;
mod lab;
mod ledgers;
mod outputs;
mod rehashed;
mod reports;
mod resumed;
mod same_bytes;
mod shards;
mod signatures;
mod small_commands;
mod study;
mod tutorials;
mod unreadable;
mod versions;

pub(crate) use lab::Lab;
