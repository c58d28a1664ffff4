//! The bars of puzzles: `STRATAGEM_PARTS=thesis,hard,ladder,set,target,first,hardest,solver,judge
//! cargo bench -p stratagem-puzzle --bench bars` prints tables of processor time, which is
//! independent of other load on the machine; `STRATAGEM_CLOCK=1` for wall-clock time.
//!
//! `solver` and the efforts it compares with need a sample of Boxoban in one file of XSB boards:
//! `STRATAGEM_SOKOBAN=FILE`.

#[path = "../../../../benches/kit/clock.rs"]
mod clock;
mod first;
mod hardest;
mod judge;
mod set;

use anytime::{Conclusion, Control, Limits};
use clock::{now, setting, used};
use puzzle::{
    Board, Cost, Goal, Params, Plan, Problem, Solution, Spec, Strategy, Weights, solve,
    solve_board, verify, verify_solution,
};
use std::time::Duration;

/// What a run came to.
struct Run {
    seconds: f64,
    first_seconds: f64,
    end: Conclusion,
    iterations: u64,
    best: Option<(Plan, Cost)>,
}

fn run(problem: &Problem, strategy: Strategy, seed: u64, seconds: u64) -> Run {
    run_to(problem, strategy, seed, seconds, None)
}

fn run_to(
    problem: &Problem,
    strategy: Strategy,
    seed: u64,
    seconds: u64,
    target: Option<Cost>,
) -> Run {
    let start = now();
    let begin = used();
    let mut best = None;
    let mut first = None;
    let mut sink = |plan: &Plan, cost: Cost| {
        first.get_or_insert_with(|| used() - begin);
        best = Some((plan.clone(), cost));
    };
    let limits = Limits::until(start + Duration::from_secs(seconds));
    let mut control = Control::new(limits, seed, &mut sink);
    if let Some(target) = target {
        control = control.with_target(target);
    }
    let params = Params {
        strategy,
        ..Params::default()
    };
    let end = solve(problem, &params, &mut control).expect("supported");
    let iterations = control.iterations();
    let seconds = used() - begin;
    if let Some((plan, cost)) = &best {
        assert_eq!(verify(problem, plan), Ok(*cost), "the judge disagrees");
    }
    Run {
        seconds,
        first_seconds: first.unwrap_or(f64::INFINITY),
        end,
        iterations,
        best,
    }
}

fn micro(value: f64) -> i64 {
    (value * 1e6) as i64
}

fn spec(side: usize, boxes: usize) -> Spec {
    Spec {
        boxes_min: boxes,
        boxes_max: boxes,
        weights: Weights::DIFFICULTY,
        difference_min_percent: 10,
        ..Spec::thesis(side - 2, side - 2)
    }
}

fn hit(easiest: f64, hardest: f64) -> Goal {
    Goal::Hit {
        easiest_micro: micro(easiest),
        hardest_micro: micro(hardest),
        tolerance_percent: 15,
    }
}

fn share(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (values.len() as f64 * share) as usize;
    values
        .get(at.min(values.len().saturating_sub(1)))
        .copied()
        .unwrap_or(f64::NAN)
}

/// Table 6.2: time to levels of a score, by tiles of a side.
fn thesis() {
    println!("\nTable 6.2, strategy mcts, five seeds, medians\n");
    println!("| score | tiles a side | seconds | iterations | boxes | thesis, seconds |");
    println!("|---|---|---|---|---|---|");
    for (side, score, known) in [
        (5, 0.4, 0.01),
        (5, 0.8, 0.54),
        (6, 1.2, 39.7),
        (7, 1.4, 120.0),
    ] {
        let problem = Problem::new(Spec::thesis(side, side)).expect("a problem");
        let target = Cost {
            missing: 0,
            miss_micro: -micro(score),
        };
        let runs: Vec<Run> = (0..5)
            .map(|seed| run_to(&problem, Strategy::Mcts, seed, 20, Some(target)))
            .collect();
        let median =
            |of: &dyn Fn(&Run) -> f64| share(&mut runs.iter().map(of).collect::<Vec<f64>>(), 0.5);
        println!(
            "| {score} | {side} | {:.5} | {} | {} | {known} |",
            median(&|run| run.seconds),
            median(&|run| run.iterations as f64),
            median(&|run| run
                .best
                .as_ref()
                .map_or(0.0, |(plan, _)| plan.levels[0].board.boxes().len() as f64)),
        );
    }
}

/// Levels of a wanted search effort, one after the other.
fn hard() {
    let effort_max: u32 = setting("STRATAGEM_EFFORT")
        .and_then(|text| text.parse().ok())
        .unwrap_or(227);
    let log = anytime::math::log2(f64::from(effort_max + 1));
    let weights = Weights {
        effort_log: 1_000_000,
        divisor: 1_000_000,
        ..Weights::default()
    };
    // The tolerance begins just above what is asked for.
    let wanted = log / 0.85 + 1e-3;
    let problem = Problem::new(Spec {
        weights,
        goal: hit(wanted, wanted),
        ..spec(10, 4)
    })
    .expect("a problem");
    let runs: Vec<Run> = (0..100)
        .map(|seed| run(&problem, Strategy::Auto, seed, 10))
        .collect();
    let made = runs
        .iter()
        .filter(|run| run.end == Conclusion::Optimal)
        .count();
    let seconds: f64 = runs.iter().map(|run| run.seconds).sum();
    let mut efforts: Vec<f64> = runs
        .iter()
        .filter_map(|run| run.best.as_ref())
        .filter_map(|(plan, _)| plan.levels[0].effort.map(f64::from))
        .collect();
    println!("\n10x10, 4 boxes, effort of at least {effort_max}, 100 seeds, one thread\n");
    println!("| made | levels a second | median effort | slowest, seconds |");
    println!("|---|---|---|---|");
    println!(
        "| {made} | {:.1} | {} | {:.3} |",
        made as f64 / seconds,
        share(&mut efforts, 0.5),
        runs.iter().map(|run| run.seconds).fold(0.0, f64::max),
    );
}

/// A level set of twenty difficulties.
fn ladder() {
    let problem = Problem::new(Spec {
        boxes_min: 2,
        boxes_max: 4,
        goal: hit(3.5, 12.0),
        levels: 20,
        difference_min_percent: 20,
        ..spec(9, 4)
    })
    .expect("a problem");
    let runs: Vec<Run> = (0..10)
        .map(|seed| run(&problem, Strategy::Auto, seed, 10))
        .collect();
    let made = runs
        .iter()
        .filter(|run| run.end == Conclusion::Optimal)
        .count();
    let mut seconds: Vec<f64> = runs.iter().map(|run| run.seconds).collect();
    let first = runs.iter().map(|run| run.first_seconds).fold(0.0, f64::max);
    println!("\nLadders of 20 levels from 3.5 to 12, 9x9, 2 to 4 boxes, 10 seeds\n");
    println!("| whole | median, seconds | slowest, seconds | slowest first level, seconds |");
    println!("|---|---|---|---|");
    println!(
        "| {made} of 10 | {:.3} | {:.3} | {first:.4} |",
        share(&mut seconds, 0.5),
        share(&mut seconds, 1.0)
    );
}

/// Target difficulties on boards of many sizes.
fn target() {
    println!("\nA difficulty within 15 %, 100 seeds, 2 s each\n");
    println!("| board | boxes | wanted | hit | median, ms | p95, ms | slowest first level, ms |");
    println!("|---|---|---|---|---|---|---|");
    let cases = [
        (7, 2, 3.0, 7.0),
        (8, 3, 4.0, 9.0),
        (10, 4, 5.0, 11.0),
        (11, 5, 6.0, 12.0),
        (12, 6, 6.5, 13.0),
    ];
    let mut first = Vec::new();
    let (mut hits, mut all) = (0, 0);
    for (side, boxes, low, high) in cases {
        let runs: Vec<Run> = (0..20)
            .map(|seed| {
                let wanted = low + (high - low) * seed as f64 / 19.0;
                let problem = Problem::new(Spec {
                    goal: hit(wanted, wanted),
                    ..spec(side, boxes)
                });
                run(&problem.expect("a problem"), Strategy::Auto, seed, 2)
            })
            .collect();
        let made = runs
            .iter()
            .filter(|run| run.end == Conclusion::Optimal)
            .count();
        hits += made;
        all += runs.len();
        let mut seconds: Vec<f64> = runs.iter().map(|run| run.seconds * 1e3).collect();
        let slowest = runs
            .iter()
            .map(|run| run.first_seconds * 1e3)
            .fold(0.0, f64::max);
        first.extend(runs.iter().map(|run| run.first_seconds * 1e3));
        println!(
            "| {side}x{side} | {boxes} | {low} to {high} | {made} of {} | {:.1} | {:.1} | {slowest:.2} |",
            runs.len(),
            share(&mut seconds, 0.5),
            share(&mut seconds, 0.95),
        );
    }
    println!(
        "\n{hits} of {all} hit; first level: median {:.2} ms, p95 {:.2} ms",
        share(&mut first, 0.5),
        share(&mut first, 0.95)
    );
}

fn boards(text: &str) -> Vec<Board> {
    let mut boards = Vec::new();
    let mut rows: Vec<&str> = Vec::new();
    for line in text.lines().chain([""]) {
        if line.trim_start().starts_with('#') {
            rows.push(line);
        } else if !rows.is_empty() {
            boards.extend(Board::of_rows(&rows));
            rows.clear();
        }
    }
    boards
}

/// The sample: all solved with fewest pushes.
fn solver() {
    let Some(file) = setting("STRATAGEM_SOKOBAN") else {
        println!("\nsolver: STRATAGEM_SOKOBAN is not set, left out");
        return;
    };
    let text = std::fs::read_to_string(&file).expect("the file can be read");
    println!("\nThe sample, in sets of 20 boards, best of five runs each\n");
    println!(
        "| set | solved with fewest pushes | median pushes | median effort | median, ms | slowest, ms |"
    );
    println!("|---|---|---|---|---|---|");
    for (set, group) in boards(&text).chunks(20).enumerate() {
        let (mut times, mut pushes, mut efforts, mut solved) = (vec![], vec![], vec![], 0);
        for board in group {
            let mut least = f64::INFINITY;
            let mut last = None;
            for _ in 0..5 {
                let start = used();
                let mut sink = |plan: &Solution, _: u32| last = Some(plan.clone());
                let mut control = Control::new(Limits::iterations(10_000_000), 0, &mut sink);
                let end = solve_board(board, &mut control);
                least = least.min((used() - start) * 1e3);
                solved += usize::from(end == Ok(Conclusion::Optimal));
            }
            let solution = last.expect("a solution");
            pushes.push(f64::from(
                verify_solution(board, &solution).expect("it is one"),
            ));
            let features =
                puzzle::verify::features(board, &solution.steps, true).expect("it is one");
            efforts.push(f64::from(features.effort));
            times.push(least);
        }
        println!(
            "| {set} | {} of {} | {} | {} | {:.3} | {:.2} |",
            solved / 5,
            group.len(),
            share(&mut pushes, 0.5),
            share(&mut efforts, 0.5),
            share(&mut times, 0.5),
            share(&mut times, 1.0),
        );
    }
}

fn main() {
    let parts = setting("STRATAGEM_PARTS")
        .unwrap_or_else(|| "thesis,hard,ladder,set,target,first,hardest,solver,judge".into());
    for part in parts.split(',') {
        match part {
            "thesis" => thesis(),
            "hard" => hard(),
            "ladder" => ladder(),
            "set" => set::set(),
            "target" => target(),
            "first" => first::first(),
            "hardest" => hardest::hardest(),
            "solver" => solver(),
            "judge" => judge::judge(),
            other => println!("no such part: {other}"),
        }
    }
}
