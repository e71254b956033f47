//! Simo and Wong's explicit momentum-conserving step (H92 4.2).

use super::impulse::{
    Impulse, KEY_TRAPEZOIDAL, MIDDLE, MotionsOverStep, START, angular_momenta, resynchronised_momenta,
    velocity,
};
use crate::base::Options;
use crate::kinematics::body::Motion;
use crate::math::quaternion::exponential;
use crate::math::vector::{Vec3, add, scale, scale_add, sub};
use crate::methods::{
    Card, Method, MethodRole, Sample, Shape, State, Takes, axes, first_multipliers, loads, multiplier_names,
    multipliers_so_far, vectors,
};
use crate::model::system::{Advanced, System};
use crate::real::Real;

/// The method with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct SimoWong {
    impulse: Impulse,
}

impl Method for SimoWong {
    const CARD: Card = Card {
        name: "simo_wong",
        title: "explicit momentum-conserving step of Simo and Wong, exponential update",
        source: "H92 4.2",
        order: 2,
        limit: None,
        conserves: "angular momentum in space, exactly when no moment acts; energy nearly, with the \
                    trapezoidal impulse",
        takes: Takes::RigidBodies,
        resynchronises: false,
        roles: &[MethodRole::Historic],
        keys: &[KEY_TRAPEZOIDAL, loads::KEY],
        text: "\
```text
q1 = q o Exp(h W + h^2/2 A) ;  pi1 = pi + h m ;  W1 = J^-1 Lam1^T pi1 ;  A1 = -A + 2/h (W1 - W)
m  = (m(q) + m(q1))/2                          trapezoidal
m  = m(q o Exp(h/2 W + h^2/8 A))               midpoint
r1 = r + h v + h^2/2 a(q) ;  v1 = v + h a      central difference, a by the same rule as m
```

The spatial angular momentum pi is carried. Recomputing Lam J W at every step, as printed, loses 1e-7 a step
in f32.

Bodies that are joined:

```text
rm = r + h/2 (v + h/4 a0) ;  qm = q o Exp(h/2 W + h^2/8 A) ;  Wm = W + h/2 A ;  vm = v + h/2 a0
a0: accelerations at the start with the multipliers carried
pi1_b = pi_b + h (m_b + reactions_b) ;  v1_b alike
```

Loads, and what springs do to bodies at rest, enter by `impulse`. Reactions of joints and all that damps are
taken in the middle of the step, where the multipliers are found: over h/2 from those carried. Only rigid
bodies have such momenta.

Loads that are constant by pieces enter by their means, which keep the impulse exact. `loads = \"instant\"`
takes them at the instants of the rule, as H92 writes m(t): at a jump the value before it. The impulse is then
off by a share of h. A function of time that jumps on a step costs no order; inside a step it leaves an error
of order 1 (tests/cpu/jumps.rs).

With the midpoint impulse it is weakly unstable: the energy grows with a slope of about h^3. A is carried too,
so a moment that jumps leaves A oscillating about its true value.
",
    };

    fn new(options: &Options) -> Self {
        Self { impulse: Impulse::new(options, "trapezoidal") }
    }

    fn samples(&self) -> Vec<Sample> {
        self.impulse.samples(0.0).collect()
    }

    fn carried(&self, shape: &Shape) -> Vec<String> {
        let momenta = axes(shape, "momentum").into_iter().chain(axes(shape, "acceleration"));
        momenta.chain(multiplier_names(shape)).collect()
    }

    fn begin<R: Real>(&self, system: &System<R>, motions: &[Motion<R>]) -> Vec<R> {
        let one = system.h.lift(1.0);
        let own = Advanced::over(system.h, motions, 0.0);
        let carried = first_multipliers(system, START, motions);
        let multipliers = multipliers_so_far(system, START, motions, own, &carried);
        let still: Vec<Motion<R>> = motions.iter().map(Motion::still).collect();
        let accelerations = system.kick(one, START, motions, own, &still, &multipliers);
        let momenta = angular_momenta(system, motions).into_iter().flatten();
        momenta.chain(accelerations.into_iter().flat_map(|velocities| velocities.w)).chain(carried).collect()
    }

    fn resynchronised<R: Real>(&self, system: &System<R>, state: &State<R>) -> Vec<R> {
        let momenta = resynchronised_momenta(system, &state.motions, &state.carried);
        let others = state.carried.iter().skip(3 * momenta.len()).copied();
        momenta.into_iter().flatten().chain(others).collect()
    }

    fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R> {
        let h = system.h;
        let (half, half_h) = (h.lift(0.5), h * h.lift(0.5));
        let start = &state.motions;
        let bodies = start.len();
        let (momenta, accelerations) =
            (vectors(&state.carried, 0, bodies), vectors(&state.carried, 3 * bodies, bodies));
        let carried = &state.carried[6 * bodies..];
        let own = Advanced::over(h, start, 0.0);
        let so_far = multipliers_so_far(system, START, start, own, carried);
        // v + h/2 a(q)
        let pushed = system.push(half_h, START, start, own, start, &so_far);
        let moved = |s: R, half_s: R, position: &dyn Fn(usize) -> Vec3<R>| -> Vec<Motion<R>> {
            let motion = |(b, motion): (usize, &Motion<R>)| {
                let a = accelerations[b];
                let q = exponential(motion.q, scale(s, scale_add(half_s, a, motion.w)));
                Motion::rigid(q, scale_add(half_h, a, motion.w), position(b), pushed[b].v)
            };
            start.iter().enumerate().map(motion).collect()
        };
        let course = MotionsOverStep {
            middle: moved(half_h, half * half_h, &|b| {
                scale_add(half_h, scale(half, add(start[b].v, pushed[b].v)), start[b].r)
            }),
            end: moved(h, half_h, &|b| scale_add(h, pushed[b].v, start[b].r)),
        };
        let multipliers = system.multipliers(MIDDLE, &course.middle, own, half_h, carried);
        let changed = self.impulse.changed(system, 0, own, &course, &momenta, &multipliers);
        let ends = course.end.iter().zip(&changed).enumerate();
        let motions: Vec<Motion<R>> = ends
            .map(|(b, (end, changed))| {
                Motion::rigid(end.q, velocity(system, b, end.q, changed.angular), end.r, changed.v)
            })
            .collect();
        let ends = motions.iter().zip(start).zip(&accelerations);
        let accelerations = ends.flat_map(|((end, start), a)| {
            scale_add(h.lift(2.0) / h, sub(end.w, start.w), scale(h.lift(-1.0), *a))
        });
        let momenta = changed.iter().flat_map(|changed| changed.angular);
        let carried = if carried.is_empty() { Vec::new() } else { multipliers };
        State { carried: momenta.chain(accelerations).chain(carried).collect(), motions }
    }
}
