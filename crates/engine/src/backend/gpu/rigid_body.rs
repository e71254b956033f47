//! The free rigid body's kernel written by hand, `shaders/rigid_body.wgsl`: the yardstick for
//! generated kernels. It runs through `Gpu::with_kernel`, so that a comparison is of the kernels
//! alone.

use super::kernel::{Kernel, prelude};
use crate::backend::Plan;
use crate::base::Precision;
use crate::methods::{Advance, AnyMethod};
use crate::model::{AT_REST, BodyParameter};

/// The kernel by hand, where it computes this plan: a rotation, no loads, no translation, one
/// inertia for all, no bounds.
pub fn kernel(plan: &Plan, precision: Precision) -> Option<Kernel> {
    let inertia = BodyParameter::INERTIA..BodyParameter::INERTIA + 3;
    let bounded = plan.bounds.energy.is_some() || plan.bounds.quaternion_norm.is_some();
    // By hand it is written for any start.
    let generated = Kernel::new(&plan.unfolded(), precision);
    // Without loads nothing reads the half chain's attitude.
    let loaded = !generated.dropped.iter().any(|name| name == "half_q0");
    let translates = plan.moving.iter().skip(AT_REST).any(|moves| *moves);
    let varies = inertia.clone().any(|p| plan.model.varies(p));
    let turns = plan.turning().count() == 1;
    if plan.method != Advance::Recorded(AnyMethod::default())
        || loaded
        || translates
        || bounded
        || varies
        || !turns
    {
        return None;
    }
    let by_hand = include_str!("../../../shaders/rigid_body.wgsl");
    Some(Kernel {
        text: format!("{}\n{by_hand}", prelude(precision)),
        parameters: Vec::new(),
        constants: std::iter::once(plan.schedule.h).chain(plan.constants[inertia].iter().copied()).collect(),
        // Its planes and its operations are those that the generator finds.
        ..generated
    })
}
