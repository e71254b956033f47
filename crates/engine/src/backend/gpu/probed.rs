//! Devices that are asked how they compute before they are used.

use std::sync::{Arc, Mutex, PoisonError};

use super::adapter::AdapterChoice;
use super::device::{Device, FoundAdapter};
use super::rounding::Rounding;
use super::sums;
use crate::backend::BackendError;
use crate::base::Precision;

impl FoundAdapter {
    /// Opens its device.
    ///
    /// # Errors
    /// There is no device, or it does not compute in this precision.
    pub fn open(self) -> Result<Device, BackendError> {
        let device = self.open_unprobed()?;
        if device.precision == Precision::F32Compensated {
            sums::probe(&device)?;
        }
        Ok(device)
    }
}

impl Device {
    /// The first adapter that is wanted and computes in this precision.
    pub fn open(wanted: &AdapterChoice, precision: Precision) -> Result<Device, BackendError> {
        FoundAdapter::find(wanted, precision)?.open()
    }

    /// Opens the adapter again, after its device was lost.
    pub fn reopen(&self) -> Result<Device, BackendError> {
        let mut device = Device::open(&AdapterChoice::Named(self.summary.name.clone()), self.precision)?;
        device.observes = self.observes;
        device.rounding = self.rounding;
        device.nearest_columns = self.nearest_columns;
        device.traffic = Arc::clone(&self.traffic);
        if self.remembers {
            device.recall();
        }
        Ok(device)
    }

    /// Asks how it rounds: in its precision, and in that of columns, where it observes.
    pub fn ask(&mut self) {
        self.rounding = self.answered(self.precision);
        if self.observes {
            self.nearest_columns = self.answered(Precision::F64).and_then(|rounding| rounding.nearest);
        }
    }

    /// Its answer in this precision; it is asked once a process. One that gives none has none: what
    /// ails it shows in the kernels that follow.
    fn answered(&self, precision: Precision) -> Option<Rounding> {
        static ANSWERS: Mutex<Vec<(String, Precision, Rounding)>> = Mutex::new(Vec::new());
        let device = self.summary.known_as();
        let answers = || ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = |(name, own, _): &&(String, Precision, Rounding)| *name == device && *own == precision;
        let known = answers().iter().find(is_known).map(|(.., rounding)| *rounding);
        known.or_else(|| {
            let found = Rounding::probe(self, precision).ok()?;
            answers().push((device.clone(), precision, found));
            Some(found)
        })
    }
}
