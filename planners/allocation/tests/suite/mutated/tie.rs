//! One change of couplings or of the previous plan.

use super::change::time;
use super::{Draw, list};
use allocation::problem::{
    Break, Group, MICRO, Micros, Order, Pair, Preference, Previous, PreviousRoute, RATE_MAX_MICRO,
    Spec,
};

/// Changes one of the lists.
pub(super) fn couplings(draw: &mut Draw, spec: &mut Spec) {
    if spec.tasks.is_empty() {
        return;
    }
    match draw.below(10) {
        0..3 => orders(draw, spec),
        3 => pairs(draw, spec),
        4 | 5 => groups(draw, spec),
        6 | 7 => breaks(draw, spec),
        8 => preferences(draw, spec),
        _ => match draw.below(5) {
            0 => spec.couplings.orders.clear(),
            1 => spec.couplings.pairs.clear(),
            2 => spec.couplings.groups.clear(),
            3 => spec.couplings.breaks.clear(),
            _ => spec.couplings.preferences.clear(),
        },
    }
}

fn task(draw: &mut Draw, spec: &Spec) -> usize {
    let beyond = usize::from(draw.chance(20));
    draw.below(spec.tasks.len() + beyond)
}

fn orders(draw: &mut Draw, spec: &mut Spec) {
    let (first, second) = (task(draw, spec), task(draw, spec));
    let orders = &mut spec.couplings.orders;
    if draw.chance(2) || orders.is_empty() {
        let gap_min_us = *draw.one_of(&[0, 0, 1, 10 * MICRO]);
        let gap_max_us = draw.chance(2).then(|| gap_min_us + time(draw, 0).max(0));
        let more = Order {
            first,
            second,
            gap_min_us,
            gap_max_us,
            same_agent: draw.chance(4),
        };
        return list(draw, orders, more);
    }
    let at = draw.below(orders.len());
    let order = &mut orders[at];
    match draw.below(6) {
        0 => order.first = first,
        1 => order.second = second,
        2 => order.gap_min_us = time(draw, order.gap_min_us),
        3 => {
            let old = order.gap_max_us.unwrap_or(order.gap_min_us);
            order.gap_max_us = (!draw.chance(4)).then(|| time(draw, old));
        }
        4 => order.gap_max_us = Some(order.gap_min_us),
        _ => order.same_agent = !order.same_agent,
    }
}

fn pairs(draw: &mut Draw, spec: &mut Spec) {
    let (pickup, delivery) = (task(draw, spec), task(draw, spec));
    if draw.chance(2)
        && let Some(task) = spec.tasks.get_mut(delivery)
    {
        task.demands.clear();
    }
    list(draw, &mut spec.couplings.pairs, Pair { pickup, delivery });
}

fn groups(draw: &mut Draw, spec: &mut Spec) {
    let (one, other) = (task(draw, spec), task(draw, spec));
    let groups = &mut spec.couplings.groups;
    if draw.chance(2) || groups.is_empty() {
        let tasks = vec![one, other];
        return list(draw, groups, Group { tasks });
    }
    let at = draw.below(groups.len());
    list(draw, &mut groups[at].tasks, one);
}

fn breaks(draw: &mut Draw, spec: &mut Spec) {
    let beyond = usize::from(draw.chance(20));
    let agent = draw.below(spec.agents.len() + beyond);
    let starts_us = spec.agents.get(agent).map_or(0, |one| one.shift_start_us);
    let breaks = &mut spec.couplings.breaks;
    if draw.chance(2) || breaks.is_empty() {
        let earliest_us = *draw.one_of(&[0, starts_us, starts_us + 20 * MICRO]);
        let wide_us = *draw.one_of(&[0, 1, 10 * MICRO, 60 * MICRO]);
        let more = Break {
            agent,
            length_us: *draw.one_of(&[0, 1, 5 * MICRO, 30 * MICRO]),
            earliest_us,
            latest_us: earliest_us + wide_us,
        };
        return list(draw, breaks, more);
    }
    let at = draw.below(breaks.len());
    let one = &mut breaks[at];
    match draw.below(5) {
        0 => one.agent = agent,
        1 => one.length_us = time(draw, one.length_us),
        2 => one.earliest_us = time(draw, one.earliest_us),
        3 => one.latest_us = time(draw, one.latest_us),
        _ => one.latest_us = one.earliest_us,
    }
}

fn preferences(draw: &mut Draw, spec: &mut Spec) {
    let task = task(draw, spec);
    let rates = [0, 0, 1, MICRO, 5 * MICRO, RATE_MAX_MICRO];
    let from_us = draw.below(10) as Micros * 10 * MICRO;
    let more = Preference {
        task,
        from_us,
        until_us: from_us + *draw.one_of(&[0, 0, 10 * MICRO]),
        early_micro: *draw.one_of(&rates),
        late_micro: *draw.one_of(&rates),
    };
    let all = &mut spec.couplings.preferences;
    // A task has one at most.
    all.retain(|one| one.task != task);
    list(draw, all, more);
}

/// Changes the previous plan, or makes one of any tasks in any order.
pub(super) fn previous(draw: &mut Draw, spec: &mut Spec) {
    let agents = spec.agents.len();
    let tasks = spec.tasks.len();
    let Some(previous) = spec.previous.as_mut().filter(|_| !draw.chance(4)) else {
        let mut left: Vec<usize> = (0..tasks).collect();
        let mut previous = Previous::default();
        for agent in 0..agents {
            let mut route = PreviousRoute::new(agent, Vec::new(), 0);
            for _ in 0..draw.below(4).min(left.len()) {
                let at = draw.below(left.len());
                route.tasks.push(left.swap_remove(at));
            }
            route.committed = if draw.chance(3) {
                draw.below(route.tasks.len() + 1)
            } else {
                0
            };
            previous.routes.push(route);
        }
        spec.previous = (!draw.chance(4)).then_some(previous);
        return;
    };
    if draw.chance(3) || previous.routes.is_empty() {
        previous.changes_max = draw.chance(2).then(|| draw.below(3));
        return;
    }
    let at = draw.below(previous.routes.len());
    let route = &mut previous.routes[at];
    match draw.below(4) {
        0 => route.agent = draw.below(agents),
        1 => route.committed = draw.below(route.tasks.len() + 1),
        _ => {
            let more = draw.below(tasks + 1);
            list(draw, &mut route.tasks, more);
            route.committed = route.committed.min(route.tasks.len());
        }
    }
}
