//! Ids of links that were given none.

use std::collections::{BTreeMap, BTreeSet};
use stratagem_proto::v1::{TemporalContingentLink, TemporalNetwork, TemporalRequirementLink};

/// The ids of all links of a network, in its order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkIds {
    /// Of `links`.
    pub requirements: Vec<String>,
    /// Of `contingent_links`.
    pub contingent: Vec<String>,
}

/// Returns the ids of all links, with the contract's default where one is missing: `FROM->TO`, with
/// `#2`, `#3`, ... for more links between the same events. Ids that were given stay as they are.
#[must_use]
pub fn link_ids(network: &TemporalNetwork) -> LinkIds {
    ids_of(&network.links, &network.contingent_links)
}

/// The ids of links of either kind, as in [`link_ids`].
pub(crate) fn ids_of(
    requirements: &[TemporalRequirementLink],
    contingent: &[TemporalContingentLink],
) -> LinkIds {
    let given = requirements.iter().map(|l| l.id.as_str());
    let given = given.chain(contingent.iter().map(|l| l.id.as_str()));
    let mut names = Names {
        taken: given
            .filter(|id| !id.is_empty())
            .map(str::to_owned)
            .collect(),
        counts: BTreeMap::new(),
    };
    // Those that Nature picks first: their default ids have no numbers.
    let links = contingent.iter();
    let contingent = links.map(|l| names.name(&l.id, &l.from_event_id, &l.to_event_id));
    let contingent = contingent.collect();
    let links = requirements.iter();
    let requirements = links.map(|l| names.name(&l.id, &l.from_event_id, &l.to_event_id));
    LinkIds {
        requirements: requirements.collect(),
        contingent,
    }
}

struct Names<'a> {
    /// Ids that some link has.
    taken: BTreeSet<String>,
    /// Names made so far between two events.
    counts: BTreeMap<(&'a str, &'a str), usize>,
}

impl<'a> Names<'a> {
    fn name(&mut self, id: &str, from: &'a str, to: &'a str) -> String {
        if !id.is_empty() {
            return id.to_owned();
        }
        let count = self.counts.entry((from, to)).or_default();
        loop {
            *count += 1;
            let name = match *count {
                1 => format!("{from}->{to}"),
                n => format!("{from}->{to}#{n}"),
            };
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{TemporalContingentLink, TemporalRequirementLink};

    #[test]
    fn nameless_links_are_numbered_between_the_same_events() {
        let link = |id: &str, from: &str| TemporalRequirementLink {
            id: id.into(),
            from_event_id: from.into(),
            to_event_id: "b".into(),
            ..TemporalRequirementLink::default()
        };
        let network = TemporalNetwork {
            links: vec![link("", "a"), link("x", "a"), link("", "a"), link("", "c")],
            contingent_links: vec![TemporalContingentLink {
                from_event_id: "c".into(),
                to_event_id: "b".into(),
                ..TemporalContingentLink::default()
            }],
            ..TemporalNetwork::default()
        };
        let ids = link_ids(&network);
        assert_eq!(ids.requirements, ["a->b", "x", "a->b#2", "c->b#2"]);
        assert_eq!(ids.contingent, ["c->b"]);
    }
}
