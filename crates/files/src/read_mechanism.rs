//! Reads a mechanism file, or the mechanism table of a study, into a `Mechanism`: units converted,
//! defaults filled in, physics checked.

use std::path::Path;

use super::document::{Document, Node, Table};
use super::elements::{contact, coupling, force, generator, lock};
use super::error::Problems;
use super::expression_text::is_reserved;
use super::keys::{LOAD, mechanism_section};
use super::linked::linked;
use super::motions::Motions;
use super::partial_mechanism::PartialMechanism;
use super::point_mass::check_point_masses;
use super::read_beam::{BEAM, BEAM_ELEMENT, beam, beam_element};
use super::read_body::bodies;
use super::read_forms::{each, few, gravity};
use super::read_group;
use super::read_joint::joints;
use super::read_law::{self, is_sampled};
use super::read_load::load;
use super::read_lookup;
use super::settings::KeySetting;
use polhode_description::describe::force::{Force, ForceCard};
use polhode_description::describe::{Beam, Body, Constant, Joint, LINES, LawState, Mechanism, Notes, Signal};
use polhode_dynamics::elements::cards;

/// Reads and checks a mechanism file.
///
/// # Errors
/// All faults found, in the order of the file.
pub fn read_mechanism(path: &Path) -> Result<Mechanism, Problems> {
    read_mechanism_with(path, Vec::new())
}

/// As [`read_mechanism`], with these values in place of the file's.
pub(super) fn read_mechanism_with(path: &Path, settings: Vec<KeySetting>) -> Result<Mechanism, Problems> {
    let document = Document::open(path)?.with_settings(settings);
    let stem = document.stem();
    document.read(mechanism_section(), |table| mechanism(table, &stem))
}

/// Reads and checks a mechanism that is given as text; `name` is its name if it gives none. What
/// lies beside a file it cannot name.
///
/// # Errors
/// All faults found, in the order of the text.
pub fn mechanism_of_text(name: &str, text: &str) -> Result<Mechanism, Problems> {
    Document::of_text(name, text.to_string()).read(mechanism_section(), |table| mechanism(table, name))
}

/// The mechanism in `table`; `name` is its name if it gives none.
pub(super) fn mechanism(table: &Table<'_>, name: &str) -> Option<Mechanism> {
    let document = table.document();
    document.begin_calls();
    let read = with_calls(table, name);
    let calls = document.end_calls();
    let mut mechanism = read?;
    mechanism.linked = linked(table, &mechanism, calls);
    mechanism.notes = Notes(document.take_notes());
    Some(mechanism)
}

/// As [`mechanism`], where numbers may call constants.
fn with_calls(table: &Table<'_>, name: &str) -> Option<Mechanism> {
    let name = match table.get("name") {
        Some(node) => node.text()?.to_string(),
        None => name.to_string(),
    };
    let constants = table.get("constants").and_then(|node| constants(&node));
    let gravity = table.get("gravity").and_then(|node| gravity(&node));
    let body_node = table.get("body");
    let own = match &body_node {
        Some(node) => bodies(node),
        None if table.has("beam") => Some(Vec::new()),
        None => {
            table.report("`body` is missing", |problem| problem.advise("give at least one body, or a beam"));
            None
        }
    };
    let mut taken: Vec<String> = own.iter().flatten().map(|body| body.name.clone()).collect();
    let beams = beams(table, own.as_ref().map_or(0, Vec::len), &mut taken);
    let nodes = beams.as_ref().map(|beams| beams.iter().flat_map(Beam::bodies));
    let bodies = own.zip(nodes).map(|(own, nodes)| own.into_iter().chain(nodes).collect::<Vec<Body>>());
    if bodies.as_ref().is_some_and(Vec::is_empty) {
        table.report("there is neither a body nor a beam", |problem| problem.advise("give at least one"));
        return None;
    }
    let joints = joints(table, body_node.as_ref(), bodies.as_deref(), &mut taken);
    let mut partial = PartialMechanism {
        bodies: bodies.as_deref(),
        joints: joints.as_deref(),
        constants: constants.as_deref(),
        motions: motions(table, bodies.as_deref(), joints.as_deref(), constants.is_none()),
        tables: Vec::new(),
        taken,
    };
    let tables = each(table, "table", |node| {
        let table =
            node.table(&read_lookup::TABLE).and_then(|table| read_law::named_table(&table, &mut partial));
        partial.motions.has_faults |= table.is_none();
        partial.tables.extend(table.clone());
        table
    });
    let points = each(table, "point", |node| {
        let point = node.table(&read_law::POINT).and_then(|table| read_law::point(&table, &mut partial));
        partial.motions.has_faults |= point.is_none();
        partial.motions.points.extend(point.clone());
        point
    });
    let groups =
        each(table, "group", |node| read_group::group(&node.table(&read_group::GROUP)?, &mut partial));
    let (states, signals) = states_and_signals(table, &mut partial);
    let generators =
        each(table, "generator", |node| generator::read(&node.table(generator::section())?, &mut partial));
    let couplings =
        each(table, "coupling", |node| coupling::read(&node.table(&coupling::COUPLING)?, &mut partial));
    let contacts = each(table, "contact", |node| contact::read(node, &mut partial));
    let of_card = |card: &'static ForceCard| {
        each(table, card.table, |node| force::read(&node.table(force::section(card))?, card, &mut partial))
    };
    let forces: Vec<Option<Vec<Force>>> = cards().iter().copied().map(of_card).collect();
    let beam_elements =
        each(table, "beam_element", |node| beam_element(&node.table(&BEAM_ELEMENT)?, &mut partial));
    let locks = each(table, "lock", |node| lock::read(&node.table(lock::section())?, &mut partial));
    let loads = each(table, "load", |node| load(&node.table(&LOAD)?, &mut partial));
    let sensors = partial.motions.sensors.into_inner();
    let beams = beams?;
    let elements: Vec<_> = beams.iter().enumerate().flat_map(|(k, beam)| beam.beam_elements(k)).collect();
    let mechanism = Mechanism {
        name,
        gravity: gravity?,
        constants: constants?,
        bodies: bodies?,
        joints: joints?,
        generators: generators?.into_iter().chain(couplings?).collect(),
        contacts: contacts?,
        forces: forces.into_iter().collect::<Option<Vec<_>>>()?.concat(),
        beam_elements: beam_elements?.into_iter().chain(elements).collect(),
        beams,
        locks: locks?,
        loads: loads?,
        points: points?,
        groups: groups?,
        sensors,
        states: states?,
        signals: signals?,
        tables: tables?,
        outcomes: Vec::new(),
        ends: Vec::new(),
        linked: None,
        notes: Notes::default(),
    };
    check_point_masses(body_node.as_ref(), &mechanism)?;
    Some(mechanism)
}

/// The motions that laws may feel, of parts that have names.
fn motions<'m>(
    table: &Table<'m>,
    bodies: Option<&'m [Body]>,
    joints: Option<&'m [Joint]>,
    has_faults: bool,
) -> Motions<'m> {
    let spinning = cards().iter().filter(|card| card.spins);
    Motions {
        bodies: bodies.unwrap_or_default(),
        joints: joints.unwrap_or_default(),
        springs: LINES.iter().flat_map(|line| table.names_in(line)).collect(),
        pulling: table.names_in("spring").len(),
        rotors: spinning.flat_map(|card| table.names_in(card.table)).collect(),
        states: table.names_without("state", &read_law::OF_SAMPLED),
        has_faults: has_faults || bodies.is_none() || joints.is_none(),
        ..Motions::default()
    }
}

/// The states of laws, and all signals: first those that show the states that are sampled, last
/// those that give the next values of these.
fn states_and_signals(
    table: &Table<'_>,
    partial: &mut PartialMechanism<'_>,
) -> (Option<Vec<LawState>>, Option<Vec<Signal>>) {
    let states_sampled = table.names_in("state").len() - partial.motions.states.len();
    let signals_after = states_sampled + table.names_in("signal").len();
    let state_node = table.get("state");
    let state_nodes = state_node.as_ref().and_then(|node| node.list()).unwrap_or_default();
    let sampled: Vec<&Node<'_>> = state_nodes.iter().filter(|node| is_sampled(node)).collect();
    let shown: Vec<Option<Signal>> = sampled
        .iter()
        .enumerate()
        .map(|(k, node)| {
            let table = node.table(&read_law::STATE)?;
            let shown = read_law::sampled_state(&table, partial, signals_after + k);
            partial.motions.has_faults |= shown.is_none();
            partial.motions.signals.extend(shown.clone());
            shown
        })
        .collect();
    let signals = each(table, "signal", |node| {
        let signal = node.table(&read_law::SIGNAL).and_then(|table| read_law::signal(&table, partial));
        partial.motions.has_faults |= signal.is_none();
        partial.motions.signals.extend(signal.clone());
        signal
    });
    let nexts: Vec<Option<Signal>> = sampled
        .iter()
        .zip(&shown)
        .map(|(node, shown)| read_law::next_of_state(&node.table(&read_law::STATE)?, partial, shown.as_ref()))
        .collect();
    let states: Vec<Option<LawState>> = state_nodes
        .iter()
        .filter(|node| !is_sampled(node))
        .map(|node| read_law::state(&node.table(&read_law::STATE)?, partial))
        .collect();
    let whole = |signals: Vec<Option<Signal>>| signals.into_iter().collect::<Option<Vec<Signal>>>();
    let signals = whole(shown).zip(signals).zip(whole(nexts));
    let signals = signals.map(|((shown, signals), nexts)| [shown, signals, nexts].concat());
    (states.into_iter().collect(), signals)
}

/// Numbers that expressions call by name, each an expression of earlier ones if it is one.
fn constants(node: &Node<'_>) -> Option<Vec<Constant>> {
    let read: Vec<Option<Constant>> = few(node, node.map()?)?
        .iter()
        .map(|(name, entry)| {
            let constant = constant(name, entry);
            node.document().may_call(constant.as_ref());
            constant
        })
        .collect();
    read.into_iter().collect()
}

fn constant(name: &str, node: &Node<'_>) -> Option<Constant> {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !begins || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        node.report(format!("{name:?} is not a usable name"), |problem| {
            problem.advise("use letters, digits and _, with a letter first")
        });
        return None;
    }
    if is_reserved(name) {
        node.report(format!("`{name}` means something else in expressions"), |problem| {
            problem.advise("choose another name")
        });
        return None;
    }
    let (value, unit) = node.any_quantity()?;
    Some(Constant { name: name.to_string(), value, unit })
}

/// All beams, whose nodes come after `bodies` bodies.
fn beams(table: &Table<'_>, bodies: usize, taken: &mut Vec<String>) -> Option<Vec<Beam>> {
    let mut next = bodies;
    each(table, "beam", |node| {
        let beam = beam(&node.table(&BEAM)?, taken, next)?;
        next += beam.nodes;
        Some(beam)
    })
}
