//! Writes a resolved study back as TOML, in SI units and with every default spelled out: what a run
//! keeps of its description. Reading it gives the same `Study`, bit for bit.

use std::fmt::Write;

use toml::Value;

use super::declared::{Declared, Named, put};
use super::elements::{contact, coupling, force, generator, lock};
use super::keys::{MODAL_BEAM, NO_BOUND};
use super::kinds::write_kind;
use super::read_correlated::write_correlated;
use super::read_flexible::{FRAMES, MODES};
use super::read_method::{PRECISION, chooses_step};
use super::read_outcome::{write_end, write_outcome};
use super::write_parts::of_time;
use super::writer::{Writer, count, name, numbers, only, setting_value, table, text};
use super::{read_beam, read_group, read_joint, read_law, read_lookup};
use polhode_description::base::Options;
use polhode_description::describe::kind::InstanceRows;
use polhode_description::describe::outcome::OF_A_MOMENT;
use polhode_description::describe::study::{
    RequestedAccuracy, StoppingRule, Study, Unexplained, VerdictBounds,
};
use polhode_description::describe::{AccuracySettings, Flexible, FlexibleSource, Load, Mechanism, Signal};
use polhode_description::describe::{Channel, ObservedChannel};
use polhode_description::describe::{Distribution, MixturePart, ParameterValue, Values};
use polhode_description::flexible::Floating;
use polhode_description::flexible::beam::{self, BeamAnchor};
use polhode_description::flexible::frame::{Frame, StaticLoad};
use polhode_description::math::inertia::UNTURNED;
use polhode_description::treatments::{EPS, EPS_ACCURACY, SettableNumber};
use polhode_dynamics::ensemble::sampling::{distributions, varied_step};
use polhode_dynamics::methods::cards;
use polhode_engine::observe::channels;

/// The study as TOML, its mechanism in place, tables of samples by their absolute file names.
pub fn resolved_toml(study: &Study) -> String {
    let mut out = Writer::default();
    out.key("title", text(&study.title));

    write_kind(&*study.kind, &mut out);

    if study.kind.card().steps {
        stepping(&mut out, study);
    }
    for outcome in &study.mechanism.outcomes {
        write_outcome(&mut out, outcome, &study.mechanism);
    }

    out.heading("[ensemble]");
    out.key("size", count(study.ensemble.size));
    out.key("seed", count(study.ensemble.seed));
    out.key("design", text(study.ensemble.design.name()));
    if let Some(StoppingRule { channel, half_width, unit, confidence }) = &study.ensemble.until {
        out.heading("[ensemble.until]");
        out.key("channel", text(channel));
        match unit.as_ref() {
            "1" => out.key("half_width", *half_width),
            unit => out.key("half_width", text(&format!("{half_width:?} {unit}"))),
        }
        out.key("confidence", *confidence);
    }
    out.heading("[ensemble.vary]");
    for varied in &study.ensemble.vary {
        out.key(&text(&varied.target.key).to_string(), distribution(&varied.distribution));
    }

    for correlated in &study.ensemble.correlated {
        write_correlated(&mut out, correlated);
    }

    if study.kind.card().steps {
        observed(&mut out, study);
        judged(&mut out, study);
    } else if study.kind.card().at_rest {
        out.heading("[observe]");
        out.key("channels", Value::Array(channels(study)));
        out.key("quantiles", study.observe.quantiles.clone());
    }

    out.heading("[output]");
    out.all(study.output.entries());
    out.heading("[run]");
    let mut run = study.run.entries();
    run.retain(|(key, _)| *key != PRECISION || !study.method.open.is_some_and(|open| open.precision));
    out.all(run);

    mechanism(&mut out, &study.mechanism);
    out.text
}

/// Writes the settings by which instances are advanced. Those that polhode chooses are left out, as
/// in the file: they would be taken for given.
fn stepping(out: &mut Writer, study: &Study) {
    let open = study.method.open;
    out.heading("[method]");
    if !open.is_some_and(|open| open.name) {
        out.key("name", text(study.method.name));
    }
    if chooses_step(&study.method) {
        out.key("duration", study.method.step * study.method.steps as f64);
    } else {
        out.key("step", study.method.step);
        out.key("steps", count(study.method.steps));
    }
    let resynchronises = cards().iter().any(|card| card.name == study.method.name && card.resynchronises);
    if resynchronises && !open.is_some_and(|open| open.resynchronise) {
        out.key("resynchronise", count(study.method.resynchronise));
    }
    match study.method.accuracy {
        Some(RequestedAccuracy::Error(share)) => out.key("accuracy", share),
        Some(RequestedAccuracy::Statistical) => out.key("accuracy", text("statistical")),
        None => {}
    }
    settings(out, &study.method.options);

    out.heading("[constraints]");
    if !open.is_some_and(|open| open.treatment) {
        out.key("treatment", text(study.constraints.treatment));
    }
    if !open.is_some_and(|open| open.project) {
        out.key("project", count(study.constraints.project));
    }
    if !open.is_some_and(|open| open.treatment) {
        settings(out, &study.constraints.options);
        defaults(out, study);
    }
}

/// Writes the channels and times that are recorded.
fn observed(out: &mut Writer, study: &Study) {
    let every = study.observe.every;
    out.heading("[observe]");
    out.key("channels", Value::Array(channels(study)));
    match chooses_step(&study.method) {
        true => out.key("every", seconds(study.method.step * every as f64)),
        false => out.key("every", count(every)),
    }
    out.key("keep", count(study.observe.keep));
    out.key("quantiles", study.observe.quantiles.clone());
}

/// Writes when verdicts are checked: at a time where the step is open, unless it is the one that
/// follows from what ends instances.
fn checks(out: &mut Writer, study: &Study) {
    let method = &study.method;
    match method.open.and_then(|open| open.checks) {
        Some(time)
            if time == method.step && method.steps >= OF_A_MOMENT && study.mechanism.may_end_early() => {}
        Some(time) if chooses_step(method) => out.key("every", seconds(time)),
        _ => out.key("every", count(study.verdict.every)),
    }
}

fn seconds(time: f64) -> Value {
    text(&format!("{time:?} s"))
}

/// At which bounds instances are stopped, and how the error is measured.
fn judged(out: &mut Writer, study: &Study) {
    // Several conditions make a list, the first of which has the bounds.
    let ends = &study.mechanism.ends;
    out.heading(if ends.len() > 1 { "[[verdict]]" } else { "[verdict]" });
    match study.verdict {
        VerdictBounds { energy: Some(bound), .. } => out.key("energy", bound),
        // Absent, it is what it was.
        VerdictBounds { unexplained: Unexplained::Gain | Unexplained::Change, .. } => {}
        VerdictBounds { unexplained: Unexplained::Nothing, .. } => out.key("energy", text(NO_BOUND[0])),
    }
    if let Some(end) = ends.first() {
        write_end(out, end, &study.mechanism);
    }
    if let Some(bound) = study.verdict.quaternion_norm {
        out.key("quaternion_norm", bound);
    }
    match study.verdict.constraint {
        Some(bound) => out.key("constraint", bound),
        None if study.mechanism.is_held() => out.key("constraint", text(NO_BOUND[0])),
        None => {}
    }
    checks(out, study);
    for end in ends.iter().skip(1) {
        out.heading("[[verdict]]");
        write_end(out, end, &study.mechanism);
    }

    if study.accuracy != AccuracySettings::default() {
        out.heading("[accuracy]");
        out.all(study.accuracy.entries());
    }
}

/// The numbers of the treatment that follow from the step, as comments: a copy with another step
/// shall have its own.
fn defaults(out: &mut Writer, study: &Study) {
    if !study.mechanism.is_held() {
        return;
    }
    let constraints = &study.constraints;
    let resolved = constraints.numbers(study.method.step, study.run.precision);
    let several = varied_step(study).is_some() || study.kind.card().rows == InstanceRows::None;
    let numbers = constraints.card().numbers().zip(constraints.given()).zip(resolved);
    let by_rule = constraints.options.number(EPS_ACCURACY, 0.0) > 0.0;
    let of_step = |((number, given), _): &((SettableNumber, Option<f64>), f64)| {
        given.is_none() && !(by_rule && number.name == EPS)
    };
    for ((number, _), value) in numbers.filter(of_step) {
        let formula = constraints.card().keys.iter().find(|key| key.name == number.name);
        let formula = formula.map_or_else(String::new, |key| key.kind.default_text());
        let taken = if several { String::new() } else { format!(" = {value:?}") };
        let _ = writeln!(out.text, "# {}{taken}, by default: {formula}", number.name);
    }
}

fn settings(out: &mut Writer, options: &Options) {
    for (key, setting) in options.iter() {
        out.key(key, setting_value(setting));
    }
}

/// A mechanism with expressions stands as it was described: its other numbers may follow from them.
fn mechanism(out: &mut Writer, mechanism: &Mechanism) {
    if let Some(linked) = &mechanism.linked {
        let described = linked.recipe.text().parse::<toml::Table>().unwrap_or_default();
        let whole = toml::Table::from_iter([("mechanism".to_string(), Value::Table(described))]);
        out.text.push('\n');
        out.text.push_str(&whole.to_string());
        return;
    }
    out.heading("[mechanism]");
    out.key("name", text(&mechanism.name));
    out.key("gravity", mechanism.gravity.to_vec());

    if !mechanism.constants.is_empty() {
        out.heading("[mechanism.constants]");
    }
    for constant in &mechanism.constants {
        match &*constant.unit {
            "1" => out.key(&constant.name, constant.value),
            unit => out.key(&constant.name, text(&format!("{:?} {unit}", constant.value))),
        }
    }
    for index in (0..mechanism.bodies.len()).filter(|index| mechanism.beam_of(*index).is_none()) {
        write_body(out, index, mechanism);
    }
    for beam in &mechanism.beams {
        read_beam::write_beam(out, beam);
    }
    for joint in &mechanism.joints {
        read_joint::write_joint(out, joint, mechanism);
    }
    for point in &mechanism.points {
        read_law::write_point(out, point, mechanism);
    }
    for group in &mechanism.groups {
        read_group::write_group(out, group, mechanism);
    }
    for table in &mechanism.tables {
        read_lookup::write_table(out, table);
    }
    for (shown, next) in mechanism.sampled_states() {
        read_law::write_sampled_state(out, shown, next, mechanism);
    }
    let is_signal = |signal: &&Signal| signal.initial.is_none() && !signal.name.is_empty();
    for signal in mechanism.signals.iter().filter(is_signal) {
        read_law::write_signal(out, signal, mechanism);
    }
    for state in &mechanism.states {
        read_law::write_state(out, state, mechanism);
    }
    for generator in &mechanism.generators {
        match generator.follows {
            Some(_) => coupling::write(out, generator, mechanism),
            None => generator::write(out, generator, mechanism),
        }
    }
    for contact in &mechanism.contacts {
        contact::write(out, contact, mechanism);
    }
    for force in &mechanism.forces {
        force::write(out, force, mechanism);
    }
    for element in mechanism.beam_elements.iter().filter(|element| element.beam.is_none()) {
        read_beam::write_beam_element(out, element, mechanism);
    }
    for lock in &mechanism.locks {
        lock::write(out, lock, mechanism);
    }
    for load in &mechanism.loads {
        write_load(out, load, mechanism);
    }
}

/// One of several bodies stands in a list. Of the initial state only what is given is written: it
/// is a condition.
fn write_body(out: &mut Writer, index: usize, mechanism: &Mechanism) {
    let body = &mechanism.bodies[index];
    let several = mechanism.bodies.len() > 1;
    out.heading(if several { "[[mechanism.body]]" } else { "[mechanism.body]" });
    out.key("name", text(&body.name));
    match &body.flexible {
        Some(flexible) => write_flexible(out, flexible),
        None if body.is_point => {
            out.key(
                "solid",
                Value::Table(toml::Table::from_iter([
                    ("point".to_string(), Value::Boolean(true)),
                    ("mass".to_string(), Value::Float(body.mass)),
                ])),
            );
            out.key("support", text(body.support.name()));
        }
        None => {
            out.key("mass", body.mass);
            out.key("inertia", body.inertia.map(|row| row.to_vec()).to_vec());
            if body.inertia_axes != UNTURNED {
                out.key("inertia_axes", body.inertia_axes.to_vec());
            }
            out.key("inertia_about", text(body.inertia_about.name()));
            out.key("centre_of_mass", body.centre_of_mass.to_vec());
            out.key("support", text(body.support.name()));
        }
    }

    out.heading("[mechanism.body.initial]");
    let initial = &body.initial;
    let given = initial.given;
    for (is_given, key, value) in [
        (given.position, "position", numbers(&initial.position)),
        (given.velocity, "velocity", numbers(&initial.velocity)),
        (given.attitude, "attitude", numbers(&initial.attitude)),
        (given.angular_velocity, "angular_velocity", numbers(&initial.angular_velocity)),
    ] {
        if is_given {
            out.key(key, value);
        }
    }
    out.key("angular_velocity_axes", text(initial.angular_velocity_axes.name()));
    out.key("approximate", given.approximate);
}

fn write_flexible(out: &mut Writer, flexible: &Flexible) {
    out.heading("[mechanism.body.flexible]");
    out.key("level", text(flexible.level.name()));
    out.key("frame", text(name(&FRAMES, matches!(flexible.frame, Floating::Attached(_)))));
    if let Floating::Attached(at) = flexible.frame {
        out.key("at", numbers(&at));
    }
    match &flexible.source {
        FlexibleSource::Beam(beam) => out.key("beam", beam_table(beam)),
        FlexibleSource::Structure(frame) => out.key("structure", structure_table(frame)),
        FlexibleSource::Modal(file) => out.key("modal", text(&file.text())),
    }
    out.key("damping", numbers(&flexible.damping));
    out.key("stiffness_scale", flexible.stiffness_scale);
    out.key("damping_scale", flexible.damping_scale);
    out.key("amplitudes", numbers(&flexible.amplitudes));
    out.key("amplitude_rates", numbers(&flexible.amplitude_rates));
    out.key("watch", numbers(&flexible.watch));
}

fn beam_table(beam: &beam::ModalBeam) -> Value {
    let mut entries = vec![
        ("length", beam.length.into()),
        ("mass", beam.mass.into()),
        ("polar_inertia", beam.polar_inertia.into()),
        ("bending_stiffness", numbers(&beam.bending_stiffness)),
        ("axial_stiffness", beam.axial_stiffness.into()),
        ("torsional_stiffness", beam.torsional_stiffness.into()),
        ("boundary", text(beam.boundary.name())),
        ("centrifugal_stiffening", beam.centrifugal_stiffening.into()),
    ];
    entries.extend(MODES.into_iter().zip(beam.modes.map(|modes| count(modes as u64))));
    put(&mut entries, &MODAL_BEAM, "deflections", &beam.deflections);
    if beam.centrifugal_stiffening {
        entries.push(("held_at", text(beam.pull.held.name())));
        if beam.pull.held != BeamAnchor::Nowhere {
            entries.push(("turns_about", beam.pull.about.into()));
        }
    }
    entries.extend(beam.masses.map(|masses| ("masses", count(masses as u64))));
    table(entries)
}

fn structure_table(frame: &Frame) -> Value {
    let nodes = frame.nodes.iter().map(|node| {
        table([
            ("name", text(&node.name)),
            ("at", numbers(&node.at)),
            ("mass", node.mass.into()),
            ("rotary_inertia", numbers(&node.inertia)),
        ])
    });
    let members = frame.members.iter().map(|member| {
        let ends = member.nodes.iter().map(|node| text(&frame.nodes[*node].name));
        table([
            ("nodes", Value::Array(ends.collect())),
            ("mass", member.mass.into()),
            ("axial_stiffness", member.axial_stiffness.into()),
            ("bending_stiffness", numbers(&member.bending_stiffness)),
            ("torsional_stiffness", member.torsional_stiffness.into()),
            ("y", numbers(&member.y)),
        ])
    });
    let deflections = frame.deflections.iter().map(|deflection| {
        let load = match deflection.load {
            StaticLoad::Force(force) => ("force", numbers(&force)),
            StaticLoad::Torque(torque) => ("torque", numbers(&torque)),
        };
        table([("node", text(&frame.nodes[deflection.node].name)), load])
    });
    table([
        ("nodes", Value::Array(nodes.collect())),
        ("members", Value::Array(members.collect())),
        ("modes", count(frame.modes as u64)),
        ("held", Value::Array(frame.held.iter().map(|node| text(&frame.nodes[*node].name)).collect())),
        ("deflections", Value::Array(deflections.collect())),
    ])
}

fn write_load(out: &mut Writer, load: &Load, mechanism: &Mechanism) {
    out.heading("[[mechanism.load]]");
    out.key("name", text(&load.name));
    out.key("body", text(&mechanism.bodies[load.body].name));
    out.key("kind", text(load.kind.name()));
    out.key("axes", text(load.axes.name()));
    let on_flexible = mechanism.bodies[load.body].flexible.is_some();
    if load.kind == polhode_description::describe::mechanism::LoadKind::Force || on_flexible {
        out.key("point", load.point.to_vec());
    }
    if let Some(function) = &load.function {
        out.key("function", Value::Array(function.iter().map(|f| of_time(f, mechanism)).collect()));
        return;
    }
    let pieces = load.pieces.iter().map(|piece| {
        table([
            ("from", piece.from.into()),
            ("until", piece.until.into()),
            ("value", piece.value.to_vec().into()),
        ])
    });
    out.key("pieces", Value::Array(pieces.collect()));
}

fn distribution(distribution: &Distribution) -> Value {
    match distribution {
        Distribution::Drawn { name, values } => drawn(name, values),
        Distribution::List { values } => only("list", values.clone().into()),
        Distribution::Linspace { from, to, count: points } => only(
            "linspace",
            table([("from", (*from).into()), ("to", (*to).into()), ("count", count(*points))]),
        ),
        Distribution::Logspace { from, to, count: points } => only(
            "logspace",
            table([("from", (*from).into()), ("to", (*to).into()), ("count", count(*points))]),
        ),
        Distribution::Table { file, columns, values: _ } => {
            let columns = columns.iter().map(|column| text(column)).collect();
            only("table", table([("file", text(file)), ("columns", Value::Array(columns))]))
        }
    }
}

/// Observed channels as study files name them. A bare name stands for all channels of this name
/// that the mechanism has.
fn channels(study: &Study) -> Vec<Value> {
    let (mechanism, observed) = (&study.mechanism, &study.observe.channels);
    let whole = |channel: Channel| {
        let same = channels::named(&channel.name());
        let mut there = same.into_iter().filter(|other| !channels::owners(mechanism, *other).is_empty());
        there.all(|other| observed.contains(&other.into()))
    };
    let mut names: Vec<String> = Vec::new();
    for ObservedChannel { channel, of } in observed {
        let owned = |k: usize| channel.name_of(channel.owner().names(mechanism)[k]);
        match of {
            Some(k) => names.push(owned(*k)),
            None if channel.is_value() || !whole(*channel) => {
                names.extend(channels::owners(mechanism, *channel).into_iter().map(owned))
            }
            None if names.iter().any(|name| *name == channel.name()) => {}
            None => names.push(channel.name().into_owned()),
        }
    }
    names.iter().map(|name| text(name)).collect()
}

/// A distribution by its word, or as a table of its parameters in the order of its card.
fn drawn(name: &'static str, values: &Values) -> Value {
    let Some(card) = distributions::card(name) else { return text(name) };
    if let Some(word) = card.word {
        return text(word);
    }
    if let Some(weight) =
        card.parameters.first().filter(|_| card.is_mixture()).map(|parameter| parameter.name)
    {
        let part = |part: &MixturePart| {
            let mut entries = toml::Table::from_iter([(weight.to_string(), part.weight.into())]);
            if let Value::Table(distribution) = drawn(part.name, &part.values) {
                entries.extend(distribution);
            }
            Value::Table(entries)
        };
        return only(name, Value::Array(values.parts(weight).iter().map(part).collect()));
    }
    let parameters = card.parameters.iter().filter_map(|parameter| {
        let value = match values.get(parameter.name)? {
            ParameterValue::Number(number) => (*number).into(),
            // A bound that is infinite is left out: all components of it are, or none.
            ParameterValue::Vector(vector) if vector.iter().any(|x| !x.is_finite()) => return None,
            ParameterValue::Vector(vector) => numbers(vector),
            ParameterValue::Rows(rows) => rows.clone().into(),
            ParameterValue::Parts(_) => return None,
        };
        Some((parameter.name, value))
    });
    only(name, table(parameters))
}
