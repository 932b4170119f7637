//! The vocabulary: from a word to its tokens, by the longest pieces (WordPiece), the likeliest pieces (Unigram) or
//! as a whole (WordLevel).

use crate::Problem;
use serde::Deserialize;
use std::collections::HashMap;

/// Longest piece of a word that is looked up, in characters.
const LONGEST_PIECE: usize = 64;
/// Longest stretch that is cut into its likeliest pieces at once, in characters.
const LONGEST_STRETCH: usize = 4_096;

/// A vocabulary.
#[derive(Debug)]
pub(super) enum Vocabulary {
    /// The longest piece that fits, from the left; pieces inside a word carry a prefix.
    Pieces {
        words: HashMap<String, u32>,
        inside: String,
        longest_word: usize,
    },
    /// The likeliest pieces.
    Likely {
        words: HashMap<String, (u32, f64)>,
        unknown: Option<u32>,
        /// What an unknown character costs.
        penalty: f64,
        longest: usize,
    },
    /// Whole words.
    Whole { words: HashMap<String, u32> },
}

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type", default)]
    kind: Option<String>,
}

#[derive(Deserialize)]
struct WordPiece {
    vocab: HashMap<String, u32>,
    #[serde(default)]
    unk_token: Option<String>,
    #[serde(default)]
    continuing_subword_prefix: Option<String>,
    #[serde(default)]
    max_input_chars_per_word: Option<usize>,
}

#[derive(Deserialize)]
struct Unigram {
    vocab: Vec<(String, f64)>,
    #[serde(default)]
    unk_id: Option<u32>,
}

impl Vocabulary {
    pub(super) fn read(json: &str) -> Result<Self, Problem> {
        let wrong = |e: serde_json::Error| Problem::new(format!("tokenizer.json: the model is damaged: {e}"));
        let kind: Kind = serde_json::from_str(json).map_err(wrong)?;
        match kind.kind.as_deref() {
            Some("WordPiece") | None => {
                let mut model: WordPiece = serde_json::from_str(json).map_err(wrong)?;
                // Unknown words say nothing; the models leave them out.
                if let Some(unknown) = model.unk_token {
                    model.vocab.remove(&unknown);
                }
                Ok(Self::Pieces {
                    words: model.vocab,
                    inside: model.continuing_subword_prefix.unwrap_or_else(|| "##".to_owned()),
                    longest_word: model.max_input_chars_per_word.unwrap_or(100).min(1_000),
                })
            }
            Some("Unigram") => {
                let model: Unigram = serde_json::from_str(json).map_err(wrong)?;
                let lowest = model.vocab.iter().map(|(_, s)| *s).fold(0.0_f64, f64::min);
                let longest = model
                    .vocab
                    .iter()
                    .map(|(w, _)| w.chars().count())
                    .max()
                    .unwrap_or(0);
                let words = model
                    .vocab
                    .into_iter()
                    .zip(0_u32..)
                    .map(|((word, score), id)| (word, (id, score)))
                    .collect();
                Ok(Self::Likely {
                    words,
                    unknown: model.unk_id,
                    penalty: lowest - 10.0,
                    longest: longest.min(LONGEST_PIECE),
                })
            }
            Some("WordLevel") => {
                let model: WordPiece = serde_json::from_str(json).map_err(wrong)?;
                Ok(Self::Whole { words: model.vocab })
            }
            Some(other) => Err(Problem::new(format!(
                "tokenizer.json: a vocabulary of type {other:?} is not read (WordPiece, Unigram and WordLevel are)"
            ))),
        }
    }

    /// Adds the tokens of a word.
    pub(super) fn tokens(&self, word: &str, out: &mut Vec<u32>) {
        match self {
            Self::Pieces {
                words,
                inside,
                longest_word,
            } => pieces(words, inside, *longest_word, word, out),
            Self::Likely {
                words,
                unknown,
                penalty,
                longest,
            } => {
                let chars: Vec<char> = word.chars().collect();
                for stretch in chars.chunks(LONGEST_STRETCH) {
                    likely(words, *unknown, *penalty, *longest, stretch, out);
                }
            }
            Self::Whole { words } => out.extend(words.get(word)),
        }
    }
}

fn pieces(words: &HashMap<String, u32>, inside: &str, longest_word: usize, word: &str, out: &mut Vec<u32>) {
    let ends: Vec<usize> = word
        .char_indices()
        .map(|(at, c)| at + c.len_utf8())
        .take(longest_word + 1)
        .collect();
    if ends.len() > longest_word {
        return;
    }
    let known = out.len();
    let (mut from, mut first) = (0, 0);
    let mut key = String::new();
    while first < ends.len() {
        let found = ends
            .iter()
            .enumerate()
            .skip(first)
            .rev()
            .find_map(|(index, end)| {
                key.clear();
                if from > 0 {
                    key.push_str(inside);
                }
                key.push_str(word.get(from..*end)?);
                words.get(&key).map(|id| (*id, index, *end))
            });
        let Some((id, index, end)) = found else {
            // One piece that is unknown makes the word unknown.
            out.truncate(known);
            return;
        };
        out.push(id);
        (from, first) = (end, index + 1);
    }
}

/// The way through the word with the best sum of scores.
fn likely(
    words: &HashMap<String, (u32, f64)>,
    unknown: Option<u32>,
    penalty: f64,
    longest: usize,
    chars: &[char],
    out: &mut Vec<u32>,
) {
    // For each place: the best score up to it, where its last piece begins, and that piece.
    let mut best: Vec<(f64, usize, Option<u32>)> = vec![(f64::NEG_INFINITY, 0, None); chars.len() + 1];
    if let Some(start) = best.first_mut() {
        start.0 = 0.0;
    }
    let mut key = String::new();
    for from in 0..chars.len() {
        let score = best.get(from).map_or(f64::NEG_INFINITY, |b| b.0);
        key.clear();
        let mut single = false;
        for (length, c) in (1..=longest.max(1)).zip(chars.iter().skip(from)) {
            key.push(*c);
            if let Some((id, own)) = words.get(&key) {
                single |= length == 1;
                relax(&mut best, from + length, (score + own, from, Some(*id)));
            }
        }
        if !single {
            relax(&mut best, from + 1, (score + penalty, from, None));
        }
    }
    let mut way = Vec::new();
    let mut at = chars.len();
    while at > 0 {
        let Some((_, from, id)) = best.get(at).copied() else {
            break;
        };
        way.push(id);
        at = from;
    }
    let mut gap = false;
    for id in way.into_iter().rev() {
        match id {
            Some(id) => out.push(id),
            // Unknown characters in a row are one unknown token.
            None if !gap => out.extend(unknown),
            None => {}
        }
        gap = id.is_none();
    }
}

fn relax(best: &mut [(f64, usize, Option<u32>)], at: usize, new: (f64, usize, Option<u32>)) {
    if let Some(old) = best.get_mut(at)
        && new.0 > old.0
    {
        *old = new;
    }
}
