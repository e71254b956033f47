//! A program as lists of instructions over rows: what the CPU runs.
//!
//! A row holds one value for every instance of a group, side by side. State, parameters, load
//! factors, constants and invariants have rows of their own; what is computed on the way shares
//! rows as soon as nothing reads them any more, so that all of it stays in the first-level cache.

use std::ops::Range;

use crate::backend::lead::{self, LEAD_NUMBERS, LeadInput};
use crate::backend::program::{BoundedValue, Input, Program, Update};
use crate::methods::lead::{LeadStage, STAGES};
use crate::real::Element;
use crate::real::traced::{Graph, GraphNode, Traced, operands};

/// Instances of a group: the length of a row.
pub const GROUP: usize = 64;

/// Most operands of an operation.
pub const OPERANDS: usize = 4;

/// The operation of an instruction on its operands `a`, `b`, `c`, `d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Copy,
    Neg,
    Sqrt,
    Floor,
    Add,
    Sub,
    Mul,
    Div,
    /// `a b + c`
    MulAdd,
    /// `a b - c`
    MulSub,
    /// `c - a b`
    NegMulAdd,
    /// `c` where `a < b`, else `d`
    SelectLess,
}

impl Operation {
    /// Number of operands.
    pub fn operands(self) -> usize {
        match self {
            Operation::Copy | Operation::Neg | Operation::Sqrt | Operation::Floor => 1,
            Operation::Add | Operation::Sub | Operation::Mul | Operation::Div => 2,
            Operation::MulAdd | Operation::MulSub | Operation::NegMulAdd => 3,
            Operation::SelectLess => 4,
        }
    }
}

/// One operation on rows. Operands beyond those of the operation repeat the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub operation: Operation,
    pub operands: [u32; OPERANDS],
    /// May be the row of an operand: every instance is read before it is written.
    pub result: u32,
}

impl Instruction {
    fn copy(from: usize, to: usize) -> Instruction {
        Instruction { operation: Operation::Copy, operands: [from as u32; OPERANDS], result: to as u32 }
    }
}

/// A list of instructions.
#[derive(Clone, Debug)]
pub struct Routine {
    pub instructions: Vec<Instruction>,
    /// Rows that are read after it; all others that it writes are its own.
    pub results: Vec<u32>,
}

/// All routines of a program, and which row holds what.
#[derive(Clone, Debug)]
pub struct Tape {
    /// Rows in all.
    pub rows: usize,
    /// Rows of the kept state channels, in the order of [`Program::state`].
    pub state: Range<usize>,
    /// Rows of the parameters, in the order of [`Program::parameters`].
    pub parameters: Range<usize>,
    /// Rows of the factors of timed loads.
    pub factors: Range<usize>,
    /// Rows that never change, with their values.
    pub constants: Vec<(usize, f64)>,
    /// Rows of the values that are compared with bounds, and of the bounds:
    /// [`BoundedValue::values`].
    pub judged: Range<usize>,
    /// Computes the values that stay the same over a stretch of steps.
    pub prepare: Routine,
    pub begin: Routine,
    pub resynchronised: Routine,
    /// Comes after both.
    pub lead: Option<LeadRoutines>,
    pub step: Routine,
    pub judge: Routine,
}

/// A chain that the method carries is led by these routines, see [`crate::methods::lead`].
#[derive(Clone, Debug)]
pub struct LeadRoutines {
    /// All of it, where that is short: calling a routine costs as much as some instructions.
    pub whole: Option<Routine>,
    pub open: Routine,
    /// By stage: puts its numbers into their rows.
    pub numbers: Vec<Routine>,
    pub stage: Routine,
    /// Comes after the last stage of a step.
    pub settled: Routine,
    pub close: Routine,
}

impl LeadRoutines {
    /// Instructions of [`LeadRoutines::whole`], at most.
    const SHORT: usize = 2000;

    /// `sources`: by stage, rows of what is put into the rows `numbers`.
    fn new(
        [open, stage, settled, close]: [Routine; 4],
        sources: &[Vec<usize>],
        numbers: &Range<usize>,
    ) -> LeadRoutines {
        let copies = |sources: &Vec<usize>| Routine {
            instructions: numbers
                .clone()
                .zip(sources)
                .map(|(to, from)| Instruction::copy(*from, to))
                .collect(),
            results: numbers.clone().map(|row| row as u32).collect(),
        };
        let mut routines = LeadRoutines {
            whole: None,
            open,
            numbers: sources.iter().map(copies).collect(),
            stage,
            settled,
            close,
        };
        let length: usize = routines.parts().map(|(_, routine)| routine.instructions.len()).sum();
        routines.whole = (length <= Self::SHORT).then(|| routines.unrolled(sources, numbers));
        routines
    }

    /// The routines in the order in which they are run; of a stage, its number.
    pub fn parts(&self) -> impl Iterator<Item = (LeadPart, &Routine)> {
        let stages = self.numbers.iter().enumerate().flat_map(|(k, numbers)| {
            let settled = (k + 1).is_multiple_of(STAGES).then_some((LeadPart::Settled, &self.settled));
            [(LeadPart::Numbers(k), numbers), (LeadPart::Stage, &self.stage)].into_iter().chain(settled)
        });
        let (open, close) = ([(LeadPart::Open, &self.open)], [(LeadPart::Close, &self.close)]);
        open.into_iter().chain(stages).chain(close)
    }

    /// One routine of all parts, in which every stage reads its numbers where they are.
    fn unrolled(&self, sources: &[Vec<usize>], numbers: &Range<usize>) -> Routine {
        let mut instructions = Vec::new();
        let mut of_stage: &[usize] = &[];
        for (part, routine) in self.parts() {
            if let LeadPart::Numbers(k) = part {
                of_stage = &sources[k];
                continue;
            }
            let read = |row: u32| match numbers.contains(&(row as usize)) {
                true => of_stage[row as usize - numbers.start] as u32,
                false => row,
            };
            instructions.extend(
                routine.instructions.iter().map(|instruction| Instruction {
                    operands: instruction.operands.map(read),
                    ..*instruction
                }),
            );
        }
        Routine { instructions, results: self.close.results.clone() }
    }
}

/// A routine of [`LeadRoutines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadPart {
    Open,
    /// It belongs to the stage of this number.
    Numbers(usize),
    Stage,
    Settled,
    Close,
}

impl Tape {
    pub fn new(program: &Program) -> Tape {
        let mut next = 0;
        let mut take = |n: usize| {
            next += n;
            next - n..next
        };
        let state = take(program.state.len());
        let parameters = take(program.parameters.len());
        let factors = take(program.factors);
        let constants = take(program.constants.len());
        let invariants = take(program.invariants.len());
        let judged = take(2 * program.judged.len());
        let lead = program.lead.as_ref();
        let variables = take(lead.map_or(0, |lead| lead.variables.len()));
        let numbers = take(lead.map_or(0, |lead| LEAD_NUMBERS + lead.spans));
        let stages: Vec<LeadStage> = lead.iter().flat_map(|lead| lead.lead.stages()).collect();
        let of_stages = take(LEAD_NUMBERS * stages.len());
        let first_free = next;

        let before = |n: Traced| match program.input(n) {
            Some(Input::State(channel)) => program.place(channel).map(|place| state.start + place),
            Some(Input::Parameter(p)) => {
                program.parameters.binary_search(&p).ok().map(|place| parameters.start + place)
            }
            Some(Input::Factor(f)) => Some(factors.start + f),
            Some(Input::Lead(LeadInput::Number(k))) => Some(numbers.start + k),
            Some(Input::Lead(LeadInput::Variable(v))) => {
                lead.and_then(|lead| lead.place(v)).map(|place| variables.start + place)
            }
            None => program.constants.binary_search(&n).ok().map(|place| constants.start + place),
        };
        let before: Vec<Option<usize>> = program.graph.nodes().map(|(n, _)| before(n)).collect();
        let mut prepared = before.clone();
        for (row, n) in invariants.clone().zip(&program.invariants) {
            prepared[n.index()] = Some(row);
        }
        let state_row = |update: &Update| (state.start + update.place, update.value);
        let of_state = |updates: &[Update]| updates.iter().map(state_row).collect::<Vec<_>>();
        let rows_of = |rows: &Range<usize>, values: &[Traced]| {
            rows.clone().zip(values.iter().copied()).collect::<Vec<_>>()
        };
        let compile = |results: &[(usize, Traced)], inputs: &[Option<usize>]| {
            Compiler::new(&program.graph, results, inputs, first_free).routine(results)
        };
        let (prepare, rows_a) = compile(&rows_of(&invariants, &program.invariants), &before);
        let (begin, rows_b) = compile(&of_state(&program.begin), &before);
        let (resynchronised, rows_c) = compile(&of_state(&program.resynchronised), &before);
        let mut rows_of_lead = 0;
        let lead = lead.map(|program| {
            let mut compile = |updates: &[Update], first: usize| {
                let targets: Vec<_> = updates.iter().map(|u| (first + u.place, u.value)).collect();
                let (routine, rows) = compile(&targets, &before);
                rows_of_lead = rows_of_lead.max(rows);
                routine
            };
            let routines = [
                compile(&program.open, variables.start),
                compile(&program.stage, variables.start),
                compile(&program.settled, variables.start),
                compile(&program.close, state.start),
            ];
            let sources = |(k, stage): (usize, &LeadStage)| {
                let first = of_stages.start + LEAD_NUMBERS * k;
                let factors = factors.start + stage.sample * program.spans;
                (first..first + LEAD_NUMBERS).chain(factors..factors + program.spans).collect()
            };
            let sources: Vec<Vec<usize>> = stages.iter().enumerate().map(sources).collect();
            LeadRoutines::new(routines, &sources, &numbers)
        });
        let (step, rows_d) = compile(&of_state(&program.step), &prepared);
        let (judge, rows_e) = compile(&rows_of(&judged, &BoundedValue::values(&program.judged)), &before);
        let value = |n: &Traced| program.graph.constant(*n).unwrap_or(f64::NAN);
        let of_stages = of_stages.zip(stages.iter().flat_map(lead::numbers));
        Tape {
            rows: [rows_a, rows_b, rows_c, rows_of_lead, rows_d, rows_e]
                .into_iter()
                .max()
                .unwrap_or(first_free),
            state,
            parameters,
            factors,
            constants: constants.zip(program.constants.iter().map(value)).chain(of_stages).collect(),
            judged,
            prepare,
            begin,
            resynchronised,
            lead,
            step,
            judge,
        }
    }
}

/// Any recorded function as a routine: rows of its inputs, its constants and its results.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Rows in all.
    count: usize,
    /// Rows of the leaves that it reads, with their numbers.
    pub inputs: Vec<(usize, u32)>,
    constants: Vec<(usize, f64)>,
    /// Rows of the results.
    pub results: Vec<usize>,
    pub routine: Routine,
}

impl Sheet {
    pub fn new(graph: &Graph, results: &[Traced]) -> Sheet {
        let marked = graph.reachable(results);
        let mut row_of = vec![None; marked.len()];
        let (mut inputs, mut constants) = (Vec::new(), Vec::new());
        let mut next = 0;
        for (node, expression) in graph.nodes().filter(|(node, _)| marked[node.index()]) {
            match expression {
                GraphNode::Leaf(leaf) => inputs.push((next, leaf)),
                GraphNode::Constant(bits) => constants.push((next, f64::from_bits(bits))),
                _ => continue,
            }
            row_of[node.index()] = Some(next);
            next += 1;
        }
        let rows: Vec<usize> = (next..next + results.len()).collect();
        let targets: Vec<(usize, Traced)> = rows.iter().copied().zip(results.iter().copied()).collect();
        let (routine, count) =
            Compiler::new(graph, &targets, &row_of, next + results.len()).routine(&targets);
        Sheet { count, inputs, constants, results: rows, routine }
    }

    /// Rows to run it on, constants in their places.
    pub fn rows<E: Element>(&self) -> Vec<[E; GROUP]> {
        let mut rows = vec![[E::default(); GROUP]; self.count];
        for (row, value) in &self.constants {
            rows[*row] = [E::from_f64(*value); GROUP];
        }
        rows
    }
}

/// Turns one set of results into a routine.
struct Compiler<'a> {
    graph: &'a Graph,
    /// For every node, the row of an input.
    inputs: &'a [Option<usize>],
    /// Nodes to be computed, in order.
    computed: Vec<Traced>,
    /// For every node, the position in `computed` of its last use; `usize::MAX`: the end of the
    /// routine.
    last_use: Vec<Option<usize>>,
    first_free: usize,
}

impl<'a> Compiler<'a> {
    fn new(
        graph: &'a Graph,
        results: &[(usize, Traced)],
        inputs: &'a [Option<usize>],
        first_free: usize,
    ) -> Self {
        let nodes: Vec<(Traced, GraphNode)> = graph.nodes().collect();
        let mut wanted = vec![false; nodes.len()];
        for (_, value) in results {
            wanted[value.index()] = true;
        }
        for (node, expression) in nodes.iter().rev() {
            if wanted[node.index()] && inputs[node.index()].is_none() {
                operands(*expression).for_each(|operand| wanted[operand.index()] = true);
            }
        }
        let computed: Vec<Traced> = nodes
            .iter()
            .map(|(n, _)| *n)
            .filter(|n| wanted[n.index()] && inputs[n.index()].is_none())
            .collect();
        let mut last_use = vec![None; nodes.len()];
        for (position, node) in computed.iter().enumerate() {
            operands(graph.expression(*node)).for_each(|operand| last_use[operand.index()] = Some(position));
        }
        for (row, value) in results {
            // A value that is already where it belongs is not read again.
            if inputs[value.index()] != Some(*row) {
                last_use[value.index()] = Some(usize::MAX);
            }
        }
        Compiler { graph, inputs, computed, last_use, first_free }
    }

    /// The routine, and one past the last row that it uses.
    fn routine(self, results: &[(usize, Traced)]) -> (Routine, usize) {
        // When the old value of a result's row is last read.
        let mut row_last_use: Vec<Option<usize>> = vec![None; self.first_free];
        for (node, _) in self.graph.nodes() {
            if let (Some(row), Some(last)) = (self.inputs[node.index()], self.last_use[node.index()]) {
                row_last_use[row] = row_last_use[row].max(Some(last));
            }
        }
        let mut home: Vec<Option<usize>> = vec![None; self.last_use.len()];
        let mut free: Vec<usize> = Vec::new();
        let mut next = self.first_free;
        let mut instructions = Vec::with_capacity(self.computed.len());
        let mut row = |free: &mut Vec<usize>| {
            free.pop().unwrap_or_else(|| {
                next += 1;
                next - 1
            })
        };
        let mut at_end: Vec<(usize, usize)> = Vec::new();
        let mut is_result = vec![false; home.len()];
        results.iter().for_each(|(_, value)| is_result[value.index()] = true);
        for (position, node) in self.computed.iter().enumerate() {
            let expression = self.graph.expression(*node);
            let place = |n: Traced| home[n.index()].or(self.inputs[n.index()]).unwrap_or(usize::MAX) as u32;
            let read: Vec<u32> = operands(expression).map(place).collect();
            let operand = |i: usize| read.get(i).or(read.first()).copied().unwrap_or_default();
            // A square reads the same row twice; it is given back once.
            let mut spent: Vec<usize> = operands(expression)
                .filter(|o| self.last_use[o.index()] == Some(position))
                .filter_map(|o| home[o.index()])
                .filter(|row| *row >= self.first_free)
                .collect();
            spent.sort_unstable();
            spent.dedup();
            free.extend(spent);
            let targets: Vec<usize> = match is_result[node.index()] {
                true => results.iter().filter(|(_, v)| v == node).map(|(row, _)| *row).collect(),
                false => Vec::new(),
            };
            let in_place =
                targets.iter().copied().find(|t| row_last_use[*t].is_none_or(|last| last <= position));
            let result = in_place.unwrap_or_else(|| row(&mut free));
            home[node.index()] = Some(result);
            at_end.extend(targets.into_iter().filter(|t| *t != result).map(|t| (t, result)));
            instructions.push(Instruction {
                operation: operation(expression),
                operands: std::array::from_fn(operand),
                result: result as u32,
            });
        }
        // Results that are inputs are set aside first: their rows may be results themselves.
        for (target, value) in results {
            if let Some(input) = self.inputs[value.index()]
                && input != *target
            {
                let aside = row(&mut free);
                instructions.push(Instruction::copy(input, aside));
                at_end.push((*target, aside));
            }
        }
        instructions.extend(at_end.into_iter().map(|(target, from)| Instruction::copy(from, target)));
        let results = results.iter().map(|(row, _)| *row as u32).collect();
        (Routine { instructions, results }, next)
    }
}

fn operation(expression: GraphNode) -> Operation {
    use GraphNode::*;
    match expression {
        Constant(_) | Leaf(_) => Operation::Copy,
        Neg(_) => Operation::Neg,
        Sqrt(_) => Operation::Sqrt,
        Floor(_) => Operation::Floor,
        Add(..) | KeptAdd(..) => Operation::Add,
        Sub(..) | KeptSub(..) => Operation::Sub,
        Mul(..) => Operation::Mul,
        Div(..) => Operation::Div,
        MulAdd(..) => Operation::MulAdd,
        MulSub(..) => Operation::MulSub,
        NegMulAdd(..) => Operation::NegMulAdd,
        SelectLess(..) => Operation::SelectLess,
    }
}
