//! A routine as values that are defined once, in an order that suits a processor.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::super::tape::{OPERANDS, Operation, Routine};
use super::opcodes::WIDE_REGISTERS;

/// A value of the routine, by number: what a row held at the start, or what a node computed.
pub(super) type ValueId = usize;

/// One operation on values.
#[derive(Clone, Copy)]
pub(super) struct FlowNode {
    pub(super) operation: Operation,
    /// Those beyond the operation's are none.
    all: [ValueId; OPERANDS],
    pub(super) result: ValueId,
}

impl FlowNode {
    pub(super) fn operands(&self) -> &[ValueId] {
        &self.all[..self.operation.operands()]
    }
}

/// A row, and which of the vectors side by side of it.
pub(super) type RowVector = (u32, usize);

/// Most operations that are put into an order of our own. The order of recording keeps the fewest
/// values at a time: others send more of them to the stack and back, and all that is fetched must
/// be decoded. Measured on an EPYC with AVX2: a step of 7 stages on the double pendulum of P3 (1947
/// operations) takes 2889 instructions as recorded and 2914 to 3070 in orders of a limited
/// [`Lookahead`], which were not faster; one of 12 (4084) takes 5914 and 6040 to 6360, and was 8 to
/// 15 % slower on an idle core. Without a limit 3966 operations took 11400 cycles instead of 6600.
pub(super) const MOST_ORDERED: usize = 1200;

/// A bound on how far the order of a routine may leave the recorded one.
#[derive(Clone, Copy)]
struct Lookahead {
    /// Nodes from the first that has not begun.
    window: usize,
    /// Where so many values wait to be read, a node that is the last reader of one goes first.
    values: usize,
}

impl Lookahead {
    /// For a processor with so many vector registers, and so many vectors side by side.
    ///
    /// Without a limit the 1173 operations of a step of 4 stages on the double pendulum of P3 took
    /// 2174 instructions with the 16 registers of AVX2, as many values went to the stack, and 1820
    /// with one. On an EPYC both take 260 ns a vector on a core of their own; beside another thread
    /// of the same core, with which they share the decoded instructions, 500 to 530 and 380 to 420.
    /// Two vectors of a free body side by side take 151 instructions within a window of 32 and 158
    /// within one of 96, where one alone takes 74. With twice the registers only the order without
    /// limits has been measured.
    fn of(registers: usize, vectors: usize) -> Lookahead {
        match (registers, vectors) {
            (WIDE_REGISTERS, _) => Lookahead { window: usize::MAX, values: usize::MAX },
            (narrow, 1) => Lookahead { window: 96, values: narrow - 4 },
            (narrow, _) => Lookahead { window: 32, values: narrow - 6 },
        }
    }
}

/// A routine over values that are defined once, for one vector of the rows or several side by side.
pub(super) struct Flow {
    /// Vectors side by side.
    pub(super) vectors: usize,
    pub(super) nodes: Vec<FlowNode>,
    /// By value, the vector of a row that holds it at the start.
    pub(super) inputs: Vec<Option<RowVector>>,
    /// The value that each written vector of a row holds at the end.
    pub(super) outputs: BTreeMap<RowVector, ValueId>,
}

impl Flow {
    pub(super) fn new(routine: &Routine, fused: bool) -> Flow {
        let mut flow = Flow { vectors: 1, nodes: Vec::new(), inputs: Vec::new(), outputs: BTreeMap::new() };
        let named = routine.instructions.iter().flat_map(|i| i.operands.into_iter().chain([i.result]));
        let rows = named.max().map_or(0, |row| row as usize + 1);
        // The value that each row holds by now, and whether it was computed.
        let mut current: Vec<Option<ValueId>> = vec![None; rows];
        let mut is_written = vec![false; rows];
        for instruction in &routine.instructions {
            use Operation::*;
            let mut operands = [0; OPERANDS];
            let count = instruction.operation.operands();
            for (operand, row) in operands.iter_mut().zip(&instruction.operands[..count]) {
                *operand = *current[*row as usize].get_or_insert_with(|| flow.value(Some((*row, 0))));
            }
            let [a, b, c, _] = operands;
            let value = match instruction.operation {
                Copy => a,
                operation @ (MulAdd | MulSub | NegMulAdd) if !fused => {
                    let product = flow.node(Mul, [a, b, 0, 0]);
                    match operation {
                        MulAdd => flow.node(Add, [product, c, 0, 0]),
                        MulSub => flow.node(Sub, [product, c, 0, 0]),
                        _ => flow.node(Sub, [c, product, 0, 0]),
                    }
                }
                operation => flow.node(operation, operands),
            };
            current[instruction.result as usize] = Some(value);
            is_written[instruction.result as usize] = true;
        }
        // A row that is written and was read before is read again the next time.
        let mut is_wanted = vec![false; rows];
        let read_again = flow.inputs.iter().flatten().map(|(row, _)| *row);
        for row in read_again.chain(routine.results.iter().copied()) {
            if let Some(wanted) = is_wanted.get_mut(row as usize) {
                *wanted = true;
            }
        }
        let mut written = BTreeMap::new();
        for (row, value) in current.into_iter().enumerate() {
            let part = (row as u32, 0);
            if let Some(value) = value.filter(|value| flow.inputs[*value] != Some(part))
                && is_written[row]
                && is_wanted[row]
            {
                written.insert(part, value);
            }
        }
        // A value that only changes its row is read before any row is written: its own may be.
        let mut moved = BTreeMap::new();
        for value in written.values_mut() {
            if flow.inputs[*value].is_some() {
                let old = *value;
                *value = *moved.entry(old).or_insert_with(|| flow.node(Operation::Copy, [old, 0, 0, 0]));
            }
        }
        flow.outputs = written;
        flow.drop_unread();
        flow
    }

    fn value(&mut self, input: Option<RowVector>) -> ValueId {
        self.inputs.push(input);
        self.inputs.len() - 1
    }

    fn node(&mut self, operation: Operation, all: [ValueId; OPERANDS]) -> ValueId {
        let result = self.value(None);
        self.nodes.push(FlowNode { operation, all, result });
        result
    }

    fn drop_unread(&mut self) {
        let mut read = vec![false; self.inputs.len()];
        self.outputs.values().for_each(|value| read[*value] = true);
        for node in self.nodes.iter().rev() {
            if read[node.result] {
                node.operands().iter().for_each(|operand| read[*operand] = true);
            }
        }
        self.nodes.retain(|node| read[node.result]);
    }

    /// Repeats the routine for so many vectors on a processor with so many vector registers, in the
    /// order of [`Flow::schedule`], or one vector after the other as recorded where it has more
    /// than [`MOST_ORDERED`] operations.
    pub(super) fn side_by_side(&self, vectors: usize, registers: usize) -> Flow {
        let values = self.inputs.len();
        let (nodes, inputs, outputs) = (&self.nodes, &self.inputs, &self.outputs);
        let node = |k: usize, node: &FlowNode| FlowNode {
            operation: node.operation,
            all: node.all.map(|operand| operand + k * values),
            result: node.result + k * values,
        };
        let mut flow = Flow {
            vectors,
            nodes: (0..vectors).flat_map(|k| nodes.iter().map(move |n| node(k, n))).collect(),
            inputs: (0..vectors)
                .flat_map(|k| inputs.iter().map(move |i| i.map(|(row, _)| (row, k))))
                .collect(),
            outputs: (0..vectors)
                .flat_map(|k| outputs.iter().map(move |((row, _), v)| ((*row, k), v + k * values)))
                .collect(),
        };
        if nodes.len() <= MOST_ORDERED {
            flow.schedule(Lookahead::of(registers, vectors));
        }
        flow
    }

    /// Orders the nodes as a processor with two arithmetic units and one divider would begin them,
    /// the longest way to a result first, as long as fewer than [`Lookahead::values`] wait to be
    /// read. Else a node that is the last reader of one goes first, and if there is none, the one
    /// that was recorded first. It looks ahead no further than [`Lookahead::window`]: divisions
    /// must not wait behind what waits.
    fn schedule(&mut self, lookahead: Lookahead) {
        let n = self.nodes.len();
        let computed: Vec<bool> = self.inputs.iter().map(Option::is_none).collect();
        // By node: it reads these values, which others compute. Each is named once.
        let read: Vec<Vec<ValueId>> = self
            .nodes
            .iter()
            .map(|node| {
                let mut values: Vec<ValueId> =
                    node.operands().iter().copied().filter(|operand| computed[*operand]).collect();
                values.sort_unstable();
                values.dedup();
                values
            })
            .collect();
        let mut readers = vec![Vec::new(); self.inputs.len()];
        for (i, values) in read.iter().enumerate() {
            values.iter().for_each(|value| readers[*value].push(i));
        }
        let mut missing: Vec<usize> = read.iter().map(Vec::len).collect();
        let mut unread: Vec<usize> = readers.iter().map(Vec::len).collect();
        // Cycles from the start of a node to the end of what hangs on it.
        let mut ahead = vec![0; n];
        for (i, node) in self.nodes.iter().enumerate().rev() {
            let after = readers[node.result].iter().map(|reader| ahead[*reader]).max();
            ahead[i] = cycles(node.operation).0 + after.unwrap_or(0);
        }
        let mut ready_at = vec![0; n];
        let mut begun = vec![false; n];
        // Nodes within the window whose operands have begun, in the order in which they would go.
        let mut open = BTreeSet::new();
        let place = |i: usize| (Reverse(ahead[i]), i);
        let mut order = Vec::with_capacity(n);
        let (mut first, mut window_end, mut now, mut divider_free, mut waiting) = (0, 0, 0, 0, 0);
        while order.len() < n {
            for _ in 0..2 {
                first += begun[first..].iter().take_while(|begun| **begun).count();
                let end = first.saturating_add(lookahead.window).min(n);
                open.extend((window_end..end).filter(|i| missing[*i] == 0).map(place));
                window_end = end;
                let mut within = open.iter().map(|(_, i)| *i);
                let next = if waiting < lookahead.values {
                    let can_begin = |i: &usize| {
                        let divides = cycles(self.nodes[*i].operation).1 > 0;
                        ready_at[*i] <= now && (!divides || divider_free <= now)
                    };
                    within.find(can_begin)
                } else {
                    let adds = |i: usize| !read[i].iter().any(|value| unread[*value] == 1);
                    within.min_by_key(|i| (adds(*i), ready_at[*i].max(now), *i))
                };
                let Some(i) = next else { break };
                open.remove(&place(i));
                begun[i] = true;
                order.push(i);
                let (latency, busy) = cycles(self.nodes[i].operation);
                if busy > 0 {
                    divider_free = now + busy;
                }
                for value in &read[i] {
                    unread[*value] -= 1;
                    waiting -= usize::from(unread[*value] == 0);
                }
                let result = self.nodes[i].result;
                waiting += usize::from(unread[result] > 0);
                for reader in &readers[result] {
                    ready_at[*reader] = ready_at[*reader].max(now + latency);
                    missing[*reader] -= 1;
                    if missing[*reader] == 0 && *reader < window_end {
                        open.insert(place(*reader));
                    }
                }
            }
            now += 1;
        }
        self.nodes = order.into_iter().map(|i| self.nodes[i]).collect();
    }
}

/// Cycles until a result is there, and for which the divider is taken: about those of the widest
/// vectors of f32. No processor is meant; what counts is that a division takes long.
fn cycles(operation: Operation) -> (u64, u64) {
    match operation {
        Operation::Copy => (5, 0),
        Operation::Neg => (1, 0),
        Operation::Sqrt => (24, 16),
        Operation::Div => (20, 12),
        Operation::Floor => (8, 0),
        Operation::SelectLess => (6, 0),
        _ => (4, 0),
    }
}

/// When the values of a flow are wanted. Node `i` reads its operands at time `2 i`; rows are
/// written after it, at time `2 i + 1`.
pub(super) struct Times {
    /// When each value is read or stored, ascending.
    pub(super) uses: Vec<Vec<usize>>,
    /// The values to store after each node: as soon as the value is there and the old one is no
    /// longer read.
    pub(super) stores: Vec<Vec<(ValueId, RowVector)>>,
}

impl Times {
    pub(super) fn new(flow: &Flow) -> Times {
        let mut uses = vec![Vec::new(); flow.inputs.len()];
        let mut defined = vec![0; flow.inputs.len()];
        let mut last_read = vec![None; flow.inputs.len()];
        for (i, node) in flow.nodes.iter().enumerate() {
            defined[node.result] = i;
            for operand in node.operands() {
                uses[*operand].push(2 * i);
                last_read[*operand] = Some(i);
            }
        }
        let parts = flow.inputs.iter().zip(&last_read).filter_map(|(part, last)| Some(((*part)?, (*last)?)));
        let last_read: BTreeMap<RowVector, usize> = parts.collect();
        let mut stores = vec![Vec::new(); flow.nodes.len()];
        for (part, value) in &flow.outputs {
            let after = last_read.get(part).map_or(defined[*value], |last| defined[*value].max(*last));
            stores[after].push((*value, *part));
            uses[*value].push(2 * after + 1);
        }
        uses.iter_mut().for_each(|uses| uses.sort_unstable());
        Times { uses, stores }
    }
}
