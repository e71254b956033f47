//! The GPU backend: a kernel generated for the mechanism, run through wgpu.
//!
//! The text of kernels can always be had. What runs them is there with the feature `gpu`;
//! without it no adapter is found.

pub mod adapter;
pub mod adding;
pub mod columns;
pub mod kernel;
pub mod nearest;
pub mod printed;
pub mod rigid_body;
pub mod segments;
mod straight_line;

#[cfg(feature = "gpu")]
mod buffers;
#[cfg(feature = "gpu")]
mod commands;
#[cfg(feature = "gpu")]
pub mod device;
#[cfg(feature = "gpu")]
mod ensemble;
#[cfg(all(feature = "gpu", not(target_vendor = "apple")))]
mod exact;
#[cfg(feature = "gpu")]
mod host_copy;
#[cfg(all(test, feature = "gpu"))]
mod layouts;
#[cfg(feature = "gpu")]
mod loading;
#[cfg(feature = "gpu")]
mod opening;
#[cfg(feature = "gpu")]
pub mod peak;
#[cfg(feature = "gpu")]
mod pipeline_cache;
#[cfg(feature = "gpu")]
mod probe;
#[cfg(feature = "gpu")]
mod probed;
#[cfg(feature = "gpu")]
mod ring;
#[cfg(feature = "gpu")]
mod rounding;
#[cfg(feature = "gpu")]
mod rounding_probe;
#[cfg(feature = "gpu")]
mod segmented;
#[cfg(feature = "gpu")]
mod staging;
#[cfg(feature = "gpu")]
mod sums;
#[cfg(feature = "gpu")]
pub mod tally;
#[cfg(feature = "gpu")]
pub use ensemble::Gpu;
#[cfg(feature = "gpu")]
pub use opening::{open, open_with};
pub use straight_line::{Phrasing, Rest};

#[cfg(not(feature = "gpu"))]
mod absent;
#[cfg(not(feature = "gpu"))]
pub use absent::{device, open, open_with, peak};
