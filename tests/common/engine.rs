//! Runs studies on the backends and brings back every instance.

use std::sync::Mutex;

#[cfg(feature = "gpu")]
use crate::common::sweep::is_full;
use fearless_simd::Level;
#[cfg(feature = "gpu")]
use polhode::backend::gpu;
#[cfg(feature = "gpu")]
use polhode::backend::gpu::adapter::AdapterChoice;
#[cfg(feature = "gpu")]
use polhode::backend::gpu::device::Device;
#[cfg(feature = "gpu")]
use polhode::backend::gpu::kernel::Kernel;
#[cfg(feature = "gpu")]
use polhode::backend::gpu::printed::Printed;
#[cfg(feature = "gpu")]
use polhode::backend::gpu::segments::Segments;
#[cfg(feature = "gpu")]
use polhode::backend::program::Program;
use polhode::backend::{Backend, Batch, End, Plan, cpu};
use polhode::base::Precision;
use polhode::describe::{Channel, Study};
use polhode::ensemble::Sampler;
use polhode::observe::Verdict;
use polhode::observe::channels::{Baselines, Observer, Planes};
use polhode::study::Listener;
use polhode::study::plan::{draw, plan};

/// The final states of the instances of a run, and how they ended.
#[derive(Clone)]
pub struct Outcome {
    /// `[state channel][instance]`
    pub states: Vec<Vec<f64>>,
    pub ends: Vec<End>,
}

impl Outcome {
    /// The state of one instance.
    pub fn state(&self, i: usize) -> Vec<f64> {
        self.states.iter().map(|channel| channel[i]).collect()
    }

    /// Returns the number of instances that got this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.ends.iter().filter(|end| end.verdict == verdict).count()
    }
}

/// Listens to nothing.
pub struct Quiet;

impl Listener for Quiet {
    fn say(&self, _: &str) {}
    fn progress(&self, _: u64, _: u64) {}
}

/// Keeps the lines that a run says.
#[derive(Default)]
pub struct Said(Mutex<Vec<String>>);

impl Said {
    pub fn lines(self) -> Vec<String> {
        self.0.into_inner().expect("no panic while saying")
    }
}

impl Listener for Said {
    fn say(&self, line: &str) {
        self.0.lock().expect("no panic while saying").push(line.to_string());
    }
    fn progress(&self, _: u64, _: u64) {}
}

/// One study, planned and ready to be drawn.
pub struct Ready {
    pub study: Study,
    pub plan: Plan,
    pub sampler: Sampler,
}

/// Statements of the longest kernel of a program that a test cuts: short mechanisms get several.
#[cfg(feature = "gpu")]
pub const SHORT_SEGMENT: usize = 400;

impl Ready {
    pub fn new(study: Study) -> Ready {
        let plan = plan(&study).expect("the nominal values describe a body");
        let sampler = Sampler::new(&study).expect("the ensemble can be sampled");
        Ready { study, plan, sampler }
    }

    pub fn size(&self) -> usize {
        self.study.ensemble.size as usize
    }

    pub fn batch(&self, first: usize, count: usize) -> Batch {
        let drawn = draw(&self.study, &self.plan, &self.sampler, count, |i| (first + i) as u64);
        drawn.expect("what the plan takes for zero is zero").0
    }

    /// The CPU backend, unfused unless `fused`, at this level.
    pub fn cpu(&self, precision: Precision, level: Level, fused: bool) -> Box<dyn Backend> {
        cpu::open(self.plan.clone(), precision, fused, level)
    }

    /// As [`Ready::cpu`], without machine code.
    pub fn interpreted(&self, precision: Precision, level: Level, fused: bool) -> Box<dyn Backend> {
        cpu::open_with(self.plan.clone(), precision, fused, level, cpu::Execution::Interpreted)
    }

    /// The kernel on any adapter, a software one if need be.
    #[cfg(feature = "gpu")]
    pub fn gpu(&self, precision: Precision) -> Box<dyn Backend> {
        self.kernel_of(&Program::new(&self.plan, precision), precision)
    }

    /// As [`Ready::gpu`], by many short kernels.
    #[cfg(feature = "gpu")]
    pub fn cut_on_gpu(&self, precision: Precision) -> Box<dyn Backend> {
        self.cut_of(&Program::new(&self.plan, precision), precision)
    }

    /// [`Ready::cpu`], unfused, and [`Ready::cut_on_gpu`], by one recording.
    #[cfg(feature = "gpu")]
    pub fn cpu_and_cut(&self, precision: Precision) -> (Box<dyn Backend>, Box<dyn Backend>) {
        let program = Program::new(&self.plan, precision);
        let cut = self.cut_of(&program, precision);
        (self.code_of(program, precision), cut)
    }

    #[cfg(feature = "gpu")]
    fn cut_of(&self, program: &Program, precision: Precision) -> Box<dyn Backend> {
        let device =
            Device::open(&AdapterChoice::Any, precision).expect("an adapter: install a software Vulkan");
        self.cut_for(device, program, precision)
    }

    /// The program in short kernels for this device.
    #[cfg(feature = "gpu")]
    pub fn cut_for(&self, device: Device, program: &Program, precision: Precision) -> Box<dyn Backend> {
        let phrasing = device.phrasing(false);
        let segments = Segments::cut(&self.plan, precision, program, phrasing, SHORT_SEGMENT);
        let printed = Printed::Cut(Box::new(segments), "as the test wants".to_string());
        gpu::open_with(self.plan.clone(), device, precision, printed).expect("it fits")
    }

    /// The kernel of a recorded program.
    #[cfg(feature = "gpu")]
    pub fn kernel_of(&self, program: &Program, precision: Precision) -> Box<dyn Backend> {
        let device =
            Device::open(&AdapterChoice::Any, precision).expect("an adapter: install a software Vulkan");
        let kernel = Kernel::of(&self.plan, precision, program);
        gpu::open_with(self.plan.clone(), device, precision, kernel).expect("the kernel compiles")
    }

    /// The machine code of a recorded program, unfused.
    #[cfg(feature = "gpu")]
    pub fn code_of(&self, program: Program, precision: Precision) -> Box<dyn Backend> {
        let code = cpu::Execution::MachineCode;
        cpu::open_recorded(self.plan.clone(), program, precision, false, Level::new(), code)
    }

    /// Runs instances `first .. first + count` to the end.
    pub fn run(&self, backend: &mut dyn Backend, first: usize, count: usize) -> Outcome {
        let mut last = None;
        self.watch(backend, first, count, |outcome| last = Some(outcome.clone()));
        last.expect("a snapshot")
    }

    /// As [`Ready::run`], looking at every snapshot after the start. Outputs are poisoned before
    /// they are filled.
    pub fn watch(
        &self,
        backend: &mut dyn Backend,
        first: usize,
        count: usize,
        mut look: impl FnMut(&Outcome),
    ) {
        backend.load(&self.batch(first, count)).expect("load");
        for pair in self.plan.schedule.snapshots().windows(2) {
            backend.advance(pair[0], pair[1]).expect("advance");
            backend.fetch().expect("fetch");
            let poison = End { verdict: Verdict::InvalidSample, step: u64::MAX };
            let mut outcome = Outcome {
                states: vec![vec![f64::NAN; count]; self.plan.moving.len()],
                ends: vec![poison; count],
            };
            backend.read(0, &mut outcome.states);
            backend.ends(0, &mut outcome.ends);
            look(&outcome);
        }
    }

    /// All instances on the CPU with this number of threads.
    pub fn on_cpu(&self, precision: Precision, threads: usize) -> Outcome {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| self.run(&mut *self.cpu(precision, Level::new(), false), 0, self.size()))
    }

    /// All instances on the GPU.
    #[cfg(feature = "gpu")]
    pub fn on_gpu(&self, precision: Precision) -> Outcome {
        self.run(&mut *self.gpu(precision), 0, self.size())
    }

    /// All instances by machine code, which lanes and the kernel move to the same bits. Short
    /// kernels do too, in f32 and sums of it: their f64 is compared by `gpu/segments.rs`, since
    /// drivers take seconds for each.
    #[cfg(feature = "gpu")]
    pub fn on_every_backend(&self, precision: Precision) -> Outcome {
        let program = Program::new(&self.plan, precision);
        let mut others = vec![
            ("lanes", self.interpreted(precision, Level::new(), false)),
            ("kernel", self.kernel_of(&program, precision)),
        ];
        if precision != Precision::F64 || is_full() {
            others.push(("short kernels", self.cut_of(&program, precision)));
        }
        let code = self.run(&mut *self.code_of(program, precision), 0, self.size());
        for (name, mut backend) in others {
            let found = self.run(&mut *backend, 0, self.size());
            assert_same(&format!("machine code and {name}"), &code, &found);
        }
        code
    }

    /// These channels of all instances, `[instance][column]`; drifts are from the start.
    pub fn observe(&self, outcome: &Outcome, channels: &[Channel]) -> Vec<Vec<f64>> {
        let observer = Observer::new(&self.plan, channels);
        let batch = self.batch(0, self.size());
        let planes = |states| Planes { states, parameters: &batch.parameters, first: 0 };
        let mut baselines = Baselines::new(self.size());
        observer.start(&planes(&batch.states), &mut baselines);
        let mut rows = observer.rows();
        (0..self.size())
            .map(|i| {
                let mut row = vec![f64::NAN; observer.width()];
                let step = outcome.ends[i].step;
                observer.observe(&mut rows, &planes(&outcome.states), i, step, &baselines, &mut row);
                row
            })
            .collect()
    }
}

/// Fails, naming the first, if any state or end differs: zeros of either sign are equal, and NaN is
/// equal to nothing.
pub fn assert_same(what: &str, a: &Outcome, b: &Outcome) {
    assert_eq!(a.ends.len(), b.ends.len());
    let n = a.ends.len();
    let differs = |i: &usize| a.state(*i) != b.state(*i) || a.ends[*i] != b.ends[*i];
    let different: Vec<usize> = (0..n).filter(differs).collect();
    if let Some(&i) = different.first() {
        panic!(
            "{what}: {} of {n} instances differ, the first is {i}:\n{:?} {:?}\n{:?} {:?}",
            different.len(),
            a.state(i),
            a.ends[i],
            b.state(i),
            b.ends[i]
        );
    }
}
