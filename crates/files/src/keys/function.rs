//! Keys of functions of time and place.

use super::super::declared::section;
use super::Form;
use crate::read_lookup::{CURVE_TABLE, FUNCTION_TABLE};
use polhode_description::base::units::Dimension;
use polhode_description::base::units::Dimension::{Angle, AngularSpeed};
use polhode_description::describe::expression::Interpolation;

/// A function of time, in any of its forms.
pub const FUNCTION_FORM: Form = Form::Either(&[&Form::Number, &Form::Text, &Form::Table(&FUNCTION)]);

pub const THREE_FUNCTIONS: Form = Form::List(&FUNCTION_FORM);

section! { pub static FUNCTION = "A function of time. Exactly one form is given.";
    polynomial: Numbers(None), Optional, "c0, c1, c2, ... of c0 + c1 t + c2 t^2 ..., in SI units.";
    harmonic: Table(&HARMONIC), Optional, "offset + amplitude sin(2 pi frequency t + phase).";
    table: Table(&FUNCTION_TABLE), Optional, "Values at given times, from lists or a file.";
}

section! { pub static HARMONIC =
        "offset + amplitude sin(2 pi frequency t + phase). Exactly one of `frequency` and \
         `angular_frequency` is given.";
    amplitude: AnyQuantity, Required, "Amplitude.";
    frequency: Quantity(Dimension::Frequency), Optional, "Oscillations a second.";
    angular_frequency: Quantity(AngularSpeed), Optional, "2 pi times as much.";
    phase: Quantity(Angle), Default("0"), "Phase at t = 0.";
    offset: AnyQuantity, Default("0"), "Mean value.";
}

/// One or several quantities of any dimension.
pub const SEVERAL: Form = Form::Either(&[&Form::List(&Form::AnyQuantity), &Form::Table(&WITH_UNIT)]);

/// Ways to join the values of a table.
pub static INTERPOLATIONS: [&str; 4] = {
    let all = Interpolation::ALL;
    [all[0].0, all[1].0, all[2].0, all[3].0]
};

section! { pub static CURVE = "A curve y(x). Exactly one form is given.";
    polynomial: Numbers(None), Optional, "c0, c1, c2, ... of c0 + c1 x + c2 x^2 ..., in SI units.";
    table: Table(&CURVE_TABLE), Optional, "Heights at given places, from lists or a file.";
}

section! { pub static WITH_UNIT = "A number, vector or matrix of plain numbers, with one unit for all.";
    value: Either(&[&Number, &Numbers(None), &NumberRows]), Required, "Plain numbers.";
    unit: Text, Required, "Their unit, such as \"N m\".";
}
