//! Vectors, quaternions and small systems of equations, generic over [`Real`](crate::real::Real);
//! lines of least squares, eigenvalues and intervals of shares in f64.

pub mod cholesky;
pub mod eigen;
pub mod factor;
pub mod fit;
pub mod functions;
pub mod inertia;
pub mod linear;
pub mod orthonormal;
pub mod quaternion;
pub mod stumpff;
pub mod symmetric;
pub mod turn;
pub mod vector;
pub mod wilson;
