//! The bars of heists: `STRATAGEM_PARTS=plans,zones,game,live,design,definitions,help cargo bench
//! -p stratagem-heist --bench bars` prints tables of time on a processor, which other work on the
//! machine does not stretch; `STRATAGEM_CLOCK=1` for time by the clock.

#[path = "../../../../benches/kit/clock.rs"]
mod clock;
mod live;
mod plans;

use anytime::{Control, Limits};
use clock::{setting, used};
use heist::design::{Kinds, Level, LevelCost, Params, Played, definition_f, definition_f_prime};
use heist::game::{Game, Replan, Rules};
use heist::generate::{MuseumParams, Sketch, museum8, solvable};
use heist::help::{Aim, HelpRequest, HelpResult, help};
use heist::{LockState, World};

/// The median time of `run`, in seconds: rounds of several runs each, as reading the clock takes
/// some microseconds.
fn median(rounds: usize, runs: u32, mut run: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let begin = used();
            (0..runs).for_each(|_| run());
            (used() - begin) / f64::from(runs)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[rounds / 2]
}

/// Seven by four rooms, three keys, a camera and a guard: as large as the museum of the paper.
fn museum28(seed: u64, cameras: usize, guards: usize) -> World {
    let params = MuseumParams {
        columns: 7,
        rows: 4,
        keys: 3,
        cameras,
        guards,
        ..MuseumParams::default()
    };
    solvable(&params, seed).expect("some seed near this one")
}

/// A row of open rooms: a burglar in the first half, guards in the second one.
fn row(rooms: usize, guards: usize) -> World {
    let doors: Vec<_> = (1..rooms)
        .map(|room| (room - 1, room, LockState::OPEN, &[][..]))
        .collect();
    let last: Vec<usize> = (rooms / 2..rooms).collect();
    // Nobody needs to meet: the artifact is on this side.
    let lists = vec![last.as_slice(); guards];
    Sketch {
        rooms,
        doors: &doors,
        containers: &[(rooms / 2 - 1, LockState::OPEN, &[])],
        items: &[0],
        guards: &lists,
        ..Sketch::default()
    }
    .world()
}

fn game() {
    println!("| game | mode | games | ticks | ticks/s |");
    println!("| --- | --- | --- | --- | --- |");
    for (rooms, guards) in [(28, 1), (400, 1), (400, 8)] {
        for replan in [Replan::OnFailure, Replan::OnInconsistency] {
            let world = row(rooms, guards);
            let rules = Rules {
                replan,
                // The list of a guard in 400 rooms takes longer: nobody plans again.
                ticks_max: 350,
                ..Rules::default()
            };
            let first = Game::new(&world, rules);
            let (mut games, mut ticks) = (0, 0);
            let begin = used();
            while ticks < 400_000 {
                let mut game = first.clone();
                while game.ending().is_none() {
                    game.step(&[]);
                }
                games += 1;
                ticks += u64::from(game.now());
            }
            let rate = ticks as f64 / (used() - begin);
            println!(
                "| {rooms} rooms, {guards} guards | {replan:?} | {games} | {ticks} | {rate:.0} |"
            );
        }
    }
}

fn levels() {
    println!("| design, n = 3, 28 rooms | seeds | mean ms | worst ms | k | help |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let played = Played {
        rules: Rules {
            ticks_max: 400,
            ..Rules::default()
        },
        cost_max: 3,
        games_max: 200,
    };
    for (name, played, iterations) in [
        ("Algorithm 1", None, u64::MAX),
        ("played, first level", Some(played), 200),
        ("played, 5,000 games", Some(played), 5_000),
    ] {
        let (mut total, mut worst) = (0.0, 0.0_f64);
        let mut traps = [0; 4];
        let mut costs = [0; 4];
        for seed in 0..20 {
            let world = museum28(seed, 0, 1);
            let params = Params {
                traps: 3,
                kinds: Kinds::Both,
                played,
            };
            let mut best = None;
            let begin = used();
            let mut sink = |_: &Level, cost: LevelCost| best = Some(cost);
            let mut control = Control::new(Limits::iterations(iterations), seed, &mut sink);
            heist::design::design(&world, &params, &mut control).expect("supported");
            let seconds = used() - begin;
            total += seconds;
            worst = worst.max(seconds);
            traps[best.map_or(0, |cost| 3 - cost.missing as usize)] += 1;
            costs[best.map_or(0, |cost| cost.help.0 as usize)] += 1;
        }
        println!(
            "| {name} | 20 | {:.2} | {:.2} | {traps:?} | {costs:?} |",
            total / 20.0 * 1e3,
            worst * 1e3
        );
    }
}

/// The same world with two cameras on the burglar's way.
fn trapped(world: &World) -> Option<World> {
    let params = Params {
        traps: 2,
        kinds: Kinds::Cameras,
        played: None,
    };
    let mut best = None;
    let mut sink = |level: &Level, _: LevelCost| best = Some(level.clone());
    let mut control = Control::new(Limits::iterations(1_000), 1, &mut sink);
    heist::design::design(world, &params, &mut control).expect("supported");
    best.filter(|level| level.traps.len() == 2)
        .map(|level| level.world)
}

fn definitions() {
    println!("| definition, 10 rooms | worlds | mean ms | worst ms | yes, no, unknown |");
    println!("| --- | --- | --- | --- | --- |");
    for (name, n) in [("F", 2), ("F'", 1), ("F'", 2), ("F'", 3)] {
        let (mut total, mut worst) = (0.0, 0.0_f64);
        let (mut verdicts, mut worlds) = ([0; 3], 0);
        for seed in 0..60 {
            let params = MuseumParams {
                columns: 5,
                rows: 2,
                loops_percent: 80,
                ..MuseumParams::default()
            };
            let world = solvable(&params, seed).expect("some seed near this one");
            let Some(world) = trapped(&world) else {
                continue;
            };
            worlds += 1;
            let begin = used();
            let verdict = match name {
                "F" => definition_f(&world, n, &mut || true),
                _ => definition_f_prime(&world, n as u32, &mut || true),
            };
            let seconds = used() - begin;
            total += seconds;
            worst = worst.max(seconds);
            verdicts[verdict as usize] += 1;
        }
        let mean = total / f64::from(worlds) * 1e3;
        let worst = worst * 1e3;
        println!("| {name}({n}) | {worlds} | {mean:.2} | {worst:.2} | {verdicts:?} |");
    }
}

fn helps() {
    println!("| help | aim | answer | ms |");
    println!("| --- | --- | --- | --- |");
    let worlds = [
        ("museum8", museum8()),
        ("28 rooms, seed 1", museum28(1, 3, 1)),
        ("28 rooms, seed 2", museum28(2, 3, 1)),
    ];
    for (name, world) in &worlds {
        for aim in [Aim::Win, Aim::Capture] {
            let question = HelpRequest {
                aim,
                cost_max: 3,
                games_max: 20_000,
            };
            let begin = used();
            let answer = help(world, Rules::default(), &question, &mut || true);
            let answer = match answer {
                HelpResult::Found(help) => format!("cost {}", help.cost),
                other => format!("{other:?}"),
            };
            println!(
                "| {name} | {aim:?} | {answer} | {:.1} |",
                (used() - begin) * 1e3
            );
        }
    }
}

fn main() {
    let parts = setting("STRATAGEM_PARTS")
        .unwrap_or_else(|| "plans,zones,game,live,design,definitions,help".into());
    for part in parts.split(',') {
        match part {
            "plans" => plans::plans(),
            "zones" => plans::zones(),

            "game" => game(),
            "live" => live::live(),
            "design" => levels(),
            "definitions" => definitions(),
            "help" => helps(),
            other => println!("no such part: {other}"),
        }
    }
}
