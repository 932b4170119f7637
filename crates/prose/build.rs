//! Turns the word lists of `lexicon/` into hash tables at build time, so that a process that lives a
//! millisecond has nothing to build and nothing to sort.
#![expect(
    clippy::panic,
    clippy::expect_used,
    reason = "a broken word list must stop the build"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::{env, fs, path::Path};

include!("src/hash.rs");

/// Entries of one table: the key, and the tag bits it carries.
type Table = BTreeMap<String, u64>;

fn main() {
    println!("cargo:rerun-if-changed=lexicon");
    println!("cargo:rerun-if-changed=src/hash.rs");
    println!("cargo:rerun-if-changed=model/acts.bin");
    println!("cargo:rerun-if-changed=build.rs");
    let tags = read_tags();
    let mut out = String::new();
    for (name, (bit, about)) in tags.iter() {
        let _ = writeln!(
            out,
            "/// {about}\npub const {}: Tags = Tags(1 << {bit});",
            name.to_uppercase()
        );
    }
    let mut english = Table::new();
    let mut english_phrases = Table::new();
    let mut korean = Table::new();
    let mut korean_exact = Table::new();
    let mut korean_phrases = Table::new();
    let mut korean_heads = BTreeSet::new();
    let mut files: Vec<_> = fs::read_dir("lexicon")
        .expect("lexicon folder")
        .map(|e| e.expect("entry").path())
        .collect();
    files.sort();
    for file in files {
        let stem = file
            .file_stem()
            .and_then(|s| s.to_str())
            .unwrap_or_default()
            .to_owned();
        if stem == "tags" || file.extension().is_none_or(|e| e != "txt") {
            continue;
        }
        let is_korean = stem.starts_with("korean");
        let text = fs::read_to_string(&file).expect("readable word list");
        let mut bits = 0u64;
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if let Some(names) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                bits = names
                    .split_whitespace()
                    .map(|n| {
                        1u64 << tags
                            .get(n)
                            .unwrap_or_else(|| panic!("{}: unknown tag {n}", file.display()))
                            .0
                    })
                    .fold(0, |a, b| a | b);
                continue;
            }
            for entry in line.split_whitespace() {
                let (exact, word) = entry.strip_prefix('=').map_or((false, entry), |w| (true, w));
                let (table, key) = match (is_korean, word.contains('_'), exact) {
                    (true, true, _) => (&mut korean_phrases, word.replace('_', "")),
                    (true, false, true) => (&mut korean_exact, word.to_owned()),
                    (true, false, false) => (&mut korean, word.to_owned()),
                    (false, true, _) => (&mut english_phrases, word.replace('_', " ")),
                    (false, false, _) => (&mut english, word.to_owned()),
                };
                *table.entry(key).or_default() |= bits;
                if is_korean && word.contains('_') {
                    let head = word.split('_').next().unwrap_or_default().to_owned();
                    // Longer heads are not looked for.
                    if head.chars().count() <= 6 {
                        korean_heads.insert(head);
                    }
                }
            }
        }
    }
    // The longest phrase of a head in words (below UNLISTED), and above it which hashes the second words have, as a rough
    // filter.
    let mut heads = Table::new();
    for phrase in english_phrases.keys() {
        let words: Vec<&str> = phrase.split(' ').collect();
        let (Some(head), Some(second)) = (words.first(), words.get(1)) else {
            continue;
        };
        let entry = heads.entry((*head).to_owned()).or_default();
        let longest = (*entry & 0xff).max(words.len() as u64);
        *entry = *entry & !0xff | longest | 1 << (8 + word_hash(second.as_bytes()) % 56);
    }
    let words = heads.keys().chain(english.keys()).cloned();
    let words = words.map(|word| {
        let listed = english.get(&word).copied();
        let head = heads.get(&word).copied().unwrap_or_default();
        let unlisted = if listed.is_none() { UNLISTED } else { 0 };
        (word, [listed.unwrap_or_default(), head | unlisted])
    });
    emit(&mut out, "ENGLISH", &words.collect());
    let alone = |table: &Table| table.iter().map(|(key, bits)| (key.clone(), [*bits, 0])).collect();
    emit(&mut out, "ENGLISH_PHRASES", &alone(&english_phrases));
    emit_tree(&mut out, [&korean, &korean_exact, &korean_phrases], &korean_heads);
    let dir = env::var("OUT_DIR").expect("OUT_DIR");
    fs::write(Path::new(&dir).join("lexicon.rs"), out).expect("writable OUT_DIR");
    let model = fs::read("model/acts.bin").expect("model/acts.bin");
    fs::write(Path::new(&dir).join("talk.bin"), talk(&model)).expect("writable OUT_DIR");
}

/// Columns of the two tables of the model, and of the second those that tell kinds of talk apart.
const COLUMNS: [usize; 2] = [8, 16];
const TALK: usize = 5;

/// The columns of talk as a table of their own: most processes need no others of the second table, and each page of it
/// that they touch costs more than the sums.
fn talk(model: &[u8]) -> Vec<u8> {
    let [first, second] = COLUMNS;
    // For each row of the second table the first has four.
    let rows = model.len() / (4 * first + second);
    let acts = model.get(rows * 4 * first..).unwrap_or_default();
    acts.chunks_exact(second)
        .flat_map(|row| row.iter().take(TALK))
        .copied()
        .collect()
}

/// `lexicon/tags.txt`: one tag per line, `name: what it means`. The bit is the line's number.
fn read_tags() -> BTreeMap<String, (usize, String)> {
    let text = fs::read_to_string("lexicon/tags.txt").expect("lexicon/tags.txt");
    let tags: BTreeMap<_, _> = text
        .lines()
        .filter_map(|l| l.split_once(": "))
        .enumerate()
        .map(|(bit, (name, about))| (name.to_owned(), (bit, about.to_owned())))
        .collect();
    assert!(tags.len() <= 64, "more tags than bits");
    tags
}

/// Writes a table with open addressing: the words in one text, entries that point into it, and slots that hold half
/// of a word's hash and the number of its entry, so that nearly every miss ends at the slot. No entry holds an
/// address: a program that is placed anywhere has nothing to correct at its start. Sets of tags, with what the word is
/// as a head of phrases, are written once and entries number them: a process that lives a millisecond pays for each
/// page that it touches.
fn emit(out: &mut String, name: &str, table: &BTreeMap<String, [u64; 2]>) {
    let size = (table.len() * 2 + 1).next_power_of_two();
    let mut slots = vec![0u32; size];
    let mut text = String::new();
    let mut sets: BTreeMap<[u64; 2], usize> = table.values().map(|bits| (*bits, 0)).collect();
    for (number, place) in sets.values_mut().enumerate() {
        *place = number;
    }
    let _ = writeln!(out, "static {name}_ENTRIES: [Entry; {}] = [", table.len());
    for (index, (key, bits)) in table.iter().enumerate() {
        let hash = word_hash(key.as_bytes());
        let mut slot = hash as usize & (size - 1);
        while slots[slot] != 0 {
            slot = (slot + 1) & (size - 1);
        }
        let number = u16::try_from(index + 1).expect("fewer than 65,535 words");
        slots[slot] = hash & 0xffff_0000 | u32::from(number);
        let at = text.len();
        let length = u8::try_from(key.len()).expect("a word of at most 255 bytes");
        let high = u8::try_from(at >> 16).expect("lists of at most 16 MiB");
        let (low, set) = (at & 0xffff, sets.get(bits).expect("all sets are numbered"));
        let set = u16::try_from(*set).expect("fewer than 65,536 sets");
        text.push_str(key);
        let _ = writeln!(
            out,
            "    Entry {{ set: {set}, low: {low}, high: {high}, length: {length} }},"
        );
    }
    let _ = writeln!(out, "];\nstatic {name}_SLOTS: [u32; {size}] = {slots:?};");
    let _ = writeln!(
        out,
        "static {name}_SETS: [[u64; 2]; {}] = {:?};",
        sets.len(),
        sets.keys().collect::<Vec<_>>()
    );
    let _ = writeln!(out, "static {name}_TEXT: &str = {text:?};");
    let _ = writeln!(
        out,
        "static {name}: Table = Table {{ text: {name}_TEXT, sets: &{name}_SETS, entries: &{name}_ENTRIES, slots: &{name}_SLOTS }};"
    );
}

/// Writes the tree of the Korean words: a node for each beginning of a listed stem, of a word that counts as a whole, and of
/// a phrase. A slot holds the node that it begins at, the syllable, the node that it leads to, and the number of what that
/// node says, sixteen bits each: a step takes one slot, and what is not in the tree ends at it.
fn emit_tree(out: &mut String, tables: [&Table; 3], heads: &BTreeSet<String>) {
    let mut nodes: BTreeMap<String, [u64; 4]> = BTreeMap::new();
    for (at, table) in tables.into_iter().enumerate() {
        for (word, bits) in table {
            let mut beginning = String::new();
            for c in word.chars() {
                beginning.push(c);
                nodes.entry(beginning.clone()).or_default();
            }
            let says = nodes.entry(word.clone()).or_default();
            says[at] = *bits;
            // What is there: no bits are another matter than no word.
            says[3] |= 1 << at;
        }
    }
    for head in heads {
        nodes.entry(head.clone()).or_default()[3] |= 1 << 3;
    }
    let mut says: BTreeMap<[u64; 4], usize> = nodes.values().map(|says| (*says, 0)).collect();
    for (number, place) in says.values_mut().enumerate() {
        *place = number;
    }
    let size = (nodes.len() * 2 + 1).next_power_of_two();
    let mut slots = vec![0u64; size];
    let mut numbers: BTreeMap<&str, u64> = BTreeMap::new();
    for (number, (word, said)) in nodes.iter().enumerate() {
        let number = number as u64 + 1;
        let last = word.chars().next_back().expect("no word is empty");
        let parent = word.strip_suffix(last).map_or(0, |rest| {
            if rest.is_empty() { 0 } else { numbers[rest] }
        });
        numbers.insert(word, number);
        let key = parent << 16 | u64::from(u32::from(last));
        let mut slot = tree_place(key as u32) & (size - 1);
        while slots[slot] != 0 {
            slot = (slot + 1) & (size - 1);
        }
        assert!(u32::from(last) < 1 << 16 && number < 1 << 16, "sixteen bits each");
        slots[slot] = key << 32 | number << 16 | says[said] as u64;
    }
    let _ = writeln!(out, "pub(super) static KOREAN_SLOTS: [u64; {size}] = {slots:?};");
    let _ = writeln!(out, "pub(super) static KOREAN_SAYS: [[u64; 4]; {}] = {:?};", says.len(), says.keys().collect::<Vec<_>>());
}
