//! Kinematics for elements: motions, points and frames on bodies, rows of velocities, dampers,
//! functions of time.

pub mod body;
pub mod damping;
pub mod deformation;
pub mod function;
pub mod row;
pub mod side;
