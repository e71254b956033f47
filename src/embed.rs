//! The door for other programs: a study run to its results, which are read as tables or written as a folder.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use tempfile::TempDir;

use crate::describe::Study;
use crate::elements::own::{self, ForceRefused, OwnForce};
use crate::ensemble::Shard;
use crate::methods::own::MethodRefused;
use crate::methods::{self, Method};
use crate::output::{MANIFEST, Manifest, OutputError, OutputFolder};
use crate::reference;
use crate::reference::elements::MakeTwin;
use crate::reference::methods::Start;
use crate::study::RunError;
use crate::study::plausible;
use crate::study::{Listener, Silent};
use crate::study::{RunContext, run_under};
use crate::study_file::{attachment, keys};

/// Settings of a run. They change nothing of the results, which follow from the study alone.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct RunOptions<'a> {
    /// One part of the ensemble instead of the whole, to be put together by `polhode merge`.
    pub shard: Option<Shard>,
    /// Hears of warnings and of progress.
    pub listener: Option<&'a dyn Listener>,
    /// Once this is true the run ends early; what is finished is kept.
    pub interrupt: Option<&'a AtomicBool>,
}

impl<'a> RunOptions<'a> {
    /// The whole ensemble, without a listener.
    pub fn new() -> RunOptions<'a> {
        RunOptions::default()
    }

    /// With something that is told of what goes on.
    pub fn listener(self, listener: &'a dyn Listener) -> RunOptions<'a> {
        RunOptions { listener: Some(listener), ..self }
    }

    /// With a flag that ends the run early.
    pub fn interrupt(self, interrupt: &'a AtomicBool) -> RunOptions<'a> {
        RunOptions { interrupt: Some(interrupt), ..self }
    }

    /// One part of the ensemble.
    pub fn shard(self, shard: Shard) -> RunOptions<'a> {
        RunOptions { shard: Some(shard), ..self }
    }
}

/// Adds a kind of force of your own to polhode: studies and mechanisms that are read or made from then on may
/// have it, on every backend. `twin` is its independent counterpart in f64, by which polhode judges it.
///
/// `examples/own_force.rs` does all of it.
///
/// # Errors
/// The card cannot be, or a study was read or made before.
pub fn register_force<K: OwnForce>(twin: MakeTwin) -> Result<(), ForceRefused> {
    let card = own::card::<K>();
    let tables: Vec<&str> = keys::mechanism_keys_besides_forces().collect();
    let attachment: Vec<&str> = attachment(card.joins).iter().map(|key| key.name).collect();
    own::register::<K>(&tables, &attachment)?;
    reference::elements::register(card.table, twin);
    Ok(())
}

/// Adds a method of your own to polhode: studies that are read or made from then on may name it, and it is a
/// candidate where a study leaves the choice to polhode. `twin` is its independent counterpart in f64, with
/// which `polhode replay` compares it; without one the accurate solution stands for it.
///
/// `crates/cli/examples/own_method.rs` does all of it.
///
/// # Errors
/// The card cannot be, or a study was read or made before.
pub fn register_method<M: Method + 'static>(twin: Option<Start>) -> Result<(), MethodRefused> {
    let card = methods::own::register::<M>()?;
    if let Some(twin) = twin {
        reference::methods::register(card.name, twin);
    }
    Ok(())
}

/// Answers the study's question.
///
/// ```
/// use polhode::{FromKeys, Mechanism, Part, RunOptions, Study};
///
/// let body = Part::named("body").set("mass", 1.0).set("inertia", [5.0, 10.0, 1.0]);
/// let study = Study::builder(Mechanism::builder("tumbling").add("body", body))
///     .set("method.name", "staggered")
///     .set("method.step", "1 ms")
///     .set("method.duration", "0.2 s")
///     .set("ensemble.size", 64)
///     .set("run.backend", "cpu")
///     .set("observe.channels", vec!["energy"])
///     .vary(
///         "body.angular_velocity",
///         "normal",
///         Part::new().set("mean", [0.1, 2.0, 0.1]).set("std", [0.01, 0.01, 0.01]),
///     )
///     .build()?;
/// let results = polhode::run(&study, &RunOptions::new())?;
/// assert!(results.is_complete());
/// assert_eq!(results.verdicts()["finished"], 64);
/// let instances: usize = results.table("instances")?.iter().map(|batch| batch.num_rows()).sum();
/// assert_eq!(instances, 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The study cannot be served, a file cannot be written, or a device fails. Instances that fail are no error:
/// they have verdicts.
pub fn run(study: &Study, options: &RunOptions<'_>) -> Result<Results, RunError> {
    let scratch = tempfile::Builder::new().prefix("polhode-").tempdir();
    let scratch = scratch.map_err(OutputError::io(&std::env::temp_dir()))?;
    let (out, never) = (scratch.path().join("results"), AtomicBool::new(false));
    let listener = options.listener.unwrap_or(&Silent);
    let interrupt = options.interrupt.unwrap_or(&never);
    let warnings = plausible::doubts(study)?;
    for warning in &warnings {
        listener.say(&format!("warning: {warning}"));
    }
    let under = RunContext {
        out: &out,
        overwrite: false,
        resume: false,
        shard: options.shard,
        grown_from: None,
        warnings: &warnings,
        listener,
        interrupted: interrupt,
    };
    let outcome = run_under(study, &under)?;
    Ok(Results { _scratch: scratch, folder: out, manifest: outcome.manifest, warnings, found: outcome.found })
}

/// The results of a run.
///
/// Tables of large ensembles do not fit in memory: results lie in a scratch folder of the system, and are
/// read when they are asked for. The folder goes with the value.
pub struct Results {
    _scratch: TempDir,
    folder: PathBuf,
    manifest: Manifest,
    warnings: Vec<String>,
    found: Vec<String>,
}

impl Results {
    /// Whether every instance was advanced; false after an interrupt.
    pub fn is_complete(&self) -> bool {
        self.manifest.complete
    }

    /// Number of instances by verdict: `finished`, `energy_bound` and so on.
    pub fn verdicts(&self) -> &BTreeMap<String, u64> {
        &self.manifest.verdicts
    }

    /// All that is known of the run: device, times, counts, measured error (`manifest.json`).
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the warnings about the study, a sentence each: numbers that are hardly meant, or steps longer
    /// than is stable. The listener received them before the run.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The results in lines for a person.
    pub fn lines(&self) -> &[String] {
        &self.found
    }

    /// Names of the tables: `instances`, `statistics`, `trajectories`, and others that the kind of study has.
    pub fn tables(&self) -> Vec<&str> {
        self.manifest.files.iter().filter_map(|file| file.name.strip_suffix(".parquet")).collect()
    }

    /// A table by its name, in pieces; each column's unit is in the metadata of its field.
    ///
    /// # Errors
    /// There is no such table, or the scratch folder cannot be read.
    pub fn table(&self, name: &str) -> Result<Vec<RecordBatch>, OutputError> {
        let path = self.folder.join(format!("{name}.parquet"));
        let file = File::open(&path).map_err(OutputError::io(&path))?;
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).and_then(|builder| builder.build());
        let batches = reader.map_err(OutputError::parquet(&path))?.collect::<Result<Vec<_>, _>>();
        batches.map_err(|error| OutputError::Table { file: path, message: error.to_string() })
    }

    /// Writes the folder that `polhode run` would have written, all or nothing; with `overwrite` a result of
    /// polhode there is replaced.
    ///
    /// # Errors
    /// Something else is there, or the disk refuses.
    pub fn write_to(&self, folder: impl AsRef<Path>, overwrite: bool) -> Result<PathBuf, OutputError> {
        let target = OutputFolder::create(folder.as_ref(), overwrite)?;
        let names = self.manifest.files.iter().map(|file| file.name.as_str());
        for name in names.chain([MANIFEST]) {
            let path = self.folder.join(name);
            let content = std::fs::read(&path).map_err(OutputError::io(&path))?;
            target.write(name, &content)?;
        }
        target.finish()
    }
}
