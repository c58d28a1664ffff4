//! Temporal networks to ask about.

use crate::problems::millis;
use stratagem_proto::v1::{
    CheckControllabilityRequest, CheckStrongControllabilityRequest, SolveOptions, TemporalAgent,
    TemporalAgentKind, TemporalContingentLink, TemporalEvent, TemporalNetwork,
    TemporalRequirementLink,
};

/// Somebody who makes events happen.
#[must_use]
pub fn agent(id: &str, kind: TemporalAgentKind) -> TemporalAgent {
    TemporalAgent {
        id: id.into(),
        kind: kind.into(),
        label: String::new(),
    }
}

/// An event of an agent; of Nature, or of the only agent, when that is empty.
#[must_use]
pub fn event(id: &str, agent: &str) -> TemporalEvent {
    TemporalEvent {
        id: id.into(),
        agent_id: agent.into(),
        label: String::new(),
    }
}

/// A link with a range in milliseconds.
#[must_use]
pub fn link(from: &str, to: &str, lower_ms: i64, upper_ms: i64) -> TemporalRequirementLink {
    TemporalRequirementLink {
        id: String::new(),
        from_event_id: from.into(),
        to_event_id: to.into(),
        lower: Some(millis(lower_ms)),
        upper: Some(millis(upper_ms)),
    }
}

/// A duration that Nature picks, in milliseconds.
#[must_use]
pub fn contingent(from: &str, to: &str, lower_ms: i64, upper_ms: i64) -> TemporalContingentLink {
    TemporalContingentLink {
        id: String::new(),
        from_event_id: from.into(),
        to_event_id: to.into(),
        lower: Some(millis(lower_ms)),
        upper: Some(millis(upper_ms)),
    }
}

/// Our events and a teammate's take turns, `pairs` times: theirs follows ours by 1 to 3 s, ours
/// theirs by 2 s to `patience_ms`. Strongly controllable from 4 s of patience on. Our first event
/// is in the first second: by the horizon teammates hurry, which makes things easier.
#[must_use]
pub fn turns(pairs: usize, patience_ms: i64) -> TemporalNetwork {
    let (ours, theirs) = (|i| format!("ours {i}"), |i| format!("theirs {i}"));
    let events = (0..pairs).flat_map(|i| [event(&ours(i), "we"), event(&theirs(i), "they")]);
    let there = (0..pairs).map(|i| link(&ours(i), &theirs(i), 1_000, 3_000));
    let back = (1..pairs).map(|i| link(&theirs(i - 1), &ours(i), 2_000, patience_ms));
    let begin = [link("origin", &ours(0), 0, 1_000)];
    let length = i64::try_from(pairs).expect("tests are small") * (patience_ms + 5_000);
    TemporalNetwork {
        title: "turns".into(),
        agents: vec![
            agent("we", TemporalAgentKind::Controllable),
            agent("they", TemporalAgentKind::Uncontrollable),
        ],
        events: events.collect(),
        links: there.chain(back).chain(begin).collect(),
        horizon_offset: Some(millis(length)),
        ..Default::default()
    }
}

/// Rides of 10 to 20 s one after the other, each 1 to 3 s after the end of the one before.
#[must_use]
pub fn rides(count: usize) -> TemporalNetwork {
    let (leave, arrive) = (|i| format!("leave {i}"), |i| format!("arrive {i}"));
    let events = (0..count).flat_map(|i| [event(&leave(i), ""), event(&arrive(i), "")]);
    let rides = (0..count).map(|i| contingent(&leave(i), &arrive(i), 10_000, 20_000));
    let rests = (1..count).map(|i| link(&arrive(i - 1), &leave(i), 1_000, 3_000));
    TemporalNetwork {
        title: "rides".into(),
        events: events.collect(),
        links: rests.collect(),
        contingent_links: rides.collect(),
        ..Default::default()
    }
}

/// A question about fixed times.
#[must_use]
pub fn strong(
    network: TemporalNetwork,
    options: SolveOptions,
) -> CheckStrongControllabilityRequest {
    CheckStrongControllabilityRequest {
        problem: Some(network),
        options: Some(options),
        detail: None,
    }
}

/// All questions that make sense.
#[must_use]
pub fn levels(network: TemporalNetwork, options: SolveOptions) -> CheckControllabilityRequest {
    CheckControllabilityRequest {
        problem: Some(network),
        options: Some(options),
        ..Default::default()
    }
}
