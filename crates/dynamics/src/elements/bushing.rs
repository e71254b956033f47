//! A spring and damper between two frames in all six directions, along the axes of frame A.
//!
//! With F the frames, on a flexible body those that are [fixed to it](Placed::attitude),
//! `d = F_A^T (P_B - P_A)`, `R = F_A^T F_B`, `q = (q0, v)` its quaternion:
//!
//! ```text
//! force on B  f = -K d - C ddot   (axes of A; A takes -f where P_B is)
//! torque on B  -2 (q0 Kt v + (Kt v) x v) - Ct (w_B - w_A)   (axes of F_B; A takes the opposite)
//! V = 1/2 d.K d + 2 v.Kt v
//! 4 q0 v1 = R32 - R23,  4 v2 v3 = R32 + R23,
//! 4 v1^2 = 1 + 2 R11 - tr R = (R32 - R23)^2 / (1 + tr R)
//! ```
//!
//! Torque and V are products of two of q's numbers: q and -q give the same, and half a turn is no
//! exception.

use super::{Conditions, Configuration, ForceKind, ForceLaw, Mounting};
use crate::base::units::Dimension;
use crate::describe::ForceCard;
use crate::describe::Range::NotNegative;
use crate::describe::force::Measure::Of;
use crate::describe::force::{Joins, NumberKey};
use crate::force_numbers;
use crate::kinematics::body::{Motion, Wrench};
use crate::kinematics::damping::Damper;
use crate::kinematics::side::{Placed, Side};
use crate::math::vector::{Vec3, add, cross, dot, scale, sub, times};
use crate::real::Real;

force_numbers! {
    /// Numbers of a bushing.
    Bushing {
        stiffness: [R; 3] = NumberKey::new(Of(Dimension::Stiffness), NotNegative),
            "Along x, y, z of frame A, not negative.";
        damping: [R; 3] = NumberKey::new(Of(Dimension::Damping), NotNegative).loses(),
            "Along x, y, z, not negative.";
        torsional_stiffness: [R; 3] = NumberKey::new(Of(Dimension::TorsionalStiffness), NotNegative),
            "About x, y, z, not negative.";
        torsional_damping: [R; 3] = NumberKey::new(Of(Dimension::TorsionalDamping), NotNegative).loses(),
            "About x, y, z, not negative.";
    }
}

impl<R: Real> ForceKind<R> for Bushing<R> {
    const CARD: &'static ForceCard = &ForceCard {
        title: "Springs and dampers in all six directions between two frames.",
        doc: "Springs and dampers in all directions between two frames; nothing acts where they coincide.",
        numbers: Bushing::<f64>::KEYS,
        is_elastic: true,
        ..ForceCard::new("bushing", "bushing", Joins::Frames)
    };

    fn law(self, mounting: Mounting<'_, R>) -> Box<dyn ForceLaw<R>> {
        Box::new(Acting { numbers: self, damped: mounting.damped, sides: mounting.joined.sides() })
    }
}

/// A bushing of an instance.
struct Acting<R> {
    numbers: Bushing<R>,
    sides: [Side<R>; 2],
    damped: bool,
}

/// Where the two frames are, as far as positions say.
struct Between<R> {
    /// Frame vectors of A and B, space axes.
    frames: [[Vec3<R>; 3]; 2],
    /// `P_B - P_A`, space axes (m).
    apart: Vec3<R>,
    /// `d` (m)
    d: Vec3<R>,
    /// `R`, by rows.
    turn: [Vec3<R>; 3],
}

impl<R: Real> Between<R> {
    /// `4 q0 v`
    fn odd(&self) -> Vec3<R> {
        let r = &self.turn;
        [r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]]
    }

    /// `2 (q0 Kt v + (Kt v) x v)`
    fn wound(&self, stiffness: Vec3<R>) -> Vec3<R> {
        let (r, [x, y, z]) = (&self.turn, stiffness);
        let even = [r[2][1] + r[1][2], r[0][2] + r[2][0], r[1][0] + r[0][1]];
        let twice = add(times(stiffness, self.odd()), times([y - z, z - x, x - y], even));
        scale(x.lift(0.5), twice)
    }

    /// `4 v^2`, each of the three; up to a third of a turn by numbers that are small with it.
    fn squares(&self) -> Vec3<R> {
        let (r, odd) = (&self.turn, self.odd());
        let (zero, one, two) = (odd[0].lift(0.0), odd[0].lift(1.0), odd[0].lift(2.0));
        let trace = r[0][0] + (r[1][1] + r[2][2]);
        std::array::from_fn(|k| {
            let far = two.mul_add(r[k][k], one - trace);
            trace.select_less(zero, far, odd[k] * odd[k] / (one + trace))
        })
    }
}

impl<R: Real> Acting<R> {
    fn between(&self, motions: &[Motion<R>]) -> Between<R> {
        let [a, b] = [self.sides[0].placed(motions), self.sides[1].placed(motions)];
        let frames = [&a, &b].map(Placed::fixed_frame);
        let apart = sub(b.point, a.point);
        let [x, y, z] = frames[0];
        let d = [dot(x, apart), dot(y, apart), dot(z, apart)];
        let turn = frames[0].map(|a| frames[1].map(|b| dot(a, b)));
        Between { frames, apart, d, turn }
    }
}

impl<R: Real> ForceLaw<R> for Acting<R> {
    fn act(&self, _: &Configuration<'_, R>, now: &Conditions<'_, R>, wrenches: &mut [Wrench<R>]) {
        let motions = now.rates;
        let Bushing { stiffness, damping, torsional_stiffness, torsional_damping } = self.numbers;
        let between = self.between(motions);
        let Between { frames, apart, d, .. } = between;
        let [a, b] = [self.sides[0].placed(motions), self.sides[1].placed(motions)];
        let (wa, wb) = (a.spin(), b.spin());
        // The rate of d in the frame of A.
        let relative = sub(sub(b.velocity(), a.velocity()), cross(wa, apart));
        let rate = frames[0].map(|axis| dot(axis, relative));
        let f = add(times(stiffness, d), times(damping, rate)).map(|x| -x);
        let force = combination(frames[0], f);
        let elastic = between.wound(torsional_stiffness);
        let turning = frames[1].map(|axis| dot(axis, sub(wb, wa)));
        let torque = add(elastic, times(torsional_damping, turning)).map(|x| -x);
        let torque = combination(frames[1], torque);
        let minus = |v: Vec3<R>| v.map(|x| -x);
        // Both forces act where P_B is.
        b.load(force, None, torque, wrenches);
        a.load(minus(force), Some(apart), minus(torque), wrenches);
    }

    fn is_damped(&self) -> bool {
        self.damped
    }

    /// Along the axes of A, and about those of B.
    fn dampers(&self, configuration: &Configuration<'_, R>) -> Vec<Damper<R>> {
        let motions = configuration.at;
        let Between { frames, apart, .. } = self.between(motions);
        let [a, b] = [self.sides[0].placed(motions), self.sides[1].placed(motions)];
        let none = [apart[0].lift(0.0); 3];
        let minus = |v: Vec3<R>| v.map(|x| -x);
        let along = (0..3).map(|k| {
            let force = frames[0][k];
            let parts = [b.part_of_load(force, None, none), a.part_of_load(minus(force), Some(apart), none)];
            Damper::new(parts.into_iter().flatten(), self.numbers.damping[k])
        });
        let about = (0..3).map(|k| {
            let torque = frames[1][k];
            let parts = [b.part_of_load(none, None, torque), a.part_of_load(none, None, minus(torque))];
            Damper::new(parts.into_iter().flatten(), self.numbers.torsional_damping[k])
        });
        along.chain(about).collect()
    }

    fn energy(&self, configuration: &Configuration<'_, R>) -> Option<R> {
        let Bushing { stiffness, torsional_stiffness, .. } = self.numbers;
        let between = self.between(configuration.at);
        let twice = dot(times(stiffness, between.d), between.d) + dot(torsional_stiffness, between.squares());
        Some(twice * twice.lift(0.5))
    }
}

/// The vector with these components along three others.
fn combination<R: Real>(axes: [Vec3<R>; 3], c: Vec3<R>) -> Vec3<R> {
    add(add(scale(c[0], axes[0]), scale(c[1], axes[1])), scale(c[2], axes[2]))
}
