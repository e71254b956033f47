//! Tables that say where a study is computed, how its error is measured, and which files it leaves.

use toml::Value;

use super::declared::{FileValue, Named, declare, named};
use super::document::Node;
use super::keys::{Form, MAX_SIZE};
use super::writer::text;
use polhode_description::base::Precision;
use polhode_description::base::units::Dimension::{self, Time};
use polhode_description::describe::study::{
    AccuracySettings, BackendChoice, InstanceTable, Kernels, OutputSettings, Run,
};

declare! { Run, "Where and how it is computed. Results do not depend on threads and chunk.";
    backend: Pattern("^(auto|cpu|gpu|gpu:.+)$"), Default("\"auto\""),
        "auto: a real GPU or the CPU, whichever will be done first. cpu. gpu: any GPU, software ones \
         included. gpu:NAME: the first whose name contains NAME.";
    precision: Choice(Precision::NAMES), Default("\"f64\""), "Floating-point numbers of the step loop.";
    fused: Flag, Default("true"),
        "Fuse multiply and add where the processor, or the GPU, can. false gives the bits of one that does \
         not.";
    kernels: Choice(Kernels::NAMES), Default("\"auto\""),
        "Of a GPU. auto: a step is one kernel, or several where that would be too long. whole: one, however \
         long. cut: several, however short.";
    threads: Count { min: 1, max: 65_536 }, Optional, "CPU threads. Absent: all.";
    chunk: Count { min: 1, max: MAX_SIZE }, Optional,
        "Instances advanced together. Absent: as many as take some seconds, as far as memory goes.";
    checkpoint: NotNegative(Time), Optional,
        "Time between checkpoints, from which `polhode run --resume` goes on; 0 s: after every chunk. \
         Absent: 30 s, and more where they would take more than a hundredth of the run's time.";
}

declare! { OutputSettings, "Which files the run leaves. Statistics and trajectories are always written.";
    instances: Either(&[&Choice(INSTANCE_TABLES), &List(&Text)]), Default("\"all\""),
        "Columns of the table with a row for each instance: \"all\"; \"none\": no such table; or names of \
         columns, e.g. [\"drawn\", \"final.BODY.energy\"], besides number and verdict. A name stands for all \
         columns that begin with it and a dot. Correlations need all drawn columns, and replay final ones.";
    plots: Flag, Default("false"),
        "Write the folder of plots, for papers: the report has figures of its own. `polhode plot` draws them \
         later.";
    report: Flag, Default("true"), "Write report.html, which has its figures in it.";
    state: Flag, Default("true"),
        "Write run.state, from which `polhode extend` goes on with more instances: some kilobytes for each \
         snapshot and column.";
}

declare! { AccuracySettings,
    "The measured error: some instances are advanced again by a converged method, and compared.";
    budget: NotNegative(Time), Optional,
        "Longest wall-clock time that it may take; 0 s: it is not measured. What takes longer is not judged. \
         Absent: a minute.";
    share: Positive(Dimension::Number), Optional,
        "Operations that it may take, as a share of those of the run, which count as 3e10 at least and 5e11 \
         at most. Absent: 0.1.";
}

named! {
    Kernels { Auto = "auto", Whole = "whole", Cut = "cut" }
    Precision { F32 = "f32", F32Compensated = "f32_compensated", F64 = "f64" }
}

/// Words in place of a list of columns.
const INSTANCE_TABLES: &[&str] = &["all", "none"];

impl FileValue for InstanceTable {
    fn read(node: &Node<'_>, _: &'static Form) -> Option<InstanceTable> {
        match node.is_text() {
            true => match node.one_of(INSTANCE_TABLES)? {
                "none" => Some(InstanceTable::None),
                _ => Some(InstanceTable::All),
            },
            false => String::read_list(node, &Form::Text).map(InstanceTable::Columns),
        }
    }

    fn write(&self) -> Option<Value> {
        match self {
            InstanceTable::All => Some(text(INSTANCE_TABLES[0])),
            InstanceTable::None => Some(text(INSTANCE_TABLES[1])),
            InstanceTable::Columns(names) => names.write(),
        }
    }
}

impl FileValue for BackendChoice {
    fn read(node: &Node<'_>, _: &'static Form) -> Option<BackendChoice> {
        match node.text()? {
            "auto" => Some(BackendChoice::Auto),
            "cpu" => Some(BackendChoice::Cpu),
            "gpu" => Some(BackendChoice::Gpu { adapter: None }),
            text => match text.strip_prefix("gpu:").map(str::trim) {
                Some(name) if !name.is_empty() => {
                    Some(BackendChoice::Gpu { adapter: Some(name.to_string()) })
                }
                _ => {
                    node.report(format!("{} is not a backend", node.source()), |problem| {
                        problem.allow(text, ["auto", "cpu", "gpu", "gpu:NAME"])
                    });
                    None
                }
            },
        }
    }

    fn write(&self) -> Option<Value> {
        Some(match self {
            BackendChoice::Auto => text("auto"),
            BackendChoice::Cpu => text("cpu"),
            BackendChoice::Gpu { adapter: None } => text("gpu"),
            BackendChoice::Gpu { adapter: Some(adapter) } => text(&format!("gpu:{adapter}")),
        })
    }
}
