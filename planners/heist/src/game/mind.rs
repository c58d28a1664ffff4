//! The mental state of an agent in a game: belief, goal and plan (BDI).

use super::alert::Alert;
use super::record::{BeliefUpdate, ReplanReason};
use crate::museum::{Museum, Thing};
use crate::plan::Plan;
use crate::rules::Action;
use crate::solve::{AgentTask, Reachability, best_plan_until};
use crate::world::{Agent, BURGLAR, Belief, Facts, Goal, LockState, Place, Position};
use std::sync::Arc;

/// Position, belief, goal and plan of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mind {
    pub(super) agent: usize,
    pub(super) position: Position,
    /// Shared, as goal and plan: games are cloned more often than beliefs change.
    pub(super) belief: Arc<Belief>,
    /// The rest of the goal: `visits` shrink.
    pub(super) goal: Arc<Goal>,
    pub(super) plan: Option<Arc<Plan>>,
    pub(super) next: usize,
    pub(super) delay: u32,
    /// Why it has to plan before it acts.
    pub(super) undecided: Option<ReplanReason>,
    pub(super) is_removed: bool,
    pub(super) alert: Alert,
}

impl Mind {
    /// An agent without a plan yet.
    pub(super) fn new(agent: usize, it: &Agent) -> Self {
        let mut mind = Self {
            agent,
            position: it.position,
            belief: Arc::new(it.belief.clone()),
            goal: Arc::new(it.goal.clone()),
            plan: None,
            next: 0,
            delay: 0,
            undecided: Some(ReplanReason::First),
            is_removed: false,
            alert: Alert::Calm,
        };
        // A guard's list in order is a patrol route: its first room has to be entered, too.
        if agent == BURGLAR || !mind.goal.in_order {
            mind.mark_visited();
        }
        mind
    }

    /// Index of the agent.
    #[must_use]
    pub fn agent(&self) -> usize {
        self.agent
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> Position {
        self.position
    }

    /// The belief.
    #[must_use]
    pub fn belief(&self) -> &Belief {
        &self.belief
    }

    /// The rest of the plan. `None`: there is no plan.
    #[must_use]
    pub fn intent(&self) -> Option<&[Action]> {
        let plan = self.plan.as_ref()?;
        Some(&plan.actions[self.next..])
    }

    /// Remaining ticks of distraction.
    #[must_use]
    pub fn delay(&self) -> u32 {
        self.delay
    }

    /// Why the agent has to plan before it acts; `None`: it has planned.
    #[must_use]
    pub fn undecided(&self) -> Option<ReplanReason> {
        self.undecided
    }

    /// Whether the agent is out of the game.
    #[must_use]
    pub fn is_removed(&self) -> bool {
        self.is_removed
    }

    /// Whether a guard goes its round.
    #[must_use]
    pub fn alert(&self) -> Alert {
        self.alert
    }

    /// Memory of its plan and goal, near enough.
    pub(super) fn bytes(&self) -> usize {
        let actions = self.plan.as_ref().map_or(0, |plan| plan.actions.len());
        size_of::<Self>()
            + actions * size_of::<Action>()
            + self.goal.visits.len() * size_of::<usize>()
    }

    /// Puts the agent somewhere, where it has to plan first.
    pub(super) fn place(&mut self, position: Position) {
        self.position = position;
        self.mark_visited();
        self.defer(ReplanReason::Moved);
    }

    /// Has the agent plan before its next action.
    pub(super) fn defer(&mut self, why: ReplanReason) {
        (self.plan, self.next) = (None, 0);
        self.undecided = Some(why);
    }

    /// The next action, unless the agent is distracted.
    pub(crate) fn next_action(&self) -> Option<Action> {
        self.intent()?.first().copied()
    }

    /// The door or container on whose state the next action depends.
    pub(crate) fn next_handled(&self) -> Option<Thing> {
        match self.next_action()? {
            Action::Approach(_) | Action::Operate(_) => None,
            Action::PickUp(_) => self.position.at,
            action => action.thing(),
        }
    }

    /// Plans from the current position, by the belief; returns the length. Once `go_on` has
    /// returned false, it is any plan, or none.
    pub(super) fn replan(
        &mut self,
        museum: &Museum,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<u32> {
        // Guards need not hide.
        let traps = match self.agent {
            BURGLAR => self.belief.traps(museum),
            _ => vec![false; museum.rooms()],
        };
        let elsewhere = self.alert.goal();
        let task = AgentTask {
            museum,
            facts: &self.belief.facts,
            position: self.position,
            agent: self.agent,
            goal: elsewhere.as_ref().unwrap_or(&self.goal),
            traps: &traps,
        };
        let first = task.goal.visits.first().filter(|_| task.goal.in_order);
        self.plan = if self.agent != BURGLAR && first == Some(&self.position.room) {
            plan_patrol(&task, go_on).map(Arc::new)
        } else {
            best_plan_until(&task, go_on).map(Arc::new)
        };
        self.next = 0;
        self.undecided = None;
        let plan = self.plan.as_ref()?;
        // Fits: plans have at most ACTIONS_MAX.
        Some(plan.actions.len() as u32)
    }

    /// Advances the plan by a completed action, and updates the belief.
    pub(super) fn complete_action(&mut self, action: Action, facts: &Facts) {
        self.next += 1;
        match action {
            Action::Enter(_) => self.mark_visited(),
            // Agents know what they hold, of several copies, too.
            Action::PickUp(_) => {
                for item in facts.held(self.agent) {
                    self.facts_mut().items[item] = facts.items[item];
                }
            }
            _ => {}
        }
        if let Some(thing) = action
            .thing()
            .filter(|_| !matches!(action, Action::Approach(_)))
        {
            self.believe(thing, facts.lock_state(thing));
        }
    }

    /// Whether the plan is completed.
    pub(super) fn is_done(&self) -> bool {
        self.intent().is_some_and(<[Action]>::is_empty)
    }

    /// Restores the goal, except for the current room.
    pub(super) fn restart(&mut self, goal: &Goal) {
        Arc::make_mut(&mut self.goal)
            .visits
            .clone_from(&goal.visits);
        self.mark_visited();
    }

    /// Removes the current room from the rooms to visit.
    fn mark_visited(&mut self) {
        let room = self.position.room;
        if !self.goal.visits.contains(&room) {
            return;
        }
        let Goal {
            visits, in_order, ..
        } = Arc::make_mut(&mut self.goal);
        if *in_order {
            let complete_action = visits
                .iter()
                .take_while(|mark_visited| **mark_visited == room)
                .count();
            visits.drain(..complete_action);
        } else {
            visits.retain(|mark_visited| *mark_visited != room);
        }
    }

    /// Learns the exact state of a thing.
    pub(super) fn examine(&mut self, thing: Thing, facts: &Facts, learned: &mut Vec<BeliefUpdate>) {
        let is = facts.lock_state(thing);
        if let Some(was) = self.believe(thing, is) {
            learned.push(BeliefUpdate::LockState { thing, was, is });
        }
    }

    /// Sets the believed state of a thing; returns the one before if it differs.
    fn believe(&mut self, thing: Thing, is: LockState) -> Option<LockState> {
        let was = self.belief.facts.lock_state(thing);
        if was == is {
            return None;
        }
        *self.facts_mut().lock_state_mut(thing)? = is;
        Some(was)
    }

    fn facts_mut(&mut self) -> &mut Facts {
        &mut Arc::make_mut(&mut self.belief).facts
    }

    /// Observes the room: what is open and closed, items in open containers, cameras that are on,
    /// and agents. Whether something closed is locked cannot be seen.
    pub(super) fn observe(&mut self, seen: &View<'_>, learned: &mut Vec<BeliefUpdate>) {
        let room = self.position.room;
        for exit in seen.museum.exits(room) {
            self.observe_state(Thing::Door(exit.door), seen.facts, learned);
        }
        for &container in seen.museum.containers_in(room) {
            self.observe_state(Thing::Container(container), seen.facts, learned);
            if seen.facts.containers[container].open {
                self.observe_contents(container, seen.facts, learned);
            }
        }
        for &camera in seen.museum.cameras_in(room) {
            let is = seen.facts.cameras[camera];
            let was = self.belief.facts.cameras[camera];
            if was != is {
                self.facts_mut().cameras[camera] = is;
                learned.push(BeliefUpdate::Camera { camera, was, is });
            }
        }
        for (agent, place) in seen.rooms().enumerate() {
            let was = self.belief.agents[agent];
            let is = if place == Some(room) {
                Some(room)
            } else {
                was.filter(|was| *was != room)
            };
            if agent != self.agent && was != is {
                Arc::make_mut(&mut self.belief).agents[agent] = is;
                learned.push(BeliefUpdate::Agent { agent, was, is });
            }
        }
    }

    fn observe_state(&mut self, thing: Thing, facts: &Facts, learned: &mut Vec<BeliefUpdate>) {
        let open = facts.lock_state(thing).open;
        if self.belief.facts.lock_state(thing).open != open {
            let is = if open {
                LockState::OPEN
            } else {
                LockState::CLOSED
            };
            let was = self.believe(thing, is);
            learned.extend(was.map(|was| BeliefUpdate::LockState { thing, was, is }));
        }
    }

    fn observe_contents(
        &mut self,
        container: usize,
        facts: &Facts,
        learned: &mut Vec<BeliefUpdate>,
    ) {
        let inside = Place::In(container);
        for (item, place) in facts.items.iter().enumerate() {
            let was = self.belief.facts.items[item];
            if (*place == inside) != (was == inside) {
                let is = match *place {
                    place if place == inside => place,
                    _ => Place::Unknown,
                };
                self.facts_mut().items[item] = is;
                learned.push(BeliefUpdate::Item { item, was, is });
            }
        }
    }
}

/// The shortest plan of a guard that has to re-enter its room, through a room next to it. A guard
/// with no other room to visit stays.
fn plan_patrol(task: &AgentTask<'_>, go_on: &mut dyn FnMut() -> bool) -> Option<Plan> {
    let room = task.position.room;
    if task
        .goal
        .visits
        .iter()
        .all(|mark_visited| *mark_visited == room)
    {
        return Some(Plan::default());
    }
    let reach = Reachability::new(task, 0);
    if !reach.reaches_goal(task) {
        return None;
    }
    let mut goal = task.goal.clone();
    goal.visits.insert(0, room);
    let mut best: Option<Plan> = None;
    let exits = task.museum.exits(room).iter();
    for exit in exits.filter(|exit| reach.rooms[exit.to]) {
        if !go_on() {
            break;
        }
        goal.visits[0] = exit.to;
        let goal = &goal;
        let plan = best_plan_until(&AgentTask { goal, ..*task }, go_on);
        let length = best.as_ref().map_or(usize::MAX, |it| it.actions.len());
        best = plan.filter(|it| it.actions.len() < length).or(best);
    }
    best
}

/// The observable part of a game.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a> {
    pub museum: &'a Museum,
    pub facts: &'a Facts,
    /// Agents before the observing one, itself, and those after it.
    pub before: &'a [Mind],
    pub own: Position,
    pub after: &'a [Mind],
}

impl View<'_> {
    /// The room of each agent; `None`: it is out of the game.
    fn rooms(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        let room = |mind: &Mind| (!mind.is_removed).then_some(mind.position.room);
        let (before, after) = (self.before.iter().map(room), self.after.iter().map(room));
        before.chain([Some(self.own.room)]).chain(after)
    }
}
