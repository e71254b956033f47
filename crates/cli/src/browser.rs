//! The browsers of the user's machine: that in which pages are opened, and Chromium as a tool that
//! draws.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::{FAILED, Failure};

/// Programs that are Chromium, tried in turn.
const CHROMIUM: [&str; 8] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
];
/// A browser that is interrupted ends within this time.
const LOOK: Duration = Duration::from_millis(50);

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum NoPage {
    #[error("no Chromium is found; install Chromium or Chrome, or name its program by the variable CHROME")]
    NoChromium,
    #[error("{program}: {error}")]
    Failed { program: String, error: io::Error },
    #[error("interrupted")]
    Interrupted,
}

/// Opens a page in the user's browser.
pub fn open(page: &Path) -> Result<(), Failure> {
    open::that_detached(page).map_err(|error| Failure {
        code: FAILED,
        message: format!("{}: no program opens it ({error}); open it in a browser", page.display()),
    })
}

/// The page as it is once its scripts have run. The page is ours and asks for nothing.
pub fn shown_page(page: &str, interrupted: &AtomicBool) -> Result<String, NoPage> {
    let named = std::env::var("CHROME").ok();
    for program in named.as_deref().into_iter().chain(CHROMIUM) {
        match show(program, page, interrupted) {
            Err(NoPage::Failed { error, .. })
                if error.kind() == io::ErrorKind::NotFound && named.as_deref() != Some(program) => {}
            done => return done,
        }
    }
    Err(NoPage::NoChromium)
}

fn show(program: &str, page: &str, interrupted: &AtomicBool) -> Result<String, NoPage> {
    let failed = |error: io::Error| NoPage::Failed { program: program.to_string(), error };
    let folder = tempfile::tempdir().map_err(failed)?;
    let file = folder.path().join("page.html");
    fs::write(&file, page).map_err(failed)?;
    // Whoever runs as root, as in a container, has no sandbox.
    let mut browser = Command::new(program)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"])
        .args(["--force-device-scale-factor=1", "--disable-background-networking", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path().display()))
        .arg(format!("file://{}", file.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let Some(mut output) = browser.stdout.take() else { return Ok(String::new()) };
    let read = thread::spawn(move || {
        let mut text = String::new();
        output.read_to_string(&mut text).map(|_| text)
    });
    while browser.try_wait().map_err(failed)?.is_none() {
        if interrupted.load(Ordering::Relaxed) {
            browser.kill().and_then(|()| browser.wait()).map_err(failed)?;
            return Err(NoPage::Interrupted);
        }
        thread::sleep(LOOK);
    }
    read.join().unwrap_or_else(|_| Err(io::Error::other("its output was lost"))).map_err(failed)
}
