//! What the user wrote, resolved: mechanism and study files. No numerics live here.
//!
//! text -> `document` (tables, values, faults with file, line and key) -> `read_mechanism`, `read_study`, `read_vary`
//! -> `Mechanism`, `Study` -> `write` (TOML again). `keys` lists every key once, for the reader and for `schema`.

mod document;
pub mod error;
mod keys;
pub mod mechanism;
pub mod options;
mod read_mechanism;
mod read_study;
mod read_vary;
mod sample_table;
pub mod schema;
pub mod study;
pub mod units;
pub mod write;

pub use error::{Problem, Problems};
pub use mechanism::{
    Axes, Body, InertiaAbout, Initial, Joint, JointKind, Load, LoadKind, Mechanism, Piece, Point, Spring,
    Support,
};
pub use options::{Options, Setting};
pub use read_mechanism::read_mechanism;
pub use read_study::read_study;
pub use schema::{mechanism_schema, study_schema};
pub use study::{
    BackendChoice, Channel, Constraints, Design, Distribution, Ensemble, Method, Observe, Precision,
    Quantity, Run, Seen, SpringPart, Study, Target, Vary, VerdictBounds,
};
pub use write::resolved_toml;
