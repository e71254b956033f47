//! Methods of the reports that nobody would choose today: they are offered, measured and verified
//! as all others, so that what the reports say of them can be checked.

mod impulse;
mod newmark;
pub mod newmark_euler_parameters;
pub mod newmark_rotation_vector;
pub mod predictor_corrector;
pub mod simo_wong;
pub mod staggered_conserving;
