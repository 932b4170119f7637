//! A static embedding model from a local folder, in the file format of model2vec: `model.safetensors` with one
//! vector for each token, and `tokenizer.json`. A text is the mean of its tokens' vectors.
//!
//! Written here rather than taken from a library, because a hook starts anew for each event: only the rows that
//! a text needs are read from the file, so a model of half a gigabyte costs no more than a small one, and
//! nothing is added to the binary but this reader.

mod normal;
mod split;
mod tensors;
mod tokenizer;
mod vocabulary;

use crate::{Embedder, Problem};
use serde::Deserialize;
use std::io::Read;
use std::path::Path;
use tensors::{Rows, Tensors};
use tokenizer::Tokenizer;

/// Most tokens of one text that count.
const MOST_TOKENS: usize = 512;
/// Largest `tokenizer.json` and `config.json`, in bytes.
const LARGEST_JSON: u64 = 96 << 20;
/// Most dimensions of a vector.
const WIDEST: usize = 8_192;

/// A static embedding model.
#[derive(Debug)]
pub struct StaticModel {
    tokenizer: Tokenizer,
    rows: Rows,
    /// A factor for each token, in models with a vocabulary that shares rows.
    weights: Option<Vec<f32>>,
    /// The row of each token, likewise.
    mapping: Option<Vec<u32>>,
    normalize: bool,
}

#[derive(Deserialize)]
struct Config {
    #[serde(default = "yes")]
    normalize: bool,
}

fn yes() -> bool {
    true
}

impl StaticModel {
    /// Opens the model in a folder. Vectors stay in their file until a text needs them.
    ///
    /// # Errors
    /// When a file is missing, damaged, or of a form that is not read.
    pub fn open(folder: &Path) -> Result<Self, Problem> {
        let (files, config) = find(folder)?;
        let tokenizer = Tokenizer::read(&bounded(&files.join("tokenizer.json"))?)?;
        let tensors = Tensors::open(&files.join("model.safetensors"))?;
        let rows = ["embeddings", "0", "embedding.weight"]
            .iter()
            .find_map(|name| tensors.rows(name).transpose())
            .unwrap_or_else(|| Err(Problem::new("model.safetensors has no tensor \"embeddings\"")))?;
        if rows.width == 0 || rows.width > WIDEST || rows.count == 0 {
            return Err(Problem::new(format!(
                "the embeddings are {} by {}; 1 to {WIDEST} dimensions are read",
                rows.count, rows.width
            )));
        }
        let weights = tensors.floats("weights")?;
        let mapping = tensors.whole("mapping")?;
        let normalize = match &config {
            Some(path) => {
                serde_json::from_slice::<Config>(&bounded(path)?)
                    .map_err(|e| Problem::new(format!("{} is no configuration: {e}", path.display())))?
                    .normalize
            }
            None => true,
        };
        Ok(Self {
            tokenizer,
            rows,
            weights,
            mapping,
            normalize,
        })
    }

    fn vector(&self, text: &str) -> Result<Vec<f32>, Problem> {
        let mut sum = vec![0.0_f32; self.rows.width];
        let mut row = vec![0.0_f32; self.rows.width];
        let mut count = 0.0_f32;
        for token in self.tokenizer.tokens(text, MOST_TOKENS) {
            let index = token as usize;
            let at = match &self.mapping {
                Some(mapping) => mapping.get(index).copied().unwrap_or(token),
                None => token,
            };
            let weight = self
                .weights
                .as_ref()
                .and_then(|w| w.get(index))
                .copied()
                .unwrap_or(1.0);
            self.rows.read(at as usize, &mut row)?;
            for (total, x) in sum.iter_mut().zip(&row) {
                *total += x * weight;
            }
            count += 1.0;
        }
        let mut scale = count.max(1.0);
        if self.normalize {
            let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
            scale = if length > 0.0 { length } else { 1.0 };
        }
        sum.iter_mut().for_each(|x| *x /= scale);
        if sum.iter().any(|x| !x.is_finite()) {
            return Err(Problem::new("the model holds values that are no numbers"));
        }
        Ok(sum)
    }
}

impl Embedder for StaticModel {
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Problem> {
        texts.iter().map(|text| self.vector(text)).collect()
    }
}

/// Where the files lie: in the folder itself, or in `0_StaticEmbedding` of a sentence-transformers model.
fn find(folder: &Path) -> Result<(std::path::PathBuf, Option<std::path::PathBuf>), Problem> {
    let inner = folder.join("0_StaticEmbedding");
    let files = [folder.to_owned(), inner]
        .into_iter()
        .find(|f| f.join("model.safetensors").is_file() && f.join("tokenizer.json").is_file())
        .ok_or_else(|| {
            Problem::new(format!(
                "there is no model in {}: model.safetensors and tokenizer.json are needed",
                folder.display()
            ))
        })?;
    let config = ["config.json", "config_sentence_transformers.json"]
        .iter()
        .map(|name| folder.join(name))
        .find(|path| path.is_file());
    Ok((files, config))
}

/// The length of a regular file. Anything else is refused before it is opened: a pipe would be waited for.
fn length(path: &Path) -> Result<u64, String> {
    let meta = std::fs::metadata(path).map_err(|e| e.to_string())?;
    if !meta.is_file() {
        return Err("it is no regular file".to_owned());
    }
    Ok(meta.len())
}

/// A file that must not be larger than what is sensible. Only regular files are opened.
fn bounded(path: &Path) -> Result<Vec<u8>, Problem> {
    let wrong = |why: String| Problem::new(format!("{} cannot be read: {why}", path.display()));
    let length = length(path).map_err(wrong)?;
    if length > LARGEST_JSON {
        return Err(wrong(format!("it has {length} bytes, more than {LARGEST_JSON}")));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|f| f.take(LARGEST_JSON).read_to_end(&mut bytes))
        .map_err(|e| wrong(e.to_string()))?;
    Ok(bytes)
}
