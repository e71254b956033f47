//! A snapshot added up where the states are, as numbers that the statistics of a run take in.
//!
//! A backend that can do it computes the columns of all instances under way and adds them up in blocks. What an ordinary value
//! adds is exact in any order: it is split by the constants of its column's rule into parts whose sums of [`BLOCK`] are exact in
//! f64. All other values come back one by one.

use bytemuck::{Pod, Zeroable};

use crate::real::traced::{Graph, Traced};

/// Most values that are added up together: sums of so many parts of 42 bits are exact in f64.
pub const BLOCK: usize = 1024;

/// Slots of a column that are counted: 0 for what is excluded, and those of the ordinary values.
pub const SLOTS: usize = 514;

/// The slot of values that are excluded: of instances that have stopped, undefined ones, and those that are no numbers.
pub const EXCLUDED: usize = 0;

/// What is to be seen of all instances, and how it is added up.
pub struct Observation<'a> {
    /// The columns' arithmetic, in f64.
    pub graph: &'a Graph,
    pub columns: &'a [ObservedColumn],
    /// What a leaf of the graph is.
    pub input: &'a (dyn Fn(u32) -> ObservedInput + Sync),
    /// Drawn parameters in f64: `[parameter][instance]`.
    pub parameters: &'a [Vec<f64>],
    /// A number of what all instances started with.
    pub start: &'a dyn Fn(usize) -> Vec<f64>,
    /// The shares of the timed loads now.
    pub factors: &'a [f64],
    /// By column.
    pub rules: &'a [TallyRule],
}

/// The value of one column.
#[derive(Clone, Copy, Debug)]
pub struct ObservedColumn {
    /// In the column's unit; it becomes zero below [`Element::TINY`](crate::real::Element::TINY) of f64 (2^-255).
    pub value: Traced,
    /// Where this is not above 0, the column is NaN, whatever `value` is. `None`: it is `value` everywhere.
    pub defined: Option<Traced>,
}

/// What a leaf of the graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObservedInput {
    /// A state channel, by its number among all channels.
    State(usize),
    /// A parameter of the model that varies.
    Parameter(usize),
    /// The share of a timed load at this instant, by its span: the same number for all instances.
    Factor(usize),
    /// A number of what the instance started with, by its place in `Baseline::numbers`.
    Start(usize),
}

/// How the values of a column are split, and where they are counted: `struct Rule` of `shaders/tally.wgsl`. With
/// u = (x - centre) scale the slot is (u - low) per_width + first, rounded to the nearest, halves to even; it is at least `below` and at most `above`, which
/// stand for all values further out.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct TallyRule {
    pub centre: f64,
    pub scale: f64,
    pub low: f64,
    pub per_width: f64,
    pub first: f64,
    pub below: f64,
    pub above: f64,
    /// Of x.
    pub values: SplitRule,
    /// Of u^2.
    pub squares: SplitRule,
}

/// Splits numbers smaller than `limit`: adding a constant and taking it away again rounds to multiples of a power of two.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct SplitRule {
    pub limit: f64,
    pub first: f64,
    pub second: f64,
}

/// What the ordinary values of a block add to a column: `struct Part` of `shaders/tally.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct TallyPart {
    /// Two numbers whose exact sum is that of the values.
    pub sum: [f64; 2],
    /// Likewise of u^2.
    pub squares: [f64; 2],
    /// Extremes of the values, if there are any.
    pub min: f64,
    pub max: f64,
    /// How many values.
    pub count: f64,
}

/// A snapshot, added up.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// `[block][column]`
    pub parts: Vec<TallyPart>,
    /// How many values are in each slot: `[column][slot]`, [`SLOTS`] a column.
    pub counts: Vec<u32>,
    /// Values that are not ordinary, in no order: column and value.
    pub apart: Vec<(usize, f64)>,
}

impl Tally {
    /// What a column of `columns` is made of: its parts, its counts, and the values that are not ordinary.
    pub fn column(
        &self,
        column: usize,
        columns: usize,
    ) -> (impl Iterator<Item = &TallyPart>, &[u32], Vec<f64>) {
        let parts = self.parts.iter().skip(column).step_by(columns);
        let apart = self.apart.iter().filter(|(of, _)| *of == column).map(|(_, value)| *value);
        (parts, &self.counts[column * SLOTS..(column + 1) * SLOTS], apart.collect())
    }
}
