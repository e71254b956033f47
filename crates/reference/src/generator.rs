//! Prescribed motions as constraint rows (W84 table 6.1 with a function of time).
//!
//! ```text
//! coordinate  Phi = s - f(t)          position  Phi = e.P - f(t)
//! velocity    Phidot = e.V - f(t), Phi = 0
//! coupling    Phi = s - f(x), x another coordinate
//! ```

use polhode_description::describe::{self, Driven, Expression, JointCoordinate};

use super::ReferenceError;
use super::body::{Motion, RigidBody};
use super::function::{self, SidedTime};
use super::joint::Side;
use super::series::Series;

/// One generator.
#[derive(Clone, Debug)]
pub struct Generator {
    target: Target,
    /// Position in the system's list of the coordinate that is followed.
    follows: Option<usize>,
    /// By component.
    functions: Vec<Option<Expression>>,
    twin: &'static Twin,
}

/// The coordinate or the point that is driven.
#[derive(Clone, Debug)]
enum Target {
    /// Position in the system's list of coordinates.
    Coordinate(usize),
    Point(Side),
}

/// A kind of generator, by the key of its card.
#[derive(Debug)]
struct Twin {
    key: &'static str,
    holds_positions: bool,
    /// The row of one component and the function of time that it follows.
    row: fn(Series<f64>, Series<f64>) -> Series<f64>,
}

/// The twins of all kinds.
static TWINS: &[Twin] = &[
    Twin { key: "value", holds_positions: true, row: |s, f| s.minus(f) },
    Twin { key: "coupling", holds_positions: true, row: |s, f| s.minus(f) },
    Twin { key: "position", holds_positions: true, row: |p, f| p.minus(f) },
    Twin {
        key: "velocity",
        holds_positions: false,
        row: |p, f| Series { value: 0.0, rate: p.rate - f.value, second: p.second - f.rate },
    },
];

impl Generator {
    /// `place`: where a coordinate is in the system's list.
    ///
    /// # Errors
    /// Its joint has no such coordinate, or its kind has no twin here.
    pub fn new(
        generator: &describe::Generator,
        place: impl Fn(JointCoordinate) -> Option<usize>,
        bodies: &[RigidBody],
    ) -> Result<Generator, ReferenceError> {
        let twin = TWINS.iter().find(|twin| twin.key == generator.kind.key);
        let element = || generator.name.clone();
        let no_twin = || ReferenceError::NoGeneratorTwin { element: element(), kind: generator.kind.key };
        let no_coordinate = || ReferenceError::NoCoordinate { element: element() };
        let target = match &generator.driven {
            Driven::Coordinate(of) => Target::Coordinate(place(*of).ok_or_else(no_coordinate)?),
            Driven::Point(point) => Target::Point(Side::of_point(point, bodies)),
        };
        let follows = match generator.follows {
            Some(of) => Some(place(of).ok_or_else(no_coordinate)?),
            None => None,
        };
        let functions = generator.functions.clone();
        Ok(Generator { target, follows, functions, twin: twin.ok_or_else(no_twin)? })
    }

    /// Its rows at the given series of all coordinates. At no time functions of time count as zero:
    /// then the rates are B u.
    pub fn rows(
        &self,
        motions: &[Motion],
        coordinates: &[Series<f64>],
        time: Option<&SidedTime>,
        constants: &[f64],
    ) -> Vec<Series<f64>> {
        let at = |value: &Expression| match (self.follows, time) {
            (Some(other), _) => function::along(value, coordinates[other], constants),
            (None, Some(time)) => time.series(value, constants),
            (None, None) => Series::constant(0.0),
        };
        match &self.target {
            Target::Coordinate(coordinate) => {
                self.given().map(|(_, f)| (self.twin.row)(coordinates[*coordinate], at(f))).collect()
            }
            Target::Point(point) => {
                let p = point.point(motions);
                self.given().map(|(k, f)| (self.twin.row)(p.component(k), at(f))).collect()
            }
        }
    }

    /// The load with the next of these multipliers, `Q = -B^T lam`: along the coordinate, as the
    /// first number (N m or N), or on the point, space axes (N).
    pub fn drive(&self, multipliers: &mut impl Iterator<Item = f64>) -> [f64; 3] {
        let mut force = [0.0; 3];
        for (k, _) in self.given() {
            force[k] = -multipliers.next().unwrap_or(f64::NAN);
        }
        force
    }

    /// For each row whether it holds positions.
    pub(crate) fn holds_positions(&self) -> Vec<bool> {
        self.given().map(|_| self.twin.holds_positions).collect()
    }

    /// Its functions of time.
    pub fn functions(&self) -> impl Iterator<Item = &Expression> {
        self.given().filter(|_| self.follows.is_none()).map(|(_, function)| function)
    }

    /// The components that are prescribed.
    fn given(&self) -> impl Iterator<Item = (usize, &Expression)> {
        self.functions.iter().enumerate().filter_map(|(k, value)| Some((k, value.as_ref()?)))
    }
}
