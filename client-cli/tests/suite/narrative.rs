//! Narratives: foreign formats, and rehearsing a plan.

mod strands;

use formats::{json, networks};
use stratagem_cli::moves::{Move, parse_move};
use stratagem_cli::stage::{News, Script, Stage, broken, play_by_chance};
use stratagem_proto::v1::{NarrativeChooser, NarrativePlan, NarrativeProblem};
use stratagem_render::time::micros;

const MINUTE: i64 = 60_000_000;

const LINSP: &str = r#"{
  "format": "linsp/1", "name": "quest", "origin": "z", "vertices": ["z", "a", "b"],
  "edges": [
    {"id": "go", "from": "z", "to": "a", "lb": 10, "ub": 90.5, "kind": "ctg"},
    {"id": "on", "from": "a", "to": "b", "lb": null, "ub": 5, "kind": "req"},
    {"id": "any", "from": "z", "to": "b", "lb": null, "ub": null, "kind": "req"}
  ],
  "activities": [{"id": "x", "start": "a", "end": "b", "demand": {"sword": 1, "gold": 0}}],
  "resources": {"gold": 2, "sword": 1},
  "choices": [{"id": "p", "owner": "player", "options": [
    {"id": "yes", "vertices": ["b"]}, {"id": "no", "vertices": []}]}],
  "mutex": []
}"#;

/// A search of 10 to 30 minutes, then a long way when it was short, and a short way when it was
/// long; the quest is to last 40 to 60.
const STORY: &str = r#"{
  "events": [{"id": "found"}, {"id": "long"}, {"id": "short"}, {"id": "home"}],
  "links": [
    {"id": "quest", "from_event_id": "origin", "to_event_id": "home", "lower": "2400s", "upper": "3600s"},
    {"from_event_id": "found", "to_event_id": "long", "lower": "1200s", "upper": "1800s"},
    {"from_event_id": "found", "to_event_id": "short", "lower": "60s", "upper": "600s"},
    {"from_event_id": "long", "to_event_id": "home", "lower": "60s", "upper": "600s"},
    {"from_event_id": "short", "to_event_id": "home", "lower": "60s", "upper": "600s"}
  ],
  "contingent_links": [
    {"id": "search", "from_event_id": "origin", "to_event_id": "found", "lower": "600s", "upper": "1800s"}
  ],
  "activities": [{"id": "walk", "start_event_id": "long", "end_event_id": "home", "demands": [{"resource_id": "horse"}]}],
  "resources": [{"id": "horse"}],
  "choices": [{"id": "way", "chooser": "NARRATIVE_CHOOSER_SYSTEM", "options": [
    {"id": "long", "event_ids": ["long"]}, {"id": "short", "event_ids": ["short"]}]}]
}"#;

const PLAN: &str = r#"{"policies": [
  {"picks": [{"choice_id": "way", "option_id": "long"}],
   "outcomes": [{"link_id": "search", "lower": "600s", "upper": "1500s"}],
   "hand_overs": [{"resource_id": "horse", "to_activity_id": "walk", "amount": 1}]},
  {"picks": [{"choice_id": "way", "option_id": "short"}],
   "outcomes": [{"link_id": "search", "lower": "1501s", "upper": "1800s"}]}
]}"#;

fn story() -> (NarrativeProblem, NarrativePlan) {
    (json::read(STORY).unwrap(), json::read(PLAN).unwrap())
}

fn times(news: &[News]) -> Vec<(&str, i64)> {
    let happened = news.iter().filter_map(|n| match n {
        News::Happened { event, at_us, .. } => Some((event.as_str(), at_us / MINUTE)),
        _ => None,
    });
    happened.collect()
}

fn picked(news: &[News]) -> Option<&str> {
    news.iter().find_map(|n| match n {
        News::Picked { option, .. } => Some(option.as_str()),
        _ => None,
    })
}

#[test]
fn narratives_of_the_literature_are_read() {
    let problem = networks::linsp(LINSP).unwrap();
    assert_eq!(
        (problem.title.as_str(), problem.origin_id.as_str()),
        ("quest", "z")
    );
    assert_eq!(problem.events.len(), 2);
    let go = &problem.contingent_links[0];
    assert_eq!(micros(go.upper.as_ref()), 90_500_000);
    // An edge without bounds is no link, no demand is none.
    assert_eq!(problem.links.len(), 1);
    assert_eq!(problem.activities[0].demands.len(), 1);
    assert_eq!(problem.resources[0].capacity, Some(2));
    assert_eq!(problem.choices[0].chooser(), NarrativeChooser::Player);
    for (old, new, expected) in [
        (
            "90.5",
            "null",
            "edges[0]: a contingent link needs lb and ub",
        ),
        (
            "\"player\"",
            "\"nobody\"",
            "choices[0].owner: unknown variant",
        ),
        ("90.5", "1e300", "edges[0].ub: 1"),
    ] {
        let wrong = LINSP.replace(old, new);
        let mistake = networks::linsp(&wrong).unwrap_err();
        assert!(mistake.to_string().starts_with(expected), "{mistake}");
    }
}

#[test]
fn the_way_is_picked_by_what_was_seen() {
    let (problem, plan) = story();
    let script = Script::new(&problem).unwrap();
    for (minutes, way, home) in [(10, "long", 40), (25, "long", 46), (30, "short", 40)] {
        let mut stage = Stage::new(&script, &plan);
        stage.wait_until(minutes * MINUTE);
        stage.happen(0).unwrap();
        stage.finish();
        let news = stage.news();
        assert_eq!(picked(&news), Some(way));
        assert_eq!(times(&news).last(), Some(&("home", home)));
        assert_eq!(broken(&stage), [""; 0]);
    }
}

#[test]
fn left_alone_players_take_as_long_as_they_may() {
    let (problem, plan) = story();
    let script = Script::new(&problem).unwrap();
    let mut stage = Stage::new(&script, &plan);
    stage.finish();
    let news = stage.news();
    assert_eq!(times(&news)[0], ("found", 30));
    assert_eq!(picked(&news), Some("short"));
    assert!(stage.over());
}

#[test]
fn who_goes_where_is_told_when_it_begins() {
    let (problem, plan) = story();
    let script = Script::new(&problem).unwrap();
    let mut stage = Stage::new(&script, &plan);
    stage.wait_until(12 * MINUTE);
    stage.happen(0).unwrap();
    stage.finish();
    let begins = News::Begins {
        activity: "walk".into(),
        brings: vec![("horse".into(), String::new())],
    };
    assert!(stage.news().contains(&begins));
}

#[test]
fn a_plan_that_leaves_something_open_is_found_out() {
    let (problem, mut plan) = story();
    // Nothing but the long way: a long search takes it beyond the hour.
    plan.policies.truncate(1);
    plan.policies[0].outcomes.clear();
    let mut problem = problem;
    problem.links[1].lower = problem.links[1].upper;
    let script = Script::new(&problem).unwrap();
    let mut stage = Stage::new(&script, &plan);
    stage.finish();
    assert_eq!(
        broken(&stage),
        ["quest: home came 1h01m after the begin, but at most 1h is required"]
    );
}

#[test]
fn what_may_not_happen_is_refused_with_a_reason() {
    let (problem, plan) = story();
    let script = Script::new(&problem).unwrap();
    let mut stage = Stage::new(&script, &plan);
    assert_eq!(
        stage.happen(0).unwrap_err(),
        "found may not happen before 10m"
    );
    assert_eq!(
        stage.happen(3).unwrap_err(),
        "home is ours: the plan decides"
    );
    assert_eq!(
        stage.pick(0, 1).unwrap_err(),
        "way is ours: the plan decides"
    );
}

#[test]
fn players_are_waited_for_at_their_choices() {
    let (mut problem, mut plan) = story();
    problem.choices[0].set_chooser(NarrativeChooser::Player);
    problem.links[0].lower = None;
    problem.links[0].upper = None;
    for policy in &mut plan.policies {
        policy.outcomes.clear();
    }
    let script = Script::new(&problem).unwrap();
    let mut stage = Stage::new(&script, &plan);
    stage.wait_until(11 * MINUTE);
    assert_eq!(stage.pick(0, 1).unwrap_err(), "it is not time for way yet");
    stage.happen(0).unwrap();
    stage.wait_until(20 * MINUTE);
    assert_eq!(stage.now_us(), 11 * MINUTE);
    stage.pick(0, 1).unwrap();
    stage.finish();
    assert_eq!(times(&stage.news()).last(), Some(&("home", 13)));
    assert_eq!(broken(&stage), [""; 0]);
}

#[test]
fn chance_is_repeatable_and_keeps_a_right_plan() {
    let (problem, plan) = story();
    let script = Script::new(&problem).unwrap();
    let play = |seed| {
        let mut stage = Stage::new(&script, &plan);
        play_by_chance(&mut stage, seed);
        assert_eq!(broken(&stage), [""; 0], "{seed}");
        stage.news()
    };
    let all: Vec<_> = (0..256).map(play).collect();
    assert_eq!(all[7], play(7));
    let ways: Vec<_> = all.iter().filter_map(|n| picked(n)).collect();
    assert!(ways.contains(&"long") && ways.contains(&"short"));
}

#[test]
fn commands_are_read() {
    let (problem, _) = story();
    let script = Script::new(&problem).unwrap();
    for (line, wanted) in [
        ("wait 10m", Move::Wait(10 * MINUTE)),
        ("happen found", Move::Happen(0, None)),
        ("happen found 25m", Move::Happen(0, Some(25 * MINUTE))),
        ("pick way short", Move::Pick(0, 1)),
        ("status", Move::Status),
        ("help", Move::Help),
        ("end", Move::End),
        ("# a note", Move::Nothing),
    ] {
        assert_eq!(parse_move(line, &script), Ok(wanted), "{line}");
    }
    let near = parse_move("happen fuond", &script).unwrap_err();
    assert_eq!(near, "there is no event `fuond`; there is found");
    let options = parse_move("pick way high", &script).unwrap_err();
    assert_eq!(options, "there is no option `high`; there is long, short");
    assert!(parse_move("pick nothing", &script).is_err());
}

/// A rehearsal of events with links and players' durations, to the end, with the longest durations.
fn finished(problem: &str, dispatch: &str) -> (Vec<(String, i64)>, Vec<String>) {
    let problem: NarrativeProblem = json::read(problem).unwrap();
    let plan = format!(r#"{{"policies": [{{"dispatch": {dispatch}}}]}}"#);
    let plan: NarrativePlan = json::read(&plan).unwrap();
    let script = Script::new(&problem).unwrap();
    let mut stage = Stage::new(&script, &plan);
    stage.finish();
    let news = stage.news();
    let times = times(&news).into_iter();
    (
        times.map(|(event, at)| (event.to_owned(), at)).collect(),
        broken(&stage),
    )
}

#[test]
fn events_that_can_only_happen_together_do_not_wait_for_each_other() {
    let problem = r#"{"events": [{"id": "a"}, {"id": "b"}, {"id": "c"}]}"#;
    // Each is at or before the next one, in a cycle.
    let dispatch = r#"{"bounds": [
        {"from_event_id": "b", "to_event_id": "a", "bound": "0s"},
        {"from_event_id": "c", "to_event_id": "b", "bound": "0s"},
        {"from_event_id": "a", "to_event_id": "c", "bound": "0s"}]}"#;
    let (times, broken) = finished(problem, dispatch);
    assert_eq!(times.len(), 3, "{times:?}");
    assert!(times.iter().all(|(_, at)| *at == 0), "{times:?}");
    assert!(broken.is_empty(), "{broken:?}");
}

const SEARCH: &str = r#""contingent_links": [
    {"id": "search", "from_event_id": "begin", "to_event_id": "found", "lower": "600s", "upper": "1800s"}]"#;

#[test]
fn what_happens_with_the_end_of_a_duration_waits_for_it() {
    let problem = format!(
        r#"{{"events": [{{"id": "begin"}}, {{"id": "found"}}, {{"id": "cheer"}}],
            "links": [{{"from_event_id": "found", "to_event_id": "cheer", "lower": "0s", "upper": "0s"}}],
            {SEARCH}}}"#
    );
    let (times, broken) = finished(&problem, "{}");
    assert!(broken.is_empty(), "{times:?} {broken:?}");
    assert_eq!(times[2], ("cheer".to_owned(), 30));
}

#[test]
fn what_leads_to_an_event_that_waits_waits_as_well() {
    // The music begins at most 2 minutes before the dance, which waits for the end of the search or
    // 20 minutes of it: so the lights, which are up exactly with the music, wait as well.
    let problem = format!(
        r#"{{"events": [{{"id": "begin"}}, {{"id": "found"}}, {{"id": "lights"}}, {{"id": "music"}}, {{"id": "dance"}}],
            "links": [
              {{"from_event_id": "origin", "to_event_id": "begin", "lower": "300s", "upper": "300s"}},
              {{"from_event_id": "lights", "to_event_id": "music", "lower": "0s", "upper": "0s"}},
              {{"from_event_id": "music", "to_event_id": "dance", "lower": "0s", "upper": "120s"}}],
            {SEARCH}}}"#
    );
    let dispatch = r#"{"waits": [
        {"event_id": "dance", "from_event_id": "begin", "until_event_id": "found", "duration": "1200s"}]}"#;
    let (times, broken) = finished(&problem, dispatch);
    assert!(broken.is_empty(), "{times:?} {broken:?}");
    let at = |id: &str| {
        times
            .iter()
            .find(|(event, _)| event == id)
            .map(|(_, at)| *at)
    };
    assert_eq!(at("lights"), Some(23));
    assert_eq!(at("music"), Some(23));
    assert_eq!(at("dance"), Some(25));
}

#[test]
fn nobody_picks_what_is_not_offered() {
    let (mut problem, plan) = story();
    problem.choices[0].set_chooser(NarrativeChooser::Player);
    problem.choices[0].options[0].withheld = true;
    let script = Script::new(&problem).unwrap();
    for seed in 0..20 {
        let mut stage = Stage::new(&script, &plan);
        play_by_chance(&mut stage, seed);
        assert_eq!(picked(&stage.news()), Some("short"));
    }
    let mut stage = Stage::new(&script, &plan);
    stage.wait_until(1_000 * MINUTE);
    assert_eq!(stage.pick(0, 0).unwrap_err(), "long is not offered");
    stage.pick(0, 1).unwrap();
}
