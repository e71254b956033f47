//! The judge of flexible bodies judged: reference solutions of W84's problems, what level 2
//! conserves, orders.

use crate::common::flexible::{
    LEVELS, at_level, crane, free_vibration, mechanism, numbers, pendulum, reference_file, rows,
    slider_crank, spinning_beam, triangle,
};
use crate::common::tolerances::{
    CLOSED_FORM, FLEXIBLE_AS_REFERENCE, LEVELS_AS_REFERENCE, REFERENCE_CRANE_FORCES, REFERENCE_IMPULSE,
    REFERENCE_ROD_FORCES,
};
use polhode::describe::Mechanism;
use polhode::reference::{Instance, State, accurate};

fn motion(mechanism: &Mechanism, times: &[f64]) -> Vec<State> {
    accurate::run(mechanism, &Instance::nominal(mechanism), times, accurate::TOLERANCE).unwrap().states
}

/// The largest difference of two lists.
fn off(found: &[f64], want: &[f64]) -> f64 {
    assert_eq!(found.len(), want.len());
    found.iter().zip(want).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn damped_modes_vibrate_as_figure_7_1_says() {
    let file = reference_file("fig7_1_free_vibration");
    let found = motion(&free_vibration(), &numbers(&file["times"]));
    let mut worst: f64 = 0.0;
    for (state, want) in found.iter().zip(rows(&file["states"])) {
        worst = worst.max(off(&state.bodies[0].amplitudes, &want));
    }
    println!("figure 7.1: {worst:e}");
    assert!(worst < CLOSED_FORM);
}

#[test]
fn triangle_moves_as_the_reference_solution_at_all_levels() {
    let file = reference_file("triangle_three_mass");
    let times = numbers(&file["times"]);
    for (name, level) in LEVELS {
        let found = motion(&at_level(&triangle(), level), &times);
        let mut worst: f64 = 0.0;
        for (state, want) in found.iter().zip(rows(&file[format!("states_level_{name}")])) {
            let body = &state.bodies[0];
            let mut have = vec![body.angular_velocity[2]];
            have.extend(&body.amplitudes);
            have.extend(&body.amplitude_rates);
            worst = worst.max(off(&have, &want[..7]));
            let turned = 2.0 * body.attitude[3].atan2(body.attitude[0]) - want[7];
            worst =
                worst.max((turned / std::f64::consts::TAU - (turned / std::f64::consts::TAU).round()).abs());
        }
        println!("triangle, level {name}: {worst:e}");
        assert!(worst < FLEXIBLE_AS_REFERENCE, "{name}");
    }
}

/// Three point masses and springs between them: what modes stand for.
#[test]
fn three_point_masses_move_as_the_reference_solution() {
    let file = reference_file("triangle_three_mass");
    let times = numbers(&file["times"]);
    let exact = rows(&file["exact_particles"]);
    let mut text = String::new();
    for k in 0..3 {
        let [x, y] = [exact[0][2 * k], exact[0][2 * k + 1]];
        text += &format!(
            "[[body]]\nname = \"mass{k}\"\nmass = 1\ninertia = [1, 1, 1]\n\
             initial = {{ position = [{x:?}, {y:?}, 0], velocity = [{:?}, {:?}, 0] }}\n\
             [[spring]]\nname = \"spring{k}\"\nbodies = [\"mass{k}\", \"mass{}\"]\n\
             points = [[0, 0, 0], [0, 0, 0]]\n\
             stiffness = 333.3333333333333\nfree_length = 1.7320508075688772\n",
            -10.0 * y,
            10.0 * x,
            (k + 1) % 3
        );
    }
    let mut worst: f64 = 0.0;
    for (state, want) in motion(&mechanism(&text), &times).iter().zip(exact) {
        let found: Vec<f64> =
            state.bodies.iter().flat_map(|body| [body.position[0], body.position[1]]).collect();
        worst = worst.max(off(&found, &want));
    }
    println!("three point masses: {worst:e} m");
    assert!(worst < LEVELS_AS_REFERENCE);
}

/// Each level is as far from the point masses, and loses as much energy and momentum, as the file
/// says.
#[test]
fn levels_differ_as_in_the_reference_solution() {
    let file = reference_file("triangle_three_mass");
    let times = numbers(&file["times"]);
    let exact = rows(&file["states_exact_in_buckens_frame"]);
    let names = ["0", "0.5", "1", "1.5", "2"];
    for ((_, level), name) in LEVELS.into_iter().zip(names) {
        let found = motion(&at_level(&triangle(), level), &times);
        let speeds = found
            .iter()
            .zip(&exact)
            .map(|(state, exact)| (state.bodies[0].angular_velocity[2] - exact[0]).abs());
        let speed = speeds.fold(0.0, f64::max);
        let largest = |value: &dyn Fn(&State) -> f64| {
            let start = value(&found[0]);
            found.iter().map(|state| (value(state) / start - 1.0).abs()).fold(0.0, f64::max)
        };
        let energy = largest(&|state| state.energy);
        let momentum = largest(&|state| state.angular_momentum[2]);
        let compared = file["comparison"][format!("level{name}_vs_exact")]["dOm_max"].as_f64().unwrap();
        let kept = &file["conservation"][format!("level{name}")];
        println!("level {name}: speed {speed:e} rad/s, energy {energy:e}, momentum {momentum:e}");
        assert!((speed - compared).abs() < LEVELS_AS_REFERENCE, "{name}: {speed} {compared}");
        for (found, key) in [(energy, "energy_rel_drift"), (momentum, "angmom_rel_drift")] {
            assert!(
                (found - kept[key].as_f64().unwrap()).abs() < LEVELS_AS_REFERENCE,
                "{name} {key}: {found}"
            );
        }
    }
}

#[test]
fn spinning_beam_moves_as_the_reference_solution_at_all_levels() {
    let file = reference_file("spinning_free_beam_unstable");
    let times = numbers(&file["times"]);
    for (name, level) in LEVELS {
        let found = motion(&at_level(&spinning_beam(), level), &times);
        let mut worst: f64 = 0.0;
        for (state, want) in found.iter().zip(rows(&file[format!("states_level_{name}")])) {
            let body = &state.bodies[0];
            let sign = if body.attitude[0] * want[0] + body.attitude[1] * want[1] < 0.0 { -1.0 } else { 1.0 };
            let mut have: Vec<f64> = body.attitude.iter().map(|q| sign * q).collect();
            have.extend(&body.amplitudes);
            have.extend(body.angular_velocity);
            have.extend(&body.amplitude_rates);
            worst = worst.max(off(&have, &want));
        }
        println!("spinning beam, level {name}: {worst:e}");
        assert!(worst < FLEXIBLE_AS_REFERENCE, "{name}");
    }
}

#[test]
fn pendulum_moves_as_the_reference_solution() {
    let file = reference_file("pendulum3d_spherical");
    let times = numbers(&file["times"]);
    for (name, level) in [("level_half", LEVELS[1].1), ("level2", LEVELS[4].1)] {
        let found = motion(&at_level(&pendulum(), level), &times);
        let mut worst: f64 = 0.0;
        for (state, want) in found.iter().zip(rows(&file[format!("states_{name}")])) {
            let body = &state.bodies[0];
            let mut have = body.position.to_vec();
            have.extend(body.attitude);
            have.extend(&body.amplitudes);
            worst = worst.max(off(&have, &want[..11]));
            let mut have = body.velocity.to_vec();
            have.extend(body.angular_velocity);
            have.extend(&body.amplitude_rates);
            worst = worst.max(off(&have, &want[11..21]));
        }
        println!("pendulum, {name}: {worst:e}");
        assert!(worst < FLEXIBLE_AS_REFERENCE, "{name}");
    }
}

#[test]
fn elastic_rod_of_the_slider_crank_moves_as_the_reference_solution() {
    let file = reference_file("slider_crank_elastic_rod");
    let times = numbers(&file["times"]);
    for (name, level) in [("level_half", LEVELS[1].1), ("level2", LEVELS[4].1)] {
        let found = motion(&at_level(&slider_crank(), level), &times);
        let mut worst: f64 = 0.0;
        for (state, want) in found.iter().zip(rows(&file[format!("states_{name}")])) {
            let body = &state.bodies[0];
            let angle = 2.0 * body.attitude[3].atan2(body.attitude[0]);
            let mut have = vec![body.position[0], body.position[1], angle];
            have.extend(&body.amplitudes);
            worst = worst.max(off(&have, &want[..6]));
        }
        println!("slider-crank, {name}: {worst:e}");
        assert!(worst < FLEXIBLE_AS_REFERENCE, "{name}");
    }
}

#[test]
fn crane_with_flexible_links_moves_as_the_reference_solution() {
    let file = reference_file("crane_three_flexible_links");
    let times: Vec<f64> = numbers(&file["times"]).into_iter().filter(|t| *t < 1.0 + 1e-9).collect();
    let found = motion(&crane(), &times);
    let mut worst: f64 = 0.0;
    for (state, want) in found.iter().zip(rows(&file["states_level2"])) {
        for (body, want) in state.bodies.iter().zip(want.chunks_exact(9)) {
            let mut have = body.position.to_vec();
            have.extend(body.attitude);
            have.extend(&body.amplitudes);
            worst = worst.max(off(&have, want));
        }
    }
    println!("crane: {worst:e}");
    assert!(worst < FLEXIBLE_AS_REFERENCE);
}

/// The forces at the pin and at the slider: the file's multipliers with their sign turned.
#[test]
fn forces_on_the_elastic_rod_are_the_reference_ones() {
    let file = reference_file("slider_crank_elastic_rod");
    let times = numbers(&file["times"]);
    for (name, level) in [("level_half", LEVELS[1].1), ("level2", LEVELS[4].1)] {
        let found = motion(&at_level(&slider_crank(), level), &times);
        let (mut worst, mut largest): (f64, f64) = (0.0, 0.0);
        for (state, want) in found.iter().zip(rows(&file[format!("states_{name}")])) {
            let [pin, slider] = state.drives[..] else { panic!("two generators") };
            let want: Vec<f64> = want[8..].iter().map(|multiplier| -multiplier).collect();
            worst = worst.max(off(&[pin[0], pin[1], slider[1]], &want));
            largest = want.iter().fold(largest, |largest, force| largest.max(force.abs()));
            // Free directions bear no force.
            assert_eq!((pin[2], slider[0], slider[2]), (0.0, 0.0, 0.0));
        }
        println!("slider-crank, {name}: forces off by {worst:e} N of {largest} N");
        assert!(worst < REFERENCE_ROD_FORCES, "{name}");
    }
}

/// The forces of the joints on their second bodies, and on the tip. The file's rows of a joint are
/// those of the first body's point less the second's.
#[test]
fn forces_in_the_flexible_crane_are_the_reference_ones() {
    let file = reference_file("crane_three_flexible_links");
    let times: Vec<f64> = numbers(&file["times"]).into_iter().filter(|t| *t < 1.0 - 1e-9).collect();
    let found = motion(&crane(), &times);
    let (mut worst, mut largest): (f64, f64) = (0.0, 0.0);
    for (state, want) in found.iter().zip(rows(&file["lambda_level2"])) {
        let joints = state.reactions.iter().flat_map(|reaction| reaction.force);
        let tip = state.drives.iter().flatten().map(|force| -force);
        let have: Vec<f64> = joints.chain(tip).collect();
        worst = worst.max(off(&have, &want));
        largest = want.iter().fold(largest, |largest, force| largest.max(force.abs()));
        // A ball bears no moment.
        let moments = state.reactions.iter().flat_map(|reaction| reaction.torque);
        assert!(moments.fold(0.0, |worst: f64, moment| worst.max(moment.abs())) < REFERENCE_CRANE_FORCES);
    }
    println!("crane: forces off by {worst:e} N of {largest} N");
    assert!(worst < REFERENCE_CRANE_FORCES);
}

/// The file of the pendulum has no multipliers, but the velocity of the mass centre, which nothing
/// but gravity and the joint changes: `M (V(b) - V(a)) = int F dt + M g (b - a)`. F is integrated
/// by Boole's rule.
#[test]
fn impulses_of_the_pendulums_joint_are_those_of_the_reference_velocities() {
    let file = reference_file("pendulum3d_spherical");
    let times: Vec<f64> = numbers(&file["times"]).into_iter().filter(|t| *t < 1.0).collect();
    let mass = file["parameters"]["body_constants"]["M"].as_f64().unwrap();
    const PARTS: usize = 32;
    let mut fine = vec![0.0];
    for pair in times.windows(2) {
        fine.extend((1..=PARTS).map(|k| pair[0] + (pair[1] - pair[0]) * k as f64 / PARTS as f64));
    }
    for (name, level) in [("level_half", LEVELS[1].1), ("level2", LEVELS[4].1)] {
        let found = motion(&at_level(&pendulum(), level), &fine);
        let states = rows(&file[format!("states_{name}")]);
        let (mut worst, mut largest): (f64, f64) = (0.0, 0.0);
        for (k, pair) in times.windows(2).enumerate() {
            let lapse = pair[1] - pair[0];
            let here = &found[k * PARTS..=(k + 1) * PARTS];
            for axis in 0..3 {
                let force = |i: usize| here[i].reactions[0].force[axis];
                let boole = |i: usize| {
                    7.0 * (force(i) + force(i + 4))
                        + 32.0 * (force(i + 1) + force(i + 3))
                        + 12.0 * force(i + 2)
                };
                let sum: f64 = (0..PARTS).step_by(4).map(boole).sum();
                let impulse = sum * 2.0 / 45.0 * lapse / PARTS as f64;
                let gravity = if axis == 2 { -9.81 } else { 0.0 };
                let want = mass * (states[k + 1][11 + axis] - states[k][11 + axis] - gravity * lapse);
                worst = worst.max((impulse - want).abs());
                largest = largest.max(want.abs());
            }
        }
        println!("pendulum, {name}: impulses off by {worst:e} N s of {largest} N s");
        assert!(worst < REFERENCE_IMPULSE, "{name}");
    }
}
