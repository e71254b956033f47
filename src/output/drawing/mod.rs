//! A stroboscopic drawing of a mechanism's motion: one instance at equally spaced times, early positions faint, late ones
//! strong, with the paths of its outermost points.
//!
//! `shape.rs` says what a body looks like, `strobes.rs` at which times, `view.rs` from where. `overlay.rs` draws all
//! positions into one pair or triple of axes with equal scales. A free body that stays where it is would hide itself
//! there: `film.rs` draws its positions side by side.

mod canvas;
mod film;
mod frame;
mod overlay;
mod shape;
mod strobes;
mod view;

use kuva::render::render::Scene;
use nalgebra::{Quaternion, UnitQuaternion};

use self::shape::{Outline, Shape, V, extent, outlines};
use self::strobes::Strobes;
use self::view::{View, plane};
use super::motion::Track;
use super::plots::number;
use crate::describe::{Mechanism, Point, Support};

/// How far a point may go between two positions, of the mechanism's size: a turn by a third of a radian of what
/// reaches across it.
const FOLLOWED: f64 = 0.35;
/// Of the size of a free body: what it must go between two positions to be drawn in one picture.
const CLEAR: f64 = 0.5;

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
    /// What it shows, in words.
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

/// Draws a motion; `None` where it has no snapshot.
pub fn draw(mechanism: &Mechanism, track: &Track) -> Option<Drawing> {
    if track.times.is_empty() {
        return None;
    }
    let stage = Stage::new(mechanism, track);
    let when = stage.when();
    let instance = track.instance;
    let title = format!("Motion of instance {instance}, {when}");
    let end = track.times.last().copied().unwrap_or(0.0);
    let beyond = if track.times[stage.strobes.last()] < end {
        format!("; its run ends at {} s", number(end))
    } else {
        String::new()
    };
    let drawing = if stage.hides_itself() {
        Drawing {
            scene: film::draw(&stage, &title),
            caption: format!(
                "Attitude of instance {instance} at {when}{beyond}. The cuboid has the body's mass and moments of \
                 inertia; all are seen from the same side"
            ),
        }
    } else {
        let seen = if stage.planar { "seen across the plane of motion" } else { "parallel projection" };
        Drawing {
            scene: overlay::draw(&stage, &title),
            caption: format!(
                "Instance {instance} at {when}{beyond}: early positions faint, the last one strong; thin lines are \
                 paths, rings are points of the ground; {seen}"
            ),
        }
    };
    Some(drawing)
}

impl<'a> Stage<'a> {
    fn new(mechanism: &'a Mechanism, track: &'a Track) -> Stage<'a> {
        let g = V::from(mechanism.gravity);
        let vertical = if g.norm() > 0.0 { -g.normalize() } else { V::z() };
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
        let moved =
            |pair: &[Vec<V>]| pair[0].iter().zip(&pair[1]).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        let moved: Vec<f64> = keys.windows(2).map(moved).collect();
        stage.strobes = Strobes::choose(&track.times, &moved, FOLLOWED * size);
        let shown: Vec<V> = (0..=stage.strobes.last()).flat_map(|snapshot| stage.flat(snapshot)).collect();
        if let Some(normal) = plane(&shown, vertical).filter(|normal| stage.turns_about(*normal)) {
            stage.planar = true;
            stage.view = View::onto(normal, vertical);
        }
        stage
    }

    /// A point of a body, body axes, in space (m).
    fn at(&self, snapshot: usize, body: usize, p: V) -> V {
        let pose = &self.track.poses[snapshot][body];
        V::from(pose.position) + self.attitude(snapshot, body) * p
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
        let of = |(body, outline): (usize, &Outline)| {
            let mut points = outline.shape.points();
            if let Shape::Sphere { centre, radius } = outline.shape {
                points.push(centre + self.spoke(body) * radius);
            }
            points.into_iter().map(|p| self.at(snapshot, body, p)).collect::<Vec<V>>()
        };
        let mut keys: Vec<V> = self.outlines.iter().enumerate().flat_map(of).collect();
        keys.extend(self.ground());
        keys
    }

    /// The points that must lie in a plane for the motion to be drawn in it; of blocks and spheres the centre, see
    /// [`Stage::turns_about`].
    fn flat(&self, snapshot: usize) -> Vec<V> {
        let of = |(body, outline): (usize, &Outline)| {
            let points = match &outline.shape {
                Shape::Rod(_) | Shape::Hull(_) => outline.shape.points(),
                Shape::Block { centre, .. } | Shape::Sphere { centre, .. } => vec![*centre],
            };
            points.into_iter().map(|p| self.at(snapshot, body, p)).collect::<Vec<V>>()
        };
        let mut points: Vec<V> = self.outlines.iter().enumerate().flat_map(of).collect();
        points.extend(self.ground());
        points
    }

    /// Whether all blocks and spheres turn about this direction alone, if at all.
    fn turns_about(&self, normal: V) -> bool {
        self.outlines.iter().enumerate().all(|(body, outline)| match outline.shape {
            Shape::Rod(_) | Shape::Hull(_) => true,
            Shape::Block { .. } | Shape::Sphere { .. } => {
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
        let springs = m.springs.iter().flat_map(|spring| &spring.points);
        let bushings = m.bushings.iter().flat_map(|bushing| &bushing.points);
        let points = joints.chain(springs).chain(bushings).filter(|point| point.body.is_none());
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
        let [Outline { shape: Shape::Block { centre, .. }, .. }] = &self.outlines[..] else { return false };
        let track: Vec<V> =
            self.strobes.snapshots.iter().map(|&snapshot| self.at(snapshot, 0, *centre)).collect();
        let steps = track.len().saturating_sub(1) as f64;
        extent(&track) < CLEAR * steps * extent(&self.outlines[0].shape.points())
    }
}
