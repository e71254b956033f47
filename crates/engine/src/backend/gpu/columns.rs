//! The text of the kernel that computes columns from the states of instances, as the kernel of the
//! steps holds these: for the statistics of a run in f64, for a page in f32.

use std::fmt::Write as _;

use super::kernel::{WORKGROUP, comparisons, literals, nearest, prelude};
use super::straight_line::{self, FunctionSignature, FunctionText, Phrasing, Rest, literal};
use crate::backend::tally::{ColumnArithmetic, ObservedInput};
use crate::base::Precision;
use crate::real::Element;
use crate::real::traced::{GraphNode, Traced};

/// The kernel of the columns, and its inputs besides the states.
#[derive(Clone, Debug)]
pub struct ColumnsKernel {
    pub text: String,
    /// Planes of `given`, in their order.
    pub given: Vec<GivenNumber>,
    /// First entries of `shared_values`: infinity, then constants of the columns. The shares of the
    /// timed loads follow them.
    pub shared: Vec<f64>,
}

/// A plane of numbers that the kernel of the steps does not hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GivenNumber {
    /// A channel that rests.
    Resting(usize),
    Parameter(usize),
    /// A number of what the instance started with.
    Start(usize),
}

impl ColumnsKernel {
    /// For states whose planes are these channels, held in the first precision; columns are
    /// computed in the second, their quotients and roots corrected in this way.
    pub fn new(
        state: &[usize],
        [held, precision]: [Precision; 2],
        corrected: Option<Rest>,
        what: &ColumnArithmetic<'_>,
    ) -> Self {
        let values = what.columns.iter().map(|column| column.value);
        let roots: Vec<Traced> = values.chain(what.columns.iter().filter_map(|c| c.defined)).collect();
        let reached = what.graph.reachable(&roots);
        let nodes = || what.graph.nodes().filter(|(node, _)| reached[node.index()]);
        let input = |(node, expression)| match expression {
            GraphNode::Leaf(leaf) => Some((node, (what.input)(leaf))),
            _ => None,
        };
        let inputs: Vec<(Traced, ObservedInput)> = nodes().filter_map(input).collect();
        let mut given = Vec::new();
        for (_, input) in &inputs {
            match *input {
                ObservedInput::State(c) if !state.contains(&c) => given.push(GivenNumber::Resting(c)),
                ObservedInput::Parameter(p) => given.push(GivenNumber::Parameter(p)),
                ObservedInput::Start(number) => given.push(GivenNumber::Start(number)),
                ObservedInput::State(_) | ObservedInput::Factor(_) => {}
            }
        }
        let literal_nodes = literals(what.graph);
        let is_shared = |n: &Traced| !literal_nodes[n.index()] && what.graph.constant(*n).is_some();
        let constants: Vec<Traced> = nodes().map(|(node, _)| node).filter(is_shared).collect();
        let shared = constants.iter().filter_map(|n| what.graph.constant(*n));
        let shared: Vec<f64> = std::iter::once(f64::INFINITY).chain(shared).collect();
        let plane = |number: GivenNumber| given.iter().position(|other| *other == number);
        let text_of = |node: Traced| {
            if let Ok(place) = constants.binary_search(&node) {
                return Some(format!("shared_values[{}u]", place + 1));
            }
            let (_, input) = inputs.iter().find(|(leaf, _)| *leaf == node)?;
            let of_given =
                |number| plane(number).map(|plane| format!("given[{plane}u * look.stride + instance]"));
            match *input {
                ObservedInput::State(c) => match state.iter().position(|kept| *kept == c) {
                    Some(plane) => Some(format!("held({plane}u, instance)")),
                    None => of_given(GivenNumber::Resting(c)),
                },
                ObservedInput::Parameter(p) => of_given(GivenNumber::Parameter(p)),
                ObservedInput::Start(number) => of_given(GivenNumber::Start(number)),
                ObservedInput::Factor(span) => Some(format!("shared_values[{}u]", shared.len() + span)),
            }
        };
        let phrasing = Phrasing { selected: true, nearest: corrected, ..Phrasing::default() };
        let function = FunctionSignature {
            name: "observe_columns",
            parameters: "instance: u32",
            arguments: "instance",
            knows_nan: true,
            phrasing,
        };
        let FunctionText { before, lines, roots } =
            straight_line::body(what.graph, precision, &roots, &text_of, &function, straight_line::LONGEST);
        let (held, tiny) = match held {
            Precision::F32 | Precision::F32Compensated => {
                ("f32", literal(Precision::F32, f64::from(f32::TINY)))
            }
            Precision::F64 => ("f64", literal(Precision::F64, f64::TINY)),
        };
        let comparisons = if precision == Precision::F64 { String::new() } else { comparisons(precision) };
        let mut own = format!(
            "// The type of the states.\nalias Held = {held};\nconst HELD_TINY: Held = {tiny};\n\
             const WORKGROUP = {WORKGROUP}u;\nconst COLUMNS = {}u;\n\n{comparisons}{before}\
             fn observe_columns(instance: u32, place: u32) {{\n{lines}",
            what.columns.len(),
        );
        let (values, mut defined) = (&roots[..what.columns.len()], roots[what.columns.len()..].iter());
        for (column, (of, value)) in what.columns.iter().zip(values).enumerate() {
            let shown = match of.defined.and_then(|_| defined.next()) {
                Some(defined) => format!("seen_where({defined}, {value})"),
                None => format!("seen({value})"),
            };
            let _ = writeln!(own, "    values[{column}u * look.values_stride + place] = {shown};");
        }
        own.push_str("}\n");
        let parts = [&prelude(precision), &nearest(precision, phrasing), LOOK, &own, OBSERVE];
        let parts: Vec<&str> =
            parts.iter().map(|part| part.trim_end()).filter(|part| !part.is_empty()).collect();
        ColumnsKernel { text: parts.join("\n\n") + "\n", given, shared }
    }
}

pub(super) const LOOK: &str = include_str!("../../../shaders/look.wgsl");
const OBSERVE: &str = include_str!("../../../shaders/observe.wgsl");
