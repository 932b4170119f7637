//! What orders, prohibitions and places let change, by the files that are judged then.

use crate::read;

/// Delegations, what they let change, and what they rule out.
type Case<'a> = (&'a str, &'a [&'a str], &'a [&'a str]);

fn own(paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

fn hold(cases: &[Case<'_>]) {
    for (words, expected, excluded) in cases {
        let outline = read(words);
        assert_eq!(
            (&outline.expected[..], &outline.excluded[..]),
            (&own(expected)[..], &own(excluded)[..]),
            "{words}"
        );
    }
}

/// Delegations whose work is done when this file and this test change.
fn let_change(cases: &[(&str, &str)]) {
    for (words, file) in cases {
        let judged = crate::scope::compare(&read(words), &own(&[file]), &[], 3);
        assert!(
            judged.unexpected.is_empty() && !judged.expected.is_empty(),
            "{words}: {judged:?}"
        );
    }
}

fn hold_back(cases: &[(&str, &str)]) {
    for (words, file) in cases {
        let judged = crate::scope::compare(&read(words), &own(&[file]), &[], 3);
        assert_eq!(judged.unexpected, [*file], "{words}: {judged:?}");
    }
}

#[test]
fn tests_are_asked_for_beside_the_file_that_they_are_for() {
    let test = "src/cart.test.js";
    let asked = [
        "Add tests for `src/cart.js`.",
        "Add a test for src/cart.js.",
        "Fix src/cart.js and add a regression test.",
        "Fix src/cart.js and write a test for it.",
        "Fix src/cart.js and extend the tests.",
        "Write unit tests for src/cart.js; do not change the docs.",
        "Fix src/cart.js, with tests.",
        "Please cover src/cart.js with tests.",
        "Fix src/cart.js. Add a test that fails without the fix.",
        "EXPECTED OUTCOME\n- unit tests for src/cart.js",
        "EXPECTED OUTCOME\n- src/cart.js: fix rounding, unit tests",
        "EXPECTED OUTCOME:\n- a test for `src/cart.js`\nMUST NOT DO:\n- change src/cart.js",
        "기대 결과\n- src/cart.js 단위 테스트",
        "기대 결과\n- src/cart.js 회귀 테스트 1개",
        "src/cart.js의 반올림을 고치고 회귀 테스트도 하나 만들어 주세요.",
        "src/cart.js에 대한 테스트를 꼼꼼히 짜 주세요.",
    ];
    let_change(&asked.map(|words| (words, test)));
    let other = [
        "Fix src/cart.js so that the tests pass.",
        "Fix src/cart.js and run the tests.",
        "Fix src/cart.js until the tests are green.",
        "Add a test mode to src/cart.js.",
        "Fix src/cart.js, but do not add tests.",
        "EXPECTED OUTCOME\n- src/cart.js passes the existing tests",
        "EXPECTED OUTCOME\n- src/cart.js without adding tests",
        "기대 결과\n- src/cart.js 수정, 기존 테스트 통과",
        "src/cart.js를 고쳐 주세요. 테스트 추가는 하지 마세요.",
    ];
    hold_back(&other.map(|words| (words, test)));
}

#[test]
fn a_prohibition_of_something_else_than_the_file_leaves_the_file() {
    let asked = [
        "src/a.rs를 고치되 다른 파일은 그대로 두세요.",
        "src/a.rs를 고치되 API는 바꾸지 마세요.",
        "src/a.rs 리팩터링, 동작 변경 금지",
        "src/a.rs에 캐시를 넣되 기존 함수는 수정하지 말아 주세요.",
        "기대 결과\n- src/a.rs를 고치되 함수 이름은 바꾸지 않는다",
        "기대 결과\n- src/a.rs 정리, API는 그대로 유지",
        "Refactor src/a.rs. Leave src/b.rs alone, no edits there please.",
        "Refactor src/a.rs. The schema is fixed, no changes there.",
        "Fix src/a.rs, no new dependencies, no edits elsewhere.",
        "Refactor src/. src/gen is generated, so no edits there.",
    ];
    let_change(&asked.map(|words| (words, "src/a.rs")));
    let others = [
        "src/a.rs를 고치되 다른 파일은 그대로 두세요.",
        "Refactor src/a.rs. Leave src/b.rs alone, no edits there please.",
        "Fix src/a.rs, no new dependencies, no edits elsewhere.",
        "Refactor src/. src/b.rs is frozen, nothing may change there.",
        "Refactor src/. src/b.rs is generated, so no edits there.",
        "Clean up src/ but keep your hands off src/b.rs.",
        "Clean up src/, src/b.rs excepted.",
        "Clean up src/. Stay away from src/b.rs.",
        "Clean up src/. src/b.rs: no changes please",
        "src/ 정리해 주세요. src/b.rs는 절대 수정하지 마세요.",
        "src/ 정리해 주세요. src/b.rs는 자동 생성이라 고치면 안 됩니다.",
        "src/ 정리해 주세요. src/b.rs는 이번 작업에서는 수정 및 삭제 금지",
        "src/ 정리해 주세요. src/b.rs의 파일 내용은 바꾸지 마세요.",
        // The repository as a whole is meant.
        "Look at src/b.rs only. The repository is frozen, no edits there.",
    ];
    hold_back(&others.map(|words| (words, "src/b.rs")));
}

#[test]
fn a_place_where_something_is_told_already_is_no_place_of_work() {
    hold(&[
        (
            "src/a.rs를 고쳐 주세요. 느린 쿼리는 docs/slow.md에 정리되어 있습니다.",
            &["src/a.rs"],
            &[],
        ),
        (
            "src/a.rs를 고쳐 주세요. 요구사항은 docs/slow.md에 자세히 적혀 있습니다.",
            &["src/a.rs"],
            &[],
        ),
        (
            "기대 결과\n- 요구사항이 docs/slow.md에 정리되어 있다",
            &["docs/slow.md"],
            &[],
        ),
    ]);
}

#[test]
fn an_order_takes_its_file_whatever_its_verb() {
    let ordered = [
        "Could you tidy src/a.rs?",
        "Get rid of the unwraps in src/a.rs.",
        "Pull the helpers out into src/a.rs.",
        "Teach src/a.rs to read TOML.",
        "src/a.rs needs a timeout.",
        "I want src/a.rs to log in English.",
        "DELEGATE: fix src/a.rs",
        "DELEGATE to worker: src/a.rs, src/c.rs",
        "DELEGATE(worker) -> src/a.rs, src/c.rs",
        "src/a.rs를 지워 주세요.",
        "src/a.rs와 src/c.rs를 하나로 합쳐 주세요.",
        "src/a.rs 좀 손봐 주세요.",
        "src/a.rs에서 unwrap을 없애 주세요.",
        "src/a.rs를 비동기로 전환",
        "src/a.rs에 캐시를 넣되 기존 함수는 수정하지 말아 주세요.",
        "src/a.rs 손봐줄래?",
    ];
    let_change(&ordered.map(|words| (words, "src/a.rs")));
    hold_back(&ordered.map(|words| (words, "src/b.rs")));
    for words in [
        "Show me the loop in src/a.rs.",
        "Tell me what src/a.rs does.",
        "There is a bug in src/a.rs.",
        "Thanks for the hint in src/a.rs.",
        "src/a.rs를 읽어 주세요.",
        "src/a.rs에서 버그를 찾아 주세요.",
        "src/a.rs의 함수를 써 주세요.",
        "src/a.rs를 실행해 주세요.",
        "src/a.rs는 그대로 놔둬 주세요.",
        "버그는 src/a.rs에 있습니다.",
        "DELEGATE to worker: look around",
    ] {
        assert!(read(words).expected.is_empty(), "{words}: {:?}", read(words));
    }
}

#[test]
fn what_lies_in_a_folder_is_not_the_folder() {
    for (words, inside, outside) in [
        ("Format all `*.md` files in docs/.", "docs/a.md", "README.md"),
        (
            "EXPECTED OUTCOME\n- every *.css under web/ minified",
            "web/a.css",
            "app/b.css",
        ),
        (
            "Only README.md in docs/ may change.",
            "docs/README.md",
            "docs/a.md",
        ),
        (
            "EXPECTED OUTCOME\n- index.ts in every folder under packages/",
            "packages/a/index.ts",
            "other/index.ts",
        ),
        (
            "EXPECTED OUTCOME\n- in `api/`: routes.ts, types.ts",
            "api/types.ts",
            "api/db.ts",
        ),
        (
            "EXPECTED OUTCOME\n- the files routes.ts and types.ts in api/ changed",
            "api/routes.ts",
            "api/db.ts",
        ),
        (
            "EXPECTED OUTCOME\n- index.ts in src/web/ sorted",
            "src/web/index.ts",
            "src/web/a.ts",
        ),
        (
            "기대 결과\n- docs/ 안의 모든 `*.md` 맞춤법 교정",
            "docs/a.md",
            "README.md",
        ),
        (
            "기대 결과\n- api 폴더의 routes.ts 와 types.ts 수정",
            "api/types.ts",
            "api/db.ts",
        ),
        (
            "src/ 안의 `*.ts` 파일을 모두 포맷해 주세요.",
            "src/a.ts",
            "tools/b.ts",
        ),
    ] {
        let_change(&[(words, inside)]);
        hold_back(&[(words, outside)]);
    }
    // The folder itself is meant as well, or alone.
    let_change(&[
        ("EXPECTED OUTCOME\n- README.md and docs/ updated", "docs/a.md"),
        (
            "EXPECTED OUTCOME\n- `api/`: routes.ts and all handlers",
            "api/db.ts",
        ),
        ("Use helper.ts in src/.", "src/a.ts"),
        ("EXPECTED OUTCOME\n- docs/에 README.md 추가", "docs/README.md"),
    ]);
}
