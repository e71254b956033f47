//! Joints of which some rows say what others say, and positions where a mechanism could go on in more than one way.

mod common;

use common::distance;
use common::four_bars::{self, Joined, four_bars};
use common::tolerances::{PERIODIC_SOLUTION, PERIODIC_SOLUTION_BY_REFERENCE};
use polhode::reference::{Instance, accurate};

/// The quadrature of the period and the steps of the angle say the same, and the reference moves so up to where all bars are flat.
#[test]
fn the_periodic_solution_is_that_of_the_chain() {
    for loops in [1, 2, 40] {
        let period = four_bars::period(loops);
        let [angle, rate] = four_bars::exact(loops, period);
        assert!((angle - std::f64::consts::TAU).abs() < PERIODIC_SOLUTION, "{loops}: {angle}");
        assert!((rate - 1.0).abs() < PERIODIC_SOLUTION, "{loops}: {rate}");
    }
    for joined in [Joined::Hinges, Joined::Balls] {
        let mechanism = four_bars(1, joined);
        let times = [0.2, 0.4];
        let motion = accurate::run(&mechanism, &Instance::nominal(&mechanism), &times, accurate::TOLERANCE);
        for (state, t) in motion.expect("an accurate motion").states.iter().zip(times) {
            let coupler = state.bodies[four_bars::last(1)].position;
            let apart = distance(coupler, four_bars::last_coupler(1, t));
            assert!(apart < PERIODIC_SOLUTION_BY_REFERENCE, "{joined:?}, {t} s: {apart:e}");
            assert!(
                (state.energy - four_bars::energy(1)).abs() < PERIODIC_SOLUTION_BY_REFERENCE,
                "{joined:?}"
            );
        }
    }
}
