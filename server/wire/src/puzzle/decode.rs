//! From bytes to a checked problem, for tests and fuzz targets.

use crate::contract::{GeneratePuzzle, SolvePuzzle};
use crate::decode::{Rejected, request};
use std::sync::Arc;

/// Decodes an encoded `GeneratePuzzleRequest` as the server does.
///
/// # Errors
/// See [`Rejected`].
pub fn puzzle(bytes: &[u8]) -> Result<puzzle::Problem, Rejected> {
    let request = request::<GeneratePuzzle>(bytes)?;
    Ok(Arc::unwrap_or_clone(request.problem))
}

/// Decodes an encoded `SolvePuzzleRequest` as the server does: the board as it
/// is after what was played.
///
/// # Errors
/// See [`Rejected`].
pub fn board(bytes: &[u8]) -> Result<puzzle::Board, Rejected> {
    let request = request::<SolvePuzzle>(bytes)?;
    Ok(request.problem.board().clone())
}
