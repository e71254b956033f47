//! Instances of a study as the reference moves them, and how far the engine is from it.

use polhode::base::Precision;
use polhode::describe::Channel;
use polhode::ensemble::Quantities;
use polhode::observe::channels;
use polhode::reference::methods::{self, Schedule};
use polhode::reference::{Instance, State, Trajectory};
use polhode::study::replay::{solved_rows, to_reference};

use super::engine::{Outcome, Ready};
use super::{attitude_distance, distance};

/// Channels in which engine and reference are compared.
pub const CHANNELS: [Channel; 7] = [
    channels::ATTITUDE,
    channels::ANGULAR_VELOCITY,
    channels::POSITION,
    channels::VELOCITY,
    channels::ENERGY,
    channels::ANGULAR_MOMENTUM,
    channels::CONSTRAINT_VIOLATION,
];

/// Returns the last state of instance i by the reference.
pub fn reference(ready: &Ready, i: usize) -> State {
    reference_run(ready, i).states.pop().expect("the last state")
}

/// Returns the reference's run of instance i, with its states on the way and the times of its
/// locks.
pub fn reference_run(ready: &Ready, i: usize) -> Trajectory {
    let mut row = vec![f64::NAN; ready.sampler.width()];
    ready.sampler.draw(i as u64, &mut row);
    let mut quantities = Quantities::nominal(&ready.study);
    ready.sampler.apply(&row, &mut quantities);
    let method = &ready.study.method;
    let schedule = Schedule {
        h: quantities.step,
        steps: method.steps,
        resynchronise: method.resynchronise,
        every: method.steps,
    };
    let constraints = &quantities.constraints(&ready.study.constraints);
    let solved = solved_rows(&ready.plan.model);
    let (mechanism, instance) = to_reference(&ready.study.mechanism, quantities).expect("a mechanism");
    let instance = Instance { solved, ..instance };
    let run = methods::run(method.name, &method.options, constraints, &mechanism, &instance, schedule);
    run.expect("the reference accepts the instance")
}

/// The numbers of the channels, in their order: each of body a, then of body b.
pub fn row(state: &State) -> Vec<Vec<f64>> {
    let bodies = &state.bodies;
    let mut parts: Vec<Vec<f64>> = bodies.iter().map(|body| body.attitude.to_vec()).collect();
    parts.extend(bodies.iter().map(|body| body.angular_velocity.to_vec()));
    parts.extend(bodies.iter().map(|body| body.position.to_vec()));
    parts.extend(bodies.iter().map(|body| body.velocity.to_vec()));
    parts.extend([vec![state.energy], state.angular_momentum.to_vec(), vec![state.constraint_violation]]);
    parts
}

/// The largest difference of any channel of any instance, relative to the channel's largest number,
/// or to 1.
pub fn worst(ready: &Ready, outcome: &Outcome, references: &[State]) -> f64 {
    let mut worst = 0.0f64;
    for (all, state) in ready.observe(outcome, &CHANNELS).iter().zip(references) {
        let mut at = 0;
        for part in row(state) {
            let found = &all[at..at + part.len()];
            at += part.len();
            let difference = match (found, &part[..]) {
                (&[a, b, c, d], &[e, f, g, h]) => attitude_distance([a, b, c, d], [e, f, g, h]),
                (&[a, b, c], &[d, e, f]) => distance([a, b, c], [d, e, f]),
                _ => (found[0] - part[0]).abs(),
            };
            let relative = difference / part.iter().fold(1.0f64, |size, x| size.max(x.abs()));
            // NaN is the worst.
            worst = if relative <= worst { worst } else { relative };
        }
        assert_eq!(at, all.len());
    }
    worst
}

/// Attitudes aside, how far bodies are from where and how fast they are to be.
pub fn apart(found: &State, want: &State) -> f64 {
    let pairs = found.bodies.iter().zip(&want.bodies);
    pairs.fold(0.0, |worst: f64, (a, b)| {
        let rigid =
            [(a.position, b.position), (a.velocity, b.velocity), (a.angular_velocity, b.angular_velocity)];
        let rigid = rigid.into_iter().map(|(a, b)| distance(a, b));
        let modal = a.amplitudes.iter().zip(&b.amplitudes).map(|(a, b)| (a - b).abs());
        rigid.chain(modal).fold(worst, |worst, x| if x <= worst { worst } else { x })
    })
}

/// The engine's end of the first instance, in f64 on the CPU, put into the words of the
/// reference's.
pub fn engine_state(ready: &Ready, like: &State) -> State {
    let outcome = ready.on_cpu(Precision::F64, 1);
    let channel = |channel| ready.observe(&outcome, &[channel]).remove(0);
    let (r, v, w) =
        (channel(channels::POSITION), channel(channels::VELOCITY), channel(channels::ANGULAR_VELOCITY));
    let motions = ready.plan.model.motions(&outcome.state(0));
    let mut state = like.clone();
    for (b, body) in state.bodies.iter_mut().enumerate() {
        let three = |all: &[f64]| [all[3 * b], all[3 * b + 1], all[3 * b + 2]];
        (body.position, body.velocity, body.angular_velocity) = (three(&r), three(&v), three(&w));
        body.amplitudes = motions[b].modal.amplitudes.clone();
    }
    state
}
