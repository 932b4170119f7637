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

/// Where the step from a node of the tree of words by a syllable is looked for; the key is both, sixteen bits each.
const fn tree_place(key: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b1) >> 12) as usize
}

/// A bit of what a word of a table is as a head of phrases: it is there for that alone.
const UNLISTED: u64 = 1 << 7;
