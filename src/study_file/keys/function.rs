//! Keys of functions of time and place.

use super::Presence::{Default, Optional, Required};
use super::{FileKey, Form, Section, key};
use crate::base::units::Dimension;
use crate::base::units::Dimension::{Angle, AngularSpeed};

/// A function of time, in any of its forms.
pub const FUNCTION_FORM: Form = Form::Either(&[&Form::Number, &Form::Text, &Form::Table(&FUNCTION)]);

pub const THREE_FUNCTIONS: Form = Form::List(&FUNCTION_FORM);

pub static FUNCTION: Section = Section {
    doc: "A function of time. Exactly one form is given.",
    keys: &[
        key(
            "polynomial",
            Form::Numbers(None),
            Optional,
            "c0, c1, c2, ... of c0 + c1 t + c2 t^2 ..., in SI units.",
        ),
        key(
            "harmonic",
            Form::Table(&HARMONIC),
            Optional,
            "offset + amplitude sin(2 pi frequency t + phase).",
        ),
        key("table", Form::Table(&FUNCTION_TABLE), Optional, "Values at given times, joined by cubics."),
    ],
};

pub static HARMONIC: Section = Section {
    doc: "offset + amplitude sin(2 pi frequency t + phase). Exactly one of `frequency` and `angular_frequency` is given.",
    keys: &[
        key("amplitude", Form::AnyQuantity, Required, "Amplitude."),
        key("frequency", Form::Quantity(Dimension::Frequency), Optional, "Oscillations a second."),
        key("angular_frequency", Form::Quantity(AngularSpeed), Optional, "2 pi times as much."),
        key("phase", Form::Quantity(Angle), Default("0"), "Phase at t = 0."),
        key("offset", Form::AnyQuantity, Default("0"), "Mean value."),
    ],
};

pub(super) const VALUES: FileKey = key("values", SEVERAL, Required, "The value at each of them.");

pub(super) const SLOPES: FileKey = key(
    "slopes",
    Form::Numbers(None),
    Optional,
    "The slope at each, in SI units, 0 at both ends. Absent: those that make the second derivative continuous.",
);

pub(super) const SEVERAL: Form = Form::Either(&[&Form::List(&Form::AnyQuantity), &Form::Table(&WITH_UNIT)]);

pub static FUNCTION_TABLE: Section = Section {
    doc: "Values at given times, joined by cubics that end with zero slope; constant before and after.",
    keys: &[key("times", SEVERAL, Required, "Times, ascending, 2 to 200 of them."), VALUES, SLOPES],
};

pub static CURVE: Section = Section {
    doc: "A curve y(x). Exactly one form is given.",
    keys: &[
        key(
            "polynomial",
            Form::Numbers(None),
            Optional,
            "c0, c1, c2, ... of c0 + c1 x + c2 x^2 ..., in SI units.",
        ),
        key("table", Form::Table(&CURVE_TABLE), Optional, "Heights at given places, joined by cubics."),
    ],
};

pub static CURVE_TABLE: Section = Section {
    doc: "Heights y at given places x, joined by cubics that end with zero slope; constant before and after.",
    keys: &[key("places", SEVERAL, Required, "Places x, ascending, 2 to 200 of them."), VALUES, SLOPES],
};

pub static WITH_UNIT: Section = Section {
    doc: "A number, vector or matrix of plain numbers, with one unit for all.",
    keys: &[
        key(
            "value",
            Form::Either(&[&Form::Number, &Form::Numbers(None), &Form::NumberRows]),
            Required,
            "Plain numbers.",
        ),
        key("unit", Form::Text, Required, "Their unit, such as \"N m\"."),
    ],
};
