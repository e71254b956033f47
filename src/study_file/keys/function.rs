//! Keys of functions of time and place.

use super::Presence::{Default, Optional, Required};
use super::{Form, Section, key};
use crate::base::units::Dimension;
use crate::base::units::Dimension::{Angle, AngularSpeed};
use crate::describe::expression::Interpolation;
use crate::study_file::read_lookup::{CURVE_TABLE, FUNCTION_TABLE};

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
        key("table", Form::Table(&FUNCTION_TABLE), Optional, "Values at given times, from lists or a file."),
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

/// One or several quantities of any dimension.
pub const SEVERAL: Form = Form::Either(&[&Form::List(&Form::AnyQuantity), &Form::Table(&WITH_UNIT)]);

/// Ways to join the values of a table.
pub static INTERPOLATIONS: [&str; 4] = {
    let all = Interpolation::ALL;
    [all[0].0, all[1].0, all[2].0, all[3].0]
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
        key("table", Form::Table(&CURVE_TABLE), Optional, "Heights at given places, from lists or a file."),
    ],
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
