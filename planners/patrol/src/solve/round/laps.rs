//! What several guards on one round come to in a lap: the laps of the round, one over the other.

use super::Visit;

/// Ticks of a lap for each visit beyond which visits are compared instead.
const SPARSE: usize = 16;

/// Room to put laps over each other.
#[derive(Default)]
pub(super) struct Laps {
    /// By tick of the lap: how many visits begin before it, and where the next of its visits goes.
    places: Vec<u32>,
    sorted: Vec<Visit>,
}

impl Laps {
    /// Counts visits from the beginning of their laps, and puts them into that order; those of one
    /// tick stay in theirs. Where ticks are few, counting them takes less than comparing visits.
    pub(super) fn overlay(&mut self, visits: &mut Vec<Visit>, lap: u32) {
        if lap as usize > SPARSE * visits.len() {
            visits.iter_mut().for_each(|visit| visit.from %= lap);
            visits.sort_by_key(|visit| visit.from);
            return;
        }
        self.places.clear();
        self.places.resize(lap as usize + 1, 0);
        let mut begin = 0;
        for visit in visits.iter_mut() {
            // Most often a lap goes on.
            if visit.from < begin || visit.from - begin >= lap {
                begin = visit.from - visit.from % lap;
            }
            visit.from -= begin;
            self.places[visit.from as usize + 1] += 1;
        }
        let mut before = 0;
        for place in &mut self.places {
            before += *place;
            *place = before;
        }
        self.sorted.clone_from(visits);
        for visit in visits.iter() {
            let place = &mut self.places[visit.from as usize];
            self.sorted[*place as usize] = *visit;
            *place += 1;
        }
        std::mem::swap(visits, &mut self.sorted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn laps_over_each_other_are_in_the_order_of_time(
            steps in proptest::collection::vec(0..9_u32, 0..60),
            lap in 1..80_u32,
        ) {
            let mut now = 0;
            let visits = steps.iter().enumerate().map(|(vertex, step)| {
                now += step;
                Visit { vertex: vertex as u32, from: now, stay: 0 }
            });
            let mut visits: Vec<Visit> = visits.collect();
            let mut sorted = visits.clone();
            sorted.iter_mut().for_each(|visit| visit.from %= lap);
            sorted.sort_by_key(|visit| visit.from);
            Laps::default().overlay(&mut visits, lap);
            let of = |visits: &[Visit]| -> Vec<(u32, u32)> {
                visits.iter().map(|visit| (visit.from, visit.vertex)).collect()
            };
            prop_assert_eq!(of(&visits), of(&sorted));
        }
    }
}
