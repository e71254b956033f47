//! Names that mechanism files and their expressions can use.

use std::collections::BTreeSet;

/// Reserved words of expressions and mechanism files.
const TAKEN: [&str; 36] = [
    "t",
    "x",
    "pi",
    "ground",
    "gravity",
    "constants",
    "energy",
    "kinetic_energy",
    "potential_energy",
    "sin",
    "cos",
    "tan",
    "exp",
    "tanh",
    "sqrt",
    "abs",
    "min",
    "max",
    "log",
    "asin",
    "acos",
    "atan2",
    "sign",
    "step",
    "smoothstep",
    "clamp",
    "select",
    "norm",
    "dot",
    "cross",
    "rotate",
    "inverse",
    "tilt",
    "drawn",
    "final",
    "mechanism",
];

/// Longest name that is taken over whole.
const LONGEST: usize = 60;

/// The names that are given, and those that the source keeps.
pub(crate) struct Names {
    given: BTreeSet<String>,
    /// Names of the source that can be used as they are, until they are given.
    kept: BTreeSet<String>,
    /// Names of the source that could not be kept, and what they became.
    pub changed: Vec<[String; 2]>,
}

impl Names {
    /// With the names of a source: none that can be used as it is goes to anything else.
    pub fn of<'a>(source: impl Iterator<Item = &'a str>) -> Names {
        let can_be_used = |name: &&str| {
            let is_usable = |c: char| c.is_ascii_alphanumeric() || c == '_';
            name.len() <= LONGEST
                && name.chars().all(is_usable)
                && name.chars().any(|c| c != '_')
                && !name.starts_with(|c: char| c.is_ascii_digit())
                && !TAKEN.contains(name)
        };
        Names {
            given: TAKEN.iter().map(|name| name.to_string()).collect(),
            kept: source.filter(can_be_used).map(str::to_string).collect(),
            changed: Vec::new(),
        }
    }

    /// A name of the source as it is, if it can be and nothing before has it; else one like it.
    pub fn of_source(&mut self, wanted: &str, kind: &str) -> String {
        if let Some(name) = self.kept.take(wanted) {
            self.given.insert(name.clone());
            return name;
        }
        let name = self.fresh(wanted, kind);
        if !wanted.is_empty() {
            self.changed.push([wanted.to_string(), name.clone()]);
        }
        name
    }

    /// A name like this one that nothing has: with the kind of thing behind it, or a number. `kind`
    /// stands for a name that is empty.
    pub fn fresh(&mut self, wanted: &str, kind: &str) -> String {
        let usable = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut name: String = wanted.chars().take(LONGEST).map(usable).collect();
        if name.chars().all(|c| c == '_') {
            name = kind.to_string();
        }
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            name.insert(0, '_');
        }
        let with_kind = format!("{name}_{kind}");
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let candidates = [name.clone(), with_kind].into_iter().chain(numbered);
        let is_free = |candidate: &String| !self.given.contains(candidate) && !self.kept.contains(candidate);
        let fresh = candidates.into_iter().find(is_free).unwrap_or(name);
        self.given.insert(fresh.clone());
        fresh
    }
}
