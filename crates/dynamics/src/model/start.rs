//! From the quantities of one instance to its parameters and its start, assembled.

use nalgebra::DMatrix;

use super::assemble::{self, AssemblyConditions, CannotAssemble, Change, OfBody, OfCoordinate, assemble};
use super::constraint_set::ConstraintSet;
use super::quantities::{BodyQuantities, Quantities};
use super::redundancy;
use super::sample::AFTER_START;
use super::{
    AT_REST, BodyParameter, Model, SideOfModel, WIDTH, beam_sides, channels, principal, sides, vector,
};
use crate::base::{Precision, quantity, significant};
use crate::describe::numbers::{Number, NumberOwner, position};
use crate::describe::{
    self, Axes, BeamElement, Constraints, Expression, Generator, InertiaAbout, JointCoordinate, Mechanism,
    Point, Study,
};
use crate::kinematics::body::{ModalCoordinates, Motion};
use crate::kinematics::deformation::Deformable;
use crate::kinematics::function::{self, Moment};
use crate::math::functions::abs;
use crate::math::quaternion::{inverse, product, to_body, to_space};
use crate::math::symmetric::symmetric_eigenvalues;
use crate::math::vector::{add, cross, length, sub};
use crate::real::Real;
use crate::treatments::{AnyTreatment, EPS, EPS_ACCURACY, SettableNumber, resolved_numbers};

/// Steps of Newton's method to the coordinate that a coupling follows, and what they may leave (rad
/// or m).
const TO_FOLLOWED: usize = 20;
const FOLLOWED: f64 = 1e-9;

/// Eigenvalues of mu below this share of the largest are rounding.
const SINGULAR: f64 = 1e-12;

/// A number of the treatment that follows from the start.
struct SettledNumber {
    /// Its position among them.
    number: usize,
    value: f64,
}

/// Advice where given values contradict the joints.
pub const LESS: &str = "leave out what the joints decide, or say approximate = true there";

/// Why the drawn quantities of an instance describe no mechanism.
#[derive(Clone, Debug, PartialEq)]
pub enum NoMechanism {
    /// A mass, a moment of inertia or another number is none that a mechanism can have, or a step
    /// or setting none to compute with: which, and why.
    NoBody(String),
    /// The joints contradict each other or the start.
    NotAssembled(CannotAssemble),
    /// The rule by which eps follows from the start gives a number that the treatment does not
    /// take: [`EPS_ACCURACY`].
    Compliance { eps: f64, condition: f64, min: f64, max: f64 },
    /// A beam element begins turned by more than [`BeamElement::LARGEST_TURN`] (rad) between its
    /// nodes.
    Overbent { element: usize, angle: f64 },
}

impl Model {
    /// Returns the fault of an instance, in words.
    pub fn explain(mechanism: &Mechanism, wrong: NoMechanism) -> String {
        match wrong {
            NoMechanism::NoBody(why) => why,
            NoMechanism::NotAssembled(wrong) => {
                let advice = wrong.given.map_or_else(String::new, |_| format!(": {LESS}"));
                cannot_assemble(mechanism, wrong) + &advice
            }
            NoMechanism::Compliance { eps, condition, min, max } => {
                let at_start = match condition.is_finite() {
                    true => format!("the condition number of mu at the start is {condition:.3e}"),
                    false => {
                        "mu is singular at the start, where rows of joints say what others say".to_string()
                    }
                };
                format!(
                    "constraints.{EPS_ACCURACY} gives eps = {eps:.3e}, where {min:e} to {max:e} are allowed: \
                     {at_start}; give constraints.{EPS} instead, or another {EPS_ACCURACY}"
                )
            }
            NoMechanism::Overbent { element, angle } => format!(
                "the beam element `{}` begins turned by {:.1} degrees between its nodes; at most {:.0} are \
                 allowed: check attitudes and frames, or divide the beam into more elements",
                mechanism.beam_elements[element].name,
                angle.to_degrees(),
                BeamElement::LARGEST_TURN.to_degrees()
            ),
        }
    }
}

impl Model {
    /// Parameters and initial states of the instance with these quantities, all joints made to
    /// hold. `parameters` has [`Model::parameters`] entries.
    pub fn resolve(&self, q: &Quantities, parameters: &mut [f64]) -> Result<Vec<Motion<f64>>, NoMechanism> {
        let mut start = InstanceStart::default();
        self.resolve_into(q, parameters, &mut start)?;
        Ok(start.motions)
    }

    /// As [`resolve`](Self::resolve), into a start that served another instance.
    pub fn resolve_into(
        &self,
        q: &Quantities,
        parameters: &mut [f64],
        start: &mut InstanceStart,
    ) -> Result<(), NoMechanism> {
        self.place_into(q, parameters, start)?;
        let InstanceStart { motions, state, settings, .. } = start;
        if self.rows() > 0 {
            self.assembled(motions, &|p| parameters[p]).map_err(NoMechanism::NotAssembled)?;
        }
        // A joint that places a body turns it with the body before it, which is nothing to a point
        // mass.
        for (motion, _) in motions.iter_mut().zip(&self.mechanism.bodies).filter(|(_, body)| body.is_point) {
            (motion.q, motion.w) = ([1.0, 0.0, 0.0, 0.0], [0.0; 3]);
        }
        let memory = self.start_memory(motions, &|p| parameters[p]);
        if let Some(eps) = self.eps_by_rule(motions, &memory, settings, &|p| parameters[p])? {
            settings[eps.number] = eps.value;
            parameters[self.first.scheme + 1 + eps.number] = eps.value;
        }
        let elements = self.beam_elements(&|p| parameters[p]);
        let angles = elements.iter().map(|element| element.angle(motions));
        if let Some((element, angle)) =
            angles.enumerate().find(|(_, angle)| *angle > BeamElement::LARGEST_TURN)
        {
            return Err(NoMechanism::Overbent { element, angle });
        }
        let energies = self.start_energies(&|p| parameters[p], &memory, motions);
        parameters[self.first.energy..self.first.energy + 2].copy_from_slice(&energies);
        // A stop may be open at one end, a lock may never let go.
        let may_be_infinite = |p: usize| {
            let number = p.checked_sub(self.first.numbers).and_then(|k| self.numbers.get(k));
            number.is_some_and(|number| number.element == NumberOwner::Lock || number.value.is_infinite())
        };
        let numbers = self.numbers.iter().zip(&self.ranges).zip(&parameters[self.first.numbers..]);
        let is_wrong = |(number, x): &(&SettableNumber, &f64)| !(number.min..=number.max).contains(x);
        if let Some(((number, range), x)) = numbers.into_iter().find(|((_, range), x)| !range.holds(**x)) {
            let unit = self.mechanism.own_unit(number).map_or(number.dimension.si(), |unit| unit);
            let (name, wanted) = (number.name(&self.mechanism), range.wanted());
            return Err(NoMechanism::NoBody(format!("{name} is {}, not {wanted}", quantity(*x, 6, unit))));
        }
        if q.step.is_nan() || q.step <= 0.0 {
            let why = format!("the step is {}, not positive", quantity(q.step, 6, "s"));
            return Err(NoMechanism::NoBody(why));
        }
        if let Some((number, x)) = self.settable.iter().zip(&*settings).find(is_wrong) {
            let SettableNumber { name, min, max, unit, .. } = number;
            let found = quantity(*x, 6, unit);
            let why = format!("constraints.{name} is {found}, where {min:e} to {max:e} are allowed");
            return Err(NoMechanism::NoBody(why));
        }
        state.clear();
        motions.iter().for_each(|motion| state.extend_from_slice(&channels(motion)));
        for ModalCoordinates { amplitudes, rates } in motions.iter().map(|motion| &motion.modal) {
            state.extend_from_slice(amplitudes);
            state.extend_from_slice(rates);
        }
        let finite = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite());
        let sound = finite(state)
            && (finite(parameters)
                || parameters.iter().enumerate().all(|(p, x)| x.is_finite() || may_be_infinite(p)));
        state.extend_from_slice(&memory);
        if sound {
            return Ok(());
        }
        let body = motions.iter().position(|motion| !finite(&channels(motion)));
        let what = match body {
            Some(b) => format!("the start of `{}`", self.mechanism.bodies[b].name),
            None if !finite(&energies) => "the energy at the start".to_string(),
            None => "the start".to_string(),
        };
        let why = format!(
            "{what} overflows: a number of the mechanism is too large, or an expression has no value"
        );
        Err(NoMechanism::NoBody(why))
    }

    /// The bodies where these quantities put them, and all parameters but the energy at the start.
    pub fn place(&self, q: &Quantities, parameters: &mut [f64]) -> Result<Vec<Motion<f64>>, NoMechanism> {
        let mut start = InstanceStart::default();
        self.place_into(q, parameters, &mut start)?;
        Ok(start.motions)
    }

    fn place_into(
        &self,
        q: &Quantities,
        parameters: &mut [f64],
        start: &mut InstanceStart,
    ) -> Result<(), NoMechanism> {
        match q.linked(&self.mechanism) {
            Ok(None) => self.place_as(&self.mechanism, &self.numbers, &self.sides, q, parameters, start),
            Ok(Some((q, own))) => {
                let sides = sides(&own, &self.spots, &self.first);
                self.place_as(&own, &own.numbers(), &sides, &q, parameters, start)
            }
            Err(why) => Err(NoMechanism::NoBody(why.to_string())),
        }
    }

    /// As [`Model::place_into`], with the numbers and sides of this mechanism.
    fn place_as(
        &self,
        mechanism: &Mechanism,
        numbers: &[Number],
        sides: &[SideOfModel],
        q: &Quantities,
        parameters: &mut [f64],
        InstanceStart { motions, resolved, settings, .. }: &mut InstanceStart,
    ) -> Result<(), NoMechanism> {
        motions.clear();
        resolved.clear();
        for (b, of_body) in q.placed_bodies(mechanism, numbers).iter().enumerate() {
            let (body, motion) = self.resolve_body(b, of_body)?;
            let mut put = |at: usize, values: &[f64]| {
                parameters[self.of_body(b, at)..][..values.len()].copy_from_slice(values);
            };
            put(BodyParameter::INERTIA, &body.inertia);
            put(BodyParameter::MASS, &[of_body.mass]);
            put(BodyParameter::CENTRE, &body.centre);
            put(BodyParameter::PRINCIPAL, &body.principal);
            put(BodyParameter::ORIGIN, &of_body.position);
            let number = |part: usize| {
                let first = position(&self.numbers, NumberOwner::Flexible, b);
                first.map_or(0.0, |first| q.numbers[first + part])
            };
            let modes = self.deformable[b].as_ref().map_or(0, Deformable::modes);
            let from = |first: usize| (first..first + modes).map(number).collect();
            let mut modal = match modes {
                0 => ModalCoordinates::none(),
                modes => ModalCoordinates { amplitudes: from(2), rates: from(2 + modes) },
            };
            if self.mechanism.carrier() == Some(b) {
                modal.amplitudes = vec![0.0; mechanism.carried()];
                let first = position(&self.numbers, NumberOwner::State, 0);
                let initial = |k| first.map_or(0.0, |first| q.numbers[first + k]);
                modal.rates = (0..mechanism.states.len()).map(initial).collect();
                // Rotors start when all bodies do.
                modal.rates.resize(mechanism.carried(), 0.0);
            }
            let mut motion = Motion { modal, ..motion };
            if let Some(deformable) = &self.deformable[b] {
                let moved = deformable.centre_moved(&motion.modal.amplitudes);
                if let (Some(moved), Some(rate)) = (moved, deformable.centre_moved(&motion.modal.rates)) {
                    motion.r = add(motion.r, to_space(motion.q, moved));
                    motion.v = add(motion.v, to_space(motion.q, add(cross(motion.w, moved), rate)));
                }
            }
            motions.push(motion);
            resolved.push(body);
        }
        let mut put = |at: usize, values: &[f64]| parameters[at..at + values.len()].copy_from_slice(values);
        put(self.first.gravity, &q.gravity);
        put(self.first.scheme, &[q.step]);
        settings.clear();
        settings.extend(resolved_numbers(self.settable.iter().copied(), &q.settings, q.step, q.precision));
        put(self.first.scheme + 1, settings);
        let mut next = self.first.loads;
        for (load, values) in mechanism.loads.iter().zip(&q.loads) {
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
        for &(at, point, frame) in sides {
            put(at, &arm(&point));
            for (axis, vector) in frame.iter().enumerate() {
                put(at + 3 + 3 * axis, &turn(&point, *vector));
            }
        }
        for (at, point, frame) in beam_sides(mechanism, &self.first) {
            put(at, &arm(&point));
            let frame = principal::quaternion_of(frame);
            let own = point.body.map(|b| product(inverse(resolved[b].principal), frame));
            put(at + 3, &own.unwrap_or(frame));
        }
        put(self.first.numbers, &q.numbers);
        if self.first.tables < self.varies.len() {
            put(self.first.tables, &mechanism.called(&q.numbers)[mechanism.constants.len()..]);
        }
        self.start_rotors(motions, &|p| parameters[p]);
        Ok(())
    }

    /// Returns eps by the rule of PCD90 III.D, after (32), at an assembled start:
    /// `c/(|mu^-1| |mu|)`, c the accuracy asked, the norms those of the largest eigenvalue, mu in
    /// SI units and of all rows but those of locks. The report takes eps for constant, so it stays
    /// what it is here. `None`: no rule is asked.
    fn eps_by_rule(
        &self,
        motions: &[Motion<f64>],
        memory: &[f64],
        settings: &[f64],
        parameters: &impl Fn(usize) -> f64,
    ) -> Result<Option<SettledNumber>, NoMechanism> {
        let position = |name| self.settable.iter().position(|number| number.name == name);
        let (Some(number), Some(accuracy)) = (position(EPS), position(EPS_ACCURACY)) else { return Ok(None) };
        if settings[accuracy] <= 0.0 || self.rows() == 0 {
            return Ok(None);
        }
        let system = self.system(&[AFTER_START], parameters, memory, &|_, _| 0.0);
        let lower = system.coupling_without_locks(motions);
        let n = lower.len();
        if n == 0 {
            return Ok(None);
        }
        let mu = DMatrix::from_fn(n, n, |i, j| lower[i.max(j)][i.min(j)]);
        let overflows = || NoMechanism::NoBody("the joints' matrix mu overflows at the start".to_string());
        let values = symmetric_eigenvalues(mu).ok_or_else(overflows)?;
        let (least, largest) = (values.min(), values.max());
        let condition = if least > SINGULAR * largest { largest / least } else { f64::INFINITY };
        let value = settings[accuracy] / condition;
        let SettableNumber { min, max, .. } = self.settable[number];
        if !(min..=max).contains(&value) {
            return Err(NoMechanism::Compliance { eps: value, condition, min, max });
        }
        Ok(Some(SettledNumber { number, value }))
    }

    /// The parameter of eps where it follows from the start of each instance by a rule that these
    /// parameters ask for.
    pub fn parameter_by_rule(&self, parameters: &[f64]) -> Option<usize> {
        let position = |name| self.settable.iter().position(|number| number.name == name);
        let (eps, accuracy) = (position(EPS)?, position(EPS_ACCURACY)?);
        let first = self.first.scheme + 1;
        (self.rows() > 0 && parameters[first + accuracy] > 0.0).then_some(first + eps)
    }

    /// Moves a start so that all joints hold and what is given stays; says by how much.
    pub fn assembled(
        &self,
        start: &mut [Motion<f64>],
        parameters: &impl Fn(usize) -> f64,
    ) -> Result<Change, CannotAssemble> {
        let constraints = self.constraint_set(parameters, &[], &self.first_turns(parameters));
        let conditions = self.conditions(start, &constraints, parameters);
        let change = assemble(&constraints, &self.body_constants(parameters), &conditions, start)?;
        self.start_rotors(start, parameters);
        Ok(change)
    }

    /// The motions of all bodies of a mechanism at the start as described, where its joints hold,
    /// in the axes in which bodies are described.
    ///
    /// # Errors
    /// Its numbers are none that bodies can have, or its joints do not fit.
    pub fn described_start(mechanism: &Mechanism) -> Result<Vec<describe::Initial>, NoMechanism> {
        let standard = Constraints::standard();
        let treatment = AnyTreatment::new(standard.treatment, &standard.options)
            .unwrap_or_else(|| unreachable!("the standard treatment is registered"));
        let model = Model::new(mechanism, treatment, &[], false);
        let mut parameters = vec![0.0; model.parameters()];
        // Where bodies start does not depend on the step.
        let numbers = Quantities::of(mechanism, 1e-3, Precision::F64, standard.given());
        let motions = model.resolve(&numbers, &mut parameters)?;
        let initial = |(b, motion): (usize, &Motion<f64>)| {
            let at = |parameter: usize| model.of_body(b, parameter);
            let principal = std::array::from_fn(|k| parameters[at(BodyParameter::PRINCIPAL) + k]);
            let centre = match model.fixed_point(b) {
                true => [0.0; 3],
                false => vector(&|p| parameters[p], at(BodyParameter::CENTRE)),
            };
            let arm = to_space(motion.q, centre);
            let spin = to_space(motion.q, motion.w);
            describe::Initial {
                position: sub(motion.r, arm),
                velocity: sub(motion.v, cross(spin, arm)),
                attitude: super::body_attitude(motion.q, principal),
                angular_velocity: spin,
                angular_velocity_axes: Axes::Space,
                given: describe::Given::ALL,
            }
        };
        Ok(motions.iter().enumerate().map(initial).collect())
    }

    /// Returns in words how assembly moves the start of a study's mechanism as described; `None`:
    /// nothing holds it, or it has no start.
    pub fn start_summary(study: &Study) -> Option<String> {
        let summary = Model::nominal_start(study)?.ok()?.summary();
        Some(match study.ensemble.vary.is_empty() {
            true => summary,
            false => format!(
                "the mechanism as described is {summary}; each instance is assembled from what it draws"
            ),
        })
    }

    /// The start of a study's mechanism as described, assembled; `None`: nothing holds it, or its
    /// numbers are none.
    pub fn nominal_start(study: &Study) -> Option<Result<Change, CannotAssemble>> {
        if !study.mechanism.is_held() {
            return None;
        }
        let treatment = AnyTreatment::new(study.constraints.treatment, &study.constraints.options)?;
        let model = Model::new(&study.mechanism, treatment, &[], false);
        let mut parameters = vec![0.0; model.parameters()];
        let mut start = model.place(&Quantities::nominal(study), &mut parameters).ok()?;
        Some(model.assembled(&mut start, &|p| parameters[p]))
    }

    /// Returns the conditions of a start that assembly keeps.
    fn conditions(
        &self,
        start: &[Motion<f64>],
        constraints: &ConstraintSet<f64>,
        parameters: &impl Fn(usize) -> f64,
    ) -> AssemblyConditions {
        let of_body = |(b, motion): (usize, &Motion<f64>)| {
            let at_rest = vector(parameters, self.of_body(b, BodyParameter::CENTRE));
            let amplitudes = &motion.modal.amplitudes;
            let moved = self.deformable[b].as_ref().and_then(|body| body.centre_moved(amplitudes));
            let centre = if self.fixed_point(b) { [0.0; 3] } else { add(at_rest, moved.unwrap_or_default()) };
            let axes = self.mechanism.bodies[b].initial.angular_velocity_axes;
            OfBody { given: self.mechanism.conditions(b), centre, axes }
        };
        let of_joint = |(k, joint): (usize, &describe::Joint)| {
            let value = move |is_given: bool, part: usize| {
                is_given.then(|| self.number(NumberOwner::Joint, k, part, parameters))
            };
            joint.kind.coordinates.iter().enumerate().map(move |(c, coordinate)| {
                let joint_coordinate = JointCoordinate { joint: k, coordinate: *coordinate };
                let [is, moves] = self.mechanism.coordinate_conditions(joint_coordinate);
                OfCoordinate { of: joint_coordinate, value: value(is, 2 * c), rate: value(moves, 2 * c + 1) }
            })
        };
        let points =
            constraints.joints.iter().flat_map(|joint| joint.sides.iter().map(|side| side.point(start).0));
        let places = points.chain(start.iter().map(|motion| motion.r));
        AssemblyConditions {
            bodies: start.iter().enumerate().map(of_body).collect(),
            coordinates: self.mechanism.joints.iter().enumerate().flat_map(of_joint).collect(),
            size: places.map(length).fold(0.0, f64::max),
        }
    }

    /// Returns the number of the joints' rows that are independent at `motions`.
    pub fn rank(&self, motions: &[Motion<f64>], parameters: &impl Fn(usize) -> f64) -> usize {
        let constraints = self.constraint_set(parameters, &[], &self.first_turns(parameters));
        let rows = constraints.rows_without_locks(motions, 0.0);
        let of_joints = self.mechanism.joints.iter().map(|joint| joint.kind.rows.len()).sum();
        // An open chain is known from its graph, whatever its length.
        if rows.len() == of_joints && !self.mechanism.joints_that_close().contains(&true) {
            return of_joints;
        }
        assemble::rank(&rows, &redundancy::alike(&constraints, self.body_constants(parameters)), motions)
    }

    /// Returns the number of components of a state near `motions` that nothing holds and that
    /// change: positions and velocities each. A body counts 6 where it turns, and 6 where its mass
    /// centre moves (`moving`: as [`Model::moving`] tells); a mode counts 2, what a body
    /// [carries](Model::unfelt) 1.
    pub fn freedoms(
        &self,
        motions: &[Motion<f64>],
        moving: &[bool],
        parameters: &impl Fn(usize) -> f64,
    ) -> usize {
        let constraints = self.constraint_set(parameters, &[], &self.first_turns(parameters));
        let bodies = self.body_constants(parameters);
        let rows = constraints.rows_without_locks(motions, 0.0);
        let of_velocities = assemble::rank(&rows, &bodies, motions);
        let of_positions: Vec<_> = rows.into_iter().filter(|row| !row.rate_alone).collect();
        let free: usize = (0..self.bodies())
            .flat_map(|b| [b * WIDTH, b * WIDTH + AT_REST])
            .map(|c| if moving[c] { 6 } else { 0 })
            .sum();
        let of_modes = 2 * self.modes().iter().sum::<usize>() - self.unfelt().len();
        free + of_modes - of_velocities - assemble::rank(&of_positions, &bodies, motions)
    }

    #[inline]
    fn resolve_body(&self, b: usize, q: &BodyQuantities) -> Result<(Resolved, Motion<f64>), NoMechanism> {
        let body = &self.mechanism.bodies[b];
        let c = q.centre_of_mass;
        let fixed = self.fixed_point(b);
        if !(q.mass > 0.0 && q.mass.is_finite()) {
            let mass = quantity(q.mass, 6, "kg");
            let why = format!("the mass of `{}` is {mass}, not positive and finite", body.name);
            return Err(NoMechanism::NoBody(why));
        }
        let given = q.inertia_in_body();
        let about_reference = match (fixed, body.inertia_about) {
            (false, InertiaAbout::MassCentre) | (true, InertiaAbout::Origin) => given,
            (false, InertiaAbout::Origin) => principal::shift(given, -q.mass, c),
            (true, InertiaAbout::MassCentre) => principal::shift(given, q.mass, c),
        };
        let (inertia, principal) = if self.axes_are_principal[b] {
            let i = about_reference;
            ([i[0][0], i[1][1], i[2][2]], [1.0, 0.0, 0.0, 0.0])
        } else {
            principal::axes(about_reference)
        };
        if !inertia.iter().all(|j| *j > 0.0 && j.is_finite()) {
            let [a, b, c] = inertia.map(|j| significant(j, 4));
            let why = format!(
                "the principal moments of inertia of `{}` are {a}, {b} and {c} kg m^2, not all positive and \
                 finite",
                body.name
            );
            return Err(NoMechanism::NoBody(why));
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
            modal: ModalCoordinates::none(),
        };
        Ok((Resolved { inertia, principal, centre, fixed }, motion))
    }

    /// Near which turns angles are at the start, as far as files say it; the rest is within half a
    /// turn.
    pub(super) fn first_turns<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<(JointCoordinate, R)> {
        let values = self.first_values(parameters).into_iter();
        values
            .filter_map(|(measured, value)| Some((measured, value?)))
            .filter(|(measured, _)| measured.coordinate.counts_turns())
            .collect()
    }

    /// All coordinates at the start, as far as files say them: given, else driven, else as
    /// couplings have it with others that are known, on either side, else where the joint is
    /// placed. From s = f(x) to x by Newton's method, from where its joint is placed; if that leads
    /// nowhere, x stays there.
    fn first_values<R: Real>(&self, parameters: &impl Fn(usize) -> R) -> Vec<(JointCoordinate, Option<R>)> {
        let m = &self.mechanism;
        let of_joint = |(joint, described): (usize, &describe::Joint)| {
            let coordinates = described.kind.coordinates.iter();
            coordinates.map(move |coordinate| JointCoordinate { joint, coordinate: *coordinate })
        };
        let all: Vec<JointCoordinate> = m.joints.iter().enumerate().flat_map(of_joint).collect();
        let placed = |measured: JointCoordinate| {
            let joint = &m.joints[measured.joint];
            let place =
                joint.kind.coordinates.iter().position(|coordinate| *coordinate == measured.coordinate)?;
            // Two numbers a coordinate.
            joint
                .initial
                .is_some()
                .then(|| self.number(NumberOwner::Joint, measured.joint, 2 * place, parameters))
        };
        let (zero, constants) = (parameters(0).lift(0.0), self.constants(parameters));
        let at = |function: &Expression, x: R| function::value(function, x, &constants);
        let solved = |function: &Expression, s: R, near: R| {
            let x = (0..TO_FOLLOWED).fold(near, |x, _| {
                let [value, slope, _] = function::jet(function, &Moment::at(x), &constants);
                x - (value - s) / slope
            });
            abs(at(function, x) - s).select_less(s.lift(FOLLOWED), x, near)
        };
        let (couplings, drives): (Vec<&Generator>, Vec<&Generator>) =
            m.generators.iter().partition(|generator| generator.follows.is_some());
        let driven = |measured: JointCoordinate| {
            let own = drives.iter().find(|generator| generator.coordinate() == Some(measured))?;
            Some(at(own.prescribed().next()?.1, zero))
        };
        let first = |measured: &JointCoordinate| {
            if m.coordinate_conditions(*measured)[0] { placed(*measured) } else { driven(*measured) }
        };
        let mut known: Vec<Option<R>> = all.iter().map(first).collect();
        let slot = |measured: JointCoordinate| all.iter().position(|other| *other == measured);
        let couplings: Vec<(usize, usize, &Expression)> = couplings
            .into_iter()
            .filter_map(|coupling| {
                let (of, followed, function) = coupling.coupled()?;
                Some((slot(of)?, slot(followed)?, function))
            })
            .collect();
        let spread = |known: &mut Vec<Option<R>>| loop {
            let before = known.iter().flatten().count();
            for (of, followed, function) in &couplings {
                match (known[*of], known[*followed]) {
                    (None, Some(x)) => known[*of] = Some(at(function, x)),
                    (Some(s), None) => {
                        let near = placed(all[*followed]).unwrap_or(zero);
                        known[*followed] = Some(solved(function, s, near));
                    }
                    _ => {}
                }
            }
            if known.iter().flatten().count() == before {
                break;
            }
        };
        spread(&mut known);
        // Coordinates that follow others come last.
        for follows in [false, true] {
            for (k, of) in all.iter().enumerate() {
                if known[k].is_none() && couplings.iter().any(|(own, ..)| *own == k) == follows {
                    known[k] = placed(*of);
                    spread(&mut known);
                }
            }
        }
        all.into_iter().zip(known).collect()
    }
}

/// Returns in words why a mechanism cannot be assembled, and where to look for the cause.
pub fn cannot_assemble(mechanism: &Mechanism, wrong: CannotAssemble) -> String {
    let CannotAssemble { row, violation, of_rates, given } = wrong;
    let owner = owner_of(mechanism, row);
    match given {
        None if !violation.is_finite() => format!(
            "the mechanism cannot be assembled: the numbers of its {owner} overflow; check points and lengths"
        ),
        None if of_rates => format!(
            "the mechanism cannot be assembled: the velocity of its {owner} is off by {} (m/s, or the rate \
             of a cosine, 1/s) however the bodies move; check what generators prescribe",
            significant(violation, 4)
        ),
        None => format!(
            "the mechanism cannot be assembled: its {owner} is off by {} (m, or the cosine of an \
             angle) however the bodies are moved; check points, axes and lengths",
            significant(violation, 4)
        ),
        Some(given) => {
            let unit = match (given.key, of_rates) {
                ("position" | "displacement", _) => "m",
                ("velocity", _) => "m/s",
                (_, true) => "rad/s",
                (_, false) => "rad",
            };
            let off =
                if of_rates { "m/s, or the rate of a cosine, 1/s" } else { "m, or the cosine of an angle" };
            let off = match violation.is_finite() {
                true => format!("its {owner} is off by {} ({off})", significant(violation, 4)),
                false => format!("the bodies find no place where its {owner} holds"),
            };
            let change = match given.moved.is_finite() {
                true => {
                    format!("; `{}` would have to change by {}", given.key, quantity(given.moved, 4, unit))
                }
                false => String::new(),
            };
            format!(
                "the mechanism cannot be assembled as given: with the `{}` of the {} and all else that is \
                 given, {off}{change}",
                given.key,
                given.of.name(mechanism),
            )
        }
    }
}

/// Returns the owner of a row in words: a joint, a generator or a contact, by name.
pub(super) fn owner_of(mechanism: &Mechanism, row: usize) -> String {
    let joints =
        mechanism.joints.iter().map(|joint| (format!("joint `{}`", joint.name), joint.kind.rows.len()));
    let generators = mechanism
        .generators
        .iter()
        .map(|generator| (format!("{} `{}`", generator.noun(), generator.name), generator.rows()));
    let contacts =
        mechanism.contacts.iter().map(|contact| (format!("contact `{}`", contact.name), contact.kind.rows));
    let mut first = 0;
    for (name, rows) in joints.chain(generators).chain(contacts) {
        first += rows;
        if row < first {
            return name;
        }
    }
    "constraints".to_string()
}

/// The start of an instance, and room to find it in, which serves one instance after another: for
/// bodies that nothing joins, nothing is allocated then.
#[derive(Debug, Default)]
pub struct InstanceStart {
    motions: Vec<Motion<f64>>,
    /// Motions and memory, in the order of the state channels.
    state: Vec<f64>,
    resolved: Vec<Resolved>,
    /// Numbers of the treatment of joints.
    settings: Vec<f64>,
}

impl InstanceStart {
    /// The whole state: motions and memory, in the order of the state channels.
    pub fn state(&self) -> &[f64] {
        &self.state
    }
}

/// A body of an instance, as the engine has it.
#[derive(Debug)]
struct Resolved {
    inertia: [f64; 3],
    principal: [f64; 4],
    /// From the origin to the mass centre, principal axes (m).
    centre: [f64; 3],
    fixed: bool,
}

impl Resolved {
    /// A point of the user's body axes from the mass centre, or the fixed point, in principal axes
    /// (m).
    fn arm(&self, point: [f64; 3]) -> [f64; 3] {
        let point = to_body(self.principal, point);
        if self.fixed { point } else { sub(point, self.centre) }
    }
}
