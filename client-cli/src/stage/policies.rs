//! The storylines of a plan by numbers, and what each lets us do.

use super::script::Script;
use crate::dispatch::{self, Actors, Dispatch, NONE, STEPS_MAX};
use stratagem_proto::v1::{NarrativePlan, NarrativePolicy};
use stratagem_render::time::micros;

/// How one storyline is told.
#[derive(Debug, Clone)]
pub(super) struct Policy {
    /// The option of each choice; none where it does not come up.
    pub(super) picks: Vec<Option<usize>>,
    /// Contingent link, shortest and longest duration that it is meant for.
    pub(super) outcomes: Vec<(usize, i64, i64)>,
    dispatch: Dispatch,
    /// Resource, giving activity or none, getting activity.
    pub(super) hand_overs: Vec<(usize, Option<usize>, usize)>,
}

/// All policies of a plan. What is not in the script is left out.
pub(super) fn policies(script: &Script, plan: &NarrativePlan) -> Vec<Policy> {
    let policies = plan.policies.iter();
    let most = STEPS_MAX / plan.policies.len().max(1);
    policies.map(|p| Policy::new(script, p, most)).collect()
}

impl Policy {
    fn new(script: &Script, given: &NarrativePolicy, most: usize) -> Self {
        let mut picks = vec![None; script.forks.len()];
        for pick in &given.picks {
            if let Some((choice, option)) = script.pick(&pick.choice_id, &pick.option_id) {
                picks[choice] = Some(option);
            }
        }
        let outcomes = given.outcomes.iter().filter_map(|o| {
            let link = script.contingent.iter().position(|c| c.id == o.link_id)?;
            let lower = micros(o.lower.as_ref());
            Some((link, lower, micros(o.upper.as_ref())))
        });
        let activity = |id: &str| script.activities.iter().position(|a| a.id == id);
        let hand_overs = given.hand_overs.iter().filter_map(|h| {
            let mut resources = script.resources.iter();
            let resource = resources.position(|(id, _)| *id == h.resource_id)?;
            let to = activity(&h.to_activity_id)?;
            Some((resource, activity(&h.from_activity_id), to))
        });
        let outcomes = outcomes.collect::<Vec<_>>();
        Self {
            dispatch: dispatch(script, (&picks, &outcomes), given, most),
            picks,
            outcomes,
            hand_overs: hand_overs.collect(),
        }
    }

    /// Whether it is possible after these picks, and these durations so far; `over` tells which have
    /// ended.
    pub(super) fn possible(
        &self,
        picks: &[Option<usize>],
        lasted: impl Fn(usize) -> Option<(i64, bool)>,
    ) -> bool {
        let agrees = picks.iter().zip(&self.picks).all(|(made, own)| made == own);
        agrees
            && self.outcomes.iter().all(|(link, lower, upper)| {
                lasted(*link).is_none_or(|(us, over)| us <= *upper && (!over || us >= *lower))
            })
    }

    /// Earliest times by bounds and waits, given what has happened.
    pub(super) fn earliest(&self, times: &[Option<i64>], now_us: i64) -> Vec<i64> {
        self.dispatch.earliest(times, now_us)
    }

    /// Whether an event waits for another to happen first.
    pub(super) fn blocked(&self, times: &[Option<i64>], event: usize) -> bool {
        self.dispatch.blocked(times, event)
    }
}

/// Options that were picked, and durations that are known: link, least and most in microseconds.
type Known<'k> = (&'k [Option<usize>], &'k [(usize, i64, i64)]);

/// What the plan says, and the links that it was made from.
fn dispatch(
    script: &Script,
    (picks, outcomes): Known<'_>,
    given: &NarrativePolicy,
    most: usize,
) -> Dispatch {
    let network = given.dispatch.clone().unwrap_or_default();
    let (mut bounds, waits) = dispatch::read(&network, |id| script.find(id));
    let last = script.nodes() - 1;
    let here = |node: usize| script.present(picks, node) == Some(true);
    let links = script.links.iter().chain(&script.contingent);
    for link in links.filter(|l| here(l.from) && here(l.to)) {
        bounds.push((link.from, link.to, link.upper_us));
        bounds.push((link.to, link.from, -link.lower_us));
    }
    let mut actors = Actors {
        ours: vec![true; script.nodes()],
        lasting: Vec::new(),
    };
    for (at, link) in script.contingent.iter().enumerate() {
        let own = outcomes.iter().find(|o| o.0 == at);
        let (lower, upper) = own.map_or((link.lower_us, link.upper_us), |o| (o.1, o.2));
        if own.is_some() {
            bounds.push((link.from, link.to, upper));
            bounds.push((link.to, link.from, -lower));
        }
        actors.ours[link.to] = false;
        actors.lasting.push((link.from, link.to, upper));
    }
    let horizon = script.horizon_us.unwrap_or(NONE);
    for event in (0..script.events.len()).filter(|e| here(*e)) {
        bounds.push((event, last, 0));
        bounds.push((last, event, horizon));
    }
    Dispatch::new((bounds, waits), &actors, most)
}
