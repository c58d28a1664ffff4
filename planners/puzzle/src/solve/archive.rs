//! The level archive: the best levels found so far, one for each rung.

use super::draft::Draft;
use super::evaluator::Rated;
use crate::board::Board;
use crate::plan::{Cost, Crop, Level, Plan, miss_micro};
use crate::problem::{Goal, Problem};

/// The climb that levels are of which no climb will go on from.
pub(super) const NO_CLIMB: u32 = 0;

/// State from which a climb can go on.
#[derive(Debug, Clone)]
pub(super) struct Start {
    pub(super) draft: Draft,
    pub(super) rated: Rated,
}

/// A level, and the climb that it is of.
#[derive(Debug, Clone)]
struct Entry {
    level: Level,
    climb: u32,
    /// None: nothing is gained by going on from here.
    start: Option<Start>,
}

/// The level archive.
#[derive(Debug, Clone)]
pub(super) struct Archive<'p> {
    problem: &'p Problem,
    levels: Vec<Option<Entry>>,
    /// Boards that levels have to differ from.
    avoided: Vec<Crop>,
}

impl<'p> Archive<'p> {
    pub(super) fn new(problem: &'p Problem) -> Self {
        Self {
            problem,
            levels: vec![None; problem.spec().levels],
            avoided: problem.spec().avoided.iter().map(Crop::new).collect(),
        }
    }

    /// The rung that misses most; none once all is hit.
    pub(super) fn worst(&self) -> Option<usize> {
        let misses = self.levels.iter().enumerate().map(|(rung, level)| {
            let miss = level.as_ref().map_or(i64::MAX, |entry| {
                miss_micro(self.problem, rung, entry.level.value_micro)
            });
            (miss, rung)
        });
        misses
            .max_by_key(|&(miss, rung)| (miss, std::cmp::Reverse(rung)))
            .filter(|(miss, _)| *miss > 0 || self.problem.spec().goal == Goal::Most)
            .map(|(_, rung)| rung)
    }

    /// Whether levels are wanted that are not there yet.
    pub(super) fn is_short(&self) -> bool {
        self.levels.iter().any(Option::is_none)
    }

    /// The rung of the level of a climb.
    pub(super) fn own(&self, climb: u32) -> Option<usize> {
        let is_own = |entry: &Entry| climb != NO_CLIMB && entry.climb == climb;
        let mut levels = self.levels.iter();
        levels.position(|entry| entry.as_ref().is_some_and(is_own))
    }

    /// Distance of the level of a rung from its target.
    pub(super) fn miss(&self, rung: usize) -> Option<i64> {
        let level = &self.levels[rung].as_ref()?.level;
        Some(miss_micro(self.problem, rung, level.value_micro))
    }

    /// State to go on from towards a rung, once; the level there is of this climb from now on.
    pub(super) fn resume(&mut self, rung: usize, climb: u32) -> Option<Start> {
        let entry = self.levels[rung].as_mut()?;
        let start = entry.start.take()?;
        entry.climb = climb;
        Some(start)
    }

    /// The place for a level of this value, before it is made and compared. A climb has one level:
    /// a later one replaces the earlier one, which is similar.
    pub(super) fn place_for(&self, value_micro: i64, climb: u32) -> Option<usize> {
        if let Some(own) = self.own(climb) {
            let miss = miss_micro(self.problem, own, value_micro);
            let is_better = self.miss(own).is_none_or(|before| miss < before);
            return (is_better && self.is_between(own, value_micro)).then_some(own);
        }
        match self.problem.spec().goal {
            Goal::Most => {
                let lowest = self.levels[0].as_ref();
                lowest
                    .is_none_or(|lowest| value_micro > lowest.level.value_micro)
                    .then_some(0)
            }
            Goal::Hit { .. } => {
                let gain = |rung: usize| {
                    let miss = miss_micro(self.problem, rung, value_micro);
                    match &self.levels[rung] {
                        None => Some((1, miss.saturating_neg())),
                        Some(entry) => {
                            let before = entry.level.value_micro;
                            let gain = miss_micro(self.problem, rung, before) - miss;
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
        let values = |levels: &[Option<Entry>]| -> Vec<i64> {
            levels
                .iter()
                .flatten()
                .map(|entry| entry.level.value_micro)
                .collect()
        };
        values(&self.levels[..rung])
            .iter()
            .all(|below| *below < value_micro)
            && values(&self.levels[rung + 1..])
                .iter()
                .all(|above| *above > value_micro)
    }

    /// Puts a level into the place from [`Archive::place_for`] if it differs enough from the
    /// others; returns whether it does.
    pub(super) fn put(
        &mut self,
        rung: usize,
        level: Level,
        climb: u32,
        start: Option<Start>,
    ) -> bool {
        if !self.is_new(rung, &level.board) {
            return false;
        }
        match self.problem.spec().goal {
            Goal::Hit { .. } => {
                let level = Level { rung, ..level };
                self.levels[rung] = Some(Entry {
                    level,
                    climb,
                    start,
                });
            }
            Goal::Most => {
                self.levels[rung] = Some(Entry {
                    level,
                    climb,
                    start,
                });
                // Missing ones first, then rising.
                self.levels
                    .sort_by_key(|entry| entry.as_ref().map(|entry| entry.level.value_micro));
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
            .filter_map(|(_, entry)| entry.as_ref().map(|entry| Crop::new(&entry.level.board)));
        let crop = Crop::new(board);
        let differs = |other: &Crop| crop.least_difference(other) >= least;
        self.avoided.iter().all(differs) && others.into_iter().all(|other| differs(&other))
    }

    /// The plan, and what it costs.
    pub(super) fn plan(&self) -> (Plan, Cost) {
        let entries = self.levels.iter().flatten();
        let mut levels: Vec<Level> = entries.map(|entry| entry.level.clone()).collect();
        if self.problem.spec().goal == Goal::Most {
            for (rung, level) in levels.iter_mut().enumerate() {
                level.rung = rung;
            }
        }
        let values: Vec<(usize, i64)> = levels
            .iter()
            .map(|level| (level.rung, level.value_micro))
            .collect();
        let cost = Cost::from_values(self.problem, &values);
        (Plan { levels }, cost)
    }
}
