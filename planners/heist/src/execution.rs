//! Execution of a plan in the real world, without replanning and with all other agents at rest.

use crate::game::Catcher;
use crate::museum::Thing;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::rules::{Action, Actor, Refusal};
use crate::solve::AgentTask;
use crate::world::{BURGLAR, Facts, World};

/// The outcome of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanOutcome {
    /// All actions succeed, and the burglar is not caught.
    Holds,
    /// An action fails: the belief is wrong.
    Fails {
        /// Index of the action.
        step: usize,
        /// Why it cannot be done.
        refusal: Refusal,
        /// The object of the wrong belief.
        by: Cause,
    },
    /// The burglar is caught after an action.
    Caught {
        /// Index of the action.
        step: usize,
        /// The guard or camera that sees the burglar.
        by: Catcher,
    },
}

/// The object of a wrong belief.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The state of a door or container.
    Thing(Thing),
    /// The place of the item with this index.
    Item(usize),
}

/// Executes a plan that is valid by the agent's belief, in the real world.
#[must_use]
pub fn execute(problem: &Problem, plan: &Plan) -> PlanOutcome {
    let world = problem.world();
    let seen = |room| (problem.agent() == BURGLAR).then(|| catcher(world, room))?;
    match execute_in(&AgentTask::new(problem), world.facts(), plan, seen) {
        None => PlanOutcome::Holds,
        Some(Interruption::Seen { step, by }) => PlanOutcome::Caught { step, by },
        Some(Interruption::Refused { step, refusal, at }) => {
            let by = cause(plan.actions[step], at, refusal);
            PlanOutcome::Fails { step, refusal, by }
        }
    }
}

/// The end of a plan before its last action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interruption<T> {
    /// The action with this index fails; the agent stands at `at`.
    Refused {
        step: usize,
        refusal: Refusal,
        at: Option<Thing>,
    },
    /// The agent is seen after the action with this index.
    Seen { step: usize, by: T },
}

/// Executes a plan from the agent's position, in these facts. `seen` returns the observer of a
/// room, if any. `None`: the plan works.
pub(crate) fn execute_in<T>(
    task: &AgentTask<'_>,
    facts: &Facts,
    plan: &Plan,
    seen: impl Fn(usize) -> Option<T>,
) -> Option<Interruption<T>> {
    let mut facts = facts.clone();
    let mut position = task.position;
    for (step, &action) in plan.actions.iter().enumerate() {
        let at = position.at;
        let mut hand = Actor {
            museum: task.museum,
            facts: &mut facts,
            position: &mut position,
            agent: task.agent,
        };
        if let Err(refusal) = hand.act(action) {
            return Some(Interruption::Refused { step, refusal, at });
        }
        if let Some(by) = seen(position.room) {
            return Some(Interruption::Seen { step, by });
        }
    }
    None
}

/// The cause of a failed action of an agent that stands at `at`.
fn cause(action: Action, at: Option<Thing>, refusal: Refusal) -> Cause {
    match action {
        Action::PickUp(item) if refusal == Refusal::NotThere => Cause::Item(item),
        Action::PickUp(item) => at.map_or(Cause::Item(item), Cause::Thing),
        // In no plan that is valid by the belief: agents know what they hold.
        Action::Unlock(_, key) | Action::Lock(_, key) if refusal == Refusal::NoKey => {
            Cause::Item(key)
        }
        Action::Approach(thing)
        | Action::Open(thing)
        | Action::Close(thing)
        | Action::Unlock(thing, _)
        | Action::Lock(thing, _) => Cause::Thing(thing),
        Action::Enter(door) => Cause::Thing(Thing::Door(door)),
        Action::Operate(machine) => Cause::Thing(Thing::Machine(machine)),
    }
}

/// The guard or camera that sees the burglar in a room; a guard before a camera.
fn catcher(world: &World, room: usize) -> Option<Catcher> {
    let mut guards = world.agents().iter().enumerate().skip(BURGLAR + 1);
    if let Some((guard, _)) = guards.find(|(_, guard)| guard.position.room == room) {
        return Some(Catcher::Guard(guard));
    }
    let mut cameras = world.museum().cameras_in(room).iter();
    let on = cameras.find(|camera| world.facts().cameras[**camera])?;
    Some(Catcher::Camera(*on))
}

#[cfg(test)]
mod tests {
    use super::{Cause, PlanOutcome, execute};
    use crate::game::Catcher;
    use crate::generate::Sketch;
    use crate::rules::Refusal;
    use crate::solve::{AgentTask, best_plan};
    use crate::{LockState, Place, Plan, Problem, Spec, Thing, World};

    /// A hall and a vault with the artifact in a box, and an unknown camera that is off.
    fn spec() -> Spec {
        let sketch = Sketch {
            rooms: 2,
            doors: &[(0, 1, LockState::CLOSED, &[])],
            containers: &[(1, LockState::OPEN, &[]), (1, LockState::OPEN, &[])],
            items: &[0],
            cameras: &[1],
            ..Sketch::default()
        };
        let mut spec = sketch.spec();
        spec.facts.cameras[0] = false;
        spec.agents[0].goal.room = None;
        spec
    }

    fn outcome(spec: Spec) -> PlanOutcome {
        let problem = Problem::new(World::new(spec).unwrap(), 0, &[]).unwrap();
        let plan = best_plan(&AgentTask::new(&problem)).unwrap();
        assert_eq!(plan.actions.len(), 5, "door, open, enter, box, take");
        execute(&problem, &plan)
    }

    #[test]
    fn what_is_as_believed_holds() {
        assert_eq!(outcome(spec()), PlanOutcome::Holds);
        let problem = Problem::new(World::new(spec()).unwrap(), 0, &[]).unwrap();
        assert_eq!(execute(&problem, &Plan::default()), PlanOutcome::Holds);
    }

    #[test]
    fn what_is_not_as_believed_fails_where_it_is_met() {
        let mut locked = spec();
        locked.facts.doors[0] = LockState::LOCKED;
        let by = Cause::Thing(Thing::Door(0));
        let (step, refusal) = (1, Refusal::IsLocked);
        assert_eq!(outcome(locked), PlanOutcome::Fails { step, refusal, by });
        let mut shut = spec();
        shut.facts.containers[0] = LockState::CLOSED;
        let by = Cause::Thing(Thing::Container(0));
        let (step, refusal) = (4, Refusal::IsClosed);
        assert_eq!(outcome(shut), PlanOutcome::Fails { step, refusal, by });
        let mut moved = spec();
        moved.facts.items[0] = Place::In(1);
        let by = Cause::Item(0);
        let (step, refusal) = (4, Refusal::NotThere);
        assert_eq!(outcome(moved), PlanOutcome::Fails { step, refusal, by });
    }

    #[test]
    fn cameras_and_guards_that_nobody_knows_of_catch_the_burglar() {
        let mut watched = spec();
        watched.facts.cameras[0] = true;
        let (step, by) = (2, Catcher::Camera(0));
        assert_eq!(outcome(watched), PlanOutcome::Caught { step, by });
        let mut guarded = spec();
        let mut guard = guarded.agents[0].clone();
        guard.position.room = 1;
        guarded.agents.push(guard);
        for agent in &mut guarded.agents {
            agent.belief.agents = vec![None; 2];
        }
        let (step, by) = (2, Catcher::Guard(1));
        assert_eq!(outcome(guarded), PlanOutcome::Caught { step, by });
    }
}
