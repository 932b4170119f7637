//! Lays the lexicon of `src/progress` out as a hash table by stems, so that a process that lives a
//! millisecond has nothing to build.
#![expect(
    clippy::panic,
    clippy::expect_used,
    reason = "a broken word list must stop the build"
)]

#[path = "src/progress/lexicon.rs"]
mod lexicon;
#[path = "src/progress/stem.rs"]
mod stem;

use std::fmt::Write as _;
use std::{env, fs, path::Path};

fn main() {
    println!("cargo:rerun-if-changed=src/progress/lexicon.rs");
    println!("cargo:rerun-if-changed=src/progress/stem.rs");
    println!("cargo:rerun-if-changed=build.rs");
    let mut entries: Vec<(u64, &str, f32)> = Vec::new();
    let mut add = |key: u64, name: &'static str, weight: f32| {
        if !entries.iter().any(|(known, _, _)| *known == key) {
            entries.push((key, name, weight));
        }
    };
    // Function words go in as they are written, before any stem can take their place.
    for word in lexicon::STOPS {
        add(stem::hash_on(stem::START, word), "", 0.0);
    }
    for (groups, weight) in [(lexicon::ACTIONS, 0.35), (lexicon::GROUPS, 1.0)] {
        for group in groups {
            let name = group.split_whitespace().next().expect("a group has a name");
            for word in group.split_whitespace() {
                let key = if word.is_ascii() {
                    stem::stem(word).hash()
                } else {
                    stem::hash_on(stem::START, word)
                };
                add(key, name, weight);
            }
        }
    }
    let size = (entries.len() * 2).next_power_of_two();
    let mut slots = vec![0u16; size];
    let mut out = format!("static LEXICON: [(u64, Known); {}] = [\n", entries.len());
    for (index, (key, name, weight)) in entries.iter().enumerate() {
        let mut slot = *key as usize & (size - 1);
        while slots[slot] != 0 {
            slot = (slot + 1) & (size - 1);
        }
        slots[slot] = u16::try_from(index + 1).unwrap_or_else(|_| panic!("more than 65,534 words"));
        let _ = writeln!(
            out,
            "    ({key:#018x}, Known {{ name: {name:?}, weight: {weight:?} }}),"
        );
    }
    let _ = writeln!(out, "];\nstatic SLOTS: [u16; {size}] = {slots:?};");
    let dir = env::var("OUT_DIR").expect("OUT_DIR");
    fs::write(Path::new(&dir).join("words.rs"), out).expect("writable OUT_DIR");
}
