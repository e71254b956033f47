//! The shapes of bodies. A description has no shapes, only points and inertias; from these a body
//! gets
//!
//! - lines through the places at which its modes are known, where it bends by such;
//! - a rod, where all its points lie on one line; from a single joint it goes through the mass
//!   centre to the
//!   far end;
//! - a hull about its points, where they do not;
//! - a block, where nothing holds it but at its mass centre: the cuboid of its mass and inertia;
//! - a circle with a spoke for a sphere that rolls;
//! - a dot, where it is a point mass;
//! - a rod that is its piece of a beam, where it is a node of one.
//!
//! The cuboid's half sides follow from the second moments of a homogeneous body about its mass
//! centre,
//!
//! ```text
//! C = 1/m (tr J / 2  I - J),   half side along principal axis i = sqrt(3 C_i)
//! ```
//!
//! and the far end of a rod along the unit vector d is at sqrt(3 d.C d) from the mass centre: of
//! a homogeneous rod that is its end. All lengths are the mechanism's nominal ones.

use nalgebra::{Matrix3, Vector3};

use polhode_description::describe::contact::Ball;
use polhode_description::describe::{
    Beam, Body, Flexible, FlexibleSource, InertiaAbout, LoadKind, Mechanism, Point, Support,
};
use polhode_description::flexible::frame::Member;
use polhode_description::math::inertia::of_mass_at;
use polhode_description::math::symmetric::symmetric_eigen;

pub type V = Vector3<f64>;

/// Points are on a line if none is farther from it than this share of its length.
const STRAIGHT: f64 = 0.05;
/// Points nearer than this share of the largest distance from the mass centre are one.
const SAME: f64 = 1e-6;
/// The thinnest side of a block, of its longest: a plate is to be seen from its edge too. Also
/// where moments of inertia that no body has make a side imaginary.
const THINNEST: f64 = 0.08;
/// The largest block among other bodies, of the size of what these span.
const LARGEST_BLOCK: f64 = 0.12;

/// The shape that is drawn of a body, body axes (m).
#[derive(Clone, Debug, PartialEq)]
pub enum Silhouette {
    /// The body's origin.
    Point,
    Rod([V; 2]),
    /// Lines through places that move with the modes of a body that bends.
    Lines(Vec<Vec<V>>),
    /// The convex hull in the picture.
    Hull(Vec<V>),
    /// `half`: principal axes, as long as the half sides.
    Block {
        centre: V,
        half: [V; 3],
    },
    Sphere {
        centre: V,
        radius: f64,
    },
}

/// A body's shape and its marks.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    pub shape: Silhouette,
    /// Where joints hold it.
    pub joints: Vec<V>,
}

impl Silhouette {
    /// The points that the shape is drawn with, but for a sphere's outline.
    pub fn points(&self) -> Vec<V> {
        match self {
            Silhouette::Point => vec![V::zeros()],
            Silhouette::Rod(ends) => ends.to_vec(),
            Silhouette::Lines(lines) => lines.concat(),
            Silhouette::Hull(points) => points.clone(),
            Silhouette::Block { centre, half } => {
                let sign = |corner: usize, k: usize| if corner & (1 << k) == 0 { -1.0 } else { 1.0 };
                let corner = |c: usize| (0..3).fold(*centre, |sum, k| sum + half[k] * sign(c, k));
                (0..8).map(corner).collect()
            }
            Silhouette::Sphere { centre, .. } => vec![*centre],
        }
    }
}

fn v(a: [f64; 3]) -> V {
    V::from(a)
}

/// The outlines of all bodies.
pub fn outlines(mechanism: &Mechanism) -> Vec<Outline> {
    let mut outlines: Vec<Outline> =
        (0..mechanism.bodies.len()).map(|body| outline(mechanism, body)).collect();
    let span = |shape: &Silhouette| match shape {
        Silhouette::Rod(_) | Silhouette::Lines(_) | Silhouette::Hull(_) => extent(&shape.points()),
        Silhouette::Sphere { radius, .. } => 2.0 * radius,
        // A block has the size of what others span, and a point none.
        Silhouette::Block { .. } | Silhouette::Point => 0.0,
    };
    let span = outlines.iter().map(|outline| span(&outline.shape)).fold(0.0, f64::max);
    for Outline { shape, .. } in &mut outlines {
        if let Silhouette::Block { half, .. } = shape {
            let longest = 2.0 * half.iter().map(V::norm).fold(0.0, f64::max);
            if span > 0.0 && longest > LARGEST_BLOCK * span {
                *half = half.map(|side| side * (LARGEST_BLOCK * span / longest));
            }
        }
    }
    outlines
}

fn outline(mechanism: &Mechanism, index: usize) -> Outline {
    let body = &mechanism.bodies[index];
    if body.is_point {
        return Outline { shape: Silhouette::Point, joints: Vec::new() };
    }
    let of_body = |point: &Point| (point.body == Some(index)).then(|| v(point.at));
    let joints: Vec<V> =
        mechanism.joints.iter().flat_map(|joint| joint.points.iter().filter_map(of_body)).collect();
    let centre = v(body.centre_of_mass);
    let spheres = mechanism.contacts.iter().filter_map(|contact| {
        let Ball { radius, .. } = (contact.kind.ball)(contact)?;
        of_body(&contact.point).map(|centre| Silhouette::Sphere { centre, radius })
    });
    let sphere = spheres.into_iter().next();

    let mut attached = joints.clone();
    attached.extend(mechanism.forces.iter().flat_map(|force| force.points().iter().filter_map(of_body)));
    let beam_points = mechanism.beam_elements.iter().flat_map(|element| &element.points);
    attached.extend(beam_points.filter_map(of_body));
    attached.extend(mechanism.contacts.iter().filter_map(|contact| of_body(&contact.point)));
    attached.extend(mechanism.generators.iter().filter_map(|generator| of_body(generator.point()?)));
    if body.support == Support::FixedPoint {
        attached.push(V::zeros());
    }
    let forces = mechanism.loads.iter().filter(|load| load.body == index && load.kind == LoadKind::Force);
    let loaded: Vec<V> = forces.map(|load| v(load.point)).collect();

    if let Some(beam) = mechanism.beam_of(index).map(|beam| &mechanism.beams[beam]) {
        return Outline { shape: Silhouette::Rod(piece(beam, index)), joints };
    }
    if let Some(shape) = body.flexible.as_ref().and_then(bending) {
        return Outline { shape, joints };
    }
    let size = attached.iter().chain(&loaded).map(|p| (p - centre).norm()).fold(0.0, f64::max);
    let attached = distinct(&attached, SAME * size);
    let elsewhere = attached.iter().any(|p| (p - centre).norm() > SAME * size);
    let shape = match (sphere, elsewhere) {
        (Some(sphere), _) => sphere,
        (None, false) => block(body),
        (None, true) => {
            let mut points = attached.clone();
            points.extend(&loaded);
            points.push(centre);
            let points = distinct(&points, SAME * size);
            match (straight(&points), &attached[..]) {
                (Some(ends), [joint]) => Silhouette::Rod(to_far_end(body, *joint, ends)),
                (Some(ends), _) => Silhouette::Rod(ends),
                (None, _) => Silhouette::Hull(points),
            }
        }
    };
    Outline { shape, joints: distinct(&joints, SAME * size) }
}

/// The shape of a body that bends, by what its modes come from: the axis of a beam, the members of
/// a frame, and of nodes alone their line, or their hull where they lie on none; `None`: no two
/// places are known.
fn bending(flexible: &Flexible) -> Option<Silhouette> {
    let places = flexible.modal.places();
    if let FlexibleSource::Structure(frame) = &flexible.source {
        let member = |member: &Member| member.nodes.map(|node| places[node]).to_vec();
        return Some(Silhouette::Lines(frame.members.iter().map(member).collect()));
    }
    if extent(&places) == 0.0 {
        return None;
    }
    let Some([start, end]) = straight(&places) else { return Some(Silhouette::Hull(places)) };
    let mut line = places;
    let along = |p: &V| (p - start).dot(&(end - start));
    line.sort_by(|a, b| along(a).total_cmp(&along(b)));
    Some(Silhouette::Lines(vec![line]))
}

/// The ends of a node's piece of a beam: halfway to the next nodes, or all the way to an end that
/// is clamped.
fn piece(beam: &Beam, node: usize) -> [V; 2] {
    let length = beam.element_length();
    let reach = |of_end: usize, next: Option<usize>| match next.map(|next| beam.node(next)) {
        None => 0.0,
        Some(None) if beam.clamped[of_end] => length,
        Some(_) => length / 2.0,
    };
    let k = (0..=beam.elements).find(|k| beam.node(*k) == Some(node)).unwrap_or_default();
    let after = (k < beam.elements).then_some(k + 1);
    [V::x() * -reach(0, k.checked_sub(1)), V::x() * reach(1, after)]
}

/// These points without those that repeat earlier ones.
fn distinct(points: &[V], tolerance: f64) -> Vec<V> {
    let mut distinct: Vec<V> = Vec::new();
    for point in points {
        if distinct.iter().all(|known| (known - point).norm() > tolerance) {
            distinct.push(*point);
        }
    }
    distinct
}

/// The two of the points that are farthest apart.
pub fn farthest(points: &[V]) -> [V; 2] {
    let mut pair = [points[0]; 2];
    for (i, a) in points.iter().enumerate() {
        for b in &points[i + 1..] {
            if (a - b).norm() > (pair[0] - pair[1]).norm() {
                pair = [*a, *b];
            }
        }
    }
    pair
}

/// The largest distance between two of the points.
pub fn extent(points: &[V]) -> f64 {
    if points.is_empty() {
        return 0.0;
    }
    let [a, b] = farthest(points);
    (a - b).norm()
}

/// The ends of the line on which all points are; `None`: there is none.
fn straight(points: &[V]) -> Option<[V; 2]> {
    let [a, b] = farthest(points);
    let along = (b - a).normalize();
    let off = |p: &V| ((p - a) - along * (p - a).dot(&along)).norm();
    points.iter().all(|p| off(p) <= STRAIGHT * (b - a).norm()).then_some([a, b])
}

/// A rod that hangs at one joint: beyond the mass centre as far as its inertia reaches.
fn to_far_end(body: &Body, joint: V, ends: [V; 2]) -> [V; 2] {
    let centre = v(body.centre_of_mass);
    let along = (centre - joint).normalize();
    let reach = (3.0 * along.dot(&(second_moments(body) * along))).max(0.0).sqrt();
    let tip = centre + along * reach;
    // Points beyond: a force's.
    let [near, far] = if ends[0].dot(&along) < ends[1].dot(&along) { ends } else { [ends[1], ends[0]] };
    [near, if far.dot(&along) > tip.dot(&along) { far } else { tip }]
}

/// Moments of inertia about the mass centre, body axes (kg m²).
pub fn about_mass_centre(body: &Body) -> Matrix3<f64> {
    let i = body.inertia_in_body();
    let inertia = Matrix3::from_fn(|r, c| 0.5 * (i[r][c] + i[c][r]));
    match body.inertia_about {
        InertiaAbout::Origin => inertia - of_mass_at(body.mass, v(body.centre_of_mass)),
        InertiaAbout::MassCentre => inertia,
    }
}

/// `C` of the module's head (m²).
fn second_moments(body: &Body) -> Matrix3<f64> {
    let inertia = about_mass_centre(body);
    (Matrix3::identity() * (0.5 * inertia.trace()) - inertia) / body.mass
}

fn block(body: &Body) -> Silhouette {
    let moments = second_moments(body);
    let is_diagonal = (0..3).all(|r| (0..r).all(|c| moments[(r, c)] == 0.0));
    let turned = if is_diagonal { None } else { symmetric_eigen(moments) };
    let (values, axes) = turned
        .map_or((moments.diagonal(), Matrix3::identity()), |eigen| (eigen.eigenvalues, eigen.eigenvectors));
    let sides: Vec<f64> = values.iter().map(|c| (3.0 * c).max(0.0).sqrt()).collect();
    let longest = sides.iter().copied().fold(0.0, f64::max);
    let half = [0, 1, 2].map(|k| axes.column(k) * sides[k].max(THINNEST * longest));
    Silhouette::Block { centre: v(body.centre_of_mass), half }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polhode_description::describe::Joint;
    use polhode_dynamics::elements::joints::SPHERICAL;
    use polhode_files::read_mechanism;
    use std::path::Path;

    fn shipped(name: &str) -> Mechanism {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms").join(name);
        read_mechanism(&file).unwrap()
    }

    fn near(a: V, b: [f64; 3]) {
        assert!((a - v(b)).norm() < 2e-3, "{a} {b:?}");
    }

    /// A 1 kg bar of 1 m along axis 1, with joints to the ground at these points.
    fn bar(points: &[[f64; 3]]) -> Mechanism {
        let mut mechanism = shipped("double_pendulum.toml");
        mechanism.bodies.truncate(1);
        let joint = mechanism.joints[0].clone();
        let at = |&at: &[f64; 3]| Joint {
            kind: &SPHERICAL,
            points: [Point { body: None, at: [0.0; 3] }, Point { body: Some(0), at }],
            ..joint.clone()
        };
        mechanism.joints = points.iter().map(at).collect();
        mechanism
    }

    #[test]
    fn a_body_between_two_joints_is_a_rod_between_them() {
        let outlines = outlines(&shipped("four_bar.toml"));
        let Silhouette::Rod([a, b]) = outlines[1].shape else { panic!("{:?}", outlines[1]) };
        near(a, [-0.45, 0.0, 0.0]);
        near(b, [0.45, 0.0, 0.0]);
        assert_eq!(outlines[1].joints.len(), 2);
    }

    #[test]
    fn a_body_at_one_joint_reaches_to_its_far_end() {
        // A homogeneous cylinder of 1 m, held at its upper end.
        let outlines = outlines(&shipped("double_pendulum.toml"));
        let Silhouette::Rod([joint, tip]) = outlines[1].shape else { panic!("{:?}", outlines[1]) };
        near(joint, [0.0; 3]);
        near(tip, [1.0, 0.0, 0.0]);
    }

    #[test]
    fn nodes_of_a_beam_are_its_pieces_end_to_end() {
        let outlines = outlines(&shipped("flexible_pendulum.toml"));
        let ends = [[0.0, 0.125], [-0.125, 0.125], [-0.125, 0.125], [-0.125, 0.125], [-0.125, 0.0]];
        for (outline, [from, to]) in outlines.iter().zip(ends) {
            let Silhouette::Rod([a, b]) = outline.shape else { panic!("{outline:?}") };
            near(a, [from, 0.0, 0.0]);
            near(b, [to, 0.0, 0.0]);
        }
    }

    #[test]
    fn a_body_that_bends_is_a_line_through_places_of_its_modes() {
        let outlines = outlines(&shipped("slider_crank_elastic.toml"));
        let bent = outlines.iter().find_map(|outline| match &outline.shape {
            Silhouette::Lines(lines) => Some(lines),
            _ => None,
        });
        let [line] = &bent.expect("the rod")[..] else { panic!("{bent:?}") };
        assert!(line.len() == 11 && line.windows(2).all(|pair| pair[0].x < pair[1].x), "{line:?}");
    }

    #[test]
    fn points_off_a_line_make_a_hull() {
        let outlines = outlines(&bar(&[[0.0; 3], [1.0, 0.0, 0.0], [0.5, 0.3, 0.0]]));
        let Silhouette::Hull(points) = &outlines[0].shape else { panic!("{:?}", outlines[0]) };
        assert_eq!(points.len(), 4, "three joints and the mass centre: {points:?}");
    }

    #[test]
    fn a_point_mass_is_a_dot() {
        let text = "[body]\nname = \"bob\"\nsolid = { point = true, mass = 1 }\n\
                    initial = { position = [0, 0, -1] }\n[[joint]]\nname = \"rod\"\n\
                    kind = \"distance\"\nbodies = [\"ground\", \"bob\"]\npoints = [[0, 0, 0], [0, 0, 0]]\n";
        let mechanism = polhode_files::mechanism_of_text("bob", text).unwrap();
        assert_eq!(outlines(&mechanism), [Outline { shape: Silhouette::Point, joints: Vec::new() }]);
    }

    #[test]
    fn what_nothing_holds_is_the_cuboid_of_its_inertia() {
        let mut mechanism = bar(&[]);
        // 1 kg, 1 x 2 x 3 m.
        mechanism.bodies[0].inertia =
            [[13.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 0.0, 5.0]].map(|r| r.map(|x| x / 12.0));
        let Silhouette::Block { centre, half } = outlines(&mechanism)[0].shape else { panic!("no block") };
        near(centre, [0.5, 0.0, 0.0]);
        near(half[0], [0.5, 0.0, 0.0]);
        near(half[1], [0.0, 1.0, 0.0]);
        near(half[2], [0.0, 0.0, 1.5]);
        // About the origin the same body has other moments, and the same shape.
        let body = &mut mechanism.bodies[0];
        body.inertia_about = InertiaAbout::Origin;
        body.inertia[1][1] += 0.25;
        body.inertia[2][2] += 0.25;
        let Silhouette::Block { half: again, .. } = outlines(&mechanism)[0].shape else { panic!("no block") };
        assert!((0..3).all(|k| (again[k] - half[k]).norm() < 1e-12));
    }

    #[test]
    fn a_wheel_on_an_axle_through_its_mass_centre_is_a_block() {
        let outlines = outlines(&bar(&[[0.5, 0.0, 0.0]]));
        assert!(matches!(outlines[0].shape, Silhouette::Block { .. }), "{:?}", outlines[0]);
    }

    #[test]
    fn moments_that_no_body_has_still_make_a_block() {
        let Silhouette::Block { half, .. } = outlines(&shipped("free_body.toml"))[0].shape else { panic!() };
        assert!(half.iter().all(|side| side.norm() > 0.3), "{half:?}");
    }
}
