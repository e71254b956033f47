//! Keys of bodies that deform: modes, beams and structures from which they are made.

use super::super::declared::{Declared, Named, section};
use super::Form;
use super::attachment::{NAME, PAIR, PLACE};
use polhode_description::base::units::Dimension;
use polhode_description::base::units::Dimension::{Inertia, Length, Mass};
use polhode_description::describe::mechanism::Level;
use polhode_description::flexible::beam::{BeamAnchor, BeamDeflection, Boundary};

section! { pub static FLEXIBLE =
        "Deformation by modes in a floating frame (W84). Exactly one of `beam`, `structure` and `modal` is \
         given.";
    level: Choice(Level::NAMES), Default("\"2\""),
        "Which terms couple rotation and deformation; only level 2 conserves energy, levels below 1 have a \
         constant mass matrix.";
    frame: Choice(&["buckens", "attached"]), Default("\"buckens\""),
        "The floating frame: at the mass centre, so that no mode moves it or turns, or attached to the \
         particle `at`, turning with it; then the body's origin is there, and points and the start count \
         from there.";
    at: PLACE, Optional,
        "The point to which the frame is attached, by name, or as the source of the modes counts places. \
         Needed by frame = \"attached\".";
    beam: Table(&MODAL_BEAM), Optional, "A uniform beam along body x, its origin in the middle.";
    structure: Table(&STRUCTURE), Optional, "Nodes and straight members, whose modes polhode finds.";
    modal: Either(&[&Text, &Table(&MODAL)]), Optional,
        "Modal data from elsewhere: a JSON file, relative to this one, such a text in place, or a CSV table \
         with its frequencies.";
    damping: Either(&[&Number, &Numbers(None)]), Default("0"),
        "Damping ratio of all modes, or of each; not negative.";
    stiffness_scale: Positive(Dimension::Number), Default("1"),
        "All stiffness is multiplied by this, positive.";
    damping_scale: NotNegative(Dimension::Number), Default("1"),
        "All damping is multiplied by this, not negative.";
    amplitudes: Numbers(None), Optional, "Modal coordinates at t = 0. Absent: 0.";
    amplitude_rates: Numbers(None), Optional, "Their rates (1/s) at t = 0. Absent: 0.";
    watch: PLACE, Optional,
        "The point whose deflection the channel `deflection` shows. Absent: the last point that has a name, \
         else the origin.";
}

section! { pub static MODAL =
        "Modal data in a file: JSON, which says everything itself, or a CSV table of nodes with masses and \
         shapes, for which exactly one of `frequencies` and `stiffness` is given here.";
    file: Text, Required, "A .csv or .json file, relative to this one.";
    frequencies: List(&NotNegative(Dimension::Frequency)), Optional,
        "Natural frequencies of the modes, which must be orthogonal to each other.";
    stiffness: NumberRows, Optional, "The matrix K_ij of the modes (N m), in the scale of the shapes.";
    orthonormalise: Flag, Default("false"),
        "Whether the shapes are freed of rigid motion and made orthonormal.";
}

section! { pub static MODAL_BEAM =
        "A uniform beam along body x with its origin in the middle. Its points are on its axis, or off it in \
         the plane of a section; `start`, `middle` and `end` have names.";
    length: Positive(Length), Required, "Length, positive.";
    mass: Positive(Mass), Required, "Mass, positive.";
    polar_inertia: Positive(Inertia), Required,
        "Moment of inertia about its axis, of the whole beam, positive.";
    bending_stiffness: EITHER_STIFFNESS, Required,
        "EI for bending in y and in z; one for both where they are the same. Positive.";
    axial_stiffness: Positive(Dimension::Force), Optional, "EA, positive; for axial modes.";
    torsional_stiffness: Positive(Dimension::FlexuralRigidity), Optional,
        "GJ, positive; for modes of torsion.";
    boundary: Choice(Boundary::NAMES), Default("\"free\""),
        "Ends of the beam whose bending modes are taken as shapes; the start is fixed first. Shapes of held \
         ends are freed of rigid motion.";
    modes_y: MODE_COUNT, Default("0"), "Number of modes of bending in y.";
    modes_z: MODE_COUNT, Default("0"), "Number of modes of bending in z.";
    modes_axial: MODE_COUNT, Default("0"), "Number of axial modes, of free ends.";
    modes_torsion: MODE_COUNT, Default("0"), "Number of modes of torsion, of free ends.";
    deflections: List(&Table(BeamDeflection::SECTION)), Default("[]"),
        "Static deflections of the held beam under a force, as further shapes.";
    masses: Count { min: 3, max: 200 }, Optional,
        "A lumped beam of so many equally spaced masses, its free modes. Absent: mass is spread along the \
         beam.";
    centrifugal_stiffening: Flag, Default("false"),
        "Whether the tension of a turning beam stiffens it; for levels 1 and above.";
    held_at: Choice(BeamAnchor::NAMES), Default("\"nowhere\""),
        "Where what holds the beam bears its centrifugal force, which stiffens it more than its own tension; \
         \"nowhere\": it floats, or turns about its middle. With `centrifugal_stiffening`; an attached frame \
         needs it.";
    turns_about: Quantity(Length), Optional,
        "Where on its axis a held beam turns about, from its middle; beyond its ends with a hub's radius. \
         Absent: where it is held.";
}

pub(super) const MODE_COUNT: Form = Form::Count { min: 0, max: 20 };

pub(super) const EITHER_STIFFNESS: Form = Form::Either(&[
    &Form::Quantity(Dimension::FlexuralRigidity),
    &Form::List(&Form::Quantity(Dimension::FlexuralRigidity)),
]);

section! {
    pub static STRUCTURE = "Nodes with masses, joined by straight members that stretch, bend and twist.";
    nodes: List(&Table(&NODE)), Required, "At least two.";
    members: List(&Table(&MEMBER)), Required, "At least one.";
    modes: Count { min: 0, max: 40 }, Required, "Number of modes, lowest first.";
    held: List(&Text), Default("[]"),
        "Nodes that are held while shapes are found, which are then freed of rigid motion. None: free modes.";
    deflections: List(&Table(&STATIC_LOAD)), Default("[]"),
        "Loads whose static deflections are further shapes; where no node is held, the inertia of the body \
         bears them.";
}

section! { pub static STATIC_LOAD =
        "A load on a node under which a structure deflects. Exactly one of `force` and `torque` is given.";
    node: Text, Required, "The name of the node.";
    force: Vector(Dimension::Number), Optional, "Direction of a force, body axes.";
    torque: Vector(Dimension::Number), Optional, "Direction of a torque, body axes.";
}

section! { pub static NODE = "A node of a structure.";
    @NAME;
    at: Vector(Length), Required, "From the body's origin in body axes.";
    mass: NotNegative(Mass), Default("0"), "Mass besides that of the members, not negative.";
    rotary_inertia: Vector(Inertia), Default("[0, 0, 0]"),
        "Moments of inertia of the node itself about x, y, z, not negative.";
}

section! { pub static MEMBER = "A straight member of a structure.";
    nodes: PAIR, Required, "The names of its two nodes.";
    mass: NotNegative(Mass), Default("0"), "Mass, half of which goes to each node.";
    axial_stiffness: Positive(Dimension::Force), Required, "EA, positive.";
    bending_stiffness: EITHER_STIFFNESS, Required, "EI for bending along its y and along its z, positive.";
    torsional_stiffness: Positive(Dimension::FlexuralRigidity), Required, "GJ, positive.";
    y: Vector(Dimension::Number), Optional,
        "A direction in the plane of the member and its y, body axes. Absent: any, for equal bending \
         stiffness.";
}
