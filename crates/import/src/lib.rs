//! MJCF (MuJoCo) and URDF read into mechanism files of polhode, and mechanisms written as MJCF.
//!
//! Nothing is left out silently: what changes the motion and has no twin is a fault with its place,
//! unless the user drops it; what shows and moves nothing is counted. docs/import.md tells of it.
//!
//! ```text
//! XML -> XmlElement (xml.rs) -> SourceModel (mjcf, urdf) -> Assembly (assembly.rs)
//!     -> TOML (write.rs)
//! Mechanism and its start -> XML (mjcf_out.rs)
//! ```

// Tests may: there a panic is the message.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod assembly;
mod collide;
mod fault;
mod mjcf;
mod mjcf_out;
mod names;
mod pose;
mod source;
mod toml;
mod urdf;
mod write;
mod xml;

use std::path::Path;

pub use fault::{Feature, FilePlace, ImportFault};
pub use mjcf_out::{ExportFault, Exported, export_mjcf};
pub use urdf::RootLink;

use fault::Findings;
use xml::{Reader, XmlElement};

/// Settings of an import.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// Left out, with a comment in its place.
    pub drop: Vec<Feature>,
    /// The keyframe in which an MJCF model starts, by name or number.
    pub key: Option<String>,
    /// Whether the root link of a URDF robot moves.
    pub base: RootLink,
}

/// The texts that an import makes.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Text of the mechanism file.
    pub mechanism: String,
    /// Text of a study of it, which calls the mechanism `mechanism.toml`.
    pub study: String,
    /// Lines for the user: what was dropped, what differs, what was counted.
    pub notes: Vec<String>,
    /// The bodies that move, in the order of the source: their names there and here.
    pub bodies: Vec<[String; 2]>,
    /// Hinges and slides, in the order of the source.
    pub coordinates: Vec<ImportedCoordinate>,
}

/// A hinge or a slide of the source, and the coordinate of a joint that it became.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedCoordinate {
    /// Name in the source; empty: it has none.
    pub source: String,
    /// `[joint, coordinate]` in the mechanism; `None`: no joint has it as a coordinate of its own.
    pub joint: Option<[String; 2]>,
    /// The coordinate is `sign (q - shift)`, q that of the source (rad or m).
    pub sign: f64,
    /// (rad or m)
    pub shift: f64,
}

/// More elements than any small mechanism has: a fuse for what is looked at pair by pair.
const MOST_ELEMENTS: usize = 20_000;

/// Reads an MJCF or URDF file.
///
/// # Errors
/// All faults of the file, with their places.
pub fn import(file: &Path, options: &ImportOptions) -> Result<Imported, Vec<ImportFault>> {
    let mut found = Findings { drop: options.drop.clone(), ..Findings::default() };
    let mut reader = Reader::new(file);
    let Some(root) = reader.read(file, &mut found) else { return Err(found.faults) };
    let count = elements(&root);
    if count > MOST_ELEMENTS {
        found.fault(&root.at, format!("the model has {count} elements; polhode is for small mechanisms"));
        return Err(found.faults);
    }
    let of_other_format = match (root.name.as_str(), options.base, &options.key) {
        ("mujoco", RootLink::Free, _) => Some(
            "`--base free` is for URDF; in MJCF a body without a joint stands on the ground: give it a \
             <freejoint/>",
        ),
        ("robot", _, Some(_)) => Some("`--key` is for the keyframes of MJCF, and URDF has none"),
        _ => None,
    };
    if let Some(message) = of_other_format {
        found.fault(&root.at, message);
    }
    let (mut model, mut found) = match root.name.as_str() {
        "mujoco" => mjcf::read(&root, options.key.as_deref(), found),
        "robot" => urdf::read(&root, options.base, found),
        other => {
            let message =
                format!("the file begins with <{other}>, and should with <mujoco> (MJCF) or <robot> (URDF)");
            found.fault(&root.at, message);
            return Err(found.faults);
        }
    };
    if model.bodies.iter().all(|body| body.joints.is_empty()) && found.faults.is_empty() {
        found.fault(&root.at, "nothing of the model moves");
    }
    if !found.faults.is_empty() {
        return Err(found.faults);
    }
    let texts = write::write(&mut model, &reader.files, &mut found);
    if !found.faults.is_empty() {
        return Err(found.faults);
    }
    if !found.shown_only.is_empty() {
        let line = write::shown_only(&found);
        found.lines.push(line);
    }
    let write::Texts { mechanism, study, bodies, coordinates } = texts;
    Ok(Imported { mechanism, study, notes: found.lines, bodies, coordinates })
}

fn elements(root: &XmlElement) -> usize {
    1 + root.children.iter().map(elements).sum::<usize>()
}
