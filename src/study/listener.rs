//! The listener of a run: who hears its messages and its progress.

/// Receives messages and progress while the run goes on.
pub trait Listener: Sync {
    /// Something worth a line.
    fn say(&self, line: &str);
    /// A doubt about the study, a sentence.
    fn warn(&self, warning: &str) {
        self.say(&format!("warning: {warning}"));
    }
    /// `done` of `total` instance-steps.
    fn progress(&self, done: u64, total: u64);
    /// At work on something before steps are taken: how long it takes says nothing of them.
    fn preparing(&self, what: &str) {
        let _ = what;
    }
}

/// A listener that keeps to itself.
pub struct Silent;

impl Listener for Silent {
    fn say(&self, _: &str) {}
    fn progress(&self, _: u64, _: u64) {}
}
