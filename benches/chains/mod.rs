//! Chains of rods of 1 m and 1 kg that hang in ball joints, thrown in space.

use polhode::describe::{Joint, Mechanism, Point};
use polhode::elements::joints::SPHERICAL;
use polhode::study::yardsticks::free_body;

/// Rods along x, each of them turning otherwise.
pub fn chain(bodies: usize) -> Mechanism {
    let rod = |k: usize| {
        let spin = [1.0 + k as f64, 0.3 * k as f64 + 0.1, 1.0];
        let mut rod = free_body([1e-3, 1.0 / 12.0, 1.0 / 12.0], [1.0, 0.0, 0.0, 0.0], spin).bodies.remove(0);
        rod.name = format!("rod{k}");
        rod.initial.position = [k as f64 + 0.5, 0.0, 0.0];
        rod
    };
    let ball = |k: usize| Joint {
        name: format!("ball{k}"),
        kind: &SPHERICAL,
        points: [
            Point { body: k.checked_sub(1), at: [if k > 0 { 0.5 } else { 0.0 }, 0.0, 0.0] },
            Point { body: Some(k), at: [-0.5, 0.0, 0.0] },
        ],
        frames: [[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]; 2],
        length: 0.0,
        initial: None,
    };
    Mechanism {
        name: "chain".to_string(),
        gravity: [0.0, 0.0, -9.81],
        joints: (0..bodies).map(ball).collect(),
        ..Mechanism::of((0..bodies).map(rod).collect())
    }
}
