//! What the fast arithmetic says, against going through everything.

use super::cover::Cover;
use super::cross::Cross;
use super::descent::Descent;
use super::ends::{reverse, tails};
use super::exchange::Exchange;
use super::genome::Genome;
use super::ground::Ground;
use super::island::{genome_of, lay_out};
use super::moves::{Piece, relocate, swap};
use super::optional::insertion;
use super::pool::Columns;
use super::prices::Scales;
use super::tours::{Prices, Tours};
use super::walk::Walk;
use crate::generate::{Shape, generate};
use crate::problem::Problem;
use crate::solve::Scene;
use crate::solve::draft::Draft;
use crate::solve::model::Model;
use crate::solve::nearest::Nearest;
use anytime::Pulse;
use mcts::Rng;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};

fn pulse() -> Pulse {
    Pulse::endless()
}

fn scene(problem: &Problem) -> Scene<'_> {
    let model = Model::new(problem);
    let nearest = Nearest::new(&model, || true);
    Scene { model, nearest }
}

/// Tours filled at random, with most rules broken.
fn wild(ground: &Ground<'_>, prices: Prices, rng: &mut Rng) -> Tours {
    let mut tours = Tours::new(ground, prices);
    for task in 0..ground.tasks as u16 {
        let lane = rng.random_range(0..ground.lanes());
        if ground.may(lane, task) && rng.random_range(0..10) > 0 {
            tours.join(ground, task, ground.start(lane));
            tours.refresh(ground, lane);
        }
    }
    tours
}

/// The same plan, with everything computed anew.
fn anew(ground: &Ground<'_>, tours: &Tours) -> i64 {
    let mut again = tours.clone();
    (0..ground.lanes()).for_each(|lane| again.refresh(ground, lane));
    again.energy()
}

/// Every lane's sums, gone through task by task.
fn walked(ground: &Ground<'_>, tours: &Tours) {
    for lane in 0..ground.lanes() {
        let mut walk = Walk::start(ground, lane);
        let mut node = ground.start(lane);
        while node != ground.end(lane) {
            let rest = walk.finish(ground, tours, tours.next(node));
            let sums = &tours.lanes[lane];
            // Lateness that does not count is not counted.
            let late_us = if ground.walks { sums.late_us } else { 0 };
            assert_eq!(rest, (sums.warp_us, late_us), "lane {lane} at {node}");
            node = tours.next(node);
            walk.step(ground, node);
        }
        assert_eq!(walk.cost, tours.lanes[lane].cost);
    }
}

proptest! {
    /// Two ends of a route joined at any place say the same as the whole.
    #[test]
    fn a_route_cut_anywhere_takes_as_long_as_whole(
        seed: u64, tasks in 2_usize..14, agents in 1_usize..5,
    ) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let scene = scene(&problem);
        let ground = Ground::new(&scene, || true);
        prop_assume!(ground.is_some());
        let ground = ground.unwrap();
        let mut rng = Rng::seed_from_u64(seed);
        let tours = wild(&ground, Scales::new(&ground).prices(), &mut rng);
        walked(&ground, &tours);
    }

    /// A change is made only if it lowers the energy of the plan.
    #[test]
    fn changes_lower_the_energy(seed: u64, tasks in 2_usize..14, agents in 1_usize..5) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let scene = scene(&problem);
        let ground = Ground::new(&scene, || true);
        prop_assume!(ground.is_some());
        let ground = ground.unwrap();
        let mut rng = Rng::seed_from_u64(seed);
        let mut tours = wild(&ground, Scales::new(&ground).prices(), &mut rng);
        for _ in 0..200 {
            let [u, v] = [(); 2].map(|()| rng.random_range(0..tasks) as u16);
            if u == v || !tours.is_done(u) || !tours.is_done(v) {
                continue;
            }
            let before = anew(&ground, &tours);
            let counts = [(); 2].map(|()| rng.random_range(1..=3));
            let a = Piece::from(&ground, &tours, u, counts[0]);
            let b = Piece::from(&ground, &tours, v, counts[1]);
            let changed = match (rng.random_range(0..4), a, b) {
                (0, Some(a), _) => relocate(&ground, &mut tours, &a, v),
                (1, Some(a), Some(b)) => swap(&ground, &mut tours, &a, &b),
                (2, ..) => tails(&ground, &mut tours, u, v),
                _ => reverse(&ground, &mut tours, u, v),
            };
            let after = anew(&ground, &tours);
            prop_assert_eq!(tours.energy(), after);
            prop_assert_eq!(after < before, changed);
        }
    }

    /// Exchanges lower the energy, and lose nobody.
    #[test]
    fn exchanges_lower_the_energy(seed: u64, tasks in 2_usize..30, agents in 2_usize..6) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let scene = scene(&problem);
        let ground = Ground::new(&scene, || true);
        prop_assume!(ground.is_some());
        let ground = ground.unwrap();
        let mut rng = Rng::seed_from_u64(seed);
        let mut tours = wild(&ground, Scales::new(&ground).prices(), &mut rng);
        let mut exchange = Exchange::default();
        tours.reset_clock();
        exchange.reset(&ground);
        let done = |tours: &Tours| (0..tasks as u16).filter(|task| tours.is_done(*task)).count();
        let (all, mut before) = (done(&tours), anew(&ground, &tours));
        while let Some([u, v]) = exchange.any(&ground, &mut tours, &pulse()) {
            let after = anew(&ground, &tours);
            prop_assert_eq!(tours.energy(), after);
            prop_assert!(after < before);
            prop_assert_ne!(tours.lane(u), tours.lane(v));
            prop_assert_eq!(done(&tours), all);
            walked(&ground, &tours);
            before = after;
        }
    }

    /// What an insertion is said to add is what it adds, up to the rounding of fines.
    #[test]
    fn insertions_add_what_they_say(seed: u64, tasks in 2_usize..12, agents in 1_usize..4) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let scene = scene(&problem);
        let ground = Ground::new(&scene, || true);
        prop_assume!(ground.is_some());
        let ground = ground.unwrap();
        let mut rng = Rng::seed_from_u64(seed);
        let tours = wild(&ground, Scales::new(&ground).prices(), &mut rng);
        for task in (0..tasks as u16).filter(|task| !tours.is_done(*task)) {
            for after in (0..tasks as u16).filter(|after| tours.is_done(*after)) {
                let Some(change) = insertion(&ground, &tours, task, (after, i64::MAX)) else {
                    continue;
                };
                let mut more = tours.clone();
                more.join(&ground, task, after);
                more.refresh(&ground, more.lane(after));
                let loss = ground.losses[task as usize].unwrap_or(ground.missing);
                let real = more.energy() - tours.energy() + loss;
                prop_assert_eq!(change, real);
            }
        }
    }

    /// The routes chosen are the cheapest that do every task once, and there are enough agents.
    #[test]
    fn routes_put_together_are_the_best_of_all(
        seed: u64, tasks in 2_usize..8, agents in 1_usize..4, routes in 0_usize..9,
    ) {
        let problem = generate(seed, &Shape::depot(tasks, agents));
        let scene = scene(&problem);
        let ground = Ground::new(&scene, || true).expect("depots are judged");
        let mut rng = Rng::seed_from_u64(seed);
        let mut columns = Columns::default();
        for task in 0..tasks as u16 {
            columns.push(rng.random_range(50..100), 0, &[task]);
        }
        for _ in 0..routes {
            let chosen: Vec<u16> = (0..tasks as u16).filter(|_| rng.random()).collect();
            if !chosen.is_empty() {
                columns.push(rng.random_range(10..200), 0, &chosen);
            }
        }
        let limit = rng.random_range(50..500);
        let found = Cover::new(&ground, &columns, limit).solve(&pulse());
        let cost = |chosen: &[u32]| chosen.iter().map(|c| columns.costs[*c as usize]).sum::<i64>();
        let best = (0..1_u32 << columns.len()).filter_map(|set| {
            let chosen: Vec<u32> = (0..32).filter(|column| set >> column & 1 == 1).collect();
            let mut counts = vec![0; tasks];
            for &column in &chosen {
                columns.tasks(column as usize).iter().for_each(|task| counts[*task as usize] += 1);
            }
            let is_plan = counts.iter().all(|count| *count == 1) && chosen.len() <= agents;
            is_plan.then(|| cost(&chosen))
        });
        let best = best.min().filter(|best| *best < limit);
        prop_assert_eq!(found.map(|chosen| cost(&chosen)), best);
    }

    /// A plan at rest is the plan it was, and what it calls legal is a legal plan of that energy.
    #[test]
    fn legal_genomes_are_legal_plans(seed: u64, tasks in 2_usize..20, agents in 1_usize..6) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let scene = scene(&problem);
        let ground = Ground::new(&scene, || true);
        prop_assume!(ground.is_some());
        let ground = ground.unwrap();
        let mut rng = Rng::seed_from_u64(seed);
        let prices = Scales::new(&ground).prices();
        let mut tours = Tours::new(&ground, prices.times(10.0));
        Cross::new(&ground).fill(&ground, &mut tours, &mut rng);
        Descent::new(&ground, pulse()).all(&ground, &mut tours, &mut rng);
        let genome = Genome::of(&ground, &tours);
        let mut again = tours.clone();
        genome.unfold(&ground, &mut again);
        prop_assert_eq!(&Genome::of(&ground, &again), &genome);
        let mut draft = Draft::new(&scene.model);
        let legal = lay_out(&ground, &scene, (&genome, &mut draft));
        prop_assert!(legal || !genome.is_legal(&ground));
        if legal && genome.is_legal(&ground) {
            prop_assert_eq!(genome_of(&ground, &draft), genome);
            prop_assert_eq!(crate::verify(&problem, &draft.plan()), Ok(draft.cost(&scene.model)));
        }
    }
}
