//! English words without their inflection. Also compiled into the build script, which lays the lexicon out
//! by these stems.

/// Where the hash of a name begins: FNV-1a with 64 bits.
pub(super) const START: u64 = 0xcbf2_9ce4_8422_2325;

/// A hash with more bytes.
pub(super) const fn hash_on(hash: u64, text: &str) -> u64 {
    hash_bytes(hash, text.as_bytes())
}

/// A hash with more bytes.
pub(super) const fn hash_bytes(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        at += 1;
    }
    hash
}

/// A word without its inflection: the beginning of the word, and perhaps a `y` in place of its end.
#[derive(Clone, Copy)]
pub(super) struct Stem<'a> {
    pub(super) head: &'a str,
    pub(super) y: bool,
}

impl Stem<'_> {
    /// The hash of the stem's text.
    pub(super) fn hash(self) -> u64 {
        hash_on(hash_on(START, self.head), if self.y { "y" } else { "" })
    }
}

/// An English word without its inflection. Not a dictionary form, only the same for all forms.
pub(super) fn stem(word: &str) -> Stem<'_> {
    let word = word.trim_end_matches("'s").trim_end_matches("’s");
    let plain = |head| Stem { head, y: false };
    if !word.is_ascii() || word.len() < 3 || word.bytes().any(|b| b.is_ascii_digit()) {
        return plain(word);
    }
    let irregular = match word {
        "wrote" | "written" | "writes" | "writing" => "write",
        "ran" | "runs" | "running" => "run",
        "made" | "makes" | "making" => "make",
        "built" | "builds" => "build",
        "sent" => "send",
        "found" => "find",
        "rewrote" | "rewritten" => "rewrite",
        "rebuilt" => "rebuild",
        "gone" | "went" => "go",
        "docs" | "doc" => "document",
        "took" | "taken" => "take",
        "kept" => "keep",
        "indices" | "indexes" => "index",
        "has" | "had" => "have",
        "hid" | "hidden" => "hide",
        "drew" | "drawn" => "draw",
        "chose" | "chosen" => "choose",
        other => other,
    };
    let vowel = |s: &str| {
        s.bytes()
            .any(|b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))
    };
    // Cuts an ending off where at least so many letters stay, a vowel among them.
    let cut = |word: &'static str, keep: usize, least: usize, out: &mut &str| {
        let fits = out
            .strip_suffix(word)
            .is_some_and(|s| s.len() >= least && vowel(s));
        if fits {
            *out = out.get(..out.len() - word.len() + keep).unwrap_or_default();
        }
        fits
    };
    let mut out: &str = irregular;
    let mut y = false;
    match out.as_bytes().last() {
        Some(b's') => {
            y = cut("ies", 0, 2, &mut out);
            let _ = y
                || cut("sses", 2, 2, &mut out)
                || cut("xes", 1, 2, &mut out)
                || cut("shes", 2, 2, &mut out)
                || cut("ches", 2, 2, &mut out)
                || (!out.ends_with("ss")
                    && !out.ends_with("us")
                    && !out.ends_with("is")
                    && cut("s", 0, 2, &mut out));
        }
        Some(b'd') => y = cut("ied", 0, 2, &mut out),
        _ => {}
    }
    if !y
        && matches!(
            out.as_bytes().last(),
            Some(b'n' | b'g' | b'd' | b'e' | b't' | b'l')
        )
    {
        let _ = cut("ation", 0, 3, &mut out)
            || cut("ating", 0, 3, &mut out)
            || cut("ated", 0, 3, &mut out)
            || cut("ate", 0, 3, &mut out)
            || cut("ion", 0, 4, &mut out)
            || cut("ment", 0, 4, &mut out)
            || cut("ing", 0, 2, &mut out)
            || cut("ed", 0, 2, &mut out)
            || cut("al", 0, 4, &mut out)
            || cut("e", 0, 2, &mut out);
    }
    if y {
        // `y` takes the place of a doubled letter.
        let doubled = out.ends_with('y') && out.len() > 1;
        return Stem {
            head: out,
            y: !doubled,
        };
    }
    if let [.., a, b] = out.as_bytes()
        && a == b
        && out.len() > 2
    {
        out = out.get(..out.len() - 1).unwrap_or_default();
    }
    plain(out)
}
