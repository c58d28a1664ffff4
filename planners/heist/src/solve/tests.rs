//! Bounds with fewer stops are valid, and so are plans in the canonical order.

use super::a_star::{AStar, SearchEnd, SearchParams};
use super::agent_task::AgentTask;
use super::canonical::CanonicalTask;
use super::held_karp::HeldKarp;
use super::planning_task::PlanningTask;
use super::proved_plan;
use crate::generate::{MuseumParams, Zones, solvable};
use crate::plan::Plan;
use crate::problem::Problem;
use crate::verify::verify;
use crate::world::{BURGLAR, World};

/// Actions of a shortest plan, where the bound has at most `stops_max` stops; and the number of
/// stops.
fn shortest(world: &World, stops_max: usize) -> (u32, usize) {
    let problem = Problem::new(world.clone(), BURGLAR, &[]).expect("a problem");
    let task = PlanningTask::new(AgentTask::new(&problem)).expect("it can be done");
    let mut held_karp = HeldKarp::with_stops_max(&task, stops_max);
    let stops = held_karp.stops().len();
    let params = SearchParams {
        upper_bound: 10_000,
        slack_percent: 0,
        weight_percent: 100,
        nodes_max: 200_000,
    };
    let mut search = AStar::new(&task, &mut held_karp, params);
    let mut least = u32::MAX;
    loop {
        match search.run(&mut |_| Ok(())) {
            Ok(actions) => least = actions.len() as u32,
            Err(ended) => {
                assert!(
                    matches!(ended, SearchEnd::Proved | SearchEnd::Near),
                    "{ended:?}"
                );
                return (least, stops);
            }
        }
    }
}

#[test]
fn a_shortest_plan_is_found_whatever_stops_the_bound_knows() {
    let mut many = 0;
    for seed in 0..60 {
        let params = MuseumParams {
            keys: 4,
            closed_percent: 70,
            locked_percent: 70,
            ..MuseumParams::default()
        };
        let world = match seed % 2 {
            0 => solvable(&params, seed),
            _ => {
                let zones = Zones {
                    side: 4,
                    zones: 4,
                    loops_percent: 30,
                };
                Some(zones.world(seed))
            }
        };
        let Some(world) = world else { continue };
        let (least, stops) = shortest(&world, 8);
        many += usize::from(stops > 2);
        for stops_max in 1..=2 {
            assert_eq!(
                shortest(&world, stops_max).0,
                least,
                "{seed}: {stops_max} of {stops}"
            );
        }
    }
    assert!(
        many >= 20,
        "{many} worlds have more stops than the bound knows"
    );
}

#[test]
fn the_plan_of_an_errand_in_canonical_order_is_as_short_and_holds_in_the_order_given() {
    let mut judged = 0;
    for seed in 0..100 {
        let params = MuseumParams {
            closed_percent: 70,
            locked_percent: 70,
            keys: 2,
            copies: 2,
            cameras: 1,
            guards: 1,
            machines: 1,
            ..MuseumParams::default()
        };
        let Some(world) = solvable(&params, seed) else {
            continue;
        };
        // The burglar, and a guard who visits rooms.
        for agent in 0..2 {
            let problem = Problem::new(world.clone(), agent, &[]).expect("a problem");
            let task = AgentTask::new(&problem);
            let canonical = CanonicalTask::new(&task, &mut || true);
            let given = proved_plan(&task, &mut || true);
            let found = proved_plan(&canonical.task(), &mut || true);
            let (Some((given, true)), Some((found, true))) = (given, found) else {
                continue;
            };
            let actions = found.actions.iter().map(|it| canonical.given(*it));
            let plan = Plan {
                actions: actions.collect(),
            };
            assert_eq!(verify(&problem, &plan), verify(&problem, &given), "{seed}");
            assert!(verify(&problem, &plan).is_ok(), "{seed}");
            judged += 1;
        }
    }
    assert!(judged >= 100, "{judged} plans");
}
