//! Laws of the motion: reads points and signals, and resolves the names of what expressions
//! measure.

use super::declared::section;
use std::cell::RefCell;

use super::document::{Node, Table};
use super::expression_text::{InputNames, UnknownInput, Vocabulary, is_reserved, parse};
use super::keys::{FUNCTION_FORM, NAME, OF_BODY, PLACE};
use super::read_flexible::place;
use super::read_function::{FunctionRequirements, Variable, function};
use super::read_mechanism::{GROUND, PartialMechanism, acted_on, body_or_ground, fresh_name};
use super::write::{Writer, of_time, text};
use polhode_description::base::units::Dimension;
use polhode_description::describe::expression::MotionInput;
use polhode_description::describe::{
    Body, Coordinate, Effect, EnergyPart, Expression, Joint, JointCoordinate, LawState, Mechanism,
    NamedPoint, Point, Sensor, Signal, Spot,
};

section! { pub static POINT =
        "A point of a body that has a name: expressions and channels use NAME.position and NAME.velocity.";
    @NAME;
    @OF_BODY;
    at: PLACE, Required,
        "The place from the body's origin in body axes; of a flexible body also by name; of the ground in space axes.";
}

section! { pub static SIGNAL =
        "An expression of time and motion that has a name: other expressions use NAME, channels NAME.value.";
    name: Text, Required, "Name, unique: letters, digits and _, a letter first.";
    value: FUNCTION_FORM, Required, "Its value, in SI units, from the motion and earlier signals.";
    unit: Text, Optional, "SI unit of its value, such as \"N m\". Absent: it is a plain number.";
    every: Positive(Dimension::Time), Optional,
        "It is sampled: taken at t = 0 and at every multiple of this time, and held in between. Whole steps. \
         Absent: it follows the motion.";
}

section! { pub static STATE =
        "A state of a law: dz/dt = rate, or with `every` z(k+1) = next. An integral, a filter, an actuator \
         with a lag, a delay. Expressions and channels use NAME.";
    name: Text, Required, "Name, unique: letters, digits and _, a letter first.";
    rate: FUNCTION_FORM, Optional, "dz/dt, in SI units, from the motion, states and signals.";
    next: FUNCTION_FORM, Optional,
        "In place of `rate`, with `every`: the value from the next sample on, from the motion, states and \
         signals at this one.";
    every: Positive(Dimension::Time), Optional,
        "It is sampled: it takes its next value at every multiple of this time, and holds it in between. \
         Whole steps.";
    initial: AnyQuantity, Default("0"), "z at t = 0.";
    unit: Text, Optional, "SI unit of z. Absent: that of `initial`.";
}

/// Three components of a vector.
const AXES: [&str; 3] = ["x", "y", "z"];
/// Components of a quaternion, as those of the channel `attitude`.
const QUATERNION: [&str; 4] = ["q0", "q1", "q2", "q3"];

/// The numbers of the motion that expressions may use, as far as the mechanism is read; those that
/// are used become its sensors.
#[derive(Default)]
pub(super) struct Motions<'m> {
    pub bodies: &'m [Body],
    pub joints: &'m [Joint],
    /// Names of [forces along lines](Mechanism::lines), in their order.
    pub springs: Vec<String>,
    /// So many of them are springs, which come first: their force is known.
    pub pulling: usize,
    /// Names of [rotors](Mechanism::rotors), in their order.
    pub rotors: Vec<String>,
    pub points: Vec<NamedPoint>,
    /// Names of states, in the order of the file.
    pub states: Vec<String>,
    pub signals: Vec<Signal>,
    pub sensors: RefCell<Vec<Sensor>>,
    /// Whether what forces cause is known: to outcomes and verdicts, and not to laws.
    pub effects: bool,
    /// Whether something that has a name could not be read: a name that is not known may be its.
    pub has_faults: bool,
}

/// Something that is measured: its name after that of its owner, and the sensor.
type Measured = (String, Sensor);

impl<'m> Motions<'m> {
    /// Those of a mechanism that has been read.
    pub fn of(mechanism: &'m Mechanism) -> Motions<'m> {
        Motions {
            bodies: &mechanism.bodies,
            joints: &mechanism.joints,
            springs: mechanism.lines().map(|line| line.name.clone()).collect(),
            pulling: mechanism.forces_of("spring").count(),
            rotors: mechanism.rotors().map(|rotor| rotor.name.clone()).collect(),
            points: mechanism.points.clone(),
            states: mechanism.states.iter().map(|state| state.name.clone()).collect(),
            signals: mechanism.signals.clone(),
            sensors: RefCell::new(mechanism.sensors.clone()),
            effects: true,
            has_faults: false,
        }
    }

    /// All that can be measured of the owner of this name; `None`: there is none.
    fn measured(&self, owner: &str) -> Option<Vec<Measured>> {
        if let Some(joint) = self.joints.iter().position(|joint| joint.name == owner) {
            let coordinates = self.joints[joint].kind.coordinates.iter();
            let of = |coordinate: &Coordinate| {
                let name = coordinate.name();
                let of = JointCoordinate { joint, coordinate: *coordinate };
                [
                    (name.to_string(), Sensor::Coordinate(of)),
                    (format!("{name}_rate"), Sensor::CoordinateRate(of)),
                    (format!("{name}_acceleration"), Sensor::Effect(Effect::CoordinateAcceleration(of))),
                ]
            };
            let forces = AXES.into_iter().enumerate().map(|(axis, name)| {
                (format!("force.{name}"), Sensor::Effect(Effect::JointForce { joint, axis }))
            });
            let torques = AXES.into_iter().enumerate().map(|(axis, name)| {
                (format!("torque.{name}"), Sensor::Effect(Effect::JointTorque { joint, axis }))
            });
            return Some(coordinates.flat_map(of).chain(forces).chain(torques).collect());
        }
        if let Some(spring) = self.springs.iter().position(|name| name == owner) {
            let of = [("length", Sensor::Length { spring }), ("rate", Sensor::LengthRate { spring })];
            let tension = ("force", Sensor::Effect(Effect::Tension { spring }));
            let all = of.into_iter().chain((spring < self.pulling).then_some(tension));
            return Some(all.map(|(name, sensor)| (name.to_string(), sensor)).collect());
        }
        if let Some(rotor) = self.rotors.iter().position(|name| name == owner) {
            let of = [
                ("speed", Sensor::RotorSpeed { rotor }),
                ("momentum", Sensor::RotorMomentum { rotor }),
                ("torque", Sensor::Effect(Effect::MotorTorque { rotor })),
            ];
            return Some(of.map(|(name, sensor)| (name.to_string(), sensor)).into());
        }
        if let Some(named) = self.points.iter().position(|named| named.name == owner) {
            return Some(of_spot(Spot::Named(named)));
        }
        let body = self.bodies.iter().position(|body| body.name == owner)?;
        let of_axis = |(axis, name): (usize, &str)| {
            (format!("angular_velocity.{name}"), Sensor::AngularVelocity { body, axis })
        };
        let of_attitude = |(component, name): (usize, &str)| {
            (format!("attitude.{name}"), Sensor::Attitude { body, component })
        };
        // The origin of a flexible body may be no point whose deflection is known.
        let position =
            of_spot(Spot::Origin(body)).into_iter().filter(|_| self.bodies[body].flexible.is_none());
        let turning = AXES.into_iter().enumerate().map(of_axis);
        Some(position.chain(turning).chain(QUATERNION.into_iter().enumerate().map(of_attitude)).collect())
    }

    /// The names of all that has something to measure.
    fn owners(&self) -> impl Iterator<Item = &str> {
        // A joint without coordinates has only the effects of forces to measure.
        let joints = self.joints.iter().filter(|joint| self.effects || !joint.kind.coordinates.is_empty());
        let points = self.points.iter().map(|point| point.name.as_str());
        let names = joints.map(|joint| joint.name.as_str());
        let springs = self.springs.iter().chain(&self.rotors).map(String::as_str);
        let bodies = self.bodies.iter().map(|body| body.name.as_str());
        names.chain(bodies).chain(springs).chain(points)
    }

    /// Whether expressions may use this.
    fn knows(&self, sensor: Sensor) -> bool {
        self.effects || !sensor.is_effect()
    }

    /// The number of a sensor, which the mechanism has from now on.
    fn sensor(&self, sensor: Sensor) -> MotionInput {
        let mut sensors = self.sensors.borrow_mut();
        let known = sensors.iter().position(|other| *other == sensor);
        MotionInput::Sensor(known.unwrap_or_else(|| {
            sensors.push(sensor);
            sensors.len() - 1
        }))
    }
}

/// Position, velocity and acceleration of a point.
fn of_spot(spot: Spot) -> Vec<Measured> {
    let position = AXES
        .into_iter()
        .enumerate()
        .map(|(axis, name)| (format!("position.{name}"), Sensor::Position { spot, axis }));
    let velocity = AXES
        .into_iter()
        .enumerate()
        .map(|(axis, name)| (format!("velocity.{name}"), Sensor::Velocity { spot, axis }));
    let acceleration = AXES.into_iter().enumerate().map(|(axis, name)| {
        (format!("acceleration.{name}"), Sensor::Effect(Effect::Acceleration { spot, axis }))
    });
    position.chain(velocity).chain(acceleration).collect()
}

impl InputNames for Motions<'_> {
    fn input(&self, name: &str) -> Result<MotionInput, UnknownInput> {
        if let Some(signal) = self.signals.iter().position(|signal| signal.name == name) {
            return Ok(MotionInput::Signal(signal));
        }
        if let Some(state) = self.states.iter().position(|state| state == name) {
            return Ok(MotionInput::State(state));
        }
        if let Some(part) = EnergyPart::ALL.into_iter().find(|part| part.name() == name) {
            return Ok(self.sensor(Sensor::Energy(part)));
        }
        let Some((owner, of)) = name.split_once('.') else {
            let signals = self.signals.iter().map(|signal| signal.name.clone());
            let split = self.owners().find(|owner| owner.split_once('-').is_some_and(|(a, _)| a == name));
            let found = match split {
                Some(owner) => format!(
                    "there is no `{name}`: the name `{owner}` holds a `-`, which expressions take for a difference"
                ),
                None => format!("there is no constant, state, signal or energy `{name}`"),
            };
            let energies = EnergyPart::ALL.map(|part| part.name().to_string());
            return Err(UnknownInput {
                found,
                allowed: self.states.iter().cloned().chain(signals).chain(energies).collect(),
                follows: self.has_faults,
            });
        };
        let Some(measured) = self.measured(owner) else {
            let found = format!("there is no body, joint, spring, wheel or point `{owner}`");
            let has = |owner: &&str| {
                let usable = |(known, sensor): &Measured| known == of && self.knows(*sensor);
                self.measured(owner).is_some_and(|all| all.iter().any(usable))
            };
            let with: Vec<String> = self.owners().filter(has).map(|owner| format!("{owner}.{of}")).collect();
            let allowed = if with.is_empty() { self.owners().map(str::to_string).collect() } else { with };
            return Err(UnknownInput { found, allowed, follows: self.has_faults });
        };
        let found = match measured.iter().find(|(known, _)| known == of) {
            Some((_, sensor)) if self.knows(*sensor) => return Ok(self.sensor(*sensor)),
            // An algebraic loop: the law would need the forces that it is a part of.
            Some(_) => format!(
                "a law cannot use `{name}`, which depends on the law's own force; outcomes and verdicts can use it"
            ),
            None => format!("`{owner}` has no `{of}` that expressions can use"),
        };
        let usable = measured.iter().filter(|(_, sensor)| self.knows(*sensor));
        let allowed = usable.map(|(known, _)| format!("{owner}.{known}")).collect();
        Err(UnknownInput { found, allowed, follows: false })
    }
}

/// A point with a name.
pub(super) fn point(table: &Table<'_>, seen: &mut PartialMechanism<'_>) -> Option<NamedPoint> {
    let name = fresh_name(table, &mut seen.taken);
    let bodies = seen.motions.bodies;
    let body = match table.get("body") {
        Some(node) => body_or_ground(&node, seen.bodies?),
        None => acted_on(table, Some(bodies), "a point").map(Some),
    };
    let at = table.get("at").and_then(|node| place(&node, body?.map(|b| &bodies[b])));
    Some(NamedPoint { name: name?, point: Point { body: body?, at: at? } })
}

/// A name that expressions can use.
pub(super) fn usable_name(table: &Table<'_>, seen: &mut PartialMechanism<'_>) -> Option<String> {
    let name = fresh_name(table, &mut seen.taken);
    name.filter(|name| {
        let constants = seen.constants.unwrap_or_default();
        let taken = is_reserved(name) || constants.iter().any(|constant| constant.name == *name);
        let usable = !taken && !name.contains('-');
        if !usable && let Some(node) = table.get("name") {
            node.report(format!("{} cannot be used in expressions", node.source()), |problem| {
                problem.advise("use letters, digits and _, and no name of a constant or function")
            });
        }
        usable
    })
}

/// A function of time and motion of any dimension.
fn any_function(node: &Node<'_>, seen: &PartialMechanism<'_>) -> Option<Expression> {
    let required = FunctionRequirements {
        variable: Variable::Time,
        dimension: None,
        constants: seen.constants,
        inputs: Some(&seen.motions),
        tables: &seen.tables,
        derivatives: None,
    };
    function(node, required)
}

/// A state. All states and signals are known.
pub(super) fn state(table: &Table<'_>, seen: &mut PartialMechanism<'_>) -> Option<LawState> {
    let name = usable_name(table, seen);
    let initial = table.get("initial").and_then(|node| node.any_quantity());
    let unit = match table.get("unit") {
        Some(node) => si_unit(&node),
        None => initial.as_ref().map(|(_, unit)| unit.clone()),
    };
    let rate = match table.get("rate") {
        Some(node) => any_function(&node, seen),
        None => {
            table.report_missing("rate");
            None
        }
    };
    if !seen.motions.bodies.is_empty() && seen.motions.bodies.iter().all(|body| body.flexible.is_some()) {
        table.report("states of laws need a rigid body in the mechanism", |problem| {
            problem.advise("add a rigid body, however small")
        });
        return None;
    }
    Some(LawState { name: name?, unit: unit?, rate: rate?, initial: initial?.0 })
}

/// The keys that a state has which is sampled.
pub(super) const OF_SAMPLED: [&str; 2] = ["next", "every"];

/// A state that is sampled, as the signal that shows it. `next`: where the signal of its next value
/// will stand.
pub(super) fn sampled_state(
    table: &Table<'_>,
    seen: &mut PartialMechanism<'_>,
    next: usize,
) -> Option<Signal> {
    let name = usable_name(table, seen);
    let rate = table.get("rate");
    if let Some(node) = &rate {
        node.report("is the rate of a state that is not sampled", |problem| {
            problem.advise("give `next` in its place, or leave `every` out")
        });
    }
    for key in OF_SAMPLED.into_iter().filter(|key| rate.is_none() && !table.has(key)) {
        table.report_missing(key);
    }
    let every = table.read("every");
    let initial = table.get("initial").and_then(|node| initial_of_sampled(&node, seen));
    let unit = match table.get("unit") {
        Some(node) => si_unit(&node),
        None => initial.as_ref().map(|(_, unit)| unit.clone()),
    };
    let value = Expression::Input(MotionInput::Held(next));
    let initial = initial.map(|(initial, _)| initial);
    Some(Signal { name: name?, unit: unit?, value, every: Some(every?), initial: Some(initial?) })
}

/// A quantity, or an expression of constants that stays one, with the name of its SI unit.
fn initial_of_sampled(
    node: &Node<'_>,
    seen: &PartialMechanism<'_>,
) -> Option<(Expression, std::borrow::Cow<'static, str>)> {
    let constants = seen.constants?;
    let names = Vocabulary { variable: None, constants, inputs: None, tables: &seen.tables, units: false };
    if let Some(text) = node.text_if_any()
        && let Ok(expression) = parse(text, names)
        && expression.any(&|part| matches!(part, Expression::Constant(_)))
    {
        return Some((expression, "1".into()));
    }
    node.any_quantity().map(|(value, unit)| (Expression::Number(value), unit))
}

/// The next value of a state that is sampled, as the signal that it is. All states and signals are
/// known.
pub(super) fn next_of_state(
    table: &Table<'_>,
    seen: &PartialMechanism<'_>,
    shown: Option<&Signal>,
) -> Option<Signal> {
    let value = table.get("next").and_then(|node| any_function(&node, seen))?;
    Some(Signal { name: String::new(), value, initial: None, ..shown?.clone() })
}

/// A signal.
pub(super) fn signal(table: &Table<'_>, seen: &mut PartialMechanism<'_>) -> Option<Signal> {
    let name = usable_name(table, seen);
    let unit = match table.get("unit") {
        Some(node) => si_unit(&node),
        None => Some("1".into()),
    };
    let value = table.get("value").and_then(|node| any_function(&node, seen));
    let every = match table.get("every") {
        Some(node) => node.positive(Dimension::Time).map(Some),
        None => Some(None),
    };
    Some(Signal { name: name?, unit: unit?, value: value?, every: every?, initial: None })
}

/// The unit of a signal: any that measures in SI, by its SI name.
pub(super) fn si_unit(node: &Node<'_>) -> Option<std::borrow::Cow<'static, str>> {
    use polhode_description::base::units::parse_any_quantity;
    let name = node.text()?;
    if name == "1" {
        return Some("1".into());
    }
    match parse_any_quantity(&format!("1 {name}")) {
        Ok((1.0, unit)) => Some(unit),
        Ok((_, unit)) => {
            node.report(format!("{} is no SI unit", node.source()), |problem| {
                problem.advise(format!("values of expressions are in SI: write {unit:?}"))
            });
            None
        }
        Err(error) => {
            node.report(format!("{} {error}", node.source()), |problem| {
                problem.advise("give an SI unit, such as \"N m\", or leave it out for a plain number")
            });
            None
        }
    }
}

/// The name of a number of the motion, as [`Motions`] knows it.
pub(super) fn input_name(input: MotionInput, mechanism: &Mechanism) -> String {
    match input {
        MotionInput::State(state) => mechanism.states[state].name.clone(),
        MotionInput::Signal(signal) | MotionInput::Held(signal) => mechanism.signals[signal].name.clone(),
        MotionInput::Sensor(sensor) => sensor_name(mechanism.sensors[sensor], mechanism),
    }
}

fn sensor_name(sensor: Sensor, mechanism: &Mechanism) -> String {
    let of_joint = |of: JointCoordinate, suffix: &str| {
        format!("{}.{}{suffix}", mechanism.joints[of.joint].name, of.coordinate.name())
    };
    let body = |body: usize| mechanism.bodies[body].name.as_str();
    let of_spot = |spot: Spot| match spot {
        Spot::Named(k) => mechanism.points[k].name.as_str(),
        Spot::Origin(k) => body(k),
        Spot::Load(k) => body(mechanism.loads[k].body),
    };
    let spring = |spring: usize| mechanism.lines().nth(spring).map_or("", |force| &force.name);
    let rotor = |rotor: usize| mechanism.rotors().nth(rotor).map_or("", |force| &force.name);
    match sensor {
        Sensor::Coordinate(of) => of_joint(of, ""),
        Sensor::CoordinateRate(of) => of_joint(of, "_rate"),
        Sensor::Position { spot, axis } => format!("{}.position.{}", of_spot(spot), AXES[axis]),
        Sensor::Velocity { spot, axis } => format!("{}.velocity.{}", of_spot(spot), AXES[axis]),
        Sensor::AngularVelocity { body: of, axis } => format!("{}.angular_velocity.{}", body(of), AXES[axis]),
        Sensor::Attitude { body: of, component } => {
            format!("{}.attitude.{}", body(of), QUATERNION[component])
        }
        Sensor::Length { spring: of } => format!("{}.length", spring(of)),
        Sensor::LengthRate { spring: of } => format!("{}.rate", spring(of)),
        Sensor::RotorSpeed { rotor: of } => format!("{}.speed", rotor(of)),
        Sensor::RotorMomentum { rotor: of } => format!("{}.momentum", rotor(of)),
        Sensor::Energy(part) => part.name().to_string(),
        Sensor::Effect(Effect::Acceleration { spot, axis }) => {
            format!("{}.acceleration.{}", of_spot(spot), AXES[axis])
        }
        Sensor::Effect(Effect::CoordinateAcceleration(of)) => of_joint(of, "_acceleration"),
        Sensor::Effect(Effect::JointForce { joint, axis }) => {
            format!("{}.force.{}", mechanism.joints[joint].name, AXES[axis])
        }
        Sensor::Effect(Effect::JointTorque { joint, axis }) => {
            format!("{}.torque.{}", mechanism.joints[joint].name, AXES[axis])
        }
        Sensor::Effect(Effect::Tension { spring: of }) => format!("{}.force", spring(of)),
        Sensor::Effect(Effect::MotorTorque { rotor: of }) => format!("{}.torque", rotor(of)),
    }
}

pub(super) fn write_point(out: &mut Writer, named: &NamedPoint, mechanism: &Mechanism) {
    out.heading("[[mechanism.point]]");
    out.key("name", text(&named.name));
    out.key("body", text(named.point.body.map_or(GROUND, |b| mechanism.bodies[b].name.as_str())));
    out.key("at", named.point.at.to_vec());
}

pub(super) fn write_state(out: &mut Writer, state: &LawState, mechanism: &Mechanism) {
    out.heading("[[mechanism.state]]");
    out.key("name", text(&state.name));
    out.key("rate", of_time(&state.rate, mechanism));
    out.key("initial", state.initial);
    out.key("unit", text(&state.unit));
}

/// A state that is sampled, from the signals that show it and that are its next value.
pub(super) fn write_sampled_state(out: &mut Writer, shown: usize, next: usize, mechanism: &Mechanism) {
    let [shown, next] = [shown, next].map(|k| &mechanism.signals[k]);
    out.heading("[[mechanism.state]]");
    out.key("name", text(&shown.name));
    out.key("next", of_time(&next.value, mechanism));
    if let Some(initial) = &shown.initial {
        out.key("initial", of_time(initial, mechanism));
    }
    if let Some(every) = shown.every {
        out.key("every", every);
    }
    out.key("unit", text(&shown.unit));
}

pub(super) fn write_signal(out: &mut Writer, signal: &Signal, mechanism: &Mechanism) {
    out.heading("[[mechanism.signal]]");
    out.key("name", text(&signal.name));
    out.key("value", of_time(&signal.value, mechanism));
    if signal.unit != "1" {
        out.key("unit", text(&signal.unit));
    }
    if let Some(every) = signal.every {
        out.key("every", every);
    }
}
