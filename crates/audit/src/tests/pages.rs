use super::log::Log;
use super::simple::Simple;
use crate::{Options, Report};
use proctor_policy::Settings;
use tempfile::tempdir;
use unicode_width::UnicodeWidthStr;

/// Two sessions on two days, with something in every part of the report, and hostile words everywhere.
fn report() -> Report {
    let root = tempdir().unwrap();
    let evil = "</title><script>alert(1)</script><img src=x onerror=alert(2)>\"' onmouseover='alert(3) javascript:alert(4)";
    for (name, day) in [("one", 20), ("two", 22)] {
        let mut sub = Log::of_agent(name, "a<b>1");
        sub.day = day;
        sub.prompt(&format!("job FILES: a.rs {evil}"))
            .writes("b<script>.rs")
            .text(&format!("great great 훌륭합니다 {evil}"));
        sub.sent_back(evil).text(&format!("approve great done {evil}"));
        let mut main = Log::new(name);
        main.day = day;
        main.prompt(&format!("{evil} 리팩토링\u{1b}[2J"))
            .text("ok")
            .prompt("DELEGATE")
            .text("great");
        main.write(&root.path().join(format!("{name}.jsonl")));
        sub.write(&root.path().join(format!("{name}/subagents/agent-a1.jsonl")));
    }
    std::fs::write(root.path().join("<b>.jsonl"), "<script>\n").unwrap();
    let options = Options {
        generated_at: Some("2026-11-21T09:00:00Z".into()),
        ..Options::new(Settings::default())
    };
    crate::run::run_with(&[root.path().to_owned()], &options, &Simple, &mut ()).unwrap()
}

#[test]
fn nothing_from_a_transcript_becomes_markup() {
    let html = report().to_html();
    assert_eq!(html.matches("<script").count(), 1, "only the page's own script");
    for tag in html.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        assert!(
            !tag.contains("alert"),
            "a tag holds a word of the transcript: <{tag}>"
        );
    }
    assert!(!html.contains("<img") && !html.contains("\u{1b}"));
    assert!(
        html.contains("&lt;script&gt;alert(1)"),
        "the words themselves are shown"
    );
    // Attributes stay closed: quotes in the words are written as entities.
    assert!(html.contains("&quot;&#39; onmouseover=&#39;alert(3)"));
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let html = report().to_html();
    for mark in [
        "http:", "https:", "//cdn", "src=\"", "@import", "url(", "<link", "<iframe", "onclick",
    ] {
        assert!(!html.replace("src=x", "").contains(mark), "{mark}");
    }
    for id in [
        "metrics",
        "by-session",
        "over-time",
        "examples",
        "sessions",
        "method",
    ] {
        assert!(html.contains(&format!("id=\"{id}\"")), "{id}");
    }
    // Every link inside the page has its aim.
    for link in html.split("href=\"#").skip(1) {
        let id = link.split('"').next().unwrap();
        assert!(html.contains(&format!("id=\"{id}\"")), "{id}");
    }
}

#[test]
fn the_policy_lets_only_the_page_s_own_script_run() {
    let html = report().to_html();
    let script = html
        .split("<script>")
        .nth(1)
        .unwrap()
        .split("</script>")
        .next()
        .unwrap();
    let hash = base64(&sha256(script.as_bytes()));
    assert!(
        html.contains(&format!("script-src 'sha256-{hash}'")),
        "set SCRIPT_HASH to {hash}"
    );
}

#[test]
fn text_fits_every_width() {
    let report = report();
    for width in [40, 60, 80, 120, 200] {
        let text = report.to_text(width, false);
        assert!(!text.contains('\u{1b}'));
        for line in text.lines().filter(|l| !l.contains(".jsonl:")) {
            assert!(
                line.width() <= width,
                "{} columns of {width}: {line}",
                line.width()
            );
        }
        assert_eq!(text.matches("Worst: ").count(), 5, "{text}");
    }
    let colored = report.to_text(100, true);
    let plain: String = colored
        .split('\u{1b}')
        .map(|p| p.split_once('m').map_or(p, |(_, rest)| rest))
        .collect();
    let bare = report.to_text(100, false);
    // The first piece comes before any escape and may hold an `m` of its own; there is none here.
    assert!(colored.starts_with('\u{1b}'));
    assert_eq!(plain, bare);
}

/// SHA-256 (FIPS 180-4), for the test of the script's hash only.
fn sha256(input: &[u8]) -> [u8; 32] {
    let primes: Vec<u32> = (2..).filter(|n| (2..*n).all(|d| n % d != 0)).take(64).collect();
    let fraction = |x: f64| ((x - x.floor()) * 4_294_967_296.0) as u32;
    let k: Vec<u32> = primes.iter().map(|p| fraction(f64::from(*p).cbrt())).collect();
    let mut h: Vec<u32> = primes
        .iter()
        .take(8)
        .map(|p| fraction(f64::from(*p).sqrt()))
        .collect();
    let mut data = input.to_vec();
    data.push(0x80);
    while data.len() % 64 != 56 {
        data.push(0);
    }
    data.extend((input.len() as u64 * 8).to_be_bytes());
    for block in data.chunks(64) {
        let mut w: Vec<u32> = block
            .chunks(4)
            .map(|b| u32::from_be_bytes(b.try_into().unwrap()))
            .collect();
        for i in 16..64 {
            let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
            let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
            w.push(w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1));
        }
        let mut v = h.clone();
        for i in 0..64 {
            let s1 = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
            let ch = (v[4] & v[5]) ^ (!v[4] & v[6]);
            let t1 = v[7]
                .wrapping_add(s1)
                .wrapping_add(ch)
                .wrapping_add(k[i])
                .wrapping_add(w[i]);
            let s0 = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
            let maj = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
            v.rotate_right(1);
            v[4] = v[4].wrapping_add(t1);
            v[0] = t1.wrapping_add(s0).wrapping_add(maj);
        }
        for (a, b) in h.iter_mut().zip(v) {
            *a = a.wrapping_add(b);
        }
    }
    let bytes: Vec<u8> = h.iter().flat_map(|x| x.to_be_bytes()).collect();
    bytes.try_into().unwrap()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let n = chunk.iter().fold(0_u32, |n, b| n << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            out.push(if i <= chunk.len() {
                LETTERS[(n >> (18 - 6 * i) & 63) as usize] as char
            } else {
                '='
            });
        }
    }
    out
}
