//! Plans by strands, played with durations and picks drawn at random.

use super::{OURS, PLAYERS, planned};
use narrative::Narrative;
use narrative::problem::{Chooser, Micros, Picks};
use narrative::verify::{Run, simulate};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn durations(narrative: &Narrative, random: &mut Xoshiro256PlusPlus) -> Vec<Micros> {
    let links = narrative.spec().contingent.iter();
    let durations = links.map(|link| {
        let ends = [link.lower_us, link.upper_us];
        match random.random_range(0..3) {
            2 => random.random_range(ends[0]..=ends[1]),
            end => ends[end],
        }
    });
    durations.collect()
}

fn picks(narrative: &Narrative, random: &mut Xoshiro256PlusPlus) -> Picks {
    let choices = narrative.spec().choices.iter();
    let picks = choices.map(|choice| Some(random.random_range(0..choice.options.len())));
    picks.collect()
}

/// The most of a resource that was in use, by a look at every start.
fn in_use(narrative: &Narrative, run: &Run, resource: usize) -> u64 {
    let uses = narrative.spec().activities.iter().filter_map(|activity| {
        let mut demands = activity.demands.iter();
        let demand = demands.find(|demand| demand.resource == resource)?;
        let (start, end) = (run.times_us[activity.start]?, run.times_us[activity.end]?);
        let end = if demand.consumed { Micros::MAX } else { end };
        Some((start, end, u64::from(demand.amount)))
    });
    let uses: Vec<_> = uses.collect();
    let at = |time: Micros| {
        let now = uses
            .iter()
            .filter(|(start, end, _)| (*start..*end).contains(&time));
        now.map(|(.., amount)| amount).sum()
    };
    uses.iter().map(|(start, ..)| at(*start)).max().unwrap_or(0)
}

#[test]
fn whatever_groups_pick_and_however_long_it_takes_rules_are_kept() {
    let (mut played, mut combinations) = (0, std::collections::BTreeSet::new());
    for seed in PLAYERS.into_iter().chain(OURS) {
        let (narrative, plan) = planned(seed);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..12 {
            let durations = durations(&narrative, &mut random);
            let picks = picks(&narrative, &mut random);
            let run = simulate(&narrative, &plan, &durations, &picks).expect("it can be played");
            assert_eq!(run.breakdown, None, "{seed}");
            for (choice, given) in narrative.spec().choices.iter().enumerate() {
                let is_players = given.chooser == Chooser::Player;
                assert!(!is_players || run.picks[choice] == picks[choice]);
            }
            for (resource, given) in narrative.spec().resources.iter().enumerate() {
                assert!(in_use(&narrative, &run, resource) <= u64::from(given.capacity));
            }
            // One policy for each group at the end, and what these have between them.
            let left = run.policies.iter().map(|at| &plan.policies[*at].picks);
            let groups = left.map(|picks| narrative.groups_of(picks).len());
            assert_eq!(groups.filter(|groups| *groups == 1).count(), 7);
            combinations.insert(run.picks);
            played += 1;
        }
    }
    assert_eq!(played, 12 * (PLAYERS.len() + OURS.len()));
    assert!(combinations.len() > 30, "{}", combinations.len());
}
