//! Twins of the reports' methods that nobody would choose today.

mod momentum;
mod newmark;
pub mod newmark_euler_parameters;
pub mod newmark_rotation_vector;
pub mod predictor_corrector;
pub mod simo_wong;
pub mod staggered_conserving;
