//! From bytes to a checked problem, for tests and fuzz targets.

use crate::contract::CheckStrongControllability;
use crate::decode::{Rejected, request};
use ::temporal::Network;
use std::sync::Arc;

/// A network, and the ids of the caller.
#[derive(Debug)]
pub struct Temporal {
    /// The network.
    pub network: Network,
    /// Ids of its events, by index.
    pub event_ids: Vec<String>,
    /// Ids of its requirement links, by index.
    pub link_ids: Vec<String>,
    /// Ids of its contingent links, by index.
    pub contingent_link_ids: Vec<String>,
}

/// Decodes an encoded `CheckStrongControllabilityRequest` as the server does.
///
/// # Errors
/// See [`Rejected`].
pub fn temporal(bytes: &[u8]) -> Result<Temporal, Rejected> {
    let request = request::<CheckStrongControllability>(bytes)?;
    let names = &request.names;
    Ok(Temporal {
        event_ids: names.events.list().to_vec(),
        link_ids: names.links.clone(),
        contingent_link_ids: names.contingent.clone(),
        network: Arc::unwrap_or_clone(request.problem),
    })
}
