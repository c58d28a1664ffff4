//! The paper's program says what the decomposition says. Only with feature `milp`.

use super::ship::ship;
use super::small::{enumerated, small};
use anytime::{Conclusion, Control, Limits, SolveError, Stop};
use crew::problem::TIME_MAX_US;
use crew::{Cost, Limit, Params, Plan, Problem, Spec, Strategy, fronts, solve, verify};
use proptest::prelude::*;

/// What the program says with an iteration limit, and how it ended. All that is offered holds.
fn programmed(
    problem: &Problem,
    iterations: u64,
    ties_max: usize,
) -> (Vec<Plan>, Result<Conclusion, SolveError>) {
    let params = Params {
        strategy: Strategy::Milp,
        ties_max,
    };
    let mut plans = Vec::new();
    let mut sink = |plan: &Plan, cost: Cost| {
        assert_eq!(verify(problem, plan), Ok(cost));
        plans.push(plan.clone());
    };
    let mut control = Control::new(Limits::iterations(iterations), 1, &mut sink);
    let conclusion = solve(problem, &params, &mut control);
    (plans, conclusion)
}

/// Points of fronts, by number of players.
fn points(plan: &Plan) -> Vec<Vec<(u64, u64, bool)>> {
    let fronts = plan.events[0].iter().map(|front| {
        assert!(front.is_known);
        let points = front.points.iter();
        points.map(|it| (it.time_us, it.damage_micro, it.fewer_do))
    });
    fronts.map(Iterator::collect).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_program_the_decomposition_and_trying_everything_agree(
        spec in small(),
        step in 1..4_u64,
    ) {
        let mut spec = Spec { once: false, ..spec };
        // Numbers that have a common step, limits that have not.
        for arc in &mut spec.arcs {
            arc.time_us *= step;
            arc.fetch_micro *= step;
            arc.carry_micro *= step;
        }
        let problem = Problem::new(spec.clone()).unwrap();
        let (plans, conclusion) = programmed(&problem, 100_000, 0);
        let found = points(plans.last().unwrap());
        prop_assert_eq!(&found, &points(&fronts(&problem, &Params::default())));
        for (index, front) in found.iter().enumerate() {
            let both: Vec<_> = front.iter().map(|it| (it.0, it.1)).collect();
            let wanted: Vec<_> = enumerated(&spec, index + 1).into_keys().collect();
            prop_assert_eq!(both, wanted);
        }
        let none = found.iter().all(Vec::is_empty);
        let wanted = if none { Conclusion::Infeasible } else { Conclusion::Optimal };
        prop_assert_eq!(conclusion, Ok(wanted));
    }
}

#[test]
fn the_published_ship_has_the_same_fronts_under_both_readings_of_the_limit() {
    for limit in [Limit::Below(2_000), Limit::Within(2_000)] {
        let problem = Problem::new(ship(limit)).unwrap();
        let (plans, conclusion) = programmed(&problem, 100_000, 0);
        assert_eq!(conclusion, Ok(Conclusion::Optimal));
        let auto = points(&fronts(&problem, &Params::default()));
        assert_eq!(points(plans.last().unwrap()), auto, "{limit:?}");
        // One offer for each number of players.
        assert_eq!(plans.len(), 4);
    }
}

/// What the program says that it cannot say.
fn refused(spec: Spec, ties_max: usize) -> String {
    let problem = Problem::new(spec).unwrap();
    let (plans, conclusion) = programmed(&problem, 10, ties_max);
    assert!(plans.is_empty());
    match conclusion {
        Err(SolveError::Unsupported { strategy, feature }) => {
            assert_eq!(strategy, "milp");
            feature
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_the_program_cannot_say_is_refused() {
    let ship = || ship(Limit::Within(2_000));
    let mut two = ship();
    two.events.push(two.events[0].clone());
    assert_eq!(refused(two, 0), "several events");
    let once = Spec {
        once: true,
        ..ship()
    };
    assert_eq!(refused(once, 0), "routes that come to no vertex twice");
    assert_eq!(refused(ship(), 1), "other assignments of the same point");
    let mut fine = ship();
    fine.arcs[0].time_us = 1_501;
    fine.time_max_us = 1_000_000;
    assert_eq!(
        refused(fine, 0),
        "times that add up to 114072 times the largest step of which all are multiples, at most 100000 are solved"
    );
    let mut fine = ship();
    fine.arcs[0].fetch_micro = 999_999;
    fine.damage_max = Limit::Within(1_000_000);
    assert_eq!(
        refused(fine, 0),
        "damages that add up to 1000000 times the largest step of which all are multiples, at most 100000 are solved"
    );
    let mut large = ship();
    large.players = vec![0; 64];
    large.vertices = 400;
    let pairs = (0..399).flat_map(|from| [(from, from + 1), (from + 1, from)]);
    let arc = large.arcs[0];
    large.arcs = pairs
        .map(|(from, to)| crew::Arc { from, to, ..arc })
        .collect();
    assert_eq!(
        refused(large, 0),
        "a ship of this size: its program would have 102466 variables, at most 20000 are solved"
    );
}

#[test]
fn times_that_nobody_has_do_not_make_steps_fine() {
    // A door that takes longer than there is time.
    let mut spec = ship(Limit::Below(2_000));
    spec.arcs[0].time_us = TIME_MAX_US;
    let problem = Problem::new(spec).unwrap();
    let (plans, conclusion) = programmed(&problem, 100_000, 0);
    assert_eq!(conclusion, Ok(Conclusion::Optimal));
    let auto = points(&fronts(&problem, &Params::default()));
    assert_eq!(points(plans.last().unwrap()), auto);
}

#[test]
fn an_iteration_limit_leaves_fronts_open() {
    let problem = Problem::new(ship(Limit::Below(2_000))).unwrap();
    let (plans, conclusion) = programmed(&problem, 4, 0);
    assert_eq!(conclusion, Ok(Conclusion::Stopped(Stop::Iterations)));
    let known = plans.last().map(|plan| {
        let fronts = plan.events[0].iter();
        fronts.filter(|front| front.is_known).count()
    });
    assert!(known.is_none_or(|known| known < 4), "{known:?}");
}
