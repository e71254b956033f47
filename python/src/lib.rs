//! The extension of the Python package `polhode`: studies, runs and results as its modules in
//! Python need them. Users see `polhode/`, which has the documentation.

mod columns;
mod fault;
mod results;
mod study;
mod values;
mod watched;

use std::path::PathBuf;
use std::time::Duration;

use polhode::embed::extend_with;
use polhode::study::of_another_study;
use polhode::study::replay::{PATIENCE, replay_within};
use polhode::{ComparisonOptions, Results, RunOptions};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use watched::{detached, heeding, watched};

use results::{Replayed, RunFolder};
use study::Study;

/// The version of polhode.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Runs the command by these arguments; its exit code. Wrong arguments, and `--help`, end the
/// process.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<String>) -> PyResult<u8> {
    detached(py, || polhode_cli::command(["polhode".to_string()].into_iter().chain(arguments)))
}

/// The JSON Schema of study or mechanism files, as a text.
#[pyfunction]
fn schema(kind: &str) -> PyResult<String> {
    match kind {
        "study" => Ok(polhode::study_file::study_schema().to_string()),
        "mechanism" => Ok(polhode::study_file::mechanism_schema().to_string()),
        other => {
            Err(PyValueError::new_err(format!("there is no schema of {other:?}; give study or mechanism")))
        }
    }
}

/// The columns of a table of samples that quantities take.
#[pyfunction]
fn sample_columns(columns: Vec<String>) -> Vec<String> {
    polhode::study_file::builder::sample_columns(columns)
}

/// The results in the folder of an earlier run.
#[pyfunction]
fn open(py: Python<'_>, folder: PathBuf) -> PyResult<RunFolder> {
    Ok(RunFolder::from(Results::open(folder).map_err(|error| fault::output(py, &error))?))
}

/// Puts shards together.
#[pyfunction]
fn merge(
    py: Python<'_>,
    shards: Vec<PathBuf>,
    out: Option<PathBuf>,
    overwrite: bool,
) -> PyResult<(RunFolder, Option<PyErr>)> {
    let (done, raised) = watched(py, None, |_, interrupt| {
        let mut options = RunOptions::new().overwrite(overwrite).interrupt(interrupt);
        options.out = out.as_deref();
        polhode::merge(&shards, &options)
    })?;
    results::ended(py, done, raised, fault::merge)
}

/// Adds instances to a complete run.
#[pyfunction]
fn extend(
    py: Python<'_>,
    folder: PathBuf,
    size: u64,
    out: Option<PathBuf>,
    overwrite: bool,
    threads: Option<usize>,
    listener: Py<PyAny>,
) -> PyResult<(RunFolder, Option<PyErr>)> {
    let (done, raised) = watched(py, Some(&listener), |listener, interrupt| {
        let mut options = RunOptions::new().overwrite(overwrite).listener(listener).interrupt(interrupt);
        options.out = out.as_deref();
        extend_with(&folder, size, &options, |run| run.threads = threads.or(run.threads))
    })?;
    results::ended(py, done, raised, fault::extend)
}

/// The stages of the shards in these folders, of a study where one is given, as JSON.
#[pyfunction]
#[pyo3(signature = (folders, study=None))]
fn shards(py: Python<'_>, folders: Vec<PathBuf>, study: Option<&Study>) -> PyResult<String> {
    let study = study.map(|study| study.read(py)).transpose()?;
    let shards = detached(py, || match &study {
        Some(study) => polhode::shards_of(&folders, study),
        None => polhode::shards(&folders),
    })?;
    let shards = shards.map_err(|error| fault::output(py, &error))?;
    serde_json::to_string(&shards).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// By which keys two studies, as texts of TOML, differ, as far as results depend on them.
#[pyfunction]
fn differ(study: &str, other: &str, name: &str) -> Option<String> {
    of_another_study(study, other, name)
}

/// Finished runs beside each other, as JSON and as a text.
#[pyfunction]
fn compare(
    py: Python<'_>,
    folders: Vec<PathBuf>,
    channels: Vec<String>,
    labels: Vec<String>,
    out: Option<PathBuf>,
    overwrite: bool,
) -> PyResult<(String, String)> {
    let found = heeding(py, |interrupt| {
        let interrupt = Some(interrupt);
        polhode::compare(&folders, &ComparisonOptions { channels, labels, out, overwrite, interrupt })
    })?;
    let found = found.map_err(|error| fault::compare(py, &error))?;
    Ok((found.json(), found.text()))
}

/// One instance of a run again, by the reference.
#[pyfunction]
fn replay(
    py: Python<'_>,
    folder: PathBuf,
    instance: i64,
    patience: Option<Bound<'_, PyAny>>,
) -> PyResult<Replayed> {
    let instance = u64::try_from(instance).map_err(|_| fault::no_instance(py, instance))?;
    let patience = match patience {
        Some(patience) => Duration::try_from_secs_f64(values::seconds("patience", &patience)?)
            .map_err(|error| PyValueError::new_err(format!("patience: {error}")))?,
        None => PATIENCE,
    };
    let replay = heeding(py, |interrupt| replay_within(&folder, instance, patience, interrupt))?;
    Ok(Replayed::from(replay.map_err(|error| fault::replay(py, &error))?))
}

/// polhode, compiled.
#[pymodule]
mod _polhode {
    #[pymodule_export]
    use super::columns::Buffer;
    #[pymodule_export]
    use super::results::{Replayed, RunFolder};
    #[pymodule_export]
    use super::study::Study;
    #[pymodule_export]
    use super::{
        command, compare, differ, extend, merge, open, replay, sample_columns, schema, shards, version,
    };
}
