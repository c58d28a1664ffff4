//! A plan, for the wire.

use super::names::Names;
use crate::values::duration_of_micros;
use narrative::Narrative;
use narrative::plan::{DispatchBound, HandOver, Plan, Policy};
use narrative::problem::{Micros, Node, ORIGIN};
use stratagem_proto::v1 as pb;

/// A plan for the wire.
pub(super) fn plan(narrative: &Narrative, names: &Names, plan: &Plan) -> pb::NarrativePlan {
    let objective = &narrative.spec().objective;
    let counted = |weight: u32, time: Micros| (weight > 0).then(|| duration_of_micros(time));
    let groups = narrative.groups().len();
    let of = |policy: &Policy| narrative.groups_of(&policy.picks).len();
    let is_by_strands = plan.policies.iter().any(|one| of(one) < groups);
    let policies = plan.policies.iter().map(|one| {
        let policy = self::policy(narrative, names, one);
        if is_by_strands && of(one) > 1 {
            // What two groups have between them says little about when something happens.
            pb::NarrativePolicy {
                ranges: Vec::new(),
                ..policy
            }
        } else {
            policy
        }
    });
    let peaks = plan.peaks.iter().map(|peak| pb::NarrativePeak {
        resource_id: names.resources[peak.resource].clone(),
        amount: count(peak.amount),
        capacity: count(narrative.spec().resources[peak.resource].capacity),
    });
    let stretches = plan.flexibilities.iter().map(|stretch| {
        let link = &names.contingent[stretch.contingent];
        // Nothing is before its group begins, which the planner does not know.
        let shortest_us = (stretch.shortest_us - link.later_us).max(0);
        pb::NarrativeStretch {
            link_id: link.id.clone(),
            shortest_duration: Some(duration_of_micros(shortest_us)),
            longest_duration: Some(duration_of_micros(stretch.longest_us - link.later_us)),
        }
    });
    pb::NarrativePlan {
        policies: policies.collect(),
        makespan_offset: Some(duration_of_micros(plan.makespan_us)),
        slack_duration: counted(objective.slack, plan.slack_us),
        idle_duration: counted(objective.idle, plan.idle_us),
        peaks: peaks.collect(),
        stretches: stretches.collect(),
    }
}

/// An amount, below 2^31 by the limit on capacities.
pub(super) fn count(amount: u32) -> i32 {
    i32::try_from(amount).unwrap_or(i32::MAX)
}

fn policy(narrative: &Narrative, names: &Names, policy: &Policy) -> pb::NarrativePolicy {
    let picks = policy.picks.iter().enumerate();
    let picks = picks.filter_map(|(choice, pick)| Some(names.pick(choice, (*pick)?)));
    let outcomes = policy.outcomes.iter().map(|part| {
        let link = &names.contingent[part.contingent];
        pb::NarrativeOutcomes {
            link_id: link.id.clone(),
            lower: Some(duration_of_micros(part.lower_us - link.later_us)),
            upper: Some(duration_of_micros(part.upper_us - link.later_us)),
        }
    });
    let orders = policy
        .order
        .iter()
        .map(|(first, second)| pb::NarrativeOrder {
            first_activity_id: names.activities[*first].clone(),
            second_activity_id: names.activities[*second].clone(),
        });
    let hand_overs = policy.hand_overs.iter().map(|one| hand_over(names, one));
    pb::NarrativePolicy {
        picks: picks.collect(),
        outcomes: outcomes.collect(),
        orders: orders.collect(),
        dispatch: Some(dispatch(narrative, names, policy)),
        hand_overs: hand_overs.collect(),
        ranges: ranges(narrative, names, policy),
    }
}

/// What is handed over from one activity to another.
pub(super) fn hand_over(names: &Names, one: &HandOver) -> pb::NarrativeHandOver {
    let activity = |activity: usize| names.activities[activity].clone();
    pb::NarrativeHandOver {
        resource_id: names.resources[one.resource].clone(),
        from_activity_id: one.from.map(activity).unwrap_or_default(),
        to_activity_id: activity(one.to),
        amount: count(one.amount),
    }
}

fn dispatch(
    narrative: &Narrative,
    names: &Names,
    policy: &Policy,
) -> pb::TemporalDispatchableNetwork {
    let bounds = policy.bounds.iter().map(|kept| pb::TemporalDispatchBound {
        from_event_id: names.node(kept.from).into(),
        to_event_id: names.node(kept.to).into(),
        bound: Some(duration_of_micros(kept.upper_us)),
    });
    let waits = policy.waits.iter().map(|wait| {
        let link = &narrative.spec().contingent[wait.contingent];
        pb::TemporalDispatchWait {
            event_id: names.node(wait.node).into(),
            from_event_id: names.node(link.from).into(),
            until_event_id: names.node(link.to).into(),
            duration: Some(duration_of_micros(wait.least_us)),
        }
    });
    pb::TemporalDispatchableNetwork {
        bounds: bounds.collect(),
        waits: waits.collect(),
    }
}

/// When each event of the policy may happen: shortest paths from and to the origin through what is
/// kept.
fn ranges(narrative: &Narrative, names: &Names, policy: &Policy) -> Vec<pb::TemporalEventRange> {
    let nodes = narrative.nodes();
    let mut edges = policy.bounds.clone();
    for (index, link) in narrative.spec().contingent.iter().enumerate() {
        if !narrative.present(&policy.picks, link.from)
            || !narrative.present(&policy.picks, link.to)
        {
            continue;
        }
        let narrowed = policy.outcomes.iter().find(|part| part.contingent == index);
        let (lower_us, upper_us) = narrowed.map_or((link.lower_us, link.upper_us), |part| {
            (part.lower_us, part.upper_us)
        });
        let (from, to) = (link.from, link.to);
        edges.push(DispatchBound { from, to, upper_us });
        edges.push(DispatchBound {
            from: to,
            to: from,
            upper_us: -lower_us,
        });
    }
    let latest = shortest(nodes, &edges, |edge| (edge.from, edge.to));
    let earliest = shortest(nodes, &edges, |edge| (edge.to, edge.from));
    let events = (1..nodes).filter(|node| narrative.present(&policy.picks, *node));
    let range = events.filter_map(|node| {
        Some(pb::TemporalEventRange {
            event_id: names.node(node).into(),
            earliest_offset: Some(duration_of_micros(earliest[node].map_or(0, |time| -time))),
            latest_offset: Some(duration_of_micros(latest[node]?)),
        })
    });
    range.collect()
}

/// Lengths of shortest paths from the origin, by Bellman and Ford; edges are of a plan that was
/// verified, so that no cycle is negative.
fn shortest(
    nodes: usize,
    edges: &[DispatchBound],
    ends: impl Fn(&DispatchBound) -> (Node, Node),
) -> Vec<Option<Micros>> {
    let mut length = vec![None; nodes];
    length[ORIGIN] = Some(0);
    for _ in 0..nodes {
        let mut changed = false;
        for edge in edges {
            let (from, to) = ends(edge);
            let Some(through) = length[from].map(|at: Micros| at + edge.upper_us) else {
                continue;
            };
            if length[to].is_none_or(|known| through < known) {
                length[to] = Some(through);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    length
}
