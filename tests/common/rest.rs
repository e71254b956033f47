//! Motions of the reference: at rest under loads, or carried on for a while; vibrations about rest.

use nalgebra::{DMatrix, DVector};
use polhode::base::Precision;
use polhode::describe::{Constraints, Mechanism};
use polhode::ensemble::Quantities;
use polhode::model::small_vibrations::{SmallVibrations, Stops};
use polhode::reference::Instance;
use polhode::reference::body::Motion;
use polhode::reference::rotation::turned;
use polhode::reference::system::MultibodySystem;

/// Where the reference's forces are in equilibrium: Newton's iteration from the start, under a load
/// that grows in `stages`.
pub fn equilibrium(mechanism: &Mechanism, stages: usize) -> Vec<Motion> {
    let mut motions = Vec::new();
    for stage in 1..=stages {
        let mut loaded = mechanism.clone();
        for piece in loaded.loads.iter_mut().flat_map(|load| &mut load.pieces) {
            piece.value = piece.value.map(|x| x * stage as f64 / stages as f64);
        }
        let instance = Instance::nominal(&loaded);
        let system = MultibodySystem::new(&loaded, &instance).unwrap();
        if motions.is_empty() {
            motions = system.start(&loaded, &instance).unwrap();
        }
        let instant = system.instant(0.0, 1.0, 0.0);
        let n = system.velocities(&motions).len();
        let moved = |motions: &[Motion], dx: &DVector<f64>| -> Vec<Motion> {
            let steps = system.with_velocities(motions, dx);
            let step = |(at, step): (&Motion, Motion)| Motion {
                position: at.position + step.velocity,
                attitude: turned(at.attitude, step.angular_velocity),
                amplitudes: &at.amplitudes + step.amplitude_rates,
                ..at.clone()
            };
            motions.iter().zip(steps).map(step).collect()
        };
        let mut converged = false;
        for _ in 0..60 {
            let force = |dx: &DVector<f64>| {
                let at = moved(&motions, dx);
                system.forces(&at, &at, &instant)
            };
            let columns: Vec<DVector<f64>> = (0..n)
                .map(|j| {
                    let unit = DVector::from_fn(n, |i, _| if i == j { 1e-6 } else { 0.0 });
                    (force(&unit) - force(&-unit)) / 2e-6
                })
                .collect();
            let mut step =
                -DMatrix::from_columns(&columns).lu().solve(&force(&DVector::zeros(n))).expect("regular");
            let largest = step.amax();
            step *= (0.3 / largest).min(1.0);
            motions = moved(&motions, &step);
            converged = largest < 1e-12;
            if converged {
                break;
            }
        }
        assert!(converged, "stage {stage} does not converge");
    }
    motions
}

/// Where all is after `s` (s) with constant velocities.
pub fn carried_on(motions: &[Motion], s: f64) -> Vec<Motion> {
    let moved = |m: &Motion| Motion {
        position: m.position + s * m.velocity,
        attitude: turned(m.attitude, s * m.angular_velocity),
        amplitudes: &m.amplitudes + s * &m.amplitude_rates,
        ..m.clone()
    };
    motions.iter().map(moved).collect()
}

/// Those of a mechanism about its start, by the model.
pub fn small_vibrations(mechanism: &Mechanism, constraints: &Constraints) -> SmallVibrations {
    let quantities = Quantities::of(mechanism, 1.0, Precision::F64, constraints.given());
    SmallVibrations::about_start(mechanism, &quantities, constraints, Stops::Touched).expect("a start")
}
