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

mod flow;
mod opcodes;

use std::ops::RangeInclusive;

use fearless_simd::Level;
use flow::{Flow, FlowNode, MOST_ORDERED, RowVector, Times, ValueId};
use iced_x86::Code as Opcode;
use iced_x86::{Encoder, IcedError, Instruction as Machine, MemoryOperand, Register};
use memmap2::{Mmap, MmapMut};
use opcodes::{Blend, Fused, Opcodes, WIDE_REGISTERS, opcodes};

use super::lanes::Rows;
use super::tape::{GROUP, Operation, Routine};
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
/// The stack grows by touching its pages in order, as behind the last stands a guard: half a page
/// at a time, so that alignment does not matter.
const HALF_PAGE: usize = 2048;

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
        let side_by_side = |vectors| Body::new(one.side_by_side(vectors, opcodes.registers), opcodes).ok();
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
struct Body {
    vectors: usize,
    instructions: Vec<Machine>,
    frame: usize,
}

impl Body {
    fn new(flow: Flow, opcodes: &Opcodes) -> Result<Body, IcedError> {
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

    fn all(mut self) -> Result<Body, IcedError> {
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
        Ok(Body { vectors: flow.vectors, instructions: written, frame: stack * opcodes.vector })
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
fn assemble(body: &Body, opcodes: &Opcodes) -> Result<Vec<u8>, IcedError> {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::lanes;
    use super::super::tape::{Instruction, OPERANDS, Sheet};
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
            let body = Body::new(flow.side_by_side(vectors, registers), opcodes).expect("instructions");
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
