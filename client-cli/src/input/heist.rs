//! Plans of heists and deeds of players in formats of others.

use super::{all_invalid, text};
use crate::exit::Failure;
use formats::Mistake;
use formats::heist::{deeds, moves};
use formats::messages::described;
use prost_reflect::Value;
use stratagem_proto::v1::{HeistPlan, HeistProblem};

/// A plan that is a list of actions in JSON, or what a PDDL planner wrote, with the names of the
/// problem; `None` for other formats.
pub(super) fn foreign_plan(
    text: &str,
    problem: &HeistProblem,
) -> Option<Result<HeistPlan, Vec<Mistake>>> {
    if moves::looks_like(text) {
        return Some(moves::read(text, problem));
    }
    moves::is_list(text).then(|| moves::read_list(text))
}

/// Reads what a player does in a game: a list of `HeistIntervention`.
///
/// # Errors
/// [`Exit::USAGE`](crate::exit::Exit::USAGE) for what cannot be read,
/// [`Exit::INVALID`](crate::exit::Exit::INVALID) for what is neither a list of deeds nor a level.
pub fn deeds_of_file(source: &str) -> Result<Value, Failure> {
    let read = text(source)?;
    let deeds = deeds::read(&read.text, read.format);
    let deeds = deeds.map_err(|mistakes| all_invalid(&read, &mistakes))?;
    let deeds = deeds.iter().map(|deed| Value::Message(described(deed)));
    Ok(Value::List(deeds.collect()))
}
