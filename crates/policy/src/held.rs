//! What a change of the policy does not take away from the work that it came with.

use crate::keys::{Direction, KEYS, Type, Value};
use crate::settings::{Settings, Verification};
use proctor_kernel::Mode;

/// Keys that say what work needs before it may go.
const HELD: [&str; 7] = [
    "enforcement.approval.mode",
    "enforcement.approval.on_error",
    "enforcement.approval.require",
    "enforcement.approval.paths",
    "enforcement.approval.high_stakes",
    "enforcement.approval.signed",
    "enforcement.review.level",
];

const ENABLED: &str = "enforcement.enabled";
const CHECKS: &str = "verification";

/// Whether a key, a section, or something inside of one key says what work needs before it may go.
pub(crate) fn demands(path: &str) -> bool {
    let within = |inner: &str, outer: &str| {
        let rest = inner.strip_prefix(outer);
        outer.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let more = [ENABLED, CHECKS, "preset"];
    let mut keys = HELD.iter().chain(&more);
    keys.any(|key| within(key, path) || within(path, key))
}

/// Raises what work needs before it may go to what `floor` asks for: of each value the stricter one, of lists the union,
/// and of the checks of `floor` none is missing or another one. Everything else stays as it is. Gives the keys that were
/// raised.
pub fn hold(settings: &mut Settings, floor: &Settings) -> Vec<&'static str> {
    if !floor.enabled {
        return Vec::new();
    }
    let mut raised = Vec::new();
    if !settings.enabled {
        // Switched off is everything but what decides whether the work may go.
        for key in KEYS.iter().filter(|key| key.takes == Type::Mode) {
            if !HELD.contains(&key.path) {
                (key.set)(settings, Value::Mode(Mode::Off));
            }
        }
        settings.tools.clear();
        settings.enabled = true;
        raised.push(ENABLED);
    }
    for key in KEYS {
        let (now, then) = ((key.get)(settings), (key.get)(floor));
        let value = if !HELD.contains(&key.path) {
            None
        } else if key.direction == Direction::Adding {
            union(&now, then)
        } else {
            key.direction.looser(&now, &then).then_some(then)
        };
        if let Some(value) = value {
            (key.set)(settings, value);
            raised.push(key.path);
        }
    }
    if floor
        .verification
        .iter()
        .any(|c| !settings.verification.contains(c))
    {
        settings.verification = checks(&floor.verification, &settings.verification);
        raised.push(CHECKS);
    }
    raised
}

fn union(now: &Value, then: Value) -> Option<Value> {
    let (Value::List(now), Value::List(then)) = (now, then) else {
        return None;
    };
    let missing: Vec<String> = then.into_iter().filter(|e| !now.contains(e)).collect();
    (!missing.is_empty()).then(|| Value::List([now.as_slice(), &missing].concat()))
}

/// The checks of both, those of `floor` first; of two with one name that of `floor`.
fn checks(floor: &[Verification], more: &[Verification]) -> Vec<Verification> {
    let added = more.iter().filter(|c| floor.iter().all(|f| f.name != c.name));
    floor.iter().chain(added).cloned().collect()
}
