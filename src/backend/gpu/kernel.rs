//! The GPU kernel of one mechanism, as text.
//!
//! One step of the method is run over [`Traced`], which leaves an expression graph. From it follow: which state
//! channels anything reads (the others are dropped from the loop), what does not change during a stretch (computed
//! once, in `prepare`), how many operations a step has, and the straight-line WGSL of it all. The ensemble kernel
//! `shaders/ensemble.wgsl` stands behind it, by hand.

use std::fmt::Write as _;

use crate::backend::Plan;
use crate::describe::Precision;
use crate::methods::staggered::{Chains, Prepared, Start};
use crate::model::{CHANNELS, Parameter, WIDTH, channels, motion};
use crate::real::traced::{Expression, Graph, Operations, Traced, constant, leaf, operands, record};

/// Invocations of a workgroup.
pub const WORKGROUP: u32 = 64;

/// Leaves of the graph: the 26 state channels, then parameters, then the factors of the timed loads.
const FIRST_PARAMETER: u32 = 2 * WIDTH as u32;
const FIRST_FACTOR: u32 = 1 << 20;

/// A kernel, ready for a device, and what its buffers hold.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// WGSL of the whole module.
    pub text: String,
    /// State channels (of the 26 of both chains) that have a plane, in the order of the planes; those of the whole
    /// chain come first.
    pub state: Vec<usize>,
    /// Parameters that have a plane, in the order of the planes.
    pub parameters: Vec<usize>,
    /// Values that all instances share: what the kernel reads before the load factors in `shared_values`.
    pub constants: Vec<f64>,
    /// Operations of one step, and of one restart of the half chain.
    pub step: Operations,
    pub restart: Operations,
    /// Channels that are state of the method but that nothing reads.
    pub dropped: Vec<String>,
}

/// Name of a state channel of both chains.
fn channel_name(c: usize) -> String {
    if c < WIDTH { CHANNELS[c].to_string() } else { format!("half_{}", CHANNELS[c - WIDTH]) }
}

/// What one recording leaves.
struct Recording {
    graph: Graph,
    /// New values of the 26 state channels after a step, and of the half chain's after a restart.
    step: Vec<Traced>,
    restart: Vec<Traced>,
    /// Change of energy and its allowed magnitude.
    energy: [Traced; 2],
}

fn record_method(plan: &Plan, precision: Precision) -> Recording {
    let (graph, (step, restart, energy)) = record(precision, || {
        let model = &plan.model;
        let state: Vec<Traced> = (0..2 * WIDTH)
            .map(|c| {
                let rests = c % WIDTH >= 7 && !plan.translates;
                if rests { constant(0.0) } else { leaf(c as u32) }
            })
            .collect();
        let parameter = |p: usize| {
            if model.varies(p) { leaf(FIRST_PARAMETER + p as u32) } else { constant(plan.constants[p]) }
        };
        let spans = model.spans().len();
        let sum = |interval: usize| {
            model.loads(&parameter, &|f: usize| leaf(FIRST_FACTOR + (interval * spans + f) as u32))
        };
        let h = constant(plan.schedule.h);
        let inertia = model.inertia(&parameter);
        let prepared = Prepared::new(h, inertia, &sum(0), &sum(1));
        let start = Start::new(h, inertia, &sum(2), &sum(3));
        let chain = |first: usize| motion(&std::array::from_fn(|c| state[first + c]));
        let before = Chains { whole: chain(0), half: chain(WIDTH) };
        let mut after = before;
        prepared.step::<true, true>(&mut after);
        let restarted = start.half_chain::<true>(&before.whole);
        let energy = model.energy(&parameter);
        let (value, allowed) = match plan.bounds.energy {
            Some(bound) => (
                energy.change(&before.whole, parameter(Parameter::ENERGY)),
                parameter(Parameter::ENERGY_SCALE) * constant(bound),
            ),
            None => (constant(0.0), constant(0.0)),
        };
        let step: Vec<Traced> = channels(&after.whole).into_iter().chain(channels(&after.half)).collect();
        (step, channels(&restarted).to_vec(), [value, allowed])
    });
    Recording { graph, step, restart, energy }
}

/// The state channels that outputs need, directly or through later steps.
fn live_channels(plan: &Plan, recording: &Recording) -> Vec<bool> {
    let mut live: Vec<bool> = (0..2 * WIDTH).map(|c| c < 7 || c < WIDTH && plan.translates).collect();
    loop {
        let roots: Vec<Traced> = (0..2 * WIDTH)
            .filter(|c| live[*c])
            .flat_map(|c| {
                let restarted = (c >= WIDTH).then(|| recording.restart[c - WIDTH]);
                std::iter::once(recording.step[c]).chain(restarted)
            })
            .chain(recording.energy)
            .collect();
        let mut changed = false;
        for leaf in recording.graph.leaves(&roots) {
            if leaf < FIRST_PARAMETER && !live[leaf as usize] {
                live[leaf as usize] = true;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

impl Kernel {
    /// The kernel of this plan in this precision.
    pub fn new(plan: &Plan, precision: Precision) -> Kernel {
        let recording = record_method(plan, precision);
        let live = live_channels(plan, &recording);
        let state: Vec<usize> = (0..2 * WIDTH).filter(|c| live[*c]).collect();
        let half: Vec<usize> = state.iter().copied().filter(|c| *c >= WIDTH).collect();
        let step_roots: Vec<Traced> = state.iter().map(|c| recording.step[*c]).collect();
        let restart_roots: Vec<Traced> = half.iter().map(|c| recording.restart[*c - WIDTH]).collect();
        let all: Vec<Traced> =
            step_roots.iter().chain(&restart_roots).chain(&recording.energy).copied().collect();
        let parameters: Vec<usize> = recording
            .graph
            .leaves(&all)
            .into_iter()
            .filter(|l| (FIRST_PARAMETER..FIRST_FACTOR).contains(l))
            .map(|l| (l - FIRST_PARAMETER) as usize)
            .collect();

        let constants = shared_constants(&recording.graph, &all);
        let mut printer = Printer {
            plan,
            precision,
            graph: &recording.graph,
            parameters: &parameters,
            constants: &constants,
        };
        let (step_text, prepare_text, step) = printer.step(&state, &step_roots);
        let (restart_text, restart) = printer.restart(&half, &restart_roots);
        let energy_text = printer.energy(&recording.energy);
        let mut text = String::new();
        let header = printer.header(&state);
        let (real, ensemble) = (real_text(precision), ENSEMBLE);
        for part in [real, &header, &prepare_text, &step_text, &restart_text, &energy_text, ensemble] {
            text.push_str(part.trim_end());
            text.push_str("\n\n");
        }
        let dropped = (0..2 * WIDTH)
            .filter(|c| !live[*c] && (plan.translates || c % WIDTH < 7))
            .map(channel_name)
            .collect();
        let text = text.trim_end().to_string() + "\n";
        Kernel { text, state, parameters, constants, step, restart, dropped }
    }

    /// Planes of the whole chain: what a snapshot copies.
    pub fn whole_planes(&self) -> usize {
        self.state.iter().filter(|c| **c < WIDTH).count()
    }
}

/// Whether `x` may stand in the text as a literal. Other constants reach the kernel through a buffer, because drivers
/// move literals through products: Mesa turns `c * (x * y)` into `(c * x) * y`, which rounds otherwise than the CPU. A
/// factor 2 would be exact, but Mesa carries it outwards and turns `2 x + y` into `(x + y) + x`.
/// (It also reorders sums of products: see [`cross_add`](crate::math::vector::cross_add).)
fn is_literal_value(x: f64) -> bool {
    x == 0.0 || x.abs() == 1.0
}

/// The constants among what `roots` are made of that are no literals.
fn shared_constants(graph: &Graph, roots: &[Traced]) -> Vec<f64> {
    let marked = graph.reachable(roots);
    graph
        .nodes()
        .filter(|(node, _)| marked[node.index()])
        .filter_map(|(node, _)| graph.constant(node))
        .filter(|x| !is_literal_value(*x))
        .collect()
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
    graph: &'a Graph,
    parameters: &'a [usize],
    constants: &'a [f64],
}

/// How a function of the kernel writes the values it is given.
type Inputs<'a> = dyn Fn(Traced) -> Option<String> + 'a;

impl Printer<'_> {
    fn literal(&self, value: f64) -> String {
        let suffix = match self.precision {
            Precision::F32 => "f",
            Precision::F64 => "lf",
        };
        // Debug prints the shortest text that reads back to the same value, always with a point or an exponent.
        match self.precision {
            Precision::F32 => format!("{:?}{suffix}", value as f32),
            Precision::F64 => format!("{value:?}{suffix}"),
        }
    }

    fn header(&self, state: &[usize]) -> String {
        let mut text = String::from("// State of the method: what a later step or an output reads.\nstruct State {\n");
        for c in state {
            let _ = writeln!(text, "    {}: real,", channel_name(*c));
        }
        text.push_str("}\n\nfn load_state(instance: u32) -> State {\n    var s: State;\n");
        for (plane, c) in state.iter().enumerate() {
            let _ = writeln!(text, "    s.{} = state[{plane}u * run.stride + instance];", channel_name(*c));
        }
        text.push_str("    return s;\n}\n\nfn store_state(instance: u32, s: State) {\n");
        for (plane, c) in state.iter().enumerate() {
            let _ = writeln!(text, "    state[{plane}u * run.stride + instance] = s.{};", channel_name(*c));
        }
        text.push_str("}\n\nfn is_finite_state(s: State) -> bool {\n    return ");
        let whole = state.iter().filter(|c| **c < WIDTH);
        let tests: Vec<String> = whole.map(|c| format!("is_finite_real(s.{})", channel_name(*c))).collect();
        text.push_str(&tests.join("\n        && "));
        text.push_str(";\n}\n\n");
        let _ = writeln!(text, "const WORKGROUP = {WORKGROUP}u;");
        let bounds = self.plan.bounds;
        let _ = writeln!(text, "const HAS_NORM_BOUND = {};", bounds.quaternion_norm.is_some());
        let _ = writeln!(text, "const HAS_ENERGY_BOUND = {};", bounds.energy.is_some());
        let norm = self.literal(bounds.quaternion_norm.unwrap_or(0.0));
        let _ = writeln!(text, "const NORM_BOUND_VALUE: real = {norm};");
        text
    }

    fn is_literal(&self, node: Traced) -> bool {
        self.graph.constant(node).is_some_and(is_literal_value)
    }

    /// An input other than state: the place of a parameter, a factor or a constant in its buffer.
    fn buffer_input(&self, node: Traced) -> Option<String> {
        if let Some(value) = self.graph.constant(node) {
            let place = self.constants.iter().position(|c| c.to_bits() == value.to_bits())?;
            return Some(format!("shared_values[{place}]"));
        }
        let Expression::Leaf(l) = self.graph.expression(node) else { return None };
        if l < FIRST_PARAMETER {
            return None;
        }
        if l >= FIRST_FACTOR {
            let place = self.constants.len() as u32 + l - FIRST_FACTOR;
            return Some(format!("shared_values[{place}]"));
        }
        let p = (l - FIRST_PARAMETER) as usize;
        let plane = self.parameters.iter().position(|q| *q == p)?;
        Some(format!("parameters[{plane}u * run.stride + instance]"))
    }

    fn state_input(&self, node: Traced) -> Option<String> {
        match self.graph.expression(node) {
            Expression::Leaf(l) if l < FIRST_PARAMETER => Some(format!("s.{}", channel_name(l as usize))),
            _ => None,
        }
    }

    /// Straight-line text of the nodes in `wanted`; `inputs` says what is already there. Returns the name of every
    /// printed node.
    fn lines(
        &self,
        text: &mut String,
        wanted: &[bool],
        inputs: &Inputs<'_>,
        operations: &mut Operations,
    ) -> Vec<Option<String>> {
        let mut names: Vec<Option<String>> = vec![None; wanted.len()];
        let mut next = 0;
        for (index, (node, expression)) in self.graph.nodes().enumerate() {
            if !wanted[index] {
                continue;
            }
            if let Some(input) = inputs(node) {
                names[index] = Some(input);
                continue;
            }
            if let Some(value) = self.graph.constant(node) {
                // A constant that is no literal is an input.
                names[index] = Some(self.literal(value));
                continue;
            }
            let name = |n: Traced| names[n.index()].clone().unwrap_or_default();
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
            operations.count(expression);
            let _ = writeln!(text, "    let t{next} = {value};");
            names[index] = Some(format!("t{next}"));
            next += 1;
        }
        names
    }

    /// `prepare` and `step`: what depends on the state is in the step, the rest before it.
    fn step(&mut self, state: &[usize], roots: &[Traced]) -> (String, String, Operations) {
        let depends = self.graph.depends(|l| l < FIRST_PARAMETER);
        let reached = self.graph.reachable(roots);
        let literal = |n: Traced| self.is_literal(n);
        // What the step takes from before it: invariant values that a step's own operation, or its result, uses.
        let mut frontier: Vec<Traced> = Vec::new();
        let mut take = |n: Traced| {
            if !depends[n.index()] && !literal(n) && !frontier.contains(&n) {
                frontier.push(n);
            }
        };
        for (node, expression) in self.graph.nodes() {
            if reached[node.index()] && depends[node.index()] {
                operands(expression).for_each(&mut take);
            }
        }
        roots.iter().copied().for_each(&mut take);

        let mut prepare = String::from(
            "// What stays the same over a stretch of steps: everything that does not depend on the state.\n\
             struct Prepared {\n",
        );
        for i in 0..frontier.len() {
            let _ = writeln!(prepare, "    c{i}: real,");
        }
        if frontier.is_empty() {
            prepare.push_str("    none: u32,\n");
        }
        prepare.push_str("}\n\nfn prepare(instance: u32) -> Prepared {\n");
        let mut ignored = Operations::default();
        let names =
            self.lines(&mut prepare, &self.graph.reachable(&frontier), &|n| self.buffer_input(n), &mut ignored);
        prepare.push_str("    var p: Prepared;\n");
        for (i, node) in frontier.iter().enumerate() {
            let _ = writeln!(prepare, "    p.c{i} = {};", names[node.index()].clone().unwrap_or_default());
        }
        prepare.push_str("    return p;\n}\n");

        let mut operations = Operations::default();
        let mut body = String::new();
        let inputs = |n: Traced| {
            self.state_input(n).or_else(|| frontier.iter().position(|f| *f == n).map(|i| format!("p.c{i}")))
        };
        let wanted: Vec<bool> = self
            .graph
            .nodes()
            .map(|(n, _)| {
                let i = n.index();
                reached[i] && (depends[i] || literal(n) || frontier.contains(&n))
            })
            .collect();
        let names = self.lines(&mut body, &wanted, &inputs, &mut operations);
        let mut step = format!(
            "// One full step of both chains: {} operations, a multiply-add counted as two.\n\
             fn step(p: Prepared, s: State) -> State {{\n{body}    var next: State;\n",
            operations.total()
        );
        for (c, root) in state.iter().zip(roots) {
            let value = names[root.index()].clone().unwrap_or_default();
            let _ = writeln!(step, "    next.{} = {value};", channel_name(*c));
        }
        step.push_str("    return next;\n}\n");
        (step, prepare, operations)
    }

    fn restart(&mut self, half: &[usize], roots: &[Traced]) -> (String, Operations) {
        let mut operations = Operations::default();
        let mut body = String::new();
        let inputs = |n: Traced| self.state_input(n).or_else(|| self.buffer_input(n));
        let names = self.lines(&mut body, &self.graph.reachable(roots), &inputs, &mut operations);
        let mut text = format!(
            "// The half chain from the whole one: RK4 over half a step, in two substeps ({} operations).\n\
             fn restart(instance: u32, s: State) -> State {{\n{body}    var next = s;\n",
            operations.total()
        );
        for (c, root) in half.iter().zip(roots) {
            let value = names[root.index()].clone().unwrap_or_default();
            let _ = writeln!(text, "    next.{} = {value};", channel_name(*c));
        }
        text.push_str("    return next;\n}\n");
        (text, operations)
    }

    fn energy(&mut self, roots: &[Traced; 2]) -> String {
        let mut body = String::new();
        let mut ignored = Operations::default();
        let inputs = |n: Traced| self.state_input(n).or_else(|| self.buffer_input(n));
        let names = self.lines(&mut body, &self.graph.reachable(roots), &inputs, &mut ignored);
        let name = |n: Traced| names[n.index()].clone().unwrap_or_default();
        format!(
            "// Change of the energy since the start, and how much of it is allowed (J).\n\
             struct EnergyChange {{\n    value: real,\n    allowed: real,\n}}\n\n\
             fn energy_change(instance: u32, s: State) -> EnergyChange {{\n{body}    return EnergyChange({}, {});\n}}\n",
            name(roots[0]),
            name(roots[1])
        )
    }
}
