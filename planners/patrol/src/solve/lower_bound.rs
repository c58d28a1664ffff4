//! What no plan can undercut.

use crate::context::Context;
use crate::plan::Cost;
use crate::problem::{Motion, OutEdge, PROBABILITY_ONE, Problem};

/// Most numbers in the table: vertices times instants.
const ROOM: usize = 4_000_000;

/// A lower bound on cost, and its method.
///
/// A stationary intruder is caught only by a guard that sees its vertex in the window of its
/// instants. In one window guards see a limited number of vertices; a moving guard sees at most
/// what lies on the best walk, where a vertex counts again when the guard leaves it and comes back,
/// but not immediately. Idleness counts as none.
pub(super) fn lower_bound(context: &Context<'_>) -> (Cost, &'static str) {
    let problem = context.problem;
    if problem.intruder().motion != Motion::Still {
        return (Cost(0), "certainty");
    }
    let (many, walked) = (seen_at_most(problem), walks(context));
    let (caught, method) = match walked {
        Some(walked) if walked < many => (walked, "walks"),
        _ => (many, "number of vertices"),
    };
    let escape = u128::from(PROBABILITY_ONE - caught.min(PROBABILITY_ONE));
    (
        Cost(escape * u128::from(problem.objective().escape)),
        method,
    )
}

/// The share of the most likely vertices, as many as all guards can see in a window.
fn seen_at_most(problem: &Problem) -> u64 {
    let most = |guard: usize| (0..problem.vertices()).map(move |v| problem.sight(guard, v).len());
    let at_once = (0..problem.guards().len()).map(|guard| most(guard).max().unwrap_or(0));
    let instants = problem.intruder().instants as usize;
    let many = at_once.sum::<usize>().saturating_mul(instants);
    let mut shares = problem.shares().to_vec();
    shares.sort_unstable_by(|one, other| other.cmp(one));
    shares.iter().take(many).sum()
}

/// Steps that a vertex counts for at each tick of a walk, as [`Steps`](crate::context::WorkCounter) counts
/// them.
const VERTEX_STEPS: u64 = 8;

/// The most that guards see on the best walks of one window, added up; `None`: too large, or
/// stopped.
fn walks(context: &Context<'_>) -> Option<u64> {
    let problem = context.problem;
    let instants = problem.intruder().instants as usize;
    if problem.vertices().saturating_mul(instants) > ROOM {
        return None;
    }
    let mut known: Vec<(usize, u64)> = Vec::new();
    let mut sum = 0_u64;
    for guard in 0..context.guards() {
        let alike = known
            .iter()
            .find(|(other, _)| problem.are_alike(*other, guard));
        let most = match alike {
            Some((_, most)) => *most,
            None => walk(context, (guard, instants))?,
        };
        known.push((guard, most));
        sum = sum.saturating_add(most);
    }
    Some(sum)
}

/// Shares are rounded up to a multiple of two to this power, so that what a walk of
/// [`INSTANTS_MAX`](crate::problem::INSTANTS_MAX) instants sees, each share at each of them, is no
/// more than fits.
const UNIT_BITS: u32 = 12;

/// What is worth being seen, in units of two to the power of [`UNIT_BITS`], rounded up.
fn units(problem: &Problem, seen: impl Iterator<Item = u32>) -> u64 {
    let shares = problem.shares();
    let units = |seen: u32| shares[seen as usize].div_ceil(1 << UNIT_BITS);
    seen.map(units).sum()
}

/// What a guard sees after a way that it did not see before it, in units.
fn fresh(problem: &Problem, guard: usize, [from, to]: [usize; 2]) -> u64 {
    let before = problem.sight(guard, from);
    let seen = problem.sight(guard, to).iter().copied();
    units(
        problem,
        seen.filter(|seen| before.binary_search(seen).is_err()),
    )
}

/// By vertex and way, what a guard sees after it that is new, in units; `None`: stopped.
fn gains(context: &Context<'_>, guard: usize) -> Option<Vec<Vec<u64>>> {
    let problem = context.problem;
    let mut gains = Vec::with_capacity(problem.vertices());
    for from in 0..problem.vertices() {
        let seen = |edge: &OutEdge| problem.sight(guard, edge.to).len() as u64;
        let work = problem.out_edges(from).iter().map(seen).sum::<u64>();
        if !context.work.proceed_uncounted(VERTEX_STEPS * work) {
            return None;
        }
        let each = problem.out_edges(from).iter();
        let each = each.map(|edge| fresh(problem, guard, [from, edge.to]));
        gains.push(each.collect());
    }
    Some(gains)
}

/// The most that a guard sees at a number of instants in a row, wherever it is at the first.
///
/// State: at a vertex, just arrived by an arc; what it sees there counts once for the visit, unless
/// it was seen from the vertex before. A vertex that it has just left does not count again
/// immediately. A walk that begins inside an edge is at best as good as one that begins at its end.
/// `None`: stopped.
fn walk(context: &Context<'_>, (guard, instants): (usize, usize)) -> Option<u64> {
    let problem = context.problem;
    let vertices = problem.vertices();
    let gains = gains(context, guard)?;
    let back = |from: usize, to: usize| {
        let edge = problem
            .out_edges(from)
            .binary_search_by_key(&to, |edge| edge.to);
        edge.map_or(0, |edge| gains[from][edge])
    };
    // By ticks left and vertex: the two best values with different next vertices, so that one of
    // them does not go back.
    let mut best = vec![vec![[(0_u64, usize::MAX); 2]; vertices]];
    for left in 1..instants {
        if !context
            .work
            .proceed_uncounted(VERTEX_STEPS * vertices as u64)
        {
            return None;
        }
        let mut row = Vec::with_capacity(vertices);
        for (vertex, gains) in gains.iter().enumerate() {
            let mut two = [(0, usize::MAX); 2];
            for (edge, gain) in problem.out_edges(vertex).iter().zip(gains) {
                let ticks = problem.ticks(guard, *edge) as usize + problem.pause(edge.to) as usize;
                let arrival = problem.ticks(guard, *edge) as usize;
                if arrival > left {
                    continue;
                }
                let rest = match left.checked_sub(ticks) {
                    Some(rest) => other_than(&best[rest][edge.to], vertex, back(edge.to, vertex)),
                    None => 0,
                };
                let value = gain + rest;
                if value > two[0].0 {
                    two = [(value, edge.to), two[0]];
                } else if value > two[1].0 {
                    two[1] = (value, edge.to);
                }
            }
            row.push(two);
        }
        best.push(row);
    }
    // Who has just left a vertex still counts as there: the first way may be shorter by that.
    let first = |vertex: usize, (edge, gain): (&OutEdge, &u64)| {
        let ticks = problem.ticks(guard, *edge);
        let gone = ticks.div_ceil(edge.length) - 1;
        let arrival = (ticks - gone) as usize;
        let left = (instants - 1).checked_sub(arrival)?;
        let rest = left.checked_sub(problem.pause(edge.to) as usize);
        let rest = rest.map_or(0, |rest| {
            other_than(&best[rest][edge.to], vertex, back(edge.to, vertex))
        });
        Some(gain + rest)
    };
    let from = |vertex: usize| {
        let edges = problem.out_edges(vertex).iter().zip(&gains[vertex]);
        let on = edges.filter_map(|edge| first(vertex, edge)).max();
        let here = units(problem, problem.sight(guard, vertex).iter().copied());
        here + on.unwrap_or(0)
    };
    let most = (0..vertices).map(from).max().unwrap_or(0);
    Some(most.min(PROBABILITY_ONE >> UNIT_BITS) << UNIT_BITS)
}

/// The best value of going on; what is seen again at the vertex that was left last, and was
/// counted, does not count.
fn other_than(two: &[(u64, usize); 2], last: usize, again: u64) -> u64 {
    if two[0].1 == last {
        two[1].0.max(two[0].0 - again)
    } else {
        two[0].0
    }
}
