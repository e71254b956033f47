//! Generators, motions prescribed in time: their cards and their constraint rows.
//!
//! ```text
//! coordinate  Phi = s - f(t)        position  Phi = e.P - f(t)        velocity  e.Pdot - f(t) = 0, the rate alone
//! ```

use super::Coordinates;
use crate::base::units::Dimension;
use crate::describe::force::Measure;
use crate::describe::generator::{Driven, Drives, GeneratorCard};
use crate::describe::{Coordinate, Expression, Generator, JointCoordinate, Point};
use crate::kinematics::body::Motion;
use crate::kinematics::function::{Moment, jet};
use crate::kinematics::row::Row;
use crate::kinematics::side::{Of, Side};
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
    doc: "Its position in space axes (m): three functions of time; \"free\" for a component that is not prescribed.",
};

static VELOCITY: GeneratorCard = GeneratorCard {
    key: "velocity",
    drives: Drives::Point,
    measure: Measure::Of(Dimension::Speed),
    rate_alone: true,
    needs: "a generator of a velocity needs one derivative",
    doc: "Its velocity in space axes (m/s) instead.",
};

/// The cards of all generators, in the order in which they are listed.
pub static CARDS: &[&GeneratorCard] = &[&COORDINATE, &POSITION, &VELOCITY];

/// A generator of a joint's coordinate (rad or m).
pub fn coordinate(name: impl Into<String>, of: JointCoordinate, value: Expression) -> Generator {
    let driven = Driven::Coordinate(of);
    Generator { name: name.into(), kind: &COORDINATE, driven, functions: vec![Some(value)] }
}

/// A generator of a point's position along the axes of space (m); `None`: this component is free.
pub fn position(name: impl Into<String>, point: Point, value: [Option<Expression>; 3]) -> Generator {
    Generator { name: name.into(), kind: &POSITION, driven: Driven::Point(point), functions: value.into() }
}

/// A generator of a point's velocity along the axes of space (m/s); `None`: this component is free.
pub fn velocity(name: impl Into<String>, point: Point, value: [Option<Expression>; 3]) -> Generator {
    Generator { name: name.into(), kind: &VELOCITY, driven: Driven::Point(point), functions: value.into() }
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
            DrivenTarget::Coordinate(of) => {
                functions.map(|(_, f)| prescribed(joints.coordinate(*of, motions), f)).collect()
            }
            DrivenTarget::Point(side) => {
                let placed = side.placed(motions);
                let curved = placed.centripetal(Of::Arm);
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
