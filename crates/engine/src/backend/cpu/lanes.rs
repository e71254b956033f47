//! Routines on SIMD vectors of whatever width the processor has: portable, and the judge of machine
//! code.
//!
//! Multiply-adds are rounded once or twice by choice: rounded once they are fastest where the
//! processor has them, rounded twice they give the bits of scalar code and of a GPU that does not
//! fuse. No operation crosses instances.

use fearless_simd::{Level, Select, Simd, SimdBase, SimdFloat, dispatch};

use super::tape::{GROUP, Instruction, Operation};
use crate::real::Element;

/// The rows of a group: `rows[row][instance]`.
pub type Rows<E> = [[E; GROUP]];

/// Runs the instructions `times` times. `fused` asks for a level that [has it](has_fused).
pub fn run<E: Element>(
    level: Level,
    fused: bool,
    instructions: &[Instruction],
    rows: &mut Rows<E>,
    times: u64,
) {
    if fused {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            // Compiled for those levels alone that fuse.
            if let Some(simd) = level.as_avx512() {
                return all::<_, E, true>(simd, instructions, rows, times);
            }
            if let Some(simd) = level.as_avx2() {
                return all::<_, E, true>(simd, instructions, rows, times);
            }
        }
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        return dispatch!(level, simd => all::<_, E, true>(simd, instructions, rows, times));
    }
    dispatch!(level, simd => all::<_, E, false>(simd, instructions, rows, times));
}

/// Whether multiply-adds at this level can be rounded once.
pub fn has_fused(level: Level) -> bool {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return level.as_avx2().is_some() || level.as_avx512().is_some();
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    return !level.is_fallback() && cfg!(target_arch = "aarch64");
}

#[inline(always)]
fn all<S: Simd, E: Element, const FUSED: bool>(
    simd: S,
    instructions: &[Instruction],
    rows: &mut Rows<E>,
    times: u64,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for _ in 0..times {
                for instruction in instructions {
                    one::<S, E, FUSED>(simd, instruction, rows);
                }
            }
        },
    );
}

#[inline(always)]
fn one<S: Simd, E: Element, const FUSED: bool>(simd: S, instruction: &Instruction, rows: &mut Rows<E>) {
    let [a, b, c, d] = instruction.operands;
    let (a, b, c, d) = (a as usize, b as usize, c as usize, d as usize);
    let result = instruction.result as usize;
    // Expands to a loop over the vectors of a row. No closure: it would be compiled
    // without the level's features.
    macro_rules! each {
        ($($operand:ident)*, $value:expr) => {{
            let len = <E::Native<S> as SimdBase<S>>::LEN;
            let mut at = 0;
            while at < GROUP {
                $(let $operand = E::Native::<S>::from_slice(simd, &rows[$operand][at..at + len]);)*
                let value: E::Native<S> = $value;
                value.store_slice(&mut rows[result][at..at + len]);
                at += len;
            }
        }};
    }
    match instruction.operation {
        Operation::Copy => each!(a, a),
        Operation::Neg => each!(a, -a),
        Operation::Sqrt => each!(a, a.sqrt()),
        Operation::Floor => each!(a, a.floor()),
        Operation::Add => each!(a b, a + b),
        Operation::Sub => each!(a b, a - b),
        Operation::Mul => each!(a b, a * b),
        Operation::Div => each!(a b, a / b),
        Operation::MulAdd => each!(a b c, if FUSED { a.mul_add(b, c) } else { a * b + c }),
        Operation::MulSub => each!(a b c, if FUSED { a.mul_sub(b, c) } else { a * b - c }),
        Operation::NegMulAdd => each!(a b c, if FUSED { (-a).mul_add(b, c) } else { c - a * b }),
        Operation::SelectLess => each!(a b c d, a.simd_lt(b).select(c, d)),
    }
}
