//! Arrow in memory: streams that Python takes and gives by capsules, and whole columns as plain
//! buffers.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::types::{Float32Type, Float64Type, UInt32Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, Float64Array, PrimitiveArray, RecordBatch, RecordBatchReader,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

/// The name of capsules that hold a stream, of the Arrow PyCapsule interface.
const STREAM: &std::ffi::CStr = c"arrow_array_stream";

/// A stream for whoever speaks Arrow: nothing is copied.
pub fn capsule(py: Python<'_>, stream: Box<dyn RecordBatchReader + Send>) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(stream), STREAM)
}

/// The batches of an object that has `__arrow_c_stream__`; or one batch of a dict of buffers of
/// f64.
pub fn batches(table: &Bound<'_, PyAny>) -> PyResult<Vec<RecordBatch>> {
    let wrong = |error: ArrowError| PyValueError::new_err(error.to_string());
    if let Ok(columns) = table.cast::<PyDict>() {
        let mut fields = Vec::new();
        let mut arrays: Vec<ArrayRef> = Vec::new();
        for (name, column) in columns.iter() {
            let numbers = PyBuffer::<f64>::get(&column)?.to_vec(table.py())?;
            fields.push(Field::new(name.extract::<String>()?, DataType::Float64, true));
            arrays.push(Arc::new(Float64Array::from(numbers)));
        }
        return Ok(vec![RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(wrong)?]);
    }
    let capsule = table.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast::<PyCapsule>()?;
    let stream: *mut FFI_ArrowArrayStream = capsule.pointer_checked(Some(STREAM))?.cast().as_ptr();
    // SAFETY: a capsule of this name holds a stream, which is moved out of it, as the interface
    // says.
    let reader = unsafe { RecordBatchStreamReader::from_raw(stream) };
    // A series is a stream too, and no table.
    let reader = reader.map_err(|error| PyTypeError::new_err(error.to_string()))?;
    reader.collect::<Result<_, _>>().map_err(wrong)
}

/// Samples that came from memory, as a study draws from them.
pub struct GivenTable<'a> {
    /// The name of their file.
    pub file: &'a mut String,
    pub names: &'a [String],
    pub rows: &'a [Vec<f64>],
}

/// Tables of equally many rows beside each other, as text with commas and all digits; `None`: there
/// are none.
pub fn with_commas(tables: &[GivenTable<'_>]) -> Option<String> {
    let rows = tables.first()?.rows.len();
    let quoted = |name: &String| format!("\"{}\"", name.replace('"', "\"\""));
    let names = tables.iter().flat_map(|table| table.names.iter().map(quoted));
    let mut text = names.collect::<Vec<_>>().join(",");
    for row in 0..rows {
        let numbers = tables.iter().flat_map(|table| &table.rows[row]);
        text.push('\n');
        text.push_str(&numbers.map(|number| format!("{number:?}")).collect::<Vec<_>>().join(","));
    }
    text.push('\n');
    Some(text)
}

/// Bytes that other objects of Python read in place.
#[pyclass(frozen)]
pub struct Buffer {
    bytes: Vec<u8>,
}

#[pymethods]
impl Buffer {
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let bytes = &slf.get().bytes;
        let Ok(length) = bytes.len().try_into() else { return Err(PyBufferError::new_err("too long")) };
        let start = bytes.as_ptr().cast_mut().cast::<c_void>();
        // SAFETY: the bytes live as long as this object, of which the view holds a reference, and
        // never change.
        match unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, length, 1, flags) } {
            0 => Ok(()),
            _ => Err(PyErr::fetch(slf.py())),
        }
    }
}

/// A column of a table, whole.
pub enum Whole {
    /// Numbers as bytes, of a type that NumPy names so.
    Numbers(&'static str, Vec<u8>),
    /// Texts: positions (i32) in a list.
    Texts(Vec<u8>, Vec<String>),
}

/// All columns of a stream, by name in their order.
pub fn whole(stream: Box<dyn RecordBatchReader + Send>) -> Result<Vec<(String, Whole)>, ArrowError> {
    let schema = stream.schema();
    let mut columns = schema
        .fields()
        .iter()
        .map(|field| Ok((field.name().clone(), begun(field)?)))
        .collect::<Result<Vec<_>, ArrowError>>()?;
    let mut known: Vec<HashMap<String, i32>> = vec![HashMap::new(); columns.len()];
    for batch in stream {
        for (((_, column), known), array) in columns.iter_mut().zip(&mut known).zip(batch?.columns()) {
            append(column, known, array);
        }
    }
    Ok(columns)
}

fn begun(field: &Field) -> Result<Whole, ArrowError> {
    match field.data_type() {
        DataType::Float64 => Ok(Whole::Numbers("f8", Vec::new())),
        DataType::Float32 => Ok(Whole::Numbers("f4", Vec::new())),
        DataType::UInt64 => Ok(Whole::Numbers("u8", Vec::new())),
        DataType::Dictionary(..) => Ok(Whole::Texts(Vec::new(), Vec::new())),
        other => Err(ArrowError::CastError(format!("column {} holds {other}", field.name()))),
    }
}

fn append(column: &mut Whole, known: &mut HashMap<String, i32>, array: &ArrayRef) {
    match column {
        Whole::Numbers("f8", bytes) => {
            append_numbers(bytes, array.as_primitive::<Float64Type>(), &f64::NAN.to_ne_bytes())
        }
        Whole::Numbers("f4", bytes) => {
            append_numbers(bytes, array.as_primitive::<Float32Type>(), &f32::NAN.to_ne_bytes())
        }
        Whole::Numbers(_, bytes) => {
            append_numbers(bytes, array.as_primitive::<UInt64Type>(), &0_u64.to_ne_bytes())
        }
        Whole::Texts(bytes, texts) => {
            let array = array.as_dictionary::<UInt32Type>();
            let values = array.values().as_string::<i32>();
            let codes: Vec<i32> = values
                .iter()
                .map(|text| {
                    let text = text.unwrap_or_default();
                    *known.entry(text.to_string()).or_insert_with(|| {
                        texts.push(text.to_string());
                        texts.len() as i32 - 1
                    })
                })
                .collect();
            for key in array.keys().values() {
                bytes.extend_from_slice(&codes[*key as usize].to_ne_bytes());
            }
        }
    }
}

/// Appends numbers as they lie in memory, `none` where there is none.
fn append_numbers<T: ArrowPrimitiveType>(bytes: &mut Vec<u8>, numbers: &PrimitiveArray<T>, none: &[u8]) {
    let begun = bytes.len();
    bytes.extend_from_slice(numbers.values().inner().as_slice());
    let Some(nulls) = numbers.nulls() else { return };
    for row in (0..numbers.len()).filter(|row| nulls.is_null(*row)) {
        bytes[begun + row * none.len()..][..none.len()].copy_from_slice(none);
    }
}

/// The columns for Python: `{ name: (type, buffer, texts or None) }`.
pub fn for_python(py: Python<'_>, columns: Vec<(String, Whole)>) -> PyResult<Bound<'_, PyDict>> {
    let table = PyDict::new(py);
    for (name, column) in columns {
        let (kind, bytes, texts) = match column {
            Whole::Numbers(kind, bytes) => (kind, bytes, None),
            Whole::Texts(bytes, texts) => ("i4", bytes, Some(texts)),
        };
        table.set_item(name, (kind, Buffer { bytes }, texts))?;
    }
    Ok(table)
}
