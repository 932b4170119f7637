//! The server: threads, no async; one request per connection.

use super::http::{self, Request};
use super::script::{Script, Turn};
use super::seen::Seen;
use super::wire::{self, Message};
use serde_json::Value;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How much the server puts up with.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Model requests that are answered from the script; every further one is refused.
    pub requests: usize,
    /// The server stops listening after this time.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests: 60,
            time: Duration::from_secs(300),
        }
    }
}

/// A running fake model. It stops when it is dropped, or at its time limit.
#[derive(Debug)]
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// Number of this server in this process, so that ids differ when a session goes on with another one.
    series: usize,
    limits: Limits,
    state: Mutex<State>,
    stopped: AtomicBool,
    stop: Condvar,
}

#[derive(Debug)]
struct State {
    script: Script,
    /// Turns served so far: per route, and last the main conversation.
    served: Vec<usize>,
    seen: Vec<Seen>,
    failures: Vec<String>,
}

/// Servers started in this process.
static STARTED: AtomicUsize = AtomicUsize::new(0);

/// Ids that one server may use up; more than any server answers.
const SERIES: usize = 100_000;

impl ModelServer {
    /// Starts a server for `script` on a free port of 127.0.0.1, with the usual limits.
    ///
    /// # Panics
    /// When no port of the loopback interface can be had.
    #[must_use]
    pub fn start(script: Script) -> Self {
        Self::start_with(script, Limits::default())
    }

    /// As [`ModelServer::start`], with limits of the caller's choice.
    ///
    /// # Panics
    /// When no port of the loopback interface can be had.
    #[must_use]
    pub fn start_with(script: Script, limits: Limits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of the loopback interface");
        let address = listener.local_addr().expect("the listener's address");
        let served = vec![0; script.routes.len() + 1];
        let state = State {
            script,
            served,
            seen: Vec::new(),
            failures: Vec::new(),
        };
        let shared = Arc::new(Shared {
            limits,
            series: STARTED.fetch_add(1, Ordering::Relaxed),
            state: Mutex::new(state),
            stopped: AtomicBool::new(false),
            stop: Condvar::new(),
        });
        let listening = Arc::clone(&shared);
        thread::spawn(move || listening.listen(&listener));
        let watching = Arc::clone(&shared);
        thread::spawn(move || watching.watch(address));
        Self { address, shared }
    }

    /// What a client puts before `/v1/messages`.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every model request so far, in order of arrival.
    #[must_use]
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.state().seen.clone()
    }

    /// The requests of one conversation: `main`, or a route's name.
    #[must_use]
    pub fn seen_by(&self, route: &str) -> Vec<Seen> {
        self.seen().into_iter().filter(|s| s.route == route).collect()
    }

    /// What did not go by the script: unmet expectations, unscripted requests, turns never asked for.
    #[must_use]
    pub fn failures(&self) -> Vec<String> {
        let state = self.shared.state();
        let mut failures = state.failures.clone();
        let names = state
            .script
            .routes
            .iter()
            .map(|r| (r.name.as_str(), r.turns.len()));
        for ((name, scripted), served) in names
            .chain([("main", state.script.main.len())])
            .zip(&state.served)
        {
            if *served < scripted {
                failures.push(format!(
                    "{name}: only {served} of {scripted} scripted turns were asked for"
                ));
            }
        }
        failures
    }

    /// Ends the test unless everything went by the script.
    ///
    /// # Panics
    /// When [`ModelServer::failures`] has any; with everything that the model received.
    #[track_caller]
    pub fn assert_followed(&self) {
        let failures = self.failures();
        assert!(
            failures.is_empty(),
            "the script was not followed:\n- {}\n\n{}",
            failures.join("\n- "),
            self.story()
        );
    }

    /// What the model received, request by request, for failure messages.
    #[must_use]
    pub fn story(&self) -> String {
        self.seen()
            .iter()
            .map(Seen::to_string)
            .collect::<Vec<_>>()
            .join("\n")
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        let _guard = self.shared.state();
        self.shared.stop.notify_all();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the end (dropped, or time is up) and wakes the listener by a connection.
    fn watch(&self, address: SocketAddr) {
        let deadline = Instant::now() + self.limits.time;
        let mut guard = self.state();
        while !self.stopped.load(Ordering::SeqCst) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                guard.failures.push("the fake model's time was up".to_owned());
                self.stopped.store(true, Ordering::SeqCst);
                break;
            }
            guard = self
                .stop
                .wait_timeout(guard, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        drop(guard);
        drop(TcpStream::connect_timeout(&address, Duration::from_secs(1)));
    }

    fn listen(self: &Arc<Self>, listener: &TcpListener) {
        for stream in listener.incoming() {
            if self.stopped.load(Ordering::SeqCst) {
                return;
            }
            let Ok(stream) = stream else { continue };
            let shared = Arc::clone(self);
            thread::spawn(move || {
                if let Err(e) = shared.serve(stream) {
                    shared.state().failures.push(format!("a connection failed: {e}"));
                }
            });
        }
    }

    fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        // Clients open connections ahead and close them unused.
        if stream.peek(&mut [0]).unwrap_or(0) == 0 {
            return Ok(());
        }
        let request = http::read(&stream)?;
        match (request.method.as_str(), request.path.as_str()) {
            ("POST", "/v1/messages") => self.message(&mut stream, &request),
            ("POST", "/v1/messages/count_tokens") => {
                let tokens = serde_json::json!({"input_tokens": request.body.len() / 4});
                http::answer(
                    &mut stream,
                    200,
                    "application/json",
                    tokens.to_string().as_bytes(),
                )
            }
            ("HEAD", _) => http::answer(&mut stream, 200, "application/json", b""),
            (method, path) => {
                let text = format!("unexpected request {method} {path}");
                self.state().failures.push(text.clone());
                http::answer(
                    &mut stream,
                    404,
                    "application/json",
                    wire::error(&text).to_string().as_bytes(),
                )
            }
        }
    }

    fn message(&self, stream: &mut TcpStream, request: &Request) -> io::Result<()> {
        let body: Value = match serde_json::from_slice(&request.body) {
            Ok(body) => body,
            Err(e) => {
                let text = format!("a request that is not JSON: {e}");
                self.state().failures.push(text.clone());
                return http::answer(
                    stream,
                    400,
                    "application/json",
                    wire::error(&text).to_string().as_bytes(),
                );
            }
        };
        let streaming = body.get("stream").and_then(Value::as_bool).unwrap_or(false);
        let seen = Seen::read(body);
        let model = seen.model.clone();
        match self.state().next_turn(seen, self.limits.requests) {
            Err(text) => http::answer(
                stream,
                400,
                "application/json",
                wire::error(&text).to_string().as_bytes(),
            ),
            Ok((turn, number)) => {
                let message = Message::new(&turn, self.series * SERIES + number, &model, request.body.len());
                if streaming {
                    let events = message.stream();
                    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
                                cache-control: no-cache\r\nconnection: close\r\n\r\n";
                    stream.write_all(head.as_bytes())?;
                    stream.write_all(events.as_bytes())?;
                    stream.flush()
                } else {
                    http::answer(
                        stream,
                        200,
                        "application/json",
                        message.json().to_string().as_bytes(),
                    )
                }
            }
        }
    }
}

impl State {
    /// Records a request and picks the turn that answers it; `Err` is the text of a refusal.
    fn next_turn(&mut self, mut seen: Seen, limit: usize) -> Result<(Turn, usize), String> {
        seen.number = self.seen.len() + 1;
        let number = seen.number;
        let routes = &self.script.routes;
        let found = routes
            .iter()
            .position(|r| seen.first_user.contains(&r.mark) || seen.system.contains(&r.mark));
        let (turns, slot) = match found.and_then(|i| Some((routes.get(i)?, i))) {
            Some((route, slot)) => {
                seen.route.clone_from(&route.name);
                (&route.turns, slot)
            }
            None => {
                "main".clone_into(&mut seen.route);
                (&self.script.main, routes.len())
            }
        };
        let served = self.served.get_mut(slot).expect("a counter per conversation");
        let turn = turns.get(*served).filter(|_| number <= limit).cloned();
        let answer = match turn {
            Some(turn) => {
                seen.turn = Some(*served);
                *served += 1;
                for miss in turn.expect.iter().filter_map(|e| e.unmet(&seen)) {
                    self.failures
                        .push(format!("the model was expected {miss}; instead: {seen}"));
                }
                Ok((turn, number))
            }
            None => {
                let why = if number > limit {
                    "its limit of requests"
                } else {
                    "the end of its script"
                };
                let text = format!("the fake model is at {why}");
                self.failures.push(format!("{text}: {seen}"));
                Err(text)
            }
        };
        self.seen.push(seen);
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::io::Read;

    fn post(server: &ModelServer, path: &str, body: &Value) -> (u16, String) {
        let mut stream = TcpStream::connect(server.address).unwrap();
        let body = body.to_string();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn prompt(text: &str) -> Value {
        json!({"model": "m", "messages": [{"role": "user", "content": text}]})
    }

    #[test]
    fn turns_are_served_in_order_and_per_conversation() {
        let script = Script::new()
            .turn(Turn::say("one").after("do it"))
            .turn(Turn::say("two"))
            .route("worker", "SUBTASK", [Turn::say("from the worker")]);
        let server = ModelServer::start(script);
        let ask = |text| {
            let answer: Value =
                serde_json::from_str(&post(&server, "/v1/messages?beta=true", &prompt(text)).1).unwrap();
            answer["content"][0]["text"].as_str().unwrap().to_owned()
        };
        assert_eq!(ask("please do it"), "one");
        assert_eq!(ask("SUBTASK: look"), "from the worker");
        assert_eq!(ask("more"), "two");
        server.assert_followed();
        assert_eq!(server.seen_by("worker").len(), 1);
    }

    #[test]
    fn misses_the_end_of_the_script_and_unused_turns_are_failures() {
        let script =
            Script::new()
                .turn(Turn::say("one").after("magic"))
                .route("other", "XYZ", [Turn::say("x")]);
        let server = ModelServer::start(script);
        assert_eq!(post(&server, "/v1/messages", &prompt("a")).0, 200);
        let (status, text) = post(&server, "/v1/messages", &prompt("b"));
        assert_eq!(status, 400);
        assert!(text.contains("end of its script"), "{text}");
        assert_eq!(post(&server, "/v1/other", &json!({})).0, 404);
        let failures = server.failures().join("\n");
        for part in [
            "to receive \"magic\"",
            "end of its script",
            "POST /v1/other",
            "other: only 0 of 1",
        ] {
            assert!(failures.contains(part), "{part:?} is missing in {failures}");
        }
    }

    #[test]
    fn a_loop_of_requests_is_cut_off() {
        let turns = (0..10).fold(Script::new(), |s, _| s.turn(Turn::say("again")));
        let server = ModelServer::start_with(
            turns,
            Limits {
                requests: 2,
                time: Duration::from_secs(60),
            },
        );
        let codes: Vec<u16> = (0..3)
            .map(|_| post(&server, "/v1/messages", &prompt("x")).0)
            .collect();
        assert_eq!(codes, [200, 200, 400]);
    }

    #[test]
    fn the_server_ends_at_its_time_limit_and_when_dropped() {
        let server = ModelServer::start_with(
            Script::new(),
            Limits {
                requests: 1,
                time: Duration::from_millis(50),
            },
        );
        let gone = |address: SocketAddr| {
            (0..100).any(|_| {
                thread::sleep(Duration::from_millis(20));
                TcpStream::connect(address).is_err()
            })
        };
        assert!(gone(server.address));
        let server = ModelServer::start(Script::new());
        let address = server.address;
        assert!(TcpStream::connect(address).is_ok());
        drop(server);
        assert!(gone(address));
    }
}
