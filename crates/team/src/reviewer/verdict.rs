//! How a reviewer's answer is read.

use proctor_engine::review::{NewFinding, ReviewVerdict, Severity};
use serde::Deserialize;
use std::ops::Range;

/// Most findings of one answer.
const MOST: usize = 200;

/// A reviewer's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What it answered. An approval that names a blocking problem is a refusal.
    pub verdict: ReviewVerdict,
    /// Its summary.
    pub summary: String,
    /// Ids of earlier findings that it takes for settled.
    pub settled: Vec<String>,
    /// What it found.
    pub findings: Vec<NewFinding>,
}

/// Why an answer is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

#[derive(Deserialize)]
struct Wire {
    verdict: String,
    #[serde(default)]
    summary: String,
    #[serde(default)]
    settled: Vec<String>,
    #[serde(default)]
    findings: Vec<WireFinding>,
}

#[derive(Deserialize)]
struct WireFinding {
    #[serde(default)]
    severity: String,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    line: Option<u32>,
    text: String,
}

/// Reads the structured verdict at the end of a reviewer's answer. Only the last JSON object counts, so that a
/// quoted template or an earlier draft is none; a refusal among several verdicts wins. An approval with words behind it is
/// none: what stands there may take it back.
///
/// # Errors
/// When there is none that can be read.
pub fn read_verdict(answer: &str) -> Result<Verdict, Unreadable> {
    let mut found: Option<Verdict> = None;
    let mut fault = None;
    let mut last = 0;
    for place in places(answer) {
        let object = answer.get(place.clone()).unwrap_or_default();
        match serde_json::from_str::<Wire>(object) {
            Ok(wire) => match verdict(wire) {
                Ok(verdict) => {
                    last = place.end;
                    let refused = found.as_ref().is_some_and(|v| v.verdict == ReviewVerdict::Reject);
                    if !refused || verdict.verdict == ReviewVerdict::Reject {
                        found = Some(verdict);
                    }
                }
                Err(why) => fault = Some(why),
            },
            Err(e) if object.contains("\"verdict\"") => {
                fault = Some(Unreadable(format!("its verdict cannot be read: {e}")))
            }
            Err(_) => {}
        }
    }
    let behind = answer.get(last..).unwrap_or_default();
    // The end of the block that it stands in.
    let ends = behind
        .chars()
        .all(|c| c.is_whitespace() || matches!(c, '`' | '~'));
    if !ends
        && found
            .as_ref()
            .is_some_and(|v| v.verdict == ReviewVerdict::Approve)
    {
        return Err(Unreadable(
            "its answer goes on behind the structured verdict, so it cannot be told whether that still holds"
                .to_owned(),
        ));
    }
    found.ok_or_else(|| {
        fault.unwrap_or_else(|| Unreadable("it ended without a structured verdict".to_owned()))
    })
}

fn verdict(wire: Wire) -> Result<Verdict, Unreadable> {
    let said = match wire.verdict.trim().to_ascii_lowercase().as_str() {
        "approve" | "approved" => ReviewVerdict::Approve,
        "reject" | "rejected" | "request_changes" => ReviewVerdict::Reject,
        other => {
            return Err(Unreadable(format!(
                "its verdict is neither approve nor reject but {other:?}"
            )));
        }
    };
    let mut findings: Vec<NewFinding> = wire
        .findings
        .into_iter()
        .take(MOST)
        .map(|f| NewFinding {
            text: f.text,
            severity: if f.severity.eq_ignore_ascii_case("minor") {
                Severity::Minor
            } else {
                Severity::Blocking
            },
            path: f.path.filter(|p| !p.is_empty()),
            line: f.line.filter(|n| *n > 0),
        })
        .collect();
    let blocks = findings.iter().any(|f| f.severity == Severity::Blocking);
    let verdict = if blocks { ReviewVerdict::Reject } else { said };
    if verdict == ReviewVerdict::Reject && !blocks {
        // A refusal has a reason; without one the worker could not mend anything.
        findings.push(NewFinding {
            text: if wire.summary.trim().is_empty() {
                "refused without a stated reason".to_owned()
            } else {
                wire.summary.clone()
            },
            severity: Severity::Blocking,
            path: None,
            line: None,
        });
    }
    Ok(Verdict {
        verdict,
        summary: wire.summary,
        settled: wire.settled,
        findings,
    })
}

/// The outermost JSON objects of a text, in order.
pub(super) fn objects(text: &str) -> Vec<&str> {
    places(text)
        .into_iter()
        .filter_map(|place| text.get(place))
        .collect()
}

/// Where they stand. Linear: each is tried once, from its first brace.
fn places(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut tries = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find('{')).map(|i| at + i) {
        tries += 1;
        let rest = text.get(start..).unwrap_or_default();
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<serde::de::IgnoredAny>();
        match stream.next() {
            Some(Ok(_)) => {
                let end = start + stream.byte_offset();
                out.push(start..end);
                at = end;
            }
            _ => at = start + 1,
        }
        if tries > 1_000 {
            break;
        }
    }
    out
}
