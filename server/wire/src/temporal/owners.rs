//! Owners of events.

use super::names::Names;
use crate::mistakes::{Code, Mistakes};
use crate::values::{Ids, read_each, shown};
use anytime::Path;
use stratagem_proto::v1 as pb;
use temporal::problem::{Contingent, Owner};

/// Id of the only agent of a network that names none.
const AGENT_ID: &str = "we";

/// The agents of a network.
pub(super) struct Agents {
    ids: Ids,
    owners: Vec<Owner>,
}

impl Agents {
    pub(super) fn new(given: Vec<pb::TemporalAgent>, at: &Path<'_>, wrong: &mut Mistakes) -> Self {
        let mut ids = Ids::default();
        if given.is_empty() {
            ids.take(at, AGENT_ID.into(), wrong);
            let owners = vec![Owner::Controllable];
            return Self { ids, owners };
        }
        let owners = read_each(given, at, |given, at| {
            let pb::TemporalAgent { id, kind, label: _ } = given;
            ids.take(&at.field("id"), id, wrong);
            owner(kind)
        });
        Self { ids, owners }
    }

    /// Whose event this is, when it is not Nature's.
    fn owner(&self, agent: &str, at: &Path<'_>, wrong: &mut Mistakes) -> Owner {
        let only = self.owners.len() == 1;
        let agent = match agent {
            "" if only => Some(0),
            "" => wrong.required(at, None),
            agent => self.ids.find(at, agent, wrong),
        };
        agent.map_or(Owner::Controllable, |agent| self.owners[agent])
    }
}

fn owner(kind: i32) -> Owner {
    use pb::TemporalAgentKind as Kind;
    match Kind::try_from(kind).unwrap_or_default() {
        Kind::Uncontrollable => Owner::Uncontrollable,
        Kind::Controllable | Kind::Unspecified => Owner::Controllable,
    }
}

/// Reads an event, and gives the id of its agent.
pub(super) fn event(
    given: pb::TemporalEvent,
    at: &Path<'_>,
    names: &mut Names,
    wrong: &mut Mistakes,
) -> String {
    let pb::TemporalEvent {
        id,
        agent_id,
        label: _,
    } = given;
    names.take(&at.field("id"), id, wrong);
    agent_id
}

/// Owner of each event: Nature's are those at which contingent links end. `agent_ids` are those of
/// the events, at `at`.
pub(super) fn owners(
    agent_ids: &[String],
    at: &Path<'_>,
    agents: &Agents,
    contingent: &[Contingent],
    names: &Names,
    wrong: &mut Mistakes,
) -> Vec<Owner> {
    let mut ends = vec![None; agent_ids.len()];
    for (index, link) in contingent.iter().enumerate() {
        if let Some(event) = link.to.checked_sub(1) {
            ends[event].get_or_insert(index);
        }
    }
    let events = agent_ids.iter().zip(ends).enumerate();
    let owners = events.map(|(event, (agent, end))| {
        let at = at.index(event);
        let at = at.field("agent_id");
        let Some(end) = end else {
            return agents.owner(agent, &at, wrong);
        };
        if !agent.is_empty() {
            let (agent, link) = (shown(agent), shown(&names.contingent[end]));
            let why = format!(
                "is {agent}, but contingent link {link} ends at this event, which makes it \
                 Nature's"
            );
            wrong.add(&at, Code::Contradiction, why);
        }
        Owner::Nature
    });
    owners.collect()
}
