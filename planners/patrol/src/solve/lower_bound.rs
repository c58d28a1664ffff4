//! Lower bound on the cost of plans against a stationary intruder.

use crate::context::Context;
use crate::plan::Cost;
use crate::problem::{Motion, OutEdge, PROBABILITY_ONE, Problem};

/// Maximum size of the table: vertices times instants.
const ROOM: usize = 4_000_000;

/// Lower bound on the cost, and its method.
///
/// A stationary intruder is captured only by a guard that sees its vertex in the window of its
/// instants. In one window guards see a limited number of vertices; a moving guard sees at most the
/// vertices of the best walk. On it a vertex counts again when the guard leaves it and comes back,
/// but not immediately. The bound on idleness is 0.
pub(super) fn lower_bound(context: &Context<'_>) -> (Cost, &'static str) {
    let problem = context.problem;
    if problem.intruder().motion != Motion::Still {
        return (Cost(0), "certainty");
    }
    let (by_number, by_walks) = (number_bound(problem), walk_bound(context));
    let (capture, method) = match by_walks {
        Some(by_walks) if by_walks < by_number => (by_walks, "walks"),
        _ => (by_number, "number of vertices"),
    };
    let escape = u128::from(PROBABILITY_ONE - capture.min(PROBABILITY_ONE));
    (
        Cost(escape * u128::from(problem.objective().escape)),
        method,
    )
}

/// Capture if the guards see the most likely vertices, as many as they can see in a window.
fn number_bound(problem: &Problem) -> u64 {
    let sizes = |guard: usize| (0..problem.vertices()).map(move |v| problem.sight(guard, v).len());
    let at_an_instant = (0..problem.guards().len()).map(|guard| sizes(guard).max().unwrap_or(0));
    let instants = problem.intruder().instants as usize;
    let count = at_an_instant.sum::<usize>().saturating_mul(instants);
    let mut shares = problem.shares().to_vec();
    shares.sort_unstable_by(|one, other| other.cmp(one));
    shares.iter().take(count).sum()
}

/// Work of a vertex at each tick of a walk, in steps of
/// [`WorkCounter`](crate::context::WorkCounter).
const VERTEX_STEPS: u64 = 8;

/// Capture on the best walks of one window, summed over the guards; `None`: too large, or stopped.
fn walk_bound(context: &Context<'_>) -> Option<u64> {
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
            .find(|(other, _)| problem.are_interchangeable(*other, guard));
        let most = match alike {
            Some((_, most)) => *most,
            None => best_walk(context, guard, instants)?,
        };
        known.push((guard, most));
        sum = sum.saturating_add(most);
    }
    Some(sum)
}

/// Exponent of the unit of gains: probabilities are rounded up to a multiple of 2 to this power, so
/// that the sum over [`INSTANTS_MAX`](crate::problem::INSTANTS_MAX) instants does not overflow.
const UNIT_BITS: u32 = 12;

/// Probability of entry at some vertices, in units of 2 to the power of [`UNIT_BITS`], rounded up.
fn units(problem: &Problem, seen: impl Iterator<Item = u32>) -> u64 {
    let shares = problem.shares();
    let units = |seen: u32| shares[seen as usize].div_ceil(1 << UNIT_BITS);
    seen.map(units).sum()
}

/// Gain of a move: what a guard sees from `to` but not from `from`, in units.
fn gain(problem: &Problem, guard: usize, from: usize, to: usize) -> u64 {
    let before = problem.sight(guard, from);
    let seen = problem.sight(guard, to).iter().copied();
    units(
        problem,
        seen.filter(|seen| before.binary_search(seen).is_err()),
    )
}

/// Gains by vertex and edge, in units; `None`: stopped.
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
        let each = each.map(|edge| gain(problem, guard, from, edge.to));
        gains.push(each.collect());
    }
    Some(gains)
}

/// Maximum gain of a walk of one guard at consecutive instants, from any vertex; `None`: stopped.
///
/// What the guard sees at a vertex counts once for the visit, unless it was seen from the vertex
/// before. A vertex that it has just left does not count again immediately. A walk that begins
/// inside an edge is at best as good as one that begins at its end.
fn best_walk(context: &Context<'_>, guard: usize, instants: usize) -> Option<u64> {
    let problem = context.problem;
    let gains = gains(context, guard)?;
    let values = walk_values(context, guard, instants, &gains)?;
    // A guard that has just left a vertex still counts as there: that shortens the first edge.
    let first = |vertex: usize, edge: &OutEdge, gain: &u64| {
        let ticks = problem.ticks(guard, *edge);
        let at_vertex = ticks.div_ceil(edge.length) - 1;
        let arrival = (ticks - at_vertex) as usize;
        let left = (instants - 1).checked_sub(arrival)?;
        let rest = left.checked_sub(problem.pause(edge.to) as usize);
        let rest = rest.map_or(0, |rest| {
            let again = return_gain(problem, &gains, edge.to, vertex);
            without_return(&values[rest][edge.to], vertex, again)
        });
        Some(gain + rest)
    };
    let from = |vertex: usize| {
        let edges = problem.out_edges(vertex).iter().zip(&gains[vertex]);
        let on = edges.filter_map(|(edge, gain)| first(vertex, edge, gain));
        let here = units(problem, problem.sight(guard, vertex).iter().copied());
        here + on.max().unwrap_or(0)
    };
    let best = (0..problem.vertices()).map(from).max().unwrap_or(0);
    Some(best.min(PROBABILITY_ONE >> UNIT_BITS) << UNIT_BITS)
}

/// Gain of a move from a vertex back to the previous one.
fn return_gain(problem: &Problem, gains: &[Vec<u64>], from: usize, to: usize) -> u64 {
    let edges = problem.out_edges(from);
    let index = edges.binary_search_by_key(&to, |edge| edge.to);
    index.map_or(0, |index| gains[from][index])
}

/// Best continuation from a vertex: gain and next vertex, and the best one to another vertex.
type BestTwo = [(u64, usize); 2];

/// Dynamic programming over the ticks left: the best continuations by ticks left and vertex.
/// `None`: stopped.
fn walk_values(
    context: &Context<'_>,
    guard: usize,
    instants: usize,
    gains: &[Vec<u64>],
) -> Option<Vec<Vec<BestTwo>>> {
    let problem = context.problem;
    let vertices = problem.vertices();
    let mut values = vec![vec![[(0, usize::MAX); 2]; vertices]];
    for left in 1..instants {
        let work = VERTEX_STEPS * vertices as u64;
        if !context.work.proceed_uncounted(work) {
            return None;
        }
        let mut row = Vec::with_capacity(vertices);
        for (vertex, gains_here) in gains.iter().enumerate() {
            // Two with different next vertices, so that one of them does not return.
            let mut two: BestTwo = [(0, usize::MAX); 2];
            for (edge, gain) in problem.out_edges(vertex).iter().zip(gains_here) {
                let arrival = problem.ticks(guard, *edge) as usize;
                if arrival > left {
                    continue;
                }
                let ticks = arrival + problem.pause(edge.to) as usize;
                let rest = left.checked_sub(ticks).map_or(0, |rest: usize| {
                    let again = return_gain(problem, gains, edge.to, vertex);
                    without_return(&values[rest][edge.to], vertex, again)
                });
                let value = gain + rest;
                if value > two[0].0 {
                    two = [(value, edge.to), two[0]];
                } else if value > two[1].0 {
                    two[1] = (value, edge.to);
                }
            }
            row.push(two);
        }
        values.push(row);
    }
    Some(values)
}

/// Best value of a continuation; the gain `again` of an immediate return to `last` does not count.
fn without_return(two: &BestTwo, last: usize, again: u64) -> u64 {
    if two[0].1 == last {
        two[1].0.max(two[0].0 - again)
    } else {
        two[0].0
    }
}
