//! Validation of a problem.

mod coupling;

use super::{
    AGENTS_MAX, Agent, DIMENSIONS_MAX, LEVELS_MAX, Level, PENALTY_MAX_MICRO, Preference,
    QUANTITY_MAX, SHIFT_OPEN_US, SPEED_MAX_MICRO, SPEED_MIN_MICRO, Spec, TASKS_MAX, TIME_MAX_US,
    Task, Term, WEIGHT_MAX, WINDOWS_MAX, objective,
};
use crate::errors::{ProblemError as E, Subject};
use crate::travel::{ARC_COST_MAX_MICRO, LOCATIONS_MAX, Travel};

/// Most errors that are listed: an invalid matrix could have a million.
const ERRORS_MAX: usize = 1_000;

/// All mistakes of `spec`, in the order agents, tasks, travel, couplings, objective, previous plan,
/// now.
pub(super) fn errors(spec: &Spec) -> Vec<E> {
    let mut wrong = Vec::new();
    if spec.agents.is_empty() {
        wrong.push(E::NoAgents);
    }
    if spec.agents.len() > AGENTS_MAX {
        wrong.push(E::TooManyAgents {
            given: spec.agents.len(),
        });
    }
    if spec.tasks.len() > TASKS_MAX {
        wrong.push(E::TooManyTasks {
            given: spec.tasks.len(),
        });
    }
    let locations = spec.travel.locations;
    for (i, one) in spec.agents.iter().enumerate() {
        agent(i, one, locations, &mut wrong);
    }
    for (i, one) in spec.tasks.iter().enumerate() {
        task(i, one, locations, &mut wrong);
    }
    travel(&spec.travel, &mut wrong);
    let couplings = coupling::errors(spec).into_iter().map(E::Coupling);
    wrong.extend(couplings);
    levels(spec, &mut wrong);
    previous(spec, &mut wrong);
    if outside(spec.now_us, TIME_MAX_US) {
        let now_us = spec.now_us;
        wrong.push(E::NowOutOfRange { now_us });
    }
    wrong.truncate(ERRORS_MAX);
    wrong
}

fn outside(value: i64, max: i64) -> bool {
    !(0..=max).contains(&value)
}

fn place(subject: Subject, location: usize, locations: usize, wrong: &mut Vec<E>) {
    if location >= locations {
        wrong.push(E::UnknownLocation {
            subject,
            location,
            locations,
        });
    }
}

fn quantities(subject: Subject, values: &[i64], wrong: &mut Vec<E>) {
    if values.len() > DIMENSIONS_MAX {
        wrong.push(E::TooManyDimensions {
            subject,
            given: values.len(),
        });
    }
    for (dimension, &quantity) in values.iter().enumerate().take(DIMENSIONS_MAX) {
        if outside(quantity, QUANTITY_MAX) {
            wrong.push(E::QuantityOutOfRange {
                subject,
                dimension,
                quantity,
            });
        }
    }
}

fn agent(agent: usize, given: &Agent, locations: usize, wrong: &mut Vec<E>) {
    for location in [given.start].into_iter().chain(given.end) {
        place(Subject::Agent(agent), location, locations, wrong);
    }
    let (start_us, end_us) = (given.shift_start_us, given.shift_end_us);
    if outside(start_us, TIME_MAX_US) || (outside(end_us, TIME_MAX_US) && end_us != SHIFT_OPEN_US) {
        wrong.push(E::ShiftOutOfRange {
            agent,
            start_us,
            end_us,
        });
    } else if end_us < start_us {
        wrong.push(E::ShiftReversed {
            agent,
            start_us,
            end_us,
        });
    }
    if !(SPEED_MIN_MICRO..=SPEED_MAX_MICRO).contains(&given.speed_micro) {
        wrong.push(E::SpeedOutOfRange {
            agent,
            speed_micro: given.speed_micro,
        });
    }
    quantities(Subject::Agent(agent), &given.capacities, wrong);
}

fn task(task: usize, given: &Task, locations: usize, wrong: &mut Vec<E>) {
    place(Subject::Task(task), given.location, locations, wrong);
    quantities(Subject::Task(task), &given.demands, wrong);
    if outside(given.service_us, TIME_MAX_US) {
        wrong.push(E::ServiceOutOfRange {
            task,
            service_us: given.service_us,
        });
    }
    if let Some(lateness_us) = given.lateness_max_us.filter(|l| outside(*l, TIME_MAX_US)) {
        wrong.push(E::LatenessOutOfRange { task, lateness_us });
    }
    if let Some(penalty_micro) = given
        .drop_penalty_micro
        .filter(|p| outside(*p, PENALTY_MAX_MICRO))
    {
        wrong.push(E::PenaltyOutOfRange {
            task,
            penalty_micro,
        });
    }
    if given.windows.len() > WINDOWS_MAX {
        wrong.push(E::TooManyWindows {
            task,
            given: given.windows.len(),
        });
        return;
    }
    let mut closed_us = None;
    for (window, one) in given.windows.iter().enumerate() {
        let (open_us, close_us) = (one.open_us, one.close_us);
        if outside(open_us, TIME_MAX_US) || outside(close_us, TIME_MAX_US) {
            wrong.push(E::WindowOutOfRange { task, window });
        } else if close_us < open_us {
            wrong.push(E::WindowReversed {
                task,
                window,
                open_us,
                close_us,
            });
        }
        if let Some(closed_us) = closed_us.filter(|closed| open_us <= *closed) {
            wrong.push(E::WindowsOverlap {
                task,
                window,
                open_us,
                closed_us,
            });
        }
        closed_us = Some(close_us);
    }
}

fn travel(given: &Travel, wrong: &mut Vec<E>) {
    if given.locations > LOCATIONS_MAX {
        wrong.push(E::TooManyLocations {
            given: given.locations,
        });
        return;
    }
    let wanted = given.locations * given.locations;
    if given.durations_us.len() != wanted {
        wrong.push(E::DurationsNotSquare {
            given: given.durations_us.len(),
            wanted,
        });
    }
    let bad = |d: &i64| !(-1..=TIME_MAX_US).contains(d);
    let durations = given
        .durations_us
        .iter()
        .enumerate()
        .filter(|(_, d)| bad(d))
        .take(ERRORS_MAX);
    wrong.extend(
        durations.map(|(index, &duration_us)| E::DurationOutOfRange { index, duration_us }),
    );
    let Some(costs) = &given.costs_micro else {
        return;
    };
    if costs.len() != wanted {
        wrong.push(E::CostsNotSquare {
            given: costs.len(),
            wanted,
        });
    }
    // The cost of a missing arc is ignored.
    let exists = |index: usize| given.durations_us.get(index).is_none_or(|d| *d >= 0);
    let bad = |(index, cost): &(usize, &i64)| exists(*index) && outside(**cost, ARC_COST_MAX_MICRO);
    let costs = costs.iter().enumerate().filter(bad).take(ERRORS_MAX);
    wrong.extend(costs.map(|(index, &cost_micro)| E::CostOutOfRange { index, cost_micro }));
}

fn levels(spec: &Spec, wrong: &mut Vec<E>) {
    let before = wrong.len();
    if spec.objective.len() > LEVELS_MAX {
        wrong.push(E::TooManyLevels {
            given: spec.objective.len(),
        });
        return;
    }
    let mut seen = Vec::new();
    for (level, one) in spec.objective.iter().enumerate() {
        if one.terms.is_empty() {
            wrong.push(E::LevelEmpty { level });
        }
        for (position, &(term, weight)) in one.terms.iter().enumerate() {
            if seen.contains(&term) {
                wrong.push(E::TermRepeated {
                    level,
                    position,
                    term,
                });
            }
            if !(1..=WEIGHT_MAX).contains(&weight) {
                wrong.push(E::WeightOutOfRange {
                    level,
                    position,
                    weight,
                });
            }
            seen.push(term);
        }
    }
    if wrong.len() > before {
        return;
    }
    let complete = objective::complete(spec);
    if complete.len() > LEVELS_MAX {
        wrong.push(E::TooManyLevels {
            given: complete.len(),
        });
    }
    let shift = complete.len() - spec.objective.len().min(complete.len());
    for (level, one) in complete.iter().enumerate() {
        if worst(spec, one) > 1 << 62 {
            wrong.push(E::LevelTooLarge {
                level: level.saturating_sub(shift),
            });
        }
    }
}

/// Upper bound on the cost of a plan at this level.
fn worst(spec: &Spec, level: &Level) -> i128 {
    let (tasks, agents) = (spec.tasks.len() as i128, spec.agents.len() as i128);
    let arcs = spec
        .travel
        .costs_micro
        .as_ref()
        .unwrap_or(&spec.travel.durations_us);
    let longest = i128::from(arcs.iter().copied().max().unwrap_or(0).max(0));
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
        Term::TravelCost => (tasks + agents) * longest,
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

fn previous(spec: &Spec, wrong: &mut Vec<E>) {
    let Some(previous) = &spec.previous else {
        return;
    };
    let mut routed = vec![false; spec.agents.len()];
    let mut done = vec![false; spec.tasks.len()];
    for (route, one) in previous.routes.iter().enumerate() {
        let agent = one.agent;
        match routed.get_mut(agent) {
            None => wrong.push(E::PreviousAgentUnknown { route, agent }),
            Some(true) => wrong.push(E::PreviousAgentRepeated { route, agent }),
            Some(seen) => *seen = true,
        }
        for (position, &task) in one.tasks.iter().enumerate() {
            match done.get_mut(task) {
                None => wrong.push(E::PreviousTaskUnknown {
                    route,
                    position,
                    task,
                }),
                Some(true) => wrong.push(E::PreviousTaskRepeated {
                    route,
                    position,
                    task,
                }),
                Some(seen) => *seen = true,
            }
        }
        if one.committed > one.tasks.len() {
            wrong.push(E::StartedTooMany {
                route,
                committed: one.committed,
                tasks: one.tasks.len(),
            });
        }
    }
}
