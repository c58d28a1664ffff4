//! Beam search for the tracks of some guards in a window of time; the tracks of the others are
//! fixed.
//!
//! A node is the positions of these guards and the belief about the intruder. Its value is the
//! probability of escape if they see nothing more.

use crate::context::{Context, Position, STANDING, share};
use anytime::Control;
use std::collections::BTreeSet;

/// Window of time in which some guards are replanned.
pub(super) struct BeamSearch<'s> {
    pub context: &'s Context<'s>,
    /// Guards that are replanned, rising.
    pub active: &'s [usize],
    /// Positions by guard and tick; those of active guards after the first tick of the window are
    /// ignored.
    pub tracks: &'s [Vec<Position>],
    /// First and last tick of the window; the positions at the first are fixed.
    pub ticks: [usize; 2],
    /// Belief about the intruder after the first tick.
    pub belief: &'s [u64],
    /// Whether the positions at the last tick are fixed.
    pub is_end_fixed: bool,
    /// Probability of escape from each place after the last tick.
    pub last: &'s [f64],
    /// Beam width: maximum number of nodes for each tick.
    pub width: usize,
}

/// Best tracks found.
pub(super) struct Replanned {
    /// Positions of each active guard at the ticks after the first.
    pub positions: Vec<Vec<Position>>,
    /// Probability of escape.
    pub escape: f64,
}

struct Node {
    belief: Vec<u64>,
    positions: Vec<Position>,
    /// Index of the last step in the trail; none for the root.
    step: Option<usize>,
}

struct Candidate {
    /// Probability of escape if the active guards see nothing more; lower is better.
    value: f64,
    parent: usize,
    positions: Vec<Position>,
}

impl BeamSearch<'_> {
    /// Best tracks found; `None`: stopped, or infeasible.
    pub(super) fn search<P, C: Ord + Copy>(
        &self,
        control: &mut Control<'_, P, C>,
    ) -> Option<Replanned> {
        let [from, until] = self.ticks;
        let values = self.values();
        let tables = self.distance_tables();
        let mut trail: Vec<(Option<usize>, Vec<Position>)> = Vec::new();
        let mut nodes = vec![Node {
            belief: self.belief.to_vec(),
            positions: self.positions_at(from),
            step: None,
        }];
        let (mut parts, mut stepped) = (Vec::new(), Vec::new());
        for tick in from + 1..=until {
            let mut candidates = Vec::new();
            for (parent, node) in nodes.iter_mut().enumerate() {
                if !control.tick() {
                    return None;
                }
                self.context.step(&node.belief, &mut parts, &mut stepped);
                self.remove_seen(tick, &mut stepped);
                std::mem::swap(&mut node.belief, &mut stepped);
                self.expand(tick, parent, node, &values[tick - from], &mut candidates);
            }
            candidates.retain(|one| self.can_arrive(&tables, until - tick, &one.positions));
            nodes = self.select(&nodes, candidates, &mut trail);
        }
        let best = nodes.iter().map(|node| (self.escape(node), node));
        let (escape, best) = best.min_by(|one, other| one.0.total_cmp(&other.0))?;
        let mut positions = vec![Vec::with_capacity(until - from); self.active.len()];
        let mut last = best.step;
        while let Some(index) = last {
            let (before, at) = &trail[index];
            for (list, position) in positions.iter_mut().zip(at) {
                list.push(*position);
            }
            last = *before;
        }
        positions.iter_mut().for_each(|list| list.reverse());
        Some(Replanned { positions, escape })
    }

    fn positions_at(&self, tick: usize) -> Vec<Position> {
        self.active
            .iter()
            .map(|guard| self.tracks[*guard][tick])
            .collect()
    }

    fn escape(&self, node: &Node) -> f64 {
        let each = node.belief.iter().zip(self.last);
        each.map(|(mass, last)| share(*mass) * last).sum()
    }

    /// Guards with fixed tracks.
    fn fixed_guards(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.context.guards()).filter(|guard| !self.active.contains(guard))
    }

    /// Removes from a belief what the guards with fixed tracks see.
    fn remove_seen(&self, tick: usize, belief: &mut [u64]) {
        for guard in self.fixed_guards() {
            let position = self.tracks[guard][tick];
            self.context
                .for_each_seen(guard, position, |place| belief[place] = 0);
        }
    }

    /// Probability of escape by tick of the window and place if the active guards see nothing until
    /// the end of the window.
    fn values(&self) -> Vec<Vec<f64>> {
        let [from, until] = self.ticks;
        let mut values = vec![self.last.to_vec()];
        for tick in (from + 1..=until).rev() {
            let mut after = values.last().expect("the last is there").clone();
            for guard in self.fixed_guards() {
                let position = self.tracks[guard][tick];
                self.context
                    .for_each_seen(guard, position, |place| after[place] = 0.0);
            }
            let mut before = Vec::new();
            if self.context.work.proceed(self.context.step_work()) {
                self.context.step_back(&after, &mut before);
            } else {
                // Stopped: the search ends soon.
                before = after;
            }
            values.push(before);
        }
        values.reverse();
        values
    }

    /// Appends the successors of a node at a tick.
    fn expand(
        &self,
        tick: usize,
        parent: usize,
        node: &Node,
        values: &[f64],
        out: &mut Vec<Candidate>,
    ) {
        let each = node.belief.iter().zip(values);
        let all: f64 = each.map(|(mass, value)| share(*mass) * value).sum();
        let mut moves = vec![Vec::new(); self.active.len()];
        for ((list, guard), position) in moves.iter_mut().zip(self.active).zip(&node.positions) {
            self.context.moves(*guard, *position, list);
        }
        let mut choice = vec![0; moves.len()];
        let mut seen = Vec::new();
        loop {
            let positions: Vec<Position> = choice
                .iter()
                .zip(&moves)
                .map(|(i, list)| list[*i])
                .collect();
            if self.is_allowed(tick, &node.positions, &positions) {
                seen.clear();
                for (guard, position) in self.active.iter().zip(&positions) {
                    self.context
                        .for_each_seen(*guard, *position, |place| seen.push(place));
                }
                if positions.len() > 1 {
                    seen.sort_unstable();
                    seen.dedup();
                }
                let gain = seen.iter().map(|p| share(node.belief[*p]) * values[*p]);
                out.push(Candidate {
                    value: all - gain.sum::<f64>(),
                    parent,
                    positions,
                });
            }
            let Some(guard) = (0..moves.len()).find(|g| choice[*g] + 1 < moves[*g].len()) else {
                return;
            };
            choice[..guard].fill(0);
            choice[guard] += 1;
        }
    }

    /// Whether no guards pass each other where that is not allowed.
    fn is_allowed(&self, tick: usize, from: &[Position], to: &[Position]) -> bool {
        if self.context.problem.spec().may_swap {
            return true;
        }
        let steps: Vec<[Position; 2]> =
            from.iter().zip(to).map(|(from, to)| [*from, *to]).collect();
        let others = self.fixed_guards().map(|guard| {
            let track = &self.tracks[guard];
            [track[tick - 1], track[tick]]
        });
        let all: Vec<[Position; 2]> = steps.iter().copied().chain(others).collect();
        let pass = |one: &[Position; 2], other: &[Position; 2]| {
            self.context
                .pass_each_other([one[0], other[0]], [one[1], other[1]])
        };
        let mut pairs = steps.iter().enumerate();
        !pairs.any(|(i, one)| all[i + 1..].iter().any(|other| pass(one, other)))
    }

    /// Best candidates, without duplicate states.
    fn select(
        &self,
        parents: &[Node],
        mut candidates: Vec<Candidate>,
        trail: &mut Vec<(Option<usize>, Vec<Position>)>,
    ) -> Vec<Node> {
        let order = |one: &Candidate, other: &Candidate| {
            let key = |c: &Candidate| c.parent;
            one.value
                .total_cmp(&other.value)
                .then(key(one).cmp(&key(other)))
                .then_with(|| one.positions.cmp(&other.positions))
        };
        // More than the width, since some are duplicates.
        let count_max = self.width.saturating_mul(3);
        if candidates.len() > count_max {
            candidates.select_nth_unstable_by(count_max, order);
            candidates.truncate(count_max);
        }
        candidates.sort_unstable_by(order);
        let (mut selected, mut seen) = (Vec::new(), BTreeSet::new());
        for Candidate {
            parent, positions, ..
        } in candidates
        {
            let mut belief = parents[parent].belief.clone();
            for (guard, position) in self.active.iter().zip(&positions) {
                self.context
                    .for_each_seen(*guard, *position, |place| belief[place] = 0);
            }
            if seen.insert(self.state_hash(&belief, &positions)) {
                trail.push((parents[parent].step, positions.clone()));
                selected.push(Node {
                    belief,
                    positions,
                    step: Some(trail.len() - 1),
                });
                if selected.len() == self.width {
                    break;
                }
            }
        }
        selected
    }

    /// Hash of belief and positions; the order of interchangeable guards has no effect.
    fn state_hash(&self, belief: &[u64], positions: &[Position]) -> u64 {
        let mut positions = positions.to_vec();
        let problem = self.context.problem;
        let first = self.active[0];
        let mut guards = self.active.iter();
        let are_equal = guards.all(|guard| problem.are_interchangeable(*guard, first));
        if are_equal && !self.is_end_fixed {
            positions.sort_unstable();
        }
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut mix = |word: u64| {
            hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 29;
        };
        belief.iter().for_each(|mass| mix(*mass));
        for position in positions {
            mix(u64::from(position.vertex) << 32 | u64::from(position.edge));
            mix(position.clock.into());
        }
        hash
    }

    /// Shortest times from each vertex to the end of each active guard; empty if ends are free.
    fn distance_tables(&self) -> Vec<Vec<u32>> {
        if !self.is_end_fixed {
            return Vec::new();
        }
        let goals = self.positions_at(self.ticks[1]);
        let each = self.active.iter().zip(goals);
        each.map(|(guard, goal)| self.context.distances(*guard, goal.vertex as usize))
            .collect()
    }

    /// Whether the active guards can reach their ends in time.
    fn can_arrive(&self, tables: &[Vec<u32>], left: usize, positions: &[Position]) -> bool {
        if tables.is_empty() {
            return true;
        }
        let goals = self.positions_at(self.ticks[1]);
        if left == 0 {
            return positions == goals;
        }
        let each = self.active.iter().zip(positions).zip(tables);
        each.zip(goals).all(|(((guard, position), table), goal)| {
            if *position == goal && goal.edge == STANDING {
                return true;
            }
            self.context.arrival(*guard, *position, table) as usize <= left
        })
    }
}
