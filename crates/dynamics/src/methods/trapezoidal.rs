//! Trapezoidal rule, the multipliers of joints found together with the motion, by iteration (PCD90
//! (8)-(13)).
//!
//! An iteration solves for accelerations and multipliers with forces, B and Phi where the last one
//! came to, as (11)-(13) are printed. So a step is a fixed number of passes, each one evaluation of
//! the mechanism, and can be recorded: backends run it as they run every other method. Newton's own
//! matrix would want a derivative of every force by every coordinate in each pass. What has
//! converged is kept by selection, bit for bit, whatever the passes after it find.

use super::{
    Card, Key, Kind, Method, Sample, Shape, State, Takes, first_multipliers, multiplier_names,
    multipliers_so_far,
};
use crate::base::{Options, Precision};
use crate::kinematics::body::{ModalCoordinates, Motion, Velocities, scale_add_all};
use crate::math::functions::greatest;
use crate::math::quaternion::{times_vector_add, unit};
use crate::math::vector::{scale, scale_add};
use crate::model::sample::{AFTER_START, BEFORE_END};
use crate::model::system::{Advanced, Iterations, System};
use crate::real::Real;

/// The method with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Trapezoidal {
    tolerance: f64,
    most: u64,
}

/// Positions in the list of samples.
const START: usize = 0;
const END: usize = 1;

/// Roundings of a coordinate that count as no change: passes that have converged go on by one or
/// two.
const ROUNDINGS: f64 = 8.0;

impl Method for Trapezoidal {
    const CARD: Card = Card {
        name: "trapezoidal",
        title: "trapezoidal rule with simultaneous multipliers, by iteration",
        source: "PCD90 (8)-(13)",
        order: 2,
        limit: None,
        conserves: "nothing exactly",
        takes: Takes::AnyMechanismAndTreatment,
        resynchronises: false,
        roles: &[],
        keys: &[
            Key {
                name: "iteration_tolerance",
                kind: Kind::Number(1e-14, 1e-1, 1e-12),
                unit: "m, rad or that of a modal coordinate",
                meaning: "The iteration of a step ends when no coordinate changes by more.",
            },
            Key {
                name: "max_iterations",
                kind: Kind::Count(1, 100, 16),
                unit: "",
                meaning: "Iterations of a step after which an instance stops as `not_converged`. A step \
                          costs as many, however few suffice.",
            },
        ],
        text: "\
```text
d = h/2 ;  A(w) q = 1/2 q o (0, w) ;  a0, a1: accelerations at both ends, with the multipliers there
u1' = u0' + d (a0 + a1) ;  x1 = x0 + d (u0' + u1')                               (8)-(9), of positions and \
modal coordinates
(I - d A(w1)) q1 = (I + d A(w0)) q0 ;  q1 = unit(q1)                             (8)-(9) of q' = A(w) q
repeat, forces and B where the last iterate is, a1 = a0 in the first:
  mu lam1 = B M^-1 Q + Bdot u', with the terms of the treatment                   (11)-(12)
  a1 = M^-1 (Q - B^T lam1) ;  u1', x1, q1 by (8)-(9)                             (13)
until no position, attitude or modal coordinate changes by iteration_tolerance, or max_iterations times
```

Multipliers and motion are so found together, (10), for any joints, springs, locks and closed loops. The
report eliminates positions where polhode eliminates accelerations: by (8) one is the other. The rule is
applied to angular velocities and to the Euler parameters of (44).

The treatment says what holds the joints at the end of the step. With `baumgarte` its terms, (20), are those
of the iterate, as the report has them. With gamma = 2 alpha, beta = alpha² an iteration leaves about alpha h
of an error along the constraints. From alpha h = 0.6 on it fails at locks that catch. All other treatments
start from the middle of the step, as (30)-(32) do. They take h_u' = u0' + d a0 and h_u = x0 + d u0' of (9),
over d. Iterations converge as the forces let them. With `exact` the multipliers are those of (10) without
more. Dampers act at the mean of h_u' and h_u' + h a1, which is u1', and are solved for with a1: they cost no
iterations.

An iteration takes forces as they are at the last iterate, without their derivatives. It converges where h²
times the stiffness over four times the inertia is below 1, omega h < 2, and h times the rate of turning is
small. So the rule is used here for its accuracy. It is stable for every step that it solves, but stiff parts
bound the step as they bound an explicit one ([bdf](bdf.md) has Newton's matrix). Each pass costs one
evaluation of the mechanism. All `max_iterations` are made, and those after the last change nothing: that is
the price of a step that runs as machine code and as a kernel. Once changes are below 8 roundings of a
coordinate they count as none, so that the tolerance can be met in f32.

Velocities are met to 2/h times `iteration_tolerance`. Derivatives of a step (exponents of Lyapunov) converge
after the motion: of a flexible pendulum they are met to 3e-6 by 1e-12, which 1e-15 mends. On PCD90's
manipulator with h = 40 ms, to 1e-6, a step takes 4.4 iterations with multipliers of
`staggered_once_integrated`. With those of `baumgarte` at alpha h = 0.55 it takes 23.0, until all is straight;
the report has about 4.5 and 22.

An instance with a step that is not solved stops as `not_converged`: take a shorter step, a wider tolerance or
more iterations. The channel `iterations` has those of the last step, their mean since the start and the most
in a step; it is observed unasked.

Loads are means over half the step at each end: the impulse of a load that jumps is exact wherever it jumps.

",
    };

    fn new(options: &Options) -> Self {
        Self {
            tolerance: options.number("iteration_tolerance", 1e-12),
            most: options.count("max_iterations", 16),
        }
    }

    fn samples(&self) -> Vec<Sample> {
        vec![AFTER_START, BEFORE_END]
    }

    fn carried(&self, shape: &Shape) -> Vec<String> {
        multiplier_names(shape).collect()
    }

    fn begin<R: Real>(&self, system: &System<R>, motions: &[Motion<R>]) -> Vec<R> {
        first_multipliers(system, START, motions)
    }

    fn iterates(&self) -> bool {
        true
    }

    fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R> {
        let h = system.h;
        let (zero, one) = (h.lift(0.0), h.lift(1.0));
        let d = h * h.lift(0.5);
        let start = &state.motions;
        let still: Vec<Motion<R>> = start.iter().map(Motion::still).collect();
        let now = Advanced::at(start, 0.0);
        let first = multipliers_so_far(system, START, start, now, &state.carried);
        let rates = system.kick(one, START, start, now, &still, &first);
        // h_u and h_u', what the end of the step has from its start.
        let bodies = start.iter().zip(&rates);
        let history: Vec<Motion<R>> = bodies.map(|(start, rate)| half_step(d, start, start, rate)).collect();
        let end = |rates: &[Velocities<R>]| -> Vec<Motion<R>> {
            let motion = |(history, rate)| half_step(d, history, &half_step(d, history, history, rate), rate);
            history.iter().zip(rates).map(motion).collect()
        };
        let mut reached = end(&rates);
        let mut carried = state.carried.clone();
        let (mut count, mut open) = (zero, one);
        for _ in 0..self.most {
            let advanced = match system.stabilises() {
                true => Advanced::at(&reached, 1.0),
                false => Advanced::over(h, &history, 0.5),
            };
            let found = system.multipliers(END, &reached, advanced, d, &state.carried);
            let next = end(&system.kick(one, END, &reached, advanced, &still, &found));
            let change = self.change(&reached, &next);
            let chosen = |next: R, last: R| zero.select_less(open, next, last);
            reached = next.iter().zip(&reached).map(|(next, last)| combined(next, last, &chosen)).collect();
            carried = carried.iter().zip(&found).map(|(last, next)| chosen(*next, *last)).collect();
            count = count + open;
            open = change.select_less(h.lift(self.tolerance * self.tolerance), zero, open);
        }
        system.solved_by(Iterations { count, open });
        State { motions: reached, carried }
    }
}

impl Trapezoidal {
    /// The square of the largest change, roundings aside: of a position (m), of an attitude (rad),
    /// of a modal coordinate.
    fn change<R: Real>(&self, last: &[Motion<R>], next: &[Motion<R>]) -> R {
        let like = last[0].q[0];
        let rounding = match like.precision() {
            Precision::F32 | Precision::F32Compensated => f64::from(f32::EPSILON),
            Precision::F64 => f64::EPSILON,
        };
        let rounding = like.lift((ROUNDINGS * rounding).powi(2));
        let squares = |last: &[R], next: &[R]| {
            let square = |sum: R, (last, next): (&R, &R)| {
                let change = *next - *last;
                change.mul_add(change, (rounding * *next).neg_mul_add(*next, sum))
            };
            last.iter().zip(next).fold(like.lift(0.0), square)
        };
        let each = last.iter().zip(next).flat_map(|(last, next)| {
            let modal = last.modal.amplitudes.chunks(1).zip(next.modal.amplitudes.chunks(1));
            let moved = std::iter::once(squares(&last.r, &next.r))
                .chain(modal.map(|(last, next)| squares(last, next)));
            moved.chain([like.lift(4.0) * squares(&last.q, &next.q)]).collect::<Vec<R>>()
        });
        each.fold(like.lift(0.0), greatest)
    }
}

/// `from` half a step later, d (s), by the velocities of `by` and by `rate`: quaternions by the
/// trapezoidal rule's factor `I + d A(w)`, which turns as `(I - d A(w))^-1` does, and made unit.
fn half_step<R: Real>(d: R, from: &Motion<R>, by: &Motion<R>, rate: &Velocities<R>) -> Motion<R> {
    let half = d * d.lift(0.5);
    Motion {
        q: unit(times_vector_add(from.q, scale(half, by.w), from.q)),
        w: scale_add(d, rate.w, from.w),
        r: scale_add(d, by.v, from.r),
        v: scale_add(d, rate.v, from.v),
        modal: ModalCoordinates {
            amplitudes: scale_add_all(d, &by.modal.rates, &from.modal.amplitudes),
            rates: scale_add_all(d, &rate.modal, &from.modal.rates),
        },
    }
}

/// Two motions, number by number.
fn combined<R: Real>(a: &Motion<R>, b: &Motion<R>, f: &impl Fn(R, R) -> R) -> Motion<R> {
    let each = |a: &[R], b: &[R]| a.iter().zip(b).map(|(a, b)| f(*a, *b)).collect();
    Motion {
        q: std::array::from_fn(|k| f(a.q[k], b.q[k])),
        w: std::array::from_fn(|k| f(a.w[k], b.w[k])),
        r: std::array::from_fn(|k| f(a.r[k], b.r[k])),
        v: std::array::from_fn(|k| f(a.v[k], b.v[k])),
        modal: ModalCoordinates {
            amplitudes: each(&a.modal.amplitudes, &b.modal.amplitudes),
            rates: each(&a.modal.rates, &b.modal.rates),
        },
    }
}
