//! Small vibrations about the start, and the step that an explicit method may take for them.
//!
//! All forces are differenced: springs, bushings, beams, loads. The bodies are at rest at their
//! start. With the masses M, the active rows B, and the loads of these rows there,
//! `B^T lam = Q - M a` with `B a = 0`:
//!
//! ```text
//! K = d(M a + B^T lam - Q)/dx  with a and lam as they are,   C = -dQ/du,
//! vibrations: K y = omega² M y with B y = 0
//! ```
//!
//! The term of lam is how weight draws a pendulum back: a rod that hangs on a hinge turns its row's
//! direction. dx is a displacement of u's kind: of points, and a rotation vector in body axes.
//! Under a treatment by penalty the rows hold nothing; they push, `K + B^T B / eps`. In the
//! coordinates z, `y = L z` with `L L^T = M^-1`, the masses are 1, the rows become a projector P on
//! the null space of B L, and what is asked for are eigenvalues of `P L^T K L P`.
//!
//! A chain of the staggered method takes accelerations of the positions in the middle of its step,
//! and dampers at the mean of the velocities before and after it: with `g = h c/2` for a vibration
//! damped by c, `(1 + g) z² - (2 - h² omega²) z + 1 - g = 0`, which stays within 1 while
//! `omega h <= 2`, whatever c. The half chain starts, and starts anew, by Runge-Kutta steps over
//! h/4, which bear a decay of rate lambda while `lambda h/4 <= 2.785`. For the Runge-Kutta methods
//! themselves a bound is given that lies below theirs, `lambda h <= 2` whatever is overdamped, and
//! closer where it is not:
//!
//! ```text
//! staggered     h <= 2/omega,   h <= 11.14/lambda,
//!               lambda = c/2 + sqrt(c²/4 - omega²) where c > 2 omega
//! Runge-Kutta   h² omega² + 2 h c <= 4,   h <= 4 / (c + sqrt(c² + 4 omega²))
//! ```
//!
//! Stops count as touched, wherever they stand: a motion that reaches one needs the step that its
//! stiffness allows. Weight draws back only what hangs, and a body that starts lying or upright may
//! come to hang later: then the longest step is the least over weight from six sides, while the
//! frequencies are those about the start. Of what velocities do there is nothing here.

use nalgebra::{DMatrix, DVector, SVD, SymmetricEigen, Vector3};

use polhode_description::describe::{Constraints, Mechanism};

use super::Instance;
use super::ReferenceError;
use super::body::Motion;
use super::rotation::turned;
use super::system::{Instant, MultibodySystem};
use super::treatment::{self, Treatment, truncated_solve};

/// Displacements (m, rad) and velocities (m/s, rad/s) over which forces are differenced.
const DIFFERENCE: f64 = 1e-6;
/// Singular values of B L below this share of the largest belong to redundant rows.
const REDUNDANT: f64 = 1e-7;
/// Length of the negative real axis on which the classical Runge-Kutta method is stable.
const REAL_AXIS: f64 = 2.785;
/// Residue that differences leave of a zero, as a share of the highest omega².
const ROUNDING: f64 = 1e-9;
/// Their residue where nothing vibrates, as a share: of the forces at the start over the
/// difference, and of a stiffness that the rows hold.
const NOISE: [f64; 2] = [64.0 * f64::EPSILON / DIFFERENCE, 1e-13];
/// Rounding leaves this of forces that balance, as a share of them: of attitudes and places that
/// are given by 6 digits or more.
const UNBALANCED: f64 = 1e-6;
/// Iterations of a decomposition for each row, of which two are usual.
const MOST_ITERATIONS: usize = 100;
/// Most velocities of a mechanism whose weight is taken from all sides: each costs as much as the
/// start.
const MOST_TURNED: usize = 120;
/// By how much a step must be shorter for weight from another side, so that this is said.
const SHORTER: f64 = 1e-3;

/// Small vibrations about the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Vibrations {
    /// omega of all that vibrate, ascending (rad/s); rigid and unstable motions left out.
    pub frequencies: Vec<f64>,
    /// The longest step (s) of the staggered method for all of them; infinite where nothing
    /// vibrates or is damped.
    pub longest_step: f64,
    /// The longest step (s) of Runge-Kutta methods for all of them.
    pub longest_of_runge_kutta: f64,
    /// Position of the body that has most of the energy of the vibration that needs the shortest
    /// step.
    pub body: usize,
    /// The highest frequency (rad/s) with weight from that side which needs the shortest step;
    /// `None`: it is that of the start.
    pub turned: Option<f64>,
    /// Whether bodies that are at rest there stay: no force is left that the rows do not bear.
    pub rests: bool,
    /// The fastest rate (1/s) at which they leave the start on their own, `e^(rate t)`; 0: they do
    /// not.
    pub growth: f64,
}

impl Vibrations {
    /// The highest frequency (rad/s); 0 where nothing vibrates.
    pub fn highest(&self) -> f64 {
        self.frequencies.last().copied().unwrap_or_default()
    }
}

/// The vibrations of an instance about its start, assembled and at rest. The loads are those of
/// t = 0.
///
/// # Errors
/// As [`MultibodySystem::new`], or a start or forces that are not finite.
pub fn vibrations(
    mechanism: &Mechanism,
    instance: &Instance,
    constraints: &Constraints,
) -> Result<Vibrations, ReferenceError> {
    let (about, system) = About::of(mechanism, instance, constraints)?;
    about.vibrations(&system)
}

/// As [`vibrations`], the longest step the least over weight from six sides.
///
/// # Errors
/// As [`vibrations`].
pub fn vibrations_however_hung(
    mechanism: &Mechanism,
    instance: &Instance,
    constraints: &Constraints,
) -> Result<Vibrations, ReferenceError> {
    let (about, system) = About::of(mechanism, instance, constraints)?;
    let weight = Vector3::from(instance.gravity);
    let mut found = about.vibrations(&system)?;
    let draws_back = system.is_constrained() || system.has_fixed_points();
    if weight.norm() > 0.0 && draws_back && about.rest_velocities.len() <= MOST_TURNED {
        for turned in sides(weight) {
            let other = about.vibrations(&system.with_gravity(turned))?;
            let longest_of_runge_kutta = found.longest_of_runge_kutta.min(other.longest_of_runge_kutta);
            if other.longest_step < (1.0 - SHORTER) * found.longest_step {
                let Vibrations { frequencies, rests, growth, .. } = found;
                found = Vibrations { frequencies, rests, growth, turned: Some(other.highest()), ..other };
            }
            found.longest_of_runge_kutta = longest_of_runge_kutta;
        }
    }
    Ok(found)
}

/// Weights as large as this from the five other sides.
fn sides(weight: Vector3<f64>) -> [Vector3<f64>; 5] {
    let across = weight.cross(&Vector3::ith(weight.iamin(), 1.0)).normalize() * weight.norm();
    let third = weight.cross(&across).normalize() * weight.norm();
    [-weight, across, -across, third, -third]
}

/// The start, at rest, about which bodies vibrate.
struct About {
    rest: Vec<Motion>,
    rest_velocities: DVector<f64>,
    instant: Instant,
    treatment: Treatment,
    /// B of the constraints.
    rows: DMatrix<f64>,
    /// L of `L L^T = M^-1`.
    lower: DMatrix<f64>,
    /// P.
    free: DMatrix<f64>,
}

impl About {
    /// The start of an instance, and its system with all stops touched.
    fn of(
        mechanism: &Mechanism,
        instance: &Instance,
        constraints: &Constraints,
    ) -> Result<(About, MultibodySystem), ReferenceError> {
        let mut system = MultibodySystem::new(mechanism, instance)?;
        let start = system.assembled(mechanism, instance)?;
        if !start.iter().all(Motion::is_finite) {
            return Err(ReferenceError::StartNotFinite);
        }
        system.begin(&start, f64::INFINITY);
        system.touch_stops(&start);
        Ok((About::new(&system, &start, Treatment::new(constraints, 1.0)?)?, system))
    }

    fn new(
        system: &MultibodySystem,
        start: &[Motion],
        treatment: Treatment,
    ) -> Result<About, ReferenceError> {
        let rest_velocities = 0.0 * system.velocities(start);
        let rest = system.with_velocities(start, &rest_velocities);
        let n = rest_velocities.len();
        let rows = system.holding(&rest);
        let lower = system
            .mobility_at_rest(&rest)
            .cholesky()
            .ok_or(ReferenceError::NotPositiveDefinite { matrix: "mass" })?
            .unpack();
        let mut free = DMatrix::identity(n, n);
        if rows.nrows() > 0 && !matches!(treatment, Treatment::Penalty { .. }) {
            let scaled = &rows * &lower;
            if !scaled.iter().all(|entry| entry.is_finite()) {
                return Err(ReferenceError::RowsNotFinite);
            }
            let most = MOST_ITERATIONS * (scaled.nrows() + scaled.ncols());
            let svd = SVD::try_new(scaled, false, true, f64::EPSILON, most);
            let svd = svd.ok_or(ReferenceError::NotDecomposed { matrix: "rows" })?;
            let directions = svd.v_t.ok_or(ReferenceError::NotDecomposed { matrix: "rows" })?;
            let cut = REDUNDANT * svd.singular_values.max();
            for (k, _) in svd.singular_values.iter().enumerate().filter(|(_, value)| **value > cut) {
                free -= directions.row(k).transpose() * directions.row(k);
            }
        }
        let instant = system.instant(0.0, DIFFERENCE, 0.0);
        Ok(About { rest, rest_velocities, instant, treatment, rows, lower, free })
    }

    /// The bodies moved by dx from where they start, at rest.
    fn displaced(&self, system: &MultibodySystem, dx: &DVector<f64>) -> Vec<Motion> {
        let steps = system.with_velocities(&self.rest, dx);
        let moved = self.rest.iter().zip(steps).map(|(at, step)| Motion {
            position: at.position + step.velocity,
            attitude: turned(at.attitude, step.angular_velocity),
            amplitudes: &at.amplitudes + &step.amplitude_rates,
            ..at.clone()
        });
        moved.collect()
    }

    /// The derivative of what `of` makes of a displacement or velocity.
    fn rate(&self, of: impl Fn(&DVector<f64>) -> DVector<f64>) -> DMatrix<f64> {
        let n = self.rest_velocities.len();
        let unit = |j: usize| DVector::from_fn(n, |i, _| if i == j { DIFFERENCE } else { 0.0 });
        let columns: Vec<DVector<f64>> =
            (0..n).map(|j| (of(&unit(j)) - of(&-unit(j))) / (2.0 * DIFFERENCE)).collect();
        DMatrix::from_columns(&columns)
    }

    /// In the coordinates z, before the constrained directions are removed.
    fn scaled(&self, matrix: &DMatrix<f64>) -> DMatrix<f64> {
        self.lower.transpose() * matrix * &self.lower
    }

    fn vibrations(&self, system: &MultibodySystem) -> Result<Vibrations, ReferenceError> {
        let About { rest, instant, rows, .. } = self;
        let forces = system.forces(rest, rest, instant);
        let mobility = system.mobility_at_rest(rest);
        let back = &mobility * rows.transpose();
        let multipliers =
            truncated_solve(&(rows * &back), &(back.transpose() * &forces), treatment::REDUNDANT);
        let bears = rows.transpose() * &multipliers;
        let accelerations = &mobility * (&forces - &bears);
        let mut stiffness = self.rate(|dx| {
            let at = self.displaced(system, dx);
            let bears = system.holding(&at).transpose() * &multipliers;
            system.inertial(&at, &accelerations) + bears - system.forces(&at, &at, instant)
        });
        let mut damping = self.rate(|du| -system.forces(rest, &system.with_velocities(rest, du), instant));
        if let Treatment::Penalty { eps, damping: of_rows } = self.treatment {
            stiffness += rows.transpose() * rows / eps;
            damping += rows.transpose() * rows * of_rows;
        }
        let reduced = |matrix: &DMatrix<f64>| {
            let reduced = &self.free * matrix * &self.free;
            (&reduced + reduced.transpose()) / 2.0
        };
        let (whole, damping) = (self.scaled(&stiffness), reduced(&self.scaled(&damping)));
        let stiffness = reduced(&whole);
        if !stiffness.iter().chain(damping.iter()).all(|entry| entry.is_finite()) {
            return Err(ReferenceError::ForcesNotFinite);
        }
        let sizes = forces.abs() + bears.abs();
        let lower = self.lower.abs();
        let noise = NOISE[0] * (lower.transpose() * &sizes).norm() * lower.norm() + NOISE[1] * whole.norm();
        let n = stiffness.nrows();
        let eigen = SymmetricEigen::try_new(stiffness, f64::EPSILON, MOST_ITERATIONS * (n + 1))
            .ok_or(ReferenceError::NotDecomposed { matrix: "stiffness" })?;
        let least = noise.max(ROUNDING * eigen.eigenvalues.max());
        let left = (&self.free * self.lower.transpose() * (&forces - &bears)).norm();
        let mut frequencies: Vec<f64> =
            eigen.eigenvalues.iter().filter(|square| **square > least).map(|square| square.sqrt()).collect();
        frequencies.sort_by(f64::total_cmp);
        let mut found = Vibrations {
            frequencies,
            longest_step: f64::INFINITY,
            longest_of_runge_kutta: f64::INFINITY,
            body: 0,
            turned: None,
            rests: left <= UNBALANCED * (lower.transpose() * &sizes).norm(),
            growth: Some(-eigen.eigenvalues.min()).filter(|square| *square > least).map_or(0.0, f64::sqrt),
        };
        for (square, shape) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
            let square = if *square > least { *square } else { 0.0 };
            let c = shape.dot(&(&damping * shape));
            let c = if c > noise { c } else { 0.0 };
            let of_runge_kutta = 4.0 / (c + (c * c + 4.0 * square).sqrt());
            found.longest_of_runge_kutta = found.longest_of_runge_kutta.min(of_runge_kutta);
            let decay = c / 2.0 + (c * c / 4.0 - square).max(0.0).sqrt();
            let starts = if c * c > 4.0 * square { 4.0 * REAL_AXIS / decay } else { f64::INFINITY };
            let step = starts.min(2.0 / square.sqrt());
            if step < found.longest_step {
                found.longest_step = step;
                let parts = system.with_velocities(rest, &shape.into_owned());
                let share = |part: &Motion| {
                    let frame = part.velocity.norm_squared() + part.angular_velocity.norm_squared();
                    frame + part.amplitude_rates.norm_squared()
                };
                found.body = (0..parts.len())
                    .max_by(|a, b| share(&parts[*a]).total_cmp(&share(&parts[*b])))
                    .unwrap_or_default();
            }
        }
        Ok(found)
    }
}
