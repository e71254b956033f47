//! XML as elements that know their places.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use polhode_description::base::regular;
use polhode_description::base::text::harmless;
use roxmltree::{Document, Node, ParsingOptions, TextPos};

use crate::fault::{FilePlace, Findings, ImportFault};

/// An element, with what stands in it.
#[derive(Clone, Debug)]
pub(crate) struct XmlElement {
    pub name: String,
    pub attributes: Vec<Attribute>,
    pub children: Vec<XmlElement>,
    pub at: FilePlace,
}

#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub name: String,
    pub value: String,
    pub at: FilePlace,
}

impl XmlElement {
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    pub fn value(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|attribute| attribute.value.as_str())
    }

    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a XmlElement> {
        self.children.iter().filter(move |child| child.name == name)
    }

    pub fn first(&self, name: &str) -> Option<&XmlElement> {
        self.children.iter().find(|child| child.name == name)
    }
}

/// A file that was read: its name, and what identifies its content.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    pub name: String,
    pub bytes: usize,
    pub checksum: u64,
}

/// Elements may nest as deep, by far deeper than any mechanism does; a walk by recursion ends
/// there.
const MAX_DEPTH: usize = 150;
/// Elements of one file at most, as a fuse.
const MAX_NODES: u32 = 400_000;

/// Reads files, and what they include.
pub(crate) struct Reader {
    /// The folder of the first file.
    home: PathBuf,
    seen: BTreeSet<PathBuf>,
    pub files: Vec<SourceFile>,
}

impl Reader {
    pub fn new(file: &Path) -> Reader {
        let home = file.parent().map(Path::to_path_buf).unwrap_or_default();
        Reader { home, seen: BTreeSet::new(), files: Vec::new() }
    }

    /// The root element of a file, with the elements of included files in the place of their
    /// `include`.
    pub fn read(&mut self, path: &Path, found: &mut Findings) -> Option<XmlElement> {
        let whole = |text: String| ImportFault { at: None, text, drop: None };
        let text = match regular::read_text(path) {
            Ok(text) => text,
            Err(error) => {
                found.faults.push(whole(format!("{}: {error}", path.display())));
                return None;
            }
        };
        self.seen.insert(path.canonicalize().unwrap_or_else(|_| path.to_path_buf()));
        self.files.push(SourceFile {
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            bytes: text.len(),
            checksum: twox_hash::XxHash3_64::oneshot(text.as_bytes()),
        });
        let file: Arc<Path> = Arc::from(path);
        let options =
            ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
        let document = match Document::parse_with_options(&text, options) {
            Ok(document) => document,
            Err(error) => {
                let TextPos { row, col } = error.pos();
                let message = error.to_string();
                // The place stands before the message, and not in it again.
                let message = message.split(" at ").next().unwrap_or_default();
                let at = FilePlace { file, line: row, column: col };
                found.fault(&at, format!("this is no XML that can be read: {}", harmless(message)));
                return None;
            }
        };
        self.element(document.root_element(), &Lines::of(&text), &file, 0, found)
    }

    fn element(
        &mut self,
        node: Node<'_, '_>,
        lines: &Lines<'_>,
        file: &Arc<Path>,
        depth: usize,
        found: &mut Findings,
    ) -> Option<XmlElement> {
        let at = lines.place(file, node.range().start);
        if depth > MAX_DEPTH {
            found.fault(&at, format!("elements nest deeper than {MAX_DEPTH}"));
            return None;
        }
        let attributes = node
            .attributes()
            .map(|attribute| Attribute {
                name: attribute.name().to_string(),
                value: attribute.value().to_string(),
                at: lines.place(file, attribute.range().start),
            })
            .collect();
        let mut children = Vec::new();
        for child in node.children().filter(Node::is_element) {
            let child = self.element(child, lines, file, depth + 1, found)?;
            match child.name.as_str() {
                "include" => children.extend(self.included(&child, found)),
                _ => children.push(child),
            }
        }
        let name = node.tag_name().name().to_string();
        Some(XmlElement { name, attributes, children, at })
    }

    /// The elements within the root of an included file, which lies beside the one that includes
    /// it, or beside the first.
    fn included(&mut self, include: &XmlElement, found: &mut Findings) -> Vec<XmlElement> {
        let Some(name) = include.value("file") else {
            found.fault(&include.at, "`file` of <include> is missing");
            return Vec::new();
        };
        let beside = include.at.file.parent().unwrap_or(Path::new("")).join(name);
        let path = if beside.is_file() { beside } else { self.home.join(name) };
        if !path.is_file() {
            found.fault(&include.at, format!("there is no file {} to include", path.display()));
            return Vec::new();
        }
        if self.seen.contains(&path.canonicalize().unwrap_or_else(|_| path.clone())) {
            let message = format!("{} is included a second time; MuJoCo takes a file once", path.display());
            found.fault(&include.at, message);
            return Vec::new();
        }
        self.read(&path, found).map(|root| root.children).unwrap_or_default()
    }
}

/// Where the lines of a text begin. (`Document::text_pos_at` counts them anew for every element.)
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Lines<'a> {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Lines { text, starts: std::iter::once(0).chain(ends).collect() }
    }

    fn place(&self, file: &Arc<Path>, at: usize) -> FilePlace {
        let line = self.starts.partition_point(|start| *start <= at);
        let column = self.text[self.starts[line - 1]..at].chars().count() + 1;
        FilePlace { file: file.clone(), line: line as u32, column: column as u32 }
    }
}

/// An element with what its defaults say: later layers come first.
#[derive(Clone, Debug)]
pub(crate) struct Layered<'a> {
    /// From the root of defaults to the element itself, which is last.
    pub layers: Vec<&'a XmlElement>,
}

impl<'a> Layered<'a> {
    pub fn alone(element: &'a XmlElement) -> Layered<'a> {
        Layered { layers: vec![element] }
    }

    pub fn own(&self) -> &'a XmlElement {
        self.layers[self.layers.len() - 1]
    }

    pub fn attribute(&self, name: &str) -> Option<&'a Attribute> {
        self.layers.iter().rev().find_map(|layer| layer.attribute(name))
    }

    pub fn value(&self, name: &str) -> Option<&'a str> {
        self.attribute(name).map(|attribute| attribute.value.as_str())
    }

    /// All numbers of an attribute: fewer of them than an earlier layer has leave its last ones as
    /// they are.
    pub fn numbers(&self, name: &str, found: &mut Findings) -> Option<Vec<f64>> {
        let mut all: Option<Vec<f64>> = None;
        for attribute in self.layers.iter().filter_map(|layer| layer.attribute(name)) {
            lay_over(all.get_or_insert_default(), &numbers(attribute, found)?);
        }
        all
    }

    /// So many numbers.
    pub fn few<const N: usize>(&self, name: &str, found: &mut Findings) -> Option<[f64; N]> {
        let attribute = self.attribute(name)?;
        let read = numbers(attribute, found)?;
        let count = read.len();
        <[f64; N]>::try_from(read).ok().or_else(|| {
            let message = format!("`{name}` has {count} numbers, and should have {N}");
            found.fault(&attribute.at, message);
            None
        })
    }

    /// A number that stands alone, or before numbers that are zero.
    pub fn number(&self, name: &str, found: &mut Findings) -> Option<f64> {
        self.few::<1>(name, found).map(|[number]| number)
    }

    /// One of these words.
    pub fn choice(&self, name: &str, allowed: &[&'static str], found: &mut Findings) -> Option<&'static str> {
        let attribute = self.attribute(name)?;
        let chosen = allowed.iter().copied().find(|word| *word == attribute.value);
        if chosen.is_none() {
            let value = harmless(&attribute.value);
            let message = format!("`{name}` is \"{value}\", and should be one of {}", allowed.join(", "));
            found.fault(&attribute.at, message);
        }
        chosen
    }

    /// `true` or `false`; `auto` is `None`.
    pub fn flag(&self, name: &str, found: &mut Findings) -> Option<bool> {
        match self.choice(name, &["true", "false", "auto"], found)? {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }
}

/// Writes numbers over the first ones of a list.
pub(crate) fn lay_over(list: &mut Vec<f64>, numbers: &[f64]) {
    list.resize(list.len().max(numbers.len()), 0.0);
    list[..numbers.len()].copy_from_slice(numbers);
}

/// The numbers of an attribute, between spaces.
pub(crate) fn numbers(attribute: &Attribute, found: &mut Findings) -> Option<Vec<f64>> {
    let mut read = Vec::new();
    for word in attribute.value.split_whitespace() {
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() => read.push(number),
            _ => {
                let message = format!("`{}` has \"{}\", which is no number", attribute.name, harmless(word));
                found.fault(&attribute.at, message);
                return None;
            }
        }
    }
    Some(read)
}
