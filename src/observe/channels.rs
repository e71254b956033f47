//! Channels: named numbers per instance and time, computed in f64 on the host from the states a backend hands back.

use crate::backend::Plan;
use crate::describe::Channel;
use crate::math::quaternion::{inverse, norm_squared, to_space};
use crate::math::vector::{add, cross, scale};
use crate::model::body::Motion;
use crate::model::{Parameter, WIDTH, body_attitude};

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
    /// The name in study files, without the body's name.
    pub fn name(self) -> &'static str {
        match self {
            Channel::AngularVelocity => "angular_velocity",
            Channel::Attitude => "attitude",
            Channel::Position => "position",
            Channel::Velocity => "velocity",
            Channel::Energy => "energy",
            Channel::EnergyDrift => "energy_drift",
            Channel::AngularMomentum => "angular_momentum",
            Channel::AngularMomentumDrift => "angular_momentum_drift",
            Channel::Tilt => "tilt",
            Channel::QuaternionNormError => "quaternion_norm_error",
        }
    }

    pub fn unit(self) -> &'static str {
        match self {
            Channel::AngularVelocity => "rad/s",
            Channel::Position => "m",
            Channel::Velocity => "m/s",
            Channel::Energy => "J",
            Channel::AngularMomentum => "kg m²/s",
            Channel::Tilt => "rad",
            Channel::Attitude
            | Channel::EnergyDrift
            | Channel::AngularMomentumDrift
            | Channel::QuaternionNormError => "1",
        }
    }

    pub fn description(self) -> &'static str {
        match self {
            Channel::AngularVelocity => "angular velocity, body axes",
            Channel::Attitude => "attitude, unit quaternion body to space, scalar first and not negative",
            Channel::Position => "position of the body's origin, space axes",
            Channel::Velocity => "velocity of the body's origin, space axes",
            Channel::Energy => "kinetic and gravitational energy",
            Channel::EnergyDrift => "change of the energy since the start, of T0 + |V0|",
            Channel::AngularMomentum => {
                "angular momentum about the mass centre (free body) or the fixed point, space axes"
            }
            Channel::AngularMomentumDrift => "|H - H0| of |H0|, H the angular momentum",
            Channel::Tilt => "angle between the body's third axis and the vertical e3",
            Channel::QuaternionNormError => "| |q| - 1 | of the attitude quaternion",
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
            Channel::AngularVelocity | Channel::Position | Channel::Velocity | Channel::AngularMomentum => {
                &[".x", ".y", ".z"]
            }
            Channel::Energy
            | Channel::EnergyDrift
            | Channel::AngularMomentumDrift
            | Channel::Tilt
            | Channel::QuaternionNormError => &[""],
        }
    }
}

/// The columns of these channels for the body of this name.
pub fn columns(body: &str, channels: &[Channel]) -> Vec<ChannelColumn> {
    let mut columns = Vec::new();
    for &channel in channels {
        for (component, suffix) in channel.components().iter().enumerate() {
            columns.push(ChannelColumn {
                channel,
                component,
                name: format!("{body}.{}{suffix}", channel.name()),
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
    channels: Vec<Channel>,
    width: usize,
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
    fn motion(&self, i: usize) -> Motion<f64> {
        let c: [f64; WIDTH] = std::array::from_fn(|c| self.states[c][i]);
        crate::model::motion(&c)
    }

    fn parameter(&self, plan: &Plan, p: usize, i: usize) -> f64 {
        match self.parameters[p].get(self.first + i) {
            Some(x) => *x,
            None => plan.constants[p],
        }
    }
}

impl<'a> Observer<'a> {
    pub fn new(plan: &'a Plan, channels: &[Channel]) -> Observer<'a> {
        let width = channels.iter().map(|c| c.components().len()).sum();
        Observer { plan, channels: channels.to_vec(), width }
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// What instance `i` has now, as the start that drifts are measured from.
    pub fn baseline(&self, planes: &Planes<'_>, i: usize) -> Baseline {
        let motion = planes.motion(i);
        let energy = self.plan.model.energy(&|p| planes.parameter(self.plan, p, i));
        let (kinetic, potential) = (energy.kinetic(&motion), energy.potential(&motion));
        Baseline {
            energy: kinetic + potential,
            energy_scale: kinetic + potential.abs(),
            momentum: self.momentum(&motion, planes, i),
        }
    }

    /// All columns of instance `i`, in order. A drift from zero is NaN: there is nothing to compare with.
    pub fn observe(&self, planes: &Planes<'_>, i: usize, baseline: &Baseline, out: &mut [f64]) {
        let motion = planes.motion(i);
        let parameter = |p: usize| planes.parameter(self.plan, p, i);
        let vector = |p: usize| [parameter(p), parameter(p + 1), parameter(p + 2)];
        let principal = || -> [f64; 4] { std::array::from_fn(|k| parameter(Parameter::PRINCIPAL + k)) };
        let fixed = self.plan.model.fixed_point();
        let energy = || {
            let energy = self.plan.model.energy(&parameter);
            energy.kinetic(&motion) + energy.potential(&motion)
        };
        let mut rest = out;
        let mut put = |values: &[f64]| {
            let (now, after) = std::mem::take(&mut rest).split_at_mut(values.len());
            now.copy_from_slice(values);
            rest = after;
        };
        for channel in &self.channels {
            match channel {
                Channel::AngularVelocity => put(&to_space(principal(), motion.w)),
                Channel::Attitude => {
                    let q = body_attitude(motion.q, principal());
                    let sign = if q[0] < 0.0 { -1.0 } else { 1.0 };
                    put(&q.map(|x| sign * x));
                }
                Channel::Position if fixed => put(&vector(Parameter::ORIGIN)),
                Channel::Position => {
                    let centre = to_space(motion.q, vector(Parameter::CENTRE));
                    put(&add(motion.r, scale(-1.0, centre)));
                }
                Channel::Velocity if fixed => put(&[0.0; 3]),
                Channel::Velocity => {
                    let centre = to_space(motion.q, cross(motion.w, vector(Parameter::CENTRE)));
                    put(&add(motion.v, scale(-1.0, centre)));
                }
                Channel::Energy => put(&[energy()]),
                Channel::EnergyDrift => put(&[relative(energy() - baseline.energy, baseline.energy_scale)]),
                Channel::AngularMomentum => put(&self.momentum(&motion, planes, i)),
                Channel::AngularMomentumDrift => {
                    let now = self.momentum(&motion, planes, i);
                    let change = add(now, scale(-1.0, baseline.momentum));
                    put(&[relative(length(change), length(baseline.momentum))]);
                }
                Channel::Tilt => {
                    let e3 = to_space(motion.q, to_space(inverse(principal()), [0.0, 0.0, 1.0]));
                    put(&[f64::atan2(e3[0].hypot(e3[1]), e3[2])]);
                }
                Channel::QuaternionNormError => put(&[(norm_squared(motion.q).sqrt() - 1.0).abs()]),
            }
        }
    }

    fn momentum(&self, motion: &Motion<f64>, planes: &Planes<'_>, i: usize) -> [f64; 3] {
        let j = self.plan.model.inertia(&|p| planes.parameter(self.plan, p, i));
        to_space(motion.q, [j[0] * motion.w[0], j[1] * motion.w[1], j[2] * motion.w[2]])
    }
}

fn length(a: [f64; 3]) -> f64 {
    (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt()
}

fn relative(change: f64, of: f64) -> f64 {
    if of > 0.0 { change / of } else { f64::NAN }
}
