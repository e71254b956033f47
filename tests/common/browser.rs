//! Chromium as a process that is asked over a pipe: the DevTools protocol, JSON messages that end
//! with a zero byte.
//!
//! A crate for this protocol took as long to build as polhode itself. `./test.sh` installs the
//! browser.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A browser with one page. It ends when it is dropped.
pub struct Browser {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// The page, as the protocol names it.
    session: String,
    number: u64,
    /// Events of the page since they were last taken.
    events: Vec<Value>,
    _profile: TempDir,
}

impl Browser {
    /// Starts the browser with these arguments beside those every test wants.
    pub fn start(arguments: &[&str]) -> Browser {
        let profile = tempfile::tempdir().expect("a folder for the browser");
        // The browser reads its questions from descriptor 3 and answers on 4. Tests may run as root
        // in a container: no sandbox.
        let mut child = Command::new("sh")
            .args(["-c", "exec chromium \"$@\" 3<&0 4>&1 >&2 2>/dev/null", "chromium"])
            .args(["--headless", "--remote-debugging-pipe", "--no-sandbox", "--hide-scrollbars"])
            .args(["--force-color-profile=srgb", "--no-first-run", "--disable-background-networking"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(arguments)
            .arg("about:blank")
            // Files that the browser leaves elsewhere go with the profile.
            .env("TMPDIR", profile.path())
            .env("XDG_RUNTIME_DIR", profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let questions = child.stdin.take().expect("a pipe");
        let answers = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut browser = Browser {
            child,
            questions,
            answers,
            session: String::new(),
            number: 0,
            events: Vec::new(),
            _profile: profile,
        };
        let page = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().expect("a session").to_string();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// The next message of the browser.
    fn message(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.answers.read_until(0, &mut bytes).expect("the browser's pipe");
        assert_eq!(bytes.pop(), Some(0), "chromium ended, or cannot be started; ./test.sh installs it");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    /// Calls a method of the protocol and returns its result; events that come before it are kept.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let mut question = json!({ "id": self.number, "method": method, "params": parameters });
        if !self.session.is_empty() {
            question["sessionId"] = self.session.clone().into();
        }
        let written = write!(self.questions, "{question}\0").and_then(|()| self.questions.flush());
        written.expect("chromium can be started; ./test.sh installs it");
        loop {
            let mut answer = self.message();
            if answer["id"] == self.number {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].take();
            }
            self.events.push(answer);
        }
    }

    /// Opens a file and waits until all of it is loaded.
    pub fn open(&mut self, page: &Path) {
        self.events.clear();
        let page = fs::canonicalize(page).expect("a page");
        let shown = self.call("Page.navigate", json!({ "url": format!("file://{}", page.display()) }));
        assert!(shown["errorText"].is_null(), "{shown}");
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.message();
            self.events.push(event);
        }
    }

    /// Gives the window this width (px), below 600 that of a telephone.
    pub fn resize(&mut self, width: u32) {
        let metrics = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Opens a file in a window of this width, "light" or "dark".
    pub fn open_as(&mut self, page: &Path, width: u32, scheme: &str) {
        self.resize(width);
        let scheme = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.call("Emulation.setEmulatedMedia", scheme);
        self.open(page);
    }

    /// The value of a JavaScript expression; a promise is waited for.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let question = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let mut answer = self.call("Runtime.evaluate", question);
        assert!(answer["exceptionDetails"].is_null(), "{}", answer["exceptionDetails"]);
        answer["result"]["value"].take()
    }

    /// Parameters of all events with this name since the page was opened.
    pub fn events(&self, method: &str) -> Vec<&Value> {
        self.events.iter().filter(|event| event["method"] == method).map(|event| &event["params"]).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A browser that has ended already is no fault of a test that is over.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
