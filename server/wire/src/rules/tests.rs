//! What breaks rules of fields.

use super::*;

/// A mistake for each kind of rule, and what is put in place of what breaks it.
#[test]
fn what_breaks_a_rule_is_replaced() {
    let far = Duration {
        seconds: 400_000_000_000,
        nanos: -1,
    };
    let arc = pb::CrewArc {
        to_node_id: "b".into(),
        walk_duration: Some(far),
        fetch_damage: f64::NAN,
        carry_damage: -1.0,
        ..Default::default()
    };
    let mut request = pb::AssignCrewRequest {
        problem: Some(pb::CrewProblem {
            title: "x".repeat(201),
            arcs: vec![arc],
            max_damage_kind: 7,
            max_duration: Some(Duration {
                seconds: -1,
                nanos: 0,
            }),
            ..Default::default()
        }),
        max_ties: 1_001,
        ..Default::default()
    };
    let wrong = Mistakes::in_fields(&mut request).unwrap();
    let found = wrong.into_list().into_iter();
    let found: Vec<_> = found.map(|it| (it.field, it.code)).collect();
    let wanted = [
        ("problem.title", Code::TooLong),
        ("problem.nodes", Code::Required),
        ("problem.arcs[0].from_node_id", Code::Required),
        ("problem.arcs[0].walk_duration", Code::DurationMalformed),
        ("problem.arcs[0].fetch_damage", Code::NotFinite),
        ("problem.arcs[0].carry_damage", Code::OutOfRange),
        ("problem.players", Code::Required),
        ("problem.tools", Code::Required),
        ("problem.events", Code::Required),
        ("problem.max_duration", Code::OutOfRange),
        ("problem.max_damage_kind", Code::EnumUnknown),
        ("max_ties", Code::OutOfRange),
    ];
    assert_eq!(found, wanted.map(|(field, code)| (field.to_owned(), code)));
    let problem = request.problem.unwrap();
    let arc = &problem.arcs[0];
    assert_eq!(arc.walk_duration, Some(duration_of_micros(1)));
    assert_eq!((arc.fetch_damage, arc.carry_damage), (0.0, 0.0));
    assert_eq!(problem.max_duration, Some(Duration::default()));
    assert_eq!((problem.max_damage_kind, request.max_ties), (0, 0));
}

/// A job without a method, labels with bytes, few elements, and no value of an enum in a list.
#[test]
fn other_rules_are_checked() {
    fn found(wrong: Result<Mistakes, Mistakes>) -> Vec<(String, Code)> {
        let list = wrong.unwrap_or_else(|wrong| wrong).into_list().into_iter();
        list.map(|it| (it.field, it.code)).collect()
    }
    let mut job = pb::CreateJobRequest {
        request: Some(pb::JobRequest { method: None }),
        labels: vec![pb::JobLabel {
            key: "ä".repeat(32),
            value: String::new(),
        }],
        ..Default::default()
    };
    let wanted = [
        ("request".to_owned(), Code::Required),
        ("labels[0].key".to_owned(), Code::TooLong),
    ];
    assert_eq!(found(Mistakes::in_fields(&mut job)), wanted);
    let mut ratings = pb::RatePuzzlesRequest {
        levels: vec![pb::PuzzleComparedLevel {
            id: "a".into(),
            rows: vec!["#".into()],
            ..Default::default()
        }],
        ..Default::default()
    };
    let wanted = [
        ("levels".to_owned(), Code::Required),
        ("comparisons".to_owned(), Code::Required),
    ];
    assert_eq!(found(Mistakes::in_fields(&mut ratings)), wanted);
    let mut questions = pb::CheckControllabilityRequest {
        levels: vec![0, 9],
        ..Default::default()
    };
    let wanted = [
        ("problem".to_owned(), Code::Required),
        ("levels[0]".to_owned(), Code::Required),
        ("levels[1]".to_owned(), Code::EnumUnknown),
    ];
    assert_eq!(found(Mistakes::in_fields(&mut questions)), wanted);
}

#[test]
fn a_list_that_is_too_long_is_noticed_after_a_hundred_mistakes() {
    let mut request = pb::AssignCrewRequest {
        problem: Some(pb::CrewProblem {
            nodes: vec![pb::CrewNode::default(); 101],
            events: vec![pb::CrewEvent::default(); 9],
            ..Default::default()
        }),
        ..Default::default()
    };
    assert!(Mistakes::in_fields(&mut request).is_err());
}

#[test]
fn lists_that_are_too_long_are_not_looked_into() {
    let mut request = pb::AssignCrewRequest {
        problem: Some(pb::CrewProblem {
            events: vec![pb::CrewEvent::default(); 9],
            ..Default::default()
        }),
        ..Default::default()
    };
    let wrong = Mistakes::in_fields(&mut request).unwrap_err();
    assert!(wrong.is_too_large());
    let inside = |mistake: &crate::mistakes::Mistake| mistake.field.contains("events[");
    assert!(!wrong.into_list().iter().any(inside));
}
