//! One change of couplings or of the previous plan.

use super::Luck;
use super::change::time;
use allocation::problem::{
    Break, Group, MICRO, Micros, Order, Pair, Preference, Previous, PreviousRoute, RATE_MAX_MICRO,
    Spec,
};

/// Changes one of the lists.
pub(super) fn couplings(luck: &mut Luck, spec: &mut Spec) {
    if spec.tasks.is_empty() {
        return;
    }
    match luck.below(10) {
        0..3 => orders(luck, spec),
        3 => pairs(luck, spec),
        4 | 5 => groups(luck, spec),
        6 | 7 => breaks(luck, spec),
        8 => preferences(luck, spec),
        _ => match luck.below(5) {
            0 => spec.couplings.orders.clear(),
            1 => spec.couplings.pairs.clear(),
            2 => spec.couplings.groups.clear(),
            3 => spec.couplings.breaks.clear(),
            _ => spec.couplings.preferences.clear(),
        },
    }
}

fn task(luck: &mut Luck, spec: &Spec) -> usize {
    let beyond = usize::from(luck.chance(20));
    luck.below(spec.tasks.len() + beyond)
}

fn orders(luck: &mut Luck, spec: &mut Spec) {
    let (first, second) = (task(luck, spec), task(luck, spec));
    let orders = &mut spec.couplings.orders;
    if luck.chance(2) || orders.is_empty() {
        let gap_min_us = luck.one_of(&[0, 0, 1, 10 * MICRO]);
        let gap_max_us = luck.chance(2).then(|| gap_min_us + time(luck, 0).max(0));
        let more = Order {
            first,
            second,
            gap_min_us,
            gap_max_us,
            same_agent: luck.chance(4),
        };
        return luck.list(orders, more);
    }
    let at = luck.below(orders.len());
    let order = &mut orders[at];
    match luck.below(6) {
        0 => order.first = first,
        1 => order.second = second,
        2 => order.gap_min_us = time(luck, order.gap_min_us),
        3 => {
            let old = order.gap_max_us.unwrap_or(order.gap_min_us);
            order.gap_max_us = (!luck.chance(4)).then(|| time(luck, old));
        }
        4 => order.gap_max_us = Some(order.gap_min_us),
        _ => order.same_agent = !order.same_agent,
    }
}

fn pairs(luck: &mut Luck, spec: &mut Spec) {
    let (pickup, delivery) = (task(luck, spec), task(luck, spec));
    if luck.chance(2)
        && let Some(task) = spec.tasks.get_mut(delivery)
    {
        task.demands.clear();
    }
    luck.list(&mut spec.couplings.pairs, Pair { pickup, delivery });
}

fn groups(luck: &mut Luck, spec: &mut Spec) {
    let (one, other) = (task(luck, spec), task(luck, spec));
    let groups = &mut spec.couplings.groups;
    if luck.chance(2) || groups.is_empty() {
        let tasks = vec![one, other];
        return luck.list(groups, Group { tasks });
    }
    let at = luck.below(groups.len());
    luck.list(&mut groups[at].tasks, one);
}

fn breaks(luck: &mut Luck, spec: &mut Spec) {
    let beyond = usize::from(luck.chance(20));
    let agent = luck.below(spec.agents.len() + beyond);
    let starts_us = spec.agents.get(agent).map_or(0, |one| one.shift_start_us);
    let breaks = &mut spec.couplings.breaks;
    if luck.chance(2) || breaks.is_empty() {
        let earliest_us = luck.one_of(&[0, starts_us, starts_us + 20 * MICRO]);
        let wide_us = luck.one_of(&[0, 1, 10 * MICRO, 60 * MICRO]);
        let more = Break {
            agent,
            length_us: luck.one_of(&[0, 1, 5 * MICRO, 30 * MICRO]),
            earliest_us,
            latest_us: earliest_us + wide_us,
        };
        return luck.list(breaks, more);
    }
    let at = luck.below(breaks.len());
    let one = &mut breaks[at];
    match luck.below(5) {
        0 => one.agent = agent,
        1 => one.length_us = time(luck, one.length_us),
        2 => one.earliest_us = time(luck, one.earliest_us),
        3 => one.latest_us = time(luck, one.latest_us),
        _ => one.latest_us = one.earliest_us,
    }
}

fn preferences(luck: &mut Luck, spec: &mut Spec) {
    let task = task(luck, spec);
    let rates = [0, 0, 1, MICRO, 5 * MICRO, RATE_MAX_MICRO];
    let from_us = luck.below(10) as Micros * 10 * MICRO;
    let more = Preference {
        task,
        from_us,
        until_us: from_us + luck.one_of(&[0, 0, 10 * MICRO]),
        early_micro: luck.one_of(&rates),
        late_micro: luck.one_of(&rates),
    };
    let all = &mut spec.couplings.preferences;
    // A task has one at most.
    all.retain(|one| one.task != task);
    luck.list(all, more);
}

/// Changes the previous plan, or makes one of any tasks in any order.
pub(super) fn previous(luck: &mut Luck, spec: &mut Spec) {
    let agents = spec.agents.len();
    let tasks = spec.tasks.len();
    let Some(previous) = spec.previous.as_mut().filter(|_| !luck.chance(4)) else {
        let mut left: Vec<usize> = (0..tasks).collect();
        let mut previous = Previous::default();
        for agent in 0..agents {
            let mut route = PreviousRoute {
                agent,
                tasks: Vec::new(),
                started: 0,
            };
            for _ in 0..luck.below(4).min(left.len()) {
                let at = luck.below(left.len());
                route.tasks.push(left.swap_remove(at));
            }
            route.started = if luck.chance(3) {
                luck.below(route.tasks.len() + 1)
            } else {
                0
            };
            previous.routes.push(route);
        }
        spec.previous = (!luck.chance(4)).then_some(previous);
        return;
    };
    if luck.chance(3) || previous.routes.is_empty() {
        previous.changes_max = luck.chance(2).then(|| luck.below(3));
        return;
    }
    let at = luck.below(previous.routes.len());
    let route = &mut previous.routes[at];
    match luck.below(4) {
        0 => route.agent = luck.below(agents),
        1 => route.started = luck.below(route.tasks.len() + 1),
        _ => {
            let more = luck.below(tasks + 1);
            luck.list(&mut route.tasks, more);
            route.started = route.started.min(route.tasks.len());
        }
    }
}
