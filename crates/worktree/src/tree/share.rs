//! Comparing the files of an index on more than one thread. Nobody is waited for who has not begun: on a busy machine
//! a thread may start after the others have done everything.

use super::index::Index;
use super::scan::{self, Root};
use proctor_kernel::{Error, ErrorKind, Result};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// From this number of files on, a second thread looks at them: a start costs as much as some fifty files.
const SOME: usize = 400;
/// From this number of files on, as many threads look as there are processors.
const MANY: usize = 4_000;
/// Most threads.
const MOST: usize = 8;
/// How many files one thread takes at once.
const PART: usize = 128;
/// What a thread needs of a stack is little.
const STACK: usize = 128 << 10;

/// A comparison that was begun.
pub(crate) struct Comparison(Arc<Shared>);

struct Shared {
    root: Arc<Root>,
    index: Arc<Index>,
    /// When the index was written.
    at: i128,
    /// The first entry that nobody has taken yet.
    next: AtomicUsize,
    state: Mutex<State>,
    told: Condvar,
}

struct State {
    /// Entries that are not compared yet.
    left: usize,
    differing: Vec<usize>,
    error: Option<Error>,
}

impl Comparison {
    /// Begins where several threads are worth it.
    pub(crate) fn begin(root: &Arc<Root>, index: &Arc<Index>, at: i128) -> Self {
        let count = index.entries.len();
        let shared = Arc::new(Shared {
            root: Arc::clone(root),
            index: Arc::clone(index),
            at,
            next: AtomicUsize::new(0),
            state: Mutex::new(State {
                left: count,
                differing: Vec::new(),
                error: None,
            }),
            told: Condvar::new(),
        });
        let helpers = if count < SOME {
            0
        } else if count < MANY {
            1
        } else {
            thread::available_parallelism().map_or(1, |n| n.get().min(MOST)) - 1
        };
        for _ in 0..helpers {
            let shared = Arc::clone(&shared);
            // Where none can be started, everything is done by the caller.
            let _ = thread::Builder::new()
                .stack_size(STACK)
                .spawn(move || shared.work());
        }
        Self(shared)
    }

    /// Compares what is left. Gives the places in the index of the entries whose files are not surely as it says,
    /// in its order.
    pub(crate) fn end(self) -> Result<Vec<usize>> {
        self.0.work();
        let mut state = self.0.state();
        while state.left > 0 {
            state = self.0.told.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        let mut differing = std::mem::take(&mut state.differing);
        differing.sort_unstable();
        Ok(differing)
    }
}

impl Drop for Comparison {
    fn drop(&mut self) {
        // Whoever still looks takes nothing more.
        self.0.next.store(self.0.index.entries.len(), Ordering::Relaxed);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compares until there is nothing left to take.
    fn work(&self) {
        let count = self.index.entries.len();
        loop {
            let from = self.next.fetch_add(PART, Ordering::Relaxed);
            if from >= count {
                return;
            }
            let mut part = Part {
                shared: self,
                size: PART.min(count - from),
                found: Err(Error::new(
                    ErrorKind::Internal,
                    "a thread that looks at files failed",
                )),
            };
            part.found = scan::compare(self.root.fd(), &self.index, from..from + part.size, self.at);
        }
    }
}

/// A part that somebody has taken; told of when it is done, or when its thread fails.
struct Part<'a> {
    shared: &'a Shared,
    size: usize,
    found: Result<Vec<usize>>,
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.left -= self.size;
        match std::mem::replace(&mut self.found, Ok(Vec::new())) {
            Ok(found) => state.differing.extend(found),
            Err(error) => {
                state.error.get_or_insert(error);
            }
        }
        if state.left == 0 {
            self.shared.told.notify_all();
        }
    }
}
