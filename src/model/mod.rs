//! From a description to what a machine runs: principal axes, parameter layout, initial state.
//!
//! A [`Model`] is the structure that all instances share. Numbers are per instance: [`Model::resolve`] turns the
//! quantities of one instance, as the user thinks of them, into the [`parameters`](Parameter) and the initial state
//! of the engine, in f64. A parameter that no varied quantity touches is a constant of the whole ensemble, and is
//! folded into the GPU kernel as a literal.

pub mod body;
mod principal;

use crate::describe::{Axes, InertiaAbout, LoadKind, Mechanism, Quantity, Support};
use crate::ensemble::quantities::Quantities;
use crate::math::quaternion::{inverse, product, to_body, to_space};
use crate::math::vector::{add, cross, scale};
use crate::real::Real;
use body::{Energy, Loads, Motion, System};

/// The fixed parameters of a body, by position; those of the loads follow [`FIRST_LOAD_PARAMETER`].
pub struct Parameter;

impl Parameter {
    /// Principal moments of inertia, 3 (kg m²).
    pub const INERTIA: usize = 0;
    /// Mass (kg).
    pub const MASS: usize = 3;
    /// From the body's origin to the mass centre, principal axes, 3 (m).
    pub const CENTRE: usize = 4;
    /// Gravity, space axes, 3 (m/s²).
    pub const GRAVITY: usize = 7;
    /// Quaternion that maps principal axes to the user's body axes, 4. Only observation reads it.
    pub const PRINCIPAL: usize = 10;
    /// Position of the body's origin at t = 0, space axes, 3 (m). Only observation reads it.
    pub const ORIGIN: usize = 14;
    /// Energy at t = 0 (J), for the energy bound.
    pub const ENERGY: usize = 17;
    /// `T + |V|` at t = 0 (J), for the energy bound.
    pub const ENERGY_SCALE: usize = 18;
}

/// Position of the first load parameter: per load its arm (3, m), then per piece its value (3, N or N m).
pub const FIRST_LOAD_PARAMETER: usize = 19;

/// State channels of a motion, in order.
pub const CHANNELS: [&str; 13] =
    ["q0", "q1", "q2", "q3", "wx", "wy", "wz", "rx", "ry", "rz", "vx", "vy", "vz"];

/// Number of state channels of a motion.
pub const WIDTH: usize = CHANNELS.len();

/// The state channels as a list, in the order of [`CHANNELS`].
pub fn channels<R: Copy>(m: &Motion<R>) -> [R; WIDTH] {
    let Motion { q, w, r, v } = *m;
    [q[0], q[1], q[2], q[3], w[0], w[1], w[2], r[0], r[1], r[2], v[0], v[1], v[2]]
}

/// The motion whose channels are the first [`WIDTH`] of these.
pub fn motion<R: Copy>(c: &[R]) -> Motion<R> {
    Motion {
        q: [c[0], c[1], c[2], c[3]],
        w: [c[4], c[5], c[6]],
        r: [c[7], c[8], c[9]],
        v: [c[10], c[11], c[12]],
    }
}

/// One constant piece of one load.
#[derive(Clone, Debug)]
struct Piece {
    kind: LoadKind,
    axes: Axes,
    /// Position of its arm's and its value's parameters.
    arm: usize,
    value: usize,
    /// Its number among the pieces that do not act all the time; `None`: it always acts.
    timed: Option<usize>,
}

/// When a timed piece acts: `from <= t < until` (s).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub from: f64,
    pub until: f64,
}

/// The structure all instances share.
#[derive(Clone, Debug)]
pub struct Model {
    mechanism: Mechanism,
    pieces: Vec<Piece>,
    spans: Vec<Span>,
    /// For every parameter: is it drawn per instance?
    varies: Vec<bool>,
    /// No rotation to principal axes for any instance: the user's axes are principal.
    axes_are_principal: bool,
    energy_bound: bool,
}

/// Why the drawn quantities of an instance describe no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoBody;

impl Model {
    /// `varied`: the quantities that the ensemble draws. `energy_bound`: whether kernels need the initial energy.
    pub fn new(mechanism: &Mechanism, varied: &[Quantity], energy_bound: bool) -> Model {
        let mut pieces = Vec::new();
        let mut spans = Vec::new();
        let mut next = FIRST_LOAD_PARAMETER;
        let mut load_of_parameter = Vec::new();
        for (l, load) in mechanism.loads.iter().enumerate() {
            let arm = next;
            next += 3;
            load_of_parameter.extend([(l, None); 3]);
            for (p, piece) in load.pieces.iter().enumerate() {
                let timed = (piece.from > 0.0 || piece.until.is_finite()).then(|| {
                    spans.push(Span { from: piece.from, until: piece.until });
                    spans.len() - 1
                });
                pieces.push(Piece { kind: load.kind, axes: load.axes, arm, value: next, timed });
                next += 3;
                load_of_parameter.extend([(l, Some(p)); 3]);
            }
        }
        let has = |q: Quantity| varied.contains(&q);
        let body = &mechanism.body;
        let shifted = match (body.support, body.inertia_about) {
            (Support::Free, InertiaAbout::MassCentre) | (Support::FixedPoint, InertiaAbout::Origin) => false,
            (Support::Free, InertiaAbout::Origin) | (Support::FixedPoint, InertiaAbout::MassCentre) => true,
        };
        let off_diagonal = (0..3).any(|i| (0..3).any(|j| i != j && body.inertia[i][j] != 0.0));
        let centre_on_axis =
            !has(Quantity::CentreOfMass) && body.centre_of_mass.iter().filter(|c| **c != 0.0).count() <= 1;
        let axes_are_principal = !off_diagonal && (!shifted || centre_on_axis);
        let inertia =
            has(Quantity::Inertia) || shifted && (has(Quantity::Mass) || has(Quantity::CentreOfMass));
        let principal = inertia && !axes_are_principal;
        let mut varies = vec![false; next];
        let mut mark = |at: usize, width: usize, does: bool| varies[at..at + width].fill(does);
        mark(Parameter::INERTIA, 3, inertia);
        mark(Parameter::MASS, 1, has(Quantity::Mass));
        mark(Parameter::CENTRE, 3, has(Quantity::CentreOfMass) || principal);
        mark(Parameter::GRAVITY, 3, has(Quantity::Gravity));
        mark(Parameter::PRINCIPAL, 4, principal);
        mark(Parameter::ORIGIN, 3, has(Quantity::Position));
        // With a bound, every instance starts from an energy of its own.
        mark(Parameter::ENERGY, 2, energy_bound);
        for (i, &(l, piece)) in load_of_parameter.iter().enumerate() {
            let load = &mechanism.loads[l];
            let does = match piece {
                None => {
                    load.kind == LoadKind::Force
                        && (principal || body.support == Support::Free && has(Quantity::CentreOfMass))
                }
                Some(piece) => {
                    has(Quantity::LoadValue { load: l, piece }) || load.axes == Axes::Body && principal
                }
            };
            varies[FIRST_LOAD_PARAMETER + i] = does;
        }
        Model { mechanism: mechanism.clone(), pieces, spans, varies, axes_are_principal, energy_bound }
    }

    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.varies.len()
    }

    /// Is parameter `p` drawn per instance?
    pub fn varies(&self, p: usize) -> bool {
        self.varies[p]
    }

    /// When the loads that do not always act do so, in the order of load factors.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    pub fn fixed_point(&self) -> bool {
        self.mechanism.body.support == Support::FixedPoint
    }

    /// Name of parameter `p`, for kernels.
    pub fn parameter_name(&self, p: usize) -> String {
        let names = [
            "inertia_x",
            "inertia_y",
            "inertia_z",
            "mass",
            "centre_x",
            "centre_y",
            "centre_z",
            "gravity_x",
            "gravity_y",
            "gravity_z",
            "principal_0",
            "principal_1",
            "principal_2",
            "principal_3",
            "origin_x",
            "origin_y",
            "origin_z",
            "energy",
            "energy_scale",
        ];
        if let Some(name) = names.get(p) {
            return (*name).to_string();
        }
        let k = p - FIRST_LOAD_PARAMETER;
        format!("load_{}_{}", k / 3, ["x", "y", "z"][k % 3])
    }

    /// Parameters and initial state of the instance with these quantities. `parameters` has
    /// [`Model::parameters`] entries.
    pub fn resolve(&self, q: &Quantities, parameters: &mut [f64]) -> Result<Motion<f64>, NoBody> {
        let body = &self.mechanism.body;
        let c = q.centre_of_mass;
        let fixed = self.fixed_point();
        if !(q.mass > 0.0 && q.mass.is_finite()) {
            return Err(NoBody);
        }
        let about_reference = match (fixed, body.inertia_about) {
            (false, InertiaAbout::MassCentre) | (true, InertiaAbout::Origin) => q.inertia,
            (false, InertiaAbout::Origin) => principal::shift(q.inertia, -q.mass, c),
            (true, InertiaAbout::MassCentre) => principal::shift(q.inertia, q.mass, c),
        };
        let (inertia, principal) = if self.axes_are_principal {
            let i = about_reference;
            ([i[0][0], i[1][1], i[2][2]], [1.0, 0.0, 0.0, 0.0])
        } else {
            principal::axes(about_reference)
        };
        if !inertia.iter().all(|j| *j > 0.0 && j.is_finite()) {
            return Err(NoBody);
        }
        let to_principal = |v: [f64; 3]| to_body(principal, v);
        let attitude = product(q.attitude, principal);
        let w = to_principal(match body.initial.angular_velocity_axes {
            Axes::Body => q.angular_velocity,
            Axes::Space => to_body(q.attitude, q.angular_velocity),
        });
        let centre = to_principal(c);
        let rest = [0.0; 3];
        let start = Motion {
            q: attitude,
            w,
            r: if fixed { rest } else { add(q.position, to_space(attitude, centre)) },
            v: if fixed { rest } else { add(q.velocity, to_space(attitude, cross(w, centre))) },
        };
        let mut put = |at: usize, values: &[f64]| parameters[at..at + values.len()].copy_from_slice(values);
        put(Parameter::INERTIA, &inertia);
        put(Parameter::MASS, &[q.mass]);
        put(Parameter::CENTRE, &centre);
        put(Parameter::GRAVITY, &q.gravity);
        put(Parameter::PRINCIPAL, &principal);
        put(Parameter::ORIGIN, &q.position);
        let mut next = FIRST_LOAD_PARAMETER;
        for (load, values) in self.mechanism.loads.iter().zip(&q.loads) {
            let point = to_principal(load.point);
            put(next, &if fixed { point } else { add(point, scale(-1.0, centre)) });
            next += 3;
            for value in values {
                put(next, &if load.axes == Axes::Body { to_principal(*value) } else { *value });
                next += 3;
            }
        }
        let energy = self.energy(&|p| parameters[p]);
        let (kinetic, potential) = (energy.kinetic(&start), energy.potential(&start));
        parameters[Parameter::ENERGY] = kinetic + potential;
        parameters[Parameter::ENERGY_SCALE] = kinetic + potential.abs();
        let finite = parameters.iter().chain(&channels(&start)).all(|x| x.is_finite());
        if finite { Ok(start) } else { Err(NoBody) }
    }

    /// What the energy is made of, from an instance's parameters.
    pub fn energy<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Energy<R> {
        let mass = parameters(Parameter::MASS);
        let zero = mass.lift(0.0);
        let arm = if self.fixed_point() { vector(parameters, Parameter::CENTRE) } else { [zero; 3] };
        Energy {
            inertia: vector(parameters, Parameter::INERTIA),
            mass,
            weight: scale(mass, vector(parameters, Parameter::GRAVITY)),
            arm,
        }
    }

    /// All loads, the timed ones multiplied by `factors` (one per [span](Model::spans)): the share of an interval
    /// during which each acts.
    pub fn loads<R: Real>(
        &self,
        parameters: &impl Fn(usize) -> R,
        factors: &impl Fn(usize) -> R,
    ) -> Loads<R> {
        let mass = parameters(Parameter::MASS);
        let gravity = vector(parameters, Parameter::GRAVITY);
        let fixed = self.fixed_point();
        let mut sum = Loads::none(mass);
        if fixed {
            sum.couple(vector(parameters, Parameter::CENTRE), scale(mass, gravity));
        } else {
            sum.space_acceleration(gravity);
        }
        // What is no product first, then single products, then sums of products: see `cross_add`.
        let rank = |piece: &Piece| (piece.timed.is_some(), piece.kind == LoadKind::Force);
        let ranks = [(false, false), (false, true), (true, false), (true, true)];
        for piece in ranks.into_iter().flat_map(|r| self.pieces.iter().filter(move |p| rank(p) == r)) {
            let mut value = vector(parameters, piece.value);
            if let Some(timed) = piece.timed {
                value = scale(factors(timed), value);
            }
            let arm = vector(parameters, piece.arm);
            match (piece.kind, piece.axes) {
                (LoadKind::Torque, Axes::Body) => sum.body_moment(value),
                (LoadKind::Torque, Axes::Space) => sum.space_moment(value),
                (LoadKind::Force, Axes::Body) => sum.body_couple(arm, value),
                (LoadKind::Force, Axes::Space) => sum.couple(arm, value),
            }
            if piece.kind == LoadKind::Force && !fixed {
                let acceleration = scale(mass.lift(1.0) / mass, value);
                match piece.axes {
                    Axes::Body => sum.body_acceleration(acceleration),
                    Axes::Space => sum.space_acceleration(acceleration),
                }
            }
        }
        sum
    }

    /// What a method with this many samples of the loads sees. `factors`: of a sample and a timed load.
    pub fn system<R: Real>(
        &self,
        h: R,
        samples: usize,
        parameters: &impl Fn(usize) -> R,
        factors: &impl Fn(usize, usize) -> R,
    ) -> System<R> {
        let loads = (0..samples).map(|s| self.loads(parameters, &|f| factors(s, f))).collect();
        System::new(h, vector(parameters, Parameter::INERTIA), loads)
    }

    /// Whether the mass centre of every instance rests: a fixed point, or nothing that moves it.
    pub fn rests(&self, varied: &[Quantity]) -> bool {
        let m = &self.mechanism;
        let still = |v: [f64; 3], q: Quantity| v == [0.0; 3] && !varied.contains(&q);
        self.fixed_point()
            || still(m.body.initial.velocity, Quantity::Velocity)
                && still(m.body.centre_of_mass, Quantity::CentreOfMass)
                && still(m.gravity, Quantity::Gravity)
                && m.loads.iter().all(|load| load.kind == LoadKind::Torque)
    }

    /// Whether kernels compare the energy with its start.
    pub fn energy_bound(&self) -> bool {
        self.energy_bound
    }
}

fn vector<R: Copy>(parameters: &impl Fn(usize) -> R, at: usize) -> [R; 3] {
    [parameters(at), parameters(at + 1), parameters(at + 2)]
}

/// Quaternion of the user's body axes from that of the principal axes.
pub fn body_attitude<R: Real>(attitude: [R; 4], principal: [R; 4]) -> [R; 4] {
    product(attitude, inverse(principal))
}
