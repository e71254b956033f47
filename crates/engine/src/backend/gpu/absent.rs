//! A build without the feature `gpu`: there is no adapter, so no device, and nothing that runs on
//! one.

use super::printed::Printed;
use crate::backend::{Backend, BackendError, Plan};
use crate::base::Precision;
use device::Device;

pub mod device {
    //! Devices, of which there are none.

    use crate::backend::BackendError;
    use crate::backend::gpu::Phrasing;
    use crate::backend::gpu::adapter::{AdapterChoice, AdapterSummary};
    use crate::base::Precision;

    /// No value of this type exists.
    pub enum Device {}

    impl Device {
        /// # Errors
        /// Always: no adapter is found.
        pub fn open(wanted: &AdapterChoice, precision: Precision) -> Result<Device, BackendError> {
            FoundAdapter::find(wanted, precision)?.open()
        }

        /// Name of its adapter.
        pub fn name(&self) -> &str {
            match *self {}
        }

        /// Takes what earlier runs left.
        pub fn recall(&mut self) {
            match *self {}
        }

        /// Asks how it rounds.
        pub fn ask(&mut self) {
            match *self {}
        }

        /// The words for sums and products.
        pub fn phrasing(&self, _: bool) -> Phrasing {
            match *self {}
        }

        /// Whether it computes on the processor.
        pub fn is_software(&self) -> bool {
            match *self {}
        }
    }

    /// No value of this type exists.
    pub struct FoundAdapter {
        pub summary: AdapterSummary,
        device: Device,
    }

    impl FoundAdapter {
        /// # Errors
        /// Always.
        pub fn find(_: &AdapterChoice, _: Precision) -> Result<FoundAdapter, BackendError> {
            let found = "this polhode was built without its feature `gpu`".to_string();
            Err(BackendError::NoAdapter { wanted: String::new(), found })
        }

        pub fn open(self) -> Result<Device, BackendError> {
            match self.device {}
        }
    }

    /// All adapters: none.
    pub fn list() -> Vec<AdapterSummary> {
        Vec::new()
    }
}

pub mod peak {
    //! The speed of devices, of which there are none.

    use super::device::Device;
    use crate::backend::BackendError;
    use crate::base::Precision;

    /// No value of this type exists.
    pub enum Peak {}

    impl Peak {
        /// There is no device to make one of.
        pub fn new(device: Device, _: Precision) -> Result<Peak, BackendError> {
            match device {}
        }

        /// Operations a second.
        pub fn measure(&self) -> Result<f64, BackendError> {
            match *self {}
        }
    }
}

/// There is no device to open one on.
pub fn open(_: Plan, device: Device, _: Precision) -> Result<Box<dyn Backend>, BackendError> {
    match device {}
}

/// There is no device to open one on.
pub fn open_with(
    _: Plan,
    device: Device,
    _: Precision,
    _: impl Into<Printed>,
) -> Result<Box<dyn Backend>, BackendError> {
    match device {}
}
