//! A beam element between two nodes: Timoshenko's strains, constant along it, for rotations of any
//! size (PCD90 VI.C).
//!
//! Each node carries a point x and a frame F (columns x along the undeformed element, y, z). F_m is
//! the frame halfway between the two, theta the rotation vector from F_A to F_B, at most
//! [so long](describe::BeamElement::LARGEST_TURN); e1 = (1, 0, 0), L the length:
//!
//! ```text
//! stretch and shear       Gamma = F_m^T (x_B - x_A) / L - e1
//! twist and curvatures    theta / L
//! V = L/2 Gamma.C_N Gamma + 1/(2 L) theta.C_M theta,
//! C_N = diag(EA, GA_y, GA_z),   C_M = diag(GJ, EI_y, EI_z)
//! ```
//!
//! As measure of curvature the rotation vector is taken, because of the candidates it alone has an
//! energy that grows like the square of the angle as far as half a turn: with 2 sin(phi/2) the
//! torque falls beyond a quarter turn, with 2 tan(phi/2) it becomes infinite at half a turn, and a
//! pure moment bends elements by the angle M L / (EI) however few they are. It costs a polynomial
//! ([`Turn`]).
//!
//! Strains change with the velocities v of the points and the angular velocities w of the nodes,
//! all seen in F_m, by
//!
//! ```text
//! L Gammadot = F_m^T (v_B - v_A) - w_m x X,   X = F_m^T (x_B - x_A),
//! w_m = 1/2 (w_A + w_B) - 1/2 u x (w_B - w_A)
//! thetadot = S (w_B - w_A),   u = tan(phi/4) n
//! ```
//!
//! (u as a rotation halfway: with H the half turn, w_B = w_m + h, w_A = w_m - H^T h, hence
//! h = (1 + H^T)^-1 (w_B - w_A), and (1 + H^T)^-1 = 1/2 (1 + u x).) The virtual work of N and M on
//! these rates gives what acts, in the axes of F_m:
//!
//! ```text
//! N = C_N (Gamma + damping Gammadot),   M = C_M (theta + damping thetadot) / L
//! force   on B  -N              on A  N
//! torque  on B  1/2 t - k       on A  1/2 t + k,      t = X x N,   k = 1/2 t x u + S M
//! ```

use super::{Conditions, Configuration, ForceLaw};
use crate::describe;
use crate::kinematics::body::{Motion, Wrench};
use crate::kinematics::damping::Damper;
use crate::kinematics::side::{Placed, Side};
use crate::math::quaternion::{Quat, angle, inverse, product, times_vector_add, to_body, to_space, unit};
use crate::math::turn::Turn;
use crate::math::vector::{Vec3, add, cross, dot, mul_add, scale, sub, times};
use crate::real::Real;

/// A beam element of an instance.
#[derive(Clone, Debug)]
pub struct TimoshenkoElement<R> {
    /// Sides at nodes A and B; their frames are not those of `sides`.
    pub sides: [Side<R>; 2],
    /// F_A and F_B: to the node's principal axes, of the ground to space axes.
    pub frames: [Quat<R>; 2],
    /// L (m)
    pub length: R,
    /// EA, GA_y, GA_z (N)
    pub stretching: Vec3<R>,
    /// GJ, EI_y, EI_z (N m²)
    pub bending: Vec3<R>,
    /// Damping of the strains' rates, as a time (s).
    pub damping: R,
    /// Whether `damping` is anything but 0 in any instance.
    pub damped: bool,
}

/// The strains of an element.
struct Deformed<R> {
    /// F_m.
    halfway: Quat<R>,
    /// X (m)
    x: Vec3<R>,
    gamma: Vec3<R>,
    turn: Turn<R>,
}

impl<R: Real> TimoshenkoElement<R> {
    /// F_A and F_B in space axes.
    fn in_space(&self, placed: &[Placed<'_, R>; 2]) -> [Quat<R>; 2] {
        let attitude = |side: usize| {
            let frame = self.frames[side];
            placed[side].attitude().map_or(frame, |q| product(q, frame))
        };
        [attitude(0), attitude(1)]
    }

    fn deformed(&self, placed: &[Placed<'_, R>; 2]) -> Deformed<R> {
        let [a, b] = placed;
        let [frame_a, frame_b] = self.in_space(placed);
        let turn = Turn::of(product(inverse(frame_a), frame_b), describe::BeamElement::LARGEST_TURN);
        let halfway = unit(times_vector_add(frame_a, turn.u, frame_a));
        let x = to_body(halfway, sub(b.point, a.point));
        let gamma = scale(x[0].lift(1.0) / self.length, [x[0] - self.length, x[1], x[2]]);
        Deformed { halfway, x, gamma, turn }
    }
}

impl<R: Real> ForceLaw<R> for TimoshenkoElement<R> {
    fn act(&self, _: &Configuration<'_, R>, now: &Conditions<'_, R>, wrenches: &mut [Wrench<R>]) {
        let motions = now.rates;
        let placed = [self.sides[0].placed(motions), self.sides[1].placed(motions)];
        let Deformed { halfway, x, gamma, turn } = self.deformed(&placed);
        let [a, b] = &placed;
        let half = self.length.lift(0.5);
        let shorter = self.length.lift(1.0) / self.length;
        let spin =
            |placed: &Placed<'_, R>| placed.motion.map_or(placed.zero(), |_| to_body(halfway, placed.spin()));
        let (spin_a, spin_b) = (spin(a), spin(b));
        let bending = sub(spin_b, spin_a);
        let mean = sub(scale(half, add(spin_a, spin_b)), scale(half, cross(turn.u, bending)));
        let parting = to_body(halfway, sub(b.velocity(), a.velocity()));
        let gamma_rate = scale(shorter, sub(parting, cross(mean, x)));
        let theta_rate = turn.stretched(bending);
        let damping = [self.damping; 3];
        let n = times(self.stretching, mul_add(damping, gamma_rate, gamma));
        let m = times(scale(shorter, self.bending), mul_add(damping, theta_rate, turn.vector()));
        let [(force_a, torque_a), (force_b, torque_b)] = acting(halfway, x, &turn, n, m);
        b.load(force_b, None, torque_b, wrenches);
        a.load(force_a, None, torque_a, wrenches);
    }

    fn is_damped(&self) -> bool {
        self.damped
    }

    /// One for each strain: of stretch and shear along `L Gamma`, of twist and curvatures along
    /// `theta`.
    fn dampers(&self, configuration: &Configuration<'_, R>) -> Vec<Damper<R>> {
        let motions = configuration.at;
        let placed = [self.sides[0].placed(motions), self.sides[1].placed(motions)];
        let Deformed { halfway, x, turn, .. } = self.deformed(&placed);
        let [a, b] = &placed;
        let per_length = self.damping / self.length;
        let zero = self.length.lift(0.0);
        // Strains grow against what acts.
        let unit = |k: usize, i: usize| if k == i { zero.lift(-1.0) } else { zero };
        let damper = |strain: usize| {
            let n = [0, 1, 2].map(|k| unit(k, strain));
            let m = [3, 4, 5].map(|k| unit(k, strain));
            let [(force_a, torque_a), (force_b, torque_b)] = acting(halfway, x, &turn, n, m);
            let parts = [b.part_of_load(force_b, None, torque_b), a.part_of_load(force_a, None, torque_a)];
            let stiffness = if strain < 3 { self.stretching[strain] } else { self.bending[strain - 3] };
            Damper::new(parts.into_iter().flatten(), stiffness * per_length)
        };
        (0..6).map(damper).collect()
    }

    fn energy(&self, configuration: &Configuration<'_, R>) -> Option<R> {
        let motions = configuration.at;
        let placed = [self.sides[0].placed(motions), self.sides[1].placed(motions)];
        let Deformed { gamma, turn, .. } = self.deformed(&placed);
        let half = self.length.lift(0.5);
        let theta = turn.vector();
        let stretching = (half * self.length) * dot(times(self.stretching, gamma), gamma);
        let bending = (half / self.length) * dot(times(self.bending, theta), theta);
        Some(stretching + bending)
    }
}

/// Force and torque on nodes A and B under the stresses n and m (axes of F_m), space axes.
fn acting<R: Real>(
    halfway: Quat<R>,
    x: Vec3<R>,
    turn: &Turn<R>,
    n: Vec3<R>,
    m: Vec3<R>,
) -> [(Vec3<R>, Vec3<R>); 2] {
    let t = scale(x[0].lift(0.5), cross(x, n));
    let k = add(cross(t, turn.u), turn.stretched(m));
    let force = to_space(halfway, n);
    let minus = force.map(|x| -x);
    [(force, to_space(halfway, add(t, k))), (minus, to_space(halfway, sub(t, k)))]
}

impl TimoshenkoElement<f64> {
    /// The angle between its nodes (rad).
    pub fn angle(&self, motions: &[Motion<f64>]) -> f64 {
        let placed = [self.sides[0].placed(motions), self.sides[1].placed(motions)];
        let [a, b] = self.in_space(&placed);
        angle(a, b)
    }

    /// The larger offset of a node beside the undeformed element that the other one would carry, as
    /// a share of the length.
    pub fn deflection(&self, motions: &[Motion<f64>]) -> f64 {
        let placed = [self.sides[0].placed(motions), self.sides[1].placed(motions)];
        let apart = sub(placed[1].point, placed[0].point);
        let beside = self.in_space(&placed).map(|frame| {
            let [_, y, z] = to_body(frame, apart);
            y.hypot(z) / self.length
        });
        beside[0].max(beside[1])
    }
}
