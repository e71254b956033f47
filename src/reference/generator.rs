//! Prescribed motions as constraint rows (W84 table 6.1 with a function of time).
//!
//! ```text
//! coordinate  Phi = s - f(t)          position  Phi = e.P - f(t)          velocity  Phidot = e.V - f(t), Phi = 0
//! ```

use crate::describe::{self, Expression, Prescribed};

use super::ReferenceError;
use super::body::{Motion, RigidBody};
use super::function;
use super::joint::Side;
use super::series::Series;

/// One generator.
#[derive(Clone, Debug)]
pub enum Generator {
    /// Position in the system's list of coordinates.
    Coordinate {
        coordinate: usize,
        value: Expression,
    },
    /// By components of space.
    Position {
        point: Side,
        value: [Option<Expression>; 3],
    },
    Velocity {
        point: Side,
        value: [Option<Expression>; 3],
    },
}

impl Generator {
    /// `place`: where a coordinate is in the system's list.
    ///
    /// # Errors
    /// Its joint has no such coordinate.
    pub fn new(
        generator: &describe::Generator,
        place: impl Fn(describe::JointCoordinate) -> Option<usize>,
        bodies: &[RigidBody],
    ) -> Result<Generator, ReferenceError> {
        Ok(match &generator.motion {
            Prescribed::Coordinate { of, value } => {
                let none = || ReferenceError::NoCoordinate { element: generator.name.clone() };
                Generator::Coordinate { coordinate: place(*of).ok_or_else(none)?, value: value.clone() }
            }
            Prescribed::Position { point, value } => {
                Generator::Position { point: Side::of_point(point, bodies), value: value.clone() }
            }
            Prescribed::Velocity { point, value } => {
                Generator::Velocity { point: Side::of_point(point, bodies), value: value.clone() }
            }
        })
    }

    /// Its rows at the given series of all coordinates. At no time functions of time count as zero: then the rates are B u.
    pub fn rows(
        &self,
        motions: &[Motion],
        coordinates: &[Series<f64>],
        time: Option<f64>,
        constants: &[f64],
    ) -> Vec<Series<f64>> {
        let at = |value: &Expression| match time {
            Some(time) => function::at(value, time, constants),
            None => Series::constant(0.0),
        };
        match self {
            Generator::Coordinate { coordinate, value } => vec![coordinates[*coordinate].minus(at(value))],
            Generator::Position { point, value } => {
                let p = point.point(motions);
                given(value).map(|(k, value)| p.component(k).minus(at(value))).collect()
            }
            Generator::Velocity { point, value } => {
                let p = point.point(motions);
                let row = |(k, value): (usize, &Expression)| {
                    let f = at(value);
                    Series { value: 0.0, rate: p.rate[k] - f.value, second: p.second[k] - f.rate }
                };
                given(value).map(row).collect()
            }
        }
    }

    /// What it does with the next of these multipliers, `Q = -B^T lam`: along the coordinate, as the first number (N m or N), or on the
    /// point, space axes (N).
    pub fn drive(&self, multipliers: &mut impl Iterator<Item = f64>) -> [f64; 3] {
        let mut force = [0.0; 3];
        match self {
            Generator::Coordinate { .. } => force[0] = -multipliers.next().unwrap_or(f64::NAN),
            Generator::Position { value, .. } | Generator::Velocity { value, .. } => {
                for (k, _) in given(value) {
                    force[k] = -multipliers.next().unwrap_or(f64::NAN);
                }
            }
        }
        force
    }

    /// For each row whether it holds positions.
    pub fn holds_positions(&self) -> Vec<bool> {
        match self {
            Generator::Coordinate { .. } => vec![true],
            Generator::Position { value, .. } => given(value).map(|_| true).collect(),
            Generator::Velocity { value, .. } => given(value).map(|_| false).collect(),
        }
    }

    /// Its functions of time.
    pub fn functions(&self) -> Vec<&Expression> {
        match self {
            Generator::Coordinate { value, .. } => vec![value],
            Generator::Position { value, .. } | Generator::Velocity { value, .. } => {
                given(value).map(|(_, value)| value).collect()
            }
        }
    }
}

/// The components that are prescribed.
fn given(value: &[Option<Expression>; 3]) -> impl Iterator<Item = (usize, &Expression)> {
    value.iter().enumerate().filter_map(|(k, value)| Some((k, value.as_ref()?)))
}
