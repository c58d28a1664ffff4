//! From bytes to a checked problem, for tests and fuzz targets.

use crate::contract::{GenerateStory, LearnStoryDomain};
use crate::decode::{Rejected, request};
use domain_learning::DomainLearning;
use std::sync::Arc;

/// Decodes an encoded `GenerateStoryRequest` as the server does. The problem names its own
/// entities.
///
/// # Errors
/// See [`Rejected`].
pub fn story(bytes: &[u8]) -> Result<::story::Problem, Rejected> {
    let request = request::<GenerateStory>(bytes)?;
    Ok(Arc::unwrap_or_clone(request.problem))
}

/// Decodes an encoded `LearnStoryDomainRequest` as the server does, and reads its books: text,
/// relations, WordNet. Returns what is learned in a round; `None` when nothing can be.
///
/// # Errors
/// See [`Rejected`].
pub fn books(bytes: &[u8]) -> Result<Option<domain_learning::LearnedDomain>, Rejected> {
    let request = request::<LearnStoryDomain>(bytes)?;
    let mut best = None;
    let mut sink = |lesson: &domain_learning::LearnedDomain, _| best = Some(lesson.clone());
    let mut control = anytime::Control::new(anytime::Limits::iterations(1), 0, &mut sink);
    let learned = <DomainLearning as anytime::Planner>::solve(
        &request.problem,
        &request.params,
        &mut control,
    );
    Ok(learned
        .ok()
        .and(best)
        .filter(|lesson| lesson.domain.is_some()))
}
