//! Keys of bodies that deform: modes, beams and structures from which they are made.

use super::Presence::{Default, Optional, Required};
use super::attachment::{NAME, PAIR, PLACE};
use super::{Form, Section, key};
use crate::base::units::Dimension;
use crate::base::units::Dimension::{Inertia, Length, Mass};

pub static FLEXIBLE: Section = Section {
    doc: "Deformation by modes in a floating frame (W84). Exactly one of `beam`, `structure` and `modal` is given.",
    keys: &[
        key(
            "level",
            Form::Choice(&["0", "1/2", "1", "3/2", "2"]),
            Default("\"2\""),
            "Which terms couple rotation and deformation; only level 2 conserves energy, levels below 1 have a constant mass matrix.",
        ),
        key(
            "frame",
            Form::Choice(&["buckens", "attached"]),
            Default("\"buckens\""),
            "The floating frame: at the mass centre, so that no mode moves it or turns, or attached to the particle `at`, turning with it; then the body's origin is there, and points and the start count from there.",
        ),
        key(
            "at",
            PLACE,
            Optional,
            "The point to which the frame is attached, by name, or as the source of the modes counts places. Needed by frame = \"attached\".",
        ),
        key(
            "beam",
            Form::Table(&MODAL_BEAM),
            Optional,
            "A uniform beam along body x, its origin in the middle.",
        ),
        key(
            "structure",
            Form::Table(&STRUCTURE),
            Optional,
            "Nodes and straight members, whose modes polhode finds.",
        ),
        key(
            "modal",
            Form::Either(&[&Form::Text, &Form::Table(&MODAL)]),
            Optional,
            "Modal data from elsewhere: a JSON file, relative to this one, such a text in place, or a CSV table with its frequencies.",
        ),
        key(
            "damping",
            Form::Either(&[&Form::Number, &Form::Numbers(None)]),
            Default("0"),
            "Damping ratio of all modes, or of each; not negative.",
        ),
        key("stiffness_scale", Form::Number, Default("1"), "All stiffness is multiplied by this, positive."),
        key("damping_scale", Form::Number, Default("1"), "All damping is multiplied by this, not negative."),
        key("amplitudes", Form::Numbers(None), Optional, "Modal coordinates at t = 0. Absent: 0."),
        key("amplitude_rates", Form::Numbers(None), Optional, "Their rates (1/s) at t = 0. Absent: 0."),
        key(
            "watch",
            PLACE,
            Optional,
            "The point whose deflection the channel `deflection` shows. Absent: the last point that has a name, else the origin.",
        ),
    ],
};

pub static MODAL: Section = Section {
    doc: "Modal data in a file: JSON, which says everything itself, or a CSV table of nodes with masses and shapes, for which exactly one of `frequencies` and `stiffness` is given here.",
    keys: &[
        key("file", Form::Text, Required, "A .csv or .json file, relative to this one."),
        key(
            "frequencies",
            Form::List(&Form::Quantity(Dimension::Frequency)),
            Optional,
            "Natural frequencies of the modes, which must be orthogonal to each other.",
        ),
        key(
            "stiffness",
            Form::NumberRows,
            Optional,
            "The matrix K_ij of the modes (N m), in the scale of the shapes.",
        ),
        key(
            "orthonormalise",
            Form::Flag,
            Default("false"),
            "Whether the shapes are freed of rigid motion and made orthonormal.",
        ),
    ],
};

pub static MODAL_BEAM: Section = Section {
    doc: "A uniform beam along body x with its origin in the middle. Its points are on its axis, or off it in the plane of a section; `start`, `middle` and `end` have names.",
    keys: &[
        key("length", Form::Quantity(Length), Required, "Length, positive."),
        key("mass", Form::Quantity(Mass), Required, "Mass, positive."),
        key(
            "polar_inertia",
            Form::Quantity(Inertia),
            Required,
            "Moment of inertia about its axis, of the whole beam, positive.",
        ),
        key(
            "bending_stiffness",
            EITHER_STIFFNESS,
            Required,
            "EI for bending in y and in z; one for both where they are the same. Positive.",
        ),
        key("axial_stiffness", Form::Quantity(Dimension::Force), Optional, "EA, positive; for axial modes."),
        key(
            "torsional_stiffness",
            Form::Quantity(Dimension::FlexuralRigidity),
            Optional,
            "GJ, positive; for modes of torsion.",
        ),
        key(
            "boundary",
            Form::Choice(&["free", "simply_supported", "cantilever", "fixed_hinged", "fixed_fixed"]),
            Default("\"free\""),
            "Ends of the beam whose bending modes are taken as shapes; the start is fixed first. Shapes of held ends are freed of rigid motion.",
        ),
        key("modes_y", MODE_COUNT, Default("0"), "Number of modes of bending in y."),
        key("modes_z", MODE_COUNT, Default("0"), "Number of modes of bending in z."),
        key("modes_axial", MODE_COUNT, Default("0"), "Number of axial modes, of free ends."),
        key("modes_torsion", MODE_COUNT, Default("0"), "Number of modes of torsion, of free ends."),
        key(
            "deflections",
            Form::List(&Form::Table(&DEFLECTION)),
            Default("[]"),
            "Static deflections of the held beam under a force, as further shapes.",
        ),
        key(
            "masses",
            Form::Count { min: 3, max: 200 },
            Optional,
            "A lumped beam of so many equally spaced masses, its free modes. Absent: mass is spread along the beam.",
        ),
        key(
            "centrifugal_stiffening",
            Form::Flag,
            Default("false"),
            "Whether the tension of a turning beam stiffens it; for levels 1 and above.",
        ),
        key(
            "held_at",
            Form::Choice(&["nowhere", "start", "middle", "end"]),
            Default("\"nowhere\""),
            "Where what holds the beam bears its centrifugal force, which stiffens it more than its own tension; \"nowhere\": it floats, or turns about its middle. With `centrifugal_stiffening`; an attached frame needs it.",
        ),
        key(
            "turns_about",
            Form::Quantity(Length),
            Optional,
            "Where on its axis a held beam turns about, from its middle; beyond its ends with a hub's radius. Absent: where it is held.",
        ),
    ],
};

pub(super) const MODE_COUNT: Form = Form::Count { min: 0, max: 20 };

pub(super) const EITHER_STIFFNESS: Form = Form::Either(&[
    &Form::Quantity(Dimension::FlexuralRigidity),
    &Form::List(&Form::Quantity(Dimension::FlexuralRigidity)),
]);

pub static DEFLECTION: Section = Section {
    doc: "The deflection of a beam under a force across it.",
    keys: &[
        key("at", Form::Quantity(Length), Required, "Where the force acts, from the middle."),
        key("direction", Form::Choice(&["y", "z"]), Default("\"y\""), "Its direction."),
    ],
};

pub static STRUCTURE: Section = Section {
    doc: "Nodes with masses, joined by straight members that stretch, bend and twist.",
    keys: &[
        key("nodes", Form::List(&Form::Table(&NODE)), Required, "At least two."),
        key("members", Form::List(&Form::Table(&MEMBER)), Required, "At least one."),
        key("modes", Form::Count { min: 0, max: 40 }, Required, "Number of modes, lowest first."),
        key(
            "held",
            Form::List(&Form::Text),
            Default("[]"),
            "Nodes that are held while shapes are found, which are then freed of rigid motion. None: free modes.",
        ),
        key(
            "deflections",
            Form::List(&Form::Table(&STATIC_LOAD)),
            Default("[]"),
            "Loads whose static deflections are further shapes; where no node is held, the inertia of the body bears them.",
        ),
    ],
};

pub static STATIC_LOAD: Section = Section {
    doc: "A load on a node under which a structure deflects. Exactly one of `force` and `torque` is given.",
    keys: &[
        key("node", Form::Text, Required, "The name of the node."),
        key("force", Form::Vector(Dimension::Number), Optional, "Direction of a force, body axes."),
        key("torque", Form::Vector(Dimension::Number), Optional, "Direction of a torque, body axes."),
    ],
};

pub static NODE: Section = Section {
    doc: "A node of a structure.",
    keys: &[
        NAME,
        key("at", Form::Vector(Length), Required, "From the body's origin in body axes."),
        key("mass", Form::Quantity(Mass), Default("0"), "Mass besides that of the members, not negative."),
        key(
            "rotary_inertia",
            Form::Vector(Inertia),
            Default("[0, 0, 0]"),
            "Moments of inertia of the node itself about x, y, z, not negative.",
        ),
    ],
};

pub static MEMBER: Section = Section {
    doc: "A straight member of a structure.",
    keys: &[
        key("nodes", PAIR, Required, "The names of its two nodes."),
        key("mass", Form::Quantity(Mass), Default("0"), "Mass, half of which goes to each node."),
        key("axial_stiffness", Form::Quantity(Dimension::Force), Required, "EA, positive."),
        key(
            "bending_stiffness",
            EITHER_STIFFNESS,
            Required,
            "EI for bending along its y and along its z, positive.",
        ),
        key("torsional_stiffness", Form::Quantity(Dimension::FlexuralRigidity), Required, "GJ, positive."),
        key(
            "y",
            Form::Vector(Dimension::Number),
            Optional,
            "A direction in the plane of the member and its y, body axes. Absent: any, for equal bending stiffness.",
        ),
    ],
};
