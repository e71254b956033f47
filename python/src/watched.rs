//! Work of polhode on a thread of its own, while the calling one looks for signals and tells of
//! progress: the interpreter's lock is free meanwhile.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use polhode::Listener;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Time between two looks: a person does not notice it, and costs nothing.
const LOOK: Duration = Duration::from_millis(20);

/// News for the interpreter, kept until it looks.
#[derive(Default)]
struct News {
    done: AtomicU64,
    total: AtomicU64,
    lines: Mutex<Vec<(&'static str, String)>>,
}

impl News {
    fn tell(&self, kind: &'static str, line: &str) {
        if let Ok(mut lines) = self.lines.lock() {
            lines.push((kind, line.to_string()));
        }
    }
}

impl Listener for News {
    fn say(&self, line: &str) {
        self.tell("say", line);
    }

    fn warn(&self, warning: &str) {
        self.tell("warn", warning);
    }

    fn progress(&self, done: u64, total: u64) {
        self.total.store(total, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }

    fn preparing(&self, what: &str) {
        self.tell("preparing", what);
    }
}

/// The process whose threads work counts on; 0: nothing has been done yet.
static HOME: AtomicU32 = AtomicU32::new(0);

/// Does work without the interpreter's lock.
///
/// # Errors
/// This process is a copy, by `fork`, of one that has done work: it has none of the threads that
/// were begun there, and would wait for them for ever.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let here = std::process::id();
    match HOME.compare_exchange(0, here, Ordering::Relaxed, Ordering::Relaxed) {
        Err(home) if home != here => Err(PyRuntimeError::new_err(format!(
            "process {here} was forked from {home} after polhode had begun threads there, \
             and has none of them: begin workers anew, as by multiprocessing.get_context(\"spawn\")"
        ))),
        _ => Ok(py.detach(work)),
    }
}

/// Does work that tells nothing; a signal ends it early.
pub fn heeding<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let (done, raised) = watched(py, None, |_, interrupt| work(interrupt))?;
    raised.map_or(Ok(done), Err)
}

/// Does the work. `listener`: an object with `say`, `warn`, `preparing` (a text each) and
/// `progress` (done, total). A signal, or an exception of the listener, ends the work early, and
/// comes with what it has made.
pub fn watched<T: Send>(
    py: Python<'_>,
    listener: Option<&Py<PyAny>>,
    work: impl FnOnce(&dyn Listener, &AtomicBool) -> T + Send,
) -> PyResult<(T, Option<PyErr>)> {
    let (news, interrupt) = (News::default(), AtomicBool::new(false));
    let mut raised = None;
    let (mut told, mut last) = (Vec::new(), (0, 0));
    let mut look = |news: &News| {
        Python::attach(|py| {
            py.check_signals()?;
            let Some(listener) = listener.map(|listener| listener.bind(py)) else { return Ok(()) };
            if let Ok(mut lines) = news.lines.lock() {
                told.append(&mut lines);
            }
            for (kind, line) in told.drain(..) {
                listener.call_method1(kind, (line,))?;
            }
            let now = (news.done.load(Ordering::Relaxed), news.total.load(Ordering::Relaxed));
            if now != last && now.1 > 0 {
                last = now;
                listener.call_method1("progress", now)?;
            }
            Ok(())
        })
    };
    let done = detached(py, || {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            let (news, interrupt, raised) = (&news, &interrupt, &mut raised);
            let worker = scope.spawn(move || {
                // It is heard when this thread ends, by whatever way.
                let _sender = sender;
                work(news, interrupt)
            });
            loop {
                let ended: Result<(), _> = receiver.recv_timeout(LOOK);
                if let Err(error) = look(news) {
                    interrupt.store(true, Ordering::Relaxed);
                    raised.get_or_insert(error);
                }
                if ended != Err(RecvTimeoutError::Timeout) {
                    return worker.join();
                }
            }
        })
    })?;
    match done {
        Ok(done) => Ok((done, raised)),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
