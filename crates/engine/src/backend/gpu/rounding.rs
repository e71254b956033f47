//! Whether a device rounds as a processor does: a probe of a kernel, and in which words it is then
//! said.
//!
//! A run on a device whose answers are the processor's has the bits of any processor: with fused
//! multiply-add, where `fma` is rounded once on the device too, and without it otherwise.

use super::device::Device;
use super::kernel::{WORKGROUP, prelude};
use super::probe;
use crate::backend::BackendError;
use crate::base::Precision;
use crate::real::Element;

/// Triples of numbers that are asked for, a multiple of [`WORKGROUP`].
const TRIPLES: usize = 1024;

/// Questions about a triple.
const QUESTIONS: usize = 5;

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
}

impl Rounding {
    /// By the answers, question after question, to these numbers.
    fn of<E: PartialEq + Copy>(
        answers: &[E],
        numbers: &[E],
        processor: impl Fn(E, E, E) -> [E; QUESTIONS],
    ) -> Rounding {
        let number = |part: usize, i: usize| numbers[part * TRIPLES + i];
        let mut same = [true; QUESTIONS];
        for i in 0..TRIPLES {
            let expected = processor(number(0, i), number(1, i), number(2, i));
            for (question, expected) in expected.into_iter().enumerate() {
                same[question] &= answers[question * TRIPLES + i] == expected;
            }
        }
        let [fuses, separates, keeps_order, divides, takes_roots] = same;
        Rounding { fuses, separates, keeps_order, divides, takes_roots }
    }

    /// Asks a device.
    ///
    /// # Errors
    /// Its driver refuses the kernel, or the device is lost.
    pub fn probe(device: &Device) -> Result<Rounding, BackendError> {
        Self::answered(device, &text(device.precision))
    }

    fn answered(device: &Device, text: &str) -> Result<Rounding, BackendError> {
        let all = QUESTIONS * TRIPLES;
        Ok(match device.precision {
            Precision::F32 | Precision::F32Compensated => {
                let numbers = numbers::<f32>();
                let answers = probe::answers(device, text, &numbers, all, TRIPLES)?;
                let processor =
                    |a: f32, b: f32, c: f32| [a.mul_add(b, c), a * b + c, (a + c) - a, a / b, a.sqrt()];
                Self::of(&answers, &numbers, processor)
            }
            Precision::F64 => {
                let numbers = numbers::<f64>();
                let answers = probe::answers(device, text, &numbers, all, TRIPLES)?;
                let processor =
                    |a: f64, b: f64, c: f64| [a.mul_add(b, c), a * b + c, (a + c) - a, a / b, a.sqrt()];
                Self::of(&answers, &numbers, processor)
            }
        })
    }

    /// For people: whose bits a kernel has whose multiply-adds are `fused` or not.
    pub fn whose_bits(&self, fused: bool) -> String {
        let faults = [
            (self.separates && self.keeps_order, "rounds sums and products as its driver likes"),
            (self.divides, "does not round quotients to the nearest"),
            (self.takes_roots, "does not round roots to the nearest"),
        ];
        let faults: Vec<&str> = faults.iter().filter(|(sound, _)| !sound).map(|(_, fault)| *fault).collect();
        match (faults.is_empty(), fused) {
            (true, true) => "bits of any CPU with fused multiply-add".to_string(),
            (true, false) => "bits of any CPU with run.fused = false".to_string(),
            (false, _) => format!("bits of its own, as it {}", faults.join(" and ")),
        }
    }
}

/// WGSL of the probe.
fn text(precision: Precision) -> String {
    let number = |part: usize| format!("numbers[{}u + i]", part * TRIPLES);
    let questions = ["fma(a, b, c)", "a * b + c", "(a + c) - a", "a / b", "sqrt(a)"];
    let lines: String = (0..QUESTIONS)
        .map(|question| format!("    answers[{}u + i] = {};\n", question * TRIPLES, questions[question]))
        .collect();
    let [a, b, c] = [0, 1, 2].map(number);
    format!(
        "{}\n{}\n@compute @workgroup_size({WORKGROUP})\n\
         fn probe(@builtin(global_invocation_id) id: vec3<u32>) {{\n    let i = id.x;\n    \
         let a = {a};\n    let b = {b};\n    let c = {c};\n{lines}}}\n",
        prelude(precision),
        probe::BINDINGS
    )
}

/// Positive `a`, then `b`, then `c`, of which every other one nearly takes away the product of the
/// others: there one rounding and two differ in all digits.
fn numbers<E: Element>() -> Vec<E> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        0.5 + (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let number = |value: f64| E::from_f64(value);
    let a: Vec<E> = (0..TRIPLES).map(|_| number(next())).collect();
    let b: Vec<E> = (0..TRIPLES).map(|_| number(next())).collect();
    let c = (0..TRIPLES).map(|i| match i % 2 {
        0 => number(next() * 2_f64.powi((i % 31) as i32 - 25)),
        _ => number(-a[i].to_f64() * b[i].to_f64()),
    });
    let c: Vec<E> = c.collect();
    [a, b, c].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::gpu::adapter::AdapterChoice;

    fn device(precision: Precision) -> Device {
        Device::open(&AdapterChoice::Any, precision).expect("an adapter: install a software Vulkan")
    }

    /// Mesa's software device takes `fma` apart, and keeps all else.
    #[test]
    fn a_software_device_has_the_bits_of_a_processor_that_does_not_fuse() {
        for precision in [Precision::F32, Precision::F64] {
            let found = Rounding::probe(&device(precision)).expect("answers");
            let expected = Rounding {
                fuses: false,
                separates: true,
                keeps_order: true,
                divides: true,
                takes_roots: true,
            };
            assert_eq!(found, expected, "{precision:?}");
            assert_eq!(found.whose_bits(false), "bits of any CPU with run.fused = false");
        }
    }

    /// Texts of drivers that each do one thing otherwise.
    #[test]
    fn each_way_to_round_otherwise_is_found() {
        for precision in [Precision::F32, Precision::F64] {
            let device = device(precision);
            let found = |from: &str, to: &str| {
                let changed = text(precision).replace(from, to);
                assert_ne!(changed, text(precision));
                Rounding::answered(&device, &changed).expect("answers")
            };
            let reordered = found("(a + c) - a", "c");
            assert!(!reordered.keeps_order && reordered.separates && reordered.divides, "{reordered:?}");
            assert_eq!(
                reordered.whose_bits(true),
                "bits of its own, as it rounds sums and products as its driver likes"
            );
            let rough = found("a / b", "a * (real(1.0) / b)");
            assert!(!rough.divides && rough.keeps_order && rough.takes_roots, "{rough:?}");
            let rough = found("sqrt(a)", "a * (real(1.0) / sqrt(a))");
            assert!(!rough.takes_roots && rough.divides, "{rough:?}");
            assert!(rough.whose_bits(false).ends_with("does not round roots to the nearest"));
        }
    }

    /// A processor's answers, once rounded and twice.
    #[test]
    fn fused_and_separate_sums_are_told_apart() {
        let numbers = numbers::<f64>();
        let twice = |a: f64, b: f64, c: f64| [a * b + c, a * b + c, (a + c) - a, a / b, a.sqrt()];
        let once = |a: f64, b: f64, c: f64| [a.mul_add(b, c), a.mul_add(b, c), (a + c) - a, a / b, a.sqrt()];
        let both = |a: f64, b: f64, c: f64| [a.mul_add(b, c), a * b + c, (a + c) - a, a / b, a.sqrt()];
        let answers = |of: &dyn Fn(f64, f64, f64) -> [f64; QUESTIONS]| {
            let mut all = vec![0.0; QUESTIONS * TRIPLES];
            for i in 0..TRIPLES {
                let answer = of(numbers[i], numbers[TRIPLES + i], numbers[2 * TRIPLES + i]);
                answer.into_iter().enumerate().for_each(|(question, x)| all[question * TRIPLES + i] = x);
            }
            Rounding::of(&all, &numbers, both)
        };
        let [twice, once] = [answers(&twice), answers(&once)];
        assert!(!twice.fuses && twice.separates && once.fuses && !once.separates);
        let whole = answers(&both);
        assert_eq!(whole.whose_bits(true), "bits of any CPU with fused multiply-add");
    }
}
