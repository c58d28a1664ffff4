//! Validation of couplings.

use super::{FAULTS_MAX, check_count, check_first, check_range, check_time, outside, reversed};
use crate::problem::{
    AGENT_BREAKS_MAX, BREAKS_MAX, GROUPS_MAX, ORDERS_MAX, PAIRS_MAX, PREFERENCES_MAX,
    RATE_MAX_MICRO, Spec, TIME_MAX_US,
};
use anytime::{Argument, Fault, Path, element, fault, millionths, time};
use petgraph::algo::{astar, toposort};

/// All faults, list by list. A cycle is looked for if there are no others.
pub(super) fn faults(spec: &Spec) -> Vec<Fault> {
    let mut faults = Vec::new();
    let all = &spec.couplings;
    let at = Path::root("couplings");
    for (list, given, max) in [
        ("orders", all.orders.len(), ORDERS_MAX),
        ("pairs", all.pairs.len(), PAIRS_MAX),
        ("groups", all.groups.len(), GROUPS_MAX),
        ("breaks", all.breaks.len(), BREAKS_MAX),
        ("preferences", all.preferences.len(), PREFERENCES_MAX),
    ] {
        check_count(given, max, &at.field(list), &mut faults);
    }
    if !faults.is_empty() {
        return faults;
    }
    orders(spec, &at.field("orders"), &mut faults);
    pairs(spec, &at.field("pairs"), &mut faults);
    groups(spec, &at.field("groups"), &mut faults);
    breaks(spec, &at.field("breaks"), &mut faults);
    preferences(spec, &at.field("preferences"), &mut faults);
    if faults.is_empty()
        && let Some(tasks) = cycle(spec)
    {
        let tasks = tasks.into_iter().map(|task| element("task", task));
        let tasks = Argument::List(tasks.collect());
        faults.push(fault!(
            "CONTRADICTION",
            at,
            "have a cycle of tasks that wait for each other: {}",
            tasks
        ));
    }
    faults.truncate(FAULTS_MAX);
    faults
}

/// Checks that a window is within ten years, and not reversed.
fn check_window(
    earliest_us: i64,
    latest_us: i64,
    at: &Path<'_>,
    fields: [&'static str; 2],
    faults: &mut Vec<Fault>,
) {
    let [earliest, latest] = fields;
    check_time(earliest_us, &at.field(earliest), faults);
    check_time(latest_us, &at.field(latest), faults);
    let is_outside = |us| outside(us, TIME_MAX_US);
    if !is_outside(earliest_us) && !is_outside(latest_us) && latest_us < earliest_us {
        let (begin, end) = (time(earliest_us), time(latest_us));
        faults.push(reversed(begin, end, &at.field(latest)));
    }
}

fn orders(spec: &Spec, at: &Path<'_>, faults: &mut Vec<Fault>) {
    for (index, order) in spec.couplings.orders.iter().enumerate() {
        let at = at.index(index);
        let mut seen = vec![false; spec.tasks.len()];
        check_first(
            order.first,
            "task",
            &mut seen,
            &at.field("first_task_id"),
            faults,
        );
        check_first(
            order.second,
            "task",
            &mut seen,
            &at.field("second_task_id"),
            faults,
        );
        let latest_us = order.gap_max_us.unwrap_or(TIME_MAX_US);
        let fields = ["min_gap_duration", "max_gap_duration"];
        check_window(order.gap_min_us, latest_us, &at, fields, faults);
    }
}

fn pairs(spec: &Spec, at: &Path<'_>, faults: &mut Vec<Fault>) {
    let mut seen = vec![false; spec.tasks.len()];
    for (index, pair) in spec.couplings.pairs.iter().enumerate() {
        let at = at.index(index);
        let before = faults.len();
        check_first(
            pair.pickup,
            "task",
            &mut seen,
            &at.field("pickup_task_id"),
            faults,
        );
        check_first(
            pair.delivery,
            "task",
            &mut seen,
            &at.field("delivery_task_id"),
            faults,
        );
        if faults.len() > before {
            continue;
        }
        let task = pair.delivery;
        if spec.tasks[task].demands.iter().any(|demand| *demand != 0) {
            let tasks_at = Path::root("tasks");
            let at = tasks_at.index(task);
            faults.push(fault!(
                "CONTRADICTION",
                at.field("demands"),
                "must be 0, as {} delivers what couplings.pairs[{}] picks up",
                element("task", task),
                index
            ));
        }
        let skills = spec.tasks[pair.pickup].skills | spec.tasks[task].skills;
        let able = |agent: &crate::problem::Agent| skills & !agent.skills == 0;
        if skills != 0 && !spec.agents.iter().any(able) {
            faults.push(fault!(
                "CONTRADICTION",
                at,
                "has tasks of which no agent has all skills"
            ));
        }
    }
}

fn groups(spec: &Spec, at: &Path<'_>, faults: &mut Vec<Fault>) {
    let mut seen = vec![false; spec.tasks.len()];
    for (index, group) in spec.couplings.groups.iter().enumerate() {
        let at = at.index(index);
        let at = at.field("task_ids");
        if group.tasks.len() < 2 {
            let given = group.tasks.len();
            faults.push(fault!(
                "REQUIRED",
                at,
                "must have at least 2 tasks, got {}",
                given
            ));
        }
        for (member, &task) in group.tasks.iter().enumerate() {
            check_first(task, "task", &mut seen, &at.index(member), faults);
        }
    }
}

fn breaks(spec: &Spec, at: &Path<'_>, faults: &mut Vec<Fault>) {
    let mut counts = vec![0; spec.agents.len()];
    for (index, one) in spec.couplings.breaks.iter().enumerate() {
        let at = at.index(index);
        check_time(one.length_us, &at.field("length_duration"), faults);
        let before = faults.len();
        let fields = ["earliest_offset", "latest_offset"];
        check_window(one.earliest_us, one.latest_us, &at, fields, faults);
        let is_whole = faults.len() == before;
        let agent = element("agent", one.agent);
        let at_agent = at.field("agent_id");
        let (Some(given), Some(count)) = (spec.agents.get(one.agent), counts.get_mut(one.agent))
        else {
            faults.push(anytime::check::unknown(&at_agent, agent));
            continue;
        };
        *count += 1;
        if *count == AGENT_BREAKS_MAX + 1 {
            faults.push(fault!(
                "TOO_MANY",
                at_agent,
                "is {}, which has {} breaks already, the most that are allowed",
                agent,
                AGENT_BREAKS_MAX
            ));
        }
        if is_whole && one.latest_us < given.shift_start_us {
            let [latest, start] = [one.latest_us, given.shift_start_us].map(time);
            faults.push(fault!(
                "OUT_OF_RANGE",
                at.field("latest_offset"),
                "must be at least {}, the start of the agent's shift, got {}",
                start,
                latest
            ));
        }
    }
}

fn preferences(spec: &Spec, at: &Path<'_>, faults: &mut Vec<Fault>) {
    let mut seen = vec![false; spec.tasks.len()];
    for (index, one) in spec.couplings.preferences.iter().enumerate() {
        let at = at.index(index);
        check_first(one.task, "task", &mut seen, &at.field("task_id"), faults);
        let fields = ["from_offset", "until_offset"];
        check_window(one.from_us, one.until_us, &at, fields, faults);
        for (field, rate_micro) in [
            ("early_cost", one.early_micro),
            ("late_cost", one.late_micro),
        ] {
            let at = at.field(field);
            check_range(rate_micro, 0..=RATE_MAX_MICRO, millionths, &at, faults);
        }
    }
}

/// A cycle of tasks of which each waits for the next, if there is one: of those through one task,
/// a shortest.
fn cycle(spec: &Spec) -> Option<Vec<usize>> {
    let (_, waits) = spec.couplings.waits(spec.tasks.len());
    let first = toposort(&waits, None).err()?.node_id();
    let is_last = |task| waits.contains_edge(task, first);
    astar(&waits, first, is_last, |_| 1, |_| 0).map(|(_, cycle)| cycle)
}
