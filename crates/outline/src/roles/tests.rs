use crate::read;

/// Delegations, what they let change, and what they rule out.
type Case = (&'static str, &'static [&'static str], &'static [&'static str]);

fn hold(cases: &[Case]) {
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
            &["@types/x.d.ts", "packages/@acme/ui/a.ts"],
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
