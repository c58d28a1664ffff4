//! Properties of searches: legal plans, honest costs and bounds, repeatable results, prompt stops.

use crate::small::{any_spec, is_legal};
use anytime::{CancelToken, Conclusion, Control, Limits, Offer, Sink};
use proptest::prelude::*;
use schedule::generate::{Shape, generate};
use schedule::{Cost, Params, Plan, Problem, Spec, solve, verify};

/// Everything that a search reports; it cancels the search after a number of reports.
struct Record {
    offers: Vec<(Plan, Cost)>,
    bounds: Vec<Cost>,
    cancel: CancelToken,
    left: usize,
}

impl Record {
    fn count(&mut self) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.cancel.cancel();
        }
    }
}

impl Sink<Plan, Cost> for Record {
    fn offer(&mut self, offer: Offer<'_, Plan, Cost>) {
        self.offers.push((offer.plan.clone(), offer.cost));
        self.count();
    }

    fn bound(&mut self, bound: Cost, _: &'static str) {
        self.bounds.push(bound);
        self.count();
    }
}

fn record(
    problem: &Problem,
    params: &Params,
    iterations: u64,
    reports: usize,
) -> (Conclusion, Record) {
    let mut record = Record {
        offers: Vec::new(),
        bounds: Vec::new(),
        cancel: CancelToken::new(),
        left: reports,
    };
    let limits = Limits::iterations(iterations).with_cancel(record.cancel.clone());
    let mut control = Control::new(limits, 7, &mut record);
    let conclusion = solve(problem, params, &mut control).expect("it is supported");
    assert!(control.iterations() <= iterations);
    (conclusion, record)
}

prop_compose! {
    fn any_shape()(
        activities in 0..24_usize,
        modes in 1..4_usize,
        resources in 0..4_usize,
        has_maximal_lags in any::<bool>(),
    ) -> Shape {
        Shape {
            activities,
            modes,
            resources,
            duration_max: 8,
            capacity: 5,
            has_maximal_lags,
            unit_us: 1,
        }
    }
}

proptest! {
    /// Whatever stops a search: plans are legal, bounds never exceed a makespan, and the same
    /// search gives the same reports.
    #[test]
    fn reports_are_true_wherever_the_search_stops(
        shape in any_shape(),
        seed in any::<u64>(),
        iterations in 0..400_u64,
        reports in 1..12_usize,
    ) {
        let spec = generate(&shape, seed);
        let problem = Problem::new(spec.clone()).expect("it is valid");
        let (conclusion, first) = record(&problem, &Params::default(), iterations, reports);
        for (plan, cost) in &first.offers {
            prop_assert!(is_legal(&spec, plan), "{plan:?}");
            prop_assert_eq!(verify(&problem, plan), Ok(*cost));
        }
        let best = first.offers.last().map(|(_, cost)| *cost);
        if let Some((best, bound)) = best.zip(first.bounds.last()) {
            prop_assert!(*bound <= best);
        }
        if conclusion == Conclusion::Optimal {
            prop_assert!(best.is_some());
        }
        let (again, second) = record(&problem, &Params::default(), iterations, reports);
        prop_assert_eq!(again, conclusion);
        prop_assert_eq!(second.offers, first.offers);
        prop_assert_eq!(second.bounds, first.bounds);
    }

    /// A plan to begin with is not forgotten, and a plan of another problem does no harm.
    #[test]
    fn a_previous_plan_is_a_start(shape in any_shape(), seed in any::<u64>()) {
        let problem = Problem::new(generate(&shape, seed)).expect("it is valid");
        let (_, first) = record(&problem, &Params::default(), 200, usize::MAX);
        prop_assume!(!first.offers.is_empty());
        let best = first.offers.last().cloned().expect("there is one");
        let params = Params { previous_plan: Some(best.0.clone()) };
        let (_, warm) = record(&problem, &params, 0, usize::MAX);
        prop_assert_eq!(warm.offers.first(), Some(&best));
        // Later than the horizon, and legal: there are no deadlines.
        let mut late = best.0;
        for place in &mut late.activities {
            place.start_us += 1_000_000;
        }
        let cost = verify(&problem, &late).expect("it is legal");
        let late_params = Params { previous_plan: Some(late.clone()) };
        let (_, slow) = record(&problem, &late_params, 0, usize::MAX);
        prop_assert_eq!(slow.offers.first(), Some(&(late, cost)));
        let other = Problem::new(generate(&shape, seed ^ 1)).expect("it is valid");
        let (_, foreign) = record(&other, &params, 200, usize::MAX);
        for (plan, cost) in &foreign.offers {
            prop_assert_eq!(verify(&other, plan), Ok(*cost));
        }
    }

    /// The unit of time does not matter: makespans scale with it.
    #[test]
    fn the_unit_of_time_does_not_matter(spec in any_spec(4), unit in 2..10_000_000_i64) {
        let solved = |spec: Spec| {
            let problem = Problem::new(spec).expect("it is valid");
            let (conclusion, record) = record(&problem, &Params::default(), 100_000, usize::MAX);
            let best = record.offers.last().map(|(_, cost)| cost.makespan_us);
            (conclusion, best)
        };
        let (coarse, best) = solved(spec.clone());
        let (fine, scaled) = solved(scaled(spec, unit));
        prop_assert_eq!(fine, coarse);
        prop_assert_eq!(scaled, best.map(|makespan| makespan * unit));
    }
}

#[test]
fn a_previous_plan_of_a_large_project_is_a_start() {
    for seed in 0..4 {
        let shape = Shape {
            activities: 110,
            modes: 2,
            resources: 2,
            duration_max: 8,
            capacity: 5,
            has_maximal_lags: false,
            unit_us: 1,
        };
        let problem = Problem::new(generate(&shape, seed)).expect("it is valid");
        let (_, first) = record(&problem, &Params::default(), 30, usize::MAX);
        let best = first.offers.last().cloned().expect("children are legal");
        let mut params = Params {
            previous_plan: Some(best.0.clone()),
        };
        let (_, warm) = record(&problem, &params, 30, usize::MAX);
        assert_eq!(warm.offers.first(), Some(&best), "seed {seed}");
        // A plan that breaks rules hides no other.
        for activity in &mut params
            .previous_plan
            .as_mut()
            .expect("it is there")
            .activities
        {
            activity.start_us = 0;
        }
        let (_, hinted) = record(&problem, &params, 30, usize::MAX);
        assert!(!hinted.offers.is_empty(), "seed {seed}");
    }
}

fn scaled(mut spec: Spec, unit: i64) -> Spec {
    let scale = |time: Option<i64>| time.map(|time| time * unit);
    spec.deadline_us = scale(spec.deadline_us);
    for activity in &mut spec.activities {
        activity.release_us *= unit;
        activity.deadline_us = scale(activity.deadline_us);
        for mode in &mut activity.modes {
            mode.duration_us *= unit;
        }
    }
    for precedence in &mut spec.precedences {
        precedence.lag_min_us = scale(precedence.lag_min_us);
        precedence.lag_max_us = scale(precedence.lag_max_us);
    }
    spec
}
