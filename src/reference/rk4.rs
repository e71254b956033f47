//! One classical fourth-order Runge-Kutta step; it starts the half chain of the staggered method.

use nalgebra::{Quaternion, Vector3};

use super::body::{MeanLoads, Motion, RigidBody, unit};

/// Rates of the four parts of a [`Motion`].
struct Rate {
    position: Vector3<f64>,
    velocity: Vector3<f64>,
    attitude: Quaternion<f64>,
    angular_velocity: Vector3<f64>,
}

/// Advances by h (s) with the loads constant; the quaternion is normalised at the end.
pub fn step(body: &RigidBody, start: &Motion, loads: &MeanLoads, h: f64) -> Motion {
    let rate = |motion: &Motion| Rate {
        position: motion.velocity,
        velocity: body.acceleration(motion.attitude, loads),
        attitude: attitude_rate(motion.attitude, motion.angular_velocity),
        angular_velocity: body.angular_acceleration(motion.attitude, motion.angular_velocity, loads),
    };
    let k1 = rate(start);
    let k2 = rate(&moved(start, &k1, h / 2.0));
    let k3 = rate(&moved(start, &k2, h / 2.0));
    let k4 = rate(&moved(start, &k3, h));
    let mean = Rate {
        position: (k1.position + 2.0 * k2.position + 2.0 * k3.position + k4.position) / 6.0,
        velocity: (k1.velocity + 2.0 * k2.velocity + 2.0 * k3.velocity + k4.velocity) / 6.0,
        attitude: (k1.attitude + k2.attitude * 2.0 + k3.attitude * 2.0 + k4.attitude) / 6.0,
        angular_velocity: (k1.angular_velocity
            + 2.0 * k2.angular_velocity
            + 2.0 * k3.angular_velocity
            + k4.angular_velocity)
            / 6.0,
    };
    let end = moved(start, &mean, h);
    Motion { attitude: unit(end.attitude), ..end }
}

/// `qdot = 1/2 q o (0, w)`
pub fn attitude_rate(q: Quaternion<f64>, w: Vector3<f64>) -> Quaternion<f64> {
    q * Quaternion::from_imag(w) * 0.5
}

fn moved(start: &Motion, rate: &Rate, h: f64) -> Motion {
    Motion {
        position: start.position + h * rate.position,
        velocity: start.velocity + h * rate.velocity,
        attitude: start.attitude + rate.attitude * h,
        angular_velocity: start.angular_velocity + h * rate.angular_velocity,
    }
}
