//! What takes an approval back or speaks against it behind it: "Scratch that", 취소합니다, a list of blocking issues.

use proctor_prose::{Block, BlockKind, Clause, Features, Reading, TokenKind};

/// Most words of a clause that takes back what was said before.
const SHORT: usize = 6;

/// Whether a clause takes back what stands before it: "Scratch that", "I take that back", "아, 취소합니다".
pub(super) fn back(reading: &Reading, clause: &Clause) -> bool {
    let open = Features::QUESTION
        .or(Features::QUOTED)
        .or(Features::STRUCK)
        .or(Features::CONDITIONAL)
        .or(Features::NEGATED);
    if clause.features.any(open) {
        return false;
    }
    let tokens = reading.tokens_of(clause);
    let mut words = [""; SHORT];
    let mut count = 0;
    for token in tokens
        .iter()
        .filter(|t| t.is_word() || t.kind == TokenKind::Hangul)
    {
        let Some(place) = words.get_mut(count) else {
            return false;
        };
        *place = reading.word(token);
        count += 1;
    }
    let said = words.get(..count).unwrap_or_default();
    let that = |word: &str| {
        matches!(
            word,
            "that" | "this" | "it" | "approval" | "verdict" | "lgtm" | "approve"
        )
    };
    // Who takes back speaks of himself: "users can cancel it" tells of the work.
    let own = |before: &[&str]| {
        before.iter().all(|w| {
            matches!(
                *w,
                "i" | "we"
                    | "please"
                    | "actually"
                    | "wait"
                    | "no"
                    | "oh"
                    | "sorry"
                    | "hereby"
                    | "must"
                    | "have"
                    | "to"
            )
        })
    };
    match said {
        [before @ .., verb, "my" | "the", what] | [before @ .., verb, what] if that(what) && own(before) => {
            matches!(
                *verb,
                "scratch"
                    | "strike"
                    | "retract"
                    | "retracted"
                    | "withdraw"
                    | "withdrawn"
                    | "revoke"
                    | "cancel"
                    | "disregard"
            )
        }
        [before @ .., "take" | "taking", what, "back"] | [before @ .., "take" | "taking", "back", what] => {
            that(what) && own(before)
        }
        [.., verb] => {
            // 취소합니다 alone: with an object it is a thing of its own (주문을 취소합니다).
            let taken = ["취소", "철회", "번복"].iter().any(|stem| verb.starts_with(stem));
            let own = said.iter().take(count - 1).all(|w| {
                [
                    "아", "앗", "죄송", "잠깐", "위", "앞", "방금", "제", "승인", "이", "그",
                ]
                .iter()
                .any(|s| w.starts_with(s))
            });
            taken && own && (verb.ends_with("니다") || verb.ends_with('요') || verb.ends_with("함"))
        }
        [] => false,
    }
}

/// Whether an entry, in lower case, names nothing: "none", "no blockers", 없음.
pub(super) fn is_nothing(item: &str) -> bool {
    item.is_empty()
        || [
            "none",
            "nothing",
            "no ",
            "n/a",
            "없음",
            "없습니다",
            "해당 없음",
            "없다",
        ]
        .iter()
        .any(|none| item.starts_with(none))
}

/// Whether a line heads a list of what must be mended before anything goes on, and the list names something.
pub(super) fn blocks(text: &str, reading: &Reading, at: usize) -> bool {
    let Some(block) = reading.blocks.get(at) else {
        return false;
    };
    let words = |block: &Block| {
        let body = text.get(block.body..block.end).unwrap_or_default();
        body.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
    };
    if block.end - block.body > 48 || !matches!(block.kind, BlockKind::Heading { .. } | BlockKind::Paragraph)
    {
        return false;
    }
    let head = words(block);
    let blocking = [
        "blocking",
        "blocker",
        "must fix",
        "must be fixed",
        "required changes",
        "필수 수정",
        "수정 필수",
        "차단 이슈",
    ];
    let denied =
        head.contains("no ") || head.contains("non-") || head.contains("없") || head.contains("not ");
    if denied || !blocking.iter().any(|b| head.starts_with(b)) {
        return false;
    }
    reading.blocks.get(at + 1).is_some_and(|next| {
        matches!(
            next.kind,
            BlockKind::ListItem {
                checked: None | Some(false),
                ..
            }
        ) && !is_nothing(&words(next))
    })
}

/// Whether anything behind `approved` (a byte offset) takes the approval back.
pub(super) fn after(reading: &Reading, approved: usize) -> bool {
    let behind = reading.clauses.iter().skip_while(|c| c.start < approved);
    let prose = |c: &&Clause| reading.blocks.get(c.block).is_some_and(|b| b.kind.is_prose());
    behind.filter(prose).any(|c| back(reading, c))
}
