//! The largest step at which the methods stay stable over 10^5 steps. For a free body only the
//! product h|w0| matters, so one ensemble of spins at one step is the whole scan.

use rayon::prelude::*;

use super::{Claim, Context, Criterion, Evidence, Failure, Judged, Measured, Trial};
use polhode::base::Setting;
use polhode::observe::channels;
use polhode::output::figures::{Curve, Figure, PlottedQuantity};
use polhode::study::yardsticks::free_body;

const STEPS: u64 = 100_000;

/// A run with a smaller energy error counts as stable.
const BORNE: f64 = 0.1;

/// Principal moments (kg m²), and the spin about axis 2 of that about axis 1.
const MOMENTS: [f64; 3] = [5.0, 10.0, 1.0];
const DISTURBANCE: f64 = 1.0 / 400.0;

/// (s)
const STEP: f64 = 0.01;

/// Spins of a scan, and its ends in h|w0|; each is 2.3 % above the one before.
const SPINS: i32 = 192;
const FIRST: f64 = 0.02;
const LAST: f64 = 1.5;

/// The largest energy error over the run at each h|w0|, infinite where it blew up: a free body that
/// turns about its first axis, disturbed by `disturbance` of the spin about the second. With the
/// limit found.
pub(super) fn scan(
    context: &Context<'_>,
    method: &'static str,
    settings: impl Fn(Trial) -> Trial,
    moments: [f64; 3],
    disturbance: f64,
) -> Result<(Vec<(f64, f64)>, f64), Failure> {
    let reaches: Vec<f64> =
        (0..SPINS).map(|k| FIRST * (LAST / FIRST).powf(f64::from(k) / f64::from(SPINS - 1))).collect();
    let starts: Vec<[f64; 3]> = reaches.iter().map(|r| [r / STEP, disturbance * r / STEP, 0.0]).collect();
    let body = free_body(moments, [1.0, 0.0, 0.0, 0.0], starts[0]);
    let trial = settings(Trial::new(&body, method, STEP, STEPS)).every(100).starting(&starts);
    let history = trial.run(context, &[channels::ENERGY_DRIFT])?;
    let error = |instance: usize| {
        let errors = history.series(channels::ENERGY_DRIFT, 0, instance).iter();
        errors.map(|e| if e.is_finite() { e.abs() } else { f64::INFINITY }).fold(0.0, f64::max)
    };
    let errors: Vec<(f64, f64)> = reaches.iter().enumerate().map(|(i, reach)| (*reach, error(i))).collect();
    let borne = errors.iter().take_while(|(_, error)| *error < BORNE);
    let limit = borne.last().map_or(f64::NAN, |(reach, _)| *reach);
    Ok((errors, limit))
}

pub const LIMITS: Claim = Claim {
    id: "long-run-limits",
    title: "Long-run limits of the step",
    says: &[],
    judged: Judged::Finding,
    found: "The largest h|w0| with less than 10 % energy error over 10^5 steps of the free body J = (5, 10, \
            1) kg m² near its intermediate axis, without restarts, is what the reference finds by the same \
            methods, done plainly (docs/findings.md 9), to 10 %.",
    condition: None,
    measure: |context| {
        let iterations = |count| move |trial: Trial| trial.with("iterations", Setting::Count(count));
        let plain: fn(Trial) -> Trial = |trial| trial;
        let one = |name, expected: f64, settings: &(dyn Fn(Trial) -> Trial + Sync)| {
            let (errors, limit) = scan(context, name, settings, MOMENTS, DISTURBANCE)?;
            Ok((name, expected, errors, limit))
        };
        // Limits of the reference, scanned in steps of 6 % (docs/findings.md 9).
        let methods = vec![
            ("staggered_conserving", 0.49),
            ("newmark_euler_parameters", 0.23),
            ("simo_wong", 0.28),
            ("staggered", 0.145),
            ("midpoint", 0.15),
            ("predictor_corrector", 0.030),
        ];
        let scans: Result<Vec<_>, Failure> =
            methods.into_par_iter().map(|(name, expected)| one(name, expected, &plain)).collect();
        let fewer: Result<Vec<_>, Failure> = [(1, 0.048), (2, 0.076)]
            .into_par_iter()
            .map(|(count, expected)| {
                let limit = one("midpoint", expected, &iterations(count))?.3;
                let limit =
                    Measured::new(format!("largest h|w0|, midpoint with iterations = {count}"), limit, "1");
                Ok(limit.claimed(Criterion::Near(expected, 0.1)))
            })
            .collect();
        let mut outcome = Evidence::default();
        let mut curves = Vec::new();
        for (name, expected, errors, limit) in scans? {
            outcome.measured.push(
                Measured::new(format!("largest h|w0|, {name}"), limit, "1")
                    .claimed(Criterion::Near(expected, 0.1)),
            );
            // Beyond, all fail.
            let shown = errors.into_iter().filter(|(reach, _)| *reach <= 1.0).collect();
            curves.push(Curve::new(name, shown).within(0.0, 10.0));
        }
        outcome.measured.extend(fewer?);
        curves.insert(0, Curve::beneath("10 %", vec![(FIRST, BORNE), (1.0, BORNE)]));
        outcome.figures.push(Figure {
            name: "long_run_limits",
            title: "Energy error over 10⁵ free steps".to_string(),
            caption:
                "Largest energy error over 10^5 steps against h|w0|: free body J = (5, 10, 1) kg m² that \
                 turns about axis 1, the intermediate one, disturbed by 1/400 about axis 2; f64, no \
                 restarts. A curve ends where it leaves 10."
                    .to_string(),
            x: PlottedQuantity::logarithmic("h|w0|", "rad"),
            y: PlottedQuantity::logarithmic("energy error", "1"),
            curves,
            marked: false,
        });
        Ok(outcome)
    },
};

pub const WHAT_DECIDES: Claim = Claim {
    id: "long-run-limits-depend",
    title: "What long-run limits depend on",
    says: &[],
    judged: Judged::Finding,
    found: "That limit depends strongly on the inertia ratio (by a factor of 6.7 here) and hardly on the \
        size of the disturbance (by less than 1.5 from 1/40 to 1/4000): PCD90's step.",
    condition: None,
    measure: |context| {
        let disturbances = [40.0, 400.0, 4000.0];
        let inertias = [MOMENTS, [5.0, 6.0, 4.0], [5.0, 6.0, 1.0]];
        let cases: Vec<([f64; 3], f64)> = disturbances
            .iter()
            .map(|d| (inertias[0], *d))
            .chain(inertias[1..].iter().map(|moments| (*moments, disturbances[1])))
            .collect();
        let limit = |(moments, d): &([f64; 3], f64)| {
            Ok(scan(context, "staggered", |trial| trial, *moments, 1.0 / d)?.1)
        };
        let limits = cases.par_iter().map(limit).collect::<Result<Vec<f64>, Failure>>()?;
        let mut measured: Vec<Measured> = cases
            .iter()
            .zip(&limits)
            .map(|((moments, d), limit)| {
                Measured::new(format!("largest h|w0|, J = {moments:?}, disturbed by 1/{d}"), *limit, "1")
            })
            .collect();
        let spread = |limits: &[f64]| {
            let low = limits.iter().copied().fold(f64::INFINITY, f64::min);
            limits.iter().copied().fold(0.0, f64::max) / low
        };
        let [a, b, c, d, e] = limits[..] else { return Err(Failure::Missing("five limits")) };
        measured.push(
            Measured::new("largest / smallest, disturbances", spread(&[a, b, c]), "1")
                .claimed(Criterion::AtMost(1.5)),
        );
        measured.push(
            Measured::new("largest / smallest, inertias", spread(&[b, d, e]), "1")
                .claimed(Criterion::Near(6.68, 0.1)),
        );
        Ok(Evidence { measured, figures: vec![] })
    },
};
