//! Values that are laid out, not drawn: lists and ranges, the axes of a grid, and the rows of the
//! user's own table.

use std::sync::Arc;

use super::directions::normalise;
use super::distributions::is_unit;
use crate::describe::{Quantity, Target};

/// Why values that are laid out cannot be those of a target.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ValuesError {
    #[error("the list is empty")]
    EmptyList,
    #[error("entry {entry} of the list {why}")]
    Entry { entry: usize, why: EntryError },
    #[error("a range needs a target of one number, such as a component of a vector")]
    RangeOfSeveral,
    #[error("the range has no values")]
    EmptyRange,
    #[error("a range needs finite ends, not {from:?} and {to:?}")]
    RangeEnds { from: f64, to: f64 },
    #[error("a logarithmic range needs positive ends, not {from:?} and {to:?}")]
    LogarithmicEnds { from: f64, to: f64 },
    #[error("{file} has {rows} rows, but the ensemble has {instances} instances")]
    FewRows { file: String, rows: usize, instances: u64 },
    #[error("row {row} of {file} {why}")]
    Row { row: usize, file: String, why: EntryError },
}

/// Why numbers written out cannot stand for a target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    #[error("has {given} numbers where the target takes {width}")]
    Width { given: usize, width: usize },
    #[error("is not finite")]
    NotFinite,
    #[error("is not a unit quaternion")]
    NotUnit,
}

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
    /// Here and below: values are missing, not finite, or do not fit the target.
    pub fn list(target: &Target, values: &[Vec<f64>]) -> Result<Self, ValuesError> {
        if values.is_empty() {
            return Err(ValuesError::EmptyList);
        }
        for (entry, value) in values.iter().enumerate() {
            fits(target, value).map_err(|why| ValuesError::Entry { entry, why })?;
        }
        let (mut values, width) = (values.concat(), target.width());
        if target.quantity == Quantity::Attitude {
            values.chunks_exact_mut(width).for_each(normalise);
        }
        Ok(GridValues::List { values, width })
    }

    pub fn linspace(target: &Target, from: f64, to: f64, count: u64) -> Result<Self, ValuesError> {
        range(target, from, to, count)?;
        Ok(GridValues::Linspace { from, to, count })
    }

    pub fn logspace(target: &Target, from: f64, to: f64, count: u64) -> Result<Self, ValuesError> {
        range(target, from, to, count)?;
        if !(from > 0.0 && to > 0.0) {
            return Err(ValuesError::LogarithmicEnds { from, to });
        }
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
    /// There are fewer rows than instances, or a row does not fit the target.
    pub fn new(
        target: &Target,
        file: &str,
        values: &Arc<Vec<Vec<f64>>>,
        size: u64,
    ) -> Result<Self, ValuesError> {
        if (values.len() as u64) < size {
            return Err(ValuesError::FewRows { file: file.to_string(), rows: values.len(), instances: size });
        }
        for (row, value) in values.iter().enumerate() {
            fits(target, value).map_err(|why| ValuesError::Row { row, file: file.to_string(), why })?;
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
fn fits(target: &Target, values: &[f64]) -> Result<(), EntryError> {
    let width = target.width();
    if values.len() != width {
        return Err(EntryError::Width { given: values.len(), width });
    }
    if !values.iter().all(|value| value.is_finite()) {
        return Err(EntryError::NotFinite);
    }
    if target.quantity == Quantity::Attitude && !is_unit(values) {
        return Err(EntryError::NotUnit);
    }
    Ok(())
}

fn range(target: &Target, from: f64, to: f64, count: u64) -> Result<(), ValuesError> {
    if target.width() != 1 {
        return Err(ValuesError::RangeOfSeveral);
    }
    if count < 1 {
        return Err(ValuesError::EmptyRange);
    }
    if !(from.is_finite() && to.is_finite()) {
        return Err(ValuesError::RangeEnds { from, to });
    }
    Ok(())
}
