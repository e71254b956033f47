//! Bodies by their shape: mass, mass centre and inertia of solids of one density each, put
//! together.
//!
//! ```text
//! m = sum m_k,   c = sum m_k c_k / m,  J = sum R_k J_k R_k^T + m_k (|d|^2 I - d d^T),  d = c_k - c
//! ```
//!
//! with the mass m_k, the middle c_k, the attitude R_k and the inertia J_k of solid k in its own
//! axes, and J about the mass centre.

use super::declared::{Named, section};
use super::read_forms::identifier;
use super::read_initial::initial;
use nalgebra::{Matrix3, Vector3};

use super::document::{Node, Table};
use super::keys::{ATTITUDE, INITIAL};
use super::point_mass::point_mass;
use super::read_attitude::attitude;
use polhode_description::base::units::Dimension;
use polhode_description::describe::{Body, InertiaAbout, Support};
use polhode_description::math::inertia::{ROUNDING, of_mass_at, rows, turned};
use polhode_description::math::symmetric::symmetric_eigenvalues;

section! { pub static SOLID_BODY =
        "A rigid body by its shape: mass, mass centre and inertia are those of its solids.";
    name: Text, Default("\"body\""), "Name for varied quantities and channels: letters, digits, _ and -.";
    solid: Either(&[&Table(&SOLID), &List(&Table(&SOLID))]), Required,
        "The solid, or several that make one body.";
    support: Choice(Support::NAMES), Default("\"free\""),
        "free, or fixed_point: the body's origin is held and the body turns about it.";
    initial: Table(&INITIAL), Default("{}"), "The state at t = 0.";
}

/// Shapes, of which a solid has one.
pub(super) const SHAPES: [&str; 7] = ["box", "sphere", "ellipsoid", "cylinder", "tube", "capsule", "point"];
/// A solid has one of these, too.
const SUBSTANCES: [&str; 2] = ["density", "mass"];

section! { pub static SOLID =
        "A solid of one density, or a point mass. Exactly one shape, and exactly one of `density` and \
         `mass`.";
    box: Vector(Dimension::Length), Optional, "A box: its sides along the solid's axes.";
    sphere: Either(&[&Quantity(Dimension::Length), &Table(&SPHERE)]), Optional,
        "A sphere: its radius, or { radius = .. }.";
    ellipsoid: Vector(Dimension::Length), Optional, "An ellipsoid: its semi-axes along the solid's axes.";
    cylinder: Table(&CYLINDER), Optional, "A cylinder along the solid's axis 3.";
    tube: Table(&TUBE), Optional, "A tube along the solid's axis 3.";
    capsule: Table(&CAPSULE), Optional, "A cylinder along the solid's axis 3 with half a sphere on each end.";
    point: Flag, Optional,
        "true: a mass without extent. With others it adds to the body. Alone, in the body's origin, it makes \
         a point mass, which does not turn: only what acts on that point may be attached.";
    density: Positive(Dimension::Density), Optional, "Mass per volume, positive.";
    mass: Positive(Dimension::Mass), Optional, "Mass, positive.";
    centre: Vector(Dimension::Length), Default("[0, 0, 0]"),
        "The solid's middle from the body's origin, in body axes.";
    attitude: ATTITUDE, Default("[1, 0, 0, 0]"), "The rotation that maps the solid's axes to body axes.";
}

section! { pub static SPHERE = "A sphere.";
    radius: Positive(Dimension::Length), Required, "Radius, positive.";
}

section! { pub static CAPSULE = "A capsule along axis 3.";
    radius: Positive(Dimension::Length), Required, "Radius, positive.";
    length: Positive(Dimension::Length), Required,
        "Length of its cylinder, without the half spheres, positive.";
}

section! { pub static CYLINDER = "A cylinder along axis 3.";
    radius: Positive(Dimension::Length), Required, "Radius, positive.";
    length: Positive(Dimension::Length), Required, "Length, positive.";
}

section! { pub static TUBE = "A tube along axis 3.";
    outer: Positive(Dimension::Length), Required, "Outer radius, positive.";
    inner: Positive(Dimension::Length), Required, "Inner radius, positive and below `outer`.";
    length: Positive(Dimension::Length), Required, "Length, positive.";
}

/// A solid in its own axes, of mass 1.
struct Shape {
    /// (m³); `None`: a point has none.
    volume: Option<f64>,
    /// About its middle, for a mass of 1 (m²).
    radii: [f64; 3],
}

/// Mass (kg), middle (m) and inertia about it (kg m²), in body axes.
#[derive(Clone, Copy)]
struct Part {
    mass: f64,
    centre: Vector3<f64>,
    inertia: Matrix3<f64>,
}

impl Part {
    fn is_point_in_the_origin(&self) -> bool {
        self.inertia == Matrix3::zeros() && self.centre == Vector3::zeros()
    }
}

/// A body of solids.
pub(super) fn solid_body(table: &Table<'_>) -> Option<Body> {
    let name = table.get("name").and_then(|node| identifier(&node));
    let support = table.read("support");
    let initial = table.get("initial").and_then(|node| initial(&node.table(&INITIAL)?, support));
    let solids = table.get("solid");
    let parts = solids.as_ref().and_then(parts)?;
    if parts.iter().all(Part::is_point_in_the_origin) {
        let mass = parts.iter().map(|part| part.mass).sum();
        return point_mass(table, name?, mass, support?, initial?);
    }
    let whole = together(&parts);
    let moments = symmetric_eigenvalues(whole.inertia);
    if !moments.is_some_and(|moments| moments.min() > ROUNDING * moments.max()) {
        solids?.report("has no inertia about one of its axes", |problem| {
            problem.advise(
                "points on one line do not make a rigid body; add a solid with an extent, or give one point \
                 in the body's origin, which does not turn",
            )
        });
        return None;
    }
    Some(Body {
        name: name?,
        mass: whole.mass,
        inertia: rows(&whole.inertia),
        inertia_axes: [1.0, 0.0, 0.0, 0.0],
        inertia_about: InertiaAbout::MassCentre,
        centre_of_mass: whole.centre.into(),
        support: support?,
        initial: initial?,
        is_point: false,
        flexible: None,
    })
}

fn parts(node: &Node<'_>) -> Option<Vec<Part>> {
    if !node.is_list() {
        return Some(vec![part(&node.table(&SOLID)?)?]);
    }
    let nodes = node.list()?;
    if nodes.is_empty() {
        node.refuse("a body", "give at least one solid");
        return None;
    }
    let read: Vec<Option<Part>> = nodes.iter().map(|node| part(&node.table(&SOLID)?)).collect();
    read.into_iter().collect()
}

fn part(table: &Table<'_>) -> Option<Part> {
    let shape = table.exactly_one(&SHAPES).and_then(|shape| self::shape(shape, &table.get(shape)?));
    let centre: Option<[f64; 3]> = table.read("centre");
    let attitude = table.get("attitude").and_then(|node| attitude(&node));
    let substance =
        table.exactly_one(&SUBSTANCES).and_then(|substance| Some((substance, table.read::<f64>(substance)?)));
    let (shape, (substance, amount)) = (shape?, substance?);
    let mass = match (substance, shape.volume) {
        ("mass", _) => amount,
        (_, Some(volume)) => amount * volume,
        (_, None) => {
            table.report("a point has no volume", |problem| problem.advise("give its `mass`"));
            return None;
        }
    };
    if !(mass > 0.0 && mass.is_finite()) {
        table.report(&format!("has a mass of {mass} kg"), |problem| {
            problem.advise("check its size and density")
        });
        return None;
    }
    let own = Matrix3::from_diagonal(&Vector3::from(shape.radii)) * mass;
    Some(Part { mass, centre: Vector3::from(centre?), inertia: turned(&own, attitude?) })
}

fn shape(name: &str, node: &Node<'_>) -> Option<Shape> {
    match name {
        "box" => {
            let sides = three_positive(node, "sides")?;
            let [a, b, c] = sides.map(|side| side * side / 12.0);
            Some(Shape { volume: Some(sides.iter().product()), radii: [b + c, a + c, a + b] })
        }
        "sphere" => {
            let radius = match node.has_key("radius") {
                true => node.table(&SPHERE)?.read("radius"),
                false => node.positive(Dimension::Length),
            }?;
            Some(ellipsoid([radius; 3]))
        }
        "ellipsoid" => Some(ellipsoid(three_positive(node, "semi-axes")?)),
        "capsule" => {
            let table = node.table(&CAPSULE)?;
            let [radius, long] = ["radius", "length"].map(|name| table.read::<f64>(name));
            Some(capsule(radius?, long?))
        }
        "cylinder" => {
            let table = node.table(&CYLINDER)?;
            let [radius, long] = ["radius", "length"].map(|name| table.read::<f64>(name));
            Some(round(radius?, 0.0, long?))
        }
        "tube" => {
            let table = node.table(&TUBE)?;
            let [outer, inner, long] = ["outer", "inner", "length"].map(|name| table.read::<f64>(name));
            let (outer, inner, long) = (outer?, inner?, long?);
            if inner >= outer {
                table.report("`inner` is not below `outer`", |problem| problem);
                return None;
            }
            Some(round(outer, inner, long))
        }
        _ => match node.flag()? {
            true => Some(Shape { volume: None, radii: [0.0; 3] }),
            false => {
                node.report("a solid without a shape", |problem| {
                    problem.advise("leave `point` out, and give a shape")
                });
                None
            }
        },
    }
}

/// Three positive lengths.
fn three_positive(node: &Node<'_>, what: &str) -> Option<[f64; 3]> {
    let lengths = node.vector3(Dimension::Length)?;
    if lengths.iter().any(|length| length.is_nan() || *length <= 0.0) {
        let advice = "give e.g. [\"10 cm\", \"20 cm\", \"1 m\"]";
        node.refuse(&format!("three positive {what}"), advice);
        return None;
    }
    Some(lengths)
}

/// The ellipsoid of these semi-axes.
fn ellipsoid(semi_axes: [f64; 3]) -> Shape {
    let volume = 4.0 / 3.0 * std::f64::consts::PI * semi_axes.iter().product::<f64>();
    let [a, b, c] = semi_axes.map(|axis| axis * axis / 5.0);
    Shape { volume: Some(volume), radii: [b + c, a + c, a + b] }
}

/// A cylinder of length l between two halves of a sphere, with shares p and 1 - p of the mass:
///
/// ```text
/// across:  p (r^2/4 + l^2/12) + (1 - p) (2/5 r^2 + l^2/4 + 3/8 l r)
/// along:   p r^2/2 + (1 - p) 2/5 r^2
/// ```
fn capsule(radius: f64, length: f64) -> Shape {
    let square = radius * radius;
    let (cylinder, sphere) = (length, 4.0 / 3.0 * radius);
    let share = cylinder / (cylinder + sphere);
    let of_cylinder = square / 4.0 + length * length / 12.0;
    let of_ends = 0.4 * square + length * length / 4.0 + 0.375 * length * radius;
    let across = share * of_cylinder + (1.0 - share) * of_ends;
    let along = share * square / 2.0 + (1.0 - share) * 0.4 * square;
    let volume = std::f64::consts::PI * square * (cylinder + sphere);
    Shape { volume: Some(volume), radii: [across, across, along] }
}

/// A tube, or a cylinder without an inner radius.
fn round(outer: f64, inner: f64, length: f64) -> Shape {
    let squares = outer * outer + inner * inner;
    let across = squares / 4.0 + length * length / 12.0;
    let volume = std::f64::consts::PI * (outer - inner) * (outer + inner) * length;
    Shape { volume: Some(volume), radii: [across, across, squares / 2.0] }
}

fn together(parts: &[Part]) -> Part {
    let mass: f64 = parts.iter().map(|part| part.mass).sum();
    let moment: Vector3<f64> = parts.iter().map(|part| part.centre * part.mass).sum();
    let centre = moment / mass;
    let about_centre = |part: &Part| part.inertia + of_mass_at(part.mass, part.centre - centre);
    let inertia: Matrix3<f64> = parts.iter().map(about_centre).sum();
    Part { mass, centre, inertia }
}
