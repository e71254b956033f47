//! One instance of a mechanism as a method sees it: the moments and forces on each body, and the
//! demands of its joints.

use std::cell::Cell;

use super::constraint_set::{BodyConstants, ConstraintSet};
use super::contact::ContactRows;
use super::joint::JointRows;
use super::partition::{self, InstancePartition, Weights};
use super::redundancy::Redundancy;
use super::sample::Sample;
use super::timing::{Neighbour, PartOfStep, Timing};
use crate::base::Precision;
use crate::describe::Expression;
use crate::describe::expression::MotionInput;
use crate::elements::generator::GeneratorRows;
use crate::elements::joints::rows::Z;
use crate::elements::lock::LockRow;
use crate::elements::sensing::{MountedEffect, MountedSensor, Sensing};
use crate::elements::{Conditions, Configuration, ForceLaw, Spin};
use crate::kinematics::body::{
    LoadedBody, Loads, ModalCoordinates, Motion, Velocities, Wrench, attitude_rate_add, scale_add_all, sums,
};
use crate::kinematics::damping::{Damper, Damping};
use crate::kinematics::function::{FunctionInputs, Moment, evaluate};
use crate::kinematics::row::{Mobility, Row};
use crate::kinematics::side::{Side, SideVector};
use crate::math::cholesky::{Solver, solve};
use crate::math::quaternion::{exponential, to_space};
use crate::math::vector::{Vec3, add, cross, scale, scale_add, sub, times};
use crate::real::Real;
use crate::treatments::{self, AnyTreatment, Demand};

/// The motions that are being advanced, from whose velocities multipliers and dampers start.
pub struct Advanced<'a, R> {
    /// By body.
    pub motions: &'a [Motion<R>],
    /// When they stand there, in steps.
    pub when: f64,
    /// The step (s) over which damping is implicit, by the mean of the velocities before and after
    /// it; `None`: it is that of the velocities of `motions`.
    pub within: Option<R>,
    /// The velocities that laws feel where damping is implicit.
    pub felt: Felt,
}

/// The velocities that laws feel in a step over which damping is implicit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Felt {
    /// Those in the middle of the step, as far as they are known before it is taken.
    Foreseen,
    /// Those from which the step starts.
    Given,
}

impl<'a, R: Copy> Advanced<'a, R> {
    /// Over the step h (s) from these motions.
    pub fn over(h: R, motions: &'a [Motion<R>], when: f64) -> Advanced<'a, R> {
        Advanced { motions, when, within: Some(h), felt: Felt::Foreseen }
    }

    /// At an instant: all damping is that of these velocities.
    pub fn at(motions: &'a [Motion<R>], when: f64) -> Advanced<'a, R> {
        Advanced { motions, when, within: None, felt: Felt::Given }
    }

    /// Returns this step for bodies at rest, whose motions are `still`.
    pub fn at_rest(self, still: &'a [Motion<R>]) -> Advanced<'a, R> {
        Advanced { motions: still, felt: Felt::Given, ..self }
    }
}

impl<R: Copy> Clone for Advanced<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Copy> Copy for Advanced<'_, R> {}

/// The parts of a system.
pub struct Parts<R> {
    pub bodies: Vec<BodyConstants<R>>,
    pub held: ConstraintSet<R>,
    pub elements: Vec<Box<dyn ForceLaw<R>>>,
    /// The sensors and signals through which laws among the elements depend on the motion.
    pub sensing: Sensing<R>,
    pub treatment: AnyTreatment,
    /// Its numbers, in the order of its card.
    pub treatment_numbers: Vec<R>,
    /// Number of values of rows that a method carries.
    pub carried_rows: usize,
    pub redundancy: Redundancy,
    /// The dependent coordinates of this instance, where the treatment solves for them after every
    /// step.
    pub partition: Option<InstancePartition<R>>,
}

/// An instant of a step: so many steps after its start, seen from this side of it, while bodies
/// move as `at`.
#[derive(Clone, Copy, Debug)]
pub struct Glance<'m, R> {
    pub steps: f64,
    pub side: Neighbour,
    pub at: &'m [Motion<R>],
}

/// Equations of motion whose multipliers are unknowns: see [`System::implicit`].
pub struct ImplicitEquations<R> {
    pub rates: Vec<Motion<R>>,
    pub open: Vec<OpenRow<R>>,
}

/// The residual of a row: Phi, or `B u` where the row constrains velocities alone.
#[derive(Clone, Copy, Debug)]
pub enum OpenRow<R> {
    Position(R),
    Rate(R),
}

/// One instance. Every `sample` is a position in the method's list of samples.
pub struct System<R> {
    /// The step that is taken (s).
    pub h: R,
    timing: Timing<R>,
    parts: Parts<R>,
    /// `[sample][body]`
    loads: Vec<Vec<Loads<R>>>,
    evaluations: Cell<usize>,
    iterations: Cell<Option<Iterations<R>>>,
}

/// The iterations that solved a step.
#[derive(Clone, Copy, Debug)]
pub struct Iterations<R> {
    pub count: R,
    /// 1: they did not converge; else 0.
    pub open: R,
}

impl<R: Real> System<R> {
    /// `loads`: for each sample of the method, those of every body.
    pub fn new(timing: Timing<R>, parts: Parts<R>, loads: Vec<Vec<Loads<R>>>) -> Self {
        let (evaluations, iterations) = (Cell::new(0), Cell::new(None));
        Self { h: timing.step(), timing, parts, loads, evaluations, iterations }
    }

    /// The time so many steps after the step's start (s).
    pub fn time(&self, steps: f64) -> R {
        self.timing.time(steps)
    }

    /// When functions of time are taken for this sample.
    fn moment(&self, sample: usize) -> Moment<R> {
        self.timing.moment(self.timing.samples[sample])
    }

    /// The sample that looks so many steps after the step's start; the last one if none does.
    pub fn sample_at(&self, steps: f64) -> usize {
        let samples = &self.timing.samples[..self.timing.own];
        samples.iter().position(|sample| sample.at == steps).unwrap_or(samples.len() - 1)
    }

    /// The sample at which forces are asked for what they cause, at the start of the step or (1) at
    /// its end.
    fn effect_sample(&self, steps: f64) -> usize {
        let Timing { samples, own, .. } = &self.timing;
        match samples.len() - own {
            0 => self.sample_at(steps),
            _ if steps == 0.0 => *own,
            _ => own + 1,
        }
    }

    /// Number of samples of the method.
    pub fn samples(&self) -> usize {
        self.timing.own
    }

    /// Its only sample looks so many steps after the step's start. Returns when functions of time
    /// are taken there.
    pub fn look(&mut self, steps: f64) -> Moment<R> {
        self.timing.samples = vec![Sample::new(0.0, 1.0, steps)];
        self.timing.own = 1;
        self.moment(0)
    }

    /// Its only sample sees these loads on every body.
    pub fn load(&mut self, loads: Vec<Loads<R>>) {
        self.loads = vec![loads];
    }

    /// The constraints that hold the bodies.
    pub fn constraint_set(&self) -> &ConstraintSet<R> {
        &self.parts.held
    }

    /// Number of evaluations of moments so far: they are the cost of a step besides its own
    /// arithmetic.
    pub fn evaluations(&self) -> usize {
        self.evaluations.get()
    }

    /// The iterations that solved the step; `None`: no iteration did.
    pub fn iterations(&self) -> Option<Iterations<R>> {
        self.iterations.get()
    }

    /// A method tells how it has solved the step.
    pub fn solved_by(&self, iterations: Iterations<R>) {
        self.iterations.set(Some(iterations));
    }

    /// Whether multipliers draw violated joints back by the rate and the violation of the moment.
    pub fn stabilises(&self) -> bool {
        self.parts.treatment.card().stabilises
    }

    /// Number of bodies.
    pub fn bodies(&self) -> usize {
        self.parts.bodies.len()
    }

    /// Number of values of rows that are carried from step to step.
    pub fn carried_rows(&self) -> usize {
        self.parts.carried_rows
    }

    /// The multipliers that hold the joints at `at` without a history: by the treatment itself if
    /// it needs none, else regularised as it is, with an interval so long that the past is
    /// forgotten.
    pub fn instantaneous_multipliers(&self, sample: usize, at: &[Motion<R>]) -> Vec<R> {
        let now = Advanced::at(at, self.timing.samples[sample].at);
        self.multipliers(sample, at, now, self.h.lift(1.0), &[])
    }

    /// The multipliers of joints, generators, contacts and locks at `at`: as
    /// [`System::instantaneous_multipliers`], but those of locks leave out the return of their
    /// overshoot, and redundant rows share the load (least norm of the multipliers, each multiplied
    /// by the root of its entry of mu's diagonal).
    pub fn borne(&self, sample: usize, at: &[Motion<R>]) -> Vec<R> {
        let rows = self.rows(sample, at);
        if rows.is_empty() {
            return Vec::new();
        }
        let now = Advanced::at(at, 0.0);
        let mut demand = self.demand(sample, &rows, at, &rows, now);
        // No row is left out of the loads: those that say the same share them.
        demand.dependent = self.parts.redundancy.any();
        let treatment = &self.parts.treatment;
        let mut all = treatment.multipliers(&demand, self.h.lift(1.0), &[], &self.parts.treatment_numbers);
        all.truncate(rows.len());
        all
    }

    /// The body of a mechanism of one, under the loads of this sample.
    pub fn only(&self, sample: usize) -> LoadedBody<'_, R> {
        self.body(sample, 0)
    }

    /// By body: how many modes it deforms with, and states of laws and momenta of rotors it carries
    /// as such.
    pub fn modes(&self) -> Vec<usize> {
        let Sensing { carrier, carried, .. } = &self.parts.sensing;
        let modes = |(b, body): (usize, &BodyConstants<R>)| match &body.deformation {
            Some(deformation) => deformation.modes(),
            None if *carrier == Some(b) => *carried,
            None => 0,
        };
        self.parts.bodies.iter().enumerate().map(modes).collect()
    }

    /// One body under the loads of this sample.
    pub fn body(&self, sample: usize, body: usize) -> LoadedBody<'_, R> {
        let BodyConstants { inertia, mass, .. } = self.parts.bodies[body];
        LoadedBody { inertia, mass, loads: &self.loads[sample][body], evaluations: &self.evaluations }
    }

    /// The multipliers that hold the joints at `at`, under the loads and at the instant of
    /// `sample`. `advanced` is the chain that is being advanced: the rate of the constraints and
    /// what dampers do is taken where that stands, `B u` with its own B (with the B of `at`, half a
    /// step ahead, the joints drift by O(h)). `previous`: what this returned `tau` (s) earlier;
    /// empty without joints or a history. Behind the multipliers stands what else the treatment
    /// carries.
    pub fn multipliers(
        &self,
        sample: usize,
        at: &[Motion<R>],
        advanced: Advanced<'_, R>,
        tau: R,
        previous: &[R],
    ) -> Vec<R> {
        let redundancy = &self.parts.redundancy;
        let rows = redundancy.kept(self.rows(sample, at));
        if rows.is_empty() {
            return Vec::new();
        }
        let demand = self.stabilised_demand(sample, &rows, at, advanced);
        let mut previous = previous.to_vec();
        for (row, before) in rows.iter().cycle().zip(&mut previous) {
            if let Some(active) = row.active {
                *before = active * *before;
            }
        }
        let kept = self.parts.treatment.multipliers(&demand, tau, &previous, &self.parts.treatment_numbers);
        redundancy.spread(kept, self.h.lift(0.0))
    }

    /// The demand of these rows; for locks with the terms that end an impact.
    fn stabilised_demand(
        &self,
        sample: usize,
        rows: &[Row<R>],
        at: &[Motion<R>],
        advanced: Advanced<'_, R>,
    ) -> Demand<R> {
        let all = self.parts.held.rows(advanced.motions, self.time(advanced.when));
        let current = self.parts.redundancy.kept(all);
        let mut demand = self.demand(sample, rows, at, &current, advanced);
        // Where a part of a step ends at a catch, a projection is the impact. What rounding leaves
        // of it, over the square of so short a part, would be a force that no attempt bears.
        let h = if self.timing.part.is_some() { self.timing.full } else { self.h };
        for (i, (row, current)) in rows.iter().zip(&current).enumerate() {
            if row.active.is_some() {
                let (acceleration, rate) = (demand.acceleration[i], current.rate(advanced.motions));
                demand.acceleration[i] = LockRow::stabilised(h, acceleration, rate, row.violation);
            }
        }
        demand
    }

    /// The demand of these rows; for locks the acceleration alone. `current`: the same rows where
    /// the chain that is advanced stands.
    fn demand(
        &self,
        sample: usize,
        rows: &[Row<R>],
        at: &[Motion<R>],
        current: &[Row<R>],
        advanced: Advanced<'_, R>,
    ) -> Demand<R> {
        let zero = self.h.lift(0.0);
        let free = self.free_accelerations(sample, at, advanced);
        let mobility = self.mobility(at, advanced.within);
        let mut coupling = self.coupling(rows, &mobility, |entry| entry);
        let mut acceleration: Vec<R> = rows.iter().map(|row| row.acceleration(&free) + row.bias).collect();
        if let Some(damping) = self.damping(at, advanced, &mobility, &free) {
            let beside: Vec<Vec<Option<R>>> = rows.iter().map(|row| damping.beside(row, &mobility)).collect();
            for (i, own) in beside.iter().enumerate() {
                acceleration[i] = damping.acceleration_left(own, acceleration[i]);
                for (j, other) in beside[..=i].iter().enumerate() {
                    coupling[i][j] = damping.coupling_left(own, other, coupling[i][j]);
                }
            }
        }
        // A lock is held by rate and violation in its own way.
        let unless_lock = |row: &Row<R>, x: R| if row.active.is_some() { zero } else { x };
        Demand {
            coupling,
            acceleration,
            within: advanced.within,
            rate: rows
                .iter()
                .zip(current)
                .map(|(row, current)| unless_lock(row, current.rate(advanced.motions)))
                .collect(),
            violation: rows.iter().map(|row| unless_lock(row, row.violation)).collect(),
            dependent: self.parts.redundancy.dependent,
        }
    }

    /// The lower triangle of `mu` by rows at the instant of the first sample: of all rows but those
    /// of locks.
    pub fn coupling_without_locks(&self, at: &[Motion<R>]) -> Vec<Vec<R>> {
        let rows = self.parts.held.rows_without_locks(at, self.h.lift(0.0));
        self.demand(0, &rows, at, &rows, Advanced::at(at, 0.0)).coupling
    }

    /// The lower triangle of `mu = B M^-1 B^T` by rows, its diagonal as `diagonal` makes it; 1 for
    /// a lock that does not hold.
    fn coupling(&self, rows: &[Row<R>], mobility: &[Mobility<R>], diagonal: impl Fn(R) -> R) -> Vec<Vec<R>> {
        let (one, zero) = (self.h.lift(1.0), self.h.lift(0.0));
        let of_row = |(i, row): (usize, &Row<R>)| {
            let entry = |(j, other): (usize, &Row<R>)| {
                let entry = row.coupling(other, mobility).unwrap_or(zero);
                match row.active {
                    _ if i != j => entry,
                    Some(active) => diagonal(entry) + (one - active),
                    None => diagonal(entry),
                }
            };
            rows[..=i].iter().enumerate().map(entry).collect()
        };
        rows.iter().enumerate().map(of_row).collect()
    }

    fn mobility(&self, at: &[Motion<R>], within: Option<R>) -> Vec<Mobility<R>> {
        self.parts.bodies.iter().zip(at).map(|(body, at)| body.mobility(at, within)).collect()
    }

    /// Dampers that are implicit over the step, the bodies otherwise accelerated by `free`. `None`:
    /// there are none.
    fn damping(
        &self,
        at: &[Motion<R>],
        advanced: Advanced<'_, R>,
        mobility: &[Mobility<R>],
        free: &[Velocities<R>],
    ) -> Option<Damping<R>> {
        let Parts { elements, held, .. } = &self.parts;
        if !self.resists(advanced.within.is_some()) {
            return None;
        }
        let moving = moving(at, advanced.motions);
        let looked = Configuration { at, moving: &moving, joints: held };
        let damped = elements.iter().filter(|element| advanced.within.is_some() && element.is_damped());
        let dampers: Vec<Damper<R>> =
            damped.flat_map(|element| element.dampers(&looked)).chain(self.inertias(at, &moving)).collect();
        let h = advanced.within.unwrap_or(self.h);
        (!dampers.is_empty()).then(|| Damping::new(dampers, h, advanced.motions, mobility, free))
    }

    /// The inertias of elements along rows, besides those of bodies, which move as `moving`.
    pub(super) fn inertias(&self, at: &[Motion<R>], moving: &[Motion<R>]) -> Vec<Damper<R>> {
        let looked = Configuration { at, moving, joints: &self.parts.held };
        let inertial = self.parts.elements.iter().filter(|element| element.is_inertial());
        inertial.flat_map(|element| element.inertias(&looked)).collect()
    }

    /// All rows where the bodies are at the instant of `sample`.
    fn rows(&self, sample: usize, at: &[Motion<R>]) -> Vec<Row<R>> {
        self.parts.held.rows_at(at, &self.moment(sample))
    }

    /// `base` and s times the accelerations of all bodies at `at`, with these multipliers. Dampers
    /// act at the velocities of `advanced`, or implicitly over the step that
    /// [starts](Advanced::within) from them.
    pub fn kick(
        &self,
        s: R,
        sample: usize,
        at: &[Motion<R>],
        advanced: Advanced<'_, R>,
        base: &[Motion<R>],
        multipliers: &[R],
    ) -> Vec<Velocities<R>> {
        if multipliers.is_empty() && !self.resists(advanced.within.is_some()) {
            let wrenches = self.wrenches(sample, at, advanced);
            return (0..self.bodies())
                .map(|b| self.struck(b, s, sample, (at, advanced), base[b].velocities(), wrenches.as_deref()))
                .collect();
        }
        // The accelerations without joints are those that the multipliers were found from.
        let free = self.free_accelerations(sample, at, advanced);
        let reactions = self.reactions_to(sample, at, advanced, multipliers, &free);
        let one = s.lift(1.0);
        (0..self.bodies())
            .map(|b| {
                let rate = self.pushed(b, one, &at[b], advanced.within, &reactions[b], free[b].clone());
                Velocities {
                    w: scale_add(s, rate.w, base[b].w),
                    v: scale_add(s, rate.v, base[b].v),
                    modal: scale_add_all(s, &rate.modal, &base[b].modal.rates),
                }
            })
            .collect()
    }

    /// The wrenches on the bodies from these multipliers of the rows at `at`, and from dampers and
    /// inertias of elements that are implicit over the step of `advanced`; `None`: there is
    /// neither.
    pub fn reactions(
        &self,
        sample: usize,
        at: &[Motion<R>],
        advanced: Advanced<'_, R>,
        multipliers: &[R],
    ) -> Option<Vec<Wrench<R>>> {
        if multipliers.is_empty() && !self.resists(advanced.within.is_some()) {
            return None;
        }
        let free = self.free_accelerations(sample, at, advanced);
        Some(self.reactions_to(sample, at, advanced, multipliers, &free))
    }

    /// As [`System::reactions`], of bodies that would otherwise be accelerated by `free`.
    fn reactions_to(
        &self,
        sample: usize,
        at: &[Motion<R>],
        advanced: Advanced<'_, R>,
        multipliers: &[R],
        free: &[Velocities<R>],
    ) -> Vec<Wrench<R>> {
        let mut reactions = self.no_wrenches();
        let rows = if multipliers.is_empty() { Vec::new() } else { self.rows(sample, at) };
        for (row, multiplier) in rows.iter().zip(multipliers) {
            row.react(*multiplier, &mut reactions);
        }
        let mobility = self.mobility(at, advanced.within);
        if let Some(damping) = self.damping(at, advanced, &mobility, free) {
            let beside: Vec<Vec<Option<R>>> = rows.iter().map(|row| damping.beside(row, &mobility)).collect();
            damping.act(&beside, multipliers, &mut reactions);
        }
        reactions
    }

    /// As [`System::kick`], where angular velocities are of no interest: no moment is computed for
    /// bodies that nothing joins.
    pub fn push(
        &self,
        s: R,
        sample: usize,
        at: &[Motion<R>],
        advanced: Advanced<'_, R>,
        base: &[Motion<R>],
        multipliers: &[R],
    ) -> Vec<Velocities<R>> {
        if !multipliers.is_empty() || self.is_joined() {
            return self.kick(s, sample, at, advanced, base, multipliers);
        }
        let pushed = |(b, base): (usize, &Motion<R>)| Velocities {
            v: self.body(sample, b).push(s, at[b].q, base.v),
            ..base.velocities()
        };
        base.iter().enumerate().map(pushed).collect()
    }

    /// Whether all bodies are rigid and nothing acts on them but their loads.
    pub fn is_free(&self) -> bool {
        !self.is_held() && !self.is_joined()
    }

    /// Whether there are constraint rows.
    pub fn is_held(&self) -> bool {
        let ConstraintSet { joints, generators, contacts, locks, .. } = &self.parts.held;
        !(joints.is_empty() && generators.is_empty() && contacts.is_empty() && locks.is_empty())
    }

    /// Whether forces act besides the loads of rigid bodies.
    fn is_joined(&self) -> bool {
        let deforms = |body: &BodyConstants<R>| body.deformation.is_some();
        !self.parts.elements.is_empty()
            || self.parts.bodies.iter().any(deforms)
            || self.parts.sensing.carrier.is_some()
    }

    /// The accelerations of all bodies as if there were no joints, and no dampers that are implicit
    /// over the step, but for those of modes.
    fn free_accelerations(
        &self,
        sample: usize,
        at: &[Motion<R>],
        advanced: Advanced<'_, R>,
    ) -> Vec<Velocities<R>> {
        let wrenches = self.wrenches(sample, at, advanced);
        let (one, none) = (self.h.lift(1.0), self.no_velocities());
        let each = none.into_iter().enumerate();
        each.map(|(b, none)| self.struck(b, one, sample, (at, advanced), none, wrenches.as_deref())).collect()
    }

    /// One body's part of [`System::kick`].
    fn struck(
        &self,
        b: usize,
        s: R,
        sample: usize,
        (at, advanced): (&[Motion<R>], Advanced<'_, R>),
        base: Velocities<R>,
        wrenches: Option<&[Wrench<R>]>,
    ) -> Velocities<R> {
        let body = self.body(sample, b);
        let at = &at[b];
        match wrenches {
            // All that turns it is in its wrench already.
            Some(wrenches) if self.parts.bodies[b].deformation.is_some() => {
                let v = body.push(s, at.q, base.v);
                self.pushed(b, s, at, advanced.within, &wrenches[b], Velocities { v, ..base })
            }
            _ => {
                let w = body.kick(s, at.q, at.w, base.w);
                let v = body.push(s, at.q, base.v);
                let Some(wrenches) = wrenches else { return Velocities { w, v, modal: base.modal } };
                let (w, v) = body.strike(s, &wrenches[b], w, v);
                // The modal entries of a rigid body are the states of laws that it carries.
                Velocities { w, v, modal: scale_add_all(s, &wrenches[b].modal, &base.modal) }
            }
        }
    }

    /// The torque and modal forces on a flexible body b, besides springs: from its loads and its
    /// own motion. A rigid body has none, since its loads act apart from springs.
    fn own_wrench(
        &self,
        b: usize,
        sample: usize,
        at: &Motion<R>,
        directed: &Motion<R>,
        none: Wrench<R>,
    ) -> Wrench<R> {
        let Some(deformation) = &self.parts.bodies[b].deformation else { return none };
        let body = self.body(sample, b);
        let ModalCoordinates { amplitudes, rates } = &at.modal;
        let moment = body.body_moment(at.q);
        let (torque, modal) = body.loads.on_deformed(at.q, amplitudes, moment, none.modal);
        let (torque, modal) =
            deformation.forces_upon((torque, modal), at.w, amplitudes, rates, &directed.modal.rates);
        Wrench { force: none.force, torque, modal }
    }

    /// `base + s M^-1 wrench`
    fn pushed(
        &self,
        b: usize,
        s: R,
        at: &Motion<R>,
        within: Option<R>,
        wrench: &Wrench<R>,
        base: Velocities<R>,
    ) -> Velocities<R> {
        let body = self.body(0, b);
        let Some(deformation) = &self.parts.bodies[b].deformation else {
            let (w, v) = body.strike(s, wrench, base.w, base.v);
            // Modal rates of a rigid body are the momenta of rotors that it carries.
            return Velocities { w, v, modal: scale_add_all(s, &wrench.modal, &base.modal) };
        };
        let yielding = deformation.yielding(&at.modal.amplitudes, within);
        let (w, modal) = yielding.solve(wrench.torque, &wrench.modal);
        Velocities {
            w: scale_add(s, w, base.w),
            v: scale_add(s / body.mass, wrench.force, base.v),
            modal: scale_add_all(s, &modal, &base.modal),
        }
    }

    fn no_velocities(&self) -> Vec<Velocities<R>> {
        let zero = self.h.lift(0.0);
        self.modes().into_iter().map(|modes| Velocities::zero(zero, modes)).collect()
    }

    /// The motions with positions and velocities projected on to what holds them, at the start of
    /// the step, by the least change in the sense of the masses: as at the start of a run, but with
    /// a fixed number of Newton's steps, and redundant rows held apart by a trace of compliance.
    ///
    /// ```text
    /// (mu + rho D) lam = Phi, then = B u ;   dx, du = -M^-1 B^T lam ;   D the diagonal of mu
    /// ```
    pub fn projected(&self, motions: &[Motion<R>]) -> Vec<Motion<R>> {
        /// The drift that a method has left in the joints is small: each step squares it, as far as
        /// the precision goes.
        const POSITION_STEPS: usize = 3;
        let mut motions = motions.to_vec();
        for _ in 0..POSITION_STEPS {
            let rows = self.parts.held.rows(&motions, self.time(0.0));
            let rows: Vec<Row<R>> = rows.into_iter().filter(|row| !row.rate_alone).collect();
            let violations = rows.iter().map(|row| row.violation).collect();
            let changes = self.least_change(&rows, &motions, violations);
            for (motion, change) in motions.iter_mut().zip(changes) {
                motion.q = exponential(motion.q, change.w);
                motion.r = add(motion.r, change.v);
                motion.modal.amplitudes = sums(&motion.modal.amplitudes, &change.modal);
            }
        }
        let rows = self.parts.held.rows(&motions, self.time(0.0));
        let rates = rows.iter().map(|row| row.rate(&motions)).collect();
        let changes = self.least_change(&rows, &motions, rates);
        for (motion, change) in motions.iter_mut().zip(changes) {
            motion.w = add(motion.w, change.w);
            motion.v = add(motion.v, change.v);
            motion.modal.rates = sums(&motion.modal.rates, &change.modal);
        }
        motions
    }

    /// The motions at the end of the step with dependent coordinates solved for from the
    /// constraints, where the treatment partitions them; else as they are. Two Newton steps for
    /// positions, then velocities:
    ///
    /// ```text
    /// dx = -S B^T (B S B^T)^-1 Phi ;   du = -S B^T (B S B^T)^-1 B u ;
    /// S = W M^-1 W, W = 1 of dependent coordinates, root of w of others
    /// ```
    ///
    /// With w = 0 that is `B_i dx_i = -Phi`, PCD90 (15).
    pub fn dependents_solved(&self, motions: Vec<Motion<R>>) -> Vec<Motion<R>> {
        /// A step leaves a small Phi: two squarings take it to rounding.
        const POSITION_STEPS: usize = 2;
        let Some(of) = &self.parts.partition else { return motions };
        let independent = self.parts.treatment_numbers[treatments::partition::INDEPENDENT].sqrt();
        let weights = |of_positions| Weights { of, of_positions, independent };
        let mut motions = motions;
        let rows = |at: &[Motion<R>]| self.parts.redundancy.kept(self.parts.held.rows(at, self.time(1.0)));
        for _ in 0..POSITION_STEPS {
            let rows: Vec<Row<R>> = rows(&motions).into_iter().filter(|row| !row.rate_alone).collect();
            let violations = rows.iter().map(|row| row.violation).collect();
            for (motion, change) in
                motions.iter_mut().zip(self.weighed_change(&rows, violations, &weights(true)))
            {
                motion.q = exponential(motion.q, change.w);
                motion.r = add(motion.r, change.v);
            }
        }
        let rows = rows(&motions);
        let rates = rows.iter().map(|row| row.rate(&motions)).collect();
        for (motion, change) in motions.iter_mut().zip(self.weighed_change(&rows, rates, &weights(false))) {
            motion.w = add(motion.w, change.w);
            motion.v = add(motion.v, change.v);
        }
        motions
    }

    /// `-S B^T (B S B^T)^-1 excess`, by body.
    fn weighed_change(
        &self,
        rows: &[Row<R>],
        excess: Vec<R>,
        weights: &Weights<'_, R>,
    ) -> Vec<Velocities<R>> {
        if rows.is_empty() {
            return self.no_velocities();
        }
        let mobility: Vec<Mobility<R>> = self.parts.bodies.iter().map(partition::mobility).collect();
        let rows: Vec<Row<R>> = rows.iter().map(|row| weights.row(row)).collect();
        let multipliers = Solver::bounded(self.coupling(&rows, &mobility, |entry| entry)).solve(excess);
        let mut wrenches = self.no_wrenches();
        for (row, multiplier) in rows.iter().zip(multipliers) {
            row.react(multiplier, &mut wrenches);
        }
        let each = self.no_velocities().into_iter().zip(wrenches).zip(&mobility).enumerate();
        each.map(|(b, ((none, wrench), mobility))| Velocities {
            w: weights.turn(b, times(mobility.inertia, wrench.torque)),
            v: weights.place(b, wrench.force.map(|force| mobility.mass * force)),
            ..none
        })
        .collect()
    }

    /// `-M^-1 B^T (mu + rho D)^-1 excess`, by body: of rotation, position and modal coordinates.
    fn least_change(&self, rows: &[Row<R>], at: &[Motion<R>], excess: Vec<R>) -> Vec<Velocities<R>> {
        if rows.is_empty() {
            return self.no_velocities();
        }
        let one = self.h.lift(1.0);
        let grown = self.h.lift(match self.h.precision() {
            Precision::F32 | Precision::F32Compensated => 1.0 + 1e-5,
            Precision::F64 => 1.0 + 1e-11,
        });
        let coupling = self.coupling(rows, &self.mobility(at, None), |entry| entry * grown);
        let multipliers = solve(coupling, excess);
        let mut wrenches = self.no_wrenches();
        for (row, multiplier) in rows.iter().zip(multipliers) {
            row.react(multiplier, &mut wrenches);
        }
        let each = self.no_velocities().into_iter().enumerate();
        each.map(|(b, none)| self.pushed(b, one, &at[b], None, &wrenches[b], none)).collect()
    }

    /// Force (N) and torque about its point (N m) of a joint on its second body, space axes; on the
    /// ground what the other body feels, reversed.
    pub fn reaction(&self, joint: usize, at: &[Motion<R>]) -> (Vec3<R>, Vec3<R>) {
        self.reaction_by(0, joint, at)
    }

    /// As [`System::reaction`], at the instant of a sample.
    fn reaction_by(&self, sample: usize, joint: usize, at: &[Motion<R>]) -> (Vec3<R>, Vec3<R>) {
        let constraints = &self.parts.held;
        let multipliers = self.borne(sample, at);
        let first: usize = constraints.joints[..joint].iter().map(JointRows::count).sum();
        // A fixed point is a pivot that does not move; its reaction is an output too.
        let mut pivot = constraints.joints[joint].clone();
        let mut at = at.to_vec();
        for side in pivot.sides.iter_mut().filter(|side| !side.moves) {
            let Some(body) = side.body else { continue };
            (at[body].r, side.moves) = (side.origin, true);
        }
        let mut wrenches = self.no_wrenches();
        for (row, multiplier) in pivot.evaluate(&at).iter().zip(&multipliers[first..]) {
            row.react(*multiplier, &mut wrenches);
        }
        let (point, _) = pivot.sides[1].point(&at);
        let feels = |side: &Side<R>| {
            let body = side.body?;
            let Wrench { force, torque, .. } = wrenches[body];
            let torque = sub(to_space(at[body].q, torque), cross(sub(point, at[body].r), force));
            Some((force, torque))
        };
        let minus = |v: Vec3<R>| v.map(|x| -x);
        let none = [self.h.lift(0.0); 3];
        feels(&pivot.sides[1])
            .or_else(|| feels(&pivot.sides[0]).map(|(force, torque)| (minus(force), minus(torque))))
            .unwrap_or((none, none))
    }

    /// Accelerations of all bodies at `at`, with the multipliers that the
    /// [reactions](Self::reaction) have.
    pub fn accelerations(&self, at: &[Motion<R>]) -> Vec<Velocities<R>> {
        self.accelerations_by(0, at)
    }

    /// As [`System::accelerations`], at the instant of a sample.
    fn accelerations_by(&self, sample: usize, at: &[Motion<R>]) -> Vec<Velocities<R>> {
        let base: Vec<Motion<R>> = at.iter().map(Motion::still).collect();
        let now = Advanced::at(at, 0.0);
        self.kick(self.h.lift(1.0), sample, at, now, &base, &self.borne(sample, at))
    }

    /// Load of a generator: along a joint's angle, as the first number (N m); else a force, space
    /// axes (N), on a point, or on the joint's second body along its axis.
    pub fn drive(&self, generator: usize, at: &[Motion<R>]) -> Vec3<R> {
        let constraints = &self.parts.held;
        let multipliers = self.borne(0, at);
        let before: usize = constraints.generators[..generator].iter().map(GeneratorRows::count).sum();
        let joints: usize = constraints.joints.iter().map(JointRows::count).sum();
        let mut loads = multipliers[joints + before..].iter().map(|multiplier| -*multiplier);
        let zero = self.h.lift(0.0);
        if let Some(driven) = constraints.generators[generator].displacement() {
            let axis = constraints.joints[driven.joint].sides[0].placed(at).axis(Z);
            return scale(loads.next().unwrap_or(zero), axis);
        }
        let mut next = |given: bool| if given { loads.next().unwrap_or(zero) } else { zero };
        [0, 1, 2].map(|component| next(constraints.generators[generator].prescribes(component)))
    }

    /// Force of a contact on its body at the point that touches, space axes (N).
    pub fn contact_force(&self, contact: usize, at: &[Motion<R>]) -> Vec3<R> {
        let constraints = &self.parts.held;
        let multipliers = self.borne(0, at);
        let joints: usize = constraints.joints.iter().map(JointRows::count).sum();
        let generators: usize = constraints.generators.iter().map(GeneratorRows::count).sum();
        let before: usize = constraints.contacts[..contact].iter().map(ContactRows::count).sum();
        constraints.contacts[contact].force(
            &multipliers[joints + generators + before..],
            at,
            &constraints.constants,
        )
    }

    /// The torque (N m) or force (N) of a lock along its joint's coordinate; zero while it holds
    /// nothing.
    pub fn lock_load(&self, lock: usize, at: &[Motion<R>]) -> R {
        let multipliers = self.borne(0, at);
        // The rows of locks are the last.
        let first = multipliers.len() - self.parts.held.locks.len();
        -multipliers[first + lock]
    }

    /// A function of time and motion, so many steps after the step's start and on this side of
    /// that, while bodies move as `at`.
    pub fn function(&self, function: &Expression, steps: f64, side: Neighbour, at: &[Motion<R>]) -> R {
        self.function_near(function, Glance { steps, side, at }, &self.parts.sensing.held, None)
    }

    /// As with these for sampled signals, and what jumps by convention goes on from `near`
    /// (`Sensing::inputs_near`).
    pub fn function_near(
        &self,
        function: &Expression,
        glance: Glance<'_, R>,
        signals: &[Option<R>],
        near: Option<Glance<'_, R>>,
    ) -> R {
        evaluate(function, &self.inputs_near(function, glance, signals, near))
    }

    fn inputs_near(
        &self,
        function: &Expression,
        Glance { steps, side, at }: Glance<'_, R>,
        signals: &[Option<R>],
        near: Option<Glance<'_, R>>,
    ) -> FunctionInputs<'_, R> {
        let joints = &self.parts.held;
        let sensing = &self.parts.sensing;
        let now = self.timing.beside(steps, side);
        let near = near.map(|near| (near.at, self.inputs_near(function, near, signals, None)));
        let mut inputs = sensing.inputs_near(at, joints, &now, &joints.constants, signals, near);
        for input in function.inputs() {
            if let MotionInput::Sensor(k) = input
                && let MountedSensor::Effect(effect) = &sensing.sensors[k]
            {
                inputs.put_sensor(k, self.effect(effect, self.effect_sample(steps), at));
            }
        }
        inputs
    }

    /// The sampled signals, as they are held over the step.
    pub fn held_signals(&self) -> &[Option<R>] {
        &self.parts.sensing.held
    }

    /// As `Sensing::scalars`.
    pub fn scalars(&self, sensors: &[usize], before: &[Motion<R>], after: &[Motion<R>]) -> Vec<[R; 2]> {
        self.parts.sensing.scalars(sensors, before, after)
    }

    /// A number that forces cause at the instant of `sample`, while bodies move as `at`.
    fn effect(&self, effect: &MountedEffect<R>, sample: usize, at: &[Motion<R>]) -> R {
        match effect {
            MountedEffect::Acceleration(side, axis) => {
                let zero = self.h.lift(0.0);
                if side.body.is_none() {
                    return zero;
                }
                let accelerated = moving_by(at, self.accelerations_by(sample, at));
                let (_, linear) = side.point(&accelerated);
                add(linear, side.placed(at).centripetal(SideVector::Arm))[*axis]
            }
            MountedEffect::CoordinateAcceleration(of) => {
                let row = self.parts.held.coordinate(*of, at);
                row.acceleration(&self.accelerations_by(sample, at)) + row.bias
            }
            MountedEffect::JointForce(joint, axis) => self.reaction_by(sample, *joint, at).0[*axis],
            MountedEffect::JointTorque(joint, axis) => self.reaction_by(sample, *joint, at).1[*axis],
            MountedEffect::Tension(spring) => {
                let Parts { elements, held, .. } = &self.parts;
                let looked = Configuration { at, moving: at, joints: held };
                let mut stretches = elements.iter().filter_map(|element| element.stretch(&looked));
                -stretches.nth(*spring).expect("a spring that is there").force
            }
            MountedEffect::MotorTorque(rotor) => self.motor_torque(*rotor, sample, at),
        }
    }

    /// Torque of a rotor's motor (N m), by its position among the rotors, at the instant of
    /// `sample`.
    pub fn motor_torque(&self, rotor: usize, sample: usize, at: &[Motion<R>]) -> R {
        let Parts { elements, held, sensing, .. } = &self.parts;
        let inputs = sensing.inputs(at, held, &self.moment(sample), &held.constants);
        let mut motors = elements.iter().filter_map(|element| element.motor(at, &inputs));
        motors.nth(rotor).expect("a rotor that is there")
    }

    /// Spin of a rotor, by its position among the rotors.
    pub fn spin(&self, rotor: usize, at: &[Motion<R>]) -> Spin<R> {
        let mut spins = self.parts.elements.iter().filter_map(|element| element.spin(at));
        spins.nth(rotor).expect("a rotor that is there")
    }

    /// As `Sensing::sampled`, so many steps after the step's start, while bodies move as `at`.
    pub fn sampled(
        &self,
        steps: f64,
        at: &[Motion<R>],
        signal_value: &dyn Fn(usize, R, R) -> R,
    ) -> Vec<Option<R>> {
        let joints = &self.parts.held;
        self.parts.sensing.sampled(
            at,
            joints,
            &self.timing.beside(steps, Neighbour::After),
            &joints.constants,
            signal_value,
        )
    }

    /// Gives sampled signals the values that they come to have where the motion stays as `at`. None
    /// may depend on its own last value.
    pub fn sample_at_rest(&mut self, at: &[Motion<R>]) {
        // Each time one more of those that depend on others is right.
        for _ in 0..self.parts.sensing.held.iter().flatten().count() {
            self.parts.sensing.held = self.sampled(0.0, at, &|_, now, _| now);
        }
    }

    /// 1 where a step that may be a part of one of the study ends with that, else 0; `None`: it is
    /// a whole one.
    pub fn ends_step_of_study(&self) -> Option<R> {
        let PartOfStep { from, share } = self.timing.part?;
        let (zero, one) = (share.lift(0.0), share.lift(1.0));
        Some(share.select_less(one - from, (from + share).select_less(one, zero, one), one))
    }

    /// The full step of the study (s).
    pub fn step_of_study(&self) -> R {
        self.timing.full
    }

    fn no_wrenches(&self) -> Vec<Wrench<R>> {
        let zero = self.h.lift(0.0);
        let wrench = |modes| Wrench { force: [zero; 3], torque: [zero; 3], modal: vec![zero; modes] };
        self.modes().into_iter().map(wrench).collect()
    }

    /// The wrenches that elements exert because bodies move, without their dampers, which are
    /// implicit over the step of `advanced`; `None`: there are none.
    pub fn resisting(
        &self,
        sample: usize,
        at: &[Motion<R>],
        advanced: Advanced<'_, R>,
    ) -> Option<Vec<Wrench<R>>> {
        if !self.parts.sensing.feels_rates && !self.parts.elements.iter().any(|element| element.is_damped()) {
            return None;
        }
        let still: Vec<Motion<R>> = advanced.motions.iter().map(Motion::still).collect();
        let moving = self.wrenches(sample, at, advanced)?;
        let at_rest = self.wrenches(sample, at, advanced.at_rest(&still))?;
        Some(moving.iter().zip(&at_rest).map(|(moving, at_rest)| moving.minus(at_rest)).collect())
    }

    /// Whether there is inertia besides that of bodies or, where dampers are implicit, a damper
    /// besides those of modes.
    fn resists(&self, implicit: bool) -> bool {
        let mut elements = self.parts.elements.iter();
        elements.any(|element| element.is_inertial() || implicit && element.is_damped())
    }

    /// The wrenches of springs, bushings, beams and resistances, if there are any, without their
    /// dampers where these are implicit over the step; on flexible bodies also all else that turns
    /// and deforms them.
    pub fn wrenches(
        &self,
        sample: usize,
        at: &[Motion<R>],
        advanced: Advanced<'_, R>,
    ) -> Option<Vec<Wrench<R>>> {
        let Parts { elements, held, .. } = &self.parts;
        let explicit = advanced.within.is_none();
        let rates = advanced.motions;
        if !elements.iter().any(|element| element.acts(!explicit))
            && self.parts.bodies.iter().all(|body| body.deformation.is_none())
            && self.parts.sensing.carrier.is_none()
        {
            return None;
        }
        let own = |(b, none)| self.own_wrench(b, sample, &at[b], &rates[b], none);
        let mut wrenches: Vec<Wrench<R>> = self.no_wrenches().into_iter().enumerate().map(own).collect();
        let moving = moving(at, rates);
        // No damper is to see velocities where it is implicit.
        let motions = if explicit { moving.clone() } else { moving.iter().map(Motion::still).collect() };
        let looked = Configuration { at, moving: &moving, joints: held };
        let foreseen = self.foreseen(sample, at, advanced);
        let felt = foreseen.as_deref().unwrap_or(&moving);
        let inputs = self.parts.sensing.inputs(felt, held, &self.moment(sample), &held.constants);
        if let Some(carrier) = self.parts.sensing.carrier {
            for (own, rate) in wrenches[carrier].modal.iter_mut().zip(&self.parts.sensing.rates) {
                *own = evaluate(rate, &inputs);
            }
        }
        let now = Conditions { rates: &motions, implicit: !explicit, felt, inputs };
        for element in elements {
            element.act(&looked, &now, &mut wrenches);
        }
        Some(wrenches)
    }

    /// Positions and attitudes of `at` with the velocities that laws feel over the step of
    /// `advanced`: those in its middle, as they follow from the accelerations of bodies whose laws
    /// feel the velocities at its start.
    ///
    /// ```text
    /// u + h/2 a,   a = (M + h/2 D)^-1 (Q(u) - B^T lam),   mu lam = r  as `exact` has it
    /// ```
    ///
    /// So a law of the velocities acts to the second order, and whatever the joints, the dampers
    /// and the treatment are. Its own damping is explicit: a rate that it feeds back with c on an
    /// inertia I needs h c/I < 2. `None`: laws feel the velocities of `advanced`.
    fn foreseen(&self, sample: usize, at: &[Motion<R>], advanced: Advanced<'_, R>) -> Option<Vec<Motion<R>>> {
        let h =
            advanced.within.filter(|_| advanced.felt == Felt::Foreseen && self.parts.sensing.feels_rates)?;
        let now = Advanced { felt: Felt::Given, ..advanced };
        let rows = self.parts.redundancy.kept(self.rows(sample, at));
        let multipliers = if rows.is_empty() {
            Vec::new()
        } else {
            let demand = self.stabilised_demand(sample, &rows, at, now);
            self.parts.redundancy.spread(demand.solver().solve(demand.acceleration.clone()), h.lift(0.0))
        };
        let half = h * h.lift(0.5);
        let kicked = self.kick(half, sample, at, now, advanced.motions, &multipliers);
        let with = |(at, kicked): (&Motion<R>, Velocities<R>)| {
            let modal = ModalCoordinates { amplitudes: at.modal.amplitudes.clone(), rates: kicked.modal };
            Motion { w: kicked.w, v: kicked.v, modal, ..*at }
        };
        Some(at.iter().zip(kicked).map(with).collect())
    }

    /// `base` and the rate of all that moves, multiplied by `s`. On the way of a step the
    /// quaternions are not unit ones; loads and joints turn with their direction.
    pub fn rate_add(&self, s: R, sample: usize, m: &[Motion<R>], base: &[Motion<R>]) -> Vec<Motion<R>> {
        let directed: Vec<Motion<R>> = m.iter().map(Motion::directed).collect();
        self.rate_seen_add(s, sample, m, &directed, base)
    }

    /// As [`System::rate_add`], where a step starts: the quaternions are unit ones.
    pub fn first_rate_add(&self, s: R, sample: usize, m: &[Motion<R>], base: &[Motion<R>]) -> Vec<Motion<R>> {
        self.rate_seen_add(s, sample, m, m, base)
    }

    /// As [`System::rate_add`], with `directed`, the motions that loads and joints see.
    fn rate_seen_add(
        &self,
        s: R,
        sample: usize,
        m: &[Motion<R>],
        directed: &[Motion<R>],
        base: &[Motion<R>],
    ) -> Vec<Motion<R>> {
        let multipliers = self.instantaneous_multipliers(sample, directed);
        self.rate_with(s, sample, (m, directed), base, &multipliers)
    }

    /// As `rate_seen_add`, with these multipliers.
    fn rate_with(
        &self,
        s: R,
        sample: usize,
        (m, directed): (&[Motion<R>], &[Motion<R>]),
        base: &[Motion<R>],
        multipliers: &[R],
    ) -> Vec<Motion<R>> {
        let now = Advanced::at(m, 0.0);
        let kicked = self.kick(s, sample, directed, now, base, multipliers);
        m.iter()
            .zip(base)
            .zip(kicked)
            .map(|((m, base), kicked)| Motion {
                q: attitude_rate_add(s, m.q, m.w, base.q),
                w: kicked.w,
                r: scale_add(s, m.v, base.r),
                v: kicked.v,
                modal: ModalCoordinates {
                    amplitudes: scale_add_all(s, &m.modal.rates, &base.modal.amplitudes),
                    rates: kicked.modal,
                },
            })
            .collect()
    }

    /// The rate of all that moves, with these multipliers of the rows that are solved for, and what
    /// the rows leave open: Phi, of rows of velocities alone `B u`.
    pub fn implicit(&self, sample: usize, m: &[Motion<R>], multipliers: Vec<R>) -> ImplicitEquations<R> {
        let directed: Vec<Motion<R>> = m.iter().map(Motion::directed).collect();
        let none: Vec<Motion<R>> = m.iter().map(Motion::zeroed).collect();
        let multipliers = self.parts.redundancy.spread(multipliers, self.h.lift(0.0));
        let of_row = |row: &Row<R>| match row.rate_alone {
            true => OpenRow::Rate(row.rate(m)),
            false => OpenRow::Position(row.violation),
        };
        let rows = self.parts.redundancy.kept(self.rows(sample, &directed));
        ImplicitEquations {
            rates: self.rate_with(self.h.lift(1.0), sample, (m, &directed), &none, &multipliers),
            open: rows.iter().map(of_row).collect(),
        }
    }

    /// By row that is solved for: its multiplier without a history, and its entry of mu's diagonal.
    pub fn solved_rows(&self, sample: usize, at: &[Motion<R>]) -> Vec<[R; 2]> {
        let redundancy = &self.parts.redundancy;
        let multipliers = redundancy.kept(self.instantaneous_multipliers(sample, at));
        let coupling =
            self.coupling(&redundancy.kept(self.rows(sample, at)), &self.mobility(at, None), |x| x);
        multipliers.into_iter().zip(coupling).map(|(own, row)| [own, row[row.len() - 1]]).collect()
    }

    /// One classical Runge-Kutta step of all bodies by `s`, under the loads of the samples of its
    /// start, middle and end; quaternions are normalised at the end.
    pub fn runge_kutta(&self, s: R, samples: [usize; 3], start: &[Motion<R>]) -> Vec<Motion<R>> {
        let [first, middle, last] = samples;
        let (half, sixth, one, two) = (s.lift(0.5), s.lift(1.0 / 6.0), s.lift(1.0), s.lift(2.0));
        let zero: Vec<Motion<R>> = start.iter().map(Motion::zeroed).collect();
        let k1 = self.first_rate_add(s, first, start, &zero);
        let k2 = self.rate_add(s, middle, &plus(start, half, &k1), &zero);
        let k3 = self.rate_add(s, middle, &plus(start, half, &k2), &zero);
        // (k1 + 2 k2 + 2 k3 + k4) / 6, summed first: a sixth of each would chain two constants,
        // which GPU drivers fold into one, and the bits would no longer be those of the CPU. k4 is
        // added product by product, for the reason given at `cross_add`.
        let sum = plus(&plus(&k1, two, &k2), two, &k3);
        let sum = self.rate_add(s, last, &plus(start, one, &k3), &sum);
        plus(start, sixth, &sum).into_iter().map(Motion::normalised).collect()
    }
}

/// Positions and attitudes of `at`, velocities of `rates`.
fn moving<R: Real>(at: &[Motion<R>], rates: &[Motion<R>]) -> Vec<Motion<R>> {
    let motion = |(at, rate): (&Motion<R>, &Motion<R>)| {
        let modal =
            ModalCoordinates { amplitudes: at.modal.amplitudes.clone(), rates: rate.modal.rates.clone() };
        Motion { w: rate.w, v: rate.v, modal, ..*at }
    };
    at.iter().zip(rates).map(motion).collect()
}

/// Positions and attitudes of `at`, with accelerations in place of the velocities: all that is
/// linear in velocities is so in them.
pub fn moving_by<R: Real>(at: &[Motion<R>], rates: Vec<Velocities<R>>) -> Vec<Motion<R>> {
    let motion = |(motion, rate): (&Motion<R>, Velocities<R>)| {
        let modal = ModalCoordinates { amplitudes: motion.modal.amplitudes.clone(), rates: rate.modal };
        Motion { w: rate.w, v: rate.v, modal, ..motion.clone() }
    };
    at.iter().zip(rates).map(motion).collect()
}

/// `motions + c k`, body by body.
pub fn plus<R: Real>(motions: &[Motion<R>], c: R, k: &[Motion<R>]) -> Vec<Motion<R>> {
    motions.iter().zip(k).map(|(m, k)| m.plus(c, k)).collect()
}
