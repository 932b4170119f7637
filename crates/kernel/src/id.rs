use serde::{Deserialize, Serialize};
use std::fmt;

/// A sortable identifier in the ULID form: 48 bits of milliseconds since 1970 and 80 random bits,
/// written as 26 characters of Crockford's base 32. The caller supplies both parts: the kernel has
/// neither clock nor randomness.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Id(String);

const ALPHABET: [char; 32] = [
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K', 'M',
    'N', 'P', 'Q', 'R', 'S', 'T', 'V', 'W', 'X', 'Y', 'Z',
];

impl Id {
    /// Builds an identifier from milliseconds since 1970 and ten random bytes.
    #[must_use]
    pub fn from_parts(millis: u64, random: [u8; 10]) -> Self {
        let mut value = u128::from(millis & 0xFFFF_FFFF_FFFF) << 80;
        for (i, byte) in random.iter().enumerate() {
            value |= u128::from(*byte) << (72 - 8 * i);
        }
        let text = (0..26)
            .rev()
            .map(|i| ALPHABET[((value >> (5 * i)) & 31) as usize])
            .collect();
        Self(text)
    }

    /// Takes an identifier from text (a record, the command line) as it is.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The milliseconds since 1970 that it was built from; 0 for text of another form.
    #[must_use]
    pub fn millis(&self) -> u64 {
        let digit = |c: char| ALPHABET.iter().position(|a| *a == c);
        let mut digits = self.0.chars().take(10).map(digit);
        let value = digits.try_fold(0, |sum: u64, d| Some((sum << 5) | u64::try_from(d?).ok()?));
        value.filter(|_| self.0.len() == 26).unwrap_or_default()
    }

    /// The identifier as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A BLAKE3 digest, shortened to 32 hexadecimal digits (128 bits), as records carry it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest(String);

impl Digest {
    /// The digest of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let hex = blake3::hash(bytes).to_hex();
        Self(hex.get(..32).unwrap_or_default().to_owned())
    }

    /// The digest as hexadecimal text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_sort_by_time_and_have_the_ulid_form() {
        let a = Id::from_parts(1_000, [0xFF; 10]);
        let b = Id::from_parts(1_001, [0; 10]);
        assert!(a < b);
        assert_eq!(a.as_str().len(), 26);
        // The reference value of the ULID specification's time part.
        assert!(
            Id::from_parts(1_469_918_176_385, [0; 10])
                .as_str()
                .starts_with("01ARYZ6S41")
        );
    }
}
