//! Rows of joints and couplings that say what others say: found when a mechanism is planned, and
//! left out where multipliers are solved for.
//!
//! Hinges of a planar loop in space all keep its links in the plane; three rows a loop would do.
//! `mu = B M^-1 B^T` is then singular wherever the bodies are, and off the joints by Phi, where a
//! method's stages stand, it is nearly so: what the redundant multiplier is there, a ratio of two
//! small numbers, disturbs the motion by O(1). So these rows must not be solved for at all.
//!
//! A row is implied where nothing is left of it once the rows before it are taken out (the pivot of
//! `B S B^T` scaled to a unit diagonal, S as `alike` says: which rows are independent is a question
//! of geometry, and masses, which may lie far apart, have no say), in every configuration that is
//! looked at: starts of several instances, and places that the mechanism can be moved to from them.
//! Joints are gone through in the order of the description, and within a joint the rows of which
//! most is left come first, so that a loop loses rows at the joint that closes it; a joint that
//! closes none loses no row. What is left out must then hold by itself wherever the rest is moved
//! to by a finite amount: a row that is implied at one singular position only, or to first order
//! only, stays. Couplings come after the joints, each as one that closes a loop.

use std::ops::Range;

use super::Model;
use super::assemble::{away, mobilities};
use super::constraint_set::{BodyConstants, ConstraintSet};
use crate::kinematics::body::{Motion, Velocities};
use crate::kinematics::row::{Mobility, Row};
use crate::math::cholesky::Solver;
use crate::math::quaternion::exponential;
use crate::math::vector::{add, scale};

/// Share of a row's diagonal that rounding and assembly leave of an implied one. Independent
/// rows leave 1e-4 and more.
const IMPLIED: f64 = 1e-10;
/// The later of two rows of a joint is taken first only if so many times as much is left of it:
/// near ties go by their order.
const CLEARLY: f64 = 1.1;
/// A mechanism is moved this far (rad, or of its largest arm) in so many parts.
const MOVED: f64 = 0.3;
const PARTS: usize = 3;
/// Ways to move it from each start.
const WAYS: u64 = 2;
/// Largest |Phi| (m, or 1) of rows that are solved for after a part, and of those that are left
/// out.
const CLOSED: f64 = 1e-11;
const HOLDS: f64 = 1e-8;
/// Newton's steps to close the joints after a part.
const MOST_STEPS: usize = 12;
/// Below this share of a wish to move, there is no way to.
const STUCK: f64 = 1e-6;
/// Rounds in which rows are found to be needed after all.
const ROUNDS: usize = 4;

/// The rows that were found to be dependent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redundancy {
    /// By row, whether it is left out where multipliers are solved for; rows after the last entry
    /// are not.
    pub left_out: Vec<bool>,
    /// The rows that are not left out are dependent all the same: generators, contacts or
    /// locks say what joints say.
    pub dependent: bool,
}

/// A start that was moved, and the rows of all joints there.
type MovedStart = (Vec<Motion<f64>>, Vec<Row<f64>>);

impl Redundancy {
    /// Rows are dependent in any way.
    pub fn any(&self) -> bool {
        self.dependent || self.left_out.contains(&true)
    }

    pub(super) fn is_left_out(&self, row: usize) -> bool {
        self.left_out.get(row) == Some(&true)
    }

    /// The rows that are solved for.
    pub(super) fn kept<T>(&self, rows: Vec<T>) -> Vec<T> {
        let all = rows.into_iter().enumerate();
        all.filter(|(row, _)| !self.is_left_out(*row)).map(|(_, of_row)| of_row).collect()
    }

    /// The multipliers of all rows from those of the kept ones; the others' are zero.
    pub(super) fn spread<R: Copy>(&self, kept: Vec<R>, zero: R) -> Vec<R> {
        let mut kept = kept.into_iter();
        let mut all = Vec::new();
        while kept.len() > 0 || self.is_left_out(all.len()) {
            let multiplier = if self.is_left_out(all.len()) { Some(zero) } else { kept.next() };
            all.extend(multiplier);
        }
        all
    }
}

/// An instance at its start.
#[derive(Clone, Debug)]
pub struct Start {
    pub motions: Vec<Motion<f64>>,
    pub parameters: Vec<f64>,
}

/// Where an instance stands: the matrix of its rows, scaled to a unit diagonal.
struct Configuration {
    scaled: Vec<Vec<f64>>,
}

impl Configuration {
    fn new(
        constraints: &ConstraintSet<f64>,
        bodies: &[BodyConstants<f64>],
        motions: &[Motion<f64>],
    ) -> Configuration {
        let mut rows = constraints.rows_without_locks(motions, 0.0);
        rows.extend(constraints.locks.iter().map(|lock| constraints.coordinate(lock.of, motions)));
        let mobility = mobilities(bodies, motions);
        let mut scaled = lower_triangle(&rows, &mobility);
        let of_diagonal: Vec<f64> = (0..rows.len())
            .map(|i| if scaled[i][i] > 0.0 { scaled[i][i].sqrt().recip() } else { 0.0 })
            .collect();
        for (i, row) in scaled.iter_mut().enumerate() {
            row.iter_mut()
                .zip(&of_diagonal)
                .for_each(|(entry, of_column)| *entry *= of_diagonal[i] * of_column);
        }
        Configuration { scaled }
    }
}

/// The rows that were taken in a configuration, one after the other, and L with `L L^T` the scaled
/// matrix of those that are independent there.
struct Taken<'a> {
    configuration: &'a Configuration,
    rows: Vec<usize>,
    lower: Vec<Vec<f64>>,
}

impl Taken<'_> {
    /// The row of L that this row would have, and the square of its diagonal: what is left of the
    /// row.
    fn left_of(&self, row: usize) -> (Vec<f64>, f64) {
        let scaled = &self.configuration.scaled;
        let entry = |other: usize| if other <= row { scaled[row][other] } else { scaled[other][row] };
        let mut along = vec![0.0; self.rows.len()];
        let first = self.rows.iter().position(|other| entry(*other) != 0.0).unwrap_or(along.len());
        let mut left = entry(row);
        for j in first..along.len() {
            let known: f64 = (first..j).map(|k| self.lower[j][k] * along[k]).sum();
            along[j] = (entry(self.rows[j]) - known) / self.lower[j][j];
            left -= along[j] * along[j];
        }
        (along, left)
    }

    /// Takes a row, unless others imply it here.
    fn take(&mut self, row: usize) {
        let (mut along, left) = self.left_of(row);
        if left > IMPLIED {
            along.push(left.sqrt());
            self.lower.push(along);
            self.rows.push(row);
        }
    }
}

/// Which rows of joints and couplings are implied in all configurations, and whether those that are
/// left are dependent. `joints`: the rows of each, couplings last, and whether it closes a loop;
/// `needed`: rows that must not be left out.
fn implied(configurations: &[Configuration], joints: &[JointOfChain], needed: &[bool]) -> Redundancy {
    let count = configurations.first().map_or(0, |first| first.scaled.len());
    let mut chained = vec![false; joints.last().map_or(0, |last| last.rows.end)];
    joints.iter().flat_map(|joint| joint.rows.clone()).for_each(|row| chained[row] = true);
    let start = |configuration| Taken { configuration, rows: Vec::new(), lower: Vec::new() };
    let mut taken: Vec<Taken<'_>> = configurations.iter().map(start).collect();
    let mut redundancy = Redundancy { left_out: vec![false; chained.len()], dependent: false };
    for joint in joints {
        let mut open: Vec<usize> = joint.rows.clone().collect();
        while !open.is_empty() {
            let left: Vec<Vec<f64>> =
                open.iter().map(|row| taken.iter().map(|taken| taken.left_of(*row).1).collect()).collect();
            let somewhere = |left: &Vec<f64>| left.iter().any(|left| *left > IMPLIED);
            let sum = |left: &Vec<f64>| left.iter().sum::<f64>();
            let mut best: Option<usize> = None;
            for (place, left_of_it) in left.iter().enumerate().filter(|(_, left)| somewhere(left)) {
                if best.is_none_or(|best| sum(left_of_it) > CLEARLY * sum(&left[best])) {
                    best = Some(place);
                }
            }
            let Some(best) = best else {
                for row in open.drain(..) {
                    redundancy.left_out[row] = joint.closes && !needed[row];
                    redundancy.dependent |= joint.closes && needed[row];
                }
                break;
            };
            let row = open.remove(best);
            taken.iter_mut().for_each(|taken| taken.take(row));
        }
    }
    for row in (0..count).filter(|row| chained.get(*row) != Some(&true)) {
        redundancy.dependent |= taken.iter().all(|taken| taken.left_of(row).1 <= IMPLIED);
        taken.iter_mut().for_each(|taken| taken.take(row));
    }
    redundancy
}

/// A joint or coupling on its way along the chain: its rows, and whether it closes a loop.
struct JointOfChain {
    rows: Range<usize>,
    closes: bool,
}

/// Bodies of the same mass whose gyration radius is the largest arm: rows then compare by geometry
/// alone. Flexible bodies stay as they are, since their modes weigh what they weigh.
pub(super) fn alike(
    constraints: &ConstraintSet<f64>,
    bodies: Vec<BodyConstants<f64>>,
) -> Vec<BodyConstants<f64>> {
    let square = largest_arm(constraints).powi(2);
    let equal = |body: BodyConstants<f64>| match body.deformation {
        Some(_) => body,
        None => BodyConstants { inertia: [square; 3], mass: 1.0, ..body },
    };
    bodies.into_iter().map(equal).collect()
}

/// Longest arm of the joints, from the mass centres of their bodies (m); 1 where all are there.
fn largest_arm(constraints: &ConstraintSet<f64>) -> f64 {
    let arms = constraints.joints.iter().flat_map(|joint| &joint.sides).filter(|side| side.body.is_some());
    let largest = arms.map(|side| size(side.arm)).fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}

fn size(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// `mu` of these rows.
fn lower_triangle(rows: &[Row<f64>], mobility: &[Mobility<f64>]) -> Vec<Vec<f64>> {
    let row = |i: usize| (0..=i).map(|j| rows[i].coupling(&rows[j], mobility).unwrap_or(0.0)).collect();
    (0..rows.len()).map(row).collect()
}

impl Model {
    /// Returns the model with a treatment that solves for its multipliers without rows that others
    /// imply.
    pub fn without_redundant_rows(mut self, redundancy: Redundancy) -> Model {
        self.redundancy = redundancy;
        self
    }

    pub fn redundancy(&self) -> &Redundancy {
        &self.redundancy
    }

    /// The rows of joints, and then of couplings, among all.
    fn chain(&self) -> Vec<JointOfChain> {
        let mut from = 0;
        let mut joints = Vec::new();
        for (joint, closes) in self.mechanism().joints.iter().zip(self.mechanism().joints_that_close()) {
            let rows = joint.kind.rows.len();
            joints.push(JointOfChain { rows: from..from + rows, closes });
            from += rows;
        }
        for generator in &self.mechanism().generators {
            let rows = generator.rows();
            if generator.follows.is_some() {
                joints.push(JointOfChain { rows: from..from + rows, closes: true });
            }
            from += rows;
        }
        joints
    }

    /// Which rows of joints and couplings others imply, wherever instances that start so can go.
    pub fn find_redundancy(&self, starts: &[Start]) -> Redundancy {
        let joints = self.chain();
        let configuration = |start: &Start, motions: &[Motion<f64>]| {
            let parameter = |p: usize| start.parameters[p];
            let constraints = self.constraint_set(&parameter, &[], &self.first_turns(&parameter));
            Configuration::new(&constraints, &alike(&constraints, self.body_constants(&parameter)), motions)
        };
        let mut configurations: Vec<Configuration> =
            starts.iter().map(|start| configuration(start, &start.motions)).collect();
        let mut needed = vec![false; joints.last().map_or(0, |last| last.rows.end)];
        let mut found = implied(&configurations, &joints, &needed);
        for _ in 0..ROUNDS {
            if !found.any() {
                break;
            }
            let before = found.clone();
            for (k, start) in starts.iter().enumerate() {
                for way in 0..WAYS {
                    let Some((motions, rows)) = self.moved(start, &found, WAYS * k as u64 + way) else {
                        continue;
                    };
                    let mut holds = true;
                    for (row, of_row) in rows.iter().enumerate().filter(|(row, _)| found.is_left_out(*row)) {
                        if of_row.violation.abs() > HOLDS {
                            (needed[row], holds) = (true, false);
                        }
                    }
                    if holds {
                        configurations.push(configuration(start, &motions));
                    }
                }
            }
            found = implied(&configurations, &joints, &needed);
            if found == before {
                break;
            }
        }
        found
    }

    /// A start moved by a finite amount as far as the rows of joints and couplings that are solved
    /// for let it, flexible bodies as they are; and all rows there. `None`: nothing gives way, or
    /// the joints do not close there.
    fn moved(&self, start: &Start, redundancy: &Redundancy, way: u64) -> Option<MovedStart> {
        let parameter = |p: usize| start.parameters[p];
        let constraints = self.constraint_set(&parameter, &[], &self.first_turns(&parameter));
        let mut chained = Vec::new();
        for joint in self.chain() {
            chained.resize(joint.rows.start, false);
            chained.resize(joint.rows.end, true);
        }
        let bodies = self.body_constants(&parameter).into_iter();
        let bodies =
            alike(&constraints, bodies.map(|body| BodyConstants { deformation: None, ..body }).collect());
        let rows = |at: &[Motion<f64>]| constraints.rows_without_locks(at, 0.0);
        let is_solved = |row: usize| chained.get(row) == Some(&true) && !redundancy.is_left_out(row);
        let kept = |at: &[Motion<f64>]| -> Vec<Row<f64>> {
            let all = rows(at).into_iter().enumerate();
            all.filter(|(row, _)| is_solved(*row)).map(|(_, of_row)| of_row).collect()
        };
        let arm = largest_arm(&constraints);
        // The largest turn (rad) or displacement (arms) of any body.
        let reach =
            |by: &[Velocities<f64>]| by.iter().map(|by| size(by.w).max(size(by.v) / arm)).fold(0.0, f64::max);
        let mut motions = start.motions.clone();
        let mut wish = wishes(bodies.len(), arm, way);
        for body in (0..bodies.len()).filter(|b| !bodies[*b].moves) {
            wish[body].v = [0.0; 3];
        }
        for _ in 0..PARTS {
            let wanted = reach(&wish);
            // As the rows let it.
            let kept_here = kept(&motions);
            let rates = kept_here.iter().map(|row| row.acceleration(&wish)).collect();
            let change = closing(&kept_here, &bodies, &motions, rates);
            let way: Vec<Velocities<f64>> =
                wish.iter().zip(change).map(|(wish, change)| sum(wish, &change)).collect();
            let given = reach(&way);
            if given < STUCK * wanted {
                return None;
            }
            let part = MOVED / PARTS as f64 / given;
            let way: Vec<Velocities<f64>> = way
                .into_iter()
                .map(|by| Velocities { w: scale(part, by.w), v: scale(part, by.v), modal: Vec::new() })
                .collect();
            shift(&mut motions, &way);
            for _ in 0..MOST_STEPS {
                let kept = kept(&motions);
                let violations: Vec<f64> = kept.iter().map(|row| row.violation).collect();
                if violations.iter().all(|violation| violation.abs() <= CLOSED) {
                    break;
                }
                let change = closing(&kept, &bodies, &motions, violations);
                shift(&mut motions, &change);
            }
            wish = way;
        }
        let all = rows(&motions);
        let closed = |(row, of_row): (usize, &Row<f64>)| !is_solved(row) || of_row.violation.abs() <= CLOSED;
        all.iter().enumerate().all(closed).then_some((motions, all))
    }

    /// The joints of which rows are left out, and which: "`pivot`: position e2, x_A.z_B"; and the
    /// couplings.
    pub fn rows_left_out(&self) -> Vec<String> {
        let mut first = 0;
        let mut named = Vec::new();
        for joint in &self.mechanism().joints {
            let names = joint.kind.rows;
            let of_joint: Vec<&str> = names
                .iter()
                .enumerate()
                .filter(|(k, _)| self.redundancy.is_left_out(first + k))
                .map(|(_, name)| *name)
                .collect();
            first += names.len();
            if !of_joint.is_empty() {
                named.push(format!("`{}`: {}", joint.name, of_joint.join(", ")));
            }
        }
        for generator in &self.mechanism().generators {
            if (first..first + generator.rows()).any(|row| self.redundancy.is_left_out(row)) {
                named.push(format!("coupling `{}`", generator.name));
            }
            first += generator.rows();
        }
        named
    }
}

/// `-M^-1 B^T mu^+ excess`, rows on which nothing can act left aside.
fn closing(
    rows: &[Row<f64>],
    bodies: &[BodyConstants<f64>],
    motions: &[Motion<f64>],
    excess: Vec<f64>,
) -> Vec<Velocities<f64>> {
    let mobility = mobilities(bodies, motions);
    let acts = |row: &Row<f64>| row.coupling(row, &mobility).is_some_and(|x| x > 0.0);
    let (rows, excess): (Vec<Row<f64>>, Vec<f64>) =
        rows.iter().zip(excess).filter(|(row, _)| acts(row)).map(|(row, x)| (row.clone(), x)).unzip();
    let multipliers = Solver::least(lower_triangle(&rows, &mobility)).solve(excess);
    away(&rows, &multipliers, &mobility, motions)
}

fn shift(motions: &mut [Motion<f64>], by: &[Velocities<f64>]) {
    for (motion, by) in motions.iter_mut().zip(by) {
        motion.q = exponential(motion.q, by.w);
        motion.r = add(motion.r, by.v);
    }
}

fn sum(a: &Velocities<f64>, b: &Velocities<f64>) -> Velocities<f64> {
    Velocities { w: add(a.w, b.w), v: add(a.v, b.v), modal: Vec::new() }
}

/// Turns (rad) and shifts (arms) of all bodies in no particular direction, always the same.
fn wishes(bodies: usize, arm: f64, way: u64) -> Vec<Velocities<f64>> {
    // Knuth's linear congruential generator; nothing depends on its quality.
    let mut state = way.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let mut vector = |size: f64| [0; 3].map(|_| size * next());
    (0..bodies).map(|_| Velocities { w: vector(1.0), v: vector(arm), modal: Vec::new() }).collect()
}
