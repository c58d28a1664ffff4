//! What searches of one problem claim, judged by the check, by each other, and by an oracle.

use super::Tally;
use super::search::Run;
use anytime::{Conclusion, Planner};

/// What an oracle knows about a problem.
#[derive(Debug, Clone, Copy)]
pub(super) enum Truth<C> {
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
pub(super) struct Judge<'j, P: Planner> {
    pub(super) problem: &'j P::Problem,
    pub(super) truth: Truth<P::Cost>,
    /// Whether a plan keeps every rule, so that the problem is not infeasible.
    pub(super) is_whole: &'j dyn Fn(&P::Plan) -> bool,
    /// The most that an optimum or a bound may be where this is the least cost: proofs by doubles are not exact.
    pub(super) slack: fn(P::Cost) -> P::Cost,
}

impl<P: Planner> Judge<'_, P> {
    /// Judges all claims of these searches.
    pub(super) fn judge(&self, runs: &[Run<P>], tally: &mut Tally) {
        tally.known += u64::from(matches!(self.truth, Truth::NoPlan | Truth::Least(..)));
        for run in runs {
            self.plans(run, tally);
        }
        let least = self.least(runs);
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

    /// Plans pass the check at the cost claimed, each is better than the last, and none better than the best.
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
    fn least(&self, runs: &[Run<P>]) -> Option<P::Cost> {
        let found = runs.iter().filter_map(|run| run.offers.last());
        let found = found.map(|(_, cost)| *cost);
        match self.truth {
            Truth::Unknown | Truth::NoPlan => found.min(),
            Truth::Least(least, _) | Truth::AtMost(least) => found.chain([least]).min(),
        }
    }

    /// Whether anybody knows a plan that keeps every rule.
    fn is_feasible(&self, runs: &[Run<P>]) -> bool {
        let mut offers = runs.iter().flat_map(|run| &run.offers);
        match self.truth {
            Truth::Least(_, true) | Truth::AtMost(_) => true,
            _ => offers.any(|(plan, _)| (self.is_whole)(plan)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trials::search::{How, run};
    use anytime::{Control, SolveError};

    /// Plans are numbers, and cost themselves; odd ones break a rule. What is claimed is a parameter.
    struct Liar;

    #[derive(Clone)]
    struct Lie {
        offers: Vec<(u32, u32)>,
        bound: u32,
        end: Conclusion,
    }

    impl Planner for Liar {
        type Problem = ();
        type Params = Lie;
        type Plan = u32;
        type Cost = u32;
        type Violation = ();

        fn solve(
            (): &(),
            lie: &Lie,
            control: &mut Control<'_, u32, u32>,
        ) -> Result<Conclusion, SolveError> {
            control.prove(lie.bound, "a lie");
            for (plan, cost) in &lie.offers {
                control.offer(plan, *cost, "a lie");
            }
            Ok(lie.end)
        }

        fn verify((): &(), plan: &u32) -> Result<u32, Vec<()>> {
            match plan % 2 {
                0 => Ok(*plan),
                _ => Err(vec![()]),
            }
        }
    }

    /// How many claims are wrong where the best plan is known to be 4, where another search found 4, and where nothing is known.
    fn wrong(lie: &Lie) -> [usize; 3] {
        let honest = Lie {
            offers: vec![(8, 8), (4, 4)],
            bound: 2,
            end: Conclusion::Stopped(anytime::Stop::Exhausted),
        };
        let known = (Truth::Least(4, true), false);
        [known, (Truth::Unknown, true), (Truth::Unknown, false)].map(|(truth, is_beside)| {
            let judge = Judge::<Liar> {
                problem: &(),
                truth,
                is_whole: &|_| true,
                slack: |cost| cost,
            };
            let lies = [lie.clone()]
                .into_iter()
                .chain(is_beside.then(|| honest.clone()));
            let runs = lies.filter_map(|lie| run::<Liar>(&(), &lie, How::whole(1), "liar"));
            let mut tally = Tally::default();
            judge.judge(&runs.collect::<Vec<_>>(), &mut tally);
            tally.wrong.len()
        })
    }

    #[test]
    fn every_kind_of_wrong_claim_is_seen() {
        let lie = |offers: &[(u32, u32)], bound, end| Lie {
            offers: offers.to_vec(),
            bound,
            end,
        };
        let true_ones = lie(&[(6, 6), (4, 4)], 4, Conclusion::Optimal);
        assert_eq!(wrong(&true_ones), [0, 0, 0]);
        let bound = lie(&[(6, 6)], 5, Conclusion::Stopped(anytime::Stop::Exhausted));
        assert_eq!(wrong(&bound), [1, 1, 0]);
        assert_eq!(wrong(&lie(&[(6, 6)], 4, Conclusion::Optimal)), [1, 1, 0]);
        assert_eq!(wrong(&lie(&[], 4, Conclusion::Optimal)), [1, 1, 1]);
        assert_eq!(wrong(&lie(&[], 4, Conclusion::Infeasible)), [1, 1, 0]);
        // Beyond the best, a cost that is not its plan's, and a plan that breaks a rule.
        let beyond = lie(&[(2, 2)], 2, Conclusion::Stopped(anytime::Stop::Exhausted));
        assert_eq!(wrong(&beyond), [1, 0, 0]);
        assert_eq!(wrong(&lie(&[(6, 4)], 4, Conclusion::Optimal)), [1, 1, 1]);
        assert_eq!(wrong(&lie(&[(5, 4)], 4, Conclusion::Optimal)), [1, 1, 1]);
    }
}
