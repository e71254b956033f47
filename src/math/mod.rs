//! Vectors, quaternions and small systems of equations, generic over [`Real`](crate::real::Real).

pub mod cholesky;
pub mod functions;
pub mod linear;
pub mod orthonormal;
pub mod quaternion;
pub mod stumpff;
pub mod turn;
pub mod vector;
