//! Correct plans with one thing changed: those that still pass can still be executed, whatever the
//! others do.

use crate::searched;
use narrative::generate::tiny_story;
use narrative::plan::{HandOver, Plan, Policy};
use narrative::problem::Micros;
use narrative::solve::Params;
use narrative::verify::{answer, simulate};
use narrative::{Answer, Narrative};
use proptest::prelude::*;

/// A plan for a story, if there is one.
fn planned(narrative: &Narrative) -> Option<Plan> {
    searched::planned(narrative, &Params::default(), 2_000)
}

/// What to change, where, and by how much.
#[derive(Debug, Clone, Copy)]
struct Mutation {
    kind: usize,
    policy: usize,
    entry: usize,
    by: Micros,
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let by = prop_oneof![-3_i64..=-1, 1_i64..=3];
    (0_usize..15, 0_usize..4, 0_usize..12, by).prop_map(|(kind, policy, entry, by)| Mutation {
        kind,
        policy,
        entry,
        by,
    })
}

/// Changes an entry of a list, if it has any.
fn entry<T>(list: &mut [T], at: usize, change: impl FnOnce(&mut T)) {
    let count = list.len().max(1);
    if let Some(one) = list.get_mut(at % count) {
        change(one);
    }
}

fn leave_out<T>(list: &mut Vec<T>, at: usize) {
    if !list.is_empty() {
        list.remove(at % list.len());
    }
}

impl Mutation {
    fn make(self, plan: &mut Plan) {
        let Self { kind, by, .. } = self;
        let at = self.entry;
        match kind {
            0 => plan.makespan_us += by,
            1 => plan.slack_us += by,
            2 => plan.idle_us += by,
            3 => entry(&mut plan.peaks, at, |peak| {
                peak.amount = peak.amount.wrapping_add_signed(by as i32);
            }),
            4 => leave_out(&mut plan.policies, at),
            5 => plan.policies.reverse(),
            _ => entry(&mut plan.policies, self.policy, |policy| {
                self.make_in(policy);
            }),
        }
    }

    fn make_in(self, policy: &mut Policy) {
        let Self { kind, by, .. } = self;
        let at = self.entry;
        match kind {
            6 => entry(&mut policy.picks, at, |pick| {
                *pick = pick.map(|option| 1 - option.min(1));
            }),
            7 => entry(&mut policy.outcomes, at, |part| part.lower_us += by),
            8 => entry(&mut policy.outcomes, at, |part| part.upper_us += by),
            9 => leave_out(&mut policy.outcomes, at),
            10 => entry(&mut policy.bounds, at, |kept| kept.upper_us += by),
            11 => leave_out(&mut policy.bounds, at),
            12 => {
                if policy.waits.is_empty() {
                    leave_out(&mut policy.order, at);
                } else {
                    entry(&mut policy.waits, at, |wait| wait.least_us += by);
                }
            }
            13 => entry(&mut policy.order, at, |pair| *pair = (pair.1, pair.0)),
            _ => entry(&mut policy.hand_overs, at, |hand: &mut HandOver| match by {
                1 => hand.amount += 1,
                2 => hand.from = None,
                3 => hand.from = Some(hand.to),
                _ => hand.to = hand.to.wrapping_add_signed(by as isize),
            }),
        }
    }
}

/// All durations that links of a tiny story can take.
fn durations(narrative: &Narrative) -> Vec<Vec<Micros>> {
    let mut all = vec![Vec::new()];
    for link in &narrative.spec().contingent {
        let longer = |known: &Vec<Micros>| {
            let known = known.clone();
            let one = link.lower_us..=link.upper_us;
            one.map(move |one| [known.as_slice(), &[one]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_passes_with_one_thing_changed_can_be_played(
        seeds in prop::collection::vec(any::<u64>(), 8),
        mutation in mutation(),
    ) {
        for narrative in seeds.into_iter().map(tiny_story) {
            let Some(mut plan) = planned(&narrative) else { continue };
            mutation.make(&mut plan);
            match answer(&narrative, &Answer::Plan(plan.clone())) {
                Err(wrong) => {
                    prop_assert!(wrong.iter().all(|one| !one.to_string().is_empty()));
                    prop_assert!(!wrong.is_empty());
                }
                Ok(_) => for durations_us in durations(&narrative) {
                    for picked in 0..2 {
                        let run = simulate(&narrative, &plan, &durations_us, &[Some(picked)]);
                        let run = run.expect("it has passed");
                        prop_assert_eq!(run.breakdown, None, "{:?} {:?}", narrative.spec(), plan);
                    }
                }
            }
        }
    }

    #[test]
    fn claims_cannot_be_made_stricter_for_nothing(seed: u64) {
        let narrative = tiny_story(seed);
        if let Some(plan) = planned(&narrative) {
            let passes = |change: &dyn Fn(&mut Plan)| {
                let mut plan = plan.clone();
                change(&mut plan);
                answer(&narrative, &Answer::Plan(plan)).is_ok()
            };
            let same = passes(&|_| ());
            let before = passes(&|plan| plan.makespan_us = -1);
            let none = passes(&|plan| plan.policies.clear());
            let higher = passes(&|plan| entry(&mut plan.peaks, 0, |peak| peak.amount += 1));
            prop_assert!(same && !before && !none);
            prop_assert!(plan.peaks.is_empty() || !higher);
            let handed = plan.policies.iter().any(|policy| !policy.hand_overs.is_empty());
            let more = |plan: &mut Plan| {
                let policies = plan.policies.iter_mut();
                let hands = policies.flat_map(|policy| &mut policy.hand_overs);
                hands.for_each(|hand| hand.amount += 1);
            };
            prop_assert!(!handed || !passes(&more));
        }
    }
}
