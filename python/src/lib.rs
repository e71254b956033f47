//! The extension of the Python package `polhode`: studies, runs and results as its modules in Python need them.
//! Users see `polhode/`, which has the documentation.

mod columns;
mod fault;
mod results;
mod study;
mod values;
mod watched;

use std::path::PathBuf;

use polhode::{ComparisonOptions, Results, RunOptions};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use watched::watched;

use results::{Replayed, RunFolder};

/// The version of polhode.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Runs the command by these arguments; its exit code. Wrong arguments, and `--help`, end the process.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<String>) -> u8 {
    py.detach(|| polhode_cli::command(["polhode".to_string()].into_iter().chain(arguments)))
}

/// The JSON Schema of study or mechanism files, as a text.
#[pyfunction]
fn schema(of: &str) -> PyResult<String> {
    match of {
        "study" => Ok(polhode::study_file::study_schema().to_string()),
        "mechanism" => Ok(polhode::study_file::mechanism_schema().to_string()),
        other => {
            Err(PyValueError::new_err(format!("there is no schema of {other:?}; give study or mechanism")))
        }
    }
}

/// The results in the folder of an earlier run.
#[pyfunction]
fn open(py: Python<'_>, folder: PathBuf) -> PyResult<RunFolder> {
    Ok(RunFolder::from(Results::open(folder).map_err(|error| fault::output(py, &error))?))
}

/// Puts shards together.
#[pyfunction]
fn merge(py: Python<'_>, shards: Vec<PathBuf>, out: Option<PathBuf>, overwrite: bool) -> PyResult<RunFolder> {
    let merged = py.detach(|| {
        let mut options = RunOptions::new().overwrite(overwrite);
        options.out = out.as_deref();
        polhode::merge(&shards, &options)
    });
    Ok(RunFolder::from(merged.map_err(|error| fault::merge(py, &error))?))
}

/// Adds instances to a complete run.
#[pyfunction]
fn extend(
    py: Python<'_>,
    folder: PathBuf,
    size: u64,
    out: Option<PathBuf>,
    overwrite: bool,
    listener: Py<PyAny>,
) -> PyResult<(RunFolder, Option<PyErr>)> {
    let (done, raised) = watched(py, Some(&listener), |listener, interrupt| {
        let mut options = RunOptions::new().overwrite(overwrite).listener(listener).interrupt(interrupt);
        options.out = out.as_deref();
        polhode::extend(&folder, size, &options)
    })?;
    results::ended(py, done, raised, fault::extend)
}

/// The stages of the shards in these folders, as JSON.
#[pyfunction]
fn shards(py: Python<'_>, folders: Vec<PathBuf>) -> PyResult<String> {
    let shards = py.detach(|| polhode::shards(&folders)).map_err(|error| fault::output(py, &error))?;
    serde_json::to_string(&shards).map_err(|error| PyRuntimeError::new_err(error.to_string()))
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
    let options = ComparisonOptions { channels, labels, out, overwrite };
    let found = py.detach(|| polhode::compare(&folders, &options));
    let found = found.map_err(|error| fault::compare(py, &error))?;
    Ok((found.json(), found.text()))
}

/// One instance of a run again, by the reference.
#[pyfunction]
fn replay(py: Python<'_>, folder: PathBuf, instance: u64) -> PyResult<Replayed> {
    let replay = py.detach(|| polhode::replay(&folder, instance));
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
    use super::{command, compare, extend, merge, open, replay, schema, shards, version};
}
