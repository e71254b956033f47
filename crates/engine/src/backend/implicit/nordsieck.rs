//! Gear's stiffly stable formulas for equations of second, first and no order together: W84, 1.8
//! and appendices A and B.
//!
//! ```text
//! z = (y, h y', h²/2 y'', .., h^q/q! y^(q)) ;   predicted by the triangle of Pascal
//! z + l e at the end of the step ;   l of (1 + x)(1 + x/2)..(1 + x/q), l1 = 1
//! F(t, y, y', y'') = 0 solved for e ;   G = l0 dF/dy + 1/h dF/dy' + 2 l2/h² dF/dy''
//! ```
//!
//! Second order: positions and modal coordinates. First order: attitudes with angular velocities,
//! (2.7.5), and states of laws. Of no order: the norm of a quaternion, and multipliers, whose
//! equations are the positions of the joints, (6.2.3).

use std::cell::RefCell;

use nalgebra::{DMatrix, DVector, Dyn, LU};

use super::{Course, MOST_STEPS, Rates, SHORTEST};
use crate::base::Verdict;
use crate::kinematics::body::Motion;
use crate::math::quaternion::{conjugate_vector, norm_squared};
use crate::model::all_channels;
use crate::model::system::{OpenRow, System};
use crate::real::{Dual, Real};

/// As the first step has it: y, y' and y'' are known at the start.
const LEAST_ORDER: usize = 2;
/// Beyond it the formulas are not stable.
const MOST_ORDER: usize = 6;
/// By order, what a formula of the second derivative leaves of the next difference:
/// `ln(1 - x)² = x² + x³ + 11/12 x⁴ + ...`
const OF_RATES: [f64; MOST_ORDER - LEAST_ORDER + 1] = [1.0, 11.0 / 12.0, 5.0 / 6.0, 137.0 / 180.0, 0.7];
/// Corrections of one step, and those by a matrix of an earlier step before it is made anew.
const MOST_CORRECTIONS: usize = 10;
const WITH_AN_OLD_MATRIX: usize = 4;
/// Steps that a matrix serves.
const MOST_SERVED: usize = 20;
/// The last correction is at most this part of the error that is allowed.
const CORRECTED: f64 = 0.05;
/// The rounding error of a position, as a part of its magnitude, or of 1 if that is larger: a
/// shorter step would make rates of it that are no error of the formulas.
const ROUNDING: f64 = 1e-15;
/// By what the steps of order q - 1, q and q + 1 are shorter than their errors allow.
const CAUTION: [f64; 3] = [1.3, 1.2, 1.4];
/// Growth below which a step stays as it is, and the most there is: an error that rounding hides
/// says nothing of ten times the step.
const WORTH: f64 = 1.1;
const MOST_GROWTH: f64 = 2.0;
/// Steps in a row that err too much, after which the order is the least one again.
const MOST_REFUSED: usize = 3;
/// Part of its diagonal that a joint yields by: rows that say the same are held apart.
const YIELDING: f64 = 1e-11;
/// Part of the shortest time of the motion over which rates are compared for their first change.
const APART: f64 = 1e-7;
/// Part of that time that the first step takes at least: rates are differences over it.
const SHORTEST_START: f64 = 1e-4;

/// One number of the motion that is solved for.
#[derive(Clone, Copy)]
struct Unknown {
    channel: usize,
    /// The channel of its rate, if its equation is of second order.
    velocity: Option<usize>,
    tested: Tested,
}

/// Whose error of an unknown counts.
#[derive(Clone, Copy, PartialEq)]
enum Tested {
    Nothing,
    Itself,
    /// With its rate: a position.
    Both,
}

/// The unknowns of one instance that are solved for.
struct Unknowns {
    of_motion: Vec<Unknown>,
    /// Where quaternions begin among them.
    attitudes: Vec<usize>,
    /// By row that is solved for, its entry of mu's diagonal.
    mobility: Vec<f64>,
}

impl Unknowns {
    fn new(course: &Course<'_>, mobility: Vec<f64>) -> Unknowns {
        let model = &course.plan.model;
        let numbers: Vec<usize> = (0..model.width()).collect();
        let carrier = model.mechanism().carrier();
        let (mut of_motion, mut attitudes) = (Vec::new(), Vec::new());
        let mut take = |channels: &[usize], velocities: Option<&[usize]>, tested: Tested| {
            let first = of_motion.len();
            let moving = channels.iter().enumerate().filter(|(_, channel)| course.plan.moving[**channel]);
            of_motion.extend(moving.map(|(place, channel)| Unknown {
                channel: *channel,
                velocity: velocities.map(|velocities| velocities[place]),
                tested,
            }));
            first
        };
        for (b, motion) in model.motions(&numbers).iter().enumerate() {
            let first = take(&motion.q, None, Tested::Both);
            // An angular velocity is the rate of the attitude.
            if take(&motion.w, None, Tested::Nothing) > first {
                attitudes.push(first);
            }
            take(&motion.r, Some(&motion.v), Tested::Both);
            let modal = &motion.modal;
            match carrier == Some(b) {
                true => {
                    take(&modal.amplitudes, None, Tested::Nothing);
                    take(&modal.rates, None, Tested::Itself);
                }
                false => {
                    take(&modal.amplitudes, Some(&modal.rates), Tested::Both);
                }
            }
        }
        Unknowns { of_motion, attitudes, mobility }
    }

    fn count(&self) -> usize {
        self.of_motion.len() + self.mobility.len()
    }
}

/// The unknowns with both derivatives, s^-1 and s^-2.
struct Jet<R> {
    y: Vec<R>,
    first: Vec<R>,
    second: Vec<R>,
}

/// Coefficients of order q at the step h.
#[derive(Clone, Copy, PartialEq)]
struct Formula {
    order: usize,
    h: f64,
}

impl Formula {
    /// `l`, of `prod (1 + x/k)`.
    fn corrections(self) -> Vec<f64> {
        let mut product = vec![1.0];
        for k in 1..=self.order {
            product.push(0.0);
            (1..product.len()).rev().for_each(|j| product[j] += product[j - 1] / k as f64);
        }
        product.iter().map(|x| x / product[1]).collect()
    }
}

/// The equations of an instance from `from` (steps) on, time counted in s from there.
struct Equations<'a> {
    rates: Rates<'a>,
    unknowns: Unknowns,
    from: f64,
    /// The output step (s).
    step: f64,
}

impl Equations<'_> {
    /// The channels of all rates at this state, with the multipliers that keep the joints'
    /// accelerations at zero.
    fn explicit(&self, t: f64, channels: &[f64]) -> Vec<f64> {
        let motions = self.turned(&self.rates.system, t, channels.to_vec(), |x| x);
        let system = self.rates.system.borrow();
        let none: Vec<Motion<f64>> = motions.iter().map(Motion::zeroed).collect();
        all_channels(&system.rate_add(1.0, 0, &motions, &none))
    }

    /// Turns the system to the time t. Returns the motions of these channels.
    fn turned<R: Real>(
        &self,
        system: &RefCell<System<R>>,
        t: f64,
        channels: Vec<R>,
        constant: impl Fn(f64) -> R,
    ) -> Vec<Motion<R>> {
        self.rates.looked(&mut system.borrow_mut(), self.from + t / self.step, &channels, constant)
    }

    /// F, each row of a size that does not depend on the step: of joints in units of accelerations.
    fn left<R: Real>(
        &self,
        system: &RefCell<System<R>>,
        (t, formula): (f64, Formula),
        jet: &Jet<R>,
        constant: impl Fn(f64) -> R,
    ) -> Vec<R> {
        let Unknowns { of_motion, attitudes, mobility } = &self.unknowns;
        let mut channels: Vec<R> = self.rates.resting().iter().map(|x| constant(*x)).collect();
        for ((unknown, y), first) in of_motion.iter().zip(&jet.y).zip(&jet.first) {
            channels[unknown.channel] = *y;
            if let Some(velocity) = unknown.velocity {
                channels[velocity] = *first;
            }
        }
        let motions = self.turned(system, t, channels, &constant);
        let multipliers = &jet.y[of_motion.len()..];
        let found = system.borrow().implicit(0, &motions, multipliers.to_vec());
        let rates = all_channels(&found.rates);
        let of_motion = of_motion.iter().zip(&jet.first).zip(&jet.second);
        let mut left: Vec<R> = of_motion
            .map(|((unknown, first), second)| match unknown.velocity {
                Some(velocity) => *second - rates[velocity],
                None => *first - rates[unknown.channel],
            })
            .collect();
        let often = constant(1.0 / formula.h);
        for at in attitudes {
            let attitude_in = |all: &[R]| [all[*at], all[at + 1], all[at + 2], all[at + 3]];
            let [x, y, z] = conjugate_vector(attitude_in(&jet.y), attitude_in(&left));
            let norm = often * (norm_squared(attitude_in(&jet.y)) - constant(1.0));
            left[*at..at + 4].copy_from_slice(&[norm, x, y, z]);
        }
        for ((open, multiplier), mobility) in found.open.iter().zip(multipliers).zip(mobility) {
            let open = match open {
                OpenRow::Position(violation) => often * often * *violation,
                OpenRow::Rate(rate) => often * *rate,
            };
            left.push(open - constant(YIELDING * mobility) * *multiplier);
        }
        left
    }

    /// G, column by column: the derivative of F along the way that a correction goes.
    fn matrix(&self, t: f64, formula: Formula, jet: &Jet<f64>) -> DMatrix<f64> {
        let l = formula.corrections();
        let along = [l[0], 1.0 / formula.h, 2.0 * l[2] / (formula.h * formula.h)];
        let count = self.unknowns.count();
        let column = |j: usize| {
            let dual = |values: &[f64], tangent: f64| -> Vec<Dual<f64>> {
                let seeded = |(i, value): (usize, &f64)| Dual {
                    value: *value,
                    tangent: if i == j { tangent } else { 0.0 },
                };
                values.iter().enumerate().map(seeded).collect()
            };
            let [y, first, second] = [(&jet.y, along[0]), (&jet.first, along[1]), (&jet.second, along[2])]
                .map(|(values, tangent)| dual(values, tangent));
            let left =
                self.left(&self.rates.tangent, (t, formula), &Jet { y, first, second }, Dual::constant);
            DVector::from_iterator(count, left.into_iter().map(|x| x.tangent))
        };
        DMatrix::from_columns(&(0..count).map(column).collect::<Vec<_>>())
    }
}

/// G of a step, decomposed.
struct Decomposed {
    of: Formula,
    lu: LU<f64, Dyn, Dyn>,
    served: usize,
}

/// One instance on its way from one instant to another.
struct Integrator<'a> {
    equations: Equations<'a>,
    /// The relative and the absolute tolerance of the error, by unknown of the motion.
    tolerances: [f64; 2],
    formula: Formula,
    /// `[j][unknown]`, `h^j/j! y^(j)`.
    z: Vec<DVector<f64>>,
    /// By unknown, the largest number so far, and the largest rate.
    largest: [DVector<f64>; 2],
    matrix: Option<Decomposed>,
}

impl Integrator<'_> {
    /// Root of the mean square of what is tested, in units of the error allowed, of positions alone
    /// or with their rates.
    fn size(&self, error: &DVector<f64>, with_rates: bool) -> f64 {
        let [relative, absolute] = self.tolerances;
        let share = |error: f64, largest: f64| error / (absolute + relative * largest);
        let beyond = |i: usize| {
            let left = error[i].abs() - ROUNDING * self.largest[0][i].max(1.0);
            if left < 0.0 { 0.0 } else { left }
        };
        let order = self.formula.order;
        let of_rate = OF_RATES[order - LEAST_ORDER] * (order + 1) as f64 / self.formula.h;
        let shares = self.equations.unknowns.of_motion.iter().enumerate().flat_map(|(i, unknown)| {
            let own = (unknown.tested != Tested::Nothing).then(|| share(beyond(i), self.largest[0][i]));
            let rate = (with_rates && unknown.tested == Tested::Both)
                .then(|| share(beyond(i) * of_rate, self.largest[1][i]));
            own.into_iter().chain(rate)
        });
        let (count, sum) = shares.fold((0, 0.0), |(count, sum), share| (count + 1, sum + share * share));
        (sum / f64::from(count.max(1))).sqrt()
    }

    fn jet(&self) -> Jet<f64> {
        let h = self.formula.h;
        let scaled = |j: usize, by: f64| self.z[j].iter().map(|x| by * x).collect();
        Jet { y: scaled(0, 1.0), first: scaled(1, 1.0 / h), second: scaled(2, 2.0 / (h * h)) }
    }

    fn predict(&mut self) {
        let order = self.formula.order;
        for first in 1..=order {
            for j in (first..=order).rev() {
                let (lower, upper) = self.z.split_at_mut(j);
                lower[j - 1] += &upper[0];
            }
        }
    }

    fn correct(&mut self, by: &DVector<f64>, l: &[f64]) {
        for (z, l) in self.z.iter_mut().zip(l) {
            z.axpy(*l, by, 1.0);
        }
    }

    fn remember(&mut self) {
        for (largest, (z, by)) in
            self.largest.iter_mut().zip([(&self.z[0], 1.0), (&self.z[1], 1.0 / self.formula.h)])
        {
            *largest = largest.sup(&(z.abs() * by));
        }
    }

    /// To another step.
    fn rescale(&mut self, h: f64) {
        let by = h / self.formula.h;
        let mut power = 1.0;
        for z in &mut self.z {
            *z *= power;
            power *= by;
        }
        self.formula.h = h;
    }

    /// Solves for the end of the step that was predicted, at t. Returns the sum of the corrections;
    /// `None`: they do not settle.
    fn settled(&mut self, t: f64) -> Option<DVector<f64>> {
        let l = self.formula.corrections();
        let enough = CORRECTED * (self.formula.order + 1) as f64 / l[0];
        let predicted = self.z.clone();
        let is_old = self.matrix.as_ref().is_some_and(|m| m.of == self.formula && m.served < MOST_SERVED);
        for is_old in [true, false].into_iter().skip(usize::from(!is_old)) {
            if !is_old {
                let lu = self.equations.matrix(t, self.formula, &self.jet()).lu();
                self.matrix = Some(Decomposed { of: self.formula, lu, served: 0 });
            }
            let mut sum = DVector::zeros(self.equations.unknowns.count());
            let mut before = f64::INFINITY;
            for _ in 0..if is_old { WITH_AN_OLD_MATRIX } else { MOST_CORRECTIONS } {
                let left =
                    self.equations.left(&self.equations.rates.system, (t, self.formula), &self.jet(), |x| x);
                let correction = self.matrix.as_ref()?.lu.solve(&DVector::from_vec(left))?;
                self.correct(&-&correction, &l);
                sum -= &correction;
                let size = self.size(&correction, true);
                // The error left after this correction, as corrections shrink; the first one by a
                // new matrix takes all but a trace.
                let shrunk = if before.is_finite() { size / before } else { f64::from(u8::from(is_old)) };
                let left = size * shrunk.clamp(0.01, 1.0);
                if left <= enough {
                    self.matrix.as_mut()?.served += 1;
                    return Some(sum);
                }
                if size.is_nan() || size >= 2.0 * before {
                    break;
                }
                before = size;
            }
            self.z.clone_from(&predicted);
        }
        None
    }

    /// By how much the step may be longer at the order below, the same one and, where it is known,
    /// the one above.
    fn growths(&self, error: &DVector<f64>, before: Option<&DVector<f64>>) -> [f64; 3] {
        let q = self.formula.order;
        let l0 = self.formula.corrections()[0];
        let factorial: f64 = (1..q).map(|k| k as f64).product();
        // The errors of rates, which are the larger part, fall with this power of the step.
        let growth = |place: usize, share: f64, order: usize| {
            1.0 / (CAUTION[place] * share.powf(1.0 / order as f64)).max(1e-4)
        };
        let lower =
            if q > LEAST_ORDER { growth(0, self.size(&self.z[q], true) * factorial, q - 1) } else { 0.0 };
        let own = growth(1, self.size(error, true) * l0 / (q + 1) as f64, q);
        let upper = before
            .filter(|_| q < MOST_ORDER)
            .map_or(0.0, |before| growth(2, self.size(&(error - before), true) * l0 / (q + 2) as f64, q + 1));
        [lower, own, upper]
    }

    /// Goes on by the order that grows most, `error` that of the last step.
    fn turn(&mut self, [lower, own, upper]: [f64; 3], error: &DVector<f64>) -> f64 {
        let q = self.formula.order;
        if lower > own && lower > upper {
            self.z.truncate(q);
            self.formula.order = q - 1;
            lower
        } else if upper > own {
            let last = self.formula.corrections()[q];
            self.z.push(error * (last / (q + 1) as f64));
            self.formula.order = q + 1;
            upper
        } else {
            own
        }
    }
}

/// The state so many steps after the start of the step, from that at `from`, or why it cannot be
/// reached within the tolerances.
pub fn integrated(
    course: &Course<'_>,
    state: &[f64],
    (from, until): (f64, f64),
    factors: &[f64],
) -> Result<Vec<f64>, Verdict> {
    let model = &course.plan.model;
    let rates = Rates::new(course.plan, course.parameters, state, (&[], factors), course.counted.0);
    let step = rates.system.borrow().h;
    let end = (until - from) * step;
    let motions = rates.looked(&mut rates.system.borrow_mut(), from, &state[..model.width()], |x| x);
    let rows = rates.system.borrow().solved_rows(0, &motions);
    let unknowns = Unknowns::new(course, rows.iter().map(|[_, mobility]| *mobility).collect());
    let equations = Equations { rates, unknowns, from, step };
    let mut integrator = begun(course, equations, &state[..model.width()], rows, end)?;
    let (mut t, mut before, mut wait, mut refused) = (0.0, None, integrator.formula.order + 1, 0);
    for _ in 0..MOST_STEPS {
        if course.exhausted() {
            break;
        }
        let left = end - t;
        // The last two steps are alike.
        let count = (left / integrator.formula.h - (WORTH - 1.0)).ceil().max(1.0);
        if count <= 2.0 {
            integrator.rescale(left / count);
        }
        if integrator.formula.h < SHORTEST * end {
            break;
        }
        let then = if count == 1.0 { end } else { t + integrator.formula.h };
        let start = integrator.z.clone();
        integrator.predict();
        let Some(error) = integrator.settled(then) else {
            integrator.z = start;
            integrator.rescale(0.25 * integrator.formula.h);
            (before, wait) = (None, integrator.formula.order + 1);
            continue;
        };
        let q = integrator.formula.order;
        let l0 = integrator.formula.corrections()[0];
        let share = integrator.size(&error, false) * l0 / (q + 1) as f64;
        if share.is_nan() || share > 1.0 {
            if !share.is_finite() {
                return Err(Verdict::NonFinite);
            }
            refused += 1;
            let [lower, own, _] = integrator.growths(&error, None);
            integrator.z = start;
            let growth = if refused > MOST_REFUSED {
                integrator.z.truncate(LEAST_ORDER + 1);
                integrator.formula.order = LEAST_ORDER;
                0.1
            } else {
                integrator.turn([lower, own, 0.0], &error).min(0.9)
            };
            integrator.rescale(growth.max(0.1) * integrator.formula.h);
            (before, wait) = (None, integrator.formula.order + 1);
            continue;
        }
        (t, refused, wait) = (then, 0, wait - 1);
        integrator.remember();
        if t == end {
            let mut reached = state.to_vec();
            let jet = integrator.jet();
            for ((unknown, y), first) in
                integrator.equations.unknowns.of_motion.iter().zip(&jet.y).zip(&jet.first)
            {
                reached[unknown.channel] = *y;
                if let Some(velocity) = unknown.velocity {
                    reached[velocity] = *first;
                }
            }
            return Ok(reached);
        }
        if wait == 0 {
            let growths = integrator.growths(&error, before.as_ref());
            wait = integrator.formula.order + 1;
            // An order that errs too much gives way to any that does not.
            if growths.iter().any(|growth| *growth > WORTH) || growths[1] < 1.0 / WORTH {
                let growth = integrator.turn(growths, &error);
                integrator.rescale(growth.min(MOST_GROWTH) * integrator.formula.h);
                (before, wait) = (None, integrator.formula.order + 1);
                continue;
            }
        }
        before = Some(error);
    }
    Err(Verdict::StepTooSmall)
}

/// The start: derivatives to the second from the equations, and a first step that the tolerances
/// hardly refuse.
fn begun<'a>(
    course: &Course<'_>,
    equations: Equations<'a>,
    channels: &[f64],
    rows: Vec<[f64; 2]>,
    end: f64,
) -> Result<Integrator<'a>, Verdict> {
    let Unknowns { of_motion, .. } = &equations.unknowns;
    let count = equations.unknowns.count();
    let rates = equations.explicit(0.0, channels);
    let quickest = of_motion
        .iter()
        .map(|unknown| rates[unknown.channel].abs() / channels[unknown.channel].abs().max(1.0));
    let turned =
        of_motion.iter().filter_map(|unknown| unknown.velocity).map(|velocity| rates[velocity].abs().sqrt());
    let often = quickest.chain(turned).fold(1.0 / end, f64::max);
    let (later, beside) = (APART / often, |x: &f64, rate: &f64| x + APART / often * rate);
    let changed: Vec<f64> = channels.iter().zip(&rates).map(|(x, rate)| beside(x, rate)).collect();
    let changed = equations.explicit(later, &changed);
    let column = |f: &dyn Fn(&Unknown) -> f64| {
        let numbers = of_motion.iter().map(f).chain(rows.iter().map(|_| 0.0));
        DVector::from_iterator(count, numbers)
    };
    let mut y = column(&|of| channels[of.channel]);
    rows.iter().enumerate().for_each(|(row, [multiplier, _])| y[of_motion.len() + row] = *multiplier);
    let first = column(&|of| rates[of.channel]);
    let second = column(&|of| match of.velocity {
        Some(velocity) => rates[velocity],
        None => (changed[of.channel] - rates[of.channel]) / later,
    });
    let tolerances = [course.method.relative, course.method.absolute];
    let shares =
        |(unknown, second): (&Unknown, &f64)| second.abs() / channels[unknown.channel].abs().max(1.0);
    let often = of_motion.iter().zip(&second).map(shares).fold(often * often, f64::max).sqrt();
    let h = end.min(tolerances[0].max(tolerances[1]).sqrt().max(SHORTEST_START) / often);
    if !(h > 0.0 && first.iter().chain(&second).all(|x| x.is_finite())) {
        return Err(Verdict::NonFinite);
    }
    let (largest, z) = ([y.abs(), first.abs()], vec![y, first * h, second * (0.5 * h * h)]);
    let formula = Formula { order: LEAST_ORDER, h };
    Ok(Integrator { equations, tolerances, formula, z, largest, matrix: None })
}
