//! All positions of a mechanism in one picture.

use kuva::render::render::{Scene, TextAnchor};

use super::canvas::{Canvas, INK, PAPER, Pixel, Rgb, SOFT, hull, smooth, tint};
use super::frame::{self, Room, Viewport};
use super::shape::{Outline, Silhouette, V, extent, farthest};
use super::stage::{COLORS, MotionStage, WIDTH};
use polhode_description::describe::Drawn;
use polhode_description::describe::contact::Ball;
use polhode_description::describe::{Attached, Mechanism, Point};

/// Share of a body's colour at the first position; the last one has all of it.
const FAINTEST: f64 = 0.2;
/// Share of a body's colour in paths.
const PATH: f64 = 0.45;
/// Points of a path, about.
const PATH_POINTS: usize = 600;
const NAMES: u32 = 17;
/// Bodies and beams that the legend names, and the letters it has for each.
const NAMED: usize = 18;
const LETTERS: usize = 20;

pub fn draw(stage: &MotionStage<'_>, title: &str) -> Scene {
    let paths = paths(stage);
    let mut shown: Vec<V> = paths.iter().flat_map(|path| path.way.iter().copied()).collect();
    for &snapshot in &stage.strobes.snapshots {
        shown.extend(stage.keys(snapshot));
        shown.extend(rims(stage, snapshot));
    }
    let mut canvas = Canvas::default();
    let names = names(stage);
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let legend = if names.is_empty() { 30.0 } else { 68.0 + 10.4 * longest as f64 };
    let room = Room { view: stage.view, title, legend };
    let frame = if stage.planar {
        frame::plane(&mut canvas, &room, &shown)
    } else {
        frame::space(&mut canvas, &room, &shown)
    };

    floors(stage, &mut canvas, &frame, &shown);
    // Blocks are filled: their paths lie above them, others below what they belong to.
    let is_block = |body: usize| matches!(stage.outlines[body].shape, Silhouette::Block { .. });
    let draw_paths = |canvas: &mut Canvas, of_blocks: bool| {
        canvas.begin("paths");
        for Path { body, way, .. } in paths.iter().filter(|path| is_block(path.body) == of_blocks) {
            let pixels: Vec<Pixel> = way.iter().map(|p| frame.pixel(*p)).collect();
            canvas.polyline(smooth(&pixels), tint(color(stage.mechanism, *body), PATH), 1.2);
        }
        canvas.end();
    };
    draw_paths(&mut canvas, false);
    let last = stage.strobes.snapshots.len() - 1;
    for (k, &snapshot) in stage.strobes.snapshots.iter().enumerate() {
        let share = if last == 0 { 1.0 } else { k as f64 / last as f64 };
        // The eye tells faint tints apart less well than strong ones; the last position stands out.
        let strength = if k == last { 1.0 } else { FAINTEST + (0.75 - FAINTEST) * share };
        canvas.begin("strobe");
        position(stage, &mut canvas, &frame, snapshot, strength, k == last);
        canvas.end();
    }
    draw_paths(&mut canvas, true);
    canvas.begin("ground");
    for point in stage.ground() {
        canvas.disc(frame.pixel(point), 6.0, PAPER, INK, 2.2);
    }
    canvas.end();
    canvas.begin("legend");
    for (row, name) in names.iter().enumerate() {
        let y = 74.0 + 27.0 * row as f64;
        let x = frame.right + 14.0;
        if row < NAMED {
            canvas.line((x, y), (x + 26.0, y), COLORS[row % COLORS.len()], 4.0);
        }
        canvas.text((x + 35.0, y + 6.0), name, NAMES, TextAnchor::Start);
    }
    canvas.end();
    canvas.finish(WIDTH, frame.height.max(74.0 + 27.0 * names.len() as f64))
}

/// That of the body, or of its beam, which comes after those that are no nodes.
pub fn color(mechanism: &Mechanism, body: usize) -> Rgb {
    let nodes: usize = mechanism.beams.iter().map(|beam| beam.nodes).sum();
    let row = mechanism.beam_of(body).map_or(body, |beam| mechanism.bodies.len() - nodes + beam);
    COLORS[row % COLORS.len()]
}

/// Returns the entries of the legend; none for a single body.
fn names(stage: &MotionStage<'_>) -> Vec<String> {
    let mechanism = stage.mechanism;
    let bodies = mechanism.bodies.iter().enumerate().filter(|(b, _)| mechanism.beam_of(*b).is_none());
    let beams = mechanism.beams.iter().map(|beam| &beam.name);
    let all: Vec<&String> = bodies.map(|(_, body)| &body.name).chain(beams).collect();
    if all.len() < 2 {
        return Vec::new();
    }
    let cut = |name: &String| match name.chars().count() {
        n if n > LETTERS => name.chars().take(LETTERS - 1).chain(['…']).collect(),
        _ => name.clone(),
    };
    let mut names: Vec<String> = all.iter().take(NAMED).map(|name| cut(name)).collect();
    if all.len() > NAMED {
        names.push(format!("and {} more", all.len() - NAMED));
    }
    names
}

/// One position of all bodies.
fn position(
    stage: &MotionStage<'_>,
    canvas: &mut Canvas,
    frame: &Viewport,
    snapshot: usize,
    strength: f64,
    is_last: bool,
) {
    let mechanism = stage.mechanism;
    let grey = tint(SOFT, strength);
    let ends = |points: &[Point; 2]| {
        let [a, b] = points.each_ref().map(|point| frame.pixel(stage.place(snapshot, point)));
        [a, b]
    };
    // Coils hide each other: one position of them.
    for force in mechanism.forces.iter().filter(|_| is_last) {
        let Attached::Points(points) = &force.attached else { continue };
        connect(canvas, force.card.drawn, ends(points), grey, 1.4);
    }
    for joint in &mechanism.joints {
        connect(canvas, joint.kind.drawn, ends(&joint.points), grey, 1.6);
    }
    let width = if is_last { 3.6 } else { 2.2 };
    for (body, outline) in stage.outlines.iter().enumerate() {
        let color = tint(color(mechanism, body), strength);
        let pixel = |p: V| frame.pixel(stage.at(snapshot, body, p));
        match &outline.shape {
            Silhouette::Point => {
                canvas.disc(pixel(V::zeros()), if is_last { 7.0 } else { 4.5 }, color, color, 0.0)
            }
            Silhouette::Rod([a, b]) => canvas.line(pixel(*a), pixel(*b), color, width),
            Silhouette::Lines(lines) => {
                for line in lines {
                    let pixels: Vec<Pixel> = line.iter().map(|p| pixel(*p)).collect();
                    canvas.polyline(smooth(&pixels), color, width);
                }
            }
            Silhouette::Hull(points) => {
                let points: Vec<Pixel> = points.iter().map(|p| pixel(*p)).collect();
                canvas.polygon(&hull(&points), None, color, width);
            }
            Silhouette::Block { centre, half } => {
                // Filled: what lies behind it would make its edges unreadable.
                let fill = tint(color, if is_last { 0.2 } else { 0.06 });
                let turned = half.map(|side| stage.attitude(snapshot, body) * side);
                for (_, corners) in stage.faces(&turned) {
                    let corners = corners.map(|p| frame.pixel(stage.at(snapshot, body, *centre) + p));
                    canvas.polygon(&corners, Some(fill), color, 0.5 * width);
                }
            }
            Silhouette::Sphere { centre, radius } => {
                canvas.ring(pixel(*centre), radius * frame.scale, color, 0.7 * width);
                canvas.line(pixel(*centre), pixel(centre + stage.spoke(body) * *radius), color, 0.7 * width);
            }
        }
    }
    if is_last {
        for (body, outline) in stage.outlines.iter().enumerate() {
            for joint in &outline.joints {
                canvas.disc(frame.pixel(stage.at(snapshot, body, *joint)), 4.0, PAPER, INK, 1.6);
            }
        }
    }
}

/// A force or a joint between its two points.
fn connect(canvas: &mut Canvas, drawn: Drawn, [a, b]: [Pixel; 2], color: Rgb, width: f64) {
    match drawn {
        Drawn::Nothing => {}
        Drawn::Coil => canvas.coil(a, b, color, width),
        Drawn::Line => canvas.line(a, b, color, width),
    }
}

/// The outermost points of circles (m).
fn rims(stage: &MotionStage<'_>, snapshot: usize) -> Vec<V> {
    let rim = |(body, outline): (usize, &Outline)| match outline.shape {
        Silhouette::Sphere { centre, radius } => {
            let centre = stage.at(snapshot, body, centre);
            let ends = [stage.view.right, stage.view.up]
                .map(|along| [centre + along * radius, centre - along * radius]);
            ends.concat()
        }
        _ => Vec::new(),
    };
    stage.outlines.iter().enumerate().flat_map(rim).collect()
}

/// The planes on which spheres roll, where they are seen from the side.
fn floors(stage: &MotionStage<'_>, canvas: &mut Canvas, frame: &Viewport, shown: &[V]) {
    for contact in &stage.mechanism.contacts {
        let Some(Ball { plane, normal, .. }) = (contact.kind.ball)(contact) else { continue };
        let normal = V::from(normal);
        if !stage.planar || normal.dot(&stage.view.towards).abs() > 1e-6 {
            continue;
        }
        let along = normal.cross(&stage.view.towards);
        let reach = shown.iter().map(|p| (p - V::from(plane)).dot(&along));
        let (low, high) = reach.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        let at = |along_it: f64| frame.pixel(V::from(plane) + along * along_it);
        canvas.line(at(low), at(high), SOFT, 1.6);
    }
}

/// The path of a point of a body.
pub struct Path {
    pub body: usize,
    /// In body axes (m).
    pub point: V,
    /// Where it comes by (m).
    way: Vec<V>,
}

/// Paths of the bodies' outermost points: of a rod or of lines the ends, of a hull its corners, of
/// a block its mass centre, of a sphere its centre and the end of its spoke. Points that rest, and
/// points that another body shares, have no path of their own.
pub fn paths(stage: &MotionStage<'_>) -> Vec<Path> {
    let mut paths: Vec<Path> = Vec::new();
    let size = extent(&stage.keys(0));
    let every = (stage.strobes.last() / PATH_POINTS).max(1);
    let snapshots = (0..=stage.strobes.last()).step_by(every);
    // A stretch that is not whole at the end.
    let snapshots: Vec<usize> = snapshots
        .chain((!stage.strobes.last().is_multiple_of(every)).then_some(stage.strobes.last()))
        .collect();
    for (body, outline) in stage.outlines.iter().enumerate() {
        let is_node = stage.mechanism.beam_of(body).is_some();
        let points = match &outline.shape {
            Silhouette::Point => vec![V::zeros()],
            // A beam has the paths of its ends, which are the origins of their nodes.
            Silhouette::Rod(ends) if is_node => ends.iter().filter(|p| **p == V::zeros()).copied().collect(),
            Silhouette::Rod(ends) => ends.to_vec(),
            Silhouette::Lines(lines) => farthest(&lines.concat()).to_vec(),
            Silhouette::Hull(points) => points.clone(),
            Silhouette::Block { centre, .. } => vec![*centre],
            Silhouette::Sphere { centre, radius } => vec![*centre, centre + stage.spoke(body) * *radius],
        };
        for point in points {
            let way: Vec<V> = snapshots.iter().map(|&snapshot| stage.at(snapshot, body, point)).collect();
            let far = |a: &V, b: &V| (a - b).norm() > 1e-4 * size;
            let moves = way.iter().any(|p| far(p, &way[0]));
            let known = paths.iter().any(|path| path.way.iter().zip(&way).all(|(a, b)| !far(a, b)));
            if moves && !known {
                paths.push(Path { body, point, way });
            }
        }
    }
    paths
}
