//! Methods that choose order and step as they go: they have cards, and no step that could be
//! recorded.
//!
//! The number of steps depends on what is found on the way. So these methods have a backend of
//! their own (`backend::implicit` of the engine), in f64 on the CPU alone.

use super::tolerance::DEFAULT;
use super::{bdf, gear_nordsieck};
use crate::base::{Card, Options, Setting};
use crate::describe::{BackendChoice, Run};

/// Whose formulas are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formulas {
    /// Formulas of first-order equations.
    Bdf,
    /// Formulas of equations of second, first and no order together.
    GearNordsieck,
}

impl Formulas {
    pub const ALL: [Formulas; 2] = [Formulas::Bdf, Formulas::GearNordsieck];

    pub fn card(self) -> &'static Card {
        match self {
            Formulas::Bdf => &bdf::CARD,
            Formulas::GearNordsieck => &gear_nordsieck::CARD,
        }
    }
}

/// A method with its settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    pub formulas: Formulas,
    /// The tolerance of the error estimate of each internal step, as a part of the magnitude of
    /// every unknown that is tested.
    pub relative: f64,
    /// The tolerance of the same estimate, in SI units.
    pub absolute: f64,
}

impl Adaptive {
    /// The method of this name with these settings, every one with a value that the card allows, or
    /// its default; `None`: it is another one.
    pub fn new(name: &str, options: &Options) -> Option<Adaptive> {
        let tolerance = |key: &str| match options.get(key) {
            Some(Setting::Number(value)) => *value,
            _ => DEFAULT,
        };
        let formulas = Formulas::ALL.into_iter().find(|formulas| formulas.card().name == name)?;
        Some(Adaptive { formulas, relative: tolerance("relative"), absolute: tolerance("absolute") })
    }

    /// Returns the first demand of the run that the method does not meet.
    pub fn unsuited(&self, run: &Run) -> Option<Unsuited> {
        let name = self.formulas.card().name;
        if cfg!(not(feature = "implicit")) {
            return Some(Unsuited { found: absent(name), advice: "give another [method] name" });
        }
        if run.precision.is_single() {
            let found = format!("the method {name} computes in f64, not in {}", run.precision.name());
            return Some(Unsuited { found, advice: "set [run] precision = \"f64\"" });
        }
        if matches!(run.backend, BackendChoice::Gpu { .. }) {
            let found = format!("the method {name} runs on the backend cpu, not on gpu");
            return Some(Unsuited { found, advice: "set [run] backend = \"cpu\"" });
        }
        None
    }
}

/// Why a run does not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsuited {
    pub found: String,
    pub advice: &'static str,
}

/// Said of the method of this name where it was left out of the build.
pub fn absent(name: &str) -> String {
    format!("this polhode was built without its feature `implicit`, which the method {name} needs")
}
