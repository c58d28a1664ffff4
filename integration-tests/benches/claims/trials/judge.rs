//! What searches of one problem claim, judged by the check, by each other, and by an oracle.

use super::Tally;
use super::search::Run;
use anytime::{Conclusion, Planner};

/// What an oracle knows about a problem.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Truth<C> {
    /// Nothing.
    Unknown,
    /// There is no plan at all.
    NoPlan,
    /// The best plan costs this; and whether it keeps every rule.
    Least(C, bool),
    /// Some plan, which keeps every rule, costs this.
    AtMost(C),
}

/// How claims are compared.
pub(crate) struct Judge<'j, P: Planner> {
    pub(crate) problem: &'j P::Problem,
    pub(crate) truth: Truth<P::Cost>,
    /// Whether a plan keeps every rule, so that the problem is not infeasible.
    pub(crate) is_whole: &'j dyn Fn(&P::Plan) -> bool,
    /// The most that an optimum or a bound may be where this is the least cost: proofs by doubles
    /// are not exact.
    pub(crate) slack: fn(P::Cost) -> P::Cost,
}

impl<P: Planner> Judge<'_, P> {
    /// Judges all claims of these searches.
    pub(crate) fn judge(&self, runs: &[Run<P>], tally: &mut Tally) {
        tally.known += u64::from(matches!(self.truth, Truth::NoPlan | Truth::Least(..)));
        for run in runs {
            self.plans(run, tally);
        }
        let least = self.least_cost(runs);
        let is_feasible = self.is_feasible(runs);
        for run in runs {
            let how = &run.how;
            for bound in &run.bounds {
                tally.bounds += 1;
                let holds = least.is_none_or(|least| *bound <= (self.slack)(least));
                tally.expect(holds, || format!("{how}: bound {bound:?}, plan {least:?}"));
            }
            let last = run.offers.last().map(|(_, cost)| *cost);
            match run.end {
                Conclusion::Optimal => {
                    tally.optimal += 1;
                    let holds = last.zip(least).is_some_and(|(l, m)| l <= (self.slack)(m));
                    tally.expect(holds, || format!("{how}: optimal {last:?}, plan {least:?}"));
                }
                Conclusion::Infeasible | Conclusion::Partial(_) => {
                    tally.infeasible += 1;
                    tally.expect(!is_feasible, || format!("{how}: infeasible, {least:?}"));
                }
                Conclusion::Stopped(_) => tally.undecided += 1,
            }
        }
    }

    /// Plans pass the check at the cost claimed, each is better than the last, and none better than
    /// the best.
    fn plans(&self, run: &Run<P>, tally: &mut Tally) {
        let how = &run.how;
        for (plan, cost) in &run.offers {
            tally.plans += 1;
            let checked = P::verify(self.problem, plan);
            let holds = checked.as_ref().is_ok_and(|found| found == cost);
            tally.expect(holds, || format!("{how}: {cost:?}, check {checked:?}"));
        }
        let is_better = run.offers.is_sorted_by(|one, next| one.1 > next.1);
        tally.expect(is_better, || format!("{how}: offers that are not better"));
        let last = run.offers.last().map(|(_, cost)| *cost);
        let holds = match (self.truth, last) {
            (Truth::NoPlan, last) => last.is_none(),
            (Truth::Least(least, _), Some(last)) => least <= (self.slack)(last),
            _ => true,
        };
        let truth = self.truth;
        tally.expect(holds, || format!("{how}: plan {last:?}, oracle {truth:?}"));
    }

    /// The cost of the best plan that anybody knows.
    fn least_cost(&self, runs: &[Run<P>]) -> Option<P::Cost> {
        let found = runs.iter().filter_map(|run| run.offers.last());
        let found = found.map(|(_, cost)| *cost);
        match self.truth {
            Truth::Unknown | Truth::NoPlan => found.min(),
            Truth::Least(least, _) | Truth::AtMost(least) => found.chain([least]).min(),
        }
    }

    /// Whether anybody knows a plan that satisfies every rule.
    fn is_feasible(&self, runs: &[Run<P>]) -> bool {
        let mut offers = runs.iter().flat_map(|run| &run.offers);
        match self.truth {
            Truth::Least(_, true) | Truth::AtMost(_) => true,
            _ => offers.any(|(plan, _)| (self.is_whole)(plan)),
        }
    }
}
