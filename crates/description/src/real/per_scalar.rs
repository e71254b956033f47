//! One value for each scalar with which polhode computes, for lists that are filled at run time and
//! so know no generics.

use std::any::Any;

use super::{Dual, Real, Traced};

/// A value for any scalar, of a type that the scalar decides.
pub trait OverScalars {
    type Over<R: Real>: Any + Send + Sync;

    fn over<R: Real>() -> Self::Over<R>;
}

/// Its values for f32, f64, the recording scalar of which kernels and machine code are made, and
/// tangents of both.
#[derive(Default)]
pub struct PerScalar(Vec<Box<dyn Any + Send + Sync>>);

impl PerScalar {
    pub fn of<F: OverScalars>() -> PerScalar {
        PerScalar(vec![
            Box::new(F::over::<f32>()),
            Box::new(F::over::<f64>()),
            Box::new(F::over::<Traced>()),
            Box::new(F::over::<Dual<f64>>()),
            Box::new(F::over::<Dual<Traced>>()),
        ])
    }

    /// The value of this type, which names the scalar.
    ///
    /// # Panics
    /// It was made of other types, or for a scalar with which polhode does not compute.
    pub fn get<T: Any>(&self) -> &T {
        self.0.iter().find_map(|value| value.downcast_ref()).expect("there is a value for every scalar")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scalar_finds_its_own_value() {
        struct Twice;
        impl OverScalars for Twice {
            type Over<R: Real> = fn(R) -> R;
            fn over<R: Real>() -> fn(R) -> R {
                |x| x + x
            }
        }
        let twice = PerScalar::of::<Twice>();
        assert_eq!(twice.get::<fn(f32) -> f32>()(1.5), 3.0);
        assert_eq!(twice.get::<fn(f64) -> f64>()(1.5), 3.0);
        let tangent = twice.get::<fn(Dual<f64>) -> Dual<f64>>();
        assert_eq!(tangent(Dual { value: 1.5, tangent: 1.0 }).tangent, 2.0);
    }
}
