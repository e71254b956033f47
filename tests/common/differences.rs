//! Small vibrations about the start, from differences of the reference's forces over small
//! displacements and velocities.
//!
//! With the masses M, the rows B that hold, and their loads lam at the start,
//!
//! ```text
//! B^T lam = Q - M a,  B a = 0,   K = d(M a + B^T lam - Q)/dx,  C = -dQ/du,
//! vibrations: K y = omega² M y with B y = 0
//! ```
//!
//! In the coordinates z, `y = L z` with `L L^T = M^-1`, the rows become a projector P on the null
//! space of B L, and what is asked for are eigenvalues of `P L^T K L P`. Under a penalty the rows
//! hold nothing; they push, `K + B^T B / eps`.

use nalgebra::{DMatrix, DVector};
use polhode::describe::{Constraints, Mechanism};
use polhode::reference::Instance;
use polhode::reference::body::Motion;
use polhode::reference::rotation::turned;
use polhode::reference::system::MultibodySystem;
use polhode::reference::treatment::Treatment;

/// Displacements (m, rad) and velocities (m/s, rad/s).
const DIFFERENCE: f64 = 1e-6;
/// Singular values of B L below this share of the largest belong to redundant rows.
const REDUNDANT: f64 = 1e-7;
/// Residue that differences leave of a zero, as a share of the highest omega², and as one of the
/// forces over the difference.
const ROUNDING: [f64; 2] = [1e-9, 64.0 * f64::EPSILON / DIFFERENCE];
/// Rounding leaves this of forces that balance, as a share of them.
const UNBALANCED: f64 = 1e-6;

/// As the model's, by differences.
#[derive(Debug)]
pub struct Differences {
    /// omega of all that vibrate, ascending (rad/s).
    pub frequencies: Vec<f64>,
    /// The trace of `P L^T C L P` (1/s).
    pub damping: f64,
    pub rests: bool,
    /// (1/s)
    pub growth: f64,
}

impl Differences {
    /// Those of a mechanism without stops.
    pub fn of(mechanism: &Mechanism, constraints: &Constraints) -> Differences {
        let instance = Instance::nominal(mechanism);
        let mut system = MultibodySystem::new(mechanism, &instance).unwrap();
        let start = system.assembled(mechanism, &instance).unwrap();
        system.begin(&start, f64::INFINITY);
        let rest = system.with_velocities(&start, &(0.0 * system.velocities(&start)));
        let n = system.velocities(&rest).len();
        // Rows of locks are the last.
        let holding = |at: &[Motion]| {
            let b = system.jacobian(at);
            let first = b.nrows() - system.locks().len();
            let active = (0..b.nrows()).filter(|row| *row < first || system.locks()[row - first].holds());
            b.select_rows(&active.collect::<Vec<usize>>())
        };
        let instant = system.instant(0.0, DIFFERENCE, 0.0);
        let (rows, forces) = (holding(&rest), system.forces(&rest, &rest, &instant));
        let mobility = system.mobility_at_rest(&rest);
        let lower = mobility.clone().cholesky().unwrap().unpack();
        let svd = (rows.nrows() > 0).then(|| (&rows * &lower).transpose().svd(true, true));
        let cut = svd.as_ref().map_or(0.0, |svd| REDUNDANT * svd.singular_values.max());
        let loads = svd
            .as_ref()
            .map_or(DVector::zeros(0), |svd| svd.solve(&(lower.transpose() * &forces), cut).unwrap());
        let bears = rows.transpose() * &loads;
        let accelerations = &mobility * (&forces - &bears);

        let rate = |f: &dyn Fn(&DVector<f64>) -> DVector<f64>| {
            let unit = |j: usize| DVector::from_fn(n, |i, _| if i == j { DIFFERENCE } else { 0.0 });
            let column = |j: usize| (f(&unit(j)) - f(&-unit(j))) / (2.0 * DIFFERENCE);
            DMatrix::from_columns(&(0..n).map(column).collect::<Vec<_>>())
        };
        let mut stiffness = rate(&|dx| {
            let steps = system.with_velocities(&rest, dx);
            let step = |(at, step): (&Motion, Motion)| Motion {
                position: at.position + step.velocity,
                attitude: turned(at.attitude, step.angular_velocity),
                amplitudes: &at.amplitudes + step.amplitude_rates,
                ..at.clone()
            };
            let at: Vec<Motion> = rest.iter().zip(steps).map(step).collect();
            system.inertial(&at, &accelerations) + holding(&at).transpose() * &loads
                - system.forces(&at, &at, &instant)
        });
        let mut damping = rate(&|du| -system.forces(&rest, &system.with_velocities(&rest, du), &instant));
        let mut free = DMatrix::identity(n, n);
        if let Treatment::Penalty { eps, damping: of_rows } = Treatment::new(constraints, 1.0).unwrap() {
            stiffness += rows.transpose() * &rows / eps;
            damping += rows.transpose() * &rows * of_rows;
        } else if let Some(svd) = svd {
            let directions = svd.u.unwrap();
            for (k, _) in svd.singular_values.iter().enumerate().filter(|(_, value)| **value > cut) {
                free -= directions.column(k) * directions.column(k).transpose();
            }
        }
        let reduced = |matrix: &DMatrix<f64>| {
            let reduced = &free * lower.transpose() * matrix * &lower * &free;
            (&reduced + reduced.transpose()) / 2.0
        };
        let size = (lower.abs().transpose() * (forces.abs() + bears.abs())).norm();
        let squares = reduced(&stiffness).symmetric_eigenvalues();
        let least = (ROUNDING[1] * size * lower.norm()).max(ROUNDING[0] * squares.amax());
        let mut frequencies: Vec<f64> =
            squares.iter().filter(|square| **square > least).map(|square| square.sqrt()).collect();
        frequencies.sort_by(f64::total_cmp);
        Differences {
            frequencies,
            damping: reduced(&damping).trace(),
            rests: (&free * lower.transpose() * (forces - bears)).norm() <= UNBALANCED * size,
            growth: Some(-squares.min()).filter(|square| *square > least).map_or(0.0, f64::sqrt),
        }
    }
}
