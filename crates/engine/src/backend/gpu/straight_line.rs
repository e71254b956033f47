//! Straight-line WGSL of what a graph computes, in one function or cut into several.
//!
//! naga's front end (30.0) reads a function in a time that grows with the square of its length: for
//! every statement `Typifier::grow` walks all expressions of the function up to it. A text of
//! 38,000 lines in one function takes seconds. So a long function is cut: its first parts are
//! functions of their own, which hand on in a struct what is still needed.
//!
//! ```text
//! fn begin_part_1(instance: u32, s: State) -> BeginPart1 { ... }
//! fn begin_part_2(instance: u32, s: State, l: BeginPart1) -> BeginPart2 { ... }
//! fn begin(instance: u32, s: State) -> State {
//!     let l1 = begin_part_1(instance, s);
//!     let l = begin_part_2(instance, s, l1);
//!     ...
//! ```
//!
//! Drivers put functions into their callers, so that the code they make is that of one function.

use std::fmt::Write as _;
use std::ops::Range;

use crate::base::Precision;
use crate::real::traced::{Graph, GraphNode, Traced, operands};

/// Statements of a function that is not cut. A chain of ten bodies is generated and read in about
/// .3 s for 500 to 1500, .4 s for 2000, .5 s for 3000, and 2 s uncut; of twenty bodies, in .9 s for
/// 1000 to 2000, and more below. Kernels that are kept to be read are shorter.
pub const LONGEST: usize = 2000;

/// Gives the text by which a function reads a value; `None`: the function is not given that value.
pub type InputText<'a> = dyn Fn(Traced) -> Option<String> + 'a;

/// The signature that the parts of a function share: their names begin with its own.
#[derive(Clone, Copy)]
pub struct FunctionSignature<'a> {
    pub name: &'a str,
    /// As declared, for example `instance: u32, s: State`.
    pub parameters: &'a str,
    /// As passed on, for example `instance, s`.
    pub arguments: &'a str,
    /// Its comparisons say no where an operand is NaN. WGSL leaves open what they say then, and in
    /// single precision drivers turn them about.
    pub knows_nan: bool,
    pub phrasing: Phrasing,
}

/// The words for sums and products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phrasing {
    /// A multiply-add is `fma`, rounded once; else a product and a sum.
    pub fused: bool,
    /// Sums and products are selected by a condition that never holds, which hands on what it is
    /// given: no driver makes one operation of two, or puts them in another order.
    pub selected: bool,
    /// The way by which quotients and roots are [corrected](super::nearest), where the device does
    /// not round them to the nearest.
    pub nearest: Option<Rest>,
}

/// The way to find `a - q b` without rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// By `fma`, which is rounded once.
    Fused,
    /// By halves of the factors, whose products are exact (Dekker 1971). Sums have to be as
    /// written.
    Split,
}

/// The text of a function, but for its signature and what it returns.
pub struct FunctionText {
    /// The functions that do its first parts; empty if it is not cut.
    pub before: String,
    /// Its own statements.
    pub lines: String,
    /// Its names for the roots.
    pub roots: Vec<String>,
}

/// All that `roots` are made of, from what `inputs` says is there, in functions of at most
/// about `longest` statements.
pub fn body(
    graph: &Graph,
    precision: Precision,
    roots: &[Traced],
    inputs: &InputText<'_>,
    function: &FunctionSignature<'_>,
    longest: usize,
) -> FunctionText {
    let line = StraightLine::new(graph, precision, roots, inputs, function);
    let cuts = line.cuts(longest);
    let mut body = FunctionText { before: String::new(), lines: String::new(), roots: Vec::new() };
    let mut first = 0;
    for (k, cut) in cuts.iter().enumerate() {
        line.part(&mut body.before, function, k + 1, first..*cut);
        first = *cut;
    }
    for k in 1..=cuts.len() {
        let (_, part) = part_names(function, k);
        let handed = if k > 1 { format!(", l{}", k - 1) } else { String::new() };
        let to = if k < cuts.len() { format!("l{k}") } else { "l".to_string() };
        let _ = writeln!(body.lines, "    let {to} = {part}({}{handed});", function.arguments);
    }
    body.lines.push_str(line.opening(first..line.statements.len()));
    line.statements(&mut body.lines, first..line.statements.len(), &|node| line.name(node, first));
    body.roots = roots.iter().map(|root| line.name(*root, first)).collect();
    body
}

/// Lines of what [`body`] makes, nearly: `given` says what it takes from elsewhere. No text is
/// made.
pub fn lines(graph: &Graph, roots: &[Traced], given: &dyn Fn(Traced) -> bool, longest: usize) -> usize {
    let phrasing = Phrasing::default();
    let function = FunctionSignature { name: "", parameters: "", arguments: "", knows_nan: false, phrasing };
    let input = |node: Traced| given(node).then(|| "given".to_string());
    let line = StraightLine::new(graph, Precision::F64, roots, &input, &function);
    // A struct and a function for each part, with a line for every value and for every ten of them.
    let handed_on = line.cuts(longest).into_iter().map(|cut| {
        let handed_on = line.last_use[..cut].iter().filter(|last_use| **last_use >= cut).count();
        handed_on + handed_on.div_ceil(10) + 8
    });
    line.statements.len() + handed_on.sum::<usize>()
}

/// Names of a part: of the struct that it hands on, and of the function.
fn part_names(function: &FunctionSignature<'_>, part: usize) -> (String, String) {
    let capitalised = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str())
    };
    let camel: String = function.name.split('_').filter_map(capitalised).collect();
    (format!("{camel}Part{part}"), format!("{}_part_{part}", function.name))
}

/// A literal of this value.
pub fn literal(precision: Precision, value: f64) -> String {
    // Debug prints the shortest text that reads back to the same value, always with a point or an
    // exponent.
    match precision {
        Precision::F32 | Precision::F32Compensated => format!("{:?}f", value as f32),
        Precision::F64 => format!("{value:?}lf"),
    }
}

/// Statements in their order, each with the value `tN` by its number N.
pub(super) struct StraightLine {
    /// By node, what is given: the text of an input or a literal.
    pub given: Vec<String>,
    /// By node, the number of its statement; `usize::MAX`: it has none.
    pub number: Vec<usize>,
    pub statements: Vec<GraphNode>,
    /// By statement, the last that reads its value; of roots, the number of statements.
    last_use: Vec<usize>,
    precision: Precision,
    /// See [`FunctionSignature`].
    knows_nan: bool,
    phrasing: Phrasing,
}

/// By statement, the last that reads its value; of roots, the number of statements. `number`: of a
/// node's statement.
fn last_uses(statements: &[GraphNode], number: &[usize], roots: &[Traced]) -> Vec<usize> {
    let mut last_use: Vec<usize> = (0..statements.len()).collect();
    let reads = statements.iter().enumerate().flat_map(|(at, s)| operands(*s).map(move |node| (at, node)));
    for (at, node) in reads.chain(roots.iter().map(|root| (statements.len(), *root))) {
        if let Some(last_use) = last_use.get_mut(number[node.index()]) {
            *last_use = at;
        }
    }
    last_use
}

impl StraightLine {
    pub fn new(
        graph: &Graph,
        precision: Precision,
        roots: &[Traced],
        inputs: &InputText<'_>,
        function: &FunctionSignature<'_>,
    ) -> StraightLine {
        let nodes: Vec<(Traced, GraphNode)> = graph.nodes().collect();
        let mut wanted = vec![false; nodes.len()];
        let mut given = vec![String::new(); nodes.len()];
        for root in roots {
            wanted[root.index()] = true;
        }
        for (node, expression) in nodes.iter().rev() {
            if !wanted[node.index()] {
                continue;
            }
            match inputs(*node) {
                Some(input) => given[node.index()] = input,
                None => operands(*expression).for_each(|operand| wanted[operand.index()] = true),
            }
        }
        let mut number = vec![usize::MAX; nodes.len()];
        let mut statements = Vec::new();
        for (node, expression) in nodes {
            let index = node.index();
            if !wanted[index] || !given[index].is_empty() || matches!(expression, GraphNode::Leaf(_)) {
                continue;
            }
            if let Some(value) = graph.constant(node) {
                given[index] = literal(precision, value);
                continue;
            }
            number[index] = statements.len();
            statements.push(expression);
        }
        let last_use = last_uses(&statements, &number, roots);
        let FunctionSignature { knows_nan, phrasing, .. } = *function;
        StraightLine { given, number, statements, last_use, precision, knows_nan, phrasing }
    }

    /// As it is, but each statement comes where the first of these roots, one after the other,
    /// needs it.
    pub fn on_demand(&self, roots: &[Traced]) -> StraightLine {
        let mut order: Vec<usize> = Vec::with_capacity(self.statements.len());
        let mut number = vec![usize::MAX; self.statements.len()];
        for root in roots {
            let mut open = vec![(self.number[root.index()], false)];
            while let Some((at, is_ready)) = open.pop() {
                if number.get(at) != Some(&usize::MAX) {
                    continue;
                }
                if is_ready {
                    number[at] = order.len();
                    order.push(at);
                    continue;
                }
                open.push((at, true));
                let operands: Vec<Traced> = operands(self.statements[at]).collect();
                open.extend(operands.iter().rev().map(|operand| (self.number[operand.index()], false)));
            }
        }
        let number: Vec<usize> =
            self.number.iter().map(|old| number.get(*old).copied().unwrap_or(usize::MAX)).collect();
        let statements: Vec<GraphNode> = order.iter().map(|old| self.statements[*old]).collect();
        let last_use = last_uses(&statements, &number, roots);
        StraightLine { given: self.given.clone(), number, statements, last_use, ..*self }
    }

    /// By statement, the number of values that a cut before it would hand on.
    pub fn live(&self) -> Vec<isize> {
        let mut change = vec![0_isize; self.statements.len() + 2];
        for (number, last_use) in self.last_use.iter().enumerate() {
            change[number + 1] += 1;
            change[last_use + 1] -= 1;
        }
        let counted = |live: &mut isize, change: &isize| {
            *live += change;
            Some(*live)
        };
        change.iter().scan(0, counted).collect()
    }

    /// Where to cut into parts of at most about `longest` statements: near the even division, there
    /// where fewest values are handed on. (The values that are needed later ebb between the stages
    /// of a method.)
    fn cuts(&self, longest: usize) -> Vec<usize> {
        let length = self.statements.len();
        let parts = length.div_ceil(longest);
        let live = self.live();
        let near = length / parts.max(1) / 10;
        (1..parts)
            .map(|k| {
                let middle = k * length / parts;
                let around = middle - near..=middle + near;
                around.min_by_key(|at| (live[*at], at.abs_diff(middle))).unwrap_or(middle)
            })
            .collect()
    }

    /// Returns the name of this value in the part that begins with statement `first`.
    fn name(&self, node: Traced, first: usize) -> String {
        match self.number[node.index()] {
            usize::MAX => self.given[node.index()].clone(),
            number => Self::value(number, first),
        }
    }

    fn value(number: usize, first: usize) -> String {
        if number < first { format!("l.t{number}") } else { format!("t{number}") }
    }

    /// A part that hands on, as a function.
    fn part(&self, text: &mut String, function: &FunctionSignature<'_>, part: usize, range: Range<usize>) {
        let (handed_on, name) = part_names(function, part);
        let needed: Vec<usize> =
            (0..range.end).filter(|number| self.last_use[*number] >= range.end).collect();
        let _ = writeln!(text, "struct {handed_on} {{");
        for number in &needed {
            let _ = writeln!(text, "    t{number}: real,");
        }
        let taken = match part {
            1 => String::new(),
            _ => format!(", l: {}", part_names(function, part - 1).0),
        };
        let _ = writeln!(text, "}}\n\nfn {name}({}{taken}) -> {handed_on} {{", function.parameters);
        text.push_str(self.opening(range.clone()));
        self.statements(text, range.clone(), &|node| self.name(node, range.start));
        let values: Vec<String> = needed.iter().map(|number| Self::value(*number, range.start)).collect();
        let _ = writeln!(text, "    return {handed_on}(");
        for row in values.chunks(10) {
            let _ = writeln!(text, "        {},", row.join(", "));
        }
        text.push_str("    );\n}\n\n");
    }

    /// The line that comes before statements which keep rounded numbers; empty where none does.
    pub fn opening(&self, range: Range<usize>) -> &'static str {
        let is_kept = |s: &GraphNode| matches!(s, GraphNode::KeptAdd(..) | GraphNode::KeptSub(..));
        // A function of its own would be put in the place of each of its calls by a driver, and
        // some take a time for it that grows with the square of their number.
        match self.phrasing.selected || self.statements[range].iter().any(is_kept) {
            true => "    let never = is_never();\n",
            false => "",
        }
    }

    /// Statements as lines, after their [opening](Self::opening).
    pub fn statements(&self, text: &mut String, range: Range<usize>, name: &dyn Fn(Traced) -> String) {
        let keep = |text: String| format!("select({text}, real(0.0), never)");
        for number in range {
            let kept = |text: String| if self.phrasing.selected { keep(text) } else { text };
            let product = |a: Traced, b: Traced| kept(format!("{} * {}", name(a), name(b)));
            let fused = |a: &str, b: Traced, c: String| kept(format!("fma({a}, {}, {c})", name(b)));
            use GraphNode::*;
            let value = match self.statements[number] {
                Constant(_) | Leaf(_) => continue,
                Neg(a) => format!("-({})", name(a)),
                Sqrt(a) if self.phrasing.nearest.is_some() => format!("nearest_root({})", name(a)),
                Sqrt(a) => kept(format!("sqrt({})", name(a))),
                Floor(a) => format!("floor({})", name(a)),
                Add(a, b) => kept(format!("{} + {}", name(a), name(b))),
                Sub(a, b) => kept(format!("{} - {}", name(a), name(b))),
                KeptAdd(a, b) => keep(format!("{} + {}", name(a), name(b))),
                KeptSub(a, b) => keep(format!("{} - {}", name(a), name(b))),
                Mul(a, b) => product(a, b),
                Div(a, b) if self.phrasing.nearest.is_some() => {
                    format!("nearest_quotient({}, {})", name(a), name(b))
                }
                Div(a, b) => kept(format!("{} / {}", name(a), name(b))),
                MulAdd(a, b, c) if self.phrasing.fused => fused(&name(a), b, name(c)),
                MulSub(a, b, c) if self.phrasing.fused => fused(&name(a), b, format!("-({})", name(c))),
                NegMulAdd(a, b, c) if self.phrasing.fused => fused(&format!("-({})", name(a)), b, name(c)),
                MulAdd(a, b, c) => kept(format!("{} + {}", product(a, b), name(c))),
                MulSub(a, b, c) => kept(format!("{} - {}", product(a, b), name(c))),
                NegMulAdd(a, b, c) => kept(format!("{} - {}", name(c), product(a, b))),
                SelectLess(a, b, yes, no) if self.knows_nan && self.precision != Precision::F64 => {
                    format!("select({}, {}, is_less({}, {}))", name(no), name(yes), name(a), name(b))
                }
                SelectLess(a, b, yes, no) => {
                    format!("select({}, {}, {} < {})", name(no), name(yes), name(a), name(b))
                }
            };
            let _ = writeln!(text, "    let t{number} = {value};");
        }
    }
}
