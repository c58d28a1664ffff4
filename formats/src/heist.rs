//! Problems and plans of heists: our own messages, worlds in JSON, PDDL, and plans of others.

pub mod deeds;
pub mod moves;
mod names;
pub mod pddl;
pub mod world;

pub use names::Names;

use super::{Format, Mistake, foreign, keys_under, read as read_message, top_keys};
use stratagem_proto::v1::{DesignHeistResponse, HeistLevel, HeistProblem, HeistWorld};

/// Keys that only documents with a problem of heist have.
pub const KEYS: &[&str] = &["world", "rooms", "burglar", "entrance"];

/// Reads a problem: our message, a `HeistWorld` alone, an answer of `heist design -o json`, whose
/// level it is then, or a world in the JSON of [`world::read`].
///
/// # Errors
/// All mistakes of a world in that JSON, else the first.
pub fn read(text: &str, format: Format) -> Result<HeistProblem, Vec<Mistake>> {
    let keys = top_keys(text, format);
    let has = |key: &str| keys.iter().any(|k| k == key);
    if has("plan") || has("report") {
        return Ok(HeistProblem {
            world: level(text, format)?.world,
            ..HeistProblem::default()
        });
    }
    if !has("rooms") {
        return read_message(text, format).map_err(|m| vec![m]);
    }
    // Rooms of a message are objects, those of the other format ids.
    let own = !keys_under(&["rooms"], text, format).is_empty();
    if format == Format::Json && !own {
        return world::read(text);
    }
    let world = read_message::<HeistWorld>(text, format).map_err(|m| vec![m])?;
    Ok(HeistProblem {
        world: Some(world),
        ..HeistProblem::default()
    })
}

/// Whether the plan of a response is a level, which has a world.
pub fn is_level(text: &str, format: Format) -> bool {
    let keys = keys_under(&["plan"], text, format);
    keys.iter().any(|key| key == "world")
}

/// The level in a response of `heist design -o json`.
fn level(text: &str, format: Format) -> Result<HeistLevel, Vec<Mistake>> {
    let answer = read_message::<DesignHeistResponse>(text, format).map_err(|m| vec![m])?;
    let level = answer
        .plan
        .ok_or_else(|| foreign("the answer holds no level"));
    level.map_err(|m| vec![m])
}
