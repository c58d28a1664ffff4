//! What no plan can undercut.

use crate::plan::Cost;
use crate::problem::{CERTAIN, Motion, Problem, Way};
use crate::scene::Scene;

/// Most numbers in the table: vertices times instants.
const ROOM: usize = 4_000_000;

/// A cost that no plan undercuts, and how that is known.
///
/// Whoever enters and stays is seen by a guard that is near him at one of so many instants. In as many instants guards see
/// at most so many vertices; and a guard on its way sees at most what lies on the best walk, where a vertex
/// counts again when it is left and come back to, but not at once. Idleness counts as none.
pub(super) fn bound(scene: &Scene<'_>) -> (Cost, &'static str) {
    let problem = scene.problem;
    if problem.intruder().motion != Motion::Still {
        return (Cost(0), "certainty");
    }
    let (many, walked) = (seen_at_most(problem), walks(scene));
    let (caught, method) = match walked {
        Some(walked) if walked < many => (walked, "walks"),
        _ => (many, "number of vertices"),
    };
    let escape = u128::from(CERTAIN - caught.min(CERTAIN));
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

/// Steps that a vertex counts for at each tick of a walk, as [`Steps`](crate::scene::Steps) counts them.
const VERTEX_STEPS: u64 = 8;

/// The most that guards see on the best walks of one window, added up; `None`: too large, or stopped.
fn walks(scene: &Scene<'_>) -> Option<u64> {
    let problem = scene.problem;
    let instants = problem.intruder().instants as usize;
    if problem.vertices().saturating_mul(instants) > ROOM {
        return None;
    }
    let mut known: Vec<(usize, u64)> = Vec::new();
    let mut sum = 0_u64;
    for guard in 0..scene.guards() {
        let alike = known
            .iter()
            .find(|(other, _)| problem.are_alike(*other, guard));
        let most = match alike {
            Some((_, most)) => *most,
            None => walk(scene, (guard, instants))?,
        };
        known.push((guard, most));
        sum = sum.saturating_add(most);
    }
    Some(sum)
}

/// The most that a guard sees at so many instants in a row, wherever it is at the first.
///
/// State: at a vertex, just arrived by a way; what it sees there counts once for the visit. Where it came from does not count
/// again at once. A walk that begins
/// inside an edge is at best as good as one that begins at its end. `None`: stopped.
fn walk(scene: &Scene<'_>, (guard, instants): (usize, usize)) -> Option<u64> {
    let problem = scene.problem;
    let worth = |vertex: usize| {
        let seen = problem.sight(guard, vertex).iter();
        seen.map(|seen| problem.shares()[*seen as usize])
            .sum::<u64>()
    };
    // By ticks left and vertex: the two best values with different next vertices, so that one of them does not go back.
    let vertices = problem.vertices();
    let mut best = vec![vec![[(0_u64, usize::MAX); 2]; vertices]];
    for left in 1..instants {
        if !scene.steps.aside(VERTEX_STEPS * vertices as u64) {
            return None;
        }
        let mut row = Vec::with_capacity(vertices);
        for vertex in 0..vertices {
            let mut two = [(0, usize::MAX); 2];
            for way in problem.ways(vertex) {
                let ticks = problem.ticks(guard, *way) as usize + problem.pause(way.to) as usize;
                let arrival = problem.ticks(guard, *way) as usize;
                if arrival > left {
                    continue;
                }
                let rest = match left.checked_sub(ticks) {
                    Some(rest) => other_than(&best[rest][way.to], vertex, problem, guard),
                    None => 0,
                };
                let value = worth(way.to) + rest;
                if value > two[0].0 {
                    two = [(value, way.to), two[0]];
                } else if value > two[1].0 {
                    two[1] = (value, way.to);
                }
            }
            row.push(two);
        }
        best.push(row);
    }
    // Who has just left a vertex still counts as there: the first way may be shorter by that.
    let first = |vertex: usize, way: &Way| {
        let ticks = problem.ticks(guard, *way);
        let gone = ticks.div_ceil(way.length) - 1;
        let arrival = (ticks - gone) as usize;
        let left = (instants - 1).checked_sub(arrival)?;
        let rest = left.checked_sub(problem.pause(way.to) as usize);
        let rest = rest.map_or(0, |rest| {
            other_than(&best[rest][way.to], vertex, problem, guard)
        });
        Some(worth(way.to) + rest)
    };
    let from = |vertex: usize| {
        let ways = problem.ways(vertex).iter();
        let on = ways.filter_map(|way| first(vertex, way)).max();
        worth(vertex) + on.unwrap_or(0)
    };
    Some((0..vertices).map(from).max().unwrap_or(0))
}

/// The best value of going on; what is seen at the vertex that was left last is not counted again.
fn other_than(two: &[(u64, usize); 2], last: usize, problem: &Problem, guard: usize) -> u64 {
    if two[0].1 != last {
        return two[0].0;
    }
    let again = problem.sight(guard, last).iter();
    let again: u64 = again.map(|seen| problem.shares()[*seen as usize]).sum();
    two[1].0.max(two[0].0 - again)
}
