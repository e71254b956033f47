//! A motion that a report plays, as JSON for `player.js`. Shapes are in body axes. Poses are
//! numbers of single precision, relative to where the first body begins: seven a body and snapshot,
//! position (m) and attitude (unit quaternion, body to space, scalar first). Points of a body that
//! bends have three further numbers a mode, how far the mode moves them (m).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use super::overlay::{color, paths};
use super::shape::{Silhouette, V, about_mass_centre};
use super::stage::{MotionStage, is_drawable, vertical};
use crate::motion::{Track, modes_of};
use crate::numbers::{number, with_minus};
use polhode_description::base::{known_within, rounded, shown};
use polhode_description::describe::Drawn;
use polhode_description::describe::contact::Ball;
use polhode_description::describe::joint::AxisKey;
use polhode_description::describe::{Attached, Beam, Mechanism, Point};

/// Numbers of poses in a page, of four bytes each: what is more is left out, snapshots of the
/// motion first and then whole instances.
const NUMBERS: usize = 60_000;
/// Numbers of a pose.
const POSE: usize = 7;
/// Rows of the table of positions.
const ROWS: usize = 9;

/// The last two digits of positions in that table begin at this share of the largest: smaller ones
/// are the rounding of joints.
const PLACES: f64 = 1e-4;

/// The script of a page that has players.
pub const SCRIPT: &str = include_str!("player.js");

/// A point or a direction, as three numbers.
type Place = [f64; 3];
/// A point of a body, and then how far each of the body's modes moves it.
type Spot = Vec<f64>;

#[derive(Serialize)]
struct Scene {
    bodies: Vec<Shape>,
    links: Vec<Link>,
    /// Points of all joints, where a body or a beam bends: what is drawn with a factor takes along
    /// what hangs on it.
    joined: Vec<[End; 2]>,
    /// Positions count from here, where the first body begins (m).
    origin: Place,
    /// Axes of joints: a point, and the direction in the axes of its body.
    axes: Vec<(End, Place)>,
    /// Points of contact: a point of a body, and how far from it in space (m).
    touches: Vec<(End, Place)>,
    /// Where the ground holds something.
    ground: Vec<Place>,
    /// Planes on which spheres roll: a point and the unit normal of each.
    floors: Vec<[Place; 2]>,
    /// Points whose paths are drawn, with the body of each.
    paths: Vec<(usize, Spot)>,
    /// The picture at first: rightwards, upwards and towards the viewer.
    view: [Place; 3],
    vertical: Place,
    /// It goes on with its start when it has come to its end.
    repeats: bool,
    /// Name and unit of what the poses follow; without a name they are a motion in time.
    along: [String; 2],
    beams: Vec<BentBeam>,
    /// Times of the snapshots (s), or the numbers of poses that are no motion.
    times: Vec<f64>,
    /// The instance that is played, and others that go with it.
    tracks: Vec<Poses>,
    /// A number of each track, by which it is coloured.
    shade: Option<Shade>,
    forces: Vec<Arrow>,
}

/// A force that a study observes, of the motions that a page plays.
pub struct ForceSeries {
    pub name: String,
    /// One point, at which a vector acts, or two, which tension draws together.
    pub points: Vec<Point>,
    /// From that point to where it acts, space axes (m).
    pub offset: [f64; 3],
    /// `[track][snapshot]`, space axes, or the tension alone (N); none: it was not kept of the
    /// track.
    pub values: Vec<Vec<Vec<f64>>>,
}

#[derive(Serialize)]
struct Arrow {
    name: String,
    ends: Vec<End>,
    offset: Place,
    /// By track, base64 of the numbers of all snapshots.
    values: Vec<String>,
}

/// A number of every motion that a page plays.
#[derive(Clone, Serialize)]
pub struct Shade {
    /// With its unit.
    pub name: String,
    /// By track; none: it has no value.
    pub values: Vec<Option<f64>>,
    ends: [f64; 2],
    /// The ends for people.
    told: [String; 2],
}

impl Shade {
    /// `None`: it is the same in all.
    pub fn new(name: String, values: Vec<Option<f64>>) -> Option<Shade> {
        let known = || values.iter().flatten().copied();
        let (low, high) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
        let labels = [low, high].map(|end| number(rounded(end, 3)));
        (low < high).then_some(Shade { name, values, ends: [low, high], told: labels })
    }
}

#[derive(Serialize)]
struct Shape {
    name: String,
    color: [u8; 3],
    shape: Outline,
    joints: Vec<Spot>,
    /// The first of its modes among those of all bodies, and their number.
    modes: [usize; 2],
    /// Centre of mass (m) and moments of inertia about it (kg m^2), body axes.
    centre: Place,
    inertia: [Place; 3],
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Outline {
    Point,
    /// Its piece of a beam, which is drawn as a whole.
    Node {
        ends: [Place; 2],
    },
    Rod {
        ends: [Place; 2],
    },
    Lines {
        lines: Vec<Vec<Spot>>,
    },
    Hull {
        points: Vec<Spot>,
    },
    Block {
        centre: Place,
        half: [Place; 3],
    },
    Sphere {
        centre: Place,
        radius: f64,
        spoke: Place,
    },
}

impl Shape {
    /// Whether it has an angular momentum of its own.
    fn turns(&self) -> bool {
        self.inertia.iter().flatten().any(|moment| *moment > 0.0)
    }
}

/// A point with its body; no body: the ground.
type End = (Option<usize>, Spot);

/// A force or a joint between two points.
#[derive(Serialize)]
struct Link {
    coil: bool,
    ends: [End; 2],
}

/// A beam of elements: its nodes, each with the share of the length that it is at, and the ends of
/// the line from which it is bent. Of a beam that is clamped that is where it was described, of
/// others the line between its end nodes.
#[derive(Serialize)]
struct BentBeam {
    color: [u8; 3],
    ends: [End; 2],
    nodes: Vec<(End, f64)>,
}

#[derive(Serialize)]
struct Poses {
    instance: u64,
    snapshots: usize,
    /// Base64 of all numbers least byte first, snapshot by snapshot, body by body.
    poses: String,
    /// The amplitudes of all modes likewise.
    amplitudes: String,
}

/// The player of the first motion, with the others beside it; `None`: there is none that can be
/// drawn.
pub fn player(
    mechanism: &Mechanism,
    tracks: &[Track],
    shade: Option<Shade>,
    forces: &[ForceSeries],
) -> Option<Markup> {
    let first = tracks.first().filter(|track| is_playable(track))?;
    let title = format!("Motion of instance {}", first.instance);
    Some(html! {
        (stage(&scene(mechanism, first, tracks, shade, forces), &title))
        (positions(mechanism, first))
    })
}

/// Players of periods that repeat, under their titles; `None`: there are none that can be drawn.
pub fn players_of_periods(mechanism: &Mechanism, periods: &[(&str, &Track)]) -> Option<Markup> {
    let playable: Vec<_> = periods.iter().filter(|(_, track)| is_playable(track)).collect();
    let scene = |track: &Track| Scene {
        repeats: true,
        ..scene(mechanism, track, std::slice::from_ref(track), None, &[])
    };
    (!playable.is_empty()).then(|| {
        html! {
            div.pair {
                @for (title, track) in playable { div { h3 { (title) } (stage(&scene(track), title)) } }
            }
        }
    })
}

/// Poses that are no motion, all in one picture, one of them strong; a slider goes through what
/// they follow, which has this name and unit.
pub fn player_of_poses(
    mechanism: &Mechanism,
    track: &Track,
    title: &str,
    (name, unit): (&str, &str),
) -> Option<Markup> {
    let scene = || Scene {
        along: [name, unit].map(str::to_owned),
        ..scene(mechanism, track, std::slice::from_ref(track), None, &[])
    };
    is_playable(track).then(|| html! { h3 { (title) } (stage(&scene(), title)) })
}

fn is_playable(track: &Track) -> bool {
    !track.times.is_empty() && is_drawable(track)
}

/// A scene with what moves it.
fn stage(scene: &Scene, title: &str) -> Markup {
    let is_motion = scene.along[0].is_empty() && scene.times.len() > 1;
    let along = if scene.along[0].is_empty() { "Time" } else { &scene.along[0] };
    html! {
        div.player {
            canvas tabindex="0" role="img" aria-label=(title) {}
            div.controls {
                button type="button" data-do="play" hidden[!is_motion] { "Play" }
                input type="range" min="0" max="1" step="any" value="0" aria-label=(along)
                    hidden[scene.times.len() < 2];
                output {}
                label hidden[!is_motion] { "Speed " select data-do="speed" {} }
                label hidden[!is_motion] { "Follow " select data-do="follow" {} }
                label hidden[!is_motion] {
                    input type="checkbox" data-do="paths" checked[is_motion]; " Paths"
                }
                @if scene.tracks.len() > 1 {
                    label { "Instance " select data-do="instance" {} }
                    label { input type="checkbox" data-do="others"; " Other instances" }
                }
                @if !scene.forces.is_empty() {
                    label { input type="checkbox" data-do="forces"; " Forces" }
                }
                @if scene.bodies.iter().any(|body| body.modes[1] > 0) || !scene.beams.is_empty() {
                    label { "Bending × " select data-do="bending" {} }
                }
                button type="button" data-do="reset" { "Reset view" }
            }
            details {
                summary { "More" }
                div.controls {
                    label { "View " select data-do="view" {
                        option value="" { "as at first" }
                        @for axis in ["x", "y", "z"] { option value=(axis) { "along " (axis) } }
                    } }
                    label { input type="checkbox" data-do="frames"; " Frames of bodies, axes of joints" }
                    label { input type="checkbox" data-do="clear"; " See through" }
                    label { "Body " select data-do="body" {} }
                    @if is_motion && scene.bodies.iter().any(Shape::turns) {
                        label { input type="checkbox" data-do="spin"; " Angular momentum" }
                    }
                    button type="button" data-do="picture" { "Save picture" }
                    button type="button" data-do="copy" { "Copy pose" }
                }
            }
            p.body hidden {}
            p.picked role="status" hidden {}
            p.hint {
                "Drag to turn, scroll or pinch to zoom, click a body for its numbers. Keys: space plays, ← \
                 and → go by a snapshot, shift with an arrow turns, + and − zoom, x, y and z look along an \
                 axis, 0 resets the view, f shows frames, t sees through, p saves a picture, c copies the \
                 pose."
            }
            script type="application/json" { (json(scene)) }
        }
    }
}

/// JSON as the content of a script: a name may hold what would end the element.
pub fn json(value: &impl Serialize) -> Markup {
    let data = serde_json::to_string(value).expect("numbers and texts are JSON");
    PreEscaped(data.replace('<', "\\u003c"))
}

/// Where the bodies are at some times, for those who cannot see the picture.
fn positions(mechanism: &Mechanism, track: &Track) -> Markup {
    let far =
        track.poses.iter().flatten().flat_map(|pose| pose.position).fold(0.0, |far: f64, x| far.max(x.abs()));
    let place = |x: f64| with_minus(&known_within(x, PLACES * far));
    let last = track.times.len() - 1;
    let rows: Vec<usize> = (0..ROWS.min(last + 1)).map(|k| k * last / (ROWS - 1).min(last).max(1)).collect();
    html! {
        details {
            summary { "Positions as a table" }
            div.scroll tabindex="0" {
                table.wide {
                    caption { "Origins of the bodies of instance " (track.instance) ", space axes" }
                    thead {
                        tr {
                            th scope="col" { "Time (s)" }
                            @for body in &mechanism.bodies { th scope="col" { (body.name) ": x, y, z (m)" } }
                        }
                    }
                    tbody {
                        @for row in rows {
                            tr {
                                th scope="row" { (shown(track.times[row])) }
                                @for pose in &track.poses[row] {
                                    td.number { (pose.position.map(place).join(", ")) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn places(points: impl IntoIterator<Item = V>) -> Vec<Place> {
    points.into_iter().map(V::into).collect()
}

/// A point of a body, body axes, with what its modes do there; of a rigid one the point alone.
fn spot(mechanism: &Mechanism, body: usize, at: Place) -> Spot {
    let modes = mechanism.bodies[body].flexible.iter().flat_map(|flexible| {
        let alone = |mode: usize| (0..flexible.modes()).map(|k| f64::from(u8::from(k == mode))).collect();
        (0..flexible.modes()).flat_map(move |mode| -> Place {
            let amplitudes: Vec<f64> = alone(mode);
            flexible.modal.displacement(at, &amplitudes).into()
        })
    });
    at.into_iter().chain(modes).collect()
}

/// Single precision, least byte first.
fn encoded(numbers: impl IntoIterator<Item = f64>) -> String {
    BASE64.encode(numbers.into_iter().flat_map(|x| (x as f32).to_le_bytes()).collect::<Vec<u8>>())
}

fn bent(mechanism: &Mechanism, beam: &Beam, in_space: impl Fn(&Point) -> End) -> BentBeam {
    let last = beam.elements;
    let at = |k: usize| match beam.node(k) {
        Some(body) => Point { body: Some(body), at: [0.0; 3] },
        None => Point { body: None, at: if k == 0 { beam.from } else { beam.to } },
    };
    let ends = match beam.clamped {
        [false, false] => [at(0), at(last)],
        _ => [beam.from, beam.to].map(|at| Point { body: None, at }),
    };
    let share = |k: usize| k as f64 / last as f64;
    BentBeam {
        color: color(mechanism, beam.first_node),
        ends: ends.map(|point| in_space(&point)),
        nodes: (0..=last).map(|k| (in_space(&at(k)), share(k))).collect(),
    }
}

/// A body as it is drawn, before it moves.
fn shape(mechanism: &Mechanism, stage: &MotionStage, body: usize, outline: &super::shape::Outline) -> Shape {
    let spots = |points: &[V]| -> Vec<Spot> {
        points.iter().map(|point| spot(mechanism, body, (*point).into())).collect()
    };
    Shape {
        name: mechanism.bodies[body].name.clone(),
        color: color(mechanism, body),
        shape: match outline.shape.clone() {
            Silhouette::Point => Outline::Point,
            Silhouette::Rod(ends) if mechanism.beam_of(body).is_some() => {
                Outline::Node { ends: ends.map(V::into) }
            }
            Silhouette::Rod(ends) => Outline::Rod { ends: ends.map(V::into) },
            Silhouette::Lines(lines) => {
                Outline::Lines { lines: lines.iter().map(|line| spots(line)).collect() }
            }
            Silhouette::Hull(points) => Outline::Hull { points: spots(&points) },
            Silhouette::Block { centre, half } => {
                Outline::Block { centre: centre.into(), half: half.map(V::into) }
            }
            Silhouette::Sphere { centre, radius } => {
                Outline::Sphere { centre: centre.into(), radius, spoke: stage.spoke(body).into() }
            }
        },
        joints: spots(&outline.joints),
        modes: {
            let modes = modes_of(mechanism, body);
            [modes.start, modes.len()]
        },
        centre: mechanism.bodies[body].centre_of_mass,
        inertia: {
            let inertia = about_mass_centre(&mechanism.bodies[body]);
            [0, 1, 2].map(|row| [0, 1, 2].map(|column| inertia[(row, column)]))
        },
    }
}

fn scene(
    mechanism: &Mechanism,
    first: &Track,
    tracks: &[Track],
    shade: Option<Shade>,
    forces: &[ForceSeries],
) -> Scene {
    let stage = MotionStage::new(mechanism, first);
    let origin = V::from(first.poses[0][0].position);
    let in_space = |point: &Point| -> End {
        match point.body {
            Some(body) => (Some(body), spot(mechanism, body, point.at)),
            None => (None, (V::from(point.at) - origin).iter().copied().collect()),
        }
    };
    let link = |drawn: Drawn, points: &[Point; 2]| {
        let coil = match drawn {
            Drawn::Nothing => return None,
            Drawn::Coil => true,
            Drawn::Line => false,
        };
        Some(Link { coil, ends: points.each_ref().map(in_space) })
    };
    let lines = mechanism.forces.iter().filter_map(|force| match &force.attached {
        Attached::Points(points) => link(force.card.drawn, points),
        _ => None,
    });
    let joints = mechanism.joints.iter().filter_map(|joint| link(joint.kind.drawn, &joint.points));
    let bends = !mechanism.beams.is_empty() || mechanism.bodies.iter().any(|body| body.flexible.is_some());
    let joined = mechanism.joints.iter().filter(|_| bends).map(|joint| joint.points.each_ref().map(in_space));
    let axes = (mechanism.joints.iter())
        .filter(|joint| joint.kind.axis != AxisKey::Refused)
        .map(|joint| (in_space(&joint.points[0]), joint.frames[0][2]));
    let touches = mechanism.contacts.iter().map(|contact| {
        let down = |ball: Ball| ball.normal.map(|n| -ball.radius * n);
        (in_space(&contact.point), (contact.kind.ball)(contact).map_or([0.0; 3], down))
    });
    let balls = mechanism.contacts.iter().filter_map(|contact| (contact.kind.ball)(contact));
    let shape = |(body, outline)| shape(mechanism, &stage, body, outline);
    let bodies = mechanism.bodies.len();
    let every = (first.times.len() * bodies * POSE).div_ceil(NUMBERS);
    let kept = |track: &Track| -> Vec<usize> { (0..track.times.len()).step_by(every).collect() };
    let snapshots = kept(first);
    let most = (NUMBERS / (snapshots.len() * bodies * POSE)).max(1);
    let poses = |track: usize| {
        let track = &tracks[track];
        let kept = kept(track);
        let of_pose = |pose: &crate::Pose| {
            let place: Place = (V::from(pose.position) - origin).into();
            place.into_iter().chain(pose.attitude)
        };
        Poses {
            instance: track.instance,
            snapshots: kept.len(),
            poses: encoded(kept.iter().flat_map(|k| &track.poses[*k]).flat_map(of_pose)),
            amplitudes: encoded(kept.iter().flat_map(|k| &track.amplitudes[*k]).copied()),
        }
    };
    let shown: Vec<usize> = (0..tracks.len()).filter(|k| is_drawable(&tracks[*k])).take(most).collect();
    let shade = shade.map(|shade| {
        let values = shown.iter().map(|track| shade.values[*track]).collect();
        Shade { values, ..shade }
    });
    let arrow = |force: &ForceSeries| {
        let values = |track: &usize| {
            let values = &force.values[*track];
            encoded(kept(&tracks[*track]).into_iter().filter_map(|k| values.get(k)).flatten().copied())
        };
        Arrow {
            name: force.name.clone(),
            ends: force.points.iter().map(in_space).collect(),
            offset: force.offset,
            values: shown.iter().map(values).collect(),
        }
    };
    Scene {
        bodies: stage.outlines.iter().enumerate().map(shape).collect(),
        links: lines.chain(joints).collect(),
        joined: joined.collect(),
        axes: axes.collect(),
        touches: touches.collect(),
        origin: origin.into(),
        ground: places(stage.ground().into_iter().map(|point| point - origin)),
        floors: balls.map(|ball| [(V::from(ball.plane) - origin).into(), ball.normal]).collect(),
        paths: paths(&stage)
            .into_iter()
            .map(|path| (path.body, spot(mechanism, path.body, path.point.into())))
            .collect(),
        view: [stage.view.right, stage.view.up, stage.view.towards].map(V::into),
        vertical: vertical(mechanism).into(),
        repeats: false,
        along: Default::default(),
        beams: mechanism.beams.iter().map(|beam| bent(mechanism, beam, in_space)).collect(),
        times: snapshots.iter().map(|k| first.times[*k]).collect(),
        tracks: shown.iter().map(|track| poses(*track)).collect(),
        shade,
        forces: forces.iter().map(arrow).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::Pose;
    use polhode_files::read_mechanism;

    fn pendulum() -> Mechanism {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms");
        read_mechanism(&folder.join("double_pendulum.toml")).unwrap()
    }

    fn track(mechanism: &Mechanism, snapshots: usize) -> Track {
        let pose = |k: usize| Pose { position: [k as f64, 0.0, 0.0], attitude: [1.0, 0.0, 0.0, 0.0] };
        Track {
            instance: 7,
            times: (0..snapshots).map(|k| k as f64).collect(),
            poses: (0..snapshots).map(|k| vec![pose(k); mechanism.bodies.len()]).collect(),
            amplitudes: vec![Vec::new(); snapshots],
        }
    }

    #[test]
    fn a_name_is_no_markup_in_a_player() {
        let mut mechanism = pendulum();
        mechanism.bodies[0].name = "</script><b>".to_string();
        let player = player(&mechanism, &[track(&mechanism, 3)], None, &[]).unwrap().into_string();
        assert!(!player.contains("</script><b>") && player.contains(r"\u003c/script>\u003cb>"), "{player}");
    }

    /// Positions count from where the first body begins: single precision has seven digits.
    #[test]
    fn poses_fit_in_a_page() {
        let mechanism = pendulum();
        let long = track(&mechanism, 50_000);
        let Scene { times, tracks, .. } = scene(&mechanism, &long, &[long.clone(), long.clone()], None, &[]);
        let numbers = tracks.len() * times.len() * 2 * POSE;
        assert!(tracks.len() == 1 && numbers <= NUMBERS && numbers > NUMBERS / 2, "{numbers}");
        let bytes = BASE64.decode(&tracks[0].poses).unwrap();
        assert_eq!(bytes.len(), 4 * numbers);
        let second = 4 * 2 * POSE;
        assert_eq!(bytes[second..second + 4], (times[1] as f32).to_le_bytes());
    }

    #[test]
    fn what_does_not_move_on_has_no_player() {
        let mechanism = pendulum();
        assert!(player(&mechanism, &[], None, &[]).is_none());
        // A single snapshot is a picture: nothing plays it.
        let still = player(&mechanism, &[track(&mechanism, 1)], None, &[]).unwrap().into_string();
        assert!(still.contains("data-do=\"play\" hidden"), "{still}");
    }
}
