//! From a description to what a machine runs: principal axes, parameter layout, initial state.
//!
//! A [`Model`] is the structure that all instances share. Numbers are per instance: [`Model::resolve`] turns the
//! quantities of one instance, as the user thinks of them, into the [`parameters`](Parameter) and the initial state
//! of the engine, in f64. A parameter that no varied quantity touches is a constant of the whole ensemble, and is
//! folded into the GPU kernel as a literal.

pub mod assemble;
pub mod body;
pub mod bushing;
pub mod contact;
pub mod drag;
pub mod function;
pub mod generator;
pub mod joint;
pub mod joint_spring;
pub mod lock;
pub mod memory;
mod principal;
pub mod row;
pub mod side;
pub mod spring;
pub mod system;

use crate::describe::numbers::{self, Element, Number};
use crate::describe::{
    Axes, ContactKind, Coordinate, Expression, InertiaAbout, LoadKind, Mechanism, Point, Prescribed,
    Quantity, Support,
};
use crate::ensemble::quantities::{BodyQuantities, Quantities};
use crate::math::quaternion::{inverse, product, to_body, to_space};
use crate::math::vector::{add, cross, scale, sub, times};
use crate::methods::Sample;
use crate::real::Real;
use crate::treatments::AnyTreatment;
use assemble::{CannotAssemble, Change, assemble};
use body::{Energy, Loads, Motion};
use bushing::Bushing;
use contact::Contact;
use drag::Drag;
use generator::Generator;
use joint::Joint;
use joint_spring::{JointSpring, Stop};
use lock::Lock;
use memory::Memory;
use side::Side;
use spring::Spring;
use system::{BodyConstants, Held, Parts, System, Timing, TotalEnergy};

/// The parameters of a body, by position in its block. See [`Model::of_body`].
pub struct Parameter;

impl Parameter {
    /// Principal moments of inertia, 3 (kg m²).
    pub const INERTIA: usize = 0;
    /// Mass (kg).
    pub const MASS: usize = 3;
    /// From the body's origin to the mass centre, principal axes, 3 (m).
    pub const CENTRE: usize = 4;
    /// Quaternion that maps principal axes to the user's body axes, 4.
    pub const PRINCIPAL: usize = 7;
    /// Position of the body's origin at t = 0, space axes, 3 (m).
    pub const ORIGIN: usize = 11;
    /// Number of parameters of a body.
    pub const BLOCK: usize = 14;
}

/// Names of a body's parameters, for kernels.
const PARAMETER_NAMES: [&str; Parameter::BLOCK] = [
    "inertia_x",
    "inertia_y",
    "inertia_z",
    "mass",
    "centre_x",
    "centre_y",
    "centre_z",
    "principal_0",
    "principal_1",
    "principal_2",
    "principal_3",
    "origin_x",
    "origin_y",
    "origin_z",
];

/// Parameters of a side of a joint, force or contact: the arm (3), then the frame's x, y, z (9).
const SIDE: usize = 12;

/// State channels of a motion, in order.
pub const CHANNELS: [&str; 13] =
    ["q0", "q1", "q2", "q3", "wx", "wy", "wz", "rx", "ry", "rz", "vx", "vy", "vz"];

/// Number of state channels of a motion.
pub const WIDTH: usize = CHANNELS.len();

/// The state channels before position and velocity of the mass centre.
pub const AT_REST: usize = 7;

/// Names of the state channels of so many bodies: those of one stand alone, those of several are numbered.
pub fn channel_names(bodies: usize) -> Vec<String> {
    if bodies == 1 {
        return CHANNELS.iter().map(|name| name.to_string()).collect();
    }
    (0..bodies).flat_map(|b| CHANNELS.iter().map(move |name| format!("b{b}_{name}"))).collect()
}

/// The state channels as a list, in the order of [`CHANNELS`].
pub fn channels<R: Copy>(m: &Motion<R>) -> [R; WIDTH] {
    let Motion { q, w, r, v } = *m;
    [q[0], q[1], q[2], q[3], w[0], w[1], w[2], r[0], r[1], r[2], v[0], v[1], v[2]]
}

/// Those of several bodies, one after another.
pub fn all_channels<R: Copy>(motions: &[Motion<R>]) -> Vec<R> {
    motions.iter().flat_map(channels).collect()
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

/// The motions whose channels these are.
pub fn motions<R: Copy>(c: &[R]) -> Vec<Motion<R>> {
    c.chunks_exact(WIDTH).map(motion).collect()
}

/// A quantity that an ensemble draws, and the body it belongs to.
pub type Varied = (usize, Quantity);

/// One constant piece of one load.
#[derive(Clone, Debug)]
struct Piece {
    body: usize,
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
    treatment: AnyTreatment,
    pieces: Vec<Piece>,
    spans: Vec<Span>,
    /// For every parameter: is it drawn per instance?
    varies: Vec<bool>,
    /// By body: no rotation to principal axes for any instance, the user's axes are principal.
    axes_are_principal: Vec<bool>,
    energy_bound: bool,
    numbers: Vec<Number>,
    memory: Vec<Memory>,
    first: Blocks,
}

/// Where blocks of parameters begin.
#[derive(Clone, Copy, Debug)]
struct Blocks {
    /// Gravity, space axes, 3 (m/s²).
    gravity: usize,
    /// Energy at t = 0, and `T + |V|` then (J), for the energy bound.
    energy: usize,
    loads: usize,
    /// Per joint, spring and bushing two sides; per contact and generator one.
    joints: usize,
    springs: usize,
    bushings: usize,
    contacts: usize,
    generators: usize,
    /// The numbers of joints, forces and locks: [`Mechanism::numbers`].
    numbers: usize,
}

/// Why the drawn quantities of an instance describe no mechanism.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoMechanism {
    /// A mass, a moment of inertia or another number is none that a body can have.
    NoBody,
    /// The joints contradict each other or the start.
    NotAssembled(CannotAssemble),
}

impl Model {
    /// What is wrong with an instance, in words.
    pub fn explain(mechanism: &Mechanism, wrong: NoMechanism) -> String {
        match wrong {
            NoMechanism::NoBody => {
                "the mechanism's nominal values describe no body: mass and principal moments must be positive"
                    .to_string()
            }
            NoMechanism::NotAssembled(CannotAssemble { row, violation }) => format!(
                "the mechanism cannot be assembled: its {} is off by {violation:.3e} (m, or the cosine of an \
                 angle) however the bodies are moved; check points, axes and lengths",
                owner_of(mechanism, row)
            ),
        }
    }
}

impl Model {
    /// `varied`: the quantities that the ensemble draws. `energy_bound`: whether kernels need the initial energy.
    pub fn new(
        mechanism: &Mechanism,
        treatment: AnyTreatment,
        varied: &[Varied],
        energy_bound: bool,
    ) -> Model {
        let bodies = mechanism.bodies.len();
        let gravity = bodies * Parameter::BLOCK;
        let energy = gravity + 3;
        let loads = energy + 2;
        let mut pieces = Vec::new();
        let mut spans = Vec::new();
        let mut next = loads;
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
                pieces.push(Piece {
                    body: load.body,
                    kind: load.kind,
                    axes: load.axes,
                    arm,
                    value: next,
                    timed,
                });
                next += 3;
                load_of_parameter.extend([(l, Some(p)); 3]);
            }
        }
        let joints = next;
        let springs = joints + 2 * SIDE * mechanism.joints.len();
        let bushings = springs + 2 * SIDE * mechanism.springs.len();
        let contacts = bushings + 2 * SIDE * mechanism.bushings.len();
        let generators = contacts + SIDE * mechanism.contacts.len();
        let numbers = generators + SIDE * mechanism.generators.len();
        let described = mechanism.numbers();
        let count = numbers + described.len();
        let first =
            Blocks { gravity, energy, loads, joints, springs, bushings, contacts, generators, numbers };

        let mut varies = vec![false; count];
        let mut axes_are_principal = Vec::new();
        // By body: whether its principal axes, and whether its mass centre in them, differ between instances.
        let (mut turned, mut shifted_centre) = (Vec::new(), Vec::new());
        for (b, body) in mechanism.bodies.iter().enumerate() {
            let has = |q: Quantity| varied.contains(&(b, q));
            let shifted =
                match (body.support, body.inertia_about) {
                    (Support::Free, InertiaAbout::MassCentre)
                    | (Support::FixedPoint, InertiaAbout::Origin) => false,
                    (Support::Free, InertiaAbout::Origin)
                    | (Support::FixedPoint, InertiaAbout::MassCentre) => true,
                };
            let off_diagonal = (0..3).any(|i| (0..3).any(|j| i != j && body.inertia[i][j] != 0.0));
            let centre_on_axis = !has(Quantity::CentreOfMass)
                && body.centre_of_mass.iter().filter(|c| **c != 0.0).count() <= 1;
            let are_principal = !off_diagonal && (!shifted || centre_on_axis);
            let inertia =
                has(Quantity::Inertia) || shifted && (has(Quantity::Mass) || has(Quantity::CentreOfMass));
            let principal = inertia && !are_principal;
            let mut mark = |at: usize, width: usize, does: bool| {
                varies[b * Parameter::BLOCK + at..][..width].fill(does);
            };
            mark(Parameter::INERTIA, 3, inertia);
            mark(Parameter::MASS, 1, has(Quantity::Mass));
            mark(Parameter::CENTRE, 3, has(Quantity::CentreOfMass) || principal);
            mark(Parameter::PRINCIPAL, 4, principal);
            mark(Parameter::ORIGIN, 3, has(Quantity::Position));
            axes_are_principal.push(are_principal);
            turned.push(principal);
            shifted_centre.push(body.support == Support::Free && has(Quantity::CentreOfMass));
        }
        let has = |q: Quantity| varied.iter().any(|(_, varied)| *varied == q);
        varies[gravity..gravity + 3].fill(has(Quantity::Gravity));
        // With a bound, every instance starts from an energy of its own.
        varies[energy..energy + 2].fill(energy_bound);
        for (i, &(l, piece)) in load_of_parameter.iter().enumerate() {
            let load = &mechanism.loads[l];
            varies[loads + i] = match piece {
                None => load.kind == LoadKind::Force && (turned[load.body] || shifted_centre[load.body]),
                Some(piece) => {
                    has(Quantity::LoadValue { load: l, piece })
                        || load.axes == Axes::Body && turned[load.body]
                }
            };
        }
        let mut mark_side = |at: usize, point: &Point| {
            let Some(b) = point.body else { return };
            varies[at..at + 3].fill(turned[b] || shifted_centre[b]);
            varies[at + 3..at + SIDE].fill(turned[b]);
        };
        for (at, point, _) in sides(mechanism, &first) {
            mark_side(at, &point);
        }
        for number in 0..described.len() {
            varies[numbers + number] = has(Quantity::Number(number));
        }
        Model {
            mechanism: mechanism.clone(),
            treatment,
            pieces,
            spans,
            varies,
            axes_are_principal,
            energy_bound,
            numbers: described,
            memory: memory_of(mechanism),
            first,
        }
    }

    /// The same model that also remembers the work of the loads, and the angles of these joints.
    pub fn watching(mut self, work: bool, angles: impl IntoIterator<Item = usize>) -> Model {
        for joint in angles {
            if self.remembered(Memory::Angle(joint)).is_none() {
                self.memory.push(Memory::Angle(joint));
            }
        }
        if work {
            self.memory.push(Memory::Work);
        }
        self
    }

    /// What an instance remembers besides its motion: the state channels after the motions.
    pub fn memory(&self) -> &[Memory] {
        &self.memory
    }

    /// Where it is among what is remembered.
    pub fn remembered(&self, item: Memory) -> Option<usize> {
        self.memory.iter().position(|other| *other == item)
    }

    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    pub fn bodies(&self) -> usize {
        self.mechanism.bodies.len()
    }

    /// Number of constraint rows.
    pub fn rows(&self) -> usize {
        let joints: usize = self.mechanism.joints.iter().map(|joint| Joint::<f64>::rows(joint.kind)).sum();
        let contacts: usize =
            self.mechanism.contacts.iter().map(|contact| Contact::<f64>::rows(&contact.kind)).sum();
        let generators: usize =
            self.mechanism.generators.iter().map(|generator| generator.motion.rows()).sum();
        joints + generators + contacts + self.mechanism.locks.len()
    }

    /// Number of constraint rows whose multipliers a method must carry.
    pub fn carried_rows(&self) -> usize {
        if self.treatment.card().carries { self.rows() } else { 0 }
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.varies.len()
    }

    /// Is parameter `p` drawn per instance?
    pub fn varies(&self, p: usize) -> bool {
        self.varies[p]
    }

    /// Position of a [`Parameter`] of body `b`.
    pub fn of_body(&self, b: usize, parameter: usize) -> usize {
        b * Parameter::BLOCK + parameter
    }

    /// Position of the energy at t = 0; `T + |V|` follows.
    pub fn start_energy(&self) -> usize {
        self.first.energy
    }

    /// When the loads that do not always act do so, in the order of load factors.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    pub fn fixed_point(&self, b: usize) -> bool {
        self.mechanism.bodies[b].support == Support::FixedPoint
    }

    /// Name of parameter `p`, for kernels.
    pub fn parameter_name(&self, p: usize) -> String {
        if p < self.first.gravity {
            let name = PARAMETER_NAMES[p % Parameter::BLOCK];
            return if self.bodies() == 1 {
                name.to_string()
            } else {
                format!("b{}_{name}", p / Parameter::BLOCK)
            };
        }
        let blocks = [
            ("gravity", self.first.gravity),
            ("energy", self.first.energy),
            ("load", self.first.loads),
            ("joint", self.first.joints),
            ("spring", self.first.springs),
            ("bushing", self.first.bushings),
            ("contact", self.first.contacts),
            ("generator", self.first.generators),
            ("number", self.first.numbers),
        ];
        let (name, first) = blocks.into_iter().rev().find(|(_, first)| *first <= p).unwrap_or(blocks[0]);
        format!("{name}_{}", p - first)
    }

    /// Parameters and initial states of the instance with these quantities, all joints made to hold. `parameters` has
    /// [`Model::parameters`] entries.
    pub fn resolve(&self, q: &Quantities, parameters: &mut [f64]) -> Result<Vec<Motion<f64>>, NoMechanism> {
        let mut start = self.place(q, parameters)?;
        if self.rows() > 0 {
            self.assembled(&mut start, &|p| parameters[p]).map_err(NoMechanism::NotAssembled)?;
        }
        let memory = self.start_memory(&start, &|p| parameters[p]);
        let energy = self.energy(&|p| parameters[p], &memory);
        let (kinetic, potential) = (energy.kinetic(&start), energy.potential(&start));
        parameters[self.first.energy] = kinetic + potential;
        parameters[self.first.energy + 1] = kinetic + potential.abs();
        // A stop may be open at one end, a lock may never let go.
        let may_be_infinite = |p: usize| {
            let number = p.checked_sub(self.first.numbers).map(|k| &self.numbers[k]);
            number.is_some_and(|number| matches!(number.element, Element::Stop | Element::Lock))
        };
        let finite = parameters.iter().enumerate().all(|(p, x)| x.is_finite() || may_be_infinite(p))
            && all_channels(&start).iter().all(|x| x.is_finite());
        if finite { Ok(start) } else { Err(NoMechanism::NoBody) }
    }

    /// The bodies where these quantities put them, and all parameters but the energy at the start.
    pub fn place(&self, q: &Quantities, parameters: &mut [f64]) -> Result<Vec<Motion<f64>>, NoMechanism> {
        let mut start = Vec::with_capacity(self.bodies());
        let mut resolved = Vec::with_capacity(self.bodies());
        for (b, of_body) in q.placed(&self.mechanism).iter().enumerate() {
            let (body, motion) = self.resolve_body(b, of_body)?;
            let mut put = |at: usize, values: &[f64]| {
                parameters[self.of_body(b, at)..][..values.len()].copy_from_slice(values);
            };
            put(Parameter::INERTIA, &body.inertia);
            put(Parameter::MASS, &[of_body.mass]);
            put(Parameter::CENTRE, &body.centre);
            put(Parameter::PRINCIPAL, &body.principal);
            put(Parameter::ORIGIN, &of_body.position);
            start.push(motion);
            resolved.push(body);
        }
        let mut put = |at: usize, values: &[f64]| parameters[at..at + values.len()].copy_from_slice(values);
        put(self.first.gravity, &q.gravity);
        let mut next = self.first.loads;
        for (load, values) in self.mechanism.loads.iter().zip(&q.loads) {
            let body = &resolved[load.body];
            put(next, &body.arm(load.point));
            next += 3;
            for value in values {
                put(next, &if load.axes == Axes::Body { to_body(body.principal, *value) } else { *value });
                next += 3;
            }
        }
        let arm = |point: &Point| point.body.map_or(point.at, |b| resolved[b].arm(point.at));
        let turn = |point: &Point, v: [f64; 3]| point.body.map_or(v, |b| to_body(resolved[b].principal, v));
        for (at, point, frame) in sides(&self.mechanism, &self.first) {
            put(at, &arm(&point));
            for (axis, vector) in frame.iter().enumerate() {
                put(at + 3 + 3 * axis, &turn(&point, *vector));
            }
        }
        put(self.first.numbers, &q.numbers);
        Ok(start)
    }

    /// Moves a start so that all joints hold; says by how much.
    pub fn assembled(
        &self,
        start: &mut [Motion<f64>],
        parameters: &impl Fn(usize) -> f64,
    ) -> Result<Change, CannotAssemble> {
        let held = self.held(parameters, &[], &self.first_turns(parameters));
        let zero = 0.0;
        assemble(&|motions| held.rows_without_locks(motions, zero), &self.body_constants(parameters), start)
    }

    fn body_constants<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<BodyConstants<R>> {
        let of = |b| BodyConstants {
            inertia: vector(parameters, self.of_body(b, Parameter::INERTIA)),
            mass: parameters(self.of_body(b, Parameter::MASS)),
            moves: !self.fixed_point(b),
        };
        (0..self.bodies()).map(of).collect()
    }

    /// How many of the joints' rows are independent at `motions`.
    pub fn rank(&self, motions: &[Motion<f64>], parameters: &impl Fn(usize) -> f64) -> usize {
        let held = self.held(parameters, &[], &self.first_turns(parameters));
        assemble::rank(&held.rows_without_locks(motions, 0.0), &self.body_constants(parameters))
    }

    fn resolve_body(&self, b: usize, q: &BodyQuantities) -> Result<(Resolved, Motion<f64>), NoMechanism> {
        let body = &self.mechanism.bodies[b];
        let c = q.centre_of_mass;
        let fixed = self.fixed_point(b);
        if !(q.mass > 0.0 && q.mass.is_finite()) {
            return Err(NoMechanism::NoBody);
        }
        let about_reference = match (fixed, body.inertia_about) {
            (false, InertiaAbout::MassCentre) | (true, InertiaAbout::Origin) => q.inertia,
            (false, InertiaAbout::Origin) => principal::shift(q.inertia, -q.mass, c),
            (true, InertiaAbout::MassCentre) => principal::shift(q.inertia, q.mass, c),
        };
        let (inertia, principal) = if self.axes_are_principal[b] {
            let i = about_reference;
            ([i[0][0], i[1][1], i[2][2]], [1.0, 0.0, 0.0, 0.0])
        } else {
            principal::axes(about_reference)
        };
        if !inertia.iter().all(|j| *j > 0.0 && j.is_finite()) {
            return Err(NoMechanism::NoBody);
        }
        let attitude = product(q.attitude, principal);
        let w = to_body(
            principal,
            match body.initial.angular_velocity_axes {
                Axes::Body => q.angular_velocity,
                Axes::Space => to_body(q.attitude, q.angular_velocity),
            },
        );
        let centre = to_body(principal, c);
        let rest = [0.0; 3];
        let motion = Motion {
            q: attitude,
            w,
            r: if fixed { rest } else { add(q.position, to_space(attitude, centre)) },
            v: if fixed { rest } else { add(q.velocity, to_space(attitude, cross(w, centre))) },
        };
        Ok((Resolved { inertia, principal, centre, fixed }, motion))
    }

    /// What the energy is made of, from an instance's parameters and what it remembers.
    pub fn energy<R: Real>(&self, parameters: &impl Fn(usize) -> R, memory: &[R]) -> TotalEnergy<R> {
        let gravity = vector(parameters, self.first.gravity);
        let bodies = (0..self.bodies()).map(|b| {
            let mass = parameters(self.of_body(b, Parameter::MASS));
            let zero = mass.lift(0.0);
            Energy {
                inertia: vector(parameters, self.of_body(b, Parameter::INERTIA)),
                mass,
                weight: scale(mass, gravity),
                arm: if self.fixed_point(b) {
                    vector(parameters, self.of_body(b, Parameter::CENTRE))
                } else {
                    [zero; 3]
                },
            }
        });
        TotalEnergy {
            bodies: bodies.collect(),
            springs: self.springs(parameters),
            joint_springs: self.joint_springs(parameters),
            stops: self.stops(parameters),
            bushings: self.bushings(parameters),
            joints: self.joints(parameters),
            angles: self.angles(memory),
        }
    }

    /// The loads on every body, the timed ones multiplied by `factors` (one per [span](Model::spans)): the share of an
    /// interval during which each acts.
    fn loads<R: Real>(
        &self,
        parameters: &impl Fn(usize) -> R,
        factors: &impl Fn(usize) -> R,
        t: R,
    ) -> Vec<Loads<R>> {
        (0..self.bodies()).map(|b| self.loads_on(b, parameters, factors, t)).collect()
    }

    fn loads_on<R: Real>(
        &self,
        b: usize,
        parameters: &impl Fn(usize) -> R,
        factors: &impl Fn(usize) -> R,
        t: R,
    ) -> Loads<R> {
        let mass = parameters(self.of_body(b, Parameter::MASS));
        let gravity = vector(parameters, self.first.gravity);
        let fixed = self.fixed_point(b);
        let mut sum = Loads::none(mass);
        if fixed {
            sum.couple(vector(parameters, self.of_body(b, Parameter::CENTRE)), scale(mass, gravity));
        } else {
            sum.space_acceleration(gravity);
        }
        let mut apply = |kind: LoadKind, axes: Axes, arm: [R; 3], value: [R; 3]| {
            match (kind, axes) {
                (LoadKind::Torque, Axes::Body) => sum.body_moment(value),
                (LoadKind::Torque, Axes::Space) => sum.space_moment(value),
                (LoadKind::Force, Axes::Body) => sum.body_couple(arm, value),
                (LoadKind::Force, Axes::Space) => sum.couple(arm, value),
            }
            if kind == LoadKind::Force && !fixed {
                let acceleration = scale(mass.lift(1.0) / mass, value);
                match axes {
                    Axes::Body => sum.body_acceleration(acceleration),
                    Axes::Space => sum.space_acceleration(acceleration),
                }
            }
        };
        // What is no product first, then single products, then sums of products: see `cross_add`.
        let rank = |piece: &Piece| (piece.timed.is_some(), piece.kind == LoadKind::Force);
        let ranks = [(false, false), (false, true), (true, false), (true, true)];
        let pieces = || self.pieces.iter().filter(|piece| piece.body == b);
        for piece in ranks.into_iter().flat_map(|r| pieces().filter(move |p| rank(p) == r)) {
            let mut value = vector(parameters, piece.value);
            if let Some(timed) = piece.timed {
                value = scale(factors(timed), value);
            }
            apply(piece.kind, piece.axes, vector(parameters, piece.arm), value);
        }
        let constants = self.constants(parameters);
        let mut arm = self.first.loads;
        for load in &self.mechanism.loads {
            if let (Some(function), true) = (&load.function, load.body == b) {
                let value = std::array::from_fn(|k| function::value(&function[k], t, &constants));
                // A function is written in the user's body axes.
                let value = if load.axes == Axes::Body && !self.axes_are_principal[b] {
                    to_body(self.principal(b, parameters), value)
                } else {
                    value
                };
                apply(load.kind, load.axes, vector(parameters, arm), value);
            }
            arm += 3 + 3 * load.pieces.len();
        }
        sum
    }

    /// Quaternion that maps principal axes to the user's, of body `b`.
    fn principal<R: Real>(&self, b: usize, parameters: &impl Fn(usize) -> R) -> [R; 4] {
        std::array::from_fn(|k| parameters(self.of_body(b, Parameter::PRINCIPAL) + k))
    }

    /// What expressions call by name.
    fn constants<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<R> {
        // Constants are the first of all numbers.
        (0..self.mechanism.constants.len()).map(|k| parameters(self.first.numbers + k)).collect()
    }

    fn side<R: Real>(&self, at: usize, point: &Point, parameters: &impl Fn(usize) -> R) -> Side<R> {
        let arm = vector(parameters, at);
        let moves = point.body.is_some_and(|b| !self.fixed_point(b));
        Side {
            body: point.body,
            arm,
            origin: match point.body {
                Some(b) if !moves => vector(parameters, self.of_body(b, Parameter::ORIGIN)),
                _ => [arm[0].lift(0.0); 3],
            },
            frame: [3, 6, 9].map(|k| vector(parameters, at + k)),
            moves,
        }
    }

    /// The `part`-th number of an element; 0 of an element that has none.
    fn number<R: Real>(
        &self,
        element: Element,
        index: usize,
        part: usize,
        parameters: &impl Fn(usize) -> R,
    ) -> R {
        match numbers::position(&self.numbers, element, index) {
            Some(first) => parameters(self.first.numbers + first + part),
            None => parameters(0).lift(0.0),
        }
    }

    /// The joints of an instance.
    pub fn joints<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<Joint<R>> {
        let of = |(k, joint): (usize, &crate::describe::Joint)| {
            let at = self.first.joints + 2 * k * SIDE;
            let sides = [0, 1].map(|s| self.side(at + s * SIDE, &joint.points[s], parameters));
            Joint { kind: joint.kind, sides, length: self.number(Element::Joint, k, 0, parameters) }
        };
        self.mechanism.joints.iter().enumerate().map(of).collect()
    }

    fn springs<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<Spring<R>> {
        let of = |(k, spring): (usize, &crate::describe::Spring)| {
            let at = self.first.springs + 2 * k * SIDE;
            let number = |part| self.number(Element::Spring, k, part, parameters);
            Spring {
                sides: [0, 1].map(|s| self.side(at + s * SIDE, &spring.points[s], parameters)),
                stiffness: number(0),
                damping: number(1),
                free_length: number(2),
                actuator: number(3),
            }
        };
        self.mechanism.springs.iter().enumerate().map(of).collect()
    }

    fn joint_springs<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<JointSpring<R>> {
        let of = |(k, spring): (usize, &crate::describe::JointSpring)| {
            let number = |part| self.number(Element::JointSpring, k, part, parameters);
            JointSpring {
                of: spring.of,
                stiffness: number(0),
                damping: number(1),
                rest: number(2),
                actuator: spring.actuator.clone(),
            }
        };
        self.mechanism.joint_springs.iter().enumerate().map(of).collect()
    }

    fn stops<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<Stop<R>> {
        let of = |(k, stop): (usize, &crate::describe::Stop)| {
            let number = |part| self.number(Element::Stop, k, part, parameters);
            Stop {
                of: stop.of,
                low: stop.low.is_finite().then(|| number(0)),
                high: stop.high.is_finite().then(|| number(1)),
                stiffness: number(2),
                damping: number(3),
            }
        };
        self.mechanism.stops.iter().enumerate().map(of).collect()
    }

    fn bushings<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<Bushing<R>> {
        let of = |(k, bushing): (usize, &crate::describe::Bushing)| {
            let at = self.first.bushings + 2 * k * SIDE;
            let numbers =
                |part: usize| [0, 1, 2].map(|i| self.number(Element::Bushing, k, part + i, parameters));
            Bushing {
                sides: [0, 1].map(|s| self.side(at + s * SIDE, &bushing.points[s], parameters)),
                stiffness: numbers(0),
                damping: numbers(3),
                torsional_stiffness: numbers(6),
                torsional_damping: numbers(9),
            }
        };
        self.mechanism.bushings.iter().enumerate().map(of).collect()
    }

    fn drags<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<Drag<R>> {
        let of = |(k, drag): (usize, &crate::describe::Drag)| {
            let number = |part| self.number(Element::Drag, k, part, parameters);
            let centre = || vector(parameters, self.of_body(drag.body, Parameter::CENTRE));
            Drag {
                body: drag.body,
                linear: number(0),
                quadratic: number(1),
                angular_linear: number(2),
                angular_quadratic: number(3),
                arm: self.fixed_point(drag.body).then(centre),
            }
        };
        self.mechanism.drags.iter().enumerate().map(of).collect()
    }

    /// What holds the bodies. `memory`: what is remembered, or nothing where no lock is asked; `angles`: near which turns
    /// joints are.
    fn held<R: Real>(&self, parameters: &impl Fn(usize) -> R, memory: &[R], angles: &[Option<R>]) -> Held<R> {
        let generators = self.mechanism.generators.iter().enumerate().map(|(k, generator)| {
            let side = |point: &Point| self.side(self.first.generators + k * SIDE, point, parameters);
            match &generator.motion {
                Prescribed::Coordinate { of, value } => {
                    Generator::Coordinate { of: *of, value: value.clone() }
                }
                Prescribed::Position { point, value } => {
                    Generator::Position { side: side(point), value: value.clone() }
                }
                Prescribed::Velocity { point, value } => {
                    Generator::Velocity { side: side(point), value: value.clone() }
                }
            }
        });
        let contacts = self.mechanism.contacts.iter().enumerate().map(|(k, contact)| Contact {
            side: self.side(self.first.contacts + k * SIDE, &contact.point, parameters),
            kind: contact.kind.clone(),
        });
        let locks = self.mechanism.locks.iter().enumerate().map(|(k, lock)| {
            let at = self.number(Element::Lock, k, 0, parameters);
            let flag = self.remembered(Memory::Flag(k)).and_then(|place| memory.get(place));
            Lock {
                of: lock.of,
                at,
                release: self.releases(k).then(|| self.number(Element::Lock, k, 1, parameters)),
                flag: flag.copied().unwrap_or(at.lift(0.0)),
            }
        });
        Held {
            joints: self.joints(parameters),
            generators: generators.collect(),
            contacts: contacts.collect(),
            locks: locks.collect(),
            constants: self.constants(parameters),
            angles: angles.to_vec(),
        }
    }

    /// Whether a lock can let go.
    fn releases(&self, lock: usize) -> bool {
        let varies = numbers::position(&self.numbers, Element::Lock, lock)
            .is_some_and(|first| self.varies[self.first.numbers + first + 1]);
        varies || self.mechanism.locks[lock].release.is_finite()
    }

    /// By joint, its remembered angle, near which it is now.
    fn angles<R: Real>(&self, memory: &[R]) -> Vec<Option<R>> {
        let of = |joint| self.remembered(Memory::Angle(joint)).and_then(|at| memory.get(at)).copied();
        (0..self.mechanism.joints.len()).map(of).collect()
    }

    /// By joint, near which turn its angle is at the start: as it is given, else as it is driven; `None`: within half a turn.
    fn first_turns<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<Option<R>> {
        let of = |(k, joint): (usize, &crate::describe::Joint)| {
            let given =
                joint.initial.is_some() && joint.kind.coordinates().first() == Some(&Coordinate::Angle);
            if given {
                return Some(self.number(Element::Joint, k, 0, parameters));
            }
            self.mechanism.generators.iter().find_map(|generator| match &generator.motion {
                Prescribed::Coordinate { of, value }
                    if of.joint == k && of.coordinate == Coordinate::Angle =>
                {
                    let zero = parameters(0).lift(0.0);
                    Some(function::value(value, zero, &self.constants(parameters)))
                }
                _ => None,
            })
        };
        self.mechanism.joints.iter().enumerate().map(of).collect()
    }

    /// What a method that looks at these samples sees. `clock`: the number of the step, of which only a model that
    /// remembers it takes notice; `memory`: what is remembered at the step's start; `factors`: of a sample and a timed load.
    pub fn system<R: Real>(
        &self,
        h: R,
        samples: &[Sample],
        parameters: &impl Fn(usize) -> R,
        memory: &[R],
        factors: &impl Fn(usize, usize) -> R,
    ) -> System<R> {
        let clock = self.remembered(Memory::Clock).map_or(h.lift(0.0), |at| memory[at]);
        let timing = Timing { h, clock, samples: samples.to_vec() };
        let loads = samples
            .iter()
            .enumerate()
            .map(|(s, sample)| self.loads(parameters, &|f| factors(s, f), timing.time(sample.at)))
            .collect();
        let parts = Parts {
            bodies: self.body_constants(parameters),
            held: self.held(parameters, memory, &self.angles(memory)),
            springs: self.springs(parameters),
            joint_springs: self.joint_springs(parameters),
            stops: self.stops(parameters),
            bushings: self.bushings(parameters),
            drags: self.drags(parameters),
            treatment: self.treatment.clone(),
        };
        System::new(timing, parts, loads)
    }

    /// What the joints' channels need of an instance at one instant.
    pub fn held_now<R: Real>(&self, parameters: &impl Fn(usize) -> R, memory: &[R]) -> Held<R> {
        self.held(parameters, memory, &self.angles(memory))
    }

    /// For every state channel of the motions, whether it changes: position and velocity of a mass centre rest with a
    /// fixed point, or where nothing moves them in any instance.
    pub fn moving(&self, varied: &[Varied]) -> Vec<bool> {
        (0..self.bodies())
            .flat_map(|b| {
                let rests = self.rests(b, varied);
                (0..WIDTH).map(move |c| c < AT_REST || !rests)
            })
            .chain(self.memory.iter().map(|_| true))
            .collect()
    }

    fn rests(&self, b: usize, varied: &[Varied]) -> bool {
        let m = &self.mechanism;
        let body = &m.bodies[b];
        let held = |points: &[Point; 2]| points.iter().any(|point| point.body == Some(b));
        let has = |q: Quantity| varied.contains(&(b, q));
        let weightless =
            m.gravity == [0.0; 3] && !varied.iter().any(|(_, quantity)| *quantity == Quantity::Gravity);
        let still = |v: [f64; 3], q: Quantity| v == [0.0; 3] && !has(q);
        self.fixed_point(b)
            || still(body.initial.velocity, Quantity::Velocity)
                && still(body.centre_of_mass, Quantity::CentreOfMass)
                && weightless
                && !m.joints.iter().any(|joint| held(&joint.points))
                && !m.springs.iter().any(|spring| held(&spring.points))
                && !m.bushings.iter().any(|bushing| held(&bushing.points))
                && !m.contacts.iter().any(|contact| contact.point.body == Some(b))
                && !m.generators.iter().any(|generator| generator.motion.body() == Some(b))
                && m.loads.iter().filter(|load| load.body == b).all(|load| load.kind == LoadKind::Torque)
    }

    /// No rotation to principal axes for any instance: the user's axes of body `b` are principal.
    pub fn axes_are_principal(&self, b: usize) -> bool {
        self.axes_are_principal[b]
    }

    /// Angular momentum, space axes (kg m²/s): of a single body about its mass centre or fixed point, else of all bodies
    /// about the space origin.
    pub fn angular_momentum<R: Real>(
        &self,
        motions: &[Motion<R>],
        parameters: &impl Fn(usize) -> R,
    ) -> [R; 3] {
        let spin = |b: usize| {
            let inertia = vector(parameters, self.of_body(b, Parameter::INERTIA));
            to_space(motions[b].q, times(inertia, motions[b].w))
        };
        if self.bodies() == 1 {
            return spin(0);
        }
        let mut sum = [motions[0].q[0].lift(0.0); 3];
        for (b, motion) in motions.iter().enumerate() {
            let mass = parameters(self.of_body(b, Parameter::MASS));
            let (from, velocity) = if self.fixed_point(b) {
                let centre = vector(parameters, self.of_body(b, Parameter::CENTRE));
                let origin = vector(parameters, self.of_body(b, Parameter::ORIGIN));
                (origin, to_space(motion.q, cross(motion.w, centre)))
            } else {
                (motion.r, motion.v)
            };
            sum = add(sum, add(spin(b), cross(from, scale(mass, velocity))));
        }
        sum
    }

    /// Whether kernels compare the energy with its start.
    pub fn energy_bound(&self) -> bool {
        self.energy_bound
    }
}

/// What a row belongs to, in words.
fn owner_of(mechanism: &Mechanism, row: usize) -> String {
    let joints = mechanism
        .joints
        .iter()
        .map(|joint| (format!("joint `{}`", joint.name), Joint::<f64>::rows(joint.kind)));
    let generators = mechanism
        .generators
        .iter()
        .map(|generator| (format!("generator `{}`", generator.name), generator.motion.rows()));
    let contacts = mechanism
        .contacts
        .iter()
        .map(|contact| (format!("contact `{}`", contact.name), Contact::<f64>::rows(&contact.kind)));
    let mut first = 0;
    for (name, rows) in joints.chain(generators).chain(contacts) {
        first += rows;
        if row < first {
            return name;
        }
    }
    "constraints".to_string()
}

/// The sides of all that has some: where their parameters begin, point and frame.
fn sides(mechanism: &Mechanism, first: &Blocks) -> Vec<(usize, Point, [[f64; 3]; 3])> {
    let no_frame = [[0.0; 3]; 3];
    let mut sides = Vec::new();
    for (k, joint) in mechanism.joints.iter().enumerate() {
        for side in 0..2 {
            sides.push((first.joints + (2 * k + side) * SIDE, joint.points[side], joint.frames[side]));
        }
    }
    for (k, spring) in mechanism.springs.iter().enumerate() {
        for side in 0..2 {
            sides.push((first.springs + (2 * k + side) * SIDE, spring.points[side], no_frame));
        }
    }
    for (k, bushing) in mechanism.bushings.iter().enumerate() {
        for side in 0..2 {
            sides.push((first.bushings + (2 * k + side) * SIDE, bushing.points[side], bushing.frames[side]));
        }
    }
    for (k, contact) in mechanism.contacts.iter().enumerate() {
        let frame = match contact.kind {
            ContactKind::KnifeEdge { direction } => [direction, [0.0; 3], [0.0; 3]],
            ContactKind::Rolling { .. } | ContactKind::Curve { .. } => no_frame,
        };
        sides.push((first.contacts + k * SIDE, contact.point, frame));
    }
    for (k, generator) in mechanism.generators.iter().enumerate() {
        let point = match &generator.motion {
            Prescribed::Coordinate { .. } => Point { body: None, at: [0.0; 3] },
            Prescribed::Position { point, .. } | Prescribed::Velocity { point, .. } => *point,
        };
        sides.push((first.generators + k * SIDE, point, no_frame));
    }
    sides
}

/// What instances of a mechanism remember besides their motion.
fn memory_of(mechanism: &Mechanism) -> Vec<Memory> {
    let driven = |generator: &crate::describe::Generator| match &generator.motion {
        Prescribed::Coordinate { value, .. } => value.depends_on_argument(),
        Prescribed::Position { value, .. } | Prescribed::Velocity { value, .. } => {
            value.iter().flatten().any(Expression::depends_on_argument)
        }
    };
    let timed =
        |load: &crate::describe::Load| load.function.iter().flatten().any(Expression::depends_on_argument);
    let mut memory = Vec::new();
    if !mechanism.locks.is_empty()
        || mechanism.generators.iter().any(driven)
        || mechanism.loads.iter().any(timed)
        || mechanism.joint_springs.iter().any(|spring| spring.actuator.depends_on_argument())
    {
        memory.push(Memory::Clock);
    }
    let generated = mechanism.generators.iter().filter_map(|generator| match &generator.motion {
        Prescribed::Coordinate { of, .. } => Some(*of),
        _ => None,
    });
    let coordinates = generated
        .chain(mechanism.joint_springs.iter().map(|spring| spring.of))
        .chain(mechanism.stops.iter().map(|stop| stop.of))
        .chain(mechanism.locks.iter().map(|lock| lock.of));
    for of in coordinates.filter(|of| of.coordinate == Coordinate::Angle) {
        if !memory.contains(&Memory::Angle(of.joint)) {
            memory.push(Memory::Angle(of.joint));
        }
    }
    for lock in &mechanism.locks {
        let item = Memory::of(lock.of);
        if !memory.contains(&item) {
            memory.push(item);
        }
    }
    for lock in 0..mechanism.locks.len() {
        memory.extend([Memory::Flag(lock), Memory::Caught(lock), Memory::Released(lock)]);
    }
    memory
}

/// A body of an instance, as the engine has it.
struct Resolved {
    inertia: [f64; 3],
    principal: [f64; 4],
    /// From the origin to the mass centre, principal axes (m).
    centre: [f64; 3],
    fixed: bool,
}

impl Resolved {
    /// A point of the user's body axes from the mass centre, or the fixed point, in principal axes (m).
    fn arm(&self, point: [f64; 3]) -> [f64; 3] {
        let point = to_body(self.principal, point);
        if self.fixed { point } else { sub(point, self.centre) }
    }
}

fn vector<R: Copy>(parameters: &impl Fn(usize) -> R, at: usize) -> [R; 3] {
    [parameters(at), parameters(at + 1), parameters(at + 2)]
}

/// Quaternion of the user's body axes from that of the principal axes.
pub fn body_attitude<R: Real>(attitude: [R; 4], principal: [R; 4]) -> [R; 4] {
    product(attitude, inverse(principal))
}
