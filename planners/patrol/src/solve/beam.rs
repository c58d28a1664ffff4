//! Beam search that replans a stretch of time for some guards, the others as they are: over the
//! positions of these guards and what is left of the intruder.

use crate::context::{Context, Position, STANDING, share};
use anytime::Control;
use std::collections::BTreeSet;

/// A stretch of time to be walked anew.
pub(super) struct Stretch<'s> {
    pub context: &'s Context<'s>,
    /// Guards that walk anew, rising.
    pub active: &'s [usize],
    /// Where each guard is at each tick; what the active ones do after the first tick of the
    /// stretch does not count.
    pub tracks: &'s [Vec<Position>],
    /// First and last tick: where the active guards are at the first stays as it is.
    pub ticks: [usize; 2],
    /// What is left of the intruder after the first tick.
    pub belief: &'s [u64],
    /// Whether the active guards have to be at the last tick where they are now.
    pub is_tied: bool,
    /// How likely who is at a place after the last tick escapes.
    pub last: &'s [f64],
    /// How many nodes are kept for each tick.
    pub width: usize,
}

/// A better way through the stretch.
pub(super) struct Replanned {
    /// Where each active guard is at the ticks after the first.
    pub positions: Vec<Vec<Position>>,
    /// How likely the intruder escapes in the end.
    pub escape: f64,
}

struct Node {
    belief: Vec<u64>,
    positions: Vec<Position>,
    /// Index in the trail; none for the root.
    came: Option<usize>,
}

struct Candidate {
    /// How likely the intruder escapes if the active guards see nothing more; lower is better.
    value: f64,
    parent: usize,
    positions: Vec<Position>,
}

impl Stretch<'_> {
    /// The best way found; `None`: told to stop, or there is none.
    pub(super) fn search<P, C: Ord + Copy>(
        &self,
        control: &mut Control<'_, P, C>,
    ) -> Option<Replanned> {
        let [from, until] = self.ticks;
        let values = self.values();
        let tables = self.tables();
        let mut trail: Vec<(Option<usize>, Vec<Position>)> = Vec::new();
        let mut nodes = vec![Node {
            belief: self.belief.to_vec(),
            positions: self.at(from),
            came: None,
        }];
        let (mut parts, mut stepped) = (Vec::new(), Vec::new());
        for tick in from + 1..=until {
            let mut candidates = Vec::new();
            for (parent, node) in nodes.iter_mut().enumerate() {
                if !control.tick() {
                    return None;
                }
                self.context.step(&node.belief, &mut parts, &mut stepped);
                self.look(tick, &mut stepped);
                std::mem::swap(&mut node.belief, &mut stepped);
                let known = (&*node, &*values[tick - from]);
                self.children((tick, parent), known, &mut candidates);
            }
            candidates.retain(|one| self.can_make_it(&tables, until - tick, &one.positions));
            nodes = self.keep(&nodes, candidates, &mut trail);
        }
        let best = nodes.iter().map(|node| (self.escape(node), node));
        let (escape, best) = best.min_by(|one, other| one.0.total_cmp(&other.0))?;
        let mut positions = vec![Vec::with_capacity(until - from); self.active.len()];
        let mut came = best.came;
        while let Some(index) = came {
            let (before, at) = &trail[index];
            for (list, position) in positions.iter_mut().zip(at) {
                list.push(*position);
            }
            came = *before;
        }
        positions.iter_mut().for_each(|list| list.reverse());
        Some(Replanned { positions, escape })
    }

    fn at(&self, tick: usize) -> Vec<Position> {
        self.active
            .iter()
            .map(|guard| self.tracks[*guard][tick])
            .collect()
    }

    fn escape(&self, node: &Node) -> f64 {
        let each = node.belief.iter().zip(self.last);
        each.map(|(mass, last)| share(*mass) * last).sum()
    }

    /// The guards that walk on as they do.
    fn others(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.context.guards()).filter(|guard| !self.active.contains(guard))
    }

    /// What the others see is not left.
    fn look(&self, tick: usize, belief: &mut [u64]) {
        for guard in self.others() {
            let position = self.tracks[guard][tick];
            self.context
                .for_each_seen(guard, position, |place| belief[place] = 0);
        }
    }

    /// For each tick of the stretch and each place, the probability of escape from there if the
    /// active guards see nothing until the end of the stretch.
    fn values(&self) -> Vec<Vec<f64>> {
        let [from, until] = self.ticks;
        let mut values = vec![self.last.to_vec()];
        for tick in (from + 1..=until).rev() {
            let mut after = values.last().expect("the last is there").clone();
            for guard in self.others() {
                let position = self.tracks[guard][tick];
                self.context
                    .for_each_seen(guard, position, |place| after[place] = 0.0);
            }
            let mut before = Vec::new();
            if self.context.work.proceed(self.context.step_work()) {
                self.context.step_back(&after, &mut before);
            } else {
                // Asked to stop: the search ends soon.
                before = after;
            }
            values.push(before);
        }
        values.reverse();
        values
    }

    fn children(
        &self,
        (tick, parent): (usize, usize),
        (node, values): (&Node, &[f64]),
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
            if self.may(tick, &node.positions, &positions) {
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

    /// Whether nobody passes anybody where that is not allowed.
    fn may(&self, tick: usize, from: &[Position], to: &[Position]) -> bool {
        if self.context.problem.spec().may_swap {
            return true;
        }
        let steps: Vec<[Position; 2]> =
            from.iter().zip(to).map(|(from, to)| [*from, *to]).collect();
        let others = self.others().map(|guard| {
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

    /// The best candidates, each world once.
    fn keep(
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
        // Some will turn out to be the same.
        let enough = self.width.saturating_mul(3);
        if candidates.len() > enough {
            candidates.select_nth_unstable_by(enough, order);
            candidates.truncate(enough);
        }
        candidates.sort_unstable_by(order);
        let (mut kept, mut seen) = (Vec::new(), BTreeSet::new());
        for Candidate {
            parent, positions, ..
        } in candidates
        {
            let mut belief = parents[parent].belief.clone();
            for (guard, position) in self.active.iter().zip(&positions) {
                self.context
                    .for_each_seen(*guard, *position, |place| belief[place] = 0);
            }
            if seen.insert(self.world(&belief, &positions)) {
                trail.push((parents[parent].came, positions.clone()));
                kept.push(Node {
                    belief,
                    positions,
                    came: Some(trail.len() - 1),
                });
                if kept.len() == self.width {
                    break;
                }
            }
        }
        kept
    }

    /// A number for what is left and where guards are, who are interchangeable if they are alike.
    fn world(&self, belief: &[u64], positions: &[Position]) -> u64 {
        let mut positions = positions.to_vec();
        let problem = self.context.problem;
        if self
            .active
            .iter()
            .all(|guard| problem.are_alike(*guard, self.active[0]))
            && !self.is_tied
        {
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

    /// Ticks from each vertex to where each active guard has to be; nothing when they are free.
    fn tables(&self) -> Vec<Vec<u32>> {
        if !self.is_tied {
            return Vec::new();
        }
        let goals = self.at(self.ticks[1]);
        let each = self.active.iter().zip(goals);
        each.map(|(guard, goal)| self.context.distances(*guard, goal.vertex as usize))
            .collect()
    }

    /// Whether the active guards can be in time where they have to be.
    fn can_make_it(&self, tables: &[Vec<u32>], left: usize, positions: &[Position]) -> bool {
        if tables.is_empty() {
            return true;
        }
        let goals = self.at(self.ticks[1]);
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
