//! Possible causes of the end of an instance.

use crate::base::Verdict;
use crate::describe::{BeamElement, Expression, Mechanism};

impl Verdict {
    /// Returns the possible causes of the verdict in this mechanism, if they are not in its name.
    pub fn reason(self, mechanism: &Mechanism) -> Option<String> {
        if let Verdict::Condition(number) = self {
            let names = mechanism.verdict_names();
            let (name, end) = (names.of(self), mechanism.ends.get(usize::from(number))?);
            let when = if end.at_end { " at the end" } else { "" };
            return Some(match end.name {
                Some(_) => format!("{name}: the condition of that name in `verdict` held{when}"),
                None => format!("{name}: the condition `verdict.when` of the study held{when}"),
            });
        }
        if self != Verdict::NonFinite {
            return None;
        }
        let outcomes = mechanism.outcomes.iter().map(|outcome| &outcome.of);
        let acts = |function: &&(String, &Expression)| {
            !outcomes.clone().any(|outcome| std::ptr::eq(outcome, function.1))
        };
        let functions = mechanism.named_functions();
        let mut partial: Vec<&str> = Vec::new();
        for (owner, function) in functions.iter().filter(acts) {
            if function.is_partial() && !partial.contains(&owner.as_str()) {
                partial.push(owner);
            }
        }
        let left = (!partial.is_empty()).then(|| {
            format!("a root, logarithm, arc or power has no value for its argument in {}", partial.join(", "))
        });
        let turned = (!mechanism.beam_elements.is_empty()).then(|| {
            let most = BeamElement::LARGEST_TURN.to_degrees();
            format!("a beam element was turned by more than {most:.0} degrees between its nodes")
        });
        let others: Vec<String> = left.into_iter().chain(turned).collect();
        let name = self.name();
        (!others.is_empty())
            .then(|| format!("{name}: numbers grew beyond bounds, or {}", others.join(", or ")))
    }
}
