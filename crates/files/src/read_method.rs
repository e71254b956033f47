//! Reads how time is stepped and how joints are held: the tables `[method]` and `[constraints]`,
//! and times as whole numbers of steps.

use super::document::{Node, Table};
use super::keys::{
    DEFAULT_METHOD, DEFAULT_OF_SOLVERS, DEFAULT_TREATMENT, MAX_STEPS, PROJECT_OF_SOLVERS, method_names,
    method_section, open_method_section, treatment_names, treatment_section,
};
use polhode_description::base::units::{Dimension, parse_quantity};
use polhode_description::base::{Key, Kind, Options, Setting, Takes, rounded, significant};
use polhode_description::describe::outcome::{OF_A_MOMENT, Outcome};
use polhode_description::describe::study::{Constraints, Open, RequestedAccuracy, TimeIntegration};
use polhode_description::describe::{Mechanism, Signal, SteadyMotion};
use polhode_description::treatments::{self, EPS, EPS_ACCURACY};
use polhode_dynamics::methods::{self, Adaptive, cards, chooses_steps, own_steps};

/// The duration may differ from a whole number of steps by this much, in steps.
const STEP_FIT: f64 = 1e-6;
/// Snapshots of a run that does not say how many.
pub(super) const SNAPSHOTS: f64 = 200.0;
/// Most steps in the shortest of the times that are to be whole numbers of them.
const MOST_PARTS: u64 = 1000;

/// The key of the precision of steps.
pub(super) const PRECISION: &str = "precision";

/// Returns the stand-in for the method where nothing is advanced. The instant that the study is
/// about takes a whole number of its steps; it is 1 s until [that instant](SteadyMotion::at) is
/// read.
pub(super) fn no_method() -> TimeIntegration {
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

/// `own`: the kind of the study, where it leaves no method to be chosen, and the first of the steps
/// that it takes (s), where it has any: that stands for a step that is absent.
pub(super) fn method(node: &Node<'_>, own: Option<(&'static str, Option<f64>)>) -> Option<TimeIntegration> {
    let (own, of_kind) = own.map_or((None, None), |(kind, step)| (Some(kind), step));
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
    if own.is_none() && !table.has("step") && takes_own_steps(table) {
        let (steps, step) = undivided(table).unzip();
        return method_settings(table, step, steps);
    }
    let step = match table.has("step") {
        true => table.read("step"),
        false if of_kind.is_some() => of_kind,
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
pub(super) fn names_precision(study: &Table<'_>) -> bool {
    let run = study.get("run");
    run.is_some_and(|run| run.map().into_iter().flatten().any(|(name, _)| name == PRECISION))
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
        None => undivided(table),
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

/// Whether instances choose steps of their own by a method that is named.
fn takes_own_steps(table: &Table<'_>) -> bool {
    let name = table.get("name");
    let name = name.as_ref().and_then(Node::text_if_any);
    let is_implicit = name.is_some_and(|name| Adaptive::new(name, &Options::default()).is_some());
    is_implicit || table.has(own_steps::KEY.name)
}

/// One step, which stands in for all until the times of snapshots are known.
fn undivided(table: &Table<'_>) -> Option<(u64, f64)> {
    match table.exactly_one(&["duration", "steps"])? {
        "duration" => table.read("duration").map(|duration| (1, duration)),
        _ => {
            let found = "polhode chooses the step here, and its length is open";
            table.get("steps")?.report(found, |problem| {
                problem.advise("give `duration` in place of `steps`, or `step` too")
            });
            None
        }
    }
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

/// The first that is found in a table of this name, or in the entries of a list of such tables.
fn found_in<T>(study: &Table<'_>, name: &str, find: impl Fn(&Node<'_>) -> Option<T>) -> Option<T> {
    let node = study.get(name)?;
    match node.is_list() {
        true => node.list()?.iter().find_map(find),
        false => find(&node),
    }
}

/// Gives a method whose step is to be chosen, or that chooses steps of its own and is given none,
/// the longest that there can be: the longest of which the duration, the time between snapshots,
/// that between checks and the times after which signals are `sampled` are whole numbers, and that
/// shows the `outcomes` and what ends instances.
pub(super) fn take_longest_step(
    study: &Table<'_>,
    method: &mut TimeIntegration,
    sampled: &[f64],
    outcomes: &[Outcome],
) {
    let is_given = study.get("method").is_none_or(|method| method.has_key("step"));
    let is_own = method.steps == 1 && !is_given && chooses_steps(method.name, &method.options);
    if !chooses_step(method) && !is_own {
        return;
    }
    let duration = method.step * method.steps as f64;
    let time = |table: &str| {
        found_in(study, table, |node| parse_quantity(node.peek("every")?, Dimension::Time).ok())
            .filter(|every| *every > 0.0)
    };
    let every = time("observe").unwrap_or(duration / SNAPSHOTS);
    let stays = |node: &Node<'_>| node.entry("at_end").is_some_and(|at_end| at_end.flag() == Some(true));
    let stops = |node: &Node<'_>| (node.has_key("when") && !stays(node)).then_some(());
    let may_stop = found_in(study, "verdict", stops).is_some();
    let is_given = found_in(study, "verdict", |node| node.has_key("every").then_some(())).is_some();
    let of_a_moment = may_stop && !is_given || outcomes.iter().any(|outcome| outcome.kind.is_of_condition());
    let fewest = if of_a_moment { OF_A_MOMENT as f64 * every / duration } else { 1.0 };
    let checks = time("verdict");
    let longest = |times: &[f64]| {
        let shortest = times.iter().copied().fold(duration, f64::min);
        let is_whole = |time: f64, step: f64| {
            let steps = time / step;
            (steps - steps.round()).abs() <= STEP_FIT && steps.round() >= 1.0
        };
        let mut steps = (1..=MOST_PARTS).map(|parts| shortest / parts as f64);
        steps.find(|step| times.iter().chain([&duration]).all(|time| is_whole(*time, *step)))
    };
    // Where there is none for all, whoever reads a time that is left out reports it.
    let times = [&[every], sampled, checks.as_slice()].concat();
    let fewer = [times.len(), 1 + sampled.len(), 1];
    if let Some(step) = fewer.into_iter().find_map(|count| longest(&times[..count])) {
        let parts = (every / step).round();
        let parts = (fewest / parts).ceil().max(1.0) * parts;
        let steps = (duration / every * parts).round();
        if steps <= MAX_STEPS as f64 {
            method.steps = steps as u64;
            method.step = duration / steps;
        }
    }
    let step = method.step;
    if let Some(open) = &mut method.open {
        open.checks = checks.or((may_stop && !is_given).then_some(step));
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
                    "the treatment {} wants a method of fixed steps that carries nothing from step to step, \
                     unlike {}",
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

/// Whether every instance takes steps of its own inside those of the study.
pub(super) fn has_own_steps(method: &TimeIntegration) -> bool {
    own_steps::tolerance(&method.options).is_some()
}

/// Reports a signal that is sampled inside a step.
pub(super) fn check_samples(table: &Table<'_>, method: &TimeIntegration, mechanism: &Mechanism) {
    let step = method.step;
    let inside = |(_, every): &(usize, f64)| {
        let steps = every / step;
        steps.round() < 1.0 || (steps - steps.round()).abs() > STEP_FIT
    };
    let Some((signal, every)) = mechanism.sampled_signals().find(inside) else { return };
    let Some(node) = table.get("method") else { return };
    let Signal { name, initial, .. } = &mechanism.signals[signal];
    let name = format!("{} `{name}`", if initial.is_some() { "state" } else { "signal" });
    if chooses_step(method) {
        let found = format!(
            "no step divides the duration, the time between snapshots and the {every:?} s after which the \
             {name} is sampled"
        );
        node.report(found, |problem| problem.advise("give it a time that divides the duration"));
        return;
    }
    let found = format!(
        "the {name} is sampled every {every:?} s, which is {} steps of {step:?} s, not a whole \
         number of them",
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
pub(super) fn check_impacts(table: &Table<'_>, constraints: Option<&Constraints>, mechanism: &Mechanism) {
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
pub(super) fn whole_longest_steps(node: &Node<'_>, time: f64, method: &TimeIntegration) -> Option<u64> {
    let ratio = time / method.step;
    if (ratio - ratio.round()).abs() > STEP_FIT || ratio.round() < 1.0 {
        node.report(format!("no step divides both {} and the duration", node.source()), |problem| {
            problem.advise("give a time that divides the duration")
        });
        return None;
    }
    Some(ratio.round() as u64)
}

pub(super) fn chooses_step(method: &TimeIntegration) -> bool {
    method.open.is_some_and(|open| open.step)
}

/// Notes an interval that is longer than the run.
pub(super) fn note_beyond_the_end(node: &Node<'_>, every: Option<u64>, method: Option<&TimeIntegration>) {
    let longer = |(every, method): &(u64, &TimeIntegration)| *every > method.steps;
    if let Some((_, method)) = every.zip(method).filter(longer) {
        let end = significant(method.step * method.steps as f64, 4);
        node.note(format!("{} is beyond the end of the run, {end} s", node.source()));
    }
}

/// An integer number of steps, or a time as text.
pub(super) fn every(node: &Node<'_>, method: Option<&TimeIntegration>) -> Option<u64> {
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
