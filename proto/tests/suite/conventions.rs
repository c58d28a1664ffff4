//! The rules of the wire that `buf lint` does not know; ARCHITECTURE.md gives the reasons.

use prost_reflect::{DescriptorPool, EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};
use prost_reflect::{MethodDescriptor, ServiceDescriptor};
use stratagem_proto::DESCRIPTOR_SET;

/// Services that plan nothing themselves: no `SolveOptions`, no `SolveReport`.
const NOT_PLANNERS: [&str; 4] = [
    "JobService",
    "PlanningService",
    "ServerService",
    "SessionService",
];

/// Methods of planners that search nothing: they judge, or play, what the caller gives them.
const NOT_SEARCHES: [&str; 7] = [
    "CompareCrewMoves",
    "EvaluatePatrol",
    "ExplainStory",
    "InsertTask",
    "RatePuzzles",
    "RenderPlan",
    "SimulateHeist",
];

/// Methods whose streams are all that happens, or is learned: they have no unary twin.
const WITHOUT_TWIN: [&str; 4] = [
    "LearnStoryDomain",
    "SimulateHeist",
    "WatchJob",
    "WatchSession",
];

/// Durations that are neither a length (`_duration`) nor a point in game time (`_offset`): bounds
/// on the difference of two times may be negative.
const OTHER_DURATIONS: [&str; 9] = [
    "bound",
    "elapsed",
    "lower",
    "new_bound",
    "old_bound",
    "time_budget",
    "default_time_budget",
    "max_time_budget",
    "upper",
];

#[test]
fn zero_of_an_enum_claims_nothing() {
    for kind in enums() {
        let zero = kind.get_value(0).expect("proto3 wants a zero");
        let prefix = upper_snake(kind.name());
        assert_eq!(zero.name(), format!("{prefix}_UNSPECIFIED"));
    }
}

#[test]
fn integers_are_signed() {
    for field in fields() {
        let unsigned = [Kind::Uint32, Kind::Uint64, Kind::Fixed32, Kind::Fixed64];
        let name = field.full_name();
        assert!(!unsigned.contains(&field.kind()), "{name} is unsigned");
    }
}

#[test]
fn there_are_no_maps() {
    for field in fields() {
        assert!(!field.is_map(), "{} is a map", field.full_name());
    }
}

#[test]
fn foreign_types_are_durations_and_rich_errors_only() {
    for field in fields() {
        let Kind::Message(kind) = field.kind() else {
            continue;
        };
        let known = kind.package_name() == "stratagem.v1"
            || kind.full_name() == "google.protobuf.Duration"
            || kind.full_name() == "google.rpc.Status"
            // Jobs live on the calendar.
            || (kind.full_name() == "google.protobuf.Timestamp"
                && field.parent_message().name().starts_with("Job"));
        // No other Timestamp: game time pauses. No Any, no Struct: the contract is typed.
        let (name, kind) = (field.full_name(), kind.full_name());
        assert!(known, "{name} is a {kind}");
    }
}

#[test]
fn durations_say_in_their_name_what_they_measure() {
    for field in fields() {
        if !matches!(field.kind(), Kind::Message(m) if m.name() == "Duration") {
            continue;
        }
        let name = field.name();
        let length = name == "duration" || name.ends_with("_duration");
        let says = length || name.ends_with("_offset");
        let says = says || OTHER_DURATIONS.contains(&name);
        assert!(says, "{}: _duration or _offset?", field.full_name());
    }
}

#[test]
fn clients_never_stream() {
    for method in methods() {
        assert!(!method.is_client_streaming(), "{}", method.full_name());
    }
}

#[test]
fn methods_say_whether_they_may_be_called_again() {
    use prost_reflect::prost_types::method_options::IdempotencyLevel;
    for method in methods() {
        let options = method.method_descriptor_proto().options.clone();
        let level = options.unwrap_or_default().idempotency_level();
        let expected = match method.name() {
            // A second call makes a second job, unless a `request_id` says that they are the same.
            "CreateJob" => IdempotencyLevel::IdempotencyUnknown,
            "CancelJob" | "DeleteJob" | "CreateSession" | "UpdateSession" | "CloseSession" => {
                IdempotencyLevel::Idempotent
            }
            _ => IdempotencyLevel::NoSideEffects,
        };
        assert_eq!(level, expected, "{}", method.full_name());
    }
}

#[test]
fn methods_that_stream_say_so_and_have_a_twin_that_does_not() {
    for service in services() {
        for method in service.methods() {
            let name = method.name();
            if WITHOUT_TWIN.contains(&name) {
                assert!(method.is_server_streaming());
                continue;
            }
            let twin = name.strip_prefix("Stream");
            assert_eq!(method.is_server_streaming(), twin.is_some(), "{name}");
            let exists = |twin: &str| service.methods().any(|other| other.name() == twin);
            assert!(twin.is_none_or(exists), "{name} has no unary twin");
        }
    }
}

#[test]
fn requests_and_responses_bear_the_name_of_their_method_also_those_of_its_stream() {
    for method in methods() {
        let name = method.name();
        let name = name.strip_prefix("Stream").unwrap_or(name);
        assert_eq!(method.input().name(), format!("{name}Request"));
        assert_eq!(method.output().name(), format!("{name}Response"));
    }
}

#[test]
fn every_planning_method_takes_options_and_gives_a_report() {
    let planners = services().filter(|service| !NOT_PLANNERS.contains(&service.name()));
    let methods = planners.flat_map(|service| service.methods().collect::<Vec<_>>());
    for method in methods.filter(|method| !NOT_SEARCHES.contains(&method.name())) {
        let name = method.full_name();
        let options = type_of(&method.input(), "options");
        assert_eq!(options.as_deref(), Some("SolveOptions"), "{name}");
        let report = type_of(&method.output(), "report");
        assert_eq!(report.as_deref(), Some("SolveReport"), "{name}");
        if method.is_server_streaming() {
            let event = type_of(&method.output(), "event");
            assert_eq!(event.as_deref(), Some("SolveEvent"), "{name}");
        }
    }
}

/// Searches whose responses are no plans, and what they have instead.
const OTHER_RESULTS: [(&str, &str); 2] = [
    ("AnalyzeHeist", "analysis"),
    ("CheckControllability", "findings"),
];

#[test]
fn requests_have_a_problem_and_responses_a_plan() {
    let planners = services().filter(|service| !NOT_PLANNERS.contains(&service.name()));
    let methods = planners.flat_map(|service| service.methods().collect::<Vec<_>>());
    for method in methods.filter(|method| !NOT_SEARCHES.contains(&method.name())) {
        let name = method.name();
        // What is learned from are books.
        let problem = match name {
            "LearnStoryDomain" => "books",
            _ => "problem",
        };
        let input = method.input();
        assert!(input.get_field_by_name(problem).is_some(), "{name}");
        let other = OTHER_RESULTS.iter().find(|(method, _)| *method == name);
        let results = other.map_or(vec!["plan", "plans"], |(_, result)| vec![*result]);
        let output = method.output();
        let found = |result: &&str| output.get_field_by_name(result).is_some();
        assert_eq!(results.iter().filter(|it| found(it)).count(), 1, "{name}");
    }
}

#[test]
fn any_method_that_searches_can_be_a_job() {
    let planners = services().filter(|service| !NOT_PLANNERS.contains(&service.name()));
    let methods = planners.flat_map(|service| service.methods().collect::<Vec<_>>());
    let searches = methods.filter(|method| !NOT_SEARCHES.contains(&method.name()));
    let members = |union: &str| -> Vec<String> {
        let name = format!("stratagem.v1.{union}");
        let union = pool().get_message_by_name(&name).expect("it is there");
        union
            .fields()
            .map(|field| match field.kind() {
                Kind::Message(member) => member.name().to_owned(),
                other => panic!("{other:?} is no message"),
            })
            .collect()
    };
    let (requests, responses) = (members("JobRequest"), members("JobResponse"));
    for method in searches {
        assert!(
            requests.contains(&method.input().name().to_owned()),
            "{}",
            method.name()
        );
        assert!(
            responses.contains(&method.output().name().to_owned()),
            "{}",
            method.name()
        );
    }
}

#[test]
fn limits_begin_with_max_and_switches_are_positive() {
    let negative = ["without_", "no_", "not_", "disable_", "un"];
    for field in fields() {
        let name = field.name();
        let limit = ["_max", "_min", "_limit"]
            .iter()
            .any(|end| name.ends_with(end));
        assert!(!limit, "{}: max_ or min_ comes first", field.full_name());
        let is_switch = field.kind() == Kind::Bool;
        let negative = negative.iter().any(|start| name.starts_with(start));
        assert!(
            !(is_switch && negative),
            "{} is negative",
            field.full_name()
        );
        assert!(
            !name.ends_with("_percent"),
            "{}: shares are from 0 to 1",
            field.full_name()
        );
    }
}

#[test]
fn a_file_has_one_service_at_most_and_the_service_bears_its_name() {
    for file in pool()
        .files()
        .filter(|f| f.package_name() == "stratagem.v1")
    {
        let stem = file.name().strip_prefix("stratagem/v1/");
        let stem = stem
            .expect("the folder is the package")
            .replace(".proto", "");
        let names: Vec<_> = file.services().map(|s| s.name().to_owned()).collect();
        assert!(names.len() <= 1, "{}: {names:?}", file.name());
        for name in names {
            let expected = format!("{}_SERVICE", stem.to_uppercase());
            assert_eq!(upper_snake(&name), expected);
        }
    }
}

#[test]
fn every_planner_has_the_same_number_in_the_unions_of_problems_and_plans() {
    let members = |name: &str| {
        let message = pool().get_message_by_name(name).expect("in planning.proto");
        let member = |f: FieldDescriptor| (f.number(), f.name().to_owned());
        message.fields().map(member).collect::<Vec<_>>()
    };
    let problems = members("stratagem.v1.AnyProblem");
    assert!(!problems.is_empty());
    // Some planners have further kinds of plans.
    let mut plans = members("stratagem.v1.AnyPlan");
    plans.retain(|(_, name)| problems.iter().any(|(_, planner)| planner == name));
    assert_eq!(problems, plans);
}

fn pool() -> DescriptorPool {
    DescriptorPool::decode(DESCRIPTOR_SET).expect("the build wrote it")
}

fn messages() -> Vec<MessageDescriptor> {
    let ours = |message: &MessageDescriptor| message.package_name() == "stratagem.v1";
    let found: Vec<_> = pool().all_messages().filter(ours).collect();
    assert!(found.len() > 20, "only {} messages found", found.len());
    found
}

fn fields() -> impl Iterator<Item = FieldDescriptor> {
    let of = |message: MessageDescriptor| message.fields().collect::<Vec<_>>();
    messages().into_iter().flat_map(of)
}

fn enums() -> Vec<EnumDescriptor> {
    let ours = |kind: &EnumDescriptor| kind.package_name() == "stratagem.v1";
    let found: Vec<_> = pool().all_enums().filter(ours).collect();
    assert!(!found.is_empty());
    found
}

fn services() -> impl Iterator<Item = ServiceDescriptor> {
    let ours = |service: &ServiceDescriptor| service.package_name() == "stratagem.v1";
    let found: Vec<_> = pool().services().filter(ours).collect();
    assert!(found.len() >= 3, "only {} services found", found.len());
    found.into_iter()
}

fn methods() -> impl Iterator<Item = MethodDescriptor> {
    services().flat_map(|service| service.methods().collect::<Vec<_>>())
}

/// Name of the message type of a field; none without such a field.
fn type_of(message: &MessageDescriptor, field: &str) -> Option<String> {
    let kind = message.get_field_by_name(field)?.kind();
    Some(kind.as_message()?.name().to_owned())
}

/// `SolveStatus` as `SOLVE_STATUS`.
fn upper_snake(camel: &str) -> String {
    let mut snake = String::new();
    for (i, c) in camel.char_indices() {
        if c.is_ascii_uppercase() && i > 0 {
            snake.push('_');
        }
        snake.push(c.to_ascii_uppercase());
    }
    snake
}
