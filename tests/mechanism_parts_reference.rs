//! The reference of generators, contacts, locks, joint springs, bushings, drags and functions of time judged: published
//! solutions, derivatives by differences, energies, closed forms, orders.

mod common;

use common::mechanisms::{manipulator, rolling_ball, three_link_lockup};
use common::published::{PublishedBall, PublishedLinks};
use common::tolerances::{
    ACCURATE_BALL, ACCURATE_BALL_MULTIPLIERS, ACCURATE_LINKS, ACCURATE_LOCK_TIMES, PROJECTED,
};
use common::{attitude_distance, distance};
use polhode::describe::Mechanism;
use polhode::reference::system::MultibodySystem;
use polhode::reference::treatment::Treatment;
use polhode::reference::{BodyState, Instance, Trajectory, accurate};

fn accurate(mechanism: &Mechanism, times: &[f64]) -> Trajectory {
    accurate::run(mechanism, &Instance::nominal(mechanism), times, accurate::TOLERANCE).unwrap()
}

// --- Published solutions -------------------------------------------------------------------------------------------

const BALLS: [(&str, f64); 3] = [("ball_r0_0", 0.0), ("ball_r0_0.15cm", 0.0015), ("ball_r0_0.15a", 0.01635)];

fn error(state: &BodyState, published: &BodyState) -> f64 {
    distance(state.position, published.position)
        .max(distance(state.velocity, published.velocity))
        .max(attitude_distance(state.attitude, published.attitude))
        .max(distance(state.angular_velocity, published.angular_velocity))
}

#[test]
fn accurate_solution_meets_the_published_rolling_balls() {
    for ((file, r0), tolerance) in BALLS.into_iter().zip(ACCURATE_BALL) {
        let published = PublishedBall::read(file);
        let found = accurate(&rolling_ball(r0), &published.times);
        let mut worst: f64 = 0.0;
        for (state, published) in found.states.iter().zip(&published.states) {
            worst = worst.max(error(&state.bodies[0], published));
            assert!(state.constraint_violation < PROJECTED, "{} s", state.time);
        }
        println!("{file}: {worst:e}");
        assert!(worst < tolerance, "{file}: {worst:e}");
    }
}

#[test]
fn accurate_solution_meets_the_published_manipulators() {
    for (file, mechanism) in [("manipulator", manipulator()), ("three_link_lockup", three_link_lockup())] {
        let published = PublishedLinks::read(file);
        // The last lock of one is after its last state.
        let times = [&published.times[..], &[2.1]].concat();
        let found = accurate(&mechanism, &times);
        let (mut worst, mut late): (f64, f64) = (0.0, 0.0);
        for (k, state) in found.states.iter().take(published.times.len()).enumerate() {
            let s = &state.coordinates;
            let angles = [s[0], s[0] + s[1], s[0] + s[1] + s[2]];
            let rates = [0, 1, 2].map(|b| state.bodies[b].angular_velocity[2]);
            let error = distance(angles, published.angles[k]).max(distance(rates, published.rates[k]));
            worst = worst.max(error);
            assert!(state.constraint_violation < PROJECTED, "{} s", state.time);
        }
        for (lock, published) in found.locks.iter().zip(published.locked) {
            late = late.max((lock.locked.expect("caught") - published).abs());
            assert_eq!(lock.released, None);
        }
        println!("{file}: states {worst:e}, events {late:e} s");
        assert!(worst < ACCURATE_LINKS && late < ACCURATE_LOCK_TIMES, "{file}: {worst:e} {late:e}");
    }
}

/// Multipliers of the rolling rows and of the track at the published states.
#[test]
fn rolling_ball_has_the_published_multipliers() {
    for (file, r0) in BALLS {
        let published = PublishedBall::read(file);
        let mechanism = rolling_ball(r0);
        let mut worst: f64 = 0.0;
        for (state, expected) in published.states.iter().zip(&published.multipliers) {
            let mut instance = Instance::nominal(&mechanism);
            let ball = &mut instance.bodies[0];
            (ball.position, ball.velocity) = (state.position, state.velocity);
            (ball.attitude, ball.angular_velocity) = (state.attitude, state.angular_velocity);
            let system = MultibodySystem::new(&mechanism, &instance).unwrap();
            let motions = system.start(&mechanism, &instance).unwrap();
            let instant = system.instant(0.0, 1.0, 0.0);
            let found = system.instantaneous_multipliers(&Treatment::Exact, &instant, &motions);
            // The file's track row is f' Vx - Vy.
            let found = [found[1], found[2], -found[3]];
            worst = worst.max(distance(found, *expected));
        }
        println!("{file}: {worst:e} N");
        assert!(worst < ACCURATE_BALL_MULTIPLIERS, "{file}: {worst:e} N");
    }
}
