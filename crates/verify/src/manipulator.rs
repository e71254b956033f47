//! PCD90's plane manipulator by its implicit formula, (8)-(13): iterations that a step takes with
//! Baumgarte's and with staggered multipliers (VI.A, fig. 2).
//!
//! Three links in the plane, `u` the place and the angle of each. The trapezoidal rule (9),
//! delta = h/2:
//!
//! ```text
//! u = delta u' + h_u ;  u' = delta u'' + h_u' ;  h_u = u0 + delta u0' ;  h_u' = u0' + delta u0''
//! M u + delta² B^T lam = M h + delta² Q ,   h = h_u + delta h_u'                   (10), first row
//! Baumgarte   lam = mu^-1 (B M^-1 Q + Bdot u' + 2 alpha Phi' + alpha² Phi)              (12), (20)
//! staggered   (eps I + delta² mu) lam = eps h_lam + delta B (delta M^-1 Q + h_u') ,
//!             h_lam = lam0 + delta lam0'                                                     (32)
//! ```
//!
//! An iteration takes B, Q, Phi and their rates where the last one came to and solves for `u` and
//! `lam`, as (11)-(13) are printed, or is Newton's with the derivatives of all this. It ends when
//! no coordinate changes by more than the accuracy (m or rad). The report prints neither step nor
//! masses, springs, alpha, eps or what it compares with the accuracy: these are ours.
//!
//! A lock is one more row from the step on that passes its angle, and takes the velocity against it
//! at once. Rows of hinges and locks stay independent at the straight position; with the tip
//! stopped as well (two more rows) they do not.

use nalgebra::{DMatrix, DVector, Matrix2x1};

use super::Failure;
use polhode::describe::Coordinate;
use polhode::study::yardsticks::manipulator;

/// The treatment that gives the multipliers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MultiplierForm {
    /// alpha (1/s).
    Baumgarte { alpha: f64 },
    /// eps (m/N).
    Staggered { eps: f64 },
}

/// The iteration that solves a step's equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iteration {
    /// (11)-(13), again and again.
    Printed,
    /// With the Jacobian of these, by differences.
    Newton,
}

/// Half the span of a difference (m or rad).
const REACH: f64 = 1e-6;

/// Three links and where they are.
#[derive(Clone, Debug)]
pub struct Links {
    mass: DVector<f64>,
    stiffness: f64,
    rest: [f64; 3],
    force: f64,
    /// Caught locks, by joint.
    pub locked: [bool; 3],
    /// The tip is held as well once all locks have caught.
    stops: bool,
    pub u: DVector<f64>,
    pub rate: DVector<f64>,
    acceleration: DVector<f64>,
    multipliers: DVector<f64>,
    multiplier_rates: DVector<f64>,
}

/// The constraint rows at one instant.
struct Rows {
    b: DMatrix<f64>,
    violation: DVector<f64>,
    /// `Bdot u'`
    bias: DVector<f64>,
}

/// The positions and multipliers that an iteration returns.
struct Iterate {
    u: DVector<f64>,
    multipliers: DVector<f64>,
}

impl Links {
    /// The manipulator of [`manipulator`] at rest. `stops`: its tip is stopped where all is
    /// straight.
    pub fn new(stops: bool) -> Result<Links, Failure> {
        let described = manipulator();
        let mut mass = DVector::zeros(9);
        let mut u = DVector::zeros(9);
        let mut angle = 0.0;
        let mut rest = [0.0; 3];
        for (k, body) in described.bodies.iter().enumerate() {
            let start = described.joints[k].initial.as_ref().ok_or(Failure::Missing("a joint's angle"))?;
            rest[k] = start.of(Coordinate::Angle).numbers[0];
            angle += rest[k];
            mass.rows_mut(3 * k, 3).copy_from_slice(&[body.mass, body.mass, body.inertia[2][2]]);
            let [x, y, _] = body.initial.position;
            u.rows_mut(3 * k, 3).copy_from_slice(&[x, y, angle]);
        }
        let coil = described.forces.first().ok_or(Failure::Missing("a coil spring"))?;
        let mut links = Links {
            mass,
            stiffness: coil.numbers[0],
            rest,
            force: described.loads[0].pieces[0].value[0],
            locked: [false; 3],
            stops,
            u,
            rate: DVector::zeros(9),
            acceleration: DVector::zeros(9),
            multipliers: DVector::zeros(0),
            multiplier_rates: DVector::zeros(0),
        };
        links.begin();
        Ok(links)
    }

    /// An angle of a joint (rad).
    pub fn angle(&self, joint: usize) -> f64 {
        self.u[3 * joint + 2] - if joint > 0 { self.u[3 * joint - 1] } else { 0.0 }
    }

    fn rows(&self, u: &DVector<f64>, rate: &DVector<f64>) -> Rows {
        let stopped = self.stops && self.locked.iter().all(|locked| *locked);
        let locks: Vec<usize> = (0..3).filter(|k| self.locked[*k]).collect();
        let count = 6 + locks.len() + if stopped { 2 } else { 0 };
        let mut rows = Rows {
            b: DMatrix::zeros(count, 9),
            violation: DVector::zeros(count),
            bias: DVector::zeros(count),
        };
        // Adds sign (r_k + side/2 e_k) to two rows.
        let mut point = |row: usize, k: usize, side: f64, sign: f64| {
            let (sin, cos) = u[3 * k + 2].sin_cos();
            let (half, turning) = (0.5 * side * sign, rate[3 * k + 2]);
            for (c, (along, across)) in [(cos, -sin), (sin, cos)].into_iter().enumerate() {
                rows.b[(row + c, 3 * k + c)] += sign;
                rows.b[(row + c, 3 * k + 2)] += half * across;
                rows.violation[row + c] += sign * u[3 * k + c] + half * along;
                rows.bias[row + c] -= half * along * turning * turning;
            }
        };
        for k in 0..3 {
            point(2 * k, k, -1.0, 1.0);
            if k > 0 {
                point(2 * k, k - 1, 1.0, -1.0);
            }
        }
        if stopped {
            point(count - 2, 2, 1.0, 1.0);
            rows.violation[count - 2] -= 3.0;
        }
        for (row, k) in (6..).zip(locks) {
            rows.b[(row, 3 * k + 2)] = 1.0;
            rows.violation[row] = u[3 * k + 2];
            if k > 0 {
                rows.b[(row, 3 * k - 1)] = -1.0;
                rows.violation[row] -= u[3 * k - 1];
            }
        }
        rows
    }

    fn forces(&self, u: &DVector<f64>) -> DVector<f64> {
        let mut q = DVector::zeros(9);
        for k in 0..3 {
            let before = if k > 0 { u[3 * k - 1] } else { 0.0 };
            let torque = -self.stiffness * (u[3 * k + 2] - before - self.rest[k]);
            q[3 * k + 2] += torque;
            if k > 0 {
                q[3 * k - 1] -= torque;
            }
        }
        q[6] += self.force;
        q[8] -= 0.5 * u[8].sin() * self.force;
        q
    }

    /// M^-1 x
    fn light(&self, x: &DVector<f64>) -> DVector<f64> {
        x.component_div(&self.mass)
    }

    fn mobility(&self) -> DMatrix<f64> {
        DMatrix::from_diagonal(&self.mass.map(|m| 1.0 / m))
    }

    /// The condition of `mu = B M^-1 B^T` where they are.
    pub fn condition(&self) -> f64 {
        let b = self.rows(&self.u, &self.rate).b;
        let values = (&b * self.mobility() * b.transpose()).singular_values();
        values.max() / values.min()
    }

    /// Multipliers without a history, by singular values; accelerations with them.
    fn begin(&mut self) {
        let Rows { b, bias, .. } = self.rows(&self.u, &self.rate);
        let mobility = self.mobility();
        let mu = &b * &mobility * b.transpose();
        let q = self.forces(&self.u);
        let wanted = &b * self.light(&q) + bias;
        self.multipliers = pseudo_solve(mu, &wanted);
        self.acceleration = self.light(&(q - b.transpose() * &self.multipliers));
        self.multiplier_rates = DVector::zeros(self.multipliers.len());
    }

    /// Returns the iterate that follows `u` by (11)-(13); `None`: the multipliers' matrix is
    /// singular.
    fn printed(&self, u: &DVector<f64>, form: MultiplierForm, h: f64) -> Option<Iterate> {
        let delta = 0.5 * h;
        let of_u = &self.u + &self.rate * delta;
        let of_rate = &self.rate + &self.acceleration * delta;
        let rate = (u - &of_u) / delta;
        let Rows { b, violation, bias } = self.rows(u, &rate);
        let q = self.forces(u);
        let mu = &b * self.mobility() * b.transpose();
        let multipliers = match form {
            MultiplierForm::Baumgarte { alpha } => {
                let drawn = &b * &rate * (2.0 * alpha) + violation * (alpha * alpha);
                mu.lu().solve(&(&b * self.light(&q) + bias + drawn))?
            }
            MultiplierForm::Staggered { eps } => {
                let of_multipliers = &self.multipliers + &self.multiplier_rates * delta;
                let right = of_multipliers * eps + &b * (self.light(&q) * delta + of_rate.clone()) * delta;
                let matrix = DMatrix::identity(mu.nrows(), mu.nrows()) * eps + mu * (delta * delta);
                matrix.lu().solve(&right)?
            }
        };
        let pushed = self.light(&(q - b.transpose() * &multipliers));
        Some(Iterate { u: of_u + of_rate * delta + pushed * (delta * delta), multipliers })
    }

    /// One step; how many iterations it took to this accuracy. `None`: not so many as `most`
    /// sufficed. The step then goes on from the last iterate that was finite, and from the start if
    /// none was.
    pub fn step(
        &mut self,
        form: MultiplierForm,
        iteration: Iteration,
        h: f64,
        accuracy: f64,
        most: usize,
    ) -> Option<usize> {
        let delta = 0.5 * h;
        let mut u = self.u.clone();
        let mut taken = None;
        for count in 1..=most {
            let Some(found) = self.printed(&u, form, h) else { break };
            let residual = &found.u - &u;
            let change = match iteration {
                Iteration::Printed => Some(residual),
                Iteration::Newton => self.newton(&u, &residual, form, h),
            };
            let Some(change) = change.filter(|change| change.iter().all(|x| x.is_finite())) else { break };
            u += &change;
            if change.amax() <= accuracy {
                taken = Some(count);
                break;
            }
        }
        let multipliers = self.printed(&u, form, h).map(|found| found.multipliers);
        let sound = |multipliers: &DVector<f64>| multipliers.iter().all(|x| x.is_finite());
        let multipliers = multipliers.filter(sound)?;
        let rate = (&u - &self.u) / delta - &self.rate;
        self.acceleration = (&rate - &self.rate) / delta - &self.acceleration;
        self.multiplier_rates = (&multipliers - &self.multipliers) / delta - &self.multiplier_rates;
        (self.u, self.rate, self.multipliers) = (u, rate, multipliers);
        taken
    }

    fn newton(
        &self,
        u: &DVector<f64>,
        residual: &DVector<f64>,
        form: MultiplierForm,
        h: f64,
    ) -> Option<DVector<f64>> {
        let moved = |k: usize, by: f64| {
            let mut moved = u.clone();
            moved[k] += by;
            Some(self.printed(&moved, form, h)?.u - moved)
        };
        let column = |k: usize| Some((moved(k, -REACH)? - moved(k, REACH)?) / (2.0 * REACH));
        let columns: Option<Vec<DVector<f64>>> = (0..u.len()).map(column).collect();
        DMatrix::from_columns(&columns?).lu().solve(residual)
    }

    /// After a step from these angles: locks that were passed catch, and take the velocity against
    /// them.
    pub fn catch(&mut self, before: [f64; 3]) -> bool {
        let passed: Vec<usize> =
            (0..3).filter(|k| !self.locked[*k] && before[*k] * self.angle(*k) <= 0.0).collect();
        for k in &passed {
            self.locked[*k] = true;
        }
        if passed.is_empty() {
            return false;
        }
        let Rows { b, .. } = self.rows(&self.u, &self.rate);
        let back = self.mobility() * b.transpose();
        let multipliers = pseudo_solve(&b * &back, &(&b * &self.rate));
        self.rate -= back * multipliers;
        self.begin();
        true
    }

    /// The ends of the links, from the wall to the tip (m).
    pub fn joints(&self) -> Vec<(f64, f64)> {
        let end = |k: usize, side: f64| {
            let half = Matrix2x1::new(self.u[3 * k + 2].cos(), self.u[3 * k + 2].sin()) * (0.5 * side);
            (self.u[3 * k] + half[0], self.u[3 * k + 1] + half[1])
        };
        std::iter::once(end(0, -1.0)).chain((0..3).map(|k| end(k, 1.0))).collect()
    }
}

/// `x` of least norm with `a x = b`.
fn pseudo_solve(a: DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    let least = 1e-10 * a.amax();
    a.svd(true, true).solve(b, least).unwrap_or_else(|_| DVector::repeat(b.len(), f64::NAN))
}

/// A run: iterations of every step with its time, until `end` (s).
pub struct Counted {
    /// Time (s) and iterations; `None`: the step failed.
    pub steps: Vec<(f64, Option<usize>)>,
    /// When locks caught (s).
    pub caught: Vec<f64>,
    /// Largest condition of mu.
    pub condition: f64,
}

/// The settings of a run.
#[derive(Clone, Copy, Debug)]
pub struct SetUp {
    pub form: MultiplierForm,
    pub iteration: Iteration,
    /// (s)
    pub h: f64,
    /// (m or rad)
    pub accuracy: f64,
    pub most: usize,
    pub stops: bool,
}

pub fn count(set_up: SetUp, end: f64) -> Result<Counted, Failure> {
    let SetUp { form, iteration, h, accuracy, most, stops } = set_up;
    let mut links = Links::new(stops)?;
    let mut counted = Counted { steps: Vec::new(), caught: Vec::new(), condition: 0.0 };
    for k in 1..=(end / h).round() as u64 {
        let before = [0, 1, 2].map(|joint| links.angle(joint));
        let taken = links.step(form, iteration, h, accuracy, most);
        let time = k as f64 * h;
        counted.steps.push((time, taken));
        if links.catch(before) {
            counted.caught.push(time);
        }
        counted.condition = counted.condition.max(links.condition());
        if taken.is_none() && !links.u.iter().all(|x| x.abs() < 100.0) {
            break;
        }
    }
    Ok(counted)
}

impl Counted {
    /// Mean iterations a step between these times (s), a failed step counted as `most`.
    pub fn mean(&self, most: usize) -> f64 {
        let sum: usize = self.steps.iter().map(|(_, taken)| taken.unwrap_or(most)).sum();
        sum as f64 / self.steps.len() as f64
    }

    pub fn failed(&self) -> f64 {
        self.steps.iter().filter(|(_, taken)| taken.is_none()).count() as f64
    }

    pub fn largest(&self) -> f64 {
        self.steps.iter().filter_map(|(_, taken)| *taken).max().unwrap_or(0) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both forms and both iterations have one motion, of second order, and its energy.
    #[test]
    fn all_forms_have_one_motion() {
        let at = |form, iteration, h: f64| {
            let mut links = Links::new(false).unwrap();
            for _ in 0..(0.3 / h).round() as u64 {
                assert!(links.step(form, iteration, h, 1e-11, 60).is_some());
            }
            links
        };
        let baumgarte = MultiplierForm::Baumgarte { alpha: 5.0 };
        let staggered = MultiplierForm::Staggered { eps: 1e-8 };
        let fine = at(baumgarte, Iteration::Newton, 5e-4);
        let off = |links: &Links| (&links.u - &fine.u).amax();
        for form in [baumgarte, staggered] {
            let printed = at(form, Iteration::Printed, 2e-3);
            let newton = at(form, Iteration::Newton, 2e-3);
            assert!((&printed.u - &newton.u).amax() < 1e-8, "{form:?}");
            let (coarse, half) = (off(&newton), off(&at(form, Iteration::Newton, 4e-3)));
            assert!(coarse < 1e-4, "{form:?}: {coarse:e}");
            assert!((half / coarse - 4.0).abs() < 1.0, "{form:?}: {half:e} {coarse:e}");
        }
        let energy = |links: &Links| {
            let kinetic = 0.5 * links.rate.component_mul(&links.mass).dot(&links.rate);
            let coils: f64 = (0..3).map(|k| 0.5 * (links.angle(k) - links.rest[k]).powi(2)).sum();
            kinetic + links.stiffness * coils - links.force * links.joints()[3].0
        };
        assert!((energy(&fine) - energy(&Links::new(false).unwrap())).abs() < 1e-4);
    }
}
