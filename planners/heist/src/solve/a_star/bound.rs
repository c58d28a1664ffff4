//! The two lower bounds of A*.

use super::super::planning_task::set_bits;
use super::super::shortest_paths::{Origin, UNREACHABLE};
use super::{AStar, At, Node};
use crate::museum::Thing;
use crate::world::Place;

impl AStar<'_> {
    /// First bound: the path to the first stop, and a tour through the others. `None`: see
    /// `HeldKarp::tour_actions`.
    pub(super) fn bound(&mut self, id: u32) -> Option<u32> {
        let node = self.nodes[id as usize];
        let (task, words) = (self.task, self.task.words());
        let start = id as usize * words;
        let room = node.room as usize;
        let at = match node.at {
            Some(At::Door(door)) => Some(door as usize),
            _ => None,
        };
        let left = self.held_karp.stops_left(node.items, node.visits);
        // Items taken at none of the stops that are left may be at hand by then: not all needed
        // items have a stop.
        let later =
            set_bits(left as u64).fold(0, |items, stop| items | self.held_karp.stops()[stop].items);
        let origin = Origin {
            room,
            at,
            items: node.items | task.spare | (task.needed & !later),
            opened: &self.opened[start..start + words],
        };
        let zone = self.held_karp.zone(task, left);
        let near = zone.near;
        self.ends.clear();
        let stops = self.held_karp.stops();
        self.ends
            .extend(set_bits(near).map(|stop| stops[stop].room));
        if left == 0 {
            self.ends.extend(self.held_karp.end());
        }
        if task.input.goal.in_order {
            let next = task.input.goal.visits.get(node.visits as usize);
            self.ends.extend(next);
        }
        self.paths.run_from(task, &origin, &self.ends);
        let mut bound = UNREACHABLE;
        if left == 0 {
            bound = self
                .held_karp
                .end()
                .map_or(0, |end| self.paths.distances[end]);
        }
        for stop in set_bits(near) {
            let far = self.paths.distances[self.held_karp.stops()[stop].room];
            bound = bound.min(far + self.held_karp.tour_actions(task, left, stop)?);
        }
        if task.input.goal.in_order
            && let Some(next) = task.input.goal.visits.get(node.visits as usize)
        {
            // Behind a lock whose key is not at hand the distance is unknown.
            let far = Some(self.paths.distances[*next]).filter(|far| *far < UNREACHABLE);
            bound = bound.max(far.unwrap_or(0) + self.route[node.visits as usize]);
        }
        Some(
            bound
                .saturating_add(self.container_actions(&node, id))
                .max(node.bound),
        )
    }

    /// Second bound: walking through the stops that are left, and opening doors once so that all of
    /// them are connected. 0 where there are none. `None`: see `HeldKarp::tour_actions`.
    pub(super) fn tour_and_doors_bound(&mut self, id: u32) -> Option<u32> {
        let node = self.nodes[id as usize];
        let left = self.held_karp.stops_left(node.items, node.visits);
        if left == 0 {
            return Some(0);
        }
        let (task, words) = (self.task, self.task.words());
        let opened = &self.opened[id as usize * words..][..words];
        let room = node.room as usize;
        let behind = match node.at {
            Some(At::Door(door)) => Some(task.input.museum.behind(door as usize, room)),
            _ => None,
        };
        let near = self.held_karp.zone(task, left).near;
        let mut walk = UNREACHABLE;
        for stop in set_bits(near) {
            let far = self.held_karp.walking_distances(task, left, stop);
            let back = behind.map_or(UNREACHABLE, |behind| far[behind].saturating_add(1));
            let far = far[room].min(back);
            walk = walk.min(far.saturating_add(self.held_karp.walking_actions(task, left, stop)?));
        }
        self.ends.clear();
        self.ends.push(room);
        let stops = self.held_karp.stops();
        self.ends
            .extend(set_bits(left as u64).map(|stop| stops[stop].room));
        self.ends.extend(self.held_karp.end());
        let open = self.moats.lower_bound(task, &self.ends, |door| {
            // No stop is behind a door that cannot be opened.
            task.actions_to_open(Thing::Door(door), u64::MAX, opened)
                .unwrap_or(2)
        });
        if walk >= UNREACHABLE {
            return Some(0);
        }
        Some(walk + open + self.container_actions(&node, id))
    }

    /// Actions at the containers that have to be emptied.
    fn container_actions(&self, node: &Node, id: u32) -> u32 {
        let mut actions = 0;
        for item in set_bits(self.task.needed & !node.items) {
            let Place::In(container) = self.task.input.facts.items[item] else {
                continue;
            };
            let needed = self.task.contents[container] & self.task.needed & !node.items;
            actions += 1;
            if needed.trailing_zeros() as usize == item {
                let thing = Thing::Container(container);
                let open = self
                    .task
                    .actions_to_open(thing, u64::MAX, self.opened_at(id));
                let at_hand = node.at == Some(At::Container(container as u32));
                actions += open.unwrap_or(0) + u32::from(!at_hand);
            }
        }
        actions
    }

    /// Lower bounds on the actions from each ordered visit to the end.
    pub(super) fn measure_route(&mut self) {
        let goal = self.task.input.goal;
        if !goal.in_order {
            return;
        }
        self.route = vec![0; goal.visits.len()];
        let mut after = 0;
        let mut to = goal.room;
        for (visit, &room) in goal.visits.iter().enumerate().rev() {
            if let Some(to) = to.filter(|to| *to != room) {
                let task = self.task;
                self.paths.run_with(task, to, &[room], |door, _| {
                    task.can_pass(door, u64::MAX).then_some(2)
                });
                // Less one: after a mere visit the agent can go back through the door at hand.
                after += self.paths.distances[room].saturating_sub(1);
            }
            self.route[visit] = after;
            to = Some(room);
        }
    }
}
