//! Plans from outside against their problems.

use crate::contract::VerifyPlan;
use crate::method::Question as _;
use stratagem_proto::v1 as pb;

fn place(x: f64) -> Option<pb::AllocationPlace> {
    let at = pb::allocation_place::At::Point(pb::AllocationPoint { x, y: 0.0 });
    Some(pb::AllocationPlace { at: Some(at) })
}

/// One agent at 0, tasks at 1 and 2 that may start until second 10, some late.
fn problem() -> Option<pb::AnyProblem> {
    let seconds = |seconds| Some(prost_types::Duration { seconds, nanos: 0 });
    let task = |id: &str, x| pb::AllocationTask {
        id: id.into(),
        place: place(x),
        windows: vec![pb::AllocationWindow {
            open_offset: None,
            close_offset: seconds(10),
        }],
        max_lateness_duration: seconds(5),
        ..Default::default()
    };
    let problem = pb::AllocationProblem {
        agents: vec![pb::AllocationAgent {
            id: "ann".into(),
            start: place(0.0),
            ..Default::default()
        }],
        tasks: vec![task("near", 1.0), task("far", 2.0)],
        ..Default::default()
    };
    let kind = Some(pb::any_problem::Kind::Allocation(problem));
    Some(pb::AnyProblem { kind })
}

/// A plan for `agent`, of tasks with their starts.
fn plan(agent: &str, stops: &[(&str, Option<i64>)]) -> Option<pb::AnyPlan> {
    let stop = |(task, start): &(&str, Option<i64>)| pb::AllocationStop {
        task_id: (*task).into(),
        start_offset: start.map(|seconds| prost_types::Duration { seconds, nanos: 0 }),
        ..Default::default()
    };
    let route = pb::AllocationRoute {
        agent_id: agent.into(),
        stops: stops.iter().map(stop).collect(),
        ..Default::default()
    };
    let plan = pb::AllocationPlan {
        routes: vec![route],
        ..Default::default()
    };
    let kind = Some(pb::any_plan::Kind::Allocation(plan));
    Some(pb::AnyPlan { kind })
}

fn checked(plan: Option<pb::AnyPlan>) -> Result<pb::VerifyPlanResponse, Vec<String>> {
    let problem = problem();
    verify(pb::VerifyPlanRequest { problem, plan })
}

fn verify(request: pb::VerifyPlanRequest) -> Result<pb::VerifyPlanResponse, Vec<String>> {
    let named = |m: crate::mistakes::Mistake| format!("{} {}", m.field, m.code.name());
    match VerifyPlan::read(request) {
        Ok(check) => {
            let wanted = anytime::Pulse::unbounded();
            Ok(check(&wanted).expect("nothing stops it"))
        }
        Err(wrong) => Err(wrong.into_list().into_iter().map(named).collect()),
    }
}

#[test]
fn starts_are_kept_or_as_early_as_can_be() {
    let terms = |plan| -> Vec<f64> {
        let answer = checked(plan).unwrap();
        assert!(answer.valid && !answer.partial, "{answer:?}");
        answer
            .objective
            .unwrap()
            .terms
            .iter()
            .map(|t| t.value)
            .collect()
    };
    // Unserved, drop penalty, travel cost, makespan, lateness, agents used.
    let early = plan("ann", &[("near", None), ("far", None)]);
    assert_eq!(terms(early), [0.0, 0.0, 2.0, 2.0, 0.0, 1.0]);
    let late = plan("ann", &[("near", Some(9)), ("far", Some(13))]);
    assert_eq!(terms(late), [0.0, 0.0, 2.0, 13.0, 3.0, 1.0]);
}

#[test]
fn broken_rules_are_an_answer_with_places_in_the_plan() {
    let answer = checked(plan("ann", &[("near", Some(9)), ("far", Some(9))])).unwrap();
    assert!(!answer.valid && answer.objective.is_none());
    let broken: Vec<_> = answer
        .violations
        .iter()
        .map(|v| (&*v.code, &*v.field))
        .collect();
    assert_eq!(broken, [("START_BEFORE_ARRIVAL", "routes[0].stops[1]")]);
    let answer = checked(plan("ann", &[("near", None), ("near", None)])).unwrap();
    assert_eq!(answer.violations[0].code, "TASK_REPEATED");
}

#[test]
fn what_is_left_out_makes_a_plan_partial() {
    let answer = checked(plan("ann", &[("near", None)])).unwrap();
    assert!(answer.valid && answer.partial);
}

/// We leave, a teammate follows within 2 to 5 s, we close the door 3 to 9 s after that.
fn network() -> pb::AnyProblem {
    let seconds = |seconds| Some(prost_types::Duration { seconds, nanos: 0 });
    let agent = |id: &str, kind: pb::TemporalAgentKind| pb::TemporalAgent {
        id: id.into(),
        kind: kind.into(),
        label: String::new(),
    };
    let event = |id: &str, agent: &str| pb::TemporalEvent {
        id: id.into(),
        agent_id: agent.into(),
        label: String::new(),
    };
    let link = |from: &str, to: &str, lower, upper| pb::TemporalRequirementLink {
        id: String::new(),
        from_event_id: from.into(),
        to_event_id: to.into(),
        lower: seconds(lower),
        upper: seconds(upper),
    };
    let network = pb::TemporalNetwork {
        agents: vec![
            agent("we", pb::TemporalAgentKind::Controllable),
            agent("they", pb::TemporalAgentKind::Uncontrollable),
        ],
        events: vec![
            event("leave", "we"),
            event("follow", "they"),
            event("close", "we"),
        ],
        links: vec![link("leave", "follow", 2, 5), link("follow", "close", 3, 9)],
        horizon_offset: seconds(60),
        ..Default::default()
    };
    let kind = Some(pb::any_problem::Kind::Temporal(network));
    pb::AnyProblem { kind }
}

fn times(times: &[(&str, i64)]) -> pb::AnyPlan {
    let event = |(id, seconds): &(&str, i64)| pb::TemporalScheduledEvent {
        event_id: (*id).into(),
        time_offset: Some(prost_types::Duration {
            seconds: *seconds,
            nanos: 0,
        }),
    };
    let schedule = pb::TemporalSchedule {
        events: times.iter().map(event).collect(),
        ranges: Vec::new(),
    };
    let kind = Some(pb::any_plan::Kind::Temporal(schedule));
    pb::AnyPlan { kind }
}

fn checked_times(plan: pb::AnyPlan) -> Result<pb::VerifyPlanResponse, Vec<String>> {
    verify(pb::VerifyPlanRequest {
        problem: Some(network()),
        plan: Some(plan),
    })
}

#[test]
fn schedules_are_checked_against_all_that_teammates_may_do() {
    // They may follow at 12 to 15, and we may close 3 to 9 after that: at 18 to 21.
    for (close, code) in [(17, "TOO_EARLY"), (18, ""), (21, ""), (22, "TOO_LATE")] {
        let answer = checked_times(times(&[("close", close), ("leave", 10)])).unwrap();
        assert_eq!(answer.valid, code.is_empty(), "{close}: {answer:?}");
        assert_eq!(answer.objective, None);
        for broken in &answer.violations {
            assert_eq!((&*broken.code, &*broken.field), (code, "events[0]"));
            assert!(broken.message.contains("\"follow\""), "{broken:?}");
        }
    }
}

#[test]
fn schedules_that_cannot_be_of_the_network_are_mistakes() {
    let events = "plan.temporal.events";
    let good = [("leave", 10), ("close", 20)];
    let with = |more: &[(&'static str, i64)]| times(&[&good, more].concat());
    for (plan, wanted) in [
        (times(&good[..1]), format!("{events} REQUIRED")),
        (
            with(&[("close", 20)]),
            format!("{events}[2].event_id DUPLICATE"),
        ),
        (
            with(&[("follow", 12)]),
            format!("{events}[2].event_id CONTRADICTION"),
        ),
        (
            with(&[("sleep", 12)]),
            format!("{events}[2].event_id UNKNOWN"),
        ),
        (with(&[("", 12)]), format!("{events}[2].event_id REQUIRED")),
        (
            times(&[("leave", 10), ("close", 315_576_000_001)]),
            format!("{events}[1].time_offset DURATION_MALFORMED"),
        ),
        (plan("ann", &[]).unwrap(), "plan CONTRADICTION".into()),
    ] {
        assert_eq!(checked_times(plan).unwrap_err(), [wanted]);
    }
    assert_eq!(
        checked(Some(times(&good))).unwrap_err(),
        ["plan CONTRADICTION"]
    );
}

#[test]
fn plans_that_cannot_be_of_the_problem_are_mistakes() {
    let routes = "plan.allocation.routes[0]";
    for (plan, wanted) in [
        (None, "plan REQUIRED".to_owned()),
        (Some(pb::AnyPlan::default()), "plan REQUIRED".to_owned()),
        (
            plan("eve", &[("near", None)]),
            format!("{routes}.agent_id UNKNOWN"),
        ),
        (
            plan("ann", &[("moon", None)]),
            format!("{routes}.stops[0].task_id UNKNOWN"),
        ),
        (plan("ann", &[("near", Some(-1))]), {
            format!("{routes}.stops[0].start_offset OUT_OF_RANGE")
        }),
        (plan("ann", &[("near", Some(1)), ("far", None)]), {
            format!("{routes}.stops[1].start_offset MIXED")
        }),
    ] {
        assert_eq!(checked(plan).unwrap_err(), [wanted]);
    }
}

/// The same problem, in which `far` starts five seconds after `near` at least, and a break.
fn coupled() -> Option<pb::AnyProblem> {
    let mut problem = problem()?;
    let seconds = |seconds| Some(prost_types::Duration { seconds, nanos: 0 });
    if let Some(pb::any_problem::Kind::Allocation(problem)) = &mut problem.kind {
        problem.couplings = Some(pb::AllocationCouplings {
            orders: vec![pb::AllocationOrder {
                first_task_id: "near".into(),
                second_task_id: "far".into(),
                min_gap_duration: seconds(5),
                ..Default::default()
            }],
            breaks: vec![pb::AllocationBreak {
                id: "noon".into(),
                agent_id: "ann".into(),
                length_duration: seconds(2),
                earliest_offset: seconds(2),
                latest_offset: seconds(4),
            }],
            ..Default::default()
        });
    }
    Some(problem)
}

#[test]
fn coupled_plans_are_checked_with_their_breaks() {
    let verdict = |start: Option<i64>, rest: Option<i64>| {
        let mut given = plan("ann", &[("near", Some(1)), ("far", start)]);
        if let Some(pb::any_plan::Kind::Allocation(plan)) =
            given.as_mut().and_then(|p| p.kind.as_mut())
        {
            plan.routes[0]
                .rests
                .extend(rest.map(|seconds| pb::AllocationRest {
                    break_id: "noon".into(),
                    stop_index: 1,
                    start_offset: Some(prost_types::Duration { seconds, nanos: 0 }),
                    end_offset: None,
                }));
        }
        let problem = coupled();
        verify(pb::VerifyPlanRequest {
            problem,
            plan: given,
        })
    };
    let codes = |start, rest| -> Vec<(String, String)> {
        let answer = verdict(Some(start), rest).unwrap();
        let violations = answer.violations.into_iter();
        violations.map(|v| (v.field, v.code)).collect()
    };
    let route = || "routes[0]".to_owned();
    assert_eq!(codes(6, Some(2)), []);
    assert_eq!(codes(6, None), [(route(), "BREAK_MISSING".into())]);
    let early = codes(5, Some(2));
    assert_eq!(
        early,
        [("routes[0].stops[1]".into(), "ORDER_TOO_EARLY".into())]
    );
    let mistakes = verdict(None, Some(2)).unwrap_err();
    assert_eq!(
        mistakes,
        ["plan.allocation.routes[0].stops[1].start_offset REQUIRED"]
    );
}

#[test]
fn mistakes_of_couplings_are_told_with_their_fields() {
    let mut given = coupled();
    let Some(pb::any_problem::Kind::Allocation(problem)) =
        given.as_mut().and_then(|p| p.kind.as_mut())
    else {
        unreachable!("it is one of allocation")
    };
    let couplings = problem.couplings.as_mut().expect("it has some");
    couplings.orders[0].second_task_id = "gone".into();
    couplings.breaks[0].latest_offset = None;
    couplings.groups.push(pb::AllocationGroup {
        task_ids: vec!["near".into()],
    });
    couplings.preferences.push(pb::AllocationPreference {
        task_id: "near".into(),
        until_offset: Some(prost_types::Duration::default()),
        late_cost: -1.0,
        ..Default::default()
    });
    let mistakes = verify(pb::VerifyPlanRequest {
        problem: given,
        plan: plan("ann", &[]),
    });
    let expected = [
        "problem.allocation.couplings.breaks[0].latest_offset REQUIRED",
        "problem.allocation.couplings.preferences[0].late_cost OUT_OF_RANGE",
        "problem.allocation.couplings.orders[0].second_task_id UNKNOWN",
        "problem.allocation.couplings.groups[0].task_ids REQUIRED",
    ];
    assert_eq!(mistakes.unwrap_err(), expected);
}
