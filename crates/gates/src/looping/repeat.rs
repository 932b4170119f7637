//! Cycles at the end of a row of steps.

use proctor_kernel::Step;

/// The longest cycle that is looked for, in steps.
pub(super) const LONGEST: usize = 5;

/// How often the last steps repeat themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repetition {
    /// Length of the cycle in steps; 0 without steps.
    pub period: usize,
    /// How many times it came in a row, the first time included.
    pub times: u32,
}

/// The strongest repetition at the end of the steps: the most times; of equally many the shortest cycle.
/// A cycle counts only when it is whole.
#[must_use]
pub fn repetition(steps: &[Step]) -> Repetition {
    best(steps, |a, b| a.repeats(b))
}

/// As [`repetition`], as if `next` had happened too with the outcome that it had in its place before.
pub(super) fn with_next(steps: &[Step], next: &Step) -> Repetition {
    let mut found = Repetition::default();
    for period in 1..=LONGEST {
        // `next` closes a cycle when it repeats the step one period before it; then that one's own row of
        // repetitions goes on.
        let Some(at) = steps.len().checked_sub(period) else {
            break;
        };
        if !steps.get(at).is_some_and(|step| step.call == next.call) {
            continue;
        }
        let matching = matching(steps, period, |a, b| a.repeats(b)) + 1;
        let times = u32::try_from(matching / period)
            .unwrap_or(u32::MAX)
            .saturating_add(1);
        if times > found.times {
            found = Repetition { period, times };
        }
    }
    if found.times == 0 {
        Repetition { period: 1, times: 1 }
    } else {
        found
    }
}

fn best(steps: &[Step], same: impl Fn(&Step, &Step) -> bool + Copy) -> Repetition {
    let mut found = Repetition {
        period: usize::from(!steps.is_empty()),
        times: u32::from(!steps.is_empty()),
    };
    for period in 1..=LONGEST.min(steps.len()) {
        let times = u32::try_from(matching(steps, period, same) / period)
            .unwrap_or(u32::MAX)
            .saturating_add(1);
        if times > found.times {
            found = Repetition { period, times };
        }
    }
    found
}

/// How many steps at the end equal those one period before them.
fn matching(steps: &[Step], period: usize, same: impl Fn(&Step, &Step) -> bool) -> usize {
    let later = steps.iter().rev();
    let earlier = steps.iter().rev().skip(period);
    later.zip(earlier).take_while(|(a, b)| same(a, b)).count()
}

/// How many of the last failures of the last step's tool are the same, without a success of that call or a
/// changed tree in between. Other tools may have been used meanwhile.
#[must_use]
pub fn strikes(steps: &[Step]) -> usize {
    let Some(last) = steps.last().filter(|s| s.failed) else {
        return 0;
    };
    steps
        .iter()
        .rev()
        .filter(|s| s.tool == last.tool)
        .take_while(|s| s.failed && s.repeats(last))
        .count()
}
