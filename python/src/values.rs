//! Values of Python as those of the files: numbers, texts, flags, lists, tables.

use polhode::{Part, Value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

/// A value of a key. Arrays of NumPy are lists, its numbers are numbers, paths are texts.
pub fn value(of: &Bound<'_, PyAny>) -> PyResult<Value> {
    if of.is_instance_of::<PyBool>() {
        return Ok(of.extract::<bool>()?.into());
    }
    if of.is_instance_of::<PyInt>() {
        // More than 64 bits are more than any key takes: the reader says so.
        return of.extract::<i64>().map_or_else(|_| of.extract::<f64>().map(Value::from), |n| Ok(n.into()));
    }
    if of.is_instance_of::<PyFloat>() {
        return Ok(of.extract::<f64>()?.into());
    }
    if of.is_instance_of::<PyString>() {
        return Ok(of.extract::<String>()?.into());
    }
    if let Ok(table) = of.cast::<PyDict>() {
        return Ok(part(table)?.into());
    }
    // Scalars and arrays of NumPy.
    if of.hasattr("tolist")? {
        return value(&of.call_method0("tolist")?);
    }
    if of.hasattr("__fspath__")? {
        return Ok(of.call_method0("__fspath__")?.extract::<String>()?.into());
    }
    let Ok(entries) = of.try_iter() else {
        let kind = of.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "{kind} is no value of a key: give a number, a text, a flag, a list or a dict"
        )));
    };
    let entries: Vec<Value> = entries.map(|entry| value(&entry?)).collect::<PyResult<_>>()?;
    Ok(entries.into())
}

/// A table of keys; names with dots lead into tables.
pub fn part(of: &Bound<'_, PyDict>) -> PyResult<Part> {
    of.iter()
        .try_fold(Part::new(), |part, (key, entry)| Ok(part.set(&key.extract::<String>()?, value(&entry)?)))
}
