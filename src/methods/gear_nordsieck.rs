//! Gear's formulas for equations of second, first and no order together: W84's implicit integrator.

use super::adaptive::tolerance;
use crate::base::{Card, Takes};

/// Positions are solved for to rounding, and rates are differences of them over a step: below this rounding
/// is all that is left to test.
const LEAST: f64 = 1e-10;

pub const CARD: Card = Card {
    name: "gear_nordsieck",
    title: "Gear's formulas in Nordsieck form, for equations of second, first and no order together, implicit",
    source: "W84, 1.8, (2.7.4)-(2.7.6), (6.2.3), appendices A and B",
    order: 5,
    limit: None,
    conserves: "nothing; errors follow the tolerances",
    takes: Takes::PositionsOfJoints,
    resynchronises: false,
    keys: &[
        tolerance(
            "relative",
            LEAST,
            "Error allowed an internal step, as a part of the largest magnitude so far of each position, rate and state.",
        ),
        tolerance("absolute", LEAST, "Error allowed an internal step beside it, in SI units of each of them."),
    ],
    text: "\
```text
second order   r'' = acc_v ;  eta'' = acc_eta
first order    B q' - w/2 = 0  (three for each body) ;  w' = acc_w ;  z' of laws
no order       q.q = 1 ;  Phi(q, r, eta, t) = 0, or B u = 0 of rows of rates ;  unknowns lam, acc = M^-1 (Q - B^T lam)

z = (y, h y', h²/2 y'', .., h^q/q! y^(q)),  q = 2 to 6 ;   predicted by the triangle of Pascal ;   z + l e at the end of the step
F(t, y, y', y'') = 0 solved for e by Newton's method ;   G = l0 dF/dy + 1/h dF/dy' + 2 l2/h² dF/dy''
l_j: coefficients of (1 + x)(1 + x/2)..(1 + x/q), divided by that of x
```

This is the integrator of the thesis: positions and modal coordinates are unknowns once, not with their rates beside them, joints are equations
of positions as they stand, and the matrix is the sum of three Jacobians, here by dual numbers. Coefficients, orders, the error test of
positions and the factors 1.2, 1.3 and 1.4 by which steps are shorter than their errors allow are those of appendix A. The multipliers have no error test. Rows
of joints that others imply are left out; those that are dependent all the same are held apart by a compliance of 1e-11 of mu's
diagonal.

Ours are four things. The rates of positions choose step and order too, though they refuse no step: the thesis tests positions alone, which
lets rates err by 1/h of it; a step at most doubles, where it may grow tenfold there. With its test a hinged bar that swings for 1 s errs by 1.1e-3 at tolerances of 1e-8. One matrix serves
up to 20 steps. q, w, z begin with a second derivative by differences. Every output step begins anew, with order 2, as `bdf` does, and
at its end velocities and positions are projected.

y'' of order q is good to h^(q-1): the method converges as q - 1, and order 2, with which each output step begins, as 1. So give it output steps of a
hundred internal ones and more.

@@TABLE@@

It is the thesis's contribution, and there to be compared. What the thesis hopes of it is not to be had here: fewer unknowns, for a
matrix is not what costs most, and `bdf` needs fewer steps for the same error.

It takes `exact` as the treatment of joints, in name: no other one has a part in it. Otherwise it is as `bdf`: f64 on the CPU alone, no locks,
no kernel; `step` is the output step; loads that jump end an integration; `step_too_small` is the end of an instance whose output step
cannot be finished. Tolerances below 1e-10 are refused: rates are differences of positions over a step, and rounding is then their error. Its
judge in `polhode replay` is the accurate motion.
",
};
