//! Code that the integration tests share: tolerances, reference solutions, mechanisms and studies
//! built in code, and ways to run them.
#![allow(dead_code, reason = "each test binary uses its own part")]

pub mod alone;
pub mod arms;
pub mod browser;
pub mod cases;
pub mod differences;
pub mod engine;
pub mod flexible;
pub mod four_bars;
pub mod intercepted;
pub mod judged;
pub mod laws;
pub mod marched;
pub mod mechanisms;
pub mod methods;
pub mod rest;
pub mod solutions;
pub mod sources;
pub mod study;
pub mod sweep;
pub mod tolerances;
pub mod words;

use std::path::Path;

use polhode::describe::{Axes, Load, LoadKind};
#[allow(unused_imports, reason = "each test binary uses its own part")]
pub use polhode::study::yardsticks::{free_body, heavy_top, hulbert51, torque};

/// A force (N) at `point` from the body's origin in body axes (m), over the same kind of pieces.
pub fn force(name: &str, axes: Axes, point: [f64; 3], pieces: &[(f64, f64, [f64; 3])]) -> Load {
    Load { kind: LoadKind::Force, point, ..torque(name, axes, pieces) }
}

/// The largest component of |a - b|.
pub fn distance<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// [`distance`] of two attitudes: q and -q are the same.
pub fn attitude_distance(a: [f64; 4], b: [f64; 4]) -> f64 {
    distance(a, b).min(distance(a, b.map(|x| -x)))
}

pub fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The slope of ln(error) over ln(h), least squares.
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|(h, error)| (h.ln(), error.ln())).collect();
    let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
    let across: f64 = logs.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    across / logs.iter().map(|p| (p.0 - mx).powi(2)).sum::<f64>()
}

/// The repository's root. Cargo starts tests in the folder of their package, which may lie below
/// it.
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("Cargo.lock").exists()).expect("a workspace")
}

/// Paths that are not absolute are from the repository's root, as those who read the documents
/// write them.
pub fn in_root() {
    std::env::set_current_dir(root()).expect("the root is there");
}
