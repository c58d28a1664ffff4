//! The levels found so far, one for each rung.

use crate::board::Board;
use crate::plan::{Cost, Crop, Level, Plan, miss_micro};
use crate::problem::{Goal, Problem};

/// The best levels so far.
#[derive(Debug, Clone)]
pub(super) struct Shelf<'p> {
    problem: &'p Problem,
    levels: Vec<Option<Level>>,
    /// What levels have to differ from, made ready.
    avoided: Vec<Crop>,
}

impl<'p> Shelf<'p> {
    pub(super) fn new(problem: &'p Problem) -> Self {
        Self {
            problem,
            levels: vec![None; problem.spec().levels],
            avoided: problem.spec().avoided.iter().map(Crop::of).collect(),
        }
    }

    /// The rung that misses most; none once all is hit.
    pub(super) fn worst(&self) -> Option<usize> {
        let misses = self.levels.iter().enumerate().map(|(rung, level)| {
            let miss = level.as_ref().map_or(i64::MAX, |level| {
                miss_micro(self.problem, rung, level.value_micro)
            });
            (miss, rung)
        });
        misses
            .max_by_key(|&(miss, rung)| (miss, std::cmp::Reverse(rung)))
            .filter(|(miss, _)| *miss > 0 || self.problem.spec().goal == Goal::Most)
            .map(|(_, rung)| rung)
    }

    /// Whether a level of this value could help, before it is made and compared.
    pub(super) fn place_for(&self, value_micro: i64) -> Option<usize> {
        match self.problem.spec().goal {
            Goal::Most => {
                let lowest = self.levels[0].as_ref();
                lowest
                    .is_none_or(|lowest| value_micro > lowest.value_micro)
                    .then_some(0)
            }
            Goal::Hit { .. } => {
                let gain = |rung: usize| {
                    let miss = miss_micro(self.problem, rung, value_micro);
                    match &self.levels[rung] {
                        None => Some((1, miss.saturating_neg())),
                        Some(level) => {
                            let gain = miss_micro(self.problem, rung, level.value_micro) - miss;
                            (gain > 0).then_some((0, gain))
                        }
                    }
                };
                let rungs =
                    (0..self.levels.len()).filter(|&rung| self.is_between(rung, value_micro));
                rungs
                    .filter_map(|rung| gain(rung).map(|gain| (gain, rung)))
                    .max_by_key(|&(gain, rung)| (gain, std::cmp::Reverse(rung)))
                    .map(|(_, rung)| rung)
            }
        }
    }

    /// Whether values rise with this one on that rung.
    fn is_between(&self, rung: usize, value_micro: i64) -> bool {
        let Goal::Hit {
            easiest_micro,
            hardest_micro,
            ..
        } = self.problem.spec().goal
        else {
            return true;
        };
        if easiest_micro == hardest_micro {
            return true;
        }
        let values = |levels: &[Option<Level>]| -> Vec<i64> {
            levels
                .iter()
                .flatten()
                .map(|level| level.value_micro)
                .collect()
        };
        values(&self.levels[..rung])
            .iter()
            .all(|below| *below < value_micro)
            && values(&self.levels[rung + 1..])
                .iter()
                .all(|above| *above > value_micro)
    }

    /// Takes a level in where [`Shelf::place_for`] said, if it differs enough from the others; says whether it did.
    pub(super) fn put(&mut self, rung: usize, level: Level) -> bool {
        if !self.is_new(rung, &level.board) {
            return false;
        }
        match self.problem.spec().goal {
            Goal::Hit { .. } => self.levels[rung] = Some(Level { rung, ..level }),
            Goal::Most => {
                self.levels[0] = Some(level);
                // Missing ones first, then rising.
                self.levels
                    .sort_by_key(|level| level.as_ref().map(|level| level.value_micro));
            }
        }
        true
    }

    fn is_new(&self, rung: usize, board: &Board) -> bool {
        let least = self.problem.spec().difference_min_percent;
        if least == 0 {
            return true;
        }
        let others = self
            .levels
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != rung)
            .filter_map(|(_, level)| level.as_ref().map(|level| Crop::of(&level.board)));
        let crop = Crop::of(board);
        let differs = |other: &Crop| crop.least_difference(other) >= least;
        self.avoided.iter().all(differs) && others.into_iter().all(|other| differs(&other))
    }

    /// The plan, and what it costs.
    pub(super) fn plan(&self) -> (Plan, Cost) {
        let mut levels: Vec<Level> = self.levels.iter().flatten().cloned().collect();
        if self.problem.spec().goal == Goal::Most {
            for (rung, level) in levels.iter_mut().enumerate() {
                level.rung = rung;
            }
        }
        let values: Vec<(usize, i64)> = levels
            .iter()
            .map(|level| (level.rung, level.value_micro))
            .collect();
        let cost = Cost::of(self.problem, &values);
        (Plan { levels }, cost)
    }
}
