//! Whatever plan verify accepts can be followed in truth: the game itself is won.

use crate::searched::unverified;
use crate::verify_game::Game;
use crate::verify_stories::{codes, plan, policy};
use anytime::Conclusion;
use narrative::Narrative;
use narrative::generate::tiny_story;
use narrative::plan::Policy;
use narrative::problem::{Chooser, Micros};
use narrative::solve::Params;

/// Policies for both options, or for one; of each link outcomes up to some length for one of them
/// and from there on for the other, whether or not they may be divided.
fn divisions(narrative: &Narrative) -> Vec<Vec<Policy>> {
    let mut all = vec![
        vec![policy(&[0], &[])],
        vec![policy(&[1], &[])],
        vec![policy(&[0], &[]), policy(&[1], &[])],
    ];
    for (at, link) in narrative.spec().contingent.iter().enumerate() {
        for last in link.lower_us..link.upper_us {
            let parts = |picks: [usize; 2], overlap: Micros| {
                vec![
                    policy(&[picks[0]], &[(at, link.lower_us, last)]),
                    policy(&[picks[1]], &[(at, last + 1 - overlap, link.upper_us)]),
                ]
            };
            for picks in [[0, 1], [1, 0], [0, 0], [1, 1]] {
                all.push(parts(picks, 0));
            }
            all.extend([parts([0, 1], 1), parts([1, 0], 1)]);
            let four = [parts([0, 0], 0), parts([1, 1], 0)].concat();
            all.push(four);
        }
    }
    all
}

/// No order, or one activity before another, in all policies.
fn orders(narrative: &Narrative) -> Vec<Vec<(usize, usize)>> {
    let activities = 0..narrative.spec().activities.len();
    let mut all = vec![vec![]];
    for first in activities.clone() {
        let others = activities.clone().filter(|second| *second != first);
        all.extend(others.map(|second| vec![(first, second)]));
    }
    all
}

/// Whether some plan is accepted.
fn accepted(narrative: &Narrative) -> bool {
    let horizon = narrative.spec().horizon_us.expect("it has one");
    divisions(narrative).iter().any(|policies| {
        orders(narrative).iter().any(|order| {
            let mut policies = policies.clone();
            for policy in &mut policies {
                policy.order.clone_from(order);
            }
            codes(narrative, &plan(horizon, &policies)).is_empty()
        })
    })
}

/// Whether the search has proved that there is no plan.
fn refuted(narrative: &Narrative) -> bool {
    let mut params = Params::default();
    params.detail.shrink = false;
    params.detail.relaxations_max = 0;
    unverified(narrative, &params, 2_000).conclusion == Conclusion::Infeasible
}

#[test]
fn stories_with_an_accepted_plan_are_won() {
    let mut given = [0; 2];
    let mut won = [0; 2];
    for seed in 0..2_000 {
        let narrative = tiny_story(seed);
        let kind = usize::from(narrative.spec().choices[0].chooser == Chooser::Player);
        let game = Game::new(&narrative).is_won();
        let accepted = accepted(&narrative);
        assert!(game || !accepted, "seed {seed}: {:?}", narrative.spec());
        assert!(!accepted || !refuted(&narrative), "seed {seed}");
        given[kind] += u32::from(accepted);
        won[kind] += u32::from(game);
    }
    println!("plans accepted {given:?}, games won {won:?}, choices ours and players'");
    // Few are won that no simple plan covers, and many are lost.
    assert!(given[0] >= 100 && given[1] >= 30, "{given:?}");
    assert!(
        given[0] * 10 >= won[0] * 8 && given[1] * 10 >= won[1] * 8,
        "{given:?} of {won:?}"
    );
}
