//! Execution: what happens in a story while it is played, and what is to happen next.
//!
//! # Problem
//! A game plays a story by a plan. It reports the time, each event that has happened, ours and
//! those that players determine, and what players have picked. It asks which events of ours are
//! due, what comes next, what to wait for, and which choices the players have. Reports may deviate
//! from the plan: an event of ours comes too late or too early, a duration is outside its range.
//!
//! # Method
//! The dispatcher is the one of the check of plans ([`verify::simulate`](crate::verify::simulate)):
//! it satisfies the bounds and waits of all policies that are possible, with all that follows from
//! them by shortest paths. A choice of the system is made by the plan when its moment has come.
//!
//! The *rest* of a story is the story with what has happened. After a deviation a plan for the rest
//! is needed. What cannot be satisfied any more is dropped from the rest, so that it hinders
//! nothing else: a bound that no time of its two events satisfies, and a horizon that has passed. A
//! link that lasts longer than its longest duration may last as long again, at least
//! [`EXTENSION_MIN_US`]. An activity that overloads a resource counts no more for it. Without a
//! horizon and a weight of the makespan, the rest gets a horizon that hinders nothing: a plan
//! without one has the least makespan, and no slack for events that come a little late.
//!
//! # Guarantees
//! * While nothing deviates, every bound is satisfied, whatever the players do within the ranges of
//!   the story, and no resource is overloaded.
//! * Same reports, same decisions: an execution goes on from the plan, from what had happened when
//!   it was made, and from what has happened since.

mod facts;
mod live;
mod prepared;
mod rest;

use crate::plan::Plan;
use crate::problem::{Micros, Narrative, Node, Picks, Source};
use crate::verify::simulate::State;
use prepared::Prepared;
use std::sync::Arc;

pub use facts::{Facts, ReportError, made};
pub use stn::dispatch::{Deviation, Window};
pub use stn::progress::{Deviated, EXTENSION_MIN_US, ReportError as EventError};

/// A story that is played. Clones share story and plan.
#[derive(Debug, Clone)]
pub struct Execution {
    narrative: Arc<Narrative>,
    facts: Facts,
    /// See [`Self::broken`].
    broken: Vec<Source>,
    run: Option<Run>,
    /// Bounds that the run does not satisfy.
    dropped: Vec<Source>,
    deviation: Option<Deviated>,
}

/// A choice of players whose moment has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenChoice {
    /// Its index.
    pub choice: usize,
    /// The options that can be picked, by index.
    pub options: Vec<usize>,
    /// The latest time at which all of them hold. `None`: there is no limit so far.
    pub latest_us: Option<Micros>,
}

/// A plan that is followed.
#[derive(Debug, Clone)]
struct Run {
    plan: Arc<Prepared>,
    state: State,
    forecast: Forecast,
}

/// What happens next, as far as that is known. Events are nodes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Forecast {
    /// Events of ours that happen now, in this order.
    pub due: Vec<Window>,
    /// Events of ours that nothing but time and waits holds back, when those that are due have
    /// happened now. The first one to happen comes first.
    pub upcoming: Vec<Window>,
    /// Ends of contingent links that run, likewise.
    pub expected: Vec<Window>,
    /// The next time to decide, if nothing is observed before. `None`: not before an observation.
    pub wake_us: Option<Micros>,
    /// By choice what is picked, as far as the story has come. Picks of ours are among them when
    /// the moment of their choice has come, and choices of one option before.
    pub picks: Picks,
    /// Choices of players whose moment has come.
    pub open: Vec<OpenChoice>,
    /// The policies that are possible, by index.
    pub policies: Vec<usize>,
}

impl Execution {
    /// A story that has come as far as the narrative says.
    #[must_use]
    pub fn new(narrative: Narrative) -> Self {
        let facts = Facts::from_progress(&narrative);
        let mut execution = Self {
            narrative: Arc::new(narrative),
            facts,
            broken: Vec::new(),
            run: None,
            dropped: Vec::new(),
            deviation: None,
        };
        execution.broken = execution.find_broken();
        execution
    }

    /// The story, with what had happened at its beginning.
    #[must_use]
    pub fn narrative(&self) -> &Narrative {
        &self.narrative
    }

    /// What has happened.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The plan that is followed, and the rest of the story for which it was made.
    #[must_use]
    pub fn planned(&self) -> Option<(&Narrative, &Plan)> {
        let plan = &self.run.as_ref()?.plan;
        Some((plan.narrative(), plan.plan()))
    }

    /// Whether there is a plan to follow.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.run.is_some()
    }

    /// Whether all events have happened that are part of the story.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let (mut nodes, spec) = (1..self.narrative.nodes(), self.narrative.spec());
        nodes.all(|node| {
            self.facts.progress.time(node).is_some() || self.facts.leave_out(node, spec)
        })
    }

    /// Whether a contingent link runs: then what is possible changes with time alone.
    #[must_use]
    pub fn has_running_links(&self) -> bool {
        let mut links = self.narrative.spec().contingent.iter();
        links.any(|link| self.facts.progress.is_running(link))
    }

    /// The last deviation. Events are nodes.
    #[must_use]
    pub fn deviation(&self) -> Option<Deviated> {
        self.deviation
    }

    /// Bounds of links that cannot be satisfied any more, and the horizon of the first event that
    /// misses it.
    #[must_use]
    pub fn broken(&self) -> &[Source] {
        &self.broken
    }

    /// Notes the time, which does not go back, events with their times, and picks. An event of an
    /// option shows that this was picked. With a mistake nothing is noted.
    ///
    /// # Errors
    /// What is wrong with the report.
    ///
    /// # Panics
    /// When an event is the origin or does not exist, or the time goes back, or a choice or an
    /// option does not exist.
    pub fn report(
        &mut self,
        now_us: Micros,
        events: &[(Node, Micros)],
        picks: &[(usize, usize)],
    ) -> Result<(), ReportError> {
        let spec = self.narrative.spec();
        let facts = self.facts.after(now_us, events, picks, spec)?;
        // What was ruled out at an earlier time may have ended just then.
        let before_us = self.facts.progress.now_us;
        let ends = |node: Node| spec.contingent.iter().any(|link| link.to == node);
        let mut seen = events.iter();
        let is_late = seen.any(|(node, at_us)| *at_us < before_us + Micros::from(ends(*node)));
        self.facts = facts;
        self.broken = self.find_broken();
        if is_late {
            self.replay();
        } else {
            self.observe(events);
        }
        Ok(())
    }

    /// Lets the run observe what was noted. After a deviation there is no run.
    fn observe(&mut self, events: &[(Node, Micros)]) {
        let Some(Run { plan, state, .. }) = self.run.take() else {
            return;
        };
        let Facts { progress, picks } = &self.facts;
        let observed = plan.observe(state, progress.now_us, events, picks);
        let observed = observed.and_then(|state| Ok((plan.forecast(&state)?, state)));
        match observed {
            Ok((forecast, state)) => {
                for &(choice, option) in state.made() {
                    self.facts.picks[choice] = Some(option);
                }
                self.run = Some(Run {
                    plan,
                    state,
                    forecast,
                });
                if let Some(what) = self.broken_by(events) {
                    self.deviate(what);
                }
            }
            Err(what) => self.deviate(what),
        }
    }

    fn deviate(&mut self, what: Deviation) {
        self.run = None;
        let at_us = self.facts.progress.now_us;
        self.deviation = Some(Deviated { what, at_us });
    }

    /// What breaks a bound that the run is to satisfy: it was observed too late.
    fn broken_by(&self, events: &[(Node, Micros)]) -> Option<Deviation> {
        let is_horizon = |source: &Source| matches!(source, Source::Horizon(_));
        let without_horizon = self.dropped.iter().any(is_horizon);
        let mut broken = self.broken.iter();
        let lost = broken.find(|source| {
            !(self.dropped.contains(source) || without_horizon && is_horizon(source))
        })?;
        let links = &self.narrative.spec().links;
        let ends = match *lost {
            Source::LinkUpper(at) | Source::LinkLower(at) => [links[at].from, links[at].to],
            Source::Horizon(node) => [node, node],
            _ => return None,
        };
        let late = events.iter().find(|event| ends.contains(&event.0));
        let node = late.map_or(ends[1], |late| late.0);
        let event = u32::try_from(node).expect("at most EVENTS_MAX events");
        Some(Deviation::Outside { event })
    }

    /// What is due, comes next, and is waited for; `None`: there is nothing to follow.
    #[must_use]
    pub fn forecast(&self) -> Option<&Forecast> {
        self.run.as_ref().map(|run| &run.forecast)
    }

    /// Follows a plan of good form for [`Self::rest`], also of an earlier one: what has happened
    /// since is observed. A plan that does not allow that is not followed, and changes nothing;
    /// then false.
    pub fn follow(&mut self, rest: &Narrative, plan: &Plan) -> bool {
        let Ok(plan) = Prepared::new(rest, plan) else {
            return false;
        };
        let state = plan.begin();
        let before = self.clone();
        self.run = Some(Run {
            plan: Arc::new(plan),
            state,
            forecast: Forecast::default(),
        });
        self.dropped.clone_from(&self.broken);
        let story = Arc::clone(&self.narrative);
        self.dropped
            .retain(|source| rest::is_dropped(&story, rest, *source));
        self.replay();
        if self.run.is_none() {
            *self = before;
        }
        self.run.is_some()
    }

    /// Lets the plan observe all that has happened since it was made.
    fn replay(&mut self) {
        let Some(run) = &mut self.run else {
            return;
        };
        run.state = run.plan.begin();
        let planned = run.plan.narrative();
        let new = self.facts.progress.happened();
        let new = new.filter(|(node, _)| planned.happened(*node).is_none());
        let new: Vec<(Node, Micros)> = new.collect();
        self.observe(&new);
    }

    /// Memory that it takes besides the story, near enough, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let run = self.run.as_ref().map_or(0, |run| run.plan.bytes());
        run + 64 * self.narrative.nodes()
    }
}
