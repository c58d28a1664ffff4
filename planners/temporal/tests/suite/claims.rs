//! Answers of the planner pass the check, and what is changed in them does not.

use crate::searched::{self, ALL, levels};
use anytime::Limits;
use temporal::generate::{Shape, Uncertain, teammates, tiny, tiny_uncertain, uncertain};
use temporal::plan::{Conflict, Level, MemberKind};
use temporal::problem::{Contingent, Link, Owner, Spec};
use temporal::verify::{self, finding};
use temporal::{LevelFinding, Network, StrongFinding, StrongParams, Verdict};

fn ask(network: &Network) -> StrongFinding {
    let limits = Limits::iterations(100_000);
    let found = searched::strong(network, &StrongParams::default(), limits);
    found.plan().expect("there is always a finding")
}

fn ask_all(network: &Network) -> Vec<LevelFinding> {
    if network.has_teammates() {
        levels(network, &[Level::Consistent, Level::Strong])
    } else {
        levels(network, &ALL)
    }
}

fn small(seed: u64) -> Network {
    let tasks = 3 + usize::try_from(seed % 8).expect("it is small");
    teammates(seed, &Shape::paper(tasks))
}

pub(crate) fn with_durations(seed: u64) -> Network {
    let slack_s = u32::try_from(seed % 40).expect("it is small");
    uncertain(
        seed,
        &Uncertain {
            ours: 6,
            contingent: 4,
            links: 12,
            chained_percent: 30,
            slack_s,
        },
    )
}

#[test]
fn findings_about_teammates_pass() {
    let (mut holds, mut fails) = (0, 0);
    for seed in 0..300 {
        let network = if seed % 2 == 0 {
            tiny(seed)
        } else {
            small(seed)
        };
        let found = ask(&network);
        assert_eq!(
            finding(&network, &found).map(|open| open.questions),
            Ok(0),
            "seed {seed}: {found:?}"
        );
        holds += u32::from(found.verdict == Verdict::Holds);
        fails += u32::from(found.verdict == Verdict::Fails);
    }
    assert!(holds > 60 && fails > 60, "{holds} {fails}");
}

#[test]
fn findings_about_levels_pass() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..400 {
        let network = match seed % 4 {
            0 => tiny(seed),
            1 => tiny_uncertain(seed),
            2 => small(seed),
            _ => with_durations(seed),
        };
        let found = ask_all(&network);
        assert_eq!(
            verify::levels(&network, &found).map(|open| open.questions),
            Ok(0),
            "seed {seed}: {network:?}\n{found:?}"
        );
        let uncertain = !network.has_teammates();
        seen.extend(found.iter().map(|one| (uncertain, one.level, one.verdict)));
    }
    assert_eq!(seen.len(), 12, "every question with both answers: {seen:?}");
}

/// Names of what is wrong with a finding after a change.
fn codes(network: &Network, found: &StrongFinding) -> Vec<&'static str> {
    let broken = finding(network, found).expect_err("the change makes it wrong");
    broken.iter().map(|fault| fault.code).collect()
}

#[test]
fn a_schedule_that_is_moved_is_refused() {
    let mut refused = 0;
    for seed in 0..40 {
        let network = small(seed);
        let found = ask(&network);
        if found.verdict != Verdict::Holds {
            continue;
        }
        let mut moved = found.clone();
        let times = &mut moved.schedule.as_mut().expect("it holds").times_us;
        let node = (1..times.len()).find(|node| times[*node].is_some());
        let node = node.expect("one event is ours");
        times[node] = times[node].map(|time| time + 1);
        // Either a rule breaks, or at least the range of the node is another.
        assert!(!codes(&network, &moved).is_empty());
        refused += 1;
    }
    assert!(refused > 10, "{refused}");
}

#[test]
fn parts_that_do_not_go_with_the_verdict_are_refused() {
    let (mut holds, mut fails) = (None, None);
    for seed in 0..60 {
        let network = small(seed);
        let found = ask(&network);
        match found.verdict {
            Verdict::Holds => holds = Some((network, found)),
            _ => fails = Some((network, found)),
        }
    }
    let (network, found) = holds.expect("some hold");
    let mut other = found.clone();
    other.verdict = Verdict::Fails;
    assert!(codes(&network, &other).contains(&"NOT_EXPECTED"));
    let mut other = found.clone();
    other.schedule = None;
    assert_eq!(codes(&network, &other), ["MISSING"]);
    let mut other = found.clone();
    other.ranges.pop();
    assert_eq!(codes(&network, &other), ["SHAPE"]);
    let mut other = found.clone();
    other.ranges[1].latest_us += 1;
    assert_eq!(codes(&network, &other), ["RANGE_WRONG"]);
    let mut other = found;
    other.conflict = Some(Conflict::default());
    assert_eq!(codes(&network, &other), ["NOT_EXPECTED"]);
    let (network, found) = fails.expect("some fail");
    let mut other = found;
    other.verdict = Verdict::Unknown;
    assert!(codes(&network, &other).contains(&"NOT_EXPECTED"));
}

/// Every change of a conflict, on every conflict found: none is overlooked.
#[test]
fn conflicts_that_are_tampered_with_are_refused() {
    let mut tampered = 0;
    for seed in 0..60 {
        let network = small(seed);
        let found = ask(&network);
        let Some(conflict) = &found.conflict else {
            continue;
        };
        if conflict.members.len() < 2 || !conflict.minimal {
            continue;
        }
        let with = |change: &dyn Fn(&mut Conflict)| {
            let mut other = found.clone();
            change(other.conflict.as_mut().expect("there is one"));
            codes(&network, &other)
        };
        for at in 0..conflict.members.len() {
            assert_eq!(
                with(&|c| drop(c.members.remove(at))),
                ["CONFLICT_KEPT"],
                "seed {seed}"
            );
            assert!(with(&|c| c.members[at].bound_us -= 1).contains(&"MEMBER_BOUND"));
            assert!(with(&|c| c.members[at].sources.clear()).contains(&"MEMBER_CHAIN"));
            assert_eq!(with(&|c| c.members[at].count = 0), ["MEMBER_KIND"]);
            let more = |c: &mut Conflict| c.members[at].kind = MemberKind::ContingentUpper;
            assert!(with(&more).contains(&"MEMBER_KIND"));
            tampered += 1;
        }
        let twice = |c: &mut Conflict| c.members.push(c.members[0].clone());
        assert!(with(&twice).contains(&"MEMBER_NEEDLESS"));
        if conflict.candidate.is_some() {
            let quiet = |c: &mut Conflict| {
                c.candidate.as_mut().expect("there is one").1.fill(0);
            };
            assert!(with(&quiet).contains(&"CANDIDATE_WRONG"));
        }
    }
    assert!(tampered > 40, "{tampered}");
}

#[test]
fn relaxations_are_of_bounds_that_exist() {
    let mut seen = 0;
    for seed in 0..60 {
        let network = small(seed);
        let found = ask(&network);
        if found.relaxations.is_empty() {
            continue;
        }
        let with = |change: &dyn Fn(&mut temporal::plan::Change)| {
            let mut other = found.clone();
            change(&mut other.relaxations[0].changes[0]);
            codes(&network, &other)
        };
        assert_eq!(with(&|change| change.old_us += 1), ["CHANGE_WRONG"]);
        assert_eq!(
            with(&|change| change.new_us = i64::MAX),
            ["RELAXATION_INVALID"]
        );
        let horizon = temporal::problem::Source::Horizon(1);
        assert_eq!(with(&|change| change.source = horizon), ["CHANGE_WRONG"]);
        seen += 1;
    }
    assert!(seen > 5, "{seen}");
}

#[test]
fn levels_that_contradict_each_other_are_refused() {
    let holds = |found: &Vec<LevelFinding>| {
        let holds = |one: &LevelFinding| one.verdict == Verdict::Holds;
        found.iter().all(holds)
    };
    let network = (0..200)
        .map(with_durations)
        .find(|network| holds(&ask_all(network)));
    let network = network.expect("some are strongly controllable");
    let found = ask_all(&network);
    let codes = |found: &[LevelFinding]| -> Vec<_> {
        let broken = verify::levels(&network, found).expect_err("the change makes it wrong");
        broken.iter().map(|fault| fault.code).collect()
    };
    let mut other = found.clone();
    other[0].verdict = Verdict::Fails;
    other[0].schedule = None;
    assert_eq!(codes(&other), ["LEVELS_CONTRADICT"; 3]);
    let mut other = found.clone();
    other.push(other[1].clone());
    assert_eq!(codes(&other), ["LEVEL_TWICE"]);
    let mut other = found.clone();
    other[2].dispatch = None;
    assert_eq!(codes(&other), ["MISSING"]);
    let mut other = found;
    let dispatch = other[2].dispatch.as_mut().expect("dynamic holds");
    dispatch.bounds.push((99, 0, 0));
    assert_eq!(codes(&other), ["DISPATCH_NODE"]);
}

#[test]
fn a_dispatch_without_its_waits_or_bounds_breaks_down() {
    let (mut bounds, mut waits) = (0, 0);
    for seed in 0..300 {
        let network = with_durations(seed);
        let found = ask_all(&network);
        let Some(dispatch) = &found[2].dispatch else {
            continue;
        };
        let with = |change: &dyn Fn(&mut temporal::plan::Dispatch)| {
            let mut other = found.clone();
            change(other[2].dispatch.as_mut().expect("there is one"));
            verify::levels(&network, &other).is_err()
        };
        bounds += u32::from(with(&|one| one.bounds.clear()));
        waits += u32::from(!dispatch.waits.is_empty() && with(&|one| one.waits.clear()));
    }
    assert!(bounds > 50 && waits > 5, "{bounds} {waits}");
}

#[test]
fn a_bound_of_0_to_an_event_of_nature_is_a_wait() {
    let (from, seen, ours) = (0, 1, 2);
    let judged = |lower_us, upper_us, bounds: Vec<(usize, usize, i64)>| {
        let spec = Spec {
            owners: vec![Owner::Nature, Owner::Controllable],
            links: vec![Link::new(seen, ours, 0, 0)],
            contingent: vec![Contingent::new(from, seen, lower_us, upper_us)],
            horizon_us: None,
            progress: None,
        };
        let network = Network::new(spec).expect("it makes sense");
        let mut found = ask_all(&network);
        let dispatch = found[2].dispatch.as_mut().expect("dynamic holds");
        (dispatch.bounds, dispatch.waits) = (bounds, Vec::new());
        verify::levels(&network, &found).is_ok()
    };
    assert!(judged(5, 9, vec![(ours, seen, 0), (seen, ours, 0)]));
    assert!(!judged(5, 9, vec![(seen, ours, 0)]));
    assert!(judged(0, 0, vec![(ours, seen, 0), (seen, ours, 0)]));
}

/// Requirements of conflicts about uncertain durations are needed: nothing else would show it.
#[test]
fn conflicts_about_durations_that_lack_a_requirement_are_refused() {
    let mut refused = std::collections::BTreeMap::new();
    for seed in 0..300 {
        let network = if seed % 2 == 0 {
            tiny_uncertain(seed)
        } else {
            with_durations(seed)
        };
        let found = ask_all(&network);
        for (at, one) in found.iter().enumerate() {
            let Some(conflict) = &one.conflict else {
                continue;
            };
            let bounds = conflict
                .members
                .iter()
                .filter(|member| member.kind == MemberKind::Bound);
            if bounds.count() == 0 {
                continue;
            }
            let mut other = found.clone();
            let conflict = other[at].conflict.as_mut().expect("there is one");
            let first = conflict
                .members
                .iter()
                .position(|member| member.kind == MemberKind::Bound);
            conflict.members.remove(first.expect("there is one"));
            let weak_without_members = one.level == Level::Weak && conflict.members.is_empty();
            if weak_without_members {
                continue;
            }
            assert!(
                verify::levels(&network, &other).is_err(),
                "seed {seed}: {:?}",
                one.level
            );
            *refused.entry(one.level).or_insert(0) += 1;
            // Durations that are not the link's, or too few of them.
            let mut other = found.clone();
            let conflict = other[at].conflict.as_mut().expect("there is one");
            conflict.durations_us.push(-1);
            assert!(verify::levels(&network, &other).is_err());
        }
    }
    assert!(
        refused.len() == 4 && refused.values().all(|count| *count > 10),
        "{refused:?}"
    );
}
