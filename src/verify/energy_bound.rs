//! K14 VI.6b: does the change of potential energy that is estimated at a step's start bound the change of total energy in the step?

use rayon::prelude::*;

use super::{Claim, Context, Criterion, Evidence, Failure, Judged, Measured, Says, Trial};
use crate::describe::Channel;
use crate::math::quaternion::{Quat, conjugate_vector, to_body, to_space, unit};
use crate::math::vector::{Vec3, add, cross, dot, scale, sub, times};
use crate::study::yardsticks::fast_top;

/// The top of [`fast_top`]: moments about the tip (kg m²), weight times length (N m).
const INERTIA: Vec3<f64> = [5.0, 5.0, 1.0];
const WEIGHT: f64 = 20.0;

/// What changes in one step of the top (J).
#[derive(Clone, Copy, Debug)]
pub(super) struct StepChange {
    /// Total energy, from the states at both ends.
    pub total: f64,
    /// Potential energy by (6b.1), with the parameters as the formula leaves them.
    pub potential: f64,
    /// The same with the parameters scaled to norm 1.
    pub potential_of_unit: f64,
    /// Kinetic energy by the same terms.
    pub kinetic: f64,
}

fn kinetic(w: Vec3<f64>) -> f64 {
    0.5 * dot(w, times(INERTIA, w))
}

/// Potential energy of the top whose mass centre is at `centre` (body axes of attitude q, in lengths).
fn potential(q: Quat<f64>, centre: Vec3<f64>) -> f64 {
    WEIGHT * to_space(q, centre)[2]
}

/// The third column of A(p) = (2 e0² - 1) 1 + 2 (e e^T + e0 e~), the form of Haug's book, which K14 builds on; p need not have
/// norm 1.
fn third_column([e0, e1, e2, e3]: Quat<f64>) -> Vec3<f64> {
    [2.0 * (e1 * e3 + e0 * e2), 2.0 * (e2 * e3 - e0 * e1), 2.0 * (e0 * e0 + e3 * e3) - 1.0]
}

/// (6b.1): p(s) = p + s p' + s²/2 ((1 - 2 beta) p'' + 2 beta p''), all at the step's start, where V b and c say that p = (1, 0),
/// p' = (0, w/2), p'' = (-|w|²/4, w'/2). With it p'(s) = p' + s p''.
fn extrapolated(q: Quat<f64>, w: Vec3<f64>, h: f64) -> (Quat<f64>, Quat<f64>) {
    let moment = cross([0.0, 0.0, 1.0], to_body(q, [0.0, 0.0, -WEIGHT]));
    let torque = sub(moment, cross(w, times(INERTIA, w)));
    let acceleration: Vec3<f64> = std::array::from_fn(|k| torque[k] / INERTIA[k]);
    let second = -0.25 * dot(w, w);
    let e = add(scale(0.5 * h, w), scale(0.25 * h * h, acceleration));
    let rate = add(scale(0.5, w), scale(0.5 * h, acceleration));
    ([1.0 + 0.5 * h * h * second, e[0], e[1], e[2]], [h * second, rate[0], rate[1], rate[2]])
}

/// The changes in every step of h (s) of the fast top, from the start on.
pub(super) fn step_changes(
    context: &Context<'_>,
    method: &'static str,
    h: f64,
    steps: u64,
) -> Result<Vec<StepChange>, Failure> {
    let channels = [Channel::ATTITUDE, Channel::ANGULAR_VELOCITY];
    let history = Trial::new(&fast_top(), method, h, steps).every(1).run(context, &channels)?;
    let axis = [0.0, 0.0, 1.0];
    let state = |i: usize| (history.attitude(i), history.angular_velocity(i));
    let energies = |(q, w)| (potential(q, axis), kinetic(w));
    let change = |i: usize| {
        let (q, w) = state(i);
        let (potential_before, kinetic_before) = energies((q, w));
        let (potential_after, kinetic_after) = energies(state(i + 1));
        let (p, rate) = extrapolated(q, w, h);
        // w = 2 G(p) p'.
        let w_after = scale(2.0, conjugate_vector(p, rate));
        StepChange {
            // Term by term, for the kinetic energy is a hundred times larger than what moves.
            total: (potential_after - potential_before) + (kinetic_after - kinetic_before),
            potential: potential(q, third_column(p)) - potential_before,
            potential_of_unit: potential(q, to_space(unit(p), axis)) - potential_before,
            kinetic: kinetic(w_after) - kinetic_before,
        }
    };
    Ok((0..history.last()).map(change).collect())
}

/// The share of steps in which the size of the estimate is below that of the change of total energy.
fn exceeded(changes: &[StepChange], estimate: impl Fn(&StepChange) -> f64) -> f64 {
    let beyond = changes.iter().filter(|change| change.total.abs() > estimate(change).abs()).count();
    beyond as f64 / changes.len() as f64
}

fn largest(changes: &[StepChange], of: impl Fn(&StepChange) -> f64) -> f64 {
    changes.iter().map(|change| of(change).abs()).fold(0.0, f64::max)
}

pub const BOUND: Claim = Claim {
    id: "k14-bound",
    title: "A bound of the energy change in a step",
    says: &[Says {
        report: "K14",
        place: "VI.6b, (6b.1), fig. 3, VII",
        text: "On the top the change of potential energy, estimated from the Euler parameters and their \
                derivatives at a step's start, is an upper bound of the actual change of total energy in that \
                step; the estimated kinetic energy is none.",
    }],
    judged: Judged::Report,
    found: "TO BE MEASURED.",
    condition: None,
    measure: |context| {
        let runs = vec![("1 ms", 0.001, 10_000u64), ("0.1 ms", 0.0001, 100_000)];
        let runs = runs.into_par_iter().map(|(label, h, steps)| {
            Ok((label, step_changes(context, "newmark_euler_parameters", h, steps)?))
        });
        let runs = runs.collect::<Result<Vec<_>, Failure>>()?;
        let mut measured = Vec::new();
        for (label, changes) in &runs {
            let name = |what: &str| format!("{what}, h = {label}");
            let share = exceeded(changes, |change| change.potential);
            measured.push(
                Measured::new(name("share of steps beyond the potential bound"), share, "1")
                    .claimed(Criterion::AtMost(0.0)),
            );
            let share = exceeded(changes, |change| change.potential_of_unit);
            measured.push(Measured::new(name("the same with parameters of norm 1"), share, "1"));
            let share = exceeded(changes, |change| change.kinetic);
            measured.push(Measured::new(name("share of steps beyond the kinetic estimate"), share, "1"));
            let total = largest(changes, |change| change.total);
            measured.push(Measured::new(name("largest change of total energy"), total, "J"));
            let potential = largest(changes, |change| change.potential);
            measured.push(Measured::new(
                name("largest estimated change of potential energy"),
                potential,
                "J",
            ));
            let kinetic = largest(changes, |change| change.kinetic);
            measured.push(Measured::new(name("largest estimated change of kinetic energy"), kinetic, "J"));
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};
