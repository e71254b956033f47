//! `[study] kind = "modes"`: how a mechanism vibrates about an equilibrium or in steady rotation;
//! and the keys of all studies of steady states.

use super::keyed::keyed;
use crate::declared::{Declared, Named, declare, named};
use crate::document::{Node, Table};
use crate::keys::{FileKey, KIND, MAX_SIZE};
use polhode_description::base::units::Dimension;
use polhode_description::describe::Question;
use polhode_description::describe::kind::KindCard;
use polhode_description::describe::{
    EquilibriumSearch, Expression, Force, Generator, Load, Mechanism, SteadyMotion,
};

/// The largest number of modes of an instance.
const MOST_MODES: u64 = 1000;
/// Shares of an instant within which a load may not jump: both sides of it enter what is observed.
const AT_A_JUMP: f64 = 1e-6;

/// Settings of a study of kind `modes`.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    pub about: SteadyMotion,
    /// Modes of each instance, from the slowest on.
    pub count: usize,
    /// Instances whose shapes are written, the first ones.
    pub keep: u64,
}

impl Modes {
    pub const CARD: KindCard = KindCard {
        name: "modes",
        question: "How the instances vibrate about an equilibrium or in steady rotation: frequencies, \
                   damping, shapes. Nothing is advanced in time.",
        ..KindCard::STEADY
    };
}

impl Question for Modes {
    fn card(&self) -> &'static KindCard {
        &Modes::CARD
    }

    fn steady(&self) -> Option<&SteadyMotion> {
        Some(&self.about)
    }

    fn summary(&self) -> Option<String> {
        let about = if self.about.rotation.is_some() {
            "a steady rotation"
        } else {
            "the equilibrium near the start"
        };
        Some(format!("the {} slowest modes about {about}", self.count))
    }
}

declare! { Modes, Modes::CARD.question, part: about;
    @KIND;
    @ROTATION;
    @AT;
    @SEARCH;
    count: Count { min: 1, max: MOST_MODES }, Default("12"),
        "Modes of each instance, from the slowest on; an instance that has fewer gives all.";
    keep: Count { min: 0, max: MAX_SIZE }, Default("16"),
        "Number of instances (the first ones) whose mode shapes are written.";
}

declare! { SteadyMotion, "The steady state that is looked for.";
    rotation: Text, Optional,
        "A body: the whole mechanism turns steadily with the angular velocity that this body has at the \
         start, and all that is found is seen from axes that turn along. Absent: the mechanism is at rest.";
    at: NotNegative(Dimension::Time), Optional,
        "The instant at which loads and laws that depend on the time are taken. Absent: nothing depends on \
         it.";
    search: Choice(EquilibriumSearch::NAMES), Default("\"nearest\""),
        "Which equilibrium is looked for. nearest: that to which Newton's method leads from the start, \
         stable or not. stable: that to which the mechanism creeps from its start.";
}

/// The keys of a steady state, which its kinds have too.
pub(super) const ROTATION: FileKey = SteadyMotion::SECTION.keys[0];
pub(super) const AT: FileKey = SteadyMotion::SECTION.keys[1];
pub(super) const SEARCH: FileKey = SteadyMotion::SECTION.keys[2];

named! {
    EquilibriumSearch { Nearest = "nearest", Stable = "stable" }
}

/// Whether the mechanism has a steady state to be looked for.
pub(super) fn checked(about: &SteadyMotion, table: &Table<'_>, mechanism: Option<&Mechanism>) -> Option<()> {
    let Some(mechanism) = mechanism else { return Some(()) };
    if let (Some(_), Some(node)) = (&about.rotation, table.get("rotation")) {
        body(&node, mechanism)?;
    }
    is_sought(about, table, mechanism).then_some(())
}

/// Whether the mechanism has a steady state; reports why it has none.
fn is_sought(about: &SteadyMotion, table: &Table<'_>, mechanism: &Mechanism) -> bool {
    if let Some(lock) = mechanism.locks.first() {
        let found = format!("the lock `{}` catches in a motion, and there is none here", lock.name);
        table.report(&found, |problem| {
            problem.advise("take the lock away, or put a joint in its place to see the caught mechanism")
        });
        return false;
    }
    let Some(at) = about.at else {
        if let Some(what) = depends_on_time(about, mechanism) {
            let found = format!("{what} depends on the time, and `at` does not say which instant is meant");
            table.report(&found, |problem| problem.advise("give e.g. at = \"0 s\""));
            return false;
        }
        return true;
    };
    let jumps = |load: &&Load| {
        let ends = load.pieces.iter().flat_map(|piece| [piece.from, piece.until]);
        // A load that begins with the run has begun at its start.
        ends.filter(|end| *end > 0.0).any(|end| (end - at).abs() <= AT_A_JUMP * at)
    };
    if let (Some(load), Some(node)) = (mechanism.loads.iter().find(jumps), table.get("at")) {
        node.report(format!("the load `{}` begins or ends at this instant", load.name), |problem| {
            problem.advise("give an instant before or after it")
        });
        return false;
    }
    true
}

/// Returns the name of an element that depends on the time. A generator may turn the whole: then no
/// instant differs from another.
fn depends_on_time(about: &SteadyMotion, mechanism: &Mechanism) -> Option<String> {
    let timed = |load: &&Load| {
        let functions = load.function.iter().flatten();
        load.is_timed() || functions.into_iter().any(|function| mechanism.depends_on_time(function))
    };
    if let Some(load) = mechanism.loads.iter().find(timed) {
        return Some(format!("the load `{}`", load.name));
    }
    let of_force =
        |force: &&Force| force.functions.iter().any(|function| mechanism.depends_on_time(function));
    if let Some(force) = mechanism.forces.iter().find(of_force) {
        return Some(format!("the {} `{}`", force.card.noun, force.name));
    }
    if let Some(state) = mechanism.states.iter().find(|state| mechanism.depends_on_time(&state.rate)) {
        return Some(format!("the state `{}`", state.name));
    }
    let driven = |generator: &&Generator| generator.of_time().any(Expression::depends_on_argument);
    let generator = mechanism.generators.iter().find(driven).filter(|_| about.rotation.is_none())?;
    Some(format!("the generator `{}`", generator.name))
}

/// Whether a body has this name.
fn body(node: &Node<'_>, mechanism: &Mechanism) -> Option<()> {
    let name = node.text()?;
    let names = || mechanism.bodies.iter().map(|body| body.name.as_str());
    if names().any(|known| known == name) {
        return Some(());
    }
    node.report(format!("{} is not a body", node.source()), |problem| problem.allow(name, names()));
    None
}

keyed!(Modes, |modes, table, context| checked(&modes.about, table, context.mechanism).map(|()| modes));
