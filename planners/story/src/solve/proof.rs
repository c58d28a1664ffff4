//! From bounds to a proof: limits that rise from round to round, and branch and bound within each.

use super::branches::Branches;
use super::cast::{Casting, casts};
use super::optimal::{Ended, limit_of};
use super::order::Order;
use crate::machine::Machine;
use crate::plan::{Cost, PICO, Plan};
use crate::problem::Problem;
use crate::relax::cut::Cutter;
use crate::relax::{Relaxed, UNIT};
use anytime::{Conclusion, Control, Stop};

/// How much more than the least that is possible the first round allows for, in costs. Later ones allow for a little more each.
const STEP: i64 = 20_000_000_000_000;
/// Stories that cost more are not looked for one by one: their score is below 0.001.
const MOST: i64 = 6_900_000_000_000_000;
/// Cost of a score of one half.
const HALF: i64 = 693_000_000_000_000;
/// Targets of which all are looked at before any story is looked for; with more the likeliest ones come first.
const TARGETS_MANY: usize = 256;
/// How many the likeliest ones are, and how many parts of their stories are looked at.
const LIKELY: usize = 24;
const PARTS_MAX: usize = 400;
/// How many iterations the first cast gets in each round, and how many each cast gets then.
const FIRST_CAST: u64 = 1_500;
const CAST_ITERATIONS: [u64; 4] = [100, 400, 1_500, 6_000];
/// Without a limit.
const ALL: u64 = u64::MAX;

/// Looks for stories below a cost that rises from round to round, each to the end.
///
/// A round leaves out whatever no story of its cost can afford. So the first rounds are quick, and each that finds nothing proves a bound.
pub(super) fn search(
    problem: &Problem,
    machine: &Machine,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    // What bounds alone prove counts as one iteration.
    if !control.tick() {
        return Conclusion::Stopped(control.stop().unwrap_or(Stop::Iterations));
    }
    let search = Search {
        problem,
        machine,
        iterations_max: ALL,
        casting: None,
    };
    let ended = match search.relaxed(HALF, control) {
        None => Ended::Full,
        Some(relaxed) if relaxed.targets.len() > TARGETS_MANY => search.likely(relaxed, control),
        Some(_) => search.rounds(control),
    };
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
    problem: &'p Problem,
    machine: &'p Machine,
    /// Iterations of a round; where they are limited nothing is proved.
    iterations_max: u64,
    /// Whose stories are looked for.
    casting: Option<&'p Casting>,
}

impl Search<'_> {
    /// The relaxation of stories that cost less than `limit`. None: too large, or told to stop.
    fn relaxed(&self, limit: i64, control: &mut Control<'_, Plan, Cost>) -> Option<Relaxed> {
        // Actions that cost as much are left out; rounded to the safe side.
        let floor = (-(limit as f64) / UNIT).exp() * (1.0 - 1e-9);
        Relaxed::new(self.problem, self.machine, floor, &mut || control.go_on())
    }

    /// Rounds, beginning with the least cost that is possible.
    fn rounds(&self, control: &mut Control<'_, Plan, Cost>) -> Ended {
        let Some(relaxed) = self.relaxed(limit_of(control).min(MOST), control) else {
            return Ended::Full;
        };
        let Some(bounds) = self.bounds(&relaxed, control) else {
            return Ended::Stopped;
        };
        drop(relaxed);
        let least = bounds.iter().copied().min().unwrap_or(MOST);
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
            match self.round(limit.min(before), &bounds, control) {
                Ended::Proved if limit < limit_of(control) => {}
                ended => return ended,
            }
        }
    }

    /// What the targets cost at least, by a quick look at each, as far as it is not above [`MOST`].
    fn bounds(&self, relaxed: &Relaxed, control: &mut Control<'_, Plan, Cost>) -> Option<Vec<i64>> {
        let mut cutter = Cutter::new(relaxed);
        cutter.state(&self.machine.init.facts);
        let targets = relaxed.targets.iter().map(|target| {
            let found = cutter.ordered(&target.needs, MOST);
            let bound = found.map_or(MOST, |(_, bound)| bound.min(MOST));
            control.go_on().then_some(bound + target.cost)
        });
        targets.collect()
    }

    /// Searches for stories that cost less than `limit`, of all targets, of which it is known what they cost at least.
    fn round(&self, limit: i64, bounds: &[i64], control: &mut Control<'_, Plan, Cost>) -> Ended {
        let Some(relaxed) = self.relaxed(limit, control) else {
            return Ended::Full;
        };
        let Some(order) = Order::new(self.machine, &relaxed) else {
            return Ended::Full;
        };
        let mut branches = Branches::new((self.machine, &relaxed, &order), limit);
        for (target, about) in relaxed.targets.iter().enumerate() {
            if self
                .casting
                .is_some_and(|casting| !casting.is_for(self.machine, about))
            {
                continue;
            }
            let known = bounds.get(target).copied().unwrap_or(0);
            branches.add_target(target, known);
        }
        branches.run((usize::MAX, self.iterations_max), control)
    }

    /// What all targets cost at least, at a glance.
    fn least(&self, relaxed: &Relaxed) -> i64 {
        let mut cutter = Cutter::new(relaxed);
        cutter.state(&self.machine.init.facts);
        let each = relaxed.targets.iter().map(|target| {
            let costs = target.needs.iter().map(|need| cutter.level(*need));
            costs.max().unwrap_or(0).saturating_add(target.cost)
        });
        each.min().unwrap_or(i64::MAX)
    }

    /// Looks for stories of few. An end where told to stop.
    ///
    /// What one cast comes to is found in rounds; then it is asked of each cast whether it comes to more, for longer and longer.
    fn casts(&self, relaxed: &Relaxed, control: &mut Control<'_, Plan, Cost>) -> Option<Ended> {
        let casts = casts(self.problem, self.machine, relaxed);
        let mut is_first = true;
        for iterations_max in CAST_ITERATIONS {
            for casting in &casts {
                let machine = self.machine.casting(casting.cast.clone());
                let search = Search {
                    problem: self.problem,
                    machine: &machine,
                    iterations_max: if is_first { FIRST_CAST } else { iterations_max },
                    casting: Some(casting),
                };
                let before = limit_of(control);
                if is_first {
                    search.rounds(control);
                } else {
                    search.round(before, &[], control);
                }
                if !control.go_on() || control.remaining() == 0 {
                    return Some(Ended::Stopped);
                }
                is_first &= limit_of(control) >= before;
            }
        }
        None
    }

    /// Where there are many targets: looks for a story among the likeliest ones first, then at all.
    fn likely(&self, mut relaxed: Relaxed, control: &mut Control<'_, Plan, Cost>) -> Ended {
        let mut limit = HALF.min(limit_of(control));
        prove(self.least(&relaxed).min(limit), control);
        if let Some(ended) = self.casts(&relaxed, control) {
            return ended;
        }
        while limit_of(control) >= limit && limit <= MOST {
            let Some(order) = Order::new(self.machine, &relaxed) else {
                return Ended::Full;
            };
            let mut branches = Branches::new((self.machine, &relaxed, &order), limit);
            let likely = branches.likeliest(LIKELY);
            likely
                .into_iter()
                .for_each(|target| branches.add_target(target, 0));
            let ended = branches.run((PARTS_MAX, ALL), control);
            if ended == Ended::Stopped {
                return ended;
            }
            limit = limit.saturating_mul(2);
            relaxed = match self.relaxed(limit, control) {
                Some(relaxed) => relaxed,
                None => return Ended::Full,
            };
        }
        self.round(limit_of(control), &[], control)
    }
}

/// No story costs less than this.
pub(super) fn prove(promised: i64, control: &mut Control<'_, Plan, Cost>) {
    let score = (-(promised as f64) / UNIT).exp().min(1.0);
    let loss_pico = ((1.0 - score) * PICO).floor() as u64;
    control.prove(Cost { loss_pico }, "landmark cuts");
}
