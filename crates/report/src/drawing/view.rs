//! From where a motion is looked at: along the normal of the plane in which it takes place, or
//! obliquely.
//!
//! ```text
//! picture = (right . p, up . p),   right x up = towards the viewer
//! ```

use nalgebra::Matrix3;

use super::shape::V;
use polhode_description::math::symmetric::symmetric_eigen;

/// A plane holds points that are off it by no more than this share of their extent.
const FLAT: f64 = 1e-6;
/// Oblique: how far the picture is turned about the vertical, and tilted (rad).
const TURNED: f64 = 0.55;
const TILTED: f64 = 0.36;

/// A parallel projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    pub right: V,
    pub up: V,
    pub towards: V,
}

impl View {
    pub fn project(&self, p: V) -> (f64, f64) {
        (self.right.dot(&p), self.up.dot(&p))
    }

    /// Along a plane's normal, with as much of the vertical upwards as there is in the plane.
    pub fn onto(normal: V, vertical: V) -> View {
        let in_plane = |a: V| a - normal * normal.dot(&a);
        let projected = in_plane(vertical);
        // A level plane is looked at from above.
        let level = projected.norm() < FLAT;
        let up = snapped(if level { in_plane(axes(vertical)[1]) } else { projected }.normalize());
        let mut right = up.cross(&normal).normalize();
        // The first space axis that runs across the picture does so to the right.
        let across = right.iter().copied().find(|x| x.abs() > FLAT).unwrap_or(1.0);
        let backwards = if level { normal.dot(&vertical) < 0.0 } else { across < 0.0 };
        if backwards {
            right = -right;
        }
        let right = snapped(right);
        View { right, up, towards: right.cross(&up) }
    }

    /// From before, the side and above.
    pub fn oblique(vertical: V) -> View {
        let [across, along, up] = axes(vertical);
        let ((st, ct), (se, ce)) = (TURNED.sin_cos(), TILTED.sin_cos());
        View {
            right: across * ct + along * st,
            up: up * ce + (along * ct - across * st) * se,
            towards: up * se + (across * st - along * ct) * ce,
        }
    }
}

/// The space axes in cyclic order, that nearest to the vertical last: across the picture, into it,
/// and up.
pub fn axes(vertical: V) -> [V; 3] {
    let upwards = (0..3).max_by(|&a, &b| vertical[a].abs().total_cmp(&vertical[b].abs())).unwrap_or(2);
    [1, 2, 3].map(|k| V::ith((upwards + k) % 3, 1.0))
}

/// Exactly a space axis, where it is one but for rounding.
fn snapped(a: V) -> V {
    let clean = a.map(|x| if x.abs() < FLAT { 0.0 } else { x });
    clean.normalize()
}

/// The unit normal of the plane that holds all points, if there is one. Of points on a line that is
/// the horizontal perpendicular; points in one place have none.
pub fn plane(points: &[V], vertical: V) -> Option<V> {
    let centre = points.iter().sum::<V>() / points.len().max(1) as f64;
    let size = points.iter().map(|p| (p - centre).norm()).fold(0.0, f64::max);
    if size == 0.0 {
        return None;
    }
    let scatter: Matrix3<f64> = points.iter().map(|p| (p - centre) / size).map(|d| d * d.transpose()).sum();
    let eigen = symmetric_eigen(scatter)?;
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
    let axis = |k: usize| eigen.eigenvectors.column(order[k]).into_owned();
    let off = |axis: V| points.iter().map(|p| axis.dot(&(p - centre)).abs()).fold(0.0, f64::max);
    if off(axis(0)) > FLAT * size {
        return None;
    }
    let normal = if off(axis(1)) <= FLAT * size {
        let line = axis(2);
        [vertical, V::y(), V::x()]
            .into_iter()
            .map(|other| line.cross(&other))
            .find(|normal| normal.norm() > 1e-3)?
    } else {
        axis(0)
    };
    Some(snapped(normal.normalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cloud(normal: V) -> Vec<V> {
        let a = normal.cross(&V::new(0.3, 0.5, -0.8)).normalize();
        let b = normal.cross(&a);
        (0..40)
            .map(f64::from)
            .map(|k| V::new(1.0, 2.0, 3.0) + a * (0.7 * k).sin() + b * (1.3 * k).cos())
            .collect()
    }

    #[test]
    fn points_in_a_plane_show_its_normal() {
        for normal in [V::y(), V::z(), V::new(1.0, 2.0, -0.5).normalize()] {
            let points = cloud(normal);
            let found = plane(&points, V::z()).unwrap();
            assert!(found.cross(&normal).norm() < 1e-9, "{found}");
            // A millionth of the extent is where a plane ends.
            let mut lifted = points.clone();
            lifted[7] += normal * 1e-7;
            assert!(plane(&lifted, V::z()).is_some());
            lifted[7] += normal * 1e-4;
            assert!(plane(&lifted, V::z()).is_none());
        }
    }

    #[test]
    fn a_line_is_seen_from_the_side_and_a_point_from_nowhere() {
        let line: Vec<V> = (0..5).map(|k| V::new(f64::from(k), 0.0, 1.0)).collect();
        let normal = plane(&line, V::z()).unwrap();
        assert!(normal.dot(&V::y()).abs() > 1.0 - 1e-12, "{normal}");
        let upright: Vec<V> = (0..5).map(|k| V::new(0.0, 0.0, f64::from(k))).collect();
        assert!(plane(&upright, V::z()).unwrap().z.abs() < 1e-12);
        assert_eq!(plane(&[V::x(); 3], V::z()), None);
        assert_eq!(plane(&[], V::z()), None);
    }

    #[test]
    fn planes_are_seen_with_the_vertical_upwards() {
        for normal in [V::y(), -V::y()] {
            let view = View::onto(normal, V::z());
            assert_eq!((view.right, view.up), (V::x(), V::z()));
            assert_eq!(view.project(V::new(3.0, 7.0, 5.0)), (3.0, 5.0));
        }
        for normal in [V::z(), -V::z()] {
            let view = View::onto(normal, V::z());
            assert_eq!((view.right, view.up, view.towards), (V::x(), V::y(), V::z()), "from above");
        }
        let above = View::onto(V::y(), V::y());
        assert_eq!((above.right, above.up, above.towards), (V::z(), V::x(), V::y()), "gravity along −y");
        let side = View::onto(V::x(), V::z());
        assert_eq!((side.right, side.up), (V::y(), V::z()));
    }

    #[test]
    fn the_oblique_view_keeps_the_vertical_and_is_a_rotation() {
        for vertical in [V::x(), V::y(), V::z()] {
            let View { right, up, towards } = View::oblique(vertical);
            assert!((right.cross(&up) - towards).norm() < 1e-15);
            assert!((right.norm() - 1.0).abs() < 1e-15 && (up.norm() - 1.0).abs() < 1e-15);
            assert!(right.dot(&vertical).abs() < 1e-15 && up.dot(&vertical) > 0.9);
        }
    }
}
