//! Reads and writes what a study of kind `throughput` sets.

use toml::Value;

use super::document::{Document, Table};
use super::keys::{MAX_STEPS, THROUGHPUT};
use super::read_study::PRECISIONS;
use super::write::{Writer, count, name, text};
use crate::base::units::Dimension;
use crate::describe::Throughput;
use crate::describe::throughput::{ENGINES, MOST_INSTANCES, MOST_JUDGED, MOST_REPEATS};

/// What is measured where a study does not say.
impl Default for Throughput {
    fn default() -> Throughput {
        let nothing = Document::of_text("a throughput study", String::new());
        nothing.read(&THROUGHPUT, Throughput::read).expect("the defaults of keys are values that they allow")
    }
}

impl Throughput {
    pub(super) fn read(table: &Table<'_>) -> Option<Throughput> {
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

    pub(super) fn write(&self, out: &mut Writer) {
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
