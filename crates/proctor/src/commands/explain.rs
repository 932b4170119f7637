//! `proctor explain`: why a decision fell.

use crate::cli::ExplainArgs;
use crate::clock::ProcessClock;
use crate::environment::Environment;
use crate::output::{self, Exit};
use proctor_engine::{Engine, explain::explain};
use proctor_kernel::{Error, ErrorKind, Result};

pub(crate) fn run(args: &ExplainArgs) -> Result<Exit> {
    let environment = Environment::read(None);
    let engine = Engine::open(environment.surroundings(None)?, ProcessClock::from_env());
    output::complain_if_lost(engine.store()?);
    let id = if args.id == "last" {
        latest(&engine)?
    } else {
        args.id.clone()
    };
    let (id, millis, record) = engine.decision(&id)?;
    let at = proctor_ledger::format_millis(millis);
    if args.json {
        output::json(&serde_json::json!({ "id": id, "at": at, "decision": record }));
    } else {
        output::print(&explain(&id, &at, &record));
    }
    Ok(Exit::Pass)
}

fn latest(engine: &Engine<ProcessClock>) -> Result<String> {
    let mut last: Option<(u64, String)> = None;
    engine.each_decision(|id, millis, _| {
        let newer = last.as_ref().is_none_or(|(m, i)| (millis, id) > (*m, i.as_str()));
        if newer {
            last = Some((millis, id.to_owned()));
        }
    })?;
    last.map(|(_, id)| id).ok_or_else(|| {
        Error::new(ErrorKind::Input, "no decision has been recorded here yet")
            .hint("run it in a repository with hooks")
    })
}
