//! The zip as a container: writing one deterministically, reading one with suspicion.
//!
//! The `zip` crate is not used here: its reader merges equal names and its writer accepts `../x`, and
//! a container whose every header bit is predictable needs headers of our own. Only deflate itself
//! comes from a library. Nothing here knows about bags or studies.
//!
//! | file | what |
//! | --- | --- |
//! | `header` | the exact bytes of all headers |
//! | `pack` | pieces of content, compressed and hashed in parallel, in order |
//! | `writer` | entries to a file, numbers known late filled in at the end |
//! | `aside` | the file beside the target, its lock, the rename |
//! | `raw` | headers as they stand in a file, believed in nothing |
//! | `names` | names that no honest writer stores |
//! | `inspect` | refusing a hostile container before any content is read |
//! | `open` | the directory of an accepted container; streaming one entry |

mod aside;
mod header;
mod inspect;
mod names;
mod open;
mod pack;
mod raw;
mod writer;

pub(crate) use aside::Aside;
pub(crate) use header::Stamp;
pub use inspect::Limits;
pub(crate) use inspect::{Found, inspect};
pub(crate) use open::Container;
pub(crate) use pack::{Hashes, Hashing, Input, pack_all};
pub(crate) use writer::Writer;
