//! Mistakes about narratives.

mod whole;

use super::mistakes;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::networks::contingent;
use stratagem_integration_tests::problems::{iterations, millis};
use stratagem_integration_tests::stories::{
    demand, moment, option, quest, resource, scene, schedule,
};
use stratagem_proto::v1::{
    NarrativeChoice, NarrativeChooser, NarrativeObjective, NarrativeProblem,
};
use tonic::Status;

/// A way to spoil [`quest`], and what is to be said about it.
type Case = (
    &'static str,
    fn(&mut NarrativeProblem),
    &'static [(&'static str, &'static str)],
);

async fn refused(server: &Server, problem: NarrativeProblem) -> Status {
    let mut client = server.narrative().await;
    let options = iterations(100, 0);
    let one = client
        .schedule_narrative(schedule(problem.clone(), options.clone()))
        .await;
    let other = client
        .stream_schedule_narrative(schedule(problem, options))
        .await;
    let (one, other) = (one.expect_err("accepted"), other.unwrap_err());
    assert_eq!(
        mistakes(&one),
        mistakes(&other),
        "both methods say the same"
    );
    one
}

async fn check(base: fn() -> NarrativeProblem, cases: &[Case]) {
    let server = Server::start(&[]).await;
    for (name, spoil, wanted) in cases {
        let mut problem = base();
        spoil(&mut problem);
        let status = refused(&server, problem).await;
        let found = mistakes(&status);
        let found: Vec<_> = found
            .iter()
            .map(|(f, r)| (f.as_str(), r.as_str()))
            .collect();
        assert_eq!(found, *wanted, "{name}: {}", status.message());
    }
}

const LINKS: [Case; 12] = [
    (
        "no events",
        |p| *p = NarrativeProblem::default(),
        &[("problem.events", "REQUIRED")],
    ),
    (
        "two contingent links that end at one event",
        |p| {
            p.contingent_links.push(contingent("walk", "found", 1, 2));
        },
        &[("problem.contingent_links[1].to_event_id", "DUPLICATE")],
    ),
    (
        "contingent links in a cycle",
        |p| {
            p.events.push(moment("again"));
            p.contingent_links = vec![
                contingent("found", "again", 1, 2),
                contingent("again", "found", 1, 2),
            ];
        },
        &[
            ("problem.contingent_links[0]", "CIRCULAR"),
            ("problem.contingent_links[1]", "CIRCULAR"),
        ],
    ),
    (
        "a contingent link that ends at the origin",
        |p| p.contingent_links = vec![contingent("found", "origin", 1, 2)],
        &[("problem.contingent_links[0].to_event_id", "CONTRADICTION")],
    ),
    (
        "a duration that may be negative",
        |p| p.contingent_links[0].lower = Some(millis(-1)),
        &[("problem.contingent_links[0].lower", "OUT_OF_RANGE")],
    ),
    (
        "a duration without an end",
        |p| p.contingent_links[0].upper = None,
        &[("problem.contingent_links[0].upper", "REQUIRED")],
    ),
    (
        "lower above upper",
        |p| p.links[2].lower = Some(millis(50_001)),
        &[("problem.links[2].upper", "REVERSED")],
    ),
    (
        "a link to nowhere",
        |p| p.links[0].to_event_id = "nowhere".into(),
        &[("problem.links[0].to_event_id", "UNKNOWN")],
    ),
    (
        "a link without bounds",
        |p| (p.links[1].lower, p.links[1].upper) = (None, None),
        &[("problem.links[1]", "REQUIRED")],
    ),
    (
        "a bound beyond ten years",
        |p| p.links[0].upper = Some(millis(315_360_000_001)),
        &[("problem.links[0].upper", "OUT_OF_RANGE")],
    ),
    (
        "a horizon before the beginning",
        |p| p.horizon_offset = Some(millis(-1)),
        &[("problem.horizon_offset", "OUT_OF_RANGE")],
    ),
    (
        "the same event twice, and an event named like the origin",
        |p| {
            p.events.push(moment("found"));
            p.events.push(moment("origin"));
        },
        &[
            ("problem.events[6].id", "DUPLICATE"),
            ("problem.events[7].id", "DUPLICATE"),
        ],
    ),
];

#[tokio::test]
async fn links_of_narratives() {
    check(quest, &LINKS).await;
}

const SCENES: [Case; 11] = [
    (
        "an activity without a link",
        |p| {
            p.events.push(moment("bow"));
            p.activities.push(scene("bowing", "found", "bow", &[]));
        },
        &[("problem.activities[1]", "REQUIRED")],
    ),
    (
        "an activity on a link that may be negative",
        |p| p.links[2].lower = Some(millis(-1)),
        &[("problem.activities[0]", "REQUIRED")],
    ),
    (
        "an activity from an event to itself",
        |p| p.activities[0].end_event_id = "ride".into(),
        &[("problem.activities[0].end_event_id", "SELF_LOOP")],
    ),
    (
        "an activity of unknown events",
        |p| p.activities[0].start_event_id = "nowhere".into(),
        &[("problem.activities[0].start_event_id", "UNKNOWN")],
    ),
    (
        "an activity that only ends in one storyline",
        |p| {
            p.activities.push(scene("returning", "walked", "home", &[]));
        },
        &[("problem.activities[1]", "CONTRADICTION")],
    ),
    (
        "more than there is",
        |p| p.activities[0].demands[0].amount = Some(2),
        &[("problem.activities[0].demands[0].amount", "OUT_OF_RANGE")],
    ),
    (
        "less than nothing",
        |p| p.activities[0].demands[0].amount = Some(-1),
        &[("problem.activities[0].demands[0].amount", "OUT_OF_RANGE")],
    ),
    (
        "one resource twice",
        |p| p.activities[0].demands.push(demand("horse", 1)),
        &[("problem.activities[0].demands[1].resource_id", "DUPLICATE")],
    ),
    (
        "a resource that nobody has",
        |p| p.activities[0].demands[0].resource_id = "dragon".into(),
        &[("problem.activities[0].demands[0].resource_id", "UNKNOWN")],
    ),
    (
        "a capacity below 0, and one that is too large",
        |p| {
            p.resources.push(resource("less", -1));
            p.resources.push(resource("more", 1_000_001));
        },
        &[
            ("problem.resources[1].capacity", "OUT_OF_RANGE"),
            ("problem.resources[2].capacity", "OUT_OF_RANGE"),
        ],
    ),
    (
        "idle time that may be negative, and on no link",
        |p| {
            p.links[5].lower = None;
            p.objective = Some(NarrativeObjective {
                idle_weight: 1,
                makespan_weight: -1,
                idle_link_ids: ["walking", "searching", "stroll"].map(str::to_owned).into(),
                ..Default::default()
            });
        },
        &[
            ("problem.objective.makespan_weight", "OUT_OF_RANGE"),
            ("problem.objective.idle_link_ids[1]", "UNKNOWN"),
            ("problem.objective.idle_link_ids[0]", "OUT_OF_RANGE"),
        ],
    ),
];

#[tokio::test]
async fn activities_and_resources_of_narratives() {
    check(quest, &SCENES).await;
}

const FORKS: [Case; 9] = [
    (
        "nobody chooses",
        |p| p.choices[0].chooser = 0,
        &[("problem.choices[0].chooser", "REQUIRED")],
    ),
    (
        "somebody else chooses",
        |p| p.choices[0].chooser = 7,
        &[("problem.choices[0].chooser", "ENUM_UNKNOWN")],
    ),
    (
        "one option",
        |p| p.choices[0].options.truncate(1),
        &[("problem.choices[0].options", "REQUIRED")],
    ),
    (
        "no options",
        |p| p.choices[0].options.clear(),
        &[("problem.choices[0].options", "REQUIRED")],
    ),
    (
        "nothing to pick",
        |p| {
            p.choices[0]
                .options
                .iter_mut()
                .for_each(|o| o.withheld = true);
        },
        &[("problem.choices[0].options", "REQUIRED")],
    ),
    (
        "an event in two options, which is in no storyline",
        |p| p.choices[0].options[1].event_ids.push("ride".into()),
        &[("problem.choices[0].options[1].event_ids", "OVERLAP")],
    ),
    (
        "two options of one name, with an event that is not there and the origin",
        |p| {
            let events = ["nowhere", "origin"].map(str::to_owned).into();
            p.choices[0].options[1] = option("horse", &[]);
            p.choices[0].options[1].event_ids = events;
        },
        &[
            ("problem.choices[0].options[1].id", "DUPLICATE"),
            ("problem.choices[0].options[1].event_ids[0]", "UNKNOWN"),
            (
                "problem.choices[0].options[1].event_ids[1]",
                "CONTRADICTION",
            ),
        ],
    ),
    (
        "half of a contingent link",
        |p| {
            p.contingent_links.push(contingent("ridden", "home", 1, 2));
        },
        &[("problem.contingent_links[1]", "CONTRADICTION")],
    ),
    (
        "more than a thousand storylines",
        |p| {
            for choice in 0..10 {
                let (one, other) = (format!("{choice} a"), format!("{choice} b"));
                p.events.extend([moment(&one), moment(&other)]);
                p.choices.push(NarrativeChoice {
                    id: format!("choice {choice}"),
                    chooser: NarrativeChooser::Player.into(),
                    options: vec![option("a", &[&one]), option("b", &[&other])],
                    label: String::new(),
                });
            }
        },
        &[("problem.choices", "TOO_MANY")],
    ),
];

#[tokio::test]
async fn choices_of_narratives() {
    check(quest, &FORKS).await;
}
