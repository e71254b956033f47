//! Gear's formulas for equations of second, first and no order together: W84's implicit integrator.

use super::tolerance::tolerance;
use crate::base::{Card, Takes};

/// Positions are solved for to rounding, and rates are differences of them over a step: below this
/// rounding is all that is left to test.
const LEAST: f64 = 1e-9;

pub const CARD: Card = Card {
    name: "gear_nordsieck",
    title: "Gear's formulas in Nordsieck form, for equations of second, first and no order together, \
            implicit",
    source: "W84, 1.8, (2.7.4)-(2.7.6), (6.2.3), appendices A and B",
    order: 5,
    limit: None,
    conserves: "nothing; errors follow the tolerances",
    takes: Takes::PositionsOfJoints,
    resynchronises: false,
    roles: &[],
    keys: &[
        tolerance(
            "relative",
            LEAST,
            "Error allowed an internal step, as a part of the largest magnitude so far of each position, \
             rate and state.",
        ),
        tolerance(
            "absolute",
            LEAST,
            "Error allowed an internal step beside it, in SI units of each of them.",
        ),
    ],
    text: "\
```text
second order   r'' = acc_v ;  eta'' = acc_eta
first order    B q' - w/2 = 0  (three for each body) ;  w' = acc_w ;  z' of laws
no order       q.q = 1 ;  Phi(q, r, eta, t) = 0, or B u = 0 of rows of rates ;  unknowns lam, acc = M^-1 (Q \
- B^T lam)

z = (y, h y', h²/2 y'', .., h^q/q! y^(q)),  q = 2 to 6 ;   predicted by the triangle of Pascal ;   z + l e \
at the end of the step
F(t, y, y', y'') = 0 solved for e by Newton's method ;   G = l0 dF/dy + 1/h dF/dy' + 2 l2/h² dF/dy''
l_j: coefficients of (1 + x)(1 + x/2)..(1 + x/q), divided by that of x
```

This is the integrator of the thesis. Positions and modal coordinates are unknowns once, not with their rates
beside them, and joints are equations of positions as they stand. The matrix is the sum of three Jacobians,
here by dual numbers. Coefficients, orders, the error test of positions and the factors 1.2, 1.3 and 1.4 by
which steps are shorter than their errors allow are those of appendix A. The multipliers have no error test.
Rows of joints that others imply are left out; those that are dependent all the same are held apart by a
compliance of 1e-11 of mu's diagonal.

Ours are four things. The rates of positions choose step and order too, though they let every step pass: the
thesis tests positions alone, which lets rates err by 1/h of it. A step at most doubles, where it may grow
tenfold there. With its test a hinged bar that swings for 1 s errs by 1.1e-3 at tolerances of 1e-8. One matrix
serves up to 20 steps. q, w, z begin with a second derivative by differences. Every output step begins anew,
with order 2, as `bdf` does, and at its end velocities and positions are projected.

y'' of order q is good to h^(q-1): the method converges as q - 1, and order 2, with which each output step
begins, as 1. So give it output steps of a hundred internal ones and more.

The table has the largest error of any channel at the end, of its size or 1, and evaluations (a column of the
matrix is one). The runs take ten output steps of 0.1 s (pendulums on joints), ten of 0.05 s (deformable
ones), and five of 0.1 s (four-bar):

| mechanism | 1e-6 | 1e-8 | `bdf`, 1e-6 | `bdf`, 1e-8 |
|---|---|---|---|---|
| hinged bar | 6.0e-5, 1983 | 9.5e-7, 2899 | 2.2e-5, 554 | 4.2e-8, 896 |
| double pendulum | 1.6e-4, 3274 | 9.4e-7, 4842 | 4.4e-6, 742 | 5.4e-7, 1279 |
| flexible pendulum on a ball joint | 5.3e-5, 2581 | 2.2e-6, 4172 | 1.3e-4, 857 | 6.4e-7, 1530 |
| spinning flexible beam | 6.1e-8, 1397 | 5.2e-9, 2044 | 2.9e-6, 541 | 6.3e-8, 845 |
| four-bar of hinges, redundant rows | 3.4e-6, 2406 | 3.9e-7, 3190 | 1.9e-7, 377 | 1.1e-7, 455 |
| hinged bar with a lagging brake, a state of a law | 5.5e-6, 2060 | 9.8e-8, 2899 | 1.2e-6, 568 | 1.0e-8, \
818 |

It is the thesis's contribution, and there to be compared. The hope of the thesis, fewer unknowns, brings
nothing here, for a matrix is not what costs most. `bdf` needs two fifths to a seventh of the evaluations at
1e-8; of the spinning beam, which has no joints, it errs by more.

It takes `exact` as the treatment of joints, in name: no other one has a part in it. Otherwise it is as `bdf`:
f64 on the CPU alone, no locks, no kernel; `step` is the output step; loads that jump end an integration;
`step_too_small` is the end of an instance whose output step has no end. No tolerance is below 1e-9: rates are
differences of positions over a step, and rounding is then their error. Its judge in `polhode replay` is the
accurate motion.
",
};
