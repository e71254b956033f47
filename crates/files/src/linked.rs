//! Numbers of a mechanism that are expressions of its constants: what each decides, read from where
//! it stands, and the mechanism with other constants, of which the elements that follow are put
//! together anew.

use std::sync::Arc;

use self_cell::self_cell;
use toml::de::DeTable;
use toml::{Spanned, Value};

use super::document::{Call, Document, Node, PointsRead, Table};
use super::elements::{contact, force, generator, lock};
use super::error::{Problem, Problems};
use super::keys::{LOAD, mechanism_section};
use super::motions::Motions;
use super::partial_mechanism::PartialMechanism;
use super::point_mass::check_point_masses;
use super::read_beam::{BEAM, BEAM_ELEMENT, beam, beam_element};
use super::read_body::body;
use super::read_forms::gravity;
use super::read_joint::joints;
use super::read_law;
use super::read_law::is_sampled;
use super::read_load::follow_load;
use super::read_lookup;
use super::read_points::place_acted_on;
use polhode_description::describe::generator::Driven;
use polhode_description::describe::joint::Alignment;
use polhode_description::describe::numbers::{Number, NumberOwner, STIFFNESS_FACTOR};
use polhode_description::describe::{
    Body, Coordinate, Decided, ElementSide, FlexibleSource, Initial, Joint, Linked, LinkedNumber, Load,
    Mechanism, NotMade, Point, Quantity, Recipe, Sided,
};
use polhode_dynamics::elements::cards;
use polhode_dynamics::kinematics::function;

self_cell! {
    /// The text of a mechanism and its entries. It has no comments, and files that it names stand
    /// in it.
    struct Parsed {
        owner: Arc<str>,
        #[covariant]
        dependent: DeTable,
    }

    impl { Debug }
}

/// A mechanism as it is described.
#[derive(Debug)]
struct Description {
    name: String,
    parsed: Parsed,
    /// Its numbers that are expressions, in the order of their paths.
    calls: Arc<[Call]>,
    /// By constant: its number among them, if it is one.
    constants: Vec<Option<usize>>,
    numbers: Arc<[LinkedNumber]>,
}

impl Recipe for Description {
    fn make(&self, own: &mut Mechanism, given: &[Option<f64>]) -> Result<(), NotMade> {
        let mut constants: Vec<f64> = own.constants.iter().map(|constant| constant.value).collect();
        let value =
            |call: usize, constants: &[f64]| function::value(&self.calls[call].expression, 0.0, constants);
        // Each is an expression of those before it.
        for (k, given) in given.iter().enumerate() {
            let of_others = || Some(value(self.constants[k]?, &constants));
            if let Some(value) = given.or_else(of_others) {
                constants[k] = value;
            }
        }
        let values = (0..self.calls.len()).map(|call| value(call, &constants)).collect();
        for (constant, value) in own.constants.iter_mut().zip(constants) {
            constant.value = value;
        }
        let differs = |k: &usize| given[*k].is_some();
        let touched: Vec<Element<'_>> = self
            .numbers
            .iter()
            .filter(|number| number.constants.iter().any(differs))
            .map(|number| Element::of(&number.key))
            .collect();
        let document = Document::of_text(&self.name, self.parsed.borrow_owner().clone())
            .with_values_of(self.calls.clone(), values);
        let read = document.read_parsed(mechanism_section(), self.parsed.borrow_dependent(), |table| {
            follow(table, own, &touched)
        });
        let first = |problems: Problems| problems.0.first().map_or_else(String::new, Problem::fault);
        read.map_err(|problems| NotMade(first(problems)))
    }

    fn text(&self) -> &str {
        self.parsed.borrow_owner()
    }
}

/// An entry of a list of the mechanism.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Element<'p> {
    list: &'p str,
    index: usize,
}

impl Element<'_> {
    /// The one in which a key stands.
    fn of(path: &str) -> Element<'_> {
        let (list, at) = parts(path).swap_remove(0);
        Element { list, index: at.first().copied().unwrap_or(0) }
    }
}

/// Reads these of the elements again, in the order in which they follow from each other.
fn follow(table: &Table<'_>, own: &mut Mechanism, touched: &[Element<'_>]) -> Option<()> {
    let is_touched = |list: &str| touched.iter().any(|element| element.list == list);
    let each = |list: &str, put: &mut dyn FnMut(usize, &Node<'_>) -> Option<()>| {
        let mut indices: Vec<usize> =
            touched.iter().filter(|element| element.list == list).map(|element| element.index).collect();
        if indices.is_empty() {
            return Some(());
        }
        indices.sort_unstable();
        indices.dedup();
        let node = table.get(list)?;
        if !node.is_list() {
            return put(0, &node);
        }
        let nodes = node.list()?;
        indices.into_iter().try_for_each(|k| put(k, nodes.get(k)?))
    };
    if is_touched("gravity") {
        own.gravity = gravity(&table.get("gravity")?)?;
    }
    each("body", &mut |k, node| follow_body(node, &mut own.bodies[k]))?;
    each("beam", &mut |k, node| {
        let first = own.beams[k].first_node;
        let beam = beam(&node.table(&BEAM)?, &mut Vec::new(), first)?;
        for (known, mut node) in own.bodies[first..].iter_mut().zip(beam.bodies()) {
            node.initial = started(&node.initial, &known.initial);
            *known = node;
        }
        let elements = own.beam_elements.iter_mut().filter(|element| element.beam == Some(k));
        elements.zip(beam.beam_elements(k)).for_each(|(known, element)| *known = element);
        own.beams[k] = beam;
        Some(())
    })?;
    if is_touched("joint") {
        let read = joints(table, table.get("body").as_ref(), Some(&own.bodies), &mut Vec::new())?;
        for (known, mut joint) in own.joints.iter_mut().zip(read) {
            if let (Some(initial), Some(known)) = (&mut joint.initial, &known.initial) {
                initial.given_as(known);
            }
            *known = joint;
        }
    }
    if is_touched("point") {
        let mut points = own.points.clone();
        let mut partial = partial(&own.bodies, &own.joints);
        each("point", &mut |k, node| {
            points[k] = read_law::point(&node.table(&read_law::POINT)?, &mut partial)?;
            Some(())
        })?;
        own.points = points;
    }
    let mut partial = partial(&own.bodies, &own.joints);
    let states = table.get("state");
    let states = states.as_ref().and_then(Node::list).unwrap_or_default();
    each("state", &mut |k, node| {
        let continuous = states[..k].iter().filter(|node| !is_sampled(node)).count();
        own.states[continuous].initial = node.table(&read_law::STATE)?.get("initial")?.any_quantity()?.0;
        Some(())
    })?;
    each("generator", &mut |k, node| {
        if let Driven::Point(point) = &mut own.generators[k].driven {
            let on = point.body.map(|b| &own.bodies[b]);
            point.at = place_acted_on(&node.table(generator::section())?, on)?;
        }
        Some(())
    })?;
    each("contact", &mut |k, node| {
        let point = &mut own.contacts[k].point;
        point.at = place_acted_on(&node.table(contact::section(node))?, point.body.map(|b| &own.bodies[b]))?;
        Some(())
    })?;
    for card in cards() {
        each(card.table, &mut |k, node| {
            let force = own.forces.iter_mut().filter(|force| force.card == *card).nth(k)?;
            force::follow(&node.table(force::section(card))?, force, &partial)
        })?;
    }
    each("beam_element", &mut |k, node| {
        own.beam_elements[k] = beam_element(&node.table(&BEAM_ELEMENT)?, &mut partial)?;
        Some(())
    })?;
    each("lock", &mut |k, node| {
        own.locks[k] = lock::read(&node.table(lock::section())?, &mut partial)?;
        Some(())
    })?;
    each("load", &mut |k, node| {
        let load = &mut own.loads[k];
        follow_load(&node.table(&LOAD)?, load, &own.bodies[load.body])
    })?;
    check_point_masses(table.get("body").as_ref(), own)
}

/// A start as it is read again; a study says itself what it gives of it.
fn started(own: &Initial, known: &Initial) -> Initial {
    Initial { given: known.given, ..own.clone() }
}

fn follow_body(node: &Node<'_>, known: &mut Body) -> Option<()> {
    let mut body = body(node, known.flexible.as_ref())?;
    if body.is_point != known.is_point {
        node.report("would have an extent in some instances alone", |problem| {
            problem.advise("keep its points where they are, or give it a solid with an extent")
        });
        return None;
    }
    body.initial = started(&body.initial, &known.initial);
    *known = body;
    Some(())
}

/// The parts of a mechanism that elements between bodies look at.
fn partial<'m>(bodies: &'m [Body], joints: &'m [Joint]) -> PartialMechanism<'m> {
    PartialMechanism {
        bodies: Some(bodies),
        joints: Some(joints),
        constants: None,
        motions: Motions { bodies, joints, ..Motions::default() },
        tables: Vec::new(),
        taken: Vec::new(),
    }
}

/// Returns the linked numbers of the mechanism that was read from `table`; `None`: none of its
/// numbers is an expression.
pub(super) fn linked(table: &Table<'_>, mechanism: &Mechanism, calls: Vec<Call>) -> Option<Linked> {
    if calls.is_empty() {
        return None;
    }
    let described = table.owned();
    let from_here =
        |path: &str| path.strip_prefix(table.path()).unwrap_or(path).trim_start_matches('.').to_string();
    let mut calls: Vec<Call> =
        calls.into_iter().map(|call| Call { path: from_here(&call.path), ..call }).collect();
    calls.sort_by(|one, other| one.path.cmp(&other.path));
    calls.dedup_by(|one, other| one.path == other.path);
    let points = table.document().points_read();
    let points: Vec<PointsRead> =
        points.into_iter().map(|read| PointsRead { path: from_here(&read.path), ..read }).collect();
    let (numbers, acting) = (mechanism.numbers(), mechanism.loads.iter().map(Load::at).collect());
    let reading = Reading { described: &described, mechanism, calls: &calls, numbers, acting };
    let numbers: Arc<[LinkedNumber]> = reading.linked_numbers().into();
    let text: Arc<str> = self_contained(described.clone(), mechanism, &points).to_string().into();
    let parsed = Parsed::try_new(text, |text| DeTable::parse(text).map(Spanned::into_inner))
        .unwrap_or_else(|error| unreachable!("a table is written as TOML: {error}"));
    let call_of = |name: &str| calls.binary_search_by(|call| call.path.as_str().cmp(name)).ok();
    let constants = mechanism.constants.iter().map(|of| call_of(&format!("constants.{}", of.name))).collect();
    let (name, calls) = (mechanism.name.clone(), calls.into());
    let recipe = Description { name, parsed, calls, constants, numbers: numbers.clone() };
    Some(Linked { numbers, recipe: Arc::new(recipe) })
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

/// A mechanism that was read, and the text and the numbers that it was read from.
struct Reading<'m> {
    described: &'m toml::Table,
    mechanism: &'m Mechanism,
    calls: &'m [Call],
    numbers: Vec<Number>,
    /// Where loads act.
    acting: Vec<Point>,
}

/// An element of a mechanism: its kind in words and its name, whose numbers it has, and its sides
/// by their points.
type Owner<'m> = (&'static str, &'m str, Option<NumberOwner>, Option<Sided>, &'m [Point]);

impl Reading<'_> {
    /// All that follows from constants: numbers that are expressions, and elements that stand as
    /// their bodies do at the start.
    fn linked_numbers(&self) -> Vec<LinkedNumber> {
        let m = self.mechanism;
        let of_call = |call: &Call| {
            let mut decides = self.decided(&call.path);
            // A key that is not known here must not vary unseen.
            if decides.is_empty() {
                decides.push(Decided::Common(format!("`{}`", call.path)));
            }
            LinkedNumber { key: call.path.clone(), constants: call.constants.clone(), decides }
        };
        let mut numbers: Vec<LinkedNumber> = self.calls.iter().map(of_call).collect();
        for (k, joint) in m.joints.iter().enumerate() {
            let is_turned = joint.kind.alignment == Alignment::AsBodiesStand
                && joint.points[1].body.is_some_and(|b| !m.bodies[b].initial.given.attitude);
            let counts = [Coordinate::Angle, Coordinate::AngleA, Coordinate::AngleX];
            let stands =
                joint.initial.is_none() && !is_turned && !counts.iter().any(|of| joint.kind.has(*of));
            let frames = stands.then(|| frames(Sided::Joint(k))).into_iter().flatten();
            let has_length = joint.kind.length.is_some() && !self.has("joint", k, "length");
            let length = self.numbers_of((NumberOwner::Joint, k), &|part| has_length && part == "length");
            numbers.extend(self.standing(
                "joint",
                k,
                &joint.points,
                frames.chain(length).collect(),
                has_length,
            ));
        }
        for (k, element) in m.beam_elements.iter().enumerate().filter(|(_, element)| element.beam.is_none()) {
            let lacks = |key| !self.has("beam_element", k, key);
            let frames = lacks("axes").then(|| frames(Sided::BeamElement(k))).into_iter().flatten();
            let length = lacks("length").then(|| common("beam element", &element.name));
            numbers.extend(self.standing(
                "beam_element",
                k,
                &element.points,
                frames.chain(length).collect(),
                true,
            ));
        }
        numbers
    }

    /// An element that stands as the bodies of its points do at the start, or as its points
    /// themselves (`by_points`), with all that it decides. It follows from the numbers of these
    /// bodies, of joints that place them, and of the bodies from which these joints go on. `None`:
    /// it follows from no constant.
    fn standing(
        &self,
        list: &str,
        index: usize,
        points: &[Point; 2],
        decides: Vec<Decided>,
        by_points: bool,
    ) -> Option<LinkedNumber> {
        let m = self.mechanism;
        let key = format!("{list}[{index}]");
        let mut keys: Vec<String> = by_points.then(|| format!("{key}.points")).into_iter().collect();
        let mut left: Vec<usize> = points.iter().filter_map(|point| point.body).collect();
        let mut visited = Vec::new();
        while let Some(b) = left.pop() {
            if visited.contains(&b) {
                continue;
            }
            visited.push(b);
            let is_listed = self.described.get("body").is_some_and(Value::is_array);
            let body = if is_listed { format!("body[{b}]") } else { "body".to_string() };
            keys.extend(["position", "attitude"].map(|key| format!("{body}.initial.{key}")));
            keys.extend(m.beam_of(b).map(|beam| format!("beam[{beam}]")));
            let placing = m.placing_joints().into_iter().filter(|k| m.joints[*k].points[1].body == Some(b));
            for k in placing {
                keys.push(format!("joint[{k}]"));
                left.extend(m.joints[k].points[0].body);
            }
        }
        let is_below = |call: &&Call| {
            let below = |key: &String| {
                call.path.strip_prefix(&**key).is_some_and(|rest| rest.starts_with(['.', '[']))
            };
            keys.iter().any(below)
        };
        let mut constants: Vec<usize> =
            self.calls.iter().filter(is_below).flat_map(|call| call.constants.iter().copied()).collect();
        constants.sort_unstable();
        constants.dedup();
        (!constants.is_empty()).then_some(LinkedNumber { key, constants, decides })
    }

    /// The entry of a list of the mechanism, which may be the only one.
    fn entry(&self, list: &str, index: usize) -> Option<&toml::Table> {
        let value = self.described.get(list)?;
        value.as_array().map_or(Some(value), |entries| entries.get(index))?.as_table()
    }

    fn has(&self, list: &str, index: usize, key: &str) -> bool {
        self.entry(list, index).is_some_and(|entry| entry.contains_key(key))
    }

    /// The numbers of an element whose part is called so.
    fn numbers_of(&self, owner: (NumberOwner, usize), is: &dyn Fn(&str) -> bool) -> Vec<Decided> {
        let all = self.numbers.iter().enumerate();
        let found = all.filter(|(_, of)| (of.element, of.index) == owner && is(&of.part));
        found.map(|(k, _)| Decided::Quantity(0, Quantity::Number(k), None)).collect()
    }

    /// All that the number of this key decides.
    fn decided(&self, path: &str) -> Vec<Decided> {
        let m = self.mechanism;
        let parts = parts(path);
        let (list, index) = (parts[0].0, parts[0].1.first().copied().unwrap_or(0));
        let (key, of_key) = parts.get(1).map_or(("", &[][..]), |(key, at)| (*key, &at[..]));
        let inner = parts.get(2).map_or("", |(name, _)| name);
        let last = parts.last().map_or(&[][..], |(_, numbers)| numbers);
        let component = last.first().copied();
        match list {
            "gravity" => return vec![Decided::Quantity(0, Quantity::Gravity, component.or(Some(2)))],
            "constants" => {
                let constant = m.constants.iter().position(|constant| constant.name == key);
                let numbers = |k| self.numbers_of((NumberOwner::Constant, k), &|_| true);
                return constant.map_or(Vec::new(), numbers);
            }
            "body" => return self.decided_of_body(index, key, inner, last),
            "beam" => return self.decided_of_beam(index, key),
            "load" if key == "value" || (key, inner) == ("pieces", "value") => {
                let piece = if key == "value" { 0 } else { of_key.first().copied().unwrap_or(0) };
                return vec![Decided::Quantity(0, Quantity::LoadValue { load: index, piece }, component)];
            }
            _ => {}
        }
        let Some(((what, name, numbers, sided, points), k)) = self.owner(list, index) else {
            return Vec::new();
        };
        let common = || common(what, name);
        match (key, sided) {
            ("points" | "point" | "at", Some(element)) if !points.is_empty() => {
                let side = if points.len() == 2 { of_key.first().map_or(0, |side| *side.min(&1)) } else { 0 };
                // Where a body deforms, the shapes of the modes there are the same in all
                // instances.
                let bends = points[side].body.is_some_and(|b| m.bodies[b].flexible.is_some());
                vec![if bends {
                    common()
                } else {
                    Decided::Side(ElementSide { element, side, is_frame: false })
                }]
            }
            ("axes" | "references", Some(element)) => frames(element).to_vec(),
            _ => {
                let of_force = numbers == Some(NumberOwner::Force);
                let axis = component.and_then(|k| ["x", "y", "z"].get(k)).filter(|_| of_force);
                let is = |part: &str| match (key, part.strip_prefix(key), axis) {
                    ("material" | "section", ..) => part != STIFFNESS_FACTOR,
                    (_, Some(rest), Some(axis)) => rest.strip_prefix('.') == Some(axis),
                    (_, rest, _) => rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
                };
                let found = numbers.map_or(Vec::new(), |of| self.numbers_of((of, k), &is));
                if found.is_empty() { vec![common()] } else { found }
            }
        }
    }

    /// The entry of a list, as far as all kinds of elements are alike, and its position among those
    /// of its kind.
    fn owner(&self, list: &str, index: usize) -> Option<(Owner<'_>, usize)> {
        use std::slice::from_ref;
        let m = self.mechanism;
        let k = index;
        let owner: Owner<'_> = match list {
            "joint" => {
                let joint = &m.joints[k];
                ("joint", &joint.name, Some(NumberOwner::Joint), Some(Sided::Joint(k)), &joint.points)
            }
            "beam_element" => {
                let (of, sided) = (&m.beam_elements[k], Some(Sided::BeamElement(k)));
                ("beam element", &of.name, Some(NumberOwner::BeamElement), sided, &of.points)
            }
            "lock" => ("lock", &m.locks[k].name, Some(NumberOwner::Lock), None, &[]),
            "contact" => {
                let contact = &m.contacts[k];
                ("contact", &contact.name, None, Some(Sided::Contact(k)), from_ref(&contact.point))
            }
            "generator" | "coupling" => {
                let of_list = |k: &usize| m.generators[*k].follows.is_some() == (list == "coupling");
                let k = (0..m.generators.len()).filter(of_list).nth(index)?;
                let generator = &m.generators[k];
                let point = generator.point().map_or(&[][..], from_ref);
                (generator.noun(), &generator.name, None, Some(Sided::Generator(k)), point)
            }
            "load" => ("load", &m.loads[k].name, None, Some(Sided::Load(k)), from_ref(&self.acting[k])),
            "point" => {
                ("point", &m.points[k].name, None, Some(Sided::Point(k)), from_ref(&m.points[k].point))
            }
            "state" | "signal" | "table" => {
                let name = self.entry(list, index)?.get("name")?.as_str()?;
                let what = if list == "table" { "table" } else { "signal" };
                // A state that is sampled is a signal.
                match m.states.iter().position(|state| list == "state" && state.name == name) {
                    Some(k) => return Some(((what, name, Some(NumberOwner::State), None, &[]), k)),
                    None => (what, name, None, None, &[]),
                }
            }
            kind => {
                let forces = m.forces.iter().enumerate();
                let (k, of) = forces.filter(|(_, force)| force.card.table == kind).nth(index)?;
                let sided = Some(Sided::Force(k));
                return Some((("force", &of.name, Some(NumberOwner::Force), sided, of.points()), k));
            }
        };
        Some((owner, k))
    }

    /// All that a number of a body decides; `last`: its position where it stands in a list.
    fn decided_of_body(&self, index: usize, key: &str, inner: &str, last: &[usize]) -> Vec<Decided> {
        let decided = |quantity, component| Decided::Quantity(index, quantity, component);
        let component = last.first().copied();
        match (key, inner, last) {
            ("mass", ..) => vec![decided(Quantity::Mass, None)],
            // A diagonal, or the diagonal of a matrix.
            ("inertia", _, [k]) => vec![decided(Quantity::Inertia, Some(*k))],
            ("inertia", _, [i, j]) if i == j => vec![decided(Quantity::Inertia, Some(*i))],
            ("inertia" | "inertia_axes", ..) => vec![decided(Quantity::Inertia, None)],
            ("centre_of_mass", ..) => vec![decided(Quantity::CentreOfMass, component)],
            ("solid", ..) => {
                let solid = self.entry("body", index).and_then(|body| body.get("solid")?.as_table());
                // Products of inertia stay 0 where the solid's axes are the body's.
                let is_aligned = solid.is_some_and(|solid| !solid.contains_key("attitude"));
                let components = if is_aligned { vec![Some(0), Some(1), Some(2)] } else { vec![None] };
                let inertia = components.into_iter().map(|k| decided(Quantity::Inertia, k));
                inertia
                    .chain([decided(Quantity::Mass, None), decided(Quantity::CentreOfMass, None)])
                    .collect()
            }
            ("flexible", ..) => {
                let plain = inner.trim_end_matches('s');
                let own = component.map_or_else(|| inner.to_string(), |k| format!("{plain}[{k}]"));
                match self.numbers_of((NumberOwner::Flexible, index), &|part| part == own) {
                    none if none.is_empty() => vec![common("body", &self.mechanism.bodies[index].name)],
                    found => found,
                }
            }
            ("initial", "position", _) => vec![decided(Quantity::Position, component)],
            ("initial", "velocity", _) => vec![decided(Quantity::Velocity, component)],
            ("initial", "attitude", _) => vec![decided(Quantity::Attitude, None)],
            ("initial", "angular_velocity", _) => vec![decided(Quantity::AngularVelocity, component)],
            _ => Vec::new(),
        }
    }

    /// All that a number of a beam decides: of its nodes and of its section. Elements are as long
    /// in all instances.
    fn decided_of_beam(&self, index: usize, key: &str) -> Vec<Decided> {
        let m = self.mechanism;
        let beam = &m.beams[index];
        if ["from", "to", "direction", "length"].contains(&key) {
            return vec![common("beam", &beam.name)];
        }
        let of_node = |body: usize| {
            // A node's axes are those of the beam.
            let inertia = (0..3).map(move |k| Decided::Quantity(body, Quantity::Inertia, Some(k)));
            let whole = [Quantity::Mass, Quantity::CentreOfMass, Quantity::Position, Quantity::Velocity];
            let whole = whole.into_iter().chain([Quantity::Attitude, Quantity::AngularVelocity]);
            inertia.chain(whole.map(move |quantity| Decided::Quantity(body, quantity, None)))
        };
        let section = self.numbers_of((NumberOwner::Beam, index), &|part| !part.ends_with("_factor"));
        let elements = (0..m.beam_elements.len()).filter(|k| m.beam_elements[*k].beam == Some(index));
        let turned = elements.filter(|_| key == "reference").flat_map(|k| frames(Sided::BeamElement(k)));
        let nodes = (beam.first_node..beam.first_node + beam.nodes).flat_map(of_node);
        nodes.chain(section).chain(turned).collect()
    }
}

/// A part that is the same in all instances.
fn common(what: &str, name: &str) -> Decided {
    Decided::Common(format!("the {what} `{name}`"))
}

/// The frames of both sides.
fn frames(element: Sided) -> [Decided; 2] {
    [0, 1].map(|side| Decided::Side(ElementSide { element, side, is_frame: true }))
}
