//! Iterative deepening: cost limits that rise from round to round, with branch and bound in each.
//!
//! A round with limit L searches all stories of cost below L to the end. It leaves out every action
//! that no such story can afford. If it finds none, L is a lower bound; if it finds one, that story
//! is optimal.

use super::best_first::{Ended, cost_limit};
use super::branch_and_bound::{Bounds, BranchAndBound};
use super::cast::{Casting, casts};
use super::greedy::GreedySearch;
use super::relevant_actions::RelevantActions;
use crate::plan::{Cost, PICO, Plan};
use crate::relax::landmark_cut::LandmarkCut;
use crate::relax::{Goals, Rank, Relaxation, Rules, UNIT};
use anytime::{Conclusion, Control, Stop, math};

/// How much more than the least that is possible the first round allows for, in costs. Later ones
/// allow for a little more each.
const STEP: i64 = 20_000_000_000_000;
/// Stories that cost more are not looked for one by one: their score is below 0.001.
const COST_MAX: i64 = 6_900_000_000_000_000;
/// Cost of a score of one half.
const HALF: i64 = 693_000_000_000_000;
/// How many iterations the first cast gets in each round, and how many each cast gets then.
const FIRST_CAST: u64 = 1_500;
const CAST_ITERATIONS: [u64; 3] = [400, 1_500, 6_000];
/// Without a limit.
const UNLIMITED: u64 = u64::MAX;

/// Looks for stories below a cost that rises from round to round, each to the end.
///
/// A round leaves out whatever no story of its cost can afford. So the first rounds are quick, and
/// each that finds nothing proves a bound.
pub(super) fn search(rules: Rules<'_>, control: &mut Control<'_, Plan, Cost>) -> Conclusion {
    // What bounds alone prove counts as one iteration.
    if !control.tick() {
        return Conclusion::Stopped(control.stop().unwrap_or(Stop::Iterations));
    }
    let search = Search {
        rules,
        iterations_max: UNLIMITED,
        casting: None,
    };
    let ended = search
        .casts(control)
        .unwrap_or_else(|| search.rounds(control));
    match ended {
        _ if control.stop().is_some() => {
            Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted))
        }
        Ended::Full | Ended::Stopped => Conclusion::Stopped(Stop::Exhausted),
        Ended::Proved => match control.best() {
            Some(best) => {
                control.prove(best, "landmark cuts");
                Conclusion::Optimal
            }
            None => Conclusion::Infeasible,
        },
    }
}

struct Search<'p> {
    rules: Rules<'p>,
    /// Iterations of a round; where they are limited nothing is proved.
    iterations_max: u64,
    /// Whose stories are looked for.
    casting: Option<&'p Casting>,
}

impl Search<'_> {
    /// The relaxation of stories that cost less than `limit`. None: too large, or stopped.
    fn relaxed(
        &self,
        limit: i64,
        control: &mut Control<'_, Plan, Cost>,
    ) -> Option<(Relaxation, Goals)> {
        Relaxation::new(self.rules, floor_of(limit), &mut || control.go_on())
    }

    /// Rounds, beginning with the least cost that is possible.
    fn rounds(&self, control: &mut Control<'_, Plan, Cost>) -> Ended {
        let cost_max = cost_limit(control).min(COST_MAX);
        let Some(given) = self.relaxed(cost_max, control) else {
            return Ended::Full;
        };
        let mut greedy = GreedySearch::new(self.rules.compiled, &given);
        greedy.start(control);
        let mut bounds = Bounds::new();
        let Some(least) = self.lower_bound(&given, cost_max, &mut bounds, control) else {
            return Ended::Stopped;
        };
        let (mut limit, mut step) = (least.min(COST_MAX), STEP);
        loop {
            if limit < cost_limit(control) && self.iterations_max == UNLIMITED {
                prove(limit, control);
            }
            limit = if limit >= COST_MAX {
                i64::MAX / 8
            } else {
                limit + step
            };
            step += step / 8;
            let before = cost_limit(control);
            let greedy = (self.iterations_max == UNLIMITED).then_some(&mut greedy);
            match self.round(limit.min(before), &mut bounds, greedy, control) {
                Ended::Proved if limit < cost_limit(control) => {}
                ended => return ended,
            }
        }
    }

    /// Lower bound on the cost of all stories, at most `cost_max`. None: stopped.
    fn lower_bound(
        &self,
        given: &(Relaxation, Goals),
        cost_max: i64,
        bounds: &mut Bounds,
        control: &mut Control<'_, Plan, Cost>,
    ) -> Option<i64> {
        let order = RelevantActions::default();
        let compiled = self.rules.compiled;
        let mut branches =
            BranchAndBound::new(compiled, &order, given, cost_max, self.casting, bounds);
        branches.add_outcome(given.1.undecided(), 0);
        branches.refined_bound(control)
    }

    /// Searches for stories of all outcomes that cost less than `limit`; `bounds` are known lower
    /// bounds.
    fn round(
        &self,
        limit: i64,
        bounds: &mut Bounds,
        greedy: Option<&mut GreedySearch<'_>>,
        control: &mut Control<'_, Plan, Cost>,
    ) -> Ended {
        let Some(given) = self.relaxed(limit, control) else {
            return Ended::Full;
        };
        let Some(order) = RelevantActions::new(self.rules.compiled, &given.0) else {
            return Ended::Full;
        };
        let compiled = self.rules.compiled;
        let mut branches =
            BranchAndBound::new(compiled, &order, &given, limit, self.casting, bounds);
        branches.add_outcome(given.1.undecided(), 0);
        branches.run(self.iterations_max, greedy, control)
    }

    /// Lower bound on the cost of all stories by h max, without cuts.
    fn hmax_bound(&self, (relaxed, goals): &(Relaxation, Goals)) -> i64 {
        let mut landmark_cut = LandmarkCut::new(relaxed);
        landmark_cut.state(&self.rules.compiled.init.facts);
        let ranked = goals.ranked(Rank::Dearest, |need| landmark_cut.level(need));
        ranked.lower_bound()
    }

    /// Looks for stories of few, where there are many. An end where it was stopped.
    ///
    /// What one cast comes to is found in rounds; then it is asked of each cast whether it comes to
    /// more, for longer and longer.
    fn casts(&self, control: &mut Control<'_, Plan, Cost>) -> Option<Ended> {
        let (kinds, small) = (self.rules.problem.kinds(), self.rules.caps.cast);
        if kinds.iter().all(|kind| kind.entities.len() <= small) {
            return None;
        }
        // Stories that cost more are not in the relaxation.
        let cost_max = HALF.min(cost_limit(control));
        let given = self.relaxed(cost_max, control)?;
        prove(self.hmax_bound(&given).min(cost_max), control);
        let Rules {
            problem, compiled, ..
        } = self.rules;
        let casts = casts(problem, compiled, &given, &mut || control.go_on());
        let mut is_first = true;
        for iterations_max in CAST_ITERATIONS {
            for casting in &casts {
                let compiled = self.rules.compiled.with_cast(casting.cast.clone());
                let search = Search {
                    rules: Rules {
                        compiled: &compiled,
                        ..self.rules
                    },
                    iterations_max: if is_first { FIRST_CAST } else { iterations_max },
                    casting: Some(casting),
                };
                let before = cost_limit(control);
                if is_first {
                    search.rounds(control);
                } else {
                    search.round(before, &mut Bounds::new(), None, control);
                }
                // Where there is something better there is more.
                let mut last = before;
                while !is_first && cost_limit(control) < last && control.go_on() {
                    last = cost_limit(control);
                    let search = Search {
                        iterations_max: FIRST_CAST,
                        ..search
                    };
                    search.round(last, &mut Bounds::new(), None, control);
                }
                if !control.go_on() || control.remaining() == 0 {
                    return Some(Ended::Stopped);
                }
                is_first &= cost_limit(control) >= before;
            }
        }
        None
    }
}

/// How believable actions are at most that cost as much as this, and are left out; rounded to the
/// safe side.
pub(super) fn floor_of(limit: i64) -> f64 {
    math::exp(-(limit as f64) / UNIT) * (1.0 - 1e-9)
}

/// No story costs less than this.
pub(super) fn prove(lower_bound: i64, control: &mut Control<'_, Plan, Cost>) {
    let score = math::exp(-(lower_bound as f64) / UNIT).min(1.0);
    let loss_pico = ((1.0 - score) * PICO).floor() as u64;
    control.prove(Cost { loss_pico }, "landmark cuts");
}
