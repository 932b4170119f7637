//! Gate `drift`: the last thoughts of an agent bring nothing new.

mod alike;
mod grammar;
mod judge;
mod recall;
mod series;
mod sound;
mod stem;
mod thought;
mod volatile;
mod words;

#[cfg(test)]
mod tests;

pub use alike::{Embed, assess};
pub use judge::{Judgement, judge};

use proctor_kernel::{
    Band, Context, EventKind, EventTag, Finding, Gate, GateError, GateInfo, OnError, Outcome, Tier, Verdict,
};
use proctor_policy::{DriftMethod, DriftSettings};
use proctor_prose::{Clause, Extra, Reading, read_shared};
use serde_json::json;

/// What this gate is.
pub static INFO: GateInfo = GateInfo {
    id: "drift",
    alias: "drift",
    about: "The last thoughts of an agent repeat themselves, whatever their wording, language or counters.",
    band: Band::Enforcement,
    events: &[EventTag::TurnEnd, EventTag::Message, EventTag::Display],
};

/// Fewest thoughts in which a repetition can be seen.
pub const FEWEST: usize = 3;

/// Most bytes of a text that are remembered as a thought.
const LONGEST: usize = 2 << 10;

/// The gate with its settings.
#[derive(Clone, Debug)]
pub struct Drift {
    settings: DriftSettings,
}

impl Drift {
    /// The gate with these settings. Nothing is read or loaded yet.
    #[must_use]
    pub fn new(settings: &DriftSettings) -> Self {
        Self {
            settings: settings.clone(),
        }
    }
}

/// A text as it is remembered: itself when it is short, else its first sentences without code and data.
#[must_use]
pub fn condense(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let reading = read_shared(text, &Extra::default());
    let mut out = String::with_capacity(LONGEST);
    for (_, words) in remembered(&reading, text) {
        out.push_str(words);
        out.push('\n');
    }
    out
}

/// The first clauses of a text, with their words, as far as they are remembered of a long one.
fn remembered<'t>(reading: &'t Reading, text: &'t str) -> impl Iterator<Item = (&'t Clause, &'t str)> {
    let mut length = 0;
    reading
        .clauses
        .iter()
        .map(|clause| {
            let words = text.get(clause.start..clause.end).unwrap_or_default();
            (
                clause,
                if is_trimmed(words.as_bytes()) {
                    words
                } else {
                    words.trim()
                },
            )
        })
        .take_while(move |(_, words)| {
            length += words.len() + 1;
            length <= LONGEST
        })
}

/// Whether there is nothing to trim, as both ends usually show it. White space beyond ASCII begins with 0xc2 or 0xe1 to
/// 0xe3; what begins with a greater byte three bytes before the end is the last character.
fn is_trimmed(words: &[u8]) -> bool {
    let graphic = |b: &u8| b.is_ascii_graphic();
    let first = words.first().is_some_and(|b| graphic(b) | (*b >= 0xe4));
    let wide = words.len().checked_sub(3).and_then(|at| words.get(at));
    first & (words.last().is_some_and(graphic) | wide.is_some_and(|b| *b >= 0xe4))
}

impl Gate for Drift {
    fn info(&self) -> &'static GateInfo {
        &INFO
    }

    fn check(&self, context: &Context<'_>) -> Result<Outcome, GateError> {
        let thoughts = context.thoughts;
        let window = usize::try_from(self.settings.remember.max(self.settings.last)).unwrap_or(usize::MAX);
        let thoughts = thoughts
            .get(thoughts.len().saturating_sub(window)..)
            .unwrap_or_default();
        if thoughts.len() < FEWEST {
            return Ok(Outcome::pass());
        }
        if self.settings.method == DriftMethod::Lexical
            && let Some(object) = own_object(context, thoughts).or_else(|| judge::fresh_object(thoughts))
        {
            let why = format!("the last thought is new: {object}");
            return Ok(Outcome {
                data: json!({ "stuck": false, "why": why, "repeats": 0, "thoughts": thoughts.len() }),
                ..Outcome::pass()
            });
        }
        let judged = assess(thoughts, &self.settings, &|texts| context.world.embed(texts))?;
        let mut data = json!({
            "stuck": judged.stuck, "why": judged.why, "repeats": judged.repeats, "thoughts": thoughts.len(),
        });
        if let Some(object) = data.as_object_mut() {
            object.extend(judged.cosine.map(|c| ("cosine".to_owned(), json!(c))));
            object.extend(
                judged
                    .fell_back
                    .as_ref()
                    .map(|why| ("fell_back".to_owned(), json!(why))),
            );
        }
        // What is shown on the way cannot be sent back, and a nudge at every text is noise itself.
        let shown = context.event.kind.tag() == EventTag::Display;
        let tell = judged.stuck && (!shown || judged.repeats % 3 == 2);
        let tier = if shown { Tier::Soft } else { Tier::Hard };
        Ok(Outcome {
            findings: tell.then(|| finding(&judged, tier)).into_iter().collect(),
            data,
            checklist: None,
        })
    }

    fn instruction(&self) -> &'static str {
        "Do not repeat a step that changed nothing. Say what is new: a result, another object, another way; or ask."
    }

    fn on_error(&self) -> OnError {
        self.settings.on_error
    }
}

/// An object of this event's text that stands in no thought before it, as far as it can be told from the text as the other
/// gates have read it: of a long one the thought is another text, which would have to be read anew.
fn own_object(context: &Context<'_>, thoughts: &[String]) -> Option<String> {
    let (EventKind::TurnEnd { text, .. } | EventKind::Message { text }) = &context.event.kind else {
        return None;
    };
    let (_, before) = thoughts.split_last()?;
    let reading = read_shared(text, &Extra::default());
    let clauses = remembered(&reading, text).map(|(clause, _)| clause);
    judge::certain_object(&reading, clauses, text, before)
}

fn finding(judged: &Judgement, tier: Tier) -> Finding {
    Finding {
        rule: "drift/repetition".to_owned(),
        tier,
        verdict: Verdict::Block,
        message: format!("No progress: {}.", judged.why),
        instead: Some(INSTEAD.to_owned()),
        spans: Vec::new(),
        fallback: None,
    }
}

/// The one next step. It must itself be new to the gate.
const INSTEAD: &str = "Counters, clocks, ids and other words are nothing new; a result, a file, a cause or another way is. \
    Next: name what the last try showed, then do one thing that was not tried yet, or end with a question.";
