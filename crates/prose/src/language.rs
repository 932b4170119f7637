//! Which language a message is written in: English, Korean or both are read; others are not judged.

use crate::fold;
use crate::lexicon::{Filter, tag};
use crate::scan;
use crate::tags::Tags;
use crate::token::Token;

/// Function words of other languages in Latin script, sorted. None of them is an English word or a usual name in
/// code.
const FOREIGN: [&str; 95] = [
    "aber", "als", "apenas", "aquí", "auch", "avec", "bei", "cette", "che", "como", "con", "cuando", "das",
    "dass", "degli", "dell", "della", "den", "der", "des", "deux", "diese", "donde", "dos", "een", "ein",
    "eine", "einen", "el", "ela", "elle", "els", "entre", "esta", "este", "está", "et", "für", "gli",
    "haben", "het", "ich", "il", "ils", "ist", "les", "los", "mais", "mas", "mit", "muy", "más", "nach",
    "nell", "nicht", "niet", "noch", "nous", "nur", "não", "oder", "para", "pas", "pelo", "pero", "por",
    "pour", "que", "questo", "qui", "sans", "sein", "ser", "sich", "sind", "sobre", "sono", "sont", "sul",
    "sur", "también", "todos", "tous", "um", "uma", "una", "und", "une", "van", "voor", "vous", "werden",
    "wir", "wird", "été",
];

/// What all words of a message together show.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Words {
    /// It has the function words of another language.
    foreign: bool,
    /// Most of them are Korean.
    pub(crate) korean: bool,
    /// Most of them are written in capitals, which say nothing about acronyms then.
    pub(crate) shouting: bool,
}

/// Whether most of a message is written in another language than English and Korean, by script or by function
/// words. Quoted text counts: who writes English with one foreign quotation writes English.
pub(crate) fn is_foreign(text: &str, words: Words) -> bool {
    !text.is_ascii() && other_script(text) || words.foreign
}

/// Which hashes of the words in [`FOREIGN`] occur, as a rough filter.
static HASHES: Filter = Filter::of(&FOREIGN);

/// By script: words that hold letters of neither script and that are no disguised Latin letters.
fn other_script(text: &str) -> bool {
    if scan::only_known(text.as_bytes()) {
        return false;
    }
    let other = |c: char| !c.is_ascii() && !fold::is_hangul_letter(c) && c.is_alphabetic();
    let strange = |c: char| other(c) && !fold::reads_as_latin(c);
    // Most texts are ASCII but for some words, and have no strange letter; what is ASCII is passed over in chunks.
    let mut rest = text;
    loop {
        let plain = rest.as_bytes().chunks(16).take_while(|chunk| chunk.is_ascii());
        let plain = plain.map(<[u8]>::len).sum();
        let mut chars = rest.get(plain..).unwrap_or_default().chars();
        if chars.by_ref().take(16).any(strange) {
            break;
        }
        rest = chars.as_str();
        if rest.is_empty() {
            return false;
        }
    }
    let (mut known, mut other) = (0u32, 0u32);
    let (mut letters, mut strange) = (0u32, 0u32);
    for c in text.chars().chain([' ']) {
        if c.is_ascii_alphabetic() || fold::is_hangul_letter(c) {
            letters += 1 + u32::from(!c.is_ascii());
        } else if c.is_alphabetic() {
            letters += 1;
            // Signs that stand for a whole word weigh more.
            strange += match fold::reads_as_latin(c) {
                true => 0,
                false if matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}') => 3,
                false => 1,
            };
        } else if !fold::is_invisible(c) {
            if strange > 0 {
                other += letters.max(strange);
            } else {
                known += letters;
            }
            (letters, strange) = (0, 0);
        }
    }
    other > known
}

/// Fewest words that tell a language by being in no list.
const LEAST: u32 = 5;

/// What is counted of the words of a message.
#[derive(Default)]
pub(crate) struct Count {
    /// Words that are not Korean: all of them, function words of another language, those of English, and those that are in no
    /// list.
    words: u32,
    foreign: u32,
    own: u32,
    unlisted: u32,
    /// The tags of all of them.
    tags: Tags,
    /// Characters of the words of each script.
    korean: u32,
    other: u32,
    /// Words of more than a letter, and those of them that are in capitals.
    long: u32,
    caps: u32,
}

impl Count {
    /// One word more that is not Korean. How a word is known nobody can foresee.
    #[inline]
    pub(crate) fn english(&mut self, token: &Token, arena: &str) {
        let tags = token.tags;
        self.other += token.chars;
        self.words += 1;
        self.unlisted += u32::from(tags.is_empty());
        self.tags |= tags;
        self.long += u32::from(token.chars > 1);
        self.caps += u32::from(token.caps);
        self.own += u32::from(tags.any(tag::STOP | tag::FIRST | tag::YOU | tag::CLAUSE | tag::NEG));
        if u64::from(tags.is_empty()) & HASHES.bit(token.hash) != 0 {
            let word = arena.get(token.word.0 as usize..token.word.1 as usize);
            self.foreign += u32::from(FOREIGN.binary_search(&word.unwrap_or_default()).is_ok());
        }
    }

    /// One Korean word more.
    #[inline]
    pub(crate) fn korean(&mut self, token: &Token) {
        self.korean += token.chars * 2;
    }

    /// What they show together.
    pub(crate) fn words(&self) -> Words {
        let Self {
            words,
            foreign,
            own,
            unlisted,
            tags,
            korean,
            other,
            long,
            caps,
        } = *self;
        let function_words = foreign >= 3 && foreign * 6 >= words && foreign > own * 2;
        // English without its function words and its everyday verbs and nouns is none, and neither is Korean so.
        let strange = words >= LEAST && unlisted * 5 >= words * 3 && own * 6 <= words && korean * 4 <= other;
        let strange = strange && !tags.any(tag::APPROVE | tag::REFUSE);
        Words {
            foreign: function_words || strange,
            korean: korean > other,
            shouting: caps * 2 > long,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{read, scan};

    #[test]
    fn other_languages_are_told_apart() {
        for (text, foreign) in [
            (
                "Ich habe die Tests ausgeführt und der Build ist grün, aber das Log zeigt noch einen Fehler.",
                true,
            ),
            (
                "Les tests sont passés et nous avons corrigé la fonction pour les cas vides.",
                true,
            ),
            (
                "He revisado los cambios y el código está muy bien, pero falta una prueba para el caso vacío.",
                true,
            ),
            // With none of the listed function words.
            (
                "El servidor se reinicia cada noche a las tres porque la tarea de copia llena el disco.",
                true,
            ),
            (
                "Serwer restartuje się co noc o trzeciej, bo kopia zapasowa zapełnia dysk.",
                true,
            ),
            (
                "Server memulai ulang setiap malam pukul tiga karena tugas pencadangan memenuhi disk.",
                true,
            ),
            (
                "Serveren starter på nytt hver natt klokken tre fordi sikkerhetskopien fyller disken.",
                true,
            ),
            ("fee displayed 0.0002, fee charged 0.0002. APPROVE", false),
            ("Renderer pipeline caches glyph atlases per viewport", false),
            ("素晴らしい実装です。完璧なコードですね！", true),
            ("代码写得非常好，批准合并。", true),
            ("Отличная работа, код просто великолепен!", true),
            ("عمل رائع، الكود ممتاز", true),
            ("Great work, the code is beautiful!", false),
            ("Grеаt wоrk, thе соdе is bеаutiful!", false),
            ("훌륭한 작업입니다. 코드가 아름답네요!", false),
            (
                "The header is \"Отличная работа\" in the Russian locale and it overflows at 320 px.",
                false,
            ),
            ("Renamed para to paragraph in el.rs and des.rs", false),
            ("", false),
            ("12 34 56", false),
        ] {
            assert_eq!(read(text).is_foreign(), foreign, "{text}");
        }
    }

    /// What is passed over by its bytes has no letter but those of the two scripts.
    #[test]
    fn known_characters_are_no_letters_of_other_scripts() {
        for c in ('\u{80}'..=char::MAX).filter(|c| scan::only_known(c.to_string().as_bytes())) {
            let own = crate::fold::is_hangul_letter(c);
            assert!(own || !c.is_alphabetic(), "{:x}", c as u32);
        }
        for text in ["it’s → 3 ≥ 2 — ✓ 좋다", "", "a…b"] {
            assert!(scan::only_known(text.as_bytes()), "{text}");
        }
        for text in ["é", "ж", "字", "ⓐ", "ⅷ", "한é"] {
            assert!(!scan::only_known(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn the_list_is_sorted() {
        let mut words = super::FOREIGN.to_vec();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words, super::FOREIGN);
    }
}
