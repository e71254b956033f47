//! Cards of methods: the study's keys, `polhode methods` and the documentation come from them.

use serde::Serialize;

use super::precision::Precision;

/// A method's description.
#[derive(Debug)]
pub struct Card {
    /// As studies name it.
    pub name: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// Report and equations.
    pub source: &'static str,
    /// Order of convergence with the default settings.
    pub order: u32,
    /// The largest `omega h` of an undamped vibration with which it is stable, where theory knows
    /// it.
    pub limit: Option<f64>,
    /// Quantities that it conserves exactly, and those that it nearly conserves.
    pub conserves: &'static str,
    /// Mechanisms that it takes.
    pub takes: Takes,
    /// Whether `resynchronise` does anything.
    pub resynchronises: bool,
    /// The parts that it has among the others.
    pub roles: &'static [MethodRole],
    /// Its settings beyond the step.
    pub keys: &'static [Key],
    /// Equations, misprints, measured behaviour: Markdown.
    pub text: &'static str,
}

/// The mechanisms that a method takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// One body with its loads; no joints, no springs.
    OneBody,
    /// Any mechanism of rigid bodies and any treatment: it carries multipliers.
    RigidBodies,
    /// Any mechanism; treatments of joints that carry no multipliers.
    AnyMechanism,
    /// Any mechanism and any treatment: it carries multipliers.
    AnyMechanismAndTreatment,
    /// Any mechanism without locks; treatments of joints that carry no multipliers.
    WithoutLocks,
    /// Any mechanism without locks; joints are equations of their positions, beside those of
    /// motion.
    PositionsOfJoints,
}

impl Takes {
    /// Whether the treatment of joints is of no concern to the method's steps: it carries
    /// multipliers, or holds no joints.
    pub fn any_treatment(self) -> bool {
        self == Takes::OneBody || self.carries()
    }

    /// Whether it carries the multipliers of joints from step to step.
    pub fn carries(self) -> bool {
        matches!(self, Takes::RigidBodies | Takes::AnyMechanismAndTreatment)
    }
}

/// The part that a method, or a treatment of joints, has among the others. Whoever wants one asks
/// for its part, not its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodRole {
    /// That of a study that names none.
    Default,
    /// Errors of others are measured by it: a method of high order, or joints that are held
    /// exactly.
    Accurate,
    /// A method whose step is made of few operations: it stands in where order is of no use.
    Plain,
    /// A method for stiff mechanisms.
    Stiff,
    /// A method with a known longest stable step for a vibration, damping included.
    ExplicitLimit,
    /// Joints give way, and their elasticity is one that the mechanism has not.
    Elastic,
    /// Published once, and kept to be measured: nobody would choose it today.
    Historic,
}

impl MethodRole {
    /// Whether it is among these.
    pub const fn is_in(self, roles: &[MethodRole]) -> bool {
        let mut k = 0;
        while k < roles.len() {
            if roles[k] as u8 == self as u8 {
                return true;
            }
            k += 1;
        }
        false
    }
}

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Setting {
    /// One of the names that the method allows.
    Choice(&'static str),
    /// A whole number.
    Count(u64),
    /// A number, in the unit of its key.
    Number(f64),
    /// On or off.
    Flag(bool),
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Setting::Choice(name) => f.write_str(name),
            Setting::Count(n) => write!(f, "{n}"),
            Setting::Number(x) => write!(f, "{x}"),
            Setting::Flag(on) => write!(f, "{on}"),
        }
    }
}

/// One setting of a method.
#[derive(Debug)]
pub struct Key {
    /// As studies name it.
    pub name: &'static str,
    /// Its allowed values, and its default.
    pub kind: Kind,
    /// Unit of a number; empty: the number is pure, or the setting is no number.
    pub unit: &'static str,
    /// One line.
    pub meaning: &'static str,
}

impl Key {
    /// Its meaning with its unit.
    pub fn sentence(&self) -> String {
        if self.unit.is_empty() {
            return self.meaning.to_string();
        }
        format!("{} ({}).", self.meaning.trim_end_matches('.'), self.unit)
    }
}

/// The allowed values of a setting, and its default.
#[derive(Debug)]
pub enum Kind {
    /// One of these names; the first is the default.
    Choice(&'static [&'static str]),
    /// A whole number, from, to and default.
    Count(u64, u64, u64),
    /// A number within these ends, both included, and its default.
    Number(f64, f64, f64),
    /// A number within these ends, both included, whose default each instance has of its own.
    Derived {
        min: f64,
        max: f64,
        /// The default, for people.
        formula: &'static str,
        default: fn(&Circumstances<'_>) -> f64,
    },
    /// A number within these ends, both included, or none.
    Optional {
        min: f64,
        max: f64,
        /// The behaviour where none is given, for people.
        absent: &'static str,
    },
    /// Off unless it is set.
    Flag,
}

/// The numbers of an instance that decide the defaults of others.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// Full step (s).
    pub step: f64,
    /// Precision of the run.
    pub precision: Precision,
    /// The numbers of the same card, in the order of its keys; `None`: the default applies.
    pub given: &'a [Option<f64>],
}

impl Kind {
    /// The value where nothing is said; `None`: it follows from the [circumstances](Circumstances).
    pub fn default(&self) -> Option<Setting> {
        match self {
            Kind::Choice(names) => Some(Setting::Choice(names[0])),
            Kind::Count(_, _, default) => Some(Setting::Count(*default)),
            Kind::Number(_, _, default) => Some(Setting::Number(*default)),
            Kind::Derived { .. } | Kind::Optional { .. } => None,
            Kind::Flag => Some(Setting::Flag(false)),
        }
    }

    /// The default in words: a value, or the formula that gives it.
    pub fn default_text(&self) -> String {
        match self {
            Kind::Choice(names) => names[0].to_string(),
            Kind::Count(_, _, default) => default.to_string(),
            Kind::Number(_, _, default) => format!("{default:?}"),
            Kind::Derived { formula, .. } => (*formula).to_string(),
            Kind::Optional { absent, .. } => (*absent).to_string(),
            Kind::Flag => "false".to_string(),
        }
    }
}
