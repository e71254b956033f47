//! One instance, scalar, one step at a time: the judge of lanes, blocks, dispatches and verdicts.

use polhode::backend::{Batch, End, Plan};
use polhode::kinematics::body::Motion;
use polhode::math::quaternion::norm_squared;
use polhode::methods::lead::{LeadStage, LeadState, STAGES};
use polhode::methods::{Sample, State};
use polhode::model::timing::PartOfStep;
use polhode::model::{WIDTH, all_channels, channels};
use polhode::observe::Verdict;
use polhode::real::{Element, Real};

/// The channels of a chain that the method leads away from the motions; none if it leads none.
pub fn led<R: Real>(
    plan: &Plan,
    start: &[Motion<R>],
    parameter: &impl Fn(usize) -> R,
    memory: &[R],
    factor: &impl Fn(usize, usize) -> R,
) -> Vec<R> {
    let Some(lead) = plan.method.recorded().lead() else { return Vec::new() };
    let lift = |x: f64| start[0].q[0].lift(x);
    let stages: Vec<LeadStage> = lead.stages().collect();
    let led = stages.chunks(STAGES).fold(start.to_vec(), |start, stages| {
        let step = stages.iter().fold(LeadState::open(start), |state, stage| {
            let part = PartOfStep { from: lift(stage.time), share: lift(1.0) };
            let sample = [Sample::new(0.0, lead.step, 0.0)];
            let factor = |_: usize, span: usize| factor(stage.sample, span);
            let system = plan.model.system_over(Some(part), &sample, parameter, memory, &factor);
            state.stage(&system, system.h * lift(lead.step), lift(stage.a), lift(stage.b))
        });
        step.settled()
    });
    all_channels(&led)
}

/// An instance that is stepped by scalar arithmetic.
pub struct Alone<'a, E: Element> {
    plan: &'a Plan,
    parameters: Vec<E>,
    state: State<E>,
    memory: Vec<E>,
}

impl<'a, E: Element> Alone<'a, E> {
    pub fn new(plan: &'a Plan, batch: &Batch, i: usize) -> Self {
        let state: Vec<E> = batch.states.iter().map(|plane| E::from_f64(plane[i])).collect();
        let parameters = (0..plan.model.parameters())
            .map(|p| E::from_f64(*batch.parameters[p].get(i).unwrap_or(&plan.constants[p])))
            .collect();
        let (moving, memory) = state.split_at(plan.model.width());
        let memory = memory.to_vec();
        Alone {
            plan,
            parameters,
            state: State { motions: plan.model.motions(moving), carried: Vec::new() },
            memory,
        }
    }

    pub fn state(&self) -> [f64; WIDTH] {
        channels(&self.state.motions[0]).map(E::to_f64)
    }

    /// From step k to k + 1.
    pub fn step(&mut self, k: u64) {
        let plan = self.plan;
        let stretch = &plan.schedule.stretches(k, k + 1)[0];
        let parameter = |p: usize| self.parameters[p];
        let factor = |sample: usize, span: usize| {
            E::from_f64(stretch.pieces[0].factors[sample * plan.schedule.spans.len() + span])
        };
        let system = plan.model.system(&plan.schedule.samples, &parameter, &self.memory, &factor);
        let method = plan.method.recorded();
        let (begins, again) = (k == 0, plan.schedule.resynchronises(k));
        if begins || again {
            let chain = led(plan, &self.state.motions, &parameter, &self.memory, &factor);
            let others = match begins {
                true => method.begin(&system, &self.state.motions),
                false => method.resynchronised(&system, &self.state),
            };
            self.state.carried = [chain, others].concat();
        }
        let after = plan.method.recorded().step(&system, &self.state);
        self.memory = plan.model.remember(&system, &self.memory, &self.state.motions, &after);
        self.state = after;
    }

    /// Returns the verdict that the instance would get if it ended now.
    fn judge(&self) -> Verdict {
        if !self.state().iter().all(|x| x.abs() <= E::LARGEST) {
            return Verdict::NonFinite;
        }
        if let Some(bound) = self.plan.bounds.quaternion_norm {
            let norm = norm_squared(self.state.motions[0].q).sqrt();
            if (norm - norm.lift(1.0)).to_f64().abs() > E::from_f64(bound).to_f64() {
                return Verdict::NormBound;
            }
        }
        if let Some(bound) = self.plan.bounds.energy {
            let energy = self.plan.model.energy(&|p| self.parameters[p], &self.memory);
            let change = energy.change(&self.state.motions, self.parameters[self.plan.model.start_energy()]);
            let scale = self.parameters[self.plan.model.start_energy() + 1];
            let allowed = (scale * scale.lift(bound)).to_f64();
            if allowed > 0.0 && change.to_f64().abs() > allowed {
                return Verdict::EnergyBound;
            }
        }
        if let Some(bound) = self.plan.bounds.constraint {
            let parameter = |p: usize| self.parameters[p];
            let violation = self.plan.model.violation(&self.state.motions, &parameter, &self.memory);
            if violation.to_f64() > E::from_f64(bound).to_f64() {
                return Verdict::ConstraintBound;
            }
        }
        Verdict::Finished
    }
}

/// The end of instance `i` and its last sound state: every step is judged, but a failure counts
/// only if the next check sees one. Checks are at multiples of their period, where a load jumps,
/// and at snapshots.
pub fn run_alone<E: Element>(plan: &Plan, batch: &Batch, i: usize) -> ([f64; WIDTH], End) {
    let mut alone = Alone::<E>::new(plan, batch, i);
    if batch.verdicts[i] != Verdict::Finished {
        return (alone.state(), End { verdict: batch.verdicts[i], step: 0 });
    }
    let schedule = &plan.schedule;
    let stretches = schedule.stretches(0, schedule.steps);
    let mut failed: Option<([f64; WIDTH], End)> = None;
    for k in 0..schedule.steps {
        let before = alone.state();
        alone.step(k);
        let step = k + 1;
        let verdict = alone.judge();
        if verdict != Verdict::Finished && failed.is_none() {
            failed = Some((before, End { verdict, step }));
        }
        let checked = step % schedule.check == 0
            || step % schedule.every == 0
            || stretches.iter().any(|s| s.end == step);
        if checked {
            match failed {
                Some(end) if verdict != Verdict::Finished => return end,
                _ => failed = None,
            }
        }
    }
    (alone.state(), End { verdict: Verdict::Finished, step: schedule.steps })
}
