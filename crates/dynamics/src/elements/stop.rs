//! A stop at a joint's coordinate `s`: a spring and damper that act beyond its ends.
//!
//! ```text
//! Q = -k e - (c + k d |e|) sdot  while e = s - high > 0 or s - low < 0,   V = k/2 e^2
//! ```
//!
//! The force on the bodies is `Q B^T`, B the row of the coordinate. With c alone (Kelvin and Voigt)
//! it jumps at the touch, and pulls on the way out where `c |sdot| > k |e|`. With d alone (Hunt
//! and Crossley, J. Appl. Mech. 42 (1975) 440) it does neither, unless something comes out
//! faster than 1/d: by itself nothing does.

use super::{Conditions, Configuration, ForceKind, ForceLaw, Mounting};
use crate::describe::Range::{Any, NotNegative, Positive};
use crate::describe::force::{Contradiction, Force, Joins, Measure, NumberKey};
use crate::describe::{ForceCard, JointCoordinate};
use crate::force_numbers;
use crate::kinematics::body::Wrench;
use crate::kinematics::damping::Damper;
use crate::math::functions::abs;
use crate::real::Real;

force_numbers! {
    /// Numbers of a stop.
    Stop {
        low: R = NumberKey::new(Measure::Coordinate, Any).infinite(f64::NEG_INFINITY),
            "Lower end. Absent: none.";
        high: R = NumberKey::new(Measure::Coordinate, Any).infinite(f64::INFINITY),
            "Upper end, not below `low`. Absent: none.";
        stiffness: R = NumberKey::new(Measure::Stiffness, Positive).required(), "Stiffness, positive.";
        damping: R = NumberKey::new(Measure::Damping, NotNegative).loses(),
            "Damping c, not negative. It acts at once, and on the way out it can pull.";
        dissipation: R = NumberKey::new(Measure::Dissipation, NotNegative).loses(),
            "Hunt and Crossley's d, not negative: damping that grows with the depth e, `stiffness d |e|`, \
             and does not pull.";
    }
}

impl<R: Real> ForceKind<R> for Stop<R> {
    const CARD: &'static ForceCard = &ForceCard {
        title: "Stops at a joint's coordinate.",
        doc: "A spring and damper that act where a joint's coordinate is outside `low` to `high`. At least \
              one of the two is given.",
        numbers: Stop::<f64>::KEYS,
        is_elastic: true,
        is_touched: true,
        bends: true,
        jumps: |stop| stop.number("damping") != 0.0,
        contradiction,
        ..ForceCard::new("stop", "stop", Joins::Coordinate)
    };

    fn law(self, mounting: Mounting<'_, R>) -> Box<dyn ForceLaw<R>> {
        let end = |key, value| mounting.force.number(key).is_finite().then_some(value);
        let (low, high) = (end("low", self.low), end("high", self.high));
        Box::new(Acting {
            numbers: self,
            low,
            high,
            damped: mounting.damped,
            of: mounting.joined.coordinate(),
        })
    }
}

/// It has no end, or its ends are the wrong way round.
fn contradiction(stop: &Force) -> Option<Contradiction> {
    let (low, high) = (stop.number("low"), stop.number("high"));
    if low.is_infinite() && high.is_infinite() {
        let found = "neither `low` nor `high` is given".to_string();
        return Some(Contradiction { found, advice: "give at least one" });
    }
    let unit = stop.dimension(Measure::Coordinate).si();
    (low > high).then(|| Contradiction {
        found: format!("`low` is above `high`: {low:?} {unit} and {high:?} {unit}"),
        advice: "the stop acts below `low` and above `high`",
    })
}

/// A stop of an instance.
struct Acting<R> {
    numbers: Stop<R>,
    of: JointCoordinate,
    /// (rad or m); `None`: there is none on this side.
    low: Option<R>,
    high: Option<R>,
    damped: bool,
}

impl<R: Real> Acting<R> {
    /// The signed distance of `s` beyond either end; zero between them.
    fn excess(&self, s: R) -> R {
        let zero = s.lift(0.0);
        let over = self.high.map_or(zero, |high| high.select_less(s, s - high, zero));
        self.low.map_or(over, |low| s.select_less(low, s - low, over))
    }

    /// `c + k d |e|`
    fn resistance(&self, excess: R) -> R {
        let Stop { stiffness, damping, dissipation, .. } = self.numbers;
        (stiffness * dissipation).mul_add(abs(excess), damping)
    }

    /// `x` where `s` is beyond either end, else `y`.
    fn beyond(&self, s: R, x: R, y: R) -> R {
        let over = self.high.map_or(y, |high| high.select_less(s, x, y));
        self.low.map_or(over, |low| s.select_less(low, x, over))
    }
}

impl<R: Real> ForceLaw<R> for Acting<R> {
    fn act(&self, configuration: &Configuration<'_, R>, now: &Conditions<'_, R>, wrenches: &mut [Wrench<R>]) {
        let row = configuration.joints.coordinate(self.of, now.rates);
        let s = row.violation;
        let (zero, excess) = (s.lift(0.0), self.excess(s));
        let resisted = self.beyond(s, self.resistance(excess) * row.rate(now.rates), zero);
        let force = self.numbers.stiffness.mul_add(excess, resisted);
        row.react(force, wrenches);
    }

    fn is_damped(&self) -> bool {
        self.damped
    }

    /// They resist nothing between the ends.
    fn dampers(&self, configuration: &Configuration<'_, R>) -> Vec<Damper<R>> {
        let row = configuration.joints.coordinate(self.of, configuration.at);
        let s = row.violation;
        let coefficient = self.beyond(s, self.resistance(self.excess(s)), s.lift(0.0));
        vec![Damper::new(row.parts, coefficient)]
    }

    fn energy(&self, configuration: &Configuration<'_, R>) -> Option<R> {
        let row = configuration.joints.coordinate(self.of, configuration.at);
        let excess = self.excess(row.violation);
        Some(excess.lift(0.5) * self.numbers.stiffness * (excess * excess))
    }
}
