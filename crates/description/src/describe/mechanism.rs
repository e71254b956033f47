//! The machine as described: rigid and flexible bodies, joints between them, forces and loads.
//! Values are resolved (SI, checked), nothing is computed here.

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

use super::contact::Contact;
use super::decided::LinkedNumber;
use super::expression::{Expression, FunctionTable};
use super::force::Force;
use super::generator::Generator;
use super::group::BodyGroup;
use super::joint::{Alignment, Joint, JointCoordinate, Places};
use super::lock::Lock;
use super::outcome::{EndCondition, Outcome};
use super::point::Point;
use super::signal::{LawState, NamedPoint, Sensor, Signal};
use crate::base::VerdictNames;
use crate::flexible::frame::Frame;
use crate::flexible::modal_file::ModalFile;
use crate::flexible::{Floating, Modal, beam};
use crate::math::inertia::in_body;

/// A mechanism file, resolved: every value in SI units, every default filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Mechanism {
    /// Its name in reports.
    pub name: String,
    /// Acceleration of gravity in space axes (m/s²).
    pub gravity: [f64; 3],
    /// Constants that expressions call by name.
    pub constants: Vec<Constant>,
    /// At least one.
    pub bodies: Vec<Body>,
    /// Joints, which keep bodies together.
    pub joints: Vec<Joint>,
    /// Motions prescribed in time.
    pub generators: Vec<Generator>,
    /// Bodies that roll or slide on the ground.
    pub contacts: Vec<Contact>,
    /// In the order of their kinds, and then of the description.
    pub forces: Vec<Force>,
    /// Single beam elements and those of beams.
    pub beam_elements: Vec<BeamElement>,
    /// Beams, whose nodes are the last of the bodies and whose elements the last of the beam
    /// elements.
    pub beams: Vec<Beam>,
    /// Joints that are caught where they pass a value.
    pub locks: Vec<Lock>,
    /// Forces and torques given in time, or by laws of the motion.
    pub loads: Vec<Load>,
    /// Points that channels and expressions address by name.
    pub points: Vec<NamedPoint>,
    /// Groups of bodies that channels address by name.
    pub groups: Vec<BodyGroup>,
    /// The numbers of the motion that expressions use.
    pub sensors: Vec<Sensor>,
    /// First-order states of laws.
    pub states: Vec<LawState>,
    /// Expressions of the motion that channels and other expressions address by name, each of
    /// earlier ones alone.
    pub signals: Vec<Signal>,
    /// Tables that expressions call by their names.
    pub tables: Vec<FunctionTable>,
    /// Numbers that a motion comes to; a study asks for them.
    pub outcomes: Vec<Outcome>,
    /// The conditions at which a study ends an instance, the first that holds at a step first.
    pub ends: Vec<EndCondition>,
    /// The numbers that are expressions of constants; `None`: there are none.
    pub linked: Option<Linked>,
    /// Its file says this nearly right, and it was taken so: a sentence each, with the place.
    pub notes: Notes,
}

/// Sentences about a file. Mechanisms that differ in these alone are equal.
#[derive(Clone, Debug, Default)]
pub struct Notes(pub Vec<String>);

impl PartialEq for Notes {
    fn eq(&self, _: &Notes) -> bool {
        true
    }
}

impl Mechanism {
    /// All expressions that are read as it moves; numbers that constants decide are
    /// [`linked`](Mechanism::linked).
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let forces = self.forces.iter().flat_map(|force| &force.functions);
        let generators = self.generators.iter().flat_map(|generator| generator.functions.iter().flatten());
        let loads = self.loads.iter().flat_map(|load| load.function.iter().flatten());
        let states = self.states.iter().map(|state| &state.rate);
        let signals =
            self.signals.iter().flat_map(|signal| std::iter::once(&signal.value).chain(&signal.initial));
        let outcomes = self.outcomes.iter().map(|outcome| &outcome.of);
        let ends = self.ends.iter().map(|end| &end.when);
        forces.chain(generators).chain(loads).chain(states).chain(signals).chain(outcomes).chain(ends)
    }

    /// The largest distance (m) along an axis of a body from its origin to a joint or contact; 1
    /// where all are at origins.
    pub fn reach(&self) -> f64 {
        let points = self.joints.iter().flat_map(|joint| &joint.points);
        let points = points.chain(self.contacts.iter().map(|contact| &contact.point));
        let reach = points.filter(|point| point.body.is_some()).map(|point| point.at.map(f64::abs));
        let reach = reach.flatten().fold(0.0, f64::max);
        if reach > 0.0 { reach } else { 1.0 }
    }

    /// These bodies without gravity, and nothing between them.
    pub fn of(bodies: Vec<Body>) -> Mechanism {
        Mechanism {
            name: String::new(),
            gravity: [0.0; 3],
            constants: Vec::new(),
            bodies,
            joints: Vec::new(),
            generators: Vec::new(),
            contacts: Vec::new(),
            forces: Vec::new(),
            beam_elements: Vec::new(),
            beams: Vec::new(),
            locks: Vec::new(),
            loads: Vec::new(),
            points: Vec::new(),
            groups: Vec::new(),
            sensors: Vec::new(),
            states: Vec::new(),
            signals: Vec::new(),
            tables: Vec::new(),
            outcomes: Vec::new(),
            ends: Vec::new(),
            linked: None,
            notes: Notes::default(),
        }
    }

    /// The joint whose coordinates say where this body starts.
    pub fn placing(&self, body: usize) -> Option<&Joint> {
        self.joints.iter().find(|joint| joint.initial.is_some() && joint.points[1].body == Some(body))
    }

    /// The joint that puts this body in its place: one that gives coordinates, else one that places
    /// by its points a second body which does not say where it is.
    fn placer(&self, body: usize) -> Option<usize> {
        let ends_at_body = |joint: &Joint| joint.points[1].body == Some(body);
        let given = self.joints.iter().position(|joint| joint.initial.is_some() && ends_at_body(joint));
        let described = &self.bodies[body];
        let says = described.initial.given.position
            || described.support == Support::FixedPoint
            || self.beam_of(body).is_some();
        given.or_else(|| {
            let follows = |joint: &Joint| joint.kind.places == Places::ByPoints && ends_at_body(joint);
            self.joints.iter().position(follows).filter(|_| !says)
        })
    }

    /// The joints that put their second bodies in place, by position, in an order in which the
    /// first bodies are in theirs.
    pub fn placing_joints(&self) -> Vec<usize> {
        if self.joints.is_empty() {
            return Vec::new();
        }
        let placers: Vec<Option<usize>> = (0..self.bodies.len()).map(|body| self.placer(body)).collect();
        let mut left: Vec<usize> = (0..self.joints.len())
            .filter(|k| self.joints[*k].points[1].body.is_some_and(|b| placers[b] == Some(*k)))
            .collect();
        let mut order = Vec::with_capacity(left.len());
        loop {
            let waits = |k: &usize| {
                let first = self.joints[*k].points[0].body;
                first.and_then(|a| placers[a]).is_some_and(|placer| left.contains(&placer))
            };
            let Some(at) = left.iter().position(|k| !waits(k)) else { break };
            order.push(left.remove(at));
        }
        // Joints that place each other's bodies in a circle place none, unless they give
        // coordinates.
        order.extend(left.into_iter().filter(|k| self.joints[*k].initial.is_some()));
        order
    }

    /// The joint that puts this body in its place and holds it as it stands: the body's attitude,
    /// where it gives one, is in the joint's frames.
    pub fn fixed_by(&self, body: usize) -> Option<&Joint> {
        let joint = &self.joints[self.placer(body)?];
        (joint.kind.alignment == Alignment::AsBodiesStand).then_some(joint)
    }

    /// Which quantities of this body's start are conditions of the assembly.
    pub fn conditions(&self, body: usize) -> Given {
        let described = &self.bodies[body];
        let given = described.initial.given;
        if given.approximate {
            return Given::default();
        }
        let moves = described.support == Support::Free;
        Given {
            position: given.position && moves,
            velocity: given.velocity && moves,
            attitude: given.attitude && self.fixed_by(body).is_none(),
            ..given
        }
    }

    /// Whether the value of this coordinate and its rate are conditions of the assembly.
    pub fn coordinate_conditions(&self, coordinate: JointCoordinate) -> [bool; 2] {
        let initial = self.joints[coordinate.joint].initial.filter(|initial| !initial.approximate);
        initial.map_or([false; 2], |initial| initial.of(coordinate.coordinate).given)
    }

    /// The beam of which this body is a node.
    pub fn beam_of(&self, body: usize) -> Option<usize> {
        self.beams.iter().position(|beam| (beam.first_node..beam.first_node + beam.nodes).contains(&body))
    }

    /// Whether what happens at a step depends on the time of that step otherwise than by pieces of
    /// loads: its steps are counted.
    pub fn counts_steps(&self) -> bool {
        let driven = |generator: &Generator| generator.of_time().any(Expression::depends_on_argument);
        !self.locks.is_empty()
            || self.generators.iter().any(driven)
            || self.acting_functions().any(|function| self.depends_on_time(function))
            || self.signals.iter().any(|signal| self.depends_on_time(&signal.value))
            || !self.outcomes.is_empty()
            || self.ends.iter().any(|end| self.depends_on_time(&end.when))
    }

    /// The names of verdicts on its instances.
    pub fn verdict_names(&self) -> VerdictNames {
        let name = |end: &EndCondition| {
            end.name.clone().unwrap_or_else(|| crate::base::Verdict::Condition(0).name().to_string())
        };
        VerdictNames {
            conditions: self.ends.iter().map(name).collect(),
            at_end: self.ends.iter().map(|end| end.at_end).collect(),
        }
    }

    /// The flexible body that allows the shortest step, and that step (s).
    pub fn shortest_period(&self) -> Option<(&Body, f64)> {
        let steps =
            self.bodies.iter().filter_map(|body| Some((body, body.flexible.as_ref()?.largest_step())));
        steps.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// By joint, whether it closes a loop: its bodies were joined before, by the joints before it,
    /// the ground and fixed points.
    pub fn joints_that_close(&self) -> Vec<bool> {
        let ground = self.bodies.len();
        let mut above: Vec<usize> = (0..=ground).collect();
        let root = |above: &mut Vec<usize>, mut k: usize| {
            while above[k] != k {
                above[k] = above[above[k]];
                k = above[k];
            }
            k
        };
        for (k, body) in self.bodies.iter().enumerate() {
            if body.support == Support::FixedPoint {
                above[k] = ground;
            }
        }
        let closes = |joint: &Joint| {
            let [a, b] = joint.points.map(|point| root(&mut above, point.body.unwrap_or(ground)));
            above[a] = b;
            a == b
        };
        self.joints.iter().map(closes).collect()
    }

    /// Whether rows hold it: of joints, generators or contacts (locks are of joints).
    pub fn is_held(&self) -> bool {
        !(self.joints.is_empty() && self.generators.is_empty() && self.contacts.is_empty())
    }

    /// The energy that weight may turn over per unit of mass (m²/s²): gravity times how far joints
    /// are from the origins of their bodies.
    pub fn weight(&self) -> f64 {
        let gravity = self.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
        if gravity > 0.0 { gravity * self.reach() } else { 0.0 }
    }

    /// Whether rigid bodies are all that moves: none deforms, no law has a state, and there are no
    /// rotors.
    pub fn is_rigid(&self) -> bool {
        self.bodies.iter().all(|body| body.flexible.is_none()) && self.carried() == 0
    }

    /// One rigid body, held by nothing but its support.
    pub fn is_one_body(&self) -> bool {
        self.bodies.len() == 1
            && self.bodies[0].flexible.is_none()
            && self.joints.is_empty()
            && self.generators.is_empty()
            && self.contacts.is_empty()
            && self.forces.is_empty()
            && self.beam_elements.is_empty()
            && !self.loads.iter().any(Load::is_law)
            && self.states.is_empty()
    }

    /// The forces along a line that have a length: springs first.
    pub fn lines(&self) -> impl Iterator<Item = &Force> {
        LINES.into_iter().flat_map(|table| self.forces_of(table))
    }

    /// The forces of one kind, by the name of its table.
    pub fn forces_of<'m>(&'m self, table: &'m str) -> impl Iterator<Item = &'m Force> {
        self.forces.iter().filter(move |force| force.card.table == table)
    }
}

/// A number with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    pub name: String,
    /// SI.
    pub value: f64,
    /// Unit of the value; "1" of a plain number.
    pub unit: Cow<'static, str>,
}

/// A beam element between two nodes, for rotations of any size: strains are constant along it. `x`
/// runs along the undeformed element; nothing acts where the frames coincide and B's point is
/// `length` ahead of A's along x.
///
/// ```text
/// Gamma = F_m^T (P_B - P_A) / L - e1,  theta from A's frame to B's, F_m the frame halfway:
/// V = L/2 Gamma.diag(EA, GA_y, GA_z) Gamma + 1/(2 L) theta.diag(GJ, EI_y, EI_z) theta
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BeamElement {
    pub name: String,
    pub points: [Point; 2],
    /// `frames[side]`: x, y, z in the axes of the side's body.
    pub frames: [[[f64; 3]; 3]; 2],
    /// L of the undeformed element (m).
    pub length: f64,
    pub section: SectionStiffness,
    /// The beam to which it belongs and from which it has its section; position in
    /// [`Mechanism::beams`].
    pub beam: Option<usize>,
}

impl BeamElement {
    /// The largest turn between its nodes (rad): 160 degrees. At half a turn the rotation vector
    /// jumps to its opposite, and the strains with it; the numbers of what is turned further are
    /// lost (NaN), and its instance ends as not finite.
    pub const LARGEST_TURN: f64 = 160.0 * std::f64::consts::PI / 180.0;
}

/// Stiffness and damping of a beam's cross section. y and z are principal axes of the section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionStiffness {
    /// EA (N)
    pub axial: f64,
    /// GA along y and z, the shear corrections included (N).
    pub shear: [f64; 2],
    /// GJ (N m²)
    pub torsion: f64,
    /// EI about y and z (N m²).
    pub bending: [f64; 2],
    /// Stresses answer to strain + damping x strain rate (s).
    pub damping: f64,
}

/// A straight beam, cut into elements of equal length. Its nodes are rigid bodies: the pieces of
/// the beam that are nearest to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Beam {
    pub name: String,
    /// The ends at t = 0, space axes (m).
    pub from: [f64; 3],
    pub to: [f64; 3],
    /// The section's y, space axes: a unit vector across the beam.
    pub reference: [f64; 3],
    /// Number of elements.
    pub elements: usize,
    pub section: SectionStiffness,
    /// rho A (kg/m)
    pub mass_per_length: f64,
    /// rho I about y and z (kg m).
    pub rotary_inertia: [f64; 2],
    /// Whether `from` and `to` are fixed to the ground, displacement and rotation; there is no node
    /// then.
    pub clamped: [bool; 2],
    /// Velocity of `from`, space axes (m/s).
    pub velocity: [f64; 3],
    /// Angular velocity of the whole beam, space axes (rad/s).
    pub angular_velocity: [f64; 3],
    /// Position of the first node in [`Mechanism::bodies`], and number of nodes.
    pub first_node: usize,
    pub nodes: usize,
}

/// Tables of forces along the line between two points whose length channels and laws know, in the
/// order in which they act.
pub const LINES: [&str; 3] = ["spring", "friction", "line_actuator"];

/// One rigid body. `body axes` are the axes in which the user describes it; they need not be
/// principal.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Name under which channels and varied quantities are addressed, e.g. `body.angular_velocity`.
    pub name: String,
    /// Mass (kg), positive.
    pub mass: f64,
    /// Inertia matrix as it is given (kg m²), symmetric positive definite, about the point
    /// `inertia_about` names; its axes are `inertia_axes`.
    pub inertia: [[f64; 3]; 3],
    /// Unit quaternion that maps the axes of `inertia` to body axes.
    pub inertia_axes: [f64; 4],
    pub inertia_about: InertiaAbout,
    /// Mass centre from the body's origin, in body axes (m).
    pub centre_of_mass: [f64; 3],
    pub support: Support,
    pub initial: Initial,
    /// A mass without extent in the body's origin. What is attached acts on that point alone, so
    /// that nothing turns it: its inertia (1 kg m² about every axis) has no effect, and attitude
    /// and angular velocity stay those of the start, none.
    pub is_point: bool,
    /// Deformation by modes; mass, inertia and mass centre are then those of its modal data.
    pub flexible: Option<Flexible>,
}

impl Body {
    /// The inertia matrix in body axes (kg m²).
    pub fn inertia_in_body(&self) -> [[f64; 3]; 3] {
        in_body(self.inertia, self.inertia_axes)
    }
}

/// A body's deformation by modes in a floating frame (W84).
#[derive(Clone, Debug, PartialEq)]
pub struct Flexible {
    pub level: Level,
    pub frame: Floating,
    pub source: FlexibleSource,
    /// Damping ratio of each mode.
    pub damping: Vec<f64>,
    /// All stiffness is multiplied by this.
    pub stiffness_scale: f64,
    /// All damping is multiplied by this.
    pub damping_scale: f64,
    /// eta at t = 0.
    pub amplitudes: Vec<f64>,
    /// Its rate (1/s) at t = 0.
    pub amplitude_rates: Vec<f64>,
    /// The point whose deflection can be observed, from the body's origin in body axes (m).
    pub watch: [f64; 3],
    /// Modal data to which the source comes.
    pub modal: Modal,
}

impl Body {
    /// The number of its modes; a rigid body has none.
    pub fn modes(&self) -> usize {
        self.flexible.as_ref().map_or(0, Flexible::modes)
    }
}

impl Flexible {
    pub fn modes(&self) -> usize {
        self.modal.modes()
    }

    /// The largest step (s) with which the staggered method is stable by the highest frequency of
    /// the body alone, `w h = 2`.
    pub fn largest_step(&self) -> f64 {
        let fastest = self.modal.frequencies().last().copied().unwrap_or_default();
        2.0 / (fastest * self.stiffness_scale.sqrt())
    }

    /// `D_k = 2 zeta_k sqrt(K_kk M_kk)`, the damping of each mode (1/s where modes have unit mass).
    /// In an attached frame it is the ratio while the particle is held.
    pub fn damping_coefficients(&self) -> Vec<f64> {
        let (k, m) = (&self.modal.constants.stiffness, &self.modal.constants.modal_mass);
        let coefficient = |(i, zeta): (usize, &f64)| 2.0 * zeta * (k[(i, i)] * m[(i, i)]).max(0.0).sqrt();
        self.damping.iter().enumerate().map(coefficient).collect()
    }
}

/// Which coupling terms between rotation and deformation the equations have (W84 table 5.2); only
/// level 2 conserves energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Zero,
    Half,
    One,
    OneAndHalf,
    Two,
}

/// Where a body's modes come from.
#[derive(Clone, Debug, PartialEq)]
pub enum FlexibleSource {
    Beam(beam::ModalBeam),
    Structure(Frame),
    Modal(ModalFile),
}

/// The point about which the inertia matrix is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InertiaAbout {
    MassCentre,
    /// The body's origin; with a fixed point, that is the fixed point.
    Origin,
}

/// Support of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    Free,
    /// The body's origin stays where it starts; the body turns about it.
    FixedPoint,
}

/// The state at t = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Initial {
    /// Position of the body's origin in space axes (m).
    pub position: [f64; 3],
    /// Velocity of the body's origin in space axes (m/s); zero with a fixed point.
    pub velocity: [f64; 3],
    /// Unit quaternion (scalar first) that maps body axes to space axes.
    pub attitude: [f64; 4],
    /// Angular velocity (rad/s) in `angular_velocity_axes`.
    pub angular_velocity: [f64; 3],
    pub angular_velocity_axes: Axes,
    /// Which of these are given; the others are defaults, from which assembly is free to depart.
    pub given: Given,
}

/// Which quantities of a body's start the user gives, or a study draws: each is a condition of the
/// assembly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Given {
    pub position: bool,
    pub velocity: bool,
    pub attitude: bool,
    pub angular_velocity: bool,
    /// The values say only from where assembly starts to look: none is a condition.
    pub approximate: bool,
}

impl Given {
    /// All of them, to be kept.
    pub const ALL: Given =
        Given { position: true, velocity: true, attitude: true, angular_velocity: true, approximate: false };
    /// All of them, as a first guess.
    pub const ABOUT: Given = Given { approximate: true, ..Given::ALL };
}

/// The axes in which a vector's components are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    Body,
    Space,
}

/// A force or torque on a body: piecewise constant in time, or any function of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    pub name: String,
    /// Position in [`Mechanism::bodies`].
    pub body: usize,
    pub kind: LoadKind,
    pub axes: Axes,
    /// Where a force acts, from the body's origin in body axes (m). Unused for a torque.
    pub point: [f64; 3],
    /// In time order, never overlapping. A load is zero outside its pieces.
    pub pieces: Vec<LoadPiece>,
    /// A function of time and motion for each component (N or N m), instead of pieces.
    pub function: Option<[Expression; 3]>,
}

impl Load {
    /// Whether it depends on the motion.
    pub fn is_law(&self) -> bool {
        self.function.iter().flatten().any(Expression::depends_on_motion)
    }

    /// Where it acts.
    pub fn at(&self) -> Point {
        Point { body: Some(self.body), at: self.point }
    }

    /// Whether it begins or ends at a time.
    pub fn is_timed(&self) -> bool {
        self.pieces.iter().any(|piece| piece.from > 0.0 || piece.until.is_finite())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadKind {
    Force,
    Torque,
}

/// A constant stretch of a load: `from <= t < until` (s); `until` may be infinite.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadPiece {
    pub from: f64,
    pub until: f64,
    /// Force (N) or torque (N m).
    pub value: [f64; 3],
}

/// Why a mechanism is none with other values of its constants.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct NotMade(pub String);

/// Makes numbers of a mechanism from its constants.
pub trait Recipe: Debug + Send + Sync {
    /// Puts into the mechanism, as it is described, the numbers that follow from constants which
    /// have other values (SI) than there; `given`: those values by position, `None` where a
    /// constant is as described.
    ///
    /// # Errors
    /// With these values it is none: says why.
    fn make(&self, own: &mut Mechanism, given: &[Option<f64>]) -> Result<(), NotMade>;

    /// Its description: the TOML text of a mechanism, with its expressions.
    fn text(&self) -> &str;
}

/// The numbers of a mechanism that are expressions, and how it is made with other constants.
#[derive(Clone, Debug)]
pub struct Linked {
    pub numbers: Arc<[LinkedNumber]>,
    pub recipe: Arc<dyn Recipe>,
}

impl PartialEq for Linked {
    fn eq(&self, other: &Linked) -> bool {
        self.numbers == other.numbers && self.recipe.text() == other.recipe.text()
    }
}

impl Linked {
    /// Whether a number depends on this constant.
    pub fn follows(&self, constant: usize) -> bool {
        self.numbers.iter().any(|number| number.constants.contains(&constant))
    }
}
