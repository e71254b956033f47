//! Accelerations of bodies and of joints' coordinates, by the forces of this instant and the
//! multipliers that hold the joints in it
//! ([`System::accelerations`](crate::model::system::System::accelerations)): a treatment that
//! returns what has drifted, or gives way, does so here too.
//!
//! The origin of a body, `c` from it to the mass centre in axes that turn with `w`:
//!
//! ```text
//! a = vdot - (wdot x c + w x (w x c + cdot) + w x cdot + cddot)
//! ```

use super::coordinate::has;
use super::scene::Scene;
use super::{ChannelCard, ErrorScale, Observable, SCALAR, VECTOR, always};
use crate::describe::{Channel, Coordinate, Owner};
use crate::kinematics::body::{ModalCoordinates, Motion};
use crate::math::quaternion::to_space;
use crate::math::vector::{add, cross, sub};
use crate::real::Real;

/// Acceleration of a body's origin, space axes (m/s²).
pub struct Acceleration;

pub const ACCELERATION: Channel = Channel::of(Owner::Body, "acceleration");

impl Observable for Acceleration {
    const CARD: ChannelCard = ChannelCard {
        channel: ACCELERATION,
        unit: "m/s²",
        components: VECTOR,
        description: "acceleration of the body's origin, space axes",
        modes: false,
        scale: ErrorScale::Size,
        has: always,
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        if scene.fixed_point() {
            return vec![scene.zero(); 3];
        }
        let motion = scene.motion();
        let rate = scene.accelerations().swap_remove(scene.of);
        let modal = ModalCoordinates { amplitudes: motion.modal.amplitudes.clone(), rates: rate.modal };
        let (_, second) = scene.centre_from_origin(&Motion { modal, ..motion.clone() });
        let (centre, first) = scene.centre_from_origin(motion);
        let turning = cross(motion.w, centre);
        let moving = first.map_or(turning, |first| add(turning, first));
        let mut relative = add(cross(rate.w, centre), cross(motion.w, moving));
        if let (Some(first), Some(second)) = (first, second) {
            relative = add(relative, add(cross(motion.w, first), second));
        }
        sub(rate.v, to_space(motion.q, relative)).to_vec()
    }
}

/// Second derivative of a joint's angle (rad/s²).
pub struct AngleAcceleration;

pub const ANGLE_ACCELERATION: Channel = Channel::of(Owner::Joint, "angle_acceleration");

impl Observable for AngleAcceleration {
    const CARD: ChannelCard = ChannelCard {
        channel: ANGLE_ACCELERATION,
        unit: "rad/s²",
        components: SCALAR,
        description: "acceleration of the joint's angle",
        modes: false,
        scale: ErrorScale::Size,
        has: |mechanism, joint, _| has(mechanism, joint, Coordinate::Angle),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![of_coordinate(scene, Coordinate::Angle)]
    }
}

/// Second derivative of a joint's displacement (m/s²).
pub struct DisplacementAcceleration;

pub const DISPLACEMENT_ACCELERATION: Channel = Channel::of(Owner::Joint, "displacement_acceleration");

impl Observable for DisplacementAcceleration {
    const CARD: ChannelCard = ChannelCard {
        channel: DISPLACEMENT_ACCELERATION,
        unit: "m/s²",
        components: SCALAR,
        description: "acceleration of the joint's displacement",
        modes: false,
        scale: ErrorScale::Size,
        has: |mechanism, joint, _| has(mechanism, joint, Coordinate::Displacement),
    };

    fn numbers<R: Real>(scene: &Scene<'_, R>) -> Vec<R> {
        vec![of_coordinate(scene, Coordinate::Displacement)]
    }
}

fn of_coordinate<R: Real>(scene: &Scene<'_, R>, coordinate: Coordinate) -> R {
    let row = scene.coordinate(coordinate);
    row.acceleration(&scene.accelerations()) + row.bias
}
