//! A build without the feature `implicit`: the method `bdf` is known by name, and advances nothing.

use super::{Backend, BackendError, Batch, End, Plan, StateReader};
use crate::methods::Bdf;
use crate::methods::bdf::ABSENT;

struct Absent;

/// A backend that refuses every batch.
pub fn open(_: Plan, _: Bdf) -> Box<dyn Backend> {
    Box::new(Absent)
}

impl Backend for Absent {
    fn load(&mut self, _: &Batch) -> Result<(), BackendError> {
        Err(BackendError::Unsuited(ABSENT.to_string()))
    }
    fn advance(&mut self, _: u64, _: u64) -> Result<(), BackendError> {
        Err(BackendError::Unsuited(ABSENT.to_string()))
    }
    fn fetch(&mut self) -> Result<(), BackendError> {
        Err(BackendError::Unsuited(ABSENT.to_string()))
    }
    fn capacity(&self) -> usize {
        1
    }
    fn describe(&self) -> String {
        ABSENT.to_string()
    }
    fn arithmetic(&self) -> String {
        ABSENT.to_string()
    }
}

impl StateReader for Absent {
    fn read_channel(&self, _: usize, _: usize, _: &mut [f64]) {}
    fn ends(&self, _: usize, _: &mut [End]) {}
}
