//! Which command lines verified something, from what the crate `shell` says of them, and which claims that
//! supports.

use proctor_kernel::{CheckKind, CheckKinds};
use proctor_policy::Verification;
use proctor_shell::OwnCheck;

/// The verifications in a command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Recognised {
    /// Those whose success follows from exit status 0 of the whole line.
    pub(crate) proven: CheckKinds,
    /// Those that ran as well, but whose status is hidden (`| tail`, `|| true`, `; echo`, `&`, loops).
    pub(crate) masked: CheckKinds,
}

/// Reads a command line.
pub(crate) fn recognise(line: &str, own: &[Verification]) -> Recognised {
    let own: Vec<OwnCheck> = own
        .iter()
        .map(|v| OwnCheck {
            name: v.name.clone(),
            run: v.run.clone(),
            kind: CheckKind::named(v.kind.as_deref().unwrap_or_default()),
        })
        .collect();
    let mut found = Recognised::default();
    for check in proctor_shell::analyse(line, &own).checks {
        // Where the work tree was is not known here.
        if check.masks.is_empty() && check.started_from.is_none() {
            found.proven.join(check.kinds);
        } else {
            found.masked.join(check.kinds);
        }
    }
    found.masked.remove(found.proven);
    found
}

/// Whether these successes support claims of those kinds. A verification of the project's own supports
/// everything: nobody knows what is in it.
pub(crate) fn supports(proof: CheckKinds, claimed: CheckKinds) -> bool {
    claimed.iter().all(|kind| {
        proof.has(CheckKind::Own) || proof.cover(kind) || kind == CheckKind::Own && !proof.is_empty()
    })
}

/// The kinds as an agent would claim them: `passing tests, a clean build`.
pub(crate) fn words(kinds: CheckKinds) -> String {
    let name = |kind| match kind {
        CheckKind::Tests => "passing tests",
        CheckKind::Build => "a clean build",
        CheckKind::Types => "clean types",
        CheckKind::Lint => "a clean lint",
        CheckKind::Own => "a verification",
    };
    kinds.iter().map(name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
