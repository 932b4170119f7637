//! `tokenizer.json`: how a text becomes the numbers of its tokens. As much of the format as static models use.

use super::normal::{Normal, normal};
use super::split::{Split, split};
use super::vocabulary::Vocabulary;
use crate::Problem;
use serde::Deserialize;
use serde_json::value::RawValue;

/// A tokenizer.
#[derive(Debug)]
pub(super) struct Tokenizer {
    normal: Vec<Normal>,
    split: Vec<Split>,
    vocabulary: Vocabulary,
}

/// The file. The vocabulary is by far the largest part and is read straight into its own form.
#[derive(Deserialize)]
struct File<'a> {
    #[serde(default)]
    normalizer: serde_json::Value,
    #[serde(default)]
    pre_tokenizer: serde_json::Value,
    #[serde(borrow)]
    model: &'a RawValue,
}

impl Tokenizer {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Problem> {
        let file: File<'_> = serde_json::from_slice(bytes)
            .map_err(|e| Problem::new(format!("tokenizer.json is damaged: {e}")))?;
        Ok(Self {
            normal: normal(&file.normalizer)?,
            split: split(&file.pre_tokenizer)?,
            vocabulary: Vocabulary::read(file.model.get())?,
        })
    }

    /// The tokens of a text, at most so many. Unknown ones are left out where the vocabulary has a word for them.
    pub(super) fn tokens(&self, text: &str, most: usize) -> Vec<u32> {
        // A token has hardly more than a few letters; what comes later would not count.
        let end = text
            .char_indices()
            .nth(most * 16)
            .map_or(text.len(), |(at, _)| at);
        let mut plain = text.get(..end).unwrap_or_default().to_owned();
        for step in &self.normal {
            plain = step.apply(&plain);
        }
        let mut words = vec![plain];
        for step in &self.split {
            words = step.apply(words);
        }
        let mut out = Vec::new();
        for word in &words {
            self.vocabulary.tokens(word, &mut out);
            if out.len() >= most {
                break;
            }
        }
        out.truncate(most);
        out
    }
}
