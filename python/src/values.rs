//! Values of Python as those of the files: numbers, texts, flags, lists, tables.

use polhode::{Part, Value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

/// A value of a key. Arrays of NumPy are lists, its numbers are numbers, paths are texts.
pub fn value(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if object.is_instance_of::<PyBool>() {
        return Ok(object.extract::<bool>()?.into());
    }
    if object.is_instance_of::<PyInt>() {
        // More than 64 bits are more than any key takes: the reader says so.
        return object
            .extract::<i64>()
            .map_or_else(|_| object.extract::<f64>().map(Value::from), |n| Ok(n.into()));
    }
    if object.is_instance_of::<PyFloat>() {
        return Ok(object.extract::<f64>()?.into());
    }
    if object.is_instance_of::<PyString>() {
        return Ok(object.extract::<String>()?.into());
    }
    if let Ok(table) = object.cast::<PyDict>() {
        return Ok(part(table)?.into());
    }
    // Scalars and arrays of NumPy.
    if object.hasattr("tolist")? {
        return value(&object.call_method0("tolist")?);
    }
    if object.hasattr("__fspath__")? {
        return Ok(object.call_method0("__fspath__")?.extract::<String>()?.into());
    }
    let Ok(entries) = object.try_iter() else {
        let kind = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "{kind} is no value of a key: give a number, a text, a flag, a list or a dict"
        )));
    };
    let entries: Vec<Value> = entries.map(|entry| value(&entry?)).collect::<PyResult<_>>()?;
    Ok(entries.into())
}

/// A table of keys; names with dots lead into tables.
pub fn part(table: &Bound<'_, PyDict>) -> PyResult<Part> {
    table
        .iter()
        .try_fold(Part::new(), |part, (key, entry)| Ok(part.set(&key.extract::<String>()?, value(&entry)?)))
}
