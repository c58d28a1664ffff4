//! What an execution says, report by report.

use super::plan;
use narrative::Narrative;
use narrative::execution::{Deviation, EventError, Execution, ReportError};
use narrative::problem::{Activity, Choice, Chooser, Contingent, Demand, Link, Resource, Spec};

/// Players look around for 10 to 60. Then there is a fight, from 2 to 3, which takes 60, or a
/// chase, from 4 to 5, which takes 20. Each ends within 80 to 100.
fn two_scenes(chooser: Chooser) -> Narrative {
    let sword = [
        Link::new(1, 2, 0, 10),
        Link::new(2, 3, 60, 60),
        Link::new(0, 3, 80, 100),
    ];
    let chase = [
        Link::new(1, 4, 0, 20),
        Link::new(4, 5, 20, 20),
        Link::new(0, 5, 80, 100),
    ];
    let upper_us = if chooser == Chooser::System { 60 } else { 40 };
    let chase_us = if chooser == Chooser::System { 20 } else { 60 };
    let mut links = [sword, chase].concat();
    links[3].upper_us = Some(chase_us);
    Narrative::new(Spec {
        events: 5,
        contingent: vec![Contingent::new(0, 1, 10, upper_us)],
        links,
        choices: vec![Choice::new(chooser, vec![vec![2, 3], vec![4, 5]])],
        activities: vec![Activity::new(2, 3, vec![Demand::new(0, 1)])],
        resources: vec![Resource { capacity: 1 }],
        ..Spec::default()
    })
    .expect("it is valid")
}

fn begun(narrative: Narrative) -> Execution {
    let mut execution = Execution::new(narrative);
    assert!(plan(&mut execution));
    execution
}

#[test]
fn the_plan_picks_by_what_was_seen() {
    for (looked_us, scene, at_us) in [(20, 2, 20), (55, 4, 60)] {
        let mut execution = begun(two_scenes(Chooser::System));
        let forecast = execution.forecast().unwrap();
        assert!(forecast.due.is_empty() && forecast.picks.is_empty());
        let [look] = &forecast.expected[..] else {
            panic!("{forecast:?}");
        };
        assert_eq!((look.event, look.earliest, look.latest), (1, 10, Some(60)));
        execution.report(looked_us, &[(1, looked_us)], &[]).unwrap();
        let forecast = execution.forecast().unwrap();
        let windows = [&forecast.due[..], &forecast.upcoming].concat();
        assert_eq!(
            (windows[0].event, windows[0].earliest),
            (scene, at_us),
            "{forecast:?}"
        );
        assert_eq!(execution.facts().picks, [Some(scene as usize / 2 - 1)]);
    }
}

#[test]
fn players_pick_when_their_choice_is_open() {
    let mut execution = begun(two_scenes(Chooser::Player));
    assert!(execution.forecast().unwrap().open.is_empty());
    execution.report(30, &[(1, 30)], &[]).unwrap();
    let forecast = execution.forecast().unwrap();
    let [open] = &forecast.open[..] else {
        panic!("{forecast:?}");
    };
    assert_eq!((open.choice, &open.options[..]), (0, &[0, 1][..]));
    assert_eq!(open.latest_us, Some(40));
    assert!(forecast.due.is_empty());
    execution.report(32, &[], &[(0, 1)]).unwrap();
    let forecast = execution.forecast().unwrap();
    assert_eq!(
        (forecast.upcoming[0].event, &forecast.picks[..]),
        (4, &[Some(1)][..])
    );
}

#[test]
fn deviations_are_reported_with_their_event() {
    let mut execution = begun(two_scenes(Chooser::System));
    execution.report(70, &[], &[]).unwrap();
    let deviation = execution.deviation().unwrap();
    assert_eq!(
        (deviation.what, deviation.at_us),
        (Deviation::Outside { event: 1 }, 70)
    );
    // It may last as long again: then the fight can end in time, and nothing else.
    let rest = execution.rest().unwrap();
    assert_eq!(rest.spec().contingent[0].upper_us, 70 + 1_000_000);
    execution.report(75, &[(1, 75)], &[]).unwrap();
    assert!(plan(&mut execution));
    let forecast = execution.forecast().unwrap();
    assert_eq!(forecast.due[0].event, 4);
    // The scene is played 30 later than it may.
    execution.report(110, &[(4, 110)], &[]).unwrap();
    let deviation = execution.deviation().unwrap();
    assert_eq!(
        deviation.what,
        Deviation::Late {
            event: 4,
            latest: 80
        }
    );
    assert!(!execution.is_running() && !execution.is_over());
}

#[test]
fn what_cannot_have_happened_is_refused() {
    use EventError::{BeforeStart, OutOfRange, Repeated};
    let mut execution = begun(two_scenes(Chooser::Player));
    execution.report(30, &[(1, 30)], &[(0, 0)]).unwrap();
    let before = execution.facts().clone();
    for (events, picks, error) in [
        (vec![(1, 30)], vec![], ReportError::Event(0, Repeated)),
        (
            vec![(2, 31), (3, 99)],
            vec![],
            ReportError::Event(1, OutOfRange),
        ),
        (
            vec![(2, 40), (3, 39)],
            vec![],
            ReportError::Event(0, BeforeStart),
        ),
        (vec![(4, 40)], vec![], ReportError::LeftOut(0)),
        (vec![], vec![(0, 1)], ReportError::Repicked(0)),
    ] {
        assert_eq!(execution.report(40, &events, &picks), Err(error));
        assert_eq!(execution.facts(), &before);
    }
    // The same pick again is no mistake.
    execution.report(40, &[(2, 40)], &[(0, 0)]).unwrap();
    assert!(execution.is_running());
}

#[test]
fn a_resource_that_is_overloaded_hinders_nothing_that_comes_later() {
    let mut spec = two_scenes(Chooser::System).spec().clone();
    spec.choices.clear();
    spec.links.truncate(2);
    spec.links.push(Link::new(4, 5, 20, 20));
    spec.activities.push(Activity {
        start: 4,
        end: 5,
        ..spec.activities[0].clone()
    });
    let mut execution = begun(Narrative::new(spec).unwrap());
    let both = [(1, 10), (2, 10), (4, 10)];
    execution.report(10, &both, &[]).unwrap();
    assert!(!execution.is_running());
    // What began last counts no more: the other one holds the resource.
    let rest = execution.rest().unwrap();
    let demands = |activity: usize| rest.spec().activities[activity].demands.len();
    assert_eq!((demands(0), demands(1)), (1, 0));
    assert!(plan(&mut execution));
}

#[test]
fn players_who_hesitate_too_long_leave_the_plan() {
    let mut execution = begun(two_scenes(Chooser::Player));
    execution.report(30, &[(1, 30)], &[]).unwrap();
    execution.report(41, &[], &[]).unwrap();
    let deviation = execution.deviation().unwrap();
    assert_eq!(
        deviation.what,
        Deviation::Late {
            event: 2,
            latest: 40
        }
    );
}

#[test]
fn an_end_that_is_reported_after_its_time_counts_at_its_time() {
    let mut execution = begun(two_scenes(Chooser::System));
    let policies = &execution.planned().unwrap().1.policies;
    let outcomes = policies.iter().flat_map(|policy| &policy.outcomes);
    let at_us = outcomes.map(|it| it.upper_us).min().unwrap();
    execution.report(at_us, &[], &[]).unwrap();
    execution.report(at_us, &[(1, at_us)], &[]).unwrap();
    assert_eq!(execution.deviation(), None);
    assert_eq!(execution.facts().picks, [Some(0)]);
}

#[test]
fn a_pick_that_the_plan_lacks_is_a_deviation() {
    let mut spec = two_scenes(Chooser::Player).spec().clone();
    spec.withheld = vec![(0, 1)];
    let mut execution = begun(Narrative::new(spec).unwrap());
    execution.report(20, &[], &[(0, 1)]).unwrap();
    assert!(!execution.is_running());
    assert!(plan(&mut execution));
    execution.report(30, &[(1, 30)], &[]).unwrap();
    assert_eq!(execution.forecast().unwrap().upcoming[0].event, 4);
}

#[test]
fn events_without_a_limit_may_be_late() {
    let links = vec![Link::new(0, 1, 10, None), Link::new(1, 2, 5, None)];
    let mut execution = begun(
        Narrative::new(Spec {
            events: 2,
            links,
            ..Spec::default()
        })
        .unwrap(),
    );
    execution.report(13, &[(1, 13)], &[]).unwrap();
    execution.report(30, &[(2, 30)], &[]).unwrap();
    assert!(execution.is_over() && execution.deviation().is_none());
}
