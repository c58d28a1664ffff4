//! Compares strategy `milp` with `auto`: their answers, and the share of calls that HiGHS finishes
//! in time.
//!
//! `cargo bench -p stratagem-narrative --features milp --bench agree`. Every answer is verified. An
//! invalid answer is printed and ends the bench with a panic after the last table. So does a
//! contradiction: one strategy has a plan that costs less than the other's bound, or that the other
//! proves infeasible. Read from the environment:
//! * `STRATAGEM_NARRATIVE`: a folder with folders of narratives in the format linsp/1, with
//!   `answers.json`.
//! * `STRATAGEM_SECONDS`: the time for each narrative and strategy, default 60.
//! * `STRATAGEM_EVENTS`: only narratives with at most this number of events, default 30. The
//!   program grows with their cube.
//! * `STRATAGEM_EVERY`: of the generated suites only each n-th, default 10.
//! * `STRATAGEM_TINY`: how many tiny narratives of each kind, default 1000.
//! * `STRATAGEM_VERBOSE`: a line for each narrative that is not tiny.

#![expect(
    clippy::disallowed_methods,
    reason = "a bench measures time and takes a directory from the environment"
)]

#[path = "../suites/linsp.rs"]
mod linsp;
mod table;

use anytime::{Conclusion, Control, Limits, SolveError};
use narrative::generate::{SUITE1, SUITE2, choices, suite1, suite2, tiny, tiny_story};
use narrative::problem::{Chooser, Objective};
use narrative::solve::{Detail, Params, Strategy, solve};
use narrative::{Answer, Cost, Narrative, verify};
use std::path::Path;
use std::time::{Duration, Instant};
use table::Table;

/// What a strategy says about a narrative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    Plan,
    None,
    /// It ran out of time.
    Late,
    /// It has nothing more to try.
    Open,
    /// It cannot be asked that.
    Refused,
}

/// What came of asking once.
struct Run {
    says: Says,
    time: Duration,
    /// Answers that break rules.
    wrong: usize,
    /// What the best plan costs.
    cost: Option<Cost>,
    /// What no plan is said to cost less than.
    bound: Option<Cost>,
}

/// What counts, with the weights of makespan, slack and idle time.
const OBJECTIVES: [(&str, [u32; 3]); 5] = [
    ("makespan", [2, 0, 0]),
    ("slack", [0, 1, 0]),
    ("idle time", [0, 0, 1]),
    ("makespan and slack", [1, 2, 0]),
    ("makespan and idle time", [1, 0, 2]),
];

fn weighted([makespan, slack, idle]: [u32; 3]) -> Objective {
    Objective {
        makespan,
        slack,
        idle,
    }
}

fn main() {
    let seconds = number("STRATAGEM_SECONDS").unwrap_or(60);
    let time = Duration::from_secs(seconds as u64);
    let every = number("STRATAGEM_EVERY").unwrap_or(10);
    let small = number("STRATAGEM_TINY").unwrap_or(1_000);
    let mut wrong = 0;
    let mut measure = |name: &str, all: &mut dyn Iterator<Item = (String, Narrative)>| {
        let mut table = Table::default();
        for (name, narrative) in all {
            let [auto, milp] = [Strategy::Auto, Strategy::Milp].map(|s| run(&narrative, s, time));
            table.add(&name, &auto, &milp);
        }
        wrong += table.print(name);
    };
    Table::print_heads();
    let seeds = 0..small as u64;
    let draw = |draw: fn(u64) -> Narrative| seeds.clone().map(move |s| (String::new(), draw(s)));
    measure("tiny", &mut draw(tiny));
    measure("tiny, with a choice", &mut draw(tiny_story));
    for (name, weights) in OBJECTIVES {
        let objective = weighted(weights);
        let all = seeds.clone().step_by(5);
        let all = all.map(|s| (String::new(), with_objective(&tiny_story(s), &objective)));
        measure(
            &format!("tiny, with a choice, {name}"),
            &mut all.into_iter(),
        );
    }
    for (name, chooser) in [("ours", Chooser::System), ("of players", Chooser::Player)] {
        let all = (0..100).step_by(every);
        let all = all.map(|at| (at.to_string(), choices(at as u64 + 1, chooser, 2 + at % 3)));
        measure(
            &format!("choices {name}, generated"),
            &mut all.clone().filter(fits),
        );
        let objective = weighted([1, 0, 0]);
        let all = all.map(|(name, narrative)| (name, with_objective(&narrative, &objective)));
        measure(&format!("choices {name}, makespan"), &mut all.filter(fits));
    }
    if let Some(folder) = std::env::var_os("STRATAGEM_NARRATIVE") {
        for suite in ["examples", "choices", "suite1", "suite2"] {
            let given = linsp::folder(&Path::new(&folder).join(suite)).into_iter();
            let all = given.map(|given| {
                let status = given.status.unwrap_or_else(|| "?".into());
                (format!("{} ({status})", given.name), given.narrative)
            });
            measure(&format!("given, {suite}"), &mut all.filter(fits));
        }
    }
    let first = (0..SUITE1).step_by(every);
    let mut first = first.map(|at| (at.to_string(), suite1(1, at))).filter(fits);
    measure("suite 1, generated", &mut first);
    let second = (0..SUITE2).step_by(every);
    let mut second = second
        .map(|at| (at.to_string(), suite2(1, at)))
        .filter(fits);
    measure("suite 2, generated", &mut second);
    assert_eq!(wrong, 0, "contradictions and answers that break rules");
}

/// The same, with an objective: all requirements that say how long to wait are idle time.
fn with_objective(narrative: &Narrative, objective: &Objective) -> Narrative {
    let mut spec = narrative.spec().clone();
    let waits = |at: &usize| spec.links[*at].lower_us.is_some_and(|lower| lower >= 0);
    spec.waiting = (0..spec.links.len()).filter(waits).collect();
    spec.objective = objective.clone();
    Narrative::new(spec).expect("an objective changes nothing else")
}

fn number(name: &str) -> Option<usize> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("a whole number"))
}

fn fits((_, narrative): &(String, Narrative)) -> bool {
    narrative.spec().events <= number("STRATAGEM_EVENTS").unwrap_or(30)
}

fn run(narrative: &Narrative, strategy: Strategy, time: Duration) -> Run {
    let params = Params {
        strategy,
        detail: Detail::NONE,
    };
    let start = Instant::now();
    let mut answers: Vec<(Answer, Cost)> = Vec::new();
    let mut sink = |answer: &Answer, cost: Cost| answers.push((answer.clone(), cost));
    let mut control = Control::new(Limits::until(start + time), 1, &mut sink);
    let conclusion = solve(narrative, &params, &mut control);
    let bound = match conclusion {
        Ok(Conclusion::Optimal) => control.best(),
        _ => control.bound(),
    };
    let time = start.elapsed();
    let plan = matches!(answers.last(), Some((Answer::Plan(_), _)));
    let says = match conclusion {
        Ok(Conclusion::Infeasible) => Says::None,
        Ok(_) if plan => Says::Plan,
        Ok(Conclusion::Stopped(anytime::Stop::Deadline)) => Says::Late,
        Ok(_) => Says::Open,
        Err(SolveError::Unsupported { .. }) => Says::Refused,
        Err(error) => panic!("{error}"),
    };
    let wrong = answers.iter().filter(|(answer, cost)| {
        let found = verify::answer(narrative, answer);
        if found != Ok(*cost) {
            println!("WRONG: {strategy:?}, {found:?}, claimed {cost:?}");
        }
        found != Ok(*cost)
    });
    let last = answers.last();
    let cost = last.filter(|_| plan).map(|(_, cost)| *cost);
    Run {
        says,
        time,
        wrong: wrong.count(),
        cost,
        bound,
    }
}
