//! Where guards are at the start, and how long they take.

use super::{Guard, OutEdge, Problem};

impl Problem {
    /// Travel time of a guard on an edge: length / speed, rounded up.
    #[must_use]
    pub fn ticks(&self, guard: usize, edge: OutEdge) -> u32 {
        ticks(edge.length, self.spec.guards[guard].speed_milli)
    }

    /// Vertex that a guard can first leave in any direction, and the tick when it is there.
    #[must_use]
    pub(crate) fn first_arrival(&self, guard: usize) -> (usize, u32) {
        let Guard {
            start,
            next,
            elapsed,
            ..
        } = self.spec.guards[guard];
        match next.and_then(|next| self.out_edge(start, next)) {
            Some(edge) => (edge.to, self.ticks(guard, edge) - elapsed),
            None => (start, 0),
        }
    }

    /// Least stay there in ticks, from the arrival or tick 0 on.
    #[must_use]
    pub(crate) fn first_pause(&self, guard: usize) -> u32 {
        let Guard {
            start,
            next,
            elapsed,
            ..
        } = self.spec.guards[guard];
        match next {
            Some(next) => self.pauses[next],
            None => self.pauses[start].saturating_sub(elapsed),
        }
    }

    /// Ticks before tick 0 in which a guard has gone on its first edge.
    #[must_use]
    pub fn ticks_gone(&self, guard: usize) -> u32 {
        let Guard { next, elapsed, .. } = self.spec.guards[guard];
        next.map_or(0, |_| elapsed)
    }
}

/// Travel time of a guard of a speed in thousandths.
pub(super) fn ticks(length: u32, speed_milli: u32) -> u32 {
    let ticks = (u64::from(length) * 1_000).div_ceil(speed_milli.into());
    u32::try_from(ticks).unwrap_or(u32::MAX)
}
