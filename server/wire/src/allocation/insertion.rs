//! Insertions on the wire: the places at which a fixed plan can take one more task.

use super::problem::Decoded;
use super::{explanation, objective, orders, plan};
use crate::mistakes::Mistakes;
use crate::values::duration_of_micros;
use allocation::Plan;
use allocation::insert::{Insertion, insert, insertions};
use allocation::verify::terms;
use anytime::Path;
use anytime::Pulse;
use stratagem_proto::v1 as pb;

/// Number of places that are returned by default.
const INSERTIONS_DEFAULT: usize = 10;

/// A checked request.
#[derive(Debug)]
pub struct ToInsert {
    decoded: Decoded,
    plan: Plan,
    task: usize,
    count_max: usize,
}

/// A request from the wire.
///
/// # Errors
/// All mistakes. Whether the plan is valid is not checked here.
pub(crate) fn to_insert(mut message: pb::InsertTaskRequest) -> Result<ToInsert, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let pb::InsertTaskRequest {
        problem,
        plan: given,
        task_id,
        max_insertions,
    } = message;
    let (problem_at, plan_at) = (Path::root("problem"), Path::root("plan"));
    let unlimited = Pulse::unbounded();
    let decoded =
        problem.and_then(|given| super::problem(given, &problem_at, &mut wrong, &unlimited));
    let Some(decoded) = decoded else {
        return Err(wrong);
    };
    let task_at = Path::root("task_id");
    let task = decoded.names.tasks.find(&task_at, &task_id, &mut wrong);
    let plan = orders(given.unwrap_or_default(), &decoded, &plan_at, &mut wrong);
    match task.zip(plan).filter(|_| wrong.is_empty()) {
        Some((task, plan)) => Ok(ToInsert {
            decoded,
            plan,
            task,
            count_max: max_insertions
                .and_then(|count| usize::try_from(count).ok())
                .unwrap_or(INSERTIONS_DEFAULT),
        }),
        None => Err(wrong),
    }
}

/// The response: places, or reasons why there are none.
///
/// # Errors
/// All violations of the plan, or that it has the task.
pub(crate) fn inserted(question: &ToInsert) -> Result<pb::InsertTaskResponse, Mistakes> {
    let ToInsert {
        decoded: Decoded { problem, names },
        plan: kept,
        task,
        count_max,
    } = question;
    let found = insertions(problem, kept, *task, *count_max).map_err(|faults| {
        let mut wrong = Mistakes::default();
        wrong.add_violations(&faults, names, &Path::WHOLE);
        wrong
    })?;
    let described = |place: &Insertion| {
        let plan = insert(problem, kept, *task, place);
        let mut stops = plan.routes.iter().flat_map(|route| &route.stops);
        let start = stops.find(|stop| stop.task == *task);
        pb::AllocationInsertion {
            agent_id: names.agents.list()[place.agent].clone(),
            stop_index: i32::try_from(place.stop).expect("stops are tasks, which are limited"),
            start_offset: start.map(|stop| duration_of_micros(stop.start_us)),
            objective: cost(question, &plan),
        }
    };
    let best = found
        .first()
        .map(|place| insert(problem, kept, *task, place));
    let reasons = found.is_empty().then(|| {
        let mut reasons = allocation::explain::explain(problem, kept, &Pulse::unbounded());
        reasons.retain(|reason| reason.task == *task);
        pb::Explanation {
            summary: "the plan has no room for the task".into(),
            ..explanation(names, problem, Some(&reasons), Some(1))
        }
    });
    Ok(pb::InsertTaskResponse {
        insertions: found.iter().map(described).collect(),
        plan: best.map(|best| plan(problem, names, &best)),
        kept_objective: cost(question, kept),
        explanation: reasons,
    })
}

/// Objective of a plan. Never absent: every plan here was verified before.
fn cost(question: &ToInsert, plan: &Plan) -> Option<pb::Objective> {
    let problem = &question.decoded.problem;
    let terms = terms(problem, plan).ok()?;
    Some(objective(problem, &terms))
}
