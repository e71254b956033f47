//! A stability map to be written: axes, cells, and the ends of stable ranges.

use serde::{Deserialize, Serialize};

use crate::numbers::{number, round4, words};
use polhode_description::base::with_unit;
use polhode_description::describe::Study;
use polhode_engine::observe::Verdict;
use polhode_engine::observe::stability::{Cell, Reach};
use polhode_files::kinds::stability_map::{Along, Axis as Described, GridAxis};

/// An axis as it is shown.
pub struct MapAxis {
    /// Ascending, SI.
    pub values: Vec<f64>,
    /// The name of its quantity, and its unit.
    pub name: String,
    pub unit: String,
    /// Factor from the value to the number that is shown.
    pub factor: f64,
    /// With the unit of what is shown.
    pub label: String,
    pub logarithmic: bool,
    /// Values stand side by side, whatever their distance.
    pub listed: bool,
    pub is_step: bool,
}

impl MapAxis {
    pub fn new(described: &Described, laid_out: &GridAxis, unit: &str) -> MapAxis {
        let name = described.along.name();
        let plain = match &described.along {
            Along::Varied(_) if described.factor == 1.0 => format!("{} ({unit})", words(name)),
            Along::Varied(_) => format!("{} × {} ({unit})", number(described.factor), words(name)),
            Along::Resynchronise(_) => "steps between restarts (0: never)".to_string(),
            Along::Project(_) => "steps between projections (0: never)".to_string(),
        };
        MapAxis {
            values: laid_out.values.clone(),
            name: name.to_string(),
            unit: unit.to_string(),
            factor: described.factor,
            label: described.label.clone().unwrap_or(plain),
            logarithmic: laid_out.logarithmic,
            listed: laid_out.listed,
            is_step: laid_out.is_step,
        }
    }
}

/// The stable range of a row of cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StabilityBoundary {
    /// Position among the variants, and on the y axis.
    pub variant: usize,
    pub row: usize,
    /// In cells.
    pub reach: Reach,
    /// The least stable x; NaN: none is.
    pub from: f64,
    /// The largest below it that is not stable; NaN: none is known.
    pub below: f64,
    /// The largest x up to which all that was tried from there on is stable; NaN: none is.
    pub largest: f64,
    /// The least above it that is not; NaN: none is known.
    pub unstable: f64,
    /// The largest stable x of all.
    pub last: f64,
    /// Verdict of the least unstable x.
    pub failure: Option<Verdict>,
    /// The largest stable x of theory, of an undamped vibration; NaN: it is not known.
    pub theory: f64,
}

/// A map to be written.
pub struct MapData<'a> {
    pub study: &'a Study,
    pub study_toml: &'a str,
    pub x: MapAxis,
    pub y: MapAxis,
    /// Period by which samples are counted (s).
    pub period: Option<f64>,
    pub variants: &'a [String],
    /// Instances of a cell.
    pub replicas: u64,
    /// `[(variant, y, x)]`, x fastest.
    pub cells: &'a [Cell],
    pub boundaries: &'a [StabilityBoundary],
    /// The numbers that steps along x and along y add to that of an instance, where all cells stand
    /// in the ensemble.
    pub strides: Option<[u64; 2]>,
}

impl MapData<'_> {
    /// The cells of a variant, row by row.
    pub fn cells_of(&self, variant: usize) -> &[Cell] {
        let count = self.x.values.len() * self.y.values.len();
        &self.cells[variant * count..][..count]
    }

    pub fn boundaries_of(&self, variant: usize) -> impl Iterator<Item = &StabilityBoundary> {
        self.boundaries.iter().filter(move |boundary| boundary.variant == variant)
    }

    /// That in the title of a map; `None` also where rows begin unstable.
    pub(super) fn reach_title(&self, variant: usize) -> Option<String> {
        let rows = || self.boundaries_of(variant);
        let (least, most) = extent(rows().map(|row| row.largest * self.x.factor));
        let unit = self.x.label.rsplit_once(" (").map_or("", |(_, unit)| unit.trim_end_matches(')'));
        let [least_told, most_told] = [least, most].map(|end| with_unit(&number(round4(end)), unit));
        let begins_stable = least <= most && rows().all(|row| !row.below.is_finite());
        begins_stable.then(|| match least == most {
            true => format!("stable up to {most_told}"),
            false => format!("stable up to {most_told} at best, {least_told} at worst"),
        })
    }
}

/// The least and the greatest of the finite values.
pub(super) fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}
