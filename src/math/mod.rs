//! Vectors and quaternions, generic over [`Real`](crate::real::Real).

pub mod quaternion;
pub mod vector;
