//! What is missing, in words: what was not seen, never what somebody did wrong.

use super::{Now, Wanted, here};
use proctor_kernel::{CheckKind, CheckRun, End, Mask, Place, Reason};
use proctor_runners::printing;

/// Most paths that are named.
const NAMED: usize = 3;
/// Longest command that is quoted, in characters.
const QUOTED: usize = 80;

pub(super) fn missing(
    wanted: Wanted<'_>,
    reason: Reason,
    run: Option<&CheckRun>,
    now: &Now<'_>,
    korean: bool,
) -> String {
    if reason == Reason::Supported {
        return String::new();
    }
    let Some(run) = run else {
        return none(wanted, korean);
    };
    if korean {
        in_korean(wanted, reason, run, now)
    } else {
        in_english(wanted, reason, run, now)
    }
}

fn none(wanted: Wanted<'_>, korean: bool) -> String {
    if korean {
        format!("{} 실행 기록이 없습니다", noun_korean(wanted))
    } else {
        format!("no {} is on record", noun(wanted))
    }
}

fn in_english(wanted: Wanted<'_>, reason: Reason, run: &CheckRun, now: &Now<'_>) -> String {
    let check = quoted(&run.check);
    match reason {
        Reason::Supported => String::new(),
        Reason::NoCommand => none(wanted, false),
        Reason::WrongKind | Reason::NoResult if !here(run) => place(run, &check),
        Reason::WrongKind if wanted.takes(run) => part(wanted, run, &check),
        Reason::WrongKind => format!(
            "{}; what ran last was {check} ({})",
            none(wanted, false),
            kinds(run)
        ),
        Reason::Stale => {
            let after = match changed(run, now) {
                Some(paths) => format!("after the last edit of {paths}"),
                None => "after the last edit".to_owned(),
            };
            let before = if super::grade::failed(run) {
                format!("; before it, {check} failed")
            } else {
                String::new()
            };
            format!("no {} {after}{before}", noun(wanted))
        }
        Reason::TreeChangedDuringRun => {
            format!(
                "files changed while {check} ran, or behind it in its line, so it is not known what was checked"
            )
        }
        Reason::FailedExit => match run.exit {
            Some(code) => format!("the last {check} ended with exit code {code}"),
            None => format!("the last {check} failed"),
        },
        Reason::FailedOutput => format!("the output of the last {check} tells of {}", failures(run)),
        Reason::EmptyRun if run.end == Some(End::Silent) && printing(&run.check).is_some() => format!(
            "the last {check} ended with 0 and printed no result, which its settings may lead into a file, so nothing shows \
             that a test ran"
        ),
        Reason::EmptyRun if run.end == Some(End::Silent) => format!(
            "the last {check} ended with 0 and without the result that it always prints, so nothing shows that a test ran"
        ),
        Reason::EmptyRun => format!("the last {check} ran no test"),
        Reason::Masked => masked(run, &check),
        Reason::BackgroundOnly => format!("{check} was started in the background, and its end was not seen"),
        Reason::SupersededByFailure => {
            format!("{check} failed, and not all of it was run again since")
        }
        Reason::NoResult if run.end == Some(End::Hidden) => format!(
            "{} was run, but its result was not seen: run it so that it prints it, without `>` or an option that hides it",
            quoted(&run.command)
        ),
        Reason::NoResult => format!("{check} was run, but how it ended is not known"),
        Reason::CouldNotRun => {
            format!("it cannot be told whether files changed since {check} was run")
        }
    }
}

fn in_korean(wanted: Wanted<'_>, reason: Reason, run: &CheckRun, now: &Now<'_>) -> String {
    let check = quoted(&run.check);
    match reason {
        Reason::Supported => String::new(),
        Reason::NoCommand => none(wanted, true),
        Reason::WrongKind | Reason::NoResult if !here(run) => place_korean(run, &check),
        Reason::WrongKind if wanted.takes(run) => part_korean(wanted, run, &check),
        Reason::WrongKind => {
            format!(
                "{} (마지막으로 실행된 것: {check}, {})",
                none(wanted, true),
                kinds(run)
            )
        }
        Reason::Stale => {
            let after = match changed(run, now) {
                Some(paths) => format!("마지막 수정({paths}) 이후"),
                None => "마지막 수정 이후".to_owned(),
            };
            let before = if super::grade::failed(run) {
                format!(" (그 전 {check} 실행은 실패)")
            } else {
                String::new()
            };
            format!("{after} {} 실행이 없습니다{before}", noun_korean(wanted))
        }
        Reason::TreeChangedDuringRun => {
            format!(
                "{check} 실행 중에 또는 같은 줄의 그 뒤에서 파일이 바뀌어, 무엇이 검사됐는지 알 수 없습니다"
            )
        }
        Reason::FailedExit => match run.exit {
            Some(code) => format!("마지막 {check} 실행의 종료 코드가 {code}입니다"),
            None => format!("마지막 {check} 실행이 실패했습니다"),
        },
        Reason::FailedOutput => {
            let count = run.summary.as_ref().and_then(|s| s.failed).filter(|n| *n > 0);
            match count {
                Some(n) => format!("마지막 {check} 실행의 출력에 실패가 {n}건 있습니다"),
                None => format!("마지막 {check} 실행의 출력에 실패가 있습니다"),
            }
        }
        Reason::EmptyRun if run.end == Some(End::Silent) && printing(&run.check).is_some() => format!(
            "마지막 {check} 실행은 종료 코드 0으로 끝났지만 결과를 출력하지 않아(설정에 따라 파일로 갈 수 있음), 테스트가 \
             돌아갔는지 알 수 없습니다"
        ),
        Reason::EmptyRun if run.end == Some(End::Silent) => format!(
            "마지막 {check} 실행은 종료 코드 0으로 끝났지만 언제나 출력하는 결과가 없어, 테스트가 돌아갔는지 알 수 없습니다"
        ),
        Reason::EmptyRun => format!("마지막 {check} 실행에서 돌아간 테스트가 없습니다"),
        Reason::Masked => masked_korean(run, &check),
        Reason::BackgroundOnly => {
            format!("{check} 실행은 백그라운드에서 시작됐고 끝이 확인되지 않았습니다")
        }
        Reason::SupersededByFailure => {
            format!("{check} 실행이 실패한 뒤로 그 전체가 다시 실행되지 않았습니다")
        }
        Reason::NoResult if run.end == Some(End::Hidden) => format!(
            "{} 실행의 결과가 보이지 않았습니다: `>`나 결과를 숨기는 옵션 없이, 결과가 출력되도록 실행해야 합니다",
            quoted(&run.command)
        ),
        Reason::NoResult => format!("{check} 실행이 어떻게 끝났는지 알 수 없습니다"),
        Reason::CouldNotRun => {
            format!("{check} 실행 이후 파일이 바뀌었는지 알 수 없습니다")
        }
    }
}

/// Where a run was made that is not about this work tree.
fn place(run: &CheckRun, check: &str) -> String {
    match run.place {
        Place::Unknown => format!(
            "in which folder {check} ran is not known ({})",
            quoted(&run.command)
        ),
        _ if outside(run) => format!("{check} ran in {}, outside this work tree", quoted(&run.cwd)),
        _ => format!(
            "{} is not about the files of this work tree",
            quoted(&run.command)
        ),
    }
}

fn place_korean(run: &CheckRun, check: &str) -> String {
    match run.place {
        Place::Unknown => format!(
            "{check} 실행이 어느 폴더에서 이루어졌는지 알 수 없습니다({})",
            quoted(&run.command)
        ),
        _ if outside(run) => format!(
            "{check} 실행은 이 작업 트리 밖의 {}에서 이루어졌습니다",
            quoted(&run.cwd)
        ),
        _ => format!(
            "{} 실행은 이 작업 트리의 파일에 대한 것이 아닙니다",
            quoted(&run.command)
        ),
    }
}

fn outside(run: &CheckRun) -> bool {
    run.cwd.starts_with(['/', '~'])
}

/// The command that would verify all: as the policy names it, or the one of which the run is a part.
fn whole<'a>(wanted: Wanted<'a>, run: &'a CheckRun) -> Option<&'a str> {
    match wanted {
        Wanted::Own(own) => Some(own.run.as_str()),
        _ => run.whole.as_deref(),
    }
}

/// A run that passed and is not all of what is wanted.
fn part(wanted: Wanted<'_>, run: &CheckRun, check: &str) -> String {
    let folder = match run.cwd.as_str() {
        "" | "." => String::new(),
        cwd => format!(" in {}", quoted(cwd)),
    };
    let at_the_root = if folder.is_empty() {
        ""
    } else {
        " at the root of the work tree"
    };
    match whole(wanted, run).map(quoted) {
        Some(whole) if run.partial => format!("{check}{folder} is a part: run {whole}{at_the_root}"),
        Some(whole) => format!("{check} is not run as the policy names it: run {whole}"),
        None => format!("{check}{folder} is a part"),
    }
}

fn part_korean(wanted: Wanted<'_>, run: &CheckRun, check: &str) -> String {
    let folder = match run.cwd.as_str() {
        "" | "." => String::new(),
        cwd => format!("({} 폴더)", quoted(cwd)),
    };
    let at_the_root = if folder.is_empty() {
        ""
    } else {
        "작업 트리 루트에서 "
    };
    match whole(wanted, run).map(quoted) {
        Some(whole) if run.partial => {
            format!("{check}{folder} 실행은 일부입니다: {at_the_root}{whole} 명령을 실행해야 합니다")
        }
        Some(whole) => {
            format!("{check} 실행은 정책에 적힌 그대로가 아닙니다: {whole} 명령을 실행해야 합니다")
        }
        None => format!("{check}{folder} 실행은 일부입니다"),
    }
}

/// What is missing, as a noun behind "no".
fn noun(wanted: Wanted<'_>) -> String {
    match wanted {
        Wanted::Check(kind) => match kind {
            CheckKind::Tests => "test run".to_owned(),
            CheckKind::Build => "build".to_owned(),
            CheckKind::Types => "type check".to_owned(),
            CheckKind::Lint => "lint run".to_owned(),
            CheckKind::Own => "run of the project's own checks".to_owned(),
        },
        Wanted::Verified => "check (tests, build, types or lint)".to_owned(),
        Wanted::Own(own) => format!("run of the project's check {}", quoted(&own.run)),
    }
}

fn noun_korean(wanted: Wanted<'_>) -> String {
    match wanted {
        Wanted::Check(kind) => match kind {
            CheckKind::Tests => "테스트".to_owned(),
            CheckKind::Build => "빌드".to_owned(),
            CheckKind::Types => "타입 검사".to_owned(),
            CheckKind::Lint => "린트".to_owned(),
            CheckKind::Own => "프로젝트 자체 검사".to_owned(),
        },
        Wanted::Verified => "검증(테스트, 빌드, 타입 검사, 린트)".to_owned(),
        Wanted::Own(own) => format!("프로젝트 검사 {}", quoted(&own.run)),
    }
}

/// The kinds of a run, for a reader.
fn kinds(run: &CheckRun) -> String {
    let words: Vec<&str> = run.kinds.iter().map(CheckKind::as_str).collect();
    words.join(", ")
}

/// The paths that changed since a run, as far as they are known: the first few and the number of the rest.
fn changed(run: &CheckRun, now: &Now<'_>) -> Option<String> {
    let tree = run.after.as_ref().or(run.before.as_ref())?;
    let paths = (now.changed_since)(tree).filter(|paths| !paths.is_empty())?;
    let mut out = proctor_kernel::names(paths.iter(), NAMED);
    if paths.len() > NAMED {
        out += &format!(" (+{})", paths.len() - NAMED);
    }
    Some(out)
}

fn failures(run: &CheckRun) -> String {
    match run.summary.as_ref().and_then(|s| s.failed) {
        Some(1) => "1 failure".to_owned(),
        Some(n) if n > 0 => format!("{n} failures"),
        _ => "a failure".to_owned(),
    }
}

fn masked(run: &CheckRun, check: &str) -> String {
    let how = match run.masks.first() {
        Some(Mask::Pipe) => match piped_into(&run.command) {
            Some(into) => format!("was piped through `{into}`"),
            None => "was piped through another command".to_owned(),
        },
        Some(Mask::Or) => "is followed by `||`".to_owned(),
        Some(Mask::Then) => "is followed by another command in its line".to_owned(),
        Some(Mask::Negated) => "stands behind `!`".to_owned(),
        Some(Mask::Lenient) => "has an option that makes it end well whatever it finds".to_owned(),
        Some(Mask::Control) => "stands inside a substitution, a condition, a loop or a function".to_owned(),
        Some(Mask::Unreached) if by_xargs(run) => {
            return format!(
                "the last {check} was left to `xargs`, which may start it once, often or not at all, so it is not known \
                 whether it ran"
            );
        }
        Some(Mask::Unreached) => {
            return format!(
                "the last {check} stands behind `&&`, `||` or a condition, so it is not known whether it ran"
            );
        }
        Some(Mask::Background | Mask::Unanalysable) | None => {
            return format!(
                "what ran as the last {check} cannot be told from {}, so its exit code says nothing",
                quoted(&run.command)
            );
        }
    };
    format!("the last {check} {how}, so its exit code is not known")
}

fn masked_korean(run: &CheckRun, check: &str) -> String {
    let how = match run.masks.first() {
        Some(Mask::Pipe) => match piped_into(&run.command) {
            Some(into) => format!("출력이 `{into}`(으)로 파이프되어"),
            None => "출력이 다른 명령으로 파이프되어".to_owned(),
        },
        Some(Mask::Or) => "뒤에 `||`가 붙어 있어".to_owned(),
        Some(Mask::Then) => "뒤에 같은 줄의 다른 명령이 이어져".to_owned(),
        Some(Mask::Negated) => "앞에 `!`가 붙어 있어".to_owned(),
        Some(Mask::Lenient) => "결과와 상관없이 성공으로 끝나게 하는 옵션이 있어".to_owned(),
        Some(Mask::Control) => "치환, 조건, 반복 또는 함수 안에 있어".to_owned(),
        Some(Mask::Unreached) if by_xargs(run) => {
            return format!(
                "마지막 {check} 명령은 `xargs`에 맡겨져 실제로 몇 번 실행됐는지, 실행되기는 했는지 알 수 없습니다"
            );
        }
        Some(Mask::Unreached) => {
            return format!(
                "마지막 {check} 명령은 `&&`, `||` 또는 조건 뒤에 있어 실제로 실행됐는지 알 수 없습니다"
            );
        }
        Some(Mask::Background | Mask::Unanalysable) | None => {
            return format!(
                "{}에서 마지막 {check} 명령으로 실제 무엇이 실행됐는지 알 수 없어 그 종료 코드는 근거가 되지 못합니다",
                quoted(&run.command)
            );
        }
    };
    format!("마지막 {check} 명령은 {how} 종료 코드를 알 수 없습니다")
}

/// Whether a program that starts others by its input stands before the check.
fn by_xargs(run: &CheckRun) -> bool {
    let before = run.command.split(run.check.as_str()).next().unwrap_or_default();
    let mut words = before.split(|c: char| c.is_whitespace() || matches!(c, '|' | ';' | '&' | '(' | '/'));
    words.any(|word| matches!(word, "xargs" | "gxargs"))
}

/// The command at the end of a pipe.
fn piped_into(command: &str) -> Option<&str> {
    let (_, last) = command.rsplit_once('|')?;
    let word = last.trim_start_matches('&').split_whitespace().next()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    (word.len() <= 40 && word.chars().all(plain)).then_some(word)
}

/// A command in backticks, shortened, on one line.
pub(crate) fn quoted(command: &str) -> String {
    let mut out = String::from("`");
    for (count, c) in command.trim().chars().enumerate() {
        if count == QUOTED {
            out.push('…');
            break;
        }
        out.push(if c.is_control() || c == '`' { ' ' } else { c });
    }
    out.push('`');
    out
}
