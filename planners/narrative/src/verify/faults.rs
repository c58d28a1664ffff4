//! Rules that are checked in several places, each written once.

use super::{JOINT_MAX, OUTCOMES_MAX, POLICIES_MAX, STRAND_POLICIES_MAX, WORK_MAX};
use crate::plan::Uncovered;
use crate::problem::{Micros, Node};
use anytime::Step::Index;
use anytime::{Argument, Fault, Path, element, fault, time};

/// A fault of one policy, whose path is given to the function.
pub(super) fn in_policy(policy: usize, fault: impl FnOnce(&Path<'_>) -> Fault) -> Fault {
    let policies = Path::root("policies");
    fault(&policies.index(policy))
}

/// The same fault about the policy that has this one's index in `at`.
pub(super) fn with_index_from(mut fault: Fault, at: &[usize]) -> Fault {
    if let [_, Index(policy), ..] = fault.at.as_mut_slice() {
        *policy = at[*policy];
    }
    fault
}

pub(super) fn picks_wrong(policy: usize) -> Fault {
    in_policy(policy, |at| {
        let picks = at.field("picks");
        fault!("PICKS_WRONG", picks, "are no storyline")
    })
}

pub(super) fn hand_over_wrong(policy: usize, entry: usize) -> Fault {
    in_policy(policy, |at| {
        let list = at.field("hand_overs");
        let at = list.index(entry);
        fault!(
            "HAND_OVER_WRONG",
            at,
            "is between activities that do not both need the resource"
        )
    })
}

pub(super) fn too_many_policies(given: usize) -> Fault {
    fault!(
        "TOO_MANY_POLICIES",
        Path::root("policies"),
        "has {} elements, at most {} are allowed, {} where each is of one or two groups",
        given,
        POLICIES_MAX,
        STRAND_POLICIES_MAX
    )
}

pub(super) fn no_policy() -> Fault {
    fault!("NO_POLICY", Path::root("policies"), "is empty")
}

pub(super) fn too_many_nodes(given: usize) -> Fault {
    let at = Path::root("policies");
    fault!(
        "TOO_MANY_NODES",
        at,
        "have {} events together, at most {} are checked",
        given,
        JOINT_MAX
    )
}

pub(super) fn too_many_cases() -> Fault {
    fault!(
        "TOO_MANY_CASES",
        Path::root("policies"),
        "make more than {} cases of outcomes, or {} comparisons of activities",
        OUTCOMES_MAX,
        WORK_MAX
    )
}

/// Nodes, as one argument.
pub(super) fn nodes(nodes: impl IntoIterator<Item = Node>) -> Argument {
    let nodes = nodes.into_iter().map(|node| element("node", node));
    Argument::List(nodes.collect())
}

/// Activities, as one argument.
pub(super) fn activities(activities: &[usize]) -> Argument {
    let activities = activities.iter().map(|one| element("activity", *one));
    Argument::List(activities.collect())
}

/// The policies have no execution strategy together; each of the nodes waits for the one before.
pub(super) fn not_controllable(cycle: impl IntoIterator<Item = Node>) -> Fault {
    fault!(
        "NOT_CONTROLLABLE",
        Path::root("policies"),
        "are not dynamically controllable together: of {} each waits for the one before",
        nodes(cycle)
    )
}

pub(super) fn makespan_broken(makespan_us: Micros) -> Fault {
    let (at, makespan) = (Path::root("makespan_offset"), time(makespan_us));
    fault!(
        "MAKESPAN_BROKEN",
        at,
        "is {}: by then not everything has happened for sure",
        makespan
    )
}

pub(super) fn slack_broken(slack_us: Micros) -> Fault {
    let (at, slack) = (Path::root("slack_duration"), time(slack_us));
    fault!(
        "SLACK_BROKEN",
        at,
        "is {}: with so much variation the plan fails",
        slack
    )
}

/// `found_us`: the longest idle time; `None`: unbounded.
pub(super) fn idle_broken(claimed_us: Micros, found_us: Option<Micros>) -> Fault {
    let (at, claimed) = (Path::root("idle_duration"), time(claimed_us));
    let found = found_us.map_or_else(|| Argument::from("unbounded"), time);
    fault!(
        "IDLE_BROKEN",
        at,
        "is {}, but the idle time may be {}",
        claimed,
        found
    )
}

pub(super) fn peak_wrong(resource: usize, claimed: u64, found: u64) -> Fault {
    let (at, resource) = (Path::root("peaks"), element("resource", resource));
    fault!(
        "PEAK_WRONG",
        at,
        "claim {} of {}, but the peak is {}",
        claimed,
        resource,
        found
    )
}

pub(super) fn flexibility_wrong(entry: usize, contingent: usize) -> Fault {
    let list = Path::root("stretches");
    let (at, link) = (list.index(entry), element("contingent link", contingent));
    fault!(
        "STRETCH_WRONG",
        at,
        "is wrong about {}, out of order, or more than it tolerates",
        link
    )
}

/// Activities of a policy that may overlap and need more of a resource than there is.
pub(super) fn overload(
    policy: usize,
    resource: usize,
    activities: &[usize],
    amount: u64,
    capacity: u32,
) -> Fault {
    let activities = self::activities(activities);
    in_policy(policy, |at| {
        fault!(
            "OVERLOAD",
            at,
            "lets {} overlap: they need {} of {}, of which there are {}",
            activities,
            amount,
            element("resource", resource),
            capacity
        )
    })
}

pub(super) fn uncovered(witness: &Uncovered) -> Fault {
    let durations = witness
        .durations_us
        .iter()
        .flat_map(|(contingent, duration)| {
            [element("contingent link", *contingent), time(*duration)]
        });
    let picks = witness
        .picks
        .iter()
        .enumerate()
        .filter_map(|(choice, pick)| {
            let option = Argument::from(format!("option {}", (*pick)?));
            Some([element("choice", choice), option])
        });
    fault!(
        "UNCOVERED",
        Path::root("policies"),
        "leave open what happens after picks [{}] and durations [{}]",
        Argument::List(picks.flatten().collect()),
        Argument::List(durations.collect())
    )
}
