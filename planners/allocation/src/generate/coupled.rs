//! Instances with all features of the model, couplings included.

use super::{Random, Shape, varied};
use crate::problem::{
    Break, Couplings, Group, Level, MICRO, Micros, Order, Pair, Preference, SHIFT_OPEN_US, Spec,
    Term,
};

/// Steps of tasks: orders lead from a step to a later one, and only tasks of one step start
/// together, so that there is no cycle.
const STEPS: usize = 4;

pub(super) fn spec(shape: &Shape, random: &mut Random) -> Spec {
    let mut spec = varied::spec(shape, random);
    if let Some(previous) = spec.previous.as_mut().filter(|_| random.chance(80)) {
        // Tasks under way that wait for others leave no plan at all.
        previous.routes.iter_mut().for_each(|r| r.committed = 0);
    }
    let horizon_us = (shape.tasks / shape.agents + 2) as Micros * 30 * MICRO;
    let steps: Vec<usize> = (0..shape.tasks).map(|_| random.index(STEPS)).collect();
    spec.couplings = Couplings {
        orders: orders(&steps, horizon_us, random),
        pairs: pairs(&spec, &steps, random),
        groups: groups(&steps, random),
        breaks: breaks(&spec, horizon_us, random),
        preferences: preferences(shape.tasks, horizon_us, random),
    };
    for pair in &spec.couplings.pairs {
        spec.tasks[pair.delivery].demands.clear();
    }
    objective(&mut spec.objective, random);
    spec
}

fn orders(steps: &[usize], horizon_us: Micros, random: &mut Random) -> Vec<Order> {
    let mut orders = Vec::new();
    if steps.is_empty() || random.chance(40) {
        return orders;
    }
    for _ in 0..=random.index(steps.len() / 2 + 1) {
        let (one, other) = (random.index(steps.len()), random.index(steps.len()));
        let (first, second) = if steps[one] < steps[other] {
            (one, other)
        } else {
            (other, one)
        };
        if steps[first] < steps[second] {
            let gap_min_us = if random.chance(50) {
                random.pick(0, horizon_us / 6)
            } else {
                0
            };
            let more_us = random.pick(0, horizon_us / 2);
            orders.push(Order {
                first,
                second,
                gap_min_us,
                gap_max_us: random.chance(30).then_some(gap_min_us + more_us),
                same_agent: random.chance(20),
            });
        }
    }
    orders
}

fn pairs(spec: &Spec, steps: &[usize], random: &mut Random) -> Vec<Pair> {
    let mut pairs = Vec::new();
    if random.chance(40) {
        return pairs;
    }
    let mut tasks: Vec<usize> = (0..steps.len()).collect();
    random.shuffle(&mut tasks);
    for two in tasks.chunks_exact(2) {
        let (pickup, delivery) = (two[0], two[1]);
        let skills = spec.tasks[pickup].skills | spec.tasks[delivery].skills;
        let is_possible = spec.agents.iter().any(|agent| skills & !agent.skills == 0);
        if steps[pickup] < steps[delivery] && is_possible && random.chance(70) {
            pairs.push(Pair { pickup, delivery });
        }
    }
    pairs
}

fn groups(steps: &[usize], random: &mut Random) -> Vec<Group> {
    let mut groups = Vec::new();
    if random.chance(50) {
        return groups;
    }
    for step in 0..STEPS {
        let mut tasks: Vec<usize> = (0..steps.len()).filter(|t| steps[*t] == step).collect();
        random.shuffle(&mut tasks);
        tasks.truncate(2 + usize::from(random.chance(15)));
        if tasks.len() > 1 && random.chance(60) {
            groups.push(Group { tasks });
        }
    }
    groups
}

fn breaks(spec: &Spec, horizon_us: Micros, random: &mut Random) -> Vec<Break> {
    let mut breaks = Vec::new();
    if random.chance(60) {
        return breaks;
    }
    for (agent, one) in spec.agents.iter().enumerate() {
        for _ in 0..random.index(3).min(1 + usize::from(random.chance(20))) {
            let earliest_us = one.shift_start_us + random.pick(0, horizon_us / 2);
            breaks.push(Break {
                agent,
                length_us: random.pick(0, horizon_us / 6),
                earliest_us,
                latest_us: earliest_us + random.pick(0, horizon_us / 3),
            });
        }
    }
    breaks
}

fn preferences(tasks: usize, horizon_us: Micros, random: &mut Random) -> Vec<Preference> {
    let mut preferences = Vec::new();
    if random.chance(60) {
        return preferences;
    }
    for task in 0..tasks {
        if random.chance(50) {
            let from_us = random.pick(0, horizon_us);
            preferences.push(Preference {
                task,
                from_us,
                until_us: from_us + random.pick(0, horizon_us / 4),
                early_micro: if random.chance(50) {
                    random.pick(0, 2 * MICRO)
                } else {
                    0
                },
                late_micro: random.pick(0, 2 * MICRO),
            });
        }
    }
    preferences
}

/// Adds terms that count plans as a whole, at random levels.
fn objective(levels: &mut [Level], random: &mut Random) {
    if levels.is_empty() {
        return;
    }
    for term in [Term::Preferences, Term::TasksMoved, Term::Balance] {
        if random.chance(40) {
            let level = random.index(levels.len());
            levels[level].terms.push((term, random.pick(1, 5)));
        }
    }
}

/// Pickups and deliveries from one depot. After Li, Lim, "A metaheuristic for the pickup and
/// delivery problem with time windows", ICTAI 2001.
pub(super) fn deliveries(shape: &Shape, random: &mut Random) -> Spec {
    let mut spec = super::depot::spec(shape, random);
    let pairs = shape.tasks / 2;
    for pair in 0..pairs {
        let (pickup, delivery) = (2 * pair, 2 * pair + 1);
        let travel_us = {
            let [from, to] = [pickup, delivery].map(|task| spec.tasks[task].location);
            spec.travel.duration_us(from, to).unwrap_or(0)
        };
        let ready_us = spec.tasks[pickup].windows.first().map_or(0, |w| w.open_us)
            + spec.tasks[pickup].service_us
            + travel_us;
        spec.tasks[delivery].demands.clear();
        // Windows that the direct arc from the pickup reaches.
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
