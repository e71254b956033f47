//! The answers of a device on its rounding, and whose bits its kernels have by them.

use super::straight_line::Rest;

/// The operations that a device rounds as a processor does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounding {
    /// `fma` is rounded once.
    pub fuses: bool,
    /// `a * b + c` is rounded twice.
    pub separates: bool,
    /// `(a + c) - a` is what its two roundings leave.
    pub keeps_order: bool,
    /// Quotients and roots are rounded to the nearest.
    pub divides: bool,
    pub takes_roots: bool,
    /// The way by which [corrected](super::nearest) quotients and roots are rounded to the nearest,
    /// where its own are not.
    pub nearest: Option<Rest>,
}

impl Rounding {
    /// For people: whose bits a kernel has whose multiply-adds are `fused` or not.
    pub fn whose_bits(&self, fused: bool) -> String {
        let corrected = self.nearest.is_some();
        let faults = [
            (self.separates && self.keeps_order, "rounds sums and products as its driver likes"),
            (self.divides || corrected, "does not round quotients to the nearest"),
            (self.takes_roots || corrected, "does not round roots to the nearest"),
        ];
        let faults: Vec<&str> = faults.iter().filter(|(sound, _)| !sound).map(|(_, fault)| *fault).collect();
        let by = if corrected { ", by corrected quotients and roots" } else { "" };
        match (faults.is_empty(), fused) {
            (true, true) => format!("bits of any CPU with fused multiply-add{by}"),
            (true, false) => format!("bits of any CPU with run.fused = false{by}"),
            (false, _) => format!("bits of its own, as it {}", faults.join(" and ")),
        }
    }
}
