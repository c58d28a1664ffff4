//! Random projects, for tests and benches.

use crate::problem::{Activity, Demand, Mode, Point, Precedence, Resource, Spec};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a project is to be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Number of activities.
    pub activities: usize,
    /// Most modes of an activity; each has 1 to this number.
    pub modes: usize,
    /// Number of resources.
    pub resources: usize,
    /// Durations are 1 to this number of units.
    pub duration_max: i64,
    /// Capacity of each resource; demands are 0 to half of it, rounded up.
    pub capacity: i64,
    /// Whether one precedence in four has a maximal lag.
    pub has_maximal_lags: bool,
    /// The unit of time, in microseconds.
    pub unit_us: i64,
}

/// A random project in which each activity but the first follows one or two of lower index, from
/// end to start. In a slower mode an activity holds less. Maximal lags are wide enough for the
/// activities of lower index between, one after the other, so that most projects are feasible.
#[must_use]
pub fn generate(shape: &Shape, seed: u64) -> Spec {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let activities: Vec<Activity> = (0..shape.activities)
        .map(|_| activity(shape, &mut random))
        .collect();
    let mut precedences = Vec::new();
    for to in 1..shape.activities {
        for _ in 0..random.random_range(1..=2) {
            let from = random.random_range(to.saturating_sub(8)..to);
            let has_maximal_lag = shape.has_maximal_lags && random.random_ratio(1, 4);
            let between = activities[from + 1..to].iter().map(longest_us);
            let slack_us = between.sum::<i64>() + shape.unit_us * random.random_range(0..3);
            precedences.push(Precedence {
                from: Point::End(from),
                to: Point::Start(to),
                lag_min_us: Some(0),
                lag_max_us: has_maximal_lag.then_some(slack_us),
            });
        }
    }
    let resource = Resource {
        capacity: shape.capacity,
    };
    Spec {
        activities,
        precedences,
        resources: vec![resource; shape.resources],
        deadline_us: None,
    }
}

fn longest_us(activity: &Activity) -> i64 {
    let durations = activity.modes.iter().map(|mode| mode.duration_us);
    durations.max().unwrap_or(0)
}

fn activity(shape: &Shape, random: &mut Xoshiro256PlusPlus) -> Activity {
    let duration = random.random_range(1..=shape.duration_max.max(1));
    let demand_max = (shape.capacity + 1) / 2;
    let amounts: Vec<i64> = (0..shape.resources)
        .map(|_| random.random_range(0..=demand_max))
        .collect();
    let modes = random.random_range(1..=shape.modes.max(1));
    let modes = (1_i64..).take(modes).map(|slower| {
        let demands = amounts.iter().enumerate().map(|(resource, amount)| Demand {
            resource,
            amount: (amount + slower - 1) / slower,
        });
        Mode {
            duration_us: duration * slower * shape.unit_us,
            demands: demands.filter(|demand| demand.amount > 0).collect(),
        }
    });
    Activity {
        modes: modes.collect(),
        ..Activity::default()
    }
}
