//! One case, searched once; every plan is judged by the check.

use crate::processor::processor;
use anytime::{Conclusion, Control, Limits, Offer, Sink};
use patrol::problem::PROBABILITY_ONE;
use patrol::{Cost, Params, Plan, Problem, Strategy, solve, verify};
use std::time::{Duration, Instant};

/// What came of it.
pub(crate) struct Run {
    /// When each plan came, and how likely it catches the intruder.
    pub(crate) plans: Vec<(Duration, f64)>,
    /// What found the last.
    pub(crate) found_by: String,
    /// What no plan catches more than, and how that is known.
    pub(crate) bound: (f64, &'static str),
    pub(crate) conclusion: Conclusion,
    pub(crate) iterations: u64,
    pub(crate) all: Duration,
    /// What it took of a processor, where that is known.
    pub(crate) processor: Option<Duration>,
}

impl Run {
    /// The value after some time.
    pub(crate) fn at(&self, seconds: f64) -> Option<f64> {
        let time = Duration::from_secs_f64(seconds);
        let before = self.plans.iter().take_while(|(when, _)| *when <= time);
        before.last().map(|(_, value)| *value)
    }

    pub(crate) fn last(&self) -> f64 {
        self.plans.last().map_or(0.0, |(_, value)| *value)
    }
}

struct Heard {
    begin: Instant,
    plans: Vec<(Duration, Plan, Cost)>,
    bound: (Cost, &'static str),
    found_by: String,
}

impl Sink<Plan, Cost> for Heard {
    fn offer(&mut self, offer: Offer<'_, Plan, Cost>) {
        let when = self.begin.elapsed();
        self.plans.push((when, offer.plan.clone(), offer.cost));
        self.found_by = offer.found_by.to_owned();
    }

    fn bound(&mut self, bound: Cost, method: &'static str) {
        self.bound = (bound, method);
    }
}

/// Of the objective's default: the probability of capture.
fn value(cost: Cost) -> f64 {
    1.0 - cost.0 as f64 / PROBABILITY_ONE as f64
}

/// How long to search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    pub(crate) seconds: f64,
    /// Instead of the time.
    pub(crate) iterations: Option<u64>,
    pub(crate) seed: u64,
}

/// Searches for some time, or for some iterations.
pub(crate) fn run(problem: &Problem, strategy: Strategy, budget: Budget) -> Run {
    let Budget {
        seconds,
        iterations,
        seed,
    } = budget;
    let before = processor();
    let begin = Instant::now();
    let mut heard = Heard {
        begin,
        plans: Vec::new(),
        bound: (Cost(0), ""),
        found_by: String::new(),
    };
    let mut limits = match iterations {
        Some(iterations) => Limits::iterations(iterations),
        None => Limits::until(begin + Duration::from_secs_f64(seconds)),
    };
    limits.nodes_max = 10_000_000;
    let params = Params {
        strategy,
        ..Params::default()
    };
    let mut control = Control::new(limits, seed, &mut heard);
    let conclusion = solve(problem, &params, &mut control).expect("it is supported");
    let iterations = control.iterations();
    let all = begin.elapsed();
    let processor = processor()
        .zip(before)
        .map(|(after, before)| after - before);
    for (_, plan, cost) in &heard.plans {
        assert_eq!(verify(problem, plan), Ok(*cost), "what is claimed is so");
    }
    let plans = heard.plans.iter();
    Run {
        plans: plans.map(|(when, _, cost)| (*when, value(*cost))).collect(),
        found_by: heard.found_by,
        bound: (value(heard.bound.0), heard.bound.1),
        conclusion,
        iterations,
        all,
        processor,
    }
}
