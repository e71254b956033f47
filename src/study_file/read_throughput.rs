//! Reads and writes what a study of kind `throughput` sets.

use toml::Value;

use super::document::{Document, Table};
use super::keys::Presence::Default as DefaultValue;
use super::keys::{Form, MAX_STEPS, Section, key, kind_key};
use super::read_kind::{Keyed, QuestionContext};
use super::read_study::PRECISIONS;
use super::write::{Writer, count, name, text};
use crate::base::units::Dimension;
use crate::describe::throughput::{ENGINES, MOST_INSTANCES, MOST_JUDGED, MOST_REPEATS};
use crate::describe::{Question, Throughput};

static KEYS: Section = Section {
    doc: Throughput::CARD.question,
    keys: &[
        kind_key(),
        key(
            "sizes",
            Form::List(&Form::Count { min: 1, max: MOST_INSTANCES }),
            DefaultValue("[1_000, 10_000, 100_000, 1_000_000]"),
            "Numbers of instances, ascending. `ensemble.size` has no say.",
        ),
        key(
            "steps",
            Form::List(&Form::Count { min: 1, max: MAX_STEPS }),
            DefaultValue("[100, 1_000]"),
            "Steps that are taken before the host looks on, ascending.",
        ),
        key(
            "backends",
            Form::List(&Form::Choice(&["reference", "interpreted", "cpu", "gpu"])),
            DefaultValue("[\"reference\", \"interpreted\", \"cpu\", \"gpu\"]"),
            "What computes: the f64 reference, the CPU by an interpreter with the vectors that every processor has, the CPU as studies use it with 1, 2, 4 ... threads, every GPU adapter.",
        ),
        key(
            "precisions",
            Form::List(&Form::Choice(&["f32", "f64"])),
            DefaultValue("[\"f32\", \"f64\"]"),
            "Precisions of the computation.",
        ),
        key(
            "repeats",
            Form::Count { min: 1, max: MOST_REPEATS },
            DefaultValue("5"),
            "Turns that medians are taken over; all that is compared takes its turn in each.",
        ),
        key(
            "budget",
            Form::Quantity(Dimension::Time),
            DefaultValue("60.0"),
            "Wall-clock time that all of it may take, about; the ladders are shortened to fit.",
        ),
        key(
            "judged",
            Form::Count { min: 1, max: MOST_JUDGED },
            DefaultValue("4"),
            "Instances, the first ones, whose end after `duration` is compared with the accurate motion.",
        ),
    ],
};

/// The default of every key: the measurements where a study does not name them.
impl Default for Throughput {
    fn default() -> Throughput {
        let nothing = Document::of_text("a throughput study", String::new());
        nothing.read(&KEYS, Throughput::of).expect("the defaults of keys are values that they allow")
    }
}

impl Throughput {
    fn of(table: &Table<'_>) -> Option<Throughput> {
        let sizes = ladder(table, "sizes", MOST_INSTANCES);
        let steps = ladder(table, "steps", MAX_STEPS);
        let backends = table.get("backends").and_then(|node| node.some_of(&ENGINES));
        let precisions = table.get("precisions").and_then(|node| node.some_of(&PRECISIONS));
        let repeats = table.get("repeats").and_then(|node| node.count(1, MOST_REPEATS));
        let budget = table.get("budget").and_then(|node| node.positive(Dimension::Time));
        let judged = table.get("judged").and_then(|node| node.count(1, MOST_JUDGED));
        Some(Throughput {
            sizes: sizes?,
            steps: steps?,
            backends: backends?,
            precisions: precisions?,
            repeats: repeats?,
            budget: budget?,
            judged: judged?,
        })
    }
}

impl Keyed for Throughput {
    fn keys() -> &'static Section {
        &KEYS
    }

    fn read(table: &Table<'_>, _: &QuestionContext<'_>) -> Option<Throughput> {
        Throughput::of(table)
    }

    fn write(&self, out: &mut Writer) {
        let counts = |values: &[u64]| Value::Array(values.iter().map(|n| count(*n)).collect());
        out.key("sizes", counts(&self.sizes));
        out.key("steps", counts(&self.steps));
        let backends = self.backends.iter().map(|backend| text(name(&ENGINES, *backend)));
        out.key("backends", Value::Array(backends.collect()));
        let precisions = self.precisions.iter().map(|precision| text(name(&PRECISIONS, *precision)));
        out.key("precisions", Value::Array(precisions.collect()));
        out.key("repeats", count(self.repeats));
        out.key("budget", self.budget);
        out.key("judged", count(self.judged));
    }
}

/// Whole numbers that ascend, at least one.
fn ladder(table: &Table<'_>, key: &str, most: u64) -> Option<Vec<u64>> {
    let node = table.get(key)?;
    let read: Option<Vec<u64>> = node.list()?.iter().map(|entry| entry.count(1, most)).collect();
    let rungs = read?;
    if rungs.is_empty() || !rungs.is_sorted_by(|a, b| a < b) {
        node.refuse("a ladder: whole numbers, each larger than the one before", "give e.g. [1_000, 10_000]");
        return None;
    }
    Some(rungs)
}
