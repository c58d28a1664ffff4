//! Violations of a plan, with their paths in the caller's message.

use super::answer::objective;
use super::names::InPlan;
use super::problem::Decoded;
use super::read::ReadPlan;
use crate::faults::violation;
use crate::planning;
use narrative::Answer;
use stratagem_proto::v1 as pb;

/// The verdict on a plan for its narrative.
pub(crate) fn verdict(decoded: &Decoded, read: &ReadPlan) -> pb::VerifyPlanResponse {
    let narrative = &decoded.narrative;
    let checked = ::narrative::verify::answer(narrative, &Answer::Plan(read.plan.clone()));
    let checked = checked.map(|cost| objective(narrative, &read.plan, cost));
    let names = InPlan {
        names: &decoded.names,
        entries: &read.at,
    };
    planning::verdict(checked, |fault| violation(fault, &names))
}

#[cfg(test)]
mod tests {
    use super::super::problem::problem;
    use super::super::read::plan;
    use super::verdict;
    use crate::mistakes::Mistakes;
    use anytime::Path;
    use stratagem_proto::v1 as pb;

    fn seconds(seconds: i64) -> Option<prost_types::Duration> {
        Some(prost_types::Duration { seconds, nanos: 0 })
    }

    /// Two acts on one stage, 5 s each, the first as long as players like up to 3 s more, and then
    /// ours.
    fn acts() -> pb::NarrativeProblem {
        let event = |id: &&str| pb::NarrativeEvent {
            id: (*id).into(),
            label: String::new(),
        };
        let activity = |id: &str, start: &str, end: &str| pb::NarrativeActivity {
            id: id.into(),
            start_event_id: start.into(),
            end_event_id: end.into(),
            demands: vec![pb::NarrativeDemand {
                resource_id: "stage".into(),
                amount: Some(1),
                consumed: false,
            }],
            ..Default::default()
        };
        pb::NarrativeProblem {
            events: ["begin", "end", "start", "stop"]
                .iter()
                .map(event)
                .collect(),
            links: vec![pb::TemporalRequirementLink {
                id: "second".into(),
                from_event_id: "start".into(),
                to_event_id: "stop".into(),
                lower: seconds(5),
                upper: seconds(5),
            }],
            contingent_links: vec![pb::TemporalContingentLink {
                id: "first".into(),
                from_event_id: "begin".into(),
                to_event_id: "end".into(),
                lower: seconds(5),
                upper: seconds(8),
            }],
            activities: vec![
                activity("play", "begin", "end"),
                activity("song", "start", "stop"),
            ],
            resources: vec![pb::NarrativeResource {
                id: "stage".into(),
                capacity: Some(1),
                ..Default::default()
            }],
            ..Default::default()
        }
    }

    fn order(first: &str, second: &str) -> pb::NarrativeOrder {
        pb::NarrativeOrder {
            first_activity_id: first.into(),
            second_activity_id: second.into(),
        }
    }

    fn bound(from: &str, to: &str, most: i64) -> pb::TemporalDispatchBound {
        pb::TemporalDispatchBound {
            from_event_id: from.into(),
            to_event_id: to.into(),
            bound: seconds(most),
        }
    }

    /// First the play, then the song; all is over by 20 s.
    fn valid_plan() -> pb::NarrativePlan {
        pb::NarrativePlan {
            policies: vec![pb::NarrativePolicy {
                orders: vec![order("play", "song")],
                dispatch: dispatch(vec![bound("origin", "stop", 20)], vec![]),
                ..Default::default()
            }],
            makespan_offset: seconds(20),
            ..Default::default()
        }
    }

    /// Codes and fields of the violations.
    fn checked(acts: pb::NarrativeProblem, given: pb::NarrativePlan) -> Vec<(String, String)> {
        let mut wrong = Mistakes::default();
        let decoded = problem(acts, &Path::root("problem"), &mut wrong).expect("it is valid");
        let (narrative, names) = (&decoded.narrative, &decoded.names);
        let read = plan(given, narrative, names, &Path::root("plan"), &mut wrong);
        let read = read.expect("it can be read");
        let answer = verdict(&decoded, &read);
        assert_eq!(answer.valid, answer.violations.is_empty());
        let violations = answer.violations.into_iter();
        violations.map(|one| (one.code, one.field)).collect()
    }

    /// Field and code of what is wrong first after a change of the plan and its one policy.
    fn after(change: impl Fn(&mut pb::NarrativePolicy, &mut pb::NarrativePlan)) -> String {
        let mut plan = valid_plan();
        let mut policy = plan.policies.remove(0);
        change(&mut policy, &mut plan);
        plan.policies.insert(0, policy);
        let all = checked(acts(), plan);
        let first = all.into_iter().next().expect("something is wrong");
        format!("{} {}", first.1, first.0)
    }

    fn dispatch(
        bounds: Vec<pb::TemporalDispatchBound>,
        waits: Vec<pb::TemporalDispatchWait>,
    ) -> Option<pb::TemporalDispatchableNetwork> {
        Some(pb::TemporalDispatchableNetwork { bounds, waits })
    }

    #[test]
    fn numbers_and_whole_policies_have_their_place_in_the_message() {
        assert_eq!(checked(acts(), valid_plan()), []);
        assert_eq!(
            after(|policy, _| policy.orders.clear()),
            "policies[0] OVERLOAD"
        );
        assert_eq!(
            after(|_, plan| plan.makespan_offset = seconds(12)),
            "makespan_offset MAKESPAN_BROKEN"
        );
        assert_eq!(
            after(|_, plan| plan.slack_duration = seconds(30)),
            "slack_duration SLACK_BROKEN"
        );
    }

    #[test]
    fn entries_of_lists_have_their_place_in_the_message() {
        // The planner sorts lists: places are those of the caller.
        assert_eq!(
            after(|policy, _| policy.orders = vec![order("song", "song"), order("play", "song")]),
            "policies[0].orders[0] ORDER_WRONG"
        );
        assert_eq!(
            after(|policy, _| {
                let bounds = vec![bound("stop", "stop", 1), bound("begin", "stop", 20)];
                policy.dispatch = dispatch(bounds, vec![]);
            }),
            "policies[0].dispatch.bounds[0] KEPT_WRONG"
        );
        assert_eq!(
            after(|policy, _| {
                let wait = pb::TemporalDispatchWait {
                    event_id: "origin".into(),
                    from_event_id: "begin".into(),
                    until_event_id: "end".into(),
                    duration: seconds(1),
                };
                policy.dispatch = dispatch(vec![], vec![wait]);
            }),
            "policies[0].dispatch.waits[0] WAIT_WRONG"
        );
        assert_eq!(
            after(|policy, _| policy.outcomes.push(pb::NarrativeOutcomes {
                link_id: "first".into(),
                lower: seconds(5),
                upper: seconds(6),
            })),
            "policies[0].outcomes[0] NOT_SEEN"
        );
        assert_eq!(
            after(|policy, _| {
                let hand = |from: &str, to: &str| pb::NarrativeHandOver {
                    resource_id: "stage".into(),
                    from_activity_id: from.into(),
                    to_activity_id: to.into(),
                    amount: 1,
                };
                policy.hand_overs = vec![hand("song", "play"), hand("", "song")];
            }),
            "policies[0].hand_overs[0] HAND_OVER_EARLY"
        );
    }
}
