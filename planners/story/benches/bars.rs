//! The bars of stories: `STRATAGEM_STORY=FOLDER cargo bench -p stratagem-story --bench bars` prints
//! tables. Time is on a processor; `STRATAGEM_CLOCK=1` for time by the clock.

#[path = "../../../benches/kit/clock.rs"]
mod clock;
#[path = "../tests/suite/reader.rs"]
mod reader;

use anytime::{Control, Limits};
use clock::{setting, used};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use story::play::Rules;
use story::spec::GoalSpec;
use story::{Cost, Params, Plan, Play, Problem, Strategy, branch, diverse, solve};

/// Random stories are generated in this number of pieces: other work on the machine slows some of
/// them.
const PIECES: usize = 11;

/// Goals of variations: weight, and condition.
fn goals(variation: &str) -> Vec<(f64, &'static str)> {
    let two_dead = r#"[">=", ["count", "x", "actor", ["not", ["get", "x", "alive"]]], 2]"#;
    let arrested = r#"["exists", "x", "actor",
        ["and", ["get", "x", "arrested"], [">=", ["get", "x", "kills"], 1]]]"#;
    match variation {
        "holds" => vec![
            (3.0, two_dead),
            (1.0, arrested),
            (1.0, r#"["==", ["get", "Basketball", "place"], "Court"]"#),
        ],
        "four" => vec![
            (3.0, two_dead),
            (2.0, arrested),
            (1.0, r#"["not", ["get", "Charlie", "alive"]]"#),
            (1.0, r#"["==", ["get", "Rifle", "holder"], "Bob"]"#),
        ],
        "downtown" => vec![(
            1.0,
            r#"["forall", "x", "actor", ["==", ["get", "x", "place"], "Downtown"]]"#,
        )],
        other => panic!("no variation {other}"),
    }
}

/// A domain of the folder, or with `+` a variation of it.
fn problem(name: &str) -> Problem {
    let folder = setting("STRATAGEM_STORY").expect("STRATAGEM_STORY names a folder of domains");
    let (file, variation) = name.split_once('+').unwrap_or((name, ""));
    let text = std::fs::read_to_string(format!("{folder}/{file}.json")).expect("a domain");
    let mut spec = reader::read(&text);
    if !variation.is_empty() {
        let goals = goals(variation).into_iter().enumerate();
        let goals = goals.map(|(number, (weight, text))| GoalSpec {
            name: format!("goal {number}"),
            expr: reader::expr(&serde_json::from_str(text).expect("an expression")),
            weight,
        });
        spec.goals = goals.collect();
    }
    Problem::new(&spec).expect("a good domain")
}

fn rollouts(name: &str) {
    let begin = used();
    let problem = problem(name);
    let checked = used() - begin;
    let begin = used();
    let rules = Rules::new(&problem);
    let compiled = used() - begin;
    let mut play = Play::new(&rules);
    let start = play.choices();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut actions, mut best, mut choices) = (0_u64, 0.0_f64, 0_u64);
    let mut speeds = Vec::new();
    for _ in 0..PIECES {
        let (begin, before) = (used(), actions);
        while actions < before + 300_000 {
            play.restart();
            loop {
                best = best.max(play.score());
                let count = play.choices();
                if count == 0 || play.is_complete() {
                    break;
                }
                choices += count as u64;
                play.act(rng.random_range(0..count));
                actions += 1;
            }
        }
        speeds.push((actions - before) as f64 / (used() - begin) / 1e6);
    }
    speeds.sort_by(f64::total_cmp);
    println!(
        "| {name} | {:.1} ms | {:.1} ms | {start} | {:.1} | {:.2}, {:.2}, {:.2} M | {best:.4} |",
        checked * 1e3,
        compiled * 1e3,
        choices as f64 / actions as f64,
        speeds[0],
        speeds[PIECES / 2],
        speeds[PIECES - 1],
    );
}

/// Different stories of a domain, and the choices of an actor along the best of them.
fn variety(name: &str, player: &str) {
    let problem = problem(name);
    let request = diverse::DiverseProblem::new(problem.clone(), 3, 4).expect("in range");
    let mut found = diverse::StorySet::default();
    let begin = used();
    let mut sink = |plan: &diverse::StorySet, _: diverse::Losses| found = plan.clone();
    let mut control = Control::new(Limits::iterations(30_000), 0, &mut sink);
    let params = diverse::Params::default();
    let ended = diverse::solve(&request, &params, &mut control).expect("supported");
    let scores = found.stories.iter();
    let scores = scores.map(|plan| story::verify(&problem, plan).expect("legal").score());
    let scores: Vec<f64> = scores.collect();
    let seconds = used() - begin;
    println!(
        "| {name} | 3 stories that differ in 4 actions | {scores:.4?} | {seconds:.2} s \
         | {ended:?} |"
    );
    let player = problem.entities().iter().position(|e| e.name == player);
    let story = found.stories.swap_remove(0);
    let quest = branch::BranchProblem::new(problem, story, player.expect("known")).expect("good");
    let mut tree = branch::BranchingStory::default();
    let begin = used();
    let mut sink = |plan: &branch::BranchingStory, _: branch::BranchCost| tree = plan.clone();
    let mut control = Control::new(Limits::iterations(1_000_000), 0, &mut sink);
    let params = branch::Params::default();
    let ended = branch::solve(&quest, &params, &mut control).expect("supported");
    let seconds = used() - begin;
    branch::verify(&quest, &tree).expect("every way is a story");
    let (knots, ways) = (tree.knots.len(), tree.paths(branch::PATHS_MAX).len());
    println!("| {name} | choices | {knots} knots, {ways} ways | {seconds:.2} s | {ended:?} |");
}

/// How one search went.
struct Run {
    score: f64,
    /// Seconds until the best story.
    found: f64,
    seconds: f64,
    bound: Option<f64>,
    conclusion: String,
    iterations: u64,
}

fn run(problem: &Problem, params: &Params, limits: Limits, seed: u64) -> Run {
    let (mut score, mut found) = (0.0, 0.0);
    let begin = used();
    let mut sink = |_: &Plan, cost: Cost| {
        (score, found) = (cost.score(), used() - begin);
        if setting("STRATAGEM_OFFERS").is_some() {
            println!("{:.2} ms: {score:.6}", found * 1e3);
        }
    };
    let mut control = Control::new(limits, seed, &mut sink);
    let conclusion = solve(problem, params, &mut control).expect("supported");
    let (bound, iterations) = (control.bound().map(Cost::score), control.iterations());
    Run {
        score,
        found,
        seconds: used() - begin,
        bound,
        conclusion: format!("{conclusion:?}"),
        iterations,
    }
}

fn seeds() -> u64 {
    setting("STRATAGEM_SEEDS")
        .and_then(|seeds| seeds.parse().ok())
        .unwrap_or(3)
}

fn strategies(name: &str, strategies: &[Strategy], iterations: u64) {
    let problem = problem(name);
    for &strategy in strategies {
        for seed in 0..seeds() {
            let params = Params {
                strategy,
                ..Params::default()
            };
            let limits = Limits::iterations(iterations).with_nodes(2_000_000);
            let run = run(&problem, &params, limits, seed);
            println!(
                "| {name} | {strategy:?} | {seed} | {} | {:.6} | {:.2} s | {:.2} s | {:?} | {} |",
                run.iterations, run.score, run.found, run.seconds, run.bound, run.conclusion
            );
        }
    }
}

fn main() {
    let parts = setting("STRATAGEM_PARTS").unwrap_or_else(|| "rollouts,search".into());
    let iterations = setting("STRATAGEM_ITERATIONS").and_then(|i| i.parse().ok());
    if parts.contains("search") {
        println!("| domain | strategy | seed | iterations | score | found | ended | bound | |");
        println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        for name in ["fairytale", "crime5", "crime20"] {
            use Strategy::{Iterative, Mcts, MctsRollout, MctsSelection};
            let all = [Mcts, MctsSelection, MctsRollout, Iterative];
            strategies(name, &all, iterations.unwrap_or(100_000));
        }
    }
    for (part, strategy) in [("optimal", Strategy::Optimal), ("auto", Strategy::Auto)] {
        if parts.contains(part) {
            let names = setting("STRATAGEM_DOMAINS");
            let names = names.unwrap_or_else(|| "fairytale,crime5,crime20".into());
            for name in names.split(',') {
                strategies(name, &[strategy], iterations.unwrap_or(20_000));
            }
        }
    }
    if parts.contains("variety") {
        println!("| domain | | found | time | |");
        println!("| --- | --- | --- | --- | --- |");
        variety("fairytale", "Dragon");
        variety("crime5", "Alice");
    }
    if !parts.contains("rollouts") {
        return;
    }
    println!(
        "| domain | checked | compiled | choices at the start | on average \
         | actions/s: slowest, median, fastest piece | best prefix |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for name in ["crime5", "crime20", "fairytale"] {
        rollouts(name);
    }
}
