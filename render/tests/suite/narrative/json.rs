//! Reads what the tests need of narratives and plans from JSON.

use prost_types::Duration;
use serde_json::Value;
use stratagem_proto::v1::{
    NarrativeActivity, NarrativeChoice, NarrativeChooser, NarrativeDemand, NarrativeEvent,
    NarrativeGroup, NarrativeHandOver, NarrativeOption, NarrativeOrder, NarrativeOutcomes,
    NarrativePick, NarrativePlan, NarrativePolicy, NarrativeProblem, NarrativeResource,
    TemporalContingentLink, TemporalEventRange, TemporalRequirementLink,
};
use stratagem_render::time::from_micros;

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn seconds(value: &Value, key: &str) -> Option<Duration> {
    let seconds: f64 = value[key].as_str()?.strip_suffix('s')?.parse().unwrap();
    Some(from_micros((seconds * 1e6) as i64))
}

fn read_each<T>(value: &Value, key: &str, read: impl Fn(&Value) -> T) -> Vec<T> {
    let items = value[key].as_array().into_iter().flatten();
    items.map(read).collect()
}

fn number(value: &Value, key: &str) -> i32 {
    value[key].as_i64().unwrap_or_default() as i32
}

/// An example that comes with the contract.
pub(crate) fn example(name: &str) -> NarrativeProblem {
    let name = format!("narrative/{name}");
    let mut examples = stratagem_proto::EXAMPLES.iter();
    let example = examples.find(|e| e.name == name).unwrap();
    let value: Value = serde_json::from_str(example.json).unwrap();
    problem(&value)
}

fn problem(value: &Value) -> NarrativeProblem {
    NarrativeProblem {
        title: text(value, "title"),
        description: text(value, "description"),
        origin_id: text(value, "origin_id"),
        events: read_each(value, "events", |v| NarrativeEvent {
            id: text(v, "id"),
            label: text(v, "label"),
        }),
        links: read_each(value, "links", |v| TemporalRequirementLink {
            id: text(v, "id"),
            from_event_id: text(v, "from_event_id"),
            to_event_id: text(v, "to_event_id"),
            lower: seconds(v, "lower"),
            upper: seconds(v, "upper"),
        }),
        contingent_links: read_each(value, "contingent_links", |v| TemporalContingentLink {
            id: text(v, "id"),
            from_event_id: text(v, "from_event_id"),
            to_event_id: text(v, "to_event_id"),
            lower: seconds(v, "lower"),
            upper: seconds(v, "upper"),
        }),
        activities: read_each(value, "activities", |v| NarrativeActivity {
            id: text(v, "id"),
            start_event_id: text(v, "start_event_id"),
            end_event_id: text(v, "end_event_id"),
            demands: read_each(v, "demands", |v| NarrativeDemand {
                resource_id: text(v, "resource_id"),
                amount: Some(number(v, "amount")),
                consumed: v["consumed"].as_bool().unwrap_or_default(),
            }),
            label: text(v, "label"),
        }),
        resources: read_each(value, "resources", |v| NarrativeResource {
            id: text(v, "id"),
            capacity: v["capacity"].as_i64().map(|c| c as i32),
            label: text(v, "label"),
        }),
        choices: read_each(value, "choices", choice),
        groups: read_each(value, "groups", |v| NarrativeGroup {
            id: text(v, "id"),
            start_offset: seconds(v, "start_offset"),
        }),
        ..NarrativeProblem::default()
    }
}

fn choice(value: &Value) -> NarrativeChoice {
    let chooser = NarrativeChooser::from_str_name(&text(value, "chooser")).unwrap();
    NarrativeChoice {
        id: text(value, "id"),
        chooser: chooser as i32,
        options: read_each(value, "options", |v| NarrativeOption {
            id: text(v, "id"),
            event_ids: read_each(v, "event_ids", |id| id.as_str().unwrap().to_owned()),
            label: text(v, "label"),
            withheld: v.get("withheld").is_some_and(|w| w == true),
        }),
        label: text(value, "label"),
    }
}

/// A plan of these tests.
pub(crate) fn plan(json: &str) -> NarrativePlan {
    let value: Value = serde_json::from_str(json).unwrap();
    NarrativePlan {
        policies: read_each(&value, "policies", policy),
        makespan_offset: seconds(&value, "makespanOffset"),
        ..NarrativePlan::default()
    }
}

fn policy(value: &Value) -> NarrativePolicy {
    NarrativePolicy {
        picks: read_each(value, "picks", |v| NarrativePick {
            choice_id: text(v, "choiceId"),
            option_id: text(v, "optionId"),
        }),
        outcomes: read_each(value, "outcomes", |v| NarrativeOutcomes {
            link_id: text(v, "linkId"),
            lower: seconds(v, "lower"),
            upper: seconds(v, "upper"),
        }),
        orders: read_each(value, "orders", |v| NarrativeOrder {
            first_activity_id: text(v, "firstActivityId"),
            second_activity_id: text(v, "secondActivityId"),
        }),
        hand_overs: read_each(value, "handOvers", |v| NarrativeHandOver {
            resource_id: text(v, "resourceId"),
            from_activity_id: text(v, "fromActivityId"),
            to_activity_id: text(v, "toActivityId"),
            amount: number(v, "amount"),
        }),
        ranges: read_each(value, "ranges", |v| TemporalEventRange {
            event_id: text(v, "eventId"),
            earliest_offset: seconds(v, "earliestOffset"),
            latest_offset: seconds(v, "latestOffset"),
        }),
        ..NarrativePolicy::default()
    }
}
