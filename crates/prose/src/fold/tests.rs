use super::{Folded, SORT, class, fold, normalize};
use crate::lexicon::hash_of;
use proptest::prelude::*;

proptest! {
    /// Usual texts are normalized in a shorter way, with the same result.
    #[test]
    fn usual_texts_are_normalized_as_others(text in "([a-zA-Z0-9 .,\n]|[가-힣]|[\u{2000}-\u{203f}]|[\u{2190}-\u{22ff}]|[\u{2500}-\u{27bf}]){0,40}") {
        let mut chars = Vec::new();
        fold(&text, 0, text.len(), &mut chars);
        let folded: String = chars.iter().map(|ch| ch.c).collect();
        prop_assert_eq!(normalize(&text), folded);
    }

    /// Runs are what their characters show one by one, in a text of any length and whatever was read before.
    #[test]
    fn runs_are_those_of_the_characters(
        text in "([a-zA-Z]|[0-9]|[ .,-]|[가-힣]|[éÉ“→]|\u{301}){0,60}", times in 1usize..80
    ) {
        let text = text.repeat(times);
        let mut chars = Vec::new();
        fold(&text, 0, text.len(), &mut chars);
        let mut folded = Folded::default();
        for before in ["", "가나 Ab1 é", "a1".repeat(700).as_str()] {
            folded.read(before, 0, before.len());
            folded.read(&text, 0, text.len());
            prop_assert!(folded.chars() == chars);
            let runs = folded.runs();
            prop_assert_eq!(runs.first().map(|run| run.end()), Some(0));
            prop_assert_eq!(runs.last().map(|run| run.end()), Some(chars.len()));
            for pair in runs.windows(2) {
                let part = &chars[pair[0].end()..pair[1].end()];
                if pair[1].is_odd() {
                    continue;
                }
                let sort = part[0].class & SORT;
                prop_assert!(part.iter().all(|ch| ch.class & SORT == sort));
                if sort & class::SAME != 0 && sort & class::ALNUM != 0 {
                    let word: String = part.iter().map(|ch| ch.c).collect();
                    prop_assert_eq!(pair[1].hash(), hash_of(&word), "{}", word);
                    let capitals = part.iter().filter(|ch| ch.upper).count();
                    prop_assert_eq!(pair[1].capitals() - pair[0].capitals(), capitals);
                }
            }
        }
    }
}
