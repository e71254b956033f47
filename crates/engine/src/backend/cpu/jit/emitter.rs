//! The instructions of a routine: its straight line, and the two loops around it.

use iced_x86::Code as Opcode;
use iced_x86::{Encoder, IcedError, Instruction as Machine, MemoryOperand, Register};

use super::super::tape::{GROUP, Operation};
use super::MASK;
use super::flow::{Flow, FlowNode, RowVector, Times, ValueId};
use super::opcodes::{Blend, Fused, Opcodes};

/// The stack grows by touching its pages in order, as behind the last stands a guard: half a page
/// at a time, so that alignment does not matter.
const HALF_PAGE: usize = 2048;

/// Where a value stands in memory.
#[derive(Clone, Copy)]
enum Place {
    Row(RowVector),
    /// A vector on the stack.
    Stack(usize),
}

/// A source that an instruction takes from either.
#[derive(Clone, Copy)]
enum Source {
    Register(Register),
    Memory(MemoryOperand),
}

/// Register of the inner loop: the current vector of row 0.
const CURRENT: Register = Register::RAX;
/// Arguments: the rows, how often, and one past the last vector of row 0 that is wanted.
const ROWS: Register = Register::RDI;
const TIMES: Register = Register::RSI;
const END: Register = Register::RDX;

/// The mask register that comparisons write.
const CHOICE: Register = Register::K1;
/// Immediate of a rounding: down, and no exception for what is not exact.
const DOWN: u32 = 0b1001;
/// Immediate of a comparison: less, false for NaN, and no exception for it.
const LESS: u32 = 0x11;

/// The straight line, and how many bytes on the stack it needs.
pub(super) struct MachineLine {
    pub(super) vectors: usize,
    instructions: Vec<Machine>,
    pub(super) frame: usize,
}

impl MachineLine {
    pub(super) fn new(flow: Flow, opcodes: &Opcodes) -> Result<MachineLine, IcedError> {
        Emitter::new(&flow, opcodes).all()
    }
}

/// Writes the straight line.
struct Emitter<'a> {
    flow: &'a Flow,
    times: Times,
    opcodes: &'a Opcodes,
    /// The register that holds a value, and the value that a register holds.
    register: Vec<Option<usize>>,
    held: Vec<Option<ValueId>>,
    memory: Vec<Option<Place>>,
    /// Places on the stack: how many in all, and those to be had.
    stack: usize,
    free: Vec<usize>,
    /// Places that may still be read by the node under way.
    freed: Vec<usize>,
    written: Vec<Machine>,
}

impl<'a> Emitter<'a> {
    fn new(flow: &'a Flow, opcodes: &'a Opcodes) -> Self {
        Emitter {
            flow,
            times: Times::new(flow),
            opcodes,
            register: vec![None; flow.inputs.len()],
            held: vec![None; opcodes.registers],
            memory: flow.inputs.iter().map(|part| part.map(Place::Row)).collect(),
            stack: 0,
            free: Vec::new(),
            freed: Vec::new(),
            written: Vec::new(),
        }
    }

    fn all(mut self) -> Result<MachineLine, IcedError> {
        let flow = self.flow;
        for (i, node) in flow.nodes.iter().enumerate() {
            self.node(node, 2 * i)?;
            let stores = std::mem::take(&mut self.times.stores[i]);
            for (value, part) in &stores {
                let register = self.load(*value, 2 * i, &[])?;
                self.store(register, Place::Row(*part))?;
                if let Some(Place::Stack(place)) = self.memory[*value].replace(Place::Row(*part)) {
                    self.freed.push(place);
                }
            }
            stores.iter().for_each(|(value, _)| self.release(*value, 2 * i + 1));
            self.free.append(&mut self.freed);
        }
        let Emitter { flow, opcodes, stack, written, .. } = self;
        Ok(MachineLine { vectors: flow.vectors, instructions: written, frame: stack * opcodes.vector })
    }

    fn next_use(&self, value: ValueId, time: usize) -> Option<usize> {
        let uses = &self.times.uses[value];
        uses.get(uses.partition_point(|u| *u <= time)).copied()
    }

    fn name(&self, register: usize) -> Register {
        self.opcodes.first + register as u32
    }

    fn address(&self, place: Place) -> MemoryOperand {
        let (base, offset) = match place {
            Place::Row((row, vector)) => {
                (CURRENT, row as usize * GROUP * self.opcodes.element + vector * self.opcodes.vector)
            }
            Place::Stack(at) => (Register::RSP, at * self.opcodes.vector),
        };
        MemoryOperand::with_base_displ(base, offset as i64)
    }

    fn store(&mut self, register: usize, place: Place) -> Result<(), IcedError> {
        let to = self.address(place);
        self.written.push(Machine::with2(self.opcodes.store, to, self.name(register))?);
        Ok(())
    }

    /// `target = opcode source`
    fn unary(&mut self, opcode: Opcode, target: usize, source: Source) -> Result<(), IcedError> {
        let target = self.name(target);
        self.written.push(match source {
            Source::Register(register) => Machine::with2(opcode, target, register)?,
            Source::Memory(memory) => Machine::with2(opcode, target, memory)?,
        });
        Ok(())
    }

    /// `target = a opcode source`; of a multiply-add, `target` is an operand too.
    fn binary(
        &mut self,
        opcode: Opcode,
        target: usize,
        a: Register,
        source: Source,
    ) -> Result<(), IcedError> {
        let target = self.name(target);
        self.written.push(match source {
            Source::Register(register) => Machine::with3(opcode, target, a, register)?,
            Source::Memory(memory) => Machine::with3(opcode, target, a, memory)?,
        });
        Ok(())
    }

    /// The value where it stands, a register before memory.
    fn source(&self, value: ValueId) -> Source {
        match (self.register[value], self.memory[value]) {
            (Some(register), _) => Source::Register(self.name(register)),
            (None, Some(place)) => Source::Memory(self.address(place)),
            (None, None) => unreachable!("a value is read after it is defined"),
        }
    }

    /// The register whose value is wanted last, with the time; one that needs no store
    /// counts as wanted later.
    fn last_wanted(&self, time: usize, pinned: &[ValueId]) -> Option<(usize, usize)> {
        let distance = |value: ValueId| {
            let next = self.next_use(value, time).unwrap_or(usize::MAX / 4);
            let stored = self.memory[value].is_some();
            if stored { (next - time) * 2 } else { next - time }
        };
        let candidates = self.held.iter().enumerate().filter_map(|(r, value)| Some((r, (*value)?)));
        candidates
            .filter(|(_, value)| !pinned.contains(value))
            .map(|(r, value)| (r, distance(value)))
            .max_by_key(|(_, distance)| *distance)
    }

    /// A register to write, its old value given up, but none of these.
    fn take(&mut self, time: usize, pinned: &[ValueId]) -> Result<usize, IcedError> {
        if let Some(register) = self.held.iter().position(Option::is_none) {
            return Ok(register);
        }
        let Some((register, _)) = self.last_wanted(time, pinned) else {
            unreachable!("an instruction has fewer operands than there are registers");
        };
        if let Some(value) = self.held[register].take() {
            if self.memory[value].is_none() {
                let place = Place::Stack(self.free.pop().unwrap_or_else(|| {
                    self.stack += 1;
                    self.stack - 1
                }));
                self.memory[value] = Some(place);
                self.store(register, place)?;
            }
            self.register[value] = None;
        }
        Ok(register)
    }

    fn hold(&mut self, value: ValueId, register: usize) {
        self.register[value] = Some(register);
        self.held[register] = Some(value);
    }

    /// The value in a register.
    fn load(&mut self, value: ValueId, time: usize, pinned: &[ValueId]) -> Result<usize, IcedError> {
        if let Some(register) = self.register[value] {
            return Ok(register);
        }
        let register = self.take(time, pinned)?;
        self.unary(self.opcodes.load, register, self.source(value))?;
        self.hold(value, register);
        Ok(register)
    }

    /// Loads a value if it is used again before what it displaces, and displaces it at no cost.
    fn load_if_worth(&mut self, value: ValueId, time: usize, pinned: &[ValueId]) -> Result<(), IcedError> {
        let Some(next) = self.next_use(value, time) else { return Ok(()) };
        let room = self.held.iter().any(Option::is_none)
            || self.last_wanted(time, pinned).is_some_and(|(register, _)| {
                self.held[register].is_some_and(|old| {
                    self.memory[old].is_some() && self.next_use(old, time).is_none_or(|n| n > next)
                })
            });
        if room {
            self.load(value, time, pinned)?;
        }
        Ok(())
    }

    /// Gives register and place on the stack back if nothing wants the value any more.
    fn release(&mut self, value: ValueId, time: usize) {
        if self.next_use(value, time).is_some() {
            return;
        }
        if let Some(register) = self.register[value].take() {
            self.held[register] = None;
        }
        if let Some(Place::Stack(place)) = self.memory[value] {
            self.memory[value] = None;
            self.freed.push(place);
        }
    }

    fn node(&mut self, node: &FlowNode, time: usize) -> Result<(), IcedError> {
        let o = self.opcodes;
        match node.operation {
            Operation::Copy => self.one(node, time, o.load),
            Operation::Sqrt => self.one(node, time, o.sqrt),
            Operation::Floor => self.floor(node, time),
            Operation::Neg => {
                let source = self.load(node.operands()[0], time, &[])?;
                let source = self.name(source);
                self.release(node.operands()[0], time);
                let target = self.take(time, &[])?;
                let mask = MemoryOperand::with_base_displ(Register::RIP, 0);
                self.binary(o.xor, target, source, Source::Memory(mask))?;
                self.hold(node.result, target);
                Ok(())
            }
            Operation::Add => self.two(node, time, o.add, true),
            Operation::Sub => self.two(node, time, o.sub, false),
            Operation::Mul => self.two(node, time, o.mul, true),
            Operation::Div => self.two(node, time, o.div, false),
            Operation::MulAdd => self.three(node, time, &o.mul_add),
            Operation::MulSub => self.three(node, time, &o.mul_sub),
            Operation::NegMulAdd => self.three(node, time, &o.neg_mul_add),
            Operation::SelectLess => self.select_less(node, time),
        }
    }

    fn one(&mut self, node: &FlowNode, time: usize, opcode: Opcode) -> Result<(), IcedError> {
        let a = node.operands()[0];
        self.load_if_worth(a, time, &[])?;
        let source = self.source(a);
        self.release(a, time);
        let target = self.take(time, &[])?;
        self.unary(opcode, target, source)?;
        self.hold(node.result, target);
        Ok(())
    }

    fn floor(&mut self, node: &FlowNode, time: usize) -> Result<(), IcedError> {
        let a = node.operands()[0];
        self.load_if_worth(a, time, &[])?;
        let source = self.source(a);
        self.release(a, time);
        let target = self.take(time, &[])?;
        let (opcode, to) = (self.opcodes.floor, self.name(target));
        self.written.push(match source {
            Source::Register(register) => Machine::with3(opcode, to, register, DOWN)?,
            Source::Memory(memory) => Machine::with3(opcode, to, memory, DOWN)?,
        });
        self.hold(node.result, target);
        Ok(())
    }

    /// A comparison, then a selection by what it found.
    fn select_less(&mut self, node: &FlowNode, time: usize) -> Result<(), IcedError> {
        let operands = node.operands();
        let [a, b, yes, no] = [operands[0], operands[1], operands[2], operands[3]];
        let first = self.load(a, time, operands)?;
        let otherwise = self.load(no, time, operands)?;
        for value in [b, yes] {
            if self.register[value].is_none() {
                self.load_if_worth(value, time, operands)?;
            }
        }
        let (first, otherwise) = (self.name(first), self.name(otherwise));
        let (second, chosen) = (self.source(b), self.source(yes));
        // A vector that says where is written while `yes` and `no` are still to be read;
        // it becomes the result.
        let (target, found) = match self.opcodes.blend {
            Blend::Vector(_) => {
                let target = self.take(time, operands)?;
                (Some(target), self.name(target))
            }
            Blend::Mask(_) => (None, CHOICE),
        };
        let compare = self.opcodes.compare;
        self.written.push(match second {
            Source::Register(register) => Machine::with4(compare, found, first, register, LESS)?,
            Source::Memory(memory) => Machine::with4(compare, found, first, memory, LESS)?,
        });
        operands.iter().for_each(|value| self.release(*value, time));
        let target = match target {
            Some(target) => target,
            None => self.take(time, &[])?,
        };
        let to = self.name(target);
        let blend = match (&self.opcodes.blend, chosen) {
            (Blend::Vector(blend), Source::Register(chosen)) => {
                Machine::with4(*blend, to, otherwise, chosen, found)?
            }
            (Blend::Vector(blend), Source::Memory(chosen)) => {
                Machine::with4(*blend, to, otherwise, chosen, found)?
            }
            (Blend::Mask(blend), Source::Register(chosen)) => {
                masked(Machine::with3(*blend, to, otherwise, chosen)?)
            }
            (Blend::Mask(blend), Source::Memory(chosen)) => {
                masked(Machine::with3(*blend, to, otherwise, chosen)?)
            }
        };
        self.written.push(blend);
        self.hold(node.result, target);
        Ok(())
    }

    fn two(&mut self, node: &FlowNode, time: usize, opcode: Opcode, commutes: bool) -> Result<(), IcedError> {
        let (mut a, mut b) = (node.operands()[0], node.operands()[1]);
        if commutes && self.register[a].is_none() && self.register[b].is_some() {
            (a, b) = (b, a);
        }
        let first = self.load(a, time, &[b])?;
        if self.register[b].is_none() {
            self.load_if_worth(b, time, &[a])?;
        }
        let (first, source) = (self.name(first), self.source(b));
        // The operands are read before the target is written: it may take the place of either.
        self.release(a, time);
        self.release(b, time);
        let target = self.take(time, &[])?;
        self.binary(opcode, target, first, source)?;
        self.hold(node.result, target);
        Ok(())
    }

    /// A fused multiply-add writes over one of its operands.
    fn three(&mut self, node: &FlowNode, time: usize, forms: &Fused) -> Result<(), IcedError> {
        let operands = node.operands();
        let [a, b, c] = [operands[0], operands[1], operands[2]];
        for value in [a, b, c] {
            if self.register[value].is_none() {
                self.load_if_worth(value, time, operands)?;
            }
        }
        let ends = |s: &Self, v: &ValueId| s.register[*v].is_some() && s.next_use(*v, time).is_none();
        let stored = |s: &Self, v: &ValueId| s.register[*v].is_none();
        let over = [c, a, b].into_iter().find(|v| ends(self, v));
        let over = over.or_else(|| [c, a, b].into_iter().find(|v| stored(self, v))).unwrap_or(c);
        // One of the other two may stand in memory.
        let others: Vec<ValueId> =
            operands.iter().copied().filter(|v| *v != over && self.register[*v].is_none()).collect();
        if let [one, _] = others[..] {
            self.load(one, time, operands)?;
        }
        let target = match self.register[over] {
            Some(register) if self.next_use(over, time).is_none() => register,
            _ => {
                let target = self.take(time, operands)?;
                self.unary(self.opcodes.load, target, self.source(over))?;
                target
            }
        };
        let source =
            |s: &Self, v: ValueId| if v == over { Source::Register(s.name(target)) } else { s.source(v) };
        let (opcode, second, third) = if over == a || over == b {
            let factor = source(self, if over == a { b } else { a });
            match (factor, source(self, c)) {
                (Source::Register(factor), addend) => (forms.f213, factor, addend),
                (factor, Source::Register(addend)) => (forms.f132, addend, factor),
                _ => unreachable!("one of them was loaded"),
            }
        } else {
            match (source(self, a), source(self, b)) {
                (Source::Register(a), b) => (forms.f231, a, b),
                (a, Source::Register(b)) => (forms.f231, b, a),
                _ => unreachable!("one of them was loaded"),
            }
        };
        self.binary(opcode, target, second, third)?;
        for value in [a, b, c] {
            self.release(value, time);
        }
        self.hold(node.result, target);
        Ok(())
    }
}

/// The instruction under the mask that a comparison wrote.
fn masked(mut instruction: Machine) -> Machine {
    instruction.set_op_mask(CHOICE);
    instruction
}

/// The mask of sign bits and the function.
pub(super) fn assemble(body: &MachineLine, opcodes: &Opcodes) -> Result<Vec<u8>, IcedError> {
    let mut sign = vec![0; opcodes.element];
    sign[opcodes.element - 1] = 0x80;
    let mut bytes = Bytes { bytes: sign.repeat(MASK / opcodes.element), encoder: Encoder::new(64) };
    let at = MemoryOperand::with_base_displ;
    bytes.push(&Machine::with1(Opcode::Push_r64, Register::RBP)?)?;
    bytes.push(&Machine::with2(Opcode::Mov_r64_rm64, Register::RBP, Register::RSP)?)?;
    for _ in 0..body.frame / HALF_PAGE {
        bytes.push(&Machine::with2(Opcode::Sub_rm64_imm32, Register::RSP, HALF_PAGE as i32)?)?;
        bytes.push(&Machine::with2(Opcode::Or_rm64_imm8, at(Register::RSP, 0), 0)?)?;
    }
    bytes.push(&Machine::with2(Opcode::Sub_rm64_imm32, Register::RSP, (body.frame % HALF_PAGE) as i32)?)?;
    bytes.push(&Machine::with2(Opcode::And_rm64_imm8, Register::RSP, -(MASK as i32))?)?;
    let step = bytes.here();
    bytes.push(&Machine::with2(Opcode::Mov_r64_rm64, CURRENT, ROWS)?)?;
    let vector = bytes.here();
    for instruction in &body.instructions {
        bytes.push(instruction)?;
    }
    bytes.push(&Machine::with2(Opcode::Add_rm64_imm32, CURRENT, (body.vectors * opcodes.vector) as i32)?)?;
    bytes.push(&Machine::with2(Opcode::Cmp_r64_rm64, CURRENT, END)?)?;
    bytes.push(&Machine::with_branch(Opcode::Jne_rel32_64, vector)?)?;
    bytes.push(&Machine::with1(Opcode::Dec_rm64, TIMES)?)?;
    bytes.push(&Machine::with_branch(Opcode::Jne_rel32_64, step)?)?;
    // Code that knows SSE alone is slow while upper halves are in use.
    bytes.push(&Machine::with(Opcode::VEX_Vzeroupper))?;
    bytes.push(&Machine::with2(Opcode::Mov_r64_rm64, Register::RSP, Register::RBP)?)?;
    bytes.push(&Machine::with1(Opcode::Pop_r64, Register::RBP)?)?;
    bytes.push(&Machine::with(Opcode::Retnq))?;
    Ok(bytes.bytes)
}

/// The instructions encoded so far; addresses count from the mask on.
struct Bytes {
    bytes: Vec<u8>,
    encoder: Encoder,
}

impl Bytes {
    fn here(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn push(&mut self, instruction: &Machine) -> Result<(), IcedError> {
        self.encoder.encode(instruction, self.here())?;
        self.bytes.append(&mut self.encoder.take_buffer());
        Ok(())
    }
}
