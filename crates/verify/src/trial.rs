//! One method on one mechanism, on the engine: the CPU backend, never fused, so that the numbers
//! are the same on every processor. The instances of a trial differ in the angular velocity they
//! start with.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use fearless_simd::Level;

use polhode::backend::program::Program;
use polhode::backend::{Plan, cpu};
use polhode::base::{Options, Precision, Setting};
use polhode::describe::{
    AccuracySettings, BackendChoice, Channel, Constraints, Design, Distribution, Ensemble, Kernels,
    Mechanism, MonteCarlo, Observe, ObservedChannel, OutputSettings, Quantity, Run, Study, Target,
    TimeIntegration, Vary, VerdictBounds,
};
use polhode::ensemble::{Quantities, Sampler};
use polhode::observe::channels;
use polhode::observe::channels::{Observer, columns};
use polhode::study::march::{BatchRun, Piece};
use polhode::study::plan::{draw, plan, replanned};

use super::Failure;

/// The context of a run that every claim receives.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The runs of 10^6 steps too.
    pub long: bool,
    /// Set when the user interrupts the run.
    pub interrupted: &'a AtomicBool,
}

/// A method on a mechanism, ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    study: Study,
}

impl Trial {
    /// `steps` steps of `h` (s) by the method of this name with its default settings, never
    /// resynchronised, in f64.
    pub(crate) fn new(mechanism: &Mechanism, method: &'static str, h: f64, steps: u64) -> Trial {
        Trial {
            study: Study {
                title: method.to_string(),
                kind: MonteCarlo.into(),
                mechanism: mechanism.clone(),
                method: TimeIntegration {
                    name: method,
                    options: Options::default(),
                    step: h,
                    steps,
                    resynchronise: 0,
                    accuracy: None,
                    open: None,
                    chosen: false,
                },
                constraints: Constraints::default(),
                ensemble: Ensemble {
                    size: 1,
                    seed: 0,
                    design: Design::Random,
                    vary: vec![],
                    correlated: vec![],
                    until: None,
                },
                observe: Observe { channels: vec![], every: steps, keep: 0, quantiles: vec![] },
                verdict: VerdictBounds {
                    energy: None,
                    unexplained: Default::default(),
                    quaternion_norm: None,
                    constraint: None,
                    every: 100,
                },
                accuracy: AccuracySettings::default(),
                output: OutputSettings::default(),
                run: Run {
                    backend: BackendChoice::Cpu,
                    precision: Precision::F64,
                    fused: false,
                    threads: None,
                    chunk: None,
                    kernels: Kernels::Auto,
                    checkpoint: None,
                },
            },
        }
    }

    pub(crate) fn with(mut self, key: &'static str, value: Setting) -> Trial {
        self.study.method.options = self.study.method.options.with(key, value);
        self
    }

    /// With one of the names that the method allows for `key`.
    pub(crate) fn choosing(self, key: &'static str, name: &'static str) -> Trial {
        self.with(key, Setting::Choice(name))
    }

    /// Its joints are held by the treatment of this name, with these settings; the others of the
    /// staggered ones are our first choice, for no report names any but an eps.
    pub(crate) fn held_by(mut self, treatment: &'static str, settings: &[(&'static str, Setting)]) -> Trial {
        let with =
            |options: Options, (key, value): &(&'static str, Setting)| options.with(key, value.clone());
        let named: &[(&'static str, f64)] = match treatment {
            "staggered" => &[("eps", 1e-8), ("gamma", 5.0), ("beta", 0.0)],
            _ => &[],
        };
        let named = named.iter().map(|(key, value)| (*key, Setting::Number(*value)));
        let named = named.fold(Options::default(), |options, (key, value)| options.with(key, value));
        let options = settings.iter().fold(named, with);
        self.study.constraints = Constraints { treatment, options, project: 0 };
        self
    }

    pub(crate) fn resynchronised(mut self, every: u64) -> Trial {
        self.study.method.resynchronise = every;
        self
    }

    /// Steps between snapshots.
    pub(crate) fn every(mut self, steps: u64) -> Trial {
        self.study.observe.every = steps.clamp(1, self.study.method.steps);
        self
    }

    pub(crate) fn single(mut self) -> Trial {
        self.study.run.precision = Precision::F32;
        self
    }

    /// Instance i starts with the i-th angular velocity (body axes, rad/s).
    pub(crate) fn starting(mut self, velocities: &[[f64; 3]]) -> Trial {
        let target = Target {
            key: "body.angular_velocity".to_string(),
            body: 0,
            quantity: Quantity::AngularVelocity,
            component: None,
        };
        let values = velocities.iter().map(|w| w.to_vec()).collect();
        self.study.ensemble.size = velocities.len() as u64;
        self.study.ensemble.vary = vec![Vary { target, distribution: Distribution::List { values } }];
        self
    }

    /// Returns the plan that the backend receives.
    pub(crate) fn plan(&self) -> Result<Plan, Failure> {
        plan(&self.study).map_err(|_| Failure::NoBody)
    }

    /// The mechanism's own values.
    pub(crate) fn nominal(&self) -> Quantities {
        Quantities::nominal(&self.study)
    }

    /// Floating-point operations a step from any start, a multiply-add counted as two.
    pub(crate) fn operations(&self) -> Result<usize, Failure> {
        let program = Program::new(&self.plan()?.unfolded(), self.study.run.precision);
        Ok(program.operations(&program.step).total())
    }

    /// These channels at every snapshot.
    pub(crate) fn run(&self, context: &Context<'_>, channels: &[Channel]) -> Result<History, Failure> {
        let mut plan = self.plan()?;
        let sampler = Sampler::new(&self.study)?;
        let size = self.study.ensemble.size as usize;
        let (batch, _) = loop {
            match draw(&self.study, &plan, &sampler, size, |i| i as u64) {
                Ok(drawn) => break drawn,
                Err(found) => plan = replanned(plan, &self.study, &found),
            }
        };
        let mut backend =
            cpu::open(plan.clone(), self.study.run.precision, self.study.run.fused, Level::new());
        let observer = Observer::new(&plan, channels);
        let mut values = vec![vec![Vec::new(); size]; observer.width()];
        let mut march = BatchRun::new(&plan, observer, &batch);
        let record = |_: usize, pieces: &[Piece]| {
            for (column, instances) in values.iter_mut().enumerate() {
                let now = pieces.iter().flat_map(|piece| &piece.values[column]);
                instances.iter_mut().zip(now).for_each(|(series, value)| series.push(*value));
            }
        };
        let stopped = || context.interrupted.load(Ordering::Relaxed);
        let go_on = |_| if stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        march.run(&mut *backend, None, record, go_on)?;
        if stopped() {
            return Err(Failure::Interrupted);
        }
        let observed: Vec<ObservedChannel> = channels.iter().map(|channel| (*channel).into()).collect();
        let names =
            columns(&self.study.mechanism, &observed).into_iter().map(|c| (c.channel, c.component)).collect();
        let times = plan.schedule.snapshots().iter().map(|step| *step as f64 * plan.schedule.h).collect();
        Ok(History { times, columns: names, values })
    }
}

/// Channels of all instances at all snapshots.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// Times of the snapshots (s).
    pub(crate) times: Vec<f64>,
    columns: Vec<(Channel, usize)>,
    /// `[column][instance][snapshot]`; NaN from the snapshot on at which the instance had stopped.
    values: Vec<Vec<Vec<f64>>>,
}

impl History {
    /// The snapshots up to this time (s).
    pub(crate) fn until(&self, time: f64) -> History {
        let kept = self.times.iter().take_while(|earlier| **earlier <= time).count();
        let mut first = self.clone();
        first.times.truncate(kept);
        first.values.iter_mut().flatten().for_each(|series| series.truncate(kept));
        first
    }

    /// A component of a channel of one instance, at every snapshot; empty for a channel that was
    /// not asked for.
    pub(crate) fn series(&self, channel: Channel, component: usize, instance: usize) -> &[f64] {
        let column = self.columns.iter().position(|c| *c == (channel, component));
        column.map_or(&[], |column| &self.values[column][instance])
    }

    /// A component of what a channel says of one body or other owner, in their order; of the first
    /// instance, at every snapshot.
    pub(crate) fn of_owner(&self, channel: Channel, component: usize, owner: usize) -> &[f64] {
        let columns = self.columns.iter().enumerate().filter(|(_, c)| **c == (channel, component));
        columns.map(|(column, _)| column).nth(owner).map_or(&[], |column| &self.values[column][0])
    }

    /// Three components of it, with their time, as far as the first instance got.
    pub(crate) fn path(&self, channel: Channel, owner: usize) -> Vec<(f64, [f64; 3])> {
        let all: [&[f64]; 3] = std::array::from_fn(|k| self.of_owner(channel, k, owner));
        let at = |(i, time): (usize, &f64)| (*time, std::array::from_fn(|k| at(all[k], i)));
        let points = self.times.iter().enumerate().map(at);
        points.filter(|(_, point): &(f64, [f64; 3])| point.iter().all(|x| x.is_finite())).collect()
    }

    /// Returns a component of a channel of the first instance, with its time, as far as the
    /// instance got.
    pub(crate) fn curve(&self, channel: Channel, component: usize) -> Vec<(f64, f64)> {
        let values = self.series(channel, component, 0).iter().copied();
        self.times.iter().copied().zip(values).filter(|(_, value)| value.is_finite()).collect()
    }

    /// As [`History::curve`], of the `owner`-th of those that have the channel: one of several
    /// contacts or joints.
    pub(crate) fn curve_of(&self, channel: Channel, owner: usize, component: usize) -> Vec<(f64, f64)> {
        let mut columns = self.columns.iter().enumerate().filter(|(_, c)| **c == (channel, component));
        let Some((column, _)) = columns.nth(owner) else { return Vec::new() };
        let values = self.values[column][0].iter().copied();
        self.times.iter().copied().zip(values).filter(|(_, value)| value.is_finite()).collect()
    }

    /// The largest absolute value that the first instance reached before it stopped.
    pub(crate) fn largest(&self, channel: Channel) -> f64 {
        self.curve(channel, 0).iter().map(|(_, value)| value.abs()).fold(0.0, f64::max)
    }

    /// When the first instance's channel is first seen beyond `bound` (s); the end of the run if it
    /// never is.
    pub(crate) fn passes(&self, channel: Channel, bound: f64) -> f64 {
        let mut samples = self.times.iter().zip(self.series(channel, 0, 0));
        let end = self.times.last().copied().unwrap_or(0.0);
        // NaN: the instance has stopped, which is beyond any bound.
        samples.find(|(_, value)| value.is_nan() || value.abs() > bound).map_or(end, |(time, _)| *time)
    }

    /// Attitude quaternion of the first instance at a snapshot.
    pub(crate) fn attitude(&self, snapshot: usize) -> [f64; 4] {
        self.attitude_of(0, snapshot)
    }

    pub(crate) fn attitude_of(&self, instance: usize, snapshot: usize) -> [f64; 4] {
        std::array::from_fn(|k| at(self.series(channels::ATTITUDE, k, instance), snapshot))
    }

    /// Angular velocity of the first instance at a snapshot (body axes, rad/s).
    pub(crate) fn angular_velocity(&self, snapshot: usize) -> [f64; 3] {
        std::array::from_fn(|k| at(self.series(channels::ANGULAR_VELOCITY, k, 0), snapshot))
    }

    /// Number of the last snapshot.
    pub(crate) fn last(&self) -> usize {
        self.times.len().saturating_sub(1)
    }
}

fn at(series: &[f64], snapshot: usize) -> f64 {
    series.get(snapshot).copied().unwrap_or(f64::NAN)
}
