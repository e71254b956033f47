//! A backend of which a test intercepts some calls.

use polhode::backend::tally::{Begun, Observation, Tally};
use polhode::backend::{Backend, BackendError, Batch, BatchSection, End, StateReader};

/// A test does this where the backend would be called. By default it calls the backend.
pub trait Intercept: Send + Sync {
    fn advance(&mut self, inner: &mut dyn Backend, first: u64, end: u64) -> Result<(), BackendError> {
        inner.advance(first, end)
    }
    fn sections<'a>(
        &mut self,
        inner: &'a mut dyn Backend,
        first: u64,
        end: u64,
        instances: usize,
    ) -> Option<Vec<Box<dyn BatchSection + 'a>>> {
        inner.sections(first, end, instances)
    }
    fn reopen(&mut self, inner: &mut dyn Backend) -> Result<(), BackendError> {
        inner.reopen()
    }
    fn begin_look(
        &mut self,
        inner: &mut dyn Backend,
        (first, end): (u64, u64),
        what: &Observation<'_>,
    ) -> Result<Begun, BackendError> {
        inner.begin_look(first, end, what)
    }
    fn end_look(&mut self, inner: &mut dyn Backend) -> Result<Option<Tally>, BackendError> {
        inner.end_look()
    }
}

/// The backend, all of whose calls go through the test.
pub struct Intercepted<T> {
    pub inner: Box<dyn Backend>,
    pub by: T,
}

impl<T: Intercept> Backend for Intercepted<T> {
    fn load(&mut self, batch: &Batch) -> Result<(), BackendError> {
        self.inner.load(batch)
    }
    fn advance(&mut self, first: u64, end: u64) -> Result<(), BackendError> {
        self.by.advance(&mut *self.inner, first, end)
    }
    fn sections(
        &mut self,
        first: u64,
        end: u64,
        instances: usize,
    ) -> Option<Vec<Box<dyn BatchSection + '_>>> {
        self.by.sections(&mut *self.inner, first, end, instances)
    }
    fn reopen(&mut self) -> Result<(), BackendError> {
        self.by.reopen(&mut *self.inner)
    }
    fn fetch(&mut self) -> Result<(), BackendError> {
        self.inner.fetch()
    }
    fn fetch_first(&mut self, instances: usize) -> Result<(), BackendError> {
        self.inner.fetch_first(instances)
    }
    fn begin_look(&mut self, first: u64, end: u64, what: &Observation<'_>) -> Result<Begun, BackendError> {
        self.by.begin_look(&mut *self.inner, (first, end), what)
    }
    fn end_look(&mut self) -> Result<Option<Tally>, BackendError> {
        self.by.end_look(&mut *self.inner)
    }
    fn capacity(&self) -> usize {
        self.inner.capacity()
    }
    fn describe(&self) -> String {
        self.inner.describe()
    }
    fn arithmetic(&self) -> String {
        self.inner.arithmetic()
    }
}

impl<T: Intercept> StateReader for Intercepted<T> {
    fn read_channel(&self, channel: usize, first: usize, out: &mut [f64]) {
        self.inner.read_channel(channel, first, out);
    }
    fn ends(&self, first: usize, out: &mut [End]) {
        self.inner.ends(first, out);
    }
}
