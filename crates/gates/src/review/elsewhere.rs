//! Runs that say nothing of the change: on another branch, without the patch, of an older version, of something else, or
//! made in nobody's machine but the writer's head.
//!
//! A report names where, when and of what its run was in a phrase of its own: a word of place and a branch ("on main"), a
//! state of long ago ("the previous release", 지난주 버전에서), another thing of the same sort ("another package", 다른 저장소의), the change
//! with a word that takes it away ("without this patch", 패치 없이). Such a phrase tells nothing where the sentence also names
//! the change as there ("rebased on main", "with it all pass", 이 브랜치에서는), or compares ("as they did on main", main에서처럼).

use proctor_prose::{Clause, Reading, Token, TokenKind, tag};

/// What a sentence says of the place of its runs: one bit for each clause, the last one for all that follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Places {
    /// The clause names a place away from the change.
    away: u64,
    /// The clause or one beside it names the change as there.
    own: bool,
}

/// Clauses that are told apart.
const CLAUSES: usize = 63;

impl Places {
    /// Reads the clauses of a sentence.
    pub(super) fn of(reading: &Reading, clauses: &[Clause]) -> Self {
        let mut out = Self::default();
        // What fails elsewhere is no report of that place: "on main two of them fail".
        let fails = clauses
            .iter()
            .any(|c| c.tags.any(tag::BADRES) && c.outcome.against > 0);
        for (index, clause) in clauses.iter().enumerate() {
            let words = Words::of(reading, clause);
            let away = words.away();
            if away.is_some() && !fails {
                out.away |= 1 << index.min(CLAUSES);
            }
            out.own |= words.own(away);
        }
        out
    }

    /// Whether a report in the clause at `index` of the sentence is of a run elsewhere: its own clause says so, or one in
    /// front of it or right behind it.
    pub(super) fn leads_away(self, index: usize) -> bool {
        let index = index.min(CLAUSES);
        let near = u64::MAX >> (CLAUSES - (index + 1).min(CLAUSES));
        !self.own && self.away & near != 0
    }

    /// Whether the sentence leads away as a whole, so that a bare result behind it is of that run.
    pub(super) fn ends_away(self) -> bool {
        !self.own && self.away != 0
    }

    /// Whether it names the change as there.
    pub(super) fn is_own(self) -> bool {
        self.own
    }
}

/// Whether a clause places what it tells in the writer's head: "in my head", "in theory", 머릿속으로.
pub(super) fn imagined(reading: &Reading, clause: &Clause) -> bool {
    let words = Words::of(reading, clause);
    (0..words.words.len()).any(|at| {
        let word = words.at(at);
        let place = matches!(word, "in" | "on")
            && matches!(
                (words.at(at + 1), words.at(at + 2)),
                ("my" | "our", "head" | "mind" | "imagination" | "heads" | "minds")
                    | ("theory" | "principle", _)
            );
        place
            || matches!(word, "mentally" | "theoretically")
            || ["머릿속", "머리속", "이론상", "이론적으로", "상상으로"]
                .iter()
                .any(|stem| word.starts_with(stem))
    })
}

/// A stretch of tokens that stand for a phrase.
type Stretch = std::ops::Range<usize>;

/// The words of a clause as they are written: what stands together without a blank is one word, so that a Korean particle
/// stays with what it belongs to, as in `main에서`.
struct Words<'r> {
    words: Vec<(String, Option<&'r Token>)>,
}

impl<'r> Words<'r> {
    fn of(reading: &'r Reading, clause: &Clause) -> Self {
        let mut words: Vec<(String, Option<&'r Token>)> = Vec::new();
        let mut open = false;
        for token in reading.tokens_of(clause) {
            let said = !token.quoted && !token.struck;
            let word = match token.kind {
                TokenKind::Punct(_) | TokenKind::Emoji => {
                    // A mark ends a phrase.
                    words.push((String::new(), Some(token)));
                    open = false;
                    continue;
                }
                TokenKind::Code => reading.word(token).trim_matches('`'),
                _ => reading.word(token),
            };
            if !said {
                open = false;
                continue;
            }
            match words.last_mut() {
                Some((last, _)) if open && token.glued && token.kind == TokenKind::Hangul => {
                    last.push_str(word)
                }
                _ => words.push((word.to_owned(), Some(token))),
            }
            open = true;
        }
        Self { words }
    }

    /// A word by its place; nothing for a mark or behind the end.
    fn at(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |(word, _)| word)
    }

    fn token(&self, at: usize) -> Option<&'r Token> {
        self.words.get(at).and_then(|(_, token)| *token)
    }

    /// The first phrase that leads away from the change.
    fn away(&self) -> Option<Stretch> {
        (0..self.words.len()).find_map(|at| {
            let end = self.english(at).or_else(|| self.korean(at))?;
            let same = (at + 1..end + 4).any(|at| {
                self.at(at) == "same"
                    || ["똑같", "같은", "동일"]
                        .iter()
                        .any(|s| self.at(at).starts_with(s))
            });
            (!same && !self.compares(at)).then_some(at..end)
        })
    }

    /// Whether what stands before a phrase only compares with it: "as they did on main", "(was 14 on main)", main에서 돌려도.
    fn compares(&self, at: usize) -> bool {
        let behind = self.at(at + 1);
        let though = behind.ends_with('도') && ["돌려", "실행", "해"].iter().any(|s| behind.starts_with(s));
        let mut marks = self.words.get(..at).unwrap_or_default().iter().rev();
        let mark = marks.find_map(|(_, t)| t.filter(|t| t.is_punct('(') || t.is_punct(')')));
        let aside = mark.is_some_and(|t| t.is_punct('('));
        let since = at.checked_sub(1).is_some_and(|before| self.at(before) == "from");
        though
            || aside
            || since
            || (at.saturating_sub(6)..at).any(|before| {
                matches!(
                    self.at(before),
                    "as" | "like"
                        | "than"
                        | "unlike"
                        | "vs"
                        | "versus"
                        | "compared"
                        | "against"
                        | "same"
                        | "while"
                        | "whereas"
                )
            })
    }

    /// Whether the clause names the change as there, outside of the phrase that leads away.
    fn own(&self, away: Option<Stretch>) -> bool {
        let outside = |at: &usize| !away.as_ref().is_some_and(|away| away.contains(at));
        (0..self.words.len()).filter(outside).any(|at| {
            let (before, word, next) = (
                at.checked_sub(1).map_or("", |before| self.at(before)),
                self.at(at),
                self.at(at + 1),
            );
            let there = matches!(
                before,
                "with" | "on" | "in" | "after" | "for" | "to" | "onto" | "into"
            );
            let english = matches!(
                word,
                "here" | "now" | "also" | "too" | "both" | "after" | "afterwards" | "likewise"
            ) || word == "as" && next == "well"
                || word == "top" && before == "on"
                || word == "it"
                    && matches!(before, "with" | "ran" | "tested" | "tried" | "merged" | "rebased")
                || there && self.change(at).is_some()
                || there && self.branch_of_the_change(at)
                || brings_together(word);
            let korean = [
                "이제",
                "지금",
                "여기",
                "병합",
                "머지",
                "리베이스",
                "또한",
                "함께",
                "얹",
            ]
            .iter()
            .any(|stem| word.starts_with(stem))
                || word.ends_with("까지") && word != "지금까지"
                || word.ends_with("에서도")
                || matches!(word, "후" | "후에" | "후에는" | "뒤" | "뒤에" | "뒤에는" | "위에")
                || matches!(word, "이" | "이번" | "작업" | "현재" | "해당") && next.starts_with("브랜치")
                || ["적용하", "적용한", "적용했", "적용된", "반영한", "반영하"]
                    .iter()
                    .any(|stem| word.starts_with(stem))
                    && !word.ends_with('지');
            english || korean
        })
    }

    /// Where a phrase that begins here and leads away ends.
    fn english(&self, at: usize) -> Option<usize> {
        let word = self.at(at);
        let behind = at + 1;
        match word {
            "without" | "before" | "minus" => {
                let end = self.change(behind)?;
                if matches!(self.at(end), "applied" | "merged") {
                    return Some(end + 1);
                }
                return self.ends(end);
            }
            "with" => {
                if let Some(end) = self.change(behind) {
                    let taken = matches!(
                        self.at(end),
                        "reverted"
                            | "removed"
                            | "stashed"
                            | "undone"
                            | "off"
                            | "disabled"
                            | "unapplied"
                            | "missing"
                    );
                    return taken.then_some(end + 1);
                }
            }
            "unrelated" if self.at(behind) == "to" => return self.change(at + 2),
            _ => {}
        }
        // "which this change does not touch"
        if matches!(word, "which" | "that" | "whom")
            && let Some(end) = self.change(behind)
        {
            let denied = matches!(self.at(end), "doesn't" | "didn't" | "never")
                || matches!(self.at(end), "does" | "did") && self.at(end + 1) == "not";
            return denied.then_some(end + 1);
        }
        let placed = matches!(word, "on" | "at" | "against" | "under");
        let named = placed || matches!(word, "in" | "of" | "with" | "for" | "from");
        let token = self.token(at)?;
        let runs = token.tags.any(tag::RUN | tag::BUILD | tag::CHECK) && !placed;
        let leaves = matches!(word, "checked" | "switched" | "went")
            && matches!(self.at(behind), "out" | "to" | "back");
        if leaves {
            let from = behind + 1 + usize::from(self.at(behind + 1) == "to");
            return self.branch(from, true).or_else(|| self.old(from));
        }
        if named {
            return self
                .branch(behind, placed)
                .or_else(|| self.old(behind))
                .or_else(|| self.other(behind));
        }
        // "I ran last week's version", "The old version passes"
        let first = (0..at).all(|before| self.at(before).is_empty());
        if runs {
            return self.old(behind);
        }
        first.then(|| self.old(at)).flatten()
    }

    /// Behind the articles and such at a place.
    fn article(&self, at: usize) -> usize {
        at + usize::from(matches!(
            self.at(at),
            "the" | "a" | "an" | "our" | "my" | "your" | "its" | "that" | "their" | "some"
        ))
    }

    /// The change itself, with a word that says which: "this patch", "your change".
    fn change(&self, at: usize) -> Option<usize> {
        let which = matches!(
            self.at(at),
            "this" | "the" | "my" | "your" | "that" | "our" | "their" | "these" | "his" | "her"
        );
        let is = |at: usize| {
            matches!(
                self.at(at),
                "patch"
                    | "change"
                    | "changes"
                    | "fix"
                    | "commit"
                    | "commits"
                    | "diff"
                    | "pr"
                    | "pull"
                    | "patches"
            )
        };
        (which && is(at + 1)).then_some(at + 2)
    }

    /// "this branch", "the feature branch", "your branch"; the base has names of its own.
    fn branch_of_the_change(&self, at: usize) -> bool {
        let which = matches!(self.at(at), "this" | "the" | "my" | "your" | "that" | "our");
        let branch = |at: usize| matches!(self.at(at), "branch" | "head");
        which
            && (branch(at + 1)
                || matches!(self.at(at + 1), "feature" | "new" | "topic" | "pr") && branch(at + 2))
    }

    /// A branch that the change is not on: bare only behind a word of place.
    fn branch(&self, at: usize, bare: bool) -> Option<usize> {
        let at = self.article(at);
        let word = self.at(at);
        let named = matches!(
            word,
            "main" | "master" | "trunk" | "develop" | "mainline" | "upstream"
        ) || word.starts_with("origin/");
        let end = at + 1;
        if (named || matches!(word, "base" | "default" | "target")) && is_state(self.at(end)) {
            return self.ends(end + 1);
        }
        (named && bare).then(|| self.ends(end)).flatten()
    }

    /// A state of the work from before the change: "the previous release", "last week's version", "the parent commit".
    fn old(&self, at: usize) -> Option<usize> {
        let at = self.article(at);
        let word = self.at(at);
        let times = |w: &str| {
            matches!(
                w,
                "week's" | "month's" | "year's" | "night's" | "friday's" | "monday's"
            )
        };
        let behind = match word {
            "old" | "older" | "previous" | "earlier" | "prior" | "former" | "original" | "unpatched"
            | "unmodified" | "vanilla" | "parent" | "base" | "legacy" | "yesterday's" | "yesterdays" => {
                at + 1
            }
            "last" if times(self.at(at + 1)) => at + 2,
            "last" if matches!(self.at(at + 1), "release" | "version") => at + 1,
            _ => return None,
        };
        // "yesterday's nightly build"
        let at = (behind..behind + 2).find(|at| is_state(self.at(*at)))?;
        self.ends(at + 1)
    }

    /// Another thing of the sort that the change is of: "another package", "a different repository".
    fn other(&self, at: usize) -> Option<usize> {
        let at = self.article(at);
        let other = matches!(
            self.at(at),
            "another" | "other" | "different" | "unrelated" | "separate"
        );
        let at = other.then(|| (at + 1..at + 4).find(|at| is_unit(self.at(*at))))??;
        self.ends(at + 1)
    }

    /// The end of a phrase, unless a noun follows that it only describes ("the main page") or says what it is of.
    fn ends(&self, end: usize) -> Option<usize> {
        let Some(next) = self.token(end) else {
            return Some(end);
        };
        let word = self.at(end);
        let goes_on = tag::STOP
            | tag::CLAUSE
            | tag::NEG
            | tag::OKRES
            | tag::BADRES
            | tag::PAST
            | tag::RUN
            | tag::CHECK
            | tag::TESTS
            | tag::BUILD
            | tag::LINT
            | tag::TYPES
            | tag::INTENS
            | tag::GENERIC
            | tag::CONTRAST;
        let ends = next.kind != TokenKind::Word || next.tags.any(goes_on) || word == "all";
        (ends && word != "of").then_some(end)
    }

    /// The same in Korean, where the particle says that it is a place.
    fn korean(&self, at: usize) -> Option<usize> {
        let (word, next) = (self.at(at), self.at(at + 1));
        let token = self.token(at)?;
        if token.kind != TokenKind::Hangul
            && !word.ends_with(|c| ('가'..='힣').contains(&c))
            && !is_hangul(next)
        {
            return None;
        }
        // main에서, main 브랜치에서, develop 브랜치 기준으로
        let base = ["main", "master", "trunk", "develop", "마스터", "메인"]
            .iter()
            .find_map(|stem| word.strip_prefix(stem));
        if let Some(rest) = base {
            if is_place(rest) || rest.is_empty() && next.starts_with("기준") {
                return Some(at + 1);
            }
            let state = ["브랜치", "버전", "코드", "쪽"]
                .iter()
                .find_map(|s| next.strip_prefix(s));
            let based = self.at(at + 2).starts_with("기준");
            if rest.is_empty() && state.is_some_and(|rest| is_place(rest) || rest.is_empty() && based) {
                return Some(at + 2);
            }
        }
        let stem = |stems: &[&str]| {
            stems
                .iter()
                .any(|s| word.strip_prefix(s).is_some_and(|r| matches!(r, "" | "의")))
        };
        let state = |at: usize| {
            [
                "버전",
                "릴리스",
                "릴리즈",
                "코드",
                "커밋",
                "브랜치",
                "빌드",
                "상태",
                "리비전",
            ]
            .iter()
            .find_map(|s| self.at(at).strip_prefix(s))
        };
        // 이전 릴리스에서, 변경 전 코드로
        let old = stem(&[
            "이전",
            "기존",
            "예전",
            "지난주",
            "지난달",
            "지난번",
            "어제",
            "옛",
            "구",
            "원래",
            "직전",
        ]);
        let before = ["변경", "수정", "패치", "적용", "고치기", "바꾸기"]
            .iter()
            .any(|s| word.starts_with(s))
            && matches!(next, "전" | "전의" | "이전");
        if old || before {
            let at = at + 1 + usize::from(before);
            let moved = [self.at(at + 1), self.at(at + 2)].iter().any(|w| {
                [
                    "올리",
                    "올려",
                    "업그레이드",
                    "넘어",
                    "옮",
                    "마이그레이션",
                    "업데이트",
                    "되돌",
                    "롤백",
                    "내려",
                ]
                .iter()
                .any(|stem| w.starts_with(stem))
            });
            return (state(at).is_some_and(is_place) && !moved).then_some(at + 1);
        }
        // 다른 패키지의, 옆 팀 저장소의
        let other = stem(&[
            "다른",
            "옆",
            "별개",
            "남",
            "엉뚱한",
            "무관한",
            "관계없는",
            "상관없는",
        ]);
        if other {
            let unit = [
                "패키지",
                "저장소",
                "레포",
                "리포",
                "프로젝트",
                "모듈",
                "크레이트",
                "서비스",
                "앱",
                "컴포넌트",
                "라이브러리",
            ];
            let at = (at + 1..at + 3).find_map(|at| {
                let rest = unit.iter().find_map(|u| self.at(at).strip_prefix(u))?;
                (rest.is_empty() || is_place(rest)).then_some(at + 1)
            });
            return at;
        }
        // 이번 변경과 무관한
        let with = [
            "변경과",
            "변경사항과",
            "수정과",
            "패치와",
            "pr과",
            "pr와",
            "커밋과",
        ]
        .iter()
        .any(|s| word.ends_with(s));
        if with
            && ["무관", "관계없", "상관없", "관계", "상관", "관련"]
                .iter()
                .any(|s| next.starts_with(s))
        {
            let none = |w: &str| w.contains("무관") || w.contains('없');
            return (none(next) || none(self.at(at + 2))).then_some(at + 2);
        }
        // 패치 없이, 패치를 적용하지 않고
        let which = at
            .checked_sub(1)
            .is_some_and(|before| matches!(self.at(before), "이" | "이번" | "그" | "해당"));
        let change = ["패치", "커밋"]
            .iter()
            .find_map(|s| word.strip_prefix(s))
            .or_else(|| {
                let rest = ["변경", "수정", "pr"].iter().find_map(|s| word.strip_prefix(s));
                rest.filter(|_| which || next.starts_with("적용하지") || next.starts_with("반영하지"))
            });
        let without = matches!(change, Some("" | "를" | "을"))
            && (matches!(next, "없이" | "없이는" | "빼고")
                || ["적용하지", "반영하지", "넣지"]
                    .iter()
                    .any(|s| next.starts_with(s))
                    && self.at(at + 2).starts_with('않'));
        without.then_some(at + 2)
    }
}

fn is_hangul(word: &str) -> bool {
    word.starts_with(|c| ('가'..='힣').contains(&c))
}

/// What a branch or a state is called.
fn is_state(word: &str) -> bool {
    matches!(
        word,
        "branch"
            | "version"
            | "code"
            | "commit"
            | "build"
            | "release"
            | "revision"
            | "state"
            | "checkout"
            | "tree"
            | "snapshot"
            | "tip"
    )
}

/// Sorts of things that a change is of.
fn is_unit(word: &str) -> bool {
    matches!(
        word,
        "package"
            | "repository"
            | "repo"
            | "project"
            | "module"
            | "crate"
            | "service"
            | "component"
            | "library"
            | "app"
            | "branch"
            | "fork"
            | "codebase"
            | "product"
    )
}

/// What stands behind a Korean noun that says where, of what or as what.
fn is_place(rest: &str) -> bool {
    matches!(
        rest,
        "에서" | "에서는" | "에선" | "으로" | "로" | "으로는" | "로는" | "의" | "상에서"
    )
}

/// Verbs that bring the change and a branch together.
fn brings_together(word: &str) -> bool {
    matches!(
        word,
        "merged" | "merging" | "rebased" | "rebasing" | "applied" | "applying" | "cherry-picked" | "pulled"
    )
}
