//! What comes of a plan as things really are, if nobody else moves and nobody plans again.

use crate::game::Catcher;
use crate::museum::Thing;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::rules::{Action, Hand, Refusal};
use crate::solve::Errand;
use crate::world::{BURGLAR, Facts, World};

/// What comes of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All of it can be done, and nobody is caught.
    Holds,
    /// The action with index `step` cannot be done: something is not as he believes.
    Fails {
        /// Index of the action.
        step: usize,
        /// Why it cannot be done.
        refusal: Refusal,
        /// What is not as he believes.
        by: Cause,
    },
    /// The burglar is caught after the action with this index.
    Caught {
        /// Index of the action.
        step: usize,
        /// Who sees him.
        by: Catcher,
    },
}

/// What is not as somebody believes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The state of a door or container.
    Thing(Thing),
    /// The place of the item with this index.
    Item(usize),
}

/// Acts out a plan that the agent's beliefs allow.
#[must_use]
pub fn trial(problem: &Problem, plan: &Plan) -> Outcome {
    let world = problem.world();
    let seen = |room| (problem.agent() == BURGLAR).then(|| catcher(world, room))?;
    match act_out(&Errand::of(problem), world.facts(), plan, seen) {
        None => Outcome::Holds,
        Some(Halt::Seen { step, by }) => Outcome::Caught { step, by },
        Some(Halt::Refused { step, refusal, at }) => {
            let by = cause((plan.actions[step], at), refusal);
            Outcome::Fails { step, refusal, by }
        }
    }
}

/// What puts an end to a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt<T> {
    /// The action with this index cannot be done by who stands at this.
    Refused {
        step: usize,
        refusal: Refusal,
        at: Option<Thing>,
    },
    /// After the action with this index he is seen.
    Seen { step: usize, by: T },
}

/// Acts out a plan from where the agent of an errand is, in these facts. `seen` returns an observer
/// of a room, if any. `None`: the plan works.
pub(crate) fn act_out<T>(
    errand: &Errand<'_>,
    facts: &Facts,
    plan: &Plan,
    seen: impl Fn(usize) -> Option<T>,
) -> Option<Halt<T>> {
    let mut facts = facts.clone();
    let mut body = errand.body;
    for (step, &action) in plan.actions.iter().enumerate() {
        let at = body.at;
        let mut hand = Hand {
            museum: errand.museum,
            facts: &mut facts,
            body: &mut body,
            agent: errand.agent,
        };
        if let Err(refusal) = hand.act(action) {
            return Some(Halt::Refused { step, refusal, at });
        }
        if let Some(by) = seen(body.room) {
            return Some(Halt::Seen { step, by });
        }
    }
    None
}

/// What an action fails by, of somebody who stands at something.
fn cause((action, at): (Action, Option<Thing>), refusal: Refusal) -> Cause {
    match action {
        Action::PickUp(item) if refusal == Refusal::NotThere => Cause::Item(item),
        Action::PickUp(item) => at.map_or(Cause::Item(item), Cause::Thing),
        // In no plan that his beliefs allow: he knows his own hands.
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

/// Who sees the burglar in a room, as the world is: a guard before a camera.
fn catcher(world: &World, room: usize) -> Option<Catcher> {
    let mut guards = world.agents().iter().enumerate().skip(BURGLAR + 1);
    if let Some((guard, _)) = guards.find(|(_, guard)| guard.body.room == room) {
        return Some(Catcher::Guard(guard));
    }
    let mut cameras = world.museum().cameras_in(room).iter();
    let on = cameras.find(|camera| world.facts().cameras[**camera])?;
    Some(Catcher::Camera(*on))
}

#[cfg(test)]
mod tests {
    use super::{Cause, Outcome, trial};
    use crate::game::Catcher;
    use crate::museum::{Container, Door, Layout};
    use crate::rules::Refusal;
    use crate::solve::{Errand, best_plan};
    use crate::{Agent, Belief, Body, Facts, Goal, Leaf, Place, Plan, Problem, Spec, Thing, World};

    /// A hall and a vault with the artifact in a box, and a camera that nobody knows of, off.
    fn spec() -> Spec {
        let facts = Facts {
            doors: vec![Leaf::CLOSED],
            containers: vec![Leaf::OPEN, Leaf::OPEN],
            items: vec![Place::In(0)],
            cameras: vec![false],
        };
        let container = Container {
            room: 1,
            keys: Vec::new(),
        };
        Spec {
            museum: Layout {
                rooms: 2,
                doors: vec![Door {
                    ends: [0, 1],
                    keys: Vec::new(),
                }],
                containers: vec![container.clone(), container],
                cameras: vec![1],
                artifacts: 1,
                ..Layout::default()
            },
            agents: vec![Agent {
                body: Body { room: 0, at: None },
                goal: Goal {
                    items: vec![0],
                    ..Goal::default()
                },
                belief: Belief {
                    facts: facts.clone(),
                    agents: vec![None],
                },
            }],
            facts,
        }
    }

    fn outcome(spec: Spec) -> Outcome {
        let problem = Problem::new(World::new(spec).unwrap(), 0, &[]).unwrap();
        let plan = best_plan(&Errand::of(&problem)).unwrap();
        assert_eq!(plan.actions.len(), 5, "door, open, enter, box, take");
        trial(&problem, &plan)
    }

    #[test]
    fn what_is_as_believed_holds() {
        assert_eq!(outcome(spec()), Outcome::Holds);
        let problem = Problem::new(World::new(spec()).unwrap(), 0, &[]).unwrap();
        assert_eq!(trial(&problem, &Plan::default()), Outcome::Holds);
    }

    #[test]
    fn what_is_not_as_believed_fails_where_it_is_met() {
        let mut locked = spec();
        locked.facts.doors[0] = Leaf::LOCKED;
        let by = Cause::Thing(Thing::Door(0));
        let (step, refusal) = (1, Refusal::IsLocked);
        assert_eq!(outcome(locked), Outcome::Fails { step, refusal, by });
        let mut shut = spec();
        shut.facts.containers[0] = Leaf::CLOSED;
        let by = Cause::Thing(Thing::Container(0));
        let (step, refusal) = (4, Refusal::IsClosed);
        assert_eq!(outcome(shut), Outcome::Fails { step, refusal, by });
        let mut moved = spec();
        moved.facts.items[0] = Place::In(1);
        let by = Cause::Item(0);
        let (step, refusal) = (4, Refusal::NotThere);
        assert_eq!(outcome(moved), Outcome::Fails { step, refusal, by });
    }

    #[test]
    fn cameras_and_guards_that_nobody_knows_of_catch_the_burglar() {
        let mut watched = spec();
        watched.facts.cameras[0] = true;
        let (step, by) = (2, Catcher::Camera(0));
        assert_eq!(outcome(watched), Outcome::Caught { step, by });
        let mut guarded = spec();
        let mut guard = guarded.agents[0].clone();
        guard.body.room = 1;
        guarded.agents.push(guard);
        for agent in &mut guarded.agents {
            agent.belief.agents = vec![None; 2];
        }
        let (step, by) = (2, Catcher::Guard(1));
        assert_eq!(outcome(guarded), Outcome::Caught { step, by });
    }
}
