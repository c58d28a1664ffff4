//! Problems and plans of heists: our own messages, worlds in JSON, PDDL, and plans of others.

pub mod deeds;
pub mod moves;
mod names;
pub mod pddl;
pub mod world;

pub use names::Names;

use super::{Format, Mistake, read as read_message, top_keys};
use stratagem_proto::v1::{DesignHeistResponse, HeistLevel, HeistProblem, HeistWorld};

/// Reads a problem: our message, a `HeistWorld` alone, or an answer of `heist design -o json`,
/// whose level it is then.
///
/// # Errors
/// The first mistake.
pub(crate) fn read(text: &str, format: Format) -> Result<HeistProblem, Mistake> {
    let keys = top_keys(text, format);
    let has = |key: &str| keys.iter().any(|k| k == key);
    let world = if has("plan") || has("report") {
        level(text, format)?.world
    } else if has("rooms") {
        Some(read_message::<HeistWorld>(text, format)?)
    } else {
        return read_message(text, format);
    };
    Ok(HeistProblem {
        world,
        ..HeistProblem::default()
    })
}

/// The level in a response of `heist design -o json`.
fn level(text: &str, format: Format) -> Result<HeistLevel, Mistake> {
    let answer = read_message::<DesignHeistResponse>(text, format)?;
    let none = || Mistake::new("the answer holds no level");
    answer.plan.ok_or_else(none)
}
