//! Mechanisms and studies made in code: the keys of the files, read by the reader of the files,
//! with its messages.
//!
//! A builder holds the tables that a file would have. [`MechanismBuilder::build`] and
//! [`StudyBuilder::build`] hand them to the reader, so that every key, default, unit and check is
//! that of the files (`polhode schema` lists them), and a fault is told by its key.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;

use super::document::Document;
use super::error::Problems;
use super::input::GIVEN_SAMPLES;
use super::keys::{STUDY, mechanism_section};
use super::read_mechanism::mechanism;
use super::read_study::{read_study, study};
use super::sample_table::without_unit;
use polhode_description::describe::{Mechanism, Study};

/// A value of a key: a number in SI units, a text (`"12 deg"`, a name), a flag, a list, or a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Value(toml::Value);

impl From<f64> for Value {
    fn from(x: f64) -> Value {
        Value(toml::Value::Float(x))
    }
}

impl From<i32> for Value {
    fn from(x: i32) -> Value {
        Value(toml::Value::Integer(i64::from(x)))
    }
}

impl From<i64> for Value {
    fn from(x: i64) -> Value {
        Value(toml::Value::Integer(x))
    }
}

impl From<bool> for Value {
    fn from(x: bool) -> Value {
        Value(toml::Value::Boolean(x))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value(toml::Value::String(text.to_string()))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value(toml::Value::String(text))
    }
}

impl<V: Into<Value>> From<Vec<V>> for Value {
    fn from(values: Vec<V>) -> Value {
        Value(toml::Value::Array(values.into_iter().map(|value| value.into().0).collect()))
    }
}

impl<V: Into<Value>, const N: usize> From<[V; N]> for Value {
    fn from(values: [V; N]) -> Value {
        Value(toml::Value::Array(values.into_iter().map(|value| value.into().0).collect()))
    }
}

impl From<Part> for Value {
    fn from(part: Part) -> Value {
        Value(toml::Value::Table(part.0))
    }
}

/// A table of keys: a body, a joint, a spring, a distribution.
///
/// ```
/// use polhode::Part;
/// let body = Part::named("rod")
///     .set("mass", "2 kg")
///     .set("inertia", [0.1, 0.1, 0.02])
///     .set("initial.position", [0.0, 0.0, 1.0]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part(toml::Table);

impl Part {
    /// Without any key.
    pub fn new() -> Part {
        Part::default()
    }

    /// With its `name`.
    pub fn named(name: &str) -> Part {
        Part::new().set("name", name)
    }

    /// Sets a key. Dots lead into tables: `initial.position`. What an earlier call has set there is
    /// replaced.
    pub fn set(mut self, key: &str, value: impl Into<Value>) -> Part {
        let path: Vec<&str> = key.split('.').collect();
        put(&mut self.0, &path, value.into().0);
        self
    }
}

fn put(table: &mut toml::Table, path: &[&str], value: toml::Value) {
    match path {
        [] => {}
        [last] => {
            table.insert((*last).to_string(), value);
        }
        [first, rest @ ..] => {
            let inner = table.entry(*first).or_insert_with(|| toml::Table::new().into());
            if !inner.is_table() {
                *inner = toml::Table::new().into();
            }
            if let toml::Value::Table(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

/// A mechanism under construction; see [`Mechanism::builder`](FromKeys::builder).
#[derive(Clone, Debug)]
pub struct MechanismBuilder {
    part: Part,
}

impl MechanismBuilder {
    /// Sets a key of the mechanism, for example `gravity`.
    pub fn set(self, key: &str, value: impl Into<Value>) -> MechanismBuilder {
        MechanismBuilder { part: self.part.set(key, value) }
    }

    /// Adds an entry to a list of the mechanism: `body`, `joint`, `spring`, `load` and so on, as
    /// `[[body]]` does in a file.
    pub fn add(mut self, list: &str, part: Part) -> MechanismBuilder {
        let entries = self.part.0.entry(list).or_insert_with(|| toml::Value::Array(Vec::new()));
        match entries {
            toml::Value::Array(entries) => entries.push(toml::Value::Table(part.0)),
            other => *other = toml::Value::Array(vec![toml::Value::Table(part.0)]),
        }
        self
    }

    /// The mechanism, checked.
    ///
    /// # Errors
    /// All faults that a file with these keys would have, without lines.
    pub fn build(&self) -> Result<Mechanism, Problems> {
        let document = Document::built("mechanism", &self.part.0);
        document.read(mechanism_section(), |table| mechanism(table, "mechanism"))
    }
}

/// Mechanisms and studies by their keys: read from a file, or made in code.
pub trait FromKeys: Sized {
    /// Begins the builder: the name of a mechanism; the mechanism of a study.
    type Subject;
    /// Takes the keys.
    type Builder;

    /// Reads a file; that of a study with the mechanism and the tables of samples that it names.
    ///
    /// # Errors
    /// All faults found, each with file, line and key.
    fn from_file(path: impl AsRef<Path>) -> Result<Self, Problems>;

    /// Begins a mechanism made in code, by the keys of mechanism files:
    ///
    /// ```
    /// use polhode::{FromKeys, Mechanism, Part};
    ///
    /// let pendulum = Mechanism::builder("pendulum")
    ///     .set("gravity", 9.81)
    ///     .add("body", Part::named("rod").set("mass", "1 kg").set("inertia", [0.1, 0.1, 0.001]))
    ///     .add(
    ///         "joint",
    ///         Part::named("hinge")
    ///             .set("kind", "revolute")
    ///             .set("bodies", ["ground", "rod"])
    ///             .set("points", [[0.0, 0.0, 0.0], [0.0, 0.0, 0.5]])
    ///             .set("axes", [0.0, 1.0, 0.0])
    ///             .set("angle", "30 deg"),
    ///     )
    ///     .build()?;
    /// assert_eq!(pendulum.bodies[0].name, "rod");
    ///
    /// let rod = Part::named("rod").set("mas", 1.0);
    /// let fault = Mechanism::builder("pendulum").add("body", rod).build().unwrap_err();
    /// let text = fault.to_string();
    /// assert!(text.starts_with("mechanism: body[0].mas: unknown key; did you mean `mass`?"));
    /// # Ok::<(), polhode::Problems>(())
    /// ```
    ///
    /// or a study, by the keys of study files, of a mechanism made in code or of a file:
    ///
    /// ```
    /// use polhode::{FromKeys, Mechanism, Part, Study};
    ///
    /// let body = Part::named("body").set("mass", 1.0).set("inertia", [5.0, 10.0, 1.0]);
    /// let study = Study::builder(Mechanism::builder("tumbling").add("body", body))
    ///     .set("method.name", "staggered")
    ///     .set("method.step", "1 ms")
    ///     .set("method.duration", "2 s")
    ///     .set("ensemble.size", 200)
    ///     .vary(
    ///         "body.angular_velocity",
    ///         "normal",
    ///         Part::new().set("mean", [0.1, 2.0, 0.1]).set("std", [0.01, 0.01, 0.01]),
    ///     )
    ///     .build()?;
    /// assert_eq!(study.method.steps, 2000);
    /// # Ok::<(), polhode::Problems>(())
    /// ```
    fn builder(of: impl Into<Self::Subject>) -> Self::Builder;
}

impl FromKeys for Mechanism {
    type Subject = String;
    type Builder = MechanismBuilder;

    fn from_file(path: impl AsRef<Path>) -> Result<Mechanism, Problems> {
        super::read_mechanism(path.as_ref())
    }

    fn builder(name: impl Into<String>) -> MechanismBuilder {
        MechanismBuilder { part: Part::named(&name.into()) }
    }
}

/// The mechanism of a study under construction.
#[derive(Clone, Debug)]
pub enum Source {
    /// A mechanism made in code.
    Built(MechanismBuilder),
    /// A mechanism file.
    File(PathBuf),
}

impl From<MechanismBuilder> for Source {
    fn from(mechanism: MechanismBuilder) -> Source {
        Source::Built(mechanism)
    }
}

impl From<&Path> for Source {
    fn from(path: &Path) -> Source {
        Source::File(path.to_owned())
    }
}

impl From<&str> for Source {
    fn from(path: &str) -> Source {
        Source::File(path.into())
    }
}

/// A study under construction; see [`Study::builder`](FromKeys::builder).
#[derive(Clone, Debug)]
pub struct StudyBuilder {
    part: Part,
    /// The file that it was read from, or the name that messages have.
    name: PathBuf,
    /// Nothing has been changed since it was read.
    is_file: bool,
    samples: Option<Arc<[RecordBatch]>>,
}

impl StudyBuilder {
    /// The keys of a study file, to be changed. Paths in it are relative to its folder, as always.
    ///
    /// # Errors
    /// The file cannot be read, is no TOML, or has unknown tables. Other faults are told when it is
    /// built.
    pub fn from_file(path: impl AsRef<Path>) -> Result<StudyBuilder, Problems> {
        let name = path.as_ref().to_owned();
        let part = Part(Document::open(&name)?.top(&STUDY)?);
        Ok(StudyBuilder { part, name, is_file: true, samples: None })
    }

    /// Sets a key of the study, for example `method.step` or `ensemble.size`.
    pub fn set(self, key: &str, value: impl Into<Value>) -> StudyBuilder {
        StudyBuilder { part: self.part.set(key, value), is_file: false, ..self }
    }

    /// Takes a key away, with all that is in it, if it is there.
    pub fn unset(mut self, key: &str) -> StudyBuilder {
        let path: Vec<&str> = key.split('.').collect();
        take(&mut self.part.0, &path);
        StudyBuilder { is_file: false, ..self }
    }

    /// Whether a key is given.
    pub fn has(&self, key: &str) -> bool {
        let path: Vec<&str> = key.split('.').collect();
        take(&mut self.part.0.clone(), &path)
    }

    /// Varies a quantity (`"rod.mass"`, `"hinge.angle"`): an entry of `[ensemble.vary]`, a
    /// distribution by its name with its keys.
    pub fn vary(self, quantity: &str, distribution: &str, keys: impl Into<Value>) -> StudyBuilder {
        self.vary_by(quantity, Part::new().set(distribution, keys))
    }

    /// As [`vary`](Self::vary), by all that an entry of `[ensemble.vary]` may be.
    pub fn vary_by(mut self, quantity: &str, entry: impl Into<Value>) -> StudyBuilder {
        put(&mut self.part.0, &["ensemble", "vary", quantity], entry.into().0);
        StudyBuilder { is_file: false, ..self }
    }

    /// Brings own samples: instance i has row i of this table in place of what the study draws for
    /// the quantities that its columns name, as `hinge.angle`, `rod.angular_velocity.x`, or with
    /// `drawn.` before it, as results name them. Numbers are in SI, or in the unit of a column's
    /// name (`hinge.angle (deg)`) or metadata (`unit`). Where columns begin with `drawn.`, those
    /// that results have besides are passed over, as `instance` and `final.hinge.angle`. There are
    /// as many instances as rows, and a run keeps the table in its folder. All batches have one
    /// schema.
    pub fn samples(self, batches: impl IntoIterator<Item = RecordBatch>) -> StudyBuilder {
        let batches: Vec<RecordBatch> = batches.into_iter().collect();
        let schema = batches.first().map(RecordBatch::schema);
        let columns =
            schema.iter().flat_map(|schema| schema.fields().iter().map(|field| field.name().clone()));
        let mut named: Vec<(String, Vec<Value>)> = Vec::new();
        for column in sample_columns(columns.collect()) {
            let quantity = sampled_quantity(&column);
            match named.iter_mut().find(|(name, _)| *name == quantity) {
                Some((_, columns)) => columns.push(column.into()),
                None => named.push((quantity, vec![column.into()])),
            }
        }
        let mut study = self.unset("ensemble.size");
        let drawn = study.part.0.get_mut("ensemble").and_then(|ensemble| ensemble.get_mut("vary"));
        if let Some(drawn) = drawn.and_then(toml::Value::as_table_mut) {
            let within = |part: &str, whole: &str| {
                part.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            drawn
                .retain(|drawn, _| !named.iter().any(|(name, _)| within(name, drawn) || within(drawn, name)));
        }
        for (quantity, columns) in named {
            let table = Part::new().set("file", GIVEN_SAMPLES).set("columns", columns);
            study = study.vary(&quantity, "table", table);
        }
        study.with_samples(batches)
    }

    /// The table that entries of the file [`GIVEN_SAMPLES`] draw from, where the study has them
    /// already.
    pub fn with_samples(self, batches: impl IntoIterator<Item = RecordBatch>) -> StudyBuilder {
        StudyBuilder { samples: Some(batches.into_iter().collect()), is_file: false, ..self }
    }

    /// The study, checked.
    ///
    /// # Errors
    /// All faults that a file with these keys would have, without lines unless it is a file's as it
    /// is.
    pub fn build(&self) -> Result<Study, Problems> {
        if self.is_file {
            return read_study(&self.name);
        }
        let document = Document::built(&self.name.to_string_lossy(), &self.part.0);
        let stem = document.stem();
        document.with_given_samples(self.samples.clone()).read(&STUDY, |table| study(table, &stem))
    }
}

/// Columns of `instances` that were drawn begin so.
const DRAWN: &str = "drawn.";

/// Columns that tables of results have besides, and, with a dot, the beginnings of such.
const OF_RESULTS: &[&str] = &[
    "instance",
    "verdict",
    "verdict_step",
    "verdict_time",
    "final.",
    "variant",
    "largest.",
    "energy_drift_rate",
    "highest.",
    "lowest.",
    "outcome",
    "why",
    "steps",
    "residual",
    "moved",
    "rotation",
    "rigid",
    "stability",
    "growth",
    "slowest",
    "group",
    "equilibrium.",
    "mode",
    "curve",
    "frequency",
    "natural_frequency",
    "damping_ratio",
    "body",
    "share",
];

/// The columns of a table of samples that quantities take: all, or, if results name some, those
/// that results do not have besides.
pub fn sample_columns(mut columns: Vec<String>) -> Vec<String> {
    if columns.iter().any(|column| column.starts_with(DRAWN)) {
        columns.retain(|column| {
            let name = without_unit(column);
            let mut besides = OF_RESULTS.iter();
            !besides.any(|other| name == *other || other.ends_with('.') && name.starts_with(other))
        });
    }
    columns
}

/// The quantity that a column of samples is for; components of an attitude belong together.
fn sampled_quantity(column: &str) -> String {
    let column = without_unit(column);
    let name = column.strip_prefix(DRAWN).unwrap_or(&column);
    match name.rsplit_once('.') {
        Some((whole, "q0" | "q1" | "q2" | "q3")) => whole.to_string(),
        _ => name.to_string(),
    }
}

/// Takes the value at the path away; whether there was one.
fn take(table: &mut toml::Table, path: &[&str]) -> bool {
    // Quantities that vary have dots in their names.
    table.remove(&path.join(".")).is_some()
        || path.split_first().is_some_and(|(first, rest)| match table.get_mut(*first) {
            Some(toml::Value::Table(inner)) if !rest.is_empty() => take(inner, rest),
            _ => false,
        })
}

impl FromKeys for Study {
    type Subject = Source;
    type Builder = StudyBuilder;

    fn from_file(path: impl AsRef<Path>) -> Result<Study, Problems> {
        read_study(path.as_ref())
    }

    fn builder(mechanism: impl Into<Source>) -> StudyBuilder {
        let mechanism = match mechanism.into() {
            Source::Built(mechanism) => Value::from(mechanism.part),
            Source::File(path) => Value::from(path.to_string_lossy().into_owned()),
        };
        let part = Part::new().set("mechanism", mechanism);
        StudyBuilder { part, name: "study".into(), is_file: false, samples: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tumbling() -> StudyBuilder {
        let body = Part::named("body").set("mass", 1.0).set("inertia", [5.0, 10.0, 1.0]);
        Study::builder(Mechanism::builder("tumbling").add("body", body))
            .set("method.step", "1 ms")
            .set("method.name", "rk4")
            .set("method.duration", "2 s")
            .set("ensemble.size", 200)
    }

    /// A built study equals that of a file with the same keys.
    #[test]
    fn a_built_study_is_that_of_the_file() {
        let text = "method = { name = \"rk4\", step = \"1 ms\", duration = \"2 s\" }\nensemble.size = 200\n\
                    ensemble.vary.\"body.mass\" = { uniform = { low = 0.5, high = 2.0 } }\n\
                    title = \"a title\"\n";
        let mechanism = "name = \"tumbling\"\n[[body]]\nmass = 1.0\ninertia = [5.0, 10.0, 1.0]\n";
        let read = super::super::read_study_text("study", text, mechanism).expect("a study");
        let built = tumbling()
            .set("title", "a title")
            .vary("body.mass", "uniform", Part::new().set("low", 0.5).set("high", 2.0))
            .build();
        assert_eq!(built.expect("a study"), read);
    }

    /// Faults are reported as those of a file, all at once, without a line.
    #[test]
    fn faults_have_the_words_of_the_reader() {
        let wrong =
            tumbling().set("method.step", "0 s").set("ensemble.sise", 3).build().expect_err("two faults");
        let lines: Vec<String> = wrong.to_string().lines().map(str::to_string).collect();
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(
            lines.iter().any(|line| line.starts_with("study: method.step: \"0 s\" is not a positive time")),
            "{lines:?}"
        );
        let unknown = "study: ensemble.sise: unknown key; did you mean `size`?";
        assert!(lines.iter().any(|line| line.starts_with(unknown)), "{lines:?}");
        let missing = Study::builder("nowhere.toml").build().expect_err("no such file").to_string();
        assert!(missing.contains("nowhere.toml"), "{missing}");
    }

    /// Draws follow the order of quantities.
    #[test]
    fn quantities_vary_in_the_order_that_they_are_given_in() {
        let normal = Part::new().set("normal", Part::new().set("std", 0.1));
        let given = tumbling().vary_by("body.angular_velocity.x", normal).vary_by("body.attitude", "uniform");
        let vary = |study: &StudyBuilder| study.build().expect("a study").ensemble.vary.len();
        let text = super::super::resolved_toml(&given.build().expect("a study"));
        let [first, second] = ["angular_velocity.x\"", "attitude\""].map(|name| text.find(name));
        assert!(first.is_some() && first < second, "{text}");
        assert_eq!((vary(&given), vary(&given.clone().unset("ensemble.vary.body.attitude"))), (2, 1));
    }

    #[test]
    fn a_key_that_is_set_again_is_replaced() {
        let part = Part::new().set("a", 1.0).set("a.b", "x").set("a.c", true);
        assert_eq!(part, Part::new().set("a", Part::new().set("b", "x").set("c", true)));
    }
}
