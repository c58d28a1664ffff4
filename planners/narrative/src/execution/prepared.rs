//! A plan that is dispatched while its story is played.

use super::Forecast;
use crate::plan::Plan;
use crate::problem::{Micros, Narrative, Node, Picks};
use crate::verify::simulate::{Dispatcher, Known, PlanPart, PlanParts, Simulator, State, shown};
use crate::verify::story_tree::{Moments, StoryTree};
use anytime::Fault;
use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;
use stn::dispatch::Deviation;

/// Most pairs of nodes between which bounds are remembered, for all sets of policies together.
const CELLS_MAX: usize = 1 << 18;

/// A plan of good form with what its dispatch needs.
#[derive(Debug)]
pub(super) struct Prepared {
    narrative: Narrative,
    plan: Plan,
    parts: Vec<Part>,
    pairs: Vec<(usize, [usize; 2])>,
    known: Known,
}

/// A story with its policies: one, or one for each group.
#[derive(Debug)]
struct Part {
    narrative: Narrative,
    plan: Plan,
    at: Vec<usize>,
    moments: Arc<Moments>,
}

impl Prepared {
    /// Prepares a plan, also one that fails its check.
    ///
    /// # Errors
    /// What is wrong with the form of the plan.
    pub(super) fn new(narrative: &Narrative, plan: &Plan) -> Result<Self, Vec<Fault>> {
        let prepared = RefCell::new(None);
        shown(narrative, plan, &|parts, checked| {
            let part = |part: &PlanPart<'_>| Part {
                narrative: part.story.narrative.clone(),
                plan: part.plan.clone(),
                at: part.at.to_vec(),
                moments: Arc::clone(part.story.moments()),
            };
            prepared.replace(Some(Self {
                narrative: parts.narrative.clone(),
                plan: parts.plan.clone(),
                parts: parts.parts.iter().map(part).collect(),
                pairs: parts.pairs.to_vec(),
                known: Known::new(parts, checked, CELLS_MAX),
            }));
            Ok(())
        })?;
        Ok(prepared.into_inner().expect("it was shown"))
    }

    /// The story.
    pub(super) fn narrative(&self) -> &Narrative {
        &self.narrative
    }

    /// Its plan.
    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The story at its beginning.
    pub(super) fn begin(&self) -> State {
        self.simulated(|simulator| Dispatcher::new(simulator).state)
    }

    /// The story after what has happened until now, in any order. `picks`: all that are known.
    ///
    /// # Errors
    /// What the plan does not allow.
    pub(super) fn observe(
        &self,
        state: State,
        now_us: Micros,
        events: &[(Node, Micros)],
        picks: &Picks,
    ) -> Result<State, Deviation> {
        self.simulated(|simulator| {
            let mut dispatcher = Dispatcher::with_state(simulator, state);
            dispatcher.state.picks.clone_from(picks);
            dispatcher.observe(now_us, events)?;
            if dispatcher.state.has_other_picks() {
                return Err(Deviation::Stuck);
            }
            Ok(dispatcher.state)
        })
    }

    /// What happens next.
    ///
    /// # Errors
    /// A deviation: what is due now is too late, or nothing can happen any more.
    pub(super) fn forecast(&self, state: &State) -> Result<Forecast, Deviation> {
        self.simulated(|simulator| Dispatcher::with_state(simulator, state.clone()).forecast())
    }

    fn simulated<R>(&self, run: impl FnOnce(Simulator<'_>) -> R) -> R {
        let stories = self.parts.iter();
        let stories = stories.map(|part| StoryTree::of_moments(&part.narrative, &part.moments));
        let stories: Vec<StoryTree<'_>> = stories.collect();
        let parts = self
            .parts
            .iter()
            .zip(&stories)
            .map(|(part, story)| PlanPart {
                story,
                plan: &part.plan,
                at: Cow::from(&part.at),
            });
        let parts = PlanParts {
            narrative: &self.narrative,
            plan: &self.plan,
            parts: parts.collect(),
            pairs: Cow::from(&self.pairs),
        };
        run(Simulator::new(&parts, &self.known))
    }

    /// Memory that it takes, near enough, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let spec = self.narrative.spec();
        let (policies, nodes) = (self.plan.policies.len(), self.narrative.nodes());
        let bounds = self.plan.policies.iter().map(|policy| policy.bounds.len());
        let own = self.known.own.iter().map(|network| network.bounds.len());
        let moments = self.parts.iter().map(|part| part.moments.len());
        let storylines = self
            .parts
            .iter()
            .map(|part| part.narrative.storylines().len());
        let stories = 100 * (spec.links.len() + nodes) * (1 + self.parts.len())
            + 16 * spec.choices.len() * storylines.sum::<usize>();
        // Closures of what is followed, both ways, and of what may be followed next.
        let rules = 40 * self.known.joint.nodes.pow(2);
        stories
            + 24 * (bounds.sum::<usize>() + own.sum::<usize>())
            + 16 * policies * (spec.contingent.len() + nodes)
            + nodes * moments.sum::<usize>()
            + rules
    }
}
