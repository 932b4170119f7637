//! The judge that asks the gates: the functions that decide in a hook decide here.

use crate::claims;
use crate::judge::{Approval, Assignment, Claims, Filler, Judge, Scope};
use proctor_gates::{delegation, response, review};
use proctor_kernel::{Audience, Verdict};
use proctor_outline::scope::{Severity, compare, is_judgeable};
use proctor_policy::Settings;

/// The gates with their settings.
pub(crate) struct Gates<'a> {
    settings: &'a Settings,
}

impl<'a> Gates<'a> {
    pub(crate) fn new(settings: &'a Settings) -> Self {
        Self { settings }
    }
}

impl Judge for Gates<'_> {
    fn filler(&self, text: &str, audience: Audience) -> Option<Filler> {
        let found = response::judge(text, audience, &self.settings.response);
        Some(Filler {
            prose: u64::from(found.prose_chars),
            filler: u64::from(found.filler_chars),
            over: found.verdict == Verdict::Block,
        })
    }

    fn answer(&self, text: &str) -> Option<(Approval, Claims)> {
        let found = review::judge(text, &self.settings.review);
        let evidence = !found.evidence.is_empty() && !found.contradicted;
        Some((
            Approval {
                approves: found.is_approval,
                stated: found.stated,
                evidence,
            },
            claims::read(text, &found),
        ))
    }

    fn prompt(&self, text: &str) -> Option<(Filler, Approval)> {
        let Settings { response, review, .. } = self.settings;
        let found = delegation::words(text, response, review);
        let filler = Filler {
            prose: u64::from(response::judge(text, Audience::Agent, response).prose_chars),
            filler: u64::from(found.praise_chars),
            over: !found.praise.is_empty(),
        };
        let approval = Approval {
            approves: !found.approval.is_empty(),
            stated: true,
            evidence: found.proven,
        };
        Some((filler, approval))
    }

    fn assignment(&self, prompt: &str) -> Option<Assignment> {
        let delegates = proctor_outline::is_delegation(prompt);
        Some(Assignment {
            delegates,
            outline: proctor_outline::read(prompt),
        })
    }

    fn scope(&self, assignment: &Assignment, changed: &[String]) -> Option<Scope> {
        let settings = &self.settings.scope;
        let found = compare(
            &assignment.outline,
            changed,
            &settings.allow,
            settings.violation_threshold,
        );
        Some(Scope {
            judged: is_judgeable(&assignment.outline),
            unexpected: found.unexpected,
            needs_review: found.severity == Severity::NeedsReview,
        })
    }
}
