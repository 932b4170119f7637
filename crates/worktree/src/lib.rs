//! Git work trees: discovery, changed files, bounded child processes.
