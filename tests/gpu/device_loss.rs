//! A device that is lost costs time and nothing else.

use std::ops::ControlFlow;

use crate::common::cases;
use crate::common::engine::Ready;
use crate::common::intercepted::{Intercept, Intercepted};
use fearless_simd::Level;
use polhode::backend::choose::on_device;
use polhode::backend::gpu::Gpu;
use polhode::backend::gpu::adapter::AdapterChoice;
use polhode::backend::gpu::device::Device;
use polhode::backend::{Backend, BackendError};
use polhode::base::Precision;
use polhode::describe::Run;
use polhode::observe::channels;
use polhode::observe::channels::Observer;
use polhode::study::march::{BatchRun, Piece};

/// The device is lost at the calls of `advance` with these numbers.
struct Fragile {
    calls: usize,
    lost_at: Vec<usize>,
    reopened: usize,
}

impl Fragile {
    fn of(inner: Box<dyn Backend>, lost_at: impl IntoIterator<Item = usize>) -> Intercepted<Fragile> {
        Intercepted { inner, by: Fragile { calls: 0, lost_at: lost_at.into_iter().collect(), reopened: 0 } }
    }
}

impl Intercept for Fragile {
    fn advance(&mut self, inner: &mut dyn Backend, first: u64, end: u64) -> Result<(), BackendError> {
        self.calls += 1;
        inner.advance(first, end)?;
        if self.lost_at.contains(&self.calls) {
            return Err(BackendError::Lost("on purpose".into()));
        }
        Ok(())
    }
    fn reopen(&mut self, _: &mut dyn Backend) -> Result<(), BackendError> {
        self.reopened += 1;
        Ok(())
    }
}

/// Returns the values seen at all snapshots, and how often the device was lost.
fn march(ready: &Ready, backend: &mut dyn Backend) -> Result<(Vec<Vec<f64>>, u32), BackendError> {
    let batch = ready.batch(0, ready.size());
    let observer = Observer::new(&ready.plan, &[channels::ANGULAR_VELOCITY, channels::ENERGY]);
    let mut march = BatchRun::new(&ready.plan, observer, &batch);
    let mut snapshots = Vec::new();
    let look = |_: usize, pieces: &[Piece]| {
        snapshots.push(pieces.iter().flat_map(|piece| piece.values.concat()).collect());
    };
    let reached = march.run(backend, None, look, |_| ControlFlow::Continue(()))?;
    assert_eq!(reached, ready.plan.schedule.steps);
    Ok((snapshots, march.losses))
}

fn ready() -> Ready {
    let mut study = cases::jumps(300);
    study.observe.every = 100;
    Ready::new(study)
}

#[test]
fn a_lost_device_changes_no_result() {
    let ready = ready();
    let cpu = || ready.cpu(Precision::F32, Level::new(), false);
    let (expected, losses) = march(&ready, &mut *cpu()).expect("no device to lose");
    assert_eq!((expected.len(), losses), (11, 0));
    let mut fragile = Fragile::of(cpu(), [1, 7, 9]);
    let (got, losses) = march(&ready, &mut fragile).expect("three losses are survived");
    assert_eq!((losses, fragile.by.reopened), (3, 3));
    assert_eq!(got, expected);
}

#[test]
fn a_device_that_is_lost_again_and_again_ends_the_run() {
    let ready = ready();
    let inner = ready.cpu(Precision::F32, Level::new(), false);
    let mut fragile = Fragile::of(inner, 1..100);
    let error = march(&ready, &mut fragile).expect_err("it cannot finish");
    assert!(error.to_string().contains("on purpose"), "{error}");
}

/// A driver that gives up on a kernel takes the device along: the error says what was refused,
/// and what to do.
#[test]
fn a_kernel_that_takes_its_device_along_is_refused_by_name() {
    let ready = ready();
    for (precision, advice) in
        [(Precision::F32, "use backend = \"cpu\""), (Precision::F64, "use precision = \"f32\"")]
    {
        let device = Device::open(&AdapterChoice::Any, precision).expect("an adapter");
        let adapter = device.summary.name.clone();
        device.device.destroy();
        let run = Run { precision, ..ready.study.run.clone() };
        let refused = on_device(&ready.plan, &run, device).err().expect("no device").to_string();
        assert!(refused.contains(&format!("the driver of {adapter} refused the kernel")), "{refused}");
        assert!(refused.contains(&format!(" lines, {})", precision.name())), "{refused}");
        assert!(refused.contains(advice), "{refused}");
    }
}

/// A real device that is destroyed under way: an error, no panic; and it can be opened again.
#[test]
fn a_destroyed_device_is_an_error_and_can_be_opened_again() {
    let ready = ready();
    let device =
        Device::open(&AdapterChoice::Any, Precision::F32).expect("an adapter: install a software Vulkan");
    let handle = device.device.clone();
    let mut gpu = Gpu::<f32>::new(ready.plan.clone(), device, Precision::F32).expect("a kernel");
    let (expected, _) = march(&ready, &mut gpu).expect("a sound device");
    handle.destroy();
    let batch = ready.batch(0, ready.size());
    let lost = gpu.load(&batch).and_then(|()| gpu.advance(0, 100)).and_then(|()| gpu.fetch());
    assert!(matches!(lost, Err(BackendError::Lost(_))), "{lost:?}");
    gpu.reopen().expect("the adapter is still there");
    assert_eq!(march(&ready, &mut gpu).expect("a fresh device").0, expected);
}
