//! Reads and writes what a study of kind `sensitivity` sets: how many instances it takes, and what
//! cannot be asked.

use super::keyed::{Keyed, QuestionContext};
use crate::declared::section;
use crate::document::{Node, Table};
use crate::keys::{KIND, MAX_SIZE, Section};
use crate::writer::{Entries, count, text};
use polhode_description::describe::kind::KindCard;
use polhode_description::describe::sensitivity::{FEWEST, counted};
use polhode_description::describe::{Design, Screening, Sensitivity, Vary};
use polhode_dynamics::ensemble::sampling::{inputs_of, stands_still};

section! { static KEYS = Sensitivity::CARD.question;
    @KIND;
    method: Choice(&["sobol", "morris"]), Default("\"sobol\""),
        "Shares of the variance (sobol), or elementary effects (morris).";
    samples: Count { min: FEWEST, max: MAX_SIZE }, Required,
        "Rows of the design or trajectories, N. With k inputs N (k + 2) instances are run, N (2 k + 2) for \
         pairs, N (k + 1) by Morris's method.";
    second_order: Flag, Default("false"), "Indices of pairs of inputs too (sobol).";
    levels: Count { min: 2, max: 100 }, Optional,
        "Levels of the grid on which inputs move, an even number (morris). Absent: 4.";
}

/// Levels of a study by Morris's method that gives none.
const LEVELS: u64 = 4;

/// Reads the question of a study file, if it is of this kind: it settles the size of the ensemble,
/// and so is read before it. The inner value is none where the table is wrong.
pub(crate) fn begun(study: &Table<'_>) -> Option<Option<Sensitivity>> {
    let node = study.get("study").filter(|node| node.peek("kind") == Some(Sensitivity::CARD.name))?;
    Some(node.table(&KEYS).and_then(|table| sensitivity(&table)))
}

fn sensitivity(table: &Table<'_>) -> Option<Sensitivity> {
    let method = table.read("method");
    let (samples, second_order, levels) =
        (table.read("samples"), table.read("second_order"), table.read("levels"));
    let (method, second_order, levels): (&str, bool, Option<u64>) = (method?, second_order?, levels?);
    let levels = levels.unwrap_or(LEVELS);
    if !levels.is_multiple_of(2) {
        table.get("levels")?.refuse("an even number of levels", "give e.g. 4");
        return None;
    }
    let stray = |name: &str, of: &str| {
        let Some(node) = table.get(name).filter(|_| table.has(name)) else { return };
        node.report(format!("{name} is of the method {of}"), |problem| {
            problem.advise(format!("leave it out, or set method = \"{of}\""))
        });
    };
    let method = match method {
        "morris" if second_order => {
            stray("second_order", "sobol");
            return None;
        }
        "morris" => Screening::Morris { levels },
        _ if table.has("levels") => {
            stray("levels", "morris");
            return None;
        }
        _ => Screening::Sobol { second_order },
    };
    Some(Sensitivity { method, samples: samples? })
}

/// The number of instances; what cannot be asked of this ensemble is reported where it stands.
/// `study` is the whole file, `ensemble` its table.
pub(crate) fn sensitivity_size(
    settings: &Sensitivity,
    study: &Table<'_>,
    ensemble: &Table<'_>,
    given: Option<Option<u64>>,
    design: Design,
    vary: &[Vary],
) -> Option<u64> {
    if vary.is_empty() {
        ensemble.report("nothing varies, and a sensitivity needs inputs that vary", |problem| {
            problem.advise("give [ensemble.vary] the inputs, e.g. \"body.mass\"")
        });
        return None;
    }
    let laid_out: Vec<&Vary> = vary.iter().filter(|vary| inputs_of(vary).is_none()).collect();
    let still: Vec<&Vary> = vary.iter().filter(|vary| stands_still(vary)).collect();
    if let Some(node) = ensemble.get("vary") {
        for (name, entry) in node.map()? {
            if laid_out.iter().any(|vary| vary.target.key == name) {
                refuse_laid_out(&entry);
            } else if still.iter().any(|vary| vary.target.key == name) {
                entry.report("does not vary, and a sensitivity needs inputs that vary", |problem| {
                    problem.advise("give `low` below `high`, or a `std` above 0, or leave it out")
                });
            }
        }
    }
    if !laid_out.is_empty() || !still.is_empty() {
        return None;
    }
    let inputs = vary.iter().filter_map(inputs_of).map(|numbers| numbers.len()).sum();
    let at_samples = |found: String, advice: String| {
        let table = study.get("study")?;
        let entries = table.map()?;
        let (_, samples) = entries.iter().find(|(name, _)| *name == "samples")?;
        samples.report(found, |problem| problem.advise(advice));
        None
    };
    let n = settings.samples;
    let power = n.next_power_of_two();
    if settings.method.name() == "sobol" && design == Design::Sobol && power != n {
        return at_samples(
            format!("{n} is no power of 2, and Sobol points are even only in powers of 2"),
            format!("give {} or {power}, or set ensemble.design = \"random\"", power / 2),
        );
    }
    let size = settings.instances(inputs);
    if size > MAX_SIZE {
        return at_samples(
            format!("{n} samples of {} make {size} instances", counted(inputs)),
            "the most is 10^9 instances".to_string(),
        );
    }
    if let (Some(given), Some(node)) = (given, ensemble.get("size"))
        && let Some(found) = settings.is_not(given?, inputs)
    {
        node.report(found, |problem| problem.advise(format!("leave `size` out, or give {size}")));
        return None;
    }
    Some(size)
}

impl Keyed for Sensitivity {
    const CARD: &'static KindCard = &Sensitivity::CARD;

    fn keys() -> &'static Section {
        &KEYS
    }

    fn read(_: &Table<'_>, context: &QuestionContext<'_>) -> Option<Sensitivity> {
        context.sensitivity.flatten()
    }

    fn entries(&self) -> Entries {
        let of_method = match self.method {
            Screening::Sobol { second_order } => ("second_order", second_order.into()),
            Screening::Morris { levels } => ("levels", count(levels)),
        };
        vec![("method", text(self.method.name())), ("samples", count(self.samples)), of_method]
    }
}

fn refuse_laid_out(entry: &Node<'_>) {
    entry.report("is a list or a grid, which has no probability, and a sensitivity needs one", |problem| {
        problem.advise("give a distribution, such as uniform = { low = .., high = .. }")
    });
}
