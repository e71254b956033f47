//! Small vibrations about the start, and the step that an explicit method may take for them.
//!
//! All that pushes is differenced, whatever it is: springs, bushings, beams, gravity. With the bodies at rest where they start,
//! M the masses and B the rows that hold,
//!
//! ```text
//! K = -dQ/dx,   C = -dQ/du,   vibrations: K y = omega² M y with B y = 0
//! ```
//!
//! where dx is a displacement of u's kind: of points, and a rotation vector in body axes. Under a treatment by penalty the rows
//! hold nothing; they push, `K + B^T B / eps`. In the coordinates z, `y = L z` with `L L^T = M^-1`, the masses are 1, the rows
//! become a projector P on the null space of B L, and what is asked for are eigenvalues of `P L^T K L P`.
//!
//! A chain of the staggered method takes accelerations of the positions in the middle of its step, and dampers at the
//! velocities it starts from: `z² - (2 - h² omega² - h c) z + 1 - h c = 0` for a vibration damped by c, which stays within 1
//! while
//!
//! ```text
//! h² omega² + 2 h c <= 4,   h <= 4 / (c + sqrt(c² + 4 omega²))      undamped: omega h <= 2
//! ```
//!
//! What does not push at the start (a stop, a slack spring) is not seen, nor is what velocities do.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use crate::describe::{Constraints, Mechanism};

use super::Instance;
use super::body::Motion;
use super::rotation::turned;
use super::system::MultibodySystem;
use super::treatment::Treatment;

/// Displacements (m, rad) and velocities (m/s, rad/s) over which forces are differenced.
const DIFFERENCE: f64 = 1e-6;
/// Singular values of B L below this share of the largest belong to redundant rows.
const REDUNDANT: f64 = 1e-7;
/// What differences leave of zero, as a share of the highest omega².
const ROUNDING: f64 = 1e-9;

/// Small vibrations about the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Vibrations {
    /// omega of all that vibrate, ascending (rad/s); rigid and unstable motions left out.
    pub frequencies: Vec<f64>,
    /// The longest step (s) for all of them, dampers included; infinite where nothing vibrates.
    pub longest_step: f64,
    /// Position of the body that has most of the energy of the vibration that needs the shortest step.
    pub body: usize,
}

impl Vibrations {
    /// The highest frequency (rad/s); 0 where nothing vibrates.
    pub fn highest(&self) -> f64 {
        self.frequencies.last().copied().unwrap_or_default()
    }
}

/// The vibrations of an instance about its start, assembled and at rest. The loads are those of t = 0.
///
/// # Errors
/// As [`MultibodySystem::new`], or forces that are not finite.
pub fn vibrations(
    mechanism: &Mechanism,
    instance: &Instance,
    constraints: &Constraints,
) -> Result<Vibrations, String> {
    let mut system = MultibodySystem::new(mechanism, instance)?;
    let start = system.assembled(mechanism, instance)?;
    system.begin(&start, f64::INFINITY);
    let rest = system.with_velocities(&start, &(0.0 * system.velocities(&start)));
    let instant = system.instant(0.0, DIFFERENCE, 0.0);
    let unit = |j: usize, n: usize| DVector::from_fn(n, |i, _| if i == j { DIFFERENCE } else { 0.0 });
    let n = system.velocities(&rest).len();
    // The forces' change by what `moved` makes of a velocity that is one step of the difference, per such step.
    let rate = |moved: &dyn Fn(&DVector<f64>) -> DVector<f64>| {
        let columns: Vec<DVector<f64>> =
            (0..n).map(|j| (moved(&-unit(j, n)) - moved(&unit(j, n))) / (2.0 * DIFFERENCE)).collect();
        DMatrix::from_columns(&columns)
    };
    let displaced = |dx: &DVector<f64>| -> Vec<Motion> {
        let steps = system.with_velocities(&rest, dx);
        rest.iter()
            .zip(steps)
            .map(|(at, step)| Motion {
                position: at.position + step.velocity,
                attitude: turned(at.attitude, step.angular_velocity),
                amplitudes: &at.amplitudes + &step.amplitude_rates,
                ..at.clone()
            })
            .collect()
    };
    let mut stiffness = rate(&|dx| {
        let at = displaced(dx);
        system.forces(&at, &at, &instant)
    });
    let mut damping = rate(&|du| system.forces(&rest, &system.with_velocities(&rest, du), &instant));
    let treatment = Treatment::new(constraints)?;
    let mut rows = system.holding(&rest);
    if let Treatment::Penalty { eps, damping: of_rows } = treatment {
        stiffness += rows.transpose() * &rows / eps;
        damping += rows.transpose() * &rows * of_rows;
        rows = DMatrix::zeros(0, n);
    }

    let lower = system
        .mobility_at_rest()
        .clone()
        .cholesky()
        .ok_or("the mass matrix is not positive definite")?
        .unpack();
    let mut free = DMatrix::identity(n, n);
    if rows.nrows() > 0 {
        let svd = (&rows * &lower).svd(false, true);
        let directions = svd.v_t.ok_or("the rows could not be decomposed")?;
        let cut = REDUNDANT * svd.singular_values.max();
        for (k, _) in svd.singular_values.iter().enumerate().filter(|(_, value)| **value > cut) {
            free -= directions.row(k).transpose() * directions.row(k);
        }
    }
    let seen = |matrix: &DMatrix<f64>| {
        let reduced = &free * lower.transpose() * matrix * &lower * &free;
        (&reduced + reduced.transpose()) / 2.0
    };
    let (stiffness, damping) = (seen(&stiffness), seen(&damping));
    if !stiffness.iter().chain(damping.iter()).all(|entry| entry.is_finite()) {
        return Err("the forces at the start are not finite".to_string());
    }
    let eigen = SymmetricEigen::new(stiffness);
    let least = ROUNDING * eigen.eigenvalues.max();
    let mut frequencies: Vec<f64> =
        eigen.eigenvalues.iter().filter(|square| **square > least).map(|square| square.sqrt()).collect();
    frequencies.sort_by(f64::total_cmp);
    let mut found = Vibrations { frequencies, longest_step: f64::INFINITY, body: 0 };
    for (square, shape) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
        let square = if *square > least { *square } else { 0.0 };
        let c = shape.dot(&(&damping * shape)).max(0.0);
        let step = 4.0 / (c + (c * c + 4.0 * square).sqrt());
        if step < found.longest_step {
            found.longest_step = step;
            let parts = system.with_velocities(&rest, &shape.into_owned());
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
