//! Piecewise constant loads, and their mean over a stretch of time.
//!
//! A staggered chain advances its velocity from t to t + h with the load taken at t + h/2. Where the load is constant
//! over the step, that is its mean over the step. Where it jumps at t + h/2, equations.md asks for the mean of the two
//! one-sided values in both chains, and that too is the mean over the step. So every kick here uses the mean, which
//! further keeps the impulse exact when a load jumps between grid points or acts for less than a step.

use nalgebra::Vector3;

use crate::describe::{Axes, LoadKind, Mechanism};

use super::Instance;

/// One force or torque with this instance's values.
#[derive(Clone, Debug)]
pub struct LoadHistory {
    pub kind: LoadKind,
    pub axes: Axes,
    /// Where a force acts, from the body's origin in body axes (m).
    pub point: Vector3<f64>,
    pieces: Vec<Stretch>,
}

/// `from <= t < until` (s) with its value (N or N m).
#[derive(Clone, Debug)]
struct Stretch {
    from: f64,
    until: f64,
    value: Vector3<f64>,
}

impl LoadHistory {
    /// The loads on body `b` of a mechanism, with the values of one instance.
    ///
    /// # Errors
    /// The instance does not have one value for each piece of each load.
    pub fn on(mechanism: &Mechanism, instance: &Instance, b: usize) -> Result<Vec<LoadHistory>, String> {
        let same_shape = mechanism.loads.len() == instance.loads.len()
            && mechanism
                .loads
                .iter()
                .zip(&instance.loads)
                .all(|(load, values)| load.pieces.len() == values.len());
        if !same_shape {
            return Err("the instance does not have one value for each piece of each load".to_string());
        }
        Ok(mechanism
            .loads
            .iter()
            .zip(&instance.loads)
            .filter(|(load, _)| load.body == b)
            .map(|(load, values)| LoadHistory {
                kind: load.kind,
                axes: load.axes,
                point: Vector3::from(load.point),
                pieces: load
                    .pieces
                    .iter()
                    .zip(values)
                    .map(|(piece, value)| Stretch {
                        from: piece.from,
                        until: piece.until,
                        value: Vector3::from(*value),
                    })
                    .collect(),
            })
            .collect())
    }

    /// The mean over `from..until` (s), `from < until`, in the load's own axes: its integral divided by the length.
    pub fn mean(&self, from: f64, until: f64) -> Vector3<f64> {
        let length = until - from;
        self.pieces
            .iter()
            .map(|piece| {
                let overlap = (until.min(piece.until) - from.max(piece.from)).max(0.0);
                piece.value * (overlap / length)
            })
            .sum()
    }

    /// The times at which the load jumps (s), infinite ends left out.
    pub fn jumps(&self) -> impl Iterator<Item = f64> + '_ {
        self.pieces.iter().flat_map(|piece| [piece.from, piece.until]).filter(|time| time.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step_history() -> LoadHistory {
        let piece = |from, until, x| Stretch { from, until, value: Vector3::new(x, 0.0, 0.0) };
        LoadHistory {
            kind: LoadKind::Torque,
            axes: Axes::Body,
            point: Vector3::zeros(),
            pieces: vec![piece(0.0, 1.0, 4.0), piece(1.0, 2.0, 8.0), piece(3.0, f64::INFINITY, 1.0)],
        }
    }

    #[test]
    fn mean_over_a_step_about_a_jump_is_the_mean_of_both_sides() {
        assert_eq!(step_history().mean(0.75, 1.25).x, 6.0);
        assert_eq!(step_history().mean(1.75, 2.25).x, 4.0);
    }

    #[test]
    fn mean_times_length_is_the_impulse() {
        let history = step_history();
        let edges = [0.0, 0.3, 0.9, 1.7, 2.4, 2.9, 3.3, 5.0];
        let impulse: f64 = edges.windows(2).map(|e| history.mean(e[0], e[1]).x * (e[1] - e[0])).sum();
        assert!((impulse - 14.0).abs() < 1e-14, "{impulse}");
    }

    #[test]
    fn load_is_zero_outside_its_pieces_and_may_last_for_ever() {
        assert_eq!(step_history().mean(2.2, 2.8).x, 0.0);
        assert_eq!(step_history().mean(1e6, 2e6).x, 1.0);
        assert_eq!(step_history().jumps().collect::<Vec<_>>(), [0.0, 1.0, 1.0, 2.0, 3.0]);
    }
}
