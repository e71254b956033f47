//! The equations of several rigid bodies with what holds and pushes them.
//!
//! The velocities u are, body by body, v of the pivot in space axes (none with a fixed point) and w
//! in body axes:
//!
//! ```text
//! M udot + B^T lam = Q,   B u + Phi_t = 0,   B udot + c = 0,   c = Bdot u + 2 Phi_ts + Phi_tt
//! M = diag(m I, J),   Q = (m g + sum F,  M_applied - w x J w)
//!                     and what springs, stops, bushings, beams and drags do
//! udot = M^-1 (Q - B^T lam),   lam by the treatment
//! ```
//!
//! The rows of B are those of all joints, generators, contacts and locks, in this order and in that
//! of the description. Everything is dense. PCD90 (41) prints the other sign of `B^T lam`, against
//! its own (37).

mod assembly;

use std::sync::Arc;

use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

use polhode_description::describe::numbers::position;
use polhode_description::describe::{
    self, Expression, Force, JointCoordinate, Mechanism, Number, NumberOwner,
};

use super::ReferenceError;
use super::body::{MeanLoads, Motion, RigidBody};
use super::contact::Contact;
use super::coordinate::JointNumber;
use super::elements::beam_element::BeamElement;
use super::elements::{self, AtCoordinate, FIRST, Push, Pushing, Twin};
use super::function::{self, Given, SidedTime};
use super::generator::Generator;
use super::joint::Joint;
use super::laws::{Energies, Laws};
use super::lock::Lock;
use super::rotation::{attitude_rate, exponential, lam, unit};
use super::series::Series;
use super::treatment::{Demand, REDUNDANT, SINGULAR, Treatment, truncated_solve};
use super::{BodyState, Instance, LockTimes, Reaction, SolvedRows, State};

/// The rows of a [`RigidBody`]'s flat motion.
const WIDTH: usize = 13;

/// Coefficient of Phi in the rows of locks that hold, times h²: a lock closes a tenth of what is
/// left a step.
const LOCK_CLOSING: f64 = 0.01;

/// All bodies of an instance with what holds and pushes them, and what is remembered from one full
/// step to the next: the turns of the joints' angles, and which locks hold.
#[derive(Clone, Debug)]
pub struct MultibodySystem {
    bodies: Vec<RigidBody>,
    joints: Vec<Joint>,
    coordinates: Vec<JointNumber>,
    generators: Vec<Generator>,
    contacts: Vec<Contact>,
    /// Its locks, as they stand.
    locks: Vec<Lock>,
    /// In the order in which they act.
    elements: Vec<Twin>,
    constants: Vec<f64>,
    /// Sensors and signals, by which functions of the motion know it.
    laws: Laws,
    /// By body: where its v and its w begin in u.
    places: Vec<Place>,
    /// Length of u.
    velocities: usize,
    /// M^-1 of the undeformed bodies.
    mobility: DMatrix<f64>,
    /// The full step (s), in which a lock stops what it has caught; infinite where it need not.
    step: f64,
    solved: SolvedRows,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    v: Option<usize>,
    w: usize,
    /// Where the rates of its modes begin, and how many there are.
    modal: usize,
    modes: usize,
}

impl Place {
    /// The first velocity of the next body.
    fn end(&self) -> usize {
        self.modal + self.modes
    }
}

/// When the equations are asked, and what acts then.
#[derive(Clone, Debug)]
pub struct Instant {
    /// (s)
    pub time: f64,
    /// That time, as functions see it.
    pub sided: SidedTime,
    /// On every body.
    pub loads: Vec<MeanLoads>,
}

/// The motions from whose velocities multipliers and dampers start: those that are being advanced.
#[derive(Clone, Copy, Debug)]
pub struct Advanced<'a> {
    pub motions: &'a [Motion],
    /// (s)
    pub time: f64,
    /// Over this time (s) all damping is implicit, by the mean of the velocities before and after;
    /// 0: it is that of `motions`.
    pub within: f64,
}

/// The velocities of each body among all.
fn places(bodies: &[RigidBody]) -> Vec<Place> {
    let mut next = 0;
    let place = |body: &RigidBody| {
        let v = (!body.is_held()).then_some(next);
        let w = next + if v.is_some() { 3 } else { 0 };
        let place = Place { v, w, modal: w + 3, modes: body.modes() };
        next = place.end();
        place
    };
    bodies.iter().map(place).collect()
}

/// The inverse of the masses at rest.
fn mobility_without_turns(bodies: &[RigidBody], places: &[Place]) -> Result<DMatrix<f64>, ReferenceError> {
    let velocities = places.last().map_or(0, Place::end);
    let mut mass = DMatrix::zeros(velocities, velocities);
    for (body, place) in bodies.iter().zip(places) {
        if let Some(v) = place.v {
            mass.fixed_view_mut::<3, 3>(v, v).fill_diagonal(body.mass());
        }
        mass.fixed_view_mut::<3, 3>(place.w, place.w).copy_from(body.inertia());
        if let Some(deformation) = body.deformation() {
            let at_rest = deformation.mass_matrix(&DVector::zeros(place.modes), 0.0);
            mass.view_mut((place.w, place.w), at_rest.shape()).copy_from(&at_rest);
        } else {
            // States of laws have unit mass.
            mass.view_mut((place.modal, place.modal), (place.modes, place.modes)).fill_diagonal(1.0);
        }
    }
    Ok(mass.cholesky().ok_or(ReferenceError::NotPositiveDefinite { matrix: "mass" })?.inverse())
}

/// The twins of all forces and beam elements, in the order in which their pushes are added.
fn twins_of_all<'i>(
    mechanism: &Mechanism,
    numbers: &impl Fn(NumberOwner, usize) -> &'i [f64],
    bodies: &[RigidBody],
    place: &impl Fn(JointCoordinate) -> Option<usize>,
) -> Result<Vec<Twin>, ReferenceError> {
    let last = elements::last();
    let has_twin = |force: &&Force| FIRST.iter().chain(&last).any(|(table, _)| *table == force.card.table);
    if let Some(force) = mechanism.forces.iter().find(|force| !has_twin(force)) {
        return Err(ReferenceError::NoForceTwin { element: force.name.clone(), kind: force.card.table });
    }
    let mut elements = Vec::new();
    for (table, make) in FIRST {
        elements.extend(twins(mechanism, table, *make, numbers, bodies, place)?);
    }
    elements.extend((0..mechanism.beam_elements.len()).map(|k| {
        let (owner, index) = mechanism.owner_of_section(k);
        let of_section = std::array::from_fn(|part| numbers(owner, index)[part]);
        let element = BeamElement::new(&mechanism.beam_elements[k], &of_section, bodies);
        Twin::Pushing(Arc::new(element))
    }));
    for (table, make) in last {
        elements.extend(twins(mechanism, table, make, numbers, bodies, place)?);
    }
    Ok(elements)
}

impl MultibodySystem {
    /// # Errors
    /// A body is none ([`RigidBody::new`]), the numbers of joints and forces are not finite or do
    /// not fit the mechanism, or a joint does not have a coordinate that is asked for.
    pub fn new(mechanism: &Mechanism, instance: &Instance) -> Result<MultibodySystem, ReferenceError> {
        if instance.bodies.len() != mechanism.bodies.len() {
            return Err(ReferenceError::BodyCount);
        }
        let described = mechanism.numbers();
        if instance.numbers.len() != described.len() {
            return Err(ReferenceError::NumberCount);
        }
        if let Some((number, _)) = described.iter().zip(&instance.numbers).find(|(_, x)| x.is_nan()) {
            return Err(ReferenceError::NumberNotFinite { number: number.name(mechanism) });
        }
        // The first of an element's numbers and those after it.
        let numbers = |element, index| {
            &instance.numbers[position(&described, element, index).unwrap_or(described.len())..]
        };
        let bodies = (0..mechanism.bodies.len())
            .map(|b| RigidBody::new(mechanism, instance, b))
            .collect::<Result<Vec<_>, _>>()?;
        let places = places(&bodies);
        let velocities = places.last().map_or(0, Place::end);
        let mobility = mobility_without_turns(&bodies, &places)?;

        let joints = mechanism.joints.iter().enumerate();
        let owners: Vec<JointCoordinate> = joints
            .flat_map(|(joint, described)| {
                described
                    .kind
                    .coordinates
                    .iter()
                    .map(move |&coordinate| JointCoordinate { joint, coordinate })
            })
            .collect();
        let firsts = first_values(mechanism, instance, &described, &owners);
        let coordinates = owners
            .iter()
            .zip(firsts)
            .map(|(measured, first)| {
                let start = first.filter(|_| measured.coordinate.is_turn());
                JointNumber::new(&mechanism.joints[measured.joint], measured.coordinate, start, &bodies)
            })
            .collect();
        let place = |measured: JointCoordinate| owners.iter().position(|owner| *owner == measured);
        let elements = twins_of_all(mechanism, &numbers, &bodies, &place)?;
        let pushing = elements.iter().filter_map(|twin| match twin {
            Twin::Pushing(element) => Some(element),
            Twin::AtCoordinate(..) => None,
        });
        let at_rest: Vec<Motion> = bodies
            .iter()
            .map(|body| Motion { amplitude_rates: DVector::zeros(body.modes()), ..Motion::at_rest() })
            .collect();
        let rotors: Vec<_> = pushing.filter(|element| element.spin(&at_rest).is_some()).cloned().collect();
        Ok(MultibodySystem {
            joints: (0..mechanism.joints.len())
                .map(|k| {
                    let length = numbers(NumberOwner::Joint, k).first().copied();
                    Joint::new(&mechanism.joints[k], length.unwrap_or_default(), &bodies)
                })
                .collect::<Result<_, _>>()?,
            generators: mechanism
                .generators
                .iter()
                .map(|generator| Generator::new(generator, place, &bodies))
                .collect::<Result<_, _>>()?,
            contacts: mechanism
                .contacts
                .iter()
                .map(|contact| Contact::new(contact, &bodies))
                .collect::<Result<_, _>>()?,
            locks: (0..mechanism.locks.len())
                .map(|k| {
                    let of_lock = numbers(NumberOwner::Lock, k);
                    Lock::new(&mechanism.locks[k], [of_lock[0], of_lock[1]], place)
                })
                .collect::<Result<_, _>>()?,
            elements,
            constants: instance.called(mechanism),
            laws: Laws::new(mechanism, &bodies, place, &rotors)?,
            coordinates,
            bodies,
            places,
            velocities,
            mobility,
            step: f64::INFINITY,
            solved: SolvedRows {
                independent: instance.solved.independent || is_open_chain(mechanism),
                ..instance.solved.clone()
            },
        })
    }

    /// The state at t = 0, as described: nothing is projected.
    ///
    /// # Errors
    /// As [`RigidBody::start`].
    pub fn start(&self, mechanism: &Mechanism, instance: &Instance) -> Result<Vec<Motion>, ReferenceError> {
        let each = (0..self.bodies.len()).map(|b| self.bodies[b].start(mechanism, instance, b));
        let mut motions = each.collect::<Result<Vec<_>, _>>()?;
        self.start_rotors(&mut motions);
        Ok(motions)
    }

    /// Gives rotors the momenta with which they start, bodies moving so.
    fn start_rotors(&self, motions: &mut [Motion]) {
        self.pushing().for_each(|element| element.start(motions));
    }

    /// The body of a mechanism that is one body and nothing else.
    pub fn only(&self) -> Option<&RigidBody> {
        match &self.bodies[..] {
            [body] if self.is_free() => Some(body),
            _ => None,
        }
    }

    /// Its bodies, in the order of the description.
    pub fn bodies(&self) -> &[RigidBody] {
        &self.bodies
    }

    /// Whether all bodies are rigid and nothing acts on them but their loads.
    pub fn is_free(&self) -> bool {
        let rigid = self.bodies.iter().all(|body| body.deformation().is_none());
        rigid && self.elements.is_empty() && !self.is_constrained() && !self.has_load_laws()
    }

    /// Whether a load depends on the motion.
    fn has_load_laws(&self) -> bool {
        self.bodies.iter().flat_map(RigidBody::functions).any(Expression::depends_on_motion)
    }

    /// Whether there are constraint rows.
    pub(crate) fn is_constrained(&self) -> bool {
        !(self.joints.is_empty()
            && self.generators.is_empty()
            && self.contacts.is_empty()
            && self.locks.is_empty())
    }

    /// Whether there is any lock.
    pub(crate) fn has_locks(&self) -> bool {
        !self.locks.is_empty()
    }

    /// Every load: its mean over `from..until` (s), functions at `time` (s).
    pub fn instant(&self, from: f64, until: f64, time: f64) -> Instant {
        self.instant_seen(from, until, SidedTime::within(from, until, time))
    }

    /// As [`Self::instant`], with functions as they are from `time` on.
    pub(crate) fn instant_after(&self, from: f64, until: f64, time: f64) -> Instant {
        self.instant_seen(from, until, SidedTime::after(time, until - from))
    }

    /// As [`Self::instant`], with the loads that act at `time` in place of their means.
    pub(crate) fn instant_with_loads_there(&self, from: f64, until: f64, time: f64) -> Instant {
        let sided = SidedTime::within(from, until, time);
        let loads = self.bodies.iter().map(|body| body.load_at(&sided)).collect();
        Instant { time, sided, loads }
    }

    fn instant_seen(&self, from: f64, until: f64, sided: SidedTime) -> Instant {
        let loads = self.bodies.iter().map(|body| body.mean_load(from, until, &sided)).collect();
        Instant { time: sided.time, sided, loads }
    }

    /// The times at which any load jumps (s), and those between 0 and `until` (s) at which any
    /// function of time is not smooth, in no order.
    pub fn breaks(&self, until: f64) -> Vec<f64> {
        let loads = self.bodies.iter().flat_map(|body| [body.jumps(), body.kinks(until)].concat());
        let functions = self.generators.iter().flat_map(Generator::functions).chain(self.functions());
        let kinks = |f: &Expression| function::kinks(f, 0.0, until, &self.constants);
        loads.chain(functions.flat_map(kinks)).collect()
    }

    /// The longest step (s) that [meets](function::longest_step) all functions of time alone until
    /// then.
    pub fn longest_step(&self, until: f64) -> f64 {
        let functions = self.generators.iter().flat_map(Generator::functions).chain(self.functions());
        let in_time = functions.filter(|f| f.depends_on_argument() && f.inputs().is_empty());
        let longest = in_time.map(|f| function::longest_step(f, until, &self.constants));
        longest.fold(until, f64::min)
    }

    /// The times between `from` and `until` (s) at which any load that is constant by pieces jumps,
    /// in no order.
    pub(crate) fn load_jumps(&self, from: f64, until: f64) -> Vec<f64> {
        let inside = |time: &f64| *time > from && *time < until;
        self.bodies.iter().flat_map(|body| body.jumps()).filter(inside).collect()
    }

    /// The times between `from` and `until` (s) at which any function of time alone jumps, in no
    /// order.
    pub fn function_jumps(&self, from: f64, until: f64) -> Vec<f64> {
        let loads = self.bodies.iter().flat_map(|body| body.functions());
        let functions =
            loads.chain(self.generators.iter().flat_map(Generator::functions)).chain(self.functions());
        functions.flat_map(|f| function::jumps(f, from, until, &self.constants)).collect()
    }

    // --- What is remembered from one full step to the next ---

    /// Every coordinate of every joint (rad or m).
    pub fn coordinates(&self, motions: &[Motion]) -> Vec<f64> {
        self.coordinate_series(motions).iter().map(|s| s.value).collect()
    }

    fn coordinate_series(&self, motions: &[Motion]) -> Vec<Series<f64>> {
        self.coordinates.iter().map(|coordinate| coordinate.series(motions)).collect()
    }

    /// The largest rate of an angle (rad/s).
    pub(crate) fn fastest_turn(&self, motions: &[Motion]) -> f64 {
        let angles = self.coordinates.iter().filter(|coordinate| coordinate.kind().is_turn());
        angles.map(|angle| angle.series(motions).rate.abs()).fold(0.0, f64::max)
    }

    /// Begins at these motions with full steps of `step` (s): angles are unwrapped, and what stands
    /// at a lock is caught.
    pub fn begin(&mut self, motions: &[Motion], step: f64) {
        self.step = step;
        self.remember(motions);
        self.sample(motions, 0.0, |_| true);
        for lock in &mut self.locks {
            if let Some(s) = self.coordinates[lock.coordinate].remembered {
                lock.begin(s);
            }
        }
    }

    /// From now on angles are those nearest to what they are here.
    pub fn remember(&mut self, motions: &[Motion]) {
        for coordinate in &mut self.coordinates {
            coordinate.remembered = Some(coordinate.series(motions).value);
        }
    }

    /// After full step k, which led to these motions and left these multipliers: locks catch and
    /// let go, and the coordinates are remembered.
    pub fn after_step(&mut self, k: u64, motions: &[Motion], multipliers: &DVector<f64>) {
        let first = multipliers.len() - self.locks.len();
        let now = self.coordinates(motions);
        for (lock, multiplier) in self.locks.iter_mut().zip(multipliers.iter().skip(first)) {
            let before = self.coordinates[lock.coordinate].remembered.unwrap_or(f64::NAN);
            lock.after_step(k, self.step, before, now[lock.coordinate], *multiplier);
        }
        self.remember(motions);
        let (done, step) = (k + 1, self.step);
        self.sample(motions, done as f64 * step, |every| done.is_multiple_of(steps_of(every, step)));
    }

    /// Takes the signals that are due, by how often they are sampled (s), at `time` (s).
    pub fn sample(&mut self, motions: &[Motion], time: f64, is_due: impl Fn(f64) -> bool) {
        if self.laws.sampling_times().next().is_some() {
            let coordinates = self.coordinate_series(motions);
            let energies = self.energies(motions);
            self.laws.sample(motions, &coordinates, energies, time, &self.constants, is_due);
        }
    }

    /// Returns the sampling intervals of signals (s).
    pub(crate) fn sampling_times(&self) -> impl Iterator<Item = f64> {
        self.laws.sampling_times()
    }

    /// Whether laws may jump at step k, because signals are sampled there: at all multiples of what
    /// divides all their times.
    pub(crate) fn samples_at(&self, k: u64) -> bool {
        let steps = self.laws.sampling_times().map(|every| steps_of(every, self.step));
        let common = steps.fold(0, |a, b| if a == 0 { b } else { greatest_common_divisor(a, b) });
        common != 0 && k.is_multiple_of(common)
    }

    /// Its locks, as they stand.
    pub fn locks(&self) -> &[Lock] {
        &self.locks
    }

    /// Its locks, to be changed.
    pub fn locks_mut(&mut self) -> &mut [Lock] {
        &mut self.locks
    }

    /// When locks have caught and let go (s).
    pub(crate) fn lock_times(&self) -> Vec<LockTimes> {
        self.locks.iter().map(|lock| lock.times).collect()
    }

    /// Returns how far each coordinate that has a limit is beyond it, and each switch of a law:
    /// where one of these changes its sign, a stop begins or ends to act, or a function of the
    /// motion goes on by another branch.
    pub fn beyond_limits(&self, motions: &[Motion], time: f64) -> Vec<f64> {
        let s = self.coordinates(motions);
        let beyond = |(coordinate, element): (usize, &dyn AtCoordinate)| -> Vec<f64> {
            element.limits().iter().map(|limit| s[coordinate] - limit).collect()
        };
        let stops = self.at_coordinates().flat_map(beyond);
        let given = self.given(motions, time);
        let switches = self.functions().flat_map(function::switches_of_motion);
        stops.chain(switches.map(|switch| given.value(&switch))).collect()
    }

    /// All that functions of the motion know of it at `time` (s).
    fn given(&self, motions: &[Motion], time: f64) -> Given {
        let (coordinates, energies) = (self.coordinate_series(motions), self.energies(motions));
        self.laws.given(motions, &coordinates, energies, time, &self.constants)
    }

    /// As [`Self::given`], seen from a side of an instant, or from both.
    fn given_at(&self, motions: &[Motion], instant: &Instant) -> Given {
        if !self.laws.branch_in_time {
            return self.given(motions, instant.time);
        }
        let mut sides = instant.sided.looks().iter().rev().map(|time| self.given(motions, *time));
        let first = sides.next().unwrap_or_default();
        sides.fold(first, |beside, given| Given { beside: Some(Box::new(beside)), ..given })
    }

    /// Kinetic energy and the rest, where a law asks for them.
    fn energies(&self, motions: &[Motion]) -> Energies {
        if !self.laws.ask_energy() {
            return Energies::default();
        }
        let kinetic = self.kinetic(motions);
        Energies { kinetic, potential: self.energy(motions) - kinetic }
    }

    /// Kinetic energy `u^T M u / 2` (J).
    fn kinetic(&self, motions: &[Motion]) -> f64 {
        let mut moving = motions.to_vec();
        for (body, motion) in self.bodies.iter().zip(&mut moving) {
            if body.deformation().is_none() {
                // States of laws, which are the first, have no energy.
                let states = self.laws.states().min(motion.amplitude_rates.len());
                motion.amplitude_rates.rows_mut(0, states).fill(0.0);
            }
        }
        let u = self.velocities(&moving);
        0.5 * u.dot(&self.inertial(motions, &u))
    }

    /// The functions of time and motion by which loads and forces act, and the signals.
    fn functions(&self) -> impl Iterator<Item = &Expression> {
        let at_coordinates = self.at_coordinates().flat_map(|(_, element)| element.functions());
        let pushing = self.pushing().flat_map(|element| element.functions());
        let loads = self.bodies.iter().flat_map(RigidBody::functions);
        at_coordinates.chain(pushing).chain(loads).chain(self.laws.functions())
    }

    fn pushing(&self) -> impl Iterator<Item = &dyn Pushing> {
        self.elements.iter().filter_map(|element| match element {
            Twin::Pushing(element) => Some(&**element),
            Twin::AtCoordinate(..) => None,
        })
    }

    /// With the positions of their coordinates.
    fn at_coordinates(&self) -> impl Iterator<Item = (usize, &dyn AtCoordinate)> {
        self.elements.iter().filter_map(|element| match element {
            Twin::Pushing(_) => None,
            Twin::AtCoordinate(coordinate, element) => Some((*coordinate, &**element)),
        })
    }

    // --- The equations ---

    /// u.
    pub fn velocities(&self, motions: &[Motion]) -> DVector<f64> {
        let mut u = DVector::zeros(self.velocities);
        for (motion, place) in motions.iter().zip(&self.places) {
            if let Some(v) = place.v {
                u.fixed_rows_mut::<3>(v).copy_from(&motion.velocity);
            }
            u.fixed_rows_mut::<3>(place.w).copy_from(&motion.angular_velocity);
            u.rows_mut(place.modal, place.modes).copy_from(&motion.amplitude_rates);
        }
        u
    }

    /// M^-1 of the bodies as they are deformed. With damping that is implicit over `within` (s), 0:
    /// none.
    fn mobility(&self, at: &[Motion], within: f64) -> DMatrix<f64> {
        let mut mobility = self.mobility.clone();
        for ((body, place), motion) in self.bodies.iter().zip(&self.places).zip(at) {
            let Some(deformation) = body.deformation() else { continue };
            let mass = deformation.mass_matrix(&motion.amplitudes, within);
            let size = mass.shape();
            let inverse = mass.try_inverse().unwrap_or_else(|| DMatrix::repeat(size.0, size.1, f64::NAN));
            mobility.view_mut((place.w, place.w), size).copy_from(&inverse);
        }
        mobility
    }

    /// `(M + h/2 D)^-1` where damping is implicit over h, linearised about the velocities of
    /// `advanced`; M with the inertia at joints.
    fn damped_mobility(&self, at: &[Motion], advanced: Advanced) -> DMatrix<f64> {
        let mobility = self.grown(self.mobility(at, advanced.within), self.inertia_at_joints(at));
        if advanced.within == 0.0 {
            return mobility;
        }
        let damping = self.damping(at, advanced.motions);
        self.grown(mobility, damping.map(|damping| damping * (advanced.within / 2.0)))
    }

    /// `(M + more)^-1` from M^-1.
    fn grown(&self, mobility: DMatrix<f64>, more: Option<DMatrix<f64>>) -> DMatrix<f64> {
        let Some(more) = more else { return mobility };
        let n = self.velocities;
        let grown = DMatrix::identity(n, n) + &mobility * more;
        grown.lu().solve(&mobility).unwrap_or_else(|| DMatrix::repeat(n, n, f64::NAN))
    }

    /// `B^T I B` of the inertias at joints; `None`: there are none.
    fn inertia_at_joints(&self, at: &[Motion]) -> Option<DMatrix<f64>> {
        if self.at_coordinates().all(|(_, element)| element.inertia() == 0.0) {
            return None;
        }
        let b = self.coordinate_rows(at);
        let mut mass = DMatrix::zeros(self.velocities, self.velocities);
        for (coordinate, element) in self.at_coordinates() {
            let row = b.row(coordinate);
            mass += row.transpose() * row * element.inertia();
        }
        Some(mass)
    }

    /// B of all coordinates of joints.
    fn coordinate_rows(&self, at: &[Motion]) -> DMatrix<f64> {
        let mut b = DMatrix::zeros(self.coordinates.len(), self.velocities);
        for body in 0..self.places.len() {
            for j in self.velocities_of(body) {
                let moving = self.moving_along(at, j);
                for (row, coordinate) in self.coordinates.iter().enumerate() {
                    if coordinate.depends_on(body) {
                        b[(row, j)] = coordinate.series(&moving).rate;
                    }
                }
            }
        }
        b
    }

    /// D, minus the derivative of Q by the velocities, of all that damps besides modes; `None`:
    /// nothing does. Drags are linearised about the velocities of `rates`.
    fn damping(&self, at: &[Motion], rates: &[Motion]) -> Option<DMatrix<f64>> {
        let still = self.with_velocities(at, &DVector::zeros(self.velocities));
        let mut damping = DMatrix::zeros(self.velocities, self.velocities);
        let mut put = |j: usize, push: &Push, sign: f64| {
            let Place { v, w, modal, modes } = self.places[push.body];
            if let Some(v) = v {
                let mut rows = damping.fixed_view_mut::<3, 1>(v, j);
                rows -= sign * push.force;
            }
            let mut rows = damping.fixed_view_mut::<3, 1>(w, j);
            rows -= sign * push.torque;
            let mut rows = damping.view_mut((modal, j), (push.modal.len().min(modes), 1));
            rows -= sign * &push.modal;
        };
        let moving = self.moving_as(at, rates);
        for element in self.pushing() {
            // It resists the velocities of the bodies alone on which it acts.
            let elastic = element.pushes(&self.bodies, &still);
            let mut bodies: Vec<usize> = elastic.iter().map(|push| push.body).collect();
            bodies.dedup();
            for j in bodies.into_iter().flat_map(|body| self.velocities_of(body)) {
                let along = self.moving_along(at, j);
                if let Some(changes) = element.change(&self.bodies, &moving, &along) {
                    changes.iter().for_each(|push| put(j, push, 1.0));
                    continue;
                }
                element.pushes(&self.bodies, &along).iter().for_each(|push| put(j, push, 1.0));
                elastic.iter().for_each(|push| put(j, push, -1.0));
            }
        }
        if self.at_coordinates().next().is_some() {
            let s = self.coordinate_series(&moving);
            let b = self.coordinate_rows(at);
            for (coordinate, element) in self.at_coordinates() {
                let row = b.row(coordinate);
                damping += row.transpose() * row * element.resistance(s[coordinate]);
            }
        }
        (damping.amax() > 0.0).then_some(damping)
    }

    /// M^-1 of bodies whose modes do not give way.
    fn mobility_without_modes(&self) -> DMatrix<f64> {
        let mut mobility = self.mobility.clone();
        for (body, place) in self.bodies.iter().zip(&self.places).filter(|(_, place)| place.modes > 0) {
            let size = 3 + place.modes;
            mobility.view_mut((place.w, place.w), (size, size)).fill(0.0);
            let inverse = body.inertia().try_inverse().unwrap_or(Matrix3::from_element(f64::NAN));
            mobility.view_mut((place.w, place.w), (3, 3)).copy_from(&inverse);
        }
        mobility
    }

    /// The motions with the velocities u.
    pub fn with_velocities(&self, motions: &[Motion], u: &DVector<f64>) -> Vec<Motion> {
        let parts = motions.iter().zip(&self.places);
        parts
            .map(|(motion, place)| Motion {
                velocity: place.v.map_or(Vector3::zeros(), |v| u.fixed_rows::<3>(v).into()),
                angular_velocity: u.fixed_rows::<3>(place.w).into(),
                amplitude_rates: u.rows(place.modal, place.modes).into(),
                ..motion.clone()
            })
            .collect()
    }

    /// Positions and attitudes of `at`, velocities of `rates`.
    fn moving_as(&self, at: &[Motion], rates: &[Motion]) -> Vec<Motion> {
        let parts = at.iter().zip(rates);
        parts
            .map(|(at, rates)| Motion {
                velocity: rates.velocity,
                angular_velocity: rates.angular_velocity,
                amplitude_rates: rates.amplitude_rates.clone(),
                ..at.clone()
            })
            .collect()
    }

    /// Q at the positions and velocities of `at`; dampers and laws see the velocities of `rates`.
    pub fn forces(&self, at: &[Motion], rates: &[Motion], instant: &Instant) -> DVector<f64> {
        self.forces_felt(at, rates, rates, instant)
    }

    /// Q where damping is as `advanced` says, and laws feel the velocities in the middle of a step
    /// over which it is implicit.
    fn forces_over(&self, at: &[Motion], advanced: Advanced, instant: &Instant) -> DVector<f64> {
        let foreseen = self.foreseen(at, advanced, instant);
        let felt = foreseen.as_deref().unwrap_or(advanced.motions);
        self.forces_felt(at, advanced.motions, felt, instant)
    }

    /// The motions with the velocities in the middle of the step, `u + h/2 a`, where laws feel
    /// velocities. a are the accelerations of bodies whose laws feel u, and which exact multipliers
    /// hold.
    fn foreseen(&self, at: &[Motion], advanced: Advanced, instant: &Instant) -> Option<Vec<Motion>> {
        if advanced.within == 0.0 || !self.laws.feel_rates {
            return None;
        }
        let mut forces = self.forces(at, advanced.motions, instant);
        if self.is_constrained() {
            let none = DVector::zeros(self.rows());
            let treatment = Treatment::Exact;
            let multipliers = self.multipliers_under(&forces, &treatment, instant, at, advanced, 1.0, &none);
            forces -= self.jacobian(at).transpose() * multipliers;
        }
        let a = self.damped_mobility(at, advanced) * forces;
        let u = self.velocities(advanced.motions) + a * (advanced.within / 2.0);
        Some(self.with_velocities(at, &u))
    }

    /// Q; dampers see the velocities of `rates`, and laws those of `felt`.
    fn forces_felt(
        &self,
        at: &[Motion],
        rates: &[Motion],
        felt: &[Motion],
        instant: &Instant,
    ) -> DVector<f64> {
        let felt = self.moving_as(at, felt);
        let given = self.given_at(&felt, instant);
        let mut q = DVector::zeros(self.velocities);
        let bodies = self.bodies.iter().zip(at).zip(&instant.loads).zip(&self.places);
        for (b, (((body, motion), loads), place)) in bodies.enumerate() {
            let loads = &body.with_laws(loads, &given);
            if let Some(v) = place.v {
                let force = body.mass() * body.acceleration(motion.attitude, loads);
                q.fixed_rows_mut::<3>(v).copy_from(&force);
            }
            let w = motion.angular_velocity;
            let moment = body.moment(motion.attitude, loads);
            let torque = match body.deformation() {
                None => moment - w.cross(&(body.inertia() * w)),
                Some(deformation) => {
                    let eta = &motion.amplitudes;
                    let damped = &rates[b].amplitude_rates;
                    let (torque, modal) = deformation.forces(w, eta, &motion.amplitude_rates, damped);
                    let (more, of_loads) = body.loads_on_deformed(motion.attitude, eta, loads);
                    q.rows_mut(place.modal, place.modes).copy_from(&(modal + of_loads));
                    moment + more + torque
                }
            };
            q.fixed_rows_mut::<3>(place.w).copy_from(&torque);
        }
        if let Some((carrier, rates)) = self.laws.rates(&given) {
            let place = self.places[carrier];
            q.rows_mut(place.modal, rates.len()).copy_from_slice(&rates);
        }
        let moving = self.moving_as(at, rates);
        let pushes = self.pushing().flat_map(|element| {
            let driven = element.driven(&self.bodies, at, &felt, &given);
            element.pushes(&self.bodies, &moving).into_iter().chain(driven)
        });
        for Push { body, force, torque, modal } in pushes {
            let place = self.places[body];
            if let Some(v) = place.v {
                let mut rows = q.fixed_rows_mut::<3>(v);
                rows += force;
            }
            let mut rows = q.fixed_rows_mut::<3>(place.w);
            rows += torque;
            let mut rows = q.rows_mut(place.modal, modal.len());
            rows += modal;
        }
        if self.at_coordinates().next().is_some() {
            let s = self.coordinate_series(&moving);
            let b = self.coordinate_rows(at);
            for (coordinate, element) in self.at_coordinates() {
                let mut force = element.force(s[coordinate], &given);
                if element.inertia() != 0.0 {
                    // I sddot is I (B udot + Bdot u), of which the mass matrix has the first part.
                    force -= element.inertia() * self.coordinates[coordinate].series(at).second;
                }
                q += b.row(coordinate).transpose() * force;
            }
        }
        q
    }

    /// Phi of all rows, their rates and second derivatives at `time` (s) while every body keeps its
    /// velocities. At no time functions of time count as zero: then the rates are `B u`.
    fn rows_at(&self, motions: &[Motion], time: Option<&SidedTime>) -> Vec<Series<f64>> {
        let joints = self.joints.iter().flat_map(|joint| joint.violation(motions));
        joints.chain(self.rows_besides_joints(motions, time)).collect()
    }

    fn rows_besides_joints(&self, motions: &[Motion], time: Option<&SidedTime>) -> Vec<Series<f64>> {
        if self.generators.is_empty() && self.contacts.is_empty() && self.locks.is_empty() {
            return Vec::new();
        }
        let coordinates = self.coordinate_series(motions);
        let generated = |generator: &Generator| generator.rows(motions, &coordinates, time, &self.constants);
        let generators = self.generators.iter().flat_map(generated);
        let contacts = self.contacts.iter().flat_map(|contact| contact.rows(motions, &self.constants));
        let locks = self.locks.iter().map(|lock| lock.row(&coordinates));
        generators.chain(contacts).chain(locks).collect()
    }

    /// For each row whether it holds positions, not rates alone.
    fn holds_positions(&self) -> Vec<bool> {
        let at_rest: Vec<Motion> = self.bodies.iter().map(|_| Motion::at_rest()).collect();
        let joints: usize = self.joints.iter().map(|joint| joint.violation(&at_rest).len()).sum();
        let generators = self.generators.iter().flat_map(Generator::holds_positions);
        let contacts = self.contacts.iter().flat_map(Contact::holds_positions).copied();
        let locks = self.locks.iter().map(|_| true);
        std::iter::repeat_n(true, joints).chain(generators).chain(contacts).chain(locks).collect()
    }

    /// Phi of all rows, `B u + Phi_t` and c at `time` (s).
    pub fn constraints(&self, motions: &[Motion], time: f64) -> Series<DVector<f64>> {
        self.constraints_seen(motions, &SidedTime::at(time))
    }

    fn constraints_seen(&self, motions: &[Motion], time: &SidedTime) -> Series<DVector<f64>> {
        let rows = self.rows_at(motions, Some(time));
        let column =
            |part: fn(&Series<f64>) -> f64| DVector::from_iterator(rows.len(), rows.iter().map(part));
        Series {
            value: column(|row| row.value),
            rate: column(|row| row.rate),
            second: column(|row| row.second),
        }
    }

    /// Where the velocities of a body are in u.
    fn velocities_of(&self, body: usize) -> impl Iterator<Item = usize> + use<> {
        let Place { v, w, modal, modes } = self.places[body];
        v.into_iter().flat_map(|v| v..v + 3).chain(w..w + 3).chain(modal..modal + modes)
    }

    /// The motions with one velocity 1 and the others 0.
    fn moving_along(&self, motions: &[Motion], j: usize) -> Vec<Motion> {
        let mut u = DVector::zeros(self.velocities);
        u[j] = 1.0;
        self.with_velocities(motions, &u)
    }

    /// The matrix of a linear function of the velocities.
    fn rates_of(&self, motions: &[Motion], rates: impl Fn(&[Motion]) -> DVector<f64>) -> DMatrix<f64> {
        let columns: Vec<DVector<f64>> =
            (0..self.velocities).map(|j| rates(&self.moving_along(motions, j))).collect();
        DMatrix::from_columns(&columns)
    }

    /// B. A joint is asked only about the bodies it joins: in a chain of many bodies most entries
    /// are zero.
    pub fn jacobian(&self, motions: &[Motion]) -> DMatrix<f64> {
        let sizes: Vec<usize> = self.joints.iter().map(|joint| joint.violation(motions).len()).collect();
        let first: usize = sizes.iter().sum();
        let mut b = DMatrix::zeros(first + self.rows_besides_joints(motions, None).len(), self.velocities);
        for body in 0..self.places.len() {
            for j in self.velocities_of(body) {
                let moving = self.moving_along(motions, j);
                let mut row = 0;
                for (joint, size) in self.joints.iter().zip(&sizes) {
                    if joint.sides().iter().any(|side| side.body == Some(body)) {
                        for (i, series) in joint.violation(&moving).iter().enumerate() {
                            b[(row + i, j)] = series.rate;
                        }
                    }
                    row += size;
                }
                for (i, series) in self.rows_besides_joints(&moving, None).iter().enumerate() {
                    b[(first + i, j)] = series.rate;
                }
            }
        }
        b
    }

    /// The multipliers of the rows at `at`, and what else the treatment carries; `before` is the
    /// same `tau` (s) earlier.
    pub fn multipliers(
        &self,
        treatment: &Treatment,
        instant: &Instant,
        at: &[Motion],
        advanced: Advanced,
        tau: f64,
        before: &DVector<f64>,
    ) -> DVector<f64> {
        if !self.is_constrained() {
            return DVector::zeros(0);
        }
        let forces = self.forces_over(at, advanced, instant);
        self.multipliers_under(&forces, treatment, instant, at, advanced, tau, before)
    }

    /// As [`multipliers`](Self::multipliers), under these forces Q.
    #[allow(clippy::too_many_arguments, reason = "an instant of a step, and what is known of it")]
    fn multipliers_under(
        &self,
        forces: &DVector<f64>,
        treatment: &Treatment,
        instant: &Instant,
        at: &[Motion],
        advanced: Advanced,
        tau: f64,
        before: &DVector<f64>,
    ) -> DVector<f64> {
        let b = self.jacobian(at);
        let constraints = self.constraints_seen(at, &instant.sided);
        let mut before = before.clone();
        let mobility = self.damped_mobility(at, advanced);
        let mut demand = Demand {
            mu: &b * &mobility * b.transpose(),
            r: &b * &mobility * forces + constraints.second,
            rate: self.constraints(advanced.motions, advanced.time).rate,
            violation: constraints.value,
            within: advanced.within,
            truncation: if self.solved.independent { SINGULAR } else { REDUNDANT },
        };
        let rows = demand.r.len();
        let first = rows - self.locks.len();
        for (row, lock) in (first..).zip(&self.locks) {
            if lock.holds() {
                demand.r[row] += demand.rate[row] / self.step
                    + LOCK_CLOSING * demand.violation[row] / (self.step * self.step);
            } else {
                demand.mu[(row, row)] = 1.0;
                before.iter_mut().skip(row).step_by(rows).for_each(|of_row| *of_row = 0.0);
            }
            demand.rate[row] = 0.0;
            demand.violation[row] = 0.0;
        }
        if !treatment.solves() || self.solved.left_out.is_empty() {
            return treatment.multipliers(&demand, tau, &before);
        }
        let left_out = |row: &usize| self.solved.left_out.get(*row) == Some(&true);
        let kept: Vec<usize> = (0..demand.r.len()).filter(|row| !left_out(row)).collect();
        let of_kept = Demand {
            mu: demand.mu.select_rows(&kept).select_columns(&kept),
            r: demand.r.select_rows(&kept),
            rate: demand.rate.select_rows(&kept),
            violation: demand.violation.select_rows(&kept),
            within: demand.within,
            truncation: demand.truncation,
        };
        let mut all = DVector::zeros(demand.r.len());
        let found = treatment.multipliers(&of_kept, tau, &before.select_rows(&kept));
        kept.iter().zip(found.iter()).for_each(|(row, multiplier)| all[*row] = *multiplier);
        all
    }

    /// `M udot` at the positions of `at`.
    pub fn inertial(&self, at: &[Motion], udot: &DVector<f64>) -> DVector<f64> {
        let mut forces = DVector::zeros(self.velocities);
        for ((body, place), motion) in self.bodies.iter().zip(&self.places).zip(at) {
            if let Some(v) = place.v {
                let force = body.mass() * udot.fixed_rows::<3>(v);
                forces.fixed_rows_mut::<3>(v).copy_from(&force);
            }
            let turning = 3 + place.modes;
            let torque = match body.deformation() {
                None => {
                    let mut mass = DMatrix::identity(turning, turning);
                    mass.view_mut((0, 0), (3, 3)).copy_from(body.inertia());
                    mass * udot.rows(place.w, turning)
                }
                Some(deformation) => {
                    deformation.mass_matrix(&motion.amplitudes, 0.0) * udot.rows(place.w, turning)
                }
            };
            forces.rows_mut(place.w, turning).copy_from(&torque);
        }
        if let Some(more) = self.inertia_at_joints(at) {
            forces += more * udot;
        }
        forces
    }

    /// mu of all rows but those of locks.
    pub fn coupling_without_locks(&self, at: &[Motion]) -> DMatrix<f64> {
        let b = self.jacobian(at);
        let b = b.rows(0, b.nrows() - self.locks.len());
        let mobility = self.damped_mobility(at, Advanced { motions: at, time: 0.0, within: 0.0 });
        b * mobility * b.transpose()
    }

    /// M^-1 of the bodies as they are deformed, with the inertia at joints.
    pub fn mobility_at_rest(&self, at: &[Motion]) -> DMatrix<f64> {
        self.grown(self.mobility(at, 0.0), self.inertia_at_joints(at))
    }

    /// Those without a history: a treatment that carries them has forgotten it after 1 s.
    pub fn instantaneous_multipliers(
        &self,
        treatment: &Treatment,
        instant: &Instant,
        at: &[Motion],
    ) -> DVector<f64> {
        let none = DVector::zeros(self.rows());
        let advanced = Advanced { motions: at, time: instant.time, within: 0.0 };
        self.multipliers(&treatment.without_history(), instant, at, advanced, 1.0, &none)
    }

    /// Returns the load that the rows bear at `at`, and no more:
    /// [instantaneous](Self::instantaneous_multipliers) multipliers without those terms by which a
    /// lock ends an impact. These are no load, and the two chains of the staggered method overshoot
    /// a lock differently: seen from one chain alone they would be `Phi/(10 h)²` of that difference
    /// for hundreds of steps. No row is left out: those that say the same share the load.
    pub fn borne(&self, treatment: &Treatment, instant: &Instant, at: &[Motion]) -> DVector<f64> {
        let unhurried = MultibodySystem { step: f64::INFINITY, solved: self.solved.of_all(), ..self.clone() };
        unhurried.instantaneous_multipliers(&treatment.of_multipliers_alone(), instant, at)
    }

    /// Number of constraints, redundant ones included.
    pub fn rows(&self) -> usize {
        self.holds_positions().len()
    }

    /// `udot = M^-1 (Q - B^T lam)`; damping starts from `advanced`, `M + h/2 D` in place of M where
    /// it is implicit over h.
    pub fn accelerations(
        &self,
        at: &[Motion],
        advanced: Advanced,
        instant: &Instant,
        multipliers: &DVector<f64>,
    ) -> DVector<f64> {
        let mut forces = self.forces_over(at, advanced, instant);
        if !multipliers.is_empty() {
            // Behind them may stand what else the treatment carries.
            forces -= self.jacobian(at).transpose() * multipliers.rows(0, self.rows());
        }
        self.damped_mobility(at, advanced) * forces
    }

    /// The rate of a [flat](MultibodySystem::flat) motion with instantaneous multipliers. Its
    /// quaternions need not be unit ones: loads and joints turn with their direction.
    pub fn rate(&self, y: &DVector<f64>, instant: &Instant, treatment: &Treatment) -> DVector<f64> {
        let now = self.from_flat(y);
        let multipliers = self.instantaneous_multipliers(treatment, instant, &now);
        self.rate_held(&now, instant, &multipliers)
    }

    /// As [`rate`](Self::rate), of the motions `now` with these multipliers.
    pub fn rate_held(&self, now: &[Motion], instant: &Instant, multipliers: &DVector<f64>) -> DVector<f64> {
        let advanced = Advanced { motions: now, time: instant.time, within: 0.0 };
        let udot = self.accelerations(now, advanced, instant, multipliers);
        let rates: Vec<Motion> = now
            .iter()
            .zip(self.with_velocities(now, &udot))
            .map(|(now, acceleration)| Motion {
                position: now.velocity,
                attitude: attitude_rate(now.attitude, now.angular_velocity),
                amplitudes: now.amplitude_rates.clone(),
                ..acceleration
            })
            .collect();
        self.flat(&rates)
    }

    /// All motions in one vector.
    pub fn flat(&self, motions: &[Motion]) -> DVector<f64> {
        let numbers = |motion: &Motion| {
            let modal = motion.amplitudes.iter().chain(motion.amplitude_rates.iter()).copied();
            motion.flat().data.0[0].into_iter().chain(modal.collect::<Vec<_>>())
        };
        DVector::from_vec(motions.iter().flat_map(numbers).collect())
    }

    /// The inverse of [`MultibodySystem::flat`].
    pub fn from_flat(&self, y: &DVector<f64>) -> Vec<Motion> {
        let mut from = 0;
        let mut motions = Vec::new();
        for body in &self.bodies {
            let modes = body.modes();
            motions.push(Motion {
                amplitudes: y.rows(from + WIDTH, modes).into(),
                amplitude_rates: y.rows(from + WIDTH + modes, modes).into(),
                ..Motion::from_flat(&y.fixed_rows::<WIDTH>(from).into())
            });
            from += WIDTH + 2 * modes;
        }
        motions
    }

    /// The nearest motions, in the metric of M, whose positions and velocities keep the constraints
    /// at `time` (s). A velocity against them is lost as in a plastic impact. Rows that hold rates
    /// alone leave the positions free.
    pub fn projected(&self, motions: &[Motion], time: f64) -> Vec<Motion> {
        /// Newton's steps; each squares what is left.
        const STEPS: usize = 50;
        let mut motions = motions.to_vec();
        if !self.is_constrained() {
            return motions;
        }
        let positions = self.holds_positions();
        for _ in 0..STEPS {
            let wrong = self.constraints(&motions, time).value;
            let change = self.correction(&motions, &wrong, &positions);
            let moved = self.with_velocities(&motions, &change);
            for (motion, change) in motions.iter_mut().zip(moved) {
                motion.position += change.velocity;
                motion.attitude = unit(motion.attitude * exponential(change.angular_velocity));
                motion.amplitudes += change.amplitude_rates;
            }
            if change.amax() < 1e-15 {
                break;
            }
        }
        // The second removes what rounding left of the first.
        let all = vec![true; positions.len()];
        for _ in 0..2 {
            let u = self.velocities(&motions);
            let wrong = self.constraints(&motions, time).rate;
            let change = self.correction(&motions, &wrong, &all);
            motions = self.with_velocities(&motions, &(u + change));
        }
        motions
    }

    /// Positions and velocities with the dependent coordinates solved for from the constraints at
    /// `time` (s): of all changes that satisfy `B dx = -Phi`, until it no longer changes, and then
    /// `B du = -B u`, the least one in the metric of the rigid bodies, in which changes of
    /// independent coordinates count `1/independent` times. With 0 these stay as they are:
    /// `B_i dx_i = -Phi`.
    pub fn dependents_solved(&self, motions: &[Motion], time: f64, independent: f64) -> Vec<Motion> {
        const STEPS: usize = 10;
        let mut motions = motions.to_vec();
        if !self.is_constrained() {
            return motions;
        }
        let positions = self.holds_positions();
        for _ in 0..STEPS {
            let wrong = self.constraints(&motions, time).value;
            let change = self.change_of_dependents(&motions, &wrong, independent, Some(&positions));
            let moved = self.with_velocities(&motions, &change);
            for (motion, change) in motions.iter_mut().zip(moved) {
                motion.position += change.velocity;
                motion.attitude = unit(motion.attitude * exponential(change.angular_velocity));
            }
            if change.amax() < 1e-15 {
                break;
            }
        }
        for _ in 0..2 {
            let u = self.velocities(&motions);
            let wrong = self.constraints(&motions, time).rate;
            let change = self.change_of_dependents(&motions, &wrong, independent, None);
            motions = self.with_velocities(&motions, &(u + change));
        }
        motions
    }

    /// That change, in u. `positions`: of these rows alone.
    fn change_of_dependents(
        &self,
        motions: &[Motion],
        wrong: &DVector<f64>,
        independent: f64,
        positions: Option<&[bool]>,
    ) -> DVector<f64> {
        let solved = |row: &usize| {
            self.solved.left_out.get(*row) != Some(&true) && positions.is_none_or(|positions| positions[*row])
        };
        let rows: Vec<usize> = (0..wrong.len()).filter(solved).collect();
        let rigid = self.mobility_without_modes();
        let mut columns: Vec<DVector<f64>> = Vec::new();
        for (body, Place { v, w, .. }) in self.places.iter().enumerate() {
            for (turn, first) in [(false, *v), (true, Some(*w))] {
                let Some(first) = first else { continue };
                // To turns a body gives way alike in all directions.
                let mobility = rigid.view((first, first), (3, 3)).trace() / 3.0;
                for axis in 0..3 {
                    let is_dependent = self.solved.dependents.iter().any(|d| {
                        (d.body, d.turn, d.axis) == (body, turn, axis)
                            && (positions.is_none() || d.of_positions)
                    });
                    let share = if is_dependent { 1.0 } else { independent };
                    let mut column = DVector::zeros(self.velocities);
                    column[first + axis] = (share * mobility).sqrt();
                    columns.push(column);
                }
            }
        }
        if columns.is_empty() || rows.is_empty() {
            return DVector::zeros(self.velocities);
        }
        let columns = DMatrix::from_columns(&columns);
        let b_i = self.jacobian(motions).select_rows(&rows) * &columns;
        let wrong = wrong.select_rows(&rows);
        let change = b_i.svd(true, true).solve(&wrong, SINGULAR);
        change.map_or_else(|_| DVector::repeat(self.velocities, f64::NAN), |change| -(columns * change))
    }

    /// `-M^-1 B^T mu^+ wrong` of the chosen rows.
    fn correction(&self, motions: &[Motion], wrong: &DVector<f64>, chosen: &[bool]) -> DVector<f64> {
        let rows: Vec<usize> = (0..chosen.len()).filter(|row| chosen[*row]).collect();
        let b = self.jacobian(motions).select_rows(&rows);
        let back = self.mobility(motions, 0.0) * b.transpose();
        -(&back * truncated_solve(&(&b * &back), &wrong.select_rows(&rows), REDUNDANT))
    }

    /// Kinetic, gravitational and elastic energy (J).
    pub fn energy(&self, motions: &[Motion]) -> f64 {
        let bodies = self.bodies.iter().zip(motions).map(|(body, motion)| body.energy(motion));
        let s = self.coordinate_series(motions);
        let elements = self.elements.iter().map(|element| match element {
            Twin::Pushing(element) => element.energy(motions),
            Twin::AtCoordinate(coordinate, element) => element.energy(s[*coordinate]),
        });
        bodies.chain(elements).sum()
    }

    /// Angular momentum, space axes (kg m²/s): of a single body about its pivot, of several about
    /// the space origin.
    pub fn angular_momentum(&self, motions: &[Motion]) -> Vector3<f64> {
        let momentum = |(body, motion): (&RigidBody, &Motion)| {
            let linear = body.mass() * body.velocity_of_mass_centre(motion);
            body.angular_momentum(motion) + motion.position.cross(&linear)
        };
        let rotors: Vector3<f64> = self.pushing().map(|element| element.momentum(motions)).sum();
        let bodies: Vector3<f64> = match (&self.bodies[..], motions) {
            ([body], [motion]) => body.angular_momentum(motion),
            _ => self.bodies.iter().zip(motions).map(momentum).sum(),
        };
        bodies + rotors
    }

    /// Returns the force and torque of joint k on its body B with these multipliers of all rows.
    ///
    /// ```text
    /// F = -dPhidot/dv^T lam,   tau = -Lam dPhidot/dw^T lam - (P_B - r) x F
    /// ```
    ///
    /// Where B is the ground, it is the opposite of what A feels.
    fn reaction(&self, k: usize, motions: &[Motion], multipliers: &DVector<f64>) -> Reaction {
        let first: usize = self.joints[..k].iter().map(|joint| joint.violation(motions).len()).sum();
        let joint = &self.joints[k];
        let [a, b] = joint.sides();
        let none = Reaction { force: [0.0; 3], torque: [0.0; 3] };
        let Some((body, sign)) = b.body.map(|b| (b, 1.0)).or(a.body.map(|a| (a, -1.0))) else { return none };
        // A fixed point's velocity is no unknown, but rows know it all the same.
        let work = |velocity: Vector3<f64>, angular_velocity: Vector3<f64>| -> f64 {
            let mut moving = self.with_velocities(motions, &DVector::zeros(self.velocities));
            (moving[body].velocity, moving[body].angular_velocity) = (velocity, angular_velocity);
            let rates = joint.violation(&moving);
            rates
                .iter()
                .zip(multipliers.iter().skip(first))
                .map(|(row, multiplier)| -row.rate * multiplier)
                .sum()
        };
        let axis = |i: usize| Vector3::ith(i, 1.0);
        let force = Vector3::from([0, 1, 2].map(|i| work(axis(i), Vector3::zeros())));
        let about_pivot = Vector3::from([0, 1, 2].map(|i| work(Vector3::zeros(), axis(i))));
        let arm = b.point(motions).value - motions[body].position;
        let torque = lam(motions[body].attitude) * about_pivot - arm.cross(&force);
        Reaction { force: (sign * force).into(), torque: (sign * torque).into() }
    }

    /// Returns the force of contact k on its body with these multipliers of all rows:
    /// `F = -dPhidot/dv^T lam`, space axes (N).
    fn contact_force(&self, k: usize, motions: &[Motion], multipliers: &DVector<f64>) -> [f64; 3] {
        let counts =
            |contacts: &[Contact]| -> usize { contacts.iter().map(|c| c.holds_positions().len()).sum() };
        // Contacts are followed by locks alone.
        let first = multipliers.len() - self.locks.len() - counts(&self.contacts[k..]);
        let contact = &self.contacts[k];
        let Some(body) = contact.body() else { return [0.0; 3] };
        [0, 1, 2].map(|i| {
            let mut moving = self.with_velocities(motions, &DVector::zeros(self.velocities));
            moving[body].velocity = Vector3::ith(i, 1.0);
            let rows = contact.rows(&moving, &self.constants);
            rows.iter().zip(multipliers.iter().skip(first)).map(|(row, x)| -row.rate * x).sum()
        })
    }

    /// Where contact k touches, from the origin of its body in body axes (m).
    fn contact_point(&self, k: usize, motions: &[Motion], bodies: &[BodyState]) -> [f64; 3] {
        let touched = self.contacts[k].touched(motions);
        let Some(body) = self.contacts[k].body() else { return touched.into() };
        let from_origin = touched - Vector3::from(bodies[body].position);
        (lam(motions[body].attitude).transpose() * from_origin).into()
    }

    /// The motions as reported, with the reactions under the loads of `instant`.
    pub fn state(&self, treatment: &Treatment, instant: &Instant, motions: &[Motion]) -> State {
        let multipliers = self.borne(treatment, instant, motions);
        let of_joints: usize = self.joints.iter().map(|joint| joint.violation(motions).len()).sum();
        let mut of_generators = multipliers.iter().skip(of_joints).copied();
        let bodies: Vec<BodyState> =
            self.bodies.iter().zip(motions).map(|(body, motion)| body.state(motion)).collect();
        let contacts = 0..self.contacts.len();
        State {
            time: instant.time,
            contact_forces: contacts.clone().map(|k| self.contact_force(k, motions, &multipliers)).collect(),
            contact_points: contacts.map(|k| self.contact_point(k, motions, &bodies)).collect(),
            bodies,
            energy: self.energy(motions),
            kinetic: self.kinetic(motions),
            angular_momentum: self.angular_momentum(motions).into(),
            constraint_violation: self.constraints(motions, instant.time).value.norm(),
            coordinates: self.coordinates(motions),
            reactions: (0..self.joints.len()).map(|k| self.reaction(k, motions, &multipliers)).collect(),
            drives: self.generators.iter().map(|generator| generator.drive(&mut of_generators)).collect(),
            lock_loads: multipliers.iter().skip(multipliers.len() - self.locks.len()).map(|x| -x).collect(),
        }
    }
}

/// Whether joints are all that holds the bodies, and close no loop: their rows are independent
/// wherever the bodies are.
fn is_open_chain(mechanism: &Mechanism) -> bool {
    mechanism.generators.is_empty()
        && mechanism.contacts.is_empty()
        && mechanism.locks.is_empty()
        && !mechanism.joints_that_close().contains(&true)
}

/// All forces of one kind with the numbers of an instance. `numbers`: the first of an element's and
/// those after it; `place`: of a coordinate in the system's list.
fn twins<'n>(
    mechanism: &Mechanism,
    table: &str,
    make: fn(&Force, &[RigidBody], usize) -> Twin,
    numbers: impl Fn(NumberOwner, usize) -> &'n [f64],
    bodies: &[RigidBody],
    place: impl Fn(JointCoordinate) -> Option<usize>,
) -> Result<Vec<Twin>, ReferenceError> {
    let forces = mechanism.forces.iter().enumerate().filter(|(_, force)| force.card.table == table);
    let twin = |(k, force): (usize, &Force)| {
        let numbers = numbers(NumberOwner::Force, k)[..force.numbers.len()].to_vec();
        let before = || mechanism.forces[..k].iter().filter(|force| force.card.spins).count();
        let coordinate = match force.coordinate() {
            None => mechanism.states.len() + before(),
            Some(of) => {
                place(of).ok_or_else(|| ReferenceError::NoCoordinate { element: force.name.clone() })?
            }
        };
        Ok(make(&Force { numbers, ..force.clone() }, bodies, coordinate))
    };
    forces.map(twin).collect()
}

/// A time in steps (s), which is a whole number of them.
fn steps_of(time: f64, step: f64) -> u64 {
    ((time / step).round() as u64).max(1)
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Near which the coordinates of all joints start (rad or m), in their order: where the description
/// gives them, else what a generator prescribes at t = 0, else what a coupling says of a neighbour
/// that is known, back from s to x by Newton's method from where that joint stands; else where the
/// joint stands of itself.
fn first_values(
    mechanism: &Mechanism,
    instance: &Instance,
    described: &[Number],
    owners: &[JointCoordinate],
) -> Vec<Option<f64>> {
    let placed = |measured: &JointCoordinate| {
        let is_start = |n: &Number| {
            (n.element, n.index, &*n.part) == (NumberOwner::Joint, measured.joint, measured.coordinate.name())
        };
        described.iter().position(is_start).map(|at| instance.numbers[at])
    };
    let called = instance.called(mechanism);
    let at = |f: &Expression, x: f64| function::at(f, x, &called).value;
    let follows = |measured: &JointCoordinate| {
        mechanism.generators.iter().any(|g| g.coupled().is_some_and(|c| c.0 == *measured))
    };
    let mut values: Vec<Option<f64>> = owners
        .iter()
        .map(|measured| {
            let mut drives = mechanism.generators.iter().filter(|g| g.follows.is_none());
            match mechanism.coordinate_conditions(*measured)[0] {
                true => placed(measured),
                false => drives
                    .find(|g| g.coordinate() == Some(*measured))
                    .and_then(|g| g.prescribed().next())
                    .map(|(_, f)| at(f, 0.0)),
            }
        })
        .collect();
    // Each round settles one more coordinate: by a coupling, else by itself.
    for _ in owners {
        let place = |measured: JointCoordinate| owners.iter().position(|owner| *owner == measured);
        let couplings = mechanism.generators.iter().filter_map(describe::Generator::coupled);
        let coupled = couplings.into_iter().find_map(|(follower, leader, f)| {
            let (s, x) = (place(follower)?, place(leader)?);
            match (values[s], values[x]) {
                (None, Some(x)) => Some((s, at(f, x))),
                (Some(s), None) => {
                    let stands = placed(&owners[x]).unwrap_or(0.0);
                    let mut root = stands;
                    for _ in 0..20 {
                        let f = function::at(f, root, &called);
                        root -= (f.value - s) / f.rate;
                    }
                    Some((x, if (at(f, root) - s).abs() < 1e-9 { root } else { stands }))
                }
                _ => None,
            }
        });
        let mut alone = [false, true].into_iter().flat_map(|last| {
            let open = (0..owners.len()).filter(|k| values[*k].is_none()).collect::<Vec<_>>();
            open.into_iter().filter(move |k| follows(&owners[*k]) == last)
        });
        let settled = coupled.or_else(|| alone.find_map(|k| Some((k, placed(&owners[k])?))));
        let Some((k, value)) = settled else { break };
        values[k] = Some(value);
    }
    values
}
