//! Reads and writes what studies of kind `modes` set, and what all studies of steady states set alike.

use super::document::{Node, Table};
use super::keys::Presence::{Default, Optional};
use super::keys::{FileKey, Form, MAX_SIZE, Section, key, kind_key};
use super::read_kind::{Keyed, QuestionContext};
use super::write::{Writer, count, name, text};
use crate::base::units::Dimension;
use crate::describe::{EquilibriumSearch, Mechanism, Modes, Question, SteadyMotion};

/// Modes of an instance that can be asked for.
const MOST_MODES: u64 = 1000;
/// Shares of an instant within which a load may not jump: both sides of it enter what is observed.
const AT_A_JUMP: f64 = 1e-6;

static KEYS: Section = Section {
    doc: Modes::CARD.question,
    keys: &[
        kind_key(),
        rotation_key(),
        at_key(),
        search_key(),
        key(
            "count",
            Form::Count { min: 1, max: MOST_MODES },
            Default("12"),
            "Modes of each instance, from the slowest on; an instance that has fewer gives all.",
        ),
        key(
            "keep",
            Form::Count { min: 0, max: MAX_SIZE },
            Default("16"),
            "Number of instances (the first ones) whose mode shapes are written.",
        ),
    ],
};

/// The key that names the body whose rotation the whole mechanism has.
pub(super) const fn rotation_key() -> FileKey {
    key(
        "rotation",
        Form::Text,
        Optional,
        "A body: the whole mechanism turns steadily with the angular velocity that this body has at the start, and all that is found is \
         seen from axes that turn along. Absent: the mechanism is at rest.",
    )
}

/// The key of the instant.
pub(super) const fn at_key() -> FileKey {
    key(
        "at",
        Form::Quantity(Dimension::Time),
        Optional,
        "The instant at which loads and laws that depend on the time are taken. Absent: nothing depends on it.",
    )
}

/// The key that says which equilibrium is looked for.
pub(super) const fn search_key() -> FileKey {
    key(
        "search",
        Form::Choice(&["nearest", "stable"]),
        Default("\"nearest\""),
        "Which equilibrium is looked for. nearest: that to which Newton's method leads from the start, stable or not. stable: that to which \
         the mechanism creeps from its start.",
    )
}

const SEARCHES: [(&str, EquilibriumSearch); 2] =
    [("nearest", EquilibriumSearch::Nearest), ("stable", EquilibriumSearch::Stable)];

impl SteadyMotion {
    /// Reads both keys, and checks that the mechanism has a steady state to be looked for.
    pub(super) fn read(table: &Table<'_>, mechanism: Option<&Mechanism>) -> Option<SteadyMotion> {
        let rotation = match table.get("rotation") {
            Some(node) => Some(body(&node, mechanism)?),
            None => None,
        };
        let at = match table.get("at") {
            Some(node) => Some(node.not_negative(Dimension::Time)?),
            None => None,
        };
        let search = table.get("search").and_then(|node| node.choice(&SEARCHES))?;
        let about = SteadyMotion { rotation, at, search };
        match mechanism {
            Some(mechanism) => about.check(table, mechanism).then_some(about),
            None => Some(about),
        }
    }

    fn check(&self, table: &Table<'_>, mechanism: &Mechanism) -> bool {
        if let Some(lock) = mechanism.locks.first() {
            let found = format!("the lock `{}` catches in a motion, and there is none here", lock.name);
            table.report(&found, |problem| {
                problem.advise("take the lock away, or put a joint in its place to see the caught mechanism")
            });
            return false;
        }
        let Some(at) = self.at else {
            if let Some(what) = self.depends_on_time(mechanism) {
                let found =
                    format!("{what} depends on the time, and `at` does not say which instant is meant");
                table.report(&found, |problem| problem.advise("give e.g. at = \"0 s\""));
                return false;
            }
            return true;
        };
        let jumps = |load: &&crate::describe::Load| {
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
    fn depends_on_time(&self, mechanism: &Mechanism) -> Option<String> {
        let timed = |load: &&crate::describe::Load| {
            let functions = load.function.iter().flatten();
            load.is_timed() || functions.into_iter().any(|function| mechanism.depends_on_time(function))
        };
        if let Some(load) = mechanism.loads.iter().find(timed) {
            return Some(format!("the load `{}`", load.name));
        }
        let of_force = |force: &&crate::describe::Force| {
            force.functions.iter().any(|function| mechanism.depends_on_time(function))
        };
        if let Some(force) = mechanism.forces.iter().find(of_force) {
            return Some(format!("the {} `{}`", force.card.noun, force.name));
        }
        if let Some(state) = mechanism.states.iter().find(|state| mechanism.depends_on_time(&state.rate)) {
            return Some(format!("the state `{}`", state.name));
        }
        let driven = |generator: &&crate::describe::Generator| {
            generator.of_time().any(crate::describe::Expression::depends_on_argument)
        };
        let generator = mechanism.generators.iter().find(driven).filter(|_| self.rotation.is_none())?;
        Some(format!("the generator `{}`", generator.name))
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.key("search", text(name(&SEARCHES, self.search)));
        if let Some(rotation) = &self.rotation {
            out.key("rotation", text(rotation));
        }
        if let Some(at) = self.at {
            out.key("at", at);
        }
    }
}

/// The name of a body.
fn body(node: &Node<'_>, mechanism: Option<&Mechanism>) -> Option<String> {
    let name = node.text()?;
    let Some(mechanism) = mechanism else { return Some(name.to_string()) };
    let names = || mechanism.bodies.iter().map(|body| body.name.as_str());
    if names().any(|known| known == name) {
        return Some(name.to_string());
    }
    node.report(format!("{} is not a body", node.source()), |problem| problem.allow(name, names()));
    None
}

impl Keyed for Modes {
    fn keys() -> &'static Section {
        &KEYS
    }

    fn read(table: &Table<'_>, asked: &QuestionContext<'_>) -> Option<Modes> {
        let about = SteadyMotion::read(table, asked.mechanism);
        let count = table.get("count").and_then(|node| node.count(1, MOST_MODES));
        let keep = table.get("keep").and_then(|node| node.count(0, MAX_SIZE));
        Some(Modes { about: about?, count: count? as usize, keep: keep? })
    }

    fn write(&self, out: &mut Writer) {
        self.about.write(out);
        out.key("count", count(self.count as u64));
        out.key("keep", count(self.keep));
    }
}
