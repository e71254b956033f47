//! Backward differentiation formulas of variable order and step: an implicit yardstick for stiff
//! mechanisms.

use super::own_steps::RANGE;
use super::tolerance::tolerance;
use crate::base::{Card, MethodRole, Takes};

pub const CARD: Card = Card {
    name: "bdf",
    title: "backward differentiation formulas of variable order and step, implicit",
    source: "Shampine & Reichelt, The MATLAB ODE Suite, 1997; crate diffsol",
    order: 5,
    limit: None,
    conserves: "nothing; errors follow the tolerances",
    takes: Takes::WithoutLocks,
    resynchronises: false,
    roles: &[MethodRole::Stiff],
    keys: &[
        tolerance("relative", RANGE.0, "Error allowed an internal step, as a part of each state channel."),
        tolerance(
            "absolute",
            RANGE.0,
            "Error allowed an internal step beside it, in SI units of each state channel.",
        ),
    ],
    text: "\
```text
y = (q, w, r, v, eta, eta') of all bodies ;  y' = f(t, y) = ( 1/2 q o (0, w), acc, v, a, eta', acc_eta )
sum_k alpha_k y_{n-k} = h_n f(t_n, y_n) ;  orders 1 to 5, \
h_n and order by the estimated error ;  Newton's method with df/dy
at the end of an output step: q = unit(q), positions and velocities projected on to the joints
```

`step` is the output step: there the state is handed over and the verdicts are checked. Inside it the method
takes as many internal steps of its own as `relative` and `absolute` want: its cost is adaptive, and no count
of operations exists. Every output step begins anew with order 1, so that a state is a function of the state
one step before and nothing else. Output steps longer than the internal ones (a hundred of them and more) lose
little by that. f is that of the explicit Runge-Kutta methods: multipliers of the moment, from constraint
accelerations (`exact`, `baumgarte`) or compliances (`penalty`, which is not projected). df/dy is exact, by
dual numbers. A load that jumps ends one integration and begins the next; functions of time are taken at the
true time.

The method is for stiff mechanisms with damping. A bushing, a joint spring or a mode may die out long before
anything else moves. Such a part forbids an explicit method every step beyond about 2/omega, and this one
none. `studies/rubber_hinge.toml` is a flap on two bushings with a sleeve of 1 g between them. 4 s of 100
instances take 9 s of one core. At their largest stable steps (0.09 to 0.3 us) the explicit methods would take
12 to 54 minutes. Orders 3 to 5 are not stable near the imaginary axis: a stiff part that goes on ringing must
be followed, or costs as many steps as if it were.

It advances one instance after the other, not by lanes. Where a stiff part rings it is far behind own steps of
`dop853`: `studies/stiffness_decades.toml` costs 30 ms of CPU time an instance at tolerances of 1e-6 (error
5e-5 m after 4 s), and 0.2 ms by `dop853` with `tolerance = 1e-6` (4e-7 m). Over six decades, up to 100 MN/m,
it costs 390 ms (5e-5 m) and 0.6 ms (4e-7 m). Eight lanes would win a factor of 8 at most, less what instances
of different orders, steps and Newton iterations cost each other, and would change nothing of that. So `bdf`
has none: it is there for stiff parts that are damped. The crate that it comes from has no orders, steps and
Newton iterations by lane.

It computes in f64 on the CPU alone (`precision = \"f64\"`, `backend` not `\"gpu\"`), holds no locks, and has
no kernel. An instance whose output step does not end within the tolerances, with internal steps of 1e-14 of
it or a million of them, stops as `step_too_small`. The bounds on the quaternions' norms and on the
constraints see the state before it is projected. Its judge in `polhode replay` is the accurate motion, not a
twin.
",
};
