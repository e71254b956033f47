//! Channels: named numbers per instance and time, computed in f64 on the host from the states a backend hands back.

use std::ops::Range;

use fearless_simd::Level;

use crate::backend::Plan;
use crate::backend::cpu::lanes::{self, Rows};
use crate::backend::cpu::tape::{GROUP, Sheet};
use crate::base::Precision;
use crate::describe::{Channel, Coordinate, JointCoordinate, Mechanism, Owner, Seen};
use crate::math::quaternion::{inverse, norm_squared, to_space};
use crate::math::vector::{add, cross, length};
use crate::model::deformation::Deformation;
use crate::model::memory::Memory;
use crate::model::sample::Sample;
use crate::model::{Parameter, body_attitude};
use crate::real::traced::{Traced, constant, leaf, record};
use crate::real::{Element, Real};

/// One column of numbers: a scalar channel, or one component of a vector channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelColumn {
    pub channel: Channel,
    pub component: usize,
    /// For example `body.angular_velocity.x`.
    pub name: String,
    /// `1` for a pure number.
    pub unit: &'static str,
    pub description: &'static str,
}

impl Channel {
    pub fn unit(self) -> &'static str {
        match self {
            Channel::AngularVelocity | Channel::AngleRate => "rad/s",
            Channel::Position | Channel::Displacement | Channel::Deflection => "m",
            Channel::Velocity | Channel::DisplacementRate => "m/s",
            Channel::Force | Channel::DriveForce | Channel::LockForce => "N",
            Channel::Torque | Channel::DriveTorque | Channel::LockTorque => "N m",
            Channel::Caught | Channel::Released => "s",
            Channel::Energy | Channel::PotentialEstimate | Channel::StrainEnergy => "J",
            Channel::AngularMomentum => "kg m²/s",
            Channel::Tilt | Channel::Angle => "rad",
            Channel::AmplitudeRate(_) => "1/s",
            Channel::Attitude
            | Channel::EnergyDrift
            | Channel::AngularMomentumDrift
            | Channel::QuaternionNormError
            | Channel::Amplitude(_)
            | Channel::ConstraintViolation => "1",
        }
    }

    pub fn description(self) -> &'static str {
        match self {
            Channel::AngularVelocity => "angular velocity, body axes",
            Channel::Attitude => "attitude, unit quaternion body to space, scalar first and not negative",
            Channel::Position => "position of the body's origin, space axes",
            Channel::Velocity => "velocity of the body's origin, space axes",
            Channel::Energy => "kinetic, gravitational and elastic energy",
            Channel::EnergyDrift => "change of the energy since the start, of T0 + |V0|",
            Channel::AngularMomentum => {
                "angular momentum, space axes: about a single body's mass centre or fixed point, else about the space origin"
            }
            Channel::AngularMomentumDrift => "|H - H0| of |H0|, H the angular momentum",
            Channel::Tilt => "angle between the body's third axis and the vertical e3",
            Channel::QuaternionNormError => "| |q| - 1 | of the attitude quaternion",
            Channel::Angle => "angle of the joint about its axis, all turns counted",
            Channel::AngleRate => "rate of the joint's angle",
            Channel::Displacement => "displacement of the joint along its axis",
            Channel::DisplacementRate => "rate of the joint's displacement",
            Channel::Force => "force of the joint on its second body, space axes",
            Channel::Torque => "torque of the joint on its second body, about its point there, space axes",
            Channel::DriveTorque => "torque of the generator along the joint's angle",
            Channel::DriveForce => {
                "force of the generator along the joint's axis, or on the point, space axes"
            }
            Channel::Caught => "time at which the lock caught",
            Channel::Released => "time at which the lock let go",
            Channel::LockTorque => "torque of the lock along the joint's angle, 0 while it holds nothing",
            Channel::LockForce => "force of the lock along the joint's axis, 0 while it holds nothing",
            Channel::Deflection => {
                "displacement of the watched point against the body's floating frame, body axes"
            }
            Channel::StrainEnergy => "strain energy of the body",
            Channel::Amplitude(_) => "modal coordinate, in the unit that the mode's shape gives it",
            Channel::AmplitudeRate(_) => "rate of the modal coordinate, in that unit a second",
            Channel::PotentialEstimate => {
                "change of the potential energy as K14 estimates it: less the work of the loads, trapezoidal rule"
            }
            Channel::ConstraintViolation => {
                "root of the sum of squares of all joints' Phi: lengths in m, cosines"
            }
        }
    }

    /// Whether it has several columns.
    pub fn is_vector(self) -> bool {
        self.components().len() > 1
    }

    /// Suffixes of its columns.
    fn components(self) -> &'static [&'static str] {
        match self {
            Channel::Attitude => &[".q0", ".q1", ".q2", ".q3"],
            Channel::AngularVelocity
            | Channel::Position
            | Channel::Velocity
            | Channel::AngularMomentum
            | Channel::Force
            | Channel::Torque
            | Channel::Deflection
            | Channel::DriveForce => &[".x", ".y", ".z"],
            Channel::Energy
            | Channel::EnergyDrift
            | Channel::AngularMomentumDrift
            | Channel::Tilt
            | Channel::QuaternionNormError
            | Channel::ConstraintViolation
            | Channel::PotentialEstimate
            | Channel::Angle
            | Channel::AngleRate
            | Channel::Displacement
            | Channel::DisplacementRate
            | Channel::DriveTorque
            | Channel::Caught
            | Channel::StrainEnergy
            | Channel::Amplitude(_)
            | Channel::AmplitudeRate(_)
            | Channel::LockTorque
            | Channel::LockForce
            | Channel::Released => &[""],
        }
    }
}

/// One channel of one body, joint, ..., or of the mechanism.
#[derive(Clone, Copy, Debug)]
struct Watched {
    channel: Channel,
    /// 0 for what is of the mechanism.
    of: usize,
}

/// These channels one by one.
fn watched(mechanism: &Mechanism, seen: &[Seen]) -> Vec<Watched> {
    let each = |Seen { channel, of }: &Seen| {
        let owners = of.map_or_else(|| mechanism.owners(*channel), |of| vec![of]);
        let channel = *channel;
        owners.into_iter().map(move |of| Watched { channel, of })
    };
    seen.iter().flat_map(each).collect()
}

/// The columns of these channels. What is of a mechanism of several bodies as a whole stands without a prefix.
pub fn columns(mechanism: &Mechanism, seen: &[Seen]) -> Vec<ChannelColumn> {
    let mut columns = Vec::new();
    for Watched { channel, of } in watched(mechanism, seen) {
        let prefix = match channel.owner() {
            Owner::Mechanism if mechanism.bodies.len() > 1 => String::new(),
            Owner::Mechanism => format!("{}.", mechanism.bodies[0].name),
            owner => format!("{}.", owner.names(mechanism)[of]),
        };
        for (component, suffix) in channel.components().iter().enumerate() {
            columns.push(ChannelColumn {
                channel,
                component,
                name: format!("{prefix}{}{suffix}", channel.name()),
                unit: channel.unit(),
                description: channel.description(),
            });
        }
    }
    columns
}

/// What an instance started with, for the drifts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Baseline {
    energy: f64,
    /// `T0 + |V0|`
    energy_scale: f64,
    momentum: [f64; 3],
}

/// Computes channels of instances, from the state and the parameters of each.
pub struct Observer<'a> {
    plan: &'a Plan,
    watched: Vec<Watched>,
    width: usize,
    /// The numbers of all channels, for groups of instances. Leaves: state channels, then parameters, then the shares of
    /// the timed loads.
    sheet: Sheet,
    level: Level,
}

/// State planes and parameter planes of some instances.
#[derive(Clone, Copy)]
pub struct Planes<'a> {
    /// `[channel][instance]`
    pub states: &'a [Vec<f64>],
    /// `[parameter][instance]`, empty where the parameter does not vary.
    pub parameters: &'a [Vec<f64>],
    /// Instance 0 of `states` is this instance of `parameters`.
    pub first: usize,
}

impl Planes<'_> {
    fn state(&self, i: usize) -> Vec<f64> {
        self.states.iter().map(|plane| plane[i]).collect()
    }

    fn parameter(&self, plan: &Plan, p: usize, i: usize) -> f64 {
        match self.parameters[p].get(self.first + i) {
            Some(x) => *x,
            None => plan.constants[p],
        }
    }
}

impl<'a> Observer<'a> {
    pub fn new<C: Copy + Into<Seen>>(plan: &'a Plan, channels: &[C]) -> Observer<'a> {
        let seen: Vec<Seen> = channels.iter().map(|channel| (*channel).into()).collect();
        let watched = watched(plan.model.mechanism(), &seen);
        let width = watched.iter().map(|w| w.channel.components().len()).sum();
        let states = plan.moving.len();
        let (graph, results) = record(Precision::F64, || {
            let state: Vec<Traced> = (0..states as u32).map(leaf).collect();
            let parameter = |p: usize| {
                if plan.model.varies(p) { leaf((states + p) as u32) } else { constant(plan.constants[p]) }
            };
            let first = states + plan.model.parameters();
            let factor = |span: usize| leaf((first + span) as u32);
            let of = |watched: &Watched| {
                let all = numbers(plan, *watched, &state, &parameter, &factor);
                all.into_iter().take(numbers_of(watched.channel))
            };
            watched.iter().flat_map(of).collect::<Vec<_>>()
        });
        let sheet = Sheet::new(&graph, &results);
        Observer { plan, watched, width, sheet, level: Level::new() }
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// What instance `i` has now, as the start that drifts are measured from.
    pub fn baseline(&self, planes: &Planes<'_>, i: usize) -> Baseline {
        let state = planes.state(i);
        let motions = self.plan.model.motions(&state);
        let parameter = |p: usize| planes.parameter(self.plan, p, i);
        let energy = self.plan.model.energy(&parameter, self.plan.model.memory_in(&state));
        let (kinetic, potential) = (energy.kinetic(&motions), energy.potential(&motions));
        let momentum = Watched { channel: Channel::AngularMomentum, of: 0 };
        // It does not depend on loads.
        let [x, y, z, _] = numbers(self.plan, momentum, &state, &parameter, &|_| 0.0);
        Baseline { energy: kinetic + potential, energy_scale: kinetic + potential.abs(), momentum: [x, y, z] }
    }

    /// All columns of instance `i` after `step` steps, in order. A drift from zero is NaN: there is nothing to compare with.
    pub fn observe(&self, planes: &Planes<'_>, i: usize, step: u64, baseline: &Baseline, out: &mut [f64]) {
        let state = planes.state(i);
        let factors = self.plan.schedule.factors_around(step);
        let parameter = |p: usize| planes.parameter(self.plan, p, i);
        let mut column = 0;
        for &watched in &self.watched {
            let width = watched.channel.components().len();
            let numbers = numbers(self.plan, watched, &state, &parameter, &|span| factors[span]);
            let numbers = finished(watched.channel, numbers, baseline).map(Element::flushed);
            out[column..column + width].copy_from_slice(&numbers[..width]);
            column += width;
        }
    }

    /// All columns of the instances of `baselines` after `step` steps, `out[column][instance]`: the values of
    /// [`Observer::observe`], a group of instances at a time.
    pub fn observe_all(&self, planes: &Planes<'_>, step: u64, baselines: &[Baseline], out: &mut [Vec<f64>]) {
        let mut rows = self.sheet.rows::<f64>();
        let factors = self.plan.schedule.factors_around(step);
        for at in (0..baselines.len()).step_by(GROUP) {
            let group = at..baselines.len().min(at + GROUP);
            for (row, leaf) in &self.sheet.inputs {
                let values = match (*leaf as usize).checked_sub(self.plan.moving.len()) {
                    None => &planes.states[*leaf as usize][group.clone()],
                    Some(p) if p >= self.plan.model.parameters() => {
                        rows[*row].fill(factors[p - self.plan.model.parameters()]);
                        continue;
                    }
                    Some(p) => &planes.parameters[p][planes.first + group.start..planes.first + group.end],
                };
                rows[*row][..values.len()].copy_from_slice(values);
            }
            lanes::run(self.level, false, &self.sheet.routine.instructions, &mut rows, 1);
            self.columns_of(&rows, group, baselines, out);
        }
    }

    /// The columns of one group from the numbers of its channels.
    fn columns_of(
        &self,
        rows: &Rows<f64>,
        group: Range<usize>,
        baselines: &[Baseline],
        out: &mut [Vec<f64>],
    ) {
        let mut column = 0;
        let mut results = self.sheet.results.iter();
        for &Watched { channel, .. } in &self.watched {
            let columns = &mut out[column..column + channel.components().len()];
            let numbers: Vec<&[f64; GROUP]> =
                results.by_ref().take(numbers_of(channel)).map(|row| &rows[*row]).collect();
            if is_finished(channel) {
                for (column, numbers) in columns.iter_mut().zip(&numbers) {
                    for (x, number) in column[group.clone()].iter_mut().zip(*numbers) {
                        *x = number.flushed();
                    }
                }
            } else {
                for (lane, i) in group.clone().enumerate() {
                    let mut one = [0.0; 4];
                    for (one, numbers) in one.iter_mut().zip(&numbers) {
                        *one = numbers[lane];
                    }
                    for (column, x) in columns.iter_mut().zip(finished(channel, one, &baselines[i])) {
                        column[i] = x.flushed();
                    }
                }
            }
            column += columns.len();
        }
    }
}

/// How many numbers a channel is made of: see [`numbers`].
fn numbers_of(channel: Channel) -> usize {
    match channel {
        Channel::Attitude | Channel::QuaternionNormError => 4,
        Channel::Energy
        | Channel::EnergyDrift
        | Channel::ConstraintViolation
        | Channel::PotentialEstimate
        | Channel::Angle
        | Channel::AngleRate
        | Channel::Displacement
        | Channel::DisplacementRate
        | Channel::DriveTorque
        | Channel::Caught
        | Channel::StrainEnergy
        | Channel::Amplitude(_)
        | Channel::AmplitudeRate(_)
        | Channel::LockTorque
        | Channel::LockForce
        | Channel::Released => 1,
        Channel::Force
        | Channel::Torque
        | Channel::DriveForce
        | Channel::Deflection
        | Channel::AngularVelocity
        | Channel::Position
        | Channel::Velocity
        | Channel::AngularMomentum
        | Channel::AngularMomentumDrift
        | Channel::Tilt => 3,
    }
}

/// What a channel is made of, as far as it takes only arithmetic: see [`finished`] for the rest.
fn numbers<R: Real>(
    plan: &Plan,
    watched: Watched,
    state: &[R],
    parameter: &impl Fn(usize) -> R,
    factor: &impl Fn(usize) -> R,
) -> [R; 4] {
    let model = &plan.model;
    // What is of a joint reads no body.
    let b = if watched.channel.owner() == Owner::Body { watched.of } else { 0 };
    let motions = &model.motions(state);
    let motion = &motions[b];
    let zero = motion.q[0].lift(0.0);
    let vector = |p: usize| {
        let at = model.of_body(b, p);
        [parameter(at), parameter(at + 1), parameter(at + 2)]
    };
    let principal = || -> [R; 4] {
        let at = model.of_body(b, Parameter::PRINCIPAL);
        [parameter(at), parameter(at + 1), parameter(at + 2), parameter(at + 3)]
    };
    let axes_are_principal = model.axes_are_principal(b);
    let fixed = model.fixed_point(b);
    let of = |v: [R; 3]| [v[0], v[1], v[2], zero];
    let memory = model.memory_in(state);
    let only = |x: R| [x, zero, zero, zero];
    let coordinate = |coordinate| {
        let of = JointCoordinate { joint: watched.of, coordinate };
        model.held_now(parameter, memory).coordinate(of, motions)
    };
    let remembered = |item: Memory| model.remembered(item).map_or(zero, |at| memory[at]);
    // As the joints are held at this instant.
    let system = || {
        let now = [Sample::new(0.0, 0.0, 0.0)];
        model.system(&now, parameter, memory, &|_, span| factor(span))
    };
    match watched.channel {
        Channel::Angle => only(coordinate(Coordinate::Angle).violation),
        Channel::AngleRate => only(coordinate(Coordinate::Angle).rate(motions)),
        Channel::Displacement => only(coordinate(Coordinate::Displacement).violation),
        Channel::DisplacementRate => only(coordinate(Coordinate::Displacement).rate(motions)),
        Channel::Force => of(system().reaction(watched.of, motions).0),
        Channel::Torque => of(system().reaction(watched.of, motions).1),
        Channel::DriveTorque | Channel::DriveForce => of(system().drive(watched.of, motions)),
        Channel::LockTorque | Channel::LockForce => only(system().lock_load(watched.of, motions)),
        Channel::Caught => only(remembered(Memory::Caught(watched.of))),
        Channel::Released => only(remembered(Memory::Released(watched.of))),
        Channel::AngularVelocity if axes_are_principal => of(motion.w),
        Channel::AngularVelocity => of(to_space(principal(), motion.w)),
        Channel::Attitude | Channel::QuaternionNormError if axes_are_principal => motion.q,
        Channel::Attitude | Channel::QuaternionNormError => body_attitude(motion.q, principal()),
        Channel::Position if fixed => of(vector(Parameter::ORIGIN)),
        Channel::Position => {
            let (centre, _) = model.centre_from_origin(b, motion, parameter);
            let [x, y, z] = to_space(motion.q, centre);
            of(add(motion.r, [-x, -y, -z]))
        }
        Channel::Velocity if fixed => [zero; 4],
        Channel::Velocity => {
            let (centre, rate) = model.centre_from_origin(b, motion, parameter);
            let turning = cross(motion.w, centre);
            let [x, y, z] = to_space(motion.q, rate.map_or(turning, |rate| add(turning, rate)));
            of(add(motion.v, [-x, -y, -z]))
        }
        Channel::Energy | Channel::EnergyDrift => {
            let energy = model.energy(parameter, model.memory_in(state));
            [energy.kinetic(motions) + energy.potential(motions), zero, zero, zero]
        }
        Channel::AngularMomentum | Channel::AngularMomentumDrift => {
            of(model.angular_momentum(motions, parameter))
        }
        // The body's third axis, in space.
        Channel::Tilt => {
            let e3 = [zero, zero, zero.lift(1.0)];
            of(to_space(motion.q, to_space(inverse(principal()), e3)))
        }
        Channel::ConstraintViolation => only(model.violation(motions, parameter, memory)),
        Channel::Deflection => of(model.deflection(b, motion)),
        Channel::StrainEnergy => {
            let energy = model.energy(parameter, memory);
            let strain = |body: &Deformation<R>| body.strain(&motion.modal.amplitudes);
            only(energy.deformations[b].as_ref().map_or(zero, strain))
        }
        Channel::Amplitude(k) => only(motion.modal.amplitudes.get(usize::from(k)).copied().unwrap_or(zero)),
        Channel::AmplitudeRate(k) => only(motion.modal.rates.get(usize::from(k)).copied().unwrap_or(zero)),
        // A plan that is asked for it carries the work behind the motions.
        Channel::PotentialEstimate => only(-remembered(Memory::Work)),
    }
}

/// Whether the numbers of a channel are its columns already.
fn is_finished(channel: Channel) -> bool {
    match channel {
        Channel::AngularVelocity
        | Channel::Position
        | Channel::Velocity
        | Channel::Energy
        | Channel::AngularMomentum
        | Channel::ConstraintViolation
        | Channel::PotentialEstimate
        | Channel::Angle
        | Channel::AngleRate
        | Channel::Displacement
        | Channel::DisplacementRate
        | Channel::Force
        | Channel::Torque
        | Channel::DriveTorque
        | Channel::Deflection
        | Channel::StrainEnergy
        | Channel::Amplitude(_)
        | Channel::AmplitudeRate(_)
        | Channel::LockTorque
        | Channel::LockForce
        | Channel::DriveForce => true,
        Channel::Caught
        | Channel::Released
        | Channel::Attitude
        | Channel::EnergyDrift
        | Channel::AngularMomentumDrift
        | Channel::Tilt
        | Channel::QuaternionNormError => false,
    }
}

/// A channel's columns from its numbers, for one instance.
fn finished(channel: Channel, n: [f64; 4], baseline: &Baseline) -> [f64; 4] {
    let scalar = |x: f64| [x, 0.0, 0.0, 0.0];
    match channel {
        Channel::Attitude if n[0] < 0.0 => n.map(|x| -x),
        Channel::Caught | Channel::Released if n[0] < 0.0 => scalar(f64::NAN),
        Channel::EnergyDrift => scalar(relative(n[0] - baseline.energy, baseline.energy_scale)),
        Channel::AngularMomentumDrift => {
            let h = baseline.momentum;
            let change = length([n[0] - h[0], n[1] - h[1], n[2] - h[2]]);
            scalar(relative(change, length(h)))
        }
        Channel::Tilt => scalar(f64::atan2(n[0].hypot(n[1]), n[2])),
        Channel::QuaternionNormError => scalar((norm_squared(n).sqrt() - 1.0).abs()),
        Channel::Attitude
        | Channel::AngularVelocity
        | Channel::Position
        | Channel::Velocity
        | Channel::Energy
        | Channel::AngularMomentum
        | Channel::ConstraintViolation
        | Channel::PotentialEstimate
        | Channel::Angle
        | Channel::AngleRate
        | Channel::Displacement
        | Channel::DisplacementRate
        | Channel::Force
        | Channel::Torque
        | Channel::DriveTorque
        | Channel::DriveForce
        | Channel::Deflection
        | Channel::StrainEnergy
        | Channel::Amplitude(_)
        | Channel::AmplitudeRate(_)
        | Channel::LockTorque
        | Channel::LockForce
        | Channel::Caught
        | Channel::Released => n,
    }
}

/// Less than this (J, or kg m²/s) is what rounding leaves of nothing: springs at rest start with some 1e-32 J.
const NOTHING: f64 = 1e-27;

fn relative(change: f64, of: f64) -> f64 {
    if of > NOTHING { change / of } else { f64::NAN }
}
