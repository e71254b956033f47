//! What a person sees of a run: a bar with rate and time left on a terminal, a plain line every so often when the
//! output goes elsewhere, nothing with `--quiet`. All of it on standard error.

use std::io::{IsTerminal, Write as _};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use crate::study::monte_carlo::Listener;

/// Time between plain lines.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// Tells a person.
pub struct Progress {
    kind: Kind,
}

enum Kind {
    Quiet,
    Bar(ProgressBar),
    Plain { started: Instant, last: Mutex<Instant> },
}

impl Progress {
    pub fn new(quiet: bool) -> Progress {
        let kind = if quiet {
            Kind::Quiet
        } else if std::io::stderr().is_terminal() {
            Kind::Bar(bar())
        } else {
            let now = Instant::now();
            Kind::Plain { started: now, last: Mutex::new(now) }
        };
        Progress { kind }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Kind::Bar(bar) = &self.kind {
            bar.finish_and_clear();
        }
    }
}

/// A line on standard error. Nobody may be reading any more (`2>&1 | head`): that must not end a run.
pub fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn bar() -> ProgressBar {
    let rate = |state: &ProgressState, w: &mut dyn std::fmt::Write| {
        // A failed write to the terminal is the terminal's matter.
        let _ = write!(w, "{:.2e} instance-steps/s", state.per_sec());
    };
    let template = "{bar:30} {percent:>3} %  {rate}  {elapsed} gone, {eta} left";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(1).with_style(style.with_key("rate", rate))
}

impl Listener for Progress {
    fn say(&self, line: &str) {
        match &self.kind {
            Kind::Quiet => {}
            Kind::Bar(bar) => bar.suspend(|| tell(line)),
            Kind::Plain { .. } => tell(line),
        }
    }

    fn progress(&self, done: u64, total: u64) {
        match &self.kind {
            Kind::Quiet => {}
            Kind::Bar(bar) => {
                bar.set_length(total);
                bar.set_position(done);
            }
            Kind::Plain { started, last } => {
                let Ok(mut last) = last.lock() else { return };
                if last.elapsed() < PLAIN_EVERY || done == 0 {
                    return;
                }
                *last = Instant::now();
                let seconds = started.elapsed().as_secs_f64();
                let rate = done as f64 / seconds;
                let left = Duration::from_secs_f64((total.saturating_sub(done)) as f64 / rate);
                let percent = 100.0 * done as f64 / total as f64;
                tell(&format!("{percent:.0} %, {rate:.2e} instance-steps/s, {} left", HumanDuration(left)));
            }
        }
    }
}
