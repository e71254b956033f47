//! Settings of a study of kind `throughput`: the ladders that are climbed, and on what.

use serde::Serialize;

use super::kind::{KindCard, Question};
use crate::base::Precision;

/// Largest ensemble of a rung: what is timed lies in memory whole.
pub const MOST_INSTANCES: u64 = 100_000_000;
/// Most instances that are judged by the reference.
pub const MOST_JUDGED: u64 = 256;
pub const MOST_REPEATS: u64 = 101;

/// Measurement of how fast one mechanism is advanced, on what, and how accurately.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Throughput {
    /// Numbers of instances, ascending.
    pub sizes: Vec<u64>,
    /// Steps that are taken without the host looking on, ascending.
    pub steps: Vec<u64>,
    pub backends: Vec<Engine>,
    pub precisions: Vec<Precision>,
    /// Turns that medians are taken over.
    pub repeats: u64,
    /// Wall-clock time that all of it may take (s).
    pub budget: f64,
    /// Instances, the first ones, whose end is compared with the accurate motion.
    pub judged: u64,
}

/// Engines that compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// The independent f64 reference, one instance after another.
    Reference,
    /// The CPU by an interpreter with the vectors that every processor has, one thread.
    Interpreted,
    /// The CPU as studies use it, with 1, 2, 4 ... threads.
    Cpu,
    /// Every adapter that there is, those that are software too.
    Gpu,
}

pub const ENGINES: [(&str, Engine); 4] = [
    ("reference", Engine::Reference),
    ("interpreted", Engine::Interpreted),
    ("cpu", Engine::Cpu),
    ("gpu", Engine::Gpu),
];

impl Question for Throughput {
    const CARD: KindCard = KindCard {
        name: "throughput",
        question: "How fast the instances are advanced, on what, and how accurately.",
        steps: true,
        in_time: false,
        takes_varied_step: false,
        wants_program: true,
        has_parts: false,
        grows: false,
    };
}
