//! The real clock, for those who want it: the engine itself only sees the trait.

use crate::Clock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Time of the operating system and its random numbers.
#[derive(Debug)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// A clock whose [`Clock::micros`] count from now.
    #[must_use]
    pub fn new() -> Self {
        Self {
            start: Instant::now(),
        }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> u64 {
        // A clock before 1970 is a broken clock; records then sort by their chain.
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
    }

    fn micros(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn random(&self) -> [u8; 10] {
        let mut bytes = [0; 10];
        if getrandom::fill(&mut bytes).is_err() {
            // Without a random source the time in nanoseconds keeps identifiers apart.
            let nanos = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |d| d.as_nanos());
            for (byte, value) in bytes.iter_mut().zip(nanos.to_le_bytes()) {
                *byte = value;
            }
        }
        bytes
    }
}
