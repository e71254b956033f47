//! Contacts: the card of a kind of contact, and one contact of a mechanism with its values.
//!
//! A card says all that files and drawings need to know of a kind. The file of its rows under
//! `elements/contacts/` of dynamics has it, and everything here reads it: no other place lists the
//! kinds.

use super::expression::Expression;
use super::known_by::known_by;
use super::point::Point;
use crate::base::units::Dimension;

/// A kind of contact.
pub struct ContactCard {
    /// Name in files, such as `knife_edge`.
    pub name: &'static str,
    /// One of it, with its article, such as `a knife edge`.
    pub noun: &'static str,
    /// The law of one of them.
    pub doc: &'static str,
    /// Says for the list of keys where the point is; `None`: it is any point of the body.
    pub point: Option<&'static str>,
    pub keys: &'static [ContactKey],
    /// Number of constraint rows.
    pub rows: usize,
    pub requirement: ContactRequirement,
    /// The ball as which it is drawn; `None`: it is not drawn.
    pub ball: fn(&Contact) -> Option<Ball>,
}

impl ContactCard {
    /// A contact of any point of any body, not drawn.
    pub const fn new(name: &'static str, noun: &'static str, rows: usize) -> ContactCard {
        ContactCard {
            name,
            noun,
            doc: "",
            point: None,
            keys: &[],
            rows,
            requirement: ContactRequirement::Nothing,
            ball: |_| None,
        }
    }
}

known_by!(ContactCard, name);

/// A condition on the body that touches, with advice for users whose body does not meet it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactRequirement {
    Nothing,
    /// The body does not deform.
    Rigid(&'static str),
    /// It is known how the body turns at the point.
    Turns(&'static str),
}

/// A sphere on a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// (m)
    pub radius: f64,
    /// A point of the plane, space axes (m).
    pub plane: [f64; 3],
    /// Towards the sphere, space axes, a unit vector.
    pub normal: [f64; 3],
}

/// A value of a kind of contact.
#[derive(Clone, Copy, Debug)]
pub struct ContactKey {
    /// Key in files.
    pub name: &'static str,
    pub form: ContactForm,
    /// TOML text that is read where a file does not give it; `None`: a file must.
    pub default: Option<&'static str>,
    pub doc: &'static str,
}

impl ContactKey {
    /// A value that a file must give.
    pub const fn new(form: ContactForm) -> ContactKey {
        ContactKey { name: "", form, default: None, doc: "" }
    }

    /// The key with this value where a file does not give one.
    pub const fn or(self, default: &'static str) -> ContactKey {
        ContactKey { default: Some(default), ..self }
    }
}

/// The shape of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactForm {
    /// A positive number.
    Positive(Dimension),
    Vector(Dimension),
    /// A direction fixed in the body, a unit vector in body axes.
    Direction,
    /// A direction of space; the value is a frame in space axes, x, y and this direction.
    Normal,
    /// A function of the place x (m). The text says to users why it must have derivatives.
    OfPlace(Dimension, &'static str),
}

/// A value of a contact, SI.
#[derive(Clone, Debug, PartialEq)]
pub enum ContactValue {
    Number(f64),
    Vector([f64; 3]),
    /// x, y, z.
    Frame([[f64; 3]; 3]),
    Function(Expression),
}

/// A body that touches the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    pub name: String,
    pub kind: &'static ContactCard,
    /// The sphere's centre, or the point that touches.
    pub point: Point,
    /// In the order of the card.
    pub values: Vec<ContactValue>,
}

/// A kind has no such value.
static LACKING: Expression = Expression::Number(f64::NAN);

impl Contact {
    fn value(&self, name: &str) -> Option<&ContactValue> {
        let at = self.kind.keys.iter().position(|key| key.name == name)?;
        self.values.get(at)
    }

    /// The number of this key; NaN where the kind has none.
    pub fn number(&self, name: &str) -> f64 {
        match self.value(name) {
            Some(ContactValue::Number(number)) => *number,
            _ => f64::NAN,
        }
    }

    /// The vector of this key; NaN where the kind has none.
    pub fn vector(&self, name: &str) -> [f64; 3] {
        match self.value(name) {
            Some(ContactValue::Vector(vector)) => *vector,
            _ => [f64::NAN; 3],
        }
    }

    /// The frame of this key: x, y, z; NaN where the kind has none.
    pub fn frame(&self, name: &str) -> [[f64; 3]; 3] {
        match self.value(name) {
            Some(ContactValue::Frame(frame)) => *frame,
            _ => [[f64::NAN; 3]; 3],
        }
    }

    /// The function of this key; NaN where the kind has none.
    pub fn function(&self, name: &str) -> &Expression {
        match self.value(name) {
            Some(ContactValue::Function(function)) => function,
            _ => &LACKING,
        }
    }

    /// The directions that are fixed in the body (body axes), in the order of the card, up to
    /// three; zero where it has fewer.
    pub fn directions(&self) -> [[f64; 3]; 3] {
        let mut directions =
            self.kind.keys.iter().zip(&self.values).filter_map(|(key, value)| match (key.form, value) {
                (ContactForm::Direction, ContactValue::Vector(direction)) => Some(*direction),
                _ => None,
            });
        [(); 3].map(|()| directions.next().unwrap_or_default())
    }
}
