//! Rehearsals of plans by strands.

use super::{MINUTE, times};
use formats::json;
use stratagem_cli::stage::{Script, Stage, broken};
use stratagem_proto::v1::{NarrativePlan, NarrativeProblem};

/// Two groups, ten minutes apart, each of which goes left or right after its start. On the left
/// there is room for one at a time.
const GROUPS: &str = r#"{
  "events": [{"id": "in"}, {"id": "left"}, {"id": "right"}],
  "links": [
    {"from_event_id": "origin", "to_event_id": "in", "lower": "0s", "upper": "0s"},
    {"from_event_id": "in", "to_event_id": "left", "lower": "300s", "upper": "1200s"},
    {"from_event_id": "in", "to_event_id": "right", "lower": "300s", "upper": "1200s"}
  ],
  "choices": [{"id": "way", "chooser": "NARRATIVE_CHOOSER_PLAYER", "options": [
    {"id": "left", "event_ids": ["left"]}, {"id": "right", "event_ids": ["right"]}]}],
  "groups": [{"id": "red"}, {"id": "blue", "start_offset": "600s"}]
}"#;

/// What each group does, and that blue is on the left at least a quarter of an hour after red; a
/// deadline for red makes that possible.
const STRANDS: &str = r#"{"policies": [
  {"picks": [{"choice_id": "red/way", "option_id": "left"}], "dispatch": {"bounds": [
    {"from_event_id": "origin", "to_event_id": "red/left", "bound": "900s"}]}},
  {"picks": [{"choice_id": "red/way", "option_id": "right"}]},
  {"picks": [{"choice_id": "blue/way", "option_id": "left"}]},
  {"picks": [{"choice_id": "blue/way", "option_id": "right"}]},
  {"picks": [{"choice_id": "red/way", "option_id": "left"}, {"choice_id": "blue/way", "option_id": "left"}],
   "dispatch": {"bounds": [
    {"from_event_id": "blue/left", "to_event_id": "red/left", "bound": "-900s"}]}}
]}"#;

#[test]
fn strands_of_groups_are_kept_with_what_they_have_between_them() {
    let problem: NarrativeProblem = json::read(GROUPS).unwrap();
    let plan: NarrativePlan = json::read(STRANDS).unwrap();
    let script = Script::new(&problem).unwrap();
    for (picks, expected) in [
        ([0, 0], [("red/left", 5), ("blue/left", 20)]),
        ([0, 1], [("red/left", 5), ("blue/right", 15)]),
        ([1, 0], [("red/right", 5), ("blue/left", 15)]),
        ([1, 1], [("red/right", 5), ("blue/right", 15)]),
    ] {
        let mut stage = Stage::new(&script, &plan);
        stage.wait_until(1);
        // Red need not wait for what blue picks later.
        stage.pick(0, picks[0]).unwrap();
        stage.wait_until(10 * MINUTE + 1);
        stage.pick(1, picks[1]).unwrap();
        stage.finish();
        let news = stage.news();
        let times = times(&news);
        for event in expected {
            assert!(times.contains(&event), "{picks:?} {times:?}");
        }
        assert!(stage.over());
        assert_eq!(broken(&stage), [""; 0]);
    }
}
