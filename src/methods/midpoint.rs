//! Nonlinearly implicit midpoint step in Euler parameters (PC87).

use super::{Card, Key, Kind, Method, STEP, Sample, State, Takes};
use crate::base::Options;
use crate::kinematics::body::Motion;
use crate::math::quaternion::{Quat, conjugate_vector, times_vector_add, unit};
use crate::math::vector::{Vec3, add, scale, scale_add, sub};
use crate::model::system::System;
use crate::real::Real;

/// The method with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Midpoint {
    iterations: u64,
    project_midpoint: bool,
}

impl Method for Midpoint {
    const CARD: Card = Card {
        name: "midpoint",
        title: "nonlinearly implicit midpoint step in Euler parameters",
        source: "PC87 (5.7)-(5.18)",
        order: 2,
        limit: None,
        conserves: "nothing exactly",
        takes: Takes::OneBody,
        resynchronises: false,
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
                name: "project_midpoint",
                kind: Kind::Flag,
                unit: "",
                meaning: "Enforces norm and orthogonality at the midpoint too, (5.15)-(5.16). Unstable for fast spin.",
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

(I - A(v))^-1 = (I + A(v)) / (1 + |v|^2/4), (5.12). (5.7b) is printed with A(omega) where A(omega-dot) is meant: as it
stands it is dimensionally wrong, and gives NaN.

As printed, (5.8), there is no iteration, and the method is of order 1; with one it is of order 2.

Enforcing norm and orthogonality at the new step, (5.17)-(5.18), is right (the latter has no effect on w1, because
vec(q1^* o q1) = 0). Enforcing them at the midpoint as well, (5.15)-(5.16), makes the energy grow: that is
`project_midpoint`. On the fast top at h|w| = .5, one iteration, it has grown 3.4-fold after 10 s and 10^4-fold after
20 s.

With one iteration and no projection that top blows up as well, only later (doubled after 100 s); with three it stays within 2.6e-5 over
400 s. Three are therefore the default.
",
    };

    fn new(options: &Options) -> Self {
        let iterations = if options.flag("as_printed", false) { 0 } else { options.count("iterations", 3) };
        Self { iterations, project_midpoint: options.flag("project_midpoint", false) }
    }

    fn order(&self) -> u32 {
        if self.iterations == 0 { 1 } else { 2 }
    }

    fn samples(&self) -> Vec<Sample> {
        vec![STEP]
    }

    fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R> {
        let h = system.h;
        let Motion { q, w, r, v, .. } = state.motions[0];
        let (zero, half, one, two) = (h.lift(0.0), h.lift(0.5), h.lift(1.0), h.lift(2.0));
        let d = h * half;
        let acceleration = |q, w| system.only(0).kick(one, q, w, [zero; 3]);
        let half_w = scale(half, w);
        let (mut wm, mut am) = (w, acceleration(q, w));
        let (mut qm, mut qdm) = (q, [zero; 4]);
        for pass in 0..=self.iterations {
            let pushed = times_vector_add(q, scale(d * half, sub(w, wm)), q);
            qm = solve(scale(d, scale_add(d, am, wm)), pushed);
            // qd = q o (0, w/2), one product at a time upon the others.
            let pushed = times_vector_add(q, half_w, times_vector_add(qm, scale(d * half, am), [zero; 4]));
            qdm = solve(scale(d, wm), pushed);
            if self.project_midpoint {
                qm = unit(qm);
                qdm = orthogonal(qdm, qm);
            }
            if pass < self.iterations {
                let norm_squared = qm.iter().skip(1).fold(qm[0] * qm[0], |sum, x| x.mul_add(*x, sum));
                wm = scale(two / norm_squared, conjugate_vector(qm, qdm));
                am = acceleration(unit(qm), wm);
            }
        }
        let q1 = unit(doubled_less(two, qm, q));
        // 2 qdm - qd. Its part along q1, which (5.18) takes away, has no share in w1: vec(q1^* o q1) = 0.
        let qd1 = times_vector_add(q, scale(-half, w), qdm.map(|x| x * two));
        let w1 = scale(two, conjugate_vector(q1, qd1));
        let v1 = system.only(0).push(h, unit(qm), v);
        State::of_one(Motion::rigid(q1, w1, scale_add(d, add(v, v1), r), v1), Vec::new())
    }
}

/// `(I - A(v))^-1 y`
fn solve<R: Real>(v: Vec3<R>, y: Quat<R>) -> Quat<R> {
    let a = scale(v[0].lift(0.5), v);
    let one = v[0].lift(1.0);
    let inverse = one / a[2].mul_add(a[2], a[1].mul_add(a[1], a[0].mul_add(a[0], one)));
    times_vector_add(y, a, y).map(|x| x * inverse)
}

/// `2 m - a`
fn doubled_less<R: Real>(two: R, m: Quat<R>, a: Quat<R>) -> Quat<R> {
    std::array::from_fn(|i| two.mul_sub(m[i], a[i]))
}

/// The part of `qd` that is orthogonal to the unit quaternion `q`.
fn orthogonal<R: Real>(qd: Quat<R>, q: Quat<R>) -> Quat<R> {
    let along = q[3].mul_add(qd[3], q[2].mul_add(qd[2], q[1].mul_add(qd[1], q[0] * qd[0])));
    std::array::from_fn(|i| along.neg_mul_add(q[i], qd[i]))
}
