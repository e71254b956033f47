//! The longest stable step of the instances of an ensemble, where what varies changes how fast they
//! vibrate: the least over instances spread evenly over the ensemble, first and last among them. It
//! is looked at before a run, and so must cost next to nothing: not all are drawn.

use rayon::prelude::*;

use crate::backend::program::Program;
use crate::base::{grouped, quantity, significant};
use crate::describe::force::Joins;
use crate::describe::kind::Ends;
use crate::describe::{Mechanism, NumberOwner, Quantity, Study, Support};
use crate::ensemble::{Quantities, Sampler, SamplingError};
use crate::methods::{Card, MethodRole, cards, chooses_steps};
use crate::model::small_vibrations::{SmallVibrations, Stops};
use crate::model::width;
use crate::treatments;

use super::plan::plan;

/// Most instances whose flexible bodies are looked at: a draw and a root each.
const MOST_DRAWN: u64 = 4096;
/// Most whose vibrations are found, and most of n bodies times n cubed, which is what eigenvalues
/// cost: half a second of them.
const MOST_DECOMPOSED: u64 = 256;
const MOST_CUBED: u64 = 200_000;
/// Most bodies, so that one instance takes no more than a second.
const MOST_BODIES: usize = 100;
/// An instance needs a shorter step only where its `step / longest` exceeds the nominal one by more
/// than this share: less is rounding.
const ROUNDING: f64 = 1e-9;

/// The findings on small vibrations about the start.
pub struct Stiffness {
    /// One sentence.
    pub told: String,
    /// The longest stable step (s).
    pub longest: f64,
}

/// Whether anything but weight is elastic: springs, beams, stops, compliant joints.
fn is_elastic(study: &Study) -> bool {
    let mechanism = &study.mechanism;
    let gives_way = mechanism.is_held() && study.constraints.treatment == treatments::ELASTIC.name;
    mechanism.forces.iter().any(|force| force.card.is_elastic)
        || !mechanism.beam_elements.is_empty()
        || gives_way
}

/// Whether weight may draw a body back.
fn may_hang(mechanism: &Mechanism) -> bool {
    let is_attached =
        mechanism.is_held() || mechanism.bodies.iter().any(|body| body.support == Support::FixedPoint);
    is_attached && mechanism.gravity != [0.0; 3]
}

/// The highest frequency of what draws bodies back about the start, and the step that it allows.
/// `None`: nothing vibrates, or too much is there to be looked at in a second.
pub fn nominal(study: &Study) -> Option<Stiffness> {
    let mechanism = &study.mechanism;
    if !(is_elastic(study) || may_hang(mechanism)) || mechanism.bodies.len() > MOST_BODIES {
        return None;
    }
    let found = SmallVibrations::however_hung(mechanism, &Quantities::nominal(study), &study.constraints)?;
    let (step, longest) = (study.method.step, longest_of(study, &found));
    if !longest.is_finite() {
        return None;
    }
    let highest = found.turned.unwrap_or(found.highest());
    let here = match (step > longest, highest > 0.0) {
        (true, _) => format!("the step of {} is above that", quantity(step, 4, "s")),
        (false, true) => format!("here omega h = {:.2}", step * highest),
        (false, false) => format!("the step is {:.2} of that", step / longest),
    };
    let touched = mechanism.forces.iter().any(|force| force.card.is_touched);
    let touched = if touched { ", stops touched" } else { "" };
    let frequency = |omega: f64| {
        format!("{} rad/s ({} Hz)", significant(omega, 5), significant(omega / std::f64::consts::TAU, 5))
    };
    let about = match found.highest() {
        0.0 => "nothing vibrates about the start".to_string(),
        omega => format!("up to {} about the start", frequency(omega)),
    };
    let hung = found.turned.filter(|omega| *omega > 0.0);
    let hung = hung
        .map_or_else(String::new, |omega| format!(", up to {} where it hangs otherwise", frequency(omega)));
    let limit = match (highest, longest * highest < 1.999) {
        (0.0, _) => "dampers",
        (_, true) => "omega h = 2, less for dampers",
        (_, false) => "omega h = 2",
    };
    let sentence = format!(
        "{about}{touched}, nominal{hung}; explicit steps are stable up to {} ({limit}), for {}; {here}",
        quantity(longest, 4, "s"),
        mechanism.bodies[found.body].name,
    );
    Some(Stiffness { told: sentence, longest })
}

/// A line on how the mechanism starts, nominally: whether it moves, hangs, stands, or nothing moves
/// it, and its lowest frequency. `None`: too much is there to be looked at in a second.
pub fn start(study: &Study) -> Option<String> {
    let mechanism = &study.mechanism;
    if mechanism.bodies.len() > MOST_BODIES {
        return None;
    }
    let nominal = Quantities::nominal(study);
    let found = SmallVibrations::about_start(mechanism, &nominal, &study.constraints, Stops::AsTheyAre)?;
    let lowest = found.frequencies.first().map_or(String::new(), |omega| {
        let hertz = significant(omega / std::f64::consts::TAU, 4);
        format!("; the lowest vibration about the start has {} rad/s ({hertz} Hz)", significant(*omega, 4))
    });
    let how = match (found.starts_in_motion, found.rests, found.growth > 0.0) {
        (true, ..) => "in motion".to_string(),
        (false, false, _) => "at rest, and sets out at once".to_string(),
        (false, true, true) => {
            let rate = significant(found.growth, 3);
            format!("stands at rest in an unstable equilibrium: disturbances grow by e^({rate} t), t in s")
        }
        (false, true, false) if found.frequencies.is_empty() => {
            "at rest, and nothing moves it at t = 0".to_string()
        }
        (false, true, false) => "hangs at rest in an equilibrium: nothing moves it at t = 0".to_string(),
    };
    Some(format!("{how}{lowest}"))
}

/// Whether the longest stable step of the study's method is told of a vibration.
fn has_limit(study: &Study) -> bool {
    let own = |card: &&&Card| card.name == study.method.name;
    cards().iter().find(own).is_some_and(|card| MethodRole::ExplicitLimit.is_in(card.roles))
}

/// The longest stable step (s) of the study's method.
fn longest_of(study: &Study, found: &SmallVibrations) -> f64 {
    if has_limit(study) { found.longest_step } else { found.longest_of_runge_kutta }
}

/// Returns the fault of a step that is too long for the flexible bodies' own vibrations, nominally.
pub fn too_long_for_modes(study: &Study) -> Option<String> {
    let (body, largest) = study.mechanism.shortest_period()?;
    let step = study.method.step;
    (has_limit(study) && step > largest).then(|| {
        format!(
            "the step of {} s is above {} s, the largest with which the {} method is stable on \
             `{}`: give it fewer modes, or a shorter step",
            significant(step, 4),
            significant(largest, 4),
            study.method.name,
            body.name
        )
    })
}

/// Returns a warning of modes that a stability map does not see: no instance moves them, and its
/// steps leave them out.
pub fn unexcited(study: &Study) -> Option<String> {
    let flexible = study.mechanism.bodies.iter().any(|body| body.flexible.is_some());
    if !(flexible && study.kind.card().ends == Ends::Asked) {
        return None;
    }
    // A start that cannot stand has its own message.
    let plan = plan(study).ok()?;
    let modes = plan.model.modes();
    let zero = Program::new(&plan, study.run.precision).zero;
    let mut left = Vec::new();
    // Behind all frames, of each body the coordinates and then their rates.
    let mut first = width(&vec![0; modes.len()]);
    for (body, modes) in study.mechanism.bodies.iter().zip(modes) {
        // A rigid body carries states of laws there.
        let rests = (0..body.modes()).filter(|k| zero.contains(&(first + k)));
        left.extend(rests.map(|k| format!("{}.amplitude_{k}", body.name)));
        first += 2 * modes;
    }
    (!left.is_empty()).then(|| {
        format!(
            "nothing moves {}: the map does not see for which steps they are unstable; give them small \
             `amplitudes`",
            left.join(", ")
        )
    })
}

/// The instances that need shorter steps than the mechanism as described: by their flexible bodies,
/// by all that is elastic.
///
/// # Errors
/// The ensemble cannot be drawn.
pub fn varied(study: &Study, nominal: Option<&Stiffness>) -> Result<Vec<Shortest>, SamplingError> {
    let sampler = Sampler::new(study)?;
    let of_all = nominal.and_then(|_| of_vibrations(study, &sampler));
    Ok(of_flexible_bodies(study, &sampler).into_iter().chain(of_all).collect())
}

/// A sentence wherever a step, the same all the time, is longer than is stable; of one that was
/// `chosen`, and so measured, none.
///
/// # Errors
/// The ensemble cannot be drawn.
pub fn warnings(study: &Study, chosen: bool) -> Result<Vec<String>, SamplingError> {
    if !study.kind.card().steps || chooses_steps(study.method.name, &study.method.options) {
        return Ok(Vec::new());
    }
    if chosen {
        return Ok(unexcited(study).into_iter().collect());
    }
    let nominal = nominal(study);
    let varied = varied(study, nominal.as_ref())?.into_iter().filter(Shortest::is_too_long);
    let varied = varied.map(|varied| format!("stable steps are {}", varied.sentence()));
    let too_long = |nominal: &Stiffness| study.method.step > nominal.longest;
    let of_all = nominal.filter(too_long).map(|nominal| nominal.told);
    Ok(too_long_for_modes(study).into_iter().chain(of_all).chain(varied).chain(unexcited(study)).collect())
}

/// The instance that needs the shortest step for its own one, of those looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortest {
    pub instance: u64,
    /// Its own step (s).
    pub step: f64,
    /// The longest with which it is stable (s).
    pub longest: f64,
    /// Name of the body that needs it.
    pub body: String,
    pub looked_at: u64,
    pub size: u64,
}

impl Shortest {
    /// Whether the instance's step is longer than it may be.
    pub fn is_too_long(&self) -> bool {
        self.step > self.longest
    }

    /// One sentence.
    pub fn sentence(&self) -> String {
        let here = match self.is_too_long() {
            true => format!("its step of {} is above that", quantity(self.step, 4, "s")),
            false => format!("its step is {:.2} of that", self.step / self.longest),
        };
        format!(
            "over the ensemble down to {}, for `{}` of instance {} ({} of {} looked at); {here}",
            quantity(self.longest, 4, "s"),
            self.body,
            grouped(self.instance),
            grouped(self.looked_at),
            grouped(self.size)
        )
    }
}

/// From the highest frequencies of the flexible bodies alone, for the staggered method;
/// `None`: their stiffness is the same in all instances, or stiffer in none.
fn of_flexible_bodies(study: &Study, sampler: &Sampler) -> Option<Shortest> {
    let mechanism = &study.mechanism;
    let numbers = mechanism.numbers();
    // Position of the number, the body, and the longest step with a scale of 1.
    let scales: Vec<(usize, usize, f64)> = numbers
        .iter()
        .enumerate()
        .filter(|(_, number)| number.element == NumberOwner::Flexible && number.part == "stiffness_scale")
        .filter_map(|(at, number)| {
            let flexible = mechanism.bodies[number.index].flexible.as_ref()?;
            Some((at, number.index, flexible.largest_step() * flexible.stiffness_scale.sqrt()))
        })
        .collect();
    let matters = |quantity: Quantity| {
        quantity == Quantity::Step || scales.iter().any(|(at, ..)| quantity == Quantity::Number(*at))
    };
    if scales.is_empty() || !has_limit(study) {
        return None;
    }
    let nominal = mechanism.shortest_period()?.1;
    shortest(study, sampler, MOST_DRAWN, nominal, &matters, &|q| {
        let limit = |(at, body, longest): &(usize, usize, f64)| (longest / q.numbers[*at].sqrt(), *body);
        scales.iter().map(limit).min_by(|a, b| a.0.total_cmp(&b.0))
    })
}

/// For all that vibrates about the start of an instance, springs and beams too. `None`: nothing
/// that matters varies, or no instance needs a shorter step. Weight alone is not looked at over the
/// ensemble: the steps that it allows are far beyond those that anyone takes.
fn of_vibrations(study: &Study, sampler: &Sampler) -> Option<Shortest> {
    let mechanism = &study.mechanism;
    if !is_elastic(study) {
        return None;
    }
    let vibrations =
        |q: &Quantities| SmallVibrations::about_start(mechanism, q, &study.constraints, Stops::Touched);
    let nominal = longest_of(study, &vibrations(&Quantities::nominal(study))?);
    let numbers = mechanism.numbers();
    let matters = |quantity: Quantity| match quantity {
        Quantity::Mass
        | Quantity::Inertia
        | Quantity::CentreOfMass
        | Quantity::Position
        | Quantity::Attitude
        | Quantity::Step
        | Quantity::Setting(_) => true,
        Quantity::Gravity | Quantity::GravityDown => may_hang(mechanism),
        Quantity::Velocity | Quantity::AngularVelocity | Quantity::LoadValue { .. } => false,
        Quantity::Number(at) => match numbers[at].element {
            NumberOwner::Lock => false,
            NumberOwner::Force => mechanism.forces[numbers[at].index].card.joins != Joins::Body,
            _ => true,
        },
    };
    let modes = mechanism.bodies.iter().filter_map(|body| Some(body.flexible.as_ref()?.modes() as u64));
    let cubed = (mechanism.bodies.len() as u64 + modes.sum::<u64>() / 6).pow(3);
    let most = (MOST_CUBED / cubed).clamp(2, MOST_DECOMPOSED);
    shortest(study, sampler, most, nominal, &matters, &|q| {
        let found = vibrations(q)?;
        Some((longest_of(study, &found), found.body))
    })
}

/// The shortest of what `longest` finds of at most `most` instances, with the body it is of.
fn shortest(
    study: &Study,
    sampler: &Sampler,
    most: u64,
    nominal: f64,
    matters: &dyn Fn(Quantity) -> bool,
    longest: &(dyn Fn(&Quantities) -> Option<(f64, usize)> + Sync),
) -> Option<Shortest> {
    // A map is made to find where steps are too long.
    let asks_for_it = study.kind.card().ends == Ends::Asked;
    if asks_for_it || !study.ensemble.vary.iter().any(|vary| matters(vary.target.quantity)) {
        return None;
    }
    let size = study.ensemble.size;
    let looked_at = size.min(most);
    let share = |(step, longest, ..): &(f64, f64, usize, u64)| step / longest;
    let drawn = || (vec![0.0; sampler.width()], Quantities::nominal(study));
    let found: Vec<_> = (0..looked_at)
        .into_par_iter()
        .map_init(drawn, |(drawn, quantities), k| {
            let instance = if looked_at == 1 { 0 } else { evenly(k, looked_at - 1, size - 1) };
            sampler.draw(instance, drawn);
            sampler.apply(drawn, quantities);
            let (longest, body) = longest(quantities)?;
            Some((quantities.step, longest, body, instance))
        })
        .collect();
    // The last of equal ones wins, in the order of the ensemble.
    let found = found.into_iter().flatten().max_by(|a, b| share(a).total_cmp(&share(b)))?;
    let (step, longest, body, instance) = found;
    (step / longest > (1.0 + ROUNDING) * study.method.step / nominal).then(|| Shortest {
        instance,
        step,
        longest,
        body: study.mechanism.bodies[body].name.clone(),
        looked_at,
        size,
    })
}

/// `k/of * last`, whole.
pub(super) fn evenly(k: u64, of: u64, last: u64) -> u64 {
    (u128::from(k) * u128::from(last) / u128::from(of)) as u64
}

#[cfg(test)]
mod tests {
    use super::evenly;

    #[test]
    fn instances_are_spread_from_the_first_to_the_last() {
        let spread =
            |most: u64, size: u64| (0..most).map(|k| evenly(k, most - 1, size - 1)).collect::<Vec<_>>();
        assert_eq!(spread(4, 4), [0, 1, 2, 3]);
        assert_eq!(spread(3, 1_000_000_000), [0, 499_999_999, 999_999_999]);
    }
}
