//! From bytes to a checked problem, for tests and fuzz targets.

use crate::contract::AssignCrew;
use crate::decode::{Rejected, request};
use std::sync::Arc;

/// A ship, and how the caller calls the things in it.
#[derive(Debug)]
pub struct Crew {
    /// The problem.
    pub problem: ::crew::Problem,
    /// Ids of its nodes, by index.
    pub node_ids: Vec<String>,
    /// Ids of its players, by index.
    pub player_ids: Vec<String>,
    /// Ids of its tools, by index.
    pub tool_ids: Vec<String>,
    /// Ids of its events, by index.
    pub event_ids: Vec<String>,
}

/// Decodes an encoded `AssignCrewRequest` as the server does.
///
/// # Errors
/// See [`Rejected`].
pub fn crew(bytes: &[u8]) -> Result<Crew, Rejected> {
    let request = request::<AssignCrew>(bytes)?;
    let names = &request.names;
    Ok(Crew {
        node_ids: names.nodes.list().to_vec(),
        player_ids: names.players.list().to_vec(),
        tool_ids: names.tools.list().to_vec(),
        event_ids: names.events.list().to_vec(),
        problem: Arc::unwrap_or_clone(request.problem),
    })
}
