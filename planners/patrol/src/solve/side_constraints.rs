//! Plans that satisfy the side constraints: gaps, pauses, and guards that may not pass each other.

mod joint_states;

use super::close_cycle::{close_cycles, repeat_from, stops};
use super::shortest_paths::ShortestPaths;
use crate::context::{Context, Position, STANDING};
use crate::evaluate::exact_cost;
use crate::plan::{Cost, Plan, Route, Stop};
use joint_states::JointWalk;

/// Whether one guard alone makes a gap infeasible: it cannot lose sight of the vertex for long
/// enough.
///
/// A guard that sees the vertex from every vertex loses sight of it only on edges, after the first
/// step.
pub(super) fn are_infeasible(context: &Context<'_>) -> bool {
    let problem = context.problem;
    let hides = |guard: usize, vertex: usize, goal: usize| {
        let goal = u32::try_from(goal).expect("vertices are limited");
        problem.sight(guard, vertex).binary_search(&goal).is_err()
    };
    let unseen = |guard: usize, vertex: usize| {
        let edges = problem.out_edges(vertex).iter();
        let on_the_way = edges.map(|edge| {
            let ticks = problem.ticks(guard, *edge);
            ticks - ticks.div_ceil(edge.length)
        });
        on_the_way.max().unwrap_or(0)
    };
    let mut gaps = problem.spec().gaps.iter();
    gaps.any(|gap| {
        (0..context.guards()).any(|guard| {
            (0..problem.vertices()).all(|vertex| {
                !hides(guard, vertex, gap.vertex) && unseen(guard, vertex) < gap.ticks
            })
        })
    })
}

/// Plan in which guards follow their tracks once, continue to the nearest vertex from which no
/// vertex with a gap is visible, and stay there. `None`: they may not stay, or there is no such
/// vertex.
fn stopping_plan(context: &Context<'_>, tracks: &[Vec<Position>]) -> Option<Plan> {
    let problem = context.problem;
    if !problem.spec().may_stay {
        return None;
    }
    let route = |guard: usize, track: &[Position]| {
        let gaps = problem.spec().gaps.iter();
        let gaps: Vec<u32> = gaps.map(|gap| gap.vertex as u32).collect();
        let hides = |vertex: &usize| {
            let seen = problem.sight(guard, *vertex);
            gaps.iter().all(|gap| seen.binary_search(gap).is_err())
        };
        let mut prefix = stops(context, track);
        let mut last = prefix.pop().expect("a guard is somewhere");
        let table = context.distances(guard, last.vertex);
        let goals = (0..problem.vertices()).filter(hides);
        let goal = goals.min_by_key(|vertex| table[*vertex])?;
        let mut paths = ShortestPaths::new(context, guard);
        last.stay = last.stay.max(problem.pause(last.vertex));
        let mut path = vec![last];
        paths.walk(last.vertex, goal, |vertex, _| {
            let stay = problem.pause(vertex);
            path.push(Stop::new(vertex, stay));
        });
        let mut end = path.pop().expect("the path has a stop");
        end.stay = end.stay.max(1);
        prefix.extend(path);
        Some(Route::new(prefix, vec![end]))
    };
    let tracks = tracks.iter().enumerate();
    let routes: Option<Vec<Route>> = tracks.map(|(guard, track)| route(guard, track)).collect();
    Some(Plan { routes: routes? })
}

/// Result of the search in joint states.
pub(super) enum Satisfaction {
    /// A plan satisfies the side constraints.
    Plan(Plan, Cost),
    /// No plan does.
    Infeasible,
    /// Undecided: too many states, or stopped.
    Unknown,
}

/// Plan that satisfies the side constraints, by search in the joint states of all guards.
pub(super) fn satisfy(context: &Context<'_>) -> Satisfaction {
    let (tracks, from) = match joint_states::find_walk(context) {
        JointWalk::Infeasible => return Satisfaction::Infeasible,
        JointWalk::Unknown => return Satisfaction::Unknown,
        JointWalk::Found(tracks, from) => (tracks, from),
    };
    let roles: Vec<usize> = (0..tracks.len()).collect();
    let plan = repeat_from(context, &tracks, from, &roles);
    match exact_cost(context, &plan) {
        Some((_, cost)) => Satisfaction::Plan(plan, cost),
        None => Satisfaction::Unknown,
    }
}

/// Plan from tracks that satisfies the side constraints: repeated, or else followed once.
pub(super) fn cyclic_plan(context: &Context<'_>, tracks: &[Vec<Position>]) -> Option<(Plan, Cost)> {
    let with_cost = |plan: Plan| exact_cost(context, &plan).map(|(_, cost)| (plan, cost));
    let repeated = with_cost(close_cycles(context, tracks));
    repeated.or_else(|| with_cost(stopping_plan(context, tracks)?))
}

/// Tracks of the first plan: guards stay for a tick, or where they may not, move to a neighbour.
pub(super) fn first_tracks(context: &Context<'_>) -> Vec<Vec<Position>> {
    let track = |guard| {
        let mut track = vec![context.start(guard)];
        let mut moves = Vec::new();
        context.moves(guard, track[0], &mut moves);
        track.extend(moves.first());
        // Until the guard arrives.
        while track[track.len() - 1].edge != STANDING {
            moves.clear();
            context.moves(guard, track[track.len() - 1], &mut moves);
            track.extend(moves.first());
        }
        track
    };
    (0..context.guards()).map(track).collect()
}
