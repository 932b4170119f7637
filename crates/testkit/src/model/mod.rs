//! A fake model: an HTTP server on the loopback interface that speaks as much of the Anthropic
//! Messages API as Claude Code 2.1.329 uses, answers from a script, and records what it received.
//!
//! The server ends by itself: after [`Limits::requests`] requests every further one is refused, and
//! after [`Limits::time`] it stops listening.

mod embeddings;
mod http;
mod script;
mod seen;
mod server;
mod wire;

pub use embeddings::{Behaviour, EmbeddingServer};
pub use script::{Call, Expect, Route, Script, Turn};
pub use seen::{Piece, Seen, Source};
pub use server::{Limits, ModelServer};
