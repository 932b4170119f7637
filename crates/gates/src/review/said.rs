//! The tokens of a clause that are said, without marks.

use proctor_prose::{Token, TokenKind};
use std::ops::Range;

/// Whether a token is said, and no mark.
fn is_said(token: &Token) -> bool {
    let mark = matches!(token.kind, TokenKind::Punct(_));
    let aside = (token.kind == TokenKind::Emoji) | (token.kind == TokenKind::Mention);
    !(token.quoted | mark | aside)
}

/// The tokens that are said, without marks, in `room`. Which they are nobody can foresee: each is put behind the others, and
/// stays where it counts.
pub(super) fn gather<'t, 'w>(tokens: &'t [Token], room: &'w mut Vec<&'t Token>) -> &'w [&'t Token] {
    let Some(first) = tokens.first() else {
        return &[];
    };
    // What is behind those that count is left from before.
    if room.len() < tokens.len() {
        room.resize(tokens.len(), first);
    }
    let mut count = 0;
    for token in tokens {
        if let Some(place) = room.get_mut(count) {
            *place = token;
        }
        count += usize::from(is_said(token));
    }
    room.get(..count).unwrap_or_default()
}

/// The same in a room of its own.
pub(super) fn said(tokens: &[Token]) -> Vec<&Token> {
    tokens.iter().filter(|t| is_said(t)).collect()
}

/// Tells clause by clause, in their order, which bits the tokens of each show. All tokens are gone through as one, 64 at once:
/// few show any, and where a clause ends is as good as random.
pub(super) struct Shown<'r, M, B> {
    tokens: &'r [Token],
    /// Which of the tokens from `from` on may show some and were not looked at yet, and where those behind them begin.
    hits: u64,
    from: usize,
    behind: usize,
    may: M,
    bits: B,
    /// A token that shows some and is not told yet.
    next: Option<(usize, u8)>,
}

impl<'r, M: Fn(&Token) -> bool, B: Fn(&Token) -> u8> Shown<'r, M, B> {
    /// Of these tokens; `bits` looks at those that `may` show any.
    pub(super) fn of(tokens: &'r [Token], may: M, bits: B) -> Self {
        let mut out = Self {
            tokens,
            hits: 0,
            from: 0,
            behind: 0,
            may,
            bits,
            next: None,
        };
        out.step();
        out
    }

    fn step(&mut self) {
        self.next = None;
        while self.next.is_none() {
            while self.hits == 0 {
                let behind = self.tokens.get(self.behind..).unwrap_or_default();
                let some = behind.get(..behind.len().min(64)).unwrap_or_default();
                if some.is_empty() {
                    return;
                }
                // From the last one on, so that each moves those behind it up.
                let add = |hits, token| hits << 1 | u64::from((self.may)(token));
                self.hits = some.iter().rev().fold(0, add);
                self.from = self.behind;
                self.behind += some.len();
            }
            let at = self.from + self.hits.trailing_zeros() as usize;
            self.hits &= self.hits - 1;
            let bits = self.tokens.get(at).map_or(0, &self.bits);
            self.next = Some((at, bits)).filter(|_| bits != 0);
        }
    }

    /// The bits that tokens of the next clause show.
    pub(super) fn by(&mut self, tokens: &Range<usize>) -> u8 {
        let mut all = 0;
        while let Some((at, bits)) = self.next.filter(|(at, _)| *at < tokens.end) {
            all |= if at >= tokens.start { bits } else { 0 };
            self.step();
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_prose::read;

    #[test]
    fn each_clause_shows_what_its_tokens_show() {
        let mut text = String::new();
        for at in 0..90 {
            text.push_str(if at % 7 == 0 {
                "It is `a_b`, no 7. "
            } else {
                "So it goes on, and on. "
            });
        }
        for text in ["", "a", &text] {
            let reading = read(text);
            let bits =
                |t: &Token| u8::from(t.kind == TokenKind::Code) | u8::from(t.kind == TokenKind::Number) << 1;
            let mut shown = Shown::of(&reading.tokens, |t| t.chars < 6, bits);
            for (at, clause) in reading.clauses.iter().enumerate() {
                // Clauses may be left out.
                if at % 5 == 3 {
                    continue;
                }
                let all = reading.tokens_of(clause).iter().fold(0, |all, t| all | bits(t));
                assert_eq!(shown.by(&clause.tokens), all, "{at}");
            }
        }
    }
}
