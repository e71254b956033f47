//! K14 VI.6b: does the change of potential energy that is estimated at a step's start bound the
//! change of total energy in the step?

use rayon::prelude::*;

use super::{Claim, Context, Criterion, Evidence, Failure, Judged, Measured, Says, Trial};
use polhode::math::quaternion::{Quat, conjugate_vector, to_body, to_space, unit};
use polhode::math::vector::{Vec3, add, cross, dot, scale, sub, times};
use polhode::observe::channels;
use polhode::study::yardsticks::fast_top;

/// The top of [`fast_top`]: moments about the tip (kg m²), weight times length (N m).
const INERTIA: Vec3<f64> = [5.0, 5.0, 1.0];
const WEIGHT: f64 = 20.0;

/// Changes of energy in one step of the top (J).
#[derive(Clone, Copy, Debug)]
pub(super) struct StepChange {
    /// Total energy, from the states at both ends.
    pub total: f64,
    /// Kinetic energy, likewise.
    pub kinetic_actual: f64,
    /// Potential energy by (6b.1), with the parameters as the formula leaves them.
    pub potential: f64,
    /// Potential energy by (6b.1), with the parameters scaled to norm 1.
    pub potential_of_unit: f64,
    /// Kinetic energy by the same terms.
    pub kinetic: f64,
    /// Kinetic energy by p' and p'' alone, in a product of the first order.
    pub kinetic_of_first_order: f64,
}

fn kinetic(w: Vec3<f64>) -> f64 {
    0.5 * dot(w, times(INERTIA, w))
}

/// Potential energy of the top whose mass centre is at `centre` (body axes of attitude q, in
/// lengths).
fn potential(q: Quat<f64>, centre: Vec3<f64>) -> f64 {
    WEIGHT * to_space(q, centre)[2]
}

/// The third column of A(p) = (2 e0² - 1) 1 + 2 (e e^T + e0 e~), the form of Haug's book, which K14
/// builds on; p need not have norm 1.
fn third_column([e0, e1, e2, e3]: Quat<f64>) -> Vec3<f64> {
    [2.0 * (e1 * e3 + e0 * e2), 2.0 * (e2 * e3 - e0 * e1), 2.0 * (e0 * e0 + e3 * e3) - 1.0]
}

/// (6b.1): p(s) = p + s p' + s²/2 ((1 - 2 beta) p'' + 2 beta p''), all at the step's start, where V
/// b and c say that p = (1, 0), p' = (0, w/2), p'' = (-|w|²/4, w'/2). With it p'(s) = p' + s p''.
fn extrapolated(q: Quat<f64>, w: Vec3<f64>, h: f64) -> (Quat<f64>, Quat<f64>) {
    let torque = torque(q, w);
    let acceleration: Vec3<f64> = std::array::from_fn(|k| torque[k] / INERTIA[k]);
    let second = -0.25 * dot(w, w);
    let e = add(scale(0.5 * h, w), scale(0.25 * h * h, acceleration));
    let rate = add(scale(0.5, w), scale(0.5 * h, acceleration));
    ([1.0 + 0.5 * h * h * second, e[0], e[1], e[2]], [h * second, rate[0], rate[1], rate[2]])
}

/// Moment of the weight less the gyroscopic one, body axes: J w' (N m).
fn torque(q: Quat<f64>, w: Vec3<f64>) -> Vec3<f64> {
    let moment = cross([0.0, 0.0, 1.0], to_body(q, [0.0, 0.0, -WEIGHT]));
    sub(moment, cross(w, times(INERTIA, w)))
}

/// The changes in every step of h (s) of the fast top, from the start on.
pub(super) fn step_changes(
    context: &Context<'_>,
    method: &'static str,
    h: f64,
    steps: u64,
) -> Result<Vec<StepChange>, Failure> {
    let channels = [channels::ATTITUDE, channels::ANGULAR_VELOCITY];
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
            kinetic_actual: kinetic_after - kinetic_before,
            potential: potential(q, third_column(p)) - potential_before,
            potential_of_unit: potential(q, to_space(unit(p), axis)) - potential_before,
            kinetic: kinetic(w_after) - kinetic_before,
            kinetic_of_first_order: h * dot(w, torque(q, w)),
        }
    };
    Ok((0..history.last()).map(change).collect())
}

/// The share of steps in which the size of the estimate is below that of the change of total
/// energy.
fn exceeded(changes: &[StepChange], estimate: impl Fn(&StepChange) -> f64) -> f64 {
    let beyond = changes.iter().filter(|change| change.total.abs() > estimate(change).abs()).count();
    beyond as f64 / changes.len() as f64
}

fn largest(changes: &[StepChange], measure: impl Fn(&StepChange) -> f64) -> f64 {
    changes.iter().map(|change| measure(change).abs()).fold(0.0, f64::max)
}

pub const BOUND: Claim = Claim {
    id: "k14-bound",
    title: "A bound of the energy change in a step",
    says: &[Says {
        report: "K14",
        place: "VI.6b, fig. 3",
        text: "On the top the change of potential energy, estimated from the Euler parameters and their \
               derivatives at a step's start, is an upper bound of the actual change of total energy in that \
               step; the estimated kinetic energy is none.",
    }],
    judged: Judged::Report,
    found: "K14 prints no data of its top, which it takes from Simo and Wong; ours are those that H92 takes \
            from there. The bound holds in every step by E1 at 1 ms and 0.1 ms, also with the parameters \
            scaled to norm 1. It is some 6000 times (1 ms) and 600,000 times (0.1 ms) larger than what it \
            bounds, and a property of E1: by C1 it fails in 1 of 10,000 steps. The kinetic energy estimated \
            with all terms is 1000 and 100 times its own largest change.",
    condition: None,
    measure: |context| {
        let runs = vec![
            ("E1, h = 1 ms", "newmark_euler_parameters", 0.001, 10_000u64),
            ("E1, h = 0.1 ms", "newmark_euler_parameters", 0.0001, 100_000),
            ("C1, h = 1 ms", "newmark_rotation_vector", 0.001, 10_000),
            ("E1, h = 8 ms", "newmark_euler_parameters", 0.008, 1250),
        ];
        let runs = runs
            .into_par_iter()
            .map(|(label, method, h, steps)| Ok((label, step_changes(context, method, h, steps)?)));
        let runs = runs.collect::<Result<Vec<_>, Failure>>()?;
        let mut measured = Vec::new();
        for (k, (label, changes)) in runs.iter().enumerate() {
            let name = |what: &str| format!("{what}, {label}");
            let share = exceeded(changes, |change| change.potential);
            let share = Measured::new(name("share of steps beyond the bound"), share, "1");
            // The paper's method and steps.
            let of_paper = k < 2;
            measured.push(if of_paper { share.claimed(Criterion::AtMost(0.0)) } else { share });
            let share = exceeded(changes, |change| change.potential_of_unit);
            measured.push(Measured::new(name("the same with parameters of norm 1"), share, "1"));
            let total = largest(changes, |change| change.total);
            measured.push(Measured::new(name("largest change of total energy"), total, "J"));
            let potential = largest(changes, |change| change.potential);
            measured.push(Measured::new(name("largest estimate of potential energy"), potential, "J"));
            let kinetic = largest(changes, |change| change.kinetic);
            let actual = largest(changes, |change| change.kinetic_actual);
            measured.push(Measured::new(name("largest change of kinetic energy"), actual, "J"));
            let kinetic = Measured::new(name("largest estimate of it, of that"), kinetic / actual, "1");
            // An estimate that is ten times off means nothing.
            measured.push(if of_paper { kinetic.claimed(Criterion::AtLeast(10.0)) } else { kinetic });
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};

/// Times a second that it changes its sign.
fn changes_of_sign(changes: &[StepChange], h: f64, measure: impl Fn(&StepChange) -> f64) -> f64 {
    let signs: Vec<f64> = changes.iter().map(|change| measure(change).signum()).collect();
    let turned = signs.windows(2).filter(|pair| pair[0] != pair[1]).count();
    turned as f64 / (changes.len() as f64 * h)
}

pub const REDUCED: Claim = Claim {
    id: "k14-reduced-estimate",
    title: "The estimate of kinetic energy with fewer terms",
    says: &[Says {
        report: "K14",
        place: "VI.6b, p. 34",
        text: "The estimated kinetic energy is no meaningful upper bound with all terms, and oscillated when \
               the terms included were reduced.",
    }],
    judged: Judged::Unprinted,
    found: "Neither the top nor the terms that were left out are printed: ours are H92's top, by E1 at 1 ms, \
            and the terms of first order, h w.(J w'). With all terms the estimate keeps its sign and grows \
            with the spin. With those of first order it changes its sign twice in a nutation (2.93 times a \
            second), as the kinetic energy itself does, of which it is 0.99 to 1.01; where it goes through \
            zero it bounds nothing.",
    condition: None,
    measure: |context| {
        let h = 0.001;
        let changes = step_changes(context, "newmark_euler_parameters", h, 10_000)?;
        let first_order = |change: &StepChange| change.kinetic_of_first_order;
        let actual = largest(&changes, |change| change.kinetic_actual);
        Ok(Evidence {
            measured: vec![
                Measured::new(
                    "all terms: changes of sign",
                    changes_of_sign(&changes, h, |c| c.kinetic),
                    "1/s",
                )
                .claimed(Criterion::AtMost(0.0)),
                Measured::new(
                    "first order: changes of sign",
                    changes_of_sign(&changes, h, first_order),
                    "1/s",
                )
                .claimed(Criterion::Near(2.93, 0.05)),
                Measured::new("first order: share of steps beyond it", exceeded(&changes, first_order), "1"),
                Measured::new(
                    "first order: largest, of the largest change",
                    largest(&changes, first_order) / actual,
                    "1",
                )
                .found(Criterion::Between(0.99, 1.01)),
            ],
            figures: vec![],
        })
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::accurate_at;
    use polhode::math::vector::length;

    #[test]
    fn the_extrapolation_meets_the_motion_to_third_order() {
        let start = &accurate_at(&fast_top(), &[0.0]).unwrap()[0].bodies[0];
        let off = |h: f64| {
            let (p, _) = extrapolated(start.attitude, start.angular_velocity, h);
            let end = &accurate_at(&fast_top(), &[h]).unwrap()[0].bodies[0];
            let axis = [0.0, 0.0, 1.0];
            let estimated = to_space(start.attitude, to_space(unit(p), axis));
            length(sub(estimated, to_space(end.attitude, axis)))
        };
        // Without the acceleration, or with its sign turned, it would be of second order.
        let order = (off(0.002) / off(0.001)).log2();
        assert!((2.8..3.2).contains(&order), "{order}");
    }

    #[test]
    fn the_third_column_of_a_unit_quaternion_is_its_third_axis() {
        let p = unit([0.8, 0.2, -0.4, 0.4]);
        assert!(length(sub(third_column(p), to_space(p, [0.0, 0.0, 1.0]))) < 1e-15);
    }
}
