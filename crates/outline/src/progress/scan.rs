//! Finds the English phrases of progress in one pass over the words of a clause.

use crate::list::{List, START, is_word, list, listed, step};

/// Phrases that sound negative and are not.
const HARMLESS: &str = "\
    no longer|not only|not just|no errors|no error|without errors|without error|no issues|no problems|\
    no failures|no regressions|no regression|no warnings|no conflicts|no leftovers|no diff|\
    no changes needed|nothing left|nothing else|nothing remains|nothing more|none left|without issues|\
    without problems|without any issues|without regressions|without incident|without trouble|\
    zero errors|zero failures|zero warnings|0 errors|0 failures|0 failed|0 warnings|0 left|0 remaining|\
    no more|not a single|does not crash|doesn't crash|does not panic|doesn't panic|does not leak|\
    doesn't leak|does not fail|doesn't fail|does not hang|doesn't hang|does not break|doesn't break|\
    didn't break|did not break|no open items|no open points|no remaining|no pending|no todos|\
    no blockers|error handling|error message|error messages|failing test|failed login|failed logins|\
    fails on main|failed before|used to fail|fails without|failed without|red on main|missing values|\
    missing fields|not null|not found|dead letters|in case of failure|on failure|on error|never fails|\
    never crashes|cannot fail|can't fail|partial index|open source|half-open|to-do list|todo list|\
    todo app|no behaviour change|no behavior change|left join|left-hand|next.js|will not crash|\
    pending migration|pending migrations|broken link|broken links";
pub(super) const HARMLESS_KOREAN: &str = "\
    문제 없이|문제없이|오류 없이|에러 없이|이상 없|이상없|문제 없|문제없|오류 없|오류는 없|오류가 없|\
    에러 없|에러는 없|에러가 없|빠짐없이|빠짐 없이|차질 없이|남은 작업 없|남은 작업은 없|남은 것 없|\
    남은 것은 없|남은 항목 없|남은 항목은 없|실패 0|실패는 없|실패 없|실패 테스트|실패 케이스|실패 시|\
    실패하면|오류 시|빠지지 않|깨지지 않|죽지 않|멈추지 않|발생하지 않|재현되지 않|나지 않|diff는 없|\
    차이는 없|차이가 없|차이 없|변경은 없|누락 없|누락된 항목 없|경고 없|경고는 없|더 이상";

const UNDONE: &str = "\
    not done|undone|incomplete|unfinished|unresolved|reverted|revert|rolled back|rollback|reopened|\
    re-opened|reopen|broken|broke|breaks|fails|failed|failing|fail|failure|crashes|crashed|missing|\
    missed|forgot|forgotten|not yet|spoke too soon|premature|retract|retracting|retracted|withdraw|\
    withdrawn|scratch that|back to open|back to todo|partial|partially|partly|half|halfway|half-way|\
    mostly|almost|nearly|so far only|only on staging|only in staging|only locally|only on|only in dev|\
    only for|skipped|skipping|skip|dropped from scope|gave up|given up|abandoned|couldn't|could not|\
    unable|cannot|can't|impossible|stuck|blocked|blocker|not started|unstarted|not implemented|\
    unimplemented|not working|does not work|doesn't work|won't work|stubbed|stub|placeholder|mocked out|\
    wrong|cancelled|canceled|postponed|deferred|undid|not complete|never|not";
const OPEN: &str = "\
    todo|to do|to-do|wip|pending|in progress|in-progress|under way|underway|ongoing|working on|started|\
    starting|start|begun|began|beginning|waiting|awaiting|await|waits|remaining|remains|remain|left|\
    open|outstanding|still|next|next up|tomorrow|later|soon|will|going to|about to|plan|plans|planned|\
    planning|scheduled|queued|upcoming|to follow|follows|to come|to be done|should be|need|needs|needed|\
    must|have to|has to|should|would|could|might|may|can be|can|let me|let's|please|intend|intends|\
    want to|trying|tried|try|attempting|attempted|continue|continuing|requires|draft|drafted|drafting|\
    sketched|looking into|looking at|investigating|reviewing|writing|implementing|adding|fixing|\
    creating|removing|updating|preparing|testing|running|migrating|refactoring|building|finishing|\
    halted|paused|on hold|hold|tbd|yet to|yet|proposed|propose|suggest|in review|under review|not now|\
    eventually|afterwards|in the works|moving on to|moving to";
const DONE: &str = "\
    done|complete|completed|completes|finished|finishes|landed|shipped|merged|delivered|in place|\
    wrapped|task_complete|task complete|closed|resolved|live|is in|are in|ticked|checked off|ready|\
    all set|accomplished|achieved|sorted|out of the way|is out|are out|is gone|are gone|taken care of|\
    handled|there now|implemented|covered|up to date|up-to-date|exists|exist";
const VERIFIED: &str = "\
    passes|passed|pass|passing|green|works|worked|exits 0|exit 0|exited 0|succeeds|succeeded|verified|\
    validated|tested|confirmed|checked|stable|clean";
const ANALYSED: &str = "\
    analysed|analyzed|investigated|examined|reviewed|inspected|studied|traced|found|identified|explored|\
    understood|reported|measured|profiled|benchmarked|reproduced|summarised|summarized|compared";
/// Past forms that tell of nothing finished.
const IDLE: &str = "\
    looked|read|noticed|discussed|considered|expected|wanted|assigned|asked|based|related|called|named|\
    supposed|used|opened|located|requested|received|needed|mentioned|thought|learned|decided|agreed|\
    started|tried|attempted|planned|proposed|scheduled|queued|drafted|sketched|required|affected|\
    involved|expired|left|indeed|nested|shared|typed|listed|limited|said|told|saw|met|felt|knew|heard|\
    speed|feed|seed|need|embed|exceed|proceed|unrelated|detailed|advanced|unused|remained|explored|\
    stopped|paused|moved on";

const FUTURE: &str = "\
    will|going to|about to|tomorrow|to follow|to come|yet to|todo|wip|in progress|in-progress|pending|\
    waiting|awaiting|remaining|remains|outstanding|working on|still|should|would|could|might|need|needs|\
    must|have to|has to|please|next up|half|started|let me|scheduled|planned|tbd|on hold|in review|\
    under review|draft|drafted|can complete|to complete|to be completed|can be completed|to finish";
const NOTHING: &str = "no|without|none|nothing";
const CONDITIONS: &str = "if|once|unless|until|assuming|provided|as soon as";
/// Words that a word of completion does not complete anything with.
const NOT_COMPLETE: &str = "\
    done reading|ready to start|ready to begin|ready to go ahead|live in|lives in";
/// The work of somebody else.
const PEOPLE: &str = "\
    someone else|somebody else|another agent|the other agent|another team|the other team|a colleague|\
    my colleague|teammate|according to|says that|claims that|by the infra team|by the platform team|\
    by another|by someone|by a colleague|in another pr|in another branch|in a different pr|he says|\
    she says|they say|told me|was done by|were done by|is done by|being done by|handled by|reports that|\
    said it|he has|she has|they have|he did|she did|they did|he already|she already|they already";

pub(super) const HARMLESS_WORD: u16 = 1;
pub(super) const UNDONE_WORD: u16 = 1 << 1;
pub(super) const OPEN_WORD: u16 = 1 << 2;
pub(super) const FUTURE_WORD: u16 = 1 << 3;
pub(super) const NO_WORD: u16 = 1 << 4;
pub(super) const DONE_WORD: u16 = 1 << 5;
pub(super) const VERIFIED_WORD: u16 = 1 << 6;
pub(super) const ANALYSED_WORD: u16 = 1 << 7;
pub(super) const IDLE_WORD: u16 = 1 << 8;
pub(super) const CONDITION_WORD: u16 = 1 << 9;
pub(super) const PEOPLE_WORD: u16 = 1 << 10;

/// All English phrases of this module with what they mean.
static PHRASES: [(&List, u16); 12] = [
    (list!(HARMLESS, by_word = true), HARMLESS_WORD),
    (list!(NOT_COMPLETE, by_word = true), HARMLESS_WORD),
    (list!(UNDONE, by_word = true), UNDONE_WORD),
    (list!(OPEN, by_word = true), OPEN_WORD),
    (list!(FUTURE, by_word = true), FUTURE_WORD),
    (list!(NOTHING, by_word = true), NO_WORD),
    (list!(DONE, by_word = true), DONE_WORD),
    (list!(VERIFIED, by_word = true), VERIFIED_WORD),
    (list!(ANALYSED, by_word = true), ANALYSED_WORD),
    (list!(IDLE, by_word = true), IDLE_WORD),
    (list!(CONDITIONS, by_word = true), CONDITION_WORD),
    (list!(PEOPLE, by_word = true), PEOPLE_WORD),
];

/// Whether the text may speak of other people; a scan tells for sure.
pub(super) fn names_people(text: &str) -> bool {
    list!(PEOPLE, by_word = true).in_words(text)
}

/// The listed phrases that an English text holds.
pub(super) struct Scan<'a> {
    pub(super) flags: u16,
    /// Byte offset of the first word of condition and of completion.
    pub(super) condition: Option<usize>,
    pub(super) completion: Option<usize>,
    /// Past forms that are on no list.
    pub(super) past: Vec<&'a str>,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut out = Self {
            flags: 0,
            condition: None,
            completion: None,
            past: Vec::new(),
        };
        let bytes = text.as_bytes();
        let in_word = |at: usize| bytes.get(at).is_some_and(|b| is_word(*b));
        let mut at = 0;
        while at < bytes.len() {
            if !in_word(at) {
                at += 1;
                continue;
            }
            let mut end = at;
            let mut hash = START;
            while let Some(byte) = bytes.get(end).filter(|b| is_word(**b)) {
                hash = step(hash, *byte);
                end += 1;
            }
            let word = text.get(at..end).unwrap_or_default();
            let mut flags = 0;
            let mut harmless = 0;
            for (list, flag) in &PHRASES {
                for phrase in list.at_word(text, at, hash) {
                    flags |= flag;
                    if *flag == HARMLESS_WORD {
                        harmless = harmless.max(phrase.len());
                    }
                }
            }
            if harmless > 0 {
                at += harmless;
                continue;
            }
            let tail = text.get(end..).unwrap_or_default();
            if word.ends_with('n') && tail.starts_with("'t") && !in_word(end + 2) {
                flags |= UNDONE_WORD;
            }
            if tail.starts_with("'ll") {
                flags |= FUTURE_WORD;
            }
            out.flags |= flags;
            if flags & CONDITION_WORD != 0 {
                out.condition = out.condition.or(Some(at));
            }
            if flags & (DONE_WORD | VERIFIED_WORD) != 0 {
                out.completion = out.completion.or(Some(at));
            }
            let past = (word.len() > 3 && word.ends_with("ed"))
                || listed!(
                    "wrote|written|rewrote|rewritten|ran|made|built|rebuilt|sent|split|put|cut|took|\
                    drew|did|gone|set",
                    word,
                );
            if past && flags & (IDLE_WORD | DONE_WORD | VERIFIED_WORD | ANALYSED_WORD) == 0 {
                out.past.push(word);
            }
            at = end;
        }
        out
    }

    pub(super) fn any(&self, flags: u16) -> bool {
        self.flags & flags != 0
    }
}
