//! The methods, with their settings and the treatment of joints, among which one is chosen.

use crate::base::{Options, Setting};
use crate::describe::{Constraints, Open, Study, TimeIntegration};
use crate::methods::{self, Adaptive, AnyMethod, Card, Takes, cards};
use crate::treatments;

/// Tolerance at which the accurate solution of what is stiff begins to be refined.
const STIFF_TOLERANCE: f64 = 1e-6;
/// Steps of a run over which constraints are projected, where nothing is said.
const PROJECT: u64 = 10;
/// Restarts of half chains where joints hold bodies.
const RESYNCHRONISE: u64 = 20;
/// Treatments among which one is chosen: those that neither fail by design nor add an elasticity
/// that the mechanism has not.
const OFFERED: [&str; 2] = [treatments::DEFAULT.name, treatments::EXACT.name];

/// A method with its settings and the treatment of joints.
#[derive(Clone)]
pub(super) struct Candidate {
    pub card: &'static Card,
    pub options: Options,
    pub resynchronise: u64,
    pub constraints: Constraints,
}

impl Candidate {
    pub(super) fn order(&self) -> f64 {
        let method = AnyMethod::new(self.card.name, &self.options);
        f64::from(method.map_or(self.card.order, |method| method.order()))
    }

    /// The study by this method, `parts` steps for each of the longest.
    pub(super) fn of(&self, study: &Study, parts: u64) -> Option<Study> {
        let mut own = study.clone();
        let steps = study.method.steps.checked_mul(parts)?;
        own.method = TimeIntegration {
            name: self.card.name,
            options: self.options.clone(),
            step: study.method.step / parts as f64,
            steps,
            resynchronise: self.resynchronise,
            accuracy: study.method.accuracy,
            open: None,
            chosen: true,
        };
        own.observe.every = study.observe.every.checked_mul(parts)?;
        if let Some(time) = study.method.open.filter(|open| open.step).and_then(|open| open.checks) {
            own.verdict.every = ((time / own.method.step).round() as u64).max(1);
        }
        own.constraints = self.constraints.clone();
        let counts = steps <= u64::from(u32::MAX) && own.uncountable().is_none();
        counts.then_some(own)
    }

    /// By which instances choose their own steps; `None`: all take the same.
    pub(super) fn tolerance(&self) -> Option<f64> {
        methods::own_steps::tolerance(&self.options)
    }

    /// As people call it.
    pub(super) fn sentence(&self, is_constrained: bool) -> String {
        let mut sentence = self.card.name.to_string();
        if is_constrained {
            sentence.push_str(&format!(", joints {}", self.constraints.treatment.replace('_', " ")));
            if self.constraints.project > 0 {
                let often = match self.constraints.project {
                    1 => " projected every step".to_string(),
                    steps => format!(" projected every {steps} steps"),
                };
                sentence.push_str(&often);
            }
        }
        sentence
    }
}

/// Those of the registry that can be chosen, besides what chooses its steps by itself.
pub(super) fn candidates(study: &Study, open: Open) -> Vec<Candidate> {
    let mechanism = &study.mechanism;
    let is_constrained = mechanism.is_held() || !mechanism.locks.is_empty();
    let mut candidates = Vec::new();
    for card in cards().iter().copied() {
        let wanted = open.name || card.name == study.method.name;
        let fits = match card.takes {
            Takes::OneBody => mechanism.is_one_body(),
            // On joined bodies a step of these costs at least what one of `staggered` costs,
            // and seldom errs by less (docs/findings.md 40): they are not tried unless they are
            // named.
            Takes::RigidBodies if open.name => mechanism.is_one_body(),
            Takes::RigidBodies => mechanism.is_rigid(),
            Takes::AnyMechanism | Takes::AnyMechanismAndTreatment => true,
            Takes::WithoutLocks | Takes::PositionsOfJoints => false,
        };
        // A step of iterations costs many evaluations, at the order of one: it is not tried
        // unless it is named.
        let iterates = methods::iterates(card.name);
        if !wanted || !fits || open.name && iterates {
            continue;
        }
        let options = match open.name {
            true => defaults(card.keys),
            false => study.method.options.clone(),
        };
        for treatment in treatments::CARDS {
            let usable = card.takes.carries() || treatment.carries == 0;
            let offered = match open.treatment {
                true => OFFERED.contains(&treatment.name),
                false => treatment.name == study.constraints.treatment,
            };
            // Where nothing is held, one stands for all.
            let counts = is_constrained
                || candidates.last().is_none_or(|last: &Candidate| last.card.name != card.name);
            if !(usable && offered || !is_constrained) || !counts {
                continue;
            }
            let constraints = match open.treatment && is_constrained {
                false => study.constraints.clone(),
                true => Constraints {
                    treatment: treatment.name,
                    options: defaults(treatment.keys),
                    project: study.constraints.project,
                },
            };
            let project = if open.project && is_constrained { PROJECT } else { constraints.project };
            let resynchronise = match (card.resynchronises, open.resynchronise) {
                (false, _) => 0,
                (true, false) => study.method.resynchronise,
                (true, true) => RESYNCHRONISE,
            };
            let constraints = Constraints { project, ..constraints };
            candidates.push(Candidate { card, options: options.clone(), resynchronise, constraints });
        }
    }
    // High orders first: they find the most accurate steps at once, and so few others need be
    // tried.
    candidates.sort_by(|a, b| b.order().total_cmp(&a.order()));
    candidates
}

/// Whether the method that chooses its steps itself takes the study.
pub(super) fn takes_bdf(study: &Study) -> bool {
    let unsuited =
        Adaptive::new(methods::STIFF.name, &Options::default()).and_then(|bdf| bdf.unsuited(&study.run));
    study.mechanism.locks.is_empty() && !study.kind.card().wants_program && unsuited.is_none()
}

/// The study by the method that chooses its steps itself, joints held exactly.
pub(super) fn stiffly(study: &Study) -> Study {
    let tolerance = Setting::Number(STIFF_TOLERANCE);
    let options =
        defaults(methods::STIFF.keys).with("relative", tolerance.clone()).with("absolute", tolerance);
    let mut own = study.clone();
    own.method =
        TimeIntegration { name: methods::STIFF.name, options, resynchronise: 0, open: None, ..own.method };
    if own.mechanism.is_held() {
        own.constraints =
            Constraints { treatment: treatments::EXACT.name, options: Options::default(), project: 0 };
    }
    own
}

/// Every setting at its default, but for those whose default follows the step.
pub(super) fn defaults(keys: &'static [crate::methods::Key]) -> Options {
    let given = keys.iter().filter_map(|key| Some((key.name, key.kind.default()?)));
    given.fold(Options::default(), |options, (name, value)| options.with(name, value))
}
