//! Beam search that replans a stretch of time for some guards, the others as they are: over the
//! positions of these guards and what is left of the intruder.

use crate::scene::{STANDS, Scene, Spot, share};
use anytime::Control;
use std::collections::BTreeSet;

/// A stretch of time to be walked anew.
pub(super) struct Stretch<'s> {
    pub scene: &'s Scene<'s>,
    /// Guards that walk anew, rising.
    pub active: &'s [usize],
    /// Where each guard is at each tick; what the active ones do after the first tick of the
    /// stretch does not count.
    pub tracks: &'s [Vec<Spot>],
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
pub(super) struct Way {
    /// Where each active guard is at the ticks after the first.
    pub spots: Vec<Vec<Spot>>,
    /// How likely the intruder escapes in the end.
    pub escape: f64,
}

struct Node {
    belief: Vec<u64>,
    spots: Vec<Spot>,
    /// Index in the trail; none for the root.
    came: Option<usize>,
}

struct Candidate {
    /// How likely the intruder escapes if the active guards see nothing more; lower is better.
    value: f64,
    parent: usize,
    spots: Vec<Spot>,
}

impl Stretch<'_> {
    /// The best way found; `None`: told to stop, or there is none.
    pub(super) fn search<P, C: Ord + Copy>(&self, control: &mut Control<'_, P, C>) -> Option<Way> {
        let [from, until] = self.ticks;
        let values = self.values();
        let tables = self.tables();
        let mut trail: Vec<(Option<usize>, Vec<Spot>)> = Vec::new();
        let mut nodes = vec![Node {
            belief: self.belief.to_vec(),
            spots: self.at(from),
            came: None,
        }];
        let (mut parts, mut stepped) = (Vec::new(), Vec::new());
        for tick in from + 1..=until {
            let mut candidates = Vec::new();
            for (parent, node) in nodes.iter_mut().enumerate() {
                if !control.tick() {
                    return None;
                }
                self.scene.step(&node.belief, &mut parts, &mut stepped);
                self.look(tick, &mut stepped);
                std::mem::swap(&mut node.belief, &mut stepped);
                let known = (&*node, &*values[tick - from]);
                self.children((tick, parent), known, &mut candidates);
            }
            candidates.retain(|one| self.can_make_it(&tables, until - tick, &one.spots));
            nodes = self.keep(&nodes, candidates, &mut trail);
        }
        let best = nodes.iter().map(|node| (self.escape(node), node));
        let (escape, best) = best.min_by(|one, other| one.0.total_cmp(&other.0))?;
        let mut spots = vec![Vec::with_capacity(until - from); self.active.len()];
        let mut came = best.came;
        while let Some(index) = came {
            let (before, at) = &trail[index];
            for (list, spot) in spots.iter_mut().zip(at) {
                list.push(*spot);
            }
            came = *before;
        }
        spots.iter_mut().for_each(|list| list.reverse());
        Some(Way { spots, escape })
    }

    fn at(&self, tick: usize) -> Vec<Spot> {
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
        (0..self.scene.guards()).filter(|guard| !self.active.contains(guard))
    }

    /// What the others see is not left.
    fn look(&self, tick: usize, belief: &mut [u64]) {
        for guard in self.others() {
            let spot = self.tracks[guard][tick];
            self.scene.look(guard, spot, |place| belief[place] = 0);
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
                let spot = self.tracks[guard][tick];
                self.scene.look(guard, spot, |place| after[place] = 0.0);
            }
            let mut before = Vec::new();
            if self.scene.steps.go_on(self.scene.step_work()) {
                self.scene.step_back(&after, &mut before);
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
        for ((list, guard), spot) in moves.iter_mut().zip(self.active).zip(&node.spots) {
            self.scene.moves(*guard, *spot, list);
        }
        let mut choice = vec![0; moves.len()];
        let mut seen = Vec::new();
        loop {
            let spots: Vec<Spot> = choice
                .iter()
                .zip(&moves)
                .map(|(i, list)| list[*i])
                .collect();
            if self.may(tick, &node.spots, &spots) {
                seen.clear();
                for (guard, spot) in self.active.iter().zip(&spots) {
                    self.scene.look(*guard, *spot, |place| seen.push(place));
                }
                if spots.len() > 1 {
                    seen.sort_unstable();
                    seen.dedup();
                }
                let gain = seen.iter().map(|p| share(node.belief[*p]) * values[*p]);
                out.push(Candidate {
                    value: all - gain.sum::<f64>(),
                    parent,
                    spots,
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
    fn may(&self, tick: usize, from: &[Spot], to: &[Spot]) -> bool {
        if self.scene.problem.spec().may_swap {
            return true;
        }
        let steps: Vec<[Spot; 2]> = from.iter().zip(to).map(|(from, to)| [*from, *to]).collect();
        let others = self.others().map(|guard| {
            let track = &self.tracks[guard];
            [track[tick - 1], track[tick]]
        });
        let all: Vec<[Spot; 2]> = steps.iter().copied().chain(others).collect();
        let pass = |one: &[Spot; 2], other: &[Spot; 2]| {
            self.scene.pass([one[0], other[0]], [one[1], other[1]])
        };
        let mut pairs = steps.iter().enumerate();
        !pairs.any(|(i, one)| all[i + 1..].iter().any(|other| pass(one, other)))
    }

    /// The best candidates, each world once.
    fn keep(
        &self,
        parents: &[Node],
        mut candidates: Vec<Candidate>,
        trail: &mut Vec<(Option<usize>, Vec<Spot>)>,
    ) -> Vec<Node> {
        let order = |one: &Candidate, other: &Candidate| {
            let key = |c: &Candidate| c.parent;
            one.value
                .total_cmp(&other.value)
                .then(key(one).cmp(&key(other)))
                .then_with(|| one.spots.cmp(&other.spots))
        };
        // Some will turn out to be the same.
        let enough = self.width.saturating_mul(3);
        if candidates.len() > enough {
            candidates.select_nth_unstable_by(enough, order);
            candidates.truncate(enough);
        }
        candidates.sort_unstable_by(order);
        let (mut kept, mut seen) = (Vec::new(), BTreeSet::new());
        for Candidate { parent, spots, .. } in candidates {
            let mut belief = parents[parent].belief.clone();
            for (guard, spot) in self.active.iter().zip(&spots) {
                self.scene.look(*guard, *spot, |place| belief[place] = 0);
            }
            if seen.insert(self.world(&belief, &spots)) {
                trail.push((parents[parent].came, spots.clone()));
                kept.push(Node {
                    belief,
                    spots,
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
    fn world(&self, belief: &[u64], spots: &[Spot]) -> u64 {
        let mut spots = spots.to_vec();
        let problem = self.scene.problem;
        if self
            .active
            .iter()
            .all(|guard| problem.are_alike(*guard, self.active[0]))
            && !self.is_tied
        {
            spots.sort_unstable();
        }
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut mix = |word: u64| {
            hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 29;
        };
        belief.iter().for_each(|mass| mix(*mass));
        for spot in spots {
            mix(u64::from(spot.vertex) << 32 | u64::from(spot.way));
            mix(spot.clock.into());
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
        each.map(|(guard, goal)| self.scene.distances(*guard, goal.vertex as usize))
            .collect()
    }

    /// Whether the active guards can be in time where they have to be.
    fn can_make_it(&self, tables: &[Vec<u32>], left: usize, spots: &[Spot]) -> bool {
        if tables.is_empty() {
            return true;
        }
        let goals = self.at(self.ticks[1]);
        if left == 0 {
            return spots == goals;
        }
        let each = self.active.iter().zip(spots).zip(tables);
        each.zip(goals).all(|(((guard, spot), table), goal)| {
            if *spot == goal && goal.way == STANDS {
                return true;
            }
            self.scene.arrival(*guard, *spot, table) as usize <= left
        })
    }
}
