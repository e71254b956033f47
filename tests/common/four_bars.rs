//! The chain of N planar four-bars that the multibody community measures itself by, and its exact
//! motion.
//!
//! N + 1 cranks of 1 m stand side by side on the ground, N couplers of 1 m join their upper ends:
//! 2 N + 1 uniform rods of 1 kg in a vertical plane. They start upright with 1 m/s to the right at
//! the top. All cranks stay parallel; where all bars are flat the chain is singular: it could fold
//! there in other ways as well. The only coordinate is the angle theta of the cranks from the
//! upright:
//!
//! ```text
//! I theta'' = G sin theta,  I = (N + 1) m L²/3 + N m L²,  G = g ((N + 1) m L/2 + N m L),
//! theta'(0) = 1/s
//! ```

use std::f64::consts::TAU;

use polhode::describe::Mechanism;

use super::flexible::mechanism;

/// (m/s²)
pub const GRAVITY: f64 = 9.81;
/// Rate of the cranks at the start (rad/s).
const RATE: f64 = 1.0;

/// The kind of the joints between the bars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// Hinges across the plane: a loop has three rows more than it needs.
    Hinges,
    /// Ball joints, which let each bar turn about itself.
    Balls,
}

/// A chain of `loops` four-bars in the plane of e1 and e3. Its bodies are `crank0`, `coupler0`,
/// `crank1` and so on up to the last crank; a coupler reaches from the crank of its number to the
/// next.
pub fn four_bars(loops: usize, joined: Joined) -> Mechanism {
    mechanism(&text(loops, joined))
}

/// Returns the chain of [`four_bars`] as the text of a mechanism file.
pub fn text(loops: usize, joined: Joined) -> String {
    let kind = match joined {
        Joined::Hinges => "kind = \"revolute\"\naxes = [0, 1, 0]",
        Joined::Balls => "kind = \"spherical\"",
    };
    let joint = |name: String, bodies: [String; 2], points: [[f64; 3]; 2]| {
        format!("[[joint]]\nname = \"{name}\"\n{kind}\nbodies = {bodies:?}\npoints = {points:?}\n")
    };
    let (mut bodies, mut joints) = (String::new(), String::new());
    for k in 0..=loops {
        let at = k as f64;
        bodies += &format!(
            "[[body]]\nname = \"crank{k}\"\nmass = 1\ninertia = [{0}, {0}, 1e-3]\n\
             initial = {{ position = [{at:?}, 0, 0.5], velocity = [0.5, 0, 0], angular_velocity = [0, \
             {RATE:?}, 0] }}\n",
            1.0 / 12.0,
        );
        let (crank, lower) = (format!("crank{k}"), [0.0, 0.0, -0.5]);
        joints += &joint(format!("foot{k}"), ["ground".to_string(), crank.clone()], [[at, 0.0, 0.0], lower]);
        let upper = [0.0, 0.0, 0.5];
        if k > 0 {
            let bodies = [format!("coupler{}", k - 1), crank.clone()];
            joints += &joint(format!("right{k}"), bodies, [[0.5, 0.0, 0.0], upper]);
        }
        if k < loops {
            bodies += &format!(
                "[[body]]\nname = \"coupler{k}\"\nmass = 1\ninertia = [1e-3, {0}, {0}]\n\
                 initial = {{ position = [{1:?}, 0, 1], velocity = [1, 0, 0] }}\n",
                1.0 / 12.0,
                at + 0.5,
            );
            let bodies = [crank, format!("coupler{k}")];
            joints += &joint(format!("left{k}"), bodies, [upper, [-0.5, 0.0, 0.0]]);
        }
    }
    // Tables first: a key after them would be one of theirs.
    format!("name = \"Chain of four-bars\"\ngravity = {GRAVITY:?}\n{bodies}{joints}")
}

/// Angle of the cranks from the upright, to the right (rad), and its rate (rad/s) at time t (s). By
/// classical Runge-Kutta steps of at most 20 us, whose error is below 1e-13 over 10 s.
pub fn exact(loops: usize, t: f64) -> [f64; 2] {
    let n = loops as f64;
    let pull = GRAVITY * ((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n);
    let rate = |[angle, rate]: [f64; 2]| [rate, pull * angle.sin()];
    let steps = (t / 2e-5).ceil().max(1.0);
    let h = t / steps;
    let plus = |y: [f64; 2], c: f64, k: [f64; 2]| [y[0] + c * k[0], y[1] + c * k[1]];
    let mut y = [0.0, RATE];
    for _ in 0..steps as u64 {
        let k1 = rate(y);
        let k2 = rate(plus(y, h / 2.0, k1));
        let k3 = rate(plus(y, h / 2.0, k2));
        let k4 = rate(plus(y, h, k3));
        y = [0, 1].map(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    y
}

/// Time (s) in which the cranks turn once.
pub fn period(loops: usize) -> f64 {
    let n = loops as f64;
    let pull = GRAVITY * ((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n);
    // The trapezoidal rule over a whole period of a smooth function leaves rounding.
    let count = 2000;
    let turn = |k: i32| TAU * f64::from(k) / f64::from(count);
    let slowness = |k: i32| (RATE * RATE + 2.0 * pull * (1.0 - turn(k).cos())).sqrt().recip();
    (0..count).map(slowness).sum::<f64>() * TAU / f64::from(count)
}

/// Energy of the start (J), potential energy zero at the feet.
pub fn energy(loops: usize) -> f64 {
    let n = loops as f64;
    0.5 * ((n + 1.0) / 3.0 + n) * RATE * RATE + GRAVITY * ((n + 1.0) / 2.0 + n)
}

/// Place of the last coupler among the bodies.
pub fn last(loops: usize) -> usize {
    2 * loops - 1
}

/// Position of the middle of the last coupler (m), space axes, at time t (s).
pub fn last_coupler(loops: usize, t: f64) -> [f64; 3] {
    let [angle, _] = exact(loops, t);
    [loops as f64 - 0.5 + angle.sin(), 0.0, angle.cos()]
}
