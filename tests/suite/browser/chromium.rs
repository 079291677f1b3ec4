//! A headless Chromium, driven over a pipe: no library, no port, no download.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Longest wait for an answer or a condition; only a broken browser or page takes that long.
const PATIENCE: Duration = Duration::from_mins(1);

/// One browser at a time: more of them only wait for each other.
static ONE: Mutex<()> = Mutex::new(());

/// A running browser.
pub(crate) struct Chromium {
    child: Child,
    to: RefCell<File>,
    from: Receiver<Value>,
    last: Cell<u64>,
    events: RefCell<Vec<Value>>,
    _profile: tempfile::TempDir,
    _one: MutexGuard<'static, ()>,
}

/// A tab of it.
pub(crate) struct Tab<'b> {
    browser: &'b Chromium,
    session: String,
    target: String,
}

/// The browser of this machine: `CHROME` names it, else the usual names are looked for.
pub(crate) fn binary() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROME") {
        return Some(named.into()).filter(|path: &PathBuf| path.is_file());
    }
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}

impl Chromium {
    /// Starts one. Tests that do are ignored without `has_chromium`.
    pub(crate) fn start() -> Self {
        let binary = binary().expect("Chromium went away since the build: `touch build.rs`");
        let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let profile = tempfile::tempdir().unwrap();
        let pipes = ["in", "out"].map(|name| profile.path().join(name));
        assert!(Command::new("mkfifo").args(&pipes).status().unwrap().success(), "mkfifo");
        // Chromium reads commands from descriptor 3 and writes answers to descriptor 4.
        let child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<in 4>out"])
            .arg(&binary)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"])
            .arg(format!("--user-data-dir={}", profile.path().join("profile").display()))
            .current_dir(profile.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let to = File::options().write(true).open(&pipes[0]).unwrap();
        let out = File::open(&pipes[1]).unwrap();
        let (sender, from) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(out).split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else { break };
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let (to, last, events) = (RefCell::new(to), Cell::new(0), RefCell::default());
        Self { child, to, from, last, events, _profile: profile, _one: one }
    }

    /// Next message, which also joins the events.
    fn receive(&self, what: &str) -> Value {
        let message = self.from.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{what}: browser gone: {error}"));
        if message.get("id").is_none() {
            self.events.borrow_mut().push(message.clone());
        }
        message
    }

    fn call(&self, session: Option<&str>, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.last.get() + 1;
        self.last.set(id);
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.borrow_mut().write_all(&bytes).unwrap();
        loop {
            let mut answer = self.receive(method);
            if answer["id"] == id {
                return if answer.get("error").is_some() {
                    Err(answer["error"].take())
                } else {
                    Ok(answer["result"].take())
                };
            }
        }
    }

    /// A new tab of a desktop's size.
    pub(crate) fn tab(&self) -> Tab<'_> {
        let call = |method: &str, params| self.call(None, method, params).unwrap();
        let context = call("Target.createBrowserContext", json!({}));
        let wanted = json!({"url": "about:blank", "browserContextId": context["browserContextId"]});
        let target = call("Target.createTarget", wanted)["targetId"].as_str().unwrap().to_owned();
        let attached = call("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        let tab = Tab { browser: self, session: attached["sessionId"].as_str().unwrap().to_owned(), target };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            tab.call(&format!("{domain}.enable"), json!({}));
        }
        tab.width(1280);
        tab
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Tab<'_> {
    fn call(&self, method: &str, params: Value) -> Value {
        let answer = self.browser.call(Some(&self.session), method, params);
        answer.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Goes to an address and waits until it has loaded.
    pub(crate) fn open(&self, url: &str) {
        let begin = self.browser.events.borrow().len();
        let answer = self.call("Page.navigate", json!({"url": url}));
        assert!(answer.get("errorText").is_none(), "{url}: {}", answer["errorText"]);
        if answer.get("loaderId").is_some() {
            self.loaded(begin);
        }
    }

    /// Loads the page again.
    pub(crate) fn reload(&self) {
        let begin = self.browser.events.borrow().len();
        self.call("Page.reload", json!({}));
        self.loaded(begin);
    }

    fn loaded(&self, begin: usize) {
        let mut seen = begin;
        loop {
            while let Some(event) = self.browser.events.borrow().get(seen) {
                if event["method"] == "Page.loadEventFired" && event["sessionId"] == *self.session {
                    return;
                }
                seen += 1;
            }
            self.browser.receive("load");
        }
    }

    /// Value of an expression.
    pub(crate) fn value(&self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.call("Runtime.evaluate", params);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].take()
    }

    pub(crate) fn text(&self, expression: &str) -> String {
        self.value(expression).as_str().unwrap_or_else(|| panic!("no text: {expression}")).to_owned()
    }

    pub(crate) fn number(&self, expression: &str) -> f64 {
        self.value(expression).as_f64().unwrap_or_else(|| panic!("no number: {expression}"))
    }

    pub(crate) fn holds(&self, expression: &str) -> bool {
        self.value(&format!("Boolean({expression})")) == true
    }

    /// Waits until an expression holds. While a page goes and another comes, nothing holds.
    pub(crate) fn until(&self, expression: &str) {
        let params = json!({"expression": format!("Boolean({expression})"), "returnByValue": true});
        let holds = || self.browser.call(Some(&self.session), "Runtime.evaluate", params.clone());
        let begin = Instant::now();
        while !holds().is_ok_and(|answer| answer["result"]["value"] == true) {
            assert!(begin.elapsed() < PATIENCE, "never true: {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Clicks the middle of an element with the mouse.
    pub(crate) fn click(&self, selector: &str) {
        let script = format!(
            "(() => {{ const e = document.querySelector({}); e.scrollIntoView({{block: 'center', behavior: 'instant'}}); \
             const r = e.getClientRects()[0]; return [r.x + r.width / 2, r.y + r.height / 2]; }})()",
            Value::from(selector)
        );
        let place = self.value(&script);
        for kind in ["mousePressed", "mouseReleased"] {
            let params = json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", params);
        }
    }

    /// Presses a key.
    pub(crate) fn key(&self, key: &str) {
        let (code, number, text) = match key {
            "Tab" => ("Tab", 9, ""),
            "Enter" => ("Enter", 13, "\r"),
            "/" => ("Slash", 191, "/"),
            _ => panic!("no such key: {key}"),
        };
        for kind in ["keyDown", "keyUp"] {
            let mut params = json!({"type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number});
            if kind == "keyDown" && !text.is_empty() {
                params["text"] = text.into();
            }
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    /// Types into a field.
    pub(crate) fn fill(&self, selector: &str, text: &str) {
        self.value(&format!(
            "(() => {{ const e = document.querySelector({}); e.focus(); e.select(); }})()",
            Value::from(selector)
        ));
        self.call("Input.insertText", json!({"text": text}));
    }

    pub(crate) fn width(&self, width: u32) {
        let size = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Medium (empty for the screen) and colour scheme.
    pub(crate) fn media(&self, medium: &str, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"media": medium, "features": features}));
    }

    pub(crate) fn without_scripts(&self) {
        self.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    }

    /// Everything this tab complained about: messages, exceptions, dialogs, failed and foreign requests.
    pub(crate) fn trouble(&self) -> Vec<String> {
        self.value("0");
        let events = self.browser.events.borrow();
        events.iter().filter(|event| event["sessionId"] == *self.session).filter_map(complaint).collect()
    }
}

impl Drop for Tab<'_> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = self.browser.call(None, "Target.closeTarget", json!({"targetId": self.target}));
        }
    }
}

fn complaint(event: &Value) -> Option<String> {
    let params = &event["params"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match event["method"].as_str()? {
        "Runtime.consoleAPICalled" => {
            matches!(params["type"].as_str(), Some("error" | "warning")).then(|| params["args"].to_string())
        }
        "Runtime.exceptionThrown" => Some(params["exceptionDetails"].to_string()),
        "Log.entryAdded" => matches!(params["entry"]["level"].as_str(), Some("error" | "warning"))
            .then(|| format!("{} {}", params["entry"]["text"], params["entry"]["url"])),
        "Page.javascriptDialogOpening" => Some("a dialog".to_owned()),
        "Network.loadingFailed" => (params["canceled"] != true).then(|| format!("failed: {}", params["errorText"])),
        "Network.responseReceived" => {
            let status = params["response"]["status"].as_u64().unwrap_or(0);
            (status >= 400).then(|| format!("{status} {}", params["response"]["url"]))
        }
        "Network.requestWillBeSent" => {
            let url = text(&params["request"]["url"]);
            let own = ["file:", "data:", "about:", "http://127.0.0.1:"].iter().any(|start| url.starts_with(start));
            (!own).then(|| format!("outside: {url}"))
        }
        _ => None,
    }
}
