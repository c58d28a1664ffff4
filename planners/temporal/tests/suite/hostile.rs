//! Hostile findings are checked without overflow, index out of range or unbounded search.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use temporal::generate::{tiny, tiny_uncertain};
use temporal::plan::{
    Change, Conflict, Dispatch, Level, Member, MemberKind, Range, Relaxation, Wait,
};
use temporal::problem::{LINKS_MAX, Link, Micros, Owner, Source, Spec, TIME_MAX_US};
use temporal::verify::{finding, levels, strong};
use temporal::{LevelFinding, Network, Schedule, StrongFinding, Verdict};

fn time() -> impl Strategy<Value = Micros> {
    prop_oneof![
        4 => -6_i64..7,
        1 => any::<i64>(),
        1 => Just(Micros::MIN),
        1 => Just(Micros::MAX),
    ]
}

fn node() -> impl Strategy<Value = usize> {
    prop_oneof![9 => 0_usize..8, 1 => any::<usize>()]
}

fn source() -> impl Strategy<Value = Source> {
    (0..6, node()).prop_map(|(kind, at)| match kind {
        0 => Source::LinkUpper(at),
        1 => Source::LinkLower(at),
        2 => Source::ContingentUpper(at),
        3 => Source::ContingentLower(at),
        4 => Source::Horizon(at),
        _ => Source::Start(at),
    })
}

fn member() -> impl Strategy<Value = Member> {
    let kind = prop_oneof![
        Just(MemberKind::Bound),
        Just(MemberKind::LateEnough),
        Just(MemberKind::EarlyEnough),
        Just(MemberKind::ContingentLower),
        Just(MemberKind::ContingentUpper),
    ];
    let rest = (node(), node(), time(), vec(source(), 0..4), any::<u32>());
    (kind, rest).prop_map(|(kind, (from, to, bound_us, sources, count))| Member {
        kind,
        from,
        to,
        bound_us,
        sources,
        count,
    })
}

fn schedule() -> impl Strategy<Value = Schedule> {
    vec(option::of(time()), 0..8).prop_map(|times_us| Schedule { times_us })
}

fn conflict() -> impl Strategy<Value = Conflict> {
    let candidate = option::of((schedule(), vec(time(), 0..8)));
    let all = (
        vec(member(), 0..5),
        any::<bool>(),
        candidate,
        vec(time(), 0..4),
    );
    all.prop_map(|(members, minimal, candidate, durations_us)| Conflict {
        members,
        minimal,
        candidate,
        durations_us,
    })
}

fn relaxation() -> impl Strategy<Value = Relaxation> {
    let change = (source(), time(), time()).prop_map(|(source, old_us, new_us)| Change {
        source,
        old_us,
        new_us,
    });
    vec(change, 0..3).prop_map(|changes| Relaxation { changes })
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![
        Just(Verdict::Holds),
        Just(Verdict::Fails),
        Just(Verdict::Unknown)
    ]
}

fn ranges() -> impl Strategy<Value = Vec<Range>> {
    let range = (time(), time()).prop_map(|(earliest_us, latest_us)| Range {
        earliest_us,
        latest_us,
    });
    vec(range, 0..8)
}

fn dispatch() -> impl Strategy<Value = Dispatch> {
    let wait = (node(), node(), node(), time());
    let wait = wait.prop_map(|(node, from, until, duration_us)| Wait {
        node,
        from,
        until,
        duration_us,
    });
    (vec((node(), node(), time()), 0..6), vec(wait, 0..3))
        .prop_map(|(bounds, waits)| Dispatch { bounds, waits })
}

fn network() -> impl Strategy<Value = Network> {
    prop_oneof![
        any::<u64>().prop_map(tiny),
        any::<u64>().prop_map(tiny_uncertain)
    ]
}

proptest! {
    #[test]
    fn any_finding_is_judged(
        network in network(),
        verdict in verdict(),
        schedule in option::of(schedule()),
        ranges in ranges(),
        conflict in option::of(conflict()),
        relaxations in vec(relaxation(), 0..3),
    ) {
        let given = StrongFinding {
            verdict,
            schedule,
            ranges,
            conflict,
            relaxations,
            ..StrongFinding::default()
        };
        // Holds is believed only with a schedule that passes.
        if finding(&network, &given).is_ok() && verdict == Verdict::Holds {
            prop_assert!(strong(&network, &given.schedule.expect("it was checked")).is_ok());
        }
    }

    #[test]
    fn any_answer_about_levels_is_judged(
        network in network(),
        which in 0..4,
        verdict in verdict(),
        schedule in option::of(schedule()),
        conflict in option::of(conflict()),
        dispatch in option::of(dispatch()),
    ) {
        let level = [Level::Consistent, Level::Weak, Level::Dynamic, Level::Strong];
        let given = LevelFinding {
            level: level[usize::try_from(which).expect("it is small")],
            verdict,
            schedule,
            ranges: Vec::new(),
            dispatch,
            conflict,
            relaxations: Vec::new(),
        };
        let judged = levels(&network, std::slice::from_ref(&given));
        if judged.is_ok() && network.has_teammates() {
            prop_assert!(!matches!(given.level, Level::Weak | Level::Dynamic));
        }
    }
}

#[test]
fn the_largest_and_longest_network_is_judged() {
    // Each event ten years after the one before, over and over; all links at their limits.
    let events = 1_000;
    let link = |index: usize| Link {
        from: index % events,
        to: index % events + 1,
        lower_us: Some(TIME_MAX_US),
        upper_us: Some(TIME_MAX_US),
    };
    let owners = (0..events).map(|event| match event % 2 {
        0 => Owner::Controllable,
        _ => Owner::Uncontrollable,
    });
    let network = Network::new(Spec {
        owners: owners.collect(),
        links: (0..LINKS_MAX).map(link).collect(),
        ..Spec::default()
    })
    .expect("it is valid");
    let at = |node: usize| Micros::try_from(node).expect("it is small") * TIME_MAX_US;
    let ours = |node: usize| node == 0 || node % 2 == 1;
    let times_us = (0..=events)
        .map(|node| ours(node).then_some(at(node)))
        .collect();
    let ranges = strong(&network, &Schedule { times_us }).expect("all is rigid");
    assert!(
        ranges
            .iter()
            .enumerate()
            .all(|(node, range)| range.earliest_us == at(node))
    );
}
