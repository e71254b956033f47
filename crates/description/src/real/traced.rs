//! A recording scalar: running generic code over [`Traced`] builds the expression graph of what it
//! computes.
//!
//! The graph is hash-consed (equal expressions are one node), constants and structural zeros are
//! folded in the precision of the kernel, and negations are absorbed into the operation that uses
//! them. Every folding keeps the bits for finite values, up to the sign of zero: `x + 0 -> x`,
//! `0 x -> 0`, `1 x -> x`, `x - x -> 0`, `x + (-y) -> x - y`. One does not:
//! `x y + x z -> x (y + z)`. Drivers do that on their own (Mesa), and the bits of all backends
//! shall be the same.
//!
//! A recording lives in a thread-local, so that `Traced` is a small `Copy` handle and physics needs
//! no context.

mod compensated;

use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

use rustc_hash::FxHashMap;

use super::Real;
use crate::base::Precision;
pub use compensated::{LeafRole, Sum};

/// A node of the graph being recorded on this thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Traced(u32);

impl Traced {
    /// The node's place in [`Graph::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The origin of a node's value: a constant, an input or an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GraphNode {
    /// Bits of the f64 that holds the value exactly (rounded to the kernel's precision).
    Constant(u64),
    /// An input, by number: state, parameter, load factor.
    Leaf(u32),
    Neg(Traced),
    Sqrt(Traced),
    Floor(Traced),
    Add(Traced, Traced),
    Sub(Traced, Traced),
    /// A sum and a difference that are rounded as they stand: nothing is merged with them or taken
    /// out.
    KeptAdd(Traced, Traced),
    KeptSub(Traced, Traced),
    Mul(Traced, Traced),
    Div(Traced, Traced),
    /// `a b + c`
    MulAdd(Traced, Traced, Traced),
    /// `a b - c`
    MulSub(Traced, Traced, Traced),
    /// `c - a b`
    NegMulAdd(Traced, Traced, Traced),
    /// `c` where `a < b`, else `d`
    SelectLess(Traced, Traced, Traced, Traced),
}

/// Operations of a piece of a graph. A fused multiply-add is two; a negation is free on every
/// target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    pub multiply_adds: usize,
    pub additions: usize,
    pub multiplications: usize,
    pub divisions: usize,
    pub square_roots: usize,
    pub floors: usize,
    /// Comparisons, each with the selection that it decides.
    pub selections: usize,
}

impl Operations {
    /// Floating-point operations, multiply-adds counted as two.
    pub fn total(&self) -> usize {
        2 * self.multiply_adds
            + self.additions
            + self.multiplications
            + self.divisions
            + self.square_roots
            + self.floors
            + self.selections
    }
}

/// An expression graph; nodes come after what they are made of.
#[derive(Debug)]
pub struct Graph {
    precision: Precision,
    nodes: Vec<GraphNode>,
    /// Recording spends most of its time on it, and nobody chooses the words to make them collide.
    index: FxHashMap<GraphNode, Traced>,
}

/// Equal graphs have the same nodes in the same order.
impl PartialEq for Graph {
    fn eq(&self, other: &Graph) -> bool {
        self.precision == other.precision && self.nodes == other.nodes
    }
}

thread_local! {
    static RECORDING: RefCell<Option<Graph>> = const { RefCell::new(None) };
}

/// Runs `f` while recording and returns the graph with what `f` returned.
pub fn record<T>(precision: Precision, f: impl FnOnce() -> T) -> (Graph, T) {
    let fresh = Graph { precision, nodes: Vec::new(), index: FxHashMap::default() };
    let outer = RECORDING.replace(Some(fresh));
    let result = f();
    let graph = RECORDING.replace(outer);
    (graph.expect("the recording that was just started"), result)
}

/// The input number `leaf` of the recording on this thread.
pub fn leaf(leaf: u32) -> Traced {
    push(GraphNode::Leaf(leaf))
}

/// The precision of the recording on this thread.
fn precision() -> Precision {
    RECORDING.with_borrow(|recording| {
        recording.as_ref().expect("Traced is used only inside traced::record").precision
    })
}

/// The constant `value` in the recording on this thread.
pub fn constant(value: f64) -> Traced {
    push(GraphNode::Constant(value.to_bits()))
}

fn push(expression: GraphNode) -> Traced {
    RECORDING.with_borrow_mut(|recording| {
        recording.as_mut().expect("Traced is used only inside traced::record").intern(expression)
    })
}

impl Graph {
    pub fn expression(&self, node: Traced) -> GraphNode {
        self.nodes[node.0 as usize]
    }

    /// The value of a constant node.
    pub fn constant(&self, node: Traced) -> Option<f64> {
        match self.expression(node) {
            GraphNode::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// The node of a constant.
    pub fn constant_node(&mut self, value: f64) -> Traced {
        self.intern(GraphNode::Constant(value.to_bits()))
    }

    /// The node of an input.
    pub fn leaf_node(&mut self, leaf: u32) -> Traced {
        self.intern(GraphNode::Leaf(leaf))
    }

    /// Marks all that `roots` are made of, themselves included.
    pub fn reachable(&self, roots: &[Traced]) -> Vec<bool> {
        let mut marked = vec![false; self.nodes.len()];
        for root in roots {
            marked[root.0 as usize] = true;
        }
        for i in (0..self.nodes.len()).rev() {
            if marked[i] {
                for operand in operands(self.nodes[i]) {
                    marked[operand.0 as usize] = true;
                }
            }
        }
        marked
    }

    /// The leaves among what `roots` are made of, ascending.
    pub fn leaves(&self, roots: &[Traced]) -> Vec<u32> {
        let marked = self.reachable(roots);
        let mut leaves: Vec<u32> = self
            .nodes
            .iter()
            .zip(marked)
            .filter_map(|(node, marked)| match node {
                GraphNode::Leaf(leaf) if marked => Some(*leaf),
                _ => None,
            })
            .collect();
        leaves.sort_unstable();
        leaves
    }

    /// For every node: does it depend on a leaf for which `varies` holds?
    pub fn depends(&self, varies: impl Fn(u32) -> bool) -> Vec<bool> {
        let mut depends = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let d = match node {
                GraphNode::Leaf(leaf) => varies(*leaf),
                other => operands(*other).any(|o| depends[o.0 as usize]),
            };
            depends.push(d);
        }
        depends
    }

    /// All nodes in order, with their handles.
    pub fn nodes(&self) -> impl Iterator<Item = (Traced, GraphNode)> + '_ {
        self.nodes.iter().enumerate().map(|(i, node)| (Traced(i as u32), *node))
    }

    /// The graph of what `roots` are made of, with sums of two products that are used once added
    /// one product at a time, `(x y + z u) + c -> (x y + c) + z u`; and the roots in it. Drivers do
    /// that on their own (Mesa), and the bits of all backends shall be the same.
    pub fn regrouped(&self, roots: &[Traced]) -> (Graph, Vec<Traced>) {
        let marked = self.reachable(roots);
        let mut uses = vec![0usize; self.nodes.len()];
        for root in roots {
            uses[root.index()] += 1;
        }
        for (node, _) in self.nodes.iter().zip(&marked).filter(|(_, marked)| **marked) {
            operands(*node).for_each(|operand| uses[operand.index()] += 1);
        }
        let mut graph = Graph { precision: self.precision, nodes: Vec::new(), index: FxHashMap::default() };
        let mut place: Vec<Traced> = vec![Traced(0); self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate().filter(|(i, _)| marked[*i]) {
            let at = |n: Traced| place[n.index()];
            let once = |n: Traced| uses[n.index()] == 1;
            use GraphNode::*;
            let split = |n: Traced| match self.expression(n) {
                _ if !once(n) => None,
                // A sign before the sum is one before each product.
                Neg(sum) if once(sum) => {
                    graph.two_products(at(sum)).map(|products| products.map(|(a, b, minus)| (a, b, !minus)))
                }
                _ => graph.two_products(at(n)),
            };
            // The summand that is no product, and the two products to be added to it or taken from
            // it.
            let grouped = match *node {
                Add(a, b) => match (split(a), split(b)) {
                    (Some(products), _) if graph.factors(at(b)).is_none() => Some((at(b), products, false)),
                    (_, Some(products)) if graph.factors(at(a)).is_none() => Some((at(a), products, false)),
                    _ => None,
                },
                Sub(a, b) => match (split(a), split(b)) {
                    (_, Some(products)) if graph.factors(at(a)).is_none() => Some((at(a), products, true)),
                    (Some(products), _) if graph.factors(at(b)).is_none() => {
                        let negated = graph.intern(Neg(at(b)));
                        Some((negated, products, false))
                    }
                    _ => None,
                },
                _ => None,
            };
            place[i] = match grouped {
                Some((base, [(a, b, minus_first), (c, d, minus_second)], negated)) => {
                    let mut add = |sum: Traced, a: Traced, b: Traced, minus: bool| {
                        graph.intern(if minus { NegMulAdd(a, b, sum) } else { MulAdd(a, b, sum) })
                    };
                    let sum = add(base, a, b, minus_first != negated);
                    add(sum, c, d, minus_second != negated)
                }
                None => {
                    let mapped = node.mapped(at);
                    graph.intern(mapped)
                }
            };
        }
        let roots = roots.iter().map(|root| place[root.index()]).collect();
        (graph, roots)
    }

    /// The factors of both products where `node` is their sum or difference, each with whether it
    /// is taken away.
    fn two_products(&self, node: Traced) -> Option<[(Traced, Traced, bool); 2]> {
        use GraphNode::*;
        let taken = |(a, b, minus): (Traced, Traced, bool)| (a, b, !minus);
        match self.expression(node) {
            Add(p, q) => Some([self.signed_factors(p)?, self.signed_factors(q)?]),
            Sub(p, q) => Some([self.signed_factors(p)?, taken(self.signed_factors(q)?)]),
            MulAdd(a, b, p) => Some([(a, b, false), self.signed_factors(p)?]),
            MulSub(a, b, p) => Some([(a, b, false), taken(self.signed_factors(p)?)]),
            NegMulAdd(a, b, p) => Some([(a, b, true), self.signed_factors(p)?]),
            Constant(_) | Leaf(_) | Neg(_) | Sqrt(_) | Floor(_) | Mul(..) | Div(..) | SelectLess(..) => None,
            KeptAdd(..) | KeptSub(..) => None,
        }
    }

    fn intern(&mut self, expression: GraphNode) -> Traced {
        let expression = self.fold(expression);
        let expression = match expression {
            Folded::Node(node) => return node,
            Folded::New(expression) => expression,
        };
        if let Some(&node) = self.index.get(&expression) {
            return node;
        }
        let node = Traced(self.nodes.len() as u32);
        self.nodes.push(expression);
        self.index.insert(expression, node);
        node
    }

    fn round(&self, value: f64) -> f64 {
        match self.precision {
            Precision::F32 => f64::from(value as f32),
            // Sums of two numbers are made of them (see `Graph::compensated`).
            Precision::F32Compensated | Precision::F64 => value,
        }
    }

    /// The negated operand, where `node` is a negation.
    fn negated(&self, node: Traced) -> Option<Traced> {
        match self.expression(node) {
            GraphNode::Neg(inner) => Some(inner),
            _ => None,
        }
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each operation, read top to bottom")]
    fn fold(&mut self, expression: GraphNode) -> Folded {
        use GraphNode::*;
        let new = |e| Folded::New(e);
        let value = |g: &Graph, n: Traced| g.constant(n);
        let is = |g: &Graph, n: Traced, c: f64| value(g, n) == Some(c);
        match expression {
            Constant(bits) => new(Constant(self.round(f64::from_bits(bits)).to_bits())),
            Leaf(_) => new(expression),
            Neg(a) => match (value(self, a), self.negated(a)) {
                (Some(x), _) => new(Constant((-x).to_bits())),
                (_, Some(inner)) => Folded::Node(inner),
                _ => new(expression),
            },
            Sqrt(a) => match value(self, a) {
                // The f64 root of an f32 value rounds to the f32 root: double rounding is innocuous
                // for sqrt.
                Some(x) => new(Constant(self.round(x.sqrt()).to_bits())),
                None => new(expression),
            },
            Floor(a) => match (value(self, a), self.expression(a)) {
                (Some(x), _) => new(Constant(x.floor().to_bits())),
                (_, Floor(_)) => Folded::Node(a),
                _ => new(expression),
            },
            // For + - * / the f64 result of two f32 values, rounded to f32, is the f32 result.
            Add(a, b) => match (value(self, a), value(self, b)) {
                (Some(x), Some(y)) => new(Constant(self.round(x + y).to_bits())),
                _ if is(self, a, 0.0) => Folded::Node(b),
                _ if is(self, b, 0.0) => Folded::Node(a),
                _ if let Some(rest) = self.rest_of_sum(a, b) => Folded::Node(rest),
                _ if self.common_factor(a, b).is_some() => self.factored(a, b, Add),
                _ => match (self.negated(a), self.negated(b)) {
                    (_, Some(y)) => self.again(Sub(a, y)),
                    (Some(x), None) => self.again(Sub(b, x)),
                    // Addition commutes: one order, so that equal sums are one node.
                    _ => new(if a <= b { Add(a, b) } else { Add(b, a) }),
                },
            },
            Sub(a, b) => match (value(self, a), value(self, b)) {
                (Some(x), Some(y)) => new(Constant(self.round(x - y).to_bits())),
                _ if is(self, b, 0.0) => Folded::Node(a),
                _ if is(self, a, 0.0) => self.again(Neg(b)),
                _ if a == b => self.again(Constant(0)),
                _ if let Some((rest, negative)) = self.rest_of_difference(a, b) => match negative {
                    true => self.again(Neg(rest)),
                    false => Folded::Node(rest),
                },
                _ if self.common_factor(a, b).is_some() => self.factored(a, b, Sub),
                _ => match (self.negated(a), self.negated(b)) {
                    (_, Some(y)) => self.again(Add(a, y)),
                    // -x - b = -(x + b), where the two may have a common factor.
                    (Some(x), None) => self.negative(Add(x, b)),
                    (None, None) => new(expression),
                },
            },
            KeptAdd(a, b) => match (value(self, a), value(self, b)) {
                (Some(x), Some(y)) => new(Constant(self.round(x + y).to_bits())),
                _ if is(self, a, 0.0) => Folded::Node(b),
                _ if is(self, b, 0.0) => Folded::Node(a),
                _ => new(if a <= b { KeptAdd(a, b) } else { KeptAdd(b, a) }),
            },
            KeptSub(a, b) => match (value(self, a), value(self, b)) {
                (Some(x), Some(y)) => new(Constant(self.round(x - y).to_bits())),
                _ if is(self, b, 0.0) => Folded::Node(a),
                _ if a == b => self.again(Constant(0)),
                _ => new(expression),
            },
            // Mesa takes the product of a root with itself for what the root is taken of.
            Mul(a, b) if let Some(square) = self.square_of_root(a, b) => Folded::Node(square),
            Mul(a, b) => match (value(self, a), value(self, b)) {
                (Some(x), Some(y)) => new(Constant(self.round(x * y).to_bits())),
                _ if is(self, a, 0.0) || is(self, b, 0.0) => self.again(Constant(0)),
                _ if is(self, a, 1.0) => Folded::Node(b),
                _ if is(self, b, 1.0) => Folded::Node(a),
                _ if is(self, a, -1.0) => self.again(Neg(b)),
                _ if is(self, b, -1.0) => self.again(Neg(a)),
                // A sign stands before the product, where common factors are seen through it: Mesa
                // sees them.
                _ => match (self.negated(a), self.negated(b)) {
                    (Some(x), _) => self.negative(Mul(x, b)),
                    (_, Some(y)) => self.negative(Mul(a, y)),
                    _ => new(if a <= b { Mul(a, b) } else { Mul(b, a) }),
                },
            },
            Div(a, b) => match (value(self, a), value(self, b)) {
                (Some(x), Some(y)) => new(Constant(self.round(x / y).to_bits())),
                _ if is(self, a, 0.0) => self.again(Constant(0)),
                _ if is(self, b, 1.0) => Folded::Node(a),
                _ => new(expression),
            },
            // Most of a recorded factorisation is this.
            MulAdd(a, b, c) | NegMulAdd(a, b, c) if is(self, a, 0.0) || is(self, b, 0.0) => Folded::Node(c),
            MulAdd(a, b, c) if let Some(square) = self.square_of_root(a, b) => self.again(Add(square, c)),
            MulSub(a, b, c) if let Some(square) = self.square_of_root(a, b) => self.again(Sub(square, c)),
            NegMulAdd(a, b, c) if let Some(square) = self.square_of_root(a, b) => self.again(Sub(c, square)),
            MulAdd(a, b, c) if self.degenerate(a, b, c) => {
                let product = self.intern(Mul(a, b));
                self.again(Add(product, c))
            }
            MulSub(a, b, c) if self.degenerate(a, b, c) => {
                let product = self.intern(Mul(a, b));
                self.again(Sub(product, c))
            }
            NegMulAdd(a, b, c) if self.degenerate(a, b, c) => {
                let product = self.intern(Mul(a, b));
                self.again(Sub(c, product))
            }
            MulAdd(a, b, c) | MulSub(a, b, c) | NegMulAdd(a, b, c) if self.shares_factor(a, b, c) => {
                let product = self.intern(Mul(a, b));
                match expression {
                    MulAdd(..) => self.again(Add(product, c)),
                    MulSub(..) => self.again(Sub(product, c)),
                    _ => self.again(Sub(c, product)),
                }
            }
            MulAdd(a, b, c) => match (self.negated(a), self.negated(b), self.negated(c)) {
                (Some(x), ..) => self.again(NegMulAdd(x, b, c)),
                (_, Some(y), _) => self.again(NegMulAdd(a, y, c)),
                (.., Some(z)) => self.again(MulSub(a, b, z)),
                _ => new(if a <= b { MulAdd(a, b, c) } else { MulAdd(b, a, c) }),
            },
            MulSub(a, b, c) => match (self.negated(a), self.negated(b), self.negated(c)) {
                (.., Some(z)) => self.again(MulAdd(a, b, z)),
                (Some(x), ..) => self.negative(MulAdd(x, b, c)),
                (_, Some(y), _) => self.negative(MulAdd(a, y, c)),
                _ => new(if a <= b { MulSub(a, b, c) } else { MulSub(b, a, c) }),
            },
            NegMulAdd(a, b, c) => match (self.negated(a), self.negated(b), self.negated(c)) {
                (Some(x), ..) => self.again(MulAdd(x, b, c)),
                (_, Some(y), _) => self.again(MulAdd(a, y, c)),
                (.., Some(z)) => self.negative(MulAdd(a, b, z)),
                _ => new(if a <= b { NegMulAdd(a, b, c) } else { NegMulAdd(b, a, c) }),
            },
            SelectLess(a, b, yes, no) => match (value(self, a), value(self, b)) {
                _ if yes == no => Folded::Node(yes),
                // Nothing is less than itself, NaN neither.
                _ if a == b => Folded::Node(no),
                (Some(x), Some(y)) => Folded::Node(if x < y { yes } else { no }),
                _ => new(expression),
            },
        }
    }

    /// The square of a root: what it is taken of, which is not negative where the root is a number.
    fn square_of_root(&self, a: Traced, b: Traced) -> Option<Traced> {
        match self.expression(a) {
            GraphNode::Sqrt(of) if a == b => Some(of),
            _ => None,
        }
    }

    fn negative(&mut self, expression: GraphNode) -> Folded {
        let node = self.intern(expression);
        self.again(GraphNode::Neg(node))
    }

    /// The factors of a product.
    fn factors(&self, node: Traced) -> Option<(Traced, Traced)> {
        match self.expression(node) {
            GraphNode::Mul(a, b) => Some((a, b)),
            _ => None,
        }
    }

    /// The factors of a product, or of a product's negative, and whether it is that.
    fn signed_factors(&self, node: Traced) -> Option<(Traced, Traced, bool)> {
        match self.expression(node) {
            GraphNode::Mul(a, b) => Some((a, b, false)),
            GraphNode::Neg(product) => self.factors(product).map(|(a, b)| (a, b, true)),
            _ => None,
        }
    }

    /// Whether `c` is a product with a factor `a` or `b`.
    fn shares_factor(&self, a: Traced, b: Traced, c: Traced) -> bool {
        self.factors(c).is_some_and(|(x, y)| a == x || a == y || b == x || b == y)
    }

    /// A factor that two products share, and the other factor of each.
    fn common_factor(&self, p: Traced, q: Traced) -> Option<(Traced, Traced, Traced)> {
        let ((a, b), (x, y)) = (self.factors(p)?, self.factors(q)?);
        let pairs = [(a, b, x, y), (a, b, y, x), (b, a, x, y), (b, a, y, x)];
        pairs.into_iter().find(|(f, _, g, _)| f == g).map(|(factor, left, _, right)| (factor, left, right))
    }

    /// The rest of a + b where one takes off the other, as in (x - b) + b: drivers see that too.
    fn rest_of_sum(&self, a: Traced, b: Traced) -> Option<Traced> {
        let less = |difference: Traced, taken: Traced| match self.expression(difference) {
            GraphNode::Sub(x, y) if y == taken => Some(x),
            _ => None,
        };
        less(a, b).or_else(|| less(b, a))
    }

    /// The rest of a - b where one is in the other, and whether it is that negative:
    /// (b + x) - b = x, a - (a + x) = -x.
    fn rest_of_difference(&self, a: Traced, b: Traced) -> Option<(Traced, bool)> {
        let beside = |sum: Traced, term: Traced| match self.expression(sum) {
            GraphNode::Add(x, y) if x == term => Some((y, false)),
            GraphNode::Add(x, y) if y == term => Some((x, false)),
            GraphNode::Sub(x, y) if x == term => Some((y, true)),
            _ => None,
        };
        beside(a, b).or_else(|| beside(b, a).map(|(rest, negative)| (rest, !negative)))
    }

    /// The sum or difference of two products that share a factor.
    fn factored(&mut self, p: Traced, q: Traced, sum: impl Fn(Traced, Traced) -> GraphNode) -> Folded {
        match self.common_factor(p, q) {
            Some((factor, left, right)) => {
                let inner = self.intern(sum(left, right));
                self.again(GraphNode::Mul(factor, inner))
            }
            None => Folded::New(sum(p, q)),
        }
    }

    fn again(&mut self, expression: GraphNode) -> Folded {
        Folded::Node(self.intern(expression))
    }

    /// Whether a multiply-add has a factor 0, 1 or -1, an addend 0, or a constant product: it is
    /// then an addition, a product, or less, with the same bits (a rounded product is exact there,
    /// or there is nothing to add).
    fn degenerate(&self, a: Traced, b: Traced, c: Traced) -> bool {
        let trivial = |n| matches!(self.constant(n), Some(x) if x == 0.0 || x.abs() == 1.0);
        trivial(a)
            || trivial(b)
            || self.constant(c) == Some(0.0)
            || (self.constant(a).is_some() && self.constant(b).is_some())
    }
}

impl GraphNode {
    /// Returns the same operation on other operands.
    fn mapped(self, at: impl Fn(Traced) -> Traced) -> GraphNode {
        use GraphNode::*;
        match self {
            Constant(_) | Leaf(_) => self,
            Neg(a) => Neg(at(a)),
            Sqrt(a) => Sqrt(at(a)),
            Floor(a) => Floor(at(a)),
            Add(a, b) => Add(at(a), at(b)),
            Sub(a, b) => Sub(at(a), at(b)),
            KeptAdd(a, b) => KeptAdd(at(a), at(b)),
            KeptSub(a, b) => KeptSub(at(a), at(b)),
            Mul(a, b) => Mul(at(a), at(b)),
            Div(a, b) => Div(at(a), at(b)),
            MulAdd(a, b, c) => MulAdd(at(a), at(b), at(c)),
            MulSub(a, b, c) => MulSub(at(a), at(b), at(c)),
            NegMulAdd(a, b, c) => NegMulAdd(at(a), at(b), at(c)),
            SelectLess(a, b, yes, no) => SelectLess(at(a), at(b), at(yes), at(no)),
        }
    }
}

enum Folded {
    Node(Traced),
    New(GraphNode),
}

/// Returns the nodes that an expression is made of.
pub fn operands(expression: GraphNode) -> impl Iterator<Item = Traced> {
    use GraphNode::*;
    let list = match expression {
        Constant(_) | Leaf(_) => [None; 4],
        Neg(a) | Sqrt(a) | Floor(a) => [Some(a), None, None, None],
        Add(a, b) | Sub(a, b) | KeptAdd(a, b) | KeptSub(a, b) | Mul(a, b) | Div(a, b) => {
            [Some(a), Some(b), None, None]
        }
        MulAdd(a, b, c) | MulSub(a, b, c) | NegMulAdd(a, b, c) => [Some(a), Some(b), Some(c), None],
        SelectLess(a, b, yes, no) => [a, b, yes, no].map(Some),
    };
    list.into_iter().flatten()
}

impl Operations {
    pub fn count(&mut self, expression: GraphNode) {
        use GraphNode::*;
        match expression {
            Constant(_) | Leaf(_) | Neg(_) => {}
            Sqrt(_) => self.square_roots += 1,
            Add(..) | Sub(..) | KeptAdd(..) | KeptSub(..) => self.additions += 1,
            Mul(..) => self.multiplications += 1,
            Div(..) => self.divisions += 1,
            MulAdd(..) | MulSub(..) | NegMulAdd(..) => self.multiply_adds += 1,
            Floor(_) => self.floors += 1,
            SelectLess(..) => self.selections += 1,
        }
    }
}

macro_rules! operator {
    ($trait:ident, $f:ident) => {
        impl $trait for Traced {
            type Output = Self;
            fn $f(self, other: Self) -> Self {
                push(GraphNode::$trait(self, other))
            }
        }
    };
}

operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

impl Neg for Traced {
    type Output = Self;
    fn neg(self) -> Self {
        push(GraphNode::Neg(self))
    }
}

impl Real for Traced {
    fn lift(self, value: f64) -> Self {
        constant(value)
    }
    fn mul_add(self, b: Self, c: Self) -> Self {
        push(GraphNode::MulAdd(self, b, c))
    }
    fn mul_sub(self, b: Self, c: Self) -> Self {
        push(GraphNode::MulSub(self, b, c))
    }
    fn neg_mul_add(self, b: Self, c: Self) -> Self {
        push(GraphNode::NegMulAdd(self, b, c))
    }
    fn sqrt(self) -> Self {
        push(GraphNode::Sqrt(self))
    }
    fn floor(self) -> Self {
        push(GraphNode::Floor(self))
    }
    fn select_less(self, b: Self, yes: Self, no: Self) -> Self {
        push(GraphNode::SelectLess(self, b, yes, no))
    }
    fn precision(self) -> Precision {
        precision()
    }
    fn near_one(self) -> Self {
        match precision() {
            Precision::F32Compensated => constant(1.0) + push(GraphNode::KeptSub(self, constant(1.0))),
            Precision::F32 | Precision::F64 => self,
        }
    }
    fn is_known_zero(self) -> bool {
        RECORDING.with_borrow(|recording| {
            let graph = recording.as_ref().expect("Traced is used only inside traced::record");
            graph.constant(self) == Some(0.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(f: impl FnOnce(Traced, Traced) -> Traced) -> (Graph, Traced, Traced, Traced) {
        let (graph, (x, y, z)) = record(Precision::F32, || {
            let (x, y) = (leaf(0), leaf(1));
            (x, y, f(x, y))
        });
        (graph, x, y, z)
    }

    #[test]
    fn structural_zeros_and_ones_disappear() {
        let (_, x, _, z) = folded(|x, y| (y.lift(0.0)).mul_add(y, x));
        assert_eq!(z, x);
        let (_, x, _, z) = folded(|x, y| x * (y.lift(3.0) - y.lift(2.0)));
        assert_eq!(z, x);
        let (graph, _, _, z) = folded(|x, y| x * y.lift(0.0));
        assert_eq!(graph.constant(z), Some(0.0));
    }

    #[test]
    fn a_common_factor_is_taken_out() {
        let (graph, x, y, z) = folded(|x, y| {
            let r = y.sqrt();
            assert_eq!((x * r) - (r * y), r * (x - y));
            assert_eq!(r.neg_mul_add(y, x * r), r * (x - y));
            r.mul_add(y, x * r)
        });
        assert!(matches!(graph.expression(z), GraphNode::Mul(..)));
        let _ = (x, y);
    }

    /// Mesa takes (x + y) - y for x, and a CPU does not: it is x everywhere.
    #[test]
    fn what_is_added_and_taken_off_again_disappears() {
        let _ = folded(|x, y| {
            assert_eq!((x + y) - y, x);
            assert_eq!((y + x) - y, x);
            assert_eq!((x - y) + y, x);
            assert_eq!(y + (x - y), x);
            assert_eq!((y - x) - y, -x);
            assert_eq!(y - (x + y), -x);
            assert_eq!(y - (y - x), x);
            x
        });
    }

    #[test]
    fn the_square_of_a_root_is_what_it_is_taken_of() {
        let _ = folded(|x, y| {
            let r = y.sqrt();
            assert_eq!(r * r, y);
            assert_eq!(r.mul_add(r, x), x + y);
            assert_eq!(r.neg_mul_add(r, x), x - y);
            assert_eq!(r.mul_sub(r, x), y - x);
            r * x
        });
    }

    #[test]
    fn equal_expressions_are_one_node() {
        let (_, _, _, z) = folded(|x, y| {
            assert_eq!(x * y, y * x);
            assert_eq!(x + y, y + x);
            assert_eq!(x - y, x + (-y));
            assert_eq!((-x).mul_add(y, x), x.neg_mul_add(y, x));
            x
        });
        let _ = z;
    }

    #[test]
    fn constants_fold_in_the_precision_of_the_kernel() {
        let (graph, _, _, z) = folded(|x, _| x.lift(1.0) / x.lift(3.0));
        assert_eq!(graph.constant(z), Some(f64::from(1.0f32 / 3.0f32)));
        let (graph, z) = record(Precision::F64, || constant(1.0) / constant(3.0));
        assert_eq!(graph.constant(z), Some(1.0 / 3.0));
    }

    #[test]
    fn floors_and_selections_fold() {
        let (graph, x, y, z) = folded(|x, y| {
            assert_eq!(x.floor(), x.floor());
            assert_eq!(x.floor().floor(), x.floor());
            assert_eq!(x.select_less(y, x, y), x.select_less(y, x, y));
            assert_ne!(x.select_less(y, x, y), x.select_less(y, y, x));
            assert_ne!(x.select_less(y, x, y), y.select_less(x, x, y));
            assert_eq!(x.select_less(y, x, x), x);
            assert_eq!(x.select_less(x, x, y), y);
            assert_eq!(x.lift(1.0).select_less(x.lift(2.0), x, y), x);
            assert_eq!(x.lift(2.0).select_less(x.lift(1.0), x, y), y);
            assert_eq!(x.lift(f64::NAN).select_less(x.lift(1.0), x, y), y);
            assert_eq!(x.lift(-1.5).floor(), x.lift(-2.0));
            // Equal once both are rounded to the kernel's precision.
            x.lift(f64::from(0.1f32)).select_less(x.lift(0.1), x, y)
        });
        assert_eq!(z, y);
        let count = |e| graph.nodes().filter(|(_, node)| std::mem::discriminant(node) == e).count();
        assert_eq!(count(std::mem::discriminant(&GraphNode::Floor(x))), 1);
        assert_eq!(count(std::mem::discriminant(&GraphNode::SelectLess(x, x, x, x))), 3);
    }

    #[test]
    fn floors_and_selections_survive_regrouping_and_are_counted() {
        let (graph, x, y, z) = folded(|x, y| x.floor().select_less(y, x * y, x + y));
        let (regrouped, roots) = graph.regrouped(&[z]);
        let GraphNode::SelectLess(a, b, yes, no) = regrouped.expression(roots[0]) else {
            panic!("{:?}", regrouped.expression(roots[0]));
        };
        assert!(matches!(regrouped.expression(a), GraphNode::Floor(_)));
        assert!(matches!(regrouped.expression(b), GraphNode::Leaf(1)));
        assert!(matches!(regrouped.expression(yes), GraphNode::Mul(..)));
        assert!(matches!(regrouped.expression(no), GraphNode::Add(..)));
        assert_eq!(graph.leaves(&[z]), vec![0, 1]);
        assert_eq!(operands(graph.expression(z)).count(), 4);
        let mut operations = Operations::default();
        graph.nodes().for_each(|(_, expression)| operations.count(expression));
        assert_eq!((operations.floors, operations.selections, operations.total()), (1, 1, 4));
        let _ = (x, y);
    }

    #[test]
    fn dead_code_is_not_reachable() {
        let (graph, x, y, z) = folded(|x, y| {
            let _dead = x / y;
            x + y
        });
        let marked = graph.reachable(&[z]);
        assert_eq!(marked.iter().filter(|m| **m).count(), 3);
        assert_eq!(graph.leaves(&[z]), vec![0, 1]);
        let _ = (x, y);
    }
}
