//! Turns of agents in a tick: they act, observe, and plan again.

use super::alert::Senses;
use super::mind::View;
use super::{Alert, BeliefUpdate, Event, Game, Mind, Outcome, Replan, ReplanReason, Replanned};
use crate::budget::Budget;
use crate::rules::Actor;
use crate::world::{BURGLAR, World};
use anytime::derive_seed;

impl Game<'_> {
    /// Has agents plan that have to before they act. Who is first is drawn for each tick, so that
    /// all come to it.
    pub(super) fn plan_undecided(&mut self, budget: &mut dyn Budget) -> Vec<(usize, Replanned)> {
        let mut planned = Vec::new();
        if self.state.minds.iter().all(|mind| mind.undecided.is_none()) {
            return planned;
        }
        let count = self.state.minds.len();
        let first = (derive_seed(0, self.state.now.into()) % count as u64) as usize;
        for agent in (first..first + count).map(|agent| agent % count) {
            let mind = &mut self.state.minds[agent];
            if let Some(why) = mind.undecided.filter(|_| !mind.is_removed) {
                let replanned = replan(mind, self.world, why, budget);
                planned.extend(replanned.map(|it| (agent, it)));
            }
        }
        planned
    }

    /// Has an agent act, and plan after it if there is a reason to.
    pub(super) fn take_turn(
        &mut self,
        agent: usize,
        planned: Option<Replanned>,
        budget: &mut dyn Budget,
    ) -> Event {
        let mut event = self.act(agent);
        let alert = self.alert_after(agent, &event);
        let mind = &mut self.state.minds[agent];
        let before = std::mem::replace(&mut mind.alert, alert);
        let why = if alert.room() == before.room() {
            reason_to_plan(mind, &event)
        } else {
            Some(ReplanReason::Alert)
        };
        let replanned = why.and_then(|why| replan(mind, self.world, why, budget));
        event.replanned = replanned.or(planned.filter(|_| mind.undecided.is_none()));
        event
    }

    /// The alert of an agent after its event.
    fn alert_after(&self, agent: usize, event: &Event) -> Alert {
        let mind = &self.state.minds[agent];
        self.state.reactions.map_or(mind.alert, |reactions| {
            let senses = Senses {
                museum: self.world.museum(),
                facts: &self.state.facts,
                burglar: &self.state.minds[BURGLAR],
                noises: &self.noises,
                reactions,
            };
            senses.alert_after(mind, event)
        })
    }

    /// Has an agent act, and observe what comes of it.
    fn act(&mut self, agent: usize) -> Event {
        let museum = self.world.museum();
        let (before, rest) = self.state.minds.split_at_mut(agent);
        let (mind, after) = rest.split_first_mut().expect("an agent takes this turn");
        let mut event = Event {
            agent,
            outcome: Outcome::Waited,
            refusal: None,
            learned: Vec::new(),
            replanned: None,
        };
        if mind.delay > 0 {
            mind.delay -= 1;
            event.outcome = Outcome::Delayed;
            return event;
        }
        let observes_always = self.state.rules.replan == Replan::OnInconsistency;
        let mut observes = observes_always && mind.intent().is_none();
        if let Some(action) = mind.next_action() {
            event.outcome = Outcome::Acted(action);
            let handled = mind.next_handled();
            let room = mind.position.room;
            let outcome = Actor {
                museum,
                facts: &mut self.state.facts,
                position: &mut mind.position,
                agent,
            }
            .act(action);
            if let Err(refusal) = outcome {
                event.refusal = Some(refusal);
                if let Some(thing) = handled {
                    mind.examine(thing, &self.state.facts, &mut event.learned);
                }
                observes = true;
            } else {
                mind.complete_action(action, &self.state.facts);
                observes = observes_always && mind.position.room != room;
            }
        }
        if observes {
            let view = View {
                museum,
                facts: &self.state.facts,
                before,
                own: mind.position,
                after,
            };
            mind.observe(&view, &mut event.learned);
        }
        event
    }
}

/// Why an agent plans again after an event, if the rules require it.
fn reason_to_plan(mind: &Mind, event: &Event) -> Option<ReplanReason> {
    let restarts = mind.is_done() && mind.agent != BURGLAR && mind.alert == Alert::Calm;
    match event {
        Event {
            refusal: Some(_), ..
        } => Some(ReplanReason::Failure),
        // Waiting with a plan that is completed, a guard stays.
        Event {
            outcome: Outcome::Waited | Outcome::Delayed,
            ..
        } if mind.intent().is_some() => None,
        _ if restarts => Some(ReplanReason::ListDone),
        Event { learned, .. } if learned.iter().any(|it| is_relevant(mind, *it)) => {
            Some(ReplanReason::Inconsistency)
        }
        Event { .. } => None,
    }
}

/// Has an agent plan, now or before it acts the next time.
pub(super) fn replan(
    mind: &mut Mind,
    world: &World,
    why: ReplanReason,
    budget: &mut dyn Budget,
) -> Option<Replanned> {
    let has_visited_all = mind.goal.visits.is_empty() && mind.alert == Alert::Calm;
    let begins = match why {
        ReplanReason::ListDone => true,
        ReplanReason::Moved | ReplanReason::First | ReplanReason::Alert => {
            mind.agent != BURGLAR && has_visited_all
        }
        ReplanReason::Failure | ReplanReason::Inconsistency => false,
    };
    if begins {
        mind.restart(&world.agents()[mind.agent].goal);
    }
    if !budget.may_plan() {
        mind.defer(why);
        return None;
    }
    let mut was_stopped = false;
    let actions = mind.replan(world.museum(), &mut || {
        let go_on = budget.go_on();
        was_stopped |= !go_on;
        go_on
    });
    if actions.is_none() && was_stopped && !budget.has_ended() {
        mind.defer(why);
        return None;
    }
    Some(Replanned { why, actions })
}

/// Whether a belief update can change an agent's plan: rooms of agents are irrelevant to guards.
fn is_relevant(mind: &Mind, lesson: BeliefUpdate) -> bool {
    mind.agent == BURGLAR
        || matches!(
            lesson,
            BeliefUpdate::LockState { .. } | BeliefUpdate::Item { .. }
        )
}
