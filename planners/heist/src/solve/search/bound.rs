//! Actions to come, at least.

use super::super::chart::ones;
use super::super::field::{FAR, Stand};
use super::{At, Node, Search};
use crate::museum::Thing;
use crate::world::Place;

impl Search<'_> {
    /// Actions to come, at least. `None`: see `Tours::rest`.
    pub(super) fn bound(&mut self, id: u32) -> Option<u32> {
        let node = self.nodes[id as usize];
        let (chart, words) = (self.chart, self.chart.words());
        let start = id as usize * words;
        let room = node.room as usize;
        let at = match node.at {
            Some(At::Door(door)) => Some(door as usize),
            _ => None,
        };
        let left = self.tours.left(node.items, node.visits);
        // What is to be taken at no stop that is left may be at hand by then: not all that is
        // needed has a stop.
        let later = ones(left as u64).fold(0, |items, stop| items | self.tours.stops()[stop].items);
        let stand = Stand {
            room,
            at,
            items: node.items | chart.spare | (chart.needed & !later),
            opened: &self.opened[start..start + words],
        };
        let zone = self.tours.zone(chart, left);
        let near = zone.near;
        self.ends.clear();
        let stops = self.tours.stops();
        self.ends.extend(ones(near).map(|stop| stops[stop].room));
        if left == 0 {
            self.ends.extend(self.tours.end());
        }
        if chart.errand.goal.in_order {
            let next = chart.errand.goal.visits.get(node.visits as usize);
            self.ends.extend(next);
        }
        self.ways.ways(chart, &stand, &self.ends);
        let mut bound = FAR;
        if left == 0 {
            bound = self.tours.end().map_or(0, |end| self.ways.far[end]);
        }
        for stop in ones(near) {
            let far = self.ways.far[self.tours.stops()[stop].room];
            bound = bound.min(far + self.tours.rest(chart, left, stop)?);
        }
        if chart.errand.goal.in_order
            && let Some(next) = chart.errand.goal.visits.get(node.visits as usize)
        {
            // Behind a lock whose key is not at hand: far, who knows how far.
            let far = Some(self.ways.far[*next]).filter(|far| *far < FAR);
            bound = bound.max(far.unwrap_or(0) + self.route[node.visits as usize]);
        }
        Some(bound.saturating_add(self.stays(&node, id)).max(node.bound))
    }

    /// Actions to come by another count: to walk through the stops that are left, and to open doors
    /// once, so that all of them can be reached. 0 where there are none. `None`: see `Tours::rest`.
    pub(super) fn weighed(&mut self, id: u32) -> Option<u32> {
        let node = self.nodes[id as usize];
        let left = self.tours.left(node.items, node.visits);
        if left == 0 {
            return Some(0);
        }
        let (chart, words) = (self.chart, self.chart.words());
        let opened = &self.opened[id as usize * words..][..words];
        let room = node.room as usize;
        let behind = match node.at {
            Some(At::Door(door)) => Some(chart.errand.museum.behind(door as usize, room)),
            _ => None,
        };
        let near = self.tours.zone(chart, left).near;
        let mut walk = FAR;
        for stop in ones(near) {
            let far = self.tours.walk(chart, left, stop);
            let back = behind.map_or(FAR, |behind| far[behind].saturating_add(1));
            let far = far[room].min(back);
            walk = walk.min(far.saturating_add(self.tours.stride(chart, left, stop)?));
        }
        self.ends.clear();
        self.ends.push(room);
        let stops = self.tours.stops();
        self.ends
            .extend(ones(left as u64).map(|stop| stops[stop].room));
        self.ends.extend(self.tours.end());
        let open = self.moats.least(chart, &self.ends, |door| {
            // Behind what nobody can open is nothing.
            chart
                .actions_to_open(Thing::Door(door), u64::MAX, opened)
                .unwrap_or(2)
        });
        if walk >= FAR {
            return Some(0);
        }
        Some(walk + open + self.stays(&node, id))
    }

    /// Actions at the containers that have to be emptied.
    fn stays(&self, node: &Node, id: u32) -> u32 {
        let mut actions = 0;
        for item in ones(self.chart.needed & !node.items) {
            let Place::In(container) = self.chart.errand.facts.items[item] else {
                continue;
            };
            let needed = self.chart.contents[container] & self.chart.needed & !node.items;
            actions += 1;
            if needed.trailing_zeros() as usize == item {
                let lid = Thing::Container(container);
                let open = self
                    .chart
                    .actions_to_open(lid, u64::MAX, self.opened_at(id));
                let at_hand = node.at == Some(At::Lid(container as u32));
                actions += open.unwrap_or(0) + u32::from(!at_hand);
            }
        }
        actions
    }

    /// What the visits that have an order take, from each to the end.
    pub(super) fn measure_route(&mut self) {
        let goal = self.chart.errand.goal;
        if !goal.in_order {
            return;
        }
        self.route = vec![0; goal.visits.len()];
        let mut after = 0;
        let mut to = goal.room;
        for (visit, &room) in goal.visits.iter().enumerate().rev() {
            if let Some(to) = to.filter(|to| *to != room) {
                let chart = self.chart;
                self.ways.spread(chart, (to, &[room]), |door, _| {
                    chart.passes(door, u64::MAX).then_some(2)
                });
                // Less one: who comes only to visit can go back through the door at hand.
                after += self.ways.far[room].saturating_sub(1);
            }
            self.route[visit] = after;
            to = Some(room);
        }
    }
}
