//! Numbers of a mechanism that are expressions of its constants: what each decides, and the recipe by which
//! the mechanism is made again with other constants, from its own text.

use std::sync::Arc;

use toml::Value;

use super::document::{Call, Document, PointsRead, Table};
use super::error::{Problem, Problems};
use super::keys::mechanism_section;
use super::read_lookup;
use super::read_mechanism::mechanism;
use crate::describe::numbers::{Number, NumberOwner};
use crate::describe::{FlexibleSource, Linked, LinkedNumber, Mechanism, NotMade, Quantity, Recipe, Target};

/// The text of a mechanism. It has no comments, and files that it names stand in it.
#[derive(Debug)]
struct Source {
    name: String,
    text: String,
    /// As it was read: what follows from no other constant stays so.
    known: Arc<Mechanism>,
    calls: Vec<Call>,
}

impl Recipe for Source {
    fn make(&self, constants: &[Option<f64>]) -> Result<Mechanism, NotMade> {
        let document = Document::of_text(&self.name, self.text.clone());
        let document = document.with_constants(constants.to_vec(), self.known.clone(), self.calls.iter());
        let read = document.read(mechanism_section(), |table| mechanism(table, &self.name));
        let first = |problems: Problems| problems.0.first().map_or_else(String::new, Problem::fault);
        read.map_err(|problems| NotMade::Faulty(first(problems)))
    }

    fn text(&self) -> &str {
        &self.text
    }
}

/// Returns the linked numbers of the mechanism that was read from `table`; `None`: none of its numbers is an
/// expression.
pub(super) fn linked(table: &Table<'_>, mechanism: &Mechanism, calls: Vec<Call>) -> Option<Linked> {
    if calls.is_empty() {
        return None;
    }
    let (described, numbers) = (table.owned(), mechanism.numbers());
    let from_here =
        |path: &str| path.strip_prefix(table.path()).unwrap_or(path).trim_start_matches('.').to_string();
    let calls: Vec<Call> = calls
        .into_iter()
        .map(|call| Call { path: from_here(&call.path), constants: call.constants })
        .collect();
    let points = table.document().points_read();
    let points: Vec<PointsRead> =
        points.into_iter().map(|read| PointsRead { path: from_here(&read.path), ..read }).collect();
    let of_call = |call: &Call| {
        let decides = decided(&call.path, &described, mechanism, &numbers);
        LinkedNumber { key: call.path.clone(), constants: call.constants.clone(), decides }
    };
    let numbers = calls.iter().map(of_call).collect();
    let text = self_contained(described.clone(), mechanism, &points).to_string();
    let (name, known) = (mechanism.name.clone(), Arc::new(mechanism.clone()));
    Some(Linked { numbers, recipe: Arc::new(Source { name, text, known, calls }) })
}

/// The table with its name, and the text of files in their place.
fn self_contained(mut table: toml::Table, mechanism: &Mechanism, points: &[PointsRead]) -> toml::Table {
    for read in points {
        if let Some(found) = table_at(&mut table, &read.path) {
            with_points(found, read);
        }
    }
    table.insert("name".to_string(), Value::String(mechanism.name.clone()));
    let bodies: Vec<&mut Value> = match table.get_mut("body") {
        Some(Value::Array(bodies)) => bodies.iter_mut().collect(),
        Some(body) => vec![body],
        None => Vec::new(),
    };
    for (body, described) in bodies.into_iter().zip(&mechanism.bodies) {
        if let Some(FlexibleSource::Modal(file)) =
            described.flexible.as_ref().map(|flexible| &flexible.source)
            && let Some(flexible) = body.get_mut("flexible").and_then(Value::as_table_mut)
        {
            flexible.insert("modal".to_string(), Value::String(file.text()));
        }
    }
    table
}

/// The table at a path.
fn table_at<'t>(table: &'t mut toml::Table, path: &str) -> Option<&'t mut toml::Table> {
    let mut parts = parts(path).into_iter();
    let (first, at) = parts.next()?;
    let mut value = at.into_iter().try_fold(table.get_mut(first)?, |value, k| value.get_mut(k))?;
    for (name, at) in parts {
        value = at.into_iter().try_fold(value.get_mut(name)?, |value, k| value.get_mut(k))?;
    }
    value.as_table_mut()
}

/// Puts numbers in the place of a file and its columns.
fn with_points(table: &mut toml::Table, read: &PointsRead) {
    table.remove("file");
    if read.names.is_none() {
        table.remove("column");
    }
    for (list, column) in read_lookup::ARGUMENTS {
        if table.remove(column).is_some() {
            table.insert(list.to_string(), read.arguments.clone().into());
        }
    }
    let values = match (&read.values[..], &read.names) {
        ([values], None) => values.clone().into(),
        (all, _) => all.to_vec().into(),
    };
    table.insert("values".to_string(), values);
}

/// A part of a path, `name[3][0]`: the name and the numbers in brackets.
fn parts(path: &str) -> Vec<(&str, Vec<usize>)> {
    let part = |text| {
        let (name, rest) = str::split_once(text, '[').unwrap_or((text, ""));
        (name, rest.split(['[', ']']).filter_map(|number| number.parse().ok()).collect())
    };
    path.split('.').map(part).collect()
}

/// The quantities that ensembles can vary which the number of this key decides.
fn decided(path: &str, table: &toml::Table, mechanism: &Mechanism, numbers: &[Number]) -> Vec<Target> {
    let parts = parts(path);
    let (Some((list, at)), key) = (parts.first(), parts.get(1)) else { return Vec::new() };
    let index = at.first().copied().unwrap_or(0);
    let target = |name: String, body, quantity, component| Target { key: name, body, quantity, component };
    // Numbers of an element whose part is called so, or begins so.
    let of_element = |element: NumberOwner, index: usize, is: &dyn Fn(&str) -> bool| {
        let found = numbers
            .iter()
            .enumerate()
            .filter(|(_, number)| (number.element, number.index) == (element, index) && is(&number.part));
        found
            .map(|(k, number)| target(number.name(mechanism), 0, Quantity::Number(k), None))
            .collect::<Vec<_>>()
    };
    let name = key.map_or("", |(name, _)| name);
    let called =
        |part: &str| part.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let last = parts.last().map_or(&[][..], |(_, numbers)| numbers);
    match *list {
        "gravity" => {
            vec![target("gravity".to_string(), 0, Quantity::Gravity, Some(*last.first().unwrap_or(&2)))]
        }
        "constants" => {
            let constant = mechanism.constants.iter().position(|constant| constant.name == name);
            constant.map_or(Vec::new(), |k| of_element(NumberOwner::Constant, k, &|_| true))
        }
        "body" => {
            let Some(body) = mechanism.bodies.get(index) else { return Vec::new() };
            let described = match table.get("body") {
                Some(Value::Array(bodies)) => bodies.get(index),
                body => body,
            };
            let Some(described) = described.and_then(Value::as_table) else { return Vec::new() };
            let of = |quantity, suffix: &str, component| {
                target(format!("{}.{suffix}", body.name), index, quantity, component)
            };
            // Products of inertia stay 0 where the solid's axes are the body's.
            let inertia = |is_diagonal: bool| {
                let components: &[Option<usize>] =
                    if is_diagonal { &[Some(0), Some(1), Some(2)] } else { &[None] };
                components.iter().map(|k| of(Quantity::Inertia, "inertia", *k)).collect::<Vec<_>>()
            };
            let solid = || {
                let is_aligned = described.get("solid").is_some_and(|solid| {
                    solid.as_table().is_some_and(|solid| !solid.contains_key("attitude"))
                });
                let mut decided = inertia(is_aligned);
                decided.push(of(Quantity::Mass, "mass", None));
                decided.push(of(Quantity::CentreOfMass, "centre_of_mass", None));
                decided
            };
            let component = last.first().copied();
            let started = parts.get(2).map_or("", |(name, _)| name);
            match (name, last) {
                ("mass", _) => vec![of(Quantity::Mass, "mass", None)],
                // A diagonal, or the diagonal of a matrix.
                ("inertia", [k]) => vec![of(Quantity::Inertia, "inertia", Some(*k))],
                ("inertia", [i, j]) if i == j => vec![of(Quantity::Inertia, "inertia", Some(*i))],
                ("inertia" | "inertia_axes", _) => inertia(false),
                ("centre_of_mass", _) => vec![of(Quantity::CentreOfMass, "centre_of_mass", component)],
                ("solid", _) => solid(),
                ("flexible", _) => {
                    let whole = |part: &str| {
                        let plain = started.trim_end_matches('s');
                        match component {
                            Some(k) => part == format!("{plain}[{k}]"),
                            None => part == started,
                        }
                    };
                    of_element(NumberOwner::Flexible, index, &whole)
                }
                ("initial", _) => match started {
                    "position" => vec![of(Quantity::Position, "position", component)],
                    "velocity" => vec![of(Quantity::Velocity, "velocity", component)],
                    "attitude" => vec![of(Quantity::Attitude, "attitude", None)],
                    "angular_velocity" => vec![of(Quantity::AngularVelocity, "angular_velocity", component)],
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            }
        }
        "joint" => of_element(NumberOwner::Joint, index, &called),
        "lock" => of_element(NumberOwner::Lock, index, &called),
        "beam" => {
            let Some(beam) = mechanism.beams.get(index) else { return Vec::new() };
            let nodes = beam.first_node..beam.first_node + beam.nodes;
            let of_node = |body: usize| {
                let node = &mechanism.bodies[body].name;
                // A node's axes are those of the beam.
                let of = |suffix: &str, quantity, component| {
                    target(format!("{node}.{suffix}"), body, quantity, component)
                };
                [
                    of("mass", Quantity::Mass, None),
                    of("inertia", Quantity::Inertia, Some(0)),
                    of("inertia", Quantity::Inertia, Some(1)),
                    of("inertia", Quantity::Inertia, Some(2)),
                    of("centre_of_mass", Quantity::CentreOfMass, None),
                    of("position", Quantity::Position, None),
                    of("velocity", Quantity::Velocity, None),
                    of("attitude", Quantity::Attitude, None),
                    of("angular_velocity", Quantity::AngularVelocity, None),
                ]
            };
            let section = of_element(NumberOwner::Beam, index, &|part| !part.ends_with("_factor"));
            nodes.flat_map(of_node).chain(section).collect()
        }
        "beam_element" => of_element(NumberOwner::BeamElement, index, &called),
        "load" => {
            let Some(load) = mechanism.loads.get(index) else { return Vec::new() };
            let piece = match name {
                "value" => Some(0),
                "pieces" if parts.get(2).is_some_and(|(name, _)| *name == "value") => {
                    key.and_then(|(_, numbers)| numbers.first().copied())
                }
                _ => None,
            };
            let of = |piece| {
                let quantity = Quantity::LoadValue { load: index, piece };
                target(format!("{}.value", load.name), 0, quantity, last.first().copied())
            };
            piece.map(of).into_iter().collect()
        }
        kind => {
            let forces = mechanism.forces.iter().enumerate();
            let force = forces.filter(|(_, force)| force.card.table == kind).nth(index);
            let component = last.first().map(|k| format!(".{}", ["x", "y", "z"].get(*k).unwrap_or(&"")));
            let is = |part: &str| match &component {
                Some(component) => part.strip_prefix(name) == Some(component.as_str()),
                None => called(part),
            };
            force.map_or(Vec::new(), |(k, _)| of_element(NumberOwner::Force, k, &is))
        }
    }
}
