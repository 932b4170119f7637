//! Lines of a transcript, one at a time: a line may be as long as a file.

use std::io::{self, BufRead};

/// What came next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Next {
    /// Its bytes in the input, with the line end.
    pub(super) bytes: u64,
    /// It was longer than the limit, and is left out.
    pub(super) too_long: bool,
    /// It ends with a line end; the last line of a file may still be written on.
    pub(super) whole: bool,
}

/// Reads lines up to a limit.
pub(super) struct Lines<R> {
    input: R,
    limit: usize,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R, limit: usize) -> Self {
        Self {
            input,
            limit,
            buffer: Vec::new(),
        }
    }

    /// The line that was read last, without its end; empty when it was too long.
    pub(super) fn line(&self) -> &[u8] {
        &self.buffer
    }

    /// The limit, in bytes.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Reads the next line; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Next>> {
        self.buffer.clear();
        let mut next = Next {
            bytes: 0,
            too_long: false,
            whole: false,
        };
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                return Ok((next.bytes > 0).then_some(next));
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
            if next.too_long || self.buffer.len() + part.len() > self.limit {
                next.too_long = true;
                self.buffer = Vec::new();
            } else {
                self.buffer.extend_from_slice(part);
            }
            let used = end.map_or(chunk.len(), |at| at + 1);
            next.bytes += used as u64;
            self.input.consume(used);
            if end.is_some() {
                next.whole = true;
                return Ok(Some(next));
            }
        }
    }
}
