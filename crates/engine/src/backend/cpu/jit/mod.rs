//! Routines as x86-64 machine code for AVX2 or AVX-512: what the CPU backend runs where it may, bit
//! for bit as [`lanes`](super::lanes).
//!
//! A routine becomes two loops around one straight line: steps outside, the vectors of a row
//! inside. Neighbouring vectors do not depend on each other, so that the processor overlaps them by
//! itself while one waits for a division.
//!
//! 1. `Flow`: rows become values that are defined once. Copies vanish, and with them what nothing
//!    reads. The operations of all but the longest routines are put into the order in which a
//!    processor would begin them, as far as there are registers for their values; with those of
//!    AVX-512, the operations of two vectors together.
//! 2. `Emitter`: values live in registers. If there are too few, the value that is used last is
//!    given up (Belady, IBM Systems J. 5, 1966); one that stands nowhere else is stored on the
//!    stack first. Results are stored in their rows as soon as the old values there are no longer
//!    wanted.
//! 3. The instructions are encoded behind a mask of sign bits and made executable. Memory is never
//!    writable and executable at once.
//!
//! Measured on a Xeon with AVX-512 (`cargo bench --bench step`), as a share of a loop by
//! hand of the same width:
//!
//! | | free body f32 | free body f64 | heavy top f32 | heavy top f64 |
//! |---|---|---|---|---|
//! | AVX-512 | 0.88 | 0.96 | 0.92 | 0.96 |
//! | AVX2 | 0.94 | 0.99 | 0.86 | 0.88 |
//! | AVX-512, interpreted | 0.31 | 0.44 | 0.25 | 0.42 |
//!
//! There, two vectors interleaved give a heavy top a tenth, and take a twentieth from a free body,
//! whose next vector the processor sees without help. Since then two vectors of AVX2 are
//! interleaved too: `Flow` then looks ahead no further than their registers allow.

mod emitter;
mod flow;
mod opcodes;

use std::ops::RangeInclusive;

use emitter::{MachineLine, assemble};
use fearless_simd::Level;
use flow::{Flow, MOST_ORDERED};
use memmap2::{Mmap, MmapMut};
use opcodes::{WIDE_REGISTERS, opcodes};

use super::lanes::Rows;
use super::tape::{GROUP, Routine};
use crate::real::Element;

/// Bytes of the mask of sign bits that the code starts behind: one widest vector.
const MASK: usize = 64;
/// From so many operations on, a processor does not see the next vector while the last waits for a
/// division: two are then interleaved. Measured with the registers of AVX-512: that gives 100
/// operations a tenth, 200 still a tenth, and takes a twentieth from 40. Routines that are left as
/// they were recorded come one vector at a time.
const INTERLEAVED: RangeInclusive<usize> = 72..=MOST_ORDERED;
/// With the registers of AVX2 a narrow look ahead sends next to no value to the stack, and shorter
/// steps gain already. On an EPYC two vectors give 44 operations a tenth (free body, f64: 460
/// instead of 411 to 433 million steps a second), 96 a twentieth, a step of 217 a tenth and one of
/// 310 a twentieth, and take a seventh from 1173.
const INTERLEAVED_NARROW: RangeInclusive<usize> = 40..=400;
/// Most bytes on the stack at which that is known to pay.
const MOST_INTERLEAVED: usize = 48 * 64;

/// A routine as machine code.
#[derive(Debug)]
pub struct Code {
    memory: Mmap,
    /// Rows that it reads and writes: those below.
    rows: usize,
    /// Bytes of an element.
    element: usize,
    /// Bytes of a row that one pass of the inner loop takes: a power of two that divides the row.
    pass: usize,
}

impl Code {
    /// `None` where the processor has neither AVX2 nor AVX-512 at this level, or where the system
    /// allows no memory to be executed. `fused` as in [`lanes::run`](super::lanes::run).
    pub fn compile<E: Element>(routine: &Routine, level: Level, fused: bool) -> Option<Code> {
        let opcodes = opcodes(level, size_of::<E>())?;
        let one = Flow::new(routine, fused);
        let interleaved = if opcodes.registers == WIDE_REGISTERS { INTERLEAVED } else { INTERLEAVED_NARROW };
        let side_by_side =
            |vectors| MachineLine::new(one.side_by_side(vectors, opcodes.registers), opcodes).ok();
        let two = if interleaved.contains(&one.nodes.len()) { Some(side_by_side(2)?) } else { None };
        let body = match two {
            Some(two) if two.frame <= MOST_INTERLEAVED => two,
            _ => side_by_side(1)?,
        };
        let pass = body.vectors * opcodes.vector;
        let bytes = assemble(&body, opcodes).ok()?;
        let mut memory = MmapMut::map_anon(bytes.len()).ok()?;
        memory.copy_from_slice(&bytes);
        let named = routine.instructions.iter().flat_map(|i| i.operands.into_iter().chain([i.result]));
        let rows = named.chain(routine.results.iter().copied()).max().map_or(0, |row| row as usize + 1);
        Some(Code { memory: memory.make_exec().ok()?, rows, element: size_of::<E>(), pass })
    }

    /// Runs the routine `times` times on rows of the type that it was compiled for, on the first
    /// `lanes` of each row at least: whole vectors that have none of these are left as they are.
    pub fn run<E: Element>(&self, rows: &mut Rows<E>, lanes: usize, times: u64) {
        assert_eq!(size_of::<E>(), self.element, "compiled for another type");
        assert!(rows.len() >= self.rows, "{} rows of {}", rows.len(), self.rows);
        assert!((1..=GROUP).contains(&lanes), "{lanes} lanes of {GROUP}");
        if times == 0 {
            return;
        }
        let end = (lanes * self.element).next_multiple_of(self.pass);
        // SAFETY: behind the mask stands the function that `assemble` wrote, with this signature.
        // It reads and writes whole vectors of rows that the routine names, all below `self.rows`,
        // and a stack frame of its own. Its inner loop ends where `end` bytes of row 0 are behind
        // it: a multiple of what a pass takes, other than zero, and within the row, whose length is
        // such a multiple too. The processor has its instructions: the level that it was compiled
        // at is the proof.
        unsafe {
            let start = self.memory.as_ptr().add(MASK);
            let function: unsafe extern "sysv64" fn(*mut u8, u64, *const u8) = std::mem::transmute(start);
            let first = rows.as_mut_ptr().cast::<u8>();
            function(first, times, first.add(end));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::lanes;
    use super::super::tape::{Instruction, OPERANDS, Operation, Sheet};
    use super::*;
    use crate::math::functions;
    use crate::math::functions::sample::{arguments, assert_same, everything};
    use crate::real::traced::{leaf, record};

    const OPERATIONS: [Operation; 12] = [
        Operation::Copy,
        Operation::Neg,
        Operation::Sqrt,
        Operation::Floor,
        Operation::Add,
        Operation::Sub,
        Operation::Mul,
        Operation::Div,
        Operation::MulAdd,
        Operation::MulSub,
        Operation::NegMulAdd,
        Operation::SelectLess,
    ];

    /// Both levels that code is made for, as far as this machine has them.
    fn levels() -> Vec<Level> {
        let best = Level::new();
        let wide = best.as_avx512().map(Level::Avx512);
        wide.into_iter().chain(best.as_avx2().map(Level::Avx2)).collect()
    }

    /// Values of either sign, zeros, infinities and NaN, another in every row and lane.
    fn rows<E: Element>(count: usize) -> Vec<[E; GROUP]> {
        let special = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN, 1e-310, 1e30];
        let value = |row: usize, lane: usize| {
            let number = (row * 31 + lane * 17 + row * lane * 7) % 101;
            special.get(number).copied().unwrap_or((number as f64 - 40.0) / 13.0)
        };
        (0..count).map(|row| std::array::from_fn(|lane| E::from_f64(value(row, lane)))).collect()
    }

    /// Returns the bits to compare: of NaN only that it is one. Which of two NaN an operation hands
    /// on depends on the order of its operands.
    fn bits<E: Element>(x: E) -> u64 {
        let x = x.to_f64();
        if x.is_nan() { u64::MAX } else { x.to_bits() }
    }

    fn assert_same_code<E: Element>(routine: &Routine, count: usize, times: u64, fused: bool) {
        for level in levels() {
            let code = Code::compile::<E>(routine, level, fused).expect("code");
            let (mut by_code, mut by_lanes) = (rows::<E>(count), rows::<E>(count));
            code.run(&mut by_code, GROUP, times);
            lanes::run(level, fused, &routine.instructions, &mut by_lanes, times);
            for row in 0..count {
                // A row that is written and no result holds what it may.
                let written = routine.instructions.iter().any(|i| i.result as usize == row);
                if written && !routine.results.contains(&(row as u32)) {
                    continue;
                }
                for lane in 0..GROUP {
                    let (a, b) = (by_code[row][lane], by_lanes[row][lane]);
                    assert_eq!(bits(a), bits(b), "{level:?} {}, {row}, {lane}: {a:?} {b:?}", E::NAME);
                }
            }
        }
    }

    fn instruction(rows: u32) -> impl Strategy<Value = Instruction> {
        let row = 0..rows;
        (0..OPERATIONS.len(), [row.clone(), row.clone(), row.clone(), row.clone()], row).prop_map(
            |(operation, mut operands, result)| {
                let operation = OPERATIONS[operation];
                let first = operands[0];
                operands[operation.operands()..].fill(first);
                Instruction { operation, operands, result }
            },
        )
    }

    /// Rows that may be no results: those that nothing reads before they are written.
    fn routine(instructions: Vec<Instruction>, all: bool) -> Routine {
        let mut written = std::collections::BTreeSet::new();
        let mut results = std::collections::BTreeSet::new();
        for i in &instructions {
            results.extend(i.operands.iter().filter(|row| !written.contains(*row)));
            written.insert(i.result);
        }
        if all {
            results.extend(&written);
        } else {
            results.extend(instructions.last().map(|i| i.result));
        }
        Routine { results: results.into_iter().filter(|row| written.contains(row)).collect(), instructions }
    }

    fn assert_both(routine: &Routine, count: usize, times: u64) {
        for fused in [true, false] {
            assert_same_code::<f32>(routine, count, times, fused);
            assert_same_code::<f64>(routine, count, times, fused);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 400, failure_persistence: None, ..ProptestConfig::default()
        })]

        #[test]
        fn code_and_lanes_have_the_same_bits(
            (rows, instructions) in prop_oneof![2u32..8, 20u32..60].prop_flat_map(|rows| {
                (Just(rows), prop::collection::vec(instruction(rows), 1..120))
            }),
            computed: bool,
            all: bool,
            times in 0u64..4,
        ) {
            // Values that are computed first must be stored before they are given up.
            let computed = (0..if computed { rows } else { 0 }).map(|row| Instruction {
                operation: Operation::Add,
                operands: [row, (row + 1) % rows, row, row],
                result: row,
            });
            assert_both(&routine(computed.chain(instructions).collect(), all), rows as usize, times);
        }
    }

    /// More values at a time than registers: all sums of neighbours are needed again
    /// after the last is computed.
    #[test]
    fn values_that_find_no_register_come_back() {
        // So many that they take more than a page of the stack, and so many that they stay in their
        // order.
        for n in [200, MOST_ORDERED as u32 / 2 + 1] {
            let one = |operation, a, b, result| Instruction { operation, operands: [a, b, a, a], result };
            let sums = (0..n).map(|i| one(Operation::Add, i, (i + 1) % n, n + i));
            let products = (0..n).map(|i| one(Operation::Mul, n + i, n + (i * 7 + 3) % n, i));
            let instructions: Vec<Instruction> = sums.chain(products).collect();
            assert_both(&Routine { instructions, results: (0..n).collect() }, 2 * n as usize, 2);
        }
    }

    /// Sixty chains of products: recorded one after the other, begun all together where
    /// nothing holds them back.
    #[test]
    fn an_order_keeps_to_the_registers_of_avx2() {
        let Some(level) = Level::new().as_avx2().map(Level::Avx2) else { return };
        let opcodes = opcodes(level, size_of::<f64>()).expect("opcodes of AVX2");
        let (inputs, length, chains) = (4, 6, 60);
        let product =
            |a, b, result| Instruction { operation: Operation::Mul, operands: [a, b, a, a], result };
        let link = |chain, k| inputs + chain * length + k;
        let instructions = (0..chains)
            .flat_map(|chain| {
                (0..length).map(move |k| match k {
                    0 => product(chain % inputs, (chain + 3) % inputs, link(chain, 0)),
                    k => product(link(chain, k - 1), (chain + k) % inputs, link(chain, k)),
                })
            })
            .collect();
        let results = (0..chains).map(|chain| link(chain, length - 1)).collect();
        let flow = Flow::new(&Routine { instructions, results }, true);
        let on_the_stack = |vectors, registers| {
            let body =
                MachineLine::new(flow.side_by_side(vectors, registers), opcodes).expect("instructions");
            body.frame / opcodes.vector
        };
        for vectors in [1, 2] {
            let without = on_the_stack(vectors, WIDE_REGISTERS);
            assert!(without > 40, "only {without} values on the stack in an order without bounds");
            let within = on_the_stack(vectors, opcodes.registers);
            assert!(within < 8, "{within} values of {vectors} vectors on the stack");
        }
    }

    /// Every bit, NaN and its sign too.
    #[test]
    fn negation_changes_the_sign_of_everything() {
        let neg = Instruction { operation: Operation::Neg, operands: [0; OPERANDS], result: 1 };
        let routine = Routine { instructions: vec![neg], results: vec![1] };
        for level in levels() {
            let code = Code::compile::<f64>(&routine, level, true).expect("code");
            let mut rows = rows::<f64>(2);
            code.run(&mut rows, GROUP, 1);
            for (before, after) in rows[0].iter().zip(&rows[1]) {
                assert_eq!(after.to_bits(), before.to_bits() ^ (1 << 63));
            }
        }
    }

    /// The interpreter is tested here too: no other test compares both with scalars.
    fn assert_functions<E: Element>() {
        let (graph, results) = record(E::default().precision(), || everything(leaf(0), leaf(1)));
        let (graph, results) = graph.regrouped(&results);
        let sheet = Sheet::new(&graph, &results);
        for group in arguments::<E>().chunks(GROUP) {
            let mut start = sheet.rows::<E>();
            for (row, leaf) in &sheet.inputs {
                for (lane, (x, y)) in group.iter().enumerate() {
                    start[*row][lane] = if *leaf == 0 { *x } else { *y };
                }
            }
            for level in levels() {
                let (mut by_code, mut by_lanes) = (start.clone(), start.clone());
                let code = Code::compile::<E>(&sheet.routine, level, false).expect("code");
                code.run(&mut by_code, GROUP, 1);
                lanes::run(level, false, &sheet.routine.instructions, &mut by_lanes, 1);
                for (lane, (x, y)) in group.iter().enumerate() {
                    assert_same(&format!("{level:?}"), *x, *y, |i| by_code[sheet.results[i]][lane]);
                    assert_same("the interpreter", *x, *y, |i| by_lanes[sheet.results[i]][lane]);
                }
            }
        }
    }

    #[test]
    fn functions_have_the_bits_of_scalars() {
        assert_functions::<f32>();
        assert_functions::<f64>();
    }

    /// Sine, cosine, exponential, hyperbolic tangent and angle: either way of rounding is off by 3
    /// units at most, so that the two differ by 6.
    fn assert_fused_functions<E: Element>(epsilon: f64, smallest: f64) {
        let (graph, [sine, cosine, exponential, tangent, angle]) = record(E::default().precision(), || {
            let (x, y) = (leaf(0), leaf(1));
            let (sine, cosine) = functions::sin_cos(x);
            [sine, cosine, functions::exp(x), functions::tanh(y), functions::atan2(y, x)]
        });
        let sheet = Sheet::new(&graph, &[sine, cosine, exponential, tangent, angle]);
        for group in arguments::<E>().chunks(GROUP) {
            for level in levels() {
                let mut rows = sheet.rows::<E>();
                for (row, leaf) in &sheet.inputs {
                    for (lane, (x, y)) in group.iter().enumerate() {
                        rows[*row][lane] = if *leaf == 0 { *x } else { *y };
                    }
                }
                Code::compile::<E>(&sheet.routine, level, true).expect("code").run(&mut rows, GROUP, 1);
                for (lane, (x, y)) in group.iter().copied().enumerate() {
                    let (sine, cosine) = functions::sin_cos(x);
                    let others = [functions::exp(x), functions::tanh(y), functions::atan2(y, x)];
                    let unfused = [sine, cosine].into_iter().chain(others).map(E::to_f64);
                    for (i, (want, row)) in unfused.zip(&sheet.results).enumerate() {
                        let got = rows[*row][lane].to_f64();
                        // The error of sine and cosine is one of numbers near 1.
                        let scale = if i < 2 { 1.0 } else { want.abs().max(smallest) };
                        let same = got == want || (got - want).abs() <= 6.0 * epsilon * scale;
                        assert!(same, "{level:?} {i} {x:?} {y:?}: {got:?} for {want:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn fused_functions_are_as_accurate() {
        assert_fused_functions::<f32>(f64::from(f32::EPSILON), f64::from(f32::MIN_POSITIVE));
        assert_fused_functions::<f64>(f64::EPSILON, f64::MIN_POSITIVE);
    }

    /// NaN is less than nothing, and nothing is less than NaN; every order of registers and memory.
    #[test]
    fn selections_follow_the_comparison() {
        let select = |operands, result| Instruction { operation: Operation::SelectLess, operands, result };
        for operands in [[0, 1, 2, 3], [1, 0, 3, 2], [2, 2, 0, 1], [0, 1, 0, 1], [3, 0, 1, 3], [1, 1, 1, 1]] {
            let routine = Routine { instructions: vec![select(operands, 4)], results: vec![4] };
            for level in levels() {
                let mut rows = rows::<f64>(5);
                Code::compile::<f64>(&routine, level, false).expect("code").run(&mut rows, GROUP, 1);
                let [a, b, yes, no] = operands.map(|row| rows[row as usize]);
                for lane in 0..GROUP {
                    let want = if a[lane] < b[lane] { yes[lane] } else { no[lane] };
                    assert_eq!(rows[4][lane].to_bits(), want.to_bits(), "{level:?} {operands:?} {lane}");
                }
            }
        }
    }

    /// The first lanes as ever, whole vectors behind them untouched; one pass of a long routine
    /// takes two.
    #[test]
    fn lanes_that_are_not_wanted_are_left_alone() {
        let add = |a, b, result| Instruction { operation: Operation::Add, operands: [a, b, a, a], result };
        for length in [1, *INTERLEAVED.start() as u32 + 8] {
            let instructions = (0..length).map(|i| add(i % 3, (i + 1) % 3, i % 3)).collect();
            let routine = Routine { instructions, results: vec![0, 1, 2] };
            for level in levels() {
                let code = Code::compile::<f64>(&routine, level, false).expect("code");
                for lanes in [1, 3, 8, 9, 17, GROUP - 1, GROUP] {
                    let start = rows::<f64>(3);
                    let (mut some, mut all) = (start.clone(), start.clone());
                    code.run(&mut some, lanes, 2);
                    code.run(&mut all, GROUP, 2);
                    let behind = (lanes * 8).next_multiple_of(code.pass) / 8;
                    assert!(behind < lanes + 16, "{behind}");
                    for row in 0..3 {
                        let same = |lane: &usize| bits(some[row][*lane]) == bits(all[row][*lane]);
                        assert!((0..lanes).all(|lane| same(&lane)), "{level:?} {lanes}");
                        let kept = |lane: usize| bits(some[row][lane]) == bits(start[row][lane]);
                        assert!((behind..GROUP).all(kept), "{level:?} {lanes}");
                    }
                }
            }
        }
    }

    /// Results trade their rows.
    #[test]
    fn rows_are_rotated() {
        let copy =
            |from, result| Instruction { operation: Operation::Copy, operands: [from; OPERANDS], result };
        let instructions = vec![copy(0, 3), copy(1, 0), copy(2, 1), copy(3, 2)];
        assert_both(&Routine { instructions, results: vec![0, 1, 2] }, 4, 2);
    }

    #[test]
    #[should_panic(expected = "rows of")]
    fn too_few_rows_are_refused() {
        let copy = Instruction { operation: Operation::Copy, operands: [0; OPERANDS], result: 9 };
        let routine = Routine { instructions: vec![copy], results: vec![9] };
        match Code::compile::<f32>(&routine, Level::new(), false) {
            Some(code) => code.run(&mut rows::<f32>(9), GROUP, 1),
            None => panic!("not shown: 9 rows of 10, as there is no code"),
        }
    }

    #[test]
    fn narrow_levels_have_no_code() {
        let routine = Routine { instructions: vec![], results: vec![] };
        let Some(level) = Level::new().as_sse4_2().map(Level::Sse4_2) else { return };
        assert!(Code::compile::<f32>(&routine, level, false).is_none());
    }
}
