//! A device that is lost costs time and nothing else.

use std::ops::ControlFlow;

use crate::common::cases;
use crate::common::engine::Ready;
use fearless_simd::Level;
use polhode::backend::gpu::Gpu;
use polhode::backend::gpu::adapter::AdapterChoice;
use polhode::backend::gpu::device::Device;
use polhode::backend::{Backend, BackendError, Batch, End, StateReader};
use polhode::base::Precision;
use polhode::describe::Channel;
use polhode::observe::channels::Observer;
use polhode::study::march::{BatchRun, Piece};

/// A backend whose device is lost at the calls of `advance` with these numbers.
struct Fragile {
    inner: Box<dyn Backend>,
    calls: usize,
    lost_at: Vec<usize>,
    reopened: usize,
}

impl Backend for Fragile {
    fn load(&mut self, batch: &Batch) -> Result<(), BackendError> {
        self.inner.load(batch)
    }
    fn advance(&mut self, first: u64, end: u64) -> Result<(), BackendError> {
        self.calls += 1;
        self.inner.advance(first, end)?;
        if self.lost_at.contains(&self.calls) {
            return Err(BackendError::Lost("on purpose".into()));
        }
        Ok(())
    }
    fn reopen(&mut self) -> Result<(), BackendError> {
        self.reopened += 1;
        Ok(())
    }
    fn fetch(&mut self) -> Result<(), BackendError> {
        self.inner.fetch()
    }
    fn capacity(&self) -> usize {
        self.inner.capacity()
    }
    fn describe(&self) -> String {
        self.inner.describe()
    }
    fn arithmetic(&self) -> String {
        self.inner.arithmetic()
    }
}

impl StateReader for Fragile {
    fn read_channel(&self, channel: usize, first: usize, out: &mut [f64]) {
        self.inner.read_channel(channel, first, out);
    }
    fn ends(&self, first: usize, out: &mut [End]) {
        self.inner.ends(first, out);
    }
}

/// What is seen at all snapshots, and how often the device was lost.
fn march(ready: &Ready, backend: &mut dyn Backend) -> Result<(Vec<Vec<f64>>, u32), BackendError> {
    let batch = ready.batch(0, ready.size());
    let observer = Observer::new(&ready.plan, &[Channel::ANGULAR_VELOCITY, Channel::ENERGY]);
    let mut march = BatchRun::new(&ready.plan, observer, &batch);
    let mut seen = Vec::new();
    let look = |_: usize, pieces: &[Piece]| {
        seen.push(pieces.iter().flat_map(|piece| piece.values.concat()).collect());
    };
    let reached = march.run(backend, None, look, |_| ControlFlow::Continue(()))?;
    assert_eq!(reached, ready.plan.schedule.steps);
    Ok((seen, march.losses))
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
    let mut fragile = Fragile { inner: cpu(), calls: 0, lost_at: vec![1, 7, 9], reopened: 0 };
    let (got, losses) = march(&ready, &mut fragile).expect("three losses are survived");
    assert_eq!((losses, fragile.reopened), (3, 3));
    assert_eq!(got, expected);
}

#[test]
fn a_device_that_is_lost_again_and_again_ends_the_run() {
    let ready = ready();
    let inner = ready.cpu(Precision::F32, Level::new(), false);
    let mut fragile = Fragile { inner, calls: 0, lost_at: (1..100).collect(), reopened: 0 };
    let error = march(&ready, &mut fragile).expect_err("it cannot finish");
    assert!(error.to_string().contains("on purpose"), "{error}");
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
