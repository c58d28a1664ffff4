//! From bounds to a proof: limits that rise from round to round, and branch and bound within each.

use super::branches::{Bounds, Branches};
use super::cast::{Casting, casts};
use super::dive::Dive;
use super::optimal::{Ended, limit_of};
use super::order::Order;
use crate::plan::{Cost, PICO, Plan};
use crate::relax::cut::Cutter;
use crate::relax::{Goals, Rank, Relaxed, Rules, UNIT};
use anytime::{Conclusion, Control, Stop, math};

/// How much more than the least that is possible the first round allows for, in costs. Later ones
/// allow for a little more each.
const STEP: i64 = 20_000_000_000_000;
/// Stories that cost more are not looked for one by one: their score is below 0.001.
const MOST: i64 = 6_900_000_000_000_000;
/// Cost of a score of one half.
const HALF: i64 = 693_000_000_000_000;
/// How many iterations the first cast gets in each round, and how many each cast gets then.
const FIRST_CAST: u64 = 1_500;
const CAST_ITERATIONS: [u64; 3] = [400, 1_500, 6_000];
/// Without a limit.
const ALL: u64 = u64::MAX;

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
        iterations_max: ALL,
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
    ) -> Option<(Relaxed, Goals)> {
        Relaxed::new(self.rules, floor_of(limit), &mut || control.go_on())
    }

    /// Rounds, beginning with the least cost that is possible.
    fn rounds(&self, control: &mut Control<'_, Plan, Cost>) -> Ended {
        let most = limit_of(control).min(MOST);
        let Some(given) = self.relaxed(most, control) else {
            return Ended::Full;
        };
        let mut dive = Dive::new(self.rules.machine, &given);
        dive.begin(control);
        let mut bounds = Bounds::new();
        let Some(least) = self.least(&given, (most, &mut bounds), control) else {
            return Ended::Stopped;
        };
        let (mut limit, mut step) = (least.min(MOST), STEP);
        loop {
            if limit < limit_of(control) && self.iterations_max == ALL {
                prove(limit, control);
            }
            limit = if limit >= MOST {
                i64::MAX / 8
            } else {
                limit + step
            };
            step += step / 8;
            let before = limit_of(control);
            let dive = (self.iterations_max == ALL).then_some(&mut dive);
            match self.round(limit.min(before), (&mut bounds, dive), control) {
                Ended::Proved if limit < limit_of(control) => {}
                ended => return ended,
            }
        }
    }

    /// What all stories cost at least, as far as it is less than `most`; none when stopped.
    fn least(
        &self,
        given: &(Relaxed, Goals),
        (most, bounds): (i64, &mut Bounds),
        control: &mut Control<'_, Plan, Cost>,
    ) -> Option<i64> {
        let order = Order::default();
        let rules = (self.rules.machine, &order);
        let mut branches = Branches::new(rules, given, (most, self.casting), bounds);
        branches.add_outcome(given.1.all(), 0);
        branches.least(control)
    }

    /// Searches for stories of all outcomes that cost less than `limit`; `bounds` are known lower
    /// bounds.
    fn round(
        &self,
        limit: i64,
        (bounds, dive): (&mut Bounds, Option<&mut Dive<'_>>),
        control: &mut Control<'_, Plan, Cost>,
    ) -> Ended {
        let Some(given) = self.relaxed(limit, control) else {
            return Ended::Full;
        };
        let Some(order) = Order::new(self.rules.machine, &given.0) else {
            return Ended::Full;
        };
        let rules = (self.rules.machine, &order);
        let mut branches = Branches::new(rules, &given, (limit, self.casting), bounds);
        branches.add_outcome(given.1.all(), 0);
        branches.run((self.iterations_max, dive), control)
    }

    /// What all stories cost at least, at a glance.
    fn glance(&self, (relaxed, goals): &(Relaxed, Goals)) -> i64 {
        let mut cutter = Cutter::new(relaxed);
        cutter.state(&self.rules.machine.init.facts);
        let ranked = goals.ranked(Rank::Dearest, |need| cutter.level(need));
        ranked.least()
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
        let most = HALF.min(limit_of(control));
        let given = self.relaxed(most, control)?;
        prove(self.glance(&given).min(most), control);
        let Rules {
            problem, machine, ..
        } = self.rules;
        let casts = casts((problem, machine), &given, &mut || control.go_on());
        let mut is_first = true;
        for iterations_max in CAST_ITERATIONS {
            for casting in &casts {
                let machine = self.rules.machine.casting(casting.cast.clone());
                let search = Search {
                    rules: Rules {
                        machine: &machine,
                        ..self.rules
                    },
                    iterations_max: if is_first { FIRST_CAST } else { iterations_max },
                    casting: Some(casting),
                };
                let before = limit_of(control);
                if is_first {
                    search.rounds(control);
                } else {
                    search.round(before, (&mut Bounds::new(), None), control);
                }
                // Where there is something better there is more.
                let mut last = before;
                while !is_first && limit_of(control) < last && control.go_on() {
                    last = limit_of(control);
                    let search = Search {
                        iterations_max: FIRST_CAST,
                        ..search
                    };
                    search.round(last, (&mut Bounds::new(), None), control);
                }
                if !control.go_on() || control.remaining() == 0 {
                    return Some(Ended::Stopped);
                }
                is_first &= limit_of(control) >= before;
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
pub(super) fn prove(promised: i64, control: &mut Control<'_, Plan, Cost>) {
    let score = math::exp(-(promised as f64) / UNIT).min(1.0);
    let loss_pico = ((1.0 - score) * PICO).floor() as u64;
    control.prove(Cost { loss_pico }, "landmark cuts");
}
