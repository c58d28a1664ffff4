//! From bytes to a checked problem, for tests and fuzz targets.

use crate::contract::ScheduleProject;
use crate::decode::{Rejected, request};
use std::sync::Arc;

/// Decodes an encoded `ScheduleProjectRequest` as the server does.
///
/// # Errors
/// See [`Rejected`].
pub fn schedule(bytes: &[u8]) -> Result<::schedule::Problem, Rejected> {
    let request = request::<ScheduleProject>(bytes)?;
    Ok(Arc::unwrap_or_clone(request.problem))
}
