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
    let heads: BTreeSet<&str> = english_phrases
        .keys()
        .filter_map(|phrase| phrase.split(' ').next())
        .collect();
    emit_words(&mut out, &english, &heads);
    emit_prefixes(&mut out, english_phrases.keys());
    emit(&mut out, "ENGLISH_PHRASES", &english_phrases);
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

/// The numbers of different values, from zero on.
fn numbered<T: Ord + Copy>(values: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    let different: BTreeSet<T> = values.collect();
    different.into_iter().zip(0..).collect()
}

/// Writes the table of the English words, with open addressing: an entry holds the number of its word's set of tags with
/// its marks, the length, and the letters; of a longer word ten of them and where all stand. Its number is 0 where there is
/// none. A look-up takes one line of the processor's memory.
fn emit_words(out: &mut String, words: &Table, heads: &BTreeSet<&str>) {
    let sets = numbered(words.values().copied());
    assert!(sets.len() <= usize::from(SET), "fewer sets than numbers");
    let all: BTreeSet<&str> = words
        .keys()
        .map(String::as_str)
        .chain(heads.iter().copied())
        .collect();
    let size = (all.len() * 2 + 1).next_power_of_two();
    let mut entries = vec![0u128; size];
    let mut long = String::new();
    for word in all {
        let set = words.get(word).map_or(UNLISTED, |bits| sets[bits] as u16);
        let leads = if heads.contains(word) { LEADS } else { 0 };
        let length = u8::try_from(word.len()).expect("a word of at most 255 bytes");
        let mut letters = [0; 16];
        if word.len() <= LETTERS {
            letters[..word.len()].copy_from_slice(word.as_bytes());
        } else {
            let at = u32::try_from(long.len())
                .expect("a list of less than 16 MiB")
                .to_le_bytes();
            letters[..10].copy_from_slice(&word.as_bytes()[..10]);
            letters[10..13].copy_from_slice(&at[..3]);
            long.push_str(word);
        }
        let mut place = word_hash(word.as_bytes()) as usize & (size - 1);
        while entries[place] != 0 {
            place = (place + 1) & (size - 1);
        }
        entries[place] =
            u128::from_le_bytes(letters) << 24 | u128::from(length) << 16 | u128::from(set | leads);
    }
    let _ = writeln!(out, "pub(super) static ENGLISH: [u128; {size}] = {entries:?};");
    let _ = writeln!(out, "pub(super) static ENGLISH_LONG: &str = {long:?};");
    let sets: Vec<u64> = sets.into_keys().collect();
    let _ = writeln!(
        out,
        "pub(super) static ENGLISH_SETS: [u64; {}] = {sets:?};",
        sets.len()
    );
}

/// The hash of a phrase: that of its words in a row.
fn phrase_hash(phrase: &str, mut each: impl FnMut(u32)) -> u32 {
    let hash = |word: &str| word.bytes().fold(HASH_START, hash_step);
    let mut words = phrase.split(' ').map(hash);
    let first = words.next().unwrap_or(HASH_START);
    words.fold(first, |before, word| {
        let chained = chain(before, word);
        each(chained);
        chained
    })
}

/// Writes the filter of what phrases begin with, two words at least.
fn emit_prefixes<'p>(out: &mut String, phrases: impl Iterator<Item = &'p String>) {
    let mut bits = [0u64; PREFIXES];
    for phrase in phrases {
        phrase_hash(phrase, |chained| {
            let (word, bit) = prefix_bit(chained);
            bits[word] |= 1 << bit;
        });
    }
    let _ = writeln!(
        out,
        "pub(super) static ENGLISH_PREFIXES: [u64; {PREFIXES}] = {bits:?};"
    );
}

/// Writes a table of phrases with open addressing: the phrases in one text, entries that point into it, and slots that hold
/// half of a phrase's hash and the number of its entry, so that nearly every miss ends at the slot. No entry holds an
/// address: a program that is placed anywhere has nothing to correct at its start. Sets of tags are written once and
/// entries number them: a process that lives a millisecond pays for each page that it touches.
fn emit(out: &mut String, name: &str, table: &Table) {
    let size = (table.len() * 2 + 1).next_power_of_two();
    let mut slots = vec![0u32; size];
    let mut text = String::new();
    let sets = numbered(table.values().copied());
    let _ = writeln!(out, "static {name}_ENTRIES: [Entry; {}] = [", table.len());
    for (index, (key, bits)) in table.iter().enumerate() {
        let hash = hash_end(phrase_hash(key, |_| ()));
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
        "static {name}_SETS: [u64; {}] = {:?};",
        sets.len(),
        sets.keys().collect::<Vec<_>>()
    );
    let _ = writeln!(out, "static {name}_TEXT: &str = {text:?};");
    let _ = writeln!(
        out,
        "pub(super) static {name}: Table = Table {{ text: {name}_TEXT, sets: &{name}_SETS, entries: &{name}_ENTRIES, slots: &{name}_SLOTS }};"
    );
}

/// Writes the tree of the Korean words: a node for each beginning of a listed stem, of a word that counts as a whole, and of
/// a phrase. A slot holds the node that it begins at, the syllable, the node that it leads to, and the number of what that
/// node says, sixteen bits each: a step takes one slot, and what is not in the tree ends at it.
fn emit_tree(out: &mut String, tables: [&Table; 3], heads: &BTreeSet<String>) {
    let mut nodes: BTreeMap<String, ([u64; 3], u16)> = BTreeMap::new();
    for (at, (table, what)) in tables.into_iter().zip([STEM, WHOLE, PHRASE]).enumerate() {
        for (word, bits) in table {
            let mut beginning = String::new();
            for c in word.chars() {
                beginning.push(c);
                let (_, has) = nodes.entry(beginning.clone()).or_default();
                if what == PHRASE && beginning != *word {
                    *has |= MORE;
                }
            }
            let (says, has) = nodes.entry(word.clone()).or_default();
            says[at] = *bits;
            *has |= what;
        }
    }
    for head in heads {
        nodes.entry(head.clone()).or_default().1 |= HEAD;
    }
    let says = numbered(nodes.values().map(|(says, _)| *says));
    assert!(
        says.len() <= usize::from(SAID),
        "fewer than there are numbers for"
    );
    let mut steps = Vec::new();
    let mut numbers: BTreeMap<&str, u64> = BTreeMap::new();
    for ((word, (said, has)), number) in nodes.iter().zip(1u64..) {
        let last = word.chars().next_back().expect("no word is empty");
        let rest = word.strip_suffix(last).unwrap_or_default();
        let parent = numbers.get(rest).copied().unwrap_or_default();
        numbers.insert(word, number);
        let key = parent << 16 | u64::from(u32::from(last));
        assert!(u32::from(last) < 1 << 16 && number < 1 << 16, "sixteen bits each");
        steps.push(key << 32 | number << 16 | says[said] as u64 | u64::from(*has));
    }
    let mut size = (nodes.len() * 2 + 1).next_power_of_two();
    let (factor, slots) = loop {
        let next = |factor: &u32| Some(factor.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
        let factors = std::iter::successors(Some(0x9e37_79b1u32), next).map(|factor| factor | 1);
        let mut fits = factors
            .take(256)
            .filter_map(|factor| placed(&steps, size, factor).map(|slots| (factor, slots)));
        match fits.next() {
            Some(fits) => break fits,
            None => size *= 2,
        }
    };
    let _ = writeln!(out, "pub(super) const KOREAN_FACTOR: u32 = {factor};");
    let says: Vec<[u64; 3]> = says.into_keys().collect();
    let _ = writeln!(out, "pub(super) static KOREAN_SLOTS: [u64; {size}] = {slots:?};");
    let _ = writeln!(
        out,
        "pub(super) static KOREAN_SAYS: [[u64; 3]; {}] = {says:?};",
        says.len()
    );
}

/// A table of so many slots in which each step is in one of the first slots where it is looked for; `None` where there is no
/// room. Of those in its way one gives way to it for another of its own slots, if it must.
fn placed(steps: &[u64], size: usize, factor: u32) -> Option<Vec<u64>> {
    let mut slots = vec![0u64; size];
    steps
        .iter()
        .all(|step| place(*step, factor, &mut slots, &mut BTreeSet::new()))
        .then_some(slots)
}

/// Finds room for a step, without the slots that were tried.
fn place(step: u64, factor: u32, slots: &mut [u64], tried: &mut BTreeSet<usize>) -> bool {
    let first = tree_place((step >> 32) as u32, factor);
    let own = |behind: usize, slots: &[u64]| (first + behind) & (slots.len() - 1);
    if let Some(slot) = (0..TREE_SLOTS)
        .map(|behind| own(behind, slots))
        .find(|slot| slots[*slot] == 0)
    {
        slots[slot] = step;
        return true;
    }
    for behind in 0..TREE_SLOTS {
        let slot = own(behind, slots);
        if tried.insert(slot) && place(slots[slot], factor, slots, tried) {
            slots[slot] = step;
            return true;
        }
    }
    false
}
