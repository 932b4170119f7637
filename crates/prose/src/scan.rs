//! Looking for bytes: sixteen at once, as far as a text holds none of them; and whether a text holds only what most do.

/// Bytes that are looked at together.
const WIDTH: usize = 16;

/// Where the first byte stands that `is` accepts. `apart` tells the same in another way, 0 for such a byte, and should be plain
/// arithmetic: the least of many is found at once.
#[inline]
pub(crate) fn first(bytes: &[u8], apart: impl Fn(u8) -> u8, is: impl Fn(u8) -> bool) -> Option<usize> {
    let (chunks, rest) = bytes.as_chunks::<WIDTH>();
    let skipped = chunks
        .iter()
        .take_while(|chunk| chunk.iter().fold(u8::MAX, |least, b| least.min(apart(*b))) != 0)
        .count();
    let here = chunks.get(skipped).map_or(rest, |chunk| chunk.as_slice());
    let inside = here.iter().position(|b| is(*b))?;
    Some(skipped * WIDTH + inside)
}

/// Whether a text holds nothing but ASCII, Hangul syllables and usual marks, by its bytes.
pub(crate) fn only_known(bytes: &[u8]) -> bool {
    // What begins with the last three of these four is all Hangul; with the first what goes on high enough is.
    let other = |b: u8, next: u8| ((b >= 0xc0) & !(0xea..=0xed).contains(&b)) | ((b == 0xea) & (next < 0xb0));
    let mut rest = bytes;
    loop {
        while let Some((chunk, behind)) = rest.split_first_chunk::<WIDTH>()
            && let Some(next) = rest.get(1..).and_then(<[u8]>::first_chunk::<WIDTH>)
            // Without a branch, so that it is done at once.
            && !chunk.iter().zip(next).fold(false, |any, (b, next)| any | other(*b, *next))
        {
            rest = behind;
        }
        let next = rest.iter().skip(1).chain([&0xff]);
        let Some(at) = rest.iter().zip(next).position(|(b, next)| other(*b, *next)) else {
            return true;
        };
        match rest.get(at..) {
            // Dashes, quotation marks and dots (U+2000 to U+203F), arrows and signs of arithmetic (U+2190 to U+22FF), boxes,
            // shapes and ticks (U+2500 to U+27BF): no letter is among them.
            Some([0xe2, 0x80, _, behind @ ..])
            | Some([0xe2, 0x86, 0x90..=0xbf, behind @ ..])
            | Some([0xe2, 0x87..=0x8b | 0x94..=0x9e, _, behind @ ..]) => rest = behind,
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::first;

    #[test]
    fn the_first_is_found_wherever_it_stands() {
        for length in 0..70 {
            let mut bytes = vec![b'a'; length];
            let first_x = |bytes: &[u8]| first(bytes, |b| b ^ b'x', |b| b == b'x');
            assert_eq!(first_x(&bytes), None);
            for at in (0..length).rev() {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = b'x';
                }
                assert_eq!(first_x(&bytes), Some(at));
            }
        }
    }
}
