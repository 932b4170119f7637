//! Which model a launched reviewer was, and whether two reviewers were two models. All of it rests on what was asked
//! for and on what the host tells; neither proves which model answered.

use super::types::{Party, PartyKind};

/// Which of the models that a host says it used was the reviewer, each with the tokens that it wrote: the one that was
/// asked for, where it is among them, else the one that wrote most. `None`: the host tells none.
#[must_use]
pub fn model_told(asked: Option<&str>, used: &[(String, u64)]) -> Option<String> {
    // Of equals the first.
    let most = |models: &mut dyn Iterator<Item = &(String, u64)>| {
        models
            .reduce(|most, next| if next.1 > most.1 { next } else { most })
            .map(|(name, _)| name.clone())
    };
    let exact = used.iter().find(|(name, _)| Some(name.as_str()) == asked);
    let named = |(name, _): &&(String, u64)| asked.is_some_and(|asked| is_named(asked, name));
    exact
        .map(|(name, _)| name.clone())
        .or_else(|| most(&mut used.iter().filter(named)))
        .or_else(|| most(&mut used.iter()))
}

/// Whether a name means a model: `opus` is in `claude-opus-4-5`, and that in `us.anthropic.claude-opus-4-5-20251101-v1:0`.
fn is_named(name: &str, model: &str) -> bool {
    let (name, model) = (family(name), family(model));
    !name.is_empty() && model.windows(name.len()).any(|run| run == name)
}

/// The parts of a model's name, without what its providers put before and behind it: the size of the context
/// (`opus[1m]`), the day or `latest`, a place, a number of the provider's own (`v1:0`).
fn family(name: &str) -> Vec<String> {
    let bare = name.split_once('[').map_or(name, |(bare, _)| bare);
    let all = bare.split(|c: char| !c.is_alphanumeric());
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<String> = all
        .filter(|part| !part.is_empty())
        .map(str::to_ascii_lowercase)
        .take_while(|part| !part.strip_prefix('v').is_some_and(is_number))
        .filter(|part| part != "latest" && !(part.len() == 8 && is_number(part)))
        .collect();
    let begins = parts.iter().position(|part| part == "claude").unwrap_or_default();
    parts.into_iter().skip(begins).collect()
}

impl Party {
    /// Whether a launched reviewer was asked for by this very name, or was told to be it.
    #[must_use]
    pub fn was_asked_for(&self, model: &str) -> bool {
        self.kind == PartyKind::Launched
            && [self.asked.as_deref(), self.model.as_deref()].contains(&Some(model))
    }

    /// Whether two launched reviewers were of different models: both what they were asked for and what they were told
    /// to be differ. The host's own choice, asked for twice, is one model.
    #[must_use]
    pub fn is_another_model(&self, other: &Self) -> bool {
        let (Some(one), Some(two)) = (self.launched_model(), other.launched_model()) else {
            return false;
        };
        let asked = |party: &Self| party.asked.as_deref().map(family);
        asked(self) != asked(other) && !is_named(one, two) && !is_named(two, one)
    }
}

/// How many different models launched reviewers were, all differing from each other.
#[must_use]
pub fn different_models(parties: &[&Party]) -> usize {
    // Whether two differ does not tell of a third, so each is tried as the one that counts first.
    let from = |first: usize| {
        let mut chosen: Vec<&Party> = Vec::new();
        for party in parties.iter().skip(first).chain(parties.iter().take(first)) {
            if party.launched_model().is_some() && chosen.iter().all(|known| known.is_another_model(party)) {
                chosen.push(party);
            }
        }
        chosen.len()
    };
    (0..parties.len()).map(from).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_models_the_asked_one_counts() {
        let haiku = ("claude-haiku-4-5-20251001", 900);
        let opus = ("claude-opus-4-5-20251101", 400);
        let sonnet = ("claude-sonnet-4-5", 30);
        for (asked, used, told) in [
            (None, &[][..], None),
            (Some("opus"), &[], None),
            (Some("opus"), &[haiku, opus][..], Some(opus.0)),
            (Some("opus[1m]"), &[haiku, opus], Some(opus.0)),
            (Some("claude-opus-4-5"), &[haiku, opus], Some(opus.0)),
            (Some(opus.0), &[haiku, opus], Some(opus.0)),
            (Some("sonnet"), &[haiku, opus, sonnet], Some(sonnet.0)),
            // The exact one before one that the name is a part of.
            (
                Some(sonnet.0),
                &[("claude-sonnet-4-5-x", 50), sonnet],
                Some(sonnet.0),
            ),
            // What was asked for is not among them, and the host's own choice: who wrote most.
            (Some("opus"), &[sonnet, haiku], Some(haiku.0)),
            (Some("us"), &[sonnet, haiku, opus], Some(haiku.0)),
            (Some(""), &[sonnet, haiku], Some(haiku.0)),
            (None, &[sonnet, opus], Some(opus.0)),
            (None, &[("a", 0), ("b", 0)], Some("a")),
        ] {
            let used: Vec<(String, u64)> = used.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
            assert_eq!(model_told(asked, &used).as_deref(), told, "{asked:?} of {used:?}");
        }
    }

    #[test]
    fn two_models_differ_in_what_was_asked_and_in_what_was_told() {
        let launched = |(asked, model): (Option<&str>, Option<&str>)| Party {
            kind: PartyKind::Launched,
            model: model.map(str::to_owned),
            asked: asked.map(str::to_owned),
            ..Party::default()
        };
        for (one, two, differ) in [
            ((Some("a"), Some("a")), (Some("b"), Some("b")), true),
            ((None, Some("a")), (Some("b"), Some("b")), true),
            ((Some("a"), Some("a")), (Some("b"), Some("a")), false),
            ((Some("a"), Some("a")), (Some("a"), Some("b")), false),
            ((None, Some("a")), (None, Some("b")), false),
            ((None, Some("a")), (Some("b"), None), false),
            (
                (None, Some("claude-opus-4-5")),
                (Some("opus"), Some("opus")),
                false,
            ),
            // Names of one model, as its providers write them.
            (
                (Some("a"), Some("us.anthropic.claude-opus-4-5-20251101-v1:0")),
                (Some("b"), Some("eu.anthropic.claude-opus-4-5-v1:0")),
                false,
            ),
            (
                (Some("a"), Some("claude-opus-4-5-latest")),
                (Some("b"), Some("claude-opus-4-5@20251101")),
                false,
            ),
            ((Some("opus"), Some("a")), (Some("opus[1m]"), Some("b")), false),
            (
                (Some("a"), Some("claude-opus-4-5-20251101")),
                (Some("b"), Some("claude-sonnet-4-5-20251101")),
                true,
            ),
            (
                (Some("opus"), Some("claude-opus-4-5")),
                (Some("claude-opus-4-5"), Some("claude-opus-4-5-20251101")),
                false,
            ),
        ] {
            let (a, b) = (launched(one), launched(two));
            assert_eq!(a.is_another_model(&b), differ, "{one:?} {two:?}");
            assert_eq!(b.is_another_model(&a), differ, "{two:?} {one:?}");
        }
        let all: Vec<Party> = [("a", "a"), ("a", "b"), ("b", "b"), ("c", "c")]
            .map(|(asked, told)| launched((Some(asked), Some(told))))
            .into();
        let count = |which: &[usize]| different_models(&which.iter().map(|i| &all[*i]).collect::<Vec<_>>());
        for (which, different) in [
            (&[][..], 0),
            (&[0], 1),
            (&[0, 1], 1),
            (&[1, 0, 2], 2),
            (&[0, 1, 2, 3], 3),
        ] {
            assert_eq!(count(which), different, "{which:?}");
        }
        let human = Party {
            kind: PartyKind::Human,
            ..launched((Some("a"), Some("a")))
        };
        assert!(!human.is_another_model(&launched((Some("b"), Some("b")))));
    }
}
