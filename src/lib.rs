//! polhode: ensembles of small mechanisms.
//!
//! A study file describes a mechanism, a method and an ensemble; polhode advances very many
//! independent copies on the CPU (SIMD lanes, threads) or a GPU (a WGSL kernel generated for the
//! mechanism) and answers with statistics, verdicts, tables and a report. An independent f64
//! reference judges both.
//!
//! # From another program
//!
//! ```no_run
//! use polhode::{FromKeys, RunOptions, Study};
//!
//! let study = Study::from_file("studies/tumbling.toml")?;
//! let results = polhode::run(&study, &RunOptions::new())?;
//! println!("{:?}", results.verdicts());
//! results.write_to("runs/tumbling", false)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A study can be made in code too, by the keys of the files ([`FromKeys::builder`]).
//! `examples/embed.rs` does all of it.
//!
//! # What is where
//!
//! | | |
//! |---|---|
//! | [`Study`], [`Mechanism`] | from a file, or made in code by keys ([`FromKeys`], [`Part`]) |
//! | [`check`], [`CheckOptions`], [`Checked`] | what a study would do and cost |
//! | [`run`], [`RunOptions`], [`Listener`] | a study run, watched, ended early, taken up again |
//! | [`Results`] | what was found: tables, verdicts, measured errors, the folder of `polhode run` |
//! | [`StudyBuilder::samples`] | own samples from record batches in memory |
//! | [`shards`], [`merge`], [`extend`] | parts of an ensemble, put together; more instances |
//! | [`compare`], [`ComparisonOptions`] | finished runs beside each other |
//! | [`fn@bench`], [`Throughput`] | how fast a mechanism is advanced, and how accurately |
//! | [`Manifest`], [`RecordBatch`] | the manifest of a run; rows of its tables |
//! | [`replay`] | one instance of a folder again, by the judge |
//! | [`mod@force`], [`register_force`] | your force, on all backends (`examples/own_force.rs`) |
//! | [`mod@method`], [`register_method`] | your method (`crates/cli/examples/own_method.rs`) |
//! | [`scalar`] | the scalar over which both are written, vectors and quaternions of it |
//! | [`judge`] | the independent twins that polhode holds against them |
//!
//! Modules that this page does not show are no part of the interface: tests and benches use them,
//! and they change without notice. How polhode is made inside is told by `ARCHITECTURE.md`.
//!
//! # Symbols and units
//!
//! | symbol | meaning, formula | unit | source |
//! |---|---|---|---|
//! | `q` | unit quaternion, scalar first, body to space axes; `q' = q (0, w)/2` | 1 | PC87 (5.1) |
//! | `w` | angular velocity, body axes; `J w' + w x J w = tau` | rad/s | PCD90 (39) |
//! | `r`, `v` | position and velocity of the mass centre, space axes | m, m/s | |
//! | `J` | inertia about the mass centre, or the fixed point | kg m² | |
//! | `h` | full step | s | |
//! | `tau` | moment of all forces, body axes | N m | |
//! | `Phi`, `B` | violation of joints; its rate is `B u`, `u` the velocities | m, 1 | PCD90 (3) |
//! | `lam` | multipliers: forces and torques of the rows of `B` | N, N m | PCD90 (5) |
//! | `mu` | `B M^-1 B^T`, with `M` the masses | 1/kg | PCD90 (11) |
//! | `eps`, `gamma`, `beta` | weights of a treatment of joints | see cards | PCD90 III |
//!
//! Sources, by the names used throughout: PC87 (Park & Chiou, CU-CSSC-87-08, 1987), PCD90 (Park,
//! Chiou & Downer, CU-CSSC-90-07, 1990), H92 (Hulbert, Computers & Structures, 1992), K14 (Kasti,
//! IJRES 2(8), 2014), W84 (Wielenga, thesis, 1984).
//!
//! # Glossary
//!
//! | term | meaning |
//! |---|---|
//! | instance | one copy of the mechanism with its own numbers, from study, seed and its number |
//! | ensemble | all instances of a study |
//! | row | an equation of a joint, generator, contact or lock; in a table: an instance |
//! | method | an integration method: how one step is computed from the one before |
//! | treatment | how joints are held: multipliers, penalties, or a partition of coordinates |
//! | generator | a prescribed motion: a coordinate, or a point, as a function of time |
//! | plan | what all instances of a run share: model, method, schedule, bounds |
//! | program | one recorded step: a list of operations, of which kernel and machine code are made |
//! | chunk | instances that are drawn, advanced and written together |
//! | channel | a quantity that is observed, with one or more columns |
//! | outcome | one number of each instance, computed at every step |
//! | signal | an expression with a name, for laws, outcomes and channels |
//! | verdict | how an instance ended: finished, at a bound, at a condition, not finite |
//! | half chain | the second state of the staggered method, half a step ahead of the first |
//! | resynchronise | restart the half chain from the whole one, every so many steps |
//! | judge, reference | the independent computation in f64 by which engine and step are judged |
//! | twin | a force or method written a second time, for the judge |

// Tests may: there a panic is the message.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

#[doc(hidden)]
pub mod embed;
#[doc(hidden)]
pub mod shipped;
#[doc(hidden)]
pub mod study;

#[doc(hidden)]
pub use polhode_description::{base, describe, flexible, math, real, treatments};
#[doc(hidden)]
pub use polhode_dynamics::{elements, ensemble, kinematics, methods, model};
#[doc(hidden)]
pub use polhode_engine::{backend, observe};
#[doc(hidden)]
pub use polhode_files as study_file;
#[doc(hidden)]
pub use polhode_reference as reference;
#[doc(hidden)]
pub use polhode_report as output;

#[doc(inline)]
pub use polhode_dynamics::force_numbers;

#[doc(no_inline)]
pub use arrow_array::{RecordBatch, RecordBatchReader};
#[doc(inline)]
pub use describe::{Mechanism, Study};
pub use embed::{
    Results, RunOptions, bench, check, compare, extend, merge, register_force, register_method, run, shards,
    shards_of,
};
pub use ensemble::Shard;
pub use output::{ExportError, Manifest, OutputError, ReplotError};
pub use study::checking::{CheckOptions, Checked};
pub use study::extend::ExtendError;
pub use study::replay::{Replay, ReplayError, replay};
pub use study::survey::{Stage, Surveyed};
pub use study::throughput::{Engine, Throughput};
pub use study::together::{ComparisonOptions, RunComparison};
pub use study::{Listener, MergeError, RunError};
pub use study_file::builder::{FromKeys, MechanismBuilder, Part, StudyBuilder, Value};
pub use study_file::{Problem, Problems};

/// Forces of your own: a struct of numbers ([`force_numbers!`](crate::force_numbers)), a card, a
/// law.
///
/// Implement [`ForceKind`](force::ForceKind) for the numbers, [`ForceLaw`](force::ForceLaw) for
/// what acts, and [`OwnForce`](force::OwnForce) to name both over every scalar; then call
/// [`register_force`] with a [twin](judge::MakeTwin) before any study is read.
/// `examples/own_force.rs` is a whole program.
pub mod force {
    #[doc(inline)]
    pub use crate::base::units::Dimension;
    #[doc(inline)]
    pub use crate::describe::force::{
        Absent, Attached, Contradiction, Force, ForceCard, FunctionKey, Joins, Measure, NumberKey, Role,
    };
    #[doc(inline)]
    pub use crate::describe::{Coordinate, Drawn, JointCoordinate, Point, Range};
    pub use crate::elements::own::{ForceRefused, OwnForce};
    pub use crate::elements::spring::{along_line, line, push_apart};
    pub use crate::elements::{
        Conditions, Configuration, Coordinates, ForceKind, ForceLaw, Joined, Mounting, Numbers, Stretch,
    };
    pub use crate::kinematics::body::{Motion, Wrench};
    pub use crate::kinematics::damping::Damper;
    pub use crate::kinematics::row::Row;
    pub use crate::kinematics::side::Side;
}

/// Methods of your own: a card and a step.
///
/// Implement [`Method`](method::Method), and call [`register_method`] before any study is read.
/// `crates/cli/examples/own_method.rs` is a whole program.
pub mod method {
    #[doc(inline)]
    pub use crate::base::{Card, Circumstances, Key, Kind, MethodRole, Options, Setting, Takes};
    pub use crate::kinematics::body::{LoadedBody, Motion, Velocities};
    pub use crate::methods::own::MethodRefused;
    pub use crate::methods::{AFTER_START, BEFORE_END, LoadValue, Method, STEP, Sample, Shape, State};
    pub use crate::model::system::{Advanced, System};
}

/// The scalar over which physics is written, and vectors and quaternions of it.
///
/// Nothing written over [`Real`](scalar::Real) branches on a value: a step is recorded once, and
/// run for all instances.
pub mod scalar {
    #[doc(inline)]
    pub use crate::base::Precision;
    #[doc(inline)]
    pub use crate::math::functions::{abs, atan2, exp, greatest, least, sin_cos, tanh};
    #[doc(inline)]
    pub use crate::math::quaternion::{Quat, exponential, inverse, product, to_body, to_space, unit};
    #[doc(inline)]
    pub use crate::math::vector::{Vec3, add, cross, dot, length, scale, scale_add, sub};
    #[doc(inline)]
    pub use crate::real::Real;
}

/// Twins: forces and methods written a second time in f64 with nalgebra, in the user's axes, for
/// the judge.
///
/// A twin shares the card with its force, and nothing else. [`replay`] and the accurate solutions
/// are made of twins.
pub mod judge {
    #[doc(inline)]
    pub use crate::reference::body::{Motion, RigidBody};
    #[doc(inline)]
    pub use crate::reference::elements::spring::{apart, ends};
    #[doc(inline)]
    pub use crate::reference::elements::{AtCoordinate, MakeTwin, Push, Pushing, Twin};
    #[doc(inline)]
    pub use crate::reference::error::ReferenceError;
    #[doc(inline)]
    pub use crate::reference::joint::Side;
    #[doc(inline)]
    pub use crate::reference::methods::{Integrator, Start, SystemIntegrator};
    #[doc(inline)]
    pub use crate::reference::series::Series;
    #[doc(inline)]
    pub use crate::reference::system::MultibodySystem;
}
