//! What ties tasks to each other, and agents to the clock, from the wire.

use super::{Context, moment};
use crate::wire::mistakes::Mistakes;
use crate::wire::path::Path;
use crate::wire::values::each;
use allocation::problem::{
    BREAKS_MAX, Break, Couplings, GROUPS_MAX, Group, ORDERS_MAX, Order, PAIRS_MAX, PREFERENCES_MAX,
    Pair, Preference, RATE_MAX_MICRO, TASKS_MAX, TIME_MAX_US,
};
use stratagem_proto::v1 as pb;

/// In ones.
const RATES: std::ops::RangeInclusive<f64> = 0.0..=RATE_MAX_MICRO as f64 / 1e6;
/// In place of an unknown id: an index that no list has. The planner finds the place wrong too, which is
/// passed over.
const NOTHING: usize = usize::MAX;

/// Couplings of the problem at `at`; lists that are too long are passed over.
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
    let mut read = Couplings::default();
    let list = at.field("orders");
    if wrong.size(&list, orders.len(), ORDERS_MAX) {
        read.orders = each(orders, &list, |one, at| order(one, at, context, wrong));
    }
    let list = at.field("pairs");
    if wrong.size(&list, pairs.len(), PAIRS_MAX) {
        read.pairs = each(pairs, &list, |one, at| pair(one, at, context, wrong));
    }
    let list = at.field("groups");
    if wrong.size(&list, groups.len(), GROUPS_MAX) {
        read.groups = each(groups, &list, |one, at| group(one, at, context, wrong));
    }
    let list = at.field("breaks");
    if wrong.size(&list, breaks.len(), BREAKS_MAX) {
        read.breaks = each(breaks, &list, |one, at| rest(one, at, context, wrong));
    }
    let list = at.field("preferences");
    if wrong.size(&list, preferences.len(), PREFERENCES_MAX) {
        read.preferences = each(preferences, &list, |one, at| {
            preference(one, at, context, wrong)
        });
    }
    read
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
        gap_min_us: moment(min_gap_duration, &at.field("min_gap_duration"), wrong),
        gap_max_us: max_gap_duration
            .map(|gap| wrong.micros(&at.field("max_gap_duration"), gap, 0..=TIME_MAX_US)),
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
    let list = at.field("task_ids");
    if !wrong.size(&list, task_ids.len(), TASKS_MAX) {
        return Group { tasks: Vec::new() };
    }
    Group {
        tasks: each(task_ids, &list, |id, at| task(&id, at, context, wrong)),
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
    let latest_at = at.field("latest_offset");
    let latest = wrong.required(&latest_at, latest_offset);
    Break {
        agent: agent.unwrap_or(NOTHING),
        length_us: moment(length_duration, &at.field("length_duration"), wrong),
        earliest_us: moment(earliest_offset, &at.field("earliest_offset"), wrong),
        latest_us: moment(latest, &latest_at, wrong),
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
    let until_at = at.field("until_offset");
    let until = wrong.required(&until_at, until_offset);
    Preference {
        task: task(&task_id, &at.field("task_id"), context, wrong),
        from_us: moment(from_offset, &at.field("from_offset"), wrong),
        until_us: moment(until, &until_at, wrong),
        early_micro: wrong.micro(&at.field("early_cost"), early_cost, RATES),
        late_micro: wrong.micro(&at.field("late_cost"), late_cost, RATES),
    }
}
