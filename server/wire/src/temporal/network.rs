//! A temporal network, from the wire.

use super::links::links;
use super::names::Names;
use super::owners::{Agents, event, owners};
use crate::mistakes::Mistakes;
use crate::values::{read_each, rounded_micros};
use anytime::Path;
use std::sync::Arc;
use stratagem_proto::v1 as pb;
use temporal::Network;
use temporal::problem::Spec;

/// Most agents in a network.
pub(super) const AGENTS_MAX: usize = 64;

/// A checked network, and the names in it.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub network: Network,
    pub names: Arc<Names>,
}

/// A network; `None` when it is invalid. One with mistakes in single fields is there with other
/// values in their place, so that what refers to it can be read too.
pub(crate) fn network(
    given: pb::TemporalNetwork,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Decoded> {
    let pb::TemporalNetwork {
        title: _,
        description: _,
        origin_id,
        agents,
        events,
        links: requirements,
        contingent_links,
        horizon_offset,
    } = given;
    let mut names = Names::new(origin_id);
    let agents = Agents::new(agents, &at.field("agents"), wrong);
    let events_at = at.field("events");
    let agent_ids = read_each(events, &events_at, |given, at| {
        event(given, at, &mut names, wrong)
    });
    let read = links((requirements, contingent_links), at, &mut names, wrong);
    let owners = owners(
        &agent_ids,
        &events_at,
        &agents,
        &read.contingent,
        &names,
        wrong,
    );
    let spec = Spec {
        owners,
        links: read.links,
        contingent: read.contingent,
        horizon_us: horizon_offset.as_ref().map(rounded_micros),
        progress: None,
    };
    // Also with mistakes of single fields, so that all are reported together.
    match Network::new(spec) {
        Ok(network) => Some(Decoded {
            network,
            names: Arc::new(names),
        }),
        Err(mut faults) => {
            // A missing window may be that of a link that could not be read.
            faults.retain(|fault| !(read.lost && fault.code == "UNBOUNDED"));
            wrong.add_faults(&faults, &names, at);
            None
        }
    }
}
