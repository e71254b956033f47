//! `polhode check`: tells what a study would do and cost.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::{Changes, Failure, default_folder, failed_run, left_out, plain, print, read, wrong};
use polhode::backend::choose::{outlook, too_long};
use polhode::backend::program::Program;
use polhode::base::{bytes, grouped, quantity, significant};
use polhode::describe::Study;
use polhode::ensemble::sampling::varied_step;
use polhode::ensemble::{Quantities, Sampler};
use polhode::model::{BodyParameter, Model, NoMechanism};
use polhode::observe::channels::{Observer, columns};
use polhode::output::modal_text;
use polhode::study;
use polhode::study::choose_method::chosen;
use polhode::study::cost;
use polhode::study::final_channels;
use polhode::study::plan::plan;
use polhode::study::plausible;
use polhode::study::room::{program_bytes, table_bytes, too_little};
use polhode::study::stable_step;
use polhode::treatments::EPS_ACCURACY;

/// Read a study, print what it would do and cost, and run nothing.
#[derive(Debug, clap::Args)]
pub struct CheckArguments {
    /// Study file (TOML).
    study: PathBuf,
    /// Print all constants of flexible bodies, and the shapes at their named points.
    #[arg(long)]
    constants: bool,
    /// Output folder that the run would have, whose disk is looked at for room [default: that of run].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show the program of a step too: its state, its operations, and what is left out of it.
    #[arg(long, short)]
    verbose: bool,
    #[command(flatten)]
    changes: Changes,
}

pub(super) fn run(arguments: CheckArguments) -> Result<ExitCode, Failure> {
    let CheckArguments { study: path, constants, out, verbose, changes } = arguments;
    let begun = Instant::now();
    let study = read(&path, &changes)?;
    // A step that is chosen is measured, whatever small vibrations say.
    let chooses_step = study.method.open.is_some_and(|open| open.step);
    let chosen = chosen(&study, &AtomicBool::new(false)).map_err(failed_run)?;
    let study = chosen.study;
    let reading = begun.elapsed();
    let plan = plan(&study).map_err(|error| wrong(Model::explain(&study.mechanism, error)))?;
    study::check(&study, &plan).map_err(wrong)?;
    let sampler = Sampler::new(&study).map_err(wrong)?;
    if !study.kind.card().steps {
        return print(&of_steady_states(&study, &plan.model, &sampler)?);
    }
    let followed = study::followed(&study, &plan);
    let program = (!plan.method.is_adaptive()).then(|| Program::new(&followed, study.run.precision));
    let operations = program.as_ref().map_or(0, |program| program.operations(&program.step).total());
    let schedule = &plan.schedule;
    let size = study.ensemble.size;
    let snapshots = schedule.snapshots().len();
    let observed = Observer::new(&plan, &study.observe.channels).width();
    let finals = Observer::new(&plan, &final_channels(&study, &plan)).width();
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<14}{value}");
    };
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
    for varied in stable_step::varied(&study, nominal.as_ref()).map_err(wrong)? {
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
    for (name, value) in study::outlook(&study).map_err(wrong)? {
        // Lines without a name tell the operations of each layer.
        if verbose || !name.is_empty() {
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
    if verbose {
        let moments = [0, 1, 2].map(|k| plain(moments[k])).join(" ");
        line("inertia", format!("principal moments {moments} kg m² (nominal, of the first body)"));
    }
    for body in &study.mechanism.bodies {
        if let Some(flexible) = &body.flexible {
            let told = modal_text::summary(&body.name, flexible);
            let told = told
                .into_iter()
                .chain(constants.then(|| modal_text::constants(flexible)).into_iter().flatten());
            for (k, told) in told.enumerate() {
                line(if k == 0 { "flexible" } else { "" }, told);
            }
        }
    }
    // The lines on stiffness tell of other steps that are too long.
    let of_steps = stable_step::too_long_for_modes(&study).into_iter().chain(stable_step::unexcited(&study));
    for warning in plausible::doubts_with(&study, of_steps.collect()).map_err(wrong)? {
        line("warning", warning);
    }
    match &program {
        None if verbose => {
            line("state", format!("{} numbers an instance", plan.moving.len()));
            line("operations", "adaptive: as many as the tolerances want".to_string());
        }
        None => {}
        Some(program) => {
            if verbose {
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
            if let Some(too_long) = too_long(program) {
                line("kernel", format!("{too_long}: a GPU interprets the program instead, if asked"));
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
    let kept = study::kept_bytes(&study, &plan) as f64;
    let seen = study.observe.keep.min(size) as f64 * snapshots as f64;
    let trajectories = seen * observed as f64 * 8.0;
    let besides = program_bytes(&study, &plan);
    line(
        "memory",
        format!(
            "about {}: {} of the program and its pictures, {} of chunks under way, {} instances each at most, {} of {}, {} of kept trajectories",
            bytes(besides + under_way + kept + trajectories),
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
    if let Some(warning) = too_little(tables, &out.unwrap_or_else(|| default_folder(&path, None))) {
        line("warning", warning);
    }
    let work = (size * maps) as f64 * schedule.steps as f64;
    match &program {
        None => line("cost", format!("{work:.2e} instance-steps, each of as many internal ones as it needs")),
        Some(_) => {
            let operations = match verbose {
                true => format!(", {:.2e} operations", work * operations as f64),
                false => String::new(),
            };
            line("cost", format!("{work:.2e} instance-steps{operations}"));
        }
    }
    match measured {
        None => {
            if let Some(program) = &program {
                line(
                    "backend",
                    outlook(&followed, &study.run, &study::workload(&study, None, false), program),
                );
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
            line("backend", cost.backend);
            line("time", time);
        }
    }
    print(&text)
}

/// Describes a study that advances nothing, as one of equilibria.
fn of_steady_states(study: &Study, model: &Model, sampler: &Sampler) -> Result<String, Failure> {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<14}{value}");
    };
    line("study", study.title.clone());
    line("mechanism", study.mechanism.name.clone());
    line("asked", study.kind.summary().unwrap_or_default());
    if !study.mechanism.joints.is_empty() {
        line("joints", joints(study, model)?);
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
    for warning in plausible::doubts_with(study, Vec::new()).map_err(wrong)? {
        line("warning", warning);
    }
    line(
        "cost",
        "a search for the equilibrium and an eigenvalue problem for each instance; no steps".to_string(),
    );
    Ok(text)
}

/// Describes the joints at the start: their rows, and how assembly has moved the bodies.
fn joints(study: &Study, model: &Model) -> Result<String, Failure> {
    let explained = |error| wrong(Model::explain(&study.mechanism, error));
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
