//! Values of Python as those of the files: numbers, texts, flags, lists, tables.

use polhode::base::units::{Dimension, parse_quantity};
use polhode::{Part, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

/// Lists and dicts lie in each other no deeper: no key takes half as many, and the reader of files
/// twice as many.
const DEEPEST: u32 = 32;

/// The value of a key. Arrays of NumPy are lists, its numbers are numbers, paths are texts.
///
/// # Errors
/// The object is no value, or its lists and dicts lie too deep in each other: one may hold itself.
pub fn value(key: &str, object: &Bound<'_, PyAny>) -> PyResult<Value> {
    within(key, object, DEEPEST)
}

fn within(key: &str, object: &Bound<'_, PyAny>, left: u32) -> PyResult<Value> {
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
    let Some(left) = left.checked_sub(1) else {
        let found = format!("lists or dicts lie in each other more than {DEEPEST} deep");
        let advice = "give a flat value; a list or dict that holds itself has no end";
        let problem = object.py().import("polhode._result")?.getattr("problem")?;
        return Err(PyErr::from_value(problem.call1(("study", key, found, advice))?));
    };
    if let Ok(table) = object.cast::<PyDict>() {
        return Ok(part(key, table, left)?.into());
    }
    // Scalars and arrays of NumPy.
    if object.hasattr("tolist")? {
        return within(key, &object.call_method0("tolist")?, left);
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
    let entries: Vec<Value> = entries.map(|entry| within(key, &entry?, left)).collect::<PyResult<_>>()?;
    Ok(entries.into())
}

/// A time (s): a number, or a text with its unit.
pub fn seconds(name: &str, object: &Bound<'_, PyAny>) -> PyResult<f64> {
    match object.extract::<String>() {
        Ok(text) => parse_quantity(&text, Dimension::Time)
            .map_err(|error| PyValueError::new_err(format!("{name}: {error}"))),
        Err(_) => object.extract(),
    }
}

/// A table of keys; names with dots lead into tables.
fn part(key: &str, table: &Bound<'_, PyDict>, left: u32) -> PyResult<Part> {
    table.iter().try_fold(Part::new(), |part, (name, entry)| {
        Ok(part.set(&name.extract::<String>()?, within(key, &entry, left)?))
    })
}
