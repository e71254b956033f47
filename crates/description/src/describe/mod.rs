//! The content of a study, resolved: mechanism, method, ensemble, what is observed. Values are in
//! SI and checked; nothing is read or computed here. `study_file` makes these types from files, and
//! writes them back.

mod beam;
pub mod bounds;
pub mod channel;
pub mod contact;
pub mod convergence;
pub mod equilibria;
pub mod expression;
pub mod force;
pub mod generator;
mod giver;
pub mod group;
pub mod joint;
pub mod kind;
mod known_by;
pub mod linked;
pub mod lock;
pub mod lyapunov;
pub mod mechanism;
pub mod modes;
pub mod numbers;
pub mod outcome;
pub mod placement;
mod reason;
pub mod sensitivity;
pub mod signal;
pub mod stability_map;
pub mod study;
pub mod switches;

pub use channel::{Channel, ObservedChannel, Owner};
pub use contact::{Contact, ContactCard};
pub use convergence::{Convergence, MethodVariant};
pub use equilibria::Static;
pub use expression::Expression;
pub use force::{Attached, Force, ForceCard};
pub use generator::{Driven, Generator, GeneratorCard};
pub use giver::Giver;
pub use group::BodyGroup;
pub use joint::{Coordinate, CoordinateStart, Joint, JointCard, JointCoordinate, JointInitial};
pub use kind::{KindCard, Question, StudyKind};
pub use linked::{Decided, ElementSide, Linked, LinkedNumber, NotMade, Recipe, Sided};
pub use lock::{Lock, LockCard};
pub use lyapunov::Lyapunov;
pub use mechanism::{
    Axes, Beam, BeamElement, Body, Constant, Flexible, FlexibleSource, Given, InertiaAbout, Initial, LINES,
    Level, Load, LoadKind, LoadPiece, Mechanism, Notes, Point, SectionStiffness, Support,
};
pub use modes::{EquilibriumSearch, Modes, SteadyMotion};
pub use numbers::{Number, NumberOwner, Range};
pub use outcome::{EndCondition, Outcome, OutcomeKind};
pub use sensitivity::{Screening, Sensitivity};
pub use signal::{Effect, EnergyPart, LawState, NamedPoint, Sensor, Signal, Spot};
pub use stability_map::StabilityMap;
pub use study::{
    AccuracySettings, BackendChoice, Constraints, Correlated, Design, Distribution, Ensemble, InstanceTable,
    Kernels, MixturePart, Observe, Open, OutputSettings, ParameterValue, Quantity, RequestedAccuracy, Run,
    Study, Target, TimeIntegration, Unexplained, Values, VariedStep, Vary, VerdictBounds,
};
