//! polhode: ensembles of small mechanisms.
//!
//! A study file describes a mechanism, a method and an ensemble; polhode advances very many independent copies on
//! the CPU (SIMD lanes, threads) or a GPU (a WGSL kernel generated for the mechanism) and answers with statistics,
//! verdicts, tables and a report. An independent f64 reference judges both.
//!
//! # From another program
//!
//! ```no_run
//! use polhode::{RunOptions, Study};
//!
//! let study = Study::from_file("studies/tumbling.toml")?;
//! let results = polhode::run(&study, &RunOptions::new())?;
//! println!("{:?}", results.verdicts());
//! results.write_to("runs/tumbling", false)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A study can be made in code too, by the keys of the files: [`Study::builder`], [`Mechanism::builder`]. `examples/embed.rs` does all of it.
//!
//! # Inside
//!
//! The modules in the order in which data flows:
//!
//! | module | what |
//! |---|---|
//! | [`study_file`] | mechanism and study files read and written, errors with file, line and key |
//! | [`describe`] | what they say, resolved |
//! | [`base`] | precision, verdicts, cards and settings, units |
//! | [`real`], [`math`] | the scalar everything is generic over; vectors and quaternions |
//! | [`kinematics`] | motions of bodies, points and frames on them, rows of velocities |
//! | [`elements`] | forces, one file each with its card |
//! | [`model`] | what the machine runs: principal axes, parameters, the dynamics of a body |
//! | [`methods`], [`treatments`] | integration methods; ways to hold joints |
//! | [`flexible`] | modal data of flexible bodies |
//! | [`ensemble`] | what each instance starts from, and what happens at which step |
//! | [`backend`] | the step loop: CPU, GPU |
//! | [`observe`] | channels, statistics, verdicts |
//! | [`study`] | a study turned into an answer |
//! | [`output`] | Parquet tables, plots, report |
//! | [`reference`](mod@reference) | the judge |
//! | [`verify`](mod@verify) | the claims of the reports, measured |
//!
//! # Symbols and units
//!
//! | symbol | meaning | unit |
//! |---|---|---|
//! | `q` | attitude: unit quaternion, scalar first, body axes to space axes | 1 |
//! | `w` | angular velocity, body axes | rad/s |
//! | `r`, `v` | position and velocity of the mass centre, space axes | m, m/s |
//! | `J` | inertia | kg m² |
//! | `h` | full step | s |
//! | `tau` | moment | N m |
//!
//! Sources, by the names used throughout: PC87 (Park & Chiou, CU-CSSC-87-08, 1987), PCD90 (Park, Chiou & Downer,
//! CU-CSSC-90-07, 1990), H92 (Hulbert, Computers & Structures, 1992), K14 (Kasti, IJRES 2(8), 2014).

// Tests may: there a panic is the message.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod backend;
pub mod base;
pub mod cli;
pub mod describe;
pub mod elements;
pub mod embed;
pub mod ensemble;
pub mod flexible;
pub mod kinematics;
pub mod math;
pub mod methods;
pub mod model;
pub mod observe;
pub mod output;
mod progress;
pub mod real;
pub mod reference;
pub mod study;
pub mod study_file;
pub mod treatments;
pub mod verify;

pub use arrow_array::RecordBatch;
pub use describe::{Mechanism, Study};
pub use embed::{Results, RunOptions, run};
pub use ensemble::Shard;
pub use output::OutputError;
pub use study::monte_carlo::{Listener, RunError};
pub use study_file::builder::{MechanismBuilder, Part, StudyBuilder, Value};
pub use study_file::{Problem, Problems};
