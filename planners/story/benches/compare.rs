//! Section 5.6 of the thesis: search methods at equal numbers of nodes. `STRATAGEM_STORY=FOLDER
//! cargo bench -p stratagem-story --bench compare` prints a table. The budget counts one node for
//! each iteration of a tree search, and one for each state that another method reaches.

#[path = "../tests/suite/reader.rs"]
mod reader;

use anytime::{Control, Limits};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use story::play::Rules;
use story::{Cost, Params, Plan, Play, Problem, Strategy, solve};

#[expect(clippy::disallowed_methods, reason = "parts are chosen from outside")]
fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn problem(name: &str) -> Problem {
    let folder = setting("STRATAGEM_STORY").expect("STRATAGEM_STORY names a folder of domains");
    let text = std::fs::read_to_string(format!("{folder}/{name}.json")).expect("a domain");
    Problem::new(&reader::read(&text)).expect("a good domain")
}

/// States that are still to be looked at.
enum Open<'r> {
    Breadth(VecDeque<Play<'r>>),
    Depth(Vec<Play<'r>>),
    /// By E (equation 5.3), then the older one.
    Best(BinaryHeap<(u64, Reverse<usize>)>, Vec<Option<Play<'r>>>),
}

impl<'r> Open<'r> {
    fn push(&mut self, play: Play<'r>) {
        match self {
            Self::Breadth(queue) => queue.push_back(play),
            Self::Depth(stack) => stack.push(play),
            Self::Best(queue, plays) => {
                // Scores in [0, 1] are ordered as their bits are.
                queue.push((play.score().to_bits(), Reverse(plays.len())));
                plays.push(Some(play));
            }
        }
    }

    fn pop(&mut self) -> Option<Play<'r>> {
        match self {
            Self::Breadth(queue) => queue.pop_front(),
            Self::Depth(stack) => stack.pop(),
            Self::Best(queue, plays) => queue.pop().and_then(|(_, Reverse(at))| plays[at].take()),
        }
    }
}

/// The best score among the states that a search comes to.
fn uninformed<'r>(rules: &'r Rules, mut open: Open<'r>, nodes: u64) -> f64 {
    let is_depth = matches!(open, Open::Depth(_));
    let (mut best, mut count) = (0.0_f64, 0);
    open.push(Play::new(rules));
    while let Some(mut play) = open.pop() {
        let choices = play.choices();
        for index in 0..choices {
            // The first choice is looked at first, also where the last one pushed is popped.
            let index = if is_depth { choices - 1 - index } else { index };
            let mut next = play.clone();
            next.act(index);
            best = best.max(next.score());
            count += 1;
            if count >= nodes {
                return best;
            }
            open.push(next);
        }
    }
    best
}

fn tree(problem: &Problem, strategy: Strategy, nodes: u64, seed: u64) -> f64 {
    let params = Params {
        strategy,
        commit_after: (nodes / problem.actions_max() as u64).max(1),
        ..Params::default()
    };
    let mut best = 0.0;
    let mut sink = |_: &Plan, cost: Cost| best = cost.score();
    let limits = Limits::iterations(nodes).with_nodes(500_000);
    let mut control = Control::new(limits, seed, &mut sink);
    solve(problem, &params, &mut control).expect("supported");
    best
}

/// Most memory of this process until now, in MiB, where the system reports it.
fn peak_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

fn main() {
    let budgets = setting("STRATAGEM_NODES").unwrap_or_else(|| "10000,100000,300000".into());
    let names = setting("STRATAGEM_DOMAINS").unwrap_or_else(|| "fairytale,crime5".into());
    let only = setting("STRATAGEM_WAYS");
    let count: u64 = setting("STRATAGEM_SEEDS").map_or(3, |text| text.parse().expect("a number"));
    println!("| domain | nodes | way | best score, seeds from 0 on | peak MiB so far |");
    println!("| --- | --- | --- | --- | --- |");
    for name in names.split(',') {
        let problem = problem(name);
        let rules = Rules::new(&problem);
        for nodes in budgets.split(',').filter_map(|nodes| nodes.parse().ok()) {
            let row = |way: &str, find: &dyn Fn() -> Vec<f64>| {
                if only.as_ref().is_some_and(|only| !only.contains(way)) {
                    return;
                }
                let scores: Vec<String> = find().iter().map(|s| format!("{s:.4}")).collect();
                let scores = scores.join(", ");
                println!("| {name} | {nodes} | {way} | {scores} | {:?} |", peak_mib());
            };
            let seeds = |strategy| {
                let each = (0..count).map(|seed| tree(&problem, strategy, nodes, seed));
                each.collect::<Vec<f64>>()
            };
            row("plain tree search", &|| seeds(Strategy::Mcts));
            row("selection bias", &|| seeds(Strategy::MctsSelection));
            row("rollout bias", &|| seeds(Strategy::MctsRollout));
            row("iterative", &|| seeds(Strategy::Iterative));
            row("auto", &|| seeds(Strategy::Auto));
            let breadth = || Open::Breadth(VecDeque::new());
            row("breadth-first", &|| {
                vec![uninformed(&rules, breadth(), nodes)]
            });
            let depth = || Open::Depth(Vec::new());
            row("depth-first", &|| vec![uninformed(&rules, depth(), nodes)]);
            let best = || Open::Best(BinaryHeap::new(), Vec::new());
            row("best-first", &|| vec![uninformed(&rules, best(), nodes)]);
        }
    }
}
