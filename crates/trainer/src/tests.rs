use crate::data::{Label, Unit, read_folder};
use crate::decide::train_forests;
use crate::forest::Growth;
use crate::math::{Dice, exp};
use crate::train::{Recipe, train};
use proctor_gates::review::REVIEW_BYTES;
use proctor_prose::{MODEL_BYTES, Model};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn corpus(part: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../corpus")
        .join(part)
}

#[test]
fn the_committed_model_is_what_the_corpus_gives() {
    let units = read_folder(&corpus("train")).unwrap();
    assert!(units.len() > 3_600, "{} texts", units.len());
    let model = train(&units.iter().collect::<Vec<&Unit>>(), Recipe::default());
    let committed = std::fs::read(corpus("../crates/prose/model/acts.bin")).unwrap();
    assert_eq!(model.len(), MODEL_BYTES);
    assert!(
        model == committed,
        "the corpus, the word lists or the signals have changed: run scripts/train"
    );
}

#[test]
fn the_committed_forests_are_what_the_corpus_gives() {
    let units = read_folder(&corpus("train")).unwrap();
    let forests = train_forests(
        &units.iter().collect::<Vec<&Unit>>(),
        Recipe::default(),
        Growth::default(),
    );
    let committed = std::fs::read(corpus("../crates/gates/model/review.bin")).unwrap();
    assert_eq!(forests.len(), REVIEW_BYTES);
    assert!(
        forests == committed,
        "the corpus, the word lists, the rules or the signals have changed: run scripts/train"
    );
}

#[test]
fn no_scene_is_in_two_parts() {
    let scenes = |part| -> BTreeSet<String> {
        let files = std::fs::read_dir(corpus(part)).unwrap();
        files
            .flat_map(|file| {
                let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
                let scene = |line: &str| {
                    let item: serde_json::Value = serde_json::from_str(line).unwrap();
                    item["situation"].as_str().unwrap().to_owned()
                };
                text.lines().map(scene).collect::<Vec<_>>()
            })
            .collect()
    };
    let (train, test) = (scenes("train"), scenes("test"));
    assert!(train.len() > 100 && test.len() > 40);
    assert_eq!(test.intersection(&train).next(), None);
}

#[test]
fn a_model_learns_what_it_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = String::new();
    for n in 0..40 {
        lines.push_str(&format!(
            "{{\"text\":\"Zorp {n} blimps nicely.\",\"act\":\"praise\",\"situation\":\"s{n}\"}}\n"
        ));
        lines.push_str(&format!(
            "{{\"text\":\"Quux {n} fails twice.\",\"act\":\"fact\",\"situation\":\"s{n}\"}}\n"
        ));
    }
    std::fs::write(folder.path().join("sentences.jsonl"), lines).unwrap();
    let units = read_folder(folder.path()).unwrap();
    let bytes = train(&units.iter().collect::<Vec<_>>(), Recipe::default());
    let model = Model::from_bytes(&bytes).unwrap();
    let talk = |text: &str| {
        let reading = proctor_prose::read_model(text, &proctor_prose::Extra::default(), &model);
        reading.clauses.iter().map(|c| c.margins.talk).max().unwrap()
    };
    assert!(talk("Zorp 99 blimps nicely.") > 0);
    assert!(talk("Quux 99 fails twice.") < 0);
}

#[test]
fn broken_lines_are_named() {
    for (line, why) in [
        ("{\"text\":1}", "sentences.jsonl:1"),
        ("{\"text\":\"x\",\"act\":\"dance\"}", "unknown act dance"),
        ("nonsense", "sentences.jsonl:1"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("sentences.jsonl"), line).unwrap();
        let error = read_folder(folder.path()).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn labels_are_read() {
    let units = read_folder(&corpus("test")).unwrap();
    let count = |f: fn(&Label) -> bool| units.iter().filter(|u| f(&u.label)).count();
    assert!(count(|l| matches!(l, Label::Act(_))) > 1_000);
    assert!(count(|l| matches!(l, Label::Response { reject: true, .. })) > 100);
    assert!(count(|l| matches!(l, Label::Review { reject: true, .. })) > 100);
}

#[test]
fn arithmetic_is_as_good_as_needed() {
    for n in -300..300 {
        let x = f64::from(n) / 10.0;
        assert!((exp(x) / x.exp() - 1.0).abs() < 1e-9, "{x}");
    }
    let mut dice = Dice::new(7);
    let mut seen = [0; 6];
    (0..6_000).for_each(|_| seen[dice.below(6)] += 1);
    assert!(seen.iter().all(|n| (800..1_200).contains(n)), "{seen:?}");
}
