//! Names of files with spaces: what stands whole in quotes or backticks and ends like a file is one name, unless it reads
//! like a command or like words that somebody said.

use super::{CLOSERS, Mention, file_like, is_particle};
use crate::list::listed;
use crate::roles;
use crate::text::{is_hangul, near_before, near_behind, slice};

/// Most words of a name.
const WORDS: usize = 6;

/// Adds a mention; the end of a name with a space in it (문서/설치 안내.md, `docs/User Guide.md`) joins what stands before it: the
/// folder and the first word, which end in no particle and no extension, and have no word of grammar behind them.
pub(super) fn push(text: &str, mention: Mention, out: &mut Vec<Mention>) {
    let from = out
        .last()
        .filter(|before| before.end + 1 == mention.start && !before.command && !before.barred);
    let from = from.map_or_else(|| first_word(text, mention.start), |before| Some(before.start));
    let continues = !mention.path.contains(['/', '*', '{'])
        && mention
            .path
            .starts_with(|c: char| is_hangul(c) || c.is_ascii_uppercase())
        && file_like(&mention.path)
        && text.as_bytes().get(mention.start.wrapping_sub(1)) == Some(&b' ');
    if let Some(from) = from.filter(|_| continues)
        && let Some((head, name)) = slice(text, from, mention.start - 1).rsplit_once('/')
        && is_first_half(name, &mention.path)
        && !head.is_empty()
    {
        let path = format!("{head}/{name} {}", mention.path);
        out.pop_if(|before| before.start == from);
        out.push(Mention {
            path: path.trim_start_matches("./").to_owned(),
            start: from,
            strong: true,
            ..mention
        });
        return;
    }
    out.push(mention);
}

/// Where the word before a place begins.
fn first_word(text: &str, at: usize) -> Option<usize> {
    let before = near_before(text, at).strip_suffix(' ')?;
    let word = before.rsplit([' ', '\n', '\t', '(', '`', '"']).next()?;
    Some(at - 1 - word.len())
}

/// Whether a word behind a slash is the first half of a name: of the same script as the second, and nothing that stands
/// for itself.
fn is_first_half(name: &str, rest: &str) -> bool {
    let korean = name.chars().all(is_hangul) && rest.starts_with(is_hangul);
    let english = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_alphanumeric())
        && !rest.starts_with(is_hangul);
    let particle = [
        "에", "에서", "의", "을", "를", "와", "과", "및", "도", "은", "는", "만", "로",
    ]
    .iter()
    .any(|end| name.ends_with(end));
    !name.is_empty() && (korean && !particle || english)
}

/// Whether words that end like a file are its name, as far as they tell: no command with an argument (`python a.py`), no
/// order (`update a.md`), no message that names a file (`could not read a.json`), no list of files.
pub(super) fn is_name(inner: &str) -> bool {
    if inner.contains(['$', '&', ';', '!', '?', ',', '"', '`', '→']) {
        return false;
    }
    let lower = inner.to_lowercase();
    let mut words = lower.split_whitespace();
    let first = words.next().unwrap_or_default();
    let count = 1 + words.clone().count();
    let says = |word: &str| {
        listed!(
            "not|no|never|cannot|can|could|should|must|may|will|would|is|are|was|were|be|been|has|have|had|does|did|do|\
            to|into|in|on|at|from|with|without|see|the|this|that|it|you|we|they|if|when|because|please",
            word
        ) || word.ends_with("n't")
            || word.ends_with([':', '.'])
    };
    let mut before = lower.split_whitespace().take(count - 1);
    count <= WORDS
        && !is_program(first)
        && !roles::changes_files(first)
        && !before.any(|word| says(word) || file_like(word))
}

/// Whether a word is a program that takes files: a language's, a shell's, git, an editor, and what they build with.
fn is_program(word: &str) -> bool {
    let word = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    listed!(
        "python|py|pypy|node|nodejs|deno|bun|bunx|ruby|perl|php|lua|rscript|julia|swift|scala|kotlin|java|javac|elixir|\
        bash|sh|zsh|fish|pwsh|powershell|source|exec|sudo|env|time|xargs|cat|bat|less|more|head|tail|vim|vi|nvim|emacs|\
        nano|code|open|rm|cp|mv|ln|ls|ll|mkdir|touch|chmod|chown|stat|wc|sort|uniq|cut|tr|tee|grep|rg|sed|awk|find|fd|\
        diff|cmp|patch|git|gh|svn|hg|npm|npx|pnpm|yarn|tsx|tsc|eslint|prettier|jest|vitest|mocha|playwright|pytest|tox|\
        ruff|black|isort|mypy|flake|pylint|pip|pipx|uv|uvx|poetry|conda|make|cmake|ninja|bazel|meson|gcc|cc|clang|go|\
        gofmt|cargo|rustc|rustfmt|dotnet|mvn|gradle|gradlew|sbt|mix|rake|bundle|rspec|rails|docker|podman|kubectl|helm|\
        terraform|ansible|psql|mysql|sqlite|curl|wget|ssh|scp|rsync|tar|zip|unzip|gzip|jq|yq|echo|printf|import|require|\
        include|load|run|execute|call|start|watch|proctor",
        word
    ) || word.starts_with(['.', '-', '/'])
}

/// Whether a quotation stands where a name does: at the beginning of an entry or behind another name, and what follows
/// makes no command or message of it.
pub(super) fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let line = near_before(text, start).rsplit('\n').next().unwrap_or_default();
    let marker = |c: char| c.is_whitespace() || matches!(c, '-' | '*' | '+' | '•' | '.' | ')' | '[' | ']');
    let before = line
        .trim_start_matches(|c| marker(c) || c.is_ascii_digit())
        .trim_end();
    let mut joined = before;
    for joint in ["and", "or", ",", "&", "및", "그리고"] {
        joined = joined.strip_suffix(joint).unwrap_or(joined).trim_end();
    }
    let behind_name =
        joined.len() < before.len() && joined.ends_with(|c| CLOSERS.iter().any(|(_, close)| *close == c));
    if !(before.is_empty() || behind_name) {
        return false;
    }
    let rest = near_behind(text, end);
    let glued: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
    if !glued.is_empty() {
        return is_particle(&glued);
    }
    let mut words = rest.split_whitespace();
    let first = words.next().unwrap_or_default();
    let word = first.trim_matches(|c: char| !c.is_alphanumeric());
    let next = words.next().unwrap_or_default();
    let next = next.trim_matches(|c: char| !c.is_alphanumeric());
    word.is_empty()
        || first.starts_with(['(', ':', ',', '-', '–', '—', '.', ';'])
        || listed!(
            "and|or|exists|holds|has|contains|lists|with|for|및|파일|파일을|파일이",
            word
        )
        || listed!("is|are|gets", word)
            && (roles::changes_files(next) || listed!("there|written|made|new|added|complete|in", next))
        || roles::is_korean_change(word)
}
