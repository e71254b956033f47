//! What a study describes, resolved: mechanism, method, ensemble, what is observed. Values are in SI and checked; nothing is read or
//! computed here. `study_file` makes these types from files, and writes them back.

mod beam;
pub(crate) mod bounds;
pub mod channel;
pub mod contact;
pub mod convergence;
pub mod expression;
pub mod force;
mod giver;
pub mod joint;
pub mod kind;
pub mod lyapunov;
pub mod mechanism;
pub mod numbers;
pub mod placement;
pub mod sensitivity;
pub mod stability_map;
pub mod study;
pub mod throughput;

pub use channel::{Channel, Owner, Seen};
pub use contact::{Contact, ContactCard};
pub use convergence::{Convergence, Variant};
pub use expression::Expression;
pub use force::{Attached, Force, ForceCard};
pub use giver::Giver;
pub use joint::{Coordinate, GivenCoordinates, Joint, JointCard, JointCoordinate, JointInitial};
pub use kind::{Kind, KindCard, Question};
pub use lyapunov::Lyapunov;
pub use mechanism::{
    Axes, Beam, BeamElement, Body, Constant, Flexible, FlexibleSource, Generator, Given, InertiaAbout,
    Initial, Level, Load, LoadKind, Lock, Mechanism, Piece, Point, Prescribed, Section, Support,
};
pub use numbers::{Element, Number, Range};
pub use sensitivity::{Screening, Sensitivity};
pub use stability_map::StabilityMap;
pub use study::{
    Accuracy, AccuracySettings, BackendChoice, Constraints, Design, Distribution, Ensemble, Method, Observe,
    Open, Quantity, Run, Study, Target, Unexplained, Value, Values, VariedStep, Vary, VerdictBounds,
};
pub use throughput::{Engine, Throughput};
