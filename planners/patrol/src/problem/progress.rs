//! Where guards are at the start.

use super::{Guard, Problem};

impl Problem {
    /// Vertex that a guard can first leave in any direction, and the tick when it is there.
    #[must_use]
    pub fn first_arrival(&self, guard: usize) -> (usize, u32) {
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

    /// Least stay in ticks from tick 0 on of a guard where it starts.
    #[must_use]
    pub fn first_pause(&self, guard: usize) -> u32 {
        let Guard {
            start,
            next,
            elapsed,
            ..
        } = self.spec.guards[guard];
        match next {
            Some(_) => 0,
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
