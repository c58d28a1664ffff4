//! What ties tasks to each other, and agents to the clock, from the wire.

use super::{Context, moment};
use crate::mistakes::Mistakes;
use crate::values::{millionths, read_each, rounded_micros};
use allocation::problem::{Break, Couplings, Group, Order, Pair, Preference};
use anytime::Path;
use stratagem_proto::v1 as pb;

/// In place of an unknown id: an index that no list has. The planner finds the place wrong too,
/// which is passed over.
const NOTHING: usize = usize::MAX;

/// Couplings of the problem at `at`.
pub(super) fn read(
    given: Option<pb::AllocationCouplings>,
    at: &Path<'_>,
    context: &mut Context,
    wrong: &mut Mistakes,
) -> Couplings {
    let pb::AllocationCouplings {
        orders,
        pairs,
        groups,
        breaks,
        preferences,
    } = given.unwrap_or_default();
    let at = at.field("couplings");
    Couplings {
        orders: read_each(orders, &at.field("orders"), |one, at| {
            order(one, at, context, wrong)
        }),
        pairs: read_each(pairs, &at.field("pairs"), |one, at| {
            pair(one, at, context, wrong)
        }),
        groups: read_each(groups, &at.field("groups"), |one, at| {
            group(one, at, context, wrong)
        }),
        breaks: read_each(breaks, &at.field("breaks"), |one, at| {
            rest(one, at, context, wrong)
        }),
        preferences: read_each(preferences, &at.field("preferences"), |one, at| {
            preference(one, at, context, wrong)
        }),
    }
}

fn task(id: &str, at: &Path<'_>, context: &Context, wrong: &mut Mistakes) -> usize {
    context.tasks.find(at, id, wrong).unwrap_or(NOTHING)
}

fn order(
    given: pb::AllocationOrder,
    at: &Path<'_>,
    context: &Context,
    wrong: &mut Mistakes,
) -> Order {
    let pb::AllocationOrder {
        first_task_id,
        second_task_id,
        min_gap_duration,
        max_gap_duration,
        same_agent,
    } = given;
    Order {
        first: task(&first_task_id, &at.field("first_task_id"), context, wrong),
        second: task(&second_task_id, &at.field("second_task_id"), context, wrong),
        gap_min_us: moment(min_gap_duration),
        gap_max_us: max_gap_duration.as_ref().map(rounded_micros),
        same_agent,
    }
}

fn pair(given: pb::AllocationPair, at: &Path<'_>, context: &Context, wrong: &mut Mistakes) -> Pair {
    let pb::AllocationPair {
        pickup_task_id,
        delivery_task_id,
    } = given;
    let delivery_at = at.field("delivery_task_id");
    Pair {
        pickup: task(&pickup_task_id, &at.field("pickup_task_id"), context, wrong),
        delivery: task(&delivery_task_id, &delivery_at, context, wrong),
    }
}

fn group(
    given: pb::AllocationGroup,
    at: &Path<'_>,
    context: &Context,
    wrong: &mut Mistakes,
) -> Group {
    let pb::AllocationGroup { task_ids } = given;
    Group {
        tasks: read_each(task_ids, &at.field("task_ids"), |id, at| {
            task(&id, at, context, wrong)
        }),
    }
}

fn rest(
    given: pb::AllocationBreak,
    at: &Path<'_>,
    context: &mut Context,
    wrong: &mut Mistakes,
) -> Break {
    let pb::AllocationBreak {
        id,
        agent_id,
        length_duration,
        earliest_offset,
        latest_offset,
    } = given;
    context.breaks.take(&at.field("id"), id, wrong);
    let agent = context.agents.find(&at.field("agent_id"), &agent_id, wrong);
    Break {
        agent: agent.unwrap_or(NOTHING),
        length_us: moment(length_duration),
        earliest_us: moment(earliest_offset),
        latest_us: moment(latest_offset),
    }
}

fn preference(
    given: pb::AllocationPreference,
    at: &Path<'_>,
    context: &Context,
    wrong: &mut Mistakes,
) -> Preference {
    let pb::AllocationPreference {
        task_id,
        from_offset,
        until_offset,
        early_cost,
        late_cost,
    } = given;
    Preference {
        task: task(&task_id, &at.field("task_id"), context, wrong),
        from_us: moment(from_offset),
        until_us: moment(until_offset),
        early_micro: millionths(early_cost),
        late_micro: millionths(late_cost),
    }
}
