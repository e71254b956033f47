//! A study by its keys, as the package holds it.

use std::path::PathBuf;

use polhode::describe::Distribution;
use polhode::study::choose_method::chosen;
use polhode::study::throughput::ENGINES;
use polhode::study_file::{GIVEN_SAMPLES, resolved_toml};
use polhode::{CheckOptions, Engine, RecordBatch, RunOptions, Shard, StudyBuilder, Throughput};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::columns::{self, GivenTable};
use super::results::{self, RunFolder};
use super::watched::{heeding, watched};
use super::{fault, values};

/// A study by its keys; each change makes another one.
#[pyclass(frozen)]
pub struct Study {
    builder: StudyBuilder,
}

impl Study {
    pub fn read(&self, py: Python<'_>) -> PyResult<polhode::Study> {
        py.detach(|| self.builder.build()).map_err(|error| fault::problems(py, &error))
    }
}

#[pymethods]
impl Study {
    /// Takes a mechanism by its keys, or by the path of its file.
    #[staticmethod]
    fn of(mechanism: &Bound<'_, PyAny>) -> PyResult<Study> {
        let builder = <polhode::Study as polhode::FromKeys>::builder("");
        Ok(Study { builder: builder.set("mechanism", values::value("mechanism", mechanism)?) })
    }

    /// Reads a file.
    #[staticmethod]
    fn from_file(py: Python<'_>, path: PathBuf) -> PyResult<Study> {
        let builder = StudyBuilder::from_file(path).map_err(|error| fault::problems(py, &error))?;
        Ok(Study { builder })
    }

    /// With another value of a key, by its path.
    fn set(&self, key: &str, value: &Bound<'_, PyAny>) -> PyResult<Study> {
        Ok(Study { builder: self.builder.clone().set(key, values::value(key, value)?) })
    }

    /// Without a key.
    fn unset(&self, key: &str) -> Study {
        Study { builder: self.builder.clone().unset(key) }
    }

    /// Whether a key is given.
    fn has(&self, key: &str) -> bool {
        self.builder.has(key)
    }

    /// With another entry of what varies.
    fn vary(&self, quantity: &str, entry: &Bound<'_, PyAny>) -> PyResult<Study> {
        Ok(Study { builder: self.builder.clone().vary_by(quantity, values::value(quantity, entry)?) })
    }

    /// With own samples; `None`: they have no rows. Of fewer instances than have kept trajectories,
    /// all have.
    fn samples(&self, py: Python<'_>, table: &Bound<'_, PyAny>) -> PyResult<Option<Study>> {
        let batches = columns::batches(table)?;
        let fields = batches.iter().take(1).flat_map(|batch| batch.schema().fields().clone().to_vec());
        let names: Vec<String> = fields.map(|field| field.name().clone()).collect();
        py.import("polhode._result")?.getattr("once")?.call1((names,))?;
        let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
        if rows == 0 {
            return Ok(None);
        }
        let mut builder = self.builder.clone().samples(batches);
        if self.read(py)?.observe.keep > rows as u64 {
            builder = builder.set("observe.keep", rows as i64);
        }
        Ok(Some(Study { builder }))
    }

    /// With the table that its entries of samples from memory draw from.
    fn with_samples(&self, table: &Bound<'_, PyAny>) -> PyResult<Study> {
        Ok(Study { builder: self.builder.clone().with_samples(columns::batches(table)?) })
    }

    /// Reads it: every fault of it is raised.
    fn build(&self, py: Python<'_>) -> PyResult<()> {
        self.read(py).map(drop)
    }

    /// The study as resolved, TOML.
    fn toml(&self, py: Python<'_>) -> PyResult<String> {
        Ok(resolved_toml(&self.read(py)?))
    }

    /// The samples that came from memory, as text with commas, in SI, from which the same bits are
    /// read; `None`: there are none.
    fn given_samples(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let mut study = self.read(py)?;
        Ok(py.detach(|| columns::with_commas(&given(&mut study))))
    }

    /// The study as resolved, TOML, with method and step chosen where it leaves them open.
    /// `samples`: the file that has the samples which came from memory.
    fn chosen_toml(&self, py: Python<'_>, samples: &str) -> PyResult<String> {
        let study = self.read(py)?;
        let chosen = heeding(py, |interrupt| chosen(&study, interrupt))?;
        let mut chosen = chosen.map_err(|error| fault::run(py, &error))?.study;
        for table in given(&mut chosen) {
            samples.clone_into(table.file);
        }
        Ok(resolved_toml(&chosen))
    }

    /// Tells what it would do and cost.
    fn check<'py>(&self, py: Python<'py>, verbose: bool) -> PyResult<Bound<'py, PyDict>> {
        let study = self.read(py)?;
        let checked = heeding(py, |interrupt| {
            let options = CheckOptions { verbose, interrupt: Some(interrupt), ..CheckOptions::default() };
            polhode::check(&study, &options)
        })?;
        let checked = checked.map_err(|error| fault::run(py, &error))?;
        let account = PyDict::new(py);
        account.set_item("text", checked.text())?;
        account.set_item("lines", checked.lines)?;
        account.set_item("warnings", checked.warnings)?;
        account.set_item("memory", checked.memory)?;
        account.set_item("tables", checked.tables)?;
        account.set_item("seconds", checked.seconds)?;
        Ok(account)
    }

    /// Runs it.
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of Python's function")]
    fn run(
        &self,
        py: Python<'_>,
        out: Option<PathBuf>,
        overwrite: bool,
        resume: bool,
        shard: Option<String>,
        like: Option<String>,
        listener: Py<PyAny>,
    ) -> PyResult<(RunFolder, Option<PyErr>)> {
        let shard: Option<Shard> = match shard.map(|shard| shard.parse()).transpose() {
            Ok(shard) => shard,
            Err(error) => return Err(PyValueError::new_err(format!("shard: {error}"))),
        };
        let study = self.read(py)?;
        let (done, raised) = watched(py, Some(&listener), |listener, interrupt| {
            let options = RunOptions::new().overwrite(overwrite).resume(resume);
            let mut options = options.listener(listener).interrupt(interrupt);
            (options.out, options.shard, options.like) = (out.as_deref(), shard, like.as_deref());
            polhode::run(&study, &options)
        })?;
        results::ended(py, done, raised, fault::run)
    }

    /// Measures speeds.
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of Python's function")]
    fn bench(
        &self,
        py: Python<'_>,
        out: Option<PathBuf>,
        overwrite: bool,
        sizes: Option<Vec<u64>>,
        steps: Option<Vec<u64>>,
        repeats: Option<u64>,
        judged: Option<u64>,
        budget: Option<Bound<'_, PyAny>>,
        backends: Option<Vec<String>>,
        listener: Py<PyAny>,
    ) -> PyResult<(RunFolder, Option<PyErr>)> {
        let mut settings = Throughput::default();
        for (ladder, given) in [(&mut settings.sizes, sizes), (&mut settings.steps, steps)] {
            let Some(given) = given else { continue };
            *ladder = given;
            ladder.sort_unstable();
            ladder.dedup();
            if ladder.first().is_none_or(|least| *least == 0) {
                return Err(PyValueError::new_err("sizes and steps: give whole numbers above zero"));
            }
        }
        settings.repeats = repeats.unwrap_or(settings.repeats).max(1);
        settings.judged = judged.unwrap_or(settings.judged).max(1);
        if let Some(budget) = budget {
            settings.budget = values::seconds("budget", &budget)?;
        }
        if let Some(names) = backends {
            settings.backends = names.iter().map(|name| engine(name)).collect::<PyResult<_>>()?;
        }
        let study = self.read(py)?;
        let (done, raised) = watched(py, Some(&listener), |listener, interrupt| {
            let mut options = RunOptions::new().overwrite(overwrite).listener(listener).interrupt(interrupt);
            options.out = out.as_deref();
            polhode::bench(&study, &settings, &options)
        })?;
        results::ended(py, done, raised, fault::run)
    }
}

/// Samples that came from memory.
fn given(study: &mut polhode::Study) -> Vec<GivenTable<'_>> {
    let drawn = study.ensemble.vary.iter_mut().map(|vary| &mut vary.distribution);
    drawn
        .filter_map(|distribution| match distribution {
            Distribution::Table { file, columns, values } if file == GIVEN_SAMPLES => {
                Some(GivenTable { file, names: columns, rows: values })
            }
            _ => None,
        })
        .collect()
}

fn engine(name: &str) -> PyResult<Engine> {
    let found = ENGINES.iter().find(|(known, _)| *known == name);
    found.map(|(_, engine)| *engine).ok_or_else(|| {
        let known: Vec<&str> = ENGINES.iter().map(|(known, _)| *known).collect();
        PyValueError::new_err(format!("no backend {name:?}; give some of {}", known.join(", ")))
    })
}
