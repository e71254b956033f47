//! What may have led to the end of an instance.

use crate::base::Verdict;
use crate::describe::{BeamElement, Mechanism};

impl Verdict {
    /// What may have led to it in this mechanism, if that is not in its name.
    pub fn reason(self, mechanism: &Mechanism) -> Option<String> {
        if let Verdict::Condition(number) = self {
            let names = mechanism.verdict_names();
            let (name, end) = (names.of(self), mechanism.ends.get(usize::from(number))?);
            return Some(match end.name {
                Some(_) => format!("{name}: the condition of that name in `verdict` held"),
                None => format!("{name}: the condition `verdict.when` of the study held"),
            });
        }
        let bends = self == Verdict::NonFinite && !mechanism.beam_elements.is_empty();
        bends.then(|| {
            format!(
                "{}: numbers grew beyond bounds, or a beam element was turned by more than {:.0} degrees between its nodes",
                self.name(),
                BeamElement::LARGEST_TURN.to_degrees()
            )
        })
    }
}
