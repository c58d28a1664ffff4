//! A*: the shortest plan.

mod bound;

use super::chart::{Chart, ones};
use super::field::Field;
use super::moats::Moats;
use super::tour::Tours;
use super::walker::{Move, Walker};
use crate::museum::Thing;
use crate::rules::Action;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// Nothing is shorter than what was found, or than what was known before.
    Proved,
    /// It was told to stop, and is not to go on.
    Stopped,
    /// It was told to stop, and may go on.
    Paused,
    /// Nothing is shorter by more than the slack.
    Near,
    /// There is no room for more nodes.
    Full,
}

/// What a search asks to go on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// One more node that is opened.
    Node,
    /// More of what it does between two of them.
    More,
}

/// Whether to go on; else how the search ends.
type Go<'g> = dyn FnMut(Before) -> Result<(), Ended> + 'g;

/// Nodes that are looked at between two looks at the stop signal, if none of them is opened.
const POPPED_BETWEEN: u32 = 32;

/// A place in the search: somebody somewhere, with something.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// Actions so far.
    spent: u32,
    /// Actions to come, at least.
    bound: u32,
    /// Whether the dearer of the two bounds is in that, too.
    is_weighed: bool,
    room: u32,
    at: Option<At>,
    /// The node before; itself at the start.
    before: u32,
    by: Step,
    items: u64,
    visits: u64,
}

/// What an agent stands at, in few bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Door(u32),
    Lid(u32),
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Start,
    Through(u32),
    Take(u8),
}

/// Open nodes: fewest actions in all first, then fewest to come, then the latest.
type Open = BinaryHeap<(Reverse<u64>, Reverse<u32>, u64, u32)>;

/// A search for plans with fewer actions than known.
#[derive(Debug)]
pub(super) struct Search<'a> {
    chart: &'a Chart<'a>,
    tours: &'a mut Tours,
    nodes: Vec<Node>,
    /// What has been opened at each node.
    opened: Vec<u64>,
    /// Nodes by room.
    here: Vec<Vec<u32>>,
    open: Open,
    pushed: u64,
    ways: Field,
    moats: Moats,
    /// Rooms to which the way is wanted.
    ends: Vec<usize>,
    /// For visits in an order: actions from each to the end, at least.
    route: Vec<u32>,
    aim: Aim,
}

/// What a search is after.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aim {
    /// Plans of as many actions, or more, are of no use.
    pub most: u32,
    /// How much longer than the shortest a plan may be, in percent.
    pub slack_percent: u32,
    /// What the bound counts, in percent: 100 finds the shortest plan, more finds some plan sooner.
    pub weight_percent: u32,
    /// Most nodes that are kept.
    pub nodes_max: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(chart: &'a Chart<'a>, tours: &'a mut Tours, aim: Aim) -> Self {
        let mut search = Self {
            chart,
            tours,
            nodes: Vec::new(),
            opened: Vec::new(),
            here: vec![Vec::new(); chart.errand.museum.rooms()],
            open: Open::new(),
            pushed: 0,
            ways: Field::default(),
            moats: Moats::default(),
            ends: Vec::new(),
            route: Vec::new(),
            aim,
        };
        search.measure_route();
        let body = chart.errand.body;
        let start = Node {
            spent: 0,
            bound: 0,
            is_weighed: false,
            room: body.room as u32,
            at: body.at.map(|thing| match thing {
                Thing::Door(door) => At::Door(door as u32),
                Thing::Container(container) => At::Lid(container as u32),
                Thing::Machine(_) => At::Other,
            }),
            before: 0,
            by: Step::Start,
            items: chart.held,
            visits: chart.visit(0, body.room),
        };
        search.opened.resize(chart.words(), 0);
        search.keep(start);
        search
    }

    /// Searches on until a plan is found that is shorter than what is known, or to the end. `go` is
    /// asked before each node that is opened, and now and then in between.
    pub(super) fn run(&mut self, go: &mut Go<'_>) -> Result<Vec<Action>, Ended> {
        let mut popped = 0_u32;
        while let Some((_, _, _, id)) = self.open.pop() {
            let node = self.nodes[id as usize];
            popped += 1;
            let looks = popped.is_multiple_of(POPPED_BETWEEN);
            let bound = if looks { None } else { self.bound(id) };
            let Some(bound) = bound else {
                self.again(id, go)?;
                continue;
            };
            if node.spent + bound >= self.aim.most {
                continue;
            }
            if bound > node.bound {
                self.nodes[id as usize].bound = bound;
                self.push(id);
                continue;
            }
            // Only for what is opened next otherwise: it takes as long as all the rest.
            if !node.is_weighed {
                let Some(weighed) = self.weighed(id) else {
                    self.again(id, go)?;
                    continue;
                };
                let weighed = weighed.max(bound);
                let node = &mut self.nodes[id as usize];
                (node.is_weighed, node.bound) = (true, weighed);
                if weighed > bound {
                    self.push(id);
                    continue;
                }
            }
            let least = u64::from(node.spent + bound) * u64::from(100 + self.aim.slack_percent);
            if self.aim.weight_percent == 100 && u64::from(self.aim.most) * 100 <= least {
                self.push(id);
                return Err(Ended::Near);
            }
            if self
                .chart
                .is_done(node.room as usize, node.items, node.visits)
            {
                self.aim.most = node.spent;
                return Ok(self.trace(id));
            }
            if let Err(ended) = go(Before::Node) {
                self.push(id);
                return Err(ended);
            }
            if self.nodes.len() >= self.aim.nodes_max {
                self.push(id);
                return Err(Ended::Full);
            }
            self.expand(id);
        }
        Err(Ended::Proved)
    }

    /// Looks at the stop signal; then this node is first again: of equal ones the latest is.
    fn again(&mut self, id: u32, go: &mut Go<'_>) -> Result<(), Ended> {
        self.push(id);
        go(Before::More)?;
        self.tours.go_on();
        Ok(())
    }

    /// Plans of as many actions, or more, are of no use.
    pub(super) fn most(&self) -> u32 {
        self.aim.most
    }

    /// Only plans of fewer actions are of use from now on.
    pub(super) fn lower(&mut self, most: u32) {
        self.aim.most = self.aim.most.min(most);
    }

    /// Every plan has as many actions, those that are known apart.
    pub(super) fn proved(&self) -> u32 {
        let open = self.open.iter().map(|(.., id)| &self.nodes[*id as usize]);
        let least = open.map(|node| node.spent + node.bound).min();
        least.map_or(self.aim.most, |least| least.min(self.aim.most))
    }

    fn expand(&mut self, id: u32) {
        let node = self.nodes[id as usize];
        let chart = self.chart;
        let room = node.room as usize;
        let takes: Vec<(usize, usize, u32)> = chart
            .stores(room)
            .flat_map(|container| {
                let items = chart.contents[container] & !node.items;
                let lid = Thing::Container(container);
                let open = chart.actions_to_open(lid, node.items, self.opened_at(id));
                let open = open.filter(|_| items != 0);
                let takes = open.map(|open| ones(items).map(move |item| (item, container, open)));
                takes.into_iter().flatten()
            })
            .collect();
        let needed = takes
            .iter()
            .filter(|take| chart.needed & (1 << take.0) != 0);
        let at_hand = |take: &&(usize, usize, u32)| node.at == Some(At::Lid(take.1 as u32));
        let first = needed
            .clone()
            .find(at_hand)
            .or_else(|| needed.clone().next());
        // What is needed and near is taken immediately: later it takes as many actions, or more.
        // Exceptions: agents that can go back through the door at hand with a reason, as they came
        // for a visit or begin here; and agents at a container with a spare key.
        let before = &self.nodes[node.before as usize];
        let turns = matches!(node.at, Some(At::Door(_)))
            && (node.by == Step::Start || before.visits != node.visits);
        let spares = takes.iter().any(|take| at_hand(&take));
        if let Some(take) = first.filter(|first| at_hand(first) || !(turns || spares)) {
            self.take(id, *take);
            return;
        }
        // The last pushed is popped first: doors by rising index, then spare keys.
        for take in takes.iter().rev() {
            self.take(id, *take);
        }
        for exit in chart.errand.museum.exits(room).iter().rev() {
            if !chart.errand.is_trap(exit.to) {
                self.enter(id, exit.door, exit.to);
            }
        }
    }

    fn take(&mut self, id: u32, (item, container, open): (usize, usize, u32)) {
        let node = self.nodes[id as usize];
        let at = Some(At::Lid(container as u32));
        let actions = u32::from(node.at != at) + open + 1;
        let next = Node {
            at,
            items: self.chart.take(node.items, item),
            by: Step::Take(item as u8),
            ..node
        };
        self.reach(id, next, (actions, Thing::Container(container)));
    }

    fn enter(&mut self, id: u32, door: usize, to: usize) {
        let node = self.nodes[id as usize];
        let thing = Thing::Door(door);
        let open = self
            .chart
            .actions_to_open(thing, node.items, self.opened_at(id));
        let Some(open) = open else { return };
        let at = Some(At::Door(door as u32));
        let next = Node {
            at,
            room: to as u32,
            visits: self.chart.visit(node.visits, to),
            by: Step::Through(door as u32),
            ..node
        };
        self.reach(id, next, (u32::from(node.at != at) + open + 1, thing));
    }

    /// Keeps what comes after a node, unless something else is at least as good.
    fn reach(&mut self, before: u32, mut next: Node, (actions, opens): (u32, Thing)) {
        next.before = before;
        next.is_weighed = false;
        next.spent += actions;
        next.bound = next.bound.saturating_sub(actions);
        if next.spent + next.bound >= self.aim.most {
            return;
        }
        let words = self.chart.words();
        let start = before as usize * words;
        self.opened.extend_from_within(start..start + words);
        let fresh = self.opened.len() - words;
        self.chart.open(opens, &mut self.opened[fresh..]);
        if self.is_dominated(&next) {
            self.opened.truncate(fresh);
        } else {
            self.keep(next);
        }
    }

    /// Whether another node in this room has no fewer visits and items and can have opened, in no
    /// more actions, all that this one has.
    fn is_dominated(&self, next: &Node) -> bool {
        let words = self.chart.words();
        let fresh = &self.opened[self.nodes.len() * words..];
        self.here[next.room as usize].iter().rev().any(|&id| {
            let other = &self.nodes[id as usize];
            let approach = u32::from(other.at != next.at);
            let visited = if self.chart.errand.goal.in_order {
                other.visits >= next.visits
            } else {
                next.visits & !other.visits == 0
            };
            visited && other.spent + approach <= next.spent && next.items & !other.items == 0 && {
                let theirs = self.opened_at(id);
                let catch_up = self.chart.actions_between(theirs, fresh);
                other.spent + approach + catch_up <= next.spent
            }
        })
    }

    fn keep(&mut self, node: Node) {
        let id = self.nodes.len() as u32;
        self.here[node.room as usize].push(id);
        self.nodes.push(node);
        self.push(id);
    }

    fn push(&mut self, id: u32) {
        let Node { spent, bound, .. } = self.nodes[id as usize];
        self.pushed += 1;
        let weighted = u64::from(bound) * u64::from(self.aim.weight_percent) / 100;
        let entry = (
            Reverse(u64::from(spent) + weighted),
            Reverse(bound),
            self.pushed,
            id,
        );
        self.open.push(entry);
    }

    fn opened_at(&self, id: u32) -> &[u64] {
        let words = self.chart.words();
        let start = id as usize * words;
        &self.opened[start..start + words]
    }

    fn trace(&self, id: u32) -> Vec<Action> {
        let mut moves = Vec::new();
        let mut id = id;
        loop {
            let node = &self.nodes[id as usize];
            match node.by {
                Step::Start => break,
                Step::Through(door) => moves.push(Move::Through(door as usize)),
                Step::Take(item) => moves.push(Move::Take(item as usize)),
            }
            id = node.before;
        }
        let mut walker = Walker::new(self.chart);
        for &what in moves.iter().rev() {
            walker.go(self.chart, what);
        }
        walker.actions
    }
}
