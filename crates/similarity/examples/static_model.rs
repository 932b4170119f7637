//! Makes a small static model in model2vec's file format from texts, one per line, on standard input:
//!
//! ```sh
//! cargo run --release -p proctor-similarity --example static_model -- FOLDER < texts
//! ```
//!
//! Words that stand near each other get vectors that are alike: counts within a window, positive pointwise mutual
//! information, its strongest directions by orthogonal iteration, rare words weighing more. The same texts always
//! give the same bytes. A model from a few thousand sentences knows hardly more than these; it serves to try the
//! reader and to measure what so little text is worth.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a tool of the repository, not of the product"
)]
#![allow(clippy::allow_attributes, reason = "the lint set of the workspace")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{BufRead as _, Write as _};
use std::path::Path;

const WIDTH: usize = 64;
const WINDOW: usize = 5;
const ROUNDS: usize = 15;

fn main() {
    let folder = std::env::args().nth(1).expect("the folder to write to");
    let texts: Vec<Vec<String>> = std::io::stdin()
        .lock()
        .lines()
        .map(|line| words(&line.expect("UTF-8 text")))
        .collect();
    let pieces = vocabulary(&texts);
    let ids: BTreeMap<&str, usize> = pieces
        .iter()
        .enumerate()
        .map(|(id, p)| (p.as_str(), id))
        .collect();
    let texts: Vec<Vec<usize>> = texts
        .iter()
        .map(|words| words.iter().flat_map(|w| tokens(w, &ids)).collect())
        .collect();
    let rows = train(&texts, pieces.len());
    write(Path::new(&folder), &pieces, &rows);
}

fn words(line: &str) -> Vec<String> {
    let plain = proctor_prose::normalize(line);
    plain
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Words that occur twice, beginnings and ends of Korean words likewise, and every character.
fn vocabulary(texts: &[Vec<String>]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut letters = BTreeSet::new();
    for word in texts.iter().flatten() {
        *counts.entry(word.clone()).or_default() += 1;
        let chars: Vec<char> = word.chars().collect();
        if chars.iter().any(|c| !c.is_ascii()) {
            for cut in 1..chars.len().min(5) {
                *counts.entry(chars[..cut].iter().collect()).or_default() += 1;
                *counts
                    .entry(format!("##{}", chars[cut..].iter().collect::<String>()))
                    .or_default() += 1;
            }
        }
        for c in chars {
            letters.insert(c.to_string());
            letters.insert(format!("##{c}"));
        }
    }
    let mut out = vec!["[UNK]".to_owned()];
    let often = counts.into_iter().filter(|(_, n)| *n > 1).map(|(w, _)| w);
    out.extend(often.chain(letters).collect::<BTreeSet<_>>());
    out
}

/// The longest pieces from the left, as the reader cuts.
fn tokens(word: &str, ids: &BTreeMap<&str, usize>) -> Vec<usize> {
    let chars: Vec<char> = word.chars().collect();
    let mut out = Vec::new();
    let mut from = 0;
    while from < chars.len() {
        let found = (from + 1..=chars.len()).rev().find_map(|to| {
            let piece: String = chars[from..to].iter().collect();
            let key = if from == 0 { piece } else { format!("##{piece}") };
            ids.get(key.as_str()).map(|id| (*id, to))
        });
        let Some((id, to)) = found else { return Vec::new() };
        out.push(id);
        from = to;
    }
    out
}

fn train(texts: &[Vec<usize>], count: usize) -> Vec<[f64; WIDTH]> {
    let mut pairs: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    let mut often = vec![0.0_f64; count];
    for text in texts {
        for (at, a) in text.iter().enumerate() {
            often[*a] += 1.0;
            for b in text.iter().skip(at + 1).take(WINDOW) {
                *pairs.entry((*a, *b)).or_default() += 1.0;
                *pairs.entry((*b, *a)).or_default() += 1.0;
            }
        }
    }
    let total: f64 = pairs.values().sum();
    let mut sums = vec![0.0_f64; count];
    for ((a, _), n) in &pairs {
        sums[*a] += n;
    }
    let table: Vec<(usize, usize, f64)> = pairs
        .iter()
        .map(|((a, b), n)| (*a, *b, (n * total / (sums[*a] * sums[*b])).ln()))
        .filter(|(_, _, x)| *x > 0.0)
        .collect();
    // Orthogonal iteration from a fixed start.
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut rows: Vec<[f64; WIDTH]> = (0..count)
        .map(|_| {
            std::array::from_fn(|_| {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
            })
        })
        .collect();
    let mut lengths = [0.0_f64; WIDTH];
    for _ in 0..ROUNDS {
        let mut next = vec![[0.0_f64; WIDTH]; count];
        for (a, b, x) in &table {
            for d in 0..WIDTH {
                next[*a][d] += x * rows[*b][d];
            }
        }
        for d in 0..WIDTH {
            for e in 0..d {
                let dot: f64 = next.iter().map(|r| r[d] * r[e]).sum();
                next.iter_mut().for_each(|r| r[d] -= dot * r[e]);
            }
            lengths[d] = next.iter().map(|r| r[d] * r[d]).sum::<f64>().sqrt();
            let length = lengths[d].max(1e-12);
            next.iter_mut().for_each(|r| r[d] /= length);
        }
        rows = next;
    }
    let all: f64 = often.iter().sum();
    for (row, n) in rows.iter_mut().zip(&often) {
        let rare = 1e-3 / (1e-3 + n / all);
        for (x, length) in row.iter_mut().zip(&lengths) {
            *x *= length.sqrt() * rare;
        }
    }
    rows
}

fn write(folder: &Path, pieces: &[String], rows: &[[f64; WIDTH]]) {
    std::fs::create_dir_all(folder).expect("the folder can be made");
    let mut vocabulary = String::new();
    for (id, piece) in pieces.iter().enumerate() {
        let comma = if id == 0 { "" } else { "," };
        let _ = write!(
            vocabulary,
            "{comma}{}:{id}",
            serde_json::Value::from(piece.as_str())
        );
    }
    let tokenizer = format!(
        r###"{{"version":"1.0","normalizer":{{"type":"NFKC"}},"pre_tokenizer":{{"type":"Sequence","pretokenizers":[{{"type":"Whitespace"}},{{"type":"Punctuation"}}]}},"model":{{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":{{{vocabulary}}}}}}}"###
    )
    .replace(r#"{"type":"NFKC"}"#, r#"{"type":"Sequence","normalizers":[{"type":"NFKC"},{"type":"Lowercase"}]}"#);
    let size = rows.len() * WIDTH * 4;
    let header = format!(
        r#"{{"embeddings":{{"dtype":"F32","shape":[{},{WIDTH}],"data_offsets":[0,{size}]}}}}"#,
        rows.len()
    );
    std::fs::write(folder.join("tokenizer.json"), tokenizer).expect("tokenizer.json can be written");
    std::fs::write(
        folder.join("config.json"),
        r#"{"model_type":"model2vec","normalize":true}"#,
    )
    .expect("config.json can be written");
    let mut file =
        std::fs::File::create(folder.join("model.safetensors")).expect("model.safetensors can be written");
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.bytes());
    bytes.extend(rows.iter().flatten().flat_map(|x| (*x as f32).to_le_bytes()));
    file.write_all(&bytes).expect("model.safetensors can be written");
}
