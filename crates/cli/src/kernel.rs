//! `polhode kernel`: prints the kernel of a study.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use super::{Changes, Failure, print, read, with_method, wrong};
use polhode::backend::choose::{is_cut, outlook};
use polhode::backend::gpu::kernel::Kernel;
use polhode::backend::program::Program;
use polhode::base::text::one_line;
use polhode::model::Model;
use polhode::study;
use polhode::study::checking::left_out;
use polhode::study::plan::plan;

/// Print the GPU kernel (WGSL) of a study, and its operation counts.
///
/// No GPU is needed. The kernel is the whole step of this mechanism by this method.
#[derive(Debug, clap::Args)]
pub struct KernelArguments {
    /// Study file (TOML).
    study: PathBuf,
    #[command(flatten)]
    changes: Changes,
}

pub(super) fn run(arguments: KernelArguments) -> Result<u8, Failure> {
    let KernelArguments { study: path, changes } = arguments;
    let study = read(&path, &changes)?;
    let study = with_method((&path, &changes.settings()), study, &AtomicBool::new(false), false)?;
    if !study.kind.card().steps {
        let kind = study.kind.name();
        return Err(wrong(format!(
            "a study of kind {kind} advances nothing in time: there is no step, and no kernel"
        )));
    }
    let plan = plan(&study).map_err(|error| wrong(Model::explain(&study.mechanism, error)))?;
    if plan.method.is_adaptive() {
        let name = study.method.name;
        return Err(wrong(format!(
            "the method {name} has no kernel: it chooses its steps as it goes, on the CPU"
        )));
    }
    let plan = study::with_directions(&study, &plan);
    let program = Program::new(&plan, study.run.precision);
    let kernel = Kernel::of(&plan, study.run.precision, &program);
    let s = kernel.step;
    let rare = match (s.floors, s.selections) {
        (0, 0) => String::new(),
        (floors, selections) => format!(" + {floors} floors + {selections} selections"),
    };
    let mut text = String::new();
    let _ = writeln!(text, "// {}: the kernel of its mechanism and method.", one_line(&study.title));
    let _ = writeln!(
        text,
        "// A step: {} operations = 2 x {} multiply-adds + {} additions + {} multiplications + {} divisions \
         + {} square roots{rare}.",
        s.total(),
        s.multiply_adds,
        s.additions,
        s.multiplications,
        s.divisions,
        s.square_roots
    );
    let left_out = left_out(&program, &plan, study.run.precision);
    if !left_out.is_empty() {
        let _ = writeln!(text, "// Of a step {left_out}.");
    }
    if kernel.begin > 0 {
        let _ = writeln!(text, "// The start of what the method carries: {} operations.", kernel.begin);
    }
    if !kernel.dropped.is_empty() {
        let _ = writeln!(text, "// Nothing reads {}: not computed.", kernel.dropped.join(", "));
    }
    let work = study::workload(&study, None, false);
    let _ = writeln!(text, "// A run takes the {}.", outlook(&plan, &study.run, &work, &program));
    if let Some(too_long) = is_cut(&program) {
        let _ = writeln!(text, "// The kernel has {too_long}: a GPU takes it in several, if asked.");
    }
    let _ = writeln!(text, "// shared_values begins with the constants {:?}.\n", kernel.constants);
    text.push_str(&kernel.text);
    print(&text)
}
