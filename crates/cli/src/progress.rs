//! The display of a run's progress on standard error: a bar with rate and time left on a terminal,
//! a plain line now and then elsewhere, nothing with `--quiet`.
//!
//! Before steps are taken, it says what is prepared. Rate and time left are those of the steps
//! alone: compiling a long kernel takes a minute, and says nothing of the days that are left.

use std::io::{IsTerminal, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use polhode::base::text::{cut, harmless};
use polhode::study::Listener;

/// Time between plain lines.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// Tells a person.
pub struct Progress {
    kind: Kind,
}

enum Kind {
    Quiet,
    Bar { bar: ProgressBar, prepares: AtomicBool },
    Plain(Mutex<PlainLines>),
}

/// The state that plain lines are made from.
struct PlainLines {
    /// The work under preparation, and when it began.
    prepared: Option<(String, Instant)>,
    pace: Pace,
}

/// The rate of the steps, from the first that were reported.
#[derive(Default)]
struct Pace {
    first: Option<(Instant, u64)>,
    /// When it was told last, or else that of the first steps.
    last: Option<Instant>,
}

impl Pace {
    /// Steps a second, and the time that is left, now and then; `None` until there is something to
    /// tell it by.
    fn at(&mut self, now: Instant, done: u64, total: u64) -> Option<(f64, Duration)> {
        let (since, before) = *self.first.get_or_insert((now, done));
        let last = self.last.get_or_insert(now);
        if done <= before || now.duration_since(*last) < PLAIN_EVERY {
            return None;
        }
        *last = now;
        let seconds = now.duration_since(since).as_secs_f64();
        let rate = (done - before) as f64 / seconds;
        let left = Duration::try_from_secs_f64(total.saturating_sub(done) as f64 / rate);
        Some((rate, left.unwrap_or(Duration::MAX)))
    }
}

impl Progress {
    pub fn new(quiet: bool) -> Progress {
        let kind = if quiet {
            Kind::Quiet
        } else if std::io::stderr().is_terminal() {
            Kind::Bar { bar: ProgressBar::new(1).with_style(running()), prepares: AtomicBool::new(false) }
        } else {
            let lines = PlainLines { prepared: None, pace: Pace::default() };
            Kind::Plain(Mutex::new(lines))
        };
        Progress { kind }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Kind::Bar { bar, .. } = &self.kind {
            bar.finish_and_clear();
        }
    }
}

/// A line on standard error, shortened to a readable length. A closed pipe (`2>&1 | head`) must not
/// end the run.
pub fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", harmless(&cut(line)));
}

/// Returns the style of the bar while steps are taken.
fn running() -> ProgressStyle {
    let rate = |state: &ProgressState, w: &mut dyn std::fmt::Write| {
        // A failed write to the terminal does not matter.
        let _ = write!(w, "{:.2e} instance-steps/s", state.per_sec());
    };
    let template = "{bar:30} {percent:>3} %  {rate}  {elapsed} gone, {eta} left";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("rate", rate)
}

/// Returns the style of the bar while something is prepared.
fn waiting() -> ProgressStyle {
    let style = ProgressStyle::with_template("{spinner} {msg}  {elapsed} gone");
    style.unwrap_or_else(|_| ProgressStyle::default_spinner())
}

impl Listener for Progress {
    fn say(&self, line: &str) {
        match &self.kind {
            Kind::Quiet => {}
            Kind::Bar { bar, .. } => bar.suspend(|| tell(line)),
            Kind::Plain(_) => tell(line),
        }
    }

    /// Warnings are printed with `--quiet` too.
    fn warn(&self, warning: &str) {
        let warning = format!("warning: {warning}");
        match &self.kind {
            Kind::Bar { bar, .. } => bar.suspend(|| tell(&warning)),
            Kind::Quiet | Kind::Plain(_) => tell(&warning),
        }
    }

    fn progress(&self, done: u64, total: u64) {
        match &self.kind {
            Kind::Quiet => {}
            Kind::Bar { bar, prepares } => {
                if prepares.swap(false, Ordering::Relaxed) {
                    bar.disable_steady_tick();
                    bar.set_style(running());
                    bar.reset_eta();
                }
                bar.set_length(total);
                bar.set_position(done);
            }
            Kind::Plain(lines) => {
                let Ok(mut lines) = lines.lock() else { return };
                let now = Instant::now();
                if let Some((what, since)) = lines.prepared.take()
                    && now.duration_since(since) >= PLAIN_EVERY
                {
                    tell(&format!("{what} took {}", HumanDuration(now.duration_since(since))));
                }
                let Some((rate, left)) = lines.pace.at(now, done, total) else { return };
                let percent = 100.0 * done as f64 / total as f64;
                tell(&format!("{percent:.0} %, {rate:.2e} instance-steps/s, {} left", HumanDuration(left)));
            }
        }
    }

    fn preparing(&self, what: &str) {
        match &self.kind {
            Kind::Quiet => {}
            Kind::Bar { bar, prepares } => {
                prepares.store(true, Ordering::Relaxed);
                bar.set_style(waiting());
                bar.set_message(what.to_string());
                bar.enable_steady_tick(Duration::from_millis(200));
            }
            Kind::Plain(lines) => {
                if let Ok(mut lines) = lines.lock() {
                    lines.prepared = Some((what.to_string(), Instant::now()));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_that_of_the_steps_alone() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        // The minute before the first report does not count.
        assert_eq!(pace.at(at(60), 100, 1000), None);
        assert_eq!(pace.at(at(61), 110, 1000), None, "it may be done at once");
        assert_eq!(pace.at(at(70), 100, 1000), None, "no step was taken");
        assert_eq!(pace.at(at(70), 200, 1000), Some((10.0, Duration::from_secs(80))));
        assert_eq!(pace.at(at(80), 1000, 1000), Some((45.0, Duration::ZERO)));
    }
}
