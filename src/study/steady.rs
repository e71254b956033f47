//! The part that studies of steady states share: every instance is drawn, brought into equilibrium,
//! and linearised there. Nothing is advanced in time, and no instance depends on another: they are
//! shared among all threads, and kept in their order.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use super::listener::Listener;
use super::planned_run::planned;
use super::run_context::RunContext;
use super::run_error::RunError;
use crate::backend::{Plan, cpu};
use crate::base::Precision;
use crate::describe::{BackendChoice, Channel, EquilibriumSearch, InstanceTable, SteadyMotion, Study};
use crate::ensemble::{Quantities, Sampler};
use crate::kinematics::body::Motion;
use crate::math::quaternion::to_space;
use crate::math::vector::sub;
use crate::model::equilibrium::{Equilibrium, NoEquilibrium};
use crate::model::memory::Memory;
use crate::model::steady_state::{Posture, SteadyInstance, SteadyRotation};
use crate::model::vibration::{Mode, Vibrations};
use crate::model::{BodyParameter, Model, NoMechanism, body_attitude};
use crate::output::steady::{NumberColumn, SearchOutcome, SteadyRow, write_steady_rows};
use crate::output::{FillTable, Manifest, Pose, STEADY_INSTANCES, TableCard, Timings};
use rayon::prelude::*;

/// An instance at its equilibrium.
pub struct SteadyFound {
    pub equilibrium: Equilibrium,
    pub vibrations: Vibrations,
    /// The rotation of the whole (rad/s).
    pub rotation: SteadyRotation,
    /// By body, besides that (rad/s).
    pub spins: Vec<[f64; 3]>,
    pub parameters: Vec<f64>,
}

/// The outcome of an instance's search for equilibrium.
pub struct SteadyOutcome {
    pub instance: u64,
    pub drawn: Vec<f64>,
    pub found: Result<Box<SteadyFound>, (SearchOutcome, String)>,
}

/// The ensemble of a study of steady states.
pub struct SteadyStudy<'a> {
    pub study: &'a Study,
    pub plan: Plan,
    pub sampler: Sampler,
    about: &'a SteadyMotion,
    /// By timed load.
    factors: Vec<f64>,
}

impl<'a> SteadyStudy<'a> {
    pub fn new(study: &'a Study, about: &'a SteadyMotion) -> Result<SteadyStudy<'a>, RunError> {
        if study.run.precision.is_single() || matches!(study.run.backend, BackendChoice::Gpu { .. }) {
            return Err(RunError::Unserved(format!(
                "a study of kind {} is computed in f64 on the CPU: leave --backend and --precision out",
                study.kind.name()
            )));
        }
        let plan = planned(study)?;
        let at = about.at.unwrap_or(0.0);
        let acts = |span: &crate::model::Span| if span.from <= at && at < span.until { 1.0 } else { 0.0 };
        let factors = plan.model.spans().iter().map(acts).collect();
        Ok(SteadyStudy { study, plan, sampler: Sampler::new(study)?, about, factors })
    }

    /// The step at which the study's instant is, for channels.
    pub fn step(&self) -> u64 {
        if self.about.at.unwrap_or(0.0) > 0.0 { SteadyMotion::STEPS as u64 } else { 0 }
    }

    /// All instances in their order, as many as were done before an interruption.
    pub fn all(&self, listener: &dyn Listener, interrupted: &AtomicBool) -> Vec<SteadyOutcome> {
        let size = self.study.ensemble.size;
        let done = AtomicU64::new(0);
        let outcomes: Vec<Option<SteadyOutcome>> = (0..size)
            .into_par_iter()
            .map(|instance| {
                if interrupted.load(Ordering::Relaxed) {
                    return None;
                }
                let outcome = self.one(instance);
                listener.progress(done.fetch_add(1, Ordering::Relaxed) + 1, size);
                Some(outcome)
            })
            .collect();
        outcomes.into_iter().flatten().collect()
    }

    fn one(&self, instance: u64) -> SteadyOutcome {
        let mut drawn = vec![0.0; self.sampler.width()];
        self.sampler.draw(instance, &mut drawn);
        let mut quantities = Quantities::nominal(self.study);
        self.sampler.apply(&drawn, &mut quantities);
        let found = self.found(&quantities);
        SteadyOutcome { instance, drawn, found }
    }

    fn found(&self, quantities: &Quantities) -> Result<Box<SteadyFound>, (SearchOutcome, String)> {
        let (model, mechanism) = (&self.plan.model, &self.study.mechanism);
        let mut parameters = self.plan.constants.clone();
        let start = model.resolve(quantities, &mut parameters).map_err(|why| {
            let reason = match why {
                NoMechanism::NoBody => {
                    "the drawn numbers describe no body: masses and moments must be positive".to_string()
                }
                why => Model::explain(mechanism, why),
            };
            (SearchOutcome::InvalidSample, reason)
        })?;
        let mut memory = model.start_memory(&start, &|p| parameters[p]);
        if let Some(clock) = model.remembered(Memory::Clock) {
            memory[clock] = self.step() as f64;
        }
        let names: Vec<&str> = mechanism.bodies.iter().map(|body| body.name.as_str()).collect();
        let failed = |why: NoEquilibrium| (SearchOutcome::NoEquilibrium, why.sentence(&names));
        let rotation = match &self.about.rotation {
            None => SteadyRotation::default(),
            Some(name) => {
                let body = names.iter().position(|known| known == name).unwrap_or(0);
                let rotation = SteadyRotation::of_body(&start[body], !model.fixed_point(body));
                rotation.map_err(|why| failed(why.into()))?
            }
        };
        let search = |steady: &SteadyInstance<'_>| {
            let begun = steady.posture(&start, &memory);
            match self.about.search {
                EquilibriumSearch::Nearest => steady.equilibrium(&begun),
                EquilibriumSearch::Stable => steady.equilibrium_by_creeping(&begun),
            }
        };
        let new = || SteadyInstance::new(model, &parameters, &self.factors, rotation);
        let mut steady = new().with_spins(&start, &memory);
        let mut equilibrium = search(&steady);
        if equilibrium.is_err() && steady.is_spinning() {
            // The bodies that spin at the start do not go on so: the equilibrium is one at rest.
            steady = new();
            equilibrium = search(&steady);
        }
        let equilibrium = equilibrium.map_err(failed)?;
        let vibrations = steady.modes(&equilibrium.posture).map_err(|why| failed(why.into()))?;
        let spins = steady.spins.clone();
        Ok(Box::new(SteadyFound { equilibrium, vibrations, rotation, spins, parameters }))
    }

    /// The instance again, to ask more of its steady state.
    pub fn instance<'f>(&'f self, found: &'f SteadyFound) -> SteadyInstance<'f> {
        let mut instance =
            SteadyInstance::new(&self.plan.model, &found.parameters, &self.factors, found.rotation);
        instance.spins.clone_from(&found.spins);
        instance
    }

    /// Rows of the table of instances.
    pub fn rows(&self, outcomes: &[SteadyOutcome]) -> Vec<SteadyRow> {
        outcomes
            .iter()
            .map(|outcome| match &outcome.found {
                Err((kind, why)) => SteadyRow::failed(outcome.instance, *kind, why.clone()),
                Ok(found) => {
                    let vibrations = &found.vibrations;
                    SteadyRow {
                        instance: outcome.instance,
                        outcome: SearchOutcome::Found,
                        why: String::new(),
                        steps: found.equilibrium.steps as u64,
                        residual: found.equilibrium.residual,
                        moved: found.equilibrium.moved,
                        rotation: found.rotation.speed(),
                        rigid: vibrations.rigid as u64,
                        stability: vibrations.stability.name(),
                        growth: vibrations.growth,
                        slowest: vibrations
                            .modes
                            .iter()
                            .map(Mode::frequency)
                            .filter(|frequency| *frequency > 0.0)
                            .fold(f64::NAN, f64::min),
                        group: None,
                    }
                }
            })
            .collect()
    }

    /// The whole state of an equilibrium: motions, then what is remembered.
    pub fn state(&self, posture: &Posture) -> Vec<f64> {
        [crate::model::all_channels(&posture.motions), posture.memory.clone()].concat()
    }

    /// Where the bodies are in the user's axes.
    pub fn poses(&self, posture: &[Motion<f64>], parameters: &[f64]) -> Vec<Pose> {
        let model = &self.plan.model;
        let parameter = |p: usize| parameters[p];
        let pose = |(b, motion): (usize, &Motion<f64>)| {
            let principal: [f64; 4] =
                std::array::from_fn(|k| parameter(model.of_body(b, BodyParameter::PRINCIPAL) + k));
            let position = match model.fixed_point(b) {
                true => std::array::from_fn(|k| parameter(model.of_body(b, BodyParameter::ORIGIN) + k)),
                false => {
                    let (centre, _) = model.centre_from_origin(b, motion, &parameter);
                    sub(motion.r, to_space(motion.q, centre))
                }
            };
            Pose { position, attitude: body_attitude(motion.q, principal) }
        };
        posture.iter().enumerate().map(pose).collect()
    }

    /// The manifest of a run that has `begun` at this instant, with these rows.
    pub fn manifest(
        &self,
        (begun, at): (Manifest, Instant),
        under: &RunContext<'_>,
        method: &str,
        rows: &[SteadyRow],
    ) -> Manifest {
        let stepping = at.elapsed().as_secs_f64();
        let count = |outcome| rows.iter().filter(|row| row.outcome == outcome).count() as u64;
        let counts =
            SearchOutcome::ALL.into_iter().map(|outcome| (outcome.name().to_string(), count(outcome)));
        Manifest {
            complete: rows.len() as u64 == self.study.ensemble.size,
            advanced: rows.len() as u64,
            device: cpu::processor(),
            backend: "cpu".to_string(),
            precision: Precision::F64.name().to_string(),
            method: method.to_string(),
            verdicts: counts.filter(|(_, count)| *count > 0).collect(),
            timings: Timings { stepping, total: stepping, ..Timings::default() },
            warnings: under.warnings.to_vec(),
            ..begun
        }
    }

    /// The table of instances, where it is wanted.
    pub fn table<'t>(
        &self,
        rows: &'t [SteadyRow],
        grouped: bool,
        columns: Vec<NumberColumn>,
    ) -> Vec<(&'static TableCard, FillTable<'t>)> {
        match self.study.output.instances {
            InstanceTable::None => Vec::new(),
            _ => vec![(
                &STEADY_INSTANCES,
                Box::new(move |file| write_steady_rows(file, rows, grouped, &columns)),
            )],
        }
    }

    /// Returns the numbers that were drawn for these instances, by column.
    pub fn drawn_columns<'o>(
        &self,
        outcomes: impl Iterator<Item = &'o SteadyOutcome> + Clone,
    ) -> Vec<NumberColumn> {
        let column = |(k, (name, unit)): (usize, (String, String))| NumberColumn {
            name: format!("drawn.{name}"),
            unit,
            description: "drawn for this instance".to_string(),
            values: outcomes.clone().map(|outcome| outcome.drawn[k]).collect(),
        };
        self.drawn().into_iter().enumerate().map(column).collect()
    }

    /// Names and units of what is drawn.
    pub fn drawn(&self) -> Vec<(String, String)> {
        self.sampler.columns().into_iter().map(|column| (column.name, column.unit.to_string())).collect()
    }

    /// The drawn column of an ensemble that varies one number alone, and its values; `None`: it
    /// varies others.
    pub fn only_drawn(&self, outcomes: &[SteadyOutcome]) -> Option<(String, String, Vec<f64>)> {
        let [(name, unit)] = <[_; 1]>::try_from(self.drawn()).ok()?;
        Some((name, unit, outcomes.iter().map(|outcome| outcome.drawn[0]).collect()))
    }
}

/// Refuses channels that are measured against a start from which nothing moves here.
pub(super) fn check_channels(study: &Study) -> Result<(), RunError> {
    let drifts =
        ["energy_drift", "angular_momentum_drift", "potential_estimate", "own_steps", "rejected_steps"];
    let of_time = |channel: &Channel| drifts.contains(&&*channel.name());
    match study.observe.channels.iter().find(|observed| of_time(&observed.channel)) {
        None => Ok(()),
        Some(seen) => Err(RunError::Unserved(format!(
            "observe.channels: \"{}\" is of a motion in time, and a study of kind {} has none; leave it out",
            seen.channel.name(),
            study.kind.name()
        ))),
    }
}

/// Why the first of these have no equilibrium, in lines.
pub(super) fn failures(rows: &[SteadyRow]) -> impl Iterator<Item = String> {
    let failed = rows.iter().filter(|row| row.outcome != SearchOutcome::Found);
    failed.take(3).map(|row| format!("instance {}: {}", row.instance, row.why))
}
