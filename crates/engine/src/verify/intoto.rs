//! The answer as in-toto statements, and back: one statement per line, without an envelope. A signature, where there
//! is one, is OpenSSH's over the whole file, beside it.

use super::report::{CheckState, TrustAxis, VerifyReport};
use super::strict;
use crate::review::{Release, VerdictEntry};
use proctor_kernel::{Error, ErrorKind, Id, Result, TreeId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The type of every statement.
pub const STATEMENT: &str = "https://in-toto.io/Statement/v1";

/// The predicate for checks.
pub const TEST_RESULT: &str = "https://in-toto.io/attestation/test-result/v0.1";

/// Our predicate for approvals and releases; described in `docs/reference/verify.md`.
pub const REVIEW: &str = "urn:proctor:predicate:review:v0.1";

/// Largest file that is read, in bytes.
pub const LARGEST: usize = 4 << 20;

/// Most statements of a file.
const MOST: usize = 1_000;

/// The body of our own predicate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewPredicate {
    /// The review that the approval belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Id>,
    /// The approval, as it stands in the record, signature included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<VerdictEntry>,
    /// The release, as it stands in the record, signature included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<Release>,
}

/// What a test-result statement says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestResult {
    /// Names of checks that passed.
    pub passed: Vec<String>,
    /// Names of checks that failed.
    pub failed: Vec<String>,
}

/// A statement that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The tree that it is about.
    pub tree: TreeId,
    /// The commit, where it names one.
    pub commit: Option<String>,
    /// What it says.
    pub says: Says,
}

/// What a statement says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Says {
    /// How checks ended.
    Tests(TestResult),
    /// An approval or a release.
    Review(Box<ReviewPredicate>),
    /// Something that this version does not read: its predicate type.
    Other(String),
}

/// The statements of an answer, one line each.
///
/// # Errors
/// Kind `input` when there is nothing to state; a check that could not run is neither passed nor failed, so it
/// cannot be stated at all.
pub fn export(report: &VerifyReport) -> Result<String> {
    let subject = json!([{
        "name": "tree",
        "digest": { "gitTree": report.tree, "gitCommit": report.commit },
    }]);
    let statement = |kind: &str, predicate: Value| json!({ "_type": STATEMENT, "subject": subject, "predicateType": kind, "predicate": predicate });
    let mut lines = String::new();
    let mut put = |value: &Value| {
        lines.push_str(&value.to_string());
        lines.push('\n');
    };
    let known: Vec<_> = report
        .checks
        .iter()
        .filter(|c| !matches!(c.state, CheckState::CouldNotRun | CheckState::NotRun))
        .collect();
    let unknown = report.checks.len() - known.len();
    if unknown == 0 && !known.is_empty() {
        let named = |passed: bool| -> Vec<&str> {
            let checks = known.iter().filter(|c| (c.state == CheckState::Passed) == passed);
            checks.map(|c| c.name.as_str()).collect()
        };
        let (passed, failed) = (named(true), named(false));
        let mut configuration: Vec<Value> = known
            .iter()
            .map(|c| {
                json!({
                    "name": c.name,
                    "content": base64(c.run.as_bytes()),
                    "mediaType": "text/x-shellscript",
                    "annotations": { "trust": c.trust.as_str(), "state": c.state.as_str() },
                })
            })
            .collect();
        if let Some(blob) = &report.policy_blob {
            configuration.push(json!({ "name": ".proctor/proctor.yaml", "digest": { "gitBlob": blob } }));
        }
        let result = if failed.is_empty() { "PASSED" } else { "FAILED" };
        put(&statement(
            TEST_RESULT,
            json!({
                "result": result,
                "configuration": configuration,
                "passedTests": passed,
                "warnedTests": [],
                "failedTests": failed,
            }),
        ));
    }
    if let Some(predicate) = &report.record {
        let predicate = serde_json::to_value(predicate).map_err(|e| {
            Error::new(ErrorKind::Internal, "the approval cannot be written as JSON").because(e)
        })?;
        put(&statement(REVIEW, predicate));
    }
    if lines.is_empty() {
        return Err(Error::new(
            ErrorKind::Input,
            "there is nothing to state: no approval, and no check that ran on this tree",
        )
        .hint("`proctor verify --rerun --export` runs the checks of the policy first"));
    }
    Ok(lines)
}

/// Reads a file of statements.
///
/// # Errors
/// Kind `input` with the line when it is too large, no JSON, has a key twice, is nested too deep, is no
/// statement, or contradicts itself.
pub fn read(bytes: &[u8]) -> Result<Vec<Read>> {
    let wrong = |why: String| Error::new(ErrorKind::Input, why);
    if bytes.len() > LARGEST {
        return Err(wrong(format!("the file is larger than {LARGEST} bytes")));
    }
    let text =
        std::str::from_utf8(bytes).map_err(|e| wrong("the file is not UTF-8".to_owned()).because(e))?;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let at = |why: String| wrong(format!("line {}: {why}", number + 1));
        if found.len() >= MOST {
            return Err(at(format!("more than {MOST} statements")));
        }
        let value = strict::parse(line).map_err(|e| at(e.to_string()))?;
        found.push(statement(&value).map_err(at)?);
    }
    if found.is_empty() {
        return Err(wrong("there is no statement in the file".to_owned()));
    }
    Ok(found)
}

fn statement(value: &Value) -> std::result::Result<Read, String> {
    let word = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
    if word("_type") != STATEMENT {
        return Err(format!(
            "its `_type` is {:?}, not {STATEMENT:?}",
            short(word("_type"))
        ));
    }
    let Some([subject]) = value.get("subject").and_then(Value::as_array).map(Vec::as_slice) else {
        return Err("it must have exactly one subject".to_owned());
    };
    let digest = |name: &str| -> std::result::Result<Option<String>, String> {
        match subject.get("digest").and_then(|d| d.get(name)) {
            None => Ok(None),
            Some(Value::String(hex)) if is_object_id(hex) => Ok(Some(hex.clone())),
            Some(_) => Err(format!(
                "the digest `{name}` of its subject is no object id of git"
            )),
        }
    };
    let tree = digest("gitTree")?.ok_or("its subject has no digest `gitTree`")?;
    let commit = digest("gitCommit")?;
    let predicate = value.get("predicate").unwrap_or(&Value::Null);
    let says = match word("predicateType") {
        TEST_RESULT => Says::Tests(test_result(predicate)?),
        REVIEW => {
            let body: ReviewPredicate =
                serde_json::from_value(predicate.clone()).map_err(|e| format!("its predicate: {e}"))?;
            let about = [
                body.approval.as_ref().map(|a| a.tree.as_ref()),
                body.release.as_ref().map(|r| r.tree.as_ref()),
            ];
            for other in about.into_iter().flatten() {
                if other.is_none_or(|t| t.as_str() != tree) {
                    return Err("what it holds is about another tree than its subject".to_owned());
                }
            }
            if body.approval.is_some() != body.review.is_some() {
                return Err("an approval needs the id of its review".to_owned());
            }
            Says::Review(Box::new(body))
        }
        "" => return Err("it has no `predicateType`".to_owned()),
        other => Says::Other(short(other)),
    };
    Ok(Read {
        tree: TreeId::from_text(tree),
        commit,
        says,
    })
}

fn test_result(predicate: &Value) -> std::result::Result<TestResult, String> {
    let names = |key: &str| -> std::result::Result<Vec<String>, String> {
        match predicate.get(key) {
            None => Ok(Vec::new()),
            Some(Value::Array(list)) => list
                .iter()
                .map(|v| v.as_str().map(str::to_owned))
                .collect::<Option<_>>()
                .ok_or_else(|| format!("`{key}` holds something else than names")),
            Some(_) => Err(format!("`{key}` is no list")),
        }
    };
    let (passed, warned, failed) = (
        names("passedTests")?,
        names("warnedTests")?,
        names("failedTests")?,
    );
    let result = predicate
        .get("result")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if !matches!(result, "PASSED" | "WARNED" | "FAILED") {
        return Err(format!("its result is {:?}", short(result)));
    }
    if (result != "FAILED") && !failed.is_empty() {
        return Err(format!("it says {result} and names failed tests"));
    }
    if passed.iter().chain(&warned).any(|name| failed.contains(name)) {
        return Err("a test is named as passed and as failed".to_owned());
    }
    Ok(TestResult { passed, failed })
}

/// The trust of what a file says of checks: it is a claim.
pub(super) const CLAIM: TrustAxis = TrustAxis::Claimed;

fn is_object_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Bytes in base64, as in-toto wants contents.
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|i| u32::from(group.get(i).copied().unwrap_or_default()));
        let bits = a << 16 | b << 8 | c;
        for i in 0..4 {
            let sign = (bits >> (18 - 6 * i) & 63) as usize;
            let sign = SIGNS.get(sign).filter(|_| i <= group.len());
            out.push(sign.map_or('=', |s| char::from(*s)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_as_it_should_be() {
        let cases = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("cargo test", "Y2FyZ28gdGVzdA=="),
        ];
        for (text, coded) in cases {
            assert_eq!(base64(text.as_bytes()), coded);
        }
    }

    fn line(result: &str, passed: &str, failed: &str, tree: &str) -> String {
        format!(
            r#"{{"_type":"{STATEMENT}","subject":[{{"digest":{{"gitTree":"{tree}"}}}}],"predicateType":"{TEST_RESULT}","predicate":{{"result":"{result}","configuration":[],"passedTests":[{passed}],"failedTests":[{failed}]}}}}"#
        )
    }

    proptest::proptest! {
        /// Whatever a file holds, it is read or refused, and what is read names a tree.
        #[test]
        fn any_bytes_are_read_or_refused(
            cut in 0..400_usize,
            noise in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..12),
        ) {
            let mut bytes = line("PASSED", "\"test\"", "", &"a".repeat(40)).into_bytes();
            let at = cut.min(bytes.len());
            let end = (at + noise.len()).min(bytes.len());
            bytes.splice(at..end, noise);
            for statement in super::read(&bytes).unwrap_or_default() {
                assert!(is_object_id(statement.tree.as_str()));
            }
        }
    }

    #[test]
    fn what_is_no_honest_statement_is_refused_with_its_reason() {
        let tree = "a".repeat(40);
        let good = line("PASSED", "\"test\"", "", &tree);
        let [read] = &read(good.as_bytes()).unwrap()[..] else {
            unreachable!()
        };
        assert_eq!(read.tree.as_str(), tree);
        let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
        let cases = [
            (good.replace("gitTree", "sha256"), "no digest `gitTree`"),
            (line("PASSED", "", "", "zz"), "no object id"),
            (line("PASSED", "", "", &"A".repeat(40)), "no object id"),
            (line("PASSED", "", "\"test\"", &tree), "names failed tests"),
            (line("FAILED", "\"t\"", "\"t\"", &tree), "as passed and as failed"),
            (line("OK", "", "", &tree), "its result is"),
            (good.replace("Statement/v1", "Statement/v0.1"), "its `_type`"),
            (
                good.replacen("\"_type\":", "\"_type\":\"x\",\"_type\":", 1),
                "stands twice",
            ),
            (
                good.replacen("\"result\":", "\"result\":\"FAILED\",\"result\":", 1),
                "stands twice",
            ),
            (
                good.replace("\"configuration\":[]", &format!("\"configuration\":{deep}")),
                "nested",
            ),
            (
                good.replace(
                    "\"subject\":[",
                    &format!("\"subject\":[{{\"digest\":{{\"gitTree\":\"{tree}\"}}}},"),
                ),
                "exactly one subject",
            ),
            ("{".to_owned(), "line 1"),
            ("\n\n".to_owned(), "no statement"),
            (
                format!("{good}\n{}", good.replace(TEST_RESULT, REVIEW)),
                "line 2: its predicate",
            ),
        ];
        for (text, expected) in cases {
            let error = super::read(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(expected), "{expected}: {error}\n{text:.200}");
        }
        let huge = vec![b' '; LARGEST + 1];
        assert!(super::read(&huge).unwrap_err().to_string().contains("larger"));
        assert!(super::read(&[0xFF]).unwrap_err().to_string().contains("UTF-8"));
        let other = good.replace(TEST_RESULT, "https://slsa.dev/provenance/v1");
        assert!(matches!(
            &super::read(other.as_bytes()).unwrap()[0].says,
            Says::Other(_)
        ));
    }
}
