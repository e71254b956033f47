//! Errors of polhode as exceptions of the package, which `polhode/_errors.py` defines.

use polhode::{
    ExportError, ExtendError, MergeError, OutputError, Problem, Problems, ReplayError, ReplotError, RunError,
};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

fn raise(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let made = py.import("polhode._errors").and_then(|module| module.getattr(class)?.call1((message,)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// `StudyError`, with all faults.
pub fn problems(py: Python<'_>, problems: &Problems) -> PyErr {
    let entry = |problem: &Problem| -> PyResult<Py<PyDict>> {
        let entry = PyDict::new(py);
        entry.set_item("file", problem.file.display().to_string())?;
        entry.set_item("line", problem.line)?;
        entry.set_item("key", &problem.key)?;
        entry.set_item("found", &problem.found)?;
        entry.set_item("nearest", &problem.nearest)?;
        entry.set_item("advice", &problem.advice)?;
        entry.set_item("allowed", &problem.allowed)?;
        entry.set_item("message", problem.to_string())?;
        Ok(entry.unbind())
    };
    let made = problems.0.iter().map(entry).collect::<PyResult<Vec<_>>>().and_then(|entries| {
        py.import("polhode._errors")?.getattr("StudyError")?.call_method1("_of", (entries,))
    });
    made.map_or_else(|error| error, PyErr::from_value)
}

/// `ResultError`: a folder or a file of a result.
pub fn output(py: Python<'_>, error: &OutputError) -> PyErr {
    raise(py, "ResultError", &error.to_string())
}

/// `RunError` or `StudyError`, by whether the study is refused.
pub fn run(py: Python<'_>, error: &RunError) -> PyErr {
    match error {
        RunError::Interrupted | RunError::NotReplaced { .. } => {
            PyKeyboardInterrupt::new_err(error.to_string())
        }
        RunError::Output(error) => output(py, error),
        error if error.is_refusal() => raise(py, "RunRefused", &error.to_string()),
        error => raise(py, "RunError", &error.to_string()),
    }
}

pub fn merge(py: Python<'_>, error: &MergeError) -> PyErr {
    match error {
        MergeError::Study(error) => problems(py, error),
        MergeError::Run(error) => run(py, error),
        error => raise(py, "ResultError", &error.to_string()),
    }
}

pub fn extend(py: Python<'_>, error: &ExtendError) -> PyErr {
    match error {
        ExtendError::Study(error) => problems(py, error),
        ExtendError::Run(error) => run(py, error),
        error => raise(py, "ResultError", &error.to_string()),
    }
}

pub fn replay(py: Python<'_>, error: &ReplayError) -> PyErr {
    match error {
        ReplayError::Study(error) => problems(py, error),
        error => raise(py, "ResultError", &error.to_string()),
    }
}

pub fn no_instance(py: Python<'_>, number: i64) -> PyErr {
    raise(py, "ResultError", &format!("instance {number} is none: their numbers begin at 0"))
}

pub fn compare(py: Python<'_>, error: &ReplotError) -> PyErr {
    raise(py, "ResultError", &error.to_string())
}

pub fn export(py: Python<'_>, error: &ExportError) -> PyErr {
    raise(py, "ResultError", &error.to_string())
}
