//! A program cut into kernels, each short enough for the registers of a thread and for drivers.
//!
//! Straight-line text serves as long as its numbers fit into registers. Beyond, each routine of a
//! program is cut where fewest numbers live, and each piece is a kernel. What lives from one to the
//! next passes through memory, in a row of every instance that others take when nothing reads it
//! any more. Within a kernel a block of statements loads what no block before it has loaded, and
//! stores what later kernels need. So loads wait for memory together, and do not fill the registers
//! at the start.
//!
//! Memory is what such a program waits for, so two things keep numbers out of it, and leave every
//! bit as it is. Statements come where a result needs them, body after body of a chain, if that
//! hands on less than the order in which they were recorded. And a kernel computes again what takes
//! it few statements, instead of loading it: an H200 does some forty operations in the time in
//! which its memory moves one number.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Write as _;
use std::ops::Range;

use super::kernel::{WORKGROUP, comparisons, literals, nearest, norm_error, prelude};
use super::straight_line::{FunctionSignature, Phrasing, StraightLine, literal};
use crate::backend::Plan;
use crate::backend::lead::{self, LEAD_NUMBERS, LeadInput};
use crate::backend::program::{BoundedValue, Input, Lows, OwnStepPlaces, Program, Update};
use crate::base::{Precision, Verdict};
use crate::methods::lead::STAGES;
use crate::real::traced::{GraphNode, Traced, operands};

/// Statements of a kernel at most. An H200 does 6e8 steps a second of a chain of four bodies in
/// f64, whose step has 2,000 statements, and of eight bodies nineteen times less: the numbers of
/// the longer one do not fit into the registers of a thread.
pub const LONGEST_SEGMENT: usize = 2000;

/// A kernel more costs as much as handing on so many numbers: of 100,000 instances a memory of 3
/// TB/s moves them in the 5 us that a dispatch takes.
const CUT: isize = 20;

/// Statements between two places where a kernel loads and stores.
const BLOCK: usize = 64;

/// Statements at most that a kernel does again for a value instead of loading it, beside those that
/// it does again for others. Quotients, roots and kept sums are never done again.
const AGAIN: usize = 16;

/// The text around the steps, by hand, and what each kernel begins with.
const AROUND: &str = include_str!("../../../shaders/around.wgsl");
const SEGMENT: &str = include_str!("../../../shaders/segment.wgsl");

/// Kernels that are run one after the other.
#[derive(Clone, Debug, Default)]
pub struct CutRoutine {
    /// Places in [`Segments::texts`].
    pub kernels: Vec<usize>,
    pub statements: usize,
    /// Numbers that each cut hands on.
    pub carried: Vec<usize>,
    /// Numbers that an instance loads and stores.
    pub loads: usize,
    pub stores: usize,
    /// Statements of its kernels that one before them has done too.
    pub again: usize,
}

/// The routines of a program.
#[derive(Clone, Debug, Default)]
pub struct CutRoutines {
    pub prepare: CutRoutine,
    pub begin: CutRoutine,
    pub resynchronised: CutRoutine,
    /// Leads a chain, part after part, each with the number of the stage; comes after `begin` and
    /// `resynchronised`.
    pub lead: Vec<(u32, CutRoutine)>,
    /// A step, or an attempt of one.
    pub step: CutRoutine,
    /// Computes what is compared with bounds.
    pub judge: CutRoutine,
}

/// All kernels of a program, and which row holds what. The last sound state is in the first rows.
#[derive(Clone, Debug)]
pub struct Segments {
    pub phrasing: Phrasing,
    /// WGSL of each kernel, entry point `advance`.
    pub texts: Vec<String>,
    /// WGSL of what is done around the steps.
    pub around: String,
    /// Rows in all.
    pub rows: usize,
    /// Kept state channels: those of the motion come first.
    pub state: Vec<usize>,
    /// Which of them are the lower parts of others.
    pub lows: Lows,
    pub observed: usize,
    /// Parameters of the model that have a row, and the row of the first.
    pub parameters: Vec<usize>,
    pub first_parameter: usize,
    /// Values that all instances share, before the factors of the timed loads.
    pub shared: Vec<f64>,
    pub factors: usize,
    /// Rows that count the attempts of own steps.
    pub own_steps: Option<OwnStepPlaces>,
    pub parts: CutRoutines,
}

impl Segments {
    /// The kernels of a plan's program in this precision, sums and products in these words:
    /// selected, unless a device keeps to [what is written](super::exact). Mesa puts sums in
    /// another order where an operand comes from memory.
    pub fn new(plan: &Plan, precision: Precision, program: &Program, phrasing: Phrasing) -> Segments {
        Self::cut(plan, precision, program, phrasing, LONGEST_SEGMENT)
    }

    /// As [`Segments::new`], with kernels of at most so many statements.
    pub fn cut(
        plan: &Plan,
        precision: Precision,
        program: &Program,
        phrasing: Phrasing,
        longest: usize,
    ) -> Segments {
        let kept = program.state.len();
        let mut next = kept;
        let mut take = |n: usize| {
            next += n;
            next - n
        };
        let lead = program.lead.as_ref();
        let rows = Rows {
            state: take(kept),
            parameters: take(program.parameters.len()),
            invariants: take(program.invariants.len()),
            judged: take(2 * program.judged.len()),
            variables: take(lead.map_or(0, |lead| lead.variables.len())),
            free: take(0),
        };
        let literal = literals(&program.graph);
        let constants: Vec<Traced> =
            program.constants.iter().copied().filter(|c| !literal[c.index()]).collect();
        let stages = lead.iter().flat_map(|lead| lead.lead.stages()).flat_map(|stage| lead::numbers(&stage));
        let shared: Vec<f64> =
            constants.iter().filter_map(|c| program.graph.constant(*c)).chain(stages).collect();
        let before = rows.given(program, &constants, shared.len());
        let mut prepared = before.clone();
        for (row, value) in (rows.invariants..).zip(&program.invariants) {
            prepared[value.index()] = Some(Given::Row(row));
        }
        let from = |first: usize, updates: &[Update]| -> Vec<(usize, Traced)> {
            updates.iter().map(|update| (first + update.place, update.value)).collect()
        };
        let numbered = |first: usize, values: &[Traced]| -> Vec<(usize, Traced)> {
            (first..).zip(values.iter().copied()).collect()
        };
        let own_steps = program.own_steps.map(|places| OwnStepPlaces {
            progress: rows.state + places.progress,
            attempts: rows.state + places.attempts,
            event: places.event.map(|event| rows.state + event),
        });
        let mut cutter = Cutter {
            program,
            precision,
            phrasing,
            longest,
            free: rows.free,
            rows: rows.free,
            head: head(precision, phrasing),
            texts: Vec::new(),
            known: HashMap::new(),
        };
        let resynchronises =
            plan.schedule.resynchronise != 0 || own_steps.is_some_and(|places| places.event.is_some());
        let again = if resynchronises { &program.resynchronised[..] } else { &[] };
        let mut cut = |results: Vec<(usize, Traced)>, given: &[Option<Given>]| cutter.part(&results, given);
        let parts = CutRoutines {
            prepare: cut(numbered(rows.invariants, &program.invariants), &before),
            begin: cut(from(rows.state, &program.begin), &before),
            resynchronised: cut(from(rows.state, again), &before),
            lead: lead.map_or_else(Vec::new, |lead| {
                let mut part = |first: usize, updates: &[Update]| cut(from(first, updates), &before);
                let (open, close) = (part(rows.variables, &lead.open), part(rows.state, &lead.close));
                let stage = part(rows.variables, &lead.stage);
                let settled = part(rows.variables, &lead.settled);
                let stages = (0..(STAGES * lead.lead.steps) as u32).flat_map(|number| {
                    let settles = (number + 1).is_multiple_of(STAGES as u32);
                    [Some(stage.clone()), settles.then(|| settled.clone())]
                        .into_iter()
                        .flatten()
                        .map(move |part| (number, part))
                });
                [(0, open)].into_iter().chain(stages).chain([(0, close)]).collect()
            }),
            step: cut(from(rows.state, &program.step), &prepared),
            judge: cut(numbered(rows.judged, &BoundedValue::values(&program.judged)), &before),
        };
        Segments {
            phrasing,
            around: around(plan, precision, phrasing, program, &rows, own_steps, shared.len()),
            texts: cutter.texts,
            rows: cutter.rows,
            state: program.state.clone(),
            lows: program.lows,
            observed: program.observed(),
            parameters: program.parameters.clone(),
            first_parameter: rows.parameters,
            shared,
            factors: program.factors,
            own_steps,
            parts,
        }
    }
}

impl Segments {
    /// Lines of all texts.
    pub fn lines(&self) -> usize {
        self.texts.iter().chain([&self.around]).map(|text| text.lines().count()).sum()
    }
}

/// First rows of what an instance keeps, after its last sound state.
struct Rows {
    state: usize,
    parameters: usize,
    invariants: usize,
    judged: usize,
    variables: usize,
    /// Rows from here on are for what lives between two kernels.
    free: usize,
}

/// Where a kernel finds a value that it does not compute.
#[derive(Clone, Debug)]
enum Given {
    Row(usize),
    /// Text of a value that all instances share.
    Shared(String),
}

impl Rows {
    /// By node, what is given; `shared` values stand before the factors of the timed loads, these
    /// constants first.
    fn given(&self, program: &Program, constants: &[Traced], shared: usize) -> Vec<Option<Given>> {
        let lead = program.lead.as_ref();
        let given = |node: Traced| match program.input(node)? {
            Input::State(channel) => program.place(channel).map(|place| Given::Row(self.state + place)),
            Input::Parameter(p) => {
                let place = program.parameters.binary_search(&p).ok()?;
                Some(Given::Row(self.parameters + place))
            }
            Input::Factor(f) => Some(Given::Shared(format!("shared_values[{}]", shared + f))),
            Input::Lead(LeadInput::Variable(v)) => {
                lead?.place(v).map(|place| Given::Row(self.variables + place))
            }
            Input::Lead(LeadInput::Number(k)) if k < LEAD_NUMBERS => {
                let first = constants.len() + k;
                Some(Given::Shared(format!("shared_values[{first}u + {LEAD_NUMBERS}u * span.number]")))
            }
            Input::Lead(LeadInput::Number(k)) => {
                let lead = lead?;
                let first = shared + lead.lead.first_sample * lead.spans + k - LEAD_NUMBERS;
                let step = format!("{}u * (span.number / {STAGES}u)", lead.spans);
                Some(Given::Shared(format!("shared_values[{first}u + {step}]")))
            }
        };
        let mut all: Vec<Option<Given>> = program.graph.nodes().map(|(node, _)| given(node)).collect();
        for (place, constant) in constants.iter().enumerate() {
            all[constant.index()] = Some(Given::Shared(format!("shared_values[{place}]")));
        }
        all
    }
}

/// The text that each kernel begins with.
pub(super) fn head(precision: Precision, phrasing: Phrasing) -> String {
    let comparisons = comparisons(precision);
    let nearest = nearest(precision, phrasing);
    format!("{}\nconst WORKGROUP = {WORKGROUP}u;\n\n{SEGMENT}\n{comparisons}\n{nearest}", prelude(precision))
}

/// The text of what is done around the steps.
fn around(
    plan: &Plan,
    precision: Precision,
    phrasing: Phrasing,
    program: &Program,
    rows: &Rows,
    own_steps: Option<OwnStepPlaces>,
    shared: usize,
) -> String {
    let mut text = head(precision, phrasing);
    let (progress, attempts) = own_steps.map_or((0, 0), |places| (places.progress, places.attempts));
    for (name, value) in
        [("KEPT", program.state.len()), ("STATE", rows.state), ("PROGRESS", progress), ("ATTEMPTS", attempts)]
    {
        let _ = writeln!(text, "const {name} = {value}u;");
    }
    let edge = match plan.schedule.has_edge() {
        true => format!("shared_values[{}]", shared + program.factors - 1),
        false => "real(1.0)".to_string(),
    };
    let _ = writeln!(
        text,
        "\n// An attempt follows as long as an own step has come less far than this.\n\
         fn edge() -> real {{\n    return {edge};\n}}\n"
    );
    text.push_str(
        "// What has no say in the motion may be no number.\nfn are_finite(instance: u32) -> bool {\n",
    );
    for Range { start, end } in &program.finite {
        let _ = writeln!(
            text,
            "    for (var row = STATE + {start}u; row < STATE + {end}u; row++) {{\n\
             \x20       if !is_finite_real(value(row, instance)) {{\n            return false;\n        \
             }}\n    }}"
        );
    }
    text.push_str("    return true;\n}\n\n");
    let mut bounds = String::new();
    if let Some(bound) = plan.bounds.quaternion_norm {
        let component = |place: usize| format!("value({}u, instance)", rows.state + place);
        text.push_str(&norm_error(plan, program, "instance: u32", phrasing, &component));
        let _ = writeln!(
            bounds,
            "    if is_less({}, norm_error(instance)) {{\n        return {}u; // {}\n    }}",
            literal(precision, bound),
            Verdict::NormBound.code(),
            Verdict::NormBound.name()
        );
    }
    for (k, judged) in program.judged.iter().enumerate() {
        let row = rows.judged + 2 * k;
        let (found, allowed) = (format!("value({row}u, instance)"), format!("value({}u, instance)", row + 1));
        let _ = writeln!(
            bounds,
            "    if {allowed} > real(0.0) && is_less({allowed}, abs({found})) {{\n        return {}u; \
             // {}\n    }}",
            judged.verdict.code(),
            judged.verdict.name()
        );
    }
    let _ = write!(
        text,
        "\n// The verdict of the first bound that is passed, else FINISHED. A bound of zero bounds nothing.\n\
         fn passed(instance: u32) -> u32 {{\n{bounds}    return FINISHED;\n}}\n\n{AROUND}"
    );
    text
}

/// Pieces of at most `longest` statements, of all such divisions the one that hands on fewest
/// numbers in all. `live`: [`StraightLine::live`].
fn pieces(live: &[isize], statements: usize, longest: usize) -> Vec<Range<usize>> {
    // By statement, the least cost of a division of all before it, and where its last piece begins.
    let mut best = vec![(0, 0)];
    // The places where a piece may begin that ends at the statement, cheaper ones later.
    let mut begins = VecDeque::from([0]);
    for (end, live) in live.iter().enumerate().take(statements + 1).skip(1) {
        while begins.front().is_some_and(|first| first + longest < end) {
            begins.pop_front();
        }
        let first = begins.front().copied().unwrap_or(end - 1);
        let cost = best[first].0 + live + CUT;
        best.push((cost, first));
        while begins.back().is_some_and(|at| best[*at].0 >= cost) {
            begins.pop_back();
        }
        begins.push_back(end);
    }
    let mut pieces = VecDeque::new();
    let mut end = statements;
    loop {
        let first = best[end].1;
        pieces.push_front(first..end);
        if first == 0 {
            return pieces.into();
        }
        end = first;
    }
}

/// A number that lies in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Held {
    /// It was there before the routine.
    Row(usize),
    /// It is the value of the statement of this number.
    Value(usize),
}

/// Cuts the routines of a program.
struct Cutter<'a> {
    program: &'a Program,
    precision: Precision,
    phrasing: Phrasing,
    longest: usize,
    /// Rows from here on are for what lives between two kernels.
    free: usize,
    /// Rows in all so far.
    rows: usize,
    head: String,
    texts: Vec<String>,
    known: HashMap<String, usize>,
}

impl Cutter<'_> {
    /// The kernels that put these values into these rows.
    fn part(&mut self, results: &[(usize, Traced)], given: &[Option<Given>]) -> CutRoutine {
        if results.is_empty() {
            return CutRoutine::default();
        }
        let function = FunctionSignature {
            name: "advance",
            parameters: "",
            arguments: "",
            knows_nan: self.program.own_steps.is_some(),
            phrasing: self.phrasing,
        };
        let inputs = |node: Traced| {
            given[node.index()].as_ref().map(|given| match given {
                Given::Row(_) => "row".to_string(),
                Given::Shared(text) => text.clone(),
            })
        };
        let roots: Vec<Traced> = results.iter().map(|(_, value)| *value).collect();
        let recorded = StraightLine::new(&self.program.graph, self.precision, &roots, &inputs, &function);
        let backwards: Vec<Traced> = roots.iter().rev().copied().collect();
        let orders = [recorded.on_demand(&roots), recorded.on_demand(&backwards), recorded];
        let flows = orders.map(|line| Flow::new(line, self.longest, results, given));
        let Some(flow) = flows.into_iter().min_by_key(Flow::traffic) else { return CutRoutine::default() };
        let slots = flow.slots(self.free);
        self.rows = self.rows.max(slots.end);
        let mut part = CutRoutine {
            statements: flow.line.statements.len(),
            carried: flow.carried(),
            ..CutRoutine::default()
        };
        for piece in 0..flow.pieces.len() {
            let kernel = KernelText::new(&flow, &slots.of, piece);
            part.loads += kernel.loaded.len();
            part.stores += kernel.stores;
            part.again += kernel.again.len();
            part.kernels.push(self.kernel(&kernel.text));
        }
        part
    }

    /// The place of a kernel with these lines.
    fn kernel(&mut self, lines: &str) -> usize {
        let text = format!(
            "{}\n@compute @workgroup_size(WORKGROUP)\n\
             fn advance(@builtin(global_invocation_id) id: vec3<u32>) {{\n    \
             let instance = span.start + id.x;\n    if !takes_part(instance) {{\n        return;\n    }}\n\
             {lines}}}\n",
            self.head
        );
        let Cutter { texts, known, .. } = self;
        *known.entry(text).or_insert_with_key(|text| {
            texts.push(text.clone());
            texts.len() - 1
        })
    }
}

/// The lines of a kernel.
struct KernelText<'a> {
    flow: &'a Flow<'a>,
    /// By statement, the row of its value; `usize::MAX`: it has none.
    row_of: &'a [usize],
    piece: usize,
    text: String,
    /// Loaded values, and the numbers of their names.
    loaded: HashMap<Held, usize>,
    /// Statements of earlier kernels that were done again so far.
    again: HashSet<usize>,
    stores: usize,
}

impl KernelText<'_> {
    fn new<'a>(flow: &'a Flow<'a>, row_of: &'a [usize], piece: usize) -> KernelText<'a> {
        let range = flow.pieces[piece].clone();
        let text = flow.line.opening(range.clone()).to_string();
        let (loaded, again) = (HashMap::new(), HashSet::new());
        let mut kernel = KernelText { flow, row_of, piece, text, loaded, again, stores: 0 };
        for first in range.clone().step_by(BLOCK) {
            let block = first..range.end.min(first + BLOCK);
            let read = flow.line.statements[block.clone()].iter().flat_map(|statement| operands(*statement));
            read.for_each(|node| kernel.fetch(node));
            kernel.statements(block.clone());
            for number in block.filter(|number| row_of[*number] != usize::MAX) {
                kernel.keep(row_of[number], &format!("t{number}"));
            }
        }
        let stores = &flow.stores[piece];
        stores.iter().for_each(|(_, value)| kernel.fetch(*value));
        for (row, value) in stores {
            let name = kernel.name(*value);
            kernel.keep(*row, &name);
        }
        kernel
    }

    /// A value that the kernel needs is loaded or done again, if it is not there yet.
    fn fetch(&mut self, node: Traced) {
        let Some(found) = self.flow.stored(node) else { return };
        let row = match found {
            Held::Row(row) => row,
            Held::Value(number) if number >= self.flow.pieces[self.piece].start => return,
            Held::Value(number) if self.flow.again[self.piece].contains(&number) => {
                if self.again.insert(number) {
                    operands(self.flow.line.statements[number]).for_each(|operand| self.fetch(operand));
                    self.statements(number..number + 1);
                }
                return;
            }
            Held::Value(number) => self.row_of[number],
        };
        let name = self.loaded.len();
        if let Entry::Vacant(place) = self.loaded.entry(found) {
            place.insert(name);
            let _ = writeln!(self.text, "    let a{name} = value({row}u, instance);");
        }
    }

    fn name(&self, node: Traced) -> String {
        match self.flow.stored(node) {
            None => self.flow.line.given[node.index()].clone(),
            Some(found) => match (self.loaded.get(&found), found) {
                (None, Held::Value(number)) => format!("t{number}"),
                (Some(name), _) => format!("a{name}"),
                (None, Held::Row(row)) => unreachable!("row {row} is fetched before it is read"),
            },
        }
    }

    fn statements(&mut self, range: Range<usize>) {
        let mut text = std::mem::take(&mut self.text);
        self.flow.line.statements(&mut text, range, &|node| self.name(node));
        self.text = text;
    }

    fn keep(&mut self, row: usize, name: &str) {
        let _ = writeln!(self.text, "    keep({row}u, instance, {name});");
        self.stores += 1;
    }
}

/// Rows of the values that live from one kernel to another.
struct Slots {
    /// By statement; `usize::MAX`: it has none.
    of: Vec<usize>,
    /// One past the last.
    end: usize,
}

/// A line in pieces, and from which to which its values live.
struct Flow<'a> {
    line: StraightLine,
    /// By node, what is given.
    given: &'a [Option<Given>],
    pieces: Vec<Range<usize>>,
    /// By piece, rows of results and their values.
    stores: Vec<Vec<(usize, Traced)>>,
    /// By piece, the rows that it reads.
    rows: Vec<BTreeSet<usize>>,
    /// By piece, statements of earlier ones whose values it loads.
    loads: Vec<BTreeSet<usize>>,
    /// By piece, statements of earlier ones that it does again.
    again: Vec<HashSet<usize>>,
    /// By statement, the last piece that loads its value; zero where none does.
    until: Vec<usize>,
}

impl<'a> Flow<'a> {
    fn new(
        line: StraightLine,
        longest: usize,
        results: &[(usize, Traced)],
        given: &'a [Option<Given>],
    ) -> Flow<'a> {
        let pieces = pieces(&line.live(), line.statements.len(), longest);
        let none = || vec![BTreeSet::new(); pieces.len()];
        let (rows, loads, again) = (none(), none(), vec![HashSet::new(); pieces.len()]);
        let (stores, until) = (vec![Vec::new(); pieces.len()], vec![0; line.statements.len()]);
        let mut flow = Flow { line, given, pieces, stores, rows, loads, again, until };
        for piece in 0..flow.pieces.len() {
            for number in flow.pieces[piece].clone() {
                operands(flow.line.statements[number]).for_each(|node| flow.needs(piece, node));
            }
        }
        let stored_by = flow.store(results);
        flow.compute_again(&stored_by);
        for (piece, loads) in flow.loads.iter().enumerate() {
            loads.iter().for_each(|number| flow.until[*number] = piece);
        }
        flow
    }

    fn stored(&self, node: Traced) -> Option<Held> {
        match self.line.number[node.index()] {
            usize::MAX => match self.given[node.index()] {
                Some(Given::Row(row)) => Some(Held::Row(row)),
                _ => None,
            },
            number => Some(Held::Value(number)),
        }
    }

    fn needs(&mut self, piece: usize, node: Traced) {
        match self.stored(node) {
            Some(Held::Row(row)) => {
                self.rows[piece].insert(row);
            }
            Some(Held::Value(number)) if number < self.pieces[piece].start => {
                self.loads[piece].insert(number);
            }
            _ => {}
        }
    }

    /// Each result is stored by the piece that makes it, unless a later one still reads what was in
    /// the row before. Returns by row the piece that stores it.
    fn store(&mut self, results: &[(usize, Traced)]) -> HashMap<usize, usize> {
        let last = self.pieces.len() - 1;
        // By row, the last piece that reads what was there before.
        let mut row_until: HashMap<usize, usize> = HashMap::new();
        for (piece, rows) in self.rows.iter().enumerate() {
            row_until.extend(rows.iter().map(|row| (*row, piece)));
        }
        // Values that are only moved are moved last: all are loaded before any is stored.
        let moved = |(row, value): &(usize, Traced)| match self.stored(*value) {
            Some(Held::Row(from)) if from != *row => Some((from, last)),
            _ => None,
        };
        row_until.extend(results.iter().filter_map(moved));
        let mut stored_by = HashMap::new();
        for (row, value) in results {
            let made = match self.stored(*value) {
                // It is where it belongs.
                Some(Held::Row(from)) if from == *row => continue,
                Some(Held::Value(number)) => self.pieces.partition_point(|piece| piece.end <= number),
                _ => last,
            };
            let piece = made.max(row_until.get(row).copied().unwrap_or(0));
            self.stores[piece].push((*row, *value));
            self.needs(piece, *value);
            stored_by.insert(*row, piece);
        }
        stored_by
    }

    /// Values that a piece does not load but computes again, from what else it has or from one more
    /// row. `stored_by`: by row, the piece that stores its result.
    fn compute_again(&mut self, stored_by: &HashMap<usize, usize>) {
        for piece in 0..self.pieces.len() {
            for number in self.loads[piece].clone() {
                let Some((statements, row)) = self.again_for(number, piece, stored_by) else { continue };
                self.loads[piece].remove(&number);
                self.rows[piece].extend(row);
                self.again[piece].extend(statements);
            }
        }
    }

    /// The statements by which this piece could compute a value that it would load otherwise, and
    /// the row that it had to read for them.
    fn again_for(
        &self,
        number: usize,
        piece: usize,
        stored_by: &HashMap<usize, usize>,
    ) -> Option<(Vec<usize>, Option<usize>)> {
        let (mut statements, mut row) = (vec![number], None);
        let mut next = 0;
        while let Some(number) = statements.get(next).copied() {
            next += 1;
            let statement = self.line.statements[number];
            use GraphNode::{Div, KeptAdd, KeptSub, Sqrt};
            let is_long = matches!(statement, Div(..) | Sqrt(_) | KeptAdd(..) | KeptSub(..));
            if is_long || statements.len() > AGAIN {
                return None;
            }
            for node in operands(statement) {
                match self.stored(node) {
                    Some(Held::Row(from)) if self.rows[piece].contains(&from) || row == Some(from) => {}
                    Some(Held::Row(from)) => {
                        // Its result may have taken the place of what was in the row before.
                        if row.is_some() || stored_by.get(&from).is_some_and(|stored| *stored < piece) {
                            return None;
                        }
                        row = Some(from);
                    }
                    Some(Held::Value(number)) => {
                        let is_there = self.loads[piece].contains(&number)
                            || self.again[piece].contains(&number)
                            || statements.contains(&number);
                        if !is_there {
                            statements.push(number);
                        }
                    }
                    None => {}
                }
            }
        }
        Some((statements, row))
    }

    /// Numbers that an instance loads and stores.
    fn traffic(&self) -> usize {
        let count = |sets: &[BTreeSet<usize>]| sets.iter().map(BTreeSet::len).sum::<usize>();
        let kept: BTreeSet<&usize> = self.loads.iter().flatten().collect();
        count(&self.rows) + count(&self.loads) + kept.len() + self.stores.iter().map(Vec::len).sum::<usize>()
    }

    /// Gives rows from `free` on to what lives from piece to piece. A row is free when the last
    /// piece that loads from it is done.
    fn slots(&self, free: usize) -> Slots {
        let mut slots = Slots { of: vec![usize::MAX; self.until.len()], end: free };
        let mut ending: Vec<Vec<usize>> = vec![Vec::new(); self.pieces.len()];
        let mut unused: Vec<usize> = Vec::new();
        for (piece, range) in self.pieces.iter().enumerate() {
            if let Some(before) = piece.checked_sub(1) {
                unused.append(&mut ending[before]);
            }
            for number in range.clone().filter(|number| self.until[*number] > piece) {
                let row = unused.pop().unwrap_or_else(|| {
                    slots.end += 1;
                    slots.end - 1
                });
                slots.of[number] = row;
                ending[self.until[number]].push(row);
            }
        }
        slots
    }

    /// By cut, how many values live across it.
    fn carried(&self) -> Vec<usize> {
        let across = |(piece, range): (usize, &Range<usize>)| {
            self.until[..range.end].iter().filter(|until| **until > piece).count()
        };
        self.pieces.iter().enumerate().map(across).take(self.pieces.len() - 1).collect()
    }
}
