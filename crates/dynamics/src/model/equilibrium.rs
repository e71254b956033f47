//! The equilibrium of an instance near its start, at rest or in steady rotation: what remains of
//! all forces along the directions that joints leave free is zero.
//!
//! ```text
//! f(x) = N^T M G(x) = 0,    x <- close(x + U dy),  (J^T J + mu 1) dy = -J^T f,   J = N^T M dG/dx U
//! ```
//!
//! in the terms of `steady_state`, U the free displacements and the states of laws. This is
//! Newton's method where mu is 0, as it is while every step makes |f| smaller; where one does not,
//! mu damps it (K. Levenberg, Quarterly of Applied Mathematics 2 (1944) 164-168; D. W. Marquardt,
//! SIAM Journal 11 (1963) 431-441). Directions with neither stiffness nor load, such as a turn
//! about an axis that nothing resists, are left as they are. The search ends at unstable equilibria
//! as well as at stable ones.
//!
//! Where that leads nowhere, as of a slender beam that falls from level, whose stiffest forces
//! drown the others in |f|, what accelerates the mechanism at its start is let go by parts instead:
//!
//! ```text
//! N^T M (G(x) - (1 - s) G(x0)) = 0,    s = 0 .. 1
//! ```
//!
//! by Newton's steps from the solution of the part before, which may make |f| larger on their way.
//! Where a part has no solution, the mechanism creeps down from its start, by implicit steps of
//! `ydot = f` that grow as the forces fall (pseudo-transient continuation: C. T. Kelley, D. E.
//! Keyes, SIAM Journal on Numerical Analysis 35 (1998) 508-523):
//!
//! ```text
//! (J - c N^T M U) dy = -f,    c <- c |f_new| / |f|
//! ```
//!
//! Where a stable equilibrium is looked for, c stays above twice the rate at which the steepest
//! displacement grows: a smaller one would lead uphill, to the equilibrium from which the mechanism
//! creeps away. There Newton's method solves each implicit step, of which the one above is the
//! first iteration.

use nalgebra::{DVector, SVD};

use super::steady_state::{NotSteady, Posture, Residual, SteadyInstance};
use crate::base::quantity;
use crate::math::symmetric::symmetric_eigen;

/// Largest turn (rad) of one step and, as a share of the mechanism's size, displacement of the
/// first one: while steps lead on, the next may be twice as long.
const LONGEST_STEP: f64 = 0.5;
const WIDENED: f64 = 2.0;
/// Other starts from which an equilibrium is looked for before there is said to be none, and how
/// far they are (rad, or of the size).
const OTHER_STARTS: u64 = 4;
const OTHERWISE: f64 = 0.4;
/// Singular values of J below this share of the largest are no stiffness: some hundred roundings.
const NO_STIFFNESS: f64 = 1e-13;
/// A step this small, as a share of the extent, is the last: the next would be its square.
const CONVERGED: f64 = 1e-9;
/// A step this small is rounding if |f| falls no more.
const ROUNDED: f64 = 1e-6;
/// The first part of what accelerates the mechanism, the least one, and the most steps for each.
const FIRST_PART: f64 = 0.25;
const LEAST_PART: f64 = 1.0 / 128.0;
const MOST_OF_PART: usize = 20;
/// A creep that moves by less is left to Newton's method.
const CREPT: f64 = 1e-4;
/// Rounding may leave this much of f where nothing resists, as a share of the largest stiffness
/// times the extent and the distance from the origin, of the largest f and of the loads.
const ROUNDING: f64 = 1e-14;
/// Shares of the largest stiffness squared: the first damping, and that beyond which the search has
/// ended in a dead end.
const FIRST_DAMPING: f64 = 1e-6;
const MOST_DAMPING: f64 = 1e10;
const MOST_STEPS: usize = 100;
/// Largest number of steps of the creep, and the share of the mechanism's size that its first steps
/// move.
const MOST_CREEPS: usize = 400;
const CREEP: f64 = 0.1;
/// Rises of c where an implicit step is not found, at most, and the factor of each.
const MOST_SLOWED: usize = 8;
const SLOWED: f64 = 4.0;
/// By how much c is above the fastest growth, at least, and the share of the stiffest above which a
/// growth is none of rounding.
const ABOVE_GROWTH: f64 = 2.0;
const GROWS: f64 = 3e-13;
/// Displacement (rad, or of the size) out of an unstable equilibrium, and how often.
const NUDGE: f64 = 1e-3;
const MOST_NUDGES: usize = 4;
/// Largest number of times that the mechanism is moved where a load pulls it and nothing resists.
const MOST_PUSHES: usize = 8;
/// Iterations of a decomposition for each row, of which two are usual.
const MOST_ITERATIONS: usize = 100;

/// Where the search has come to.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    pub posture: Posture,
    /// Steps of Newton's method.
    pub steps: usize,
    /// Remaining acceleration, root mean square weighed by masses (m/s²; of turns by the radius of
    /// gyration).
    pub residual: f64,
    /// Distance from the start: root mean square displacement as a share of the mechanism's extent.
    pub moved: f64,
}

/// Why no equilibrium was found.
#[derive(Clone, Debug, PartialEq)]
pub enum NoEquilibrium {
    /// The start is not steady, or the search has left what can be computed.
    NotSteady(NotSteady),
    /// Nothing resists what accelerates the mechanism, by so much: root mean square (m/s²), most of
    /// it at this body.
    Unresisted { acceleration: f64, body: usize },
    /// No step makes the remaining acceleration smaller, root mean square (m/s²), most of it at
    /// this body.
    DeadEnd { acceleration: f64, body: usize },
    /// This acceleration remains after the largest number of steps, or after all other ways have
    /// failed: root mean square (m/s²), most of it at this body.
    NotConverged { acceleration: f64, body: usize },
}

impl NoEquilibrium {
    /// In words; `names`: of the bodies.
    pub fn sentence(&self, names: &[&str]) -> String {
        let name = |body: usize| names.get(body).copied().unwrap_or("?").to_string();
        let left = |acceleration: f64| quantity(acceleration, 4, "m/s²");
        match self {
            NoEquilibrium::NotSteady(why) => why.to_string(),
            NoEquilibrium::Unresisted { acceleration, body } => format!(
                "no equilibrium near the start: it accelerates by {}, most at `{}`, in a direction that \
                 nothing resists",
                left(*acceleration),
                name(*body)
            ),
            NoEquilibrium::DeadEnd { acceleration, body } => format!(
                "the search for an equilibrium has come to a dead end, where {} are left, most at `{}`: \
                 start nearer to it",
                left(*acceleration),
                name(*body)
            ),
            NoEquilibrium::NotConverged { acceleration, body } => format!(
                "no equilibrium was found, {} are left, most at `{}`: start nearer to it",
                left(*acceleration),
                name(*body)
            ),
        }
    }
}

impl From<NotSteady> for NoEquilibrium {
    fn from(why: NotSteady) -> NoEquilibrium {
        NoEquilibrium::NotSteady(why)
    }
}

impl SteadyInstance<'_> {
    /// The equilibrium near this posture.
    ///
    /// # Errors
    /// There is none, or it is not found.
    pub fn equilibrium(&self, start: &Posture) -> Result<Equilibrium, NoEquilibrium> {
        let start = self.closed(start.clone())?;
        let failed = match self.by_newton(&start, &start, 0) {
            Err(
                NoEquilibrium::DeadEnd { acceleration, body }
                | NoEquilibrium::NotConverged { acceleration, body },
            ) => NoEquilibrium::NotConverged { acceleration, body },
            // There may be something to lean on further away.
            Err(unresisted @ NoEquilibrium::Unresisted { .. }) => unresisted,
            found => return found,
        };
        let ended = |(near, steps): (Posture, usize)| self.by_newton(&start, &near, MOST_STEPS + steps).ok();
        let slowly = self.let_go(&start).and_then(ended);
        if let Some(found) = slowly.or_else(|| self.crept(&start, false).and_then(ended)) {
            return Ok(found);
        }
        let others =
            (0..OTHER_STARTS).filter_map(|way| self.closed(self.aside(&start, way, OTHERWISE)?).ok());
        others.filter_map(|near| self.by_newton(&start, &near, MOST_STEPS).ok()).next().ok_or(failed)
    }

    /// The equilibrium to which the mechanism creeps from this posture.
    ///
    /// # Errors
    /// It does not come to rest, or joints with rolling contacts leave no way to creep.
    pub fn equilibrium_by_creeping(&self, start: &Posture) -> Result<Equilibrium, NoEquilibrium> {
        let start = self.closed(start.clone())?;
        let (mut from, mut before) = (start.clone(), 0);
        for nudges in 0.. {
            let ended = |(near, steps): (Posture, usize)| self.by_newton(&start, &near, before + steps);
            let found = match self.crept(&from, true).map(ended) {
                Some(Ok(found)) => found,
                failed => match self.let_go(&from).map(ended).or(failed) {
                    Some(found) => found?,
                    None => break,
                },
            };
            let Some((_, out)) =
                self.growth(&self.residual(&found.posture)?).filter(|_| nudges < MOST_NUDGES)
            else {
                return Ok(found);
            };
            // It stands on a crest: either side is as good.
            let step = &out * (NUDGE / self.longest_part(&out, self.size(&found.posture)));
            from = self.closed(self.moved(&found.posture, &step))?;
            before = found.steps;
        }
        let residual = self.residual(&from)?;
        let (acceleration, body) = (self.root_mean_square(&residual.value), self.most_at(&from));
        Err(NoEquilibrium::NotConverged { acceleration, body })
    }

    /// The displacement that grows most as the mechanism creeps, states of laws aside, and its rate
    /// (1/s²); `None`: none grows.
    fn growth(&self, residual: &Residual) -> Option<(f64, DVector<f64>)> {
        let Residual { derivative, metric, unknowns, .. } = residual;
        let places = unknowns.ncols() - self.states().iter().filter(|is| **is).count();
        let (metric, derivative) = (metric.columns(0, places), derivative.columns(0, places));
        let stiffness = metric.tr_mul(&derivative);
        let eigen = symmetric_eigen((&stiffness + stiffness.transpose()) / 2.0)?;
        let size = eigen.eigenvalues.amax();
        let (at, fastest) =
            eigen.eigenvalues.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let out = || unknowns.columns(0, places) * eigen.eigenvectors.column(at);
        (fastest > GROWS * size).then(|| (fastest, out()))
    }

    /// Where the mechanism creeps from its start, and the steps that it took; `None`: it does not
    /// come to rest. `descends`: no step leads uphill, to an unstable equilibrium.
    fn crept(&self, start: &Posture, descends: bool) -> Option<(Posture, usize)> {
        let mut posture = start.clone();
        let mut residual = self.residual(&posture).ok()?;
        let extent = self.extent(&posture);
        let reach = self.size(&posture);
        // A step by this c moves by a share of the size.
        let of_length =
            |residual: &Residual| residual.value.norm() / (CREEP * reach * self.total_mass().sqrt());
        let mut slowness = of_length(&residual);
        if slowness == 0.0 {
            return Some((posture, 0));
        }
        for steps in 0..MOST_CREEPS {
            let Residual { value, derivative, metric, unknowns, .. } = &residual;
            if !derivative.is_square() {
                return None;
            }
            let size = if descends {
                // Forces rise on the way out of a crest: that is no reason for shorter steps.
                if let Some((growth, _)) = self.growth(&residual) {
                    slowness = of_length(&residual).max(ABOVE_GROWTH * growth);
                }
                let mut tries = 0;
                let (there, moved) = loop {
                    match self.crept_by(&posture, &residual, slowness) {
                        None if tries < MOST_SLOWED => (tries, slowness) = (tries + 1, SLOWED * slowness),
                        found => break found?,
                    }
                };
                posture = there;
                self.share_of_extent(&posture, &moved, extent)
            } else {
                let step = unknowns * (derivative - metric * slowness).lu().solve(&-value)?;
                let size = self.share_of_extent(&posture, &step, extent);
                let (step, _) = self.limited(step, reach);
                posture = self.closed(self.moved(&posture, &step)).ok()?;
                size
            };
            let next = self.residual(&posture).ok()?;
            // Stiff forces may rise for a step, and fall by much in the next.
            let fall = (next.value.norm() / value.norm()).clamp(0.1, 3.0);
            slowness = if fall.is_finite() { slowness * fall } else { return None };
            residual = next;
            // The first step of a descent may be short by what is stiff alone.
            if size <= CREPT && steps >= usize::from(descends) {
                return Some((posture, steps + 1));
            }
        }
        None
    }

    /// Where an implicit step of the creep ends, `f(x) = c N^T M (x - from)`, and by how much it
    /// moves; `None`: Newton's method does not find it. A single step of that method would stretch
    /// slender parts as they turn, and the next one would draw them back. `residual`: at the start.
    fn crept_by(
        &self,
        from: &Posture,
        residual: &Residual,
        slowness: f64,
    ) -> Option<(Posture, DVector<f64>)> {
        let (reach, extent) = (self.size(from), self.extent(from));
        let (mut posture, mut moved) = (from.clone(), DVector::zeros(self.width()));
        let mut there: Option<Residual> = None;
        for _ in 0..MOST_OF_PART {
            let Residual { value, derivative, metric, unknowns, coordinates, .. } =
                there.as_ref().unwrap_or(residual);
            let rest = coordinates * &moved * slowness - value;
            let step = unknowns * (derivative - metric * slowness).lu().solve(&rest)?;
            let size = self.share_of_extent(&posture, &step, extent);
            let (step, _) = self.limited(step, reach);
            posture = self.closed(self.moved(&posture, &step)).ok()?;
            moved += step;
            if size <= CREPT / 10.0 {
                return Some((posture, moved));
            }
            there = Some(self.residual(&posture).ok()?);
        }
        None
    }

    /// Where the mechanism comes as all that accelerates it at its start is let go, and the steps
    /// that this took; `None`: a part of it has no solution near the one before.
    fn let_go(&self, start: &Posture) -> Option<(Posture, usize)> {
        let at_start = self.excess(start);
        let (mut posture, mut steps, mut reached, mut part) = (start.clone(), 0, 0.0, FIRST_PART);
        while reached < 1.0 {
            let next = f64::min(reached + part, 1.0);
            let (there, taken) = self.balanced(&posture, &(&at_start * (1.0 - next)));
            steps += taken;
            match there {
                Some(there) => (posture, reached, part) = (there, next, 2.0 * part),
                None => part /= 4.0,
            }
            if part < LEAST_PART {
                return None;
            }
        }
        Some((posture, steps))
    }

    /// The posture near this one in which the mechanism accelerates as given, and the steps taken.
    fn balanced(&self, near: &Posture, acceleration: &DVector<f64>) -> (Option<Posture>, usize) {
        let (reach, extent) = (self.size(near), self.extent(near));
        let mut posture = near.clone();
        let mut before = f64::INFINITY;
        for steps in 0..MOST_OF_PART {
            let step = self.step_towards(&posture, acceleration);
            let Some(step) = step else { return (None, steps) };
            let size = self.share_of_extent(&posture, &step, extent);
            let (step, _) = self.limited(step, reach);
            match self.closed(self.moved(&posture, &step)) {
                Ok(there) => posture = there,
                Err(_) => return (None, steps),
            }
            if size <= CONVERGED || size <= ROUNDED && size > 0.5 * before {
                return (Some(posture), steps + 1);
            }
            before = size;
        }
        (None, MOST_OF_PART)
    }

    /// Newton's step towards this acceleration; `None`: there is none.
    fn step_towards(&self, posture: &Posture, acceleration: &DVector<f64>) -> Option<DVector<f64>> {
        let Residual { value, derivative, coordinates, unknowns, .. } = self.residual(posture).ok()?;
        let most = MOST_ITERATIONS * (derivative.nrows() + derivative.ncols() + 1);
        let svd = SVD::try_new(derivative, true, true, f64::EPSILON, most)?;
        let least = NO_STIFFNESS * svd.singular_values.max();
        let step = unknowns * svd.solve(&(coordinates * acceleration - value), least).ok()?;
        step.iter().all(|x| x.is_finite()).then_some(step)
    }

    /// Newton's method from `near`; distances are from `start`, after so many steps.
    fn by_newton(
        &self,
        start: &Posture,
        near: &Posture,
        before: usize,
    ) -> Result<Equilibrium, NoEquilibrium> {
        let mut posture = near.clone();
        let mut residual = self.residual(&posture)?;
        let mut largest = residual.value.norm();
        // As a share of the largest stiffness squared.
        let mut damping = 0.0;
        let mut pushed = 0;
        let mut reach = self.size(near);
        for steps in 0..MOST_STEPS {
            let Residual { value, derivative, unknowns, along: along_velocities, .. } = &residual;
            let extent = self.extent(&posture);
            let most = MOST_ITERATIONS * (derivative.nrows() + derivative.ncols() + 1);
            if derivative.is_empty() {
                return self.ended(start, posture, before + steps, value);
            }
            let svd = SVD::try_new(derivative.clone(), true, true, f64::EPSILON, most);
            let svd = svd.ok_or(NotSteady::NotFinite)?;
            let (u, vt) = (svd.u.ok_or(NotSteady::NotFinite)?, svd.v_t.ok_or(NotSteady::NotFinite)?);
            let stiffest = svd.singular_values.max();
            let along = u.tr_mul(value);
            let resists = |k: usize| svd.singular_values[k] > NO_STIFFNESS * stiffest;
            let unresisted = {
                let resisted = DVector::from_fn(along.len(), |k, _| if resists(k) { along[k] } else { 0.0 });
                value - &u * resisted
            };
            let reach_of_rounding = extent + self.rounded_reach(&posture);
            let loads = largest + self.loads_scale(reach_of_rounding);
            let rounding = ROUNDING * (stiffest * reach_of_rounding + loads);
            let step_with = |damping: f64| {
                let mu = damping * stiffest * stiffest;
                let part = |k: usize| {
                    let s = svd.singular_values[k];
                    if resists(k) { -along[k] * s / (s * s + mu) } else { 0.0 }
                };
                unknowns * vt.tr_mul(&DVector::from_fn(along.len(), |k, _| part(k)))
            };
            let newton = step_with(0.0);
            let size = self.share_of_extent(&posture, &newton, extent);
            if size <= CONVERGED {
                if unresisted.norm() > rounding {
                    if pushed < MOST_PUSHES {
                        // A pendulum that starts level has a load and no stiffness: elsewhere it
                        // may have one.
                        pushed += 1;
                        let push = along_velocities * &unresisted;
                        let push = &push * (LONGEST_STEP / 2.0 / self.longest_part(&push, reach));
                        posture = self.closed(self.moved(&posture, &push))?;
                        residual = self.residual(&posture)?;
                        damping = 0.0;
                        continue;
                    }
                    return Err(NoEquilibrium::Unresisted {
                        acceleration: self.root_mean_square(&unresisted),
                        body: self.most_at(&posture),
                    });
                }
                // The last step costs nothing but its own rounding.
                let last = self.closed(self.moved(&posture, &newton))?;
                let value = self.residual(&last)?.value;
                let better = value.norm() <= residual.value.norm();
                let (posture, value) = if better { (last, value) } else { (posture, residual.value.clone()) };
                return self.ended(start, posture, before + steps + 1, &value);
            }
            let next = loop {
                let step = if damping == 0.0 { newton.clone() } else { step_with(damping) };
                let (step, is_limited) = self.limited(step, reach);
                let there = self.closed(self.moved(&posture, &step));
                let there = there.and_then(|there| Ok((self.residual(&there)?, there)));
                match there {
                    Ok((next, there)) if next.value.norm() < residual.value.norm() => {
                        damping = if damping <= FIRST_DAMPING { 0.0 } else { damping / 100.0 };
                        if is_limited {
                            reach *= WIDENED;
                        }
                        break Some((next, there));
                    }
                    _ if damping > MOST_DAMPING => break None,
                    _ => damping = if damping == 0.0 { FIRST_DAMPING } else { damping * 10.0 },
                }
            };
            let Some((next, there)) = next else {
                // Beside very stiff springs a soft one cannot be resolved further. Nothing resists
                // what accelerates a mechanism as a whole.
                let is_held = unresisted.norm() <= rounding.max(0.5 * residual.value.norm());
                if residual.value.norm() <= rounding || size <= ROUNDED && is_held {
                    let value = residual.value.clone();
                    return self.ended(start, posture, before + steps, &value);
                }
                let (acceleration, body) = (self.root_mean_square(&residual.value), self.most_at(&posture));
                return Err(NoEquilibrium::DeadEnd { acceleration, body });
            };
            (residual, posture) = (next, there);
            largest = largest.max(residual.value.norm());
        }
        let (acceleration, body) = (self.root_mean_square(&residual.value), self.most_at(&posture));
        Err(NoEquilibrium::NotConverged { acceleration, body })
    }

    fn ended(
        &self,
        start: &Posture,
        posture: Posture,
        steps: usize,
        value: &DVector<f64>,
    ) -> Result<Equilibrium, NoEquilibrium> {
        self.check(&posture)?;
        let (residual, moved) = (self.root_mean_square(value), self.distance(start, &posture));
        Ok(Equilibrium { posture, steps, residual, moved })
    }

    /// Accelerations along directions over the root of the mass.
    fn root_mean_square(&self, value: &DVector<f64>) -> f64 {
        value.norm() / self.total_mass().sqrt()
    }

    /// The body that has most of the acceleration.
    fn most_at(&self, posture: &Posture) -> usize {
        self.most_of(posture, &self.excess(posture)).unwrap_or(0)
    }

    /// The body that has most of such velocities or accelerations, weighed by masses.
    pub(super) fn most_of(&self, posture: &Posture, by: &DVector<f64>) -> Option<usize> {
        let energies = self.energies(posture, by.as_slice());
        energies.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map(|(body, _)| body)
    }

    /// A step that is not too long, and whether it was.
    fn limited(&self, step: DVector<f64>, reach: f64) -> (DVector<f64>, bool) {
        let longest = self.longest_part(&step, reach);
        if longest > LONGEST_STEP { (step * (LONGEST_STEP / longest), true) } else { (step, false) }
    }

    /// A displacement, weighed by masses, as a share of the extent.
    fn share_of_extent(&self, posture: &Posture, by: &DVector<f64>, extent: f64) -> f64 {
        let size = self.energies(posture, by.as_slice()).iter().sum::<f64>().max(0.0).sqrt();
        // A state of a law has no mass: it counts by its own size.
        let states = self.state_steps(posture, by);
        let share = if extent > 0.0 { size / extent } else { size };
        share.max(states)
    }

    /// The longest turn (rad) or displacement as a share of `size` (m).
    pub(super) fn longest_part(&self, by: &DVector<f64>, size: f64) -> f64 {
        let length = crate::math::vector::length;
        let longest = |part: &crate::kinematics::body::Velocities<f64>| {
            let place = length(part.v);
            length(part.w).max(if size > 0.0 { place / size } else { place })
        };
        self.by_body(by.as_slice()).iter().map(longest).fold(0.0, f64::max)
    }
}
