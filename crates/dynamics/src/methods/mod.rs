//! Integration methods, one file each, generic over the scalar, behind one trait and one registry.
//!
//! A method advances the [`Motion`] of every body and whatever else it carries from step to step: a
//! second chain, the spatial angular momentum. It is written once, over [`Real`]; what backends run
//! is the graph that this leaves. To add one: write its file with its card, add its line to the
//! registry at the end of this file, and write its plain twin under `crates/reference/src/methods/`
//! for it to be judged by (`docs/adding-a-method.md`). A program that embeds polhode adds methods
//! without any of this: [`own`].

pub mod adaptive;
pub mod bdf;
pub mod dop853;
pub mod gear_nordsieck;
pub mod historic;
pub mod lead;
mod loads;
pub mod midpoint;
pub mod own;
pub mod own_steps;
pub mod rk4;
mod runge_kutta;
pub mod staggered;
mod tolerance;
pub mod trapezoidal;
pub mod tsit5;

use crate::base::Options;
pub use crate::base::{Card, Circumstances, Key, Kind, MethodRole, Takes};
use crate::kinematics::body::Motion;
pub use crate::model::carried::State;
pub use crate::model::sample::{AFTER_START, BEFORE_END, LoadValue, STEP, Sample};
use crate::model::system::{Advanced, System};
use crate::real::Real;
pub use adaptive::Adaptive;
use historic::{
    newmark_euler_parameters, newmark_rotation_vector, predictor_corrector, simo_wong, staggered_conserving,
};
pub use lead::Lead;
pub use own::Own;
use own_steps::ErrorSize;
pub use own_steps::OwnSteps;

/// The sizes of a mechanism that a method must know beforehand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// By body: how many modes it deforms with.
    pub modes: Vec<usize>,
    /// Number of constraint rows.
    pub rows: usize,
    /// Values of constraint rows that are carried from step to step, their multipliers first; 0
    /// where the treatment carries none.
    pub carried_rows: usize,
}

/// An integration method with its settings.
pub trait Method: Sized {
    /// All that studies and documents need to know of it.
    const CARD: Card;

    /// From the settings of a study: every key has a value that the card allows, or its default.
    fn new(options: &Options) -> Self;

    /// The instants of its loads; [`System`] knows them by position in this list.
    fn samples(&self) -> Vec<Sample>;

    /// The order with these settings: the error at a fixed time falls with this power of the step.
    fn order(&self) -> u32 {
        Self::CARD.order
    }

    /// Names of what it carries besides the motions.
    fn carried(&self, shape: &Shape) -> Vec<String> {
        let _ = shape;
        Vec::new()
    }

    /// Returns the lead of a chain away from the motions; the channels of the chain are the first
    /// that the method carries. `None`: it carries no such chain. At the start and after it was
    /// resynchronised the chain is led from the motions, and `begin` and `resynchronised` leave it
    /// out.
    fn lead(&self) -> Option<Lead> {
        None
    }

    /// Returns the values that it carries at the start, from the motions there, but for a chain
    /// that is [led](Method::lead).
    fn begin<R: Real>(&self, system: &System<R>, motions: &[Motion<R>]) -> Vec<R> {
        let _ = (system, motions);
        Vec::new()
    }

    /// Returns the values that it carries after it was resynchronised, where these are not the ones
    /// carried so far; a chain that is [led](Method::lead) is left out.
    fn resynchronised<R: Real>(&self, system: &System<R>, state: &State<R>) -> Vec<R> {
        let _ = system;
        state.carried.clone()
    }

    /// From one step to the next.
    fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R>;

    /// Returns the rule by which every instance chooses its own steps; `None`: all take that of the
    /// study. A method with such a rule carries nothing.
    fn own_steps(&self) -> Option<OwnSteps> {
        None
    }

    /// Whether iterations solve its step; it [tells](System::solved_by) the system of them.
    fn iterates(&self) -> bool {
        false
    }

    /// The motions a step later, and the square of their estimated error in units of what is
    /// allowed. `size`: that of an error of motions that have come so far.
    fn estimated<R: Real>(
        &self,
        system: &System<R>,
        start: &[Motion<R>],
        size: &ErrorSize<'_, R>,
    ) -> (Vec<Motion<R>>, R) {
        let _ = size;
        let state = State { motions: start.to_vec(), carried: Vec::new() };
        (self.step(system, &state).motions, system.h.lift(0.0))
    }
}

/// Three consecutive values for each of so many bodies.
fn vectors<R: Copy>(values: &[R], at: usize, bodies: usize) -> Vec<[R; 3]> {
    (0..bodies).map(|b| at + 3 * b).map(|at| [values[at], values[at + 1], values[at + 2]]).collect()
}

/// Names of three values for each body: `prefix_x` and so on, numbered where there are several
/// bodies.
fn axes(shape: &Shape, prefix: &str) -> Vec<String> {
    let bodies = shape.modes.len();
    let number = |b: usize| if bodies == 1 { String::new() } else { format!("b{b}_") };
    let names = |b: usize| ["x", "y", "z"].map(|axis| format!("{}{prefix}_{axis}", number(b)));
    (0..bodies).flat_map(names).collect()
}

/// Names of the multipliers that a method carries, and of what the treatment carries beside them.
fn multiplier_names(shape: &Shape) -> impl Iterator<Item = String> {
    (0..shape.carried_rows).map(|k| match k.checked_sub(shape.rows) {
        None => format!("multiplier_{k}"),
        Some(row) => format!("demand_{row}"),
    })
}

/// Multipliers to carry from a start: without history, those that hold the joints there.
fn first_multipliers<R: Real>(system: &System<R>, sample: usize, motions: &[Motion<R>]) -> Vec<R> {
    match system.carried_rows() {
        0 => Vec::new(),
        _ => system.instantaneous_multipliers(sample, motions),
    }
}

/// The multipliers at `at` before any are solved for in this step: those that were carried, or,
/// where the treatment of joints carries none, those that it finds there.
fn multipliers_so_far<R: Real>(
    system: &System<R>,
    sample: usize,
    at: &[Motion<R>],
    own: Advanced<'_, R>,
    carried: &[R],
) -> Vec<R> {
    match system.carried_rows() {
        0 => system.multipliers(sample, at, own, system.h * system.h.lift(0.5), &[]),
        _ => carried.to_vec(),
    }
}

macro_rules! registry {
    ($($module:ident :: $method:ident),* $(,)?) => {
        /// Any of the methods.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyMethod {
            $($method($module::$method),)*
            /// A method of the program around polhode.
            Own(Own),
        }

        /// The cards of polhode's own methods, those without a step that could be recorded last.
        pub const BUILT_IN: &[&Card] = &[$(&$module::$method::CARD,)* &bdf::CARD, &gear_nordsieck::CARD];

        impl AnyMethod {
            /// The method of this name with these settings; `None`: there is none of this name
            /// whose step can be recorded.
            pub fn new(name: &str, options: &Options) -> Option<AnyMethod> {
                $(if name == $module::$method::CARD.name {
                    return Some(AnyMethod::$method($module::$method::new(options)));
                })*
                own::method(name, options).map(AnyMethod::Own)
            }

            pub fn card(&self) -> &'static Card {
                match self {
                    $(AnyMethod::$method(_) => &$module::$method::CARD,)*
                    AnyMethod::Own(m) => m.card(),
                }
            }

            /// As [`Method::samples`].
            pub fn samples(&self) -> Vec<Sample> {
                match self {
                    $(AnyMethod::$method(m) => m.samples(),)*
                    AnyMethod::Own(m) => m.samples(),
                }
            }

            /// As [`Method::order`].
            pub fn order(&self) -> u32 {
                match self {
                    $(AnyMethod::$method(m) => m.order(),)*
                    AnyMethod::Own(m) => m.order(),
                }
            }

            /// As [`Method::carried`].
            pub fn carried(&self, shape: &Shape) -> Vec<String> {
                match self {
                    $(AnyMethod::$method(m) => m.carried(shape),)*
                    AnyMethod::Own(m) => m.carried(shape),
                }
            }

            /// As [`Method::lead`].
            pub fn lead(&self) -> Option<Lead> {
                match self {
                    $(AnyMethod::$method(m) => m.lead(),)*
                    AnyMethod::Own(m) => m.lead(),
                }
            }

            /// As [`Method::begin`].
            pub fn begin<R: Real>(&self, system: &System<R>, motions: &[Motion<R>]) -> Vec<R> {
                match self {
                    $(AnyMethod::$method(m) => m.begin(system, motions),)*
                    AnyMethod::Own(m) => m.begin(system, motions),
                }
            }

            /// As [`Method::resynchronised`].
            pub fn resynchronised<R: Real>(&self, system: &System<R>, state: &State<R>) -> Vec<R> {
                match self {
                    $(AnyMethod::$method(m) => m.resynchronised(system, state),)*
                    AnyMethod::Own(m) => m.resynchronised(system, state),
                }
            }

            /// As [`Method::own_steps`].
            pub fn own_steps(&self) -> Option<OwnSteps> {
                match self {
                    $(AnyMethod::$method(m) => m.own_steps(),)*
                    AnyMethod::Own(_) => None,
                }
            }

            /// As [`Method::iterates`].
            pub fn iterates(&self) -> bool {
                match self {
                    $(AnyMethod::$method(m) => m.iterates(),)*
                    AnyMethod::Own(_) => false,
                }
            }

            /// As [`Method::estimated`].
            pub fn estimated<R: Real>(
                &self,
                system: &System<R>,
                start: &[Motion<R>],
                size: &ErrorSize<'_, R>,
            ) -> (Vec<Motion<R>>, R) {
                match self {
                    $(AnyMethod::$method(m) => m.estimated(system, start, size),)*
                    AnyMethod::Own(m) => {
                        let state = State { motions: start.to_vec(), carried: Vec::new() };
                        (m.step(system, &state).motions, system.h.lift(0.0))
                    }
                }
            }

            /// As [`Method::step`].
            pub fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R> {
                match self {
                    $(AnyMethod::$method(m) => m.step(system, state),)*
                    AnyMethod::Own(m) => m.step(system, state),
                }
            }
        }
    };
}

/// The method of a study that names none.
pub const DEFAULT: &Card = of_role(MethodRole::Default);
/// The method that errors of others are measured by.
pub const ACCURATE: &Card = of_role(MethodRole::Accurate);
/// The method of few operations a step.
pub const PLAIN: &Card = of_role(MethodRole::Plain);
/// The method for stiff mechanisms.
pub const STIFF: &Card = of_role(MethodRole::Stiff);

/// The method of this part.
const fn of_role(role: MethodRole) -> &'static Card {
    let mut k = 0;
    while k < BUILT_IN.len() {
        if role.is_in(BUILT_IN[k].roles) {
            return BUILT_IN[k];
        }
        k += 1;
    }
    panic!("no card has this part")
}

/// Steps between two restarts of the half chain, where a study says nothing.
pub const RESYNCHRONISED: u64 = 200;

/// The cards of all methods: polhode's own, then those of the program around it. From the first
/// call on none is added.
pub fn cards() -> &'static [&'static Card] {
    own::all_cards()
}

/// The method that advances a plan: its step can be recorded or not.
#[derive(Clone, Debug, PartialEq)]
pub enum Advance {
    /// Step by step, each of the same operations: a backend's program is made of it.
    Recorded(AnyMethod),
    /// By steps that it chooses as it goes: there is no program.
    Adaptive(Adaptive),
}

impl Advance {
    /// The method of this name with these settings; `None`: there is none of this name.
    pub fn new(name: &str, options: &Options) -> Option<Advance> {
        let recorded = || AnyMethod::new(name, options).map(Advance::Recorded);
        Adaptive::new(name, options).map(Advance::Adaptive).or_else(recorded)
    }

    /// As [`Method::own_steps`].
    pub fn own_steps(&self) -> Option<OwnSteps> {
        match self {
            Advance::Recorded(method) => method.own_steps(),
            Advance::Adaptive(_) => None,
        }
    }

    /// As [`Method::iterates`].
    pub fn iterates(&self) -> bool {
        match self {
            Advance::Recorded(method) => method.iterates(),
            Advance::Adaptive(_) => false,
        }
    }

    /// Without a program.
    pub fn is_adaptive(&self) -> bool {
        self.adaptive().is_some()
    }

    /// The method that has no program; `None`: it has one.
    pub fn adaptive(&self) -> Option<&Adaptive> {
        match self {
            Advance::Recorded(_) => None,
            Advance::Adaptive(method) => Some(method),
        }
    }

    /// When loads are asked for; what chooses its steps looks at them itself.
    pub fn samples(&self) -> Vec<Sample> {
        match self {
            Advance::Recorded(method) => method.samples(),
            Advance::Adaptive(_) => vec![STEP],
        }
    }

    /// The method whose step can be recorded.
    ///
    /// # Panics
    /// It chooses its steps as it goes. Studies that need the program of a step refuse such a
    /// method by name.
    pub fn recorded(&self) -> &AnyMethod {
        match self {
            Advance::Recorded(method) => method,
            Advance::Adaptive(method) => {
                panic!("no step of the method {} can be recorded", method.formulas.card().name)
            }
        }
    }
}

/// The tolerances by which instances choose their own steps, by key, the one that errors follow
/// first; none: the method takes the step of the study.
pub fn tolerances(name: &str, options: &Options) -> Vec<(&'static str, f64)> {
    if let Some(Adaptive { relative, absolute, .. }) = Adaptive::new(name, options) {
        return vec![("relative", relative), ("absolute", absolute)];
    }
    let own = AnyMethod::new(name, options).and_then(|method| method.own_steps());
    own.map(|own| vec![(own_steps::KEY.name, own.tolerance)]).unwrap_or_default()
}

/// Whether iterations solve the steps of this method.
pub fn iterates(name: &str) -> bool {
    AnyMethod::new(name, &Options::default()).is_some_and(|method| method.iterates())
}

/// Whether instances choose their own steps by this method with these settings.
pub fn chooses_steps(name: &str, options: &Options) -> bool {
    !tolerances(name, options).is_empty()
}

/// The method of a study that names none.
impl Default for AnyMethod {
    fn default() -> Self {
        AnyMethod::Staggered(staggered::Staggered::new(&Options::default()))
    }
}

registry! {
    staggered::Staggered,
    midpoint::Midpoint,
    simo_wong::SimoWong,
    predictor_corrector::PredictorCorrector,
    staggered_conserving::StaggeredConserving,
    newmark_euler_parameters::NewmarkEulerParameters,
    newmark_rotation_vector::NewmarkRotationVector,
    trapezoidal::Trapezoidal,
    rk4::RungeKutta4,
    tsit5::Tsitouras5,
    dop853::DormandPrince8,
}
