//! Which backend a study gets, and the one line that says why.

use super::cpu::Cpu;
use super::gpu::Gpu;
use super::gpu::device::{Device, Wanted};
use super::{Backend, BackendError, Plan};
use crate::describe::{BackendChoice, Precision, Run};

/// A backend with the reason why it was taken.
pub struct Chosen {
    pub backend: Box<dyn Backend>,
    /// `cpu` or `gpu`.
    pub kind: &'static str,
    /// For example `CPU, 2 threads, AVX2 f32, fused multiply-add (auto: no GPU adapter of real hardware ...)`.
    pub line: String,
}

/// `auto` takes a real GPU that computes in the study's precision, else the CPU; never a software GPU.
pub fn choose(plan: &Plan, run: &Run) -> Result<Chosen, BackendError> {
    match &run.backend {
        BackendChoice::Cpu => Ok(cpu(plan, run, "as asked")),
        BackendChoice::Gpu { adapter } => {
            let wanted = adapter.clone().map_or(Wanted::Any, Wanted::Named);
            gpu(plan, run, Device::open(&wanted, run.precision)?, "as asked")
        }
        BackendChoice::Auto => match Device::open(&Wanted::Real, run.precision) {
            Ok(device) => gpu(plan, run, device, "auto: a real GPU was found"),
            Err(
                reason @ (BackendError::NoAdapter { .. }
                | BackendError::NoDouble { .. }
                | BackendError::NoDevice { .. }),
            ) => Ok(cpu(plan, run, &format!("auto: {reason}"))),
            Err(other) => Err(other),
        },
    }
}

fn cpu(plan: &Plan, run: &Run, why: &str) -> Chosen {
    let backend: Box<dyn Backend> = match run.precision {
        Precision::F32 => Box::new(Cpu::<f32>::new(plan.clone(), run.fused)),
        Precision::F64 => Box::new(Cpu::<f64>::new(plan.clone(), run.fused)),
    };
    Chosen { line: format!("{} ({why})", backend.describe()), backend, kind: "cpu" }
}

fn gpu(plan: &Plan, run: &Run, device: Device, why: &str) -> Result<Chosen, BackendError> {
    let backend: Box<dyn Backend> = match run.precision {
        Precision::F32 => Box::new(Gpu::<f32>::new(plan.clone(), device, run.precision)?),
        Precision::F64 => Box::new(Gpu::<f64>::new(plan.clone(), device, run.precision)?),
    };
    Ok(Chosen { line: format!("{} ({why})", backend.describe()), backend, kind: "gpu" })
}
