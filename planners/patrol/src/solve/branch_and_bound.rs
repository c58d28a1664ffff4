//! Branch and bound for one guard against an intruder that enters at tick 0: depth-first search
//! over its paths.
//!
//! The upper bound on the capture is the discounted MEAN bound of Lau, Huang and Dissanayake
//! ("Discounted MEAN bound for the optimal searcher path problem with non-uniform travel times",
//! European Journal of Operational Research 190, 2008): the guard may capture an intruder again,
//! but not one that it has just captured. The bound is then a longest path in the time-expanded
//! graph, by dynamic programming. Nodes that leave no less of the intruder anywhere than another
//! node at the same vertex and tick are dominated.

use crate::context::{Context, Position, STANDING, share};
use anytime::Control;

/// Maximum size of the tables: vertices squared times instants, and vertices times instants
/// squared.
const NUMBERS_MAX: usize = 6_000_000;
/// Maximum number of nodes that are stored for each depth and vertex to test dominance.
const DOMINATING_MAX: usize = 64;
/// Bound on the rounding errors of doubles.
const ROUNDING: f64 = 1e-11;

/// Result of branch and bound.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Proof {
    /// The problem is too large, or has features that the bound does not cover.
    Unsuitable,
    /// Stopped, or out of nodes.
    Stopped,
    /// The best path known is optimal, up to rounding.
    Optimal,
}

/// Branch and bound.
pub(super) struct BranchAndBound<'s, 'f> {
    context: &'s Context<'s>,
    instants: usize,
    vertices: usize,
    /// Transition probabilities of the intruder by number of steps, place and place after them.
    transitions: Vec<f64>,
    /// Belief by depth, ticks from there and place if the guard sees nothing more.
    beliefs: Vec<Vec<f64>>,
    /// Upper bound on the further capture by tick and vertex.
    bounds: Vec<f64>,
    /// Next vertices of the guard by vertex, each with the transition probability of the intruder.
    steps: Vec<Vec<(usize, f64)>>,
    /// All vertices by rising distance from each vertex.
    near: Vec<Near>,
    path: Vec<usize>,
    /// Beliefs of completed nodes by depth and vertex.
    completed: Vec<Vec<Box<[f64]>>>,
    nodes_left: u64,
    best: f64,
    found: &'f mut dyn FnMut(&[usize]),
}

/// Vertices by rising distance from one vertex.
struct Near {
    order: Vec<usize>,
    /// Number of vertices within each distance.
    counts: Vec<usize>,
}

impl<'s, 'f> BranchAndBound<'s, 'f> {
    /// Searches for paths with a capture above `best`, and calls `found` with the vertices of each;
    /// at most `nodes_max` nodes.
    pub(super) fn search<P, C: Ord + Copy>(
        context: &'s Context<'s>,
        best: f64,
        nodes_max: u64,
        found: &'f mut dyn FnMut(&[usize]),
        control: &mut Control<'_, P, C>,
    ) -> Proof {
        let problem = context.problem;
        let (vertices, instants) = (problem.vertices(), problem.intruder().instants as usize);
        let room = vertices
            .saturating_mul(instants)
            .saturating_mul(vertices.max(instants));
        if !is_suitable(context) || room > NUMBERS_MAX {
            return Proof::Unsuitable;
        }
        let start = problem.guards()[0].start;
        let mut bound = Self {
            context,
            instants,
            vertices,
            transitions: Vec::new(),
            beliefs: vec![vec![0.0; instants * vertices]; instants],
            bounds: vec![0.0; (instants + 1) * vertices],
            steps: Vec::new(),
            near: Vec::new(),
            path: vec![start],
            completed: vec![Vec::new(); instants * vertices],
            nodes_left: nodes_max,
            best,
            found,
        };
        bound.transitions = bound.transitions();
        bound.steps = (0..vertices).map(|from| bound.steps(from)).collect();
        bound.near = (0..vertices).map(|from| bound.near(from)).collect();
        let mut belief: Vec<f64> = context.prior().iter().map(|mass| share(*mass)).collect();
        let seen = std::mem::take(&mut belief[start]);
        for (place, mass) in belief.iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
            for tick in 0..instants {
                let row = bound.row(tick, place);
                for to in 0..vertices {
                    bound.beliefs[0][tick * vertices + to] += mass * bound.transitions[row + to];
                }
            }
        }
        if bound.branch(seen, control) {
            Proof::Optimal
        } else {
            Proof::Stopped
        }
    }

    fn row(&self, steps: usize, from: usize) -> usize {
        (steps * self.vertices + from) * self.vertices
    }

    /// Transition probabilities of the intruder.
    fn transitions(&self) -> Vec<f64> {
        let n = self.vertices;
        let mut transitions = vec![0.0; self.instants * n * n];
        for from in 0..n {
            transitions[self.row(0, from) + from] = 1.0;
        }
        for steps in 1..self.instants {
            for from in 0..n {
                let (before, now) = (self.row(steps - 1, from), self.row(steps, from));
                for place in 0..n {
                    let mass = transitions[before + place];
                    if mass > 0.0 {
                        let near = self.context.problem.neighbours(place);
                        let part = mass / self.context.problem.parts(place) as f64;
                        transitions[now + place] += mass - part * near.len() as f64;
                        near.iter()
                            .for_each(|to| transitions[now + *to as usize] += part);
                    }
                }
            }
        }
        transitions
    }

    /// Explores all extensions of the path, of capture `seen` so far; false: stopped.
    fn branch<P, C: Ord + Copy>(&mut self, seen: f64, control: &mut Control<'_, P, C>) -> bool {
        let depth = self.path.len() - 1;
        if depth + 1 == self.instants {
            self.complete(seen);
            return true;
        }
        if self.nodes_left == 0 || !control.tick() {
            return false;
        }
        self.nodes_left -= 1;
        let here = self.path[depth];
        let n = self.vertices;
        // Dominance: a path to the same vertex with no higher belief anywhere is at least as good.
        let known = &self.completed[depth * n + here];
        let rest = &self.beliefs[depth][..n];
        let covers = |one: &[f64]| one.iter().zip(rest).all(|(one, rest)| one <= rest);
        if known.iter().any(|one| covers(one)) {
            return true;
        }
        if depth + 2 < self.instants {
            self.update_bounds(depth);
        } else {
            self.bounds[(depth + 1) * n..].fill(0.0);
        }
        let belief = &self.beliefs[depth][n..2 * n];
        let most = &self.bounds[(depth + 1) * n..];
        let steps = self.steps[here].iter();
        let mut edges: Vec<(f64, f64, usize)> = steps
            .map(|(to, _)| (seen + belief[*to] + most[*to], belief[*to], *to))
            .collect();
        edges.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.2.cmp(&other.2)));
        for (most, now, to) in edges {
            // Improvements below the rounding errors do not count.
            if most <= self.best + ROUNDING {
                break;
            }
            self.path.push(to);
            let go = if depth + 2 == self.instants {
                self.complete(seen + now);
                true
            } else {
                self.descend(depth, to, now);
                self.branch(seen + now, control)
            };
            self.path.pop();
            if !go {
                return false;
            }
        }
        let list = &mut self.completed[depth * n + here];
        if depth + 3 < self.instants && list.len() < DOMINATING_MAX {
            list.push(self.beliefs[depth][..n].into());
        }
        true
    }

    /// Reports a complete path if it is better.
    fn complete(&mut self, seen: f64) {
        if seen > self.best + ROUNDING {
            self.best = seen;
            (self.found)(&self.path);
        }
    }

    /// Next vertices of the guard, with the transition probabilities of the intruder.
    fn steps(&self, from: usize) -> Vec<(usize, f64)> {
        let problem = self.context.problem;
        let stay = problem.spec().may_stay.then_some(from);
        let edges = problem.out_edges(from).iter().map(|edge| edge.to);
        let part = |to: usize| self.transitions[self.row(1, from) + to];
        stay.into_iter()
            .chain(edges)
            .map(|to| (to, part(to)))
            .collect()
    }

    /// Breadth-first search from a vertex.
    fn near(&self, from: usize) -> Near {
        let mut order = vec![from];
        let mut within = vec![1];
        let mut is_known = vec![false; self.vertices];
        is_known[from] = true;
        let mut next = 0;
        while next < order.len() {
            for index in next..order.len() {
                for (to, _) in &self.steps[order[index]] {
                    if !std::mem::replace(&mut is_known[*to], true) {
                        order.push(*to);
                    }
                }
            }
            next = *within.last().expect("it begins with one");
            within.push(order.len());
        }
        Near {
            order,
            counts: within,
        }
    }

    /// Computes the bounds from the next tick on, for the vertices that the guard can reach by
    /// then.
    fn update_bounds(&mut self, depth: usize) {
        let n = self.vertices;
        let last = self.instants - 1;
        self.bounds[last * n..(last + 1) * n].fill(0.0);
        let Near { order, counts } = &self.near[self.path[depth]];
        let belief = &self.beliefs[depth];
        for tick in (depth + 1..last).rev() {
            let after = tick - depth;
            let (now, next) = self.bounds[tick * n..].split_at_mut(n);
            let (here, there) = (&belief[after * n..], &belief[(after + 1) * n..]);
            let reached = counts[after.min(counts.len() - 1)];
            for from in &order[..reached] {
                let mass = here[*from];
                // The share of the intruder that was just captured here does not count there again.
                let each = self.steps[*from]
                    .iter()
                    .map(|(to, part)| there[*to] - mass * part + next[*to]);
                now[*from] = each.fold(0.0, f64::max);
            }
        }
    }

    /// Updates the beliefs of the next depth when the guard sees a vertex at the next tick.
    fn descend(&mut self, depth: usize, to: usize, seen: f64) {
        let n = self.vertices;
        let ticks = self.instants - 1 - depth;
        let (before, after) = self.beliefs.split_at_mut(depth + 1);
        let (before, after) = (&before[depth], &mut after[0]);
        for tick in 0..ticks {
            let row = (tick * n + to) * n;
            let transitions = &self.transitions[row..row + n];
            let old = &before[(tick + 1) * n..(tick + 2) * n];
            let new = &mut after[tick * n..(tick + 1) * n];
            for ((new, old), part) in new.iter_mut().zip(old).zip(transitions) {
                *new = (old - seen * part).max(0.0);
            }
        }
    }
}

/// Whether there is one guard, which sees the vertex where it is and takes one tick for each edge.
fn is_suitable(context: &Context<'_>) -> bool {
    let problem = context.problem;
    let is_simple = |vertex: usize| {
        let mut edges = problem.out_edges(vertex).iter();
        problem.sight(0, vertex).len() == 1
            && problem.pause(vertex) == 0
            && edges.all(|edge| problem.ticks(0, *edge) == 1)
    };
    let is_one_guard = problem.guards().len() == 1 && problem.spec().gaps.is_empty();
    is_one_guard && problem.places() == problem.vertices() && (0..problem.vertices()).all(is_simple)
}

/// Positions of a guard that stands at the vertices of a path.
pub(super) fn standing(path: &[usize]) -> Vec<Position> {
    let position = |vertex: &usize| Position {
        vertex: u32::try_from(*vertex).expect("vertices are limited"),
        edge: STANDING,
        clock: 0,
    };
    path.iter().map(position).collect()
}
