//! Keys of methods and of treatments, from their cards.

use std::sync::LazyLock;

use super::Presence::{Default, Optional};
use super::{FileKey, Form, MAX_STEPS, Section, key};
use polhode_description::base::units::Dimension::Time;
use polhode_description::base::{Card, Kind};
use polhode_description::treatments;
use polhode_dynamics::methods;

/// The method of a study that names none.
pub const DEFAULT_METHOD: &str = methods::DEFAULT.name;

/// The table of a method that is to be chosen.
pub fn open_method_section() -> &'static Section {
    &METHODS[0].1
}

/// The table of the method of this name; of an unknown one, what all methods have.
pub fn method_section(name: &str) -> &'static Section {
    METHODS.iter().find(|(of, _)| *of == name).map_or(&METHODS[0].1, |(_, section)| section)
}

/// As [`method_section`], without what says how long a step is and how many there are.
pub fn compared_method_section(name: &str) -> &'static Section {
    COMPARED_METHODS.iter().find(|(of, _)| *of == name).map_or(&COMPARED_METHODS[0].1, |(_, section)| section)
}

/// The tables of all methods, by name, without step and duration.
pub fn compared_method_sections() -> impl Iterator<Item = (&'static str, &'static Section)> {
    COMPARED_METHODS.iter().skip(1).map(|(name, section)| (*name, section))
}

/// The treatment of a study that names none.
pub const DEFAULT_TREATMENT: &str = treatments::DEFAULT.name;

/// The treatment of a study that names none where the method carries no multipliers, and in
/// `PROJECT_OF_SOLVERS` the number of steps after which it then projects unless it does so by
/// itself.
pub const DEFAULT_OF_SOLVERS: &str = treatments::EXACT.name;

pub const PROJECT_OF_SOLVERS: u64 = 20;

/// The table of the treatment of this name; of an unknown one, what all treatments have.
pub fn treatment_section(name: &str) -> &'static Section {
    TREATMENTS.iter().find(|(of, _)| *of == name).map_or(&TREATMENTS[0].1, |(_, section)| section)
}

/// The tables of all treatments, by name.
pub fn treatment_sections() -> impl Iterator<Item = (&'static str, &'static Section)> {
    TREATMENTS.iter().skip(1).map(|(name, section)| (*name, section))
}

/// The names of all treatments.
pub fn treatment_names() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> =
        LazyLock::new(|| treatments::CARDS.iter().map(|card| card.name).collect());
    &NAMES
}

/// The table of the keys that all treatments have, under no name, then the table of each.
pub(super) static TREATMENTS: LazyLock<Vec<(&'static str, Section)>> = LazyLock::new(|| {
    let name = || {
        key(
            "treatment",
            Form::Choice(treatment_names()),
            Default(quoted(DEFAULT_TREATMENT)),
            "How multipliers are found. With a method that carries none the default is \"exact\".",
        )
    };
    let project = || {
        key(
            "project",
            Form::Count { min: 0, max: MAX_STEPS },
            Default("0"),
            "Positions and velocities are projected on to the joints every so many steps, in place of the \
             method's `resynchronise`; 0: never. Of a study that gives no treatment to a method of fixed \
             steps that carries none: 20.",
        )
    };
    let common =
        Section { doc: "How the joints of the mechanism are held.", keys: vec![name(), project()].leak() };
    let of_card = |card: &&'static treatments::TreatmentCard| {
        let keys: Vec<FileKey> =
            [name(), project()].into_iter().chain(card.keys.iter().map(setting)).collect();
        (card.name, Section { doc: card.meaning, keys: keys.leak() })
    };
    std::iter::once(("", common)).chain(treatments::CARDS.iter().map(of_card)).collect()
});

/// The names of all methods.
pub fn method_names() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> =
        LazyLock::new(|| methods::cards().iter().map(|card| card.name).collect());
    &NAMES
}

/// The tables of all methods, by name.
pub fn method_sections() -> impl Iterator<Item = (&'static str, &'static Section)> {
    METHODS.iter().skip(1).map(|(name, section)| (*name, section))
}

/// The table of the keys that all methods have, under no name, then the table of each.
pub(super) static METHODS: LazyLock<Vec<(&'static str, Section)>> = LazyLock::new(|| {
    let common = "The method, chosen by measurement. Exactly one of `duration` and `steps` is given; \
                  `duration` where the step is chosen too.";
    methods_with(common, timed_method_keys)
});

pub(super) static COMPARED_METHODS: LazyLock<Vec<(&'static str, Section)>> =
    LazyLock::new(|| methods_with("The integration method.", || vec![method_name()]));

/// The tables of all methods, each with these keys first.
pub(super) fn methods_with(
    common: &'static str,
    first: impl Fn() -> Vec<FileKey>,
) -> Vec<(&'static str, Section)> {
    let of_card = |card: &&'static Card| {
        let mut keys = first();
        if card.resynchronises {
            keys.push(key(
                "resynchronise",
                Form::Count { min: 0, max: MAX_STEPS },
                Default("200"),
                "Every so many steps the half chain is restarted from the integer chain, which keeps long \
                 runs stable; 0: never.",
            ));
        }
        keys.extend(card.keys.iter().map(setting));
        (card.name, Section { doc: card.title, keys: keys.leak() })
    };
    let common = Section { doc: common, keys: first().leak() };
    std::iter::once(("", common)).chain(methods::cards().iter().map(of_card)).collect()
}

pub(super) fn method_name() -> FileKey {
    key(
        "name",
        Form::Choice(method_names()),
        Default(quoted(DEFAULT_METHOD)),
        "Integration method: `polhode methods` tells of each. Absent in [method]: chosen by measurement \
         (staggered in studies that compare methods, stability_map and convergence).",
    )
}

pub(super) fn timed_method_keys() -> Vec<FileKey> {
    vec![
        method_name(),
        key(
            "accuracy",
            Form::Either(&[&Form::Number, &Form::Choice(&["statistical"])]),
            Optional,
            "Largest error of observed columns that is allowed, as a share of each column's scale, \
             between 0 and 1; or \"statistical\": the bias of means is at most a tenth of their standard \
             error. What of `name` and `step` is absent is chosen by measurement. Absent: 1e-4, \
             where the method is to be chosen.",
        ),
        key(
            "step",
            Form::Positive(Time),
            Optional,
            "Full step h, positive. Absent: chosen for the accuracy, the first of `study.steps`, or where \
             the method chooses steps of its own the longest that ends at snapshots.",
        ),
        key(
            "duration",
            Form::Positive(Time),
            Optional,
            "Simulated time: a whole number of steps (within 1e-6 of a step), at most 2^32 - 1.",
        ),
        key(
            "steps",
            Form::Count { min: 1, max: MAX_STEPS },
            Optional,
            "Number of full steps, instead of `duration`.",
        ),
    ]
}

/// A name as the default of a key.
fn quoted(name: &str) -> &'static str {
    format!("{name:?}").leak()
}

/// The key of a method's setting.
pub(super) fn setting(setting: &'static methods::Key) -> FileKey {
    let (form, default) = match setting.kind {
        Kind::Choice(names) => (Form::Choice(names), format!("{:?}", names[0])),
        Kind::Count(min, max, default) => (Form::Count { min, max }, default.to_string()),
        Kind::Number(min, max, default) => (Form::Bounded { min, max }, format!("{default:?}")),
        Kind::Derived { min, max, formula, .. } => {
            let meaning = format!("{} Absent: {formula}.", setting.sentence());
            return key(setting.name, Form::Bounded { min, max }, Optional, meaning.leak());
        }
        Kind::Optional { min, max, absent } => {
            let meaning = format!("{} Absent: {absent}.", setting.sentence());
            return key(setting.name, Form::Bounded { min, max }, Optional, meaning.leak());
        }
        Kind::Flag => (Form::Flag, "false".to_string()),
    };
    key(setting.name, form, Default(default.leak()), setting.sentence().leak())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_a_registered_method_leave_the_common_keys_alone() {
        let mut common: Vec<&str> = timed_method_keys().iter().map(|key| key.name).collect();
        // It is there where the card says so.
        common.push("resynchronise");
        assert_eq!(common, methods::own::COMMON_KEYS);
    }
}
