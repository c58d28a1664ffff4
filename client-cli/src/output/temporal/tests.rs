//! Answers made by hand, as they are shown.

use super::*;
use stratagem_proto::v1::{
    TemporalAgent, TemporalAgentKind, TemporalBoundChange, TemporalBoundSide,
    TemporalConflictMember, TemporalConflictMemberKind, TemporalDispatchWait, TemporalEvent,
    TemporalEventRange, TemporalRequirementLink, TemporalScheduledEvent,
};
use stratagem_render::time::from_micros;

fn seconds(s: i64) -> Option<prost_types::Duration> {
    Some(from_micros(s * 1_000_000))
}

fn network() -> TemporalNetwork {
    let event = |id: &str, agent: &str| TemporalEvent {
        id: id.into(),
        agent_id: agent.into(),
        label: String::new(),
    };
    let agent = |id: &str, kind: TemporalAgentKind| TemporalAgent {
        id: id.into(),
        kind: kind.into(),
        label: String::new(),
    };
    TemporalNetwork {
        title: "Chest".into(),
        agents: vec![
            agent("crew", TemporalAgentKind::Controllable),
            agent("player", TemporalAgentKind::Uncontrollable),
        ],
        events: vec![event("leave", "crew"), event("open", "player")],
        links: vec![TemporalRequirementLink {
            from_event_id: "leave".into(),
            to_event_id: "open".into(),
            lower: seconds(5),
            upper: seconds(20),
            ..TemporalRequirementLink::default()
        }],
        ..TemporalNetwork::default()
    }
}

fn scheduled(id: &str, s: i64) -> TemporalScheduledEvent {
    TemporalScheduledEvent {
        event_id: id.into(),
        time_offset: seconds(s),
    }
}

fn strong(finding: CheckStrongControllabilityResponse) -> Answer {
    Answer::Strong(Box::new(finding))
}

#[test]
fn a_verdict_that_holds_comes_with_times_and_slack() {
    let answer = strong(CheckStrongControllabilityResponse {
        verdict: TemporalVerdict::Holds.into(),
        plan: Some(TemporalSchedule {
            events: vec![scheduled("leave", 2)],
            ranges: vec![TemporalEventRange {
                event_id: "open".into(),
                earliest_offset: seconds(7),
                latest_offset: seconds(22),
            }],
        }),
        verified: true,
        robustness: Some(TemporalRobustness {
            slack_duration: seconds(3),
            uncertainty_factor: Some(1.25),
        }),
        ..CheckStrongControllabilityResponse::default()
    });
    let shown = check(&Display::PLAIN, &network(), &answer);
    let expected = "\
Chest  (2 agents, 2 events, 1 link)

strong      HOLDS    proved: times can be fixed in advance

stopped  no report came

times
AT  FROM   TO  EVENT  AGENT
2s             leave  crew
      7s  22s  open   player
";
    assert!(shown.starts_with(expected), "{shown}");
    let robust = "
slack                 3s at the tightest place
uncertainty may grow  1.25 times before it fails
";
    assert!(shown.ends_with(robust), "{shown}");
}

fn clash() -> CheckStrongControllabilityResponse {
    let member =
        |kind: TemporalConflictMemberKind, link: &str, bound: i64| TemporalConflictMember {
            kind: kind.into(),
            from_event_id: "open".into(),
            to_event_id: "alarm".into(),
            bound: seconds(bound),
            link_ids: vec![link.into()],
            count: 1,
            message: String::new(),
        };
    CheckStrongControllabilityResponse {
        verdict: TemporalVerdict::Fails.into(),
        conflict: Some(TemporalConflict {
            summary: "alarm cannot suit every time of open".into(),
            members: vec![
                member(TemporalConflictMemberKind::LateEnough, "patience", -3),
                TemporalConflictMember {
                    message: "the alarm rings\u{1b} at most 10 s after".into(),
                    count: 2,
                    ..member(TemporalConflictMemberKind::EarlyEnough, "surprise", 10)
                },
            ],
            minimal: true,
            candidate: vec![scheduled("alarm", 15)],
            behavior: vec![scheduled("open", 20)],
            durations: Vec::new(),
        }),
        relaxations: vec![TemporalRelaxation {
            changes: vec![TemporalBoundChange {
                link_id: "surprise".into(),
                side: TemporalBoundSide::Upper.into(),
                old_bound: seconds(10),
                new_bound: seconds(18),
            }],
            total_duration: seconds(8),
        }],
        ..CheckStrongControllabilityResponse::default()
    }
}

#[test]
fn a_clash_is_told_with_its_numbers_links_candidate_and_behaviour() {
    let finding = clash();
    let expected = "
not strong: alarm cannot suit every time of open
  1. time(alarm) - time(open) <= -3s
     late enough: time(alarm) - time(open) <= -3s, from patience
  2. the alarm rings? at most 10 s after
     early enough: time(alarm) - time(open) <= 10s, counted 2 times, from surprise

Each of these rules is needed for the clash.

As close as it gets: alarm at 15s.
It breaks when others do this: open at 20s.

Any one of these changes would help:
  by 8s in total: surprise: upper 10s -> 18s
";
    let shown = explanation(&Display::PLAIN, &Finding::from(&finding));
    assert_eq!(shown, expected);
}

#[test]
fn a_check_tells_a_clash_in_short() {
    let shown = check(&Display::PLAIN, &network(), &strong(clash()));
    let expected = "
not strong: alarm cannot suit every time of open
  time(alarm) - time(open) <= -3s
  the alarm rings? at most 10 s after
  would help: surprise: upper 10s -> 18s
";
    assert!(shown.ends_with(expected), "{shown}");
}

#[test]
fn repairs_are_numbered() {
    let mut finding = clash();
    finding.relaxations[0].changes.push(TemporalBoundChange {
        link_id: "patience".into(),
        side: TemporalBoundSide::Lower.into(),
        old_bound: seconds(5),
        new_bound: seconds(6),
    });
    let expected = "
strong: FAILS, but would hold after any of these changes

#  TOTAL  CHANGE
1     8s  surprise: upper 10s -> 18s
          patience: lower 5s -> 6s
";
    assert_eq!(repair(&Display::PLAIN, &Finding::from(&finding)), expected);
}

#[test]
fn simulations_have_a_rate_and_its_interval() {
    let finding = CheckStrongControllabilityResponse {
        verdict: TemporalVerdict::Holds.into(),
        simulations: vec![TemporalSimulation {
            model: "random".into(),
            runs: 1_000,
            successes: 500,
            rate_lower: 0.469,
            rate_upper: 0.531,
        }],
        ..CheckStrongControllabilityResponse::default()
    };
    let expected = "
strong: HOLDS

MODEL    RUNS  KEPT  RATE  95 % INTERVAL
random  1,000   500   50%  46.9% to 53.1%
";
    let shown = simulated(&Display::PLAIN, &Finding::from(&finding));
    assert_eq!(shown, expected);
}

#[test]
fn every_question_has_its_line_and_waits_are_listed() {
    let finding = |level: TemporalControllabilityLevel, verdict: TemporalVerdict| {
        TemporalControllabilityFinding {
            level: level.into(),
            verdict: verdict.into(),
            ..TemporalControllabilityFinding::default()
        }
    };
    let wait = TemporalDispatchWait {
        event_id: "lamp".into(),
        from_event_id: "leave".into(),
        until_event_id: "arrive".into(),
        duration: seconds(900),
    };
    let answer = Answer::Levels(Box::new(CheckControllabilityResponse {
        findings: vec![
            TemporalControllabilityFinding {
                dispatch: Some(TemporalDispatchableNetwork {
                    bounds: Vec::new(),
                    waits: vec![wait],
                }),
                ..finding(
                    TemporalControllabilityLevel::Dynamic,
                    TemporalVerdict::Holds,
                )
            },
            finding(
                TemporalControllabilityLevel::Strong,
                TemporalVerdict::Unknown,
            ),
        ],
        report: None,
    }));
    let shown = check(&Display::PLAIN, &network(), &answer);
    let expected = "\
dynamic     HOLDS    proved: times can be chosen by what was seen so far
strong      UNKNOWN  neither proved nor disproved

stopped  no report came

execution strategy: 0 bounds, 1 wait (all of it: -o json)
EVENT  WAITS UNTIL  OR   AFTER
lamp   arrive       15m  leave
";
    assert!(shown.ends_with(expected), "{shown}");
}
