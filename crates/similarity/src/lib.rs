//! How alike two texts are: embedders turn texts into vectors, and [`cosine`] compares them.
//!
//! [`Lexical`] is built in and needs nothing. [`StaticModel`] reads a folder with a static embedding model in the
//! file format of model2vec; [`Endpoint`] asks a server. Nothing is ever downloaded. All three are deterministic
//! for the same files and the same server.
//!
//! ```
//! use proctor_similarity::{Embedder, Lexical, cosine};
//!
//! let vectors = Lexical.embed(&["The build fails.", "the BUILD fails!", "p95 is 88 ms"]).unwrap();
//! assert!(cosine(&vectors[0], &vectors[1]) > 0.95);
//! assert!(cosine(&vectors[0], &vectors[2]) < 0.3);
//! ```

#[cfg(feature = "endpoint")]
mod endpoint;
mod lexical;
#[cfg(feature = "model")]
mod model;
#[cfg(test)]
mod tests;

#[cfg(feature = "endpoint")]
pub use endpoint::{Access, Endpoint};
pub use lexical::Lexical;
#[cfg(feature = "model")]
pub use model::StaticModel;

use std::fmt;

/// Turns texts into vectors.
pub trait Embedder {
    /// One vector for each text, all of the same length.
    ///
    /// # Errors
    /// When the texts could not be embedded: a broken model file, a server that does not answer.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Problem>;
}

/// Why texts could not be embedded: a lower-case fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem(String);

impl Problem {
    /// A problem in words.
    pub fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Problem {}

/// Cosine of the angle between two vectors, -1 to 1; 0 when one of them is empty, all zero or not finite.
#[must_use]
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let (mut dot, mut left, mut right) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (x, y) in a.iter().zip(b) {
        let (x, y) = (f64::from(*x), f64::from(*y));
        dot += x * y;
        left += x * x;
        right += y * y;
    }
    let cosine = dot / (left.sqrt() * right.sqrt());
    if cosine.is_finite() {
        cosine.clamp(-1.0, 1.0) as f32
    } else {
        0.0
    }
}

/// The lowest cosine between any two of the vectors; 1 for fewer than two.
#[must_use]
pub fn least_cosine(vectors: &[Vec<f32>]) -> f32 {
    let mut least = 1.0_f32;
    for (at, a) in vectors.iter().enumerate() {
        for b in vectors.iter().skip(at + 1) {
            least = least.min(cosine(a, b));
        }
    }
    least
}
