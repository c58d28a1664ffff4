//! Generated narratives have the shape that is said, and are the same ones each time.

use narrative::generate::{SUITE1, SUITE2, choices, suite1, suite2, tiny, tiny_story};
use narrative::plan::{Plan, Policy};
use narrative::problem::Chooser;
use narrative::verify::strategy;

fn policies(narrative: &narrative::Narrative) -> Plan {
    let policies = narrative.storylines().iter().map(|picks| Policy {
        picks: picks.clone(),
        ..Policy::default()
    });
    Plan {
        policies: policies.collect(),
        makespan_us: 100_000_000_000,
        ..Plan::default()
    }
}

#[test]
fn the_first_suite_has_the_sizes_of_the_paper() {
    let mut events = Vec::new();
    let mut resources = Vec::new();
    let mut impossible = 0;
    for index in 0..SUITE1 {
        let narrative = suite1(3, index);
        let spec = narrative.spec();
        let copies = 2 + index % 4;
        assert_eq!(spec.events % copies, 0);
        assert_eq!(
            spec.contingent.len(),
            (spec.events / copies + 3) / 8 * copies
        );
        let bounds = spec.links.len() + spec.contingent.len();
        assert!(
            bounds <= 2 * spec.events && bounds >= spec.events,
            "linear: {bounds}"
        );
        let demands = spec
            .activities
            .iter()
            .map(|activity| activity.demands.len());
        assert!(demands.clone().all(|demands| (1..=3).contains(&demands)));
        // Of each copy, half of its links but those for its start and its end.
        let half = (bounds / copies - 2) / 2 * copies;
        let half = if spec.resources.is_empty() { 0 } else { half };
        assert_eq!(spec.activities.len(), half);
        events.push(spec.events);
        resources.push(spec.resources.len());
        if index % 4 == 0 {
            impossible += usize::from(strategy(&narrative, &policies(&narrative)).is_err());
        }
    }
    assert_eq!(
        (events.iter().min(), events.iter().max()),
        (Some(&14), Some(&220))
    );
    assert_eq!(
        (resources.iter().min(), resources.iter().max()),
        (Some(&0), Some(&72))
    );
    assert!(impossible > 30, "{impossible} of 77 need an order");
}

#[test]
fn the_second_suite_is_controllable_and_has_the_shares_of_the_paper() {
    for index in 0..SUITE2 {
        let narrative = suite2(3, index);
        let spec = narrative.spec();
        let nodes = narrative.nodes();
        let share = [0, 125, 250, 500][index % 4];
        assert!((15..=150).contains(&nodes));
        assert_eq!(spec.contingent.len(), nodes * share / 1_000);
        if index % 10 < 4 {
            assert!(
                strategy(&narrative, &policies(&narrative)).is_ok(),
                "{index}"
            );
        }
    }
}

#[test]
fn stories_with_choices_have_as_many_storylines_as_options() {
    for options in 2..=6 {
        for chooser in [Chooser::System, Chooser::Player] {
            let narrative = choices(5, chooser, options);
            assert_eq!(narrative.storylines().len(), options);
            assert_eq!(narrative.spec().events, 2 + 4 * options);
            assert_eq!(narrative.spec().resources.len(), 1 + options);
        }
    }
}

#[test]
fn some_storylines_bear_everything_and_others_do_not() {
    let alone = |chooser, seed| {
        let narrative = choices(seed, chooser, 2);
        let all = policies(&narrative);
        strategy(&narrative, &all).is_ok()
    };
    let easy = (0..40).filter(|seed| alone(Chooser::Player, *seed)).count();
    assert!(
        (1..20).contains(&easy),
        "{easy} of 40 can be given without thinking"
    );
}

#[test]
fn the_same_seed_makes_the_same_narrative_and_another_one_another() {
    for index in [0, 7, 100] {
        assert_eq!(suite1(1, index), suite1(1, index));
        assert_ne!(suite1(1, index), suite1(2, index));
        assert_eq!(suite2(1, index), suite2(1, index));
        assert_ne!(suite2(1, index), suite2(2, index));
        let seed = u64::try_from(index).unwrap();
        assert_eq!(tiny_story(seed), tiny_story(seed));
        assert_ne!(tiny(seed), tiny(seed + 1));
    }
    let three = choices(1, Chooser::Player, 3);
    assert_eq!(three, choices(1, Chooser::Player, 3));
    assert_ne!(three, choices(2, Chooser::Player, 3));
}
