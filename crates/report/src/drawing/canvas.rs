//! The elements of a picture: lines, areas, circles and text in pixels, and colours between white
//! and a body's own.

use kuva::render::color::Color;
use kuva::render::render::{PathData, Primitive, Scene, TextAnchor};

pub const INK: [u8; 3] = [0x22, 0x22, 0x22];
pub const SOFT: [u8; 3] = [0x5b, 0x67, 0x70];
pub const GRID: [u8; 3] = [0xe4, 0xe7, 0xea];
pub const PAPER: [u8; 3] = [0xff, 0xff, 0xff];

pub type Rgb = [u8; 3];
/// Pixels, y downwards.
pub type Pixel = (f64, f64);

/// `share` of a colour on white paper.
pub fn tint(color: Rgb, share: f64) -> Rgb {
    color.map(|c| (255.0 + (f64::from(c) - 255.0) * share).round() as u8)
}

fn paint([r, g, b]: Rgb) -> Color {
    Color::Rgb(r, g, b)
}

/// A picture under way.
#[derive(Default)]
pub struct Canvas {
    elements: Vec<Primitive>,
}

impl Canvas {
    /// Anything else that the plotter draws.
    pub fn add(&mut self, element: Primitive) {
        self.elements.push(element);
    }

    pub fn line(&mut self, from: Pixel, to: Pixel, color: Rgb, width: f64) {
        self.polyline(vec![from, to], color, width);
    }

    pub fn polyline(&mut self, points: Vec<Pixel>, color: Rgb, width: f64) {
        let stroke = paint(color);
        self.elements.push(Primitive::PolyLine {
            points,
            stroke,
            stroke_width: width,
            stroke_dasharray: None,
        });
    }

    /// A closed polygon; without a `fill` one sees through it.
    pub fn polygon(&mut self, points: &[Pixel], fill: Option<Rgb>, stroke: Rgb, width: f64) {
        let corners: Vec<String> = points.iter().map(|(x, y)| format!("{x:.2} {y:.2}")).collect();
        self.elements.push(Primitive::Path(Box::new(PathData {
            d: format!("M {} Z", corners.join(" L ")),
            fill: Some(fill.map_or(Color::None, paint)),
            stroke: paint(stroke),
            stroke_width: width,
            opacity: None,
            stroke_dasharray: None,
        })));
    }

    /// A circle as a polygon: rasterised, a circle's outline does without its fill only so.
    pub fn ring(&mut self, (x, y): Pixel, radius: f64, stroke: Rgb, width: f64) {
        let corners = 48;
        let at = |k: i32| std::f64::consts::TAU * f64::from(k) / f64::from(corners);
        let points = (0..=corners).map(|k| (x + radius * at(k).cos(), y + radius * at(k).sin()));
        self.polyline(points.collect(), stroke, width);
    }

    /// A filled disc with a rim.
    pub fn disc(&mut self, (cx, cy): Pixel, r: f64, fill: Rgb, stroke: Rgb, width: f64) {
        self.elements.push(Primitive::Circle {
            cx,
            cy,
            r,
            fill: paint(fill),
            fill_opacity: None,
            stroke: Some(paint(stroke)),
            stroke_width: Some(width),
        });
    }

    /// The coil of a spring.
    pub fn coil(&mut self, from: Pixel, to: Pixel, color: Rgb, width: f64) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy);
        let turns = 12;
        let amplitude = (0.12 * length).min(5.0);
        if length < 1.0 {
            return;
        }
        let at = |k: i32| {
            let along = 0.15 + 0.7 * f64::from(k) / f64::from(turns);
            let off = if k == 0 || k == turns {
                0.0
            } else if k % 2 == 0 {
                amplitude
            } else {
                -amplitude
            };
            (from.0 + along * dx - off * dy / length, from.1 + along * dy + off * dx / length)
        };
        let points = [from].into_iter().chain((0..=turns).map(at)).chain([to]);
        self.polyline(points.collect(), color, width);
    }

    pub fn text(&mut self, (x, y): Pixel, content: &str, size: u32, anchor: TextAnchor) {
        self.elements.push(Primitive::Text {
            x,
            y,
            // The plotter reads dollars as mathematics.
            content: content.replace('$', "\\$"),
            size,
            anchor,
            rotate: None,
            bold: false,
            color: Some(paint(INK)),
        });
    }

    /// Begins a group of this class in the SVG; it holds all that is drawn until [`Canvas::end`].
    pub fn begin(&mut self, class: &str) {
        let extra_attrs = Some(format!("class=\"{class}\""));
        self.elements.push(Primitive::GroupStart { transform: None, title: None, extra_attrs });
    }

    pub fn end(&mut self) {
        self.elements.push(Primitive::GroupEnd);
    }

    pub fn finish(self, width: f64, height: f64) -> Scene {
        let mut scene = Scene::new(width, height);
        scene.font_family = Some("system-ui, 'DejaVu Sans', sans-serif".to_owned());
        scene.elements = self.elements;
        scene
    }
}

/// The convex hull of some points, counterclockwise where y points up (Andrew's monotone chain).
pub fn hull(points: &[Pixel]) -> Vec<Pixel> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let half = |points: &mut dyn Iterator<Item = Pixel>| {
        let mut chain: Vec<Pixel> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..]
                && (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0) <= 0.0
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut sorted.iter().copied());
    lower.extend(half(&mut sorted.iter().rev().copied()));
    lower
}

/// A smooth curve through equally timed points (Catmull and Rom's cubics), with steps of a few
/// pixels.
pub fn smooth(points: &[Pixel]) -> Vec<Pixel> {
    const STEP: f64 = 5.0;
    let Some(&last) = points.last() else { return Vec::new() };
    let mut curve = Vec::new();
    for k in 0..points.len() - 1 {
        let (p, q) = (points[k], points[k + 1]);
        // At the ends the chord goes on.
        let before = if k > 0 { points[k - 1] } else { (2.0 * p.0 - q.0, 2.0 * p.1 - q.1) };
        let after = points.get(k + 2).copied().unwrap_or((2.0 * q.0 - p.0, 2.0 * q.1 - p.1));
        let pieces = ((q.0 - p.0).hypot(q.1 - p.1) / STEP).ceil().clamp(1.0, 40.0) as i32;
        for piece in 0..pieces {
            let t = f64::from(piece) / f64::from(pieces);
            let cubic = |a: f64, b: f64, c: f64, d: f64| {
                b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)))
            };
            curve.push((cubic(before.0, p.0, q.0, after.0), cubic(before.1, p.1, q.1, after.1)));
        }
    }
    curve.push(last);
    curve
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_leaves_out_what_is_inside() {
        let square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)];
        let inside = [(1.0, 1.0), (0.5, 1.5), (1.0, 0.0), (2.0, 2.0)];
        assert_eq!(hull(&[&inside[..], &square].concat()), square);
        assert_eq!(hull(&[(1.0, 1.0), (0.0, 0.0), (2.0, 2.0)]).len(), 2, "a line");
        assert_eq!(hull(&[(1.0, 1.0)]).len(), 1);
    }

    #[test]
    fn curves_pass_their_points_and_are_round() {
        let at = |k: i32| (100.0 * (0.5 * f64::from(k)).cos(), 100.0 * (0.5 * f64::from(k)).sin());
        let points: Vec<Pixel> = (0..12).map(at).collect();
        let curve = smooth(&points);
        assert!(points.iter().all(|p| curve.iter().any(|c| (c.0 - p.0).hypot(c.1 - p.1) < 1e-9)));
        // Between points half a radian apart a chord is off by 3 %.
        let within = curve.iter().filter(|c| c.0.hypot(c.1) > 99.0).count();
        assert!(within * 10 > curve.len() * 8, "{within} of {}", curve.len());
        assert_eq!(smooth(&[(1.0, 2.0)]), [(1.0, 2.0)]);
        assert!(smooth(&[]).is_empty());
    }
}
