//! The worker-reviewer loop: agents as actors, driven through the engine.
