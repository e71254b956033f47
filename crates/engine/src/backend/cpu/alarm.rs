//! Whether an instance may have failed, in lanes: a few operations of its own after those that
//! compute what is compared with bounds.
//!
//! An alarm is raised where the verdict is another than that the instance is sound, and besides
//! where a number is within rounding of its bound: norms are compared without a root, and of all
//! numbers of a state the sum of squares.

use std::ops::Range;

use super::tape::{Instruction, OPERANDS, Operation, Routine, Tape};
use crate::backend::Plan;
use crate::backend::program::Program;
use crate::model::WIDTH;
use crate::real::Element;

/// The rows of the alarm, and a step with what may raise it.
#[derive(Debug)]
pub struct Alarm {
    /// Row of 1; 0 once an alarm was raised.
    pub quiet: usize,
    /// Row of the looks before that, counted.
    pub passed: usize,
    /// A step and what judges it.
    pub watched_step: Routine,
}

impl Alarm {
    /// Appends it to the routine that computes what is judged.
    pub fn add<E: Element>(plan: &Plan, program: &Program, tape: &mut Tape) -> Alarm {
        let mut lines = AlarmLines { rows: tape.rows, constants: Vec::new(), instructions: Vec::new() };
        let [quiet, passed] = [lines.row(), lines.row()];
        lines.raise::<E>(plan, program, &tape.judged, quiet);
        lines.push(Operation::Add, [passed, quiet, passed, passed], passed);
        tape.rows = lines.rows;
        tape.constants.extend(lines.constants);
        tape.judge.instructions.extend(lines.instructions);
        let rows = [quiet as u32, passed as u32];
        tape.judge.results.extend(rows);
        let watched_step = Routine {
            instructions: [&tape.step.instructions[..], &tape.judge.instructions].concat(),
            results: tape.step.results.iter().copied().chain(rows).collect(),
        };
        Alarm { quiet, passed, watched_step }
    }
}

/// The operations of the alarm.
struct AlarmLines {
    /// Rows in all.
    rows: usize,
    constants: Vec<(usize, f64)>,
    instructions: Vec<Instruction>,
}

impl AlarmLines {
    /// Puts 0 into the row `quiet` where an instance may have failed. `judged`: rows of the values
    /// that are compared with bounds, and of the bounds.
    fn raise<E: Element>(&mut self, plan: &Plan, program: &Program, judged: &Range<usize>, quiet: usize) {
        let (zero, sum, scratch) = (self.constant(0.0), self.row(), self.row());
        let places: Vec<usize> = program.finite.iter().cloned().flatten().collect();
        if !places.is_empty() {
            // In f32 that square is infinite. Products with zero are added there: one of a number
            // that is not finite is NaN.
            let square = E::from_f64(0.5 * E::LARGEST * E::LARGEST).to_f64();
            let largest = self.constant(if square.is_finite() { square } else { 1.0 });
            let factor = |place: usize| if square.is_finite() { place } else { zero };
            self.sum_of_products(places.iter().map(|place| (*place, factor(*place))), zero, sum);
            self.push(Operation::SelectLess, [sum, largest, quiet, zero], quiet);
        }
        if let Some(bound) = plan.bounds.quaternion_norm {
            let bound = E::from_f64(bound).to_f64();
            let rounding = 8.0 * if size_of::<E>() == 4 { f64::from(f32::EPSILON) } else { f64::EPSILON };
            let most = self.constant((1.0 + bound) * (1.0 + bound) * (1.0 - rounding));
            let least = (bound < 1.0).then_some((1.0 - bound) * (1.0 - bound) * (1.0 + rounding));
            let least = least.map(|least| self.constant(least));
            for body in plan.turning() {
                let components = (0..4).filter_map(|c| program.place(body * WIDTH + c));
                self.sum_of_products(components.map(|place| (place, place)), zero, sum);
                self.push(Operation::SelectLess, [sum, most, quiet, zero], quiet);
                if let Some(least) = least {
                    self.push(Operation::SelectLess, [least, sum, quiet, zero], quiet);
                }
            }
        }
        for at in judged.clone().step_by(2) {
            let (value, allowed) = (at, at + 1);
            // A bound of zero bounds nothing.
            self.push(Operation::SelectLess, [zero, allowed, zero, quiet], scratch);
            self.push(Operation::SelectLess, [allowed, value, scratch, quiet], quiet);
            self.push(Operation::Neg, [value; OPERANDS], sum);
            self.push(Operation::SelectLess, [allowed, sum, scratch, quiet], quiet);
        }
    }

    fn row(&mut self) -> usize {
        self.rows += 1;
        self.rows - 1
    }

    fn constant(&mut self, value: f64) -> usize {
        let row = self.row();
        self.constants.push((row, value));
        row
    }

    fn push(&mut self, operation: Operation, operands: [usize; OPERANDS], result: usize) {
        let operands = operands.map(|row| row as u32);
        self.instructions.push(Instruction { operation, operands, result: result as u32 });
    }

    /// `zero` is the row of that number.
    fn sum_of_products(&mut self, factors: impl Iterator<Item = (usize, usize)>, zero: usize, sum: usize) {
        self.push(Operation::Copy, [zero; OPERANDS], sum);
        for (a, b) in factors {
            self.push(Operation::MulAdd, [a, b, sum, a], sum);
        }
    }
}
