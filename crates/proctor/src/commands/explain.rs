//! `proctor explain`: why a decision fell.

use crate::cli::ExplainArgs;
use crate::clock::ProcessClock;
use crate::commands::lookup;
use crate::environment::Environment;
use crate::output::{self, Exit};
use proctor_engine::{Engine, explain::explain};
use proctor_kernel::Result;

pub(crate) fn run(args: &ExplainArgs) -> Result<Exit> {
    let environment = Environment::read(None);
    let engine = Engine::open(environment.surroundings(None)?, ProcessClock::from_env());
    output::complain_if_lost(engine.store()?);
    if let Some(noted) = lookup::unjudged(&engine, &args.id)? {
        if args.json {
            output::json(&serde_json::json!({ "id": noted.id, "at": noted.at, "unjudged": noted.what }));
        } else {
            output::print(&noted.explain());
        }
        return Ok(Exit::Pass);
    }
    let (id, millis, record) = lookup::decision(&engine, &args.id)?;
    let at = proctor_ledger::format_millis(millis);
    if args.json {
        output::json(&serde_json::json!({ "id": id, "at": at, "decision": record }));
    } else {
        output::print(&explain(&id, &at, &record));
    }
    Ok(Exit::Pass)
}
