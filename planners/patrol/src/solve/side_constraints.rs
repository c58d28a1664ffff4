//! Plans that keep to what designers wish: gaps, and nobody passing anybody.

mod joint_states;

use super::close_cycle::round_from;
use super::shortest_paths::ShortestPaths;
use crate::context::{Context, Position, STANDING};
use crate::evaluate::worth;
use crate::plan::{Cost, Plan, Route, Stop};

/// Whether some guard can never be out of sight of a vertex for as long as is asked for.
///
/// A guard that sees the vertex from every vertex loses sight of it only on edges, after the first
/// step. Other guards cannot make the vertex less seen.
pub(super) fn are_impossible(context: &Context<'_>) -> bool {
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

/// The plan in which guards walk their tracks, go on to the nearest place from where no vertex with
/// a gap is seen, and stay there. `None`: they may not stay, or no such place exists.
pub(super) fn retire(context: &Context<'_>, tracks: &[Vec<Position>]) -> Option<Plan> {
    let problem = context.problem;
    if !problem.spec().may_stay {
        return None;
    }
    let route = |(guard, track): (usize, &Vec<Position>)| {
        let gaps = problem.spec().gaps.iter();
        let gaps: Vec<u32> = gaps.map(|gap| gap.vertex as u32).collect();
        let hides = |vertex: &usize| {
            let seen = problem.sight(guard, *vertex);
            gaps.iter().all(|gap| seen.binary_search(gap).is_err())
        };
        let mut prefix = super::close_cycle::stops(context, track);
        let mut last = prefix.pop().expect("a guard is somewhere");
        let table = context.distances(guard, last.vertex);
        let goals = (0..problem.vertices()).filter(hides);
        let goal = goals.min_by_key(|vertex| table[*vertex])?;
        let mut paths = ShortestPaths::new(context, guard);
        last.stay = last.stay.max(problem.pause(last.vertex));
        let mut stops = vec![last];
        paths.walk([last.vertex, goal], |vertex, _| {
            let stay = problem.pause(vertex);
            stops.push(Stop { vertex, stay });
        });
        let mut end = stops.pop().expect("it is somewhere");
        end.stay = end.stay.max(1);
        prefix.extend(stops);
        Some(Route {
            prefix,
            cycle: vec![end],
        })
    };
    let routes: Option<Vec<Route>> = tracks.iter().enumerate().map(route).collect();
    Some(Plan { routes: routes? })
}

/// How wishes can be kept.
pub(super) enum Granted {
    /// By a plan.
    By(Plan, Cost),
    /// Not at all.
    Never,
    /// Who knows.
    Unknown,
}

/// A plan that breaks no wish, from all that guards can do together.
pub(super) fn granted(context: &Context<'_>) -> Granted {
    let (tracks, from) = match joint_states::joint(context) {
        joint_states::Joint::Impossible => return Granted::Never,
        joint_states::Joint::Unknown => return Granted::Unknown,
        joint_states::Joint::Found(tracks, from) => (tracks, from),
    };
    let roles: Vec<usize> = (0..tracks.len()).collect();
    let plan = round_from(context, &tracks, (from, &roles));
    match worth(context, &plan) {
        Some((_, cost)) => Granted::By(plan, cost),
        None => Granted::Unknown,
    }
}

/// The plan for tracks that costs least and breaks no wish: walked again and again, or once.
pub(super) fn allowed(context: &Context<'_>, tracks: &[Vec<Position>]) -> Option<(Plan, Cost)> {
    let again = super::close_cycle::endless(context, tracks);
    let known = worth(context, &again).map(|(_, cost)| (again, cost));
    if known.is_some() {
        return known;
    }
    let once = retire(context, tracks)?;
    let (_, cost) = worth(context, &once)?;
    Some((once, cost))
}

/// Where guards are at first: they stay there for a tick, or where they may not, go on.
pub(super) fn first_tracks(context: &Context<'_>) -> Vec<Vec<Position>> {
    let track = |guard| {
        let mut track = vec![context.start(guard)];
        let mut moves = Vec::new();
        context.moves(guard, track[0], &mut moves);
        track.extend(moves.first());
        // Whoever goes arrives.
        while track[track.len() - 1].edge != STANDING {
            moves.clear();
            context.moves(guard, track[track.len() - 1], &mut moves);
            track.extend(moves.first());
        }
        track
    };
    (0..context.guards()).map(track).collect()
}
