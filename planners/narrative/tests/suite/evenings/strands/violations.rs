//! Plans by strands that break a rule.

use super::expand::{expanded, of_groups};
use super::{OURS, PLAYERS, planned};
use narrative::plan::{HandOver, Peak, Plan};
use narrative::verify::strategy;
use narrative::{Narrative, verify};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A plan with a change is refused for one of these reasons: each a code and a field, or the
/// beginning of one.
fn refuses(change: &dyn Fn(&mut Plan), reasons: &[&str]) {
    let (narrative, mut plan) = planned(PLAYERS[0]);
    change(&mut plan);
    let wrong = strategy(&narrative, &plan).expect_err("it breaks a rule");
    let rules = wrong
        .iter()
        .map(|one| format!("{} {}", one.code, one.field()));
    let mut rules = rules.filter(|rule| reasons.iter().any(|reason| rule.starts_with(reason)));
    assert!(rules.next().is_some(), "{wrong:?}");
}

#[test]
fn each_strand_has_a_policy() {
    let remove = |plan: &mut Plan| drop(plan.policies.remove(1));
    refuses(&remove, &["UNCOVERED", "PICKS_WRONG"]);
}

#[test]
fn policies_are_of_one_or_two_groups() {
    let three = |plan: &mut Plan| {
        let mut pair = plan.policies.last().cloned().unwrap();
        let others = [
            plan.policies[0].picks.clone(),
            plan.policies[4].picks.clone(),
        ];
        for picks in others {
            pair.picks = Narrative::merge_picks(&pair.picks, &picks);
        }
        plan.policies.push(pair);
    };
    refuses(&three, &["PICKS_WRONG"]);
    let none = |plan: &mut Plan| plan.policies[0].picks.fill(None);
    let first = ["PICKS_WRONG policies[0].picks"];
    refuses(&none, &first);
    let short = |plan: &mut Plan| plan.policies[0].picks.truncate(1);
    refuses(&short, &first);
}

#[test]
fn policies_and_their_pairs_are_limited() {
    let many = |plan: &mut Plan| {
        let first = plan.policies[0].clone();
        plan.policies.extend(vec![first; verify::PAIRS_MAX / 18]);
    };
    refuses(&many, &["TOO_MANY_PAIRS policies"]);
    let more = |plan: &mut Plan| {
        let last = plan.policies.last().cloned().unwrap();
        plan.policies.resize(verify::STRAND_POLICIES_MAX + 1, last);
    };
    refuses(&more, &["TOO_MANY_POLICIES policies"]);
}

#[test]
fn what_depends_on_what_all_groups_pick_is_not_told() {
    let hand = |plan: &mut Plan| {
        plan.policies[0].hand_overs.push(HandOver {
            resource: 0,
            from: None,
            to: 0,
            amount: 1,
        });
    };
    refuses(&hand, &["HAND_OVER_WRONG policies[0].hand_overs[0]"]);
    let peak = |plan: &mut Plan| {
        plan.peaks.push(Peak {
            resource: 0,
            amount: 1,
        });
    };
    refuses(&peak, &["PEAK_WRONG"]);
    refuses(&|plan| plan.slack_us = 1, &["SLACK_BROKEN"]);
}

#[test]
fn what_two_groups_share_needs_an_order() {
    let apart = |plan: &mut Plan| {
        let policies = &mut plan.policies;
        policies.retain(|policy| policy.picks.iter().flatten().count() == 1);
    };
    refuses(&apart, &["OVERLOAD"]);
}

#[test]
fn a_makespan_is_kept_by_all() {
    let sooner = |plan: &mut Plan| plan.makespan_us -= 1;
    refuses(&sooner, &["MAKESPAN_BROKEN", "NOT_CONTROLLABLE"]);
}

#[test]
fn what_is_fine_by_strands_is_fine_for_all_storylines() {
    let (mut fine, mut wrong) = (0, 0);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    for seed in PLAYERS.into_iter().chain(OURS) {
        let (narrative, plan) = planned(seed);
        let part = narrative.restricted_to(&[0, 1]);
        let plan = of_groups(&narrative, &plan, &[0, 1]);
        for _ in 0..40 {
            let mut changed = plan.clone();
            for _ in 0..random.random_range(1..3) {
                let at = random.random_range(0..changed.policies.len());
                let is_pair = changed.policies[at].picks.iter().flatten().count() > 1;
                let policy = &mut changed.policies[at];
                match random.random_range(0..4) {
                    0 if is_pair => drop(changed.policies.remove(at)),
                    1 if !policy.order.is_empty() => {
                        let which = random.random_range(0..policy.order.len());
                        policy.order.remove(which);
                    }
                    2 if !policy.bounds.is_empty() => {
                        let which = random.random_range(0..policy.bounds.len());
                        policy.bounds.remove(which);
                    }
                    _ if !policy.bounds.is_empty() => {
                        let which = random.random_range(0..policy.bounds.len());
                        policy.bounds[which].upper_us -= random.random_range(0..600_000_000);
                        policy.bounds.sort_unstable();
                    }
                    _ => {}
                }
            }
            if strategy(&part, &changed).is_err() {
                wrong += 1;
                continue;
            }
            fine += 1;
            let whole = expanded(&narrative, &changed, [0, 1]);
            let judged = strategy(&part, &whole);
            assert!(judged.is_ok(), "{seed} {judged:?} {changed:?}");
            // A dispatcher may need what was left out: that is seen when it is played.
            let by_strands = verify::answer(&part, &narrative::Answer::Plan(changed));
            let played = verify::answer(&part, &narrative::Answer::Plan(whole));
            assert_eq!(
                by_strands.is_ok(),
                played.is_ok(),
                "{by_strands:?} {played:?}"
            );
        }
    }
    assert!(fine > 50 && wrong > 50, "{fine} {wrong}");
}
