//! Predictor-corrector momentum-conserving step (H92 4.3).

use super::impulse::{
    Impulse, KEY_MIDPOINT, MIDDLE, MotionsOverStep, START, angular_momenta, resynchronised_momenta, velocity,
};
use crate::base::Options;
use crate::kinematics::body::Motion;
use crate::math::quaternion::exponential;
use crate::math::vector::{Vec3, add, scale, scale_add};
use crate::methods::{
    Card, Method, MethodRole, Sample, Shape, State, Takes, axes, first_multipliers, loads, multiplier_names,
    multipliers_so_far, vectors,
};
use crate::model::system::{Advanced, System};
use crate::real::Real;

/// The method with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictorCorrector {
    impulse: Impulse,
}

impl Method for PredictorCorrector {
    const CARD: Card = Card {
        name: "predictor_corrector",
        title: "explicit momentum-conserving predictor-corrector step, exponential update",
        source: "H92 4.3, (53)",
        order: 2,
        limit: None,
        conserves: "angular momentum in space, exactly when no moment acts; its energy grows",
        takes: Takes::RigidBodies,
        resynchronises: false,
        roles: &[MethodRole::Historic],
        keys: &[KEY_MIDPOINT, loads::KEY],
        text: "\
```text
qt  = q o Exp(h W) ;  pi1 = pi + h m ;  Wt = J^-1 Lamt^T pi1
q1  = q o Exp(h/2 (W + Wt)) ;  W1 = J^-1 Lam1^T pi1
m   = m(q o Exp(h/2 W))                        midpoint
m   = (m(q) + m(qt))/2                         trapezoidal
v1  = v + h a ;  r1 = r + h/2 (v + v1)         Tamma and Namburu, a by the same rule as m
```

Bodies that are joined:

```text
rm = r + h/2 v ;  qm = q o Exp(h/2 W) ;  predictor at (W, v) with the multipliers carried, gives Wt, vt
corrector at ((W + Wt)/2, (v + vt)/2) with multipliers found anew, gives pi1, v1
pi1_b = pi_b + h (m_b + reactions_b) ;  v1_b alike
```

Loads, and what springs do to bodies at rest, enter by `impulse`. Reactions of joints and all that damps are
taken in the middle of the step, where the multipliers are found: over h/2 from those carried. Only rigid
bodies have such momenta.

Loads that are constant by pieces enter by their means, which keep the impulse exact. `loads = \"instant\"`
takes them at the instants of the rule, as H92 writes m(t): at a jump the value before it. The impulse is then
off by a share of h. A function of time that jumps on a step costs no order; inside a step it leaves an error
of order 1 (tests/cpu/jumps.rs).

One body under loads alone has no corrector: its moments do not depend on its velocity. With joints the
residual is taken once more, as H92 4.5 allows.

The spatial angular momentum pi is carried. The scanned (53) seems to bear a tilde on Lam_n; it is not there.

It is weakly unstable: on H92 5.1 at h = 0.001 s the energy grows by 2.1e-6 of itself a second, and the rate
with h^3. Over 10^5 free steps it bears only h|w0| = 0.03, less than a tenth of what the staggered conserving
step does.
",
    };

    fn new(options: &Options) -> Self {
        Self { impulse: Impulse::new(options, "midpoint") }
    }

    fn samples(&self) -> Vec<Sample> {
        self.impulse.samples(0.0).collect()
    }

    fn carried(&self, shape: &Shape) -> Vec<String> {
        axes(shape, "momentum").into_iter().chain(multiplier_names(shape)).collect()
    }

    fn begin<R: Real>(&self, system: &System<R>, motions: &[Motion<R>]) -> Vec<R> {
        let momenta = angular_momenta(system, motions).into_iter().flatten();
        momenta.chain(first_multipliers(system, START, motions)).collect()
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
        let momenta = vectors(&state.carried, 0, start.len());
        let carried = &state.carried[3 * start.len()..];
        let own = Advanced::over(h, start, 0.0);
        let drifted = |s: R| {
            let motion = |at: &Motion<R>| {
                Motion::rigid(exponential(at.q, scale(s, at.w)), at.w, scale_add(s, at.v, at.r), at.v)
            };
            start.iter().map(motion).collect::<Vec<_>>()
        };
        let mut course = MotionsOverStep { middle: drifted(half_h), end: drifted(h) };
        let mut multipliers = multipliers_so_far(system, MIDDLE, &course.middle, own, carried);
        let mut changed = self.impulse.changed(system, 0, own, &course, &momenta, &multipliers);
        let predicted: Vec<Vec3<R>> =
            (0..start.len()).map(|b| velocity(system, b, course.end[b].q, changed[b].angular)).collect();
        if !system.is_free() {
            for (b, middle) in course.middle.iter_mut().enumerate() {
                middle.w = scale(half, add(start[b].w, predicted[b]));
                middle.v = scale(half, add(start[b].v, changed[b].v));
            }
            multipliers = system.multipliers(MIDDLE, &course.middle, own, half_h, carried);
            changed = self.impulse.changed(system, 0, own, &course, &momenta, &multipliers);
        }
        let ends = start.iter().zip(&predicted).zip(&changed).enumerate();
        let motions = ends
            .map(|(b, ((start, predicted), changed))| {
                let q1 = exponential(start.q, scale(half_h, add(start.w, *predicted)));
                let w1 = velocity(system, b, q1, changed.angular);
                Motion::rigid(q1, w1, scale_add(half_h, add(start.v, changed.v), start.r), changed.v)
            })
            .collect();
        let momenta = changed.iter().flat_map(|changed| changed.angular);
        let carried = if carried.is_empty() { Vec::new() } else { multipliers };
        State { motions, carried: momenta.chain(carried).collect() }
    }
}
