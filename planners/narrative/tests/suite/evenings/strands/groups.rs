//! Groups that are planned together, each by its own strands.

use crate::evenings::given::Evening;
use crate::evenings::plan;
use narrative::Narrative;
use narrative::problem::{Chooser, Micros, Progress};
use narrative::verify::simulate;

const HALF_AN_HOUR_US: Micros = 1_800_000_000;

#[test]
fn six_to_ten_groups_half_an_hour_apart_are_planned_by_strands() {
    for (groups, storylines) in [(6, 4_096_usize), (8, 65_536), (10, 1_048_576)] {
        let evening =
            Evening::parse(include_str!("../groups.json")).groups(groups, HALF_AN_HOUR_US);
        let narrative = evening.narrative();
        assert!(narrative.storylines().is_empty(), "there are {storylines}");
        let plan = plan(&narrative, 10_000);
        let of = |policy: &narrative::Policy| narrative.groups_of(&policy.picks).len();
        let alone = plan.policies.iter().filter(|policy| of(policy) == 1);
        assert_eq!(alone.count(), 4 * groups);
        assert!(plan.policies.len() < 40 * groups);
        assert!(plan.policies.iter().all(|policy| of(policy) <= 2));
    }
}

#[test]
fn what_has_happened_is_where_the_plan_goes_on() {
    let evening = Evening::parse(include_str!("../groups.json")).groups(8, HALF_AN_HOUR_US);
    let mut narrative = evening.narrative();
    let links = narrative.spec().contingent.iter();
    let longest: Vec<Micros> = links.map(|link| link.upper_us).collect();
    let choices = narrative.spec().choices.iter();
    assert!(
        choices
            .clone()
            .all(|choice| choice.chooser == Chooser::Player)
    );
    let picks: Vec<Option<usize>> = choices.enumerate().map(|(at, _)| Some(at % 2)).collect();
    for minutes in [10, 40, 55] {
        let before = plan(&narrative, 10_000);
        let run = simulate(&narrative, &before, &longest, &picks).expect("it can be played");
        assert_eq!(run.breakdown, None);
        let now_us = minutes * 60_000_000;
        let times = run.times_us.iter().enumerate().skip(1);
        let happened = times.filter_map(|(node, time)| Some((node, (*time)?)));
        let mut spec = narrative.spec().clone();
        spec.progress = Progress {
            now_us,
            happened: happened.filter(|(_, time)| *time <= now_us).collect(),
            made: Vec::new(),
        };
        narrative = Narrative::new(spec).expect("it happened");
        assert!(narrative.storylines().is_empty());
        let after = plan(&narrative, 10_000);
        assert!(after.makespan_us <= before.makespan_us);
    }
}
