//! Signatures made by the real `ssh-keygen` in throw-away folders.

use super::*;
use crate::review::{Evidence, Independence, Party, PartyKind, Pins, Release, ReviewVerdict, VerdictEntry};
use proctor_kernel::{CheckKinds, Digest, Id, TreeId, Trust};
use std::process::Stdio;

pub(crate) const NOW: u64 = 1_767_323_045_000;
pub(crate) const HERE: &str = "1111111111111111111111111111111111111111";

/// A key with its line for a list of allowed signers.
pub(crate) struct Key {
    folder: tempfile::TempDir,
}

impl Key {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let made = std::process::Command::new("ssh-keygen")
            .args(["-q", "-t", "ed25519", "-N", "", "-C", "", "-f"])
            .arg(folder.path().join("key"))
            .status()
            .unwrap();
        assert!(made.success());
        Self { folder }
    }

    pub(crate) fn public(&self) -> String {
        let text = std::fs::read_to_string(self.folder.path().join("key.pub")).unwrap();
        text.trim().to_owned()
    }

    pub(crate) fn sign(&self, text: &str, namespace: &str) -> Signature {
        let mut child = std::process::Command::new("ssh-keygen")
            .args(["-q", "-Y", "sign", "-n", namespace, "-f"])
            .arg(self.folder.path().join("key"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        Signature {
            signer: String::new(),
            statement: text.to_owned(),
            armour: String::from_utf8(output.stdout).unwrap(),
        }
    }
}

pub(crate) fn signers(lines: &[String]) -> Signers {
    Signers {
        bytes: (lines.join("\n") + "\n").into_bytes(),
        from: "the test's list".to_owned(),
    }
}

pub(crate) fn id(n: u8) -> Id {
    Id::from_parts(NOW, [n; 10])
}

pub(crate) fn entry() -> VerdictEntry {
    VerdictEntry {
        verdict: ReviewVerdict::Approve,
        reviewer: Party {
            kind: PartyKind::Human,
            ..Party::default()
        },
        independence: Independence::Yes,
        tree: Some(TreeId::from_text("a".repeat(40))),
        from: vec!["c".repeat(40)],
        head: Some("d".repeat(40)),
        evidence: vec![Evidence {
            record: id(7),
            check: "cargo test".into(),
            kinds: CheckKinds::NONE,
            tree: Some(TreeId::from_text("a".repeat(40))),
            exit: Some(0),
            passed: Some(3),
            output: Some(Digest::of(b"ok")),
            trust: Trust::Witnessed,
        }],
        pins: Pins {
            engine: "0".into(),
            build: None,
            policy: Digest::of(b"policy"),
            checks: Digest::of(b"checks"),
            level: "witnessed".into(),
            project: Some(Digest::of(b"project")),
        },
        words: "read it, line by line".into(),
        round: 2,
        at: NOW,
        record: Some(id(8)),
        signature: None,
        second: None,
        others: Vec::new(),
    }
}

pub(crate) fn release() -> Release {
    Release {
        by: Party {
            kind: PartyKind::Human,
            ..Party::default()
        },
        reason: "demo".into(),
        tree: entry().tree,
        session: None,
        at: NOW,
        until: NOW + 1_000,
        policy: Some(Digest::of(b"policy")),
        record: Some(id(9)),
        signature: None,
    }
}

pub(crate) fn notary(signers: Option<Signers>) -> Notary {
    Notary::new(Some(HERE.to_owned()), signers)
}

#[test]
fn a_signature_holds_for_its_record_and_for_no_other() {
    let key = Key::new();
    let allowed = signers(&[format!(
        "alice@example.invalid namespaces=\"proctor\" {}",
        key.public()
    )]);
    let signed = |mut entry: VerdictEntry| {
        let statement = Statement::of_verdict(HERE, &id(1), &entry, NOW);
        entry.signature = Some(key.sign(&statement.text().unwrap(), NAMESPACE));
        entry
    };
    let good = signed(entry());
    let notary_here = notary(Some(allowed.clone()));
    let looked = notary_here.verdict(&id(1), &good);
    assert_eq!(
        (looked.state, looked.signer.as_deref()),
        (SignatureState::Valid, Some("alice@example.invalid")),
        "{looked:?}"
    );
    assert_eq!(notary_here.verdict(&id(1), &entry()).state, SignatureState::None);

    // Every field that is bound: altered in the record, or copied to another place.
    type Change = fn(&mut VerdictEntry);
    let changes: [(&str, Change); 13] = [
        ("verdict", |e| e.verdict = ReviewVerdict::Reject),
        ("tree", |e| e.tree = Some(TreeId::from_text("b".repeat(40)))),
        ("no tree", |e| e.tree = None),
        ("round", |e| e.round = 3),
        ("words", |e| e.words.push('!')),
        ("level", |e| e.pins.level = "rerun".into()),
        ("policy", |e| e.pins.policy = Digest::of(b"other")),
        ("project policy", |e| e.pins.project = None),
        ("checks", |e| e.pins.checks = Digest::of(b"other")),
        ("evidence", |e| e.evidence[0].exit = Some(1)),
        ("less evidence", |e| e.evidence.clear()),
        ("who", |e| e.reviewer.kind = PartyKind::Launched),
        ("time", |e| e.at += 3_600_000),
    ];
    for (what, change) in changes {
        let mut altered = good.clone();
        change(&mut altered);
        let looked = notary_here.verdict(&id(1), &altered);
        assert_eq!(looked.state, SignatureState::Invalid, "{what}: {looked:?}");
    }
    assert_eq!(
        notary_here.verdict(&id(2), &good).state,
        SignatureState::Invalid,
        "another review"
    );
    let elsewhere = Notary::new(Some("2".repeat(40)), Some(allowed));
    assert_eq!(
        elsewhere.verdict(&id(1), &good).state,
        SignatureState::Invalid,
        "another repository"
    );
    // A statement that was rewritten to fit the record does not fit the signature.
    let mut forged = good.clone();
    forged.words = "something else".into();
    let statement = Statement::of_verdict(HERE, &id(1), &forged, NOW).text().unwrap();
    forged.signature.as_mut().unwrap().statement = statement;
    assert_eq!(
        notary_here.verdict(&id(1), &forged).state,
        SignatureState::Invalid
    );
    // Nor is a signature over a verdict one over a release.
    let mut borrowed = release();
    borrowed.signature = good.signature.clone();
    assert_eq!(notary_here.release(&borrowed).state, SignatureState::Invalid);
}

#[test]
fn who_may_sign_is_the_lists_to_say() {
    let (key, other) = (Key::new(), Key::new());
    let statement = Statement::of_release(HERE, &release(), NOW);
    let text = statement.text().unwrap();
    let signed = |signature: Signature| Release {
        signature: Some(signature),
        ..release()
    };
    let good = signed(key.sign(&text, NAMESPACE));
    let line = |more: &str, key: &Key| format!("alice@example.invalid {more}{}", key.public());
    let cases = [
        ("its key", vec![line("", &key)], SignatureState::Valid),
        (
            "among others",
            vec!["# who may sign".to_owned(), line("", &other), line("", &key)],
            SignatureState::Valid,
        ),
        (
            "several names and a pattern",
            vec![format!("bob@example.invalid,*@example.invalid {}", key.public())],
            SignatureState::Valid,
        ),
        ("another key", vec![line("", &other)], SignatureState::UnknownKey),
        ("nobody", vec![], SignatureState::UnknownKey),
        (
            "no list at all",
            vec!["<<<<<<< HEAD".to_owned()],
            SignatureState::UnknownKey,
        ),
        (
            "for another purpose",
            vec![line("namespaces=\"git\" ", &key)],
            SignatureState::UnknownKey,
        ),
        (
            "until last year",
            vec![line("valid-before=\"20250101\" ", &key)],
            SignatureState::UnknownKey,
        ),
        (
            "since last year",
            vec![line("valid-after=\"20250101\" ", &key)],
            SignatureState::Valid,
        ),
    ];
    for (what, lines, expected) in cases {
        let looked = notary(Some(signers(&lines))).release(&good);
        assert_eq!(looked.state, expected, "{what}: {looked:?}");
    }
    assert_eq!(notary(None).release(&good).state, SignatureState::NoSigners);
    let nowhere = Notary::default();
    assert_eq!(nowhere.release(&good).state, SignatureState::CouldNotCheck);
    // A signature of the same key that was made for something else.
    let list = notary(Some(signers(&[line("", &key)])));
    let borrowed = signed(key.sign(&text, "git"));
    assert_eq!(list.release(&borrowed).state, SignatureState::Invalid);
    for armour in [
        "",
        "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n",
    ] {
        let broken = signed(Signature {
            armour: armour.to_owned(),
            ..good.signature.clone().unwrap()
        });
        assert_eq!(list.release(&broken).state, SignatureState::Invalid, "{armour:?}");
    }
}

#[test]
fn only_the_one_form_of_a_statement_is_read() {
    let text = Statement::of_verdict(HERE, &id(1), &entry(), NOW).text().unwrap();
    assert!(!text.contains('\n'));
    assert_eq!(
        Statement::read(&text).unwrap(),
        Statement::of_verdict(HERE, &id(1), &entry(), NOW)
    );
    let twice = text.replacen("{\"proctor\":1", "{\"proctor\":1,\"proctor\":1", 1);
    let more = text.replacen("{\"proctor\":1", "{\"more\":1,\"proctor\":1", 1);
    let newer = text.replacen("{\"proctor\":1", "{\"proctor\":2", 1);
    for wrong in [
        twice,
        more,
        newer,
        format!("{text}\n"),
        format!(" {text}"),
        String::new(),
        "[".repeat(100_000),
    ] {
        assert!(Statement::read(&wrong).is_err(), "{wrong:.60}");
    }
}
