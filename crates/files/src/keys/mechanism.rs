//! Keys of a mechanism and of its bodies, with their starts and loads.

use super::super::declared::{Named, section};
use std::sync::LazyLock;

use super::super::elements::{contact, coupling, force, generator, lock};
use super::super::read_solid::SOLID_BODY;
use super::super::{read_beam, read_group, read_joint, read_law, read_lookup};
use super::Presence::{Default, Optional};
use super::attachment::PLACE;
use super::flexible::FLEXIBLE;
use super::function::THREE_FUNCTIONS;
use super::{FileKey, Form, Section, key};
use polhode_description::base::units::Dimension;
use polhode_description::base::units::Dimension::{
    Acceleration, Angle, AngularSpeed, Inertia, Length, Mass, Speed, Time,
};
use polhode_description::describe::{Axes, InertiaAbout, LoadKind, Support};

/// The table of a mechanism.
pub fn mechanism_section() -> &'static Section {
    static MECHANISM: LazyLock<Section> = LazyLock::new(|| {
        let forces = force::sections().map(|(card, section)| list(card.table, section, card.title));
        Section {
            doc: "A mechanism: rigid bodies, their supports, what keeps or drives them, and what acts on \
                  them.",
            keys: keys_besides_forces().chain(forces).collect::<Vec<FileKey>>().leak(),
        }
    });
    &MECHANISM
}

/// The keys of a mechanism that are no kind of force. They are known before any force is
/// registered.
pub(super) fn keys_besides_forces() -> impl Iterator<Item = FileKey> {
    static PARTS: LazyLock<[FileKey; 13]> = LazyLock::new(|| {
        [
            list("joint", read_joint::section(), "Joints between two bodies, or a body and the ground."),
            list("generator", generator::section(), "Motions prescribed in time."),
            list(
                "coupling",
                &coupling::COUPLING,
                "Coordinates that follow others: gears, racks, screws, pulleys.",
            ),
            key(
                "contact",
                Form::List(leaked(contact::any())),
                Default("[]"),
                "Bodies that roll or slide on the ground.",
            ),
            list(
                "beam",
                &read_beam::BEAM,
                "Beams that bend, twist and stretch by any amount: nodes NAME.0, NAME.1 and so on, and \
                 elements between them.",
            ),
            list("beam_element", &read_beam::BEAM_ELEMENT, "Single beam elements between two bodies."),
            list("lock", lock::section(), "Joints that are caught and held."),
            list("load", &LOAD, "Forces and torques on the bodies."),
            list("point", &read_law::POINT, "Points that have names."),
            list("group", &read_group::GROUP, "Groups of bodies that have names."),
            list("state", &read_law::STATE, "States of laws: integrals, filters, lags, delays."),
            list("signal", &read_law::SIGNAL, "Expressions of the motion that have names."),
            list("table", &read_lookup::TABLE, "Functions given by values, which expressions call by name."),
        ]
    });
    MECHANISM_KEYS.iter().chain(&*PARTS).copied()
}

/// Their names.
pub fn mechanism_keys_besides_forces() -> impl Iterator<Item = &'static str> {
    keys_besides_forces().map(|key| key.name)
}

/// A list of tables that may be empty.
pub(super) fn list(name: &'static str, section: &'static Section, doc: &'static str) -> FileKey {
    key(name, Form::List(leaked(Form::Table(section))), Default("[]"), doc)
}

/// A form that is made of cards. It lives as long as the program, in which it is made once.
pub(crate) fn leaked(form: Form) -> &'static Form {
    Box::leak(Box::new(form))
}

/// The keys of a mechanism besides the lists of its parts.
pub(super) static MECHANISM_KEYS: &[FileKey] = &[
    key("name", Form::Text, Optional, "Name in reports. Absent: the file's name."),
    key(
        "gravity",
        Form::Either(&[&Form::Vector(Acceleration), &Form::Quantity(Acceleration)]),
        Default("[0, 0, 0]"),
        "Acceleration of gravity in space axes; a single number g means [0, 0, -g].",
    ),
    key(
        "body",
        Form::Either(&[&ANY_BODY, &Form::List(&ANY_BODY)]),
        Optional,
        "The body, or several of them. Absent: the nodes of beams are all that moves.",
    ),
    key(
        "constants",
        Form::Map(&Form::AnyQuantity),
        Default("{}"),
        "Numbers that expressions call by name: NAME = a number, a quantity of any unit, or an expression of \
         the constants before it.",
    ),
];

section! { pub static BODY = "A rigid body, described in body axes, which need not be principal.";
    name: Text, Default("\"body\""), "Name for varied quantities and channels: letters, digits, _ and -.";
    mass: Positive(Mass), Required, "Mass, positive.";
    inertia: Either(&[&Vector(Inertia), &Matrix(Inertia)]), Required,
        "Moments of inertia in body axes: three numbers (a diagonal) or a symmetric positive definite \
         matrix.";
    inertia_axes: ATTITUDE, Default("[1, 0, 0, 0]"),
        "The rotation that maps the axes in which `inertia` is given to body axes.";
    inertia_about: Choice(InertiaAbout::NAMES), Default("\"mass_centre\""),
        "The point about which `inertia` is given. With a fixed point, the origin is that point.";
    centre_of_mass: Vector(Length), Default("[0, 0, 0]"), "Mass centre from the body's origin, in body axes.";
    support: Choice(Support::NAMES), Default("\"free\""),
        "free, or fixed_point: the body's origin is held and the body turns about it.";
    initial: Table(&INITIAL), Default("{}"), "The state at t = 0.";
}

/// A rigid body by its numbers or by its shape, or a flexible one.
pub(super) const ANY_BODY: Form =
    Form::Either(&[&Form::Table(&BODY), &Form::Table(&FLEXIBLE_BODY), &Form::Table(&SOLID_BODY)]);

section! { pub static FLEXIBLE_BODY = "A flexible body, which has the mass and inertia of its modal data.";
    name: Text, Default("\"body\""), "Name for varied quantities and channels: letters, digits, _ and -.";
    flexible: Table(&FLEXIBLE), Required, "How it deforms.";
    initial: Table(&INITIAL), Default("{}"),
        "The state of the floating frame at t = 0; its origin is that of the modal data, or the point to \
         which it is attached.";
}

section! { pub static INITIAL = "The state at t = 0.";
    position: Vector(Length), Default("[0, 0, 0]"), "Position of the body's origin, in space axes.";
    velocity: Vector(Speed), Default("[0, 0, 0]"),
        "Velocity of the body's origin, in space axes; zero with a fixed point.";
    attitude: ATTITUDE, Default("[1, 0, 0, 0]"), "The rotation that maps body axes to space axes.";
    angular_velocity: Vector(AngularSpeed), Default("[0, 0, 0]"), "Angular velocity.";
    angular_velocity_axes: Choice(Axes::NAMES), Default("\"body\""),
        "Axes of the components of `angular_velocity`.";
    approximate: Flag, Default("false"),
        "The values given here say only from where assembly starts to look. Otherwise each that is given is \
         kept.";
}

/// An attitude, in every key that takes one.
pub const ATTITUDE: Form = Form::Either(&[
    &Form::Numbers(Some(4)),
    &Form::Table(&QUATERNION),
    &Form::Table(&ROTATION_VECTOR),
    &Form::Table(&AXIS_ANGLE),
    &Form::Table(&EULER),
    &Form::Table(&MATRIX),
]);

section! { pub static QUATERNION = "An attitude as a quaternion.";
    quaternion: Numbers(Some(4)), Required,
        "Unit quaternion, scalar first. One whose norm is off by up to 1e-3 is divided by its norm, with a \
         warning.";
}

section! { pub static ROTATION_VECTOR = "An attitude as a rotation vector.";
    rotation_vector: Vector(Angle), Required, "Axis times angle.";
}

section! { pub static AXIS_ANGLE = "An attitude as axis and angle.";
    axis: Numbers(Some(3)), Required, "Axis, of any length but 0.";
    angle: Quantity(Angle), Required, "Angle.";
}

section! { pub static EULER = "An attitude by three turns about coordinate axes, the first angle first.";
    euler: Text, Required,
        "The axes: \"ZXZ\", \"ZYX\" and so on, in upper case about the body's axes as they turn along \
         (intrinsic); \"zxz\", \"xyz\" and so on, in lower case about the axes of space (extrinsic).";
    angles: Vector(Angle), Required, "Three angles, in the order of the axes.";
}

section! { pub static MATRIX = "An attitude as a rotation matrix.";
    matrix: Matrix(Dimension::Number), Required,
        "Three rows; its columns are the body's axes in space. Where R^T R is off from 1 by up to 1e-3, the \
         nearest rotation is taken, with a warning if by more than 2e-6.";
}

section! { pub static LOAD = "A force or torque. Exactly one of `value`, `pieces` and `function` is given.";
    name: Text, Required, "Name, unique: letters, digits, _ and -.";
    body: Text, Optional, "The body on which it acts. Absent: the only one.";
    kind: Choice(LoadKind::NAMES), Required, "force (N) or torque (N m).";
    axes: Choice(Axes::NAMES), Required, "Axes of the components, which stay constant in them.";
    point: PLACE, Optional,
        "Where a force acts, from the body's origin in body axes. Absent: the origin. Not for a torque on a \
         rigid body.";
    value: LOAD_VALUE, Optional, "A load that acts from t = 0 on for ever.";
    pieces: List(&Table(&PIECE)), Optional,
        "A load that is constant by pieces, in time order, and zero outside them.";
    function: Either(&[&Text, &THREE_FUNCTIONS]), Optional,
        "Three functions of time and motion, one for each component (N or N m), or a vector expression.";
}

pub(super) const LOAD_VALUE: Form =
    Form::Either(&[&Form::Vector(Dimension::Force), &Form::Vector(Dimension::Torque)]);

section! { pub static PIECE = "A stretch of time, `from` <= t < `until`, in which a load is constant.";
    from: Quantity(Time), Default("0"), "Start.";
    until: Quantity(Time), Optional, "End, after `from`. Absent, or inf: it acts for ever.";
    value: LOAD_VALUE, Required, "Force or torque.";
}
