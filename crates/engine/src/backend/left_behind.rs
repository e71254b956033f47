//! Work that changes nothing, and is left behind by whoever interrupts.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Does work that changes nothing on a thread of its own, and looks at `interrupted` meanwhile:
/// whoever interrupts (`None`) waits for none of it, which ends by itself, or at its own next look.
pub fn unless<T: Send + 'static>(
    interrupted: &AtomicBool,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> Option<T> {
    const LOOK: Duration = Duration::from_millis(20);
    let (sender, receiver) = channel();
    let ends = Arc::new(AtomicBool::new(false));
    let ends_too = Arc::clone(&ends);
    let waiting = Arc::new(Mutex::new(Some(work)));
    let taken = Arc::clone(&waiting);
    let take = |from: &Mutex<Option<_>>| from.lock().ok().and_then(|mut work| work.take());
    let begun = thread::Builder::new().spawn(move || {
        if let Some(work) = take(&taken) {
            // Nobody may listen any more.
            let _ = sender.send(catch_unwind(AssertUnwindSafe(|| work(&ends_too))));
        }
    });
    // A system without room for a thread has this one.
    if begun.is_err() {
        return take(&waiting).map(|work| work(interrupted));
    }
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(Ok(done)) => return Some(done),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) if interrupted.load(Ordering::Relaxed) => {
                ends.store(true, Ordering::Relaxed);
                return None;
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
