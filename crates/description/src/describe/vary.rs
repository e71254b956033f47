//! Quantities that an ensemble varies, and how they are drawn.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One varied quantity and how it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    pub target: Target,
    pub distribution: Distribution,
}

/// A varied quantity of the mechanism, whole or one component of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// As the user wrote it, e.g. `body.angular_velocity` or `body.angular_velocity.x`.
    pub key: String,
    /// The body whose quantity it is; 0 for what belongs to no body.
    pub body: usize,
    pub quantity: Quantity,
    /// Component 0..3 of a vector (`.x .y .z`), or of the inertia's diagonal (`.xx .yy .zz`);
    /// `None`: the whole.
    pub component: Option<usize>,
}

/// A value or initial value of the mechanism that an ensemble can vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// 1 number (kg)
    Mass,
    /// whole: 3 diagonal entries (kg m²); off-diagonal entries stay as described
    Inertia,
    /// 3 (m)
    CentreOfMass,
    /// 3 (m)
    Position,
    /// 3 (m/s)
    Velocity,
    /// 4: unit quaternion; only whole, only by attitude distributions, list or table
    Attitude,
    /// 3 (rad/s)
    AngularVelocity,
    /// 3 (m/s²)
    Gravity,
    /// 1 (m/s²): g of the gravity [0, 0, -g]
    GravityDown,
    /// 3 (N or N m): `LOAD.value` (a load of one piece) or `LOAD.value[K]`, pieces counted from 0
    LoadValue { load: usize, piece: usize },
    /// One number of a joint, force or lock: its position in
    /// [`numbers`](super::mechanism::Mechanism::numbers).
    Number(usize),
    /// The full step (s)
    Step,
    /// One number of the treatment of joints: its position in
    /// [`TreatmentCard::numbers`](crate::treatments::TreatmentCard::numbers).
    Setting(usize),
}

impl Quantity {
    /// The count of numbers that the whole quantity has.
    pub fn width(self) -> usize {
        match self {
            Quantity::Mass
            | Quantity::GravityDown
            | Quantity::Number(_)
            | Quantity::Step
            | Quantity::Setting(_) => 1,
            Quantity::Attitude => 4,
            Quantity::Inertia
            | Quantity::CentreOfMass
            | Quantity::Position
            | Quantity::Velocity
            | Quantity::AngularVelocity
            | Quantity::Gravity
            | Quantity::LoadValue { .. } => 3,
        }
    }
}

impl Quantity {
    /// Whether it is the gravity, as a vector or downwards.
    pub fn is_gravity(self) -> bool {
        matches!(self, Quantity::Gravity | Quantity::GravityDown)
    }
}

impl Target {
    /// Its position in [`numbers`](super::mechanism::Mechanism::numbers), if it is one of them.
    pub fn number(&self) -> Option<usize> {
        match self.quantity {
            Quantity::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The count of numbers that are drawn for it: 1 for a component, else the quantity's width.
    pub fn width(&self) -> usize {
        if self.component.is_some() { 1 } else { self.quantity.width() }
    }
}

/// Rule by which a target's numbers are drawn. Vectors have the target's width; a scalar given for
/// a vector is repeated when the description is resolved.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// By the distribution of this name, one of `ensemble::sampling::distributions::CARDS`,
    /// with these values of its parameters.
    Drawn { name: &'static str, values: Values },
    /// One entry after another. Lists and grids are the axes of a Cartesian product in the order of
    /// the file, the last axis fastest; the product repeats when the ensemble is a multiple of it.
    List { values: Vec<Vec<f64>> },
    /// `count` values from `from` to `to`, both included; an axis of the same product. Width 1
    /// targets only.
    Linspace { from: f64, to: f64, count: u64 },
    /// As `Linspace` in the logarithm; 0 < from, to.
    Logspace { from: f64, to: f64, count: u64 },
    /// The user's own samples, row i for instance i, already read and in SI units: `width` columns.
    Table { file: String, columns: Vec<String>, values: std::sync::Arc<Vec<Vec<f64>>> },
}

/// The steps (s) of an ensemble whose instances have each its own: the shortest and the longest
/// that can be drawn; `None`: the distribution has no such end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VariedStep {
    pub shortest: Option<f64>,
    pub longest: Option<f64>,
}

impl VariedStep {
    /// The text that follows "steps".
    pub fn sentence(&self) -> String {
        match (self.shortest, self.longest) {
            (Some(shortest), Some(longest)) => format!("of {shortest} to {longest} s"),
            _ => "that vary".to_string(),
        }
    }
}

impl Distribution {
    /// The distribution of this name with these values of its parameters.
    pub fn drawn<const N: usize>(
        name: &'static str,
        values: [(&'static str, ParameterValue); N],
    ) -> Distribution {
        Distribution::Drawn { name, values: Values(BTreeMap::from(values)) }
    }

    /// Whether it is drawn, not laid out.
    pub fn is_drawn(&self) -> bool {
        matches!(self, Distribution::Drawn { .. })
    }

    /// Whether its values are laid out as an axis of the grid.
    pub fn is_axis(&self) -> bool {
        self.points().is_some()
    }

    /// The number of values that an axis of the grid has; `None`: it is no axis.
    pub fn points(&self) -> Option<u64> {
        match self {
            Distribution::List { values } => Some(values.len() as u64),
            Distribution::Linspace { count, .. } | Distribution::Logspace { count, .. } => Some(*count),
            Distribution::Drawn { .. } | Distribution::Table { .. } => None,
        }
    }
}

/// Values of a distribution's parameters, in SI units, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values(BTreeMap<&'static str, ParameterValue>);

/// The value of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterValue {
    Number(f64),
    /// One number for each number of the target, or of an attitude or a direction.
    Vector(Vec<f64>),
    /// A matrix, row by row.
    Rows(Vec<Vec<f64>>),
    /// The parts of a mixture.
    Parts(Vec<MixturePart>),
}

/// One part of a mixture: a distribution by its name with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct MixturePart {
    /// Positive; its share of all weights counts.
    pub weight: f64,
    pub name: &'static str,
    pub values: Values,
}

impl Values {
    pub fn set(&mut self, name: &'static str, value: ParameterValue) {
        self.0.insert(name, value);
    }

    pub fn get(&self, name: &str) -> Option<&ParameterValue> {
        self.0.get(name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The vector of this name; empty where there is none.
    pub fn vector(&self, name: &str) -> &[f64] {
        match self.0.get(name) {
            Some(ParameterValue::Vector(vector)) => vector,
            _ => &[],
        }
    }

    /// The number of this name; NaN where there is none.
    pub fn number(&self, name: &str) -> f64 {
        match self.0.get(name) {
            Some(ParameterValue::Number(number)) => *number,
            _ => f64::NAN,
        }
    }

    /// The parts of a mixture; empty where there are none.
    pub fn parts(&self, name: &str) -> &[MixturePart] {
        match self.0.get(name) {
            Some(ParameterValue::Parts(parts)) => parts,
            _ => &[],
        }
    }

    /// The matrix of this name.
    pub fn rows(&self, name: &str) -> Option<&[Vec<f64>]> {
        match self.0.get(name) {
            Some(ParameterValue::Rows(rows)) => Some(rows),
            _ => None,
        }
    }
}

impl From<f64> for ParameterValue {
    fn from(number: f64) -> ParameterValue {
        ParameterValue::Number(number)
    }
}

impl From<Vec<f64>> for ParameterValue {
    fn from(vector: Vec<f64>) -> ParameterValue {
        ParameterValue::Vector(vector)
    }
}

impl<const N: usize> From<[f64; N]> for ParameterValue {
    fn from(vector: [f64; N]) -> ParameterValue {
        ParameterValue::Vector(vector.to_vec())
    }
}

impl From<Vec<MixturePart>> for ParameterValue {
    fn from(parts: Vec<MixturePart>) -> ParameterValue {
        ParameterValue::Parts(parts)
    }
}

impl From<Vec<Vec<f64>>> for ParameterValue {
    fn from(rows: Vec<Vec<f64>>) -> ParameterValue {
        ParameterValue::Rows(rows)
    }
}
