//! One step of any explicit Runge-Kutta method, from its table, with estimates of its error
//! where the table has any.

use crate::kinematics::body::Motion;
use crate::model::system::{System, plus};
use crate::real::Real;

/// The motions a step later, quaternions made unit there and not in between:
///
/// ```text
/// k_i = h f(y + sum over j < i of a_ij k_j) ;  y1 = y + sum of b_i k_i ;  q1 = unit(q1)
/// ```
///
/// Row i of `a` has the weights of the rates 0 to i - 1. Stage i sees the loads of sample i.
pub fn runge_kutta<R: Real>(
    system: &System<R>,
    start: &[Motion<R>],
    a: &[&[f64]],
    b: &[f64],
) -> Vec<Motion<R>> {
    let rates = stages(system, start, a);
    weighted(start, b, &rates).into_iter().map(Motion::normalised).collect()
}

/// One such step with estimates of the error: sums of the rates by each of these weights.
pub fn embedded<R: Real, const N: usize>(
    system: &System<R>,
    start: &[Motion<R>],
    a: &[&[f64]],
    b: &[f64],
    errors: [&[f64]; N],
) -> (Vec<Motion<R>>, [Vec<Motion<R>>; N]) {
    let rates = stages(system, start, a);
    let zero: Vec<Motion<R>> = start.iter().map(Motion::zeroed).collect();
    let end = weighted(start, b, &rates).into_iter().map(Motion::normalised).collect();
    (end, errors.map(|weights| weighted(&zero, weights, &rates)))
}

/// The rates of all stages, multiplied by the step.
fn stages<R: Real>(system: &System<R>, start: &[Motion<R>], a: &[&[f64]]) -> Vec<Vec<Motion<R>>> {
    let zero: Vec<Motion<R>> = start.iter().map(Motion::zeroed).collect();
    let mut rates: Vec<Vec<Motion<R>>> = Vec::with_capacity(a.len());
    for (sample, weights) in a.iter().enumerate() {
        let stage = weighted(start, weights, &rates);
        let rate = if rates.is_empty() { System::first_rate_add } else { System::rate_add };
        rates.push(rate(system, system.h, sample, &stage, &zero));
    }
    rates
}

/// `start` and the weighted sum of the rates.
fn weighted<R: Real>(start: &[Motion<R>], weights: &[f64], rates: &[Vec<Motion<R>>]) -> Vec<Motion<R>> {
    let terms = weights.iter().zip(rates).filter(|(weight, _)| **weight != 0.0);
    terms.fold(start.to_vec(), |sum, (weight, rate)| plus(&sum, start[0].q[0].lift(*weight), rate))
}
