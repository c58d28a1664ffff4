//! Every mistake of a domain is reported with its place.

use crate::quarrel;
use crate::reader;
use anytime::{Fault, Unnamed};
use story::Problem;
use story::spec::{Change, Comparison, EffectSpec, EventSpec, Expr, Literal, Quantifier, Spec};

fn json(text: &str) -> Expr {
    reader::expr(&serde_json::from_str(text).expect("JSON"))
}

fn mistakes(spec: &Spec) -> Vec<Fault> {
    Problem::new(spec).expect_err("mistakes")
}

fn fields(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(Fault::field).collect()
}

fn codes(faults: &[Fault]) -> Vec<&'static str> {
    faults.iter().map(|fault| fault.code).collect()
}

/// Whether a fault has this code and a text with this part.
fn matches(fault: &Fault, code: &str, part: &str) -> bool {
    fault.code == code && fault.text(&Unnamed).contains(part)
}

/// The only mistake of a domain whose first precondition of the first action is this.
fn of_precondition(text: &str) -> Fault {
    let mut spec = quarrel();
    spec.actions[0].preconditions[0] = json(text);
    let mut mistakes = mistakes(&spec);
    assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    mistakes.remove(0)
}

#[test]
fn all_mistakes_come_at_once_with_their_places() {
    let mut spec = quarrel();
    spec.actions[0].preconditions[1] = json(r#"["==", ["get", "a", "plaice"], "p"]"#);
    spec.actions[1].effects[0] = EffectSpec::Set {
        entity: Expr::Name("q".into()),
        attribute: "holder".into(),
        value: Expr::Null,
    };
    spec.actions[2].believability.base = Expr::Number(1.5);
    spec.goals[1].weight = 0.0;
    spec.init[0].value = Literal::Name("Purse".into());
    spec.actions_max = 51;
    let paths = fields(&mistakes(&spec));
    let expected = [
        "settings[0].value",
        "actions[0].preconditions[1].operands[0]",
        "actions[1].effects[0].entity",
        "actions[2].believability",
        "goals[1].weight",
        "max_acts",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn unknown_names_are_told() {
    let fault = of_precondition(r#"["get", "Dan", "alive"]"#);
    assert_eq!(fault.field(), "actions[0].preconditions[0].operands[0]");
    assert!(matches(&fault, "UNKNOWN", "'Dan'"));
    let fault = of_precondition(r#"["get", "p", "alive"]"#);
    assert!(matches(&fault, "UNKNOWN", "which a place does not have"));
    let fault = of_precondition(r#"[">", ["table", "lust", "a"], 0]"#);
    assert!(matches(&fault, "UNKNOWN", "the table 'lust'"));
    let fault = of_precondition(r#"["exists", "x", "ghost", true]"#);
    assert!(matches(&fault, "UNKNOWN", "the type 'ghost'"));
}

#[test]
fn types_have_to_fit() {
    for wrong in [
        r#"["get", "a", "anger"]"#,
        r#"["==", ["get", "a", "place"], "a"]"#,
        r#"["==", ["get", "a", "anger"], null]"#,
        r#"["<", "a", "a"]"#,
        r#"["not", 1]"#,
        r#"["==", ["get", "a", "role"], "a"]"#,
        r#"[">", ["+", ["get", "a", "alive"], 1], 0]"#,
        r#"["get", ["get", "a", "anger"], "alive"]"#,
        r#"["==", ["if", true, "a", 1], 1]"#,
        "null",
    ] {
        let fault = of_precondition(wrong);
        let path = fault.field();
        assert!(path.starts_with("actions[0].preconditions[0]"), "{path}");
        assert_eq!(fault.code, "TYPE_MISMATCH", "{wrong}: {fault}");
    }
}

#[test]
fn a_word_that_an_attribute_never_is_is_told() {
    let mut spec = quarrel();
    spec.attributes.push(story::spec::AttributeSpec {
        owner: "place".into(),
        name: "kind".into(),
        kind: story::spec::AttributeKind::Enum(vec!["house".into()]),
        is_static: true,
        default: None,
    });
    spec.actions[0].preconditions[0] = json(r#"["==", ["get", "a", "role"], "house"]"#);
    let mistakes = mistakes(&spec);
    assert!(matches(
        &mistakes[0],
        "UNKNOWN",
        "'house', which is none of the words of 'role'"
    ));
}

#[test]
fn effects_are_checked_like_conditions() {
    let mut spec = quarrel();
    let set = |attribute: &str, value: &str| EffectSpec::Set {
        entity: Expr::Name("a".into()),
        attribute: attribute.into(),
        value: json(value),
    };
    spec.actions[0].effects = vec![
        set("role", r#""guard""#),
        set("anger", "0.5"),
        set("place", "null"),
        EffectSpec::Add {
            entity: Expr::Name("a".into()),
            attribute: "place".into(),
            value: Expr::Number(1.0),
        },
        EffectSpec::When {
            condition: Expr::Number(1.0),
            effects: vec![set("alive", "2")],
        },
    ];
    let paths = fields(&mistakes(&spec));
    let expected = [
        "actions[0].effects[0].attribute",
        "actions[0].effects[1].value",
        "actions[0].effects[3]",
        "actions[0].effects[4].condition",
        "actions[0].effects[4].effects[0].value",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn believabilities_lie_between_0_and_1() {
    let mut spec = quarrel();
    spec.actions[3].believability.rules[1].change = Change::Set(Expr::Number(-0.1));
    spec.actions[3].believability.rules[2].change = Change::Mul(Expr::Number(-1.0));
    spec.tables[0].default = f64::NAN;
    spec.tables[0].entries[0].1 = 2.0;
    let mistakes = mistakes(&spec);
    assert_eq!(mistakes.len(), 4, "{mistakes:?}");
    assert_eq!(mistakes[2].field(), "actions[3].rules[1].change");
    let range = "OUT_OF_RANGE";
    assert_eq!(codes(&mistakes), ["NOT_FINITE", range, range, range]);
}

#[test]
fn deep_wide_and_multiplying_expressions_are_refused() {
    let mut deep = Expr::Bool(true);
    for _ in 0..2_000 {
        deep = Expr::Not(Box::new(deep));
    }
    let mut spec = quarrel();
    spec.actions[0].preconditions[0] = deep;
    spec.actions[1].preconditions[0] = Expr::And(vec![Expr::Bool(true); 100_000]);
    let faults = mistakes(&spec);
    assert_eq!(faults.len(), 2);
    assert!(matches(&faults[0], "TOO_DEEP", "nested") && matches(&faults[1], "TOO_DEEP", "parts"));

    let mut spec = quarrel();
    spec.types[0].entities = (0..60).map(|i| format!("actor{i}")).collect();
    spec.init.clear();
    spec.tables.clear();
    spec.actions.truncate(1);
    let mut nested = json(r#"["get", "x0", "alive"]"#);
    for depth in 0..4 {
        nested = Expr::Quantified {
            quantifier: Quantifier::Exists,
            variable: format!("x{}", 3 - depth),
            kind: "actor".into(),
            body: Box::new(nested),
        };
    }
    spec.actions[0].preconditions[0] = nested;
    spec.goals.truncate(1);
    spec.names.clear();
    let faults = mistakes(&spec);
    assert!(faults.len() == 1 && matches(&faults[0], "TOO_DEEP", "steps"));
}

#[test]
fn sizes_have_limits() {
    let mut spec = quarrel();
    let more = (0..198).map(|i| format!("extra{i}"));
    spec.types[0].entities.extend(more);
    spec.goals = vec![spec.goals[0].clone(); 17];
    let all = mistakes(&spec);
    assert_eq!(all.iter().filter(|m| m.code == "TOO_MANY").count(), 2);

    let mut spec = quarrel();
    spec.types[0]
        .entities
        .extend((0..150).map(|i| format!("extra{i}")));
    spec.actions[3].params.push(("c".into(), "actor".into()));
    let all = mistakes(&spec);
    assert!(
        all.iter()
            .any(|m| matches(m, "TOO_MANY", "choices of parameters")),
        "{all:?}"
    );
}

#[test]
fn names_are_given_once() {
    let mut spec = quarrel();
    spec.types[1].entities[0] = "Ann".into();
    spec.actions[1].name = "Move".into();
    spec.goals[1].name = "someone died".into();
    spec.actions[2].params[1].0 = "a".into();
    let all = mistakes(&spec);
    let duplicates = all.iter().filter(|m| m.code == "DUPLICATE");
    assert_eq!(duplicates.count(), 4, "{all:?}");
}

#[test]
fn goals_and_events_that_can_never_be_are_told() {
    let mut spec = quarrel();
    // Nobody becomes angry by more than the limit, and purses do not move.
    spec.goals[0].expr = json(r#"["==", ["get", "Purse", "place"], "Inn"]"#);
    spec.actions.truncate(3);
    spec.actions.remove(1);
    spec.goals[1].expr = Expr::And(vec![
        Expr::Bool(true),
        json(r#"["not", ["get", "Ann", "alive"]]"#),
    ]);
    spec.events = vec![EventSpec {
        action: "Steal".into(),
        args: vec![Some("Ann".into())],
        must: true,
    }];
    // Ann never gets at the purse of another: only Ann may steal, and the purse is already Ann's.
    spec.actions[1]
        .preconditions
        .push(json(r#"["==", "b", "Ann"]"#));
    let all = mistakes(&spec);
    let expected = ["goals[0].condition", "goals[1].condition", "events[0]"];
    assert_eq!(fields(&all), expected, "{all:?}");
    assert!(matches(&all[1], "NEVER_HOLDS", "operand 1"));
}

#[test]
fn a_goal_that_can_be_reached_in_theory_only_is_let_through() {
    let mut spec = quarrel();
    spec.actions_max = 1;
    let three_dead = json(r#"["count", "x", "actor", ["not", ["get", "x", "alive"]]]"#);
    let two = Box::new(Expr::Number(2.0));
    spec.goals[0].expr = Expr::Compare(Comparison::AtLeast, Box::new(three_dead), two);
    assert!(Problem::new(&spec).is_ok());
}

#[test]
fn texts_name_parameters_only() {
    let mut spec = quarrel();
    spec.actions[0].texts = vec!["{a} went to {q}.".into(), "{a went".into()];
    let faults = mistakes(&spec);
    assert_eq!(codes(&faults), ["UNKNOWN", "SYNTAX"]);
    assert!(matches(&faults[0], "UNKNOWN", "'q'"));
}
