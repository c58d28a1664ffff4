//! Verdicts against brute force.

use super::decide::{Decided, decide};
use super::reduce::{Disjunction, Reduction, Side};
use super::search::{Ticker, search};
use crate::plan::{Member, MemberKind, Relaxation, Verdict};
use crate::problem::{Link, Micros, Network, Owner, Spec};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::RangeInclusive;

mod oracle;

/// Goes on for a number of ticks.
struct Ticks(u64);

impl Ticker for Ticks {
    fn tick(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }

    fn go_on(&mut self) -> bool {
        true
    }
}

/// Goes on for a number of calls.
struct GoOns(u64);

impl Ticker for GoOns {
    fn tick(&mut self) -> bool {
        self.go_on()
    }

    fn go_on(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

/// A random network of `events` events on a grid of `horizon` microseconds.
fn network(seed: u64, events: usize, horizon: Micros) -> Network {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let owner = |rng: &mut Xoshiro256PlusPlus| {
        if rng.random_bool(0.5) {
            Owner::Controllable
        } else {
            Owner::Uncontrollable
        }
    };
    let owners: Vec<Owner> = (0..events).map(|_| owner(&mut rng)).collect();
    // Links around a hidden schedule, so that most networks are consistent.
    let hidden: Vec<Micros> = (0..=events)
        .map(|node| {
            if node == 0 {
                0
            } else {
                rng.random_range(0..=horizon)
            }
        })
        .collect();
    let mut links = Vec::new();
    for _ in 0..2 * events {
        let (from, to) = (rng.random_range(0..=events), rng.random_range(1..=events));
        if from == to {
            continue;
        }
        let difference = hidden[to] - hidden[from];
        links.push(Link {
            from,
            to,
            lower_us: Some(difference - rng.random_range(0..=horizon / 2)),
            upper_us: Some(difference + rng.random_range(0..=horizon / 2)),
        });
    }
    Network::new(Spec {
        owners,
        links,
        contingent: Vec::new(),
        horizon_us: Some(horizon),
        progress: None,
    })
    .unwrap()
}

/// Whether some integer times, of `size` timepoints and within `range`, are accepted.
fn some_times(
    size: usize,
    range: &dyn Fn(usize) -> RangeInclusive<Micros>,
    accepts: &dyn Fn(&[Micros]) -> bool,
    times: &mut Vec<Micros>,
) -> bool {
    if times.len() == size {
        return accepts(times);
    }
    range(times.len()).any(|time| {
        times.push(time);
        let found = some_times(size, range, accepts, times);
        times.pop();
        found
    })
}

/// Whether some integer times in the box of the closure are accepted.
fn brute_force(reduction: &Reduction<'_>) -> bool {
    let system = &reduction.system;
    let range = |at| -system.bound(at, 0)..=system.bound(0, at);
    let accepts = |times: &[Micros]| oracle::accepts(reduction, times);
    some_times(system.size, &range, &accepts, &mut vec![0])
}

proptest! {
    #[test]
    fn verdicts_are_those_of_brute_force(seed: u64, events in 1_usize..7, horizon in 1_i64..6) {
        let network = network(seed, events, horizon);
        let reduction = Reduction::new(&network);
        prop_assume!(reduction.is_ok());
        let reduction = reduction.unwrap();
        let expected = brute_force(&reduction);
        match decide(&reduction.system, &mut Ticks(100_000)) {
            Decided::Holds(times) => {
                prop_assert!(expected);
                prop_assert!(oracle::accepts(&reduction, &times));
            }
            Decided::Fails => prop_assert!(!expected),
            Decided::Open(_) => prop_assert!(false, "undecided"),
        }
    }

    #[test]
    fn search_alone_and_with_fixed_points_agree(
        seed: u64,
        events in 1_usize..30,
        horizon in 1_i64..40,
    ) {
        let network = network(seed, events, horizon);
        let reduction = Reduction::new(&network);
        prop_assume!(reduction.is_ok());
        let reduction = reduction.unwrap();
        let alone = search(&reduction.system, None, &mut Ticks(100_000));
        let both = decide(&reduction.system, &mut Ticks(100_000));
        let alone = match alone {
            super::search::Found::Solution(times) => {
                prop_assert!(oracle::accepts(&reduction, &times));
                true
            }
            super::search::Found::Nothing => false,
            super::search::Found::Stopped => return Err(TestCaseError::fail("undecided")),
        };
        prop_assert_eq!(alone, matches!(both, Decided::Holds(_)));
    }

    #[test]
    fn precedence_is_a_partial_order(seed: u64, events in 1_usize..12, horizon in 0_i64..3) {
        let network = network(seed, events, horizon);
        let reduction = Reduction::new(&network);
        prop_assume!(reduction.is_ok());
        let reduction = reduction.unwrap();
        let nodes = 0..network.nodes();
        for i in nodes.clone() {
            for j in nodes.clone().filter(|j| *j != i) {
                prop_assert!(!(reduction.precedes(i, j) && reduction.precedes(j, i)));
                for k in nodes.clone().filter(|k| *k != i && *k != j) {
                    let chain = reduction.precedes(i, j) && reduction.precedes(j, k);
                    prop_assert!(!chain || reduction.precedes(i, k));
                }
            }
        }
    }
}

#[test]
fn ends_of_ranges_come_from_the_first_of_equal_choices() {
    let disjunction = Disjunction {
        node: 1,
        side: Side::Late,
        choices: vec![(0, 7), (1, 5)],
        targets: vec![(1, 0)],
    };
    assert_eq!(disjunction.end(&[0, 2]), (7, 0));
    assert_eq!(disjunction.end(&[0, 1]), (6, 1));
}

/// The finding about a network, with all details.
fn detailed_finding(network: &Network) -> crate::plan::StrongFinding {
    let mut reported = None;
    let mut sink = |finding: &crate::plan::StrongFinding, _| reported = Some(finding.clone());
    let limits = anytime::Limits::iterations(1_000_000);
    let mut control = anytime::Control::new(limits, 1, &mut sink);
    let params = crate::StrongParams::default();
    let conclusion = super::check_strong(network, &params, &mut control);
    assert_eq!(conclusion, Ok(anytime::Conclusion::Optimal));
    reported.unwrap()
}

/// Whether some times of ours satisfy the members, which are about `reduction`: brute force in a
/// box twice as wide as the horizon, and no less.
fn satisfiable(reduction: &Reduction<'_>, members: &[&Member]) -> bool {
    let accepts = |times: &[Micros]| {
        let mut members = members.iter();
        members.all(|member| satisfies(reduction, member, times))
    };
    some_times(reduction.ours.len(), &|_| -8..=16, &accepts, &mut vec![0])
}

fn satisfies(reduction: &Reduction<'_>, member: &Member, times: &[Micros]) -> bool {
    let time = |node| {
        times[reduction
            .ours
            .iter()
            .position(|ours| *ours == node)
            .unwrap()]
    };
    let end = |side| reduction.disjunction(member.from, side).end(times).0;
    match member.kind {
        MemberKind::Bound => time(member.to) - time(member.from) <= member.bound_us,
        MemberKind::LateEnough => end(Side::Late) - time(member.to) <= member.bound_us,
        MemberKind::EarlyEnough => time(member.to) - end(Side::Early) <= member.bound_us,
        _ => panic!("no teammate takes the shortest duration"),
    }
}

proptest! {
    #[test]
    fn conflicts_are_unsatisfiable_and_minimal(
        seed: u64,
        events in 3_usize..6,
        horizon in 2_i64..5,
    ) {
        let seeds = (0..).map(|more| seed.wrapping_add(more));
        let fails = |network: &Network| Reduction::new(network).is_ok_and(|reduction| {
            let decided = decide(&reduction.system, &mut Ticks(100_000));
            reduction.ours.len() <= 4 && decided == Decided::Fails
        });
        let network = seeds.map(|seed| network(seed, events, horizon)).find(fails).unwrap();
        let reduction = Reduction::new(&network).unwrap();
        let finding = detailed_finding(&network);
        let conflict = finding.conflict.unwrap();
        prop_assert!(conflict.minimal);
        let members: Vec<&Member> = conflict.members.iter().collect();
        prop_assert!(!satisfiable(&reduction, &members), "{conflict:?}");
        for left_out in 0..members.len() {
            let mut others = members.clone();
            others.remove(left_out);
            prop_assert!(satisfiable(&reduction, &others), "{left_out} {conflict:?}");
        }
        prop_assert!(conflict.candidate.is_some());
    }

    #[test]
    fn relaxations_hold_and_come_cheapest_first(
        seed: u64,
        events in 2_usize..12,
        horizon in 1_i64..12,
    ) {
        // One in ten networks has a relaxation.
        let seeds = (0..30).map(|more| seed.wrapping_add(more));
        let networks = seeds.map(|seed| network(seed, events, horizon));
        let findings = networks.map(|network| (detailed_finding(&network), network));
        let found = findings.into_iter().find(|(finding, _)| !finding.relaxations.is_empty());
        prop_assume!(found.is_some());
        let (finding, network) = found.unwrap();
        for relaxation in &finding.relaxations {
            let changed = super::relax::changed(&network, &relaxation.changes).unwrap();
            prop_assert_eq!(detailed_finding(&changed).verdict, Verdict::Holds);
        }
        let totals: Vec<Micros> = finding.relaxations.iter().map(Relaxation::total_us).collect();
        prop_assert!(totals.is_sorted());
    }

    #[test]
    fn slack_is_what_can_be_tightened_and_no_more(
        seed: u64,
        events in 2_usize..12,
        horizon in 1_i64..12,
    ) {
        let network = network(seed, events, horizon);
        let finding = detailed_finding(&network);
        prop_assume!(finding.robustness.is_some());
        let robustness = finding.robustness.unwrap();
        let reduction = Reduction::new(&network).unwrap();
        for (more, expected) in [(0, true), (1, false)] {
            let mut system = reduction.system.clone();
            for disjunction in &mut system.disjunctions {
                for target in &mut disjunction.targets {
                    target.1 -= robustness.slack_us + more;
                }
            }
            let found = decide(&system, &mut Ticks(100_000));
            prop_assert_eq!(matches!(found, Decided::Holds(_)), expected);
        }
    }
}

/// The finding of a strategy, nothing but the verdict and its schedule.
#[cfg(feature = "milp")]
fn bare_finding(network: &Network, strategy: crate::Strategy) -> crate::plan::StrongFinding {
    let mut reported = None;
    let mut sink = |finding: &crate::plan::StrongFinding, _| reported = Some(finding.clone());
    let limits = anytime::Limits::iterations(10_000);
    let mut control = anytime::Control::new(limits, 1, &mut sink);
    let params = crate::StrongParams {
        strategy,
        detail: crate::Detail::NONE,
    };
    super::check_strong(network, &params, &mut control).unwrap();
    reported.unwrap()
}

#[cfg(feature = "milp")]
proptest! {
    #[test]
    fn the_integer_program_agrees(seed: u64, events in 1_usize..12, horizon in 1_i64..20) {
        let network = network(seed, events, horizon);
        let auto = bare_finding(&network, crate::Strategy::Auto);
        let milp = bare_finding(&network, crate::Strategy::Milp);
        prop_assert_eq!(auto.verdict, milp.verdict);
    }

    #[test]
    fn the_linear_programs_never_hold_where_nothing_does(
        seed: u64,
        events in 1_usize..12,
        horizon in 1_i64..20,
    ) {
        let network = network(seed, events, horizon);
        prop_assume!(network.has_teammates());
        let auto = bare_finding(&network, crate::Strategy::Auto).verdict;
        for strategy in [crate::Strategy::Lp, crate::Strategy::LpNormalised] {
            let lp = bare_finding(&network, strategy);
            // An inconsistent network fails before any strategy is asked.
            let consistent = Reduction::new(&network).is_ok();
            prop_assert!(!consistent || lp.schedule.is_some());
            prop_assert!(lp.verdict == auto || consistent && lp.verdict == Verdict::Unknown);
        }
    }
}

/// When time runs out while a conflict is made smaller the conflict is reported as it is, true but
/// not minimal.
#[test]
fn conflicts_of_a_stopped_minimiser_are_true_and_do_not_claim_to_be_minimal() {
    let (mut minimal, mut larger, mut none) = (0, 0, 0);
    for seed in 0..40 {
        let shape = crate::generate::Shape::paper(4 + usize::try_from(seed % 20).unwrap());
        let network = crate::generate::teammates(seed, &shape);
        let Ok(reduction) = Reduction::new(&network) else {
            continue;
        };
        if decide(&reduction.system, &mut Ticks(100_000)) != Decided::Fails {
            continue;
        }
        for asks in [1, 3, 6, 10, 15, 25, 50, 100, 1_000, 100_000] {
            let Some((conflict, _)) = super::explain::failing(&reduction, &mut GoOns(asks)) else {
                none += 1;
                continue;
            };
            if conflict.minimal {
                minimal += 1;
            } else {
                larger += 1;
            }
            let finding = crate::plan::StrongFinding {
                verdict: Verdict::Fails,
                conflict: Some(conflict),
                ..Default::default()
            };
            let checked = crate::verify::finding(&network, &finding);
            assert!(checked.is_ok(), "seed {seed}, {asks} asks: {checked:?}");
        }
    }
    assert!(
        minimal > 20 && larger > 20 && none > 0,
        "{minimal} {larger} {none}"
    );
}
