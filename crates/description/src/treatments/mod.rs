//! Treatments of the joints: one file for each way of finding their multipliers.
//!
//! With `M` the masses, `Q` forces and gyroscopic terms, `B` the constraint Jacobian, the force on
//! the bodies is `-B^T lam`:
//!
//! ```text
//! M udot + B^T lam = Q ;   mu = B M^-1 B^T ;   r = B M^-1 Q + Bdot u
//! ```
//!
//! so that `mu lam = r` keeps the constraints' acceleration at zero.

pub mod baumgarte;
pub mod exact;
pub mod historic;
pub mod partition;
pub mod penalty;
pub mod staggered;

use crate::base::{Circumstances, Key, Kind, MethodRole, Options, Precision, Setting};
use crate::math::cholesky::Solver;
use crate::real::Real;
use historic::{staggered_as_printed, staggered_once_integrated};

/// Demands of the joints at one instant.
pub struct Demand<R> {
    /// `mu = B M^-1 B^T`, its lower triangle by rows.
    pub coupling: Vec<Vec<R>>,
    /// `r = B M^-1 Q + Bdot u`
    pub acceleration: Vec<R>,
    /// `B u'` of the chain that is being advanced, where it stands.
    pub rate: Vec<R>,
    /// `Phi`
    pub violation: Vec<R>,
    /// The step (s) over which damping is implicit, by the mean of the rates before and after it;
    /// `None`: it is that of `rate`.
    pub within: Option<R>,
    /// Some rows say what others say: `mu` is singular wherever the bodies are.
    pub dependent: bool,
}

impl<R: Real> Demand<R> {
    /// Returns the solver of `mu lam = right`: where rows are dependent for the least multipliers,
    /// else such that they are bounded at singular positions.
    pub fn solver(&self) -> Solver<R> {
        let coupling = self.coupling.clone();
        if self.dependent { Solver::least(coupling) } else { Solver::bounded(coupling) }
    }
}

/// Properties of a treatment.
#[derive(Debug)]
pub struct TreatmentCard {
    /// As studies name it.
    pub name: &'static str,
    /// Report and equations.
    pub source: &'static str,
    pub meaning: &'static str,
    /// Values per row that it has of the last instant, the multiplier first: only a method that
    /// carries them can use it. 0: its multipliers have no history.
    pub carries: usize,
    /// It solves `mu lam = r` as it stands: rows of joints that others imply are left out, for they
    /// would make mu singular.
    pub solves: bool,
    /// After every step some coordinates, chosen when a mechanism is planned, are solved for from
    /// the constraints.
    pub partitions: bool,
    /// Its multipliers follow from the rate and the violation of the moment, without a history.
    pub stabilises: bool,
    /// The parts that it has among the others.
    pub roles: &'static [MethodRole],
    pub keys: &'static [Key],
}

/// A setting that is a number, from `min` to `max`.
#[derive(Clone, Copy, Debug)]
pub struct SettableNumber {
    pub name: &'static str,
    pub min: f64,
    pub max: f64,
    pub default: DefaultNumber,
    pub unit: &'static str,
}

/// The number where nothing is said.
#[derive(Clone, Copy, Debug)]
pub enum DefaultNumber {
    Constant(f64),
    /// Each instance has its own.
    Derived(fn(&Circumstances<'_>) -> f64),
}

impl TreatmentCard {
    /// Its settings that are numbers, in the order of its keys.
    pub fn numbers(&self) -> impl Iterator<Item = SettableNumber> {
        self.keys.iter().filter_map(|key| {
            let (min, max, default) = match key.kind {
                Kind::Number(min, max, default) => (min, max, DefaultNumber::Constant(default)),
                Kind::Derived { min, max, default, .. } => (min, max, DefaultNumber::Derived(default)),
                Kind::Choice(_) | Kind::Count(..) | Kind::Optional { .. } | Kind::Flag => return None,
            };
            Some(SettableNumber { name: key.name, min, max, default, unit: key.unit })
        })
    }

    /// The values that these settings give to its [numbers](Self::numbers); `None`: the default
    /// differs between instances.
    pub fn given(&self, options: &Options) -> Vec<Option<f64>> {
        let given = |number: SettableNumber| match (options.get(number.name), number.default) {
            (Some(Setting::Number(x)), _) => Some(*x),
            (_, DefaultNumber::Constant(x)) => Some(x),
            (_, DefaultNumber::Derived(_)) => None,
        };
        self.numbers().map(given).collect()
    }

    /// All [numbers](Self::numbers) of an instance with this step (s), of which these are given.
    pub fn resolved(&self, given: &[Option<f64>], step: f64, precision: Precision) -> Vec<f64> {
        resolved_numbers(self.numbers(), given, step, precision).collect()
    }
}

/// As [`TreatmentCard::resolved`], of the numbers of a card.
pub fn resolved_numbers(
    numbers: impl IntoIterator<Item = SettableNumber>,
    given: &[Option<f64>],
    step: f64,
    precision: Precision,
) -> impl Iterator<Item = f64> {
    let circumstances = Circumstances { step, precision, given };
    let resolved = move |(number, given): (SettableNumber, &Option<f64>)| match (given, number.default) {
        (Some(x), _) => *x,
        (None, DefaultNumber::Constant(x)) => x,
        (None, DefaultNumber::Derived(default)) => default(&circumstances),
    };
    numbers.into_iter().zip(given).map(resolved)
}

/// A way of finding multipliers.
pub trait Treatment: Sized {
    const CARD: TreatmentCard;

    /// From its settings that are no numbers.
    fn new(options: &Options) -> Self;

    /// The multipliers of all rows and then what else it [carries](TreatmentCard::carries), from
    /// the demand and from the same `tau` (s) earlier; empty: there is no history. `numbers`: its
    /// [numbers](TreatmentCard::numbers), which may differ between instances.
    fn multipliers<R: Real>(&self, demand: &Demand<R>, tau: R, previous: &[R], numbers: &[R]) -> Vec<R>;
}

/// The unit of a compliance in time, of rows that hold a point or a direction.
const COMPLIANCE: &str = "s/kg or s/(kg m²)";

/// The setting by which eps follows from the start of each instance.
pub const EPS_ACCURACY: &str = "eps_accuracy";

/// The setting that it settles.
pub const EPS: &str = "eps";

/// `c` of the rule `eps = c/(|mu^-1| |mu|)`, PCD90 III.D after (32).
const BY_RULE: Key = derived(
    EPS_ACCURACY,
    [0.0, 1.0],
    ("0, no rule", |_| 0.0),
    "",
    "Accuracy c asked of multipliers, in place of eps: eps is c/(|mu^-1| |mu|) in SI units where an instance \
     starts.",
);

/// Whether the number at this position is given, and not 0.
fn is_positive(given: &[Option<f64>], position: usize) -> bool {
    given[position].is_some_and(|x| x > 0.0)
}

const fn number(
    name: &'static str,
    [min, max, default]: [f64; 3],
    unit: &'static str,
    meaning: &'static str,
) -> Key {
    Key { name, kind: Kind::Number(min, max, default), unit, meaning }
}

/// A number whose default is this formula.
const fn derived(
    name: &'static str,
    [min, max]: [f64; 2],
    (formula, default): (&'static str, fn(&Circumstances<'_>) -> f64),
    unit: &'static str,
    meaning: &'static str,
) -> Key {
    Key { name, kind: Kind::Derived { min, max, formula, default }, unit, meaning }
}

/// The treatment of a study that names none.
pub const DEFAULT: &TreatmentCard = of_role(MethodRole::Default);
/// The treatment that holds joints exactly.
pub const EXACT: &TreatmentCard = of_role(MethodRole::Accurate);
/// The treatment by which joints give way.
pub const ELASTIC: &TreatmentCard = of_role(MethodRole::Elastic);

/// The treatment of this part.
const fn of_role(role: MethodRole) -> &'static TreatmentCard {
    let mut k = 0;
    while k < CARDS.len() {
        if role.is_in(CARDS[k].roles) {
            return CARDS[k];
        }
        k += 1;
    }
    panic!("no card has this part")
}

macro_rules! registry {
    ($($module:ident :: $treatment:ident),* $(,)?) => {
        /// Any of the treatments.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyTreatment {
            $($treatment($module::$treatment),)*
        }

        /// The cards of all treatments.
        pub const CARDS: &[&TreatmentCard] = &[$(&$module::$treatment::CARD,)*];

        impl AnyTreatment {
            /// The treatment of this name with these settings; `None`: there is none of this name.
            pub fn new(name: &str, options: &Options) -> Option<AnyTreatment> {
                $(if name == $module::$treatment::CARD.name {
                    return Some(AnyTreatment::$treatment($module::$treatment::new(options)));
                })*
                None
            }

            pub fn card(&self) -> &'static TreatmentCard {
                match self {
                    $(AnyTreatment::$treatment(_) => &$module::$treatment::CARD,)*
                }
            }

            /// As [`Treatment::multipliers`].
            pub fn multipliers<R: Real>(
                &self,
                demand: &Demand<R>,
                tau: R,
                previous: &[R],
                numbers: &[R],
            ) -> Vec<R> {
                match self {
                    $(AnyTreatment::$treatment(t) => t.multipliers(demand, tau, previous, numbers),)*
                }
            }
        }
    };
}

registry! {
    staggered::StaggeredMultipliers,
    exact::Exact,
    baumgarte::Baumgarte,
    penalty::Penalty,
    staggered_as_printed::AsPrinted,
    staggered_once_integrated::OnceIntegrated,
    partition::Partition,
}

/// The treatment of a study that names none.
impl Default for AnyTreatment {
    fn default() -> Self {
        AnyTreatment::StaggeredMultipliers(staggered::StaggeredMultipliers)
    }
}
