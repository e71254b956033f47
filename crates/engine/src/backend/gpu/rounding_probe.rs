//! Whether a device rounds as a processor does: a probe of a kernel.
//!
//! A run on a device whose answers are the processor's has the bits of any processor: with fused
//! multiply-add, where `fma` is rounded once on the device too, and without it otherwise.

use super::device::Device;
use super::kernel::{PROBE_BINDINGS, WORKGROUP, prelude};
use super::nearest;
use super::probe;
use super::rounding::Rounding;
use super::straight_line::Rest;
use crate::backend::BackendError;
use crate::base::Precision;
use crate::real::Element;

/// Triples of numbers that are asked for, a multiple of [`WORKGROUP`].
const TRIPLES: usize = 1024;

/// Questions about a triple.
const QUESTIONS: usize = 5;

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
        Rounding { fuses, separates, keeps_order, divides, takes_roots, nearest: None }
    }

    /// Asks a device in this precision, in which it computes.
    ///
    /// # Errors
    /// Its driver refuses the kernel, or the device is lost.
    pub fn probe(device: &Device, precision: Precision) -> Result<Rounding, BackendError> {
        Self::probed(&|nearest| Self::answered(device, precision, &text(precision, nearest)))
    }

    /// Asks for quotients and roots as the device has them. Where these are not the nearest, asks
    /// for corrected ones.
    fn probed(
        answers: &dyn Fn(Option<Rest>) -> Result<Rounding, BackendError>,
    ) -> Result<Rounding, BackendError> {
        let found = answers(None)?;
        let rest = match found {
            Rounding { divides: true, takes_roots: true, .. } => return Ok(found),
            Rounding { fuses: true, .. } => Rest::Fused,
            _ => Rest::Split,
        };
        let corrected = answers(Some(rest))?;
        let nearest = (corrected.divides && corrected.takes_roots).then_some(rest);
        Ok(Rounding { nearest, ..found })
    }

    fn answered(device: &Device, precision: Precision, text: &str) -> Result<Rounding, BackendError> {
        let all = QUESTIONS * TRIPLES;
        Ok(match precision {
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
}

/// WGSL of the probe; `nearest`: of corrected quotients and roots.
fn text(precision: Precision, nearest: Option<Rest>) -> String {
    let number = |part: usize| format!("numbers[{}u + i]", part * TRIPLES);
    let [quotient, root] = match nearest {
        Some(_) => ["nearest_quotient(a, b)", "nearest_root(a)"],
        None => ["a / b", "sqrt(a)"],
    };
    let corrected = nearest.map_or_else(String::new, |rest| nearest::text(precision, rest));
    let questions = ["fma(a, b, c)", "a * b + c", "(a + c) - a", quotient, root];
    let lines: String = (0..QUESTIONS)
        .map(|question| format!("    answers[{}u + i] = {};\n", question * TRIPLES, questions[question]))
        .collect();
    let [a, b, c] = [0, 1, 2].map(number);
    format!(
        "{}\n{corrected}\n{}\n@compute @workgroup_size({WORKGROUP})\n\
         fn probe(@builtin(global_invocation_id) id: vec3<u32>) {{\n    let i = id.x;\n    \
         let a = {a};\n    let b = {b};\n    let c = {c};\n{lines}}}\n",
        prelude(precision),
        PROBE_BINDINGS
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
    use crate::backend::gpu::straight_line::literal;

    fn device(precision: Precision) -> Device {
        Device::open(&AdapterChoice::Any, precision).expect("an adapter: install a software Vulkan")
    }

    /// Mesa's software device takes `fma` apart, and keeps all else.
    #[test]
    fn a_software_device_has_the_bits_of_a_processor_that_does_not_fuse() {
        for precision in [Precision::F32, Precision::F64] {
            let found = Rounding::probe(&device(precision), precision).expect("answers");
            let expected = Rounding {
                fuses: false,
                separates: true,
                keeps_order: true,
                divides: true,
                takes_roots: true,
                nearest: None,
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
                let changed = text(precision, None).replace(from, to);
                assert_ne!(changed, text(precision, None));
                Rounding::answered(&device, device.precision, &changed).expect("answers")
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

    /// A device whose reciprocals and roots are up to four last digits off, and one that computes
    /// its corrections otherwise than written.
    #[test]
    fn rough_quotients_and_roots_are_corrected() {
        for precision in [Precision::F32, Precision::F64] {
            let device = device(precision);
            let of_driver = |changes: &[(&str, &str)]| {
                let answers = |nearest| {
                    let change = |text: String, (from, to): &(&str, &str)| text.replace(from, to);
                    let text = changes.iter().fold(text(precision, nearest), change);
                    Rounding::answered(&device, device.precision, &text)
                };
                Rounding::probed(&answers).expect("answers")
            };
            let epsilon = literal(precision, if precision == Precision::F64 { f64::EPSILON } else { 1.2e-7 });
            let rough = |exact: &str| format!("({exact}) * (real(1.0) + real(4.0) * {epsilon})");
            let [one, quotient, root] = ["real(1.0) / b", "a / b", "sqrt(a)"].map(rough);
            let rough =
                [("real(1.0) / b", &*one), (" = a / b", &format!(" = {quotient}")), ("sqrt(a)", &root)];
            let found = of_driver(&rough);
            assert!(!found.divides && !found.takes_roots, "{precision:?}: {found:?}");
            assert_eq!(found.nearest, Some(Rest::Split), "{precision:?}");
            assert_eq!(
                found.whose_bits(false),
                "bits of any CPU with run.fused = false, by corrected quotients and roots"
            );
            let lost = of_driver(&[&rough[..], &[(" - lost", "")]].concat());
            assert_eq!(lost.nearest, None, "{precision:?}");
            assert!(lost.whose_bits(false).contains("does not round quotients"), "{lost:?}");
        }
    }

    /// Corrected quotients and roots of numbers of all sizes, from reciprocals and roots that are
    /// up to four last digits off, are those of the processor.
    #[test]
    fn corrected_quotients_and_roots_are_those_of_a_processor() {
        assert_corrected::<f32>(
            Precision::F32,
            f32::MIN_POSITIVE,
            f32::MAX,
            |b| f32::from_bits(b as u32),
            |x, by| f32::from_bits(x.to_bits().wrapping_add_signed(by)),
        );
        assert_corrected::<f64>(Precision::F64, f64::MIN_POSITIVE, f64::MAX, f64::from_bits, |x, by| {
            f64::from_bits(x.to_bits().wrapping_add_signed(by.into()))
        });
    }

    fn assert_corrected<E: Element + PartialEq>(
        precision: Precision,
        least: E,
        most: E,
        of_bits: impl Fn(u64) -> E,
        moved: impl Fn(E, i32) -> E,
    ) {
        const PAIRS: usize = 1 << 16;
        let device = device(precision);
        let real = E::from_f64;
        let edges = [
            real(0.0),
            real(-0.0),
            real(1.0),
            real(-1.0),
            real(0.1),
            real(3.0),
            real(1e-30),
            real(1e30),
            real(f64::INFINITY),
            real(f64::NEG_INFINITY),
            real(f64::NAN),
            least,
            most,
        ];
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let pair = |i: usize| -> (E, E) {
            if i < edges.len() * edges.len() {
                return (edges[i % edges.len()], edges[i / edges.len()]);
            }
            // From one to two, near both ends.
            let mut near = |of: u64| {
                let share = (next() % of) as f64 / of as f64;
                E::from_f64(1.0 + share)
            };
            match i % 4 {
                0 => (of_bits(next() << 1 >> 1), of_bits(next())),
                1 => (near(1 << 20), near(1 << 23)),
                2 => (moved(near(1 << 10), -((i % 5) as i32)), moved(E::from_f64(2.0), -1 - (i % 7) as i32)),
                // Nearly halfway between two numbers.
                _ => {
                    let (b, quotient) = (near(1 << 23), near(1 << 22));
                    (moved(E::from_f64(quotient.to_f64() * b.to_f64()), (i % 3) as i32 - 1), b)
                }
            }
        };
        let pairs: Vec<(E, E)> = (0..PAIRS).map(pair).collect();
        let numbers: Vec<E> = pairs.iter().map(|(a, _)| *a).chain(pairs.iter().map(|(_, b)| *b)).collect();
        // Off by this share, to both sides.
        let digit = if precision == Precision::F64 { f64::EPSILON } else { f64::from(f32::EPSILON) };
        let digit = literal(precision, digit);
        let off = |x: &str| format!("(({x}) * (real(1.0) + real(off) * {digit}))");
        let corrected = nearest::text(precision, Rest::Split);
        let changed = corrected.replace("real(1.0) / b;", &format!("{};", off("real(1.0) / b")));
        let changed = changed.replace("sqrt(a)", &off("sqrt(a)"));
        assert_ne!(corrected, changed);
        let text = format!(
            "{}\nvar<private> off: i32;\n{changed}\n{}\n@compute @workgroup_size({WORKGROUP})\n\
             fn probe(@builtin(global_invocation_id) id: vec3<u32>) {{\n    let i = id.x;\n    \
             off = i32(i % 9u) - 4;\n    let a = numbers[i];\n    \
             answers[i] = nearest_quotient(a, numbers[{PAIRS}u + i]);\n    \
             answers[{PAIRS}u + i] = nearest_root(a);\n}}\n",
            prelude(precision),
            PROBE_BINDINGS
        );
        let answers = probe::answers(&device, &text, &numbers, 2 * PAIRS, PAIRS).expect("answers");
        let same = |x: f64, y: f64| x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan());
        let mut compared = 0;
        for (i, (a, b)) in pairs.iter().enumerate() {
            let [quotient, root] = [*a / *b, a.sqrt()].map(Element::to_f64);
            // Nothing is said of what is below the smallest normal number.
            if !(quotient.abs() > 0.0 && quotient.abs() < least.to_f64()) {
                let found = answers[i].to_f64();
                assert!(same(found, quotient), "{precision:?}: {a:?} / {b:?} = {quotient:e}, {found:e}");
                compared += 1;
            }
            let found = answers[PAIRS + i].to_f64();
            assert!(same(found, root), "{precision:?}: root of {a:?} = {root:e}, {found:e}");
        }
        assert!(compared > PAIRS / 2, "{compared}");
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
