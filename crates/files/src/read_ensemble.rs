//! Reads how many instances there are, and how they differ: the table `[ensemble]`.

use super::declared::named;
use super::document::Table;
use super::keys::{MAX_SIZE, UNTIL};
use super::kinds::sensitivity::sensitivity_size;
use super::read_correlated::read_correlated;
use super::read_vary::{VariableQuantities, read_vary};
use polhode_description::describe::Sensitivity;
use polhode_description::describe::study::{Design, Ensemble, StoppingRule};
use polhode_description::describe::{Distribution, Vary};

named! {
    Design { Random = "random", Sobol = "sobol", LatinHypercube = "latin_hypercube" }
}

pub(super) fn ensemble(
    study: &Table<'_>,
    table: &Table<'_>,
    sensitivity: Option<Option<Sensitivity>>,
    source: Option<VariableQuantities<'_>>,
) -> Option<Ensemble> {
    let given: Option<Option<u64>> = table.get("size").map(|_| table.read("size"));
    let (seed, design) = (table.read("seed"), table.read::<Option<Design>>("design"));
    let by_default = if sensitivity.is_some() { Design::Sobol } else { Design::Random };
    let design = design.map(|design| design.unwrap_or(by_default));
    // An analysis of sensitivity has other instances than it has samples.
    let rows = given.flatten().filter(|_| sensitivity.is_none()).unwrap_or(MAX_SIZE) as usize;
    let vary = table.get("vary").and_then(|node| read_vary(&node, VariableQuantities { rows, ..source? }));
    // Without the varied quantities, nothing more can be said about the size.
    let vary = vary?;
    let size = match sensitivity {
        None => size(study, table, given, &vary)?,
        Some(sensitivity) => sensitivity_size(&sensitivity?, study, table, given, design?, &vary)?,
    };
    let correlated = table.get("correlated").and_then(|node| {
        let read = read_correlated(&node, &vary)?;
        if sensitivity.is_some() && !read.is_empty() {
            node.report(
                "the inputs of a sensitivity study are drawn independently of each other",
                |problem| {
                    problem
                        .advise("leave `correlated` out, or vary a constant that several numbers follow from")
                },
            );
            return None;
        }
        Some(read)
    });
    let until = match table.get("until") {
        Some(node) => Some(stopping_rule(&node.table(&UNTIL)?)?),
        None => None,
    };
    let ensemble = Ensemble { size, seed: seed?, design: design?, vary, correlated: correlated?, until };
    if let (Some(_), false, Some(node)) = (&ensemble.until, ensemble.grows(), table.get("until")) {
        node.report("instances of this ensemble are laid out for its whole size", |problem| {
            problem.advise(
                "leave `until` out, or draw all: design random or sobol, no list, linspace, logspace or \
                 table",
            )
        });
        return None;
    }
    Some(ensemble)
}

fn stopping_rule(table: &Table<'_>) -> Option<StoppingRule> {
    let channel = table.read("channel");
    let half_width = table.get("half_width").and_then(|node| {
        let (value, unit) = node.any_quantity()?;
        if value > 0.0 && value.is_finite() {
            return Some((value, unit));
        }
        node.refuse("a half-width above zero", "give e.g. \"0.1 deg\"");
        None
    });
    let confidence = table.read("confidence");
    let (half_width, unit) = half_width?;
    Some(StoppingRule { channel: channel?, half_width, unit, confidence: confidence? })
}

/// The size, as given or as the grid and the tables of samples have it, checked against both.
fn size(study: &Table<'_>, table: &Table<'_>, given: Option<Option<u64>>, vary: &[Vary]) -> Option<u64> {
    let mut points: u64 = 1;
    let mut tables: Vec<u64> = Vec::new();
    for varied in vary {
        let axis = match &varied.distribution {
            Distribution::List { values } => values.len() as u64,
            Distribution::Linspace { count, .. } | Distribution::Logspace { count, .. } => *count,
            Distribution::Table { .. } if !table.document().with_samples => 1,
            Distribution::Table { values, .. } => {
                tables.push(values.len() as u64);
                1
            }
            Distribution::Drawn { .. } => 1,
        };
        points = points.saturating_mul(axis);
    }
    let fault = |found: String, advice: String| {
        let amend = |problem: super::error::Problem| problem.advise(advice);
        match table.get("size") {
            Some(node) => node.report(found, amend),
            None => table.report(&found, amend),
        }
        None
    };
    if points > MAX_SIZE {
        return fault(format!("the grid has {points} points"), "the most is 10^9 instances".to_string());
    }
    let rows = tables.iter().copied().min();
    let most = tables.iter().copied().max();
    if let (None, Some(rows), Some(most)) = (given, rows, most)
        && rows < most
    {
        let advice = format!("give tables of as many rows, or `size`, at most {rows}");
        return fault(format!("tables of samples have {rows} and {most} rows"), advice);
    }
    let size = match (given, rows) {
        (Some(given), _) => given?,
        (None, Some(rows)) => rows,
        (None, None) if vary.iter().any(|varied| varied.distribution.is_axis()) => points,
        (None, None) if !study.has("ensemble") => 1,
        (None, None) => {
            return fault(
                "`size` is missing".to_string(),
                "give the number of instances, e.g. size = 1000".to_string(),
            );
        }
    };
    if size % points != 0 {
        let advice = match given {
            Some(_) => {
                let near = size.div_ceil(points).saturating_mul(points);
                format!("give a multiple, e.g. {near}, or leave `size` out")
            }
            None => format!("give the table of samples a multiple of {points} rows, or such a `size`"),
        };
        return fault(format!("{size} instances are no multiple of the grid's {points} points"), advice);
    }
    if let Some(rows) = rows.filter(|rows| size > *rows) {
        let advice = format!("give at most {rows}");
        return fault(
            format!("{size} instances are more than the table of samples has rows, {rows}"),
            advice,
        );
    }
    Some(size)
}
