//! What a person's later prompt does to a checklist: it drops items, forbids what they ask for, takes them over, or says that
//! they are done.
//!
//! Nobody may be released by a word that was not meant so: only what a sentence begins with counts, without condition, quotation
//! or denial, and only an order to drop, a ban, or a deed of the person's own with the item's name. A sentence is read by its
//! verb; which item its object means, the reader of answers says: "skip the docs" drops what "the docs are done" would tick.

mod korean;

use super::class::Class;
use super::{indexed, update};
use crate::items::is_imperative;
use crate::layout::{self, Marker};
use crate::list::{List, has_any, has_any_word, list, listed};
use crate::roles;
use crate::text::{floor, has_hangul, normal, sentences, slice};
use proctor_kernel::ChecklistItem;

/// Bytes of a prompt that are looked at: who takes items back says so in a few sentences.
const LOOKED_AT: usize = 16 * 1024;

/// Most sentences and clauses of them that are read, and most members of a list: each may cost a reading of the items.
const SENTENCES: usize = 40;
const CLAUSES: usize = 60;
const MEMBERS: usize = 8;

/// Bytes of a sentence that are looked at.
const SENTENCE: usize = 1024;

/// Most items of a checklist that is read this way: above it, each object would cost an index of its own.
const ITEMS: usize = 256;

/// Words with which a sentence takes nothing back: conditions, reports, what never happens, orders that go on elsewhere.
const HOLDS: &str = "if|when|whenever|unless|once|until|while|before|after|you never|i never|we never|they never|says|said|say|wrote|told|claim|claims|think|asked|ask|wonder|\
    rather|why|how|what|did i|do i|only|yet|first|next|later|tomorrow|for now";

/// What a prompt does to the items of a checklist, by their places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// Nobody asks for them any more.
    pub dropped: Vec<usize>,
    /// The person did them, or says that they are done.
    pub done: Vec<usize>,
}

/// Verbs that drop what follows.
static DROPS: &List = list!("forget|skip|drop|cancel|scrap|omit", by_word = true);
/// What may stand before the verb of an order or request.
static LEADS: &List = list!(
    "please|ok|okay|just|now|then|actually|and|so|well|yes|also|let's|you|can|could|may|should|would|will|like|to|hey|oh|\
    alright|sorry|i'd|we|i|kindly|hm|hmm|thanks|better|simply",
    by_word = true
);
/// Words of an object that say nothing of what it is.
static PLAIN: &List = list!(
    "the|a|an|my|your|our|about|doing|on|with|of|for|any|more|anymore|myself|yourself|ourselves|please|now|then|instead|today|\
    entirely|completely|altogether|thanks|me|all|at|item|items|point|number|step|part|bit|thing|ones|one|again|too|here|from|\
    list|off|out|alone|is|are|longer|update|updates|changes|change|work",
    by_word = true
);

/// What a person's prompt does to the open items of a checklist.
#[must_use]
pub fn settled(items: &[ChecklistItem], prompt: &str) -> Settled {
    let mut out = Settled::default();
    // What a program or another agent wrote into the prompt stands in elements.
    if items.iter().all(|item| item.completed) || items.len() > ITEMS || prompt.contains("</") {
        return out;
    }
    let (prompt, _) = crate::text::ends(prompt, LOOKED_AT);
    let text = normal(&prompt);
    let mut reader = Reader {
        items,
        out: &mut out,
        topic: Vec::new(),
        clauses: CLAUSES,
    };
    let mut left = SENTENCES;
    for line in layout::lines(&text) {
        // An entry of a list belongs to the label above it: "MUST NOT DO: - skip the tests".
        let entry =
            line.marker != Marker::None || line.level > 0 || line.text.trim_end().ends_with([':', '：']);
        if line.is_fence || line.fence.is_some() || line.quoted || entry {
            continue;
        }
        for (from, to) in sentences(line.text) {
            let Some(less) = left.checked_sub(1) else {
                return out;
            };
            left = less;
            reader.sentence(slice(line.text, from, to).trim());
        }
    }
    out
}

/// Whether a prompt only asks for knowledge, or is polite: it orders no work.
#[must_use]
pub fn only_asks(prompt: &str) -> bool {
    let (prompt, unread) = crate::text::ends(prompt, LOOKED_AT);
    let text = normal(&prompt);
    let mut asks = false;
    for line in layout::lines(&text) {
        if line.is_fence || line.fence.is_some() || line.quoted || line.is_blank() {
            continue;
        }
        for (from, to) in sentences(line.text) {
            let sentence = slice(line.text, from, to).trim();
            if !sentence.chars().any(char::is_alphanumeric) {
                continue;
            }
            if is_asking(sentence) {
                asks = true;
            } else if !is_polite(sentence) {
                return false;
            }
        }
    }
    asks && unread == 0
}

fn lower(sentence: &str) -> String {
    sentence.to_lowercase().replace('’', "'")
}

/// The words of a clause, in lower case and without the marks around them.
fn words(clause: &str) -> Vec<&str> {
    let bare = |word: &str| !word.is_empty();
    clause
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| bare(word))
        .collect()
}

/// Whether a sentence wants to know something, in the form of a question or of an order to tell.
fn is_asking(sentence: &str) -> bool {
    let lower = lower(sentence);
    let ends = sentence.trim_end_matches(['"', '”', ')', '*', '`']);
    if has_hangul(&lower) {
        let order = has_any!(
            &lower,
            "고쳐|수정해|추가해|만들어|작성해|진행해|계속|마무리|해줘|해 줘|해 주|해주"
        );
        let tells = has_any!(&lower, "설명|알려|뭐|무엇|무슨|어떻게|왜|언제|어디|누가|몇");
        return tells && !has_any!(&lower, "고쳐|수정해|추가해|만들어|작성해|진행해|계속|마무리")
            || ends.ends_with(['?', '？']) && !order;
    }
    let words = words(&lower);
    let mut rest = words
        .iter()
        .skip_while(|word| LEADS.has(word) || listed!("and|something|else|quick|question", word));
    let first = rest.next().copied().unwrap_or_default();
    const TELLS: &str =
        "tell|show|explain|describe|summarise|summarize|list|compare|what|why|how|where|who|when|which";
    let asked_to = has_any_word!(&lower, "can you|could you|would you|will you|can we|could we");
    if asked_to || is_imperative(first) {
        return listed!(
            "tell|show|explain|describe|summarise|summarize|list|compare",
            first
        ) && !has_any_word!(&lower, "and fix|and update|and change|then");
    }
    roles::is_question(sentence)
        || ends.ends_with(['?', '？']) && !listed!("continue|proceed|go|finish|do|start|keep", first)
        || has_any_word!(first, TELLS)
}

/// Thanks, greetings, assent: a few words that order nothing.
fn is_polite(sentence: &str) -> bool {
    let lower = lower(sentence);
    if has_hangul(&lower) {
        return sentence.chars().count() <= 20
            && has_any!(&lower, "고마|감사|안녕|좋아|좋습|알겠|네|응|수고|오케이")
            && !has_any!(&lower, "계속|진행|해줘|해 줘|해주|하세요|고쳐|마무리");
    }
    let words = words(&lower);
    words.len() <= 6
        && !words.iter().any(|w| listed!("go|continue|proceed|ahead|on|do|finish|it", w))
        && words.iter().any(|w| {
            listed!(
                "thanks|thank|thx|hi|hello|hey|ok|okay|good|great|nice|fine|cool|perfect|understood|bye|yes|right|something|else",
                w
            )
        })
}

/// How many of an object's words an item must have.
#[derive(Clone, Copy)]
enum Fit {
    Whole,
    Half,
}

struct Reader<'a> {
    items: &'a [ChecklistItem],
    out: &'a mut Settled,
    /// The items that the latest sentence spoke of.
    topic: Vec<usize>,
    /// How many clauses may still be read.
    clauses: usize,
}

impl Reader<'_> {
    /// The open items that the prompt has not settled yet.
    fn open(&self) -> Vec<usize> {
        let settled = |at: &usize| self.out.dropped.contains(at) || self.out.done.contains(at);
        let open = self.items.iter().enumerate().filter(|(_, item)| !item.completed);
        open.map(|(at, _)| at).filter(|at| !settled(at)).collect()
    }

    fn sentence(&mut self, sentence: &str) {
        // Who takes something back says it at once.
        let sentence = slice(sentence, 0, floor(sentence, SENTENCE));
        let lower = lower(sentence);
        if sentence.contains(['"', '“', '”', '`', '<', '「']) {
            return;
        }
        if has_hangul(&lower) {
            self.korean(&lower, sentence);
            return;
        }
        let asks = sentence.ends_with('?') && !has_any_word!(&lower, "can you|could you|would you|will you");
        if asks || has_any_word!(&lower, HOLDS) {
            return;
        }
        // What follows is an order of its own, or the reason.
        if let Some(clause) = clauses(&lower).first().filter(|_| self.clauses > 0) {
            self.clauses -= 1;
            self.english(clause);
        }
    }

    fn english(&mut self, clause: &str) {
        let words = words(clause);
        let lead = words.iter().take_while(|word| LEADS.has(word)).count();
        let rest = words.get(lead..).unwrap_or_default();
        let lead = words.get(..lead).unwrap_or_default();
        let first = rest.first().copied().unwrap_or_default();
        let person = lead.iter().any(|word| matches!(*word, "i" | "we"));
        // "don't update the docs", "no need to update the docs"
        if let Some((verb, object)) = denied(&words) {
            self.denied(verb, object);
            return;
        }
        if let Some(object) = unneeded(&words) {
            let found = self.meant(object, "", Fit::Whole);
            self.drop_items(found);
            return;
        }
        if DROPS.has(first) && !lead.iter().any(|word| matches!(*word, "will" | "would")) {
            self.drop_object(rest.get(1..).unwrap_or_default(), first);
        } else if first == "never" && rest.get(1).is_some_and(|word| *word == "mind") {
            self.drop_object(rest.get(2..).unwrap_or_default(), "");
        } else if first == "nevermind" {
            self.drop_object(rest.get(1..).unwrap_or_default(), "");
        } else if first == "leave" && (rest.contains(&"out") || rest.ends_with(&["to", "me"])) {
            let object: Vec<&str> = rest
                .iter()
                .skip(1)
                .copied()
                .filter(|word| *word != "to")
                .collect();
            self.drop_object(&object, "");
        } else if first == "no" {
            let object = rest.get(1..).unwrap_or_default();
            let object = object.strip_prefix(&["need", "for"]).unwrap_or(object);
            let told = object.iter().any(|w| {
                w.ends_with("ed")
                    || listed!(
                        "is|are|was|were|has|have|fail|fails|pass|passes|do|does|should|must",
                        w
                    )
            });
            if (1..=5).contains(&object.len()) && !told {
                self.drop_object(object, "");
            }
        } else if person || matches!(first, "i've" | "we've" | "i'll" | "we'll") {
            self.by_person(&words);
        } else if let [article, noun @ .., is, state] = words.as_slice()
            && listed!("the|my|our|both|all", article)
            && listed!("is|are", is)
            && listed!("done|finished|complete", state)
            && (1..=4).contains(&noun.iter().filter(|w| **w != "already").count())
        {
            self.said_done(clause);
        }
    }

    /// "I did the docs myself", "I've updated the docs", "I'll write the docs myself".
    fn by_person(&mut self, words: &[&str]) {
        let at = words
            .iter()
            .position(|w| matches!(*w, "i" | "we" | "i've" | "we've" | "i'll" | "we'll"));
        let rest = at.and_then(|at| words.get(at..)).unwrap_or_default();
        let alone = rest.iter().any(|w| matches!(*w, "myself" | "ourselves"));
        let takes = rest
            .iter()
            .take(2)
            .any(|w| matches!(*w, "i'll" | "we'll" | "will"));
        let mut behind = rest
            .iter()
            .skip(1)
            .skip_while(|w| listed!("have|already|just|will", w));
        let verb = behind.next().copied().unwrap_or_default();
        let object: Vec<&str> = behind.copied().collect();
        // "I finished reading the docs" did another thing.
        if object.first().is_none_or(|w| w.ends_with("ing")) {
            return;
        }
        if takes {
            if alone && self.is_work(verb) {
                self.drop_object(&object, "");
            }
            return;
        }
        if listed!("did|done|finished|completed|handled", verb) {
            let found = self.meant(&object, "", Fit::Half);
            self.finish(&found);
            return;
        }
        // The verb is that of the item: "updated the docs" does "Update the docs".
        let mut found = self.meant(&object, "", Fit::Whole);
        found.retain(|at| self.was_done(*at, verb));
        self.finish(&found);
    }

    /// Whether a verb in the past is the one that an item begins with.
    fn was_done(&self, at: usize, verb: &str) -> bool {
        let text = self.text(at);
        let own = words(crate::items::leaf(&text))
            .first()
            .copied()
            .unwrap_or_default();
        let regular = || {
            let stem = own.trim_end_matches('e').trim_end_matches('y');
            let past = verb.strip_suffix("ed").map(|stem| stem.trim_end_matches('i'));
            past.is_some_and(|past| {
                stem.len() > 2
                    && (past == stem || past.strip_prefix(stem).is_some_and(|rest| rest.len() == 1))
            })
        };
        match own {
            "write" => matches!(verb, "wrote" | "written"),
            "make" => verb == "made",
            "build" => verb == "built",
            "rewrite" => matches!(verb, "rewrote" | "rewritten"),
            _ => regular(),
        }
    }

    /// What a sentence of a person says to be done, as an answer would be read.
    fn said_done(&mut self, clause: &str) {
        let open = self.open();
        let after = update(self.items, clause, &[]);
        let found: Vec<usize> = open
            .into_iter()
            .filter(|at| after.get(*at).is_some_and(|item| item.completed))
            .collect();
        self.finish(&found);
    }

    fn finish(&mut self, found: &[usize]) {
        self.out.done.extend(found);
        if !found.is_empty() {
            self.topic = found.to_vec();
        }
    }

    /// Whether a verb is the work of an open item, or stands for any work.
    fn is_work(&self, verb: &str) -> bool {
        listed!(
            "do|handle|write|make|finish|bother|worry|touch|start|continue|create|mind|care|edit|take",
            verb
        ) || self.open().iter().any(|at| self.begins_with(*at, verb))
    }

    /// "don't update the docs": forbids what an item asks for. That tests pass can be asked for though nobody may touch them.
    fn denied(&mut self, verb: &str, object: &[&str]) {
        let is_none = DROPS.has(verb) || listed!("leave|miss|lose|break|let|mean|know|think|want|see", verb);
        if is_none || !self.is_work(verb) {
            return;
        }
        let list = indexed(self.items);
        let mut found = self.meant(object, "", Fit::Whole);
        let checks = Class::VERIFY.with(Class::RUN);
        found.retain(|at| self.begins_with(*at, verb) || !list.class(*at).has(checks));
        self.drop_items(found);
    }

    /// Drops the items that an object means. `verb` dropped them: an item that begins with it only orders that.
    fn drop_object(&mut self, object: &[&str], verb: &str) {
        let found = self.meant(object, verb, Fit::Half);
        self.drop_items(found);
    }

    fn drop_items(&mut self, found: Vec<usize>) {
        self.out.dropped.extend(&found);
        if !found.is_empty() {
            self.topic = found;
        }
    }

    fn text(&self, at: usize) -> String {
        self.items
            .get(at)
            .map_or(String::new(), |item| item.text.to_lowercase())
    }

    /// Whether an item begins with a verb.
    fn begins_with(&self, at: usize, verb: &str) -> bool {
        let text = self.text(at);
        words(crate::items::leaf(&text)).first() == Some(&verb)
    }

    /// Whether an item has the words of an object. One word may be another name of it.
    fn fits(&self, at: usize, words: &[&str], fit: Fit) -> bool {
        let text = self.text(at);
        let is_there = |word: &&&str| {
            let stem = word
                .char_indices()
                .nth(5)
                .map_or(**word, |(end, _)| slice(word, 0, end));
            word.chars().all(|c| c.is_ascii_digit() || c == '#') || text.contains(stem.trim_end_matches('s'))
        };
        let there = words.iter().filter(is_there).count();
        words.len() == 1
            || match fit {
                Fit::Whole => there == words.len(),
                Fit::Half => there * 2 >= words.len(),
            }
    }

    /// The open items that an object means.
    fn meant(&self, object: &[&str], verb: &str, fit: Fit) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        for part in object.split(|word| listed!("and|or|nor", word)).take(MEMBERS) {
            for item in self.meant_by_one(part, verb, fit) {
                if !found.contains(&item) {
                    found.push(item);
                }
            }
        }
        found
    }

    /// The same of one member of a list.
    fn meant_by_one(&self, object: &[&str], verb: &str, fit: Fit) -> Vec<usize> {
        let open = self.open();
        let own = |at: &usize| verb.is_empty() || !self.begins_with(*at, verb);
        let said = object.join(" ");
        let bare: Vec<&str> = object.iter().copied().filter(|word| !PLAIN.has(word)).collect();
        let whole = listed!(
            "everything|all of it|all that|all of that|all this|the list|the checklist|the task|the whole list|the whole checklist|the whole task|\
             the whole thing|all items|all the items|the rest of the list|the rest of the checklist|the rest of the task",
            said.as_str()
        );
        if whole {
            return open;
        }
        if bare.iter().all(|word| is_pronoun(word)) {
            let topic: Vec<usize> = self
                .topic
                .iter()
                .copied()
                .filter(|at| open.contains(at))
                .collect();
            if !topic.is_empty() || !self.topic.is_empty() {
                return topic;
            }
            let named = has_any_word!(&said, "item|point");
            return match open.as_slice() {
                [only] if own(only) && named => vec![*only],
                _ => Vec::new(),
            };
        }
        // A sentence about it, or only some of it: "what I said about the docs", "tests with mocks".
        const TELLS: &str = "should|must|needs|doesn't|isn't|was|were|when|until|what|how|why|whether|i|you|we|said|to|with|\
            without|that|which|where|whose|so|too|yet";
        let some = object
            .iter()
            .position(|word| listed!("in|from|under", word))
            .and_then(|at| object.get(at + 1..))
            .unwrap_or_default();
        if object.len() > 12 || has_any_word!(&said, TELLS) {
            return Vec::new();
        }
        let plural = bare.last().is_some_and(|word| word.ends_with('s'));
        let told = format!(
            "The {} {} done.",
            said.trim_start_matches("the "),
            if plural { "are" } else { "is" }
        );
        let after = update(self.items, &told, &[]);
        let named = |at: &usize| after.get(*at).is_some_and(|item| item.completed);
        let whole_of = |at: &usize| some.iter().all(|word| self.text(*at).contains(word));
        let meant = |at: &usize| own(at) && named(at) && self.fits(*at, &bare, fit) && whole_of(at);
        open.into_iter().filter(meant).collect()
    }
}

fn is_pronoun(word: &str) -> bool {
    listed!("it|that|this|them|those|these|else", word)
}

/// The clauses of a sentence in lower case: cut at marks, and where another order follows.
fn clauses(sentence: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for part in sentence.split([',', ';', '—', '–', '(', ')', ':', '!']) {
        let mut rest = part;
        while let Some((at, joint)) = [
            " and ",
            " but ",
            " because ",
            " since ",
            " then ",
            " instead of ",
            " so ",
        ]
        .iter()
        .filter_map(|joint| Some((rest.find(joint)?, *joint)))
        .filter(|(at, joint)| {
            let behind = rest.get(at + joint.len()..).unwrap_or_default();
            *joint != " and "
                || is_imperative(behind)
                || LEADS.has(words(behind).first().copied().unwrap_or_default())
        })
        .min()
        {
            out.push(rest.get(..at).unwrap_or_default());
            rest = rest.get(at + joint.len()..).unwrap_or_default();
        }
        out.push(rest);
    }
    out.retain(|clause| clause.chars().any(char::is_alphanumeric));
    out
}

/// The verb that a clause denies, and what stands behind it: `don't update the docs`, `no need to update the docs`, `you
/// needn't bother with the docs`.
fn denied<'w, 'c>(words: &'w [&'c str]) -> Option<(&'c str, &'w [&'c str])> {
    let joined: Vec<&str> = words.iter().take(10).copied().collect();
    let at = |i: usize| joined.get(i).copied().unwrap_or_default();
    for i in 0..joined.len() {
        let next = match (at(i), at(i + 1), at(i + 2)) {
            ("don't", "have" | "need", "to") | ("needn't", "to", _) | ("no", "need", "to") => {
                i + 2 + usize::from(at(i) == "don't" || at(i) == "no")
            }
            ("do" | "need", "not", "need" | "have") if at(i + 3) == "to" => i + 4,
            ("don't" | "needn't" | "never", verb, _) if !verb.is_empty() && verb != "mind" => i + 1,
            ("do" | "need", "not", _) => i + 2,
            _ => continue,
        };
        // What is said of others or of oneself is no order: "I don't update the docs".
        let by_person = i
            .checked_sub(1)
            .is_some_and(|before| listed!("i|we|they|he|she|it|docs|tests", at(before)));
        let next = next.min(words.len());
        let verb = words.get(next).copied()?;
        return (!by_person).then(|| (verb, words.get(next + 1..).unwrap_or_default()));
    }
    None
}

/// What a clause says nobody needs: `we don't need the docs`, `the docs are not needed any more`.
fn unneeded<'w, 'c>(words: &'w [&'c str]) -> Option<&'w [&'c str]> {
    let verb = words.iter().position(|w| {
        matches!(
            *w,
            "need"
                | "want"
                | "needed"
                | "necessary"
                | "unnecessary"
                | "required"
                | "obsolete"
                | "cancelled"
                | "canceled"
        )
    })?;
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).copied().unwrap_or_default();
    let before = words.get(..verb).unwrap_or_default();
    let denied = before
        .iter()
        .any(|w| matches!(*w, "don't" | "not" | "longer" | "isn't" | "aren't" | "no"));
    match word(Some(verb)) {
        "need" | "want" => {
            let object = words.get(verb + 1..).unwrap_or_default();
            let subject = before.iter().any(|w| matches!(*w, "i" | "we" | "you"));
            (denied && subject && object.first().is_some_and(|w| *w != "to" && *w != "you")).then_some(object)
        }
        state => {
            let link = before.iter().position(|w| listed!("is|are|isn't|aren't|no", w))?;
            let alone = matches!(state, "unnecessary" | "obsolete" | "cancelled" | "canceled");
            (alone != denied && link > 0).then(|| words.get(..link).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests;
