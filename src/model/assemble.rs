//! Assembly: the start that a user gives, moved as little as may be so that all joints, generators and contacts hold.
//!
//! Positions by Newton's iteration, velocities by one projection, both least in the sense of the masses:
//!
//! ```text
//! mu = B M^-1 B^T ;   dx = -M^-1 B^T mu^+ Phi(x) ;   du = -M^-1 B^T mu^+ B u
//! ```
//!
//! `mu^+` is the pseudo-inverse by eigenvalues of mu scaled to a unit diagonal, cut at 1e-8 of the largest: redundant
//! rows and singular positions are no obstacle, as long as they do not contradict each other.
//!
//! Its rounding must not take a planar mechanism out of its plane: what was exactly zero in the start as given, and is
//! next to nothing now, is made zero again.

use nalgebra::{DMatrix, DVector};

use super::body::{Motion, Velocities, Wrench};
use super::row::{Mobility, Row};
use super::system::BodyConstants;
use super::{WIDTH, channels, motion};
use crate::math::quaternion::exponential;
use crate::math::symmetric::symmetric_eigen;
use crate::math::vector::{add, scale, times};

/// Largest |Phi| (m, or 1) and |B u| (m/s, or 1/s) of an assembled mechanism.
pub const ASSEMBLED: f64 = 1e-12;
/// Largest share of the quantities of its kind (m, m/s, rad/s, or 1) that assembly leaves by rounding in what was zero.
const ROUNDING: f64 = 1e-13;
/// Share of the velocities below which what violates a joint is rounding.
const LEFT_OF_RATES: f64 = 1e-9;
/// Iterations after which a mechanism is taken for one that cannot be assembled.
const MOST_ITERATIONS: usize = 50;
/// Eigenvalues below this share of the largest belong to redundant rows.
const REDUNDANT: f64 = 1e-8;

/// How far assembly has moved a start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Change {
    /// Largest displacement of a mass centre (m).
    pub displacement: f64,
    /// Largest rotation of a body (rad).
    pub rotation: f64,
    /// Largest change of a mass centre's velocity (m/s).
    pub velocity: f64,
    /// Largest change of an angular velocity (rad/s).
    pub angular_velocity: f64,
    /// Largest change of a modal coordinate, in its unit.
    pub amplitude: f64,
}

/// The row that is violated most where assembly ended, by its position, and by how much (m, or 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CannotAssemble {
    pub row: usize,
    pub violation: f64,
}

/// Moves `motions` so that all rows hold, which `evaluate` finds where the bodies are. Flexible bodies keep the deformation that they are
/// given, where the joints can hold so: a mode gives way so easily that it would take up most of what is amiss.
pub fn assemble(
    evaluate: &impl Fn(&[Motion<f64>]) -> Vec<Row<f64>>,
    bodies: &[BodyConstants<f64>],
    motions: &mut [Motion<f64>],
) -> Result<Change, CannotAssemble> {
    if bodies.iter().any(|body| body.deformation.is_some()) {
        let given = motions.to_vec();
        let stiff: Vec<BodyConstants<f64>> =
            bodies.iter().map(|body| BodyConstants { deformation: None, ..body.clone() }).collect();
        let assembled = assemble_by(evaluate, &stiff, motions);
        let fastest = motions.iter().flat_map(|motion| [motion.v, motion.w]).flatten();
        let fastest = fastest.fold(1.0, |fastest: f64, x| fastest.max(x.abs()));
        let rest = |row: &Row<f64>| row.rate(motions).abs() <= LEFT_OF_RATES * fastest;
        if assembled.is_ok() && evaluate(motions).iter().all(rest) {
            return assembled;
        }
        motions.clone_from_slice(&given);
    }
    assemble_by(evaluate, bodies, motions)
}

/// The same, the bodies giving way as these do.
fn assemble_by(
    evaluate: &impl Fn(&[Motion<f64>]) -> Vec<Row<f64>>,
    bodies: &[BodyConstants<f64>],
    motions: &mut [Motion<f64>],
) -> Result<Change, CannotAssemble> {
    let given = motions.to_vec();
    let mut change = Change::default();
    let mut rotations = vec![[0.0; 3]; bodies.len()];
    for _ in 0..MOST_ITERATIONS {
        let rows = evaluate(motions);
        let violation = rows.iter().map(|row| row.violation.abs()).fold(0.0, f64::max);
        if violation <= ASSEMBLED {
            if rows.iter().any(overflows) || !project(&rows, bodies, motions) {
                break;
            }
            restore_zeros(evaluate, &given, motions);
            for (b, (motion, given)) in motions.iter().zip(&given).enumerate() {
                change.displacement = change.displacement.max(distance(motion.r, given.r));
                change.rotation = change.rotation.max(distance(rotations[b], [0.0; 3]));
                change.velocity = change.velocity.max(distance(motion.v, given.v));
                change.angular_velocity = change.angular_velocity.max(distance(motion.w, given.w));
                let amplitudes = motion.modal.amplitudes.iter().zip(&given.modal.amplitudes);
                let largest = amplitudes.map(|(x, given)| (x - given).abs()).fold(0.0, f64::max);
                change.amplitude = change.amplitude.max(largest);
            }
            return Ok(change);
        }
        if !violation.is_finite() {
            break;
        }
        // A row of velocities says nothing of positions.
        let rows: Vec<Row<f64>> = rows.into_iter().filter(|row| !row.rate_alone).collect();
        let phi = rows.iter().map(|row| row.violation).collect();
        // Beyond sqrt(f64::MAX) metres products of arms overflow, and there is no correction.
        let Some(corrections) = correction(&rows, bodies, motions, phi) else { break };
        for (b, change) in corrections.into_iter().enumerate() {
            motions[b].q = exponential(motions[b].q, change.w);
            motions[b].r = add(motions[b].r, change.v);
            rotations[b] = add(rotations[b], change.w);
            let amplitudes = motions[b].modal.amplitudes.iter_mut();
            amplitudes.zip(change.modal).for_each(|(amplitude, more)| *amplitude += more);
        }
    }
    let mut found = CannotAssemble { row: 0, violation: 0.0 };
    for (k, row) in evaluate(motions).iter().enumerate() {
        let violation = if overflows(row) { f64::INFINITY } else { row.violation.abs() };
        if violation > found.violation || !violation.is_finite() {
            found = CannotAssemble { row: k, violation };
        }
    }
    Err(found)
}

/// How many of the rows are independent.
pub fn rank(rows: &[Row<f64>], bodies: &[BodyConstants<f64>], motions: &[Motion<f64>]) -> usize {
    if rows.is_empty() {
        return 0;
    }
    let Some((eigen, _)) = scaled(rows, &mobilities(bodies, motions)) else { return 0 };
    let cut = cut(&eigen.eigenvalues);
    eigen.eigenvalues.iter().filter(|value| **value > cut).count()
}

/// Whether squares of the row's numbers overflow, as of arms beyond 1e154 m: nothing can be solved for then.
fn overflows(row: &Row<f64>) -> bool {
    let square = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>();
    row.parts.iter().any(|part| !(square(part.w) + part.v.map_or(0.0, square)).is_finite())
}

/// Takes from the velocities what violates the joints; false where numbers overflow.
fn project(rows: &[Row<f64>], bodies: &[BodyConstants<f64>], motions: &mut [Motion<f64>]) -> bool {
    // Once more for what rounding leaves of large velocities.
    for _ in 0..2 {
        let rates: Vec<f64> = rows.iter().map(|row| row.rate(motions)).collect();
        if rates.iter().all(|rate| rate.abs() <= ASSEMBLED) {
            return true;
        }
        let Some(corrections) = correction(rows, bodies, motions, rates) else { return false };
        for (b, change) in corrections.into_iter().enumerate() {
            motions[b].w = add(motions[b].w, change.w);
            motions[b].v = add(motions[b].v, change.v);
            let rates = motions[b].modal.rates.iter_mut();
            rates.zip(change.modal).for_each(|(rate, more)| *rate += more);
        }
    }
    true
}

/// Makes zero again what was zero as `given` and has become rounding, unless the joints would hold less well for it.
fn restore_zeros(
    evaluate: &impl Fn(&[Motion<f64>]) -> Vec<Row<f64>>,
    given_motions: &[Motion<f64>],
    motions: &mut [Motion<f64>],
) {
    /// First channels of attitude, angular velocity, position and velocity, and the end.
    const KINDS: [usize; 5] = [0, 4, 7, 10, WIDTH];
    let mut restored: Vec<[f64; WIDTH]> = motions.iter().map(channels).collect();
    let given: Vec<[f64; WIDTH]> = given_motions.iter().map(channels).collect();
    for kind in KINDS.windows(2) {
        let of_kind = kind[0]..kind[1];
        let largest = restored.iter().flat_map(|c| &c[of_kind.clone()]).fold(1.0, |l: f64, x| l.max(x.abs()));
        for (restored, given) in restored.iter_mut().zip(&given) {
            for c in of_kind.clone() {
                if given[c] == 0.0 && restored[c].abs() <= ROUNDING * largest {
                    restored[c] = 0.0;
                }
            }
        }
    }
    let mut restored: Vec<Motion<f64>> = restored.iter().map(|c| motion(c)).collect();
    for ((restored, given), moved) in restored.iter_mut().zip(given_motions).zip(motions.iter()) {
        let zeros = |given: &[f64], moved: &[f64]| {
            let largest = moved.iter().fold(1.0, |l: f64, x| l.max(x.abs()));
            let of = |(given, x): (&f64, &f64)| {
                if *given == 0.0 && x.abs() <= ROUNDING * largest { 0.0 } else { *x }
            };
            given.iter().zip(moved).map(of).collect()
        };
        restored.modal.amplitudes = zeros(&given.modal.amplitudes, &moved.modal.amplitudes);
        restored.modal.rates = zeros(&given.modal.rates, &moved.modal.rates);
    }
    if restored == motions {
        return;
    }
    let off = |motions: &[Motion<f64>]| {
        let rows = evaluate(motions);
        let of_row = |row: &Row<f64>| [row.violation.abs(), row.rate(motions).abs()];
        rows.iter().map(of_row).fold([0.0; 2], |[a, b]: [f64; 2], [x, y]| [a.max(x), b.max(y)])
    };
    let (before, after) = (off(motions), off(&restored));
    if before.iter().zip(after).all(|(before, after)| after <= before.max(ASSEMBLED)) {
        motions.clone_from_slice(&restored);
    }
}

/// `-M^-1 B^T mu^+ excess`, by body: of rotation, position and modal coordinates. `None`: mu is not finite.
fn correction(
    rows: &[Row<f64>],
    bodies: &[BodyConstants<f64>],
    motions: &[Motion<f64>],
    excess: Vec<f64>,
) -> Option<Vec<Velocities<f64>>> {
    let mobilities = mobilities(bodies, motions);
    let (eigen, scales) = scaled(rows, &mobilities)?;
    let cut = cut(&eigen.eigenvalues);
    let right = DVector::from_vec(excess).component_mul(&scales);
    let mut along = eigen.eigenvectors.tr_mul(&right);
    for (value, eigenvalue) in along.iter_mut().zip(eigen.eigenvalues.iter()) {
        *value = if *eigenvalue > cut { *value / eigenvalue } else { 0.0 };
    }
    let multipliers = (&eigen.eigenvectors * along).component_mul(&scales);
    Some(away(rows, multipliers.as_slice(), &mobilities, motions))
}

/// `-M^-1 B^T lam`, by body.
pub(super) fn away(
    rows: &[Row<f64>],
    multipliers: &[f64],
    mobilities: &[Mobility<f64>],
    motions: &[Motion<f64>],
) -> Vec<Velocities<f64>> {
    let none = |motion: &Motion<f64>| Wrench {
        force: [0.0; 3],
        torque: [0.0; 3],
        modal: vec![0.0; motion.modal.rates.len()],
    };
    let mut wrenches: Vec<Wrench<f64>> = motions.iter().map(none).collect();
    for (row, multiplier) in rows.iter().zip(multipliers.iter()) {
        row.react(*multiplier, &mut wrenches);
    }
    let corrected = wrenches.iter().zip(mobilities).map(|(wrench, body)| {
        let (w, modal) = match &body.yielding {
            None => (times(body.inertia, wrench.torque), Vec::new()),
            Some(yielding) => yielding.solve(wrench.torque, &wrench.modal),
        };
        Velocities { w, v: scale(body.mass, wrench.force), modal }
    });
    corrected.collect()
}

/// How the bodies give way where they are; a fixed point does not.
pub(super) fn mobilities(bodies: &[BodyConstants<f64>], motions: &[Motion<f64>]) -> Vec<Mobility<f64>> {
    let of = |(body, at): (&BodyConstants<f64>, &Motion<f64>)| {
        let mobility = body.mobility(at, None);
        Mobility { mass: if body.moves { mobility.mass } else { 0.0 }, ..mobility }
    };
    bodies.iter().zip(motions).map(of).collect()
}

type Eigen = nalgebra::SymmetricEigen<f64, nalgebra::Dyn>;

/// The eigenvalues and vectors of `S mu S`, `S` the scales that make its diagonal one. `None`: mu is not finite.
fn scaled(rows: &[Row<f64>], mobility: &[Mobility<f64>]) -> Option<(Eigen, DVector<f64>)> {
    let n = rows.len();
    let mu = DMatrix::from_fn(n, n, |i, j| rows[i].coupling(&rows[j], mobility).unwrap_or(0.0));
    let scales = DVector::from_fn(n, |i, _| if mu[(i, i)] > 0.0 { mu[(i, i)].sqrt().recip() } else { 0.0 });
    let scaled = DMatrix::from_fn(n, n, |i, j| scales[i] * mu[(i, j)] * scales[j]);
    Some((symmetric_eigen(scaled)?, scales))
}

fn cut(eigenvalues: &DVector<f64>) -> f64 {
    REDUNDANT * eigenvalues.iter().copied().fold(0.0, f64::max)
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
}
