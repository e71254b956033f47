//! Places in the files of a study that give a quantity or a key: for faults that show only when the
//! mechanism is assembled or the study run.

use std::path::Path;

use super::document::{Document, MECHANISM, Table};
use super::error::{Problem, Problems};
use super::keys::{INITIAL, STUDY, mechanism_section};
use super::read_body::body_section;
use super::read_joint;
use super::settings::{KeySetting, path_of};
use polhode_description::describe::{Giver, Mechanism, Study};
use polhode_dynamics::model::Model;
use polhode_dynamics::model::start::{LESS, cannot_assemble};

/// The fault `found` of the quantity `key`, with the file and line that give it; `None` where they
/// cannot be found, as for a study that is no file any more.
fn start_fault(
    study: &Path,
    mechanism: &Mechanism,
    (giver, key): (Giver, &str),
    found: &str,
    advice: &str,
) -> Option<Problems> {
    let at = |table: &Table<'_>| report(table, mechanism, giver, key, found, advice);
    let mut elsewhere = None;
    let inside = Document::open(study).ok()?.read(&STUDY, |table| {
        let Some(node) = table.get(MECHANISM) else { return Some(()) };
        if node.is_table() {
            if let Some(table) = node.table(mechanism_section()) {
                at(&table);
            }
        } else if let Some(name) = node.text() {
            let file = Document::open(&node.document().beside(name)).ok();
            elsewhere = file.and_then(|file| {
                let read = file.read(mechanism_section(), |table| {
                    at(table);
                    Some(())
                });
                read.err()
            });
        }
        Some(())
    });
    inside.err().or(elsewhere)
}

/// Reports it where the key stands, else where its body, beam or joint does.
fn report(
    table: &Table<'_>,
    mechanism: &Mechanism,
    giver: Giver,
    key: &str,
    found: &str,
    advice: &str,
) -> Option<()> {
    match giver {
        Giver::Joint(k) => {
            let joints = table.get("joint")?;
            let nodes = joints.list()?;
            let joint = nodes.get(k)?.table(read_joint::section())?;
            match joint.has(key).then(|| joint.get(key)).flatten() {
                Some(node) => node.report(found, |problem| problem.advise(advice)),
                None => joint.report(found, |problem| problem.advise(advice)),
            }
        }
        Giver::Body(b) => {
            if let Some(beam) = mechanism.beam_of(b) {
                let beams = table.get("beam")?;
                let nodes = beams.list()?;
                nodes.get(beam)?.report(found, |problem| problem.advise(advice));
                return Some(());
            }
            let bodies = table.get("body")?;
            let nodes = if bodies.is_list() { bodies.list()? } else { Vec::new() };
            let node = nodes.get(b).unwrap_or(&bodies);
            if !node.has_key_within("initial", key) {
                node.report(found, |problem| problem.advise(advice));
                return Some(());
            }
            let body = node.table(body_section(node))?;
            let initial = body.get("initial")?;
            let initial = initial.table(&INITIAL)?;
            initial.get(key)?.report(found, |problem| problem.advise(advice));
        }
    }
    Some(())
}

/// Where the file of a study gives what contradicts the joints at the start, and why: as
/// [`Model::explain`].
pub fn start_problems(study: &Study, file: &Path) -> Option<Problems> {
    let wrong = Model::nominal_start(study)?.err()?;
    let given = wrong.given?;
    let found = cannot_assemble(&study.mechanism, wrong);
    start_fault(file, &study.mechanism, (given.of, given.key), &found, LESS)
}

/// The fault `found` of the dotted `key` of a study, with the line of its file, or of its
/// mechanism's, that gives the key or the table nearest to it; `None`: there is no such file.
pub fn key_problem(study: &Path, settings: &[KeySetting], key: &str, found: &str) -> Option<Problem> {
    let document = Document::open(study).ok()?.with_settings(settings.to_vec());
    let path = path_of(key)?;
    let (mut problem, text) = document.fault_along(&path, found)?;
    if let (Some((first, rest)), Some(name)) = (path.split_first(), text)
        && first == MECHANISM
    {
        let file = Document::open(&document.beside(&name)).ok()?;
        (problem, _) = file.with_settings(document.settings_below(MECHANISM)).fault_along(rest, found)?;
    }
    // Many a message begins with its key.
    problem.key = if found.starts_with(key) { String::new() } else { key.to_string() };
    Some(problem)
}
