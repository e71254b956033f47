//! A build without the feature `implicit`: implicit methods are known by name, and advance nothing.

use super::{Backend, BackendError, Batch, End, Plan, StateReader};
use crate::methods::Adaptive;
use crate::methods::adaptive::absent;

struct Absent(String);

/// A backend that refuses every batch.
pub fn open(_: Plan, method: Adaptive) -> Box<dyn Backend> {
    Box::new(Absent(absent(method.formulas.card().name)))
}

impl Backend for Absent {
    fn load(&mut self, _: &Batch) -> Result<(), BackendError> {
        Err(BackendError::Unsuited(self.0.clone()))
    }
    fn advance(&mut self, _: u64, _: u64) -> Result<(), BackendError> {
        Err(BackendError::Unsuited(self.0.clone()))
    }
    fn fetch(&mut self) -> Result<(), BackendError> {
        Err(BackendError::Unsuited(self.0.clone()))
    }
    fn capacity(&self) -> usize {
        1
    }
    fn describe(&self) -> String {
        self.0.clone()
    }
    fn arithmetic(&self) -> String {
        self.0.clone()
    }
}

impl StateReader for Absent {
    fn read_channel(&self, _: usize, _: usize, _: &mut [f64]) {}
    fn ends(&self, _: usize, _: &mut [End]) {}
}
