//! Reads and writes what a study of kind `convergence` sets.

use toml::Value;

use super::document::{Node, Table};
use super::keys::Presence::{Default, Optional, Required};
use super::keys::{
    DEFAULT_METHOD, Form, MAX_STEPS, Section, compared_method_section, key, kind_key, method_names,
    treatment_names,
};
use super::read_kind::{Keyed, QuestionContext};
use super::read_study::{PRECISIONS, settings, whole_steps};
use super::write::{Writer, count, name, setting_value, text};
use crate::base::units::Dimension;
use crate::base::{Card, Options, Setting, Takes};
use crate::describe::throughput::MOST_REPEATS;
use crate::describe::{Constraints, Convergence, Mechanism, MethodVariant, Question, TimeIntegration};
use crate::methods::{cards, chooses_steps};
use crate::treatments;

static KEYS: Section = Section {
    doc: Convergence::CARD.question,
    keys: &[
        kind_key(),
        key(
            "methods",
            Form::List(&Form::Either(&[&Form::Names(method_names), &Form::ComparedMethod])),
            Required,
            "What is compared: names of methods, or tables of a name and settings.",
        ),
        key(
            "treatments",
            Form::List(&Form::Names(treatment_names)),
            Optional,
            "Ways to hold the joints; those that a method cannot use are left out for it. Absent: that of [constraints].",
        ),
        key(
            "precisions",
            Form::List(&Form::Choice(&["f32", "f64"])),
            Default("[\"f64\"]"),
            "Precisions of the computation.",
        ),
        key(
            "steps",
            Form::List(&Form::Quantity(Dimension::Time)),
            Required,
            "Steps, descending, of each of which the duration is a whole number.",
        ),
        key(
            "targets",
            Form::Numbers(None),
            Default("[1e-3, 1e-6, 1e-9]"),
            "Errors of attitude, or of a flexible body's deformation, at the end (rad): for each the largest step that meets it is looked for, and its cost.",
        ),
        key(
            "repeats",
            Form::Count { min: 1, max: MOST_REPEATS },
            Default("5"),
            "Turns that medians of times are taken over.",
        ),
        key(
            "budget",
            Form::Quantity(Dimension::Time),
            Optional,
            "Wall-clock time for accurate motions and errors, those of earlier sittings included: what is not computed by then, the finest steps and the targets, is left out, and named. Absent: all is computed.",
        ),
    ],
};

impl MethodVariant {
    pub fn card(&self) -> &'static Card {
        let of_name = cards().iter().find(|card| card.name == self.name);
        of_name.expect("the method of a study is one of the registry")
    }

    /// Its name, and the settings that are not what they are when nothing is said.
    pub fn label(&self) -> String {
        let card = self.card();
        let mut label = self.name.to_string();
        for (key, setting) in self.options.iter() {
            let usual = card.keys.iter().find(|k| k.name == key).and_then(|k| k.kind.default());
            if usual.as_ref() != Some(setting) {
                match setting {
                    Setting::Choice(name) => label.push_str(&format!(", {}", name.replace('_', " "))),
                    other => label.push_str(&format!(", {key} {other}")),
                }
            }
        }
        label
    }

    /// Whether it can hold this mechanism by the treatment of this name.
    pub fn takes(&self, mechanism: &Mechanism, treatment: &str) -> bool {
        let of = |property: fn(&treatments::TreatmentCard) -> bool| {
            treatments::CARDS.iter().any(|card| card.name == treatment && property(card))
        };
        let (carries, partitions) = (of(|card| card.carries > 0), of(|card| card.partitions));
        match self.card().takes {
            Takes::OneBody => mechanism.is_one_body(),
            Takes::RigidBodies => mechanism.is_rigid(),
            Takes::AnyMechanism => !(mechanism.is_held() && carries),
            Takes::AnyMechanismAndTreatment => !(mechanism.is_held() && partitions),
            // It has no step to be compared.
            Takes::WithoutLocks | Takes::PositionsOfJoints => false,
        }
    }
}

impl Convergence {
    /// Against the rest of the study, which fills in what it leaves open.
    fn check(
        &mut self,
        table: &Table<'_>,
        mechanism: &Mechanism,
        method: &TimeIntegration,
        constraints: &Constraints,
    ) {
        if self.treatments.is_empty() {
            self.treatments.push(constraints.treatment);
        }
        let duration = method.step * method.steps as f64;
        if let Some(node) = table.get("steps") {
            for step in &self.steps {
                whole_steps(&node, &format!("the duration of {duration:?} s"), duration, *step);
                for (signal, every) in mechanism.sampled_signals() {
                    let name = &mechanism.signals[signal].name;
                    let named = format!("the {every:?} s after which the signal `{name}` is sampled");
                    whole_steps(&node, &named, every, *step);
                }
            }
        }
        if let Some(load) = mechanism.loads.iter().find(|load| load.is_timed()) {
            table.report(
                &format!(
                    "no order shows where loads jump: the load `{}` begins or ends at a time",
                    load.name
                ),
                |problem| problem.advise("give it as a function of time, or leave it out"),
            );
        }
        let Some(node) = table.get("methods") else { return };
        let takes = |variant: &MethodVariant| self.treatments.iter().any(|t| variant.takes(mechanism, t));
        for variant in self.methods.iter().filter(|variant| !takes(variant)) {
            let plain = |name| MethodVariant { name, options: Options::default(), resynchronise: 0 };
            let others = cards().iter().map(|card| card.name).filter(|name| takes(&plain(name)));
            let others = others.collect::<Vec<_>>().join(", ");
            node.report(
                format!(
                    "the method {} takes no such mechanism with the treatment {}",
                    variant.name,
                    self.treatments.join(", ")
                ),
                |problem| problem.advise(format!("use {others}, or give other treatments")),
            );
        }
    }
}

impl Keyed for Convergence {
    fn keys() -> &'static Section {
        &KEYS
    }

    fn read(table: &Table<'_>, asked: &QuestionContext<'_>) -> Option<Convergence> {
        let methods = table.get("methods").and_then(|node| {
            let nodes = node.list()?;
            let read: Option<Vec<MethodVariant>> = nodes.iter().map(variant).collect();
            let methods = read?;
            once(&nodes, &methods)?;
            if methods.is_empty() {
                node.refuse("a method or several", "give e.g. [\"staggered\"]");
                return None;
            }
            Some(methods)
        });
        let treatments = match table.get("treatments") {
            None => Some(Vec::new()),
            Some(node) => node.list().and_then(|nodes| {
                let treatments: Option<Vec<_>> = nodes.iter().map(|n| n.one_of(treatment_names())).collect();
                once(&nodes, treatments.as_deref()?)?;
                treatments
            }),
        };
        let precisions = table.get("precisions").and_then(|node| node.some_of(&PRECISIONS));
        let steps = table.get("steps").and_then(|node| {
            let steps = node.quantities(Dimension::Time)?;
            let falls = steps.is_sorted_by(|a, b| a > b) && steps.iter().all(|h| *h > 0.0);
            if steps.len() < 2 || !falls {
                node.refuse(
                    "a ladder: two positive times or more, each shorter than the one before",
                    "give e.g. [\"4 ms\", \"2 ms\", \"1 ms\"]",
                );
                return None;
            }
            Some(steps)
        });
        let targets = table.get("targets").and_then(|node| {
            let targets = node.numbers()?;
            if targets.iter().all(|target| *target > 0.0) {
                return Some(targets);
            }
            node.refuse("positive errors (rad)", "give e.g. [1e-3, 1e-6]");
            None
        });
        let repeats = table.get("repeats").and_then(|node| node.count(1, MOST_REPEATS));
        let budget = match table.get("budget") {
            None => None,
            Some(node) => Some(node.positive(Dimension::Time)?),
        };
        let mut read = Convergence {
            methods: methods?,
            treatments: treatments?,
            precisions: precisions?,
            steps: steps?,
            targets: targets?,
            repeats: repeats?,
            budget,
        };
        if let (Some(mechanism), Some(method), Some(constraints)) =
            (asked.mechanism, asked.method, asked.constraints)
        {
            read.check(table, mechanism, method, constraints);
        }
        Some(read)
    }

    fn write(&self, out: &mut Writer) {
        let methods = self.methods.iter().map(|variant| {
            let mut entry = toml::Table::new();
            entry.insert("name".to_string(), text(variant.name));
            if variant.card().resynchronises {
                entry.insert("resynchronise".to_string(), count(variant.resynchronise));
            }
            for (key, setting) in variant.options.iter() {
                entry.insert(key.to_string(), setting_value(setting));
            }
            Value::Table(entry)
        });
        out.key("methods", Value::Array(methods.collect()));
        out.key("treatments", Value::Array(self.treatments.iter().map(|t| text(t)).collect()));
        let precisions = self.precisions.iter().map(|precision| text(name(&PRECISIONS, *precision)));
        out.key("precisions", Value::Array(precisions.collect()));
        out.key("steps", self.steps.clone());
        out.key("targets", self.targets.clone());
        out.key("repeats", count(self.repeats));
        if let Some(budget) = self.budget {
            out.key("budget", budget);
        }
    }
}

/// Refuses what is in a list a second time: it would be measured twice, under one name.
fn once<T: PartialEq>(nodes: &[Node<'_>], read: &[T]) -> Option<()> {
    let again = (1..read.len()).find(|k| read[..*k].contains(&read[*k]));
    let Some(again) = again else { return Some(()) };
    nodes[again].report(format!("{} is listed twice", nodes[again].source()), |problem| {
        problem.advise("leave one of them out, or give them different settings")
    });
    None
}

/// A method by its name, or with settings as a table; of fixed steps, whose operations can be counted.
fn variant(node: &Node<'_>) -> Option<MethodVariant> {
    let variant = named_or_set(node)?;
    if chooses_steps(variant.name, &variant.options) {
        node.report(format!("the method {} has no step to be compared", variant.name), |problem| {
            problem.advise("use a method of fixed steps: `polhode methods` lists them")
        });
        return None;
    }
    Some(variant)
}

fn named_or_set(node: &Node<'_>) -> Option<MethodVariant> {
    if node.is_text() {
        let name = node.one_of(method_names())?;
        let card = cards().iter().find(|card| card.name == name)?;
        let options = Options::defaults(card.keys);
        return Some(MethodVariant {
            name,
            options,
            resynchronise: if card.resynchronises { 200 } else { 0 },
        });
    }
    let table = &node.table(compared_method_section(node.peek("name").unwrap_or(DEFAULT_METHOD)))?;
    let name = table.get("name").and_then(|node| node.one_of(method_names()))?;
    let card = cards().iter().find(|card| card.name == name)?;
    let resynchronise = match card.resynchronises {
        true => table.get("resynchronise").and_then(|node| node.count(0, MAX_STEPS)),
        false => Some(0),
    };
    Some(MethodVariant { name, options: settings(table, card.keys)?, resynchronise: resynchronise? })
}
