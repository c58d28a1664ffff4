//! Optimal makespans by trying everything, and problems without some requirements.

use super::small::is_legal;
use schedule::{Plan, Requirement, ScheduledActivity, Spec};

/// The least makespan of all legal plans up to a horizon, by trying all modes and whole starts.
pub(crate) fn brute_force(spec: &Spec, horizon_us: i64) -> Option<i64> {
    let mut plan = Plan::default();
    let mut best = None;
    extend(spec, horizon_us, &mut plan, &mut best);
    best
}

fn extend(spec: &Spec, horizon_us: i64, plan: &mut Plan, best: &mut Option<i64>) {
    let index = plan.activities.len();
    let Some(activity) = spec.activities.get(index) else {
        if is_legal(spec, plan) {
            let ends = plan.activities.iter().zip(&spec.activities);
            let ends = ends.map(|(it, activity)| it.start_us + activity.modes[it.mode].duration_us);
            let makespan = ends.max().unwrap_or(0);
            *best = Some(best.map_or(makespan, |best| best.min(makespan)));
        }
        return;
    };
    for (mode, it) in activity.modes.iter().enumerate() {
        for start_us in 0..=horizon_us - it.duration_us {
            let activity = index;
            plan.activities.push(ScheduledActivity {
                activity,
                start_us,
                mode,
            });
            extend(spec, horizon_us, plan, best);
            plan.activities.pop();
        }
    }
}

/// The problem with these requirements only.
pub(crate) fn relaxed(spec: &Spec, requirements: &[Requirement]) -> Spec {
    let mut spec = spec.clone();
    let has = |requirement| requirements.contains(&requirement);
    spec.deadline_us = spec
        .deadline_us
        .filter(|_| has(Requirement::ProjectDeadline));
    for (index, activity) in spec.activities.iter_mut().enumerate() {
        activity.deadline_us = activity
            .deadline_us
            .filter(|_| has(Requirement::Deadline(index)));
        if !has(Requirement::Release(index)) {
            activity.release_us = 0;
        }
    }
    for (index, resource) in spec.resources.iter_mut().enumerate() {
        if !has(Requirement::Capacity(index)) {
            resource.capacity = 100;
        }
    }
    let mut precedences = Vec::new();
    for (index, precedence) in spec.precedences.iter().enumerate() {
        let mut precedence = *precedence;
        precedence.lag_min_us =
            { precedence.lag_min_us }.filter(|_| has(Requirement::MinimalLag(index)));
        precedence.lag_max_us =
            { precedence.lag_max_us }.filter(|_| has(Requirement::MaximalLag(index)));
        if precedence.lag_min_us.is_some() || precedence.lag_max_us.is_some() {
            precedences.push(precedence);
        }
    }
    spec.precedences = precedences;
    spec
}
