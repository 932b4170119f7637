//! Looking for bytes: sixteen at once, as far as a text holds none of them.

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
