//! A temporal network, from the wire.

use super::errors::mistake;
use super::links::{Links, links};
use super::names::Names;
use super::owners::{Agents, event, owners};
use crate::wire::mistakes::Mistakes;
use crate::wire::path::Path;
use crate::wire::values::{each, rounded_micros};
use stratagem_proto::v1 as pb;
use temporal::problem::Spec;
use temporal::{Network, NetworkError};

/// Most agents in a network.
pub(super) const AGENTS_MAX: usize = 64;

/// A checked network, and the names in it.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub network: Network,
    pub names: Names,
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
    let agent_ids = each(events, &events_at, |given, at| {
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
        links: read.links.clone(),
        contingent: read.contingent.clone(),
        horizon_us: horizon_offset.as_ref().map(rounded_micros),
    };
    // Also with mistakes of single fields, so that all are reported together.
    let checked = Network::new(spec);
    let checked = checked.map_err(|errors| note(&errors, at, &names, &read, wrong));
    let network = checked.ok()?;
    Some(Decoded { network, names })
}

/// Notes the validation errors of the planner.
fn note(errors: &[NetworkError], at: &Path<'_>, names: &Names, read: &Links, wrong: &mut Mistakes) {
    for error in errors {
        // A window that is missing may be that of a link that could not be read.
        if !(read.lost && matches!(error, NetworkError::NoWindow { .. })) {
            wrong.add_unless_known(mistake(error, at, names, read));
        }
    }
}
