//! Locks, as their card says.

use std::sync::LazyLock;

use super::super::document::Table;
use super::super::keys::{COORDINATE, FileKey, NAME, OF_JOINT, Section};
use super::super::partial_mechanism::PartialMechanism;
use super::super::read_forms::fresh_name;
use super::super::read_joint::joint_coordinate;
use super::super::write_parts::write_coordinate;
use super::super::writer::{Writer, text};
use super::force::{number, number_key};
use polhode_description::describe::force::{Absent, NumberKey};
use polhode_description::describe::{Lock, Mechanism};
use polhode_dynamics::elements::lock::card;

/// The table of a lock.
pub fn section() -> &'static Section {
    static LOCK: LazyLock<Section> = LazyLock::new(|| {
        let keys = [NAME, OF_JOINT, COORDINATE].into_iter().chain(card().keys().map(number_key));
        Section { doc: card().doc, keys: keys.collect::<Vec<FileKey>>().leak() }
    });
    &LOCK
}

pub fn read(table: &Table<'_>, partial: &mut PartialMechanism<'_>) -> Option<Lock> {
    let name = fresh_name(table, &mut partial.taken);
    let coordinate = joint_coordinate(table, partial.joints)?;
    let value = |key: &NumberKey| match (table.get(key.name), key.absent) {
        (Some(node), Absent::Infinite(value)) if node.is_infinite() => Some(value),
        (Some(node), _) => number(&node, key, key.measure.at(Some(coordinate.coordinate))),
        (None, Absent::Infinite(value)) => Some(value),
        (None, Absent::Refused | Absent::Zero) => None,
    };
    let card = card();
    let (at, release) = (value(&card.at), value(&card.release));
    Some(Lock { card, name: name?, of: coordinate, at: at?, release: release? })
}

pub fn write(out: &mut Writer, lock: &Lock, mechanism: &Mechanism) {
    out.heading("[[mechanism.lock]]");
    out.key("name", text(&lock.name));
    write_coordinate(out, lock.of, mechanism);
    for (key, value) in lock.numbers() {
        out.key(key.name, value);
    }
}
