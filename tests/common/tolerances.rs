//! Every tolerance of the integration tests, with its reason. "Measured" is what the test gave when
//! the tolerance was chosen; the rest is room for other processors' rounding.

/// DOP853 against reference solutions, largest component of q and w over the whole file. Its
/// rounding errors grow linearly over 100 s. Measured 3.0e-12 (free body), 1.8e-12 (heavy top).
pub const ACCURATE: f64 = 2e-11;

/// DOP853 against reference solutions near the separatrix of the free body: the period depends on
/// energy like ln(1 - m), so rounding of 1e-16 in energy is multiplied by 1/(1 - m), 4e4 to 1e6.
/// Measured 1.2e-7 for the worst; the 80-bit solution the files mention differs by 1e-8 itself.
pub const ACCURATE_NEAR_SEPARATRIX: f64 = 1e-6;

/// The closed form of the free body against reference solutions. Measured 1.4e-13.
pub const CLOSED_FORM: f64 = 1e-12;

/// Smooth motions of 1 s by 200 steps of order 8 against closed forms: truncation is below 1e-14,
/// and loops are closed to rounding, which accelerations carry along for 1 s. A wrong term gives
/// 1e-3 or more.
pub const CLOSED_FORM_OF_A_RUN: f64 = 1e-9;

/// The closed form of the free body near the separatrix, where m itself is known to 1e-16 only.
/// Measured 1.1e-9.
pub const CLOSED_FORM_NEAR_SEPARATRIX: f64 = 1e-8;

/// DOP853's relative change of energy and momentum over 20 to 100 s. Measured at most 1e-14.
pub const INVARIANT: f64 = 1e-12;

/// Largest distance of a slope from the method's order: the requirement on the method.
pub const ORDER: f64 = 0.05;

/// A motion described in other body axes, origins or load axes, by DOP853 over 1 to 2 s at moderate
/// speeds.
pub const SAME_MOTION: f64 = 1e-10;

/// A motion described in other body axes, by any one method: its step commutes with a change of
/// body axes, so only rounding differs.
pub const SAME_METHOD_MOTION: f64 = 1e-10;

/// An impulse about a principal axis from rest is a sum of some hundred terms, each rounded.
pub const IMPULSE: f64 = 1e-13;

/// Engine in f64 against the reference, per step, of the largest component of each channel (or of
/// 1, if that is more): both round some hundred operations a step, and the principal axes of the
/// engine are known to 1e-15. Rounding adds up, so the tolerance grows with the steps. Measured
/// 5e-13 after 20.
pub const REFERENCE_PER_STEP: f64 = 1e-12;

/// f32 against f64 over the same 5000 steps of the free body, largest component of q and w.
/// Measured 3.2e-5.
pub const SINGLE: f64 = 1e-4;

/// f32 against the reference solution of the free body at 10 s, h = 2 ms: the method's error of
/// 4e-6 and rounding. Measured 3.3e-5.
pub const SINGLE_AGAINST_REFERENCE: f64 = 1e-4;

/// Requirement on the energy in f32 after 10^6 steps with the half chain restarted every 200.
/// Measured 3.8e-4, fused 4.1e-4.
pub const SINGLE_ENERGY_OVER_A_MILLION_STEPS: f64 = 1e-3;

/// The drift without restarts is known to three digits, sampled every 1000 steps; its largest
/// values are narrow.
pub const CHAIN_DRIFT: f64 = 0.1;

/// Largest distance of a measured order from that of the method's card: the requirement on the
/// methods, and on the reference's. The predictor-corrector's is off most, .06, with the steps
/// chosen.
pub const METHOD_ORDER: f64 = 0.1;

/// Errors below this at the end of some thousand steps are rounding, and say nothing of an order.
/// Measured 1e-13.
pub const ROUNDING_AT_THE_END: f64 = 2e-12;

/// Relative drift of a carried angular momentum over 10^6 free steps: what is asked of the
/// conserving methods.
pub const MOMENTUM_DOUBLE: f64 = 1e-11;
pub const MOMENTUM_SINGLE: f64 = 1e-6;

/// An oscillator of one millionth of a radian against the linear one, relative: rounding of the
/// attitude, which has 1 beside it, is 1e-16 / 1e-6.
pub const LINEAR_FREQUENCY: f64 = 1e-9;

/// Largest distance of a measured order from 5 or 8: between steps too large for the order to show,
/// where errors of the next order count too, and errors lost in rounding lie a few doublings.
/// Measured up to .2 and .3.
pub const HIGH_ORDER: f64 = 0.45;

/// Largest excess of the order of `tsit5` over 5 where its leading error, small by design, does not
/// rule yet: larger steps show order 6, which smaller ones lose in rounding. Measured .70 (pushed
/// body) and .884 (study of kind `convergence`); a method of order 6 is off by 1. Elsewhere (slopes
/// 4.74 and 5.18) [`HIGH_ORDER`] holds.
pub const NEXT_ORDER: f64 = 0.93;

/// Order 8 in small fixed steps against the accurate solution over 1 s. Measured 5e-14.
pub const CONVERGED: f64 = 1e-12;

/// The spatial momentum that a method carries as state, without torque, over 10^4 steps: what is
/// reported is Lam J w, rounded once. Measured 8e-16.
pub const KEPT_MOMENTUM: f64 = 1e-14;

/// Known rates of energy, and their ratio 8 for half the step, by a fit over motion that is not
/// periodic in the samples. Measured within .06.
pub const RATE: f64 = 0.08;

/// A rate of energy that is none, relative to one that is: what a fit makes of an oscillation.
/// Measured 9e-3.
pub const NO_DRIFT: f64 = 0.02;

/// f32 against the reference, per step, of the same measure as [`REFERENCE_PER_STEP`]. A few
/// roundings of 6e-8 each add up in every step; midpoint and Newmark take w from a difference of
/// attitudes, which divides them by h = .01.
pub const SINGLE_REFERENCE_PER_STEP: f64 = 1e-5;

/// Tangents against central differences, relative or of 1: what is asked of them, and how far the
/// differences reach. Their own error is the square of the reach.
pub const TANGENT: f64 = 1e-6;
pub const TANGENT_REACH: f64 = 1e-5;
/// Numbers of steps in a time against whole ones, as far as a study's times may be off.
pub const STEP_FIT: f64 = 1e-6;
/// Largest exponents after 20 s (1/s), against those of all times: directions turn and lean by
/// factors of some ten.
pub const FINITE_TIME_EXPONENT: f64 = 0.15;
/// Modal coordinates of 1 deflect by some metres: differences of 1e-5 are up to 5e-5 off, of 1e-6 a
/// hundredth of that. Measured 7.5e-8.
pub const TANGENT_REACH_OF_MODES: f64 = 3e-7;

/// Components across joints of directions of length one: projections leave 1e-11 of what they take
/// away (redundant rows), and four directions in four dimensions grow when they are made
/// orthonormal. Measured 1.4e-9.
pub const ALONG: f64 = 1e-8;

/// Lorenz' exponents after 10^4 units of time, relative to the published ones, and the one that is
/// zero in absolute terms. Their scatter falls with the root of the time: about 0.004 after 10^4.
pub const LORENZ: f64 = 0.01;

/// The exponent of the logistic map after 2,000 samples, relative to ln 2: their scatter and the
/// first direction, of which the state is one part of thirteen.
pub const OF_A_MAP: f64 = 0.01;

/// Bounds on the exponent of a regular motion, whose neighbours part in proportion to the time, as
/// shares of ln t / t. The heavy top was measured at 0.68 after 20 s and 0.82 after 200 s, between
/// these two; the exponents of a free body are below the larger.
pub const REGULAR: [f64; 2] = [0.5, 1.0];

/// Two ensemble means of the same exponent: of their joint interval of 95 %. Six pairs are
/// compared, so half as much again.
pub const PAIRED: f64 = 1.5;

/// Exponents of one instance by its tangent and by a neighbour 1e-7 away in the same direction
/// (1/s). Measured 3.4e-6 after 20 s.
pub const NEIGHBOURS: f64 = 1e-4;

/// Sums of two opposite exponents and of all, multiplied by the time: lengths are not those that
/// the flow keeps, and what they differ by does not grow.
pub const SYMMETRIC: f64 = 4.0;
pub const VOLUME: f64 = 6.0;

/// Exponents of one damped vibration, whose directions after whole periods are what they were,
/// times a number: rounding of some thousand steps by order 8, and the square of the step by the
/// staggered method. Relative. Measured 1.6e-14 and 1.5e-5.
pub const DECAY: [f64; 2] = [1e-12, 1e-4];

/// Joints of two swinging arms after a second at h = 1 ms: largest violation (m, or 1), and change
/// of energy of what is turned over. Measured 1.1e-5 and 7.1e-5 (rods).
pub const HELD: f64 = 2e-5;
pub const KEPT: f64 = 2e-4;

/// Half the step leaves less than a quarter and a bit.
pub const FALLS: f64 = 3.0;

/// Below these what is left is eps and rounding, and does not fall with the step.
pub const HELD_AT_REST: f64 = 2e-7;
pub const KEPT_AT_REST: f64 = 1e-7;

/// Channels of one body against closed forms, numbers up to pi: a few roundings, of 4e-16 each at
/// most.
pub const CHANNEL_ROUNDING: f64 = 2e-15;

/// `B u` by the columns of B and along the motion itself: the same products in another order.
pub const TAYLOR: f64 = 1e-13;

/// Central differences over 1e-5 s, of joints whose sides turn against each other at up to 7 rad/s,
/// some metres apart: the fourth derivative of Phi, 7^4 x 4, gives 2e-7, rounding 1e-11. A wrong
/// term gives 1e-2 or more.
pub const DIFFERENCES: f64 = 1e-6;

/// Phi and B u after they were projected, and what the accurate solution lets them be.
pub const PROJECTED: f64 = 1e-12;

/// Change of energy and momenta of two jointed bodies by the accurate solution over 1 s, relative.
pub const INVARIANT_OF_MECHANISM: f64 = 1e-11;

/// The accurate solution against the reference solution of the double pendulum: positions,
/// velocities, attitudes and angular velocities over its first 4 s. Measured 1.0e-12 there, 2.4e-11
/// at 10 s.
pub const ACCURATE_PENDULUM: f64 = 1e-11;

/// Largest distance of a slope from 2 on the double pendulum: the requirement on the method.
pub const PENDULUM_ORDER: f64 = 0.1;

/// Engine and reference from a start that each has assembled for itself: both leave up to 1e-12 of
/// Phi, which the multipliers see divided by the step.
pub const ASSEMBLED_ALIKE: f64 = 1e-8;

/// The accurate solution against the reference solutions of rolling balls over 20 s: without
/// offset, with a small one, with a large one, whose motion multiplies errors. Measured 4.7e-14,
/// 9.5e-14, 9.9e-12; the files claim 1e-13.
pub const ACCURATE_BALL: [f64; 3] = [1e-12, 1e-12, 1e-10];

/// Multipliers at the states of the reference solutions (N). Measured 6.4e-14.
pub const ACCURATE_BALL_MULTIPLIERS: f64 = 1e-12;

/// The accurate solution against the reference solutions of manipulators with locks: angles, rates.
/// Measured 1.1e-12 and 9.6e-12, where the file claims 1e-11.
pub const ACCURATE_LINKS: f64 = 1e-10;

/// And when they lock (s). Measured 1.1e-13: what bisection leaves.
pub const ACCURATE_LOCK_TIMES: f64 = 1e-11;

/// Two orders of the same operations, after 1000 steps of swinging with velocities of some 10 (m/s,
/// rad/s).
pub const REORDERED_F64: f64 = 1e-11;
pub const REORDERED_F32: f64 = 5e-3;

/// Forces against central differences of their energy over 1e-5 m or rad (N, N m): rounding of
/// energies of tens of J. Measured 2.3e-9; a wrong term gives 1e-2 or more.
pub const GRADIENT: f64 = 5e-8;

/// Reactions against closed forms (N, N m). Measured 1.4e-14.
pub const BORNE: f64 = 1e-12;

/// Order 8 in steps of 10 ms on driven arms. Measured 1.1e-9.
pub const DRIVEN_BY_ORDER_8: f64 = 1e-8;

/// Angle (rad) and rate (rad/s) after a stop, which begins and ends to act within 1e-13 s of the
/// right times, times its acceleration. Measured 1.7e-14.
pub const THROWN_BACK: f64 = 1e-11;

/// Velocities (m/s) that leave a stop by own steps to 1e-12, and what is made of them.
pub const STOPPED: f64 = 1e-8;

/// Squares of rates (rad/s), rates and energies (J) of some units, 1 s after half a turn, by `rk4`
/// over 1 ms: its error of order 4 in f64, and the rounding of a thousand steps in f32.
pub const HALF_A_TURN: f64 = 1e-9;
pub const HALF_A_TURN_SINGLE: f64 = 1e-4;

/// Newton's second law with the forces of all contacts, as a share of the weight: central
/// differences of order 6 over 5 ms of a motion that changes within 0.1 s.
pub const NEWTON_OF_CONTACTS: f64 = 1e-6;

/// Where a ball that rolls straight is touched (m), over 1.3 turns.
pub const GREAT_CIRCLE: f64 = 1e-9;

/// Reactions (N, N m) of the engine against the reference after 40 steps, relative to the largest
/// or to 1: the masses' difference of 1e-13 in the motion, multiplied by the stiffness of stops and
/// bushings.
pub const REACTIONS: f64 = 1e-9;

/// Accelerations (m/s², rad/s²) against second differences over 1e-3 s of the accurate solution,
/// relative to the largest or to 1: the solution's 1e-13 over the square of that time, by weights
/// of some 200.
pub const SECOND_DIFFERENCES: f64 = 1e-4;

/// Largest distance of a slope from 2 on the rolling balls. Measured within .005.
pub const BALL_ORDER: f64 = 0.02;

/// The engine against the reference solutions of manipulators at h = .1 ms: when joints lock (s).
/// Exact multipliers never take back what an impact leaves in the joints. Measured 4.0e-5 and
/// 5.7e-4.
pub const CAUGHT_BY_STAGGERED: f64 = 1e-4;
pub const CAUGHT_BY_EXACT: f64 = 1e-3;

/// And the links' angles (rad) and rates (rad/s) between the second and the last impact. Measured
/// 3.2e-5 and 3.0e-4, 2.9e-4 and 1.3e-4.
pub const BETWEEN_IMPACTS_BY_STAGGERED: [f64; 2] = [1e-4, 1e-3];
pub const BETWEEN_IMPACTS_BY_EXACT: [f64; 2] = [1e-3, 1e-3];

/// And both after the last, where they are 0: a lock closes a tenth of what is left a step.
/// Measured 6.4e-9 after .14 s.
pub const AFTER_THE_LAST: f64 = 1e-7;

/// The reference of flexible bodies against its reference solutions, of any number: the files are
/// good to some 1e-10. Measured 3.3e-11 (triangle, level 0, and pendulum), 6e-14 (crane), 4e-15
/// (slider-crank).
pub const FLEXIBLE_AS_REFERENCE: f64 = 1e-9;

/// Forces of the accurate solution against multipliers of the reference solutions (N): stiffness of
/// 1e8 /s² and shapes of 7 /sqrt(kg) multiply what the files' motions are good to. Measured 6.2e-9
/// of 225 N (rod) and 3.9e-10 of 3.8 N (crane), where its file claims 2.7e-10.
pub const REFERENCE_ROD_FORCES: f64 = 1e-7;
pub const REFERENCE_CRANE_FORCES: f64 = 1e-8;

/// Integrals of the joint's force over 20 ms against velocities of the reference solution (N s),
/// which are good to some 1e-10 m/s. Measured 5.2e-12 of .21 N s.
pub const REFERENCE_IMPULSE: f64 = 1e-10;

/// Levels of the triangle against the numbers of its file, taken at its 141 times; its point masses
/// are good to 5e-9.
pub const LEVELS_AS_REFERENCE: f64 = 1e-7;

/// Constants of modal data against those of the reference files, each of the size of its kind.
/// Measured 6e-14 (lumped beam), 1e-15 (beam).
pub const MODAL_CONSTANTS: f64 = 1e-12;

/// Shapes and slopes at points against those of the reference files; those of the lumped beam come
/// from an eigenvalue problem in the files too. Measured 1e-11.
pub const MODAL_SHAPES: f64 = 1e-8;

/// The equations of a flexible body against sums over its particles, of random bodies of some kg
/// and m. Measured 1e-14.
pub const AS_PARTICLES: f64 = 1e-12;

/// W84's angular momentum about an attached origin, differentiated by central differences of
/// 1e-4 s. Measured 2e-7.
pub const AS_PARTICLES_IN_TIME: f64 = 1e-5;

/// A body in two floating frames that differ by a shift alone, and an oscillation of one mode after
/// a period, both by the accurate solution or DOP853. Measured 1e-13.
pub const TWO_FRAMES: f64 = 1e-10;

/// Largest distance of a measured power of the deflection from a whole one. Measured within .06.
pub const POWER: f64 = 0.15;

/// Largest distance from the order of the slope that a study of kind `convergence` finds, as a
/// share of the order: the coarser steps are not yet where the first term of the error rules.
/// Measured within .05.
pub const SLOPE: f64 = 0.1;
/// Error of n elements in Timoshenko's deflection of a cantilever, relative to the theory of that
/// error: a deflection of 1e-5 of the length leaves terms of second order in the load.
pub const BEAM_DEFLECTION: f64 = 1e-4;

/// Largest distance of a slope in the number of elements from 2.
pub const BEAM_ORDER: f64 = 0.1;

/// The end of a beam that is rolled up (m): what Newton's iteration leaves.
pub const BEAM_ROLLED_UP: f64 = 1e-10;

/// Strains of beams that are carried about (1, or 1/m).
pub const RIGID_STRAIN: f64 = 1e-12;

/// Largest distance of the slope of a beam's energy error from 2.
pub const BEAM_ENERGY_ORDER: f64 = 0.1;

/// Displacements that bending adds to elbow, wrist and tip of the crane (m), by four elements a
/// link against two modes: other inertia to bend under, and more than two shapes. Measured 6.7e-5
/// of 3.5e-4.
pub const CRANE_OF_BEAMS: f64 = 8e-5;
/// Its boom's middle off the line of its ends (m), and the tip's force (N). Measured 8.5e-6 of
/// 5.5e-4 and .018 of 3.8.
pub const CRANE_BENDS: f64 = 2e-5;
pub const CRANE_FORCE: f64 = 0.04;

/// The method `bdf` against the accurate motion after one or two seconds, of its tolerance: the
/// tolerance is one of the estimated error of a single internal step, of which there are some
/// hundred, and errors of a pendulum grow. Measured at most 229, of the double pendulum at 1e-10.
pub const OF_ADAPTIVE_TOLERANCE: f64 = 500.0;
/// The method `gear_nordsieck`, of its tolerance: as `bdf`, but each output step begins with order
/// 2, which errs by more. Measured at most 222, of the flexible pendulum at 1e-8.
pub const OF_NORDSIECK_TOLERANCE: f64 = 500.0;
/// Part of its error that a hundredth of the tolerance leaves. Measured at most .12.
pub const NORDSIECK_FALLS: f64 = 0.15;
/// The stiff pair by `bdf` after two seconds at a tolerance of 1e-8 (m): forty output steps, each
/// of which begins with order 1. Measured 2.4e-5.
pub const STIFF_PAIR: f64 = 5e-5;
/// The elastic slider-crank by `bdf`, tolerances of 1e-8, against the reference solution (m, rad,
/// and modal coordinates of up to 1e-3) over a quarter of a turn. Measured 2.7e-9.
pub const ADAPTIVE_SLIDER_CRANK: f64 = 1e-7;

/// The slope of what the torques of flexible links differ by from those of rigid ones, from 1 in
/// 1/stiffness: at four times the shipped stiffness the slowest vibration takes a tenth of the
/// motion. Measured 1.06 to 1.09.
pub const CRANE_LIMIT: f64 = 0.15;
/// And from .5 where they ring: what is left of the ringing depends on where the snapshots are.
/// Measured .53 to .55.
pub const CRANE_RINGING: f64 = 0.1;
/// Torques of the crane of modes from those of beams, of the root of their mean square: four
/// elements a link are 1 % off what eight say, and no mode bears the moment of the next link.
/// Measured .029 over half of the motion.
pub const CRANE_MODES_AND_BEAMS: f64 = 0.04;
/// At the slewing gear, for which the boom twists. Measured .035.
pub const CRANE_TWIST: f64 = 0.05;
/// There, where links hardly twist.
pub const CRANE_WITHOUT_TWIST: f64 = 0.01;
/// Torques about the joints of the crane that is led against those of the reference solution (N m,
/// of 6.6): the step's error. Measured 1.7e-5.
pub const CRANE_TORQUE: f64 = 1e-4;

/// Deflection of a rod of all its modes on a bushing, and on a beam element, relative: Newton's
/// iteration and the square of a deflection of 1e-6 of the length are left. Measured 4e-13.
pub const MOUNTED_DEFLECTION: f64 = 1e-10;

/// The angle of a chain of four-bars after its period, by 80,000 Runge-Kutta steps against a
/// quadrature (rad, rad/s). Measured 3e-13.
pub const PERIODIC_SOLUTION: f64 = 1e-11;
/// The accurate solution against it over .4 s (m, J).
pub const PERIODIC_SOLUTION_BY_REFERENCE: f64 = 1e-11;
/// The last coupler of a chain of four-bars after 10 s of the staggered method at h = 1 ms (m): up
/// to 6e-4 for eight loops in f64, of second order in the step. Every turn passes two positions in
/// which all bars are flat.
pub const CHAIN_HELD: f64 = 5e-3;
/// The last coupler of those chains in single precision (m): up to 8e-4.
pub const CHAIN_HELD_SINGLE: f64 = 5e-2;

/// The last coupler of chains of four-bars after 10 s through singular positions (m): what is
/// asked.
pub const CHAIN_OF_FOUR_BARS: f64 = 1e-3;
/// Largest change of Bricard's energy in 10 s by dop853 in steps of 1 ms (J): what is asked.
pub const BRICARD_ENERGY: f64 = 1e-9;
/// The last coupler by `dop853` (m), whose stages multiply what rounding leaves near a singular
/// position by up to 1e12. Measured 4.7e-3.
pub const CHAIN_BY_ORDER_8: f64 = 1e-2;
/// By how much the order of a method may be missed on closed loops: `dop853` leaves rounding only
/// with steps of 17 ms and more, where errors of the next order count too. Measured .8.
pub const REDUNDANT_ORDER: f64 = 0.9;
/// Errors below this after some steps of loops are rounding, or the accurate solution's.
pub const ROUNDING_OF_LOOPS: f64 = 1e-11;
/// Loads that redundant rows share, of the largest: rounding along the redundant direction divided
/// by what grows the diagonal, 1e-6. Measured 2e-9.
pub const SHARED_LOADS: f64 = 1e-7;
/// Deflection of a beam on hinge and slot, and on ball joint and slot, by tolerances of 1e-8 (m).
pub const BEAM_ON_HINGE_AND_SLOT: f64 = 1e-6;

/// Given values that can be kept, in their unit: Newton's iteration ends within 1e-12.
pub const KEPT_EXACTLY: f64 = 1e-11;

/// Rates of a four-bar linkage (rad/s at 6 rad/s of the crank) whose positions are given to four
/// digits: 5e-5 m of some 0.5 m.
pub const RATES_OF_THE_FOUR_BAR: f64 = 3e-3;

/// Torque that a lock bears (N m, of 0.195) against the load: remains of its overshoot and of the
/// multipliers' compliance.
pub const LOCK_LOAD: f64 = 1e-6;

/// An error below this share of a column's scale is rounding: what is estimated of it is no
/// estimate.
pub const ROUNDED_ERROR: f64 = 1e-10;
/// By what factor an estimated error may differ from the true one.
pub const ESTIMATED_ERROR: f64 = 3.0;

/// Impulses of loads that are linear in time, which both rules of quadrature take exactly,
/// relative. Measured 7e-16; a rule that weighs the ends of a step by 0.4 and 0.6 is off by 1e-2.
pub const EXACT_IMPULSE: f64 = 1e-13;

/// Constants of a body in an attached frame, made in two ways, absolute; the inertia is 3.7 kg m².
/// Measured 0.
pub const SAME_CONSTANTS: f64 = 1e-13;

/// Change of the angular momentum of two floating bodies in a ball joint, with a spring, over 2000
/// steps of 5 ms: three times what was measured. Joints are open by a share of h², and reactions
/// turn the whole by what acts across the gap.
pub const JOINED_MOMENTUM: [(&str, f64); 8] = [
    ("staggered", 1.5e-4),
    ("midpoint", 1e-4),
    ("simo_wong", 1e-3),
    ("predictor_corrector", 1e-3),
    ("staggered_conserving", 1.2e-4),
    ("newmark_euler_parameters", 2.2e-4),
    ("newmark_rotation_vector", 2.2e-4),
    ("trapezoidal", 8e-4),
];

/// Energy that PC87's ball has won or lost after 60 s by its own method, as a share: at most
/// 1.4e-3, at h = 0.3 s; at 0.15 s 3.7e-4.
pub const BALL_ENERGY: f64 = 2e-3;

/// Largest distance of the slope of the implicit midpoint step from 2 with the default weights of
/// carried multipliers: the slope was 1.76 on the double pendulum, 1.94 to 2.0 elsewhere.
pub const MIDPOINT_ORDER: f64 = 0.3;

/// |Phi| (m, or 1) after a step whose dependent coordinates are solved for: rounding of lengths of
/// 1 m, through a B_i of moderate condition.
pub const PARTITION_HOLDS: f64 = 1e-13;

/// A slope over three steps of a motion of a second, from the order of method and treatment.
pub const ORDER_OF_TREATMENTS: f64 = 0.25;

/// Accelerations by elimination and by multipliers, of the largest: two ways of solving one linear
/// system in f64.
pub const ELIMINATION: f64 = 1e-11;

/// Phi by RK4 at 2 ms against its closed form, of the start: the error of RK4 at h alpha = 0.01.
pub const BAUMGARTE_DECAY: f64 = 1e-7;

/// Place of a bead on a rod (m) after 100 RK4 steps of 20 to 39 ms, dependent coordinates regular
/// throughout: RK4's error. Measured 8.7e-6.
pub const BEAD: f64 = 1e-5;

/// By which power of the tolerance errors at the end fall: by 1, if steps were small and their
/// errors of one sign. Measured 0.82 to 1.33 from 1e-4 to 1e-8.
pub const OWN_STEPS_SLOPE: (f64, f64) = (0.7, 1.5);

/// Own steps of engine and reference on the same body: they differ by rounding, and so do the steps
/// that follow from it.
pub const OWN_STEPS_OF_BOTH: f64 = 1e-10;

/// Position (m) of a mass that swings by 1 mm, up to 318 times, each period with an error of the
/// tolerance 1e-9.
pub const OWN_STEPS_OF_DECADES: f64 = 1e-6;

/// Position (m) of a body under forces that are constant but for their jumps, which no step
/// crosses: 500 N for 1 ms are off by some last bits of the jumps' times, and what else there is is
/// rounding.
pub const OWN_STEPS_OF_JUMPS: f64 = 1e-11;

/// Displacement (m) of a carriage after five stops, in tolerances: each of some dozen steps there
/// has one, and 100 rad/s make of an error of velocity one of time.
pub const OWN_STEPS_OF_STOPS: f64 = 1e3;

/// Times (s), angles (rad) of a lock, in tolerances: its step is a tolerance of the study's step
/// (50 ms) long, and the error of the way there is some tolerances.
pub const OWN_STEP_IMPACT: f64 = 30.0;

/// A law in place of a spring and a damper, over 1000 steps of order 4 (m): some hundred roundings,
/// and h^4.
pub const LAW_AS_SPRING: f64 = 1e-11;

/// Channels of a point (m, m/s, m/s²) and a signal of what spins at 3 rad/s, after 500 steps of
/// 1 ms by rk4.
pub const POINT_CHANNELS: f64 = 1e-9;

/// Settling times of tumbling bodies whose torques have kinks (s), by steps of 5 ms of rk4: of
/// 10,000 the largest is in docs/outcomes.md, of the first eight a hundredth of it.
pub const DETUMBLED_APART: f64 = 1e-6;

/// Times (s), a momentum (N m s) and a rate (rad/s) of a spin that a torque with a limit brakes, by
/// 1000 steps of rk4: the step in which the torque leaves its limit is off by h² of what changes
/// there.
pub const BRAKED_SPIN: f64 = 1e-5;

/// Where a simple pendulum is after its period (m), and how far a sphere held by its centre is from
/// a point: what the accurate solution and 4000 steps of dop853 leave. Measured 1e-14.
pub const POINT_PERIOD: f64 = 1e-12;

/// A fit by modes leaves so much of the norm of a small vibration in time: the square of the knock
/// is not linear. Measured 6e-8.
pub const FITTED: f64 = 1e-6;

/// Small vibrations by exact derivatives against those by differences over 1e-6, of frequencies
/// above this share of the highest: squares below 1e-9 of the largest are lost there. Measured
/// 2.5e-7.
pub const SMALL_VIBRATION: f64 = 1e-6;
pub const SMALL_VIBRATION_SEEN: f64 = 1e-3;

/// Eigenvalues of a mode against closed forms: dual numbers differentiate to rounding. Measured
/// 1e-13.
pub const MODE: f64 = 1e-11;

/// Eigenvalues of modes beside a rigid motion, whose double eigenvalue zero spreads by the root of
/// a rounding, and of double roots.
pub const MODE_OF_DOUBLE_ROOT: f64 = 1e-7;

/// Modes of the engine against small vibrations of the reference, which differences forces over
/// 1e-6.
pub const MODE_OF_REFERENCE: f64 = 1e-6;

/// Frequencies of a rotating blade, extrapolated from 8 and 16 elements, against Wright's: measured
/// 1.3e-4, most of which is the blade's small shear and rotary inertia.
pub const BLADE: f64 = 2e-4;

/// Growth of a whirl in time against that of its mode: measured 5e-7, what the other modes leave
/// and the bending's square.
pub const WHIRL: f64 = 1e-5;

/// Forces (N), accelerations (m/s², rad/s²) and energies (J) of a pendulum that swings down, by
/// 1000 steps of rk4 a second: peaks are found with the third power of the step.
pub const SWING: f64 = 1e-5;

/// Wheels against closed forms, as a share of the largest number: by methods of higher order, which
/// leave rounding and what the tightest steps leave, and by methods of second order at steps of a
/// hundredth of a turn.
pub const WHEEL: f64 = 1e-9;
pub const WHEEL_BY_SECOND_ORDER: f64 = 1e-5;

/// Rates (m/s) and forces (N) under a force that is constant between samples, and outcomes of a
/// staircase: methods are exact there, up to rounding.
pub const SAMPLED: f64 = 1e-11;

/// Those rates and forces by a method that chooses its steps by its tolerances.
pub const SAMPLED_BY_TOLERANCE: f64 = 1e-6;

/// Angle (rad) of a pole that a sampled controller holds, after 3000 steps of rk4 of 2 ms, against
/// SciPy at rtol 1e-11.
pub const CELL_ANGLE: f64 = 1e-6;

/// Loads of a link whose moments of inertia are 1e-4 to 1e-12 of mass times length squared (N m of
/// 2.6): rounding is multiplied by the ratio. Measured 1.4e-4, against four printed digits.
pub const LIGHT_LINK: f64 = 6e-4;

/// The free body over 10 s in `f32_compensated` by every method against f64, as a share of what f32
/// is off by, and in all. Measured at most 2.6e-5, 0.68 of what f32 is off by (`trapezoidal` at
/// 4 ms) and else 0.13.
pub const COMPENSATED_SHARE_OF_A_METHOD: f64 = 0.8;
pub const FREE_BODY_COMPENSATED: f64 = 6e-5;

/// A million steps of tumbling over 100 s in `f32_compensated` against f64: near its separatrix a
/// difference grows by itself. Measured 4.6e-3, where f32 is off by 3.4e-1.
pub const COMPENSATED_OVER_A_MILLION_STEPS: f64 = 2e-2;

/// States of a page's instances after 1000 steps in f32, by SwiftShader against the CPU backend
/// without fused products, as a share of the largest number of the channel.
pub const PAGE: f64 = 1e-5;

/// Modes of what friction slows down by 1e-5 of its rate in a second, against those without
/// friction.
pub const KEPT_SPIN: f64 = 1e-4;

/// Entries of a shape against closed forms, where the equilibrium is found to 1e-9 of the extent.
pub const SHAPE: f64 = 1e-8;
