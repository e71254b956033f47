//! Contacts of every kind, as their cards say.

use std::sync::LazyLock;

use super::super::document::{Node, Table};
use super::super::keys::Presence::{Default, Optional, Required};
use super::super::keys::{CURVE, FileKey, Form, NAME, OF_BODY, PLACE, POINT, Section, key, leaked};
use super::super::partial_mechanism::PartialMechanism;
use super::super::read_forms::{direction, fresh_name};
use super::super::read_function::{FunctionRequirements, Variable, function};
use super::super::read_joint::{frame_about, turns_known};
use super::super::read_points::{acted_on, place_acted_on};
use super::super::write_parts;
use super::super::write_parts::write_point;
use super::super::writer::{Writer, numbers, text};
use polhode_description::base::units::Dimension;
use polhode_description::describe::contact::{ContactForm, ContactKey, ContactRequirement, ContactValue};
use polhode_description::describe::{Contact, ContactCard, Mechanism, Point};
use polhode_dynamics::elements::contacts::CARDS;

/// A function of the place x.
pub(super) const OF_PLACE: Form = Form::Either(&[&Form::Number, &Form::Text, &Form::Table(&CURVE)]);

/// The tables of all kinds, from their cards.
static CONTACTS: LazyLock<Vec<(&'static ContactCard, Section)>> = LazyLock::new(|| {
    let of_card = |card: &&'static ContactCard| {
        let point = card.point.map_or(POINT, |doc| key("point", PLACE, Optional, doc));
        let only: &'static [&'static str] = vec![card.name].leak();
        let keys = [NAME, key("kind", Form::Choice(only), Required, card.name), OF_BODY, point];
        let keys = keys.into_iter().chain(card.keys.iter().map(value_key));
        (*card, Section { doc: card.doc, keys: keys.collect::<Vec<FileKey>>().leak() })
    };
    CARDS.iter().map(of_card).collect()
});

/// The keys of all kinds, for a contact whose kind is not known.
static CONTACT: LazyLock<Section> = LazyLock::new(|| {
    let names: &'static [&'static str] = CARDS.iter().map(|card| card.name).collect::<Vec<_>>().leak();
    let of_card = |card: &&'static ContactCard| {
        let doc: &'static str = format!("Of {}.", card.noun).leak();
        card.keys.iter().map(move |of_kind| key(of_kind.name, form(of_kind.form), Optional, doc))
    };
    let keys = [NAME, key("kind", Form::Choice(names), Required, "Kind of contact."), OF_BODY, POINT];
    let keys = keys.into_iter().chain(CARDS.iter().flat_map(of_card));
    Section { doc: "A body that touches the ground.", keys: keys.collect::<Vec<FileKey>>().leak() }
});

/// A contact of any kind.
pub fn any() -> Form {
    let forms = CONTACTS.iter().map(|(_, section)| leaked(Form::Table(section)));
    Form::Either(forms.collect::<Vec<_>>().leak())
}

fn value_key(value: &ContactKey) -> FileKey {
    key(value.name, form(value.form), value.default.map_or(Required, Default), value.doc)
}

fn form(value: ContactForm) -> Form {
    match value {
        ContactForm::Positive(dimension) => Form::Quantity(dimension),
        ContactForm::Vector(dimension) => Form::Vector(dimension),
        ContactForm::Direction | ContactForm::Normal => Form::Vector(Dimension::Number),
        ContactForm::OfPlace(..) => OF_PLACE,
    }
}

/// The keys of a contact, by its kind.
pub fn section(node: &Node<'_>) -> &'static Section {
    let known = CONTACTS.iter().find(|(card, _)| node.peek("kind") == Some(card.name));
    known.map_or(&*CONTACT, |(_, section)| section)
}

/// A contact of any kind, as its card says.
pub fn read(node: &Node<'_>, partial: &mut PartialMechanism<'_>) -> Option<Contact> {
    let table = node.table(section(node))?;
    let name = fresh_name(&table, &mut partial.taken);
    let kinds: Vec<(&str, &'static ContactCard)> = CARDS.iter().map(|card| (card.name, *card)).collect();
    let kind = table.get("kind").and_then(|node| node.choice(&kinds));
    let body = acted_on(&table, partial.bodies, "a contact");
    let on = body.and_then(|b| partial.bodies?.get(b));
    if let (Some(ContactCard { requirement: ContactRequirement::Rigid(advice), .. }), Some(on)) = (kind, on)
        && on.flexible.is_some()
    {
        table.report(&format!("the body `{}` is flexible", on.name), |problem| problem.advise(*advice));
        return None;
    }
    let at = place_acted_on(&table, on);
    let kind = kind?;
    let values: Vec<Option<ContactValue>> = kind.keys.iter().map(|key| value(&table, key, partial)).collect();
    if let ContactRequirement::Turns(advice) = kind.requirement {
        turns_known(&table, partial.bodies?, &[Point { body, at: at? }], advice)?;
    }
    let values = values.into_iter().collect::<Option<Vec<_>>>()?;
    Some(Contact { name: name?, kind, point: Point { body: Some(body?), at: at? }, values })
}

fn value(table: &Table<'_>, key: &ContactKey, partial: &PartialMechanism<'_>) -> Option<ContactValue> {
    let node = table.get(key.name)?;
    Some(match key.form {
        ContactForm::Positive(dimension) => ContactValue::Number(node.positive(dimension)?),
        ContactForm::Vector(dimension) => ContactValue::Vector(node.vector3(dimension)?),
        ContactForm::Direction => ContactValue::Vector(direction(&node)?),
        ContactForm::Normal => ContactValue::Frame(frame_about(direction(&node)?)),
        ContactForm::OfPlace(dimension, needs) => {
            let required = FunctionRequirements {
                variable: Variable::Place,
                dimension: Some(dimension),
                constants: partial.constants,
                inputs: None,
                tables: &partial.tables,
                derivatives: Some(needs),
            };
            ContactValue::Function(function(&node, required)?)
        }
    })
}

/// As its card says. Of a frame its direction is written.
pub fn write(out: &mut Writer, contact: &Contact, mechanism: &Mechanism) {
    out.heading("[[mechanism.contact]]");
    out.key("name", text(&contact.name));
    write_point(out, &contact.point, mechanism);
    out.key("kind", text(contact.kind.name));
    for (key, value) in contact.kind.keys.iter().zip(&contact.values) {
        match value {
            ContactValue::Number(number) => out.key(key.name, *number),
            ContactValue::Vector(vector) | ContactValue::Frame([_, _, vector]) => {
                out.key(key.name, numbers(vector));
            }
            ContactValue::Function(y) => {
                out.key(key.name, write_parts::function(y, Variable::Place, mechanism))
            }
        }
    }
}
