//! Optimal makespans by trying everything.

use super::small::is_legal;
use schedule::{Plan, ScheduledActivity, Spec};

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
