//! Mechanism and study files: TOML read into descriptions and written back, with every fault by
//! file, line and key. No numerics live here; the modal data of flexible bodies are made by
//! [`polhode_description::flexible`] as they are read, so that what is no body is found with its
//! line.
//!
//! text -> `document` (tables, values, faults with file, line and key) -> `read_mechanism`
//! (`read_joint`, `read_flexible`, `elements`, `read_function`), `read_study`,
//! `read_vary` -> `Mechanism`, `Study` -> `write` (TOML again). `keys` lists every key once, for
//! the reader, for `schema` and for `key_tables`; those of forces come from their cards.

// Tests may: there a panic is the message.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// Its interface is shown by the crate `polhode`.
#![doc(hidden)]

pub mod builder;
mod declared;
pub mod difference;
mod document;
mod elements;
pub mod error;
mod expression_text;
mod input;
pub mod key_tables;
pub mod keys;
pub mod kinds;
mod linked;
mod modal_table;
mod motions;
mod partial_mechanism;
mod point_mass;
mod read_attitude;
mod read_beam;
mod read_body;
mod read_correlated;
mod read_ensemble;
mod read_flexible;
mod read_forms;
mod read_function;
mod read_group;
mod read_initial;
mod read_joint;
mod read_law;
mod read_load;
mod read_lookup;
mod read_mechanism;
mod read_method;
mod read_observe;
mod read_outcome;
mod read_points;
mod read_run;
mod read_solid;
mod read_study;
mod read_vary;
mod sample_table;
pub mod schema;
mod settings;
mod start_fault;
mod vectors;
pub mod write;
mod write_parts;
mod writer;

pub use elements::force::attachment;
pub use error::{Problem, Problems};
pub use input::GIVEN_SAMPLES;
pub use keys::MAX_STEPS;
pub use read_mechanism::{mechanism_of_text, read_mechanism};
pub use read_outcome::outcome_words;
pub use read_study::{read_finished_study, read_study, read_study_text, read_study_with};
pub use schema::{mechanism_schema, study_schema};
pub use settings::{KeySetting, SettingError};
pub use start_fault::{key_problem, start_problems};
pub use write::resolved_toml;
