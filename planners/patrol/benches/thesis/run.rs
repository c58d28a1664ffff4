//! One search of one case; every plan is verified.

use crate::processor::processor;
use anytime::{Conclusion, Control, Limits, Offer, Sink};
use patrol::problem::PROBABILITY_ONE;
use patrol::{Cost, Params, Plan, Problem, Strategy, solve, verify};
use std::time::{Duration, Instant};

/// Result of a search.
pub(crate) struct Run {
    /// Time and capture probability of each plan.
    pub(crate) plans: Vec<(Duration, f64)>,
    /// Method that found the last plan.
    pub(crate) found_by: String,
    /// Upper bound on the capture probability, and its method.
    pub(crate) bound: (f64, &'static str),
    pub(crate) conclusion: Conclusion,
    pub(crate) iterations: u64,
    pub(crate) all: Duration,
    /// Processor time, where it is known.
    pub(crate) processor: Option<Duration>,
}

impl Run {
    /// Value after some time.
    pub(crate) fn value_at(&self, seconds: f64) -> Option<f64> {
        let time = Duration::from_secs_f64(seconds);
        let before = self.plans.iter().take_while(|(when, _)| *when <= time);
        before.last().map(|(_, value)| *value)
    }

    pub(crate) fn last(&self) -> f64 {
        self.plans.last().map_or(0.0, |(_, value)| *value)
    }
}

struct Recorder {
    begin: Instant,
    plans: Vec<(Duration, Plan, Cost)>,
    bound: (Cost, &'static str),
    found_by: String,
}

impl Sink<Plan, Cost> for Recorder {
    fn offer(&mut self, offer: Offer<'_, Plan, Cost>) {
        let when = self.begin.elapsed();
        self.plans.push((when, offer.plan.clone(), offer.cost));
        self.found_by = offer.found_by.to_owned();
    }

    fn bound(&mut self, bound: Cost, method: &'static str) {
        self.bound = (bound, method);
    }
}

/// Probability of capture, with the default objective.
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
    let mut recorder = Recorder {
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
    let mut control = Control::new(limits, seed, &mut recorder);
    let conclusion = solve(problem, &params, &mut control).expect("it is supported");
    let iterations = control.iterations();
    let all = begin.elapsed();
    let processor = processor()
        .zip(before)
        .map(|(after, before)| after - before);
    for (_, plan, cost) in &recorder.plans {
        assert_eq!(verify(problem, plan), Ok(*cost), "what is claimed is so");
    }
    let plans = recorder.plans.iter();
    Run {
        plans: plans.map(|(when, _, cost)| (*when, value(*cost))).collect(),
        found_by: recorder.found_by,
        bound: (value(recorder.bound.0), recorder.bound.1),
        conclusion,
        iterations,
        all,
        processor,
    }
}
