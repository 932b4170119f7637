//! The tokens of a clause that are said, without marks.

use proctor_prose::{Token, TokenKind};

/// Whether a token is said, and no mark.
fn is_said(token: &Token) -> bool {
    !token.quoted
        & !matches!(
            token.kind,
            TokenKind::Punct(_) | TokenKind::Emoji | TokenKind::Mention
        )
}

/// The tokens that are said, without marks, in `room`. Which they are nobody can foresee: each is put behind the others, and
/// stays where it counts.
pub(super) fn gather<'t, 'w>(tokens: &'t [Token], room: &'w mut Vec<&'t Token>) -> &'w [&'t Token] {
    room.clear();
    let Some(first) = tokens.first() else {
        return room;
    };
    room.resize(tokens.len(), first);
    let mut count = 0;
    for token in tokens {
        if let Some(place) = room.get_mut(count) {
            *place = token;
        }
        count += usize::from(is_said(token));
    }
    room.truncate(count);
    room
}

/// The same in a room of its own.
pub(super) fn said(tokens: &[Token]) -> Vec<&Token> {
    tokens.iter().filter(|t| is_said(t)).collect()
}
