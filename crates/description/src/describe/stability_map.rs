//! The question of a stability map: which two quantities span it, and which ways of stepping are
//! laid side by side.

use serde::Serialize;

use super::bounds::{Balance, reach};
use super::kind::{Ends, KindCard, Question};
use super::mechanism::Mechanism;
use super::study::{
    Constraints, Distribution, Quantity, Study, TimeIntegration, Unexplained, Vary, VerdictBounds,
};

/// Largest relative change of energy in a cell that is called stable, where a map gives no bound at
/// all.
const ENERGY: f64 = 0.1;
/// Largest relative change of energy where loads, generators or dampers change it: only a cell that
/// blows up exceeds it.
const ENERGY_NOT_KEPT: f64 = 10.0;
/// Largest violation of the joints then, of the mechanism's reach.
const VIOLATION: f64 = 0.1;

/// A stability map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StabilityMap {
    /// Always a varied quantity: largest stable values are sought along it.
    pub x: Axis,
    pub y: Axis,
    /// Sampling period (s) in which steps are counted as samples, where a step is an axis.
    pub period: Option<f64>,
    /// The boundary is refined along x to this width, relative.
    pub bisect: Option<f64>,
    /// Maps side by side, the study's own method and constraints among them; none: these alone.
    pub compare: Vec<Variant>,
}

/// One axis of a map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    pub along: Along,
    /// Factor that turns a value in SI into the value that is shown.
    pub factor: f64,
    /// Label of the values that are shown, with their unit; `None`: the quantity's own.
    pub label: Option<String>,
}

/// The quantity that differs along an axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Along {
    /// A varied quantity, by its name in `[ensemble.vary]`.
    Varied(String),
    /// Steps between restarts of what drifts apart: a plan each.
    Resynchronise(Vec<u64>),
    /// Steps between projections on to the joints.
    Project(Vec<u64>),
}

impl Along {
    pub fn name(&self) -> &str {
        match self {
            Along::Varied(key) => key,
            Along::Resynchronise(_) => RESYNCHRONISE,
            Along::Project(_) => PROJECT,
        }
    }

    /// The counts along it, of an axis that is no varied quantity.
    pub fn counts(&self) -> Option<&[u64]> {
        match self {
            Along::Varied(_) => None,
            Along::Resynchronise(counts) | Along::Project(counts) => Some(counts),
        }
    }
}

pub const RESYNCHRONISE: &str = "method.resynchronise";
pub const PROJECT: &str = "constraints.project";

/// One way of stepping and holding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variant {
    pub name: String,
    pub method: TimeIntegration,
    pub constraints: Constraints,
}

/// A part of a map that one plan serves: a variant, and perhaps one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Position among the variants.
    pub variant: usize,
    /// The row, where rows differ in a count.
    pub row: Option<usize>,
    /// The layer as a study of its own.
    pub study: Study,
}

/// An axis that the ensemble lays out.
#[derive(Clone, Debug, PartialEq)]
pub struct GridAxis {
    /// Ascending, SI.
    pub values: Vec<f64>,
    /// Equal ratios rather than equal differences.
    pub logarithmic: bool,
    /// Neither of the two: a list.
    pub listed: bool,
    /// The quantity is the full step.
    pub is_step: bool,
    /// Instances until the next value; 0 where a value has a plan of its own.
    pub stride: u64,
}

impl GridAxis {
    /// The place on the axis of instance `i` of a layer.
    pub fn place(&self, i: u64) -> usize {
        (i / self.stride % self.values.len() as u64) as usize
    }
}

impl Question for StabilityMap {
    const CARD: KindCard = KindCard {
        name: "stability_map",
        question: "Where in the plane of two quantities a method is stable: each cell is an instance, or several, that passes a bound of [verdict] or does not. Without bounds: energy 0.1 (10 where something drives or brakes), and a tenth of the joints' reach.",
        takes_varied_step: true,
        own_methods: true,
        ends: Ends::Asked,
        ..KindCard::ADVANCED
    };

    fn studies(&self, study: &Study) -> Vec<Study> {
        self.layers(study).into_iter().map(|layer| layer.study).collect()
    }
}

impl StabilityMap {
    /// Names of the variants.
    pub fn names(&self, study: &Study) -> Vec<String> {
        match &self.compare[..] {
            [] => vec![study.method.name.to_string()],
            compared => compared.iter().map(|variant| variant.name.clone()).collect(),
        }
    }

    /// All layers, the rows of a variant one after the other. Instance i of layer k has the number
    /// k * size + i.
    pub fn layers(&self, study: &Study) -> Vec<Layer> {
        let own = |variant: usize| {
            let mut own = study.clone();
            if let Some(Variant { method, constraints, .. }) = self.compare.get(variant) {
                own.method = method.clone();
                own.constraints = constraints.clone();
                for vary in &mut own.ensemble.vary {
                    if let Quantity::Setting(_) = vary.target.quantity
                        && let Some(position) = setting(&vary.target.key, constraints)
                    {
                        vary.target.quantity = Quantity::Setting(position);
                    }
                }
            }
            own
        };
        let rows = self.y.along.counts().map_or(1, <[u64]>::len);
        let mut layers = Vec::new();
        for variant in 0..self.compare.len().max(1) {
            for row in 0..rows {
                let mut study = own(variant);
                match &self.y.along {
                    Along::Varied(_) => {}
                    Along::Resynchronise(counts) => study.method.resynchronise = counts[row],
                    Along::Project(counts) => study.constraints.project = counts[row],
                }
                let row = self.y.along.counts().map(|_| row);
                layers.push(Layer { variant, row, study });
            }
        }
        layers
    }

    /// An axis as laid out.
    pub fn grid_axis(&self, axis: &Axis, study: &Study) -> GridAxis {
        let listed = |values: Vec<f64>| GridAxis {
            values,
            logarithmic: false,
            listed: true,
            is_step: false,
            stride: 0,
        };
        let key = match &axis.along {
            Along::Varied(key) => key,
            Along::Resynchronise(counts) | Along::Project(counts) => {
                return listed(counts.iter().map(|n| *n as f64).collect());
            }
        };
        let vary = &study.ensemble.vary;
        let at = vary.iter().position(|v| v.target.key == *key).expect("axes were found when they were read");
        let stride = vary[at + 1..].iter().map(|v| v.distribution.points().unwrap_or(1)).product();
        let is_step = vary[at].target.quantity == Quantity::Step;
        let spaced = |from: f64, to: f64, count: u64, value: &dyn Fn(f64) -> f64| {
            let share = |k: u64| k as f64 / (count - 1) as f64;
            let inner = (1..count - 1).map(|k| value(share(k)));
            [from].into_iter().chain(inner).chain([to]).collect::<Vec<f64>>()
        };
        let (values, logarithmic, listed) = match &vary[at].distribution {
            Distribution::Linspace { from, to, count } => {
                (spaced(*from, *to, *count, &|s| from + s * (to - from)), false, false)
            }
            Distribution::Logspace { from, to, count } => {
                (spaced(*from, *to, *count, &|s| from * (to / from).powf(s)), true, false)
            }
            Distribution::List { values } => (values.iter().map(|value| value[0]).collect(), false, true),
            _ => (Vec::new(), false, true),
        };
        GridAxis { values, logarithmic, listed, is_step, stride }
    }
}

/// The bounds of a map that gives none: a tenth of the energy, or ten times where it is not kept,
/// and a tenth of the mechanism's reach by which joints may open.
pub fn default_bounds(every: u64, mechanism: &Mechanism, vary: &[Vary]) -> VerdictBounds {
    let energy = if Balance::of(mechanism, vary) == Balance::Kept { ENERGY } else { ENERGY_NOT_KEPT };
    VerdictBounds {
        energy: Some(energy),
        unexplained: Unexplained::Nothing,
        quaternion_norm: None,
        constraint: mechanism.is_held().then_some(VIOLATION * reach(mechanism)),
        every,
    }
}

/// Where the treatment has the number that a study varies under this key.
pub fn setting(key: &str, constraints: &Constraints) -> Option<usize> {
    let name = key.strip_prefix("constraints.")?;
    constraints.card().numbers().position(|number| number.name == name)
}
