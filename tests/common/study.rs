//! Studies built in code: a mechanism, its steps, and what varies.

use std::sync::Arc;

use polhode::base::{Options, Precision};
use polhode::describe::{
    AccuracySettings, BackendChoice, Constraints, Design, Distribution, Ensemble, Kernels, Mechanism,
    MonteCarlo, Observe, OutputSettings, Quantity, Run, Study, Target, TimeIntegration, Vary, VerdictBounds,
};
use polhode::observe::channels;

/// `steps` steps of `h` (s) for `size` instances, all alike; half chain restarted every 200 steps,
/// no bounds, one snapshot at the end, unfused.
pub fn study(mechanism: Mechanism, size: u64, h: f64, steps: u64) -> Study {
    Study {
        kind: MonteCarlo.into(),
        title: "test".into(),
        mechanism,
        method: TimeIntegration {
            name: "staggered",
            options: Options::default(),
            step: h,
            steps,
            resynchronise: 200,
            accuracy: None,
            open: None,
            chosen: false,
        },
        constraints: Constraints::default(),
        ensemble: Ensemble {
            size,
            seed: 7,
            design: Design::Random,
            vary: vec![],
            correlated: vec![],
            until: None,
        },
        observe: Observe {
            channels: vec![channels::ENERGY.into()],
            every: steps,
            keep: 0,
            quantiles: vec![0.5],
        },
        verdict: VerdictBounds {
            energy: None,
            unexplained: Default::default(),
            quaternion_norm: None,
            constraint: None,
            every: 100,
        },
        accuracy: AccuracySettings::default(),
        output: OutputSettings::default(),
        run: Run {
            backend: BackendChoice::Cpu,
            precision: Precision::F32,
            fused: false,
            threads: Some(1),
            chunk: None,
            kernels: Kernels::Auto,
            checkpoint: None,
        },
    }
}

/// Builders that read as a sentence.
pub trait Varied: Sized {
    /// Draws the whole quantity.
    fn vary(self, quantity: Quantity, distribution: Distribution) -> Self;

    /// Each component normal with the same deviation about its mean.
    fn normal<const N: usize>(self, quantity: Quantity, mean: [f64; N], std: f64) -> Self {
        self.vary(
            quantity,
            Distribution::drawn("normal", [("mean", (mean.to_vec()).into()), ("std", vec![std; N].into())]),
        )
    }

    /// Each component uniform.
    fn uniform<const N: usize>(self, quantity: Quantity, low: [f64; N], high: [f64; N]) -> Self {
        self.vary(
            quantity,
            Distribution::drawn(
                "uniform",
                [("low", (low.to_vec()).into()), ("high", (high.to_vec()).into())],
            ),
        )
    }

    /// Row i is what instance i gets.
    fn rows<const N: usize>(self, quantity: Quantity, rows: &[[f64; N]]) -> Self {
        let values = rows.iter().map(|row| row.to_vec()).collect();
        let columns = (0..N).map(|c| c.to_string()).collect();
        self.vary(quantity, Distribution::Table { file: "rows".into(), columns, values: Arc::new(values) })
    }

    fn any_attitude(self) -> Self {
        self.vary(Quantity::Attitude, Distribution::drawn("uniform_attitude", []))
    }
}

impl Varied for Study {
    fn vary(mut self, quantity: Quantity, distribution: Distribution) -> Self {
        let target = Target { key: format!("{quantity:?}"), body: 0, quantity, component: None };
        self.ensemble.vary.push(Vary { target, distribution });
        self
    }
}
