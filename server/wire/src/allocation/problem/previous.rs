//! The previous plan, from the wire.

use super::Context;
use crate::mistakes::{Code, Mistakes};
use crate::values::{Ids, shown};
use allocation::problem::{Previous, PreviousRoute};
use anytime::Path;
use stratagem_proto::v1 as pb;

/// An agent or task of the previous plan that the problem does not have: it is passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone {
    /// Its id.
    pub id: String,
    /// The route that names it.
    pub route: usize,
    /// Where among the tasks of the route; `None`: it is the agent.
    pub position: Option<usize>,
}

/// State of reading a previous plan.
#[derive(Default)]
struct Reading {
    agents: Vec<bool>,
    tasks: Vec<bool>,
    gone: Vec<Gone>,
}

/// A previous plan without the agents and tasks that the problem does not have, and these.
pub(super) fn read(
    given: pb::AllocationPreviousPlan,
    at: &Path<'_>,
    context: &Context,
    wrong: &mut Mistakes,
) -> (Previous, Vec<Gone>) {
    let pb::AllocationPreviousPlan {
        routes,
        max_changes,
    } = given;
    let mut reading = Reading {
        agents: vec![false; context.agents.list().len()],
        tasks: vec![false; context.tasks.list().len()],
        gone: Vec::new(),
    };
    let list = at.field("routes");
    let routes = routes.into_iter().enumerate().map(|(index, given)| {
        let at = list.index(index);
        route(index, given, &at, context, &mut reading, wrong)
    });
    let routes = routes.collect::<Vec<_>>();
    let previous = Previous {
        routes: routes.into_iter().flatten().collect(),
        changes_max: max_changes.and_then(|max| usize::try_from(max).ok()),
    };
    (previous, reading.gone)
}

/// `None`: its agent does not exist, or has a route already.
fn route(
    index: usize,
    given: pb::AllocationPreviousRoute,
    at: &Path<'_>,
    context: &Context,
    reading: &mut Reading,
    wrong: &mut Mistakes,
) -> Option<PreviousRoute> {
    let pb::AllocationPreviousRoute {
        agent_id,
        task_ids,
        started_count,
    } = given;
    let most = i64::try_from(task_ids.len()).unwrap_or(i64::MAX);
    let committed = wrong.whole(&at.field("started_count"), started_count.into(), 0..=most);
    let committed = usize::try_from(committed).unwrap_or(0);
    let Reading {
        agents,
        tasks: done,
        gone,
    } = reading;
    let found = find(&context.agents, &at.field("agent_id"), &agent_id, wrong);
    let agent = take(found, agents, &at.field("agent_id"), &agent_id, wrong);
    if found == Found::Gone {
        gone.push(Gone {
            id: agent_id,
            route: index,
            position: None,
        });
    }
    let list = at.field("task_ids");
    let tasks = task_ids.into_iter().enumerate().map(|(position, id)| {
        let at = list.index(position);
        let found = find(&context.tasks, &at, &id, wrong);
        let task = take(found, done, &at, &id, wrong);
        if found == Found::Gone && agent.is_some() {
            gone.push(Gone {
                id,
                route: index,
                position: Some(position),
            });
        }
        task
    });
    let tasks = tasks.collect::<Vec<_>>();
    Some(PreviousRoute {
        agent: agent?,
        committed: tasks.iter().take(committed).flatten().count(),
        tasks: tasks.into_iter().flatten().collect(),
    })
}

/// The element with an id of a previous plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    /// The element with this index.
    Element(usize),
    /// The problem does not have it.
    Gone,
}

fn find(ids: &Ids, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Found {
    match ids.get(id) {
        Some(index) => Found::Element(index),
        None => {
            wrong.visible(at, id);
            Found::Gone
        }
    }
}

/// The index of an element that is named for the first time.
fn take(
    found: Found,
    taken: &mut [bool],
    at: &Path<'_>,
    id: &str,
    wrong: &mut Mistakes,
) -> Option<usize> {
    let Found::Element(index) = found else {
        return None;
    };
    if std::mem::replace(&mut taken[index], true) {
        let why = format!("is {}, which the previous plan has already", shown(id));
        wrong.add(at, Code::Duplicate, why);
        return None;
    }
    Some(index)
}
