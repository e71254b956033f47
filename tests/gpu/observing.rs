//! Snapshots that the device adds up itself: the same bits as where the host observes, and as on
//! the CPU backend.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::common::arms::{SPIN, study_of, two_arms};
use crate::common::cases;
use crate::common::engine::Ready;
use crate::common::intercepted::{Intercept, Intercepted};
use crate::common::marched::{Course, Seen, all_channels, assert_same, pilot, run, run_while};
use crate::common::root;
use crate::common::study::{Varied, study};
use fearless_simd::Level;
use polhode::backend::gpu::Rest;
use polhode::backend::gpu::adapter::AdapterChoice;
use polhode::backend::gpu::device::Device;
use polhode::backend::gpu::kernel::Kernel;
use polhode::backend::program::Program;
use polhode::backend::tally::{Begun, EXCLUDED, Observation, SLOTS, Tally};
use polhode::backend::{Backend, BackendError, gpu};
use polhode::base::Precision;
use polhode::describe::{MonteCarlo, Quantity, Study};
use polhode::ensemble::Sampler;
use polhode::observe::channels::Observer;
use polhode::observe::{Verdict, channels};
use polhode::study_file::read_study;

/// Instances of an ensemble: no multiple of a block or of a piece.
const SIZE: u64 = 2700;

/// Instances of a chunk: no multiple either.
const CHUNK: usize = 1900;

const COURSE: Course = Course { chunk: CHUNK, shown: 100, until: u64::MAX };

fn open(precision: Precision) -> Device {
    Device::open(&AdapterChoice::Any, precision).expect("an adapter: install a software Vulkan")
}

/// The kernel on any adapter, which adds up snapshots, a software one too.
fn observing(ready: &Ready, precision: Precision) -> Box<dyn Backend> {
    let mut device = open(precision);
    device.observes = true;
    gpu::open(ready.plan.clone(), device, precision).expect("the kernel compiles")
}

/// Snapshots are looked into on their way, or not asked for at all.
#[derive(Default)]
struct Watched {
    on_device: bool,
    /// Looks go out one by one.
    one_by_one: bool,
    /// Calls of `end_look` at which the device is lost after it has answered.
    lost_at: Vec<usize>,
    /// Calls of `end_look` that have too much to show.
    too_much_at: Vec<usize>,
    calls: usize,
    /// Looks that have begun.
    begun: usize,
    /// The flag that is set once so many have.
    interrupts: Option<(usize, Arc<AtomicBool>)>,
    /// Values that came back one by one, and all that were added up.
    apart: usize,
    added: f64,
    excluded: u64,
    /// Time of the longest wait for a look.
    longest: Duration,
}

impl Intercept for Watched {
    fn begin_look(
        &mut self,
        inner: &mut dyn Backend,
        (first, end): (u64, u64),
        what: &Observation<'_>,
    ) -> Result<Begun, BackendError> {
        if !self.on_device || (first < end && self.one_by_one) {
            return Ok(Begun::No);
        }
        let begun = inner.begin_look(first, end, what)?;
        self.begun += usize::from(begun == Begun::Yes);
        if let Some((looks, interrupted)) = &self.interrupts {
            interrupted.fetch_or(self.begun >= *looks, Ordering::Relaxed);
        }
        Ok(begun)
    }
    fn end_look(&mut self, inner: &mut dyn Backend) -> Result<Option<Tally>, BackendError> {
        let begun = Instant::now();
        let tally = inner.end_look()?;
        self.longest = self.longest.max(begun.elapsed());
        self.calls += 1;
        if self.lost_at.contains(&self.calls) {
            return Err(BackendError::Lost("on purpose".into()));
        }
        if self.too_much_at.contains(&self.calls) {
            return Ok(None);
        }
        if let Some(tally) = &tally {
            self.apart += tally.apart.iter().map(Vec::len).sum::<usize>();
            self.added += tally.parts.iter().map(|part| part.count).sum::<f64>();
            self.excluded += tally.counts.chunks(SLOTS).map(|slots| u64::from(slots[EXCLUDED])).sum::<u64>();
        }
        Ok(tally)
    }
}

/// A backend that adds up snapshots where it can, and is lost at these.
fn on_device(inner: Box<dyn Backend>, lost_at: &[usize]) -> Intercepted<Watched> {
    Intercepted { inner, by: Watched { on_device: true, lost_at: lost_at.to_vec(), ..Watched::default() } }
}

/// A backend that leaves snapshots to the host.
fn on_host(inner: Box<dyn Backend>) -> Intercepted<Watched> {
    Intercepted { inner, by: Watched::default() }
}

/// Runs a study on the device, with the host observing, and on the CPU: they are the same. Returns
/// the first, and what was added up there.
fn same_everywhere(name: &str, study: Study, precision: Precision, pilot_size: usize) -> (Seen, Watched) {
    let ready = Ready::new(study);
    let channels = all_channels(&ready);
    let pilot = pilot(&ready, precision, &channels, pilot_size);
    let mut device = on_device(observing(&ready, precision), &[]);
    let by_device = run(&ready, &mut device, &channels, &pilot, COURSE);
    let by_host = run(&ready, &mut on_host(ready.gpu(precision)), &channels, &pilot, COURSE);
    let device = device.by;
    let on_cpu = run(&ready, &mut *ready.cpu(precision, Level::new(), false), &channels, &pilot, COURSE);
    let what = format!("{name}, {precision:?}");
    println!(
        "{what}: {} columns, {} snapshots on the device, {} values added up, {} apart, {} excluded, {:?} at \
         most",
        Observer::new(&ready.plan, &channels).width(),
        by_device.tallied,
        device.added,
        device.apart,
        device.excluded,
        device.longest
    );
    assert_same(&format!("{what}, observed on the host"), &by_host, &on_cpu);
    assert_same(&format!("{what}, observed on the device"), &by_device, &on_cpu);
    assert_eq!((by_host.tallied, on_cpu.tallied), (0, 0), "{what}");
    let chunks = ready.size().div_ceil(CHUNK);
    assert_eq!(by_device.tallied, chunks * (ready.plan.schedule.snapshots().len() - 2), "{what}");
    (by_device, device)
}

/// With snapshots at every `every`-th of so many steps.
fn seen_often(mut study: Study, steps: u64, every: u64) -> Study {
    study.ensemble.size = SIZE;
    study.method.steps = steps;
    study.observe.every = every;
    study
}

/// A free body with and without loads, everything drawn: attitudes, drifts, momenta.
#[test]
fn statistics_of_free_bodies_are_the_same_wherever_they_are_added_up() {
    let cases =
        [("free", cases::free(SIZE)), ("jumps", cases::jumps(SIZE)), ("all varied", cases::all_varied(SIZE))];
    for (name, study) in cases {
        for precision in [Precision::F32, Precision::F64] {
            let (_, device) = same_everywhere(name, seen_often(study.clone(), 400, 50), precision, 1024);
            assert!(device.added > 0.99 * device.apart as f64 && device.added > 1e5, "{name}");
        }
    }
}

#[test]
fn statistics_of_a_double_pendulum_are_the_same_wherever_they_are_added_up() {
    let arms = two_arms("kind = \"spherical\"", "kind = \"revolute\"\naxes = [0, 1, 0]");
    let study = study_of("", SPIN, &arms, 1e-3, 60);
    for precision in [Precision::F32, Precision::F64] {
        same_everywhere("double pendulum", seen_often(study.clone(), 60, 10), precision, 1024);
    }
}

/// Where a device rounds quotients and roots badly, columns have them corrected: by the same bits.
#[test]
fn corrected_columns_have_the_bits_of_the_host() {
    let arms = two_arms("kind = \"spherical\"", "kind = \"revolute\"\naxes = [0, 1, 0]");
    let pendulum = study_of("", SPIN, &arms, 1e-3, 60);
    for (name, study) in [("double pendulum", pendulum), ("bounded", cases::bounded(SIZE))] {
        for precision in [Precision::F32, Precision::F64] {
            let ready = Ready::new(seen_often(study.clone(), 60, 10));
            let channels = all_channels(&ready);
            let pilot = pilot(&ready, precision, &channels, 1024);
            let mut device = open(precision);
            device.observes = true;
            device.nearest_columns = Some(Rest::Split);
            let backend = gpu::open(ready.plan.clone(), device, precision).expect("the kernel compiles");
            let by_device = run(&ready, &mut on_device(backend, &[]), &channels, &pilot, COURSE);
            let on_cpu =
                run(&ready, &mut *ready.cpu(precision, Level::new(), false), &channels, &pilot, COURSE);
            assert_same(&format!("{name}, {precision:?}, corrected"), &by_device, &on_cpu);
            assert!(by_device.tallied > 0, "{name}: nothing is observed on the device");
        }
    }
}

/// Where the program is cut the device adds up too: steps first, and then the snapshot, which waits
/// for them.
#[test]
fn snapshots_of_cut_kernels_are_added_up_on_the_device() {
    let mut bounded = seen_often(cases::bounded(SIZE), 300, 50);
    bounded.verdict.every = 50;
    for (name, study) in [("jumps", seen_often(cases::jumps(SIZE), 60, 10)), ("bounded", bounded)] {
        for precision in [Precision::F32, Precision::F64] {
            let ready = Ready::new(study.clone());
            let channels = all_channels(&ready);
            let pilot = pilot(&ready, precision, &channels, 1024);
            let on_cpu =
                run(&ready, &mut *ready.cpu(precision, Level::new(), false), &channels, &pilot, COURSE);
            let mut device = open(precision);
            device.observes = true;
            let program = Program::new(&ready.plan, precision);
            let mut cut = on_device(ready.cut_for(device, &program, precision), &[]);
            let by_device = run(&ready, &mut cut, &channels, &pilot, COURSE);
            assert_same(&format!("{name}, {precision:?}, cut"), &by_device, &on_cpu);
            let chunks = ready.size().div_ceil(CHUNK);
            assert_eq!(by_device.tallied, chunks * (ready.plan.schedule.snapshots().len() - 2), "{name}");
            assert_eq!(cut.by.excluded > 0, name == "bounded");
        }
    }
}

/// Instances that stop are left out from then on, by the verdict of the kernel.
#[test]
fn instances_that_stop_are_left_out_of_what_the_device_adds_up() {
    let mut bounded = seen_often(cases::bounded(SIZE), 1000, 100);
    bounded.verdict.every = 50;
    let body = crate::common::free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [1.0, 0.5, 2.0]);
    let fast = study(body, SIZE, 0.01, 250).uniform(Quantity::AngularVelocity, [0.0; 3], [120.0; 3]);
    for (name, study, verdict) in [
        ("bounded", bounded, Verdict::EnergyBound),
        ("too fast", seen_often(fast.any_attitude(), 250, 25), Verdict::NonFinite),
    ] {
        for precision in [Precision::F32, Precision::F64] {
            let (seen, device) = same_everywhere(name, study.clone(), precision, 1024);
            let stopped = seen.ends.iter().filter(|end| end.verdict == verdict).count();
            assert!(stopped > 100 && device.excluded > 1000, "{name}: {stopped} stopped");
        }
    }
}

/// Instances with steps of their own, and locks: their times are undefined until they catch.
#[test]
fn own_steps_and_locks_are_the_same_wherever_they_are_added_up() {
    for (name, study) in [
        ("swinging", crate::own_steps::swinging("tsit5", 1e-4, 0.1, SIZE)),
        ("latch", crate::own_steps::latch("tsit5", 1e-4, 0.05, SIZE)),
    ] {
        let (steps, every) = (study.method.steps.min(12), study.observe.every);
        for precision in [Precision::F32, Precision::F64] {
            let (_, device) = same_everywhere(name, seen_often(study.clone(), steps, every), precision, 1024);
            assert_eq!(device.excluded > 0, name == "latch", "{name}");
        }
    }
}

/// Values far beyond the pilot's come back one by one, and where they are too many the host
/// observes.
#[test]
fn values_beyond_the_pilots_are_the_same_wherever_they_are_added_up() {
    for precision in [Precision::F32, Precision::F64] {
        let study = seen_often(cases::all_varied(SIZE), 100, 20);
        let (_, device) = same_everywhere("a pilot of 8", study.clone(), precision, 8);
        assert!(device.apart > 100 && device.added > 1e5, "{} {}", device.apart, device.added);

        let ready = Ready::new(study);
        let channels = all_channels(&ready);
        let one = pilot(&ready, precision, &channels, 1);
        let mut device = on_device(observing(&ready, precision), &[]);
        let by_device = run(&ready, &mut device, &channels, &one, COURSE);
        let calls = device.by.calls;
        assert!(calls > 0 && by_device.tallied == 0, "{} of {calls}", by_device.tallied);
        let on_cpu = run(&ready, &mut *ready.cpu(precision, Level::new(), false), &channels, &one, COURSE);
        assert_same("a pilot of 1", &by_device, &on_cpu);
    }
}

/// Hundreds of blocks are joined to the sums that the host has. Squares are a quarter of the grid's
/// scale on average: without the split of each block their sum would need 54 binary digits.
#[test]
fn sums_of_hundreds_of_blocks_are_those_of_the_host() {
    let body = crate::common::free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [1.0, 0.5, 2.0]);
    let mut study = study(body, 300_000, 0.01, 3).uniform(Quantity::AngularVelocity, [-0.9; 3], [0.9; 3]);
    study.observe.every = 1;
    let ready = Ready::new(study);
    let channels = [channels::ANGULAR_VELOCITY.into()];
    let pilot = pilot(&ready, Precision::F32, &channels, 1024);
    let course = Course { chunk: ready.size(), shown: 100, until: u64::MAX };
    let by_device =
        run(&ready, &mut on_device(observing(&ready, Precision::F32), &[]), &channels, &pilot, course);
    assert_eq!(by_device.tallied, 2);
    let on_cpu = run(&ready, &mut *ready.cpu(Precision::F32, Level::new(), false), &channels, &pilot, course);
    assert_same("hundreds of blocks", &by_device, &on_cpu);
}

/// A device that is lost after it has added up a snapshot, and before anybody has seen it: nothing
/// is counted twice.
#[test]
fn a_device_lost_between_snapshots_counts_nothing_twice() {
    let ready = Ready::new(seen_often(cases::jumps(SIZE), 300, 50));
    let channels = all_channels(&ready);
    let pilot = pilot(&ready, Precision::F32, &channels, 1024);
    let expected =
        run(&ready, &mut *ready.cpu(Precision::F32, Level::new(), false), &channels, &pilot, COURSE);
    let mut fragile = on_device(observing(&ready, Precision::F32), &[1, 3, 9]);
    let got = run(&ready, &mut fragile, &channels, &pilot, COURSE);
    assert_eq!((got.losses, got.tallied), (3, 10));
    assert_same("a lost device", &got, &expected);
}

/// A look that has too much to show, when the device is beyond it: the batch is taken there again,
/// and nothing is counted twice.
#[test]
fn a_look_with_too_much_to_show_is_taken_again() {
    let ready = Ready::new(seen_often(cases::jumps(SIZE), 300, 10));
    let channels = all_channels(&ready);
    let pilot = pilot(&ready, Precision::F32, &channels, 1024);
    let expected =
        run(&ready, &mut *ready.cpu(Precision::F32, Level::new(), false), &channels, &pilot, COURSE);
    let mut device = on_device(observing(&ready, Precision::F32), &[]);
    device.by.too_much_at = vec![1, 12, 40];
    let got = run(&ready, &mut device, &channels, &pilot, COURSE);
    assert_eq!((got.losses, got.tallied), (0, 58));
    assert_same("too much to show", &got, &expected);
}

/// Ctrl-C while looks are under way: those come to their end and count, none begins behind them,
/// and all that is seen is what a run has that is given up at the same step.
#[test]
fn an_interrupt_while_looks_are_under_way_keeps_what_they_show() {
    let ready = Ready::new(seen_often(cases::free(SIZE), 400, 5));
    let channels = all_channels(&ready);
    let pilot = pilot(&ready, Precision::F32, &channels, 1024);
    let course = Course { chunk: SIZE as usize, ..COURSE };
    let interrupted = Arc::new(AtomicBool::new(false));
    let mut device = on_device(observing(&ready, Precision::F32), &[]);
    device.by.interrupts = Some((2, Arc::clone(&interrupted)));
    let goes_on = |_: u64| !interrupted.load(Ordering::Relaxed);
    let (seen, reached) = run_while(&ready, &mut device, &channels, &pilot, course, &goes_on);
    let begun = device.by.begun;
    let looks = ready.plan.schedule.snapshots().len() - 2;
    println!("{begun} of {looks} looks had begun, up to step {reached:?}");
    assert!((2..looks).contains(&begun));
    assert_eq!((seen.tallied, &reached[..]), (begun, &[5 * begun as u64][..]));
    assert!(seen.ends.iter().all(|end| end.verdict == Verdict::Interrupted));
    let mut cpu = ready.cpu(Precision::F32, Level::new(), false);
    let given_up = run(&ready, &mut *cpu, &channels, &pilot, Course { until: reached[0], ..course });
    assert_same("interrupted", &seen, &given_up);
}

/// Lines of a kernel that a software device compiles in seconds.
const SHORT: usize = 5000;

/// All channels of what is shipped: joints, springs, contacts, locks, beams.
#[test]
fn every_channel_of_what_is_shipped_has_the_same_bits_on_a_device() {
    let studies = root().join("studies");
    let mut names = Vec::new();
    let mut files: Vec<_> =
        std::fs::read_dir(studies).expect("studies/").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    for file in files {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let mut study = read_study(&file).unwrap_or_else(|problems| panic!("{problems}"));
        study.run.fused = false;
        study.ensemble.size = 700;
        let steps = if study.method.steps < 30 { study.method.steps } else { 30 };
        study.method.steps = steps;
        study.observe.every = 10.min(steps / 3).max(1);
        if study.kind.settings::<MonteCarlo>().is_none() {
            continue;
        }
        // A grid has as many instances as cells.
        if Sampler::new(&study).is_err() {
            continue;
        }
        let ready = Ready::new(study.clone());
        if ready.plan.method.is_adaptive() || Kernel::new(&ready.plan, Precision::F64).lines() > SHORT {
            continue;
        }
        same_everywhere(&name, study, Precision::F64, 256);
        names.push(name);
    }
    println!("{names:?}");
    assert!(names.len() >= 8, "{names:?}");
}

/// A software device leaves snapshots to the host, unless it is told otherwise: they share a
/// processor.
#[test]
fn a_software_device_leaves_snapshots_to_the_host() {
    let ready = Ready::new(seen_often(cases::free(SIZE), 40, 10));
    let channels = all_channels(&ready);
    let pilot = pilot(&ready, Precision::F32, &channels, 1024);
    let device = open(Precision::F32);
    assert!(device.summary.f64);
    let software = device.summary.kind == "software";
    assert_eq!(device.observes, !software);
    let mut gpu = gpu::open(ready.plan.clone(), device, Precision::F32).expect("a kernel");
    assert_eq!(run(&ready, &mut *gpu, &channels, &pilot, COURSE).tallied > 0, !software);
}

/// Snapshots do not wait for each other: several go out together, and come back together, with the
/// bits of those that go one by one.
#[test]
fn a_snapshot_takes_no_round_trip() {
    let ready = Ready::new(seen_often(cases::free(SIZE), 400, 5));
    let channels = all_channels(&ready);
    let pilot = pilot(&ready, Precision::F32, &channels, 1024);
    let looks = (ready.plan.schedule.snapshots().len() - 2) as u64;
    let course = Course { chunk: SIZE as usize, ..COURSE };
    let traffic_of = |one_by_one: bool| {
        let mut device = open(Precision::F32);
        device.observes = true;
        let traffic = device.traffic.clone();
        let inner = gpu::open(ready.plan.clone(), device, Precision::F32).expect("a kernel");
        let mut watched = on_device(inner, &[]);
        watched.by.one_by_one = one_by_one;
        let found = run(&ready, &mut watched, &channels, &pilot, course);
        assert_eq!(found.tallied as u64, looks);
        println!("{looks} looks, one by one: {one_by_one}: {:?}", traffic.so_far());
        (found, traffic.so_far())
    };
    let (expected, one_by_one) = traffic_of(true);
    let (seen, together) = traffic_of(false);
    assert_same("looks that go out together", &seen, &expected);
    assert!(one_by_one.submissions > 2 * looks && one_by_one.waits > 2 * looks, "{one_by_one:?}");
    assert!(together.submissions < looks / 2 && together.waits < looks / 2, "{together:?}");
}
