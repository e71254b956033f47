//! The GPU kernel of one mechanism and method, as text.
//!
//! The [`Program`] of a plan is printed as straight-line WGSL. The ensemble kernel `shaders/ensemble.wgsl` stands behind
//! it, by hand.

use std::fmt::Write as _;

use crate::backend::Plan;
use crate::backend::program::{Input, Program, Update};
use crate::describe::Precision;
use crate::model::WIDTH;
use crate::real::traced::{Expression, Operations, Traced};

/// Invocations of a workgroup.
pub const WORKGROUP: u32 = 64;

/// A kernel, ready for a device, and what its buffers hold.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// WGSL of the whole module.
    pub text: String,
    /// State channels that have a plane, in the order of the planes; those of the motion come first.
    pub state: Vec<usize>,
    /// How many of them belong to the motion: what a snapshot copies.
    pub observed: usize,
    /// Parameters that have a plane, in the order of the planes.
    pub parameters: Vec<usize>,
    /// Values that all instances share: what the kernel reads before the load factors in `shared_values`.
    pub constants: Vec<f64>,
    /// Number of load factors that follow them.
    pub factors: usize,
    /// Operations of one step, and of one start of what the method carries.
    pub step: Operations,
    pub begin: Operations,
    /// Channels that are state of the method but that nothing reads.
    pub dropped: Vec<String>,
    /// The channels that are no state because they are zero from the start to the end.
    pub zero: Vec<usize>,
    /// How often a step asks for moments.
    pub evaluations: usize,
}

impl Kernel {
    /// The kernel of this plan in this precision.
    pub fn new(plan: &Plan, precision: Precision) -> Kernel {
        let program = Program::new(plan, precision);
        let shared: Vec<Traced> =
            program.constants.iter().copied().filter(|c| !is_literal(&program, *c)).collect();
        let printer = Printer { plan, precision, program: &program, shared: &shared };
        let parts = [
            real_text(precision).to_string(),
            printer.header(),
            printer.prepare(),
            printer.step(),
            printer.carried("begin", "What the method carries, at the start.", &program.begin),
            printer.resynchronised(),
            printer.energy(),
            ENSEMBLE.to_string(),
        ];
        let text = parts.map(|part| part.trim_end().to_string()).join("\n\n") + "\n";
        Kernel {
            text,
            observed: program.observed(),
            constants: shared.iter().filter_map(|c| program.graph.constant(*c)).collect(),
            factors: program.factors,
            step: program.operations(&program.step),
            begin: program.operations(&program.begin),
            dropped: program.dropped,
            zero: program.zero,
            evaluations: program.evaluations,
            state: program.state,
            parameters: program.parameters,
        }
    }
}

/// Whether `x` may stand in the text as a literal. Other constants reach the kernel through a buffer, because drivers
/// move literals through products: Mesa turns `c * (x * y)` into `(c * x) * y`, which rounds otherwise than the CPU. A
/// factor 2 would be exact, but Mesa carries it outwards and turns `2 x + y` into `(x + y) + x`.
/// (It also reorders sums of products: see [`cross_add`](crate::math::vector::cross_add).)
fn is_literal_value(x: f64) -> bool {
    x == 0.0 || x.abs() == 1.0
}

fn is_literal(program: &Program, node: Traced) -> bool {
    program.graph.constant(node).is_some_and(is_literal_value)
}

/// The ensemble kernel, by hand.
const ENSEMBLE: &str = include_str!("../../../shaders/ensemble.wgsl");

/// The precision prelude, by hand.
pub fn real_text(precision: Precision) -> &'static str {
    match precision {
        Precision::F32 => include_str!("../../../shaders/real_f32.wgsl"),
        Precision::F64 => include_str!("../../../shaders/real_f64.wgsl"),
    }
}

struct Printer<'a> {
    plan: &'a Plan,
    precision: Precision,
    program: &'a Program,
    /// Constants that are read from `shared_values`, in its order.
    shared: &'a [Traced],
}

/// How a function of the kernel writes the values it is given.
type Inputs<'a> = dyn Fn(Traced) -> Option<String> + 'a;

impl Printer<'_> {
    fn literal(&self, value: f64) -> String {
        // Debug prints the shortest text that reads back to the same value, always with a point or an exponent.
        match self.precision {
            Precision::F32 => format!("{:?}f", value as f32),
            Precision::F64 => format!("{value:?}lf"),
        }
    }

    /// Name of a kept channel by its place.
    fn channel(&self, place: usize) -> &str {
        &self.program.names[self.program.state[place]]
    }

    fn header(&self) -> String {
        let places = 0..self.program.state.len();
        let mut text =
            String::from("// State of the method: what a later step or an output reads.\nstruct State {\n");
        for place in places.clone() {
            let _ = writeln!(text, "    {}: real,", self.channel(place));
        }
        text.push_str("}\n\nfn load_state(instance: u32) -> State {\n    var s: State;\n");
        for place in places.clone() {
            let _ =
                writeln!(text, "    s.{} = state[{place}u * run.stride + instance];", self.channel(place));
        }
        text.push_str("    return s;\n}\n\nfn store_state(instance: u32, s: State) {\n");
        for place in places {
            let _ =
                writeln!(text, "    state[{place}u * run.stride + instance] = s.{};", self.channel(place));
        }
        text.push_str("}\n\nfn is_finite_state(s: State) -> bool {\n    return ");
        let observed = 0..self.program.observed();
        let tests: Vec<String> = observed.map(|p| format!("is_finite_real(s.{})", self.channel(p))).collect();
        text.push_str(&tests.join("\n        && "));
        text.push_str(";\n}\n\n");
        let _ = writeln!(text, "const WORKGROUP = {WORKGROUP}u;");
        let bounds = self.plan.bounds;
        let _ = writeln!(text, "const HAS_NORM_BOUND = {};", bounds.quaternion_norm.is_some());
        let _ = writeln!(text, "const HAS_ENERGY_BOUND = {};", bounds.energy.is_some());
        let norm = self.literal(bounds.quaternion_norm.unwrap_or(0.0));
        let _ = writeln!(text, "const NORM_BOUND_VALUE: real = {norm};");
        text.push_str(&self.norm_error());
        text
    }

    /// The largest error of a quaternion's norm.
    fn norm_error(&self) -> String {
        let mut text = String::from("\nfn norm_error(s: State) -> real {\n    var largest = real(0.0);\n");
        for body in 0..self.plan.model.bodies() {
            // What is not kept rests at zero.
            let component = |channel: usize| match self.program.place(channel) {
                Some(place) => format!("s.{}", self.channel(place)),
                None => "real(0.0)".to_string(),
            };
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| component(body * WIDTH + k));
            let _ = writeln!(
                text,
                "    largest = max(largest, abs(sqrt({d} * {d} + ({c} * {c} + ({b} * {b} + {a} * {a}))) - real(1.0)));"
            );
        }
        text.push_str("    return largest;\n}\n");
        text
    }

    /// An input other than state: the place of a parameter, a factor or a constant in its buffer.
    fn buffer_input(&self, node: Traced) -> Option<String> {
        if let Some(place) = self.shared.iter().position(|c| *c == node) {
            return Some(format!("shared_values[{place}]"));
        }
        match self.program.input(node)? {
            Input::State(_) => None,
            Input::Factor(f) => Some(format!("shared_values[{}]", self.shared.len() + f)),
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

    /// Straight-line text of all that `roots` are made of, from what `inputs` says is there. Returns the names of the
    /// roots.
    fn lines(&self, text: &mut String, roots: &[Traced], inputs: &Inputs<'_>) -> Vec<String> {
        let graph = &self.program.graph;
        let mut wanted = vec![false; graph.nodes().count()];
        for root in roots {
            wanted[root.index()] = true;
        }
        let nodes: Vec<(Traced, Expression)> = graph.nodes().collect();
        for (node, expression) in nodes.iter().rev() {
            if wanted[node.index()] && inputs(*node).is_none() {
                for operand in crate::real::traced::operands(*expression) {
                    wanted[operand.index()] = true;
                }
            }
        }
        let mut names: Vec<String> = vec![String::new(); wanted.len()];
        let mut next = 0;
        for (node, expression) in nodes {
            let index = node.index();
            if !wanted[index] {
                continue;
            }
            if let Some(input) = inputs(node) {
                names[index] = input;
                continue;
            }
            if let Some(value) = graph.constant(node) {
                names[index] = self.literal(value);
                continue;
            }
            let name = |n: Traced| &names[n.index()];
            use Expression::*;
            let value = match expression {
                Constant(_) | Leaf(_) => continue,
                Neg(a) => format!("-({})", name(a)),
                Sqrt(a) => format!("sqrt({})", name(a)),
                Add(a, b) => format!("{} + {}", name(a), name(b)),
                Sub(a, b) => format!("{} - {}", name(a), name(b)),
                Mul(a, b) => format!("{} * {}", name(a), name(b)),
                Div(a, b) => format!("{} / {}", name(a), name(b)),
                MulAdd(a, b, c) => format!("{} * {} + {}", name(a), name(b), name(c)),
                MulSub(a, b, c) => format!("{} * {} - {}", name(a), name(b), name(c)),
                NegMulAdd(a, b, c) => format!("{} - {} * {}", name(c), name(a), name(b)),
            };
            let _ = writeln!(text, "    let t{next} = {value};");
            names[index] = format!("t{next}");
            next += 1;
        }
        roots.iter().map(|root| names[root.index()].clone()).collect()
    }

    /// What `prepare` hands to `step`: the invariants, and the constants that are no literals.
    fn prepared(&self) -> Vec<Traced> {
        let invariants = &self.program.invariants;
        let step: Vec<Traced> = self.program.step.iter().map(|u| u.value).collect();
        let graph = &self.program.graph;
        let stops = |n: Traced| invariants.contains(&n);
        let mut read = vec![false; graph.nodes().count()];
        for root in &step {
            read[root.index()] = true;
        }
        let nodes: Vec<(Traced, Expression)> = graph.nodes().collect();
        for (node, expression) in nodes.into_iter().rev() {
            if read[node.index()] && !stops(node) {
                for operand in crate::real::traced::operands(expression) {
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
            "// What stays the same over a stretch of steps: everything that does not depend on the state.\n\
             struct Prepared {\n",
        );
        for i in 0..prepared.len() {
            let _ = writeln!(text, "    c{i}: real,");
        }
        if prepared.is_empty() {
            text.push_str("    none: u32,\n");
        }
        text.push_str("}\n\nfn prepare(instance: u32) -> Prepared {\n");
        let names = self.lines(&mut text, &prepared, &|n| self.buffer_input(n));
        text.push_str("    var p: Prepared;\n");
        for (i, name) in names.iter().enumerate() {
            let _ = writeln!(text, "    p.c{i} = {name};");
        }
        text.push_str("    return p;\n}\n");
        text
    }

    fn step(&self) -> String {
        let prepared = self.prepared();
        let inputs = |n: Traced| {
            let place = || prepared.iter().position(|p| *p == n);
            self.state_input(n).or_else(|| place().map(|i| format!("p.c{i}")))
        };
        let updates = &self.program.step;
        let operations = self.program.operations(updates);
        format!(
            "// One full step: {} operations, a multiply-add counted as two.\n\
             fn step(p: Prepared, s: State) -> State {{\n{}}}\n",
            operations.total(),
            self.assignments("    var next: State;\n", updates, &inputs)
        )
    }

    /// A function that gives new values to what the method carries.
    fn carried(&self, name: &str, meaning: &str, updates: &[Update]) -> String {
        let inputs = |n: Traced| self.state_input(n).or_else(|| self.buffer_input(n));
        let operations = self.program.operations(updates);
        format!(
            "// {meaning} ({} operations.)\nfn {name}(instance: u32, s: State) -> State {{\n{}}}\n",
            operations.total(),
            self.assignments("    var next = s;\n", updates, &inputs)
        )
    }

    /// As [`Printer::carried`]. What is as at the start is taken from there: it may be most of a long text.
    fn resynchronised(&self) -> String {
        let (begin, again) = (&self.program.begin, &self.program.resynchronised);
        let (shared, own): (Vec<Update>, Vec<Update>) =
            again.iter().partition(|update| begin.contains(update));
        if shared.is_empty() {
            let meaning = "What the method carries after it was resynchronised.";
            return self.carried("resynchronised", meaning, again);
        }
        let inputs = |n: Traced| self.state_input(n).or_else(|| self.buffer_input(n));
        let mut text = String::from(
            "// What the method carries after it was resynchronised: as at the start, but for what follows.\n\
             fn resynchronised(instance: u32, s: State) -> State {\n",
        );
        text.push_str(&self.assignments("    var next = begin(instance, s);\n", &own, &inputs));
        text.push_str("}\n");
        text
    }

    /// The body of a function: values, then `next` with these updates.
    fn assignments(&self, next: &str, updates: &[Update], inputs: &Inputs<'_>) -> String {
        let mut text = String::new();
        let roots: Vec<Traced> = updates.iter().map(|u| u.value).collect();
        let names = self.lines(&mut text, &roots, inputs);
        text.push_str(next);
        for (update, name) in updates.iter().zip(names) {
            let _ = writeln!(text, "    next.{} = {name};", self.channel(update.place));
        }
        text.push_str("    return next;\n");
        text
    }

    fn energy(&self) -> String {
        let mut body = String::new();
        let inputs = |n: Traced| self.state_input(n).or_else(|| self.buffer_input(n));
        let names = self.lines(&mut body, &self.program.energy, &inputs);
        format!(
            "// Change of the energy since the start, and how much of it is allowed (J).\n\
             struct EnergyChange {{\n    value: real,\n    allowed: real,\n}}\n\n\
             fn energy_change(instance: u32, s: State) -> EnergyChange {{\n{body}    return EnergyChange({}, {});\n}}\n",
            names[0], names[1]
        )
    }
}
