//! Looking for bytes: sixteen at once, as far as a text holds none of them; and whether a text holds only what most do.

/// Bytes that are looked at together.
const WIDTH: usize = 16;

/// Where the first byte stands that `is` accepts. What `is` does should be plain comparisons.
#[inline]
pub(crate) fn first(bytes: &[u8], is: impl Fn(u8) -> bool) -> Option<usize> {
    first_by(bytes, &is, &is)
}

/// The same for many different bytes: `one` tells in another way what `is` does, and does not have to be comparisons.
#[inline]
pub(crate) fn first_by(bytes: &[u8], is: impl Fn(u8) -> bool, one: impl Fn(u8) -> bool) -> Option<usize> {
    let (chunks, rest) = bytes.as_chunks::<WIDTH>();
    let skipped = chunks
        .iter()
        // Without a branch, so that it is done at once.
        .take_while(|chunk| !chunk.iter().fold(false, |any, b| any | is(*b)))
        .count();
    let here = chunks.get(skipped).map_or(rest, |chunk| chunk.as_slice());
    let inside = here.iter().position(|b| one(*b))?;
    Some(skipped * WIDTH + inside)
}

/// Whether a text holds nothing but ASCII, Hangul syllables and usual marks, by its bytes.
pub(crate) fn only_known(bytes: &[u8]) -> bool {
    // What begins with these three is all Hangul; with 0xea some is.
    let other = |b: u8| (b >= 0xc0) & !(0xeb..=0xed).contains(&b);
    let mut rest = bytes;
    while let Some(at) = first(rest, other) {
        match rest.get(at..) {
            Some([0xea, 0xb0..=0xbf, _, behind @ ..]) => rest = behind,
            // Dashes, quotation marks and dots (U+2000 to U+203F), arrows and signs of arithmetic (U+2190 to U+22FF), boxes,
            // shapes and ticks (U+2500 to U+27BF): no letter is among them.
            Some([0xe2, 0x80, _, behind @ ..])
            | Some([0xe2, 0x86, 0x90..=0xbf, behind @ ..])
            | Some([0xe2, 0x87..=0x8b | 0x94..=0x9e, _, behind @ ..]) => rest = behind,
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::first;

    #[test]
    fn the_first_is_found_wherever_it_stands() {
        for length in 0..70 {
            let mut bytes = vec![b'a'; length];
            assert_eq!(first(&bytes, |b| b == b'x'), None);
            for at in (0..length).rev() {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = b'x';
                }
                assert_eq!(first(&bytes, |b| b == b'x'), Some(at));
            }
        }
    }
}
