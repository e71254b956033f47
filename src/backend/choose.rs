//! Which backend a study gets, and the one line that says why.

use std::time::{Duration, Instant};

use fearless_simd::Level;

use super::cpu::Execution;
use super::gpu::adapter::AdapterChoice;
use super::gpu::device::Device;
use super::gpu::kernel::Kernel;
use super::program::Program;
use super::{Backend, BackendError, Plan, cpu, gpu};
use crate::base::grouped;
use crate::describe::{BackendChoice, Run};
use crate::methods::bdf::{self, Unsuited};

/// Lines of the longest kernel that a GPU gets unasked: of a chain of eight bodies in ball joints by the staggered method.
///
/// Drivers compile in a time that grows with nearly the square of the length. lavapipe (LLVM 15, a busy machine with four
/// cores) took 6 s for 19,000 lines, 14 s for 34,000, 18 s for 40,000, 43 s for 75,000 and 70 s for 108,000; what it made of
/// 34,000 lines did a third of the operations a second that it did at 19,000, while the CPU backend lost nothing. And a
/// thread of a GPU has about 255 registers of 32 bits at most: the state of a chain, 26 numbers a body and 3 a joint whose
/// multipliers are carried, passes that in f32 with the ninth or tenth body. From there on every step takes it from memory
/// and puts it back there. (In f64 from the fifth body on; but those are still compiled in time.) No real GPU was measured.
pub const LONGEST_KERNEL: usize = 40_000;

/// What a choice tells on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told<'a> {
    /// To be known before a kernel is compiled.
    Note(&'a str),
    /// At work on something that may take long.
    Busy(&'a str),
}

/// A backend with the reason why it was taken.
pub struct ChosenBackend {
    pub backend: Box<dyn Backend>,
    /// `cpu` or `gpu`.
    pub kind: &'static str,
    /// Time that making the CPU's machine code took; zero for a GPU.
    pub opening: Duration,
    /// For example `CPU, 2 threads, AVX2 f32, fused multiply-add, machine code (auto: no GPU ...)`.
    pub line: String,
}

/// `auto` takes a real GPU that computes in the study's precision, else the CPU; never a software GPU, and no GPU for a
/// kernel longer than [`LONGEST_KERNEL`].
pub fn choose(plan: &Plan, run: &Run, say: &dyn Fn(Told<'_>)) -> Result<ChosenBackend, BackendError> {
    choose_below(LONGEST_KERNEL, plan, run, say)
}

/// How long the kernel is, if it is too long to be given to a GPU unasked.
pub fn too_long(kernel: &Kernel) -> Option<String> {
    longer_than(LONGEST_KERNEL, kernel)
}

fn longer_than(longest: usize, kernel: &Kernel) -> Option<String> {
    let lines = kernel.lines();
    let told = || format!("{} lines, more than {}", grouped(lines as u64), grouped(longest as u64));
    (lines > longest).then(told)
}

/// Whether any backend advances the plan as the run wants.
///
/// # Errors
/// It has a method for f64 on the CPU, and the run wants another precision or a GPU.
pub fn suits(plan: &Plan, run: &Run) -> Result<(), BackendError> {
    match plan.method.is_adaptive().then(|| bdf::unsuited(run)).flatten() {
        Some(Unsuited { found, advice }) => Err(BackendError::Unsuited(format!("{found}; {advice}"))),
        None => Ok(()),
    }
}

fn choose_below(
    longest: usize,
    plan: &Plan,
    run: &Run,
    say: &dyn Fn(Told<'_>),
) -> Result<ChosenBackend, BackendError> {
    suits(plan, run)?;
    say(Told::Busy("recording the step"));
    if plan.method.is_adaptive() {
        let asked = matches!(run.backend, BackendChoice::Cpu);
        let why = format!("auto: the method {} has no kernel", bdf::CARD.name);
        let backend = cpu::open(plan.clone(), run.precision, run.fused, Level::new());
        return Ok(on_cpu(backend, Duration::ZERO, if asked { "as asked" } else { &why }));
    }
    // One recording serves the kernel, whose length is to be known, and the CPU.
    let begun = Instant::now();
    let program = Program::new(plan, run.precision);
    let recording = begun.elapsed();
    let compiled = |program: Program, why: &str| {
        say(Told::Busy("compiling the step for the CPU"));
        let begun = Instant::now();
        let code = Execution::MachineCode;
        let backend = cpu::open_recorded(plan.clone(), program, run.precision, run.fused, Level::new(), code);
        on_cpu(backend, recording + begun.elapsed(), why)
    };
    match &run.backend {
        BackendChoice::Cpu => Ok(compiled(program, "as asked")),
        BackendChoice::Gpu { adapter } => {
            let wanted = adapter.clone().map_or(AdapterChoice::Any, AdapterChoice::Named);
            let device = Device::open(&wanted, run.precision)?;
            let kernel = Kernel::of(plan, run.precision, &program);
            if let Some(too_long) = longer_than(longest, &kernel) {
                let note = format!("warning: the kernel has {too_long}: compiling it may take minutes");
                say(Told::Note(&note));
            }
            on_gpu(plan, run, device, kernel, "as asked", say)
        }
        BackendChoice::Auto => {
            // Before a device is opened, which takes longer.
            let kernel = Kernel::of(plan, run.precision, &program);
            if let Some(too_long) = longer_than(longest, &kernel) {
                let why = format!("auto: the kernel would have {too_long}; use backend = \"gpu\" to try");
                return Ok(compiled(program, &why));
            }
            match Device::open(&AdapterChoice::Real, run.precision) {
                Ok(device) => on_gpu(plan, run, device, kernel, "auto: a real GPU was found", say),
                Err(
                    reason @ (BackendError::NoAdapter { .. }
                    | BackendError::NoDouble { .. }
                    | BackendError::NoDevice { .. }),
                ) => Ok(compiled(program, &format!("auto: {reason}"))),
                Err(other) => Err(other),
            }
        }
    }
}

/// `opening`: time that making its machine code took, the recording included.
fn on_cpu(backend: Box<dyn Backend>, opening: Duration, why: &str) -> ChosenBackend {
    ChosenBackend { line: format!("{} ({why})", backend.describe()), backend, kind: "cpu", opening }
}

fn on_gpu(
    plan: &Plan,
    run: &Run,
    device: Device,
    kernel: Kernel,
    why: &str,
    say: &dyn Fn(Told<'_>),
) -> Result<ChosenBackend, BackendError> {
    say(Told::Busy(&format!("compiling the kernel ({} lines)", grouped(kernel.lines() as u64))));
    let backend = gpu::open_remembering(plan.clone(), device, run.precision, kernel)?;
    Ok(ChosenBackend {
        line: format!("{} ({why})", backend.describe()),
        backend,
        kind: "gpu",
        opening: Duration::ZERO,
    })
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::study::plan::plan;
    use crate::study_file::read_study;

    /// What is chosen for the tumbling body, and what is said, where kernels of so many lines are too long.
    fn chosen(longest: usize, backend: BackendChoice) -> (&'static str, String, Vec<String>) {
        let study = concat!(env!("CARGO_MANIFEST_DIR"), "/studies/tumbling.toml");
        let study = read_study(std::path::Path::new(study)).expect("a study");
        let run = Run { backend, ..study.run.clone() };
        let said = RefCell::new(Vec::new());
        let say = |told: Told<'_>| match told {
            Told::Note(line) => said.borrow_mut().push(line.to_string()),
            Told::Busy(with) => {
                assert!(with == "recording the step" || with.starts_with("compiling the "), "{with}")
            }
        };
        let chosen = choose_below(longest, &plan(&study).expect("a body"), &run, &say).expect("a backend");
        (chosen.kind, chosen.line, said.into_inner())
    }

    #[test]
    fn a_long_kernel_goes_to_the_cpu_unless_a_gpu_is_asked_for() {
        let (kind, line, said) = chosen(100, BackendChoice::Auto);
        let why = "lines, more than 100; use backend = \"gpu\" to try)";
        assert!(
            kind == "cpu" && line.contains("(auto: the kernel would have ") && line.ends_with(why),
            "{line}"
        );
        assert!(said.is_empty(), "{said:?}");

        let (kind, line, said) = chosen(100, BackendChoice::Gpu { adapter: None });
        assert!(kind == "gpu" && line.ends_with("(as asked)"), "{line}");
        let [warning] = &said[..] else { panic!("{said:?}") };
        let begins = warning.starts_with("warning: the kernel has ");
        assert!(
            begins && warning.ends_with(" lines, more than 100: compiling it may take minutes"),
            "{warning}"
        );
    }

    #[test]
    fn of_a_short_kernel_nothing_is_said() {
        let (_, line, said) = chosen(LONGEST_KERNEL, BackendChoice::Auto);
        assert!(!line.contains("lines") && said.is_empty(), "{line} {said:?}");
        let (kind, line, said) = chosen(LONGEST_KERNEL, BackendChoice::Gpu { adapter: None });
        assert!(kind == "gpu" && line.ends_with("(as asked)") && said.is_empty(), "{line} {said:?}");
    }
}
