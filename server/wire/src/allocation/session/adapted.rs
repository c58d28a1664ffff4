//! The previous plan of a problem, adapted to it without a search: tasks that break a rule leave
//! it, and open ones are inserted.

use crate::contract::AllocateTasks;
use crate::method::{Asked, Method as _, RequestOf};
use crate::session::{Planning, Question, Routed};
use ::allocation::insert::{insert, insertions};
use ::allocation::problem::Problem;
use ::allocation::verify::{is_partial, schedule, verify};
use ::allocation::{Allocation, Cost, Plan};
use anytime::{Fault, Found, Step};
use std::collections::HashSet;
use stratagem_proto::v1::{self as pb, session_view};

/// Most tasks that are inserted; more of them need a search.
const INSERTED_MAX: usize = 16;

/// The tasks of an agent, in order.
type Order = (usize, Vec<usize>);

impl Routed for AllocateTasks {
    type Setting = ();

    fn question(planning: Planning) -> Option<Box<Question<Self>>> {
        match planning {
            Planning::Allocation(question) => Some(question),
            _ => None,
        }
    }

    /// The previous plan, each task as early as possible, without tasks that break a rule, and with
    /// open tasks where they cost least; verified. `None`: a rule is broken in another way.
    fn adapted(request: &RequestOf<Self>) -> Option<Found<Allocation>> {
        let problem = &*request.problem;
        let (plan, cost) = completed(problem, kept(problem)?);
        Some(Found {
            partial: is_partial(problem, &plan),
            plan,
            cost,
            found_by: "adapted".to_owned(),
            sequence: 0,
        })
    }

    fn shown((): &(), asked: &Asked<Self>, found: &Found<Allocation>) -> Option<pb::SessionView> {
        let plan = Self::step(asked, found).and_then(|answer| answer.plan);
        Some(pb::SessionView {
            plan: plan.map(session_view::Plan::Allocation),
            objective: Self::objective(asked, found, None),
            complete: !found.partial && asked.request.names.releases.is_empty(),
            ..pb::SessionView::default()
        })
    }

    fn needs_repair(before: &pb::SessionView, adapted: &pb::SessionView) -> bool {
        !adapted.complete || leaves_out_more(before, adapted)
    }
}

/// Whether a plan leaves out tasks that the plan before did not leave out.
fn leaves_out_more(before: &pb::SessionView, now: &pb::SessionView) -> bool {
    let known: HashSet<&String> = unserved(before).iter().collect();
    unserved(now).iter().any(|id| !known.contains(id))
}

fn unserved(view: &pb::SessionView) -> &[String] {
    match &view.plan {
        Some(session_view::Plan::Allocation(plan)) => &plan.unserved_task_ids,
        _ => &[],
    }
}

/// Inserts open tasks one by one, each where it costs least, if that is better than without it.
fn completed(problem: &Problem, kept: (Plan, Cost)) -> (Plan, Cost) {
    let (mut plan, mut cost) = kept;
    let mut is_open = vec![true; problem.tasks().len()];
    for stop in plan.routes.iter().flat_map(|route| &route.stops) {
        is_open[stop.task] = false;
    }
    let open = (0..is_open.len()).filter(|task| is_open[*task]);
    for task in open.take(INSERTED_MAX) {
        // A task that another one has to come with is left to the search.
        let places = insertions(problem, &plan, task, 1).unwrap_or_default();
        if let Some(place) = places.first().filter(|place| place.cost < cost) {
            let next = insert(problem, &plan, task, place);
            if let Ok(verified) = verify(problem, &next) {
                (plan, cost) = (next, verified);
            }
        }
    }
    (plan, cost)
}

/// The previous plan without tasks that break a rule.
fn kept(problem: &Problem) -> Option<(Plan, Cost)> {
    let previous = problem.previous();
    let routes = previous.iter().flat_map(|it| &it.routes);
    let mut orders: Vec<Order> = routes
        .map(|route| (route.agent, route.tasks.clone()))
        .collect();
    orders.sort_by_key(|(agent, _)| *agent);
    loop {
        orders.retain(|(_, tasks)| !tasks.is_empty());
        let plan = schedule(problem, &orders);
        let faults = match verify(problem, &plan) {
            Ok(cost) => return Some((plan, cost)),
            Err(faults) => faults,
        };
        if !leave_out(problem, &mut orders, &faults) {
            return None;
        }
    }
}

/// Takes one task out of each route with a broken rule, the one that breaks it or the last; false:
/// there is none to take out.
fn leave_out(problem: &Problem, orders: &mut [Order], faults: &[Fault]) -> bool {
    let mut seen = vec![false; orders.len()];
    let mut is_any = false;
    for fault in faults {
        let [Step::Field("routes"), Step::Index(route), rest @ ..] = fault.at.as_slice() else {
            continue;
        };
        let Some((agent, tasks)) = orders.get_mut(*route) else {
            continue;
        };
        let last = tasks.len().checked_sub(1);
        let named = match rest {
            [Step::Field("stops"), Step::Index(stop), ..] => Some(*stop),
            _ => last,
        };
        let committed = problem.committed(*agent).len();
        let stop = named
            .or(last)
            .filter(|stop| *stop >= committed && *stop < tasks.len());
        if let Some(stop) = stop.filter(|_| !std::mem::replace(&mut seen[*route], true)) {
            tasks.remove(stop);
            is_any = true;
        }
    }
    is_any
}
