//! Channels: named numbers per instance and time, computed in f64 on the host from the states a backend hands back.

use fearless_simd::{Level, Simd, dispatch};

use crate::backend::Plan;
use crate::describe::Channel;
use crate::math::quaternion::{inverse, norm_squared, to_space};
use crate::math::vector::{add, cross};
use crate::model::body::Motion;
use crate::model::{Parameter, WIDTH, body_attitude};
use crate::real::{Lanes, Real};

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
    /// The body axes are principal in all instances.
    axes_are_principal: bool,
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
        let identity = [1.0, 0.0, 0.0, 0.0];
        let axes_are_principal = (0..4).all(|k| {
            let p = Parameter::PRINCIPAL + k;
            !plan.model.varies(p) && plan.constants[p] == identity[k]
        });
        Observer { plan, channels: channels.to_vec(), width, axes_are_principal }
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// What instance `i` has now, as the start that drifts are measured from.
    pub fn baseline(&self, planes: &Planes<'_>, i: usize) -> Baseline {
        let motion = planes.motion(i);
        let parameter = |p: usize| planes.parameter(self.plan, p, i);
        let energy = self.plan.model.energy(&parameter);
        let (kinetic, potential) = (energy.kinetic(&motion), energy.potential(&motion));
        Baseline {
            energy: kinetic + potential,
            energy_scale: kinetic + potential.abs(),
            momentum: self.momentum(&motion, &parameter),
        }
    }

    /// All columns of instance `i`, in order. A drift from zero is NaN: there is nothing to compare with.
    pub fn observe(&self, planes: &Planes<'_>, i: usize, baseline: &Baseline, out: &mut [f64]) {
        let motion = planes.motion(i);
        let parameter = |p: usize| planes.parameter(self.plan, p, i);
        let mut column = 0;
        for &channel in &self.channels {
            let width = channel.components().len();
            let numbers = finished(channel, self.numbers(channel, &motion, &parameter), baseline);
            out[column..column + width].copy_from_slice(&numbers[..width]);
            column += width;
        }
    }

    /// All columns of the instances of `baselines`, `out[column][instance]`: the bits of [`Observer::observe`],
    /// several instances at a time.
    pub fn observe_all(&self, planes: &Planes<'_>, baselines: &[Baseline], out: &mut [Vec<f64>]) {
        dispatch!(Level::new(), simd => self.observe_lanes(simd, planes, baselines, out));
    }

    #[inline(always)]
    fn observe_lanes<S: Simd>(
        &self,
        simd: S,
        planes: &Planes<'_>,
        baselines: &[Baseline],
        out: &mut [Vec<f64>],
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let lanes = Lanes::<S, f64, false>::LEN;
                let whole = baselines.len() / lanes * lanes;
                for at in (0..whole).step_by(lanes) {
                    self.observe_vector(simd, planes, baselines, at, out);
                }
                let mut row = vec![f64::NAN; self.width];
                for i in whole..baselines.len() {
                    self.observe(planes, i, &baselines[i], &mut row);
                    for (column, x) in out.iter_mut().zip(&row) {
                        column[i] = *x;
                    }
                }
            },
        );
    }

    /// The instances of one vector, from `at` on.
    #[inline(always)]
    fn observe_vector<S: Simd>(
        &self,
        simd: S,
        planes: &Planes<'_>,
        baselines: &[Baseline],
        at: usize,
        out: &mut [Vec<f64>],
    ) {
        let lanes = Lanes::<S, f64, false>::LEN;
        let mut c = [Lanes::<S, f64, false>::splat(simd, 0.0); WIDTH];
        for (c, plane) in c.iter_mut().zip(planes.states) {
            *c = Lanes::load(simd, &plane[at..at + lanes]);
        }
        let motion = crate::model::motion(&c);
        let first = planes.first + at;
        let parameter = |p: usize| match planes.parameters[p].get(first..first + lanes) {
            Some(values) => Lanes::load(simd, values),
            None => Lanes::splat(simd, self.plan.constants[p]),
        };
        let mut column = 0;
        for &channel in &self.channels {
            let width = channel.components().len();
            let columns = &mut out[column..column + width];
            let numbers = self.numbers(channel, &motion, &parameter);
            if is_finished(channel) {
                for (column, x) in columns.iter_mut().zip(numbers) {
                    x.store(&mut column[at..at + lanes]);
                }
            } else {
                for i in 0..lanes {
                    let mut one = [0.0; 4];
                    for (one, number) in one.iter_mut().zip(&numbers) {
                        *one = number.as_slice()[i];
                    }
                    for (column, x) in columns.iter_mut().zip(finished(channel, one, &baselines[at + i])) {
                        column[at + i] = x;
                    }
                }
            }
            column += width;
        }
    }

    /// What a channel is made of, as far as it takes only arithmetic: see [`finished`] for the rest.
    #[inline(always)]
    fn numbers<R: Real>(
        &self,
        channel: Channel,
        motion: &Motion<R>,
        parameter: &impl Fn(usize) -> R,
    ) -> [R; 4] {
        let zero = motion.q[0].lift(0.0);
        let vector = |p: usize| [parameter(p), parameter(p + 1), parameter(p + 2)];
        let principal = || -> [R; 4] {
            let p = Parameter::PRINCIPAL;
            [parameter(p), parameter(p + 1), parameter(p + 2), parameter(p + 3)]
        };
        let fixed = self.plan.model.fixed_point();
        let of = |v: [R; 3]| [v[0], v[1], v[2], zero];
        match channel {
            Channel::AngularVelocity if self.axes_are_principal => of(motion.w),
            Channel::AngularVelocity => of(to_space(principal(), motion.w)),
            Channel::Attitude | Channel::QuaternionNormError if self.axes_are_principal => motion.q,
            Channel::Attitude | Channel::QuaternionNormError => body_attitude(motion.q, principal()),
            Channel::Position if fixed => of(vector(Parameter::ORIGIN)),
            Channel::Position => {
                let [x, y, z] = to_space(motion.q, vector(Parameter::CENTRE));
                of(add(motion.r, [-x, -y, -z]))
            }
            Channel::Velocity if fixed => [zero; 4],
            Channel::Velocity => {
                let [x, y, z] = to_space(motion.q, cross(motion.w, vector(Parameter::CENTRE)));
                of(add(motion.v, [-x, -y, -z]))
            }
            Channel::Energy | Channel::EnergyDrift => {
                let energy = self.plan.model.energy(parameter);
                [energy.kinetic(motion) + energy.potential(motion), zero, zero, zero]
            }
            Channel::AngularMomentum | Channel::AngularMomentumDrift => of(self.momentum(motion, parameter)),
            // The body's third axis, in space.
            Channel::Tilt => {
                let e3 = [zero, zero, zero.lift(1.0)];
                of(to_space(motion.q, to_space(inverse(principal()), e3)))
            }
        }
    }

    #[inline(always)]
    fn momentum<R: Real>(&self, motion: &Motion<R>, parameter: &impl Fn(usize) -> R) -> [R; 3] {
        let j = self.plan.model.inertia(parameter);
        to_space(motion.q, [j[0] * motion.w[0], j[1] * motion.w[1], j[2] * motion.w[2]])
    }
}

/// Whether the numbers of a channel are its columns already.
fn is_finished(channel: Channel) -> bool {
    match channel {
        Channel::AngularVelocity
        | Channel::Position
        | Channel::Velocity
        | Channel::Energy
        | Channel::AngularMomentum => true,
        Channel::Attitude
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
        | Channel::AngularMomentum => n,
    }
}

fn length(a: [f64; 3]) -> f64 {
    (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt()
}

fn relative(change: f64, of: f64) -> f64 {
    if of > 0.0 { change / of } else { f64::NAN }
}
