//! Whether the last thoughts of an agent bring anything new.
//!
//! Similar wording says nothing: `add the header to a.rs`, `… to b.rs` is progress, and a plan told three times
//! in other words is none. So each thought is read for what it names (objects, figures, actions, outcomes), and
//! compared with all that was named before. A thought that adds nothing is a repetition; repetitions up to the
//! end, at least two and a whole cycle of them, mean that the agent is stuck.

use super::recall::{Recalled, recall, recall_all};
use super::sound::consonants;
use super::thought::{Item, Pole, Sort, States, Thought, certain_objects};
use proctor_prose::{Clause, Reading};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Thoughts from the end for which news are looked for; older ones only count as known.
const WINDOW: usize = 12;
/// Words of a thought that are compared when wordings are laid side by side: one for each bit of a number.
const WORDING: usize = 64;
/// From this share of equal words in a row on, a thought is an edited copy of an earlier one.
const EDITED: f64 = 0.6;
/// Up to this share of words that nobody said before, a thought in other words is a paraphrase.
const PARAPHRASE: f64 = 0.65;
/// The same for a thought that is only meant, believed or asked: what is said of nothing that happened has more ways
/// to be said.
const MEANT: f64 = 0.85;
/// From this share of new words on, an outcome together with another known thing is news.
const OUTCOME: f64 = 0.34;

/// What the gate thinks of an agent's last thoughts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// The last thoughts bring nothing new.
    pub stuck: bool,
    /// Why, in a sentence.
    pub why: String,
    /// Number of thoughts at the end that add nothing to those before.
    pub repeats: usize,
    /// How many thoughts a cycle takes; 1 for a plain repetition, 0 when nothing repeats.
    pub period: usize,
    /// What each of the last thoughts brought, in its own words and oldest first; empty for one that adds nothing.
    /// The very first thought of a conversation is not judged, and only the last twelve are.
    pub news: Vec<Vec<String>>,
    /// Method `cosine`: the lowest cosine between any two of the last thoughts.
    pub cosine: Option<f32>,
    /// Why method `lexical` took over from the embedder.
    pub fell_back: Option<String>,
}

/// Looks at the thoughts of an agent, oldest first.
#[must_use]
pub fn judge<S: AsRef<str>>(thoughts: &[S]) -> Judgement {
    if thoughts.len() < 3 {
        return Judgement {
            stuck: false,
            why: format!(
                "{} of the 3 thoughts that it takes to see a repetition",
                thoughts.len()
            ),
            ..Judgement::default()
        };
    }
    let recalled = recall_all(thoughts);
    let digests: Vec<&Thought> = recalled.iter().map(|r| r.thought()).collect();
    let first = thoughts.len().saturating_sub(WINDOW).max(1);
    let mut known = Known::default();
    for thought in digests.iter().take(first) {
        known.learn(thought);
    }
    let words = words(&digests);
    let mut rows: Vec<Row> = Vec::with_capacity(thoughts.len() - first);
    for at in first..thoughts.len() {
        let Some(thought) = digests.get(at) else { break };
        let near = nearest(words.get(at.saturating_sub(WINDOW)..=at).unwrap_or_default());
        rows.push(row(
            thought,
            near,
            &known,
            thoughts.get(at).map_or("", |t| t.as_ref()),
        ));
        known.learn(thought);
    }
    let repeats = rows.iter().rev().take_while(|r| r.news.is_empty()).count();
    // The last thoughts that go round in a circle not longer than they are many; how the circle was entered does
    // not matter.
    let mut period = 0;
    let mut circle = None;
    for (many, row) in (1..).zip(rows.iter().rev().take(repeats)) {
        period = period.max(row.distance);
        if many >= 2 && many >= period {
            circle = Some(period);
        }
    }
    let period = circle.unwrap_or(period);
    let empty = digests.iter().rev().take(3).all(|t| t.items.is_empty());
    let stuck = repeats >= 2 && (circle.is_some() || empty);
    let last = rows.last().map(|r| r.news.as_slice()).unwrap_or_default();
    Judgement {
        why: why(stuck, repeats, period, empty, last),
        stuck,
        repeats,
        period,
        news: rows.into_iter().map(|r| r.news).collect(),
        ..Judgement::default()
    }
}

/// An object of the last thought that stands in none before it. Where there is one, the last thought is new, and
/// the ones before need not be read: most texts of an agent that gets on are answered by this.
pub(super) fn fresh_object<S: AsRef<str>>(thoughts: &[S]) -> Option<String> {
    let (last, before) = thoughts.split_last()?;
    let recalled = recall(last.as_ref());
    let items = recalled.thought().items.iter();
    let objects = items.filter(|i| i.sort == Sort::Object);
    fresh(
        objects.map(|item| (item.key.as_str(), item.span)),
        last.as_ref(),
        before,
    )
}

/// The same of a text that was read already, for objects that are certain to be some without a look at what else is said:
/// where there is none, nothing is known.
pub(super) fn certain_object<'r, S: AsRef<str>>(
    reading: &'r Reading,
    clauses: impl Iterator<Item = &'r Clause>,
    text: &str,
    before: &[S],
) -> Option<String> {
    fresh(
        clauses.flat_map(|clause| certain_objects(reading, clause, text)),
        text,
        before,
    )
}

/// The words of the first of some objects that stands in none of the thoughts before.
fn fresh<K: AsRef<str>, S: AsRef<str>>(
    objects: impl Iterator<Item = (K, (usize, usize))>,
    text: &str,
    before: &[S],
) -> Option<String> {
    let mut objects = objects.peekable();
    objects.peek()?;
    let mut distinct: Vec<&str> = Vec::with_capacity(before.len());
    for text in before {
        if !distinct.contains(&text.as_ref()) {
            distinct.push(text.as_ref());
        }
    }
    let before: Vec<Rc<Recalled>> = distinct.into_iter().map(recall).collect();
    let (_, (start, end)) = objects.find(|(key, _)| {
        let key = key.as_ref();
        let name = key.rsplit_once('/').map_or(key, |(_, name)| name);
        !name.is_empty() && !before.iter().any(|text| text.plain().contains(name))
    })?;
    Some(text.get(start..end).unwrap_or_default().to_owned())
}

/// What one thought brought.
struct Row {
    news: Vec<String>,
    /// How many thoughts back the nearest like it is.
    distance: usize,
}

/// What was named before.
#[derive(Default)]
struct Known<'t> {
    /// The keys of items, each with how it was spoken of: one bit for each pole, and what was learned of it.
    keys: HashMap<&'t str, u8>,
    states: u8,
    names: HashSet<&'t str>,
    sounds: HashSet<String>,
}

/// Bits of [`Known::keys`] beyond the poles: its name, its sound is known.
const NAMED: u8 = 1 << 3;
const HEARD: u8 = 1 << 4;
/// It was named in a thought that tells of something bad.
const TROUBLED: u8 = 1 << 5;

/// The bit of a pole.
fn bit(pole: Pole) -> u8 {
    1 << pole as u8
}

impl<'t> Known<'t> {
    fn learn(&mut self, thought: &'t Thought) {
        for item in &thought.items {
            let said = self.keys.entry(&item.key).or_default();
            *said |= bit(item.pole);
            if thought.states.0 & States::BAD != 0 {
                *said |= TROUBLED;
            }
            if item.sort == Sort::Object && *said & NAMED == 0 {
                *said |= NAMED;
                if let Some((_, name)) = item.key.rsplit_once('/') {
                    self.names.insert(name);
                }
            }
            if item.sort == Sort::Word && *said & HEARD == 0 {
                *said |= HEARD;
                if item.key.chars().nth(1).is_some() {
                    self.names.insert(head(&item.key));
                    self.sounds.extend(consonants(&item.key));
                }
            }
        }
        self.states |= thought.states.0 | thought.believed.0;
    }

    fn has(&self, item: &Item) -> bool {
        if self.keys.contains_key(item.key.as_str()) {
            return true;
        }
        match item.sort {
            // `main.rs` after `src/main.rs`, or the other way round.
            Sort::Object => {
                let name = item.key.rsplit_once('/').map(|(_, name)| name);
                name.is_some_and(|n| self.keys.contains_key(n)) || self.names.contains(item.key.as_str())
            }
            // Another form of a word that was said: invalid, invalidate, invalidation.
            Sort::Word => {
                self.names.contains(head(&item.key))
                    || consonants(&item.key).is_some_and(|c| self.sounds.contains(&c))
            }
            Sort::Class(_) | Sort::Weak | Sort::State => false,
        }
    }

    /// Whether the item was named where something bad was told, and nothing good of it since.
    fn is_troubled(&self, item: &Item) -> bool {
        self.keys
            .get(item.key.as_str())
            .is_some_and(|said| said & TROUBLED != 0 && said & bit(Pole::Good) == 0)
    }

    fn has_pole(&self, item: &Item, pole: Pole) -> bool {
        self.keys
            .get(item.key.as_str())
            .is_some_and(|said| said & bit(pole) != 0)
    }
}

/// What the forms of a word have in common at least: five letters, or two syllables.
fn head(word: &str) -> &str {
    let most = if word.is_ascii() { 5 } else { 2 };
    word.char_indices()
        .nth(most)
        .and_then(|(end, _)| word.get(..end))
        .unwrap_or(word)
}

fn row(thought: &Thought, (near, edited): (usize, bool), known: &Known<'_>, text: &str) -> Row {
    let mut news: Vec<String> = Vec::new();
    let tell = |news: &mut Vec<String>, item: &Item| {
        let words = text.get(item.span.0..item.span.1).unwrap_or_default();
        if !news.iter().any(|n| n == words) && news.len() < 5 {
            news.push(words.to_owned());
        }
    };
    let mut seen: HashSet<&str> = HashSet::new();
    let (mut total, mut weight, mut fresh) = (0.0, 0.0, Vec::new());
    for item in &thought.items {
        let old = known.has(item);
        match item.sort {
            Sort::Object if !old => tell(&mut news, item),
            Sort::Object => {
                if seen.insert(&item.key) {
                    total += 1.0;
                }
                // "Set to A, then the build breaks" and "A: the build breaks" say the same of A.
                let told = item.pole == Pole::Bad && known.is_troubled(item);
                if item.claimed && item.pole != Pole::None && !told && !known.has_pole(item, item.pole) {
                    tell(&mut news, item);
                }
            }
            Sort::State => {}
            sort => {
                let turned = match item.pole {
                    Pole::Good => known.has_pole(item, Pole::Bad) && !known.has_pole(item, Pole::Good),
                    Pole::Bad => {
                        (item.denied || known.has_pole(item, Pole::Good)) && !known.has_pole(item, Pole::Bad)
                    }
                    // What was only ever said to be lacking has come.
                    Pole::None => {
                        item.happened && known.has_pole(item, Pole::Bad) && !known.has_pole(item, Pole::None)
                    }
                };
                if old && turned && item.claimed && sort != Sort::Weak {
                    tell(&mut news, item);
                }
                if seen.insert(&item.key) {
                    let counts = if sort == Sort::Weak { 0.5 } else { 1.0 };
                    total += counts;
                    if !old {
                        weight += counts;
                        fresh.push(item);
                    }
                }
            }
        }
    }
    let states = thought.states.0 & !known.states & !States::WAIT;
    // Who says himself that it is as before, and tells of nothing good, needs more than other words for it.
    let same = thought.again
        && !edited
        && states == 0
        && thought.states.0 & (States::GOOD | States::DONE | States::FOUND) == 0;
    // "The disk is fine, checking memory": an outcome and another thing.
    let outcome = !same
        && thought.states.0 & !States::WAIT != 0
        && weight > total * OUTCOME
        && fresh.iter().any(|item| matches!(item.sort, Sort::Class(_)));
    // One word that no list knows may be one more way to say what was said.
    let certain = fresh.len() > 1 || !same && fresh.iter().any(|item| item.sort != Sort::Word);
    let limit = if !same && fresh.iter().any(|item| item.claimed) {
        PARAPHRASE
    } else {
        MEANT
    };
    let words = weight >= 1.0 && (edited || certain && weight > total * limit);
    if words || outcome || states != 0 {
        fresh.iter().for_each(|item| tell(&mut news, item));
    }
    if states != 0 && news.is_empty() {
        news.push(text.chars().take(40).collect());
    }
    Row { news, distance: near }
}

/// The wordings of thoughts, as far as they are compared, each word as a number.
fn words(digests: &[&Thought]) -> Vec<Vec<u32>> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut out: Vec<Vec<u32>> = Vec::with_capacity(digests.len());
    for thought in digests {
        let mut row = Vec::with_capacity(WORDING.min(thought.wording.len()));
        for word in thought.wording.iter().take(WORDING) {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            row.push(*numbers.entry(word.as_str()).or_insert(next));
        }
        out.push(row);
    }
    out
}

/// How far back the thought with the most similar wording is, and whether the last one is an edited copy of it.
fn nearest(wordings: &[Vec<u32>]) -> (usize, bool) {
    let Some((mine, before)) = wordings.split_last() else {
        return (1, false);
    };
    let mut best = (1, 0.0_f64);
    for (distance, theirs) in (1..).zip(before.iter().rev()) {
        let longest = mine.len().max(theirs.len());
        if longest == 0 {
            continue;
        }
        let share = match common(mine, theirs) {
            // "Card declined", "card accepted".
            1 if mine.len() == 2 && theirs.len() == 2 => EDITED,
            common => f64::from(common) / longest as f64,
        };
        if share > best.1 {
            best = (distance, share);
        }
    }
    (best.0, best.1 >= EDITED)
}

/// Length of the longest common subsequence of two rows of at most [`WORDING`] words: one bit for each word of the
/// first, which is cleared where a subsequence grows.
pub(super) fn common(a: &[u32], b: &[u32]) -> u32 {
    let mut row = u64::MAX;
    for y in b {
        let mut equal = 0_u64;
        for (at, x) in a.iter().enumerate().take(WORDING) {
            equal |= u64::from(x == y) << at;
        }
        let grows = row & equal;
        row = row.wrapping_add(grows) | row.wrapping_sub(grows);
    }
    let width = a.len().min(WORDING);
    let mask = if width == WORDING {
        u64::MAX
    } else {
        (1 << width) - 1
    };
    (!row & mask).count_ones()
}

/// Why, without quoting: what an agent said must not reach another one by this way.
fn why(stuck: bool, repeats: usize, period: usize, empty: bool, news: &[String]) -> String {
    if !stuck {
        return if news.is_empty() {
            format!("the last {repeats} thought(s) bring nothing new; it takes more to call it a loop")
        } else {
            format!("the last thought is new: {}", news.join(", "))
        };
    }
    if empty {
        "the last three thoughts name nothing: no object, result or action".to_owned()
    } else if period > 1 {
        format!("the last {repeats} thoughts go round in a circle of {period} without anything new")
    } else {
        format!(
            "the last {} thoughts say the same without a new object, result or action",
            repeats + 1
        )
    }
}
