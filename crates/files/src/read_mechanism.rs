//! Reads a mechanism file, or the mechanism table of a study, into a `Mechanism`: units converted,
//! defaults filled in, physics checked.

use std::path::Path;

use nalgebra::{Matrix3, Vector3};

use super::declared::named;
use super::document::{Document, Node, Table};
use super::elements::{contact, coupling, force, generator, lock};
use super::error::Problems;
use super::expression_text::is_reserved;
use super::keys::{BODY, FLEXIBLE_BODY, INITIAL, LOAD, PIECE, Section, mechanism_section};
use super::linked::linked;
use super::point_mass::check_point_masses;
use super::read_attitude::attitude;
use super::read_beam::{BEAM, BEAM_ELEMENT, beam, beam_element};
use super::read_flexible::{flexible_body, place, place_acted_on};
use super::read_function::{FunctionRequirements, Variable, function, three_functions};
use super::read_group;
use super::read_joint::joints;
use super::read_law::{self, Motions};
use super::read_lookup;
use super::read_solid::{SHAPES, SOLID_BODY, solid_body};
use super::settings::KeySetting;
use polhode_description::base::units::Dimension;
use polhode_description::base::{grouped, significant};
use polhode_description::describe::expression::{self, Expression};
use polhode_description::describe::force::{Force, ForceCard};
use polhode_description::describe::{
    Axes, Beam, Body, Constant, Flexible, Given, InertiaAbout, Initial, Joint, LINES, LawState, Load,
    LoadKind, LoadPiece, Mechanism, Notes, Point, Signal, Support,
};
use polhode_description::math::inertia::{matrix, of_mass_at, rows};
use polhode_description::math::symmetric::{least_eigenvalue, symmetric_eigenvalues};
use polhode_dynamics::elements::cards;

/// Largest relative asymmetry of an inertia matrix that is taken for rounding.
const ASYMMETRY: f64 = 1e-9;
/// Elements of a kind, or constants, that a mechanism has at most.
const MOST_ELEMENTS: usize = 1000;

named! {
    Axes { Body = "body", Space = "space" }
    Support { Free = "free", FixedPoint = "fixed_point" }
    InertiaAbout { MassCentre = "mass_centre", Origin = "origin" }
    LoadKind { Force = "force", Torque = "torque" }
}

/// The name of the ground in files.
pub const GROUND: &str = "ground";

/// Reads and checks a mechanism file.
///
/// # Errors
/// All faults found, in the order of the file.
pub fn read_mechanism(path: &Path) -> Result<Mechanism, Problems> {
    read_mechanism_with(path, Vec::new())
}

/// As [`read_mechanism`], with these values in place of the file's.
pub(super) fn read_mechanism_with(path: &Path, settings: Vec<KeySetting>) -> Result<Mechanism, Problems> {
    let document = Document::open(path)?.with_settings(settings);
    let stem = document.stem();
    document.read(mechanism_section(), |table| mechanism(table, &stem))
}

/// Reads and checks a mechanism that is given as text; `name` is its name if it gives none. What
/// lies beside a file it cannot name.
///
/// # Errors
/// All faults found, in the order of the text.
pub fn mechanism_of_text(name: &str, text: &str) -> Result<Mechanism, Problems> {
    Document::of_text(name, text.to_string()).read(mechanism_section(), |table| mechanism(table, name))
}

/// The mechanism in `table`; `name` is its name if it gives none.
pub(super) fn mechanism(table: &Table<'_>, name: &str) -> Option<Mechanism> {
    let document = table.document();
    document.begin_calls();
    let read = with_calls(table, name);
    let calls = document.end_calls();
    let mut mechanism = read?;
    mechanism.linked = linked(table, &mechanism, calls);
    mechanism.notes = Notes(document.take_notes());
    Some(mechanism)
}

/// As [`mechanism`], where numbers may call constants.
fn with_calls(table: &Table<'_>, name: &str) -> Option<Mechanism> {
    let name = match table.get("name") {
        Some(node) => node.text()?.to_string(),
        None => name.to_string(),
    };
    let constants = table.get("constants").and_then(|node| constants(&node));
    let gravity = table.get("gravity").and_then(|node| gravity(&node));
    let body_node = table.get("body");
    let own = match &body_node {
        Some(node) => bodies(node),
        None if table.has("beam") => Some(Vec::new()),
        None => {
            table.report("`body` is missing", |problem| problem.advise("give at least one body, or a beam"));
            None
        }
    };
    let mut taken: Vec<String> = own.iter().flatten().map(|body| body.name.clone()).collect();
    let beams = beams(table, own.as_ref().map_or(0, Vec::len), &mut taken);
    let nodes = beams.as_ref().map(|beams| beams.iter().flat_map(Beam::bodies));
    let bodies = own.zip(nodes).map(|(own, nodes)| own.into_iter().chain(nodes).collect::<Vec<Body>>());
    if bodies.as_ref().is_some_and(Vec::is_empty) {
        table.report("there is neither a body nor a beam", |problem| problem.advise("give at least one"));
        return None;
    }
    let joints = joints(table, body_node.as_ref(), bodies.as_deref(), &mut taken);
    let mut seen = PartialMechanism {
        bodies: bodies.as_deref(),
        joints: joints.as_deref(),
        constants: constants.as_deref(),
        motions: motions(table, bodies.as_deref(), joints.as_deref(), constants.is_none()),
        tables: Vec::new(),
        taken,
    };
    let tables = each(table, "table", |node| {
        let table = node.table(&read_lookup::TABLE).and_then(|table| read_lookup::named(&table, &mut seen));
        seen.motions.has_faults |= table.is_none();
        seen.tables.extend(table.clone());
        table
    });
    let points = each(table, "point", |node| {
        let point = node.table(&read_law::POINT).and_then(|table| read_law::point(&table, &mut seen));
        seen.motions.has_faults |= point.is_none();
        seen.motions.points.extend(point.clone());
        point
    });
    let groups = each(table, "group", |node| read_group::group(&node.table(&read_group::GROUP)?, &mut seen));
    let (states, signals) = states_and_signals(table, &mut seen);
    let generators =
        each(table, "generator", |node| generator::read(&node.table(generator::section())?, &mut seen));
    let couplings =
        each(table, "coupling", |node| coupling::read(&node.table(&coupling::COUPLING)?, &mut seen));
    let contacts = each(table, "contact", |node| contact::read(node, &mut seen));
    let of_card = |card: &'static ForceCard| {
        each(table, card.table, |node| force::read(&node.table(force::section(card))?, card, &mut seen))
    };
    let forces: Vec<Option<Vec<Force>>> = cards().iter().copied().map(of_card).collect();
    let beam_elements =
        each(table, "beam_element", |node| beam_element(&node.table(&BEAM_ELEMENT)?, &mut seen));
    let locks = each(table, "lock", |node| lock::read(&node.table(lock::section())?, &mut seen));
    let loads = each(table, "load", |node| load(&node.table(&LOAD)?, &mut seen));
    let sensors = seen.motions.sensors.into_inner();
    let beams = beams?;
    let elements: Vec<_> = beams.iter().enumerate().flat_map(|(k, beam)| beam.beam_elements(k)).collect();
    let mechanism = Mechanism {
        name,
        gravity: gravity?,
        constants: constants?,
        bodies: bodies?,
        joints: joints?,
        generators: generators?.into_iter().chain(couplings?).collect(),
        contacts: contacts?,
        forces: forces.into_iter().collect::<Option<Vec<_>>>()?.concat(),
        beam_elements: beam_elements?.into_iter().chain(elements).collect(),
        beams,
        locks: locks?,
        loads: loads?,
        points: points?,
        groups: groups?,
        sensors,
        states: states?,
        signals: signals?,
        tables: tables?,
        outcomes: Vec::new(),
        ends: Vec::new(),
        linked: None,
        notes: Notes::default(),
    };
    check_point_masses(body_node.as_ref(), &mechanism)?;
    Some(mechanism)
}

/// The motions that laws may feel, of parts that have names.
fn motions<'m>(
    table: &Table<'m>,
    bodies: Option<&'m [Body]>,
    joints: Option<&'m [Joint]>,
    has_faults: bool,
) -> Motions<'m> {
    let spinning = cards().iter().filter(|card| card.spins);
    Motions {
        bodies: bodies.unwrap_or_default(),
        joints: joints.unwrap_or_default(),
        springs: LINES.iter().flat_map(|line| table.names_in(line)).collect(),
        pulling: table.names_in("spring").len(),
        rotors: spinning.flat_map(|card| table.names_in(card.table)).collect(),
        states: table.names_without("state", &read_law::OF_SAMPLED),
        has_faults: has_faults || bodies.is_none() || joints.is_none(),
        ..Motions::default()
    }
}

/// The states of laws, and all signals: first those that show the states that are sampled, last
/// those that give the next values of these.
fn states_and_signals(
    table: &Table<'_>,
    seen: &mut PartialMechanism<'_>,
) -> (Option<Vec<LawState>>, Option<Vec<Signal>>) {
    let states_sampled = table.names_in("state").len() - seen.motions.states.len();
    let signals_after = states_sampled + table.names_in("signal").len();
    let state_node = table.get("state");
    let state_nodes = state_node.as_ref().and_then(|node| node.list()).unwrap_or_default();
    let sampled: Vec<&Node<'_>> = state_nodes.iter().filter(|node| is_sampled(node)).collect();
    let shown: Vec<Option<Signal>> = sampled
        .iter()
        .enumerate()
        .map(|(k, node)| {
            let table = node.table(&read_law::STATE)?;
            let shown = read_law::sampled_state(&table, seen, signals_after + k);
            seen.motions.has_faults |= shown.is_none();
            seen.motions.signals.extend(shown.clone());
            shown
        })
        .collect();
    let signals = each(table, "signal", |node| {
        let signal = node.table(&read_law::SIGNAL).and_then(|table| read_law::signal(&table, seen));
        seen.motions.has_faults |= signal.is_none();
        seen.motions.signals.extend(signal.clone());
        signal
    });
    let nexts: Vec<Option<Signal>> = sampled
        .iter()
        .zip(&shown)
        .map(|(node, shown)| read_law::next_of_state(&node.table(&read_law::STATE)?, seen, shown.as_ref()))
        .collect();
    let states: Vec<Option<LawState>> = state_nodes
        .iter()
        .filter(|node| !is_sampled(node))
        .map(|node| read_law::state(&node.table(&read_law::STATE)?, seen))
        .collect();
    let whole = |signals: Vec<Option<Signal>>| signals.into_iter().collect::<Option<Vec<Signal>>>();
    let signals = whole(shown).zip(signals).zip(whole(nexts));
    let signals = signals.map(|((shown, signals), nexts)| [shown, signals, nexts].concat());
    (states.into_iter().collect(), signals)
}

/// The acceleration of gravity: a vector, or how much of it there is downwards.
pub(super) fn gravity(node: &Node<'_>) -> Option<[f64; 3]> {
    if node.is_list() || node.is_table() {
        return node.vector3(Dimension::Acceleration);
    }
    // 0 - g, so that no gravity is 0, not -0.
    Some([0.0, 0.0, 0.0 - node.quantity(Dimension::Acceleration)?])
}

/// Whether a state is sampled.
pub(super) fn is_sampled(node: &Node<'_>) -> bool {
    read_law::OF_SAMPLED.iter().any(|key| node.has_key(key))
}

/// The parts of a mechanism that are read so far; `None` where a part is faulty.
pub(super) struct PartialMechanism<'m> {
    pub bodies: Option<&'m [Body]>,
    pub joints: Option<&'m [Joint]>,
    pub constants: Option<&'m [Constant]>,
    /// The numbers of the motion that expressions may use.
    pub motions: Motions<'m>,
    /// The tables that expressions may call.
    pub tables: Vec<expression::FunctionTable>,
    /// Names of all elements.
    pub taken: Vec<String>,
}

impl PartialMechanism<'_> {
    /// A function of time and motion of this dimension.
    pub fn function(&self, node: &Node<'_>, dimension: Dimension) -> Option<Expression> {
        function(node, self.functions(dimension))
    }

    fn functions(&self, dimension: Dimension) -> FunctionRequirements<'_> {
        FunctionRequirements {
            variable: Variable::Time,
            dimension: Some(dimension),
            constants: self.constants,
            inputs: Some(&self.motions),
            tables: &self.tables,
            derivatives: None,
        }
    }
}

/// Numbers that expressions call by name, each an expression of earlier ones if it is one.
fn constants(node: &Node<'_>) -> Option<Vec<Constant>> {
    let read: Vec<Option<Constant>> = few(node, node.map()?)?
        .iter()
        .map(|(name, entry)| {
            let constant = constant(name, entry);
            node.document().may_call(constant.as_ref());
            constant
        })
        .collect();
    read.into_iter().collect()
}

fn constant(name: &str, node: &Node<'_>) -> Option<Constant> {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !begins || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        node.report(format!("{name:?} is not a usable name"), |problem| {
            problem.advise("use letters, digits and _, with a letter first")
        });
        return None;
    }
    if is_reserved(name) {
        node.report(format!("`{name}` means something else in expressions"), |problem| {
            problem.advise("choose another name")
        });
        return None;
    }
    let (value, unit) = node.any_quantity()?;
    Some(Constant { name: name.to_string(), value, unit })
}

/// Every table of a list, all of them read before any fault ends it.
pub(super) fn each<T>(
    table: &Table<'_>,
    key: &str,
    read: impl FnMut(&Node<'_>) -> Option<T>,
) -> Option<Vec<T>> {
    let node = table.get(key)?;
    let nodes = few(&node, node.list()?)?;
    let read: Vec<Option<T>> = nodes.iter().map(read).collect();
    read.into_iter().collect()
}

/// Refuses more elements of a kind than any computer would advance.
pub(super) fn few<T>(node: &Node<'_>, elements: Vec<T>) -> Option<Vec<T>> {
    let count = elements.len();
    if count <= MOST_ELEMENTS {
        return Some(elements);
    }
    node.report(format!("has {} entries", grouped(count as u64)), |problem| {
        problem.advise(format!("a mechanism has {} of a kind at most", grouped(MOST_ELEMENTS as u64)))
    });
    None
}

/// One body, or several with names of their own.
fn bodies(node: &Node<'_>) -> Option<Vec<Body>> {
    if !node.is_list() {
        return Some(vec![body(node, None)?]);
    }
    let nodes = few(node, node.list()?)?;
    if nodes.is_empty() {
        node.refuse("a mechanism", "give at least one body");
        return None;
    }
    let mut taken: Vec<String> = Vec::new();
    let read: Vec<Option<Body>> = nodes
        .iter()
        .map(|node| {
            let body = body(node, None)?;
            if taken.contains(&body.name) {
                node.report(format!("the name {:?} is taken", body.name), |problem| {
                    problem.advise("bodies need different names")
                });
                return None;
            }
            taken.push(body.name.clone());
            Some(body)
        })
        .collect();
    read.into_iter().collect()
}

/// All beams, whose nodes come after `bodies` bodies.
fn beams(table: &Table<'_>, bodies: usize, taken: &mut Vec<String>) -> Option<Vec<Beam>> {
    let mut next = bodies;
    each(table, "beam", |node| {
        let beam = beam(&node.table(&BEAM)?, taken, next)?;
        next += beam.nodes;
        Some(beam)
    })
}

/// A name that nothing else in the mechanism has.
pub(super) fn fresh_name(table: &Table<'_>, taken: &mut Vec<String>) -> Option<String> {
    let node = table.get("name")?;
    let name = identifier(&node)?;
    if taken.contains(&name) {
        node.report(format!("the name {} is taken", node.source()), |problem| {
            problem.advise("bodies, joints, forces and loads all need different names")
        });
        return None;
    }
    taken.push(name.clone());
    Some(name)
}

/// The body of this name, `None` inside for the ground.
pub(super) fn body_or_ground(node: &Node<'_>, bodies: &[Body]) -> Option<Option<usize>> {
    let name = node.text()?;
    if name == GROUND {
        return Some(None);
    }
    let found = bodies.iter().position(|body| body.name == name);
    if found.is_none() {
        node.report(format!("there is no body {}", node.source()), |problem| {
            problem.allow(name, std::iter::once(GROUND).chain(bodies.iter().map(|body| body.name.as_str())))
        });
    }
    found.map(Some)
}

/// The body that `body` names, or the only one.
pub(super) fn acted_on(table: &Table<'_>, bodies: Option<&[Body]>, what: &str) -> Option<usize> {
    match (table.get("body"), bodies?) {
        (Some(node), bodies) => {
            let body = body_or_ground(&node, bodies)?;
            if body.is_none() {
                node.report(format!("{what} on the ground moves nothing"), |problem| {
                    problem.advise("name a body")
                });
            }
            body
        }
        (None, [_]) => Some(0),
        (None, bodies) => {
            table.report("`body` is missing", |problem| {
                let names: Vec<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
                problem.advise(format!("name the body on which it acts: {}", names.join(", ")))
            });
            None
        }
    }
}

/// The two points, of different bodies, that a joint or a bushing holds.
pub(super) fn two_points(table: &Table<'_>, bodies: Option<&[Body]>) -> Option<[Point; 2]> {
    points_of_two(table, bodies, &|_| false)
}

/// The two points that a spring joins: of different bodies, or different points of one that
/// deforms.
pub(super) fn ends_of_spring(table: &Table<'_>, bodies: Option<&[Body]>) -> Option<[Point; 2]> {
    let points = points_of_two(table, bodies, &|body| body.flexible.is_some())?;
    if points[0] == points[1] {
        table.report("both ends are the same point", |problem| problem.advise("give two different points"));
        return None;
    }
    Some(points)
}

/// Two points; both on one body only where `may_be` allows it.
fn points_of_two(
    table: &Table<'_>,
    bodies: Option<&[Body]>,
    may_be: &dyn Fn(&Body) -> bool,
) -> Option<[Point; 2]> {
    let sides = table.get("bodies").and_then(|node| {
        let nodes = node.list()?;
        let [a, b] = &nodes[..] else {
            node.refuse("two bodies", "give two names, such as [\"ground\", \"arm\"]");
            return None;
        };
        let bodies = bodies?;
        let sides = [body_or_ground(a, bodies)?, body_or_ground(b, bodies)?];
        if sides[0] == sides[1] && !sides[0].is_some_and(|b| may_be(&bodies[b])) {
            node.report(format!("both sides are {}", a.source()), |problem| {
                problem.advise("name two different bodies, or \"ground\" for one of them")
            });
            return None;
        }
        Some(sides)
    });
    let points = table.get("points").and_then(|node| {
        let nodes = node.list()?;
        let [a, b] = &nodes[..] else {
            node.refuse("two points", "give one on each body, such as [[0, 0, 0], [0, 0, 0.5]]");
            return None;
        };
        let (sides, bodies) = (sides?, bodies?);
        let on = |side: usize| sides[side].map(|b: usize| &bodies[b]);
        let (a, b) = (place(a, on(0)), place(b, on(1)));
        Some([a?, b?])
    });
    let (sides, points) = (sides?, points?);
    Some([0, 1].map(|side| Point { body: sides[side], at: points[side] }))
}

/// One direction for both sides, or one for each.
pub(super) fn two_directions(node: &Node<'_>) -> Option<[[f64; 3]; 2]> {
    let nodes = node.list()?;
    if let [a, b] = &nodes[..] {
        return Some([direction(a)?, direction(b)?]);
    }
    let one = direction(node)?;
    Some([one, one])
}

/// The keys of a body, which say how it is given.
pub(super) fn body_section(node: &Node<'_>) -> &'static Section {
    if node.has_key("flexible") {
        &FLEXIBLE_BODY
    } else if node.has_key("solid") || SHAPES.iter().any(|shape| node.has_key(shape)) {
        &SOLID_BODY
    } else {
        &BODY
    }
}

/// A body; `known`: as it deforms with other constants, its modal data are the same.
pub(super) fn body(node: &Node<'_>, known: Option<&Flexible>) -> Option<Body> {
    let table = &node.table(body_section(node))?;
    if table.has("flexible") {
        return flexible_body(table, known);
    }
    if std::ptr::eq(body_section(node), &raw const SOLID_BODY) {
        return solid_body(table);
    }
    let name = table.get("name").and_then(|node| identifier(&node));
    let mass = table.read("mass");
    let inertia = table.get("inertia").and_then(|node| inertia(&node));
    let inertia_axes = table.get("inertia_axes").and_then(|node| attitude(&node));
    let (inertia_about, centre) = (table.read("inertia_about"), table.read("centre_of_mass"));
    let support = table.read("support");
    let initial = table.get("initial").and_then(|node| initial(&node.table(&INITIAL)?, support));
    let body = Body {
        name: name?,
        mass: mass?,
        inertia: inertia?,
        inertia_axes: inertia_axes?,
        inertia_about: inertia_about?,
        centre_of_mass: centre?,
        support: support?,
        initial: initial?,
        is_point: false,
        flexible: None,
    };
    if smallest_moment(&body) <= 0.0 {
        let node = table.get("inertia")?;
        let found = "is not positive definite about the mass centre, where m (|c|^2 I - c c^T) is taken off"
            .to_string();
        node.report(found, |problem| {
            problem.advise("check mass, centre_of_mass and inertia_about = \"origin\" against each other")
        });
        return None;
    }
    Some(body)
}

/// Smallest principal moment about the mass centre (kg m²): J_c = J_o - m (|c|² I - c cᵀ).
fn smallest_moment(body: &Body) -> f64 {
    let inertia = matrix(&body.inertia_in_body());
    let centre = Vector3::from(body.centre_of_mass);
    let shift = match body.inertia_about {
        InertiaAbout::MassCentre => Matrix3::zeros(),
        InertiaAbout::Origin => of_mass_at(body.mass, centre),
    };
    let about_centre = inertia - shift;
    // An overflow leaves infinities.
    symmetric_eigenvalues(about_centre).map_or(f64::NEG_INFINITY, |moments| moments.min())
}

/// Three moments, or a symmetric positive definite matrix.
fn inertia(node: &Node<'_>) -> Option<[[f64; 3]; 3]> {
    if !node.is_matrix() {
        let diagonal = node.vector3(Dimension::Inertia)?;
        if let Some(moment) = diagonal.iter().find(|moment| **moment <= 0.0) {
            let found = format!("the moment of inertia {moment} kg m^2 is not positive");
            node.report(found, |problem| problem.advise("give three positive moments"));
            return None;
        }
        return Some(std::array::from_fn(|row| {
            std::array::from_fn(|column| if row == column { diagonal[row] } else { 0.0 })
        }));
    }
    let given = node.matrix(Dimension::Inertia, 3)?;
    let matrix = Matrix3::from_fn(|row, column| given[row][column]);
    let scale = matrix.amax();
    for (row, column) in [(0, 1), (0, 2), (1, 2)] {
        let (upper, lower) = (matrix[(row, column)], matrix[(column, row)]);
        if (upper - lower).abs() > ASYMMETRY * scale {
            let found = format!(
                "the matrix is not symmetric: row {}, column {} is {upper}, row {}, column {} is {lower} (kg m^2)",
                row + 1,
                column + 1,
                column + 1,
                row + 1
            );
            node.report(found, |problem| problem);
            return None;
        }
    }
    let symmetric = matrix / 2.0 + matrix.transpose() / 2.0;
    let smallest = least_eigenvalue(symmetric);
    if smallest.is_nan() || smallest <= 0.0 {
        let found = format!(
            "the matrix is not positive definite: its smallest eigenvalue is {} kg m^2",
            significant(smallest, 6)
        );
        node.report(found, |problem| problem);
        return None;
    }
    Some(rows(&symmetric))
}

pub(super) fn initial(table: &Table<'_>, support: Option<Support>) -> Option<Initial> {
    let (position, velocity) = (table.read("position"), table.read::<[f64; 3]>("velocity"));
    let moves = velocity.is_some_and(|velocity| velocity != [0.0; 3]);
    if let (Some(Support::FixedPoint), true, Some(node)) = (support, moves, table.get("velocity")) {
        let advice = "leave it out, or set support = \"free\"";
        node.refuse("zero, but the body's origin is a fixed point", advice);
    }
    let attitude = table.get("attitude").and_then(|node| attitude(&node));
    let (angular_velocity, axes) = (table.read("angular_velocity"), table.read("angular_velocity_axes"));
    let approximate = table.read("approximate");
    let given = Given {
        position: table.has("position"),
        velocity: table.has("velocity"),
        attitude: table.has("attitude"),
        angular_velocity: table.has("angular_velocity"),
        approximate: approximate?,
    };
    Some(Initial {
        position: position?,
        velocity: velocity?,
        attitude: attitude?,
        angular_velocity: angular_velocity?,
        angular_velocity_axes: axes?,
        given,
    })
}

/// A direction: any vector but zero, as a unit vector.
pub(super) fn direction(node: &Node<'_>) -> Option<[f64; 3]> {
    let vector: [f64; 3] = node.vector3(Dimension::Number)?;
    let largest = vector.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    if largest == 0.0 {
        node.refuse("a direction", "give a vector that is not zero");
        return None;
    }
    // The division first keeps the squares of huge and tiny vectors in range.
    let in_range = if (1e-100..1e100).contains(&largest) { vector } else { vector.map(|x| x / largest) };
    Some(normalised(in_range))
}

/// The unit vector along `vector`. One that is a unit vector up to rounding comes back unchanged,
/// so that what was normalised, written and read again keeps its bits.
pub(super) fn normalised<const N: usize>(vector: [f64; N]) -> [f64; N] {
    let square: f64 = vector.iter().map(|x| x * x).sum();
    if (square - 1.0).abs() <= 8.0 * f64::EPSILON {
        return vector;
    }
    let norm = square.sqrt();
    vector.map(|x| x / norm)
}

fn load(table: &Table<'_>, seen: &mut PartialMechanism<'_>) -> Option<Load> {
    let name = fresh_name(table, &mut seen.taken);
    let body = acted_on(table, seen.bodies, "a load");
    let (kind, axes): (Option<LoadKind>, Option<Axes>) = (table.read("kind"), table.read("axes"));
    let on = body.and_then(|b| seen.bodies?.get(b));
    let point = match table.get("point") {
        Some(node) if kind == Some(LoadKind::Torque) && on.is_some_and(|body| body.flexible.is_none()) => {
            node.report("a torque has no point of action", |problem| problem.advise("leave it out"));
            None
        }
        _ => place_acted_on(table, on),
    };
    // A kind that could not be read is reported already; the value is then not worth a second
    // message.
    let dimension = dimension_of(kind?);
    let mut function = None;
    let pieces = match table.exactly_one(&["value", "pieces", "function"])? {
        "function" => {
            let node = table.get("function")?;
            function = Some(three_functions(&node, seen.functions(dimension))?);
            Vec::new()
        }
        key => pieces_of(table, key, dimension)?,
    };
    Some(Load { name: name?, body: body?, kind: kind?, axes: axes?, point: point?, pieces, function })
}

/// The dimension of a load's value.
fn dimension_of(kind: LoadKind) -> Dimension {
    match kind {
        LoadKind::Force => Dimension::Force,
        LoadKind::Torque => Dimension::Torque,
    }
}

/// The pieces of a load whose values stand under this key.
fn pieces_of(table: &Table<'_>, key: &str, dimension: Dimension) -> Option<Vec<LoadPiece>> {
    let node = table.get(key)?;
    if key == "pieces" {
        return pieces(&node, dimension);
    }
    Some(vec![LoadPiece { from: 0.0, until: f64::INFINITY, value: node.vector3(dimension)? }])
}

/// Takes the numbers of a load as they are with other constants; `on`: the body on which it acts.
pub(super) fn follow_load(table: &Table<'_>, load: &mut Load, on: &Body) -> Option<()> {
    load.point = place_acted_on(table, Some(on))?;
    if let Some(key) = ["value", "pieces"].into_iter().find(|key| table.has(key)) {
        load.pieces = pieces_of(table, key, dimension_of(load.kind))?;
    }
    Some(())
}

/// Three entries, all of them read before any fault ends it.
pub(super) fn three<T>(node: &Node<'_>, read: impl Fn(&Node<'_>) -> Option<T>) -> Option<[T; 3]> {
    let nodes = node.list()?;
    let [x, y, z] = &nodes[..] else {
        let found = format!("has {} entries, not 3", nodes.len());
        node.report(found, |problem| problem.advise("give one for each of x, y and z"));
        return None;
    };
    let read = [read(x), read(y), read(z)];
    let [x, y, z] = read;
    Some([x?, y?, z?])
}

fn pieces(node: &Node<'_>, dimension: Dimension) -> Option<Vec<LoadPiece>> {
    let nodes = node.list()?;
    if nodes.is_empty() {
        node.refuse("a load", "give at least one piece, or `value`");
        return None;
    }
    let read: Vec<Option<LoadPiece>> = nodes.iter().map(|node| piece(node, dimension)).collect();
    let pieces: Vec<LoadPiece> = read.into_iter().collect::<Option<_>>()?;
    for (index, pair) in pieces.windows(2).enumerate() {
        if pair[1].from < pair[0].until {
            let found = format!(
                "starts at {} s, before the piece ahead of it ends at {} s",
                pair[1].from, pair[0].until
            );
            nodes[index + 1]
                .report(found, |problem| problem.advise("pieces are in time order and do not overlap"));
            return None;
        }
    }
    Some(pieces)
}

fn piece(node: &Node<'_>, dimension: Dimension) -> Option<LoadPiece> {
    let table = node.table(&PIECE)?;
    let from: Option<f64> = table.read("from");
    let until = match table.get("until") {
        None => Some(f64::INFINITY),
        Some(node) if node.is_infinite() => Some(f64::INFINITY),
        Some(node) => node.quantity(Dimension::Time).filter(|until| {
            let after = from.is_none_or(|from| *until > from);
            if !after {
                node.refuse("after `from`", "a piece acts while from <= t < until");
            }
            after
        }),
    };
    let value = table.get("value").and_then(|node| node.vector3(dimension));
    Some(LoadPiece { from: from?, until: until?, value: value? })
}

/// A name that varied quantities and channels can be built from.
pub(super) fn identifier(node: &Node<'_>) -> Option<String> {
    let name = node.text()?;
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if begins
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        && !["gravity", "constants", GROUND].contains(&name)
    {
        return Some(name.to_string());
    }
    let advice =
        "use letters, digits, _ and -, with a letter first; `gravity`, `constants` and `ground` are taken";
    node.refuse("a usable name", advice);
    None
}
