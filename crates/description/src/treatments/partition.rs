//! Coordinate partitioning, PCD90 III.A, (14)-(19): some coordinates are integrated, the others are
//! solved for.
//!
//! ```text
//! B = [B_i B_e],  B_i regular ;   T = B_i^-1 B_e                                        (14), (18)
//! (M_e + T^T M_i T) u_e'' = Q_e - T^T Q_i - T^T M_i B_i^-1 c ;
//! u_i'' = -B_i^-1 (c + B_e u_e'')                                                (17), (15), (19)
//! ```
//!
//! These accelerations are those of `mu lam = r`, whatever the partition: elimination and
//! multipliers solve one system. So the multipliers here are the exact ones, and stay at hand for
//! reactions. Coordinates differ from `exact` by what follows a step: positions and velocities of
//! the dependent coordinates i are solved for from the constraints, the independent ones e stay as
//! they were integrated.
//!
//! ```text
//! dx = -S B^T (B S B^T)^-1 Phi, two Newton steps ;   du = -S B^T (B S B^T)^-1 B u
//! S = W M^-1 W,  W = 1 of dependent coordinates, root of w of independent ones
//! ```
//!
//! With w = 0 these are `B_i dx_i = -Phi` and `B_i du_i = -B u`, (15) linearised: independent
//! coordinates stay as they are. The partition is chosen once, when a mechanism is planned
//! (`model/partition.rs` of dynamics), since a step must not branch on values, but B_i can become
//! singular as the motion goes on. PCD90 says that T must be formed again, and not that the
//! partition must be. With w = 0 nothing tells of it: all constraints hold, and the motion is
//! wrong. A bead on a rod whose dependent coordinate is level, 100 steps of RK4 of 20 to 40 ms, is
//! up to 0.1 m off after it has swung through, where it is 9e-6 m off with the other coordinate. A
//! small w > 0 lets independent coordinates give way where the dependent ones cannot: 2e-3 m are
//! left of that with w = 1e-4, 4e-5 m with the default of 1e-2. `w = 1` is the least change, as
//! `project` has it.

use super::{Demand, Treatment, TreatmentCard, number};
use crate::base::Options;
use crate::real::Real;

/// Position of w among the numbers.
pub const INDEPENDENT: usize = 0;

/// The treatment; all its settings are numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition;

impl Treatment for Partition {
    const CARD: TreatmentCard = TreatmentCard {
        name: "partition",
        source: "PCD90 III.A, (14)-(19)",
        meaning: "mu lam = r; after every step dependent coordinates are solved for from the constraints, \
                  independent ones stay as integrated but for w. Which are dependent is chosen at the start \
                  and stays so. For methods of fixed steps that carry nothing.",
        carries: 0,
        solves: true,
        partitions: true,
        stabilises: false,
        roles: &[],
        keys: &[number(
            "independent",
            [0.0, 1.0, 1e-2],
            "",
            "w: mobility of independent coordinates as a share of that of dependent ones. 0: as PCD90 has \
             it, and silently wrong where the dependent ones become singular.",
        )],
    };

    fn new(_options: &Options) -> Self {
        Self
    }

    fn multipliers<R: Real>(&self, demand: &Demand<R>, _tau: R, _previous: &[R], _numbers: &[R]) -> Vec<R> {
        demand.solver().solve(demand.acceleration.clone())
    }
}
