//! Results of a run, and of a replay, as the package holds them.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, RecordBatchIterator};
use arrow_schema::{DataType, Field, Schema};
use polhode::{Replay, Results};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use super::watched::detached;
use super::{columns, fault};

/// The folder of a run.
#[pyclass(frozen)]
pub struct RunFolder {
    results: Results,
}

impl From<Results> for RunFolder {
    fn from(results: Results) -> RunFolder {
        RunFolder { results }
    }
}

/// The end of work that was watched: what it made, and the exception that ended it early. An error
/// of the work is raised, unless an exception came first.
pub fn ended<E>(
    py: Python<'_>,
    done: Result<Results, E>,
    raised: Option<PyErr>,
    fault: fn(Python<'_>, &E) -> PyErr,
) -> PyResult<(RunFolder, Option<PyErr>)> {
    match (done, raised) {
        (Ok(results), raised) => Ok((results.into(), raised)),
        (Err(_), Some(raised)) => Err(raised),
        (Err(error), None) => Err(fault(py, &error)),
    }
}

#[pymethods]
impl RunFolder {
    #[getter]
    fn folder(&self) -> PathBuf {
        self.results.folder().to_owned()
    }

    #[getter]
    fn complete(&self) -> bool {
        self.results.is_complete()
    }

    /// Whether the folder goes with this value.
    #[getter]
    fn temporary(&self) -> bool {
        self.results.is_temporary()
    }

    #[getter]
    fn lines(&self) -> Vec<String> {
        self.results.lines().to_vec()
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.results.warnings().to_vec()
    }

    #[getter]
    fn accuracy(&self) -> Vec<String> {
        self.results.manifest().accuracy.as_ref().map_or(Vec::new(), |accuracy| accuracy.lines())
    }

    #[getter]
    fn manifest(&self) -> PyResult<String> {
        serde_json::to_string(self.results.manifest())
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn tables(&self) -> Vec<String> {
        self.results.tables().into_iter().map(str::to_string).collect()
    }

    /// A table as a stream of Arrow.
    fn stream<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyCapsule>> {
        columns::capsule(py, self.results.stream(name).map_err(|error| fault::output(py, &error))?)
    }

    /// All columns of a table.
    fn columns<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        let stream = self.results.stream(name).map_err(|error| fault::output(py, &error))?;
        let whole = py.detach(|| columns::whole(stream));
        columns::for_python(py, whole.map_err(|error| PyOSError::new_err(error.to_string()))?)
    }

    /// The metadata of the columns of a table: `[(name, unit, description)]`.
    fn fields(&self, py: Python<'_>, name: &str) -> PyResult<Vec<(String, String, String)>> {
        let schema = self.results.stream(name).map_err(|error| fault::output(py, &error))?.schema();
        let metadata = |field: &Arc<Field>, key: &str| field.metadata().get(key).cloned().unwrap_or_default();
        let fields = schema.fields().iter();
        Ok(fields
            .map(|field| (field.name().clone(), metadata(field, "unit"), metadata(field, "description")))
            .collect())
    }

    /// Writes a table as text with commas.
    fn export(&self, py: Python<'_>, table: &str, file: PathBuf) -> PyResult<u64> {
        let named = |error: std::io::Error| PyOSError::new_err(format!("{}: {error}", file.display()));
        let to = BufWriter::new(File::create_new(&file).map_err(named)?);
        py.detach(|| self.results.export(table, to)).map_err(|error| fault::export(py, &error))
    }

    /// Writes the folder again somewhere else.
    fn write_to(&self, py: Python<'_>, folder: PathBuf, overwrite: bool) -> PyResult<PathBuf> {
        detached(py, || self.results.write_to(folder, overwrite))?.map_err(|error| fault::output(py, &error))
    }
}

/// One instance by the reference.
#[pyclass(frozen)]
pub struct Replayed {
    replay: Replay,
}

impl From<Replay> for Replayed {
    fn from(replay: Replay) -> Replayed {
        Replayed { replay }
    }
}

#[pymethods]
impl Replayed {
    #[getter]
    fn verdict(&self) -> (String, u64) {
        (self.replay.verdict.clone(), self.replay.verdict_step)
    }

    #[getter]
    fn drawn(&self) -> Vec<(String, f64, String)> {
        let drawn = self.replay.columns.iter().zip(&self.replay.drawn);
        drawn.map(|(column, value)| (column.name.clone(), *value, column.unit.to_string())).collect()
    }

    /// By number of the end: name, unit, as stored, by the same steps, accurate.
    #[getter]
    fn comparison(&self) -> Vec<(String, String, f64, f64, f64)> {
        let compared = self.replay.comparison.iter();
        compared.map(|c| (c.name.clone(), c.unit.clone(), c.stored, c.reference, c.accurate)).collect()
    }

    /// Largest distances: of the coding, and of the step (NaN: not judged).
    #[getter]
    fn distances(&self) -> (f64, f64) {
        let distances = self.replay.distances();
        (distances.coding, distances.step)
    }

    /// The motion as a stream of Arrow: time, then every body's position, attitude, velocity,
    /// angular velocity.
    fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let states = &self.replay.states;
        let mut fields = Vec::new();
        let mut arrays: Vec<ArrayRef> = Vec::new();
        let mut column = |name: String, unit: &str, values: Vec<f64>| {
            let metadata = HashMap::from([("unit".to_string(), unit.to_string())]);
            fields.push(Field::new(name, DataType::Float64, true).with_metadata(metadata));
            arrays.push(Arc::new(Float64Array::from(values)));
        };
        column("time".to_string(), "s", states.iter().map(|state| state.time).collect());
        for (b, body) in self.replay.study.mechanism.bodies.iter().enumerate() {
            let name = |quantity: &str, component: &str| format!("{}.{quantity}.{component}", body.name);
            for (k, of) in ["x", "y", "z"].into_iter().enumerate() {
                column(name("position", of), "m", states.iter().map(|s| s.bodies[b].position[k]).collect());
                column(name("velocity", of), "m/s", states.iter().map(|s| s.bodies[b].velocity[k]).collect());
                let turning = states.iter().map(|s| s.bodies[b].angular_velocity[k]).collect();
                column(name("angular_velocity", of), "rad/s", turning);
            }
            for (k, of) in ["q0", "q1", "q2", "q3"].into_iter().enumerate() {
                column(name("attitude", of), "1", states.iter().map(|s| s.bodies[b].attitude[k]).collect());
            }
        }
        column("energy".to_string(), "J", states.iter().map(|state| state.energy).collect());
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new(schema.clone(), arrays);
        let batch = batch.map_err(|error| PyValueError::new_err(error.to_string()))?;
        columns::capsule(py, Box::new(RecordBatchIterator::new([Ok(batch)], schema)))
    }
}
