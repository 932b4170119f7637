//! Whole audits of small transcripts, in the form that Claude Code 2.1.329 writes.

mod audits;
mod flattery_loop;
mod log;
mod pages;
mod simple;
