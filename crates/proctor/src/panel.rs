//! Several reviewers of different models on one tree: each asked by itself, and once more about what others found.
//!
//! **Invariant:** a refusal wins, whatever the others say; who could not run is no vote.

use crate::clock::ProcessClock;
use crate::reviewer::{Job, Reviewed, Reviewer, lacking, take};
use proctor_engine::Engine;
use proctor_engine::review::{
    NewFinding, Opinion, Party, Review, ReviewEvent, ReviewFinding, ReviewVerdict, Taken, different_models,
};
use proctor_kernel::{Result, TreeId};
use proctor_team::reviewer::{Answer, Verdict, read_critique};

/// A verdict, with who gave it and under which name.
struct Said {
    model: String,
    party: Party,
    verdict: Verdict,
}

impl Reviewer {
    /// Asks reviewers of these models, of which so many have to approve.
    pub(crate) fn panel(
        &self,
        engine: &mut Engine<ProcessClock>,
        job: Job<'_>,
        models: &[String],
        needed: usize,
    ) -> Result<Reviewed> {
        let Job { review, tree, .. } = job;
        // Who approved this very tree before is not asked again, unless that leaves nobody.
        let mut known = approved_before(engine, review, tree)?;
        let left = |known: &[Party]| -> Vec<String> {
            let new = |m: &&String| !known.iter().any(|party| party.was_asked_for(m));
            models.iter().filter(new).cloned().collect()
        };
        let mut asked = left(&known);
        if asked.is_empty() {
            known.clear();
            asked = left(&known);
        }
        let (mut approved, mut refused, mut failed) = (Vec::new(), Vec::new(), Vec::new());
        for model in asked {
            match self.ask(engine, job, Some(&model)) {
                Ok((party, verdict)) => {
                    let said = Said {
                        model,
                        party,
                        verdict,
                    };
                    match said.verdict.verdict {
                        ReviewVerdict::Approve => approved.push(said),
                        ReviewVerdict::Reject => refused.push(said),
                    }
                }
                Err(why) => failed.push(format!("{model}: {why}")),
            }
        }
        if !refused.is_empty() {
            let approves = |m: &&String| {
                approved.iter().any(|said| said.model == **m) || known.iter().any(|p| p.was_asked_for(m))
            };
            let approved: Vec<String> = models.iter().filter(approves).cloned().collect();
            return self.refused(engine, job, refused, &approved);
        }
        let all: Vec<&Party> = known
            .iter()
            .chain(approved.iter().map(|said| &said.party))
            .collect();
        let agree = different_models(&all);
        let Some((party, verdict, others)) = together(approved) else {
            return self.failed(engine, review, &failed.join("; "));
        };
        if let Taken::Refused(lacks) = take(engine, review, tree.clone(), party, &verdict, others)? {
            return lacking(engine, review, lacks);
        }
        if agree < needed {
            failed.insert(0, format!("{agree} of {needed} different models approved"));
            return self.failed(engine, review, &failed.join("; "));
        }
        Ok(Reviewed::Verdict(Box::new(as_it_is(engine, review)?), verdict))
    }

    /// Those who approved say what they think of the findings, and then the refusal is taken.
    fn refused(
        &self,
        engine: &mut Engine<ProcessClock>,
        job: Job<'_>,
        refused: Vec<Said>,
        approved: &[String],
    ) -> Result<Reviewed> {
        let Job { review, tree, .. } = job;
        let models: Vec<&str> = refused.iter().map(|said| said.model.as_str()).collect();
        let split = (!approved.is_empty()).then(|| {
            format!(
                "{} refused; {} had approved. ",
                models.join(", "),
                approved.join(", ")
            )
        });
        let Some((party, mut verdict, others)) = together(refused) else {
            return self.failed(engine, review, "nobody refused");
        };
        if let Some(split) = split {
            verdict.summary.insert_str(0, &split);
        }
        let findings = verdict.findings.clone();
        let mut answers: Vec<(Party, Vec<Answer>)> = Vec::new();
        for model in approved {
            let answer = self.answer(engine, job, Some(model), &findings);
            // Who cannot be asked, or gives no answer that can be read, has none.
            if let Ok((party, text)) = answer
                && let Ok(read) = read_critique(&text, findings.len())
            {
                answers.push((party, read));
            }
        }
        let before = as_it_is(engine, review)?.findings.len();
        if let Taken::Refused(lacks) = take(engine, review, tree.clone(), party, &verdict, others)? {
            return lacking(engine, review, lacks);
        }
        let events = opinions(&as_it_is(engine, review)?, before, &findings, &answers);
        if !events.is_empty() {
            engine.record_review(events)?;
        }
        Ok(Reviewed::Verdict(Box::new(as_it_is(engine, review)?), verdict))
    }
}

/// What was said of these findings, which a review has from `before` on.
fn opinions(
    review: &Review,
    before: usize,
    findings: &[NewFinding],
    answers: &[(Party, Vec<Answer>)],
) -> Vec<ReviewEvent> {
    let found = |number: usize| {
        let asked = findings.get(number.checked_sub(1)?)?;
        let is_it = |f: &&ReviewFinding| (&f.text, &f.path, f.line) == (&asked.text, &asked.path, asked.line);
        review.findings.iter().skip(before).find(is_it)
    };
    let mut events = Vec::new();
    for (by, answers) in answers {
        for answer in answers {
            let Some(finding) = found(answer.finding) else {
                continue;
            };
            events.push(ReviewEvent::Opined {
                review: review.id.clone(),
                finding: finding.id.clone(),
                opinion: Opinion {
                    by: by.clone(),
                    confirms: answer.confirms,
                    words: answer.evidence.clone(),
                },
            });
        }
    }
    events
}

/// One verdict of several that agree: the first one's, with what all of them found.
fn together(all: Vec<Said>) -> Option<(Party, Verdict, Vec<Party>)> {
    let several = all.len() > 1;
    let mut all = all.into_iter();
    let mut first = all.next()?;
    if several {
        first.verdict.summary = format!("{}: {}", first.model, first.verdict.summary);
    }
    let mut others = Vec::new();
    for said in all {
        let verdict = &mut first.verdict;
        verdict
            .summary
            .push_str(&format!("\n{}: {}", said.model, said.verdict.summary));
        verdict.settled.retain(|id| said.verdict.settled.contains(id));
        let new = |f: &NewFinding| !verdict.findings.contains(f);
        let new: Vec<NewFinding> = said.verdict.findings.into_iter().filter(new).collect();
        verdict.findings.extend(new);
        others.push(said.party);
    }
    Some((first.party, first.verdict, others))
}

fn as_it_is(engine: &Engine<ProcessClock>, review: &Review) -> Result<Review> {
    let book = engine.reviews()?;
    Ok(book.review(&review.id).cloned().unwrap_or_else(|| review.clone()))
}

/// The reviewers of known models that approved this very tree, where that counts.
fn approved_before(engine: &Engine<ProcessClock>, review: &Review, tree: &TreeId) -> Result<Vec<Party>> {
    let book = engine.reviews()?;
    let approvals = book.approvals_of(tree, &engine.requirements_of_review(&book, tree, review));
    let parties = approvals.into_iter().flat_map(|(_, verdict)| verdict.parties());
    Ok(parties
        .filter(|party| party.launched_model().is_some())
        .cloned()
        .collect())
}
