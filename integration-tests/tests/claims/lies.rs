//! The judge sees every kind of wrong claim.

use crate::trials::Tally;
use crate::trials::judge::{Judge, Truth};
use crate::trials::search::{How, run};
use anytime::{Conclusion, Control, Fault, Path, Planner, SolveError, fault};

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

    fn verify((): &(), plan: &u32) -> Result<u32, Vec<Fault>> {
        match plan % 2 {
            0 => Ok(*plan),
            _ => Err(vec![fault!("ODD", Path::WHOLE, "is odd")]),
        }
    }
}

/// How many claims are wrong where the best plan is known to be 4, where another search found 4,
/// and where nothing is known.
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
