//! Test support: fake model server, real host runners, the deterministic TestEnvironment.
