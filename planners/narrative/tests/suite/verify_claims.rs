//! What verify computes, against all ways tried one by one.

use crate::verify_game::Game;
use crate::verify_stories::{self, codes, plan, policy};
use narrative::generate::tiny;
use narrative::plan::{Peak, Plan};
use narrative::problem::{Activity, Demand, Link, Micros, Narrative, Resource, Spec};
use narrative::verify::strategy;
use proptest::prelude::*;
use std::cell::Cell;

/// Whether the narrative without choices and resources is controllable, by its one possible plan.
fn controllable(narrative: &Narrative) -> bool {
    let horizon = narrative.spec().horizon_us.expect("it has one");
    let codes = codes(narrative, &plan(horizon, &[policy(&[], &[])]));
    assert!(
        codes.is_empty() || codes == ["NOT_CONTROLLABLE"],
        "{codes:?}"
    );
    codes.is_empty()
}

#[test]
fn control_agrees_with_the_game_on_thousands_of_narratives() {
    let won = Cell::new(0);
    for seed in 0..4_000 {
        let narrative = tiny(seed);
        let game = Game::new(&narrative).is_won();
        assert_eq!(
            controllable(&narrative),
            game,
            "seed {seed}: {:?}",
            narrative.spec()
        );
        won.set(won.get() + usize::from(game));
    }
    // Neither is rare, or this would say little.
    assert!(
        (400..=3_600).contains(&won.get()),
        "{} of 4000 are won",
        won.get()
    );
}

/// Activities at given times of a rigid story, each with a demand, and whether that is used up.
type Use = (i64, i64, u32, bool);

fn rigid(uses: &[Use], capacity: u32) -> Narrative {
    let links = uses
        .iter()
        .enumerate()
        .flat_map(|(at, &(start, length, ..))| {
            let node = 2 * at + 1;
            let link = |from, to, apart| Link::new(from, to, apart, apart);
            [link(0, node, start), link(node, node + 1, length)]
        });
    let activities = uses
        .iter()
        .enumerate()
        .map(|(at, &(_, _, amount, consumed))| Activity {
            start: 2 * at + 1,
            end: 2 * at + 2,
            demands: vec![Demand {
                resource: 0,
                amount,
                consumed,
            }],
        });
    verify_stories::narrative(Spec {
        events: 2 * uses.len(),
        links: links.collect(),
        activities: activities.collect(),
        resources: vec![Resource { capacity }],
        ..Spec::default()
    })
}

/// The most needed at once, over all sets of activities no two of which follow each other.
fn heaviest(uses: &[Use]) -> u64 {
    let over = |one: &Use, other: &Use| !one.3 && one.0 + one.1 <= other.0;
    let sets = 0_u32..1 << uses.len();
    let sums = sets.filter_map(|set| {
        let members = uses.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        let members: Vec<&Use> = members.map(|(_, one)| one).collect();
        let apart = members.iter().enumerate().all(|(at, one)| {
            members[..at]
                .iter()
                .all(|other| !over(one, other) && !over(other, one))
        });
        apart.then(|| members.iter().map(|one| u64::from(one.2)).sum())
    });
    sums.max().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// The flow finds what trying all sets finds: the peak is accepted, any other is not, and less
    /// capacity is an overload by exactly these activities.
    #[test]
    fn the_flow_finds_the_heaviest_antichain(
        uses in prop::collection::vec(
            (0_i64..12, 1_i64..6, 1_u32..5, prop::bool::weighted(0.2)),
            1..9,
        ),
    ) {
        let most = heaviest(&uses);
        let capacity = u32::try_from(most).unwrap();
        let peaks = |amount: u32| Plan {
            peaks: vec![Peak { resource: 0, amount }],
            ..plan(1_000, &[policy(&[], &[])])
        };
        let fits = rigid(&uses, capacity);
        prop_assert!(strategy(&fits, &peaks(capacity)).is_ok());
        prop_assert_eq!(codes(&fits, &peaks(capacity + 1)), ["PEAK_WRONG"]);
        let widest = uses.iter().map(|one| one.2).max().unwrap_or(0);
        if capacity > widest {
            let tight = rigid(&uses, capacity - 1);
            let wrong = strategy(&tight, &plan(1_000, &[policy(&[], &[])])).unwrap_err();
            prop_assert_eq!(wrong[0].code, "OVERLOAD");
            let text = wrong[0].to_string();
            let needed = format!("they need {most} of resource 0, ");
            prop_assert!(text.contains(&needed), "{}", text);
            let digits = |text: &str| {
                text.chars().take_while(char::is_ascii_digit).collect::<String>()
            };
            let activities = text.split("activity ").skip(1).map(digits);
            let activities = activities.map(|at| at.parse::<usize>().unwrap());
            let named = activities.map(|at| u64::from(uses[at].2)).sum::<u64>();
            prop_assert_eq!(named, most);
        }
    }

    /// A makespan that is kept stays kept when it is later, and not when it is before the latest
    /// end.
    #[test]
    fn the_least_makespan_of_a_rigid_story_is_its_latest_end(
        uses in prop::collection::vec((0_i64..50, 1_i64..50, 1_u32..2, Just(false)), 1..9),
        later in 0_i64..1_000,
    ) {
        let end: Micros = uses.iter().map(|one| one.0 + one.1).max().unwrap_or(0);
        let story = rigid(&uses, 100);
        prop_assert!(strategy(&story, &plan(end + later, &[policy(&[], &[])])).is_ok());
        prop_assert_eq!(codes(&story, &plan(end - 1, &[policy(&[], &[])])), ["MAKESPAN_BROKEN"]);
    }
}
