use crate::read;

/// Delegations, what they let change, and what they rule out.
type Case<'a> = (&'a str, &'a [&'a str], &'a [&'a str]);

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

fn own(paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

#[test]
fn what_is_put_into_a_file_is_no_reading_of_it() {
    let both: &[&str] = &["docs/a.md", "src/b.rs"];
    hold(&[
        (
            "기대 결과\n- docs/a.md 에 설명을 넣는다\n- src/b.rs 에 함수를 더한다",
            both,
            &[],
        ),
        (
            "기대 결과\n- docs/a.md에 설명 추가\n- src/b.rs에 함수 추가",
            both,
            &[],
        ),
        (
            "기대 결과\n- `docs/a.md` 로 설명 옮김\n- src/b.rs 정리",
            both,
            &[],
        ),
        (
            "기대 결과\n- docs/a.md 에 옵션 설명\n- src/b.rs 의 확인 단추 다듬기",
            both,
            &[],
        ),
        (
            "기대 결과\n- docs/a.md 에 옵션이 정의되어 있다\n- src/b.rs 의 설명을 다듬는다",
            both,
            &[],
        ),
        ("docs/a.md 에 설명을 넣어 주세요.", &["docs/a.md"], &[]),
        ("사용법을 docs/a.md 에 적어 주세요.", &["docs/a.md"], &[]),
        // What is read stays so.
        (
            "기대 결과\n- docs/a.md 에 설명된 대로 src/b.rs 수정",
            &["src/b.rs"],
            &[],
        ),
        (
            "기대 결과\n- docs/a.md 에 정의한 값을 src/b.rs 에 적용",
            &["src/b.rs"],
            &[],
        ),
        (
            "기대 결과\n- docs/a.md 분석 결과\n- src/b.rs 수정",
            &["src/b.rs"],
            &[],
        ),
        (
            "기대 결과\n- docs/a.md 에 대해 조사\n- src/b.rs 수정",
            &["src/b.rs"],
            &[],
        ),
        (
            "옵션은 docs/a.md 에 설명되어 있습니다. src/b.rs 를 고쳐 주세요.",
            &["src/b.rs"],
            &[],
        ),
    ]);
}

#[test]
fn an_exclusion_takes_the_path_that_it_is_said_of() {
    let (src, part): (&[&str], &[&str]) = (&["src/"], &["src/gen"]);
    hold(&[
        (
            "EXPECTED OUTCOME\n- src/**\n- !src/gen/**",
            &["src/**"],
            &["src/gen/**"],
        ),
        (
            "EXPECTED OUTCOME\n- src/**, `!src/gen/**`",
            &["src/**"],
            &["src/gen/**"],
        ),
        (
            "EXPECTED OUTCOME\n```\nsrc/**\n!src/gen/**\n```",
            &["src/**"],
            &["src/gen/**"],
        ),
        ("EXPECTED OUTCOME\n- src/ without src/gen", src, part),
        ("EXPECTED OUTCOME: src/ minus src/gen", src, part),
        ("EXPECTED OUTCOME\n- src/, leaving out src/gen", src, part),
        ("기대 결과\n- src/gen 을 뺀 src/ 전체", src, part),
        ("기대 결과\n- src/ 전체, src/gen 은 건드리지 않기", src, part),
        ("기대 결과\n- src/ , src/gen 은 그대로 둘 것", src, part),
        ("기대 결과\n- src/ 전체\n- src/gen 은 그대로", src, part),
        // Of two that are only listed the end of the sentence speaks of both.
        (
            "기대 결과\n- lib/c.rs\n금지\n- src/a.rs, src/b.rs 는 건드리지 않기",
            &["lib/c.rs"],
            &["src/a.rs", "src/b.rs"],
        ),
        // What is left out is something else than the file.
        ("기대 결과\n- src/a.rs – 휴일을 빼고 계산", &["src/a.rs"], &[]),
        (
            "EXPECTED OUTCOME\n- src/a.rs builds without warnings",
            &["src/a.rs"],
            &[],
        ),
        (
            "EXPECTED OUTCOME\n- src/a.rs: no more `!important`!",
            &["src/a.rs"],
            &[],
        ),
    ]);
}

#[test]
fn what_somebody_else_does_is_ruled_out() {
    let (mine, other): (&[&str], &[&str]) = (&["a.md"], &["b.md"]);
    hold(&[
        (
            "EXPECTED OUTCOME\n- a.md explains the flag\n(Sam takes b.md)",
            mine,
            other,
        ),
        (
            "EXPECTED OUTCOME\n- a.md explains the flag (b.md is Sam's)",
            mine,
            other,
        ),
        (
            "EXPECTED OUTCOME\n- a.md explains the flag (Kim is working on b.md)",
            mine,
            other,
        ),
        (
            "EXPECTED OUTCOME\n- a.md explains the flag\n- b.md: Kim does this one",
            mine,
            other,
        ),
        (
            "EXPECTED OUTCOME\n- a.md explains the flag; I'll do b.md",
            mine,
            other,
        ),
        (
            "EXPECTED OUTCOME\n- a.md explains the flag; b.md is up to Kim",
            mine,
            other,
        ),
        (
            "기대 결과\n- a.md 에 옵션 설명\n(b.md 는 민수가 합니다)",
            mine,
            other,
        ),
        ("기대 결과\n- a.md 수정 (b.md 는 민수 담당)", mine, other),
        ("기대 결과\n- a.md 수정 (b.md 는 제가 직접 합니다)", mine, other),
        ("기대 결과\n- a.md 수정. 민수가 b.md 를 맡습니다.", mine, other),
        // Things that act, and orders.
        ("EXPECTED OUTCOME\n- Storybook has b.md", other, &[]),
        ("EXPECTED OUTCOME\n- b.md: Settings are explained", other, &[]),
        ("EXPECTED OUTCOME\n- The parser takes dates (b.md)", other, &[]),
        (
            "EXPECTED OUTCOME\n- b.md is done by Friday's rules: Login handles the timeout",
            other,
            &[],
        ),
        (
            "EXPECTED OUTCOME\n- Update b.md. It does what a user needs.",
            other,
            &[],
        ),
        ("기대 결과\n- b.md 는 표가 먼저 나온다", other, &[]),
        ("기대 결과\n- b.md 에 결제 담당 모듈 설명", other, &[]),
    ]);
}

#[test]
fn names_with_signs_that_sentences_have_too() {
    hold(&[
        (
            "EXPECTED OUTCOME\n- change src/(group)/page.tsx",
            &["src/(group)/page.tsx"],
            &[],
        ),
        (
            "EXPECTED OUTCOME\n- change `app/(auth)/login/page.tsx`",
            &["app/(auth)/login/page.tsx"],
            &[],
        ),
        (
            "EXPECTED OUTCOME\n- (auth)/layout.tsx, app/(.)photo/[id]/page.tsx",
            &["(auth)/layout.tsx", "app/(.)photo/[id]/page.tsx"],
            &[],
        ),
        (
            "EXPECTED OUTCOME\n- @types/x.d.ts\n- packages/@acme/ui/a.ts",
            &["@types/x.d.ts", "types/x.d.ts", "packages/@acme/ui/a.ts"],
            &[],
        ),
        ("EXPECTED OUTCOME\n- change `my file.txt`", &["my file.txt"], &[]),
        ("기대 결과\n- `내 노트.md` 를 고친다", &["내 노트.md"], &[]),
        (
            "EXPECTED OUTCOME\n- `a&b.md`, `100%.md`\n- `x,y.csv`",
            &["a&b.md", "100%.md", "x,y.csv"],
            &[],
        ),
        ("고칠 파일은 ui/login.css 하나입니다.", &["ui/login.css"], &[]),
        // Parentheses, addresses and commands of the sentence.
        (
            "EXPECTED OUTCOME\n- src/a.ts (was src/old)/b",
            &["src/a.ts", "src/old"],
            &[],
        ),
        (
            "EXPECTED OUTCOME\n- src/a.ts uses @acme/ui and react@18.2/x.js (ask ann@example.com)",
            &["src/a.ts"],
            &[],
        ),
        (
            "EXPECTED OUTCOME\n- `node build.js` runs\n- src/a.ts",
            &["src/a.ts"],
            &[],
        ),
        (
            "EXPECTED OUTCOME\n- src/a.ts calls `f(x,y.z)` and `a.md,b.md`",
            &["src/a.ts"],
            &[],
        ),
    ]);
}

#[test]
fn what_must_not_be_left_out_is_asked_for() {
    let both: &[&str] = &["src/a.py", "NEWS.md"];
    let (one, other): (&[&str], &[&str]) = (&["src/a.py"], &["NEWS.md"]);
    for asked in [
        "MUST DO: don't forget to update NEWS.md",
        "MUST DO: do not forget NEWS.md",
        "MUST DO: never skip NEWS.md",
        "MUST DO: don't fail to update NEWS.md",
        "MUST DO: never leave NEWS.md untouched",
        "MUST DO: do not commit without updating NEWS.md",
        "MUST NOT DO: forget NEWS.md",
        "MUST NOT DO: leave NEWS.md stale",
        "MUST NOT DO: commit without updating NEWS.md",
        "- Do not forget to update NEWS.md",
        "- nothing in NEWS.md mentions v1 any more",
        "MUST DO: NEWS.md 갱신을 잊지 마세요",
        "MUST DO: NEWS.md 수정을 빠뜨리지 마세요",
        "MUST DO: NEWS.md 수정 누락 금지",
        "MUST DO: NEWS.md 를 그대로 두지 마세요",
        "MUST DO: NEWS.md 도 빼먹지 말고 고칠 것",
        "MUST NOT DO: NEWS.md 누락",
    ] {
        hold(&[(
            &format!("EXPECTED OUTCOME\n- src/a.py is fixed\n{asked}"),
            both,
            &[],
        )]);
    }
    for barred in [
        "MUST DO: don't forget: NEWS.md must not change",
        "MUST DO: don't forget not to touch NEWS.md",
        "MUST DO: don't forget to leave NEWS.md untouched",
        "MUST DO: finish without touching NEWS.md",
        "MUST NOT DO: touch NEWS.md",
        "- nothing in NEWS.md changes",
        "MUST DO: NEWS.md 는 수정하지 말고, 오류를 잊지 마세요",
        "MUST DO: NEWS.md 를 고치지 않는 것을 잊지 마세요",
        "MUST NOT DO: NEWS.md 수정",
    ] {
        hold(&[(
            &format!("EXPECTED OUTCOME\n- src/a.py is fixed\n{barred}"),
            one,
            other,
        )]);
    }
    for told in [
        "MUST DO: don't forget NEWS.md has two languages",
        "MUST DO: don't forget to read NEWS.md",
        "MUST NOT DO: leave marks in NEWS.md",
        "MUST DO: NEWS.md 확인을 잊지 마세요",
    ] {
        hold(&[(
            &format!("EXPECTED OUTCOME\n- src/a.py is fixed\n{told}"),
            one,
            &[],
        )]);
    }
    // Nothing else is forbidden by such words either.
    for words in ["Don't forget to commit all changes", "커밋을 잊지 마세요"] {
        let outline = read(&format!(
            "EXPECTED OUTCOME\n- src/a.py is fixed\nMUST DO: {words}"
        ));
        assert_eq!(
            (outline.read_only, &outline.expected[..]),
            (false, &own(one)[..]),
            "{words}"
        );
    }
    let tests = read("EXPECTED OUTCOME\n- src/a.py is fixed\nMUST DO: don't forget to update the tests");
    assert!(tests.excluded.is_empty() && tests.expected.len() > 1, "{tests:?}");
}

#[test]
fn a_question_rules_nothing_out_and_an_order_on_it_takes_its_file() {
    let one: &[&str] = &["src/a.py"];
    hold(&[
        ("Why does src/a.py crash? Fix it.", one, &[]),
        ("Why does src/a.py crash? Please fix.", one, &[]),
        ("How does src/a.py work? It is slow.\n\nRefactor it.", one, &[]),
        ("What is wrong with src/a.py? Fix it.", one, &[]),
        ("Who wrote src/a.py? Rewrite that.", one, &[]),
        ("Is src/a.py used? If not, delete it.", one, &[]),
        ("TASK: Why is src/a.py not updated by the job? Fix it.", one, &[]),
        ("src/a.py 가 왜 죽나요? 고쳐 주세요.", one, &[]),
        ("왜 src/a.py 는 갱신하지 않나요? 그것을 고쳐 주세요.", one, &[]),
        ("Why does src/a.py crash?", &[], &[]),
        ("Why does src/a.py crash? Do not fix it.", &[], &[]),
        ("Why does src/a.py crash? Explain it.", &[], &[]),
        ("Why does src/a.py crash? Fix the login.", &[], &[]),
        ("src/a.py 는 어떻게 동작하나요? 설명해 주세요.", &[], &[]),
        ("Nothing in src/a.py works. Rewrite it.", &[], &[]),
        // A statement counts beside another file.
        (
            "src/b.py is the new parser. Write it, and don't forget to update src/a.py.",
            one,
            &[],
        ),
        (
            "src/b.py is the new parser. Write it. Don't forget to update src/a.py.",
            &["src/a.py", "src/b.py"],
            &[],
        ),
        // Requests in the form of a question.
        (
            "Could you fix src/a.py without touching src/b.py?",
            one,
            &["src/b.py"],
        ),
        ("How do I fix this without touching src/b.py?", &[], &["src/b.py"]),
        ("src/b.py 는 수정하지 말아 주시겠어요?", &[], &["src/b.py"]),
    ]);
}

#[test]
fn a_change_that_must_be_told_or_tested_is_asked_for() {
    let both: &[&str] = &["src/a.rs", "docs/a.md"];
    let (one, doc): (&[&str], &[&str]) = (&["src/a.rs"], &["docs/a.md", "src/a.rs"]);
    for asked in [
        "EXPECTED OUTCOME\n- no change to src/a.rs is left undocumented in docs/a.md",
        "EXPECTED OUTCOME\n- every change to src/a.rs is described in docs/a.md",
        "MUST DO: every change to src/a.rs is described in docs/a.md",
        "Make sure every change to src/a.rs is described in docs/a.md.",
        "MUST DO: do not change src/a.rs without updating docs/a.md",
        "MUST NOT DO: leave a change to src/a.rs undocumented in docs/a.md",
        "기대 결과\n- src/a.rs 의 변경 중 docs/a.md 에 빠진 것이 없게",
        "금지\n- src/a.rs 변경을 docs/a.md 에 적지 않는 것",
    ] {
        hold(&[(asked, both, &[])]);
    }
    hold(&[
        (
            "MUST DO: docs/a.md 갱신 없이 src/a.rs 를 수정하지 마세요",
            doc,
            &[],
        ),
        (
            "EXPECTED OUTCOME\n- tests for src/a.rs in tests/a.rs",
            &["src/a.rs", "tests/a.rs"],
            &[],
        ),
        (
            "EXPECTED OUTCOME\n- nothing in src/ stays untested",
            &["src/"],
            &[],
        ),
    ]);
    for asked in [
        "EXPECTED OUTCOME\n- no undocumented change in src/a.rs",
        "EXPECTED OUTCOME\n- no function in src/a.rs lacks a test",
        "MUST NOT DO: change src/a.rs without a test",
        "기대 결과\n- src/a.rs 변경 중 문서화되지 않은 것이 없도록",
        "기대 결과\n- src/a.rs 에서 수정되지 않은 호출이 없어야 함",
        "MUST DO: 테스트 없이 src/a.rs 를 수정하지 마세요",
        "금지\n- 테스트 없는 src/a.rs 변경",
    ] {
        let outline = read(asked);
        assert_eq!(
            (
                &outline.excluded[..],
                outline.expected.contains(&one[0].to_owned())
            ),
            (&[][..], true),
            "{asked}: {outline:?}"
        );
    }
    // Nothing is barred as a whole either.
    for words in [
        "no code changes without tests",
        "no changes without a note",
        "테스트 없이 코드를 수정하지 마세요",
    ] {
        let outline = read(&format!(
            "EXPECTED OUTCOME\n- src/a.rs is fixed\nMUST DO: {words}"
        ));
        assert!(
            !outline.read_only && outline.expected.contains(&one[0].to_owned()),
            "{words}: {outline:?}"
        );
    }
    let other: &[&str] = &["docs/a.md"];
    for barred in [
        "- no changes to src/a.rs",
        "- no change to src/a.rs without asking me",
        "- no unrelated changes in src/a.rs",
        "MUST DO: do not touch src/a.rs: it is untested",
        "MUST DO: do not touch src/a.rs, which is still undocumented",
        "MUST NOT DO: change src/a.rs",
        "MUST DO: 허락 없이 src/a.rs 를 수정하지 마세요",
        "MUST DO: src/a.rs 는 허락 없이 수정하지 않는다",
    ] {
        hold(&[(&format!("EXPECTED OUTCOME\n- docs/a.md\n{barred}"), other, one)]);
    }
    // What is there already is read.
    for told in [
        "The format is described in docs/a.md. Implement it in src/a.rs.",
        "EXPECTED OUTCOME\n- src/a.rs does what is described in docs/a.md",
        "EXPECTED OUTCOME\n- src/a.rs works as described in docs/a.md",
    ] {
        hold(&[(told, one, &[])]);
    }
}

#[test]
fn tests_that_are_asked_for_with_their_file_may_be_written() {
    for words in [
        "Fix src/cart.js and add a test for it.",
        "Add tests for `src/cart.js`.",
        "Write unit tests for src/cart.js.",
        "Fix src/cart.js and add a regression test.",
        "Fix src/cart.js and extend the tests.",
        "EXPECTED OUTCOME\n- a test for src/cart.js",
        "EXPECTED OUTCOME\n- unit tests for src/cart.js\nMUST NOT DO\n- change the API",
        "기대 결과\n- src/cart.js 단위 테스트",
    ] {
        let outline = read(words);
        let allowed = crate::scope::compare(&outline, &own(&["src/cart.js", "src/cart.test.js"]), &[], 1);
        assert!(allowed.unexpected.is_empty(), "{words}: {outline:?}");
    }
    for words in [
        "Fix src/cart.js and add a test flag.",
        "Fix src/cart.js and run the tests.",
        "Fix src/cart.js, do not add tests.",
        "Fix src/cart.js so that the tests pass.",
    ] {
        let outline = read(words);
        let accused = crate::scope::compare(&outline, &own(&["src/cart.test.js"]), &[], 1);
        assert_eq!(accused.unexpected.len(), 1, "{words}: {outline:?}");
    }
}

#[test]
fn a_ban_on_something_else_bars_not_the_file_that_is_asked_for() {
    let one: &[&str] = &["src/a.rs"];
    for words in [
        "src/a.rs를 고치되 다른 파일은 그대로 두세요.",
        "src/a.rs를 고치되 API는 바꾸지 마세요.",
        "src/a.rs 리팩터링, 동작 변경 금지",
        "src/a.rs에 캐시를 넣되 기존 함수는 수정하지 말아 주세요.",
        "기대 결과\n- src/a.rs를 고치되 함수 이름은 바꾸지 않는다",
        "Refactor src/a.rs. The schema is fixed, no changes there.",
        "Fix src/a.rs, no new dependencies, no edits elsewhere.",
    ] {
        hold(&[(words, one, &[])]);
    }
    let other: &[&str] = &["src/b.rs"];
    hold(&[
        (
            "Refactor src/a.rs. Leave src/b.rs alone, no edits there please.",
            one,
            other,
        ),
        ("Refactor src/a.rs, but keep your hands off src/b.rs.", one, other),
        (
            "EXPECTED OUTCOME\n- src/a.rs\n- src/b.rs: no changes please",
            one,
            other,
        ),
        (
            "EXPECTED OUTCOME\n- src/, src/gen excepted",
            &["src/"],
            &["src/gen"],
        ),
        ("src/a.rs 수정, src/b.rs 는 변경 금지", one, other),
        ("기대 결과\n- src/a.rs\n- src/b.rs 는, 절대 수정 금지", one, other),
    ]);
}

#[test]
fn a_glob_in_a_folder_is_one_outcome() {
    hold(&[
        ("Format all `*.md` files in docs/.", &["docs/**/*.md"], &[]),
        (
            "EXPECTED OUTCOME\n- every *.css under web/",
            &["web/**/*.css"],
            &[],
        ),
        ("기대 결과\n- src/ 안의 `*.ts` 수정", &["src/**/*.ts"], &[]),
        ("EXPECTED OUTCOME\n- `*.md`, docs/", &["*.md", "docs/"], &[]),
    ]);
}

#[test]
fn long_sentences_cost_what_they_are_long() {
    let time = |unit: &str, n: usize| {
        let text = format!("EXPECTED OUTCOME\n- src/a.rs 수정{}", unit.repeat(n));
        let start = std::time::Instant::now();
        assert!(read(&text).expected.contains(&"src/a.rs".to_owned()), "{unit}");
        start.elapsed()
    };
    for unit in [
        ", 나무 하나",
        ", word by word",
        ", a bug in src/b.rs",
        ", b not, (1) to (3)",
        "\n  - x.rs",
        "\n├── x.rs",
        "\n- f/\n  - g/\n    - x.rs",
    ] {
        // Ten times the text takes ten times as long; were it the square, it would be a hundred.
        let short = time(unit, 400).max(time(unit, 400));
        // What else runs on the machine may hold one of them up.
        let long = (0..3).map(|_| time(unit, 4_000)).min().unwrap_or_default();
        assert!(long < short * 40, "{unit}: {short:?} {long:?}");
    }
}
