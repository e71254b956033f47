//! A motion as glTF 2.0, for Blender and other programs that show scenes: one file of JSON with its
//! numbers inside.
//!
//! Every body is a node with the mesh of its silhouette, in body axes; its poses at the snapshots
//! are an animation. Modes are morph targets of the mesh, their amplitudes its animated weights.
//! Springs and rigid links are cylinders of length 1 along z, which the animation turns and
//! stretches. glTF has y upwards: one node above all turns the mechanism so.
//! <https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html>

use std::f64::consts::{PI, TAU};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use nalgebra::UnitQuaternion;
use serde_json::{Value, json};

use super::overlay::color;
use super::shape::{Silhouette, V, extent};
use super::stage::{MotionStage, is_drawable, vertical};
use crate::motion::{Track, modes_of};
use polhode_description::describe::Drawn;
use polhode_description::describe::{Attached, Mechanism, Point};

/// A body that turns farther between two snapshots (rad) may have turned the other way round: it
/// jumps.
const FOLLOWED: f64 = 1.2;
/// Radii of rods, of springs and links, and of points, as shares of the mechanism's size.
const ROD: f64 = 0.012;
const LINK: f64 = 0.005;
const DOT: f64 = 0.02;
/// Sides of a cylinder, and quarter turns of a sphere are cut into half as many.
const SIDES: usize = 12;
/// Points of a hull lie on one side of a plane within this share of its size.
const FLAT: f64 = 1e-9;

/// `componentType` and `target` of the standard.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// A motion as glTF.
pub struct Gltf {
    pub text: String,
    /// Names of bodies that jump from snapshot to snapshot, because they turn too far in between.
    pub jumping: Vec<String>,
}

/// The file under construction: what the numbers of the others refer to.
#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    materials: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

/// The poses of a node at the snapshots.
struct Poses {
    places: Vec<V>,
    attitudes: Vec<UnitQuaternion<f64>>,
    /// Those of what is stretched.
    sizes: Option<Vec<V>>,
    /// By snapshot, the amplitudes of the modes.
    weights: Vec<Vec<f64>>,
}

/// Corners and triangles.
#[derive(Default)]
struct Solid {
    points: Vec<V>,
    triangles: Vec<[usize; 3]>,
    /// Points of the body that corners move with, where it bends.
    carried_by: Vec<V>,
}

/// The motion of a mechanism; `None`: it has no snapshot, or has run away.
pub fn gltf(mechanism: &Mechanism, track: &Track) -> Option<Gltf> {
    if track.times.is_empty() || !is_drawable(track) {
        return None;
    }
    let stage = MotionStage::new(mechanism, track);
    let size = extent(&stage.keys(0)).max(f64::MIN_POSITIVE);
    let mut file = File::default();
    let times = file.numbers(&track.times.iter().map(|t| [*t]).collect::<Vec<_>>(), "SCALAR", None);
    let origin = V::from(track.poses[0][0].position);
    let mut jumping = Vec::new();
    let mut below = Vec::new();
    for (body, outline) in stage.outlines.iter().enumerate() {
        let name = &mechanism.bodies[body].name;
        let solids = solids(&outline.shape, size);
        let color = color(mechanism, body);
        let modes = modes_of(mechanism, body);
        let flexible = mechanism.bodies[body].flexible.as_ref();
        let displacement = |mode: usize, at: &V| {
            let alone: Vec<f64> = (0..modes.len()).map(|k| f64::from(u8::from(k == mode))).collect();
            flexible.map_or(V::zeros(), |flexible| flexible.modal.displacement((*at).into(), &alone))
        };
        let bends = solids.iter().any(|solid| !solid.carried_by.is_empty());
        let shown = if bends { modes.clone() } else { 0..0 };
        let mesh = file.mesh(name, &solids, color, shown.len(), displacement);
        let poses = Poses {
            weights: track.amplitudes.iter().map(|all| all[shown.clone()].to_vec()).collect(),
            places: track.poses.iter().map(|poses| V::from(poses[body].position) - origin).collect(),
            attitudes: (0..track.times.len()).map(|snapshot| stage.attitude(snapshot, body)).collect(),
            sizes: None,
        };
        if poses.jump() {
            jumping.push(name.clone());
        }
        below.push(file.moving(name, mesh, times, &poses));
    }
    let forces = mechanism.forces.iter().filter_map(|force| match &force.attached {
        Attached::Points(points) => Some((&force.name, force.card.drawn, points)),
        _ => None,
    });
    let joints = mechanism.joints.iter().map(|joint| (&joint.name, joint.kind.drawn, &joint.points));
    for (name, _, points) in forces.chain(joints).filter(|(_, drawn, _)| *drawn != Drawn::Nothing) {
        let mesh = file.rigid_mesh(name, &[rod(&[V::zeros(), V::z()], LINK * size)], [0x5b, 0x67, 0x70]);
        below.push(link(&mut file, &stage, name, mesh, times, points, origin));
    }
    let ground: Vec<V> = stage.ground().into_iter().map(|point| point - origin).collect();
    let balls = mechanism.contacts.iter().filter_map(|contact| (contact.kind.ball)(contact));
    let floors = balls.map(|ball| floor(V::from(ball.plane) - origin, V::from(ball.normal), size));
    let still: Vec<Solid> = ground.iter().map(|point| sphere(point, DOT * size, 0)).chain(floors).collect();
    if !still.is_empty() {
        let mesh = file.rigid_mesh("ground", &still, [0x9a, 0xa7, 0xb1]);
        below.push(file.node(json!({ "name": "ground", "mesh": mesh })));
    }
    let upright = turning(&vertical(mechanism), &V::y());
    let root = file.node(json!({
        "name": mechanism.name, "rotation": upright.coords.as_slice(), "children": below,
    }));
    Some(Gltf { text: file.finish(root), jumping })
}

/// The rotation from a direction to another. Opposites have none of their own: here they are y or
/// z, which a half turn about x turns around.
fn turning(from: &V, to: &V) -> UnitQuaternion<f64> {
    let half_turn = || UnitQuaternion::from_axis_angle(&V::x_axis(), PI);
    UnitQuaternion::rotation_between(from, to).unwrap_or_else(half_turn)
}

/// A cylinder between two points that move, from the first to the second.
fn link(
    file: &mut File,
    stage: &MotionStage<'_>,
    name: &str,
    mesh: usize,
    times: usize,
    points: &[Point; 2],
    origin: V,
) -> usize {
    let ends: Vec<[V; 2]> = (0..stage.track.times.len())
        .map(|snapshot| points.each_ref().map(|point| stage.place(snapshot, point) - origin))
        .collect();
    let poses = Poses {
        attitudes: ends.iter().map(|[a, b]| turning(&V::z(), &(b - a))).collect(),
        places: ends.iter().map(|[a, _]| *a).collect(),
        sizes: Some(ends.iter().map(|[a, b]| V::new(1.0, 1.0, (b - a).norm())).collect()),
        weights: Vec::new(),
    };
    file.moving(name, mesh, times, &poses)
}

impl Poses {
    /// Whether it turns too far between two snapshots to be followed.
    fn jump(&self) -> bool {
        self.attitudes.windows(2).any(|pair| pair[0].angle_to(&pair[1]) > FOLLOWED)
    }
}

impl File {
    fn node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// An accessor of these numbers, each of so many parts as `shape` says.
    fn numbers<const N: usize>(&mut self, rows: &[[f64; N]], shape: &str, target: Option<u32>) -> usize {
        let single = |row: &[f64; N]| row.map(|x| x as f32);
        let rows: Vec<[f32; N]> = rows.iter().map(single).collect();
        let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..N).map(|k| rows.iter().map(|row| row[k]).reduce(pick).unwrap_or_default()).collect()
        };
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        let accessor = json!({
            "bufferView": self.view(&bytes, target), "componentType": FLOAT,
            "count": rows.len(), "type": shape,
            "min": bound(f32::min), "max": bound(f32::max),
        });
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.bytes.extend_from_slice(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    fn rigid_mesh(&mut self, name: &str, solids: &[Solid], color: [u8; 3]) -> usize {
        self.mesh(name, solids, color, 0, |_, _| V::zeros())
    }

    /// Every second solid is lighter, so that a sphere is seen to turn. So many modes move its
    /// points, each by its displacement of unit amplitude (m).
    fn mesh(
        &mut self,
        name: &str,
        solids: &[Solid],
        color: [u8; 3],
        modes: usize,
        displacement: impl Fn(usize, &V) -> V,
    ) -> usize {
        let mut primitives = Vec::new();
        for (k, solid) in solids.iter().enumerate() {
            let points: Vec<[f64; 3]> = solid.points.iter().map(|p| (*p).into()).collect();
            let points = self.numbers(&points, "VEC3", Some(ARRAY_BUFFER));
            let corners = solid.triangles.iter().flatten();
            let bytes: Vec<u8> = corners.flat_map(|k| (*k as u32).to_le_bytes()).collect();
            let indices = json!({
                "bufferView": self.view(&bytes, Some(ELEMENT_ARRAY_BUFFER)), "componentType": UNSIGNED_INT,
                "count": 3 * solid.triangles.len(), "type": "SCALAR",
            });
            self.accessors.push(indices);
            let light = if k % 2 == 0 { 0.0 } else { 0.6 };
            let mut primitive = json!({
                "attributes": { "POSITION": points }, "indices": self.accessors.len() - 1,
                "material": self.material(color, light),
            });
            let target = |mode: usize| {
                let moved = solid.carried_by.iter().map(|at| displacement(mode, at).into());
                let moved = self.numbers(&moved.collect::<Vec<[f64; 3]>>(), "VEC3", Some(ARRAY_BUFFER));
                json!({ "POSITION": moved })
            };
            if modes > 0 {
                primitive["targets"] = (0..modes).map(target).collect();
            }
            primitives.push(primitive);
        }
        self.meshes.push(json!({ "name": name, "primitives": primitives }));
        self.meshes.len() - 1
    }

    /// A colour of sRGB, this far on the way to white; glTF wants linear light.
    fn material(&mut self, color: [u8; 3], light: f64) -> usize {
        let linear = |x: f64| if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) };
        let [r, g, b] = color.map(|x| linear(f64::from(x) / 255.0 * (1.0 - light) + light));
        let material = json!({
            "pbrMetallicRoughness": {
                "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7
            },
            "doubleSided": true,
        });
        let known = self.materials.iter().position(|other| *other == material);
        known.unwrap_or_else(|| {
            self.materials.push(material);
            self.materials.len() - 1
        })
    }

    /// A node whose place, attitude and size are animated.
    fn moving(&mut self, name: &str, mesh: usize, times: usize, poses: &Poses) -> usize {
        let vectors = |all: &[V]| all.iter().map(|v| (*v).into()).collect::<Vec<[f64; 3]>>();
        let mut turns: Vec<[f64; 4]> = poses.attitudes.iter().map(|q| q.coords.into()).collect();
        // Neighbours on one side of the sphere, so that a program need not look for the shorter
        // way.
        for k in 1..turns.len() {
            let dot: f64 = turns[k - 1].iter().zip(turns[k]).map(|(a, b)| a * b).sum();
            if dot < 0.0 {
                turns[k] = turns[k].map(|x| -x);
            }
        }
        let place = &vectors(&poses.places)[0];
        let start = json!({ "name": name, "mesh": mesh, "translation": place, "rotation": turns[0] });
        let node = self.node(start);
        let places = self.numbers(&vectors(&poses.places), "VEC3", None);
        let turns = self.numbers(&turns, "VEC4", None);
        let mut paths = vec![("translation", places), ("rotation", turns)];
        if let Some(sizes) = &poses.sizes {
            self.nodes[node]["scale"] = json!(vectors(sizes)[0]);
            paths.push(("scale", self.numbers(&vectors(sizes), "VEC3", None)));
        }
        let weights: Vec<[f64; 1]> = poses.weights.iter().flatten().map(|weight| [*weight]).collect();
        if !weights.is_empty() {
            self.nodes[node]["weights"] = json!(poses.weights[0]);
            paths.push(("weights", self.numbers(&weights, "SCALAR", None)));
        }
        for (path, output) in paths {
            let interpolation = if poses.jump() { "STEP" } else { "LINEAR" };
            self.channels
                .push(json!({ "sampler": self.samplers.len(), "target": { "node": node, "path": path } }));
            self.samplers.push(json!({ "input": times, "output": output, "interpolation": interpolation }));
        }
        node
    }

    fn finish(self, root: usize) -> String {
        let uri = format!("data:application/octet-stream;base64,{}", BASE64.encode(&self.bytes));
        json!({
            "asset": { "version": "2.0", "generator": concat!("polhode ", env!("CARGO_PKG_VERSION")) },
            "scene": 0, "scenes": [{ "nodes": [root] }], "nodes": self.nodes, "meshes": self.meshes,
            "materials": self.materials, "accessors": self.accessors, "bufferViews": self.views,
            "buffers": [{ "byteLength": self.bytes.len(), "uri": uri }],
            "animations": [{ "name": "motion", "samplers": self.samplers, "channels": self.channels }],
        })
        .to_string()
    }
}

/// The parts of a shape, in body axes.
fn solids(shape: &Silhouette, size: f64) -> Vec<Solid> {
    match shape {
        Silhouette::Point => vec![sphere(&V::zeros(), DOT * size, 0)],
        Silhouette::Rod(ends) => vec![rod(ends, ROD * size)],
        Silhouette::Lines(lines) => {
            let pieces = lines.iter().flat_map(|line| line.windows(2));
            vec![joined(pieces.map(|ends| carried(rod(&[ends[0], ends[1]], ROD * size), ends)))]
        }
        Silhouette::Hull(points) => vec![Solid { carried_by: points.clone(), ..hull(points) }],
        Silhouette::Block { .. } => vec![hull(&shape.points())],
        Silhouette::Sphere { centre, radius } => {
            vec![sphere(centre, *radius, 1), sphere(centre, *radius, 2)]
        }
    }
}

/// A rod whose corners move with its ends, which they belong to in turn.
fn carried(rod: Solid, ends: &[V]) -> Solid {
    Solid { carried_by: (0..rod.points.len()).map(|corner| ends[corner % 2]).collect(), ..rod }
}

/// Solids as one, of one colour.
fn joined(parts: impl Iterator<Item = Solid>) -> Solid {
    parts.fold(Solid::default(), |mut all, part| {
        let first = all.points.len();
        all.points.extend(part.points);
        all.carried_by.extend(part.carried_by);
        all.triangles.extend(part.triangles.iter().map(|corners| corners.map(|corner| first + corner)));
        all
    })
}

/// A sphere, or of its eight octants every second one: 1 or 2 says which four.
fn sphere(centre: &V, radius: f64, octants: usize) -> Solid {
    let (around, along) = (2 * SIDES, SIDES);
    let at = |i: usize, j: usize| {
        let (a, b) = (TAU * i as f64 / around as f64, PI * j as f64 / along as f64);
        centre + radius * V::new(b.sin() * a.cos(), b.sin() * a.sin(), b.cos())
    };
    let mut solid = Solid::default();
    for i in 0..=around {
        solid.points.extend((0..=along).map(|j| at(i, j)));
    }
    let corner = |i: usize, j: usize| i * (along + 1) + j;
    for i in 0..around {
        for j in 0..along {
            let octant = (4 * i / around + 2 * j / along) % 2 + 1;
            if octants == 0 || octants == octant {
                let [a, b, c, d] = [corner(i, j), corner(i, j + 1), corner(i + 1, j + 1), corner(i + 1, j)];
                solid.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    solid
}

/// A cylinder about the line between two points.
fn rod(ends: &[V; 2], radius: f64) -> Solid {
    let along = (ends[1] - ends[0]).try_normalize(0.0).unwrap_or(V::z());
    let aside = along.cross(&V::ith(along.iamin(), 1.0)).normalize();
    let third = along.cross(&aside);
    let mut solid = Solid::default();
    for k in 0..SIDES {
        let (sin, cos) = (TAU * k as f64 / SIDES as f64).sin_cos();
        let out = radius * (cos * aside + sin * third);
        solid.points.extend(ends.map(|end| end + out));
    }
    let [low, high] = [2 * SIDES, 2 * SIDES + 1];
    solid.points.extend(ends);
    for k in 0..SIDES {
        let [a, b] = [2 * k, 2 * k + 1];
        let [c, d] = [2 * ((k + 1) % SIDES), 2 * ((k + 1) % SIDES) + 1];
        solid.triangles.extend([[a, c, b], [b, c, d], [low, c, a], [high, b, d]]);
    }
    solid
}

/// The convex hull: of every three points, the triangle that has all others on one side. Bodies
/// have some ten points.
fn hull(points: &[V]) -> Solid {
    let near = FLAT * extent(points).powi(3);
    let mut solid = Solid { points: points.to_vec(), ..Solid::default() };
    for a in 0..points.len() {
        for b in a + 1..points.len() {
            for c in b + 1..points.len() {
                let normal = (points[b] - points[a]).cross(&(points[c] - points[a]));
                let side = |p: &V| normal.dot(&(p - points[a]));
                let (before, behind) =
                    (points.iter().any(|p| side(p) > near), points.iter().any(|p| side(p) < -near));
                if normal.norm() > 0.0 && !(before && behind) {
                    solid.triangles.push(if before { [a, c, b] } else { [a, b, c] });
                }
            }
        }
    }
    solid
}

/// A square of a plane.
fn floor(point: V, normal: V, size: f64) -> Solid {
    let aside = normal.cross(&V::ith(normal.iamin(), 1.0)).normalize() * size;
    let third = normal.cross(&aside);
    let points = vec![point + aside, point + third, point - aside, point - third];
    Solid { points, triangles: vec![[0, 1, 2], [0, 2, 3]], ..Solid::default() }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::Pose;
    use polhode_files::read_mechanism;

    fn shipped(name: &str) -> Mechanism {
        read_mechanism(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms").join(name)).unwrap()
    }

    /// Numbers of an accessor, by row.
    fn rows(file: &Value, accessor: &Value) -> Vec<Vec<f64>> {
        let accessor = &file["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &file["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let uri = file["buffers"][0]["uri"].as_str().unwrap();
        let bytes = BASE64.decode(uri.split_once(',').unwrap().1).unwrap();
        assert_eq!(bytes.len() as u64, file["buffers"][0]["byteLength"].as_u64().unwrap());
        let [from, length] = ["byteOffset", "byteLength"].map(|key| view[key].as_u64().unwrap() as usize);
        let width = ["SCALAR", "", "VEC3", "VEC4"].iter().position(|kind| accessor["type"] == *kind).unwrap();
        let width = if width == 0 { 1 } else { width + 1 };
        let is_index = accessor["componentType"] == UNSIGNED_INT;
        let number = |four: &[u8]| {
            let four: [u8; 4] = four.try_into().unwrap();
            if is_index { f64::from(u32::from_le_bytes(four)) } else { f64::from(f32::from_le_bytes(four)) }
        };
        let numbers: Vec<f64> = bytes[from..from + length].chunks_exact(4).map(number).collect();
        assert_eq!(numbers.len(), width * accessor["count"].as_u64().unwrap() as usize);
        numbers.chunks_exact(width).map(<[f64]>::to_vec).collect()
    }

    /// A body that turns about z and flies along x.
    fn flight(mechanism: &Mechanism, rate: f64) -> Track {
        // Tables hold the quaternion whose scalar is not negative.
        let pose = |t: f64| {
            let (sin, cos) = (rate * t / 2.0).sin_cos();
            Pose { position: [2.0 + t, 0.0, 0.0], attitude: [cos.abs(), 0.0, 0.0, sin * cos.signum()] }
        };
        let times: Vec<f64> = (0..9).map(|k| 0.5 * f64::from(k)).collect();
        let poses = times.iter().map(|t| vec![pose(*t); mechanism.bodies.len()]).collect();
        let modes = mechanism.bodies.iter().map(polhode_description::describe::Body::modes).sum();
        Track { instance: 0, amplitudes: vec![vec![0.1; modes]; times.len()], times, poses }
    }

    #[test]
    fn the_animation_has_the_poses_of_the_snapshots() {
        let mechanism = shipped("free_body.toml");
        let track = flight(&mechanism, 2.0);
        let made = gltf(&mechanism, &track).unwrap();
        assert!(made.jumping.is_empty());
        let file: Value = serde_json::from_str(&made.text).unwrap();
        let animation = &file["animations"][0];
        for (channel, width) in [(0, 3), (1, 4)] {
            let sampler = &animation["samplers"][channel];
            let times: Vec<f64> = rows(&file, &sampler["input"]).concat();
            assert_eq!(times, track.times);
            for (row, pose) in rows(&file, &sampler["output"]).iter().zip(&track.poses) {
                let [w, x, y, z] = pose[0].attitude;
                let [a, b, c] = pose[0].position;
                let expected = if width == 3 { vec![a - 2.0, b, c] } else { vec![x, y, z, w] };
                let sign = if width == 4 && row[3] * w < 0.0 { -1.0 } else { 1.0 };
                for (x, expected) in row.iter().zip(expected) {
                    assert!((sign * x - expected).abs() < 1e-6, "{row:?} {pose:?}");
                }
            }
        }
        // Neighbours never have opposite signs: 8 rad are more than a turn.
        let turns = rows(&file, &animation["samplers"][1]["output"]);
        assert!(turns.windows(2).all(|w| w[0].iter().zip(&w[1]).map(|(a, b)| a * b).sum::<f64>() > 0.0));
        assert_eq!(gltf(&mechanism, &flight(&mechanism, 3.0)).unwrap().jumping, ["body"]);
        assert!(gltf(&mechanism, &Track::default()).is_none());
    }

    /// Corners that a viewer moves by weights and carries by the pose are where the body's points
    /// are.
    #[test]
    fn weights_bend_a_mesh_as_amplitudes_bend_the_body() {
        let mechanism = shipped("slider_crank_elastic.toml");
        let track = flight(&mechanism, 0.5);
        let body = mechanism.bodies.iter().position(|body| body.flexible.is_some()).unwrap();
        let stage = MotionStage::new(&mechanism, &track);
        let Silhouette::Lines(lines) = &stage.outlines[body].shape else { panic!("no lines") };
        let file: Value = serde_json::from_str(&gltf(&mechanism, &track).unwrap().text).unwrap();
        let node = &file["nodes"][body];
        let primitive = &file["meshes"][node["mesh"].as_u64().unwrap() as usize]["primitives"][0];
        let corners = rows(&file, &primitive["attributes"]["POSITION"]);
        let targets = primitive["targets"].as_array().unwrap();
        let animation = &file["animations"][0];
        let channels = animation["channels"].as_array().unwrap();
        let of_weights =
            |channel: &&Value| channel["target"]["path"] == "weights" && channel["target"]["node"] == body;
        let sampler = channels.iter().find(of_weights).unwrap()["sampler"].as_u64().unwrap() as usize;
        let weights = rows(&file, &animation["samplers"][sampler]["output"]).concat();
        assert_eq!(weights.len(), targets.len() * track.times.len());
        // The centres of the two ends of a piece are its last corners; the middle bends most.
        let piece = lines[0].len() / 2 - 1;
        let end = (piece + 1) * (2 * SIDES + 2) - 1;
        let place = lines[0][piece + 1];
        let at = |corner: &[f64]| V::new(corner[0], corner[1], corner[2]);
        let moved = targets.iter().zip(&weights).fold(at(&corners[end]), |sum, (target, weight)| {
            sum + at(&rows(&file, &target["POSITION"])[end]) * *weight
        });
        let pose = V::from(track.poses[0][body].position);
        let expected = stage.attitude(0, body).inverse() * (stage.at(0, body, place) - pose);
        assert!((moved - expected).norm() < 1e-5, "{moved} {expected}");
        assert!((moved - at(&corners[end])).norm() > 1e-4, "nothing bends");
    }

    /// Solids are closed and look outwards: their signed volume is that of what they stand for.
    #[test]
    fn solids_have_their_volume() {
        let volume = |solid: &Solid| {
            let tetrahedron = |[a, b, c]: &[usize; 3]| {
                solid.points[*a].dot(&solid.points[*b].cross(&solid.points[*c])) / 6.0
            };
            solid.triangles.iter().map(tetrahedron).sum::<f64>()
        };
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]].map(V::from);
        assert!((volume(&hull(&corners)) - 1.0).abs() < 1e-12);
        let prism = SIDES as f64 / 2.0 * (TAU / SIDES as f64).sin();
        assert!((volume(&rod(&[V::x(), 3.0 * V::x()], 0.5)) - 2.0 * 0.25 * prism).abs() < 1e-12);
        let ball = volume(&sphere(&V::new(1.0, 2.0, 3.0), 1.0, 0));
        assert!((ball - 4.0 / 3.0 * PI).abs() < 0.15, "{ball}");
        let halves = [1, 2].map(|k| sphere(&V::zeros(), 1.0, k)).map(|solid| volume(&solid));
        assert!((halves[0] - halves[1]).abs() < 1e-12);
    }

    /// A link leads from one of its points to the other at every snapshot, whatever the mechanism.
    #[test]
    fn all_shipped_mechanisms_are_scenes() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms");
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let mechanism = read_mechanism(&path).unwrap();
            let made = gltf(&mechanism, &flight(&mechanism, 0.5)).unwrap();
            let file: Value = serde_json::from_str(&made.text).unwrap();
            assert!(!made.text.contains("null") && !made.text.contains("NaN"), "{}", path.display());
            for mesh in file["meshes"].as_array().unwrap() {
                for primitive in mesh["primitives"].as_array().unwrap() {
                    let points = rows(&file, &primitive["attributes"]["POSITION"]).len() as f64;
                    let corners = rows(&file, &primitive["indices"]).concat();
                    assert!(!corners.is_empty() && corners.iter().all(|k| *k < points), "{}", path.display());
                }
            }
        }
    }
}
