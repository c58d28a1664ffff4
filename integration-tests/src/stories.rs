//! Narratives to have scheduled.

use crate::networks::{contingent, link};
use crate::problems::millis;
use prost_types::Duration;
use stratagem_proto::v1::{
    NarrativeActivity, NarrativeChoice, NarrativeChooser, NarrativeDemand, NarrativeEvent,
    NarrativeGroup, NarrativeOption, NarrativeProblem, NarrativeResource, ScheduleNarrativeRequest,
    SolveOptions, TemporalContingentLink, TemporalRequirementLink,
};

/// Something that happens.
#[must_use]
pub fn moment(id: &str) -> NarrativeEvent {
    NarrativeEvent {
        id: id.into(),
        label: String::new(),
    }
}

/// Something that needs one of each of these.
#[must_use]
pub fn scene(id: &str, start: &str, end: &str, needs: &[&str]) -> NarrativeActivity {
    NarrativeActivity {
        id: id.into(),
        start_event_id: start.into(),
        end_event_id: end.into(),
        demands: needs.iter().map(|id| demand(id, 1)).collect(),
        label: String::new(),
    }
}

/// So much of a resource, given back in the end.
#[must_use]
pub fn demand(resource: &str, amount: i32) -> NarrativeDemand {
    NarrativeDemand {
        resource_id: resource.into(),
        amount: Some(amount),
        consumed: false,
    }
}

/// Actors, rooms or props.
#[must_use]
pub fn resource(id: &str, capacity: i32) -> NarrativeResource {
    NarrativeResource {
        id: id.into(),
        capacity: Some(capacity),
        label: String::new(),
    }
}

/// A way in which the story can go on.
#[must_use]
pub fn option(id: &str, events: &[&str]) -> NarrativeOption {
    NarrativeOption {
        id: id.into(),
        event_ids: events.iter().map(|&id| id.into()).collect(),
        ..Default::default()
    }
}

/// Players whose own time starts so late, in milliseconds.
#[must_use]
pub fn group(id: &str, start_ms: i64) -> NarrativeGroup {
    NarrativeGroup {
        id: id.into(),
        start_offset: Some(millis(start_ms)),
    }
}

/// Players search for 10 to 60 s and then go home, by a long route on the horse or a short one on
/// foot; they have to arrive after 60 to 80 s.
///
/// Riding takes 48 to 61 s in all and works after a search of up to 32 s; walking takes 10 to 41 s
/// and works after 19 s or more. The problem is feasible if we choose after the search, and
/// infeasible if the players choose.
#[must_use]
pub fn quest() -> NarrativeProblem {
    let named = |id: &str, link: TemporalRequirementLink| TemporalRequirementLink {
        id: id.into(),
        ..link
    };
    NarrativeProblem {
        title: "a quest".into(),
        events: ["found", "ride", "ridden", "walk", "walked", "home"]
            .map(moment)
            .into(),
        links: vec![
            named("whole", link("origin", "home", 60_000, 80_000)),
            named("mount", link("found", "ride", 0, 1_000)),
            named("riding", link("ride", "ridden", 48_000, 50_000)),
            named("dismount", link("ridden", "home", 0, 10_000)),
            named("set off", link("found", "walk", 0, 1_000)),
            named("walking", link("walk", "walked", 10_000, 20_000)),
            named("stroll", link("walked", "home", 0, 20_000)),
        ],
        contingent_links: vec![TemporalContingentLink {
            id: "search".into(),
            ..contingent("origin", "found", 10_000, 60_000)
        }],
        activities: vec![scene("on horseback", "ride", "ridden", &["horse"])],
        resources: vec![resource("horse", 1)],
        choices: vec![NarrativeChoice {
            id: "way".into(),
            chooser: NarrativeChooser::System.into(),
            options: vec![
                option("horse", &["ride", "ridden"]),
                option("foot", &["walk", "walked"]),
            ],
            label: String::new(),
        }],
        ..Default::default()
    }
}

/// [`quest`], for two groups that begin so far apart and have one horse: neither can do without it
/// after a short search.
#[must_use]
pub fn quest_of_two(apart_ms: i64) -> NarrativeProblem {
    NarrativeProblem {
        groups: vec![group("first", 0), group("second", apart_ms)],
        ..quest()
    }
}

/// A unary request.
#[must_use]
pub fn schedule(problem: NarrativeProblem, options: SolveOptions) -> ScheduleNarrativeRequest {
    ScheduleNarrativeRequest {
        problem: Some(problem),
        options: Some(options),
        detail: None,
    }
}

/// A duration in milliseconds.
///
/// # Panics
/// When it is not there.
#[must_use]
pub fn in_millis(time: Option<&Duration>) -> i64 {
    let time = time.expect("a time");
    time.seconds * 1_000 + i64::from(time.nanos) / 1_000_000
}
