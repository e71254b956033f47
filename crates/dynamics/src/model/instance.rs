//! From the parameters of one instance to its bodies, what holds them and what moves them: over any
//! scalar.

use super::constraint_set::{BodyConstants, ConstraintSet};
use super::contact::ContactRows;
use super::joint::JointRows;
use super::memory::Memory;
use super::partition::InstancePartition;
use super::sample::{AFTER_START, BEFORE_END, LoadValue, Sample};
use super::system::{Parts, System};
use super::timing::{PartOfStep, Timing};
use super::total_energy::{TotalEnergy, sum};
use super::{BEAM_SIDE, BodyParameter, Model, Piece, SIDE, vector, width_of_sides};
use crate::describe::force::Role;
use crate::describe::numbers::{self, NumberOwner};
use crate::describe::{
    Attached, Axes, Effect, Force, JointCoordinate, Load, LoadKind, Point, Sensor, Spot, Unexplained,
};
use crate::elements::beam_element::TimoshenkoElement;
use crate::elements::generator::GeneratorRows;
use crate::elements::load_law::LoadLaw;
use crate::elements::lock::LockRow;
use crate::elements::sensing::{MountedEffect, MountedSensor, Sensing};
use crate::elements::{BEFORE_BEAM_ELEMENTS, ForceLaw, Joined, Mounting, Spin, law, rank};
use crate::flexible::Local;
use crate::kinematics::body::{Energy, Loads, ModalCoordinates, Motion, PointLoad};
use crate::kinematics::deformation::{Deformation, FlexibleVector};
use crate::kinematics::function::{self, Moment};
use crate::kinematics::side::{Side, SideFlexibility};
use crate::math::functions::abs;
use crate::math::quaternion::{to_body, to_space};
use crate::math::vector::{Vec3, add, cross, length, scale, sub, times};
use crate::real::Real;

impl Model {
    /// Returns the terms of the energy, from an instance's parameters and what it remembers.
    pub fn energy<R: Real>(&self, parameters: &impl Fn(usize) -> R, memory: &[R]) -> TotalEnergy<R> {
        let gravity = vector(parameters, self.first.gravity);
        TotalEnergy {
            bodies: (0..self.bodies()).map(|b| self.energy_of_body(b, gravity, parameters)).collect(),
            elements: self.elements(parameters),
            held: self.held_now(parameters, memory),
            deformations: (0..self.bodies()).map(|b| self.deformation(b, parameters)).collect(),
        }
    }

    fn energy_of_body<R: Real>(
        &self,
        b: usize,
        gravity: [R; 3],
        parameters: &impl Fn(usize) -> R,
    ) -> Energy<R> {
        let mass = parameters(self.of_body(b, BodyParameter::MASS));
        let zero = mass.lift(0.0);
        Energy {
            inertia: vector(parameters, self.of_body(b, BodyParameter::INERTIA)),
            mass,
            weight: scale(mass, gravity),
            arm: if self.fixed_point(b) {
                vector(parameters, self.of_body(b, BodyParameter::CENTRE))
            } else {
                [zero; 3]
            },
        }
    }

    /// Kinetic and potential energy (J) of these motions.
    pub(super) fn energies<R: Real>(
        &self,
        parameters: &impl Fn(usize) -> R,
        memory: &[R],
        motions: &[Motion<R>],
    ) -> [R; 2] {
        let m = &self.mechanism;
        let springs = !m.forces.is_empty() || !m.beam_elements.is_empty() || m.loads.iter().any(Load::is_law);
        if springs || self.deformable.iter().any(Option::is_some) {
            let energy = self.energy(parameters, memory);
            return [energy.kinetic(motions), energy.potential(motions)];
        }
        // Rigid bodies alone need no lists: their energies are summed directly.
        let gravity = vector(parameters, self.first.gravity);
        let bodies = || {
            let with_energy = |(b, motion)| (self.energy_of_body(b, gravity, parameters), motion);
            motions.iter().enumerate().map(with_energy)
        };
        [
            sum(bodies().map(|(body, motion)| body.kinetic(motion))),
            sum(bodies().map(|(body, motion)| body.potential(motion))),
        ]
    }

    /// Energy of these motions, and that of which a change is a share (J): `T + V` and `T + |V|`.
    /// The latter is 0 where it is [nothing](Self::NOTHING) beside what the weights would do from
    /// the origin: rounding, or the height of a start at rest that happens to be almost zero.
    pub fn start_energies<R: Real>(
        &self,
        parameters: &impl Fn(usize) -> R,
        memory: &[R],
        motions: &[Motion<R>],
    ) -> [R; 2] {
        let [kinetic, potential] = self.energies(parameters, memory, motions);
        let gravity = vector(parameters, self.first.gravity);
        let bodies = motions.iter().enumerate();
        let reach = sum(bodies.map(|(b, motion)| self.energy_of_body(b, gravity, parameters).reach(motion)));
        let size = kinetic + abs(potential);
        let nothing = reach.lift(Self::NOTHING) * reach;
        [kinetic + potential, size.select_less(nothing, size.lift(0.0), size)]
    }

    /// A share of the energies that cancel: in single precision a height of nothing is off by a
    /// tenth of that.
    const NOTHING: f64 = 1e-6;

    /// The energy (J) that may come or go without a reason, of motions whose weight may turn over
    /// `weight` (m²/s²): a [share](Unexplained::SHARE) of `T0 + |V0| + weight M + T`; 0, which
    /// bounds nothing, where the first three are 0.
    pub fn unexplained_energy<R: Real>(
        &self,
        parameters: &impl Fn(usize) -> R,
        motions: &[Motion<R>],
        memory: &[R],
        weight: f64,
    ) -> R {
        let start = parameters(self.start_energy() + 1);
        let (zero, share) = (start.lift(0.0), start.lift(Unexplained::SHARE));
        let weight = start.lift(weight);
        let turned_over = (0..self.bodies())
            .fold(start, |sum, b| weight.mul_add(parameters(self.of_body(b, BodyParameter::MASS)), sum));
        let moving = turned_over + self.energy(parameters, memory).kinetic(motions);
        zero.select_less(turned_over, share * moving, zero)
    }

    /// The loads on every body, the timed ones multiplied by `factors` (one per
    /// [span](Model::spans)): the share of an interval during which each acts.
    fn loads<R: Real>(
        &self,
        parameters: &impl Fn(usize) -> R,
        factors: &impl Fn(usize) -> R,
        now: &Moment<R>,
    ) -> Vec<Loads<R>> {
        (0..self.bodies()).map(|b| self.loads_on(b, parameters, factors, now)).collect()
    }

    fn loads_on<R: Real>(
        &self,
        b: usize,
        parameters: &impl Fn(usize) -> R,
        factors: &impl Fn(usize) -> R,
        now: &Moment<R>,
    ) -> Loads<R> {
        let mass = parameters(self.of_body(b, BodyParameter::MASS));
        let gravity = vector(parameters, self.first.gravity);
        let fixed = self.fixed_point(b);
        let mut sum = Loads::none(mass);
        if fixed {
            sum.couple(vector(parameters, self.of_body(b, BodyParameter::CENTRE)), scale(mass, gravity));
        } else {
            sum.space_acceleration(gravity);
        }
        let mut apply = |kind: LoadKind, axes: Axes, arm: [R; 3], value: [R; 3], point: [f64; 3]| {
            if let Some([shapes, turns]) = self.shapes(b, point) {
                let is_force = kind == LoadKind::Force;
                let columns = if is_force { shapes } else { turns };
                let columns = columns.into_iter().map(|v| v.map(|x| mass.lift(x))).collect();
                let shapes = FlexibleVector { columns };
                sum.at_point(PointLoad { shapes, is_force, value, in_space: axes == Axes::Space });
            }
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
        // Terms that are no products come first, then single products, then sums of products: see
        // `cross_add`.
        let rank = |piece: &Piece| (piece.timed.is_some(), piece.kind == LoadKind::Force);
        let ranks = [(false, false), (false, true), (true, false), (true, true)];
        let pieces = || self.pieces.iter().filter(|piece| piece.body == b);
        for piece in ranks.into_iter().flat_map(|r| pieces().filter(move |p| rank(p) == r)) {
            let mut value = vector(parameters, piece.value);
            if let Some(timed) = piece.timed {
                value = scale(factors(timed), value);
            }
            apply(piece.kind, piece.axes, vector(parameters, piece.arm), value, piece.point);
        }
        let constants = self.constants(parameters);
        let mut arm = self.first.loads;
        for load in &self.mechanism.loads {
            if let (Some(function), true) = (&load.function, load.body == b && !load.is_law()) {
                let value = std::array::from_fn(|k| function::value_at(&function[k], now, &constants));
                // A function is written in the user's body axes.
                let value = if load.axes == Axes::Body && !self.axes_are_principal[b] {
                    to_body(self.principal(b, parameters), value)
                } else {
                    value
                };
                apply(load.kind, load.axes, vector(parameters, arm), value, load.point);
            }
            arm += 3 + 3 * load.pieces.len();
        }
        sum
    }

    /// Quaternion that maps principal axes to the user's, of body `b`.
    pub(super) fn principal<R: Real>(&self, b: usize, parameters: &impl Fn(usize) -> R) -> [R; 4] {
        std::array::from_fn(|k| parameters(self.of_body(b, BodyParameter::PRINCIPAL) + k))
    }

    /// The numbers that expressions [call](crate::describe::Mechanism::called).
    pub(super) fn constants<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<R> {
        // Constants are the first of all numbers.
        let constants = self.first.numbers..self.first.numbers + self.mechanism.constants.len();
        constants.chain(self.first.tables..self.varies.len()).map(parameters).collect()
    }

    /// phi and theta at a point of a flexible body seen from its mass centre, principal axes;
    /// `None`: it is rigid.
    fn shapes(&self, b: usize, at: [f64; 3]) -> Option<[Vec<[f64; 3]>; 2]> {
        let flexible = self.mechanism.bodies[b].flexible.as_ref()?;
        // The reader has refused points without shapes.
        let local = flexible.modal.local(at).unwrap_or_else(|_| Local::rigid(flexible.modes()));
        let principal = self.deformable[b].as_ref()?.principal;
        let turned = |v: &nalgebra::Vector3<f64>| match principal {
            [1.0, 0.0, 0.0, 0.0] => (*v).into(),
            turn => to_body(turn, (*v).into()),
        };
        let none = vec![nalgebra::Vector3::zeros(); flexible.modes()];
        let turns = local.turns.unwrap_or(none);
        let mut shapes = local.shapes;
        if flexible.modal.is_attached() {
            shapes.iter_mut().zip(&flexible.modal.constants.s).for_each(|(shape, s)| *shape -= s);
        }
        Some([shapes.iter().map(turned).collect(), turns.iter().map(turned).collect()])
    }

    /// Displacement of the watched point of body `b` against its frame, the user's body axes (m).
    pub fn deflection<R: Real>(&self, b: usize, motion: &Motion<R>) -> [R; 3] {
        let zero = [motion.q[0].lift(0.0); 3];
        let Some(flexible) = &self.mechanism.bodies[b].flexible else { return zero };
        let local = flexible.modal.local(flexible.watch);
        let local = local.unwrap_or_else(|_| Local::rigid(flexible.modes()));
        let pairs = local.shapes.iter().zip(&motion.modal.amplitudes);
        pairs.fold(zero, |sum, (shape, eta)| std::array::from_fn(|i| eta.mul_add(eta.lift(shape[i]), sum[i])))
    }

    /// From the origin of body `b`, which is free, to its mass centre as it is deformed, and the
    /// rate of that in the body's axes (m, m/s); both in principal axes.
    pub fn centre_from_origin<R: Real>(
        &self,
        b: usize,
        motion: &Motion<R>,
        parameters: &impl Fn(usize) -> R,
    ) -> (Vec3<R>, Option<Vec3<R>>) {
        let centre = vector(parameters, self.of_body(b, BodyParameter::CENTRE));
        let ModalCoordinates { amplitudes, rates } = &motion.modal;
        let moved = |e: &[R]| self.deformable[b].as_ref()?.centre_moved(e);
        (moved(amplitudes).map_or(centre, |moved| add(centre, moved)), moved(rates))
    }

    /// A point and a frame.
    fn side<R: Real>(&self, at: usize, point: &Point, parameters: &impl Fn(usize) -> R) -> Side<R> {
        let frame = [3, 6, 9].map(|k| vector(parameters, at + k));
        self.side_with(at, point, frame, parameters)
    }

    /// A point, the frame of which is not among the parameters.
    fn side_without_frame<R: Real>(
        &self,
        at: usize,
        point: &Point,
        parameters: &impl Fn(usize) -> R,
    ) -> Side<R> {
        self.side_with(at, point, [[parameters(at).lift(0.0); 3]; 3], parameters)
    }

    fn side_with<R: Real>(
        &self,
        at: usize,
        point: &Point,
        frame: [Vec3<R>; 3],
        parameters: &impl Fn(usize) -> R,
    ) -> Side<R> {
        let arm = vector(parameters, at);
        let lift = |v: [f64; 3]| v.map(|x| arm[0].lift(x));
        let bent =
            |columns: Vec<[f64; 3]>| FlexibleVector { columns: columns.into_iter().map(lift).collect() };
        let bends = point.body.and_then(|b| self.shapes(b, point.at)).map(|[shapes, turns]| {
            let turn = bent(turns);
            let turned = |axis| FlexibleVector {
                columns: turn.columns.iter().map(|turn| cross(*turn, axis)).collect(),
            };
            SideFlexibility { arm: bent(shapes), frame: frame.map(turned), turn }
        });
        let moves = point.body.is_some_and(|b| !self.fixed_point(b));
        Side {
            body: point.body,
            arm,
            origin: match point.body {
                Some(b) if !moves => vector(parameters, self.of_body(b, BodyParameter::ORIGIN)),
                _ => [arm[0].lift(0.0); 3],
            },
            frame,
            moves,
            bends,
        }
    }

    /// The `part`-th number of an element; 0 of an element that has none.
    pub(super) fn number<R: Real>(
        &self,
        element: NumberOwner,
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
    pub fn joints<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<JointRows<R>> {
        let rows = |(k, joint): (usize, &crate::describe::Joint)| {
            let at = self.first.joints + 2 * k * SIDE;
            let sides = [0, 1].map(|s| self.side(at + s * SIDE, &joint.points[s], parameters));
            JointRows::new(joint.kind, sides, self.number(NumberOwner::Joint, k, 0, parameters))
        };
        self.mechanism.joints.iter().enumerate().map(rows).collect()
    }

    /// Forces and beam elements, in the order in which they act.
    fn elements<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<Box<dyn ForceLaw<R>>> {
        let mut forces: Vec<(usize, Box<dyn ForceLaw<R>>)> = Vec::with_capacity(self.mechanism.forces.len());
        let mut at = self.first.forces;
        for (k, force) in self.mechanism.forces.iter().enumerate() {
            forces.push((rank(force.card), self.law_of(k, at, parameters)));
            at += width_of_sides(force);
        }
        forces.sort_by_key(|(rank, _)| *rank);
        let before = forces.iter().position(|(rank, _)| *rank >= BEFORE_BEAM_ELEMENTS);
        let after = forces.split_off(before.unwrap_or(forces.len()));
        let alone = |(_, force)| force;
        let beams = self.beam_elements(parameters).into_iter();
        let beams = beams.map(|element| Box::new(element) as Box<dyn ForceLaw<R>>);
        let laws = self.load_laws(parameters).into_iter().map(|law| Box::new(law) as Box<dyn ForceLaw<R>>);
        forces.into_iter().map(alone).chain(beams).chain(after.into_iter().map(alone)).chain(laws).collect()
    }

    /// The law of force k, whose sides begin at a parameter.
    fn law_of<R: Real>(&self, k: usize, at: usize, parameters: &impl Fn(usize) -> R) -> Box<dyn ForceLaw<R>> {
        let force = &self.mechanism.forces[k];
        let side = |s: usize, point: &Point| self.side(at + s * SIDE, point, parameters);
        let joined = match &force.attached {
            Attached::Points([a, b]) | Attached::Frames { points: [a, b], .. } => {
                Joined::Sides(Box::new([side(0, a), side(1, b)]))
            }
            Attached::Coordinate(of) => Joined::Coordinate(*of),
            Attached::Body(body) => {
                let centre = || vector(parameters, self.of_body(*body, BodyParameter::CENTRE));
                let principal = || self.principal(*body, parameters);
                Joined::Body {
                    body: *body,
                    arm: self.fixed_point(*body).then(centre),
                    principal: (!self.axes_are_principal[*body]).then(principal),
                }
            }
        };
        let first = numbers::position(&self.numbers, NumberOwner::Force, k).unwrap_or(self.numbers.len());
        let own = first..first + force.numbers.len();
        let damped = own.clone().any(|number| self.loses(number));
        let values: Vec<R> = own.map(|number| parameters(self.first.numbers + number)).collect();
        let before = || self.mechanism.forces[..k].iter().filter(|force| force.card.spins).count();
        let carrier = self.mechanism.carrier().filter(|_| force.card.spins);
        let carried = carrier.map(|carrier| (carrier, self.mechanism.states.len() + before()));
        law(&values, Mounting { force, joined, damped, carried })
    }

    /// A rotor, by its position among all.
    fn rotor<R: Real>(&self, rotor: usize, parameters: &impl Fn(usize) -> R) -> Box<dyn ForceLaw<R>> {
        let forces = self.mechanism.forces.iter().enumerate();
        let mut rotors = forces.filter(|(_, force)| force.card.spins).map(|(k, _)| k);
        let k = rotors.nth(rotor).expect("a rotor that is there");
        let before = self.mechanism.forces[..k].iter().map(width_of_sides).sum::<usize>();
        self.law_of(k, self.first.forces + before, parameters)
    }

    /// By rotor, its momentum (N m s) where the number that is carried for it is one: sqrt(J).
    pub fn momenta_of_one(&self, parameters: &impl Fn(usize) -> f64) -> Vec<f64> {
        let ones = self.motions(&vec![1.0; self.width()]);
        let momentum = |rotor| self.rotor(rotor, parameters).spin(&ones).map_or(1.0, |spin| spin.momentum);
        (0..self.mechanism.rotors().count()).map(momentum).collect()
    }

    /// Angular momentum of rotors on these bodies along their axes (kg m²/s), space axes; `None`:
    /// there are none.
    fn momentum_of_rotors<R: Real>(
        &self,
        on: impl Fn(usize) -> bool,
        motions: &[Motion<R>],
        parameters: &impl Fn(usize) -> R,
    ) -> Option<Vec3<R>> {
        let momentum_of = |rotor| {
            let Spin { momentum, along, .. } = self.rotor(rotor, parameters).spin(motions)?;
            Some(scale(momentum, along))
        };
        let rotors = self.mechanism.rotors().enumerate();
        let on_them = rotors.filter(|(_, rotor)| matches!(rotor.attached, Attached::Body(body) if on(body)));
        on_them.filter_map(|(rotor, _)| momentum_of(rotor)).reduce(add)
    }

    /// Gives rotors the momenta with which they start, bodies moving so.
    pub(super) fn start_rotors(&self, motions: &mut [Motion<f64>], parameters: &impl Fn(usize) -> f64) {
        (0..self.mechanism.rotors().count()).for_each(|k| self.rotor(k, parameters).start(motions));
    }

    /// The loads that depend on the motion.
    fn load_laws<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<LoadLaw<R>> {
        let laws = self.mechanism.loads.iter().enumerate().filter(|(_, load)| load.is_law());
        let law = |(k, load): (usize, &crate::describe::Load)| {
            Some(LoadLaw {
                kind: load.kind,
                axes: load.axes,
                functions: load.function.clone()?,
                side: self.spot(Spot::Load(k), parameters),
                principal: (!self.axes_are_principal[load.body])
                    .then(|| self.principal(load.body, parameters)),
            })
        };
        laws.filter_map(law).collect()
    }

    /// A point at which a law measures or acts, or that has a name.
    pub fn spot<R: Real>(&self, spot: Spot, parameters: &impl Fn(usize) -> R) -> Side<R> {
        let m = &self.mechanism;
        let at = self.spots.iter().position(|known| m.is_one(*known, spot));
        let first = self.first.spots + at.expect("all points of laws are listed") * SIDE;
        self.side_without_frame(first, &m.place(spot), parameters)
    }

    /// Returns the sensors and signals by which laws know the motion. `memory`: what is remembered,
    /// by which sampled signals are held; empty: all are taken now.
    pub fn sensing<R: Real>(&self, parameters: &impl Fn(usize) -> R, memory: &[R]) -> Sensing<R> {
        let mounted = |sensor: &Sensor| {
            let principal =
                |body: usize| (!self.axes_are_principal[body]).then(|| self.principal(body, parameters));
            match *sensor {
                Sensor::Coordinate(of) => MountedSensor::Coordinate(of),
                Sensor::CoordinateRate(of) => MountedSensor::CoordinateRate(of),
                Sensor::Position { spot, axis } => MountedSensor::Position(self.spot(spot, parameters), axis),
                Sensor::Velocity { spot, axis } => MountedSensor::Velocity(self.spot(spot, parameters), axis),
                Sensor::AngularVelocity { body, axis } => {
                    MountedSensor::AngularVelocity { body, axis, principal: principal(body) }
                }
                Sensor::Attitude { body, component } => {
                    MountedSensor::Attitude { body, component, principal: principal(body) }
                }
                Sensor::Length { spring } => MountedSensor::Length(self.ends(spring, parameters)),
                Sensor::LengthRate { spring } => MountedSensor::LengthRate(self.ends(spring, parameters)),
                Sensor::RotorSpeed { rotor } => MountedSensor::Rotor(self.rotor(rotor, parameters), false),
                Sensor::RotorMomentum { rotor } => MountedSensor::Rotor(self.rotor(rotor, parameters), true),
                Sensor::Energy(part) => {
                    MountedSensor::Energy(Box::new(self.energy(parameters, memory)), part)
                }
                Sensor::Effect(effect) => MountedSensor::Effect(match effect {
                    Effect::Acceleration { spot, axis } => {
                        MountedEffect::Acceleration(Box::new(self.spot(spot, parameters)), axis)
                    }
                    Effect::CoordinateAcceleration(of) => MountedEffect::CoordinateAcceleration(of),
                    Effect::JointForce { joint, axis } => MountedEffect::JointForce(joint, axis),
                    Effect::JointTorque { joint, axis } => MountedEffect::JointTorque(joint, axis),
                    Effect::Tension { spring } => MountedEffect::Tension(spring),
                    Effect::MotorTorque { rotor } => MountedEffect::MotorTorque(rotor),
                }),
            }
        };
        Sensing {
            sensors: self.mechanism.sensors.iter().map(mounted).collect(),
            rates: self.mechanism.states.iter().map(|state| state.rate.clone()).collect(),
            carrier: self.mechanism.carrier(),
            carried: self.mechanism.carried(),
            signals: self.mechanism.signals.clone(),
            held: self.held_values(memory),
            feels_rates: self.mechanism.laws_feel_rates(),
        }
    }

    /// Distance of the points of a force (m); `None`: it has no points.
    pub fn distance<R: Real>(
        &self,
        force: &Force,
        motions: &[Motion<R>],
        parameters: &impl Fn(usize) -> R,
    ) -> Option<R> {
        let [a, b] = self.sides_of(force, parameters)?;
        Some(length(sub(b.point(motions).0, a.point(motions).0)))
    }

    /// The points of a force of the mechanism; `None`: it has none.
    fn sides_of<R: Real>(&self, force: &Force, parameters: &impl Fn(usize) -> R) -> Option<[Side<R>; 2]> {
        let [a, b] = force.points() else { return None };
        let before = self.mechanism.forces.iter().take_while(|other| *other != force);
        let at = self.first.forces + before.map(width_of_sides).sum::<usize>();
        let side = |k: usize, point| self.side_without_frame(at + k * SIDE, point, parameters);
        Some([side(0, a), side(1, b)])
    }

    /// The points of a force along a line, by its position among
    /// [these](crate::describe::Mechanism::lines).
    pub fn ends<R: Real>(&self, line: usize, parameters: &impl Fn(usize) -> R) -> Box<[Side<R>; 2]> {
        let line = self.mechanism.lines().nth(line).expect("a force along a line that is there");
        Box::new(self.sides_of(line, parameters).expect("a line has two ends"))
    }

    /// Whether a number takes energy in any instance.
    fn loses(&self, number: usize) -> bool {
        let described = &self.numbers[number];
        described.role == Role::Loses && (described.value != 0.0 || self.varies[self.first.numbers + number])
    }

    pub fn beam_elements<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<TimoshenkoElement<R>> {
        let element = |(k, element): (usize, &crate::describe::BeamElement)| {
            let at = |side: usize| self.first.beam_elements + (2 * k + side) * BEAM_SIDE;
            let (owner, index) = self.mechanism.owner_of_section(k);
            let number = |part: usize| self.number(owner, index, part, parameters);
            let factor = number(7);
            TimoshenkoElement {
                sides: [0, 1].map(|s| self.side_without_frame(at(s), &element.points[s], parameters)),
                frames: [0, 1].map(|s| std::array::from_fn(|i| parameters(at(s) + 3 + i))),
                length: factor.lift(element.length),
                stretching: [0, 1, 2].map(|part| factor * number(part)),
                bending: [3, 4, 5].map(|part| factor * number(part)),
                damping: number(6),
                damped: numbers::position(&self.numbers, owner, index)
                    .is_some_and(|first| self.loses(first + 6)),
            }
        };
        self.mechanism.beam_elements.iter().enumerate().map(element).collect()
    }

    /// Returns the constraints on the bodies. `memory`: what is remembered, or nothing where no
    /// lock is asked; `angles`: the values near which angles of joints are.
    pub(super) fn constraint_set<R: Real>(
        &self,
        parameters: &impl Fn(usize) -> R,
        memory: &[R],
        angles: &[(JointCoordinate, R)],
    ) -> ConstraintSet<R> {
        let generators = self.mechanism.generators.iter().enumerate().map(|(k, generator)| {
            let side = |point: &Point| self.side(self.first.generators + k * SIDE, point, parameters);
            GeneratorRows::new(generator, side)
        });
        let contacts = self.mechanism.contacts.iter().enumerate().map(|(k, contact)| {
            ContactRows::new(contact, self.side(self.first.contacts + k * SIDE, &contact.point, parameters))
        });
        let locks = self.mechanism.locks.iter().enumerate().map(|(k, lock)| {
            let at = self.number(NumberOwner::Lock, k, 0, parameters);
            let flag = self.remembered(Memory::Flag(k)).and_then(|place| memory.get(place));
            LockRow {
                of: lock.of,
                at,
                release: self.releases(k).then(|| self.number(NumberOwner::Lock, k, 1, parameters)),
                flag: flag.copied().unwrap_or(at.lift(0.0)),
            }
        });
        ConstraintSet {
            joints: self.joints(parameters),
            generators: generators.collect(),
            contacts: contacts.collect(),
            locks: locks.collect(),
            constants: self.constants(parameters),
            angles: angles.to_vec(),
        }
    }

    /// Whether a lock can let go.
    pub(super) fn releases(&self, lock: usize) -> bool {
        let varies = numbers::position(&self.numbers, NumberOwner::Lock, lock)
            .is_some_and(|first| self.varies[self.first.numbers + first + 1]);
        varies || self.mechanism.locks[lock].release.is_finite()
    }

    /// By joint, its remembered angle, near which it is now.
    pub(super) fn angles<R: Real>(&self, memory: &[R]) -> Vec<(JointCoordinate, R)> {
        let angle = |(item, value): (&Memory, &R)| match item {
            Memory::Coordinate(of) if of.coordinate.counts_turns() => Some((*of, *value)),
            _ => None,
        };
        self.memory().iter().zip(memory).filter_map(angle).collect()
    }

    /// The samples of a method, and those at which forces are asked for what they cause.
    pub fn samples(&self, method: Vec<Sample>) -> Vec<Sample> {
        [&method[..], self.effect_samples()].concat()
    }

    fn effect_samples(&self) -> &'static [Sample] {
        const BOTH_ENDS: [Sample; 2] = [AFTER_START, BEFORE_END.with_loads(LoadValue::Instant)];
        if self.mechanism.asks_effects() { &BOTH_ENDS } else { &[] }
    }

    /// Returns the system that a method with these samples advances. `memory`: what is remembered
    /// at the step's start, the number of the step among it where the model remembers that;
    /// `factors`: of a sample and a timed load.
    pub fn system<R: Real>(
        &self,
        samples: &[Sample],
        parameters: &impl Fn(usize) -> R,
        memory: &[R],
        factors: &impl Fn(usize, usize) -> R,
    ) -> System<R> {
        self.system_over(None, samples, parameters, memory, factors)
    }

    /// As [`Model::system`], over a part of the step of the study; `None`: over the whole of it.
    pub fn system_over<R: Real>(
        &self,
        part: Option<PartOfStep<R>>,
        samples: &[Sample],
        parameters: &impl Fn(usize) -> R,
        memory: &[R],
        factors: &impl Fn(usize, usize) -> R,
    ) -> System<R> {
        let full = parameters(self.step());
        let clock = self.remembered(Memory::Clock).map_or(full.lift(0.0), |at| memory[at]);
        let own = samples.len() - self.effect_samples().len().min(samples.len() - 1);
        let meets_jumps = self.branches_in_time;
        let timing = Timing { full, part, clock, samples: samples.to_vec(), own, meets_jumps };
        let loads = samples
            .iter()
            .enumerate()
            .map(|(s, sample)| self.loads(parameters, &|f| factors(s, f), &timing.moment(*sample)))
            .collect();
        let parts = Parts {
            bodies: self.body_constants(parameters),
            held: self.held_now(parameters, memory),
            elements: self.elements(parameters),
            sensing: self.sensing(parameters, memory),
            treatment: self.treatment.clone(),
            treatment_numbers: (self.first.scheme + 1..self.first.loads).map(parameters).collect(),
            carried_rows: self.carried_rows(),
            redundancy: self.redundancy.clone(),
            partition: self.partition.clone().map(|partition| InstancePartition {
                partition,
                principal: (0..self.bodies())
                    .map(|b| (!self.axes_are_principal[b]).then(|| self.principal(b, parameters)))
                    .collect(),
            }),
        };
        System::new(timing, parts, loads)
    }

    /// As the [system](Self::system) of a single sample that looks so many steps after the step's
    /// start, by turning this one there: what does not depend on the time is kept. `factors`: of a
    /// timed load.
    pub fn look<R: Real>(
        &self,
        system: &mut System<R>,
        steps: f64,
        parameters: &impl Fn(usize) -> R,
        factors: &impl Fn(usize) -> R,
    ) {
        let change = self.mechanism.loads.iter().any(|load| load.function.is_some() && !load.is_law());
        let now = system.look(steps);
        if change {
            system.load(self.loads(parameters, factors, &now));
        }
    }

    /// Returns the constraints on the bodies of an instance that remembers this.
    pub fn held_now<R: Real>(&self, parameters: &impl Fn(usize) -> R, memory: &[R]) -> ConstraintSet<R> {
        self.constraint_set(parameters, memory, &self.angles(memory))
    }

    /// The deformation of body `b`; `None`: it is rigid.
    fn deformation<R: Real>(&self, b: usize, parameters: &impl Fn(usize) -> R) -> Option<Deformation<R>> {
        let deformable = self.deformable[b].as_ref()?;
        let inertia = vector(parameters, self.of_body(b, BodyParameter::INERTIA));
        let number = |part| self.number(NumberOwner::Flexible, b, part, parameters);
        Some(deformable.of(inertia, number(0), number(1)))
    }

    /// |Phi| of what holds the bodies, the root of the sum of squares of all rows' violations (m,
    /// or 1 for cosines).
    pub fn violation<R: Real>(
        &self,
        motions: &[Motion<R>],
        parameters: &impl Fn(usize) -> R,
        memory: &[R],
    ) -> R {
        let zero = motions[0].q[0].lift(0.0);
        let t = self.remembered(Memory::Clock).map_or(zero, |at| memory[at]) * parameters(self.step());
        let rows = self.held_now(parameters, memory).rows(motions, t);
        rows.into_iter().fold(zero, |sum, row| row.violation.mul_add(row.violation, sum)).sqrt()
    }

    pub(super) fn body_constants<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<BodyConstants<R>> {
        let constants = |b| BodyConstants {
            inertia: vector(parameters, self.of_body(b, BodyParameter::INERTIA)),
            mass: parameters(self.of_body(b, BodyParameter::MASS)),
            moves: !self.fixed_point(b),
            deformation: self.deformation(b, parameters),
            carries: self.mechanism.carrier() == Some(b),
        };
        (0..self.bodies()).map(constants).collect()
    }

    /// Angular momentum of all bodies, which are rigid, about the mass centre of all (kg m²/s),
    /// space axes.
    pub fn angular_momentum_about_centre<R: Real>(
        &self,
        motions: &[Motion<R>],
        parameters: &impl Fn(usize) -> R,
    ) -> [R; 3] {
        let all: Vec<usize> = (0..self.bodies()).collect();
        self.momenta_of(&all, motions, parameters)[1]
    }

    /// Linear momentum of these bodies, which are rigid (kg m/s), and their angular momentum about
    /// their mass centre (kg m²/s), space axes:
    ///
    /// ```text
    /// P = sum m_b v_b ;  H = sum H_b + m_b (r_b - r) x (v_b - v),  r = sum m_b r_b / m,  v = P / m
    /// ```
    ///
    /// with the mass centre r_b, its velocity v_b, and the angular momentum H_b about it, of body
    /// b, and of rotors on it.
    pub fn momenta_of<R: Real>(
        &self,
        group: &[usize],
        motions: &[Motion<R>],
        parameters: &impl Fn(usize) -> R,
    ) -> [Vec3<R>; 2] {
        let zero = motions[0].q[0].lift(0.0);
        let of_body = |&b: &usize| {
            let motion = &motions[b];
            let mass = parameters(self.of_body(b, BodyParameter::MASS));
            let inertia = vector(parameters, self.of_body(b, BodyParameter::INERTIA));
            let spin = to_space(motion.q, times(inertia, motion.w));
            if !self.fixed_point(b) {
                return (mass, motion.r, motion.v, spin);
            }
            // The inertia is about the fixed point.
            let arm = to_space(motion.q, vector(parameters, self.of_body(b, BodyParameter::CENTRE)));
            let origin = vector(parameters, self.of_body(b, BodyParameter::ORIGIN));
            let velocity = cross(to_space(motion.q, motion.w), arm);
            (mass, add(origin, arm), velocity, sub(spin, cross(arm, scale(mass, velocity))))
        };
        let bodies: Vec<_> = group.iter().map(of_body).collect();
        let mass = bodies.iter().fold(zero, |sum, (mass, ..)| sum + *mass);
        let moment = bodies.iter().fold([zero; 3], |sum, (mass, r, ..)| add(sum, scale(*mass, *r)));
        let linear = bodies.iter().fold([zero; 3], |sum, (mass, _, v, _)| add(sum, scale(*mass, *v)));
        let (centre, velocity) = (moment.map(|x| x / mass), linear.map(|x| x / mass));
        let rotors = self.momentum_of_rotors(|body| group.contains(&body), motions, parameters);
        let angular = bodies.iter().fold(rotors.unwrap_or([zero; 3]), |sum, (mass, r, v, spin)| {
            add(sum, add(*spin, cross(sub(*r, centre), scale(*mass, sub(*v, velocity)))))
        });
        [linear, angular]
    }

    /// Angular momentum, space axes (kg m²/s): of a single body about its mass centre or fixed
    /// point, else of all bodies about the space origin.
    pub fn angular_momentum<R: Real>(
        &self,
        motions: &[Motion<R>],
        parameters: &impl Fn(usize) -> R,
    ) -> [R; 3] {
        let spin = |b: usize| {
            if let Some(deformation) = self.deformation(b, parameters) {
                let ModalCoordinates { amplitudes, rates } = &motions[b].modal;
                return to_space(motions[b].q, deformation.momentum(motions[b].w, amplitudes, rates));
            }
            let inertia = vector(parameters, self.of_body(b, BodyParameter::INERTIA));
            to_space(motions[b].q, times(inertia, motions[b].w))
        };
        let rotors = self.momentum_of_rotors(|_| true, motions, parameters);
        if self.bodies() == 1 {
            return rotors.map_or_else(|| spin(0), |rotors| add(rotors, spin(0)));
        }
        let mut sum = rotors.unwrap_or([motions[0].q[0].lift(0.0); 3]);
        for (b, motion) in motions.iter().enumerate() {
            let mass = parameters(self.of_body(b, BodyParameter::MASS));
            let (from, velocity) = if self.fixed_point(b) {
                let centre = vector(parameters, self.of_body(b, BodyParameter::CENTRE));
                let origin = vector(parameters, self.of_body(b, BodyParameter::ORIGIN));
                (origin, to_space(motion.q, cross(motion.w, centre)))
            } else {
                (motion.r, motion.v)
            };
            sum = add(sum, add(spin(b), cross(from, scale(mass, velocity))));
        }
        sum
    }
}
