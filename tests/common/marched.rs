//! Ensembles taken from snapshot to snapshot, and everything that is seen of them, to be compared
//! bit by bit.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use fearless_simd::Level;
use polhode::backend::{Backend, End};
use polhode::base::Precision;
use polhode::describe::ObservedChannel;
use polhode::observe::channels::{CARDS, ChannelCard, Observer};
use polhode::observe::{CellStatistics, Pilot, Statistics, channels};
use polhode::study::march::{BatchRun, Piece};
use polhode::study::plan::draw;

use super::engine::Ready;

/// The results of a run.
#[derive(Default)]
pub struct Seen {
    /// Statistics of all columns of a snapshot: their whole state.
    pub cells: Vec<Vec<CellStatistics>>,
    /// Values of the instances that are shown, and columns of the end, as bits.
    pub values: Vec<u64>,
    pub ends: Vec<End>,
    /// Snapshots that the device added up.
    pub tallied: usize,
    pub losses: u32,
}

/// All channels that the mechanism has.
pub fn all_channels(ready: &Ready) -> Vec<ObservedChannel> {
    let mechanism = ready.plan.model.mechanism();
    let own = ready.plan.method.own_steps().is_some();
    let channel = |card: &ChannelCard| match card.modes {
        true => card.channel.of_mode(0),
        false => card.channel,
    };
    CARDS
        .iter()
        .map(|card| channel(card))
        .filter(|channel| *channel != channels::ITERATIONS || ready.plan.method.iterates())
        .filter(|channel| own || ![channels::OWN_STEPS, channels::REJECTED_STEPS].contains(channel))
        .filter(|channel| !channels::owners(mechanism, *channel).is_empty())
        .map(ObservedChannel::from)
        .collect()
}

/// The values of a pilot: those of the first `pilot` instances on the CPU.
pub fn pilot(ready: &Ready, precision: Precision, channels: &[ObservedChannel], pilot: usize) -> Arc<Pilot> {
    let indices: Vec<u64> = (0..pilot as u64).collect();
    let batch = draw(&ready.study, &ready.plan, &ready.sampler, pilot, |i| indices[i]).expect("drawn").0;
    let observer = Observer::new(&ready.plan, channels);
    let width = observer.width();
    let times = ready.plan.schedule.snapshots().len();
    let mut pilot = Pilot::new(times, width, ready.size() as u64);
    let mut march = BatchRun::new(&ready.plan, observer, &batch);
    let record = |time: usize, pieces: &[Piece]| {
        for column in 0..width {
            let values: Vec<f64> = pieces.iter().flat_map(|piece| piece.values[column].clone()).collect();
            pilot.record(time, column, &values);
        }
    };
    let mut backend = ready.cpu(precision, Level::new(), false);
    march.run(&mut *backend, None, record, |_| ControlFlow::Continue(())).expect("the pilot runs");
    Arc::new(pilot)
}

/// The settings of an ensemble's run.
#[derive(Clone, Copy)]
pub struct Course {
    /// Instances of a chunk.
    pub chunk: usize,
    /// Instances that are shown at every snapshot.
    pub shown: usize,
    /// A chunk is given up once it has come to this step.
    pub until: u64,
}

/// Runs the ensemble in chunks.
pub fn run(
    ready: &Ready,
    backend: &mut dyn Backend,
    channels: &[ObservedChannel],
    pilot: &Arc<Pilot>,
    course: Course,
) -> Seen {
    let goes_on = |step: u64| step < course.until;
    let (seen, reached) = run_while(ready, backend, channels, pilot, course, &goes_on);
    assert!(reached.iter().all(|step| *step == course.until.min(ready.plan.schedule.steps)), "{reached:?}");
    seen
}

/// As [`run`], each chunk for as long as this says so after a step; and the steps that they have
/// come to.
pub fn run_while(
    ready: &Ready,
    backend: &mut dyn Backend,
    channels: &[ObservedChannel],
    pilot: &Arc<Pilot>,
    course: Course,
    goes_on: &dyn Fn(u64) -> bool,
) -> (Seen, Vec<u64>) {
    let Course { chunk, shown, .. } = course;
    let mut steps = Vec::new();
    let mut statistics = Statistics::new(pilot.clone(), &[0.05, 0.5, 0.95]);
    let mut all = Seen::default();
    for first in (0..ready.size()).step_by(chunk) {
        let batch = ready.batch(first, chunk.min(ready.size() - first));
        let observer = Observer::new(&ready.plan, channels);
        let last = observer.clone();
        let mut march = BatchRun::new(&ready.plan, observer, &batch).keeping(shown);
        let record = |_: usize, pieces: &[Piece]| {
            let values = pieces.iter().flat_map(|piece| &piece.values);
            all.values.extend(values.flat_map(|column| column.iter().take(shown).map(|x| x.to_bits())));
        };
        let flow = |step| if goes_on(step) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        steps.push(march.run(backend, Some(&mut statistics), record, flow).expect("the batch runs"));
        let (columns, ends) = march.finish(&last);
        all.values.extend(columns.iter().flatten().map(|x| x.to_bits()));
        all.ends.extend(ends);
        all.tallied += march.tallied;
        all.losses += march.losses;
    }
    all.cells = (0..statistics.times()).map(|time| statistics.cells_of_mut(time).to_vec()).collect();
    (all, steps)
}

/// Fails where two runs differ in a bit.
pub fn assert_same(what: &str, got: &Seen, expected: &Seen) {
    assert!(got.ends == expected.ends, "{what}: ends");
    assert!(got.values == expected.values, "{what}: values of single instances");
    let columns = got.cells.iter().flatten().zip(expected.cells.iter().flatten()).enumerate();
    let width = got.cells[0].len();
    let different: Vec<_> = columns.filter(|(_, (got, expected))| got != expected).collect();
    if let Some((k, (got, expected))) = different.first() {
        let columns: BTreeSet<usize> = different.iter().map(|(k, _)| k % width).collect();
        panic!("{what}: columns {columns:?}; first at {}, {}\n{got:?}\n{expected:?}", k / width, k % width);
    }
    assert_eq!(got.cells.len(), expected.cells.len(), "{what}");
}
