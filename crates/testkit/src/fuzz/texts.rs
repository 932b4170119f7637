//! Readers of texts: answers to a checklist, patterns, the fold, static models.

use proctor_outline::progress;
use proctor_prose::Extra;
use proctor_similarity::{Embedder, StaticModel};

/// A delegation and the answers to it, set apart by form feeds: an answer changes no item but its state, an empty
/// one changes nothing, and what is open has a reminder.
pub fn checklist(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.split('\u{c}');
    let outline = proctor_outline::read(parts.next().unwrap_or_default());
    let mut items = progress::checklist(&outline.items);
    for answer in parts.take(8) {
        let after = progress::update(&items, answer, &[]);
        assert_eq!(
            after,
            progress::update(&items, answer, &[]),
            "the same answer, the same state"
        );
        assert!(
            after.iter().map(|i| &i.text).eq(items.iter().map(|i| &i.text)),
            "an answer changes no item"
        );
        items = after;
    }
    assert_eq!(
        progress::update(&items, "", &[]),
        items,
        "silence changes nothing"
    );
    assert_eq!(
        progress::reminder(&items).is_some(),
        items.iter().any(|i| !i.completed),
        "a reminder is due while something is open"
    );
}

pub(super) const ANSWERS: &[&[u8]] = &[
    b"EXPECTED OUTCOME:\n1. a parser\n2. tests for it\n3. docs/use.md\x0c1 and 2 are done, only the docs are missing.\x0cdocs/use.md written. TASK_COMPLETE",
    b"Expected outcome:\n- login page\n- rate limit\x0c```json\n{\"login page\": \"done\", \"items\": [{\"id\": 2, \"status\": \"pending\"}]}\n```\x0c[x] login page, [ ] rate limit",
    b"EXPECTED OUTCOME:\n- a\n- b\x0c| # | item | status |\n|---|---|---|\n| 1 | a | done |\n| 2 | b | - |\x0c```yaml\ndone:\n  - a\n- item: b\n  status: 80 %\n```",
    "기대 결과:\n- 검색 화면\n- 정렬 기능\n- 내보내기\u{c}가)와 나)는 마쳤고 나머지는 내일 하겠습니다.\u{c}3개 중 2개 완료. 남은 것: 내보내기.".as_bytes(),
    "EXPECTED OUTCOME:\n1. Find out why it stalls\n2. Fix it\u{c}It stalls because the lock is never freed.\u{c}Freed now; 3 ms instead of 40.\u{c}보안팀에게 넘겼습니다. ~~1~~".as_bytes(),
];

/// A pattern on the first line and a text below it: what is wrong with a pattern is said in words, and one that
/// cannot be used finds nothing.
pub fn pattern(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (pattern, text) = text.split_once('\n').unwrap_or((&text, ""));
    let flaws = Extra::flaws(pattern, true);
    assert!(flaws.iter().all(|f| !f.message.is_empty()), "a flaw is told");
    assert_eq!(flaws, Extra::flaws(pattern, true));
    let finds = Extra::finds(pattern, text);
    assert!(
        !finds || !flaws.iter().any(|f| f.fatal),
        "a pattern that cannot be used finds nothing"
    );
    let extra = Extra::new([pattern], [pattern]).with_doubtful([pattern]);
    let _ = proctor_prose::read_with(text, &extra);
}

pub(super) const PATTERNS: &[&[u8]] = &[
    "/훌륭한\\s*분석/\n훌륭한 분석입니다.".as_bytes(),
    b"/\\bwell (done|played)\\b/i\nWell done! well  played",
    b"/(a+)+$/\naaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
    b"/[a-z]{2,40}{3}|(?i:x)\\p{Hangul}*?^/\nx",
    b"great stuff\nGREAT stuff, g-r-e-a-t",
    "대박\n대박이네요".as_bytes(),
    b"//\n",
    b"/[/\n[",
];

/// The fold of spellings: folding twice is folding once.
pub fn fold(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let once = proctor_prose::normalize(&text);
    assert_eq!(proctor_prose::normalize(&once), once, "{text:?}");
}

pub(super) const SPELLINGS: &[&[u8]] = &[
    "Ｐｅｒｆｅｃｔ! 𝐏𝐞𝐫𝐟𝐞𝐜𝐭 p\u{301}e\u{200b}rfect Реrfесt".as_bytes(),
    "ㅎㅏㄴㄱㅡㄹ 하\u{11ab}글 ﾊﾝｸﾞﾙ \u{1112}\u{1161}\u{11ab}".as_bytes(),
    "\u{202e}tcefrep\u{202c} ﬁne Ǆ ß İ ı ſ".as_bytes(),
    b"p e r f e c t  1337 g00d",
];

/// The two files of a static model, the tokenizer first, set apart by a form feed: opening is total, and a model
/// that opens gives vectors of one length, or says why not.
pub fn model(bytes: &[u8]) {
    let cut = bytes.iter().position(|b| *b == 0x0c).unwrap_or(bytes.len());
    let (tokenizer, tensors) = bytes.split_at(cut);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join(name), bytes).expect("a writable folder");
    };
    write("tokenizer.json", tokenizer);
    write("model.safetensors", tensors.get(1..).unwrap_or_default());
    let Ok(model) = StaticModel::open(folder.path()) else {
        return;
    };
    let texts = ["Building fails.", "빌드가 깨집니다", "", "\u{0}\u{fffd}"];
    if let Ok(vectors) = model.embed(&texts) {
        assert_eq!(vectors.len(), texts.len());
        assert!(
            vectors.windows(2).all(|pair| pair[0].len() == pair[1].len()),
            "all vectors have one length"
        );
    }
}

pub(super) const MODELS: &[&[u8]] = &[
    b"{\"model\":{\"type\":\"WordPiece\",\"unk_token\":\"[UNK]\",\"continuing_subword_prefix\":\"##\",\"vocab\":{\"[UNK]\":0,\"build\":1,\"##ing\":2}}}\x0c\x44\0\0\0\0\0\0\0{\"embeddings\":{\"dtype\":\"F32\",\"shape\":[3,1],\"data_offsets\":[0,12]}}  \0\0\x80\x3f\0\0\0\x40\0\0\0\0",
    "{\"normalizer\":{\"type\":\"NFKC\"},\"pre_tokenizer\":{\"type\":\"Metaspace\",\"replacement\":\"▁\",\"prepend_scheme\":\"always\"},\"model\":{\"type\":\"Unigram\",\"unk_id\":0,\"vocab\":[[\"<unk>\",0.0],[\"▁빌드\",-2.0],[\"가\",-3.0]]}}\u{c}\u{40}\0\0\0\0\0\0\0{\"embeddings\":{\"dtype\":\"I8\",\"shape\":[3,1],\"data_offsets\":[0,3]}}abc".as_bytes(),
    b"{}\x0c",
    b"{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0}}}\x0c\xff\xff\xff\xff\xff\xff\xff\x7f{",
];
