//! The mixed-integer program: it says what the other strategy says. Only with feature `milp`.

mod agree;
mod stories;
mod turns;

use anytime::{Conclusion, Control, Limits, SolveError};
use narrative::solve::{Detail, Params, Strategy, solve};
use narrative::{Answer, Cost, Narrative, verify};

/// All answers, and how the search ended.
type Found = (Vec<(Answer, Cost)>, Result<Conclusion, SolveError>);

/// What a strategy says, with an iteration limit. Each answer is verified, at its cost.
fn found(narrative: &Narrative, strategy: Strategy) -> Found {
    let params = Params {
        strategy,
        detail: Detail::NONE,
    };
    let mut answers: Vec<(Answer, Cost)> = Vec::new();
    let mut sink = |answer: &Answer, cost: Cost| answers.push((answer.clone(), cost));
    let mut control = Control::new(Limits::iterations(20_000), 1, &mut sink);
    let conclusion = solve(narrative, &params, &mut control);
    for (answer, cost) in &answers {
        // Whether a dispatcher can follow a plan is tested with the verification.
        let verified = match answer {
            Answer::Plan(plan) => verify::strategy(narrative, plan),
            refused => verify::answer(narrative, refused),
        };
        assert_eq!(verified, Ok(*cost), "{answer:?} {narrative:?}");
    }
    (answers, conclusion)
}

/// Whether there is a plan, if that was decided.
fn verdict((answers, conclusion): &Found) -> Option<bool> {
    match (conclusion, answers.last()) {
        (Ok(Conclusion::Infeasible), _) => Some(false),
        (Ok(_), Some((Answer::Plan(_), _))) => Some(true),
        _ => None,
    }
}
