//! Branch and bound for one guard against an intruder who enters at tick 0.
//!
//! The bound is that of Lau, Huang and Dissanayake ("Discounted MEAN bound for the optimal searcher
//! path problem with non-uniform travel times", European Journal of Operational Research 190,
//! 2008): a guard may see an intruder again, but not one that it has just seen. The most that can
//! be seen from a vertex and tick on is then a longest path.

use crate::context::{Context, Position, STANDING, share};
use anytime::Control;

/// Most numbers in the tables: vertices times vertices times instants, and vertices times instants
/// squared.
const ROOM: usize = 6_000_000;
/// Most nodes that are kept for each depth and vertex.
const DONE_MAX: usize = 64;
/// Doubles are off by less than this.
const DUST: f64 = 1e-11;

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Proof {
    /// No way for one guard of this kind.
    Unfit,
    /// Told to stop.
    Stopped,
    /// Nothing is better than what was known, by more than dust.
    Best,
}

/// The search.
pub(super) struct Bound<'s, 'f> {
    context: &'s Context<'s>,
    instants: usize,
    vertices: usize,
    /// Where who is at a place goes in so many steps: steps, from, to.
    spread: Vec<f64>,
    /// For each depth, what is left at each later tick if nobody looks any more: depth, ticks from
    /// there, place.
    free: Vec<Vec<f64>>,
    /// Most that is still seen, by tick and vertex.
    most: Vec<f64>,
    /// For each vertex, the vertices a tick later, each with the share of an intruder that moves
    /// there.
    steps: Vec<Vec<(usize, f64)>>,
    /// For each vertex, all vertices by rising distance in steps; and the number of vertices within
    /// each distance.
    near: Vec<(Vec<usize>, Vec<usize>)>,
    path: Vec<usize>,
    /// For each depth and vertex, what was left in nodes that were searched to the end.
    done: Vec<Vec<Box<[f64]>>>,
    nodes_left: u64,
    best: f64,
    found: &'f mut dyn FnMut(&[usize]),
}

impl<'s, 'f> Bound<'s, 'f> {
    /// Looks for paths that see more than `best` of the intruder, and calls `found` with each,
    /// vertex by vertex; gives up after `nodes_max` nodes.
    pub(super) fn search<P, C: Ord + Copy>(
        (context, best, nodes_max): (&'s Context<'s>, f64, u64),
        found: &'f mut dyn FnMut(&[usize]),
        control: &mut Control<'_, P, C>,
    ) -> Proof {
        let problem = context.problem;
        let (vertices, instants) = (problem.vertices(), problem.intruder().instants as usize);
        let room = vertices
            .saturating_mul(instants)
            .saturating_mul(vertices.max(instants));
        if !is_fit(context) || room > ROOM {
            return Proof::Unfit;
        }
        let start = problem.guards()[0].start;
        let mut bound = Self {
            context,
            instants,
            vertices,
            spread: Vec::new(),
            free: vec![vec![0.0; instants * vertices]; instants],
            most: vec![0.0; (instants + 1) * vertices],
            steps: Vec::new(),
            near: Vec::new(),
            path: vec![start],
            done: vec![Vec::new(); instants * vertices],
            nodes_left: nodes_max,
            best,
            found,
        };
        bound.spread = bound.spread();
        bound.steps = (0..vertices).map(|from| bound.steps(from)).collect();
        bound.near = (0..vertices).map(|from| bound.near(from)).collect();
        let mut belief: Vec<f64> = context.prior().iter().map(|mass| share(*mass)).collect();
        let seen = std::mem::take(&mut belief[start]);
        for (place, mass) in belief.iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
            for tick in 0..instants {
                let row = bound.row(tick, place);
                for to in 0..vertices {
                    bound.free[0][tick * vertices + to] += mass * bound.spread[row + to];
                }
            }
        }
        if bound.grow(seen, control) {
            Proof::Best
        } else {
            Proof::Stopped
        }
    }

    fn row(&self, steps: usize, from: usize) -> usize {
        (steps * self.vertices + from) * self.vertices
    }

    fn spread(&self) -> Vec<f64> {
        let n = self.vertices;
        let mut spread = vec![0.0; self.instants * n * n];
        for from in 0..n {
            spread[self.row(0, from) + from] = 1.0;
        }
        for steps in 1..self.instants {
            for from in 0..n {
                let (before, now) = (self.row(steps - 1, from), self.row(steps, from));
                for place in 0..n {
                    let mass = spread[before + place];
                    if mass > 0.0 {
                        let near = self.context.problem.neighbours(place);
                        let part = mass / self.context.problem.parts(place) as f64;
                        spread[now + place] += mass - part * near.len() as f64;
                        near.iter()
                            .for_each(|to| spread[now + *to as usize] += part);
                    }
                }
            }
        }
        spread
    }

    /// All ways on from here, of which `seen` is seen so far; false: told to stop.
    fn grow<P, C: Ord + Copy>(&mut self, seen: f64, control: &mut Control<'_, P, C>) -> bool {
        let depth = self.path.len() - 1;
        if depth + 1 == self.instants {
            self.end(seen);
            return true;
        }
        if self.nodes_left == 0 || !control.tick() {
            return false;
        }
        self.nodes_left -= 1;
        let here = self.path[depth];
        let n = self.vertices;
        // Dominance: a path to the same vertex that leaves no more of the intruder anywhere is at
        // least as good.
        let known = &self.done[depth * n + here];
        let rest = &self.free[depth][..n];
        let covers = |one: &[f64]| one.iter().zip(rest).all(|(one, rest)| one <= rest);
        if known.iter().any(|one| covers(one)) {
            return true;
        }
        if depth + 2 < self.instants {
            self.look_ahead(depth);
        } else {
            self.most[(depth + 1) * n..].fill(0.0);
        }
        let free = &self.free[depth][n..2 * n];
        let most = &self.most[(depth + 1) * n..];
        let steps = self.steps[here].iter();
        let mut edges: Vec<(f64, f64, usize)> = steps
            .map(|(to, _)| (seen + free[*to] + most[*to], free[*to], *to))
            .collect();
        edges.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.2.cmp(&other.2)));
        for (most, now, to) in edges {
            // Only what is better by more than all rounding counts.
            if most <= self.best + DUST {
                break;
            }
            self.path.push(to);
            let go = if depth + 2 == self.instants {
                self.end(seen + now);
                true
            } else {
                self.descend(depth, to, now);
                self.grow(seen + now, control)
            };
            self.path.pop();
            if !go {
                return false;
            }
        }
        let list = &mut self.done[depth * n + here];
        if depth + 3 < self.instants && list.len() < DONE_MAX {
            list.push(self.free[depth][..n].into());
        }
        true
    }

    /// The path is whole.
    fn end(&mut self, seen: f64) {
        if seen > self.best + DUST {
            self.best = seen;
            (self.found)(&self.path);
        }
    }

    fn steps(&self, from: usize) -> Vec<(usize, f64)> {
        let problem = self.context.problem;
        let stay = problem.spec().may_stay.then_some(from);
        let edges = problem.out_edges(from).iter().map(|edge| edge.to);
        let part = |to: usize| self.spread[self.row(1, from) + to];
        stay.into_iter()
            .chain(edges)
            .map(|to| (to, part(to)))
            .collect()
    }

    fn near(&self, from: usize) -> (Vec<usize>, Vec<usize>) {
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
        (order, within)
    }

    /// Fills in the most that can still be seen after the next tick, where the guard can be by
    /// then.
    fn look_ahead(&mut self, depth: usize) {
        let n = self.vertices;
        let last = self.instants - 1;
        self.most[last * n..(last + 1) * n].fill(0.0);
        let (order, within) = &self.near[self.path[depth]];
        let free = &self.free[depth];
        for tick in (depth + 1..last).rev() {
            let after = tick - depth;
            let (now, next) = self.most[tick * n..].split_at_mut(n);
            let (here, there) = (&free[after * n..], &free[(after + 1) * n..]);
            let reached = within[after.min(within.len() - 1)];
            for from in &order[..reached] {
                let mass = here[*from];
                // Who was just seen here is not seen again there.
                let each = self.steps[*from]
                    .iter()
                    .map(|(to, part)| there[*to] - mass * part + next[*to]);
                now[*from] = each.fold(0.0, f64::max);
            }
        }
    }

    /// What is left at later ticks when a vertex is seen at the next.
    fn descend(&mut self, depth: usize, to: usize, seen: f64) {
        let n = self.vertices;
        let ticks = self.instants - 1 - depth;
        let (before, after) = self.free.split_at_mut(depth + 1);
        let (before, after) = (&before[depth], &mut after[0]);
        for tick in 0..ticks {
            let row = (tick * n + to) * n;
            let spread = &self.spread[row..row + n];
            let old = &before[(tick + 1) * n..(tick + 2) * n];
            let new = &mut after[tick * n..(tick + 1) * n];
            for ((new, old), part) in new.iter_mut().zip(old).zip(spread) {
                *new = (old - seen * part).max(0.0);
            }
        }
    }
}

/// One guard who sees where it is and takes one tick for each way.
fn is_fit(context: &Context<'_>) -> bool {
    let problem = context.problem;
    let quick = |vertex: usize| {
        let mut edges = problem.out_edges(vertex).iter();
        problem.sight(0, vertex).len() == 1
            && problem.pause(vertex) == 0
            && edges.all(|edge| problem.ticks(0, *edge) == 1)
    };
    let alone = problem.guards().len() == 1 && problem.spec().gaps.is_empty();
    alone && problem.places() == problem.vertices() && (0..problem.vertices()).all(quick)
}

/// Vertex by vertex as spots.
pub(super) fn positions(path: &[usize]) -> Vec<Position> {
    let position = |vertex: &usize| Position {
        vertex: u32::try_from(*vertex).expect("vertices are limited"),
        edge: STANDING,
        clock: 0,
    };
    path.iter().map(position).collect()
}
