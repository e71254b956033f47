//! The probe of `f32_compensated`: a device adds pairs of numbers by the text that kernels have,
//! and what it says must be what a processor says. A driver that puts sums in another order, or in
//! higher precision, loses what the state's lower parts are there for.

use super::device::Device;
use super::kernel::{NEVER, WORKGROUP, prelude};
use super::probe;
use super::straight_line::{self, FunctionSignature, Phrasing};
use crate::backend::BackendError;
use crate::base::Precision;
use crate::real::traced::{Graph, GraphNode, LeafRole, Traced, leaf, record};

/// Sums that the probe takes.
const SUMS: usize = 1024;

/// Leaves: a state, what is added to it, and the state's lower part.
const STATE: u32 = 0;
const ADDED: u32 = 1;
const LOW: u32 = 2;

/// `x + (low + added)` as a step has it, and its two values.
fn recorded() -> (Graph, [Traced; 2]) {
    let (graph, sum) = record(Precision::F32Compensated, || leaf(STATE) + leaf(ADDED));
    let role = |leaf| if leaf == STATE { LeafRole::Sum(LOW) } else { LeafRole::Plain };
    let (mut graph, sums, _) = graph.compensated(role, &[(STATE, sum)], &[]);
    let none = graph.constant_node(0.0);
    (graph, [sums[0].high, sums[0].low.unwrap_or(none)])
}

/// WGSL of the probe.
fn text() -> String {
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
        probe::BINDINGS
    )
}

/// Numbers by leaf, whose exponents lie up to 2^30 apart.
fn numbers() -> Vec<f32> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1_u32 << 24) as f32 - 0.5
    };
    let states: Vec<f32> = (0..SUMS).map(|_| next()).collect();
    let added: Vec<f32> = (0..SUMS).map(|i| next() * f32::powi(2.0, (i % 31) as i32 - 25)).collect();
    let lows = states.iter().map(|x| x * f32::EPSILON * 0.25).collect::<Vec<f32>>();
    [states, added, lows].concat()
}

/// Returns `x + (low + added)`, rounded, and what that is off by (Knuth 1969, 4.2.2, theorem B).
fn expected(x: f32, added: f32, low: f32) -> [f32; 2] {
    let rest = low + added;
    let sum = x + rest;
    let of_rest = sum - x;
    let of_x = sum - of_rest;
    [sum, (x - of_x) + (rest - of_rest)]
}

/// # Errors
/// The device does not add in the order that the kernel says.
pub fn probe(device: &Device) -> Result<(), BackendError> {
    add_up(device, &text())
}

fn add_up(device: &Device, text: &str) -> Result<(), BackendError> {
    let numbers = numbers();
    let found = probe::answers(device, text, &numbers, 2 * SUMS, SUMS)?;
    let number = |leaf: u32, i: usize| numbers[leaf as usize * SUMS + i];
    let is_exact = |i: usize| {
        let [sum, error] = expected(number(STATE, i), number(ADDED, i), number(LOW, i));
        found[i] == sum && found[SUMS + i] == error
    };
    match (0..SUMS).filter(|i| !is_exact(*i)).count() {
        0 => Ok(()),
        wrong => Err(BackendError::Sums { adapter: device.summary.name.clone(), wrong, of: SUMS }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::gpu::adapter::AdapterChoice;

    /// The text of a driver that takes `(x + r) - x` for r: it sees no rounding, and so no lower
    /// part.
    #[test]
    fn a_device_that_puts_sums_in_another_order_is_refused() {
        let device =
            Device::open(&AdapterChoice::Any, Precision::F32).expect("an adapter: install a software Vulkan");
        assert!(add_up(&device, &text()).is_ok());
        let low = format!("answers[{SUMS}u + i] = ");
        let reordered = text().replace(&low, &format!("{low}0.0 * "));
        assert_ne!(reordered, text());
        let refused = add_up(&device, &reordered);
        // Lower parts are zero where the sum is exact.
        let most = |wrong: usize| wrong > SUMS / 2;
        assert!(matches!(refused, Err(BackendError::Sums { wrong, .. }) if most(wrong)), "{refused:?}");
    }
}
