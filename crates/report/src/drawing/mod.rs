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
mod stage;
mod strobes;
mod view;
mod webp;

use kuva::render::render::Scene;

pub use self::film::{Film, NoFilm};
pub use self::gltf::{Gltf, gltf};
pub(super) use self::player::{ForceSeries, SCRIPT, Shade, json, player};
pub use self::player::{player_of_poses, players_of_periods};
use self::shape::extent;
use self::stage::{MotionStage, is_drawable};
use self::strobes::Strobes;

use super::motion::Track;
use super::numbers::number;
use polhode_description::describe::Mechanism;

/// A drawing, to be rendered.
pub struct Drawing {
    pub scene: Scene,
    /// The content of the drawing, in words.
    pub caption: String,
}

/// Draws poses that are no motion in time, all of them, under this title; `None` as for [`draw`].
pub fn draw_titled(mechanism: &Mechanism, track: &Track, title: &str) -> Option<Drawing> {
    if track.times.is_empty() || !is_drawable(track) {
        return None;
    }
    let mut stage = MotionStage::new(mechanism, track);
    stage.strobes = Strobes { snapshots: (0..track.times.len()).collect() };
    Some(Drawing { scene: overlay::draw(&stage, title), caption: title.to_string() })
}

/// Draws a motion; `None` where it has no snapshot, or has run away to where squares of lengths
/// overflow.
pub fn draw(mechanism: &Mechanism, track: &Track) -> Option<Drawing> {
    if track.times.is_empty() || !is_drawable(track) {
        return None;
    }
    let stage = MotionStage::new(mechanism, track);
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
                "Attitude of instance {instance} at {when}{beyond}. The cuboid has the body's mass and \
                 moments of inertia; all are seen from the same side"
            ),
        }
    } else {
        let projection = if stage.planar { "seen across the plane of motion" } else { "parallel projection" };
        Drawing {
            scene: overlay::draw(&stage, &title),
            caption: format!(
                "Instance {instance} at {when}{beyond}: early positions faint, the last one strong; thin \
                 lines are paths, rings are points of the ground; {projection}"
            ),
        }
    };
    Some(drawing)
}

/// The largest distance between two points of what is drawn at the first snapshot (m).
pub fn drawn_extent(mechanism: &Mechanism, track: &Track) -> f64 {
    extent(&MotionStage::new(mechanism, track).keys(0))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::shape::{Silhouette, V};
    use super::view::View;
    use super::*;
    use crate::motion::Pose;
    use polhode_description::describe::{Attached, Joint, Point};
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
            let stage = MotionStage::new(&mechanism, &track);
            assert!(stage.planar, "about {axis:?}");
            assert_eq!((stage.view.right, stage.view.up), (right, up));
        }
    }

    #[test]
    fn a_swing_on_a_cone_is_seen_obliquely() {
        let (mechanism, track) = swinging([0.6, 0.0, 0.8]);
        let stage = MotionStage::new(&mechanism, &track);
        assert!(!stage.planar);
        assert_eq!(stage.view, View::oblique(V::z()));
    }

    #[test]
    fn every_position_is_drawn_once_and_the_caption_says_when() {
        let (mechanism, track) = swinging([0.0, 1.0, 0.0]);
        let drawing = draw(&mechanism, &track).unwrap();
        let stage = MotionStage::new(&mechanism, &track);
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
        assert!(MotionStage::new(&mechanism, &at(0.0)).hides_itself());
        assert!(!MotionStage::new(&mechanism, &at(50.0)).hides_itself());
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
        let stage = MotionStage::new(&mechanism, &track);
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
        let stage = MotionStage::new(&mechanism, &track);
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
        assert!(!MotionStage::new(&mechanism, &twisted(&track)).planar);
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
