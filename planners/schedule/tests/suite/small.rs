//! Small random projects, and a check of plans that shares nothing with the planner.

use proptest::prelude::*;
use schedule::Plan;
use schedule::problem::{Activity, Demand, Mode, Point, Precedence, Resource, Spec};

/// Whether a plan satisfies every rule, moment by moment; shares nothing with `verify`.
pub(crate) fn is_legal(spec: &Spec, plan: &Plan) -> bool {
    let mode = |index: usize| &spec.activities[index].modes[plan.activities[index].mode];
    let start = |index: usize| plan.activities[index].start_us;
    let end = |index: usize| start(index) + mode(index).duration_us;
    let time = |point: Point| match point {
        Point::Start(activity) => start(activity),
        Point::End(activity) => end(activity),
    };
    let all = 0..spec.activities.len();
    let in_window = |index: usize| {
        let activity = &spec.activities[index];
        start(index) >= activity.release_us
            && activity
                .deadline_us
                .is_none_or(|deadline| end(index) <= deadline)
            && spec
                .deadline_us
                .is_none_or(|deadline| end(index) <= deadline)
    };
    let held = |resource: usize, moment: i64| -> i64 {
        let running = all
            .clone()
            .filter(|index| start(*index) <= moment && moment < end(*index));
        let demands = running.flat_map(|index| &mode(index).demands);
        let demands = demands.filter(|demand| demand.resource == resource);
        demands.map(|demand| demand.amount).sum()
    };
    let last = all.clone().map(end).max().unwrap_or(0);
    all.clone().all(in_window)
        && spec.precedences.iter().all(|precedence| {
            let lag = time(precedence.to) - time(precedence.from);
            precedence.lag_min_us.is_none_or(|min| lag >= min)
                && precedence.lag_max_us.is_none_or(|max| lag <= max)
        })
        && spec
            .resources
            .iter()
            .enumerate()
            .all(|(resource, it)| (0..=last).all(|moment| held(resource, moment) <= it.capacity))
}

prop_compose! {
    fn any_mode()(
        duration_us in 0..4_i64,
        first in 0..4_i64,
        second in 0..3_i64,
    ) -> Mode {
        let demand = |resource, amount| Demand { resource, amount };
        Mode { duration_us, demands: vec![demand(0, first), demand(1, second)] }
    }
}

prop_compose! {
    fn any_activity()(
        modes in prop_oneof![
            2 => prop::collection::vec(any_mode(), 1),
            1 => prop::collection::vec(any_mode(), 1..4),
        ],
        release_us in prop_oneof![4 => Just(0), 1 => 0..4_i64],
        deadline_us in prop_oneof![4 => Just(None), 1 => (2..8_i64).prop_map(Some)],
    ) -> Activity {
        Activity { release_us, deadline_us, modes }
    }
}

prop_compose! {
    fn any_precedence(count: usize)(
        from in 0..count,
        to in 0..count,
        from_end in any::<bool>(),
        to_end in any::<bool>(),
        min in prop::option::weighted(0.8, -2..3_i64),
        width in prop::option::weighted(0.4, 0..4_i64),
    ) -> Precedence {
        let point = |activity, end| if end { Point::End(activity) } else { Point::Start(activity) };
        let max = width.map(|width| min.unwrap_or(0) + width);
        let both_open = min.is_none() && max.is_none();
        Precedence {
            from: point(from, from_end),
            to: point(to, to_end),
            lag_min_us: if both_open { Some(0) } else { min },
            lag_max_us: max,
        }
    }
}

prop_compose! {
    /// At most `count` activities with modes, windows and lags of any kind, on two resources.
    pub(crate) fn any_spec(count: usize)(
        activities in prop::collection::vec(any_activity(), 0..=count),
        precedences in prop::collection::vec(any_precedence(count), 0..5),
        capacities in (1..5_i64, 0..4_i64),
        deadline_us in prop::option::weighted(0.2, 2..9_i64),
    ) -> Spec {
        let count = activities.len();
        let known = |it: &Precedence| {
            let (from, to) = (it.from.activity(), it.to.activity());
            from != to && from.max(to) < count
        };
        let capacities = [capacities.0, capacities.1];
        Spec {
            activities,
            precedences: precedences.into_iter().filter(known).collect(),
            resources: capacities.map(|capacity| Resource { capacity }).to_vec(),
            deadline_us,
        }
    }
}
