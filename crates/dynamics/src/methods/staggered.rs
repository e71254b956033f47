//! Two-stage staggered explicit step with the quaternion midpoint update (PCD90 (41)-(56)).

use super::{
    Card, Key, Kind, Lead, LoadValue, Method, MethodRole, STEP, Sample, Shape, State, Takes,
    first_multipliers, loads, multiplier_names,
};
use crate::base::Options;
use crate::kinematics::body::{ModalCoordinates, Motion, scale_add_all};
use crate::math::quaternion::{Quat, cayley, exponential};
use crate::math::vector::{Vec3, dot, scale, scale_add};
use crate::model::system::{Advanced, System};
use crate::model::{all_channels, channel_names, motions, width};
use crate::real::Real;

/// The rule by which a chain's attitude follows the other chain's angular velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Update {
    Cayley,
    /// Cayley with its half-angle vector stretched to the third order.
    PhaseCorrected,
    Exponential,
}

/// The method with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Staggered {
    update: Update,
    loads: LoadValue,
}

/// Positions in the list of samples: the kicks of both chains, and the first of the steps that lead
/// to the half chain.
const WHOLE: usize = 0;
const HALF: usize = 1;
const LEAD: usize = 2;

impl Method for Staggered {
    const CARD: Card = Card {
        name: "staggered",
        title: "two-stage staggered explicit step, quaternion midpoint update",
        source: "PCD90 (41)-(56)",
        order: 2,
        limit: Some(2.0),
        conserves: "nothing exactly; energy and momentum nearly, as long as the chains stay together",
        takes: Takes::AnyMechanismAndTreatment,
        resynchronises: true,
        roles: &[MethodRole::Default, MethodRole::ExplicitLimit],
        keys: &[
            Key {
                name: "update",
                kind: Kind::Choice(&["cayley", "cayley_phase_corrected", "exponential"]),
                unit: "",
                meaning: "Attitude update: the midpoint rule, the same with its phase corrected, or the \
                          exponential map.",
            },
            loads::KEY,
        ],
        text: "\
Two interleaved chains, one at whole and one at half steps, advance each other:

```text
q1  = q  o Cay(h wh) ;  w1  = w  + h acc(qh, wh) ;  r1  = r  + h vh ;  v1  = v  + h a(qh)
qh1 = qh o Cay(h w1) ;  wh1 = wh + h acc(q1, w1) ;  rh1 = rh + h v1 ;  vh1 = vh + h a(q1)
start: the half chain by RK4 over h/2, in two substeps
```

The printed denominator of (54), 1 + h^2|w|^2/4, must be /16: the matrix there already holds the 1/2.

The chains drift apart in long runs (an odd-even mode): J = (5,10,1), h = 0.01, 10^6 steps in f64, energy
error 4.5e-3. Restarting the half chain from the whole one every 200 steps holds it at 3.7e-4 (f32 alike);
more often is worse, because each restart leaves a bias (every step: 3.7e-3). See `docs/findings.md`.

A load that jumps enters each kick by its mean over the interval of that kick. For a jump on a grid point this
is the mean of its one-sided values in both chains, without which they split; between grid points the impulse
is still exact. `loads = \"instant\"` takes it at the instant of the kick, as (41) is written: at a jump the
value before it. The two chains then part by a share h of the jump, and do not come together again. On H92 5.1
at h = 0.001 s the energy has grown by 3 % after 20 s and by half after 100 s. The start of the half chain
takes means with either. A function of time that jumps on a step costs no order; inside a step it leaves an
error of order 1 (tests/cpu/jumps.rs).

What damps acts at the mean of the old and the new velocity of the chain that is advanced. With D the
derivative of all dampers (of springs, joints, stops, bushings, beams, modes, penalties, and of drags and dry
friction about the old velocity):

```text
(M + h/2 D) (u1 - u)/h = Q(qh, wh) - damping(u) - B^T lam
```

That is of order 2, and with springs stable up to omega h = 2 whatever the damping ratio. Dampers are one
small symmetric system, solved before the multipliers of the joints, to which the bodies have the masses M +
h/2 D. The half chain starts by RK4 steps over h/4: where it is restarted, a motion that decays at the rate
lambda needs h lambda < 11.

`update = \"exponential\"` replaces Cay by Exp: the same stability, and an attitude error 10 to 250 times
smaller for fast spin, since Cay lags by (h|w|)^3/48 a step. `\"cayley_phase_corrected\"` removes most of that
lag without a trigonometric function: its half-angle vector a = h w/4 is scaled by 1 + |a|^2/3.
",
    };

    fn new(options: &Options) -> Self {
        let update = match options.choice("update", "cayley") {
            "cayley_phase_corrected" => Update::PhaseCorrected,
            "exponential" => Update::Exponential,
            _ => Update::Cayley,
        };
        Self { update, loads: loads::chosen(options) }
    }

    fn samples(&self) -> Vec<Sample> {
        let quarter = Sample::new(0.0, 0.25, 0.0);
        let kick = STEP.with_loads(self.loads);
        vec![kick, kick.later(0.5), quarter, quarter.later(0.25)]
    }

    fn carried(&self, shape: &Shape) -> Vec<String> {
        let half = channel_names(&shape.modes).into_iter().map(|name| format!("half_{name}"));
        half.chain(multiplier_names(shape)).collect()
    }

    fn lead(&self) -> Option<Lead> {
        Some(Lead { step: 0.25, steps: 2, first_sample: LEAD })
    }

    fn begin<R: Real>(&self, system: &System<R>, motions: &[Motion<R>]) -> Vec<R> {
        first_multipliers(system, LEAD, motions)
    }

    fn resynchronised<R: Real>(&self, system: &System<R>, state: &State<R>) -> Vec<R> {
        state.carried[width(&system.modes())..].to_vec()
    }

    fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R> {
        let modes = system.modes();
        let width = width(&modes);
        let tau = system.h * system.h.lift(0.5);
        let whole = &state.motions;
        let half = motions(&modes, &state.carried[..width]);
        let before = &state.carried[width..];
        let own = Advanced::over(system.h, whole, 0.0);
        let at_half = system.multipliers(WHOLE, &half, own, tau, before);
        let whole = self.advance(system, WHOLE, own, &half, &at_half);
        let own = Advanced::over(system.h, &half, 0.5);
        let at_whole = system.multipliers(HALF, &whole, own, tau, &at_half);
        let half = self.advance(system, HALF, own, &whole, &at_whole);
        let carried = if before.is_empty() { Vec::new() } else { at_whole };
        State { motions: whole, carried: [all_channels(&half), carried].concat() }
    }
}

impl Staggered {
    /// One chain over a step, with rates taken from the other chain in the middle of it.
    fn advance<R: Real>(
        &self,
        system: &System<R>,
        sample: usize,
        own: Advanced<'_, R>,
        other: &[Motion<R>],
        multipliers: &[R],
    ) -> Vec<Motion<R>> {
        let h = system.h;
        let kicked = system.kick(h, sample, other, own, own.motions, multipliers);
        own.motions
            .iter()
            .zip(other)
            .zip(kicked)
            .map(|((own, other), kicked)| Motion {
                q: self.update(h, own.q, other.w),
                w: kicked.w,
                r: scale_add(h, other.v, own.r),
                v: kicked.v,
                modal: ModalCoordinates {
                    amplitudes: scale_add_all(h, &other.modal.rates, &own.modal.amplitudes),
                    rates: kicked.modal,
                },
            })
            .collect()
    }

    fn update<R: Real>(&self, h: R, q: Quat<R>, w: Vec3<R>) -> Quat<R> {
        let half_angle = scale(h * h.lift(0.25), w);
        match self.update {
            Update::Cayley => cayley(q, half_angle),
            Update::PhaseCorrected => {
                let stretch = dot(half_angle, half_angle).mul_add(h.lift(1.0 / 3.0), h.lift(1.0));
                cayley(q, scale(stretch, half_angle))
            }
            Update::Exponential => exponential(q, scale(h, w)),
        }
    }
}
