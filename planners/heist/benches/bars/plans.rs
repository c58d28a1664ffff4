//! How long plans take.

use super::{median, museum28, used};
use anytime::{Control, Limits};
use heist::generate::{MuseumParams, Sketch, Zones, museum8, solvable};
use heist::solve::{Params, best_plan, exists, solve};
use heist::{AgentTask, Cost, LockState, Plan, Problem, World, verify};
use std::hint::black_box;

/// A square of rooms, neighbours joined by doors, all closed or all open; the case with the
/// artifact in the corner across, shut.
fn grid(side: usize, door: LockState) -> World {
    let mut doors: Vec<(_, _, _, &[usize])> = Vec::new();
    for room in 0..side * side {
        let right = (room % side + 1 < side).then_some(room + 1);
        let below = (room + side < side * side).then_some(room + side);
        let near = right.into_iter().chain(below);
        doors.extend(near.map(|to| (room, to, door, &[][..])));
    }
    let sketch = Sketch {
        rooms: side * side,
        doors: &doors,
        containers: &[(side * side - 1, LockState::CLOSED, &[])],
        items: &[0],
        ..Sketch::default()
    };
    sketch.world()
}

/// Twenty by twenty rooms with keys behind keys.
fn maze(seed: u64, loops_percent: u32) -> World {
    let params = MuseumParams {
        columns: 20,
        rows: 20,
        loops_percent,
        closed_percent: 80,
        locked_percent: 20,
        keys: 4,
        ..MuseumParams::default()
    };
    solvable(&params, seed).expect("some seed near this one")
}

/// Worlds for which plans are wanted.
fn worlds() -> Vec<(String, World)> {
    let mut worlds = vec![
        ("8 rooms".to_owned(), museum8()),
        ("maze 10x10, closed".to_owned(), grid(10, LockState::CLOSED)),
        ("maze 10x10, open".to_owned(), grid(10, LockState::OPEN)),
    ];
    worlds.extend((0..3).map(|seed| {
        let name = format!("28 rooms, seed {seed}");
        (name, museum28(seed, 1, 1))
    }));
    for loops in [10, 40, 100] {
        worlds.extend((0..3).map(|seed| {
            let name = format!("20x20, {loops} % of loops, seed {seed}");
            (name, maze(seed, loops))
        }));
    }
    worlds
}

/// Plans from nothing, existence, and plans after a failed action.
pub(super) fn plans() {
    println!(
        "| world | actions | proved at least | places | plan, us | existence, us \
         | again in the middle, us |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (name, world) in worlds() {
        let problem = Problem::new(world, 0, &[]).expect("the burglar is there");
        let task = AgentTask::new(&problem);
        let plan = best_plan(&task).expect("there is a plan");
        let begin = used();
        black_box(best_plan(&task));
        let once = used() - begin;
        let (rounds, runs) = if once > 1e-3 { (5, 1) } else { (11, 50) };
        let time = median(rounds, runs, || {
            black_box(best_plan(black_box(&task)));
        });
        let reach = median(11, 200, || {
            black_box(exists(black_box(&task)));
        });
        let middle = halfway(&problem, &plan);
        let again = median(rounds, runs, || {
            black_box(best_plan(black_box(&AgentTask::new(&middle))));
        });
        let (cost, bound, places) = proved(&problem, 2_000);
        println!(
            "| {name} | {cost} | {bound} | {places} | {:.1} | {:.2} | {:.1} |",
            time * 1e6,
            reach * 1e6,
            again * 1e6
        );
    }
}

/// The task after half of a plan, where the next thing turns out to be shut.
fn halfway(problem: &Problem, plan: &Plan) -> Problem {
    let mut spec = problem.world().spec();
    let burglar = &mut spec.agents[0];
    let mut hand = heist::rules::Actor {
        museum: problem.museum(),
        facts: &mut burglar.belief.facts,
        position: &mut burglar.position,
        agent: 0,
    };
    for action in &plan.actions[..plan.actions.len() / 2] {
        hand.act(*action).expect("the plan holds");
    }
    spec.facts = spec.agents[0].belief.facts.clone();
    for agent in &mut spec.agents[1..] {
        agent.belief.facts.items = spec.facts.items.clone();
    }
    let world = World::new(spec).expect("half of a plan keeps a world whole");
    Problem::new(world, 0, &[]).expect("the burglar is there")
}

/// Mazes that are hard, 20x20 rooms in four zones: what 3,000 places prove.
pub(super) fn zones() {
    println!("| 20x20 in four zones | actions | proved at least | places | ms | gap, % |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let (mut gaps, mut worst, mut proofs) = (0.0, 0.0_f64, 0);
    for (seed, loops_percent) in (0..25).map(|it| (it, 20 * (it as u32 % 5) + 20)) {
        let zones = Zones {
            side: 20,
            zones: 4,
            loops_percent,
        };
        let problem = Problem::new(zones.world(seed), 0, &[]).expect("the burglar is there");
        let begin = used();
        let (cost, bound, places) = proved(&problem, 3_000);
        let time = used() - begin;
        let gap = f64::from(cost - bound) / f64::from(cost) * 100.0;
        println!(
            "| {loops_percent} % of loops, seed {seed} | {cost} | {bound} | {places} | {:.1} \
                 | {gap:.1} |",
            time * 1e3
        );
        gaps += gap;
        worst = worst.max(gap);
        proofs += u32::from(gap == 0.0);
    }
    println!(
        "{proofs} of 25 proved; gap {:.1} % in the mean, {worst:.1} % at most",
        gaps / 25.0
    );
}

/// The best cost, the proved bound, and the nodes expanded, of a search with a limit on nodes.
fn proved(problem: &Problem, most: u64) -> (u32, u32, u64) {
    let mut best = None;
    let mut sink = |plan: &Plan, cost: Cost| {
        assert_eq!(verify(problem, plan), Ok(cost));
        best = Some(cost.actions);
    };
    let limits = Limits::iterations(most);
    let mut control = Control::new(limits, 0, &mut sink);
    solve(problem, &Params::default(), &mut control).expect("nothing is unsupported");
    let (bound, places) = (control.bound(), control.iterations());
    let bound = bound.map_or(0, |bound| bound.actions);
    (best.unwrap_or(0), bound, places)
}
