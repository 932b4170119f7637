//! Lays the vocabulary of `lexicon/work.txt` out as sorted tables, so that a process that lives a millisecond
//! has nothing to build.
#![expect(
    clippy::panic,
    clippy::expect_used,
    reason = "a broken word list must stop the build"
)]

#[path = "src/drift/stem.rs"]
#[expect(dead_code, reason = "the build needs the English half only")]
mod stem;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::{env, fs, path::Path};

/// The kinds of lines, in the order of `Kind` in `src/drift/words.rs`.
const KINDS: [&str; 11] = [
    "filler", "act", "thing", "good", "bad", "done", "wait", "missing", "found", "more", "weak",
];

fn main() {
    println!("cargo:rerun-if-changed=lexicon");
    println!("cargo:rerun-if-changed=src/drift/stem.rs");
    println!("cargo:rerun-if-changed=build.rs");
    let text = fs::read_to_string("lexicon/work.txt").expect("lexicon/work.txt");
    let mut exact: BTreeMap<String, (u16, u8)> = BTreeMap::new();
    let mut stems: BTreeMap<String, (u16, u8)> = BTreeMap::new();
    let mut korean: BTreeMap<String, (u16, u8)> = BTreeMap::new();
    let mut names = Vec::new();
    let lines = text
        .lines()
        .filter(|l| !l.trim().is_empty() && !l.starts_with('#'));
    for line in lines {
        let (head, words) = line.split_once(':').unwrap_or_else(|| panic!("no colon: {line}"));
        let (kind, name) = head.split_once(' ').unwrap_or_else(|| panic!("no name: {line}"));
        let kind = KINDS
            .iter()
            .position(|k| *k == kind || kind == "less" && *k == "more")
            .unwrap_or_else(|| panic!("unknown kind {kind}")) as u8;
        let class = names.len() as u16;
        names.push(name.to_owned());
        let (english, hangul) = words.split_once('|').unwrap_or((words, ""));
        for word in english.split_whitespace() {
            let (only, word) = word.strip_prefix('=').map_or((false, word), |w| (true, w));
            let word = word.replace('_', " ");
            put(&mut exact, &word, (class, kind), only);
            if !only && !word.contains(' ') {
                // Where two words have one stem, the first stands for both.
                stems
                    .entry(stem::english(&word).to_owned())
                    .or_insert((class, kind));
            }
        }
        for word in hangul.split_whitespace() {
            put(&mut korean, &word.replace('_', ""), (class, kind), true);
        }
    }
    let mut out = String::new();
    // The first words of phrases, so that most words are passed over at once.
    let heads = exact
        .keys()
        .filter_map(|k| k.split_once(' '))
        .map(|(head, _)| (head.to_owned(), (0, 0)))
        .collect();
    emit(&mut out, "HEADS", &heads);
    emit(&mut out, "EXACT", &exact);
    emit(&mut out, "STEMS", &stems);
    emit(&mut out, "KOREAN", &korean);
    // The classes that rules speak of.
    let _ = writeln!(out, "pub(super) mod class {{");
    for name in ["again", "try", "wait", "look", "run"] {
        let id = names
            .iter()
            .position(|n| n == name)
            .unwrap_or_else(|| panic!("no class {name}"));
        let _ = writeln!(
            out,
            "    pub(in crate::drift) const {}: u16 = {id};",
            name.to_uppercase()
        );
    }
    let _ = writeln!(out, "}}");
    let dir = env::var("OUT_DIR").expect("OUT_DIR");
    fs::write(Path::new(&dir).join("work.rs"), out).expect("writable OUT_DIR");
}

/// Lists a word once. A form that is listed for itself stands over the same form of another word.
fn put(table: &mut BTreeMap<String, (u16, u8)>, word: &str, value: (u16, u8), must: bool) {
    if let Some(old) = table.insert(word.to_owned(), value) {
        assert!(old.0 == value.0 || !must, "{word} is listed twice");
        table.insert(word.to_owned(), old);
    }
}

/// Writes a table with open addressing: entries, and slots that point at them.
fn emit(out: &mut String, name: &str, table: &BTreeMap<String, (u16, u8)>) {
    let size = (table.len() * 3).next_power_of_two();
    let mut slots = vec![0_u16; size];
    let _ = writeln!(
        out,
        "static {name}_ENTRIES: [(&str, u16, u8); {}] = [",
        table.len()
    );
    for (index, (word, (class, kind))) in table.iter().enumerate() {
        let mut slot = stem::hash(word.as_bytes()) as usize & (size - 1);
        while slots[slot] != 0 {
            slot = (slot + 1) & (size - 1);
        }
        slots[slot] = u16::try_from(index + 1).expect("fewer than 65,535 words");
        let _ = writeln!(out, "    ({word:?}, {class}, {kind}),");
    }
    let _ = writeln!(
        out,
        "];\nstatic {name}: Table = Table {{ entries: &{name}_ENTRIES, slots: &[{}] }};",
        slots.iter().map(u16::to_string).collect::<Vec<_>>().join(",")
    );
}
