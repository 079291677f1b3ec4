//! Figures as SVG text, one file each. A figure gets finished values and draws them; it computes no
//! statistic and knows no page.
//!
//! [`Drawing::inline`] is for pages, whose stylesheet colours it (light, dark, print);
//! [`Drawing::standalone`] carries the same classes with a style of its own. No font of the host is
//! needed: widths of text are estimated from a fixed table, and nothing depends on them but margins.

mod accuracy;
mod atlas;
mod canvas;
mod forest;
mod heatmap;
mod matrix;
mod slope;
mod specification;
mod style;
mod tokens;

pub use accuracy::{Accuracy, accuracy};
pub use atlas::{Atlas, Mark, atlas};
pub use canvas::Drawing;
pub use forest::{Forest, forest};
pub use heatmap::{Heatmap, heatmap};
pub use matrix::{Matrix, matrix};
pub use slope::{Slope, slope};
pub use specification::{SpecificationColumn, Specifications, specification};
pub use tokens::{Spending, tokens};
