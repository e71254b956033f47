//! The floating-point format of a run.

use serde::Serialize;

/// Single precision or double precision, IEEE 754.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// Single: 24 bits.
    F32,
    /// Double: 53 bits.
    F64,
}

impl Precision {
    /// Bytes of a number.
    pub fn bytes(self) -> u64 {
        match self {
            Precision::F32 => 4,
            Precision::F64 => 8,
        }
    }

    /// Distance from 1 to the next larger number.
    pub fn epsilon(self) -> f64 {
        match self {
            Precision::F32 => f64::from(f32::EPSILON),
            Precision::F64 => f64::EPSILON,
        }
    }

    /// As studies name it.
    pub fn name(self) -> &'static str {
        match self {
            Precision::F32 => "f32",
            Precision::F64 => "f64",
        }
    }
}
