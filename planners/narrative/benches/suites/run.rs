//! One narrative, asked about once.

use crate::processor::processor;
use anytime::{Conclusion, Control, Fault, Limits};
use narrative::solve::{Params, solve};
use narrative::{Answer, Cost, Narrative, verify};
use std::time::{Duration, Instant};

/// What came of one narrative.
pub(crate) struct Run {
    pub(crate) conclusion: Conclusion,
    /// Until the end, until the first answer, and until the first plan.
    pub(crate) all: Duration,
    pub(crate) verdict: Duration,
    pub(crate) first: Option<Duration>,
    /// Time on a processor until the first plan.
    pub(crate) busy: Option<Duration>,
    /// How long it took to verify the first answer, which no other time includes.
    pub(crate) verified: Duration,
    /// Time on a processor of the same.
    pub(crate) checking: Duration,
    /// Conflicts, and policies that were looked at.
    pub(crate) iterations: u64,
    /// Answers that break rules.
    pub(crate) wrong: usize,
    /// The last answer.
    pub(crate) answer: Option<Answer>,
}

impl Run {
    /// What is known in the end.
    pub(crate) fn found(&self) -> &'static str {
        match (self.conclusion, self.first) {
            (Conclusion::Infeasible, _) => "infeasible",
            (_, Some(_)) => "feasible",
            _ => "unknown",
        }
    }
}

pub(crate) fn run(narrative: &Narrative, time: Duration) -> Run {
    run_with(narrative, time, &Params::default())
}

pub(crate) fn run_with(narrative: &Narrative, time: Duration, params: &Params) -> Run {
    let begin = used();
    let start = Instant::now();
    let mut first = None;
    let mut busy = None;
    let mut verdict = None;
    let mut answers = Vec::new();
    let mut sink = |answer: &Answer, cost: Cost| {
        verdict = verdict.or(Some(start.elapsed()));
        if matches!(answer, Answer::Plan(_)) {
            first = first.or(Some(start.elapsed()));
            busy = busy.or_else(|| Some(used().saturating_sub(begin)));
        }
        answers.push((answer.clone(), cost));
    };
    let mut control = Control::new(Limits::until(start + time), 1, &mut sink);
    let conclusion = solve(narrative, params, &mut control);
    let all = start.elapsed();
    let iterations = control.iterations();
    let mut wrong = 0;
    let mut verified = None;
    for (answer, cost) in &answers {
        let (found, taken, busy) = check(narrative, answer);
        verified = verified.or(Some((taken, busy)));
        if found.as_ref() != Ok(cost) {
            wrong += 1;
            println!("WRONG: {found:?}, claimed {cost:?}");
        }
    }
    let (verified, checking) = verified.unwrap_or_default();
    Run {
        conclusion: conclusion.expect("the strategy is built in"),
        all,
        verdict: verdict.unwrap_or(all),
        first,
        busy,
        verified,
        checking,
        iterations,
        wrong,
        answer: answers.pop().map(|(answer, _)| answer),
    }
}

/// The result of the check of an answer, its time by the clock, and its time on a processor.
pub(crate) fn check(
    narrative: &Narrative,
    answer: &Answer,
) -> (Result<Cost, Vec<Fault>>, Duration, Duration) {
    let (start, begin) = (Instant::now(), used());
    let found = verify::answer(narrative, answer);
    let taken = start.elapsed();
    (found, taken, used().saturating_sub(begin))
}

/// Time on a processor so far; 0 where the system does not report it.
fn used() -> Duration {
    processor().unwrap_or_default()
}
