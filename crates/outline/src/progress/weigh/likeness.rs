//! How much a stretch of an answer is like an item beyond shared concepts: beginnings of words, syllables in twos, figures,
//! and the consonants of words that went from one script into the other (script, 스크립트).

use super::super::signs::Signs;
use super::super::stem::{START, hash_bytes};
use super::super::words;
use crate::text::is_hangul;

/// Most pieces of one word that are told apart.
const MOST: usize = 14;
/// The bit of a word's consonants.
const SOUND: u16 = 1 << 15;

/// A word of an item.
struct Word {
    item: usize,
    /// How much it tells, in hundredths.
    weight: u32,
    /// How many pieces it has.
    pieces: u32,
}

/// The pieces of all words of a checklist.
pub(in super::super) struct Likeness {
    words: Vec<Word>,
    /// Hash, word, bit in the word.
    index: Vec<(u64, u32, u16)>,
    totals: Vec<u32>,
}

/// What was heard of the words in one stretch; room that is used again.
#[derive(Default)]
pub(super) struct Heard {
    masks: Vec<u16>,
    touched: Vec<u32>,
}

impl Likeness {
    pub(in super::super) fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut out = Self {
            words: Vec::new(),
            index: Vec::new(),
            totals: Vec::new(),
        };
        for (item, text) in texts.enumerate() {
            split(text, &mut |word, korean| out.add(item, word, korean));
            out.totals.push(0);
        }
        out.index.sort_unstable();
        out.share();
        out
    }

    fn add(&mut self, item: usize, word: &str, korean: bool) {
        let Some(weight) = weight(word, korean) else {
            return;
        };
        let number = self.words.len() as u32;
        let mut pieces = 0;
        grams(word, korean, &mut |hash, sound| {
            let bit = if sound { SOUND } else { 1 << pieces.min(MOST) };
            if !sound {
                pieces += 1;
            }
            // Sounds are looked for by words of the other script.
            self.index
                .push((if sound { hash ^ u64::from(korean) } else { hash }, number, bit));
        });
        self.words.push(Word {
            item,
            weight,
            pieces: (pieces as u32).clamp(1, MOST as u32),
        });
    }

    /// Words whose pieces stand in several items tell less.
    fn share(&mut self) {
        let mut items: Vec<u32> = vec![1; self.words.len()];
        for same in self.index.chunk_by(|a, b| a.0 == b.0) {
            let mut seen: Vec<usize> = same
                .iter()
                .filter_map(|(_, w, _)| self.words.get(*w as usize).map(|w| w.item))
                .collect();
            seen.dedup();
            for (_, word, _) in same {
                if let Some(count) = items.get_mut(*word as usize) {
                    *count = (*count).max(seen.len() as u32);
                }
            }
        }
        for (word, count) in self.words.iter_mut().zip(items) {
            word.weight /= count.min(3);
            if let Some(total) = self.totals.get_mut(word.item) {
                *total += word.weight;
            }
        }
    }

    /// Hears a stretch of text.
    pub(super) fn hear(&self, text: &str, heard: &mut Heard) {
        heard.masks.resize(self.words.len(), 0);
        split(text, &mut |word, korean| {
            grams(word, korean, &mut |hash, sound| {
                let hash = if sound { hash ^ u64::from(!korean) } else { hash };
                let from = self.index.partition_point(|e| e.0 < hash);
                let rest = self.index.get(from..).unwrap_or_default();
                for (_, word, bit) in rest.iter().take_while(|e| e.0 == hash).take(16) {
                    if let Some(mask) = heard.masks.get_mut(*word as usize) {
                        if *mask == 0 {
                            heard.touched.push(*word);
                        }
                        *mask |= bit;
                    }
                }
            });
        });
    }

    /// Of 100, how much of each item was heard; forgets it.
    pub(super) fn shares(&self, heard: &mut Heard, out: &mut [i16]) {
        for word in heard.touched.drain(..) {
            let Some(mask) = heard.masks.get_mut(word as usize).map(std::mem::take) else {
                continue;
            };
            let Some(known) = self.words.get(word as usize) else {
                continue;
            };
            let heard = (mask & !SOUND).count_ones().min(known.pieces) * 100 / known.pieces;
            let heard = if mask & SOUND != 0 { 100 } else { heard };
            let total = self.totals.get(known.item).copied().unwrap_or(0).max(1);
            if let Some(share) = out.get_mut(known.item) {
                *share += (known.weight * heard / total) as i16;
            }
        }
    }
}

/// How much a word tells, in hundredths; `None` for function words.
fn weight(word: &str, korean: bool) -> Option<u32> {
    let (signs, class) = if korean {
        let (signs, _) = words::korean_signs(word);
        (signs, super::super::class::Class::NONE)
    } else {
        let heard = words::english(word, words::name(word)).0;
        (heard.signs, heard.class)
    };
    if signs.any(Signs::STOP.with(Signs::DETERMINER).with(Signs::PREPOSITION)) {
        return None;
    }
    let weak = !class.is_none() || signs.any(Signs::GENERIC.with(Signs::DONE).with(Signs::VERIFIED));
    Some(if weak { 300 } else { 1000 })
}

/// The words of a text: runs of Hangul without their endings, runs of Latin letters in lower case, numbers.
fn split(text: &str, out: &mut dyn FnMut(&str, bool)) {
    let mut lower = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if is_hangul(c) {
            let end = rest.find(|c| !is_hangul(c)).unwrap_or(rest.len());
            let (run, after) = rest.split_at(end);
            if !words::is_light(run) {
                out(words::korean_stem(run), true);
            }
            rest = after;
        } else if c.is_alphabetic() {
            let mut last_lower = false;
            let end = rest
                .find(|c: char| {
                    let breaks = !c.is_alphabetic() || is_hangul(c) || last_lower && c.is_uppercase();
                    last_lower = c.is_lowercase();
                    breaks
                })
                .unwrap_or(rest.len());
            let (run, after) = rest.split_at(end);
            lower.clear();
            lower.extend(run.chars().flat_map(char::to_lowercase));
            out(&lower, false);
            rest = after;
        } else if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let (run, after) = rest.split_at(end);
            out(run, false);
            rest = after;
        } else {
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        }
    }
}

/// The pieces of a word, as hashes; the last may be its consonants.
fn grams(word: &str, korean: bool, out: &mut dyn FnMut(u64, bool)) {
    if korean {
        let mut before: Option<(usize, char)> = None;
        let mut count = 0;
        for (at, c) in word.char_indices() {
            if let Some((from, _)) = before {
                let two = word.get(from..at + c.len_utf8()).unwrap_or_default();
                out(hash_bytes(START ^ 2, two.as_bytes()), false);
            }
            before = Some((at, c));
            count += 1;
        }
        if count == 1 {
            out(hash_bytes(START ^ 3, word.as_bytes()), false);
        }
    } else if word.len() <= 4 || !word.is_ascii() {
        out(hash_bytes(START ^ 4, word.as_bytes()), false);
    } else {
        // Forms and kin of a word begin alike.
        out(
            hash_bytes(START ^ 4, word.get(..4).unwrap_or(word).as_bytes()),
            false,
        );
        if let Some(head) = word.get(..6) {
            out(hash_bytes(START ^ 6, head.as_bytes()), false);
        }
    }
    if let Some(sound) = consonants(word, korean) {
        // Only across scripts: within one the letters say more.
        out(sound, true);
    }
}

/// The consonants of a word as they sound in both scripts, hashed; `None` for fewer than three.
fn consonants(word: &str, korean: bool) -> Option<u64> {
    let mut list = [0u8; 12];
    let mut count = 0;
    let mut push = |c: u8| {
        if let Some(slot) = list.get_mut(count) {
            *slot = c;
            count += 1;
        }
    };
    if korean {
        // ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ
        const FIRST: &[u8; 19] = b"KKNTTLMPPSS-SSSKTP-";
        // Behind the vowel: none, ㄱ … ㅎ
        const LAST: &[u8; 28] = b"-KKKNNNTLLLLLLLLMPPTTNTTKTP-";
        for c in word.chars() {
            let code = u32::from(c).wrapping_sub(0xAC00);
            let first = FIRST.get(code as usize / 588).copied().unwrap_or(b'-');
            let last = LAST.get(code as usize % 28).copied().unwrap_or(b'-');
            [first, last]
                .into_iter()
                .filter(|c| *c != b'-')
                .for_each(&mut push);
        }
    } else {
        let bytes = word.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            let next = bytes.get(at + 1).copied().unwrap_or(b' ');
            let before = at
                .checked_sub(1)
                .and_then(|b| bytes.get(b))
                .copied()
                .unwrap_or(b' ');
            let vowel = |b: u8| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
            if *byte == before {
                continue;
            }
            match byte {
                b'c' if matches!(next, b'e' | b'i' | b'y' | b'h') => push(b'S'),
                b'c' if before == b's' => push(b'K'),
                b'k' if before == b'c' => {}
                b'c' | b'k' | b'q' => push(b'K'),
                b'g' if before == b'n' && !vowel(next) => {}
                b'g' => push(b'K'),
                b't' if next == b'h' => push(b'S'),
                b'd' | b't' => push(b'T'),
                b'h' => {}
                b'b' | b'f' | b'p' | b'v' => push(b'P'),
                b's' | b'z' | b'j' => push(b'S'),
                b'x' => {
                    push(b'K');
                    push(b'S');
                }
                b'm' => push(b'M'),
                b'n' => push(b'N'),
                b'l' => push(b'L'),
                b'r' if vowel(next) => push(b'L'),
                _ => {}
            }
        }
    }
    (count >= 3).then(|| {
        // The script is part of the hash of neither.
        hash_bytes(START ^ 9, list.get(..count).unwrap_or_default())
    })
}
