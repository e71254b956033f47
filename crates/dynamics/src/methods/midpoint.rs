//! Nonlinearly implicit midpoint step in Euler parameters (PC87 5), with the multipliers of joints
//! (PC87 6).

use super::{
    Card, Key, Kind, Method, STEP, Sample, Shape, State, Takes, first_multipliers, multiplier_names,
    multipliers_so_far,
};
use crate::base::Options;
use crate::kinematics::body::{ModalCoordinates, Motion, scale_add_all, sums};
use crate::math::quaternion::{Quat, conjugate_vector, times_vector_add, unit};
use crate::math::vector::{Vec3, add, dot, scale, scale_add, sub};
use crate::model::system::{Advanced, System};
use crate::real::Real;

/// The method with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Midpoint {
    iterations: u64,
    enforce_midpoint: bool,
}

impl Method for Midpoint {
    const CARD: Card = Card {
        name: "midpoint",
        title: "nonlinearly implicit midpoint step in Euler parameters",
        source: "PC87 (5.7)-(5.18), (6.4)-(6.6)",
        order: 2,
        limit: None,
        conserves: "nothing exactly",
        takes: Takes::AnyMechanismAndTreatment,
        resynchronises: false,
        roles: &[],
        keys: &[
            Key {
                name: "iterations",
                kind: Kind::Count(0, 50, 3),
                unit: "",
                meaning: "Passes after the first. With none the method is of order 1.",
            },
            Key {
                name: "as_printed",
                kind: Kind::Flag,
                unit: "",
                meaning: "The printed algorithm: one pass, order 1, whatever iterations says.",
            },
            Key {
                name: "enforce_midpoint",
                kind: Kind::Flag,
                unit: "",
                meaning: "Enforces norm and orthogonality in the middle of the step too, by the bordered \
                          systems (5.15)-(5.16).",
            },
        ],
        text: "\
```text
A(v) q = 1/2 q o (0, v) ;  d = h/2 ;  wm = w ;  am = acc(q, w) ;  qd = A(w) q
repeat 1 + iterations times:
  qm  = (I - A(d wm + d^2 am))^-1 [ q + d A(w - wm) q ]                      (5.7a)
  qdm = (I - A(d wm))^-1 [ qd + d A(am) qm ]                                 (5.7b)
  wm  = 2 vec(qm^* o qdm) / |qm|^2 ;  am = acc(unit qm, wm)                  (5.11)
q1 = unit(2 qm - q) ;  qd1 = 2 qdm - qd ;  w1 = 2 vec(q1^* o qd1)
v1 = v + h a(qm) ;  r1 = r + h/2 (v + v1)
```

All bodies of a mechanism are advanced at once. In each pass joints, springs and dampers are taken in the
middle of the step:

```text
rm  = r + d v ;  vm = v + d a ;  modal coordinates alike                   (6.4), half a step later
lam by the treatment over d from the multipliers carried, rows at (qm, rm)  (6.6)
acc = M^-1 (Q - B^T lam) at (qm, rm, wm, vm)
```

The first pass starts from the accelerations at the step's start, with the multipliers carried. (6.6) names
the multipliers in the middle of a step and no way from there to its end. polhode carries those found last. To
carry 2 lam - (those before) would keep an odd-even mode of amplification -1, which is the form of PCD90 (33);
see the treatment `staggered_as_printed`. Dampers act at the mean of the old and the new velocity, as in
`staggered`. Positions are explicit: a spring needs omega h < 2.

Attitudes in the middle are means of both ends, and rm is not: they stand h^2/4 a apart. A weight beta of the
violation there keeps joints open by a share of h^2. With the default beta = gamma^2/4 the error on the double
pendulum falls with a slope of 1.8, with beta = 0, as (6.6) has it, with 2.0.

PC87 calls it accurate and stable up to h = 0.15 s on its ball, whose rates are about 1 rad/s. With eps = 1e-6
and no other weights, as printed, the ball is then off by 0.058 radii after 6 s, with three iterations by
0.012. Its energy is off by 4e-4 and 1e-4 within 60 s. It stays stable up to 0.3 s at least. Those weights
draw back nothing that has drifted. Within 60 s one pass leaves the track by 0.08 radii at 0.05 s and by 0.69
at 0.15 s, three iterations by 0.01 and 0.1. With r0 = 0.15 a one pass leaves it by 0.5 within 6 s. A run with
the default bounds stops there, `constraint_bound`; `constraints.project = 1` keeps it on the track.
`as_printed` needs small weights. With the defaults gamma = 1/step and beta = gamma^2/4 one pass answers a
violation a step late. The energy of the ball has then grown by 28 % after 60 s at h = 0.05 s.

(I - A(v))^-1 = (I + A(v)) / (1 + |v|^2/4), (5.12). (5.7b) is printed with A(omega) where A(omega-dot) is
meant: as it stands it is dimensionally wrong: w grows e-fold a second with it.

As printed, (5.8), there is no iteration, and the method is of order 1; with one it is of order 2.

Norm and orthogonality at the new step, (5.17)-(5.18): the latter has no effect on w1, because vec(q1^* o q1)
= 0. With `enforce_midpoint` they hold in the middle of the step as well. There (5.15) is E q + lam q = b with
q.q = 1, which turns otherwise than a solution of E q = b that is scaled:

```text
v = d wm + d^2 am ;  b = q + d A(w - wm) q ;  s = sqrt(|b|^2 - |v|^2/4) ;  (s I - A(v)) qm = b       (5.15)
(I - A(d wm)) qdm = qd + d A(am) qm - lam qm ,  lam so that qm . qdm = 0                            (5.16)
```

(5.16) is printed with qdot as the multiplier's column, where q is meant: as printed it gives NaN after 0.35 s
of the fast top. At h|w| = 0.5 that top keeps its energy by (5.15)-(5.16) within 0.7 % over 20 s and within
1.9 % over 100 s. One iteration and three do alike. Without them one iteration has 0.042 % after 20 s and
blows up later (doubled after 100 s); three stay within 2.6e-5 over 400 s. Three are therefore the default.

A function of time that jumps on a step costs no order; inside a step it leaves an error of order 1
(tests/cpu/jumps.rs).
",
    };

    fn new(options: &Options) -> Self {
        let iterations = if options.flag("as_printed", false) { 0 } else { options.count("iterations", 3) };
        Self { iterations, enforce_midpoint: options.flag("enforce_midpoint", false) }
    }

    fn order(&self) -> u32 {
        if self.iterations == 0 { 1 } else { 2 }
    }

    fn samples(&self) -> Vec<Sample> {
        vec![STEP]
    }

    fn carried(&self, shape: &Shape) -> Vec<String> {
        multiplier_names(shape).collect()
    }

    fn begin<R: Real>(&self, system: &System<R>, motions: &[Motion<R>]) -> Vec<R> {
        first_multipliers(system, 0, motions)
    }

    fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R> {
        let h = system.h;
        let (half, one) = (h.lift(0.5), h.lift(1.0));
        let d = h * half;
        let start = &state.motions;
        let own = Advanced::over(h, start, 0.0);
        let still: Vec<Motion<R>> = start.iter().map(Motion::still).collect();
        let mut multipliers = multipliers_so_far(system, 0, start, own, &state.carried);
        let mut accelerations = system.kick(one, 0, start, own, &still, &multipliers);
        let mut passes: Vec<Pass<R>> =
            start.iter().map(|motion| Pass { q: motion.q, qd: motion.q, w: motion.w }).collect();
        let mut middle = start.clone();
        for pass in 0..=self.iterations {
            let bodies = start.iter().zip(&accelerations).zip(&mut passes);
            middle = bodies
                .map(|((start, acceleration), pass)| {
                    pass.repeat(d, start, acceleration.w, self.enforce_midpoint);
                    Motion {
                        q: unit(pass.q),
                        w: pass.w,
                        r: scale_add(d, start.v, start.r),
                        v: scale_add(d, acceleration.v, start.v),
                        modal: ModalCoordinates {
                            amplitudes: scale_add_all(d, &start.modal.rates, &start.modal.amplitudes),
                            rates: scale_add_all(d, &acceleration.modal, &start.modal.rates),
                        },
                    }
                })
                .collect();
            multipliers = system.multipliers(0, &middle, own, d, &state.carried);
            if pass < self.iterations {
                accelerations = system.kick(one, 0, &middle, own, &still, &multipliers);
            }
        }
        let kicked = system.push(h, 0, &middle, own, start, &multipliers);
        let ends = start.iter().zip(passes).zip(kicked);
        let motions = ends
            .map(|((start, pass), kicked)| {
                let (q, w) = pass.end(start);
                Motion {
                    q,
                    w,
                    r: scale_add(d, add(start.v, kicked.v), start.r),
                    v: kicked.v,
                    modal: ModalCoordinates {
                        amplitudes: scale_add_all(
                            d,
                            &sums(&start.modal.rates, &kicked.modal),
                            &start.modal.amplitudes,
                        ),
                        rates: kicked.modal,
                    },
                }
            })
            .collect();
        let carried = if state.carried.is_empty() { Vec::new() } else { multipliers };
        State { motions, carried }
    }
}

/// One body in the middle of the step, as far as the passes have found it.
struct Pass<R> {
    /// Its Euler parameters, and their rate (1/s).
    q: Quat<R>,
    qd: Quat<R>,
    /// Its angular velocity, principal axes (rad/s).
    w: Vec3<R>,
}

impl<R: Real> Pass<R> {
    /// (5.7) with what is known so far, and (5.11); (5.15) and (5.16) in place of (5.7) if
    /// `enforce`. `d`: half the step (s).
    fn repeat(&mut self, d: R, start: &Motion<R>, acceleration: Vec3<R>, enforce: bool) {
        let Motion { q, w, .. } = *start;
        let (zero, one, half, two) = (d.lift(0.0), d.lift(1.0), d.lift(0.5), d.lift(2.0));
        let pushed = times_vector_add(q, scale(d * half, sub(w, self.w)), q);
        let turn = scale(d, scale_add(d, acceleration, self.w));
        let diagonal = match enforce {
            true => d.lift(0.25).neg_mul_add(dot(turn, turn), norm_squared(pushed)).sqrt(),
            false => one,
        };
        self.q = solve(diagonal, turn, pushed);
        // qd = q o (0, w/2), one product at a time upon the others.
        let turned = times_vector_add(self.q, scale(d * half, acceleration), [zero; 4]);
        let turn = scale(d, self.w);
        self.qd = solve(one, turn, times_vector_add(q, scale(half, w), turned));
        if enforce {
            let column = solve(one, turn, self.q);
            let multiplier = inner(self.q, self.qd) / inner(self.q, column);
            self.qd = std::array::from_fn(|i| multiplier.neg_mul_add(column[i], self.qd[i]));
        }
        self.w = scale(two / norm_squared(self.q), conjugate_vector(self.q, self.qd));
    }

    /// Attitude and angular velocity at the end of the step.
    fn end(&self, start: &Motion<R>) -> (Quat<R>, Vec3<R>) {
        let Motion { q, w, .. } = *start;
        let (half, two) = (q[0].lift(0.5), q[0].lift(2.0));
        let q1 = unit(doubled_less(two, self.q, q));
        // 2 qdm - qd. Its part along q1, which (5.18) takes away, has no share in w1: vec(q1^*
        // o q1) = 0.
        let qd1 = times_vector_add(q, scale(-half, w), self.qd.map(|x| x * two));
        (q1, scale(two, conjugate_vector(q1, qd1)))
    }
}

/// `(s I - A(v))^-1 y`
fn solve<R: Real>(s: R, v: Vec3<R>, y: Quat<R>) -> Quat<R> {
    let a = scale(v[0].lift(0.5), v);
    let one = v[0].lift(1.0);
    let inverse = one / a[2].mul_add(a[2], a[1].mul_add(a[1], a[0].mul_add(a[0], s * s)));
    times_vector_add(y, a, y.map(|x| s * x)).map(|x| x * inverse)
}

/// `2 m - a`
fn doubled_less<R: Real>(two: R, m: Quat<R>, a: Quat<R>) -> Quat<R> {
    std::array::from_fn(|i| two.mul_sub(m[i], a[i]))
}

fn inner<R: Real>(p: Quat<R>, q: Quat<R>) -> R {
    p[3].mul_add(q[3], p[2].mul_add(q[2], p[1].mul_add(q[1], p[0] * q[0])))
}

fn norm_squared<R: Real>(q: Quat<R>) -> R {
    inner(q, q)
}
