//! The state as sums of two numbers: a recorded step whose new values are `x + rest` is rewritten
//! so that the sum loses nothing.
//!
//! In single precision the sum of a state and what a step adds to it is rounded to 6e-8 of the
//! state, n times in n steps, where the increment itself, a factor h smaller, is known to 6e-8 of
//! its own. So a state is kept as `x + low`, `|low|` at most half a last digit of x, and the new
//! one is
//!
//! ```text
//! r = low + increment
//! s = fl(x + r) ;  b = fl(s - x) ;  e = (x - (s - b)) + (r - b) ;   x' = s, low' = e
//! ```
//!
//! with `s + e = x + r` exactly (Knuth 1969, 4.2.2, theorem B), by six operations and without a
//! fused one. All else is computed of x alone.
//!
//! Which part of a recorded value is x and which is added to it follows from the graph: every node
//! has, besides its value, a [`Form`] `base + rest`. The base is a multiple of a state or a
//! constant and never rounded; what has the step as a factor is all rest. So `q + h q'`,
//! `d (q + q o a) - q` with `d = 2/(1 + a²)`, and a product with a root that is 1 to rounding
//! ([`Real::near_one`](super::Real::near_one)) are all `q + rest`.
//!
//! Constants that multiply a rest, the step above all, are known in double precision: by what share
//! they are off, in single precision, is brought in once a step (`scale`).

use super::{Graph, GraphNode, Traced};
use crate::base::Precision;
use rustc_hash::FxHashMap;

/// The meaning of a leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LeafRole {
    /// A number of single precision.
    Plain,
    /// A state, with the leaf of its lower part.
    Sum(u32),
    /// The step (s), where it is the same in all instances.
    Step(f64),
    /// The step of an instance.
    OwnStep,
}

/// A new value of a state and its lower part; `None`: the value is all of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sum {
    pub high: Traced,
    pub low: Option<Traced>,
}

/// Relative differences of constants that mean nothing in single precision.
const SAME: f64 = 1e-11;

/// The part of a value that is never rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Base {
    /// There is none: all is rest.
    Zero,
    Constant(f64),
    /// This multiple of a state, by the number of its leaf.
    State(f64, u32),
    /// Nobody knows it: the value is rounded as a whole.
    Rounded,
}

/// A number that is added to a base: `value (1 + scale) + error`.
#[derive(Clone, Copy, Debug)]
struct Rest {
    value: Traced,
    /// Power of the step that it has as a factor.
    order: u8,
    scale: f64,
    error: Option<Traced>,
}

/// A lower part of a state is smaller than all that steps add.
const LOW: u8 = u8::MAX;

#[derive(Clone, Copy, Debug)]
struct Form {
    base: Base,
    rest: Option<Rest>,
}

const ROUNDED: Form = Form { base: Base::Rounded, rest: None };

impl Graph {
    /// The graph, in single precision, that has these values: of states (by leaf) as sums, of the
    /// others as they are. A state whose new value is not itself and a rest has none.
    pub fn compensated(
        &self,
        role: impl Fn(u32) -> LeafRole,
        states: &[(u32, Traced)],
        others: &[Traced],
    ) -> (Graph, Vec<Sum>, Vec<Traced>) {
        let roots: Vec<Traced> = states.iter().map(|(_, root)| *root).chain(others.iter().copied()).collect();
        let marked = self.reachable(&roots);
        let graph = Graph { precision: Precision::F32, nodes: Vec::new(), index: FxHashMap::default() };
        let mut pass =
            Pass { graph, values: vec![Traced(0); marked.len()], forms: vec![ROUNDED; marked.len()] };
        for (node, expression) in self.nodes().filter(|(node, _)| marked[node.index()]) {
            pass.take(node, expression, &role);
        }
        let sums = states.iter().map(|(leaf, root)| pass.sum(self, *leaf, *root, &role)).collect();
        let others = others.iter().map(|root| pass.values[root.index()]).collect();
        (pass.graph, sums, others)
    }
}

struct Pass {
    graph: Graph,
    /// By node of the graph before: its value.
    values: Vec<Traced>,
    forms: Vec<Form>,
}

impl Pass {
    fn push(&mut self, expression: GraphNode) -> Traced {
        self.graph.intern(expression)
    }

    fn constant(&mut self, value: f64) -> Traced {
        self.push(GraphNode::Constant(value.to_bits()))
    }

    fn form(&self, node: Traced) -> Form {
        self.forms[node.index()]
    }

    fn operand(&self, node: Traced) -> (Form, Traced) {
        (self.form(node), self.values[node.index()])
    }

    fn take(&mut self, node: Traced, expression: GraphNode, role: &impl Fn(u32) -> LeafRole) {
        use GraphNode::*;
        let mapped = expression.mapped(|n| self.values[n.index()]);
        let mut value = match expression {
            Leaf(leaf) if let LeafRole::Step(h) = role(leaf) => self.constant(h),
            _ => self.push(mapped),
        };
        let form = match expression {
            Constant(bits) => match f64::from_bits(bits) {
                0.0 => Form { base: Base::Zero, rest: None },
                x => Form { base: Base::Constant(x), rest: None },
            },
            Leaf(leaf) => match role(leaf) {
                LeafRole::Plain => ROUNDED,
                LeafRole::Sum(low) => {
                    let rest = Rest { value: self.push(Leaf(low)), order: LOW, scale: 0.0, error: None };
                    Form { base: Base::State(1.0, leaf), rest: Some(rest) }
                }
                LeafRole::Step(h) => small(value, 1, off(h)),
                LeafRole::OwnStep => small(value, 1, 0.0),
            },
            Neg(a) => self.negative(self.form(a)),
            Add(a, b) => self.summed(self.operand(a), self.operand(b), false),
            Sub(a, b) => self.summed(self.operand(a), self.operand(b), true),
            // Only factors that are nearly 1 are kept differences.
            KeptSub(..) => small(value, 1, 0.0),
            KeptAdd(..) | Floor(_) => ROUNDED,
            Mul(a, b) => self.product(a, b),
            Div(a, b) => self.quotient(a, b, value),
            Sqrt(a) => self.root(self.form(a), value),
            MulAdd(a, b, c) => self.product_added(a, b, c, [false, false]),
            MulSub(a, b, c) => self.product_added(a, b, c, [false, true]),
            NegMulAdd(a, b, c) => self.product_added(a, b, c, [true, false]),
            SelectLess(a, b, yes, no) => self.selected([a, b], self.form(yes), self.form(no)),
        };
        // The parts tell the value: a difference of two values of one state is not rounded as they
        // are, and nothing that is added to a state is computed twice.
        value = match (form.base, form.rest) {
            (Base::Zero, None) => self.constant(0.0),
            (Base::Zero, Some(rest)) => rest.value,
            (Base::State(factor, leaf), Some(rest)) if rest.order != LOW => {
                let x = self.push(Leaf(leaf));
                if factor == 1.0 {
                    self.push(KeptAdd(x, rest.value))
                } else {
                    let factor = self.constant(factor);
                    self.push(MulAdd(factor, x, rest.value))
                }
            }
            _ => value,
        };
        self.values[node.index()] = value;
        self.forms[node.index()] = form;
    }

    /// The sum `x + rest` of a state, and its rounding error, of a node of the graph `before`. Of
    /// two that are chosen between each is a sum of its own: a state that stays keeps its bits.
    fn sum(&mut self, before: &Graph, leaf: u32, root: Traced, role: &impl Fn(u32) -> LeafRole) -> Sum {
        use GraphNode::*;
        let value = self.values[root.index()];
        let rest = match self.forms[root.index()] {
            Form { base: Base::State(factor, of), rest: Some(rest) }
                if of == leaf && (factor - 1.0).abs() < SAME =>
            {
                rest
            }
            _ => return Sum { high: value, low: None },
        };
        if let SelectLess(a, b, yes, no) = before.expression(root) {
            let [yes, no] = [yes, no].map(|arm| self.sum(before, leaf, arm, role));
            let [a, b] = [a, b].map(|n| self.values[n.index()]);
            let zero = self.constant(0.0);
            let high = self.push(SelectLess(a, b, yes.high, no.high));
            let low = self.push(SelectLess(a, b, yes.low.unwrap_or(zero), no.low.unwrap_or(zero)));
            return Sum { high, low: Some(low) };
        }
        let x = self.push(Leaf(leaf));
        if let LeafRole::Sum(low) = role(leaf)
            && rest.value == self.push(Leaf(low))
        {
            return Sum { high: x, low: Some(rest.value) };
        }
        let [high, mut low] = self.two_sum(x, rest.value);
        if rest.scale.abs() > SAME {
            let scale = self.constant(rest.scale);
            low = self.push(MulAdd(scale, rest.value, low));
        }
        if let Some(error) = rest.error {
            low = self.push(Add(low, error));
        }
        Sum { high, low: Some(low) }
    }

    /// `fl(a + b)`, and its exact rounding error.
    fn two_sum(&mut self, a: Traced, b: Traced) -> [Traced; 2] {
        use GraphNode::*;
        let sum = self.push(KeptAdd(a, b));
        let of_b = self.push(KeptSub(sum, a));
        let of_a = self.push(KeptSub(sum, of_b));
        let (left_a, left_b) = (self.push(KeptSub(a, of_a)), self.push(KeptSub(b, of_b)));
        [sum, self.push(KeptAdd(left_a, left_b))]
    }

    fn negative(&mut self, form: Form) -> Form {
        let base = match form.base {
            Base::Constant(x) => Base::Constant(-x),
            Base::State(factor, leaf) => Base::State(-factor, leaf),
            other => other,
        };
        let rest = form.rest.map(|rest| Rest {
            value: self.push(GraphNode::Neg(rest.value)),
            error: rest.error.map(|error| self.push(GraphNode::Neg(error))),
            ..rest
        });
        Form { base, rest }
    }

    /// `a + b`, or `a - b`, each with its value.
    fn summed(&mut self, (a, value_a): (Form, Traced), (b, value_b): (Form, Traced), minus: bool) -> Form {
        let sign = if minus { -1.0 } else { 1.0 };
        let sum = |x: f64, y: f64| (x + sign * y, (x + sign * y).abs() <= SAME * x.abs());
        // A correction of a state: no factor tells of the step, and yet it is small.
        let correction = |value| Some(Rest { value, order: 1, scale: 0.0, error: None });
        let (mut a_rest, mut b_rest) = (a.rest, b.rest);
        let base = match (a.base, b.base) {
            (Base::State(..), Base::Rounded) => {
                b_rest = correction(value_b);
                a.base
            }
            (Base::Rounded, Base::State(x, leaf)) => {
                a_rest = correction(value_a);
                Base::State(sign * x, leaf)
            }
            (Base::Rounded, _) | (_, Base::Rounded) => return ROUNDED,
            (Base::Constant(x), Base::Zero) if b_rest.is_some() && !is_near_one(x) => return ROUNDED,
            (Base::Zero, Base::Constant(x)) if a_rest.is_some() && !is_near_one(x) => return ROUNDED,
            (base, Base::Zero) => base,
            (Base::Zero, Base::Constant(x)) => Base::Constant(sign * x),
            (Base::Zero, Base::State(x, leaf)) => Base::State(sign * x, leaf),
            (Base::Constant(x), Base::Constant(y)) => match sum(x, y) {
                (_, true) => Base::Zero,
                (x, _) => Base::Constant(x),
            },
            (Base::State(x, leaf), Base::State(y, other)) if leaf == other => match sum(x, y) {
                (_, true) => Base::Zero,
                (x, _) => Base::State(x, leaf),
            },
            _ => return ROUNDED,
        };
        Form { base, rest: self.rests(a_rest, b_rest, minus) }
    }

    fn rests(&mut self, a: Option<Rest>, b: Option<Rest>, minus: bool) -> Option<Rest> {
        let (a, b) = match (a, b) {
            (a, None) => return a,
            (None, Some(b)) if minus => {
                return self.negative(Form { base: Base::Zero, rest: Some(b) }).rest;
            }
            (None, b) => return b,
            (Some(a), Some(b)) => (a, b),
        };
        let value = self.plus(a.value, b.value, minus);
        let signed = |pass: &mut Pass, x: Traced| if minus { pass.push(GraphNode::Neg(x)) } else { x };
        // A higher power of the step may be off by its constants' roundings.
        let (scale, error) = match a.order.cmp(&b.order) {
            std::cmp::Ordering::Less => (a.scale, a.error),
            std::cmp::Ordering::Greater => (b.scale, b.error.map(|error| signed(self, error))),
            std::cmp::Ordering::Equal => {
                let differs = b.scale - a.scale;
                let mut errors = vec![];
                errors.extend(a.error);
                errors.extend(b.error.map(|error| signed(self, error)));
                if differs.abs() > SAME {
                    let differs = self.constant(differs);
                    let product = self.push(GraphNode::Mul(differs, b.value));
                    errors.push(signed(self, product));
                }
                (a.scale, errors.into_iter().reduce(|a, b| self.push(GraphNode::Add(a, b))))
            }
        };
        Some(Rest { value, order: a.order.min(b.order), scale, error })
    }

    /// `a + b`, or `a - b`, as one multiply-add where b is a product.
    fn plus(&mut self, a: Traced, b: Traced, minus: bool) -> Traced {
        use GraphNode::*;
        let node = match self.graph.signed_factors(b) {
            Some((x, y, negative)) if negative != minus => NegMulAdd(x, y, a),
            Some((x, y, _)) => MulAdd(x, y, a),
            None if minus => Sub(a, b),
            None => Add(a, b),
        };
        self.push(node)
    }

    /// `a b`
    fn product(&mut self, a: Traced, b: Traced) -> Form {
        let (fa, fb) = (self.forms[a.index()], self.forms[b.index()]);
        let (va, vb) = (self.values[a.index()], self.values[b.index()]);
        let (base, rest) = match (fa.base, fb.base) {
            (Base::Zero, Base::Zero) => {
                let rest = fa.rest.zip(fb.rest).map(|(ra, rb)| {
                    let Rest { value, error, .. } = self.times(ra, vb);
                    let other = rb.error.map(|error| self.push(GraphNode::Mul(error, va)));
                    let error = match (error, other) {
                        (Some(one), Some(other)) => Some(self.push(GraphNode::Add(one, other))),
                        (one, other) => one.or(other),
                    };
                    Rest {
                        value,
                        order: ra.order.saturating_add(rb.order),
                        scale: ra.scale + rb.scale,
                        error,
                    }
                });
                (Base::Zero, rest)
            }
            (Base::Zero, base) => (Base::Zero, self.multiplied(fa.rest, base, fb.rest, vb)),
            (base, Base::Zero) => (Base::Zero, self.multiplied(fb.rest, base, fa.rest, va)),
            (Base::Constant(x), Base::Constant(y)) => {
                (Base::Constant(x * y), self.crossed(x, fa.rest, fb.rest, vb))
            }
            (Base::Constant(x), Base::State(y, leaf)) => {
                (Base::State(x * y, leaf), self.crossed(x, fa.rest, fb.rest, vb))
            }
            (Base::State(x, leaf), Base::Constant(y)) => {
                (Base::State(x * y, leaf), self.crossed(y, fb.rest, fa.rest, va))
            }
            _ => return ROUNDED,
        };
        Form { base, rest }
    }

    /// The rest of `(x + r)(y + s) = x y + (x s + r (y + s))`, where `y + s` has this value.
    fn crossed(&mut self, x: f64, r: Option<Rest>, s: Option<Rest>, value: Traced) -> Option<Rest> {
        let s = s.map(|s| self.scaled(s, x));
        let r = r.map(|r| self.times(r, value));
        self.rests(s, r, false)
    }

    /// A rest, multiplied by a value of this form.
    fn multiplied(
        &mut self,
        rest: Option<Rest>,
        by: Base,
        with: Option<Rest>,
        value: Traced,
    ) -> Option<Rest> {
        match by {
            Base::Constant(x) if with.is_none() => rest.map(|rest| self.scaled(rest, x)),
            _ => rest.map(|rest| self.times(rest, value)),
        }
    }

    fn scaled(&mut self, rest: Rest, by: f64) -> Rest {
        let factor = self.constant(by);
        Rest { scale: rest.scale + off(by), ..self.times(rest, factor) }
    }

    fn times(&mut self, rest: Rest, by: Traced) -> Rest {
        let value = self.push(GraphNode::Mul(rest.value, by));
        let error = rest.error.map(|error| self.push(GraphNode::Mul(error, by)));
        Rest { value, error, ..rest }
    }

    /// `a b` and `c` with these signs.
    fn product_added(&mut self, a: Traced, b: Traced, c: Traced, minus: [bool; 2]) -> Form {
        let form = self.product(a, b);
        let c = self.operand(c);
        // The value of a product counts where it corrects a state.
        let value = match (form.base, c.0.base) {
            (Base::Rounded, Base::State(..)) => {
                let (a, b) = (self.values[a.index()], self.values[b.index()]);
                self.push(GraphNode::Mul(a, b))
            }
            _ => c.1,
        };
        match minus {
            [_, true] => self.summed((form, value), c, true),
            [negative, false] => self.summed(c, (form, value), negative),
        }
    }

    /// `a / b`, of this value.
    fn quotient(&mut self, a: Traced, b: Traced, value: Traced) -> Form {
        use GraphNode::*;
        let (fa, fb) = (self.forms[a.index()], self.forms[b.index()]);
        match (fa.base, fb.base) {
            (Base::Zero, base) => {
                let Some(ra) = fa.rest else { return fa };
                let (order, scale) = match (base, fb.rest) {
                    (Base::Zero, Some(rb)) => (ra.order.saturating_sub(rb.order), ra.scale - rb.scale),
                    (Base::Constant(x), None) => (ra.order, ra.scale - off(x)),
                    _ => (ra.order, ra.scale),
                };
                let divisor = self.values[b.index()];
                let error = ra.error.map(|error| self.push(Div(error, divisor)));
                if order == 0 {
                    return ROUNDED;
                }
                Form { base: Base::Zero, rest: Some(Rest { value, order, scale, error }) }
            }
            // (A + r)/(y + s) = A/y + (r - q s)/y, q the quotient.
            (Base::Constant(_) | Base::State(..), Base::Constant(y)) => {
                let base = match fa.base {
                    Base::State(x, leaf) => Base::State(x / y, leaf),
                    Base::Constant(x) => Base::Constant(x / y),
                    other => other,
                };
                let s = fb.rest.map(|s| self.times(s, value));
                let rest = self.rests(fa.rest, s, true).map(|rest| self.scaled(rest, 1.0 / y));
                Form { base, rest }
            }
            _ => ROUNDED,
        }
    }

    /// The root, of this value.
    fn root(&mut self, form: Form, value: Traced) -> Form {
        match (form.base, form.rest) {
            (Base::Zero, Some(rest)) if rest.order >= 2 && rest.order != LOW => {
                small(value, rest.order / 2, 0.5 * rest.scale)
            }
            // sqrt(x + r) = sqrt(x) + r/(sqrt(x) + sqrt(x + r))
            (Base::Constant(x), Some(rest)) if x > 0.0 => {
                let root = self.constant(x.sqrt());
                let both = self.push(GraphNode::Add(root, value));
                let quotient = self.push(GraphNode::Div(rest.value, both));
                let error = rest.error.map(|error| self.push(GraphNode::Div(error, both)));
                Form { base: Base::Constant(x.sqrt()), rest: Some(Rest { value: quotient, error, ..rest }) }
            }
            _ => ROUNDED,
        }
    }

    fn selected(&mut self, compared: [Traced; 2], yes: Form, no: Form) -> Form {
        let same = match (yes.base, no.base) {
            (Base::State(x, one), Base::State(y, other)) => one == other && (x - y).abs() < SAME,
            (one, other) => one == other,
        };
        if !same || yes.base == Base::Rounded {
            return ROUNDED;
        }
        let [a, b] = compared.map(|n| self.values[n.index()]);
        let zero = self.constant(0.0);
        let none = Rest { value: zero, order: LOW, scale: 0.0, error: None };
        let [yes_rest, no_rest] = [yes.rest, no.rest].map(|rest| rest.unwrap_or(none));
        let value = self.push(GraphNode::SelectLess(a, b, yes_rest.value, no_rest.value));
        let [error_yes, error_no] = [yes_rest, no_rest].map(|rest| rest.error.unwrap_or(zero));
        let error = self.push(GraphNode::SelectLess(a, b, error_yes, error_no));
        // The lower order decides on the scale; a lower part of a state has none that counts.
        let Rest { order, scale, .. } = if no_rest.order < yes_rest.order { no_rest } else { yes_rest };
        let rest = Rest { value, order, scale, error: (error != zero).then_some(error) };
        Form { base: yes.base, rest: Some(rest) }
    }
}

/// Whether a constant is the base of what is added to it. A number that only keeps something from
/// being zero is not: what is added to it is larger.
fn is_near_one(x: f64) -> bool {
    (0.25..=4.0).contains(&x.abs())
}

/// A value without a base.
fn small(value: Traced, order: u8, scale: f64) -> Form {
    Form { base: Base::Zero, rest: Some(Rest { value, order, scale, error: None }) }
}

/// By what share a constant is larger than its rounding to single precision.
fn off(x: f64) -> f64 {
    let rounded = f64::from(x as f32);
    if rounded == 0.0 || !rounded.is_finite() { 0.0 } else { (x - rounded) / rounded }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::real::Real;
    use crate::real::traced::{constant, leaf, record};
    use proptest::prelude::*;

    const STEP: u32 = 9;
    const H: f64 = 1e-3;

    /// Values of all nodes in single precision.
    fn computed(graph: &Graph, leaves: &[f32]) -> Vec<f32> {
        use GraphNode::*;
        let mut values: Vec<f32> = Vec::new();
        for (_, expression) in graph.nodes() {
            let value = |n: Traced| values[n.index()];
            values.push(match expression {
                Constant(bits) => f64::from_bits(bits) as f32,
                Leaf(leaf) => leaves[leaf as usize],
                Neg(a) => -value(a),
                Sqrt(a) => value(a).sqrt(),
                Floor(a) => value(a).floor(),
                Add(a, b) | KeptAdd(a, b) => value(a) + value(b),
                Sub(a, b) | KeptSub(a, b) => value(a) - value(b),
                Mul(a, b) => value(a) * value(b),
                Div(a, b) => value(a) / value(b),
                MulAdd(a, b, c) => value(a) * value(b) + value(c),
                MulSub(a, b, c) => value(a) * value(b) - value(c),
                NegMulAdd(a, b, c) => value(c) - value(a) * value(b),
                SelectLess(a, b, yes, no) => {
                    if value(a) < value(b) {
                        value(yes)
                    } else {
                        value(no)
                    }
                }
            });
        }
        values
    }

    /// The new sum of state 0, of which 1 is the lower part; others are plain.
    fn sum_of(f: impl FnOnce(Traced, Traced, Traced) -> Traced) -> (Graph, Sum) {
        let (graph, root) = record(Precision::F32Compensated, || f(leaf(0), leaf(2), leaf(STEP)));
        let role = |leaf| match leaf {
            0 => LeafRole::Sum(1),
            STEP => LeafRole::Step(H),
            _ => LeafRole::Plain,
        };
        let (graph, sums, _) = graph.compensated(role, &[(0, root)], &[]);
        let Sum { high, low } = sums[0];
        let (graph, roots) = graph.regrouped(&[high, low.unwrap_or(high)]);
        (graph, Sum { high: roots[0], low: low.map(|_| roots[1]) })
    }

    fn value(graph: &Graph, sum: Sum, leaves: [f32; 3]) -> f64 {
        let values = computed(graph, &leaves);
        let value = |n: Traced| f64::from(values[n.index()]);
        value(sum.high) + sum.low.map_or(0.0, value)
    }

    proptest! {
        /// The two parts are the whole, whatever is added.
        #[test]
        fn two_sums_are_exact(
            x in -1.0f32..1.0,
            y in -1.0f32..1.0,
            exponent in -30i32..30,
        ) {
            let (graph, sum) = sum_of(|x, y, _| x + y);
            let y = y * f32::powi(2.0, exponent);
            prop_assert_eq!(value(&graph, sum, [x, 0.0, y]), f64::from(x) + f64::from(y));
        }

        /// Increments in every form that methods have: what is lost is a few roundings of the
        /// increment, of 6e-8 each.
        #[test]
        fn increments_are_known_to_a_rounding_of_themselves(
            x in 0.5f32..2.0,
            low in -3e-8f32..3e-8,
            y in -2.0f32..2.0,
        ) {
            let [exact, h, y64] = [f64::from(x) + f64::from(low), H, f64::from(y)];
            type Step = fn(Traced, Traced, Traced) -> Traced;
            let steps: [(Step, f64); 6] = [
                (|x, y, h| h.mul_add(y, x), exact + h * y64),
                (|x, y, h| x - (h * y) * constant(1.0 / 3.0), exact - h * y64 / 3.0),
                // The midpoint of a step, doubled, less its start.
                (|x, y, h| constant(2.0).mul_sub(h.mul_add(y, x), x), exact + 2.0 * h * y64),
                (|x, y, h| x * (h * y).mul_add(h * y, constant(1.0)), exact * (1.0 + (h * y64).powi(2))),
                (
                    |x, y, h| (constant(2.0) / (h * y).mul_add(h * y, constant(1.0))).mul_sub(x, x),
                    exact * (2.0 / (1.0 + (h * y64).powi(2)) - 1.0),
                ),
                (
                    |x, y, h| (constant(3.0) * x + h * y) / constant(3.0),
                    exact + h * y64 / 3.0,
                ),
            ];
            for (number, (step, expected)) in steps.into_iter().enumerate() {
                let (graph, sum) = sum_of(step);
                prop_assert!(sum.low.is_some(), "{number}");
                let found = value(&graph, sum, [x, low, y]);
                let increment = (expected - exact).abs();
                let off = (found - expected).abs();
                prop_assert!(off < 5e-7 * increment + 1e-14, "{number}: {found} {expected}");
            }
        }
    }

    #[test]
    fn what_is_made_anew_is_no_sum() {
        let (_, sum) = sum_of(|x, y, _| y.mul_add(y, x * x));
        assert_eq!(sum.low, None);
        // A constant that only keeps a number from being zero is no base.
        let (_, sum) = sum_of(|x, y, h| x * (h * y + constant(1e-14)));
        assert_eq!(sum.low, None);
    }

    /// A lower part may be more than half a last digit: to add the parts anew would change both.
    #[test]
    fn a_state_that_stays_keeps_its_bits() {
        let (graph, sum) = sum_of(|x, y, h| constant(0.0).select_less(y, h.mul_add(y, x), x));
        let leaves = [1.0, 7e-8, -1.0];
        let values = computed(&graph, &leaves);
        let low = sum.low.expect("a lower part");
        assert_eq!([values[sum.high.index()], values[low.index()]], leaves[..2]);
    }

    #[test]
    fn a_factor_of_nearly_one_leaves_a_sum() {
        let (graph, sum) = sum_of(|x, y, _| x * y.near_one());
        let found = value(&graph, sum, [0.7, 2e-8, 1.000_000_1]);
        let expected = (f64::from(0.7f32) + f64::from(2e-8f32)) * f64::from(1.000_000_1f32);
        assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    }
}
