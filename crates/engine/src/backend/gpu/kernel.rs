//! The GPU kernel of one mechanism and method, as text.
//!
//! The [`Program`] of a plan is printed as straight-line WGSL. The ensemble kernel
//! `shaders/ensemble.wgsl` stands behind it, by hand.

use std::fmt::Write as _;

use super::nearest;
use super::straight_line::{self, FunctionSignature, FunctionText, InputText, Phrasing, literal};
use crate::backend::Plan;
use crate::backend::lead::{self, LEAD_NUMBERS, LeadInput, LeadProgram};
use crate::backend::program::{BoundedValue, Input, Lows, Program, Update};
use crate::base::Precision;
use crate::ensemble::schedule::Schedule;
use crate::methods::lead::STAGES;
use crate::methods::own_steps::MOST_ATTEMPTS;
use crate::model::WIDTH;
use crate::real::Element;
use crate::real::traced::{Graph, GraphNode, Operations, Traced, operands};

/// Invocations of a workgroup.
pub const WORKGROUP: u32 = 64;

/// A condition by which straight-line text keeps rounded numbers as they are. A step has a piece at
/// least, which no driver knows.
pub(super) const NEVER: &str = "\
// No driver merges a value that is selected by this with numbers computed from it, or changes
// their order.
fn is_never() -> bool {
    return run.pieces == 0u;
}
";

/// Bindings of a probe: the uniform, whose one member is never zero, the numbers that are given,
/// and the answers. `real` is declared before this.
pub(super) const PROBE_BINDINGS: &str = "\
struct Run {
    pieces: u32,
}

@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> numbers: array<real>;
@group(0) @binding(2) var<storage, read_write> answers: array<real>;
";

/// A kernel, ready for a device, and what its buffers hold.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// WGSL of the whole module.
    pub text: String,
    pub phrasing: Phrasing,
    /// State channels that have a plane, in the order of the planes; those of the motion come
    /// first.
    pub state: Vec<usize>,
    /// Number of them that belong to the motion, or of all where they are sums: a snapshot copies
    /// these.
    pub observed: usize,
    /// Which of them are the lower parts of others.
    pub lows: Lows,
    /// Parameters that have a plane, in the order of the planes.
    pub parameters: Vec<usize>,
    /// Values that all instances share: what the kernel reads before the load factors in
    /// `shared_values`.
    pub constants: Vec<f64>,
    /// Number of load factors that follow them, and of the most pieces of a step that have their
    /// own.
    pub factors: usize,
    pub pieces: usize,
    /// Operations of one step.
    pub step: Operations,
    /// Floating-point operations of one start of what the method carries.
    pub begin: usize,
    /// Channels that are state of the method but that nothing reads.
    pub dropped: Vec<String>,
    /// The channels that are no state because they are zero from the start to the end.
    pub zero: Vec<usize>,
    /// Number of times that a step asks for moments.
    pub evaluations: usize,
}

impl Kernel {
    /// The kernel of this plan in this precision.
    pub fn new(plan: &Plan, precision: Precision) -> Kernel {
        Self::of(plan, precision, &Program::new(plan, precision))
    }

    /// As [`Kernel::new`], from the plan's program in this precision.
    pub fn of(plan: &Plan, precision: Precision, program: &Program) -> Kernel {
        Self::phrased(plan, precision, program, Phrasing::default())
    }

    /// As [`Kernel::of`], sums and products in these words.
    pub fn phrased(plan: &Plan, precision: Precision, program: &Program, phrasing: Phrasing) -> Kernel {
        Self::cut(plan, precision, program, phrasing, straight_line::LONGEST)
    }

    /// Length of the text.
    pub fn lines(&self) -> usize {
        self.text.lines().count()
    }

    /// About how many lines the kernel of a program has, without printing it.
    pub fn expected_lines(program: &Program) -> usize {
        let Program { graph, step, begin, resynchronised, .. } = program;
        let mut invariant = vec![false; graph.nodes().count()];
        for node in &program.invariants {
            invariant[node.index()] = true;
        }
        let is_leaf = |n: Traced| program.input(n).is_some();
        let lines = |roots: &[Traced], given: &dyn Fn(Traced) -> bool| {
            straight_line::lines(graph, roots, given, straight_line::LONGEST)
        };
        let values = |updates: &[&Update]| updates.iter().map(|u| u.value).collect::<Vec<_>>();
        let own: Vec<&Update> = resynchronised.iter().filter(|update| !begin.contains(update)).collect();
        let step: Vec<&Update> = step.iter().collect();
        let begin: Vec<&Update> = begin.iter().collect();
        // A function for each part, and a struct.
        let led =
            program.lead.as_ref().map_or(0, |LeadProgram { open, stage, settled, close, names, .. }| {
                let parts = [open, stage, settled, close].map(|updates| {
                    let values: Vec<Traced> = updates.iter().map(|u| u.value).collect();
                    lines(&values, &is_leaf) + updates.len() + 5
                });
                names.len() + 20 + parts.iter().sum::<usize>()
            });
        let judged = program.judged.iter().map(|judged| lines(&[judged.value, judged.allowed], &is_leaf));
        let prepared = lines(&program.invariants, &is_leaf) + 2 * program.invariants.len();
        let stepped = lines(&values(&step), &|n| is_leaf(n) || invariant[n.index()]);
        let carried = lines(&values(&begin), &is_leaf) + lines(&values(&own), &is_leaf);
        let by_hand = ENSEMBLE.lines().count() + 100;
        // A channel is declared, loaded, stored and flushed, and given its new values.
        let channels = 4 * program.state.len() + program.observed();
        let updates = step.len() + begin.len() + own.len();
        by_hand + channels + updates + prepared + stepped + carried + led + judged.sum::<usize>()
    }

    /// As [`Kernel::new`], in functions of at most about `longest` statements.
    fn cut(
        plan: &Plan,
        precision: Precision,
        program: &Program,
        phrasing: Phrasing,
        longest: usize,
    ) -> Kernel {
        let literal = literals(&program.graph);
        let shared: Vec<Traced> = program.constants.iter().copied().filter(|c| !literal[c.index()]).collect();
        let printer = Printer { plan, precision, phrasing, longest, program, shared: &shared };
        let stages = program.lead.iter().flat_map(|lead| lead.lead.stages());
        let stages = stages.flat_map(|stage| lead::numbers(&stage));
        let constants = shared.iter().filter_map(|c| program.graph.constant(*c)).chain(stages).collect();
        let parts = [
            prelude(precision),
            nearest(precision, phrasing),
            if program.lows == Lows(None) && !phrasing.selected { String::new() } else { NEVER.to_string() },
            printer.header(),
            printer.prepare(),
            printer.step(),
            printer.carried("begin", "The method begins to carry these values", &program.begin),
            printer.resynchronised(),
            printer.lead(),
            printer.bounds(),
            ENSEMBLE.to_string(),
        ];
        let parts = parts.iter().map(|part| part.trim_end()).filter(|part| !part.is_empty());
        let text = parts.collect::<Vec<_>>().join("\n\n") + "\n";
        Kernel {
            text,
            phrasing,
            observed: program.observed(),
            lows: program.lows,
            constants,
            factors: program.factors,
            pieces: plan.schedule.most_pieces(),
            step: program.operations(&program.step),
            begin: program.restart(&program.begin),
            dropped: program.dropped.clone(),
            zero: program.zero.clone(),
            evaluations: program.evaluations,
            state: program.state.clone(),
            parameters: program.parameters.clone(),
        }
    }
}

/// By node, whether it is a constant that may stand in the text as a literal. Other constants reach
/// the kernel through a buffer, because drivers move literals through products and sums: Mesa turns
/// `c * (x * y)` into `(c * x) * y`, and `(x + y) + 1` into `(x + 1) + y`, which round otherwise
/// than the CPU. A factor 2 would be exact, but Mesa carries it outwards and turns `2 x + y` into
/// `(x + y) + x`. What is left is zero, and 1 where nothing is added to it. (It also reorders sums
/// of products: see [`cross_add`](crate::math::vector::cross_add).)
pub(super) fn literals(graph: &Graph) -> Vec<bool> {
    let mut literal: Vec<bool> = graph
        .nodes()
        .map(|(node, _)| graph.constant(node).is_some_and(|x| x == 0.0 || x.abs() == 1.0))
        .collect();
    for (_, expression) in graph.nodes() {
        let added = match expression {
            GraphNode::Add(a, b)
            | GraphNode::Sub(a, b)
            | GraphNode::KeptAdd(a, b)
            | GraphNode::KeptSub(a, b) => [Some(a), Some(b)],
            GraphNode::MulAdd(_, _, c) | GraphNode::MulSub(_, _, c) | GraphNode::NegMulAdd(_, _, c) => {
                [Some(c), None]
            }
            _ => [None, None],
        };
        for node in added.into_iter().flatten() {
            if graph.constant(node) != Some(0.0) {
                literal[node.index()] = false;
            }
        }
    }
    literal
}

/// Comparisons that say no where an operand is no number, as functions:
/// [`FunctionSignature::knows_nan`].
pub(super) fn comparisons(precision: Precision) -> String {
    let text = match precision {
        Precision::F32 | Precision::F32Compensated => {
            "fn is_number(x: real) -> bool {\n    return (bitcast<u32>(x) & 0x7fffffffu) <= 0x7f800000u;\n}\n\
             \n// Not of what is no number: drivers turn comparisons about.\n\
             fn is_less(a: real, b: real) -> bool {\n    return is_number(a) & is_number(b) & (a < b);\n}\n"
        }
        // In double precision, whose bits WGSL does not show, comparisons with NaN are kept by the
        // drivers that are known.
        Precision::F64 => "fn is_less(a: real, b: real) -> bool {\n    return a < b;\n}\n",
    };
    text.to_string()
}

/// The ensemble kernel, by hand.
const ENSEMBLE: &str = include_str!("../../../shaders/ensemble.wgsl");

/// The text that every kernel begins with: the type `real`, and functions by hand.
pub fn prelude(precision: Precision) -> String {
    let (real, tiny) = match precision {
        Precision::F32 | Precision::F32Compensated => {
            (include_str!("../../../shaders/real_f32.wgsl"), f64::from(f32::TINY))
        }
        Precision::F64 => (include_str!("../../../shaders/real_f64.wgsl"), f64::TINY),
    };
    let (tiny, flush) = (literal(precision, tiny), Schedule::FLUSH);
    let by_hand = include_str!("../../../shaders/prelude.wgsl");
    format!("{real}\nconst TINY: real = {tiny};\nconst FLUSH = {flush}u;\n\n{by_hand}")
}

/// Functions of corrected quotients and roots, where the text calls them.
pub(super) fn nearest(precision: Precision, phrasing: Phrasing) -> String {
    phrasing.nearest.map_or_else(String::new, |rest| nearest::text(precision, rest))
}

/// A function returns new values of some members of a struct.
#[derive(Clone, Copy)]
struct Assigned<'a> {
    /// The struct.
    of: &'a str,
    /// The name of a member by its place.
    name_of: &'a dyn Fn(usize) -> String,
    /// The statement that declares `next`, with what is not assigned.
    first: &'a str,
    /// The function returns this.
    last: &'a str,
}

/// The largest error of a quaternion's norm, as a function of these parameters. `component`: the
/// text of a kept channel.
pub(super) fn norm_error(
    plan: &Plan,
    program: &Program,
    parameters: &str,
    phrasing: Phrasing,
    component: &dyn Fn(usize) -> String,
) -> String {
    let mut text = format!("fn norm_error({parameters}) -> real {{\n    var largest = real(0.0);\n");
    let root = if phrasing.nearest.is_some() { "nearest_root" } else { "sqrt" };
    for body in plan.turning() {
        // A channel that is not kept rests at zero.
        let component = |channel: usize| program.place(channel).map_or("real(0.0)".to_string(), component);
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| component(body * WIDTH + k));
        let _ = writeln!(
            text,
            "    largest = max(largest, abs({root}({d} * {d} + ({c} * {c} + ({b} * {b} + {a} * {a}))) - \
             real(1.0)));"
        );
    }
    text.push_str("    return largest;\n}\n");
    text
}

struct Printer<'a> {
    plan: &'a Plan,
    precision: Precision,
    phrasing: Phrasing,
    /// Statements of a function that is not cut.
    longest: usize,
    program: &'a Program,
    /// Constants that are read from `shared_values`, in its order.
    shared: &'a [Traced],
}

impl Printer<'_> {
    fn literal(&self, value: f64) -> String {
        literal(self.precision, value)
    }

    /// Name of a kept channel by its place.
    fn channel(&self, place: usize) -> &str {
        &self.program.names[self.program.state[place]]
    }

    fn header(&self) -> String {
        let places = 0..self.program.state.len();
        let mut text =
            String::from("// A later step or an output reads the state of the method.\nstruct State {\n");
        for place in places.clone() {
            let _ = writeln!(text, "    {}: real,", self.channel(place));
        }
        text.push_str("}\n\nfn load_state(instance: u32) -> State {\n    var s: State;\n");
        for place in places.clone() {
            let _ =
                writeln!(text, "    s.{} = state[{place}u * run.stride + instance];", self.channel(place));
        }
        text.push_str("    return s;\n}\n\nfn store_state(instance: u32, s: State) {\n");
        for place in places.clone() {
            let _ =
                writeln!(text, "    state[{place}u * run.stride + instance] = s.{};", self.channel(place));
        }
        text.push_str("}\n\nfn flushed(s: State) -> State {\n    var next: State;\n");
        for name in places.map(|place| self.channel(place)) {
            let _ = writeln!(text, "    next.{name} = flushed_real(s.{name});");
        }
        text.push_str("    return next;\n");
        text.push_str("}\n\nfn is_finite_state(s: State) -> bool {\n    return ");
        let finite = self.program.finite.iter().cloned().flatten();
        let tests: Vec<String> = finite.map(|p| format!("is_finite_real(s.{})", self.channel(p))).collect();
        // Branches would cost a driver (SwiftShader) a time that doubles with every two of them.
        text.push_str(&tests.join("\n        & "));
        text.push_str(";\n}\n\n");
        let _ = writeln!(text, "const WORKGROUP = {WORKGROUP}u;");
        let bounds = self.plan.bounds;
        let _ = writeln!(text, "const HAS_NORM_BOUND = {};", bounds.quaternion_norm.is_some());
        let norm = self.literal(bounds.quaternion_norm.unwrap_or(0.0));
        let _ = writeln!(text, "const NORM_BOUND_VALUE: real = {norm};");
        text.push('\n');
        let component = |place: usize| format!("s.{}", self.channel(place));
        text.push_str(&norm_error(self.plan, self.program, "s: State", self.phrasing, &component));
        text
    }

    /// Where the numbers of a lead's stages stand in `shared_values`, and behind them the
    /// factors of the timed loads.
    fn first_stage(&self) -> usize {
        self.shared.len()
    }

    fn first_factor(&self) -> usize {
        let stages = self.program.lead.as_ref().map_or(0, |lead| STAGES * lead.lead.steps);
        self.first_stage() + LEAD_NUMBERS * stages
    }

    /// An input other than state: the place of a parameter, a factor or a constant in its buffer.
    fn buffer_input(&self, node: Traced) -> Option<String> {
        if let Some(place) = self.shared.iter().position(|c| *c == node) {
            return Some(format!("shared_values[{place}]"));
        }
        match self.program.input(node)? {
            Input::State(_) | Input::Lead(_) => None,
            Input::Factor(f) => Some(format!("shared_values[{}]", self.first_factor() + f)),
            Input::Parameter(p) => {
                let plane = self.program.parameters.binary_search(&p).ok()?;
                Some(format!("parameters[{plane}u * run.stride + instance]"))
            }
        }
    }

    fn state_input(&self, node: Traced) -> Option<String> {
        match self.program.input(node)? {
            Input::State(channel) => Some(format!("s.{}", self.program.names[channel])),
            _ => None,
        }
    }

    /// The body of a function that computes these values.
    fn body(
        &self,
        roots: &[Traced],
        inputs: &InputText<'_>,
        function: &FunctionSignature<'_>,
    ) -> FunctionText {
        let function = FunctionSignature { phrasing: self.phrasing, ..*function };
        straight_line::body(&self.program.graph, self.precision, roots, inputs, &function, self.longest)
    }

    /// Returns the values that `prepare` hands to `step`: the invariants, and the
    /// constants that are no literals.
    fn prepared(&self) -> Vec<Traced> {
        let invariants = &self.program.invariants;
        let step: Vec<Traced> = self.program.step.iter().map(|u| u.value).collect();
        let graph = &self.program.graph;
        let stops = |n: Traced| invariants.contains(&n);
        let mut read = vec![false; graph.nodes().count()];
        for root in &step {
            read[root.index()] = true;
        }
        let nodes: Vec<(Traced, GraphNode)> = graph.nodes().collect();
        for (node, expression) in nodes.into_iter().rev() {
            if read[node.index()] && !stops(node) {
                for operand in operands(expression) {
                    read[operand.index()] = true;
                }
            }
        }
        let constants = self.shared.iter().copied().filter(|c| read[c.index()]);
        constants.chain(invariants.iter().copied()).collect()
    }

    fn prepare(&self) -> String {
        let prepared = self.prepared();
        let mut text = String::from(
            "// Over a stretch of steps all stays the same that does not depend on the state.\n\
             struct Prepared {\n",
        );
        for i in 0..prepared.len() {
            let _ = writeln!(text, "    c{i}: real,");
        }
        if self.knows_instance() {
            text.push_str("    instance: u32,\n");
        } else if prepared.is_empty() {
            text.push_str("    none: u32,\n");
        }
        text.push_str("}\n\n");
        let function = match self.is_cut() {
            false => Self::of_inputs("prepare"),
            true => FunctionSignature {
                parameters: "instance: u32, piece: u32",
                arguments: "instance, piece",
                ..Self::of_inputs("prepare_piece")
            },
        };
        let inputs = |n: Traced| match self.program.input(n) {
            Some(Input::Factor(f)) if self.is_cut() => Some(self.factor_of_piece(f)),
            _ => self.buffer_input(n),
        };
        let FunctionText { before, lines, roots } = self.body(&prepared, &inputs, &function);
        let FunctionSignature { name, parameters, .. } = function;
        let _ = writeln!(text, "{before}fn {name}({parameters}) -> Prepared {{\n{lines}    var p: Prepared;");
        for (i, name) in roots.iter().enumerate() {
            let _ = writeln!(text, "    p.c{i} = {name};");
        }
        if self.knows_instance() {
            text.push_str("    p.instance = instance;\n");
        }
        text.push_str("    return p;\n}\n");
        if self.is_cut() {
            text.push_str(
                "\nfn prepare(instance: u32) -> Prepared {\n    return prepare_piece(instance, 0u);\n}\n",
            );
        }
        text
    }

    fn step(&self) -> String {
        let prepared = self.prepared();
        let inputs = |n: Traced| {
            let place = || prepared.iter().position(|p| *p == n);
            self.state_input(n).or_else(|| place().map(|i| format!("p.c{i}")))
        };
        let updates = &self.program.step;
        let (name, what) = match self.program.own_steps {
            None => ("step", "A full step takes"),
            Some(_) => ("attempt", "The instance attempts an own step by"),
        };
        let operations = self.program.operations(updates).total();
        let meaning = format!("{what} {operations} operations, a multiply-add counted as two.");
        let function = FunctionSignature {
            name,
            parameters: "p: Prepared, s: State",
            arguments: "p, s",
            knows_nan: self.program.own_steps.is_some(),
            phrasing: Phrasing::default(),
        };
        let channel = |place: usize| self.channel(place).to_string();
        let assigned =
            Assigned { of: "State", name_of: &channel, first: "    var next: State;\n", last: "next" };
        let text = self.assigning(&meaning, &function, assigned, updates, &inputs);
        let Some(places) = self.program.own_steps else { return text };
        let text = match self.precision {
            Precision::F64 => text,
            Precision::F32 | Precision::F32Compensated => format!("{}\n{text}", comparisons(self.precision)),
        };
        let (progress, attempts) = (self.channel(places.progress), self.channel(places.attempts));
        let event = places.event.map_or_else(String::new, |event| {
            let event = self.channel(event);
            format!(
                "        if next.{event} > real(0.0) {{\n            next = resynchronised(p.instance, \
                 next);\n        }}\n"
            )
        });
        let start = format!(
            "fn step(p: Prepared, s: State) -> State {{\n    var next = s;\n    next.{progress} = \
             real(0.0);\n    next.{attempts} = real(0.0);\n"
        );
        // Counted apart from the state: an end that hung on its numbers alone might never come.
        let attempts_of_step = format!("for (var tried = 0u; tried <= {}u; tried++)", MOST_ATTEMPTS as u32);
        if !self.is_cut() {
            return format!(
                "{text}\n// A full step consists of attempts until its end. Their number is bounded: one too \
                 many is the last.\n\
                 {start}    {attempts_of_step} {{\n        next = attempt(p, next);\n{event}        \
                 if next.{progress} >= real(1.0) {{\n            break;\n        }}\n    }}\n    return \
                 next;\n}}\n"
            );
        }
        let edge = self.factor_of_piece(self.program.factors - 1);
        let event = event.replace("        ", "            ");
        format!(
            "{text}\n// A full step consists of attempts until the end of each piece, \
             which are bounded for all together.\n\
             {start}    for (var piece = 0u; piece < run.pieces; piece++) {{\n        \
             let q = prepare_piece(p.instance, piece);\n        let edge = {edge};\n        \
             {attempts_of_step} {{\n            next = attempt(q, next);\n{event}            \
             if next.{progress} >= edge {{\n                break;\n            }}\n        }}\n    }}\n    \
             return next;\n}}\n"
        )
    }

    /// Whether own steps end inside steps of the study, which then have pieces.
    fn is_cut(&self) -> bool {
        self.plan.schedule.has_edge()
    }

    /// A factor of the piece `piece`.
    fn factor_of_piece(&self, factor: usize) -> String {
        let (first, factors) = (self.first_factor() + factor, self.program.factors);
        format!("shared_values[{first}u + piece * {factors}u]")
    }

    /// Whether a step needs to know its instance: it resynchronises by itself, or begins anew piece
    /// by piece.
    fn knows_instance(&self) -> bool {
        self.is_cut() || self.program.own_steps.is_some_and(|places| places.event.is_some())
    }

    /// A function that gives new values to what the method carries.
    fn carried(&self, name: &str, meaning: &str, updates: &[Update]) -> String {
        let inputs = |n: Traced| self.state_input(n).or_else(|| self.buffer_input(n));
        let meaning = format!("{meaning} ({} operations).", self.program.operations(updates).total());
        self.restarting(&meaning, name, "    var next = s;\n", updates, &inputs)
    }

    /// A function that gives new values to what the method carries, after which a chain is led.
    fn restarting(
        &self,
        meaning: &str,
        name: &str,
        next: &str,
        updates: &[Update],
        inputs: &InputText<'_>,
    ) -> String {
        let last = if self.program.lead.is_some() { "led(instance, next)" } else { "next" };
        let channel = |place: usize| self.channel(place).to_string();
        let assigned = Assigned { of: "State", name_of: &channel, first: next, last };
        self.assigning(meaning, &Self::of_instance(name), assigned, updates, inputs)
    }

    /// The chain that the method carries is led away from the motions: a loop over the
    /// stages of Runge-Kutta steps.
    fn lead(&self) -> String {
        let Some(program) = &self.program.lead else { return String::new() };
        let LeadProgram { lead, open, stage, settled, close, names, spans, .. } = program;
        let variable = |k: usize| format!("c.{}", names[k]);
        let inputs = |n: Traced| match self.program.input(n) {
            Some(Input::Lead(LeadInput::Variable(v))) => program.place(v).map(variable),
            Some(Input::Lead(LeadInput::Number(k))) if k < LEAD_NUMBERS => {
                Some(format!("shared_values[{}u + {LEAD_NUMBERS}u * number]", self.first_stage() + k))
            }
            Some(Input::Lead(LeadInput::Number(k))) => {
                let first = self.first_factor() + lead.first_sample * spans + k - LEAD_NUMBERS;
                Some(format!("shared_values[{first}u + {spans}u * (number / {STAGES}u)]"))
            }
            _ => self.state_input(n).or_else(|| self.buffer_input(n)),
        };
        let variable_name = |place: usize| names[place].clone();
        let channel = |place: usize| self.channel(place).to_string();
        let of_lead =
            Assigned { of: "Lead", name_of: &variable_name, first: "    var next: Lead;\n", last: "next" };
        let of_stage = Assigned { first: "    var next = c;\n", ..of_lead };
        let with = |name, parameters, arguments| FunctionSignature {
            parameters,
            arguments,
            ..Self::of_instance(name)
        };
        let (parameters, arguments) = ("instance: u32, s: State, c: Lead", "instance, s, c");
        let operations = |updates: &[Update]| self.program.operations(updates).total();
        let mut text = String::from(
            "// The second chain is led away from the motions by Runge-Kutta steps: one stands here.\n\
             struct Lead {\n",
        );
        for name in names {
            let _ = writeln!(text, "    {name}: real,");
        }
        text.push_str("}\n\n");
        let parts = [
            ("A lead begins at the motions.", Self::of_instance("lead_opened"), of_lead, open),
            (
                &format!("A stage takes {} operations.", operations(stage))[..],
                with("lead_stage", "instance: u32, s: State, c: Lead, number: u32", "instance, s, c, number"),
                of_stage,
                stage,
            ),
            (
                "A Runge-Kutta step ends, and another one may begin there.",
                with("lead_settled", parameters, arguments),
                of_stage,
                settled,
            ),
            (
                "The chain is where the last step ended.",
                with("lead_closed", parameters, arguments),
                Assigned { first: "    var next = s;\n", last: "next", of: "State", name_of: &channel },
                close,
            ),
        ];
        for (meaning, function, result, updates) in parts {
            text.push_str(&self.assigning(meaning, &function, result, updates, &inputs));
            text.push('\n');
        }
        let stages = STAGES * lead.steps;
        let _ = write!(
            text,
            "// {} Runge-Kutta steps lead the chain away from the motions.\n\
             fn led(instance: u32, s: State) -> State {{\n    \
             var c = lead_opened(instance, s);\n    \
             for (var number = 0u; number < {stages}u; number++) {{\n        \
             c = lead_stage(instance, s, c, number);\n        \
             if number % {STAGES}u == {}u {{\n            \
             c = lead_settled(instance, s, c);\n        }}\n    }}\n    \
             return lead_closed(instance, s, c);\n}}\n",
            lead.steps,
            STAGES - 1
        );
        text
    }

    /// As [`Printer::carried`]. What is as at the start is taken from there: it may be most of a
    /// long text.
    fn resynchronised(&self) -> String {
        let (begin, again) = (&self.program.begin, &self.program.resynchronised);
        let (shared, own): (Vec<Update>, Vec<Update>) =
            again.iter().partition(|update| begin.contains(update));
        if shared.is_empty() {
            let meaning = "The method carries these values after it was resynchronised";
            return self.carried("resynchronised", meaning, again);
        }
        let inputs = |n: Traced| self.state_input(n).or_else(|| self.buffer_input(n));
        let meaning =
            "After it was resynchronised the method carries the same as at the start, but for these values.";
        let next = "    var next = begin(instance, s);\n";
        self.restarting(meaning, "resynchronised", next, &own, &inputs)
    }

    /// A function of an instance alone.
    fn of_inputs(name: &str) -> FunctionSignature<'_> {
        FunctionSignature {
            name,
            parameters: "instance: u32",
            arguments: "instance",
            knows_nan: false,
            phrasing: Phrasing::default(),
        }
    }

    /// A function of an instance and its state.
    fn of_instance(name: &str) -> FunctionSignature<'_> {
        FunctionSignature {
            name,
            parameters: "instance: u32, s: State",
            arguments: "instance, s",
            knows_nan: false,
            phrasing: Phrasing::default(),
        }
    }

    /// A function that returns `next` with these updates.
    fn assigning(
        &self,
        meaning: &str,
        function: &FunctionSignature<'_>,
        result: Assigned<'_>,
        updates: &[Update],
        inputs: &InputText<'_>,
    ) -> String {
        let values: Vec<Traced> = updates.iter().map(|u| u.value).collect();
        let FunctionText { before, lines, roots } = self.body(&values, inputs, function);
        let FunctionSignature { name, parameters, .. } = function;
        let Assigned { of, name_of, first, last } = result;
        let mut text = format!("{before}// {meaning}\nfn {name}({parameters}) -> {of} {{\n{lines}{first}");
        for (update, value) in updates.iter().zip(roots) {
            let _ = writeln!(text, "    next.{} = {value};", name_of(update.place));
        }
        let _ = writeln!(text, "    return {last};\n}}");
        text
    }

    /// Returns the WGSL of the values that are compared with bounds, a function each, and of
    /// the verdict that follows.
    fn bounds(&self) -> String {
        let inputs = |n: Traced| self.state_input(n).or_else(|| self.buffer_input(n));
        let mut text = String::from(
            "// A value is judged by how large it may be; 0: however large.\n\
             struct Judged {\n    value: real,\n    allowed: real,\n}\n\n",
        );
        let mut bounds = String::new();
        for judged in &self.program.judged {
            let BoundedValue { verdict, name, value, allowed } = *judged;
            let function = Self::of_instance(name);
            let FunctionText { before, lines, roots } = self.body(&[value, allowed], &inputs, &function);
            let _ = writeln!(
                text,
                "{before}fn {name}(instance: u32, s: State) -> Judged {{\n{lines}    return Judged({}, {});\n\
                 }}\n",
                roots[0], roots[1]
            );
            let _ = writeln!(
                bounds,
                "    if is_passed({name}(instance, s)) {{\n        return {}u; // {}\n    }}",
                verdict.code(),
                verdict.name()
            );
        }
        let _ = write!(
            text,
            "fn is_passed(judged: Judged) -> bool {{\n    \
             return judged.allowed > real(0.0) && abs(judged.value) > judged.allowed;\n}}\n\n\
             // The verdict of the first bound that is passed, else FINISHED.\n\
             fn passed(instance: u32, s: State) -> u32 {{\n{bounds}    return FINISHED;\n}}\n"
        );
        text
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use fearless_simd::Level;

    fn cut(plan: &Plan, precision: Precision, longest: usize) -> Kernel {
        Kernel::cut(plan, precision, &Program::new(plan, precision), Phrasing::default(), longest)
    }

    use super::super::Gpu;
    use super::super::adapter::AdapterChoice;
    use super::super::device::Device;
    use super::super::straight_line::LONGEST;
    use super::*;
    use crate::backend::{Backend, Batch, StateReader, cpu};
    use crate::base::Options;
    use crate::describe::Mechanism;
    use crate::ensemble::Quantities;
    use crate::math::functions::sample::{RESULTS, arguments, assert_all_same, everything};
    use crate::methods::AnyMethod;
    use crate::model::all_channels;
    use crate::real::traced::{leaf, record};
    use crate::treatments::AnyTreatment;
    use crate::yardsticks::{closed_chain, double_pendulum, free_body, manipulator, rolling_ball};

    fn nominal(mechanism: &Mechanism) -> Plan {
        Plan::nominal(mechanism, AnyMethod::default(), 1e-3, 100).expect("a mechanism")
    }

    fn tumbling() -> Plan {
        nominal(&free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.1, 2.0, 0.1]))
    }

    /// A kernel that puts [`everything`] of the first two channels in the place of the channels.
    fn kernel(precision: Precision, longest: usize) -> Kernel {
        let (graph, results) = record(precision, || everything(leaf(0), leaf(1)));
        let (graph, results) = graph.regrouped(&results);
        let marked = graph.reachable(&results);
        let literal = literals(&graph);
        let constants: Vec<(Traced, f64)> = graph
            .nodes()
            .filter(|(node, _)| marked[node.index()])
            .filter_map(|(node, _)| graph.constant(node).map(|value| (node, value)))
            .filter(|(node, _)| !literal[node.index()])
            .collect();
        let inputs = |node: Traced| match graph.expression(node) {
            GraphNode::Leaf(channel) => Some(format!("state[{channel}u * run.stride + instance]")),
            _ => {
                let place = constants.iter().position(|(constant, _)| *constant == node)?;
                Some(format!("shared_values[{place}]"))
            }
        };
        // Inputs are read once, before results are written in their place.
        let function = Printer::of_inputs("everything");
        let FunctionText { before, lines: mut body, roots: names } =
            straight_line::body(&graph, precision, &results, &inputs, &function, longest);
        for (plane, name) in names.iter().enumerate() {
            let _ = writeln!(body, "    let r{plane} = {name};");
        }
        for plane in 0..names.len() {
            let _ = writeln!(body, "    state[{plane}u * run.stride + instance] = r{plane};");
        }
        let (bindings, _) = ENSEMBLE.split_once("// Verdicts").expect("bindings come before verdicts");
        let text = format!(
            "{}\n{bindings}\n{before}@compute @workgroup_size({WORKGROUP})\n\
             fn advance(@builtin(global_invocation_id) id: vec3<u32>) {{\n    let instance = id.x;\n    \
             if instance >= run.count {{\n        return;\n    }}\n{body}}}\n",
            prelude(precision)
        );
        Kernel {
            phrasing: Phrasing::default(),
            text,
            state: (0..RESULTS).collect(),
            observed: RESULTS,
            lows: Lows(None),
            parameters: Vec::new(),
            constants: constants.into_iter().map(|(_, value)| value).collect(),
            factors: 0,
            pieces: 1,
            step: Operations::default(),
            begin: 0,
            dropped: Vec::new(),
            zero: Vec::new(),
            evaluations: 0,
        }
    }

    fn assert_kernel_equals_scalars<E: Element>(precision: Precision, longest: usize) {
        let plan = nominal(&manipulator());
        assert!(plan.moving.len() >= RESULTS, "a plane for every result");
        let arguments = arguments::<E>();
        let mut batch = Batch::new(&plan, arguments.len());
        for (i, (x, y)) in arguments.iter().enumerate() {
            (batch.states[0][i], batch.states[1][i]) = (x.to_f64(), y.to_f64());
        }
        let device =
            Device::open(&AdapterChoice::Any, precision).expect("an adapter: install a software Vulkan");
        let mut gpu =
            Gpu::<E>::with_kernel(plan.clone(), device, kernel(precision, longest)).expect("it compiles");
        gpu.load(&batch).expect("load");
        gpu.advance(0, 1).expect("advance");
        gpu.fetch().expect("fetch");
        let mut planes = vec![vec![f64::NAN; arguments.len()]; RESULTS];
        gpu.read(0, &mut planes);
        for (i, (x, y)) in arguments.into_iter().enumerate() {
            // A value read from a kernel counts as zero where it is tiny.
            let expected = everything(x, y).into_iter().map(Element::flushed);
            assert_all_same("the kernel", (x, y), expected, |result| E::from_f64(planes[result][i]));
        }
    }

    #[test]
    fn a_kernel_of_functions_has_the_bits_of_scalars() {
        // In one function, and cut into many.
        for longest in [LONGEST, 10] {
            assert_kernel_equals_scalars::<f32>(Precision::F32, longest);
            assert_kernel_equals_scalars::<f64>(Precision::F64, longest);
        }
    }

    fn assert_comparisons_are_those_of_scalars<E: Element>(precision: Precision) {
        let plan = tumbling();
        // Beyond 1e308 too, where double precision has numbers.
        let values =
            [-f64::INFINITY, -f64::MAX, -1.5e308, -1.0, 0.0, 1.0, 1.5e308, f64::MAX, f64::INFINITY, f64::NAN];
        let pairs: Vec<(f64, f64)> = values.iter().flat_map(|a| values.map(|b| (*a, b))).collect();
        let mut batch = Batch::new(&plan, pairs.len());
        for (i, (a, b)) in pairs.iter().enumerate() {
            (batch.states[0][i], batch.states[1][i]) = (*a, *b);
        }
        let Kernel { text, .. } = kernel(precision, LONGEST);
        let (head, _) = text.split_once("@compute").expect("an entry");
        let text = format!(
            "{head}\n{}\n@compute @workgroup_size({WORKGROUP})\n\
             fn advance(@builtin(global_invocation_id) id: vec3<u32>) {{\n    let i = id.x;\n    if i >= \
             run.count {{\n        return;\n    }}\n    let less = select(real(0.0), real(1.0), \
             is_less(state[i], state[run.stride + i]));\n    state[i] = less;\n}}\n",
            comparisons(precision)
        );
        let device =
            Device::open(&AdapterChoice::Any, precision).expect("an adapter: install a software Vulkan");
        let kernel = Kernel { text, ..kernel(precision, LONGEST) };
        let mut gpu = Gpu::<E>::with_kernel(plan.clone(), device, kernel).expect("it compiles");
        gpu.load(&batch).expect("load");
        gpu.advance(0, 1).expect("advance");
        gpu.fetch().expect("fetch");
        let mut planes = vec![vec![f64::NAN; pairs.len()]; RESULTS];
        gpu.read(0, &mut planes);
        for (i, (a, b)) in pairs.into_iter().enumerate() {
            let less = E::from_f64(a) < E::from_f64(b);
            assert!(planes[0][i] == f64::from(u8::from(less)), "{precision:?}: {a} < {b}: {}", planes[0][i]);
        }
    }

    #[test]
    fn comparisons_in_a_kernel_are_those_of_scalars() {
        assert_comparisons_are_those_of_scalars::<f32>(Precision::F32);
        assert_comparisons_are_those_of_scalars::<f64>(Precision::F64);
    }

    /// The double pendulum, each instance begun in another state.
    fn double_pendulums(instances: usize) -> (Plan, Batch) {
        let mechanism = double_pendulum();
        let plan = nominal(&mechanism);
        let settings = AnyTreatment::default().card().given(&Options::default());
        let mut constants = plan.constants.clone();
        let start =
            plan.model.resolve(&Quantities::of(&mechanism, 1e-3, Precision::F64, settings), &mut constants);
        let start = all_channels(&start.expect("a mechanism"));
        let mut batch = Batch::new(&plan, instances);
        for (c, (plane, channel)) in batch.states.iter_mut().zip(start).enumerate() {
            // Velocities of all bodies alike: then the joints still hold.
            let faster = if matches!(c % WIDTH, 4..7 | 10..13) { 1e-3 } else { 0.0 };
            plane.iter_mut().enumerate().for_each(|(i, x)| *x = channel * (1.0 + faster * i as f64));
        }
        (plan, batch)
    }

    /// The longest function of a text, in statements `let` that call no part of it.
    fn longest_function(text: &str) -> usize {
        let is_own = |line: &&str| line.starts_with("    let ") && !line.contains("_part_");
        text.split("\nfn ").map(|body| body.lines().filter(is_own).count()).max().unwrap_or(0)
    }

    #[test]
    fn lines_are_known_before_they_are_printed() {
        let chains = [double_pendulum(), closed_chain(0.3), manipulator(), rolling_ball(0.01)];
        for plan in chains.iter().map(nominal).chain([tumbling()]) {
            let name = &plan.model.mechanism().name;
            let program = Program::new(&plan, Precision::F32);
            let lines = Kernel::of(&plan, Precision::F32, &program).lines();
            let expected = Kernel::expected_lines(&program);
            println!("{name}: {lines} lines, {expected} expected");
            assert!(expected.abs_diff(lines) < 60 + lines / 50, "{name}: {lines} lines, {expected} expected");
        }
    }

    #[test]
    fn no_function_is_much_longer_than_asked() {
        let plan = nominal(&manipulator());
        for longest in [LONGEST, 300, 100] {
            let text = cut(&plan, Precision::F64, longest).text;
            // A cut lies up to a tenth off the even division, on both sides.
            let most = longest + longest / 5;
            assert!(longest_function(&text) < most, "{} of {longest}", longest_function(&text));
        }
        let whole = longest_function(&cut(&plan, Precision::F64, usize::MAX).text);
        assert!(whole > LONGEST, "{whole} lines are enough to be cut");
    }

    fn assert_cut_kernel_equals_the_cpu<E: Element>(precision: Precision, longest: usize) {
        let (plan, batch) = double_pendulums(100);
        let kernel = cut(&plan, precision, longest);
        for part in ["step_part_5", "lead_stage_part_5"] {
            let part = format!("fn {part}(");
            assert!(kernel.text.contains(&part), "{part} {longest}");
        }
        let device =
            Device::open(&AdapterChoice::Any, precision).expect("an adapter: install a software Vulkan");
        let gpu = Gpu::<E>::with_kernel(plan.clone(), device, kernel).expect("the kernel compiles");
        let run = |mut backend: Box<dyn Backend>| {
            backend.load(&batch).expect("load");
            backend.advance(0, plan.schedule.every).expect("advance");
            backend.fetch().expect("fetch");
            let mut planes = vec![vec![f64::NAN; batch.count]; plan.moving.len()];
            backend.read(0, &mut planes);
            planes
        };
        let (gpu, cpu) = (run(Box::new(gpu)), run(cpu::open(plan.clone(), precision, false, Level::new())));
        assert!(cpu.iter().flatten().all(|x| x.is_finite()));
        assert!(gpu == cpu, "{precision:?}, {longest}");
    }

    #[test]
    fn a_kernel_cut_into_parts_has_the_bits_of_the_cpu() {
        assert_cut_kernel_equals_the_cpu::<f32>(Precision::F32, 50);
        assert_cut_kernel_equals_the_cpu::<f64>(Precision::F64, 50);
    }
}
