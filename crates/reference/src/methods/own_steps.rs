//! Explicit Runge-Kutta methods with steps of their own, by their estimate of the error, inside the
//! steps of a study.
//!
//! ```text
//! err² = 1/(n tolerance²) sum over all vectors y of |error|² / (1 + max(|y|², |y1|²))
//! accepted where err < 1
//! s1   = s min(5, max(1/5, 0.9 err^-kI err0^kP))   err0: of the last accepted step, 1 at the start
//! ```
//!
//! y is a position, velocity, quaternion or angular velocity of a body, a modal coordinate or its
//! rate; n is the number of all components.
//!
//! A refused step is followed by one of at most `0.9 err^-kI` its length. A step that reaches the
//! end of the study's, or a jump, is cut there, one that leaves less than itself is halved; after
//! both s1 = 0.9 s err^-kC, and err0 is kept. kC = 3/16 and 1/8. The first is a 1024th of the
//! study's. All is that of Hairer, Norsett & Wanner, *Solving Ordinary Differential Equations I*,
//! 2nd edition, 1993, II.4, but for the exponents: kI = 1/8 and kP = 1/16 for an estimate of order
//! 5, 3/32 and 1/16 for one of order 8.

use nalgebra::DVector;

use super::super::body::Motion;
use super::super::rotation::unit;
use super::super::system::MultibodySystem;
use super::super::treatment::Treatment;
use super::integrator::{SystemIntegrator, instant};
use super::runge_kutta::{Estimate, Table, sum};

/// The shortest step, as a part of the study's.
const SHORTEST: f64 = 1e-13;
/// Steps of one step of the study, refused ones among them.
const MOST: u64 = 20_000;

impl Estimate {
    /// `kI`, `kP` and `kC`.
    fn exponents(self) -> (f64, f64, f64) {
        match self {
            Estimate::AtTheEnd(_) => (1.0 / 8.0, 1.0 / 16.0, 3.0 / 16.0),
            Estimate::OfTwo(..) => (3.0 / 32.0, 1.0 / 16.0, 1.0 / 8.0),
        }
    }
}

/// A method with this table and estimate, and where it is.
pub struct OwnSteps {
    table: &'static Table,
    estimate: Estimate,
    treatment: Treatment,
    tolerance: f64,
    now: Vec<Motion>,
    /// Share of the study's step that would be taken next.
    share: f64,
    /// `err0^kP`
    last: f64,
}

impl OwnSteps {
    pub fn new(
        table: &'static Table,
        estimate: Estimate,
        tolerance: f64,
        treatment: Treatment,
        start: &[Motion],
    ) -> OwnSteps {
        OwnSteps {
            table,
            estimate,
            treatment,
            tolerance,
            now: start.to_vec(),
            share: 1.0 / 1024.0,
            last: 1.0,
        }
    }

    /// The end of a step over a share of step k, within a piece of it, and its error in units of
    /// what is allowed.
    fn attempt(
        &self,
        system: &MultibodySystem,
        k: u64,
        h: f64,
        piece: [f64; 2],
        [from, share]: [f64; 2],
    ) -> (Vec<Motion>, f64) {
        let y = system.flat(&self.now);
        let hs = h * share;
        let rate = |stage: &DVector<f64>, c: f64| {
            let at = instant(system, k, h, piece[0], piece[1], from + c * share);
            system.rate(stage, &at, &self.treatment)
        };
        let mut rates: Vec<DVector<f64>> = Vec::new();
        for (weights, c) in self.table.a.iter().zip(self.table.c) {
            rates.push(rate(&(&y + hs * sum(y.len(), weights, &rates)), *c));
        }
        let end = &y + hs * sum(y.len(), self.table.b, &rates);
        let last = matches!(self.estimate, Estimate::AtTheEnd(_)).then(|| rate(&end, 1.0));
        rates.extend(last);
        let motions: Vec<Motion> = system
            .from_flat(&end)
            .into_iter()
            .map(|end| Motion { attitude: unit(end.attitude), ..end })
            .collect();
        let size = |weights: &[f64]| {
            let error = system.from_flat(&(hs * sum(y.len(), weights, &rates)));
            let bodies = self.now.iter().zip(&motions).zip(&error);
            let parts = bodies.flat_map(|((before, after), error)| {
                squares(before).into_iter().zip(squares(after)).zip(squares(error))
            });
            let sum: f64 = parts.map(|((before, after), error)| error / (1.0 + before.max(after))).sum();
            (sum / y.len() as f64).sqrt() / self.tolerance
        };
        let error = match self.estimate {
            Estimate::AtTheEnd(weights) => size(weights),
            Estimate::OfTwo(five, three) => {
                let (five, three) = (size(five), size(three));
                let both = (five * five + 0.01 * three * three).sqrt();
                if both == 0.0 { 0.0 } else { five * five / both }
            }
        };
        (motions, error)
    }
}

/// Step k from load jump to load jump, and on both sides of a jump of a function by a few last bits
/// of its time: from, until (in steps from its start). A jump that misses an end of the step by
/// rounding is there.
fn edges(system: &MultibodySystem, k: u64, h: f64) -> Vec<[f64; 2]> {
    const ROUNDING: f64 = 1e-9;
    let time = |part: f64| (k as f64 + part) * h;
    let inside = system.load_jumps(time(0.0), time(1.0)).into_iter().map(|t| t / h - k as f64);
    let inside = inside.filter(|c| (ROUNDING..1.0 - ROUNDING).contains(c));
    let beside = |t: f64| [-8.0, 8.0].map(|bits| (t + bits * f64::EPSILON * t.max(h)) / h - k as f64);
    // A function may jump at a grid point, which has a side in each of two steps.
    let around = system.function_jumps(time(-0.5), time(1.5)).into_iter().flat_map(beside);
    let around = around.filter(|c| *c > 0.0 && *c < 1.0);
    let mut edges: Vec<f64> = [0.0, 1.0].into_iter().chain(inside).chain(around).collect();
    edges.sort_by(f64::total_cmp);
    edges.dedup();
    edges.windows(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// The squares of the magnitudes of what is measured by them.
fn squares(motion: &Motion) -> Vec<f64> {
    let rigid = [
        motion.position.norm_squared(),
        motion.velocity.norm_squared(),
        motion.attitude.norm_squared(),
        motion.angular_velocity.norm_squared(),
    ];
    let modal = motion.amplitudes.iter().chain(&motion.amplitude_rates).map(|x| x * x);
    rigid.into_iter().chain(modal).collect()
}

impl SystemIntegrator for OwnSteps {
    fn step(&mut self, system: &MultibodySystem, k: u64, h: f64) {
        let (integral, proportional, cut_alone) = self.estimate.exponents();
        let edges = edges(system, k, h);
        let mut piece = 0;
        let mut progress = 0.0;
        for _ in 0..MOST {
            let [_, until] = edges[piece];
            let left = until - progress;
            let cut = if 2.0 * self.share < left { self.share } else { 0.5 * left };
            let share = if self.share < left { cut } else { left };
            let (end, error) = self.attempt(system, k, h, edges[piece], [progress, share]);
            let least = error.max(1e-6);
            let is_cut = share != self.share;
            let wanted = match is_cut {
                true => 0.9 / least.powf(cut_alone),
                false => 0.9 * self.last / least.powf(integral),
            };
            if error < 1.0 {
                let factor = wanted.clamp(0.2, 5.0);
                let next = share * factor;
                // A step that was cut says nothing of one that is more than five times as long.
                self.share = if 5.0 * share < self.share { self.share } else { next };
                if !is_cut {
                    self.last = least.powf(proportional);
                }
                self.now = end;
                progress = if share == left { until } else { progress + share };
                if progress >= until {
                    piece += 1;
                }
                if piece == edges.len() {
                    return;
                }
            } else {
                let refused = 0.9 / error.powf(integral);
                self.share = share * wanted.min(refused).max(0.2);
                if self.share < SHORTEST {
                    break;
                }
            }
        }
        // There is no step that is short enough.
        for motion in &mut self.now {
            motion.position.fill(f64::NAN);
        }
    }

    fn motions(&self) -> Vec<Motion> {
        self.now.clone()
    }

    fn move_to(&mut self, motions: &[Motion]) {
        self.now = motions.to_vec();
    }
}
