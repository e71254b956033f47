//! Where instances are advanced: the CPU's SIMD lanes and threads, or a GPU.
//!
//! Both take a [`Batch`] of instances, advance it between snapshots, stop the instances that fail,
//! and hand the states back. What a backend computes for an instance depends on nothing but that
//! instance.

pub mod choose;
pub mod cpu;
pub mod forecast;
pub mod forecast_time;
pub mod gpu;
#[cfg(feature = "implicit")]
pub(crate) mod implicit;
#[cfg(not(feature = "implicit"))]
#[path = "implicit_absent.rs"]
pub(crate) mod implicit;
pub mod lead;
pub mod learned;
pub mod left_behind;
pub mod program;
mod step_inputs;
pub mod tally;
pub mod tangents;

use crate::base::{Options, Precision, Verdict};
use crate::describe::{Mechanism, Unexplained};
use crate::ensemble::Quantities;
use crate::ensemble::schedule::Schedule;
use crate::methods::{Advance, AnyMethod, Shape};
use crate::model::{Model, NoMechanism, WIDTH};
use crate::treatments::AnyTreatment;
use tally::{Begun, Observation, Tally};
use tangents::Tangents;

/// The model, method, schedule and bounds that all instances of a run share.
#[derive(Clone, Debug)]
pub struct Plan {
    pub model: Model,
    pub method: Advance,
    pub schedule: Schedule,
    /// For every state channel of the motions, whether it changes; positions and velocities of mass
    /// centres may rest. What the model [remembers](Model::memory) follows, then what belongs to
    /// the [tangents](Plan::tangents).
    pub moving: Vec<bool>,
    pub zeros: Zeros,
    /// Positions and velocities are projected on to the joints whenever the method is
    /// resynchronised.
    pub projects: bool,
    pub bounds: Bounds,
    /// Values of the parameters that do not vary; those that do hold the nominal value.
    pub constants: Vec<f64>,
    /// The directions that the run follows besides the motion, if any.
    pub tangents: Option<Tangents>,
}

impl Plan {
    /// The plan of a mechanism exactly as described, nothing varied, seen at the end alone,
    /// whatever it starts from.
    ///
    /// # Errors
    /// The mechanism describes no body.
    pub fn nominal(
        mechanism: &Mechanism,
        method: AnyMethod,
        h: f64,
        steps: u64,
    ) -> Result<Plan, NoMechanism> {
        let treatment = AnyTreatment::default();
        let settings = treatment.card().given(&Options::default());
        let (samples, own_steps) = (method.samples(), method.own_steps().is_some());
        let method = Advance::Recorded(method);
        let model = Self::remembering(Model::new(mechanism, treatment, &[], false), &method);
        let mut constants = vec![0.0; model.parameters()];
        model.resolve(&Quantities::of(mechanism, h, Precision::F64, settings), &mut constants)?;
        let schedule = Schedule {
            h,
            steps,
            every: steps,
            resynchronise: 0,
            begin: Self::begin_steps(&model, &method, h),
            check: steps,
            samples: model.samples(samples),
            spans: model.spans().to_vec(),
            own_steps,
            breaks: Vec::new(),
            tolerance: None,
        };
        Ok(Plan {
            moving: model.moving(&[]),
            zeros: Zeros::default(),
            projects: false,
            bounds: Bounds::default(),
            schedule,
            model,
            method,
            constants,
            tangents: None,
        })
    }

    /// This model with what the method wants instances to remember.
    pub fn remembering(model: Model, method: &Advance) -> Model {
        let model = if method.own_steps().is_some() { model.choosing_steps() } else { model };
        if method.iterates() { model.counting_iterations() } else { model }
    }

    /// Steps of h (s) between instants at which the method begins anew because laws may jump there;
    /// 0: never, or it carries nothing.
    pub fn begin_steps(model: &Model, method: &Advance, h: f64) -> u64 {
        let shape = Shape { modes: model.modes(), rows: model.rows(), carried_rows: model.carried_rows() };
        let carries = !method.is_adaptive() && !method.recorded().carried(&shape).is_empty();
        if carries { model.mechanism().sampling_steps(h) } else { 0 }
    }

    /// The plan that knows of no [`Zeros`].
    pub fn unfolded(&self) -> Plan {
        Plan { zeros: Zeros::default(), ..self.clone() }
    }

    /// The bodies that turn: all but point masses.
    pub fn turning(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.model.bodies()).filter(|body| self.moving[body * WIDTH])
    }

    /// The value of a channel that rests: a body that does not turn has the unit quaternion, and
    /// all else is zero. `None`: it moves.
    pub fn at_rest(&self, channel: usize) -> Option<f64> {
        let rests = self.moving.get(channel) == Some(&false);
        let is_scalar = channel.is_multiple_of(WIDTH) && channel < WIDTH * self.model.bodies();
        rests.then_some(if is_scalar { 1.0 } else { 0.0 })
    }

    /// Numbers that all instances share and that change from stretch to stretch: those of a
    /// [piece](crate::ensemble::schedule::StepPiece).
    pub fn factors(&self) -> usize {
        let Schedule { samples, spans, tolerance, .. } = &self.schedule;
        samples.len() * spans.len() + usize::from(tolerance.is_some()) + usize::from(self.schedule.has_edge())
    }
}

/// The channels and parameters that are exactly zero in every instance. Empty: nothing is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Zeros {
    /// For every state channel of the motions, whether it is zero at the start; those of them that
    /// every step leaves zero are no part of the [program](program::Program). What the method
    /// carries may follow, where it is known.
    pub channels: Vec<bool>,
    /// For every parameter that varies, whether it does not: of a vector often one component is
    /// drawn.
    pub parameters: Vec<bool>,
}

/// An instance stops in the last state that satisfies these.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// Largest `|E - E0| / (T0 + |V0|)`.
    pub energy: Option<f64>,
    /// The unexplained change of energy that ends an instance too.
    pub unexplained: Unexplained,
    /// Energy of a unit of mass that its weight may turn over (m²/s²).
    pub weight: f64,
    /// Largest `| |q| - 1 |`.
    pub quaternion_norm: Option<f64>,
    /// Largest `|Phi|`, the root of the sum of squares of all rows' violations.
    pub constraint: Option<f64>,
}

/// Instances to start, structure of arrays, in f64: backends round to their precision.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Number of instances.
    pub count: usize,
    /// One plane for every state channel of the motion.
    pub states: Vec<Vec<f64>>,
    /// One plane for every parameter that varies, empty for the others.
    pub parameters: Vec<Vec<f64>>,
    /// Instances that never start have a verdict already.
    pub verdicts: Vec<Verdict>,
}

impl Batch {
    /// An empty batch for `count` instances of this plan, all of them finished at step 0.
    pub fn new(plan: &Plan, count: usize) -> Batch {
        let parameters = (0..plan.model.parameters())
            .map(|p| if plan.model.varies(p) { vec![plan.constants[p]; count] } else { Vec::new() })
            .collect();
        Batch {
            count,
            states: vec![vec![0.0; count]; plan.moving.len()],
            parameters,
            verdicts: vec![Verdict::Finished; count],
        }
    }

    /// Those of its instances that are at these places.
    pub fn of(&self, places: &[usize]) -> Batch {
        let picked = |plane: &Vec<f64>| -> Vec<f64> {
            places.iter().filter_map(|place| plane.get(*place).copied()).collect()
        };
        let planes = |planes: &[Vec<f64>]| planes.iter().map(picked).collect();
        Batch {
            count: places.len(),
            states: planes(&self.states),
            parameters: planes(&self.parameters),
            verdicts: places.iter().map(|place| self.verdicts[*place]).collect(),
        }
    }
}

/// The end of an instance so far: `Finished` while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    pub verdict: Verdict,
    /// The step at which the verdict's bound was first passed; the last step for a finished
    /// instance.
    pub step: u64,
}

/// Why a backend could not go on.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    #[error("no GPU adapter{wanted}: {found}")]
    NoAdapter { wanted: String, found: String },
    #[error(
        "the adapter {adapter} has no 64-bit floating point in shaders; \
         use precision = \"f32\" or backend = \"cpu\""
    )]
    NoDouble { adapter: String },
    #[error(
        "the adapter {adapter} does not leave sums as they are written ({wrong} of {of} differ), which \
         f32_compensated needs; use precision = \"f64\" or \"f32\", or backend = \"cpu\""
    )]
    Sums { adapter: String, wrong: usize, of: usize },
    #[error("the adapter {adapter} refused a device: {reason}")]
    NoDevice { adapter: String, reason: String },
    #[error("the kernel of this study was refused: {0}")]
    Kernel(String),
    #[error("no instances were loaded on the device")]
    NotLoaded,
    #[error("the device was lost or ran out of memory: {0}")]
    Lost(String),
    #[error(
        "the driver of {adapter} refused the kernel of this study ({lines} lines, {precision}): {reason}; \
         use {advice}"
    )]
    Refused { adapter: String, lines: String, precision: &'static str, reason: String, advice: &'static str },
    #[error("{0}")]
    Unsuited(String),
    #[error("interrupted")]
    Interrupted,
}

/// Where the instances of a batch are now, or some of them.
pub trait StateReader: Sync {
    /// One state channel of the instances from `first` on, as many as `out` holds, in f64.
    fn read_channel(&self, channel: usize, first: usize, out: &mut [f64]);
    /// The first state channels of the instances from `first` on, as many as the planes hold, in
    /// f64.
    fn read(&self, first: usize, planes: &mut [Vec<f64>]) {
        for (channel, plane) in planes.iter_mut().enumerate() {
            self.read_channel(channel, first, plane);
        }
    }
    /// Whether so many instances from `first` on are all under way.
    fn are_under_way(&self, first: usize, count: usize) -> bool {
        let mut ends = vec![End { verdict: Verdict::Finished, step: 0 }; count];
        self.ends(first, &mut ends);
        ends.iter().all(|end| end.verdict == Verdict::Finished)
    }
    /// Tells how the instances from `first` on ended.
    fn ends(&self, first: usize, out: &mut [End]);
}

/// Neighbouring instances of a batch with an interval before them; [read](StateReader) by
/// their numbers in the batch.
pub trait BatchSection: StateReader + Send {
    /// Takes them through the interval, on the thread that calls.
    fn advance(&mut self);
}

/// Opens a backend, on any thread.
pub type Opening = Box<dyn FnOnce() -> Box<dyn Backend> + Send>;

/// Advances batches of instances. Those of the batch are [read](StateReader) after a
/// [fetch](Backend::fetch).
pub trait Backend: StateReader + Send + Sync {
    /// Starts a batch at step 0.
    fn load(&mut self, batch: &Batch) -> Result<(), BackendError>;
    /// From step `first` to step `end`, at most one snapshot interval.
    fn advance(&mut self, first: u64, end: u64) -> Result<(), BackendError>;
    /// Cuts the batch into parts that the caller advances instead of calling
    /// [`advance`](Backend::advance), each of so many instances but for the last. `None`: its
    /// instances do not advance apart.
    fn sections(
        &mut self,
        first: u64,
        end: u64,
        instances: usize,
    ) -> Option<Vec<Box<dyn BatchSection + '_>>> {
        let _ = (first, end, instances);
        None
    }
    /// Takes its steps by another schedule from the next [load](Backend::load) on, where the step
    /// is a parameter that [varies](Model::varies); false: it cannot.
    fn reschedule(&mut self, schedule: &Schedule) -> bool {
        let _ = schedule;
        false
    }
    /// Makes another one of the same program that rounds products within sums otherwise: once with
    /// the sum, or before it; `None`: it cannot.
    fn rounding_otherwise(&self) -> Option<Opening> {
        None
    }
    /// Makes itself ready to [load](Backend::load) again after an error that says that its device
    /// was lost.
    fn reopen(&mut self) -> Result<(), BackendError> {
        Ok(())
    }
    /// Copies back what was computed: call before [`StateReader::read`] and [`StateReader::ends`].
    fn fetch(&mut self) -> Result<(), BackendError>;
    /// As [`fetch`](Backend::fetch), of so many instances from the first on.
    fn fetch_first(&mut self, instances: usize) -> Result<(), BackendError> {
        let _ = instances;
        self.fetch()
    }
    /// Begins to take all instances from step `first` to step `end` and to add up what is to be
    /// seen of them there, without copying their states back; several looks may be under way. From
    /// one [load](Backend::load) to the next it is asked for the same columns of the same start.
    fn begin_look(&mut self, first: u64, end: u64, what: &Observation<'_>) -> Result<Begun, BackendError> {
        let _ = (first, end, what);
        Ok(Begun::No)
    }
    /// The earliest look that was [begun](Backend::begin_look), once it is there; what it shows one
    /// by one can then be read. `None`: that is left to the host, and so are all later ones.
    fn end_look(&mut self) -> Result<Option<Tally>, BackendError> {
        Ok(None)
    }
    /// Evaluations of the equations of motion since the last [load](Backend::load), by a method
    /// that has no program; else 0.
    fn evaluations(&self) -> u64 {
        0
    }
    /// Ends the instances under way where all together have evaluated their equations more often
    /// than that, if it counts them.
    fn limit_evaluations(&mut self, most: u64) {
        let _ = most;
    }
    /// Largest number of instances of a batch.
    fn capacity(&self) -> usize;
    /// One line: what computes.
    fn describe(&self) -> String;
    /// Names all that decides the bits of results: two backends that say the same compute the same.
    /// Threads, SIMD level and machine code do not.
    fn arithmetic(&self) -> String;
}
