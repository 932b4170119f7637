//! `proctor trust`: a human says that Proctor may run the checks that this repository names.

use crate::caller;
use crate::cli::TrustArgs;
use crate::clock::ProcessClock;
use crate::environment::Environment;
use crate::output::{self, Exit};
use proctor_engine::Engine;
use proctor_engine::review::PartyKind;
use proctor_engine::trust::ChecksTrust;
use proctor_kernel::{Error, ErrorKind, Result};
use serde_json::json;

pub(crate) fn run(args: &TrustArgs) -> Result<Exit> {
    let environment = Environment::read(None);
    let mut engine = Engine::open(environment.surroundings(None)?, ProcessClock::from_env());
    if args.revoke {
        let count = engine.revoke_trust()?;
        if args.json {
            output::json(&json!({ "revoked": count }));
        } else {
            output::line(&match count {
                0 => "nothing was trusted".to_owned(),
                n => format!("trust taken back: {n}"),
            });
        }
        return Ok(Exit::Pass);
    }
    if !args.show && engine.checks_trust() == ChecksTrust::Untrusted {
        let (by, why) = caller::identify();
        if by.kind != PartyKind::Human {
            let what =
                format!("only a human at a terminal can trust what a repository makes Proctor run: {why}");
            return Err(Error::new(ErrorKind::Input, what)
                .hint("run `proctor trust` yourself, in a terminal of your own")
                .hint("`proctor trust --show` lists what it is about"));
        }
        engine.trust(by)?;
    }
    let trust = engine.checks_trust();
    let checks = &engine.settings().verification;
    if args.json {
        output::json(&json!({ "trust": trust, "checks": checks, "trusted": engine.trust_book().trusted }));
    } else {
        output::line(match trust {
            ChecksTrust::Nothing => "the policy names no check, so there is nothing to trust",
            ChecksTrust::Own => "your own policy file names the checks; they need no trust:",
            ChecksTrust::Trusted => {
                "trusted: Proctor may run these checks of the repository, as long as they stay as they are:"
            }
            ChecksTrust::Untrusted => "not trusted: Proctor does not run these checks of the repository:",
        });
        for check in checks {
            output::line(&format!("  {}: {}", check.name, check.run));
        }
        if trust == ChecksTrust::Untrusted {
            output::line("a human trusts them with `proctor trust`");
        }
    }
    Ok(match trust {
        ChecksTrust::Untrusted => Exit::Blocked,
        _ => Exit::Pass,
    })
}
