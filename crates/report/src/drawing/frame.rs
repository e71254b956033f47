//! Axes of equal scale about what is drawn: two along the edges of a plane picture, or three along
//! the edges of a box.

use kuva::render::render::TextAnchor;

use super::canvas::{Canvas, GRID, Pixel, SOFT};
use super::shape::V;
use super::stage::WIDTH;
use super::view::View;

const TITLE: u32 = 22;
const LABEL: u32 = 20;
const TICK: u32 = 17;
/// Room above the axes.
const TOP: f64 = 84.0;
/// Lowest and greatest height of a picture.
const HEIGHTS: (f64, f64) = (400.0, 860.0);
/// Pixels between ticks, at least.
const APART: f64 = 74.0;
/// A coordinate farther than so many times the range from zero has an offset.
const FAR: f64 = 1e3;

/// Where points of space are in the picture.
pub struct Viewport {
    view: View,
    /// Pixels a metre.
    pub scale: f64,
    /// Pixel of the point that is projected to zero.
    origin: Pixel,
    pub height: f64,
    /// Where the room right of the axes begins.
    pub right: f64,
}

/// The view, the title and the margin that axes are drawn with.
pub struct Room<'a> {
    pub view: View,
    pub title: &'a str,
    /// Kept free at the right.
    pub legend: f64,
}

impl Viewport {
    pub fn pixel(&self, p: V) -> Pixel {
        let (x, y) = self.view.project(p);
        (self.origin.0 + self.scale * x, self.origin.1 - self.scale * y)
    }
}

/// A range of a coordinate (m).
#[derive(Clone, Copy, Debug)]
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    fn over(values: impl Iterator<Item = f64>) -> Range {
        let none = Range { low: f64::INFINITY, high: f64::NEG_INFINITY };
        values.fold(none, |r, x| Range { low: r.low.min(x), high: r.high.max(x) })
    }

    fn length(&self) -> f64 {
        self.high - self.low
    }

    fn middle(&self) -> f64 {
        self.low + 0.5 * self.length()
    }

    /// At least this long, about the same middle.
    fn at_least(self, length: f64) -> Range {
        let missing = (length - self.length()).max(0.0) / 2.0;
        Range { low: self.low - missing, high: self.high + missing }
    }

    /// The multiples of `step` in it.
    fn ticks(&self, step: f64) -> Vec<f64> {
        let (first, last) =
            ((self.low / step - 1e-6).ceil() as i64, (self.high / step + 1e-6).floor() as i64);
        (first..=last).map(|k| k as f64 * step).collect()
    }
}

/// 1, 2 or 5 times a power of ten, not below `least`.
pub fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|step| *step >= least * 0.999)
        .unwrap_or(least)
}

/// The unit in which lengths of this size are shown: how many make a metre, and its name.
pub fn unit(length: f64) -> (f64, &'static str) {
    match length {
        x if x < 2e-5 => (1e6, "µm"),
        x if x < 2e-2 => (1e3, "mm"),
        x if x < 2e4 => (1.0, "m"),
        _ => (1e-3, "km"),
    }
}

/// A number in as few digits as it needs.
pub fn short(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.replace('-', "−") }
}

/// A coordinate's axis: what its ticks and its label say.
struct Scale {
    offset: f64,
    factor: f64,
    unit: &'static str,
}

impl Scale {
    fn new(range: Range, step: f64) -> Scale {
        let (factor, unit) = unit(range.length());
        let far = range.middle().abs() > FAR * range.length();
        let offset = if far { (range.middle() / step).floor() * step } else { 0.0 };
        Scale { offset, factor, unit }
    }

    fn tick(&self, value: f64) -> String {
        short((value - self.offset) * self.factor)
    }

    fn label(&self, name: &str) -> String {
        match self.offset {
            0.0 => format!("{name} ({})", self.unit),
            offset => {
                let sign = if offset < 0.0 { '+' } else { '−' };
                format!("{name} {sign} {} ({})", short(offset.abs() * self.factor), self.unit)
            }
        }
    }
}

/// `x`, or `0.8 x + 0.6 y` of a direction that is no space axis.
fn name(direction: V) -> String {
    let mut text = String::new();
    for (component, axis) in direction.iter().zip(["x", "y", "z"]) {
        if component.abs() < 1e-9 {
            continue;
        }
        let sign = match (text.is_empty(), *component < 0.0) {
            (true, false) => "",
            (true, true) => "−",
            (false, false) => " + ",
            (false, true) => " − ",
        };
        let size = component.abs();
        let factor = if size == 1.0 { String::new() } else { format!("{size:.2} ") };
        text += &format!("{sign}{factor}{axis}");
    }
    text
}

/// Two axes about these points.
pub fn plane(canvas: &mut Canvas, room: &Room<'_>, points: &[V]) -> Viewport {
    const LEFT: f64 = 92.0;
    const BOTTOM: f64 = 74.0;
    let extent = |along: V| Range::over(points.iter().map(|p| along.dot(p)));
    let (mut x, mut y) = (extent(room.view.right), extent(room.view.up));
    let size = x.length().max(y.length());
    let size = if size > 0.0 { size } else { 1.0 };
    let margin = 0.05 * size;
    (x, y) = (x.at_least(x.length() + 2.0 * margin), y.at_least(y.length() + 2.0 * margin));
    let width = WIDTH - LEFT - room.legend;
    let scale = (width / x.length()).min((HEIGHTS.1 - TOP - BOTTOM) / y.length());
    (x, y) = (x.at_least(width / scale), y.at_least((HEIGHTS.0 - TOP - BOTTOM) / scale));
    let tall = y.length() * scale;
    let frame = Viewport {
        view: room.view,
        scale,
        origin: (LEFT - scale * x.low, TOP + scale * y.high),
        height: TOP + tall + BOTTOM,
        right: LEFT + width,
    };

    let step = round_step(APART / scale);
    let across = Scale::new(x, step);
    let upwards = Scale::new(y, step);
    let (bottom, right) = (TOP + tall, LEFT + width);
    canvas.begin("axes");
    for tick in x.ticks(step) {
        let at = frame.origin.0 + scale * tick;
        canvas.line((at, TOP), (at, bottom), GRID, 1.0);
        canvas.line((at, bottom), (at, bottom + 5.0), SOFT, 1.2);
        canvas.text((at, bottom + 23.0), &across.tick(tick), TICK, TextAnchor::Middle);
    }
    for tick in y.ticks(step) {
        let at = frame.origin.1 - scale * tick;
        canvas.line((LEFT, at), (right, at), GRID, 1.0);
        canvas.line((LEFT - 5.0, at), (LEFT, at), SOFT, 1.2);
        canvas.text((LEFT - 10.0, at + 6.0), &upwards.tick(tick), TICK, TextAnchor::End);
    }
    canvas.polyline(vec![(LEFT, TOP), (LEFT, bottom), (right, bottom)], SOFT, 1.4);
    let (right, up) = (name(room.view.right), name(room.view.up));
    canvas.text((LEFT + width / 2.0, bottom + 56.0), &across.label(&right), LABEL, TextAnchor::Middle);
    canvas.text((LEFT - 10.0, TOP - 16.0), &upwards.label(&up), LABEL, TextAnchor::Start);
    title(canvas, room);
    canvas.end();
    frame
}

pub fn title(canvas: &mut Canvas, room: &Room<'_>) {
    canvas.text((WIDTH / 2.0, 34.0), room.title, TITLE, TextAnchor::Middle);
}

/// The box about a motion, with its axes along three of its edges.
struct AxisBox {
    ranges: [Range; 3],
    /// Between ticks (m).
    step: f64,
    /// Whether the high end of each axis is near.
    near: [bool; 3],
    /// The axis that runs up in the picture, and whether the floor is at its high end.
    upright: usize,
    floor: bool,
}

impl AxisBox {
    fn about(points: &[V], view: &View) -> AxisBox {
        let ranges = [0, 1, 2].map(|k| Range::over(points.iter().map(|p| p[k])));
        let size = ranges.iter().map(Range::length).fold(0.0, f64::max);
        let size = if size > 0.0 { size } else { 1.0 };
        let step = round_step(size / 8.0);
        // Out to whole ticks; a flat motion too has a box with room for ticks at all its edges.
        let ranges = ranges.map(|range| {
            let range = range.at_least(0.999 * step);
            Range {
                low: (range.low / step + 1e-6).floor() * step,
                high: (range.high / step - 1e-6).ceil() * step,
            }
        });
        // Which way an axis runs in the picture tells which end of it is near, left or above.
        let (towards, up) = (view.towards, view.up);
        let upright = (0..3).max_by(|&a, &b| up[a].abs().total_cmp(&up[b].abs())).unwrap_or(2);
        let near = [0, 1, 2].map(|k| towards[k] > 0.0);
        AxisBox { ranges, step, near, upright, floor: up[upright] < 0.0 }
    }

    fn end(&self, k: usize, far: bool) -> f64 {
        if far { self.ranges[k].high } else { self.ranges[k].low }
    }

    fn corner(&self, far: [bool; 3]) -> V {
        V::new(self.end(0, far[0]), self.end(1, far[1]), self.end(2, far[2]))
    }

    fn corners(&self) -> impl Iterator<Item = V> {
        (0..8).map(|c| self.corner([0, 1, 2].map(|k| c & (1 << k) != 0)))
    }

    fn grids(&self, canvas: &mut Canvas, frame: &Viewport) {
        // Grids on the floor and the two far walls.
        for (k, near) in self.near.into_iter().enumerate() {
            let wall = if k == self.upright { self.floor } else { !near };
            for (a, b) in [((k + 1) % 3, (k + 2) % 3), ((k + 2) % 3, (k + 1) % 3)] {
                for tick in self.ranges[a].ticks(self.step) {
                    let mut from = V::ith(k, 1.0) * self.end(k, wall) + V::ith(a, 1.0) * tick;
                    let mut to = from;
                    from[b] = self.ranges[b].low;
                    to[b] = self.ranges[b].high;
                    canvas.line(frame.pixel(from), frame.pixel(to), GRID, 1.0);
                }
            }
        }
    }

    /// The axis k with its ticks and its name.
    fn axis(&self, canvas: &mut Canvas, frame: &Viewport, room: &Room<'_>, k: usize) {
        // The edge: of a level axis the near one of the floor, of the upright axis the leftmost.
        let mut far = self.near;
        far[self.upright] = self.floor;
        if k == self.upright {
            for l in (0..3).filter(|l| *l != self.upright) {
                far[l] = room.view.right[l] < 0.0;
            }
        }
        let at = |value: f64| {
            let mut p = self.corner(far);
            p[k] = value;
            frame.pixel(p)
        };
        let (from, to) = (at(self.ranges[k].low), at(self.ranges[k].high));
        canvas.line(from, to, SOFT, 1.4);
        // Labels stand to the left of the upright edge, else below the edge.
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1e-9);
        let (mut nx, mut ny) = (-dy / length, dx / length);
        let inwards = if k == self.upright { nx > 0.0 } else { ny < 0.0 };
        if inwards {
            (nx, ny) = (-nx, -ny);
        }
        let anchor = match nx {
            nx if nx < -0.3 => TextAnchor::End,
            nx if nx > 0.3 => TextAnchor::Start,
            _ => TextAnchor::Middle,
        };
        let beside = |(x, y): Pixel, by: f64| (x + by * nx, y + by * ny);
        let scale_of = Scale::new(self.ranges[k], self.step);
        let ticks = self.ranges[k].ticks(self.step);
        let longest = ticks.iter().map(|tick| scale_of.tick(*tick).chars().count()).max().unwrap_or(0);
        let wide = 16.0 + 0.62 * f64::from(TICK) * longest as f64;
        // Where the two level edges meet the one to the left has the label.
        let shared = (k != self.upright && nx > 0.0)
            .then(|| if self.near[k] { ticks.len().saturating_sub(1) } else { 0 });
        for (i, tick) in ticks.into_iter().enumerate() {
            let p = at(tick);
            canvas.line(p, beside(p, 5.0), SOFT, 1.2);
            if shared != Some(i) {
                let (x, y) = beside(p, 12.0);
                canvas.text((x, y + 6.0 + 6.0 * ny.max(0.0)), &scale_of.tick(tick), TICK, anchor);
            }
        }
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let label = scale_of.label(&name(V::ith(k, 1.0)));
        if k == self.upright {
            let high = if from.1 < to.1 { from } else { to };
            canvas.text((high.0, high.1 - 16.0), &label, LABEL, TextAnchor::Middle);
        } else {
            // Clear of the ticks' labels: beside them where they stand beside the edge, else below
            // them.
            let (x, y) = match anchor {
                TextAnchor::Middle => beside(middle, 46.0),
                TextAnchor::Start => (beside(middle, 12.0).0 + wide, beside(middle, 18.0).1),
                TextAnchor::End => (beside(middle, 12.0).0 - wide, beside(middle, 18.0).1),
            };
            canvas.text((x, y + 8.0), &label, LABEL, anchor);
        }
    }
}

/// Three axes along the edges of a box about these points: the two lower front ones and the left
/// upright one.
pub fn space(canvas: &mut Canvas, room: &Room<'_>, points: &[V]) -> Viewport {
    const LEFT: f64 = 84.0;
    const RIGHT: f64 = 92.0;
    const BOTTOM: f64 = 74.0;
    let about = AxisBox::about(points, &room.view);
    let projected: Vec<(f64, f64)> = about.corners().map(|p| room.view.project(p)).collect();
    let (x, y) = (Range::over(projected.iter().map(|p| p.0)), Range::over(projected.iter().map(|p| p.1)));
    let width = WIDTH - LEFT - RIGHT - room.legend;
    let scale = (width / x.length()).min((HEIGHTS.1 - TOP - BOTTOM) / y.length());
    let height = (TOP + BOTTOM + scale * y.length()).max(HEIGHTS.0);
    let frame = Viewport {
        view: room.view,
        scale,
        origin: (
            LEFT + width / 2.0 - scale * x.middle(),
            TOP + (height - TOP - BOTTOM) / 2.0 + scale * y.middle(),
        ),
        height,
        right: WIDTH - room.legend,
    };
    canvas.begin("axes");
    about.grids(canvas, &frame);
    (0..3).for_each(|k| about.axis(canvas, &frame, room, k));
    title(canvas, room);
    canvas.end();
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (least, step) in [(0.9, 1.0), (1.0, 1.0), (1.1, 2.0), (0.03, 0.05), (70.0, 100.0), (5.0, 5.0)] {
            assert!((round_step(least) / step - 1.0).abs() < 1e-12, "{least}: {}", round_step(least));
        }
    }

    #[test]
    fn directions_are_named() {
        assert_eq!(name(V::x()), "x");
        assert_eq!(name(-V::z()), "−z");
        assert_eq!(name(V::new(0.6, -0.8, 0.0)), "0.60 x − 0.80 y");
    }

    #[test]
    fn lengths_are_told_in_their_unit() {
        assert_eq!([3e-6, 4e-3, 5.0, 6e5].map(|x| unit(x).1), ["µm", "mm", "m", "km"]);
        let far = Scale::new(Range { low: 6_700_000.0, high: 6_700_010.0 }, 2.0);
        assert_eq!((far.tick(6_700_006.0), far.label("x")), ("2".to_owned(), "x − 6700004 (m)".to_owned()));
    }

    /// One metre is as many pixels along both axes, and what is drawn is inside them.
    #[test]
    fn scales_are_equal_and_all_is_inside() {
        let points = [V::new(-1.0, 0.0, -0.2), V::new(3.0, 0.0, 0.3), V::new(0.0, 0.0, 4.0)];
        for points in [&points[..], &points[..2], &points[..1]] {
            for (view, draw) in [
                (View::onto(V::y(), V::z()), plane as fn(&mut Canvas, &Room<'_>, &[V]) -> Viewport),
                (View::oblique(V::z()), space),
            ] {
                let room = Room { view, title: "", legend: 30.0 };
                let frame = draw(&mut Canvas::default(), &room, points);
                let (a, b, c) = (frame.pixel(V::zeros()), frame.pixel(view.right), frame.pixel(view.up));
                assert!(
                    (b.0 - a.0 - frame.scale).abs() < 1e-9 * frame.scale
                        && (b.1 - a.1).abs() < 1e-9 * frame.scale
                );
                assert!((a.1 - c.1 - frame.scale).abs() < 1e-9 * frame.scale);
                for p in points {
                    let (x, y) = frame.pixel(*p);
                    assert!(
                        x > 80.0 && x < frame.right && y > TOP - 1e-6 && y < frame.height - 70.0,
                        "{x} {y}"
                    );
                }
                assert!(frame.height >= HEIGHTS.0 && frame.height <= HEIGHTS.1 + 1.0);
            }
        }
    }
}
