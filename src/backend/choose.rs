//! Which backend a study gets, and the one line that says why.

use fearless_simd::Level;

use super::gpu::device::{Device, Wanted};
use super::{Backend, BackendError, Plan, cpu, gpu};
use crate::describe::{BackendChoice, Run};

/// A backend with the reason why it was taken.
pub struct Chosen {
    pub backend: Box<dyn Backend>,
    /// `cpu` or `gpu`.
    pub kind: &'static str,
    /// For example `CPU, 2 threads, AVX2 f32, fused multiply-add, machine code (auto: no GPU ...)`.
    pub line: String,
}

/// `auto` takes a real GPU that computes in the study's precision, else the CPU; never a software GPU.
pub fn choose(plan: &Plan, run: &Run) -> Result<Chosen, BackendError> {
    match &run.backend {
        BackendChoice::Cpu => Ok(on_cpu(plan, run, "as asked")),
        BackendChoice::Gpu { adapter } => {
            let wanted = adapter.clone().map_or(Wanted::Any, Wanted::Named);
            on_gpu(plan, run, Device::open(&wanted, run.precision)?, "as asked")
        }
        BackendChoice::Auto => match Device::open(&Wanted::Real, run.precision) {
            Ok(device) => on_gpu(plan, run, device, "auto: a real GPU was found"),
            Err(
                reason @ (BackendError::NoAdapter { .. }
                | BackendError::NoDouble { .. }
                | BackendError::NoDevice { .. }),
            ) => Ok(on_cpu(plan, run, &format!("auto: {reason}"))),
            Err(other) => Err(other),
        },
    }
}

fn on_cpu(plan: &Plan, run: &Run, why: &str) -> Chosen {
    let backend = cpu::open(plan.clone(), run.precision, run.fused, Level::new());
    Chosen { line: format!("{} ({why})", backend.describe()), backend, kind: "cpu" }
}

fn on_gpu(plan: &Plan, run: &Run, device: Device, why: &str) -> Result<Chosen, BackendError> {
    let backend = gpu::open(plan.clone(), device, run.precision)?;
    Ok(Chosen { line: format!("{} ({why})", backend.describe()), backend, kind: "gpu" })
}
