//! Short closed walks past given vertices: cheapest insertion, 2-opt and Or-opt over lists of neighbours, then iterated local search (Bentley, "Fast
//! algorithms for geometric traveling salesman problems", ORSA Journal on Computing 4, 1992; Johnson, McGeoch, "The traveling salesman
//! problem: a case study in local optimization", 1997).

use crate::plan::Stop;
use crate::solve::round::{Judge, Round};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Steps that a place in a round counts for, as [`Steps`](crate::scene::Steps) counts them.
const PLACE_STEPS: u64 = 8;
/// Nearest vertices that moves are tried with.
const NEAR: usize = 8;
/// Longest part of a tour that Or-opt moves, in vertices.
const MOVED_MAX: usize = 3;
/// Perturbations for each vertex.
const KICKS: usize = 30;
/// Longest part of a tour that a perturbation changes, in vertices.
const KICKED_MAX: usize = 50;
/// Most vertices that a tour is improved for, beyond insertion.
const IMPROVED_MAX: usize = 1_000;

/// A tour past vertices, by their index in the list of all.
struct Tour {
    /// Ticks between two vertices.
    far: Vec<Vec<u32>>,
    near: Vec<Vec<usize>>,
    order: Vec<usize>,
    /// Where each vertex is in the order.
    place: Vec<usize>,
    /// Vertices at which moves are still to be tried.
    open: Vec<usize>,
    is_open: Vec<bool>,
}

/// A short round past these vertices; none: where the guard starts. Past the first ones only, when told to stop.
pub(super) fn tour(judge: &mut Judge<'_>, vertices: &[usize]) -> Round {
    let start = judge.scene.problem.guards()[judge.guard].start;
    let vertices = match vertices {
        [] => &[start],
        vertices => vertices,
    };
    let Some(order) = inserted(judge, vertices) else {
        return round(&vertices[..1]);
    };
    if order.len() < 4 || order.len() > IMPROVED_MAX {
        return round(&order);
    }
    let far = |from: &usize| {
        let each = order.iter().map(|to| judge.ways.far(*from, *to));
        each.collect::<Vec<u32>>()
    };
    let mut tour = Tour::new(order.iter().map(far).collect());
    tour.improve();
    tour.perturb(judge);
    round(
        &tour
            .order
            .iter()
            .map(|index| order[*index])
            .collect::<Vec<_>>(),
    )
}

fn round(vertices: &[usize]) -> Round {
    let goal = |vertex: &usize| Stop {
        vertex: *vertex,
        stay: 0,
    };
    Round {
        goals: vertices.iter().map(goal).collect(),
    }
}

/// Each vertex put where it costs least time; `None`: told to stop before the second.
fn inserted(judge: &mut Judge<'_>, vertices: &[usize]) -> Option<Vec<usize>> {
    let mut order = vec![vertices[0]];
    for vertex in vertices[1..].iter().copied() {
        let count = order.len();
        if !judge.scene.steps.aside(PLACE_STEPS * count as u64) {
            break;
        }
        let ways = &mut judge.ways;
        let detour = |at: &usize| {
            let [here, next] = [order[*at], order[(at + 1) % count]];
            i64::from(ways.far(here, vertex)) + i64::from(ways.far(vertex, next))
                - i64::from(ways.far(here, next))
        };
        let at = (0..count).min_by_key(detour).expect("there is a goal") + 1;
        order.insert(at, vertex);
    }
    (order.len() == vertices.len()).then_some(order)
}

impl Tour {
    /// In the order of the list.
    fn new(far: Vec<Vec<u32>>) -> Self {
        let count = far.len();
        let near = |(from, far): (usize, &Vec<u32>)| {
            let mut near: Vec<usize> = (0..count).filter(|to| *to != from).collect();
            if near.len() > NEAR {
                // Not all are sorted: nobody could stop that where there are many.
                near.select_nth_unstable_by_key(NEAR, |to| (far[*to], *to));
                near.truncate(NEAR);
            }
            near.sort_by_key(|to| (far[*to], *to));
            near
        };
        Self {
            near: far.iter().enumerate().map(near).collect(),
            far,
            order: (0..count).collect(),
            place: (0..count).collect(),
            open: (0..count).rev().collect(),
            is_open: vec![true; count],
        }
    }

    /// The vertex so many places after one.
    fn after(&self, vertex: usize, places: usize) -> usize {
        self.order[(self.place[vertex] + places) % self.order.len()]
    }

    fn far(&self, from: usize, to: usize) -> i64 {
        i64::from(self.far[from][to])
    }

    fn ticks(&self) -> i64 {
        let count = self.order.len();
        let each = (0..count).map(|at| self.far(self.order[at], self.order[(at + 1) % count]));
        each.sum()
    }

    /// 2-opt and Or-opt until no move saves time.
    fn improve(&mut self) {
        while let Some(vertex) = self.open.pop() {
            self.is_open[vertex] = false;
            while self.exchange(vertex) || self.relocate(vertex) {}
        }
    }

    fn touch(&mut self, vertices: impl IntoIterator<Item = usize>) {
        for vertex in vertices {
            if !std::mem::replace(&mut self.is_open[vertex], true) {
                self.open.push(vertex);
            }
        }
    }

    /// Walks a part of the tour the other way, from one place to another, both included.
    fn reverse(&mut self, mut from: usize, mut to: usize) {
        let count = self.order.len();
        let inside = (to + count - from) % count + 1;
        // The shorter of both parts: the tour is the same.
        let mut swaps = inside / 2;
        if 2 * inside > count {
            (from, to) = ((to + 1) % count, (from + count - 1) % count);
            swaps = (count - inside) / 2;
        }
        for _ in 0..swaps {
            self.order.swap(from, to);
            self.place[self.order[from]] = from;
            self.place[self.order[to]] = to;
            (from, to) = ((from + 1) % count, (to + count - 1) % count);
        }
    }

    /// 2-opt: two edges for two others, one of them at this vertex; says whether that saves time.
    fn exchange(&mut self, one: usize) -> bool {
        let count = self.order.len();
        for places in [1, count - 1] {
            let next = self.after(one, places);
            for index in 0..self.near[one].len() {
                let other = self.near[one][index];
                let saved = self.far(one, next) - self.far(one, other);
                if saved <= 0 {
                    break;
                }
                let then = self.after(other, places);
                if saved + self.far(other, then) - self.far(next, then) <= 0 {
                    continue;
                }
                match places {
                    1 => self.reverse(self.place[next], self.place[other]),
                    _ => self.reverse(self.place[one], self.place[then]),
                }
                self.touch([one, next, other, then]);
                return true;
            }
        }
        false
    }

    /// Or-opt: some in a row, of which this vertex is an end, go next to one that is near; says whether that saves time.
    fn relocate(&mut self, one: usize) -> bool {
        let count = self.order.len();
        for long in 1..=MOVED_MAX.min(count - 3) {
            for places in [1, count - 1] {
                // From `one` on in this direction.
                let last = self.after(one, places * (long - 1));
                let [before, behind] = [self.after(one, count - places), self.after(last, places)];
                let closed =
                    self.far(before, one) + self.far(last, behind) - self.far(before, behind);
                for index in 0..self.near[one].len() {
                    let other = self.near[one][index];
                    if closed <= self.far(one, other) {
                        break;
                    }
                    let moved: Vec<usize> =
                        (0..long).map(|n| self.after(one, places * n)).collect();
                    if moved.contains(&other) {
                        continue;
                    }
                    for side in [1, count - 1] {
                        let mut next = self.after(other, side);
                        if moved.contains(&next) {
                            // What is moved lies between them now.
                            next = self.after(next, side * long);
                        }
                        let opened =
                            self.far(one, other) + self.far(last, next) - self.far(other, next);
                        if opened < closed {
                            self.insert(&moved, (other, next));
                            self.touch([before, behind, other, next, one, last]);
                            return true;
                        }
                    }
                }
            }
        }
        false
    }

    /// Puts some that are in a row between two that are next to each other once the others are gone: the first of them next to `other`.
    fn insert(&mut self, moved: &[usize], (other, next): (usize, usize)) {
        self.order.retain(|vertex| !moved.contains(vertex));
        let find = |order: &[usize], vertex| order.iter().position(|v| *v == vertex);
        let at = find(&self.order, other).expect("it is not moved");
        let is_before = self.order[(at + 1) % self.order.len()] == next;
        let mut moved = moved.to_vec();
        let at = match is_before {
            true => at + 1,
            false => {
                moved.reverse();
                at
            }
        };
        self.order.splice(at..at, moved);
        for (place, vertex) in self.order.iter().enumerate() {
            self.place[*vertex] = place;
        }
    }

    /// Iterated local search: exchanges two parts in a row, improves what is around, and goes back if that takes longer.
    fn perturb(&mut self, judge: &Judge<'_>) {
        let count = self.order.len();
        if count < 8 {
            return;
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(count as u64);
        let mut ticks = self.ticks();
        let mut best = (self.order.clone(), self.place.clone());
        for _ in 0..KICKS * count {
            if !judge.scene.steps.aside(PLACE_STEPS * count as u64) {
                break;
            }
            let window = KICKED_MAX.min(count - 1);
            let [one, two] = [0; 2].map(|_| rng.random_range(1..window));
            let long = one.max(two);
            // Three cuts: before the first, between both, and after the second.
            self.order.rotate_left(rng.random_range(0..count));
            let middle = one.min(two);
            let ends =
                [0, middle, long].map(|at| [self.order[(at + count - 1) % count], self.order[at]]);
            self.order[..long].rotate_left(middle);
            for (place, vertex) in self.order.iter().enumerate() {
                self.place[*vertex] = place;
            }
            self.touch(ends.into_iter().flatten());
            self.improve();
            let now = self.ticks();
            if now <= ticks {
                ticks = now;
                best.0.clone_from(&self.order);
                best.1.clone_from(&self.place);
            } else {
                self.order.clone_from(&best.0);
                self.place.clone_from(&best.1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Tour, tour};
    use crate::generate::{grid, museum, staying};
    use crate::problem::Problem;
    use crate::scene::Scene;
    use crate::solve::round::Judge;
    use proptest::prelude::*;

    fn ticks(judge: &mut Judge<'_>, vertices: &[usize]) -> i64 {
        let next = vertices.iter().skip(1).chain(vertices.first());
        let each = vertices.iter().zip(next);
        each.map(|(from, to)| i64::from(judge.ways.far(*from, *to)))
            .sum()
    }

    /// All orders of the vertices after the first.
    fn shortest(judge: &mut Judge<'_>, vertices: &mut [usize], from: usize) -> i64 {
        if from == vertices.len() {
            return ticks(judge, vertices);
        }
        let each = (from..vertices.len()).map(|other| {
            vertices.swap(from, other);
            let least = shortest(judge, vertices, from + 1);
            vertices.swap(from, other);
            least
        });
        each.min().unwrap_or(i64::MAX)
    }

    #[test]
    fn an_open_grid_has_a_tour_that_passes_each_place_once() {
        let problem = Problem::new(staying(grid(12, 12, 1), 9)).expect("it is valid");
        let scene = Scene::new(&problem);
        let mut judge = Judge::new(&scene, (0, 1));
        let round = tour(&mut judge, &(0..144).collect::<Vec<_>>());
        let order: Vec<usize> = round.goals.iter().map(|goal| goal.vertex).collect();
        assert_eq!(ticks(&mut judge, &order), 144);
    }

    #[test]
    fn a_part_that_is_reversed_is_so_on_either_side() {
        for (from, to) in [(1, 3), (5, 1), (0, 6), (6, 0), (2, 2)] {
            let mut one = Tour::new(vec![vec![0; 7]; 7]);
            let edges = |tour: &Tour| {
                let each = (0..7).map(|at| [tour.order[at], tour.order[(at + 1) % 7]]);
                let mut edges: Vec<_> = each.map(|[a, b]| [a.min(b), a.max(b)]).collect();
                edges.sort_unstable();
                edges
            };
            one.reverse(from, to);
            let mut plain: Vec<usize> = (0..7).collect();
            let inside: Vec<usize> = (0..(to + 7 - from) % 7 + 1)
                .map(|n| (from + n) % 7)
                .collect();
            for (at, vertex) in inside.iter().zip(inside.iter().rev()) {
                plain[*at] = *vertex;
            }
            let mut other = Tour::new(vec![vec![0; 7]; 7]);
            other.order = plain;
            assert_eq!(edges(&one), edges(&other), "{from} {to}");
            assert!((0..7).all(|at| one.place[one.order[at]] == at));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn small_tours_pass_all_and_are_as_short_as_can_be(seed: u64, count in 1..8_usize) {
            let problem = museum((4, 4), 1, seed);
            let scene = Scene::new(&problem);
            let mut judge = Judge::new(&scene, (0, 1));
            let mut vertices: Vec<usize> = (0..16).filter(|v| (seed >> v) & 1 == 1).collect();
            vertices.truncate(count);
            prop_assume!(!vertices.is_empty());
            let round = tour(&mut judge, &vertices);
            let order: Vec<usize> = round.goals.iter().map(|goal| goal.vertex).collect();
            let mut passed = order.clone();
            passed.sort_unstable();
            prop_assert_eq!(&passed, &vertices);
            let found = ticks(&mut judge, &order);
            let least = shortest(&mut judge, &mut vertices, 1);
            prop_assert!(found >= least);
            // Local optima are at most a fifth longer in these.
            prop_assert!(5 * found <= 6 * least, "{} {}", found, least);
        }
    }
}
