//! An allocation problem, from the wire.

use super::errors::mistake;
use crate::wire::mistakes::Mistakes;
use crate::wire::path::Path;
use crate::wire::values::{Ids, each};
use allocation::problem::{
    AGENTS_MAX, Agent, DIMENSIONS_MAX, LEVELS_MAX, Level, PENALTY_MAX_MICRO, Problem, QUANTITY_MAX,
    SHIFT_OPEN_US, SPEED_MAX_MICRO, SPEED_MIN_MICRO, Spec, TASKS_MAX, TIME_MAX_US, Task, Term,
    WEIGHT_MAX, WINDOWS_MAX, Window,
};
use allocation::{Release, release};
use anytime::Pulse;
use places::Places;
use skills::Skills;
use stratagem_proto::v1 as pb;

mod couplings;
mod places;
mod previous;
mod skills;

pub(crate) use previous::Gone;

const TITLE_MAX: usize = 200;
const DESCRIPTION_MAX: usize = 4_000;
/// In ones.
const SPEEDS: std::ops::RangeInclusive<f64> =
    SPEED_MIN_MICRO as f64 / 1e6..=SPEED_MAX_MICRO as f64 / 1e6;
/// In ones.
const PENALTIES: std::ops::RangeInclusive<f64> = 0.0..=PENALTY_MAX_MICRO as f64 / 1e6;

/// What the planner does not know: how the caller calls things.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Ids of the agents.
    pub agents: Ids,
    /// Ids of the tasks.
    pub tasks: Ids,
    /// Ids of the breaks.
    pub breaks: Ids,
    /// Names of the skills, by bit.
    pub skills: Vec<String>,
    /// What of the previous plan is passed over: the problem does not have it.
    pub gone: Vec<Gone>,
    /// What of the previous plan was under way and cannot be kept.
    pub releases: Vec<Release>,
}

/// A checked problem, and the names in it. What was under way and cannot be kept is not any more.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub problem: Problem,
    pub names: Names,
}

/// What is read before the elements that refer to it.
#[derive(Default)]
struct Context {
    places: Places,
    skills: Skills,
    agents: Ids,
    tasks: Ids,
    breaks: Ids,
    gone: Vec<Gone>,
}

/// A problem; `None` when there are mistakes. `wanted` stops the release of tasks under way.
pub(crate) fn problem(
    given: pb::AllocationProblem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
    wanted: &Pulse,
) -> Option<Decoded> {
    let pb::AllocationProblem {
        title,
        description,
        agents,
        tasks,
        travel,
        objective,
        previous_plan,
        couplings,
    } = given;
    wrong.text(&at.field("title"), &title, TITLE_MAX);
    wrong.text(&at.field("description"), &description, DESCRIPTION_MAX);
    let sizes = [
        wrong.size(&at.field("agents"), agents.len(), AGENTS_MAX),
        wrong.size(&at.field("tasks"), tasks.len(), TASKS_MAX),
    ];
    let mut context = Context {
        places: Places::new(travel, &at.field("travel"), wrong),
        ..Context::default()
    };
    if sizes.contains(&false) {
        // Not looked into: nothing of that size was meant to be planned.
        return None;
    }
    let agents = each(agents, &at.field("agents"), |one, at| {
        agent(one, at, &mut context, wrong)
    });
    let tasks = each(tasks, &at.field("tasks"), |one, at| {
        task(one, at, &mut context, wrong)
    });
    let objective = levels(objective, &at.field("objective"), wrong);
    let previous = previous_plan
        .map(|given| previous::read(given, &at.field("previous_plan"), &context, wrong));
    let (previous, gone) = previous.unzip();
    context.gone = gone.unwrap_or_default();
    let couplings = couplings::read(couplings, at, &mut context, wrong);
    let spec = Spec {
        agents,
        tasks,
        travel: std::mem::take(&mut context.places).into_travel(),
        objective,
        previous,
        couplings,
    };
    let decoded = checked(spec, context, at, wrong)?;
    Some(released(decoded, wanted))
}

/// The problem without what is under way and cannot be kept.
fn released(decoded: Decoded, wanted: &Pulse) -> Decoded {
    let Decoded { problem, names } = decoded;
    let (problem, releases) = release(&problem, wanted).unwrap_or_else(|| (problem, Vec::new()));
    Decoded {
        problem,
        names: Names { releases, ..names },
    }
}

/// The problem if it is valid, and its names.
fn checked(spec: Spec, context: Context, at: &Path<'_>, wrong: &mut Mistakes) -> Option<Decoded> {
    // Also with mistakes of single fields: what could not be read was replaced by something
    // harmless, so that the caller hears about everything at once.
    let checked = Problem::new(spec).map_err(|errors| {
        for error in &errors {
            wrong.add_unless_known(mistake(error, at));
        }
    });
    let problem = checked.ok()?;
    let Context {
        places: _,
        skills,
        agents,
        tasks,
        breaks,
        gone,
    } = context;
    if !wrong.is_empty() {
        return None;
    }
    Some(Decoded {
        problem,
        names: Names {
            agents,
            tasks,
            breaks,
            skills: skills.into_names(),
            gone,
            releases: Vec::new(),
        },
    })
}

fn agent(
    given: pb::AllocationAgent,
    at: &Path<'_>,
    context: &mut Context,
    wrong: &mut Mistakes,
) -> Agent {
    let pb::AllocationAgent {
        id,
        start,
        end,
        shift_start_offset,
        shift_end_offset,
        capacities,
        skills,
        speed,
    } = given;
    context.agents.take(&at.field("id"), id, wrong);
    let start_at = at.field("start");
    let start = wrong
        .required(&start_at, start)
        .map(|place| context.places.place(place, &start_at, wrong));
    let end = end.map(|place| context.places.place(place, &at.field("end"), wrong));
    let shift_end_us = shift_end_offset.map_or(SHIFT_OPEN_US, |end| {
        wrong.micros(&at.field("shift_end_offset"), end, 0..=TIME_MAX_US)
    });
    let speed_at = at.field("speed");
    Agent {
        start: start.unwrap_or(0),
        end,
        shift_start_us: moment(shift_start_offset, &at.field("shift_start_offset"), wrong),
        shift_end_us,
        capacities: quantities(capacities, &at.field("capacities"), wrong),
        skills: context.skills.bits(skills, &at.field("skills"), wrong),
        speed_micro: wrong.micro(&speed_at, speed.unwrap_or(1.0), SPEEDS),
    }
}

fn task(
    given: pb::AllocationTask,
    at: &Path<'_>,
    context: &mut Context,
    wrong: &mut Mistakes,
) -> Task {
    let pb::AllocationTask {
        id,
        place,
        service_duration,
        windows,
        demands,
        required_skills,
        drop_penalty,
        max_lateness_duration: lateness_max_duration,
    } = given;
    context.tasks.take(&at.field("id"), id, wrong);
    let place_at = at.field("place");
    let location = wrong
        .required(&place_at, place)
        .map(|place| context.places.place(place, &place_at, wrong));
    let skills_at = at.field("required_skills");
    Task {
        location: location.unwrap_or(0),
        service_us: moment(service_duration, &at.field("service_duration"), wrong),
        windows: task_windows(windows, &at.field("windows"), wrong),
        demands: quantities(demands, &at.field("demands"), wrong),
        skills: context.skills.bits(required_skills, &skills_at, wrong),
        drop_penalty_micro: drop_penalty
            .map(|penalty| wrong.micro(&at.field("drop_penalty"), penalty, PENALTIES)),
        lateness_max_us: lateness_max_duration.map(|lateness| {
            wrong.micros(
                &at.field("max_lateness_duration"),
                lateness,
                0..=TIME_MAX_US,
            )
        }),
    }
}

/// A time that is 0 when absent.
fn moment(given: Option<prost_types::Duration>, at: &Path<'_>, wrong: &mut Mistakes) -> i64 {
    given.map_or(0, |given| wrong.micros(at, given, 0..=TIME_MAX_US))
}

fn task_windows(
    given: Vec<pb::AllocationWindow>,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Vec<Window> {
    if !wrong.size(at, given.len(), WINDOWS_MAX) {
        return Vec::new();
    }
    each(given, at, |given, at| {
        let pb::AllocationWindow {
            open_offset,
            close_offset,
        } = given;
        let close_at = at.field("close_offset");
        let close = wrong.required(&close_at, close_offset);
        Window {
            open_us: moment(open_offset, &at.field("open_offset"), wrong),
            close_us: moment(close, &close_at, wrong),
        }
    })
}

fn quantities(given: Vec<i64>, at: &Path<'_>, wrong: &mut Mistakes) -> Vec<i64> {
    if !wrong.size(at, given.len(), DIMENSIONS_MAX) {
        return Vec::new();
    }
    for (i, quantity) in given.iter().enumerate() {
        wrong.whole(&at.index(i), *quantity, 0..=QUANTITY_MAX);
    }
    given
}

fn levels(
    given: Option<pb::AllocationObjective>,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Vec<Level> {
    let pb::AllocationObjective { levels } = given.unwrap_or_default();
    let list = at.field("levels");
    if !wrong.size(&list, levels.len(), LEVELS_MAX) {
        return Vec::new();
    }
    let levels = each(levels, &list, |given, at| {
        let pb::AllocationObjectiveLevel { terms } = given;
        let terms = each(terms, &at.field("terms"), |one, at| term(one, at, wrong));
        let terms = terms.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Level { terms })
    });
    // With a term of unknown kind the planner is not asked about the objective: its positions would
    // be off.
    levels
        .into_iter()
        .collect::<Option<_>>()
        .unwrap_or_default()
}

/// A term and its weight.
fn term(
    given: pb::AllocationObjectiveTerm,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<(Term, i64)> {
    use pb::AllocationTermKind as Kind;
    let pb::AllocationObjectiveTerm { kind, weight } = given;
    let kind_at = at.field("kind");
    let weight = weight.map_or(1, |weight| {
        wrong.whole(&at.field("weight"), weight, 1..=WEIGHT_MAX)
    });
    let term = match wrong.required_choice(&kind_at, kind)? {
        Kind::Unspecified => return None,
        Kind::Unserved => Term::Unserved,
        Kind::DropPenalty => Term::DropPenalty,
        Kind::TravelCost => Term::TravelCost,
        Kind::Makespan => Term::Makespan,
        Kind::Lateness => Term::Lateness,
        Kind::AgentsUsed => Term::AgentsUsed,
        Kind::Preferences => Term::Preferences,
        Kind::TasksMoved => Term::TasksMoved,
        Kind::Balance => Term::Balance,
    };
    Some((term, weight))
}
