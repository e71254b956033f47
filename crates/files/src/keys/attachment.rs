//! Keys that say what a joint, a force or a load is attached to.

use super::Presence::{Default, Optional, Required};
use super::{FileKey, Form, key};
use polhode_description::base::units::Dimension;
use polhode_description::base::units::Dimension::Length;

/// A point of a body: a vector, or on a flexible body the name of a point.
pub const PLACE: Form = Form::Either(&[&Form::Vector(Length), &Form::Text]);

pub const DIRECTIONS: Form =
    Form::Either(&[&Form::Vector(Dimension::Number), &Form::List(&Form::Vector(Dimension::Number))]);

pub const NAME: FileKey = key("name", Form::Text, Required, "Name, unique: letters, digits, _ and -.");

pub const OF_JOINT: FileKey = key("joint", Form::Text, Required, "The joint.");

pub const COORDINATE: FileKey = key(
    "coordinate",
    Form::Choice(COORDINATE_NAMES),
    Optional,
    "Its coordinate: `angle` or `displacement`, `angle_a` or `angle_b` of a joint with a cross, `angle_x`, \
     `angle_y` or `angle_z` of a ball joint. Absent: the only one it has.",
);

/// The names of all coordinates.
pub const COORDINATE_NAMES: &[&str] =
    &["angle", "displacement", "angle_a", "angle_b", "angle_x", "angle_y", "angle_z"];

pub const POINT: FileKey = key(
    "point",
    PLACE,
    Optional,
    "From the body's origin in body axes, of a flexible body also by name. Absent: the origin of a rigid \
     body.",
);

pub const OF_BODY: FileKey = key("body", Form::Text, Optional, "The body. Absent: the only one.");

pub(super) const PAIR: Form = Form::List(&Form::Text);

pub const PLACES: Form = Form::List(&PLACE);

pub const BODIES: FileKey = key("bodies", PAIR, Required, "Bodies A and B; \"ground\" is the ground.");

pub const POINTS: FileKey = key(
    "points",
    PLACES,
    Required,
    "Point A and point B, each from its body's origin in its body axes; of a flexible body also by name.",
);

pub const FRAME_AXES: FileKey = key(
    "axes",
    DIRECTIONS,
    Default("[0, 0, 1]"),
    "The frames' z, in the axes of A and of B; one for both where they are the same.",
);

pub const FRAME_REFERENCES: FileKey = key(
    "references",
    DIRECTIONS,
    Optional,
    "The frames' x, in the axes of A and of B. Absent: any, so that the frames coincide where the bodies' \
     axes do (after the least rotation that takes A's z to B's).",
);
