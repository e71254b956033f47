//! Bushings and beam elements on flexible bodies: the gradient of their energy, what they conserve,
//! deflections that theory knows, the stable step.

use crate::common::distance;
use crate::common::engine::Ready;
use crate::common::flexible::{CONTACTS, everything, everything_attached, mechanism, mounted};
use crate::common::rest::{carried_on, equilibrium, small_vibrations};
use crate::common::study::study;
use crate::common::tolerances::{GRADIENT, INVARIANT_OF_MECHANISM, MOUNTED_DEFLECTION};
use nalgebra::{DVector, Vector3};
use polhode::base::Precision;
use polhode::describe::{Body, Constraints, Force, Mechanism};
use polhode::observe::channels;
use polhode::reference::rotation::{lam, quaternion, turned};
use polhode::reference::system::MultibodySystem;
use polhode::reference::{BodyState, Instance, State, accurate};
use proptest::prelude::*;

fn bare(mechanism: &Mechanism) -> Mechanism {
    let mut bare = Mechanism { beam_elements: Vec::new(), ..mechanism.clone() };
    bare.forces.retain(|force| force.card.table != "bushing");
    bare
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// They push against the gradient of their energy in every direction, that of every mode
    /// included, however far the modes are deflected: ends turn by half a radian and more.
    #[test]
    fn elastic_forces_are_the_gradient_of_their_energy(
        x in prop::collection::vec(-1.0..1.0f64, 32), attached: bool,
    ) {
        let all = mounted(attached, false);
        let system = |mechanism: &Mechanism| {
            MultibodySystem::new(mechanism, &Instance::nominal(mechanism)).unwrap()
        };
        let (with, without) = (system(&all), system(&bare(&all)));
        let mut draws = x.into_iter().cycle();
        let mut motions = with.start(&all, &Instance::nominal(&all)).unwrap();
        for motion in &mut motions {
            let mut vector = || Vector3::from_fn(|_, _| draws.next().unwrap());
            motion.position += 0.1 * vector();
            motion.attitude = turned(motion.attitude, 0.3 * vector());
            let modes = motion.amplitudes.len();
            motion.amplitudes = DVector::from_fn(modes, |_, _| 0.05 * draws.next().unwrap());
        }
        let at_rest = 0.0 * with.velocities(&motions);
        let motions = with.with_velocities(&motions, &at_rest);
        // Some wind an element beyond its largest turn.
        prop_assume!(with.energy(&motions).is_finite());
        let instant = with.instant(0.0, 1.0, 0.0);
        let force = with.forces(&motions, &motions, &instant) - without.forces(&motions, &motions, &instant);
        for j in 0..force.len() {
            let mut u = at_rest.clone();
            u[j] = 1.0;
            let moving = with.with_velocities(&motions, &u);
            let energy = |s: f64| {
                let at = with.with_velocities(&carried_on(&moving, s), &at_rest);
                with.energy(&at) - without.energy(&at)
            };
            // The differences are of fourth order, as a unit of a mode turns its ends by ten
            // radians and more.
            let s = 3e-5;
            let over = |s: f64| (energy(s) - energy(-s)) / (2.0 * s);
            let gradient = (4.0 * over(s) - over(2.0 * s)) / 3.0;
            let within = GRADIENT * force[j].abs().max(1.0);
            prop_assert!((force[j] + gradient).abs() < within, "{j}: {} {gradient}", force[j]);
        }
    }
}

/// Two flexible bodies in empty space, held together by a bushing and a beam element alone.
fn pair(attached: bool, damped: bool) -> Mechanism {
    let mut pair = mounted(attached, damped);
    pair.gravity = [0.0; 3];
    pair.loads = Vec::new();
    let is_between = |force: &Force| force.points().iter().all(|point| point.body.is_some());
    pair.forces.retain(|force| force.card.table == "bushing" && is_between(force));
    pair.beam_elements.retain(|element| element.points.iter().all(|point| point.body.is_some()));
    for flexible in pair.bodies.iter_mut().filter_map(|body| body.flexible.as_mut()) {
        flexible.damping_scale = 0.0;
    }
    pair
}

/// The velocity of the mass centre, space axes (m/s).
fn centre_velocity(body: &Body, state: &BodyState) -> Vector3<f64> {
    let s = &body.flexible.as_ref().unwrap().modal.constants.s;
    let moved = |e: &[f64]| -> Vector3<f64> { s.iter().zip(e).map(|(s, e)| s * *e).sum() };
    let centre = Vector3::from(body.centre_of_mass) + moved(&state.amplitudes);
    let inside = Vector3::from(state.angular_velocity).cross(&centre) + moved(&state.amplitude_rates);
    Vector3::from(state.velocity) + lam(quaternion(state.attitude)) * inside
}

/// Momenta are kept, dampers or not; without dampers the energy too.
#[test]
fn what_is_between_two_flexible_bodies_keeps_momenta_and_energy() {
    for (attached, damped) in [(false, false), (true, false), (false, true), (true, true)] {
        let mechanism = pair(attached, damped);
        assert_eq!((mechanism.forces.len(), mechanism.beam_elements.len()), (1, 1));
        let instance = Instance::nominal(&mechanism);
        let states =
            accurate::run(&mechanism, &instance, &[0.0, 0.25, 0.5], accurate::TOLERANCE).unwrap().states;
        let linear = |state: &State| -> Vector3<f64> {
            let bodies = mechanism.bodies.iter().zip(&state.bodies);
            bodies.map(|(body, state)| body.mass * centre_velocity(body, state)).sum()
        };
        for state in &states[1..] {
            let energy = state.energy - states[0].energy;
            let angular = distance(state.angular_momentum, states[0].angular_momentum);
            let momentum = angular.max((linear(state) - linear(&states[0])).norm());
            println!(
                "attached {attached}, damped {damped}: momenta off by {momentum:e}, energy by {energy:e} J"
            );
            assert!(momentum < INVARIANT_OF_MECHANISM, "{momentum:e}");
            if damped {
                assert!(energy < -1e-3, "{energy:e}");
            } else {
                assert!(energy.abs() < INVARIANT_OF_MECHANISM, "{energy:e}");
            }
        }
    }
}

/// Contacts hold flexible bodies without work.
#[test]
fn contacts_do_no_work_on_flexible_bodies() {
    for mut mechanism in [everything(CONTACTS), everything_attached(CONTACTS)] {
        mechanism.loads = Vec::new();
        mechanism.forces.retain(|force| force.card.table != "spring");
        for flexible in mechanism.bodies.iter_mut().filter_map(|body| body.flexible.as_mut()) {
            flexible.damping_scale = 0.0;
        }
        let instance = Instance::nominal(&mechanism);
        let states =
            accurate::run(&mechanism, &instance, &[0.0, 0.1, 0.2], accurate::TOLERANCE).unwrap().states;
        for state in &states[1..] {
            let (energy, off) = (state.energy - states[0].energy, state.constraint_violation);
            println!("energy off by {energy:e} J, contacts by {off:e} m");
            assert!(
                energy.abs() < INVARIANT_OF_MECHANISM && off < INVARIANT_OF_MECHANISM,
                "{energy:e} {off:e}"
            );
        }
    }
}

/// EI of the rod that bends along y, and its length.
const EI: f64 = 6.0;
const LENGTH: f64 = 0.8;
/// At its end (N).
const FORCE: f64 = 1e-5;

/// A rod of nodes and members along x, with every mode that it has, which is held by `root` where
/// it begins.
fn rod_on(root: &str, extra: &str) -> Mechanism {
    rod_of("modes = 12", root, extra)
}

/// The rod of [`rod_on`] with other shapes.
fn rod_of(shapes: &str, root: &str, extra: &str) -> Mechanism {
    mechanism(&format!(
        r#"
[body]
name = "rod"
initial = {{ position = [0.3, 0, 0] }}
[body.flexible]
{extra}
[body.flexible.structure]
{shapes}
nodes = [
  {{ name = "a", at = [0, 0, 0], mass = 0.3, rotary_inertia = [1e-3, 2e-3, 1e-3] }},
  {{ name = "b", at = [0.5, 0, 0], mass = 0.2, rotary_inertia = [1e-3, 1e-3, 2e-3] }},
  {{ name = "c", at = [{LENGTH}, 0, 0], mass = 0.1, rotary_inertia = [1e-3, 1e-3, 1e-3] }},
]
members = [
  {{ nodes = ["a", "b"], axial_stiffness = 1000, bending_stiffness = [{EI}, 4],
     torsional_stiffness = 10, y = [0, 1, 0] }},
  {{ nodes = ["b", "c"], axial_stiffness = 1000, bending_stiffness = [{EI}, 4],
     torsional_stiffness = 10, y = [0, 1, 0] }},
]
[[load]]
name = "end"
body = "rod"
kind = "force"
axes = "space"
point = "c"
value = [0, {FORCE}, 0]
{root}
"#
    ))
}

const BUSHING: &str = r#"
[[bushing]]
name = "root"
bodies = ["ground", "rod"]
points = [[0.3, 0, 0], "a"]
stiffness = 400
torsional_stiffness = 20
"#;

const ELEMENT: &str = r#"
[[beam_element]]
name = "root"
bodies = ["ground", "rod"]
points = [[0, 0, 0], "a"]
EA = 900
GA = 700
GJ = 5
EI = 8
"#;

/// Under a force at the end the rod bends by `F L³/(3 EI)`. A bushing gives way by `F/k` and turns
/// by `F L/kt`; an element of length l, bent as in its middle, turns by `t = F (L + l/2) l/(EI)`
/// and gives way by `t l/2 + F l/(GA)`.
#[test]
fn rods_of_modes_deflect_as_theory_says() {
    let bent = FORCE * LENGTH.powi(3) / (3.0 * EI);
    let l = 0.3;
    let turned = FORCE * (LENGTH + l / 2.0) * l / 8.0;
    let element = turned * l / 2.0 + FORCE * l / 700.0 + turned * LENGTH;
    let bushing = FORCE / 400.0 + FORCE * LENGTH * LENGTH / 20.0;
    let attached = "frame = \"attached\"\nat = \"a\"";
    // One shape does as well, if it is the deflection itself.
    let alone = "modes = 0\nheld = [\"a\"]\ndeflections = [{ node = \"c\", force = [0, 1, 0] }]";
    for (shapes, frame) in [("modes = 12", ""), ("modes = 12", attached), (alone, ""), (alone, attached)] {
        for (root, gives_way) in [(BUSHING, bushing), (ELEMENT, element)] {
            let mechanism = rod_of(shapes, root, frame);
            let rod = &mechanism.bodies[0];
            let modal = &rod.flexible.as_ref().unwrap().modal;
            let motion = equilibrium(&mechanism, 1).remove(0);
            let at = [LENGTH, 0.0, 0.0];
            let shapes = modal.local(at).unwrap().shapes;
            let along = |shapes: &[Vector3<f64>]| -> Vector3<f64> {
                shapes.iter().zip(motion.amplitudes.iter()).map(|(shape, eta)| shape * *eta).sum()
            };
            let from_centre = Vector3::from(at) + along(&shapes)
                - Vector3::from(rod.centre_of_mass)
                - along(&modal.constants.s);
            let end = motion.position + lam(motion.attitude) * from_centre;
            let off = end.y / (bent + gives_way) - 1.0;
            println!("{} {frame:?}: {:e} m, {off:e}", root.trim().lines().next().unwrap(), end.y);
            assert!(off.abs() < MOUNTED_DEFLECTION, "{off:e}");
        }
    }
}

/// A little below the step that `polhode check` prints a rod of modes on either vibrates for ever,
/// a little above it flies apart.
#[test]
fn the_step_that_vibrations_allow_is_the_longest() {
    for root in [BUSHING, ELEMENT] {
        let mechanism = rod_on(
            root,
            "amplitude_rates = [1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4]",
        );
        let found = small_vibrations(&mechanism, &Constraints::default());
        let own = mechanism.bodies[0].flexible.as_ref().unwrap().modal.frequencies();
        let highest = own.into_iter().fold(0.0, f64::max);
        assert!(found.highest() > highest, "the root stiffens it: {} {highest}", found.highest());
        assert!((found.longest_step * found.highest() - 2.0).abs() < 1e-9);
        let energy = |share: f64, steps: u64| {
            let mut study = study(mechanism.clone(), 1, share * found.longest_step, steps);
            study.method.resynchronise = 0;
            let ready = Ready::new(study);
            ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::ENERGY])[0][0]
        };
        let (start, below, above) = (energy(0.98, 1), energy(0.98, 4000), energy(1.02, 4000));
        println!("{below:e} J and {above:e} J from {start:e} J");
        assert!(below < 1e3 * start, "{below:e}");
        assert!(above.is_nan() || above > 1e9 * start, "{above:e}");
    }
}
