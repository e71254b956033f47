//! `[study] kind = "convergence"`: what is compared, over which steps, and how accurate it must
//! become.

use toml::Value;

use super::keyed::{QuestionContext, keyed};
use crate::declared::{FileValue, Named, declare};
use crate::document::{Node, Table};
use crate::keys::{DEFAULT_METHOD, Form, KIND, compared_method_section, method_names, treatment_names};
use crate::read_method::{settings, whole_steps};
use crate::writer::{method_entries, table};
use polhode_description::base::units::Dimension;
use polhode_description::base::{Card, Options, Precision, Setting, Takes};
use polhode_description::describe::Question;
use polhode_description::describe::kind::{Ends, InstanceRows, KindCard};
use polhode_description::describe::{Mechanism, TimeIntegration};
use polhode_description::treatments;
use polhode_dynamics::methods::{RESYNCHRONISED, cards, chooses_steps};

/// Most instances that are judged by the reference.
pub const MOST_JUDGED: u64 = 256;
pub const MOST_REPEATS: u64 = 101;

/// Error against step and cost, of one or several methods.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    pub methods: Vec<MethodVariant>,
    /// Treatments of the joints; those that a method cannot use are left out for it.
    pub treatments: Vec<&'static str>,
    pub precisions: Vec<Precision>,
    /// Steps (s), descending.
    pub steps: Vec<f64>,
    /// Errors in attitude or deformation at the end (rad) for which the largest step is looked for.
    pub targets: Vec<f64>,
    /// Turns that the medians of times are taken over.
    pub repeats: u64,
    /// Wall-clock time after which no more errors are computed (s); `None`: all are.
    pub budget: Option<f64>,
}

/// A method with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodVariant {
    pub name: &'static str,
    pub options: Options,
    pub resynchronise: u64,
}

impl MethodVariant {
    /// The method of a study, stepped so.
    pub fn stepping(&self, step: f64, steps: u64) -> TimeIntegration {
        TimeIntegration {
            name: self.name,
            options: self.options.clone(),
            step,
            steps,
            resynchronise: self.resynchronise,
            accuracy: None,
            open: None,
            chosen: false,
        }
    }

    /// Its card.
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
        let has = |property: fn(&treatments::TreatmentCard) -> bool| {
            treatments::CARDS.iter().any(|card| card.name == treatment && property(card))
        };
        let (carries, partitions) = (has(|card| card.carries > 0), has(|card| card.partitions));
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
    pub const CARD: KindCard = KindCard {
        name: "convergence",
        question: "How the error at the end of `duration` falls with the step, and what that costs. \
                   `ensemble.size` instances are judged.",
        wants_program: true,
        own_methods: true,
        ends: Ends::Unjudged,
        rows: InstanceRows::None,
        ..KindCard::ADVANCED
    };
}

impl Question for Convergence {
    fn card(&self) -> &'static KindCard {
        &Convergence::CARD
    }
}

declare! { Convergence, Convergence::CARD.question, check: ladders;
    @KIND;
    methods: List(&Either(&[&Names(method_names), &ComparedMethod])), Required,
        "What is compared: names of methods, or tables of a name and settings.";
    treatments: List(&Names(treatment_names)), Optional,
        "Ways to hold the joints; those that a method cannot use are left out for it. Absent: that of \
         [constraints].";
    precisions: List(&Choice(Precision::NAMES)), Default("[\"f64\"]"), "Precisions of the computation.";
    steps: List(&Quantity(Dimension::Time)), Required,
        "Steps, descending, of each of which the duration is a whole number.";
    targets: Numbers(None), Default("[1e-3, 1e-6, 1e-9]"),
        "Errors of attitude, or of a flexible body's deformation, at the end (rad): for each the largest \
         step that meets it is looked for, and its cost.";
    repeats: Count { min: 1, max: MOST_REPEATS }, Default("5"), "Turns that medians of times are taken over.";
    budget: Positive(Dimension::Time), Optional,
        "Wall-clock time for accurate motions and errors, those of earlier sittings included: what is not \
         computed by then, the finest steps and the targets, is left out, and named. Absent: all is \
         computed.";
}

keyed!(Convergence, checked);

/// Against the rest of the study, which fills in what it leaves open.
fn checked(
    mut question: Convergence,
    table: &Table<'_>,
    context: &QuestionContext<'_>,
) -> Option<Convergence> {
    let (Some(mechanism), Some(method), Some(constraints)) =
        (context.mechanism, context.method, context.constraints)
    else {
        return Some(question);
    };
    if question.treatments.is_empty() {
        question.treatments.push(constraints.treatment);
    }
    let duration = method.step * method.steps as f64;
    if let Some(node) = table.get("steps") {
        for step in &question.steps {
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
            &format!("no order shows where loads jump: the load `{}` begins or ends at a time", load.name),
            |problem| problem.advise("give it as a function of time, or leave it out"),
        );
    }
    let node = table.get("methods")?;
    let takes = |variant: &MethodVariant| question.treatments.iter().any(|t| variant.takes(mechanism, t));
    for variant in question.methods.iter().filter(|variant| !takes(variant)) {
        let plain = |name| MethodVariant { name, options: Options::default(), resynchronise: 0 };
        let others = cards().iter().map(|card| card.name).filter(|name| takes(&plain(name)));
        let others = others.collect::<Vec<_>>().join(", ");
        node.report(
            format!(
                "the method {} cannot advance this mechanism with the treatment {}",
                variant.name,
                question.treatments.join(", ")
            ),
            |problem| problem.advise(format!("use {others}, or give other treatments")),
        );
    }
    Some(question)
}

/// Methods and treatments are named once; steps fall, and errors are positive.
fn ladders(read: &Convergence, table: &Table<'_>) -> Option<()> {
    let methods = table.get("methods")?;
    let once_each = once(&methods, &read.methods);
    if let Some(node) = table.get("treatments") {
        once(&node, &read.treatments)?;
    }
    once_each?;
    let falls = read.steps.is_sorted_by(|a, b| a > b) && read.steps.iter().all(|h| *h > 0.0);
    let (key, wanted, advice) = if read.methods.is_empty() {
        ("methods", "a method or several", "give e.g. [\"staggered\"]")
    } else if read.steps.len() < 2 || !falls {
        (
            "steps",
            "a ladder: two positive times or more, each shorter than the one before",
            "give e.g. [\"4 ms\", \"2 ms\", \"1 ms\"]",
        )
    } else if read.targets.iter().any(|target| *target <= 0.0) {
        ("targets", "positive errors (rad)", "give e.g. [1e-3, 1e-6]")
    } else {
        return Some(());
    };
    table.get(key)?.refuse(wanted, advice);
    None
}

/// Refuses what is in a list a second time: it would be measured twice, under one name.
fn once<T: PartialEq>(node: &Node<'_>, read: &[T]) -> Option<()> {
    let nodes = node.list()?;
    let again = (1..read.len()).find(|k| read[..*k].contains(&read[*k]));
    let Some(again) = again else { return Some(()) };
    nodes[again].report(format!("{} is listed twice", nodes[again].source()), |problem| {
        problem.advise("leave one of them out, or give them different settings")
    });
    None
}

/// A method by its name, or with settings as a table; of fixed steps, whose operations can be
/// counted.
impl FileValue for MethodVariant {
    fn read(node: &Node<'_>, _: &'static Form) -> Option<MethodVariant> {
        let variant = named_or_set(node)?;
        if chooses_steps(variant.name, &variant.options) {
            node.report(format!("the method {} has no step to be compared", variant.name), |problem| {
                problem.advise("use a method of fixed steps: `polhode methods` lists them")
            });
            return None;
        }
        Some(variant)
    }

    fn write(&self) -> Option<Value> {
        Some(table(method_entries(self.name, self.resynchronise, &self.options)))
    }
}

fn named_or_set(node: &Node<'_>) -> Option<MethodVariant> {
    if node.is_text() {
        let name = node.one_of(method_names())?;
        let card = cards().iter().find(|card| card.name == name)?;
        let options = Options::defaults(card.keys);
        return Some(MethodVariant {
            name,
            options,
            resynchronise: if card.resynchronises { RESYNCHRONISED } else { 0 },
        });
    }
    let table = &node.table_by(("name", DEFAULT_METHOD), method_names(), compared_method_section)?;
    let name: &str = table.read("name")?;
    let card = cards().iter().find(|card| card.name == name)?;
    let resynchronise = if card.resynchronises { table.read("resynchronise") } else { Some(0) };
    Some(MethodVariant { name, options: settings(table, card.keys)?, resynchronise: resynchronise? })
}
