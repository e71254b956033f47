//! The varied quantities of instance i, from (study, seed, i) alone.
//!
//! Any instance can be drawn at any time, on any thread, in any order, and is the same to the last
//! bit: no generator is carried from one to the next. All elementary functions are those of `libm`,
//! so the bits are also the same on every platform.
//!
//! A draw has two halves. A **design** gives each instance a point of the open unit cube, one
//! coordinate for each number that a distribution needs:
//!
//! | design | point of instance i |
//! |---|---|
//! | `random` | ChaCha8, key from the seed, stream i: independent points |
//! | `sobol` | point i of Sobol's sequence, shifted by the seed: even, errors of means near 1/n |
//! | `latin_hypercube` | in every dimension exactly one instance in each of n equal strata |
//!
//! A study of kind `sensitivity` has rows of instances whose points are made of two of these, or
//! trajectories.
//!
//! A [**distribution**](distributions) maps coordinates u to the values of its target, in the
//! target's unit: one file each.
//!
//! Numbers of several targets may be drawn together (`copula.rs`).
//!
//! Lists, linear and logarithmic ranges draw nothing: they are the axes of a grid, in the order of
//! the file, the last fastest. The grid has P cells and instance i lies in cell i mod P; the number
//! of instances is a multiple of P. A table gives row i to instance i. Grid, table and drawn
//! quantities go together freely.

mod copula;
mod directions;
pub mod distributions;
mod grid;
mod latin_hypercube;
pub mod normal;
mod points;
mod representatives;
pub mod screening;
mod sobol;
mod streams;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

use rand::Rng;
use thiserror::Error;

use self::copula::Copula;
use self::distributions::covariance::CovarianceError;
use self::distributions::{DistributionError, MOST_DIMENSIONS, Map};
pub use self::grid::{EntryError, ValuesError};
use self::grid::{GridValues, SampleTable};
use self::points::{Cube, Points};
use self::screening::{Inputs, MorrisTrajectories, MorrisTrajectory, Saltelli};
use crate::base::units::Dimension;
use crate::describe::{
    Correlated, Distribution, LoadKind, Quantity, Screening, Study, Target, VariedStep, Vary,
};
use crate::model::quantities::Quantities;

/// Draws the varied quantities of any instance. Built once, shared by all threads.
#[derive(Clone, Debug)]
pub struct Sampler {
    size: u64,
    width: usize,
    points: Points,
    varied: Vec<Varied>,
    copulas: Vec<Copula>,
    columns: Vec<DrawnColumn>,
}

/// A drawn number: how it is called, and its unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnColumn {
    /// The target's key, and the component if the target has several: `body.angular_velocity.x`,
    /// `.xx`, `.q0`.
    pub name: String,
    /// SI; "1" for the parts of a quaternion.
    pub unit: Cow<'static, str>,
}

/// Why a quantity cannot be varied as a study says.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum VaryError {
    #[error("the mechanism has no such number")]
    NoNumber,
    #[error("the treatment has no such number")]
    NoSetting,
    #[error("the mechanism has no such load")]
    NoLoad,
    #[error("the load has no such piece")]
    NoPiece,
    #[error("there is no component {component}")]
    NoComponent { component: usize },
    #[error(transparent)]
    Distribution(#[from] DistributionError),
    #[error(transparent)]
    Values(#[from] ValuesError),
}

/// Why a study cannot be sampled.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SamplingError {
    #[error("ensemble.correlated: `{name}` is no number that is drawn by itself")]
    NotAlone { name: String },
    #[error("ensemble.correlated: {0}")]
    Correlation(#[from] CovarianceError),
    #[error("ensemble.vary.\"{key}\": {why}")]
    Vary { key: String, why: VaryError },
    #[error("an ensemble of {size} instances cannot be sampled; 1 to {largest} can")]
    Size { size: u64, largest: u64 },
    #[error(
        "the lists and ranges make a grid of {cells} cells; the ensemble's size must be a multiple of it, \
         not {size}"
    )]
    PartialGrid { cells: u128, size: u64 },
    #[error(
        "{needed} numbers are drawn for each instance, \
         more than the {available} dimensions of Sobol's sequence; \
         choose the design \"random\" or \"latin_hypercube\""
    )]
    SobolDimensions { needed: usize, available: usize },
}

#[derive(Clone, Debug)]
struct Varied {
    target: Target,
    width: usize,
    /// The count of unit numbers that each of its inputs takes.
    inputs: Vec<usize>,
    source: Source,
}

/// Where a target's values come from.
#[derive(Clone, Debug)]
enum Source {
    Drawn(Arc<dyn Map>),
    /// One axis of the grid: its entry moves on every `stride` instances.
    Grid {
        axis: GridValues,
        stride: u64,
    },
    Rows(SampleTable),
}

impl Sampler {
    /// The largest ensemble; set by the resolution of the Latin hypercube.
    pub const LARGEST: u64 = 1 << 40;

    /// Prepares the ensemble of a study.
    ///
    /// # Errors
    /// If parameters are out of range, a distribution does not fit its target, the size does not
    /// suit the grid or a table, or Sobol's sequence has too few dimensions.
    pub fn new(study: &Study) -> Result<Sampler, SamplingError> {
        let ensemble = &study.ensemble;
        let size = ensemble.size;
        if size == 0 || size > Self::LARGEST {
            return Err(SamplingError::Size { size, largest: Self::LARGEST });
        }
        let mut varied = Vec::with_capacity(ensemble.vary.len());
        let mut columns = Vec::new();
        for vary in &ensemble.vary {
            let in_key = |why: VaryError| SamplingError::Vary { key: vary.target.key.clone(), why };
            columns.extend(columns_of(&vary.target, study).map_err(in_key)?);
            let source = Source::new(vary, size).map_err(in_key)?;
            let inputs = inputs_of(vary).unwrap_or_default();
            varied.push(Varied { target: vary.target.clone(), width: vary.target.width(), inputs, source });
        }
        let cells = lay_grid(&mut varied, size)?;
        let copulas = ensemble.correlated.iter().map(|together| copula(&varied, together));
        let copulas = copulas.collect::<Result<_, SamplingError>>()?;
        let dimensions = varied.iter().map(|varied| varied.source.dimension()).sum();
        let points = match study.kind.screening() {
            Some(sensitivity) => {
                let numbers: Vec<usize> = varied.iter().flat_map(|varied| varied.inputs.clone()).collect();
                let (inputs, count) = (Inputs::new(&numbers), numbers.len());
                match sensitivity.method {
                    Screening::Sobol { .. } => Points::Saltelli {
                        design: Saltelli::new(inputs, sensitivity.places(count)),
                        cube: Cube::new(
                            ensemble.design,
                            ensemble.seed,
                            2 * dimensions,
                            sensitivity.samples,
                            1,
                        )?,
                    },
                    Screening::Morris { levels } => {
                        Points::Trajectories(MorrisTrajectories::new(inputs, levels, ensemble.seed))
                    }
                }
            }
            None => Points::Plain(Cube::new(ensemble.design, ensemble.seed, dimensions, size, cells)?),
        };
        Ok(Sampler { size, width: columns.len(), points, varied, copulas, columns })
    }

    /// Returns how many numbers an instance has: the widths of all targets, in the order of the
    /// file.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Name and unit of each number.
    pub fn columns(&self) -> Vec<DrawnColumn> {
        self.columns.clone()
    }

    /// The names of the inputs, which are drawn independently of each other: single numbers by
    /// those of their columns, what is drawn together by its key.
    pub fn inputs(&self) -> Vec<String> {
        let mut inputs = Vec::new();
        let mut first = 0;
        for varied in &self.varied {
            let columns = &self.columns[first..first + varied.width];
            first += varied.width;
            if varied.inputs.len() == varied.width {
                inputs.extend(columns.iter().map(|column| column.name.clone()));
            } else if !varied.inputs.is_empty() {
                inputs.push(varied.target.key.clone());
            }
        }
        inputs
    }

    /// The trajectory of this row of a study by Morris's method; `None`: of another.
    pub fn trajectory(&self, row: u64) -> Option<MorrisTrajectory> {
        match &self.points {
            Points::Trajectories(trajectories) => Some(trajectories.row(row)),
            _ => None,
        }
    }

    /// Draws one instance into `out`, the same bits in any order and on any thread. Allocates
    /// nothing, but for trajectories and what is drawn together.
    ///
    /// # Panics
    /// If `instance` is not below the ensemble's size, or `out` has not `width()` places.
    pub fn draw(&self, instance: u64, out: &mut [f64]) {
        assert!(instance < self.size, "instance {instance} of an ensemble of {}", self.size);
        assert_eq!(out.len(), self.width, "numbers of an instance");
        let mut point = self.points.at(instance);
        let mut together = (!self.copulas.is_empty()).then(|| {
            let count = self.varied.iter().map(|varied| varied.source.dimension()).sum();
            let mut all: Vec<f64> = (0..count).map(|_| point.next()).collect();
            self.copulas.iter().for_each(|copula| copula.apply(&mut all));
            all.into_iter()
        });
        let mut next = || together.as_mut().and_then(Iterator::next).unwrap_or_else(|| point.next());
        let mut rest = out;
        for varied in &self.varied {
            let (values, after) = rest.split_at_mut(varied.width);
            rest = after;
            match &varied.source {
                Source::Drawn(map) => {
                    let mut u = [0.0; MOST_DIMENSIONS];
                    u[..map.dimension()].fill_with(&mut next);
                    map.values(u, values);
                }
                Source::Grid { axis, stride } => axis.values(instance / stride % axis.count(), values),
                Source::Rows(rows) => rows.values(instance, values),
            }
        }
    }

    /// Overwrites the varied quantities by the numbers of a draw. As every draw overwrites the same
    /// ones, the `Quantities` of one instance can be reused for the next.
    pub fn apply(&self, drawn: &[f64], quantities: &mut Quantities) {
        let mut rest = drawn;
        for varied in &self.varied {
            let (values, after) = rest.split_at(varied.width);
            rest = after;
            quantities.set(&varied.target, values);
        }
    }
}

/// `count` standard normal numbers, a function of seed, instance and `stream` alone: directions in
/// which instances are pushed.
pub fn directions(seed: u64, instance: u64, stream: u64, count: usize) -> Vec<f64> {
    // A stream of ChaCha is 2^68 bytes long: directions of an instance lie in it one after another,
    // far apart.
    let mut rng = streams::stream(seed, streams::Purpose::Direction, instance);
    rng.set_word_pos(u128::from(stream) << 32);
    (0..count).map(|_| normal::quantile(streams::open_unit(rng.next_u64()))).collect()
}

/// Returns how many unit numbers each input of a varied quantity takes: numbers that are drawn
/// independently are inputs of their own, an attitude, a direction or correlated numbers are one.
/// `None`: the quantity is laid out, not drawn.
pub fn inputs_of(vary: &Vary) -> Option<Vec<usize>> {
    let Distribution::Drawn { name, values } = &vary.distribution else { return None };
    distributions::card(name).map(|card| (card.inputs)(values, vary.target.width()))
}

/// Whether one number of a varied quantity has only one value.
pub fn stands_still(vary: &Vary) -> bool {
    let Distribution::Drawn { name, values } = &vary.distribution else { return false };
    let Some(card) = distributions::card(name) else { return false };
    let equal = |[low, high]: [&str; 2]| {
        values.vector(low).iter().zip(values.vector(high)).any(|(low, high)| low == high)
    };
    card.ends.is_some_and(equal) || card.spread.is_some_and(|spread| values.vector(spread).contains(&0.0))
}

/// The steps of the instances of a study, where they differ; `None`: all have that of the method.
pub fn varied_step(study: &Study) -> Option<VariedStep> {
    let varied = study.ensemble.vary.iter().find(|vary| vary.target.quantity == Quantity::Step)?;
    let [shortest, longest] = ends(&varied.distribution);
    Some(VariedStep { shortest, longest })
}

/// The lowest and the highest value of the first number, where there are such.
fn ends(distribution: &Distribution) -> [Option<f64>; 2] {
    let of_rows = |rows: &[Vec<f64>]| {
        let values = || rows.iter().filter_map(|row| row.first().copied());
        [values().reduce(f64::min), values().reduce(f64::max)]
    };
    let ends = match distribution {
        Distribution::Drawn { name, values } => match distributions::card(name).and_then(|card| card.ends) {
            Some(ends) => ends.map(|end| values.vector(end).first().copied()),
            None => [None; 2],
        },
        Distribution::Linspace { from, to, .. } | Distribution::Logspace { from, to, .. } => {
            [Some(from.min(*to)), Some(from.max(*to))]
        }
        Distribution::List { values } => of_rows(values),
        Distribution::Table { values, .. } => of_rows(values),
    };
    ends.map(|end| end.filter(|end| end.is_finite()))
}

impl Source {
    fn new(vary: &Vary, size: u64) -> Result<Self, VaryError> {
        let target = &vary.target;
        let axis = |axis: Result<GridValues, ValuesError>| Ok(Source::Grid { axis: axis?, stride: 1 });
        match &vary.distribution {
            Distribution::Drawn { name, values } => {
                let card = distributions::card(name).ok_or(DistributionError::Unknown(name));
                Ok(Source::Drawn(card.and_then(|card| (card.map)(values, target))?))
            }
            Distribution::List { values } => axis(GridValues::list(target, values)),
            &Distribution::Linspace { from, to, count } => {
                axis(GridValues::linspace(target, from, to, count))
            }
            &Distribution::Logspace { from, to, count } => {
                axis(GridValues::logspace(target, from, to, count))
            }
            Distribution::Table { file, values, columns: _ } => {
                Ok(Source::Rows(SampleTable::new(target, file, values, size)?))
            }
        }
    }

    /// Returns how many coordinates of the design's point the source takes.
    fn dimension(&self) -> usize {
        match self {
            Source::Drawn(map) => map.dimension(),
            Source::Grid { .. } | Source::Rows(_) => 0,
        }
    }
}

/// Returns the copula that makes these numbers depend on each other.
fn copula(varied: &[Varied], together: &Correlated) -> Result<Copula, SamplingError> {
    let coordinate = |name: &String| {
        let mut first = 0;
        for varied in varied {
            let at = names_of(&varied.target).iter().position(|own| own == name);
            if let (Some(k), Source::Drawn(map)) = (at, &varied.source)
                && map.marginal(k).is_some()
            {
                return Ok(first + k);
            }
            first += varied.source.dimension();
        }
        Err(SamplingError::NotAlone { name: name.clone() })
    };
    let coordinates = together.of.iter().map(coordinate).collect::<Result<Vec<usize>, _>>()?;
    Ok(Copula::new(coordinates, &together.correlation)?)
}

/// The names of a target's numbers.
pub fn names_of(target: &Target) -> Vec<String> {
    parts_of(target).iter().map(|part| format!("{}{part}", target.key)).collect()
}

/// Returns the endings of the names of a target's numbers.
fn parts_of(target: &Target) -> &'static [&'static str] {
    match target.quantity {
        _ if target.width() == 1 => &[""],
        Quantity::Inertia => &[".xx", ".yy", ".zz"],
        Quantity::Attitude => &[".q0", ".q1", ".q2", ".q3"],
        _ => &[".x", ".y", ".z"],
    }
}

/// Whether number k of a varied quantity is drawn by a law of its own.
pub fn drawn_alone(vary: &Vary, k: usize) -> bool {
    match Source::new(vary, 1) {
        Ok(Source::Drawn(map)) => map.marginal(k).is_some(),
        _ => false,
    }
}

/// Sets the strides of the grid's axes, last fastest, and gives the number of its cells (1 without
/// a grid).
fn lay_grid(varied: &mut [Varied], size: u64) -> Result<u64, SamplingError> {
    let mut cells: u128 = 1;
    for varied in varied.iter_mut().rev() {
        if let Source::Grid { axis, stride } = &mut varied.source {
            // Beyond the size the product is only reported; saturation keeps it from wrapping to a
            // divisor.
            *stride = u64::try_from(cells).unwrap_or(u64::MAX);
            cells = cells.saturating_mul(u128::from(axis.count()));
        }
    }
    if u128::from(size).is_multiple_of(cells) {
        Ok(cells as u64)
    } else {
        Err(SamplingError::PartialGrid { cells, size })
    }
}

fn columns_of(target: &Target, study: &Study) -> Result<Vec<DrawnColumn>, VaryError> {
    let mechanism = &study.mechanism;
    let unit: Cow<'static, str> = match target.quantity {
        Quantity::Mass => "kg".into(),
        Quantity::Inertia => "kg m²".into(),
        Quantity::CentreOfMass | Quantity::Position => "m".into(),
        Quantity::Velocity => "m/s".into(),
        Quantity::Attitude => "1".into(),
        Quantity::AngularVelocity => "rad/s".into(),
        Quantity::Gravity | Quantity::GravityDown => "m/s²".into(),
        Quantity::Number(number) => {
            let numbers = mechanism.numbers();
            let number = numbers.get(number).ok_or(VaryError::NoNumber)?;
            match mechanism.own_unit(number) {
                Some(unit) => unit.clone(),
                None if number.dimension == Dimension::Number => "1".into(),
                None => number.dimension.si().into(),
            }
        }
        Quantity::Step => "s".into(),
        Quantity::Setting(position) => {
            let mut numbers = study.constraints.card().numbers();
            numbers.nth(position).ok_or(VaryError::NoSetting)?.unit.into()
        }
        Quantity::LoadValue { load, piece } => {
            let load = mechanism.loads.get(load).ok_or(VaryError::NoLoad)?;
            load.pieces.get(piece).ok_or(VaryError::NoPiece)?;
            match load.kind {
                LoadKind::Force => "N".into(),
                LoadKind::Torque => "N m".into(),
            }
        }
    };
    let width = target.quantity.width();
    if let Some(component) = target.component.filter(|&component| component >= width) {
        return Err(VaryError::NoComponent { component });
    }
    Ok(names_of(target).into_iter().map(|name| DrawnColumn { name, unit: unit.clone() }).collect())
}
