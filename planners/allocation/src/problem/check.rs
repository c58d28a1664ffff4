//! Validation of a problem.

mod coupling;

use super::{
    AGENTS_MAX, Agent, DENSE_AGENTS_MAX, DENSE_TASKS_MAX, DIMENSIONS_MAX, LEVELS_MAX, Level,
    PENALTY_MAX_MICRO, Preference, Problem, QUANTITY_MAX, SHIFT_OPEN_US, SPEED_MAX_MICRO,
    SPEED_MIN_MICRO, Spec, TASKS_MAX, TIME_MAX_US, Task, Term, WEIGHT_MAX, WINDOWS_MAX, objective,
};
use crate::travel::{ARC_COST_MAX_MICRO, LOCATIONS_MAX, Travel};
use anytime::{Argument, Fault, Path, check, element, fault, millionths, time};
use std::ops::RangeInclusive;

/// Most faults that are listed: an invalid matrix could have a million.
const FAULTS_MAX: usize = 1_000;

/// All faults of `spec`, in the order agents, tasks, travel, couplings, objective, previous plan,
/// now.
pub(super) fn faults(spec: &Spec) -> Vec<Fault> {
    let mut faults = Vec::new();
    let (agents_at, tasks_at) = (Path::root("agents"), Path::root("tasks"));
    if spec.agents.is_empty() {
        faults.push(check::required(&agents_at));
    }
    let is_dense = is_dense(spec);
    let counts = [
        (spec.agents.len(), AGENTS_MAX, DENSE_AGENTS_MAX, &agents_at),
        (spec.tasks.len(), TASKS_MAX, DENSE_TASKS_MAX, &tasks_at),
    ];
    for (given, max, dense_max, at) in counts {
        check_count(given, max, at, &mut faults);
        if is_dense && (dense_max + 1..=max).contains(&given) {
            faults.push(fault!(
                "TOO_MANY",
                at,
                "has {} elements, at most {} are allowed with a matrix, with couplings, or with \
                 preferences, moved tasks or balance in the objective",
                given,
                dense_max
            ));
        }
    }
    let locations = spec.travel.locations;
    for (index, one) in spec.agents.iter().enumerate() {
        agent(one, locations, &agents_at.index(index), &mut faults);
    }
    for (index, one) in spec.tasks.iter().enumerate() {
        task(one, locations, &tasks_at.index(index), &mut faults);
    }
    travel(&spec.travel, &mut faults);
    faults.extend(coupling::faults(spec));
    levels(spec, &mut faults);
    previous(spec, &mut faults);
    check_time(spec.now_us, &Path::root("now_offset"), &mut faults);
    faults.truncate(FAULTS_MAX);
    faults
}

impl Problem {
    /// Most agents that it may have.
    pub(crate) fn agents_max(&self) -> usize {
        if is_dense(&self.spec) {
            DENSE_AGENTS_MAX
        } else {
            AGENTS_MAX
        }
    }
}

/// Whether arcs or costs are those of a matrix, or tasks are coupled.
fn is_dense(spec: &Spec) -> bool {
    spec.travel.lines.is_none()
        || spec.travel.costs_micro.is_some()
        || !spec.couplings.is_empty()
        || objective::is_coupled(&objective::complete(spec))
}

fn outside(value: i64, max: i64) -> bool {
    !(0..=max).contains(&value)
}

fn check_count(given: usize, max: usize, at: &Path<'_>, faults: &mut Vec<Fault>) {
    faults.extend(check::too_many(at, given, max));
}

/// Checks that a number is within a range. `shown` makes it an argument of the text.
fn check_range(
    given: i64,
    range: RangeInclusive<i64>,
    shown: impl Fn(i64) -> Argument,
    at: &Path<'_>,
    faults: &mut Vec<Fault>,
) {
    if !range.contains(&given) {
        let [min, max, given] = [*range.start(), *range.end(), given].map(shown);
        faults.push(check::out_of_range(at, given, min, max));
    }
}

fn check_time(given_us: i64, at: &Path<'_>, faults: &mut Vec<Fault>) {
    check_range(given_us, 0..=TIME_MAX_US, time, at, faults);
}

/// Checks that an element exists, and is in a list for the first time.
fn check_first(
    index: usize,
    kind: &'static str,
    seen: &mut [bool],
    at: &Path<'_>,
    faults: &mut Vec<Fault>,
) {
    let name = element(kind, index);
    match seen.get_mut(index) {
        None => faults.push(check::unknown(at, name)),
        Some(true) => faults.push(fault!("DUPLICATE", at, "is {} again", name)),
        Some(seen) => *seen = true,
    }
}

fn reversed(begin: Argument, end: Argument, at: &Path<'_>) -> Fault {
    fault!("REVERSED", at, "must be at least {}, got {}", begin, end)
}

fn check_location(location: usize, locations: usize, at: &Path<'_>, faults: &mut Vec<Fault>) {
    if location >= locations {
        let code = "UNKNOWN";
        faults.push(fault!(
            code,
            at,
            "is location {}, of {}",
            location,
            locations
        ));
    }
}

fn check_quantities(values: &[i64], at: &Path<'_>, faults: &mut Vec<Fault>) {
    check_count(values.len(), DIMENSIONS_MAX, at, faults);
    for (dimension, &quantity) in values.iter().enumerate().take(DIMENSIONS_MAX) {
        check_range(
            quantity,
            0..=QUANTITY_MAX,
            Argument::from,
            &at.index(dimension),
            faults,
        );
    }
}

fn agent(given: &Agent, locations: usize, at: &Path<'_>, faults: &mut Vec<Fault>) {
    for location in [given.start].into_iter().chain(given.end) {
        check_location(location, locations, &at.field("start"), faults);
    }
    let (start_us, end_us) = (given.shift_start_us, given.shift_end_us);
    let shift_at = at.field("shift_end_offset");
    let [start, end, max] = [start_us, end_us, TIME_MAX_US].map(time);
    if outside(start_us, TIME_MAX_US) || (outside(end_us, TIME_MAX_US) && end_us != SHIFT_OPEN_US) {
        let code = "OUT_OF_RANGE";
        faults.push(fault!(
            code,
            shift_at,
            "ends a shift from {} to {}, outside of 0 s to {}",
            start,
            end,
            max
        ));
    } else if end_us < start_us {
        faults.push(reversed(start, end, &shift_at));
    }
    let (range, speed_at) = (SPEED_MIN_MICRO..=SPEED_MAX_MICRO, at.field("speed"));
    check_range(given.speed_micro, range, millionths, &speed_at, faults);
    check_quantities(&given.capacities, &at.field("capacities"), faults);
}

fn task(given: &Task, locations: usize, at: &Path<'_>, faults: &mut Vec<Fault>) {
    check_location(given.location, locations, &at.field("place"), faults);
    check_quantities(&given.demands, &at.field("demands"), faults);
    check_time(given.service_us, &at.field("service_duration"), faults);
    if let Some(lateness_us) = given.lateness_max_us {
        check_time(lateness_us, &at.field("max_lateness_duration"), faults);
    }
    if let Some(penalty_micro) = given.drop_penalty_micro {
        let (range, at) = (0..=PENALTY_MAX_MICRO, at.field("drop_penalty"));
        check_range(penalty_micro, range, millionths, &at, faults);
    }
    let windows_at = at.field("windows");
    check_count(given.windows.len(), WINDOWS_MAX, &windows_at, faults);
    if given.windows.len() > WINDOWS_MAX {
        return;
    }
    let mut closed_us = None;
    for (window, one) in given.windows.iter().enumerate() {
        let at = windows_at.index(window);
        let [open, close, max] = [one.open_us, one.close_us, TIME_MAX_US].map(time);
        if outside(one.open_us, TIME_MAX_US) || outside(one.close_us, TIME_MAX_US) {
            let open = open.clone();
            let code = "OUT_OF_RANGE";
            faults.push(fault!(
                code,
                at,
                "is from {} to {}, outside of 0 s to {}",
                open,
                close,
                max
            ));
        } else if one.close_us < one.open_us {
            faults.push(reversed(open.clone(), close, &at.field("close_offset")));
        }
        if let Some(closed_us) = closed_us.filter(|closed| one.open_us <= *closed) {
            let (at, closed) = (at.field("open_offset"), time(closed_us));
            faults.push(fault!(
                "OVERLAP",
                at,
                "must be after {}, got {}",
                closed,
                open
            ));
        }
        closed_us = Some(one.close_us);
    }
}

fn check_size(given: usize, wanted: usize, at: &Path<'_>, faults: &mut Vec<Fault>) {
    if given != wanted {
        faults.push(fault!(
            "WRONG_SIZE",
            at,
            "has {} elements, {} are wanted: one for each pair of locations",
            given,
            wanted
        ));
    }
}

fn travel(given: &Travel, faults: &mut Vec<Fault>) {
    let travel_at = Path::root("travel");
    if let Some(lines) = &given.lines {
        let has_costs = !given.has_matrix() && given.costs_micro.is_some();
        if lines.points().len() != given.locations || has_costs {
            faults.push(fault!(
                "WRONG_SIZE",
                travel_at.field("euclidean"),
                "needs a point for each location, and has no costs of its own"
            ));
            return;
        }
        if !given.has_matrix() {
            return;
        }
    }
    let matrix_at = travel_at.field("matrix");
    let locations_at = matrix_at.field("location_ids");
    check_count(given.locations, LOCATIONS_MAX, &locations_at, faults);
    if given.locations > LOCATIONS_MAX {
        return;
    }
    let wanted = given.locations * given.locations;
    let durations_at = matrix_at.field("durations_us");
    check_size(given.durations_us.len(), wanted, &durations_at, faults);
    let is_wrong = |(_, us): &(usize, &i64)| !(-1..=TIME_MAX_US).contains(*us);
    let durations = given.durations_us.iter().enumerate().filter(is_wrong);
    for (index, &duration_us) in durations.take(FAULTS_MAX) {
        let at = durations_at.index(index);
        check_range(duration_us, -1..=TIME_MAX_US, Argument::from, &at, faults);
    }
    let Some(costs) = &given.costs_micro else {
        return;
    };
    let costs_at = matrix_at.field("costs_micro");
    check_size(costs.len(), wanted, &costs_at, faults);
    // The cost of a missing arc is ignored.
    let exists = |index: usize| given.durations_us.get(index).is_none_or(|d| *d >= 0);
    let is_wrong =
        |(index, cost): &(usize, &i64)| exists(*index) && outside(**cost, ARC_COST_MAX_MICRO);
    for (index, &cost_micro) in costs.iter().enumerate().filter(is_wrong).take(FAULTS_MAX) {
        let at = costs_at.index(index);
        check_range(
            cost_micro,
            0..=ARC_COST_MAX_MICRO,
            Argument::from,
            &at,
            faults,
        );
    }
}

fn levels(spec: &Spec, faults: &mut Vec<Fault>) {
    let before = faults.len();
    let objective_at = Path::root("objective");
    let levels_at = objective_at.field("levels");
    check_count(spec.objective.len(), LEVELS_MAX, &levels_at, faults);
    if spec.objective.len() > LEVELS_MAX {
        return;
    }
    let mut seen = Vec::new();
    for (level, one) in spec.objective.iter().enumerate() {
        let level_at = levels_at.index(level);
        let terms_at = level_at.field("terms");
        if one.terms.is_empty() {
            faults.push(check::required(&terms_at));
        }
        for (position, &(term, weight)) in one.terms.iter().enumerate() {
            let at = terms_at.index(position);
            if seen.contains(&term) {
                faults.push(fault!(
                    "DUPLICATE",
                    at.field("kind"),
                    "is in the objective already"
                ));
            }
            check_range(
                weight,
                1..=WEIGHT_MAX,
                Argument::from,
                &at.field("weight"),
                faults,
            );
            seen.push(term);
        }
    }
    if faults.len() > before {
        return;
    }
    let complete = objective::complete(spec);
    check_count(complete.len(), LEVELS_MAX, &levels_at, faults);
    let shift = complete.len() - spec.objective.len().min(complete.len());
    for (level, one) in complete.iter().enumerate() {
        if worst(spec, one) > 1 << 62 {
            faults.push(fault!(
                "OVERFLOW",
                levels_at.index(level.saturating_sub(shift)),
                "could add up to more than 2^62 millionths: lower its weights"
            ));
        }
    }
}

/// Upper bound on the cost of a plan at this level.
fn worst(spec: &Spec, level: &Level) -> i128 {
    let (tasks, agents) = (spec.tasks.len() as i128, spec.agents.len() as i128);
    let longest = || i128::from(spec.travel.longest_micro());
    let highest = |one: &Preference| {
        let seconds = i128::from(SHIFT_OPEN_US / 1_000_000) + 1;
        seconds * i128::from(one.early_micro.max(one.late_micro))
    };
    let term = |term| match term {
        Term::Unserved => tasks * 1_000_000,
        Term::AgentsUsed => agents * 1_000_000,
        Term::DropPenalty => spec
            .tasks
            .iter()
            .filter_map(|t| t.drop_penalty_micro)
            .map(i128::from)
            .sum(),
        Term::TravelCost => (tasks + agents) * longest(),
        Term::Makespan => i128::from(SHIFT_OPEN_US),
        Term::Lateness => tasks * i128::from(TIME_MAX_US),
        Term::Preferences => spec.couplings.preferences.iter().map(highest).sum(),
        Term::TasksMoved => tasks * 1_000_000,
        Term::Balance => i128::from(SHIFT_OPEN_US),
    };
    level
        .terms
        .iter()
        .map(|&(kind, weight)| i128::from(weight) * term(kind))
        .sum()
}

fn previous(spec: &Spec, faults: &mut Vec<Fault>) {
    let Some(previous) = &spec.previous else {
        return;
    };
    let mut routed = vec![false; spec.agents.len()];
    let mut done = vec![false; spec.tasks.len()];
    let plan_at = Path::root("previous_plan");
    let routes_at = plan_at.field("routes");
    for (route, one) in previous.routes.iter().enumerate() {
        let route_at = routes_at.index(route);
        let agent_at = route_at.field("agent_id");
        check_first(one.agent, "agent", &mut routed, &agent_at, faults);
        let tasks_at = route_at.field("task_ids");
        for (position, &task) in one.tasks.iter().enumerate() {
            let at = tasks_at.index(position);
            check_first(task, "task", &mut done, &at, faults);
        }
        let (given, max) = (one.committed, one.tasks.len());
        if given > max {
            let at = route_at.field("started_count");
            faults.push(fault!(
                "OUT_OF_RANGE",
                at,
                "must be at most {}, got {}",
                max,
                given
            ));
        }
    }
}
