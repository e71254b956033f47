//! Beams and single beam elements in files: keys, reader and writer, and what material and cross
//! section say of them.

use std::f64::consts::PI;

use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::declared::{Named, named, section};
use super::document::{Node, Table};
use super::keys::Presence::{Default, Optional};
use super::keys::{BODIES, DIRECTIONS, FileKey, Form, NAME, PLACES, key};
use super::partial_mechanism::PartialMechanism;
use super::read_forms::{direction, fresh_name, normalised, two_directions};
use super::read_joint::{Frames, across_axes, frame_about, least_frames, turns_known};
use super::read_points::two_points;
use super::write_parts::write_points;
use super::writer::{Writer, count, numbers, text, vectors};
use polhode_description::base::significant;
use polhode_description::base::units::Dimension;
use polhode_description::base::units::Dimension::{AngularSpeed, Length, Speed};
use polhode_description::describe::placement::placed;
use polhode_description::describe::{Beam, BeamElement, Body, Initial, Joint, Mechanism, SectionStiffness};

/// Most elements of a beam.
pub const MAX_ELEMENTS: u64 = 100;

const EA: FileKey = key(
    "EA",
    Form::Positive(Dimension::Force),
    Optional,
    "Axial stiffness, positive. This key and the next three: absent, they follow from `material` and \
     `section`.",
);

const GA: FileKey = key(
    "GA",
    Form::Either(&[&Form::Quantity(Dimension::Force), &Form::Pair(Dimension::Force)]),
    Optional,
    "Shear stiffness along y and z, or one for both, shear corrections included; positive.",
);

const GJ: FileKey =
    key("GJ", Form::Positive(Dimension::FlexuralRigidity), Optional, "Torsional rigidity, positive.");

const EI: FileKey = key(
    "EI",
    Form::Either(&[&Form::Quantity(Dimension::FlexuralRigidity), &Form::Pair(Dimension::FlexuralRigidity)]),
    Optional,
    "Bending rigidity about y and z, or one for both, positive.",
);

const STRAIN_DAMPING: FileKey = key(
    "damping",
    Form::NotNegative(Dimension::Time),
    Default("0"),
    "Stresses answer to strain + damping x strain rate: a time, not negative.",
);

const MATERIAL: FileKey = key("material", Form::Table(&BEAM_MATERIAL), Optional, "What it is made of.");

const CROSS_SECTION: FileKey = key("section", Form::Table(&BEAM_SECTION), Optional, "Its cross section.");

section! { pub static BEAM_MATERIAL = "An elastic material. Exactly one of `G` and `nu` is given.";
    E: Positive(Dimension::Pressure), Required, "Young's modulus, positive.";
    G: Positive(Dimension::Pressure), Optional, "Shear modulus, positive.";
    nu: Bounded { min: 0.0, max: 0.5 }, Optional, "Poisson's ratio.";
    rho: Positive(Dimension::Density), Required, "Density, positive.";
}

section! { pub static BEAM_SECTION =
        "A cross section. Areas bear shear as Cowper says; the torsion constant is Saint-Venant's.";
    shape: Choice(Shape::NAMES), Required, "The shape.";
    width: Positive(Length), Optional, "Of a rectangle, along y.";
    height: Positive(Length), Optional, "Of a rectangle, along z.";
    diameter: Positive(Length), Optional, "Of a circle, or of a tube outside.";
    thickness: Positive(Length), Optional, "Of a tube's wall.";
}

section! { pub static BEAM =
        "A straight beam, cut into elements. Its nodes are bodies named NAME.0, at `from`, to NAME.n, at \
         `to`; joints, generators and loads name them like other bodies. Exactly one of `to` and `direction` \
         is given.";
    @NAME;
    from: Vector(Length), Default("[0, 0, 0]"), "Where it begins, in space axes.";
    to: Vector(Length), Optional, "Where it ends.";
    direction: Vector(Dimension::Number), Optional, "Or where it points, with `length`; of any length but 0.";
    length: Positive(Length), Optional, "How long it is, positive; with `direction`.";
    reference: Vector(Dimension::Number), Optional,
        "The section's y, in space axes. Absent: across the beam and the axis of space that lies most across \
         it.";
    elements: Count { min: 1, max: MAX_ELEMENTS }, Default("4"), "Number of elements, of equal length.";
    @EA;
    @GA;
    @GJ;
    @EI;
    mass_per_length: Positive(Dimension::LinearDensity), Optional,
        "Density times area, positive. Absent: from `material` and `section`.";
    rotary_inertia: Either(&[&Quantity(Dimension::RotaryInertia), &Pair(Dimension::RotaryInertia)]), Optional,
        "Moments of inertia of the cross section about y and z, per length: density times second moment of \
         area. Positive. Absent: from `material` and `section`.";
    @MATERIAL;
    @CROSS_SECTION;
    @STRAIN_DAMPING;
    clamped: Choice(&["none", "from", "to", "both"]), Default("\"none\""),
        "Ends that are fixed to the ground; there is no node.";
    velocity: Vector(Speed), Default("[0, 0, 0]"), "Of `from` at t = 0, in space axes.";
    angular_velocity: Vector(AngularSpeed), Default("[0, 0, 0]"),
        "Of the beam, which starts straight and rigid, in space axes.";
}

section! { pub static BEAM_ELEMENT =
        "A beam element between two bodies: strains are constant along it, rotations of any size. Nothing \
         acts where the frames coincide and point B is `length` ahead of point A along their x.";
    @NAME;
    @BODIES;
    points: PLACES, Required, "Point A and point B, each from its body's origin in its body axes.";
    axes: DIRECTIONS, Optional,
        "The frames' x, along the undeformed element, in the axes of A and of B; one for both where they are \
         the same. Absent: the element is straight at the start.";
    references: DIRECTIONS, Optional,
        "The frames' y, in the axes of A and of B; with `axes`. Absent: any, so that the frames coincide \
         where the bodies' axes do (after the least rotation that takes A's x to B's).";
    length: Positive(Length), Optional,
        "Of the undeformed element, positive. Absent: the distance of the points at the start.";
    @EA;
    @GA;
    @GJ;
    @EI;
    @MATERIAL;
    @CROSS_SECTION;
    @STRAIN_DAMPING;
}

const CLAMPED: [(&str, [bool; 2]); 4] =
    [("none", [false, false]), ("from", [true, false]), ("to", [false, true]), ("both", [true, true])];
named! {
    Shape { Rectangle = "rectangle", Circle = "circle", Tube = "tube" }
}

/// Returns the name of `clamped` in files.
pub fn name_of_clamped(clamped: [bool; 2]) -> &'static str {
    CLAMPED.iter().find(|(_, ends)| *ends == clamped).map_or("none", |(name, _)| name)
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Rectangle,
    Circle,
    Tube,
}

/// A cross section: area (m²), second moments about y and z and torsion constant (m⁴), and the
/// shares of the area that bear shear along y and z.
struct CrossSection {
    area: f64,
    moments: [f64; 2],
    torsion: f64,
    shear: [f64; 2],
}

impl CrossSection {
    /// Shear by Cowper (J. Appl. Mech. 33, 1966, 335), for Poisson's ratio `nu`.
    fn circular(outer: f64, inner: f64, nu: f64) -> CrossSection {
        let [r4, i4] = [outer, inner].map(|r| r.powi(4));
        let second = PI / 4.0 * (r4 - i4);
        let m2 = (inner / outer).powi(2);
        let square = (1.0 + m2).powi(2);
        let shear = 6.0 * (1.0 + nu) * square / ((7.0 + 6.0 * nu) * square + (20.0 + 12.0 * nu) * m2);
        CrossSection {
            area: PI * (outer * outer - inner * inner),
            moments: [second; 2],
            torsion: 2.0 * second,
            shear: [shear; 2],
        }
    }

    /// `width` along y, `height` along z. Torsion by Saint-Venant's series, shear by Cowper:
    ///
    /// ```text
    /// J = a b³ (1/3 - 64/pi⁵ b/a sum over odd n of tanh(n pi a / (2 b)) / n⁵),
    /// a >= b the two sides
    /// ```
    fn rectangle(width: f64, height: f64, nu: f64) -> CrossSection {
        let (a, b) = (width.max(height), width.min(height));
        let term = |n: u32| (f64::from(n) * PI * a / (2.0 * b)).tanh() / f64::from(n).powi(5);
        // n = 199 adds less than a rounding.
        let sum: f64 = (0..100).rev().map(|k| term(2 * k + 1)).sum();
        let shear = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
        CrossSection {
            area: width * height,
            moments: [width * height.powi(3) / 12.0, height * width.powi(3) / 12.0],
            torsion: a * b.powi(3) * (1.0 / 3.0 - 64.0 / PI.powi(5) * b / a * sum),
            shear: [shear; 2],
        }
    }
}

struct Material {
    young: f64,
    shear: f64,
    poisson: f64,
    density: f64,
}

fn material(node: &Node<'_>) -> Option<Material> {
    let table = node.table(&BEAM_MATERIAL)?;
    let (young, density): (Option<f64>, Option<f64>) = (table.read("E"), table.read("rho"));
    let (shear, poisson) = (table.read::<Option<f64>>("G"), table.read::<Option<f64>>("nu"));
    let (young, density) = (young?, density?);
    table.exactly_one(&["G", "nu"])?;
    let (shear, poisson) = match (shear?, poisson?) {
        (Some(shear), _) => (shear, young / (2.0 * shear) - 1.0),
        (None, poisson) => (young / (2.0 * (1.0 + poisson?)), poisson?),
    };
    Some(Material { young, shear, poisson, density })
}

fn cross_section(node: &Node<'_>, nu: Option<f64>) -> Option<CrossSection> {
    let table = node.table(&BEAM_SECTION)?;
    let shape = table.read("shape");
    let sizes = ["width", "height", "diameter", "thickness"].map(|key| (key, table.read(key)));
    let shape = shape?;
    let wanted: &[&str] = match shape {
        Shape::Rectangle => &["width", "height"],
        Shape::Circle => &["diameter"],
        Shape::Tube => &["diameter", "thickness"],
    };
    let mut found = [0.0; 4];
    for (value, (key, size)) in found.iter_mut().zip(sizes) {
        match (wanted.contains(&key), size?) {
            (true, Some(size)) => *value = size,
            (false, None) => {}
            (true, None) => {
                table.report(&format!("`{key}` is missing"), |problem| {
                    problem.advise(format!("this shape is described by {}", wanted.join(" and ")))
                });
                return None;
            }
            (false, Some(_)) => {
                table.get(key)?.report("is not for this shape", |problem| {
                    problem.advise(format!("it is described by {}", wanted.join(" and ")))
                });
                return None;
            }
        }
    }
    let [width, height, diameter, thickness] = found;
    if shape == Shape::Tube && 2.0 * thickness >= diameter {
        table.get("thickness")?.refuse("less than half the diameter", "a rod without a hole is a circle");
        return None;
    }
    let nu = nu?;
    Some(match shape {
        Shape::Rectangle => CrossSection::rectangle(width, height, nu),
        Shape::Circle => CrossSection::circular(diameter / 2.0, 0.0, nu),
        Shape::Tube => CrossSection::circular(diameter / 2.0, diameter / 2.0 - thickness, nu),
    })
}

/// The properties that follow from a section and a material, or that keys of their own give.
struct Properties {
    section: SectionStiffness,
    mass_per_length: Option<f64>,
    rotary_inertia: Option<[f64; 2]>,
}

fn properties(table: &Table<'_>) -> Option<Properties> {
    let one = |key| table.get(key).map(|_| table.read(key));
    let two = |key, dimension| table.get(key).map(|node: Node<'_>| two_positive(&node, dimension));
    let (axial, torsion) = (one("EA"), one("GJ"));
    let (shear, bending) = (two("GA", Dimension::Force), two("EI", Dimension::FlexuralRigidity));
    let damping = table.read("damping");
    let material = table.get("material").map(|node| material(&node));
    let nu = material.as_ref().and_then(|material| material.as_ref().map(|m| m.poisson));
    let shape = table.get("section").map(|node| cross_section(&node, nu));
    let given = match (material, shape) {
        (Some(material), Some(shape)) => Some((material?, shape?)),
        (None, None) => None,
        (material, _) => {
            let (given, wanted) =
                if material.is_some() { ("material", "section") } else { ("section", "material") };
            table.report(&format!("`{given}` is given without `{wanted}`"), |problem| {
                problem.advise("give both, or the numbers that follow from them: EA, GA, GJ, EI")
            });
            return None;
        }
    };
    let from_section = |f: fn(&Material, &CrossSection) -> [f64; 2]| given.as_ref().map(|(m, s)| f(m, s));
    let required = |key: &str| {
        table.report(&format!("`{key}` is missing"), |problem| {
            problem.advise("give EA, GA, GJ and EI, or a material and a section")
        });
    };
    let single = |own: Option<Option<f64>>, key, f| match own {
        Some(own) => own,
        None => from_section(f).map(|pair| pair[0]).or_else(|| {
            required(key);
            None
        }),
    };
    let double = |own: Option<Option<[f64; 2]>>, key, f| match own {
        Some(own) => own,
        None => from_section(f).or_else(|| {
            required(key);
            None
        }),
    };
    let axial = single(axial, "EA", |m, s| [m.young * s.area; 2]);
    let shear = double(shear, "GA", |m, s| s.shear.map(|k| k * m.shear * s.area));
    let torsion = single(torsion, "GJ", |m, s| [m.shear * s.torsion; 2]);
    let bending = double(bending, "EI", |m, s| s.moments.map(|i| m.young * i));
    let section = SectionStiffness {
        axial: axial?,
        shear: shear?,
        torsion: torsion?,
        bending: bending?,
        damping: damping?,
    };
    Some(Properties {
        section,
        mass_per_length: from_section(|m, s| [m.density * s.area; 2]).map(|pair| pair[0]),
        rotary_inertia: from_section(|m, s| s.moments.map(|i| m.density * i)),
    })
}

/// Two positive quantities, or one for both.
fn two_positive(node: &Node<'_>, dimension: Dimension) -> Option<[f64; 2]> {
    let values: [f64; 2] = node.vector_or_repeated(dimension, 2)?.try_into().ok()?;
    if values.iter().any(|value| *value <= 0.0) {
        node.refuse("positive for both axes", &dimension.advice());
        return None;
    }
    Some(values)
}

/// A beam, its nodes after `bodies` bodies.
pub(super) fn beam(table: &Table<'_>, taken: &mut Vec<String>, bodies: usize) -> Option<Beam> {
    let name = fresh_name(table, taken);
    let properties = properties(table);
    let from: Option<[f64; 3]> = table.read("from");
    let to: Option<Option<[f64; 3]>> = table.read("to");
    let along = table.get("direction").map(|node| direction(&node));
    let length: Option<Option<f64>> = table.read("length");
    let reference = table.get("reference").map(|node| direction(&node));
    let elements: Option<usize> = table.read("elements");
    let density: Option<Option<f64>> = table.read("mass_per_length");
    let rotary = table.get("rotary_inertia").map(|node| two_positive(&node, Dimension::RotaryInertia));
    let clamped = table.get("clamped").and_then(|node| node.choice(&CLAMPED));
    let (velocity, angular_velocity): (Option<[f64; 3]>, Option<[f64; 3]>) =
        (table.read("velocity"), table.read("angular_velocity"));

    let from = from?;
    let to = if table.exactly_one(&["to", "direction"])? == "to" {
        if let Some(node) = table.get("length") {
            node.report("is not for a beam with `to`", |problem| problem.advise("leave it out"));
            return None;
        }
        to??
    } else {
        let Some(length) = length? else {
            table.report("`length` is missing", |problem| problem.advise("it goes with `direction`"));
            return None;
        };
        let along = along??;
        std::array::from_fn(|k| from[k] + length * along[k])
    };
    let between = Vector3::from(to) - Vector3::from(from);
    if between.norm() == 0.0 {
        table.report("both ends are at the same place", |problem| problem.advise("a beam has a length"));
        return None;
    }
    let x = between.normalize().into();
    let reference = match reference {
        Some(reference) => {
            let reference = reference?;
            let node = table.get("reference")?;
            least_frames([x, x], Some(across_axes(&node, [reference; 2], [x, x])?))[0][0]
        }
        None => frame_about(x)[0],
    };
    let Properties { section, mass_per_length, rotary_inertia } = properties?;
    let density = density?;
    let lacks = [
        ("mass_per_length", density.is_none() && mass_per_length.is_none()),
        ("rotary_inertia", rotary.is_none() && rotary_inertia.is_none()),
    ];
    for (key, _) in lacks.iter().filter(|(_, lacks)| *lacks) {
        table.report(&format!("`{key}` is missing"), |problem| {
            problem.advise("give mass_per_length and rotary_inertia, or a material and a section")
        });
    }
    let mass_per_length = density.or(mass_per_length);
    let rotary_inertia = rotary.unwrap_or(rotary_inertia);
    let (elements, clamped) = (elements?, clamped?);
    let ends = clamped.iter().filter(|end| **end).count();
    let nodes = (elements + 1).saturating_sub(ends);
    if nodes == 0 {
        table.report("one element with both ends clamped has no node that moves", |problem| {
            problem.advise("give more elements")
        });
        return None;
    }
    let (velocity, angular_velocity) = (velocity?, angular_velocity?);
    if ends > 0 && [velocity, angular_velocity] != [[0.0; 3]; 2] {
        table.report("a clamped beam that moves as a rigid body", |problem| {
            problem.advise("leave out velocity and angular_velocity, or vary those of its nodes")
        });
        return None;
    }
    Some(Beam {
        name: name?,
        from,
        to,
        reference,
        elements,
        section,
        mass_per_length: mass_per_length?,
        rotary_inertia: rotary_inertia?,
        clamped,
        velocity,
        angular_velocity,
        first_node: bodies,
        nodes,
    })
}

pub(super) fn beam_element(table: &Table<'_>, partial: &mut PartialMechanism<'_>) -> Option<BeamElement> {
    let name = fresh_name(table, &mut partial.taken);
    let points = two_points(table, partial.bodies);
    let properties = properties(table);
    let axes = table.get("axes").map(|node| two_directions(&node));
    let references = match table.get("references") {
        Some(node) if axes.is_none() => {
            node.report("is given without `axes`", |problem| problem.advise("give both or none"));
            return None;
        }
        Some(node) => two_directions(&node).and_then(|given| across_axes(&node, given, axes??)).map(Some),
        None => Some(None),
    };
    let length: Option<Option<f64>> = table.read("length");
    let points = points?;
    let bodies = partial.bodies?;
    turns_known(table, bodies, &points, "an element bends with the directions of its ends")?;
    // The start says what is not given.
    let joints = partial.joints?;
    let starts = starts(bodies, joints);
    let place = |side: usize| match points[side].body {
        None => (UnitQuaternion::identity(), Vector3::from(points[side].at)),
        Some(b) => {
            let [w, x, y, z] = starts[b].attitude;
            let turn = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
            (turn, Vector3::from(starts[b].position) + turn * Vector3::from(points[side].at))
        }
    };
    let [(turn_a, a), (turn_b, b)] = [place(0), place(1)];
    let apart = (b - a).norm();
    let length = length?;
    if apart == 0.0 && (axes.is_none() || length.is_none()) {
        table.report("both points are at the same place at the start", |problem| {
            problem.advise("give `axes` and `length`, or points that lie apart")
        });
        return None;
    }
    let frames: Frames = match axes {
        Some(axes) => least_frames(axes?, references?),
        None => {
            let [y, _, x] = frame_about(normalised((b - a).into()));
            let in_bodies =
                |v| [turn_a, turn_b].map(|turn| normalised((turn.inverse() * Vector3::from(v)).into()));
            least_frames(in_bodies(x), Some(in_bodies(y)))
        }
    };
    let section = properties?.section;
    if (section.bending[0] != section.bending[1] || section.shear[0] != section.shear[1])
        && let Some(node) = table.get("name").filter(|_| !table.has("references"))
    {
        let y = frames[0][0].map(|x| significant(x, 3)).join(", ");
        node.note(format!(
            "its bending or shear differs along y and z, and nothing says where y is: [{y}] in the axes \
             of A; give `axes` and `references`"
        ));
    }
    Some(BeamElement {
        name: name?,
        points,
        // Other frames have their axis as z.
        frames: frames.map(|[y, z, x]| [x, y, z]),
        length: length.unwrap_or(apart),
        section,
        beam: None,
    })
}

/// Where the bodies start, those that joints place included.
fn starts(bodies: &[Body], joints: &[Joint]) -> Vec<Initial> {
    let given: Vec<_> = bodies.iter().map(|body| body.initial.clone()).collect();
    let mut mechanism = Mechanism::of(bodies.to_vec());
    mechanism.joints = joints.to_vec();
    let numbers = mechanism.numbers();
    let values: Vec<f64> = numbers.iter().map(|number| number.value).collect();
    placed(&mechanism, &given, &numbers, &values)
}

/// As the shorthand, from which nodes and elements follow.
pub(super) fn write_beam(out: &mut Writer, beam: &Beam) {
    out.heading("[[mechanism.beam]]");
    out.key("name", text(&beam.name));
    out.key("from", numbers(&beam.from));
    out.key("to", numbers(&beam.to));
    out.key("reference", numbers(&beam.reference));
    out.key("elements", count(beam.elements as u64));
    write_section(out, &beam.section);
    out.key("mass_per_length", beam.mass_per_length);
    out.key("rotary_inertia", numbers(&beam.rotary_inertia));
    out.key("clamped", text(name_of_clamped(beam.clamped)));
    out.key("velocity", numbers(&beam.velocity));
    out.key("angular_velocity", numbers(&beam.angular_velocity));
}

pub(super) fn write_beam_element(out: &mut Writer, element: &BeamElement, mechanism: &Mechanism) {
    out.heading("[[mechanism.beam_element]]");
    out.key("name", text(&element.name));
    write_points(out, &element.points, mechanism);
    out.key("axes", vectors(&element.frames, 0));
    out.key("references", vectors(&element.frames, 1));
    out.key("length", element.length);
    write_section(out, &element.section);
}

fn write_section(out: &mut Writer, section: &SectionStiffness) {
    out.key("EA", section.axial);
    out.key("GA", numbers(&section.shear));
    out.key("GJ", section.torsion);
    out.key("EI", numbers(&section.bending));
    out.key("damping", section.damping);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Timoshenko and Goodier, Theory of Elasticity, table 10.1: 0.1406 a⁴ of a square, 0.229 a b³
    /// of two to one.
    #[test]
    fn torsion_of_rectangles_is_that_of_the_books() {
        assert!((CrossSection::rectangle(1.0, 1.0, 0.3).torsion - 0.140_577).abs() < 1e-6);
        assert!((CrossSection::rectangle(1.0, 2.0, 0.3).torsion / 2.0 - 0.228_7).abs() < 1e-4);
        assert!((CrossSection::rectangle(500.0, 1.0, 0.3).torsion / 500.0 - 1.0 / 3.0).abs() < 1e-3);
    }

    /// Cowper's table for Poisson's ratio 0.3: 0.850 of a rectangle, 0.886 of a circle, 0.531 of a
    /// thin tube.
    #[test]
    fn shear_is_that_of_cowper() {
        assert!((CrossSection::rectangle(1.0, 2.0, 0.3).shear[0] - 0.850).abs() < 1e-3);
        assert!((CrossSection::circular(1.0, 0.0, 0.3).shear[0] - 0.886).abs() < 1e-3);
        assert!((CrossSection::circular(1.0, 0.999, 0.3).shear[0] - 0.531).abs() < 1e-3);
        let tube = CrossSection::circular(1.0, 0.5, 0.3);
        assert!(
            (tube.area - PI * 0.75).abs() < 1e-15 && (tube.torsion - 2.0 * tube.moments[0]).abs() < 1e-15
        );
    }
}
