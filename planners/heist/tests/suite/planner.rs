//! Plans are the shortest, or do not exist: judged by the rules and by breadth-first search.

mod shortest;
mod worlds;

use anytime::{Conclusion, Control, Limits};
use heist::generate::Zones;
use heist::solve::{Params, best_plan, exists, solve};
use heist::{Action, AgentTask, Cost, Plan, Problem, Thing, verify};
use proptest::prelude::*;
use shortest::shortest;
use worlds::{Small, copied, corridor, grid, small};

fn solved(problem: &Problem, iterations: u64) -> (Conclusion, Vec<(Plan, u32)>, Option<Cost>) {
    let mut offers = Vec::new();
    let mut sink = |plan: &Plan, cost: Cost| offers.push((plan.clone(), cost.actions));
    let mut control = Control::new(Limits::iterations(iterations), 0, &mut sink);
    let params = Params::default();
    let conclusion = solve(problem, &params, &mut control).expect("nothing is unsupported");
    let bound = control.bound();
    (conclusion, offers, bound)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn plans_are_as_short_as_breadth_first_search_finds(small in small()) {
        let problem = small.problem();
        let least = shortest(&problem, false);
        let task = AgentTask::new(&problem);
        prop_assert_eq!(exists(&task), least.is_some());
        let plan = best_plan(&task);
        prop_assert_eq!(plan.is_some(), least.is_some());
        if let Some(plan) = plan {
            let cost = verify(&problem, &plan);
            prop_assert_eq!(cost.map(|cost| cost.actions), Ok(least.unwrap()));
        }
    }

    #[test]
    fn a_copy_of_a_key_is_as_good_as_the_key(small in copied()) {
        let problem = small.problem();
        // Judged without copies: as many keys, each of which fits where one of its kind does.
        let apart = small.without_copies();
        let alone: Vec<_> = apart.iter().map(|problem| shortest(problem, false)).collect();
        for (problem, least) in apart.iter().zip(&alone) {
            let plan = best_plan(&AgentTask::new(problem));
            prop_assert_eq!(plan.map(|plan| plan.actions.len() as u32), *least);
        }
        let least = alone.into_iter().flatten().min();
        prop_assert_eq!(shortest(&problem, false), least);
        let task = AgentTask::new(&problem);
        prop_assert_eq!(exists(&task), least.is_some());
        let (conclusion, offers, bound) = solved(&problem, 100_000);
        let Some(least) = least else {
            prop_assert_eq!(conclusion, Conclusion::Infeasible);
            return Ok(());
        };
        prop_assert_eq!(conclusion, Conclusion::Optimal);
        let (plan, actions) = offers.last().unwrap();
        prop_assert_eq!((*actions, bound), (least, Some(Cost { actions: least })));
        let cost = verify(&problem, plan);
        prop_assert_eq!(cost.map(|cost| cost.actions), Ok(least));
        // The actions name the copies that are taken and held: they are possible where copies are
        // other keys, too.
        let done = apart.iter().any(|problem| verify(problem, plan).is_ok());
        prop_assert!(done, "{:?}", plan.actions);
    }

    #[test]
    fn closing_and_locking_never_help(small in small()) {
        let problem = small.problem();
        prop_assume!(problem.museum().layout().doors.len() < 3);
        prop_assert_eq!(shortest(&problem, true), shortest(&problem, false));
    }

    #[test]
    fn offers_hold_and_end_in_a_proof(small in small()) {
        let problem = small.problem();
        let (conclusion, offers, bound) = solved(&problem, 100_000);
        match best_plan(&AgentTask::new(&problem)) {
            None => {
                prop_assert_eq!(conclusion, Conclusion::Infeasible);
                prop_assert!(offers.is_empty());
            }
            Some(best) => {
                prop_assert_eq!(conclusion, Conclusion::Optimal);
                for (plan, actions) in &offers {
                    let cost = verify(&problem, plan);
                    prop_assert_eq!(cost.map(|cost| cost.actions), Ok(*actions));
                }
                let (last, actions) = offers.last().unwrap();
                prop_assert_eq!(last, &best);
                prop_assert_eq!(bound.map(|bound| bound.actions), Some(*actions));
            }
        }
    }

    #[test]
    fn a_search_cut_short_has_a_plan_and_a_bound_that_holds(
        small in small(), iterations in 0..6_u64,
    ) {
        let problem = small.problem();
        let (_, offers, bound) = solved(&problem, iterations);
        let least = shortest(&problem, false);
        prop_assert_eq!(least.is_some(), !offers.is_empty());
        if let (Some(least), Some(bound)) = (least, bound) {
            prop_assert!(bound.actions <= least, "bound {} of {least}", bound.actions);
        }
    }
}

#[test]
fn going_back_through_the_door_at_hand_takes_one_action() {
    // There and back again, only to visit.
    let problem = corridor(2, |agent| {
        agent.goal.items.clear();
        agent.goal.visits = vec![1];
        agent.goal.room = Some(0);
    });
    let plan = best_plan(&AgentTask::new(&problem)).unwrap();
    let expected = [
        Action::Approach(Thing::Door(0)),
        Action::Enter(0),
        Action::Enter(0),
    ];
    assert_eq!(plan.actions, expected);
}

#[test]
fn mazes_of_equal_ways_do_not_blow_up() {
    // All 180 doors of a 10 x 10 grid are closed: 48,620 shortest paths there, 93 actions there and
    // back.
    let problem = grid(10, false);
    let (conclusion, offers, _) = solved(&problem, 100);
    assert_eq!(conclusion, Conclusion::Optimal);
    assert_eq!(offers.last().unwrap().1, 93);
    let (conclusion, offers, _) = solved(&grid(10, true), 100);
    assert_eq!(conclusion, Conclusion::Optimal);
    assert_eq!(offers.last().unwrap().1, 74);
}

#[test]
fn mazes_in_zones_can_be_solved_and_take_every_key() {
    let zones = Zones {
        side: 8,
        zones: 3,
        loops_percent: 40,
    };
    for seed in 0..20 {
        let problem = Problem::new(zones.world(seed), 0, &[]).unwrap();
        assert!(exists(&AgentTask::new(&problem)), "seed {seed}");
        let plan = best_plan(&AgentTask::new(&problem)).unwrap();
        assert!(verify(&problem, &plan).is_ok());
        // Two keys, and the artifact.
        let taken = |item: &usize| plan.actions.contains(&Action::PickUp(*item));
        assert_eq!((0..3).filter(taken).count(), 3, "seed {seed}");
    }
}

#[test]
fn slack_ends_a_search_early_with_a_bound_within_it() {
    let problem = worlds::comb();
    let mut offers = Vec::new();
    let mut sink = |_: &Plan, cost: Cost| offers.push(cost.actions);
    let mut control = Control::new(Limits::iterations(100_000), 0, &mut sink);
    let params = Params {
        slack_percent: 1_000,
        warm: None,
    };
    let conclusion = solve(&problem, &params, &mut control);
    let bound = control.bound().unwrap();
    assert_eq!(conclusion, Ok(Conclusion::Stopped(anytime::Stop::Target)));
    let (_, shortest, _) = solved(&problem, 100_000);
    let shortest = shortest.last().unwrap().1;
    assert!(bound.actions <= shortest && shortest <= offers[0]);
    assert!(offers[0] * 100 <= bound.actions * 1_100);
}

#[test]
fn what_is_left_of_a_plan_is_the_first_plan() {
    let problem = grid(4, false);
    let plan = best_plan(&AgentTask::new(&problem)).unwrap();
    let mut warm = plan;
    warm.actions.insert(0, Action::Approach(Thing::Door(0)));
    let mut found_by = Vec::new();
    struct Names<'a>(&'a mut Vec<(String, Plan)>);
    impl anytime::Sink<Plan, Cost> for Names<'_> {
        fn offer(&mut self, offer: anytime::Offer<'_, Plan, Cost>) {
            let found_by = offer.found_by.to_owned();
            self.0.push((found_by, offer.plan.clone()));
        }
    }
    let mut sink = Names(&mut found_by);
    let mut control = Control::new(Limits::iterations(0), 0, &mut sink);
    let params = Params {
        slack_percent: 0,
        warm: Some(warm.clone()),
    };
    solve(&problem, &params, &mut control).unwrap();
    assert_eq!(found_by[0], ("warm start".to_owned(), warm));
}

#[test]
fn of_equal_ways_the_one_of_the_lowest_doors_is_taken() {
    let problem = grid(2, true);
    let plan = best_plan(&AgentTask::new(&problem)).unwrap();
    let doors = plan.actions.iter().filter_map(|action| match action {
        Action::Enter(door) => Some(*door),
        _ => None,
    });
    let doors: Vec<usize> = doors.collect();
    // Doors of the first room are 0 and 1; of the last one 2 and 3.
    assert_eq!(doors, [0, 2, 2, 0]);
}

#[test]
fn who_begins_in_a_trap_room_may_come_back() {
    let problem = Small::trapped_at_the_start().problem();
    let plan = best_plan(&AgentTask::new(&problem)).unwrap();
    assert_eq!(verify(&problem, &plan), Ok(Cost { actions: 5 }));
}
