//! The GPU kernel of one mechanism and method, as text.
//!
//! The [`Program`] of a plan is printed as straight-line WGSL. The ensemble kernel `shaders/ensemble.wgsl` stands behind
//! it, by hand.

use std::fmt::Write as _;

use crate::backend::Plan;
use crate::backend::program::{Input, Program, Update};
use crate::describe::Precision;
use crate::model::WIDTH;
use crate::real::traced::{Expression, Graph, Operations, Traced, operands};

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
        let literal = literals(&program.graph);
        let shared: Vec<Traced> = program.constants.iter().copied().filter(|c| !literal[c.index()]).collect();
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

/// By node, whether it is a constant that may stand in the text as a literal. Other constants reach the kernel through a
/// buffer, because drivers move literals through products and sums: Mesa turns `c * (x * y)` into `(c * x) * y`, and
/// `(x + y) + 1` into `(x + 1) + y`, which round otherwise than the CPU. A factor 2 would be exact, but Mesa carries it
/// outwards and turns `2 x + y` into `(x + y) + x`. What is left is zero, and 1 where nothing is added to it.
/// (It also reorders sums of products: see [`cross_add`](crate::math::vector::cross_add).)
fn literals(graph: &Graph) -> Vec<bool> {
    let mut literal: Vec<bool> = graph
        .nodes()
        .map(|(node, _)| graph.constant(node).is_some_and(|x| x == 0.0 || x.abs() == 1.0))
        .collect();
    for (_, expression) in graph.nodes() {
        let added = match expression {
            Expression::Add(a, b) | Expression::Sub(a, b) => [Some(a), Some(b)],
            Expression::MulAdd(_, _, c) | Expression::MulSub(_, _, c) | Expression::NegMulAdd(_, _, c) => {
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

/// A value as text of this precision.
fn literal(precision: Precision, value: f64) -> String {
    // Debug prints the shortest text that reads back to the same value, always with a point or an exponent.
    match precision {
        Precision::F32 => format!("{:?}f", value as f32),
        Precision::F64 => format!("{value:?}lf"),
    }
}

/// Straight-line text of all that `roots` are made of, from what `inputs` says is there. Returns the names of the
/// roots.
fn lines(
    graph: &Graph,
    precision: Precision,
    text: &mut String,
    roots: &[Traced],
    inputs: &Inputs<'_>,
) -> Vec<String> {
    let mut wanted = vec![false; graph.nodes().count()];
    for root in roots {
        wanted[root.index()] = true;
    }
    let nodes: Vec<(Traced, Expression)> = graph.nodes().collect();
    for (node, expression) in nodes.iter().rev() {
        if wanted[node.index()] && inputs(*node).is_none() {
            for operand in operands(*expression) {
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
            names[index] = literal(precision, value);
            continue;
        }
        let name = |n: Traced| &names[n.index()];
        use Expression::*;
        let value = match expression {
            Constant(_) | Leaf(_) => continue,
            Neg(a) => format!("-({})", name(a)),
            Sqrt(a) => format!("sqrt({})", name(a)),
            Floor(a) => format!("floor({})", name(a)),
            Add(a, b) => format!("{} + {}", name(a), name(b)),
            Sub(a, b) => format!("{} - {}", name(a), name(b)),
            Mul(a, b) => format!("{} * {}", name(a), name(b)),
            Div(a, b) => format!("{} / {}", name(a), name(b)),
            MulAdd(a, b, c) => format!("{} * {} + {}", name(a), name(b), name(c)),
            MulSub(a, b, c) => format!("{} * {} - {}", name(a), name(b), name(c)),
            NegMulAdd(a, b, c) => format!("{} - {} * {}", name(c), name(a), name(b)),
            SelectLess(a, b, yes, no) => {
                format!("select({}, {}, {} < {})", name(no), name(yes), name(a), name(b))
            }
        };
        let _ = writeln!(text, "    let t{next} = {value};");
        names[index] = format!("t{next}");
        next += 1;
    }
    roots.iter().map(|root| names[root.index()].clone()).collect()
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

    /// As [`lines`], of the program.
    fn lines(&self, text: &mut String, roots: &[Traced], inputs: &Inputs<'_>) -> Vec<String> {
        lines(&self.program.graph, self.precision, text, roots, inputs)
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

#[cfg(test)]
mod tests {
    use super::super::Gpu;
    use super::super::device::{Device, Wanted};
    use super::*;
    use crate::backend::{Backend, Batch};
    use crate::describe::read_study;
    use crate::math::functions::sample::{RESULTS, arguments, assert_same, everything};
    use crate::real::Element;
    use crate::real::traced::{leaf, record};
    use crate::study::plan::plan;

    /// A kernel that puts [`everything`] of the first two channels in the place of the channels.
    fn kernel(precision: Precision) -> Kernel {
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
            Expression::Leaf(channel) => Some(format!("state[{channel}u * run.stride + instance]")),
            _ => {
                let place = constants.iter().position(|(constant, _)| *constant == node)?;
                Some(format!("shared_values[{place}]"))
            }
        };
        // Inputs are read once, before results are written in their place.
        let mut body = String::new();
        let names = lines(&graph, precision, &mut body, &results, &inputs);
        for (plane, name) in names.iter().enumerate() {
            let _ = writeln!(body, "    let r{plane} = {name};");
        }
        for plane in 0..names.len() {
            let _ = writeln!(body, "    state[{plane}u * run.stride + instance] = r{plane};");
        }
        let (bindings, _) = ENSEMBLE.split_once("// Verdicts").expect("bindings come before verdicts");
        let text = format!(
            "{}\n{bindings}\n@compute @workgroup_size({WORKGROUP})\n\
             fn advance(@builtin(global_invocation_id) id: vec3<u32>) {{\n    let instance = id.x;\n    \
             if instance >= run.count {{\n        return;\n    }}\n{body}}}\n",
            real_text(precision)
        );
        Kernel {
            text,
            state: (0..RESULTS).collect(),
            observed: RESULTS,
            parameters: Vec::new(),
            constants: constants.into_iter().map(|(_, value)| value).collect(),
            factors: 0,
            step: Operations::default(),
            begin: Operations::default(),
            dropped: Vec::new(),
            zero: Vec::new(),
            evaluations: 0,
        }
    }

    fn assert_kernel_equals_scalars<E: Element>(precision: Precision) {
        let study = concat!(env!("CARGO_MANIFEST_DIR"), "/studies/tumbling.toml");
        let study = read_study(std::path::Path::new(study)).expect("a study");
        let plan = plan(&study).expect("a body");
        assert!(plan.moving.len() >= RESULTS, "a plane for every result");
        let arguments = arguments::<E>();
        let mut batch = Batch::new(&plan, arguments.len());
        for (i, (x, y)) in arguments.iter().enumerate() {
            (batch.states[0][i], batch.states[1][i]) = (x.to_f64(), y.to_f64());
        }
        let device = Device::open(&Wanted::Any, precision).expect("an adapter: install a software Vulkan");
        let mut gpu =
            Gpu::<E>::with_kernel(plan.clone(), device, kernel(precision)).expect("the kernel compiles");
        gpu.load(&batch).expect("load");
        gpu.advance(0, 1).expect("advance");
        gpu.fetch().expect("fetch");
        let mut planes = vec![vec![f64::NAN; arguments.len()]; RESULTS];
        gpu.read(0, &mut planes);
        for (i, (x, y)) in arguments.into_iter().enumerate() {
            assert_same("the kernel", x, y, |result| E::from_f64(planes[result][i]));
        }
    }

    #[test]
    fn a_kernel_of_functions_has_the_bits_of_scalars() {
        assert_kernel_equals_scalars::<f32>(Precision::F32);
        assert_kernel_equals_scalars::<f64>(Precision::F64);
    }
}
