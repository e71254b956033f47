//! `[study] kind = "stability_map"`: which two quantities span the map, and which ways of stepping
//! are laid side by side.

use toml::Value;

use super::keyed::{Keyed, QuestionContext};
use crate::declared::{FileValue, put, section};
use crate::document::{Node, Table};
use crate::keys::{DEFAULT_METHOD, Form, KIND, MAX_STEPS, Section, compared_method_section, method_names};
use crate::read_method::{check_support, constraints, method_settings};
use crate::writer::{Entries, count, method_entries, setting_value, table, text};
use polhode_description::base::units::Dimension;
use polhode_description::describe::Question;
use polhode_description::describe::bounds::Balance;
use polhode_description::describe::kind::{Ends, KindCard};
use polhode_description::describe::{
    Constraints, Distribution, Mechanism, Quantity, Study, TimeIntegration, Unexplained, Vary, VerdictBounds,
};
use polhode_dynamics::methods::cards;

/// Largest relative change of energy in a cell that is called stable, where a map gives no bound at
/// all.
const ENERGY: f64 = 0.1;
/// Largest relative change of energy where loads, generators or dampers change it: only a cell that
/// blows up exceeds it.
const ENERGY_NOT_KEPT: f64 = 10.0;
/// Largest violation of the joints then, of the mechanism's reach.
const VIOLATION: f64 = 0.1;

/// A stability map.
#[derive(Clone, Debug, PartialEq)]
pub struct StabilityMap {
    /// Always a varied quantity: largest stable values are sought along it.
    pub x: Axis,
    pub y: Axis,
    /// Sampling period (s) in which steps are counted as samples, where a step is an axis.
    pub period: Option<f64>,
    /// The boundary is refined along x to this width, relative.
    pub bisect: Option<f64>,
    /// Maps side by side, the study's own method and constraints among them; none: these alone.
    pub compare: Vec<Variant>,
}

/// One axis of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub along: Along,
    /// Factor that turns a value in SI into the value that is shown.
    pub factor: f64,
    /// Label of the values that are shown, with their unit; `None`: the quantity's own.
    pub label: Option<String>,
}

/// The quantity that differs along an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Along {
    /// A varied quantity, by its name in `[ensemble.vary]`.
    Varied(String),
    /// Steps between restarts of what drifts apart: a plan each.
    Resynchronise(Vec<u64>),
    /// Steps between projections on to the joints.
    Project(Vec<u64>),
}

impl Along {
    pub fn name(&self) -> &str {
        match self {
            Along::Varied(key) => key,
            Along::Resynchronise(_) => RESYNCHRONISE,
            Along::Project(_) => PROJECT,
        }
    }

    /// The counts along it, of an axis that is no varied quantity.
    pub fn counts(&self) -> Option<&[u64]> {
        match self {
            Along::Varied(_) => None,
            Along::Resynchronise(counts) | Along::Project(counts) => Some(counts),
        }
    }
}

pub const RESYNCHRONISE: &str = "method.resynchronise";
pub const PROJECT: &str = "constraints.project";

/// One way of stepping and holding.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    pub name: String,
    pub method: TimeIntegration,
    pub constraints: Constraints,
}

/// A part of a map that one plan serves: a variant, and perhaps one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Position among the variants.
    pub variant: usize,
    /// The row, where rows differ in a count.
    pub row: Option<usize>,
    /// The layer as a study of its own.
    pub study: Study,
}

/// An axis that the ensemble lays out.
#[derive(Clone, Debug, PartialEq)]
pub struct GridAxis {
    /// Ascending, SI.
    pub values: Vec<f64>,
    /// Equal ratios rather than equal differences.
    pub logarithmic: bool,
    /// Neither of the two: a list.
    pub listed: bool,
    /// The quantity is the full step.
    pub is_step: bool,
    /// Instances until the next value; 0 where a value has a plan of its own.
    pub stride: u64,
}

impl GridAxis {
    /// The place on the axis of instance `i` of a layer.
    pub fn place(&self, i: u64) -> usize {
        (i / self.stride % self.values.len() as u64) as usize
    }
}

impl StabilityMap {
    pub const CARD: KindCard = KindCard {
        name: "stability_map",
        question: "Where in the plane of two quantities a method is stable: each cell is an instance, or \
                   several, that passes a bound of [verdict] or does not. Without bounds: energy 0.1 (10 \
                   where something drives or brakes, and none there beside named conditions), and a \
                   tenth of the joints' reach.",
        takes_varied_step: true,
        own_methods: true,
        ends: Ends::Asked,
        ..KindCard::ADVANCED
    };
}

impl Question for StabilityMap {
    fn card(&self) -> &'static KindCard {
        &StabilityMap::CARD
    }

    fn ensembles(&self, _: u64, study: &Study) -> (usize, Vec<u64>) {
        let layers = self.layers(study).len();
        (layers, vec![study.ensemble.size; layers])
    }

    fn studies(&self, study: &Study) -> Vec<Study> {
        self.layers(study).into_iter().map(|layer| layer.study).collect()
    }

    /// A tenth of the energy, or ten times where it is not kept, and a tenth of the mechanism's
    /// reach by which joints may open. Where energy is not kept, a study that names conditions of
    /// its own bounds none: what drives may bring any.
    fn bounds(&self, every: u64, mechanism: &Mechanism, vary: &[Vary]) -> Option<VerdictBounds> {
        let energy = match Balance::of(mechanism, vary) {
            Balance::Kept => Some(ENERGY),
            _ => mechanism.ends.is_empty().then_some(ENERGY_NOT_KEPT),
        };
        Some(VerdictBounds {
            energy,
            unexplained: Unexplained::Nothing,
            quaternion_norm: None,
            constraint: mechanism.is_held().then_some(VIOLATION * mechanism.reach()),
            every,
        })
    }
}

impl StabilityMap {
    /// Names of the variants.
    pub fn names(&self, study: &Study) -> Vec<String> {
        match &self.compare[..] {
            [] => vec![study.method.name.to_string()],
            compared => compared.iter().map(|variant| variant.name.clone()).collect(),
        }
    }

    /// All layers, the rows of a variant one after the other. Instance i of layer k has the number
    /// k * size + i.
    pub fn layers(&self, study: &Study) -> Vec<Layer> {
        let own = |variant: usize| {
            let mut own = study.clone();
            if let Some(Variant { method, constraints, .. }) = self.compare.get(variant) {
                own.method = method.clone();
                own.constraints = constraints.clone();
                for vary in &mut own.ensemble.vary {
                    if let Quantity::Setting(_) = vary.target.quantity
                        && let Some(position) = setting(&vary.target.key, constraints)
                    {
                        vary.target.quantity = Quantity::Setting(position);
                    }
                }
            }
            own
        };
        let rows = self.y.along.counts().map_or(1, <[u64]>::len);
        let mut layers = Vec::new();
        for variant in 0..self.compare.len().max(1) {
            for row in 0..rows {
                let mut study = own(variant);
                match &self.y.along {
                    Along::Varied(_) => {}
                    Along::Resynchronise(counts) => study.method.resynchronise = counts[row],
                    Along::Project(counts) => study.constraints.project = counts[row],
                }
                let row = self.y.along.counts().map(|_| row);
                layers.push(Layer { variant, row, study });
            }
        }
        layers
    }

    /// An axis as laid out.
    pub fn grid_axis(&self, axis: &Axis, study: &Study) -> GridAxis {
        let listed = |values: Vec<f64>| GridAxis {
            values,
            logarithmic: false,
            listed: true,
            is_step: false,
            stride: 0,
        };
        let key = match &axis.along {
            Along::Varied(key) => key,
            Along::Resynchronise(counts) | Along::Project(counts) => {
                return listed(counts.iter().map(|n| *n as f64).collect());
            }
        };
        let vary = &study.ensemble.vary;
        let at = vary.iter().position(|v| v.target.key == *key).expect("axes were found when they were read");
        let stride = vary[at + 1..].iter().map(|v| v.distribution.points().unwrap_or(1)).product();
        let is_step = vary[at].target.quantity == Quantity::Step;
        let spaced = |from: f64, to: f64, count: u64, value: &dyn Fn(f64) -> f64| {
            let share = |k: u64| k as f64 / (count - 1) as f64;
            let inner = (1..count - 1).map(|k| value(share(k)));
            [from].into_iter().chain(inner).chain([to]).collect::<Vec<f64>>()
        };
        let (values, logarithmic, listed) = match &vary[at].distribution {
            Distribution::Linspace { from, to, count } => {
                (spaced(*from, *to, *count, &|s| from + s * (to - from)), false, false)
            }
            Distribution::Logspace { from, to, count } => {
                (spaced(*from, *to, *count, &|s| from * (to / from).powf(s)), true, false)
            }
            Distribution::List { values } => (values.iter().map(|value| value[0]).collect(), false, true),
            _ => (Vec::new(), false, true),
        };
        GridAxis { values, logarithmic, listed, is_step, stride }
    }
}

/// Where the treatment has the number that a study varies under this key.
pub fn setting(key: &str, constraints: &Constraints) -> Option<usize> {
    let name = key.strip_prefix("constraints.")?;
    constraints.card().numbers().position(|number| number.name == name)
}

section! { static KEYS = StabilityMap::CARD.question;
    @KIND;
    x: AXIS_FORM, Optional,
        "Along this axis the largest stable value is sought. Absent: the first grid entry of \
         [ensemble.vary].";
    y: AXIS_FORM, Optional,
        "The other axis; also method.resynchronise or constraints.project, with `values`. Absent: the next \
         grid entry.";
    period: Positive(Dimension::Time), Optional,
        "Where x is method.step: steps are told as samples of this period too.";
    bisect: Bounded { min: 1e-12, max: 0.5 }, Optional,
        "The end of the stable range is refined along x, in each row, to this relative width. Absent: it is \
         as wide as cells.";
    compare: List(&Table(&COMPARED)), Optional,
        "Maps side by side, of other methods or treatments. Absent: the study's own alone.";
}

const AXIS_FORM: Form = Form::Either(&[&Form::Text, &Form::Table(&MAP_AXIS)]);

static COUNTS: Form = Form::Count { min: 0, max: MAX_STEPS };

section! { static MAP_AXIS = "An axis of a map.";
    quantity: Text, Required, "Its name in [ensemble.vary], where it has a list, linspace or logspace.";
    factor: Positive(Dimension::Number), Default("1"),
        "What is shown is the value in SI times this, positive.";
    label: Text, Optional, "Of what is shown, with its unit. Absent: the quantity's own.";
    values: List(&COUNTS), Optional, "Of method.resynchronise or constraints.project: counts, ascending.";
}

section! { static COMPARED = "A map beside others.";
    name: Text, Required, "Name, unique.";
    method: ComparedMethod, Optional, "As [method], without step and steps. Absent: the study's own.";
    constraints: Constraints, Optional, "As [constraints]. Absent: the study's own.";
}

impl Keyed for StabilityMap {
    const CARD: &'static KindCard = &StabilityMap::CARD;

    fn keys() -> &'static Section {
        &KEYS
    }

    fn read(table: &Table<'_>, context: &QuestionContext<'_>) -> Option<StabilityMap> {
        let vary = context.ensemble.map(|ensemble| &ensemble.vary[..]);
        let x = table.get("x").map(|node| read_axis(&node, vary, false));
        let y = table.get("y").map(|node| read_axis(&node, vary, true));
        let (period, bisect) = (table.read("period"), table.read("bisect"));
        let compare = match table.get("compare") {
            Some(node) => read_compared(&node, context),
            None => Some(Vec::new()),
        };
        let vary = vary?;
        // Those that are not named are the first of the grid that are not taken.
        let mut free = vary.iter().filter(|v| v.target.width() == 1 && v.distribution.is_axis());
        let taken: Vec<String> =
            [&x, &y].into_iter().flatten().flatten().map(|axis| axis.along.name().to_string()).collect();
        let mut next = |given: Option<Option<Axis>>| match given {
            Some(given) => given,
            None => {
                let vary = free.find(|v| !taken.contains(&v.target.key));
                let Some(vary) = vary else {
                    table.report("a map needs two axes, and [ensemble.vary] has too few", |problem| {
                        problem.advise(
                            "give two quantities of one number a list, linspace or logspace, \
                             e.g. \"method.step\" = { logspace = { from = 1e-3, to = 0.1, count = 100 } }",
                        )
                    });
                    return None;
                };
                Some(Axis { along: Along::Varied(vary.target.key.clone()), factor: 1.0, label: None })
            }
        };
        let (x, y) = (next(x)?, next(y)?);
        if x.along.name() == y.along.name() {
            table.report(&format!("x and y are both {}", x.along.name()), |problem| {
                problem.advise("name two quantities")
            });
            return None;
        }
        let checked = [&x, &y].map(|axis| check_axis(table, axis, vary));
        let compare = with_own(compare?, context)?;
        let counted = check_counts(table, &y, context, &compare);
        (checked == [true; 2] && counted).then_some(())?;
        Some(StabilityMap { x, y, period: period?, bisect: bisect?, compare })
    }

    fn entries(&self) -> Entries {
        let axis = |axis: &Axis| {
            let mut entries = vec![("quantity", text(axis.along.name())), ("factor", axis.factor.into())];
            entries.extend(axis.label.as_ref().map(|label| ("label", text(label))));
            let counts = axis.along.counts().map(|counts| counts.iter().map(|n| count(*n)).collect());
            entries.extend(counts.map(|counts| ("values", Value::Array(counts))));
            table(entries)
        };
        let mut entries = vec![("x", axis(&self.x)), ("y", axis(&self.y))];
        put(&mut entries, &KEYS, "period", &self.period);
        put(&mut entries, &KEYS, "bisect", &self.bisect);
        let compare: Vec<Value> = self.compare.iter().map(variant_table).collect();
        entries.extend((!compare.is_empty()).then(|| ("compare", Value::Array(compare))));
        entries
    }
}

/// A variant as a table.
fn variant_table(Variant { name, method, constraints }: &Variant) -> Value {
    let of_method = method_entries(method.name, method.resynchronise, &method.options);
    let mut of_treatment =
        vec![("treatment", text(constraints.treatment)), ("project", count(constraints.project))];
    of_treatment.extend(constraints.options.iter().map(|(key, value)| (key, setting_value(value))));
    table([("name", text(name)), ("method", table(of_method)), ("constraints", table(of_treatment))])
}

/// A name, or a table with one; a list of counts makes an axis of plans.
fn read_axis(node: &Node<'_>, vary: Option<&[Vary]>, takes_counts: bool) -> Option<Axis> {
    let (quantity, factor, label, values) = if node.is_table() {
        let table = node.table(&MAP_AXIS)?;
        let (factor, label) = (table.read("factor"), table.read("label"));
        let values = table.get("values").map(|node| read_counts(&node));
        (table.read("quantity")?, factor?, label?, values)
    } else {
        (node.text()?.to_string(), 1.0, None, None)
    };
    let along = match (&quantity[..], values) {
        (RESYNCHRONISE | PROJECT, _) if !takes_counts => {
            node.report(format!("{quantity} cannot be x"), |problem| {
                problem.advise("make it y: largest stable values are sought along x")
            });
            return None;
        }
        (RESYNCHRONISE, Some(values)) => Along::Resynchronise(values?),
        (PROJECT, Some(values)) => Along::Project(values?),
        (RESYNCHRONISE | PROJECT, None) => {
            node.report(format!("{quantity} is no quantity of an instance"), |problem| {
                problem.advise(format!(
                    "give its values here: {{ quantity = \"{quantity}\", values = [0, 20, 200] }}"
                ))
            });
            return None;
        }
        (_, Some(_)) => {
            node.report(format!("the values of {quantity} stand in [ensemble.vary]"), |problem| {
                problem.advise(format!("`values` are for {RESYNCHRONISE} and {PROJECT}"))
            });
            return None;
        }
        (_, None) => {
            let vary = vary?;
            let axes = || {
                let grid = vary.iter().filter(|v| v.distribution.is_axis());
                grid.map(|v| v.target.key.as_str())
            };
            match vary.iter().find(|v| v.target.key == quantity) {
                None => {
                    node.report(format!("`{quantity}` is not varied"), |problem| {
                        problem.allow(
                            &quantity,
                            axes().chain([RESYNCHRONISE, PROJECT].into_iter().filter(|_| takes_counts)),
                        )
                    });
                    return None;
                }
                Some(v) if !v.distribution.is_axis() => {
                    node.report(format!("`{quantity}` is drawn, and no axis of the grid"), |problem| {
                        problem.advise("give it a list, linspace or logspace")
                    });
                    return None;
                }
                Some(v) if v.target.width() > 1 => {
                    node.report(format!("`{quantity}` has {} numbers", v.target.width()), |problem| {
                        problem.advise("vary one component of it")
                    });
                    return None;
                }
                Some(_) => Along::Varied(quantity),
            }
        }
    };
    Some(Axis { along, factor, label })
}

/// At least two counts, ascending; 0 means never and stands first.
fn read_counts(node: &Node<'_>) -> Option<Vec<u64>> {
    let counts: Vec<u64> = FileValue::read_list(node, &COUNTS)?;
    if counts.len() < 2 || counts.windows(2).any(|pair| pair[0] >= pair[1]) {
        node.refuse("an ascending list of at least two counts", "give e.g. [0, 20, 200]");
        return None;
    }
    Some(counts)
}

/// At least two values that ascend.
fn check_axis(table: &Table<'_>, axis: &Axis, vary: &[Vary]) -> bool {
    let Along::Varied(key) = &axis.along else { return true };
    let Some(varied) = vary.iter().find(|v| v.target.key == *key) else { return false };
    let fault = match &varied.distribution {
        Distribution::List { values } if values.len() < 2 => Some("has one value".to_string()),
        Distribution::List { values } if values.windows(2).any(|pair| pair[0][0] >= pair[1][0]) => {
            Some("does not ascend".to_string())
        }
        Distribution::Linspace { from, to, .. } | Distribution::Logspace { from, to, .. } if from >= to => {
            Some(format!("runs from {from:?} to {to:?}, the wrong way round"))
        }
        _ => None,
    };
    if let Some(fault) = &fault {
        table.report(&format!("the axis {key} {fault}"), |problem| {
            problem.advise("an axis of a map has at least two values, the smallest first")
        });
    }
    fault.is_none()
}

/// Whether all that is compared has the counts of such an axis.
fn check_counts(table: &Table<'_>, axis: &Axis, context: &QuestionContext<'_>, compare: &[Variant]) -> bool {
    let methods = compare.iter().map(|variant| variant.method.name);
    let methods: Vec<&str> = if compare.is_empty() {
        context.method.map(|m| m.name).into_iter().collect()
    } else {
        methods.collect()
    };
    let fault = match &axis.along {
        Along::Varied(_) => None,
        Along::Resynchronise(_) => {
            let lacks = |name: &&&str| cards().iter().any(|card| card.name == **name && !card.resynchronises);
            methods.iter().find(lacks).map(|name| format!("the method {name} is never resynchronised"))
        }
        Along::Project(_) => context
            .mechanism
            .filter(|mechanism| !mechanism.is_held())
            .map(|_| "the mechanism has nothing to project on".to_string()),
    };
    if let Some(fault) = &fault {
        table.report(&format!("{} is no axis: {fault}", axis.along.name()), |problem| {
            problem.advise("choose another y")
        });
    }
    fault.is_none()
}

fn read_compared(node: &Node<'_>, context: &QuestionContext<'_>) -> Option<Vec<Variant>> {
    let entries = node.list()?;
    let mut variants: Vec<Variant> = Vec::new();
    let mut sound = true;
    for entry in &entries {
        match read_variant(entry, context) {
            Some(variant) if variants.iter().any(|other| other.name == variant.name) => {
                entry.report(format!("a second variant is called `{}`", variant.name), |problem| {
                    problem.advise("give each a name of its own")
                });
                sound = false;
            }
            Some(variant) => variants.push(variant),
            None => sound = false,
        }
    }
    if entries.is_empty() {
        node.report("nothing is compared", |problem| problem.advise("leave `compare` out"));
        sound = false;
    }
    sound.then_some(variants)
}

/// Returns the variants to compare, the study's own method and treatment among them: before all
/// others where none of them is the same.
fn with_own(mut compare: Vec<Variant>, context: &QuestionContext<'_>) -> Option<Vec<Variant>> {
    let (method, constraints) = (context.method?, context.constraints?);
    let is_own = |variant: &Variant| variant.method == *method && variant.constraints == *constraints;
    if !compare.is_empty() && !compare.iter().any(is_own) {
        let is_taken = |name: &str| compare.iter().any(|variant| variant.name == name);
        let name = match is_taken(method.name) {
            false => method.name.to_string(),
            true => format!("{}, as [method] has it", method.name),
        };
        compare.insert(0, Variant { name, method: method.clone(), constraints: constraints.clone() });
    }
    Some(compare)
}

fn read_variant(node: &Node<'_>, context: &QuestionContext<'_>) -> Option<Variant> {
    let table = node.table(&COMPARED)?;
    let name = table.get("name").and_then(|node| Some(node.text()?.to_string()));
    let own = context.method;
    let method = match table.get("method") {
        None => own.cloned(),
        Some(node) => {
            let table = node.table_by(("name", DEFAULT_METHOD), method_names(), compared_method_section);
            table.and_then(|table| method_settings(&table, own.map(|m| m.step), own.map(|m| m.steps)))
        }
    };
    let constraints = match table.get("constraints") {
        None => context.constraints.cloned(),
        Some(node) => constraints(&node, method.as_ref(), context.mechanism),
    };
    let (name, method, constraints, mechanism, ensemble, of_study) =
        (name?, method?, constraints?, context.mechanism?, context.ensemble?, context.constraints?);
    let sound = check_support(&table, mechanism, &method, &constraints);
    let mut has_settings = true;
    for vary in ensemble.vary.iter().filter(|v| matches!(v.target.quantity, Quantity::Setting(_))) {
        let unit = |constraints: &Constraints| {
            let position = setting(&vary.target.key, constraints)?;
            constraints.card().numbers().nth(position).map(|number| number.unit)
        };
        let (here, there) = (unit(&constraints), unit(of_study));
        if here != there {
            let found = match here {
                None => format!("the treatment {} has no {}", constraints.treatment, vary.target.key),
                Some(here) => format!(
                    "{} is in {here} here, and in [constraints] {}",
                    vary.target.key,
                    there.map_or("there is none".to_string(), |there| format!("in {there}"))
                ),
            };
            node.report(found, |problem| {
                problem.advise("compare treatments that all have this setting, in one unit")
            });
            has_settings = false;
        }
    }
    (sound && has_settings).then_some(Variant { name, method, constraints })
}
