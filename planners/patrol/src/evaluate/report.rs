//! All that is worth knowing of a plan.

use super::dynamic::Observations;
use super::idleness::{Gaps, vertices_of};
use super::timeline::Patrol;
use crate::context::Context;
use crate::plan::{Cost, Plan, Route, Terms, UNSEEN};
use crate::problem::{Entry, Motion, Problem, Tick};
use crate::verify::{Checked, Violation, cost, terms_until, whole};
use anytime::Pulse;
use std::collections::BTreeMap;

/// All that is worth knowing of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// What the plan costs.
    pub cost: Cost,
    /// Its named parts.
    pub terms: Terms,
    /// When the last prefix is over, in ticks.
    pub prefix: Tick,
    /// After how many ticks everything comes again from then on.
    pub period: Tick,
    /// Vertex by vertex.
    pub vertices: Vec<VertexCoverage>,
    /// Where and when an intruder enters who knows the plan.
    pub worst: Worst,
    /// How often an observer who sees a guard at a vertex, and knows its most frequent next step
    /// from there, predicts that step: averaged over all steps of the cycles. 0 to 1; 1 is fully
    /// predictable.
    pub predictability: f64,
}

/// How well a vertex is watched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexCoverage {
    /// The capture probability, 0 to 1, of an intruder who enters there at a moment drawn by
    /// [`crate::Entry`].
    pub capture: f64,
    /// The longest time in ticks for which it is out of sight in the cyclic part; `None`: never
    /// seen.
    pub worst_idleness: Option<Tick>,
    /// The ticks since it was last seen, averaged over time; `None`: it never is.
    pub mean_idleness: Option<f64>,
}

/// The best response of an intruder who knows the plan and picks the entry, vertex and tick, among
/// those that the problem allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worst {
    /// The vertex.
    pub vertex: usize,
    /// The tick.
    pub tick: Tick,
    /// The capture probability, 0 to 1.
    pub capture: f64,
}

/// Evaluates a plan, exactly.
///
/// # Errors
/// All broken rules, as [`crate::verify()`].
pub fn evaluate(problem: &Problem, plan: &Plan) -> Result<Evaluation, Vec<Violation>> {
    whole(|pulse| evaluate_until(problem, plan, pulse))
}

/// The same, with a stop condition.
pub fn evaluate_until(problem: &Problem, plan: &Plan, pulse: &Pulse) -> Checked<Evaluation> {
    match terms_until(problem, plan, pulse)? {
        Ok(terms) => told((problem, terms), plan, pulse).map(Ok),
        Err(broken) => Some(Err(broken)),
    }
}

/// All about a plan that breaks no rule; `None`: told to stop, here and below.
fn told((problem, terms): (&Problem, Terms), plan: &Plan, pulse: &Pulse) -> Option<Evaluation> {
    let context = Context::new(problem).with_pulse(pulse.clone());
    let patrol = Patrol::new(&context, plan).expect("the check has passed it");
    let gaps = Gaps::round(&context, &patrol)?;
    let (captures, worst) = match problem.intruder().motion {
        Motion::Still => still(&context, &patrol)?,
        _ => walking(&context, &patrol)?,
    };
    let watched = |(vertex, capture): (usize, f64)| {
        let seen = gaps.is_seen(vertex);
        VertexCoverage {
            capture,
            worst_idleness: seen.then(|| gaps.longest[vertex] as Tick),
            mean_idleness: seen.then(|| gaps.idle[vertex] as f64 / patrol.period as f64),
        }
    };
    Some(Evaluation {
        cost: cost(&problem.objective(), &terms),
        terms,
        prefix: patrol.begin as Tick,
        period: patrol.period as Tick,
        vertices: captures.into_iter().enumerate().map(watched).collect(),
        worst,
        predictability: predictability(plan),
    })
}

/// First and last tick at which an intruder may enter.
fn entries(problem: &Problem, patrol: &Patrol) -> [i64; 2] {
    match problem.intruder().entry {
        Entry::Start => [0, 0],
        Entry::Mission(last) => [0, i64::from(last)],
        Entry::Steady => [patrol.begin, patrol.begin + patrol.period - 1],
    }
}

/// A vertex as who stays there sees it. Ticks from the first entry on.
#[derive(Clone)]
struct Free {
    /// Entries that are missed.
    missed: i64,
    /// Until when it is seen so far.
    seen: i64,
    /// The longest time from an entry until the next look, and that entry.
    longest: (i64, i64),
    is_seen: bool,
}

impl Free {
    /// It is seen again; entries are from 0 to `last`.
    fn look(&mut self, (instants, last): (i64, i64), [from, until]: [i64; 2]) {
        let enters = self.seen + 1;
        let free = from - enters;
        if enters <= last && free > 0 {
            self.missed += ((from - instants).min(last) - self.seen).max(0);
            if free > self.longest.0 {
                self.longest = (free, enters);
            }
        }
        self.seen = self.seen.max(until);
    }
}

/// Who stays is caught or not: how often, and where he has most time.
fn still(context: &Context<'_>, patrol: &Patrol) -> Option<(Vec<f64>, Worst)> {
    let problem = context.problem;
    let instants = i64::from(problem.intruder().instants);
    let [first, last] = entries(problem, patrol);
    // Far enough ahead to see when whoever enters last is seen next.
    let end = last + instants.max(patrol.begin + 2 * patrol.period);
    let entries = (instants, last - first);
    let none = Free {
        missed: 0,
        seen: -1,
        longest: (0, 0),
        is_seen: false,
    };
    let mut all = vec![none; problem.vertices()];
    patrol.each(context, [first, end], |places, from, until| {
        for place in vertices_of(places, problem.vertices()) {
            all[place].is_seen = true;
            all[place].look(entries, [from - first, until - first]);
        }
    })?;
    for one in all.iter_mut().filter(|one| one.is_seen) {
        one.look(entries, [end - first; 2]);
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
    // Of equals the first.
    let vertex = targets().rev().max_by_key(|vertex| time(*vertex).0);
    let vertex = vertex.expect("some weight is above 0");
    let (free, enters) = time(vertex);
    let worst = Worst {
        vertex,
        tick: (enters + first) as Tick,
        capture: f64::from(free < instants),
    };
    let count = (last - first + 1) as f64;
    let capture = |one: &Free| {
        if one.is_seen {
            1.0 - one.missed as f64 / count
        } else {
            0.0
        }
    };
    Some((all.iter().map(capture).collect(), worst))
}

/// Who walks: backwards in time from each entry.
fn walking(context: &Context<'_>, patrol: &Patrol) -> Option<(Vec<f64>, Worst)> {
    let problem = context.problem;
    let intruder = problem.intruder();
    let looks = Observations::new(context, patrol, (intruder.entry, intruder.instants))?;
    let mut sums = vec![0.0; problem.vertices()];
    let mut worst = Worst {
        vertex: 0,
        tick: 0,
        capture: 2.0,
    };
    let (mut before, mut count) = (Vec::new(), 0.0);
    for (entry, times) in &looks.entries {
        let mut escape = vec![1.0; problem.places()];
        for instant in (0..problem.intruder().instants as usize).rev() {
            for place in looks.at(entry + instant) {
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
                worst = Worst {
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

/// The share of steps that go where the guard most often goes from there.
fn predictability(plan: &Plan) -> f64 {
    let (mut guessed, mut steps) = (0, 0);
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
        guessed += most.sum::<usize>();
    }
    guessed as f64 / f64::from(u32::try_from(steps).expect("stops are limited")).max(1.0)
}
