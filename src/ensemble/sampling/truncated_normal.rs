//! A normal conditioned on an interval, by inverting its distribution function.
//!
//! With a = (low - mean)/std and b = (high - mean)/std the value is mean + std z, where
//!
//!     Φ(z) = (1 - u) Φ(a) + u Φ(b).
//!
//! Taken literally this fails where Φ is near 1 or underflows. So the interval is first mirrored, if need be, to lie
//! at or right of the mean; then, in the body of the normal, the equation is solved for Φ - 1/2 or for the smaller of
//! Φ and 1 - Φ, each a sum of positive terms. Far in the tail (a > 10) it is solved for the distance d = z - a beyond
//! the bound: with Mills' ratio R(x) = (1 - Φ(x))/φ(x) its logarithm reads
//!
//!     d (a + d/2) - ln(R(a + d)/R(a)) = -ln(1 - u M),    M = 1 - (1 - Φ(b))/(1 - Φ(a)),
//!
//! free of cancellation at any distance; Newton's method needs three steps.

use super::normal;

/// The bound (in standard deviations) beyond which the tail form is used.
const FAR: f64 = 10.0;

#[derive(Clone, Debug)]
pub struct TruncatedNormal {
    mean: f64,
    std: f64,
    low: f64,
    high: f64,
    /// -1 when the interval was mirrored about the mean, else 1.
    sign: f64,
    form: Form,
}

/// In standard deviations from the mean, after mirroring.
#[derive(Clone, Debug)]
enum Form {
    /// Φ - 1/2, Φ and 1 - Φ at both bounds.
    Body { centred: [f64; 2], below: [f64; 2], above: [f64; 2] },
    /// The nearer bound and how much of the tail beyond it the interval holds (M).
    Tail { start: f64, mass: f64 },
}

impl TruncatedNormal {
    /// `std` > 0 and `low` <= `high`; either may be infinite.
    pub fn new(mean: f64, std: f64, low: f64, high: f64) -> Self {
        let (mut a, mut b) = ((low - mean) / std, (high - mean) / std);
        let sign = if b + a < 0.0 { -1.0 } else { 1.0 };
        if sign < 0.0 {
            (a, b) = (-b, -a);
        }
        let form = if a > FAR {
            let width = (high - low) / std;
            let decay = width * (a + 0.5 * width)
                - libm::log(normal::mills_ratio(a + width) / normal::mills_ratio(a));
            Form::Tail { start: a, mass: -libm::expm1(-decay) }
        } else {
            Form::Body {
                centred: [normal::from_centre(a), normal::from_centre(b)],
                below: [normal::below(a), normal::below(b)],
                above: [normal::below(-a), normal::below(-b)],
            }
        };
        TruncatedNormal { mean, std, low, high, sign, form }
    }

    /// The value at the unit number u; rises with u, and never leaves the interval.
    pub fn value(&self, u: f64) -> f64 {
        let u = if self.sign < 0.0 { 1.0 - u } else { u };
        let between = |[from, to]: [f64; 2]| (1.0 - u) * from + u * to;
        let value = match self.form {
            Form::Body { centred, below, above } => {
                let q = between(centred);
                let z = if q.abs() <= normal::CENTRE {
                    normal::central_quantile(q)
                } else if q < 0.0 {
                    normal::lower_quantile(between(below))
                } else {
                    -normal::lower_quantile(between(above))
                };
                self.mean + self.sign * self.std * z
            }
            Form::Tail { start, mass } => {
                let bound = if self.sign < 0.0 { self.high } else { self.low };
                bound + self.sign * self.std * beyond(start, -libm::log1p(-u * mass))
            }
        };
        value.clamp(self.low, self.high)
    }
}

/// The distance d beyond `start` at which the tail probability has fallen by exp(-decay).
fn beyond(start: f64, decay: f64) -> f64 {
    let ratio = normal::mills_ratio(start);
    let mut d = 2.0 * decay / (start + libm::hypot(start, (2.0 * decay).sqrt()));
    for _ in 0..3 {
        let mills = normal::mills_ratio(start + d);
        d -= mills * (d * (start + 0.5 * d) - libm::log(mills / ratio) - decay);
    }
    d.max(0.0)
}
