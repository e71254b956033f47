//! The equations of motion of an instance linearised about a steady state: rest, or a steady
//! rotation of the whole mechanism.
//!
//! With the rotation `Omega` about an axis through `c` (zero at rest), a body that turns with the
//! whole has the velocities `S: w = R^T Omega, v = Omega x (r - c)`. The rest of its velocity,
//! `s = u - S`, has in axes that turn with the whole the rate
//!
//! ```text
//! G = (wdot + s_w x R^T Omega,  vdot - Omega x v - Omega x s_v,
//! second derivatives of modal coordinates)
//! ```
//!
//! where the accelerations follow from the equations of motion with all joints. The state is steady
//! where G vanishes at `s = 0`. A rigid body of revolution may spin besides, by a constant rate
//! `sigma` about its own axis (a wheel, a rotor, a gyrostat): its axes are then those of a frame
//! that moves along without the spin, in which its inertia stays as it is. There `s = sigma`, and G
//! has `sigma x s_w` more. What spins is found from the start, [`SteadyInstance::with_spins`].
//! Where losses slow a spin down and nothing drives it, the state is nearly steady: a
//! [coasting](SteadyInstance::coasting) instance leaves the spin's own acceleration out of G, alone
//! or with all that a motor's torque in its bearing changes.
//!
//! Sampled signals have the values that they take where the motion stays as it is; their
//! derivatives are those of signals that follow the motion.
//!
//! About it, with mass-orthonormal directions that joints leave free, by columns N of velocities
//! and P of positions (P has more columns than N where a contact holds a velocity but no position,
//! such as a rolling ball),
//!
//! ```text
//! dx = P y,  s = N z:    ydot = P^T M N z,    zdot = N^T M (dG/dx P y + dG/ds N z)
//! ```
//!
//! Dual numbers give the derivatives exactly, those of loads, reactions and laws included: the load
//! of a joint that turns with its body, which draws a pendulum back, and the centrifugal stiffening
//! of a blade are parts of `dG/dx`. A state of a law counts as a velocity, as everywhere in the
//! model: `s` is its distance from the steady value.

use nalgebra::{DMatrix, DVector, SVD};

use super::Model;
use super::constraint_set::BodyConstants;
use super::memory::Memory;
use super::sample::Sample;
use super::start::owner_of;
use super::system::System;
use crate::base::{quantity, significant};
use crate::describe::force::Attached;
use crate::elements::Spin;
use crate::kinematics::body::{ModalCoordinates, Motion, Velocities};
use crate::kinematics::row::{Mobility, Row};
use crate::math::quaternion::{exponential, product, times_vector, to_body, to_space};
use crate::math::symmetric::symmetric_eigen;
use crate::math::vector::{Vec3, add, cross, dot, length, scale, sub};
use crate::real::{Dual, Real};

/// Singular values of mass-scaled rows of unit length below this share of the largest belong to
/// rows that others imply, where a gap of this factor parts them from all others; below the last
/// share all are rounding.
pub(super) const REDUNDANT: f64 = 1e-7;
const GAP: f64 = 1e3;
const ROUNDING: f64 = 1e-15;
/// Distance (rad, or of the mechanism's size) beside a posture at which the rank of its rows is
/// looked at again, and the number of ways: near a singular position the least singular value falls
/// with the distance or its square, which is then well above [`REDUNDANT`].
const BESIDE: f64 = 3e-3;
const WAYS: u64 = 3;
/// Largest |Phi| (m, or 1) of closed joints, and that which is rounding, at 1 m from the origin: a
/// bearing that is out of line by 1e-12 gives a weight that turns with it a stiffness.
const CLOSED: f64 = 1e-11;
const CLOSED_TO_ROUNDING: f64 = 1e-15;
/// Largest number of times that joints are closed again after a step of the search; each time has
/// three steps of Newton's method.
const MOST_CLOSINGS: usize = 4;
/// Largest velocity that a joint may demand besides the steady ones, and acceleration, as shares of
/// those of the state.
const UNSTEADY: f64 = 1e-8;
/// Share by which the moments of inertia of what spins may differ.
const ALIKE: f64 = 1e-9;
/// Share by which moments of inertia may differ of what is taken for a body of revolution: as it
/// turns, the differences average out.
const NEARLY_ALIKE: f64 = 1e-2;
/// Share of its rate with which a rotor stands still.
const STOPPED: f64 = 1e-3;
/// Share of the fastest rotation below which one is rounding of the start's assembly.
pub const STILL: f64 = 1e-9;
/// Distance (rad, or of the size) at which a force is compared on both sides of a posture, and the
/// acceleration (m/s², or rad/s²) that counts as a jump.
const ASIDE: f64 = 1e-6;
const JUMPED: f64 = 1e-4;
/// Angle (rad) by which the whole is turned about its axis to see whether the equations turn along,
/// and the share by which they may differ.
const TURNED: f64 = 1.0;
const TURNS_ALONG: f64 = 1e-7;
/// Iterations of a decomposition for each row, of which two are usual.
pub(super) const MOST_ITERATIONS: usize = 100;

/// A steady rotation of the whole mechanism; at rest without a rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SteadyRotation {
    /// Omega, space axes (rad/s).
    pub rate: Vec3<f64>,
    /// A point of the axis (m).
    pub through: Vec3<f64>,
}

/// Why the state of an instance is no steady one.
#[derive(Clone, Debug, PartialEq)]
pub enum NotSteady {
    /// The body whose rotation the whole has moves along its axis with this velocity (m/s).
    AlongTheAxis(f64),
    /// A constraint, by the name of its owner, moves the bodies otherwise: by this velocity (m/s,
    /// or 1/s).
    Moved(String, f64),
    /// A constraint, by the name of its owner, does not let the whole turn: it holds this velocity
    /// (m/s, or 1/s).
    Holds(String, f64),
    /// A constraint, by the name of its owner, accelerates the bodies otherwise: by this
    /// acceleration (m/s², or 1/s²).
    Accelerated(String, f64),
    /// A joint stands where it could go on in more ways than one, such as a flat parallelogram; by
    /// name.
    Singular(String),
    /// Rounding leaves the rows of what holds the bodies this acceleration (m/s², or 1/s²); by
    /// name.
    Unsolved(String, f64),
    /// Something that acts on the mechanism does not turn with it: the equations change as it
    /// turns.
    NotTurning,
    /// Joints cannot be closed near by.
    NotClosed,
    /// A number is not finite.
    NotFinite,
}

impl std::fmt::Display for NotSteady {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotSteady::AlongTheAxis(v) => {
                let v = quantity(*v, 4, "m/s");
                write!(f, "the body whose rotation the mechanism has moves along its axis with {v}")
            }
            NotSteady::Moved(owner, v) => {
                let v = significant(*v, 4);
                write!(
                    f,
                    "the {owner} prescribes a velocity: {v} (m/s, or 1/s) besides the steady motion; a body \
                     of revolution spins so if `angular_velocity` of its joint gives that rate too"
                )
            }
            NotSteady::Holds(owner, v) => write!(
                f,
                "the {owner} does not let the whole mechanism turn: it holds {} (m/s, or rad/s) of that \
                 motion; give as `rotation` a body with which all others can turn, or leave it out",
                significant(v.abs(), 4)
            ),
            NotSteady::Accelerated(owner, a) => write!(
                f,
                "the {owner} prescribes an acceleration: {} (m/s², or 1/s²) besides the steady motion",
                significant(*a, 4)
            ),
            NotSteady::Singular(owner) => write!(
                f,
                "the {owner} stands in a singular position, where its rows depend on others: the motion \
                 could go on in more ways than one"
            ),
            NotSteady::Unsolved(owner, a) => write!(
                f,
                "rounding leaves an acceleration of {} (m/s², or 1/s²) in the rows of the {owner}: it stands \
                 near a singular position, or masses or stiffnesses lie too far apart",
                significant(*a, 4)
            ),
            NotSteady::NotTurning => f.write_str(
                "what acts on the mechanism does not turn with it: its equations change as it turns",
            ),
            NotSteady::NotClosed => f.write_str("the joints cannot be closed"),
            NotSteady::NotFinite => f.write_str("a force or an acceleration is not finite"),
        }
    }
}

impl SteadyRotation {
    /// The rotation of a body in this motion, which the whole mechanism is to have.
    ///
    /// # Errors
    /// The body moves along the axis.
    pub fn of_body(motion: &Motion<f64>, moves: bool) -> Result<SteadyRotation, NotSteady> {
        let rate = to_space(motion.q, motion.w);
        let square = dot(rate, rate);
        if square == 0.0 || !moves {
            return Ok(SteadyRotation { rate, through: [0.0; 3] });
        }
        let along = dot(rate, motion.v) / square.sqrt();
        if along.abs() > UNSTEADY * length(motion.v) {
            return Err(NotSteady::AlongTheAxis(along));
        }
        Ok(SteadyRotation { rate, through: add(motion.r, scale(1.0 / square, cross(rate, motion.v))) })
    }

    /// Whether there is one.
    pub fn is_rest(&self) -> bool {
        self.rate == [0.0; 3]
    }

    /// |Omega| (rad/s)
    pub fn speed(&self) -> f64 {
        length(self.rate)
    }

    /// The velocities S of a body that turns with the whole.
    fn velocities<R: Real>(&self, motion: &Motion<R>, moves: bool) -> Velocities<R> {
        let zero = motion.q[0].lift(0.0);
        let rate = self.rate.map(|x| zero.lift(x));
        let v = match moves {
            true => cross(rate, sub(motion.r, self.through.map(|x| zero.lift(x)))),
            false => [zero; 3],
        };
        Velocities { w: to_body(motion.q, rate), v, modal: vec![zero; motion.modal.rates.len()] }
    }
}

/// Where an instance is, and what it remembers.
#[derive(Clone, Debug)]
pub struct Posture {
    pub motions: Vec<Motion<f64>>,
    pub memory: Vec<f64>,
}

/// Directions that nothing holds, and coordinates along them.
pub struct Directions {
    /// N, by columns.
    pub along: DMatrix<f64>,
    /// `N^T M`, by rows: the coordinates of a velocity.
    pub coordinates: DMatrix<f64>,
}

/// The linearised equations: `d/dt (y, z) = A (y, z)`.
pub struct LinearEquations {
    /// P, of positions.
    pub positions: Directions,
    /// N, of velocities and states of laws.
    pub velocities: Directions,
    /// `P^T M N`
    pub kinematic: DMatrix<f64>,
    /// `N^T M dG/dx P` (1/s²)
    pub stiffness: DMatrix<f64>,
    /// `N^T M dG/ds N` (1/s)
    pub damping: DMatrix<f64>,
}

/// An instance about whose steady state the motion is linearised.
pub struct SteadyInstance<'a> {
    model: &'a Model,
    parameters: &'a [f64],
    /// By timed load, whether it acts.
    factors: &'a [f64],
    rotation: SteadyRotation,
    bodies: Vec<BodyConstants<f64>>,
    /// sigma, by body, its axes (rad/s).
    pub spins: Vec<Vec3<f64>>,
    /// Torques that keep the rates of spins, and of rotors with theirs, whatever slows them.
    pub coasting: Option<KeptBy>,
}

/// The origin of a torque that balances the losses of a spin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptBy {
    /// A motor in its bearing, whose torque acts back on what bears it: it undoes friction there,
    /// which a free body could not resist.
    Motor,
    /// A torque from outside, which undoes drag.
    Outside,
}

impl KeptBy {
    pub const ALL: [KeptBy; 2] = [KeptBy::Motor, KeptBy::Outside];
}

impl<'a> SteadyInstance<'a> {
    /// The instance of these parameters, under the loads that act by these factors, one a
    /// [span](Model::spans).
    pub fn new(
        model: &'a Model,
        parameters: &'a [f64],
        factors: &'a [f64],
        rotation: SteadyRotation,
    ) -> SteadyInstance<'a> {
        let bodies = model.body_constants(&|p| parameters[p]);
        let spins = vec![[0.0; 3]; bodies.len()];
        SteadyInstance { model, parameters, factors, rotation, bodies, spins, coasting: None }
    }

    /// This instance with bodies of revolution that spin as they do at the start, as far as joints
    /// let them and nothing changes as they turn: all of them, or else those that may do so alone.
    pub fn with_spins(self, start: &[Motion<f64>], memory: &[f64]) -> SteadyInstance<'a> {
        let turning = self.turning(start).into_iter().enumerate();
        let all: Vec<Vec3<f64>> = turning.map(|(b, rate)| self.spin_of(b, rate)).collect();
        if all.iter().all(|spin| *spin == [0.0; 3]) {
            return self;
        }
        let none = vec![[0.0; 3]; all.len()];
        let all = SteadyInstance { spins: all, ..self };
        if all.spins_on(start, memory) {
            return all;
        }
        // A beam turns with both its ends.
        let elements = &self.model.mechanism().beam_elements;
        let bends = |b: usize| elements.iter().flat_map(|element| &element.points).any(|p| p.body == Some(b));
        let spins = (0..none.len()).map(|b| {
            if bends(b) {
                return [0.0; 3];
            }
            let mut one = SteadyInstance { bodies: all.bodies.clone(), spins: none.clone(), ..all };
            one.spins[b] = all.spins[b];
            if one.is_spinning() && one.spins_on(start, memory) { one.spins[b] } else { [0.0; 3] }
        });
        let spins = spins.collect();
        SteadyInstance { spins, ..all }
    }

    /// Returns the rates at the start besides that of the whole: by body, its axes (rad/s).
    pub fn turning(&self, start: &[Motion<f64>]) -> Vec<Vec3<f64>> {
        let fastest = start.iter().map(|motion| length(motion.w)).fold(self.rotation.speed(), f64::max);
        let turns = |(b, motion): (usize, &Motion<f64>)| {
            let rate = sub(motion.w, self.rotation.velocities(motion, self.bodies[b].moves).w);
            if length(rate) > STILL * fastest { rate } else { [0.0; 3] }
        };
        start.iter().enumerate().map(turns).collect()
    }

    /// Bodies that spin about a principal axis across which their moments of inertia differ by
    /// little: the body, and the two moments.
    pub fn nearly_round(&self, start: &[Motion<f64>]) -> Vec<(usize, [usize; 2])> {
        let round = |(b, spin): (usize, Vec3<f64>)| {
            let axis = (0..3).max_by(|i, k| spin[*i].abs().total_cmp(&spin[*k].abs()))?;
            let across = [(axis + 1) % 3, (axis + 2) % 3];
            let j = self.bodies[b].inertia;
            let [one, other] = across.map(|k| j[k]);
            let apart = (one - other).abs() / one.max(other);
            let is_along = across.iter().all(|k| spin[*k].abs() <= ALIKE * spin[axis].abs());
            let is_rigid = self.bodies[b].deformation.is_none();
            (is_along && is_rigid && apart > ALIKE && apart <= NEARLY_ALIKE).then_some((b, across))
        };
        self.turning(start).into_iter().enumerate().filter_map(round).collect()
    }

    /// Positions of the momenta of rotors among all velocities.
    fn rotors(&self) -> std::ops::Range<usize> {
        let mechanism = self.model.mechanism();
        let Some(carrier) = mechanism.carrier() else { return 0..0 };
        let first = self.first_of_bodies()[carrier] + frame_width(&self.bodies[carrier]);
        first + mechanism.states.len()..first + mechanism.carried()
    }

    /// Whether a rotor that spins in its body at the start stands still in it here.
    pub fn rotors_stop(&self, start: &Posture, posture: &Posture) -> bool {
        let system = self.system(&posture.memory, |x| x);
        self.rotors().enumerate().any(|(k, _)| {
            let [first, now] = [start, posture].map(|at| system.spin(k, &at.motions).speed);
            first.abs() > STILL * self.rotation.speed() && now.abs() <= STOPPED * first.abs()
        })
    }

    /// The share of its rate by which the spin that loses most changes in a second (1/s).
    pub fn slowing(&self, posture: &Posture) -> f64 {
        let excess = self.excess_of_all(posture);
        let states = self.model.mechanism().states.len();
        let carrier = self.model.mechanism().carrier();
        let of_rotor = |(k, at): (usize, usize)| {
            let momentum = carrier.map_or(0.0, |b| posture.motions[b].modal.rates[states + k]);
            if momentum == 0.0 { 0.0 } else { excess[at] / momentum }
        };
        let of_spins = self
            .first_of_bodies()
            .into_iter()
            .zip(&self.spins)
            .map(|(first, spin)| share(&excess, first, *spin));
        largest(of_spins.chain(self.rotors().enumerate().map(of_rotor)))
    }

    /// Whether anything spins.
    pub fn is_spinning(&self) -> bool {
        self.spins.iter().any(|spin| *spin != [0.0; 3])
    }

    /// The spin of a body of revolution that turns so; zero of any other body.
    fn spin_of(&self, b: usize, spin: Vec3<f64>) -> Vec3<f64> {
        let body = &self.bodies[b];
        let square = dot(spin, spin);
        if square == 0.0 || body.deformation.is_some() || self.model.mechanism().bodies[b].is_point {
            return [0.0; 3];
        }
        let j = body.inertia;
        let along = (0..3).map(|k| j[k] * spin[k] * spin[k]).sum::<f64>() / square;
        let across = (j.iter().sum::<f64>() - along) / 2.0;
        // J = along n n^T + across (1 - n n^T)
        let off = |i: usize, k: usize| {
            let part = (along - across) * spin[i] * spin[k] / square;
            if i == k { j[i] - across - part } else { part }
        };
        let most = largest((0..9).map(|i| off(i / 3, i % 3)));
        if most <= ALIKE * largest(j.into_iter()) { spin } else { [0.0; 3] }
    }

    /// Whether joints let bodies spin so, and nothing changes as they turn.
    fn spins_on(&self, start: &[Motion<f64>], memory: &[f64]) -> bool {
        let Ok(posture) = self.closed(self.posture(start, memory)) else { return false };
        if self.moved_otherwise(&posture).is_some() {
            return false;
        }
        let Ok(equations) = self.linearised(&posture) else { return false };
        let turn = |spin: &Vec3<f64>| match length(*spin) {
            0.0 => [1.0, 0.0, 0.0, 0.0],
            rate => exponential([1.0, 0.0, 0.0, 0.0], scale(TURNED / rate, *spin)),
        };
        let turns: Vec<[f64; 4]> = self.spins.iter().map(turn).collect();
        let pairs = posture.motions.iter().zip(&turns);
        let motions: Vec<Motion<f64>> =
            pairs.map(|(motion, turn)| Motion { q: product(motion.q, *turn), ..motion.clone() }).collect();
        let spun = self.posture(&motions, &posture.memory);
        let firsts = self.first_of_bodies();
        // Rotations in the axes that do not spin, and in those of the bodies.
        let turned = |columns: &DMatrix<f64>, by: fn([f64; 4], Vec3<f64>) -> Vec3<f64>| {
            let mut all = columns.clone();
            for (first, turn) in firsts.iter().zip(&turns) {
                for mut column in all.column_iter_mut() {
                    let w = by(*turn, [column[*first], column[first + 1], column[first + 2]]);
                    (0..3).for_each(|k| column[first + k] = w[k]);
                }
            }
            all
        };
        let along = |columns: &DMatrix<f64>| turned(columns, to_body);
        let back = |columns: DMatrix<f64>| turned(&columns, to_space);
        self.is_same_at(&posture, &equations, &spun, along, back)
    }

    pub fn rotation(&self) -> SteadyRotation {
        self.rotation
    }

    /// Number of velocities, states of laws among them.
    pub fn width(&self) -> usize {
        self.bodies.iter().zip(self.model.modes()).map(|(body, modes)| frame_width(body) + modes).sum()
    }

    /// Where the velocities of each body begin.
    pub fn first_of_bodies(&self) -> Vec<usize> {
        let mut next = 0;
        let first_of = |(body, modes): (&BodyConstants<f64>, usize)| {
            let first = next;
            next += frame_width(body) + modes;
            first
        };
        self.bodies.iter().zip(self.model.modes()).map(first_of).collect()
    }

    /// Whether body b moves, or has a fixed point.
    pub fn moves(&self, b: usize) -> bool {
        self.bodies[b].moves
    }

    /// By velocity, whether it is a state of a law.
    pub(super) fn states(&self) -> Vec<bool> {
        let carrier = self.model.mechanism().carrier();
        let states = |(b, (body, modes)): (usize, (&BodyConstants<f64>, usize))| {
            let frame = frame_width(body);
            (0..frame + modes).map(move |k| carrier == Some(b) && k >= frame)
        };
        self.bodies.iter().zip(self.model.modes()).enumerate().flat_map(states).collect()
    }

    /// Bodies where these motions have them, turning with the whole.
    pub fn posture(&self, motions: &[Motion<f64>], memory: &[f64]) -> Posture {
        let carrier = self.model.mechanism().carrier();
        let turning = |(b, motion): (usize, &Motion<f64>)| {
            let Velocities { w, v, modal } = self.rotation.velocities(motion, self.bodies[b].moves);
            let ModalCoordinates { amplitudes, rates } = &motion.modal;
            let rates = if carrier == Some(b) { rates.clone() } else { modal };
            let v = if self.bodies[b].moves { v } else { motion.v };
            let w = add(w, self.spins[b]);
            Motion { w, v, modal: ModalCoordinates { amplitudes: amplitudes.clone(), rates }, ..*motion }
        };
        let motions: Vec<Motion<f64>> = motions.iter().enumerate().map(turning).collect();
        let constraints = self.model.held_now(&|p| self.parameters[p], memory);
        let is_sampled = self.model.mechanism().sampled_signals().next().is_some();
        let sampled = is_sampled.then(|| {
            let mut system = self.system(memory, |x| x);
            system.sample_at_rest(&motions);
            system.held_signals().to_vec()
        });
        let remembered = |(item, was): (&Memory, &f64)| match item {
            Memory::Coordinate(turning) => constraints.coordinate(*turning, &motions).violation,
            Memory::Held(signal) => sampled.as_ref().and_then(|all| all[*signal]).unwrap_or(*was),
            _ => *was,
        };
        let memory = self.model.memory().iter().zip(memory).map(remembered).collect();
        Posture { motions, memory }
    }

    /// The posture near by where all joints are closed.
    ///
    /// # Errors
    /// They cannot be closed.
    pub fn closed(&self, posture: Posture) -> Result<Posture, NotSteady> {
        let mut posture = posture;
        let mut before = f64::INFINITY;
        let rounding = CLOSED_TO_ROUNDING * self.farthest(&posture).max(1.0);
        let closed = CLOSED.max(rounding);
        for _ in 0..MOST_CLOSINGS {
            let violation = largest(self.rows(&posture).iter().map(|row| row.violation));
            if !violation.is_finite() {
                break;
            }
            let falls = violation <= before / 10.0;
            if violation <= rounding || violation <= closed && !falls {
                return Ok(posture);
            }
            before = violation;
            let system = self.system(&posture.memory, |x| x);
            let motions = system.projected(&posture.motions);
            let motions: Vec<Motion<f64>> = motions.into_iter().map(Motion::normalised).collect();
            posture = self.posture(&motions, &posture.memory);
        }
        let violation = largest(self.rows(&posture).iter().map(|row| row.violation));
        if violation <= 100.0 * closed { Ok(posture) } else { Err(NotSteady::NotClosed) }
    }

    /// The posture moved along velocities `by` over a unit of time; states of laws change by
    /// theirs.
    pub fn moved(&self, posture: &Posture, by: &DVector<f64>) -> Posture {
        let carrier = self.model.mechanism().carrier();
        let moved = |(b, (motion, by)): (usize, (&Motion<f64>, Velocities<f64>))| {
            let sums = |a: &[f64]| a.iter().zip(&by.modal).map(|(a, b)| a + b).collect::<Vec<f64>>();
            let ModalCoordinates { amplitudes, rates } = &motion.modal;
            let modal = match carrier == Some(b) {
                true => ModalCoordinates { amplitudes: amplitudes.clone(), rates: sums(rates) },
                false => ModalCoordinates { amplitudes: sums(amplitudes), rates: rates.clone() },
            };
            Motion { q: exponential(motion.q, by.w), r: add(motion.r, by.v), modal, ..motion.clone() }
        };
        let by = self.by_body(by.as_slice());
        let motions: Vec<Motion<f64>> = posture.motions.iter().zip(by).enumerate().map(moved).collect();
        self.posture(&motions, &posture.memory)
    }

    pub(super) fn system<R: Real>(&self, memory: &[f64], constant: impl Fn(f64) -> R) -> System<R> {
        let memory: Vec<R> = memory.iter().map(|x| constant(*x)).collect();
        let parameter = |p: usize| constant(self.parameters[p]);
        let factor = |_: usize, span: usize| constant(self.factors[span]);
        self.model.system(&[Sample::new(0.0, 1.0, 0.0)], &parameter, &memory, &factor)
    }

    /// Rows of all that holds, at the instant that the memory knows.
    pub(super) fn rows(&self, posture: &Posture) -> Vec<Row<f64>> {
        let system = self.system(&posture.memory, |x| x);
        system.constraint_set().rows_without_locks(&posture.motions, system.time(0.0))
    }

    /// G of these motions.
    fn unsteadiness<R: Real>(&self, system: &System<R>, motions: &[Motion<R>]) -> Vec<R> {
        let mut all = Vec::with_capacity(self.width());
        let bodies = self.bodies.iter().zip(&self.spins);
        for ((motion, (body, spin)), a) in motions.iter().zip(bodies).zip(system.accelerations(motions)) {
            let steady = self.rotation.velocities(motion, body.moves);
            let apart = sub(motion.w, steady.w);
            let turning = add(a.w, cross(apart, steady.w));
            let spins = *spin != [0.0; 3];
            all.extend(if spins {
                add(turning, cross(spin.map(|x| apart[0].lift(x)), apart))
            } else {
                turning
            });
            if body.moves {
                let rate = self.rotation.rate.map(|x| motion.q[0].lift(x));
                let twice = add(motion.v, sub(motion.v, steady.v));
                all.extend(sub(a.v, cross(rate, twice)));
            }
            all.extend(a.modal);
        }
        all
    }

    /// G of a posture, where the whole turns steadily (rad/s², m/s², rates of modal coordinates and
    /// of states of laws).
    pub fn excess(&self, posture: &Posture) -> DVector<f64> {
        let mut excess = self.excess_of_all(posture);
        match self.coasting {
            None => {}
            Some(KeptBy::Outside) => {
                for (first, spin) in self.first_of_bodies().into_iter().zip(&self.spins) {
                    let share = share(&excess, first, *spin);
                    (0..3).for_each(|k| excess[first + k] -= share * spin[k]);
                }
                self.rotors().for_each(|momentum| excess[momentum] = 0.0);
            }
            Some(KeptBy::Motor) => {
                if let Some(driven) = self.driven(posture, &excess) {
                    excess -= driven;
                }
            }
        }
        excess
    }

    /// The accelerations by motors that give spins and rotors those of their own; `None`: there is
    /// nothing to drive.
    fn driven(&self, posture: &Posture, excess: &DVector<f64>) -> Option<DVector<f64>> {
        let (torques, spinning): (Vec<_>, Vec<_>) = self.motors(posture).into_iter().unzip();
        let [_, free] = self.directions(posture).ok().filter(|_| !torques.is_empty())?;
        let (torques, spinning) = (DMatrix::from_columns(&torques), DMatrix::from_columns(&spinning));
        let moved = &free.along * free.along.tr_mul(&torques);
        let sizes = spinning.tr_mul(&moved).lu().solve(&spinning.tr_mul(excess))?;
        Some(moved * sizes)
    }

    /// By spin and rotor, a motor's torques of 1 N m on all velocities, and the velocities of the
    /// spin that it drives.
    fn motors(&self, posture: &Posture) -> Vec<(DVector<f64>, DVector<f64>)> {
        let (motions, mechanism, firsts) = (&posture.motions, self.model.mechanism(), self.first_of_bodies());
        let turning = |parts: &[(usize, Vec3<f64>)]| {
            let mut all = DVector::zeros(self.width());
            for (b, axis) in parts {
                (0..3).for_each(|k| all[firsts[*b] + k] += axis[k]);
            }
            all
        };
        let of_body = |b: usize| {
            let axis = scale(1.0 / length(self.spins[b]), self.spins[b]);
            let bearing = mechanism.joints.iter().find_map(|joint| {
                let [one, other] = [0, 1].map(|side| joint.points[side].body);
                if one == Some(b) { Some(other) } else { (other == Some(b)).then_some(one) }
            });
            let back = |c: usize| (c, to_body(motions[c].q, to_space(motions[b].q, scale(-1.0, axis))));
            let parts: Vec<_> = std::iter::once((b, axis)).chain(bearing.flatten().map(back)).collect();
            (turning(&parts), turning(&[(b, axis)]))
        };
        let system = self.system(&posture.memory, |x| x);
        let of_rotor = |(k, at): (usize, usize)| {
            let mut unit = motions.clone();
            let carrier = mechanism.carrier()?;
            unit[carrier].modal.rates[mechanism.states.len() + k] = 1.0;
            let Spin { momentum: root, along, .. } = system.spin(k, &unit);
            let Attached::Body(body) = mechanism.rotors().nth(k)?.attached else { return None };
            let torques = turning(&[(body, to_body(motions[body].q, scale(-1.0, along)))]);
            Some((torques + self.only(at) / root, self.only(at)))
        };
        let spinning = (0..self.spins.len()).filter(|b| self.spins[*b] != [0.0; 3]);
        spinning.map(of_body).chain(self.rotors().enumerate().filter_map(of_rotor)).collect()
    }

    /// The excess with the spins' own accelerations, coasting or not.
    fn excess_of_all(&self, posture: &Posture) -> DVector<f64> {
        let system = self.system(&posture.memory, |x| x);
        DVector::from_vec(self.unsteadiness(&system, &posture.motions))
    }

    /// `dG/dx` along displacements (`displaced`), or `dG/ds` along velocities, by columns.
    fn derivatives(&self, posture: &Posture, along: &DMatrix<f64>, displaced: bool) -> DMatrix<f64> {
        let mut system = self.system(&posture.memory, Dual::constant);
        let mut derivatives = DMatrix::zeros(self.width(), along.ncols());
        for (k, by) in along.column_iter().enumerate() {
            let by: Vec<f64> = by.iter().copied().collect();
            let motions = self.varied(posture, &by, displaced);
            system.sample_at_rest(&motions);
            for (i, g) in self.unsteadiness(&system, &motions).iter().enumerate() {
                derivatives[(i, k)] = g.tangent;
            }
        }
        derivatives
    }

    /// The motions with their derivatives along a displacement, the whole turning as before, or
    /// along velocities.
    pub(super) fn varied(&self, posture: &Posture, by: &[f64], displaced: bool) -> Vec<Motion<Dual<f64>>> {
        let carrier = self.model.mechanism().carrier();
        let varied = |(b, (motion, by)): (usize, (&Motion<f64>, Velocities<f64>))| {
            let zeros = || vec![0.0; by.modal.len()];
            let moves = self.bodies[b].moves;
            let steady = self.rotation.velocities(motion, moves);
            // A displaced body turns and moves as the whole does at its new place.
            let (turn, w) = if displaced { (by.w, cross(steady.w, by.w)) } else { ([0.0; 3], by.w) };
            let (place, v) = match displaced {
                true if moves => (by.v, cross(self.rotation.rate, by.v)),
                true => ([0.0; 3], [0.0; 3]),
                false => ([0.0; 3], by.v),
            };
            let (amplitudes, rates) = match displaced && carrier != Some(b) {
                true => (by.modal.clone(), zeros()),
                false => (zeros(), by.modal.clone()),
            };
            let q = times_vector(motion.q, scale(0.5, turn));
            let pairs = |values: &[f64], tangents: &[f64]| values.iter().zip(tangents).map(dual).collect();
            let three = |values: Vec3<f64>, tangents: Vec3<f64>| {
                std::array::from_fn(|i| dual((&values[i], &tangents[i])))
            };
            Motion {
                q: std::array::from_fn(|i| dual((&motion.q[i], &q[i]))),
                w: three(motion.w, w),
                r: three(motion.r, place),
                v: three(motion.v, v),
                modal: ModalCoordinates {
                    amplitudes: pairs(&motion.modal.amplitudes, &amplitudes),
                    rates: pairs(&motion.modal.rates, &rates),
                },
            }
        };
        posture.motions.iter().zip(self.by_body(by)).enumerate().map(varied).collect()
    }

    /// A list of all velocities, body by body.
    pub fn by_body(&self, all: &[f64]) -> Vec<Velocities<f64>> {
        let mut rest = all;
        let mut take = |count: usize| {
            let (first, after) = rest.split_at(count);
            rest = after;
            first
        };
        let three = |v: &[f64]| [v[0], v[1], v[2]];
        let velocities = |(body, modes): (&BodyConstants<f64>, usize)| {
            let w = three(take(3));
            let v = if body.moves { three(take(3)) } else { [0.0; 3] };
            Velocities { w, v, modal: take(modes).to_vec() }
        };
        self.bodies.iter().zip(self.model.modes()).map(velocities).collect()
    }

    /// L with `L L^T = M^-1`, M the masses of the bodies where they are; 1 for states of laws.
    pub(super) fn lower(&self, posture: &Posture) -> Option<DMatrix<f64>> {
        let n = self.width();
        let mut mobility = DMatrix::zeros(n, n);
        let mut first = 0;
        for ((body, motion), modes) in self.bodies.iter().zip(&posture.motions).zip(self.model.modes()) {
            let Mobility { inertia, mass, yielding, .. } = body.mobility(motion, None);
            let frame = frame_width(body);
            for k in 3..frame {
                mobility[(first + k, first + k)] = mass;
            }
            let elastic: Vec<usize> = (0..3).chain(frame..frame + modes).collect();
            for (c, column) in elastic.iter().enumerate() {
                let unit = |k: usize| if k == c { 1.0 } else { 0.0 };
                let torque = [unit(0), unit(1), unit(2)];
                let modal: Vec<f64> = (0..modes).map(|k| unit(3 + k)).collect();
                let (w, rates) = match &yielding {
                    Some(yielding) => yielding.solve(torque, &modal),
                    None => ([0, 1, 2].map(|i| inertia[i] * torque[i]), modal),
                };
                for (row, value) in elastic.iter().zip(w.into_iter().chain(rates)) {
                    mobility[(first + row, first + column)] = value;
                }
            }
            first += frame + modes;
        }
        let symmetric = (&mobility + mobility.transpose()) / 2.0;
        symmetric.cholesky().map(|factors| factors.unpack())
    }

    /// The directions that joints leave free: of positions, and of velocities with states of laws.
    ///
    /// # Errors
    /// A number is not finite.
    pub fn directions(&self, posture: &Posture) -> Result<[Directions; 2], NotSteady> {
        let lower = self.lower(posture).ok_or(NotSteady::NotFinite)?;
        let rows = self.rows(posture);
        let states = self.states();
        let points = self.turns_of_points();
        let free = |of_positions: bool| {
            let rows = rows.iter().filter(|row| !(of_positions && row.rate_alone));
            let mut constrained: Vec<DVector<f64>> = rows.map(|row| self.row_of(row)).collect();
            constrained.extend(points.iter().cloned());
            if of_positions {
                constrained.extend((0..states.len()).filter(|k| states[*k]).map(|k| self.only(k)));
            }
            free_directions(&scaled(&constrained, &lower), &lower).ok_or(NotSteady::NotFinite)
        };
        let directions = [free(true)?, free(false)?];
        match self.rotation.is_rest() {
            true => Ok(directions),
            false => Ok(self.without_free_translation(posture, directions)),
        }
    }

    /// The velocity k alone.
    fn only(&self, k: usize) -> DVector<f64> {
        DVector::from_fn(self.width(), |i, _| if i == k { 1.0 } else { 0.0 })
    }

    /// The angular velocities of point masses, which do not turn.
    pub(super) fn turns_of_points(&self) -> Vec<DVector<f64>> {
        let firsts = self.first_of_bodies().into_iter().zip(&self.model.mechanism().bodies);
        let points = firsts.filter(|(_, body)| body.is_point);
        points.flat_map(|(first, _)| first..first + 3).map(|k| self.only(k)).collect()
    }

    /// The rows of all that holds, of unit length where masses are 1.
    fn scaled_rows(&self, posture: &Posture) -> Option<DMatrix<f64>> {
        let constrained: Vec<DVector<f64>> = self.rows(posture).iter().map(|row| self.row_of(row)).collect();
        Some(scaled(&constrained, &self.lower(posture)?))
    }

    /// The row of those that depend on others at this posture, and do not beside it, that closes
    /// the loop: there the motion could go on in more ways than one. `None`: the rank is nowhere
    /// near greater than here.
    fn singular_row(&self, posture: &Posture) -> Option<usize> {
        // Rows of an open chain are independent wherever its bodies are.
        let follows = self.model.mechanism().generators.iter().any(|generator| generator.follows.is_some());
        if !follows && !self.model.mechanism().joints_that_close().into_iter().any(|closes| closes) {
            return None;
        }
        let here = self.scaled_rows(posture)?;
        let (values, _) = decomposed(&here)?;
        let rank = rank(&values);
        if rank == here.nrows() {
            return None;
        }
        let greater = |way: &u64| {
            let near = self.closed(self.aside(posture, *way, BESIDE)?).ok()?;
            let beside = self.scaled_rows(&near)?;
            (self::rank(&decomposed(&beside)?.0) > rank).then_some(beside)
        };
        let beside = (0..WAYS).find_map(|way| greater(&way))?;
        // Sums of rows that are nothing here: the one of which most is left beside.
        let sums = null_space(&here.transpose())?;
        let left = |sum: &DVector<f64>| beside.tr_mul(sum).norm();
        let sums = sums.column_iter().map(|sum| sum.into_owned());
        let most = sums.max_by(|a, b| left(a).total_cmp(&left(b)))?;
        (0..most.len()).rfind(|row| most[*row].abs() > REDUNDANT)
    }

    /// The posture moved so far (rad, or of the size) in no particular direction, as far as joints
    /// let it to first order.
    pub(super) fn aside(&self, posture: &Posture, way: u64, by: f64) -> Option<Posture> {
        let [positions, _] = self.directions(posture).ok()?;
        let share = |k: usize| (1.0 + k as f64 * 1.618 + way as f64 * 2.399).sin();
        let wish = &positions.along * DVector::from_fn(positions.along.ncols(), |k, _| share(k));
        let longest = self.longest_part(&wish, self.size(posture));
        (longest > 0.0).then(|| self.moved(posture, &(wish * (by / longest))))
    }

    /// A row by all velocities.
    pub(super) fn row_of(&self, row: &Row<f64>) -> DVector<f64> {
        let firsts = self.first_of_bodies();
        let mut all = DVector::zeros(self.width());
        for part in &row.parts {
            let (first, body) = (firsts[part.body], &self.bodies[part.body]);
            let v = part.v.filter(|_| body.moves).into_iter().flatten();
            let numbers = part.w.into_iter().chain(v).chain(part.modal.iter().copied());
            // A body that moves without a part of its velocity has zeros there.
            let width = frame_width(body) + part.modal.len();
            let skipped = if part.v.is_none() && body.moves { 3 } else { 0 };
            for (k, x) in numbers.enumerate() {
                let at = if k < 3 { k } else { k + skipped };
                if at < width {
                    all[first + at] += x;
                }
            }
        }
        all
    }

    /// The directions without the uniform translations that change no force. Seen from turning axes
    /// a uniform motion is a spiral of the rotation's frequency, which is no vibration.
    fn without_free_translation(&self, posture: &Posture, directions: [Directions; 2]) -> [Directions; 2] {
        if !self.bodies.iter().all(|body| body.moves) {
            return directions;
        }
        let firsts = self.first_of_bodies();
        let translations = DMatrix::from_fn(self.width(), 3, |i, k| {
            let is = firsts.iter().any(|first| *first + 3 + k == i);
            if is { 1.0 } else { 0.0 }
        });
        if self.rows(posture).iter().any(|row| (translations.tr_mul(&self.row_of(row))).amax() > REDUNDANT) {
            return directions;
        }
        // Free of forces, a translation d changes G by -Omega x (Omega x d), a velocity d by -2
        // Omega x d.
        let is_free = [true, false].into_iter().all(|displaced| {
            let derivatives = self.derivatives(posture, &translations, displaced);
            let known = DMatrix::from_fn(self.width(), 3, |i, k| {
                let Some(axis) = (0..3).find(|axis| firsts.iter().any(|first| first + 3 + axis == i)) else {
                    return 0.0;
                };
                let once = cross(self.rotation.rate, unit(k));
                if displaced { -cross(self.rotation.rate, once)[axis] } else { -2.0 * once[axis] }
            });
            let size = if displaced { self.rotation.speed().powi(2) } else { self.rotation.speed() };
            (derivatives - known).amax() <= TURNS_ALONG * size
        });
        if !is_free {
            return directions;
        }
        directions.map(|Directions { along, coordinates }| {
            // In coordinates along the directions, which are orthonormal, translations are left
            // out.
            let inside = &coordinates * &translations;
            let complement = null_space(&inside.transpose());
            match complement {
                Some(complement) => Directions {
                    along: &along * &complement,
                    coordinates: complement.transpose() * &coordinates,
                },
                None => Directions { along, coordinates },
            }
        })
    }

    /// The equations about a steady state.
    ///
    /// # Errors
    /// A number is not finite.
    pub fn linearised(&self, posture: &Posture) -> Result<LinearEquations, NotSteady> {
        let [positions, velocities] = self.directions(posture)?;
        let equations = LinearEquations {
            kinematic: &positions.coordinates * &velocities.along,
            stiffness: &velocities.coordinates * self.derivatives(posture, &positions.along, true),
            damping: &velocities.coordinates * self.derivatives(posture, &velocities.along, false),
            positions,
            velocities,
        };
        let all = equations.stiffness.iter().chain(equations.damping.iter());
        if all.copied().all(f64::is_finite) { Ok(equations) } else { Err(NotSteady::NotFinite) }
    }

    /// Returns the terms of a posture that the search for an equilibrium needs: G along the
    /// velocities' directions, and its derivative along `unknowns`, displacements and states of
    /// laws: by columns, as velocities over a unit of time.
    pub(super) fn residual(&self, posture: &Posture) -> Result<Residual, NotSteady> {
        let [positions, velocities] = self.directions(posture)?;
        let value = &velocities.coordinates * self.excess(posture);
        let states = self.states();
        let own: Vec<usize> = (0..states.len()).filter(|k| states[*k]).collect();
        let n = states.len();
        let state_columns = DMatrix::from_fn(n, own.len(), |i, k| if i == own[k] { 1.0 } else { 0.0 });
        let by_place = self.derivatives(posture, &positions.along, true);
        let by_state = self.derivatives(posture, &state_columns, false);
        let columns = positions.along.ncols() + own.len();
        let joined = |left: &DMatrix<f64>, right: &DMatrix<f64>| {
            let mut all = DMatrix::zeros(n, columns);
            all.columns_mut(0, left.ncols()).copy_from(left);
            all.columns_mut(left.ncols(), right.ncols()).copy_from(right);
            all
        };
        let derivative = &velocities.coordinates * joined(&by_place, &by_state);
        let finite = value.iter().chain(derivative.iter()).all(|x| x.is_finite());
        let unknowns = joined(&positions.along, &state_columns);
        let metric = &velocities.coordinates * &unknowns;
        if finite {
            let Directions { along, coordinates, .. } = velocities;
            Ok(Residual { value, derivative, metric, unknowns, along, coordinates })
        } else {
            Err(NotSteady::NotFinite)
        }
    }

    /// The body on which a force jumps at this posture, most of all: on both sides of it, however
    /// near, it differs.
    ///
    /// # Errors
    /// A number is not finite.
    pub fn jumps(&self, posture: &Posture) -> Result<Option<usize>, NotSteady> {
        let [positions, velocities] = self.directions(posture)?;
        let size = self.size(posture);
        let change = |by: &DVector<f64>, displaced: bool, apart: f64| {
            let by = by * (apart / self.longest_part(by, size));
            let varied = self.varied(posture, by.as_slice(), displaced);
            let side = |sign: f64| {
                let at = |x: Dual<f64>| x.value + sign * x.tangent;
                let list = |all: &[Dual<f64>]| all.iter().copied().map(at).collect();
                let moved = |Motion { q, w, r, v, modal }: &Motion<Dual<f64>>| Motion {
                    q: q.map(at),
                    w: w.map(at),
                    r: r.map(at),
                    v: v.map(at),
                    modal: ModalCoordinates {
                        amplitudes: list(&modal.amplitudes),
                        rates: list(&modal.rates),
                    },
                };
                let motions: Vec<Motion<f64>> = varied.iter().map(moved).collect();
                let mut system = self.system(&posture.memory, |x| x);
                system.sample_at_rest(&motions);
                DVector::from_vec(self.unsteadiness(&system, &motions))
            };
            side(1.0) - side(-1.0)
        };
        let columns = |directions: &Directions, displaced: bool| -> Vec<(DVector<f64>, bool)> {
            directions.along.column_iter().map(|column| (column.into_owned(), displaced)).collect()
        };
        let least = JUMPED * self.excess(posture).norm().max(1.0);
        let mut jumps = DVector::zeros(self.width());
        for (by, displaced) in [columns(&positions, true), columns(&velocities, false)].concat() {
            if self.longest_part(&by, size) > 0.0 {
                let (far, near) = (change(&by, displaced, ASIDE), change(&by, displaced, ASIDE / 8.0));
                if near.norm() > 0.5 * far.norm() && near.norm() > least {
                    jumps = near;
                }
            }
        }
        let jumps_at = |body: &usize| self.energies(posture, jumps.as_slice())[*body] > 0.0;
        Ok(self.most_of(posture, &jumps).filter(jumps_at))
    }

    /// Refuses what moves or accelerates bodies otherwise than the steady rotation does, and loads
    /// that do not turn with it.
    ///
    /// # Errors
    /// The state is not steady, for the reason that the error gives.
    pub fn check(&self, posture: &Posture) -> Result<(), NotSteady> {
        let rows = self.rows(posture);
        let speed = self.speed();
        let owner = |row: usize| owner_of(self.model.mechanism(), row);
        if let Some((row, rate)) = self.moved_otherwise(posture) {
            return Err(match rows[row].own_rate {
                Some(_) => NotSteady::Moved(owner(row), rate),
                None => NotSteady::Holds(owner(row), rate),
            });
        }
        if let Some(row) = self.singular_row(posture) {
            return Err(NotSteady::Singular(owner(row)));
        }
        let excess = self.excess(posture);
        let accelerations = self.by_body(excess.as_slice());
        let system = self.system(&posture.memory, |x| x);
        let whole = system.accelerations(&posture.motions);
        let size = largest(whole.iter().flat_map(|a| a.w.into_iter().chain(a.v).chain(a.modal.clone())));
        for (k, row) in rows.iter().enumerate() {
            let acceleration = row.acceleration(&accelerations);
            if acceleration.abs() > UNSTEADY * (size + speed * speed).max(1.0) {
                return Err(match row.own_rate {
                    Some(_) => NotSteady::Accelerated(owner(k), acceleration),
                    None => NotSteady::Unsolved(owner(k), acceleration),
                });
            }
        }
        Ok(())
    }

    /// The first row that demands a velocity besides the steady ones, and that.
    fn moved_otherwise(&self, posture: &Posture) -> Option<(usize, f64)> {
        let rates = self.rows(posture).into_iter().enumerate().map(|(k, row)| {
            let size = largest(self.row_of(&row).iter().copied());
            (k, row.rate(&posture.motions), size)
        });
        let speed = self.speed();
        let mut moved = rates.filter(|(_, rate, size)| rate.abs() > UNSTEADY * (size * speed).max(1.0));
        moved.next().map(|(k, rate, _)| (k, rate))
    }

    /// Rate of the whole, and of the body that spins fastest (rad/s).
    fn speed(&self) -> f64 {
        self.rotation.speed() + self.spins.iter().map(|spin| length(*spin)).fold(0.0, f64::max)
    }

    /// Refuses equations that change as the whole turns about its axis.
    ///
    /// # Errors
    /// [`NotSteady::NotTurning`].
    pub fn check_turning(&self, posture: &Posture, equations: &LinearEquations) -> Result<(), NotSteady> {
        if self.rotation.is_rest() {
            return Ok(());
        }
        let speed = self.rotation.speed();
        let turn = scale(TURNED / speed, self.rotation.rate);
        let one = exponential([1.0, 0.0, 0.0, 0.0], turn);
        let turned = |(b, motion): (usize, &Motion<f64>)| {
            let r = match self.bodies[b].moves {
                true => add(self.rotation.through, to_space(one, sub(motion.r, self.rotation.through))),
                false => motion.r,
            };
            Motion { q: product(one, motion.q), r, ..motion.clone() }
        };
        let motions: Vec<Motion<f64>> = posture.motions.iter().enumerate().map(turned).collect();
        let turned = self.posture(&motions, &posture.memory);
        let along = |columns: &DMatrix<f64>| self.turned(columns, one);
        let back = |columns: DMatrix<f64>| self.turned(&columns, [one[0], -one[1], -one[2], -one[3]]);
        if self.is_same_at(posture, equations, &turned, along, back) {
            Ok(())
        } else {
            Err(NotSteady::NotTurning)
        }
    }

    /// Whether the equations are those of another posture; `along` takes columns of velocities
    /// there, `back` from there.
    fn is_same_at(
        &self,
        posture: &Posture,
        equations: &LinearEquations,
        turned: &Posture,
        along: impl Fn(&DMatrix<f64>) -> DMatrix<f64>,
        back: impl Fn(DMatrix<f64>) -> DMatrix<f64>,
    ) -> bool {
        let speed = self.speed();
        let coordinates = &equations.velocities.coordinates;
        let stiffness =
            coordinates * back(self.derivatives(turned, &along(&equations.positions.along), true));
        let damping =
            coordinates * back(self.derivatives(turned, &along(&equations.velocities.along), false));
        let excess = self.excess(turned);
        let excess = coordinates * back(DMatrix::from_column_slice(excess.len(), 1, excess.as_slice()));
        let here = coordinates * self.excess(posture);
        let differ = |a: &DMatrix<f64>, b: &DMatrix<f64>, size: f64| {
            // A number that is not finite differs: NaN compares false.
            let is_same = (a - b).amax() <= TURNS_ALONG * b.amax().max(size);
            !is_same
        };
        // Rounding of stiff springs, and of places far from the origin, is no change.
        let (stiffest, extent) = (equations.stiffness.amax(), self.extent(posture));
        let rounded = 1e-7 * stiffest * (extent + self.rounded_reach(posture));
        let size = largest(here.iter().copied()).max(speed * speed * extent).max(rounded);
        let here = DMatrix::from_column_slice(here.len(), 1, here.as_slice());
        let changes = !excess.is_empty()
            && (differ(&stiffness, &equations.stiffness, speed * speed)
                || differ(&damping, &equations.damping, speed.max(1e-3 * stiffest.sqrt()))
                || differ(&excess, &here, size));
        !changes
    }

    /// Velocities by columns with their parts in space axes turned.
    fn turned(&self, columns: &DMatrix<f64>, by: [f64; 4]) -> DMatrix<f64> {
        let mut turned = columns.clone();
        let firsts = self.first_of_bodies();
        for first in (0..firsts.len()).filter(|b| self.bodies[*b].moves).map(|b| firsts[b] + 3) {
            for mut column in turned.column_iter_mut() {
                let v = to_space(by, [column[first], column[first + 1], column[first + 2]]);
                (0..3).for_each(|k| column[first + k] = v[k]);
            }
        }
        turned
    }

    /// The reach of the mechanism, weighed by masses: the root of
    /// `sum m |r - mean|² + trace of J / 2` (kg^1/2 m).
    pub fn extent(&self, posture: &Posture) -> f64 {
        let places = || self.bodies.iter().zip(&posture.motions).filter(|(body, _)| body.moves);
        let moving: f64 = places().map(|(body, _)| body.mass).sum();
        let centre =
            places().fold([0.0; 3], |sum, (body, motion)| add(sum, scale(body.mass / moving, motion.r)));
        let off = |(body, motion): (&BodyConstants<f64>, &Motion<f64>)| {
            let off = sub(motion.r, centre);
            body.mass * dot(off, off)
        };
        let apart: f64 = places().map(off).sum();
        let turning: f64 = self.bodies.iter().map(|body| body.inertia.iter().sum::<f64>() / 2.0).sum();
        (apart + turning).sqrt()
    }

    /// Largest distance of mass centres and points of joints from their middle (m): the size of the
    /// mechanism, whatever the bodies weigh. At least the [extent](Self::extent) of its mean mass.
    pub(super) fn size(&self, posture: &Posture) -> f64 {
        let constraints = self.model.held_now(&|p| self.parameters[p], &posture.memory);
        let joints = constraints.joints.iter().flat_map(|joint| &joint.sides);
        let joints = joints.map(|side| side.point(&posture.motions).0);
        let centres = self.bodies.iter().zip(&posture.motions).filter(|(body, _)| body.moves);
        let places: Vec<Vec3<f64>> = joints.chain(centres.map(|(_, motion)| motion.r)).collect();
        let middle = places.iter().fold([0.0; 3], |sum, r| add(sum, scale(1.0 / places.len() as f64, *r)));
        let away = places.iter().map(|r| length(sub(*r, middle))).fold(0.0, f64::max);
        away.max(self.extent(posture) / self.total_mass().sqrt())
    }

    /// The largest distance of a mass centre from the origin (m): places are rounded by that.
    fn farthest(&self, posture: &Posture) -> f64 {
        let places = self.bodies.iter().zip(&posture.motions).filter(|(body, _)| body.moves);
        places.map(|(_, motion)| length(motion.r)).fold(0.0, f64::max)
    }

    /// That distance weighed by masses, as the extent (kg^1/2 m).
    pub(super) fn rounded_reach(&self, posture: &Posture) -> f64 {
        self.farthest(posture) * self.total_mass().sqrt()
    }

    /// Mass of all bodies (kg).
    pub fn total_mass(&self) -> f64 {
        self.bodies.iter().map(|body| body.mass).sum()
    }

    /// The size of the loads along directions, weighed by masses, where weight and rotation make
    /// them (kg^1/2 m/s²).
    pub(super) fn loads_scale(&self, extent: f64) -> f64 {
        let gravity = super::vector(&|p| self.parameters[p], self.model.first.gravity);
        length(gravity) * self.total_mass().sqrt() + self.rotation.speed().powi(2) * extent
    }

    /// The largest change of a state of a law, as a share of its size where that is above 1.
    pub(super) fn state_steps(&self, posture: &Posture, by: &DVector<f64>) -> f64 {
        let Some(carrier) = self.model.mechanism().carrier() else { return 0.0 };
        let values = &posture.motions[carrier].modal.rates;
        let steps = self.by_body(by.as_slice()).swap_remove(carrier).modal;
        values.iter().zip(steps).map(|(value, step)| step.abs() / value.abs().max(1.0)).fold(0.0, f64::max)
    }

    /// By velocity, its mass (kg, kg m², or that of a modal coordinate); 1 of a state of a law.
    pub fn weights(&self) -> Vec<f64> {
        let weights = |(body, modes): (&BodyConstants<f64>, usize)| {
            let modal = |k: usize| match &body.deformation {
                Some(deformation) => {
                    let rates: Vec<f64> = (0..modes).map(|i| if i == k { 1.0 } else { 0.0 }).collect();
                    2.0 * deformation.kinetic([0.0; 3], &vec![0.0; modes], &rates)
                }
                None => 1.0,
            };
            let frame = body.inertia.into_iter().chain((3..frame_width(body)).map(|_| body.mass));
            frame.chain((0..modes).map(modal)).collect::<Vec<f64>>()
        };
        self.bodies.iter().zip(self.model.modes()).flat_map(weights).collect()
    }

    /// The distance between two postures, weighed by masses: the root of
    /// `sum m |dr|² + dtheta.J dtheta + deta.M deta` as a share of the [extent](Self::extent).
    pub fn distance(&self, one: &Posture, other: &Posture) -> f64 {
        let mut sum = 0.0;
        for ((body, a), b) in self.bodies.iter().zip(&one.motions).zip(&other.motions) {
            if body.moves {
                let apart = sub(a.r, b.r);
                sum += body.mass * dot(apart, apart);
            }
            let turn = crate::math::quaternion::angle(a.q, b.q);
            sum += body.inertia.iter().sum::<f64>() / 2.0 * turn * turn;
            if let Some(deformation) = &body.deformation {
                let pairs = a.modal.amplitudes.iter().zip(&b.modal.amplitudes);
                let apart: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
                sum += 2.0 * deformation.kinetic([0.0; 3], &a.modal.amplitudes, &apart);
            }
        }
        let extent = self.extent(one);
        if extent > 0.0 { sum.max(0.0).sqrt() / extent } else { sum.max(0.0).sqrt() }
    }

    /// Twice the kinetic energy of each body in these velocities, states of laws aside (J).
    pub fn energies(&self, posture: &Posture, velocities: &[f64]) -> Vec<f64> {
        let carrier = self.model.mechanism().carrier();
        let energy = |b: usize,
                      body: &BodyConstants<f64>,
                      motion: &Motion<f64>,
                      velocity: &Velocities<f64>| {
            let own = |modal: &[f64]| match &body.deformation {
                None => (0..3).map(|k| body.inertia[k] * velocity.w[k] * velocity.w[k]).sum::<f64>(),
                Some(deformation) => 2.0 * deformation.kinetic(velocity.w, &motion.modal.amplitudes, modal),
            };
            let modal =
                if carrier == Some(b) && body.deformation.is_none() { &[][..] } else { &velocity.modal };
            own(modal) + body.mass * dot(velocity.v, velocity.v)
        };
        let by_body = self.by_body(velocities);
        let bodies = self.bodies.iter().zip(&posture.motions).zip(&by_body).enumerate();
        bodies.map(|(b, ((body, motion), velocity))| energy(b, body, motion, velocity)).collect()
    }

    /// The rate of a joint's coordinate in these velocities.
    pub fn coordinate_rate(
        &self,
        posture: &Posture,
        measured: crate::describe::JointCoordinate,
        velocities: &[f64],
    ) -> f64 {
        let constraints = self.model.held_now(&|p| self.parameters[p], &posture.memory);
        constraints.coordinate(measured, &posture.motions).acceleration(&self.by_body(velocities))
    }
}

/// The share of its rate by which a spin changes in a second (1/s), whose accelerations begin at
/// `first`; 0: there is none.
fn share(excess: &DVector<f64>, first: usize, spin: Vec3<f64>) -> f64 {
    let along: f64 = (0..3).map(|k| excess[first + k] * spin[k]).sum();
    if spin == [0.0; 3] { 0.0 } else { along / dot(spin, spin) }
}

/// See [`SteadyInstance::residual`].
pub(super) struct Residual {
    pub value: DVector<f64>,
    pub derivative: DMatrix<f64>,
    /// `N^T M U`
    pub metric: DMatrix<f64>,
    /// U
    pub unknowns: DMatrix<f64>,
    /// N.
    pub along: DMatrix<f64>,
    /// `N^T M`
    pub coordinates: DMatrix<f64>,
}

fn frame_width(body: &BodyConstants<f64>) -> usize {
    if body.moves { 6 } else { 3 }
}

fn unit(k: usize) -> Vec3<f64> {
    std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 })
}

fn dual((value, tangent): (&f64, &f64)) -> Dual<f64> {
    Dual { value: *value, tangent: *tangent }
}

/// The largest size; NaN where one is.
fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |largest, x| if x.is_nan() || x.abs() > largest { x.abs() } else { largest })
}

/// These rows of unit length where masses are 1. `lower`: L of `L L^T = M^-1`.
fn scaled(rows: &[DVector<f64>], lower: &DMatrix<f64>) -> DMatrix<f64> {
    let n = lower.nrows();
    let mut scaled = DMatrix::zeros(rows.len(), n);
    for (k, row) in rows.iter().enumerate() {
        let along = lower.tr_mul(row);
        let size = along.norm();
        if size > 0.0 {
            scaled.row_mut(k).copy_from(&(along / size).transpose());
        }
    }
    scaled
}

/// The directions on which none of these [scaled](scaled) rows acts. `lower`: L of `L L^T = M^-1`.
fn free_directions(scaled: &DMatrix<f64>, lower: &DMatrix<f64>) -> Option<Directions> {
    let n = lower.nrows();
    let free = null_space(scaled)?;
    let inverse = lower.solve_lower_triangular(&DMatrix::identity(n, n))?;
    Some(Directions { along: lower * &free, coordinates: free.transpose() * inverse })
}

/// Singular values, with their positions among vectors.
type SingularValues = Vec<(usize, f64)>;

/// The singular values, the largest first, and the vectors of the space that the rows span.
fn decomposed(rows: &DMatrix<f64>) -> Option<(SingularValues, DMatrix<f64>)> {
    let most = MOST_ITERATIONS * (rows.nrows() + rows.ncols());
    let svd = SVD::try_new(rows.transpose(), true, false, f64::EPSILON, most)?;
    let mut values: SingularValues = svd.singular_values.iter().copied().enumerate().collect();
    values.sort_by(|a, b| b.1.total_cmp(&a.1));
    Some((values, svd.u?))
}

/// The number of these singular values that belong to rows which no others imply.
fn rank(values: &[(usize, f64)]) -> usize {
    let largest = values.first().map_or(0.0, |(_, value)| *value);
    // Rows that others imply lie apart from all others; of a long chain the least is small too,
    // without a gap.
    let (cut, least) = (REDUNDANT * largest, ROUNDING * largest);
    let gaps = values.windows(2).enumerate().filter(|(_, pair)| pair[1].1 <= cut);
    let gaps = gaps.map(|(k, pair)| (k + 1, pair[0].1 / pair[1].1.max(least)));
    let widest = gaps.filter(|(_, gap)| *gap > GAP).max_by(|a, b| a.1.total_cmp(&b.1));
    widest.map_or(values.len(), |(rank, _)| rank)
}

/// Orthonormal columns on which no row of the matrix acts. `None`: an entry is not finite.
pub(super) fn null_space(rows: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let n = rows.ncols();
    if rows.iter().any(|entry| !entry.is_finite()) {
        return None;
    }
    if rows.nrows() == 0 || rows.amax() == 0.0 || n == 0 {
        return Some(DMatrix::identity(n, n));
    }
    let (values, range) = decomposed(rows)?;
    let rank = rank(&values);
    let mut projector = DMatrix::identity(n, n);
    for (k, _) in &values[..rank] {
        projector -= range.column(*k) * range.column(*k).transpose();
    }
    if rank >= n {
        return Some(DMatrix::zeros(n, 0));
    }
    let eigen = symmetric_eigen(projector)?;
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
    let columns: Vec<_> =
        order[..n - rank].iter().map(|k| eigen.eigenvectors.column(*k).into_owned()).collect();
    Some(DMatrix::from_columns(&columns))
}
