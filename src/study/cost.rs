//! The time that a run will take: measured by a trial of its first instances over a few steps, and
//! carried on to the whole.
//!
//! ```text
//! total = planning + compiling + sampling + (stepping + observing)
//!         of the pilot and of all instances
//!         + writing
//! ```
//!
//! Planning and compiling are timed as they happen. The trial advances and observes a batch for
//! about `TRIAL`, as the run does, and a wider batch where there is time for one: what a dispatch
//! or a snapshot costs by itself is then shared by as many instances as in a run, or nearly. Time
//! grows with groups of lanes. One that is not full costs as many vectors as have an instance; it
//! is tried as it is. Instances that choose their own steps are tried from the start to the end, or
//! as far as `ENOUGH` goes. Writing is a count of pictures and values, by times that were measured
//! once: pictures cannot be drawn before there is anything to show.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::accuracy;
use super::driver::{LARGEST_CHUNK, instance_bytes, room, workload};
use super::final_columns::final_channels;
use super::march::{BatchRun, Piece, Spent};
use super::plan::{self, replanned};
use super::planned_run::{on_threads, planned};
use super::run_error::RunError;
use crate::backend::choose::{ChosenBackend, choose};
use crate::backend::cpu::tape::GROUP;
use crate::backend::tangents::{Tangents, coordinates_of};
use crate::backend::{Backend, Batch, Plan};
use crate::base::quantity;
use crate::describe::{ObservedChannel, Study};
use crate::ensemble::Sampler;
use crate::ensemble::sampling::directions;
use crate::observe::channels::{Observer, columns};
use crate::observe::{PILOT, Pilot, Statistics};

/// Stepping that is timed.
const TRIAL: Duration = Duration::from_millis(50);
/// Stretches of about that time, of which the fastest counts; one that takes `ENOUGH` is the last.
const LONG_TRIALS: u32 = 3;
const ENOUGH: Duration = Duration::from_secs(1);
/// Looks at the clock, at least, from start to end of instances that choose their own steps.
const LOOKS: u64 = 4096;
/// Snapshots between the ends of a stretch by which one of them is timed.
const INNER: u64 = 16;
/// Groups of lanes for each thread, so that all threads have work.
const GROUPS: usize = 8;
/// Instances for each thread where each chooses its own steps, one of which may take long.
const ADAPTIVE: usize = 2;
/// Time to draw a picture for a report, to draw it as SVG and PNG too, and to write a value of a
/// table (s). Processor times of `tumbling`, `double_pendulum` and `furuta_pendulum` on a Xeon with
/// AVX-512.
const SKETCH: f64 = 0.003;
const PICTURE: f64 = 0.025;
const VALUE: f64 = 2e-8;
/// Operations that a thread of the judge does in a second, about: .2 s of two threads are 3e9.
const JUDGED: f64 = 7.5e9;

/// Where the time of a run will go (s).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// The line about the processor that computes, and why it was chosen.
    pub backend: String,
    /// Reading the file, looking for the stable step, planning: the caller's own measurement
    /// included.
    pub planning: f64,
    pub compiling: f64,
    pub sampling: f64,
    pub stepping: f64,
    /// Looking for the states of studies that advance nothing.
    pub searching: f64,
    pub observing: f64,
    pub writing: f64,
    pub judging: f64,
    /// Instances of the largest chunk that the run would take.
    pub chunk: u64,
}

impl Cost {
    /// With that of another pass.
    fn add(&mut self, other: Cost) {
        if self.backend.is_empty() {
            self.backend = other.backend;
        }
        self.planning += other.planning;
        self.compiling += other.compiling;
        self.sampling += other.sampling;
        self.stepping += other.stepping;
        self.observing += other.observing;
        self.writing += other.writing;
        self.chunk = self.chunk.max(other.chunk);
    }

    pub fn total(&self) -> f64 {
        self.parts().iter().map(|(_, time)| time).sum()
    }

    /// Parts of the work, each with its time (s).
    fn parts(&self) -> Vec<(&'static str, f64)> {
        let first = [("reading and planning", self.planning)];
        // A study that advances nothing is on no backend.
        let then = match self.backend.is_empty() {
            true => vec![("searching", self.searching)],
            false => {
                let judging = Some(("judging", self.judging)).filter(|(_, time)| *time > 0.0);
                let stepped = [
                    ("compiling", self.compiling),
                    ("sampling", self.sampling),
                    ("stepping", self.stepping),
                    ("observing", self.observing),
                ];
                stepped.into_iter().chain(judging).collect()
            }
        };
        first.into_iter().chain(then).chain([("writing", self.writing)]).collect()
    }

    pub fn summary(&self) -> String {
        let parts = self.parts().into_iter().map(|(name, time)| format!("{name} {time:.2}"));
        format!(
            "about {}: {} s (a trial here and now, writing estimated)",
            quantity(self.total(), 3, "s"),
            parts.collect::<Vec<_>>().join(", ")
        )
    }
}

/// Numbers of one of the directions that are followed, at a time (s), of all instances of the
/// pieces.
pub type GrowthColumn = fn(&Plan, &Tangents, usize, f64, &[Piece]) -> Vec<f64>;

/// Instances that a run advances from start to end by one plan.
pub struct Pass {
    pub study: Study,
    /// Followed besides the motion, and observed in place of it.
    pub followed: Option<(Tangents, GrowthColumn)>,
    /// Counts of instances that go together: those of the pilot, those of the ensemble.
    pub batches: Vec<u64>,
    /// Instances may stop early, each as its neighbours do: they are tried as far as there is time
    /// for.
    pub stops: bool,
}

/// All that a run takes.
pub struct RunOutlook {
    pub passes: Vec<Pass>,
    pub pictures: usize,
    /// Time (s) of what follows from the numbers of all instances.
    pub afterwards: f64,
    /// Time (s) of measuring the error.
    pub judging: f64,
    /// The search for states, of a study that advances nothing.
    pub searched: Option<Searched>,
}

/// A search for steady states, foretold by that of some instances.
pub struct Searched {
    pub seconds: f64,
    /// Memory of all states, and their tables (bytes).
    pub kept: f64,
    pub tables: f64,
    /// Remarks on the state of the first instance.
    pub remarks: Vec<String>,
}

impl RunOutlook {
    /// That of a run of kind `monte_carlo`, whose pilot is run beforehand.
    pub fn plain(study: &Study) -> RunOutlook {
        let size = study.ensemble.size;
        let columns = columns(&study.mechanism, &study.observe.channels).len();
        let batches = vec![size, size.min(PILOT)];
        let pass = Pass { study: study.clone(), followed: None, batches, stops: false };
        let passes = vec![pass];
        RunOutlook { passes, pictures: 3 * columns + 2, afterwards: 0.0, judging: 0.0, searched: None }
    }

    /// That of a study that advances nothing.
    pub fn of_search(searched: Searched, pictures: usize) -> RunOutlook {
        RunOutlook { passes: Vec::new(), pictures, afterwards: 0.0, judging: 0.0, searched: Some(searched) }
    }

    /// As [`plain`](Self::plain), with the time that the judge may take.
    pub fn judged(study: &Study) -> RunOutlook {
        let judging = accuracy::operations(study) / (JUDGED * threads(study) as f64);
        RunOutlook { judging, ..RunOutlook::plain(study) }
    }
}

/// Threads of a run.
pub fn threads(study: &Study) -> usize {
    study.run.threads.unwrap_or_else(rayon::current_num_threads)
}

/// Instances of the largest chunk of a run on a backend that takes so many at a time, with so many
/// columns in its table: no more than there is memory for now, whatever the study gives.
pub fn largest_chunk(study: &Study, plan: &Plan, columns: usize, capacity: u64) -> u64 {
    let most = room(plan, columns).min(capacity);
    study.run.chunk.unwrap_or(LARGEST_CHUNK).min(most).min(study.ensemble.size)
}

/// Memory for the chunks under way (bytes).
pub fn chunk_bytes(plan: &Plan, columns: usize, chunk: u64) -> f64 {
    (chunk * instance_bytes(plan, columns)) as f64
}

/// Measures the cost of a run; `before`: what was spent until now (s).
///
/// # Errors
/// As the run itself: no device, a plan or an ensemble that cannot be had.
pub fn measured(study: &Study, forecast: &RunOutlook, before: Duration) -> Result<Cost, RunError> {
    on_threads(study, || {
        let mut whole = Cost { planning: before.as_secs_f64(), ..Cost::default() };
        for pass in &forecast.passes {
            whole.add(trial(pass)?);
        }
        whole.observing += forecast.afterwards;
        whole.judging = forecast.judging;
        whole.searching = forecast.searched.as_ref().map_or(0.0, |searched| searched.seconds);
        let picture = match (study.output.plots, study.output.report) {
            (true, _) => PICTURE,
            (false, true) => SKETCH,
            (false, false) => 0.0,
        };
        whole.writing += picture * forecast.pictures as f64;
        Ok(whole)
    })
}

/// The cost of a pass without its pictures.
fn trial(pass: &Pass) -> Result<Cost, RunError> {
    let study = &pass.study;
    let size = study.ensemble.size;
    let threads = rayon::current_num_threads();
    let begun = Instant::now();
    let mut plan = planned(study)?;
    let sampler = Sampler::new(study)?;
    let planning = begun.elapsed();
    let adaptive = plan.method.is_adaptive();
    let chooses_steps = plan.schedule.own_steps;
    let most = match (adaptive, chooses_steps) {
        (true, _) => threads * ADAPTIVE,
        (_, true) => threads * GROUP,
        _ => threads * GROUPS * GROUP,
    };
    let count = most.min(usize::try_from(size).unwrap_or(most));
    // So many instances, and the time in which one of them is drawn (s).
    let mut draw = |count: usize| {
        let (mut least, mut tries) = (f64::INFINITY, 0);
        loop {
            let begun = Instant::now();
            let index = |i: usize| if pass.stops { among(i, count, size) } else { i as u64 };
            match plan::draw(study, &plan, &sampler, count, index) {
                Err(found) => plan = replanned(plan.clone(), study, &found),
                Ok((mut batch, _)) => {
                    let beside = pass.followed.map(|(tangents, _)| plan.following(tangents));
                    if let (Some(plan), Some((tangents, _))) = (&beside, pass.followed) {
                        let seed = study.ensemble.seed;
                        let of_start = coordinates_of(&plan.model);
                        plan.start_directions(&mut batch, &|i| {
                            let direction = |d: usize| directions(seed, i as u64, d as u64, of_start);
                            (0..tangents.directions).flat_map(direction).collect()
                        });
                    }
                    let spent = begun.elapsed();
                    (least, tries) = (spent.as_secs_f64().min(least), tries + 1);
                    if tries == LONG_TRIALS || spent >= ENOUGH {
                        let plan = beside.unwrap_or_else(|| plan.clone());
                        // Those that follow directions observe nothing else.
                        let channels =
                            if pass.followed.is_some() { &[] } else { &study.observe.channels[..] };
                        return (Tried { study, channels, plan, batch }, least / count as f64);
                    }
                }
            }
        }
    };
    let (mut tried, mut sampling) = draw(count);
    let begun = Instant::now();
    let work = workload(study, None, false);
    let ChosenBackend { mut backend, line, kind, .. } =
        choose(&tried.plan, &study.run, &work, &|_| {}, None)?;
    let mut compiling = begun.elapsed().as_secs_f64();

    let finals = Observer::new(&tried.plan, &final_channels(study, &tried.plan)).width();
    let drawn = sampler.width();
    let chunk = largest_chunk(study, &tried.plan, drawn + finals, backend.capacity() as u64);
    let mut stepping = match kind {
        "cpu" if chooses_steps => 0.0,
        "cpu" => tried.stepping(&mut *backend)?,
        _ => {
            let (before, stepping) = tried.stepping_after_the_first(&mut *backend)?;
            compiling += before;
            stepping
        }
    };
    // A device, and threads that look at what they have stepped, need more instances to show what
    // one costs.
    let mut many = count;
    while !chooses_steps
        && let Some(wider) = wider(many, chunk, sampling + stepping / many as f64 * (INNER + 1) as f64)
    {
        many = wider;
        (tried, sampling) = draw(many);
        stepping = tried.stepping(&mut *backend)?;
    }
    let [ends, snapshot] = tried.observing(&mut *backend, pass.followed)?;
    let schedule = &tried.plan.schedule;
    let whole = match (chooses_steps, pass.stops) {
        (true, _) => tried.choosing(&mut *backend)?,
        (_, true) => tried.stopping(&mut *backend)?,
        _ => stepping * schedule.steps as f64,
    };

    let instances = &pass.batches;
    let rounds = |n: u64| match adaptive {
        true => n as f64 / many as f64,
        false => n.div_ceil(GROUP as u64) as f64 / many.div_ceil(GROUP) as f64,
    };
    let rounds: f64 = instances.iter().copied().map(rounds).sum();
    let shares: f64 = instances.iter().map(|n| *n as f64 / many as f64).sum();
    let snapshots = schedule.snapshots().len() as f64;
    let columns = Observer::new(&tried.plan, tried.channels).width();
    let kept = study.observe.keep.min(size) as f64 * snapshots * columns as f64;
    Ok(Cost {
        backend: line,
        planning: planning.as_secs_f64(),
        compiling,
        sampling: sampling * instances.iter().sum::<u64>() as f64,
        stepping: whole * rounds,
        searching: 0.0,
        observing: (ends + snapshot * (snapshots - 2.0).max(0.0)) * shares,
        judging: 0.0,
        writing: VALUE * (size as f64 * (drawn + finals) as f64 + kept),
        chunk,
    })
}

/// The i-th of so many instances in groups of lanes that are spread over an ensemble of this size.
fn among(i: usize, count: usize, size: u64) -> u64 {
    let group = GROUP as u64;
    let groups = (count as u64).div_ceil(group).max(1);
    let place = (i as u64 / group) * (size / groups) / group * group + i as u64 % group;
    place.min(size.saturating_sub(1))
}

/// Instances of a wider trial: as many as are drawn and advanced in a trial's time, each taking so
/// long (s), and no more than a chunk has. None: they are few more than it had.
fn wider(had: usize, chunk: u64, each: f64) -> Option<usize> {
    let many = (TRIAL.as_secs_f64() / each.max(1e-9)).min(chunk as f64) as usize;
    (many >= 2 * had).then_some(many)
}

/// Time (s) of so many steps, of which the first were taken in the times `reached`: the rest go on
/// as the latter half of that time went.
fn carried_on(reached: &[(u64, f64)], steps: u64) -> f64 {
    let Some(&(last, spent)) = reached.last() else { return 0.0 };
    let half = reached.iter().rev().find(|(step, time)| *time <= 0.5 * spent && *step < last);
    let (from, before) = half.copied().unwrap_or_default();
    spent + (spent - before) * (steps - last) as f64 / (last - from).max(1) as f64
}

/// Some first instances of a study.
struct Tried<'a> {
    study: &'a Study,
    channels: &'a [ObservedChannel],
    plan: Plan,
    batch: Batch,
}

impl Tried<'_> {
    /// Time (s) of what a driver does before its first step, and of a step: some compile kernels
    /// there.
    fn stepping_after_the_first(&self, backend: &mut dyn Backend) -> Result<(f64, f64), RunError> {
        let first = self.stretch(backend, 1, 1, None, |_, _| {})?.stepping.as_secs_f64();
        let stepping = self.stepping(backend)?;
        Ok(((first - stepping).max(0.0), stepping))
    }

    /// Time of a step of all its instances (s).
    fn stepping(&self, backend: &mut dyn Backend) -> Result<f64, RunError> {
        let all = self.plan.schedule.steps;
        let mut steps = 1;
        // The least of several: on a busy machine a thread may be left waiting longer than a trial
        // takes.
        let mut stepping = f64::INFINITY;
        let mut long = 0;
        while long < LONG_TRIALS {
            let spent = self.stretch(backend, steps, steps, None, |_, _| {})?.stepping.as_secs_f64();
            stepping = stepping.min(spent / steps as f64);
            if spent >= ENOUGH.as_secs_f64() {
                break;
            }
            long += u32::from(spent >= TRIAL.as_secs_f64() / 2.0 || steps >= all);
            let more = (TRIAL.as_secs_f64() / spent.max(1e-9)).clamp(1.0, 1000.0);
            steps = ((steps as f64 * more).ceil() as u64).min(all);
        }
        Ok(stepping)
    }

    /// Time (s) of all steps of all its instances, which are not taken once an instance has
    /// stopped.
    fn stopping(&self, backend: &mut dyn Backend) -> Result<f64, RunError> {
        let schedule = &self.plan.schedule;
        let mut steps = schedule.check.clamp(1, schedule.steps);
        loop {
            let every = schedule.every.min(steps);
            let spent = self.stretch(backend, steps, every, None, |_, _| {})?.stepping.as_secs_f64();
            if steps == schedule.steps || spent >= 0.25 * ENOUGH.as_secs_f64() {
                return Ok(spent * schedule.steps as f64 / steps as f64);
            }
            steps = (4 * steps).min(schedule.steps);
        }
    }

    /// Time (s) of all steps of all its instances, which choose steps of their own: somewhere on
    /// the way these may become a thousand times as many.
    fn choosing(&self, backend: &mut dyn Backend) -> Result<f64, RunError> {
        let mut plan = self.plan.clone();
        let steps = plan.schedule.steps;
        plan.schedule.every = plan.schedule.every.min(steps.div_ceil(LOOKS));
        let nothing: &[ObservedChannel] = &[];
        let mut march = BatchRun::new(&plan, Observer::new(&plan, nothing), &self.batch);
        let begun = Instant::now();
        let mut reached = Vec::new();
        march.run(
            backend,
            None,
            |_, _| {},
            |step| {
                let spent = begun.elapsed();
                reached.push((step, spent.as_secs_f64()));
                if spent < ENOUGH { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        )?;
        Ok(carried_on(&reached, steps))
    }

    /// Time (s) in which its instances are observed at both ends of a run together, and at a
    /// snapshot between them.
    fn observing(
        &self,
        backend: &mut dyn Backend,
        followed: Option<(Tangents, GrowthColumn)>,
    ) -> Result<[f64; 2], RunError> {
        let schedule = &self.plan.schedule;
        let inner = INNER.min((schedule.snapshots().len() as u64).saturating_sub(2));
        let steps = inner + 1;
        let width = match followed {
            None => Observer::new(&self.plan, self.channels).width(),
            Some((tangents, _)) => tangents.directions,
        };
        let column = |time: usize, column: usize, pieces: &[Piece]| -> Vec<f64> {
            match followed {
                None => pieces.iter().flat_map(|piece| &piece.values[column]).copied().collect(),
                Some((tangents, growth)) => {
                    growth(&self.plan, &tangents, column, time as f64 * schedule.h, pieces)
                }
            }
        };
        // Statistics need the bins that a pilot gives them: values beyond these take longer.
        let mut pilot = Pilot::new(steps as usize + 1, width, self.study.ensemble.size);
        self.stretch(backend, steps, 1, None, |time, pieces| {
            (0..width).for_each(|k| pilot.record(time, k, &column(time, k, pieces)));
        })?;
        let mut statistics = Statistics::new(Arc::new(pilot), &self.study.observe.quantiles);
        // The least of several: what else runs on the machine shows in times so short.
        let [mut ends, mut all] = [f64::INFINITY; 2];
        for _ in 0..LONG_TRIALS {
            for (every, least) in [(steps, &mut ends), (1, &mut all)] {
                let spent = match followed {
                    None => self.stretch(backend, steps, every, Some(&mut statistics), |_, _| {})?,
                    Some(_) => self.stretch(backend, steps, every, None, |time, pieces| {
                        let cells = &mut statistics.cells_mut()[time * width..(time + 1) * width];
                        let columns = cells.iter_mut().enumerate();
                        columns.for_each(|(k, cell)| cell.add(&column(time, k, pieces)));
                    })?,
                };
                *least = least.min(spent.observing.as_secs_f64());
            }
        }
        Ok([ends, (all - ends).max(0.0) / inner.max(1) as f64])
    }

    /// Times of stepping and observing over so many steps from the start, with snapshots at both
    /// ends and after every so many steps between, which `statistics` take in and `look` is given
    /// by number.
    fn stretch(
        &self,
        backend: &mut dyn Backend,
        steps: u64,
        every: u64,
        statistics: Option<&mut Statistics>,
        look: impl FnMut(usize, &[Piece]),
    ) -> Result<Spent, RunError> {
        let mut short = self.plan.clone();
        (short.schedule.steps, short.schedule.every) = (steps, every);
        let observer = Observer::new(&short, self.channels);
        // A run with statistics keeps no others in sight.
        let kept = usize::try_from(self.study.observe.keep).unwrap_or(usize::MAX);
        let mut march = BatchRun::new(&short, observer, &self.batch).keeping(kept);
        march.run(backend, statistics, look, |_| ControlFlow::Continue(()))?;
        Ok(march.spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{BackendError, End, StateReader};
    use crate::observe::Verdict;
    use crate::study_file::read_study;

    /// A device whose driver compiles for so long before its first step.
    struct Late(Duration);

    impl StateReader for Late {
        fn read_channel(&self, _: usize, _: usize, out: &mut [f64]) {
            out.fill(1.0);
        }
        fn ends(&self, _: usize, out: &mut [End]) {
            out.fill(End { verdict: Verdict::Finished, step: 0 });
        }
    }

    impl Backend for Late {
        fn load(&mut self, _: &Batch) -> Result<(), BackendError> {
            Ok(())
        }
        fn advance(&mut self, _: u64, _: u64) -> Result<(), BackendError> {
            std::thread::sleep(std::mem::take(&mut self.0));
            Ok(())
        }
        fn fetch(&mut self) -> Result<(), BackendError> {
            Ok(())
        }
        fn capacity(&self) -> usize {
            1 << 20
        }
        fn describe(&self) -> String {
            "late".to_string()
        }
        fn arithmetic(&self) -> String {
            self.describe()
        }
    }

    /// 10,000 steps of a driver that had compiled for two minutes were foretold to take a month.
    #[test]
    fn what_a_driver_does_before_its_first_step_is_not_counted_for_each() {
        let file = format!("{}/studies/tumbling.toml", env!("CARGO_MANIFEST_DIR"));
        let study = read_study(file.as_ref()).expect("a study");
        let plan = planned(&study).expect("a plan");
        let batch = Batch::new(&plan, 4);
        let late = 1.5 * ENOUGH.as_secs_f64();
        let mut backend = Late(Duration::from_secs_f64(late));
        let tried = Tried { study: &study, channels: &study.observe.channels, plan, batch };
        let (before, stepping) = tried.stepping_after_the_first(&mut backend).expect("steps");
        assert!(before > 0.9 * late && stepping < 0.1 * late, "{before} s, {stepping} s");
    }

    /// A relay that chattered from a tenth of the way on was foretold by the steps before that.
    #[test]
    fn steps_go_on_as_the_last_ones_went() {
        // One millisecond a step up to step 100, then a second.
        let reached = [(50, 0.05), (100, 0.1), (101, 1.1), (102, 2.1), (103, 3.1)];
        assert!((carried_on(&reached, 1000) - (3.1 + 897.0)).abs() < 1e-9);
        // A trial that came to the end is not carried on.
        assert_eq!(carried_on(&reached, 103), 3.1);
        assert_eq!(carried_on(&[(10, 2.0)], 30), 6.0);
        assert_eq!(carried_on(&[], 5), 0.0);
    }

    #[test]
    fn trials_are_as_wide_as_there_is_time_for() {
        // 1e-6 s each: 50,000 in the time of a trial, of which a chunk has no more than 30,000.
        assert_eq!(wider(1024, 1 << 21, 1e-6), Some(50_000));
        assert_eq!(wider(1024, 30_000, 1e-6), Some(30_000));
        // Long steps, and ensembles as small as the first trial, have no wider one.
        assert_eq!(wider(1024, 1 << 21, 1e-3), None);
        assert_eq!(wider(64, 64, 1e-9), None);
        // The search for a width ends.
        assert_eq!(wider(50_000, 1 << 21, 0.9e-6), None);
    }
}
