//! The landmark cut bound (Helmert and Domshlak, "Landmarks, critical paths and abstractions",
//! ICAPS 2009): a sum of least costs of cuts. Every story that reaches a target does at least one
//! action of each cut.
//!
//! A story pays for a group once for each time that it is done, and what cuts take from the cost of
//! a group adds up to that cost at most. So the sum is at most what any story pays.

mod zone;

use super::Relaxation;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const UNREACHABLE: i64 = i64::MAX / 4;
const NONE: u32 = u32::MAX;

/// A proposition and what it costs, in one number: cheap ones are less.
type Due = u128;

fn due(cost: i64, proposition: u32) -> Due {
    (cost as Due) << 32 | Due::from(proposition)
}

fn cost_of(due: Due) -> i64 {
    (due >> 32) as i64
}

/// Least costs of propositions by their dearest need (h max), and what needs they go back to.
#[derive(Debug, Clone, Default)]
struct Levels {
    /// By proposition.
    cost: Vec<i64>,
    /// By operator: cost of the dearest need, and which that is.
    before: Vec<i64>,
    dearest: Vec<u32>,
}

/// Room for bounds of many states and targets of one relaxation.
pub(crate) struct LandmarkCut<'r> {
    relaxed: &'r Relaxation,
    /// Of the state, before any cut.
    first: Levels,
    now: Levels,
    holding: Vec<u32>,
    left: Vec<i64>,
    /// The same after other cuts.
    aside: (Levels, Vec<i64>),
    missing: Vec<u32>,
    queue: BinaryHeap<Reverse<Due>>,
    zone: Vec<u8>,
    /// Propositions of the goal's zone.
    goals: Vec<u32>,
    /// Propositions to be classified as before the cut or not, each with the place of its
    /// successor.
    trail: Vec<(u32, u32)>,
    cut: Vec<u32>,
    /// By operator: the last cut for which it was looked at.
    looked: Vec<u64>,
    looks: u64,
    /// By group: the last cut that it was in.
    seen_group: Vec<u64>,
    cuts: u64,
    free: Vec<u32>,
    /// Cuts of the last target, if they are wanted: what they cost, and their groups.
    pub(crate) record: Option<Vec<(i64, Vec<u32>)>>,
}

impl<'r> LandmarkCut<'r> {
    pub(crate) fn new(relaxed: &'r Relaxation) -> Self {
        let operators = relaxed.group_of.len();
        let free = (0..operators).filter(|o| relaxed.needs.row(*o).is_empty());
        Self {
            relaxed,
            first: Levels::default(),
            now: Levels::default(),
            holding: Vec::new(),
            left: Vec::new(),
            aside: (Levels::default(), Vec::new()),
            missing: Vec::new(),
            queue: BinaryHeap::new(),
            zone: vec![0; relaxed.propositions],
            goals: Vec::new(),
            trail: Vec::new(),
            cut: Vec::new(),
            looked: vec![0; operators],
            looks: 0,
            seen_group: vec![0; relaxed.groups.len()],
            cuts: 0,
            free: free.map(|o| o as u32).collect(),
            record: None,
        }
    }

    /// Looks at a state, before targets are asked for: facts, then which of the required actions
    /// were done, in words of 15 bits.
    pub(crate) fn state(&mut self, state: &[i16]) {
        let relaxed = self.relaxed;
        relaxed.holding(state, &mut self.holding);
        let operators = relaxed.group_of.len();
        let Levels {
            cost,
            before,
            dearest,
        } = &mut self.first;
        refill(cost, relaxed.propositions, UNREACHABLE);
        refill(before, operators, UNREACHABLE);
        refill(dearest, operators, NONE);
        self.missing.clear();
        self.missing
            .extend((0..operators).map(|o| relaxed.needs.row(o).len() as u32));
        self.queue.clear();
        for &proposition in &self.holding {
            cost[proposition as usize] = 0;
            self.queue.push(Reverse(due(0, proposition)));
        }
        let reach = |operator: u32, at: i64, queue: &mut BinaryHeap<_>, cost: &mut [i64]| {
            let group = relaxed.group_of[operator as usize] as usize;
            let after = at + relaxed.groups[group].cost;
            for &add in relaxed.adds.row(operator as usize) {
                if after < cost[add as usize] {
                    cost[add as usize] = after;
                    queue.push(Reverse(due(after, add)));
                }
            }
        };
        for &operator in &self.free {
            before[operator as usize] = 0;
            reach(operator, 0, &mut self.queue, cost);
        }
        while let Some(Reverse(next)) = self.queue.pop() {
            let (at, proposition) = (cost_of(next), next as u32);
            if at > cost[proposition as usize] {
                continue;
            }
            for &operator in relaxed.needed_by.row(proposition as usize) {
                let missing = &mut self.missing[operator as usize];
                *missing -= 1;
                if *missing == 0 {
                    // Propositions come in the order of their costs: the last need is the dearest.
                    before[operator as usize] = at;
                    dearest[operator as usize] = proposition;
                    reach(operator, at, &mut self.queue, cost);
                }
            }
        }
    }

    /// A cost that no story from the state to the target undercuts; no more is looked for once it
    /// is at least `enough`. None: it cannot be reached.
    ///
    /// Needs are seen to one after the other, in the order given: which order is best differs,
    /// every one gives a bound.
    pub(crate) fn bound(&mut self, needs: &[u32], enough: i64) -> Option<i64> {
        self.record.iter_mut().for_each(Vec::clear);
        let far = |need: &u32| self.first.cost[*need as usize] >= UNREACHABLE;
        if needs.iter().any(far) {
            return None;
        }
        self.now.cost.clone_from(&self.first.cost);
        self.now.before.clone_from(&self.first.before);
        self.now.dearest.clone_from(&self.first.dearest);
        self.left.clear();
        self.left
            .extend(self.relaxed.groups.iter().map(|group| group.cost));
        let mut sum = 0;
        for &need in needs {
            while self.now.cost[need as usize] > 0 && sum < enough {
                self.find_cut(need);
                sum += self.take();
                self.cheapen();
            }
        }
        Some(sum)
    }

    /// What a proposition costs at least in the state looked at.
    pub(crate) fn level(&self, need: u32) -> i64 {
        self.first.cost[need as usize]
    }

    /// Good orders of needs: the cheap ones first, and the dear ones.
    fn orders(&self, needs: &[u32]) -> [Vec<u32>; 2] {
        let mut up = needs.to_vec();
        up.sort_by_key(|need| self.first.cost[*need as usize]);
        let down: Vec<u32> = up.iter().rev().copied().collect();
        // What holds comes last: where it is undone later, what brings it back may count for what
        // is missing now.
        let holding = up.partition_point(|need| self.first.cost[*need as usize] == 0);
        up.rotate_left(holding);
        [up, down]
    }

    /// The same with needs in the better one of the good orders. With that order.
    pub(crate) fn ordered(&mut self, needs: &[u32], enough: i64) -> Option<(Vec<u32>, i64)> {
        let [up, down] = self.orders(needs);
        let first = self.bound(&up, enough)?;
        if first >= enough || up == down {
            return Some((up, first));
        }
        let record = self.record.clone();
        self.exchange();
        let second = self.bound(&down, enough)?;
        if second >= first {
            return Some((down, second));
        }
        self.exchange();
        self.record = record;
        Some((up, first))
    }

    /// The best bound over the good orders and the order given, whose bound is `known`.
    pub(crate) fn improved(&mut self, needs: &[u32], known: i64, enough: i64) -> Option<i64> {
        let [up, down] = self.orders(needs);
        let mut best = known;
        let others = [(&up, true), (&down, up != down)];
        for (order, is_other) in others {
            if is_other && *order != needs && best < enough {
                best = self.bound(order, enough)?.max(best);
            }
        }
        Some(best)
    }

    /// Lays aside what the last cuts left, and takes what was laid aside.
    fn exchange(&mut self) {
        std::mem::swap(&mut self.now, &mut self.aside.0);
        std::mem::swap(&mut self.left, &mut self.aside.1);
    }

    /// Which operators a story may contain that reaches the target last asked for, whose bound was
    /// `bound`, and costs less than `enough`.
    ///
    /// What cuts leave of the costs is paid on top of them: by whatever comes before an operator,
    /// and by itself.
    pub(crate) fn affordable(&self, bound: i64, enough: i64) -> Vec<bool> {
        let operators = self.relaxed.group_of.iter().enumerate();
        let fits = operators.map(|(operator, group)| {
            let before = self.now.before[operator];
            before < UNREACHABLE && bound + before + self.left[*group as usize] < enough
        });
        fits.collect()
    }

    /// Takes the least cost of the cut from each of its groups, once, and returns it.
    fn take(&mut self) -> i64 {
        let relaxed = self.relaxed;
        let group = |operator: &u32| relaxed.group_of[*operator as usize] as usize;
        let least = self
            .cut
            .iter()
            .map(|operator| self.left[group(operator)])
            .min();
        let least = least.unwrap_or(0);
        debug_assert!(least > 0, "what costs nothing leads into the zone");
        self.cuts += 1;
        for operator in &self.cut {
            let group = group(operator);
            if self.seen_group[group] != self.cuts {
                self.seen_group[group] = self.cuts;
                self.left[group] -= least;
            }
        }
        if let Some(record) = &mut self.record {
            let mut groups: Vec<u32> = self.cut.iter().map(|o| group(o) as u32).collect();
            groups.sort_unstable();
            groups.dedup();
            record.push((least, groups));
        }
        least
    }

    /// Costs of propositions after those of the cut's groups have fallen.
    fn cheapen(&mut self) {
        self.queue.clear();
        // All operators of a group are cheaper now; those outside of the cut, too.
        for index in 0..self.cut.len() {
            self.reach(self.cut[index]);
        }
        while let Some(Reverse(next)) = self.queue.pop() {
            let (at, proposition) = (cost_of(next), next as u32);
            if at > self.now.cost[proposition as usize] {
                continue;
            }
            for &operator in self.relaxed.needed_by.row(proposition as usize) {
                let index = operator as usize;
                if self.now.dearest[index] != proposition {
                    continue;
                }
                let needs = self.relaxed.needs.row(index).iter();
                let dearest = needs.max_by_key(|need| self.now.cost[**need as usize]);
                let Some(&dearest) = dearest else { continue };
                let before = self.now.cost[dearest as usize];
                self.now.dearest[index] = dearest;
                if before < self.now.before[index] {
                    self.now.before[index] = before;
                    self.reach(operator);
                }
            }
        }
    }

    fn reach(&mut self, operator: u32) {
        let group = self.relaxed.group_of[operator as usize] as usize;
        let after = self.now.before[operator as usize] + self.left[group];
        for &add in self.relaxed.adds.row(operator as usize) {
            if after < self.now.cost[add as usize] {
                self.now.cost[add as usize] = after;
                self.queue.push(Reverse(due(after, add)));
            }
        }
    }
}

pub(super) fn refill<T: Clone>(list: &mut Vec<T>, length: usize, value: T) {
    list.clear();
    list.resize(length, value);
}
