//! A* over macro moves, with dominance between nodes of a room.

mod bound;
mod params;

pub(super) use params::{Checkpoint, SearchEnd, SearchParams};

use super::held_karp::HeldKarp;
use super::moats::Moats;
use super::planning_task::{PlanningTask, set_bits};
use super::shortest_paths::ShortestPaths;
use super::walker::{Move, Walker};
use crate::museum::Thing;
use crate::rules::Action;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The check before a step: an error ends the search.
type Go<'g> = dyn FnMut(Checkpoint) -> Result<(), SearchEnd> + 'g;

/// Nodes popped between two checks of the stop signal, if none of them is expanded.
const POPPED_BETWEEN: u32 = 32;

/// A search node: an agent in a room, with items, after visits.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// Actions so far (g).
    spent: u32,
    /// Lower bound on the actions to come (h).
    bound: u32,
    /// Whether `bound` includes the second, dearer bound.
    has_second_bound: bool,
    room: u32,
    at: Option<At>,
    /// The parent; itself at the start.
    before: u32,
    by: Step,
    items: u64,
    visits: u64,
}

/// What an agent stands at, in few bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Door(u32),
    Container(u32),
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Start,
    Through(u32),
    Take(u8),
}

/// The open list: lowest f first, then lowest h, then the latest.
type Open = BinaryHeap<(Reverse<u64>, Reverse<u32>, u64, u32)>;

/// A search for plans with fewer actions than the upper bound.
#[derive(Debug)]
pub(super) struct AStar<'a> {
    task: &'a PlanningTask<'a>,
    held_karp: &'a mut HeldKarp,
    nodes: Vec<Node>,
    /// The doors and containers opened at each node, as bits.
    opened: Vec<u64>,
    /// Nodes by room.
    nodes_by_room: Vec<Vec<u32>>,
    open: Open,
    pushed: u64,
    paths: ShortestPaths,
    moats: Moats,
    /// Rooms whose distance is wanted.
    ends: Vec<usize>,
    /// For visits in an order: lower bound on the actions from each to the end.
    route: Vec<u32>,
    params: SearchParams,
}

impl<'a> AStar<'a> {
    pub(super) fn new(
        task: &'a PlanningTask<'a>,
        held_karp: &'a mut HeldKarp,
        params: SearchParams,
    ) -> Self {
        let mut search = Self {
            task,
            held_karp,
            nodes: Vec::new(),
            opened: Vec::new(),
            nodes_by_room: vec![Vec::new(); task.input.museum.rooms()],
            open: Open::new(),
            pushed: 0,
            paths: ShortestPaths::default(),
            moats: Moats::default(),
            ends: Vec::new(),
            route: Vec::new(),
            params,
        };
        search.measure_route();
        let position = task.input.position;
        let start = Node {
            spent: 0,
            bound: 0,
            has_second_bound: false,
            room: position.room as u32,
            at: position.at.map(|thing| match thing {
                Thing::Door(door) => At::Door(door as u32),
                Thing::Container(container) => At::Container(container as u32),
                Thing::Machine(_) => At::Other,
            }),
            before: 0,
            by: Step::Start,
            items: task.held,
            visits: task.visit(0, position.room),
        };
        search.opened.resize(task.words(), 0);
        search.insert(start);
        search
    }

    /// Searches until a plan shorter than the upper bound is found, or to the end. `go` is asked
    /// before each expansion, and regularly in between.
    pub(super) fn run(&mut self, go: &mut Go<'_>) -> Result<Vec<Action>, SearchEnd> {
        let mut popped = 0_u32;
        while let Some((_, _, _, id)) = self.open.pop() {
            let node = self.nodes[id as usize];
            popped += 1;
            let looks = popped.is_multiple_of(POPPED_BETWEEN);
            let bound = if looks { None } else { self.bound(id) };
            let Some(bound) = bound else {
                self.requeue(id, go)?;
                continue;
            };
            if node.spent + bound >= self.params.upper_bound {
                continue;
            }
            if bound > node.bound {
                self.nodes[id as usize].bound = bound;
                self.push(id);
                continue;
            }
            // Lazily: the second bound takes as long as all the rest.
            if !node.has_second_bound {
                let Some(tour_and_doors_bound) = self.tour_and_doors_bound(id) else {
                    self.requeue(id, go)?;
                    continue;
                };
                let tour_and_doors_bound = tour_and_doors_bound.max(bound);
                let node = &mut self.nodes[id as usize];
                (node.has_second_bound, node.bound) = (true, tour_and_doors_bound);
                if tour_and_doors_bound > bound {
                    self.push(id);
                    continue;
                }
            }
            let least = u64::from(node.spent + bound) * u64::from(100 + self.params.slack_percent);
            if self.params.weight_percent == 100
                && u64::from(self.params.upper_bound) * 100 <= least
            {
                self.push(id);
                return Err(SearchEnd::Near);
            }
            if self
                .task
                .is_goal(node.room as usize, node.items, node.visits)
            {
                self.params.upper_bound = node.spent;
                return Ok(self.extract_plan(id));
            }
            if let Err(ended) = go(Checkpoint::Node) {
                self.push(id);
                return Err(ended);
            }
            if self.nodes.len() >= self.params.nodes_max {
                self.push(id);
                return Err(SearchEnd::Full);
            }
            self.expand(id);
        }
        Err(SearchEnd::Proved)
    }

    /// Pushes a node back, and checks the stop signal. The node stays first: of equal ones the
    /// latest is.
    fn requeue(&mut self, id: u32, go: &mut Go<'_>) -> Result<(), SearchEnd> {
        self.push(id);
        go(Checkpoint::More)?;
        self.held_karp.renew_budget();
        Ok(())
    }

    /// Only plans with fewer actions are wanted.
    pub(super) fn upper_bound(&self) -> u32 {
        self.params.upper_bound
    }

    /// Lowers the upper bound.
    pub(super) fn tighten(&mut self, upper_bound: u32) {
        self.params.upper_bound = self.params.upper_bound.min(upper_bound);
    }

    /// Lower bound on the actions of every plan, except those found.
    pub(super) fn proved_bound(&self) -> u32 {
        let open = self.open.iter().map(|(.., id)| &self.nodes[*id as usize]);
        let least = open.map(|node| node.spent + node.bound).min();
        least.map_or(self.params.upper_bound, |least| {
            least.min(self.params.upper_bound)
        })
    }

    fn expand(&mut self, id: u32) {
        let node = self.nodes[id as usize];
        let task = self.task;
        let room = node.room as usize;
        let takes: Vec<(usize, usize, u32)> = task
            .useful_containers(room)
            .flat_map(|container| {
                let items = task.contents[container] & !node.items;
                let thing = Thing::Container(container);
                let open = task.actions_to_open(thing, node.items, self.opened_at(id));
                let open = open.filter(|_| items != 0);
                let takes =
                    open.map(|open| set_bits(items).map(move |item| (item, container, open)));
                takes.into_iter().flatten()
            })
            .collect();
        let needed = takes.iter().filter(|take| task.needed & (1 << take.0) != 0);
        let at_hand = |take: &&(usize, usize, u32)| node.at == Some(At::Container(take.1 as u32));
        let first = needed
            .clone()
            .find(at_hand)
            .or_else(|| needed.clone().next());
        // Needed items in the room are taken immediately: later it takes as many actions, or more.
        // Exceptions: agents that have a reason to go back through the door at hand, as they came
        // for a visit or start here; and agents at a container with a spare key.: later it takes as
        // many actions, or more. Exceptions: agents that can go back through the door at hand with
        // a reason, as they came for a visit or begin here; and agents at a container with a spare
        // key.
        let before = &self.nodes[node.before as usize];
        let turns = matches!(node.at, Some(At::Door(_)))
            && (node.by == Step::Start || before.visits != node.visits);
        let spares = takes.iter().any(|take| at_hand(&take));
        if let Some(take) = first.filter(|first| at_hand(first) || !(turns || spares)) {
            self.take(id, take.0, take.1, take.2);
            return;
        }
        // The last pushed is popped first: doors by rising index, then spare keys.
        for take in takes.iter().rev() {
            self.take(id, take.0, take.1, take.2);
        }
        for exit in task.input.museum.exits(room).iter().rev() {
            if !task.input.is_trap(exit.to) {
                self.enter(id, exit.door, exit.to);
            }
        }
    }

    fn take(&mut self, id: u32, item: usize, container: usize, open: u32) {
        let node = self.nodes[id as usize];
        let at = Some(At::Container(container as u32));
        let actions = u32::from(node.at != at) + open + 1;
        let next = Node {
            at,
            items: self.task.take(node.items, item),
            by: Step::Take(item as u8),
            ..node
        };
        self.add_successor(id, next, actions, Thing::Container(container));
    }

    fn enter(&mut self, id: u32, door: usize, to: usize) {
        let node = self.nodes[id as usize];
        let thing = Thing::Door(door);
        let open = self
            .task
            .actions_to_open(thing, node.items, self.opened_at(id));
        let Some(open) = open else { return };
        let at = Some(At::Door(door as u32));
        let next = Node {
            at,
            room: to as u32,
            visits: self.task.visit(node.visits, to),
            by: Step::Through(door as u32),
            ..node
        };
        let actions = u32::from(node.at != at) + open + 1;
        self.add_successor(id, next, actions, thing);
    }

    /// Adds a successor of a node, unless another node dominates it.
    fn add_successor(&mut self, before: u32, mut next: Node, actions: u32, opens: Thing) {
        next.before = before;
        next.has_second_bound = false;
        next.spent += actions;
        next.bound = next.bound.saturating_sub(actions);
        if next.spent + next.bound >= self.params.upper_bound {
            return;
        }
        let words = self.task.words();
        let start = before as usize * words;
        self.opened.extend_from_within(start..start + words);
        let fresh = self.opened.len() - words;
        self.task.open(opens, &mut self.opened[fresh..]);
        if self.is_dominated(&next) {
            self.opened.truncate(fresh);
        } else {
            self.insert(next);
        }
    }

    /// Whether another node of this room dominates it: no fewer visits and items, and all that this
    /// one has opened, in no more actions.
    fn is_dominated(&self, next: &Node) -> bool {
        let words = self.task.words();
        let fresh = &self.opened[self.nodes.len() * words..];
        self.nodes_by_room[next.room as usize]
            .iter()
            .rev()
            .any(|&id| {
                let other = &self.nodes[id as usize];
                let approach = u32::from(other.at != next.at);
                let visited = if self.task.input.goal.in_order {
                    other.visits >= next.visits
                } else {
                    next.visits & !other.visits == 0
                };
                visited
                    && other.spent + approach <= next.spent
                    && next.items & !other.items == 0
                    && {
                        let theirs = self.opened_at(id);
                        let catch_up = self.task.opening_actions_between(theirs, fresh);
                        other.spent + approach + catch_up <= next.spent
                    }
            })
    }

    fn insert(&mut self, node: Node) {
        let id = self.nodes.len() as u32;
        self.nodes_by_room[node.room as usize].push(id);
        self.nodes.push(node);
        self.push(id);
    }

    fn push(&mut self, id: u32) {
        let Node { spent, bound, .. } = self.nodes[id as usize];
        self.pushed += 1;
        let weighted = u64::from(bound) * u64::from(self.params.weight_percent) / 100;
        let entry = (
            Reverse(u64::from(spent) + weighted),
            Reverse(bound),
            self.pushed,
            id,
        );
        self.open.push(entry);
    }

    fn opened_at(&self, id: u32) -> &[u64] {
        let words = self.task.words();
        let start = id as usize * words;
        &self.opened[start..start + words]
    }

    fn extract_plan(&self, id: u32) -> Vec<Action> {
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
        let mut walker = Walker::new(self.task);
        for &what in moves.iter().rev() {
            walker.go(self.task, what);
        }
        walker.actions
    }
}
