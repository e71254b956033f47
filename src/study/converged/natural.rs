//! Sizes that the numbers of a mechanism have by nature. What is far below them is rounding.

use super::ROUNDING;
use crate::base::units::parse_unit;
use crate::describe::Mechanism;
use crate::reference::accurate::{Limits, run_within};
use crate::reference::body::Motion;
use crate::reference::system::MultibodySystem;
use crate::reference::{BodyNumbers, Instance};

/// Mass, length and time of a mechanism, nominally, at its start. Every unit is a product of their
/// powers: the natural size of a force is `mass length / time^2`.
#[derive(Clone, Debug)]
pub struct NaturalSizes {
    /// The sum of all bodies (kg).
    pub mass: f64,
    /// The largest distance of a body from the origin, or its largest radius of gyration (m).
    pub length: f64,
    /// The shortest in which anything falls, turns by a radian or moves so far at its start, and no
    /// longer than the run (s).
    pub time: f64,
    /// The largest kinetic energy (J) that the motion [reaches](Self::reaching); 0: it was not
    /// asked for.
    pub kinetic: f64,
}

/// The energy at a start is near zero below this share of the natural one.
const NEAR_ZERO: f64 = 0.1;
/// The motion is followed over so many natural times, by no more evaluations than these, to this
/// tolerance.
const FOLLOWED: f64 = 30.0;
const EVALUATIONS: u64 = 3000;
const TOLERANCE: f64 = 1e-4;
/// And looked at so often.
const LOOKS: u32 = 100;

impl NaturalSizes {
    /// Those of a mechanism whose run ends at `end` (s).
    pub fn of(mechanism: &Mechanism, end: f64) -> NaturalSizes {
        let nominal = Instance::nominal(mechanism);
        let system = MultibodySystem::new(mechanism, &nominal).ok();
        let motions = system.and_then(|system| system.assembled(mechanism, &nominal).ok());
        let motions: Vec<Motion> = motions.unwrap_or_default();
        let largest = |of: &dyn Fn(&Motion) -> f64| motions.iter().map(of).fold(0.0, f64::max);
        let gyration = |body: &BodyNumbers| {
            let moment = (0..3).map(|k| body.inertia[k][k]).fold(0.0, f64::max);
            if body.mass > 0.0 { (moment / body.mass).sqrt() } else { 0.0 }
        };
        let radius = nominal.bodies.iter().map(gyration).fold(0.0, f64::max);
        let length = largest(&|motion| motion.position.norm()).max(radius);
        let gravity = nominal.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
        // Rates of what falls, turns and moves.
        let falls = if length > 0.0 { (gravity / length).sqrt() } else { 0.0 };
        let turns = largest(&|motion| motion.angular_velocity.norm());
        let moves = if length > 0.0 { largest(&|motion| motion.velocity.norm()) / length } else { 0.0 };
        NaturalSizes {
            mass: nominal.bodies.iter().map(|body| body.mass).sum(),
            length,
            time: falls.max(turns).max(moves).max(end.recip()).recip(),
            kinetic: 0.0,
        }
    }

    /// With the kinetic energy that the nominal motion reaches, where its energy is near zero: of a
    /// pendulum that is let go level with its pivot, kinetic and potential energy cancel all the
    /// way, and an error of their sum is no share of that.
    pub fn reaching(self, mechanism: &Mechanism, end: f64) -> NaturalSizes {
        let until = end.min(FOLLOWED * self.time);
        let times: Vec<f64> = (0..=LOOKS).map(|k| until * f64::from(k) / f64::from(LOOKS)).collect();
        let run = |times: &[f64]| {
            let limits = Limits {
                deadline: None,
                stretch: f64::INFINITY,
                evaluations: EVALUATIONS,
                interrupted: None,
            };
            let nominal = Instance::nominal(mechanism);
            run_within(mechanism, &nominal, times, TOLERANCE, Some(&limits)).ok().map(|run| run.states)
        };
        let natural = self.mass * (self.length / self.time).powi(2);
        let is_near_zero = run(&[0.0]).is_some_and(|start| start[0].energy.abs() < NEAR_ZERO * natural);
        let states = is_near_zero.then(|| run(&times)).flatten().unwrap_or_default();
        NaturalSizes { kinetic: states.iter().map(|state| state.kinetic).fold(0.0, f64::max), ..self }
    }

    /// The least scale by which numbers of this unit can be judged if an error of the share
    /// `allowed` of it is allowed: that error is then [`ROUNDING`] of their natural size. The
    /// torque of a hinge that bears none, beside a weight that turns with 2 MN m, scatters by
    /// 2e-14 of that. It is no larger than that size. 0: the unit has no natural size.
    pub fn least_scale(&self, unit: &str, allowed: f64) -> f64 {
        (ROUNDING / allowed).min(1.0) * self.natural(unit)
    }

    /// The natural size of numbers of this unit; 0: it has none.
    pub fn natural(&self, unit: &str) -> f64 {
        let Ok([mass, length, time, _]) = parse_unit(unit).map(|unit| unit.exponents()) else { return 0.0 };
        if [mass, length, time] == [0; 3] {
            return 0.0;
        }
        let natural = self.mass.powi(mass) * self.length.powi(length) * self.time.powi(time);
        if natural.is_finite() { natural } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_products_of_mass_length_and_time() {
        let sizes = NaturalSizes { mass: 3.0, length: 2.0, time: 0.5, kinetic: 0.0 };
        let scale = |unit: &str| sizes.least_scale(unit, ROUNDING);
        for (unit, size) in
            [("m", 2.0), ("N", 24.0), ("N m", 48.0), ("J", 48.0), ("m/s", 4.0), ("rad/s", 2.0)]
        {
            assert!((scale(unit) / size - 1.0).abs() < 1e-12, "{unit}: {}", scale(unit));
        }
        assert_eq!([scale("1"), scale("rad"), scale("no unit")], [0.0; 3]);
    }
}
