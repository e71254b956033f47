//! Integration methods, one file each, generic over the scalar.

pub mod staggered;
