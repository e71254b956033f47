//! Reads a study file into a `Study`: the mechanism first, because the ensemble varies it by name,
//! then everything that counts steps, instances and channels, each checked against the others.

use std::collections::BTreeSet;
use std::path::Path;

use super::declared::named;
use super::document::{Document, MECHANISM, Node, Table};
use super::error::Problems;
use super::input::Longest;
use super::keys::{
    DEFAULT_METHOD, DEFAULT_OF_SOLVERS, DEFAULT_TREATMENT, ENSEMBLE, MAX_SIZE, MAX_STEPS, NO_BOUND, OBSERVE,
    PROJECT_OF_SOLVERS, STUDY, UNTIL, VERDICT, mechanism_section, method_names, method_section,
    open_method_section, treatment_names, treatment_section,
};
use super::read_correlated::read_correlated;
use super::read_kind::{QuestionContext, read_kind};
use super::read_mechanism::{mechanism, read_mechanism_with};
use super::read_outcome::{check_times, ends, outcomes, table_of_bounds};
use super::read_sensitivity::{begun, sensitivity_size};
use super::read_vary::{VariableQuantities, give, read_vary};
use super::settings::KeySetting;
use polhode_description::base::units::{Dimension, parse_quantity};
use polhode_description::base::{Card, Key, Kind, Options, Setting, Takes, rounded, significant};
use polhode_description::describe::bounds::{open, unexplained};
use polhode_description::describe::kind::{Ends, InstanceRows, KindCard, StudyKind};
use polhode_description::describe::mechanism::Mechanism;
use polhode_description::describe::sensitivity::Sensitivity;
use polhode_description::describe::stability_map::default_bounds;
use polhode_description::describe::study::{
    BackendChoice, Constraints, Design, Distribution, Ensemble, InstanceTable, Observe, Open, OutputSettings,
    Quantity, RequestedAccuracy, Run, StoppingRule, Study, TimeIntegration, Unexplained, Vary, VerdictBounds,
    uncountable,
};
use polhode_description::describe::{Channel, ObservedChannel, Owner, SteadyMotion};
use polhode_description::treatments::{self, EPS, EPS_ACCURACY};
use polhode_dynamics::methods::adaptive::Unsuited;
use polhode_dynamics::methods::{self, Adaptive, cards, chooses_steps, iterates, own_steps};
use polhode_engine::observe::channels;

named! {
    Design { Random = "random", Sobol = "sobol", LatinHypercube = "latin_hypercube" }
}

/// The duration may differ from a whole number of steps by this much, in steps.
const STEP_FIT: f64 = 1e-6;
/// Snapshots of a run that does not say how many.
const SNAPSHOTS: f64 = 200.0;
/// Most steps between two snapshots that are needed for the duration to be a whole number of them.
const MOST_PARTS: u64 = 1000;
/// Trajectories kept by a run that does not say how many.
const KEEP: u64 = 16;

/// Reads and checks a study file, with its mechanism and its tables of samples.
///
/// # Errors
/// All faults found, in the order of the file, those of a mechanism file last.
pub fn read_study(path: &Path) -> Result<Study, Problems> {
    read_study_with(path, &[])
}

/// As [`read_study`], with these values in place of the file's. Those of a mechanism in a file of
/// its own are of that file.
///
/// # Errors
/// All faults found; those of such a value name it in place of a file.
pub fn read_study_with(path: &Path, settings: &[KeySetting]) -> Result<Study, Problems> {
    let document = Document::open(path)?.with_settings(settings.to_vec());
    let stem = document.stem();
    document.read(&STUDY, |table| study(table, &stem))
}

/// Reads a study and its mechanism from texts, as [`read_study`] does from files. `name` stands for
/// the file in messages.
///
/// # Errors
/// All faults found.
pub fn read_study_text(name: &str, study: &str, mechanism: &str) -> Result<Study, Problems> {
    let table = |text: &str| text.parse::<toml::Table>().ok();
    let whole = table(study).zip(table(mechanism)).map(|(mut study, mechanism)| {
        study.insert("mechanism".to_string(), toml::Value::Table(mechanism));
        study.to_string()
    });
    // A text that is no TOML is refused with its place.
    let document = Document::of_text(name, whole.unwrap_or_else(|| study.to_string()));
    document.read(&STUDY, |table| self::study(table, name))
}

/// Reads the study in the folder of a run, which may have been brought from elsewhere: its tables
/// of samples are not looked for, and left empty.
///
/// # Errors
/// As [`read_study`].
pub fn read_finished_study(path: &Path) -> Result<Study, Problems> {
    let document = Document::open_up_to(path, Longest::RESOLVED)?.without_samples();
    let stem = document.stem();
    document.read(&STUDY, |table| study(table, &stem))
}

pub(super) fn study(table: &Table<'_>, stem: &str) -> Option<Study> {
    let title = table.get("title").map_or(Some(stem.to_string()), |node| node.text().map(str::to_string));
    let mut mechanism = table.get(MECHANISM).and_then(|node| named_or_inline(&node, stem));
    let named = table.get("study").and_then(|node| KindCard::named(node.peek("kind")?));
    // It may be one that has a size of its own, or no method.
    let is_unknown = named.is_none() && table.get("study").is_some_and(|node| node.has_key("kind"));
    let steady = named.filter(|card| !card.steps);
    if let Some(card) = steady {
        refuse_stepping(table, card);
    }
    let has_outcomes = match (table.get("outcome"), &mut mechanism) {
        // A fault is reported, and so nothing is made of the file.
        (Some(node), Some(mechanism)) => outcomes(&node, mechanism).is_some(),
        _ => true,
    };
    let (mut method, constraints) = match is_unknown && !table.has("method") {
        true => (None, None),
        false => method_and_constraints(table, named, mechanism.as_ref()),
    };
    if let (Some(mechanism), Some(method), Some(constraints)) = (&mechanism, &method, &constraints) {
        // A fault is reported, and so nothing is made of the file.
        check_support(table, mechanism, method, constraints);
    }
    let sensitivity = begun(table);
    let ensemble = table.get("ensemble").and_then(|node| {
        let source = mechanism.as_ref().map(|mechanism| {
            // Nothing is drawn where the method is wrong: it has no step.
            let step = method.as_ref().map_or(f64::NAN, |method| method.step);
            let constraints = constraints.as_ref().unwrap_or(Constraints::standard());
            VariableQuantities { mechanism, step, constraints, rows: MAX_SIZE as usize }
        });
        let of_kind = if is_unknown { Some(None) } else { sensitivity };
        ensemble(table, &node.table(&ENSEMBLE)?, of_kind, source)
    });
    if let (Some(ensemble), Some(open)) = (&ensemble, method.as_mut().and_then(|method| method.open.as_mut()))
    {
        // Numbers of a treatment are drawn for that treatment.
        open.treatment &=
            !ensemble.vary.iter().any(|vary| matches!(vary.target.quantity, Quantity::Setting(_)));
    }
    let kind = table.get("study").and_then(|node| {
        let context = QuestionContext {
            sensitivity,
            mechanism: mechanism.as_ref(),
            method: method.as_ref(),
            constraints: constraints.as_ref(),
            ensemble: ensemble.as_ref(),
        };
        read_kind(&node, &context)
    });
    if let (Some(kind), Some(mechanism), Some(ensemble)) = (&kind, &mechanism, &ensemble) {
        check_varied_step(table, kind, mechanism, ensemble);
        check_varied_rule(table, constraints.as_ref().unwrap_or(Constraints::standard()), ensemble);
    }
    if let Some(method) = &mut method {
        complete_method(table, kind.as_ref(), mechanism.as_ref(), method);
    }
    let observe = table.get("observe").and_then(|node| {
        let mechanism = mechanism.as_ref().filter(|_| has_outcomes);
        observed(&node, steady, mechanism, method.as_ref())
    });
    let verdict = table.get("verdict").and_then(|node| {
        let given = bounds_and_ends(&node, method.as_ref(), mechanism.as_mut())?;
        given.completed(kind.as_ref()?, mechanism.as_ref()?, constraints.as_ref()?, &ensemble.as_ref()?.vary)
    });
    let accuracy = table.read("accuracy");
    let output: Option<OutputSettings> = table.read("output");
    let run: Option<Run> = table.read("run");
    if let Some(open) = method.as_mut().and_then(|method| method.open.as_mut()) {
        open.precision = !names_precision(table);
    }
    if let Some(kind) = &kind {
        check_kind(table, kind, ensemble.as_ref(), output.as_ref());
    }
    if let Some(run) = &run {
        check_run(table, steady, run, mechanism.as_ref(), method.as_ref());
    }
    if let (Some(method), Some(run)) = (&method, &run)
        && chooses_steps(method.name, &method.options)
    {
        check_adaptive(table, kind.as_ref(), method, run);
    }
    if let (Some(method), Some(mechanism)) = (&method, &mechanism)
        && has_own_steps(method)
    {
        check_impacts(table, constraints.as_ref(), mechanism);
    }
    let ensemble = ensemble?;
    let mut mechanism = mechanism?;
    mechanism.notes.0.extend(table.document().take_notes());
    // Whatever is drawn of a start is given.
    ensemble.vary.iter().for_each(|varied| give(&mut mechanism, &varied.target));
    Some(Study {
        title: title?,
        kind: kind?,
        mechanism,
        method: method?,
        constraints: constraints?,
        ensemble,
        observe: observe?,
        verdict: verdict?,
        accuracy: accuracy?,
        output: output?,
        run: run?,
    })
}

/// The method, or what is open of it, and how it holds joints.
fn method_and_constraints(
    table: &Table<'_>,
    kind: Option<&KindCard>,
    mechanism: Option<&Mechanism>,
) -> (Option<TimeIntegration>, Option<Constraints>) {
    if kind.is_some_and(|card| !card.steps) {
        let exact = Constraints { treatment: treatments::EXACT.name, ..Constraints::default() };
        return (Some(no_method()), Some(exact));
    }
    let own_methods = kind.and_then(|card| card.own_methods.then_some(card.name));
    let mut method = match table.get("method") {
        Some(node) => method(&node, own_methods),
        None => {
            table.report_missing("method");
            None
        }
    };
    let mut constraints =
        table.get("constraints").and_then(|node| constraints(&node, method.as_ref(), mechanism));
    if let Some(open) = method.as_mut().and_then(|method| method.open.as_mut()) {
        let given = |key: &dyn Fn(&str) -> bool| {
            let node = table.get("constraints");
            node.is_some_and(|node| node.map().into_iter().flatten().any(|(name, _)| key(name)))
        };
        open.treatment = !given(&|key| key != "project");
        open.project = !given(&|key| key == "project");
    }
    if let (Some(method), Some(constraints)) = (&method, &mut constraints)
        && method.open.is_some_and(|open| open.treatment)
        && !cards().iter().any(|card| card.name == method.name && card.takes.carries())
    {
        // It stands in for what is chosen, and must be one that the method can use.
        *constraints =
            Constraints { treatment: treatments::EXACT.name, options: Options::default(), ..*constraints };
    }
    (method, constraints)
}

/// Gives the method the step that follows from all times, and checks these.
fn complete_method(
    table: &Table<'_>,
    kind: Option<&StudyKind>,
    mechanism: Option<&Mechanism>,
    method: &mut TimeIntegration,
) {
    if let Some(at) = kind.and_then(StudyKind::steady).and_then(|about| about.at.filter(|at| *at > 0.0)) {
        method.step = at / SteadyMotion::STEPS;
    }
    // Snapshots, and the duration, are whole numbers of the steps that can be chosen.
    let sampled = mechanism.into_iter().flat_map(Mechanism::sampled_signals).map(|(_, every)| every);
    take_longest_step(table, method, &sampled.collect::<Vec<f64>>());
    let Some(mechanism) = mechanism else { return };
    if kind.is_none_or(|kind| kind.card().steps) {
        check_samples(table, method, mechanism);
    }
    if let Some(node) = table.get("outcome") {
        check_times(&node, mechanism, method.step * method.steps as f64);
    }
}

/// Channels, by default those of a body at rest where the study is of `steady` states.
fn observed(
    node: &Node<'_>,
    steady: Option<&KindCard>,
    mechanism: Option<&Mechanism>,
    method: Option<&TimeIntegration>,
) -> Option<Observe> {
    let own = steady.is_some() && !node.has_key("channels");
    // Without time there is no step that `every` could count.
    let method = method.filter(|_| steady.is_none() || !node.has_key("every"));
    let mut observe = observe(&node.table(&OBSERVE)?, mechanism.filter(|_| !own), method)?;
    match mechanism {
        _ if own => observe.channels = at_rest(mechanism?, steady),
        Some(mechanism) if !node.has_key("channels") => observe.channels.extend(of_sliding(mechanism)),
        _ => {}
    }
    Some(observe)
}

/// The bounds of verdicts; the mechanism gets the ends that are named.
fn bounds_and_ends(
    node: &Node<'_>,
    method: Option<&TimeIntegration>,
    mechanism: Option<&mut Mechanism>,
) -> Option<GivenBounds> {
    let entries = if node.is_list() { node.list()? } else { Vec::new() };
    let of_list = || entries.iter().map(|node| node.table(&VERDICT)).collect::<Option<Vec<_>>>();
    let tables = if node.is_list() { of_list()? } else { vec![node.table(&VERDICT)?] };
    let mechanism = mechanism.map(|mechanism| {
        // A fault is reported, and so nothing is made of the file.
        ends(&tables, mechanism);
        &*mechanism
    });
    let Some(bounds) = table_of_bounds(&tables) else {
        if tables.is_empty() {
            node.report("there is no entry".to_string(), |problem| problem.advise("leave `verdict` out"));
        }
        return None;
    };
    verdict(bounds, method, mechanism)
}

/// Refuses what studies of this kind have no use for.
fn check_kind(
    table: &Table<'_>,
    kind: &StudyKind,
    ensemble: Option<&Ensemble>,
    output: Option<&OutputSettings>,
) {
    if ensemble.is_some_and(|ensemble| ensemble.until.is_some())
        && !kind.card().plain
        && let Some(node) = table.get("ensemble")
    {
        node.report(format!("`until` is not for studies of kind {}", kind.name()), |problem| {
            problem.advise("leave it out, and give `size`")
        });
    }
    let found = match kind.card() {
        card if !card.steps => "a study of this kind writes all columns of its table of instances, or none",
        card if card.rows == InstanceRows::None => "a study of this kind has no table of instances",
        _ => return,
    };
    if output.is_some_and(|output| matches!(output.instances, InstanceTable::Columns(_)))
        && let Some(node) = table.get("output")
    {
        node.report(found.to_string(), |problem| problem.advise("leave `instances` out"));
    }
}

/// Refuses a backend or a precision that the study cannot have.
fn check_run(
    table: &Table<'_>,
    steady: Option<&KindCard>,
    run: &Run,
    mechanism: Option<&Mechanism>,
    method: Option<&TimeIntegration>,
) {
    let Some(node) = table.get("run") else { return };
    if let Some(card) = steady
        && (run.precision.is_single() || matches!(run.backend, BackendChoice::Gpu { .. }))
    {
        node.report(format!("a study of kind {} is computed in f64 on the CPU", card.name), |problem| {
            problem.advise("leave `backend` and `precision` out")
        });
    }
    if let (Some(mechanism), Some(method)) = (mechanism, method)
        && let Some(found) = uncountable(mechanism, method.steps, run.precision)
    {
        node.report(found, |problem| problem.advise("use precision = \"f64\", or fewer steps"));
    }
}

/// Refuses what says how instances are advanced, in a study that advances none.
fn refuse_stepping(table: &Table<'_>, card: &KindCard) {
    let observes = card.at_rest;
    let tables = ["method", "constraints", "outcome", "verdict", "accuracy", "observe"];
    for name in tables.into_iter().filter(|name| table.has(name) && !(observes && *name == "observe")) {
        if let Some(node) = table.get(name) {
            let advice = table.unset([name].into_iter()).unwrap_or_else(|| "leave it out".to_string());
            node.report(format!("a study of kind {} advances nothing in time", card.name), |problem| {
                problem.advise(advice)
            });
        }
    }
    let Some(node) = table.get("observe").filter(|_| observes) else { return };
    for key in ["every", "keep"].into_iter().filter(|key| node.has_key(key)) {
        node.report(
            format!("a study of kind {} has no times: `{key}` means nothing", card.name),
            |problem| problem.advise("leave it out"),
        );
    }
}

/// Returns the stand-in for the method where nothing is advanced. The instant that the study is
/// about takes a whole number of its steps; it is 1 s until [that instant](SteadyMotion::at) is
/// read.
fn no_method() -> TimeIntegration {
    TimeIntegration {
        name: methods::PLAIN.name,
        options: Options::defaults(methods::PLAIN.keys),
        step: 1.0 / SteadyMotion::STEPS,
        steps: 1,
        resynchronise: 0,
        accuracy: None,
        open: None,
        chosen: false,
    }
}

/// The channels that are observed by default besides those of turning: positions of point masses
/// and displacements in joints.
fn of_sliding(mechanism: &Mechanism) -> impl Iterator<Item = ObservedChannel> + '_ {
    let points = (0..mechanism.bodies.len()).filter(|b| mechanism.bodies[*b].is_point);
    let points = points.map(|b| ObservedChannel { channel: channels::POSITION, of: Some(b) });
    let displacement = Channel::of(Owner::Joint, "displacement");
    let slides = !channels::owners(mechanism, displacement).is_empty();
    points.chain(slides.then_some(ObservedChannel { channel: displacement, of: None }))
}

/// The channels observed of an equilibrium by default: angles, displacements and loads of joints,
/// lengths and forces of springs, positions.
fn at_rest(mechanism: &Mechanism, kind: Option<&KindCard>) -> Vec<ObservedChannel> {
    if !kind.is_some_and(|card| card.at_rest) {
        return Vec::new();
    }
    let channels = [
        channels::ANGLE,
        Channel::of(Owner::Joint, "displacement"),
        Channel::of(Owner::Joint, "force"),
        Channel::of(Owner::Joint, "torque"),
        Channel::of(Owner::Spring, "length"),
        Channel::of(Owner::Spring, "force"),
        channels::POSITION,
    ];
    let there = channels.into_iter().filter(|channel| !channels::owners(mechanism, *channel).is_empty());
    there.map(|channel| ObservedChannel { channel, of: None }).collect()
}

/// A mechanism file beside the study, or the mechanism itself.
fn named_or_inline(node: &Node<'_>, stem: &str) -> Option<Mechanism> {
    if node.is_table() {
        return mechanism(&node.table(mechanism_section())?, stem);
    }
    let path = node.document().beside(node.text()?);
    match path.try_exists() {
        Ok(true) => match read_mechanism_with(&path, node.document().settings_below(MECHANISM)) {
            Ok(mechanism) => Some(mechanism),
            Err(problems) => {
                node.document().adopt(problems);
                None
            }
        },
        Ok(false) | Err(_) => {
            node.report_missing_file(&path);
            None
        }
    }
}

/// `own`: the kind of the study, where it leaves no method to be chosen.
fn method(node: &Node<'_>, own: Option<&'static str>) -> Option<TimeIntegration> {
    let named = node.has_key("name") || own.is_some();
    let table = match named {
        true => node.table_by(("name", DEFAULT_METHOD), method_names(), method_section),
        false => node.table(open_method_section()),
    };
    let table = &table?;
    let given = table.get("accuracy");
    let accuracy = match &given {
        Some(node) => wanted_accuracy(node, own).map(Some),
        None => Some(None),
    };
    let open_step = own.is_none() && !table.has("step") && (!named || given.is_some());
    if open_step || !named {
        return open_method(table, named, accuracy?);
    }
    let step = match table.has("step") {
        true => table.read("step"),
        false => {
            let advice = match own {
                None => "give e.g. \"1 ms\", or the accuracy that it is to be chosen for: accuracy = 1e-4",
                Some(_) => "give e.g. \"1 ms\"",
            };
            table.report("`step` is missing", |problem| problem.advise(advice));
            None
        }
    };
    let steps = steps(table, step);
    let method = method_settings(table, step, steps)?;
    Some(TimeIntegration { accuracy: accuracy?, ..method })
}

fn wanted_accuracy(node: &Node<'_>, own: Option<&'static str>) -> Option<RequestedAccuracy> {
    if let Some(kind) = own {
        node.report(
            format!("a study of kind {kind} compares methods and steps, and chooses none"),
            |problem| problem.advise("leave it out"),
        );
        return None;
    }
    if node.is_text() && node.text() == Some("statistical") {
        return Some(RequestedAccuracy::Statistical);
    }
    let error = if node.is_text() { f64::NAN } else { node.number()? };
    if !(error > 0.0 && error < 1.0) {
        node.refuse(
            "a share between 0 and 1, or \"statistical\"",
            "give e.g. 1e-6, the largest error of what is observed over its scale",
        );
        return None;
    }
    Some(RequestedAccuracy::Error(error))
}

/// Whether a study says in which precision it is computed.
fn names_precision(study: &Table<'_>) -> bool {
    let run = study.get("run");
    run.is_some_and(|run| run.map().into_iter().flatten().any(|(name, _)| name == "precision"))
}

/// A method of which name, step or both are to be chosen.
fn open_method(
    table: &Table<'_>,
    named: bool,
    accuracy: Option<RequestedAccuracy>,
) -> Option<TimeIntegration> {
    let step: Option<Option<f64>> = table.get("step").map(|_| table.read("step"));
    let stepping = match step {
        Some(step) => steps(table, step).zip(step),
        None => match table.exactly_one(&["duration", "steps"]) {
            // One step stands in for all, until the times of snapshots are known.
            Some("duration") => table.read("duration").map(|duration| (1, duration)),
            Some(_) => {
                table
                    .get("steps")?
                    .report("polhode chooses the step here, and its length is open", |problem| {
                        problem.advise("give `duration` in place of `steps`, or `step` too")
                    });
                None
            }
            None => None,
        },
    };
    let open = Open {
        name: !named,
        step: step.is_none(),
        treatment: true,
        project: true,
        resynchronise: !table.has("resynchronise"),
        precision: false,
        checks: None,
    };
    let (steps, step) = stepping.unzip();
    let accuracy = accuracy.or((open.step).then_some(RequestedAccuracy::STANDARD));
    let method = match named {
        true => method_settings(table, step, steps)?,
        false => TimeIntegration {
            name: DEFAULT_METHOD,
            options: Options::default(),
            step: step?,
            steps: steps?,
            resynchronise: 0,
            accuracy: None,
            open: None,
            chosen: false,
        },
    };
    Some(TimeIntegration { accuracy, open: Some(open), ..method })
}

/// The number of steps, as it is given or as many as the duration has.
fn steps(table: &Table<'_>, step: Option<f64>) -> Option<u64> {
    match table.exactly_one(&["duration", "steps"]) {
        Some("steps") => table.read("steps"),
        Some(_) => {
            let (node, duration) = (table.get("duration")?, table.read("duration")?);
            whole_steps(&node, &node.source(), duration, step?)
        }
        None => None,
    }
}

/// Gives a method whose step is to be chosen the longest that there can be: the longest of which
/// the duration, the time between snapshots and the times after which signals are `sampled` are
/// whole numbers.
fn take_longest_step(study: &Table<'_>, method: &mut TimeIntegration, sampled: &[f64]) {
    if !chooses_step(method) {
        return;
    }
    let duration = method.step * method.steps as f64;
    let time = |table: &str| {
        let node = study.get(table)?;
        let entries = if node.is_list() { node.list()? } else { vec![node] };
        entries.iter().find_map(|node| parse_quantity(node.peek("every")?, Dimension::Time).ok())
    };
    let every = time("observe").filter(|every| *every > 0.0).unwrap_or(duration / SNAPSHOTS);
    if let Some(open) = &mut method.open {
        open.checks = time("verdict").filter(|every| *every > 0.0);
    }
    let divides = |parts: u64| {
        let step = every / parts as f64;
        let is_whole = |time: &f64| {
            let steps = time / step;
            (steps - steps.round()).abs() <= STEP_FIT && steps.round() >= 1.0
        };
        [duration].iter().chain(sampled).all(is_whole)
    };
    // Where there is none, whoever reads the time between snapshots reports it.
    if let Some(parts) = (1..=MOST_PARTS).find(|parts| divides(*parts)) {
        let steps = (duration / every * parts as f64).round();
        if steps <= MAX_STEPS as f64 {
            method.steps = steps as u64;
            method.step = duration / steps;
        }
    }
}

/// Name and settings of a method, besides its steps.
pub(super) fn method_settings(
    table: &Table<'_>,
    step: Option<f64>,
    steps: Option<u64>,
) -> Option<TimeIntegration> {
    let name: Option<&str> = table.read("name");
    let card = cards().iter().find(|card| Some(card.name) == name)?;
    let resynchronise = if card.resynchronises { table.read("resynchronise") } else { Some(0) };
    let options = settings(table, card.keys);
    Some(TimeIntegration {
        name: card.name,
        options: options?,
        step: step?,
        steps: steps?,
        resynchronise: resynchronise?,
        accuracy: None,
        open: None,
        chosen: false,
    })
}

/// The treatment of joints; by default as goes with the method: one that carries no multipliers
/// solves for them, and projects, unless it does so by itself.
pub(super) fn constraints(
    node: &Node<'_>,
    method: Option<&TimeIntegration>,
    mechanism: Option<&Mechanism>,
) -> Option<Constraints> {
    let of_method = |method: &TimeIntegration| cards().iter().find(|card| card.name == method.name);
    let is_constrained = mechanism.is_some_and(Mechanism::is_held);
    let takes = method.and_then(of_method).map(|card| card.takes);
    let solves = takes.filter(|takes| is_constrained && !takes.any_treatment());
    let default = if solves.is_some() { DEFAULT_OF_SOLVERS } else { DEFAULT_TREATMENT };
    let given = node.has_key("treatment");
    let table = &node.table_by(("treatment", default), treatment_names(), treatment_section)?;
    let name: &str = if given { table.read("treatment")? } else { default };
    let card = treatments::CARDS.iter().find(|card| card.name == name)?;
    let options = settings(table, card.keys);
    let by_rule = options.as_ref().is_some_and(|options| options.number(EPS_ACCURACY, 0.0) > 0.0);
    if by_rule && table.has(EPS) {
        table.get(EPS)?.report("eps is given, and follows from `eps_accuracy`", |problem| {
            problem.advise("leave one of the two out")
        });
        return None;
    }
    let project = if !given && solves == Some(Takes::AnyMechanism) && !table.has("project") {
        // An own step has no length that is known: after every step of the study joints are closed.
        Some(if method.is_some_and(has_own_steps) { 1 } else { PROJECT_OF_SOLVERS })
    } else {
        table.read("project")
    };
    Some(Constraints { treatment: card.name, options: options?, project: project? })
}

/// Whether eps follows from an accuracy that is varied, and is given too.
fn check_varied_rule(table: &Table<'_>, constraints: &Constraints, ensemble: &Ensemble) {
    let position = |name| constraints.card().numbers().position(|number| number.name == name);
    let varies = |name| {
        let quantity = position(name).map(Quantity::Setting);
        ensemble.vary.iter().any(|varied| Some(varied.target.quantity) == quantity)
    };
    if !varies(EPS_ACCURACY) || !(varies(EPS) || constraints.options.get(EPS).is_some()) {
        return;
    }
    let Some(node) = table.get("ensemble") else { return };
    node.report(
        format!("constraints.{EPS} is given, and follows from constraints.{EPS_ACCURACY}"),
        |problem| problem.advise("leave one of the two out"),
    );
}

/// Whether the step can differ between instances, if it does.
fn check_varied_step(table: &Table<'_>, kind: &StudyKind, mechanism: &Mechanism, ensemble: &Ensemble) {
    let varies = ensemble.vary.iter().any(|varied| varied.target.quantity == Quantity::Step);
    let Some(node) = table.get("ensemble").filter(|_| varies) else { return };
    if !kind.card().takes_varied_step {
        let advice = "give [study] a kind that compares instances step by step, or vary something else";
        node.report(
            format!(
                "method.step cannot vary in a study of kind {}, which compares instances at equal times",
                kind.name()
            ),
            |problem| problem.advise(advice),
        );
    } else if let Some(load) = mechanism.loads.iter().find(|load| load.is_timed()) {
        node.report(
            format!("method.step cannot vary: the load `{}` begins or ends at a time", load.name),
            |problem| problem.advise("give it as a function of time"),
        );
    } else if let Some((signal, _)) = mechanism.sampled_signals().next() {
        let name = &mechanism.signals[signal].name;
        node.report(format!("method.step cannot vary: the signal `{name}` is sampled at times"), |problem| {
            problem.advise("leave `every` of the signal out, or vary something else")
        });
    }
}

/// Whether the method takes the mechanism, and the treatment of its joints. Faults are of the keys
/// `method` and `constraints` of this table, or of the table where it has none.
pub(super) fn check_support(
    table: &Table<'_>,
    mechanism: &Mechanism,
    method: &TimeIntegration,
    constraints: &Constraints,
) -> bool {
    let takes = |wanted: &dyn Fn(Takes) -> bool| {
        let names = cards().iter().filter(|card| wanted(card.takes)).map(|card| card.name);
        names.collect::<Vec<_>>().join(", ")
    };
    let Some(card) = cards().iter().find(|card| card.name == method.name) else { return false };
    let treatment = constraints.card();
    let mut sound = true;
    let mut fault = |key: &str, found: String, advice: String| {
        sound = false;
        match table.get(key) {
            Some(node) => node.report(found, |problem| problem.advise(advice)),
            None => table.report(&found, |problem| problem.advise(advice)),
        }
    };
    let single = mechanism.is_one_body();
    let is_held = mechanism.is_held();
    if treatment.name == treatments::ELASTIC.name
        && let Some(lock) = mechanism.locks.first()
    {
        let others = treatments::CARDS.iter().map(|card| card.name);
        let others: Vec<&str> = others.filter(|name| *name != treatment.name).collect();
        fault(
            "constraints",
            format!("the treatment {} cannot hold the lock `{}`", treatment.name, lock.name),
            format!("set treatment to {}", others.join(", ")),
        );
    }
    match card.takes {
        Takes::OneBody if !single => fault(
            "method",
            format!("the method {} takes one body, with nothing that holds or brakes it", card.name),
            format!("use {}", takes(&|t| t != Takes::OneBody)),
        ),
        Takes::RigidBodies if !mechanism.is_rigid() => fault(
            "method",
            match (mechanism.states.first(), mechanism.rotors().next()) {
                _ if mechanism.bodies.iter().any(|body| body.flexible.is_some()) => {
                    format!("the method {} takes rigid bodies only", card.name)
                }
                (Some(state), _) => {
                    format!("the method {} advances no states of laws, such as `{}`", card.name, state.name)
                }
                (None, rotor) => {
                    let name = rotor.map_or("", |rotor| &rotor.name);
                    format!("the method {} advances no momenta of wheels, such as `{name}`", card.name)
                }
            },
            format!("use {}", takes(&|t| t != Takes::OneBody && t != Takes::RigidBodies)),
        ),
        Takes::AnyMechanism | Takes::WithoutLocks if is_held && treatment.carries > 0 => {
            let instantaneous: Vec<&str> =
                treatments::CARDS.iter().filter(|card| card.carries == 0).map(|card| card.name).collect();
            fault(
                "method",
                format!(
                    "the method {} carries no multipliers, as the treatment {} wants",
                    card.name, treatment.name
                ),
                format!(
                    "use the method {}, or set [constraints] treatment to {}",
                    takes(&|t| t.carries()),
                    instantaneous.join(", ")
                ),
            );
        }
        Takes::WithoutLocks | Takes::PositionsOfJoints if !mechanism.locks.is_empty() => fault(
            "method",
            format!("the method {} cannot hold the lock `{}`", card.name, mechanism.locks[0].name),
            format!("use {}", takes(&|t| t == Takes::AnyMechanism || t.carries())),
        ),
        Takes::PositionsOfJoints if is_held && treatment.name != treatments::EXACT.name => fault(
            "constraints",
            format!(
                "the method {} solves for the positions of joints, which the treatment {} has no part in",
                card.name, treatment.name
            ),
            format!("set [constraints] treatment to {}", treatments::EXACT.name),
        ),
        Takes::WithoutLocks | Takes::RigidBodies | Takes::AnyMechanismAndTreatment
            if is_held && treatment.partitions =>
        {
            fault(
                "method",
                format!(
                    "the treatment {} wants a method of fixed steps that carries nothing from step to step, unlike {}",
                    treatment.name, card.name
                ),
                format!("use the method {}", takes(&|t| t == Takes::AnyMechanism)),
            )
        }
        Takes::OneBody
        | Takes::RigidBodies
        | Takes::AnyMechanism
        | Takes::AnyMechanismAndTreatment
        | Takes::WithoutLocks
        | Takes::PositionsOfJoints => {}
    }
    sound
}

/// A value for each of these keys.
pub(super) fn settings(table: &Table<'_>, keys: &'static [Key]) -> Option<Options> {
    let mut options = Some(Options::default());
    for key in keys {
        let Some(node) = table.get(key.name) else {
            // Numbers whose default follows from the step are found where the step is known.
            options = options.filter(|_| matches!(key.kind, Kind::Derived { .. } | Kind::Optional { .. }));
            continue;
        };
        let value = setting(&node, &key.kind);
        options = options.zip(value).map(|(options, value)| options.with(key.name, value));
    }
    options
}

/// Whether question and run are such that a method without a program can serve.
fn check_adaptive(table: &Table<'_>, kind: Option<&StudyKind>, method: &TimeIntegration, run: &Run) {
    if let Some(kind) = kind.filter(|kind| kind.card().wants_program)
        && let Some(node) = table.get("study")
    {
        let (kind, name, key) = (kind.name(), method.name, own_steps::KEY.name);
        let (found, advice) = match has_own_steps(method) {
            true => (
                format!(
                    "a study of kind {kind} needs equal steps in all instances, and with a `{key}` each chooses its own"
                ),
                format!("leave method.{key} out"),
            ),
            false => (
                format!("the method {name} cannot run a study of kind {kind}, which needs fixed steps"),
                "`polhode methods` lists the methods of fixed steps".to_string(),
            ),
        };
        node.report(found, |problem| problem.advise(advice));
    }
    let adaptive = Adaptive::new(method.name, &method.options);
    let unsuited = adaptive.and_then(|method| method.unsuited(run));
    let Some(Unsuited { found, advice }) = unsuited else { return };
    match table.get("run") {
        Some(node) => node.report(found, |problem| problem.advise(advice)),
        None => table.report(&found, |problem| problem.advise(advice)),
    }
}

/// Whether every instance takes steps of its own inside those of the study.
fn has_own_steps(method: &TimeIntegration) -> bool {
    own_steps::tolerance(&method.options).is_some()
}

/// Reports a signal that is sampled inside a step.
fn check_samples(table: &Table<'_>, method: &TimeIntegration, mechanism: &Mechanism) {
    let step = method.step;
    let inside = |(_, every): &(usize, f64)| {
        let steps = every / step;
        steps.round() < 1.0 || (steps - steps.round()).abs() > STEP_FIT
    };
    let Some((signal, every)) = mechanism.sampled_signals().find(inside) else { return };
    let Some(node) = table.get("method") else { return };
    let name = &mechanism.signals[signal].name;
    if chooses_step(method) {
        let found = format!(
            "no step divides the duration, the time between snapshots and the {every:?} s after which the signal `{name}` is sampled"
        );
        node.report(found, |problem| problem.advise("give the signal a time that divides the duration"));
        return;
    }
    let found = format!(
        "the signal `{name}` is sampled every {every:?} s, which is {} steps of {step:?} s, not a whole number of them",
        not_whole(every / step)
    );
    node.report(found, |problem| {
        // One of five whole numbers in a row has a short reciprocal: 4, 5, 8, 10 and their like.
        let least = (every / step).ceil() as u64;
        let written = |count: &u64| format!("{:?}", every / *count as f64);
        let shorter = (least..least + 5).map(|count| written(&count)).min_by_key(String::len);
        let shorter = shorter.unwrap_or_default();
        problem.advise(format!("give a step that divides {every:?} s, e.g. \"{shorter} s\""))
    });
}

/// Whether the motion is projected where a lock catches an own step: the impact is that projection.
fn check_impacts(table: &Table<'_>, constraints: Option<&Constraints>, mechanism: &Mechanism) {
    let none = constraints.is_some_and(|constraints| constraints.project == 0);
    let (true, Some(lock)) = (none, mechanism.locks.first()) else { return };
    let Some(node) = table.get("constraints") else { return };
    node.report(
        format!("own steps end where the lock `{}` catches, and the motion is projected there", lock.name),
        |problem| problem.advise("set constraints.project = 1"),
    );
}

fn setting(node: &Node<'_>, kind: &'static Kind) -> Option<Setting> {
    match kind {
        Kind::Choice(names) => node.one_of(names).map(Setting::Choice),
        Kind::Count(min, max, _) => node.count(*min, *max).map(Setting::Count),
        Kind::Number(min, max, _) | Kind::Derived { min, max, .. } | Kind::Optional { min, max, .. } => {
            node.bounded(*min, *max).map(Setting::Number)
        }
        Kind::Flag => node.flag().map(Setting::Flag),
    }
}

/// A number that is not whole, in the digits that show it: 285714.3 of 285714.2857.
fn not_whole(ratio: f64) -> String {
    let off = (ratio - ratio.round()).abs();
    let shows = |digits: &usize| (rounded(ratio, *digits) - ratio).abs() <= 0.1 * off;
    significant(ratio, (4..17).find(shows).unwrap_or(17))
}

/// The number of steps in a time, which must be a whole number of them. `named`: the time as the
/// user knows it.
pub(super) fn whole_steps(node: &Node<'_>, named: &str, time: f64, step: f64) -> Option<u64> {
    let ratio = time / step;
    let steps = ratio.round();
    // A ratio beyond f64's range is infinite and lands here too.
    if steps > MAX_STEPS as f64 {
        let found = format!("{named} is {ratio:.3e} steps of {step:?} s; the most is 2^32 - 1");
        node.report(found, |problem| problem.advise("take a longer step or a shorter time"));
        return None;
    }
    if steps < 1.0 || (ratio - steps).abs() > STEP_FIT {
        let below = (ratio.floor().max(1.0)) * step;
        let found =
            format!("{named} is {} steps of {step:?} s, not a whole number of them", not_whole(ratio));
        node.report(found, |problem| problem.advise(format!("give e.g. \"{below:?} s\"")));
        return None;
    }
    Some(steps as u64)
}

/// The number of steps in a time, which must be whole, where a step is the longest that can be
/// chosen.
fn whole_longest_steps(node: &Node<'_>, time: f64, method: &TimeIntegration) -> Option<u64> {
    let ratio = time / method.step;
    if (ratio - ratio.round()).abs() > STEP_FIT || ratio.round() < 1.0 {
        node.report(format!("no step divides both {} and the duration", node.source()), |problem| {
            problem.advise("give a time that divides the duration")
        });
        return None;
    }
    Some(ratio.round() as u64)
}

fn chooses_step(method: &TimeIntegration) -> bool {
    method.open.is_some_and(|open| open.step)
}

/// Notes an interval that is longer than the run.
fn note_beyond_the_end(node: &Node<'_>, every: Option<u64>, method: Option<&TimeIntegration>) {
    let longer = |(every, method): &(u64, &TimeIntegration)| *every > method.steps;
    if let Some((_, method)) = every.zip(method).filter(longer) {
        let end = significant(method.step * method.steps as f64, 4);
        node.note(format!("{} is beyond the end of the run, {end} s", node.source()));
    }
}

/// An integer number of steps, or a time as text.
fn every(node: &Node<'_>, method: Option<&TimeIntegration>) -> Option<u64> {
    if node.is_integer() {
        return node.count(1, MAX_STEPS);
    }
    if !node.is_text() {
        node.refuse("a number of steps or a time with its unit", "give e.g. 100 (steps) or \"0.1 s\"");
        return None;
    }
    let time = node.positive(Dimension::Time)?;
    whole_steps(node, &node.source(), time, method?.step)
}

fn ensemble(
    study: &Table<'_>,
    table: &Table<'_>,
    sensitivity: Option<Option<Sensitivity>>,
    source: Option<VariableQuantities<'_>>,
) -> Option<Ensemble> {
    let given: Option<Option<u64>> = table.get("size").map(|_| table.read("size"));
    let (seed, design) = (table.read("seed"), table.read::<Option<Design>>("design"));
    let by_default = if sensitivity.is_some() { Design::Sobol } else { Design::Random };
    let design = design.map(|design| design.unwrap_or(by_default));
    // An analysis of sensitivity has other instances than it has samples.
    let rows = given.flatten().filter(|_| sensitivity.is_none()).unwrap_or(MAX_SIZE) as usize;
    let vary = table.get("vary").and_then(|node| read_vary(&node, VariableQuantities { rows, ..source? }));
    // Without the varied quantities, nothing more can be said about the size.
    let vary = vary?;
    let size = match sensitivity {
        None => size(study, table, given, &vary)?,
        Some(sensitivity) => sensitivity_size(&sensitivity?, study, table, given, design?, &vary)?,
    };
    let correlated = table.get("correlated").and_then(|node| {
        let read = read_correlated(&node, &vary)?;
        if sensitivity.is_some() && !read.is_empty() {
            node.report(
                "the inputs of a sensitivity study are drawn independently of each other",
                |problem| {
                    problem
                        .advise("leave `correlated` out, or vary a constant that several numbers follow from")
                },
            );
            return None;
        }
        Some(read)
    });
    let until = match table.get("until") {
        Some(node) => Some(stopping_rule(&node.table(&UNTIL)?)?),
        None => None,
    };
    let ensemble = Ensemble { size, seed: seed?, design: design?, vary, correlated: correlated?, until };
    if let (Some(_), false, Some(node)) = (&ensemble.until, ensemble.grows(), table.get("until")) {
        node.report("instances of this ensemble are laid out for its whole size", |problem| {
            problem.advise(
                "leave `until` out, or draw all: design random or sobol, no list, linspace, logspace or table",
            )
        });
        return None;
    }
    Some(ensemble)
}

fn stopping_rule(table: &Table<'_>) -> Option<StoppingRule> {
    let channel = table.read("channel");
    let half_width = table.get("half_width").and_then(|node| {
        let (value, unit) = node.any_quantity()?;
        if value > 0.0 && value.is_finite() {
            return Some((value, unit));
        }
        node.refuse("a half-width above zero", "give e.g. \"0.1 deg\"");
        None
    });
    let confidence = table.read("confidence");
    let (half_width, unit) = half_width?;
    Some(StoppingRule { channel: channel?, half_width, unit, confidence: confidence? })
}

/// The size, as given or as the grid and the tables of samples have it, checked against both.
fn size(study: &Table<'_>, table: &Table<'_>, given: Option<Option<u64>>, vary: &[Vary]) -> Option<u64> {
    let mut points: u64 = 1;
    let mut tables: Vec<u64> = Vec::new();
    for varied in vary {
        let axis = match &varied.distribution {
            Distribution::List { values } => values.len() as u64,
            Distribution::Linspace { count, .. } | Distribution::Logspace { count, .. } => *count,
            Distribution::Table { .. } if !table.document().with_samples => 1,
            Distribution::Table { values, .. } => {
                tables.push(values.len() as u64);
                1
            }
            Distribution::Drawn { .. } => 1,
        };
        points = points.saturating_mul(axis);
    }
    let fault = |found: String, advice: String| {
        let amend = |problem: super::error::Problem| problem.advise(advice);
        match table.get("size") {
            Some(node) => node.report(found, amend),
            None => table.report(&found, amend),
        }
        None
    };
    if points > MAX_SIZE {
        return fault(format!("the grid has {points} points"), "the most is 10^9 instances".to_string());
    }
    let rows = tables.iter().copied().min();
    let most = tables.iter().copied().max();
    if let (None, Some(rows), Some(most)) = (given, rows, most)
        && rows < most
    {
        let advice = format!("give tables of as many rows, or `size`, at most {rows}");
        return fault(format!("tables of samples have {rows} and {most} rows"), advice);
    }
    let size = match (given, rows) {
        (Some(given), _) => given?,
        (None, Some(rows)) => rows,
        (None, None) if points > 1 => points,
        (None, None) if !study.has("ensemble") => 1,
        (None, None) => {
            return fault(
                "`size` is missing".to_string(),
                "give the number of instances, e.g. size = 1000".to_string(),
            );
        }
    };
    if size % points != 0 {
        let near = size.div_ceil(points).saturating_mul(points);
        let advice = format!("give a multiple, e.g. {near}, or leave `size` out");
        return fault(format!("{size} instances are no multiple of the grid's {points} points"), advice);
    }
    if let Some(rows) = rows.filter(|rows| size > *rows) {
        let advice = format!("give at most {rows}");
        return fault(
            format!("{size} instances are more than the table of samples has rows, {rows}"),
            advice,
        );
    }
    Some(size)
}

fn observe(
    table: &Table<'_>,
    mechanism: Option<&Mechanism>,
    method: Option<&TimeIntegration>,
) -> Option<Observe> {
    let channels = table.get("channels").and_then(|node| channels(&node, mechanism, method));
    let channels = channels.map(|channels| with_outcomes(channels, mechanism));
    let every = match table.get("every") {
        Some(node) if node.is_integer() && method.is_some_and(chooses_step) => {
            node.report("polhode chooses the step here, and its length is open", |problem| {
                problem.advise("give a time, e.g. \"0.1 s\"")
            });
            None
        }
        Some(node) if node.is_text() && method.is_some_and(chooses_step) => node
            .positive(Dimension::Time)
            .zip(method)
            .and_then(|(time, method)| whole_longest_steps(&node, time, method)),
        Some(node) => every(&node, method),
        None => method.map(|method| ((method.steps as f64 / SNAPSHOTS).round() as u64).max(1)),
    };
    if let Some(node) = table.get("every") {
        note_beyond_the_end(&node, every, method);
    }
    let keep = table.read("keep").map(|keep: Option<u64>| keep.unwrap_or(KEEP));
    let quantiles: Option<Vec<f64>> = table.read("quantiles");
    let ascend = |p: &Vec<f64>| p.iter().all(|p| *p > 0.0 && *p < 1.0) && p.is_sorted_by(|a, b| a < b);
    if let (true, Some(node)) = (quantiles.as_ref().is_some_and(|p| !ascend(p)), table.get("quantiles")) {
        node.refuse("an ascending list of probabilities between 0 and 1", "give e.g. [0.05, 0.5, 0.95]");
    }
    Some(Observe { channels: channels?, every: every?, keep: keep?, quantiles: quantiles? })
}

/// These channels and those of all outcomes.
fn with_outcomes(mut channels: Vec<ObservedChannel>, mechanism: Option<&Mechanism>) -> Vec<ObservedChannel> {
    for channel in [channels::OUTCOME_VALUE, channels::OUTCOME_TIME] {
        let owners = mechanism.map(|mechanism| channels::owners(mechanism, channel)).unwrap_or_default();
        let lacking = owners.into_iter().map(|of| ObservedChannel { channel, of: Some(of) });
        let lacking: Vec<ObservedChannel> = lacking.filter(|one| !channels.contains(one)).collect();
        channels.extend(lacking);
    }
    channels
}

/// Channel names, bare or after the name of a body, joint, ... and a dot. A bare name stands for
/// every channel of this name that the mechanism has.
fn channels(
    node: &Node<'_>,
    mechanism: Option<&Mechanism>,
    method: Option<&TimeIntegration>,
) -> Option<Vec<ObservedChannel>> {
    let mut channels: Vec<ObservedChannel> = Vec::new();
    let mut texts: BTreeSet<String> = BTreeSet::new();
    let mut sound = true;
    for entry in node.list()? {
        let Some(seen) = channels_of(&entry, mechanism, method) else {
            sound = false;
            continue;
        };
        // Where the mechanism is faulty, nobody knows whose channels they are: only the texts can
        // be compared.
        let is_new = entry.text().is_some_and(|text| texts.insert(text.to_string()));
        let again = match mechanism {
            Some(_) => seen.iter().any(|channel| channels.contains(channel)),
            None => !is_new,
        };
        if again {
            entry.report(format!("{} is listed twice", entry.source()), |problem| problem);
            sound = false;
        }
        channels.extend(seen);
    }
    sound.then_some(channels)
}

/// The channels that one name stands for.
fn channels_of(
    entry: &Node<'_>,
    mechanism: Option<&Mechanism>,
    method: Option<&TimeIntegration>,
) -> Option<Vec<ObservedChannel>> {
    let text = entry.text()?;
    let owned = |name: &str| {
        let mechanism = mechanism?;
        Owner::ALL.into_iter().find_map(|owner| {
            owner.names(mechanism).iter().position(|known| *known == name).map(|k| (owner, k))
        })
    };
    // Names of nodes have dots, channels have none.
    let (named_owner, bare) = match text.rsplit_once('.') {
        _ if owned(text)
            .is_some_and(|(owner, _)| matches!(owner, Owner::State | Owner::Signal | Owner::Outcome)) =>
        {
            (owned(text), "value")
        }
        Some((name, rest)) if mechanism.is_none() || owned(name).is_some() => (owned(name), rest),
        _ => (None, text),
    };
    // The channels of the only body are those of the mechanism.
    let named_owner = named_owner
        .filter(|(owner, _)| *owner != Owner::Body || mechanism.is_some_and(|m| m.bodies.len() > 1));
    let named = channels::named(bare);
    if named.is_empty() {
        // Without a mechanism it may be one of its signals or outcomes: its faults are reported.
        if let Some(mechanism) = mechanism {
            let own = [Owner::Outcome, Owner::Signal, Owner::State].map(|owner| owner.names(mechanism));
            let names = channels::names();
            let all = own.iter().flatten().map(AsRef::as_ref).chain(names.iter().map(String::as_str));
            entry.report(format!("{} is not a channel", entry.source()), |problem| problem.allow(bare, all));
        }
        return None;
    }
    if named_owner.is_some() && named.iter().all(|channel| channel.owner() == Owner::Mechanism) {
        entry.report(format!("{bare} is of the mechanism as a whole"), |problem| {
            problem.advise(format!("write \"{bare}\""))
        });
        return None;
    }
    let there = |channel: &&Channel| {
        let Some(mechanism) = mechanism else { return true };
        let has = channels::owners(mechanism, **channel);
        match named_owner {
            Some((owner, k)) => owner == channel.owner() && has.contains(&k),
            None => !has.is_empty(),
        }
    };
    let found: Vec<Channel> = named.iter().filter(there).copied().collect();
    if found.is_empty() {
        let owners = mechanism.map(|m| named.iter().flat_map(|channel| offered(m, *channel)).collect());
        entry.report(format!("the mechanism has no {}", entry.source()), |problem| {
            match owners.filter(|owners: &Vec<String>| !owners.is_empty()) {
                Some(owners) => problem.advise(format!("it has {}", owners.join(", "))),
                None => problem.advise("nothing of it has this channel"),
            }
        });
        return None;
    }
    if let Some((found, advice)) = uncounted(bare, &found, mechanism, method) {
        entry.report(found, |problem| problem.advise(advice));
        return None;
    }
    let of_owner = |channel| ObservedChannel { channel, of: named_owner.map(|(_, k)| k) };
    Some(found.into_iter().map(of_owner).collect())
}

/// The fault of channels that the method, or the number of bodies, does not have, and what to do.
fn uncounted(
    bare: &str,
    found: &[Channel],
    mechanism: Option<&Mechanism>,
    method: Option<&TimeIntegration>,
) -> Option<(String, String)> {
    let methods = |does: &dyn Fn(&Card) -> bool| {
        let names: Vec<&str> = cards().iter().filter(|card| does(card)).map(|card| card.name).collect();
        names.join(" or ")
    };
    let counts = [channels::OWN_STEPS, channels::REJECTED_STEPS];
    // A method that is wrong itself may count them.
    if found.iter().any(|channel| counts.contains(channel))
        && method.is_some_and(|method| !has_own_steps(method))
    {
        let key = own_steps::KEY.name;
        let takes = |card: &Card| card.keys.iter().any(|own| own.name == key);
        return Some((
            format!("{bare} are counted where instances choose their own steps"),
            format!("set method.{key}, with the method {}", methods(&takes)),
        ));
    }
    if found.contains(&channels::ITERATIONS) && method.is_some_and(|method| !iterates(method.name)) {
        return Some((
            format!("{bare} are counted where the method iterates"),
            format!("use the method {}", methods(&|card| iterates(card.name))),
        ));
    }
    if found.contains(&channels::POTENTIAL_ESTIMATE) && mechanism.is_some_and(|m| !m.is_one_body()) {
        return Some((format!("{bare} is of a single body"), "observe \"energy\" instead".to_string()));
    }
    None
}

/// The mechanism's channels of this kind, as study files name them.
fn offered(mechanism: &Mechanism, channel: Channel) -> Vec<String> {
    let names = channel.owner().names(mechanism);
    let owners = channels::owners(mechanism, channel);
    let first = channel.mode().map(|_| channel.of_mode(0));
    if let Some(first) = first.filter(|_| owners.is_empty()) {
        // No body has so many modes.
        let message =
            |b: usize| format!("{}.{} of {} modes", names[b], first.name(), mechanism.bodies[b].modes());
        return channels::owners(mechanism, first).into_iter().map(message).collect();
    }
    owners.into_iter().map(|k| channel.name_of(names[k])).collect()
}

/// A bound as a study gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum GivenBound {
    Absent,
    Nothing,
    At(f64),
}

impl GivenBound {
    fn value(self) -> Option<f64> {
        match self {
            GivenBound::Absent | GivenBound::Nothing => None,
            GivenBound::At(value) => Some(value),
        }
    }
}

/// The bounds as a study gives them.
struct GivenBounds {
    energy: GivenBound,
    quaternion_norm: Option<f64>,
    constraint: GivenBound,
    every: u64,
}

impl GivenBounds {
    /// With the defaults of what is absent: where joints hold bodies, they open by little, and
    /// energy stays where nothing moves it. A penalty's violation is what loads it; maps have
    /// bounds of their own; studies of methods have errors in place of verdicts.
    fn completed(
        self,
        kind: &StudyKind,
        mechanism: &Mechanism,
        constraints: &Constraints,
        vary: &[Vary],
    ) -> Option<VerdictBounds> {
        let GivenBounds { energy, quaternion_norm, constraint, every } = self;
        let any =
            (energy, constraint) != (GivenBound::Absent, GivenBound::Absent) || quaternion_norm.is_some();
        let by_default = match kind.card().ends {
            Ends::Asked if !any => return Some(default_bounds(every, mechanism, vary)),
            Ends::Asked | Ends::Unjudged => false,
            Ends::Bounded => mechanism.is_held() && constraints.treatment != treatments::ELASTIC.name,
        };
        Some(VerdictBounds {
            energy: energy.value(),
            unexplained: match energy {
                GivenBound::Absent if by_default => unexplained(mechanism, vary),
                _ => Unexplained::Nothing,
            },
            quaternion_norm,
            constraint: match constraint {
                GivenBound::Absent if by_default => Some(open(mechanism)),
                given => given.value(),
            },
            every,
        })
    }
}

fn verdict(
    table: &Table<'_>,
    method: Option<&TimeIntegration>,
    mechanism: Option<&Mechanism>,
) -> Option<GivenBounds> {
    let bound = |name| match table.get(name) {
        Some(node) if node.is_text() && node.text() == Some(NO_BOUND[0]) => Some(GivenBound::Nothing),
        Some(node) if node.is_text() => {
            node.refuse("a number or \"none\"", "give e.g. 1e-3; \"none\" takes the bound away");
            None
        }
        Some(node) => node.positive(Dimension::Number).map(GivenBound::At),
        None => Some(GivenBound::Absent),
    };
    let (energy, constraint) = (bound("energy"), bound("constraint"));
    let quaternion_norm = table.read("quaternion_norm");
    if let Some(node) = table.get("constraint").filter(|_| mechanism.is_some_and(|m| !m.is_held())) {
        node.report("nothing holds the mechanism's bodies", |problem| problem.advise("leave it out"));
    }
    let every = table.get("every").and_then(|node| match method {
        // As many steps as there will be.
        Some(method) if chooses_step(method) && node.is_text() => {
            node.positive(Dimension::Time).map(|time| ((time / method.step).round() as u64).max(1))
        }
        _ => every(&node, method),
    });
    Some(GivenBounds {
        energy: energy?,
        quaternion_norm: quaternion_norm?,
        constraint: constraint?,
        every: every?,
    })
}
