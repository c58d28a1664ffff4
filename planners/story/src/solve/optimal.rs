//! Best first in -ln E, with the landmark cut bound for every target: ends with a proof.
//!
//! A node stands for all stories that begin in one way. For each target that it may still reach it knows a cost that none of them
//! undercuts: what its beginning costs, the bound of the target, and -ln G of it. Nodes without a target that promises more than the
//! best story so far are dropped. A beginning that leads where another one led that is as believable and as short is dropped too:
//! whatever follows on it follows on the other, at the same cost, since what can happen depends on the facts alone.

use crate::machine::code::Writes;
use crate::machine::index::World;
use crate::machine::{Ground, Machine};
use crate::plan::{Cost, PICO, Plan};
use crate::relax::cut::Cutter;
use crate::relax::{Relaxed, UNIT, cost};
use anytime::Control;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A story has to be better by more than this, as costs go, to be looked for: costs are rounded.
const SLACK: i64 = 400;

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// Nothing is better than the best story offered.
    Proved,
    /// No room for more nodes, or enough was done.
    Full,
    /// Told to stop.
    Stopped,
}

/// How to search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aim {
    /// How many times more than what is done what is still to be done counts. 1: best first. More: greedy.
    pub(super) weight: i64,
    /// Most nodes to be opened.
    pub(super) opened_max: u64,
}

impl Aim {
    /// Best first, to the end.
    pub(super) const PROOF: Self = Self {
        weight: 1,
        opened_max: u64::MAX,
    };
}

struct Node {
    facts: Box<[i16]>,
    parent: u32,
    ground: Ground,
    depth: u8,
    /// Costs so far, rounded down one by one.
    cost: i64,
    believability: f64,
    /// Targets, and bounds of what is still to be paid for them.
    targets: Vec<(u32, i64)>,
}

/// A search for better stories.
pub(super) struct Climb<'m> {
    machine: &'m Machine,
    relaxed: &'m Relaxed,
    cutter: Cutter<'m>,
    /// By target: its needs, in the order in which they are seen to.
    needs: Vec<Vec<u32>>,
    nodes: Vec<Node>,
    queue: BinaryHeap<(Reverse<i64>, u8, u32)>,
    /// By facts: cost, depth and number of the node that is best.
    known: BTreeMap<Box<[i16]>, u32>,
    /// Stories that score as little or less are not looked for, nor those that cost `limit` or more.
    floor: f64,
    limit: i64,
    world: World,
    writes: Writes,
    choices: Vec<Ground>,
}

impl<'m> Climb<'m> {
    pub(super) fn new(machine: &'m Machine, relaxed: &'m Relaxed, floor: f64) -> Self {
        Self {
            machine,
            relaxed,
            cutter: Cutter::new(relaxed, machine.grounds()),
            needs: relaxed
                .targets
                .iter()
                .map(|target| target.needs.clone())
                .collect(),
            nodes: Vec::new(),
            queue: BinaryHeap::new(),
            known: BTreeMap::new(),
            floor,
            limit: i64::MAX / 4,
            world: machine.init.clone(),
            writes: Vec::new(),
            choices: Vec::new(),
        }
    }

    /// Searches; `control` has been offered the story in which nothing happens, where that is allowed.
    pub(super) fn run(&mut self, aim: Aim, control: &mut Control<'_, Plan, Cost>) -> Ended {
        self.set_limit(control);
        self.order();
        let targets = 0..self.needs.len() as u32;
        self.nodes.push(Node {
            facts: self.machine.init.facts.clone().into(),
            parent: u32::MAX,
            ground: 0,
            depth: 0,
            cost: 0,
            believability: 1.0,
            targets: targets.map(|target| (target, 0)).collect(),
        });
        self.queue.push((Reverse(0), 0, 0));
        let mut opened = 0;
        while let Some((Reverse(promised), _, index)) = self.queue.pop() {
            if aim.weight == 1 {
                if promised >= self.limit {
                    break;
                }
                prove(promised, control);
            }
            if opened >= aim.opened_max || self.nodes.len() >= control.limits().nodes_max {
                return Ended::Full;
            }
            let node = &self.nodes[index as usize];
            if self
                .known
                .get(&node.facts)
                .is_some_and(|best| self.beats(*best, index))
            {
                continue;
            }
            if !control.tick() {
                return Ended::Stopped;
            }
            opened += 1;
            if self.open(index, aim, control).is_none() {
                return Ended::Stopped;
            }
        }
        Ended::Proved
    }

    /// Brings the needs of targets into an order that gives a good bound at the start: the cheap ones first, or the dear ones.
    fn order(&mut self) {
        self.cutter.state(&self.machine.init.facts);
        for (target, needs) in self.needs.iter_mut().enumerate() {
            let enough = self.limit - self.relaxed.targets[target].cost;
            needs.sort_by_key(|need| self.cutter.level(*need));
            let up = self.cutter.bound(needs, enough);
            if up.is_none_or(|up| up >= enough) {
                continue;
            }
            needs.reverse();
            if self.cutter.bound(needs, enough) <= up {
                needs.reverse();
            }
        }
    }

    /// Whether a node leads where another one does, as cheaply and as soon, and is not the same.
    fn beats(&self, best: u32, index: u32) -> bool {
        let (a, b) = (&self.nodes[best as usize], &self.nodes[index as usize]);
        best != index && a.cost <= b.cost && a.depth <= b.depth
    }

    fn set_limit(&mut self, control: &Control<'_, Plan, Cost>) {
        let score = control.best().map_or(0.0, Cost::score).max(self.floor);
        if score > 0.0 {
            self.limit = self.limit.min(cost(score) - SLACK);
        }
    }

    /// Bounds of a node's targets, and what they mean for the actions that follow. None: told to stop.
    #[expect(clippy::type_complexity, reason = "targets and shares, both in lists")]
    fn look(
        &mut self,
        index: u32,
        control: &mut Control<'_, Plan, Cost>,
    ) -> Option<Vec<(u32, i64, BTreeMap<Ground, i64>)>> {
        let node = &mut self.nodes[index as usize];
        let (paid, targets) = (node.cost, std::mem::take(&mut node.targets));
        self.cutter.state(&node.facts);
        let mut alive = Vec::new();
        for (target, before) in targets {
            let wanted = &self.relaxed.targets[target as usize];
            let enough = self.limit - paid - wanted.cost;
            if before >= enough {
                continue;
            }
            if !control.go_on() {
                return None;
            }
            let Some(bound) = self.cutter.bound(&self.needs[target as usize], enough) else {
                continue;
            };
            let bound = bound.max(before);
            if bound < enough {
                let sharing = self.cutter.sharing.iter();
                let shares = sharing.map(|ground| (*ground, self.cutter.share[*ground as usize]));
                alive.push((target, bound, shares.collect()));
            }
        }
        Some(alive)
    }

    fn open(&mut self, index: u32, aim: Aim, control: &mut Control<'_, Plan, Cost>) -> Option<()> {
        let alive = self.look(index, control)?;
        if alive.is_empty() {
            return Some(());
        }
        let node = &self.nodes[index as usize];
        let (paid, depth, believability) = (node.cost, node.depth + 1, node.believability);
        self.machine.load(&mut self.world, &node.facts);
        let here = self.world.clone();
        self.choices.clear();
        self.machine.applicable(&here, &mut self.choices);
        for ground in std::mem::take(&mut self.choices) {
            self.world.clone_from(&here);
            let step = self
                .machine
                .apply(&mut self.world, &mut self.writes, ground);
            if self.world.facts == here.facts {
                continue;
            }
            let cost = paid + cost(step);
            let mut targets = Vec::new();
            let mut least = i64::MAX;
            for (target, bound, shares) in &alive {
                let bound = (bound - shares.get(&ground).copied().unwrap_or(0)).max(0);
                let wanted = self.relaxed.targets[*target as usize].cost;
                if cost + bound + wanted < self.limit {
                    least = least.min(cost + aim.weight * bound + wanted);
                    targets.push((*target, bound));
                }
            }
            if targets.is_empty() {
                continue;
            }
            let next = Node {
                facts: self.world.facts.clone().into(),
                parent: index,
                ground,
                depth,
                cost,
                believability: believability * step,
                targets,
            };
            self.add(next, least, control);
        }
        Some(())
    }

    fn add(&mut self, node: Node, priority: i64, control: &mut Control<'_, Plan, Cost>) {
        if let Some(best) = self.known.get(&node.facts) {
            let best = &self.nodes[*best as usize];
            if best.cost <= node.cost && best.depth <= node.depth {
                return;
            }
        }
        let number = self.nodes.len() as u32;
        let depth = node.depth;
        self.known.insert(node.facts.clone(), number);
        self.nodes.push(node);
        self.offer(number, control);
        if usize::from(depth) < self.machine.actions_max {
            self.queue.push((Reverse(priority), depth, number));
        }
    }

    /// Offers the story that leads to a node.
    fn offer(&mut self, number: u32, control: &mut Control<'_, Plan, Cost>) {
        let node = &self.nodes[number as usize];
        if !self.machine.is_allowed_end(&node.facts) {
            return;
        }
        let score = self.machine.goals(&node.facts) * node.believability;
        let cost = Cost::of_score(score);
        if control.best().is_some_and(|best| best <= cost) {
            return;
        }
        let mut actions = Vec::new();
        let mut at = number;
        while self.nodes[at as usize].parent != u32::MAX {
            let node = &self.nodes[at as usize];
            actions.push(self.machine.action(node.ground));
            at = node.parent;
        }
        actions.reverse();
        control.offer(&Plan { actions }, cost, "best first");
        self.set_limit(control);
    }
}

/// No story costs less than this.
fn prove(promised: i64, control: &mut Control<'_, Plan, Cost>) {
    let score = (-(promised as f64) / UNIT).exp().min(1.0);
    let loss_pico = ((1.0 - score) * PICO).floor() as u64;
    control.prove(Cost { loss_pico }, "landmark cuts");
}
