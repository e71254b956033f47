//! Values that are laid out, not drawn: lists and ranges, the axes of a grid, and the rows of the user's own table.

use std::sync::Arc;

use super::directions::normalise;
use super::distributions::is_unit;
use crate::describe::{Quantity, Target};

/// The values of one axis of the grid.
#[derive(Clone, Debug)]
pub enum GridValues {
    /// One entry after another, `width` numbers each.
    List {
        values: Vec<f64>,
        width: usize,
    },
    Linspace {
        from: f64,
        to: f64,
        count: u64,
    },
    Logspace {
        from: f64,
        to: f64,
        count: u64,
    },
}

impl GridValues {
    /// # Errors
    /// In words, here and below: if values are missing, not finite, or do not fit the target.
    pub fn list(target: &Target, values: &[Vec<f64>]) -> Result<Self, String> {
        require(!values.is_empty(), || "the list is empty".into())?;
        for (entry, value) in values.iter().enumerate() {
            fits(target, value).map_err(|why| format!("entry {entry} of the list {why}"))?;
        }
        let (mut values, width) = (values.concat(), target.width());
        if target.quantity == Quantity::Attitude {
            values.chunks_exact_mut(width).for_each(normalise);
        }
        Ok(GridValues::List { values, width })
    }

    pub fn linspace(target: &Target, from: f64, to: f64, count: u64) -> Result<Self, String> {
        range(target, from, to, count)?;
        Ok(GridValues::Linspace { from, to, count })
    }

    pub fn logspace(target: &Target, from: f64, to: f64, count: u64) -> Result<Self, String> {
        range(target, from, to, count)?;
        require(from > 0.0 && to > 0.0, || {
            format!("a logarithmic range needs positive ends, not {from:?} and {to:?}")
        })?;
        Ok(GridValues::Logspace { from, to, count })
    }

    /// Number of entries, at least 1.
    pub fn count(&self) -> u64 {
        match *self {
            GridValues::List { ref values, width } => (values.len() / width) as u64,
            GridValues::Linspace { count, .. } | GridValues::Logspace { count, .. } => count,
        }
    }

    /// Whether its entries ascend or descend throughout.
    pub fn is_range(&self) -> bool {
        !matches!(self, GridValues::List { .. })
    }

    /// Entry number `entry`.
    pub fn values(&self, entry: u64, out: &mut [f64]) {
        match *self {
            GridValues::List { ref values, width } => {
                let start = entry as usize * width;
                out.copy_from_slice(&values[start..start + width]);
            }
            GridValues::Linspace { from, to, count } => out[0] = between(from, to, entry, count),
            // Both ends are given as written; in between, whole decades come out exact.
            GridValues::Logspace { from, .. } if entry == 0 => out[0] = from,
            GridValues::Logspace { to, count, .. } if entry == count - 1 => out[0] = to,
            GridValues::Logspace { from, to, count } => {
                out[0] = libm::exp10(between(libm::log10(from), libm::log10(to), entry, count));
            }
        }
    }
}

/// Samples brought by the user: row i for instance i.
#[derive(Clone, Debug)]
pub struct SampleTable {
    values: Arc<Vec<Vec<f64>>>,
    attitude: bool,
}

impl SampleTable {
    /// The rows of a table read from `file`.
    ///
    /// # Errors
    /// In words, if there are fewer rows than instances, or a row does not fit the target.
    pub fn new(target: &Target, file: &str, values: &Arc<Vec<Vec<f64>>>, size: u64) -> Result<Self, String> {
        require(values.len() as u64 >= size, || {
            format!("{file} has {} rows, but the ensemble has {size} instances", values.len())
        })?;
        for (row, value) in values.iter().enumerate() {
            fits(target, value).map_err(|why| format!("row {row} of {file} {why}"))?;
        }
        Ok(SampleTable { values: values.clone(), attitude: target.quantity == Quantity::Attitude })
    }

    /// Row number `row`.
    pub fn values(&self, row: u64, out: &mut [f64]) {
        out.copy_from_slice(&self.values[row as usize]);
        if self.attitude {
            normalise(out);
        }
    }
}

/// Entry k of `count` evenly spaced numbers, both ends exact.
fn between(from: f64, to: f64, k: u64, count: u64) -> f64 {
    let t = if count > 1 { k as f64 / (count - 1) as f64 } else { 0.0 };
    (1.0 - t) * from + t * to
}

/// Whether values written out can stand for the target.
fn fits(target: &Target, values: &[f64]) -> Result<(), String> {
    let width = target.width();
    require(values.len() == width, || {
        format!("has {} numbers where the target takes {width}", values.len())
    })?;
    require(values.iter().all(|value| value.is_finite()), || "is not finite".into())?;
    let attitude = target.quantity == Quantity::Attitude;
    require(!attitude || is_unit(values), || "is not a unit quaternion".into())
}

fn range(target: &Target, from: f64, to: f64, count: u64) -> Result<(), String> {
    require(target.width() == 1, || {
        "a range needs a target of one number, such as a component of a vector".into()
    })?;
    require(count >= 1, || "the range has no values".into())?;
    require(from.is_finite() && to.is_finite(), || {
        format!("a range needs finite ends, not {from:?} and {to:?}")
    })
}

fn require(condition: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(why()) }
}
