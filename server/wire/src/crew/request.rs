//! Requests for fronts, from the wire.

use super::info::STRATEGIES;
use super::names::Names;
use super::problem::{Decoded, problem};
use crate::mistakes::Mistakes;
use crate::request::{How, Request, identity};
use ::crew::Crew;
use anytime::Path;
use crew::{Params, Problem};
use std::sync::Arc;
use stratagem_proto::v1 as pb;

/// A request for fronts.
///
/// # Errors
/// All mistakes.
pub(crate) fn request(
    mut message: pb::AssignCrewRequest,
) -> Result<Request<Crew, Names>, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let how = How::new(message.options.take(), STRATEGIES, &mut wrong);
    how.without_target(&mut wrong);
    let identity = identity("crew", &message, &how.options, how.name());
    let pb::AssignCrewRequest {
        problem: given,
        options: _,
        max_ties,
    } = message;
    let at = Path::root("problem");
    let decoded = given.and_then(|given| problem(given, &at, &mut wrong));
    let Some(Decoded { problem, names }) = decoded.filter(|_| wrong.is_empty()) else {
        return Err(wrong);
    };
    Ok(Request {
        bytes: bytes(&problem),
        problem: Arc::new(problem),
        names: Arc::new(names),
        strategy: how.name(),
        options: how.options,
        // There is one search.
        width: 1,
        params: Params {
            strategy: how.strategy.strategy,
            ties_max: usize::try_from(max_ties).unwrap_or(0),
        },
        target: None,
        identity,
    })
}

/// Memory that a problem takes, near enough.
fn bytes(problem: &Problem) -> usize {
    let spec = problem.spec();
    100 * spec.arcs.len() + 200 * spec.vertices + 10_000
}
