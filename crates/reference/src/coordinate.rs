//! A coordinate of a joint: a freedom that it leaves, as one number.
//!
//! With x, y, z the frames' vectors in space axes, z' in the axes of their own body, P the joint's
//! points:
//!
//! ```text
//! angle         theta = atan2(y_A.x_B, x_A.x_B),  theta' = z'_B.w_B - z'_A.w_A,
//!               theta'' = 0 while all w are constant
//! displacement  s = z_A.(P_B - P_A)
//! angle_a       atan2(y_A.z_B, x_A.z_B)      angle_b  atan2(-y_B.z_A, x_B.z_A)
//! angle_x  atan2(-y_A.z_B, z_A.z_B)     angle_y  asin(x_A.z_B)   angle_z  atan2(-x_A.y_B, x_A.x_B)
//! ```
//!
//! Where the joint holds, z_A = z_B, theta' and theta'' are the derivatives of the angle; elsewhere
//! they are its definition. On a flexible body, whose frames turn with it, both are derivatives of
//! the angle as it stands. The angle is unwrapped: of all its values the one nearest to the
//! remembered one.

use std::f64::consts::{PI, TAU};

use nalgebra::Vector3;

use polhode_description::describe::{self, Coordinate};

use super::body::{Motion, RigidBody};
use super::joint::Side;
use super::series::Series;

/// A coordinate of one joint.
#[derive(Clone, Debug)]
pub struct JointNumber {
    kind: Coordinate,
    sides: [Side; 2],
    /// Near which an angle is taken (rad): its value at the end of the last full step, or where the
    /// description says that it starts. Of a displacement the value then (m).
    pub remembered: Option<f64>,
}

impl JointNumber {
    pub fn new(
        joint: &describe::Joint,
        kind: Coordinate,
        remembered: Option<f64>,
        bodies: &[RigidBody],
    ) -> JointNumber {
        let sides = [0, 1].map(|k| Side::new(&joint.points[k], &joint.frames[k], bodies));
        JointNumber { kind, sides, remembered }
    }

    pub fn kind(&self) -> Coordinate {
        self.kind
    }

    /// Whether it changes with the motion of this body.
    pub(crate) fn depends_on(&self, body: usize) -> bool {
        self.sides.iter().any(|side| side.body == Some(body))
    }

    /// The coordinate and its derivatives while every body keeps its velocities (rad or m).
    pub fn series(&self, motions: &[Motion]) -> Series<f64> {
        let [a, b] = [&self.sides[0], &self.sides[1]];
        match self.kind {
            Coordinate::Displacement => {
                let d = b.point(motions).minus(&a.point(motions));
                a.axes(motions)[2].dot(&d)
            }
            Coordinate::AngleA => {
                let ([x_a, y_a, _], [.., z_b]) = (a.axes(motions), b.axes(motions));
                self.angle(y_a.dot(&z_b), x_a.dot(&z_b))
            }
            Coordinate::AngleB => {
                let ([.., z_a], [x_b, y_b, _]) = (a.axes(motions), b.axes(motions));
                self.angle(negative(y_b.dot(&z_a)), x_b.dot(&z_a))
            }
            Coordinate::AngleX => {
                let ([_, y_a, z_a], [.., z_b]) = (a.axes(motions), b.axes(motions));
                self.angle(negative(y_a.dot(&z_b)), z_a.dot(&z_b))
            }
            Coordinate::AngleY => {
                let ([x_a, ..], [.., z_b]) = (a.axes(motions), b.axes(motions));
                let s = x_a.dot(&z_b);
                let c = (1.0 - s.value * s.value).max(0.0).sqrt();
                let second = s.second / c + s.value * s.rate * s.rate / c.powi(3);
                Series { value: s.value.atan2(c), rate: s.rate / c, second }
            }
            Coordinate::AngleZ => {
                let ([x_a, ..], [x_b, y_b, _]) = (a.axes(motions), b.axes(motions));
                self.angle(negative(x_a.dot(&y_b)), x_a.dot(&x_b))
            }
            Coordinate::Angle => {
                let ([x_a, y_a, _], [x_b, ..]) = (a.axes(motions), b.axes(motions));
                let angle = y_a.value.dot(&x_b.value).atan2(x_a.value.dot(&x_b.value));
                if a.is_flexible() || b.is_flexible() {
                    return self.angle(y_a.dot(&x_b), x_a.dot(&x_b));
                }
                let turning = |side: &Side| {
                    side.body.map_or(0.0, |body| side.own_axis().dot(&motions[body].angular_velocity))
                };
                Series { value: self.unwrapped(angle), rate: turning(b) - turning(a), second: 0.0 }
            }
        }
    }

    /// The angle whose sine and cosine are some number times s and c.
    fn angle(&self, s: Series<f64>, c: Series<f64>) -> Series<f64> {
        let square = s.value * s.value + c.value * c.value;
        let rate = (c.value * s.rate - s.value * c.rate) / square;
        let turned = c.value * s.second - s.value * c.second;
        let grown = 2.0 * (s.value * s.rate + c.value * c.rate);
        let value = self.unwrapped(s.value.atan2(c.value));
        Series { value, rate, second: (turned - rate * grown) / square }
    }

    fn unwrapped(&self, angle: f64) -> f64 {
        match self.remembered {
            // A half turn's sign is that of a zero, which rounding makes.
            None if angle == -PI => PI,
            None => angle,
            Some(near) => angle + TAU * ((near - angle) / TAU).round(),
        }
    }
}

fn negative(s: Series<f64>) -> Series<f64> {
    Series { value: -s.value, rate: -s.rate, second: -s.second }
}

/// The direction `e` in space axes; that of a side's axis is `Side::own_axis`.
pub fn fixed(e: [f64; 3]) -> Series<Vector3<f64>> {
    Series { value: e.into(), rate: Vector3::zeros(), second: Vector3::zeros() }
}
