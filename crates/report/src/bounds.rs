//! The bounds by which a study stops instances, in words.

use super::numbers::number;
use polhode_description::base::grouped;
use polhode_description::describe::{Study, Unexplained};

/// Returns the conditions that an instance must keep not to be stopped.
pub fn stable_means(study: &Study) -> String {
    told_bounds(study, "no end by ")
}

/// Returns the bounds of a study, and the conditions by which instances end.
pub fn bounds_of(study: &Study) -> String {
    told_bounds(study, "ends by: ")
}

fn told_bounds(study: &Study, before_conditions: &str) -> String {
    let mut bounds = Vec::new();
    let unexplained = match study.verdict.unexplained {
        Unexplained::Nothing => None,
        Unexplained::Gain => Some("gain of energy E − E0"),
        Unexplained::Change => Some("change of energy |E − E0|"),
    };
    if let Some(what) = unexplained {
        let share = number(Unexplained::SHARE);
        bounds.push(format!("{what} at most {share} of T0 + |V0| + T + Σ m g s, s the reach of the joints"));
    }
    for (name, bound) in [
        ("energy |E − E0| / (T0 + |V0|)", study.verdict.energy),
        ("constraints |Phi|", study.verdict.constraint),
        ("quaternion | |q| − 1 |", study.verdict.quaternion_norm),
    ] {
        if let Some(bound) = bound {
            bounds.push(format!("{name} at most {}", number(bound)));
        }
    }
    let conditions = study.mechanism.verdict_names();
    let named =
        conditions.all().filter(|verdict| verdict.is_condition()).map(|verdict| conditions.of(verdict));
    let named: Vec<&str> = named.collect();
    if !study.mechanism.ends.is_empty() {
        bounds.push(format!("{before_conditions}{}", named.join(" or ")));
    }
    bounds.push("all numbers finite".to_string());
    format!("{}, looked at every {} steps", bounds.join("; "), grouped(study.verdict.every))
}
