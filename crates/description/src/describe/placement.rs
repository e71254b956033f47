//! Where bodies start that a joint puts in their place: kinematics of the description, joint by
//! joint.

use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

use super::joint::Coordinate;
use super::mechanism::{Axes, Given, Initial, Mechanism};
use super::numbers::{Number, NumberOwner};

/// The initial states of all bodies. `given`: those that the bodies themselves state; `values`: of
/// [`Mechanism::numbers`], which are `numbers`.
///
/// With F the frames and P the points of a joint, s its displacement and a its angle:
///
/// ```text
/// R_B F_B = R_A F_A Rz(a)             w_B = w_A + z a'
/// P_B = P_A + z s                     v(P_B) = v_A + w_A x (P_B - r_A) + z s'
/// ```
///
/// At the angles a and b of a universal joint `R_B F_B = R_A F_A Rz(a) C Rz(b)`, C with z, -y,
/// x for columns, and at those of a ball joint `R_B F_B = R_A F_A Rx Ry Rz`; each rate is about the
/// axis of its turn. A joint that says no angle leaves the attitude of B and its angular velocity
/// as they are. What B gives itself stays too: a joint without coordinates overrules nothing.
pub fn placed(mechanism: &Mechanism, given: &[Initial], numbers: &[Number], values: &[f64]) -> Vec<Initial> {
    let mut states = given.to_vec();
    for k in mechanism.placing_joints() {
        let joint = &mechanism.joints[k];
        let Some(b) = joint.points[1].body else { continue };
        let number = |part: &str| {
            let is_part = |n: &Number| n.element == NumberOwner::Joint && n.index == k && n.part == part;
            numbers.iter().position(is_part).map_or(0.0, |at| values[at])
        };
        let frame = |side: usize| Matrix3::from_columns(&joint.frames[side].map(Vector3::from));
        let at = |side: usize| Vector3::from(joint.points[side].at);
        let a = joint.points[0].body.map(|a| Moving::of(&states[a])).unwrap_or_default();
        let placed_frame = a.turn.to_rotation_matrix().into_inner() * frame(0);
        let z: Vector3<f64> = placed_frame.column(2).into();
        let body = &mechanism.bodies[b];
        let own = Moving::of(&states[b]);
        let keeps = if joint.initial.is_some() { Given::default() } else { body.initial.given };
        let turns = joint.kind.turns() && (joint.kind.holds_attitude || joint.initial.is_some());
        let (turn, w) = if turns {
            let mut between = Matrix3::identity();
            let mut w = a.w;
            for coordinate in joint.kind.coordinates {
                let [value, rate] = coordinate.start_keys().map(number);
                // The axis of this turn, as those before it leave it.
                let axis = match coordinate {
                    Coordinate::Displacement => continue,
                    Coordinate::AngleX => Vector3::x_axis(),
                    Coordinate::AngleY => Vector3::y_axis(),
                    Coordinate::Angle | Coordinate::AngleA | Coordinate::AngleZ => Vector3::z_axis(),
                    Coordinate::AngleB => {
                        between *= Matrix3::new(0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0);
                        Vector3::z_axis()
                    }
                };
                w += placed_frame * (between * axis.into_inner()) * rate;
                between *= Rotation3::from_axis_angle(&axis, value).matrix();
            }
            let matrix = placed_frame * between * frame(1).transpose();
            let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix));
            (turn, if keeps.angular_velocity { own.w } else { w })
        } else {
            (own.turn, own.w)
        };
        let point = a.position + a.turn * at(0) + z * number("displacement");
        let arm = turn * at(1);
        let velocity = a.velocity + a.w.cross(&(point - a.position)) + z * number("velocity");
        let q = turn.quaternion();
        states[b] = Initial {
            position: (point - arm).into(),
            velocity: if keeps.velocity { own.velocity } else { velocity - w.cross(&arm) }.into(),
            attitude: [q.w, q.i, q.j, q.k],
            angular_velocity: match body.initial.angular_velocity_axes {
                Axes::Body => (turn.inverse() * w).into(),
                Axes::Space => w.into(),
            },
            angular_velocity_axes: body.initial.angular_velocity_axes,
            given: body.initial.given,
        };
    }
    states
}

/// A body's start, all in space axes.
#[derive(Clone, Copy, Debug, Default)]
struct Moving {
    position: Vector3<f64>,
    velocity: Vector3<f64>,
    turn: UnitQuaternion<f64>,
    w: Vector3<f64>,
}

impl Moving {
    fn of(initial: &Initial) -> Moving {
        let [q0, q1, q2, q3] = initial.attitude;
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(q0, q1, q2, q3));
        let w = Vector3::from(initial.angular_velocity);
        Moving {
            position: initial.position.into(),
            velocity: initial.velocity.into(),
            turn,
            w: match initial.angular_velocity_axes {
                Axes::Body => turn * w,
                Axes::Space => w,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::{Body, InertiaAbout, Joint, JointCard, JointInitial, Point, Support};

    static REVOLUTE: JointCard = JointCard {
        coordinates: &[Coordinate::Angle],
        holds_attitude: true,
        ..JointCard::new("revolute", &[])
    };

    fn body(name: &str) -> Body {
        Body {
            name: name.to_string(),
            mass: 1.0,
            inertia: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            inertia_axes: [1.0, 0.0, 0.0, 0.0],
            inertia_about: InertiaAbout::MassCentre,
            centre_of_mass: [0.0; 3],
            support: Support::Free,
            is_point: false,
            flexible: None,
            initial: Initial {
                position: [0.0; 3],
                velocity: [0.0; 3],
                attitude: [1.0, 0.0, 0.0, 0.0],
                angular_velocity: [0.0; 3],
                angular_velocity_axes: Axes::Body,
                given: Given::ABOUT,
            },
        }
    }

    /// Two links in the plane of x and y, each 1 m long with its origin in the middle.
    #[test]
    fn links_are_where_their_angles_say() {
        let frame = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let hinge = |name: &str, a: Option<usize>, b: usize, angle: f64, rate: f64| Joint {
            name: name.to_string(),
            kind: &REVOLUTE,
            points: [
                Point { body: a, at: if a.is_some() { [0.5, 0.0, 0.0] } else { [0.0; 3] } },
                Point { body: Some(b), at: [-0.5, 0.0, 0.0] },
            ],
            frames: [frame; 2],
            length: 0.0,
            initial: Some({
                let mut initial = JointInitial::default();
                initial.of_mut(Coordinate::Angle).numbers = [angle, rate];
                initial
            }),
        };
        let mut mechanism = Mechanism::of(vec![body("upper"), body("lower")]);
        mechanism.joints = vec![hinge("shoulder", None, 0, 0.3, 2.0), hinge("elbow", Some(0), 1, 0.5, -3.0)];
        let given: Vec<Initial> = mechanism.bodies.iter().map(|b| b.initial.clone()).collect();
        let numbers = mechanism.numbers();
        let values: Vec<f64> = numbers.iter().map(|n| n.value).collect();
        let states = placed(&mechanism, &given, &numbers, &values);
        let (a, b) = (0.3f64, 0.8f64);
        let expected = [a.cos() + 0.5 * b.cos(), a.sin() + 0.5 * b.sin(), 0.0];
        // Rates are 2 and 2 - 3 rad/s.
        let velocity = [-2.0 * a.sin() + 0.5 * b.sin(), 2.0 * a.cos() - 0.5 * b.cos(), 0.0];
        for k in 0..3 {
            assert!((states[1].position[k] - expected[k]).abs() < 1e-15);
            assert!((states[1].velocity[k] - velocity[k]).abs() < 1e-15);
        }
        assert!((states[1].attitude[3] - (b / 2.0).sin()).abs() < 1e-15);
        assert!((states[1].angular_velocity[2] + 1.0).abs() < 1e-15);
    }
}
