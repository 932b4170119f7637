//! Reads a delegation into an [`Outline`].

use crate::grant;
use crate::items;
use crate::labels::Kind;
use crate::list::{has_any, has_any_word, listed};
use crate::names::LOCKS;
use crate::paths::{self, Mention};
use crate::roles::{self, General, Role};
use crate::sections::Piece;
use crate::text::{entries, sentences, slice};
use proctor_kernel::Outline;
use std::collections::HashSet;

/// Globs of test files, for "do not touch the tests".
const TESTS: &str = "\
    **/{test,tests,__tests__,spec,specs,e2e}/**|**/*.{test,spec,e2e}.*|**/*_{test,tests,spec}.*|\
    **/test_*.*|**/*{Test,Tests,Spec,IT}.{java,kt,kts,cs,scala,groovy,swift,php,m}|**/conftest.py";

/// Globs of generated files, for "regenerate …".
const GENERATED: &str = "\
    **/{__generated__,generated,gen,__snapshots__,snapshots,autogen}/**|\
    **/*.{gen,generated,pb,g,freezed}.*|**/*.pb.*|**/*_{gen,generated,pb,pb2,pb2_grpc}.*|\
    **/*.{snap,snapshot,golden}|**/*.golden.*";

/// Most items that a checklist keeps one by one.
const ITEMS: usize = 1000;

/// What a delegation says must come out: its items, and the files that may and may not change.
///
/// Understands labelled sections (headings, lists, tables, YAML, JSON, `DELEGATE::agent::…` lines)
/// and running text, in English and Korean. Exclusions win over inclusions; files that are only
/// context, reference, command arguments or somebody else's work are left out.
///
/// Of a text longer than [`crate::LOOKED_AT`] the beginning and the end are read; [`Outline::unread`] says how
/// much was not. Of more than a thousand items the last one stands for all the others.
#[must_use]
pub fn read(text: &str) -> Outline {
    let prepared = crate::prepare(text);
    let pieces = crate::sections::pieces(&prepared.text);
    let mut builder = Builder::default();
    let mut has_outcome = prepared.delegate;
    let mut items = items::of(&pieces);
    for piece in &pieces {
        has_outcome |= matches!(piece.kind, Some(Kind::Outcome | Kind::Scope));
        builder.piece(piece);
    }
    has_outcome |= builder.prose_outcome || (builder.general.only && !builder.expected.is_empty());
    if items.is_empty() {
        items = unlabelled_items(&pieces, prepared.delegate, &mut has_outcome);
    }
    if items.len() > ITEMS {
        let more = items.len() - (ITEMS - 1);
        items.truncate(ITEMS - 1);
        items.push(format!("{more} more items of the task"));
    }
    let mut outline = builder.finish(items, has_outcome);
    outline.unread = prepared.unread;
    outline
}

/// The outline of a task that goes on with a further prompt: files that the new words ask for are
/// added (and no longer excluded), files that they rule out are excluded, new items follow the old ones. Where files
/// were limited, those that the new words permit, or of which they give nothing but the names, are added as well.
#[must_use]
pub fn extend(outline: &Outline, text: &str) -> Outline {
    let mut more = read(text);
    if crate::scope::is_judgeable(outline) {
        for file in grant::released(&crate::prepared_pieces(text)) {
            if file.against {
                more.excluded.retain(|path| *path != file.path);
                more.kept.retain(|path| *path != file.path);
            }
            if !more.expected.contains(&file.path) && !more.excluded.contains(&file.path) {
                more.expected.push(file.path);
            }
        }
    }
    let mut out = outline.clone();
    if !more.expected.is_empty() {
        out.read_only = false;
        out.excluded.retain(|path| !more.expected.contains(path));
        out.kept.retain(|path| !more.expected.contains(path));
    }
    out.read_only |= more.read_only;
    out.has_outcome |= more.has_outcome;
    out.unread += more.unread;
    for (old, new) in [
        (&mut out.expected, more.expected),
        (&mut out.excluded, more.excluded),
        (&mut out.kept, more.kept),
        (&mut out.items, more.items),
    ] {
        for entry in new {
            if !old.contains(&entry) {
                old.push(entry);
            }
        }
    }
    out
}

/// Items of a text without an outcome section: enumerations inside a sentence, lists of things to do,
/// a sentence that says what is expected, and the order in a `DELEGATE` line.
fn unlabelled_items(pieces: &[Piece], delegate: bool, has_outcome: &mut bool) -> Vec<String> {
    let asks = |p: &&Piece| matches!(p.kind, None | Some(Kind::Task)) && !p.is_code && !p.is_group;
    let mut out = Vec::new();
    for piece in pieces
        .iter()
        .filter(asks)
        .filter(|p| p.marker == crate::layout::Marker::None)
    {
        if let Some(items) = items::enumerated(&piece.text) {
            out.extend(items);
        }
    }
    if !out.is_empty() {
        return out;
    }
    let listed: Vec<&Piece> = pieces
        .iter()
        .filter(asks)
        .filter(|p| p.marker != crate::layout::Marker::None && p.row.is_none())
        .collect();
    if listed.len() > 1 && listed.iter().all(|p| items::is_imperative(&p.text)) {
        return listed.iter().map(|p| p.text.clone()).collect();
    }
    for piece in pieces.iter().filter(asks) {
        for (from, to) in sentences(&piece.text) {
            let sentence = slice(&piece.text, from, to).trim();
            if names_outcome(sentence) {
                *has_outcome = true;
                out.push(sentence.trim_end_matches('.').to_owned());
            }
        }
    }
    if out.is_empty() && delegate {
        let order = pieces.iter().find(|p| asks(p) && items::is_imperative(&p.text));
        out.extend(order.map(|p| p.text.clone()));
    }
    out
}

/// Whether a sentence says in running text what must come out. A question about it does not, nor does one that only speaks
/// of it: `compare the expected outcome with the log`, `the expected outcome is unclear`.
fn names_outcome(sentence: &str) -> bool {
    const NOUNS: &str = "expected outcome|expected result|expected output|desired outcome|desired result|expected deliverable";
    const SAYS: &str = "outcome i expect|outcome we expect|outcome i want|outcome we want|result i expect|result we expect|\
        result i want|outcome should be|outcome is|what i expect is|i expect to see|deliverable is|deliverables are|should end \
        up with";
    let lower = unquoted(&sentence.to_lowercase());
    if roles::is_question(sentence) || sentence.trim_end().ends_with(['?', '？']) {
        return false;
    }
    if has_any!(
        &lower,
        "기대 결과|기대결과|기대하는 결과|원하는 결과|예상 결과|기대하는 것은|산출물은|결과물은|기대하는 산출물|기대 산출물|바라는 결과",
    ) {
        return !has_any!(
            &lower,
            "를 설명|을 설명|를 알려|를 요약|를 비교|가 뭔지|이 뭔지|가 무엇|불분명|모르겠"
        );
    }
    let said = has_any_word!(&lower, SAYS);
    if !said && !has_any_word!(&lower, NOUNS) {
        return false;
    }
    // What is told of it has to be what it is.
    let noun = entries(NOUNS)
        .filter_map(|noun| Some((lower.find(noun)?, noun.len())))
        .min();
    if noun.is_some_and(|(at, _)| crate::labels::is_spoken_of(&lower, at)) && !said {
        return false;
    }
    let noun = noun.map(|(at, length)| at + length);
    let behind = noun.map_or(lower.as_str(), |at| slice(&lower, at, lower.len()));
    let linked =
        said || noun.is_some_and(|_| {
            behind
                .trim_start_matches('s')
                .trim_start()
                .starts_with([':', '=', '-', '–', '—', '('])
                || has_any_word!(
                    behind,
                    "is|are|be|should|must|will|shall|being|means|includes|consists|contains"
                )
        }) || noun.is_some_and(|at| at >= lower.trim_end_matches(['.', '!', ' ']).len());
    linked
        && !has_any_word!(
            &lower,
            "is unclear|is not clear|isn't clear|is unknown|is missing|is wrong|is confusing|is not defined|not sure|don't \
            understand|do not understand"
        )
}

/// A sentence without what stands in double quotes or backticks.
fn unquoted(sentence: &str) -> String {
    let plain = sentence.replace(['“', '”', '`'], "\"");
    if plain.matches('"').count() < 2 {
        return plain;
    }
    let parts = plain.split('"').step_by(2);
    parts.collect::<Vec<_>>().join("\"\"")
}

/// Whether a sentence of running text says that nothing but what it names is concerned.
fn confines(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    has_any_word!(
        &lower,
        "nothing more|nothing else|and no more|limited to|confined to|restricted to|only the following|\
        the only file|the only files|the only folder|just these|only these|is a matter of|stays within|\
        stay within|stay inside|may only touch|only touches|in scope are|in scope is|scope is",
    ) || has_any!(
        &lower,
        "만 대상|대상입니다|대상은|에 한정|으로 한정|로 한정|만 해당|만 손대|만 다룹|만 다루|뿐입니다|이 전부입니다|\
        가 전부입니다|범위는|범위입니다|안에서만|안에서 끝"
    ) || names_the_files(&lower)
}

/// Whether a Korean sentence says which files are those to change: 고칠 파일은 … 하나입니다. What is to be done with
/// them stands before the noun, as a verb that ends in ㄹ.
fn names_the_files(lower: &str) -> bool {
    const NOUNS: [&str; 6] = ["파일은", "파일이", "폴더는", "곳은", "것은", "데는"];
    let mut previous = "";
    for word in lower.split_whitespace() {
        if NOUNS.contains(&word) && roles::is_korean_change_to_come(previous) {
            return true;
        }
        previous = word;
    }
    false
}

#[derive(Default)]
struct Builder {
    expected: Vec<String>,
    outputs: Vec<String>,
    excluded: Vec<String>,
    kept: Vec<String>,
    weak: Vec<String>,
    /// Files of which nothing but tests is asked for.
    tested: HashSet<String>,
    seen: HashSet<String>,
    general: General,
    prose_outcome: bool,
    topic: Topic,
}

/// The files that the last sentence of running text named and wanted nothing of, for an order on them that follows.
#[derive(Default)]
struct Topic {
    /// Strong are those that the sentence asked about, or told a fault of.
    files: Vec<Mention>,
    /// Sentences since then.
    since: usize,
}

/// After so many sentences "it" is something else.
const REMEMBERED: usize = 3;

impl Builder {
    fn piece(&mut self, piece: &Piece) {
        if piece.is_code {
            // A block of code is not prose; a line that is nothing but a path still names it.
            let found = paths::find(&piece.text);
            let listed = matches!(
                piece.kind,
                Some(Kind::Outcome | Kind::Scope | Kind::Exclude | Kind::MustNot)
            );
            if let ([only], true) = (found.as_slice(), listed)
                && only.start == usize::from(only.barred)
                && only.end + 1 >= piece.text.len()
            {
                let role = if matches!(piece.kind, Some(Kind::Outcome | Kind::Scope)) != only.barred {
                    Role::Expected
                } else {
                    Role::Excluded
                };
                self.add(only, role);
            }
            return;
        }
        if let Some(row) = &piece.row {
            for (head, cell) in row {
                let kind = column(head, piece.kind);
                self.text(cell, kind);
            }
            return;
        }
        if matches!(piece.kind, Some(Kind::Tools | Kind::Other)) {
            return;
        }
        if piece.kind.is_none() {
            // Running text: the sentence that names the outcome is read as one.
            for (from, to) in sentences(&piece.text) {
                let sentence = slice(&piece.text, from, to);
                let outcome = names_outcome(sentence);
                self.prose_outcome |= outcome;
                let kind = outcome.then_some(Kind::Outcome);
                let confined = kind.or_else(|| confines(sentence).then_some(Kind::Scope));
                self.text(sentence, confined);
            }
            return;
        }
        self.text(&piece.text, piece.kind);
    }

    fn text(&mut self, text: &str, kind: Option<Kind>) {
        let mut mentions = paths::find(text);
        for folder in paths::named_folders(text) {
            if !mentions
                .iter()
                .any(|m| m.start < folder.end && folder.start < m.end)
            {
                mentions.push(folder);
            }
        }
        mentions.sort_by_key(|m| m.start);
        paths::kinds(text, &mut mentions);
        let roles = roles::roles(text, &mentions, kind);
        for (mention, role) in mentions.iter().zip(&roles) {
            self.add(mention, *role);
            if *role == Role::Expected
                && !is_test(&mention.path)
                && roles::is_tested(text, mention.start, mention.end)
            {
                self.tested.insert(mention.path.clone());
            }
        }
        if matches!(kind, None | Some(Kind::Task)) {
            self.follow(text, &mentions, &roles);
        } else {
            self.topic = Topic::default();
        }
        let general = roles::general(text, &mentions, kind);
        let says = !matches!(kind, Some(Kind::Context));
        self.general.read_only |= general.read_only && says;
        self.general.only |= general.only && says;
        self.general.tests_barred |= general.tests_barred;
        self.general.tests_kept |= general.tests_kept;
        self.general.tested_barred |= general.tested_barred;
        self.general.locks_barred |= general.locks_barred;
        if matches!(
            kind,
            Some(Kind::Outcome | Kind::Scope | Kind::Task | Kind::MustDo) | None
        ) {
            self.general.tests_wanted |= general.tests_wanted && !mentions_test(&mentions);
            self.general.regenerate |= general.regenerate;
        }
    }

    /// Takes orders on files that an earlier sentence named (`Why does X crash? Fix it.`). After a statement, which may
    /// only show how something is done, they count in company.
    fn follow(&mut self, text: &str, mentions: &[Mention], roles: &[Role]) {
        for (from, to) in sentences(text) {
            let sentence = slice(text, from, to);
            let first = mentions.partition_point(|m| m.start < from);
            let last = mentions.partition_point(|m| m.start < to);
            if first == last {
                self.topic.since += 1;
                if self.topic.since <= REMEMBERED && roles::orders_a_change_of_it(sentence) {
                    for mention in std::mem::take(&mut self.topic.files) {
                        self.add(&mention, Role::Expected);
                    }
                }
                continue;
            }
            let inside = mentions.iter().zip(roles).take(last).skip(first);
            let only = inside.filter(|(mention, role)| **role == Role::Mentioned && !mention.command);
            let asked = roles::is_question(sentence);
            let files: Vec<Mention> = only
                .map(|(mention, _)| {
                    // An order on a file that has a fault is about that file.
                    let place = (mention.start - from, (mention.end - from).min(sentence.len()));
                    let meant = asked || roles::is_at_fault(sentence, place, &mention.path);
                    Mention {
                        strong: mention.strong && meant,
                        ..mention.clone()
                    }
                })
                .collect();
            // "There's a bug in X, please take care of it."
            let end = mentions.get(last - 1).map_or(to, |m| m.end.min(to));
            let behind = slice(text, end, to);
            let tail = behind
                .find([',', ';', '—', '–', ':'])
                .map(|at| slice(behind, at, behind.len()));
            if let Some(tail) = tail.filter(|_| !files.is_empty() && !asked)
                && roles::orders_a_change_of_it(tail.trim_start_matches(|c: char| !c.is_alphanumeric()))
            {
                for mention in &files {
                    self.add(mention, Role::Expected);
                }
                self.topic = Topic::default();
                continue;
            }
            self.topic = Topic { files, since: 0 };
        }
    }

    fn add(&mut self, mention: &Mention, role: Role) {
        let list = match role {
            Role::Mentioned => return,
            Role::Excluded => &mut self.excluded,
            Role::Kept => &mut self.kept,
            Role::Output if mention.strong => {
                self.outputs.push(mention.path.clone());
                &mut self.expected
            }
            Role::Expected | Role::Output if mention.strong => &mut self.expected,
            Role::Expected | Role::Output => &mut self.weak,
        };
        let tag = match role {
            Role::Excluded => '-',
            Role::Kept => '=',
            _ if mention.strong => '+',
            _ => '?',
        };
        for path in paths::spellings(&mention.path) {
            if self.seen.insert(format!("{tag}{path}")) {
                list.push(path);
            }
        }
    }

    fn finish(mut self, items: Vec<String>, has_outcome: bool) -> Outline {
        if !self.expected.is_empty() {
            self.expected.append(&mut self.weak);
        }
        let mut read_only = self.general.read_only;
        if read_only {
            self.expected = self.outputs;
            read_only = self.expected.is_empty();
        }
        let derivable = !self.expected.is_empty();
        if derivable
            && self.general.tests_wanted
            && !self.general.tests_barred
            && !self.expected.iter().any(|p| is_test(p))
        {
            let globs = test_globs(&self.expected);
            self.expected.extend(globs);
        }
        if self.general.tested_barred {
            // "Write tests for X; do not change the module."
            let barred = |path: &String| self.tested.contains(path);
            self.excluded
                .extend(self.expected.iter().filter(|path| barred(path)).cloned());
            self.expected.retain(|path| !barred(path));
        }
        if derivable && self.general.regenerate {
            self.expected.extend(entries(GENERATED).map(str::to_owned));
        }
        if self.general.tests_barred {
            let named = self.expected.iter().any(|p| is_test(p));
            if !named {
                self.excluded.extend(entries(TESTS).map(str::to_owned));
            }
        }
        if self.general.tests_kept && !self.general.tests_barred {
            self.kept.extend(entries(TESTS).map(str::to_owned));
        }
        if self.general.locks_barred {
            let mut names: Vec<String> = LOCKS
                .iter()
                .flat_map(|(_, locks)| locks.iter())
                .map(|l| (*l).to_owned())
                .collect();
            names.sort();
            names.dedup();
            names.retain(|n| !self.excluded.contains(n) && n != "requirements.txt");
            self.excluded.extend(names);
        }
        Outline {
            has_outcome,
            items,
            expected: self.expected,
            excluded: self.excluded,
            kept: self.kept,
            read_only,
            unread: 0,
        }
    }
}

/// What a table's column is about, by its head.
fn column(head: &str, kind: Option<Kind>) -> Option<Kind> {
    if has_any_word!(
        head,
        "reference|see|context|source|based on|owner|notes|note|background",
    ) || has_any!(head, "참고|참조|담당|비고|배경")
    {
        return Some(Kind::Context);
    }
    if has_any_word!(
        head,
        "exclude|excluded|forbidden|off limits|do not touch|out of scope",
    ) || has_any!(head, "제외|금지")
    {
        return Some(Kind::Exclude);
    }
    kind
}

fn mentions_test(mentions: &[Mention]) -> bool {
    mentions.iter().any(|m| is_test(&m.path))
}

/// Whether a path is a test file or a folder of tests, by its name.
pub(crate) fn is_test(path: &str) -> bool {
    let mut segments: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    let name = segments.pop().unwrap_or_default();
    let is_dir = |s: &str| {
        matches!(
            s,
            "test" | "tests" | "__tests__" | "spec" | "specs" | "e2e" | "__mocks__" | "testdata"
        )
    };
    if segments.iter().any(|s| is_dir(s)) || is_dir(name) {
        return true;
    }
    let stem = name.split('.').next().unwrap_or_default();
    let lower = name.to_ascii_lowercase();
    lower.contains(".test.")
        || lower.contains(".spec.")
        || lower.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem.ends_with("_spec")
        || stem.ends_with("Test")
        || stem.ends_with("Tests")
        || stem.ends_with("Spec")
}

/// Globs of the tests that belong to the given files: of the same package, which is the part of the
/// path before a source folder, or the file's own folder.
fn test_globs(expected: &[String]) -> Vec<String> {
    const SOURCES: &str = "src|lib|app|source|sources|main|include|pkg|internal|cmd";
    let mut out = Vec::new();
    let mut push = |glob: String| {
        if !out.contains(&glob) {
            out.push(glob);
        }
    };
    for path in expected.iter().filter(|p| !is_test(p)).take(200) {
        let segments: Vec<&str> = path.trim_end_matches('/').split('/').collect();
        let folder = segments.len().saturating_sub(usize::from(!path.ends_with('/')));
        let package = match segments.iter().position(|s| listed!(SOURCES, s)) {
            Some(at) => at,
            None => folder,
        };
        let literal = |to: usize| {
            let parts: Vec<&str> = segments
                .iter()
                .take(to)
                .take_while(|s| !s.contains(['*', '{', '[']))
                .copied()
                .collect();
            parts.iter().fold(String::new(), |acc, part| acc + part + "/")
        };
        let root = literal(package);
        for glob in entries(TESTS).take(5) {
            push(format!("{root}{glob}"));
        }
        let name = segments.last().copied().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        if !stem.is_empty() && !stem.contains(['*', '{', '[']) && !path.ends_with('/') {
            push(format!("**/{{test,tests,__tests__,spec,specs}}/**/*{stem}*"));
            push(format!(
                "**/{stem}{{_test,_tests,_spec,.test,.spec,Test,Tests,Spec}}.*"
            ));
            push(format!("**/test_{stem}.*"));
        }
    }
    out
}
