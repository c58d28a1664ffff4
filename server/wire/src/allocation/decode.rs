//! From bytes to a checked problem, for tests and fuzz targets.

use crate::contract::AllocateTasks;
use crate::decode::{Rejected, request};
use ::allocation::Problem;
use std::sync::Arc;

/// A problem, and how the caller calls the things in it.
#[derive(Debug)]
pub struct Allocation {
    /// The problem.
    pub problem: Problem,
    /// Ids of its agents, by index.
    pub agent_ids: Vec<String>,
    /// Ids of its tasks, by index.
    pub task_ids: Vec<String>,
}

/// Decodes an encoded `AllocateTasksRequest` as the server does: weighs the bytes, decodes them,
/// reads the options, and checks the problem.
///
/// Never panics, whatever the bytes; the fuzz target `decode_allocate` is about that.
///
/// # Errors
/// See [`Rejected`].
pub fn allocate(bytes: &[u8]) -> Result<Allocation, Rejected> {
    let request = request::<AllocateTasks>(bytes)?;
    Ok(Allocation {
        agent_ids: request.names.agents.list().to_vec(),
        task_ids: request.names.tasks.list().to_vec(),
        problem: Arc::unwrap_or_clone(request.problem),
    })
}
