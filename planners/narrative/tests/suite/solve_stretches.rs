//! How far durations could stretch: the result of the search is exactly the largest that the
//! verification accepts.

use crate::searched;
use crate::verify_stories::{acts, castle, codes, lasts, link, narrative, stock};
use narrative::generate::{choices, tiny, tiny_story};
use narrative::plan::{Flexibility, Plan};
use narrative::problem::{Chooser, Micros, Spec};
use narrative::solve::Params;
use narrative::{Narrative, verify};
use proptest::prelude::*;

/// The last plan, if there is one.
fn planned(narrative: &Narrative) -> Option<Plan> {
    let mut params = Params::default();
    params.detail.flexibilities = true;
    searched::planned(narrative, &params, 2_000)
}

/// What is wrong when one link flexibilities otherwise.
fn codes_with(narrative: &Narrative, plan: &Plan, stretch: Flexibility) -> Vec<&'static str> {
    let plan = Plan {
        flexibilities: vec![stretch],
        ..plan.clone()
    };
    codes(narrative, &plan)
}

/// The longest time for which the search looks.
fn cap(narrative: &Narrative) -> Micros {
    let spec = narrative.spec();
    let links = spec.links.iter();
    let links = links
        .flat_map(|link| [link.lower_us, link.upper_us])
        .flatten();
    // Those that have ended vary no more.
    let open = spec.contingent.iter();
    let open = open.filter(|link| narrative.happened(link.to).is_none());
    let times = links.chain(open.map(|link| link.upper_us));
    let times = times.chain(spec.horizon_us).chain([spec.progress.now_us]);
    2 * times.map(Micros::abs).max().unwrap_or(0)
}

/// Every stretch of a plan is right, and one more either way is too much.
fn judge(narrative: &Narrative, plan: &Plan) -> Result<(), TestCaseError> {
    prop_assert_eq!(codes(narrative, plan), Vec::<&str>::new(), "{:?}", plan);
    for &stretch in &plan.flexibilities {
        let shorter = Flexibility {
            shortest_us: stretch.shortest_us - 1,
            ..stretch
        };
        let longer = Flexibility {
            longest_us: stretch.longest_us + 1,
            ..stretch
        };
        prop_assert_eq!(
            codes_with(narrative, plan, shorter),
            ["STRETCH_WRONG"],
            "{:?} {:?}",
            plan,
            narrative
        );
        if stretch.longest_us < cap(narrative) {
            prop_assert_eq!(
                codes_with(narrative, plan, longer),
                ["STRETCH_WRONG"],
                "{:?}",
                plan
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn stretches_are_as_wide_as_the_verification_bears(seed in 0_u64..100_000) {
        let mut looked = 0;
        for narrative in [tiny(seed), tiny_story(seed)] {
            if let Some(plan) = planned(&narrative) {
                judge(&narrative, &plan)?;
                looked += plan.flexibilities.len();
            }
        }
        prop_assume!(looked > 0, "no link is flexible");
    }
}

#[test]
fn plans_with_slack_stretch_as_far_as_is_right() {
    let mut slack = 0;
    for seed in 0..30 {
        let mut spec = tiny(seed).spec().clone();
        spec.objective.slack = 1;
        let story = narrative(spec);
        if let Some(plan) = planned(&story) {
            judge(&story, &plan).expect("flexibilities are right");
            slack += usize::from(plan.slack_us > 0 && !plan.flexibilities.is_empty());
        }
    }
    assert!(slack > 0);
}

#[test]
fn a_link_that_is_divided_stretches_at_its_ends() {
    let castle = castle(Chooser::System);
    let plan = planned(&castle).expect("there is a plan");
    assert!(plan.policies.len() > 1 && !plan.policies[0].outcomes.is_empty());
    judge(&castle, &plan).expect("flexibilities are right");
    let first = plan.flexibilities.first().expect("links vary");
    // The robbery takes at most 6, and 1 before and after it; 135 is the end. Magic can begin
    // immediately.
    let expected = Flexibility {
        contingent: 0,
        shortest_us: 0,
        longest_us: 127,
    };
    assert_eq!(*first, expected);
}

#[test]
fn divided_links_of_many_stories_stretch_as_far_as_is_right() {
    let mut divided = 0;
    for seed in 0..12 {
        let story = choices(seed, Chooser::System, 3);
        if let Some(plan) = planned(&story) {
            judge(&story, &plan).expect("flexibilities are right");
            let mut policies = plan.policies.iter();
            divided += usize::from(policies.any(|policy| !policy.outcomes.is_empty()));
        }
    }
    assert!(divided > 0);
}

/// Somebody sings for 10 to 20, and dances at 30, on a stage for a number of them.
fn stage(capacity: u32) -> Narrative {
    narrative(Spec {
        events: 3,
        links: vec![link(0, 2, 30, 30), link(2, 3, 5, 5)],
        contingent: vec![lasts(0, 1, 10, 20)],
        activities: vec![acts(0, 1, &[(0, 1)]), acts(2, 3, &[(0, 1)])],
        resources: stock(&[capacity]),
        ..Spec::default()
    })
}

#[test]
fn what_is_in_order_by_times_alone_stays_in_order() {
    let stretch = |longest_us| Flexibility {
        contingent: 0,
        shortest_us: 0,
        longest_us,
    };
    let plan = planned(&stage(1)).expect("there is a plan");
    assert_eq!(plan.flexibilities, [stretch(30)]);
    assert_eq!(codes_with(&stage(1), &plan, stretch(31)), ["STRETCH_WRONG"]);
    // Where there is room for both, the order is nothing to keep.
    let plan = planned(&stage(2)).expect("there is a plan");
    assert_eq!(plan.flexibilities, [stretch(60)]);
}

#[test]
fn a_link_that_no_policy_has_does_not_stretch() {
    // The second option has no plan: it starts too late.
    let mut spec = castle(Chooser::System).spec().clone();
    spec.links.push(link(0, 4, 200, 200));
    spec.links[0].upper_us = Some(235);
    spec.links[2].upper_us = Some(200);
    let story = narrative(spec);
    let plan = planned(&story).expect("there is a plan");
    assert!(plan.policies.iter().all(|policy| policy.picks != [Some(1)]));
    let mut flexibilities = plan.flexibilities.iter();
    assert!(flexibilities.all(|stretch| stretch.contingent != 2));
    let magic = Flexibility {
        contingent: 2,
        shortest_us: 70,
        longest_us: 90,
    };
    assert_eq!(codes_with(&story, &plan, magic), ["STRETCH_WRONG"]);
    assert!(verify::strategy(&story, &plan).is_ok());
}
