//! The backend of implicit methods that choose order and step: every instance by itself, in f64 on
//! all cores. `bdf` is the crate `diffsol`.
//!
//! Nothing is recorded: the system of an instance is evaluated in plain f64, and over dual numbers
//! for its Jacobian. The integrator begins anew with every output step, so that the state after it
//! follows from the state before it alone, whatever the threads, chunks and strides.

mod nordsieck;

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use diffsol::{DiffsolError, NalgebraLU, NalgebraMat, OdeBuilder, OdeSolverMethod, OdeSolverStopReason};
use rayon::prelude::*;

use super::{Backend, BackendError, Batch, End, Plan, StateReader};
use crate::base::Verdict;
use crate::describe::{EndCondition, Unexplained};
use crate::kinematics::body::Motion;
use crate::math::quaternion::norm_squared;
use crate::methods::adaptive::Formulas;
use crate::methods::{Adaptive, Sample, State};
use crate::model::Model;
use crate::model::all_channels;
use crate::model::system::System;
use crate::model::timing::Neighbour;
use crate::real::{Dual, Element, Real};

/// More internal steps than this in one output step are taken for a failure.
const MOST_STEPS: u64 = 1_000_000;

/// As a part of the output step, the shortest internal step.
const SHORTEST: f64 = 1e-14;

/// Opens the backend.
pub fn open(plan: Plan, method: Adaptive) -> Box<dyn Backend> {
    Box::new(Implicit { plan, method, instances: Vec::new(), evaluations: AtomicU64::new(0), most: u64::MAX })
}

struct Implicit {
    plan: Plan,
    method: Adaptive,
    instances: Vec<Instance>,
    /// Evaluations of the equations of motion since the last load, all instances together; and the
    /// most there may be.
    evaluations: AtomicU64,
    most: u64,
}

/// One instance under way.
struct Instance {
    /// All channels of the motions, then what is remembered.
    state: Vec<f64>,
    parameters: Vec<f64>,
    end: End,
}

impl Backend for Implicit {
    fn load(&mut self, batch: &Batch) -> Result<(), BackendError> {
        let constants = &self.plan.constants;
        let instance = |i: usize| Instance {
            state: batch.states.iter().map(|plane| plane[i]).collect(),
            parameters: batch
                .parameters
                .iter()
                .zip(constants)
                .map(|(plane, constant)| plane.get(i).copied().unwrap_or(*constant))
                .collect(),
            end: End { verdict: batch.verdicts[i], step: 0 },
        };
        self.instances = (0..batch.count).map(instance).collect();
        *self.evaluations.get_mut() = 0;
        Ok(())
    }

    fn advance(&mut self, first: u64, end: u64) -> Result<(), BackendError> {
        let (plan, method, counted) = (&self.plan, self.method, (&self.evaluations, self.most));
        let running = |instance: &&mut Instance| instance.end.verdict == Verdict::Finished;
        self.instances.par_iter_mut().filter(running).for_each(|instance| {
            let Instance { state, parameters, .. } = instance;
            let course = Course { plan, method, parameters, counted };
            for k in first..end {
                let verdict = match course.step(k, state) {
                    Ok((next, over)) => {
                        *state = next.into_iter().map(Element::flushed).collect();
                        over
                    }
                    Err(verdict) => Some(verdict),
                };
                if let Some(verdict) = verdict {
                    instance.end = End { verdict, step: k + 1 };
                    return;
                }
            }
            instance.end.step = end;
        });
        Ok(())
    }

    fn fetch(&mut self) -> Result<(), BackendError> {
        Ok(())
    }

    fn evaluations(&self) -> u64 {
        self.evaluations.load(Ordering::Relaxed)
    }

    fn limit_evaluations(&mut self, most: u64) {
        self.most = most;
    }

    fn capacity(&self) -> usize {
        // A step takes long: a chunk is to be done before anybody wonders.
        1 << 14
    }

    fn describe(&self) -> String {
        let threads = rayon::current_num_threads();
        let plural = if threads == 1 { "" } else { "s" };
        format!("CPU, {threads} thread{plural}, f64, adaptive steps")
    }

    fn arithmetic(&self) -> String {
        "CPU, f64, adaptive steps".to_string()
    }
}

impl StateReader for Implicit {
    fn read_channel(&self, channel: usize, first: usize, out: &mut [f64]) {
        for (x, instance) in out.iter_mut().zip(&self.instances[first..]) {
            *x = instance.state[channel];
        }
    }

    fn ends(&self, first: usize, out: &mut [End]) {
        for (end, instance) in out.iter_mut().zip(&self.instances[first..]) {
            *end = instance.end;
        }
    }
}

/// Advances one instance from step to step.
struct Course<'a> {
    plan: &'a Plan,
    method: Adaptive,
    parameters: &'a [f64],
    /// Evaluations of the equations, and how many there may be.
    counted: (&'a AtomicU64, u64),
}

impl Course<'_> {
    /// The state at the end of step `k`, and the condition that ends the instance there; or why
    /// there is none.
    fn step(&self, k: u64, state: &[f64]) -> Result<(Vec<f64>, Option<Verdict>), Verdict> {
        let Course { plan, parameters, .. } = self;
        let model = &plan.model;
        let parameter = |p: usize| parameters[p];
        let (_, memory) = state.split_at(model.width());
        let mut reached = state.to_vec();
        let pieces = plan.schedule.pieces(k);
        for (from, until, factors) in &pieces {
            reached = match self.method.formulas {
                Formulas::Bdf => self.integrated(&reached, *from, *until, factors)?,
                Formulas::GearNordsieck => nordsieck::integrated(self, &reached, (*from, *until), factors)?,
            };
        }
        let motions = model.motions(&reached);
        // The memory at the end of the step goes by the loads that acted last.
        let whole = plan.schedule.stretches(k, k + 1);
        let spans = model.spans().len();
        let factor = |sample: usize, span: usize| {
            let piece = whole.first().and_then(|stretch| stretch.pieces.first());
            piece.and_then(|piece| piece.factors.get(sample * spans + span).copied()).unwrap_or(0.0)
        };
        let system = model.system(&plan.schedule.samples, &parameter, memory, &factor);
        let before = model.motions(state);
        let remembered = |motions: &[Motion<f64>]| {
            let after = State { motions: motions.to_vec(), carried: Vec::new() };
            model.remember(&system, memory, &before, &after)
        };
        let memory = remembered(&motions);
        let over = match self.judged(k, &motions, &memory) {
            Err(verdict) if !verdict.is_condition() => return Err(verdict),
            judged => judged.err(),
        };
        let motions: Vec<Motion<f64>> = motions.into_iter().map(Motion::normalised).collect();
        if !plan.projects || model.rows() == 0 {
            return Ok(([all_channels(&motions), memory].concat(), over));
        }
        let system = model.system(&plan.schedule.samples, &parameter, &memory, &factor);
        let motions: Vec<Motion<f64>> =
            system.projected(&motions).into_iter().map(Motion::normalised).collect();
        let memory = remembered(&motions);
        let reached = all_channels(&motions);
        if are_finite(model, &reached, &memory) {
            Ok(([reached, memory].concat(), over))
        } else {
            Err(Verdict::NonFinite)
        }
    }

    /// Whether the state as it was reached by step k satisfies all bounds; a bound of zero on the
    /// energy bounds nothing.
    fn judged(&self, k: u64, motions: &[Motion<f64>], memory: &[f64]) -> Result<(), Verdict> {
        let Course { plan, parameters, .. } = self;
        let parameter = |p: usize| parameters[p];
        let (model, bounds) = (&plan.model, plan.bounds);
        if !are_finite(model, &all_channels(motions), memory) {
            return Err(Verdict::NonFinite);
        }
        let ends = &model.mechanism().ends;
        if !ends.is_empty() {
            let around = plan.schedule.factors_around(k + 1);
            let system = model.system(&plan.schedule.samples, &parameter, memory, &|_, span| around[span]);
            let holds = |end: &EndCondition| {
                !end.at_end && system.function(&end.when, 0.0, Neighbour::After, motions) > 0.5
            };
            if let Some(number) = ends.iter().position(holds) {
                return Err(Verdict::Condition(number as u8));
            }
        }
        if let Some(bound) = bounds.energy {
            let start = model.start_energy();
            let change = model.energy(&parameter, memory).change(motions, parameters[start]);
            let allowed = parameters[start + 1] * bound;
            if allowed > 0.0 && change.abs() > allowed {
                return Err(Verdict::EnergyBound);
            }
        } else if bounds.unexplained != Unexplained::Nothing {
            let change = model.energy(&parameter, memory).change(motions, parameters[model.start_energy()]);
            let change = if bounds.unexplained == Unexplained::Gain { change } else { change.abs() };
            let allowed = model.unexplained_energy(&parameter, motions, memory, bounds.weight);
            if allowed > 0.0 && change > allowed {
                return Err(Verdict::EnergyBound);
            }
        }
        if let Some(bound) = bounds.constraint
            && model.violation(motions, &parameter, memory) > bound
        {
            return Err(Verdict::ConstraintBound);
        }
        match bounds.quaternion_norm {
            Some(bound) if motions.iter().any(|m| (norm_squared(m.q).sqrt() - 1.0).abs() > bound) => {
                Err(Verdict::NormBound)
            }
            _ => Ok(()),
        }
    }

    /// Whether there were as many evaluations as there may be.
    fn exhausted(&self) -> bool {
        self.counted.0.load(Ordering::Relaxed) > self.counted.1
    }

    /// The state so many steps after the start of the step, from that at `from`, or why it cannot
    /// be reached within the tolerances.
    fn integrated(&self, state: &[f64], from: f64, until: f64, factors: &[f64]) -> Result<Vec<f64>, Verdict> {
        let Course { plan, method, parameters, counted: (evaluations, _) } = self;
        let model = &plan.model;
        // Channels that rest are no unknowns.
        let unknown: Vec<usize> = (0..model.width()).filter(|c| plan.moving[*c]).collect();
        let rates = Rates::new(plan, parameters, state, (&unknown, factors), evaluations);
        let start: Vec<f64> = unknown.iter().map(|c| state[*c]).collect();
        let mut first = vec![0.0; start.len()];
        rates.at(&start, from, &mut first);
        if !first.iter().all(|x| x.is_finite()) {
            return Err(Verdict::NonFinite);
        }
        // Whatever the solver complains of, it has made its steps as short as it may.
        let too_small = |_: DiffsolError| Verdict::StepTooSmall;
        let mut problem = OdeBuilder::<NalgebraMat<f64>>::new()
            .t0(from)
            .h0(until - from)
            .rtol(method.relative)
            .atol([method.absolute])
            .rhs_implicit(
                |y: &[f64], _: &[f64], c: f64, rate: &mut [f64]| rates.at(y, c, rate),
                |y: &[f64], _: &[f64], c: f64, along: &[f64], rate: &mut [f64]| {
                    rates.along(y, c, along, rate)
                },
            )
            .init(|_: &[f64], _: f64, y: &mut [f64]| y.copy_from_slice(&start), start.len())
            .build()
            .map_err(too_small)?;
        problem.ode_options.min_timestep = SHORTEST;
        // Each costs a step, of which the number is bounded.
        problem.ode_options.max_nonlinear_solver_failures = MOST_STEPS as usize;
        let mut solver = problem.bdf::<NalgebraLU<f64>>().map_err(too_small)?;
        solver.set_stop_time(until).map_err(too_small)?;
        for _ in 0..MOST_STEPS {
            if self.exhausted() {
                break;
            }
            if let OdeSolverStopReason::TstopReached = solver.step().map_err(too_small)? {
                let mut end = state.to_vec();
                let reached = solver.state();
                for (place, c) in unknown.iter().enumerate() {
                    end[*c] = reached.y[place];
                }
                return Ok(end);
            }
        }
        Err(Verdict::StepTooSmall)
    }
}

/// The equations of motion of one instance within a step, time counted in steps from its start.
struct Rates<'a> {
    plan: &'a Plan,
    parameters: &'a [f64],
    /// All channels: of those that rest, and what is remembered.
    state: &'a [f64],
    unknown: &'a [usize],
    /// By timed load: does it act?
    factors: &'a [f64],
    evaluations: &'a AtomicU64,
    /// Built once, and updated to the requested instant.
    system: RefCell<System<f64>>,
    tangent: RefCell<System<Dual<f64>>>,
}

impl<'a> Rates<'a> {
    fn new(
        plan: &'a Plan,
        parameters: &'a [f64],
        state: &'a [f64],
        (unknown, factors): (&'a [usize], &'a [f64]),
        evaluations: &'a AtomicU64,
    ) -> Rates<'a> {
        let system = RefCell::new(at_start(plan, parameters, state, factors, |x| x));
        let tangent = RefCell::new(at_start(plan, parameters, state, factors, Dual::constant));
        Rates { plan, parameters, state, unknown, factors, evaluations, system, tangent }
    }

    /// Computes the rates of the unknowns: their change per step.
    fn at(&self, y: &[f64], c: f64, rate: &mut [f64]) {
        self.evaluate(&self.system, &mut y.iter().copied(), c, rate, |x| x, |x| x);
    }

    /// Computes the derivative of the rates along a direction of the unknowns.
    fn along(&self, y: &[f64], c: f64, direction: &[f64], rate: &mut [f64]) {
        let mut y = y.iter().zip(direction).map(|(value, tangent)| Dual { value: *value, tangent: *tangent });
        self.evaluate(&self.tangent, &mut y, c, rate, Dual::constant, |x| x.tangent);
    }

    fn evaluate<R: Real>(
        &self,
        system: &RefCell<System<R>>,
        y: &mut dyn Iterator<Item = R>,
        c: f64,
        rate: &mut [f64],
        constant: impl Fn(f64) -> R,
        value: impl Fn(R) -> f64,
    ) {
        let mut channels: Vec<R> = self.resting().iter().map(|x| constant(*x)).collect();
        for (place, y) in self.unknown.iter().zip(y) {
            channels[*place] = y;
        }
        let mut system = system.borrow_mut();
        let motions = self.looked(&mut system, c, &channels, constant);
        let nothing: Vec<Motion<R>> = motions.iter().map(Motion::zeroed).collect();
        let rates = all_channels(&system.rate_add(system.h, 0, &motions, &nothing));
        for (rate, place) in rate.iter_mut().zip(self.unknown) {
            *rate = value(rates[*place]);
        }
    }
}

impl Rates<'_> {
    /// All channels as they are where nothing moves them.
    fn resting(&self) -> &[f64] {
        &self.state[..self.plan.model.width()]
    }

    /// Turns the system so many steps on, to be evaluated once. Returns the motions of these
    /// channels.
    fn looked<R: Real>(
        &self,
        system: &mut System<R>,
        c: f64,
        channels: &[R],
        constant: impl Fn(f64) -> R,
    ) -> Vec<Motion<R>> {
        self.evaluations.fetch_add(1, Ordering::Relaxed);
        let model = &self.plan.model;
        let parameter = |p: usize| constant(self.parameters[p]);
        model.look(system, c, &parameter, &|span| constant(self.factors[span]));
        model.motions(channels)
    }
}

/// Returns the system that the equations of an instance see at the start of a step.
fn at_start<R: Real>(
    plan: &Plan,
    parameters: &[f64],
    state: &[f64],
    factors: &[f64],
    constant: impl Fn(f64) -> R,
) -> System<R> {
    let memory: Vec<R> = state[plan.model.width()..].iter().map(|x| constant(*x)).collect();
    let parameter = |p: usize| constant(parameters[p]);
    let factor = |_: usize, span: usize| constant(factors[span]);
    plan.model.system(&[Sample::new(0.0, 1.0, 0.0)], &parameter, &memory, &factor)
}

/// Whether the numbers of a motion are, and of its memory those that must be.
fn are_finite(model: &Model, motions: &[f64], memory: &[f64]) -> bool {
    let kept = model.memory().iter().zip(memory).filter(|(item, _)| item.must_be_finite());
    motions.iter().chain(kept.map(|(_, x)| x)).all(|x| x.is_sound())
}
