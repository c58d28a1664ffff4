//! From bytes to a checked problem, for tests and fuzz targets.

use crate::contract::PlanBurglar;
use crate::decode::{Rejected, request};

/// What one agent of a heist has to plan, and how the caller calls the things in it.
#[derive(Debug)]
pub struct Heist {
    /// The problem.
    pub problem: ::heist::Problem,
    /// Ids of its rooms, by index.
    pub room_ids: Vec<String>,
    /// Ids of its keys and artifacts, by index.
    pub item_ids: Vec<String>,
    /// Ids of the burglar and the guards, by index.
    pub agent_ids: Vec<String>,
}

/// Decodes an encoded `PlanBurglarRequest` as the server does.
///
/// # Errors
/// See [`Rejected`].
pub fn heist(bytes: &[u8]) -> Result<Heist, Rejected> {
    let request = request::<PlanBurglar>(bytes)?;
    let names = &request.names;
    Ok(Heist {
        room_ids: names.rooms.clone(),
        item_ids: names.items.clone(),
        agent_ids: names.agents.clone(),
        problem: request.problem.problem.clone(),
    })
}
