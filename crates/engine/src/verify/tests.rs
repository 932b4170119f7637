//! The schema of the answer, and ranges.

use super::records::Records;
use super::{Target, schema};
use crate::review::{
    Party, PartyKind, Release, Requirements, ReviewBook, ReviewEvent, ReviewVerdict, TaskRef, VerdictEntry,
};
use crate::signing::tests::{HERE, Key, NOW, entry, id, notary, release, signers};
use crate::signing::{NAMESPACE, Statement};
use proctor_kernel::Id;
use proctor_policy::{ReviewLevel, Settings};

/// Demands a signature, and the checks and the level of [`entry`].
fn signed_only() -> Requirements {
    Requirements {
        level: ReviewLevel::Witnessed,
        checks: vec![entry().pins.checks],
        signed: true,
        ..Requirements::of(&Settings::default())
    }
}

fn requested(review: &Id, at: u64, book: &mut ReviewBook) {
    let event = ReviewEvent::Requested {
        review: review.clone(),
        task: TaskRef::default(),
        session: "claude-w".into(),
        worker: Party {
            kind: PartyKind::Agent,
            ..Party::default()
        },
        base: None,
        head: None,
        tree: entry().tree,
    };
    book.take(&event, at, Some(&id(20)));
}

fn decided(review: &Id, entry: VerdictEntry, at: u64, record: &Id, book: &mut ReviewBook) {
    let event = ReviewEvent::Decided {
        review: review.clone(),
        entry: Box::new(entry),
    };
    book.take(&event, at, Some(record));
}

fn sign(key: &Key, statement: &Statement) -> Option<crate::review::Signature> {
    Some(key.sign(&statement.text().unwrap(), NAMESPACE))
}

#[test]
fn a_signature_counts_for_nothing_else_in_its_record() {
    let key = Key::new();
    let notary = notary(Some(signers(&[format!("alice {}", key.public())])));
    let tree = entry().tree.unwrap();
    let mut expired = Release {
        tree: None,
        ..release()
    };
    expired.signature = sign(&key, &Statement::of_release(HERE, &expired, NOW));
    let mut refusal = VerdictEntry {
        verdict: ReviewVerdict::Reject,
        round: 1,
        ..entry()
    };
    refusal.signature = sign(&key, &Statement::of_verdict(HERE, &id(1), &refusal, NOW));
    let record = id(8);
    for borrowed in ["release", "refusal"] {
        let mut book = ReviewBook::default();
        requested(&id(1), NOW, &mut book);
        match borrowed {
            "release" => book.take(
                &ReviewEvent::Released(Box::new(expired.clone())),
                NOW,
                Some(&record),
            ),
            _ => decided(&id(1), refusal.clone(), NOW, &record, &mut book),
        }
        requested(&id(2), NOW, &mut book);
        decided(&id(2), entry(), NOW + 1, &record, &mut book);
        let mut required = signed_only();
        notary.fill(&mut required, &book, Some(&tree));
        let now = NOW + 10_000;
        let standing = book.standing(None, Some(&tree), now, &required);
        assert!(!standing.lets_go(), "{borrowed}: {standing:?}");
        for claimed in [false, true] {
            let records = Records::of(book.clone(), claimed, Vec::new());
            let found = records.approvals(&tree, &signed_only(), &notary);
            assert!(found.is_empty(), "{borrowed}, claimed {claimed}");
        }
        // A file chooses the record that it names.
        let filed = vec![(
            id(3),
            VerdictEntry {
                record: Some(record.clone()),
                ..entry()
            },
        )];
        let records = Records::of(book, true, filed);
        assert!(records.approvals(&tree, &signed_only(), &notary).is_empty());
    }
    // Signed itself it counts.
    let mut good = VerdictEntry { round: 1, ..entry() };
    good.signature = sign(&key, &Statement::of_verdict(HERE, &id(2), &good, NOW));
    let mut book = ReviewBook::default();
    requested(&id(2), NOW, &mut book);
    decided(&id(2), good, NOW, &record, &mut book);
    let records = Records::of(book, true, Vec::new());
    assert_eq!(records.approvals(&tree, &signed_only(), &notary).len(), 1);
}

#[test]
fn an_approval_does_not_outlive_a_refusal_by_another_date() {
    let key = Key::new();
    let notary = notary(Some(signers(&[format!("alice {}", key.public())])));
    let tree = entry().tree.unwrap();
    let free = Requirements {
        signed: false,
        ..signed_only()
    };
    let mut refused = ReviewBook::default();
    requested(&id(1), NOW, &mut refused);
    let refusal = VerdictEntry {
        verdict: ReviewVerdict::Reject,
        ..entry()
    };
    decided(&id(1), refusal, NOW + 1_000, &id(5), &mut refused);
    let with = |review: Id, entry: VerdictEntry, at: u64| {
        let mut book = refused.clone();
        if review != id(1) {
            requested(&review, NOW, &mut book);
        }
        decided(&review, entry, at, &id(8), &mut book);
        book
    };
    let signed_at = |time: u64| {
        let mut entry = VerdictEntry { round: 1, ..entry() };
        entry.signature = sign(&key, &Statement::of_verdict(HERE, &id(2), &entry, time));
        entry
    };
    let count =
        |records: &Records, required: &Requirements| records.approvals(&tree, required, &notary).len();
    // Signed before the refusal, its record written once more after it.
    for claimed in [false, true] {
        let old = Records::of(with(id(2), signed_at(NOW), NOW + 2_000), claimed, Vec::new());
        assert_eq!(count(&old, &signed_only()), 0, "claimed {claimed}");
        let new = Records::of(
            with(id(2), signed_at(NOW + 1_500), NOW + 2_000),
            claimed,
            Vec::new(),
        );
        assert_eq!(count(&new, &signed_only()), 1, "claimed {claimed}");
    }
    // What is only claimed has no date that counts; what was recorded here has.
    let claim = with(id(2), entry(), NOW + 2_000);
    assert_eq!(count(&Records::of(claim.clone(), true, Vec::new()), &free), 0);
    assert_eq!(count(&Records::of(claim, false, Vec::new()), &free), 1);
    let filed = |review: u8, entry: VerdictEntry| {
        let at = VerdictEntry {
            at: NOW + 2_000,
            ..entry
        };
        Records::of(refused.clone(), false, vec![(id(review), at)])
    };
    assert_eq!(count(&filed(2, entry()), &free), 0);
    assert_eq!(count(&filed(2, signed_at(NOW)), &signed_only()), 0);
    assert_eq!(count(&filed(2, signed_at(NOW + 1_500)), &signed_only()), 1);
    // Nor does one of the round that was refused count, whenever it was signed.
    let mut same = VerdictEntry { round: 1, ..entry() };
    same.signature = sign(&key, &Statement::of_verdict(HERE, &id(1), &same, NOW + 2_000));
    assert_eq!(count(&filed(1, same), &signed_only()), 0);
}

#[test]
fn the_schema_of_the_answer_is_current() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/verify.schema.json");
    let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == text,
        "schemas/verify.schema.json is not current: UPDATE_SNAPSHOTS=1 cargo test -p proctor-engine"
    );
}

#[test]
fn ranges_are_read_as_git_writes_them() {
    let range = |text: &str| match Target::range(text) {
        Ok(Target::Range { from, to }) => format!("{} {to}", from.as_deref().unwrap_or("-")),
        other => format!("{other:?}"),
    };
    let zeros = "0".repeat(40);
    for (text, expected) in [
        ("main..topic", "main topic"),
        ("main...topic", "main topic"),
        ("main..", "main HEAD"),
        ("..topic", "HEAD topic"),
        (&format!("{zeros}..topic"), "- topic"),
    ] {
        assert_eq!(range(text), expected);
    }
    for wrong in ["main", "", "a..b..c"] {
        assert!(Target::range(wrong).is_err(), "{wrong}");
    }
}
