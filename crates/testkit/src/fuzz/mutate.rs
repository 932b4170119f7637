//! Mutations of seeds: deterministic, without any dependency.

/// Pieces that parsers stumble over.
const PIECES: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b"\n",
    b"\r\n",
    b"\t",
    b"\0",
    b"null",
    b"-1",
    b"1e999",
    b"99999999999999999999",
    b"- [ ] ",
    b"- [x] ",
    b"```",
    b"`",
    b"> ",
    b"#",
    b"* ",
    b"DELEGATE::",
    b"EXPECTED OUTCOME:",
    b"APPROVE",
    b"not ",
    b"&a [*a,*a]",
    b"<<: *a",
    b"!!binary ",
    b"|\n ",
    b"../",
    b"*.rs",
    b"**/",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    "한글".as_bytes(),
    "완벽합니다!".as_bytes(),
    "é".as_bytes(),
    "👍".as_bytes(),
    "\u{202e}".as_bytes(),
    "\u{200b}".as_bytes(),
    "ﾊﾝｸﾞﾙ".as_bytes(),
];

/// Longest input.
const LONGEST: usize = 16 << 10;

/// A stream of mutated seeds.
pub(super) struct Mutator {
    seeds: &'static [&'static [u8]],
    state: u64,
}

impl Mutator {
    /// The stream of this name: the same in every run.
    pub(super) fn new(name: &str, seeds: &'static [&'static [u8]]) -> Self {
        // FNV-1a: only to start each stream at another place.
        let state = name.bytes().fold(0xcbf2_9ce4_8422_2325, |h: u64, b| {
            (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
        });
        Self { seeds, state }
    }

    /// The next number of the stream (SplitMix64).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit` (0 when the limit is 0).
    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % (limit.max(1) as u64)).unwrap_or(0)
    }

    fn seed(&mut self) -> &'static [u8] {
        let at = self.below(self.seeds.len());
        self.seeds.get(at).copied().unwrap_or_default()
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let end = start + self.below((length - start).min(64) + 1);
        start..end
    }

    /// A seed with one to eight mutations.
    pub(super) fn next_input(&mut self) -> Vec<u8> {
        let mut input = self.seed().to_vec();
        for _ in 0..=self.below(8) {
            let range = self.range(input.len());
            match self.below(6) {
                0 => {
                    if let Some(byte) = input.get_mut(range.start) {
                        *byte ^= 1 << (self.next() % 8);
                    }
                }
                1 => drop(input.drain(range)),
                2 => {
                    let copy = input
                        .get(range.clone())
                        .unwrap_or_default()
                        .repeat(1 + self.below(4));
                    input.splice(range.end..range.end, copy);
                }
                3 => input.truncate(range.start.max(1)),
                4 => {
                    let other = self.seed();
                    let part = self.range(other.len());
                    input.splice(range, other.get(part).unwrap_or_default().iter().copied());
                }
                _ => {
                    let piece = PIECES.get(self.below(PIECES.len())).copied().unwrap_or_default();
                    input.splice(range.start..range.start, piece.iter().copied());
                }
            }
        }
        input.truncate(LONGEST);
        input
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn mutations_differ_from_each_other_and_not_from_run_to_run() {
        static SEEDS: &[&[u8]] = &[b"hello world", b"{\"a\":1}"];
        let run = || {
            let mut mutator = Mutator::new("x", SEEDS);
            (0..200).map(|_| mutator.next_input()).collect::<Vec<_>>()
        };
        let first = run();
        assert_eq!(first, run());
        assert!(first.iter().collect::<BTreeSet<_>>().len() > 150);
    }
}
