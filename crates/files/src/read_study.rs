//! Reads a study file into a `Study`: the mechanism first, because the ensemble varies it by name,
//! then everything that counts steps, instances and channels, each checked against the others.

use std::path::Path;

use super::document::{Document, MECHANISM, Node, Table};
use super::error::Problems;
use super::input::Longest;
use super::keys::{ENSEMBLE, MAX_SIZE, NO_BOUND, OBSERVE, STUDY, VERDICT, mechanism_section};
use super::kinds::sensitivity::begun;
use super::kinds::{self, QuestionContext, read_kind};
use super::read_ensemble::ensemble;
use super::read_mechanism::{mechanism, read_mechanism_with};
use super::read_method::{
    check_impacts, check_samples, check_support, chooses_step, constraints, every, has_own_steps, method,
    names_precision, no_method, take_longest_step, whole_longest_steps,
};
use super::read_observe::{at_rest, observe, of_sliding};
use super::read_outcome::{check_times, ends, outcomes, table_of_bounds};
use super::read_vary::{VariableQuantities, give};
use super::settings::KeySetting;
use polhode_description::base::Options;
use polhode_description::base::units::Dimension;
use polhode_description::describe::StudyKind;
use polhode_description::describe::bounds::{open, unexplained};
use polhode_description::describe::kind::{Ends, InstanceRows, KindCard};
use polhode_description::describe::study::{
    BackendChoice, Constraints, Ensemble, InstanceTable, Observe, OutputSettings, Run, Study,
    TimeIntegration, Unexplained, VerdictBounds, uncountable,
};
use polhode_description::describe::{Mechanism, SteadyMotion};
use polhode_description::describe::{Quantity, Vary};
use polhode_description::treatments::{self, EPS, EPS_ACCURACY};
use polhode_dynamics::methods::adaptive::Unsuited;
use polhode_dynamics::methods::{Adaptive, cards, chooses_steps, own_steps};

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
    let named = table.get("study").and_then(|node| kinds::card(node.peek("kind")?));
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
        let given = bounds_and_ends(&node, method.as_ref().filter(|_| steady.is_none()), mechanism.as_mut())?;
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
        Some(node) => method(&node, own_methods.map(|kind| (kind, first_step(table, &node)))),
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

/// The first of the steps that the question is about (s), where the method has none.
fn first_step(table: &Table<'_>, method: &Node<'_>) -> Option<f64> {
    let question = table.get("study").filter(|_| !method.has_key("step"))?;
    let (_, steps) = question.map()?.into_iter().find(|(name, _)| *name == "steps")?;
    steps.quantities(Dimension::Time)?.first().copied().filter(|step| *step > 0.0)
}

/// Gives the method the step that follows from all times, and checks these.
fn complete_method(
    table: &Table<'_>,
    kind: Option<&StudyKind>,
    mechanism: Option<&Mechanism>,
    method: &mut TimeIntegration,
) {
    if let Some(at) = kind.and_then(|kind| kind.steady()).and_then(|about| about.at.filter(|at| *at > 0.0)) {
        method.step = at / SteadyMotion::STEPS;
    }
    // Snapshots, and the duration, are whole numbers of the steps that can be chosen.
    let sampled = mechanism.into_iter().flat_map(Mechanism::sampled_signals).map(|(_, every)| every);
    let outcomes = mechanism.map_or(&[][..], |mechanism| &mechanism.outcomes);
    take_longest_step(table, method, &sampled.collect::<Vec<f64>>(), outcomes);
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

/// Whether question and run are such that a method without a program can serve.
fn check_adaptive(table: &Table<'_>, kind: Option<&StudyKind>, method: &TimeIntegration, run: &Run) {
    if let Some(kind) = kind.filter(|kind| kind.card().wants_program)
        && let Some(node) = table.get("study")
    {
        let (kind, name, key) = (kind.name(), method.name, own_steps::KEY.name);
        let (found, advice) = match has_own_steps(method) {
            true => (
                format!(
                    "a study of kind {kind} needs equal steps in all instances, and with a `{key}` each \
                     chooses its own"
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

/// Steps between checks of the bounds, where a study does not say.
const CHECKED: u64 = 100;

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
            Ends::Asked if !any => return kind.bounds(every, mechanism, vary),
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
    let may_stop = mechanism.is_some_and(Mechanism::may_end_early);
    let every = match (table.get("every"), method) {
        (None, _) => Some(if may_stop { 1 } else { CHECKED }),
        // As many steps as there will be.
        (Some(node), Some(method)) if chooses_step(method) && node.is_text() => {
            let time = node.positive(Dimension::Time);
            time.and_then(|time| whole_longest_steps(&node, time, method))
        }
        (Some(node), _) => every(&node, method),
    };
    Some(GivenBounds {
        energy: energy?,
        quaternion_norm: quaternion_norm?,
        constraint: constraint?,
        every: every?,
    })
}
