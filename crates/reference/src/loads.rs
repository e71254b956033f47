//! Loads: piecewise constant ones by their mean over a stretch of time, functions of time by their
//! value at one instant.
//!
//! A staggered chain advances its velocity from t to t + h with the load taken at t + h/2. Where
//! the load is constant over the step, that is its mean over the step. Where it jumps at t + h/2,
//! equations.md asks for the mean of the two one-sided values in both chains, and that too is the
//! mean over the step. So every kick here uses the mean, which further keeps the impulse exact when
//! a load jumps between grid points or acts for less than a step. A function of time has no such
//! needs: it is taken at the instant of the evaluation.

use nalgebra::Vector3;

use polhode_description::describe::{Axes, Expression, LoadKind, Mechanism};

use super::ReferenceError;
use super::function::Given;
use super::function::SidedTime;
use super::{Instance, function};

/// One force or torque with this instance's values.
#[derive(Clone, Debug)]
pub struct LoadHistory {
    pub kind: LoadKind,
    pub axes: Axes,
    /// Where a force acts, from the body's origin in body axes (m).
    pub point: Vector3<f64>,
    pieces: Vec<Stretch>,
    function: Option<[Expression; 3]>,
    constants: Vec<f64>,
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
    pub fn on(
        mechanism: &Mechanism,
        instance: &Instance,
        b: usize,
    ) -> Result<Vec<LoadHistory>, ReferenceError> {
        let same_shape = mechanism.loads.len() == instance.loads.len()
            && mechanism
                .loads
                .iter()
                .zip(&instance.loads)
                .all(|(load, values)| load.pieces.len() == values.len());
        if !same_shape {
            return Err(ReferenceError::LoadValues);
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
                function: load.function.clone(),
                constants: instance.called(mechanism),
            })
            .collect())
    }

    /// In the load's own axes: the mean of its pieces over `from..until` (s), `from < until`, that
    /// is their integral divided by the length, and its function at `time`.
    pub fn value(&self, from: f64, until: f64, time: &SidedTime) -> Vector3<f64> {
        let length = until - from;
        let mean: Vector3<f64> = self
            .pieces
            .iter()
            .map(|piece| {
                let overlap = (until.min(piece.until) - from.max(piece.from)).max(0.0);
                piece.value * (overlap / length)
            })
            .sum();
        mean + self.function_at(time)
    }

    /// In the load's own axes, at `time`: a piece acts after its begin, up to its end and there
    /// too, but for the start, where those act that begin there. A jump is met to within rounding.
    pub fn value_at(&self, time: &SidedTime) -> Vector3<f64> {
        let reached = |jump: f64| time.time > jump + 1e-9 * jump.abs();
        let acts = |piece: &&Stretch| match time.time {
            0.0 => piece.from <= 0.0 && piece.until > 0.0,
            _ => reached(piece.from) && !reached(piece.until),
        };
        let acting: Vector3<f64> = self.pieces.iter().filter(acts).map(|piece| piece.value).sum();
        acting + self.function_at(time)
    }

    /// Its function at `time`; zero where it depends on the motion.
    fn function_at(&self, time: &SidedTime) -> Vector3<f64> {
        let at = |component: &Expression| time.series(component, &self.constants).value;
        match &self.function {
            Some(function) if !self.is_law() => Vector3::from([0, 1, 2].map(|k| at(&function[k]))),
            _ => Vector3::zeros(),
        }
    }

    /// Whether it depends on the motion: [`value`](Self::value) then has no part of it.
    fn is_law(&self) -> bool {
        self.function.iter().flatten().any(Expression::depends_on_motion)
    }

    /// Its value, in its own axes, where it depends on the motion; else zero.
    pub fn law(&self, given: &Given) -> Vector3<f64> {
        match &self.function {
            Some(function) if self.is_law() => Vector3::from([0, 1, 2].map(|k| given.value(&function[k]))),
            _ => Vector3::zeros(),
        }
    }

    /// Its functions of time and motion.
    pub fn functions(&self) -> impl Iterator<Item = &Expression> {
        self.function.iter().flatten()
    }

    /// The times between 0 and `until` (s) at which its function has a kink or a jump.
    pub fn kinks(&self, until: f64) -> Vec<f64> {
        let components = self.function.iter().flatten();
        components.flat_map(|component| function::kinks(component, 0.0, until, &self.constants)).collect()
    }

    /// The times at which its pieces begin and end (s), infinite ends left out.
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
            function: None,
            constants: Vec::new(),
        }
    }

    fn mean(history: &LoadHistory, from: f64, until: f64) -> f64 {
        history.value(from, until, &SidedTime::at(f64::NAN)).x
    }

    #[test]
    fn mean_over_a_step_about_a_jump_is_the_mean_of_both_sides() {
        assert_eq!(mean(&step_history(), 0.75, 1.25), 6.0);
        assert_eq!(mean(&step_history(), 1.75, 2.25), 4.0);
    }

    #[test]
    fn mean_times_length_is_the_impulse() {
        let history = step_history();
        let edges = [0.0, 0.3, 0.9, 1.7, 2.4, 2.9, 3.3, 5.0];
        let impulse: f64 = edges.windows(2).map(|e| mean(&history, e[0], e[1]) * (e[1] - e[0])).sum();
        assert!((impulse - 14.0).abs() < 1e-14, "{impulse}");
    }

    #[test]
    fn a_load_at_an_instant_is_the_one_before_a_jump() {
        let at = |time: f64| step_history().value_at(&SidedTime::at(time)).x;
        assert_eq!(
            [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5].map(at),
            [4.0, 4.0, 4.0, 8.0, 8.0, 0.0, 0.0, 1.0]
        );
    }

    #[test]
    fn load_is_zero_outside_its_pieces_and_may_last_for_ever() {
        assert_eq!(mean(&step_history(), 2.2, 2.8), 0.0);
        assert_eq!(mean(&step_history(), 1e6, 2e6), 1.0);
        assert_eq!(step_history().jumps().collect::<Vec<_>>(), [0.0, 1.0, 1.0, 2.0, 3.0]);
    }
}
