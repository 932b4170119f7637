//! A fake embeddings endpoint on the loopback interface.

use super::http;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Connections that are answered before the server stops.
const MOST: usize = 32;

/// What the endpoint does with a request.
#[derive(Clone, Debug)]
pub enum Behaviour {
    /// One vector of two numbers for each text: how many letters it has, and one.
    Letters,
    /// The same vector for every text.
    Same,
    /// This status and body.
    Say(u16, String),
    /// A body of so many bytes.
    Flood(usize),
    /// Nothing for so long.
    Hang(Duration),
}

/// A running fake endpoint. It answers at most 32 requests and stops when it is dropped.
#[derive(Debug)]
pub struct EmbeddingServer {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
    left: Arc<AtomicUsize>,
}

impl EmbeddingServer {
    /// Starts an endpoint on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// When no port of the loopback interface can be had.
    #[must_use]
    pub fn start(behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of the loopback interface");
        let address = listener.local_addr().expect("the listener's address");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let left = Arc::new(AtomicUsize::new(MOST));
        let (noting, counting) = (Arc::clone(&seen), Arc::clone(&left));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let before = counting.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
                let (Ok(mut stream), Ok(_)) = (stream, before) else {
                    break;
                };
                let Ok(request) = http::read(&stream) else {
                    continue;
                };
                let body = String::from_utf8_lossy(&request.body).into_owned();
                noting
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(format!("{} {} {body}", request.method, request.path));
                let _ = answer(&mut stream, &behaviour, &body);
            }
        });
        Self { address, seen, left }
    }

    /// The base URL, as a policy names it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Method, path and body of every request so far.
    #[must_use]
    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for EmbeddingServer {
    fn drop(&mut self) {
        self.left.store(0, Ordering::SeqCst);
        // Wakes the listener, which then ends.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
    }
}

fn answer(stream: &mut TcpStream, behaviour: &Behaviour, body: &str) -> std::io::Result<()> {
    let vectors = |vector: &dyn Fn(&str) -> [f64; 2]| {
        let request: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
        let inputs = request["input"].as_array().cloned().unwrap_or_default();
        let mut data: Vec<_> = inputs
            .iter()
            .enumerate()
            .map(|(index, text)| {
                let vector = vector(text.as_str().unwrap_or_default());
                serde_json::json!({ "object": "embedding", "index": index, "embedding": vector })
            })
            .collect();
        // The order of the rows is not promised; the index tells.
        data.reverse();
        serde_json::json!({ "object": "list", "data": data, "model": request["model"] }).to_string()
    };
    let (status, text) = match behaviour {
        Behaviour::Letters => (200, vectors(&|t| [t.chars().count() as f64, 1.0])),
        Behaviour::Same => (200, vectors(&|_| [1.0, 0.5])),
        Behaviour::Say(status, text) => (*status, text.clone()),
        Behaviour::Flood(size) => (200, " ".repeat(*size)),
        Behaviour::Hang(time) => {
            thread::sleep(*time);
            (200, String::new())
        }
    };
    http::answer(stream, status, "application/json", text.as_bytes())
}
