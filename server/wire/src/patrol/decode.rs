//! From bytes to a checked problem, for tests and fuzz targets.

use crate::contract::GeneratePatrol;
use crate::decode::{Rejected, request};
use std::sync::Arc;

/// Patrol problem with the ids of its elements.
#[derive(Debug)]
pub struct Patrol {
    /// The problem.
    pub problem: ::patrol::Problem,
    /// Ids of its vertices, by index.
    pub vertex_ids: Vec<String>,
    /// Ids of its guards, by index.
    pub guard_ids: Vec<String>,
}

/// Decodes an encoded `GeneratePatrolRequest` as the server does.
///
/// # Errors
/// See [`Rejected`].
pub fn patrol(bytes: &[u8]) -> Result<Patrol, Rejected> {
    let request = request::<GeneratePatrol>(bytes)?;
    Ok(Patrol {
        vertex_ids: request.names.vertices.list().to_vec(),
        guard_ids: request.names.guards.list().to_vec(),
        problem: Arc::unwrap_or_clone(request.problem),
    })
}
