//! Tokens: what is code, what stands in texts and comments; and hostile input.

use super::super::lang::Lang;
use super::super::lex::{Sort, lex};
use super::*;
use proptest::prelude::*;

fn shown(lang: Lang, text: &str) -> String {
    let tokens = lex(text, lang);
    let parts: Vec<String> = tokens
        .iter()
        .map(|t| match t.sort {
            Sort::Text => format!("<{}>", t.text),
            Sort::Comment => format!("#{}#", t.text.trim()),
            Sort::Word | Sort::Number | Sort::Sign => t.text.to_owned(),
        })
        .collect();
    parts.join(" ")
}

#[test]
fn texts_and_comments_per_language() {
    for (lang, text, expected) in [
        (
            Lang::Rust,
            "fn f<'a>(x: &'a str) -> char { 'x' } // it's",
            "fn f < 'a > ( x : & 'a str ) -> char { <x> } #it's#",
        ),
        (
            Lang::Rust,
            "r#\"a \"quoted\" b\"# /* a /* b */ c */ b\"x\" '\\''",
            "<a \"quoted\" b> #a /* b */ c# <x> <\\'>",
        ),
        (
            Lang::Python,
            "x = f\"a # b\" # c\ny = '''d\n# e'''\n",
            "x = <a # b> #c# y = <d\n# e>",
        ),
        (
            Lang::Script,
            "a = b / c; d = /x\\/[/]y/g; `t ${ f(`u`) } v`",
            "a = b / c ; d = <x\\/[/]y> g ; <t ${ f(`u`) } v>",
        ),
        (Lang::Go, "x := `a\n\"b` + 'c' // d", "x : = <a\n\"b> + <c> #d#"),
        (
            Lang::Java,
            "String s = \"\"\"\n a \"b\" \"\"\"; char c = '\"';",
            "String s = <\n a \"b\" > ; char c = <\"> ;",
        ),
        (
            Lang::CSharp,
            "var s = @\"a\"\"b\\\"; var t = $\"x\";",
            "var s = <a\"\"b\\> ; var t = <x> ;",
        ),
        (
            Lang::Ruby,
            "x = <<~TEXT\n  a # b\nTEXT\ny # c\n",
            "x = <\n  a # b\nTEXT> y #c#",
        ),
        (
            Lang::Php,
            "#[Test]\n$x = 'it\\'s'; # c",
            "# [ Test ] $x = <it\\'s> ; #c#",
        ),
        (Lang::Kotlin, "fun `a b`() = \"x\"", "fun a b ( ) = <x>"),
    ] {
        assert_eq!(shown(lang, text), expected);
    }
    let tokens = lex("a\n  b c\n", Lang::Python);
    let places: Vec<(u32, u32, bool)> = tokens.iter().map(|t| (t.line, t.column, t.first)).collect();
    assert_eq!(places, [(1, 0, true), (2, 2, true), (2, 4, false)]);
}

const PATHS: [&str; 12] = [
    "tests/a.rs",
    "test_a.py",
    "a.test.ts",
    "a_test.go",
    "ATest.java",
    "ATest.kt",
    "ATests.cs",
    "a_spec.rb",
    "ATest.php",
    ".github/workflows/a.yml",
    "package.json",
    "Makefile",
];

proptest! {
    #[test]
    fn no_text_panics(which in 0..PATHS.len(), base in "(?s).{0,120}", now in "(?s).{0,120}") {
        let _ = findings(&[(PATHS[which], Some(&base), Some(&now))]);
    }

    #[test]
    fn no_text_of_source_signs_panics(which in 0..PATHS.len(), base in "[\\[\\](){}<>'\"`/*#@=\\\\\\n a-c]{0,80}", now in "[\\[\\](){}<>'\"`/*#@=\\\\\\n a-c]{0,80}") {
        let _ = findings(&[(PATHS[which], Some(&base), Some(&now))]);
    }

    #[test]
    fn what_does_not_change_gives_nothing(which in 0..PATHS.len(), text in "(?s)(it\\(|def test_a|#\\[test\\]|@Test|fn a|[(){}\"'\\n ]|assert ){0,40}") {
        prop_assert_eq!(found(&[(PATHS[which], Some(&text), Some(&text))]).iter().filter(|f| !f.starts_with("note")).count(), 0);
    }
}

#[test]
fn time_is_linear_enough() {
    for part in [
        "it(",
        "it('a', ",
        "describe('a', () => {",
        "def test_a():\n",
        "#[test] fn a() {",
        "/[",
        "<<A\n",
        "`${",
        "class A:\n ",
        "it \"a\" do ",
        "assert x == y\n",
        "@Test void a() { assertEquals(1, 1); }\n",
        "r#\"",
        "/*",
    ] {
        let text = part.repeat(60_000 / part.len());
        for path in PATHS {
            let start = std::time::Instant::now();
            let _ = findings(&[(path, Some(&text), text.get(..text.len() / 2))]);
            assert!(
                start.elapsed().as_secs() < 60,
                "{path}: {part:?} took {:?}",
                start.elapsed()
            );
        }
    }
}
