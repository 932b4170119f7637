//! The nearest known word to a misspelt one.

/// Words longer than this are no misspelling of a key.
const LONGEST: usize = 48;

/// The known word that `word` was probably meant to be, or `None` when nothing is near.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let plain = |text: &str| text.to_lowercase().replace(['-', ' '], "_");
    let word = plain(word);
    let letters: Vec<char> = word.chars().collect();
    let by_distance = known
        .iter()
        .map(|name| {
            (
                distance(&letters, &plain(name).chars().collect::<Vec<_>>()),
                *name,
            )
        })
        .min_by_key(|(d, _)| *d)
        .filter(|(d, name)| *d <= name.chars().count().max(letters.len()) / 3)
        .map(|(_, name)| name);
    by_distance.or_else(|| {
        // `threshold` for `flattery_threshold`, `retries_max` not: one whole part must be there.
        let mut partial = known
            .iter()
            .filter(|name| letters.len() > 3 && name.split('_').any(|part| part == word));
        partial.next().copied().filter(|_| partial.next().is_none())
    })
}

/// Edits from one word to the other: insert, delete, replace, or swap two neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let replaced = last.get(j).copied().unwrap_or(0) + usize::from(x != y);
            let removed = last.get(j + 1).copied().unwrap_or(0) + 1;
            let added = row.get(j).copied().unwrap_or(0) + 1;
            let mut best = replaced.min(removed).min(added);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped {
                best = best.min(before.get(j - 1).copied().unwrap_or(0) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_words_find_their_key() {
        let known = [
            "mode",
            "enabled",
            "on_error",
            "flattery_threshold",
            "max_retries",
            "human_facing",
            "allow",
        ];
        for (word, expected) in [
            ("flatery_threshold", Some("flattery_threshold")),
            ("flattery-threshold", Some("flattery_threshold")),
            ("Mode", Some("mode")),
            ("mdoe", Some("mode")),
            ("threshold", Some("flattery_threshold")),
            ("maxretries", Some("max_retries")),
            ("colour", None),
            ("", None),
            ("가나다", None),
        ] {
            assert_eq!(nearest(word, &known), expected, "{word}");
        }
        assert_eq!(nearest(&"x".repeat(100_000), &known), None);
    }
}
