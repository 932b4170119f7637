//! In what a test demands less than it did.

use super::asserts::Demands;
use super::counted;

/// How sure it is that a test demands less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Less {
    Certain,
    /// It demands nothing by itself; a helper may do so for it.
    Nothing,
    /// It has fewer assertions, which may stand elsewhere now.
    Fewer,
}

/// In what the demands are less.
pub(super) fn less(was: &Demands, is: &Demands) -> Option<(String, Less)> {
    let assertions = |n: usize| counted(n, "assertion", "assertions");
    if is.dead > was.dead && is.real < was.real {
        let words = format!(
            "has {} that {} never reached where it had one that could fail",
            assertions(is.dead),
            if is.dead == 1 { "is" } else { "are" }
        );
        return Some((words, Less::Certain));
    }
    if is.gated > was.gated && is.real < was.real {
        let words = format!(
            "has {} that {} reached only where somebody sets a feature or a variable",
            assertions(is.gated),
            if is.gated == 1 { "is" } else { "are" }
        );
        return Some((words, Less::Certain));
    }
    // A call that answers twice the same may answer anything.
    if is.mirrored > was.mirrored && is.real - is.mirrored < was.real - was.mirrored {
        let words = format!(
            "compares a call with the same call {} where it compared with something else",
            counted(is.mirrored, "time", "times")
        );
        return Some((words, Less::Certain));
    }
    if was.real > 0 && is.real == 0 {
        let words = format!("has no assertion that can fail; at the base it had {}", was.real);
        return Some((words, Less::Nothing));
    }
    if is.trivial > was.trivial && is.real < was.real {
        return Some((
            format!(
                "has {} that always hold where it had one that could fail",
                assertions(is.trivial)
            ),
            Less::Certain,
        ));
    }
    for (name, value) in &is.tolerances {
        if let Some(before) = was.tolerances.get(name).filter(|before| *value > **before) {
            let words = format!(
                "allows more: `{name}` was {} and is {}",
                before.abs(),
                value.abs()
            );
            return Some((words, Less::Certain));
        }
    }
    if is.real < was.real {
        let words = format!("has {}; at the base it had {}", assertions(is.real), was.real);
        return Some((words, Less::Fewer));
    }
    let valued = |d: &Demands| d.exact.saturating_sub(d.kinds);
    if is.kinds > was.kinds && valued(is) < valued(was) {
        let words = format!(
            "asks {} only of what kind something is where it asked for a value",
            counted(is.kinds, "time", "times")
        );
        return Some((words, Less::Certain));
    }
    // `assert x` asks for as much as `assert x == True` did.
    let like_flags = was
        .flags
        .saturating_sub(is.flags)
        .min(is.holds.saturating_sub(was.holds));
    // Another expected value may be any value but one; that this is excluded by another word is no loss.
    let as_exact = is.exact + like_flags - is.differs.min(was.differs);
    let had_exact = was.exact - was.differs;
    if as_exact < had_exact && is.real - as_exact > was.real - had_exact {
        let words = format!(
            "compares with an exact value {} where it did {} before",
            counted(is.exact, "time", "times"),
            counted(was.exact, "time", "times")
        );
        return Some((words, Less::Certain));
    }
    None
}
