//! The floating-point format of a run.

use serde::Serialize;

/// Single precision or double precision, IEEE 754, or sums of two single numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// Single: 24 bits.
    F32,
    /// Single, the state as sums of two numbers: what a step adds is not lost.
    F32Compensated,
    /// Double: 53 bits.
    F64,
}

impl Precision {
    /// Bytes of a number.
    pub fn bytes(self) -> u64 {
        match self {
            Precision::F32 | Precision::F32Compensated => 4,
            Precision::F64 => 8,
        }
    }

    /// Distance from 1 to the next larger number.
    pub fn epsilon(self) -> f64 {
        match self {
            Precision::F32 | Precision::F32Compensated => f64::from(f32::EPSILON),
            Precision::F64 => f64::EPSILON,
        }
    }

    /// Whether a step is computed in single precision, whatever its state is.
    pub fn is_single(self) -> bool {
        self != Precision::F64
    }

    /// The place of the format of its numbers in lists of single precision, then double.
    pub fn place(self) -> usize {
        usize::from(!self.is_single())
    }

    /// Returns the format that holds a number of a state: a sum of two single numbers needs double
    /// precision.
    pub fn written(self) -> Precision {
        match self {
            Precision::F32 => Precision::F32,
            Precision::F32Compensated | Precision::F64 => Precision::F64,
        }
    }

    /// As studies name it.
    pub fn name(self) -> &'static str {
        match self {
            Precision::F32 => "f32",
            Precision::F32Compensated => "f32_compensated",
            Precision::F64 => "f64",
        }
    }
}
