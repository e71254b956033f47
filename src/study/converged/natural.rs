//! Sizes that the numbers of a mechanism have by nature. What is far below them is rounding.

use super::ROUNDING;
use crate::base::units::parse_unit;
use crate::describe::Mechanism;
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
}

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
        }
    }

    /// The least scale by which numbers of this unit can be judged if an error of the share
    /// `allowed` of it is allowed: that error is then [`ROUNDING`] of their natural size. The
    /// torque of a hinge that bears none, beside a weight that turns with 2 MN m, scatters by
    /// 2e-14 of that. It is no larger than that size. 0: the unit has no natural size.
    pub fn least_scale(&self, unit: &str, allowed: f64) -> f64 {
        let Ok([mass, length, time, _]) = parse_unit(unit).map(|unit| unit.exponents()) else { return 0.0 };
        if [mass, length, time] == [0; 3] {
            return 0.0;
        }
        let natural = self.mass.powi(mass) * self.length.powi(length) * self.time.powi(time);
        if natural.is_finite() { (ROUNDING / allowed).min(1.0) * natural } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_products_of_mass_length_and_time() {
        let sizes = NaturalSizes { mass: 3.0, length: 2.0, time: 0.5 };
        let scale = |unit: &str| sizes.least_scale(unit, ROUNDING);
        for (unit, size) in
            [("m", 2.0), ("N", 24.0), ("N m", 48.0), ("J", 48.0), ("m/s", 4.0), ("rad/s", 2.0)]
        {
            assert!((scale(unit) / size - 1.0).abs() < 1e-12, "{unit}: {}", scale(unit));
        }
        assert_eq!([scale("1"), scale("rad"), scale("no unit")], [0.0; 3]);
    }
}
