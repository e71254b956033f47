//! Default bounds of studies: open joints and unexplained energy are errors, and no result.

use super::expression::Expression;
use super::force::Role;
use super::mechanism::Mechanism;
use super::numbers::{Number, NumberOwner};
use super::study::Unexplained;
use super::vary::{Quantity, Vary};

/// Largest |Phi| by default, of the mechanism's reach.
const OPEN: f64 = 1e-3;
/// Least and greatest default bound on |Phi| (m, or rad): rows of angles have no size, and rounding
/// in f32 must stay below.
const OPEN_ENDS: [f64; 2] = [1e-5, 1e-3];
/// Largest |Phi| by default (m, or rad) where locks catch: they overshoot by the travel of their
/// coordinate in a step.
const OPEN_WITH_LOCKS: f64 = 0.1;

/// Energy balance of a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balance {
    Kept,
    /// Dampers, drags or impacts take energy.
    Lost,
    /// Loads, generators or actuators bring or take energy.
    Driven,
}

impl Balance {
    /// The balance of a mechanism some of whose numbers vary.
    pub fn of(m: &Mechanism, vary: &[Vary]) -> Balance {
        let numbers = m.numbers();
        let following = m.following(&m.leading(vary.iter().map(|vary| &vary.target)));
        let varied = |is: &dyn Fn(&Number) -> bool| {
            let drawn = vary.iter().map(|vary| vary.target.quantity);
            let mut all = drawn.chain(following.iter().map(|(_, quantity, _)| *quantity));
            all.any(|quantity| matches!(quantity, Quantity::Number(k) if is(&numbers[k])))
        };
        let has = |role| {
            let acts = |number: &Number| number.role == role && number.value != 0.0;
            numbers.iter().any(acts) || varied(&|number| number.role == role)
        };
        let driven = !m.loads.is_empty()
            || m.generators.iter().any(|generator| generator.follows.is_none())
            || m.forces.iter().flat_map(|force| &force.functions).any(acts)
            || has(Role::Drives);
        // A mode without stiffness has no damping, whatever its ratio.
        let lost = m.forces.iter().any(|force| force.card.loses)
            || !m.locks.is_empty()
            || m.bodies.iter().filter_map(|body| body.flexible.as_ref()).any(|flexible| {
                flexible.damping_scale != 0.0 && flexible.damping.iter().any(|ratio| *ratio != 0.0)
            })
            || varied(&|number| number.element == NumberOwner::Flexible && number.part == "damping_scale")
            || has(Role::Loses);
        match (driven, lost) {
            (true, _) => Balance::Driven,
            (false, true) => Balance::Lost,
            (false, false) => Balance::Kept,
        }
    }
}

/// Whether an actuator is other than zero.
fn acts(actuator: &Expression) -> bool {
    !matches!(actuator, Expression::Number(x) if *x == 0.0)
}

/// The bound on |Phi| of a study that gives none.
pub fn open(mechanism: &Mechanism) -> f64 {
    if mechanism.locks.is_empty() {
        (OPEN * mechanism.reach()).clamp(OPEN_ENDS[0], OPEN_ENDS[1])
    } else {
        OPEN_WITH_LOCKS
    }
}

/// Returns the change of energy that is judged in a study that gives no bound on it.
pub fn unexplained(mechanism: &Mechanism, vary: &[Vary]) -> Unexplained {
    match Balance::of(mechanism, vary) {
        Balance::Kept => Unexplained::Change,
        Balance::Lost => Unexplained::Gain,
        Balance::Driven => Unexplained::Nothing,
    }
}
