//! Going along a route, or what may become one.

use super::ground::{Ground, NIL};
use super::tours::Tours;
use crate::problem::Micros;

/// Somebody on the way along nodes that need not be a route yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walk {
    pub(super) table: u16,
    pub(super) place: u16,
    pub(super) leave_us: Micros,
    pub(super) warp_us: Micros,
    pub(super) late_us: Micros,
    pub(super) cost: i64,
}

impl Walk {
    /// At the start of a lane.
    pub(super) fn start(ground: &Ground<'_>, lane: usize) -> Self {
        let spot = &ground.spots[ground.start(lane) as usize];
        Self {
            table: ground.berths[lane].table,
            place: spot.place,
            leave_us: spot.open_us,
            warp_us: 0,
            late_us: 0,
            cost: 0,
        }
    }

    /// At a node of a route, as far as it was gone already.
    #[inline]
    pub(super) fn at(ground: &Ground<'_>, tours: &Tours, node: u16) -> Self {
        let from = &tours.nodes[node as usize];
        Self {
            table: ground.berths[from.lane as usize].table,
            place: ground.spots[node as usize].place,
            leave_us: from.leave_us,
            warp_us: from.warp_us,
            late_us: from.late_us,
            cost: from.run,
        }
    }

    /// Goes to a node and does what is to be done there.
    #[inline]
    pub(super) fn step(&mut self, ground: &Ground<'_>, node: u16) {
        let spot = &ground.spots[node as usize];
        let way = ground.way(self.table, self.place, spot.place);
        let start_us = ground.start_us(node, self.leave_us + way.time_us);
        self.warp_us += (start_us - spot.latest_us).max(0);
        let start_us = start_us.min(spot.latest_us);
        self.late_us += (start_us - spot.close_us).max(0);
        self.leave_us = start_us + spot.service_us;
        self.place = spot.place;
        self.cost += way.cost;
    }

    /// Goes to a node of a route of the same class and on to its end: time gone back and lateness
    /// in the end.
    #[inline]
    pub(super) fn finish(
        mut self,
        ground: &Ground<'_>,
        tours: &Tours,
        node: u16,
    ) -> (Micros, Micros) {
        if !ground.walks {
            let spot = &ground.spots[node as usize];
            let way = ground.way(self.table, self.place, spot.place);
            let to = &tours.nodes[node as usize];
            let over_us = (self.leave_us + way.time_us - to.due_us).max(0);
            return (self.warp_us + to.warp_after_us + over_us, 0);
        }
        let lane = &tours.lanes[tours.lane(node)];
        let mut node = node;
        loop {
            self.step(ground, node);
            let here = &tours.nodes[node as usize];
            if here.leave_us == self.leave_us {
                // From here on all is as it was.
                let warp_us = self.warp_us + lane.warp_us - here.warp_us;
                return (warp_us, self.late_us + lane.late_us - here.late_us);
            }
            if here.next == NIL || node as usize >= ground.tasks {
                return (self.warp_us, self.late_us);
            }
            node = here.next;
        }
    }
}
