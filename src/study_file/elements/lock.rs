//! Locks: joints that are caught and held.

use super::super::document::Table;
use super::super::keys::Presence::{Optional, Required};
use super::super::keys::{COORDINATE, Form, NAME, OF_COORDINATE, OF_JOINT, Section, key};
use super::super::read_joint::joint_coordinate;
use super::super::read_mechanism::{PartialMechanism, fresh_name};
use super::super::write::{Writer, text, write_coordinate};
use crate::base::units::Dimension;
use crate::describe::mechanism::{Lock, Mechanism};

pub static LOCK: Section = Section {
    doc: "A joint's coordinate is caught where it passes a value, and held from there on.",
    keys: &[
        NAME,
        OF_JOINT,
        COORDINATE,
        key("at", OF_COORDINATE, Required, "The value at which it is caught."),
        key(
            "release",
            Form::Either(&[&Form::Quantity(Dimension::Torque), &Form::Quantity(Dimension::Force)]),
            Optional,
            "The torque or force, positive, above which the lock lets go for good. Absent, or inf: never.",
        ),
    ],
};

pub fn read(table: &Table<'_>, seen: &mut PartialMechanism<'_>) -> Option<Lock> {
    let name = fresh_name(table, &mut seen.taken);
    let of = joint_coordinate(table, seen.joints)?;
    let at = table.get("at").and_then(|node| node.quantity(of.dimension()));
    let release = match table.get("release") {
        None => Some(f64::INFINITY),
        Some(node) if node.is_infinite() => Some(f64::INFINITY),
        Some(node) => node.positive(of.load()),
    };
    Some(Lock { name: name?, of, at: at?, release: release? })
}

pub fn write(out: &mut Writer, lock: &Lock, mechanism: &Mechanism) {
    out.heading("[[mechanism.lock]]");
    out.key("name", text(&lock.name));
    write_coordinate(out, lock.of, mechanism);
    out.key("at", lock.at);
    out.key("release", lock.release);
}
