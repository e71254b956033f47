//! Forces: the card of a kind of force, and one force of a mechanism with its numbers.
//!
//! A card says all that files, reports and drawings need to know of a kind. The file of its physics
//! under `crates/dynamics/src/elements/` has it, and everything here reads it: no other place lists
//! the kinds.

use std::borrow::Cow;

use super::expression::Expression;
use super::joint::{Coordinate, JointCoordinate};
use super::known_by::known_by;
use super::point::{Drawn, Point, Range};
use crate::base::units::Dimension;

/// A kind of force.
pub struct ForceCard {
    /// Name of its table in files, such as `joint_spring`.
    pub table: &'static str,
    /// One of it in reports; the plural ends in s.
    pub noun: &'static str,
    /// Meaning of a list of them, for the documentation of files.
    pub title: &'static str,
    /// The law of one of them.
    pub doc: &'static str,
    /// The bodies or the joint between which it acts.
    pub joins: Joins,
    /// The keys of its numbers, in the order in which an instance has them.
    pub numbers: &'static [NumberKey],
    /// Functions of time.
    pub functions: &'static [FunctionKey],
    /// It takes energy even where all numbers that [lose](Role::Loses) are zero, as it has none.
    pub loses: bool,
    /// It draws bodies back, so that they vibrate.
    pub is_elastic: bool,
    /// It acts only beyond a limit: small vibrations count it as touched.
    pub is_touched: bool,
    /// Its law bends, or turns within a narrow range: steps of one length for all meet that badly.
    pub bends: bool,
    /// It jumps where the motion brings it to a limit.
    pub jumps: fn(&Force) -> bool,
    /// It is a rotor with a momentum of its own, which the [carrier](super::Mechanism::carrier)
    /// carries.
    pub spins: bool,
    /// Limits bend its law, and by them it feels velocities besides those in its functions.
    pub saturates: fn(&Force) -> bool,
    /// The sign by which reports draw it.
    pub drawn: Drawn,
    /// Finds values that contradict each other.
    pub contradiction: fn(&Force) -> Option<Contradiction>,
}

impl ForceCard {
    /// A kind without functions that is not drawn; the fields after `numbers` are those of a force
    /// that is none of these.
    pub const fn new(table: &'static str, noun: &'static str, joins: Joins) -> ForceCard {
        ForceCard {
            table,
            noun,
            title: "",
            doc: "",
            joins,
            numbers: &[],
            functions: &[],
            loses: false,
            is_elastic: false,
            is_touched: false,
            bends: false,
            jumps: |_| false,
            spins: false,
            saturates: |_| false,
            drawn: Drawn::Nothing,
            contradiction: nothing,
        }
    }
}

known_by!(ForceCard, table);

const fn nothing(_: &Force) -> Option<Contradiction> {
    None
}

/// Values that are sound one by one, but not together.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// The fault, as a sentence.
    pub found: String,
    /// Advice: the words to write instead.
    pub advice: &'static str,
}

/// The bodies or the joint between which a force acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joins {
    /// Two points, along the line between them.
    Points,
    /// Two points with a frame each.
    Frames,
    /// Both sides of a joint, along its coordinate.
    Coordinate,
    /// A body and its surroundings.
    Body,
}

/// A number of a kind of force, or three of them: along x, y and z.
#[derive(Clone, Copy, Debug)]
pub struct NumberKey {
    /// Key in files. A number is addressed as `NAME.key`, one of three as `NAME.key.x`.
    pub name: &'static str,
    /// 1 or 3.
    pub count: usize,
    /// The dimension of its values.
    pub measure: Measure,
    /// The values it may have, drawn ones included.
    pub range: Range,
    /// Its value where a file does not give it.
    pub absent: Absent,
    /// Its effect on the energy.
    pub role: Role,
    /// Its meaning, in one line.
    pub doc: &'static str,
}

impl NumberKey {
    /// A number that is 0 where a file does not give it.
    pub const fn new(measure: Measure, range: Range) -> NumberKey {
        NumberKey { name: "", count: 1, measure, range, absent: Absent::Zero, role: Role::Plain, doc: "" }
    }

    /// This number, but a file must give it.
    pub const fn required(self) -> NumberKey {
        NumberKey { absent: Absent::Refused, ..self }
    }

    /// This number, but infinite where a file does not give it.
    pub const fn infinite(self, value: f64) -> NumberKey {
        NumberKey { absent: Absent::Infinite(value), ..self }
    }

    /// This number, but it takes energy where it is not zero.
    pub const fn loses(self) -> NumberKey {
        NumberKey { role: Role::Loses, ..self }
    }

    /// This number, but it brings energy where it is not zero.
    pub const fn drives(self) -> NumberKey {
        NumberKey { role: Role::Drives, ..self }
    }
}

/// The value of a number that a file does not give.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Absent {
    /// The file must give it.
    Refused,
    /// It is 0.
    Zero,
    /// There is no such limit.
    Infinite(f64),
}

/// The effect of a number on the energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Neither.
    Plain,
    /// It takes energy where it is not zero.
    Loses,
    /// It brings energy where it is not zero.
    Drives,
}

/// The dimension of a number. Where a force acts at a joint, it follows from the joint's
/// coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// This dimension, wherever the force acts.
    Of(Dimension),
    /// rad or m
    Coordinate,
    /// rad/s or m/s
    Rate,
    /// N m or N
    Load,
    /// N m/rad or N/m
    Stiffness,
    /// N m s/rad or N s/m
    Damping,
    /// s/rad or s/m
    Dissipation,
    /// kg m² or kg
    Inertia,
}

impl Measure {
    /// At this coordinate; a force that is at none is taken for one along a displacement.
    pub fn at(self, coordinate: Option<Coordinate>) -> Dimension {
        let turns = coordinate.is_some_and(Coordinate::is_turn);
        let turn_or_slide = |angle, displacement| if turns { angle } else { displacement };
        match self {
            Measure::Of(dimension) => dimension,
            Measure::Coordinate => turn_or_slide(Dimension::Angle, Dimension::Length),
            Measure::Rate => turn_or_slide(Dimension::AngularSpeed, Dimension::Speed),
            Measure::Load => turn_or_slide(Dimension::Torque, Dimension::Force),
            Measure::Stiffness => turn_or_slide(Dimension::TorsionalStiffness, Dimension::Stiffness),
            Measure::Damping => turn_or_slide(Dimension::TorsionalDamping, Dimension::Damping),
            Measure::Dissipation => turn_or_slide(Dimension::TimePerAngle, Dimension::TimePerLength),
            Measure::Inertia => turn_or_slide(Dimension::Inertia, Dimension::Mass),
        }
    }
}

/// A function of time of a kind of force; absent it is 0. It brings energy where it is not zero.
#[derive(Clone, Copy, Debug)]
pub struct FunctionKey {
    /// Key in files.
    pub name: &'static str,
    /// The dimension of its values.
    pub measure: Measure,
    /// Its meaning, in one line.
    pub doc: &'static str,
}

/// A force of a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Force {
    /// The kind.
    pub card: &'static ForceCard,
    /// As it is named in files, reports and `[ensemble.vary]`.
    pub name: String,
    /// Where it acts.
    pub attached: Attached,
    /// SI, in the order of the card.
    pub numbers: Vec<f64>,
    /// In the order of the card.
    pub functions: Vec<Expression>,
}

/// Where a force is attached.
#[derive(Clone, Debug, PartialEq)]
pub enum Attached {
    /// Two points, on bodies or the ground.
    Points([Point; 2]),
    /// `frames[side]`: x, y, z in the axes of the side's body.
    Frames { points: [Point; 2], frames: [[[f64; 3]; 3]; 2] },
    /// A joint's coordinate.
    Coordinate(JointCoordinate),
    /// Position in [`Mechanism::bodies`](super::Mechanism::bodies).
    Body(usize),
}

impl Force {
    /// A force of this kind, its functions zero.
    pub fn new(
        card: &'static ForceCard,
        name: impl Into<String>,
        attached: Attached,
        numbers: Vec<f64>,
    ) -> Force {
        let functions = card.functions.iter().map(|_| Expression::Number(0.0)).collect();
        Force { card, name: name.into(), attached, numbers, functions }
    }

    /// This force with a function of time; a name that the card lacks changes nothing.
    pub fn with_function(mut self, name: &str, function: Expression) -> Force {
        if let Some(k) = self.card.functions.iter().position(|key| key.name == name) {
            self.functions[k] = function;
        }
        self
    }

    /// The numbers of this key: one or three; empty where the card lacks it.
    pub fn values(&self, name: &str) -> &[f64] {
        let mut first = 0;
        for key in self.card.numbers {
            if key.name == name {
                return &self.numbers[first..first + key.count];
            }
            first += key.count;
        }
        &[]
    }

    /// The number of this key; NaN where the card lacks it.
    pub fn number(&self, name: &str) -> f64 {
        self.values(name).first().copied().unwrap_or(f64::NAN)
    }

    /// The points between which it acts.
    pub fn points(&self) -> &[Point] {
        match &self.attached {
            Attached::Points(points) | Attached::Frames { points, .. } => points,
            Attached::Coordinate(_) | Attached::Body(_) => &[],
        }
    }

    /// x, y, z of both sides' frames; of a force without frames zero.
    pub fn frames(&self) -> [[[f64; 3]; 3]; 2] {
        match &self.attached {
            Attached::Frames { frames, .. } => *frames,
            Attached::Points(_) | Attached::Coordinate(_) | Attached::Body(_) => [[[0.0; 3]; 3]; 2],
        }
    }

    /// The coordinate of a joint at which it acts.
    pub fn coordinate(&self) -> Option<JointCoordinate> {
        match self.attached {
            Attached::Coordinate(of) => Some(of),
            Attached::Points(_) | Attached::Frames { .. } | Attached::Body(_) => None,
        }
    }

    /// The dimension of this measure for this force.
    pub fn dimension(&self, measure: Measure) -> Dimension {
        measure.at(self.coordinate().map(|attached| attached.coordinate))
    }

    /// Its numbers one by one: what is addressed, value and key.
    pub(super) fn parts(&self) -> impl Iterator<Item = (Cow<'static, str>, f64, &'static NumberKey)> + '_ {
        let keys = self.card.numbers.iter().flat_map(|key| (0..key.count).map(move |k| (key, k)));
        keys.zip(&self.numbers).map(|((key, k), value)| {
            let part = match key.count {
                1 => Cow::Borrowed(key.name),
                _ => Cow::Owned(format!("{}.{}", key.name, ["x", "y", "z"][k])),
            };
            (part, *value, key)
        })
    }
}
