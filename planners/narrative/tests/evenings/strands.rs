//! Groups that are planned together, each by its own strands.

use super::given::Evening;
use super::plan;
use anytime::{Conclusion, Control, Limits};
use narrative::Narrative;
use narrative::plan::Plan;
use narrative::problem::{Micros, Picks};
use narrative::verify::rehearse;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const HALF_AN_HOUR_US: Micros = 1_800_000_000;

#[test]
fn six_groups_half_an_hour_apart_are_planned_by_strands() {
    let evening = Evening::of(include_str!("groups.json")).groups(6, HALF_AN_HOUR_US);
    let narrative = evening.narrative();
    assert_eq!(narrative.storylines().len(), 0, "4,096 are too many");
    let plan = plan(&narrative, 10_000);
    eprintln!(
        "{} policies, {} orders",
        plan.policies.len(),
        plan.policies.iter().map(|p| p.order.len()).sum::<usize>()
    );
    let alone = |plan: &Plan| {
        plan.policies
            .iter()
            .filter(|p| narrative.groups_of(&p.picks).len() == 1)
            .count()
    };
    assert_eq!(alone(&plan), 24);
}

#[test]
fn zz_times() {
    for groups in [4, 6, 8, 10] {
        let evening = Evening::of(include_str!("groups.json")).groups(groups, HALF_AN_HOUR_US);
        let narrative = evening.narrative();
        let start = std::time::Instant::now();
        let mut times = Vec::new();
        let mut last = None;
        let mut sink = |a: &narrative::Answer, c: narrative::Cost| {
            times.push((start.elapsed(), c));
            last = Some(a.clone());
        };
        let mut control = Control::new(Limits::iterations(10_000), 1, &mut sink);
        let conclusion = narrative::solve::solve(&narrative, &Default::default(), &mut control);
        eprintln!("{groups}: {conclusion:?} {:?} {times:?}", start.elapsed());
        let t = std::time::Instant::now();
        let v = narrative::verify::answer(&narrative, last.as_ref().unwrap());
        let Some(narrative::Answer::Plan(p)) = &last else {
            panic!()
        };
        eprintln!(
            "   verify {:?} {v:?} policies {}",
            t.elapsed(),
            p.policies.len()
        );
    }
}
