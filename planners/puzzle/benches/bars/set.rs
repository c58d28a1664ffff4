//! Sets of hard levels.

use super::{micro, now, spec, used};
use anytime::{Control, Limits, Planner, Pulse};
use puzzle::plan::miss_micro;
use puzzle::{Cost, Goal, Level, Params, Plan, Problem, Puzzle, Spec, Weights, solve};
use std::time::Duration;

/// Twenty hard levels in one request, each judged once, against as many requests of one level.
pub(super) fn set() {
    let problem = |levels| {
        let weights = Weights {
            effort_log: 1_000_000,
            divisor: 1_000_000,
            ..Weights::default()
        };
        let goal = Goal::Hit {
            easiest_micro: micro(9.0),
            hardest_micro: micro(9.0),
            tolerance_percent: 14,
        };
        Problem::new(Spec {
            weights,
            goal,
            levels,
            difference_min_percent: 20,
            ..spec(12, 4)
        })
        .expect("a problem")
    };
    println!("\n20 levels of an effort of 2^9 within 14 %, 12x12, 4 boxes, judged\n");
    println!("| levels each | seeds | hit | seconds | of them judging | checks | slowest |");
    println!("|---|---|---|---|---|---|---|");
    // The first ones were looked at while the planner was tuned, the others were not.
    for (levels, seeds) in [
        (1, 0..20),
        (20, 0..5),
        (1, 1_000..1_200),
        (20, 1_000..1_010),
    ] {
        let problem = problem(levels);
        let runs: Vec<Judged> = seeds.clone().map(|seed| judged(&problem, seed)).collect();
        let sum = |of: &dyn Fn(&Judged) -> f64| runs.iter().map(of).sum::<f64>();
        println!(
            "| {levels} | {} to {} | {} of {} | {:.3} | {:.3} | {} | {:.3} |",
            seeds.start,
            seeds.end - 1,
            runs.iter().map(|run| run.hit).sum::<usize>(),
            levels * runs.len(),
            sum(&|run| run.seconds),
            sum(&|run| run.judging),
            runs.iter().map(|run| run.checks).sum::<u32>(),
            runs.iter().map(|run| run.seconds).fold(0.0, f64::max),
        );
    }
}

/// A run with the judge in it, as a server does it.
struct Judged {
    seconds: f64,
    judging: f64,
    checks: u32,
    hit: usize,
}

fn judged(problem: &Problem, seed: u64) -> Judged {
    let begin = used();
    let (mut best, mut judging, mut checks) = (None::<Plan>, 0.0, 0);
    let mut sink = |plan: &Plan, cost: Cost| {
        let before = used();
        let pulse = Pulse::unbounded();
        let checked = Puzzle::verify_next(problem, plan, best.as_ref(), &pulse);
        assert_eq!(checked, Some(Ok(cost)), "the judge disagrees");
        best = Some(plan.clone());
        checks += 1;
        judging += used() - before;
    };
    let limits = Limits::until(now() + Duration::from_secs(20));
    let mut control = Control::new(limits, seed, &mut sink);
    solve(problem, &Params::default(), &mut control).expect("supported");
    let plan = best.unwrap_or_default();
    let miss = |level: &Level| miss_micro(problem, level.rung, level.value_micro);
    Judged {
        seconds: used() - begin,
        judging,
        checks,
        hit: plan.levels.iter().filter(|level| miss(level) == 0).count(),
    }
}
