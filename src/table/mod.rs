//! Tables: what a statistic publishes, and the only place that knows polars.
//!
//! A [`Table`] holds typed cells with the text they are printed as. It becomes CSV (the published
//! form, byte for byte), JSON (full precision, reasons for what is undefined) and Parquet. Sums and
//! floats are never computed here.

mod csv;
mod model;
mod parquet;
mod rows;

pub use csv::{CsvError, read_csv, to_csv};
pub use model::{Cell, Column, Kind, Table};
pub use parquet::to_parquet;
pub use rows::parquet_rows;
