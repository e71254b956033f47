//! Positions of a free body side by side.

use kuva::render::render::{Scene, TextAnchor};

use super::canvas::{Canvas, INK, Pixel, Rgb, SOFT, tint};
use super::frame::{self, Room, round_step, short, unit};
use super::shape::{Silhouette, V, extent};
use super::stage::{COLORS, MotionStage, WIDTH};
use crate::numbers::number;

const COLUMNS: usize = 4;
const TOP: f64 = 62.0;
/// Room for axes, colours and scale at the right.
const LEGEND: f64 = 190.0;
const TEXT: u32 = 17;
/// Below a picture of the film: its time.
const TIME: f64 = 30.0;

pub fn draw(stage: &MotionStage<'_>, title: &str) -> Scene {
    let mut canvas = Canvas::default();
    let Silhouette::Block { half, .. } = &stage.outlines[0].shape else {
        return canvas.finish(WIDTH, WIDTH);
    };
    let cell = (WIDTH - LEGEND - 20.0) / COLUMNS as f64;
    let size = extent(&stage.outlines[0].shape.points());
    let scale = 0.94 * cell / size.max(f64::MIN_POSITIVE);
    // As high as any position needs.
    let reach = |snapshot: usize| {
        let turned = half.map(|side| stage.view.up.dot(&(stage.attitude(snapshot, 0) * side)).abs());
        turned.iter().sum::<f64>() * scale
    };
    let snapshots = &stage.strobes.snapshots;
    let tall = 2.0 * snapshots.iter().map(|&snapshot| reach(snapshot)).fold(0.0, f64::max) + 16.0;
    let rows = snapshots.len().div_ceil(COLUMNS);
    frame::title(&mut canvas, &Room { view: stage.view, title, legend: LEGEND });
    for (k, &snapshot) in snapshots.iter().enumerate() {
        let x = 10.0 + cell * (0.5 + (k % COLUMNS) as f64);
        let y = TOP + (tall + TIME) * (k / COLUMNS) as f64 + tall / 2.0;
        canvas.begin("strobe");
        let turned = half.map(|side| stage.attitude(snapshot, 0) * side);
        faces(stage, &mut canvas, (x, y), scale, &turned);
        let time = format!("{} s", number(stage.track.times[snapshot]));
        canvas.text((x, y + tall / 2.0 + 18.0), &time, TEXT, TextAnchor::Middle);
        canvas.end();
    }
    let bottom = legend(stage, &mut canvas, scale, size);
    canvas.finish(WIDTH, (TOP + rows as f64 * (tall + TIME) + 12.0).max(bottom))
}

/// Where the end of a vector is in the picture.
fn pixel(stage: &MotionStage<'_>, (x, y): Pixel, scale: f64, p: V) -> Pixel {
    let (right, up) = stage.view.project(p);
    (x + scale * right, y - scale * up)
}

fn faces(stage: &MotionStage<'_>, canvas: &mut Canvas, middle: Pixel, scale: f64, half: &[V; 3]) {
    for ((axis, ahead), corners) in stage.faces(half) {
        let corners = corners.map(|p| pixel(stage, middle, scale, p));
        canvas.polygon(&corners, Some(face(axis, ahead)), INK, 1.6);
    }
}

/// The colour of a face across principal axis `k`, the one towards the axis or the opposite one.
fn face(k: usize, ahead: bool) -> Rgb {
    tint(COLORS[k], if ahead { 0.85 } else { 0.3 })
}

/// The space axes, the colours of the faces and a length; returns where it ends.
fn legend(stage: &MotionStage<'_>, canvas: &mut Canvas, scale: f64, size: f64) -> f64 {
    let left = WIDTH - LEGEND + 18.0;
    canvas.begin("axes");
    let origin = (left + 62.0, TOP + 104.0);
    for (axis, name) in [(V::x(), "x"), (V::y(), "y"), (V::z(), "z")] {
        let tip = pixel(stage, origin, 62.0, axis);
        let label = pixel(stage, origin, 78.0, axis);
        canvas.line(origin, tip, SOFT, 2.0);
        canvas.text((label.0, label.1 + 6.0), name, TEXT, TextAnchor::Middle);
    }
    canvas.end();
    canvas.begin("legend");
    let mut y = TOP + 176.0;
    canvas.text((left, y), "principal axes", TEXT, TextAnchor::Start);
    for k in 0..3 {
        y += 30.0;
        for (ahead, x) in [(true, left), (false, left + 34.0)] {
            let corners = [(x, y - 15.0), (x + 26.0, y - 15.0), (x + 26.0, y + 3.0), (x, y + 3.0)];
            canvas.polygon(&corners, Some(face(k, ahead)), INK, 1.0);
        }
        canvas.text((left + 72.0, y), &format!("{}: + −", k + 1), TEXT, TextAnchor::Start);
    }
    let length = round_step(0.3 * size);
    let (factor, unit) = unit(length);
    y += 50.0;
    let end = left + scale * length;
    canvas.line((left, y), (end, y), INK, 2.0);
    for x in [left, end] {
        canvas.line((x, y - 6.0), (x, y + 6.0), INK, 2.0);
    }
    let text = format!("{} {unit}", short(length * factor));
    canvas.text((0.5 * (left + end), y + 26.0), &text, TEXT, TextAnchor::Middle);
    canvas.end();
    y + 44.0
}
