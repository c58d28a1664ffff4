//! Evaluation of a plan in all respects: cost, coverage of each vertex, worst entry,
//! predictability.

use super::dynamic::Observations;
use super::idleness::{Idleness, vertices_of};
use super::timeline::Timeline;
use crate::context::Context;
use crate::plan::{Cost, Plan, Route, Terms, UNSEEN};
use crate::problem::{Entry, Motion, Problem, Tick};
use crate::verify::{Checked, cost, terms_until, unstopped};
use anytime::{Fault, Pulse};
use std::collections::BTreeMap;

/// Evaluation of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// Cost of the plan.
    pub cost: Cost,
    /// Terms of the cost.
    pub terms: Terms,
    /// Tick at which the last prefix ends.
    pub prefix: Tick,
    /// Joint period in ticks.
    pub period: Tick,
    /// Coverage by vertex.
    pub vertices: Vec<VertexCoverage>,
    /// Best response of an intruder that knows the plan.
    pub worst_entry: WorstEntry,
    /// Share of the steps of cycles that an observer predicts who knows the most frequent next step
    /// of each guard from each vertex. 0 to 1; 1 is fully predictable.
    pub predictability: f64,
}

/// Coverage of a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexCoverage {
    /// Capture probability, 0 to 1, of an intruder that enters there at a tick drawn by
    /// [`crate::Entry`].
    pub capture: f64,
    /// Longest time in ticks out of sight in the cyclic part; `None`: never seen.
    pub worst_idleness: Option<Tick>,
    /// Ticks since the vertex was last seen, averaged over time; `None`: never seen.
    pub mean_idleness: Option<f64>,
}

/// Best response of an intruder that knows the plan: the entry, vertex and tick, with the lowest
/// capture probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorstEntry {
    /// The vertex.
    pub vertex: usize,
    /// The tick.
    pub tick: Tick,
    /// Capture probability, 0 to 1.
    pub capture: f64,
}

/// Evaluates a plan exactly.
///
/// # Errors
/// All broken rules, as [`crate::verify()`].
pub fn evaluate(problem: &Problem, plan: &Plan) -> Result<Evaluation, Vec<Fault>> {
    unstopped(|pulse| evaluate_until(problem, plan, pulse))
}

/// The same, with a stop condition.
pub fn evaluate_until(problem: &Problem, plan: &Plan, pulse: &Pulse) -> Checked<Evaluation> {
    match terms_until(problem, plan, pulse)? {
        Ok(terms) => report(problem, terms, plan, pulse).map(Ok),
        Err(broken) => Some(Err(broken)),
    }
}

/// Evaluation of a plan that breaks no rule; `None`: stopped, here and below.
fn report(problem: &Problem, terms: Terms, plan: &Plan, pulse: &Pulse) -> Option<Evaluation> {
    let context = Context::new(problem).with_pulse(pulse.clone());
    let timeline = Timeline::new(&context, plan).expect("the plan is verified");
    let idleness = Idleness::new(&context, &timeline)?;
    let (captures, worst_entry) = match problem.intruder().motion {
        Motion::Still => stationary(&context, &timeline)?,
        _ => dynamic(&context, &timeline)?,
    };
    let coverage = |vertex: usize, capture: f64| {
        let seen = idleness.is_seen(vertex);
        VertexCoverage {
            capture,
            worst_idleness: seen.then(|| idleness.longest[vertex] as Tick),
            mean_idleness: seen.then(|| idleness.sum[vertex] as f64 / timeline.period as f64),
        }
    };
    Some(Evaluation {
        cost: cost(&problem.objective(), &terms),
        terms,
        prefix: timeline.begin as Tick,
        period: timeline.period as Tick,
        vertices: captures
            .into_iter()
            .enumerate()
            .map(|(vertex, capture)| coverage(vertex, capture))
            .collect(),
        worst_entry,
        predictability: predictability(plan),
    })
}

/// First and last tick of entry.
fn entries(problem: &Problem, timeline: &Timeline) -> [i64; 2] {
    match problem.intruder().entry {
        Entry::Start => [0, 0],
        Entry::Mission(last) => [0, i64::from(last)],
        Entry::Steady => [timeline.begin, timeline.begin + timeline.period - 1],
    }
}

/// Times out of sight of one vertex. Ticks are relative to the first entry.
#[derive(Clone)]
struct Unseen {
    /// Entries that escape.
    missed: i64,
    /// Last tick of sight so far.
    last_seen: i64,
    /// Longest time from an entry until the next sighting, and that entry.
    longest: (i64, i64),
    is_seen: bool,
}

impl Unseen {
    /// Accounts for a sighting; entries are from 0 to `last`.
    fn see(&mut self, from: i64, until: i64, instants: i64, last: i64) {
        let enters = self.last_seen + 1;
        let free = from - enters;
        if enters <= last && free > 0 {
            self.missed += ((from - instants).min(last) - self.last_seen).max(0);
            if free > self.longest.0 {
                self.longest = (free, enters);
            }
        }
        self.last_seen = self.last_seen.max(until);
    }
}

/// Capture probability of a stationary intruder by vertex, and the entry with most time.
fn stationary(context: &Context<'_>, timeline: &Timeline) -> Option<(Vec<f64>, WorstEntry)> {
    let problem = context.problem;
    let instants = i64::from(problem.intruder().instants);
    let [first, last] = entries(problem, timeline);
    // Far enough ahead for the next sighting after the last entry.
    let end = last + instants.max(timeline.begin + 2 * timeline.period);
    let none = Unseen {
        missed: 0,
        last_seen: -1,
        longest: (0, 0),
        is_seen: false,
    };
    let mut all = vec![none; problem.vertices()];
    timeline.for_each_visit(context, [first, end], |places, from, until| {
        for place in vertices_of(places, problem.vertices()) {
            all[place].is_seen = true;
            all[place].see(from - first, until - first, instants, last - first);
        }
    })?;
    for one in all.iter_mut().filter(|one| one.is_seen) {
        one.see(end - first, end - first, instants, last - first);
    }
    let counts = |vertex: &usize| problem.shares()[*vertex] > 0;
    let targets = || (0..problem.vertices()).filter(counts);
    let time = |vertex: usize| {
        if all[vertex].is_seen {
            all[vertex].longest
        } else {
            (UNSEEN as i64, 0)
        }
    };
    // Ties go to the first.
    let vertex = targets().rev().max_by_key(|vertex| time(*vertex).0);
    let vertex = vertex.expect("some weight is above 0");
    let (free, enters) = time(vertex);
    let worst = WorstEntry {
        vertex,
        tick: (enters + first) as Tick,
        capture: f64::from(free < instants),
    };
    let count = (last - first + 1) as f64;
    let capture = |one: &Unseen| {
        if one.is_seen {
            1.0 - one.missed as f64 / count
        } else {
            0.0
        }
    };
    Some((all.iter().map(capture).collect(), worst))
}

/// Capture probability of a dynamic intruder by vertex, and the worst entry: by backward induction
/// from the last instant of each entry.
fn dynamic(context: &Context<'_>, timeline: &Timeline) -> Option<(Vec<f64>, WorstEntry)> {
    let problem = context.problem;
    let seen = Observations::new(context, timeline)?;
    let mut sums = vec![0.0; problem.vertices()];
    let mut worst = WorstEntry {
        vertex: 0,
        tick: 0,
        capture: 2.0,
    };
    let (mut before, mut count) = (Vec::new(), 0.0);
    for (entry, times) in &seen.entries {
        let mut escape = vec![1.0; problem.places()];
        for instant in (0..problem.intruder().instants as usize).rev() {
            for place in seen.seen_at(entry + instant) {
                escape[*place as usize] = 0.0;
            }
            if instant > 0 {
                if !context.work.proceed(context.step_work()) {
                    return None;
                }
                context.step_back(&escape, &mut before);
                std::mem::swap(&mut escape, &mut before);
            }
        }
        let times = *times as f64;
        count += times;
        for (vertex, sum) in sums.iter_mut().enumerate() {
            let capture = 1.0 - escape[vertex];
            *sum += capture * times;
            if capture < worst.capture && problem.shares()[vertex] > 0 {
                worst = WorstEntry {
                    vertex,
                    tick: *entry as Tick,
                    capture,
                };
            }
        }
    }
    let captures = sums.into_iter().map(|sum| sum / count);
    Some((captures.collect(), worst))
}

/// Share of the steps of cycles that go to the most frequent next vertex of the guard.
fn predictability(plan: &Plan) -> f64 {
    let (mut predicted, mut steps) = (0, 0);
    for Route { cycle, .. } in &plan.routes {
        let mut next: BTreeMap<usize, BTreeMap<usize, usize>> = BTreeMap::new();
        for (stop, to) in cycle.iter().zip(cycle.iter().skip(1).chain(cycle.first())) {
            *next
                .entry(stop.vertex)
                .or_default()
                .entry(to.vertex)
                .or_default() += 1;
            steps += 1;
        }
        let most = next
            .values()
            .map(|next| next.values().max().copied().unwrap_or(0));
        predicted += most.sum::<usize>();
    }
    predicted as f64 / f64::from(u32::try_from(steps).expect("stops are limited")).max(1.0)
}
