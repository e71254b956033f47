//! Dashed curves, cut into their dashes before they become pixels.
//!
//! The plotter's rasteriser begins a curve's pattern anew at every point, so that a curve of many
//! short pieces came out solid, and counts its lengths in pixels. A picture's SVG keeps curves
//! whole.

use kuva::render::render::{Primitive, Scene};

type Pixel = (f64, f64);

/// Replaces each dashed curve of `scene` by its dashes.
pub(super) fn cut_dashes(scene: &mut Scene) {
    let cut = |element| match element {
        Primitive::PolyLine { points, stroke, stroke_width, stroke_dasharray: Some(pattern) } => {
            let line = |points| Primitive::PolyLine {
                points,
                stroke: stroke.clone(),
                stroke_width,
                stroke_dasharray: None,
            };
            dashes(&points, &lengths(&pattern)).into_iter().map(line).collect()
        }
        other => vec![other],
    };
    scene.elements = std::mem::take(&mut scene.elements).into_iter().flat_map(cut).collect();
}

/// Lengths of dash and gap in turn, as in SVG's `stroke-dasharray`; none where they would not lead
/// on.
fn lengths(pattern: &str) -> Vec<f64> {
    let all: Option<Vec<f64>> = pattern.split([' ', ',']).map(|length| length.parse().ok()).collect();
    all.filter(|all| all.iter().all(|length| *length >= 0.5)).unwrap_or_default()
}

/// The pieces of a curve that are drawn: `pattern` has the lengths of dash and gap along it, in
/// turn.
fn dashes(points: &[Pixel], pattern: &[f64]) -> Vec<Vec<Pixel>> {
    let (Some(first), Some(length)) = (points.first(), pattern.first()) else { return vec![points.to_vec()] };
    let mut pieces = vec![vec![*first]];
    // Parts of the pattern that are done, and the rest of the present one.
    let (mut part, mut left) = (0, *length);
    for ends in points.windows(2) {
        let ((x, y), (to_x, to_y)) = (ends[0], ends[1]);
        let whole = (to_x - x).hypot(to_y - y);
        let mut gone = 0.0;
        while whole - gone > left {
            gone += left;
            let at = (x + (to_x - x) * gone / whole, y + (to_y - y) * gone / whole);
            if part % 2 == 0 {
                pieces.last_mut().expect("the first dash is open").push(at);
            } else {
                pieces.push(vec![at]);
            }
            part += 1;
            left = pattern[part % pattern.len()];
        }
        left -= whole - gone;
        if part % 2 == 0 {
            pieces.last_mut().expect("the first dash is open").push(ends[1]);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dash_has_its_length_however_many_points_a_curve_has() {
        for pieces in [1, 7, 1000] {
            let points: Vec<Pixel> =
                (0..=pieces).map(|k| (100.0 * f64::from(k) / f64::from(pieces), 3.0)).collect();
            let drawn: Vec<(f64, f64)> = dashes(&points, &lengths("14 8"))
                .iter()
                .map(|dash| (dash.first().unwrap().0, dash.last().unwrap().0))
                .collect();
            let expected = [(0.0, 14.0), (22.0, 36.0), (44.0, 58.0), (66.0, 80.0), (88.0, 100.0)];
            assert_eq!(drawn.len(), expected.len(), "{drawn:?}");
            for (got, wanted) in drawn.iter().zip(expected) {
                assert!((got.0 - wanted.0).abs() < 1e-9 && (got.1 - wanted.1).abs() < 1e-9, "{got:?}");
            }
        }
    }

    #[test]
    fn a_pattern_that_leads_nowhere_leaves_the_curve_whole() {
        let points = [(0.0, 0.0), (5.0, 0.0), (f64::NAN, 1.0)];
        for pattern in ["", "0 0", "4 -1", "4 x"] {
            assert_eq!(dashes(&points[..2], &lengths(pattern)), [points[..2].to_vec()], "{pattern}");
        }
        // A place that is no number ends the walk, not the program.
        assert_eq!(dashes(&points, &[2.0, 2.0]).len(), 2);
    }
}
