//! All that is worth knowing of a plan.

use super::gaps::Gaps;
use super::walk::Looks;
use super::{Patrol, Sight, worth};
use crate::plan::{Cost, Plan, Route, Terms, UNSEEN};
use crate::problem::{Entry, Motion, Problem, Tick};
use crate::scene::Scene;
use crate::verify::{Violation, verify};
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
    pub vertices: Vec<Watched>,
    /// Where and when an intruder enters who knows the plan.
    pub worst: Worst,
    /// How often one guesses right where a guard goes next who sees it at a vertex and knows what it does most often from
    /// there: averaged over all steps of the cycles; 0 to 1, 1 is no surprise.
    pub predictability: f64,
}

/// How well a vertex is watched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Watched {
    /// The probability, 0 to 1, that an intruder is caught who enters there at a moment as the problem says.
    pub capture: f64,
    /// The longest time in ticks for which it is out of sight once the patrol goes round; `None`: for ever.
    pub worst_idleness: Option<Tick>,
    /// The ticks since it was last seen, averaged over time; `None`: it never is.
    pub mean_idleness: Option<f64>,
}

/// The best response of an intruder who knows the plan and picks where and when he enters, where he may enter at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worst {
    /// The vertex.
    pub vertex: usize,
    /// The tick.
    pub tick: Tick,
    /// The probability, 0 to 1, that he is caught.
    pub capture: f64,
}

/// Evaluates a plan, exactly.
///
/// # Errors
/// All broken rules, as [`verify`].
pub fn evaluate(problem: &Problem, plan: &Plan) -> Result<Evaluation, Vec<Violation>> {
    verify(problem, plan)?;
    let scene = Scene::new(problem);
    let (terms, cost) = worth(&scene, plan).expect("the check has passed it");
    let patrol = Patrol::new(&scene, plan).expect("the check has passed it");
    let round = patrol.sorted(problem, [patrol.begin, patrol.begin + patrol.period], true);
    let gaps = Gaps::round((problem, patrol.period), &round);
    let (captures, worst) = match problem.intruder().motion {
        Motion::Still => still(problem, &patrol),
        _ => walking(&scene, &patrol),
    };
    let watched = |(vertex, capture): (usize, f64)| {
        let seen = gaps.is_seen(vertex);
        Watched {
            capture,
            worst_idleness: seen.then(|| gaps.longest[vertex] as Tick),
            mean_idleness: seen.then(|| gaps.idle[vertex] as f64 / patrol.period as f64),
        }
    };
    Ok(Evaluation {
        cost,
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

/// Who stays is caught or not: how often, and where he has most time.
fn still(problem: &Problem, patrol: &Patrol) -> (Vec<f64>, Worst) {
    let instants = i64::from(problem.intruder().instants);
    let [first, last] = entries(problem, patrol);
    // Far enough ahead to see when whoever enters last is seen next.
    let end = last + instants.max(patrol.begin + 2 * patrol.period);
    let sights = patrol.sorted(problem, [first, end], false);
    let mut captures = vec![0.0; problem.vertices()];
    let mut longest = (0, 0, 0);
    let mut unseen: Vec<bool> = vec![true; problem.vertices()];
    for sights in sights.chunk_by(|one, other| one.place == other.place) {
        let place = sights[0].place;
        unseen[place] = false;
        // Ticks from here on, relative to the first entry.
        let (mut missed, mut seen) = (0, -1);
        let none = Sight {
            place,
            from: end - first,
            until: end - first,
        };
        for sight in sights.iter().chain([&none]) {
            let enters = seen + 1;
            let free = sight.from - enters;
            if enters <= last - first && free > 0 {
                missed += ((sight.from - instants).min(last - first) - seen).max(0);
                if free > longest.0 && problem.shares()[place] > 0 {
                    longest = (free, place, enters);
                }
            }
            seen = seen.max(sight.until);
        }
        captures[place] = 1.0 - missed as f64 / (last - first + 1) as f64;
    }
    let never = (0..problem.vertices()).find(|v| unseen[*v] && problem.shares()[*v] > 0);
    let (free, vertex, enters) = never.map_or(longest, |vertex| (UNSEEN as i64, vertex, 0));
    let worst = Worst {
        vertex,
        tick: (enters + first) as Tick,
        capture: f64::from(free < instants),
    };
    (captures, worst)
}

/// Who walks: backwards in time from each entry.
fn walking(scene: &Scene<'_>, patrol: &Patrol) -> (Vec<f64>, Worst) {
    let problem = scene.problem;
    let looks = Looks::new(
        patrol,
        (problem.intruder().entry, problem.intruder().instants),
    );
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
                scene.step_back(&escape, &mut before);
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
    (sums.into_iter().map(|sum| sum / count).collect(), worst)
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
