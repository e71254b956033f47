//! The account of a study before it runs: what it would do, what it would cost, what in it is
//! hardly meant.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::choose_method::chosen;
use super::driver::workload;
use super::final_columns::final_channels;
use super::plan::plan;
use super::room::{program_bytes, table_bytes, too_little};
use super::run_error::RunError;
use super::{cost, plausible, runnable, stable_step};
use crate::backend::Plan;
use crate::backend::choose::{is_cut, outlook};
use crate::backend::program::Program;
use crate::base::{Precision, bytes, grouped, quantity, significant};
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
    /// The program of a step too: its state, its operations, and what is left out of it.
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
    /// All that is told, each by its name; a line that goes on has none.
    pub lines: Vec<(&'static str, String)>,
    /// Sentences on numbers that are hardly meant, on steps that are too long, on too little room.
    pub warnings: Vec<String>,
    /// Memory of the run, about (bytes); none: not foretold of a study that advances nothing.
    pub memory: Option<f64>,
    /// Tables on the disk, at most (bytes).
    pub tables: Option<f64>,
    /// Time of the run by a trial here and now (s); none: not measured of studies of this kind.
    pub seconds: Option<f64>,
}

impl Checked {
    /// The lines as a text.
    pub fn text(&self) -> String {
        self.lines.iter().map(|(name, told)| format!("{name:<14}{told}\n")).collect()
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
    runnable::check(&study, &plan)?;
    let sampler = Sampler::new(&study)?;
    if !study.kind.card().steps {
        return of_steady_states(study, &plan.model, &sampler);
    }
    let followed = runnable::followed(&study, &plan);
    let program = (!plan.method.is_adaptive()).then(|| Program::new(&followed, study.run.precision));
    let operations = program.as_ref().map_or(0, |program| program.operations(&program.step).total());
    let schedule = &plan.schedule;
    let size = study.ensemble.size;
    let snapshots = schedule.snapshots().len();
    let observed = Observer::new(&plan, &study.observe.channels).width();
    let finals = Observer::new(&plan, &final_channels(&study, &plan)).width();
    let (mut lines, mut warnings) = (Vec::new(), Vec::new());
    let mut line = |name: &'static str, value: String| lines.push((name, value));
    line("study", study.title.clone());
    line(
        "mechanism",
        format!(
            "{}, bod{} {}",
            study.mechanism.name,
            if study.mechanism.bodies.len() == 1 { "y" } else { "ies" },
            study.mechanism.bodies.iter().map(|b| format!("\"{}\"", b.name)).collect::<Vec<_>>().join(", ")
        ),
    );
    if let Some(asked) = study.kind.summary() {
        line("asked", asked);
    }
    line("method", study.method.summary());
    for told in &chosen.told {
        line("chosen", told.trim_start_matches("method: ").to_string());
    }
    if !study.mechanism.joints.is_empty() {
        line("joints", joints(&study, &plan.model)?);
        if let Some(eps) = plan.model.parameter_by_rule(&plan.constants) {
            line("", format!("eps {}, by constraints.{EPS_ACCURACY}", significant(plan.constants[eps], 4)));
        }
        for left_out in plan.model.rows_left_out() {
            line("", format!("left out, since other rows imply them: {left_out}"));
        }
    } else if let Some(start) = Model::start_summary(&study) {
        line("start", start);
    }
    if let Some(start) = stable_step::start(&study) {
        line("at t = 0", start);
    }
    let looking = Instant::now();
    let nominal = stable_step::nominal(&study);
    if let Some(nominal) = nominal.as_ref().filter(|_| !chooses_step) {
        line("stiffness", nominal.told.clone());
    }
    for varied in stable_step::varied(&study, nominal.as_ref())? {
        if !chooses_step {
            line("stable steps", varied.told());
        }
    }
    // A run looks for the stable step too.
    let before = reading + looking.elapsed();
    line(
        "instances",
        match study.kind.screening() {
            Some(asked) => format!("{}: {}", grouped(size), asked.explained(sampler.inputs().len())),
            None => grouped(size),
        },
    );
    let (steps, h) = (grouped(schedule.steps), schedule.h);
    line(
        "steps",
        match varied_step(&study) {
            Some(varied) => format!("{steps} {}", varied.told()),
            None => format!("{steps} of {} s ({} s)", plain(h), plain(h * schedule.steps as f64)),
        },
    );
    let varied: Vec<String> = sampler.columns().iter().map(|c| format!("{} ({})", c.name, c.unit)).collect();
    for (name, value) in runnable::outlook(&study)? {
        // Lines without a name tell the operations of each layer.
        if options.verbose || !name.is_empty() {
            line(name, value);
        }
    }
    let maps = study.kind.studies(&study).len() as u64;
    line("varied", if varied.is_empty() { "nothing".into() } else { varied.join(", ") });
    let names: Vec<String> = columns(&study.mechanism, &study.observe.channels)
        .iter()
        .map(|c| format!("{} ({})", c.name, c.unit))
        .collect();
    line("observed", format!("{} at {} snapshots", names.join(", "), grouped(snapshots as u64)));
    let moments = &plan.constants[BodyParameter::INERTIA..BodyParameter::INERTIA + 3];
    if options.verbose {
        let moments = [0, 1, 2].map(|k| plain(moments[k])).join(" ");
        line("inertia", format!("principal moments {moments} kg m² (nominal, of the first body)"));
    }
    for body in &study.mechanism.bodies {
        if let Some(flexible) = &body.flexible {
            let told = modal_text::summary(&body.name, flexible);
            let told = told
                .into_iter()
                .chain(options.constants.then(|| modal_text::constants(flexible)).into_iter().flatten());
            for (k, told) in told.enumerate() {
                line(if k == 0 { "flexible" } else { "" }, told);
            }
        }
    }
    // The lines on stiffness tell of other steps that are too long.
    let of_steps = stable_step::too_long_for_modes(&study).into_iter().chain(stable_step::unexcited(&study));
    for warning in plausible::doubts_with(&study, of_steps.collect())? {
        warnings.push(warning.clone());
        line("warning", warning);
    }
    match &program {
        None if options.verbose => {
            line("state", format!("{} numbers an instance", plan.moving.len()));
            line("operations", "adaptive: as many as the tolerances want".to_string());
        }
        None => {}
        Some(program) => {
            if options.verbose {
                let unread = match &program.dropped[..] {
                    [] => String::new(),
                    dropped => format!("; nothing reads {}", dropped.join(", ")),
                };
                line("state", format!("{} numbers an instance{unread}", program.state.len()));
                line("operations", format!("{operations} a step (a multiply-add is two)"));
                let left_out = left_out(program, &followed, study.run.precision);
                if !left_out.is_empty() {
                    line("", left_out);
                }
            }
            if let Some(too_long) = is_cut(program) {
                line("kernel", format!("{too_long}: a GPU takes it in several, if asked"));
            }
        }
    }
    let columns = sampler.width() + finals;
    // A device that is missing is a matter of the run, not of the study.
    let measured = study.kind.card().plain.then(|| cost::measured(&study, before));
    let chunk = match &measured {
        Some(Ok(cost)) => cost.chunk,
        _ => cost::largest_chunk(&study, &plan, columns, u64::MAX),
    };
    let under_way = cost::chunk_bytes(&plan, columns, chunk);
    let kept = runnable::kept_bytes(&study, &plan) as f64;
    let seen = study.observe.keep.min(size) as f64 * snapshots as f64;
    let trajectories = seen * observed as f64 * 8.0;
    let besides = program_bytes(&study, &plan);
    let memory = besides + under_way + kept + trajectories;
    line(
        "memory",
        format!(
            "about {}: {} of the program and its pictures, {} of chunks under way, {} instances each at most, {} of {}, {} of kept trajectories",
            bytes(memory),
            bytes(besides),
            bytes(under_way),
            grouped(chunk),
            bytes(kept),
            study.kind.card().keeps,
            bytes(trajectories)
        ),
    );
    let tables = table_bytes(&study, &plan, &sampler);
    line("on disk", format!("at most {} of tables", bytes(tables)));
    if let Some(warning) = options.out.and_then(|out| too_little(tables, out)) {
        warnings.push(warning.clone());
        line("warning", warning);
    }
    let work = (size * maps) as f64 * schedule.steps as f64;
    match &program {
        None => line("cost", format!("{work:.2e} instance-steps, each of as many internal ones as it needs")),
        Some(_) => {
            let operations = match options.verbose {
                true => format!(", {:.2e} operations", work * operations as f64),
                false => String::new(),
            };
            line("cost", format!("{work:.2e} instance-steps{operations}"));
        }
    }
    let mut seconds = None;
    match measured {
        None => {
            if let Some(program) = &program {
                line("backend", outlook(&followed, &study.run, &workload(&study, None, false), program));
            }
        }
        Some(Err(error)) => line("time", format!("not measured: {error}")),
        Some(Ok(cost)) => {
            let time = format!(
                "about {}: reading and planning {:.2}, compiling {:.2}, sampling {:.2}, stepping {:.2}, observing {:.2}, \
                 writing {:.2} s (a trial here and now, writing estimated)",
                quantity(cost.total(), 3, "s"),
                cost.planning,
                cost.compiling,
                cost.sampling,
                cost.stepping,
                cost.observing,
                cost.writing
            );
            seconds = Some(cost.total());
            line("backend", cost.backend);
            line("time", time);
        }
    }
    Ok(Checked { study, lines, warnings, memory: Some(memory), tables: Some(tables), seconds })
}

fn no_mechanism(study: &Study, error: NoMechanism) -> RunError {
    RunError::NoMechanism(Model::explain(&study.mechanism, error))
}

/// A number without the last digits, which rounding made.
fn plain(x: f64) -> String {
    significant(x, 13)
}

/// Describes a study that advances nothing, as one of equilibria.
fn of_steady_states(study: Study, model: &Model, sampler: &Sampler) -> Result<Checked, RunError> {
    let mut lines = Vec::new();
    let mut line = |name: &'static str, value: String| lines.push((name, value));
    line("study", study.title.clone());
    line("mechanism", study.mechanism.name.clone());
    line("asked", study.kind.summary().unwrap_or_default());
    if !study.mechanism.joints.is_empty() {
        line("joints", joints(&study, model)?);
    }
    line("instances", grouped(study.ensemble.size));
    let varied: Vec<String> = sampler.columns().iter().map(|c| format!("{} ({})", c.name, c.unit)).collect();
    line("varied", if varied.is_empty() { "nothing".into() } else { varied.join(", ") });
    let observed: Vec<String> = columns(&study.mechanism, &study.observe.channels)
        .iter()
        .map(|c| format!("{} ({})", c.name, c.unit))
        .collect();
    if !observed.is_empty() {
        line("observed", observed.join(", "));
    }
    let warnings = plausible::doubts_with(&study, Vec::new())?;
    for warning in &warnings {
        line("warning", warning.clone());
    }
    line(
        "cost",
        "a search for the equilibrium and an eigenvalue problem for each instance; no steps".to_string(),
    );
    Ok(Checked { study, lines, warnings, memory: None, tables: None, seconds: None })
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
        "left out is what is zero in every instance, {channels} of {} numbers of the state: with it, {operations} operations",
        all.state.len()
    )
}
