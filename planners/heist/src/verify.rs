//! Verification of a plan: an execution in the believed facts, action by action.

use crate::plan::{ACTIONS_MAX, Cost, Plan};
use crate::problem::Problem;
use crate::rules::{Action, Actor, Refusal};
use crate::world::{Facts, Goal};
use anytime::{Fault, Path, element, fault};

/// The cost of a plan, as the agent believes the world to be.
///
/// # Errors
/// Every broken rule, with its path in the contract's `HeistPlan`. Actions after one that cannot be
/// done are not checked.
pub fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Fault>> {
    let steps = Path::root("steps");
    let (given, max) = (plan.actions.len(), ACTIONS_MAX);
    if given > max {
        let fault = fault!(
            "PLAN_TOO_LONG",
            steps,
            "are {}, at most {} are allowed",
            given,
            max
        );
        return Err(vec![fault]);
    }
    let mut facts = problem.belief().facts.clone();
    let mut position = problem.position();
    let mut entered = vec![position.room];
    let mut faults = Vec::new();
    for (index, &action) in plan.actions.iter().enumerate() {
        let mut actor = Actor {
            museum: problem.museum(),
            facts: &mut facts,
            position: &mut position,
            agent: problem.agent(),
        };
        let at = steps.index(index);
        if let Err(refusal) = actor.act(action) {
            faults.push(refused(action, refusal, &at));
            return Err(faults);
        }
        if matches!(action, Action::Enter(_)) {
            let room = position.room;
            entered.push(room);
            if problem.traps()[room] {
                let room = element("room", room);
                let fault = fault!(
                    "TRAP_ENTERED",
                    at,
                    "enters {}, which is to be avoided",
                    room
                );
                faults.push(fault);
            }
        }
    }
    missed(problem, &facts, &entered, &mut faults);
    if faults.is_empty() {
        // Fits: at most ACTIONS_MAX.
        let actions = plan.actions.len() as u32;
        return Ok(Cost { actions });
    }
    Err(faults)
}

/// The rule that an action breaks.
fn refused(action: Action, refusal: Refusal, at: &Path<'_>) -> Fault {
    let (verb, target, key) = match action {
        Action::Approach(thing) => ("approach", thing.named(), None),
        Action::Open(thing) => ("open", thing.named(), None),
        Action::Close(thing) => ("close", thing.named(), None),
        Action::Unlock(thing, key) => ("unlock", thing.named(), Some(key)),
        Action::Lock(thing, key) => ("lock", thing.named(), Some(key)),
        Action::Enter(door) => ("enter", element("door", door), None),
        Action::PickUp(item) => ("pick up", element("item", item), None),
        Action::Operate(machine) => ("operate", element("machine", machine), None),
    };
    let (code, why) = (refusal.code(), refusal.to_string());
    match key.map(|key| element("item", key)) {
        None => fault!(code, at, "cannot {} {}: {}", verb, target, why),
        Some(key) => fault!(code, at, "cannot {} {} with {}: {}", verb, target, key, why),
    }
}

/// The parts of the goal that are not reached, after rooms were entered in this order.
fn missed(problem: &Problem, facts: &Facts, entered: &[usize], faults: &mut Vec<Fault>) {
    let Goal {
        items,
        visits,
        in_order,
        room: end,
    } = problem.goal();
    let at = Path::WHOLE;
    let holds = |item: &usize| facts.holds(problem.museum(), problem.agent(), *item);
    for &item in items.iter().filter(|item| !holds(item)) {
        let item = element("item", item);
        faults.push(fault!(
            "ITEM_MISSING",
            at,
            "{} is wanted, but not held at the end",
            item
        ));
    }
    let mut left = entered;
    for &room in visits {
        match left.iter().position(|entered| *entered == room) {
            // In order: the same stay may serve the next visit, too.
            Some(when) if *in_order => left = &left[when..],
            Some(_) => {}
            None => {
                let room = element("room", room);
                faults.push(fault!(
                    "VISIT_MISSING",
                    at,
                    "{} is not visited, or not in order",
                    room
                ));
            }
        }
    }
    let last = entered.last().copied();
    if let (Some(wanted), Some(room)) = (*end, last)
        && wanted != room
    {
        let [room, wanted] = [room, wanted].map(|room| element("room", room));
        faults.push(fault!(
            "ENDS_ELSEWHERE",
            at,
            "ends in {}, not in {}",
            room,
            wanted
        ));
    }
}
