//! Two-stage staggered explicit step with the quaternion midpoint update (PCD90 (54)-(60)).
//!
//! Two interleaved chains, one at whole and one at half steps, advance each other:
//!
//! ```text
//! q1  = q  o Cay(h wh) ;  w1  = w  + h acc(qh, wh) ;  r1  = r  + h vh ;  v1  = v  + h a(qh)
//! qh1 = qh o Cay(h w1) ;  wh1 = wh + h acc(q1, w1) ;  rh1 = rh + h v1 ;  vh1 = vh + h a(q1)
//! start: the half chain by RK4 over h/2, in two substeps
//! ```
//!
//! Order 2. The printed denominator of (54), 1 + h^2|w|^2/4, must be /16: the matrix there already holds the 1/2.
//! The chains drift apart in long runs (an odd-even mode): J = (5,10,1), h = .01, 10^6 steps in f64, energy error
//! 4.5e-3. Restarting the half chain from the whole one every 200 steps holds it at 3.7e-4 (f32 alike); more often is
//! worse, because each restart leaves a bias (every step: 3.7e-3). Measured in `docs/findings.md`.
//!
//! A load that jumps enters each kick by its mean over the interval of that kick. For a jump on a grid point this is
//! the mean of its one-sided values in both chains, without which they split; between grid points the impulse is
//! still exact.

use crate::math::quaternion::cayley;
use crate::math::vector::{Vec3, scale, scale_add};
use crate::model::body::{Gyroscopic, LoadSum, Loads, Motion, runge_kutta};
use crate::real::Real;

/// The state the method carries: the whole-step chain and the half-step chain.
#[derive(Clone, Copy)]
pub struct Chains<R> {
    pub whole: Motion<R>,
    pub half: Motion<R>,
}

/// The four intervals over which loads are averaged, from step k on: `[k, k+1]`, `[k+1/2, k+3/2]` (steps) for the
/// kicks, `[k, k+1/4]`, `[k+1/4, k+1/2]` for the start of the half chain.
pub const INTERVALS: [(f64, f64); 4] = [(0.0, 1.0), (0.5, 1.5), (0.0, 0.25), (0.25, 0.5)];

/// What stays the same over a stretch of steps.
pub struct Prepared<R> {
    h: R,
    quarter_h: R,
    gyroscopic: Gyroscopic<R>,
    whole: Loads<R>,
    half: Loads<R>,
}

/// What the start of the half chain needs.
pub struct Start<R> {
    quarter_h: R,
    gyroscopic: Gyroscopic<R>,
    first: Loads<R>,
    second: Loads<R>,
}

impl<R: Real> Prepared<R> {
    /// `h`: the full step (s); `loads`: means over the first two of [`INTERVALS`].
    #[inline(always)]
    pub fn new(h: R, inertia: Vec3<R>, whole: &LoadSum<R>, half: &LoadSum<R>) -> Self {
        Self {
            h,
            quarter_h: h * h.lift(0.25),
            gyroscopic: Gyroscopic::new(inertia, h),
            whole: whole.scaled(h),
            half: half.scaled(h),
        }
    }
}

impl<R: Real> Start<R> {
    /// `h`: the full step (s); `loads`: means over the last two of [`INTERVALS`].
    #[inline(always)]
    pub fn new(h: R, inertia: Vec3<R>, first: &LoadSum<R>, second: &LoadSum<R>) -> Self {
        let quarter_h = h * h.lift(0.25);
        Self {
            quarter_h,
            gyroscopic: Gyroscopic::new(inertia, quarter_h),
            first: first.scaled(quarter_h),
            second: second.scaled(quarter_h),
        }
    }

    /// The half chain at t + h/2 from the whole one at t.
    #[inline(always)]
    pub fn half_chain<const LOADED: bool>(&self, whole: &Motion<R>) -> Motion<R> {
        let first = runge_kutta(whole, &self.gyroscopic, LOADED.then_some(&self.first), self.quarter_h);
        runge_kutta(&first, &self.gyroscopic, LOADED.then_some(&self.second), self.quarter_h)
    }
}

impl<R: Real> Prepared<R> {
    /// One full step of both chains. Without `LOADED` no moment or force acts, and nothing reads the half chain's
    /// attitude; without `TRANSLATES` the mass centre rests.
    #[inline(always)]
    pub fn step<const LOADED: bool, const TRANSLATES: bool>(&self, chains: &mut Chains<R>) {
        let Chains { whole, half } = chains;
        whole.w = self.gyroscopic.kick(half.w, whole.w);
        if LOADED {
            whole.w = self.whole.kick(half.q, whole.w);
        }
        whole.q = cayley(whole.q, scale(self.quarter_h, half.w));
        if TRANSLATES {
            whole.r = scale_add(self.h, half.v, whole.r);
            if LOADED {
                whole.v = self.whole.push(half.q, whole.v);
            }
        }
        half.w = self.gyroscopic.kick(whole.w, half.w);
        if LOADED {
            half.w = self.half.kick(whole.q, half.w);
            half.q = cayley(half.q, scale(self.quarter_h, whole.w));
        }
        if TRANSLATES {
            half.r = scale_add(self.h, whole.v, half.r);
            if LOADED {
                half.v = self.half.push(whole.q, half.v);
            }
        }
    }
}
