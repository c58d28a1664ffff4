//! Short closed tours past goals (travelling salesman): iterated local search with 2-opt and Or-opt
//! on lists of nearest goals; the perturbation is a double bridge of short segments.
//!
//! Johnson, McGeoch, "The traveling salesman problem: a case study in local optimization", in
//! Aarts, Lenstra, "Local search in combinatorial optimization", 1997; Martin, Otto, Felten,
//! "Large-step Markov chains for the traveling salesman problem", Complex Systems 5, 1991. A tour
//! of equal length is accepted, since on maps of tiles most tours are equally long.

use super::round::{Round, RoundEvaluator};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Number of nearest goals that are tried for each goal.
const NEAREST: usize = 12;
/// Longest segment that Or-opt moves.
const OR_OPT_MAX: usize = 3;
/// Longest segment of a double bridge.
const SEGMENT_MAX: usize = 30;
/// Maximum number of goals of a round that is shortened: all distances between them are stored.
const GOALS_MAX: usize = 2_000;
/// Work of a try in addition to reversals, in steps of
/// [`WorkCounter`](crate::context::WorkCounter).
const TRY_STEPS: u64 = 300;

/// Shortens a round with `tries` double bridges; its goals stay the same.
pub(super) fn shorten(
    evaluator: &mut RoundEvaluator<'_>,
    round: &mut Round,
    tries: usize,
    rng: &mut Xoshiro256PlusPlus,
) {
    let count = round.goals.len();
    if !(4..=GOALS_MAX).contains(&count) {
        return;
    }
    let work = &evaluator.context.work;
    let mut ticks = Vec::with_capacity(count * count);
    for from in &round.goals {
        if !work.proceed_uncounted(count as u64) {
            return;
        }
        let paths = &mut evaluator.paths;
        // Travel times are symmetric.
        ticks.extend(
            round
                .goals
                .iter()
                .map(|to| paths.ticks_between(to.vertex, from.vertex)),
        );
    }
    let mut tour = Tour::new(count, ticks);
    tour.local_search();
    for _ in 0..tries {
        if !work.proceed_uncounted(TRY_STEPS + std::mem::take(&mut tour.work)) {
            break;
        }
        tour.try_double_bridge(rng);
    }
    let goals = tour.order.iter().map(|goal| round.goals[*goal as usize]);
    round.goals = goals.collect();
}

/// Tour. Goals are indices in the first order.
struct Tour {
    count: usize,
    /// Travel time between each two goals.
    ticks: Vec<u32>,
    /// Nearest goals of each goal.
    near: Vec<Vec<u32>>,
    order: Vec<u32>,
    /// Position of each goal in the order.
    position: Vec<usize>,
    /// Reversals since the last double bridge.
    reversed: Vec<[usize; 2]>,
    /// Stack of goals whose neighbours changed, and membership in it.
    open: Vec<u32>,
    is_open: Vec<bool>,
    /// Number of goals moved by reversals.
    work: u64,
}

impl Tour {
    fn new(count: usize, ticks: Vec<u32>) -> Self {
        let number = |goal: usize| u32::try_from(goal).expect("goals are limited");
        let near = |goal: usize| {
            let row = &ticks[goal * count..(goal + 1) * count];
            let mut others: Vec<u32> = (0..count).filter(|o| *o != goal).map(number).collect();
            let key = |other: &u32| (row[*other as usize], *other);
            if others.len() > NEAREST {
                others.select_nth_unstable_by_key(NEAREST, key);
                others.truncate(NEAREST);
            }
            others.sort_unstable_by_key(key);
            others
        };
        Self {
            near: (0..count).map(near).collect(),
            count,
            ticks,
            order: (0..count).map(number).collect(),
            position: (0..count).collect(),
            reversed: Vec::new(),
            open: (0..count).rev().map(number).collect(),
            is_open: vec![true; count],
            work: 0,
        }
    }

    fn distance(&self, one: u32, other: u32) -> i64 {
        i64::from(self.ticks[one as usize * self.count + other as usize])
    }

    /// Goal after or before a goal.
    fn next(&self, goal: u32, is_forward: bool) -> u32 {
        let position = self.position[goal as usize];
        let next = if is_forward {
            (position + 1) % self.count
        } else {
            (position + self.count - 1) % self.count
        };
        self.order[next]
    }

    /// Exchanges two consecutive segments (double bridge); undone if the tour is longer after local
    /// search.
    fn try_double_bridge(&mut self, rng: &mut Xoshiro256PlusPlus) {
        let longest = SEGMENT_MAX.min((self.count - 2) / 2);
        let place = rng.random_range(0..self.count);
        let [one, other] = [0, 1].map(|_| rng.random_range(1..=longest));
        let at = |step: usize| self.order[(place + step) % self.count];
        let (before, after) = (at(0), at(one + other + 1));
        let ends = [at(1), at(one), at(one + 1), at(one + other)];
        let longer = self.distance(before, ends[2])
            + self.distance(ends[3], ends[0])
            + self.distance(ends[1], after)
            - self.distance(before, ends[0])
            - self.distance(ends[1], ends[2])
            - self.distance(ends[3], after);
        self.reversed.clear();
        self.exchange_segments(ends, true, true);
        self.mark(&[before, after]);
        self.mark(&ends);
        if longer - self.local_search() > 0 {
            while let Some([from, to]) = self.reversed.pop() {
                self.reverse(from, to);
                self.reversed.pop();
            }
        }
    }

    /// Local search by 2-opt and Or-opt at the marked goals; returns the gain.
    fn local_search(&mut self) -> i64 {
        let mut sum = 0;
        while let Some(goal) = self.open.pop() {
            self.is_open[goal as usize] = false;
            loop {
                let gain = self.two_opt(goal).or_else(|| self.or_opt(goal));
                let Some(gain) = gain else {
                    break;
                };
                sum += gain;
            }
        }
        sum
    }

    fn mark(&mut self, goals: &[u32]) {
        for goal in goals {
            if !std::mem::replace(&mut self.is_open[*goal as usize], true) {
                self.open.push(*goal);
            }
        }
    }

    /// 2-opt at a goal; returns the gain.
    fn two_opt(&mut self, goal: u32) -> Option<i64> {
        for is_forward in [true, false] {
            let next = self.next(goal, is_forward);
            let now = self.distance(goal, next);
            for index in 0..self.near[goal as usize].len() {
                let other = self.near[goal as usize][index];
                let gain = now - self.distance(goal, other);
                if gain <= 0 {
                    break;
                }
                let after = self.next(other, is_forward);
                let gain = gain + self.distance(other, after) - self.distance(next, after);
                if gain > 0 && other != next {
                    self.reverse_path(next, other, is_forward);
                    self.mark(&[goal, next, other, after]);
                    return Some(gain);
                }
            }
        }
        None
    }

    /// Or-opt: moves a segment that begins at a goal; returns the gain.
    fn or_opt(&mut self, goal: u32) -> Option<i64> {
        for is_forward in [true, false] {
            let before = self.next(goal, !is_forward);
            let mut last = goal;
            for length in 1..=OR_OPT_MAX.min(self.count - 3) {
                if length > 1 {
                    last = self.next(last, is_forward);
                }
                let after = self.next(last, is_forward);
                let gain = self.distance(before, goal) + self.distance(last, after)
                    - self.distance(before, after);
                let segment = [before, goal, last, after];
                if let Some(gain) = self.move_segment(segment, gain, is_forward) {
                    return Some(gain);
                }
            }
        }
        None
    }

    /// Moves a segment next to another goal; `gain` is that of its removal. Returns the whole gain.
    fn move_segment(
        &mut self,
        [before, goal, last, after]: [u32; 4],
        gain: i64,
        is_forward: bool,
    ) -> Option<i64> {
        let length = self.steps_between(goal, last, is_forward);
        for index in 0..self.near[goal as usize].len() {
            let other = self.near[goal as usize][index];
            let gain = gain - self.distance(goal, other);
            if gain <= 0 {
                break;
            }
            if self.steps_between(goal, other, is_forward) <= length {
                // Part of the segment.
                continue;
            }
            for keeps_direction in [true, false] {
                let adjacent = self.next(other, is_forward == keeps_direction);
                let gain = gain + self.distance(other, adjacent) - self.distance(last, adjacent);
                // The edge at the old position of the segment does not exist any more.
                if gain <= 0 || adjacent == goal || adjacent == last {
                    continue;
                }
                // The last goal before the new position.
                let end = if keeps_direction { other } else { adjacent };
                self.exchange_segments([goal, last, after, end], is_forward, keeps_direction);
                self.mark(&[before, goal, last, after, other, adjacent]);
                return Some(gain);
            }
        }
        None
    }

    /// Steps from a goal to another.
    fn steps_between(&self, from: u32, to: u32, is_forward: bool) -> usize {
        let [from, to] = [from, to].map(|goal| self.position[goal as usize]);
        if is_forward {
            (to + self.count - from) % self.count
        } else {
            (from + self.count - to) % self.count
        }
    }

    /// Exchanges two consecutive segments: from the first to the second goal, and from the third to
    /// the fourth. The first keeps its direction, or is reversed.
    fn exchange_segments(
        &mut self,
        [first, last, next, end]: [u32; 4],
        is_forward: bool,
        keeps_direction: bool,
    ) {
        let is_forward = self.reverse_path(first, end, is_forward);
        let is_forward = self.reverse_path(end, next, is_forward);
        if keeps_direction {
            self.reverse_path(last, first, is_forward);
        }
    }

    /// Reverses the path from a goal to another; returns the direction in which the rest is
    /// unchanged.
    fn reverse_path(&mut self, from: u32, to: u32, is_forward: bool) -> bool {
        let [from, to] = [from, to].map(|goal| self.position[goal as usize]);
        let is_rest = if is_forward {
            self.reverse(from, to)
        } else {
            self.reverse(to, from)
        };
        is_forward != is_rest
    }

    /// Reverses the order between two positions, or that of the rest, which is the same tour;
    /// returns whether it was the rest.
    fn reverse(&mut self, from: usize, to: usize) -> bool {
        let count = self.count;
        let length = (to + count - from) % count + 1;
        let is_rest = 2 * length > count;
        let (mut from, mut to, length) = if is_rest {
            ((to + 1) % count, (from + count - 1) % count, count - length)
        } else {
            (from, to, length)
        };
        self.work += length as u64;
        self.reversed.push([from, to]);
        for _ in 0..length / 2 {
            self.order.swap(from, to);
            self.position[self.order[from] as usize] = from;
            self.position[self.order[to] as usize] = to;
            from = if from + 1 == count { 0 } else { from + 1 };
            to = if to == 0 { count - 1 } else { to - 1 };
        }
        is_rest
    }
}

#[cfg(test)]
mod tests {
    use super::Tour;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn length(tour: &Tour) -> i64 {
        let next = |goal: &u32| tour.distance(*goal, tour.next(*goal, true));
        tour.order.iter().map(next).sum()
    }

    fn points(points: &[(i64, i64)]) -> Tour {
        let distance = |one: &(i64, i64), other: &(i64, i64)| {
            ((one.0 - other.0).abs() + (one.1 - other.1).abs()) as u32
        };
        let row = |one| points.iter().map(move |other| distance(one, other));
        Tour::new(points.len(), points.iter().flat_map(row).collect())
    }

    /// Length of the shortest tour that begins with these goals, by enumeration.
    fn shortest(tour: &Tour, order: &mut Vec<u32>) -> i64 {
        if order.len() == tour.count {
            let next = order.iter().cycle().skip(1);
            return order
                .iter()
                .zip(next)
                .map(|(a, b)| tour.distance(*a, *b))
                .sum();
        }
        let mut best = i64::MAX;
        for goal in 0..tour.count as u32 {
            if !order.contains(&goal) {
                order.push(goal);
                best = best.min(shortest(tour, order));
                order.pop();
            }
        }
        best
    }

    #[test]
    fn gains_are_honest_and_small_tours_are_optimal() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for case in 0..60 {
            let count = 4 + case % 5;
            let all: Vec<_> = (0..count)
                .map(|_| (rng.random_range(0..9), rng.random_range(0..9)))
                .collect();
            let mut tour = points(&all);
            let before = length(&tour);
            let gain = tour.local_search();
            assert_eq!(before - gain, length(&tour), "{all:?}");
            for _ in 0..200 {
                let before = length(&tour);
                tour.try_double_bridge(&mut rng);
                assert!(length(&tour) <= before, "{all:?}");
            }
            let mut goals = tour.order.clone();
            goals.sort_unstable();
            assert!(goals.into_iter().eq(0..count as u32), "{all:?}");
            assert_eq!(length(&tour), shortest(&tour, &mut vec![0]), "{all:?}");
        }
    }

    #[test]
    fn a_tour_past_all_tiles_of_a_floor_is_nearly_hamiltonian() {
        let all: Vec<_> = (0..400).map(|tile| (tile % 20, tile / 20)).collect();
        let mut tour = points(&all);
        tour.local_search();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        (0..40_000).for_each(|_| tour.try_double_bridge(&mut rng));
        assert!(length(&tour) <= 404, "{}", length(&tour));
    }
}
