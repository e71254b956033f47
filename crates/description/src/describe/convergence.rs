//! Settings of a study of kind `convergence`: what is compared, over which steps, and how accurate
//! it must become.

use serde::Serialize;

use super::kind::{Ends, InstanceRows, KindCard, Question};
use super::study::TimeIntegration;
use crate::base::{Options, Precision};

/// Most instances that are judged by the reference.
pub const MOST_JUDGED: u64 = 256;
pub const MOST_REPEATS: u64 = 101;

/// Error against step and cost, of one or several methods.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Convergence {
    pub methods: Vec<MethodVariant>,
    /// Treatments of the joints; those that a method cannot use are left out for it.
    pub treatments: Vec<&'static str>,
    pub precisions: Vec<Precision>,
    /// Steps (s), descending.
    pub steps: Vec<f64>,
    /// Errors in attitude or deformation at the end (rad) for which the largest step is looked for.
    pub targets: Vec<f64>,
    /// Turns that the medians of times are taken over.
    pub repeats: u64,
    /// Wall-clock time after which no more errors are computed (s); `None`: all are.
    pub budget: Option<f64>,
}

/// A method with its settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MethodVariant {
    pub name: &'static str,
    pub options: Options,
    pub resynchronise: u64,
}

impl MethodVariant {
    /// The method of a study, stepped so.
    pub fn stepping(&self, step: f64, steps: u64) -> TimeIntegration {
        TimeIntegration {
            name: self.name,
            options: self.options.clone(),
            step,
            steps,
            resynchronise: self.resynchronise,
            accuracy: None,
            open: None,
            chosen: false,
        }
    }
}

impl Question for Convergence {
    const CARD: KindCard = KindCard {
        name: "convergence",
        question: "How the error at the end of `duration` falls with the step, and what that costs. `ensemble.size` instances are judged.",
        wants_program: true,
        own_methods: true,
        ends: Ends::Unjudged,
        rows: InstanceRows::None,
        ..KindCard::ADVANCED
    };
}
