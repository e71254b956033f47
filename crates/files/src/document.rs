//! A TOML file as its reader sees it: tables opened by their `Section`, values read by type, and
//! every fault collected with its file, line and key.
//!
//! A method that cannot read its value reports why and returns `None`; the reader goes on with the
//! next key, so that one run shows all faults. `Document::finish` hands out the result only when
//! nothing was reported.

mod quantities;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::error::{Problem, Problems};
use super::input::{self, GIVEN_SAMPLES, Longest, Refused};
use super::keys::{FileKey, Form, Presence, Section};
use super::settings::{KeySetting, Misplaced, name_of};
use polhode_description::base::units::Dimension;
use polhode_description::base::{grouped, nearest};
use polhode_description::describe::Constant;
use polhode_description::describe::expression::Expression;

/// Faults of a description that are printed: finding the line of each scans the whole text.
const MOST: usize = 100;

/// The key of a study that may name a file, whose values can be given beside it too.
pub const MECHANISM: &str = "mechanism";

/// A file's text and the faults found in it so far.
pub struct Document {
    file: PathBuf,
    /// That of the file, and after it the lines of all settings.
    text: Arc<str>,
    /// Where the text of the file ends.
    end: usize,
    /// Values that take the place of the file's.
    settings: Vec<KeySetting>,
    /// Whether the tables of samples that it names are read.
    pub with_samples: bool,
    /// The table of samples in memory that stands for [`GIVEN_SAMPLES`].
    given_samples: Option<Arc<[RecordBatch]>>,
    /// Whether a user wrote the text, so that its lines mean something.
    has_lines: bool,
    problems: RefCell<Vec<Problem>>,
    /// Faults that are not told any more.
    more: Cell<usize>,
    /// Things that are no faults, and yet should be known.
    notes: RefCell<Vec<String>>,
    /// Keys of lists of which an entry was noted.
    noted: RefCell<Vec<String>>,
    /// Constants that its numbers may call, and calls made; `None`: no mechanism is read, so that
    /// numbers are no expressions.
    calls: RefCell<Option<Calls>>,
    /// Its numbers that are expressions, in the order of their paths, and the value of each with
    /// other constants; `None`: it is read for the first time.
    evaluated: Option<(Arc<[Call]>, Vec<f64>)>,
    /// Tables that were read from other files.
    points: RefCell<Vec<PointsRead>>,
}

/// Arguments and values that a table took from another file.
#[derive(Clone, Debug)]
pub struct PointsRead {
    /// The path of the table, as messages have it.
    pub path: String,
    pub arguments: Vec<f64>,
    /// By column; of which instances have one each if it has `names`.
    pub values: Vec<Vec<f64>>,
    pub names: Option<Vec<String>>,
}

/// Constants that numbers of a mechanism may call, and numbers that do so.
#[derive(Default)]
struct Calls {
    constants: Vec<Constant>,
    /// Whether one could not be read: a name that is not known may be its.
    has_faults: bool,
    made: Vec<Call>,
}

/// A number that is an expression of constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The path of its key, as messages have it: `body[0].mass`, from the mechanism on.
    pub path: String,
    pub expression: Expression,
    /// The constants that it depends on, by position, directly or by others.
    pub constants: Vec<usize>,
}

/// A table of the file, opened with the section that lists its keys.
pub struct Table<'a> {
    document: &'a Document,
    section: &'static Section,
    entries: &'a DeTable<'a>,
    path: String,
    span: Range<usize>,
}

/// A value of the file with its key path, or a default from the section.
pub struct Node<'a> {
    document: &'a Document,
    path: String,
    value: Value<'a>,
    /// Where messages point: the value, or for a table under its own heading, that heading.
    span: Range<usize>,
}

/// A value of the file, or a default. (`Cow` would be invariant in the lifetime.)
enum Value<'a> {
    Written(&'a Spanned<DeValue<'a>>),
    Default(Box<Spanned<DeValue<'a>>>),
}

impl<'a> Value<'a> {
    fn spanned(&self) -> &Spanned<DeValue<'a>> {
        match self {
            Value::Written(value) => value,
            Value::Default(value) => value,
        }
    }
}

/// Lines and entries of lists that a file has at most: each takes some hundred bytes once it is
/// read.
const MOST_ENTRIES: usize = 4 << 20;

/// Lines and entries of lists in a text, at most so many.
fn entries(text: &str) -> usize {
    text.bytes().filter(|byte| matches!(byte, b',' | b'\n')).count()
}

impl Document {
    pub fn open(path: &Path) -> Result<Document, Problems> {
        Document::open_up_to(path, Longest::TEXT)
    }

    /// As [`open`](Self::open), of a file that is not longer than this.
    pub fn open_up_to(path: &Path, longest: Longest) -> Result<Document, Problems> {
        const TABLES: &str = "give long lists as tables of a file (.csv or .parquet)";
        let file = tidy(path);
        match input::read(path, longest) {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) if entries(&text) > MOST_ENTRIES => {
                    let [found, most] = [entries(&text), MOST_ENTRIES].map(|count| grouped(count as u64));
                    let found =
                        format!("has {found} lines and entries; a file of this kind has {most} at most");
                    Err(fault(file, None, &found).advise(TABLES).into())
                }
                Ok(text) => Ok(Document::new(file, text.into())),
                Err(error) => {
                    let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
                    Err(fault(file, Some(line), "is not UTF-8 text").advise("save the file as UTF-8").into())
                }
            },
            Err(error) => {
                let mut problem = fault(file, None, &error.to_string());
                match error {
                    Refused::Io(ErrorKind::NotFound) => problem.nearest = neighbour(path, path),
                    Refused::TooLong { .. } => problem = problem.advise(TABLES),
                    _ => {}
                }
                Err(problem.into())
            }
        }
    }

    /// A text that is no file, under this name.
    pub fn of_text(name: &str, text: impl Into<Arc<str>>) -> Document {
        Document::new(name.into(), text.into())
    }

    fn new(file: PathBuf, text: Arc<str>) -> Document {
        let end = text.len();
        let (settings, problems) = (Vec::new(), RefCell::default());
        Document {
            file,
            text,
            end,
            settings,
            with_samples: true,
            given_samples: None,
            has_lines: true,
            problems,
            more: Cell::default(),
            notes: RefCell::default(),
            noted: RefCell::default(),
            calls: RefCell::default(),
            evaluated: None,
            points: RefCell::default(),
        }
    }

    /// To be read with these values of its numbers that are expressions.
    pub fn with_values_of(self, calls: Arc<[Call]>, values: Vec<f64>) -> Document {
        Document { evaluated: Some((calls, values)), ..self }
    }

    /// Keeps the numbers that a table took from another file, for a text that needs no other file.
    pub fn keep_points(&self, read: PointsRead) {
        self.points.borrow_mut().push(read);
    }

    /// All that tables took from other files.
    pub fn points_read(&self) -> Vec<PointsRead> {
        self.points.borrow().clone()
    }

    /// From here on numbers may be expressions.
    pub fn begin_calls(&self) {
        *self.calls.borrow_mut() = Some(Calls::default());
    }

    /// From here on numbers are no expressions: those that were.
    pub fn end_calls(&self) -> Vec<Call> {
        self.calls.borrow_mut().take().map_or(Vec::new(), |calls| calls.made)
    }

    /// A constant that numbers may call from here on; `None`: it could not be read.
    pub fn may_call(&self, constant: Option<&Constant>) {
        if let Some(calls) = self.calls.borrow_mut().as_mut() {
            calls.has_faults |= constant.is_none();
            calls.constants.extend(constant.cloned());
        }
    }

    /// To be read with these values in place of the file's; later ones win.
    pub fn with_settings(self, settings: Vec<KeySetting>) -> Document {
        let lines = settings.iter().map(KeySetting::line);
        let text = std::iter::once(&*self.text).chain(lines).collect::<Vec<_>>().join("\n").into();
        Document { settings, text, ..self }
    }

    /// The settings of what `name` stands for, a file of its own.
    pub fn settings_below(&self, name: &str) -> Vec<KeySetting> {
        self.settings.iter().filter_map(|setting| setting.below(name)).collect()
    }

    /// A table that was made in code, under this name. Its text is a line for each key: below a
    /// heading TOML has plain values before tables, and quantities are drawn in their order.
    pub fn built(name: &str, table: &toml::Table) -> Document {
        let lines: String = table.iter().map(|(key, value)| format!("{key:?} = {value}\n")).collect();
        Document { has_lines: false, ..Document::of_text(name, lines) }
    }

    /// To be read with this table of samples, if there is one, in place of the file
    /// [`GIVEN_SAMPLES`].
    pub fn with_given_samples(self, given_samples: Option<Arc<[RecordBatch]>>) -> Document {
        Document { given_samples, ..self }
    }

    /// The table of samples in memory that stands for the file of this name.
    pub fn given_samples(&self, file: &str) -> Option<&[RecordBatch]> {
        self.given_samples.as_deref().filter(|_| file == GIVEN_SAMPLES)
    }

    /// To be read without the tables of samples that it names.
    pub fn without_samples(self) -> Document {
        Document { with_samples: false, ..self }
    }

    /// The file's name without directory and extension.
    pub fn stem(&self) -> String {
        self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// A path in the file, which is relative to the file's directory.
    pub fn beside(&self, path: &str) -> PathBuf {
        self.file.parent().unwrap_or(Path::new("")).join(path)
    }

    /// The top table as it is written.
    ///
    /// # Errors
    /// The text is no TOML, or has other keys than these at the top.
    pub fn top(self, section: &'static Section) -> Result<toml::Table, Problems> {
        self.read(section, |table| Some(owned(table.entries)))
    }

    /// Parses the text and lets `read` make something of its top table.
    pub fn read<T>(
        self,
        section: &'static Section,
        read: impl FnOnce(&Table<'_>) -> Option<T>,
    ) -> Result<T, Problems> {
        let padded = self.padded();
        let value = match DeTable::parse(&self.text[..self.end]) {
            Ok(root) => {
                let root = self.with_values(root.into_inner(), &padded);
                let table = Table::new(&self, section, &root, String::new(), 0..0);
                read(&table)
            }
            Err(error) => {
                let span = error.span().unwrap_or(0..0);
                // A fault at the very end of the text belongs to its last line.
                let at = span.start.min(self.text[..self.end].trim_end().len());
                let place = self.text.get(span).map(str::trim).filter(|text| (1..40).contains(&text.len()));
                let place = place
                    .filter(|text| !text.contains('\n'))
                    .map_or(String::new(), |text| format!(" at `{text}`"));
                let found = format!("is not valid TOML{place}: {}", error.message().replace('\n', ", "));
                self.problems.borrow_mut().push(fault(self.file.clone(), Some(self.line(at)), &found));
                None
            }
        };
        self.finished(value)
    }

    /// As [`read`](Self::read), of a text whose entries are parsed already.
    pub fn read_parsed<T>(
        self,
        section: &'static Section,
        entries: &DeTable<'_>,
        read: impl FnOnce(&Table<'_>) -> Option<T>,
    ) -> Result<T, Problems> {
        let value = read(&Table::new(&self, section, entries, String::new(), 0..0));
        self.finished(value)
    }

    /// This fault at the key of this path, or at the last key on the way to it that the text has.
    /// Entries of lists go by their `name`, or are counted from 0. Behind it the text of that last
    /// key, where it is one. `None`: the text is no TOML.
    pub fn fault_along(&self, path: &[String], found: &str) -> Option<(Problem, Option<String>)> {
        let padded = self.padded();
        let root = DeTable::parse(&self.text[..self.end]).ok()?.into_inner();
        let root = Spanned::new(0..0, DeValue::Table(self.with_values(root, &padded)));
        let (mut value, mut span) = (&root, 0..0);
        for name in path {
            let key = match value.get_ref() {
                DeValue::Table(table) => table.get_key_value(name.as_str()),
                DeValue::Array(list) => {
                    let mut entries = list.iter().enumerate();
                    let named =
                        |(k, entry): &(usize, &_)| name_of(entry) == Some(name) || k.to_string() == *name;
                    let Some((_, entry)) = entries.find(named) else { break };
                    (value, span) = (entry, entry.span());
                    continue;
                }
                _ => None,
            };
            let Some((key, inner)) = key else { break };
            (value, span) = (inner, place(key.span(), inner));
        }
        Some((self.fault_at("", &span, found), value.get_ref().as_str().map(str::to_string)))
    }

    /// The value that was read, if nothing is wrong with it.
    fn finished<T>(self, value: Option<T>) -> Result<T, Problems> {
        let mut problems = self.problems.into_inner();
        problems.sort_by_key(|problem| (problem.file != self.file, problem.line));
        if self.more.get() > 0 {
            let more = grouped(self.more.get() as u64);
            problems.push(fault(self.file.clone(), None, &format!("there are {more} more faults")));
        }
        match value {
            Some(value) if problems.is_empty() => Ok(value),
            _ => Err(Problems(problems)),
        }
    }

    /// All that was noted so far, which is forgotten here.
    pub fn take_notes(&self) -> Vec<String> {
        self.notes.take()
    }

    /// Takes over the faults of another file that this one names.
    pub fn adopt(&self, problems: Problems) {
        self.problems.borrow_mut().extend(problems.0);
    }

    /// The line of each setting with blanks before it, so that its places are those in `text`.
    fn padded(&self) -> Vec<String> {
        let mut at = self.end;
        let padded = self.settings.iter().map(|setting| {
            let line = " ".repeat(at + 1) + setting.line();
            at = line.len();
            line
        });
        padded.collect()
    }

    /// The table of the file with the values that are given beside it, but for those of files of
    /// their own.
    fn with_values<'a>(&self, root: DeTable<'a>, padded: &'a [String]) -> DeTable<'a> {
        let mut root = Spanned::new(0..0, DeValue::Table(root));
        for (setting, line) in self.settings.iter().zip(padded) {
            let is_elsewhere = |name: &str| {
                let value = root.get_ref().as_table().and_then(|root| root.get(name));
                setting.below(name).is_some() && value.is_some_and(|value| value.get_ref().is_str())
            };
            if is_elsewhere(MECHANISM) {
                continue;
            }
            let Ok(parsed) = DeTable::parse(line) else { continue };
            if let Err(Misplaced { path, span, found, name, allowed }) =
                setting.put(&mut root, parsed.into_inner())
            {
                let path = path.iter().fold(String::new(), |path, name| join(&path, name));
                let amend = |problem: Problem| problem.allow(&name, allowed.iter().map(String::as_str));
                self.report(&path, &span, amend, found);
            }
        }
        match root.into_inner() {
            DeValue::Table(root) => root,
            _ => DeTable::new(),
        }
    }

    /// The setting whose line has this place.
    fn setting_at(&self, at: usize) -> Option<&KeySetting> {
        let mut end = self.end;
        self.settings.iter().find(|setting| {
            end += 1 + setting.line().len();
            at <= end
        })
    }

    fn line(&self, at: usize) -> usize {
        let at = at.min(self.text.len());
        1 + self.text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count()
    }

    fn report(
        &self,
        path: &str,
        span: &Range<usize>,
        problem: impl FnOnce(Problem) -> Problem,
        found: String,
    ) {
        if self.problems.borrow().len() >= MOST {
            self.more.set(self.more.get() + 1);
            return;
        }
        let new = self.fault_at(path, span, &found);
        self.problems.borrow_mut().push(problem(new));
    }

    /// Apart from [`report`](Self::report), which is compiled for each of five hundred closures.
    fn fault_at(&self, path: &str, span: &Range<usize>, found: &str) -> Problem {
        match self.is_beside(span) {
            false => {
                let line = self.has_lines.then(|| self.line(span.start));
                Problem { key: path.to_string(), ..fault(self.file.clone(), line, found) }
            }
            true => {
                let beside = self.setting_at(span.start).map_or("--set", KeySetting::option);
                Problem { key: self.whole_path(path), ..fault(beside.into(), None, found) }
            }
        }
    }

    /// Whether a value given beside the file has this place.
    fn is_beside(&self, span: &Range<usize>) -> bool {
        !self.settings.is_empty() && span.start > self.end
    }

    /// The path of a key from the top of the study that values are given beside.
    fn whole_path(&self, path: &str) -> String {
        let above = self.settings.first().map_or(&[][..], KeySetting::above);
        let above = above.iter().fold(String::new(), |above, name| join(&above, name));
        let dot = if above.is_empty() || path.is_empty() { "" } else { "." };
        format!("{above}{dot}{path}")
    }

    /// The options that take keys of the file away which do not go together with what is given
    /// beside it; `None`: nothing of this table is, or all these keys are.
    fn unset<'a>(&self, table: &Table<'a>, keys: impl Iterator<Item = &'a str>) -> Option<String> {
        // A value that takes the place of the file's keeps the file's key.
        let beside = |(key, value): (&Spanned<DeString<'_>>, &Spanned<DeValue<'_>>)| {
            self.is_beside(&key.span()) || self.is_beside(&value.span())
        };
        let within = |value: &Spanned<DeValue<'_>>| {
            value.get_ref().as_table().is_some_and(|inner| inner.iter().any(beside))
        };
        if !table.entries.iter().any(|entry| beside(entry) || within(entry.1)) {
            return None;
        }
        let is_of_file = |name: &str| table.entries.get_key_value(name).is_some_and(|entry| !beside(entry));
        let of_file = keys.filter(|name| is_of_file(name));
        let options = of_file.map(|name| {
            let path = self.whole_path(&join(&table.path, name));
            format!("--unset {}", as_setting(&path))
        });
        let options: Vec<String> = options.collect();
        (!options.is_empty()).then(|| options.join(" "))
    }
}

/// A path as a setting has it: entries of lists are counted behind a dot, and a shell keeps quotes.
pub(super) fn as_setting(path: &str) -> String {
    let mut quoted = false;
    let plain: String = path
        .chars()
        .filter_map(|c| {
            quoted ^= c == '"';
            match c {
                '[' if !quoted => Some('.'),
                ']' if !quoted => None,
                c => Some(c),
            }
        })
        .collect();
    if plain.contains('"') { format!("'{plain}'") } else { plain }
}

impl<'a> Table<'a> {
    fn new(
        document: &'a Document,
        section: &'static Section,
        entries: &'a DeTable<'a>,
        path: String,
        span: Range<usize>,
    ) -> Table<'a> {
        let table = Table { document, section, entries, path, span };
        for (key, _) in table.entries.iter() {
            let name = key.get_ref().as_ref();
            if section.key(name).is_none() {
                let path = join(&table.path, name);
                let unset = document.unset(&table, std::iter::once(name));
                let amend = |problem: Problem| {
                    let problem = problem.allow(name, section.names()).or_meant(name, section);
                    match unset {
                        Some(unset) => problem.advise(format!("{unset} takes it away")),
                        None => problem,
                    }
                };
                document.report(&path, &key.span(), amend, "unknown key".to_string());
            }
        }
        table
    }

    pub fn document(&self) -> &'a Document {
        self.document
    }

    /// The value of a key; its default if there is one; `None` if it is absent. An absent required
    /// key is reported.
    pub fn get(&self, name: &str) -> Option<Node<'a>> {
        if let Some((key, value)) = self.entries.get_key_value(name) {
            return Some(Node::new(self.document, join(&self.path, name), key.span(), Value::Written(value)));
        }
        let key = self.key(name);
        match key.presence {
            Presence::Optional => None,
            Presence::Required => {
                let advice = example(&key.form).unwrap_or_else(|| format!("give {}", sentence(key.doc)));
                self.report_key(name, "is missing", |problem| problem.advise(advice));
                None
            }
            Presence::Default(text) => {
                let value =
                    DeValue::parse(text).unwrap_or_else(|error| unreachable!("default {text}: {error}"));
                let (document, path) = (self.document, join(&self.path, name));
                Some(Node { document, path, value: Value::Default(Box::new(value)), span: self.span.clone() })
            }
        }
    }

    /// The form of a key.
    pub fn form(&self, name: &str) -> &'static Form {
        &self.key(name).form
    }

    /// The effect of a key that is absent.
    pub fn presence(&self, name: &str) -> Presence {
        self.key(name).presence
    }

    fn key(&self, name: &str) -> &'static FileKey {
        self.section.key(name).unwrap_or_else(|| unreachable!("`{name}` is not in the section"))
    }

    /// Reports that a key is missing which its section lets be absent.
    pub fn report_missing(&self, name: &str) {
        let key = self.key(name);
        let advice = example(&key.form).unwrap_or_else(|| format!("give {}", sentence(key.doc)));
        self.report_key(name, "is missing", |problem| problem.advise(advice));
    }

    /// Its entries, of a document that may end before it.
    pub fn owned(&self) -> toml::Table {
        owned(self.entries)
    }

    /// Where it stands in the document.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether the user wrote this key.
    pub fn has(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// The names of all entries of a list, before these are read; empty where one gives none.
    pub fn names_in(&self, list: &str) -> Vec<String> {
        self.names_without(list, &[])
    }

    /// Those of entries without any of these keys.
    pub fn names_without(&self, list: &str, keys: &[&str]) -> Vec<String> {
        let entries = self.entries.get(list).and_then(|list| list.get_ref().as_array());
        let has = |entry: &Spanned<DeValue<'_>>| {
            entry.get_ref().as_table().is_some_and(|entry| keys.iter().any(|key| entry.contains_key(*key)))
        };
        let entries = entries.into_iter().flatten().filter(|entry| !has(entry));
        entries.map(|entry| name_of(entry).unwrap_or_default().to_string()).collect()
    }

    /// Reports a fault of the table as a whole.
    pub fn report(&self, found: &str, amend: impl FnOnce(Problem) -> Problem) {
        self.document.report(&self.path, &self.span, amend, found.to_string());
    }

    fn report_key(&self, name: &str, found: &str, amend: impl FnOnce(Problem) -> Problem) {
        self.document.report(&join(&self.path, name), &self.span, amend, found.to_string());
    }

    /// Advice to take away those of these keys that stand in the file, where another stands beside
    /// it.
    pub fn unset(&self, keys: impl Iterator<Item = &'a str>) -> Option<String> {
        Some(format!("{} takes away what the file has", self.document.unset(self, keys)?))
    }

    /// The one key of `names` that is given; none or several are reported.
    pub fn exactly_one(&self, names: &[&'static str]) -> Option<&'static str> {
        let mut given = names.iter().filter(|name| self.has(name));
        match (given.next(), given.next()) {
            (Some(only), None) => Some(only),
            (first, _) => {
                let state = match first {
                    Some(_) => "are given together",
                    None if names.len() > 2 => "are all missing",
                    None => "are both missing",
                };
                let named = names.iter().filter(|name| first.is_none() || self.has(name));
                let named: Vec<String> = named.map(|name| format!("`{name}`")).collect();
                let (last, ahead) = named.split_last()?;
                let listed = format!("{} and {last}", ahead.join(", "));
                let unset = self.unset(names.iter().copied().filter(|name| self.has(name)));
                self.report(&format!("{listed} {state}"), |problem| {
                    problem.advise(unset.unwrap_or_else(|| "give exactly one of them".to_string()))
                });
                None
            }
        }
    }
}

/// Where messages point for a value with this key.
fn place(key: Range<usize>, value: &Spanned<DeValue<'_>>) -> Range<usize> {
    let own = value.span();
    // Tables under a heading and dotted keys have no text of their own: their key has.
    if value.get_ref().is_table() || own.start < key.start { key } else { own }
}

impl<'a> Node<'a> {
    fn new(document: &'a Document, path: String, key: Range<usize>, value: Value<'a>) -> Node<'a> {
        let span = place(key, value.spanned());
        Node { document, path, value, span }
    }

    /// Part of this value, under its own path.
    fn part<'b>(&'b self, path: String, value: &'b Spanned<DeValue<'a>>) -> Node<'b>
    where
        'a: 'b,
    {
        let span = value.span();
        Node { document: self.document, path, value: Value::Written(value), span }
    }

    pub fn document(&self) -> &'a Document {
        self.document
    }

    fn value(&self) -> &DeValue<'a> {
        self.value.spanned().get_ref()
    }

    /// The value as the user wrote it, shortened.
    pub fn source(&self) -> String {
        let text = match &self.value {
            Value::Written(value) => self.document.text.get(value.span()),
            Value::Default(_) => None,
        };
        let text = text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() <= 60 { text } else { text.chars().take(57).collect::<String>() + "..." }
    }

    /// Reports a fault of this value; `found` usually goes on from the value as written.
    pub fn report(&self, found: impl Into<String>, amend: impl FnOnce(Problem) -> Problem) {
        self.document.report(&self.path, &self.span, amend, found.into());
    }

    /// Notes what is no fault of this value, with its place.
    pub fn note(&self, found: String) {
        let problem = self.document.fault_at(&self.path, &self.span, &found);
        self.document.notes.borrow_mut().push(problem.to_string());
    }

    /// As [`note`](Self::note), of the first entry of a list alone.
    fn note_once(&self, found: String) {
        let list = self.path.split('[').next().unwrap_or_default().to_string();
        let noted = &self.document.noted;
        if !noted.borrow().contains(&list) {
            noted.borrow_mut().push(list);
            self.note(found);
        }
    }

    /// Reports "SOURCE is not WANTED; ADVICE".
    pub fn refuse(&self, wanted: &str, advice: &str) {
        self.report(format!("{} is not {wanted}", self.source()), |problem| problem.advise(advice));
    }

    /// Reports that the file this value names is not there.
    pub fn report_missing_file(&self, path: &Path) {
        self.report(format!("there is no file {}", tidy(path).display()), |mut problem| {
            problem.nearest = neighbour(path, &self.document.file);
            problem
        });
    }

    fn wrong_type(&self, wanted: &str) {
        let found = match self.value() {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) => "an integer",
            DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date or time of day",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.report(format!("found {found}, not {wanted}"), |problem| problem);
    }

    pub fn is_text(&self) -> bool {
        self.value().is_str()
    }

    pub fn is_list(&self) -> bool {
        self.value().is_array()
    }

    pub fn is_table(&self) -> bool {
        self.value().is_table()
    }

    pub fn is_integer(&self) -> bool {
        self.value().is_integer()
    }

    /// Whether it is a matrix: a list whose first entry is a list, bare or as the `value` of a
    /// table with a unit.
    pub fn is_matrix(&self) -> bool {
        let value = match self.value() {
            DeValue::Table(table) => table.get("value").map(Spanned::get_ref),
            other => Some(other),
        };
        let first = value.and_then(DeValue::as_array).and_then(|list| list.iter().next());
        first.is_some_and(|entry| entry.get_ref().is_array())
    }

    /// Whether it is TOML's positive infinity.
    pub fn is_infinite(&self) -> bool {
        matches!(self.value(), DeValue::Float(number) if matches!(number.as_str(), "inf" | "+inf"))
    }

    pub fn has_key(&self, name: &str) -> bool {
        self.value().as_table().is_some_and(|table| table.contains_key(name))
    }

    /// Whether it has this key in the table under another key.
    pub fn has_key_within(&self, outer: &str, name: &str) -> bool {
        let inner = self.value().as_table().and_then(|table| table.get(outer)?.get_ref().as_table());
        inner.is_some_and(|table| table.contains_key(name))
    }

    /// The text that stands here, if it is one; nothing is reported.
    pub fn text_if_any(&self) -> Option<&str> {
        self.value().as_str()
    }

    /// The text of this key of a table, where it is one; nothing is reported.
    pub fn peek(&self, name: &str) -> Option<&str> {
        self.value().as_table()?.get(name)?.get_ref().as_str()
    }

    pub fn text(&self) -> Option<&str> {
        let text = self.value().as_str();
        if text.is_none() {
            self.wrong_type("a text");
        }
        text
    }

    pub fn flag(&self) -> Option<bool> {
        let flag = self.value().as_bool();
        if flag.is_none() {
            self.wrong_type("true or false");
        }
        flag
    }

    /// One of the named values.
    pub fn choice<T: Copy>(&self, choices: &[(&'static str, T)]) -> Option<T> {
        let names = || choices.iter().map(|(name, _)| *name);
        let Some(text) = self.value().as_str() else {
            self.wrong_type(&format!(
                "one of {}",
                names().map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(", ")
            ));
            return None;
        };
        let found = choices.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        if found.is_none() {
            self.report(format!("{} is not known", self.source()), |problem| problem.allow(text, names()));
        }
        found
    }

    /// A whole number within bounds. `1e6` counts as one.
    pub fn count(&self, min: u64, max: u64) -> Option<u64> {
        let whole = match self.value() {
            DeValue::Integer(integer) => i128::from_str_radix(integer.as_str(), integer.radix()).ok(),
            DeValue::Float(float) => {
                let value = float.as_str().parse::<f64>().unwrap_or(f64::NAN);
                (value.fract() == 0.0 && value.abs() < 1e15).then_some(value as i128)
            }
            _ => {
                self.wrong_type("a whole number");
                return None;
            }
        };
        match whole.and_then(|whole| u64::try_from(whole).ok()) {
            Some(count) if (min..=max).contains(&count) => Some(count),
            _ => {
                let wanted = format!("a whole number from {} to {}", grouped(min), grouped(max));
                self.report(format!("{} is not {wanted}", self.source()), |problem| problem);
                None
            }
        }
    }

    /// One of these names.
    pub fn one_of(&self, names: &'static [&'static str]) -> Option<&'static str> {
        let choices: Vec<(&'static str, &'static str)> = names.iter().map(|name| (*name, *name)).collect();
        self.choice(&choices)
    }

    /// The entry under a key, of a table that is not read yet.
    pub fn entry(&self, key: &str) -> Option<Node<'_>> {
        let entries = if self.is_table() { self.map() } else { None };
        entries?.into_iter().find(|(name, _)| *name == key).map(|(_, node)| node)
    }

    /// One or several of these names.
    pub fn some_of<T: Copy>(&self, choices: &[(&'static str, T)]) -> Option<Vec<T>> {
        let list = self.list()?;
        if list.is_empty() {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            self.refuse("one name or several", &format!("give some of {}", names.join(", ")));
            return None;
        }
        list.iter().map(|node| node.choice(choices)).collect()
    }

    /// The entries of a list.
    pub fn list(&self) -> Option<Vec<Node<'_>>> {
        let Some(list) = self.value().as_array() else {
            self.wrong_type("a list");
            return None;
        };
        let entries = list.iter().enumerate();
        Some(entries.map(|(index, entry)| self.part(format!("{}[{index}]", self.path), entry)).collect())
    }

    /// The table that stands here.
    pub fn table(&self, section: &'static Section) -> Option<Table<'_>> {
        let Some(entries) = self.value().as_table() else {
            let required = section.keys.iter().filter(|key| matches!(key.presence, Presence::Required));
            let required: Vec<String> = required.map(|key| format!("{} = ..", key.name)).collect();
            match required.is_empty() {
                true => self.wrong_type("a table"),
                false => self.wrong_type(&format!("a table: {{ {} }}", required.join(", "))),
            }
            return None;
        };
        Some(Table::new(self.document, section, entries, self.path.clone(), self.span.clone()))
    }

    /// The table whose keys a name among them decides: those of `section`, by the name or the
    /// default. Of an unknown name, for which `section` has what all have, other keys may be right.
    pub fn table_by(
        &self,
        (key, default): (&str, &'static str),
        names: &[&str],
        section: impl Fn(&str) -> &'static Section,
    ) -> Option<Table<'_>> {
        let name = if self.has_key(key) { self.peek(key).unwrap_or_default() } else { default };
        match self.value().as_table() {
            Some(entries) if !names.contains(&name) => {
                let (path, span) = (self.path.clone(), self.span.clone());
                Some(Table { document: self.document, section: section(name), entries, path, span })
            }
            _ => self.table(section(name)),
        }
    }

    /// The entries of a table with keys of the user's choice, in the order of the file.
    pub fn map(&self) -> Option<Vec<(&str, Node<'_>)>> {
        let Some(entries) = self.value().as_table() else {
            self.wrong_type("a table");
            return None;
        };
        let named = entries.iter().map(|(key, value)| {
            let name = key.get_ref().as_ref();
            let path = join(&self.path, name);
            (name, Node::new(self.document, path, key.span(), Value::Written(value)))
        });
        Some(named.collect())
    }
}

/// A table as a value of its own, of a document that ends before it.
fn owned(entries: &DeTable<'_>) -> toml::Table {
    entries.iter().map(|(key, value)| (key.get_ref().to_string(), owned_value(value.get_ref()))).collect()
}

fn owned_value(value: &DeValue<'_>) -> toml::Value {
    match value {
        DeValue::String(text) => toml::Value::String(text.to_string()),
        DeValue::Integer(integer) => {
            let whole = i64::from_str_radix(integer.as_str(), integer.radix());
            let beyond = || integer.as_str().parse().map_or(f64::NAN, |value: f64| value);
            whole.map_or_else(|_| toml::Value::Float(beyond()), toml::Value::Integer)
        }
        DeValue::Float(float) => toml::Value::Float(float.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => toml::Value::Boolean(*flag),
        DeValue::Datetime(time) => toml::Value::Datetime(*time),
        DeValue::Array(list) => {
            toml::Value::Array(list.iter().map(|entry| owned_value(entry.get_ref())).collect())
        }
        DeValue::Table(table) => toml::Value::Table(owned(table)),
    }
}

/// The first sentence of a key's meaning, as the end of another.
fn sentence(doc: &str) -> String {
    let first = doc.split_once(". ").map_or(doc, |(first, _)| first).trim_end_matches('.');
    let mut letters = first.chars();
    let begin = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
    format!("{begin}{}", letters.as_str())
}

/// Returns advice on a value of this form; `None`: a short one does not exist.
fn example(form: &Form) -> Option<String> {
    match form {
        Form::Quantity(dimension) => Some(dimension.advice()),
        Form::Positive(dimension) | Form::NotNegative(dimension) if *dimension != Dimension::Number => {
            Some(dimension.advice())
        }
        Form::Choice(choices) => Some(format!("one of {}", choices.join(", "))),
        Form::Vector(Dimension::Number) => Some("give e.g. [0, 0, 1]".to_string()),
        Form::Either(forms) => {
            let each: Option<Vec<String>> = forms.iter().map(|form| example(form)).collect();
            Some(each?.join(", or ").replace("or give e.g. ", "or "))
        }
        _ => None,
    }
}

/// `path.name`, the name in quotes where TOML wants them.
pub(super) fn join(path: &str, name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    let name = if bare { Cow::Borrowed(name) } else { Cow::Owned(format!("{name:?}")) };
    if path.is_empty() { name.into_owned() } else { format!("{path}.{name}") }
}

fn fault(file: PathBuf, line: Option<usize>, found: &str) -> Problem {
    Problem {
        file,
        line,
        key: String::new(),
        found: found.to_string(),
        nearest: None,
        advice: None,
        allowed: Vec::new(),
    }
}

/// A file in the same directory whose name is close to that of `path`.
fn neighbour(path: &Path, except: &Path) -> Option<String> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut names: Vec<String> = std::fs::read_dir(directory)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    // The order of a directory is arbitrary; the suggestion must not be.
    names.sort_unstable();
    let wanted = path.file_name()?.to_string_lossy();
    nearest(
        &wanted,
        names
            .iter()
            .map(String::as_str)
            .filter(|name| *name != wanted && directory.join(name) != tidy(except)),
    )
}

/// `studies/../mechanisms/a.toml` -> `mechanisms/a.toml`, for reading by people.
pub fn tidy(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for component in path.components() {
        let after_name = matches!(tidied.components().next_back(), Some(Component::Normal(_)));
        match component {
            Component::ParentDir if after_name => {
                tidied.pop();
            }
            Component::CurDir => {}
            other => tidied.push(other),
        }
    }
    match tidied.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => tidied,
    }
}
