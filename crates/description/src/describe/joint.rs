//! Joints: the card of a kind of joint, and one joint of a mechanism.
//!
//! A card says all that files, placement, reports and drawings need to know of a kind. The file of
//! its rows under `crates/dynamics/src/elements/joints/` has it, and everything here reads it: no
//! other place lists the kinds.

use std::f64::consts::FRAC_PI_2;

use super::known_by::known_by;
use super::point::{Drawn, Point, Range};
use crate::base::units::Dimension;

/// A kind of joint.
pub struct JointCard {
    /// Name in files, such as `planar_point`.
    pub name: &'static str,
    /// Explains the name in the list of keys; empty where the name says enough.
    pub doc: &'static str,
    /// One name a constraint row, in their order: it says what the row holds. x, y and z are the
    /// axes of the joint's frame on its first body A, or on B.
    pub rows: &'static [&'static str],
    /// The coordinates that the joint has.
    pub coordinates: &'static [Coordinate],
    /// Whether files give its axis.
    pub axis: AxisKey,
    pub alignment: Alignment,
    /// The angle about its axis, or nothing, is all that is free of an attitude: the joint's
    /// coordinates then say how body B stands.
    pub holds_attitude: bool,
    pub places: Places,
    /// A joint that keeps its points at a distance gives advice to users whose two points coincide;
    /// `None`: the joint has no length.
    pub length: Option<&'static str>,
    pub drawn: Drawn,
}

impl JointCard {
    /// A joint with an axis, which may point anywhere, and without coordinates or length.
    pub const fn new(name: &'static str, rows: &'static [&'static str]) -> JointCard {
        JointCard {
            name,
            doc: "",
            rows,
            coordinates: &[],
            axis: AxisKey::Required,
            alignment: Alignment::Any,
            holds_attitude: false,
            places: Places::ByCoordinates,
            length: None,
            drawn: Drawn::Nothing,
        }
    }

    /// Whether it has this coordinate.
    pub fn has(&self, coordinate: Coordinate) -> bool {
        self.coordinates.contains(&coordinate)
    }

    /// Whether files give directions across its axis: its angles count from them, and a slider
    /// holds its bodies turned so.
    pub fn has_references(&self) -> bool {
        self.has(Coordinate::Angle) || !self.coordinates.is_empty() && self.turns()
    }

    /// Whether its coordinates, where they are given, say how body B stands, and not only where.
    pub fn turns(&self) -> bool {
        self.holds_attitude || self.has(Coordinate::AngleA) || self.has(Coordinate::AngleX)
    }
}

known_by!(JointCard, name);

/// Whether a file gives the axis of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisKey {
    /// The joint has none.
    Refused,
    Required,
    /// Space z in both bodies where it is absent.
    Optional,
    /// It is the last of the axes about which the bodies turn to each other: their own z where it
    /// is absent.
    OfTurns,
}

/// A condition on the two axes at the start, without which the rows would not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    Any,
    Parallel,
    Perpendicular,
    /// The joint holds both bodies as they stand: B's frame follows from A's and both attitudes.
    AsBodiesStand,
}

/// Whether a joint puts its second body in place at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// Where a coordinate of it is given.
    ByCoordinates,
    /// Without coordinates too: by its points, and by its frames if it holds the attitude.
    ByPoints,
    /// It does not, even though it has a coordinate; the text says why.
    Never(&'static str),
}

/// A joint keeps two bodies, or a body and the ground, together. Both sides carry a point and a
/// frame: three unit vectors x, y, z fixed in the side's body, z the joint's axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    pub name: String,
    pub kind: &'static JointCard,
    /// The points of sides A and B, which are on different bodies.
    pub points: [Point; 2],
    /// `frames[side]`: x, y, z in the axes of the side's body.
    pub frames: [[[f64; 3]; 3]; 2],
    /// Distance between the points (m), of a kind that [has one](JointCard::length); else 0.
    pub length: f64,
    /// Where the joint stands at t = 0, if that is how the start of body B is given.
    pub initial: Option<JointInitial>,
}

/// The coordinates of a joint at t = 0. Body B is put where they say, whatever its own initial
/// state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointInitial {
    /// In the order of [`Coordinate::ALL`]; those that its kind lacks are zero.
    starts: [CoordinateStart; Coordinate::ALL.len()],
    /// As [`Given::approximate`](super::Given::approximate).
    pub approximate: bool,
}

/// A coordinate and its rate at t = 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoordinateStart {
    /// (rad or m), (rad/s or m/s)
    pub numbers: [f64; 2],
    /// Which of the two the user gives, or a study draws: each is a condition of the assembly.
    /// Others are zero as long as nothing else moves them.
    pub given: [bool; 2],
}

impl JointInitial {
    /// This coordinate has this value (rad or m), which is no condition; all else is zero.
    pub fn at(coordinate: Coordinate, value: f64) -> JointInitial {
        let mut initial = JointInitial::default();
        initial.of_mut(coordinate).numbers[0] = value;
        initial
    }

    pub fn of(&self, coordinate: Coordinate) -> CoordinateStart {
        self.starts[coordinate as usize]
    }

    pub fn of_mut(&mut self, coordinate: Coordinate) -> &mut CoordinateStart {
        &mut self.starts[coordinate as usize]
    }

    /// Takes the same coordinates for given as another.
    pub fn given_as(&mut self, other: &JointInitial) {
        for (own, other) in self.starts.iter_mut().zip(&other.starts) {
            own.given = other.given;
        }
        self.approximate = other.approximate;
    }
}

/// A motion that a joint leaves free, as one number.
///
/// ```text
/// angle         from xA to xB about zA (rad), unwrapped; its rate is zB.wB - zA.wA
/// displacement  zA.(P_B - P_A) (m)
/// ```
///
/// The bodies of a universal joint, whose zA and zB are perpendicular, stand to each other as
/// `Rot(zA, angle_a) Rot(zB, angle_b)`; xA is zB and xB is zA where both angles are 0. Of a ball
/// joint as `Rot(x, angle_x) Rot(y, angle_y) Rot(z, angle_z)`, each turn about the axis as the
/// turns before leave it:
///
/// ```text
/// angle_a  atan2(yA.zB, xA.zB)        angle_x  atan2(-yA.zB, zA.zB)
/// angle_b  atan2(-yB.zA, xB.zA)       angle_y  asin(xA.zB), within a quarter turn,
///                                              where the others lose their meaning
///                                     angle_z  atan2(-xA.yB, xA.xB)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coordinate {
    /// The turn about z (rad).
    Angle,
    /// The way along z (m).
    Displacement,
    /// The turn of the cross of a universal joint in body A, about zA (rad).
    AngleA,
    /// The turn of body B about the cross of a universal joint, about zB (rad).
    AngleB,
    /// The first turn of a ball joint, about x (rad).
    AngleX,
    /// The second one, about y (rad).
    AngleY,
    /// The third one, about z (rad).
    AngleZ,
}

impl Coordinate {
    /// All of them.
    pub const ALL: [Coordinate; 7] = [
        Coordinate::Angle,
        Coordinate::Displacement,
        Coordinate::AngleA,
        Coordinate::AngleB,
        Coordinate::AngleX,
        Coordinate::AngleY,
        Coordinate::AngleZ,
    ];

    /// Name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Coordinate::Angle => "angle",
            Coordinate::Displacement => "displacement",
            Coordinate::AngleA => "angle_a",
            Coordinate::AngleB => "angle_b",
            Coordinate::AngleX => "angle_x",
            Coordinate::AngleY => "angle_y",
            Coordinate::AngleZ => "angle_z",
        }
    }

    /// The keys in files of its value and its rate at t = 0, and how a study addresses these.
    pub const fn start_keys(self) -> [&'static str; 2] {
        let rate = match self {
            Coordinate::Angle => "angular_velocity",
            Coordinate::Displacement => "velocity",
            Coordinate::AngleA => "angle_a_rate",
            Coordinate::AngleB => "angle_b_rate",
            Coordinate::AngleX => "angle_x_rate",
            Coordinate::AngleY => "angle_y_rate",
            Coordinate::AngleZ => "angle_z_rate",
        };
        [self.name(), rate]
    }

    /// The dimensions of its value and its rate.
    pub const fn dimensions(self) -> [Dimension; 2] {
        match self {
            Coordinate::Displacement => [Dimension::Length, Dimension::Speed],
            _ => [Dimension::Angle, Dimension::AngularSpeed],
        }
    }

    /// The values it may start with (rad or m).
    pub const fn range(self) -> Range {
        match self {
            Coordinate::AngleY => Range::Within(-FRAC_PI_2, FRAC_PI_2),
            _ => Range::Any,
        }
    }

    /// Whether it is an angle (rad), and no length (m).
    pub fn is_turn(self) -> bool {
        self != Coordinate::Displacement
    }

    /// Whether it is an angle that may turn on and on, so that its turns are counted.
    pub fn counts_turns(self) -> bool {
        self.is_turn() && self != Coordinate::AngleY
    }
}

/// A coordinate of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JointCoordinate {
    /// Position in [`Mechanism::joints`](super::Mechanism::joints).
    pub joint: usize,
    /// Which of its coordinates.
    pub coordinate: Coordinate,
}

impl JointCoordinate {
    /// The angle of this joint.
    pub fn angle(joint: usize) -> JointCoordinate {
        JointCoordinate { joint, coordinate: Coordinate::Angle }
    }
}
