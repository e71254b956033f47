//! Small vibrations about the start, and the step that an explicit method may take for them.
//!
//! The bodies are at rest at their start. With the masses M, the rows B that hold there, the loads
//! lam of these rows and the forces Q, `B^T lam = Q - M a` with `B a = 0`:
//!
//! ```text
//! K = -M da/dx,  C = -M da/du   with a = M^-1 (Q - B^T lam) and lam as it is,
//! vibrations: K y = omega² M y with B y = 0
//! ```
//!
//! The term of lam is how weight draws a pendulum back: a rod that hangs on a hinge turns its row's
//! direction. Dual numbers give the derivatives. Under a treatment by penalty the rows hold
//! nothing; they push, `K + B^T B / eps`. In the coordinates z, `y = W z` with `W W^T = M^-1`, the
//! masses are 1, and what is asked for are eigenvalues of `F^T W^T K W F`, F an orthonormal basis
//! of the null space of B W.
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
//! Stops count as touched for steps, wherever they stand: a motion that reaches one needs the step
//! that its stiffness allows. Weight draws back only what hangs, and a body that starts lying or
//! upright may come to hang later: then the longest step is the least over weight from six sides,
//! while the frequencies are those about the start. Of what velocities do there is nothing here.

use nalgebra::{DMatrix, DVector, SVD};

use super::Model;
use super::quantities::Quantities;
use super::steady_state::{MOST_ITERATIONS, Posture, REDUNDANT, SteadyInstance, SteadyRotation, null_space};
use super::system::{Advanced, System};
use crate::base::Options;
use crate::describe::numbers::{NumberOwner, position};
use crate::describe::{Constraints, Mechanism, Support};
use crate::kinematics::body::{Motion, Velocities};
use crate::kinematics::row::Row;
use crate::math::symmetric::symmetric_eigen;
use crate::math::vector::{Vec3, cross, dot, length, scale};
use crate::real::{Dual, Real};
use crate::treatments::{AnyTreatment, ELASTIC};

/// Length of the negative real axis on which the classical Runge-Kutta method is stable.
const REAL_AXIS: f64 = 2.785;
/// Rounding leaves this of a zero, as a share of the stiffness, of that which the rows hold too,
/// and of the forces at a distance of a metre.
const ROUNDING: f64 = 1e-12;
/// Squares of frequencies below this share of the highest cannot be told from zero: joints are
/// closed to 1e-11 at the start.
const RIGID: f64 = 1e-11;
/// Rounding leaves this of forces that balance, as a share of them: of attitudes and places that
/// are given by 6 digits or more.
const UNBALANCED: f64 = 1e-6;
/// Most velocities of a mechanism whose weight is taken from all sides: each costs as much as the
/// start.
const MOST_TURNED: usize = 120;
/// By how much a step must be shorter for weight from another side, so that this is said.
const SHORTER: f64 = 1e-3;

/// Small vibrations about the start.
#[derive(Clone, Debug, PartialEq)]
pub struct SmallVibrations {
    /// omega of all that vibrate, ascending (rad/s); rigid and unstable motions left out.
    pub frequencies: Vec<f64>,
    /// The longest step (s) of the staggered method for all of them; infinite where nothing
    /// vibrates or is damped.
    pub longest_step: f64,
    /// The longest step (s) of Runge-Kutta methods for all of them.
    pub longest_of_runge_kutta: f64,
    /// All rates of decay c added up (1/s).
    pub damping: f64,
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
    /// Whether the bodies move at the start.
    pub starts_in_motion: bool,
}

/// The stops of a start: touched, as a motion may come to have them, or as they are there, where
/// one that is not reached does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stops {
    Touched,
    AsTheyAre,
}

impl SmallVibrations {
    /// The vibrations of an instance about its start, assembled and at rest. The loads are those of
    /// t = 0. `None`: it has no start, or one with forces that are not finite.
    pub fn about_start(
        mechanism: &Mechanism,
        q: &Quantities,
        constraints: &Constraints,
        stops: Stops,
    ) -> Option<SmallVibrations> {
        VibratingStart::new(mechanism, q, constraints, stops)?.vibrations()
    }

    /// As [`about_start`](Self::about_start), the longest step the least over weight from six
    /// sides.
    pub fn however_hung(
        mechanism: &Mechanism,
        q: &Quantities,
        constraints: &Constraints,
    ) -> Option<SmallVibrations> {
        let mut start = VibratingStart::new(mechanism, q, constraints, Stops::Touched)?;
        let mut found = start.vibrations()?;
        let gravity = start.model.first.gravity;
        let weight = [0, 1, 2].map(|k| start.parameters[gravity + k]);
        let is_fixed = mechanism.bodies.iter().any(|body| body.support == Support::FixedPoint);
        let draws_back = mechanism.is_held() || is_fixed;
        if length(weight) > 0.0 && draws_back && start.width() <= MOST_TURNED {
            for turned in sides(weight) {
                start.parameters[gravity..gravity + 3].copy_from_slice(&turned);
                let other = start.vibrations()?;
                let longest_of_runge_kutta = found.longest_of_runge_kutta.min(other.longest_of_runge_kutta);
                if other.longest_step < (1.0 - SHORTER) * found.longest_step {
                    let SmallVibrations { longest_step, body, .. } = other;
                    found = SmallVibrations { longest_step, body, turned: Some(other.highest()), ..found };
                }
                found.longest_of_runge_kutta = longest_of_runge_kutta;
            }
        }
        Some(found)
    }

    /// The highest frequency (rad/s); 0 where nothing vibrates.
    pub fn highest(&self) -> f64 {
        self.frequencies.last().copied().unwrap_or_default()
    }
}

/// Weights as large as this from the five other sides.
fn sides(weight: Vec3<f64>) -> [Vec3<f64>; 5] {
    let size = length(weight);
    let least = (0..3).min_by(|a, b| weight[*a].abs().total_cmp(&weight[*b].abs()));
    let axis = [0, 1, 2].map(|k| if Some(k) == least { 1.0 } else { 0.0 });
    let sized = |v: Vec3<f64>| scale(size / length(v), v);
    let across = sized(cross(weight, axis));
    let third = sized(cross(weight, across));
    let [back, beside, below] = [weight, across, third].map(|side| scale(-1.0, side));
    [back, across, beside, third, below]
}

/// An instance at rest at its start, about which it vibrates.
struct VibratingStart {
    model: Model,
    parameters: Vec<f64>,
    /// By timed load, whether it acts.
    factors: Vec<f64>,
    rest: Posture,
    /// eps and damping of rows that give way; `None`: they hold.
    penalty: Option<[f64; 2]>,
    starts_in_motion: bool,
}

/// The coordinates z of a start, `y = W z`, in which masses are 1.
struct UnitMasses {
    /// W, and its inverse.
    root: DMatrix<f64>,
    inverse: DMatrix<f64>,
}

impl UnitMasses {
    /// Those of masses M with inertias I along rows b besides, `L L^T = M^-1`:
    /// `W = L C^-T, C C^T = 1 + L^T b^T I b L`.
    fn new(lower: DMatrix<f64>, inertias: &[(DVector<f64>, f64)]) -> Option<UnitMasses> {
        let n = lower.nrows();
        let one = DMatrix::identity(n, n);
        let inverse = lower.solve_lower_triangular(&one)?;
        if inertias.is_empty() {
            return Some(UnitMasses { root: lower, inverse });
        }
        let grown = inertias.iter().fold(one.clone(), |grown, (row, inertia)| {
            let along = lower.tr_mul(row);
            grown + *inertia * &along * along.transpose()
        });
        let factor = grown.cholesky()?.unpack();
        let root = lower * factor.solve_lower_triangular(&one)?.transpose();
        Some(UnitMasses { root, inverse: factor.transpose() * inverse })
    }
}

impl VibratingStart {
    fn new(
        mechanism: &Mechanism,
        q: &Quantities,
        constraints: &Constraints,
        stops: Stops,
    ) -> Option<VibratingStart> {
        let linked = q.linked(mechanism).ok()?;
        let (q, own) = linked.unwrap_or_else(|| (q.clone(), mechanism.clone()));
        let numbers = || constraints.card().resolved(&q.settings, q.step, q.precision);
        let penalty =
            (constraints.treatment == ELASTIC.name).then(|| numbers()[..].try_into().ok()).flatten();
        // Loads of rows are solved for here: any treatment does, by its own defaults.
        let treatment = AnyTreatment::default();
        let q = Quantities { settings: treatment.card().given(&Options::default()), ..q.clone() };
        let model = Model::new(&own, treatment, &[], false);
        let mut parameters = vec![0.0; model.parameters()];
        let start = model.resolve(&q, &mut parameters).ok()?;
        let memory = model.start_memory(&start, &|p| parameters[p]);
        let is_moving = |motion: &Motion<f64>| {
            let Velocities { w, v, modal } = motion.velocities();
            w.into_iter().chain(v).chain(modal).any(|rate| rate != 0.0)
        };
        let starts_in_motion = start.iter().any(is_moving);
        let rest = Posture { motions: start.iter().map(Motion::still).collect(), memory };
        let acts = |span: &super::Span| if span.from <= 0.0 && 0.0 < span.until { 1.0 } else { 0.0 };
        let factors = model.spans().iter().map(acts).collect();
        if stops == Stops::Touched {
            touch_stops(&model, &mut parameters, &rest);
        }
        Some(VibratingStart { model, parameters, factors, rest, penalty, starts_in_motion })
    }

    fn steady(&self) -> SteadyInstance<'_> {
        SteadyInstance::new(&self.model, &self.parameters, &self.factors, SteadyRotation::default())
    }

    /// Number of velocities.
    fn width(&self) -> usize {
        self.steady().width()
    }

    fn vibrations(&self) -> Option<SmallVibrations> {
        let (steady, motions) = (self.steady(), &self.rest.motions);
        let system = steady.system(&self.rest.memory, |x| x);
        let resist = system.inertias(motions, motions).into_iter().map(|damper| {
            let row = Row::new(damper.parts, 0.0, 0.0);
            (steady.row_of(&row), damper.coefficient)
        });
        let masses = UnitMasses::new(steady.lower(&self.rest)?, &resist.collect::<Vec<_>>())?;
        let rows = system.constraint_set().rows(motions, 0.0);
        let scaled: Vec<DVector<f64>> =
            rows.iter().map(|row| masses.root.tr_mul(&steady.row_of(row))).collect();
        // A lock that has not caught has a row of zeros.
        let sizes: Vec<f64> = scaled.iter().map(|row| row.norm()).collect();
        let holding: Vec<usize> = (0..rows.len()).filter(|k| sizes[*k] > 0.0).collect();
        let unit_rows: Vec<_> = holding.iter().map(|k| (&scaled[*k] / sizes[*k]).transpose()).collect();
        let n = masses.root.nrows();
        let stacked =
            |rows: &[_]| if rows.is_empty() { DMatrix::zeros(0, n) } else { DMatrix::from_rows(rows) };
        let rows_held = stacked(&unit_rows);

        let none = vec![0.0; rows.len()];
        let forces = &masses.inverse * flat(&steady, self.accelerations(&system, motions, &none));
        let loads = least_squares(rows_held.transpose(), &forces)?;
        let bears = rows_held.tr_mul(&loads);
        let mut multipliers = none;
        holding.iter().zip(loads.iter()).for_each(|(k, load)| multipliers[*k] = load / sizes[*k]);

        let [mut stiffness, mut damping] = [true, false].map(|displaced| {
            let derivatives = self.derivatives(&steady, &masses.root, &multipliers, displaced);
            -(&masses.inverse * derivatives)
        });
        let points = steady.turns_of_points();
        let mut free: Vec<_> = points.iter().map(|row| masses.root.tr_mul(row).transpose()).collect();
        if let Some([eps, resists]) = self.penalty {
            let pushed = scaled.iter().fold(DMatrix::zeros(n, n), |sum, row| sum + row * row.transpose());
            stiffness += &pushed / eps;
            damping += resists * pushed;
        } else {
            free = [unit_rows, free].concat();
        }
        let free = null_space(&stacked(&free))?;
        let reduced = |matrix: &DMatrix<f64>| {
            let reduced = free.tr_mul(matrix) * &free;
            (&reduced + reduced.transpose()) / 2.0
        };
        if !stiffness.iter().chain(damping.iter()).all(|entry| entry.is_finite()) {
            return None;
        }
        let root = masses.root.abs();
        let on_velocities = |z: &DVector<f64>| masses.inverse.tr_mul(z).abs();
        let sizes = root.tr_mul(&(on_velocities(&forces) + on_velocities(&bears))).norm();
        let noise = ROUNDING * (sizes * root.norm() + stiffness.norm());
        let left = free.tr_mul(&(&forces - &bears)).norm();
        let rests = left <= UNBALANCED * sizes;
        self.of_matrices(&steady, [reduced(&stiffness), reduced(&damping)], &free, noise, rests)
    }

    /// The vibrations by the matrices of the free directions F; what is below `noise` is none.
    fn of_matrices(
        &self,
        steady: &SteadyInstance<'_>,
        [stiffness, damping]: [DMatrix<f64>; 2],
        free: &DMatrix<f64>,
        noise: f64,
        rests: bool,
    ) -> Option<SmallVibrations> {
        let mut found = SmallVibrations {
            frequencies: Vec::new(),
            longest_step: f64::INFINITY,
            longest_of_runge_kutta: f64::INFINITY,
            damping: damping.trace(),
            body: 0,
            turned: None,
            rests,
            growth: 0.0,
            starts_in_motion: self.starts_in_motion,
        };
        if stiffness.is_empty() {
            return Some(found);
        }
        let eigen = symmetric_eigen(stiffness)?;
        let noise = noise.max(RIGID * eigen.eigenvalues.max());
        let growing = (-eigen.eigenvalues.min()).max(0.0);
        found.growth = if growing > noise { growing.sqrt() } else { 0.0 };
        let (vibrates, rigid): (Vec<usize>, Vec<usize>) =
            (0..eigen.eigenvalues.len()).partition(|k| eigen.eigenvalues[*k] > noise);
        let mut motions: Vec<(f64, f64, DVector<f64>)> = Vec::new();
        for k in vibrates {
            let (square, shape) = (eigen.eigenvalues[k], eigen.eigenvectors.column(k).into_owned());
            found.frequencies.push(square.sqrt());
            motions.push((square, shape.dot(&(&damping * &shape)), shape));
        }
        found.frequencies.sort_by(f64::total_cmp);
        // Without a stiffness shapes are those of the dampers.
        if !rigid.is_empty() {
            let shapes = eigen.eigenvectors.select_columns(&rigid);
            let damped = symmetric_eigen(shapes.tr_mul(&damping) * &shapes)?;
            let shapes = shapes * damped.eigenvectors;
            let decays = damped.eigenvalues.iter().zip(shapes.column_iter());
            motions.extend(decays.map(|(c, shape)| (0.0, *c, shape.into_owned())));
        }
        for (square, c, shape) in motions {
            let c = if c > noise { c } else { 0.0 };
            let of_runge_kutta = 4.0 / (c + (c * c + 4.0 * square).sqrt());
            found.longest_of_runge_kutta = found.longest_of_runge_kutta.min(of_runge_kutta);
            let decay = c / 2.0 + (c * c / 4.0 - square).max(0.0).sqrt();
            let starts = if c * c > 4.0 * square { 4.0 * REAL_AXIS / decay } else { f64::INFINITY };
            let step = starts.min(2.0 / square.sqrt());
            if step < found.longest_step {
                found.longest_step = step;
                let shares = steady.by_body((free * shape).as_slice());
                let share = |Velocities { w, v, modal }: &Velocities<f64>| {
                    dot(*w, *w) + dot(*v, *v) + modal.iter().map(|rate| rate * rate).sum::<f64>()
                };
                found.body = (0..shares.len())
                    .max_by(|a, b| share(&shares[*a]).total_cmp(&share(&shares[*b])))
                    .unwrap_or_default();
            }
        }
        Some(found)
    }

    /// The accelerations of bodies under these loads of rows, all damping explicit.
    fn accelerations<R: Real>(
        &self,
        system: &System<R>,
        at: &[Motion<R>],
        multipliers: &[R],
    ) -> Vec<Velocities<R>> {
        let still: Vec<Motion<R>> = at.iter().map(Motion::still).collect();
        system.kick(system.h.lift(1.0), 0, at, Advanced::at(at, 0.0), &still, multipliers)
    }

    /// `da/dx` along displacements (`displaced`), or `da/du` along velocities, by columns.
    fn derivatives(
        &self,
        steady: &SteadyInstance<'_>,
        along: &DMatrix<f64>,
        multipliers: &[f64],
        displaced: bool,
    ) -> DMatrix<f64> {
        let system = steady.system(&self.rest.memory, Dual::constant);
        let multipliers: Vec<Dual<f64>> = multipliers.iter().map(|load| Dual::constant(*load)).collect();
        // States of laws count as velocities.
        let stays: Vec<bool> = steady.states().into_iter().map(|is_state| displaced && is_state).collect();
        let columns = along.column_iter().map(|by| {
            let by: Vec<f64> =
                by.iter().zip(&stays).map(|(x, stays)| if *stays { 0.0 } else { *x }).collect();
            let at = steady.varied(&self.rest, &by, displaced);
            flat(steady, self.accelerations(&system, &at, &multipliers)).map(|rate| rate.tangent)
        });
        DMatrix::from_columns(&columns.collect::<Vec<_>>())
    }
}

/// Velocities of all bodies in a column.
fn flat<R: Real + nalgebra::Scalar>(steady: &SteadyInstance<'_>, all: Vec<Velocities<R>>) -> DVector<R> {
    let components = |(b, Velocities { w, v, modal }): (usize, Velocities<R>)| {
        let v = v.into_iter().filter(move |_| steady.moves(b));
        w.into_iter().chain(v).chain(modal).collect::<Vec<R>>()
    };
    DVector::from_vec(all.into_iter().enumerate().flat_map(components).collect())
}

/// The shortest x that leaves least of `matrix x = right`, the columns of unit length.
fn least_squares(matrix: DMatrix<f64>, right: &DVector<f64>) -> Option<DVector<f64>> {
    if matrix.ncols() == 0 {
        return Some(DVector::zeros(0));
    }
    if !matrix.iter().chain(right.iter()).all(|entry| entry.is_finite()) {
        return None;
    }
    let most = MOST_ITERATIONS * (matrix.nrows() + matrix.ncols());
    let svd = SVD::try_new(matrix, true, true, f64::EPSILON, most)?;
    let cut = REDUNDANT * svd.singular_values.max();
    svd.solve(right, cut).ok()
}

/// Lets every stop act as the spring that it is when it is touched, unwound at this posture: an end
/// of it is moved there.
fn touch_stops(model: &Model, parameters: &mut [f64], at: &Posture) {
    let joints = model.held_now(&|p| parameters[p], &at.memory);
    let touched = model.mechanism.forces.iter().enumerate().filter(|(_, force)| force.card.is_touched);
    for (k, force) in touched {
        let first = position(&model.numbers, NumberOwner::Force, k);
        let (Some(of), Some(first)) = (force.coordinate(), first) else { continue };
        let s = joints.coordinate(of, &at.motions).violation;
        let end = |name: &str| {
            let key = force.card.numbers.iter().position(|key| key.name == name)?;
            force.number(name).is_finite().then_some(model.first.numbers + first + key)
        };
        match (end("low"), end("high")) {
            (Some(low), _) => parameters[low] = s.next_up(),
            (None, Some(high)) => parameters[high] = s.next_down(),
            (None, None) => {}
        }
    }
}
