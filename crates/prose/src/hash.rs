/// Where the hash of a word begins: FNV-1a over its bytes. Also compiled into the build script, which lays
/// the tables out.
const HASH_START: u32 = 0x811c_9dc5;

/// The hash with one more byte.
pub(crate) const fn hash_step(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

/// Brings the high bits down to where the tables look.
pub(crate) const fn hash_end(hash: u32) -> u32 {
    hash ^ (hash >> 15)
}

/// The hash of a word.
const fn word_hash(word: &[u8]) -> u32 {
    let mut hash = HASH_START;
    let mut i = 0;
    while i < word.len() {
        hash = hash_step(hash, word[i]);
        i += 1;
    }
    hash_end(hash)
}

/// Where the step from a node of the tree of words by a syllable is looked for; the key is both, sixteen bits each. The factor
/// is one with which each is found in time.
const fn tree_place(key: u32, factor: u32) -> usize {
    (key.wrapping_mul(factor) >> 12) as usize
}

/// In how many slots from there on it may be.
const TREE_SLOTS: usize = 5;

/// The number of the set of tags in an English entry, and its marks: the word is there only because phrases begin with it,
/// and phrases begin with it.
const SET: u16 = 0x3fff;
const UNLISTED: u16 = 1 << 14;
const LEADS: u16 = 1 << 15;
/// Letters of a word that an English entry holds.
const LETTERS: usize = 13;

/// The number of what a node of the tree of Korean words says, whether a phrase goes on behind it, and what ends there: a
/// stem, a word that counts as a whole, a phrase, the first word of one.
const SAID: u16 = 0x7ff;
const MORE: u16 = 1 << 11;
const STEM: u16 = 1 << 12;
const WHOLE: u16 = 1 << 13;
const PHRASE: u16 = 1 << 14;
const HEAD: u16 = 1 << 15;

/// The hash of words in a row, by the hash of those before and that of one more.
const fn chain(before: u32, word: u32) -> u32 {
    (before.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b1)
}

/// Words of 64 bits in the filter of what phrases begin with.
const PREFIXES: usize = 1 << 11;

/// The word and the bit of this filter where the hash of words in a row is looked for.
const fn prefix_bit(chained: u32) -> (usize, u32) {
    let place = hash_end(chained);
    (place as usize / 64 % PREFIXES, place % 64)
}
