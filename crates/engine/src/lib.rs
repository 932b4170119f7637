//! Proctor's engine: sessions, tasks, retries, breakers and decisions; the library API.
