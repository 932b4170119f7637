//! Lays the word lists of the progress reader out as one hash table, so that a process that lives a
//! millisecond has nothing to build, and a word is looked up once.
#![expect(
    clippy::panic,
    clippy::expect_used,
    reason = "a broken word list must stop the build"
)]

#[path = "src/progress/class.rs"]
#[expect(dead_code, reason = "the build needs the names only")]
mod class;
#[path = "src/progress/lexicon.rs"]
mod lexicon;
#[path = "src/progress/signs.rs"]
#[expect(dead_code, reason = "the build needs the names only")]
mod signs;
#[path = "src/progress/stem.rs"]
mod stem;

use class::Class;
use signs::Signs;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::{env, fs, path::Path};
use stem::{ALONE, PHRASE, START, STEM, hash_on};

/// The sections of `lexicon/signs.txt` in the order of their bits.
const SECTIONS: [&str; 24] = [
    "harmless",
    "neg",
    "no",
    "trouble",
    "bad",
    "undone",
    "dropped",
    "open",
    "future",
    "plan",
    "late",
    "left",
    "done",
    "marker",
    "verified",
    "analysed",
    "idle",
    "past",
    "condition",
    "people",
    "limit",
    "contrast",
    "quantity",
    "generic",
];

/// The sign of a section of the word list.
fn sign_of(section: &str) -> Option<Signs> {
    match section {
        "determiner" => Some(Signs::DETERMINER),
        "preposition" => Some(Signs::PREPOSITION),
        "joint" => Some(Signs::JOINT),
        "asked" => Some(Signs::ASKED),
        "only" => Some(Signs::ONLY),
        "result" => Some(Signs::RESULT),
        "retract" => Some(Signs::RETRACT),
        "anaphor" => Some(Signs::ANAPHOR),
        _ => SECTIONS
            .iter()
            .position(|s| *s == section)
            .map(|at| Signs(1 << at)),
    }
}

/// The class of a concept of the lexicon.
fn class_of(concept: &str) -> Class {
    match concept {
        "create" | "document" | "translate" | "fill" | "extract" | "doc" => Class::CREATE,
        "remove" => Class::REMOVE,
        "change" | "rotate" => Class::CHANGE,
        "fix" => Class::FIX,
        "run" => Class::RUN,
        "verify" | "pass" => Class::VERIFY,
        "analyse" | "report" | "measure" | "reproduce" => Class::ANALYSE,
        "publish" | "support" | "use" | "show" | "send" => Class::OTHER,
        "finish" => Class::GENERIC,
        _ => Class::NONE,
    }
}

/// An English word without its inflection, whatever its form.
fn stem_of(word: &str) -> stem::Stem<'_> {
    let base = lexicon::IRREGULAR.iter().find(|(form, _)| *form == word);
    stem::regular(base.map_or(word, |(_, base)| base))
}

/// What the table says of a word.
#[derive(Default)]
struct Entry {
    name: Option<&'static str>,
    weight: f32,
    signs: u64,
    /// Words of the longest phrase that begins with it.
    phrase: u8,
    /// The hash of its stem, for an irregular form.
    stem: u64,
}

fn main() {
    for file in [
        "lexicon/signs.txt",
        "src/progress/class.rs",
        "src/progress/lexicon.rs",
        "src/progress/signs.rs",
        "src/progress/stem.rs",
        "build.rs",
    ] {
        println!("cargo:rerun-if-changed={file}");
    }
    let mut entries: BTreeMap<u64, Entry> = BTreeMap::new();
    for word in lexicon::STOPS {
        entries.entry(hash_on(START, word)).or_default().signs |= Signs::STOP.0;
    }
    for (form, _) in lexicon::IRREGULAR {
        entries.entry(hash_on(START, form)).or_default().stem = stem_of(form).hash();
    }
    let generic = add_signs(&mut entries);
    for (groups, weight) in [
        (lexicon::ACTIONS, 0.35),
        (lexicon::DEEDS, 0.6),
        (lexicon::GROUPS, 1.0),
    ] {
        for group in groups {
            let name = group.split_whitespace().next().expect("a group has a name");
            for word in group.split_whitespace() {
                let entry = entries.entry(key_of(word)).or_default();
                // Function words and earlier groups keep their place.
                if entry.name.is_none() && entry.signs & Signs::STOP.0 == 0 {
                    entry.name = Some(name);
                    entry.weight = weight;
                    if generic.contains(name) {
                        entry.signs |= Signs::GENERIC.0;
                    }
                }
            }
        }
    }
    write(&entries);
}

/// Under what a word of the lexicon is found: English by its stem, Korean as it is written.
fn key_of(word: &str) -> u64 {
    if word.is_ascii() {
        stem_of(word).hash() ^ STEM
    } else {
        hash_on(START, word)
    }
}

/// Reads `lexicon/signs.txt` into the table; gives the names of groups without content.
fn add_signs(entries: &mut BTreeMap<u64, Entry>) -> BTreeSet<String> {
    let text = fs::read_to_string("lexicon/signs.txt").expect("lexicon/signs.txt");
    let mut generic = BTreeSet::new();
    let mut sign = Signs::NONE;
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(section) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            sign = sign_of(section).unwrap_or_else(|| panic!("unknown section {section}"));
            continue;
        }
        for word in line.split_whitespace() {
            if sign == Signs::GENERIC {
                generic.insert(word.trim_end_matches('*').to_owned());
            }
            if let Some(word) = word.strip_suffix('*') {
                entries.entry(stem_of(word).hash() ^ STEM).or_default().signs |= sign.0;
            } else if let Some(word) = word.strip_prefix('=') {
                entries.entry(hash_on(START, word) ^ ALONE).or_default().signs |= sign.0;
            } else if let Some((head, _)) = word.split_once('_').filter(|_| word != "task_complete") {
                let words = word.split('_').count();
                let phrase = word.replace('_', " ");
                entries.entry(hash_on(START, &phrase) ^ PHRASE).or_default().signs |= sign.0;
                let head = entries.entry(hash_on(START, head)).or_default();
                head.phrase = head.phrase.max(u8::try_from(words).expect("a short phrase"));
            } else {
                entries.entry(hash_on(START, word)).or_default().signs |= sign.0;
            }
        }
    }
    generic
}

fn write(entries: &BTreeMap<u64, Entry>) {
    let size = (entries.len() * 3 / 2).next_power_of_two();
    let mut slots = vec![0u32; size];
    let mut out = format!("static WORDS: [(u64, Entry); {}] = [\n", entries.len());
    for (index, (key, entry)) in entries.iter().enumerate() {
        let mut slot = *key as usize & (size - 1);
        while slots[slot] != 0 {
            slot = (slot + 1) & (size - 1);
        }
        // The upper half of a slot holds some bits of the key, so that most misses end there.
        let place = u16::try_from(index + 1).unwrap_or_else(|_| panic!("more than 65,534 words"));
        slots[slot] = u32::from(place) | ((*key >> 32) as u32 & 0xffff_0000);
        let name = entry.name.map_or(0, |name| hash_on(START, name));
        let class = entry.name.map_or(Class::NONE, class_of);
        let _ = writeln!(
            out,
            "    ({key:#018x}, Entry {{ name: {name:#x}, weight: {:?}, class: Class({:#x}), signs: Signs({:#x}), phrase: {}, stem: {:#x} }}),",
            entry.weight, class.0, entry.signs, entry.phrase, entry.stem
        );
    }
    let _ = writeln!(out, "];\nstatic SLOTS: [u32; {size}] = {slots:?};");
    let dir = env::var("OUT_DIR").expect("OUT_DIR");
    fs::write(Path::new(&dir).join("words.rs"), out).expect("writable OUT_DIR");
}
