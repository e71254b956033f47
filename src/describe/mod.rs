//! What the user wrote, resolved: mechanism and study files. No numerics live here; the modal data of flexible bodies are
//! made by [`crate::flexible`] as they are read, so that what is no body is found with its line.
//!
//! text -> `document` (tables, values, faults with file, line and key) -> `read_mechanism` (`read_joint`, `read_flexible`, `read_force`,
//! `read_function`), `read_study`, `read_vary` -> `Mechanism`, `Study` -> `write` (TOML again). `keys` lists every key once,
//! for the reader and for `schema`.

mod beam;
mod bounds;
pub mod convergence;
pub mod difference;
mod document;
pub mod error;
pub mod expression;
mod expression_text;
mod keys;
pub mod kind;
pub mod lyapunov;
pub mod mechanism;
mod modal_table;
pub mod numbers;
pub mod options;
pub mod placement;
mod read_beam;
mod read_flexible;
mod read_force;
mod read_function;
mod read_joint;
mod read_mechanism;
mod read_study;
mod read_vary;
mod sample_table;
pub mod schema;
pub mod sensitivity;
pub mod stability_map;
pub mod start_fault;
pub mod study;
pub mod throughput;
pub mod units;
pub mod write;

pub use convergence::{Convergence, Variant};
pub(crate) use document::grouped;
pub use error::{Problem, Problems};
pub use expression::Expression;
pub use kind::Kind;
pub use lyapunov::Lyapunov;
pub use mechanism::{
    Axes, Beam, BeamElement, Body, Bushing, Constant, Contact, ContactKind, Coordinate, Drag, Flexible,
    FlexibleSource, Generator, Given, GivenCoordinates, InertiaAbout, Initial, Joint, JointCoordinate,
    JointInitial, JointKind, JointSpring, Level, Load, LoadKind, Lock, Mechanism, Piece, Point, Prescribed,
    Section, Spring, Stop, Support,
};
pub use numbers::{Element, Number, Range};
pub use options::{Options, Setting};
pub use read_mechanism::read_mechanism;
pub use read_study::{read_finished_study, read_study, read_study_text};
pub use schema::{mechanism_schema, study_schema};
pub use sensitivity::{Screening, Sensitivity};
pub use stability_map::StabilityMap;
pub use start_fault::{Giver, start_fault};
pub use study::{
    Accuracy, AccuracySettings, BackendChoice, Channel, Constraints, Design, Distribution, Ensemble, Method,
    Observe, Open, Owner, Precision, Quantity, Run, Seen, Study, Target, Unexplained, VariedStep, Vary,
    VerdictBounds,
};
pub use throughput::{Engine, Throughput};
pub use write::resolved_toml;
