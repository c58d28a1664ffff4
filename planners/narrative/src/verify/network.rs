//! Networks of storylines and of policies.

use crate::plan::Policy;
use crate::problem::{Contingent, Micros, Narrative, ORIGIN, Source};
use stn::check::{ContingentLink, Network};

/// One storyline as given, with the progress made and the horizon: nothing of any policy.
pub(super) fn storyline(narrative: &Narrative, picks: &[Option<usize>]) -> Network {
    storyline_of(narrative, picks, &|_| true)
}

/// One storyline with all its durations, but no other requirements than those that `has` accepts.
pub(super) fn storyline_of(
    narrative: &Narrative,
    picks: &[Option<usize>],
    has: &dyn Fn(Source) -> bool,
) -> Network {
    let spec = narrative.spec();
    let present = presence(narrative, picks);
    let mut all = Network {
        nodes: narrative.nodes(),
        ..Network::default()
    };
    for (at, link) in spec.links.iter().enumerate() {
        if present[link.from] && present[link.to] {
            let lower = link.lower_us.filter(|_| has(Source::LinkLower(at)));
            let upper = link.upper_us.filter(|_| has(Source::LinkUpper(at)));
            all.constrain(link.from, link.to, lower, upper);
        }
    }
    for node in (1..all.nodes).filter(|node| present[*node]) {
        let happened = narrative.happened(node);
        let start = happened.unwrap_or(spec.progress.now_us);
        let start = Some(start).filter(|_| has(Source::Start(node)));
        let happened = happened.filter(|_| has(Source::Happened(node)));
        let horizon = spec.horizon_us.filter(|_| has(Source::Horizon(node)));
        all.constrain(ORIGIN, node, happened.or(start), happened);
        all.constrain(ORIGIN, node, None, horizon);
    }
    for (contingent, given) in spec.contingent.iter().enumerate() {
        if present[given.from] && present[given.to] {
            let (lower_us, upper_us) = possible(narrative, contingent);
            let link = Contingent {
                lower_us,
                upper_us,
                ..*given
            };
            all.contingents.push(ContingentLink { contingent, link });
        }
    }
    all
}

/// One policy: its storyline with the outcomes for which it is meant, its order, what it keeps, and
/// every event by the makespan. The policy is well formed.
pub(super) fn of_policy(narrative: &Narrative, policy: &Policy, makespan: Micros) -> Network {
    let mut all = storyline(narrative, &policy.picks);
    for ContingentLink { contingent, link } in &mut all.contingents {
        (link.lower_us, link.upper_us) = outcomes(narrative, policy, *contingent);
    }
    let activities = &narrative.spec().activities;
    for &(first, second) in &policy.order {
        let (end, start) = (activities[first].end, activities[second].start);
        all.constrain(end, start, Some(0), None);
    }
    for kept in &policy.bounds {
        all.constrain(kept.from, kept.to, None, Some(kept.upper_us));
    }
    for node in (1..all.nodes).filter(|node| narrative.present(&policy.picks, *node)) {
        all.constrain(ORIGIN, node, None, Some(makespan));
    }
    all
}

/// Which nodes are part of a storyline.
pub(super) fn presence(narrative: &Narrative, picks: &[Option<usize>]) -> Vec<bool> {
    let nodes = 0..narrative.nodes();
    nodes.map(|node| narrative.present(picks, node)).collect()
}

/// How long a contingent link can still take: what it took when it has ended, and no less than it
/// has lasted when it has begun.
pub(super) fn possible(narrative: &Narrative, contingent: usize) -> (Micros, Micros) {
    let spec = narrative.spec();
    let link = spec.contingent[contingent];
    let ends = (narrative.happened(link.from), narrative.happened(link.to));
    match ends {
        (Some(start), Some(end)) => (end - start, end - start),
        (Some(start), None) => {
            let lasted = spec.progress.now_us - start;
            (link.lower_us.max(lasted), link.upper_us)
        }
        (None, _) => (link.lower_us, link.upper_us),
    }
}

/// The outcomes for which a policy is meant, of those that can still be.
pub(super) fn outcomes(
    narrative: &Narrative,
    policy: &Policy,
    contingent: usize,
) -> (Micros, Micros) {
    let (lower, upper) = possible(narrative, contingent);
    let mut named = policy.outcomes.iter();
    match named.find(|named| named.contingent == contingent) {
        Some(named) => (lower.max(named.lower_us), upper.min(named.upper_us)),
        None => (lower, upper),
    }
}
