//! Every example is strict proto3 JSON of its planner's problem, and says what it is.

use prost_reflect::{DescriptorPool, DeserializeOptions, DynamicMessage};
use std::collections::BTreeSet;
use stratagem_proto::{DESCRIPTOR_SET, EXAMPLES, Example, v1::AllocationProblem};

/// The problem message of a planner.
fn message_of(planner: &str) -> &'static str {
    match planner {
        "allocation" => "stratagem.v1.AllocationProblem",
        "crew" => "stratagem.v1.CrewProblem",
        "heist" => "stratagem.v1.HeistProblem",
        "narrative" => "stratagem.v1.NarrativeProblem",
        "patrol" => "stratagem.v1.PatrolProblem",
        "puzzle" => "stratagem.v1.PuzzleProblem",
        "schedule" => "stratagem.v1.ScheduleProblem",
        "story" => "stratagem.v1.StoryProblem",
        "temporal" => "stratagem.v1.TemporalNetwork",
        other => panic!("say here which message the examples of {other} are"),
    }
}

fn parse(example: &Example) -> DynamicMessage {
    let pool = DescriptorPool::decode(DESCRIPTOR_SET).unwrap();
    let descriptor = pool
        .get_message_by_name(message_of(example.planner))
        .unwrap();
    let options = DeserializeOptions::new().deny_unknown_fields(true);
    let mut json = serde_json::Deserializer::from_str(example.json);
    let message = DynamicMessage::deserialize_with_options(descriptor, &mut json, &options)
        .unwrap_or_else(|e| panic!("{}: {e}", example.name));
    json.end().unwrap();
    message
}

/// A text about an example. What is planned in a world is called as the world is.
fn text(message: &DynamicMessage, field: &str) -> String {
    let world = message.get_field_by_name("world");
    let world = world.as_deref().and_then(|world| world.as_message());
    let text = world.unwrap_or(message).get_field_by_name(field).unwrap();
    text.as_str().unwrap().to_owned()
}

fn allocation(name: &str) -> AllocationProblem {
    let example = EXAMPLES.iter().find(|e| e.name == name).unwrap();
    parse(example).transcode_to().unwrap()
}

#[test]
fn every_example_is_strict_proto3_json_with_a_title_and_a_description() {
    assert!(!EXAMPLES.is_empty());
    for example in EXAMPLES {
        let message = parse(example);
        for field in ["title", "description"] {
            let text = text(&message, field);
            assert!(!text.is_empty(), "{} has no {field}", example.name);
        }
    }
}

#[test]
fn names_of_examples_are_unique_sorted_and_begin_with_their_planner() {
    let names: Vec<_> = EXAMPLES.iter().map(|e| e.name).collect();
    let unique: BTreeSet<_> = names.iter().collect();
    assert_eq!(unique.len(), names.len());
    assert!(names.is_sorted());
    for example in EXAMPLES {
        let rest = example.name.strip_prefix(example.planner);
        assert!(
            rest.is_some_and(|r| r.starts_with('/') && r.len() > 1),
            "{}",
            example.name
        );
    }
}

#[test]
fn titles_are_unique() {
    let titles = EXAMPLES.iter().map(|one| text(&parse(one), "title"));
    let titles: BTreeSet<_> = titles.collect();
    assert_eq!(titles.len(), EXAMPLES.len());
}

#[test]
fn ids_within_an_example_are_unique() {
    for example in EXAMPLES.iter().filter(|e| e.planner == "allocation") {
        let problem = allocation(example.name);
        let tasks: BTreeSet<_> = problem.tasks.iter().map(|t| &t.id).collect();
        let agents: BTreeSet<_> = problem.agents.iter().map(|a| &a.id).collect();
        assert_eq!(tasks.len(), problem.tasks.len(), "{}", example.name);
        assert_eq!(agents.len(), problem.agents.len(), "{}", example.name);
    }
}

#[test]
fn the_raid_has_a_dozen_units_and_a_hundred_tasks() {
    let raid = allocation("allocation/raid");
    assert_eq!((raid.agents.len(), raid.tasks.len()), (12, 100));
}
