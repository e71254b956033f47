//! The part that studies of steady states share: every instance is drawn, brought into equilibrium,
//! and linearised there. Nothing is advanced in time, and no instance depends on another: they are
//! shared among all threads, and kept in their order.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use super::cost::Searched;
use super::listener::Listener;
use super::planned_run::planned;
use super::room::OF_COLUMN;
use super::run_context::RunContext;
use super::run_error::RunError;
use super::unserved::Unserved;
use crate::backend::{Plan, cpu};
use crate::base::{Precision, grouped, quantity};
use crate::describe::{BackendChoice, Channel, EquilibriumSearch, InstanceTable, SteadyMotion, Study};
use crate::ensemble::{Quantities, Sampler};
use crate::kinematics::body::Motion;
use crate::math::quaternion::to_space;
use crate::math::vector::{length, sub};
use crate::model::equilibrium::{Equilibrium, NoEquilibrium};
use crate::model::memory::Memory;
use crate::model::steady_state::{KeptBy, Posture, STILL, SteadyInstance, SteadyRotation};
use crate::model::vibration::{Mode, Stability, Vibrations};
use crate::model::{BodyParameter, Model, body_attitude};
use crate::output::steady::{NumberColumn, SearchOutcome, SteadyRow, write_steady_rows};
use crate::output::{FillTable, Manifest, Pose, STEADY_INSTANCES, TableCard, Timings};
use rayon::prelude::*;

/// Share of the slowest frequency below which the decay of a spin makes no difference.
const NEARLY_STEADY: f64 = 1e-2;

/// Time (s) of a trial, at least, unless all instances take less.
const TRIAL: f64 = 0.25;
/// A row of the table of instances but for numbers that are drawn and observed, and reasons
/// (bytes).
const OF_ROW: usize = 84;

/// An instance at its equilibrium.
pub struct SteadyFound {
    pub equilibrium: Equilibrium,
    pub vibrations: Vibrations,
    /// The rotation of the whole (rad/s).
    pub rotation: SteadyRotation,
    /// By body, besides that (rad/s).
    pub spins: Vec<[f64; 3]>,
    /// Torques that keep their rates whatever slows them.
    pub coasting: Option<KeptBy>,
    pub parameters: Vec<f64>,
    /// Sentences on what the state leaves out or cannot promise.
    pub remarks: Vec<String>,
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
            return Err(Unserved::OnCpuAlone(study.kind.name()).into());
        }
        if let Some(signal) = study.mechanism.recurrent_signal() {
            let (signal, kind) = (signal.name.clone(), study.kind.name());
            return Err(Unserved::FollowsNoSamples { signal, kind }.into());
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

    /// The search for all states, foretold by that of some. A row of the table of instances has so
    /// many columns of what is observed; `further`: bytes of these instances in other tables.
    pub fn foretold(&self, columns: usize, further: impl Fn(&[SteadyOutcome]) -> f64) -> Searched {
        let (outcomes, seconds) = self.tried();
        let size = self.study.ensemble.size as f64 / outcomes.len() as f64;
        let numbers = 8 * (self.sampler.width() + columns);
        let row = |row: &SteadyRow| (OF_ROW + row.why.len() + numbers) as f64;
        let table: f64 = match self.study.output.instances {
            InstanceTable::None => 0.0,
            _ => self.rows(&outcomes).iter().map(row).sum(),
        };
        let all_columns = OF_COLUMN * (STEADY_INSTANCES.columns.len() + 1 + self.sampler.width() + columns);
        let kept: f64 = outcomes.iter().map(|outcome| self.kept_bytes(outcome) as f64).sum();
        Searched {
            seconds,
            kept: size * kept,
            tables: all_columns as f64 + size * (table + further(&outcomes)),
            remarks: remarks(&outcomes[..1]),
        }
    }

    /// Some instances that are spread over the ensemble, the first of all among them, and the time
    /// in which all of it is searched (s).
    fn tried(&self) -> (Vec<SteadyOutcome>, f64) {
        let size = self.study.ensemble.size;
        let mut count = rayon::current_num_threads() as u64;
        loop {
            let chosen = self.study.ensemble.spread(count);
            let begun = Instant::now();
            let outcomes: Vec<SteadyOutcome> =
                chosen.par_iter().map(|instance| self.one(*instance)).collect();
            let (spent, share) = (begun.elapsed().as_secs_f64(), chosen.len() as f64 / size as f64);
            if share == 1.0 || spent >= TRIAL {
                return (outcomes, spent / share);
            }
            count *= 4;
        }
    }

    /// Memory of an outcome (bytes).
    fn kept_bytes(&self, outcome: &SteadyOutcome) -> usize {
        let of_mode = |mode: &Mode| size_of::<Mode>() + 16 * mode.shape.len() + 8 * mode.shares.len();
        let found = outcome.found.as_ref().map_or(0, |found| {
            let numbers = found.parameters.len() + self.state(&found.equilibrium.posture).len();
            let modes: usize = found.vibrations.modes.iter().map(of_mode).sum();
            size_of::<SteadyFound>() + 8 * numbers + size_of_val(&*found.spins) + modes
        });
        size_of::<SteadyOutcome>() + size_of_val(&*outcome.drawn) + found
    }

    fn one(&self, instance: u64) -> SteadyOutcome {
        let mut drawn = vec![0.0; self.sampler.width()];
        self.sampler.draw(instance, &mut drawn);
        let mut quantities = Quantities::nominal(self.study);
        self.sampler.apply(&drawn, &mut quantities);
        let mut found = self.found(&quantities);
        if let Ok(found) = &mut found
            && self.about.search == EquilibriumSearch::Stable
            && found.vibrations.stability == Stability::Unstable
        {
            found
                .remarks
                .push("the search for a stable equilibrium has ended at an unstable one".to_string());
        }
        if let Ok(found) = &mut found
            && let Ok(Some(body)) = self.instance(found).jumps(&found.equilibrium.posture)
        {
            found.remarks.push(format!(
                "a force on `{}` jumps at the equilibrium, and the linearised equations leave it out: \
                 frequencies and stability are not those of small motions",
                self.study.mechanism.bodies[body].name
            ));
        }
        SteadyOutcome { instance, drawn, found }
    }

    fn found(&self, quantities: &Quantities) -> Result<Box<SteadyFound>, (SearchOutcome, String)> {
        let (model, mechanism) = (&self.plan.model, &self.study.mechanism);
        let mut parameters = self.plan.constants.clone();
        let start = model
            .resolve(quantities, &mut parameters)
            .map_err(|why| (SearchOutcome::InvalidSample, Model::explain(mechanism, why)))?;
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
        let found = |coasting: Option<KeptBy>, parameters: &[f64], spins: bool| {
            let new = SteadyInstance::new(model, parameters, &self.factors, rotation);
            let mut steady = if spins { new.with_spins(&start, &memory) } else { new };
            steady.coasting = coasting;
            let begun = steady.posture(&start, &memory);
            let equilibrium = match self.about.search {
                EquilibriumSearch::Nearest => steady.equilibrium(&begun),
                EquilibriumSearch::Stable => steady.equilibrium_by_creeping(&begun),
            }?;
            let vibrations = steady.modes(&equilibrium.posture)?;
            let slowing = steady.slowing(&equilibrium.posture);
            let stops = steady.rotors_stop(&begun, &equilibrium.posture);
            let found = SteadyFound {
                equilibrium,
                vibrations,
                rotation,
                spins: steady.spins.clone(),
                coasting,
                parameters: parameters.to_vec(),
                remarks: Vec::new(),
            };
            Ok((Box::new(found), slowing, stops))
        };
        let started = SteadyInstance::new(model, &parameters, &self.factors, rotation);
        let (turning, nearly_round) = (started.turning(&start), started.nearly_round(&start));
        let spins = started.with_spins(&start, &memory).is_spinning();
        let exact = found(None, &parameters, true);
        // Bodies that spin at the start may not go on so: then the equilibrium is one at rest.
        let exact = if spins { exact.or_else(|_| found(None, &parameters, false)) } else { exact };
        let (mut exact, _, stops) = exact.map_err(failed)?;
        if !stops && exact.spins == turning {
            return Ok(exact);
        }
        let mut rounded = parameters.clone();
        for (b, across) in &nearly_round {
            let moments = across.map(|k| model.of_body(*b, BodyParameter::INERTIA) + k);
            let mean = moments.iter().map(|k| parameters[*k]).sum::<f64>() / 2.0;
            moments.into_iter().for_each(|k| rounded[k] = mean);
        }
        let nearly =
            SteadyInstance::new(model, &rounded, &self.factors, rotation).with_spins(&start, &memory);
        let mut slows = None;
        let kept = |by: KeptBy| found(Some(by), &rounded, true).ok().filter(|(_, _, stops)| !stops);
        if (stops || nearly.spins != exact.spins)
            && let Some((mut coasting, slowing, _)) = KeptBy::ALL.into_iter().find_map(kept)
        {
            let vibrating = coasting.vibrations.modes.iter().filter(|mode| mode.frequency() > 0.0);
            let slowest = vibrating.map(Mode::natural).fold(f64::INFINITY, f64::min);
            if slowest.is_finite() && slowing <= NEARLY_STEADY * slowest {
                let round = nearly_round.iter().filter(|(b, _)| coasting.spins[*b] != [0.0; 3]);
                let round = round.map(|(b, _)| {
                    format!(
                        "`{}` is taken for a body of revolution, with the mean of its two moments of inertia \
                         across the spin",
                        names[*b]
                    )
                });
                let mut remarks: Vec<String> = round.collect();
                if slowing > NEARLY_STEADY.powi(3) * slowest {
                    remarks.push(format!(
                        "what spins at the start loses {} of its rate in a second, since nothing drives it; \
                         the modes are those at the rate of the start",
                        quantity(100.0 * slowing, 2, "%")
                    ));
                }
                coasting.remarks = remarks;
                return Ok(coasting);
            }
            slows = Some(slowing);
        }
        let creeps =
            exact.vibrations.rigid > 0 || exact.vibrations.modes.iter().any(|mode| mode.frequency() == 0.0);
        if creeps {
            exact.remarks.extend(self.dropped((&start, &turning), &nearly.spins, &exact, (stops, slows)));
        }
        Ok(exact)
    }

    /// Sentences on spins of the start that the state has not; `nearly`: those that would go on
    /// but for losses. Rotors may stop; losses take the share `slows` of a rate in a second (1/s),
    /// unless other accelerations leave no state to measure them in.
    fn dropped(
        &self,
        (start, turning): (&[Motion<f64>], &[[f64; 3]]),
        nearly: &[[f64; 3]],
        found: &SteadyFound,
        (stops, slows): (bool, Option<f64>),
    ) -> Vec<String> {
        // A body that turns with the whole, or not at all, has no rotation of its own to leave out.
        let fastest = start.iter().map(|motion| length(motion.w)).fold(found.rotation.speed(), f64::max);
        let (slowed, uneven): (Vec<usize>, Vec<usize>) = (0..start.len())
            .filter(|b| turning[*b] != found.spins[*b])
            .filter(|b| length(start[*b].w).min(length(turning[*b])) > STILL * fastest)
            .partition(|b| nearly[*b] != [0.0; 3]);
        let sentence = |bodies: &[usize], why: String| {
            let names: Vec<String> =
                bodies.iter().map(|b| format!("`{}`", self.study.mechanism.bodies[*b].name)).collect();
            let (last, others) = names.split_last()?;
            let name =
                if others.is_empty() { last.clone() } else { format!("{} and {last}", others.join(", ")) };
            let up_to = if others.is_empty() { "" } else { "up to " };
            let rate = quantity(bodies.iter().map(|b| length(turning[*b])).fold(0.0, f64::max), 4, "rad/s");
            Some(format!(
                "the rotation of {name} at the start, {up_to}{rate}, is left out, with its gyroscopic \
                 effect; {why}"
            ))
        };
        let unsteady = "with the rate of the start there is no steady state, as losses or loads accelerate \
                        the whole";
        let taken = slows.map_or(unsteady.to_string(), |slows| {
            format!("losses take {} of the rate in a second", quantity(100.0 * slows, 2, "%"))
        });
        let losses =
            format!("{taken}: balance them by a motor's torque, or hold the rate by a generator, with `at`");
        let shape = "it is no body of revolution about its axis, or a joint or force changes as it turns: \
                     put its mass centre on the axis of its joint, and give it equal moments of inertia \
                     across it";
        let rotors = (stops && nearly == found.spins).then(|| {
            format!(
                "the rotors of the start come to rest, and have no gyroscopic effect: {taken}: balance them \
                 by a motor's torque"
            )
        });
        [sentence(&uneven, shape.to_string()), sentence(&slowed, losses), rotors]
            .into_iter()
            .flatten()
            .collect()
    }

    /// The instance again, to ask more of its steady state.
    pub fn instance<'f>(&'f self, found: &'f SteadyFound) -> SteadyInstance<'f> {
        let mut instance =
            SteadyInstance::new(&self.plan.model, &found.parameters, &self.factors, found.rotation);
        instance.spins.clone_from(&found.spins);
        instance.coasting = found.coasting;
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
                        why: found.remarks.join("; "),
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
        (outcomes, rows): (&[SteadyOutcome], &[SteadyRow]),
    ) -> Manifest {
        let remarks = remarks(outcomes);
        remarks.iter().for_each(|remark| under.listener.warn(remark));
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
            warnings: [under.warnings, &remarks].concat(),
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
        Some(seen) => {
            let (channel, kind) = (seen.channel.name().into_owned(), study.kind.name());
            Err(Unserved::OfMotion { channel, kind }.into())
        }
    }
}

/// Remarks on found states, each once, with the first instance of which it is true.
pub(super) fn remarks(outcomes: &[SteadyOutcome]) -> Vec<String> {
    let found = outcomes.iter().filter_map(|outcome| Some((outcome.instance, outcome.found.as_ref().ok()?)));
    let with: Vec<(u64, &[String])> = found
        .map(|(instance, found)| (instance, &*found.remarks))
        .filter(|(_, all)| !all.is_empty())
        .collect();
    let Some((first, remarks)) = with.first() else { return Vec::new() };
    let others = match with.len() - 1 {
        0 => String::new(),
        n => format!(" (`why` of instances.parquet has remarks on {} more)", grouped(n as u64)),
    };
    let prefix = if outcomes.len() == 1 { String::new() } else { format!("instance {}: ", grouped(*first)) };
    remarks.iter().map(|remark| format!("{prefix}{remark}{others}")).collect()
}

/// Why the first of these have no equilibrium, in lines.
pub(super) fn failures(rows: &[SteadyRow]) -> impl Iterator<Item = String> {
    let failed = rows.iter().filter(|row| row.outcome != SearchOutcome::Found);
    failed.take(3).map(|row| format!("instance {}: {}", row.instance, row.why))
}
