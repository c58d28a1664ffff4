//! The storylines of a plan by numbers, and what each allows.
//!
//! A plan by strands has policies of one or two groups, which leave the choices of other groups
//! open.

use super::dispatch::{self, Actors, Bound, Dispatch, NONE, STEPS_MAX, Wait};
use super::script::{Made, Script};
use stratagem_proto::v1::{NarrativePlan, NarrativePolicy};
use stratagem_render::time::micros;

/// One storyline as it is carried out.
#[derive(Debug, Clone)]
pub(super) struct Policy {
    /// What is picked; not made are choices of groups of which it says nothing.
    pub(super) picks: Vec<Made>,
    /// Groups of which it says something.
    pub(super) groups: Vec<usize>,
    /// Contingent link, shortest and longest duration that it is meant for.
    pub(super) outcomes: Vec<(usize, i64, i64)>,
    dispatch: Dispatch,
    /// What the plan says.
    given: (Vec<Bound>, Vec<Wait>),
    /// Resource, giving activity or none, getting activity.
    pub(super) hand_overs: Vec<(usize, Option<usize>, usize)>,
}

/// All policies of a plan. What is not in the script is left out.
pub(super) fn policies(script: &Script, plan: &NarrativePlan) -> Vec<Policy> {
    let given = plan.policies.iter();
    let picks: Vec<Vec<Option<usize>>> = given.map(|p| picks(script, p)).collect();
    let named = |picks: &Vec<Option<usize>>| -> Vec<usize> {
        let has = |group: &usize| picks[script.forks_of(*group)].iter().any(Option::is_some);
        (0..script.groups()).filter(has).collect()
    };
    let groups: Vec<Vec<usize>> = picks.iter().map(named).collect();
    let by_strands = groups
        .iter()
        .any(|groups| (1..script.groups()).contains(&groups.len()));
    let most = STEPS_MAX / plan.policies.len().max(1);
    let mut policies: Vec<Policy> = Vec::new();
    for ((given, picks), groups) in plan.policies.iter().zip(picks).zip(groups) {
        let groups = if by_strands {
            groups
        } else {
            (0..script.groups()).collect()
        };
        let mut made: Vec<Made> = vec![None; picks.len()];
        for fork in groups.iter().flat_map(|group| script.forks_of(*group)) {
            made[fork] = Some(picks[fork]);
        }
        let policy = Policy::new(script, given, made, groups, &policies, most);
        policies.push(policy);
    }
    policies
}

/// The option of each choice that a policy names.
fn picks(script: &Script, given: &NarrativePolicy) -> Vec<Option<usize>> {
    let mut picks = vec![None; script.forks.len()];
    for pick in &given.picks {
        if let Some((choice, option)) = script.pick(&pick.choice_id, &pick.option_id) {
            picks[choice] = Some(option);
        }
    }
    picks
}

impl Policy {
    /// `others`: policies before it.
    fn new(
        script: &Script,
        given: &NarrativePolicy,
        picks: Vec<Made>,
        groups: Vec<usize>,
        others: &[Self],
        most: usize,
    ) -> Self {
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
        let network = given.dispatch.clone().unwrap_or_default();
        let (mut bounds, mut waits) = dispatch::read(&network, |id| script.find(id));
        let scope = Scope {
            picks: &picks,
            groups: &groups,
            outcomes: &outcomes,
        };
        // What two groups have between them binds what each has for itself.
        let parts = others.iter().filter(|other| other.is_part_of(scope));
        for (more, later) in parts.map(|part| &part.given) {
            bounds.extend(more);
            waits.extend(later);
        }
        Self {
            dispatch: dispatch(script, scope, bounds.clone(), &waits, most),
            given: (bounds, waits),
            groups,
            picks,
            outcomes,
            hand_overs: hand_overs.collect(),
        }
    }

    /// Whether it is possible after these picks and durations so far; `over` marks those that
    /// ended.
    pub(super) fn possible(
        &self,
        picks: &[Made],
        lasted: impl Fn(usize) -> Option<(i64, bool)>,
    ) -> bool {
        self.agrees(picks)
            && self.outcomes.iter().all(|(link, lower, upper)| {
                lasted(*link).is_none_or(|(us, over)| us <= *upper && (!over || us >= *lower))
            })
    }

    /// Whether it is for these picks, as far as they are made.
    pub(super) fn agrees(&self, picks: &[Made]) -> bool {
        let mut pairs = picks.iter().zip(&self.picks);
        pairs.all(|(made, own)| made.is_none() || own.is_none() || made == own)
    }

    /// Whether all that it picks and is meant for is so in a policy of more groups.
    fn is_part_of(&self, scope: Scope<'_>) -> bool {
        self.groups.len() < scope.groups.len()
            && self.groups.iter().all(|it| scope.groups.contains(it))
            && self.agrees(scope.picks)
            && self.outcomes.iter().all(|it| scope.outcomes.contains(it))
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

/// What a policy is for.
#[derive(Clone, Copy)]
struct Scope<'k> {
    /// Options that were picked.
    picks: &'k [Made],
    /// The groups that did.
    groups: &'k [usize],
    /// Durations that are known: contingent link, least and most in microseconds.
    outcomes: &'k [(usize, i64, i64)],
}

/// What the plan says, and the links that it was made from.
fn dispatch(
    script: &Script,
    scope: Scope<'_>,
    mut bounds: Vec<Bound>,
    waits: &[Wait],
    most: usize,
) -> Dispatch {
    let last = script.nodes() - 1;
    let here = |node: usize| {
        let group = script.group_of(node);
        let is_told = group.is_none_or(|group| scope.groups.contains(&group));
        is_told && script.present(scope.picks, node) == Some(true)
    };
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
        let own = scope.outcomes.iter().find(|o| o.0 == at);
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
    Dispatch::new(bounds, waits, &actors, most)
}
