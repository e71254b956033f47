//! The list of instructions that `shaders/interpreter.wgsl` runs: the CPU's [`Tape`], packed, and what
//! surrounds a step as instructions too.
//!
//! Rows are those of the tape. After them come the rows in which the last sound state is stored, and those of
//! the check of quaternions.

use std::ops::Range;

use crate::backend::Plan;
use crate::backend::cpu::tape::{Instruction, LeadPart, LeadRoutines, OPERANDS, Operation, Tape};
use crate::backend::program::{Lows, OwnStepPlaces, Program};
use crate::base::Verdict;
use crate::model::WIDTH;

/// A row has two bytes in an instruction.
pub const MOST_ROWS: usize = 1 << 16;

/// Codes of what is no [`Operation`]: see `interpret` in the shader.
const FLUSH: u32 = 12;
const SHARED: u32 = 13;

/// Instructions of the list, by their numbers.
pub type ListPart = Range<usize>;

/// The parts of the list.
#[derive(Clone, Debug)]
pub struct ListParts {
    /// Puts what never changes into its rows.
    pub constants: ListPart,
    /// Puts the factors of the timed loads into their rows.
    pub factors: ListPart,
    /// Takes the stored state.
    pub restore: ListPart,
    /// Sets decayed values to zero.
    pub flush: ListPart,
    pub prepare: ListPart,
    pub begin: ListPart,
    pub resynchronised: ListPart,
    /// Leads a chain, part after part; comes after `begin` and `resynchronised`.
    pub lead: Vec<ListPart>,
    /// A step, or an attempt of one.
    pub step: ListPart,
    /// Begins a step of instances that choose their own.
    pub open_step: ListPart,
    /// Computes what is compared with bounds.
    pub judge: ListPart,
    /// The bounds themselves, for the entry point `judge`: a verdict, the rows of a value and of what it may
    /// be, and whether zero is a bound.
    pub bounds: ListPart,
}

/// All instructions of a program, and which row holds what.
#[derive(Clone, Debug)]
pub struct InstructionList {
    pub instructions: Vec<[u32; 4]>,
    /// Rows in all.
    pub rows: usize,
    /// Kept state channels, in rows from 0 on: those of the motion come first.
    pub state: Vec<usize>,
    /// Which of them are the lower parts of others.
    pub lows: Lows,
    pub observed: usize,
    /// First row of the stored state.
    pub stored: usize,
    /// Parameters of the model that have a row, and the row of the first.
    pub parameters: Vec<usize>,
    pub first_parameter: usize,
    /// Values that all instances share, before the factors of the timed loads.
    pub shared: Vec<f64>,
    pub factors: usize,
    pub own_steps: Option<OwnStepPlaces>,
    pub parts: ListParts,
}

impl InstructionList {
    pub fn new(plan: &Plan, program: &Program) -> InstructionList {
        let tape = Tape::new(program);
        let kept = tape.state.len();
        let stored = tape.rows;
        let mut list = Packed {
            instructions: Vec::new(),
            rows: stored + kept,
            constants: tape.constants.clone(),
            shared: Vec::new(),
        };
        let prepare = list.part(|list| list.routine(&tape.prepare.instructions));
        let begin = list.part(|list| list.routine(&tape.begin.instructions));
        let resynchronised = list.part(|list| list.routine(&tape.resynchronised.instructions));
        let lead = tape.lead.as_ref().map_or_else(Vec::new, |lead| list.lead(lead));
        let step = list.part(|list| list.routine(&tape.step.instructions));

        // The first bound that is passed gives the verdict.
        let mut bounds = Vec::new();
        let judge = list.part(|list| {
            list.routine(&tape.judge.instructions);
            if let Some(bound) = plan.bounds.quaternion_norm {
                let quaternion = |body: usize| [0, 1, 2, 3].map(|c: usize| program.place(body * WIDTH + c));
                let quaternions: Vec<[Option<usize>; 4]> = plan.turning().map(quaternion).collect();
                let (largest, allowed) = (list.norm_error(&quaternions), list.constant(bound));
                bounds.push([Verdict::NormBound.code(), largest, allowed, 1]);
            }
        });
        for (k, judged) in program.judged.iter().enumerate() {
            let row = (tape.judged.start + 2 * k) as u32;
            bounds.push([judged.verdict.code(), row, row + 1, 0]);
        }
        let bounds = list.part(|list| list.instructions.extend(bounds));

        let open_step = list.part(|list| {
            if let Some(places) = program.own_steps {
                let zero = list.share(0.0);
                list.push(SHARED, [zero; OPERANDS], places.progress as u32);
                list.push(SHARED, [zero; OPERANDS], places.attempts as u32);
            }
        });
        let restore = list.part(|list| {
            for row in 0..kept {
                list.push(code(Operation::Copy), [(stored + row) as u32; OPERANDS], row as u32);
            }
        });
        let flush = list.part(|list| {
            for row in 0..kept as u32 {
                list.push(FLUSH, [row; OPERANDS], row);
            }
        });
        let constants = list.part(|list| {
            for (row, value) in list.constants.clone() {
                let place = list.share(value);
                list.push(SHARED, [place; OPERANDS], row as u32);
            }
        });
        let shared = list.shared.len();
        let factors = list.part(|list| {
            for (k, row) in tape.factors.clone().enumerate() {
                list.push(SHARED, [(shared + k) as u32; OPERANDS], row as u32);
            }
        });
        InstructionList {
            rows: list.rows,
            state: program.state.clone(),
            lows: program.lows,
            observed: program.observed(),
            stored,
            parameters: program.parameters.clone(),
            first_parameter: tape.parameters.start,
            shared: list.shared,
            factors: program.factors,
            instructions: list.instructions,
            own_steps: program.own_steps,
            parts: ListParts {
                constants,
                factors,
                restore,
                flush,
                prepare,
                begin,
                resynchronised,
                lead,
                step,
                open_step,
                judge,
                bounds,
            },
        }
    }
}

/// A list in the making.
struct Packed {
    instructions: Vec<[u32; 4]>,
    rows: usize,
    /// Rows that never change, with their values.
    constants: Vec<(usize, f64)>,
    shared: Vec<f64>,
}

impl Packed {
    /// Returns the instructions that `make` adds.
    fn part(&mut self, make: impl FnOnce(&mut Packed)) -> ListPart {
        let first = self.instructions.len();
        make(self);
        first..self.instructions.len()
    }

    /// Two bytes for the row of every operand, then the row of the result, then the operation.
    fn push(&mut self, operation: u32, operands: [u32; OPERANDS], result: u32) {
        let [a, b, c, d] = operands;
        self.instructions.push([a | b << 16, c | d << 16, result, operation]);
    }

    fn routine(&mut self, instructions: &[Instruction]) {
        for Instruction { operation, operands, result } in instructions {
            self.push(code(*operation), *operands, *result);
        }
    }

    /// The parts of a lead, in the order in which they are run. A stage is listed once.
    fn lead(&mut self, routines: &LeadRoutines) -> Vec<ListPart> {
        let mut listed: Vec<(LeadPart, ListPart)> = Vec::new();
        let parts = routines.parts().map(|(part, routine)| match listed.iter().find(|(of, _)| *of == part) {
            Some((_, range)) => range.clone(),
            None => {
                let range = self.part(|list| list.routine(&routine.instructions));
                listed.push((part, range.clone()));
                range
            }
        });
        parts.collect()
    }

    /// The place of a value among those that all instances share.
    fn share(&mut self, value: f64) -> u32 {
        self.shared.push(value);
        self.shared.len() as u32 - 1
    }

    /// A row of its own.
    fn row(&mut self) -> u32 {
        self.rows += 1;
        self.rows as u32 - 1
    }

    /// A row that never changes.
    fn constant(&mut self, value: f64) -> u32 {
        let row = self.row();
        self.constants.push((row as usize, value));
        row
    }

    /// The largest `| |q| - 1 |`, in the order of operations of
    /// [`norm_squared`](crate::math::quaternion::norm_squared). A component that is not kept rests at zero.
    fn norm_error(&mut self, quaternions: &[[Option<usize>; 4]]) -> u32 {
        use Operation::*;
        let (zero, one) = (self.constant(0.0), self.constant(1.0));
        let (largest, error, negative) = (self.row(), self.row(), self.row());
        self.push(code(Copy), [zero; OPERANDS], largest);
        for places in quaternions {
            let [a, b, c, d] = places.map(|place| place.map_or(zero, |place| place as u32));
            self.push(code(Mul), [a; OPERANDS], error);
            for x in [b, c, d] {
                self.push(code(MulAdd), [x, x, error, x], error);
            }
            self.push(code(Sqrt), [error; OPERANDS], error);
            self.push(code(Sub), [error, one, error, error], error);
            self.push(code(Neg), [error; OPERANDS], negative);
            self.push(code(SelectLess), [error, zero, negative, error], error);
            self.push(code(SelectLess), [largest, error, error, largest], largest);
        }
        largest
    }
}

/// The code of an operation in the shader.
fn code(operation: Operation) -> u32 {
    match operation {
        Operation::Copy => 0,
        Operation::Neg => 1,
        Operation::Sqrt => 2,
        Operation::Floor => 3,
        Operation::Add => 4,
        Operation::Sub => 5,
        Operation::Mul => 6,
        Operation::Div => 7,
        Operation::MulAdd => 8,
        Operation::MulSub => 9,
        Operation::NegMulAdd => 10,
        Operation::SelectLess => 11,
    }
}
