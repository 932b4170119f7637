//! What takes an approval back or speaks against it behind it: "Scratch that", 취소합니다, a list of blocking issues.

use super::said::Shown;
use proctor_prose::{Block, BlockKind, Clause, Features, Filter, Kinds, Reading, TokenKind, tag};

/// Most words of a clause that takes back what was said before.
const SHORT: usize = 6;
/// Most words that are looked at.
const LONG: usize = 12;

/// Whether a clause takes back what stands before it: "Scratch that", "I take that back", "아, 취소합니다".
pub(super) fn back(reading: &Reading, clause: &Clause) -> bool {
    let unsaid = Features::QUESTION.or(Features::QUOTED).or(Features::STRUCK);
    if clause.features.any(unsaid) {
        return false;
    }
    let tokens = reading.tokens_of(clause);
    let mut words = [""; LONG];
    let mut count = 0;
    for token in tokens
        .iter()
        .filter(|t| t.is_word() || t.kind == TokenKind::Hangul)
    {
        let Some(place) = words.get_mut(count) else {
            break;
        };
        *place = reading.word(token);
        count += 1;
    }
    let said = words.get(..count).unwrap_or_default();
    if holds(said) {
        return true;
    }
    if count > SHORT || clause.features.any(Features::CONDITIONAL.or(Features::NEGATED)) {
        return false;
    }
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

/// Whether a clause holds up what was let go: "Hold the merge", "On second thought, no", 보류합니다, 방금 승인은 무시해 주세요.
fn holds(said: &[&str]) -> bool {
    match said {
        [
            "hold" | "stop" | "pause" | "halt",
            "the" | "this" | "that" | "your",
            what,
            ..,
        ]
        | ["hold" | "stop", "off", "on", "the" | "this", what, ..] => {
            matches!(
                *what,
                "merge" | "release" | "deploy" | "deployment" | "rollout" | "launch"
            )
        }
        [.., what, "무시해", "주세요" | "주십시오"] | [.., what, "무시하세요" | "무시하십시오"] => {
            ["승인", "판정", "의견"].iter().any(|w| what.starts_with(w))
        }
        [verb] | ["일단" | "우선" | "이건" | "이번" | "그래도" | "아무래도", verb] => {
            matches!(
                *verb,
                "보류합니다" | "보류하겠습니다" | "보류할게요" | "보류해요" | "보류함"
            )
        }
        [.., "안", verb] => said.iter().any(|w| w.starts_with("생각")) && verb.starts_with("되겠"),
        _ => false,
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
    let blocking = [
        "blocking",
        "blocker",
        "must fix",
        "must be fixed",
        "required changes",
        "필수 수정",
        "수정 필수",
        "차단 이슈",
        "차단 사유",
        "반드시 고칠",
        "반드시 수정",
    ];
    // Most lines begin with another letter. No letter becomes one of these that is not the same in capitals.
    let body = text.get(block.body..block.end).unwrap_or_default();
    let first = body.chars().find(|c| c.is_alphanumeric());
    let first = first.map(|c| c.to_ascii_lowercase());
    if first.is_none_or(|first| !blocking.iter().any(|b| b.starts_with(first))) {
        return false;
    }
    let head = words(block);
    // "필수 수정: 9행 누수" names it on its own line.
    if let Some((label, rest)) = head.split_once([':', '：']) {
        let rest = rest.trim();
        let settled = [
            "0", "fixed", "resolved", "done", "closed", "gone", "해결", "완료", "수정", "반영",
        ];
        return blocking.iter().any(|b| label.starts_with(b))
            && !label.contains("no ")
            && !label.contains("non-")
            && rest.chars().any(char::is_alphanumeric)
            && !is_nothing(rest)
            && !settled.iter().any(|s| rest.starts_with(s));
    }
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

/// "On second thought, no": what follows is a denial.
fn thinks_again(reading: &Reading, pair: &[&Clause]) -> bool {
    let [first, second] = pair else { return false };
    let mut words = reading
        .tokens_of(first)
        .iter()
        .filter(|t| t.is_word())
        .map(|t| reading.word(t));
    let thinks = words.next() == Some("on")
        && words.next() == Some("second")
        && words.next().is_some_and(|w| w.starts_with("thought"))
        && words.next().is_none();
    let mut next = reading.tokens_of(second).iter().filter(|t| t.is_word());
    thinks
        && next
            .next()
            .is_some_and(|t| matches!(reading.word(t), "no" | "not" | "nope" | "never" | "don't"))
}

/// Whether anything behind `approved` (a byte offset) takes the approval back.
pub(super) fn after(reading: &Reading, approved: usize) -> bool {
    let behind = reading.clauses.iter().skip_while(|c| c.start < approved);
    let prose = |c: &&Clause| reading.blocks.get(c.block).is_some_and(|b| b.kind.is_prose());
    let behind: Vec<&Clause> = behind.filter(prose).collect();
    // Most clauses hold no word that could be one of these.
    let mut shown = Shown::of(&reading.tokens, |t| t.may_be(&TAKES), |_| 1);
    let may = |(_, c): &(usize, &&Clause)| {
        let refuses = c.kinds.any(Kinds::CAPS) && c.tags.any(tag::REFUSE);
        (shown.by(&c.tokens) != 0) | c.kinds.any(Kinds::HANGUL) | refuses
    };
    let may: Vec<(usize, &&Clause)> = behind.iter().enumerate().filter(may).collect();
    may.iter().any(|(at, c)| {
        let pair = behind.get(*at..at + 2).unwrap_or_default();
        back(reading, c) || rejects(reading, c) || thinks_again(reading, pair)
    }) || may
        .iter()
        .find(|(_, c)| is_correction(reading, c))
        .is_some_and(|(at, _)| corrects(behind.get(*at..).unwrap_or_default()))
}

/// The English words of which one stands in every clause that takes anything back, thinks again or corrects.
static TAKES: Filter = Filter::of(&[
    "hold",
    "stop",
    "pause",
    "halt",
    "scratch",
    "strike",
    "retract",
    "retracted",
    "withdraw",
    "withdrawn",
    "revoke",
    "cancel",
    "disregard",
    "take",
    "taking",
    "second",
    "correction",
    "update",
    "edit",
    "erratum",
]);

/// Whether a clause opens with a refusal in capitals: "NACK on the second commit".
fn rejects(reading: &Reading, clause: &Clause) -> bool {
    let first = reading.tokens_of(clause).iter().find(|t| t.is_word());
    let unsaid = Features::QUESTION
        .or(Features::QUOTED)
        .or(Features::STRUCK)
        .or(Features::CONDITIONAL);
    first.is_some_and(|t| t.caps && !t.quoted && t.tags.any(tag::REFUSE)) && !clause.features.any(unsaid)
}

/// Whether a clause is a label of correction: "Correction: two tests fail", 정정: 두 개 실패합니다.
fn is_correction(reading: &Reading, clause: &Clause) -> bool {
    let mut words = reading.tokens_of(clause).iter().filter(|t| t.is_word());
    let first = words.next().map_or("", |t| reading.word(t));
    let label = matches!(
        first,
        "correction" | "update" | "edit" | "erratum" | "정정" | "수정" | "추가"
    );
    label && reading.tokens_of(clause).get(1).is_some_and(|t| t.is_punct(':'))
        || first.starts_with("정정합니다")
}

/// Whether clauses from a label of correction on tell of something that went wrong.
fn corrects(after: &[&Clause]) -> bool {
    let unsaid = Features::QUESTION
        .or(Features::QUOTED)
        .or(Features::CONDITIONAL)
        .or(Features::PAST);
    after
        .iter()
        .any(|c| c.tags.any(tag::BADRES) && c.outcome.against > 0 && !c.features.any(unsaid))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_prose::read;

    /// Each word by which a text is looked through for what takes back does so in some sentence.
    #[test]
    fn every_word_that_is_looked_for_takes_back() {
        for text in [
            "Hold the merge.",
            "Hold off on the merge.",
            "Stop the release.",
            "Pause the rollout.",
            "Halt the deploy.",
            "Scratch that.",
            "Strike that.",
            "I retract my approval.",
            "I have retracted it.",
            "I withdraw my approval.",
            "I have withdrawn it.",
            "I revoke the approval.",
            "Cancel that.",
            "Disregard that.",
            "I take that back.",
            "Taking that back.",
            "On second thought, no.",
            "Correction: two tests fail.",
            "Update: two tests fail.",
            "Edit: two tests fail.",
            "Erratum: two tests fail.",
            "NACK on the second commit.",
            "승인을 취소합니다.",
            "정정: 두 개 실패합니다.",
        ] {
            let text = format!("It is fine. {text}");
            assert!(after(&read(&text), 0), "{text}");
        }
        assert!(!after(&read("It is fine. The tests pass."), 0));
    }
}
