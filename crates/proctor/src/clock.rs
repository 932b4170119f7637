//! The clock of this process: the real one, or a fixed one for tests.

use proctor_engine::{Clock, SystemClock};
use std::cell::Cell;

/// Time and identifiers, fixed when `PROCTOR_TEST_CLOCK` (milliseconds since 1970) is set. Records
/// written under a fixed clock say so (`"test": true`) and prove nothing.
pub(crate) enum ProcessClock {
    Real(SystemClock),
    Test { now: u64, seed: u64, count: Cell<u64> },
}

impl ProcessClock {
    /// Takes the clock that the environment asks for.
    pub(crate) fn from_env() -> Self {
        let number = |name| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
        match number("PROCTOR_TEST_CLOCK") {
            Some(now) => Self::Test {
                now,
                seed: number("PROCTOR_TEST_IDS").unwrap_or(0),
                count: Cell::new(0),
            },
            None => Self::Real(SystemClock::new()),
        }
    }
}

impl Clock for ProcessClock {
    fn now(&self) -> u64 {
        match self {
            Self::Real(clock) => clock.now(),
            Self::Test { now, .. } => *now,
        }
    }

    fn micros(&self) -> u64 {
        match self {
            Self::Real(clock) => clock.micros(),
            Self::Test { .. } => 0,
        }
    }

    fn random(&self) -> [u8; 10] {
        match self {
            Self::Real(clock) => clock.random(),
            Self::Test { seed, count, .. } => {
                let mut bytes = [0; 10];
                let next = count.get();
                count.set(next + 1);
                let number = u128::from(*seed) << 32 | u128::from(next);
                for (byte, value) in bytes.iter_mut().rev().zip(number.to_le_bytes()) {
                    *byte = value;
                }
                bytes
            }
        }
    }

    fn is_test(&self) -> bool {
        matches!(self, Self::Test { .. })
    }
}
