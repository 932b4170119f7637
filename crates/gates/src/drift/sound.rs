//! How a word sounds, roughly: the row of its consonants, the same for an English word and the Korean way to
//! write it. `checkpoint` and 체크포인트 are one word.

/// Fewest consonants that make two words alike by sound.
const FEWEST: usize = 3;

/// The row of consonants of a word; `None` for a word with too few of them to tell.
pub(super) fn consonants(word: &str) -> Option<String> {
    let row = if word.is_ascii() {
        english(word)
    } else {
        korean(word)
    };
    (row.len() >= FEWEST).then_some(row)
}

/// Adds a consonant; a doubled one counts once.
fn add(row: &mut String, class: char) {
    if !row.ends_with(class) {
        row.push(class);
    }
}

fn english(word: &str) -> String {
    let bytes = word.as_bytes();
    let at = |i: usize| bytes.get(i).copied().unwrap_or(b' ');
    let vowel = |b: u8| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let mut row = String::new();
    let mut i = 0;
    while i < bytes.len() {
        let (here, next) = (at(i), at(i + 1));
        let mut step = 1;
        let class = match (here, next) {
            // school, schema
            (b's', b'c') if at(i + 2) == b'h' => {
                step = 3;
                add(&mut row, 's');
                'k'
            }
            (b'c', b'h') | (b's', b'h') => {
                step = 2;
                's'
            }
            (b'p', b'h') => {
                step = 2;
                'p'
            }
            (b't', b'h') => {
                step = 2;
                's'
            }
            (b'g', b'h') => {
                step = 2;
                ' '
            }
            (b'n', b'g') if !vowel(at(i + 2)) => {
                step = 2;
                'g'
            }
            (b'c', b'e' | b'i' | b'y') | (b's' | b'z' | b'j', _) => 's',
            (b'g', b'e' | b'i') => 's',
            (b't', b'i') if at(i + 2) == b'o' => 's',
            (b'c' | b'k' | b'q' | b'g', _) => 'k',
            (b'x', _) => {
                add(&mut row, 'k');
                's'
            }
            (b't' | b'd', _) => 't',
            (b'p' | b'b' | b'f' | b'v', _) => 'p',
            (b'l', _) => 'l',
            // Koreans write no r that is not followed by a vowel.
            (b'r', n) if vowel(n) => 'l',
            (b'm', _) => 'm',
            (b'n', _) => 'n',
            (b'h', _) => 'h',
            _ => ' ',
        };
        if class != ' ' {
            add(&mut row, class);
        }
        i += step;
    }
    row
}

fn korean(word: &str) -> String {
    const FIRST: [char; 19] = [
        'k', 'k', 'n', 't', 't', 'l', 'm', 'p', 'p', 's', 's', ' ', 's', 's', 's', 'k', 't', 'p', 'h',
    ];
    const LAST: [char; 28] = [
        ' ', 'k', 'k', 'k', 'n', 'n', 'n', 't', 'l', 'l', 'l', 'l', 'l', 'l', 'l', 'l', 'm', 'p', 'p', 't',
        't', 'g', 't', 't', 'k', 't', 'p', 'h',
    ];
    let mut row = String::new();
    for c in word.chars() {
        let Some(index) = (c as u32).checked_sub(0xac00).filter(|i| *i < 11_172) else {
            continue;
        };
        for class in [FIRST.get(index as usize / 588), LAST.get(index as usize % 28)] {
            if let Some(class) = class.filter(|c| **c != ' ') {
                add(&mut row, *class);
            }
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::consonants;

    #[test]
    fn loan_words_sound_alike() {
        for (english, korean) in [
            ("checkpoint", "체크포인트"),
            ("pipeline", "파이프라인"),
            ("component", "컴포넌트"),
            ("middleware", "미들웨어"),
            ("snapshot", "스냅샷"),
        ] {
            assert_eq!(consonants(english), consonants(korean), "{english} {korean}");
        }
        assert_eq!(consonants("io"), None);
        assert_ne!(consonants("checkpoint"), consonants("스냅샷"));
    }
}
