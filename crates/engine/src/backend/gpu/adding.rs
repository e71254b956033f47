//! The text by which a device is asked whether it adds as kernels of sums say: for the probe of a
//! run, and for that of a page.

use super::kernel::{NEVER, PROBE_BINDINGS, WORKGROUP, prelude};
use super::straight_line::{self, FunctionSignature, Phrasing};
use crate::base::Precision;
use crate::real::traced::{Graph, GraphNode, LeafRole, Traced, leaf, record};

/// Sums that the probe takes.
pub const SUMS: usize = 1024;

/// Leaves: a state, what is added to it, and the state's lower part.
pub const STATE: u32 = 0;
pub const ADDED: u32 = 1;
pub const LOW: u32 = 2;

/// `x + (low + added)` as a step has it, and its two values.
fn recorded() -> (Graph, [Traced; 2]) {
    let (graph, sum) = record(Precision::F32Compensated, || leaf(STATE) + leaf(ADDED));
    let role = |leaf| if leaf == STATE { LeafRole::Sum(LOW) } else { LeafRole::Plain };
    let (mut graph, sums, _) = graph.compensated(role, &[(STATE, sum)], &[]);
    let none = graph.constant_node(0.0);
    (graph, [sums[0].high, sums[0].low.unwrap_or(none)])
}

/// WGSL of the probe: `numbers` has a plane for each leaf; `answers` gets the rounded sums, then
/// what they are off by.
pub fn text() -> String {
    let (graph, roots) = recorded();
    let input = |node: Traced| match graph.expression(node) {
        GraphNode::Leaf(number) => Some(format!("numbers[{SUMS}u * {number}u + i]")),
        _ => None,
    };
    let function = FunctionSignature {
        name: "add",
        parameters: "i: u32",
        arguments: "i",
        knows_nan: false,
        phrasing: Phrasing::default(),
    };
    let body = straight_line::body(&graph, Precision::F32, &roots, &input, &function, usize::MAX);
    let (before, lines) = (body.before, body.lines);
    let [high, low] = [0, 1].map(|root| &body.roots[root]);
    format!(
        "{}\n{}\n{NEVER}\n{before}\
         @compute @workgroup_size({WORKGROUP})\n\
         fn probe(@builtin(global_invocation_id) id: vec3<u32>) {{\n    let i = id.x;\n{lines}    \
         answers[i] = {high};\n    answers[{SUMS}u + i] = {low};\n}}\n",
        prelude(Precision::F32),
        PROBE_BINDINGS
    )
}
