//! The pictures call links as the server does.

use proptest::prelude::*;
use prost::Message as _;
use stratagem_proto::v1 as pb;
use stratagem_render::temporal::link_ids;
use wire::decode::temporal;

/// Places that a link can have its ends at. Nature's events are those with a contingent link.
const NODES: [&str; 5] = ["origin", "a", "b", "rain", "storm"];
/// Ids that a caller may give: none, one of its own, and such as look like defaults.
const IDS: [&str; 6] = ["", "", "", "a->b", "a->b#2", "b->rain"];

fn seconds(seconds: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds, nanos: 0 })
}

fn network(
    links: &[(usize, usize, usize)],
    contingent: [(usize, usize); 2],
) -> pb::TemporalNetwork {
    let mut taken = std::collections::BTreeSet::new();
    let mut id = |choice: usize| {
        let id = IDS[choice];
        let is_free = id.is_empty() || taken.insert(id);
        String::from(if is_free { id } else { "" })
    };
    let event = |id: &&str| pb::TemporalEvent {
        id: (*id).into(),
        ..pb::TemporalEvent::default()
    };
    let ends = NODES[3..].iter().zip(contingent);
    let uncertain = ends.map(|(to, (from, choice))| pb::TemporalContingentLink {
        id: id(choice),
        from_event_id: NODES[from].into(),
        to_event_id: (*to).into(),
        lower: seconds(1),
        upper: seconds(2),
    });
    let contingent_links = uncertain.collect();
    let link = |&(from, step, choice): &(usize, usize, usize)| pb::TemporalRequirementLink {
        id: id(choice),
        from_event_id: NODES[from].into(),
        to_event_id: NODES[(from + step) % NODES.len()].into(),
        lower: None,
        upper: seconds(9),
    };
    pb::TemporalNetwork {
        events: NODES[1..].iter().map(event).collect(),
        links: links.iter().map(link).collect(),
        contingent_links,
        ..pb::TemporalNetwork::default()
    }
}

proptest! {
    /// Whatever ids the caller leaves out or gives, those that look like defaults included.
    #[test]
    fn pictures_and_server_name_links_alike(
        links in prop::collection::vec((0_usize..5, 1_usize..5, 0_usize..6), 0..12),
        contingent: [(prop::sample::Index, prop::sample::Index); 2],
    ) {
        let contingent = contingent.map(|(from, id)| (from.index(3), id.index(6)));
        let network = network(&links, contingent);
        let request = pb::CheckStrongControllabilityRequest {
            problem: Some(network.clone()),
            ..pb::CheckStrongControllabilityRequest::default()
        };
        let read = temporal(&request.encode_to_vec());
        let read = read.map_err(|why| TestCaseError::fail(format!("{why:?}")))?;
        let drawn = link_ids(&network);
        prop_assert_eq!(drawn.requirements, read.link_ids);
        prop_assert_eq!(drawn.contingent, read.contingent_link_ids);
    }
}
