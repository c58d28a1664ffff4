//! Updates of executed networks: what is accepted, and what comes next.

use super::State;
use crate::session::{Executed as _, refused};
use crate::values::duration_of_micros;
use stratagem_proto::v1::{self as pb, session_update::Change, session_view};

const SECOND: i64 = 1_000_000;

fn offset(seconds: i64) -> Option<prost_types::Duration> {
    Some(duration_of_micros(seconds * SECOND))
}

/// A courier rides 10 to 20 s after "go"; the gate opens at most 5 s before and 2 s after the
/// arrival.
fn network() -> pb::TemporalNetwork {
    let event = |id: &str| pb::TemporalEvent {
        id: id.into(),
        ..pb::TemporalEvent::default()
    };
    pb::TemporalNetwork {
        events: vec![event("go"), event("arrival"), event("gate")],
        links: vec![requirement("arrival", "gate", -5, 2)],
        contingent_links: vec![ride(10, 20)],
        ..pb::TemporalNetwork::default()
    }
}

fn requirement(from: &str, to: &str, lower: i64, upper: i64) -> pb::TemporalRequirementLink {
    pb::TemporalRequirementLink {
        id: String::new(),
        from_event_id: from.into(),
        to_event_id: to.into(),
        lower: offset(lower),
        upper: offset(upper),
    }
}

fn ride(lower: i64, upper: i64) -> pb::TemporalContingentLink {
    pb::TemporalContingentLink {
        id: "ride".into(),
        from_event_id: "go".into(),
        to_event_id: "arrival".into(),
        lower: offset(lower),
        upper: offset(upper),
    }
}

fn session() -> State {
    let state = State::new(pb::TemporalSessionState {
        network: Some(network()),
        ..pb::TemporalSessionState::default()
    });
    state.unwrap()
}

fn happened(events: &[(&str, i64)]) -> pb::TemporalChanges {
    let event = |(id, at): &(&str, i64)| pb::TemporalHappenedEvent {
        event_id: (*id).into(),
        at_offset: offset(*at),
    };
    pb::TemporalChanges {
        happened: events.iter().map(event).collect(),
        ..pb::TemporalChanges::default()
    }
}

/// The state after changes at a time, or the fields and reasons of its mistakes.
fn changed(
    state: &State,
    now: i64,
    changes: pb::TemporalChanges,
) -> Result<State, Vec<(String, String)>> {
    let update = pb::SessionUpdate {
        sequence: 1,
        now_offset: offset(now),
        change: Some(Change::Temporal(changes)),
    };
    state.updated(update).map_err(|wrong| {
        let mistakes = refused(1, wrong).mistakes.into_iter();
        mistakes.map(|it| (it.field, it.reason)).collect()
    })
}

fn decisions(state: &State) -> pb::TemporalDecisions {
    match state.view().plan {
        Some(session_view::Plan::Temporal(decisions)) => decisions,
        other => panic!("{other:?}"),
    }
}

#[test]
fn mistakes_name_their_fields() {
    let state = session();
    let go = changed(&state, 1, happened(&[("go", 1)])).unwrap();
    let unlinked = pb::TemporalChanges {
        removed_link_ids: vec!["ride".into()],
        ..pb::TemporalChanges::default()
    };
    let no_ride = pb::TemporalChanges {
        put_contingent_links: vec![pb::TemporalContingentLink {
            id: "walk".into(),
            ..ride(1, 2)
        }],
        ..pb::TemporalChanges::default()
    };
    let reversed = pb::TemporalChanges {
        put_links: vec![requirement("go", "gate", 9, 3)],
        ..pb::TemporalChanges::default()
    };
    for (now, changes, field, reason) in [
        (0, happened(&[]), "now_offset", "OUT_OF_RANGE"),
        (
            3,
            happened(&[("moon", 2)]),
            "temporal.happened[0].event_id",
            "UNKNOWN",
        ),
        (
            3,
            happened(&[("origin", 2)]),
            "temporal.happened[0].event_id",
            "WRONG_KIND",
        ),
        (
            3,
            happened(&[("gate", 2), ("go", 2)]),
            "temporal.happened[1].event_id",
            "DUPLICATE",
        ),
        (
            3,
            happened(&[("gate", 4)]),
            "temporal.happened[0].at_offset",
            "OUT_OF_RANGE",
        ),
        (
            3,
            happened(&[("arrival", 0)]),
            "temporal.happened[0].event_id",
            "CONTRADICTION",
        ),
        (3, unlinked, "temporal.removed_link_ids[0]", "UNKNOWN"),
        (3, no_ride, "temporal.put_contingent_links[0].id", "UNKNOWN"),
        (3, reversed, "network.links[1].upper", "REVERSED"),
    ] {
        let wrong = changed(&go, now, changes).map(|_| ()).unwrap_err();
        assert_eq!(wrong, [(field.to_owned(), reason.to_owned())]);
    }
}

#[test]
fn networks_with_teammates_are_rejected() {
    let mut given = network();
    let agent = |id: &str, kind: pb::TemporalAgentKind| pb::TemporalAgent {
        id: id.into(),
        kind: kind.into(),
        ..pb::TemporalAgent::default()
    };
    given.agents = vec![
        agent("we", pb::TemporalAgentKind::Controllable),
        agent("they", pb::TemporalAgentKind::Uncontrollable),
    ];
    given.events.remove(1);
    given.links = vec![requirement("go", "gate", 0, 5)];
    given.contingent_links.clear();
    given.events[0].agent_id = "we".into();
    given.events[1].agent_id = "they".into();
    given.horizon_offset = offset(60);
    let state = State::new(pb::TemporalSessionState {
        network: Some(given),
        ..pb::TemporalSessionState::default()
    });
    let wrong = state.map(|_| ()).unwrap_err().into_list();
    assert_eq!(wrong[0].field, "network.agents");
}

#[test]
fn what_has_happened_survives_changes_of_links() {
    let go = changed(&session(), 1, happened(&[("go", 1)])).unwrap();
    let changes = pb::TemporalChanges {
        removed_link_ids: vec!["arrival->gate".into()],
        put_links: vec![requirement("arrival", "gate", -5, 1)],
        put_contingent_links: vec![ride(12, 15)],
        ..pb::TemporalChanges::default()
    };
    let next = changed(&go, 2, changes).unwrap();
    let snapshot = next.snapshot();
    assert_eq!(snapshot.happened, happened(&[("go", 1)]).happened);
    assert_eq!(snapshot.now_offset, offset(2));
    let network = snapshot.network.clone().unwrap();
    assert_eq!(network.contingent_links, [ride(12, 15)]);
    assert_eq!(network.links.len(), 1);
    assert_eq!(network.links[0].upper, offset(1));
    let again = State::new(snapshot.clone()).unwrap();
    assert_eq!(again.snapshot(), snapshot);
}

#[test]
fn without_a_search_nothing_is_due_and_the_verdict_is_open() {
    let state = session();
    assert!(state.needs_search());
    let shown = decisions(&state);
    assert_eq!(shown.verdict(), pb::TemporalVerdict::Unknown);
    assert_eq!((shown.due, shown.upcoming), (Vec::new(), Vec::new()));
    assert!(!state.view().complete);
}

#[test]
fn snapshots_have_no_ids_that_are_too_long() {
    let mut given = network();
    let long = "x".repeat(70);
    for event in &mut given.events {
        if event.id != "go" {
            event.id.push_str(&long);
        }
    }
    given.links = vec![requirement(
        &format!("arrival{long}"),
        &format!("gate{long}"),
        -5,
        2,
    )];
    given.contingent_links[0].to_event_id.push_str(&long);
    let state = pb::TemporalSessionState {
        network: Some(given),
        ..pb::TemporalSessionState::default()
    };
    let mut snapshot = State::new(state).unwrap().snapshot();
    assert!(crate::mistakes::Mistakes::in_fields(&mut snapshot).is_ok_and(|it| it.is_empty()));
}
