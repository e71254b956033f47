//! Order, and work against precision, of every method.

use rayon::prelude::*;

use super::measures::{accurate_at, error};
use super::{Claim, Context, Criterion, Evidence, Failure, Judged, Measured, Says, Trial};
use polhode::describe::Mechanism;
use polhode::math::fit::slope;
use polhode::methods::{AnyMethod, cards};
use polhode::observe::channels;
use polhode::output::figures::{Curve, Figure, PlottedQuantity};
use polhode::study::yardsticks::{fast_top, free_body};

/// Errors beyond these are far from the limit of small steps, or rounding.
const COARSEST: f64 = 0.03;
const FINEST: f64 = 1e-11;

/// The error for which the work is told.
const WANTED: f64 = 1e-4;

/// A motion on which methods are compared.
struct Course {
    mechanism: Mechanism,
    /// (s)
    end: f64,
    /// Steps of the coarsest run: of the methods of order 8, and of the others.
    few: u64,
    many: u64,
}

/// Results of one method on a course: error against operations a second of motion.
struct Record {
    name: &'static str,
    order: f64,
    measured: f64,
    work: Vec<(f64, f64)>,
}

impl Course {
    fn run(&self, context: &Context<'_>) -> Result<Vec<Record>, Failure> {
        let exact = &accurate_at(&self.mechanism, &[self.end])?[0];
        let one = |name: &'static str| {
            let method = AnyMethod::new(name, &Default::default()).ok_or(Failure::Missing("a method"))?;
            let order = f64::from(method.order());
            // Order 8 comes to rounding with few halvings.
            let (first, ratio) = if order > 4.0 { (self.few, 1.25f64) } else { (self.many, 2.0) };
            let mut errors = Vec::new();
            let mut work = Vec::new();
            for k in 0..6 {
                let steps = (first as f64 * ratio.powi(k)).round();
                let trial = Trial::new(&self.mechanism, name, self.end / steps, steps as u64);
                let history = trial.run(context, &[channels::ATTITUDE, channels::ANGULAR_VELOCITY])?;
                let error = error(&history, exact);
                if (FINEST..COARSEST).contains(&error) {
                    errors.push((self.end / steps, error));
                }
                work.push((trial.operations()? as f64 * steps / self.end, error));
            }
            work.retain(|(_, error)| *error < 10.0);
            // The finest half tells of the limit.
            let finest = &errors[errors.len().saturating_sub(3)..];
            Ok(Record { name, order, measured: slope(finest), work })
        };
        let recorded =
            cards().par_iter().filter(|card| AnyMethod::new(card.name, &Default::default()).is_some());
        recorded.map(|card| one(card.name)).collect()
    }
}

impl Record {
    /// Operations a second of motion for an error of [`WANTED`], by its order from the nearest run.
    fn wanted(&self) -> f64 {
        let off = |error: f64| (error / WANTED).ln().abs();
        let nearest = self.work.iter().copied().min_by(|a, b| off(a.1).total_cmp(&off(b.1)));
        nearest.map_or(f64::NAN, |(work, error)| work * (error / WANTED).powf(1.0 / self.order))
    }
}

pub const EVERY_METHOD: Claim = Claim {
    id: "orders",
    title: "Order of every method",
    says: &[Says {
        report: "H92",
        place: "2",
        text: "The central difference and Tamma and Namburu's algorithm are of second order, for \
                linear structural dynamics.",
    }],
    judged: Judged::Finding,
    found: "Every method has at least the order of its card, on the free body J = (5, 10, 1) kg m², w = (1, \
        0.5, 2) rad/s over 4 s and on the fast top of H92 5.2 over 2 s. A slope above the order is no \
        failure, up to one above it, where the fit would tell of something else.",
    condition: None,
    measure: |context| {
        let body = free_body([5.0, 10.0, 1.0], [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]);
        let free = Course { mechanism: body, end: 4.0, few: 20, many: 200 };
        let top = Course { mechanism: fast_top(), end: 2.0, few: 100, many: 1000 };
        let mut outcome = Evidence::default();
        for (course, what, name, title) in [
            (free, "free body", "work_free_body", "Work and precision: free body"),
            (top, "fast top", "work_fast_top", "Work and precision: fast top"),
        ] {
            let records = course.run(context)?;
            for record in &records {
                let order = Measured::new(format!("{what}, order of {}", record.name), record.measured, "1");
                let low = if record.order > 4.0 { 0.94 } else { 0.95 };
                let criterion = Criterion::Between(record.order * low, record.order + 1.0);
                outcome.measured.push(order.claimed(criterion));
            }
            for record in &records {
                let label =
                    format!("{what}, operations per s of motion for an error of 1e-4, {}", record.name);
                outcome.measured.push(Measured::new(label, record.wanted(), "1/s"));
            }
            outcome.figures.push(Figure {
                name,
                title: title.to_string(),
                caption: format!(
                    "Error of attitude (rad) or angular velocity (rad/s), the larger, after {} s against the \
                     floating-point operations that a second of motion takes, for every method with its \
                     default settings and no restarts; {what}, f64. A multiply-add counts as two.",
                    course.end
                ),
                x: PlottedQuantity::logarithmic("operations a second of motion", "1/s"),
                y: PlottedQuantity::logarithmic("error", "rad, rad/s"),
                curves: records.into_iter().map(|r| Curve::new(r.name, r.work)).collect(),
                marked: true,
            });
        }
        Ok(outcome)
    },
};
