//! How joints are held: one file for each way of finding their multipliers.
//!
//! With `M` the masses, `Q` forces and gyroscopic terms, `B` the constraint Jacobian, the force on the bodies is `-B^T lam`:
//!
//! ```text
//! M udot + B^T lam = Q ;   mu = B M^-1 B^T ;   r = B M^-1 Q + Bdot u
//! ```
//!
//! so that `mu lam = r` keeps the constraints' acceleration at zero.

pub mod baumgarte;
pub mod exact;
pub mod penalty;
pub mod staggered;
pub mod staggered_as_printed;

use crate::describe::Options;
use crate::methods::{Key, Kind};
use crate::real::Real;

/// What the joints demand at one instant.
pub struct Demand<R> {
    /// `mu = B M^-1 B^T`, its lower triangle by rows.
    pub coupling: Vec<Vec<R>>,
    /// `r = B M^-1 Q + Bdot u`
    pub acceleration: Vec<R>,
    /// `B u'` of the chain that is being advanced, where it stands.
    pub rate: Vec<R>,
    /// `Phi`
    pub violation: Vec<R>,
}

/// What is known of a treatment.
#[derive(Debug)]
pub struct TreatmentCard {
    /// As studies name it.
    pub name: &'static str,
    /// Report and equations.
    pub source: &'static str,
    pub meaning: &'static str,
    /// Its multipliers are integrated: only a method that carries them can use it.
    pub carries: bool,
    pub keys: &'static [Key],
}

/// A way of finding multipliers.
pub trait Treatment: Sized {
    const CARD: TreatmentCard;

    fn new(options: &Options) -> Self;

    /// The multipliers, from the demand and from those `tau` (s) earlier.
    fn multipliers<R: Real>(&self, demand: &Demand<R>, tau: R, previous: &[R]) -> Vec<R>;
}

const fn number(name: &'static str, min: f64, max: f64, default: f64, meaning: &'static str) -> Key {
    Key { name, kind: Kind::Number(min, max, default), meaning }
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
            pub fn multipliers<R: Real>(&self, demand: &Demand<R>, tau: R, previous: &[R]) -> Vec<R> {
                match self {
                    $(AnyTreatment::$treatment(t) => t.multipliers(demand, tau, previous),)*
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
}

/// The treatment of a study that names none.
impl Default for AnyTreatment {
    fn default() -> Self {
        AnyTreatment::StaggeredMultipliers(staggered::StaggeredMultipliers::new(&Options::default()))
    }
}
