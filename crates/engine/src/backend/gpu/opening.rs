//! Backends of a device, in every precision.

use super::device::Device;
use super::ensemble::Gpu;
use super::kernel::Kernel;
use super::printed::Printed;
use super::segmented::Segmented;
use crate::backend::{Backend, BackendError, Plan};
use crate::base::Precision;
use crate::real::Element;

/// The backend of this plan by one kernel, whose multiply-adds are rounded twice.
///
/// # Errors
/// The driver refuses the kernel.
pub fn open(plan: Plan, device: Device, precision: Precision) -> Result<Box<dyn Backend>, BackendError> {
    let kernel = Kernel::new(&plan, precision);
    open_with(plan, device, precision, kernel)
}

/// As [`open`] by what was printed of the plan in this precision.
///
/// # Errors
/// The driver refuses a kernel, or the program does not fit on the device.
pub fn open_with(
    plan: Plan,
    device: Device,
    precision: Precision,
    printed: impl Into<Printed>,
) -> Result<Box<dyn Backend>, BackendError> {
    let printed = printed.into();
    match precision {
        Precision::F32 | Precision::F32Compensated => opened::<f32>(plan, device, printed),
        Precision::F64 => opened::<f64>(plan, device, printed),
    }
}

fn opened<E: Element>(
    plan: Plan,
    device: Device,
    printed: Printed,
) -> Result<Box<dyn Backend>, BackendError> {
    Ok(match printed {
        Printed::Whole(kernel) => Box::new(Gpu::<E>::with_kernel(plan, device, *kernel)?),
        Printed::Cut(segments, why) => Box::new(Segmented::<E>::new(plan, device, *segments, why)?),
    })
}
