//! Every key of the study and mechanism files: name, form, default and meaning, in one table each.
//!
//! The reader opens a table of a file only through its `Section` here: keys outside it are refused, defaults are taken
//! from it. The JSON Schema is printed from the same sections, so that the two cannot drift apart.

use std::sync::LazyLock;

use super::units::Dimension;
use crate::methods::{self, Card, Kind};
use crate::treatments;

/// A TOML table with a fixed set of keys.
#[derive(Debug)]
pub struct Section {
    pub doc: &'static str,
    pub keys: &'static [Key],
}

#[derive(Debug)]
pub struct Key {
    pub name: &'static str,
    pub form: Form,
    pub presence: Presence,
    pub doc: &'static str,
}

/// What happens when a key is absent.
#[derive(Clone, Copy, Debug)]
pub enum Presence {
    Required,
    /// Nothing, or what `doc` says.
    Optional,
    /// This TOML value is read instead.
    Default(&'static str),
}

/// The shape of a key's value.
#[derive(Debug)]
pub enum Form {
    Text,
    Flag,
    Choice(&'static [&'static str]),
    /// A text that starts with one of these choices or is one of them; the pattern is for the schema.
    Pattern(&'static str),
    Count {
        min: u64,
        max: u64,
    },
    /// A pure number.
    Number,
    /// A pure number within these ends, both included.
    Bounded {
        min: f64,
        max: f64,
    },
    /// A number in SI, or a text with a unit.
    Quantity(Dimension),
    /// Only a text with a unit.
    QuantityText(Dimension),
    /// Three quantities.
    Vector(Dimension),
    /// Three rows of three.
    Matrix(Dimension),
    /// One or several quantities, of the dimension that the varied quantity has.
    Varied,
    /// As many pure numbers as given here; `None`: any count.
    Numbers(Option<usize>),
    /// A list of lists of pure numbers.
    NumberRows,
    List(&'static Form),
    Table(&'static Section),
    /// The table of an integration method: see [`method_section`].
    Method,
    /// The table of a treatment of joints: see [`treatment_section`].
    Constraints,
    /// Any key, each with a value of this form.
    Map(&'static Form),
    Either(&'static [&'static Form]),
}

impl Section {
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|key| key.name)
    }
}

use Dimension::{Acceleration, Angle, AngularSpeed, Inertia, Length, Mass, Speed, Time};
use Presence::{Default, Optional, Required};

const fn key(name: &'static str, form: Form, presence: Presence, doc: &'static str) -> Key {
    Key { name, form, presence, doc }
}

/// Largest ensemble.
pub const MAX_SIZE: u64 = 1_000_000_000;
/// Largest number of full steps.
pub const MAX_STEPS: u64 = u32::MAX as u64;
/// Largest integer that every TOML reader takes.
pub const MAX_SEED: u64 = i64::MAX as u64;

pub static STUDY: Section = Section {
    doc: "A study: a mechanism, a method, an ensemble, and what to observe.",
    keys: &[
        key("title", Form::Text, Optional, "Title of plots and report. Absent: the file's name."),
        key(
            "mechanism",
            Form::Either(&[&Form::Text, &Form::Table(&MECHANISM)]),
            Required,
            "The mechanism: a file, relative to this one, or a table in place.",
        ),
        key("method", Form::Method, Required, "How time is stepped."),
        key("constraints", Form::Constraints, Default("{}"), "How the joints of the mechanism are held."),
        key("ensemble", Form::Table(&ENSEMBLE), Required, "How many instances, and how they differ."),
        key("observe", Form::Table(&OBSERVE), Default("{}"), "What is recorded, and when."),
        key("verdict", Form::Table(&VERDICT), Default("{}"), "Bounds at which an instance is stopped."),
        key("run", Form::Table(&RUN), Default("{}"), "Where and how it is computed."),
    ],
};

/// The method of a study that names none.
pub const DEFAULT_METHOD: &str = "staggered";

/// The table of the method of this name; of an unknown one, what all methods have.
pub fn method_section(name: &str) -> &'static Section {
    METHODS.iter().find(|(of, _)| *of == name).map_or(&METHODS[0].1, |(_, section)| section)
}

/// The treatment of a study that names none.
pub const DEFAULT_TREATMENT: &str = "staggered";

/// The table of the treatment of this name; of an unknown one, what all treatments have.
pub fn treatment_section(name: &str) -> &'static Section {
    TREATMENTS.iter().find(|(of, _)| *of == name).map_or(&TREATMENTS[0].1, |(_, section)| section)
}

/// The tables of all treatments, by name.
pub fn treatment_sections() -> impl Iterator<Item = (&'static str, &'static Section)> {
    TREATMENTS.iter().skip(1).map(|(name, section)| (*name, section))
}

/// The names of all treatments.
pub fn treatment_names() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> =
        LazyLock::new(|| treatments::CARDS.iter().map(|card| card.name).collect());
    &NAMES
}

/// What all treatments have, under no name, then the table of each.
static TREATMENTS: LazyLock<Vec<(&'static str, Section)>> = LazyLock::new(|| {
    let name = || {
        key(
            "treatment",
            Form::Choice(treatment_names()),
            Default("\"staggered\""),
            "How multipliers are found.",
        )
    };
    let common = Section { doc: "How the joints of the mechanism are held.", keys: vec![name()].leak() };
    let of_card = |card: &&'static treatments::TreatmentCard| {
        let keys: Vec<Key> = std::iter::once(name()).chain(card.keys.iter().map(setting)).collect();
        (card.name, Section { doc: card.meaning, keys: keys.leak() })
    };
    std::iter::once(("", common)).chain(treatments::CARDS.iter().map(of_card)).collect()
});

/// The names of all methods.
pub fn method_names() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> =
        LazyLock::new(|| methods::CARDS.iter().map(|card| card.name).collect());
    &NAMES
}

/// The tables of all methods, by name.
pub fn method_sections() -> impl Iterator<Item = (&'static str, &'static Section)> {
    METHODS.iter().skip(1).map(|(name, section)| (*name, section))
}

/// What all methods have, under no name, then the table of each.
static METHODS: LazyLock<Vec<(&'static str, Section)>> = LazyLock::new(|| {
    let section = |doc, keys: Vec<Key>| Section { doc, keys: keys.leak() };
    let common = section(
        "The integration method. Exactly one of `duration` and `steps` is given.",
        common_method_keys(),
    );
    let of_card = |card: &&'static Card| {
        let mut keys = common_method_keys();
        if card.resynchronises {
            keys.push(key(
                "resynchronise",
                Form::Count { min: 0, max: MAX_STEPS },
                Default("200"),
                "Every so many steps the half chain is restarted from the integer chain, which keeps long runs stable; 0: never.",
            ));
        }
        keys.extend(card.keys.iter().map(setting));
        (card.name, section(card.title, keys))
    };
    std::iter::once(("", common)).chain(methods::CARDS.iter().map(of_card)).collect()
});

fn common_method_keys() -> Vec<Key> {
    vec![
        key(
            "name",
            Form::Choice(method_names()),
            Default("\"staggered\""),
            "Integration method: `polhode methods` tells of each.",
        ),
        key("step", Form::Quantity(Time), Required, "Full step h, positive."),
        key(
            "duration",
            Form::Quantity(Time),
            Optional,
            "Simulated time: a whole number of steps (within 1e-6 of a step), at most 2^32 - 1.",
        ),
        key(
            "steps",
            Form::Count { min: 1, max: MAX_STEPS },
            Optional,
            "Number of full steps, instead of `duration`.",
        ),
    ]
}

/// The key of a method's setting.
fn setting(setting: &'static methods::Key) -> Key {
    let (form, default) = match setting.kind {
        Kind::Choice(names) => (Form::Choice(names), format!("{:?}", names[0])),
        Kind::Count(min, max, default) => (Form::Count { min, max }, default.to_string()),
        Kind::Number(min, max, default) => (Form::Bounded { min, max }, format!("{default:?}")),
        Kind::Flag => (Form::Flag, "false".to_string()),
    };
    key(setting.name, form, Default(default.leak()), setting.meaning)
}

pub static ENSEMBLE: Section = Section {
    doc: "The instances.",
    keys: &[
        key(
            "size",
            Form::Count { min: 1, max: MAX_SIZE },
            Optional,
            "Number of instances: a multiple of the number of grid points, at most the rows of a table of samples. \
             Absent: as many as the grid or the table has.",
        ),
        key("seed", Form::Count { min: 0, max: MAX_SEED }, Default("0"), "Seed of everything random."),
        key(
            "design",
            Form::Choice(&["random", "sobol", "latin_hypercube"]),
            Default("\"random\""),
            "How the unit cube is sampled: independent random points, Sobol points, or a Latin hypercube.",
        ),
        key(
            "vary",
            Form::Map(&Form::Either(&[&Form::Choice(&["uniform"]), &Form::Table(&DISTRIBUTION)])),
            Default("{}"),
            "Varied quantities, by name in quotes: \"BODY.angular_velocity\", \"BODY.mass\", \"BODY.inertia.xx\", \
             \"gravity\", \"LOAD.value[0].z\" ... Each has one distribution; \"uniform\" alone is for an attitude.",
        ),
    ],
};

pub static DISTRIBUTION: Section = Section {
    doc: "Exactly one distribution.",
    keys: &[
        key("normal", Form::Table(&NORMAL), Optional, "Normal, with independent components or a covariance."),
        key("uniform", Form::Table(&UNIFORM), Optional, "Uniform between two bounds."),
        key(
            "log_uniform",
            Form::Table(&LOG_UNIFORM),
            Optional,
            "The logarithm is uniform between two bounds.",
        ),
        key(
            "truncated_normal",
            Form::Table(&TRUNCATED_NORMAL),
            Optional,
            "Normal, conditioned on lying within bounds.",
        ),
        key(
            "von_mises_fisher",
            Form::Table(&VON_MISES_FISHER),
            Optional,
            "A vector of fixed magnitude with a von Mises-Fisher direction.",
        ),
        key(
            "small_rotation",
            Form::Table(&SMALL_ROTATION),
            Optional,
            "Attitude: the nominal one, then a normal rotation vector in body axes.",
        ),
        key(
            "list",
            Form::List(&Form::Either(&[&Form::Varied, &ATTITUDE])),
            Optional,
            "One value after another. Lists and grids are the axes of a Cartesian product, the last one fastest.",
        ),
        key(
            "linspace",
            Form::Table(&LINSPACE),
            Optional,
            "Equally spaced values; an axis of the Cartesian product.",
        ),
        key(
            "logspace",
            Form::Table(&LOGSPACE),
            Optional,
            "Values of equal ratio; an axis of the Cartesian product.",
        ),
        key("table", Form::Table(&TABLE), Optional, "Your own samples: row i is for instance i."),
    ],
};

pub static NORMAL: Section = Section {
    doc: "A normal distribution. Exactly one of `std` and `covariance` is given.",
    keys: &[
        key("mean", Form::Varied, Optional, "Mean. Absent: the mechanism's own value."),
        key(
            "std",
            Form::Varied,
            Optional,
            "Standard deviation, not negative; one for all components or one each.",
        ),
        key(
            "covariance",
            Form::NumberRows,
            Optional,
            "Covariance matrix, symmetric positive semidefinite, in SI units squared.",
        ),
    ],
};

pub static UNIFORM: Section = Section {
    doc: "A uniform distribution.",
    keys: &[
        key("low", Form::Varied, Required, "Lower bound."),
        key("high", Form::Varied, Required, "Upper bound, not below `low`."),
    ],
};

pub static LOG_UNIFORM: Section = Section {
    doc: "A log-uniform distribution.",
    keys: &[
        key("low", Form::Varied, Required, "Lower bound, positive."),
        key("high", Form::Varied, Required, "Upper bound, not below `low`."),
    ],
};

pub static TRUNCATED_NORMAL: Section = Section {
    doc: "A truncated normal distribution: at least one bound is given.",
    keys: &[
        key("mean", Form::Varied, Optional, "Mean before truncation. Absent: the mechanism's own value."),
        key("std", Form::Varied, Required, "Standard deviation before truncation, positive."),
        key("low", Form::Varied, Optional, "Lower bound. Absent: none."),
        key("high", Form::Varied, Optional, "Upper bound, above `low`. Absent: none."),
    ],
};

pub static VON_MISES_FISHER: Section = Section {
    doc: "A von Mises-Fisher direction times a magnitude.",
    keys: &[
        key("direction", Form::Numbers(Some(3)), Required, "Mean direction, of any length but 0."),
        key(
            "concentration",
            Form::Number,
            Required,
            "Concentration kappa, not negative; 0: uniform on the sphere.",
        ),
        key("magnitude", Form::Varied, Required, "Length of the vector, not negative."),
    ],
};

pub static SMALL_ROTATION: Section = Section {
    doc: "A small random rotation about a nominal attitude.",
    keys: &[
        key(
            "std",
            Form::Either(&[&Form::Quantity(Angle), &Form::Vector(Angle)]),
            Required,
            "Standard deviation of the rotation vector, not negative; one for all axes or one each.",
        ),
        key("nominal", ATTITUDE, Optional, "Nominal attitude. Absent: the mechanism's initial attitude."),
    ],
};

pub static LINSPACE: Section = Section {
    doc: "Equally spaced values, both ends included.",
    keys: &[
        key("from", Form::Varied, Required, "First value."),
        key("to", Form::Varied, Required, "Last value."),
        key("count", Form::Count { min: 2, max: MAX_SIZE }, Required, "Number of values."),
    ],
};

pub static LOGSPACE: Section = Section {
    doc: "Values of equal ratio, both ends included.",
    keys: &[
        key("from", Form::Varied, Required, "First value, positive."),
        key("to", Form::Varied, Required, "Last value, positive."),
        key("count", Form::Count { min: 2, max: MAX_SIZE }, Required, "Number of values."),
    ],
};

pub static TABLE: Section = Section {
    doc: "A table of samples.",
    keys: &[
        key(
            "file",
            Form::Text,
            Required,
            "A .csv file with a header row or a .parquet file, relative to this file.",
        ),
        key(
            "columns",
            Form::Either(&[&Form::Text, &Form::List(&Form::Text)]),
            Required,
            "Column names, one for each number of the quantity, in its order. Values are in SI units.",
        ),
    ],
};

pub static OBSERVE: Section = Section {
    doc: "What is recorded.",
    keys: &[
        key(
            "channels",
            Form::List(&Form::Text),
            Default("[\"angular_velocity\", \"attitude\", \"energy_drift\", \"angular_momentum_drift\"]"),
            "Channels: angular_velocity, attitude, position, velocity, energy, energy_drift, angular_momentum, \
             angular_momentum_drift, tilt, quaternion_norm_error, constraint_violation, potential_estimate; also as \"BODY.angular_velocity\". Of \
             joints: angle, angle_rate, displacement, displacement_rate, force, torque; of generators: drive_torque, \
             drive_force; of locks: caught, released; also as \"JOINT.angle\".",
        ),
        key(
            "every",
            Form::Either(&[&Form::Count { min: 1, max: MAX_STEPS }, &Form::QuantityText(Time)]),
            Optional,
            "Time between snapshots: a text with a unit (a whole number of steps), or an integer number of steps. \
             Absent: a two-hundredth of the run.",
        ),
        key(
            "keep",
            Form::Count { min: 0, max: MAX_SIZE },
            Optional,
            "Number of instances (the first ones) whose trajectories are kept; statistics use all. Absent: 16, or the \
             size if that is less.",
        ),
        key(
            "quantiles",
            Form::Numbers(None),
            Default("[0.05, 0.25, 0.5, 0.75, 0.95]"),
            "Probabilities of the quantiles in the statistics, ascending, between 0 and 1.",
        ),
    ],
};

pub static VERDICT: Section = Section {
    doc: "Bounds on errors: an instance that passes one is stopped in its last good state, the others go on.",
    keys: &[
        key(
            "energy",
            Form::Number,
            Optional,
            "Largest relative energy drift |E - E0| / (T0 + |V0|). Absent: not checked.",
        ),
        key(
            "quaternion_norm",
            Form::Number,
            Optional,
            "Largest error of the quaternion's norm. Absent: not checked.",
        ),
        key(
            "every",
            Form::Either(&[&Form::Count { min: 1, max: MAX_STEPS }, &Form::QuantityText(Time)]),
            Default("100"),
            "Steps between checks: an integer, or a time with its unit.",
        ),
    ],
};

pub static RUN: Section = Section {
    doc: "Where and how it is computed. Results do not depend on threads and chunk.",
    keys: &[
        key(
            "backend",
            Form::Pattern("^(auto|cpu|gpu|gpu:.+)$"),
            Default("\"auto\""),
            "auto: a real GPU if there is one, else the CPU. cpu. gpu: any GPU, software ones included. gpu:NAME: the \
             first whose name contains NAME.",
        ),
        key(
            "precision",
            Form::Choice(&["f32", "f64"]),
            Default("\"f64\""),
            "Floating-point numbers of the step loop.",
        ),
        key(
            "fused",
            Form::Flag,
            Default("true"),
            "CPU: fuse multiply and add where the processor can. false gives the bits of a GPU that does not fuse.",
        ),
        key("threads", Form::Count { min: 1, max: 65_536 }, Optional, "CPU threads. Absent: all."),
        key(
            "chunk",
            Form::Count { min: 1, max: MAX_SIZE },
            Optional,
            "Instances advanced together. Absent: chosen from memory.",
        ),
    ],
};

pub static MECHANISM: Section = Section {
    doc: "A mechanism: rigid bodies, their supports, joints between them, springs and loads.",
    keys: &[
        key("name", Form::Text, Optional, "Name in reports. Absent: the file's name."),
        key(
            "gravity",
            Form::Either(&[&Form::Vector(Acceleration), &Form::Quantity(Acceleration)]),
            Default("[0, 0, 0]"),
            "Acceleration of gravity in space axes; a single number g means [0, 0, -g].",
        ),
        key(
            "body",
            Form::Either(&[&Form::Table(&BODY), &Form::List(&Form::Table(&BODY))]),
            Required,
            "The rigid body, or several of them.",
        ),
        key(
            "joint",
            Form::List(&Form::Table(&JOINT)),
            Default("[]"),
            "Joints between two bodies, or a body and the ground.",
        ),
        key(
            "spring",
            Form::List(&Form::Table(&SPRING)),
            Default("[]"),
            "Springs, dampers and actuators between two points.",
        ),
        key("load", Form::List(&Form::Table(&LOAD)), Default("[]"), "Forces and torques on the bodies."),
    ],
};

pub static BODY: Section = Section {
    doc: "A rigid body, described in body axes, which need not be principal.",
    keys: &[
        key(
            "name",
            Form::Text,
            Default("\"body\""),
            "Name for varied quantities and channels: letters, digits, _ and -.",
        ),
        key("mass", Form::Quantity(Mass), Required, "Mass, positive."),
        key(
            "inertia",
            Form::Either(&[&Form::Vector(Inertia), &Form::Matrix(Inertia)]),
            Required,
            "Moments of inertia in body axes: three numbers (a diagonal) or a symmetric positive definite matrix.",
        ),
        key(
            "inertia_about",
            Form::Choice(&["mass_centre", "origin"]),
            Default("\"mass_centre\""),
            "The point about which `inertia` is given. With a fixed point, the origin is that point.",
        ),
        key(
            "centre_of_mass",
            Form::Vector(Length),
            Default("[0, 0, 0]"),
            "Mass centre from the body's origin, in body axes.",
        ),
        key(
            "support",
            Form::Choice(&["free", "fixed_point"]),
            Default("\"free\""),
            "free, or fixed_point: the body's origin is held and the body turns about it.",
        ),
        key("initial", Form::Table(&INITIAL), Default("{}"), "The state at t = 0."),
    ],
};

pub static JOINT: Section = Section {
    doc: "A joint between two bodies, or a body and the ground. At the start it must hold.",
    keys: &[
        key("name", Form::Text, Required, "Name, unique: letters, digits, _ and -."),
        key(
            "kind",
            Form::Choice(&[
                "spherical",
                "universal",
                "revolute",
                "slot",
                "cylindrical",
                "translational",
                "planar_point",
                "planar",
                "fixed",
                "distance",
            ]),
            Required,
            "What the joint leaves free. slot: point B on the line through A; planar_point: B in the plane through A.",
        ),
        key("bodies", PAIR, Required, "Bodies A and B; \"ground\" is the ground."),
        key("points", POINTS, Required, "Point A and point B, each from its body's origin in its body axes."),
        key(
            "axes",
            Form::Either(&[&Form::Vector(Dimension::Number), &Form::List(&Form::Vector(Dimension::Number))]),
            Optional,
            "The joint's axis (normal of a plane), in the axes of A and of B; one for both where they are the same. Not for spherical and distance.",
        ),
        key(
            "length",
            Form::Quantity(Length),
            Optional,
            "Distance between the points, positive; for distance only. Absent: as at the start.",
        ),
    ],
};

const PAIR: Form = Form::List(&Form::Text);
const POINTS: Form = Form::List(&Form::Vector(Length));

pub static SPRING: Section = Section {
    doc: "A force along the line between two points, -stiffness (l - free_length) - damping dl/dt + actuator; positive pushes them apart.",
    keys: &[
        key("name", Form::Text, Required, "Name, unique: letters, digits, _ and -."),
        key("bodies", PAIR, Required, "Bodies A and B; \"ground\" is the ground."),
        key("points", POINTS, Required, "Point A and point B, each from its body's origin in its body axes."),
        key("stiffness", Form::Quantity(Dimension::Stiffness), Default("0"), "Stiffness, not negative."),
        key("damping", Form::Quantity(Dimension::Damping), Default("0"), "Damping, not negative."),
        key("free_length", Form::Quantity(Length), Default("0"), "Length without force, not negative."),
        key("actuator", Form::Quantity(Dimension::Force), Default("0"), "A constant force besides."),
    ],
};

pub static INITIAL: Section = Section {
    doc: "The state at t = 0.",
    keys: &[
        key(
            "position",
            Form::Vector(Length),
            Default("[0, 0, 0]"),
            "Position of the body's origin, in space axes.",
        ),
        key(
            "velocity",
            Form::Vector(Speed),
            Default("[0, 0, 0]"),
            "Velocity of the body's origin, in space axes; zero with a fixed point.",
        ),
        key("attitude", ATTITUDE, Default("[1, 0, 0, 0]"), "The rotation that maps body axes to space axes."),
        key("angular_velocity", Form::Vector(AngularSpeed), Default("[0, 0, 0]"), "Angular velocity."),
        key(
            "angular_velocity_axes",
            Form::Choice(&["body", "space"]),
            Default("\"body\""),
            "Axes of the components of `angular_velocity`.",
        ),
    ],
};

/// An attitude, wherever one is asked for.
pub const ATTITUDE: Form = Form::Either(&[
    &Form::Numbers(Some(4)),
    &Form::Table(&QUATERNION),
    &Form::Table(&ROTATION_VECTOR),
    &Form::Table(&AXIS_ANGLE),
]);

pub static QUATERNION: Section = Section {
    doc: "An attitude as a quaternion.",
    keys: &[key("quaternion", Form::Numbers(Some(4)), Required, "Unit quaternion, scalar first.")],
};

pub static ROTATION_VECTOR: Section = Section {
    doc: "An attitude as a rotation vector.",
    keys: &[key("rotation_vector", Form::Vector(Angle), Required, "Axis times angle.")],
};

pub static AXIS_ANGLE: Section = Section {
    doc: "An attitude as axis and angle.",
    keys: &[
        key("axis", Form::Numbers(Some(3)), Required, "Axis, of any length but 0."),
        key("angle", Form::Quantity(Angle), Required, "Angle."),
    ],
};

pub static LOAD: Section = Section {
    doc: "A force or torque. Exactly one of `value` and `pieces` is given.",
    keys: &[
        key("name", Form::Text, Required, "Name, unique: letters, digits, _ and -."),
        key("body", Form::Text, Optional, "The body on which it acts. Absent: the only one."),
        key("kind", Form::Choice(&["force", "torque"]), Required, "force (N) or torque (N m)."),
        key(
            "axes",
            Form::Choice(&["body", "space"]),
            Required,
            "Axes of the components, which stay constant in them.",
        ),
        key(
            "point",
            Form::Vector(Length),
            Optional,
            "Where a force acts, from the body's origin in body axes. Absent: the origin. Not for a torque.",
        ),
        key("value", LOAD_VALUE, Optional, "A load that acts from t = 0 on for ever."),
        key(
            "pieces",
            Form::List(&Form::Table(&PIECE)),
            Optional,
            "A load that is constant by pieces, in time order, and zero outside them.",
        ),
    ],
};

const LOAD_VALUE: Form = Form::Either(&[&Form::Vector(Dimension::Force), &Form::Vector(Dimension::Torque)]);

pub static PIECE: Section = Section {
    doc: "A stretch of time, `from` <= t < `until`, in which a load is constant.",
    keys: &[
        key("from", Form::Quantity(Time), Default("0"), "Start."),
        key("until", Form::Quantity(Time), Optional, "End, after `from`. Absent, or inf: it acts for ever."),
        key("value", LOAD_VALUE, Required, "Force or torque."),
    ],
};

pub static WITH_UNIT: Section = Section {
    doc: "A number, vector or matrix of plain numbers, with one unit for all.",
    keys: &[
        key(
            "value",
            Form::Either(&[&Form::Number, &Form::Numbers(None), &Form::NumberRows]),
            Required,
            "Plain numbers.",
        ),
        key("unit", Form::Text, Required, "Their unit, such as \"N m\"."),
    ],
};
