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

/// The names that are given.
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    pub fn new() -> Names {
        Names(TAKEN.iter().map(|name| name.to_string()).collect())
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
        let fresh = candidates.into_iter().find(|candidate| !self.0.contains(candidate)).unwrap_or(name);
        self.0.insert(fresh.clone());
        fresh
    }
}
