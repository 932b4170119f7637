//! Roles of paths in English clauses.

use super::korean::is_korean_change;
use super::omission::{self, Order};
use super::{
    CHANGES, Clause, FILE_CHANGES, FILLERS, NEGATIONS, READS, Role, Token, is_change, is_form, others,
};
use super::{bans, objects, orders};
use crate::labels::Kind;
use crate::list::{has_any, has_any_word, list, listed};
use crate::text::{has_hangul, slice};

/// Whether the word so far before a path says what is to stand there (`every change is described in X`), and not what
/// is there already (`the format is described in X`, `as described in X`): in what is asked for, or of each of them.
fn changed_of(before: &[Token], distance: usize, kind: Option<Kind>) -> bool {
    let Some(at) = before.len().checked_sub(distance + 1) else {
        return false;
    };
    let word = |at: Option<usize>| at.and_then(|i| before.get(i)).map_or("", Token::word);
    let told = listed!("described|documented|defined|specified|mentioned", word(Some(at)));
    let linked = listed!("is|are|gets|get|be|being", word(at.checked_sub(1)));
    // `what is described in X` is there.
    let relative = listed!(
        "what|which|that|as|where|how|like|it|this|they|these",
        word(at.checked_sub(2))
    );
    let each = before
        .iter()
        .take(at)
        .any(|t| listed!("every|each|all|any|no|nothing|must|should|shall", t.word()));
    told && linked && !relative && (each || matches!(kind, Some(Kind::Outcome)))
}

impl Clause<'_> {
    /// Whether only words without content stand between the last verb of change and the path.
    pub(super) fn is_direct(&self, p: usize) -> bool {
        for token in self.tokens.iter().take(p).rev() {
            match token {
                Token::Path(_) => {}
                Token::Korean => return false,
                Token::Word(word) if is_form(word, FILE_CHANGES) => return true,
                Token::Word(word) if FILLERS.has(word.as_str()) => {}
                Token::Word(_) => return false,
            }
        }
        false
    }

    /// The role that the words around a path give it. `order` is what a denied omission orders before it: what stands
    /// before that counts for nothing.
    pub(super) fn english_role(
        &self,
        p: usize,
        bars: bool,
        kind: Option<Kind>,
        order: Option<Order>,
    ) -> Option<Role> {
        let bars = bars && order.is_none() && !omission::is_denied_again(&self.tokens, false);
        let negation = |t: &Token| {
            let word = t.word();
            NEGATIONS.has(word) || word.ends_with("n't")
        };
        let from = order.map_or(0, |order| order.from);
        let before = self.tokens.get(from..p)?;
        let after = self.tokens.get(p + 1..)?;
        if !bars && !before.iter().any(negation) && objects::is_kept_off(before) {
            return Some(Role::Excluded);
        }
        // `except X`, `other than X`, `outside X`
        let mut exception = None;
        for (i, token) in before.iter().enumerate() {
            let next = before.get(i + 1).map_or("", Token::word);
            let word = token.word();
            let hit = listed!(
                "except|excluding|besides|outside|beyond|excepting|minus|barring",
                word
            ) || (word == "without"
                && matches!(i.checked_sub(1).and_then(|i| before.get(i)), Some(Token::Path(_))))
                || (word.starts_with("leav") && next == "out")
                || (word == "but"
                    && i > 0
                    && before.iter().take(i).any(|t| {
                        listed!("nothing|anything|any|no|everything|all|nowhere", t.word())
                            || t.word().starts_with("any")
                    }))
                || (word == "other" && next == "than")
                || (matches!(word, "apart" | "aside") && next == "from");
            if hit {
                exception = Some((i, word));
            }
        }
        if let Some((e, word)) = exception {
            let barred = bars || before.iter().take(e).any(negation);
            let verb_after = before.iter().skip(e).any(|t| is_form(t.word(), FILE_CHANGES));
            if !verb_after {
                return Some(if barred {
                    Role::Expected
                } else if matches!(word, "outside" | "beyond") {
                    Role::Mentioned
                } else {
                    Role::Excluded
                });
            }
        }
        // `do not touch X`, `no changes to X`, `without editing X`
        for (n, token) in before.iter().enumerate() {
            if !negation(token) || matches!(before.get(n + 1).map(Token::word), Some("only" | "just")) {
                continue;
            }
            let between = before.get(n + 1..).unwrap_or_default();
            let verb = between.iter().any(|t| is_form(t.word(), FILE_CHANGES));
            let filled = || {
                between
                    .iter()
                    .all(|t| FILLERS.has(t.word()) || matches!(t, Token::Path(_)))
            };
            let role = if verb && !self.is_direct(p) || bans::is_told(before, n, kind) {
                Role::Mentioned
            } else if verb {
                bans::role(between.iter(), after)
            } else if token.word() != "without" && filled() {
                Role::Excluded
            } else {
                continue;
            };
            // What is denied twice is looked for last: it takes the whole clause.
            let behind = self.tokens.get(from + n + 1..).unwrap_or_default();
            let again = || {
                omission::is_denied_again(behind, listed!("no|nothing|none|neither|nobody", token.word()))
                    || token.word() == "nothing"
                        && !omission::nothing_changes(before.get(..n).unwrap_or_default(), after)
            };
            if !again() {
                return Some(role);
            }
        }
        // `keep your hands off X`, `X: no changes please`
        let off = before.last().is_some_and(|t| t.word() == "off")
            && before
                .iter()
                .rev()
                .nth(1)
                .is_some_and(|t| matches!(t.word(), "hands" | "hand" | "fingers"));
        let mut told = after.iter().map(Token::word);
        let none = told.next() == Some("no")
            && matches!(
                told.next(),
                Some("change" | "changes" | "edit" | "edits" | "modifications")
            )
            && told.all(|w| listed!("please|here|at|all|there|allowed|thanks", w));
        let excepted = after
            .first()
            .is_some_and(|t| matches!(t.word(), "excepted" | "excluded"));
        if off || none && !bars || excepted && !bars {
            return Some(Role::Excluded);
        }
        let pair = |a: &str, b: &str| {
            before
                .windows(2)
                .rev()
                .take(4)
                .any(|w| matches!(w, [x, y] if x.word() == a && y.word() == b))
        };
        if pair("instead", "of") || pair("rather", "than") {
            return Some(Role::Mentioned);
        }
        let still = [
            "untouched",
            "unchanged",
            "unmodified",
            "intact",
            "alone",
            "frozen",
        ];
        let held = before
            .iter()
            .any(|t| listed!("leave|leaving|leaves|keep|keeping|keeps", t.word()));
        if held {
            let as_is = after.windows(2).any(
                |w| matches!(w, [a, b] if a.word() == "as" && listed!("is|it|they|they're|before", b.word())),
            ) || after.iter().any(|t| matches!(t.word(), "as-is" | "out"));
            if as_is || after.iter().any(|t| still.contains(&t.word())) {
                return Some(Role::Excluded);
            }
            let early = before.iter().any(|t| still.contains(&t.word()));
            if early {
                return Some(Role::Excluded);
            }
        }
        if order.is_none_or(|order| !order.holds) && self.is_held_back(p, after) {
            return Some(if bans::is_told_behind(after, kind) {
                Role::Mentioned
            } else {
                bans::role_behind(after)
            });
        }
        // The nearest verb before the path says what is done with it.
        for (distance, token) in before.iter().rev().enumerate() {
            let word = token.word();
            // `drop its import from src/index.ts`
            let drops = word == "from"
                && before
                    .iter()
                    .any(|t| is_form(t.word(), list!("drop|remov|delet|strip|purg", by_word = false)));
            if drops {
                break;
            }
            if word == "from" {
                let import = before.iter().any(|t| {
                    listed!(
                        "import|imports|use|uses|using|reuse|reuses|read|reads|load|loads|copy|\
                        copied|taken|take|inherits|parse|parses|fetch|borrow|helper|pattern|style",
                        t.word(),
                    )
                });
                if import {
                    return Some(Role::Mentioned);
                }
            }
            if is_form(word, CHANGES)
                && !listed!("use|uses|using|used|test|tests|set|sets|build|format", word)
            {
                break;
            }
            if READS.has(word) && distance < 7 {
                // `fix imports in lib/`: what is changed there.
                let changed = before
                    .len()
                    .checked_sub(distance + 2)
                    .and_then(|i| before.get(i))
                    .is_some_and(|t| is_form(t.word(), FILE_CHANGES));
                if changed && listed!("imports|calls|references|imported", word) {
                    break;
                }
                // `every change is described in X`: to be told there.
                let told = changed_of(before, distance, kind);
                if told {
                    break;
                }
                // `the report`, `a review`: a noun.
                let earlier = before
                    .len()
                    .checked_sub(distance + 2)
                    .and_then(|i| before.get(i))
                    .map_or("", Token::word);
                let noun = listed!("the|a|an|this|our|your|each", earlier);
                if !noun {
                    return Some(Role::Mentioned);
                }
            }
        }
        let tail: Vec<&str> = after.iter().map(Token::word).take(8).collect();
        let tail = tail.join(" ");
        if has_any_word!(
            &tail,
            "for reference|as reference|as a reference|as template|as a template|as an example|\
                as a model|as a guide|for background|for context|for details|for inspiration|for how|\
                for an example|is an example|is the reference|as inspiration|for comparison",
        ) || kind != Some(Kind::Outcome) && has_any_word!(&tail, "shows how|describes|explains")
        {
            return Some(Role::Mentioned);
        }
        None
    }

    /// `X must not change`, `X is frozen`, `X is owned by …`
    pub(super) fn is_held_back(&self, p: usize, after: &[Token]) -> bool {
        let path = |t: &Token| match t {
            Token::Path(i) => self.mentions.get(*i).map(|m| m.path.as_str()),
            _ => None,
        };
        let this = self.tokens.get(p).and_then(path).unwrap_or_default();
        let lead = after
            .iter()
            .take_while(|t| {
                matches!(t, Token::Path(_))
                    || listed!(
                        "and|or|both|all|file|files|folder|directory|itself|in|also",
                        t.word(),
                    )
            })
            .count();
        let (listed_with, after) = after.split_at_checked(lead).unwrap_or_default();
        // `src/, src/gen excepted`: said of the part, not of the whole.
        if listed_with
            .iter()
            .filter_map(path)
            .any(|part| others::lies_in(part, this))
        {
            return false;
        }
        if objects::forbids_changes(after) {
            return true;
        }
        let mut words = after.iter();
        let mut negated = false;
        for step in 0..8 {
            let Some(token) = words.next() else { return false };
            let word = token.word();
            if matches!(token, Token::Path(_)) {
                return false;
            }
            if NEGATIONS.has(word) && word != "no" && word != "without" || word.ends_with("n't") {
                negated = true;
                continue;
            }
            if negated {
                if listed!("be|to|get|have|need|been|being|any|allowed", word) {
                    continue;
                }
                if is_form(word, FILE_CHANGES) {
                    let next = words.next().map(Token::word);
                    return next.is_none_or(|w| {
                        listed!(
                            "in|at|by|here|too|either|under|and|or|as|for|yet|now|because|since",
                            w,
                        )
                    });
                }
                return matches!(word, "yours" | "part" | "ours");
            }
            if listed!(
                "untouched|unchanged|unmodified|frozen|off-limits|read-only|readonly|excluded|\
                excepted|exempt|exempted|protected|immutable|owned|belongs|belong|maintained|handled|generated|intact",
                word,
            ) {
                let generated = word == "generated";
                return !generated;
            }
            if matches!(word, "off" | "out") {
                let next = words.next().map_or("", Token::word);
                return matches!(next, "limits")
                    || (word == "out" && next == "of" && words.next().map_or("", Token::word) == "scope");
            }
            if listed!("stay|stays|remain|remains|left|kept", word) {
                let mut left =
                    words.skip_while(|t| listed!("exactly|precisely|entirely|completely|just", t.word()));
                let next = left.next().map_or("", Token::word);
                return listed!(
                    "as|as-is|put|where|alone|unchanged|untouched|intact|frozen|unmodified|out",
                    next,
                ) || matches!(next, "the" | "identical") && is_the_same(next, left);
            }
            let linking = listed!(
                "is|are|must|should|shall|may|can|will|stay|stays|remain|remains|be|to|has|have|\
                currently|still|being|already|completely|entirely|strictly|as",
                word,
            );
            if !linking && (step > 0 || !word.is_empty()) {
                return false;
            }
        }
        false
    }

    /// Whether the clause is about the work of others, or about later work.
    pub(super) fn is_other_task(&self) -> bool {
        let lower = &self.lower;
        const ENGLISH: &str = "someone else|somebody else|another task|another pr|another agent|another team|\
            another ticket|other agent|other team|separate task|separate pr|separate ticket|\
            separate issue|separate change|follow-up|followup|next sprint|next pr|next task|later task|\
            later pr|different task|different pr|different agent|owned by|handled by|maintained by|\
            being done by|assigned to|is working on|are working on|is being refactored|\
            is being rewritten|is being changed|is doing|is refactoring|is rewriting|is changing|\
            is migrating|takes care of|is taking|will be done by|will be handled|a colleague|a teammate|\
            out of scope";
        const KOREAN: &str = "담당합|담당하고|담당 중|담당입|담당이|팀에서|팀이|님이|다른 팀|다른 에이전트|다른 작업|\
            다른 pr|다른 사람|다른 담당|별도 작업|별도 pr|별도 이슈|별도로 진행|추후|나중에|다음 작업|\
            다음 pr|다음 스프린트|다음 단계에서|범위 밖|범위가 아|작업 중이";
        if has_any_word!(lower, ENGLISH) || has_any!(lower, KOREAN) {
            return true;
        }
        // `@bob is …`, `@bob handles …`
        lower.match_indices('@').any(|(at, _)| {
            let rest = slice(lower, at + 1, lower.len());
            let verb = rest.split_whitespace().nth(1).unwrap_or_default();
            let name = rest.split_whitespace().next().unwrap_or_default();
            // `@src/a.rs handles …` hands a file over.
            if name.trim_end_matches(['.', ',', ':']).contains(['/', '.', '"']) {
                return false;
            }
            listed!(
                "is|has|will|owns|handles|does|takes|maintains|works|rewrites|refactors",
                verb,
            ) || ["가", "이", "님이", "담당"]
                .iter()
                .any(|k| name.ends_with(k) && has_hangul(name))
        })
    }

    /// Whether the clause asks for a change in which the path takes part.
    pub(super) fn changes(&self, p: usize) -> bool {
        let of_all = self.orders_change.get_or_init(|| self.has_change());
        let first = p == 0 && self.tokens.len() > 1;
        let mention = match self.tokens.get(p) {
            Some(Token::Path(i)) => self.mentions.get(*i),
            _ => None,
        };
        let ordered = if self.korean {
            mention.is_some_and(|mention| orders::korean(self.after(mention)))
        } else {
            orders::english(&self.tokens, p)
        };
        *of_all || ordered || first && slice(self.text, self.from, self.to).contains(':')
    }

    /// Whether the clause has a word of change, or one that says what may or must be.
    fn has_change(&self) -> bool {
        self.tokens.iter().any(|t| is_change(t.word()))
            || has_any_word!(
                &self.lower,
                "only|scope|allowed|limited to|restrict|confined|stay within|should|must|needs to|\
                    need to|has to",
            )
            || self.korean && is_korean_change(&self.lower)
    }

    /// Whether the path is where a report is written to.
    pub(super) fn writes_to(&self, p: usize) -> bool {
        let before = self.tokens.get(..p).unwrap_or_default();
        let verb = before.iter().any(|t| {
            is_form(
                t.word(),
                list!(
                    "writ|sav|put|creat|produc|output|record|stor|deliver",
                    by_word = false
                ),
            ) || t.word() == "report"
                || t.word() == "summary"
        });
        let to = before
            .last()
            .is_some_and(|t| listed!("to|in|into|at|as|under", t.word()));
        let creates = before
            .iter()
            .any(|t| is_form(t.word(), list!("creat|produc", by_word = false)));
        (verb && to)
            || creates
            || self.korean
                && has_any!(
                    &self.lower,
                    "에 작성|에 저장|에 기록|에 정리|에 남|로 작성|로 저장|파일로|에 보고",
                )
    }
}

/// Whether words behind "stay the" or "stay identical" say so of the file itself: "the same", "the same as before". Of
/// "the same size" its size is meant, and of "the same as src/b.py" that both change.
fn is_the_same<'t>(said: &str, mut words: impl Iterator<Item = &'t Token>) -> bool {
    if said == "the" && words.next().map(Token::word) != Some("same") {
        return false;
    }
    let Some(next) = words.next() else { return true };
    let then = words.next().map_or("", Token::word);
    match next.word() {
        "as" => listed!("before|now|ever|always|it|they|today", then),
        word => listed!("and|or|but|because|since|here|too|please", word) && said == "the",
    }
}
