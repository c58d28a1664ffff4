//! Visits of all guards in one lap of a shared round. A lap is the time until the next guard is
//! where this one was.

use super::Visit;

/// Maximum ticks of a lap for each visit for a counting sort.
const COUNTING_SORT_TICKS: usize = 16;

/// Buffers to sort visits.
#[derive(Default)]
pub(super) struct Laps {
    /// Index of the next visit by tick of the lap.
    places: Vec<u32>,
    sorted: Vec<Visit>,
}

impl Laps {
    /// Takes the ticks of visits, which rise, modulo the lap, and sorts visits by them. The sort is
    /// stable, and a counting sort where the lap is short.
    pub(super) fn overlay(&mut self, visits: &mut Vec<Visit>, lap: u32) {
        if lap as usize > COUNTING_SORT_TICKS * visits.len() {
            visits.iter_mut().for_each(|visit| visit.from %= lap);
            visits.sort_by_key(|visit| visit.from);
            return;
        }
        self.places.clear();
        self.places.resize(lap as usize + 1, 0);
        let mut begin = 0;
        for visit in visits.iter_mut() {
            // Most visits are in the same lap as the one before: no division.
            if visit.from - begin >= lap {
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
        self.sorted.resize(visits.len(), Visit::default());
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
