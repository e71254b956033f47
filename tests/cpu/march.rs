//! Batches from snapshot to snapshot: what is seen does not depend on how instances come there.

use std::ops::RangeInclusive;

use crate::common::cases;
use crate::common::engine::Ready;
use crate::common::intercepted::{Intercept, Intercepted};
use crate::common::marched::{Course, all_channels, assert_same, pilot, run};
use fearless_simd::Level;
use polhode::backend::{Backend, BatchSection, End};
use polhode::base::Precision;
use polhode::describe::Study;
use polhode::observe::Verdict;

/// Instances: enough for two threads to advance pieces of them apart, the last piece not full.
const SIZE: u64 = 9000;

/// Instances that are shown at every snapshot.
const SHOWN: usize = 600;

/// Instances advance apart where they can, or not.
struct Watched {
    apart: bool,
    /// The number of times that they did.
    calls: usize,
}

impl Intercept for Watched {
    fn sections<'a>(
        &mut self,
        inner: &'a mut dyn Backend,
        first: u64,
        end: u64,
        instances: usize,
    ) -> Option<Vec<Box<dyn BatchSection + 'a>>> {
        let sections = if self.apart { inner.sections(first, end, instances) } else { None };
        self.calls += usize::from(sections.is_some());
        sections
    }
}

/// Runs the study with and without instances that advance apart, to this step, on so many threads:
/// all that is seen is the same. So often they do: once at every snapshot after the first. Returns
/// how the instances ended.
fn same_apart(
    name: &str,
    study: Study,
    until: u64,
    threads: usize,
    calls: RangeInclusive<usize>,
) -> Vec<End> {
    let ready = Ready::new(study);
    let channels = all_channels(&ready);
    let pilot = pilot(&ready, Precision::F32, &channels, 1000);
    let course = Course { chunk: ready.size(), shown: SHOWN, until };
    let run_on = |apart: bool, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let inner = ready.cpu(Precision::F32, Level::new(), false);
        let mut watched = Intercepted { inner, by: Watched { apart, calls: 0 } };
        let found = pool.install(|| run(&ready, &mut watched, &channels, &pilot, course));
        (found, watched.by.calls)
    };
    let (together, never) = run_on(false, 1);
    let (apart, often) = run_on(true, threads);
    let what = format!("{name} on {threads} threads up to step {until}");
    assert_same(&what, &apart, &together);
    assert_eq!(never, 0, "{what}");
    assert!(calls.contains(&often), "{what}: apart {often} times");
    apart.ends
}

/// Ten snapshots after the start.
fn seen_often(mut study: Study) -> Study {
    study.method.steps = 1000;
    study.observe.every = 100;
    study
}

#[test]
fn threads_that_look_at_what_they_have_stepped_see_the_same() {
    let cases =
        [("free", cases::free(SIZE)), ("jumps", cases::jumps(SIZE)), ("all varied", cases::all_varied(SIZE))];
    for (name, study) in cases {
        for threads in [1, 2] {
            let ends = same_apart(name, seen_often(study.clone()), u64::MAX, threads, 10..=10);
            assert!(ends.iter().all(|end| end.verdict == Verdict::Finished), "{name}");
        }
    }
    // A group for every thread, of fewer instances than others have.
    for study in [cases::free(1000), cases::bounded(1000)] {
        same_apart("a thousand", seen_often(study), u64::MAX, 20, 0..=0);
    }
    // Too few for so many threads.
    same_apart("free", seen_often(cases::free(SIZE)), u64::MAX, 3, 0..=0);
}

/// Instances that stop are seen no more, and keep their last sound state.
#[test]
fn instances_that_stop_on_a_thread_of_their_own_stop_in_the_same_state() {
    for threads in [1, 2] {
        let ends = same_apart("bounded", seen_often(cases::bounded(SIZE)), u64::MAX, threads, 10..=10);
        let stopped = ends.iter().filter(|end| end.verdict != Verdict::Finished).count();
        assert!((100..SIZE as usize - 100).contains(&stopped), "{stopped} stopped");
    }
}

/// Given up at a snapshot, all instances are shown as they are there, and nothing is added up
/// twice.
#[test]
fn a_batch_given_up_at_a_snapshot_is_seen_there_once() {
    for threads in [1, 2] {
        for name in ["free", "bounded"] {
            let study = if name == "free" { cases::free(SIZE) } else { cases::bounded(SIZE) };
            let ends = same_apart(name, seen_often(study), 300, threads, 3..=3);
            let interrupted = ends.iter().filter(|end| end.verdict == Verdict::Interrupted).count();
            assert!(interrupted > 100, "{name}: {interrupted}");
        }
    }
}
