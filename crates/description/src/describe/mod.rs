//! The content of a study, resolved: mechanism, method, ensemble, what is observed. Values are in
//! SI and checked; nothing is read or computed here. `study_file` makes these types from files, and
//! writes them back.

mod beam;
pub mod bounds;
pub mod channel;
pub mod contact;
mod decided;
pub mod expression;
pub mod force;
pub mod generator;
mod giver;
pub mod group;
pub mod joint;
pub mod kind;
mod known_by;
mod laws;
mod linked;
pub mod lock;
pub mod mechanism;
pub mod numbers;
pub mod outcome;
pub mod placement;
mod point;
mod reason;
pub mod sensitivity;
pub mod signal;
pub mod steady;
pub mod study;
pub mod switches;
mod vary;

pub use channel::{Channel, ObservedChannel, Owner};
pub use contact::{Contact, ContactCard};
pub use decided::{Decided, ElementSide, LinkedNumber, Sided};
pub use expression::Expression;
pub use force::{Attached, Force, ForceCard};
pub use generator::{Driven, Generator, GeneratorCard};
pub use giver::Giver;
pub use group::BodyGroup;
pub use joint::{Coordinate, CoordinateStart, Joint, JointCard, JointCoordinate, JointInitial};
pub use kind::{KindCard, MonteCarlo};
pub use laws::common_divisor;
pub use lock::{Lock, LockCard};
pub use mechanism::{
    Axes, Beam, BeamElement, Body, Constant, Flexible, FlexibleSource, Given, InertiaAbout, Initial, LINES,
    Level, Linked, Load, LoadKind, LoadPiece, Mechanism, NotMade, Notes, Recipe, SectionStiffness, Support,
};
pub use numbers::{Number, NumberOwner};
pub use outcome::{EndCondition, Outcome, OutcomeKind};
pub use point::{Drawn, Point, Range};
pub use sensitivity::{Screening, Sensitivity};
pub use signal::{Effect, EnergyPart, LawState, NamedPoint, Sensor, Signal, Spot};
pub use steady::{EquilibriumSearch, SteadyMotion};
pub use study::{
    AccuracySettings, BackendChoice, Constraints, Correlated, Design, Ensemble, InstanceTable, Kernels,
    Observe, Open, OutputSettings, Question, RequestedAccuracy, Run, Study, StudyKind, TimeIntegration,
    Unexplained, VerdictBounds,
};
pub use vary::{Distribution, MixturePart, ParameterValue, Quantity, Target, Values, VariedStep, Vary};
