//! From bytes to a checked problem, for tests and fuzz targets.

use super::names::Called;
use crate::contract::ScheduleNarrative;
use crate::decode::{Rejected, request};
use std::sync::Arc;

/// A narrative, and how the caller calls the things in it.
#[derive(Debug)]
pub struct Narrative {
    /// The narrative, for all groups.
    pub narrative: ::narrative::Narrative,
    /// Ids of its events, by index.
    pub event_ids: Vec<String>,
    /// Ids of its requirement links, by index.
    pub link_ids: Vec<String>,
    /// Ids of its contingent links, by index.
    pub contingent_link_ids: Vec<String>,
    /// Ids of its activities, by index.
    pub activity_ids: Vec<String>,
}

/// Decodes an encoded `ScheduleNarrativeRequest` as the server does.
///
/// # Errors
/// See [`Rejected`].
pub fn narrative(bytes: &[u8]) -> Result<Narrative, Rejected> {
    let request = request::<ScheduleNarrative>(bytes)?;
    let names = &request.names;
    let ids = |links: Vec<&Called>| links.into_iter().map(|link| link.id.clone()).collect();
    Ok(Narrative {
        event_ids: names.events.clone(),
        link_ids: ids(names.links.iter().flatten().collect()),
        contingent_link_ids: ids(names.contingent.iter().collect()),
        activity_ids: names.activities.clone(),
        narrative: Arc::unwrap_or_clone(request.problem),
    })
}
