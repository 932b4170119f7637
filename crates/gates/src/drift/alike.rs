//! The rule of embeddings: the last thoughts are all alike.

use super::judge::{Judgement, judge};
use proctor_kernel::GateError;
use proctor_policy::{DriftMethod, DriftSettings, EmbedderKind};
use proctor_similarity::{Embedder as _, Lexical, least_cosine};

/// Turns texts into vectors, one for each.
pub type Embed<'a> = &'a dyn Fn(&[String]) -> Result<Vec<Vec<f32>>, GateError>;

/// Looks at the thoughts of an agent with the method of the settings, oldest first. `embed` is asked for method
/// `cosine` with an embedder that is not built in.
///
/// # Errors
/// When the embedder fails and nothing may take over.
pub fn assess(
    thoughts: &[String],
    settings: &DriftSettings,
    embed: Embed<'_>,
) -> Result<Judgement, GateError> {
    if settings.method == DriftMethod::Lexical {
        return Ok(judge(thoughts));
    }
    let count = usize::try_from(settings.last).unwrap_or(usize::MAX);
    let Some(last) = thoughts
        .len()
        .checked_sub(count)
        .and_then(|from| thoughts.get(from..))
    else {
        return Ok(Judgement {
            why: format!("{} of the {count} thoughts that are compared", thoughts.len()),
            ..Judgement::default()
        });
    };
    let vectors = match settings.embedder.kind {
        EmbedderKind::Lexical => {
            let texts: Vec<&str> = last.iter().map(String::as_str).collect();
            Lexical.embed(&texts).map_err(|e| GateError::new(e.to_string()))
        }
        EmbedderKind::File | EmbedderKind::Endpoint => embed(last),
    };
    let vectors = match vectors {
        Ok(vectors) => vectors,
        Err(error) if settings.embedder.fallback => {
            return Ok(Judgement {
                fell_back: Some(error.to_string()),
                ..judge(thoughts)
            });
        }
        Err(error) => return Err(error),
    };
    let least = least_cosine(&vectors);
    let stuck = f64::from(least) > settings.threshold;
    let than = if stuck { "above" } else { "not above" };
    Ok(Judgement {
        stuck,
        why: format!(
            "the lowest cosine between the last {count} thoughts is {least:.3}, {than} {}",
            settings.threshold
        ),
        repeats: if stuck { count - 1 } else { 0 },
        period: usize::from(stuck),
        cosine: Some(least),
        ..Judgement::default()
    })
}
