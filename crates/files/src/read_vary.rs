//! Reads `[ensemble.vary]`: which quantities of the mechanism differ between instances, and how
//! each is drawn.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::document::{Node, Table};
use super::error::synonym;
use super::input::GIVEN_SAMPLES;
use super::keys::{LINSPACE, LOGSPACE, TABLE, distribution_parameters, distribution_section, mixture_part};
use super::read_attitude::{attitude, nearly_unit};
use super::read_forms::direction;
use super::read_joint::overruled;
use super::sample_table::{RowFault, read_table, without_unit};
use polhode_description::base::units::Dimension;
use polhode_description::base::{grouped, significant, with_unit};
use polhode_description::describe::Range;
use polhode_description::describe::expression::TableColumn;
use polhode_description::describe::mechanism::{LoadKind, Mechanism, Support};
use polhode_description::describe::numbers::{Number, NumberOwner};
use polhode_description::describe::study::Constraints;
use polhode_description::describe::{Coordinate, Decided};
use polhode_description::describe::{
    Distribution, MixturePart, ParameterValue, Quantity, Target, Values, Vary,
};
use polhode_description::math::symmetric::least_eigenvalue;
use polhode_description::treatments::{EPS, EPS_ACCURACY, SettableNumber};
use polhode_dynamics::ensemble::sampling::distributions::{
    CARDS, DistributionCard, Fits, Parameter, ParameterForm, Rule, card, card as distribution,
};

/// Asymmetry and negative eigenvalue of a covariance matrix, relative to its largest entry, taken
/// for rounding.
const COVARIANCE_SLACK: f64 = 1e-9;
/// Parameters that a share of the mean is read with, and read as.
const MEAN: &str = "mean";
const DEVIATION: &str = "std";

/// Mechanism and settings with quantities that can be varied.
#[derive(Clone, Copy)]
pub(super) struct VariableQuantities<'a> {
    pub mechanism: &'a Mechanism,
    /// Full step (s).
    pub step: f64,
    pub constraints: &'a Constraints,
    /// Rows of a table of samples that the ensemble has instances for, at most.
    pub rows: usize,
}

/// All varied quantities, in the order of the file.
pub(super) fn read_vary(node: &Node<'_>, source: VariableQuantities<'_>) -> Option<Vec<Vary>> {
    let entries = node.map()?;
    let mut varied: Vec<Vary> = Vec::new();
    let mut sound = true;
    for (key, node) in &entries {
        let Some(target) = target(key, node, source) else {
            sound = false;
            continue;
        };
        if let Some(other) = varied
            .iter()
            .find(|other| overlap(&other.target, (target.body, target.quantity, target.component)))
        {
            node.report(format!("varies what `{}` varies already", other.target.key), |problem| {
                problem.advise("vary each component once")
            });
            sound = false;
            continue;
        }
        let dimension = dimension(target.quantity, source.mechanism);
        let drawn = Subject { source, target: &target, dimension };
        match drawn.distribution(node) {
            Some(distribution) => varied.push(Vary { target, distribution }),
            None => sound = false,
        }
    }
    sound &= follows_soundly(&entries, &varied, source);
    sound.then_some(varied)
}

/// Whether what is varied goes with numbers that are expressions of constants that vary, too: none
/// of it may follow from them, and what follows must be a number that instances have of their own.
fn follows_soundly(entries: &[(&str, Node<'_>)], varied: &[Vary], source: VariableQuantities<'_>) -> bool {
    let mechanism = source.mechanism;
    let leading = mechanism.leading(varied.iter().map(|vary| &vary.target));
    let mut faulty: Vec<&str> = Vec::new();
    let report = |faulty: &mut Vec<&str>, key: &str, found: String, advice: &str| {
        if let Some((key, node)) = entries.iter().find(|(name, _)| *name == key)
            && !faulty.contains(key)
        {
            node.report(found, |problem| problem.advise(advice));
        }
    };
    for constant in &leading {
        let name = &mechanism.constants[*constant].name;
        let both = format!("follows from `constants.{name}`, which varies too");
        let advice = "vary one of them, or give the number without the constant";
        let led = mechanism.following(&[*constant]);
        let decided = |target: &Target| led.iter().any(|led| overlap(target, *led));
        // A constant that leads may follow from another.
        for vary in varied.iter().filter(|vary| decided(&vary.target)) {
            report(&mut faulty, &vary.target.key, both.clone(), advice);
            faulty.push(&vary.target.key);
        }
        let common = mechanism.decided(&[*constant]).find_map(|decided| match decided {
            Decided::Common(part) => Some(part),
            Decided::Quantity(..) | Decided::Side(_) => None,
        });
        if let Some(part) = common {
            let key = varied.iter().find(|vary| vary.target.number() == Some(*constant));
            let key = key.map_or("", |vary| &vary.target.key);
            let found = format!("cannot vary: {part} uses it, and is the same in all instances");
            let advice = "write functions as expressions that call the constant; contacts, times of loads, \
                          places of beams and modal data are the same in all instances";
            report(&mut faulty, key, found, advice);
            faulty.push(key);
        }
    }
    faulty.is_empty()
}

/// Whether all values of a distribution are single numbers, alone or as a list of one. For a
/// gravity they mean [0, 0, -g], as they do in a mechanism.
fn is_of_single_numbers(node: &Node<'_>) -> bool {
    fn entries<'n>(node: &'n Node<'_>) -> Vec<(&'n str, Node<'n>)> {
        node.is_table().then(|| node.map()).flatten().unwrap_or_default()
    }
    fn listed<'n>(node: &'n Node<'_>) -> Vec<Node<'n>> {
        node.is_list().then(|| node.list()).flatten().unwrap_or_default()
    }
    fn has_several(node: &Node<'_>) -> bool {
        node.entry("value").as_ref().map_or(listed(node).len(), |value| listed(value).len()) > 1
    }
    entries(node).iter().all(|(name, given)| match *name {
        "list" => !listed(given).iter().any(has_several),
        "table" => !given.entry("columns").is_some_and(|columns| has_several(&columns)),
        "linspace" | "logspace" | "weight" => true,
        name if given.is_list() => {
            CARDS.iter().any(|card| card.name == name && card.is_mixture())
                && listed(given).iter().all(is_of_single_numbers)
        }
        name => {
            let is_of_numbers = CARDS.iter().any(|card| card.name == name && card.fits == Fits::Numbers);
            is_of_numbers && !entries(given).iter().any(|(_, parameter)| has_several(parameter))
        }
    }) && node.is_table()
}

/// `BODY.quantity`, `gravity`, `LOAD.value` or `LOAD.value[K]`, each with an optional component;
/// `method.step`, `constraints.eps`.
fn target(key: &str, node: &Node<'_>, source: VariableQuantities<'_>) -> Option<Target> {
    let (mechanism, known) = (source.mechanism, names(source));
    // A bare `body.mass` in the file is TOML for a table in a table.
    let of_key = |known: &&Known| known.name.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
    if !known.iter().any(|known| known.name == key)
        && let Some(whole) = known.iter().find(of_key)
    {
        if key.contains('.') {
            let parts = known.iter().filter(of_key).map(|known| known.name.as_str());
            let parts = parts.collect::<Vec<_>>().join(", ");
            node.report("is varied by its components", |problem| {
                problem.advise(format!("there are {parts}"))
            });
            return None;
        }
        node.report("a name with a dot needs quotes here", |problem| {
            problem.advise(format!("write \"{}\" = ...", whole.name))
        });
        return None;
    }
    if let Some(known) = known.iter().find(|known| known.name == key) {
        let straight = mechanism.gravity[..2] == [0.0; 2];
        let down = known.quantity == Quantity::Gravity && straight && is_of_single_numbers(node);
        let quantity = if down { Quantity::GravityDown } else { known.quantity };
        return permitted(
            key,
            &Known { name: key.to_string(), body: known.body, quantity },
            None,
            node,
            mechanism,
        );
    }
    if let Some((whole, suffix)) = key.rsplit_once('.')
        && let Some(known) = known.iter().find(|known| known.name == whole)
    {
        let components: &[&str] = match known.quantity {
            Quantity::Mass
            | Quantity::GravityDown
            | Quantity::Attitude
            | Quantity::Number(_)
            | Quantity::Step
            | Quantity::Setting(_) => &[],
            Quantity::Inertia => &["xx", "yy", "zz"],
            Quantity::CentreOfMass
            | Quantity::Position
            | Quantity::Velocity
            | Quantity::AngularVelocity
            | Quantity::Gravity
            | Quantity::LoadValue { .. } => &["x", "y", "z"],
        };
        if let Some(component) = components.iter().position(|name| *name == suffix) {
            return permitted(key, known, Some(component), node, mechanism);
        }
        match known.quantity {
            Quantity::Attitude => node
                .report("a component of an attitude cannot be varied alone", |problem| {
                    problem.advise("vary the attitude: \"uniform\", small_rotation, list or table")
                }),
            _ => node.report(format!("`{whole}` has no component `{suffix}`"), |problem| {
                problem.allow(suffix, components.iter().copied())
            }),
        }
        return None;
    }
    // `thrust.value` of a load in pieces, or a piece that is not there.
    let stem = key.split(".value").next().unwrap_or(key);
    if let Some(load) = mechanism.loads.iter().find(|load| load.name == stem && key.contains(".value")) {
        let count = load.pieces.len();
        let advice = match count {
            0 => "it is a function of time: vary the constants that it calls".to_string(),
            1 => format!("write `{stem}.value`"),
            _ => format!("they are counted from 0: `{stem}.value[0]` to `{stem}.value[{}]`", count - 1),
        };
        node.report(
            format!("the load `{stem}` has {count} piece{}", if count == 1 { "" } else { "s" }),
            |problem| problem.advise(advice),
        );
        return None;
    }
    // A number of a joint that starts as its bodies do.
    let of_part = key.split_once('.').map(|(name, part)| (name, synonym(part).unwrap_or(part)));
    if let Some((name, part)) = of_part
        && Coordinate::ALL.iter().any(|coordinate| coordinate.start_keys().contains(&part))
        && mechanism.joints.iter().any(|joint| joint.name == name && joint.initial.is_none())
    {
        node.report(format!("the joint `{name}` does not say where its second body starts"), |problem| {
            problem
                .advise("give the joint its coordinates in the mechanism, or vary the body's initial state")
        });
        return None;
    }
    let meant = of_part.map(|(name, part)| format!("{name}.{part}")).filter(|meant| meant != key);
    node.report("is no quantity of the mechanism", |problem| {
        problem.allow(meant.as_deref().unwrap_or(key), known.iter().map(|known| known.name.as_str()))
    });
    None
}

/// A whole quantity that can be varied.
struct Known {
    name: String,
    body: usize,
    quantity: Quantity,
}

/// The whole quantities that can be varied, by name.
fn names(source: VariableQuantities<'_>) -> Vec<Known> {
    let mechanism = source.mechanism;
    let of_body = [
        ("mass", Quantity::Mass),
        ("inertia", Quantity::Inertia),
        ("centre_of_mass", Quantity::CentreOfMass),
        ("position", Quantity::Position),
        ("velocity", Quantity::Velocity),
        ("attitude", Quantity::Attitude),
        ("angular_velocity", Quantity::AngularVelocity),
    ];
    let mut names = Vec::new();
    for (body, described) in mechanism.bodies.iter().enumerate() {
        let has = |quantity: Quantity| match quantity {
            // Mass and inertia of a flexible body are those of its modal data.
            Quantity::Mass => described.flexible.is_none(),
            Quantity::Inertia | Quantity::CentreOfMass => described.flexible.is_none() && !described.is_point,
            Quantity::Attitude | Quantity::AngularVelocity => !described.is_point,
            _ => true,
        };
        names.extend(of_body.iter().filter(|(_, quantity)| has(*quantity)).map(|(name, quantity)| Known {
            name: format!("{}.{name}", described.name),
            body,
            quantity: *quantity,
        }));
    }
    let mut of_no_body = |name: String, quantity| names.push(Known { name, body: 0, quantity });
    of_no_body("gravity".to_string(), Quantity::Gravity);
    for (index, load) in mechanism.loads.iter().enumerate() {
        if load.pieces.len() == 1 {
            of_no_body(format!("{}.value", load.name), Quantity::LoadValue { load: index, piece: 0 });
        }
        for piece in 0..load.pieces.len() {
            of_no_body(format!("{}.value[{piece}]", load.name), Quantity::LoadValue { load: index, piece });
        }
    }
    for (position, number) in mechanism.numbers().iter().enumerate() {
        of_no_body(number.name(mechanism), Quantity::Number(position));
    }
    of_no_body("method.step".to_string(), Quantity::Step);
    let settable = source.constraints.card().numbers().enumerate();
    let by_rule = source.constraints.options.number(EPS_ACCURACY, 0.0) > 0.0;
    let can_vary = |number: &SettableNumber| mechanism.is_held() && !(by_rule && number.name == EPS);
    for (position, number) in settable.filter(|(_, number)| can_vary(number)) {
        of_no_body(format!("constraints.{}", number.name), Quantity::Setting(position));
    }
    names
}

fn permitted(
    key: &str,
    known: &Known,
    component: Option<usize>,
    node: &Node<'_>,
    mechanism: &Mechanism,
) -> Option<Target> {
    let fixed = mechanism.bodies[known.body].support == Support::FixedPoint;
    if known.quantity == Quantity::Velocity && fixed {
        node.report("a body with a fixed point has no velocity to vary", |problem| {
            problem.advise("vary the angular velocity")
        });
        return None;
    }
    let placed = match known.quantity {
        Quantity::Position => "position",
        Quantity::Velocity => "velocity",
        Quantity::Attitude => "attitude",
        Quantity::AngularVelocity => "angular_velocity",
        Quantity::Mass
        | Quantity::Inertia
        | Quantity::CentreOfMass
        | Quantity::Gravity
        | Quantity::GravityDown
        | Quantity::LoadValue { .. }
        | Quantity::Number(_)
        | Quantity::Step
        | Quantity::Setting(_) => "",
    };
    if let Some(joint) = mechanism.placing(known.body).filter(|joint| overruled(joint.kind).contains(&placed))
    {
        node.report(format!("the joint `{}` says where this body starts", joint.name), |problem| {
            let prefix = format!("{}.", joint.name);
            let names = mechanism.numbers().iter().map(|number| number.name(mechanism)).collect::<Vec<_>>();
            problem.allow(key, names.iter().map(String::as_str).filter(|name| name.starts_with(&prefix)))
        });
        return None;
    }
    if known.quantity == Quantity::Attitude
        && let Some(joint) = mechanism.fixed_by(known.body)
    {
        node.report(format!("the fixed joint `{}` says how this body is turned", joint.name), |problem| {
            problem.advise("vary the attitude of the body that it is fixed to")
        });
        return None;
    }
    Some(Target { key: key.to_string(), body: known.body, quantity: known.quantity, component })
}

/// Makes what is drawn of a start one of the conditions of the assembly.
pub(super) fn give(mechanism: &mut Mechanism, target: &Target) {
    let given = &mut mechanism.bodies[target.body].initial.given;
    match target.quantity {
        Quantity::Position => given.position = true,
        Quantity::Velocity => given.velocity = true,
        Quantity::Attitude => given.attitude = true,
        Quantity::AngularVelocity => given.angular_velocity = true,
        Quantity::Number(number) => {
            let Number { element: NumberOwner::Joint, index, part, .. } = &mechanism.numbers()[number] else {
                return;
            };
            let Some(initial) = &mut mechanism.joints[*index].initial else { return };
            // A length is a matter of the joint, not of the start.
            for coordinate in Coordinate::ALL {
                for (given, key) in initial.of_mut(coordinate).given.iter_mut().zip(coordinate.start_keys()) {
                    *given |= *part == key;
                }
            }
        }
        Quantity::Mass
        | Quantity::Inertia
        | Quantity::CentreOfMass
        | Quantity::Gravity
        | Quantity::GravityDown
        | Quantity::LoadValue { .. }
        | Quantity::Step
        | Quantity::Setting(_) => {}
    }
}

/// Whether a target shares a number with a quantity of a body, or a component of it.
fn overlap(one: &Target, (body, quantity, component): (usize, Quantity, Option<usize>)) -> bool {
    let apart = matches!((one.component, component), (Some(a), Some(b)) if a != b);
    let gravity = one.quantity.is_gravity() && quantity.is_gravity();
    one.body == body && (one.quantity == quantity || gravity) && !apart
}

fn dimension(quantity: Quantity, mechanism: &Mechanism) -> Dimension {
    match quantity {
        Quantity::Mass => Dimension::Mass,
        Quantity::Inertia => Dimension::Inertia,
        Quantity::CentreOfMass | Quantity::Position => Dimension::Length,
        Quantity::Velocity => Dimension::Speed,
        Quantity::Attitude => Dimension::Number,
        Quantity::AngularVelocity => Dimension::AngularSpeed,
        Quantity::Gravity | Quantity::GravityDown => Dimension::Acceleration,
        Quantity::LoadValue { load, .. } => match mechanism.loads[load].kind {
            LoadKind::Force => Dimension::Force,
            LoadKind::Torque => Dimension::Torque,
        },
        Quantity::Number(number) => mechanism.numbers()[number].dimension,
        Quantity::Step => Dimension::Time,
        // Its dimension is that of the constraint rows, whatever they hold: given in SI.
        Quantity::Setting(_) => Dimension::Number,
    }
}

/// Returns the range that the description of the mechanism allows, too: a grid or bound beyond it
/// is a slip.
fn range(quantity: Quantity, source: VariableQuantities<'_>) -> Range {
    let number = match quantity {
        Quantity::Mass | Quantity::Inertia | Quantity::Step => return Range::Positive,
        Quantity::Setting(position) => {
            let number = source.constraints.card().numbers().nth(position);
            return number.map_or(Range::Any, |number| Range::Within(number.min, number.max));
        }
        Quantity::Number(position) => &source.mechanism.numbers()[position],
        Quantity::CentreOfMass
        | Quantity::Position
        | Quantity::Velocity
        | Quantity::Attitude
        | Quantity::AngularVelocity
        | Quantity::Gravity
        | Quantity::GravityDown
        | Quantity::LoadValue { .. } => return Range::Any,
    };
    number.range
}

/// A share that is not negative: a number, or a text such as "10 %".
fn share(node: &Node<'_>, example: &str) -> Option<f64> {
    let share = match node.is_text() {
        true => node.text().and_then(percent),
        false => Some(node.number()?),
    };
    let share = share.filter(|share| share.is_finite() && *share >= 0.0);
    if share.is_none() {
        node.refuse("a share of zero or more", &format!("give {example}"));
    }
    share
}

/// "10 %" -> 0.1.
fn percent(text: &str) -> Option<f64> {
    let number: f64 = text.trim().strip_suffix('%')?.trim().parse().ok()?;
    number.is_finite().then_some(number / 100.0)
}

/// The quantity whose distribution is read.
struct Subject<'m> {
    source: VariableQuantities<'m>,
    target: &'m Target,
    dimension: Dimension,
}

impl Subject<'_> {
    fn is_attitude(&self) -> bool {
        self.target.quantity == Quantity::Attitude
    }

    fn distribution(&self, node: &Node<'_>) -> Option<Distribution> {
        if node.is_text() {
            return self.by_name(node);
        }
        if !node.is_table() {
            node.refuse("a distribution", "give e.g. { normal = { mean = 1, std = 0.1 } }");
            return None;
        }
        let section = distribution_section();
        let table = node.table(section)?;
        let given: Vec<&str> = section.names().filter(|name| table.has(name)).collect();
        let [kind] = given[..] else {
            // A single unknown name is reported as such already.
            if given.len() > 1 || node.map()?.is_empty() {
                let found = match given.len() {
                    0 => "no distribution is given".to_string(),
                    _ => format!("{} are given together", given.join(" and ")),
                };
                let unset = table.unset(given.into_iter());
                let one = "give exactly one distribution, e.g. { normal = { mean = 1, std = 0.1 } }";
                node.report(found, |problem| problem.advise(unset.unwrap_or_else(|| one.to_string())));
            }
            return None;
        };
        let value = table.get(kind)?;
        if self.columns_of_table().is_some() && !["list", "linspace", "table"].contains(&kind) {
            value.report("a column is one of several and has no distribution", |problem| {
                problem.advise("give a list of columns, or their positions in a table of samples")
            });
            return None;
        }
        match (kind, card(kind)) {
            (_, Some(card)) => self.drawn(card, &value),
            ("list", _) => self.list(&value),
            ("table", _) => self.table(&value),
            _ if self.is_attitude() => {
                self.refuse_for_attitude(kind, &value);
                None
            }
            ("linspace", _) => {
                let (from, to, count) = self.grid(&value, value.table(&LINSPACE)?, false)?;
                let width = (to - from) / (count - 1) as f64;
                if self.columns_of_table().is_some() && width.fract() != 0.0 {
                    value
                        .report(format!("columns are counted by whole numbers, not by {width}"), |problem| {
                            problem.advise("give `count` such that each value is one")
                        });
                    return None;
                }
                Some(Distribution::Linspace { from, to, count })
            }
            _ => {
                let (from, to, count) = self.grid(&value, value.table(&LOGSPACE)?, true)?;
                Some(Distribution::Logspace { from, to, count })
            }
        }
    }

    fn refuse_for_attitude(&self, kind: &str, node: &Node<'_>) {
        let of_attitude = || CARDS.iter().filter(|card| card.fits == Fits::Attitude);
        let words = of_attitude().filter_map(|card| card.word).map(|word| format!("\"{word}\""));
        let names = of_attitude().filter(|card| card.word.is_none()).map(|card| card.name.to_string());
        let forms: Vec<String> = words.chain(names).collect();
        node.report(format!("an attitude has no distribution `{kind}`"), |problem| {
            problem.advise(format!("give {}, list or table", forms.join(", ")))
        });
    }

    /// A distribution that a word stands for.
    fn by_name(&self, node: &Node<'_>) -> Option<Distribution> {
        let text = node.text()?;
        let of_word = CARDS.iter().find(|card| card.word == Some(text));
        if let Some(card) = of_word {
            if card.fits.target(self.target) {
                return Some(Distribution::drawn(card.name, []));
            }
            node.report(format!("\"{text}\" alone is for an attitude"), |problem| {
                problem.advise("give { uniform = { low = .., high = .. } }")
            });
        } else if distribution_section().key(text).is_some() {
            node.report(format!("{} needs its parameters", node.source()), |problem| {
                problem.advise(format!("give {{ {text} = {{ .. }} }}"))
            });
        } else {
            node.report(format!("{} is not a distribution", node.source()), |problem| {
                problem.allow(text, distribution_section().names())
            });
        }
        None
    }

    /// The values of a distribution's parameters, in the order of its card.
    fn drawn(&self, card: &'static DistributionCard, node: &Node<'_>) -> Option<Distribution> {
        if !card.fits.target(self.target) {
            match card.fits {
                Fits::Attitude => {
                    node.report(format!("`{}` is for an attitude", card.name), |problem| problem);
                }
                _ if self.is_attitude() => self.refuse_for_attitude(card.name, node),
                Fits::Vector | Fits::Numbers => {
                    node.report(format!("`{}` is for a whole vector", card.name), |problem| {
                        problem.advise("a component, a mass or moments of inertia have no direction")
                    });
                }
            }
            return None;
        }
        if card.is_mixture() {
            return self.mixture(card, node);
        }
        if card.takes_share && node.is_text() {
            return self.about_own(card, node);
        }
        let table = node.table(distribution_parameters(card.name))?;
        let mut values = Values::default();
        let mut sound = true;
        let mut chosen = None;
        for rule in card.rules {
            match rule {
                Rule::ExactlyOne(names) => match table.exactly_one(names) {
                    Some(name) => chosen = Some(name),
                    None => sound = false,
                },
                Rule::Either([one, other], advice) if !table.has(one) && !table.has(other) => {
                    table.report(&format!("neither `{one}` nor `{other}` is given"), |problem| {
                        problem.advise(*advice)
                    });
                    sound = false;
                }
                Rule::Either(..) | Rule::NotAbove(..) | Rule::Below(..) => {}
            }
        }
        for parameter in card.parameters {
            if card.is_alternative(parameter.name) && chosen != Some(parameter.name) {
                continue;
            }
            if let ParameterForm::RelativeDeviation = parameter.form {
                match table
                    .get(parameter.name)
                    .and_then(|node| self.relative(card, &node, values.vector(MEAN)))
                {
                    Some(deviations) => values.set(DEVIATION, ParameterValue::Vector(deviations)),
                    None => sound = false,
                }
                continue;
            }
            match self.parameter(parameter, &table) {
                Some(value) => values.set(parameter.name, value),
                None => sound = false,
            }
        }
        for rule in card.rules {
            let (low, high, allowed, found): (_, _, fn(f64, f64) -> bool, _) = match *rule {
                Rule::NotAbove(low, high) => (low, high, |low, high| low <= high, "is above"),
                Rule::Below(low, high) => (low, high, |low, high| low < high, "is not below"),
                Rule::ExactlyOne(_) | Rule::Either(..) => continue,
            };
            let mut pairs = values.vector(low).iter().zip(values.vector(high));
            if pairs.any(|(low, high)| !allowed(*low, *high)) {
                table.report(&format!("`{low}` {found} `{high}`"), |problem| problem);
                sound = false;
            }
        }
        sound.then_some(Distribution::Drawn { name: card.name, values })
    }

    /// A mixture, by its parts.
    fn mixture(&self, card: &'static DistributionCard, node: &Node<'_>) -> Option<Distribution> {
        const EXAMPLE: &str =
            "give e.g. [{ weight = 0.9, normal = { .. } }, { weight = 0.1, uniform = { .. } }]";
        let weight = card.parameters.first()?.name;
        if !node.is_list() {
            node.refuse("a list of parts", EXAMPLE);
            return None;
        }
        let nodes = node.list()?;
        if nodes.len() < 2 {
            node.report(format!("has {} part, not two or more", nodes.len()), |problem| {
                problem.advise(EXAMPLE)
            });
            return None;
        }
        let part = |node: &Node<'_>| {
            let section = mixture_part();
            let table = node.table(section)?;
            let share = table.get(weight).and_then(|node| {
                let share = node.number()?;
                let is_positive = share > 0.0;
                if !is_positive {
                    node.refuse("a positive weight", "give e.g. 0.1");
                }
                is_positive.then_some(share)
            });
            let given: Vec<&'static str> =
                section.names().filter(|name| *name != weight && table.has(name)).collect();
            let [name] = given[..] else {
                let found = match given.len() {
                    // The key that it gives is reported as unknown already.
                    0 if node.map()?.iter().any(|(name, _)| section.key(name).is_none()) => return None,
                    0 => "gives no distribution".to_string(),
                    _ => format!("{} are given together", given.join(" and ")),
                };
                node.report(found, |problem| problem.advise("give exactly one beside the weight"));
                return None;
            };
            let of_part = table.get(name)?;
            let Some(Distribution::Drawn { name, values }) = self.drawn(distribution(name)?, &of_part) else {
                return None;
            };
            if values.rows("covariance").is_some() {
                of_part.report("the numbers of a part of a mixture are drawn one by one", |problem| {
                    problem.advise("give `std` in place of `covariance`")
                });
                return None;
            }
            Some(MixturePart { weight: share?, name, values })
        };
        let parts: Vec<Option<MixturePart>> = nodes.iter().map(part).collect();
        let mut values = Values::default();
        values.set(weight, ParameterValue::Parts(parts.into_iter().collect::<Option<_>>()?));
        Some(Distribution::Drawn { name: card.name, values })
    }

    /// Standard deviations that are shares of these means.
    fn relative(&self, card: &DistributionCard, node: &Node<'_>, means: &[f64]) -> Option<Vec<f64>> {
        let share = share(node, "0.1 or \"10 %\"")?;
        let is_positive = |parameter: &Parameter| matches!(parameter.form, ParameterForm::PositiveDeviation);
        if share == 0.0 && card.parameters.iter().any(is_positive) {
            node.report(format!("{} is not a positive share", node.source()), |problem| problem);
            return None;
        }
        if means.contains(&0.0) {
            node.report("the mean is 0, and a share of it is 0 too", |problem| {
                problem.advise(format!("give {DEVIATION} instead"))
            });
            return None;
        }
        Some(means.iter().map(|mean| share * mean.abs()).collect())
    }

    /// Between ends at the same share below and above the mechanism's own values, as "±10 %" says.
    fn about_own(&self, card: &'static DistributionCard, node: &Node<'_>) -> Option<Distribution> {
        const ADVICE: &str = "\"±10 %\" or \"+-10 %\", or a table of its parameters";
        let text = node.text()?.trim();
        let of_both = ["±", "+-", "+/-"].iter().find_map(|sign| text.strip_prefix(sign));
        let Some(share) = of_both.and_then(percent).filter(|share| *share > 0.0) else {
            node.refuse("a share of the mechanism's own value", &format!("give {ADVICE}"));
            return None;
        };
        let own = self.nominal();
        if own.iter().any(|value| !value.is_finite() || *value == 0.0) {
            node.report("the mechanism's own value is 0 or not known, and has no share", |problem| {
                problem.advise("give a table of parameters, e.g. { low = .., high = .. }")
            });
            return None;
        }
        let range = self.range(false);
        let end = |sign: f64| own.iter().map(|x| x + sign * share * x.abs()).collect::<Vec<f64>>();
        let [low, high] = [end(-1.0), end(1.0)];
        if let Some(value) = low.iter().chain(&high).find(|value| !range.holds(**value)) {
            node.report(format!("reaches {value}, which is not {}", range.wanted()), |problem| problem);
            return None;
        }
        let mut values = Values::default();
        for parameter in card.parameters {
            let value = match parameter.form {
                ParameterForm::OwnValues => own.clone(),
                _ if card.ends.is_some_and(|ends| ends[0] == parameter.name) => low.clone(),
                _ => high.clone(),
            };
            values.set(parameter.name, ParameterValue::Vector(value));
        }
        Some(Distribution::Drawn { name: card.name, values })
    }

    /// The value of one parameter.
    fn parameter(&self, parameter: &Parameter, table: &Table<'_>) -> Option<ParameterValue> {
        let node = table.get(parameter.name);
        let vector = match parameter.form {
            ParameterForm::OwnValues => match node {
                Some(node) => self.values(&node),
                None => self.own_values(parameter.name, table),
            },
            ParameterForm::Values => self.values(&node?),
            ParameterForm::AllowedValues => self.allowed(&node?, self.range(false)),
            ParameterForm::PositiveValues => self.allowed(&node?, self.range(true)),
            ParameterForm::Bound(absent) => match node {
                Some(node) => self.values(&node),
                None => Some(vec![absent; self.target.width()]),
            },
            ParameterForm::Deviation => {
                self.values_that(&node?, "a standard deviation: it is negative", |std| std >= 0.0)
            }
            ParameterForm::PositiveDeviation => {
                self.values_that(&node?, "a positive standard deviation", |std| std > 0.0)
            }
            // Read with the mean that it is a share of.
            ParameterForm::RelativeDeviation => return None,
            // Read as a list of parts.
            ParameterForm::Parts => return None,
            ParameterForm::Covariance => return self.covariance(&node?).map(ParameterValue::Rows),
            ParameterForm::Direction => direction(&node?).map(Vec::from),
            ParameterForm::Ratio => {
                return not_negative(&node?, Dimension::Number).map(ParameterValue::Number);
            }
            ParameterForm::Magnitude => {
                return not_negative(&node?, self.dimension).map(ParameterValue::Number);
            }
            ParameterForm::Angles => deviations(&node?),
            ParameterForm::Attitude => match node {
                Some(node) => attitude(&node).map(Vec::from),
                None => Some(self.source.mechanism.bodies[self.target.body].initial.attitude.to_vec()),
            },
        };
        vector.map(ParameterValue::Vector)
    }

    /// The columns of the table of which the target is one.
    fn columns_of_table(&self) -> Option<&[TableColumn]> {
        let Quantity::Number(position) = self.target.quantity else { return None };
        let mechanism = self.source.mechanism;
        let number = &mechanism.numbers()[position];
        (number.element == NumberOwner::Table).then(|| &mechanism.tables[number.index].columns[..])
    }

    fn values(&self, node: &Node<'_>) -> Option<Vec<f64>> {
        if let Some(columns) = self.columns_of_table().filter(|_| node.is_text()) {
            let name = node.text()?;
            let position = columns.iter().position(|column| column.name == name);
            if position.is_none() {
                node.report(format!("the table has no column `{name}`"), |problem| {
                    problem.allow(name, columns.iter().map(|column| column.name.as_str()))
                });
            }
            return Some(vec![position? as f64]);
        }
        if let Some((name, own, what)) = self.of_any_unit()
            && node.is_text()
        {
            let (value, unit) = node.any_quantity()?;
            // A plain number is in SI, as everywhere.
            if unit != "1" && unit != own {
                node.report(format!("{} is in {unit}, {name} in {own}", node.source()), |problem| {
                    problem.advise(format!("give it in the unit of the {what}, or as a plain number in SI"))
                });
                return None;
            }
            return Some(vec![value]);
        }
        node.vector_or_repeated(self.dimension, self.target.width())
    }

    /// Its name, its unit and what it is, where that is a constant or a state, which may be of any
    /// unit.
    fn of_any_unit(&self) -> Option<(String, String, &'static str)> {
        let Quantity::Number(position) = self.target.quantity else { return None };
        let mechanism = self.source.mechanism;
        let number = &mechanism.numbers()[position];
        let what = if number.element == NumberOwner::State { "state" } else { "constant" };
        mechanism.own_unit(number).map(|unit| (number.name(mechanism), unit.to_string(), what))
    }

    /// The values of a key, each of which must satisfy `test`.
    fn values_that(&self, node: &Node<'_>, wanted: &str, test: impl Fn(f64) -> bool) -> Option<Vec<f64>> {
        let values = self.values(node)?;
        if values.iter().all(|value| test(*value)) {
            return Some(values);
        }
        node.report(format!("{} is not {wanted}", node.source()), |problem| problem);
        None
    }

    /// The mechanism's own values, where a parameter is not given.
    fn own_values(&self, name: &str, table: &Table<'_>) -> Option<Vec<f64>> {
        let own = self.nominal();
        if own.iter().any(|value| !value.is_finite()) {
            let why = match self.target.quantity {
                Quantity::Setting(_) => "the default follows from the step",
                _ => "the mechanism's own value is infinite",
            };
            table.report(&format!("`{name}` is missing, and {why}"), |problem| {
                problem.advise(format!("give a {name}"))
            });
            return None;
        }
        Some(own)
    }

    fn nominal(&self) -> Vec<f64> {
        let VariableQuantities { mechanism, step, constraints, .. } = self.source;
        let body = &mechanism.bodies[self.target.body];
        let whole: Vec<f64> = match self.target.quantity {
            Quantity::Mass => vec![body.mass],
            Quantity::Number(number) => vec![mechanism.numbers()[number].value],
            Quantity::Step => vec![step],
            // A default that differs between instances is no mean of them.
            Quantity::Setting(position) => vec![constraints.given()[position].unwrap_or(f64::NAN)],
            Quantity::Inertia => (0..3).map(|axis| body.inertia[axis][axis]).collect(),
            Quantity::CentreOfMass => body.centre_of_mass.to_vec(),
            Quantity::Position => body.initial.position.to_vec(),
            Quantity::Velocity => body.initial.velocity.to_vec(),
            Quantity::Attitude => body.initial.attitude.to_vec(),
            Quantity::AngularVelocity => body.initial.angular_velocity.to_vec(),
            Quantity::Gravity => mechanism.gravity.to_vec(),
            Quantity::GravityDown => vec![0.0 - mechanism.gravity[2]],
            Quantity::LoadValue { load, piece } => mechanism.loads[load].pieces[piece].value.to_vec(),
        };
        match self.target.component {
            Some(component) => vec![whole[component]],
            None => whole,
        }
    }

    /// The values of a key, each of which the description allows.
    fn allowed(&self, node: &Node<'_>, range: Range) -> Option<Vec<f64>> {
        match range {
            Range::Any => self.values(node),
            Range::NotNegative | Range::Positive | Range::Within(..) | Range::Upto(_) => {
                self.values_that(node, &range.wanted(), |value| range.holds(value))
            }
        }
    }

    /// As the description allows; above 0 for a logarithm.
    fn range(&self, logarithmic: bool) -> Range {
        match range(self.target.quantity, self.source) {
            Range::Within(low, high) if logarithmic => Range::Within(low.max(f64::MIN_POSITIVE), high),
            _ if logarithmic => Range::Positive,
            range => range,
        }
    }

    fn covariance(&self, node: &Node<'_>) -> Option<Vec<Vec<f64>>> {
        let width = self.target.width();
        let rows = node.matrix(Dimension::Number, width)?;
        let matrix = DMatrix::from_fn(width, width, |row, column| rows[row][column]);
        let slack = COVARIANCE_SLACK * matrix.amax();
        if (&matrix - matrix.transpose()).amax() > slack {
            node.report("the covariance matrix is not symmetric", |problem| problem);
            return None;
        }
        let symmetric = &matrix / 2.0 + matrix.transpose() / 2.0;
        let smallest = least_eigenvalue(symmetric.clone());
        if smallest.is_nan() || smallest < -slack {
            node.report(
                format!(
                    "the covariance matrix is not positive semidefinite: it has the eigenvalue {}",
                    significant(smallest, 6)
                ),
                |problem| problem,
            );
            return None;
        }
        Some((0..width).map(|row| (0..width).map(|column| symmetric[(row, column)]).collect()).collect())
    }

    fn list(&self, node: &Node<'_>) -> Option<Distribution> {
        let entries = node.list()?;
        if entries.is_empty() {
            node.report("the list is empty", |problem| problem.advise("give at least one value"));
            return None;
        }
        let read: Vec<Option<Vec<f64>>> = entries
            .iter()
            .map(|entry| match self.is_attitude() {
                true => attitude(entry).map(|quaternion| quaternion.to_vec()),
                false => self.allowed(entry, self.range(false)),
            })
            .collect();
        Some(Distribution::List { values: read.into_iter().collect::<Option<_>>()? })
    }

    fn grid(&self, node: &Node<'_>, table: Table<'_>, logarithmic: bool) -> Option<(f64, f64, u64)> {
        if self.target.width() != 1 {
            node.report("a grid is for one number", |problem| {
                problem.advise(format!("vary the components, e.g. \"{}\"", self.component_example()))
            });
            return None;
        }
        let end = |name| {
            let node: Node<'_> = table.get(name)?;
            match self.range(logarithmic) {
                range if self.of_any_unit().is_some() && node.is_text() => {
                    self.allowed(&node, range).map(|values| values[0])
                }
                Range::Any => node.quantity(self.dimension),
                Range::NotNegative => node.not_negative(self.dimension),
                Range::Positive => node.positive(self.dimension),
                Range::Within(low, high) => node.bounded(low, high),
                whole @ Range::Upto(_) => self.allowed(&node, whole).map(|values| values[0]),
            }
        };
        let (from, to) = (end("from"), end("to"));
        let count = table.read::<u64>("count");
        Some((from?, to?, count?))
    }

    fn component_example(&self) -> String {
        let suffix = if self.target.quantity == Quantity::Inertia { "xx" } else { "x" };
        format!("{}.{suffix}", self.target.key)
    }

    fn table(&self, node: &Node<'_>) -> Option<Distribution> {
        let table = node.table(&TABLE)?;
        let file = table.get("file");
        let columns_node = table.get("columns");
        let columns = columns_node.as_ref().and_then(|node| self.columns(node));
        let name = file.as_ref().and_then(|file| file.text().map(str::to_string));
        let (file, columns_node, columns, name) = (file?, columns_node?, columns?, name?);
        let (path, given) = (file.document().beside(&name), file.document().given_samples(&name));
        let mut instances = 0..;
        let mut check = |row: &[f64]| {
            let instance = instances.next().unwrap_or_default();
            if self.is_attitude() {
                let quaternion = [row[0], row[1], row[2], row[3]];
                return match nearly_unit(quaternion) {
                    Some(_) => Ok(()),
                    None => Err(RowFault::NoUnitQuaternion { instance, quaternion }),
                };
            }
            let range = self.range(false);
            let wrong = row.iter().zip(&columns).find(|(value, _)| !range.holds(**value));
            wrong.map_or(Ok(()), |(value, column)| {
                let value = with_unit(&format!("{value:?}"), self.dimension.si());
                Err(RowFault::OutOfRange { column: column.clone(), instance, value, wanted: range.wanted() })
            })
        };
        let mut rows = match file.document().with_samples {
            true => {
                let wanted: Vec<_> =
                    columns.iter().map(|name| (name.clone(), Some(self.dimension))).collect();
                let nodes = (&file, &[&columns_node][..]);
                read_table(&path, given, &wanted, self.source.rows, nodes, &mut check)?
            }
            false => Vec::new(),
        };
        let mut printed = 0u64;
        for row in rows.iter_mut().filter(|_| self.is_attitude()) {
            let (unit, rounded) = nearly_unit([row[0], row[1], row[2], row[3]])?;
            printed += u64::from(!rounded);
            row.copy_from_slice(&unit);
        }
        if printed > 0 {
            let rows = grouped(printed);
            file.note(format!(
                "{rows} quaternions have norms that are off by up to 1e-3: polhode divided by them"
            ));
        }
        let (file, columns) = match given {
            // A run writes it into its folder, beside the resolved study, in SI.
            Some(_) => {
                (GIVEN_SAMPLES.to_string(), columns.iter().map(|column| without_unit(column)).collect())
            }
            // It lies in the folder of the run, wherever that goes.
            None if !node.document().with_samples && name == GIVEN_SAMPLES => (name, columns),
            // Absolute, so that the resolved study can be read from anywhere.
            None => (std::path::absolute(&path).unwrap_or(path).to_string_lossy().into_owned(), columns),
        };
        Some(Distribution::Table { file, columns, values: Arc::new(rows) })
    }

    fn columns(&self, node: &Node<'_>) -> Option<Vec<String>> {
        let columns: Vec<String> = if node.is_list() {
            let entries = node.list()?;
            let read: Vec<_> = entries.iter().map(|entry| entry.text().map(str::to_string)).collect();
            read.into_iter().collect::<Option<_>>()?
        } else {
            vec![node.text()?.to_string()]
        };
        let width = self.target.width();
        if columns.len() != width {
            let found = format!(
                "names {} column{}, but `{}` needs {width}",
                columns.len(),
                if columns.len() == 1 { "" } else { "s" },
                self.target.key
            );
            node.report(found, |problem| problem);
            return None;
        }
        let twice = columns.iter().enumerate().find(|(index, name)| columns[..*index].contains(name));
        if let Some((_, name)) = twice {
            node.report(format!("names the column `{name}` twice"), |problem| problem);
            return None;
        }
        Some(columns)
    }
}

fn not_negative(node: &Node<'_>, dimension: Dimension) -> Option<f64> {
    let value = node.quantity(dimension)?;
    if value < 0.0 {
        node.report(format!("{} is negative", node.source()), |problem| problem);
        return None;
    }
    Some(value)
}

/// Three standard deviations of angles (rad).
fn deviations(node: &Node<'_>) -> Option<Vec<f64>> {
    let std = node.vector_or_repeated(Dimension::Angle, 3)?;
    if std.iter().any(|std| *std < 0.0) {
        let found = format!("{} is not a standard deviation: it is negative", node.source());
        node.report(found, |problem| problem);
        return None;
    }
    Some(std)
}
