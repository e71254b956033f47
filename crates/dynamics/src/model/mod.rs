//! From a description to what a machine runs: principal axes, parameter layout, initial state.
//!
//! A [`Model`] is the structure that all instances share. Numbers are per instance:
//! [`Model::resolve`] turns the quantities of one instance, as the user thinks of them, into the
//! [`parameters`](BodyParameter) and the initial state of the engine, in f64. A parameter that no
//! varied quantity touches is a constant of the whole ensemble, and is folded into the GPU kernel
//! as a literal.

pub mod assemble;
pub mod carried;
pub mod constraint_set;
pub mod contact;
pub mod equilibrium;
mod general_modes;
pub mod instance;
pub mod joint;
pub mod memory;
pub mod outcomes;
pub mod partition;
mod principal;
pub mod quantities;
pub mod redundancy;
pub mod sample;
pub mod small_vibrations;
pub mod start;
pub mod state;
pub mod steady_state;
pub mod system;
pub mod timing;
pub mod total_energy;
pub mod vibration;

use crate::describe::Range;
use crate::describe::expression::{FunctionTable, TableColumn};
use crate::describe::numbers::{DENSITY_FACTOR, Number, NumberOwner};
use crate::describe::{
    Axes, Body, ElementSide, Force, InertiaAbout, JointCoordinate, LoadKind, Mechanism, Point, Quantity,
    Sided, Spot, Support,
};
use crate::kinematics::body;
use crate::kinematics::deformation::Deformable;
use crate::math::inertia::UNTURNED;
use crate::math::quaternion::{inverse, product};
use crate::real::Real;
use crate::treatments::{AnyTreatment, DefaultNumber, SettableNumber};
use memory::{IterationCount, Memory, OwnStep};
use partition::CoordinatePartition;
use redundancy::Redundancy;
pub use start::{InstanceStart, NoMechanism};
pub use state::{AT_REST, CHANNELS, WIDTH, all_channels, channel_names, channels, motion, motions, width};

/// The parameters of a body, by position in its block. See [`Model::of_body`].
pub struct BodyParameter;

impl BodyParameter {
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
const PARAMETER_NAMES: [&str; BodyParameter::BLOCK] = [
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

/// Parameters of a side of a beam element: the arm (3), then the quaternion of its frame (4).
const BEAM_SIDE: usize = 7;

/// A quantity that an ensemble draws, and the body it belongs to.
pub type Varied = (usize, Quantity);

/// One constant piece of one load.
#[derive(Clone, Debug)]
struct Piece {
    body: usize,
    kind: LoadKind,
    axes: Axes,
    /// Where it acts, from the body's origin in the user's axes (m).
    point: [f64; 3],
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
    /// Ranges that the numbers must stay in; found once, since every instance is checked against
    /// them.
    ranges: Vec<Range>,
    memory: Vec<Memory>,
    /// Whether any function may jump or bend at a time that is known beforehand.
    branches_in_time: bool,
    /// By body; `None`: it is rigid.
    deformable: Vec<Option<Deformable>>,
    redundancy: Redundancy,
    partition: Option<CoordinatePartition>,
    /// As [`Mechanism::spots`].
    spots: Vec<Spot>,
    first: Blocks,
    /// Sides of joints, forces, contacts, generators and spots; found once, for every instance has
    /// them.
    sides: Vec<SideOfModel>,
    /// Settings of the treatment that are numbers; found once likewise.
    settable: Vec<SettableNumber>,
}

/// A side: where its parameters begin, its point, its frame.
type SideOfModel = (usize, Point, [[f64; 3]; 3]);

/// Where blocks of parameters begin.
#[derive(Clone, Copy, Debug)]
struct Blocks {
    /// Gravity, space axes, 3 (m/s²).
    gravity: usize,
    /// Energy at t = 0, and `T + |V|` then (J), for the energy bound.
    energy: usize,
    /// The full step (s), then the numbers of the treatment.
    scheme: usize,
    loads: usize,
    /// Per joint two sides; per contact and generator one.
    joints: usize,
    /// Per force two sides, if it acts between points.
    forces: usize,
    /// Per beam element two [`BEAM_SIDE`]s.
    beam_elements: usize,
    contacts: usize,
    generators: usize,
    /// One side per point of [`spots`].
    spots: usize,
    /// The numbers of joints, forces and locks: [`Mechanism::numbers`].
    numbers: usize,
    /// Values and slopes of the instance's, for tables with several columns: the end of
    /// [`Mechanism::called`].
    tables: usize,
}

/// Differences between instances in a body's axes and mass centre.
struct BodyTurn {
    /// The given axes are principal ones in every instance.
    axes_are_principal: bool,
    /// The principal axes differ.
    turned: bool,
    /// The mass centre of a free body differs in them.
    shifted_centre: bool,
}

impl BodyTurn {
    /// Whether places on the body differ, seen from its mass centre in its principal axes.
    fn moves(&self) -> bool {
        self.turned || self.shifted_centre
    }
}

/// Marks the parameters of bodies that differ between instances.
fn mark_bodies(
    mechanism: &Mechanism,
    described: &[Number],
    varied: &[Varied],
    varies: &mut [bool],
) -> Vec<BodyTurn> {
    let turn = |(b, body): (usize, &Body)| {
        let has = |q: Quantity| varied.contains(&(b, q));
        let shifted = match (body.support, body.inertia_about) {
            (Support::Free, InertiaAbout::MassCentre) | (Support::FixedPoint, InertiaAbout::Origin) => false,
            (Support::Free, InertiaAbout::Origin) | (Support::FixedPoint, InertiaAbout::MassCentre) => true,
        };
        let in_body = body.inertia_in_body();
        let off_diagonal = (0..3).any(|i| (0..3).any(|j| i != j && in_body[i][j] != 0.0))
            || has(Quantity::Inertia) && (body.inertia_axes != UNTURNED || products_follow(mechanism, b));
        let centre_on_axis =
            !has(Quantity::CentreOfMass) && body.centre_of_mass.iter().filter(|c| **c != 0.0).count() <= 1;
        let axes_are_principal = !off_diagonal && (!shifted || centre_on_axis);
        let inertia =
            has(Quantity::Inertia) || shifted && (has(Quantity::Mass) || has(Quantity::CentreOfMass));
        let turned = inertia && !axes_are_principal;
        let mut mark = |at: usize, width: usize, does: bool| {
            varies[b * BodyParameter::BLOCK + at..][..width].fill(does);
        };
        let density = mechanism.beam_of(b).is_some_and(|beam| density_varies(described, beam, varied));
        mark(BodyParameter::INERTIA, 3, inertia || density);
        mark(BodyParameter::MASS, 1, has(Quantity::Mass) || density);
        mark(BodyParameter::CENTRE, 3, has(Quantity::CentreOfMass) || turned);
        mark(BodyParameter::PRINCIPAL, 4, turned);
        mark(BodyParameter::ORIGIN, 3, has(Quantity::Position));
        let shifted_centre = body.support == Support::Free && has(Quantity::CentreOfMass);
        BodyTurn { axes_are_principal, turned, shifted_centre }
    };
    mechanism.bodies.iter().enumerate().map(turn).collect()
}

/// Marks the numbers of tables of which an instance has a column of its own.
fn mark_tables(
    mechanism: &Mechanism,
    described: usize,
    has: &impl Fn(Quantity) -> bool,
    mut varies: &mut [bool],
) {
    let by_instance = mechanism.tables_by_instance();
    let positions = described - by_instance.clone().count()..described;
    for (table, position) in by_instance.zip(positions) {
        let mut columns = table.columns.iter().map(TableColumn::numbers);
        let first: Vec<f64> = columns.next().into_iter().flatten().collect();
        let (own, others) = std::mem::take(&mut varies).split_at_mut(first.len());
        for column in columns.filter(|_| has(Quantity::Number(position))) {
            let pairs = own.iter_mut().zip(first.iter().zip(column));
            pairs.for_each(|(varies, (one, other))| *varies |= one.to_bits() != other.to_bits());
        }
        varies = others;
    }
}

/// The loads' pieces, when they act, and whose each of their parameters is.
#[derive(Default)]
struct LoadParameters {
    pieces: Vec<Piece>,
    spans: Vec<Span>,
    /// The load, and which of its pieces; `None`: its arm.
    of: Vec<(usize, Option<usize>)>,
}

/// `first`: the position of their first parameter.
fn load_parameters(mechanism: &Mechanism, first: usize) -> LoadParameters {
    let mut found = LoadParameters::default();
    for (l, load) in mechanism.loads.iter().enumerate() {
        let arm = first + found.of.len();
        found.of.extend([(l, None); 3]);
        for (p, piece) in load.pieces.iter().enumerate() {
            let timed = (piece.from > 0.0 || piece.until.is_finite()).then(|| {
                found.spans.push(Span { from: piece.from, until: piece.until });
                found.spans.len() - 1
            });
            found.pieces.push(Piece {
                body: load.body,
                kind: load.kind,
                axes: load.axes,
                point: load.point,
                arm,
                value: first + found.of.len(),
                timed,
            });
            found.of.extend([(l, Some(p)); 3]);
        }
    }
    found
}

/// The bodies that bend, in their principal axes.
fn deformable(mechanism: &Mechanism, axes_are_principal: &[bool]) -> Vec<Option<Deformable>> {
    let bodies = mechanism.bodies.iter().zip(axes_are_principal);
    let bends = bodies.map(|(body, are_principal)| {
        let turn = match are_principal {
            true => [1.0, 0.0, 0.0, 0.0],
            false => principal::axes(body.inertia_in_body()).1,
        };
        body.flexible.as_ref().map(|flexible| Deformable::new(flexible, turn))
    });
    bends.collect()
}

impl Model {
    /// `varied`: the quantities that the ensemble draws. `energy_bound`: whether kernels need the
    /// initial energy.
    pub fn new(
        mechanism: &Mechanism,
        treatment: AnyTreatment,
        varied: &[Varied],
        energy_bound: bool,
    ) -> Model {
        let bodies = mechanism.bodies.len();
        let gravity = bodies * BodyParameter::BLOCK;
        let energy = gravity + 3;
        let scheme = energy + 2;
        let loads = scheme + 1 + treatment.card().numbers().count();
        let LoadParameters { pieces, spans, of: load_of_parameter } = load_parameters(mechanism, loads);
        let joints = loads + load_of_parameter.len();
        let forces = joints + 2 * SIDE * mechanism.joints.len();
        let beam_elements = forces + mechanism.forces.iter().map(width_of_sides).sum::<usize>();
        let contacts = beam_elements + 2 * BEAM_SIDE * mechanism.beam_elements.len();
        let generators = contacts + SIDE * mechanism.contacts.len();
        let spots = generators + SIDE * mechanism.generators.len();
        let different = mechanism.spots();
        let numbers = spots + SIDE * different.len();
        let described = mechanism.numbers();
        let tables = numbers + described.len();
        let count = tables + mechanism.tables_by_instance().map(FunctionTable::called).sum::<usize>();
        let first = Blocks {
            gravity,
            energy,
            scheme,
            loads,
            joints,
            forces,
            beam_elements,
            contacts,
            generators,
            spots,
            numbers,
            tables,
        };

        let has = |q: Quantity| varied.iter().any(|(_, varied)| *varied == q);
        let mut varies = vec![false; count];
        let turns = mark_bodies(mechanism, &described, varied, &mut varies);
        varies[gravity..gravity + 3].fill(has(Quantity::Gravity) || has(Quantity::GravityDown));
        // With a bound, every instance starts from an energy of its own.
        varies[energy..energy + 2].fill(energy_bound);
        varies[scheme] = has(Quantity::Step);
        for ((k, number), varies) in
            treatment.card().numbers().enumerate().zip(&mut varies[scheme + 1..loads])
        {
            // A default may follow from the step and from other settings.
            let follows = matches!(number.default, DefaultNumber::Derived(_));
            let any = || {
                varied.iter().any(|(_, quantity)| matches!(quantity, Quantity::Step | Quantity::Setting(_)))
            };
            *varies = has(Quantity::Setting(k)) || follows && any();
        }
        for (i, &(l, piece)) in load_of_parameter.iter().enumerate() {
            let load = &mechanism.loads[l];
            let body = &turns[load.body];
            varies[loads + i] = match piece {
                None => load.kind == LoadKind::Force && body.moves(),
                Some(piece) => {
                    has(Quantity::LoadValue { load: l, piece }) || load.axes == Axes::Body && body.turned
                }
            };
        }
        let mut mark_side = |at: usize, point: &Point, width: usize| {
            let Some(b) = point.body else { return };
            varies[at..at + 3].fill(turns[b].moves());
            varies[at + 3..at + width].fill(turns[b].turned);
        };
        let sides = sides(mechanism, &different, &first);
        for (at, point, _) in &sides {
            mark_side(*at, point, SIDE);
        }
        for (at, point, _) in beam_sides(mechanism, &first) {
            mark_side(at, &point, BEAM_SIDE);
        }
        for number in 0..described.len() {
            varies[numbers + number] = has(Quantity::Number(number));
        }
        mark_tables(mechanism, described.len(), &has, &mut varies[tables..]);
        let axes_are_principal: Vec<bool> = turns.iter().map(|body| body.axes_are_principal).collect();
        let deformable = deformable(mechanism, &axes_are_principal);
        let settable = treatment.card().numbers().collect();
        Model {
            mechanism: mechanism.clone(),
            treatment,
            pieces,
            spans,
            varies,
            axes_are_principal,
            energy_bound,
            ranges: described.iter().map(|number| number.range).collect(),
            numbers: described,
            memory: memory_of(mechanism),
            branches_in_time: mechanism.branches_in_time(),
            deformable,
            redundancy: Redundancy::default(),
            partition: None,
            spots: different,
            first,
            sides,
            settable,
        }
    }

    /// This model, which also remembers the work of the loads, and these angles.
    pub fn watching(mut self, work: bool, angles: impl IntoIterator<Item = JointCoordinate>) -> Model {
        for angle in angles {
            let item = Memory::Coordinate(angle);
            if self.remembered(item).is_none() {
                self.memory.push(item);
            }
        }
        if work {
            self.memory.push(Memory::Work);
        }
        self
    }

    /// Returns this model, with instances that choose their own steps.
    pub fn choosing_steps(mut self) -> Model {
        self.memory.extend(OwnStep::ALL.map(Memory::OwnStep));
        self
    }

    /// Returns this model, with steps that are solved by iterations.
    pub fn counting_iterations(mut self) -> Model {
        self.memory.extend(IterationCount::ALL.map(Memory::Iteration));
        self
    }

    /// The memory of an instance besides its motion: the state channels after the motions.
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

    /// By body: how many modes it deforms with, and states of laws and momenta of rotors it carries
    /// as such.
    pub fn modes(&self) -> Vec<usize> {
        let carrier = self.mechanism.carrier();
        let modes = |(b, body): (usize, &Option<Deformable>)| match body {
            Some(deformable) => deformable.modes(),
            None if carrier == Some(b) => self.mechanism.carried(),
            None => 0,
        };
        self.deformable.iter().enumerate().map(modes).collect()
    }

    /// The state channels of the coordinates whose rates are states of laws and momenta of rotors:
    /// nothing feels them, and they are no part of a state.
    pub fn unfelt(&self) -> std::ops::Range<usize> {
        let carrier = self.mechanism.carrier().unwrap_or(0);
        let first = WIDTH * self.bodies() + 2 * self.modes()[..carrier].iter().sum::<usize>();
        first..first + self.mechanism.carried()
    }

    /// Number of state channels of the motions.
    pub fn width(&self) -> usize {
        width(&self.modes())
    }

    /// The motions at the start of these state channels.
    pub fn motions<R: Copy>(&self, state: &[R]) -> Vec<body::Motion<R>> {
        motions(&self.modes(), state)
    }

    /// Number of constraint rows.
    pub fn rows(&self) -> usize {
        let joints: usize = self.mechanism.joints.iter().map(|joint| joint.kind.rows.len()).sum();
        let contacts: usize = self.mechanism.contacts.iter().map(|contact| contact.kind.rows).sum();
        let generators: usize = self.mechanism.generators.iter().map(|generator| generator.rows()).sum();
        joints + generators + contacts + self.mechanism.locks.len()
    }

    /// Number of values of constraint rows that a method must carry.
    pub fn carried_rows(&self) -> usize {
        self.treatment.card().carries * self.rows()
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.varies.len()
    }

    /// Is parameter `p` drawn per instance?
    pub fn varies(&self, p: usize) -> bool {
        self.varies[p]
    }

    /// Takes the parameters of this side for such as differ between instances.
    pub fn vary_side(&mut self, ElementSide { element, side, is_frame }: ElementSide) {
        let m = &self.mechanism;
        let own = match element {
            Sided::Joint(k) => Some(self.first.joints + (2 * k + side) * SIDE),
            Sided::Force(k) => {
                let before = m.forces[..k].iter().map(width_of_sides).sum::<usize>();
                Some(self.first.forces + before + side * SIDE)
            }
            Sided::BeamElement(k) => Some(self.first.beam_elements + (2 * k + side) * BEAM_SIDE),
            Sided::Contact(k) => Some(self.first.contacts + k * SIDE),
            Sided::Generator(k) => Some(self.first.generators + k * SIDE),
            Sided::Load(k) => {
                let before = m.loads[..k].iter().map(|load| 3 + 3 * load.pieces.len()).sum::<usize>();
                Some(self.first.loads + before)
            }
            Sided::Point(_) => None,
        };
        let spot = match element {
            Sided::Point(k) => Some(Spot::Named(k)),
            Sided::Load(k) => Some(Spot::Load(k)),
            _ => None,
        };
        let spot = spot.and_then(|spot| self.spots.iter().position(|known| m.is_one(*known, spot)));
        let width = if matches!(element, Sided::BeamElement(_)) { BEAM_SIDE } else { SIDE };
        let part = if is_frame { 3..width } else { 0..3 };
        for first in own.into_iter().chain(spot.map(|k| self.first.spots + k * SIDE)) {
            self.varies[first..][part.clone()].fill(true);
        }
    }

    /// Takes these parameters for such as are drawn per instance.
    pub fn vary(&mut self, parameters: &[usize]) {
        parameters.iter().for_each(|p| self.varies[*p] = true);
    }

    /// For every parameter: is it drawn per instance?
    pub fn varying(&self) -> &[bool] {
        &self.varies
    }

    /// Position of a [`BodyParameter`] of body `b`.
    pub fn of_body(&self, b: usize, parameter: usize) -> usize {
        b * BodyParameter::BLOCK + parameter
    }

    /// Position of the energy at t = 0; `T + |V|` follows.
    pub fn start_energy(&self) -> usize {
        self.first.energy
    }

    /// Position of the full step (s).
    pub fn step(&self) -> usize {
        self.first.scheme
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
            let name = PARAMETER_NAMES[p % BodyParameter::BLOCK];
            return if self.bodies() == 1 {
                name.to_string()
            } else {
                format!("b{}_{name}", p / BodyParameter::BLOCK)
            };
        }
        let blocks = [
            ("gravity", self.first.gravity),
            ("energy", self.first.energy),
            ("scheme", self.first.scheme),
            ("load", self.first.loads),
            ("joint", self.first.joints),
            ("force", self.first.forces),
            ("beam_element", self.first.beam_elements),
            ("contact", self.first.contacts),
            ("generator", self.first.generators),
            ("point", self.first.spots),
            ("number", self.first.numbers),
            ("table", self.first.tables),
        ];
        let (name, first) = blocks.into_iter().rev().find(|(_, first)| *first <= p).unwrap_or(blocks[0]);
        format!("{name}_{}", p - first)
    }

    /// For every state channel of the motions, whether it changes: position and velocity of a mass
    /// centre rest with a fixed point, or where nothing moves them in any instance; a point mass
    /// does not turn.
    pub fn moving(&self, varied: &[Varied]) -> Vec<bool> {
        (0..self.bodies())
            .flat_map(|b| {
                let (turns, moves) = (!self.mechanism.bodies[b].is_point, !self.rests(b, varied));
                (0..WIDTH).map(move |c| if c < AT_REST { turns } else { moves })
            })
            .chain((WIDTH * self.bodies()..self.width()).map(|_| true))
            .chain(self.memory.iter().map(|_| true))
            .collect()
    }

    fn rests(&self, b: usize, varied: &[Varied]) -> bool {
        let m = &self.mechanism;
        let body = &m.bodies[b];
        let acts_on_body = |points: &[Point]| points.iter().any(|point| point.body == Some(b));
        let has = |q: Quantity| varied.contains(&(b, q));
        let weightless = m.gravity == [0.0; 3] && !varied.iter().any(|(_, quantity)| quantity.is_gravity());
        let still = |v: [f64; 3], q: Quantity| v == [0.0; 3] && !has(q);
        // The modes of an attached frame move the mass centre where the frame's origin is still.
        let attached = body.flexible.as_ref().is_some_and(|flexible| flexible.modal.is_attached());
        self.fixed_point(b)
            || !attached
                && still(body.initial.velocity, Quantity::Velocity)
                && still(body.centre_of_mass, Quantity::CentreOfMass)
                && weightless
                && !m.joints.iter().any(|joint| acts_on_body(&joint.points))
                && !m.forces.iter().any(|force| acts_on_body(force.points()))
                && !m.beam_elements.iter().any(|element| acts_on_body(&element.points))
                && !m.contacts.iter().any(|contact| contact.point.body == Some(b))
                && !m
                    .generators
                    .iter()
                    .any(|generator| generator.point().is_some_and(|point| point.body == Some(b)))
                && m.loads.iter().filter(|load| load.body == b).all(|load| load.kind == LoadKind::Torque)
    }

    /// No rotation to principal axes for any instance: the user's axes of body `b` are principal.
    pub fn axes_are_principal(&self, b: usize) -> bool {
        self.axes_are_principal[b]
    }

    /// Whether kernels compare the energy with its start.
    pub fn energy_bound(&self) -> bool {
        self.energy_bound
    }
}

/// The sides of all that has some.
fn sides(mechanism: &Mechanism, spots: &[Spot], first: &Blocks) -> Vec<SideOfModel> {
    let no_frame = [[0.0; 3]; 3];
    let mut sides = Vec::new();
    for (k, joint) in mechanism.joints.iter().enumerate() {
        for side in 0..2 {
            sides.push((first.joints + (2 * k + side) * SIDE, joint.points[side], joint.frames[side]));
        }
    }
    let mut next = first.forces;
    for force in &mechanism.forces {
        for (side, point) in force.points().iter().enumerate() {
            sides.push((next + side * SIDE, *point, force.frames()[side]));
        }
        next += width_of_sides(force);
    }
    for (k, contact) in mechanism.contacts.iter().enumerate() {
        sides.push((first.contacts + k * SIDE, contact.point, contact.directions()));
    }
    for (k, generator) in mechanism.generators.iter().enumerate() {
        let point = generator.point().copied().unwrap_or(Point { body: None, at: [0.0; 3] });
        sides.push((first.generators + k * SIDE, point, no_frame));
    }
    for (k, spot) in spots.iter().enumerate() {
        sides.push((first.spots + k * SIDE, mechanism.place(*spot), no_frame));
    }
    sides
}

/// Whether products of inertia of a body may follow from constants.
fn products_follow(mechanism: &Mechanism, body: usize) -> bool {
    let all: Vec<usize> = (0..mechanism.constants.len()).collect();
    mechanism.following(&all).contains(&(body, Quantity::Inertia, None))
}

/// Number of parameters of the sides of a force.
fn width_of_sides(force: &Force) -> usize {
    SIDE * force.points().len()
}

/// The sides of all beam elements: where their parameters begin, point and frame.
fn beam_sides<'m>(
    mechanism: &'m Mechanism,
    first: &Blocks,
) -> impl Iterator<Item = (usize, Point, [[f64; 3]; 3])> + 'm {
    let first = first.beam_elements;
    mechanism.beam_elements.iter().enumerate().flat_map(move |(k, element)| {
        [0, 1].map(|side| (first + (2 * k + side) * BEAM_SIDE, element.points[side], element.frames[side]))
    })
}

/// Whether a beam's density differs between instances.
fn density_varies(numbers: &[Number], beam: usize, varied: &[Varied]) -> bool {
    let is_factor = |n: &Number| (n.element, n.index, &*n.part) == (NumberOwner::Beam, beam, DENSITY_FACTOR);
    let at = numbers.iter().position(is_factor);
    varied.iter().any(|(_, quantity)| matches!(quantity, Quantity::Number(n) if Some(*n) == at))
}

/// Returns the memory that instances of a mechanism have besides their motion.
fn memory_of(mechanism: &Mechanism) -> Vec<Memory> {
    let mut memory = Vec::new();
    if mechanism.counts_steps() {
        memory.push(Memory::Clock);
    }
    let generated = mechanism
        .generators
        .iter()
        .flat_map(|generator| generator.coordinate().into_iter().chain(generator.follows));
    let coordinates = generated
        .chain(mechanism.forces.iter().filter_map(Force::coordinate))
        .chain(mechanism.sensors.iter().filter_map(|sensor| sensor.coordinate()))
        .filter(|measured| measured.coordinate.counts_turns())
        // A displacement is no turn short, but a lock must know how it was.
        .chain(mechanism.locks.iter().map(|lock| lock.of));
    for item in coordinates.map(Memory::Coordinate) {
        if !memory.contains(&item) {
            memory.push(item);
        }
    }
    for lock in 0..mechanism.locks.len() {
        memory.extend([Memory::Flag(lock), Memory::Caught(lock), Memory::Released(lock)]);
    }
    for (signal, _) in mechanism.sampled_signals() {
        memory.extend([Memory::Held(signal), Memory::SinceSample(signal)]);
    }
    for outcome in 0..mechanism.outcomes.len() {
        memory.extend((0..outcomes::SLOTS).map(|slot| Memory::Outcome { outcome, slot }));
    }
    memory
}

fn vector<R: Copy>(parameters: &impl Fn(usize) -> R, at: usize) -> [R; 3] {
    [parameters(at), parameters(at + 1), parameters(at + 2)]
}

/// Quaternion of the user's body axes from that of the principal axes.
pub fn body_attitude<R: Real>(attitude: [R; 4], principal: [R; 4]) -> [R; 4] {
    product(attitude, inverse(principal))
}
