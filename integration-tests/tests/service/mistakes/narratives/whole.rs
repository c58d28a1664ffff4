//! Groups, what has happened, sizes, and everything at once.

use super::{Case, check, mistakes, refused};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::networks::link;
use stratagem_integration_tests::problems::{iterations, millis};
use stratagem_integration_tests::stories::{
    group, moment, quest, quest_of_two, resource, schedule,
};
use stratagem_proto::v1::{
    NarrativeProblem, NarrativeProgress, ScheduleNarrativeRequest, SolveOptions,
    TemporalScheduledEvent,
};

fn happened(id: &str, ms: i64) -> TemporalScheduledEvent {
    TemporalScheduledEvent {
        event_id: id.into(),
        time_offset: Some(millis(ms)),
    }
}

const PAST: [Case; 7] = [
    (
        "it is before the beginning",
        |p| p.progress.as_mut().unwrap().now_offset = Some(millis(-1)),
        &[("problem.progress.now_offset", "OUT_OF_RANGE")],
    ),
    (
        "something that will happen",
        |p| p.progress.as_mut().unwrap().happened = vec![happened("first/found", 20_001)],
        &[("problem.progress.happened[0].time_offset", "OUT_OF_RANGE")],
    ),
    (
        "something that happened twice, and something else",
        |p| {
            let all = ["first/found", "first/found", "found"];
            p.progress.as_mut().unwrap().happened = all.map(|id| happened(id, 15_000)).into();
        },
        &[("problem.progress.happened[2].event_id", "UNKNOWN")],
    ),
    (
        "something that happened twice",
        |p| {
            let all = ["first/found", "first/found"];
            p.progress.as_mut().unwrap().happened = all.map(|id| happened(id, 15_000)).into();
        },
        &[("problem.progress.happened[1].event_id", "DUPLICATE")],
    ),
    (
        "a search that was too short",
        |p| p.progress.as_mut().unwrap().happened = vec![happened("first/found", 9_999)],
        &[("problem.progress", "CONTRADICTION")],
    ),
    (
        "a search that has lasted too long",
        |p| p.progress.as_mut().unwrap().now_offset = Some(millis(60_001)),
        &[("problem.progress", "CONTRADICTION")],
    ),
    (
        "groups of one name, one named with a slash, one that begins before the beginning",
        |p| {
            p.groups[1].id = "first".into();
            p.groups.push(group("a/b", -1));
        },
        &[
            ("problem.groups[2].start_offset", "OUT_OF_RANGE"),
            ("problem.groups[1].id", "DUPLICATE"),
            ("problem.groups[2].id", "CONTRADICTION"),
        ],
    ),
];

#[tokio::test]
async fn groups_and_pasts_of_narratives() {
    let base = || NarrativeProblem {
        progress: Some(NarrativeProgress {
            now_offset: Some(millis(20_000)),
            ..Default::default()
        }),
        ..quest_of_two(30_000)
    };
    check(base, &PAST).await;
}

#[tokio::test]
async fn everything_about_a_narrative_is_said_at_once() {
    let server = Server::start(&[]).await;
    let mut problem = quest();
    problem.links[0].to_event_id = "nowhere".into();
    problem.activities[0].demands[0].amount = Some(9);
    problem.choices[0].chooser = 0;
    problem.horizon_offset = Some(millis(-1));
    let options = SolveOptions {
        strategy: "guessing".into(),
        ..iterations(-1, 0)
    };
    let mut client = server.narrative().await;
    let status = client
        .schedule_narrative(schedule(problem, options))
        .await
        .unwrap_err();
    let mut found: Vec<_> = mistakes(&status).into_iter().map(|(f, _)| f).collect();
    found.sort();
    let wanted = [
        "options.max_iterations",
        "options.strategy",
        "problem.activities[0].demands[0].amount",
        "problem.choices[0].chooser",
        "problem.horizon_offset",
        "problem.links[0].to_event_id",
    ];
    assert_eq!(found, wanted, "{}", status.message());
    let empty = ScheduleNarrativeRequest::default();
    let status = client.schedule_narrative(empty).await.unwrap_err();
    let wanted = [("problem".to_owned(), "REQUIRED".to_owned())];
    assert_eq!(mistakes(&status), wanted);
}

#[tokio::test]
async fn narratives_that_are_too_large_are_refused_by_their_lists() {
    let server = Server::start(&[]).await;
    let mut problem = quest();
    problem.events = (0..501).map(|i| moment(&format!("event {i}"))).collect();
    problem.resources = (0..129).map(|i| resource(&i.to_string(), 1)).collect();
    problem.links = vec![link("event 0", "event 1", 0, 1); 20_001];
    problem.groups = (0..33).map(|i| group(&i.to_string(), 0)).collect();
    let many = |field: &str| (field.to_owned(), "TOO_MANY".to_owned());
    let wanted = ["events", "links", "resources", "groups"];
    let wanted = wanted.map(|list| many(&format!("problem.{list}")));
    assert_eq!(mistakes(&refused(&server, problem).await), wanted);
    // Each group small enough, all together not.
    let mut problem = quest();
    problem.events = (0..100).map(|i| moment(&format!("event {i}"))).collect();
    problem.groups = (0..6).map(|i| group(&i.to_string(), 0)).collect();
    (problem.links, problem.contingent_links) = (Vec::new(), Vec::new());
    (problem.activities, problem.choices) = (Vec::new(), Vec::new());
    let found = mistakes(&refused(&server, problem).await);
    assert_eq!(found, [many("problem.groups")]);
}
