//! Joints in files: keys, reader and writer of points, axes and frames, and where a joint puts its
//! second body at the start.
//!
//! A body's place may follow from a joint's coordinates, and another joint's frames from that
//! place: first all joints are read as they stand, then the bodies are placed, then frames and
//! lengths follow.

use std::sync::LazyLock;

use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::document::{Node, Table};
use super::keys::Presence::{Default, Optional, Required};
use super::keys::{BODIES, DIRECTIONS, FileKey, Form, PLACES, Section, key};
use super::read_forms::{few, fresh_name, normalised, two_directions};
use super::read_points::two_points;
use super::write_parts::write_points;
use super::writer::{Writer, text, vectors};
use polhode_description::base::significant;
use polhode_description::base::units::Dimension;
use polhode_description::base::units::Dimension::Length;
use polhode_description::describe::joint::{Alignment, AxisKey, Places};
use polhode_description::describe::placement::placed;
use polhode_description::describe::{
    Body, Coordinate, CoordinateStart, Initial, Joint, JointCard, JointCoordinate, JointInitial, Mechanism,
    Point, Support,
};
use polhode_dynamics::elements::joints::CARDS;

/// A joint may be as far from holding at the start, as a cosine: rounding of angles in a file
/// leaves as much.
const ASSEMBLED: f64 = 1e-6;
/// Largest cosine between a reference and the axis across which it lies.
const ALONG: f64 = 0.999;
/// Rounding leaves as much of a scalar product of perpendicular unit vectors.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The table of a joint.
pub(super) fn section() -> &'static Section {
    static JOINT: LazyLock<Section> = LazyLock::new(|| {
        let names: Vec<&'static str> = CARDS.iter().map(|card| card.name).collect();
        let notes = CARDS.iter().filter(|card| !card.doc.is_empty());
        let notes: Vec<String> = notes.map(|card| format!("{}: {}", card.name, card.doc)).collect();
        let mut keys = vec![
            key("name", Form::Text, Required, "Name, unique: letters, digits, _ and -."),
            key(
                "kind",
                Form::Choice(names.leak()),
                Required,
                format!("What the joint leaves free. {}.", notes.join("; ")).leak(),
            ),
            BODIES,
            key(
                "points",
                PLACES,
                Required,
                "Point A and point B, each from its body's origin in its body axes; of a flexible body also \
                 by name.",
            ),
            key(
                "axes",
                DIRECTIONS,
                Optional,
                format!(
                    "The joint's axis (normal of a plane), in the axes of A and of B; one for both where \
                     they are the same. Of {} it is the z about which `angle_z` turns, absent: the bodies' \
                     own. Not for {}.",
                    kinds("and", |card| card.axis == AxisKey::OfTurns),
                    kinds("and", |card| card.axis == AxisKey::Refused)
                )
                .leak(),
            ),
            key(
                "references",
                DIRECTIONS,
                Optional,
                format!(
                    "Directions across the axis, in the axes of A and of B, that coincide where the angle is \
                     0 (of {} the x about which `angle_x` turns; of {} B's axis in A and A's axis in B where \
                     both angles are 0); for {}. Absent: the angle is 0 where the bodies' axes coincide \
                     (after the least rotation that takes A's axis to B's).",
                    kinds("and", |card| card.axis == AxisKey::OfTurns),
                    kinds("and", |card| card.has(Coordinate::AngleA)),
                    kinds("and", JointCard::has_references)
                )
                .leak(),
            ),
            key(
                "length",
                Form::Quantity(Length),
                Optional,
                format!(
                    "Distance between the points, positive; for {} only. Absent: as at the start.",
                    kinds("and", |card| card.length.is_some())
                )
                .leak(),
            ),
        ];
        keys.extend(Coordinate::ALL.into_iter().flat_map(start_keys));
        keys.push(key(
            "approximate",
            Form::Flag,
            Default("false"),
            "The coordinates given here say only from where assembly starts to look. Otherwise each that is \
             given is kept.",
        ));
        Section {
            doc: "A joint between two bodies, or a body and the ground. At the start it must hold.",
            keys: keys.leak(),
        }
    });
    &JOINT
}

/// The keys of a coordinate at the start, and of its rate.
fn start_keys(coordinate: Coordinate) -> [FileKey; 2] {
    let [value, rate] = coordinate.start_keys();
    let [of_value, of_rate] = coordinate.dimensions();
    let [about_value, about_rate] = match coordinate {
        Coordinate::Angle => [
            "Angle at t = 0. Any key of a coordinate says that body B starts where the joint's coordinates \
             put it. A coordinate that is given is kept; one that is not is 0 unless the other joints move \
             it.",
            "Rate of the angle at t = 0.",
        ],
        Coordinate::Displacement => {
            ["Displacement along the axis at t = 0.", "Rate of the displacement at t = 0."]
        }
        Coordinate::AngleA => {
            ["Turn of the joint's cross in body A at t = 0.", "Rate of `angle_a` at t = 0."]
        }
        Coordinate::AngleB => {
            ["Turn of body B about the joint's cross at t = 0.", "Rate of `angle_b` at t = 0."]
        }
        Coordinate::AngleX => ["First turn of a ball joint at t = 0.", "Rate of `angle_x` at t = 0."],
        Coordinate::AngleY => {
            ["Second turn of a ball joint at t = 0, from -90 to 90 degrees.", "Rate of `angle_y` at t = 0."]
        }
        Coordinate::AngleZ => ["Third turn of a ball joint at t = 0.", "Rate of `angle_z` at t = 0."],
    };
    [
        key(value, Form::Quantity(of_value), Optional, about_value),
        key(rate, Form::Quantity(of_rate), Optional, about_rate),
    ]
}

/// The names of the kinds that are so, in a sentence: `a, b and c`.
pub(super) fn kinds(and: &str, are_so: impl Fn(&JointCard) -> bool) -> String {
    listed(CARDS.iter().filter(|card| are_so(card)).map(|card| card.name.to_string()), and)
}

/// Names in a sentence: `a, b and c`.
pub(super) fn listed(names: impl Iterator<Item = String>, and: &str) -> String {
    let names: Vec<String> = names.collect();
    match &names[..] {
        [first @ .., last] if !first.is_empty() => format!("{} {and} {last}", first.join(", ")),
        names => names.concat(),
    }
}

pub const COORDINATES: [(&str, Coordinate); Coordinate::ALL.len()] = {
    let mut named = [("", Coordinate::Angle); Coordinate::ALL.len()];
    let mut k = 0;
    while k < named.len() {
        named[k] = (Coordinate::ALL[k].name(), Coordinate::ALL[k]);
        k += 1;
    }
    named
};

/// x, y, z of both sides, each in the axes of its body.
pub(super) type Frames = [[[f64; 3]; 3]; 2];

/// A joint as it stands in the file.
struct Draft<'t, 'n> {
    table: &'t Table<'n>,
    name: String,
    kind: &'static JointCard,
    points: [Point; 2],
    axes: [[f64; 3]; 2],
    references: Option<[[f64; 3]; 2]>,
    length: Option<f64>,
    initial: Option<JointInitial>,
}

impl Draft<'_, '_> {
    /// Whether it holds its bodies as they stand, and its second body gives no attitude: the joint
    /// turns it as its axes say.
    fn turns_its_body(&self, bodies: &[Body]) -> bool {
        self.kind.alignment == Alignment::AsBodiesStand
            && self.points[1].body.is_some_and(|b| !bodies[b].initial.given.attitude)
    }
}

/// All joints. `body_node` is what `bodies` were read from.
pub(super) fn joints(
    table: &Table<'_>,
    body_node: Option<&Node<'_>>,
    bodies: Option<&[Body]>,
    taken: &mut Vec<String>,
) -> Option<Vec<Joint>> {
    let node = table.get("joint")?;
    let nodes = few(&node, node.list()?)?;
    let tables: Vec<Table<'_>> = nodes.iter().map(|node| node.table(section())).collect::<Option<_>>()?;
    let drafts: Vec<Option<Draft<'_, '_>>> = tables.iter().map(|table| draft(table, bodies, taken)).collect();
    let drafts: Vec<Draft<'_, '_>> = drafts.into_iter().collect::<Option<_>>()?;
    let bodies = bodies?;
    let mut sound = true;
    for k in 0..drafts.len() {
        sound &= drafts[k].initial.is_none() || may_place(k, &drafts, bodies, body_node).is_some();
    }
    if !sound {
        return None;
    }
    let starts = starts(&drafts, bodies);
    let read: Vec<Option<Joint>> = drafts.into_iter().map(|draft| finished(draft, bodies, &starts)).collect();
    read.into_iter().collect()
}

fn draft<'t, 'n>(
    table: &'t Table<'n>,
    bodies: Option<&[Body]>,
    taken: &mut Vec<String>,
) -> Option<Draft<'t, 'n>> {
    let name = fresh_name(table, taken);
    let known: Vec<(&str, &JointCard)> = CARDS.iter().map(|card| (card.name, *card)).collect();
    let kind = table.get("kind").and_then(|node| node.choice(&known));
    let points = two_points(table, bodies);
    let axes = table.get("axes").map(|node| {
        if kind.is_some_and(|kind| kind.axis == AxisKey::Refused) {
            node.report("this kind of joint has no axis", |problem| problem.advise("leave it out"));
            return None;
        }
        two_directions(&node)
    });
    let references = table.get("references").map(|node| {
        if kind.is_some_and(|kind| !kind.has_references()) {
            node.report("this kind of joint has none", |problem| problem.advise("leave it out"));
            return None;
        }
        let references = two_directions(&node)?;
        across_axes(&node, references, axes?.unwrap_or_default())
    });
    let length = table.get("length").map(|node| {
        if kind.is_some_and(|kind| kind.length.is_none()) {
            let have_one = kinds("or", |card| card.length.is_some());
            node.report(format!("only a joint of kind {have_one} has a length"), |problem| {
                problem.advise("leave it out")
            });
            return None;
        }
        node.positive(Dimension::Length)
    });
    let initial = initial(table, kind);
    let (kind, points) = (kind?, points?);
    let axes = match axes {
        Some(axes) => axes?,
        None if kind.axis == AxisKey::Required => {
            table.report("`axes` is missing", |problem| {
                problem.advise("give the joint's axis, such as axes = [0, 0, 1]")
            });
            return None;
        }
        None => [[0.0, 0.0, 1.0]; 2],
    };
    let turns_freely = |card: &JointCard| matches!(card.axis, AxisKey::Refused | AxisKey::OfTurns);
    if !turns_freely(kind) {
        let without = CARDS.iter().copied().filter(|card| turns_freely(card));
        let without = listed(without.map(|card| format!("\"{}\"", card.name)), "or");
        turns_known(table, bodies?, &points, &format!("or use kind = {without}"))?;
    }
    let length = length.map_or(Some(None), |length| length.map(Some))?;
    let references = references.map_or(Some(None), |references| references.map(Some))?;
    Some(Draft { table, name: name?, kind, points, axes, references, length, initial: initial? })
}

/// Whether all points that are on flexible bodies have directions that turn with them. `instead`:
/// what else may be done.
pub(super) fn turns_known(table: &Table<'_>, bodies: &[Body], points: &[Point], instead: &str) -> Option<()> {
    for point in points {
        let Some(body) = point.body.map(|b| &bodies[b]) else { continue };
        let Some(flexible) = &body.flexible else { continue };
        if flexible.modal.local(point.at).is_ok_and(|local| local.turns.is_none()) {
            let found = format!("the modal data of `{}` has no rotations at this point", body.name);
            table.report(&found, |problem| problem.advise(format!("give `turns` there; {instead}")));
            return None;
        }
    }
    Some(())
}

/// References that do not lie along their axes.
pub(super) fn across_axes(
    node: &Node<'_>,
    references: [[f64; 3]; 2],
    axes: [[f64; 3]; 2],
) -> Option<[[f64; 3]; 2]> {
    for side in 0..2 {
        if Vector3::from(references[side]).dot(&Vector3::from(axes[side])).abs() > ALONG {
            node.report(
                format!("the reference of side {} lies along the axis", ["A", "B"][side]),
                |problem| problem.advise("give directions across the axis"),
            );
            return None;
        }
    }
    Some(references)
}

/// Where the joint stands at the start, if it says so.
fn initial(table: &Table<'_>, kind: Option<&'static JointCard>) -> Option<Option<JointInitial>> {
    let mut initial = None;
    let mut sound = true;
    let keys = |coordinate: Coordinate| coordinate.start_keys().into_iter().enumerate();
    let all = Coordinate::ALL.into_iter().flat_map(|of| keys(of).map(move |(part, key)| (key, of, part)));
    for (key, coordinate, part) in all {
        let Some(node) = table.get(key) else { continue };
        if let Some(JointCard { places: Places::Never(reason), .. }) = kind {
            node.report(*reason, |problem| problem.advise("give the body's own initial state"));
            sound = false;
            continue;
        }
        if let Some(kind) = kind.filter(|kind| !kind.has(coordinate)) {
            let has = keys_of(kind);
            node.report(format!("a joint of kind {} has no {}", kind.name, coordinate.name()), |problem| {
                match &has[..] {
                    [] => problem.advise("leave it out, and give the body's own initial state"),
                    has => problem.allow(key, has.iter().copied()),
                }
            });
            sound = false;
            continue;
        }
        let start = initial.get_or_insert_with(JointInitial::default).of_mut(coordinate);
        match node.quantity(coordinate.dimensions()[part]) {
            Some(value) if part == 0 && !coordinate.range().holds(value) => {
                node.report(format!("{} is beyond a quarter turn", node.source()), |problem| {
                    problem.advise("turn the body further by `angle_x` and `angle_z`, or give its attitude")
                });
                sound = false;
            }
            Some(value) => (start.numbers[part], start.given[part]) = (value, true),
            None => sound = false,
        }
    }
    let approximate = table.read::<bool>("approximate")?;
    if let Some(initial) = &mut initial {
        initial.approximate = approximate;
    } else if approximate && sound {
        table.report("`approximate` is given without a coordinate", |problem| {
            problem.advise("give the joint an angle or a displacement, or leave it out")
        });
        sound = false;
    }
    sound.then_some(initial)
}

fn keys_of(kind: &JointCard) -> Vec<&'static str> {
    kind.coordinates.iter().flat_map(|coordinate| coordinate.start_keys()).collect()
}

/// Whether joint `k` can put its second body where its coordinates say.
fn may_place(
    k: usize,
    drafts: &[Draft<'_, '_>],
    bodies: &[Body],
    body_node: Option<&Node<'_>>,
) -> Option<()> {
    let draft = &drafts[k];
    let key = keys_of(draft.kind).into_iter().find(|key| draft.table.has(key))?;
    let node = draft.table.get(key)?;
    let refuse = |found: String, advice: &str| {
        node.report(found, |problem| problem.advise(advice));
        None
    };
    let [a, b] = [0, 1].map(|side| draft.points[side].body);
    let Some(b) = b else {
        return refuse(
            "a joint places its second body, which is the ground here".to_string(),
            "name the ground first",
        );
    };
    let name = &bodies[b].name;
    if bodies[b].support == Support::FixedPoint {
        return refuse(
            format!("the body `{name}` has a fixed point and cannot be placed by a joint"),
            "give its own initial state",
        );
    }
    // No name that a user gives has a dot.
    if name.contains('.') {
        return refuse(
            format!("the body `{name}` is a node of a beam, which says where it starts"),
            "leave the joint without coordinates",
        );
    }
    let places =
        |other: &&Draft<'_, '_>, body: usize| other.initial.is_some() && other.points[1].body == Some(body);
    if let Some(other) = drafts[..k].iter().find(|other| places(other, b)) {
        return refuse(
            format!("the body `{name}` is placed by the joint `{}` already", other.name),
            "one joint places a body; the others follow",
        );
    }
    if let Some(a) = a
        && let Some(other) = drafts[k + 1..].iter().find(|other| places(other, a))
    {
        let first = &bodies[a].name;
        let placed = |body: usize| drafts.iter().find(|other| places(other, body));
        let before = |other: &&Draft<'_, '_>| placed(other.points[0].body?);
        // A circle that does not lead here is found at a joint of its own.
        let chain = std::iter::successors(Some(other), before).take(drafts.len());
        if chain.into_iter().any(|other| other.points[0].body == Some(b)) {
            return refuse(
                format!(
                    "its first body `{first}` is placed by the joint `{}`, by way of `{name}`",
                    other.name
                ),
                "leave the coordinates of one of these joints out",
            );
        }
        return refuse(
            format!("its first body `{first}` is placed by the joint `{}`, which comes later", other.name),
            "put that joint before this one",
        );
    }
    let own = body_node.and_then(|node| own_initial(node, b, draft.kind));
    if let Some(own) = own {
        return refuse(
            format!("the body `{name}` gives its own initial {own}"),
            "let either the joint or the body say where it starts",
        );
    }
    Some(())
}

/// The keys of a body's own initial state that a joint of this kind overrules.
pub(super) fn overruled(kind: &JointCard) -> &'static [&'static str] {
    if kind.turns() {
        &["position", "velocity", "attitude", "angular_velocity"]
    } else {
        &["position", "velocity"]
    }
}

/// The first key of a body's initial state that a joint of this kind would overrule.
fn own_initial(node: &Node<'_>, body: usize, kind: &JointCard) -> Option<&'static str> {
    let given =
        |node: &Node<'_>| overruled(kind).iter().copied().find(|key| node.has_key_within("initial", key));
    if node.is_list() { given(&node.list()?[body]) } else { given(node) }
}

/// A joint that holds its bodies as they stand takes a given attitude as it is: its frames follow
/// from it, and what it places is a point.
static BY_POINTS_ALONE: JointCard =
    JointCard { places: Places::ByPoints, ..JointCard::new("by points alone", &[]) };

/// The bodies' states at the start, those placed by joints included.
fn starts(drafts: &[Draft<'_, '_>], bodies: &[Body]) -> Vec<Initial> {
    let given: Vec<Initial> = bodies.iter().map(|body| body.initial.clone()).collect();
    let mut mechanism = Mechanism::of(bodies.to_vec());
    mechanism.joints = drafts
        .iter()
        .filter(|draft| draft.initial.is_some() || draft.kind.places == Places::ByPoints)
        .map(|draft| Joint {
            name: draft.name.clone(),
            kind: if draft.kind.alignment == Alignment::AsBodiesStand && !draft.turns_its_body(bodies) {
                &BY_POINTS_ALONE
            } else {
                draft.kind
            },
            points: draft.points,
            frames: frames_of_coordinates(draft.kind, draft.axes, draft.references),
            length: 0.0,
            initial: draft.initial,
        })
        .collect();
    let numbers = mechanism.numbers();
    let values: Vec<f64> = numbers.iter().map(|number| number.value).collect();
    placed(&mechanism, &given, &numbers, &values)
}

/// Points that are no farther apart than this share of their distances from the origin coincide:
/// rounding parts them.
const COINCIDENT: f64 = 1e-12;

/// The joint with its frames and length.
fn finished(draft: Draft<'_, '_>, bodies: &[Body], starts: &[Initial]) -> Option<Joint> {
    let turns_its_body = draft.turns_its_body(bodies);
    let Draft { table, name, kind, points, axes, references, length, initial } = draft;
    let attitudes =
        [0, 1].map(|side| points[side].body.map_or(UnitQuaternion::identity(), |b| attitude_of(&starts[b])));
    let frames = if initial.is_some() || turns_its_body || kind.has(Coordinate::AngleX) {
        frames_of_coordinates(kind, axes, references)
    } else {
        frames(kind, axes, references, attitudes, table)?
    };
    let length = length.unwrap_or_else(|| {
        let [a, b] = [0, 1].map(|side| {
            let at = attitudes[side] * Vector3::from(points[side].at);
            points[side].body.map_or(at, |b| Vector3::from(starts[b].position) + at)
        });
        let apart = (b - a).norm();
        // Other joints have none: where their bodies start may change as an ensemble draws it.
        if kind.length.is_some() && apart > COINCIDENT * (a.norm() + b.norm()) { apart } else { 0.0 }
    });
    if let Some(advice) = kind.length.filter(|_| length == 0.0) {
        table.report("the two points coincide", |problem| problem.advise(advice));
        return None;
    }
    Some(Joint { name, kind, points, frames, length, initial })
}

fn attitude_of(initial: &Initial) -> UnitQuaternion<f64> {
    let [w, x, y, z] = initial.attitude;
    UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
}

/// A unit vector across the unit vector `z`; along an axis where `z` is.
fn across(z: Vector3<f64>) -> Vector3<f64> {
    let smallest = z.iamin();
    let mut other = Vector3::zeros();
    other[smallest] = 1.0;
    perpendicular(other, z)
}

/// The unit vector along what of `x` is perpendicular to the unit vector `z`. One that is so up to
/// rounding comes back unchanged, so that what was written and read again keeps its bits.
fn perpendicular(x: Vector3<f64>, z: Vector3<f64>) -> Vector3<f64> {
    let mut x = x;
    // Once leaves the rounding of what was taken off; twice leaves none.
    for _ in 0..2 {
        let along = x.dot(&z);
        if along.abs() > ROUNDING {
            x = Vector3::from(normalised((x - z * along).into()));
        }
    }
    Vector3::from(normalised(x.into()))
}

/// x, y, z from x and z. (The sum turns -0 into 0.)
fn frame(x: Vector3<f64>, z: Vector3<f64>) -> [[f64; 3]; 3] {
    [x, z.cross(&x), z].map(|axis| axis.map(|component| component + 0.0).into())
}

/// The unit vectors x, y, z with this z, x across it.
pub(super) fn frame_about(z: [f64; 3]) -> [[f64; 3]; 3] {
    let z = Vector3::from(z);
    frame(across(z), z)
}

/// Frames that coincide where the bodies' axes do, if both sides have the same axis; else side B's
/// x is the image of side A's under the least rotation that takes zA to zB. With references, these
/// are x.
///
/// ```text
/// x_B = x_A - (z_B.x_A) / (1 + z_A.z_B) (z_A + z_B)
/// ```
///
/// (Rodrigues' formula for x_A perpendicular to z_A.)
pub(super) fn least_frames(axes: [[f64; 3]; 2], references: Option<[[f64; 3]; 2]>) -> Frames {
    let [z_a, z_b] = axes.map(Vector3::from);
    if let Some([x_a, x_b]) = references {
        return [frame(perpendicular(x_a.into(), z_a), z_a), frame(perpendicular(x_b.into(), z_b), z_b)];
    }
    let x_a = across(z_a);
    let cosine = z_a.dot(&z_b);
    // Half a turn has no least rotation; close to it, one about x itself serves.
    let image =
        if 1.0 + cosine > ASSEMBLED { x_a - (z_a + z_b) * (z_b.dot(&x_a) / (1.0 + cosine)) } else { x_a };
    [frame(x_a, z_a), frame(perpendicular(image, z_b), z_b)]
}

/// Frames of perpendicular axes: the x of each side is, as nearly as its own axis lets it, the z of
/// the other where the bodies' axes coincide.
fn crossed_frames(axes: [[f64; 3]; 2]) -> Frames {
    let [z_a, z_b] = axes.map(Vector3::from);
    let toward = |z: Vector3<f64>, other: Vector3<f64>| match (other - z * z.dot(&other)).norm() > 1e-6 {
        true => frame(perpendicular(other, z), z),
        false => frame(across(z), z),
    };
    [toward(z_a, z_b), toward(z_b, z_a)]
}

/// The frames from which a joint of this kind counts its coordinates.
fn frames_of_coordinates(kind: &JointCard, axes: [[f64; 3]; 2], references: Option<[[f64; 3]; 2]>) -> Frames {
    match references {
        None if kind.has(Coordinate::AngleA) => crossed_frames(axes),
        _ => least_frames(axes, references),
    }
}

/// The frames of a joint that places no body: z along the axes, x of both sides by [`least_frames`]
/// where the kind has an angle or the file gives references. Where there is none, side B's x is, as
/// nearly as its own axis lets it, where side A's is at the start; and a fixed joint holds the
/// start as it is.
fn frames(
    kind: &'static JointCard,
    axes: [[f64; 3]; 2],
    references: Option<[[f64; 3]; 2]>,
    attitudes: [UnitQuaternion<f64>; 2],
    table: &Table<'_>,
) -> Option<Frames> {
    let z_a = Vector3::from(axes[0]);
    let to_b = attitudes[1].inverse() * attitudes[0];
    let z_b = if kind.alignment == Alignment::AsBodiesStand { to_b * z_a } else { Vector3::from(axes[1]) };
    let between = (to_b * z_a).dot(&z_b);
    let refuse = |found: &str, advice: &str| {
        let angle = significant(between.clamp(-1.0, 1.0).acos().to_degrees(), 8);
        let found = format!("the axes are not {found} at the start: the angle between them is {angle} deg");
        table.report(&found, |problem| problem.advise(advice.to_string()));
        None
    };
    match kind.alignment {
        Alignment::Perpendicular if between.abs() > ASSEMBLED => {
            return refuse("perpendicular", "give perpendicular axes, or turn a body");
        }
        Alignment::Parallel if 1.0 - between > ASSEMBLED => {
            return refuse("parallel", "give each side's axis in the axes of its own body, or turn a body");
        }
        _ => {}
    }
    if references.is_some() || kind.has(Coordinate::Angle) || kind.has(Coordinate::AngleA) {
        return Some(frames_of_coordinates(kind, axes, references));
    }
    let x_a = across(z_a);
    let wanted = to_b * x_a;
    let x_b = wanted - z_b * z_b.dot(&wanted);
    let x_b = if x_b.norm() > 1e-6 { x_b.normalize() } else { across(z_b) };
    Some([frame(x_a, z_a), frame(x_b, z_b)])
}

/// The coordinate of a joint that `joint` and `coordinate` name.
pub(super) fn joint_coordinate(table: &Table<'_>, joints: Option<&[Joint]>) -> Option<JointCoordinate> {
    named_coordinate(table, ["joint", "coordinate"], joints)
}

/// The coordinate of a joint that these keys name.
pub(super) fn named_coordinate(
    table: &Table<'_>,
    [of_joint, of_coordinate]: [&str; 2],
    joints: Option<&[Joint]>,
) -> Option<JointCoordinate> {
    let wanted = table.get(of_coordinate).map(|node| (node.choice(&COORDINATES), node));
    let node = table.get(of_joint)?;
    let name = node.text()?;
    let joints = joints?;
    let Some(joint) = joints.iter().position(|joint| joint.name == name) else {
        node.report(format!("there is no joint {}", node.source()), |problem| match joints {
            [] => problem.advise("the mechanism has no joints"),
            joints => problem.allow(name, joints.iter().map(|joint| joint.name.as_str())),
        });
        return None;
    };
    let kind = joints[joint].kind;
    let has = kind.coordinates;
    let names = || has.iter().map(|coordinate| coordinate.name());
    if has.is_empty() {
        let found = format!("the joint `{name}` is of kind {} and has no coordinate", kind.name);
        node.report(found, |problem| {
            let with_one = kinds("or", |card| !card.coordinates.is_empty());
            problem.advise(format!("name a {with_one} joint"))
        });
        return None;
    }
    let coordinate = match wanted {
        Some((coordinate, node)) => {
            let coordinate = coordinate?;
            if !has.contains(&coordinate) {
                let found =
                    format!("the joint `{name}` is of kind {} and has no {}", kind.name, coordinate.name());
                node.report(found, |problem| problem.allow(coordinate.name(), names()));
                return None;
            }
            coordinate
        }
        None => match has {
            [only] => *only,
            _ => {
                table.report(
                    &format!("`{of_coordinate}` is missing: the joint `{name}` has {}", has.len()),
                    |problem| {
                        problem.advise(format!("name one of {}", names().collect::<Vec<_>>().join(", ")))
                    },
                );
                return None;
            }
        },
    };
    Some(JointCoordinate { joint, coordinate })
}

pub(super) fn write_joint(out: &mut Writer, joint: &Joint, mechanism: &Mechanism) {
    out.heading("[[mechanism.joint]]");
    out.key("name", text(&joint.name));
    out.key("kind", text(joint.kind.name));
    write_points(out, &joint.points, mechanism);
    if joint.kind.length.is_some() {
        out.key("length", joint.length);
    }
    // Turns that are about the bodies' own axes need none.
    let own = [frame_about([0.0, 0.0, 1.0]); 2];
    let are_own = joint.kind.axis == AxisKey::OfTurns && joint.frames == own;
    if joint.kind.axis != AxisKey::Refused && !are_own {
        out.key("axes", vectors(&joint.frames, 2));
    }
    if joint.kind.has_references() && !are_own {
        out.key("references", vectors(&joint.frames, 0));
    }
    let Some(initial) = joint.initial else { return };
    for coordinate in joint.kind.coordinates {
        let CoordinateStart { numbers, given } = initial.of(*coordinate);
        for (part, key) in coordinate.start_keys().into_iter().enumerate().filter(|(part, _)| given[*part]) {
            out.key(key, numbers[part]);
        }
    }
    out.key("approximate", initial.approximate);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn frames_of_axes_along_axes_are_exact() {
        for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]] {
            let frames = least_frames([axis; 2], None);
            assert_eq!(frames[0], frames[1]);
            assert!(frames[0].iter().flatten().all(|c| *c == 0.0 || c.abs() == 1.0), "{frames:?}");
            assert!(frames[0].iter().flatten().all(|c| *c != 0.0 || c.is_sign_positive()), "{frames:?}");
            let opposite = least_frames([axis, axis.map(|c| 0.0 - c)], None);
            assert!(opposite[1].iter().flatten().all(|c| *c == 0.0 || c.abs() == 1.0), "{opposite:?}");
        }
        let turned = least_frames([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]], None);
        assert_eq!(
            turned,
            [
                [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
                [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]],
            ]
        );
    }

    fn unit() -> impl Strategy<Value = [f64; 3]> {
        prop::array::uniform3(-1.0..1.0f64)
            .prop_filter("long enough", |v| Vector3::from(*v).norm() > 1e-3)
            .prop_map(normalised)
    }

    proptest! {
        /// Side B's frame is side A's, turned by the least rotation that takes one axis to the
        /// other.
        #[test]
        fn frames_differ_by_the_least_rotation(a in unit(), b in unit()) {
            let [z_a, z_b] = [a, b].map(Vector3::from);
            prop_assume!(z_a.dot(&z_b) > -0.999);
            let frames = least_frames([a, b], None);
            let turn = UnitQuaternion::rotation_between(&z_a, &z_b).unwrap();
            for (of_a, of_b) in frames[0].into_iter().zip(frames[1]) {
                prop_assert!((turn * Vector3::from(of_a) - Vector3::from(of_b)).norm() < 1e-12);
            }
        }

        /// Frames of any axes are orthonormal, and come back from their own x and z with the same
        /// bits.
        #[test]
        fn frames_keep_their_bits(a in unit(), b in unit(), x in unit(), y in unit()) {
            let [z_a, z_b] = [a, b].map(Vector3::from);
            prop_assume!(z_a.dot(&Vector3::from(x)).abs() < ALONG);
            prop_assume!(z_b.dot(&Vector3::from(y)).abs() < ALONG);
            for references in [None, Some([x, y])] {
                let frames = least_frames([a, b], references);
                for frame in frames {
                    let m = nalgebra::Matrix3::from_columns(&frame.map(Vector3::from));
                    prop_assert!((m.transpose() * m - nalgebra::Matrix3::identity()).amax() < 1e-14);
                    prop_assert!((m.determinant() - 1.0).abs() < 1e-14);
                }
                let axes = [frames[0][2], frames[1][2]].map(normalised);
                let again = least_frames(axes, Some([frames[0][0], frames[1][0]].map(normalised)));
                prop_assert_eq!(again, frames);
            }
        }
    }
}
