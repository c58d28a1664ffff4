//! Games that are played live: time of a tick with what happened before it.

use crate::clock::used;
use heist::World;
use heist::budget::LiveBudget;
use heist::game::{Game, Noise, PlayerAction, Reactions, Replan, Rules, Target, Verb};
use heist::generate::{MuseumParams, museum, solvable};
use heist::museum::Thing;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Rooms side by side, rooms one behind the other, guards, and games.
const SIZES: [(usize, usize, usize, u64); 4] = [
    (7, 4, 3, 40),
    (7, 4, 12, 40),
    (20, 20, 16, 8),
    (50, 40, 64, 4),
];

pub(crate) fn live() {
    println!("| live, one deed a tick | ticks | plans | p50 ms | p99 ms | worst ms | waiting |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (columns, rows, guards, games) in SIZES {
        let params = MuseumParams {
            columns,
            rows,
            keys: 3,
            cameras: 2,
            guards,
            wrong_percent: 10,
            ..MuseumParams::default()
        };
        let mut counted = Counted::default();
        for seed in 0..games {
            let world = match columns * rows {
                ..100 => solvable(&params, seed).expect("some seed near this one"),
                _ => museum(&params, seed),
            };
            counted.play(&world, seed);
        }
        let Counted {
            mut times,
            plans,
            waiting,
        } = counted;
        times.sort_by(f64::total_cmp);
        let share = |percent: usize| 1e3 * times[(times.len() - 1) * percent / 100];
        println!(
            "| {} rooms, {guards} guards | {} | {plans} | {:.3} | {:.2} | {:.2} | {waiting} |",
            columns * rows,
            times.len(),
            share(50),
            share(99),
            share(100)
        );
    }
}

#[derive(Default)]
struct Counted {
    /// Of ticks, in seconds.
    times: Vec<f64>,
    plans: usize,
    /// Agents that wait to plan, over all ticks.
    waiting: usize,
}

impl Counted {
    /// Plays a game of 200 ticks at most: a door is turned before each, and there is noise in
    /// every fifth.
    fn play(&mut self, world: &World, seed: u64) {
        let rules = Rules {
            replan: Replan::OnInconsistency,
            ticks_max: 200,
            ..Rules::default()
        };
        let courses = vec![None; world.agents().len()];
        let reactions = Some(Reactions { search_ticks: 5 });
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let begun = Game::under_way(world, rules, 0, courses);
        let mut game = begun.reacting(reactions);
        let layout = world.museum().layout();
        while game.ending().is_none() {
            let verb = [Verb::Lock, Verb::Close, Verb::Open][random.random_range(0..3)];
            let target = Target::Thing(Thing::Door(random.random_range(0..layout.doors.len())));
            let deed = PlayerAction { verb, target };
            let room = random.random_range(0..layout.rooms);
            let budget = &mut LiveBudget::new(LiveBudget::STEPS, world.museum());
            let begin = used();
            // As a session does.
            game = game.clone().pause().resume(world);
            if game.now().is_multiple_of(5) {
                game.hear(Noise { room, doors: 3 });
            }
            let tick = game.step_until(&[deed], budget).expect("nothing stops it");
            let plans = tick.events.iter().filter(|event| event.replanned.is_some());
            self.plans += plans.count();
            self.times.push(used() - begin);
            let waiting = game
                .minds()
                .iter()
                .filter(|mind| mind.undecided().is_some());
            self.waiting += waiting.count();
        }
    }
}
