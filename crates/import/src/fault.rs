//! Faults of a file with their places, and what is left out on request.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePlace {
    /// The file as the user, or an `include`, names it.
    pub file: Arc<Path>,
    /// Line, from 1 on.
    pub line: u32,
    /// Column, from 1 on.
    pub column: u32,
}

impl fmt::Display for FilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file.display(), self.line, self.column)
    }
}

/// Why a file is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportFault {
    /// The place of the fault; `None`: of the whole file, which the text names.
    pub at: Option<FilePlace>,
    /// Names what was found, and what may be done.
    pub text: String,
    /// The feature that `--drop` takes to leave it out.
    pub drop: Option<Feature>,
}

impl fmt::Display for ImportFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(at) = &self.at {
            write!(f, "{at}: ")?;
        }
        write!(f, "{}", self.text)?;
        match self.drop {
            Some(feature) => write!(f, "; `--drop {}` leaves it out", feature.name()),
            None => Ok(()),
        }
    }
}

/// A part of a model that changes its motion, and that polhode may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// Contact between geoms.
    Contact,
    /// Tendons, and what acts by them.
    Tendon,
    /// Forces of a medium.
    Fluid,
    /// Flexible parts and cloth.
    Flex,
    /// Plugins.
    Plugin,
    /// Actuators other than motors, servos and their like.
    Actuator,
    /// Softness of constraints that the file asks for (`solref`, `solimp`).
    Softness,
    /// Equalities other than connect, weld and joint.
    Equality,
    /// Numbers of a joint that have no twin where it is.
    Joint,
    /// Attributes and elements that this version does not know.
    Unknown,
}

impl Feature {
    /// All of them.
    pub const ALL: [Feature; 10] = [
        Feature::Contact,
        Feature::Tendon,
        Feature::Fluid,
        Feature::Flex,
        Feature::Plugin,
        Feature::Actuator,
        Feature::Softness,
        Feature::Equality,
        Feature::Joint,
        Feature::Unknown,
    ];

    /// Name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Feature::Contact => "contact",
            Feature::Tendon => "tendon",
            Feature::Fluid => "fluid",
            Feature::Flex => "flex",
            Feature::Plugin => "plugin",
            Feature::Actuator => "actuator",
            Feature::Softness => "softness",
            Feature::Equality => "equality",
            Feature::Joint => "joint",
            Feature::Unknown => "unknown",
        }
    }
}

/// Where in the written mechanism a note stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotePlace {
    /// At the head of the file.
    Head,
    /// Before this body of the model.
    Body(usize),
    /// Behind everything.
    End,
}

/// A sentence in the written mechanism.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub place: NotePlace,
    pub text: String,
}

/// All that reading finds besides the model.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Features that the user leaves out.
    pub drop: Vec<Feature>,
    pub faults: Vec<ImportFault>,
    /// Comments of the written mechanism.
    pub notes: Vec<Note>,
    /// Lines for the terminal.
    pub lines: Vec<String>,
    /// Parts without effect on the motion: a name in the plural, and how often it was seen.
    pub shown_only: Vec<(String, usize)>,
}

/// More faults than anyone reads.
const MOST_FAULTS: usize = 100;

impl Findings {
    /// A fault that nothing mends but another file.
    pub fn fault(&mut self, at: &FilePlace, text: impl Into<String>) {
        self.push(ImportFault { at: Some(at.clone()), text: text.into(), drop: None });
    }

    fn push(&mut self, fault: ImportFault) {
        if self.faults.len() < MOST_FAULTS && !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// Something that changes the motion and cannot be kept: a fault, or a note where the user
    /// drops it.
    pub fn lacks(&mut self, feature: Feature, at: &FilePlace, place: NotePlace, text: impl Into<String>) {
        let text = text.into();
        if self.drop.contains(&feature) {
            let message = format!("{at}: left out: {text}");
            if !self.lines.contains(&message) {
                let file = at.file.file_name().unwrap_or_default().to_string_lossy();
                let text = format!("Left out ({file}:{}): {text}.", at.line);
                self.notes.push(Note { place, text });
                self.lines.push(message);
            }
        } else {
            self.push(ImportFault { at: Some(at.clone()), text, drop: Some(feature) });
        }
    }

    /// Something that has a twin which differs: a comment at its place, and a line of the terminal.
    pub fn differs(&mut self, at: &FilePlace, place: NotePlace, text: &str) {
        self.notes.push(Note { place, text: format!("{text}.") });
        self.lines.push(format!("{at}: {text}"));
    }

    /// Counts what is for show alone.
    pub fn counts(&mut self, plural: &str) {
        match self.shown_only.iter_mut().find(|(name, _)| name == plural) {
            Some((_, count)) => *count += 1,
            None => self.shown_only.push((plural.to_string(), 1)),
        }
    }
}
