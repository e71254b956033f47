//! Keys of a study of kind `throughput`.

use super::declared::{Declared, Named, declare, named};
use super::document::{Document, Table};
use super::keys::{KIND, MAX_STEPS};
use crate::base::Precision;
use crate::base::units::Dimension;
use crate::describe::throughput::{ENGINES, MOST_INSTANCES, MOST_JUDGED, MOST_REPEATS};
use crate::describe::{Engine, Question, Throughput};

declare! { Throughput, Throughput::CARD.question, check: ladders;
    @KIND;
    sizes: List(&Count { min: 1, max: MOST_INSTANCES }), Default("[1_000, 10_000, 100_000, 1_000_000]"),
        "Numbers of instances, ascending. `ensemble.size` has no say.";
    steps: List(&Count { min: 1, max: MAX_STEPS }), Default("[100, 1_000]"),
        "Steps that are taken before the host looks on, ascending.";
    backends: List(&Choice(Engine::NAMES)), Default("[\"reference\", \"interpreted\", \"cpu\", \"gpu\"]"),
        "What computes: the f64 reference, the CPU by an interpreter with the vectors that every processor \
         has, the CPU as studies use it with 1, 2, 4 ... threads, every GPU adapter.";
    precisions: List(&Choice(Precision::NAMES)), Default("[\"f32\", \"f64\"]"),
        "Precisions of the computation.";
    repeats: Count { min: 1, max: MOST_REPEATS }, Default("5"),
        "Turns that medians are taken over; all that is compared takes its turn in each.";
    budget: Positive(Dimension::Time), Default("60.0"),
        "Wall-clock time that all of it may take, about; the ladders are shortened to fit.";
    judged: Count { min: 1, max: MOST_JUDGED }, Default("4"),
        "Instances, the first ones, whose end after `duration` is compared with the accurate motion.";
}

named!(Engine, ENGINES);

/// The default of every key: the measurements where a study does not name them.
pub fn default_throughput() -> Throughput {
    let nothing = Document::of_text("a throughput study", String::new());
    nothing
        .read(Throughput::SECTION, Declared::read)
        .expect("the defaults of keys are values that they allow")
}

/// Sizes and steps ascend, and there is at least one.
fn ladders(read: &Throughput, table: &Table<'_>) -> Option<()> {
    for (key, rungs) in [("sizes", &read.sizes), ("steps", &read.steps)] {
        if rungs.is_empty() || !rungs.is_sorted_by(|a, b| a < b) {
            table.get(key)?.refuse(
                "a ladder: whole numbers, each larger than the one before",
                "give e.g. [1_000, 10_000]",
            );
            return None;
        }
    }
    Some(())
}
