//! Verification of a plan: an execution in the believed facts, action by action.

use crate::plan::{ACTIONS_MAX, Cost, Plan};
use crate::problem::Problem;
use crate::rules::{Action, Actor, Refusal};
use crate::world::{Facts, Goal};

/// One broken rule. Variants name actions, rooms and items by index.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum Violation {
    /// The plan is longer than supported.
    #[error("{given} actions, at most {ACTIONS_MAX} are supported")]
    TooLong { given: usize },
    /// An action cannot be done. Later actions are not checked.
    #[error("action {index}, {action}, cannot be done: {refusal}")]
    Refused {
        index: usize,
        action: Action,
        refusal: Refusal,
    },
    /// An action enters a room that is to be avoided.
    #[error("action {index} enters room {room}, which is to be avoided")]
    Trapped { index: usize, room: usize },
    /// A wanted item is not held at the end.
    #[error("item {item} is wanted, but not had at the end")]
    ItemMissing { item: usize },
    /// A room is not visited, or not in this order.
    #[error("visit {visit}, to room {room}, is not made")]
    VisitMissing { visit: usize, room: usize },
    /// The plan ends in another room.
    #[error("the plan ends in room {room}, not in room {wanted}")]
    EndsElsewhere { room: usize, wanted: usize },
}

impl Violation {
    /// Stable code in upper case: the same in every release.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLong { .. } => "PLAN_TOO_LONG",
            Self::Refused { refusal, .. } => refusal.code(),
            Self::Trapped { .. } => "TRAP_ENTERED",
            Self::ItemMissing { .. } => "ITEM_MISSING",
            Self::VisitMissing { .. } => "VISIT_MISSING",
            Self::EndsElsewhere { .. } => "ENDS_ELSEWHERE",
        }
    }
}

/// The cost of a plan, as the agent believes the world to be.
///
/// # Errors
/// Every broken rule.
pub fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Violation>> {
    if plan.actions.len() > ACTIONS_MAX {
        let given = plan.actions.len();
        return Err(vec![Violation::TooLong { given }]);
    }
    let mut facts = problem.belief().facts.clone();
    let mut position = problem.position();
    let mut entered = vec![position.room];
    let mut violations = Vec::new();
    for (index, &action) in plan.actions.iter().enumerate() {
        let mut hand = Actor {
            museum: problem.museum(),
            facts: &mut facts,
            position: &mut position,
            agent: problem.agent(),
        };
        if let Err(refusal) = hand.act(action) {
            violations.push(Violation::Refused {
                index,
                action,
                refusal,
            });
            return Err(violations);
        }
        if matches!(action, Action::Enter(_)) {
            let room = position.room;
            entered.push(room);
            if problem.traps()[room] {
                violations.push(Violation::Trapped { index, room });
            }
        }
    }
    violations.extend(missed(problem, &facts, &entered));
    if violations.is_empty() {
        // Fits: at most ACTIONS_MAX.
        let actions = plan.actions.len() as u32;
        return Ok(Cost { actions });
    }
    Err(violations)
}

/// The parts of the goal that are not reached, after rooms were entered in this order.
fn missed(problem: &Problem, facts: &Facts, entered: &[usize]) -> Vec<Violation> {
    let Goal {
        items,
        visits,
        in_order,
        room: end,
    } = problem.goal();
    let has = |item: &usize| facts.holds(problem.museum(), problem.agent(), *item);
    let missing_traps = items.iter().filter(|item| !has(item));
    let mut missed: Vec<Violation> = missing_traps
        .map(|&item| Violation::ItemMissing { item })
        .collect();
    let mut left = entered;
    for (visit, &room) in visits.iter().enumerate() {
        match left.iter().position(|entered| *entered == room) {
            // In order: the same stay may serve the next visit, too.
            Some(when) if *in_order => left = &left[when..],
            Some(_) => {}
            None => missed.push(Violation::VisitMissing { visit, room }),
        }
    }
    let last = entered.last().copied();
    if let (Some(wanted), Some(room)) = (*end, last)
        && wanted != room
    {
        missed.push(Violation::EndsElsewhere { room, wanted });
    }
    missed
}
