//! An allocation problem, from the wire.

use super::names::Names;
use crate::mistakes::Mistakes;
use crate::values::{Ids, millionths, read_each, rounded_micros};
use allocation::problem::{Agent, Level, Problem, SHIFT_OPEN_US, Spec, Task, Term, Window};
use allocation::release;
use anytime::Path;
use anytime::Pulse;
use places::Places;
use skills::Skills;
use stratagem_proto::v1 as pb;

mod couplings;
mod places;
mod previous;
mod skills;

pub(super) use previous::Gone;

/// A checked problem, and the names in it. Tasks under way that cannot be retained are released.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub problem: Problem,
    pub names: Names,
}

/// What is read before the elements that refer to it.
#[derive(Default)]
struct Context {
    places: Places,
    locations: Vec<String>,
    skills: Skills,
    agents: Ids,
    tasks: Ids,
    breaks: Ids,
    gone: Vec<Gone>,
}

/// A problem; `None`: it is invalid. `wanted` stops the release of tasks under way.
pub(crate) fn problem(
    given: pb::AllocationProblem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
    wanted: &Pulse,
) -> Option<Decoded> {
    let pb::AllocationProblem {
        title: _,
        description: _,
        agents,
        tasks,
        travel,
        objective,
        previous_plan,
        couplings,
        now_offset,
    } = given;
    let mut context = Context {
        places: Places::new(travel, &at.field("travel"), wrong),
        ..Context::default()
    };
    let agents = read_each(agents, &at.field("agents"), |one, at| {
        agent(one, at, &mut context, wrong)
    });
    let tasks = read_each(tasks, &at.field("tasks"), |one, at| {
        task(one, at, &mut context, wrong)
    });
    let objective = levels(objective);
    let previous = previous_plan
        .map(|given| previous::read(given, &at.field("previous_plan"), &context, wrong));
    let (previous, gone) = previous.unzip();
    context.gone = gone.unwrap_or_default();
    let couplings = couplings::read(couplings, at, &mut context, wrong);
    let (travel, locations) = std::mem::take(&mut context.places).into_travel();
    context.locations = locations;
    let spec = Spec {
        agents,
        tasks,
        travel,
        objective,
        previous,
        couplings,
        now_us: moment(now_offset),
    };
    let decoded = checked(spec, context, at, wrong)?;
    Some(if wrong.is_empty() {
        released(decoded, wanted)
    } else {
        decoded
    })
}

/// The problem without the tasks under way that cannot be retained.
fn released(decoded: Decoded, wanted: &Pulse) -> Decoded {
    let Decoded { problem, names } = decoded;
    let (problem, releases) = release(&problem, wanted).unwrap_or_else(|| (problem, Vec::new()));
    let names = Names { releases, ..names };
    Decoded { problem, names }
}

/// The problem if it is valid, and its names.
fn checked(spec: Spec, context: Context, at: &Path<'_>, wrong: &mut Mistakes) -> Option<Decoded> {
    let names = Names {
        agents: context.agents,
        tasks: context.tasks,
        breaks: context.breaks,
        locations: context.locations,
        skills: context.skills.into_names(),
        gone: context.gone,
        releases: Vec::new(),
    };
    // Also with mistakes of single fields: what could not be read was replaced by something
    // harmless, so that the caller hears about everything at once.
    match Problem::new(spec) {
        Ok(problem) => Some(Decoded { problem, names }),
        Err(faults) => {
            wrong.add_faults(&faults, &names, at);
            None
        }
    }
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
    let start = start.map(|place| context.places.place(place, &at.field("start"), wrong));
    let end = end.map(|place| context.places.place(place, &at.field("end"), wrong));
    Agent {
        start: start.unwrap_or(0),
        end,
        shift_start_us: moment(shift_start_offset),
        shift_end_us: shift_end_offset
            .as_ref()
            .map_or(SHIFT_OPEN_US, rounded_micros),
        capacities,
        skills: context.skills.bits(skills, &at.field("skills"), wrong),
        speed_micro: millionths(speed.unwrap_or(1.0)),
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
        max_lateness_duration,
    } = given;
    context.tasks.take(&at.field("id"), id, wrong);
    let location = place.map(|place| context.places.place(place, &at.field("place"), wrong));
    let skills_at = at.field("required_skills");
    Task {
        location: location.unwrap_or(0),
        service_us: moment(service_duration),
        windows: windows.into_iter().map(window).collect(),
        demands,
        skills: context.skills.bits(required_skills, &skills_at, wrong),
        drop_penalty_micro: drop_penalty.map(millionths),
        lateness_max_us: max_lateness_duration.as_ref().map(rounded_micros),
    }
}

/// A time that is 0 when absent.
fn moment(given: Option<prost_types::Duration>) -> i64 {
    given.as_ref().map_or(0, rounded_micros)
}

fn window(given: pb::AllocationWindow) -> Window {
    Window {
        open_us: moment(given.open_offset),
        close_us: moment(given.close_offset),
    }
}

fn levels(given: Option<pb::AllocationObjective>) -> Vec<Level> {
    let pb::AllocationObjective { levels } = given.unwrap_or_default();
    let levels = levels.into_iter().map(|given| {
        let terms = given.terms.into_iter().map(term);
        let terms = terms.collect::<Option<Vec<_>>>()?;
        Some(Level { terms })
    });
    // With a term of unknown kind the objective is not checked: its positions would be wrong.
    levels.collect::<Option<_>>().unwrap_or_default()
}

/// A term and its weight.
fn term(given: pb::AllocationObjectiveTerm) -> Option<(Term, i64)> {
    use pb::AllocationTermKind as Kind;
    let pb::AllocationObjectiveTerm { kind, weight } = given;
    let term = match Kind::try_from(kind).ok()? {
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
    Some((term, weight.unwrap_or(1)))
}
