//! The account of a study before it runs: what it would do, what it would cost, what in it is
//! hardly meant.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::checkpoint::RUN_STATE;
use super::choose_method::chosen;
use super::driver::workload;
use super::final_columns::final_channels;
use super::kinds::runnable;
use super::plan::plan;
use super::room::{program_bytes, table_bytes, too_little, waiting_bytes, with_pictures};
use super::run_error::RunError;
use super::{cost, plausible, stable_step};
use crate::backend::Plan;
use crate::backend::choose::{is_cut, outlook};
use crate::backend::program::Program;
use crate::base::{Precision, bytes, grouped, instances, significant};
use crate::describe::Study;
use crate::ensemble::sampling::varied_step;
use crate::ensemble::{Quantities, Sampler};
use crate::model::{BodyParameter, Model, NoMechanism};
use crate::observe::channels::{Observer, columns};
use crate::output::{NEVER, modal_text};
use crate::treatments::EPS_ACCURACY;

/// Settings of an account.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions<'a> {
    /// All constants of flexible bodies, and the shapes at their named points.
    pub constants: bool,
    /// The program of a step too: its state, its operations, and the parts left out.
    pub verbose: bool,
    /// The folder that the run would have, whose disk is looked at for room.
    pub out: Option<&'a Path>,
    /// Time that reading the study has taken, which is part of the forecast.
    pub before: Duration,
    /// Once this is true a choice of method ends: [`RunError::Interrupted`].
    pub interrupt: Option<&'a AtomicBool>,
}

/// The account of a study that was not run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The study, with method and step chosen where it leaves them open.
    pub study: Study,
    /// All lines of the account, each with its name; a continued line has none.
    pub lines: Vec<(&'static str, String)>,
    /// Sentences on numbers that are hardly meant, on steps that are too long, on too little room.
    pub warnings: Vec<String>,
    /// Memory of the run, about (bytes); none: not foretold of studies of this kind.
    pub memory: Option<f64>,
    /// Tables on the disk, at most (bytes).
    pub tables: Option<f64>,
    /// Time of the run by a trial here and now (s); none: not measured of studies of this kind.
    pub seconds: Option<f64>,
}

impl Checked {
    /// The lines as a text.
    pub fn text(&self) -> String {
        self.lines.iter().map(|(name, line)| format!("{name:<14}{line}\n")).collect()
    }
}

/// Tells what a study would do and cost, and runs nothing but a trial.
///
/// # Errors
/// The study cannot be served. The interrupt was set while its method was chosen.
pub fn check_study(study: &Study, options: &CheckOptions<'_>) -> Result<Checked, RunError> {
    let begun = Instant::now();
    // A step that is chosen is measured, whatever small vibrations say.
    let chooses_step = study.method.open.is_some_and(|open| open.step);
    let chosen = chosen(study, options.interrupt.unwrap_or(&NEVER))?;
    let study = chosen.study;
    let reading = options.before + begun.elapsed();
    let plan = plan(&study).map_err(|error| no_mechanism(&study, error))?;
    runnable(&study).check(&study, &plan)?;
    let sampler = Sampler::new(&study)?;
    if !study.kind.card().steps {
        return of_steady_states(study, &plan.model, &sampler, options, reading);
    }
    let with_tangents = runnable(&study).with_directions(&plan);
    let program = (!plan.method.is_adaptive()).then(|| Program::new(&with_tangents, study.run.precision));
    let mut account = Account {
        study: &study,
        plan: &plan,
        sampler: &sampler,
        options,
        lines: Vec::new(),
        warnings: Vec::new(),
    };
    account.question(&chosen.told);
    account.start()?;
    let looking = Instant::now();
    account.stiffness(chooses_step)?;
    // A run looks for the stable step too.
    let before = reading + looking.elapsed();
    account.ensemble()?;
    account.bodies();
    account.doubts()?;
    account.program(program.as_ref(), &with_tangents);
    // A device that is missing is a matter of the run, not of the study.
    let forecast = runnable(&study).forecast(&study);
    let measured = forecast.map(|forecast| cost::measured(&study, &forecast, before));
    let chunk = measured.as_ref().and_then(|measured| Some(measured.as_ref().ok()?.chunk));
    let (memory, tables) = account.room(chunk);
    account.work(program.as_ref());
    let mut seconds = None;
    match measured {
        None => {
            if let Some(program) = &program {
                let workload = workload(&study, None, false);
                account.line("backend", outlook(&with_tangents, &study.run, &workload, program));
            }
        }
        Some(Err(error)) => account.line("time", format!("not measured: {error}")),
        Some(Ok(cost)) => {
            seconds = Some(cost.total());
            let time = cost.summary();
            account.line("backend", cost.backend);
            account.line("time", time);
        }
    }
    let Account { lines, warnings, .. } = account;
    Ok(Checked { study, lines, warnings, memory: Some(memory), tables: Some(tables), seconds })
}

/// The lines on a study that steps, section by section.
struct Account<'a> {
    study: &'a Study,
    plan: &'a Plan,
    sampler: &'a Sampler,
    options: &'a CheckOptions<'a>,
    lines: Vec<(&'static str, String)>,
    warnings: Vec<String>,
}

impl Account<'_> {
    fn line(&mut self, name: &'static str, value: String) {
        self.lines.push((name, value));
    }

    fn warn(&mut self, warning: String) {
        self.warnings.push(warning.clone());
        self.line("warning", warning);
    }

    /// The question, the mechanism and the method; `chosen`: sentences on what was open.
    fn question(&mut self, chosen: &[String]) {
        let mechanism = &self.study.mechanism;
        let bodies: Vec<String> = mechanism.bodies.iter().map(|b| format!("\"{}\"", b.name)).collect();
        let noun = if bodies.len() == 1 { "body" } else { "bodies" };
        self.line("study", self.study.title.clone());
        self.line("mechanism", format!("{}, {noun} {}", mechanism.name, bodies.join(", ")));
        if let Some(asked) = self.study.kind.summary() {
            self.line("asked", asked);
        }
        self.line("method", self.study.method.summary());
        for told in chosen {
            self.line("chosen", told.trim_start_matches("method: ").to_string());
        }
    }

    /// The joints, or where the bodies are, and how they set out.
    fn start(&mut self) -> Result<(), RunError> {
        let (study, plan) = (self.study, self.plan);
        if !study.mechanism.joints.is_empty() {
            self.line("joints", joints(study, &plan.model)?);
            if let Some(eps) = plan.model.parameter_by_rule(&plan.constants) {
                let eps = significant(plan.constants[eps], 4);
                self.line("", format!("eps {eps}, by constraints.{EPS_ACCURACY}"));
            }
            for left_out in plan.model.rows_left_out() {
                self.line("", format!("left out, since other rows imply them: {left_out}"));
            }
        } else if let Some(start) = Model::start_summary(study) {
            self.line("start", start);
        }
        if let Some(start) = stable_step::start(study) {
            self.line("at t = 0", start);
        }
        Ok(())
    }

    /// The stable steps; nothing of a step that is chosen.
    fn stiffness(&mut self, chooses_step: bool) -> Result<(), RunError> {
        let nominal = stable_step::nominal(self.study);
        let varied = stable_step::varied(self.study, nominal.as_ref())?;
        if !chooses_step {
            nominal.into_iter().for_each(|nominal| self.line("stiffness", nominal.told));
            varied.into_iter().for_each(|varied| self.line("stable steps", varied.sentence()));
        }
        Ok(())
    }

    /// The instances, their steps, and what is varied and observed.
    fn ensemble(&mut self) -> Result<(), RunError> {
        let Account { study, plan, sampler, .. } = *self;
        let size = grouped(study.ensemble.size);
        let instances = match study.kind.screening() {
            Some(asked) => format!("{size}: {}", asked.explained(sampler.inputs().len())),
            None => size,
        };
        self.line("instances", instances);
        let schedule = &plan.schedule;
        let (steps, h) = (grouped(schedule.steps), schedule.h);
        let steps = match varied_step(study) {
            Some(varied) => format!("{steps} {}", varied.sentence()),
            None => format!("{steps} of {} s ({} s)", plain(h), plain(h * schedule.steps as f64)),
        };
        self.line("steps", steps);
        for (name, value) in runnable(study).outlook(study)? {
            // Lines without a name tell the operations of each layer.
            if self.options.verbose || !name.is_empty() {
                self.line(name, value);
            }
        }
        self.line("varied", varied_columns(sampler));
        let snapshots = grouped(schedule.snapshots().len() as u64);
        self.line("observed", format!("{} at {snapshots} snapshots", observed_columns(study).join(", ")));
        Ok(())
    }

    /// Moments of inertia, and what bodies that bend are made of.
    fn bodies(&mut self) {
        let moments = &self.plan.constants[BodyParameter::INERTIA..BodyParameter::INERTIA + 3];
        if self.options.verbose {
            let moments = [0, 1, 2].map(|k| plain(moments[k])).join(" ");
            self.line("inertia", format!("principal moments {moments} kg m² (nominal, of the first body)"));
        }
        for body in &self.study.mechanism.bodies {
            let Some(flexible) = &body.flexible else { continue };
            let constants = self.options.constants.then(|| modal_text::constants(flexible));
            let lines = modal_text::summary(&body.name, flexible);
            for (k, lines) in lines.into_iter().chain(constants.into_iter().flatten()).enumerate() {
                self.line(if k == 0 { "flexible" } else { "" }, lines);
            }
        }
    }

    fn doubts(&mut self) -> Result<(), RunError> {
        // The lines on stiffness tell of other steps that are too long.
        let of_modes = stable_step::too_long_for_modes(self.study);
        let of_steps = of_modes.into_iter().chain(stable_step::unexcited(self.study));
        for warning in plausible::doubts_with(self.study, of_steps.collect())? {
            self.warn(warning);
        }
        Ok(())
    }

    /// The program of a step; `None`: the method has none.
    fn program(&mut self, program: Option<&Program>, plan: &Plan) {
        if self.options.verbose {
            match program {
                None => {
                    self.line("state", format!("{} numbers an instance", self.plan.moving.len()));
                    self.line("operations", "adaptive: as many as the tolerances want".to_string());
                }
                Some(program) => {
                    let unread = match &program.dropped[..] {
                        [] => String::new(),
                        dropped => format!("; nothing reads {}", dropped.join(", ")),
                    };
                    let operations = program.operations(&program.step).total();
                    self.line("state", format!("{} numbers an instance{unread}", program.state.len()));
                    self.line("operations", format!("{operations} a step (a multiply-add is two)"));
                    let left_out = left_out(program, plan, self.study.run.precision);
                    if !left_out.is_empty() {
                        self.line("", left_out);
                    }
                }
            }
        }
        if let Some(too_long) = program.and_then(is_cut) {
            self.line("kernel", format!("{too_long}: a GPU takes it in several, if asked"));
        }
    }

    /// Memory in all, and tables on the disk (bytes); `chunk`: instances advanced together, where
    /// that was measured.
    fn room(&mut self, chunk: Option<u64>) -> (f64, f64) {
        let Account { study, plan, sampler, options, .. } = *self;
        let columns = sampler.width() + Observer::new(plan, &final_channels(study, plan)).width();
        let chunk = chunk.unwrap_or_else(|| cost::largest_chunk(study, plan, columns, u64::MAX));
        let under_way = cost::chunk_bytes(plan, columns, chunk);
        let kept = runnable(study).kept_bytes(study, plan) as f64;
        let snapshots = plan.schedule.snapshots().len();
        let rows = study.observe.keep.min(study.ensemble.size) as f64 * snapshots as f64;
        let observed = Observer::new(plan, &study.observe.channels).width();
        let trajectories = rows * observed as f64 * 8.0;
        let besides = program_bytes(study, plan);
        let waiting = waiting_bytes(study, plan, sampler);
        let memory = besides + under_way + kept + waiting + trajectories;
        let text = format!(
            "about {}: {} of the program and its pictures, {} of chunks under way, {} each at most, {} of \
             {}, {} of rows of tables, {} of kept trajectories",
            bytes(memory),
            bytes(besides),
            bytes(under_way),
            instances(chunk),
            bytes(kept),
            study.kind.card().keeps,
            bytes(waiting),
            bytes(trajectories)
        );
        self.line("memory", text);
        let tables = table_bytes(study, plan, sampler);
        let leaves_state = runnable(study).leaves_state() && study.output.state && study.ensemble.grows();
        let state = leaves_state.then(|| format!(" and {} of {RUN_STATE}", bytes(kept)));
        self.line("on disk", format!("at most {} of tables{}", bytes(tables), state.unwrap_or_default()));
        if let Some(warning) = options.out.and_then(|out| too_little(tables, out)) {
            self.warn(warning);
        }
        (memory, tables)
    }

    fn work(&mut self, program: Option<&Program>) {
        let maps = self.study.kind.studies(self.study).len() as u64;
        let work = (self.study.ensemble.size * maps) as f64 * self.plan.schedule.steps as f64;
        let each = match program {
            None => ", each of as many internal ones as it needs".to_string(),
            Some(program) if self.options.verbose => {
                let operations = program.operations(&program.step).total();
                format!(", {:.2e} operations", work * operations as f64)
            }
            Some(_) => String::new(),
        };
        self.line("cost", format!("{work:.2e} instance-steps{each}"));
    }
}

/// Names and units of what is drawn.
fn varied_columns(sampler: &Sampler) -> String {
    let varied: Vec<String> = sampler.columns().iter().map(|c| format!("{} ({})", c.name, c.unit)).collect();
    if varied.is_empty() { "nothing".into() } else { varied.join(", ") }
}

/// Names and units of what is observed.
fn observed_columns(study: &Study) -> Vec<String> {
    let columns = columns(&study.mechanism, &study.observe.channels);
    columns.iter().map(|c| format!("{} ({})", c.name, c.unit)).collect()
}

fn no_mechanism(study: &Study, error: NoMechanism) -> RunError {
    RunError::NoMechanism(Model::explain(&study.mechanism, error))
}

/// A number without the last digits, which rounding made.
fn plain(x: f64) -> String {
    significant(x, 13)
}

/// Describes a study that advances nothing, as one of equilibria.
fn of_steady_states(
    study: Study,
    model: &Model,
    sampler: &Sampler,
    options: &CheckOptions<'_>,
    before: Duration,
) -> Result<Checked, RunError> {
    let mut lines = Vec::new();
    let mut line = |name: &'static str, value: String| lines.push((name, value));
    line("study", study.title.clone());
    line("mechanism", study.mechanism.name.clone());
    line("asked", study.kind.summary().unwrap_or_default());
    if !study.mechanism.joints.is_empty() {
        line("joints", joints(&study, model)?);
    }
    for body in &study.mechanism.bodies {
        let summary = body.flexible.as_ref().map(|flexible| modal_text::summary(&body.name, flexible));
        for (k, text) in summary.into_iter().flatten().enumerate() {
            line(if k == 0 { "flexible" } else { "" }, text);
        }
    }
    line("instances", grouped(study.ensemble.size));
    line("varied", varied_columns(sampler));
    let observed = observed_columns(&study);
    if !observed.is_empty() {
        line("observed", observed.join(", "));
    }
    let mut warnings = plausible::doubts_with(&study, Vec::new())?;
    let outlook = runnable(&study).forecast(&study);
    let searched = outlook.as_ref().and_then(|outlook| Some((outlook.pictures, outlook.searched.as_ref()?)));
    let room = searched.map(|(pictures, searched)| {
        warnings.extend(searched.remarks.iter().cloned());
        warnings.extend(options.out.and_then(|out| too_little(searched.tables, out)));
        (with_pictures(&study, pictures), searched.kept, searched.tables)
    });
    for warning in &warnings {
        line("warning", warning.clone());
    }
    if let Some((besides, kept, tables)) = room {
        let states = format!("{} of the program and its pictures, {} of states", bytes(besides), bytes(kept));
        line("memory", format!("about {}: {states}", bytes(besides + kept)));
        line("on disk", format!("at most {} of tables", bytes(tables)));
    }
    line(
        "cost",
        "a search for the equilibrium and an eigenvalue problem for each instance; no steps".to_string(),
    );
    let mut seconds = None;
    if let Some(outlook) = &outlook {
        let cost = cost::measured(&study, outlook, before)?;
        seconds = Some(cost.total());
        line("time", cost.summary());
    }
    let (memory, tables) = room.map(|(besides, kept, tables)| (besides + kept, tables)).unzip();
    Ok(Checked { study, lines, warnings, memory, tables, seconds })
}

/// Describes the joints at the start: their rows, and how assembly has moved the bodies.
fn joints(study: &Study, model: &Model) -> Result<String, RunError> {
    let explained = |error| no_mechanism(study, error);
    let mut parameters = vec![0.0; model.parameters()];
    let quantities = Quantities::nominal(study);
    let mut start = model.place(&quantities, &mut parameters).map_err(explained)?;
    let parameter = |p: usize| parameters[p];
    let change = model
        .assembled(&mut start, &parameter)
        .map_err(|error| explained(NoMechanism::NotAssembled(error)))?;
    // A lock holds nothing yet.
    let (rows, rank) = (model.rows() - study.mechanism.locks.len(), model.rank(&start, &parameter));
    let redundant = match rows - rank {
        0 => String::new(),
        n => format!(", {n} of them redundant here"),
    };
    let moved = change.summary();
    Ok(format!(
        "{}, {rows} rows{redundant}; treatment {}; {moved}",
        study.mechanism.joints.len(),
        study.constraints.treatment
    ))
}

/// Describes the part of the state that a step leaves out because it is zero in every instance, and
/// the operations of a step that computes it; empty: nothing is left out.
pub fn left_out(program: &Program, plan: &Plan, precision: Precision) -> String {
    let all = Program::new(&plan.unfolded(), precision);
    let operations = all.operations(&all.step).total();
    let channels = all.state.iter().filter(|c| program.zero.contains(c)).count();
    if channels == 0 && operations == program.operations(&program.step).total() {
        return String::new();
    }
    format!(
        "left out is what is zero in every instance, {channels} of {} numbers of the state: with it, \
         {operations} operations",
        all.state.len()
    )
}
