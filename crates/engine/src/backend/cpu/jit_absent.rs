//! No machine code is made for this processor: routines are interpreted.

use fearless_simd::Level;

use super::lanes::Rows;
use super::tape::Routine;
use crate::real::Element;

/// No value of this type exists.
#[derive(Debug)]
pub enum Code {}

impl Code {
    pub fn compile<E: Element>(_: &Routine, _: Level, _: bool) -> Option<Code> {
        None
    }

    pub fn run<E: Element>(&self, _: &mut Rows<E>, _: usize, _: u64) {
        match *self {}
    }
}
