//! What a study of kind `throughput` sets: the ladders that are climbed, and on what.

use serde::Serialize;
use toml::Value;

use super::document::{Document, Table};
use super::keys::{MAX_STEPS, THROUGHPUT};
use super::read_study::PRECISIONS;
use super::study::Precision;
use super::units::Dimension;
use super::write::{Writer, count, name, text};

/// Largest ensemble of a rung: what is timed lies in memory whole.
pub const MOST_INSTANCES: u64 = 100_000_000;
/// Most instances that are judged by the reference.
pub const MOST_JUDGED: u64 = 256;
pub const MOST_REPEATS: u64 = 101;

/// How fast one mechanism is advanced, on what, and how accurately.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Throughput {
    /// Numbers of instances, ascending.
    pub sizes: Vec<u64>,
    /// Steps that are taken without the host looking on, ascending.
    pub steps: Vec<u64>,
    pub backends: Vec<Engine>,
    pub precisions: Vec<Precision>,
    /// Turns that medians are taken over.
    pub repeats: u64,
    /// Wall-clock time that all of it may take (s).
    pub budget: f64,
    /// Instances, the first ones, whose end is compared with the accurate motion.
    pub judged: u64,
}

/// What computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// The independent f64 reference, one instance after another.
    Reference,
    /// The CPU by an interpreter with the vectors that every processor has, one thread.
    Interpreted,
    /// The CPU as studies use it, with 1, 2, 4 ... threads.
    Cpu,
    /// Every adapter that there is, those that are software too.
    Gpu,
}

pub const ENGINES: [(&str, Engine); 4] = [
    ("reference", Engine::Reference),
    ("interpreted", Engine::Interpreted),
    ("cpu", Engine::Cpu),
    ("gpu", Engine::Gpu),
];

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
