//! The longest times that there are.

use super::ask_levels;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::networks::{event, levels, link};
use stratagem_integration_tests::problems::budget;
use stratagem_proto::v1::{
    CheckControllabilityRequest, TemporalControllabilityLevel, TemporalDetail, TemporalNetwork,
    TemporalVerdict,
};

const EVENTS: i64 = 1_000;
const TEN_YEARS_MS: i64 = 315_360_000_000;

/// Each event ten years after the one before.
fn ages() -> TemporalNetwork {
    let name = |i: i64| match i {
        0 => "origin".to_owned(),
        i => format!("event {i}"),
    };
    let step = |i| link(&name(i - 1), &name(i), TEN_YEARS_MS, TEN_YEARS_MS);
    TemporalNetwork {
        events: (1..=EVENTS).map(|i| event(&name(i), "")).collect(),
        links: (1..=EVENTS).map(step).collect(),
        ..Default::default()
    }
}

fn consistent(network: TemporalNetwork) -> CheckControllabilityRequest {
    CheckControllabilityRequest {
        levels: vec![TemporalControllabilityLevel::Consistent.into()],
        detail: Some(TemporalDetail {
            max_relaxations: Some(0),
            with_conflict: Some(false),
            ..Default::default()
        }),
        ..levels(network, budget(60_000))
    }
}

#[tokio::test]
async fn the_longest_chain_of_the_longest_links_does_not_overflow() {
    let server = Server::start(&[]).await;
    let answer = ask_levels(&server, consistent(ages())).await;
    let finding = &answer.findings[0];
    assert_eq!(finding.verdict(), TemporalVerdict::Holds);
    let last = finding.plan.as_ref().unwrap().events.last().unwrap();
    let seconds = last.time_offset.as_ref().unwrap().seconds;
    assert_eq!(seconds, EVENTS * TEN_YEARS_MS / 1_000);
}
