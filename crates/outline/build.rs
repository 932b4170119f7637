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
#[path = "src/progress/cue.rs"]
#[expect(dead_code, reason = "the build needs the words only")]
mod cue;
#[path = "src/progress/cue_words.rs"]
mod cue_words;
#[path = "src/progress/form.rs"]
#[expect(dead_code, reason = "the build needs the names only")]
mod form;
#[path = "src/progress/keys.rs"]
#[expect(dead_code, reason = "the build only fills the sets")]
mod keys;
#[path = "src/progress/lexicon.rs"]
mod lexicon;
#[path = "src/progress/signs.rs"]
#[expect(dead_code, reason = "the build needs the names only")]
mod signs;
#[path = "src/progress/stem.rs"]
mod stem;

use class::Class;
use form::Form;
use signs::Signs;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::{env, fs, path::Path};
use stem::{ALONE, PAIRS, PHRASE, START, STEM, hash_on, pair_of, phrase_on, word_hash};

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
        // To take away, to put in order, or to write down.
        "정리" => Class::REMOVE.with(Class::CHANGE).with(Class::CREATE),
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
    /// The word itself, when it is English and not only a stem or a phrase.
    word: Option<String>,
}

impl Entry {
    fn concept(&self) -> (u64, f32, u16) {
        self.name.map_or((0, 0.0, 0), |name| {
            (hash_on(START, name), self.weight, class_of(name).0)
        })
    }
}

/// The entry of a word as it is written.
fn plain<'e>(entries: &'e mut BTreeMap<u64, Entry>, word: &str) -> &'e mut Entry {
    let entry = entries.entry(hash_on(START, word)).or_default();
    if word.is_ascii() {
        entry.word = Some(word.to_owned());
    }
    entry
}

fn main() {
    for file in [
        "lexicon/signs.txt",
        "lexicon/things.txt",
        "src/progress/class.rs",
        "src/progress/cue.rs",
        "src/progress/cue_words.rs",
        "src/progress/form.rs",
        "src/progress/keys.rs",
        "src/progress/lexicon.rs",
        "src/progress/signs.rs",
        "src/progress/stem.rs",
        "build.rs",
    ] {
        println!("cargo:rerun-if-changed={file}");
    }
    let mut entries: BTreeMap<u64, Entry> = BTreeMap::new();
    for word in lexicon::STOPS {
        plain(&mut entries, word).signs |= Signs::STOP.0;
    }
    for (form, _) in lexicon::IRREGULAR {
        plain(&mut entries, form);
    }
    let generic = add_signs(&mut entries);
    for (groups, weight) in [
        (lexicon::ACTIONS, 0.35),
        (lexicon::DEEDS, 0.6),
        (lexicon::GROUPS, 1.0),
    ] {
        for group in groups {
            add_group(&mut entries, &generic, group, None, weight);
        }
    }
    let more: &'static str = Box::leak(
        fs::read_to_string("lexicon/things.txt")
            .expect("lexicon/things.txt")
            .into_boxed_str(),
    );
    let mut weight = 1.0;
    for line in more.lines() {
        match line.trim() {
            "" => {}
            "[deeds]" => weight = 0.6,
            "[things]" => weight = 1.0,
            line if line.starts_with('#') => {}
            group => {
                let name = group.split_whitespace().next().expect("a group has a name");
                let known = entries.get(&key_of(name)).and_then(|e| Some((e.name?, e.weight)));
                add_group(&mut entries, &generic, group, known, weight);
            }
        }
    }
    write(&entries, &syllables());
    write_forms(&entries);
}

/// Writes what each listed word tells by the hash of its token: words of the lists, and words with a cue.
fn write_forms(entries: &BTreeMap<u64, Entry>) {
    let mut words: BTreeSet<&str> = entries.values().filter_map(|e| e.word.as_deref()).collect();
    words.extend(cue_words::WORDS.iter().map(|(word, _)| *word));
    let mut slots = vec![0u64; form::SLOTS];
    assert!(words.len() * 2 < form::SLOTS, "the table is too full");
    let mut out = format!("static FORMS: [Form; {}] = [\n", words.len());
    let mut hashes = BTreeSet::new();
    for (number, word) in words.iter().enumerate() {
        let hash = word_hash(word);
        assert!(hashes.insert(hash), "{word}: another word has its hash");
        let mut slot = u64::from(hash) << 32 | (number as u64 + 1);
        let mut place = form::places(hash)[0];
        // What stands there goes to its other place.
        for _ in 0..form::SLOTS {
            std::mem::swap(&mut slots[place], &mut slot);
            if slot == 0 {
                break;
            }
            let [first, second] = form::places((slot >> 32) as u32);
            place = if place == first { second } else { first };
        }
        assert!(slot == 0, "{word}: no place is free");
        let _ = writeln!(out, "    {},", form_of(entries, word));
    }
    let _ = writeln!(out, "];\nstatic FORM_SLOTS: [u64; SLOTS] = {slots:?};");
    let dir = env::var("OUT_DIR").expect("OUT_DIR");
    fs::write(Path::new(&dir).join("forms.rs"), out).expect("writable OUT_DIR");
}

/// What a word tells, as it is written into the table.
fn form_of(entries: &BTreeMap<u64, Entry>, word: &str) -> String {
    let length = u8::try_from(word.len()).expect("a short word");
    let cues = cue_words::WORDS
        .iter()
        .find(|(w, _)| *w == word)
        .map_or(0, |(_, cues)| cues.0);
    let cut = cue::Cues(cues).any(cue::Cues::AND);
    let cues = if cut { cues | cue::Cues::CUT.0 } else { cues };
    let unlisted = Entry {
        word: word.is_ascii().then(|| word.to_owned()),
        ..Entry::default()
    };
    let entry = entries.get(&hash_on(START, word)).filter(|e| e.word.is_some());
    let known = known(entries, entry.unwrap_or(&unlisted));
    let signs = Signs(known.signs);
    let weak = word.len() == 1 && !word.as_bytes()[0].is_ascii_digit();
    let state = !known.listed && signs.any(Signs::STATES);
    let content = known.name != 0 && !weak && known.weight > 0.3 && !known.silent && !state;
    let past = word.len() > 3 && word.ends_with("ed") && !word.ends_with("eed") || signs.any(Signs::PAST);
    let other = Signs::IDLE
        .with(Signs::DONE)
        .with(Signs::VERIFIED)
        .with(Signs::ANALYSED);
    let verb = known.class != 0;
    let mut bits = 0;
    for (bit, is) in [
        (Form::FINISHED, past && !signs.any(other)),
        (Form::KNOWN, known.listed),
        (
            Form::ORDERS,
            verb && !word.ends_with("ing") && !word.ends_with('s'),
        ),
        (Form::PROGRESSIVE, word.len() > 4 && word.ends_with("ing") && verb),
    ] {
        bits |= if is { bit } else { 0 };
    }
    let signs = if content {
        signs.with(Signs::CONTENT)
    } else {
        signs
    };
    let class = if verb { known.class } else { Class::OTHER.0 };
    format!(
        "Form {{ signs: Signs({:#x}), cues: Cues({cues:#x}), name: {:#x}, class: Class({class:#x}), phrase: {}, \
         length: {length}, bits: {bits} }}",
        signs.0, known.name, known.phrase
    )
}

/// All words of groups.
fn grouped() -> Vec<String> {
    let things = fs::read_to_string("lexicon/things.txt").expect("lexicon/things.txt");
    let things = things
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with(['#', '[']));
    let groups = [lexicon::ACTIONS, lexicon::DEEDS, lexicon::GROUPS];
    let groups = groups.into_iter().flatten().copied();
    groups
        .chain(things)
        .flat_map(str::split_whitespace)
        .map(str::to_owned)
        .collect()
}

/// How the Korean words in `lexicon/signs.txt` begin; of a phrase its first word does.
fn sign_keys() -> keys::Keys {
    let mut out = keys::Keys::none();
    for word in sign_words() {
        let head = word.split('_').next().unwrap_or_default();
        if !head.is_ascii() {
            out.add(keys::key_of(head).expect("a word"));
        }
    }
    out
}

/// How words begin whose stem is listed: by four letters, or by all that the forms of a shorter stem share.
fn stem_keys() -> ([u64; keys::FOURS / 64], keys::Keys) {
    let mut fours = [0; keys::FOURS / 64];
    let mut short = keys::Keys::none();
    let verbs = sign_lines().filter_map(|word| word.strip_suffix('*').map(str::to_owned));
    for word in grouped().into_iter().filter(|w| w.is_ascii()).chain(verbs) {
        let stem = stem_of(&word);
        let text = format!("{}{}", stem.head, if stem.y { "y" } else { "" });
        // "tries" and "try" share no more.
        let shared = text.strip_suffix('y').unwrap_or(&text);
        if let Some(letters) = shared.as_bytes().first_chunk() {
            let place = keys::four(*letters);
            fours[place / 64] |= 1 << (place % 64);
        } else {
            short.add(keys::key_of(shared).expect("a stem of letters"));
        }
    }
    (fours, short)
}

/// The first two words of each phrase in `lexicon/signs.txt`, one bit for each.
fn phrase_pairs() -> [u64; PAIRS / 64] {
    let mut out = [0; PAIRS / 64];
    for word in sign_words() {
        let mut words = word.split('_').filter(|_| word != "task_complete");
        if let (Some(first), Some(second)) = (words.next(), words.next()) {
            let second = match second.chars().next() {
                Some(c) if !c.is_ascii() => u32::from(c),
                _ => word_hash(second),
            };
            let place = pair_of(word_hash(first), second);
            out[place / 64] |= 1 << (place % 64);
        }
    }
    out
}

/// All words and phrases in `lexicon/signs.txt`, their marks taken off.
fn sign_words() -> Vec<String> {
    let plain = |word: String| word.trim_start_matches('=').trim_end_matches('*').to_owned();
    sign_lines().map(plain).collect()
}

/// All words and phrases in `lexicon/signs.txt`.
fn sign_lines() -> impl Iterator<Item = String> {
    let text = fs::read_to_string("lexicon/signs.txt").expect("lexicon/signs.txt");
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    let words: Vec<String> = lines
        .filter(|line| !line.trim().starts_with('['))
        .flat_map(str::split_whitespace)
        .map(str::to_owned)
        .collect();
    words.into_iter()
}

/// The first syllables of the Korean words in `lexicon/signs.txt`, one bit each.
fn syllables() -> [u64; 175] {
    let text = fs::read_to_string("lexicon/signs.txt").expect("lexicon/signs.txt");
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    let mut out = [0; 175];
    for word in lines.flat_map(str::split_whitespace) {
        let word = word.trim_start_matches('=');
        if word.is_ascii() {
            continue;
        }
        let first = word.chars().next().expect("a word");
        if first.is_ascii() {
            continue;
        }
        let place = u32::from(first)
            .checked_sub(0xac00)
            .filter(|place| *place < 11_172)
            .unwrap_or_else(|| panic!("{word}: it begins with no syllable")) as usize;
        out[place / 64] |= 1 << (place % 64);
    }
    out
}

/// Adds the words of a group under the name of its first one, or of the concept that it belongs to.
fn add_group(
    entries: &mut BTreeMap<u64, Entry>,
    generic: &BTreeSet<String>,
    group: &'static str,
    known: Option<(&'static str, f32)>,
    weight: f32,
) {
    let name = group.split_whitespace().next().expect("a group has a name");
    let (name, weight) = known.unwrap_or((name, weight));
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
                let phrase = word.split('_').map(word_hash).fold(START, phrase_on);
                entries.entry(phrase ^ PHRASE).or_default().signs |= sign.0;
                let head = plain(entries, head);
                head.phrase = head.phrase.max(u8::try_from(words).expect("a short phrase"));
            } else {
                plain(entries, word).signs |= sign.0;
            }
        }
    }
    generic
}

/// What is known of a word in the end, as it is written into the table.
#[derive(Clone, Copy, PartialEq)]
struct Known {
    name: u64,
    signs: u64,
    weight: f32,
    class: u16,
    phrase: u8,
    listed: bool,
    silent: bool,
}

/// What is known of an entry. A listed English word is also what its stem is, so that one look-up tells all of it.
fn known(entries: &BTreeMap<u64, Entry>, entry: &Entry) -> Known {
    let (name, weight, class) = entry.concept();
    let mut out = Known {
        name,
        signs: entry.signs,
        weight,
        class,
        phrase: entry.phrase,
        listed: name != 0,
        silent: entry.signs & Signs::GENERIC.0 != 0,
    };
    let Some(word) = &entry.word else { return out };
    assert!(name == 0, "{word}: a concept is found by its stem");
    let stem = stem_of(word);
    let number = !stem.y && stem.head.bytes().all(|b| b.is_ascii_digit());
    let stem = stem.hash();
    if let Some(found) = entries.get(&(stem ^ STEM)) {
        (out.name, out.weight, out.class) = found.concept();
        out.signs |= found.signs;
    }
    out.listed = out.name != 0;
    out.silent = out.signs & Signs::GENERIC.0 != 0 || !out.listed && number;
    if out.signs & Signs::STOP.0 != 0 {
        out.name = 0;
    } else if out.name == 0 {
        (out.name, out.weight) = (stem, 1.0);
    }
    out
}

/// Writes the table: slots with open addressing that hold most of the key and the number of what is known, which
/// many words share. No entry holds an address.
fn write(entries: &BTreeMap<u64, Entry>, syllables: &[u64; 175]) {
    let size = (entries.len() * 3 / 2).next_power_of_two();
    let mut slots = vec![0u64; size];
    let mut listed = vec![0u64; keys::LISTED];
    let mut all: Vec<Known> = Vec::new();
    for (key, entry) in entries {
        let (place, bits) = keys::listed(*key);
        listed[place] |= bits;
        let known = known(entries, entry);
        let number = all.iter().position(|k| *k == known).unwrap_or_else(|| {
            all.push(known);
            all.len() - 1
        });
        let number = u16::try_from(number + 1).unwrap_or_else(|_| panic!("more than 65,534 entries"));
        let mut slot = *key as usize & (size - 1);
        while slots[slot] != 0 {
            slot = (slot + 1) & (size - 1);
        }
        // The place in the table stands for the lowest bits of the key.
        slots[slot] = key & !0xffff | u64::from(number);
    }
    let mut out = format!("static KNOWN: [Entry; {}] = [\n", all.len());
    for known in &all {
        let Known {
            name,
            signs,
            weight,
            class,
            phrase,
            listed,
            silent,
        } = known;
        let _ = writeln!(
            out,
            "    Entry {{ name: {name:#x}, signs: Signs({signs:#x}), weight: {weight:?}, class: Class({class:#x}), phrase: {phrase}, listed: {listed}, silent: {silent} }},"
        );
    }
    let _ = writeln!(out, "];\nstatic SLOTS: [u64; {size}] = {slots:?};");
    let _ = writeln!(out, "static LISTED: [u64; {}] = {listed:?};", keys::LISTED);
    let _ = writeln!(out, "pub(super) static SYLLABLES: [u64; 175] = {syllables:?};");
    let _ = writeln!(
        out,
        "pub(super) static SIGN_KEYS: Keys = Keys({:?});",
        sign_keys().0
    );
    let (fours, short) = stem_keys();
    let _ = writeln!(out, "static STEMS: [u64; {}] = {fours:?};", fours.len());
    let _ = writeln!(out, "static SHORT_STEMS: Keys = Keys({:?});", short.0);
    let _ = writeln!(
        out,
        "static PHRASES: [u64; {}] = {:?};",
        PAIRS / 64,
        phrase_pairs()
    );
    let dir = env::var("OUT_DIR").expect("OUT_DIR");
    fs::write(Path::new(&dir).join("words.rs"), out).expect("writable OUT_DIR");
}
