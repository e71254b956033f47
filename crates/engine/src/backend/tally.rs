//! A snapshot added up where the states are, as numbers that the statistics of a run take in.
//!
//! A backend that can do it computes the columns of all instances under way and adds them up in
//! blocks. A near value in a bin that is counted is rounded to the grid of its column
//! ([`crate::observe::statistics`]); sums of [`BLOCK`], and of [`MOST_BLOCKS`] of these, are then
//! exact in two parts of f64, in any order. All other values come back one by one.

use bytemuck::{Pod, Zeroable};

use crate::real::traced::{Graph, Traced};

/// Most values whose sum is exact in two parts.
pub const BLOCK: usize = 1024;

/// Most blocks whose sums are exact together.
pub const MOST_BLOCKS: usize = 1 << 16;

/// Binary digits of a value that tell its bin.
pub const DIGITS: u32 = 10;

/// Bins that hold most values, the window: two octaves on either side of the centre, if that lies
/// in the middle.
pub const BINS: usize = 4096;

/// Bins that a backend counts: the window, and as many again about it.
pub const COUNTED: usize = 2 * BINS;

/// Slots of a column: the bins that are counted, each at its number modulo [`COUNTED`], and one
/// more for what is excluded.
pub const SLOTS: usize = COUNTED + 1;

/// The slot of values that are excluded: of instances that have stopped, undefined ones, and
/// those that are no numbers.
pub const EXCLUDED: usize = COUNTED;

/// Added to u, it rounds u to multiples of 2^-49: for near values the sum is in [8, 16).
pub const SHIFT: f64 = 12.0;

/// Added to u^2, it rounds u^2 to multiples of 2^-48.
pub const SQUARE_SHIFT: f64 = 16.0;

/// Columns as recorded arithmetic.
pub struct ColumnArithmetic<'a> {
    pub graph: &'a Graph,
    pub columns: &'a [ObservedColumn],
    /// Returns the [`ObservedInput`] that a leaf of the graph stands for.
    pub input: &'a (dyn Fn(u32) -> ObservedInput + Sync),
}

/// The columns to observe in all instances, and the rules by which their values are added up.
pub struct Observation<'a> {
    /// In f64.
    pub arithmetic: ColumnArithmetic<'a>,
    /// Drawn parameters in f64: `[parameter][instance]`.
    pub parameters: &'a [Vec<f64>],
    /// A number of what all instances started with.
    pub start: &'a dyn Fn(usize) -> Vec<f64>,
    /// The shares of the timed loads now.
    pub factors: &'a [f64],
    /// By column.
    pub rules: &'a [TallyRule],
    /// The first so many instances are read one by one too.
    pub shown: usize,
}

/// Whether a backend has begun with a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    Yes,
    /// It can once the earliest of those that were begun has been ended.
    Later,
    /// It cannot, or not together with so many steps.
    No,
}

/// The value of one column.
#[derive(Clone, Copy, Debug)]
pub struct ObservedColumn {
    /// In the column's unit; it becomes zero below
    /// [`Element::TINY`](crate::real::Element::TINY) of f64 (2^-255).
    pub value: Traced,
    /// Where this is not above 0, the column is NaN, whatever `value` is. `None`: it is `value`
    /// everywhere.
    pub defined: Option<Traced>,
    /// An instance that a condition has ended has it still at the last snapshot.
    pub outlasts: bool,
}

/// The quantity that a leaf of the graph stands for.
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

/// The rule by which the values of a column are rounded and counted: `struct Rule` of
/// `shaders/tally.wgsl`. With u = (x - centre) scale a value is near if u + shift is in [8, 16).
/// Shifts are the same for all columns, and given as numbers all the same: compilers fold literals
/// that are added and taken away again.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct TallyRule {
    pub centre: f64,
    pub scale: f64,
    /// Added and taken away, it rounds u to its grid,
    pub shift: f64,
    /// and this to multiples of 2^-40, of which 1024 have an exact sum, as have the remainders.
    pub coarse_shift: f64,
    /// Likewise of u^2.
    pub square_shift: f64,
    /// To multiples of 2^-38.
    pub square_coarse_shift: f64,
    /// A value's bin has the leading digits of 1 + |x - bin_centre| bin_scale.
    pub bin_centre: f64,
    pub bin_scale: f64,
    /// The first bin of the window.
    pub first: f64,
}

impl TallyRule {
    /// The rule of u = (x - centre) scale, a centre and a scale of bins, and a window.
    pub fn new([centre, scale]: [f64; 2], [bin_centre, bin_scale]: [f64; 2], first: i32) -> TallyRule {
        // 1.5 2^(52+k) rounds to multiples of 2^k.
        let [coarse_shift, square_coarse_shift] = [12, 14].map(|power| 1.5 * 2_f64.powi(power));
        TallyRule {
            centre,
            scale,
            shift: SHIFT,
            coarse_shift,
            square_shift: SQUARE_SHIFT,
            square_coarse_shift,
            bin_centre,
            bin_scale,
            first: f64::from(first),
        }
    }
}

/// Sums over the values that are near and counted, for a column: `struct Part` of
/// `shaders/tally.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct TallyPart {
    /// Two numbers whose exact sum is that of u, on its grid.
    pub sum: [f64; 2],
    /// Likewise of u^2.
    pub squares: [f64; 2],
    /// Extremes of the values, if there are any.
    pub min: f64,
    pub max: f64,
    /// Number of values.
    pub count: f64,
}

/// A snapshot, added up.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By column.
    pub parts: Vec<TallyPart>,
    /// Number of values in each slot: `[column][slot]`, [`SLOTS`] a column.
    pub counts: Vec<u32>,
    /// All other finite values, in no order, by column.
    pub apart: Vec<Vec<f64>>,
}

impl Tally {
    /// The sums, the counts and the values apart of a column.
    pub fn column(&self, column: usize) -> (&TallyPart, &[u32], &[f64]) {
        (&self.parts[column], &self.counts[column * SLOTS..(column + 1) * SLOTS], &self.apart[column])
    }
}
