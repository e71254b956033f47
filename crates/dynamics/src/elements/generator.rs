//! Generators, motions prescribed in time, and couplings of coordinates: their cards and their
//! constraint rows.
//!
//! ```text
//! coordinate  Phi = s - f(t)
//! position    Phi = e.P - f(t)
//! velocity    e.Pdot - f(t) = 0, the rate alone
//! coupling    Phi = s - f(x), x another coordinate:  rate  sdot - f' xdot,
//!                                                    bias  bias_s - f' bias_x - f'' xdot²
//! ```

use super::Coordinates;
use crate::base::units::Dimension;
use crate::describe::force::Measure;
use crate::describe::generator::{Driven, Drives, GeneratorCard};
use crate::describe::{Coordinate, Expression, Generator, JointCoordinate, Point};
use crate::kinematics::body::Motion;
use crate::kinematics::function::{Moment, jet};
use crate::kinematics::row::Row;
use crate::kinematics::side::{Side, SideVector};
use crate::math::vector::dot;
use crate::real::Real;

static COORDINATE: GeneratorCard = GeneratorCard {
    key: "value",
    drives: Drives::Coordinate,
    measure: Measure::Coordinate,
    rate_alone: false,
    needs: "a generator of a coordinate needs two derivatives",
    doc: "The coordinate (rad or m) as a function of time.",
};

static POSITION: GeneratorCard = GeneratorCard {
    key: "position",
    drives: Drives::Point,
    measure: Measure::Of(Dimension::Length),
    rate_alone: false,
    needs: "a generator of a position needs two derivatives",
    doc: "Its position in space axes (m): three functions of time; \
          \"free\" for a component that is not prescribed.",
};

static VELOCITY: GeneratorCard = GeneratorCard {
    key: "velocity",
    drives: Drives::Point,
    measure: Measure::Of(Dimension::Speed),
    rate_alone: true,
    needs: "a generator of a velocity needs one derivative",
    doc: "Its velocity in space axes (m/s) instead.",
};

static COUPLING: GeneratorCard = GeneratorCard {
    key: "coupling",
    drives: Drives::Coupled,
    measure: Measure::Coordinate,
    rate_alone: false,
    needs: "a coupling needs two derivatives",
    doc: "The coordinate (rad or m) as a function of another coordinate.",
};

/// The cards of all generators, in the order in which they are listed.
pub static CARDS: &[&GeneratorCard] = &[&COORDINATE, &POSITION, &VELOCITY, &COUPLING];

/// A coordinate (rad or m) that is a function of another one, as by gears, racks and screws.
pub fn coupling(
    name: impl Into<String>,
    follower: JointCoordinate,
    leader: JointCoordinate,
    value: Expression,
) -> Generator {
    Generator { kind: &COUPLING, follows: Some(leader), ..coordinate(name, follower, value) }
}

/// A generator of a joint's coordinate (rad or m).
pub fn coordinate(name: impl Into<String>, driven: JointCoordinate, value: Expression) -> Generator {
    let driven = Driven::Coordinate(driven);
    Generator { name: name.into(), kind: &COORDINATE, driven, follows: None, functions: vec![Some(value)] }
}

/// A generator of a point's position along the axes of space (m); `None`: this component is free.
pub fn position(name: impl Into<String>, point: Point, value: [Option<Expression>; 3]) -> Generator {
    let driven = Driven::Point(point);
    Generator { name: name.into(), kind: &POSITION, driven, follows: None, functions: value.into() }
}

/// A generator of a point's velocity along the axes of space (m/s); `None`: this component is free.
pub fn velocity(name: impl Into<String>, point: Point, value: [Option<Expression>; 3]) -> Generator {
    let driven = Driven::Point(point);
    Generator { name: name.into(), kind: &VELOCITY, driven, follows: None, functions: value.into() }
}

/// A generator of an instance.
pub struct GeneratorRows<R> {
    generator: Generator,
    target: DrivenTarget<R>,
}

/// A coordinate or a point that a generator of an instance drives.
enum DrivenTarget<R> {
    Coordinate(JointCoordinate),
    Point(Side<R>),
}

impl<R: Real> GeneratorRows<R> {
    /// `side` makes the point of an instance.
    pub fn new(generator: &Generator, side: impl FnOnce(&Point) -> Side<R>) -> GeneratorRows<R> {
        let target = match &generator.driven {
            Driven::Coordinate(of) => DrivenTarget::Coordinate(*of),
            Driven::Point(point) => DrivenTarget::Point(side(point)),
        };
        GeneratorRows { generator: generator.clone(), target }
    }

    /// The displacement that it drives; `None`: an angle or a point.
    pub fn displacement(&self) -> Option<JointCoordinate> {
        match self.target {
            DrivenTarget::Coordinate(of) => (of.coordinate == Coordinate::Displacement).then_some(of),
            DrivenTarget::Point(_) => None,
        }
    }

    /// Number of rows.
    pub fn count(&self) -> usize {
        self.generator.rows()
    }

    /// Whether this component has a row.
    pub fn prescribes(&self, component: usize) -> bool {
        self.generator.functions.get(component).is_some_and(Option::is_some)
    }

    /// Its rows at this moment. Functions call `constants` by position.
    pub fn evaluate(
        &self,
        joints: &impl Coordinates<R>,
        motions: &[Motion<R>],
        now: &Moment<R>,
        constants: &[R],
    ) -> Vec<Row<R>> {
        let prescribed = |row: Row<R>, function: &Expression| {
            let [value, rate, second] = jet(function, now, constants);
            if self.generator.kind.rate_alone {
                Row { own_rate: Some(-value), ..Row::of_rate(row.parts, row.bias - rate) }
            } else {
                row.driven([value, rate, second])
            }
        };
        let functions = self.generator.prescribed();
        match &self.target {
            DrivenTarget::Coordinate(of) if let Some(followed) = self.generator.follows => functions
                .map(|(_, f)| {
                    let other = joints.coordinate(followed, motions);
                    let function = jet(f, &Moment::at(other.violation), constants);
                    joints.coordinate(*of, motions).following(other, function, motions)
                })
                .collect(),
            DrivenTarget::Coordinate(of) => {
                functions.map(|(_, f)| prescribed(joints.coordinate(*of, motions), f)).collect()
            }
            DrivenTarget::Point(side) => {
                let placed = side.placed(motions);
                let curved = placed.centripetal(SideVector::Arm);
                let along = |k: usize| {
                    let mut e = placed.zero();
                    e[k] = e[k].lift(1.0);
                    Row::new(placed.part(Some(e), None), dot(e, placed.point), curved[k])
                };
                functions.map(|(k, f)| prescribed(along(k), f)).collect()
            }
        }
    }
}
