/// Hash of a word: FNV-1a over its bytes. Also compiled into the build script, which lays the tables out.
#[must_use]
const fn word_hash(word: &[u8]) -> u32 {
    let mut hash: u32 = 0x811c_9dc5;
    let mut i = 0;
    while i < word.len() {
        hash = (hash ^ word[i] as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    hash ^ (hash >> 15)
}
