//! `repro` turns the archive of an execution-grounded benchmark into evidence that anybody can check.
//!
//! Data goes one way: **archive → verify → statistics → claims → site → bundle**. Modules are listed
//! here in the order of their layers; a module may use only modules of a layer above its own (a test
//! keeps it so). `ARCHITECTURE.md` tells the story.

// Layer 0: the ground everything stands on.
pub mod digest;
pub mod id;
pub mod json;
pub mod markup;
pub mod number;
pub mod report;
pub mod slug;
pub mod tree;
pub mod world;

// Layer 1: what is declared, what was asked, what was recorded.
pub mod archive;
pub mod change_ledger;
pub mod corpus;
pub mod study;
pub mod table;

// Layer 2: what is right, what runs programs, and which files hold what.
pub mod engine;
pub mod estimate;
pub mod formats;
pub mod grade;
pub mod syntax;

// Layer 3: execute again, grade again, compare.
pub mod verify;

// Layer 4: statistics from records only; descriptions for catalogues; what papers print.
pub mod documents;
pub mod export;
pub mod metadata;
pub mod statistics;

// Layer 5: printed numbers, judged.
pub mod claims;

// Layer 6: whether conclusions survive other choices; checks that need no ledger; then everything there is to say,
// one issue once.
pub mod audits;
pub mod issues;
pub mod multiverse;

// Layer 7: what people see.
pub mod figures;
pub mod review;
pub mod site;

// Layer 8: the deposit, what changed between two, and what exists in one study only.
pub mod bundle;
pub mod demo;
pub mod diff;
pub mod packs;

// Layer 9: the stages in order.
pub mod pipeline;

// Layer 10: the command line.
pub mod cli;
