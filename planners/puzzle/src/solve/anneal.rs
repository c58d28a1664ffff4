//! Simulated annealing of boards: changed bit by bit, solved each time, accepted when they come
//! closer to the target.

mod begin;
mod exhaust;
mod walls;

use super::archive::{Archive, NO_CLIMB, Start};
use super::change::change;
use super::draft::{Draft, Ground};
use super::evaluator::{Evaluator, Rated};
use super::retrograde::Retrograde;
use crate::plan::{Cost, EFFORT_MAX, Level, Plan, miss_micro};
use crate::problem::{Goal, Problem, Walls};
use anytime::{Conclusion, Control, Stop, math};
use mcts::Rng;
use rand::{RngExt, SeedableRng};

/// Changes in a row without a gain after which a new board is begun.
const PATIENCE: u32 = 400;
/// Positions that the solver opens at most for a draft that nothing is known of, of 2 or 3 boxes.
const FIRST_OPENED_MAX: u32 = 300;
/// Penalty of each push that a box lacks, in millionths of value.
const LACKING_MICRO: i64 = 1_500_000;
/// Largest factor by which one change may make a draft harder.
const STEP_UP: u32 = 4;

struct Run<'p, 'c, 's> {
    problem: &'p Problem,
    ground: Ground<'p>,
    control: &'c mut Control<'s, Plan, Cost>,
    evaluator: Evaluator,
    archive: Archive<'p>,
    rng: Rng,
    /// Most positions that the solver opens for a draft.
    opened_max: u32,
    /// Label reported with each offer.
    found_by: &'static str,
    /// Number of the climb at hand.
    climb: u32,
    /// The best level of this climb that was not offered yet.
    pending: Option<Candidate>,
}

/// A level that may help.
struct Candidate {
    level: Level,
    start: Start,
}

/// Looks for levels until all are as wanted.
pub(super) fn anneal(problem: &Problem, control: &mut Control<'_, Plan, Cost>) -> Conclusion {
    let rng = Rng::seed_from_u64(control.seed(0));
    let mut run = Run {
        problem,
        ground: Ground::new(problem),
        control,
        evaluator: Evaluator::default(),
        archive: Archive::new(problem),
        rng,
        opened_max: opened_max(problem),
        found_by: "local search",
        climb: NO_CLIMB,
        pending: None,
    };
    if let Some(draft) = run.ground.only_draft() {
        return run.rate_only_draft(draft);
    }
    run.quick_level();
    if exhaust::is_wanted(problem)
        && let Some(retrograde) =
            Retrograde::for_problem(problem, &run.ground, run.control.limits().nodes_max)
    {
        run.found_by = "exhaustive search";
        return run.exhaust(retrograde);
    }
    while !run.is_done() {
        if !run.climb() {
            return match run.control.stop() {
                Some(stop) => Conclusion::Stopped(stop),
                None => Conclusion::Stopped(Stop::Exhausted),
            };
        }
    }
    Conclusion::Optimal
}

/// Positions that a level of the value wanted can cost at most, with some to spare.
fn opened_max(problem: &Problem) -> u32 {
    let weights = &problem.spec().weights;
    let Goal::Hit {
        hardest_micro,
        tolerance_percent,
        ..
    } = problem.spec().goal
    else {
        return EFFORT_MAX;
    };
    if weights.effort_log <= 0 {
        return EFFORT_MAX;
    }
    let most = hardest_micro as f64 * (1.0 + f64::from(tolerance_percent) / 100.0);
    let log = most * weights.divisor as f64 / weights.effort_log as f64 / 1e6;
    // Beyond 32 the power is above any limit.
    (math::exp2(log.clamp(0.0, 32.0)) as u32).clamp(64, EFFORT_MAX)
}

impl Run<'_, '_, '_> {
    /// Rates the only draft there is.
    fn rate_only_draft(&mut self, draft: Draft) -> Conclusion {
        let mut draft = draft;
        if !self.control.tick() {
            return Conclusion::Stopped(self.control.stop().unwrap_or(Stop::Iterations));
        }
        let Some(rated) = self.weigh(&mut draft, EFFORT_MAX) else {
            return match self.control.stop() {
                Some(stop) => Conclusion::Stopped(stop),
                None if self.evaluator.is_unsolvable() => Conclusion::Infeasible,
                None => Conclusion::Stopped(Stop::Exhausted),
            };
        };
        self.consider(&draft, &rated);
        let is_whole = self.problem.spec().levels == 1 && self.control.best().is_some();
        if is_whole {
            Conclusion::Optimal
        } else {
            Conclusion::Stopped(Stop::Exhausted)
        }
    }

    /// Goes on from a level that misses what is wanted, or begins a board, and changes it until
    /// nothing is gained any more, or its rung is hit. False: stop.
    fn climb(&mut self) -> bool {
        self.climb += 1;
        // A set is filled first: whatever a level is worth, it is better than none.
        let fills = self.problem.spec().levels > 1 && self.archive.is_short();
        let worst = self.archive.worst().filter(|_| !fills);
        let resumed = worst.and_then(|rung| self.archive.resume(rung, self.climb));
        let begun = match resumed {
            Some(start) => Some((start.draft, start.rated)),
            None => self.begin(),
        };
        let Some(begun) = begun else {
            return false;
        };
        let is_filled = fills && self.archive.own(self.climb).is_some();
        let goes_on = is_filled || self.change_until(begun, fills);
        if let Some(pending) = self.pending.take() {
            self.offer(pending);
        }
        // No climb goes on from here again.
        if let Some(own) = self.archive.own(self.climb).filter(|_| !fills) {
            let _ = self.archive.resume(own, self.climb);
        }
        goes_on
    }

    /// Changes a draft bit by bit. False: stop.
    fn change_until(&mut self, begun: (Draft, Rated), fills: bool) -> bool {
        let (mut draft, mut rated) = begun;
        let mut temperature = 0.5;
        let mut since = 0;
        let mut best = i64::MAX;
        while let Some(rung) = self.target_rung().filter(|_| !self.is_done()) {
            if since > PATIENCE {
                return true;
            }
            if !self.control.tick() {
                return false;
            }
            since += 1;
            temperature *= 0.997;
            let mut next = draft.clone();
            change(&self.ground, &mut next, &mut self.rng);
            if next == draft {
                continue;
            }
            // What is much harder than before is not worth the time to find out how much.
            let most = self.opened_max.max(rated.features.effort);
            let opened_max = (rated.features.effort * STEP_UP + FIRST_OPENED_MAX).min(most);
            let Some(after) = self.weigh(&mut next, opened_max) else {
                continue;
            };
            if self.consider(&next, &after) && fills {
                return true;
            }
            let (was, is) = (self.miss(rung, &rated), self.miss(rung, &after));
            let worse = (is - was) as f64 / 1e6;
            if worse <= 0.0 || self.rng.random::<f64>() < math::exp(-worse / temperature) {
                draft = next;
                rated = after;
                if is < best {
                    best = is;
                    since = 0;
                }
            }
        }
        true
    }

    /// The rung that this climb is for; none when it is hit, or all are.
    fn target_rung(&self) -> Option<usize> {
        let Some(own) = self.archive.own(self.climb) else {
            return self.archive.worst();
        };
        let is_most = self.problem.spec().goal == Goal::Most;
        (is_most || self.archive.miss(own) != Some(0)).then_some(own)
    }

    /// Whether nothing better than what was offered can be.
    fn is_done(&self) -> bool {
        let best = self.control.best();
        self.archive.worst().is_none() || (best.is_some() && best == self.control.bound())
    }

    fn miss(&self, rung: usize, rated: &Rated) -> i64 {
        miss_micro(self.problem, rung, rated.value_micro)
            .saturating_add(i64::from(rated.lacking) * LACKING_MICRO)
    }

    fn weigh(&mut self, draft: &mut Draft, opened_max: u32) -> Option<Rated> {
        let control = &mut *self.control;
        self.evaluator
            .rate(&self.ground, draft, opened_max, &mut || control.go_on())
    }

    /// Offers a level if it helps, or keeps it in mind. Whether it was offered.
    fn consider(&mut self, draft: &Draft, rated: &Rated) -> bool {
        if rated.lacking > 0 {
            return false;
        }
        let Some(rung) = self.archive.place_for(rated.value_micro, self.climb) else {
            return false;
        };
        let miss = self.miss(rung, rated);
        let pending = self.pending.as_ref();
        let is_better = pending.is_none_or(|pending| miss < self.miss(rung, &pending.start.rated));
        let is_small = self.is_small_step(miss);
        if is_small && !is_better {
            return false;
        }
        let Some(level) = self.evaluator.level(&self.ground, draft, rated) else {
            return false;
        };
        let (draft, rated) = (draft.clone(), rated.clone());
        let start = Start { draft, rated };
        let candidate = Candidate { level, start };
        if is_small {
            self.pending = Some(candidate);
            return false;
        }
        self.offer(candidate)
    }

    /// Whether a level that misses the target by `miss` is hardly better than the last one of this
    /// climb. Each offered plan is checked, so that not each small step of a set of many levels is
    /// offered.
    fn is_small_step(&self, miss: i64) -> bool {
        if self.problem.spec().levels == 1 || self.problem.spec().goal == Goal::Most {
            return false;
        }
        let own = self.archive.own(self.climb);
        let own = own.and_then(|own| self.archive.miss(own));
        own.is_some_and(|before| miss > before / 4)
    }

    /// Puts a level into the archive if it improves it, and offers the levels there. Whether it
    /// did.
    fn offer(&mut self, candidate: Candidate) -> bool {
        let Candidate { mut level, start } = candidate;
        let Start {
            mut draft,
            mut rated,
        } = start;
        if self.problem.spec().walls == Walls::Needed {
            if !self.thin_out(&mut draft, &mut rated) {
                return false;
            }
            let Some(thin) = self.evaluator.level(&self.ground, &draft, &rated) else {
                return false;
            };
            level = thin;
        }
        let Some(rung) = self.archive.place_for(rated.value_micro, self.climb) else {
            return false;
        };
        let start = (self.problem.spec().levels > 1).then_some(Start { draft, rated });
        if !self.archive.put(rung, level, self.climb, start) {
            return false;
        }
        self.pending = None;
        let (plan, cost) = self.archive.plan();
        self.control.offer(&plan, cost, self.found_by)
    }
}
