//! An OpenAI-compatible embeddings endpoint: `POST {base}/embeddings` with `model` and `input`.

use crate::{Embedder, Problem};
use serde::Deserialize;
use std::fmt;
use std::time::Duration;

/// Largest answer that is read, in bytes.
const LARGEST_ANSWER: u64 = 16 << 20;
/// Most bytes of a server's complaint that are repeated.
const SHOWN: usize = 200;
/// Most dimensions of a vector.
const WIDEST: usize = 16_384;

/// How to reach the endpoint.
#[derive(Clone)]
pub struct Access {
    /// Base URL, such as `http://127.0.0.1:11434/v1`.
    pub url: String,
    /// The model's name at the server.
    pub model: String,
    /// The key, sent as a bearer token; none where the server asks for none.
    pub key: Option<String>,
    /// Time for the whole exchange.
    pub timeout: Duration,
}

/// The key is never shown.
impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access")
            .field("url", &self.url)
            .field("model", &self.model)
            .field("key", &self.key.as_ref().map(|_| "…"))
            .field("timeout", &self.timeout)
            .finish()
    }
}

/// Asks a server.
#[derive(Clone, Debug)]
pub struct Endpoint {
    access: Access,
    agent: ureq::Agent,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    index: Option<usize>,
    embedding: Vec<f32>,
}

impl Endpoint {
    /// An endpoint; nothing is sent yet.
    ///
    /// # Errors
    /// When the URL is none of a web server, or carries a user name or password.
    pub fn new(access: Access) -> Result<Self, Problem> {
        let rest = access
            .url
            .strip_prefix("https://")
            .or_else(|| access.url.strip_prefix("http://"));
        let host = rest.and_then(|r| r.split('/').next()).filter(|h| !h.is_empty());
        match host {
            None => {
                return Err(Problem::new(
                    "the endpoint's URL must begin with http:// or https://",
                ));
            }
            Some(host) if host.contains('@') => {
                return Err(Problem::new(
                    "the endpoint's URL must not hold a user name or password",
                ));
            }
            Some(_) => {}
        }
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(access.timeout))
            // A redirect would carry texts and key to a server that nobody named.
            .max_redirects(0)
            .http_status_as_error(false)
            .user_agent("proctor")
            .build()
            .into();
        Ok(Self { access, agent })
    }
}

impl Embedder for Endpoint {
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Problem> {
        let wrong = |why: String| Problem::new(format!("the embeddings endpoint {}: {why}", self.access.url));
        let url = format!("{}/embeddings", self.access.url.trim_end_matches('/'));
        let body =
            serde_json::json!({ "model": self.access.model, "input": texts, "encoding_format": "float" });
        let mut request = self.agent.post(&url).header("content-type", "application/json");
        if let Some(key) = &self.access.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        let mut answer = request
            .send(body.to_string())
            .map_err(|e| wrong(format!("cannot be reached: {e}")))?;
        let status = answer.status();
        let bytes = answer
            .body_mut()
            .with_config()
            .limit(LARGEST_ANSWER)
            .read_to_vec()
            .map_err(|e| wrong(format!("its answer cannot be read: {e}")))?;
        if !status.is_success() {
            let text: String = String::from_utf8_lossy(&bytes)
                .chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .take(SHOWN)
                .collect();
            return Err(wrong(format!("it says {status}: {}", text.trim())));
        }
        let answer: Answer = serde_json::from_slice(&bytes)
            .map_err(|e| wrong(format!("its answer is none of embeddings: {e}")))?;
        in_order(answer.data, texts.len()).map_err(wrong)
    }
}

/// The vectors in the order of the texts, all of one length.
fn in_order(rows: Vec<Row>, count: usize) -> Result<Vec<Vec<f32>>, String> {
    if rows.len() != count {
        return Err(format!("{} vectors came for {count} texts", rows.len()));
    }
    let width = rows.first().map_or(0, |r| r.embedding.len());
    let mut out = vec![Vec::new(); count];
    for (at, row) in rows.into_iter().enumerate() {
        let index = row.index.unwrap_or(at);
        if row.embedding.len() != width || width == 0 || width > WIDEST {
            return Err(format!(
                "vectors of {width} and {} numbers came",
                row.embedding.len()
            ));
        }
        match out.get_mut(index) {
            Some(slot) if slot.is_empty() => *slot = row.embedding,
            _ => return Err(format!("there is no place for a vector with index {index}")),
        }
    }
    Ok(out)
}
