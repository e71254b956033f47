//! Writes a resolved study back as TOML, in SI units and with every default spelled out: what a run keeps of its
//! description. Reading it gives the same `Study`, bit for bit.

use std::fmt::Write;

use toml::Value;

use super::mechanism::{Axes, Body, Joint, JointKind, Load, Mechanism, Point, Spring};
use super::options::{Options, Setting};
use super::read_mechanism::{AXES, GROUND, INERTIA_ABOUT, JOINT_KINDS, LOAD_KINDS, SUPPORTS};
use super::read_study::{CHANNELS, DESIGNS, PRECISIONS};
use super::study::{BackendChoice, Distribution, Study};
use crate::methods::CARDS;

/// The study as TOML, its mechanism in place, tables of samples by their absolute file names.
pub fn resolved_toml(study: &Study) -> String {
    let mut out = Writer::default();
    out.key("title", text(&study.title));

    out.heading("[method]");
    out.key("name", text(study.method.name));
    out.key("step", study.method.step);
    out.key("steps", count(study.method.steps));
    if CARDS.iter().any(|card| card.name == study.method.name && card.resynchronises) {
        out.key("resynchronise", count(study.method.resynchronise));
    }
    settings(&mut out, &study.method.options);

    out.heading("[constraints]");
    out.key("treatment", text(study.constraints.treatment));
    settings(&mut out, &study.constraints.options);

    out.heading("[ensemble]");
    out.key("size", count(study.ensemble.size));
    out.key("seed", count(study.ensemble.seed));
    out.key("design", text(name(&DESIGNS, study.ensemble.design)));
    out.heading("[ensemble.vary]");
    for varied in &study.ensemble.vary {
        out.key(&text(&varied.target.key).to_string(), distribution(&varied.distribution));
    }

    out.heading("[observe]");
    let channels = study.observe.channels.iter().map(|seen| {
        let channel = name(&CHANNELS, seen.channel);
        match seen.of {
            Some(k) => text(&format!("{}.{channel}", seen.channel.owner().names(&study.mechanism)[k])),
            None => text(channel),
        }
    });
    out.key("channels", Value::Array(channels.collect()));
    out.key("every", count(study.observe.every));
    out.key("keep", count(study.observe.keep));
    out.key("quantiles", study.observe.quantiles.clone());

    out.heading("[verdict]");
    if let Some(bound) = study.verdict.energy {
        out.key("energy", bound);
    }
    if let Some(bound) = study.verdict.quaternion_norm {
        out.key("quaternion_norm", bound);
    }
    out.key("every", count(study.verdict.every));

    out.heading("[run]");
    let backend = match &study.run.backend {
        BackendChoice::Auto => "auto".to_string(),
        BackendChoice::Cpu => "cpu".to_string(),
        BackendChoice::Gpu { adapter: None } => "gpu".to_string(),
        BackendChoice::Gpu { adapter: Some(adapter) } => format!("gpu:{adapter}"),
    };
    out.key("backend", text(&backend));
    out.key("precision", text(name(&PRECISIONS, study.run.precision)));
    out.key("fused", study.run.fused);
    if let Some(threads) = study.run.threads {
        out.key("threads", count(threads as u64));
    }
    if let Some(chunk) = study.run.chunk {
        out.key("chunk", count(chunk));
    }

    mechanism(&mut out, &study.mechanism);
    out.text
}

fn settings(out: &mut Writer, options: &Options) {
    for (key, setting) in options.iter() {
        match setting {
            Setting::Choice(name) => out.key(key, text(name)),
            Setting::Count(n) => out.key(key, count(*n)),
            Setting::Number(x) => out.key(key, *x),
            Setting::Flag(on) => out.key(key, *on),
        }
    }
}

fn mechanism(out: &mut Writer, mechanism: &Mechanism) {
    out.heading("[mechanism]");
    out.key("name", text(&mechanism.name));
    out.key("gravity", mechanism.gravity.to_vec());

    for body in &mechanism.bodies {
        write_body(out, body, mechanism.bodies.len() > 1);
    }
    for joint in &mechanism.joints {
        write_joint(out, joint, mechanism);
    }
    for spring in &mechanism.springs {
        write_spring(out, spring, mechanism);
    }
    for load in &mechanism.loads {
        write_load(out, load, mechanism);
    }
}

/// One of several bodies stands in a list.
fn write_body(out: &mut Writer, body: &Body, of_several: bool) {
    out.heading(if of_several { "[[mechanism.body]]" } else { "[mechanism.body]" });
    out.key("name", text(&body.name));
    out.key("mass", body.mass);
    out.key("inertia", body.inertia.map(|row| row.to_vec()).to_vec());
    out.key("inertia_about", text(name(&INERTIA_ABOUT, body.inertia_about)));
    out.key("centre_of_mass", body.centre_of_mass.to_vec());
    out.key("support", text(name(&SUPPORTS, body.support)));

    out.heading("[mechanism.body.initial]");
    out.key("position", body.initial.position.to_vec());
    out.key("velocity", body.initial.velocity.to_vec());
    out.key("attitude", body.initial.attitude.to_vec());
    out.key("angular_velocity", body.initial.angular_velocity.to_vec());
    out.key("angular_velocity_axes", axes(body.initial.angular_velocity_axes));
}

/// The bodies and points of two sides.
fn write_points(out: &mut Writer, points: &[Point; 2], mechanism: &Mechanism) {
    let name = |point: &Point| text(point.body.map_or(GROUND, |b| mechanism.bodies[b].name.as_str()));
    out.key("bodies", Value::Array(points.iter().map(name).collect()));
    out.key("points", Value::Array(points.iter().map(|point| numbers(&point.at)).collect()));
}

fn write_joint(out: &mut Writer, joint: &Joint, mechanism: &Mechanism) {
    out.heading("[[mechanism.joint]]");
    out.key("name", text(&joint.name));
    out.key("kind", text(name(&JOINT_KINDS, joint.kind)));
    write_points(out, &joint.points, mechanism);
    match joint.kind {
        JointKind::Distance => out.key("length", joint.length),
        JointKind::Spherical => {}
        _ => out.key("axes", Value::Array(joint.frames.iter().map(|frame| numbers(&frame[2])).collect())),
    }
}

fn write_spring(out: &mut Writer, spring: &Spring, mechanism: &Mechanism) {
    out.heading("[[mechanism.spring]]");
    out.key("name", text(&spring.name));
    write_points(out, &spring.points, mechanism);
    out.key("stiffness", spring.stiffness);
    out.key("damping", spring.damping);
    out.key("free_length", spring.free_length);
    out.key("actuator", spring.actuator);
}

fn write_load(out: &mut Writer, load: &Load, mechanism: &Mechanism) {
    out.heading("[[mechanism.load]]");
    out.key("name", text(&load.name));
    out.key("body", text(&mechanism.bodies[load.body].name));
    out.key("kind", text(name(&LOAD_KINDS, load.kind)));
    out.key("axes", axes(load.axes));
    if load.kind == super::mechanism::LoadKind::Force {
        out.key("point", load.point.to_vec());
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
        Distribution::Normal { mean, std } => {
            only("normal", table([("mean", numbers(mean)), ("std", numbers(std))]))
        }
        Distribution::NormalCovariance { mean, covariance } => {
            only("normal", table([("mean", numbers(mean)), ("covariance", covariance.clone().into())]))
        }
        Distribution::Uniform { low, high } => {
            only("uniform", table([("low", numbers(low)), ("high", numbers(high))]))
        }
        Distribution::LogUniform { low, high } => {
            only("log_uniform", table([("low", numbers(low)), ("high", numbers(high))]))
        }
        Distribution::TruncatedNormal { mean, std, low, high } => {
            let bounds = [("low", low), ("high", high)];
            // A bound that is infinite is left out: all components of it are, or none.
            let finite = bounds.into_iter().filter(|(_, bound)| bound.iter().all(|value| value.is_finite()));
            let moments = [("mean", mean), ("std", std)];
            only(
                "truncated_normal",
                table(moments.into_iter().chain(finite).map(|(key, value)| (key, numbers(value)))),
            )
        }
        Distribution::UniformAttitude => text("uniform"),
        Distribution::SmallRotation { nominal, std } => {
            only("small_rotation", table([("std", numbers(std)), ("nominal", numbers(nominal))]))
        }
        Distribution::VonMisesFisher { direction, concentration, magnitude } => only(
            "von_mises_fisher",
            table([
                ("direction", numbers(direction)),
                ("concentration", (*concentration).into()),
                ("magnitude", (*magnitude).into()),
            ]),
        ),
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

#[derive(Default)]
struct Writer {
    text: String,
}

impl Writer {
    fn heading(&mut self, heading: &str) {
        self.line(format_args!("\n{heading}"));
    }

    /// `key` is written as it stands, so quoted by the caller where it must be.
    fn key(&mut self, key: &str, value: impl Into<Value>) {
        self.line(format_args!("{key} = {}", value.into()));
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{line}");
    }
}

fn text(text: &str) -> Value {
    Value::String(text.to_string())
}

/// Counts and seeds are below 2^63 in every study that was read.
fn count(count: u64) -> Value {
    Value::Integer(i64::try_from(count).unwrap_or(i64::MAX))
}

fn numbers(values: &[f64]) -> Value {
    values.to_vec().into()
}

fn axes(axes: Axes) -> Value {
    text(name(&AXES, axes))
}

fn table(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    Value::Table(entries.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
}

fn only(key: &'static str, value: Value) -> Value {
    table([(key, value)])
}

/// The name of a value in the reader's own table of names.
fn name<T: PartialEq>(names: &[(&'static str, T)], value: T) -> &'static str {
    names.iter().find(|(_, known)| *known == value).map_or("", |(name, _)| name)
}
