//! One change of one field.

use super::{Draw, list, tie};
use allocation::problem::{
    Agent, Level, MICRO, Micros, PENALTY_MAX_MICRO, QUANTITY_MAX, SHIFT_OPEN_US, SPEED_MAX_MICRO,
    SPEED_MIN_MICRO, Spec, TIME_MAX_US, Task, Term, WEIGHT_MAX, Window,
};
use allocation::travel::ARC_COST_MAX_MICRO;

/// Changes something of everything that a caller sets.
pub(super) fn once(draw: &mut Draw, spec: &mut Spec) {
    match draw.below(17) {
        0..2 => agents(draw, spec),
        2..6 => tasks(draw, spec),
        6..8 => travel(draw, spec),
        8 => objective(draw, spec),
        9 | 10 => tie::previous(draw, spec),
        11 => spec.now_us = time(draw, spec.now_us),
        _ => tie::couplings(draw, spec),
    }
}

/// A time that is nearly this one, or, seldom, at a limit.
pub(super) fn time(draw: &mut Draw, old: Micros) -> Micros {
    match draw.below(18) {
        0 | 1 => 0,
        2 => 1,
        3 => -1,
        4 if draw.chance(3) => TIME_MAX_US,
        5 if draw.chance(3) => TIME_MAX_US - 1,
        6 => old + 1,
        7 => old - 1,
        8 => old.saturating_mul(2),
        9 => old / 2,
        10 => old.saturating_mul(1_000),
        11 | 12 => old + 10 * MICRO,
        13 => (old - 10 * MICRO).max(0),
        _ => draw.below(15) as Micros * 10 * MICRO,
    }
}

fn quantity(draw: &mut Draw, old: i64) -> i64 {
    let all = [0, 1, 2, 5, 10, -1, old + 1, old - 1, QUANTITY_MAX];
    *draw.one_of(&all)
}

fn agents(draw: &mut Draw, spec: &mut Spec) {
    let places = spec.travel.locations + usize::from(draw.chance(20));
    let at = draw.below(spec.agents.len());
    if draw.chance(8) {
        let one = spec.agents[at].clone();
        if draw.chance(3) {
            spec.agents.truncate(at);
        } else {
            spec.agents.push(one);
        }
        return;
    }
    let agent: &mut Agent = &mut spec.agents[at];
    match draw.below(9) {
        0 => agent.start = draw.below(places),
        1 => agent.end = draw.chance(2).then(|| draw.below(places)),
        2 => agent.shift_start_us = time(draw, agent.shift_start_us),
        3 => agent.shift_end_us = SHIFT_OPEN_US,
        4 | 5 => {
            let old = agent.shift_end_us;
            let base = if old == SHIFT_OPEN_US {
                60 * MICRO
            } else {
                old
            };
            agent.shift_end_us = time(draw, base);
        }
        6 => {
            let more = quantity(draw, 3);
            list(draw, &mut agent.capacities, more);
        }
        7 => agent.skills = draw.below(8) as u64,
        _ => {
            let old = agent.speed_micro;
            let all = [
                MICRO,
                MICRO / 2,
                3 * MICRO,
                SPEED_MIN_MICRO,
                SPEED_MAX_MICRO,
                old + 1,
                old - 1,
                0,
            ];
            agent.speed_micro = *draw.one_of(&all);
        }
    }
}

fn tasks(draw: &mut Draw, spec: &mut Spec) {
    let places = spec.travel.locations + usize::from(draw.chance(20));
    if spec.tasks.is_empty() {
        return;
    }
    let at = draw.below(spec.tasks.len());
    if draw.chance(8) {
        let one = spec.tasks[at].clone();
        if draw.chance(3) {
            spec.tasks.truncate(at);
        } else {
            spec.tasks.push(one);
        }
        return;
    }
    let task = &mut spec.tasks[at];
    match draw.below(12) {
        0 => task.location = draw.below(places),
        1 => task.service_us = time(draw, task.service_us),
        2 => {
            let more = quantity(draw, 3);
            list(draw, &mut task.demands, more);
        }
        3 => task.skills = draw.below(8) as u64,
        4 | 5 => {
            let old = task.drop_penalty_micro.unwrap_or(0);
            let all = [
                0,
                1,
                old,
                old / 2,
                10 * MICRO,
                200 * MICRO,
                PENALTY_MAX_MICRO,
            ];
            task.drop_penalty_micro = (!draw.chance(4)).then(|| *draw.one_of(&all));
        }
        6 | 7 => {
            let old = task.lateness_max_us.unwrap_or(10 * MICRO);
            task.lateness_max_us = (!draw.chance(4)).then(|| time(draw, old));
        }
        _ => windows(draw, task),
    }
}

fn windows(draw: &mut Draw, task: &mut Task) {
    let open_us = time(draw, 30 * MICRO);
    let wide_us = time(draw, 20 * MICRO);
    let more = Window::new(open_us, open_us + wide_us.max(0));
    if draw.chance(3) || task.windows.is_empty() {
        list(draw, &mut task.windows, more);
        // Most are refused otherwise.
        task.windows.sort_by_key(|one| one.open_us);
        return;
    }
    let at = draw.below(task.windows.len());
    let one = &mut task.windows[at];
    match draw.below(6) {
        0 => one.open_us = time(draw, one.open_us),
        1 => one.close_us = time(draw, one.close_us),
        2 => one.close_us = one.open_us,
        3 => {
            one.open_us += more.open_us;
            one.close_us += more.open_us;
        }
        _ => {
            // One window is two, which a moment parts.
            let (end_us, middle_us) = (one.close_us, one.open_us.midpoint(one.close_us));
            one.close_us = middle_us;
            let next = Window::new(middle_us + *draw.one_of(&[1, 1, MICRO]), end_us);
            task.windows.insert(at + 1, next);
        }
    }
}

fn travel(draw: &mut Draw, spec: &mut Spec) {
    let places = spec.travel.locations;
    let (from, to) = (draw.below(places), draw.below(places));
    let at = from * places + to;
    let travel = &mut spec.travel;
    match draw.below(10) {
        0..3 => travel.durations_us[at] = -1,
        3..5 => travel.durations_us[at] = time(draw, travel.durations_us[at]),
        5 => {
            let back = travel.durations_us[to * places + from];
            travel.durations_us[at] = back;
        }
        6 => {
            // Nobody leaves, or nobody comes.
            for other in 0..places {
                let way = *draw.one_of(&[from * places + other, other * places + to]);
                travel.durations_us[way] = -1;
            }
        }
        7 => travel.costs_micro = None,
        _ => {
            let all = [0, 1, MICRO, 50 * MICRO, ARC_COST_MAX_MICRO, -1];
            let cost = *draw.one_of(&all);
            let costs = travel.costs_micro.get_or_insert_with(|| {
                let durations_us = travel.durations_us.iter();
                durations_us.map(|one_us| (*one_us).max(0)).collect()
            });
            costs[at] = cost;
        }
    }
}

fn objective(draw: &mut Draw, spec: &mut Spec) {
    let term = *draw.one_of(&[
        Term::Unserved,
        Term::DropPenalty,
        Term::TravelCost,
        Term::Makespan,
        Term::Lateness,
        Term::AgentsUsed,
        Term::Preferences,
        Term::TasksMoved,
        Term::Balance,
    ]);
    let weight = *draw.one_of(&[1, 1, 2, 7, 1_000, WEIGHT_MAX]);
    let own = (term, weight);
    let level = Level { terms: vec![own] };
    if draw.chance(3) || spec.objective.is_empty() {
        // A term that is there already is moved.
        spec.objective
            .iter_mut()
            .for_each(|l| l.terms.retain(|t| t.0 != term));
        spec.objective.retain(|level| !level.terms.is_empty());
        return list(draw, &mut spec.objective, level);
    }
    let at = draw.below(spec.objective.len());
    let terms = &mut spec.objective[at].terms;
    match draw.below(4) {
        0 => list(draw, terms, own),
        1 => terms.push(own),
        2 if !terms.is_empty() => {
            let one = draw.below(terms.len());
            terms[one].1 = weight;
        }
        _ => spec.objective.clear(),
    }
}
