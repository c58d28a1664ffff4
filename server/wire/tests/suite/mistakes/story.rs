//! Stories: one mistake a line.

use crate::mistakes::{check_by, encode_as, lines, replaced};
use serde_json::{Value, json};
use story::Problem;
use story::tree::Value as Worth;
use wire::decode::{Rejected, story};

/// A domain with something of everything.
fn good() -> Value {
    json!({
        "problem": {
            "title": "a quarrel",
            "description": "two people, one purse",
            "types": [
                {"name": "actor", "entities": [
                    {"id": "Ann", "subjectPronoun": "it", "objectPronoun": "its"},
                    {"id": "Ben", "label": "old Ben"},
                ]},
                {"name": "item", "entities": [{"id": "Purse", "label": "the purse"}]},
            ],
            "attributes": [
                {"typeName": "actor", "name": "anger", "values": "0..2", "defaultValue": "1"},
                {"typeName": "actor", "name": "role", "values": "{guest, guard}", "fixed": true},
                {"typeName": "item", "name": "holder", "values": "actor"},
                {"typeName": "item", "name": "worth", "values": "number", "fixed": true},
            ],
            "settings": ["Purse.holder = Ann", "Ben.role = guard", "Purse.worth = 2.5"],
            "tables": [{
                "name": "greed",
                "entries": [{"entityId": "Ben", "number": 0.75}],
                "defaultNumber": 0.5,
            }],
            "actions": [
                {
                    "name": "Steal",
                    "parameters": [
                        {"name": "a", "typeName": "actor"},
                        {"name": "b", "typeName": "actor"},
                        {"name": "i", "typeName": "item"},
                    ],
                    "preconditions": ["i.holder == b", "a.anger >= 1 and b.anger < 2"],
                    "effects": [
                        "i.holder = a",
                        "b.anger += 1",
                        "if i.worth > 1 { a.anger = 0 }",
                        "each(x: actor, x != a) { x.anger += 1 }",
                    ],
                    "believability": "greed[a]",
                    "rules": ["set 0.25 if a.role == guest", "multiply min(1, i.worth / 2)"],
                    "texts": ["{a} stole {i} from {b}."],
                },
                {"name": "Wait"},
            ],
            "goals": [
                {"name": "Ben has it", "condition": "Purse.holder == Ben", "weight": 2},
                {"name": "calm", "condition": "forall(x: actor, x.anger < 2)"},
            ],
            "events": [
                {"action": "Steal", "entityIds": ["Ben", ""]},
                {"action": "Steal", "entityIds": ["Ann"], "forbidden": true},
            ],
            "sliders": [{"action": "Wait", "factor": 0.5}],
            "maxActs": 3,
        },
        "options": {"timeBudget": "0.25s", "strategy": "optimal", "target": {"levels": [0.5]}},
        "previousPlan": {"acts": [{"action": "Steal", "entityIds": ["Ben", "Ann", "Purse"]}]},
        "style": {"seed": -7, "separateSentences": true},
    })
}

fn encode(request: &Value) -> Vec<u8> {
    encode_as("stratagem.v1.GenerateStoryRequest", request)
}

fn read(request: &Value) -> Problem {
    story(&encode(request)).expect("the request of these tests makes sense")
}

fn mistakes(request: &Value) -> Vec<String> {
    lines(story(&encode(request)))
}

fn check(part: &str, table: &str) {
    check_by(mistakes, &good(), part, table);
}

/// What is said about the only mistake.
fn description(request: &Value) -> String {
    match story(&encode(request)) {
        Err(Rejected::Mistakes(list)) => {
            assert_eq!(list.len(), 1, "{list:?}");
            list[0].description.clone()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_request_is_read_to_the_last_field() {
    let problem = read(&good());
    let names = problem.entities().iter();
    let names: Vec<_> = names.map(|e| (&*e.name, &*e.called, e.kind)).collect();
    assert_eq!(
        names,
        [
            ("Ann", "Ann", 0),
            ("Ben", "old Ben", 0),
            ("Purse", "the purse", 1)
        ]
    );
    assert_eq!(problem.entities()[0].pronouns, ["it", "its"]);
    let init: Vec<_> = problem
        .attributes()
        .iter()
        .map(|a| a.init.clone())
        .collect();
    let anger = Worth::Number(1.0);
    assert_eq!(init[0], [anger, anger]);
    assert_eq!(init[1][0], Worth::Null);
    assert_eq!(init[2], [Worth::Entity(0)]);
    assert_eq!(init[3], [Worth::Number(2.5)]);
    assert_eq!(problem.tables()[0].numbers, [0.5, 0.75, 0.5]);
    let steal = &problem.schemas()[0];
    assert!(steal.distinct);
    assert_eq!(
        (
            steal.preconditions.len(),
            steal.effects.len(),
            steal.rules.len()
        ),
        (2, 4, 2)
    );
    assert_eq!(problem.schemas()[1].slider, 0.5);
    let weights: Vec<f64> = problem.goals().iter().map(|goal| goal.weight).collect();
    assert_eq!(weights, [2.0, 1.0]);
    let must: Vec<bool> = problem.events().iter().map(|event| event.must).collect();
    assert_eq!(must, [true, false]);
    assert_eq!(problem.events()[0].args, [Some(1), None]);
    assert_eq!(problem.actions_max(), 3);
}

#[test]
fn what_is_left_out_has_its_default() {
    let mut request = good();
    for field in ["maxActs", "sliders", "events", "title"] {
        request = replaced(request, &format!("/problem/{field}"), Value::Null);
    }
    let problem = read(&request);
    assert_eq!(problem.actions_max(), 12);
    assert_eq!(problem.schemas()[1].slider, 1.0);
}

#[test]
fn mistakes_in_lists_and_names() {
    check(
        "problem",
        r#"
        types/0/entities/0/subjectPronoun = "" => types[0].entities[0].subject_pronoun REQUIRED
        attributes/3/fixed = false => attributes[3].values TYPE_MISMATCH
        attributes/0/defaultValue = "3" => attributes[0].default_value OUT_OF_RANGE
        attributes/0/defaultValue = "guest" => attributes[0].default_value TYPE_MISMATCH
        attributes/0/defaultValue = "1 2" => attributes[0].default_value SYNTAX
        tables/0/defaultNumber = 1.5 => tables[0].default_number OUT_OF_RANGE
        tables/0/defaultNumber = "NaN" => tables[0].default_number NOT_FINITE
        tables/0/entries/0/number = -1 => tables[0].entries[0].number OUT_OF_RANGE
        tables/0/entries/0/entityId = "Cid" => tables[0].entries[0].entity_id UNKNOWN
        actions/0/texts/0 = "{c} fled." => actions[0].texts[0] UNKNOWN
        actions/0/texts/0 = "{a fled." => actions[0].texts[0] SYNTAX
        goals/1/name = "Ben has it" => goals[1].name DUPLICATE
        goals/0/weight = -1 => goals[0].weight OUT_OF_RANGE
        goals/0/weight = "NaN" => goals[0].weight NOT_FINITE
        goals/0/condition = "" => goals[0].condition REQUIRED
        goals = [] => goals REQUIRED
        events/0/action = "Kill" => events[0].action UNKNOWN
        events/0/entityIds/0 = "Cid" => events[0].entity_ids[0] UNKNOWN
        events/0/entityIds/0 = "Purse" => events[0].entity_ids[0] TYPE_MISMATCH
        events/0/entityIds = ["Ben", "", "", ""] => events[0].entity_ids TOO_MANY
        events/0 = {"action": "Steal", "entityIds": ["Ben", "Ben"]} => events[0] NEVER_HOLDS
        sliders/0/action = "Kill" => sliders[0].action UNKNOWN
        sliders/0/factor = -1 => sliders[0].factor OUT_OF_RANGE
        sliders/0/factor = "Infinity" => sliders[0].factor NOT_FINITE
        maxActs = 51 => max_acts OUT_OF_RANGE
        maxActs = -1 => max_acts OUT_OF_RANGE
        "#,
    );
}

#[test]
fn a_limit_below_nothing_is_told_as_it_was_given() {
    let found = description(&replaced(good(), "/problem/maxActs", json!(-1)));
    assert_eq!(found, "is -1, outside of 1 to 50");
}

#[test]
fn what_follows_from_a_mistake_comes_after_it() {
    for (at, value, wanted) in [
        (
            "actions/1/name",
            json!("Steal"),
            "actions[1].name DUPLICATE",
        ),
        ("types/0/name", json!(""), "types[0].name REQUIRED"),
        (
            "types/1/entities/0/id",
            json!("Ann"),
            "types[1].entities[0].id DUPLICATE",
        ),
        (
            "attributes/0/typeName",
            json!("king"),
            "attributes[0].type_name UNKNOWN",
        ),
        (
            "attributes/0/values",
            json!(""),
            "attributes[0].values REQUIRED",
        ),
        (
            "attributes/0/values",
            json!("3..1"),
            "attributes[0].values REVERSED",
        ),
        (
            "attributes/0/values",
            json!("0..99999"),
            "attributes[0].values OUT_OF_RANGE",
        ),
        (
            "attributes/2/values",
            json!("king"),
            "attributes[2].values UNKNOWN",
        ),
        ("tables/0/name", json!(""), "tables[0].name REQUIRED"),
        (
            "actions/0/parameters/0/typeName",
            json!("king"),
            "actions[0].parameters[0].type_name UNKNOWN",
        ),
    ] {
        let found = mistakes(&replaced(good(), &format!("/problem/{at}"), value));
        assert_eq!(found[0], format!("problem.{wanted}"), "{found:?}");
    }
}

#[test]
fn mistakes_in_texts() {
    check(
        "problem",
        r#"
        settings/0 = "Cid.holder = Ann" => settings[0] UNKNOWN
        settings/0 = "Purse.colour = 1" => settings[0] UNKNOWN
        settings/0 = "Purse.holder = 1" => settings[0] TYPE_MISMATCH
        settings/0 = "Purse.holder == Ann" => settings[0] SYNTAX
        settings/0 = "Ben.role = guest" => settings[1] DUPLICATE
        actions/0/preconditions/0 = "i.holder == c" => actions[0].preconditions[0] UNKNOWN
        actions/0/preconditions/0 = "i.owner == b" => actions[0].preconditions[0] UNKNOWN
        actions/0/preconditions/0 = "i.holder" => actions[0].preconditions[0] TYPE_MISMATCH
        actions/0/preconditions/0 = "i.holder == i" => actions[0].preconditions[0] TYPE_MISMATCH
        actions/0/preconditions/0 = "i.worth / 0 > 1" => actions[0].preconditions[0] DIVISION_BY_ZERO
        actions/0/preconditions/0 = "i.holder ==" => actions[0].preconditions[0] SYNTAX
        actions/0/preconditions/0 = "a.role == king" => actions[0].preconditions[0] UNKNOWN
        actions/0/effects/0 = "a.role = guard" => actions[0].effects[0] TYPE_MISMATCH
        actions/0/effects/0 = "i.holder = i" => actions[0].effects[0] TYPE_MISMATCH
        actions/0/effects/0 = "i.holder += 1" => actions[0].effects[0] TYPE_MISMATCH
        actions/0/effects/0 = "each(x: king) { a.anger = 1 }" => actions[0].effects[0] UNKNOWN
        actions/0/believability = "1.5" => actions[0].believability OUT_OF_RANGE
        actions/0/believability = "grief[a]" => actions[0].believability UNKNOWN
        actions/0/believability = "a" => actions[0].believability TYPE_MISMATCH
        actions/0/rules/0 = "0.5" => actions[0].rules[0] SYNTAX
        actions/0/rules/0 = "set 2" => actions[0].rules[0] OUT_OF_RANGE
        actions/0/rules/0 = "multiply a.role" => actions[0].rules[0] TYPE_MISMATCH
        actions/0/rules/0 = "set 0.5 if a.role" => actions[0].rules[0] TYPE_MISMATCH
        goals/0/condition = "Purse.holder == Cid" => goals[0].condition UNKNOWN
        goals/0/condition = "Purse.holder == Ben or" => goals[0].condition SYNTAX
        goals/0/condition = "Purse.worth > 3" => goals[0].condition NEVER_HOLDS
        "#,
    );
}

#[test]
fn mistakes_around_the_problem() {
    let wrong = |at: &str, value: Value| mistakes(&replaced(good(), at, value));
    assert_eq!(wrong("/problem", Value::Null), ["problem REQUIRED"]);
    assert_eq!(
        wrong("/options/strategy", json!("magic")),
        ["options.strategy UNKNOWN"]
    );
    assert_eq!(
        wrong("/options/target", json!({"levels": [0.5, 1]})),
        ["options.target.levels TOO_MANY"]
    );
    assert_eq!(
        wrong("/previousPlan/acts/0/action", json!("Kill")),
        ["previous_plan.acts[0].action UNKNOWN"]
    );
    let acts = json!([{"action": "Steal", "entityIds": ["Ben", "Cid", "Dan"]}]);
    assert_eq!(
        wrong("/previousPlan/acts", acts),
        [
            "previous_plan.acts[0].entity_ids[1] UNKNOWN",
            "previous_plan.acts[0].entity_ids[2] UNKNOWN"
        ]
    );
    let many = json!(vec![json!({"action": "Wait"}); 51]);
    assert_eq!(
        wrong("/previousPlan/acts", many),
        ["previous_plan.acts TOO_MANY"]
    );
}

#[test]
fn a_mistake_in_a_text_says_where_it_is() {
    let about = |at: &str, text: &str| description(&replaced(good(), at, json!(text)));
    assert_eq!(
        about("/problem/actions/0/preconditions/0", "i.holder == cid"),
        "at character 13: names the variable, entity or word 'cid', which does not exist"
    );
    assert_eq!(
        about(
            "/problem/actions/0/rules/1",
            "multiply 1 if a.anger == b.role"
        ),
        "at character 23: compares a whole number with a word of 'role'"
    );
    assert_eq!(
        about(
            "/problem/actions/0/effects/3",
            "each(x: actor) { x.anger += a }"
        ),
        "at character 29: must be a whole number, got an actor"
    );
    assert_eq!(
        about("/problem/goals/1/condition", "not (Ann.anger <)"),
        "at character 17: expected is a value, but there is ')'"
    );
    let never = about("/problem/goals/0/condition", "Purse.worth > 3");
    assert!(never.contains("can never hold"), "{never}");
}

#[test]
fn all_mistakes_are_told_at_once() {
    let mut request = good();
    for (at, value) in [
        ("/problem/settings/1", json!("Ben.role = king")),
        ("/problem/actions/0/preconditions/0", json!("(")),
        ("/problem/actions/0/effects/1", json!("b.fear += 1")),
        (
            "/problem/actions/0/rules/1",
            json!("multiply greed[i.holder]"),
        ),
        ("/problem/goals/0/condition", json!("Purse.worth > 3")),
        ("/problem/sliders/0/factor", json!(101)),
    ] {
        request = replaced(request, at, value);
    }
    // Whether a goal can hold is only looked at where all else is right.
    assert_eq!(
        mistakes(&request),
        [
            "problem.actions[0].preconditions[0] SYNTAX",
            "problem.settings[1].value UNKNOWN",
            "problem.actions[0].effects[1] UNKNOWN",
            "problem.sliders[0].factor OUT_OF_RANGE",
        ]
        .map(|wanted| wanted.replace("settings[1].value", "settings[1]"))
    );
}

#[test]
fn bombs_are_small_answers() {
    let nested = |piece: &str| piece.repeat(3_900 / piece.len());
    for bomb in [nested("("), nested("not "), nested("min(")] {
        let request = replaced(good(), "/problem/goals/0/condition", json!(bomb));
        assert_eq!(mistakes(&request), ["problem.goals[0].condition TOO_DEEP"]);
    }
    let long = "a and ".repeat(1_000) + "a";
    let request = replaced(good(), "/problem/goals/0/condition", json!(long));
    assert_eq!(mistakes(&request), ["problem.goals[0].condition TOO_LONG"]);
    let request = replaced(good(), "/problem/settings", json!(vec!["x"; 4_001]));
    assert_eq!(mistakes(&request), ["problem.settings TOO_MANY"]);
    let large = json!(vec!["a.anger > 1".repeat(300); 130]);
    let request = replaced(good(), "/problem/actions/0/preconditions", large);
    assert_eq!(mistakes(&request), ["problem TOO_LONG"]);
    // Quantifiers in quantifiers: each is small, all together are not.
    let many: Vec<Value> = (0..190).map(|i| json!({"id": format!("e{i}")})).collect();
    let request = replaced(good(), "/problem/types/1/entities", json!(many));
    let request = replaced(request, "/problem/settings", json!([]));
    let deep = "forall(x: item, forall(y: item, forall(z: item, x == y or y == z)))";
    let goals = json!([{"name": "g", "condition": deep}]);
    let request = replaced(request, "/problem/goals", goals);
    assert_eq!(mistakes(&request), ["problem.goals[0].condition TOO_DEEP"]);
}
