//! A stroboscopic drawing of a mechanism's motion: one instance at equally spaced times, early
//! positions faint, late ones strong, with the paths of its outermost points.
//!
//! `shape.rs` says what a body looks like, `strobes.rs` at which times, `view.rs` from where.
//! `overlay.rs` draws all positions into one pair or triple of axes with equal scales. A free body
//! that stays where it is would hide itself there: `side_by_side.rs` draws its positions side by
//! side.

pub(super) mod canvas;
mod film;
mod frame;
mod gltf;
mod overlay;
mod player;
mod shape;
mod side_by_side;
mod strobes;
mod view;
mod webp;

use kuva::render::render::Scene;
use nalgebra::{Quaternion, UnitQuaternion};

pub use self::film::{Film, NoFilm};
pub use self::gltf::{Gltf, gltf};
pub(super) use self::player::{ForceSeries, SCRIPT, Shade, json, player};
pub use self::player::{player_of_poses, players_of_periods};
use self::shape::{Outline, Silhouette, V, extent, outlines};
use self::strobes::Strobes;
use self::view::{View, plane};
use super::motion::{Track, modes_of};
use super::plots::number;
use polhode_description::describe::{Mechanism, Point, Support};

/// The farthest that a point may go between two positions, as a share of the mechanism's size: a
/// turn by a third of a radian of a body that reaches across it.
const FOLLOWED: f64 = 0.35;
/// The largest turn of a block or sphere between two positions (rad).
const TURN: f64 = 0.8;
/// The least distance between two positions with which a free body is drawn in one picture, as a
/// share of its size.
const CLEAR: f64 = 0.1;

/// Largest coordinate that is drawn (m).
const FARTHEST: f64 = 1e100;

pub const WIDTH: f64 = 900.0;
/// Colours of the bodies, in turn.
const COLORS: [[u8; 3]; 6] = [
    [0x0b, 0x4a, 0x82],
    [0xd1, 0x66, 0x0f],
    [0x2e, 0x7d, 0x4f],
    [0x8e, 0x3a, 0x7e],
    [0x9a, 0x7b, 0x0a],
    [0x4f, 0x5b, 0x66],
];

/// A drawing, to be rendered.
pub struct Drawing {
    pub scene: Scene,
    /// The content of the drawing, in words.
    pub caption: String,
}

/// A motion, and how to look at it.
struct Stage<'a> {
    mechanism: &'a Mechanism,
    track: &'a Track,
    outlines: Vec<Outline>,
    strobes: Strobes,
    /// Positions drawn lie in a plane.
    planar: bool,
    view: View,
}

/// Draws poses that are no motion in time, all of them, under this title; `None` as for [`draw`].
pub fn draw_titled(mechanism: &Mechanism, track: &Track, title: &str) -> Option<Drawing> {
    if track.times.is_empty() || !is_drawable(track) {
        return None;
    }
    let mut stage = Stage::new(mechanism, track);
    stage.strobes = Strobes { snapshots: (0..track.times.len()).collect() };
    Some(Drawing { scene: overlay::draw(&stage, title), caption: title.to_string() })
}

/// Draws a motion; `None` where it has no snapshot, or has run away to where squares of lengths
/// overflow.
pub fn draw(mechanism: &Mechanism, track: &Track) -> Option<Drawing> {
    if track.times.is_empty() || !is_drawable(track) {
        return None;
    }
    let stage = Stage::new(mechanism, track);
    let when = stage.when();
    let instance = track.instance;
    let title = format!("{}, {}", mechanism.name, stage.every());
    let end = track.times.last().copied().unwrap_or(0.0);
    let beyond = if track.times[stage.strobes.last()] < end {
        format!("; its run ends at {} s", number(end))
    } else {
        String::new()
    };
    let drawing = if stage.hides_itself() {
        Drawing {
            scene: side_by_side::draw(&stage, &title),
            caption: format!(
                "Attitude of instance {instance} at {when}{beyond}. The cuboid has the body's mass and moments of \
                 inertia; all are seen from the same side"
            ),
        }
    } else {
        let projection = if stage.planar { "seen across the plane of motion" } else { "parallel projection" };
        Drawing {
            scene: overlay::draw(&stage, &title),
            caption: format!(
                "Instance {instance} at {when}{beyond}: early positions faint, the last one strong; thin lines are \
                 paths, rings are points of the ground; {projection}"
            ),
        }
    };
    Some(drawing)
}

/// The largest distance between two points of what is drawn at the first snapshot (m).
pub fn drawn_extent(mechanism: &Mechanism, track: &Track) -> f64 {
    extent(&Stage::new(mechanism, track).keys(0))
}

/// Upwards, or along z where nothing falls.
fn vertical(mechanism: &Mechanism) -> V {
    let g = V::from(mechanism.gravity);
    if g.norm() > 0.0 { -g.normalize() } else { V::z() }
}

/// Squares of its lengths do not overflow.
fn is_drawable(track: &Track) -> bool {
    let is_near = |x: &f64| x.abs() < FARTHEST;
    track.poses.iter().flatten().all(|pose| pose.position.iter().all(is_near))
}

impl<'a> Stage<'a> {
    fn new(mechanism: &'a Mechanism, track: &'a Track) -> Stage<'a> {
        let vertical = vertical(mechanism);
        let mut stage = Stage {
            mechanism,
            track,
            outlines: outlines(mechanism),
            strobes: Strobes { snapshots: Vec::new() },
            planar: false,
            view: View::oblique(vertical),
        };
        let keys: Vec<Vec<V>> = (0..track.times.len()).map(|snapshot| stage.keys(snapshot)).collect();
        let size = extent(&keys[0]);
        let moved = |snapshot: usize| {
            let pairs = keys[snapshot].iter().zip(&keys[snapshot + 1]);
            let farthest = pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            farthest.max(stage.turn(snapshot) / TURN * FOLLOWED * size)
        };
        let moved: Vec<f64> = (0..keys.len() - 1).map(moved).collect();
        stage.strobes = Strobes::choose(&track.times, &moved, FOLLOWED * size);
        let shown: Vec<V> = (0..=stage.strobes.last()).flat_map(|snapshot| stage.flat(snapshot)).collect();
        if let Some(normal) = plane(&shown, vertical).filter(|normal| stage.turns_about(*normal)) {
            stage.planar = true;
            stage.view = View::onto(normal, vertical);
        }
        stage
    }

    /// A point of a body, body axes, in space (m), where the body has bent.
    fn at(&self, snapshot: usize, body: usize, p: V) -> V {
        let pose = &self.track.poses[snapshot][body];
        let bent = self.mechanism.bodies[body].flexible.as_ref().map_or(V::zeros(), |flexible| {
            let amplitudes = &self.track.amplitudes[snapshot][modes_of(self.mechanism, body)];
            flexible.modal.displacement(p.into(), amplitudes)
        });
        V::from(pose.position) + self.attitude(snapshot, body) * (p + bent)
    }

    fn attitude(&self, snapshot: usize, body: usize) -> UnitQuaternion<f64> {
        let [w, i, j, k] = self.track.poses[snapshot][body].attitude;
        UnitQuaternion::from_quaternion(Quaternion::new(w, i, j, k))
    }

    /// A point of the description in space (m).
    fn place(&self, snapshot: usize, point: &Point) -> V {
        let at = V::from(point.at);
        point.body.map_or(at, |body| self.at(snapshot, body, at))
    }

    /// The points that shapes are drawn with.
    fn keys(&self, snapshot: usize) -> Vec<V> {
        let points_of = |(body, outline): (usize, &Outline)| {
            let mut points = outline.shape.points();
            if let Silhouette::Sphere { centre, radius } = outline.shape {
                points.push(centre + self.spoke(body) * radius);
            }
            points.into_iter().map(|p| self.at(snapshot, body, p)).collect::<Vec<V>>()
        };
        let mut keys: Vec<V> = self.outlines.iter().enumerate().flat_map(points_of).collect();
        keys.extend(self.ground());
        keys
    }

    /// The points that must lie in a plane for the motion to be drawn in it; of blocks and spheres
    /// the centre, see [`Stage::turns_about`].
    fn flat(&self, snapshot: usize) -> Vec<V> {
        let points_of = |(body, outline): (usize, &Outline)| {
            let points = match &outline.shape {
                Silhouette::Point | Silhouette::Rod(_) | Silhouette::Lines(_) | Silhouette::Hull(_) => {
                    outline.shape.points()
                }
                Silhouette::Block { centre, .. } | Silhouette::Sphere { centre, .. } => vec![*centre],
            };
            points.into_iter().map(|p| self.at(snapshot, body, p)).collect::<Vec<V>>()
        };
        let mut points: Vec<V> = self.outlines.iter().enumerate().flat_map(points_of).collect();
        points.extend(self.ground());
        points
    }

    /// The largest angle by which a block or sphere turns from a snapshot to the next (rad). That a
    /// rod turns about itself is not seen.
    fn turn(&self, snapshot: usize) -> f64 {
        let turn = |(body, outline): (usize, &Outline)| match outline.shape {
            Silhouette::Point | Silhouette::Rod(_) | Silhouette::Lines(_) | Silhouette::Hull(_) => 0.0,
            Silhouette::Block { .. } | Silhouette::Sphere { .. } => {
                self.attitude(snapshot, body).angle_to(&self.attitude(snapshot + 1, body))
            }
        };
        self.outlines.iter().enumerate().map(turn).fold(0.0, f64::max)
    }

    /// Whether all blocks and spheres turn about this direction alone, if at all.
    fn turns_about(&self, normal: V) -> bool {
        self.outlines.iter().enumerate().all(|(body, outline)| match outline.shape {
            Silhouette::Point | Silhouette::Rod(_) | Silhouette::Lines(_) | Silhouette::Hull(_) => true,
            Silhouette::Block { .. } | Silhouette::Sphere { .. } => {
                let fixed = self.attitude(0, body).inverse() * normal;
                (0..=self.strobes.last())
                    .all(|snapshot| (self.attitude(snapshot, body) * fixed - normal).norm() < 1e-6)
            }
        })
    }

    /// Where the ground holds something, each point once (m).
    fn ground(&self) -> Vec<V> {
        let m = self.mechanism;
        let joints = m.joints.iter().flat_map(|joint| &joint.points);
        let forces = m.forces.iter().flat_map(|force| force.points());
        let beams = m.beam_elements.iter().flat_map(|element| &element.points);
        let points = joints.chain(forces).chain(beams).filter(|point| point.body.is_none());
        let supports = m.bodies.iter().enumerate().filter(|(_, body)| body.support == Support::FixedPoint);
        let mut ground: Vec<V> = Vec::new();
        for point in
            points.map(|point| V::from(point.at)).chain(supports.map(|(b, _)| self.at(0, b, V::zeros())))
        {
            if !ground.contains(&point) {
                ground.push(point);
            }
        }
        ground
    }

    /// The body's direction in which a sphere's spoke is drawn: at first across the picture.
    fn spoke(&self, body: usize) -> V {
        self.attitude(0, body).inverse() * self.view.right
    }

    /// The faces of a cuboid that are seen, each with the principal axis that it crosses and
    /// whether it is the one ahead; corners from the cuboid's centre (m).
    fn faces(&self, half: &[V; 3]) -> Vec<((usize, bool), [V; 4])> {
        let visible = |k: usize| {
            let facing = half[k].dot(&self.view.towards);
            let ahead = facing > 0.0;
            let out = if ahead { half[k] } else { -half[k] };
            let (a, b) = (half[(k + 1) % 3], half[(k + 2) % 3]);
            let corners = [out + a + b, out - a + b, out - a - b, out + a - b];
            (facing.abs() > 1e-9 * half[k].norm()).then_some(((k, ahead), corners))
        };
        (0..3).filter_map(visible).collect()
    }

    /// `every 0.2 s`, of positions as a title names them.
    fn every(&self) -> String {
        let times = &self.track.times;
        match self.strobes.snapshots[..] {
            [first, second, ..] => format!("every {} s", number(times[second] - times[first])),
            _ => format!("at {} s", number(times[0])),
        }
    }

    /// `15 times from 0 s to 2.8 s, every 0.2 s`
    fn when(&self) -> String {
        let times = &self.track.times;
        match self.strobes.snapshots[..] {
            [first, second, .., last] => format!(
                "{} times from {} s to {} s, every {} s",
                self.strobes.snapshots.len(),
                number(times[first]),
                number(times[last]),
                number(times[second] - times[first])
            ),
            _ => format!("t = {} s", number(times[0])),
        }
    }

    /// A free body alone that would be drawn over itself.
    fn hides_itself(&self) -> bool {
        let [Outline { shape: Silhouette::Block { centre, .. }, .. }] = &self.outlines[..] else {
            return false;
        };
        let track: Vec<V> =
            self.strobes.snapshots.iter().map(|&snapshot| self.at(snapshot, 0, *centre)).collect();
        let steps = track.len().saturating_sub(1) as f64;
        extent(&track) < CLEAR * steps * extent(&self.outlines[0].shape.points())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::motion::Pose;
    use polhode_description::describe::{Attached, Joint};
    use polhode_dynamics::elements::contacts::rolling::Rolling;
    use polhode_dynamics::elements::joints::DISTANCE;
    use polhode_dynamics::elements::spring::Spring;
    use polhode_files::read_mechanism;

    fn shipped(name: &str) -> Mechanism {
        read_mechanism(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms").join(name)).unwrap()
    }

    /// `pose(time, body)` at so many times, a tenth of a second apart.
    fn track(mechanism: &Mechanism, times: usize, pose: impl Fn(f64, usize) -> Pose) -> Track {
        let times: Vec<f64> = (0..times).map(|k| k as f64 * 0.1).collect();
        let bodies = 0..mechanism.bodies.len();
        let poses = times.iter().map(|&t| bodies.clone().map(|body| pose(t, body)).collect()).collect();
        Track { instance: 3, amplitudes: vec![Vec::new(); times.len()], times, poses }
    }

    /// Turned by `angle` (rad) about a unit vector.
    fn turned(axis: [f64; 3], angle: f64) -> [f64; 4] {
        let (s, c) = (angle / 2.0).sin_cos();
        [c, s * axis[0], s * axis[1], s * axis[2]]
    }

    /// At the start, as described, and ever after.
    fn resting(mechanism: &Mechanism) -> Track {
        track(mechanism, 30, |_, body| {
            let initial = &mechanism.bodies[body].initial;
            Pose { position: initial.position, attitude: initial.attitude }
        })
    }

    /// A rod of 1 m, its end at the origin, that swings about `axis`.
    fn swinging(axis: [f64; 3]) -> (Mechanism, Track) {
        let mut mechanism = shipped("double_pendulum.toml");
        mechanism.bodies.truncate(1);
        mechanism.joints.truncate(1);
        let track = track(&mechanism, 40, |t, _| Pose {
            position: [0.0; 3],
            attitude: turned(axis, 0.8 * (2.0 * t).sin()),
        });
        (mechanism, track)
    }

    fn svg(drawing: &Drawing) -> String {
        kuva::backend::svg::SvgBackend::new().render_scene(&drawing.scene)
    }

    #[test]
    fn a_swing_in_a_plane_is_seen_across_it() {
        for (axis, right, up) in [([0.0, 1.0, 0.0], V::x(), V::z()), ([0.0, 0.0, 1.0], V::x(), V::y())] {
            let (mechanism, track) = swinging(axis);
            let stage = Stage::new(&mechanism, &track);
            assert!(stage.planar, "about {axis:?}");
            assert_eq!((stage.view.right, stage.view.up), (right, up));
        }
    }

    #[test]
    fn a_swing_on_a_cone_is_seen_obliquely() {
        let (mechanism, track) = swinging([0.6, 0.0, 0.8]);
        let stage = Stage::new(&mechanism, &track);
        assert!(!stage.planar);
        assert_eq!(stage.view, View::oblique(V::z()));
    }

    #[test]
    fn every_position_is_drawn_once_and_the_caption_says_when() {
        let (mechanism, track) = swinging([0.0, 1.0, 0.0]);
        let drawing = draw(&mechanism, &track).unwrap();
        let stage = Stage::new(&mechanism, &track);
        let count = stage.strobes.snapshots.len();
        assert!((12..=16).contains(&count));
        let svg = svg(&drawing);
        assert_eq!(svg.matches("class=\"strobe\"").count(), count);
        assert!(svg.contains(">x (m)<") && svg.contains(">z (m)<") && !svg.contains(">y (m)<"));
        let last = number(track.times[stage.strobes.last()]);
        let every = number(track.times[stage.strobes.snapshots[1]]);
        let when = format!("Instance 3 at {count} times from 0 s to {last} s, every {every} s");
        assert!(drawing.caption.starts_with(&when), "{}", drawing.caption);
    }

    #[test]
    fn what_rests_and_what_has_hardly_begun_is_drawn() {
        for name in
            ["four_bar.toml", "double_pendulum.toml", "free_body.toml", "heavy_top.toml", "spacecraft.toml"]
        {
            let mechanism = shipped(name);
            let mut track = resting(&mechanism);
            for snapshots in [30, 2, 1] {
                track.times.truncate(snapshots);
                track.poses.truncate(snapshots);
                let svg = svg(&draw(&mechanism, &track).unwrap());
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}, {snapshots} snapshots");
                assert_eq!(svg.matches("class=\"strobe\"").count(), snapshots.min(15), "{name}");
            }
        }
        assert!(draw(&shipped("four_bar.toml"), &Track::default()).is_none());
    }

    #[test]
    fn a_free_body_that_stays_is_drawn_side_by_side_and_one_that_flies_is_not() {
        let mechanism = shipped("spacecraft.toml");
        let at = |speed: f64| {
            track(&mechanism, 40, move |t, _| Pose {
                position: [speed * t, 0.0, 0.0],
                attitude: turned([0.0, 0.0, 1.0], t),
            })
        };
        assert!(Stage::new(&mechanism, &at(0.0)).hides_itself());
        assert!(!Stage::new(&mechanism, &at(50.0)).hides_itself());
        let caption = draw(&mechanism, &at(0.0)).unwrap().caption;
        assert!(caption.contains("Attitude of instance 3"), "{caption}");
    }

    /// A turn a second, for a minute: positions a turn apart would show a body at rest.
    #[test]
    fn positions_follow_a_fast_motion_for_as_long_as_they_reach() {
        let mechanism = shipped("free_body.toml");
        let rate = std::f64::consts::TAU;
        let spin =
            |t: f64, _: usize| Pose { position: [0.0; 3], attitude: turned([0.0, 0.0, 1.0], rate * t) };
        let track = track(&mechanism, 600, spin);
        let stage = Stage::new(&mechanism, &track);
        let every = track.times[stage.strobes.snapshots[1]];
        assert!(every * rate < 0.8 && stage.strobes.snapshots.len() == 16);
        assert!(draw(&mechanism, &track).unwrap().caption.contains("; its run ends at 59.9 s"));
    }

    /// A sphere of 20 cm that rolls along x, and a spring to it.
    fn rolling() -> (Mechanism, Track) {
        let mut mechanism = shipped("free_body.toml");
        let centre = Point { body: Some(0), at: [0.0; 3] };
        let frame = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let floor = Rolling { radius: 0.2, plane: [0.0; 3], normal: frame };
        mechanism.contacts = vec![floor.contact("floor", centre)];
        let points = [Point { body: None, at: [-0.6, 0.0, 0.2] }, centre];
        let spring = Spring { stiffness: 1.0, damping: 0.0, free_length: 0.1, actuator: 0.0 };
        mechanism.forces = vec![spring.force("spring", Attached::Points(points))];
        let track = track(&mechanism, 40, |t, _| Pose {
            position: [0.3 * t, 0.0, 0.2],
            attitude: turned([0.0, 1.0, 0.0], 0.3 * t / 0.2),
        });
        (mechanism, track)
    }

    #[test]
    fn a_rolling_sphere_is_a_circle_with_a_spoke_on_its_floor() {
        let (mechanism, track) = rolling();
        let stage = Stage::new(&mechanism, &track);
        assert!(matches!(stage.outlines[0].shape, Silhouette::Sphere { radius: 0.2, .. }));
        assert!(stage.planar && (stage.view.right, stage.view.up) == (V::x(), V::z()));
        // Rolling with a twist is no plane motion, though its centre stays in a plane.
        let twisted = |t: &Track| {
            let mut t = t.clone();
            t.poses
                .iter_mut()
                .enumerate()
                .for_each(|(k, p)| p[0].attitude = turned([0.6, 0.8, 0.0], 0.1 * k as f64));
            t
        };
        assert!(!Stage::new(&mechanism, &twisted(&track)).planar);
    }

    #[test]
    fn a_far_place_and_a_strange_name_do_no_harm() {
        let (mut mechanism, mut track) = swinging([0.0, 1.0, 0.0]);
        let body = mechanism.bodies[0].clone();
        mechanism.bodies.push(body);
        mechanism.bodies[0].name = "<b> & $x$ \"and very long words\"".into();
        mechanism.joints.push(Joint { kind: &DISTANCE, length: 1.0, ..mechanism.joints[0].clone() });
        for poses in &mut track.poses {
            poses[0].position = [7e6, 0.0, -3e6];
            poses.push(poses[0]);
        }
        mechanism.joints.iter_mut().for_each(|joint| joint.points[0].at = [7e6, 0.0, -3e6]);
        let svg = svg(&draw(&mechanism, &track).unwrap());
        assert!(svg.contains("&lt;b&gt; &amp; $x$") && svg.contains("x − 7000000"), "{svg}");
    }

    #[test]
    fn a_motion_that_has_run_away_has_no_picture() {
        let mechanism = shipped("four_bar.toml");
        let mut track = resting(&mechanism);
        track.poses[20][1].position[0] = 1e200;
        assert!(draw(&mechanism, &track).is_none());
    }

    /// Long runs with many snapshots: paths have no more points than can be seen.
    #[test]
    fn many_snapshots_make_no_larger_picture() {
        let (mechanism, few) = swinging([0.6, 0.0, 0.8]);
        let slow = |t: f64, _: usize| Pose {
            position: [0.0; 3],
            attitude: turned([0.6, 0.0, 0.8], 0.8 * (0.02 * t).sin()),
        };
        let many = track(&mechanism, 100_000, slow);
        let sizes = [few, many].map(|track| svg(&draw(&mechanism, &track).unwrap()).len());
        assert!(sizes[1] < sizes[0] + 60_000, "{sizes:?}");
    }
}
