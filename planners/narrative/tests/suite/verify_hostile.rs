//! Whatever comes from outside, verify answers and does not panic.

use crate::verify_stories::{duet, kept, wait};
use narrative::plan::{Answer, HandOver, Outcomes, Plan, Policy};
use narrative::problem::Micros;
use narrative::verify::answer;
use proptest::prelude::*;

fn outcomes(contingent: usize, lower_us: Micros, upper_us: Micros) -> Outcomes {
    Outcomes {
        contingent,
        lower_us,
        upper_us,
    }
}

/// Indices and times from everywhere, most of them no good.
fn index() -> impl Strategy<Value = usize> {
    prop_oneof![3 => 0_usize..8, 1 => Just(usize::MAX)]
}

fn time() -> impl Strategy<Value = Micros> {
    prop_oneof![4 => -10_i64..60, 1 => Just(Micros::MAX), 1 => Just(Micros::MIN)]
}

fn any_policy() -> impl Strategy<Value = Policy> {
    let some = |most: usize| 0..most;
    (
        prop::collection::vec(prop::option::of(index()), some(3)),
        prop::collection::vec((index(), time(), time()), some(2)),
        prop::collection::vec((index(), index()), some(3)),
        prop::collection::vec((index(), index(), time()), some(3)),
        prop::collection::vec((index(), index(), time()), some(3)),
        prop::collection::vec(
            (index(), prop::option::of(index()), index(), 0_u32..3),
            some(3),
        ),
    )
        .prop_map(|(picks, outcomes, order, bounds, waits, hands)| Policy {
            picks,
            outcomes: outcomes
                .into_iter()
                .map(|(contingent, lower_us, upper_us)| {
                    self::outcomes(contingent, lower_us, upper_us)
                })
                .collect(),
            order,
            bounds: bounds
                .into_iter()
                .map(|(from, to, most)| kept(from, to, most))
                .collect(),
            waits: waits
                .into_iter()
                .map(|(node, link, least)| wait(node, link, least))
                .collect(),
            hand_overs: hands
                .into_iter()
                .map(|(resource, from, to, amount)| HandOver {
                    resource,
                    from,
                    to,
                    amount,
                })
                .collect(),
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Whatever is claimed, verify answers.
    #[test]
    fn hostile_plans_are_answered(
        mut policies in prop::collection::vec(any_policy(), 0..4),
        picked: bool,
        makespan_us in time(),
        slack_us in time(),
    ) {
        if picked {
            // Else hardly any has the right form.
            for policy in &mut policies {
                policy.picks = vec![Some(policy.picks.len() % 2)];
            }
        }
        let plan = Plan { policies, makespan_us, slack_us, ..Plan::default() };
        let checked = answer(&duet(), &Answer::Plan(plan.clone()));
        prop_assert!(!plan.policies.is_empty() || checked.is_err());
        if let Err(wrong) = checked {
            prop_assert!(wrong.iter().all(|one| !one.to_string().is_empty()));
        }
    }
}
