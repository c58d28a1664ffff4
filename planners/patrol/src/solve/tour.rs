//! Short closed tours past goals: 2-opt and Or-opt with lists of nearest goals, then again and
//! again from where two short stretches of the best tour change places (double bridge).
//!
//! Johnson, McGeoch, "The traveling salesman problem: a case study in local optimization", in
//! Aarts, Lenstra, "Local search in combinatorial optimization", 1997; Martin, Otto, Felten,
//! "Large-step Markov chains for the traveling salesman problem", Complex Systems 5, 1991. A tour
//! that is no longer than the one before takes its place, since on maps of tiles most are equally
//! long.

use super::round::{Round, RoundEvaluator};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Goals next to each goal that are tried.
const NEAREST: usize = 12;
/// Longest stretch that Or-opt moves.
const MOVED_MAX: usize = 3;
/// Longest stretch that changes places with another one.
const STRETCH_MAX: usize = 30;
/// Goals of a round that is shortened, at most: distances between all of them are kept.
const GOALS_MAX: usize = 2_000;
/// Steps that a try counts for in addition to what it reverses, as [`Steps`](crate::context::WorkCounter)
/// counts them.
const TRY_STEPS: u64 = 300;

/// Makes a round shorter, with so many tries; its goals stay the same.
pub(super) fn shorten(
    evaluator: &mut RoundEvaluator<'_>,
    round: &mut Round,
    (tries, rng): (usize, &mut Xoshiro256PlusPlus),
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
        // Ways take as long in both directions.
        ticks.extend(
            round
                .goals
                .iter()
                .map(|to| paths.far(to.vertex, from.vertex)),
        );
    }
    let mut tour = Tour::new(count, ticks);
    tour.descend();
    for _ in 0..tries {
        if !work.proceed_uncounted(TRY_STEPS + std::mem::take(&mut tour.work)) {
            break;
        }
        tour.try_exchange(rng);
    }
    let goals = tour.order.iter().map(|goal| round.goals[*goal as usize]);
    round.goals = goals.collect();
}

/// A tour being changed. Goals are known by their index in the first order.
struct Tour {
    count: usize,
    /// Between each two goals.
    ticks: Vec<u32>,
    /// For each goal, those nearest to it.
    near: Vec<Vec<u32>>,
    order: Vec<u32>,
    /// Where each goal is in the order.
    place: Vec<usize>,
    /// What was reversed since the last exchange, in order.
    reversed: Vec<[usize; 2]>,
    /// Goals whose neighbours changed, and which they are.
    open: Vec<u32>,
    is_open: Vec<bool>,
    /// Goals that changed their places.
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
            place: (0..count).collect(),
            reversed: Vec::new(),
            open: (0..count).rev().map(number).collect(),
            is_open: vec![true; count],
            work: 0,
        }
    }

    fn far(&self, one: u32, other: u32) -> i64 {
        i64::from(self.ticks[one as usize * self.count + other as usize])
    }

    /// The goal after or before a goal.
    fn next(&self, goal: u32, is_forward: bool) -> u32 {
        let place = self.place[goal as usize];
        let next = match (is_forward, place) {
            (true, place) if place + 1 == self.count => 0,
            (true, place) => place + 1,
            (false, 0) => self.count - 1,
            (false, place) => place - 1,
        };
        self.order[next]
    }

    /// Two stretches change places; kept unless the tour is longer in the end.
    fn try_exchange(&mut self, rng: &mut Xoshiro256PlusPlus) {
        let longest = STRETCH_MAX.min((self.count - 2) / 2);
        let place = rng.random_range(0..self.count);
        let [one, other] = [0, 1].map(|_| rng.random_range(1..=longest));
        let at = |step: usize| self.order[(place + step) % self.count];
        let (before, after) = (at(0), at(one + other + 1));
        let ends = [at(1), at(one), at(one + 1), at(one + other)];
        let longer =
            self.far(before, ends[2]) + self.far(ends[3], ends[0]) + self.far(ends[1], after)
                - self.far(before, ends[0])
                - self.far(ends[1], ends[2])
                - self.far(ends[3], after);
        self.reversed.clear();
        self.exchange(ends, (true, true));
        self.open(&[before, after]);
        self.open(&ends);
        if longer - self.descend() > 0 {
            while let Some([from, to]) = self.reversed.pop() {
                self.reverse(from, to);
                self.reversed.pop();
            }
        }
    }

    /// Improves the tour while a goal is open; says by how much.
    fn descend(&mut self) -> i64 {
        let mut sum = 0;
        while let Some(goal) = self.open.pop() {
            self.is_open[goal as usize] = false;
            loop {
                let gain = self.turn(goal).or_else(|| self.carry(goal));
                let Some(gain) = gain else {
                    break;
                };
                sum += gain;
            }
        }
        sum
    }

    fn open(&mut self, goals: &[u32]) {
        for goal in goals {
            if !std::mem::replace(&mut self.is_open[*goal as usize], true) {
                self.open.push(*goal);
            }
        }
    }

    /// 2-opt at a goal: says how much was gained.
    fn turn(&mut self, goal: u32) -> Option<i64> {
        for is_forward in [true, false] {
            let next = self.next(goal, is_forward);
            let now = self.far(goal, next);
            for index in 0..self.near[goal as usize].len() {
                let other = self.near[goal as usize][index];
                let gain = now - self.far(goal, other);
                if gain <= 0 {
                    break;
                }
                let after = self.next(other, is_forward);
                let gain = gain + self.far(other, after) - self.far(next, after);
                if gain > 0 && other != next {
                    self.reverse_path([next, other], is_forward);
                    self.open(&[goal, next, other, after]);
                    return Some(gain);
                }
            }
        }
        None
    }

    /// Or-opt: a stretch that begins at a goal goes next to another one; says how much was gained.
    fn carry(&mut self, goal: u32) -> Option<i64> {
        for is_forward in [true, false] {
            let before = self.next(goal, !is_forward);
            let mut last = goal;
            for long in 1..=MOVED_MAX.min(self.count - 3) {
                if long > 1 {
                    last = self.next(last, is_forward);
                }
                let after = self.next(last, is_forward);
                let gain = self.far(before, goal) + self.far(last, after) - self.far(before, after);
                let stretch = [before, goal, last, after];
                if let Some(gain) = self.carry_to((stretch, gain), is_forward) {
                    return Some(gain);
                }
            }
        }
        None
    }

    /// The same for one stretch, whose removal gains so much.
    fn carry_to(
        &mut self,
        ([before, goal, last, after], gain): ([u32; 4], i64),
        is_forward: bool,
    ) -> Option<i64> {
        let from = self.place[goal as usize];
        let long = self.steps([goal, last], is_forward);
        for index in 0..self.near[goal as usize].len() {
            let other = self.near[goal as usize][index];
            let gain = gain - self.far(goal, other);
            if gain <= 0 {
                break;
            }
            let step = if is_forward {
                (self.place[other as usize] + self.count - from) % self.count
            } else {
                (from + self.count - self.place[other as usize]) % self.count
            };
            if step <= long {
                // Part of the stretch.
                continue;
            }
            for keeps in [true, false] {
                let beside = self.next(other, is_forward == keeps);
                let gain = gain + self.far(other, beside) - self.far(last, beside);
                // Where the stretch was taken out there is no way between these.
                if gain <= 0 || beside == goal || beside == last {
                    continue;
                }
                // The last goal before where it goes.
                let end = if keeps { other } else { beside };
                self.exchange([goal, last, after, end], (is_forward, keeps));
                self.open(&[before, goal, last, after, other, beside]);
                return Some(gain);
            }
        }
        None
    }

    /// Steps from a goal to another.
    fn steps(&self, [from, to]: [u32; 2], is_forward: bool) -> usize {
        let [from, to] = [from, to].map(|goal| self.place[goal as usize]);
        if is_forward {
            (to + self.count - from) % self.count
        } else {
            (from + self.count - to) % self.count
        }
    }

    /// Two stretches in a row, from the first to the second goal and from the third to the fourth,
    /// change places. The first keeps its direction, or is turned round.
    fn exchange(&mut self, [first, last, next, end]: [u32; 4], (is_forward, keeps): (bool, bool)) {
        let is_forward = self.reverse_path([first, end], is_forward);
        let is_forward = self.reverse_path([end, next], is_forward);
        if keeps {
            self.reverse_path([last, first], is_forward);
        }
    }

    /// Reverses the path from a goal to another; returns the direction in which the rest is
    /// unchanged.
    fn reverse_path(&mut self, [from, to]: [u32; 2], is_forward: bool) -> bool {
        let [from, to] = [from, to].map(|goal| self.place[goal as usize]);
        let is_rest = if is_forward {
            self.reverse(from, to)
        } else {
            self.reverse(to, from)
        };
        is_forward != is_rest
    }

    /// Reverses the order from a place to another, or of the rest, which is the same tour; returns
    /// whether it was the rest.
    fn reverse(&mut self, from: usize, to: usize) -> bool {
        let count = self.count;
        let long = (to + count - from) % count + 1;
        let is_rest = 2 * long > count;
        let (mut from, mut to, long) = if is_rest {
            ((to + 1) % count, (from + count - 1) % count, count - long)
        } else {
            (from, to, long)
        };
        self.work += long as u64;
        self.reversed.push([from, to]);
        for _ in 0..long / 2 {
            self.order.swap(from, to);
            self.place[self.order[from] as usize] = from;
            self.place[self.order[to] as usize] = to;
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

    fn long(tour: &Tour) -> i64 {
        let next = |goal: &u32| tour.far(*goal, tour.next(*goal, true));
        tour.order.iter().map(next).sum()
    }

    fn points(points: &[(i64, i64)]) -> Tour {
        let far = |(one, other): (&(i64, i64), &(i64, i64))| {
            ((one.0 - other.0).abs() + (one.1 - other.1).abs()) as u32
        };
        let row = |one| points.iter().map(move |other| far((one, other)));
        Tour::new(points.len(), points.iter().flat_map(row).collect())
    }

    /// The shortest tour that begins with these goals, by all orders.
    fn shortest(tour: &Tour, order: &mut Vec<u32>) -> i64 {
        if order.len() == tour.count {
            let next = order.iter().cycle().skip(1);
            return order.iter().zip(next).map(|(a, b)| tour.far(*a, *b)).sum();
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
    fn what_is_said_to_be_gained_is_gained_and_small_tours_are_shortest() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for case in 0..60 {
            let count = 4 + case % 5;
            let all: Vec<_> = (0..count)
                .map(|_| (rng.random_range(0..9), rng.random_range(0..9)))
                .collect();
            let mut tour = points(&all);
            let before = long(&tour);
            let gain = tour.descend();
            assert_eq!(before - gain, long(&tour), "{all:?}");
            for _ in 0..200 {
                let before = long(&tour);
                tour.try_exchange(&mut rng);
                assert!(long(&tour) <= before, "{all:?}");
            }
            let mut goals = tour.order.clone();
            goals.sort_unstable();
            assert!(goals.into_iter().eq(0..count as u32), "{all:?}");
            assert_eq!(long(&tour), shortest(&tour, &mut vec![0]), "{all:?}");
        }
    }

    #[test]
    fn a_tour_past_all_tiles_of_a_floor_takes_hardly_a_step_twice() {
        let all: Vec<_> = (0..400).map(|tile| (tile % 20, tile / 20)).collect();
        let mut tour = points(&all);
        tour.descend();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        (0..40_000).for_each(|_| tour.try_exchange(&mut rng));
        assert!(long(&tour) <= 404, "{}", long(&tour));
    }
}
