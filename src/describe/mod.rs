//! What the user wrote, resolved: mechanism and study files. No numerics live here.

pub mod mechanism;
pub mod study;

pub use mechanism::{Axes, Body, InertiaAbout, Initial, Load, LoadKind, Mechanism, Piece, Support};
pub use study::{
    BackendChoice, Channel, Design, Distribution, Ensemble, Method, MethodName, Observe, Precision, Quantity, Run,
    Study, Target, Vary, VerdictBounds,
};
