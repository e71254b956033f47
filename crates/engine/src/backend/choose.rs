//! Which backend a study gets, and the one line that says why.

use std::sync::atomic::AtomicBool;

use fearless_simd::Level;
use twox_hash::XxHash3_64;

use super::cpu::Execution;
use super::forecast::{ATTEMPTS, Counts, CpuTrial, Speed, by_trial, on_cpu, on_gpu};
use super::forecast_time::Forecast;
use super::gpu::Phrasing;
use super::gpu::adapter::{AdapterChoice, AdapterSummary};
use super::gpu::device::{Device, FoundAdapter};
use super::gpu::kernel::Kernel;
use super::gpu::printed::{CUT, Printed};
use super::learned::{LastAdapter, Learned};
use super::left_behind::unless;
use super::program::Program;
use super::{Backend, BackendError, Plan, cpu, gpu};
use crate::base::{Precision, grouped};
use crate::describe::{BackendChoice, Kernels, Run};
use crate::methods::adaptive::Unsuited;

/// Lines of the longest kernel that a GPU gets where it was asked for. Longer programs are cut into
/// several.
///
/// Whole kernels were measured: an H200 did 6.4e8 steps a second of a chain of four bodies (6,300
/// lines, f64), which is 4.0e12 lines a second, and 4.6e11 of eight bodies (13,500 lines); in f32
/// 7.6e12 and 2.3e12. In both precisions the numbers of a step leave the registers between the two.
/// Kernels that are cut were counted alone: eight bodies hand on 12 kB a step, which a memory of 3
/// TB/s moves 2.4e8 times a second.
pub const LONGEST_KERNEL: usize = 8_000;

/// Lines of the longest kernel that is compiled at all: for a software device, for a page, and for
/// a GPU that `auto` takes by what was measured of whole kernels.
///
/// Drivers compile in a time that grows with nearly the square of the length. lavapipe (LLVM 15, a
/// busy machine with four cores) took 6 s for 19,000 lines, 14 s for 34,000, 18 s for 40,000, 43 s
/// for 75,000 and 70 s for 108,000; what it made of 34,000 lines did a third of the operations a
/// second that it did at 19,000, while the CPU backend lost nothing. And a thread of a GPU has
/// about 255 registers of 32 bits at most: the state of a chain, 26 numbers a body and 3 a joint
/// whose multipliers are carried, passes that in f32 with the ninth or tenth body. From there on
/// every step takes it from memory and puts it back there. (In f64 from the fifth body on; but
/// those are still compiled in time.) An H200 took 31 s for 39,000 lines.
pub const LONGEST_WHOLE: usize = 40_000;

/// A backend with the reason why it was taken.
pub struct ChosenBackend {
    pub backend: Box<dyn Backend>,
    /// `cpu` or `gpu`.
    pub kind: &'static str,
    /// For example `CPU, 2 threads, AVX2 f32, fused multiply-add, machine code (auto: no GPU ...)`.
    pub line: String,
    /// The run's lesson about this device; none where nothing is chosen by time.
    pub lesson: Option<Lesson>,
}

/// Tries a study's first instances on the CPU, if they can be tried; and the machine code of the
/// trial, where it is that of this plan and program.
pub type TriesInstances<'a> = Box<dyn Fn(&Plan, &Program) -> Option<TriedOnCpu> + Sync + 'a>;
pub type TriedOnCpu = (CpuTrial, Option<Box<dyn Backend>>);

/// The amount of computation that a plan is for.
#[derive(Default)]
pub struct Workload<'a> {
    /// Kernels of about this length that are compiled.
    pub kernels: usize,
    /// Instances of the batches that are advanced one after the other.
    pub batches: Vec<u64>,
    /// Where a GPU may take the run, a trial tells what the CPU takes for it.
    pub trial: Option<TriesInstances<'a>>,
    /// The arithmetic of the checkpoint that is gone on from.
    pub begun: Option<String>,
    /// It is a part of a run: the others, on machines like this, are to choose alike, whatever
    /// those have done before.
    pub is_part: bool,
}

/// The backend of a run of this plan, in a line; none is opened.
pub fn outlook(plan: &Plan, run: &Run, work: &Workload, program: &Program) -> String {
    match &run.backend {
        BackendChoice::Cpu => "CPU (as asked)".to_string(),
        BackendChoice::Gpu { .. } => "GPU (as asked)".to_string(),
        BackendChoice::Auto => match Contest::of(LONGEST_WHOLE, plan, run, program, work, &mut None) {
            Err(reason) => format!("CPU (auto: {reason})"),
            Ok(Contest { sooner: Sooner::Cpu(why), .. }) => format!("CPU (auto: {why})"),
            Ok(Contest { sooner: Sooner::Gpu(why, _), .. }) => format!("GPU (auto: {why})"),
        },
    }
}

/// A run teaches how fast its device is.
pub struct Lesson {
    device: String,
    precision: Precision,
    kernel: u64,
    foretold: Forecast,
}

impl Lesson {
    /// The run is done, and has taken so long.
    pub fn learn(&self, taken: &Forecast) {
        let mut learned = Learned::of(&self.device);
        learned.learn(self.precision, self.kernel, &self.foretold, taken);
        learned.keep(&self.device);
    }

    /// The driver has refused the kernel.
    fn refused(&self) {
        let mut learned = Learned::of(&self.device);
        learned.refuse(self.kernel);
        learned.keep(&self.device);
    }
}

/// `auto` takes the backend that will be done first, of the CPU and a real GPU that computes in the
/// study's precision; never a software
/// GPU. `at_work` hears of what may take long. Once `interrupted` is true no driver is waited for.
pub fn choose(
    plan: &Plan,
    run: &Run,
    work: &Workload,
    at_work: &dyn Fn(&str),
    interrupted: Option<&AtomicBool>,
) -> Result<ChosenBackend, BackendError> {
    choose_below(None, plan, run, work, at_work, interrupted)
}

/// About how long the kernel of a program is, if it is so long that a GPU which is asked for takes
/// the program in several.
pub fn is_cut(program: &Program) -> Option<String> {
    longer_than(LONGEST_KERNEL, program)
}

/// About how long the kernel of a program is, if nothing takes it whole.
pub fn too_long(program: &Program) -> Option<String> {
    longer_than(LONGEST_WHOLE, program)
}

fn longer_than(longest: usize, program: &Program) -> Option<String> {
    let lines = Kernel::expected_lines(program);
    let length = || format!("about {} lines, more than {}", grouped(lines as u64), grouped(longest as u64));
    (lines > longest).then(length)
}

/// Whether any backend advances the plan as the run wants.
///
/// # Errors
/// It has a method for f64 on the CPU, and the run wants another precision or a GPU.
pub fn suits(plan: &Plan, run: &Run) -> Result<(), BackendError> {
    match plan.method.adaptive().and_then(|method| method.unsuited(run)) {
        Some(Unsuited { found, advice }) => Err(BackendError::Unsuited(format!("{found}; {advice}"))),
        None => Ok(()),
    }
}

/// `longest`: lines of a kernel that is not cut, where it is not what a device is found to do best.
fn choose_below(
    longest: Option<usize>,
    plan: &Plan,
    run: &Run,
    work: &Workload,
    at_work: &dyn Fn(&str),
    interrupted: Option<&AtomicBool>,
) -> Result<ChosenBackend, BackendError> {
    suits(plan, run)?;
    at_work("recording the step");
    if let Some(method) = plan.method.adaptive() {
        let is_requested = matches!(run.backend, BackendChoice::Cpu);
        let why = format!("auto: the method {} has no kernel", method.formulas.card().name);
        let backend = cpu::open(plan.clone(), run.precision, run.fused, Level::new());
        return Ok(on_the_cpu(backend, if is_requested { "as asked" } else { &why }));
    }
    // One recording serves all backends.
    let program = Program::new(plan, run.precision);
    let mut tried = None;
    let compiled = |program: Program, tried: Option<Box<dyn Backend>>, why: &str| {
        if let Some(backend) = tried {
            return on_the_cpu(backend, why);
        }
        at_work("compiling the step for the CPU");
        let code = Execution::MachineCode;
        let backend = cpu::open_recorded(plan.clone(), program, run.precision, run.fused, Level::new(), code);
        on_the_cpu(backend, why)
    };
    let on_adapter = |found: FoundAdapter, longest: Option<usize>, why: &str| {
        let device = found.open()?;
        let of_run = Wanted::of(run);
        let wanted = Wanted { longest: of_run.longest.or(longest), ..of_run };
        let backend = whole_or_cut(plan, device, &program, wanted, at_work, interrupted)?;
        let line = format!("{} ({why})", backend.describe());
        Ok(ChosenBackend { line, backend, kind: "gpu", lesson: None })
    };
    match (&run.backend, &work.begun) {
        (BackendChoice::Cpu, _) => Ok(compiled(program, None, "as asked")),
        (BackendChoice::Gpu { adapter }, _) => {
            let wanted = adapter.clone().map_or(AdapterChoice::Any, AdapterChoice::Named);
            on_adapter(FoundAdapter::find(&wanted, run.precision)?, longest, "as asked")
        }
        (BackendChoice::Auto, Some(begun)) if begun.starts_with("CPU") => {
            Ok(compiled(program, None, "auto: as the run began"))
        }
        (BackendChoice::Auto, Some(begun)) => {
            let longest = Some(if begun.ends_with(CUT) { 0 } else { usize::MAX });
            on_adapter(
                FoundAdapter::find(&AdapterChoice::Any, run.precision)?,
                longest,
                "auto: as the run began",
            )
        }
        (BackendChoice::Auto, None) => {
            let most = longest.unwrap_or(LONGEST_WHOLE);
            let contest = match Contest::of(most, plan, run, &program, work, &mut tried) {
                Ok(contest) => contest,
                // No GPU can win.
                Err(reason) => return Ok(compiled(program, tried, &format!("auto: {reason}"))),
            };
            match contest.settled(|found, why| on_adapter(found, Some(most), why)) {
                ended @ (Ok(_) | Err(BackendError::Interrupted)) => ended,
                Err(why) => Ok(compiled(program, tried, &format!("auto: {why}"))),
            }
        }
    }
}

/// A GPU that may be quicker than the CPU.
struct Contest {
    gpu: Lesson,
    sooner: Sooner,
}

/// The one that will be done first, and why.
enum Sooner {
    Cpu(String),
    Gpu(String, FoundAdapter),
}

impl Contest {
    /// `code`: machine code that a trial has made of the program.
    ///
    /// # Errors
    /// Why no GPU can be: there is none, the program would be cut, or the CPU is done before one is
    /// open.
    fn of(
        longest: usize,
        plan: &Plan,
        run: &Run,
        program: &Program,
        work: &Workload,
        code: &mut Option<Box<dyn Backend>>,
    ) -> Result<Contest, BackendError> {
        let precision = run.precision;
        // No GPU has shown yet that a program which is cut is faster there than on the CPU.
        if let Some(lines) = longer_than(longest, program) {
            return Err(BackendError::Unsuited(format!(
                "its kernel would have {lines}: a GPU takes it in several, if asked (backend = \"gpu\")"
            )));
        }
        let threads = run.threads.unwrap_or_else(rayon::current_num_threads);
        let slow_enough = |cpu: Forecast| match cpu.total() < Speed::SOONEST {
            true => Err(BackendError::Unsuited(format!(
                "it will be done in {}, before a GPU is open",
                cpu.sentence()
            ))),
            false => Ok(cpu),
        };
        let mut counts = counts(plan, precision, program, work);
        let cpu = slow_enough(on_cpu(&counts, threads, cpu::vector_width()))?;
        // Who has no GPU need not wait for the trial.
        let recalled = LastAdapter::recalled(precision);
        let found = match recalled {
            Some(_) => None,
            None => Some(FoundAdapter::find(&AdapterChoice::Real, precision)?),
        };
        let cpu = match work.trial.as_ref().and_then(|tried| tried(plan, program)) {
            None => cpu,
            Some((trial, made)) => {
                *code = made;
                counts.attempts = trial.attempts;
                match work.is_part {
                    true => on_cpu(&counts, threads, cpu::vector_width()),
                    false => slow_enough(by_trial(&counts, threads, &trial))?,
                }
            }
        };
        let learned = |device: &str| if work.is_part { Learned::default() } else { Learned::of(device) };
        let kernel = key(&counts, program);
        let lesson = |device, foretold| Lesson { device, precision, kernel, foretold };
        let against = |name: &str, kind: &str, device: String| {
            let learned = learned(&device);
            let gpu = on_gpu(&counts, &Speed::of(name, kind), kernel, &learned);
            let both = format!("{} on {name}, {} on the CPU", gpu.sentence(), cpu.sentence());
            let why = match learned.has_refused(kernel) {
                true => Err(format!("the driver of {name} has refused this kernel before")),
                false if cpu.total() <= gpu.total() => Err(both),
                false => Ok(both),
            };
            (why, lesson(device, gpu))
        };
        if let Some(LastAdapter { name, kind, known_as, .. }) = recalled
            && let (Err(why), gpu) = against(&name, &kind, known_as)
        {
            return Ok(Contest { gpu, sooner: Sooner::Cpu(why) });
        }
        let found = match found {
            Some(found) => found,
            None => FoundAdapter::find(&AdapterChoice::Real, precision)?,
        };
        LastAdapter::keep(&found.summary, precision);
        let AdapterSummary { name, kind, .. } = &found.summary;
        let (why, gpu) = against(name, kind, found.summary.known_as());
        let sooner = match why {
            Ok(why) => Sooner::Gpu(why, found),
            Err(why) => Sooner::Cpu(why),
        };
        Ok(Contest { gpu, sooner })
    }

    /// The GPU, if it will be done first and can be had.
    ///
    /// # Errors
    /// The CPU takes it, for this reason. The next run of a kernel that was refused knows of it.
    fn settled(
        self,
        on_adapter: impl FnOnce(FoundAdapter, &str) -> Result<ChosenBackend, BackendError>,
    ) -> Result<ChosenBackend, BackendError> {
        let (why, found) = match self.sooner {
            Sooner::Cpu(why) => return Err(BackendError::Unsuited(why)),
            Sooner::Gpu(why, found) => (why, found),
        };
        let on_gpu = on_adapter(found, &format!("auto: {why}")).inspect_err(|refused| {
            if matches!(refused, BackendError::Refused { .. }) {
                self.gpu.refused();
            }
        })?;
        Ok(ChosenBackend { lesson: Some(self.gpu), ..on_gpu })
    }
}

/// The counts from which the times of a run are foretold.
pub fn counts(plan: &Plan, precision: Precision, program: &Program, work: &Workload) -> Counts {
    let attempts = if program.own_steps.is_some() { ATTEMPTS } else { 1.0 };
    Counts {
        precision,
        lines: Kernel::expected_lines(program),
        operations: program.operations(&program.step).total() as f64,
        attempts,
        steps: plan.schedule.steps as f64,
        snapshots: plan.schedule.snapshots().len() as f64,
        kernels: work.kernels,
        batches: work.batches.clone(),
    }
}

/// A kernel is known again by this number.
fn key(counts: &Counts, program: &Program) -> u64 {
    let Counts { precision, lines, operations, .. } = counts;
    let message = format!("{lines} {operations} {} {}", program.state.len(), precision.name());
    XxHash3_64::oneshot(message.as_bytes())
}

fn on_the_cpu(backend: Box<dyn Backend>, why: &str) -> ChosenBackend {
    let line = format!("{} ({why})", backend.describe());
    ChosenBackend { line, backend, kind: "cpu", lesson: None }
}

/// The plan on this device, as the run wants: by its kernel, or by several where that would be too
/// long.
///
/// # Errors
/// The device refuses a kernel, or the program does not fit on it.
pub fn on_device(plan: &Plan, run: &Run, device: Device) -> Result<Box<dyn Backend>, BackendError> {
    let program = Program::new(plan, run.precision);
    whole_or_cut(plan, device, &program, Wanted::of(run), &|_| {}, None)
}

/// The text that a device is wanted to have.
#[derive(Clone, Copy)]
struct Wanted {
    precision: Precision,
    /// Multiply-adds are rounded once, where the device can.
    fused: bool,
    /// Lines of the longest kernel that is not cut.
    longest: Option<usize>,
}

impl Wanted {
    fn of(run: &Run) -> Wanted {
        let longest = match run.kernels {
            Kernels::Auto => None,
            Kernels::Whole => Some(usize::MAX),
            Kernels::Cut => Some(0),
        };
        Wanted { precision: run.precision, fused: run.fused, longest }
    }
}

fn whole_or_cut(
    plan: &Plan,
    mut device: Device,
    program: &Program,
    Wanted { precision, fused, longest }: Wanted,
    at_work: &dyn Fn(&str),
    interrupted: Option<&AtomicBool>,
) -> Result<Box<dyn Backend>, BackendError> {
    device.recall();
    device.ask();
    let phrasing = device.phrasing(fused);
    // A thread of a processor has its stack where a GPU has nothing.
    let best = if device.is_software() { LONGEST_WHOLE } else { LONGEST_KERNEL };
    let adapter = device.name().to_string();
    let owned = plan.clone();
    let printed = match longer_than(longest.unwrap_or(best), program) {
        Some(too_long) => {
            let reason = match longest {
                Some(0) => "as asked".to_string(),
                _ => format!("a single one would have {too_long}"),
            };
            Printed::cut(plan, precision, program, phrasing, reason)
        }
        None => Printed::whole(plan, precision, program, Phrasing { selected: false, ..phrasing }),
    };
    let (kernels, lines) = printed.size();
    let lines = grouped(lines as u64);
    at_work(&match kernels {
        1 => format!("compiling the kernel ({lines} lines)"),
        _ => format!("compiling {} kernels ({lines} lines)", grouped(kernels as u64)),
    });
    let open = move || gpu::open_with(owned, device, precision, printed);
    let opened = match interrupted {
        None => open(),
        // A driver cannot be told to stop.
        Some(interrupted) => unless(interrupted, |_| open()).unwrap_or(Err(BackendError::Interrupted)),
    };
    opened.map_err(|error| match error {
        BackendError::Lost(reason) => {
            let advice = match precision {
                Precision::F64 => "precision = \"f32\", whose kernels need less, or backend = \"cpu\"",
                Precision::F32 | Precision::F32Compensated => "backend = \"cpu\"",
            };
            BackendError::Refused { adapter, lines, precision: precision.name(), reason, advice }
        }
        other => other,
    })
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;
    use crate::methods::AnyMethod;
    use crate::yardsticks::free_body;

    /// A body that turns near its intermediate axis.
    fn tumbling() -> Plan {
        let body = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.1, 2.0, 0.1]);
        Plan::nominal(&body, AnyMethod::default(), 1e-3, 50_000).expect("a body")
    }

    /// The choice for the tumbling body where kernels of so many lines are too long.
    fn chosen(longest: usize, backend: BackendChoice) -> (&'static str, String) {
        let batches = vec![1024, 100_000];
        chosen_for(longest, backend, &Workload { kernels: 1, batches, ..Workload::default() })
    }

    fn chosen_for(longest: usize, backend: BackendChoice, work: &Workload) -> (&'static str, String) {
        let run = Run {
            backend,
            precision: Precision::F64,
            fused: true,
            threads: None,
            chunk: None,
            kernels: Kernels::Auto,
            checkpoint: None,
        };
        let at_work = |with: &str| {
            let begins = ["recording the step", "compiling "];
            assert!(begins.iter().any(|begin| with.starts_with(begin)), "{with}");
        };
        let chosen = choose_below(Some(longest), &tumbling(), &run, work, &at_work, None);
        let chosen = chosen.expect("a backend");
        (chosen.kind, chosen.line)
    }

    #[test]
    fn a_gpu_cuts_what_would_be_a_long_kernel() {
        let (kind, line) = chosen(100, BackendChoice::Gpu { adapter: None });
        let message = ", a step in 1 kernels: a single one would have about ";
        let ends = " lines, more than 100 (as asked)";
        assert!(kind == "gpu" && line.contains(message) && line.ends_with(ends), "{line}");
    }

    #[test]
    fn a_gpu_that_would_cut_is_taken_only_when_asked() {
        let (kind, line) = chosen(100, BackendChoice::Auto);
        assert!(
            kind == "cpu" && line.contains("a GPU takes it in several, if asked (backend = \"gpu\")"),
            "{line}"
        );
    }

    #[test]
    fn a_run_goes_on_by_what_began_it() {
        for (begun, kind) in
            [("CPU, f64, fused multiply-add", "cpu"), ("GPU llvmpipe (vulkan, Mesa), f64", "gpu")]
        {
            let begun = Some(begun.to_string());
            let work = Workload { kernels: 1, batches: vec![1000], begun, ..Workload::default() };
            let (found, line) = chosen_for(LONGEST_KERNEL, BackendChoice::Auto, &work);
            assert!(found == kind && line.ends_with("(auto: as the run began)"), "{line}");
        }
    }

    /// A driver that gives up on a kernel ends, under `auto`, in the CPU, whose line says what was
    /// refused.
    #[test]
    fn what_a_driver_refuses_runs_on_the_cpu() {
        let (plan, precision) = (tumbling(), Precision::F64);
        let program = Program::new(&plan, precision);
        let lesson = |device: &str| {
            let (device, foretold) = (device.to_string(), Forecast::default());
            Lesson { device, precision, kernel: 1, foretold }
        };
        let contest = Contest {
            gpu: lesson("a card of a test"),
            sooner: Sooner::Gpu(
                "about 1 s on it".to_string(),
                FoundAdapter::find(&AdapterChoice::Any, precision).expect("an adapter"),
            ),
        };
        let refused = |found: FoundAdapter, _: &str| {
            let device = found.open()?;
            device.device.destroy();
            let wanted = Wanted { precision, fused: true, longest: None };
            whole_or_cut(&plan, device, &program, wanted, &|_| {}, None)?;
            panic!("a device that was destroyed compiles nothing")
        };
        let why = contest.settled(refused).err().expect("no kernel").to_string();
        let parts = ["the driver of ", " refused the kernel of this study (", " lines, f64): "];
        assert!(parts.iter().all(|part| why.contains(part)) && !why.contains('\n'), "{why}");
        let learned = Learned::of("a card of a test");
        assert!(learned.has_refused(1) && !learned.has_refused(2));
    }

    #[test]
    fn nothing_is_opened_for_a_run_that_is_done_before() {
        let work = Workload { kernels: 1, batches: vec![64], ..Workload::default() };
        let (kind, line) = chosen_for(LONGEST_KERNEL, BackendChoice::Auto, &work);
        assert!(kind == "cpu" && line.contains(", before a GPU is open)"), "{line}");
    }

    #[test]
    fn of_a_short_kernel_nothing_is_said() {
        for backend in [BackendChoice::Auto, BackendChoice::Gpu { adapter: None }] {
            let (_, line) = chosen(LONGEST_KERNEL, backend);
            assert!(!line.contains("lines") && !line.contains("kernels"), "{line}");
        }
    }
}
