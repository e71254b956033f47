//! A motion as it is drawn: where its points are, at which times, and from where it is seen.

use nalgebra::{Quaternion, UnitQuaternion};

use super::shape::{Outline, Silhouette, V, extent, outlines};
use super::strobes::Strobes;
use super::view::{View, plane};
use crate::motion::{Track, modes_of};
use crate::numbers::number;
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

pub(super) const WIDTH: f64 = 900.0;

/// Colours of the bodies, in turn.
pub(super) const COLORS: [[u8; 3]; 6] = [
    [0x0b, 0x4a, 0x82],
    [0xd1, 0x66, 0x0f],
    [0x2e, 0x7d, 0x4f],
    [0x8e, 0x3a, 0x7e],
    [0x9a, 0x7b, 0x0a],
    [0x4f, 0x5b, 0x66],
];

/// A motion, and how to look at it.
pub(super) struct MotionStage<'a> {
    pub mechanism: &'a Mechanism,
    pub track: &'a Track,
    pub outlines: Vec<Outline>,
    pub strobes: Strobes,
    /// Positions drawn lie in a plane.
    pub planar: bool,
    pub view: View,
}

/// Upwards, or along z where nothing falls.
pub(super) fn vertical(mechanism: &Mechanism) -> V {
    let g = V::from(mechanism.gravity);
    if g.norm() > 0.0 { -g.normalize() } else { V::z() }
}

/// Squares of its lengths do not overflow.
pub(super) fn is_drawable(track: &Track) -> bool {
    let is_near = |x: &f64| x.abs() < FARTHEST;
    track.poses.iter().flatten().all(|pose| pose.position.iter().all(is_near))
}

impl<'a> MotionStage<'a> {
    pub fn new(mechanism: &'a Mechanism, track: &'a Track) -> MotionStage<'a> {
        let vertical = vertical(mechanism);
        let mut stage = MotionStage {
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
    pub fn at(&self, snapshot: usize, body: usize, p: V) -> V {
        let pose = &self.track.poses[snapshot][body];
        let bent = self.mechanism.bodies[body].flexible.as_ref().map_or(V::zeros(), |flexible| {
            let amplitudes = &self.track.amplitudes[snapshot][modes_of(self.mechanism, body)];
            flexible.modal.displacement(p.into(), amplitudes)
        });
        V::from(pose.position) + self.attitude(snapshot, body) * (p + bent)
    }

    pub fn attitude(&self, snapshot: usize, body: usize) -> UnitQuaternion<f64> {
        let [w, i, j, k] = self.track.poses[snapshot][body].attitude;
        UnitQuaternion::from_quaternion(Quaternion::new(w, i, j, k))
    }

    /// A point of the description in space (m).
    pub fn place(&self, snapshot: usize, point: &Point) -> V {
        let at = V::from(point.at);
        point.body.map_or(at, |body| self.at(snapshot, body, at))
    }

    /// The points that shapes are drawn with.
    pub fn keys(&self, snapshot: usize) -> Vec<V> {
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
    /// the centre, see [`MotionStage::turns_about`].
    pub fn flat(&self, snapshot: usize) -> Vec<V> {
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
    pub fn turn(&self, snapshot: usize) -> f64 {
        let turn = |(body, outline): (usize, &Outline)| match outline.shape {
            Silhouette::Point | Silhouette::Rod(_) | Silhouette::Lines(_) | Silhouette::Hull(_) => 0.0,
            Silhouette::Block { .. } | Silhouette::Sphere { .. } => {
                self.attitude(snapshot, body).angle_to(&self.attitude(snapshot + 1, body))
            }
        };
        self.outlines.iter().enumerate().map(turn).fold(0.0, f64::max)
    }

    /// Whether all blocks and spheres turn about this direction alone, if at all.
    pub fn turns_about(&self, normal: V) -> bool {
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
    pub fn ground(&self) -> Vec<V> {
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
    pub fn spoke(&self, body: usize) -> V {
        self.attitude(0, body).inverse() * self.view.right
    }

    /// The faces of a cuboid that are seen, each with the principal axis that it crosses and
    /// whether it is the one ahead; corners from the cuboid's centre (m).
    pub fn faces(&self, half: &[V; 3]) -> Vec<((usize, bool), [V; 4])> {
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
    pub fn every(&self) -> String {
        let times = &self.track.times;
        match self.strobes.snapshots[..] {
            [first, second, ..] => format!("every {} s", number(times[second] - times[first])),
            _ => format!("at {} s", number(times[0])),
        }
    }

    /// `15 times from 0 s to 2.8 s, every 0.2 s`
    pub fn when(&self) -> String {
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
    pub fn hides_itself(&self) -> bool {
        let [Outline { shape: Silhouette::Block { centre, .. }, .. }] = &self.outlines[..] else {
            return false;
        };
        let track: Vec<V> =
            self.strobes.snapshots.iter().map(|&snapshot| self.at(snapshot, 0, *centre)).collect();
        let steps = track.len().saturating_sub(1) as f64;
        extent(&track) < CLEAR * steps * extent(&self.outlines[0].shape.points())
    }
}
