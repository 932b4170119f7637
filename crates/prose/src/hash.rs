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
