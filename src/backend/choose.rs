//! Which backend a study gets, and the one line that says why.

use fearless_simd::Level;

use super::cpu::Execution;
use super::gpu::adapter::AdapterChoice;
use super::gpu::device::Device;
use super::gpu::kernel::Kernel;
use super::program::Program;
use super::{Backend, BackendError, Plan, cpu, gpu};
use crate::base::{Precision, grouped};
use crate::describe::{BackendChoice, Run};
use crate::methods::bdf::{self, Unsuited};

/// Lines of the longest kernel that a GPU gets: of a chain of eight bodies in ball joints by the staggered method. Longer programs are
/// interpreted there.
///
/// Drivers compile in a time that grows with nearly the square of the length. lavapipe (LLVM 15, a busy machine with four
/// cores) took 6 s for 19,000 lines, 14 s for 34,000, 18 s for 40,000, 43 s for 75,000 and 70 s for 108,000; what it made of
/// 34,000 lines did a third of the operations a second that it did at 19,000, while the CPU backend lost nothing. And a
/// thread of a GPU has about 255 registers of 32 bits at most: the state of a chain, 26 numbers a body and 3 a joint whose
/// multipliers are carried, passes that in f32 with the ninth or tenth body. From there on every step takes it from memory
/// and puts it back there. (In f64 from the fifth body on; but those are still compiled in time.) No real GPU was measured.
pub const LONGEST_KERNEL: usize = 40_000;

/// A backend with the reason why it was taken.
pub struct ChosenBackend {
    pub backend: Box<dyn Backend>,
    /// `cpu` or `gpu`.
    pub kind: &'static str,
    /// For example `CPU, 2 threads, AVX2 f32, fused multiply-add, machine code (auto: no GPU ...)`.
    pub line: String,
}

/// `auto` takes a real GPU that computes in the study's precision, else the CPU; never a software GPU. `at_work` hears of what may take long.
pub fn choose(plan: &Plan, run: &Run, at_work: &dyn Fn(&str)) -> Result<ChosenBackend, BackendError> {
    choose_below(LONGEST_KERNEL, plan, run, at_work)
}

/// About how long the kernel of a program is, if it is so long that a GPU interprets the program instead.
pub fn too_long(program: &Program) -> Option<String> {
    longer_than(LONGEST_KERNEL, program)
}

fn longer_than(longest: usize, program: &Program) -> Option<String> {
    let lines = Kernel::expected_lines(program);
    let told = || format!("about {} lines, more than {}", grouped(lines as u64), grouped(longest as u64));
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
    at_work: &dyn Fn(&str),
) -> Result<ChosenBackend, BackendError> {
    suits(plan, run)?;
    at_work("recording the step");
    if plan.method.is_adaptive() {
        let asked = matches!(run.backend, BackendChoice::Cpu);
        let why = format!("auto: the method {} has no kernel", bdf::CARD.name);
        let backend = cpu::open(plan.clone(), run.precision, run.fused, Level::new());
        return Ok(on_cpu(backend, if asked { "as asked" } else { &why }));
    }
    // One recording serves all backends.
    let program = Program::new(plan, run.precision);
    let compiled = |program: Program, why: &str| {
        at_work("compiling the step for the CPU");
        let code = Execution::MachineCode;
        let backend = cpu::open_recorded(plan.clone(), program, run.precision, run.fused, Level::new(), code);
        on_cpu(backend, why)
    };
    match &run.backend {
        BackendChoice::Cpu => Ok(compiled(program, "as asked")),
        BackendChoice::Gpu { adapter } => {
            let wanted = adapter.clone().map_or(AdapterChoice::Any, AdapterChoice::Named);
            let device = Device::open(&wanted, run.precision)?;
            on_gpu(longest, plan, run, device, &program, "as asked", at_work)
        }
        BackendChoice::Auto => {
            // No GPU has shown yet that it interprets faster than the CPU runs machine code.
            let gpu = match longer_than(longest, &program) {
                Some(lines) => Err(BackendError::Unsuited(format!(
                    "its kernel would have {lines}, and a GPU would interpret it (backend = \"gpu\")"
                ))),
                None => Device::open(&AdapterChoice::Real, run.precision).and_then(|device| {
                    on_gpu(longest, plan, run, device, &program, "auto: a real GPU was found", at_work)
                }),
            };
            match gpu {
                Err(
                    reason @ (BackendError::NoAdapter { .. }
                    | BackendError::NoDouble { .. }
                    | BackendError::NoDevice { .. }
                    | BackendError::Unsuited(_)),
                ) => Ok(compiled(program, &format!("auto: {reason}"))),
                chosen => chosen,
            }
        }
    }
}

fn on_cpu(backend: Box<dyn Backend>, why: &str) -> ChosenBackend {
    ChosenBackend { line: format!("{} ({why})", backend.describe()), backend, kind: "cpu" }
}

fn on_gpu(
    longest: usize,
    plan: &Plan,
    run: &Run,
    device: Device,
    program: &Program,
    why: &str,
    at_work: &dyn Fn(&str),
) -> Result<ChosenBackend, BackendError> {
    let backend = interpreted_or_compiled(longest, plan, run.precision, device, program, at_work)?;
    Ok(ChosenBackend { line: format!("{} ({why})", backend.describe()), backend, kind: "gpu" })
}

/// The plan on this device: its kernel, or the interpreter where that would be too long.
///
/// # Errors
/// The device refuses the kernel, or the program does not fit on it.
pub fn on_device(
    plan: &Plan,
    precision: Precision,
    device: Device,
) -> Result<Box<dyn Backend>, BackendError> {
    let program = Program::new(plan, precision);
    interpreted_or_compiled(LONGEST_KERNEL, plan, precision, device, &program, &|_| {})
}

fn interpreted_or_compiled(
    longest: usize,
    plan: &Plan,
    precision: Precision,
    device: Device,
    program: &Program,
    at_work: &dyn Fn(&str),
) -> Result<Box<dyn Backend>, BackendError> {
    match longer_than(longest, program) {
        Some(too_long) => {
            at_work("preparing the interpreter");
            let reason = format!("its kernel would have {too_long}");
            gpu::open_interpreted(plan.clone(), device, precision, program, reason)
        }
        None => {
            let kernel = Kernel::of(plan, precision, program);
            at_work(&format!("compiling the kernel ({} lines)", grouped(kernel.lines() as u64)));
            gpu::open_remembering(plan.clone(), device, precision, kernel)
        }
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;
    use crate::study::plan::plan;
    use crate::study_file::read_study;

    /// The choice for the tumbling body where kernels of so many lines are too long.
    fn chosen(longest: usize, backend: BackendChoice) -> (&'static str, String) {
        let study = concat!(env!("CARGO_MANIFEST_DIR"), "/studies/tumbling.toml");
        let study = read_study(std::path::Path::new(study)).expect("a study");
        let run = Run { backend, ..study.run.clone() };
        let at_work = |with: &str| {
            let begins = ["recording the step", "compiling the ", "preparing the interpreter"];
            assert!(begins.iter().any(|begin| with.starts_with(begin)), "{with}");
        };
        let chosen = choose_below(longest, &plan(&study).expect("a body"), &run, &at_work);
        let chosen = chosen.expect("a backend");
        (chosen.kind, chosen.line)
    }

    #[test]
    fn a_gpu_interprets_what_would_be_a_long_kernel() {
        let (kind, line) = chosen(100, BackendChoice::Gpu { adapter: None });
        let told = ", interpreted: its kernel would have about ";
        let ends = " lines, more than 100 (as asked)";
        assert!(kind == "gpu" && line.contains(told) && line.ends_with(ends), "{line}");
    }

    #[test]
    fn a_gpu_that_would_interpret_is_taken_only_when_asked() {
        let (kind, line) = chosen(100, BackendChoice::Auto);
        assert!(kind == "cpu" && line.contains("a GPU would interpret it (backend = \"gpu\")"), "{line}");
    }

    #[test]
    fn of_a_short_kernel_nothing_is_said() {
        for backend in [BackendChoice::Auto, BackendChoice::Gpu { adapter: None }] {
            let (_, line) = chosen(LONGEST_KERNEL, backend);
            assert!(!line.contains("lines") && !line.contains("interpreted"), "{line}");
        }
    }
}
