//! The door for other programs: a study run to its results, which are read as tables or written as
//! a folder.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use arrow_array::{RecordBatch, RecordBatchReader};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use tempfile::TempDir;

use crate::backend::left_behind::unless;
use crate::base::regular;
use crate::describe::{Run, Study};
use crate::elements::own::{self, ForceRefused, OwnForce};
use crate::ensemble::Shard;
use crate::methods::own::MethodRefused;
use crate::methods::{self, Method};
use crate::output::{
    ExportError, MANIFEST, Manifest, NEVER, OutputError, OutputFolder, ReplotError, RunOutcome, export_csv,
};
use crate::reference;
use crate::reference::elements::MakeTwin;
use crate::reference::methods::Start;
use crate::study::checking::{CheckOptions, Checked, check_study};
use crate::study::choose_method::chosen;
use crate::study::extend::{ExtendError, ExtensionOptions};
use crate::study::planned_run::pool;
use crate::study::survey::{Surveyed, survey};
use crate::study::throughput::{Throughput, measure};
use crate::study::together::{ComparisonOptions, RunComparison, beside};
use crate::study::{self, plausible, shard, stable_step};
use crate::study::{Listener, MergeError, RunContext, RunError, Silent, run_under};
use crate::study_file::{attachment, keys};

/// Rows of a batch of a stream: some megabytes of a wide table.
const ROWS_OF_A_BATCH: usize = 1 << 16;

/// Settings of a run. They change nothing of the results, which follow from the study alone.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct RunOptions<'a> {
    /// The folder for the results; none: a scratch folder, which goes with the [`Results`].
    pub out: Option<&'a Path>,
    /// An earlier result in `out` is replaced.
    pub overwrite: bool,
    /// Goes on from the last checkpoint of this run in `out`, where there is one; a result that is
    /// there already is taken as it is.
    pub resume: bool,
    /// One part of the ensemble instead of the whole, to be put together by [`merge`].
    pub shard: Option<Shard>,
    /// The [arithmetic](Surveyed::arithmetic) of other parts of the run, which this one is to have,
    /// too: it is refused before the first step where it would have another one.
    pub like: Option<&'a str>,
    /// Hears of warnings and of progress.
    pub listener: Option<&'a dyn Listener>,
    /// Once this is true the run ends early; what is finished is kept.
    pub interrupt: Option<&'a AtomicBool>,
}

impl<'a> RunOptions<'a> {
    /// The whole ensemble, without a listener, in a scratch folder.
    pub fn new() -> RunOptions<'a> {
        RunOptions::default()
    }

    /// With a folder for the results.
    pub fn out(self, out: &'a Path) -> RunOptions<'a> {
        RunOptions { out: Some(out), ..self }
    }

    /// With leave to replace an earlier result in the folder.
    pub fn overwrite(self, overwrite: bool) -> RunOptions<'a> {
        RunOptions { overwrite, ..self }
    }

    /// Going on from a checkpoint.
    pub fn resume(self, resume: bool) -> RunOptions<'a> {
        RunOptions { resume, ..self }
    }

    /// With a listener, which gets the progress of the run.
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

    fn heard(&self) -> (&'a dyn Listener, &'a AtomicBool) {
        (self.listener.unwrap_or(&Silent), self.interrupt.unwrap_or(&NEVER))
    }
}

/// The folder of a result: the one that is wanted, or a scratch folder.
struct Place {
    scratch: Option<TempDir>,
    folder: PathBuf,
}

impl Place {
    fn of(out: Option<&Path>) -> Result<Place, OutputError> {
        if let Some(out) = out {
            return Ok(Place { scratch: None, folder: out.to_owned() });
        }
        let scratch = tempfile::Builder::new().prefix("polhode-").tempdir();
        let scratch = scratch.map_err(OutputError::io(&std::env::temp_dir()))?;
        let folder = scratch.path().join("results");
        Ok(Place { scratch: Some(scratch), folder })
    }

    fn results(self, outcome: RunOutcome) -> Results {
        Results { scratch: self.scratch, outcome, study: None, choosing: Duration::ZERO }
    }
}

/// Adds a kind of force of your own to polhode: studies and mechanisms that are read or made from
/// then on may have it, on every backend. `twin` is its independent counterpart in f64, by which
/// polhode judges it.
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

/// Adds a method of your own to polhode: studies that are read or made from then on may name it,
/// and it is a candidate where a study leaves the choice to polhode. `twin` is its independent
/// counterpart in f64, with which `polhode replay` compares it; without one the accurate solution
/// stands for it.
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
/// The study cannot be served, a file cannot be written, or a device fails. Instances that fail are
/// no error: they have verdicts.
pub fn run(study: &Study, options: &RunOptions<'_>) -> Result<Results, RunError> {
    let begun = Instant::now();
    let (listener, interrupted) = options.heard();
    let study = study.clone();
    let workers = pool(study.run.threads)?;
    let look = move |interrupted: &AtomicBool| {
        let chosen = chosen(&study, interrupted)?;
        // A step that was chosen is measured, whatever small vibrations say.
        let chooses_step = study.method.open.is_some_and(|open| open.step);
        let of_steps = stable_step::warnings(&chosen.study, chooses_step)?;
        let warnings = plausible::doubts_with(&chosen.study, of_steps)?;
        Ok((chosen, warnings))
    };
    let looked_at = unless(interrupted, move |interrupted| workers.install(|| look(interrupted)));
    let (chosen, warnings) = looked_at.unwrap_or(Err(RunError::Interrupted))?;
    chosen.told.iter().for_each(|line| listener.say(line));
    let warnings = &*warnings;
    warnings.iter().for_each(|warning| listener.warn(warning));
    let place = Place::of(options.out)?;
    let RunOptions { overwrite, resume, shard, like, .. } = *options;
    let under = RunContext::new(&place.folder, warnings, listener, interrupted);
    let under = RunContext { overwrite, resume, shard, like, ..under };
    let choosing = begun.elapsed();
    let outcome = run_under(&chosen.study, &under)?;
    Ok(Results { study: Some(chosen.study), choosing, ..place.results(outcome) })
}

/// Tells what a study would do and cost, and runs nothing but a trial of a moment, by which it
/// foretells times.
///
/// # Errors
/// The study cannot be served.
pub fn check(study: &Study, options: &CheckOptions<'_>) -> Result<Checked, RunError> {
    check_study(study, options)
}

/// Puts all shards of a study together, given in any order, into `options.out`: the result is, bit
/// for bit, that of the run of the whole. One that is interrupted leaves nothing, or, once all is
/// computed, goes without pictures.
///
/// # Errors
/// Shards that are missing, doubled, interrupted, damaged or of another study, version or
/// arithmetic are refused by name, and nothing is written.
pub fn merge<F: AsRef<Path>>(shards: &[F], options: &RunOptions<'_>) -> Result<Results, MergeError> {
    let shards: Vec<PathBuf> = shards.iter().map(|shard| shard.as_ref().to_owned()).collect();
    let place = Place::of(options.out)?;
    let (_, interrupted) = options.heard();
    let outcome = shard::merge(&shards, &place.folder, options.overwrite, interrupted)?;
    Ok(place.results(outcome))
}

/// Adds instances to the complete result in `folder`, up to `size` in all: the result is, bit for
/// bit, that of a run which had them from the start. Without `options.out` it takes the place of
/// the smaller one.
///
/// # Errors
/// The result is a shard, is not complete, or is of an ensemble laid out for its size; or the run
/// fails.
pub fn extend(folder: impl AsRef<Path>, size: u64, options: &RunOptions<'_>) -> Result<Results, ExtendError> {
    extend_with(folder.as_ref(), size, options, |_| {})
}

/// As [`extend`], where `change` may choose what computes it.
#[doc(hidden)]
pub fn extend_with(
    folder: &Path,
    size: u64,
    options: &RunOptions<'_>,
    change: impl FnOnce(&mut Run),
) -> Result<Results, ExtendError> {
    let (listener, interrupted) = options.heard();
    let RunOptions { out, overwrite, .. } = *options;
    let extension = ExtensionOptions { size, out, overwrite, listener, interrupted };
    let outcome = study::extend::extend(folder, &extension, change)?;
    let folder = outcome.folder.clone();
    Ok(Place { scratch: None, folder }.results(outcome))
}

/// The stages of the shards in these folders, each of which is one, or holds them; in the order of
/// their parts, others last.
///
/// # Errors
/// A folder cannot be read.
pub fn shards<F: AsRef<Path>>(folders: &[F]) -> Result<Vec<Surveyed>, OutputError> {
    let folders: Vec<PathBuf> = folders.iter().map(|folder| folder.as_ref().to_owned()).collect();
    survey(&folders, None)
}

/// As [`shards`]; those of another study or version than are asked for are foreign.
///
/// # Errors
/// A folder cannot be read.
pub fn shards_of<F: AsRef<Path>>(folders: &[F], study: &Study) -> Result<Vec<Surveyed>, OutputError> {
    let folders: Vec<PathBuf> = folders.iter().map(|folder| folder.as_ref().to_owned()).collect();
    survey(&folders, Some(study))
}

/// Compares finished runs in these folders, two or more, the first with each of the others.
///
/// # Errors
/// One of them is no folder of a whole run, or has not what is wanted; the pictures cannot be
/// written; or it is interrupted, and leaves nothing.
pub fn compare<F: AsRef<Path>>(
    folders: &[F],
    options: &ComparisonOptions<'_>,
) -> Result<RunComparison, ReplotError> {
    let folders: Vec<PathBuf> = folders.iter().map(|folder| folder.as_ref().to_owned()).collect();
    let ComparisonOptions { channels, labels, out, overwrite, interrupt } = options.clone();
    let wanted = ComparisonOptions { channels, labels, out, overwrite, interrupt: None };
    let interrupted = interrupt.unwrap_or(&NEVER);
    let compared = unless(interrupted, move |_| beside(&folders, &wanted));
    compared.unwrap_or(Err(ReplotError::Interrupted))?.written(options)
}

/// Measures how fast the mechanism, method and ensemble of a study are advanced by everything there
/// is, each speed with its accuracy.
///
/// # Errors
/// The study advances nothing in time, has no accurate motion, or the folder is refused.
pub fn bench(study: &Study, settings: &Throughput, options: &RunOptions<'_>) -> Result<Results, RunError> {
    let (listener, interrupted) = options.heard();
    let chosen = chosen(study, interrupted)?;
    chosen.told.iter().for_each(|line| listener.say(line));
    let place = Place::of(options.out)?;
    let out = (&*place.folder, options.overwrite);
    let outcome = measure(&chosen.study, settings, out, listener, interrupted)?;
    Ok(Results { study: Some(chosen.study), ..place.results(outcome) })
}

/// The results of a run, in its folder.
///
/// Tables of large ensembles do not fit in memory: they are read from the folder when they are
/// asked for. A scratch folder goes with the value.
#[derive(Debug)]
pub struct Results {
    scratch: Option<TempDir>,
    outcome: RunOutcome,
    study: Option<Study>,
    choosing: Duration,
}

impl Results {
    /// The results in the folder of an earlier run.
    ///
    /// # Errors
    /// There is no manifest of polhode.
    pub fn open(folder: impl AsRef<Path>) -> Result<Results, OutputError> {
        let folder = folder.as_ref().to_owned();
        let manifest = Manifest::read(&folder)?;
        let found = manifest.found();
        let outcome = RunOutcome { folder: folder.clone(), manifest, found, fan: None };
        Ok(Place { scratch: None, folder }.results(outcome))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.outcome.folder
    }

    /// Whether the folder goes with this value.
    pub fn is_temporary(&self) -> bool {
        self.scratch.is_some()
    }

    /// The study with method and step chosen; none: these are not results of a run just now.
    pub fn study(&self) -> Option<&Study> {
        self.study.as_ref()
    }

    #[doc(hidden)]
    pub fn outcome(&self) -> &RunOutcome {
        &self.outcome
    }

    /// The time before the run in which its method was chosen and the study looked at.
    #[doc(hidden)]
    pub fn choosing(&self) -> Duration {
        self.choosing
    }

    /// Whether every instance was advanced; false after an interrupt.
    pub fn is_complete(&self) -> bool {
        self.manifest().complete
    }

    /// Number of instances by verdict: `finished`, `energy_bound` and so on.
    pub fn verdicts(&self) -> &BTreeMap<String, u64> {
        &self.manifest().verdicts
    }

    /// All that is known of the run: device, times, counts, measured error (`manifest.json`).
    pub fn manifest(&self) -> &Manifest {
        &self.outcome.manifest
    }

    /// Returns the warnings about the study, a sentence each: numbers that are hardly meant, or
    /// steps longer than is stable. The listener received them before the run.
    pub fn warnings(&self) -> &[String] {
        &self.manifest().warnings
    }

    /// The results in lines for a person.
    pub fn lines(&self) -> &[String] {
        &self.outcome.found
    }

    /// Names of the tables: `instances`, `statistics`, `trajectories`, and others that the kind of
    /// study has.
    pub fn tables(&self) -> Vec<&str> {
        self.manifest().files.iter().filter_map(|file| file.name.strip_suffix(".parquet")).collect()
    }

    /// A table by its name as a stream of batches, of which one at a time is in memory; each
    /// column's unit is in the metadata of its field. The stream outlives these results.
    ///
    /// ```
    /// # use polhode::{FromKeys, Mechanism, Part, RunOptions, Study};
    /// # let body = Part::named("body").set("mass", 1.0).set("inertia", [5.0, 10.0, 6.0]);
    /// # let study = Study::builder(Mechanism::builder("tumbling").add("body", body))
    /// #     .set("method.name", "rk4").set("method.step", "1 ms").set("method.duration", "10 ms")
    /// #     .set("ensemble.size", 64).set("run.backend", "cpu").build()?;
    /// # let results = polhode::run(&study, &RunOptions::new())?;
    /// let mut rows = 0;
    /// for batch in results.stream("instances")? {
    ///     rows += batch?.num_rows();
    /// }
    /// assert_eq!(rows, 64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such table, or the folder cannot be read.
    pub fn stream(&self, name: &str) -> Result<Box<dyn RecordBatchReader + Send>, OutputError> {
        let path = self.folder().join(format!("{name}.parquet"));
        let file = regular::open(&path).map_err(OutputError::io(&path))?;
        let reader = ParquetRecordBatchReaderBuilder::try_new(file)
            .and_then(|builder| builder.with_batch_size(ROWS_OF_A_BATCH).build());
        Ok(Box::new(reader.map_err(OutputError::parquet(&path))?))
    }

    /// All of a table by its name, in pieces.
    ///
    /// # Errors
    /// There is no such table, or the folder cannot be read.
    pub fn table(&self, name: &str) -> Result<Vec<RecordBatch>, OutputError> {
        let path = self.folder().join(format!("{name}.parquet"));
        let batches = self.stream(name)?.collect::<Result<Vec<_>, _>>();
        batches.map_err(|error| OutputError::Table { file: path, message: error.to_string() })
    }

    /// Writes a table as text with commas, the columns with their units in the first line; the
    /// number of rows.
    ///
    /// # Errors
    /// There is no such table, it is damaged, or `to` takes no more.
    pub fn export(&self, table: &str, to: impl Write) -> Result<u64, ExportError> {
        export_csv(self.folder(), table, to)
    }

    /// Writes the folder that `polhode run` would have written, all or nothing; with `overwrite` a
    /// result of polhode there is replaced.
    ///
    /// # Errors
    /// Something else is there, or the disk refuses.
    pub fn write_to(&self, folder: impl AsRef<Path>, overwrite: bool) -> Result<PathBuf, OutputError> {
        let target = OutputFolder::create(folder.as_ref(), overwrite)?;
        let names = self.manifest().files.iter().map(|file| file.name.as_str());
        for name in names.chain([MANIFEST]) {
            let path = self.folder().join(name);
            let content = std::fs::read(&path).map_err(OutputError::io(&path))?;
            target.write(name, &content)?;
        }
        target.finish()
    }
}
