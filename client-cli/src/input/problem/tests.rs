//! Problems are read, and refused.

use super::*;
use crate::args::SolomonArgs;
use crate::exit::Exit;
use formats::Format;
use stratagem_proto::v1::TemporalNetwork;

fn text(text: &str, format: Format) -> Text {
    Text {
        name: "x".into(),
        text: text.into(),
        format,
    }
}

fn failure(content: &str, format: Format) -> Failure {
    parse(&text(content, format), "allocation", ForeignArgs::default()).unwrap_err()
}

#[test]
fn a_mistake_shows_its_line() {
    let failure = failure("{\n  \"titel\": \"a\"\n}", Format::Json);
    assert_eq!(failure.exit, Exit::INVALID);
    assert_eq!(
        failure.message,
        "x:2:9: unrecognized field name 'titel'\n 2 |   \"titel\": \"a\"\n   |         ^"
    );
}

#[test]
fn a_mistake_in_a_very_long_line_shows_a_part() {
    let text = format!(
        "{{\"title\": \"{}\", \"bad\": 1, \"x\": \"{}\"}}",
        "a".repeat(500),
        "b".repeat(500)
    );
    let message = failure(&text, Format::Json).message;
    assert!(
        message.lines().all(|l| l.chars().count() <= 90),
        "{message}"
    );
    assert!(message.contains("bad"), "{message}");
}

#[test]
fn solomon_options_need_a_solomon_file() {
    let agents = SolomonArgs {
        agents: Some(3),
        rounding: None,
    };
    let text = text("{}", Format::Json);
    let foreign = ForeignArgs {
        solomon: agents,
        ..ForeignArgs::default()
    };
    let refused = parse(&text, "allocation", foreign).unwrap_err();
    assert_eq!(refused.exit, Exit::USAGE);
}

#[test]
fn examples_are_found_by_either_name_and_can_be_read() {
    for local in EXAMPLES {
        assert_eq!(built_in(local.name).unwrap(), Some(local));
        let planner = match example(local).unwrap() {
            Kind::Allocation(_) => "allocation",
            Kind::Temporal(_) => "temporal",
            Kind::Narrative(_) => "narrative",
            Kind::Patrol(_) => "patrol",
            Kind::Puzzle(_) => "puzzle",
            Kind::Heist(_) => "heist",
            Kind::Crew(_) => "crew",
            Kind::Story(_) => "story",
            Kind::Schedule(_) => "schedule",
        };
        assert_eq!(planner, local.planner);
    }
    assert_eq!(built_in("no such example").unwrap(), None);
}

#[test]
fn an_example_is_one_of_the_commands_planner_where_there_is_one() {
    assert_eq!(own("example:museum", "patrol"), "example:patrol/museum");
    assert_eq!(own("example:museum", "temporal"), "example:museum");
    assert_eq!(own("example:heist", "temporal"), "example:temporal/heist");
    assert_eq!(own("museum", "patrol"), "museum");
}

#[test]
fn the_union_of_all_planners_is_read() {
    let text = text("temporal:\n  title: a\n", Format::Yaml);
    let read = parse(&text, "allocation", ForeignArgs::default()).unwrap();
    let network = TemporalNetwork {
        title: "a".into(),
        ..TemporalNetwork::default()
    };
    assert_eq!(read, Kind::Temporal(network));
}
