//! `proctor review …`: reviews, verdicts and releases.

use super::run_check::short;
use crate::caller;
use crate::cli::{
    Host, HowSettled, ReleaseArgs, RequestArgs, ReviewCommand, RunArgs, SessionArgs, SettleArgs, VerdictArgs,
};
use crate::clock::ProcessClock;
use crate::detach;
use crate::environment::Environment;
use crate::output::{self, Exit};
use crate::program;
use crate::proof;
use crate::reviewer::{Reviewed, Reviewer, template};
use crate::signing::Key;
use proctor_engine::review::{
    Independence, Judgement, NewFinding, PartyKind, Release, Requirements, Review, ReviewBook, ReviewVerdict,
    Settlement, Severity, Standing, Taken, VerdictEntry,
};
use proctor_engine::{Clock, Engine, held_words, said_of_refusal};
use proctor_kernel::{Error, ErrorKind, Finding, Id, Result, ReviewStanding, TreeId, shown};
use proctor_ledger::Presence;
use proctor_policy::ReviewLevel;
use serde_json::json;

type Here = Engine<ProcessClock>;

pub(crate) fn run(command: &ReviewCommand) -> Result<Exit> {
    if let ReviewCommand::Run(args @ RunArgs { detached: true, .. }) = command {
        chosen_by_no_agent(args)?;
        let host = match program::host_above() {
            Ok(host) => host,
            Err(why) => {
                // Whoever asked reads the output of the reviewer's process, and this stands in its place.
                output::line(&format!("error: {why}"));
                return Ok(Exit::Pass);
            }
        };
        let started = detach::start_again(host);
        return started.map(|()| Exit::Pass).map_err(|e| {
            Error::new(ErrorKind::Internal, "the reviewer's process does not start").because(e)
        });
    }
    let environment = Environment::read(None);
    let mut engine = Engine::open(environment.surroundings(None)?, ProcessClock::from_env());
    for fault in engine.faults() {
        output::complain(&format!("warning: {fault}"));
    }
    match command {
        ReviewCommand::Request(args) => request(&mut engine, args),
        ReviewCommand::Status(args) => status(&mut engine, args),
        ReviewCommand::Run(args) => launch(&mut engine, args, &environment),
        ReviewCommand::Approve(args) => verdict(&mut engine, args, ReviewVerdict::Approve),
        ReviewCommand::Reject(args) => verdict(&mut engine, args, ReviewVerdict::Reject),
        ReviewCommand::Settle(args) => settle(&mut engine, args),
        ReviewCommand::Release(args) => release(&mut engine, args),
        ReviewCommand::Check(args) => check(&mut engine, args),
    }
}

fn request(engine: &mut Here, args: &RequestArgs) -> Result<Exit> {
    let mut review = engine.request_review(args.which.session.as_deref())?;
    if args.human {
        engine.leave_to_human(&review.id)?;
        review.human = true;
    }
    if args.which.json {
        output::json(&review);
        return Ok(Exit::Pass);
    }
    output::line(&format!("review {} is {}", review.id, review.status.as_str()));
    output::line(&format!("  tree {}", tree_of(&review)));
    output::line(if args.human {
        "  it waits for a human, who approves or refuses it in a terminal of their own; tell the user so"
    } else {
        "  next: `proctor review run` starts a reviewer; a human approves with `proctor review approve`"
    });
    Ok(Exit::Pass)
}

fn launch(engine: &mut Here, args: &RunArgs, environment: &Environment) -> Result<Exit> {
    let name = match args.host {
        Host::Claude => "claude",
    };
    chosen_by_no_agent(args)?;
    // Asked twice, one model is still one.
    if let Some((_, name)) = args
        .models
        .iter()
        .enumerate()
        .find(|(at, name)| args.models.iter().take(*at).any(|m| m == *name))
    {
        return Err(Error::new(
            ErrorKind::Input,
            format!("`--models` names `{}` twice", shown(name)),
        )
        .hint("name each model once"));
    }
    let program = match &args.program {
        Some(program) => Some((program.clone(), None)),
        None => program::host()?.map(|host| (host.program, host.by)),
    };
    let (program, by) = program.ok_or_else(|| {
        Error::new(ErrorKind::Host, format!("`{name}` is not on PATH"))
            .hint("put it on PATH; a person may name it with --program, in a terminal of their own")
    })?;
    let reviewer = Reviewer {
        program,
        by,
        template: args
            .template
            .clone()
            .or_else(|| template(environment.config_home.as_deref())),
        config: environment.claude_config().ok(),
        models: args.models.clone(),
        agree: args.agree,
    };
    match reviewer.review(engine, args.session.as_deref())? {
        Reviewed::Verdict(review, verdict) => {
            if args.json {
                output::json(&review);
            } else {
                describe(&review, engine.tree()?.as_ref());
            }
            Ok(match verdict.verdict {
                ReviewVerdict::Approve => Exit::Pass,
                ReviewVerdict::Reject => Exit::Blocked,
            })
        }
        Reviewed::Lacking(lacks) => {
            if args.json {
                output::json(&json!({ "verdict": "approve", "taken": false, "missing": lacks }));
            } else {
                output::line(detach::LACKING);
                lacks.iter().for_each(|lack| output::line(&format!("  {lack}")));
            }
            Ok(Exit::Blocked)
        }
        Reviewed::CouldNotRun(why) => {
            if args.json {
                output::json(&json!({ "could_not_run": why }));
            } else {
                output::line(&format!("the review could not run: {why}"));
                output::line("this is no verdict, and counts as no attempt");
            }
            Ok(Exit::CouldNotRun)
        }
    }
}

/// What the worker itself chooses to start, or to have asked, is no reviewer of its work.
fn chosen_by_no_agent(args: &RunArgs) -> Result<()> {
    let about_models = !args.models.is_empty() || args.agree.is_some();
    if args.program.is_none() && args.template.is_none() && !about_models {
        return Ok(());
    }
    let refused = |why: &str| {
        let what = if about_models {
            "an agent does not choose which models review its work"
        } else {
            "an agent names neither the reviewer's program nor its template"
        };
        Error::new(ErrorKind::Input, format!("{what}; {why}"))
            .hint("run `proctor review run` without them; a person may name them in a terminal of their own")
    };
    // Below nobody it could not be told any more.
    if args.detached {
        return Err(refused("this process was asked to run below nobody"));
    }
    match caller::identify() {
        (party, why) if party.kind == PartyKind::Agent => Err(refused(&why)),
        _ => Ok(()),
    }
}

fn tree_of(review: &Review) -> &str {
    review
        .tree
        .as_ref()
        .map_or("none (no git work tree)", |t| short(t.as_str()))
}

fn status(engine: &mut Here, args: &SessionArgs) -> Result<Exit> {
    engine.hold_to_the_task(args.session.as_deref())?;
    let book = engine.reviews()?;
    let tree = engine.tree()?;
    let session = engine.session(args.session.as_deref())?;
    let state = session.as_ref().map(|(_, state)| state);
    let mut required = engine.requirements_of_work(&book, tree.as_ref(), state);
    // It is shown also where it cannot be told what changed.
    required.two = engine.takes_two(state).unwrap_or(true);
    let session = session.map(|(log, _)| log);
    let now = engine.clock().now();
    let standing = book.standing(session.as_deref(), tree.as_ref(), now, &required);
    if args.json {
        output::json(&json!({
            "standing": standing.as_str(),
            "session": session,
            "tree": tree,
            "reviews": book.reviews,
            "releases": book.releases,
            "escalations": book.escalations,
        }));
        return Ok(Exit::Pass);
    }
    let name = tree.as_ref().map_or("no git work tree".to_owned(), |t| {
        format!("tree {}", short(t.as_str()))
    });
    output::line(&format!("{name}: {}", standing.as_str()));
    describe_standing(&standing, tree.as_ref());
    if let Some(words) = quiet(&book, &standing, now, &required) {
        output::line(&format!("  {words}"));
    }
    if let Some(what) = engine.reviews_gone()? {
        output::line(&format!("  {}", records_gone(&what)));
    }
    for review in book.reviews.iter().rev().take(10) {
        describe(review, tree.as_ref());
    }
    Ok(Exit::Pass)
}

/// What is said of a reviewer that began and is not waited for any more.
fn quiet(book: &ReviewBook, standing: &Standing<'_>, now: u64, required: &Requirements) -> Option<String> {
    let Standing::Pending(review) = standing else {
        return None;
    };
    let why = book.gone_quiet(review, now, required)?;
    Some(format!(
        "the review could not run: {why}; that is no verdict, and counts as no attempt (`proctor review run` asks again)"
    ))
}

/// What is said where records of reviews are gone and no human was heard since.
fn records_gone(what: &str) -> String {
    format!("records of reviews are gone ({what}): what was refused or let go unreviewed is not known")
}

fn describe_standing(standing: &Standing<'_>, tree: Option<&TreeId>) {
    match standing {
        Standing::Approved(_, verdict) => output::line(&format!("  by {}", verdict.reviewer.in_words())),
        Standing::ApprovedByOne(_, verdict) => output::line(&format!(
            "  by {}; the policy asks for more (`high_stakes`, `models`): a reviewer of another model has to approve it as well, or a human",
            verdict.reviewer.in_words()
        )),
        Standing::Stale(_, verdict) if verdict.tree.as_ref() == tree => output::line(&format!(
            "  this tree was approved by {}, under other rules, by another program than the policy names, or without the signature that the policy asks for",
            verdict.reviewer.in_words()
        )),
        Standing::Stale(_, verdict) => {
            let approved = verdict
                .tree
                .as_ref()
                .map_or("another tree", |t| short(t.as_str()));
            output::line(&format!(
                "  approved was {approved}, by {}",
                verdict.reviewer.in_words()
            ));
        }
        Standing::Released(release) => {
            output::line(&format!("  by {}: {}", release.by.in_words(), release.reason));
        }
        Standing::Escalated { why } => output::line(&format!("  UNREVIEWED: {why}")),
        Standing::Pending(review) if review.human => {
            let since = match &review.tree {
                asked if asked.as_ref() == tree => String::new(),
                asked => format!(
                    "; asked for was a review of {}, and files changed since",
                    asked.as_ref().map_or("another tree", |t| short(t.as_str()))
                ),
            };
            output::line(&format!(
                "  it waits for a human (`proctor review approve` or `reject`, in a terminal of their own){since}"
            ));
        }
        Standing::None | Standing::Pending(_) | Standing::InReview(_) | Standing::Rejected(_) => {}
    }
}

fn describe(review: &Review, now: Option<&TreeId>) {
    output::line(&format!(
        "\nreview {} · {} · round {} · tree {}",
        review.id,
        review.status.as_str(),
        review.round,
        tree_of(review)
    ));
    if let Some(first) = review.task.words.lines().next() {
        output::line(&format!("  task: {first}"));
    }
    if let Some(model) = &review.worker.model {
        output::line(&format!("  worker: {}", shown(model)));
    }
    for verdict in &review.verdicts {
        describe_verdict(verdict);
    }
    for failure in &review.failures {
        output::line(&format!("  could not run: {failure}"));
    }
    for what in review.lacking.iter().flat_map(|lacking| &lacking.what) {
        output::line(&format!("  lacks: {what}"));
    }
    for finding in &review.findings {
        let place = match (&finding.path, finding.line) {
            (Some(path), Some(line)) => format!("{}:{line}: ", shown(path)),
            (Some(path), None) => format!("{}: ", shown(path)),
            _ => String::new(),
        };
        let state = match finding.settlement(now) {
            None if finding.severity == Severity::Minor => "minor".to_owned(),
            None => "OPEN".to_owned(),
            Some(how) => how,
        };
        output::line(&format!("  {} [{state}] {place}{}", finding.id, finding.text));
        if !finding.answer.is_empty() {
            output::line(&format!("    {}", finding.answer));
        }
        for opinion in &finding.opinions {
            output::line(&format!("    {}", opinion.in_words()));
        }
    }
}

fn describe_verdict(verdict: &VerdictEntry) {
    let word = match verdict.verdict {
        ReviewVerdict::Approve => "approved",
        ReviewVerdict::Reject => "refused",
    };
    let note = match verdict.independence {
        Independence::Yes => "",
        // A refusal counts from anybody.
        _ if verdict.verdict == ReviewVerdict::Reject => "",
        Independence::No => " (the worker itself: does not count)",
        Independence::Unknown => " (independence unknown: does not count)",
    };
    let tree = verdict.tree.as_ref().map_or("no tree", |t| short(t.as_str()));
    output::line(&format!(
        "  {word} by {}{note}, tree {tree}",
        verdict.reviewer.in_words()
    ));
    for other in &verdict.others {
        output::line(&format!("    and by {}", other.in_words()));
    }
    if let Some(program) = &verdict.reviewer.program {
        output::line(&format!("    program {} {}", program.path, program.digest));
        if let Some(by) = &program.interpreter {
            output::line(&format!("    run by  {} {}", by.path, by.digest));
        }
    }
    for evidence in &verdict.evidence {
        let exit = evidence.exit.map_or_else(|| "?".to_owned(), |e| e.to_string());
        output::line(&format!(
            "    {} exit {exit} [{}]",
            evidence.check,
            evidence.trust.as_str()
        ));
    }
    if !verdict.words.is_empty() {
        output::line(&format!(
            "    {}",
            verdict.words.lines().next().unwrap_or_default()
        ));
    }
}

fn verdict(engine: &mut Here, args: &VerdictArgs, verdict: ReviewVerdict) -> Result<Exit> {
    let (reviewer, why) = caller::identify();
    let by_human = reviewer.kind == PartyKind::Human;
    let review = match &args.review {
        Some(id) => Id::from_text(id.clone()),
        // A human who approves what nobody asked to review still reviews it.
        None => engine.request_review(args.session.as_deref())?.id,
    };
    let tree = engine.tree()?;
    // Nothing is run for an approval that would not count anyway.
    let known = engine.reviews()?.review(&review).cloned();
    if let (ReviewVerdict::Approve, PartyKind::Human, Some(tree), Some(known)) =
        (verdict, reviewer.kind, &tree, &known)
    {
        let prepared = proof::prepare(engine, known, tree)?;
        if let Some(why) = prepared.could_not_run() {
            if args.json {
                output::json(&json!({ "taken": false, "could_not_run": why }));
            } else {
                output::line(&format!("the approval could not be taken: {why}"));
                output::line("this is no verdict on the work");
            }
            return Ok(Exit::CouldNotRun);
        }
    }
    let judgement = Judgement {
        verdict,
        words: args.message.clone(),
        findings: args.finding.iter().map(|text| finding(text)).collect(),
        reviewer,
        tree,
    };
    let taken = match key(engine, args.sign, args.key.as_deref())? {
        Some(key) => engine.judge_signed(&review, judgement, Some(&|text| key.sign(text)))?,
        None => engine.judge(&review, judgement)?,
    };
    match taken {
        Taken::Refused(reasons) => {
            if args.json {
                output::json(&json!({ "taken": false, "missing": reasons }));
            } else {
                output::line("not approved:");
                reasons
                    .iter()
                    .for_each(|reason| output::line(&format!("  {reason}")));
                if !by_human && engine.settings().review.level >= ReviewLevel::Rerun {
                    output::line(&format!(
                        "nothing was run for it ({why}): Proctor runs the checks for a human at a terminal, and in `proctor review run`"
                    ));
                }
            }
            Ok(Exit::Blocked)
        }
        Taken::Stands(entry) => {
            let unsigned = engine.settings().approval.signed && entry.signature.is_none();
            let strange = entry.signature.is_some() && !signature_counts(engine, &review)?;
            let counts = entry.independence == Independence::Yes && !unsigned && !strange;
            let why = match entry.independence {
                Independence::Yes if unsigned => UNSIGNED.to_owned(),
                Independence::Yes if strange => STRANGE.to_owned(),
                _ => why,
            };
            if args.json {
                output::json(&json!({ "taken": true, "counts": counts, "why": why, "verdict": entry }));
            } else {
                describe_verdict(&entry);
                if !counts && verdict == ReviewVerdict::Approve {
                    output::line(&format!("  recorded, but it approves nothing: {why}"));
                    output::line(
                        "  what counts: a human at a terminal, or `proctor review run`; with `approval.signed` what a human signed",
                    );
                }
            }
            let approved = counts || verdict == ReviewVerdict::Reject;
            Ok(if approved { Exit::Pass } else { Exit::Human })
        }
    }
}

/// Whether the last verdict of a review counts as a signed one, where the policy asks for signatures.
fn signature_counts(engine: &Here, review: &Id) -> Result<bool> {
    if !engine.settings().approval.signed {
        return Ok(true);
    }
    let book = engine.reviews()?;
    let last = book.review(review).and_then(|review| review.verdicts.last());
    let required = engine.requirements(&book, last.and_then(|verdict| verdict.tree.as_ref()));
    Ok(last
        .is_some_and(|verdict| verdict.verdict == ReviewVerdict::Reject || verdict.counts(review, &required)))
}

/// `path:line: text`, `path: text` or `text`; with `minor:` before it, it stands in nobody's way.
fn finding(text: &str) -> NewFinding {
    let (severity, text) = match text.strip_prefix("minor:") {
        Some(rest) => (Severity::Minor, rest.trim_start()),
        None => (Severity::Blocking, text),
    };
    let is_path = |path: &str| !path.contains(char::is_whitespace) && path.contains(['/', '.']);
    let parts = text.split_once(':').filter(|(path, _)| is_path(path));
    let (path, line, rest) = match parts {
        Some((path, rest)) => match rest
            .split_once(':')
            .map(|(n, rest)| (n.trim().parse().ok(), rest))
        {
            Some((Some(line), rest)) => (Some(path), Some(line), rest),
            _ => (Some(path), None, rest),
        },
        None => (None, None, text),
    };
    NewFinding {
        text: rest.trim().to_owned(),
        severity,
        path: path.map(str::to_owned),
        line,
    }
}

fn settle(engine: &mut Here, args: &SettleArgs) -> Result<Exit> {
    let (by, why) = caller::identify();
    if args.how == HowSettled::Withdrawn && by.kind != PartyKind::Human {
        return Err(human_only("take a finding back", &why));
    }
    let how = match args.how {
        HowSettled::Fixed => Settlement::Fixed,
        HowSettled::Answered => Settlement::Answered,
        HowSettled::Withdrawn => Settlement::Withdrawn,
    };
    let finding = engine.settle(&args.finding, how, &args.message, by)?;
    if args.json {
        output::json(&finding);
    } else {
        output::line(&format!("finding {} is {how:?}", finding.id).to_lowercase());
        if how == Settlement::Fixed && finding.tree.is_some() && finding.tree == engine.tree()? {
            output::line("  no file changed since it was found; a reviewer is told so");
        } else if finding.same_file {
            output::line("  the file that it names has not changed since; a reviewer is told so");
        }
    }
    Ok(Exit::Pass)
}

fn release(engine: &mut Here, args: &ReleaseArgs) -> Result<Exit> {
    let (by, why) = caller::identify();
    if by.kind != PartyKind::Human {
        return Err(human_only("release work without an approval", &why));
    }
    if args.reason.trim().is_empty() {
        return Err(Error::new(ErrorKind::Input, "a release needs a reason"));
    }
    for found in engine.make_way()? {
        output::complain(&format!("warning: {found}"));
    }
    // A damaged state must not keep a human from letting the work go.
    let session = match &args.session {
        Some(named) => engine.session(Some(named)).ok().flatten().map(|(log, _)| log),
        None => None,
    };
    let tree = if args.any_tree { None } else { engine.tree()? };
    let now = engine.clock().now();
    let release = Release {
        by,
        reason: args.reason.clone(),
        tree: tree.clone(),
        session,
        at: now,
        until: now.saturating_add(args.hours.saturating_mul(3_600_000)),
        policy: None,
        record: None,
        signature: None,
    };
    let id = match key(engine, args.sign, args.key.as_deref())? {
        Some(key) => engine.release(release.clone(), Some(&|text| key.sign(text)))?,
        None => engine.release(release.clone(), None)?,
    };
    let why = why_it_does_not_count(engine, &id, tree.as_ref())?;
    if args.json {
        output::json(&json!({ "record": id, "release": release, "counts": why.is_none(), "why": why }));
    } else if let Some(why) = why {
        output::line(&format!("recorded (record {id}), but it lets nothing go: {why}"));
    } else {
        let what = tree
            .as_ref()
            .map_or("whatever becomes of the tree".to_owned(), |t| {
                format!("tree {}", short(t.as_str()))
            });
        output::line(&format!(
            "released for {} hours: {what} (record {id})",
            args.hours
        ));
    }
    Ok(if why.is_none() { Exit::Pass } else { Exit::Human })
}

const UNSIGNED: &str = "the policy asks for a signature (`--sign`)";
const STRANGE: &str = "its signature is by no key of the allowed signers (`approval.signers`)";

/// Why a release that was just recorded lets nothing go: the policy asks for a signature, and it has none that counts.
fn why_it_does_not_count(engine: &Here, id: &Id, tree: Option<&TreeId>) -> Result<Option<&'static str>> {
    if !engine.settings().approval.signed {
        return Ok(None);
    }
    let book = engine.reviews()?;
    let required = engine.requirements(&book, tree);
    let release = book.releases.iter().rfind(|r| r.record.as_ref() == Some(id));
    Ok(match release {
        Some(release) if release.counts(&required) => None,
        Some(release) if release.signature.is_none() => Some(UNSIGNED),
        _ => Some(STRANGE),
    })
}

/// The key to sign with, when a signature is asked for.
fn key(engine: &Here, sign: bool, named: Option<&str>) -> Result<Option<Key>> {
    sign.then(|| Key::find(engine.repo(), named)).transpose()
}

fn human_only(what: &str, why: &str) -> Error {
    Error::new(
        ErrorKind::Input,
        format!("only a human at a terminal can {what}: {why}"),
    )
    .hint("run it yourself, in a terminal of your own")
}

fn check(engine: &mut Here, args: &SessionArgs) -> Result<Exit> {
    engine.hold_to_the_task(args.session.as_deref())?;
    let book = engine.reviews()?;
    let tree = engine.tree()?;
    let session = engine.session(args.session.as_deref())?;
    let state = session.as_ref().map(|(_, state)| state);
    let now = engine.clock().now();
    let mut required = engine.requirements_of_work(&book, tree.as_ref(), state);
    required.two = engine.takes_two(state)?;
    let standing = book.standing(
        session.as_ref().map(|(log, _)| log.as_str()),
        tree.as_ref(),
        now,
        &required,
    );
    let mut missing = Vec::new();
    let gone = engine.reviews_gone()?;
    let mut say = |finding: Finding| {
        missing.push(finding.message.trim_start_matches("[SYSTEM] ").to_owned());
        missing.extend(finding.instead);
    };
    let exit = match &standing {
        // What is gone may have been a refusal of this very tree.
        Standing::None
        | Standing::Pending(_)
        | Standing::InReview(_)
        | Standing::Stale(..)
        | Standing::ApprovedByOne(..)
            if gone.is_some() =>
        {
            missing.extend(gone.as_deref().map(records_gone));
            missing.push(
                "a human looks at it, and approves (`proctor review approve`) or releases it".to_owned(),
            );
            Exit::CouldNotRun
        }
        // Nobody asked for a review: that is as good as an approval only where none is required.
        Standing::None => match engine.review_missing(state)? {
            Some(finding) => {
                say(finding);
                Exit::Blocked
            }
            // What seems not to be asked for may have been meant to be.
            None if engine.policy_doubt().is_some() => {
                let doubt = engine.policy_doubt().unwrap_or_default();
                missing.push(format!(
                    "the policy has a mistake that may hide what it asks for ({doubt}); mend it: `proctor config validate`"
                ));
                Exit::CouldNotRun
            }
            None if engine.store()?.presence() == Presence::Missing => {
                output::complain_if_lost(engine.store()?);
                Exit::CouldNotRun
            }
            None => Exit::Pass,
        },
        Standing::ApprovedByOne(_, verdict) => {
            let by = verdict.reviewer.in_words();
            let objection = engine.review_objection(state, &ReviewStanding::ApprovedByOne { by })?;
            objection.into_iter().for_each(say);
            Exit::Blocked
        }
        Standing::Approved(_, verdict) => match engine.edited_unseen_after(state, verdict.at) {
            changed if changed.is_empty() => Exit::Pass,
            changed => {
                missing.push(format!(
                    "changed after the approval, and in no tree: {}",
                    proctor_kernel::names(changed.iter(), 3)
                ));
                missing.push("ask for a review again: `proctor review run`".to_owned());
                Exit::Blocked
            }
        },
        Standing::Pending(_) => {
            missing.extend(quiet(&book, &standing, now, &required));
            Exit::Blocked
        }
        Standing::Released(_) => Exit::Pass,
        Standing::Rejected(review) => {
            missing.extend(said_of_refusal(review));
            Exit::Blocked
        }
        Standing::Escalated { .. } => Exit::Human,
        _ => Exit::Blocked,
    };
    let held = engine.held_keys();
    if args.json {
        let mut answer = json!({
            "standing": standing.as_str(), "tree": tree, "passes": exit == Exit::Pass, "missing": missing,
        });
        if !held.is_empty() {
            answer["held"] = json!(held);
        }
        output::json(&answer);
    } else {
        output::line(standing.as_str());
        // What is missing names who approved.
        if missing.is_empty() {
            describe_standing(&standing, tree.as_ref());
        }
        missing
            .iter()
            .for_each(|words| output::line(&format!("  {words}")));
        if !held.is_empty() {
            output::line(&format!("  {}", held_words(held)));
        }
    }
    Ok(exit)
}
