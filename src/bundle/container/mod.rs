//! The zip as a container: writing one deterministically, reading one with suspicion.
//!
//! A container whose every header bit is predictable, that is packed on all threads and whose first
//! entries are known last, needs headers of its own; and a reader that refuses what honest writers never
//! write has to see those headers before any library has made sense of them. So both are here, over a
//! library's deflate. The `zip` crate reads every container a second time ([`second`]): what two readers
//! understand differently is no evidence. Nothing here knows about bags or studies.
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
//! | `second` | the same directory as the `zip` crate reads it |

mod aside;
mod header;
mod inspect;
mod names;
mod open;
mod pack;
mod raw;
mod second;
mod writer;

pub(crate) use aside::Aside;
pub(crate) use header::Stamp;
pub use inspect::Limits;
pub(crate) use inspect::{Found, inspect};
pub(crate) use open::Container;
pub(crate) use pack::{Hashes, Hashing, Input, LEVEL, pack_all};
pub(crate) use second::second_reading;
pub(crate) use writer::Writer;
