//! Groups that are planned one after the other: what those before may use is taken for the time in
//! which they may.

use super::given::Evening;
use super::{closure, plan};
use narrative::Narrative;
use narrative::plan::Plan;
use narrative::problem::{Activity, Demand, Link, Micros, Node, ORIGIN, Spec, Start};
use narrative::verify::simulate;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const HALF_AN_HOUR_US: Micros = 1_800_000_000;

/// What is in use from one time to another.
struct Busy {
    window_us: (Micros, Micros),
    demands: Vec<Demand>,
}

/// Adds activities at fixed times, as far as these are after `from_us`.
fn block(spec: &mut Spec, busy: &[Busy], from_us: Micros) {
    for busy in busy.iter().filter(|busy| busy.window_us.1 > from_us) {
        let (start, end) = (spec.events + 1, spec.events + 2);
        spec.events += 2;
        let (first, last) = (busy.window_us.0.max(from_us), busy.window_us.1);
        let mut fix = |from: Node, to: Node, time_us: Micros| {
            spec.links.push(Link::new(from, to, time_us, time_us));
        };
        fix(ORIGIN, start, first);
        fix(start, end, last - first);
        spec.activities
            .push(Activity::new(start, end, busy.demands.clone()));
    }
}

/// By activity with an index below `count`, from its earliest start to its latest end in any
/// policy.
fn windows(narrative: &Narrative, plan: &Plan, count: usize) -> Vec<Busy> {
    let activities = &narrative.spec().activities[..count];
    let closures: Vec<_> = plan
        .policies
        .iter()
        .map(|policy| (policy, closure(narrative, policy)))
        .collect();
    let busy = activities.iter().filter_map(|activity| {
        let here = closures.iter().filter(|(policy, _)| {
            let both = [activity.start, activity.end];
            both.iter()
                .all(|node| narrative.present(&policy.picks, *node))
        });
        let here: Vec<_> = here.collect();
        let first = here.iter().map(|(_, most)| -most[activity.start][ORIGIN]);
        let last = here.iter().map(|(_, most)| most[ORIGIN][activity.end]);
        Some(Busy {
            window_us: (first.min()?, last.max()?),
            demands: activity.demands.clone(),
        })
    });
    busy.collect()
}

/// A narrative and a plan for each group.
fn in_turn(evening: &Evening) -> Vec<(Narrative, Plan)> {
    let mut busy: Vec<Busy> = Vec::new();
    let mut planned = Vec::new();
    for start in &evening.starts {
        let mut spec = evening.spec.copies(&[*start]);
        block(&mut spec, &busy, start.offset_us);
        let narrative = Narrative::new(spec).expect("the story is valid");
        let plan = plan(&narrative, 10_000);
        let own = evening.spec.activities.len();
        busy.extend(windows(&narrative, &plan, own));
        planned.push((narrative, plan));
    }
    planned
}

/// Checks that nothing is in use twice when each group goes on with durations and picks of its own.
fn play(
    evening: &Evening,
    planned: &[(Narrative, Plan)],
    random: &mut Xoshiro256PlusPlus,
) -> usize {
    let mut used: Vec<(usize, Micros, Micros)> = Vec::new();
    let mut uses = 0;
    for (narrative, plan) in planned {
        let spec = narrative.spec();
        let durations = spec.contingent.iter().map(|link| {
            let ends = [link.lower_us, link.upper_us];
            match random.random_range(0..3) {
                2 => random.random_range(ends[0]..=ends[1]),
                end => ends[end],
            }
        });
        let durations: Vec<Micros> = durations.collect();
        let picks = spec.choices.iter();
        let picks = picks.map(|choice| Some(random.random_range(0..choice.options.len())));
        let picks: Vec<_> = picks.collect();
        let run = simulate(narrative, plan, &durations, &picks).expect("it can be played");
        assert_eq!(run.breakdown, None);
        for activity in &spec.activities[..evening.spec.activities.len()] {
            let ends = (run.times_us[activity.start], run.times_us[activity.end]);
            let (Some(start), Some(end)) = ends else {
                continue;
            };
            for demand in &activity.demands {
                assert_eq!(spec.resources[demand.resource].capacity, 1);
                let clash = used.iter().find(|(resource, from, to)| {
                    *resource == demand.resource && start < *to && *from < end
                });
                assert_eq!(clash, None, "{start} to {end}");
                used.push((demand.resource, start, end));
                uses += 1;
            }
        }
    }
    uses
}

#[test]
fn more_groups_than_can_be_planned_together_are_planned_one_after_the_other() {
    let evening = Evening::parse(include_str!("groups.json")).groups(6, HALF_AN_HOUR_US);
    let planned = in_turn(&evening);
    let starts: &[Start] = &evening.starts;
    assert_eq!(planned.len(), starts.len());
    for (narrative, plan) in &planned {
        assert_eq!(narrative.storylines().len(), 4);
        assert_eq!(plan.policies.len(), 4);
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let uses: usize = (0..200)
        .map(|_| play(&evening, &planned, &mut random))
        .sum();
    assert!(uses > 10_000, "{uses}");
}
