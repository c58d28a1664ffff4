//! Mistakes about temporal networks.

use super::mistakes;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::networks::{
    agent, contingent, event, levels, link, ride, strong, turns,
};
use stratagem_integration_tests::problems::{iterations, millis};
use stratagem_proto::v1::{
    CheckControllabilityRequest, CheckStrongControllabilityRequest, TemporalAgentKind,
    TemporalControllabilityLevel, TemporalNetwork,
};
use tonic::Status;

/// A way to spoil a network, and what is to be said about it.
type Case = (
    &'static str,
    fn(&mut TemporalNetwork),
    &'static [(&'static str, &'static str)],
);

async fn refused(server: &Server, network: TemporalNetwork) -> Status {
    let mut client = server.temporal().await;
    let options = iterations(100, 0);
    let one = client
        .check_strong_controllability(strong(network.clone(), options.clone()))
        .await;
    let other = client.check_controllability(levels(network, options)).await;
    let (one, other) = (one.unwrap_err(), other.unwrap_err());
    assert_eq!(
        mistakes(&one),
        mistakes(&other),
        "both methods say the same"
    );
    one
}

async fn check(base: fn() -> TemporalNetwork, cases: &[Case]) {
    let server = Server::start(&[]).await;
    for (name, spoil, wanted) in cases {
        let mut network = base();
        spoil(&mut network);
        let status = refused(&server, network).await;
        let found = mistakes(&status);
        let found: Vec<_> = found
            .iter()
            .map(|(f, r)| (f.as_str(), r.as_str()))
            .collect();
        assert_eq!(found, *wanted, "{name}: {}", status.message());
    }
}

const TEAMMATES: [Case; 13] = [
    (
        "no events",
        |n| {
            n.events.clear();
            n.links.clear();
        },
        &[("problem.events", "REQUIRED")],
    ),
    (
        "an unknown event",
        |n| n.links[0].to_event_id = "nowhere".into(),
        &[("problem.links[0].to_event_id", "UNKNOWN")],
    ),
    (
        "a link from an event to itself",
        |n| n.links[1].to_event_id = n.links[1].from_event_id.clone(),
        &[("problem.links[1].to_event_id", "SELF_LOOP")],
    ),
    (
        "lower above upper",
        |n| n.links[0].lower = Some(millis(3_001)),
        &[("problem.links[0].upper", "REVERSED")],
    ),
    (
        "an unknown event and lower above upper",
        |n| {
            n.links[0].to_event_id = "nowhere".into();
            n.links[0].lower = Some(millis(3_001));
        },
        &[
            ("problem.links[0].to_event_id", "UNKNOWN"),
            ("problem.links[0].upper", "REVERSED"),
        ],
    ),
    (
        "a link from an unknown event to itself without bounds",
        |n| {
            n.links[0].from_event_id = "nowhere".into();
            n.links[0].to_event_id = "nowhere".into();
            (n.links[0].lower, n.links[0].upper) = (None, None);
        },
        &[
            ("problem.links[0].from_event_id", "UNKNOWN"),
            ("problem.links[0].to_event_id", "UNKNOWN"),
            ("problem.links[0]", "REQUIRED"),
            ("problem.links[0].to_event_id", "SELF_LOOP"),
        ],
    ),
    (
        "a link without bounds",
        |n| (n.links[0].lower, n.links[0].upper) = (None, None),
        &[("problem.links[0]", "REQUIRED")],
    ),
    (
        "a bound beyond ten years",
        |n| n.links[0].upper = Some(millis(315_360_000_001)),
        &[("problem.links[0].upper", "OUT_OF_RANGE")],
    ),
    (
        "a bound that is no time",
        |n| {
            n.links[0].lower = Some(prost_types::Duration {
                seconds: 1,
                nanos: -1,
            });
        },
        &[("problem.links[0].lower", "DURATION_MALFORMED")],
    ),
    (
        "two links of one name",
        |n| {
            for link in &mut n.links[1..] {
                link.id = "same".into();
            }
        },
        &[
            ("problem.links[2].id", "DUPLICATE"),
            ("problem.links[3].id", "DUPLICATE"),
        ],
    ),
    (
        "events of nobody",
        |n| n.events[2].agent_id = String::new(),
        &[("problem.events[2].agent_id", "REQUIRED")],
    ),
    (
        "events of somebody else",
        |n| n.events[2].agent_id = "somebody".into(),
        &[("problem.events[2].agent_id", "UNKNOWN")],
    ),
    (
        "agents of no kind",
        |n| n.agents[1].kind = 0,
        &[("problem.agents[1].kind", "REQUIRED")],
    ),
];

#[tokio::test]
async fn networks_with_teammates() {
    check(|| turns(2, 6_000), &TEAMMATES).await;
}

const NATURE: [Case; 6] = [
    (
        "two contingent links that end at one event",
        |n| {
            n.contingent_links.push(contingent("rest", "arrive", 1, 2));
        },
        &[("problem.contingent_links[1].to_event_id", "DUPLICATE")],
    ),
    (
        "a contingent link from an unknown event, lower above upper",
        |n| {
            n.contingent_links[0].from_event_id = "nowhere".into();
            n.contingent_links[0].lower = Some(millis(20_001));
        },
        &[
            ("problem.contingent_links[0].from_event_id", "UNKNOWN"),
            ("problem.contingent_links[0].upper", "REVERSED"),
        ],
    ),
    (
        "a contingent link that ends at an event of somebody",
        |n| n.events[1].agent_id = "we".into(),
        &[("problem.events[1].agent_id", "CONTRADICTION")],
    ),
    (
        "a contingent link that ends at the origin",
        |n| n.contingent_links[0].to_event_id = "origin".into(),
        &[("problem.contingent_links[0].to_event_id", "CONTRADICTION")],
    ),
    (
        "a duration below nothing",
        |n| n.contingent_links[0].lower = Some(millis(-1)),
        &[("problem.contingent_links[0].lower", "OUT_OF_RANGE")],
    ),
    (
        "events of teammates and of Nature",
        |n| {
            n.agents = vec![
                agent("we", TemporalAgentKind::Controllable),
                agent("they", TemporalAgentKind::Uncontrollable),
            ];
            n.events[0].agent_id = "we".into();
            n.events[2] = event("rest", "they");
            n.horizon_offset = Some(millis(60_000));
        },
        &[("problem.contingent_links", "CONTRADICTION")],
    ),
];

#[tokio::test]
async fn networks_with_nature() {
    check(ride, &NATURE).await;
}

#[tokio::test]
async fn contingent_circles() {
    let server = Server::start(&[]).await;
    let mut network = ride();
    network
        .contingent_links
        .push(contingent("arrive", "leave", 1, 2));
    let found = mistakes(&refused(&server, network).await);
    assert!(!found.is_empty());
    for (field, reason) in found {
        assert!(field.starts_with("problem.contingent_links["), "{field}");
        assert_eq!(reason, "CIRCULAR");
    }
}

#[tokio::test]
async fn events_that_need_a_horizon_are_named() {
    let server = Server::start(&[]).await;
    let mut network = turns(1, 6_000);
    network.horizon_offset = None;
    network.links.truncate(1);
    let status = refused(&server, network).await;
    let found = mistakes(&status);
    assert!(
        found.contains(&("problem.events[0]".into(), "UNBOUNDED".into())),
        "{found:?}"
    );
    assert!(
        status.message().contains("horizon_offset"),
        "{}",
        status.message()
    );
    assert!(
        status.message().contains("\"ours 0\""),
        "{}",
        status.message()
    );
}

#[tokio::test]
async fn mistakes_of_a_hundred_thousand_links_are_counted() {
    let server = Server::start(&[]).await;
    let mut network = turns(2, 6_000);
    network.links = vec![link("nowhere", "ours 0", 2, 1); 100_000];
    let mut client = server.temporal().await;
    let request = strong(network.clone(), iterations(1, 0));
    let status = client
        .check_strong_controllability(request)
        .await
        .unwrap_err();
    let found = mistakes(&status);
    assert_eq!(found.len(), 100);
    assert_eq!(
        found[98..],
        [
            (
                "problem.links[49].from_event_id".into(),
                "UNKNOWN".to_owned()
            ),
            ("problem.links[49].upper".into(), "REVERSED".to_owned()),
        ]
    );
    // Two of each link.
    assert!(status.message().contains("200000"), "{}", status.message());
    network.links.push(link("origin", "ours 0", 1, 2));
    let request = strong(network, iterations(1, 0));
    let status = client
        .check_strong_controllability(request)
        .await
        .unwrap_err();
    let many = [("problem.links".to_owned(), "TOO_MANY".to_owned())];
    assert_eq!(mistakes(&status), many);
}

#[tokio::test]
async fn questions_that_make_no_sense() {
    let server = Server::start(&[]).await;
    let mut client = server.temporal().await;
    let dynamic = TemporalControllabilityLevel::Dynamic.into();
    for (network, levels, wanted) in [
        (ride(), vec![0], ("levels[0]", "REQUIRED")),
        (ride(), vec![9], ("levels[0]", "ENUM_UNKNOWN")),
        (ride(), vec![dynamic, dynamic], ("levels[1]", "DUPLICATE")),
        (
            turns(1, 6_000),
            vec![dynamic],
            ("levels[0]", "CONTRADICTION"),
        ),
    ] {
        let request = CheckControllabilityRequest {
            problem: Some(network),
            levels,
            ..Default::default()
        };
        let status = client.check_controllability(request).await.unwrap_err();
        assert_eq!(
            mistakes(&status),
            [(wanted.0.to_owned(), wanted.1.to_owned())]
        );
    }
    let empty = CheckStrongControllabilityRequest::default();
    let status = client
        .check_strong_controllability(empty)
        .await
        .unwrap_err();
    assert_eq!(
        mistakes(&status),
        [("problem".to_owned(), "REQUIRED".to_owned())]
    );
}
