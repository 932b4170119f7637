//! The built-in embedder: hashed words and letter groups. It knows nothing of meaning.

use crate::{Embedder, Problem};

/// Dimensions of a vector.
const WIDTH: usize = 1024;
/// Most characters of a text that are read.
const LONGEST: usize = 64 << 10;

/// Hashed words and groups of three letters, whatever case and form of writing. Needs no files and no memory
/// beyond the vectors.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lexical;

impl Embedder for Lexical {
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Problem> {
        Ok(texts.iter().map(|text| vector(text)).collect())
    }
}

fn vector(text: &str) -> Vec<f32> {
    let cut = text.char_indices().nth(LONGEST).map_or(text.len(), |(at, _)| at);
    let plain = proctor_prose::normalize(text.get(..cut).unwrap_or_default());
    let mut out = vec![0.0; WIDTH];
    let mut letters: Vec<char> = Vec::new();
    for word in plain
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
    {
        add(&mut out, word.bytes(), 1.0);
        letters.clear();
        letters.push(' ');
        letters.extend(word.chars());
        letters.push(' ');
        for group in letters.windows(3) {
            let mut buffer = [0; 4];
            let mut bytes = Vec::with_capacity(12);
            for c in group {
                bytes.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
            }
            add(&mut out, bytes.into_iter(), 1.0);
        }
    }
    // A word that is said often counts little more than one that is said once.
    for x in &mut out {
        *x = x.signum() * x.abs().ln_1p();
    }
    out
}

/// Adds a feature at the place that its hash names, with the sign that its hash names, so that features which
/// share a place do not add up.
fn add(out: &mut [f32], bytes: impl Iterator<Item = u8>, weight: f32) {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash ^= hash >> 29;
    let place = usize::try_from(hash % WIDTH as u64).unwrap_or_default();
    if let Some(slot) = out.get_mut(place) {
        *slot += if hash >> 63 == 0 { weight } else { -weight };
    }
}
