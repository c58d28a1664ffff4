//! Problems with everything that the model can say, couplings included.

use super::{Luck, Shape, varied};
use crate::problem::{
    Break, Couplings, Group, Level, MICRO, Micros, Order, Pair, Preference, SHIFT_OPEN_US, Spec,
    Term,
};

/// Steps in which tasks follow each other: orders lead from a step to a later one, and tasks of one
/// step may start together, so that no circle comes about.
const STEPS: usize = 4;

pub(super) fn spec(shape: &Shape, luck: &mut Luck) -> Spec {
    let mut spec = varied::spec(shape, luck);
    if let Some(previous) = spec.previous.as_mut().filter(|_| luck.chance(80)) {
        // Tasks under way that wait for others leave no plan at all.
        previous.routes.iter_mut().for_each(|r| r.started = 0);
    }
    let horizon_us = (shape.tasks / shape.agents + 2) as Micros * 30 * MICRO;
    let steps: Vec<usize> = (0..shape.tasks).map(|_| luck.index(STEPS)).collect();
    spec.couplings = Couplings {
        orders: orders(&steps, horizon_us, luck),
        pairs: pairs(&spec, &steps, luck),
        groups: groups(&steps, luck),
        breaks: breaks(&spec, horizon_us, luck),
        preferences: preferences(shape.tasks, horizon_us, luck),
    };
    for pair in &spec.couplings.pairs {
        spec.tasks[pair.delivery].demands.clear();
    }
    objective(&mut spec.objective, luck);
    spec
}

fn orders(steps: &[usize], horizon_us: Micros, luck: &mut Luck) -> Vec<Order> {
    let mut orders = Vec::new();
    if steps.is_empty() || luck.chance(40) {
        return orders;
    }
    for _ in 0..=luck.index(steps.len() / 2 + 1) {
        let (one, other) = (luck.index(steps.len()), luck.index(steps.len()));
        let (first, second) = if steps[one] < steps[other] {
            (one, other)
        } else {
            (other, one)
        };
        if steps[first] < steps[second] {
            let gap_min_us = if luck.chance(50) {
                luck.pick(0, horizon_us / 6)
            } else {
                0
            };
            let more_us = luck.pick(0, horizon_us / 2);
            orders.push(Order {
                first,
                second,
                gap_min_us,
                gap_max_us: luck.chance(30).then_some(gap_min_us + more_us),
                same_agent: luck.chance(20),
            });
        }
    }
    orders
}

fn pairs(spec: &Spec, steps: &[usize], luck: &mut Luck) -> Vec<Pair> {
    let mut pairs = Vec::new();
    if luck.chance(40) {
        return pairs;
    }
    let mut tasks: Vec<usize> = (0..steps.len()).collect();
    luck.shuffle(&mut tasks);
    for two in tasks.chunks_exact(2) {
        let (pickup, delivery) = (two[0], two[1]);
        let skills = spec.tasks[pickup].skills | spec.tasks[delivery].skills;
        let is_possible = spec.agents.iter().any(|agent| skills & !agent.skills == 0);
        if steps[pickup] < steps[delivery] && is_possible && luck.chance(70) {
            pairs.push(Pair { pickup, delivery });
        }
    }
    pairs
}

fn groups(steps: &[usize], luck: &mut Luck) -> Vec<Group> {
    let mut groups = Vec::new();
    if luck.chance(50) {
        return groups;
    }
    for step in 0..STEPS {
        let mut tasks: Vec<usize> = (0..steps.len()).filter(|t| steps[*t] == step).collect();
        luck.shuffle(&mut tasks);
        tasks.truncate(2 + usize::from(luck.chance(15)));
        if tasks.len() > 1 && luck.chance(60) {
            groups.push(Group { tasks });
        }
    }
    groups
}

fn breaks(spec: &Spec, horizon_us: Micros, luck: &mut Luck) -> Vec<Break> {
    let mut breaks = Vec::new();
    if luck.chance(60) {
        return breaks;
    }
    for (agent, one) in spec.agents.iter().enumerate() {
        for _ in 0..luck.index(3).min(1 + usize::from(luck.chance(20))) {
            let earliest_us = one.shift_start_us + luck.pick(0, horizon_us / 2);
            breaks.push(Break {
                agent,
                length_us: luck.pick(0, horizon_us / 6),
                earliest_us,
                latest_us: earliest_us + luck.pick(0, horizon_us / 3),
            });
        }
    }
    breaks
}

fn preferences(tasks: usize, horizon_us: Micros, luck: &mut Luck) -> Vec<Preference> {
    let mut preferences = Vec::new();
    if luck.chance(60) {
        return preferences;
    }
    for task in 0..tasks {
        if luck.chance(50) {
            let from_us = luck.pick(0, horizon_us);
            preferences.push(Preference {
                task,
                from_us,
                until_us: from_us + luck.pick(0, horizon_us / 4),
                early_micro: if luck.chance(50) {
                    luck.pick(0, 2 * MICRO)
                } else {
                    0
                },
                late_micro: luck.pick(0, 2 * MICRO),
            });
        }
    }
    preferences
}

/// Terms that only plans as a whole can tell, somewhere.
fn objective(levels: &mut [Level], luck: &mut Luck) {
    if levels.is_empty() {
        return;
    }
    for term in [Term::Preferences, Term::TasksMoved, Term::Balance] {
        if luck.chance(40) {
            let level = luck.index(levels.len());
            levels[level].terms.push((term, luck.pick(1, 5)));
        }
    }
}

/// Pickups and deliveries from one depot, in the manner of Li and Lim: places in clusters or spread
/// evenly, windows around the times of a tour that does everything, so that a plan exists if agents
/// are many enough.
///
/// Li, Lim, "A metaheuristic for the pickup and delivery problem with time windows", ICTAI 2001.
pub(super) fn deliveries(shape: &Shape, luck: &mut Luck) -> Spec {
    let mut spec = super::depot::spec(shape, luck);
    let pairs = shape.tasks / 2;
    for pair in 0..pairs {
        let (pickup, delivery) = (2 * pair, 2 * pair + 1);
        let way_us = {
            let [from, to] = [pickup, delivery].map(|task| spec.tasks[task].location);
            spec.travel.duration_us(from, to).unwrap_or(0)
        };
        let ready_us = spec.tasks[pickup].windows.first().map_or(0, |w| w.open_us)
            + spec.tasks[pickup].service_us
            + way_us;
        spec.tasks[delivery].demands.clear();
        // Windows that whoever comes from the pickup meets.
        for window in &mut spec.tasks[delivery].windows {
            let wide_us = window.close_us - window.open_us;
            window.open_us = window.open_us.max(ready_us);
            window.close_us = window.close_us.max(window.open_us + wide_us);
        }
        spec.couplings.pairs.push(Pair { pickup, delivery });
    }
    for agent in &mut spec.agents {
        agent.shift_end_us = SHIFT_OPEN_US;
    }
    spec
}
